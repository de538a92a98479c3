"""What a metric is handed, checked and coded: labels, tables of counts, scores, clusters.

Whatever breaks a rule raises one `InputError` that names the metric and the argument, the rule, the
value and the next step. Nothing is dropped: a missing label or score is an error, not a smaller n.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goldassay.errors import InputError, nearest, shown
from goldassay.frozen import dataclass
from goldassay.inference.clusters import distinct_clusters
from goldassay.inference.draw import Draw

__all__ = [
    "Distinct",
    "Given",
    "Labels",
    "Tables",
    "checked_draw",
    "checked_level",
    "checked_method",
    "cluster_codes",
    "coded",
    "column",
    "complete",
    "missing_in",
    "one_of",
    "options_of",
    "outcomes",
    "paired_scores",
    "same_length",
    "scores_of",
]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: A label, score or cluster for each item: a list, a NumPy array, a pandas or Polars series.
Labels = Iterable[Any]

#: Beyond so many labels, scores were meant.
MAX_LABELS = 100
#: As for `--resamples` of a verb.
FEWEST_DRAWS = 100


# --- sequences --------------------------------------------------------------------------------


def column(place: str, values: Labels) -> NDArray[Any]:
    """One value for each item as a one-dimensional array; Python's own objects where mixed."""
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise InputError(place, "is a sequence with a value for each item", found=shown(values))
    if hasattr(values, "__array__"):
        array = np.asarray(values)
        if isinstance(values, np.ma.MaskedArray) and values.mask.any():
            array = np.where(values.mask, np.array(None), array)
    else:  # NumPy would make text of a list that mixes text and NaN
        found = list(values)
        array = np.fromiter(found, dtype=object, count=len(found))
    if array.ndim != 1:
        raise InputError(place, "has one value for each item", found=f"the shape {array.shape}")
    return array


def missing_in(array: NDArray[Any]) -> NDArray[np.bool_]:
    """Which values are None, NaN, or what pandas has for them."""
    if array.dtype.kind == "f":
        return np.asarray(np.isnan(array))
    if array.dtype.kind in "mM":
        return np.asarray(np.isnat(array))
    if array.dtype.kind == "O":
        cells = array.tolist()
        if not any(_may_miss(kind) for kind in set(map(type, cells))):
            return np.zeros(len(cells), bool)
        return np.fromiter(map(_is_missing, cells), bool, len(cells))
    return np.zeros(len(array), bool)


def _may_miss(kind: type) -> bool:
    return issubclass(kind, float | type(None)) or kind.__name__ in ("NAType", "NaTType")


def _is_missing(value: object) -> bool:
    return _may_miss(type(value)) and not (isinstance(value, float) and not math.isnan(value))


def complete(place: str, values: Labels) -> NDArray[Any]:
    """One value for each item, none of them missing."""
    array = column(place, values)
    missing = missing_in(array)
    if missing.any():
        row = int(missing.argmax())
        raise InputError(
            place,
            "has a value for every item",
            found=f"{shown(array.tolist()[row])} at index {row}",
            next_step="Leave out the items that lack a value on either side",
        )
    return array


def same_length(place: str, names: str, first: int, second: int) -> None:
    """Two sequences go together item by item."""
    if first != second:
        raise InputError(
            place,
            f"{names} have one value for each item",
            found=f"{first:,} and {second:,} values",
            next_step="Bring both into the same order of items first",
        )


def _not_empty(place: str, length: int) -> None:
    if not length:
        raise InputError(place, "needs at least one item", found="none")


@dataclass(frozen=True)
class Distinct:
    """The values that occur in a sequence, as Python's own, and which of them each item has."""

    values: list[Any]
    codes: Ints

    @classmethod
    def of(cls, place: str, array: NDArray[Any]) -> Distinct:
        if array.dtype.kind != "O":
            values, codes = np.unique(array, return_inverse=True)
            return cls(values.tolist(), codes.reshape(-1))
        cells = array.tolist()
        try:
            seen = {value: code for code, value in enumerate(dict.fromkeys(cells))}
        except TypeError:  # a list is no label
            odd = next(v for v in array if isinstance(v, list | dict | set | np.ndarray))
            raise InputError(place, "has one value for each item", found=shown(odd)) from None
        codes = np.fromiter(map(seen.__getitem__, cells), np.int64, len(cells))
        return cls([v.item() if isinstance(v, np.generic) else v for v in seen], codes)


