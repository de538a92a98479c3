"""MT-Bench's judgments: `<judge>_single.jsonl`, `<judge>_pair.jsonl`, and the human judgments.

Read as written by FastChat 0.2.36's `gen_judgment.py`, and as of the published human judgments
(`model_a`, `model_b`, `winner`; JSON lines or Parquet). A turn of a question is an item, with the
question as its prompt. A single grade of -1 was not found in the judge's answer: invalid. A pair is
judged in both orders: two ratings, "first" meaning that the system (model_1) won.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from goldassay.sources.logs.parts import (
    Judge,
    LeftOut,
    Part,
    Rating,
    Reading,
    Text,
    as_number,
    as_text,
    failed,
    invalid,
    reading,
    tags,
)
from goldassay.sources.logs.reading import LogFile

__all__ = ["ratings", "recognises"]

API_ERROR = "$ERROR$"
WINNERS = {
    "model_1": "first",
    "model_a": "first",
    "model_2": "second",
    "model_b": "second",
    "tie": "tie",
    "tie (inconsistent)": "tie",
}
#: How the published people are called.
PEOPLE = ("expert_", "author_", "human", "arena_user")


def recognises(log: LogFile) -> bool:
    keys = set(log.first)
    return {"question_id", "judge"} <= keys and (
        {"model", "score"} <= keys
        or {"model_1", "model_2", "g1_winner"} <= keys
        or {"model_a", "model_b", "winner"} <= keys
    )


def ratings(log: LogFile) -> Iterator[Part]:
    for one in log.records():
        if isinstance(one, LeftOut):
            yield one
            continue
        if one.get("question_id") is None:
            yield LeftOut("a judgment of no question")
            continue
        judge = one.get("judge")
        if isinstance(judge, list) and len(judge) == 2:
            model, template = map(as_text, judge)
            yield Judge(rater=_about(one)["rater"], model=model, prompt=template)
        if "winner" in one:
            yield from _published(one)
        elif "g1_winner" in one:
            yield from _pair(one)
        else:
            yield _single(one)


def _single(one: Mapping[str, Any]) -> Rating:
    score, raw = as_number(one.get("score")), as_text(one.get("judgment"))
    if raw == API_ERROR:
        read = failed("the judge gave no answer")
    elif score is None or score < 0:
        read = invalid("no grade in the judge's answer (recorded as -1)")
    else:
        read = reading(score)
    return Rating(
        **_about(one), system=as_text(one.get("model")), **read._asdict(), score=score, raw=raw
    )


def _pair(one: Mapping[str, Any]) -> Iterator[Rating]:
    games = (("g1", "system_first"), ("g2", "opponent_first"))
    graded = "m1_score" in one  # two single grades compared: there is no order
    for game, order in games[: 1 if graded else 2]:
        raw = as_text(one.get(f"{game}_judgment"))
        read = _winner(one.get(f"{game}_winner"), raw)
        yield Rating(
            **_about(one),
            system=as_text(one.get("model_1")),
            opponent=as_text(one.get("model_2")),
            order=None if graded else order,
            **read._asdict(),
            raw=raw,
        )


def _published(one: Mapping[str, Any]) -> Iterator[Part]:
    read = _winner(one.get("winner"), None)
    about = _about(one)
    pair: dict[str, Any] = {
        "system": as_text(one.get("model_a")),
        "opponent": as_text(one.get("model_b")),
    }
    first, second = one.get("conversation_a"), one.get("conversation_b")
    if first is not None:
        yield Text(
            item=about["item"],
            prompt=about["prompt"],
            **pair,
            output=as_text(first),
            output_b=as_text(second),
        )
    yield Rating(**about, **pair, **read._asdict())


def _winner(winner: Any, raw: str | None) -> Reading:
    if raw == API_ERROR:
        return failed("the judge gave no answer")
    value = WINNERS.get(str(winner).casefold())
    return reading(value) if value else invalid(f"no winner in the judge's answer ({winner})")


def _about(one: Mapping[str, Any]) -> dict[str, Any]:
    question, turn = str(one["question_id"]), as_text(one.get("turn"))
    judge = one.get("judge")
    if isinstance(judge, list | tuple):
        name, *template = map(str, judge or ("judge",))
        rater = f"{name} ({', '.join(template)})" if template else name
    else:
        rater = str(judge)
    person = rater.startswith(PEOPLE)
    return {
        "item": f"{question} turn {turn}" if turn else question,
        "prompt": question,
        "rater": rater,
        "kind": "human" if person else "judge",
        "rater_type": "human" if person else "llm",
        "time": as_text(one.get("tstamp")),
        "tags": tags({n: v for n, v in one.items() if n not in _OWN and n[:3] not in _GAMES}),
    }


#: What a judgment says of itself; every other short field is told beside it (`category`).
_OWN = frozenset(
    [
        *("question_id", "model", "judge", "user_prompt", "judgment", "score", "tstamp", "winner"),
        *("model_1", "model_2", "model_a", "model_b", "conversation_a", "conversation_b", "error"),
        *("m1_score", "m2_score", "turn"),
    ]
)
_GAMES = ("g1_", "g2_")
