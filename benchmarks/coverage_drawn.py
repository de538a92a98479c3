"""Coverage and length of agreement's intervals where labels were drawn by a judge's verdict.

    python benchmarks/coverage_drawn.py [--runs N] [--only KIND] [--part I/N] [--held-out]

A pool of items has verdicts; people label some of each verdict (all that are flagged and 30 of the
rest, as many of each, few of one). `after` is what `agree` gives: strata of known size. `before`
takes the labels for decisions of unequal weight. `delta` is the normal interval of the stratified
estimate, `bootstrap` percentiles of labels drawn again within verdicts. All on the same samples. A
cell is a setting and a coefficient; lengths are compared with the shorter of the other three that
cover .93 in it, which are made of every fourth sample. Truth is that of the population which the
pool is drawn from. The tables are in `docs/intervals.md`.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from goldassay.counts.modes import LabelDraw, Tables
from goldassay.inference.cells import Cells
from goldassay.inference.draw import Draw
from goldassay.metrics.registry import TABLE_METRICS
from goldassay.metrics.tables import Setting
from goldassay.questions.agree.judges import counted

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

TWO = "accuracy sensitivity specificity precision cohen_kappa f1 reference_rate"
SEVERAL = "accuracy balanced_accuracy cohen_kappa macro_f1"
#: What is compared, and the coverage from which a candidate counts.
WAYS, ENOUGH, LEVEL = ("after", "before", "delta", "bootstrap"), 0.93, 0.95
DRAWS = 1_000
#: The others are made of every so many samples: their lengths need no more.
EVERY = 4


@dataclass(frozen=True)
class Population:
    """Shares of (stratum, label, verdict) in the population, and how labels are drawn."""

    kind: str
    name: str
    joint: Floats  # [H, K, K]
    pool: int
    labels: tuple[int, ...]
    #: Items of one cluster, and how alike they are (a share of clusters' cells are all one).
    together: int = 1
    alike: float = 0.0

    @cached_property
    def metrics(self) -> list[str]:
        return (TWO if self.joint.shape[1] == 2 else SEVERAL).split()

    @property
    def setting(self) -> Setting:
        size = self.joint.shape[1]
        two = size == 2
        scale = "binary" if two else "nominal"
        return Setting(scale, size, 0 if two else None, np.eye(size), "unweighted")

    def values(self, tables: Floats) -> Floats:
        """Each coefficient of tables [..., K, K], last axis."""
        found = [TABLE_METRICS[name].compute(tables, self.setting) for name in self.metrics]
        return np.stack([np.asarray(one, np.float64) for one in found], -1)


def _by_verdict(flagged: float, right: float, missed: float) -> Floats:
    """A judge flags so many, of which `right` are so, and `missed` of the others."""
    joint = np.zeros((2, 2, 2))
    joint[0, :, 0] = flagged * np.array([right, 1 - right])
    joint[1, :, 1] = (1 - flagged) * np.array([missed, 1 - missed])
    return joint


def _other_judge(rate: float, drawing: tuple[float, float], other: tuple[float, float]) -> Floats:
    """Labels by the verdict of one judge, agreement of another: sensitivity, specificity each."""
    of_label = np.array([rate, 1 - rate])
    says = [np.array([[one[0], 1 - one[0]], [1 - one[1], one[1]]]) for one in (drawing, other)]
    return np.einsum("k,kh,kv->hkv", of_label, *says)


def _several(verdicts: Sequence[float], right: Sequence[float]) -> Floats:
    """Verdicts this common, each right so often, else any other option."""
    size = len(verdicts)
    joint = np.zeros((size, size, size))
    for v, (share, hit) in enumerate(zip(verdicts, right, strict=True)):
        joint[v, :, v] = share * np.where(np.arange(size) == v, hit, (1 - hit) / (size - 1))
    return joint


ALL = 10**9
GRID: tuple[Population, ...] = (
    *(
        Population("own", f"{flagged:g} flagged, {right:g}, {missed:g}", joint, 1_000, labels)
        for flagged, right, missed in (
            (0.05, 0.6, 0.04),
            (0.2, 0.75, 0.04),
            (0.2, 0.97, 0.2),
            (0.5, 0.97, 0.005),
        )
        for joint in [_by_verdict(flagged, right, missed)]
        for labels in ((ALL, 30), (60, 60), (20, 100))
    ),
    # What thirty labels without an error do not rule out: who takes it for ruled out fails here.
    Population("own", "0.5 flagged, 0.97, 0.05", _by_verdict(0.5, 0.97, 0.05), 1_000, (ALL, 30)),
    *(
        Population("other", f"rate {rate:g}", _other_judge(rate, one, two), 1_000, labels)
        for rate, one, two in ((0.1, (0.8, 0.95), (0.7, 0.9)), (0.5, (0.9, 0.8), (0.95, 0.97)))
        for labels in ((100, 30), (60, 60))
    ),
    *(
        Population("several", f"{len(v)} options", _several(v, right), 1_500, tuple([n] * len(v)))
        for v, right in (
            ((0.7, 0.2, 0.1), (0.95, 0.7, 0.6)),
            ((0.3, 0.3, 0.2, 0.1, 0.1), (0.9, 0.8, 0.7, 0.8, 0.9)),
        )
        for n in (15, 40)
    ),
    *(
        Population(
            "clusters", f"{flagged:g} flagged, alike {alike:g}", joint, 1_200, labels, m, alike
        )
        for flagged, joint in (
            (0.2, _by_verdict(0.2, 0.75, 0.04)),
            (0.5, _by_verdict(0.5, 0.9, 0.1)),
        )
        for labels in ((150, 90),)
        for m, alike in ((30, 0.2), (10, 0.5))
    ),
)


#: Written down when the method stood, and measured once: other prevalences, numbers of options,
#: share-outs and sizes of clusters than those of the grid.
HELD_OUT: tuple[Population, ...] = (
    Population("own", "0.1 flagged, 0.4, 0.02", _by_verdict(0.1, 0.4, 0.02), 2_000, (ALL, 80)),
    Population("own", "0.35 flagged, 0.85, 0.1", _by_verdict(0.35, 0.85, 0.1), 600, (25, 50)),
    Population(
        "other", "rate 0.25", _other_judge(0.25, (0.7, 0.9), (0.85, 0.85)), 1_500, (80, 120)
    ),
    Population(
        "several",
        "4 options",
        _several((0.55, 0.25, 0.15, 0.05), (0.9, 0.75, 0.8, 0.5)),
        2_000,
        (50, 30, 30, 20),
    ),
    Population(
        "clusters",
        "0.3 flagged, alike 0.35",
        _by_verdict(0.3, 0.8, 0.08),
        1_000,
        (100, 60),
        20,
        0.35,
    ),
    Population(
        "clusters", "0.1 flagged, alike 0.1", _by_verdict(0.1, 0.7, 0.03), 2_400, (120, 150), 8, 0.1
    ),
)


def drawn(one: Population, rng: np.random.Generator) -> tuple[Tables, Floats]:
    """A pool with its labels as patterns, and the labelled counts [H, K, K]."""
    clusters = one.pool // one.together
    flat = one.joint.reshape(-1)
    own = rng.choice(flat.size, (clusters, one.together), p=flat)
    common = rng.choice(flat.size, (clusters, 1), p=flat)
    cell = np.where(rng.random(own.shape) < one.alike, common, own).reshape(-1)
    cluster = np.repeat(np.arange(clusters), one.together)
    stratum, label, verdict = np.unravel_index(cell, one.joint.shape)
    rated = np.zeros(len(cell), bool)
    stands = np.ones(len(cell))
    for h, n in enumerate(one.labels):
        members = np.flatnonzero(stratum == h)
        rated[rng.permutation(members)[:n]] = True
        stands[members] = len(members) / max(min(n, len(members)), 1)
    stands *= rated.sum() / max(stands[rated].sum(), 1e-300)
    size, alone = one.joint.shape[1], one.together == 1
    owner = np.arange(len(cell))
    n = np.ones(len(cell), np.int64)
    if alone:  # equal items are one pattern
        keys = np.stack([rated, stratum, np.where(rated, label, 0), np.where(rated, verdict, 0)])
        _, first, n = np.unique(keys, axis=1, return_index=True, return_counts=True)
        rated, stratum, label, verdict, stands, cluster = (
            x[first] for x in (rated, stratum, label, verdict, stands, cluster)
        )
        owner = np.arange(len(first))
    at = owner[rated]
    cells = Cells(
        at, np.zeros(len(at), np.int64), label[rated], verdict[rated], stands[rated],
        (len(owner), 1, size),
    )  # fmt: skip
    names = tuple(map(str, range(size)))
    draw = LabelDraw(stratum.astype(np.int64), rated, stands)
    tables = Tables(names, size, cells, n, cluster, alone, draw=draw)
    counts = np.zeros(one.joint.shape)
    np.add.at(counts, (stratum[rated], label[rated], verdict[rated]), n[rated])
    return tables, counts


def textbook(
    one: Population, counts: Floats, pool: Floats, rng: np.random.Generator
) -> list[Floats]:
    """Ends [2, metrics] of the normal interval within strata, and of percentiles of resamples."""
    number = np.maximum(counts.sum((1, 2)), 1)
    shares = counts / number[:, None, None]
    weight = pool / pool.sum()

    def put_together(parts: Floats) -> Floats:
        return one.values(np.tensordot(weight, parts, axes=(0, -3)))

    value, variance = put_together(shares), 0.0
    for h, n in enumerate(number):
        flat = shares[h].reshape(-1)
        used = np.flatnonzero(flat)
        moved = np.repeat(shares[None], len(used), 0)
        moved[np.arange(len(used)), h] *= 1 - 1e-5
        moved[:, h].reshape(len(used), -1)[np.arange(len(used)), used] += 1e-5
        slope = (put_together(moved) - value) / 1e-5
        variance = variance + flat[used] @ slope**2 / n
    reach = 1.96 * np.sqrt(variance)
    again = np.stack(
        [
            rng.multinomial(n, shares[h].reshape(-1), 400).reshape(-1, *shares.shape[1:]) / n
            for h, n in enumerate(number)
        ],
        1,
    )
    ends = np.nanquantile(put_together(again), [0.025, 0.975], axis=0)
    return [np.stack([value - reach, value + reach]), ends]


def measured(one: Population, runs: int) -> tuple[Floats, Floats]:
    """Coverage and mean length [ways, metrics]."""
    rng = np.random.default_rng(
        [len(one.name), one.pool, *one.labels, round(one.joint[0, 0, 0] * 1e6)]
    )
    truth = one.values(one.joint.sum(0))
    ends = np.full((runs, len(WAYS), 2, len(truth)), np.nan)
    for run in range(runs):
        tables, counts = drawn(one, rng)
        assert tables.draw is not None
        stratum = tables.draw.stratum
        pool = np.bincount(stratum, tables.n, len(one.labels))
        draw = Draw(DRAWS, run, LEVEL)
        both = (tables, replace(tables, draw=None)) if run % EVERY == 0 else (tables,)
        for way, given in enumerate(both):
            found = counted(given, one.setting, draw)
            if found is None:
                continue
            for at, name in enumerate(one.metrics):
                metric = TABLE_METRICS[name]
                value = float(metric.compute(found.table, one.setting))
                if np.isnan(value):
                    continue
                interval = metric.interval(found, value, LEVEL)
                if interval is not None:
                    ends[run, way, :, at] = interval.low, interval.high
        if run % EVERY == 0 and (counts.sum((1, 2)) > 0).all():
            with np.errstate(all="ignore"):
                ends[run, 2:] = textbook(one, counts, pool, rng)
    low, high = ends[:, :, 0], ends[:, :, 1]
    with np.errstate(invalid="ignore"):
        held = (low <= truth + 1e-12) & (truth - 1e-12 <= high)
    known = np.isfinite(low) & np.isfinite(high)
    covered = held.sum(0) / np.maximum(known.sum(0), 1)
    return covered, np.nansum(np.where(known, high - low, 0), 0) / np.maximum(known.sum(0), 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=2_000)
    parser.add_argument("--only", default="", help="own, other, several or clusters")
    parser.add_argument("--part", default="0/1", help="every N-th setting, from the I-th")
    parser.add_argument("--held-out", action="store_true", help="settings beside the grid")
    parser.add_argument("--each", action="store_true", help="every coefficient of every setting")
    asked = parser.parse_args()
    part, of = map(int, asked.part.split("/"))
    grid = [one for one in (HELD_OUT if asked.held_out else GRID) if asked.only in ("", one.kind)][
        part::of
    ]
    heads = "| Labels drawn | setting | labels |"
    print(heads, " | ".join(f"{way}: covered (length)" for way in WAYS), "| longest |")
    print("| --- " * (4 + len(WAYS)) + "|")
    for one in grid:
        covered, length = measured(one, asked.runs)
        enough = covered[1:] >= ENOUGH
        shortest = np.where(enough, length[1:], np.inf).min(0)
        ratio = np.where(enough.any(0), length[0] / shortest, 0.0)  # 0: none covers
        labels = ", ".join("all" if n == ALL else str(n) for n in one.labels)
        cells = [f"{c.min():.3f} ({n.mean():.3f})" for c, n in zip(covered, length, strict=True)]
        print(
            f"| {one.kind} | {one.name} | {labels} |",
            " | ".join(cells),
            f"| {ratio.max():.2f} |",
            flush=True,
        )
        if asked.each:
            for way, c, n in zip(WAYS, covered, length, strict=True):
                told = (f"{m} {x:.3f} ({y:.3f})" for m, x, y in zip(one.metrics, c, n, strict=True))
                print(f"    {way}:", ", ".join(told), flush=True)


if __name__ == "__main__":
    main()
