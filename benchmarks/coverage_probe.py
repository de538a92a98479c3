"""Coverage of the default intervals on settings that nobody chose, drawn from wide ranges.

    python benchmarks/coverage_probe.py FAMILY [--settings N] [--runs N] [--seed S] [--out JSON]
    python benchmarks/coverage_probe.py FAMILY --unequal   clusters of unequal sizes, and weights
    python benchmarks/coverage_probe.py FAMILY --settings 24 --skip 12   the last 12 of these
    python benchmarks/coverage_probe.py picture --out SVG JSON ...   a row for each family

A family (see `FAMILIES`) draws settings: items, prevalence, quality of the judge, clusters (none;
8, 20 or 60; equal or heavy-tailed; with some correlation), unequal weights, raters, missing
ratings. With `--unequal` there always are clusters, heavy-tailed or one giant among others, and
where a family has weights half of the settings have both. In each setting every interval of the
family is measured on the same samples. Settings that fall short at first are run again with
`--again N` samples, so that chance alone condemns nobody. The intervals are those of the public
functions, made from their parts so that what they share is drawn once.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import coverage_estimate
import numpy as np
from numpy.typing import NDArray
from probe_decisions import Decisions, ItemAccuracy
from probe_estimates import Ceilings, MeanScores, OptionRates, SharedLabels, Systems
from probe_groups import Grouping, Ranges
from probe_lent import LentRates
from probe_ranks import RankedFew
from probe_scores import SkewedScores, SystemScores
from strips import Row, picture

from goldassay.formulas.agreement import agreement_weights
from goldassay.formulas.correlation import icc, kendall_tau_b, lin_concordance, pearson, spearman
from goldassay.inference.areas import PrecisionArea, RocArea
from goldassay.inference.changes import Joint, change, change_limits
from goldassay.inference.clusters import distinct_clusters
from goldassay.inference.comparison import compare, joint_draws, widening
from goldassay.inference.draw import Draw
from goldassay.inference.posterior import hedged_draws
from goldassay.metrics.inputs import Given, Tables
from goldassay.metrics.rater_inputs import GivenRatings
from goldassay.metrics.rater_sums import drawn_sums, interval_alpha
from goldassay.metrics.registry import PAIR_METRICS, RATER_METRICS, SCORE_METRICS, TABLE_METRICS
from goldassay.metrics.tables import Counted, Setting
from goldassay.questions.agree.ceiling import _paired
from goldassay.results import Estimate, Interval

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Rng = np.random.Generator
Ends = tuple[float, float] | None
#: Name of an interval -> its ends in one sample, or None where there is none.
Sample = Mapping[str, Ends]

LEVEL, DRAWS = 0.95, 600


def ends(interval: Interval | None) -> Ends:
    return None if interval is None else (interval.low, interval.high)


# --- tables -----------------------------------------------------------------------------------

POSITIVE = (
    "accuracy", "balanced_accuracy", "youden_j", "sensitivity", "specificity", "precision",
    "negative_predictive_value", "f1", "macro_f1", "cohen_kappa", "phi", "scott_pi", "gwet_ac1",
    "reference_rate", "verdict_rate", "positive_rate_difference", "log_odds_strictness",
    "chance_agreement", "kappa_phi_gap", "krippendorff_alpha", "weighted_balanced_accuracy",
)  # fmt: skip
SEVERAL = (
    "accuracy", "balanced_accuracy", "macro_f1", "cohen_kappa", "weighted_kappa", "mcc",
    "gwet_ac1", "gwet_ac2", "scott_pi", "krippendorff_alpha", "pearson", "spearman",
    "kendall_tau_b", "chance_agreement",
)  # fmt: skip
OF_OPTION = ("recall", "precision", "f1")


def counted_of(tables: Tables, setting: Setting, seed: int) -> Counted:
    drawn = hedged_draws(
        tables.stack, tables.times, draws=DRAWS, seed=seed, clustered=tables.clustered
    )
    return Counted(tables.total, setting, drawn, tables.n_items, tables.stack, tables.times)


def table_intervals(counted: Counted, names: tuple[str, ...]) -> dict[str, Ends]:
    found: dict[str, Ends] = {}
    for name in names:
        metric = TABLE_METRICS[name]
        value = float(metric.compute(counted.table, counted.setting))
        found[name] = None if np.isnan(value) else ends(metric.interval(counted, value, LEVEL))
    return found


def binary_setting(shares: tuple[float, float]) -> Setting:
    return Setting("", 2, 1, np.eye(2), "unweighted", "nominal", np.array(shares))


@dataclass(frozen=True)
class Binary:
    """A yes-or-no judge."""

    items: int
    prevalence: float
    sensitivity: float
    specificity: float
    grouping: Grouping = field(default_factory=Grouping)
    weights: float = 0.0

    @classmethod
    def drawn(cls, rng: Rng, ranges: Ranges) -> Binary:
        while True:
            items = int(np.exp(rng.uniform(np.log(20), np.log(1000))))
            logit = rng.uniform(-4, 4)
            prevalence = float(1 / (1 + np.exp(-logit)))
            quality = rng.choice([0.6, 0.75, 0.85, 0.92, 0.97, 0.99], 2)
            grouping = ranges.grouping(rng)
            weights = ranges.weights(rng, grouping, [0, 0, 0.5, 0.8, 1.2])
            if items * min(prevalence, 1 - prevalence) >= 4 and items >= 2 * grouping.clusters:
                return cls(items, prevalence, *map(float, quality), grouping, weights)

    def truth(self) -> dict[str, float]:
        p, se, sp = self.prevalence, self.sensitivity, self.specificity
        table = np.array([[(1 - p) * sp, (1 - p) * (1 - sp)], [p * (1 - se), p * se]])
        setting = binary_setting((0.3, 0.7))
        big = table * 1e12
        found = {name: float(TABLE_METRICS[name].compute(big, setting)) for name in POSITIVE}
        return found

    def sides(self, rng: Rng) -> tuple[Ints, Ints, Ints]:
        code = self.grouping.codes(self.items, rng)
        true = self.grouping.happens(self.prevalence, code, rng)
        right = self.grouping.happens(np.where(true, self.sensitivity, self.specificity), code, rng)
        return true.astype(np.int64), np.where(right, true, ~true).astype(np.int64), code

    def given(self, rng: Rng) -> Given:
        true, said, code = self.sides(rng)
        weight = rng.lognormal(0, self.weights, self.items) if self.weights else None
        clusters = code if self.grouping.clusters else None
        return Given(true, said, None, [0, 1], clusters, weight)

    def sample(self, rng: Rng) -> Sample:
        tables = self.given(rng).tables("probe")
        counted = counted_of(tables, binary_setting((0.3, 0.7)), int(rng.integers(1 << 30)))
        return table_intervals(counted, POSITIVE)


@dataclass(frozen=True)
class Options:
    """Three to six options, some rare; a judge that is often one step off."""

    items: int
    shares: tuple[float, ...]
    right: float
    near: float
    grouping: Grouping = field(default_factory=Grouping)
    weights: float = 0.0

    @classmethod
    def drawn(cls, rng: Rng, ranges: Ranges) -> Options:
        while True:
            size = int(rng.integers(3, 7))
            shares = np.sort(rng.dirichlet(np.full(size, rng.choice([0.8, 3.0]))))[::-1]
            shares = rng.permutation(np.maximum(shares, 0.01))
            shares /= shares.sum()
            items = int(np.exp(rng.uniform(np.log(30), np.log(1000))))
            grouping = ranges.grouping(rng)
            weights = ranges.weights(rng, grouping, [0, 0, 0, 0.8])
            if items * shares.min() >= 1.5 and items >= 2 * grouping.clusters:
                right = float(rng.choice([0.5, 0.7, 0.85, 0.95]))
                near = float(rng.choice([0.2, 0.5, 0.9]))
                return cls(items, tuple(map(float, shares)), right, near, grouping, weights)

    @property
    def rarest(self) -> int:
        return int(np.argmin(self.shares))

    def wrong(self) -> Floats:
        """The chances of each verdict where it is wrong: near ones more often."""
        size = len(self.shares)
        apart = np.abs(np.subtract.outer(np.arange(size), np.arange(size)))
        near = (apart == 1) / np.maximum((apart == 1).sum(1, keepdims=True), 1)
        far = (apart > 0) / (size - 1)
        return np.asarray(self.near * near + (1 - self.near) * far)

    def setting(self) -> Setting:
        size = len(self.shares)
        return Setting("", size, None, agreement_weights("linear", size), "linear", "ordinal")

    def truth(self) -> dict[str, float]:
        size, shares = len(self.shares), np.array(self.shares)
        verdict = self.right * np.eye(size) + (1 - self.right) * self.wrong()
        table = shares[:, None] * verdict * 1e12
        found = {n: float(TABLE_METRICS[n].compute(table, self.setting())) for n in SEVERAL}
        return found | self._of_option(table, lambda m, t, s, v: v)

    def _of_option(self, table: Floats, made: Callable[..., Any]) -> dict[str, Any]:
        side = np.arange(len(self.shares)) != self.rarest
        fold = np.stack([~side, side], 1).astype(float)
        two = fold.T @ table @ fold
        setting = Setting("", 2, 0, np.eye(2), "unweighted")
        return {
            f"{name} of the rarest": made(
                TABLE_METRICS[name], two, setting, float(TABLE_METRICS[name].compute(two, setting))
            )
            for name in OF_OPTION
        }

    def sample(self, rng: Rng) -> Sample:
        code = self.grouping.codes(self.items, rng)
        size = len(self.shares)
        true = rng.choice(size, self.items, p=self.shares)
        right = self.grouping.happens(self.right, code, rng)
        edges = self.wrong().cumsum(1)
        other = (rng.random(self.items)[:, None] > edges[true]).sum(1)
        said = np.where(right, true, np.minimum(other, size - 1))
        weight = rng.lognormal(0, self.weights, self.items) if self.weights else None
        clusters = code if self.grouping.clusters else None
        given = Given(true, said, None, list(range(size)), clusters, weight)
        tables, seed = given.tables("probe"), int(rng.integers(1 << 30))
        counted = counted_of(tables, self.setting(), seed)
        found = table_intervals(counted, SEVERAL)
        folded = tables.against_the_rest(self.rarest)
        two = counted_of(folded, Setting("", 2, 0, np.eye(2), "unweighted"), seed)
        of_option = table_intervals(two, OF_OPTION)
        return found | {f"{name} of the rarest": one for name, one in of_option.items()}


# --- among raters -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Raters:
    """Raters who say the true option with some probability, else any; some ratings are missing."""

    items: int
    raters: int
    shares: tuple[float, ...]
    right: float
    missing: float
    grouping: Grouping = field(default_factory=Grouping)

    @classmethod
    def drawn(cls, rng: Rng, ranges: Ranges) -> Raters:
        while True:
            size = int(rng.integers(2, 6))
            shares = np.maximum(rng.dirichlet(np.full(size, rng.choice([0.7, 3.0]))), 0.02)
            shares /= shares.sum()
            items = int(np.exp(rng.uniform(np.log(20), np.log(400))))
            grouping = ranges.grouping(rng)
            if items * (1 - shares.max()) >= 3 and items >= 2 * grouping.clusters:
                return cls(
                    items,
                    int(rng.choice([2, 3, 5, 8])),
                    tuple(map(float, shares)),
                    float(rng.choice([0.4, 0.6, 0.8, 0.93])),
                    float(rng.choice([0.0, 0.0, 0.3])),
                    grouping,
                )

    def ratings(self, rng: Rng, items: int, grouping: Grouping) -> tuple[Ints, Ints]:
        code, size = grouping.codes(items, rng), len(self.shares)
        true = rng.choice(size, items, p=self.shares)
        easy = np.stack([grouping.happens(self.right, code, rng) for _ in range(self.raters)])
        said = np.where(easy, true, rng.choice(size, (self.raters, items), p=self.shares))
        gone = rng.random(said.shape) < self.missing
        gone[:2] &= self.raters > 2  # two ratings of each item at least
        return np.where(gone, -1, said), code

    def truth(self) -> dict[str, float]:
        rng = np.random.default_rng(1)
        said, _ = self.ratings(rng, 200_000, Grouping())
        return self._values(said)

    def _given(self, said: Ints, cluster: Ints | None) -> GivenRatings:
        rows = [np.where(row < 0, None, row) for row in said.astype(object)]
        return GivenRatings(rows, None, list(range(len(self.shares))), cluster)

    def _values(self, said: Ints) -> dict[str, float]:
        draw = Draw(100, 0, LEVEL)
        rated = self._given(said, None).rated("probe")
        found = {}
        for kind in ("nominal", "ordinal"):
            sums = drawn_sums(rated, kind, draw, by_rater=True)
            for name, metric in RATER_METRICS.items():
                if kind == "nominal" or name == "krippendorff_alpha":
                    found[f"{name} {kind}"] = float(metric.compute(sums.total, sums.layout))
        pair = PAIR_METRICS["mean_pairwise_kappa"].estimate(rated, draw)
        found["mean_pairwise_kappa"] = pair.value if isinstance(pair, Estimate) else np.nan
        scores = np.where(said < 0, np.nan, said.astype(float))
        alpha = interval_alpha("alpha", scores, np.arange(said.shape[1]), draw)
        found["krippendorff_alpha interval"] = alpha.value  # type: ignore[union-attr]
        return found

    def sample(self, rng: Rng) -> Sample:
        said, code = self.ratings(rng, self.items, self.grouping)
        draw = Draw(DRAWS, int(rng.integers(1 << 30)), LEVEL)
        clusters = code if self.grouping.clusters else None
        rated = self._given(said, clusters).rated("probe")
        found: dict[str, Ends] = {}

        def put(name: str, result: object) -> None:
            found[name] = ends(result.interval) if isinstance(result, Estimate) else None

        for kind in ("nominal", "ordinal"):
            sums = drawn_sums(rated, kind, draw, by_rater=True)
            for name, metric in RATER_METRICS.items():
                if kind == "nominal" or name == "krippendorff_alpha":
                    put(f"{name} {kind}", metric.estimate(sums, draw))
        put("mean_pairwise_kappa", PAIR_METRICS["mean_pairwise_kappa"].estimate(rated, draw))
        scores = np.where(said < 0, np.nan, said.astype(float))
        put("krippendorff_alpha interval", interval_alpha("alpha", scores, code, draw))
        return found


# --- scores -----------------------------------------------------------------------------------

STATISTICS = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall_tau_b": kendall_tau_b,
    "lin_concordance": lin_concordance,
    "icc": icc,
}
SHAPES = ("normal", "uniform", "five", "skewed five", "two mostly", "exponential", "t5")


@dataclass(frozen=True)
class Scores:
    """Scores of people and judge with a correlation, and of some shape; heavy ties among them."""

    items: int
    shape: str
    correlation: float
    shift: float
    grouping: Grouping = field(default_factory=Grouping)

    @classmethod
    def drawn(cls, rng: Rng, ranges: Ranges) -> Scores:
        while True:
            items = int(np.exp(rng.uniform(np.log(20), np.log(400))))
            grouping = ranges.grouping(rng)
            if items >= 2 * grouping.clusters:
                return cls(
                    items,
                    str(rng.choice(SHAPES)),
                    float(rng.choice([0.0, 0.3, 0.6, 0.85, 0.95])),
                    float(rng.choice([0.0, 0.5])),
                    grouping,
                )

    def pair(self, rng: Rng, code: Ints) -> tuple[Floats, Floats]:
        own, shared = rng.standard_normal((2, 2, len(code)))
        part = self.grouping.correlation if self.grouping.clusters else 0.0
        groups = rng.standard_normal((2, int(code.max()) + 1))
        z = np.sqrt(1 - part) * own[0] + np.sqrt(part) * groups[0][code]
        e = np.sqrt(1 - part) * own[1] + np.sqrt(part) * groups[1][code]
        y = self.correlation * z + np.sqrt(1 - self.correlation**2) * e
        del shared
        return self._shaped(z), self._shaped(y + self.shift)

    def _shaped(self, x: Floats) -> Floats:
        if self.shape == "uniform":
            return np.asarray(1 / (1 + np.exp(-1.7 * x)))
        if self.shape == "five":
            return np.clip(np.round(1.2 * x + 3), 1, 5)
        if self.shape == "skewed five":
            return np.clip(np.round(1.2 * x + 4.7), 1, 5)
        if self.shape == "two mostly":
            return np.clip(np.round(x + 1.8), 0, 2)
        if self.shape == "exponential":
            return np.asarray(np.exp(0.5 * x))
        if self.shape == "t5":
            return np.asarray(np.sinh(0.5 * x))
        return x

    def truth(self) -> dict[str, float]:
        rng, found = np.random.default_rng(2), []
        for _ in range(4):
            big = replace(self, items=50_000, grouping=Grouping())
            found.append([one(*big.pair(rng, np.arange(50_000))) for one in STATISTICS.values()])
        return dict(zip(STATISTICS, map(float, np.mean(found, 0)), strict=True))

    def sample(self, rng: Rng) -> Sample:
        code = self.grouping.codes(self.items, rng)
        x, y = self.pair(rng, code)
        draw = Draw(DRAWS, 1, LEVEL)
        found: dict[str, Ends] = {}
        for name in STATISTICS:
            one = SCORE_METRICS[name].estimate(x, y, code, draw)
            found[name] = ends(one.interval) if isinstance(one, Estimate) else None
        return found


@dataclass(frozen=True)
class Areas:
    """Scores of two kinds of items, some distance apart, smooth or of few values."""

    items: int
    prevalence: float
    apart: float
    values: int
    grouping: Grouping = field(default_factory=Grouping)

    @classmethod
    def drawn(cls, rng: Rng, ranges: Ranges) -> Areas:
        while True:
            items = int(np.exp(rng.uniform(np.log(30), np.log(1000))))
            prevalence = float(1 / (1 + np.exp(-rng.uniform(-4, 4))))
            grouping = ranges.grouping(rng)
            if items * min(prevalence, 1 - prevalence) >= 3 and items >= 2 * grouping.clusters:
                apart = float(rng.choice([0, 0.5, 1, 2, 3]))
                return cls(items, prevalence, apart, int(rng.choice([0, 0, 3, 6])), grouping)

    def pair(self, rng: Rng, code: Ints, grouping: Grouping) -> tuple[NDArray[np.bool_], Floats]:
        y = grouping.happens(self.prevalence, code, rng)
        part = grouping.correlation if grouping.clusters else 0.0
        x = np.sqrt(1 - part) * rng.standard_normal(len(code))
        x += np.sqrt(part) * rng.standard_normal(int(code.max()) + 1)[code]
        x += self.apart * y
        if self.values:
            x = np.clip(np.round(x - self.apart / 2), -(self.values // 2), self.values // 2)
        return y, x

    def truth(self) -> dict[str, float]:
        rng = np.random.default_rng(3)
        found = []
        for _ in range(4):
            y, x = self.pair(rng, np.arange(60_000), Grouping())
            found.append([RocArea.of(x, y, None).value, PrecisionArea.of(x, y, None).value])
        area, precision = np.mean(found, 0)
        return {"roc_auc": float(area), "average_precision": float(precision)}

    def sample(self, rng: Rng) -> Sample:
        code = self.grouping.codes(self.items, rng)
        y, x = self.pair(rng, code, self.grouping)
        if not 0 < y.sum() < len(y):
            return {}
        cluster = code if self.grouping.clusters else None
        return {
            "roc_auc": ends(RocArea.of(x, y, cluster).interval(LEVEL)),
            "average_precision": ends(PrecisionArea.of(x, y, cluster).interval(LEVEL)),
        }


# --- several judges, two versions -------------------------------------------------------------


@dataclass(frozen=True)
class Judges:
    """Two to six judges on the same items, with errors in common; all differences at once."""

    items: int
    prevalence: float
    right: tuple[float, ...]
    common: float
    grouping: Grouping = field(default_factory=Grouping)

    @classmethod
    def drawn(cls, rng: Rng, ranges: Ranges) -> Judges:
        while True:
            items = int(np.exp(rng.uniform(np.log(20), np.log(600))))
            prevalence = float(rng.choice([0.05, 0.15, 0.3, 0.5, 0.8]))
            grouping = ranges.grouping(rng)
            if items * min(prevalence, 1 - prevalence) >= 3 and items >= 2 * grouping.clusters:
                best = rng.choice([0.8, 0.9, 0.97])
                step = rng.choice([0.0, 0.03, 0.1])
                right = tuple(float(max(best - step * k, 0.5)) for k in range(rng.integers(2, 6)))
                return cls(items, prevalence, right, float(rng.choice([0.1, 0.5, 0.8])), grouping)

    def truth(self) -> dict[str, float]:
        return {"all differences of accuracy": 0.0, "all differences of balanced_accuracy": 0.0}

    def tables(self, rng: Rng) -> tuple[Floats, Ints]:
        code = self.grouping.codes(self.items, rng)
        true = self.grouping.happens(self.prevalence, code, rng)
        groups = int(code.max()) + 1
        part = self.grouping.correlation if self.grouping.clusters else 0.0
        from scipy.special import ndtr

        def noise(size: int) -> Floats:
            lone = rng.standard_normal((size, self.items))
            shared = rng.standard_normal((size, groups))[:, code]
            return np.asarray(np.sqrt(1 - part) * lone + np.sqrt(part) * shared)

        z = np.sqrt(self.common) * noise(1) + np.sqrt(1 - self.common) * noise(len(self.right))
        right = ndtr(z) < np.array(self.right)[:, None]
        counts = np.zeros((groups, len(self.right), 2, 2))
        judge = np.arange(len(self.right))[:, None]
        said = np.where(right, true, ~true).astype(int)
        np.add.at(counts, (code[None, :], judge, true.astype(int)[None, :], said), 1.0)
        return counts, np.ones(groups, np.int64)

    def told(self, counts: Floats, times: Ints) -> dict[str, tuple[Floats, Floats] | None]:
        """Limits of all differences (the later judge over the earlier) by statistic."""
        counts, times = distinct_clusters(counts, times)
        total = np.tensordot(times, counts, axes=1)
        first, second = np.triu_indices(len(self.right), 1)
        found: dict[str, tuple[Floats, Floats] | None] = {}
        statistics = {name: _statistic(name) for name in ("accuracy", "balanced_accuracy")}

        def both(tables: Floats) -> Floats:
            return np.stack([statistic(tables) for statistic in statistics.values()], -1)

        drawn = joint_draws(both, counts, times, draws=DRAWS, seed=1)
        for at, (name, statistic) in enumerate(statistics.items()):
            values = statistic(total)
            found[name] = None
            if not np.isfinite(values).all():
                continue
            sample = drawn[..., at]
            sample = sample[np.isfinite(sample).all(1)]
            wide = widening(statistic, counts, times, LEVEL)
            joint = compare(values, sample, confidence_level=LEVEL, widen=wide)
            found[name] = joint.low[second, first], joint.high[second, first]
        return found

    def sample(self, rng: Rng) -> Sample:
        first, second = np.triu_indices(len(self.right), 1)
        truth = np.subtract.outer(self.right, self.right)[second, first]
        found: dict[str, Ends] = {}
        for name, limits in self.told(*self.tables(rng)).items():
            if limits is None:
                found[f"all differences of {name}"] = None
                continue
            low, high = limits
            # The worst pair stands for all: 0 is held when every interval holds its difference.
            held = ((low <= truth + 1e-12) & (truth - 1e-12 <= high)).all()
            length = float((high - low).mean())
            found[f"all differences of {name}"] = (0.0 if held else 1.0, length)
        return found


@dataclass(frozen=True)
class Versions:
    """Two versions of a judge on the same items."""

    items: int
    prevalence: float
    right: float
    mended: float
    spoilt: float
    grouping: Grouping = field(default_factory=Grouping)

    @classmethod
    def drawn(cls, rng: Rng, ranges: Ranges) -> Versions:
        while True:
            items = int(np.exp(rng.uniform(np.log(20), np.log(1000))))
            prevalence = float(rng.choice([0.1, 0.3, 0.5]))
            grouping = ranges.grouping(rng)
            if items * prevalence >= 3 and items >= 2 * grouping.clusters:
                mended, spoilt = rng.choice([0.02, 0.05, 0.15, 0.3], 2)
                right = float(rng.choice([0.7, 0.85, 0.95]))
                spoilt = min(spoilt, right)
                mended = min(mended, 1 - right)
                return cls(items, prevalence, right, float(mended), float(spoilt), grouping)

    def cells(self) -> Floats:
        """Chances of (both wrong, mended, spoilt, both right)."""
        mended, spoilt = self.mended, self.spoilt
        return np.array([1 - self.right - mended, mended, spoilt, self.right - spoilt])

    def joint(self, true: Ints, kind: Ints, code: Ints) -> Joint:
        old = np.where(kind >= 2, true, 1 - true)
        new = np.where(kind % 2 == 1, true, 1 - true)
        counts = np.zeros((int(code.max()) + 1, 2, 3, 3))
        np.add.at(counts, (code, true, old, new), 1.0)
        return Joint(
            counts, np.ones(len(counts), np.int64), len(true), bool(self.grouping.clusters)
        )

    def truth(self) -> dict[str, float]:
        shares = self.cells()
        total = np.zeros((2, 3, 3))
        for r, p in ((0, 1 - self.prevalence), (1, self.prevalence)):
            for kind, share in enumerate(shares):
                old, new = (r if kind >= 2 else 1 - r), (r if kind % 2 else 1 - r)
                total[r, old, new] += p * share
        names = ("accuracy", "cohen_kappa")
        true = {n: float(change(_statistic(n), total * 1e9)) for n in names}
        return true | {f"{n}, no warning": value for n, value in true.items()}

    def sample(self, rng: Rng) -> Sample:
        code = self.grouping.codes(self.items, rng)
        true = self.grouping.happens(self.prevalence, code, rng).astype(int)
        shares = self.cells()
        part = self.grouping.correlation if self.grouping.clusters else 0.0
        chance = np.broadcast_to(shares, (self.items, 4))
        if part:
            by_cluster = rng.dirichlet(
                np.maximum(shares, 1e-9) * (1 / part - 1), int(code.max()) + 1
            )
            chance = by_cluster[code]
        kind = (rng.random(self.items)[:, None] > chance.cumsum(1)).sum(1).clip(0, 3)
        joint = self.joint(true, kind, code)
        found: dict[str, Ends] = {}
        for name in ("accuracy", "cohen_kappa"):
            one = change_limits(joint, _statistic(name), confidence_level=LEVEL)
            found[name] = (one.low, one.high) if np.isfinite(one.low + one.high) else None
            if not one.doubtful and one.by_size is None:
                found[f"{name}, no warning"] = found[name]
        return found


def _statistic(name: str) -> Callable[[Floats], Floats]:
    metric, setting = TABLE_METRICS[name], binary_setting((0.5, 0.5))
    return lambda t: metric.compute(t, setting)


# --- what people say, beside the judge --------------------------------------------------------


@dataclass(frozen=True)
class Paired:
    """`gap_to_people` and `tie_rate_difference`: several people an item, of which some are hard."""

    items: int
    people: int
    right: float
    judge: float
    hard: float
    grouping: Grouping = field(default_factory=Grouping)

    @classmethod
    def drawn(cls, rng: Rng, ranges: Ranges) -> Paired:
        while True:
            items = int(np.exp(rng.uniform(np.log(20), np.log(600))))
            grouping = ranges.grouping(rng)
            if items >= 2 * grouping.clusters:
                people = int(rng.choice([2, 3, 5]))
                return cls(items, people, *map(float, rng.choice([0.6, 0.8, 0.9, 0.97], 2)),
                           float(rng.choice([0.0, 0.3])), grouping)  # fmt: skip

    def values(self, rng: Rng, code: Ints, grouping: Grouping) -> tuple[Floats, Floats]:
        """By item: agreement with the judge less that of two people; judge's yes less theirs."""
        k = self.people
        hard = grouping.happens(self.hard, code, rng)
        right = np.where(hard, 0.5, self.right)
        said = np.stack([grouping.happens(right, code, rng) for _ in range(k)]).sum(0)
        judge = grouping.happens(self.judge, code, rng)
        own = np.where(judge, said, k - said) / k
        theirs = (said * (said - 1) + (k - said) * (k - said - 1)) / (k * (k - 1))
        return own - theirs, judge - said / k

    def truth(self) -> dict[str, float]:
        rng = np.random.default_rng(6)
        gap, ties = self.values(rng, np.arange(1_000_000), Grouping())
        return {"gap_to_people": float(gap.mean()), "tie_rate_difference": float(ties.mean())}

    def sample(self, rng: Rng) -> Sample:
        code = self.grouping.codes(self.items, rng)
        units = SimpleNamespace(
            n=np.ones(self.items, np.int64),
            single=not self.grouping.clusters,
            cluster=code,
            alike=None,
        )
        found = {}
        draw = Draw(DRAWS, int(rng.integers(1 << 30)), LEVEL)
        both = self.values(rng, code, self.grouping)
        for name, more in zip(("gap_to_people", "tie_rate_difference"), both, strict=True):
            one = _paired(name, units, more, np.ones(self.items), ("", {}), draw)  # type: ignore[arg-type]
            found[name] = ends(one.interval) if isinstance(one, Estimate) else None
        return found


