"""Coverage of strictness, areas, correlations and macro-F1.

    python benchmarks/coverage_scores.py [NAME ...] [--runs N]    tables of docs/theory/figures.md

NAME is strictness, area, precision, correlations, ranks or options. Beside an
interval stands the textbook's, where there is one: Wald's of the logarithm of
(FN + 1/2) / (FP + 1/2), DeLong's on the logit scale, Fisher's z and, for macro-F1, percentiles of
400 resamples.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from statistics import NormalDist

import numpy as np
from coverage_probe import Areas, Binary
from numpy.typing import NDArray
from probe_groups import Grouping

from goldassay import metrics
from goldassay.formulas import agreement, correlation
from goldassay.inference.areas import PrecisionArea, RocArea
from goldassay.results import Estimate, Interval, Result

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Rng = np.random.Generator
Z = NormalDist().inv_cdf(0.975)


class Tally:
    """How often intervals held the truth, and how long the finite ones are."""

    def __init__(self) -> None:
        self.runs = self.held = self.without = self.unbounded = 0
        self.length = 0.0

    def add(self, ends: tuple[float, float] | None, truth: float) -> None:
        if ends is None:
            self.without += 1
            return
        self.runs += 1
        self.held += ends[0] <= truth <= ends[1]
        if np.isfinite(ends).all():
            self.length += ends[1] - ends[0]
        else:
            self.unbounded += 1

    @property
    def words(self) -> str:
        """Coverage, and the mean length where most are finite."""
        covered, finite = _share(self.held / self.runs), self.runs - self.unbounded
        if 2 * finite <= self.runs:
            return covered
        length = self.length / finite
        return f"{covered} ({f'{length:.{2 if length >= 0.1 else 3}f}'.removeprefix('0')})"


def _share(share: float) -> str:
    return "1.000" if share == 1 else f"{share:.3f}".lstrip("0")


def _of(result: Result) -> tuple[float, float] | None:
    return _ends(result.interval if isinstance(result, Estimate) else None)


def _ends(interval: Interval | None) -> tuple[float, float] | None:
    return None if interval is None else (interval.low, interval.high)


def _logit(p: float) -> float:
    return float(np.log(p / (1 - p)))


# --- strictness -------------------------------------------------------------------------------

RARE = Binary(200, 0.02, 0.99, 0.6)
STRICTNESS = {
    "200 items, prevalence .02, sensitivity .99, specificity .6": RARE,
    "2,000 such items": replace(RARE, items=2_000),
    "100 items, prevalence .3, .9, .8": Binary(100, 0.3, 0.9, 0.8),
    "300 items, prevalence .1, .7, .97": Binary(300, 0.1, 0.7, 0.97),
    "60 clusters of 5, prevalence .3, .85, .85, correlation .4": Binary(
        300, 0.3, 0.85, 0.85, Grouping(60, correlation=0.4)
    ),
    "20 clusters of 10, prevalence .3, .8, .8, correlation .2": Binary(
        200, 0.3, 0.8, 0.8, Grouping(20, correlation=0.2)
    ),
    "8 clusters of 15, prevalence .4, .8, .8, correlation .2": Binary(
        120, 0.4, 0.8, 0.8, Grouping(8, correlation=0.2)
    ),
}


def strictness(runs: int) -> Iterator[str]:
    yield "| Log-odds of strictness | simpler | ours | an end is infinite |"
    yield "| --- | --- | --- | --- |"
    for name, setting in STRICTNESS.items():
        rng, truth = np.random.default_rng(1), setting.truth()["log_odds_strictness"]
        ours, plain = Tally(), Tally()
        for _ in range(runs):
            true, said, code = setting.sides(rng)
            clusters = int(code.max()) + 1 if setting.grouping.clusters else 1
            group = code if setting.grouping.clusters else np.zeros_like(code)
            tables = np.bincount(4 * group + 2 * true + said, minlength=4 * clusters)
            tables = tables.reshape(clusters, 2, 2)
            counts = tables if setting.grouping.clusters else tables[0]
            ours.add(_of(metrics.log_odds_strictness(counts=counts, positive=1, draws=100)), truth)
            missed, granted = tables[:, 1, 0].sum() + 0.5, tables[:, 0, 1].sum() + 0.5
            middle, reach = np.log(missed / granted), Z * np.sqrt(1 / missed + 1 / granted)
            plain.add((middle - reach, middle + reach), truth)
        yield f"| {name} | {plain.words} | {ours.words} | {_share(ours.unbounded / ours.runs)} |"


# --- areas ------------------------------------------------------------------------------------


def _apart(area: float) -> float:
    """Standard deviations between the kinds of normal scores with this area."""
    return float(np.sqrt(2) * NormalDist().inv_cdf(area))


@dataclass(frozen=True)
class Exponential(Areas):
    """Exponential scores, the positives' `apart` times as high."""

    def pair(self, rng: Rng, code: Ints, grouping: Grouping) -> tuple[NDArray[np.bool_], Floats]:
        y = rng.random(len(code)) < self.prevalence
        return y, rng.exponential(np.where(y, self.apart, 1.0))


