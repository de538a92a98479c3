"""Rates of systems with their own labels and with those of all: coverage and length.

The judge errs alike on all systems, or unlike, which shared labels take for granted that it does
not. Each difference is of an interval that holds with all others at once.

    python benchmarks/coverage_shared.py
    python benchmarks/coverage_shared.py --runs 100 --only "unlike, 8"
"""

from __future__ import annotations

import argparse

import numpy as np
from compare_draws import Setting, drawn
from coverage_compare import sample_of
from numpy.typing import NDArray

from goldassay.inference.contrasts import family_of, pairs_of
from goldassay.questions.estimate.design import drawing
from goldassay.questions.estimate.label_use import LabelUse
from goldassay.questions.estimate.systems import corrected_rates

Array = NDArray[np.float64]
LEVEL = 0.95
RANDOM = drawing("random", apart=False)
GOOD, SHARP, WEAK, COIN = (0.9, 0.85), (0.97, 0.95), (0.75, 0.7), (0.5, 0.5)
UNLIKE = ((0.95, 0.95), (0.6, 0.9), (0.9, 0.6), (0.8, 0.8), (0.97, 0.7))
RISING, LEVELLED = (0.5, 0.55, 0.6, 0.65, 0.7), (0.8,) * 5


def setting(
    name: str,
    rates: tuple[float, ...],
    errors: tuple[tuple[float, float], ...],
    labels: int,
    cluster: int = 1,
) -> Setting:
    within, prompt = (0.3, 0.2) if cluster > 1 else (0.0, 0.4)
    return Setting(
        f"{name}, {labels}",
        rates,
        errors,
        200,
        labels,
        same=False,
        cluster=cluster,
        within=within,
        prompt=prompt,
    )


SETTINGS = (
    *(setting("unlike", RISING, UNLIKE, labels) for labels in (8, 20, 50)),
    setting("unlike, rates of .8", LEVELLED, UNLIKE, 8),
    *(setting("alike, .9 and .85", RISING, (GOOD,) * 5, labels) for labels in (8, 20, 50)),
    setting("alike, .97 and .95", (0.9, 0.8, 0.9, 0.8, 0.85), (SHARP,) * 5, 8),
    *(setting("alike, .75 and .7", RISING, (WEAK,) * 5, labels) for labels in (8, 20)),
    setting("alike, a coin", RISING, (COIN,) * 5, 8),
    setting("unlike, clusters of 10", RISING, UNLIKE, 20, 10),
    setting("alike, clusters of 10", RISING, (GOOD,) * 5, 20, 10),
)


def study(one: Setting, rng: np.random.Generator, *, shared: bool) -> tuple[Array, ...]:
    """Which rates [S] and differences [P] a study holds, and the lengths of both."""
    truth = np.array(one.rates)
    second, first = np.triu_indices(len(truth), 1)
    sample, pairs = sample_of(*drawn(one, rng)), pairs_of(first, second)
    rates = corrected_rates(sample, LabelUse.of(sample.total, RANDOM, shared=shared))
    unknown, together = np.isnan(rates.value), rates.recovered
    low, high = rates.alone(LEVEL)
    low, high = np.where(unknown, 0.0, low), np.where(unknown, 1.0, high)
    family = family_of(pairs, together.covariance(LEVEL), seed=1, draws=2000)
    least, most = together.contrast_limits(pairs, family.level(LEVEL))
    none = unknown[first] | unknown[second]
    least, most = np.where(none, -1.0, least), np.where(none, 1.0, most)
    gap = truth[first] - truth[second]
    held = (low <= truth) & (truth <= high), (least <= gap) & (gap <= most)
    return *held, high - low, most - least


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=400)
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    print("| judge, labels of each | labels | rates, lowest | length | differences | length |")
    print("| --- | --- | --- | --- | --- | --- |")
    for one in SETTINGS:
        for shared in (False, True):
            if given.only not in one.name:
                continue
            rng = np.random.default_rng(47)
            runs = [study(one, rng, shared=shared) for _ in range(given.runs)]
            rates, gaps, lengths, of_gaps = (np.array(part) for part in zip(*runs, strict=True))
            cells = (
                one.name,
                "of all" if shared else "own",
                f"{rates.mean(0).min():.3f}",
                f"{lengths.mean():.2f}",
                f"{gaps.all(1).mean():.3f}",
                f"{of_gaps.mean():.2f}",
            )
            print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
