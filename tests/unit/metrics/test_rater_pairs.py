"""Numbers over all pairs of raters, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from goldassay import metrics as m
from goldassay.errors import InputError
from goldassay.metrics import rater_pairs
from goldassay.results import Undefined


def test_the_mean_of_the_pairs_kappas() -> None:
    ratings = [[1, 0, 1, 1, 0], [1, 0, 0, 1, 0], [1, 1, 1, 1, 0]]
    pairs = [(0, 1), (0, 2), (1, 2)]
    kappas = [m.cohen_kappa(ratings[a], ratings[b]).value for a, b in pairs]
    assert m.mean_pairwise_kappa(ratings).value == pytest.approx(np.mean(kappas))
    constant = m.mean_pairwise_kappa([[1, 1, 1], [1, 1, 1]])
    assert constant == Undefined("mean_pairwise_kappa", "no two raters use more than one option", 3)


def test_judges_who_err_alike_are_worth_one() -> None:
    people = [1, 1, 1, 0, 0, 0]
    alike = [1, 1, 0, 0, 0, 1]
    assert m.effective_judges(people, [alike, alike, alike]).value == pytest.approx(1)
    # Errors on items 3, 6 and on items 1, 6: correlation 1/4, so 2 / (1 + 1/4).
    other = [0, 1, 1, 0, 0, 1]
    assert m.effective_judges(people, [alike, other]).value == pytest.approx(2 / 1.25)
    right = m.effective_judges(people, [people, people])
    assert isinstance(right, Undefined)


def test_judges_who_never_err_together_are_no_more_than_there_are() -> None:
    people = [1, 1, 1, 1]
    found = m.effective_judges(people, [[0, 1, 1, 1], [1, 0, 1, 1]], labels=[0, 1])
    assert found.value == 2


def test_a_reference_is_as_long_as_the_ratings() -> None:
    judges = [[1, 1, 0, 0], [1, 0, 0, 1]]
    for people in ([1, 1, 0], [1, 1, 0, 0, 1]):
        with pytest.raises(InputError, match="reference and ratings have one value for each item"):
            m.effective_judges(people, judges)


def test_of_many_pairs_as_many_tables_are_drawn_as_there_is_time_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Three raters make three pairs: 1,800 tables are 600 draws, and never fewer than 500."""
    rng = np.random.default_rng(4)
    ratings = rng.integers(0, 2, (3, 40))
    few = {n: m.mean_pairwise_kappa(ratings, draws=n).interval for n in (500, 600, 2000)}
    assert len({(one.low, one.high) for one in few.values()}) == 3
    monkeypatch.setattr(rater_pairs, "TABLES_DRAWN", 1_800)
    assert m.mean_pairwise_kappa(ratings, draws=2000).interval == few[600]
    monkeypatch.setattr(rater_pairs, "TABLES_DRAWN", 1_200)
    assert m.mean_pairwise_kappa(ratings, draws=2000).interval == few[500]


def test_what_no_pair_shows_is_not_averaged_out() -> None:
    """Raters more make pairs more, but no items: of like raters the interval is that of a pair."""
    one = [1] * 27 + [0] * 3
    two, five = (m.mean_pairwise_kappa([one] * raters).interval for raters in (2, 5))
    assert two is not None
    assert five is not None
    assert five.low == pytest.approx(two.low, abs=0.02)
