"""Passports of random studies: the same bytes, read as written, and a standing that is true."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from internals import (
    FIELDS,
    Expiry,
    Identity,
    Now,
    Passport,
    digest_of,
    passport_of,
    standing,
    standing_said,
)
from patience import seldom
from random_studies import random_study
from sentence_truth import wrong_forms

import goldassay as ga
from goldassay import Findings, InputError

WHO = {f"judge {k}": {"model": f"m-{k}", "prompt": "Is it right?"} for k in range(4)}
FEWEST = {"resamples": 60, "date": "2026-01-31"}


def certified(number: int) -> tuple[pl.DataFrame, Findings] | None:
    study = random_study(number)
    try:
        return study.frame, ga.certify(
            study.frame, study.task, judge="judge 0", judges=WHO, **FEWEST
        )
    except InputError:  # nothing to hold the judge against
        return None


@pytest.mark.parametrize("number", seldom(range(10), 0, 2, 4, 5))
def test_a_passport_of_any_study(number: int) -> None:
    made = certified(number)
    if made is None:
        return
    frame, found = made
    document = json.loads(found.to_json())
    assert document["passport"]["digest"] == digest_of(document)
    read = passport_of(document)
    assert json.loads(json.dumps(read.to_json())) == document["passport"]
    assert len(found.answer) <= 3
    assert not list(wrong_forms(found))
    # Rows in another order are the same study.
    if number % 5 == 0:
        turned = ga.certify(
            frame.reverse(), random_study(number).task, judge="judge 0", judges=WHO, **FEWEST
        )
        assert turned.more["passport"]["errors"] == found.more["passport"]["errors"]
    if not read.errors or any(one.reason for one in read.errors):
        with pytest.raises(InputError, match=f"^{read.name}: "):
            ga.estimate(frame, passport=read, judges=WHO)
        return
    rate = ga.estimate(frame, passport=read, judges=WHO)
    assert rate.more["standing"]["standing"] == "fresh"
    assert len(rate.answer) <= 3
    assert not list(wrong_forms(rate))


# --- hostile passports ----------------------------------------------------------------------------

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
ANYTHING = st.sampled_from(
    [
        None,
        True,
        -1,
        0,
        1e308,
        float("inf"),
        "",
        "x",
        "2026-01-31",
        [],
        [[]],
        {},
        {"a": 1},
        [1, [2]],
    ]
)


@cache
def of_a_judge() -> str:
    table, task = GOLDEN / "ratings.csv", GOLDEN / "task.toml"
    return ga.certify(table, task, judge="balanced", **FEWEST).to_json()


def places(node: Any) -> list[tuple[Any, Any]]:
    """Every container of a document with each of its keys."""
    pairs = list(node.items()) if isinstance(node, dict) else list(enumerate(node))
    found = [(node, key) for key, _ in pairs]
    for _, one in pairs:
        found += places(one) if isinstance(one, dict | list) else []
    return found


@given(st.data())
def test_a_passport_that_is_wrong_anywhere_is_read_or_refused(data: st.DataObject) -> None:
    """One value changed and the digest made anew: an answer or one message, never a crash."""
    document = json.loads(of_a_judge())
    where = places(document["passport"])
    node, key = where[data.draw(st.integers(0, len(where) - 1))]
    node[key] = data.draw(ANYTHING)
    document["passport"]["digest"] = digest_of(document)
    with contextlib.suppress(InputError):
        read = passport_of(document)
        rows = {
            "item": ["a", "b"],
            "rater": ["gpt"] * 2,
            "kind": ["judge"] * 2,
            "value": ["yes", "no"],
        }
        ga.estimate(pl.DataFrame(rows), passport=read)


# --- the standing, told by another program --------------------------------------------------------

VALUES = st.sampled_from(["", "a", "b", "sha256:1"])
WHOEVER = st.fixed_dictionaries(dict.fromkeys(FIELDS, VALUES))
DAYS = st.sampled_from(["2026-01-31", "2026-02-01", "2027-12-31"])


def naive(was: Mapping[str, str], now: Mapping[str, str], over: bool) -> str:
    """The word, from the table in the docs."""
    compared = [name for name in FIELDS if name not in ("family", "size")]
    if any(was[f] and now[f] and was[f] != now[f] for f in compared):
        return "stale"
    if over:
        return "expired"
    if any(was[f] and not now[f] for f in compared):
        return "unknown"
    enough = (was["model"] and was["prompt"]) or was["source"].startswith("sha256:")
    return "fresh" if enough else "unknown"


@given(WHOEVER, WHOEVER, DAYS, st.sampled_from([None, "2026-01-31"]), st.integers(0, 20))
def test_the_standing_is_true_and_says_what_changed(
    was: dict[str, str], now: dict[str, str], day: str, until: str | None, verdicts: int
) -> None:
    passport = Passport(
        judge="gpt",
        identity=Identity({k: v for k, v in was.items() if v}),
        task={},
        population=None,
        date="2026-01-01",
        expires=Expiry(until, 10),
        errors=(),
    )
    here = Identity({k: v for k, v in now.items() if v})
    stands = standing(passport, Now("gpt", here, verdicts=verdicts, date=day))
    over = (until is not None and day > until) or verdicts > 10
    assert stands.word == naive(was, now, over)
    said = standing_said(stands)
    assert stands.word in said.text
    assert said.facts["standing"] == stands.word
    for change in stands.changes:
        assert f"{change.field} is `{now[change.field]}`, was `{was[change.field]}`" in said.text
    assert ("expired" in said.text) == over
    others = {"fresh", "stale", "expired", "unknown"} - {stands.word, "expired"}
    assert not any(f"is {word}" in said.text for word in others)
