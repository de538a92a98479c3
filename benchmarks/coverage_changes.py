"""Coverage and length of the paired interval of a change between two versions of a judge.

    python benchmarks/coverage_changes.py                  tables of docs/theory/figures.md
    python benchmarks/coverage_changes.py --runs 200 lone  fewer runs, one table
    python benchmarks/coverage_changes.py --of accuracy lone    one coefficient

Beside it, on the same draws: for lone items Bonett and Price's interval, Newcombe's method 10 and
the Wald interval of the accuracy; for clusters Student's t of the clusters' influences with C - 1
degrees of freedom. A length is told against the shortest of those that cover .94 and had a length
in every sample: where no item changed, Wald's interval and the cluster t are the point 0. Versions
that are equally good make that a hit, and the mean length one of certainties that nobody has.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product

import numpy as np
from numpy.typing import NDArray
from strips import Row, picture

from goldassay.formulas import agreement as coefficients
from goldassay.inference.changes import ChangeLimits, Joint, change, change_limits
from goldassay.inference.cluster_spread import reaches_by_sizes
from goldassay.inference.clusters import student_quantile

Floats = NDArray[np.float64]
Statistic = Callable[[Floats], Floats]
Ends = tuple[float, float]

STATISTICS: dict[str, Statistic] = {
    "accuracy": coefficients.accuracy,
    "balanced_accuracy": coefficients.balanced_accuracy,
    "cohen_kappa": coefficients.cohen_kappa,
    "phi": coefficients.phi,
    "f1": partial(coefficients.f1, positive=0),
}
#: Share right of the old and the new version, for people's yes and no, and the share of errors
#: that both versions share of those that they can.
VERSIONS = {
    "same": ((0.8, 0.8), (0.8, 0.8), 0.6),
    "better": ((0.75, 0.85), (0.9, 0.85), 0.6),
    "excellent": ((0.97, 0.98), (0.99, 0.98), 0.6),
    "mended only": ((0.8, 0.9), (0.9, 0.9), 1.0),
    "unlike": ((0.7, 0.7), (0.72, 0.68), 0.0),
}
Z = 1.959964


# --- lone items -------------------------------------------------------------------------------


def probabilities(prevalence: float, versions: str) -> Floats:
    """Of reference, old and new verdict [2, 2, 2]."""
    old_right, new_right, together = VERSIONS[versions]
    found = np.zeros((2, 2, 2))
    for reference, share in ((0, prevalence), (1, 1 - prevalence)):
        old, new = old_right[reference], new_right[reference]
        least = min(old, new)
        apart = np.array([[old * new, old * (1 - new)], [(1 - old) * new, (1 - old) * (1 - new)]])
        bound = np.array([[least, old - least], [new - least, 1 - max(old, new)]])
        right = together * bound + (1 - together) * apart
        for o, n in np.ndindex(2, 2):
            verdicts = tuple(reference if one == 0 else 1 - reference for one in (o, n))
            found[(reference, *verdicts)] += share * right[o, n]
    return found


def joint_of(tables: Floats, *, clustered: bool) -> Joint:
    """Counts [C, 2, 2, 2] by cluster, or of lone items [2, 2, 2]."""
    if clustered:
        padded = np.pad(tables, ((0, 0), (0, 0), (0, 1), (0, 1)))
        return Joint(padded, np.ones(len(tables), np.int64), int(tables.sum()), clustered=True)
    one = np.pad(np.eye(8).reshape(8, 2, 2, 2), ((0, 0), (0, 0), (0, 1), (0, 1)))
    times = tables.ravel().astype(np.int64)
    return Joint(one[times > 0], times[times > 0], int(times.sum()), clustered=False)


def changed(table: Floats) -> tuple[float, float, float, float]:
    """Both right, mended, spoilt, both wrong."""
    right = np.array([[[1, 0], [0, 0]], [[0, 0], [0, 1]]])
    wrong = right[:, ::-1, ::-1]
    spoilt = np.array([[[0, 1], [0, 0]], [[0, 0], [1, 0]]])
    return tuple(
        float((table * one).sum()) for one in (right, spoilt[:, ::-1, ::-1], spoilt, wrong)
    )  # type: ignore[return-value]


def wald(table: Floats, pseudo: float = 0.0) -> Ends:
    """The paired Wald interval of the accuracy; with one pseudo-item each Bonett and Price's."""
    _, mended, spoilt, _ = changed(table)
    n = table.sum() + 2 * pseudo
    up, down = (mended + pseudo) / n, (spoilt + pseudo) / n
    half = Z * np.sqrt((up + down - (up - down) ** 2) / n)
    return up - down - half, up - down + half


