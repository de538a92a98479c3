"""Coverage and length of goldassay's default intervals for agreement, beside the textbook's.

    python benchmarks/coverage_agreement.py            prints the tables of docs/theory/figures.md
    python benchmarks/coverage_agreement.py --clusters prints the table for repeated clusters
    python benchmarks/coverage_agreement.py --held-out for harder ones, some unseen
    python benchmarks/coverage_agreement.py --kinds    clusters of two kinds, by how many are bad
    python benchmarks/coverage_agreement.py --quick    a smaller run

With `--plot FILE` the pictures of docs/intervals.md are drawn, of lone decisions and `--clusters`.

Tables of 2 x 2 counts are drawn from a judge of known sensitivity and specificity; the interval of
each distinct table is computed by the code that `goldassay agree` runs. Samples in which a metric
is undefined are left out of its coverage, and their share is reported.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from itertools import product

import numpy as np
from strips import Row, picture

from goldassay.formulas.agreement import cohen_kappa_standard_error
from goldassay.inference.posterior import HedgedDraws, hedged_draws
from goldassay.metrics.registry import TABLE_METRICS
from goldassay.metrics.tables import Counted, Setting
from goldassay.results import Estimate

Z = 1.959963984540054
PREVALENCES = (0.05, 0.1, 0.3, 0.5)
SIZES = (30, 50, 100, 300)
#: (sensitivity, specificity)
JUDGES = {"weak": (0.65, 0.65), "good": (0.85, 0.85), "excellent": (0.95, 0.98)}
NAMES = ("accuracy", "balanced_accuracy", "cohen_kappa", "phi", "f1")
#: One item in each cell: what a cluster of one decision may be.
SINGLE = np.eye(4).reshape(4, 2, 2)
SETTING = Setting("binary", 2, 0, np.eye(2), "unweighted")
ONE = np.eye(4).reshape(4, 2, 2)


def truth(prevalence: float, judge: tuple[float, float]) -> np.ndarray:
    s, p = judge
    return np.array(
        [[prevalence * s, prevalence * (1 - s)], [(1 - prevalence) * (1 - p), (1 - prevalence) * p]]
    )


def textbook(name: str, t: np.ndarray) -> tuple[float, float]:
    """The interval that a textbook gives: Wald, delta method, Fleiss-Cohen-Everitt, Fisher's z."""
    n, value = t.sum(), float(TABLE_METRICS[name].compute(t, SETTING))
    p = t / n
    if name == "accuracy":
        error = np.sqrt(value * (1 - value) / n)
    elif name == "balanced_accuracy":
        recalls, rows = np.diag(t) / t.sum(1), t.sum(1)
        error = np.sqrt((recalls * (1 - recalls) / rows).sum()) / 2
    elif name == "cohen_kappa":
        error = float(cohen_kappa_standard_error(t))
    elif name == "phi":
        inner = np.arctanh(np.clip(value, -1 + 1e-12, 1 - 1e-12))
        reach = Z / np.sqrt(n - 3)
        return float(np.tanh(inner - reach)), float(np.tanh(inner + reach))
    else:
        size = p[0].sum() + p[:, 0].sum()
        spread = 4 * (1 - value) ** 2 * p[0, 0] + value**2 * (p[0, 1] + p[1, 0])
        error = np.sqrt(spread / size**2 / n)
    return value - Z * error, value + Z * error


def hedged(table: np.ndarray, draws: int) -> HedgedDraws:
    return hedged_draws(ONE, table.ravel(), draws=draws, seed=1, clustered=False)


def cell(
    prevalence: float, n: int, judge: tuple[float, float], *, samples: int, draws: int, seed: int
) -> dict[str, tuple[float, float, float, float, float]]:
    """For each metric: coverage, mean length, the textbook's two, share of undefined samples."""
    rng = np.random.default_rng(seed)
    shares = truth(prevalence, judge)
    drawn = rng.multinomial(n, shares.ravel(), size=samples)
    tables, times = np.unique(drawn, axis=0, return_counts=True)
    exact = {name: float(TABLE_METRICS[name].compute(shares, SETTING)) for name in NAMES}
    sums = {name: np.zeros(5) for name in NAMES}
    for row, weight in zip(tables, times, strict=True):
        table = row.reshape(2, 2).astype(float)
        counted = Counted(table, SETTING, hedged(table, draws), n, SINGLE, row)
        for name in NAMES:
            result = TABLE_METRICS[name].estimate(counted, confidence_level=0.95, declared={})
            if not isinstance(result, Estimate):
                sums[name][4] += weight
                continue
            assert result.interval is not None
            low, high = textbook(name, table)
            sums[name][:4] += weight * np.array(
                [
                    exact[name] in result.interval,
                    result.interval.length,
                    low <= exact[name] <= high,
                    high - low,
                ]
            )
    out = {}
    for name in NAMES:
        defined = max(samples - sums[name][4], 1)
        a, b, c, d = (float(x) for x in sums[name][:4] / defined)
        out[name] = (a, b, c, d, float(sums[name][4] / samples))
    return out


