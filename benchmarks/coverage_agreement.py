"""Coverage and length of karat's default intervals for agreement, beside the textbook's.

    python benchmarks/coverage_agreement.py            prints the tables of docs/intervals.md
    python benchmarks/coverage_agreement.py --quick    a smaller run

Tables of 2 x 2 counts are drawn from a judge of known sensitivity and specificity; the interval of
each distinct table is computed by the code that `karat agree` runs. Samples in which a metric is
undefined are left out of its coverage, and their share is reported.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np

from karat.agreement.metrics import METRICS, Setting, estimate
from karat.intervals import HedgedDraws, cohen_kappa_standard_error, hedged_draws
from karat.results import Estimate

Z = 1.959963984540054
PREVALENCES = (0.05, 0.1, 0.3, 0.5)
SIZES = (30, 50, 100, 300)
#: (sensitivity, specificity)
JUDGES = {"weak": (0.65, 0.65), "good": (0.85, 0.85), "excellent": (0.95, 0.98)}
NAMES = ("accuracy", "balanced_accuracy", "cohen_kappa", "phi", "f1")
SETTING = Setting("binary", 2, 0, np.eye(2), "unweighted")
ONE = np.eye(4).reshape(4, 2, 2)


def truth(prevalence: float, judge: tuple[float, float]) -> np.ndarray:
    s, p = judge
    return np.array([[prevalence * s, prevalence * (1 - s)],
                     [(1 - prevalence) * (1 - p), (1 - prevalence) * p]])  # fmt: skip


def textbook(name: str, t: np.ndarray) -> tuple[float, float]:
    """The interval that a textbook gives: Wald, delta method, Fleiss-Cohen-Everitt, Fisher's z."""
    n, value = t.sum(), float(METRICS[name].compute(t, SETTING))
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
    exact = {name: float(METRICS[name].compute(shares, SETTING)) for name in NAMES}
    sums = {name: np.zeros(5) for name in NAMES}
    for row, weight in zip(tables, times, strict=True):
        table = row.reshape(2, 2).astype(float)
        under = hedged(table, draws)
        for name in NAMES:
            result = estimate(METRICS[name], table, SETTING, under, n_items=n,
                              confidence_level=0.95, declared={})  # fmt: skip
            if not isinstance(result, Estimate):
                sums[name][4] += weight
                continue
            assert result.interval is not None
            low, high = textbook(name, table)
            sums[name][:4] += weight * np.array([
                exact[name] in result.interval, result.interval.length,
                low <= exact[name] <= high, high - low,
            ])  # fmt: skip
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
                out[key] = cell(prevalence, n, judge, samples=samples, draws=draws,
                                seed=1000 * k + n)  # fmt: skip
                say(f"{key} {min(v[0] for v in out[key].values()):.3f}")
    return out


def markdown(found: dict) -> str:
    """A summary by metric, then every cell: coverage, with the textbook's in brackets."""
    lines = ["| Metric | Lowest coverage | Mean | Mean length | Textbook: lowest | Mean | Length |",
             "| --- | --- | --- | --- | --- | --- | --- |"]  # fmt: skip
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
    quick = parser.parse_args().quick
    start = time.perf_counter()
    result = grid(300 if quick else 4000, 400 if quick else 1000)
    print(markdown(result))
    print(f"\n{'300' if quick else '4,000'} samples per cell; {time.perf_counter() - start:.0f} s")
