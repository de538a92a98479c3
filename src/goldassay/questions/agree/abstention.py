"""Coverage, abstention, ties and invalid verdicts: rates of their own, and what they hang on.

A kappa on a sample with 40 % abstentions is not comparable with one on 5 % (checklist point 7), and
the agreement on what is left says something of the rest only when abstention is unrelated to the
items (point 8). So both are reported, with a test.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from goldassay.counts import Units
from goldassay.formulas.special import chi_square_tail
from goldassay.frozen import dataclass
from goldassay.inference.clusters import cluster_sums, rao_scott_effect
from goldassay.inference.draw import Draw
from goldassay.inference.shares import share
from goldassay.results import Result

__all__ = [
    "LABEL",
    "Dependence",
    "MissingByJudge",
    "Outcomes",
    "dependence",
    "difficulty",
    "missing_by_judge",
    "outcomes",
    "rate",
    "rate_results",
]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


#: The column of what people call an item, among those that missing verdicts may hang on.
LABEL = "people's label"


@dataclass(frozen=True)
class Outcomes:
    """Of each pattern, how many verdicts are covered, abstained, invalid, failed, ties."""

    shares: Mapping[str, Floats]
    present: Floats


def outcomes(units: Units, judge: str) -> Outcomes:
    """Shares of a judge's verdict columns [P, S], and whether one was asked for."""
    verdict = units.verdict[:, units.columns_of(judge)]
    size = len(units.options)
    given = verdict >= 0
    number = np.maximum(given.sum(1), 1)

    def part(hit: npt.NDArray[np.bool_]) -> Floats:
        return np.asarray((hit & given).sum(1) / number)

    shares = {
        "coverage": part(verdict < size),
        "abstention_rate": part(verdict == size),
        "invalid_rate": part(verdict == size + 1),
        "failed_rate": part(verdict == size + 2),
    }
    if units.task.tie is not None:
        shares["tie_rate"] = part(verdict == units.options.index(units.task.tie))
    return Outcomes(shares, units.to_rate(judge).astype(float))


def _clustered(units: Units, *columns: Floats) -> tuple[Floats, Ints]:
    """Sums per cluster of per-pattern columns, [C, columns]."""
    cluster = None if units.single else units.cluster
    return cluster_sums(np.stack(columns, 1), units.n, cluster, units.alike)


def rate(units: Units, name: str, hit: Floats, base: Floats, draw: Draw) -> Result:
    """The share of `hit` in `base` (both per unit), resampled by cluster."""
    sums, times = _clustered(units, hit, base)
    return share(name, sums, times, units.task.cluster, draw)


def rate_results(units: Units, judge: str, draw: Draw) -> tuple[Result, ...]:
    """The rates of a judge; those that the data cannot have are left out."""
    found = outcomes(units, judge)
    verdict = units.verdict[:, units.columns_of(judge)]
    task = units.task
    wanted = ["coverage"]
    size = len(units.options)
    wanted += ["abstention_rate"] if task.abstain or (verdict == size).any() else []
    wanted += ["invalid_rate"] if task.invalid or (verdict == size + 1).any() else []
    wanted += ["failed_rate"] if (verdict == size + 2).any() else []
    wanted += ["tie_rate"] if task.tie is not None else []
    return tuple(
        rate(units, name, found.shares[name] * found.present, found.present, draw)
        for name in wanted
    )


# --- does abstention depend on the items? -----------------------------------------------------


@dataclass(frozen=True)
class Dependence:
    """The labels of a column with the most and the least missing verdicts, and a test."""

    column: str
    most: str
    most_rate: float
    least: str
    least_rate: float
    cramer_v: float
    p_value: float


@dataclass(frozen=True)
class MissingByJudge:
    """Each judge's share of items without a usable verdict, and a test that they are equal."""

    judges: tuple[str, ...]
    shares: Floats
    items: Floats
    cramer_v: float
    p_value: float


def missing_by_judge(units: Units, coverage: Mapping[str, float]) -> MissingByJudge | None:
    """Does it depend on the judge whether there is a verdict? None where none is missing."""
    miss = np.array([1 - covered for covered in coverage.values()])
    if not miss.any():
        return None
    size = np.array([float((units.n * outcomes(units, judge).present).sum()) for judge in coverage])
    p_value, cramer = chi_square(miss * size, size, 1.0)
    return MissingByJudge(tuple(coverage), miss, size, cramer, p_value)


def difficulty(units: Units) -> tuple[tuple[str, ...], Ints] | None:
    """Items on which people were unanimous and items on which they were not; None with one."""
    size = len(units.options)
    votes = units.human[:, :size]
    several = votes.sum(1) > 1
    if not several.any():
        return None
    split = (votes > 0).sum(1) > 1
    codes = np.where(several, split.astype(np.int64), -1)
    return ("people agree", "people differ"), codes


def dependence(
    units: Units, judge: str, by: Mapping[str, tuple[tuple[str, ...], Ints]]
) -> tuple[Dependence, ...]:
    """Not-covered rate by the labels of each column, with a test of independence.

    Pearson's chi-square, divided by the design effect of the clusters (Rao and Scott's first-order
    correction), so that decisions of one cluster are not counted as independent. Nothing where no
    verdict is missing, or no column has two labels.
    """
    found = outcomes(units, judge)
    lost = found.present - found.shares["coverage"] * found.present
    if not (lost * units.n).sum() > 0:
        return ()
    sums, times = _clustered(units, lost, found.present)
    effect = float(rao_scott_effect(sums[:, 0], sums[:, 1], times))
    out = []
    for column, (labels, codes) in by.items():
        keep = (codes >= 0) & (found.present > 0)
        present = [k for k in range(len(labels)) if (codes[keep] == k).any()]
        if len(present) < 2:
            continue
        weight = units.n * found.present
        size = np.array([(weight * (codes == k)).sum() for k in present])
        miss = np.array([(lost * units.n * (codes == k)).sum() for k in present])
        p_value, cramer = chi_square(miss, size, effect)
        worst = int(np.argmax(miss / size))
        best = int(np.argmin(miss / size))
        out.append(
            Dependence(
                column,
                most=labels[present[worst]],
                most_rate=float(miss[worst] / size[worst]),
                least=labels[present[best]],
                least_rate=float(miss[best] / size[best]),
                cramer_v=cramer,
                p_value=p_value,
            )
        )
    return tuple(out)


def chi_square(miss: Floats, size: Floats, effect: float) -> tuple[float, float]:
    """p-value and Cramér's V of equal rates of `miss` in groups of `size`."""
    share = miss.sum() / size.sum()
    if not 0 < share < 1:
        return 1.0, 0.0
    statistic = ((miss - share * size) ** 2 / (size * share * (1 - share))).sum()
    cramer = float(np.sqrt(statistic / size.sum()))
    return chi_square_tail(len(size) - 1, statistic / effect), min(cramer, 1.0)
