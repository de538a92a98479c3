"""Groups of raters: does the audit come out the same for each, and do they differ at all?

Differences are tested by shuffling raters between two groups within each item: if the group does
not matter, any split of an item's raters is as likely as the one seen. The test needs no model, and
unequal numbers of raters per group do not disturb it, because the shuffled groups keep them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.distributions import Definition, jensen_shannon
from goldassay.formulas.rating_vectors import Side, normalised
from goldassay.frozen import dataclass
from goldassay.questions.audit.evaluate import columns, values
from goldassay.questions.audit.raters import split
from goldassay.questions.audit.sides import Sides
from goldassay.results import Undefined

__all__ = ["GroupDifference", "GroupTest", "Groups", "audit_by_group", "compare_groups", "holm"]

Array = NDArray[np.float64]

#: Times that raters are shuffled between two groups.
SHUFFLES = 499


@dataclass(frozen=True, slots=True)
class GroupDifference:
    """Two groups: how far apart their ratings are, and the difference of each statistic."""

    first: str
    second: str
    #: Items that both groups rated.
    n_items: int
    divergence: float
    divergence_p_value: float
    #: Statistic of the first group minus that of the second, and p-values, (M, J).
    difference: Array
    p_value: Array


def compare_groups(
    groups: dict[str, Array],
    statistic: Callable[[Array], Array],
    *,
    shuffles: int,
    rng: np.random.Generator,
) -> list[GroupDifference]:
    """Every two groups, on the items that both rated. `groups` holds counts (U, K).

    `statistic` maps counts (U, K) to values (M, J); NaN where a value does not exist.
    """
    out = []
    for first, second in combinations(groups, 2):
        a, b = groups[first].copy(), groups[second].copy()
        both = (a.sum(-1) > 0) & (b.sum(-1) > 0)
        a[~both], b[~both] = 0.0, 0.0
        if not both.any():
            continue
        whole = a + b

        def apart(one: Array, whole: Array = whole) -> tuple[float, Array]:
            other = whole - one
            divergence = np.nanmean(jensen_shannon(normalised(one), normalised(other)))
            return float(divergence), statistic(one) - statistic(other)

        divergence, difference = apart(a)
        size = a.sum(-1)
        shuffled = [apart(split(whole, size, rng)) for _ in range(shuffles)]
        drawn = np.array([one[1] for one in shuffled])
        further = np.sum([one[0] >= divergence - 1e-12 for one in shuffled])
        with np.errstate(invalid="ignore"):
            extreme = (np.abs(drawn) >= np.abs(difference) - 1e-12).sum(0)
        p_value = np.where(np.isnan(difference), np.nan, (1 + extreme) / (1 + shuffles))
        rare = float((1 + further) / (1 + shuffles))
        n = int(both.sum())
        out.append(GroupDifference(first, second, n, divergence, rare, difference, p_value))
    return out


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's adjusted p-values: the chance of any false alarm stays below the level."""
    order = np.argsort(p_values)
    out = np.empty(len(p_values))
    highest = 0.0
    for rank, index in enumerate(order):
        highest = max(highest, min(1.0, p_values[index] * (len(p_values) - rank)))
        out[index] = highest
    return [float(p) for p in out]


@dataclass(frozen=True, slots=True)
class GroupTest:
    """The difference of one definition for one judge between two groups of raters."""

    first: str
    second: str
    judge: str
    definition: Definition
    difference: float
    p_value: float
    #: Holm's, over all of these tests.
    adjusted: float
    n_items: int


@dataclass(frozen=True, slots=True)
class Groups:
    """The audit by group of raters, and whether the groups differ."""

    definitions: tuple[Definition, ...]
    #: Values (definitions, judges) of each group.
    values: Mapping[str, Array]
    #: How far apart every two groups rate, and Holm's p-values of that.
    differences: tuple[GroupDifference, ...]
    apart: tuple[float, ...]
    tests: tuple[GroupTest, ...]
    shuffles: int


def audit_by_group(
    sides: Sides, definitions: Sequence[Definition], rng: np.random.Generator
) -> Groups | Undefined | None:
    """The audit by groups of raters on their forced choices, with the differences tested."""
    counted = sides.counted
    if len(counted.groups) < 2:
        return None
    forced = {name or "(none)": given for name, (given, _) in counted.groups.items() if given.sum()}
    if len(forced) < 2:
        return Undefined("group_differences", "fewer than two groups made single choices")
    kept = tuple(one for one in definitions if {one.judge, one.human} <= {"h", "s"})

    def statistic(counts: Array) -> Array:
        shares = normalised(counts)
        human = Side(shares, shares, sides.reading.threshold, sides.reading.ties)
        return values(kept, columns(kept, sides.judge, human, counted.cluster, sides.once))

    by_group = {name: statistic(given) for name, given in forced.items()}
    found = compare_groups(forced, statistic, shuffles=SHUFFLES, rng=rng)
    return Groups(
        kept,
        by_group,
        tuple(found),
        tuple(holm([one.divergence_p_value for one in found])),
        _group_tests(found, kept, counted.judges),
        SHUFFLES,
    )


def _group_tests(
    found: Sequence[GroupDifference], definitions: Sequence[Definition], judges: Sequence[str]
) -> tuple[GroupTest, ...]:
    """Every definition and judge between every two groups, where both have a value."""
    cells = [
        (one, d, j)
        for one in found
        for d in range(len(definitions))
        for j in range(len(judges))
        if np.isfinite(one.p_value[d, j])
    ]
    adjusted = holm([float(one.p_value[d, j]) for one, d, j in cells])
    return tuple(
        GroupTest(
            one.first,
            one.second,
            judges[j],
            definitions[d],
            float(one.difference[d, j]),
            float(one.p_value[d, j]),
            p,
            one.n_items,
        )
        for (one, d, j), p in zip(cells, adjusted, strict=True)
    )