@dataclass(frozen=True)
class OneLabel(Areas):
    """All items of a cluster are of one kind."""

    def pair(self, rng: Rng, code: Ints, grouping: Grouping) -> tuple[NDArray[np.bool_], Floats]:
        y, x = super().pair(rng, code, grouping)
        kind = rng.random(int(code.max()) + 1)[code] < self.prevalence
        return kind, x + self.apart * (kind.astype(float) - y)


@dataclass(frozen=True)
class AlikeScores(Areas):
    """Scores of a cluster are alike, its labels are not."""

    def pair(self, rng: Rng, code: Ints, grouping: Grouping) -> tuple[NDArray[np.bool_], Floats]:
        y, x = super().pair(rng, code, grouping)
        own = rng.random(len(code)) < self.prevalence
        return own, x + self.apart * (own.astype(float) - y)


AREAS = {
    "200 items, prevalence .02, area .8": Areas(200, 0.02, _apart(0.8), 0),
    "200 items, prevalence .02, area .95": Areas(200, 0.02, _apart(0.95), 0),
    "200 items, prevalence .03, five-point scores": Areas(200, 0.03, 1.5, 5),
    "200 items, prevalence .3, area .995": Areas(200, 0.3, _apart(0.995), 0),
    "60 items, prevalence .2, area .85, exponential scores": Exponential(60, 0.2, 17 / 3, 0),
    "300 items, prevalence .3, area .8": Areas(300, 0.3, _apart(0.8), 0),
    **{
        f"{clusters} clusters of {size}, area .8, correlation {correlation:g}".replace("0.", "."): (
            Areas(clusters * size, 0.3, _apart(0.8), 0, Grouping(clusters, False, correlation))
        )
        for clusters, size, correlation in ((8, 25, 0.5), (12, 15, 0.5), (20, 10, 0.3))
    },
    "20 clusters of Pareto sizes, area .8, correlation .3": Areas(
        200, 0.3, _apart(0.8), 0, Grouping(20, True, 0.3)
    ),
    "30 clusters of 10 with one label each, area .9, correlation .3": OneLabel(
        300, 0.3, _apart(0.9), 0, Grouping(30, False, 0.3)
    ),
    **{
        f"{clusters} clusters of {size}, area .87, scores alike (correlation .7)": AlikeScores(
            clusters * size, 0.5, _apart(0.87), 0, Grouping(clusters, False, 0.7)
        )
        for clusters, size in ((9, 20), (20, 10))
    },
}


def _sample(setting: Areas, rng: Rng) -> tuple[Floats, NDArray[np.bool_], Ints | None]:
    """Scores, kinds and clusters of a sample that has both kinds."""
    while True:
        code = setting.grouping.codes(setting.items, rng)
        y, x = setting.pair(rng, code, setting.grouping)
        if 0 < y.sum() < len(y):
            return x, y, code if setting.grouping.clusters else None


def area(runs: int) -> Iterator[str]:
    yield "| ROC AUC | simpler | it had none | ours |"
    yield "| --- | --- | --- | --- |"
    for name, setting in AREAS.items():
        rng, truth = np.random.default_rng(2), setting.truth()["roc_auc"]
        ours, plain = Tally(), Tally()
        for _ in range(runs):
            found = RocArea.of(*_sample(setting, rng))
            ours.add(_ends(found.interval(0.95)), truth)
            if 0 < found.value < 1 and found.variance > 0:
                inner = found.value * (1 - found.value)
                reach = Z * np.sqrt(found.variance) / inner
                ends = 1 / (1 + np.exp(-(_logit(found.value) + np.array([-reach, reach]))))
                plain.add((float(ends[0]), float(ends[1])), truth)
            else:
                plain.add(None, truth)
        yield f"| {name} | {plain.words} | {_share(plain.without / runs)} | {ours.words} |"


