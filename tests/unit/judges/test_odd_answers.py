"""One odd answer never ends a run: it is that call's, and what was paid for is kept."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from raw_endpoint import raw_endpoint
from small_runs import judge, ratings, run

from goldassay.judges.calls import Call
from goldassay.judges.journal import Journal
from goldassay.judges.parsing import PARSER
from goldassay.judges.realizations.registry import REALIZATIONS
from goldassay.judges.realizations.worded import LIKERT
from goldassay.judges.responses import FailureError
from goldassay.judges.run import Outcome
from goldassay.judges.spec import Judge
from goldassay.judges.verdicts import Format, Verdict

N = 12
ODD_ONE = 5


def completion(**changes: Any) -> dict[str, Any]:
    message = {"role": "assistant", "content": "[[Good]]"}
    return {
        "model": "m",
        "choices": [{"message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 3},
        **changes,
    }


def choice(**changes: Any) -> dict[str, Any]:
    return {"choices": [{**completion()["choices"][0], **changes}]}


def usage(number: str) -> str:
    """A completion whose number of tokens is written as it is given."""
    return json.dumps(completion()).replace('"prompt_tokens": 10', f'"prompt_tokens": {number}')


#: Bodies that hold a good answer and something that no store and no float can hold.
ODD = {
    "tokens of 31 digits": usage("1" + "0" * 30),
    "tokens of 5,001 digits": usage("1" + "0" * 5000),
    "tokens below 0": usage("-5"),
    "tokens in words": usage('"ten"'),
    "infinite tokens": usage("1e999"),
    "no number of tokens": usage("NaN"),
    "usage is a list": json.dumps(completion(usage=[1, 2])),
    "half a character in the model": json.dumps(completion(model="m\ud800")),
    "a model of a megabyte": json.dumps(completion(model="m" * 2**20)),
    "a model that is a table": json.dumps(completion(model={"a": 1})),
    "a finish that is a list": json.dumps(completion(**choice(finish_reason=["stop"]))),
    "a refusal that is a number": json.dumps(
        completion(**choice(message={"content": "[[Good]]", "refusal": 1}))
    ),
    "parts that are numbers": json.dumps(
        completion(**choice(message={"content": [1, None, {"text": "[[Good]]"}]}))
    ),
    "a log-probability of 401 digits": json.dumps(
        completion(
            **choice(logprobs={"content": [{"top_logprobs": [{"token": "a", "logprob": 10**400}]}]})
        )
    ),
    "log-probabilities of no kind": json.dumps(
        completion(**choice(logprobs={"content": [{"top_logprobs": ["a", {"token": []}]}, 3]}))
    ),
    "a mark of the byte order": "\ufeff" + json.dumps(completion()),
    "line breaks as they are": json.dumps(
        completion(**choice(message={"content": "one\ttwo\n[[Good]]"}))
    )
    .replace("\\n", "\n")
    .replace("\\t", "\t"),
    "half a character beside the verdict": json.dumps(
        completion(**choice(message={"content": "[[Good]]\n\ud83d"}))
    ),
}


def run_odd(folder: Path, body: str, **changes: Any) -> Outcome:
    """A run in which one answer of many has this body."""

    def answer(number: int) -> Any:
        text = body if number == ODD_ONE else json.dumps(completion())
        return 200, {}, iter([text.encode("utf-8", "surrogatepass")])

    with raw_endpoint(answer) as (url, _):
        one = judge(folder, model="m", base_url=url, realization="likert", **changes)
        return run(folder, one, N)


def calls(folder: Path) -> list[Any]:
    store = sqlite3.connect(folder / "r.db")
    rows = store.execute("SELECT response, failure, model, prompt_tokens FROM calls").fetchall()
    store.close()
    return rows


@pytest.mark.parametrize("body", ODD.values(), ids=ODD)
def test_an_odd_value_is_dropped_and_the_answer_kept(tmp_path: Path, body: str) -> None:
    outcome = run_odd(tmp_path, body)
    assert outcome.reason == "complete"
    assert outcome.tallies[0].statuses == {"rated": N}
    kept = calls(tmp_path)
    assert len(kept) == N
    assert all(failure is None for _, failure, *_ in kept)
    assert body in {response for response, *_ in kept}
    assert all(len(model or "") <= 200 for *_, model, _ in kept)


def test_a_number_of_tokens_that_cannot_be_is_unknown(tmp_path: Path) -> None:
    run_odd(tmp_path, ODD["tokens of 31 digits"], price=[1, 1])
    assert sorted(tokens or 0 for *_, tokens in calls(tmp_path)) == [0] + [10] * (N - 1)
    assert [cost for (cost,) in ratings(tmp_path, "cost")].count(None) == 1


@pytest.mark.parametrize("wrong", [OverflowError, RecursionError, KeyError, MemoryError])
def test_an_answer_that_the_parser_chokes_on_is_invalid_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: type[Exception]
) -> None:
    def read(form: Any, words: Any, text: str, cut: bool) -> Verdict:
        if "odd" in text:
            raise wrong
        return LIKERT.read(form, words, text, cut)

    monkeypatch.setitem(REALIZATIONS, "likert", replace(LIKERT, read=read))  # type: ignore[misc]
    body = json.dumps(completion(**choice(message={"content": "odd [[Good]]"})))
    outcome = run_odd(tmp_path, body)
    assert outcome.tallies[0].statuses == {"rated": N - 1, "invalid": 1}
    assert body in {response for response, *_ in calls(tmp_path)}
    reasons = {row[4] for row in ratings(tmp_path)}
    assert f"the answer could not be read ({wrong.__name__})" in reasons


def test_a_body_that_its_protocol_chokes_on_is_invalid_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def chokes(logprobs: Any) -> None:
        if logprobs:
            raise ZeroDivisionError

    monkeypatch.setattr("goldassay.judges.clients.openai._alternatives", chokes)
    body = json.dumps(completion(**choice(logprobs={"content": []})))
    outcome = run_odd(tmp_path, body)
    assert outcome.tallies[0].statuses == {"rated": N - 1, "invalid": 1}
    assert body in {response for response, *_ in calls(tmp_path)}


def test_a_client_that_crashes_fails_one_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from goldassay.judges.clients.openai import OpenAIClient

    real, asked = OpenAIClient.ask, []

    async def ask(self: OpenAIClient, request: Any) -> str:
        asked.append(request.key)
        if len(asked) == ODD_ONE:
            raise ZeroDivisionError("the key is secret")
        return await real(self, request)

    monkeypatch.setattr(OpenAIClient, "ask", ask)
    outcome = run_odd(tmp_path, json.dumps(completion()))
    assert outcome.tallies[0].statuses == {"rated": N - 1, "failed": 1}
    assert outcome.tallies[0].examples == {"crash": "crash: ZeroDivisionError"}


def test_a_call_that_cannot_be_stored_is_stored_without_what_came_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("goldassay.judges.clients.openai.count", lambda value: value)
    body = ODD["tokens of 31 digits"].replace("1" + "0" * 30, str(2**63))  # an int still
    monkeypatch.setattr("goldassay.judges.responses._integer", int)
    outcome = run_odd(tmp_path, body)
    assert outcome.tallies[0].statuses == {"rated": N - 1, "invalid": 1}
    assert body in {response for response, *_ in calls(tmp_path)}
    assert "the call could not be stored (OverflowError)" in {row[4] for row in ratings(tmp_path)}


# --- the journal: one call's fault is not its neighbours'


def test_what_one_call_does_is_undone_alone(tmp_path: Path) -> None:
    one = Judge(name="j", model="m", realization="likert")

    def call(key: str, tokens: int) -> Call:
        form = Format(realization="likert")
        verdicts = {"": Verdict("rated", "Good")}
        return Call(key=key, judge="j", form=form, verdicts=verdicts, prompt_tokens=tokens)

    async def main() -> list[Any]:
        journal = Journal(tmp_path / "r.db", [one])
        journal.start()
        group = [journal.record(call(f"k{i}", 2**70 if i == 3 else 5)) for i in range(8)]
        found = await asyncio.gather(*group, return_exceptions=True)
        journal.close("complete")
        return found

    found = asyncio.run(main())
    assert [type(one) for one in found].count(OverflowError) == 1
    store = sqlite3.connect(tmp_path / "r.db")
    keys = {key for (key,) in store.execute("SELECT key FROM verdicts WHERE parser = ?", [PARSER])}
    store.close()
    assert keys == {f"k{i}" for i in range(8) if i != 3}


def test_a_failure_can_always_be_stored() -> None:
    told = str(FailureError("garbage", "\ud800" + "x" * 10_000))
    told.encode()
    assert len(told) < 400


# --- judges on this machine


FUNCTION = """
import asyncio, sys
def rate(item):
    number = item["item"]
    if number == "q0": return 10**400
    if number == "q1": return {"value": 1, "reason": "half \\ud83d a character"}
    if number == "q2": return {"value": 2, "reason": "x" * 10**6}
    if number == "q3": return {1, 2}
    if number == "q4": sys.exit(3)
    if number == "q5": raise MemoryError
    if number == "q6": return {"score": float("-inf")}
    if number == "q7": return "x" * (17 * 2**20)
    if number == "q8":
        nested = []
        for _ in range(100_000): nested = [nested]
        return nested
    if number == "q9": raise asyncio.CancelledError
    return 3
"""


def test_a_function_that_gives_anything_at_all(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(FUNCTION)
    outcome = run(tmp_path, judge(tmp_path, callable="mine.py:rate", concurrency=2), 14)
    assert outcome.reason == "complete"
    found = {item: (status, value) for item, value, _, status, _ in ratings(tmp_path)}
    failed = {f"q{i}": ("failed", None) for i in (3, 4, 5, 7, 8, 9)}
    invalid = {f"q{i}": ("invalid", None) for i in (0, 6)}
    fine = {"q1": ("rated", "1"), "q2": ("rated", "2")}
    fine |= {f"q{i}": ("rated", "3") for i in range(10, 14)}
    assert found == failed | invalid | fine
    assert max(len(row[4] or "") for row in ratings(tmp_path)) <= 2000