def newcombe(table: Floats) -> Ends:
    """Newcombe's (1998) method 10 for paired proportions, with its corrected phi."""
    a, b, c, d = changed(table)
    n = a + b + c + d

    def wilson(x: float) -> Ends:
        centre, half = x + Z * Z / 2, Z * np.sqrt(x * (n - x) / n + Z * Z / 4)
        return (centre - half) / (n + Z * Z), (centre + half) / (n + Z * Z)

    (l1, u1), (l2, u2) = wilson(a + b), wilson(a + c)
    p1, p2 = (a + b) / n, (a + c) / n
    above, below = a * d - b * c, np.sqrt((a + b) * (c + d) * (a + c) * (b + d))
    phi = (max(above - n / 2, 0) if above > 0 else above) / below if below > 0 else 0.0
    down = (p1 - l1) ** 2 - 2 * phi * (p1 - l1) * (u2 - p2) + (u2 - p2) ** 2
    up = (p2 - l2) ** 2 - 2 * phi * (p2 - l2) * (u1 - p1) + (u1 - p1) ** 2
    return p1 - p2 - np.sqrt(max(down, 0)), p1 - p2 + np.sqrt(max(up, 0))


# --- clusters ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Clusters:
    """So many clusters of such sizes; shares mended and spoilt, correlated within clusters."""

    number: int
    sizes: str
    mended: float
    spoilt: float
    correlation: float
    prevalence: float = 0.3

    def __str__(self) -> str:
        return (
            f"{self.number} clusters of {self.sizes}; {100 * self.mended:g} % mended, "
            f"{100 * self.spoilt:g} % spoilt; correlation {self.correlation:g}"
        )

    def drawn(self, rng: np.random.Generator, number: int | None = None) -> Floats:
        clusters = number or self.number
        n = SIZES[self.sizes](rng, clusters)

        def rates(mean: float) -> Floats:
            if self.correlation == 0 or mean == 0:
                return np.full(clusters, mean)
            spread = 1 / self.correlation - 1
            return rng.beta(mean * spread, (1 - mean) * spread, clusters)

        mended, spoilt = rates(self.mended), rates(self.spoilt)
        over = np.maximum(mended + spoilt, 1.0)
        mended, spoilt = mended / over, spoilt / over
        positive = rng.binomial(n, rates(self.prevalence))
        found = np.zeros((clusters, 2, 2, 2))
        for r, items in ((0, positive), (1, n - positive)):
            up = rng.binomial(items, mended)
            left = np.where(mended < 1, spoilt / np.maximum(1 - mended, 1e-12), 0.0)
            down = rng.binomial(items - up, np.minimum(left, 1.0))
            both = rng.binomial(items - up - down, 0.8)
            found[:, r, 1 - r, r], found[:, r, r, 1 - r] = up, down
            found[:, r, r, r], found[:, r, 1 - r, 1 - r] = both, items - up - down - both
        return found


#: The last cluster of "1 to 5 and a giant" holds five sixths of all items.
SIZES: dict[str, Callable[[np.random.Generator, int], NDArray[np.int64]]] = {
    "10": lambda rng, c: np.full(c, 10),
    "25": lambda rng, c: np.full(c, 25),
    "1 to 20": lambda rng, c: rng.integers(1, 21, c),
    "Pareto": lambda rng, c: np.minimum(1 + (4 * rng.pareto(1.2, c)).astype(np.int64), 200),
    "7": lambda rng, c: np.full(c, 7),
    "1 to 60": lambda rng, c: rng.integers(1, 61, c),
    "4": lambda rng, c: np.full(c, 4),
    "1 to 35": lambda rng, c: rng.integers(1, 36, c),
    "lognormal": lambda rng, c: 1 + (6 * rng.lognormal(0.0, 1.0, c)).astype(np.int64),
}