def _sorted(place: str, values: Iterable[Any]) -> tuple[Any, ...]:
    distinct = set(values)
    try:
        return tuple(sorted(distinct))
    except TypeError:
        kinds = sorted({type(value).__name__ for value in distinct})
        raise InputError(
            place, "labels are of one type", found=" and ".join(kinds), next_step="Convert one side"
        ) from None


def options_of(place: str, sides: Sequence[Distinct], labels: Labels | None) -> tuple[Any, ...]:
    """The options in order: those given, or the sorted labels that occur."""
    if labels is None:
        found = _sorted(place, (label for side in sides for label in side.values))
        rule, what = "takes labels, not scores", f"{len(found):,} different labels"
        step = "Scores have pearson, spearman, kendall_tau_b, lin_concordance, icc and roc_auc"
    else:
        found = tuple(complete(f"{place}, labels", labels).tolist())
        if len(set(found)) < len(found):
            twice = next(label for label in found if found.count(label) > 1)
            raise InputError(f"{place}, labels", "names each option once", found=shown(twice))
        _not_empty(f"{place}, labels", len(found))
        rule, what, step = "names at most so many options", f"{len(found):,}", ""
    if len(found) > MAX_LABELS:
        raise InputError(place, f"{rule}: at most {MAX_LABELS}", found=what, next_step=step)
    return found


def coded(place: str, side: Distinct, options: tuple[Any, ...]) -> Ints:
    """The index of each label among the options."""
    index = {label: code for code, label in enumerate(options)}
    at = np.array([index.get(label, -1) for label in side.values], dtype=np.int64)
    if (at < 0).any():
        row = int((at[side.codes] < 0).argmax())
        raise InputError(
            place,
            f"every label is one of labels ({_listed(options)})",
            found=f"{shown(side.values[side.codes[row]])} at index {row}",
            next_step="Add it to labels, or leave these items out",
        )
    return at[side.codes] if len(at) else side.codes


def _listed(options: Sequence[Any]) -> str:
    few = ", ".join(shown(option, 30) for option in options[:8])
    return few + (", ..." if len(options) > 8 else "")


def one_of(place: str, label: Any, options: Sequence[Any]) -> int:
    """The index of a label that the caller named."""
    if label in options:
        return list(options).index(label)
    near = nearest(str(label), [str(option) for option in options])
    raise InputError(
        place,
        f"is one of the labels ({_listed(options)})",
        found=shown(label),
        next_step=f"Did you mean {near!r}?" if near else None,
    )


def scores_of(place: str, values: Labels) -> Floats:
    """A number for each item."""
    array = complete(place, values)
    try:
        scores = np.asarray(array, dtype=np.float64)
    except (TypeError, ValueError):
        first = next(value for value in array.tolist() if not _is_number(value))
        raise InputError(place, "has a number for every item", found=shown(first)) from None
    if not np.isfinite(scores).all():
        row = int((~np.isfinite(scores)).argmax())
        raise InputError(place, "has finite numbers", found=f"{scores[row]} at index {row}")
    return scores


def _is_number(value: object) -> bool:
    try:
        float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return False
    return True


def cluster_codes(place: str, clusters: Labels | None, items: int) -> Ints | None:
    """The cluster of each item, numbered in order of name; None where every item stands alone."""
    if clusters is None:
        return None
    array = complete(f"{place}, clusters", clusters)
    same_length(place, "clusters and labels", len(array), items)
    found = Distinct.of(f"{place}, clusters", array)
    order = {name: code for code, name in enumerate(_sorted(f"{place}, clusters", found.values))}
    return np.array([order[name] for name in found.values], dtype=np.int64)[found.codes]


def paired_scores(place: str, given: Given) -> tuple[Floats, Floats, Ints]:
    """People's scores, the judge's, and the cluster of each item."""
    if given.sample_weight is not None:
        raise InputError(
            f"{place}, sample_weight",
            "is for labels, whose tables it weighs",
            next_step="Give the labels in order: labels=[...]",
        )
    if given.reference is None or given.verdicts is None:
        raise InputError(place, "takes a score of people and of the judge for each item")
    x, y = scores_of(f"{place}, reference", given.reference), scores_of(place, given.verdicts)
    same_length(place, "reference and scores", len(x), len(y))
    _not_empty(place, len(x))
    cluster = cluster_codes(place, given.clusters, len(x))
    return x, y, np.arange(len(x)) if cluster is None else cluster