# --- corrected rates and means ----------------------------------------------------------------

KINDS = ("lone rate", "clustered rate", "scores", "lone scores", "ordinal", "shared", "one verdict")


@dataclass(frozen=True)
class Estimated:
    """The intervals of `estimate`, through the studies of `coverage_estimate`."""

    kind: str
    given: dict[str, Any]

    @classmethod
    def drawn(cls, rng: Rng, ranges: Ranges) -> Estimated:
        kind = str(rng.choice(KINDS))
        pick = lambda *values: values[int(rng.integers(len(values)))]  # noqa: E731
        rate = float(1 / (1 + np.exp(-rng.uniform(-3.9, 3.9))))
        clusters = {
            "clusters": pick(10, 16, 30, 60, 120),
            "size": pick((1, 12), (1, 60)) if ranges.unequal else pick(5, 12, 30, (1, 12), (1, 60)),
            "share": pick(0.15, 0.3, 0.5),
            "whole": pick(True, False),
            "within": pick(0.02, 0.1, 0.3),
        }
        if clusters["whole"]:  # six labelled clusters at least
            clusters["share"] = max(clusters["share"], 6 / clusters["clusters"])
        given: dict[str, Any] = {
            "lone rate": {
                "rate": rate,
                "items": pick(150, 600, 2000),
                "labels": pick(30, 75, 140),
                "right": (pick(0.6, 0.8, 0.93, 0.99), pick(0.6, 0.8, 0.93, 0.99)),
            },
            "clustered rate": clusters | {"rate": rate, "right": pick(0.7, 0.9, 0.98)},
            "scores": clusters | {"noise": pick(0.2, 0.8, 2.0)},
            "lone scores": {"kind": pick(*coverage_estimate.SKEWED), "labels": pick(40, 80, 150),
                            "noise": pick(0.2, 1.0)},
            "ordinal": clusters | {"declared": pick("random", None)},
            "shared": {
                "rates": tuple(rng.uniform(0.1, 0.9, rng.integers(2, 6))),
                "items": pick(150, 400),
                "labels": pick(10, 18, 30),
                "judge": (pick(0.75, 0.85, 0.95), pick(0.02, 0.1, 0.25)),
                "paired": pick(True, False),
            },
            "one verdict": {
                "items": pick(200, 1500),
                "flagged": pick(0.03, 0.3, 0.8),
                "labels": pick(25, 80),
                "rates": (pick(0.1, 0.5, 0.9), pick(0.001, 0.05, 0.6)),
            },
        }[kind]  # fmt: skip
        return cls(kind, given)

    @property
    def grouping(self) -> Grouping:
        return Grouping(self.given.get("clusters", 0), isinstance(self.given.get("size"), tuple))

    def truth(self) -> dict[str, float]:
        return {}  # of each sample: ends are told from it

    def sample(self, rng: Rng) -> Iterator[tuple[str, Ends]]:
        made = getattr(coverage_estimate, self.kind.replace(" ", "_"))
        for name, result, truth in made(rng, **self.given):
            known = isinstance(result, Estimate) and result.interval is not None
            at = ends(result.interval) if known else None
            yield f"{self.kind}: {name}", at and (at[0] - truth, at[1] - truth)


