"""Every answer of the corpus is read as it should be, whatever it is wrapped in."""

from __future__ import annotations

import json
import math

import answers_corpus as corpus
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldassay.judges.parsing import read_answer
from goldassay.judges.realizations import REALIZATIONS
from goldassay.judges.text import quotations
from goldassay.judges.verdicts import Answer, Format, Verdict


def form(realization: str, **changes: object) -> Format:
    built_in = REALIZATIONS[realization]
    values = {"options": built_in.options, "abstain": built_in.abstain, **changes}
    return Format(realization=realization, **values)  # type: ignore[arg-type]


def reading(realization: str, text: str, **changes: object) -> str:
    verdict = read_answer(form(realization, **changes), Answer(text, "stop"))[""]
    if verdict.status == "rated":
        assert verdict.value is not None
        return verdict.value
    assert verdict.value is None
    assert verdict.reason
    return {"invalid": corpus.INVALID, "abstained": corpus.ABSTAINED, "failed": corpus.REFUSED}[
        verdict.status
    ]


CASES = [
    (realization, text, expected)
    for realization, cases in corpus.CORPUS.items()
    for text, expected in cases
]
NOTHING = [(realization, text) for realization in corpus.CORPUS for text in corpus.NOTHING]


def test_the_corpus_is_large() -> None:
    distinct = {(realization, text) for realization, text, _ in CASES}
    assert len(distinct) == len(CASES)
    assert len(CASES) + len(corpus.NOTHING) + len(corpus.REFUSALS) >= 500


@pytest.mark.parametrize(("realization", "text", "expected"), CASES)
def test_the_right_reading(realization: str, text: str, expected: str) -> None:
    assert reading(realization, text) == expected


@pytest.mark.parametrize("wrap", corpus.WRAPPED[1:])
def test_thinking_fences_and_tokens_change_no_reading(wrap: str) -> None:
    for realization, text, expected in CASES:
        if "```" not in text and text:
            assert reading(realization, wrap.replace("{}", text)) == expected, (wrap, text)


@pytest.mark.parametrize("realization", list(corpus.CORPUS))
def test_nothing_is_read_where_there_is_no_verdict(realization: str) -> None:
    for text in corpus.NOTHING:
        assert reading(realization, text) == corpus.INVALID, text


@pytest.mark.parametrize("text", corpus.REFUSALS)
def test_refusals_are_what_is_declared(text: str) -> None:
    for realization in corpus.CORPUS:
        assert reading(realization, text) == corpus.REFUSED
        assert reading(realization, text, refusals="abstained") == corpus.ABSTAINED


def test_a_refusal_of_the_endpoint_is_a_refusal() -> None:
    for answer in (Answer(None, refusal="no"), Answer("MET", "content_filter")):
        assert read_answer(form("binary"), answer)[""].status == "failed"


def test_a_verdict_after_an_apology_is_a_verdict() -> None:
    assert reading("binary", "I'm sorry to say that it fails. [[UNMET]]") == "UNMET"


@pytest.mark.parametrize(("text", "value"), [(text, value) for text, value in corpus.ANCHOR])
def test_the_other_order_turns_the_score_round(text: str, value: str) -> None:
    expected = value if value == corpus.INVALID else str(-int(value))
    assert reading("anchor", text, order="opponent_first") == expected


def test_the_other_order_turns_the_winner_round() -> None:
    assert reading("pairwise", "[[A]]", order="opponent_first") == "opponent"
    assert reading("pairwise", "[[B]]", order="opponent_first") == "system"
    assert reading("pairwise", "[[tie]]", order="opponent_first") == "tie"


@pytest.mark.parametrize(
    ("realization", "text"), [("numeric", "8"), ("response_set", "A"), ("likert", "[[Very")]
)
def test_what_may_be_cut_off_is_invalid(realization: str, text: str) -> None:
    verdict = read_answer(form(realization), Answer(text, "length"))[""]
    assert verdict.status == "invalid"
    assert "cut off" in (verdict.reason or "")


# --- token probabilities


def probabilities(*tokens: tuple[str, float]) -> Verdict:
    answer = Answer("", "length", alternatives=[list(tokens)])
    return read_answer(form("token_probs", probabilities=True), answer)[""]


