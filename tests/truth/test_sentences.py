"""Every sentence is true: its facts, its numbers, its comparisons, and beside every other one.

Random studies cross all scales, clusters, ways to handle what is no verdict, repeats, people,
systems and weights; each fact of each sentence is computed again from their rows by a program that
shares nothing with goldassay (`naive_ratings`). `sentence_truth` says what makes a sentence true.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import polars as pl
import pytest
from asked_studies import FEWEST, SLOW_FROM, SLOW_UNTIL, asked, of_studies
from naive_ratings import NaiveStudy
from random_studies import random_study
from sentence_truth import (
    MIN_ITEMS,
    Told,
    contradictions,
    sentences_of,
    wrong_comparisons,
    wrong_facts,
    wrong_forms,
    wrong_numbers,
)

import goldassay as ga
from goldassay import Findings, InputError

#: Question -> its options and how often it is asked: an audit and a report are slow.
QUESTIONS: Mapping[str, tuple[Mapping[str, Any], int]] = {
    "check": ({}, 1),
    "agree": (FEWEST, 1),
    "select": (FEWEST, 1),
    "estimate": ({}, 1),
    "compare": ({}, 1),
    "plan": ({}, 4),
    "rank": (FEWEST, 1),
    "replace": ({"min_items": MIN_ITEMS}, 1),
    "route": ({}, 1),
    "audit": (FEWEST, 4),
    "report": (FEWEST, 4),
}


def told_of(number: int) -> Told:
    """All that the questions say of a random study; a report rests on every other question."""
    study = random_study(number)
    answers = {
        verb: asked(number, verb, **options)
        for verb, (options, every) in QUESTIONS.items()
        if number % every == 0
    }
    found = {verb: one for verb, one in answers.items() if isinstance(one, Findings)}
    refused = {verb: str(one) for verb, one in answers.items() if isinstance(one, InputError)}
    return Told(NaiveStudy(study.frame.to_dicts(), study.task), found, refused)


def untruths(told: Told) -> Iterator[str]:
    for found in told.found.values():
        yield from wrong_forms(found)
        for said in sentences_of(found):
            yield from wrong_facts(told, said)
            yield from wrong_numbers(told, said)
            yield from wrong_comparisons(told, said)
    yield from contradictions(told)


@pytest.mark.parametrize(
    "first", [pytest.param(k, marks=of_studies(k)) for k in range(0, SLOW_FROM, 10)]
)
def test_every_sentence_is_true(first: int) -> None:
    wrong = [f"{n}: {one}" for n in range(first, first + 10) for one in untruths(told_of(n))]
    assert not wrong, "\n".join(wrong)


def test_juries_and_slices_are_as_the_rows_have_them() -> None:
    """What is asked for besides: judges taken together, and the ranking within a column."""
    seen, wrong = set(), []
    for number in range(SLOW_FROM):
        study = random_study(number)
        frame = study.frame.with_columns(
            half=pl.col("item").str.slice(1).cast(pl.Int64) % 2 == 0
        ).cast(pl.String)
        naive = NaiveStudy(frame.to_dicts(), study.task)
        if study.task["scale"] == "pairwise" or len(naive.judges) < 2:
            continue
        try:
            ratings = ga.read_ratings(frame, ga.Task.from_mapping(study.task))
            found = ga.rank(ratings, jury=["all"], by=["half"], aggregation=["mean"], **FEWEST)
        except InputError:
            continue  # a table without systems
        told = Told(naive, {"rank": found})
        for said in sentences_of(found):
            if said.key in ("rank.jury", "rank.slices"):
                seen.add(said.key)
                parts = (wrong_facts, wrong_numbers, wrong_comparisons)
                wrong += [f"{number}: {one}" for part in parts for one in part(told, said)]
    assert seen == {"rank.jury", "rank.slices"}
    assert not wrong, "\n".join(wrong)


@pytest.mark.slow
@pytest.mark.parametrize(
    "first", [pytest.param(k, marks=of_studies(k)) for k in range(SLOW_FROM, SLOW_UNTIL, 10)]
)
def test_every_sentence_of_many_studies_is_true(first: int) -> None:
    wrong = [f"{n}: {one}" for n in range(first, first + 10) for one in untruths(told_of(n))]
    assert not wrong, "\n".join(wrong)