FAMILIES: Mapping[str, Any] = {
    "paired": Paired,
    "estimate": Estimated,
    "binary": Binary,
    "options": Options,
    "raters": Raters,
    "scores": Scores,
    "areas": Areas,
    "judges": Judges,
    "versions": Versions,
    "decisions": Decisions,
    "item accuracy": ItemAccuracy,
    "systems": Systems,
    "shared labels": SharedLabels,
    "option rates": OptionRates,
    "ceilings": Ceilings,
    "mean scores": MeanScores,
    "system scores": SystemScores,
    "skewed scores": SkewedScores,
    "few prompts": RankedFew,
    "lent rates": LentRates,
}


# --- measuring --------------------------------------------------------------------------------


@dataclass
class Tally:
    """How one interval did in one setting."""

    held: int = 0
    runs: int = 0
    below: int = 0
    length: float = 0.0
    #: Intervals with two finite ends, of which alone the length is told.
    finite: int = 0
    none: int = 0

    def add(self, one: Ends, truth: float) -> None:
        if one is None or np.isnan(one).any():
            self.none += one is None
            self.runs, self.held = self.runs + (one is not None), self.held + (one is not None)
            return
        self.runs += 1
        self.held += one[0] - 1e-9 <= truth <= one[1] + 1e-9
        self.below += truth < one[0] - 1e-9
        if np.isfinite(one).all():
            self.finite += 1
            self.length += one[1] - one[0]

    @property
    def coverage(self) -> float:
        return self.held / self.runs if self.runs else np.nan

    @property
    def short(self) -> bool:
        """Below .93 by more than chance."""
        return self.runs > 0 and self.coverage + 2 * np.sqrt(0.05 * 0.95 / self.runs) < 0.93


