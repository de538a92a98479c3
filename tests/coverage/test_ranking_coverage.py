"""Do the intervals of `rank` cover what they claim, with prompts that make answers alike?

Every setting draws systems' true qualities, a judge's bias towards them, and prompts of unequal
ease that all systems share; the truth is what endlessly many prompts would show.
`PYTHONPATH=tests/support python tests/coverage/test_ranking_coverage.py` prints the table of
docs/theory/figures.md.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

import numpy as np
import pytest
from grids import Seen, faults
from internals import (
    Contest,
    GivenGold,
    Outcomes,
    agreement_ends,
    beta_curve,
    bias_delta,
    comparisons_from_scores,
    decisiveness,
    differences,
    fit,
    fit_resamples,
    kendall_tau,
    mean_scores,
    merged_battles,
    multiplicities,
    pairs_of,
    percentile_ends,
    spearman_rho,
    system_bias,
    win_rate_accuracy,
    win_rate_error,
)
from internals import OrderSide as Side
from internals import RankOptions as Options
from internals import rank_study as study
from patience import seldom
from scipy.special import ndtr

from goldassay import Estimate, Task

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
NAMES = ("score", "differences", "ranks", "tau", "tau, percentile", "Bradley-Terry", "battle-level")


#: Of what one study shows: the share of the true values that intervals hold, and their length.
Found = dict[str, tuple[float, float]]


def covered(setting: Setting, rng: np.random.Generator, resamples: int) -> Found:
    n, s = setting.prompts, setting.systems
    quality = rng.normal(0, setting.spread, s)
    judge_mean = quality + rng.normal(0, setting.bias, s) if setting.bias else quality
    ease = rng.normal(size=(n, 1))
    scores = judge_mean + ease + rng.normal(size=(n, s))
    people = quality + ease + rng.normal(size=(n, s))
    weights = np.concatenate(list(multiplicities(np.ones(n, np.int64), resamples, rng)))
    observed = scores.mean(axis=0)
    drawn = mean_scores(scores, weights)

    low, high = percentile_ends(drawn, confidence_level=LEVEL, n_clusters=n)
    out = {"score": held(low, judge_mean, high)}
    true_rank = 1 + (judge_mean[None, :] > judge_mean[:, None]).sum(axis=1)
    told = differences(observed, drawn, confidence_level=LEVEL, n_clusters=n)
    gaps = judge_mean[:, None] - judge_mean[None, :]
    # Of all systems and all pairs at once.
    all_held = float((np.abs(told.gap - gaps) <= told.half + 1e-12).all())
    out["differences"] = all_held, float(2 * np.mean(told.half[np.triu_indices(s, 1)]))
    first, last = told.places
    all_held = float(((first <= true_rank) & (true_rank <= last)).all())
    out["ranks"] = all_held, float(np.mean(last - first + 1))

    gold = people.mean(axis=0) if setting.gold_sampled else quality
    drawn_gold = mean_scores(people, weights) if setting.gold_sampled else None
    true_tau = float(kendall_tau(judge_mean, quality))
    taus = kendall_tau(drawn, gold if drawn_gold is None else drawn_gold)
    (found,) = agreement_ends(
        Side(observed, drawn),
        Side(gold, drawn_gold),
        lambda one, other: {"tau": kendall_tau(one, other)},
        n_clusters=n,
        confidence_levels=[LEVEL],
    )
    low, high = found["tau"]
    out["tau"] = held(low - 1e-9, true_tau, high + 1e-9)
    low, high = np.quantile(taus, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    out["tau, percentile"] = held(low - 1e-9, true_tau, high + 1e-9)
    out |= strengths_covered(scores, judge_mean, weights, n, rng)
    return out


def held(low: np.ndarray, truth: np.ndarray, high: np.ndarray) -> tuple[float, float]:
    return float(np.mean((low <= truth) & (truth <= high))), float(np.mean(high - low))


def strengths_covered(
    scores: np.ndarray, mean: np.ndarray, weights: np.ndarray, n: int, rng: np.random.Generator
) -> Found:
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
    half = 1.96 * error
    return {
        "Bradley-Terry": held(low, truth, high),
        "battle-level": held(fitted.strengths - half, truth, fitted.strengths + half),
    }


def together(studies: list[Found], setting: object) -> dict[str, Seen]:
    """What studies of a setting show, by result."""
    found = {}
    for name in dict.fromkeys(name for one in studies for name in one):
        shares, lengths = zip(*(one[name] for one in studies if name in one), strict=True)
        found[name] = Seen(name, str(setting), sum(shares), len(shares), float(np.mean(lengths)))
    return found


def coverage(setting: Setting, *, repeats: int, resamples: int, seed: int) -> dict[str, Seen]:
    rng = np.random.default_rng(seed)
    return together([covered(setting, rng, resamples) for _ in range(repeats)], setting)


@dataclass(frozen=True)
class WholeStudy:
    """A study of three judges, whole, as the command does it.

    People score the same prompts (all, or a random share of them), or fight battles of their own.
    """

    prompts: int
    systems: int
    spread: float
    bias: float
    noise: float
    #: Share of the prompts that people score, or the number of their battles.
    people: float | int

    def __str__(self) -> str:
        size = f"{self.prompts} prompts, {self.systems} systems"
        gold = f"{self.people:.0%} scored"
        if isinstance(self.people, int):
            gold = f"{self.people:,} battles"
        return f"{size}, {self.spread}/{self.bias}/{self.noise}, {gold}"


WHOLE = (
    WholeStudy(100, 10, 0.5, 0.2, 1.0, 1.0),
    WholeStudy(100, 10, 0.5, 0.2, 0.5, 1.0),
    WholeStudy(300, 14, 0.3, 0.1, 0.7, 1.0),
    WholeStudy(60, 8, 0.4, 0.0, 1.0, 1.0),
    WholeStudy(30, 6, 0.5, 0.3, 1.0, 1.0),
    WholeStudy(300, 10, 0.5, 0.2, 1.0, 0.3),
    WholeStudy(150, 12, 0.5, 0.2, 0.7, 6000),
)
#: What `rank` gives with an interval beside scores, ranks and Bradley-Terry strengths.
RESULTS = (
    "kendall_tau",
    "spearman_rho",
    "tau_difference",
    "win_rate_accuracy",
    "win_rate_mse",
    "decisiveness",
    "bias",
    "corrected_bias",
    "bias_delta",
    "kin_bias",
    "item_accuracy",
)
KIN = {"A": (0,), "B": (1, 2)}


def whole_truth(
    setting: WholeStudy, quality: np.ndarray, means: np.ndarray
) -> dict[tuple[str, str, str], float]:
    """What endlessly many prompts would show: by result, judge and system."""
    pairs = pairs_of(setting.systems)
    gold = ndtr((quality[pairs.first] - quality[pairs.second]) / np.sqrt(2))
    out: dict[tuple[str, str, str], float] = {}
    for name, mean in zip("ABC", means, strict=True):
        rates = ndtr((mean[pairs.first] - mean[pairs.second]) / (np.sqrt(2) * setting.noise))
        shape = decisiveness(rates, gold)
        assert shape is not None
        bias = system_bias(pairs, rates, gold)
        corrected = system_bias(pairs, rates, beta_curve(gold, shape))
        out |= {
            ("kendall_tau", name, ""): float(kendall_tau(mean, quality)),
            ("spearman_rho", name, ""): float(spearman_rho(mean, quality)),
            ("win_rate_accuracy", name, ""): float(win_rate_accuracy(rates, gold)),
            ("win_rate_mse", name, ""): float(win_rate_error(rates, gold)),
            ("decisiveness", name, ""): shape,
            ("bias_delta", name, ""): float(bias_delta(corrected)),
            # Given the pair, judge and person err independently of each other.
            ("item_accuracy", name, ""): float((rates * gold + (1 - rates) * (1 - gold)).mean()),
        }
        if name in KIN:
            out["kin_bias", name, ""] = float(corrected[list(KIN[name])].mean())
        for s in range(setting.systems):
            out["bias", name, str(s)] = float(bias[s])
            out["corrected_bias", name, str(s)] = float(corrected[s])
    return out


def whole_held(setting: WholeStudy, rng: np.random.Generator, resamples: int) -> Found:
    n, s = setting.prompts, setting.systems
    quality = rng.normal(0, setting.spread, s)
    means = quality + rng.normal(size=(3, s)) * setting.bias * np.array([[1.0], [1.0], [2.0]])
    ease = rng.normal(size=(n, 1))
    scores = means[:, None, :] + ease + rng.normal(0, setting.noise, (3, n, s))
    people = quality + ease + rng.normal(size=(n, s))
    battles = None
    if isinstance(setting.people, int):
        a = rng.integers(0, s, setting.people)
        b = (a + rng.integers(1, s, setting.people)) % s
        won = rng.random(len(a)) < ndtr((quality[a] - quality[b]) / np.sqrt(2))
        wins = np.column_stack([won, ~won, np.zeros(len(a), bool)]).astype(float)
        battles = merged_battles(s, a, b, wins, np.arange(len(a)))
    else:
        people[rng.permutation(n)[round(setting.people * n) :]] = np.nan
    names = tuple(str(i) for i in range(s))
    contest = Contest(
        ("A", "B", "C"), names, np.arange(n), n, n, scores, None if battles else people[None]
    )
    about = {"A": {"system": "0"}, "B": {"family": "kin"}}
    task = Task(scale="continuous", families={"1": "kin", "2": "kin"})
    options = Options(
        aggregations=("mean",),
        resamples=resamples,
        seed=int(rng.integers(2**31)),
        detailed=("A", "B", "C"),
        judges=about,
    )
    gold = None if battles is None else GivenGold(battles=battles)
    found = study(contest, task, gold=gold, options=options)
    truth = whole_truth(setting, quality, means)
    inside: dict[str, list[tuple[bool, float]]] = {}
    for row in found.rows():
        result, about_row = row.result, row.about
        if result.name not in RESULTS or not isinstance(result, Estimate) or not result.interval:
            continue
        judge, system = str(about_row["judge"]), str(about_row.get("system") or "")
        if result.name == "tau_difference":
            best = str(result.declared["to"])
            true = truth["kendall_tau", best, ""] - truth["kendall_tau", judge, ""]
        else:
            true = truth[result.name, judge, system]
        low, high = result.interval.low, result.interval.high
        one = low - 1e-9 <= true <= high + 1e-9, high - low
        inside.setdefault(result.name, []).append(one)
    means_of = {name: np.mean(np.array(rows, float), axis=0) for name, rows in inside.items()}
    return {name: (float(share), float(length)) for name, (share, length) in means_of.items()}


def whole_coverage(
    setting: WholeStudy, *, repeats: int, resamples: int, seed: int
) -> dict[str, Seen]:
    rng = np.random.default_rng(seed)
    return together([whole_held(setting, rng, resamples) for _ in range(repeats)], setting)


def share(found: dict[str, Seen], name: str) -> float:
    return found[name].hits / found[name].runs if name in found else float("nan")


#: Result: mean coverage and length over the settings, as these tests measured them.
WHOLE_MEASURED = {
    "kendall_tau": (1.000, 0.6671),
    "spearman_rho": (0.998, 0.5136),
    "win_rate_accuracy": (0.995, 0.2508),
    "win_rate_mse": (0.998, 0.0253),
    "decisiveness": (0.993, 8.336),
    "bias_delta": (0.983, 0.0949),
    "tau_difference": (1.000, 1.078),
    "bias": (0.956, 0.1545),
    "corrected_bias": (0.973, 0.1939),
    "kin_bias": (0.957, 0.1564),
    "item_accuracy": (0.961, 0.0539),
}
MEASURED = {
    "score": (0.944, 0.5328),
    "differences": (0.938, 0.9789),
    "ranks": (1.000, 9.333),
    "tau": (0.993, 0.4667),
    "Bradley-Terry": (0.947, 0.4585),
}


@pytest.mark.slow
def test_whole_coverage() -> None:
    found = [whole_coverage(one, repeats=20, resamples=400, seed=7) for one in WHOLE]
    assert not faults([seen for one in found for seen in one.values()], WHOLE_MEASURED)


def test_quick_whole_coverage() -> None:
    found = whole_coverage(WHOLE[5], repeats=8, resamples=200, seed=8)
    assert set(found) == set(RESULTS)
    # 8 studies: three standard errors of a coverage of .95 are .23.
    assert all(share(found, name) > 0.95 - 0.23 for name in RESULTS), found


@pytest.mark.parametrize("setting", seldom([SETTINGS[1], SETTINGS[9]], 0), ids=str)
def test_quick_coverage(setting: Setting) -> None:
    found = coverage(setting, repeats=60, resamples=300, seed=5)
    # 60 studies: three standard errors of a coverage of .95 are .085.
    for name in ("score", "differences", "ranks", "tau", "Bradley-Terry"):
        assert share(found, name) > 0.95 - 0.085, name


@pytest.mark.slow
def test_coverage() -> None:
    found = [coverage(one, repeats=50, resamples=500, seed=6) for one in SETTINGS]
    seen = [one[name] for one in found for name in MEASURED if name in one]
    assert not faults(seen, MEASURED)


if __name__ == "__main__":
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    print("| setting |", " | ".join(RESULTS), "|")
    print("| --- |" + " --- |" * len(RESULTS))
    for whole in WHOLE:
        seen = whole_coverage(whole, repeats=repeats, resamples=400, seed=7)
        cells = [f"{share(seen, name):.3f}" if name in seen else "-" for name in RESULTS]
        print(f"| {whole} |", " | ".join(cells), "|", flush=True)
    print()
    print("| setting |", " | ".join(NAMES), "|")
    print("| --- |" + " --- |" * len(NAMES))
    for one in SETTINGS:
        seen = coverage(one, repeats=repeats, resamples=500, seed=6)
        cells = [f"{share(seen, name):.3f}" if name in seen else "-" for name in NAMES]
        print(f"| {one} |", " | ".join(cells), "|", flush=True)
