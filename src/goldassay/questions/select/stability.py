"""Are a judge's error rates the same on every system?

A judge's rate of a system is FPR + J x only with the same sensitivity and specificity for all. If
a judge is kinder to some systems (its own family, say), differences between systems are distorted
whatever its balanced accuracy. For each class of the reference the systems' hit rates are compared
by a score test whose distribution comes from giving the clusters' contributions random signs. It
holds its size with few items of a rare class and with prompts that all systems answer, where the
Wald test rejects up to a third of true hypotheses.

References: Collot et al., "Limitations"; Kline and Santos (2012), "A score based approach to wild
bootstrap inference".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldassay.counts import Units
from goldassay.questions.select.candidates import Candidates
from goldassay.questions.select.criteria import metrics_of
from goldassay.ratings.task import Task
from goldassay.results import Estimate, Gathered, Table, Undefined

__all__ = ["Homogeneity", "add_distortion", "add_stability", "homogeneity"]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Numbers held at once while signs are drawn.
BLOCK = 4_000_000


@dataclass(frozen=True, slots=True)
class Homogeneity:
    """A test that a hit rate is the same in all systems."""

    rates: Array  # [S], NaN for a system without items of the class
    sizes: Array  # [S]
    statistic: float
    p_value: float
    method: str


def homogeneity(
    hits: Array, sizes: Array, multiplicity: Ints, *, seed: int, draws: int = 2000
) -> Homogeneity | Undefined:
    """Test equal hit rates over systems from counts by cluster and system, [C, S] each."""
    total_hits = multiplicity @ hits
    total = multiplicity @ sizes
    used = np.flatnonzero(total > 0)
    n_items = int(total.sum())
    rates = np.full(len(total), np.nan)
    rates[used] = total_hits[used] / total[used]
    if len(used) < 2:
        return Undefined("homogeneity", "fewer than two systems have items of this class", n_items)
    pooled = total_hits.sum() / total.sum()
    if pooled in (0.0, 1.0):
        return Homogeneity(rates, total, 0.0, 1.0, "all rates are equal")
    statistic, p_value = _random_signs(
        hits[:, used], sizes[:, used], multiplicity, seed=seed, draws=draws
    )
    return Homogeneity(rates, total, statistic, p_value, f"score test, {draws} random signs")


def _random_signs(
    hits: Array, sizes: Array, multiplicity: Ints, *, seed: int, draws: int
) -> tuple[float, float]:
    """The weighted spread of the rates, and how often random signs of the clusters exceed it.

    Under equal rates a cluster's contribution to each system's score, hits - rate x items (less
    what estimating the rate takes out), has mean 0, and is as likely to have the other sign.
    """
    total = multiplicity @ sizes
    pooled = float((multiplicity @ hits).sum() / total.sum())
    residual = hits - pooled * sizes
    influence = residual - residual.sum(1, keepdims=True) * (total / total.sum())
    scale = total * pooled * (1 - pooled)

    def spread(score: Array) -> Array:
        out: Array = (score**2 / scale).sum(-1)
        return out

    observed = float(spread(multiplicity @ residual))
    rng = np.random.default_rng(seed)
    beyond, step = 0, max(1, BLOCK // max(len(multiplicity), 1))
    for start in range(0, draws, step):
        rows = min(step, draws - start)
        # the sum of m random signs
        signs = 2.0 * rng.binomial(multiplicity, 0.5, (rows, len(multiplicity))) - multiplicity
        beyond += int((spread(signs @ influence) >= observed - 1e-9).sum())
    return observed, (beyond + 1) / (draws + 1)


def add_stability(findings: Gathered, candidates: Candidates, *, seed: int) -> None:
    """The test for every judge and class, and its hit rates by system."""
    units = candidates.units
    systems = units.by.get("system")
    if systems is None or len(systems.labels) < 2:
        return
    options = candidates.labels[: candidates.size]
    rows: list[tuple[Any, ...]] = []
    unstable = []
    for index in candidates.judges:
        judge = candidates.names[index]
        tables = candidates.tables(index)
        for code, option in enumerate(options):
            hits, sizes = _by_system(units, tables.cells, code, len(systems.labels))
            times = units.n if units.single else np.ones(len(hits), dtype=np.int64)
            rate = _rate_name(units.task, option)
            found = homogeneity(hits, sizes, times, seed=seed)
            if isinstance(found, Undefined):
                rows.append((judge, rate, None, "", None, "", None, found.reason))
                continue
            low, high = int(np.nanargmin(found.rates)), int(np.nanargmax(found.rates))
            rows.append(
                (
                    judge,
                    rate,
                    float(found.rates[low]),
                    systems.labels[low],
                    float(found.rates[high]),
                    systems.labels[high],
                    found.p_value,
                    "",
                )
            )
            if found.p_value < 0.05 / len(candidates.names) / len(options):
                unstable.append((judge, rate))
    if not rows:
        return
    findings.tables["stability"] = Table(
        "Are error rates the same on every system?",
        ("judge", "rate", "lowest", "on", "highest", "on ", "p", "note"),
        tuple(rows),
        ("p: the chance of rates at least as unlike if they were the same on every system.",),
    )
    for judge, rate in unstable:
        findings.warnings.append(
            f"The {rate.replace('_', ' ')} of {judge} differs between systems: its rates of "
            "systems cannot be compared without correcting each one (goldassay estimate)."
        )


def _rate_name(task: Task, option: str) -> str:
    if task.scale != "binary":
        return f"recall_of_{option}"
    return "sensitivity" if option == task.positive else "specificity"


def _by_system(units: Units, tables: Array, code: int, n_systems: int) -> tuple[Array, Array]:
    """Hits and items of a reference class by cluster and system, [C, S] each."""
    clusters = len(units.n) if units.single else units.n_clusters
    where = np.arange(clusters) if units.single else units.cluster
    times = 1.0 if units.single else units.n
    out = np.zeros((2, clusters, n_systems))
    at = (where, units.by["system"].codes)
    np.add.at(out[0], at, tables[:, code, code] * times)
    np.add.at(out[1], at, tables[:, code].sum(-1) * times)
    return out[0], out[1]


def _no_better_than_a_coin(findings: Gathered) -> list[str]:
    """Judges whose J is below 0, or may be."""
    worse, level = [], []
    for row in findings.rows:
        found = row.result
        if found.name == "youden_j" and isinstance(found, Estimate) and found.interval:
            if found.interval.high < 0:
                worse.append(str(row.about["judge"]))
            elif found.interval.low <= 0:
                level.append(str(row.about["judge"]))
    said = [f"Worse than a coin (J below 0): {', '.join(worse)}."] if worse else []
    if level:
        said.append(f"Not to be told from a coin (J may be 0): {', '.join(level)}.")
    return said


def add_distortion(findings: Gathered, candidates: Candidates, leader: str | None) -> None:
    """The distortion line of each judge: for a true rate x it reports FPR + J x (section 4.1).

    In words for the leader, and for judges that are no better than a coin.
    """
    task = candidates.units.task
    metrics, totals = metrics_of(candidates), candidates.totals
    if len(task.options) != 2 or "sensitivity" not in metrics:
        return
    sensitivity, specificity = metrics["sensitivity"](totals), metrics["specificity"](totals)
    series: list[dict[str, Any]] = []
    points: list[dict[str, Any]] = []
    for index, name in enumerate(candidates.names):
        high, low = float(sensitivity[index]), 1 - float(specificity[index])
        if not np.isfinite(high + low):
            continue
        series.append({"label": name, "x": [0.0, 1.0], "y": [low, high]})
        points.append({"label": name, "x": low, "y": high})
    if not series:
        return
    steepest = max(series, key=lambda one: one["y"][1] - one["y"][0])
    for low, high in (one["y"] for one in series if one["label"] == leader):
        if 0 < high - low < 0.995:
            findings.answer.append(
                f"Where the true rate is 0% {leader} reports {low:.0%}, where it is 100% "
                f"{high:.0%}: differences between systems shrink to {high - low:.0%} of their size."
            )
    findings.answer += _no_better_than_a_coin(findings)
    findings.charts += [
        {
            "kind": "line",
            "title": "What each judge reports for a true rate",
            "x_label": "true rate",
            "y_label": "judge's rate",
            "series": [*series, {"label": "no distortion", "x": [0.0, 1.0], "y": [0.0, 1.0]}],
            "references": [],
            "alt": f"Lines y = FPR + J x; {steepest['label']} is the steepest, with J "
            f"{steepest['y'][1] - steepest['y'][0]:.2f}.",
        },
        {
            "kind": "scatter",
            "title": "Judges in the ROC plane",
            "x_label": "false positive rate",
            "y_label": "sensitivity",
            "points": points,
            "curves": [
                {
                    "label": f"J of {steepest['label']}",
                    "x": [steepest["y"][0]] * 2,
                    "y": [steepest["y"][0], steepest["y"][1]],
                }
            ],
            "diagonal": True,
            "quadrants": False,
            "alt": "Each judge's J is its height above the diagonal.",
        },
    ]