def grid(samples: int, draws: int, say: Callable[[str], None] = lambda _: None) -> dict:
    out = {}
    for k, (quality, judge) in enumerate(JUDGES.items()):
        for prevalence in PREVALENCES:
            for n in SIZES:
                key = (quality, prevalence, n)
                out[key] = cell(
                    prevalence, n, judge, samples=samples, draws=draws, seed=1000 * k + n
                )
                say(f"{key} {min(v[0] for v in out[key].values()):.3f}")
    return out


def clustered(
    clusters: int, size: int, correlation: float, prevalence: float, *, samples: int, draws: int
) -> dict[str, tuple[float, float]]:
    """Coverage for clusters whose rates vary (beta), goldassay's and the percentile bootstrap's."""
    rng = np.random.default_rng(clusters + size)
    sensitivity = specificity = 0.85 if prevalence > 0.2 else 0.95
    shares = truth(prevalence, (sensitivity, specificity))
    hits = {name: np.zeros(5) for name in CLUSTERED}

    def rate(p: float) -> np.ndarray:
        spread = 1 / correlation - 1 if correlation else 0
        return rng.beta(p * spread, (1 - p) * spread, clusters) if spread else np.full(clusters, p)

    for seed in range(samples):
        positive = rng.binomial(size, rate(prevalence))
        tp = rng.binomial(positive, rate(sensitivity))
        tn = rng.binomial(size - positive, rate(specificity))
        tables = np.stack([tp, positive - tp, size - positive - tn, tn], 1).reshape(-1, 2, 2)
        tally(hits, tables, shares, rng, draws=draws, seed=seed)
    return {name: (h[0] / h[2], h[3] / h[4]) for name, h in hits.items()}


CLUSTERED = ("accuracy", "balanced_accuracy", "cohen_kappa", "f1")


def tally(
    hits: dict[str, np.ndarray],
    tables: np.ndarray,
    shares: np.ndarray,
    rng: np.random.Generator,
    *,
    draws: int,
    seed: int,
) -> None:
    """Add one sample of clusters: covered by our interval, its length, 1; by the plain one, 1.

    The plain one, which misses by far, is told by every fourth sample.
    """
    number, beside = len(tables), seed % 4 == 0
    ours = hedged_draws(tables, np.ones(number), draws=draws, seed=seed, clustered=True)
    if beside:
        picks = rng.multinomial(number, np.full(number, 1 / number), size=draws)
        plain = np.tensordot(picks, tables.astype(float), axes=1)
    for name in CLUSTERED:
        metric, exact = TABLE_METRICS[name], float(TABLE_METRICS[name].compute(shares, SETTING))
        alone = np.ones(number, np.int64)
        total = tables.sum(0).astype(float)
        counted = Counted(total, SETTING, ours, 0, tables.astype(float), alone)
        result = metric.estimate(counted, confidence_level=0.95, declared={})
        if isinstance(result, Estimate) and result.interval:
            hits[name][:3] += [exact in result.interval, result.interval.length, 1]
            if beside:
                low, high = np.nanquantile(metric.compute(plain, SETTING), [0.025, 0.975])
                hits[name][3:] += [low <= exact <= high, 1]


#: Clusters, of so many decisions, correlation, prevalence.
REPEATED = tuple(product((10, 20, 50), (5, 20), (0.0, 0.2, 0.6), (0.1, 0.3)))


def clusters_markdown(found: dict) -> str:
    """The lowest and the mean of each metric, then every cell, the bootstrap's after the stroke."""
    cells = np.array([[found[key][name] for name in CLUSTERED] for key in found])
    head = " | ".join(f"`{name}`" for name in CLUSTERED)
    lines = [f"| Clusters | of | correlation | prevalence | {head} |"]
    lines.append("| --- | --- | --- | --- |" + " --- |" * len(CLUSTERED))
    rows = {"lowest | | | |": cells.min(0), "mean | | | |": cells.mean(0)}
    rows |= {" | ".join(map(str, key)) + " |": one for key, one in zip(found, cells, strict=True)}
    for key, row in rows.items():
        lines.append(f"| {key} " + " | ".join(f"{a:.3f} / {b:.3f}" for a, b in row) + " |")
    return "\n".join(lines)