PREVALENCES = (0.05, 0.2, 0.5, 0.9)
PRECISION = {
    "40 items, prevalence .05; .2; .5; .9": (40, Grouping()),
    "100 items, the same": (100, Grouping()),
    "400 items, the same": (400, Grouping()),
    "12 clusters, 120 items, correlation .5, the same": (120, Grouping(12, False, 0.5)),
}


def precision(runs: int) -> Iterator[str]:
    yield "| Average precision, normal scores | no information | 1.5 standard deviations apart |"
    yield "| --- | --- | --- |"
    for name, (items, grouping) in PRECISION.items():
        cells = []
        for apart in (0.0, 1.5):
            said = []
            for prevalence in PREVALENCES:
                setting = Areas(items, prevalence, apart, 0, grouping)
                rng, truth = np.random.default_rng(3), setting.truth()["average_precision"]
                ours = Tally()
                for _ in range(runs):
                    found = PrecisionArea.of(*_sample(setting, rng))
                    ours.add(_ends(found.interval(0.95)), truth)
                said.append(ours.words)
            cells.append("; ".join(said))
        yield f"| {name} | {' | '.join(cells)} |"


# --- correlations -----------------------------------------------------------------------------

Pair = tuple[Floats, Floats]


def normal(rng: Rng, code: Ints, shared: float = 0.0, r: float = 0.7, shift: float = 0.0) -> Pair:
    """Two normal scores with a correlation, of which clusters share a part of the variance."""
    x, noise = (
        np.sqrt(shared) * rng.normal(size=int(code.max()) + 1)[code]
        + np.sqrt(1 - shared) * rng.normal(size=len(code))
        for _ in range(2)
    )
    return x, r * x + np.sqrt(1 - r**2) * noise + shift


def unlike(rng: Rng, code: Ints) -> Pair:
    """Counts that are lognormal but for rounding, and five grades that follow them closely."""
    x, y = normal(rng, code, r=0.999)
    return np.floor(np.exp(0.9 * x)), np.clip(np.round(1.3 * y + 3.7), 1, 5)


def mostly_zero(rng: Rng, code: Ints) -> Pair:
    """85 % of either side are 0, the others lognormal."""
    return tuple(
        np.where(one > 1.036, np.exp(2 * (one - 1.036)), 0.0) for one in normal(rng, code, r=0.97)
    )


def lognormal(rng: Rng, code: Ints) -> Pair:
    x, y = normal(rng, code)
    return np.exp(x), np.exp(y)


def gross(rng: Rng, code: Ints) -> Pair:
    """One score in twenty of the second side is ten standard deviations out, to either end."""
    x, y = normal(rng, code)
    far = 10.0 * rng.choice([-1, 1], len(code))
    return x, np.where(rng.random(len(code)) < 0.05, far, y)


def both_gross(rng: Rng, code: Ints) -> Pair:
    """One item in twenty has two scores that spread ten times as far, and are unrelated."""
    x, y = normal(rng, code)
    wild = rng.random(len(code)) < 0.05
    return tuple(np.where(wild, 10 * rng.normal(size=len(code)), one) for one in (x, y))


Drawn = Callable[[Rng, Ints], Pair]
CORRELATIONS: dict[str, tuple[Drawn, int, Grouping]] = {
    "30 items, normal, .7": (normal, 30, Grouping()),
    "30 items, lognormal": (lognormal, 30, Grouping()),
    "100 items, lognormal": (lognormal, 100, Grouping()),
    "30 items, 5 % gross errors of one side": (gross, 30, Grouping()),
    "100 items, 5 % gross errors of one side": (gross, 100, Grouping()),
    "30 items, 5 % gross errors of both": (both_gross, 30, Grouping()),
    "100 items, 5 % gross errors of both": (both_gross, 100, Grouping()),
    "8 clusters of 10, normal, half of the variance shared": (
        partial(normal, shared=0.5),
        80,
        Grouping(8),
    ),
    "20 clusters of Pareto sizes, 200 items, a fifth shared": (
        partial(normal, shared=0.2),
        200,
        Grouping(20, heavy=True),
    ),
    "80 items, normal, .999": (partial(normal, r=0.999), 80, Grouping()),
    "32 items, skewed counts against five grades": (unlike, 32, Grouping()),
    "30 items, 85 % of both sides 0": (mostly_zero, 30, Grouping()),
    "200 items, 85 % of both sides 0": (mostly_zero, 200, Grouping()),
    "6 clusters of 8, normal, .97 and a shift of .6, .7 of the variance shared": (
        partial(normal, shared=0.7, r=0.97, shift=0.6),
        48,
        Grouping(6),
    ),
    "12 clusters of 5, normal, -.8, .7 of the variance shared": (
        partial(normal, shared=0.7, r=-0.8),
        60,
        Grouping(12),
    ),
}
NAMES = {"pearson": "Pearson", "lin_concordance": "Lin", "icc": "ICC"}


