"""goldassay's sequential allocation against Algorithm 1 at the same budget, as a Markdown table.

    python scripts/compare_allocations.py [--replications 10000] > table.md

The design of the correct-reporting paper's figure 5 and of its figures 9 to 16: 1,000 judged items,
200 or 500 labels, four judges, 21 true rates. Both are given the interval that `goldassay estimate`
gives them: the stratified one for labels drawn by verdict, Lang-Reiczigel for a separate set. The
table is in `docs/theory/figures.md`.
"""

from __future__ import annotations

import argparse
from itertools import product
from typing import NamedTuple

import numpy as np

from goldassay.inference.rates import lang_reiczigel, stratified_limits
from goldassay.lab.scenarios.allocation import label_in_batches, separate_set
from goldassay.questions.plan.designs import BY_VERDICT, Purpose, length_of_shares
from goldassay.questions.plan.precision import JudgeRates

ITEMS = 1000
LABELS = (200, 500)
JUDGES = ((0.7, 0.7), (0.7, 0.9), (0.9, 0.7), (0.9, 0.9))
THETAS = np.linspace(0, 1, 21).round(2)


class Cell(NamedTuple):
    """Mean lengths and coverage of both in one cell, and the length that was planned."""

    length: float
    coverage: float
    their_length: float
    their_coverage: float
    planned: float


def measure(rates: JudgeRates, labels: int, replications: int, rng: np.random.Generator) -> Cell:
    pools = label_in_batches(rates, items=ITEMS, labels=labels, replications=replications, rng=rng)
    low, high = stratified_limits(pools.items, pools.positives, pools.labelled)
    sets = separate_set(rates, items=ITEMS, labels=labels, replications=replications, rng=rng)
    their_low, their_high = lang_reiczigel(sets.test, sets.calibration)
    known = np.isfinite(their_low)
    negatives, positives = pools.labelled.mean(0)
    shares = (round(negatives), round(positives))
    planned = length_of_shares(BY_VERDICT, rates, shares, Purpose(0.1, ITEMS))
    theta = rates.prevalence
    return Cell(
        float((high - low).mean()),
        float(((low <= theta) & (theta <= high)).mean()),
        float((their_high - their_low)[known].mean()),
        float(((their_low <= theta) & (theta <= their_high))[known].mean()),
        float(planned),
    )


def cells(replications: int, seed: int) -> dict[tuple[int, float, float, float], Cell]:
    rng = np.random.default_rng(seed)
    return {
        (labels, q0, q1, float(theta)): measure(
            JudgeRates(float(theta), q1, q0), labels, replications, rng
        )
        for labels, (q0, q1), theta in product(LABELS, JUDGES, THETAS)
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replications", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    found = cells(options.replications, options.seed)
    print(
        "| labels | specificity | sensitivity | goldassay, mean length | Algorithm 1 | "
        "largest ratio | goldassay, least coverage | Algorithm 1 | planned / found |"
    )
    print("| --- " * 9 + "|")
    for labels, (q0, q1) in product(LABELS, JUDGES):
        mine = [found[labels, q0, q1, float(theta)] for theta in THETAS]
        ratios = [one.length / one.their_length for one in mine]
        planned = [one.planned / one.length for one in mine]
        print(
            f"| {labels} | {q0} | {q1} | {np.mean([o.length for o in mine]):.3f} | "
            f"{np.mean([o.their_length for o in mine]):.3f} | {max(ratios):.2f} | "
            f"{min(o.coverage for o in mine):.3f} | {min(o.their_coverage for o in mine):.3f} | "
            f"{min(planned):.2f} to {max(planned):.2f} |"
        )


if __name__ == "__main__":
    main()