def strip(path: str, title: str, found: dict, beside: str, place: int) -> None:
    """A picture: a row for each metric, and below it the interval that stands beside ours."""
    rows = []
    for name in next(iter(found.values())):
        label = name.replace("_", " ")
        rows.append(Row(label, [one[name][0] for one in found.values()]))
        other = [one[name][place] for one in found.values()]
        rows.append(Row(f"{label}, {beside}", other, ours=False))
    picture(path, title, rows, least=0.4)


#: Clusters, mean size, accuracy, and how it varies: (correlation,) as beta, or (share of bad
#: clusters, their accuracy); sizes all equal or geometric. Seen while DOUBT was chosen.
HARD = (
    (15, 12, 0.93, (0.4,), "equal"),
    (30, 40, 0.97, (0.8,), "equal"),
    (30, 40, 0.97, (0.3,), "equal"),
    (80, 10, 0.97, (0.7,), "equal"),
    (80, 40, 0.98, (0.5,), "equal"),
    (12, 8, 0.90, (0.1,), "equal"),
    (25, 10, 0.90, (0.5,), "geometric"),
    (40, 15, 0.96, (0.6,), "geometric"),
    (15, 30, 0.80, (0.2,), "geometric"),
    (40, 10, 0.93, (0.0,), "geometric"),
    (30, 20, 0.97, (0.05, 0.5), "equal"),
    (100, 10, 0.985, (0.02, 0.3), "equal"),
    (20, 10, 0.92, (0.15, 0.6), "geometric"),
    (60, 20, 0.97, (0.04, 0.4), "equal"),
)


#: Drawn up after DOUBT was fixed, and run once.
HELD_OUT = (
    (18, 25, 0.95, (0.5,), "equal"),
    (35, 8, 0.94, (0.35,), "equal"),
    (70, 30, 0.96, (0.9,), "equal"),
    (45, 50, 0.99, (0.4,), "equal"),
    (24, 15, 0.88, (0.15,), "geometric"),
    (55, 12, 0.975, (0.7,), "geometric"),
    (28, 6, 0.91, (0.0,), "geometric"),
    (36, 25, 0.94, (0.1, 0.55), "equal"),
    (22, 30, 0.93, (0.12, 0.45), "geometric"),
    (90, 15, 0.98, (0.03, 0.5), "equal"),
)


#: One cluster of so many items, and the others of 1 to 5.
GIANT = (
    (60, 300, 0.80, (0.1,), "giant"),
    (60, 300, 0.90, (0.3,), "giant"),
    (41, 100, 0.80, (0.1,), "giant"),
    (25, 200, 0.90, (0.2,), "giant"),
    (60, 300, 0.85, (0.0,), "giant"),
)


#: Settings of `HARD` and `HELD_OUT` with clusters of a rare bad kind.
TWO_KINDS = (HARD[13], HARD[11], HELD_OUT[9], HELD_OUT[7])