def correlations(runs: int) -> Iterator[str]:
    heads = " | ".join(f"ours: {name}" for name in NAMES.values())
    yield f"| Pearson, Lin, ICC | simpler: Pearson | {heads} | warned |"
    yield "| --- " * (3 + len(NAMES)) + "|"
    for name, (drawn, items, grouping) in CORRELATIONS.items():
        many = drawn(np.random.default_rng(4), np.arange(2_000_000))
        truth = {one: float(getattr(correlation, one)(*many)) for one in NAMES}
        rng, ours, plain = np.random.default_rng(5), {one: Tally() for one in NAMES}, Tally()
        warned = 0
        for _ in range(runs):
            code = grouping.codes(items, rng)
            x, y = drawn(rng, code)
            for one, tally in ours.items():
                found = getattr(metrics, one)(x, y, clusters=code)
                tally.add(_of(found), truth[one])
                if one == "pearson" and isinstance(found, Estimate):
                    warned += bool(found.warnings)
                    z, reach = np.arctanh(found.value), Z / np.sqrt(items - 3)
                    ends = np.tanh([z - reach, z + reach])
                    plain.add((float(ends[0]), float(ends[1])), truth[one])
        cells = " | ".join(tally.words for tally in ours.values())
        yield f"| {name} | {plain.words} | {cells} | {_share(warned / runs)} |"


RANKS = {"spearman": "Spearman", "kendall_tau_b": "Kendall"}
#: The jackknife of ranks takes long with more items.
MOST_RANKED = 80


def ranks(runs: int) -> Iterator[str]:
    yield f"| {', '.join(RANKS.values())} | {' | '.join(f'ours: {x}' for x in RANKS.values())} |"
    yield "| --- " * (1 + len(RANKS)) + "|"
    for name, (drawn, items, grouping) in CORRELATIONS.items():
        if items > MOST_RANKED:
            continue
        many = drawn(np.random.default_rng(4), np.arange(400_000))
        truth = {one: float(getattr(correlation, one)(*many)) for one in RANKS}
        rng, ours = np.random.default_rng(8), {one: Tally() for one in RANKS}
        for _ in range(runs):
            code = grouping.codes(items, rng)
            x, y = drawn(rng, code)
            for one, tally in ours.items():
                tally.add(_of(getattr(metrics, one)(x, y, clusters=code)), truth[one])
        yield f"| {name} | {' | '.join(tally.words for tally in ours.values())} |"


# --- options ----------------------------------------------------------------------------------

SHARES = ((0.5, 0.3, 0.15, 0.03, 0.02), (0.6, 0.2, 0.1, 0.05, 0.05))


def options(runs: int) -> Iterator[str]:
    yield "| Macro-F1, five options | simpler | ours |"
    yield "| --- | --- | --- |"
    judge = np.where(np.eye(5, dtype=bool), 0.85, 0.15 / 4)
    for shares in SHARES:
        said = ", ".join(f"{share:g}".lstrip("0") for share in shares)
        for items in (100, 300):
            rng, table = np.random.default_rng(6), np.array(shares)[:, None] * judge
            truth, ours, plain = float(agreement.macro_f1(table)), Tally(), Tally()
            for counts in rng.multinomial(items, table.ravel(), size=runs):
                square = counts.reshape(5, 5)
                ours.add(_of(metrics.macro_f1(counts=square, draws=600)), truth)
                again = rng.multinomial(items, counts / items, size=400).reshape(-1, 5, 5)
                low, high = np.quantile(agreement.macro_f1(again), [0.025, 0.975])
                plain.add((float(low), float(high)), truth)
            yield f"| {items} items, shares {said}, 85 % right | {plain.words} | {ours.words} |"


TABLES = {
    "strictness": strictness,
    "area": area,
    "precision": precision,
    "correlations": correlations,
    "ranks": ranks,
    "options": options,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help=f"of {', '.join(TABLES)}; else all")
    parser.add_argument("--runs", type=int, default=2_000)
    asked = parser.parse_args()
    for name in asked.names or TABLES:
        for line in TABLES[name](asked.runs):
            print(line, flush=True)
        print()


if __name__ == "__main__":
    main()
