"""Studies with a known true rate, drawn by the thousand, to see what estimators do.

A judge of specificity q0 and sensitivity q1 sees n items of a pool in which a share theta is
positive, and m items are labelled under a design. Draws are counts, never items.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from goldassay.frozen import dataclass
from goldassay.questions.estimate.design import drawing
from goldassay.questions.estimate.estimators import estimates, headline

__all__ = ["Scenario", "coverage", "draw"]

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """A true rate, a judge, sample sizes and a design."""

    theta: float
    q0: float
    q1: float
    n: int
    m: int
    design: str = "random"
    #: The labelled items' true rate (`separate`); the pool's own when None.
    labelled_theta: float | None = None
    #: Share of the labels spent on positive labels (`by_label`) or positive verdicts.
    share: float = 0.5


def draw(scenario: Scenario, draws: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """Verdicts of unlabelled items [draws, 2] and labelled items [draws, 2, 2].

    `by_verdict` labels items of a pool of max(n, m); the other designs label m items beside n.
    """
    s = scenario
    positive = s.theta * s.q1 + (1 - s.theta) * (1 - s.q0)
    if s.design == "by_verdict":
        size = max(s.n, s.m)
        called = rng.binomial(size, positive, draws)
        first = np.clip(round(s.m * s.share), s.m - (size - called), called)
        labelled = np.stack([s.m - first, first], -1)
        among = [s.theta * (1 - s.q1) / (1 - positive), s.theta * s.q1 / positive]
        hits = rng.binomial(labelled, among)
        pool = np.stack([size - called, called], -1)
        return pool - labelled, np.stack([labelled - hits, hits], -2).astype(float)
    called = rng.binomial(s.n, positive, draws)
    if s.design == "by_label":
        ones = np.full(draws, round(s.m * s.share))
    else:
        theta = s.theta if s.labelled_theta is None else s.labelled_theta
        ones = rng.binomial(s.m, theta, draws)
    zeros = s.m - ones
    right0, right1 = rng.binomial(zeros, s.q0), rng.binomial(ones, s.q1)
    calibration = np.stack([right0, zeros - right0, ones - right1, right1], -1)
    test = np.stack([s.n - called, called], -1)
    return test.astype(float), calibration.reshape(draws, 2, 2).astype(float)


def coverage(
    scenario: Scenario,
    draws: int,
    rng: np.random.Generator,
    *,
    estimator: str | None = None,
    confidence_level: float = 0.95,
) -> dict[str, float]:
    """How often an interval holds the true rate, its mean length, and how often there is one.

    `estimator` is the headline of the scenario's design when not given.
    """
    test, calibration = draw(scenario, draws, rng)
    name = estimator or headline(drawing(scenario.design, apart=True)).name
    value, low, high = estimates(name, test, calibration, confidence_level=confidence_level)
    defined = ~np.isnan(value)
    if not defined.any():
        return {"coverage": 1.0, "length": 1.0, "bias": 0.0, "defined": 0.0}
    held = (low <= scenario.theta + 1e-12) & (scenario.theta <= high + 1e-12)
    return {
        "coverage": float(held[defined].mean()),
        "length": float((high - low)[defined].mean()),
        "bias": float(np.clip(value[defined], 0, 1).mean() - scenario.theta),
        "defined": float(defined.mean()),
    }