def cluster_t(tables: Floats, statistic: Statistic) -> Ends:
    """Student's t of the clusters' influences, C - 1 degrees of freedom."""
    total, step = tables.sum(0), 1e-4 * np.eye(8).reshape(8, 2, 2, 2)
    slope = (_change(statistic, total + step) - _change(statistic, total - step)) / 2e-4
    cells = slope.reshape(2, 2, 2)
    cells = cells - (total * cells).sum() / total.sum()
    moved, clusters = np.tensordot(tables, cells, axes=3), len(tables)
    error = np.sqrt((moved**2).sum() * clusters / (clusters - 1))
    half, value = student_quantile(clusters - 1, 0.975) * error, float(_change(statistic, total))
    return value - half, value + half


def _change(statistic: Statistic, tables: Floats) -> Floats:
    return statistic(tables.sum(-2)) - statistic(tables.sum(-1))


# --- measuring --------------------------------------------------------------------------------


@dataclass
class Tally:
    """Coverage, length and how often a warning stood at the number, or no interval but a point."""

    hits: int = 0
    length: float = 0.0
    number: int = 0
    doubted: int = 0
    points: int = 0

    def add(self, ends: Ends, truth: float, *, doubted: bool = False) -> None:
        self.hits += ends[0] <= truth <= ends[1]
        self.length += ends[1] - ends[0]
        self.number += 1
        self.doubted += doubted
        self.points += bool(ends[1] - ends[0] < 1e-9)

    @property
    def coverage(self) -> float:
        return self.hits / max(self.number, 1)

    @property
    def mean_length(self) -> float:
        return self.length / max(self.number, 1)


Found = dict[str, dict[str, Tally]]


def lone(
    items: int, prevalence: float, versions: str, runs: int, seed: int = 20, of: str = ""
) -> Found:
    """Tallies by statistic (all, or one), then by interval: "goldassay" and the named ones."""
    rng, shares = np.random.default_rng(seed), probabilities(prevalence, versions)
    found: Found = {name: {} for name in STATISTICS if of in ("", name)}
    tables = rng.multinomial(items, shares.ravel(), runs).reshape(runs, 2, 2, 2).astype(float)
    for table in tables:
        joint = joint_of(table, clustered=False)
        for name in found:
            statistic = STATISTICS[name]
            truth = float(_change(statistic, shares))
            if np.isnan(_change(statistic, table)):
                continue
            ends = {"goldassay": _pair(change_limits(joint, statistic, confidence_level=0.95))}
            if name == "accuracy":
                ends |= {"Wald": wald(table), "Bonett-Price": wald(table, 1.0)}
                ends |= {"Newcombe 10": newcombe(table)}
            for method, one in ends.items():
                found[name].setdefault(method, Tally()).add(one, truth)
    return found


def _pair(limits: ChangeLimits) -> Ends:
    return limits.low, limits.high


def clustered(setting: Clusters, runs: int, seed: int = 20) -> Found:
    rng = np.random.default_rng(seed)
    everything = setting.drawn(rng, 40_000).sum(0)
    found: Found = {name: {} for name in ("accuracy", "balanced_accuracy", "cohen_kappa")}
    for _ in range(runs):
        tables = setting.drawn(rng)
        joint = joint_of(tables, clustered=True)
        for name, tally in found.items():
            statistic = STATISTICS[name]
            truth = float(_change(statistic, everything))
            if np.isnan(change(statistic, joint.total)):
                continue
            limits = change_limits(joint, statistic, confidence_level=0.95)
            ours = tally.setdefault("goldassay", Tally())
            ours.add(_pair(limits), truth, doubted=limits.doubtful)
            tally.setdefault("cluster t", Tally()).add(cluster_t(tables, statistic), truth)
    return found