def measured(setting: Any, runs: int, seed: int) -> dict[str, Tally]:
    truth, rng = setting.truth(), np.random.default_rng(seed)
    found = {name: Tally() for name in truth}
    for _ in range(runs):
        sample = setting.sample(rng)
        for name, one in sample.items() if isinstance(sample, Mapping) else sample:
            found.setdefault(name, Tally()).add(one, truth.get(name, 0.0))
    return found


def probe(family: str, arguments: argparse.Namespace) -> Iterator[tuple[Any, dict[str, Tally]]]:
    rng = np.random.default_rng(arguments.seed)
    for k in range(arguments.settings):
        setting = FAMILIES[family].drawn(rng, Ranges(arguments.unequal))
        if k < arguments.skip:
            continue
        found = measured(setting, arguments.runs, arguments.seed + 1000 * k)
        if arguments.again and any(one.short for one in found.values()):
            again = measured(setting, arguments.again, arguments.seed + 1000 * k + 7)
            found = {n: again[n] if one.short else one for n, one in found.items()}
        yield setting, found


def table(rows: list[dict[str, Any]]) -> Iterator[str]:
    """The lowest and the mean coverage of each interval, and in how many settings it is short."""
    yield "| Interval | Settings | Lowest | Mean | Short of .93 | Mean length |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for name in dict.fromkeys(name for row in rows for name in row["found"]):
        kept = np.array([one for row in rows if (one := row["found"].get(name)) and one[2] > 0])
        if not len(kept):
            continue
        coverage, length, runs = kept[:, 0], kept[:, 1], kept[:, 2]
        short = int((coverage + 2 * np.sqrt(0.05 * 0.95 / runs) < 0.93).sum())
        yield (
            f"| `{name}` | {len(kept)} | {coverage.min():.3f} | {coverage.mean():.3f} |"
            f" {short} | {length.mean():.3f} |"
        )


