"""How often a judge's bias is put down to the length of texts: where it is not so, and where it is.

    python benchmarks/coverage_style.py [runs]

Systems of normal quality; the length of their texts follows quality by a correlation; a judge likes
length for itself by `planted` standard deviations of an answer's noise, or not at all. Beside the
interval of `rank --texts` stands least squares of the bias on length alone.
"""

from __future__ import annotations

import sys
from itertools import starmap

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from goldassay.formulas.comparisons import Pairs, pairs_of
from goldassay.questions.rank.behaviour import (
    beta_curve,
    decisiveness,
    decisiveness_resamples,
    system_bias,
)
from goldassay.questions.rank.style import StyleSample, style_effect
from goldassay.results import Estimate

Floats = NDArray[np.float64]

RESAMPLES = 100
#: Systems, prompts, correlation of length and quality, noise of judge and people, gold battles of
#: each pair (0: people score the judge's own prompts), planted.
SETTINGS = (
    (8, 60, 0.8, 0.5, 2.0, 0, 0.0),
    (10, 100, 0.7, 1.0, 1.0, 0, 0.0),
    (20, 100, 0.7, 0.5, 2.0, 0, 0.0),
    (20, 100, 0.0, 1.0, 1.0, 20, 0.0),
    (40, 200, 0.7, 0.5, 1.0, 12, 0.0),
    (15, 300, -0.5, 1.0, 1.5, 0, 0.0),
    (6, 200, 0.5, 0.5, 1.0, 0, 0.3),
    (10, 100, 0.7, 1.0, 1.0, 0, 0.3),
    (20, 200, 0.7, 1.0, 1.0, 20, 0.3),
)
Setting = tuple[int, int, float, float, float, int, float]


def rates(scores: Floats, pairs: Pairs, weights: Floats) -> Floats:
    """Win rates [B, P] of scores [n, S] under resampling weights [B, n]."""
    gap = np.sign(scores[:, pairs.first] - scores[:, pairs.second])
    return np.asarray((weights @ (gap > 0)) / (weights @ (gap != 0)))


def run(setting: Setting, rng: np.random.Generator) -> tuple[bool, bool]:
    """Whether length is found to explain the bias: by `rank`, and by least squares."""
    systems, prompts, follows, judge_noise, noise, battles, planted = setting
    quality = rng.normal(0, 0.5, systems)
    length = follows * quality / 0.5 + np.sqrt(1 - follows**2) * rng.normal(size=systems)
    pairs = pairs_of(systems)
    ease = rng.normal(size=(prompts, 1))
    liked = quality + rng.normal(0, 0.1, systems) + planted * length
    judge = liked + ease + rng.normal(0, judge_noise, (prompts, systems))
    drawn = rng.multinomial(prompts, np.full(prompts, 1 / prompts), RESAMPLES).astype(float)
    weights = np.concatenate([np.ones((1, prompts)), drawn])
    judged = rates(judge, pairs, weights)
    if battles:
        gap = (quality[pairs.first] - quality[pairs.second]) / noise
        seen = rng.binomial(battles, stats.norm.cdf(gap / np.sqrt(2))) / battles
        again = rng.binomial(battles, seen, (RESAMPLES, len(pairs))) / battles
        gold = np.concatenate([seen[None], again])
    else:
        people = quality + ease + rng.normal(0, noise, (prompts, systems))
        gold = rates(people, pairs, weights)
    shape = decisiveness(judged[0], gold[0])
    assert shape is not None
    bias = system_bias(pairs, judged[0], beta_curve(gold[0], shape))
    biases = system_bias(pairs, judged[1:], decisiveness_resamples(judged[1:], gold[1:])[1])
    favour = system_bias(pairs, gold, np.full(len(pairs), 0.5))
    own = favour[1:] - favour[1:].mean(axis=0)
    shared = (own * (biases - biases.mean(axis=0))).mean(axis=0)
    sample = StyleSample(bias, length / length.std(), favour[0], (own**2).mean(axis=0), shared)
    found = style_effect(sample, 0.95, 0.95)
    told = isinstance(found, Estimate) and found.interval is not None
    sure = told and not found.interval.low <= 0 <= found.interval.high  # type: ignore[union-attr]
    return sure, bool(stats.linregress(length, bias).pvalue < 0.05)


def cell(index: int, setting: Setting, runs: int) -> str:
    rng = np.random.default_rng([7, index])
    ours, plain = np.mean(list(starmap(run, ((setting, rng) for _ in range(runs)))), axis=0)
    systems, prompts, follows, judge_noise, noise, battles, planted = setting
    gold = f"{battles} battles a pair" if battles else "same prompts"
    return (
        f"| {systems} systems, {prompts} prompts, length and quality {follows:g}, noise "
        f"{judge_noise:g}/{noise:g}, {gold} | {planted:g} | {ours:.3f} | {plain:.3f} |"
    )


def main(runs: int) -> None:
    print("| setting | planted | found | found by least squares |\n| --- | --- | --- | --- |")
    for index, setting in enumerate(SETTINGS):
        print(cell(index, setting, runs), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
