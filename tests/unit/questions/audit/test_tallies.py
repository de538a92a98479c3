"""Sums over clusters of few pairs of vectors are those over their items, one by one."""

from __future__ import annotations

import numpy as np
import pytest

from goldassay.formulas.distributions import downstream, table_1
from goldassay.formulas.rating_vectors import Reading, Side, normalised
from goldassay.questions.audit import evaluate
from goldassay.questions.audit.tallies import choices_tallied, tallied

JUDGES, CLUSTERS, EACH = 3, 5, 40


def drawn() -> tuple[Side, Side, np.ndarray]:
    """Judges of three options that sometimes say nothing, and two people an item, or nobody."""
    rng = np.random.default_rng(7)
    units = CLUSTERS * EACH
    verdict = np.eye(3)[rng.integers(0, 3, (JUDGES, units))]
    verdict[rng.random((JUDGES, units)) < 0.1] = 0.0
    people = rng.multinomial(2, [0.6, 0.4, 0.0], units) * (rng.random(units) < 0.9)[:, None]
    reading = Reading(np.eye(3), counted=(0, 1))
    judge = reading.made(normalised(verdict), lambda rows: normalised(verdict) @ rows.T)
    human = reading.made(normalised(people), lambda rows: normalised(people) @ rows.T)
    return judge, human, rng.permutation(np.repeat(np.arange(CLUSTERS), EACH))


def test_the_tally_has_every_item_once() -> None:
    judge, human, cluster = drawn()
    tally = tallied(judge, human, cluster, CLUSTERS)
    assert tally is not None
    assert (tally.number.sum(-1) == EACH).all()
    assert tally.number.shape[-1] == 4 * 4  # three options or nothing; two, both or nobody


def test_sums_are_those_of_the_items(monkeypatch: pytest.MonkeyPatch) -> None:
    judge, human, cluster = drawn()
    pairs = (("h", "h"), ("s", "s"), ("srs", "srs"))
    definitions = table_1(smoothing=0.0) + downstream((0, 1), "two", (0.5,), pairs)
    times = np.array([1, 2, 1, 3, 1])
    weights = np.random.default_rng(1).multinomial(8, times / 8, 6).astype(np.float64)
    few = evaluate.columns(definitions, judge, human, cluster, times)
    monkeypatch.setattr(evaluate, "tallied", lambda *_: None)
    each = evaluate.columns(definitions, judge, human, cluster, times)
    assert (each.infinite > 0).any()
    np.testing.assert_array_equal(few.infinite, each.infinite)
    for some in (None, weights):
        one, two = (evaluate.values(definitions, found, some) for found in (few, each))
        assert np.isfinite(two).any()
        np.testing.assert_allclose(one, two, rtol=0, atol=1e-12)


def test_what_drawn_panels_choose_is_tallied(monkeypatch: pytest.MonkeyPatch) -> None:
    judge, _, cluster = drawn()
    rng = np.random.default_rng(3)
    shares = rng.dirichlet(np.ones(3), (2, JUDGES, len(cluster)))
    shares[:, :, rng.random(len(cluster)) < 0.1] = np.nan
    pairs = (("h", "h"), ("s", "s"), ("srs", "srs"))
    definitions = table_1(smoothing=0.01) + downstream((0,), "one", (0.5,), pairs)
    definitions = (*definitions, *table_1(smoothing=0.0))  # some are infinite
    times = np.array([1, 2, 1, 3, 1])
    weights = rng.multinomial(8, times / 8, (2, 6)).astype(np.float64)
    chosen = Side(shares, shares)
    tally = choices_tallied(judge, chosen, cluster, CLUSTERS)
    assert tally is not None
    assert tally.number.shape[:3] == (2, JUDGES, CLUSTERS)
    assert (tally.number.sum(-1) == EACH).all()
    few = evaluate.columns(definitions, judge, Side(shares, shares), cluster, times)
    monkeypatch.setattr(evaluate, "choices_tallied", lambda *_: None)
    each = evaluate.columns(definitions, judge, Side(shares, shares), cluster, times)
    assert (each.infinite > 0).any()
    np.testing.assert_array_equal(few.infinite, each.infinite)
    for some in (None, weights):
        one, two = (evaluate.values(definitions, found, some) for found in (few, each))
        assert np.isfinite(two).any()
        np.testing.assert_allclose(one, two, rtol=0, atol=1e-12)


def test_items_of_their_own_and_many_vectors_are_not_tallied() -> None:
    judge, human, cluster = drawn()
    units = len(cluster)
    assert tallied(judge, human, np.arange(units), units) is None
    soft = np.random.default_rng(2).dirichlet(np.ones(3), (JUDGES, units))
    assert tallied(Side(soft, soft), human, cluster, CLUSTERS) is None