def test_yes_over_yes_and_no_with_all_their_spellings() -> None:
    verdict = probabilities(
        ("Yes", math.log(0.3)),
        (" yes", math.log(0.1)),
        ("YES", math.log(0.1)),
        ("▁No", math.log(0.2)),
        ("Ġno", math.log(0.05)),
        ("The", math.log(0.25)),
    )
    # 0.5 for yes, 0.25 for no
    assert verdict.score == pytest.approx(2 / 3)
    assert verdict.value == "yes"


def test_no_yes_and_no_no_is_invalid_and_a_half_is_yes() -> None:
    assert probabilities(("The", -0.1)).status == "invalid"
    assert probabilities(("Yes", -9999.0), ("The", -0.1)).status == "invalid"
    assert probabilities(("Yes", math.nan), ("No", -1.0)).status == "invalid"
    assert probabilities(("yes", -1.0), ("no", -1.0)).value == "yes"
    assert (
        read_answer(form("token_probs", probabilities=True), Answer("Yes"))[""].status == "invalid"
    )


def test_a_blank_first_token_is_passed_over() -> None:
    answer = Answer("\nYes", alternatives=[[("\n", -0.1)], [("Yes", -0.1), ("No", -3.0)]])
    assert read_answer(form("token_probs", probabilities=True), answer)[""].value == "yes"


# --- several criteria in one answer


TOGETHER = form("binary", criteria=("correct", "polite"), together=True)


def together(text: str) -> tuple[str | None, ...]:
    verdicts = read_answer(TOGETHER, Answer(text, "stop"))
    assert list(verdicts) == ["correct", "polite"]
    return tuple(one.value if one.status == "rated" else one.status for one in verdicts.values())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"correct": "MET", "polite": "UNMET"}', ("MET", "UNMET")),
        ('```json\n{"correct": "MET", "polite": "CANNOT_ASSESS"}\n```', ("MET", "abstained")),
        ('{"correct": "MET"}', ("MET", "invalid")),
        ('{"correct": "MET", "polite": "maybe"}', ("MET", "invalid")),
        ('{"correct": "MET", "correct": "UNMET", "polite": "MET"}', ("invalid", "invalid")),
        (
            '{"correct": "MET", "polite": "MET"} {"correct": "UNMET", "polite": "MET"}',
            ("invalid", "MET"),
        ),
        ("correct: MET\npolite: UNMET", ("MET", "UNMET")),
        ("- **correct**: [[MET]]\n- **polite**: [[UNMET]]", ("MET", "UNMET")),
        ('{"note": "ok"}\ncorrect: MET\npolite: UNMET', ("MET", "UNMET")),  # which names neither
        ("correct: MET", ("MET", "invalid")),
        ("correct: MET\ncorrect: UNMET\npolite: MET", ("invalid", "MET")),
        ("[[MET]]", ("invalid", "invalid")),
        ("", ("invalid", "invalid")),
        ("I'm sorry, but I can't assist.", ("failed", "failed")),
    ],
)
def test_criteria_together(text: str, expected: tuple[str, ...]) -> None:
    assert together(text) == expected


# --- anything at all


PIECES = st.sampled_from(
    [
        *("[[", "]]", "A", "B", ">>", ">", "=", "85", "100", "yes", "no", "{", "}", ":", '"', ","),
        *('"verdict"', "<think>", "</think>", "```", "\n", " ", "Good", "MET", "UNMET", "tie", "-"),
        *("Rating:", "nan", "\ufffc", "I'm sorry", "/100", ".", "[", "]", "é", "\u202e", "\ud800"),
    ]
)


@given(st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=14).map("".join)))
@settings(max_examples=400, deadline=None)
def test_any_text_gives_a_verdict_of_the_format_or_a_reason(text: str) -> None:
    for realization in corpus.CORPUS:
        verdict = read_answer(form(realization), Answer(text, "stop"))[""]
        if verdict.status == "rated":
            assert verdict.value
            if realization == "numeric":
                assert 0 <= float(verdict.value) <= 100
            elif realization == "response_set":
                assert set(verdict.value.split("|")) <= set(REALIZATIONS[realization].options)
            else:
                assert verdict.value in REALIZATIONS[realization].options
        else:
            assert verdict.value is None
            assert verdict.score is None
            assert verdict.reason
        json.dumps(verdict.reason)


@given(st.text(alphabet="ab ", max_size=80), st.text(alphabet="ab ", max_size=80))
def test_quotations_stand_in_the_source(text: str, source: str) -> None:
    for start, end in quotations(text, [source]):
        assert end - start >= 16
        assert text[start:end] in source
