"""Paired uncertainty over several judges: draws of all their tables at once, and what they say.

Judges are scored on the same items, so their scores go up and down together; comparing them one by
one throws that away. Every draw here changes the items for all judges at once.

- One decision per cluster: a posterior. Patterns of verdicts seen on the items get gamma weights
  (the Bayesian bootstrap), and a Dirichlet-process prior adds, to each reference class, the weight of
  two items on which every judge's verdict is drawn evenly. For any pair of judges that is a Dirichlet
  posterior with 1/2 in each of the four cells of a binary task, so that two judges that never
  differed are not said to be equal for certain.
- Clusters of several decisions: the cluster bootstrap, all judges in the same resample.

References: Ferguson, "A Bayesian analysis of some nonparametric problems" (1973); Westfall and Young,
"Resampling-Based Multiple Testing" (1993), for the joint critical value.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

__all__ = ["Comparison", "compare", "items_needed", "posterior_tables", "probability_best"]

Array = NDArray[np.float64]

#: Weight, in items, that the prior adds to each reference class.
PRIOR_ITEMS = 2.0
#: Atoms by which the prior's part of a draw is approximated.
PRIOR_ATOMS = 16


def posterior_tables(
    counts: Array,
    multiplicity: NDArray[np.int64],
    *,
    draws: int,
    rng: np.random.Generator,
    prior_items: float = PRIOR_ITEMS,
) -> Array:
    """Draws [B, J, R, V] of all judges' tables from patterns `counts` [C, J, R, V].

    A pattern stands for `multiplicity` items, each of which has one reference and at most one
    verdict per judge. Tables are on the scale of the number of items.
    """
    patterns, judges, references, verdicts = counts.shape
    weights = rng.standard_gamma(multiplicity.astype(float), (draws, patterns))
    seen = (weights @ counts.reshape(patterns, -1)).reshape(draws, judges, references, verdicts)
    tables = np.zeros_like(seen)
    judge = np.arange(judges)
    draw = np.arange(draws)[:, None]
    for reference in range(references):
        mass = rng.standard_gamma(prior_items / PRIOR_ATOMS, (draws, PRIOR_ATOMS))
        verdict = rng.integers(verdicts, size=(PRIOR_ATOMS, draws, judges))
        for atom in range(PRIOR_ATOMS):
            tables[draw, judge, reference, verdict[atom]] += mass[:, atom, None]
    tables += seen
    return tables


def probability_best(draws: Array) -> Array:
    """Share of the draws [B, J] in which each judge has the highest value; ties are shared."""
    best = draws >= np.nanmax(draws, axis=1, keepdims=True) - 1e-12
    return (best / best.sum(axis=1, keepdims=True)).mean(axis=0)  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class Comparison:
    """All pairs of judges: difference[a, b] = value[a] - value[b], with joint intervals.

    With probability `confidence_level` every interval holds its difference at the same time, however
    many judges there are and whichever looks best.
    """

    difference: Array  # [J, J]
    low: Array
    high: Array
    standard_error: Array
    critical: float  # standard errors on either side
    probability_best: Array  # [J]
    confidence_level: float

    def apart(self, first: int, second: int) -> bool:
        """Whether the joint interval of their difference excludes 0."""
        return bool(self.low[first, second] > 0 or self.high[first, second] < 0)

    def maybe_best(self, leader: int) -> tuple[int, ...]:
        """The judges that cannot be told apart from `leader`, itself among them."""
        judges = range(len(self.difference))
        return tuple(j for j in judges if j == leader or not self.apart(leader, j))


def compare(values: Array, draws: Array, *, confidence_level: float) -> Comparison:
    """Joint intervals of all differences from paired draws [B, J] (the max-|t| method).

    The critical value is the quantile, over the draws, of the largest studentised deviation of any
    pair: it accounts for the correlation of the judges, so it is never wider than Bonferroni by more
    than the chance of the draws. With two judges it is an ordinary interval.
    """
    judges = len(values)
    difference = values[:, None] - values[None, :]
    spread = draws[:, :, None] - draws[:, None, :]
    center = spread.mean(axis=0)
    error = spread.std(axis=0, ddof=1)
    upper = np.triu_indices(judges, 1)
    known = error[upper] > 1e-12
    deviation = np.abs(spread[:, upper[0], upper[1]] - center[upper])[:, known]
    critical = 0.0
    if known.any():
        largest = (deviation / error[upper][known]).max(axis=1)
        critical = float(np.quantile(largest, confidence_level))
    half = critical * error
    low = np.clip(np.minimum(center - half, difference), -1, 1)
    high = np.clip(np.maximum(center + half, difference), -1, 1)
    return Comparison(
        difference, low, high, error, critical, probability_best(draws), confidence_level
    )


def items_needed(
    difference: float, standard_error: float, items: int, *, critical: float, power: float = 0.8
) -> int | None:
    """Items with which this difference, if true, would be told from 0 with this `power`.

    The standard error falls with the root of the items: n' = n ((critical + z_power) se / d)^2. None
    when there is no difference to see.
    """
    if abs(difference) < 1e-12:
        return None
    reach = (critical + NormalDist().inv_cdf(power)) * standard_error / abs(difference)
    return math.ceil(items * reach**2)