def kinds_markdown(samples: int, draws: int) -> str:
    """Coverage of the accuracy by how many clusters of a sample are of the bad kind."""
    lines = [
        "| Clusters | of | accuracy | varies | all | none bad | one | two | more |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for number, size, right, (share, bad), _ in TWO_KINDS:
        rng, seen = np.random.default_rng(number + size), list[tuple[int, bool]]()
        good = (right - share * bad) / (1 - share)
        for seed in range(samples):
            worse = rng.random(number) < share
            rate, positive = np.where(worse, bad, good), rng.binomial(size, 0.3, number)
            tp, tn = rng.binomial(positive, rate), rng.binomial(size - positive, rate)
            tables = np.stack([tp, positive - tp, size - positive - tn, tn], 1).reshape(-1, 2, 2)
            ours = hedged_draws(tables, np.ones(number), draws=draws, seed=seed, clustered=True)
            each = np.ones(number, np.int64)
            counted = Counted(
                tables.sum(0).astype(float), SETTING, ours, 0, tables.astype(float), each
            )
            found = TABLE_METRICS["accuracy"].estimate(counted, confidence_level=0.95, declared={})
            assert isinstance(found, Estimate)
            assert found.interval is not None
            seen.append((min(int(worse.sum()), 3), right in found.interval))
        among, held = (np.array(one) for one in zip(*seen, strict=True))
        cells = [f"{held.mean():.3f}"]
        cells += [
            f"{held[among == k].mean():.3f} ({(among == k).mean():.2f})" if k in among else "-"
            for k in range(4)
        ]
        told = " | ".join(cells)
        lines.append(f"| {number} | {size} | {right} | {share:.0%} have {bad} | {told} |")
    return "\n".join(lines)


def held_out(
    number: int,
    size: int,
    right: float,
    how: tuple[float, ...],
    sizes: str,
    *,
    samples: int,
    draws: int,
) -> dict[str, tuple[float, float, float]]:
    """Coverage and length of goldassay's interval, and the percentile bootstrap's coverage."""
    rng = np.random.default_rng(number + size)
    prevalence = 0.3
    shares = truth(prevalence, (right, right))
    hits = {name: np.zeros(5) for name in CLUSTERED}
    for seed in range(samples):
        n = rng.geometric(1 / size, number) if sizes == "geometric" else np.full(number, size)
        if sizes == "giant":  # the first holds `size` items, the others 1 to 5 each
            n = np.append(size, rng.integers(1, 6, number - 1))
        if len(how) == 2:
            share, bad = how
            good = (right - share * bad) / (1 - share)
            rate = np.where(rng.random(number) < share, bad, good)
        elif how[0]:
            spread = 1 / how[0] - 1
            rate = rng.beta(right * spread, (1 - right) * spread, number)
        else:
            rate = np.full(number, right)
        positive = rng.binomial(n, prevalence)
        tp, tn = rng.binomial(positive, rate), rng.binomial(n - positive, rate)
        tables = np.stack([tp, positive - tp, n - positive - tn, tn], 1).reshape(-1, 2, 2)
        tally(hits, tables, shares, rng, draws=draws, seed=seed)
    return {name: (h[0] / h[2], h[1] / h[2], h[3] / h[4]) for name, h in hits.items()}


def settings_markdown(settings: tuple, samples: int, draws: int) -> str:
    head = " | ".join(f"`{name}`" for name in CLUSTERED)
    lines = [
        f"| Clusters | of | accuracy | varies | {head} |",
        "| --- | --- | --- | --- |" + " --- |" * len(CLUSTERED),
    ]
    for number, size, right, how, sizes in settings:
        found = held_out(number, size, right, how, sizes, samples=samples, draws=draws)
        shown = " | ".join(f"{a:.3f} ({b:.2f}) / {c:.3f}" for a, b, c in found.values())
        kind = f"correlation {how[0]}" if len(how) == 1 else f"{how[0]:.0%} have {how[1]}"
        of = {"equal": f"{size}", "giant": f"1 to 5, one of {size}"}.get(sizes, f"about {size}")
        lines.append(f"| {number} | {of} | {right} | {kind} | {shown} |")
    return "\n".join(lines)


def markdown(found: dict) -> str:
    """A summary by metric, then every cell: coverage, with the textbook's in brackets."""
    lines = [
        "| Metric | Lowest coverage | Mean | Mean length | Textbook: lowest | Mean | Length |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for name in NAMES:
        cells = np.array([found[key][name] for key in found])
        lines.append(
            f"| `{name}` | {cells[:, 0].min():.3f} | {cells[:, 0].mean():.3f} |"
            f" {cells[:, 1].mean():.3f} | {cells[:, 2].min():.3f} | {cells[:, 2].mean():.3f} |"
            f" {cells[:, 3].mean():.3f} |"
        )
    lines += ["", "Coverage (mean length), the textbook's after the stroke:", ""]
    head = " | ".join(f"`{name}`" for name in NAMES)
    lines += [f"| Judge | Prevalence | n | {head} |", "| --- | --- | --- |" + " --- |" * len(NAMES)]
    for (quality, prevalence, n), row in found.items():
        shown = " | ".join(
            f"{row[m][0]:.3f} ({row[m][1]:.2f}) / {row[m][2]:.3f} ({row[m][3]:.2f})" for m in NAMES
        )
        lines.append(f"| {quality} | {prevalence} | {n} | {shown} |")
    return "\n".join(lines)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--clusters", action="store_true")
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--giant", action="store_true")
    parser.add_argument("--kinds", action="store_true")
    parser.add_argument("--plot", help="write a picture of the coverage to this SVG")
    arguments = parser.parse_args()
    quick, plot = arguments.quick, arguments.plot
    few = 50 if quick else 2_000
    start = time.perf_counter()
    if arguments.clusters:
        found = {key: clustered(*key, samples=few, draws=600) for key in REPEATED}
        print(clusters_markdown(found))
        if plot:
            strip(plot, f"Agreement by clusters, {few:,} samples a dot", found, "bootstrap", 1)
        raise SystemExit
    if arguments.giant:
        print(settings_markdown(GIANT, few, 600))
        raise SystemExit
    if arguments.kinds:
        print(kinds_markdown(few, 600))
        raise SystemExit
    if arguments.held_out:
        print(settings_markdown(HARD, few, 600))
        print(settings_markdown(HELD_OUT, few, 600))
        raise SystemExit
    samples = 300 if quick else 4_000
    result = grid(samples, 400 if quick else 1000)
    print(markdown(result))
    if plot:
        title = f"Agreement on lone decisions, {samples:,} samples a dot"
        strip(plot, title, result, "textbook", 2)
    print(f"\n{samples:,} samples per cell; {time.perf_counter() - start:.0f} s")
