"""Every question of studies that are too small for it: an answer, a reason, or a refusal."""

from __future__ import annotations

import json
import math
import warnings
from inspect import signature
from typing import Any

import pytest
from tiny_studies import VERBS, TinyStudy, tiny_study

import goldassay as ga
from goldassay import Findings, InputError

#: Studies of the short form, and of the long one.
SHORT, LONG = 12, 3_000
#: Studies that once ended in a fault.
FAILED = (3018, 3021, 3022, 3121, 6005)


def asked(study: TinyStudy, verb: str, options: dict[str, Any]) -> Findings | None:
    """What a verb says of a study; None where it refuses it with a message."""
    ask = getattr(ga, verb)
    known = {"resamples": 50} if "resamples" in signature(ask).parameters else {}
    try:
        return ask(study.frame, study.task, **known, **options)
    except InputError:
        return None


def hold(document: dict[str, Any]) -> None:
    """What is true of every document."""
    json.dumps(document, allow_nan=False)
    rows = document.get("rows")
    if rows is not None:
        left = sum(one["rows"] for one in document["exclusions"])
        assert rows["read"] == rows["used"] + left, rows
    for row in document["results"]:
        value, low, high = (row.get(name) for name in ("value", "low", "high"))
        assert (value is None) == bool(row.get("undefined")), row
        if value is None:
            continue
        assert math.isfinite(value), row
        if low is not None and high is not None:
            assert low <= value + 1e-9, row
            assert value <= high + 1e-9, row


def every_question(number: int) -> None:
    study = tiny_study(number)
    for verb, variants in VERBS.items():
        for options in variants:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                found = asked(study, verb, options)
            if found is not None:
                hold(found.document())
                assert str(found)


@pytest.mark.parametrize("number", [*FAILED, *range(SHORT)])
def test_small_studies_end_in_an_answer_or_a_refusal(number: int) -> None:
    every_question(number)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(20))
def test_thousands_of_small_studies(part: int) -> None:
    for number in range(SHORT + part, LONG, 20):
        every_question(number)