def outcomes(place: str, reference: Labels, positive: Any, items: int) -> Floats:
    """1 for the positive label and 0 for the other; shares of people as they are."""
    at = f"{place}, reference"
    array = complete(at, reference)
    same_length(place, "reference and scores", len(array), items)
    _not_empty(place, items)
    if positive is None:
        shares = scores_of(at, array)
        if shares.min() < 0 or shares.max() > 1:
            raise InputError(
                f"{place}, positive",
                "names the positive label; without it the reference is 0 and 1, or a share",
                found=f"{shares[(shares < 0) | (shares > 1)][0]:g}",
            )
        return shares
    options = options_of(place, [Distinct.of(at, array)], None)
    if len(options) > 1:
        one_of(f"{place}, positive", positive, options)
    return np.asarray(array == positive, dtype=np.float64)


def checked_level(place: str, level: float) -> None:
    """A confidence level within its bounds."""
    if isinstance(level, bool) or not isinstance(level, int | float) or not 0 < level < 1:
        raise InputError(f"{place}, confidence_level", "lies between 0 and 1", found=shown(level))


def checked_draw(place: str, draw: Draw) -> Draw:
    """The draws behind an interval, within their bounds."""
    checked_level(place, draw.confidence_level)
    if not isinstance(draw.draws, int | np.integer) or draw.draws < FEWEST_DRAWS:
        rule = f"is a whole number, at least {FEWEST_DRAWS}"
        raise InputError(f"{place}, draws", rule, found=shown(draw.draws))
    if not isinstance(draw.seed, int | np.integer) or draw.seed < 0:
        raise InputError(f"{place}, seed", "is a whole number, not below 0", found=shown(draw.seed))
    return draw


def checked_method(place: str, method: str, methods: Sequence[str]) -> None:
    """One of the ways to an interval, or to a p-value."""
    if method not in methods:
        rule = f"is one of {', '.join(methods)}"
        raise InputError(f"{place}, method", rule, found=shown(method))


# --- tables of reference against verdict ------------------------------------------------------


@dataclass(frozen=True)
class Tables:
    """Tables of the distinct clusters [C, K, K], how many clusters have each, and the options."""

    options: tuple[Any, ...]
    stack: Floats
    times: Ints
    n_items: int

    @property
    def total(self) -> Floats:
        return np.asarray(np.tensordot(self.times, self.stack, axes=1))

    @property
    def clustered(self) -> bool:
        """Whether a cluster holds more than one decision."""
        return bool((self.stack.sum((1, 2)) > 1 + 1e-9).any())

    def against_the_rest(self, at: int) -> Tables:
        """One option (then the first) against all others taken together."""
        side = np.arange(len(self.options)) != at
        fold = np.stack([~side, side], 1).astype(np.float64)
        stack = np.einsum("crv,ri,vj->cij", self.stack, fold, fold)
        options = (self.options[at], "the rest")
        return Tables(options, *distinct_clusters(stack, self.times), self.n_items)


