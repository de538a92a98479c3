"""Do the intervals of `rank` cover what they claim, with prompts that make answers alike?

Every setting draws systems' true qualities, a judge's bias towards them, and prompts of unequal
ease that all systems share; the truth is what endlessly many prompts would show. `python
tests/coverage/test_ranking_coverage.py` prints the table of docs/intervals.md.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

import numpy as np
import pytest
from scipy.special import ndtr

from karat.ranking.aggregation import mean_scores
from karat.ranking.behaviour import beta_curve, bias_delta, decisiveness, system_bias
from karat.ranking.bradley_terry import fit, fit_resamples
from karat.ranking.comparisons import Outcomes, comparisons_from_scores, pairs_of
from karat.ranking.gold import gold_of_items, split_half
from karat.ranking.judged import Ranker, Settings
from karat.ranking.quality import (
    kendall_tau,
    spearman_rho,
    win_rate_accuracy,
    win_rate_error,
)
from karat.ranking.study import Study
from karat.ranking.uncertainty import (
    Side,
    agreement_interval,
    order_worlds,
    percentile_ends,
    rank_intervals,
)
from karat.resample import multiplicities
from karat.results import Estimate

LEVEL = 0.95


@dataclass(frozen=True)
class Setting:
    """Prompts, systems, spread of their quality, spread of the judge's bias, and the gold."""

    prompts: int
    systems: int
    spread: float
    bias: float
    gold_sampled: bool

    def __str__(self) -> str:
        gold = "sampled" if self.gold_sampled else "given"
        size = f"{self.prompts} prompts, {self.systems} systems"
        return f"{size}, {self.spread}/{self.bias}, gold {gold}"


SETTINGS = (
    Setting(30, 10, 0.4, 0.2, False),
    Setting(50, 8, 0.5, 0.2, False),
    Setting(200, 20, 0.5, 0.2, False),
    Setting(200, 20, 0.2, 0.1, False),
    Setting(200, 14, 0.5, 0.0, False),
    Setting(100, 60, 0.4, 0.3, False),
    Setting(30, 10, 0.4, 0.2, True),
    Setting(50, 8, 0.5, 0.2, True),
    Setting(200, 20, 0.5, 0.2, True),
    Setting(200, 20, 0.2, 0.1, True),
    Setting(200, 14, 0.5, 0.0, True),
    Setting(200, 14, 0.05, 0.05, True),
)
NAMES = ("score", "difference", "rank", "tau", "tau, percentile", "Bradley-Terry", "battle-level")


