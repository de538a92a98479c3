"""How well a metric chooses a judge: simulated scenarios in which the best judge is known.

A scenario has systems with true positive rates, judges with sensitivities and false positive
rates, and a golden set on which every judge is scored. The judge that orders the systems best by
its own verdicts is the one that should have been chosen; a metric succeeds when the judge that
scores highest on the golden set is that one.

Reference: Collot et al., "Balanced Accuracy: The Right Metric for Evaluating LLM Judges",
section 6.3 and appendix A.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from goldassay.frozen import dataclass

__all__ = [
    "METRICS",
    "Choice",
    "Draws",
    "Scenarios",
    "draw_scenarios",
    "golden_metrics",
    "pairs_in_order",
    "simulate_choice",
]

Range = tuple[float, float]

#: The golden-set metrics that compete, in the order of the paper's table 3.
METRICS = ("balanced_accuracy", "macro_f1", "accuracy", "f1")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenarios:
    """The settings of a simulation; the defaults are those of section 6.3.

    The paper does not give the golden set's prevalence. `(0.5, 1)` comes closest to its table 3;
    `docs/papers.md` compares the others that were tried.
    """

    scenarios: int = 100_000
    systems: int = 5
    judges: int = 3
    evaluation_items: int = 200
    golden_items: int = 800
    system_prevalence: Range = (0.01, 0.5)
    golden_prevalence: Range = (0.5, 1.0)


class Draws(NamedTuple):
    """The random numbers of N scenarios with J judges and S systems."""

    positives: NDArray[np.int64]  # [N] golden items that are truly positive
    true_positives: NDArray[np.int64]  # [N, J]
    false_positives: NDArray[np.int64]  # [N, J]
    verdicts: NDArray[np.int64]  # [S, N, J] positive verdicts; systems by rising true prevalence


class Choice(NamedTuple):
    """How one metric fared over all scenarios."""

    success: float  # share in which it chose the first of the judges that rank best
    success_or_tie: float  # share in which it chose one that ranks as well as the best
    gap: float  # mean loss of pairwise ranking accuracy against the best judge
    gap_error: float  # its standard error over the scenarios


def draw_scenarios(settings: Scenarios, rng: np.random.Generator, size: int) -> Draws:
    """Draw `size` scenarios. The binomial draws are nearly all of a simulation's time."""
    systems, judges = settings.systems, settings.judges
    prevalence = np.sort(rng.uniform(*settings.system_prevalence, (systems, size)), axis=0)
    sensitivity, false_positive_rate = rng.random((2, size, judges))
    golden = rng.uniform(*settings.golden_prevalence, size)
    # y = FPR + J x, the judge's distortion line
    rate = false_positive_rate + (sensitivity - false_positive_rate) * prevalence[:, :, None]
    positives = rng.binomial(settings.golden_items, golden)
    negatives = settings.golden_items - positives
    return Draws(
        positives,
        rng.binomial(positives[:, None], sensitivity),
        rng.binomial(negatives[:, None], false_positive_rate),
        rng.binomial(settings.evaluation_items, rate),
    )


def golden_metrics(
    true_positives: NDArray[np.int64],
    false_positives: NDArray[np.int64],
    positives: NDArray[np.int64],
    negatives: NDArray[np.int64],
) -> dict[str, NDArray[np.float64]]:
    """The metrics of `METRICS` from a golden set's counts, for arrays of judges.

    A golden set without one of the classes leaves a recall undefined. It counts as 0 here, for
    every judge alike, so that the other class decides; a single judge's metric must not be read so.
    """
    tp, fp = true_positives, false_positives
    fn, tn = positives - tp, negatives - fp
    wrong = fp + fn
    f1_positive = 2 * tp / np.maximum(2 * tp + wrong, 1)
    f1_negative = 2 * tn / np.maximum(2 * tn + wrong, 1)
    return {
        "balanced_accuracy": (tp / np.maximum(positives, 1) + tn / np.maximum(negatives, 1)) / 2,
        "macro_f1": (f1_positive + f1_negative) / 2,
        "accuracy": (tp + tn) / (positives + negatives),
        "f1": f1_positive,
    }


def pairs_in_order(verdicts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Pairs of systems that a judge orders as the truth does; systems [S, ...] by rising truth.

    Equal counts of positive verdicts are not in order: the true rates differ.
    """
    ordered = np.zeros(verdicts.shape[1:], dtype=np.int64)
    for lower in range(len(verdicts) - 1):
        for higher in range(lower + 1, len(verdicts)):
            ordered += verdicts[higher] > verdicts[lower]
    return ordered


def simulate_choice(
    settings: Scenarios, *, seed: int = 0, chunk: int = 20_000
) -> Mapping[str, Choice]:
    """Success and ranking loss of each metric of `METRICS`, over `settings.scenarios` scenarios.

    >>> choices = simulate_choice(Scenarios(scenarios=2_000), seed=1)
    >>> choices["balanced_accuracy"].gap < choices["f1"].gap
    True
    """
    rng = np.random.default_rng(seed)
    pairs = settings.systems * (settings.systems - 1) / 2
    totals = {name: np.zeros(4) for name in METRICS}
    for start in range(0, settings.scenarios, chunk):
        draws = draw_scenarios(settings, rng, min(chunk, settings.scenarios - start))
        positives = draws.positives[:, None]
        negatives = settings.golden_items - positives
        metrics = golden_metrics(draws.true_positives, draws.false_positives, positives, negatives)
        ordered = pairs_in_order(draws.verdicts)
        best = ordered.max(axis=1)
        first_best = ordered.argmax(axis=1)
        for name in METRICS:
            chosen = metrics[name].argmax(axis=1)
            lost = best - np.take_along_axis(ordered, chosen[:, None], axis=1)[:, 0]
            totals[name] += (
                np.count_nonzero(chosen == first_best),
                np.count_nonzero(lost == 0),
                lost.sum() / pairs,
                ((lost / pairs) ** 2).sum(),
            )
    found = {}
    for name, total in totals.items():
        success, or_tie, gap, square = (total / settings.scenarios).tolist()
        error = math.sqrt(max(square - gap**2, 0.0) / settings.scenarios)
        found[name] = Choice(success, or_tie, gap, error)
    return found
