"""Verdicts kept in a report, so that a later report can be compared item by item.

A report's document holds one character for each verdict and for each count of people's ratings,
under a digest of the unit's name: enough to pair two reports without either table of ratings, too
little to tell what an item was. 10,000 items with three judges take about 200 KB.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from goldassay.counts import Units, reference_weights
from goldassay.counts.units import By
from goldassay.frozen import dataclass
from goldassay.ratings.task import Task

__all__ = ["MAX_UNITS", "Relabelled", "Shared", "Unchanged", "fingerprint", "joined"]

#: Reports of more units are compared by their intervals alone.
MAX_UNITS = 50_000
#: One character for a number below 62; after them abstained, invalid, failed, and no verdict.
_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_ABSENT = "!?#-"
_ID = 10

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Relabelled:
    """The share of labels that are other ones now; on how many of how many units they differ."""

    share: float
    differ: int
    of: int


@dataclass(frozen=True, slots=True)
class Unchanged:
    """A judge that says the same of the same units, and how many they are."""

    judge: str
    items: int


@dataclass(frozen=True, slots=True)
class Shared:
    """Units of both reports: the judge's two versions against people's ratings of the new one.

    `moved` is for each unit the share of its reference that is another one than in the old report
    (the total variation distance, 0 or 1 for majorities); NaN where either has no reference.
    """

    units: Units
    moved: Floats
    #: Whether both reports have the same units, with the same verdicts and the same labels.
    unchanged: bool = False

    def relabelled(self, criterion: str | None = None) -> Relabelled:
        """How far labels moved on the units that people labelled for both reports."""
        moved = self.moved
        if criterion is not None:
            one = self.units.by["criterion"]
            moved = moved[one.codes == one.labels.index(criterion)]
        known = moved[~np.isnan(moved)]
        share = float(known.mean()) if len(known) else 0.0
        return Relabelled(share, int((known > 0).sum()), len(known))


def fingerprint(units: Units, names: Sequence[str]) -> dict[str, Any] | None:
    """The verdicts of units counted `by` the columns `names` that name a unit, item first.

    None when the units cannot be kept: too many, or more options or raters than digits.
    """
    size = len(units.options)
    people = units.human[:, : size + 1]
    if len(units.n) > MAX_UNITS or size > len(_DIGITS) or people.max(initial=0) >= len(_DIGITS):
        return None
    if (units.n != 1).any() or (units.weight != 1).any():
        return None
    keys = [np.array(units.by[name].labels, dtype=object)[units.by[name].codes] for name in names]
    digests = [_digest(parts) for parts in zip(*keys, strict=True)]
    order = sorted(range(len(digests)), key=digests.__getitem__)
    judges = {
        judge: [_written(units.verdict[order, column], size) for column in units.columns_of(judge)]
        for judge in units.judge_names
    }
    kept: dict[str, Any] = {
        "named_by": list(names),
        "ids": "".join(digests[i] for i in order),
        "people": "".join(_DIGITS[count] for count in people[order].ravel()),
        # One text for each sample of a judge; a judge asked once has just the one.
        "judges": {name: texts[0] if len(texts) == 1 else texts for name, texts in judges.items()},
    }
    if not units.single:
        kept["clusters"] = [int(code) for code in units.cluster[order]]
    if "criterion" in units.by:
        one = units.by["criterion"]
        kept["criteria"] = {"labels": list(one.labels), "codes": [int(c) for c in one.codes[order]]}
    return kept


def joined(
    old: Mapping[str, Any], new: Mapping[str, Any], pair: tuple[str, str], task: Task
) -> Shared | None:
    """Units on which both reports have their judge's verdict.

    The judge's two versions are the verdict columns "old" and "new", one for each sample;
    people's ratings are the new report's. None when the reports name their units by different
    columns or share none.
    """
    if old.get("named_by") != new.get("named_by"):
        return None
    place = {one: index for index, one in enumerate(_ids(old))}
    shared = [(place[one], index) for index, one in enumerate(_ids(new)) if one in place]
    if not shared or pair[0] not in old["judges"] or pair[1] not in new["judges"]:
        return None
    was, now = (np.array(side, dtype=np.int64) for side in zip(*shared, strict=True))
    size = len(task.options)
    people = _people(new, size)[now]
    before = [text[was] for text in _samples(old, pair[0], size)]
    after = [text[now] for text in _samples(new, pair[1], size)]
    names = ["old"] * len(before) + ["new"] * len(after)
    samples = (*map(str, range(len(before))), *map(str, range(len(after))))
    clusters = new.get("clusters")
    cluster = np.zeros(len(now), np.int64) if clusters is None else np.array(clusters)[now]
    by = {}
    if criteria := new.get("criteria"):
        codes = np.array(criteria["codes"], dtype=np.int64)[now]
        by["criterion"] = By(tuple(criteria["labels"]), codes)
    units = Units(
        options=task.options,
        judges=tuple(names),
        samples=samples,
        orders=("",) * len(names),
        cluster=cluster,
        n_clusters=len(now) if clusters is None else len(np.unique(cluster)),
        single=clusters is None,
        by=by,
        human=_votes(people),
        verdict=np.stack(before + after, axis=1),
        n=np.ones(len(now), np.int64),
        weight=np.ones(len(now)),
        exclusions=(),
        rows=0,
        task=task,
    )
    labels = _people(old, size)[was]
    unchanged = (
        len(_ids(old)) == len(_ids(new)) == len(shared)
        and np.array_equal(labels, people)
        and np.array_equal(np.array(before), np.array(after))
    )
    return Shared(units, _moved(units, replace(units, human=_votes(labels))), unchanged)


def _votes(people: Ints) -> Ints:
    """Ratings by option and abstentions, with the columns of resolved ones, which are not kept."""
    return np.concatenate([people, np.zeros((len(people), 2), np.int64)], axis=1)


def _moved(new: Units, old: Units) -> Floats:
    size = len(new.options)
    each = [reference_weights(one)[0][:, :size] for one in (new, old)]
    sums = [weights.sum(axis=1) for weights in each]
    shares = [w / np.maximum(total, 1e-300)[:, None] for w, total in zip(each, sums, strict=True)]
    distance = np.abs(shares[0] - shares[1]).sum(axis=1) / 2
    moved: Floats = np.where((sums[0] > 0) & (sums[1] > 0), distance, np.nan)
    return moved


def _digest(parts: Sequence[str]) -> str:
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:_ID]


def _written(codes: Ints, size: int) -> str:
    alphabet = _DIGITS[:size] + _ABSENT
    return "".join(alphabet[code if code >= 0 else size + 3] for code in codes)


def _read(text: str, size: int) -> Ints:
    codes = {character: code for code, character in enumerate(_DIGITS[:size] + _ABSENT)}
    codes[_ABSENT[3]] = -1
    return np.array([codes[character] for character in text], dtype=np.int64)


def _samples(block: Mapping[str, Any], judge: str, size: int) -> list[Ints]:
    kept = block["judges"][judge]
    return [_read(text, size) for text in ([kept] if isinstance(kept, str) else kept)]


def _people(block: Mapping[str, Any], size: int) -> Ints:
    counts = np.array([_DIGITS.index(c) for c in block["people"]], dtype=np.int64)
    return counts.reshape(-1, size + 1)


def _ids(block: Mapping[str, Any]) -> list[str]:
    text = block["ids"]
    return [text[start : start + _ID] for start in range(0, len(text), _ID)]