def covered(setting: Setting, rng: np.random.Generator, resamples: int) -> dict[str, float]:
    """Shares of the true values that one simulated study's intervals hold."""
    n, s = setting.prompts, setting.systems
    quality = rng.normal(0, setting.spread, s)
    judge_mean = quality + rng.normal(0, setting.bias, s) if setting.bias else quality
    ease = rng.normal(size=(n, 1))
    scores = judge_mean + ease + rng.normal(size=(n, s))
    people = quality + ease + rng.normal(size=(n, s))
    weights = np.concatenate(list(multiplicities(np.ones(n, np.int64), resamples, rng)))
    observed = scores.mean(axis=0)
    drawn = mean_scores(scores, weights)

    def within(replicates: np.ndarray, truth: np.ndarray) -> np.ndarray:
        low, high = percentile_ends(replicates, confidence_level=LEVEL, n_clusters=n)
        return (low <= truth) & (truth <= high)

    out = {"score": within(drawn, judge_mean).mean()}
    out["difference"] = within(drawn[:, 1:] - drawn[:, :1], judge_mean[1:] - judge_mean[0]).mean()
    true_rank = 1 + (judge_mean[None, :] > judge_mean[:, None]).sum(axis=1)
    first, last = rank_intervals(observed, drawn, confidence_level=LEVEL)
    out["rank"] = ((first <= true_rank) & (true_rank <= last)).mean()

    gold = people.mean(axis=0) if setting.gold_sampled else quality
    drawn_gold = mean_scores(people, weights) if setting.gold_sampled else None
    true_tau = float(kendall_tau(judge_mean, quality))
    value = float(kendall_tau(observed, gold))
    taus = kendall_tau(drawn, gold if drawn_gold is None else drawn_gold)
    low, high = agreement_interval(
        kendall_tau, value, taus,
        lambda side: order_worlds(Side(observed, drawn), Side(gold, drawn_gold), towards=side),
        confidence_level=LEVEL, n_clusters=n,
    )  # fmt: skip
    out["tau"] = float(low - 1e-9 <= true_tau <= high + 1e-9)
    ends = np.quantile(taus, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    out["tau, percentile"] = float(ends[0] - 1e-9 <= true_tau <= ends[1] + 1e-9)
    out |= strengths_covered(scores, judge_mean, weights, n, rng)
    return out


def strengths_covered(
    scores: np.ndarray, mean: np.ndarray, weights: np.ndarray, n: int, rng: np.random.Generator
) -> dict[str, float]:
    """Coverage of Bradley-Terry strengths by prompt-level and by battle-level intervals."""
    compared = comparisons_from_scores(scores)
    fitted = fit(compared.pairs, compared.observed())
    strengths, apart = fit_resamples(compared.pairs, compared.resampled(weights), fitted)
    if apart.any() or not fitted.components.connected:
        return {}
    # P(a beats b) with normal noise of variance 1 on each side; endlessly many prompts fit this.
    chance = ndtr((mean[compared.pairs.first] - mean[compared.pairs.second]) / np.sqrt(2))
    truth = fit(compared.pairs, Outcomes(chance, 1 - chance, np.zeros_like(chance))).strengths
    low, high = percentile_ends(strengths, confidence_level=LEVEL, n_clusters=n)
    size = len(mean)
    centring = np.eye(size) - 1 / size
    error = np.sqrt(np.diag(centring @ fitted.battle_covariance @ centring))
    near = np.abs(fitted.strengths - truth) <= 1.96 * error
    return {
        "Bradley-Terry": float(((low <= truth) & (truth <= high)).mean()),
        "battle-level": float(near.mean()),
    }


def coverage(setting: Setting, *, repeats: int, resamples: int, seed: int) -> dict[str, float]:
    rng = np.random.default_rng(seed)
    found = [covered(setting, rng, resamples) for _ in range(repeats)]
    return {
        name: float(np.mean([one[name] for one in found if name in one] or [np.nan]))
        for name in NAMES
    }


BEHAVIOUR = ("win_rate_accuracy", "win_rate_mse", "decisiveness", "bias_delta", "spearman_rho")
#: Prompts, systems, spread of quality, spread of the judge's bias, the judge's noise.
BEHAVIOURS = (
    (100, 10, 0.5, 0.2, 1.0),
    (100, 10, 0.5, 0.2, 0.5),
    (300, 14, 0.3, 0.1, 0.7),
    (60, 8, 0.4, 0.0, 1.0),
)


def behaviour_coverage(
    setting: tuple[int, int, float, float, float], *, repeats: int, resamples: int, seed: int
) -> dict[str, float]:
    """How often the intervals of a judge's behaviour hold what endless prompts would show."""
    n, s, spread, bias, noise = setting
    rng = np.random.default_rng(seed)
    pairs = pairs_of(s)
    hits = dict.fromkeys(BEHAVIOUR, 0)
    ones = np.ones(n, np.int64)
    settings = Settings(("mean",), "half", "half", LEVEL, 3)
    for _ in range(repeats):
        quality = rng.normal(0, spread, s)
        mean = quality + rng.normal(0, bias, s)
        ease = rng.normal(size=(n, 1))
        scores = mean + ease + rng.normal(0, noise, (n, s))
        people = quality + ease + rng.normal(size=(n, s))
        weights = np.concatenate(list(multiplicities(ones, resamples, rng)))
        gold = gold_of_items(
            people[None], None, weights, min_battles=10, halves=split_half(ones, 2, rng)
        )
        names = tuple(str(i) for i in range(s))
        study = Study(("judge",), names, np.arange(n), n, n, scores[None], people[None])
        judged = Ranker(study, gold, weights, settings).judge(0)
        judge_rates = ndtr((mean[pairs.first] - mean[pairs.second]) / (np.sqrt(2) * noise))
        gold_rates = ndtr((quality[pairs.first] - quality[pairs.second]) / np.sqrt(2))
        shape = decisiveness(judge_rates, gold_rates)
        assert shape is not None
        bent = system_bias(pairs, judge_rates, beta_curve(gold_rates, shape))
        truth = {
            "win_rate_accuracy": win_rate_accuracy(judge_rates, gold_rates),
            "win_rate_mse": win_rate_error(judge_rates, gold_rates),
            "decisiveness": shape,
            "bias_delta": bias_delta(bent),
            "spearman_rho": spearman_rho(mean, quality),
        }
        for result, _ in judged.results:
            if result.name in hits and isinstance(result, Estimate) and result.interval:
                low, high = result.interval.low, result.interval.high
                hits[result.name] += low - 1e-9 <= float(truth[result.name]) <= high + 1e-9
    return {name: count / repeats for name, count in hits.items()}


@pytest.mark.slow
@pytest.mark.parametrize("setting", BEHAVIOURS, ids=str)
def test_behaviour_coverage(setting: tuple[int, int, float, float, float]) -> None:
    found = behaviour_coverage(setting, repeats=200, resamples=400, seed=7)
    assert min(found.values()) >= 0.93


@pytest.mark.parametrize("setting", [SETTINGS[1], SETTINGS[9]], ids=str)
def test_quick_coverage(setting: Setting) -> None:
    found = coverage(setting, repeats=60, resamples=300, seed=5)
    # 60 studies: three standard errors of a coverage of .95 are .085.
    for name in ("score", "difference", "rank", "tau", "Bradley-Terry"):
        assert found[name] > 0.95 - 0.085, name


@pytest.mark.slow
@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_coverage(setting: Setting) -> None:
    found = coverage(setting, repeats=500, resamples=500, seed=6)
    for name in ("score", "difference", "rank", "tau", "Bradley-Terry"):
        assert np.isnan(found[name]) or found[name] >= 0.93, name


if __name__ == "__main__":
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    print("| prompts, systems, quality, bias, noise |", " | ".join(BEHAVIOUR), "|")
    print("| --- |" + " --- |" * len(BEHAVIOUR))
    for trait in BEHAVIOURS:
        held = behaviour_coverage(trait, repeats=repeats // 2, resamples=400, seed=7)
        cells = [f"{held[name]:.3f}" for name in BEHAVIOUR]
        print(f"| {', '.join(map(str, trait))} |", " | ".join(cells), "|", flush=True)
    print()
    print("| setting |", " | ".join(NAMES), "|")
    print("| --- |" + " --- |" * len(NAMES))
    for one in SETTINGS:
        result = coverage(one, repeats=repeats, resamples=500, seed=6)
        cells = ["-" if np.isnan(result[name]) else f"{result[name]:.3f}" for name in NAMES]
        print(f"| {one} |", " | ".join(cells), "|", flush=True)