def drawn_picture(sources: list[str], path: str) -> None:
    """A row for each family, a dot for each interval in each setting."""
    rows = []
    for source in sources:
        made = json.loads(Path(source).read_text())
        dots = [one[0] for row in made for one in row["found"].values() if one[2] > 0]
        family = Path(source).name.split(".")[0]
        rows.append(Row(f"{family} ({len(made)} settings)", dots))
    picture(path, "Random settings: a dot is an interval in a setting", rows)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("family", choices=[*FAMILIES, "picture"])
    parser.add_argument("sources", nargs="*")
    parser.add_argument("--settings", type=int, default=40)
    parser.add_argument("--skip", type=int, default=0, help="so many settings are drawn only")
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--again", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--unequal", action="store_true")
    parser.add_argument("--out", default="")
    arguments = parser.parse_intermixed_args()
    if arguments.family == "picture":
        drawn_picture(arguments.sources, arguments.out)
        return
    start, rows = time.process_time(), list[dict[str, Any]]()
    for setting, found in probe(arguments.family, arguments):
        said = {n: (round(t.coverage, 3), t.runs, t.none) for n, t in found.items() if t.short}
        if said:
            print(setting, said, flush=True)
        numbers = {
            n: [t.coverage, t.length / max(t.finite, 1), t.runs, t.none, t.below]
            for n, t in found.items()
        }
        rows.append({"setting": asdict(setting), "found": numbers})
    if arguments.out:
        Path(arguments.out).write_text(json.dumps(rows, default=float))
    print("\n".join(table(rows)))
    print(f"{time.process_time() - start:.0f} s")


if __name__ == "__main__":
    main()
