"""All metrics of table 1 with bootstrap intervals, against a plain SciPy and scikit-learn loop.

CPU seconds of one process, so that other work on the machine does not count.

Run it: python benchmarks/bench_audit.py
"""

from __future__ import annotations

from typing import Any

import numpy as np
from timing import carried_on, cpu, row

from goldassay.formulas.distributions import table_1
from goldassay.formulas.rating_vectors import Side, hard, hard_response_set
from goldassay.questions.audit.evaluate import Draws, evaluate

JUDGES, ITEMS, OPTIONS, RESAMPLES = 50, 10_000, 5, 1_000
SMOOTHING = 0.01


def _data() -> tuple[Side, Side]:
    rng = np.random.default_rng(0)
    people = rng.dirichlet(np.full(OPTIONS, 0.5), ITEMS)
    noise = rng.dirichlet(np.full(OPTIONS, 0.5), (JUDGES, ITEMS))
    mix = rng.uniform(0.1, 0.9, (JUDGES, 1, 1))
    judges = mix * people + (1 - mix) * noise

    def omega(shares: np.ndarray) -> np.ndarray:
        return np.minimum(1.0, shares * rng.uniform(1, 1.5, shares.shape))

    return Side(judges, omega(judges)), Side(people, omega(people))


def _loop(judge: Side, human: Side, rng: np.random.Generator) -> None:
    """One judge and one resample of items, metric by metric, as a script would do it."""
    from scipy.spatial.distance import jensenshannon
    from scipy.stats import entropy
    from sklearn.metrics import (
        accuracy_score,
        cohen_kappa_score,
        log_loss,
        mean_squared_error,
        precision_score,
        recall_score,
    )

    rows = rng.integers(0, ITEMS, ITEMS)
    j, h = judge.forced[0][rows], human.forced[rows]
    made = {
        side: {
            "h": hard(forced, ties="first"),
            "s": forced,
            "hrs": hard_response_set(omega, threshold=0.5),
            "srs": omega,
        }
        for side, forced, omega in (("j", j, judge.omega[0][rows]), ("h", h, human.omega[rows]))
    }
    labels_j, labels_h = j.argmax(1), h.argmax(1)
    accuracy_score(labels_h, labels_j)
    cohen_kappa_score(labels_h, labels_j)
    both = np.concatenate([labels_j, labels_h])
    chance = ((np.bincount(both, minlength=OPTIONS) / len(both)) ** 2).sum()
    for _ in range(3):  # Scott, Fleiss and Krippendorff from the same margins
        (np.mean(labels_j == labels_h) - chance) / (1 - chance)
    smooth_j, smooth_h = (0.99 * p + 0.01 / OPTIONS for p in (j, h))
    for one, two in ((smooth_h, smooth_j), (smooth_j, smooth_h)):
        entropy(one, two, axis=1).mean()
        (entropy(one, axis=1) + entropy(one, two, axis=1)).mean()
    (jensenshannon(h, j, axis=1) ** 2).mean()
    for a in ("h", "hrs"):
        for b in ("h", "hrs"):
            one, two = made["j"][a], made["h"][b]
            ((one * two).sum(1) > 0).mean()
            recall_score(two, one, average="samples", zero_division=0)
            precision_score(two, one, average="samples", zero_division=0)
    made["j"]["hrs"].sum(1).mean()
    for a in ("h", "s", "hrs", "srs"):
        for b in ("h", "hrs"):
            for k in range(OPTIONS):
                share = np.clip(made["j"][a][:, k], SMOOTHING / 2, 1 - SMOOTHING / 2)
                log_loss(made["h"][b][:, k], share, labels=[0, 1])
        for b in ("h", "s", "hrs", "srs"):
            mean_squared_error(made["h"][b], made["j"][a]) * OPTIONS


def run() -> list[dict[str, Any]]:
    judge, human = _data()
    definitions = table_1(smoothing=SMOOTHING)

    def ours() -> None:
        draws = Draws(RESAMPLES, seed=0)
        found = evaluate(definitions, judge, human, np.arange(ITEMS), ITEMS, draws)
        np.quantile(found.replicates, [0.025, 0.975], axis=0)

    def loop(rounds: int) -> None:
        rng = np.random.default_rng(0)
        for _ in range(rounds):
            _loop(judge, human, rng)

    loop(1)  # imports
    rounds = JUDGES * RESAMPLES  # a round is one judge and one resample
    return [
        row(
            f"table 1 ({len(definitions)} definitions), {JUDGES} judges x {ITEMS:,} items "
            f"x {OPTIONS} options, {RESAMPLES:,} resamples",
            cpu(ours, 1),
            f"SciPy and scikit-learn loop (from 2 and 6 of {rounds:,} rounds)",
            carried_on(loop, rounds),
            "at least 100",
        )
    ]


if __name__ == "__main__":
    for line in run():
        print(line)