# --- all runs of a setting at once ------------------------------------------------------------

REFERENCE, OLD, NEW = np.ogrid[:2, :2, :2]
ONLY_OLD = ((OLD == REFERENCE) & (NEW != REFERENCE)).astype(float)
ONLY_NEW = ((NEW == REFERENCE) & (OLD != REFERENCE)).astype(float)
CELLS = (-3, -2, -1)


def _influence(statistic: Statistic, tables: Floats) -> Floats:
    """Centred derivatives of the change at tables [R, 2, 2, 2]."""
    slopes = np.empty(tables.shape)
    for cell in np.ndindex(2, 2, 2):
        step = np.zeros((2, 2, 2))
        step[cell] = 1e-4
        above, below = _change(statistic, tables + step), _change(statistic, tables - step)
        slopes[(..., *cell)] = (above - below) / 2e-4
    mean = (tables * slopes).sum(CELLS) / tables.sum(CELLS)
    return slopes - mean[:, None, None, None]


def twin(tables: Floats, statistic: Statistic) -> Floats:
    """`change_limits` of clusters [R, C, 2, 2, 2]: low, high and doubtful [3, R].

    Written apart, for many runs at once; `measured` holds it against the function itself.
    """
    total, pseudo = tables.sum(1), (ONLY_OLD + ONLY_NEW) / 2
    sizes = tables.sum(CELLS)
    clusters, n = sizes.shape[1], sizes.sum(1)
    changed = (tables * (ONLY_OLD + ONLY_NEW)).sum(CELLS)
    both = changed.sum(1)
    effective = np.where(both > 0, both**2 / np.maximum((changed**2).sum(1), 1e-300), 0.0)
    largest = np.maximum(n / clusters, 1.0)

    def parts(smooth: Floats) -> tuple[Floats, Floats, Floats]:
        cells = _influence(statistic, smooth)
        squares = (smooth * cells**2).sum((-1, -2)) / smooth.sum((-1, -2))
        shares = (tables.sum((-1, -2)) * squares[:, None]).sum(-1)
        shares = np.minimum(shares / shares.sum(1, keepdims=True), 0.95)
        moved = (tables * cells[:, None]).sum(CELLS)
        return cells, shares, (moved**2 / (1 - shares)).sum(1)

    cells, _, over = parts(total + pseudo)
    alone = (total * cells**2).sum(CELLS)
    known = (both > 0) & (alone > 0)
    effect = np.where(known, np.clip(over / np.where(known, alone, 1.0), 1.0, largest), largest)
    doubt = 0.5 / (0.5 + effective)
    delta = effect ** (1 - doubt) * largest**doubt
    smooth = total + delta[:, None, None, None] * pseudo
    cells, h, over = parts(smooth)
    variance = over + delta**2 * (pseudo * cells**2).sum(CELLS)
    inverse = (h**2).sum(1) + (h**2 / (1 - h)).sum(1) ** 2 - (h**4 / (1 - h) ** 2).sum(1)
    reach = np.array([student_quantile(max(1 / one, 1.0), 0.975) for one in inverse])
    value, centre = _change(statistic, total), _change(statistic, smooth)
    half = reach * np.sqrt(variance)
    alone = smooth * cells * (ONLY_OLD + ONLY_NEW)
    above, below = np.maximum(alone, 0).sum(CELLS), -np.minimum(alone, 0).sum(CELLS)
    growth, t = variance * np.abs(above - below) / (above + below) ** 2, np.minimum(reach, 3.0)
    middle, root = t**2 * growth / 2, reach * np.sqrt(variance + (t * growth) ** 2 / 4)
    near, far = half - np.maximum(half - root + middle, 0) * 2 / 3, middle + root
    up, down = (total * ONLY_NEW).sum(CELLS), (total * ONLY_OLD).sum(CELLS)
    one_sided = (both > 0) & (np.minimum(up, down) <= 0.1 * both)
    moved = (tables * cells[:, None]).sum(CELLS)
    lower, upper = reaches_by_sizes(moved, sizes, np.ones(clusters), reach)
    low = centre - lower * np.where(above > below, near, far)
    high = centre + upper * np.where(above > below, far, near)
    low, high = np.minimum(low, value), np.maximum(high, value)
    return np.stack([low, high, (one_sided & (effect > 1.2)).astype(float)])


