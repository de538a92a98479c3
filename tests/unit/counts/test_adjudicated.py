"""Resolutions: the reference of their units, apart from people's own ratings."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import goldassay as ga
from goldassay.counts import count_units, reference_weights
from goldassay.errors import InputError
from goldassay.ratings.table import read_ratings
from goldassay.ratings.task import Task

#: item, ann, ben, the resolution, the judge
ROWS = [
    ("a", "yes", "no", "no", "no"),
    ("b", "yes", "no", "yes", "yes"),
    ("c", "yes", "yes", None, "yes"),
    ("d", "no", "no", None, "no"),
    ("e", "no", "yes", None, "yes"),  # not resolved: a tied vote
]


def frame(rows: list[tuple[str, str, str, str | None, str]] = ROWS) -> pl.DataFrame:
    long = []
    for item, ann, ben, resolved, judge in rows:
        long += [(item, "ann", "human", ann), (item, "ben", "human", ben)]
        long.append((item, "gpt", "judge", judge))
        if resolved:  # ann resolves: her name is a person's and a reference's
            long.append((item, "ann", "reference", resolved))
    return pl.DataFrame(long, schema=["item", "rater", "kind", "value"], orient="row")


def task(reference: str) -> Task:
    return Task.from_mapping(
        {"scale": "binary", "options": ["yes", "no"], "positive": "yes", "reference": reference}
    )


def test_a_resolution_is_the_reference_and_no_persons_rating() -> None:
    units = count_units(read_ratings(frame(), task("adjudicated")))
    weights, _, state = reference_weights(units)
    # a is no, b and c yes, d no, e nothing: two of each, one without.
    assert (weights.T @ units.n).tolist() == [2.0, 2.0, 0.0]
    assert int(units.n[state == 2].sum()) == 1
    assert units.judge_names == ("gpt",)
    # People's ratings are their ten, whatever was resolved.
    assert (units.human * units.n[:, None]).sum() == 10
    assert np.isin(units.resolved, (-1, 0, 1)).all()


def test_agreement_of_judges_follows_it_and_that_of_people_does_not() -> None:
    resolved, votes = (
        ga.agree(frame(), task=task(rule), resamples=100) for rule in ("adjudicated", "majority")
    )
    # The judge says what was resolved of a and b, and what both say of c and d; e does not count.
    assert resolved["accuracy", "gpt"].value == 1.0
    assert resolved["accuracy", "gpt"].n_items == 4
    assert votes["accuracy", "gpt"].n_items == 2
    # ann and ben say the same of c and d, two of five.
    for found in (resolved, votes):
        assert found["human_observed_agreement"].value == pytest.approx(0.4)
    reasons = {one.reason: one.rows for one in resolved.exclusions}
    assert reasons["a resolution where people differ, used as the reference"] == 2
    assert resolved.rows_read == 17  # ten of people, five of the judge, two resolutions


def test_without_the_declaration_it_is_kept_apart() -> None:
    ratings = read_ratings(frame(), task("majority"))
    assert (ratings.humans, ratings.judges, ratings.resolved) == (("ann", "ben"), ("gpt",), None)
    assert sum(one.rows for one in ratings.exclusions) == 2


def test_a_unit_has_one_resolution() -> None:
    twice = pl.concat(
        [
            frame(),
            pl.DataFrame(
                [("a", "ben", "reference", "yes")],
                schema=["item", "rater", "kind", "value"],
                orient="row",
            ),
        ]
    )
    with pytest.raises(InputError, match="must have one row of kind reference"):
        count_units(read_ratings(twice, task("adjudicated")))
