"""Lee and others, "How to Correctly Report LLM-as-a-Judge Evaluations", sections 4 to 6.

Through the public calls alone, held against the paper's formulas written down once more.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import goldassay as ga

Z = 1.959963984540054


def equation_6(p: float, n: float, q0: float, m0: float, q1: float, m1: float) -> tuple[float, ...]:
    """Equations 5 to 8: the corrected rate, clipped, and its interval."""
    n_, m0_, m1_ = n + Z * Z, m0 + 2, m1 + 2
    p_, q0_, q1_ = (n * p + Z * Z / 2) / n_, (m0 * q0 + 1) / m0_, (m1 * q1 + 1) / m1_
    theta, j = (p_ + q0_ - 1) / (q0_ + q1_ - 1), q0_ + q1_ - 1
    v0, v1 = q0_ * (1 - q0_) / m0_, q1_ * (1 - q1_) / m1_
    shift = 2 * Z * Z * (theta * v1 - (1 - theta) * v0)
    half = Z * math.sqrt(p_ * (1 - p_) / n_ + (1 - theta) ** 2 * v0 + theta**2 * v1) / j
    value = (p + q0 - 1) / (q0 + q1 - 1)
    return tuple(min(max(x, 0.0), 1.0) for x in (value, theta + shift - half, theta + shift + half))


def possible(pilot: dict[str, Any], draws: int, rng: np.random.Generator) -> list[NDArray[Any]]:
    """True rates, q1 and q0 that a pilot leaves open: Jeffreys' posteriors, where they agree."""
    (k1, m1), (k0, m0) = (map(int, pilot[q].split("/")) for q in ("sensitivity", "specificity"))
    k, n = pilot["positives"], pilot["of"]
    q1, q0 = (rng.beta(a + 0.5, b - a + 0.5, 80 * draws) for a, b in ((k1, m1), (k0, m0)))
    theta = (rng.beta(k + 0.5, n - k + 0.5, 80 * draws) + q0 - 1) / (q1 + q0 - 1)
    kept = np.flatnonzero((q1 + q0 > 1) & (theta >= 0) & (theta <= 1))[:draws]
    assert len(kept) == draws
    return [theta[kept], q1[kept], q0[kept]]


PILOTS: list[dict[str, Any]] = [
    {"positives": 300, "of": 1000, "sensitivity": "9/10", "specificity": "7/10"},
    {"positives": 600, "of": 2000, "sensitivity": "27/30", "specificity": "24/30"},
]


@pytest.mark.parametrize("pilot", PILOTS)
def test_a_plan_from_a_pilot_keeps_its_word(pilot: dict[str, Any]) -> None:
    """So many labels of each verdict reach the length in 80 % of all that the pilot leaves open."""
    rng, told = np.random.default_rng(1), ga.plan(**pilot).answer[0].facts
    assert told["design"] == "by_verdict"
    theta, q1, q0 = possible(pilot, 60, rng)
    called, items = pilot["positives"], pilot["of"]
    p = (q0 + q1 - 1) * theta + 1 - q0
    shares = np.clip(np.stack([theta * (1 - q1) / (1 - p), theta * q1 / p], 1), 0, 1)
    falls = np.array([told["negatives"], told["positives"]])
    reached = 0
    for right in rng.binomial(falls, shares):
        rows = [
            {"item": f"{verdict}{at}", "judge": verdict, "person": label}
            for verdict, whole, labelled, yes in zip(
                ("no", "yes"), (items - called, called), falls, right, strict=True
            )
            for at in range(whole)
            for label in [None if at >= labelled else "yes" if at < yes else "no"]
        ]
        task = {
            "scale": "binary",
            "options": ["yes", "no"],
            "positive": "yes",
            "calibration": "by_verdict",
            "wide": {"human": ["person"], "judge": ["judge"]},
        }
        interval = ga.estimate(rows, task)["prevalence", "judge"].interval
        reached += interval.high - interval.low <= 0.1
    assert reached >= 0.7 * 60  # 80 %, less two standard errors


def test_a_pilot_says_where_no_number_of_labels_helps() -> None:
    """With as many more labels as anybody would, eq. 6 of this pilot is longer than 10 points."""
    pilot = {**PILOTS[0], "positives": 500}
    _, q1, q0 = possible(pilot, 500, np.random.default_rng(2))
    p = pilot["positives"] / pilot["of"]
    lengths = [
        high - low
        for q1_, q0_ in zip(q1, q0, strict=True)
        for _, low, high in [equation_6(p, pilot["of"], q0_, 1e7, q1_, 1e7)]
    ]
    assert np.quantile(lengths, 0.8) > 0.1
    found = ga.plan(**pilot)
    told = {one.key: one for one in found.answer}["plan.separate"]
    assert told.facts["labels"] is None
    assert "judge more items" in told.text


def test_more_of_a_pilot_needs_fewer_labels() -> None:
    """The same shares from ten times the labels, and as known: ever fewer are needed."""
    rates = {"positives": 400, "of": 1000}
    written = [("18/20", "14/20"), ("180/200", "140/200"), (0.9, 0.7)]
    needed = [
        ga.plan(**rates, sensitivity=q1, specificity=q0).answer[0].facts["labels"]
        for q1, q0 in written
    ]
    assert needed[0] > needed[1] > needed[2]


@pytest.mark.parametrize("called", [300, 350, 400])
@pytest.mark.parametrize("pilot", [False, True])
def test_algorithm_1_is_not_shorter_than_the_planners_own_split(called: int, pilot: bool) -> None:
    """By the lengths that are printed; proposition 5.2 is about large samples."""
    q1, q0 = ("45/50", "35/50") if pilot else (0.9, 0.7)
    found = ga.plan(positives=called, of=1000, sensitivity=q1, specificity=q0, labels=200)
    lengths = {row[0]: row[-1] for row in found.tables["budget"].rows}
    assert lengths["separate set, correct the rate"] <= lengths["separate set, Algorithm 1"]