def cluster_ts(tables: Floats, statistic: Statistic) -> Floats:
    """`cluster_t` of many runs [R, C, 2, 2, 2]: low and high [2, R]."""
    total, clusters = tables.sum(1), tables.shape[1]
    moved = (tables * _influence(statistic, total)[:, None]).sum(CELLS)
    error = np.sqrt((moved**2).sum(1) * clusters / (clusters - 1))
    half, value = student_quantile(clusters - 1, 0.975) * error, _change(statistic, total)
    return np.stack([value - half, value + half])


def measured(
    setting: Clusters, runs: int, seed: int = 21, of: Sequence[str] = ("accuracy", "cohen_kappa")
) -> Found:
    """`clustered` for many runs; the first ones are held against the function that is shipped."""
    rng = np.random.default_rng(seed)
    everything = setting.drawn(rng, 40_000).sum(0)
    tables = np.stack([setting.drawn(rng) for _ in range(runs)])
    found: Found = {name: {} for name in of}
    for name, tally in found.items():
        statistic = STATISTICS[name]
        truth = float(_change(statistic, everything))
        with np.errstate(all="ignore"):
            usable = np.flatnonzero(np.isfinite(_change(statistic, tables.sum(1))))
            ends, plain = twin(tables[usable], statistic), cluster_ts(tables[usable], statistic)
        for place, run in enumerate(usable):
            if place < 5:
                joint = joint_of(tables[run], clustered=True)
                limits = change_limits(joint, statistic, confidence_level=0.95)
                assert np.allclose(_pair(limits), ends[:2, place], atol=1e-5)
                assert limits.doubtful == bool(ends[2, place])
            low, high, doubted = ends[:, place]
            ours = tally.setdefault("goldassay", Tally())
            ours.add((low, high), truth, doubted=bool(doubted))
            tally.setdefault("cluster t", Tally()).add((plain[0, place], plain[1, place]), truth)
    return found


LONE = list(product((20, 60, 300), (0.1, 0.5), VERSIONS))
#: Shares mended and spoilt, and the correlation: common, rare, one-sided.
KINDS = (
    (0.15, 0.15, 0.0),
    (0.15, 0.15, 0.2),
    (0.2, 0.1, 0.1),
    (0.03, 0.03, 0.1),
    (0.02, 0.02, 0.0),
)
ONE_SIDED = ((0.06, 0.0, 0.0), (0.06, 0.002, 0.2), (0.15, 0.0, 0.2))
GRID = [
    Clusters(number, sizes, *kind)
    for sizes, number, kind in product(("10", "25", "1 to 20", "Pareto"), (8, 15, 40), KINDS)
]
#: Not looked at while the method was chosen.
HELD_OUT = [
    Clusters(number, sizes, *kind)
    for sizes, number, kind in product(
        ("7", "1 to 60"), (10, 20, 100), ((0.1, 0.12, 0.3), (0.08, 0.05, 0.05), (0.04, 0.02, 0.0))
    )
]
BY_CLUSTERS = [
    Clusters(number, sizes, *kind)
    for sizes, number, kind in product(("10", "25", "1 to 20", "Pareto"), (8, 15, 40), ONE_SIDED)
]

