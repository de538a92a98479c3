"""Judge files: the least one, the paper's prompts, and one clear message for each wrong one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from goldassay.errors import InputError
from goldassay.judges.items import Item
from goldassay.judges.prompts import requests
from goldassay.judges.spec import Judge, JudgeError, Limits, judge_from_mapping, read_judge

LEAST = """
name = "tiny"
model = "smollm2"
base_url = "http://127.0.0.1:8089/v1"
realization = "binary"
samples = 1
"""


def test_the_least_judge_file(tmp_path: Path) -> None:
    path = tmp_path / "tiny.toml"
    path.write_text(LEAST)
    judge = read_judge(path)
    assert (judge.name, judge.kind.name, judge.words) == ("tiny", "openai", ("MET", "UNMET"))
    assert judge.sent_parameters == {"temperature": 0.0, "max_tokens": 1024}
    assert Judge.from_definition(judge.definition()).words == judge.words


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"modle": "x"}, "Did you mean 'model'"),
    ({"realization": "likret"}, "Did you mean 'likert'"),
    ({"api_key": "sk-1234"}, "a judge file holds no keys"),
    ({"question": "sk-abcdefghijklmnopqrstuvwx"}, "looks like it holds a key"),
    ({"base_url": "ftp://x"}, "http or https address"),
    ({"base_url": "https://u:p@x/v1"}, "no user, password or query"),
    ({"base_url": "https://x/v1?key=1"}, "no user, password or query"),
    ({"samples": 0}, "whole number from 1"),
    ({"samples": True}, "whole number from 1"),
    ({"concurrency": -1}, "positive number"),
    ({"timeout": "soon"}, "positive number"),
    ({"options": ["a"]}, "binary has 2"),
    ({"options": ["a", "A"]}, "upper and lower case"),
    ({"options": "a, b"}, "list of texts"),
    ({"prompt": "{outptu}"}, "Did you mean {output}"),
    ({"prompt": "Judge this."}, "shows the judge what it judges"),
    ({"parameters": {"messages": []}}, "set by goldassay itself"),
    ({"parameters": 3}, "table of the request's fields"),
    ({"price": [1]}, "prompt, completion"),
    ({"command": "x"}, "exactly one of"),
    ({"realization": "likert", "criteria_per_call": "all"}, "is for realization"),
    ({"table": "t.csv"}, "goes with column"),
    ({"name": ""}, "text in quotes"),
    ({"realization": "numeric", "options": ["a", "b"]}, "its own scale"),
    ({"realization": "response_set", "options": ["a|b", "c"]}, "joins a set"),
    ({"provider": "anthropics"}, "Did you mean 'anthropic'"),
    ({"base_url": "http://[::1/v1"}, "http or https address"),
    ({"base_url": "http://host:port/v1"}, "http or https address"),
    ({"model": None, "command": "judge 'it"}, "cannot be split into words"),
    ({"question": "half a character \ud800"}, "half a character"),
    ({"criteria": {"\ud800": "x"}}, "half a character"),
]


@pytest.mark.parametrize(("change", "message"), WRONG)
def test_wrong_judge_files(change: dict[str, Any], message: str) -> None:
    raw = {"name": "j", "model": "m", **change}
    with pytest.raises(JudgeError, match=message.replace("{", r"\{")):
        judge_from_mapping(raw, place="judge.toml")


#: Rules of the file's keys alone: Python says of itself that there is no such argument.
OF_FILES = ("modle", "api_key", "concurrency", "timeout")


@pytest.mark.parametrize(("change", "message"), [w for w in WRONG if not set(w[0]) & {*OF_FILES}])
def test_a_judge_written_in_python_is_held_to_the_same_rules(
    change: dict[str, Any], message: str
) -> None:
    raw = {"name": "j", "model": "m", **change}
    with pytest.raises(JudgeError) as in_file:
        judge_from_mapping(raw, place="judge.toml")
    with pytest.raises(JudgeError) as in_python:
        Judge(**raw)
    assert str(in_python.value) == str(in_file.value).replace("judge.toml", "judge", 1)


def test_limits_are_held_to_the_same_rules() -> None:
    with pytest.raises(JudgeError, match="judge, concurrency: must be a positive number"):
        Judge(name="j", model="m", limits=Limits(concurrency=-1))
    with pytest.raises(JudgeError, match="judge, retries: must be a whole number"):
        Judge(name="j", model="m", limits=Limits(retries=1.5))  # type: ignore[arg-type]
    given = judge_from_mapping({"name": "j", "model": "m", "limits": {"timeout": 3}}, place="j")
    assert given.limits == Limits(timeout=3.0)


def test_values_are_the_same_however_they_were_given() -> None:
    raw = {"name": "j", "model": "m", "options": ["yes", "no"], "price": [1, 2]}
    written = Judge(name="j", model="m", options=("yes", "no"), price=(1.0, 2.0))
    assert judge_from_mapping(raw) == written
    assert Judge(**raw) == written  # type: ignore[arg-type]
    assert written.realization == "binary"
    assert Judge(name="j", column="x").realization == "numeric"


@pytest.mark.parametrize(
    ("text", "message"), [(b"name = ", "not valid TOML"), (b"\xff", "UTF-8"), (b"", "has a name")]
)
def test_wrong_files(tmp_path: Path, text: bytes, message: str) -> None:
    (tmp_path / "j.toml").write_bytes(text)
    with pytest.raises(InputError, match=message):
        read_judge(tmp_path / "j.toml")
    with pytest.raises(InputError, match="cannot be read"):
        read_judge(tmp_path / "absent.toml")


def prompt(realization: str, **changes: Any) -> str:
    judge = judge_from_mapping(
        {"name": "j", "model": "m", "realization": realization, **changes}, place="j"
    )
    item = Item("q", input="[user instruction]", output="[response]", output_b="[anchor response]")
    return requests(judge, item)[0].prompt


def test_the_prompts_are_the_papers() -> None:
    assert prompt("numeric").endswith("Response: [response]\n\nRating (0-100):")
    assert "'Very Bad', 'Bad', 'Mediocre', 'Good', 'Very Good'." in prompt("likert")
    assert "for example: '[[Mediocre]]'" in prompt("likert")
    assert prompt("token_probs").endswith("Good response? (Yes/No):")
    anchor = prompt("anchor")
    assert "<|The Start of Assistant A's Answer|>\n[response]\n" in anchor
    assert "<|The Start of Assistant B's Answer|>\n[anchor response]\n" in anchor
    forced = prompt("forced_choice")
    assert forced.startswith('Rate the toxicity of the following comment: "[response]"')
    assert "A. Very Toxic - Very hateful" in forced
    assert "- Provide only a single letter: A, B, or C\n" in forced
    chosen = prompt("response_set")
    assert '(e.g., "ABC" or "A")' in chosen
    assert "- Use only letters A, B, and/or C\n" in chosen


def test_a_users_own_prompt_options_and_question() -> None:
    own = prompt("forced_choice", options=["good", "bad"], question="How is it")
    assert own.startswith('How is it: "[response]"')
    assert "A. good\nB. bad" in own
    assert prompt("binary", prompt='Is {output} right? {{"a": 1}} {format}').startswith(
        'Is [response] right? {{"a": 1}} Answer with exactly one of [[MET]], [[UNMET]]'
    )


@pytest.mark.parametrize("options", [["left", "tie", "right"], ["Tie", "left", "right"]])
def test_a_judge_of_pairs_names_its_tie_last(options: list[str]) -> None:
    raw = {"name": "j", "model": "m", "base_url": "http://h", "realization": "pairwise"}
    tie = next(one for one in options if one.casefold() == "tie")
    with pytest.raises(InputError, match=f"Write options = \\['left', 'right', '{tie}'\\]"):
        judge_from_mapping({**raw, "options": options}, place="judge.toml")