@dataclass(frozen=True)
class Given:
    """What the caller hands to a coefficient: two label sequences, or counts of them."""

    reference: Labels | None = None
    verdicts: Labels | None = None
    counts: ArrayLike | None = None
    labels: Labels | None = None
    clusters: Labels | None = None
    sample_weight: Labels | None = None

    def tables(self, place: str, positive: Any = None, *, binary: bool = False) -> Tables:
        """Reference against verdict by cluster.

        Where a single label occurs, `positive` is an option too; so is 1 beside 0, if `binary`.
        """
        if self.counts is None:
            found, options = self._sides(place)
            if self.labels is None and len(options) < 2:
                both = {0, 1} if binary and positive is None and set(options) <= {0, 1} else set()
                both |= set() if positive is None else {positive}
                options = _sorted(place, {*options, *both})
            rows, columns = (
                coded(f"{place}, {name}", side, options) for name, side in found.items()
            )
            return self._counted(place, options, rows, columns)
        others = {
            "reference": self.reference,
            "verdicts": self.verdicts,
            "clusters": self.clusters,
            "sample_weight": self.sample_weight,
        }
        for name, other in others.items():
            if other is not None:
                raise InputError(
                    place,
                    "counts stand alone",
                    found=f"counts and {name}",
                    next_step="Counts by cluster are one table each: clusters x K x K",
                )
        return self._of_counts(place, np.asarray(self.counts))

    def _sides(self, place: str) -> tuple[dict[str, Distinct], tuple[Any, ...]]:
        """The labels of both sides, and the options."""
        if self.reference is None or self.verdicts is None:
            raise InputError(
                place,
                "takes reference and verdicts, or counts",
                found="one of them" if self.reference is not None else "none",
            )
        sides = {"reference": self.reference, "verdicts": self.verdicts}
        arrays = {name: complete(f"{place}, {name}", side) for name, side in sides.items()}
        same_length(place, "reference and verdicts", *map(len, arrays.values()))
        _not_empty(place, len(arrays["reference"]))
        found = {name: Distinct.of(f"{place}, {name}", array) for name, array in arrays.items()}
        return found, options_of(place, list(found.values()), self.labels)

    def _counted(self, place: str, options: tuple[Any, ...], rows: Ints, columns: Ints) -> Tables:
        items, size = len(rows), len(options)
        cell = rows * size + columns
        weight = self._weights(place, items)
        counting = items if weight is None else int((weight > 0).sum())
        cluster = cluster_codes(place, self.clusters, items)
        if cluster is not None and int(cluster.max()) + 1 < items:
            clusters = int(cluster.max()) + 1
            flat = np.bincount(cluster * size**2 + cell, weight, clusters * size**2)
            return _by_cluster(options, flat.reshape(clusters, size, size), counting)
        if weight is None:
            return _alone(options, np.bincount(cell, minlength=size**2).reshape(size, size))
        ones = np.ones(items, np.int64)
        kinds, times = distinct_clusters(np.stack([cell, weight], 1), ones)
        stack = np.zeros((len(kinds), size**2))
        stack[np.arange(len(kinds)), kinds[:, 0].astype(np.int64)] = kinds[:, 1]
        used = kinds[:, 1] > 0
        found = distinct_clusters(stack[used].reshape(-1, size, size), times[used])
        return Tables(options, *found, counting)

    def _weights(self, place: str, items: int) -> Floats | None:
        """Weights count relative to one another: on average an item is one decision."""
        if self.sample_weight is None:
            return None
        weight = scores_of(f"{place}, sample_weight", self.sample_weight)
        same_length(place, "sample_weight and labels", len(weight), items)
        if (weight < 0).any() or not weight.any():
            found = float(weight.min())
            raise InputError(
                f"{place}, sample_weight", "is not negative, nor all 0", found=f"{found:g}"
            )
        return np.asarray(weight / weight.mean())

    def _of_counts(self, place: str, counts: NDArray[Any]) -> Tables:
        at = f"{place}, counts"
        try:
            table = np.asarray(counts, dtype=np.float64)
        except (TypeError, ValueError):
            raise InputError(at, "is a table of numbers", found=shown(counts.tolist())) from None
        if table.ndim not in (2, 3) or table.shape[-1] != table.shape[-2]:
            raise InputError(
                at,
                "is a square table, rows the reference and columns the verdict, or one by cluster",
                found=f"the shape {table.shape}",
            )
        if not np.isfinite(table).all() or (table < 0).any():
            wrong = table[~np.isfinite(table) | (table < 0)][0]
            raise InputError(at, "has finite counts, not below 0", found=f"{wrong:g}")
        _not_empty(at, int(table.any()))
        size = table.shape[-1]
        options = options_of(place, (), self.labels) if self.labels is not None else range(size)
        if len(options) != size:
            raise InputError(
                place, "labels name each row of counts", found=f"{len(options)} labels, {size} rows"
            )
        if table.ndim == 3:
            return _by_cluster(tuple(options), table, round(float(table.sum())))
        broken = table[table != np.round(table)]
        if len(broken):
            raise InputError(
                at,
                "a single table has whole counts",
                found=f"{broken[0]:g}",
                next_step="Fractions need one table for each cluster: clusters x K x K",
            )
        return _alone(tuple(options), table)


def _by_cluster(options: tuple[Any, ...], tables: NDArray[Any], n_items: int) -> Tables:
    """Tables [C, K, K] of clusters, those without a count left out."""
    stack = tables[tables.any((1, 2))].astype(np.float64)
    return Tables(options, *distinct_clusters(stack, np.ones(len(stack), np.int64)), n_items)


def _alone(options: tuple[Any, ...], table: NDArray[Any]) -> Tables:
    """Decisions that stand alone, counted in one table [K, K]: a cluster of one for each."""
    rows, columns = np.nonzero(table)
    stack = np.zeros((len(rows), *table.shape))
    stack[np.arange(len(rows)), rows, columns] = 1.0
    times = table[rows, columns].astype(np.int64)
    return Tables(options, *distinct_clusters(stack, times), int(times.sum()))