#: One-sided changes, drawn up after the end beyond them was fixed, and after both ends were.
ONE_SIDED_HELD_OUT = [
    Clusters(number, sizes, *kind)
    for sizes, number, kind in product(
        ("7", "1 to 60", "lognormal"),
        (12, 25, 60),
        ((0.04, 0.001, 0.3), (0.1, 0.005, 0.1), (0.25, 0.01, 0.3), (0.0, 0.08, 0.15)),
    )
] + [
    Clusters(number, sizes, *kind)
    for sizes, number, kind in product(
        ("4", "1 to 35", "lognormal"),
        (10, 30, 80),
        ((0.05, 0.002, 0.25), (0.12, 0.0, 0.1), (0.01, 0.2, 0.2), (0.08, 0.004, 0.05)),
    )
]

GRIDS = {
    "clusters": GRID,
    "held-out": HELD_OUT,
    "one-sided": BY_CLUSTERS,
    "one-sided-held-out": ONE_SIDED_HELD_OUT,
}


def against_shortest(tallies: dict[str, Tally]) -> float | None:
    """The mean length over that of the shortest named interval that covers .94, None if none does.

    One that is a point in some sample is no candidate: it claims there to know the change exactly.
    """
    others = (tally for method, tally in tallies.items() if method != "goldassay")
    named = [one.mean_length for one in others if one.coverage >= 0.94 and not one.points]
    return tallies["goldassay"].mean_length / min(named) if named else None


def _lines(found: list[tuple[str, Found]]) -> Iterator[str]:
    yield "| Setting | Interval of | Coverage | Length | x shortest that covers | Doubted |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for setting, one in found:
        for name, tallies in one.items():
            ours, factor = tallies["goldassay"], against_shortest(tallies)
            against = "none covers" if factor is None else f"{factor:.2f}"
            yield (
                f"| {setting} | `{name}` | {ours.coverage:.3f} | {ours.mean_length:.3f} |"
                f" {against} | {ours.doubted / max(ours.number, 1):.2f} |"
            )


def summary(found: list[tuple[str, Found]]) -> Iterator[str]:
    """Lowest and mean coverage, and lengths against the shortest named interval that covers."""
    yield "| Interval of | Settings | Lowest coverage | Mean | x shortest: mean | largest |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for name in found[0][1]:
        tallies = [one[name] for _, one in found]
        covered = [one["goldassay"].coverage for one in tallies]
        factors = [factor for one in tallies if (factor := against_shortest(one))]
        length = f"{np.mean(factors):.2f} | {max(factors):.2f}" if factors else " | "
        yield (
            f"| `{name}` | {len(covered)} | {min(covered):.3f} | {np.mean(covered):.3f} |"
            f" {length} |"
        )


def strips(found: list[tuple[str, Found]], kind: str) -> list[Row]:
    """A row for each interval of the accuracy, and goldassay's of the other coefficients."""
    rows = [
        Row(
            f"{kind}, {name}".replace("_", " "),
            [one[name]["goldassay"].coverage for _, one in found],
        )
        for name in found[0][1]
    ]
    others = [method for method in found[0][1]["accuracy"] if method != "goldassay"]
    rows += [
        Row(f"{kind}: {method}", [one["accuracy"][method].coverage for _, one in found], ours=False)
        for method in others
    ]
    return rows


def main(runs: int, names: list[str], plot: str | None, of: str = "") -> None:
    drawn: list[Row] = []
    for name in names or ["lone", *GRIDS]:
        if name == "lone":
            found = [(f"{n} items, {p:g}, {v}", lone(n, p, v, runs, of=of)) for n, p, v in LONE]
        else:
            found = [(str(setting), measured(setting, runs)) for setting in GRIDS[name]]
        print(f"\n{name}, {runs} runs\n")
        print("\n".join([*summary(found), "", *_lines(found)]), flush=True)
        drawn += strips(found, name)
    if plot:
        picture(plot, f"Changes between two versions, {runs:,} runs a dot", drawn)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=2_000)
    parser.add_argument("--plot", help="write a picture of the coverage to this SVG")
    parser.add_argument("--of", default="", choices=["", *STATISTICS], help="lone: one statistic")
    parser.add_argument("names", nargs="*", default=[])
    arguments = parser.parse_args()
    main(arguments.runs, arguments.names, arguments.plot, arguments.of)
