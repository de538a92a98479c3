"""Scores made into probabilities: logistic and isotonic recalibration, and how far off they are.

Arrays hold one entry for each item: `score` is the judge's, `outcome` what came true as a share
from 0 to 1, `weight` how much the item counts.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from goldassay.frozen import dataclass

__all__ = ["Isotonic", "Logistic", "bins_of", "fit_isotonic", "fit_logistic"]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

#: A probability is taken to be at least so far from 0 and from 1 before its log odds are.
NEAREST = 1e-6
#: Newton steps of the logistic fit, and the change after which it ends.
STEPS, ENOUGH = 50, 1e-10
#: Precision of the prior of the slope, in standard deviations of the score: enough that scores
#: which part the outcomes perfectly have a finite fit.
RIDGE = 1e-2


@dataclass(frozen=True)
class Logistic:
    """Log odds that are a straight line in the score, or in its log odds (Platt 1999)."""

    intercept: float
    slope: float
    #: Whether the score is a probability, of which the log odds are taken.
    odds: bool
    centre: float
    scale: float

    def __call__(self, score: Array) -> Array:
        z = (_scaled(score, self.odds) - self.centre) / self.scale
        return _expit(self.intercept + self.slope * z)


def fit_logistic(score: Array, outcome: Array, weight: Array, *, odds: bool) -> Logistic:
    """The logistic curve of greatest likelihood, outcomes drawn towards the middle.

    With N+ positives and N- others these count as (N+ + 1)/(N+ + 2) and 1/(N- + 2), as Platt has
    it, so that few labels do not make a judge certain.
    """
    x = _scaled(score, odds)
    centre = float(np.average(x, weights=weight))
    scale = float(np.sqrt(np.average((x - centre) ** 2, weights=weight))) or 1.0
    z = (x - centre) / scale
    positives = float((weight * outcome).sum() / weight.mean())
    others = len(score) - positives
    target = outcome * (positives + 1) / (positives + 2) + (1 - outcome) / (others + 2)
    both = np.stack([np.ones_like(z), z])
    w = weight / weight.mean()
    beta = np.zeros(2)
    for _ in range(STEPS):
        p = _expit(beta @ both)
        gradient = both @ (w * (target - p)) - [0.0, RIDGE * beta[1]]
        curvature = (both * (w * p * (1 - p))) @ both.T + np.diag([1e-9, RIDGE])
        step = np.linalg.solve(curvature, gradient)
        # Far from the top a full step may overshoot.
        beta = beta + step * min(1.0, 5.0 / max(float(np.abs(step).max()), 1e-300))
        if np.abs(step).max() < ENOUGH:
            break
    return Logistic(float(beta[0]), float(beta[1]), odds, centre, scale)


@dataclass(frozen=True)
class Isotonic:
    """Probabilities that rise with the score in steps; between two, a straight line."""

    score: Array
    probability: Array

    def __call__(self, score: Array) -> Array:
        return np.asarray(np.interp(score, self.score, self.probability))


def fit_isotonic(score: Array, outcome: Array, weight: Array) -> Isotonic:
    """The rising step function nearest to the outcomes (pool adjacent violators).

    A step of n labels is drawn towards the middle by half a label of either kind: a few labels
    at one end do not make a judge certain.
    """
    values, at = np.unique(score, return_inverse=True)
    at = at.reshape(-1)
    w = weight / weight.mean()
    size = np.bincount(at, weights=w)
    blocks: list[list[float]] = []  # positives, labels, first value, last value
    for k, (number, hits) in enumerate(
        zip(size.tolist(), np.bincount(at, weights=w * outcome).tolist(), strict=True)
    ):
        blocks.append([hits, number, k, k])
        while len(blocks) > 1 and blocks[-2][0] * blocks[-1][1] >= blocks[-1][0] * blocks[-2][1]:
            hits_, number_, _, last = blocks.pop()
            blocks[-1][0] += hits_
            blocks[-1][1] += number_
            blocks[-1][3] = last
    levels = [(hits + 0.5) / (number + 1) for hits, number, _, _ in blocks]
    levels = np.maximum.accumulate(levels).tolist()
    ends = [(int(first), int(last)) for _, _, first, last in blocks]
    x = [values[end] for pair in ends for end in pair]
    y = [level for level in levels for _ in range(2)]
    return Isotonic(np.array(x), np.array(y))


def bins_of(probability: Array, number: int) -> Ints:
    """The bin of each item: about equally many in each, equal probabilities in the same one."""
    order = np.argsort(probability, kind="stable")
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order)) * number // max(len(order), 1)
    # Equal probabilities go where the first of them does.
    _, at = np.unique(probability, return_inverse=True)
    first = np.full(int(at.max(initial=-1)) + 1, number)
    np.minimum.at(first, at.reshape(-1), place)
    _, bins = np.unique(first[at.reshape(-1)], return_inverse=True)
    return bins.reshape(-1).astype(np.int64)


def _scaled(score: Array, odds: bool) -> Array:
    if not odds:
        return score
    p = np.clip(score, NEAREST, 1 - NEAREST)
    return np.asarray(np.log(p / (1 - p)))


def _expit(x: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-np.clip(x, -700, 700))))
