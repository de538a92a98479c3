"""Intervals of the audit with k of 123 raters cover what all 123 say (DICES-350)."""

from __future__ import annotations

import numpy as np
import pytest
from published_ratings import OPTIONS, dices_350

from karat.counts import Distributions
from karat.indeterminacy.bounds import bounds
from karat.indeterminacy.metrics import downstream, table_1
from karat.indeterminacy.study import prepare
from karat.task import Task

TASK = Task(scale="nominal", options=OPTIONS, positive="Yes", reference_ties="first")
PANELS = (1, 3, 5, 10, 20)
DEFINITIONS = table_1(smoothing=0.02) + downstream(1, "Yes", (0.5,), (("s", "s"), ("h", "h")))


def judges(counts: np.ndarray, expert: np.ndarray) -> np.ndarray:
    """The expert, a judge close to the people's distribution, and one that guesses."""
    rng = np.random.default_rng(1)
    shares = counts / counts.sum(-1, keepdims=True)
    close = 0.4 * rng.dirichlet(np.full(3, 2.0), len(counts)) + 0.6 * shares
    guess = rng.dirichlet([3.0, 2.0, 1.0], len(counts))
    return np.stack([expert, close, guess])


def distributions(human: np.ndarray, judge: np.ndarray) -> Distributions:
    items = len(human)
    return Distributions(
        options=OPTIONS, sets=TASK.sets, items=tuple(map(str, range(items))),
        cluster=np.arange(items), n_clusters=items, judges=("expert", "close", "guess"),
        human_forced=human, human_sets=np.zeros((items, 7)), judge_forced=judge,
        judge_sets=np.zeros((len(judge), items, 7)), groups={}, exclusions=(), rows=0,
    )  # fmt: skip


def coverage(k: int, repetitions: int, *, resamples: int, draws: int = 10) -> np.ndarray:
    """Share of subsamples of k raters whose interval holds the value of all raters, (D, J)."""
    counts, expert = dices_350()
    judge = judges(counts, expert)
    whole = prepare(distributions(counts, judge), TASK)
    truth = bounds(whole, DEFINITIONS, resamples=100, seed=0, panel_draws=0).value
    rng = np.random.default_rng(0)
    covered = []
    for repetition in range(repetitions):
        few = rng.multivariate_hypergeometric
        human = np.array([few(row.astype(int), k) for row in counts], dtype=float)
        study = prepare(distributions(human, judge), TASK)
        found = bounds(study, DEFINITIONS, resamples=resamples, seed=repetition, panel_draws=draws)
        inside = (found.low <= truth + 1e-12) & (truth <= found.high + 1e-12)
        covered.append(np.where(np.isnan(truth), np.nan, inside))
    return np.mean(covered, axis=0)


def test_three_raters_quickly() -> None:
    found = coverage(3, 4, resamples=200, draws=5)
    assert np.nanmean(found) > 0.95


def test_the_plain_bootstrap_would_not_do() -> None:
    found = coverage(3, 8, resamples=200, draws=0)
    label = [one.label for one in DEFINITIONS]
    assert np.nanmax(found[label.index("jensen_shannon s/s")]) < 0.5
    assert np.nanmax(found[label.index("mean_squared_error s/s")]) < 0.5


@pytest.mark.slow
@pytest.mark.parametrize("k", PANELS)
def test_k_raters(k: int) -> None:
    found = coverage(k, 200, resamples=400)
    least = np.unravel_index(np.nanargmin(found), found.shape)
    assert np.nanmin(found) >= 0.93, (DEFINITIONS[int(least[0])].label, int(least[1]))
