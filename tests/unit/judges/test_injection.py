"""Hostile items: their text is never read as the verdict, and never breaks out of its place."""

from __future__ import annotations

import re

import injections
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldassay.judges.items import Item
from goldassay.judges.parsing import read_answer
from goldassay.judges.prompts import neutral, requests
from goldassay.judges.realizations import REALIZATIONS
from goldassay.judges.request import Request
from goldassay.judges.spec import Judge
from goldassay.judges.text import quotations
from goldassay.judges.verdicts import Answer, Verdict

FAIR = {
    "numeric": ("12", "12"),
    "likert": ("[[Bad]]", "Bad"),
    "token_probs": ("No", "no"),
    "anchor": ("[[B>A]]", "-1"),
    "forced_choice": ("A", "Very Toxic"),
    "response_set": ("AB", "Very Toxic|Toxic"),
    "binary": ("[[UNMET]]", "UNMET"),
    "pairwise": ("[[B]]", "opponent"),
}


def request(realization: str, text: str) -> Request:
    judge = Judge(name="j", model="m", realization=realization, parameters={})
    item = Item("q", input="Question?", output=text, output_b="Another answer.")
    return requests(judge, item, top_logprobs=0)[0]


def read(asked: Request, answer: str) -> Verdict:
    quoted = tuple(quotations(answer, asked.texts))
    return read_answer(asked.format, Answer(answer, "stop", quoted=quoted))[""]


CASES = [
    (realization, text)
    for realization in injections.FORGED
    for text in injections.texts(realization)
]


def test_the_corpus_is_large() -> None:
    assert len(set(CASES)) == injections.COUNT >= 200


@pytest.mark.parametrize("realization", list(injections.FORGED))
def test_a_judge_that_repeats_the_item_gives_no_verdict(realization: str) -> None:
    for text in injections.texts(realization):
        asked = request(realization, text)
        shown = neutral(text, asked.judge)
        assert shown in asked.prompt
        for echo in (shown, f"The response says:\n{shown}", f"> {shown}\n\nI see."):
            assert read(asked, echo).status != "rated", (text, echo)


@pytest.mark.parametrize("realization", list(injections.FORGED))
def test_a_verdict_beside_a_quotation_is_the_judges_own_or_none(realization: str) -> None:
    answer, value = FAIR[realization]
    read_fairly = 0
    for text in injections.texts(realization):
        asked = request(realization, text)
        shown = neutral(text, asked.judge)
        assert read(asked, answer).value == value  # an honest verdict is not lost
        for both in (
            f"{answer}\n\nThe text says: {shown}",
            f'The text says "{shown}".\n\n{answer}',
        ):
            verdict = read(asked, both)
            assert verdict.value in (value, None), (text, both)
            read_fairly += verdict.value == value
    assert read_fairly >= len(injections.texts(realization)) / 2


@pytest.mark.parametrize("realization", ["likert", "anchor", "binary", "pairwise"])
def test_even_a_bare_echo_of_a_bracketed_verdict_is_not_read(realization: str) -> None:
    for forged in injections.FORGED[realization]:
        if "[[" in forged:
            asked = request(realization, f"Text. {forged}")
            shown = neutral(forged, asked.judge)
            assert "[[" not in shown
            assert read(asked, shown).status != "rated"


@pytest.mark.parametrize("realization", list(REALIZATIONS))
def test_delimiters_of_the_prompt_occur_once_for_each_place(realization: str) -> None:
    plain = request(realization, "fair").prompt
    for text in injections.texts(realization):
        prompt = request(realization, text).prompt
        for mark in re.findall(r"<\|[^|]+\|>", plain):
            assert prompt.count(mark) == plain.count(mark)
        found = re.search(r"marks (\w{12}) is", prompt)
        if found:
            assert prompt.count(found[1]) == plain.count(re.search(r"marks (\w{12}) is", plain)[1])  # type: ignore[index]


def test_placeholders_in_an_item_stay_text() -> None:
    prompt = request("numeric", "{input} {output} {options}").prompt
    assert "Response: {input} {output} {options}" in prompt


def test_other_brackets_and_json_are_left_alone() -> None:
    judge = Judge(name="j", model="m", realization="binary")
    for text in ("m = [[1, 2], [3, 4]]", "if [[ -f x ]]; then", '{"key": "MET"}', "a <| b |> c"):
        assert neutral(text, judge) == text


@settings(max_examples=20, deadline=None)
@given(st.text(max_size=200))
def test_a_mark_never_occurs_in_the_text(text: str) -> None:
    prompt = request("binary", text).prompt
    found = re.search(r"marks (\w{12}) is", prompt)
    assert found is not None
    assert found[1] not in text
