"""Whether a reading of a file is the true one: by fingerprint, never by order and never by name.

Of every kind the multiset of its raters and criteria is compared, each by its number of ratings and
counts of values, case and the form of numbers folded; and the number of items.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

KINDS = {"human", "judge", "reference"}
Counts = Counter[str]


def fold(value: object) -> str:
    """A value as it is compared: text without case and outer space, numbers as numbers."""
    text = str(value).strip()
    if re.fullmatch(r"[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?", text, re.IGNORECASE):
        return f"{float(text) or 0.0:.10g}"
    return text.casefold()


def folded(values: Mapping[str, int], skip: Iterable[str] = ()) -> Counts:
    """Counts of folded values without those that say that nothing was rated."""
    found: Counts = Counter()
    for value, number in values.items():
        if fold(value) not in skip:
            found[fold(value)] += number
    return found


@dataclass
class Group:
    """The ratings of a rater, of one criterion, as they were read."""

    kind: str
    rater: str
    criterion: str
    counts: Counts


@dataclass
class Truth:
    """What a manifest says of a rater's ratings of one criterion."""

    said: Mapping[str, Any]
    skip: set[str]
    #: How values were written otherwise in reading: folded value -> label.
    labels: Mapping[str, str]

    @property
    def kinds(self) -> set[str]:
        return {self.said["kind"], *self.said.get("also", ())}

    @property
    def counts(self) -> Counts:
        found: Counts = Counter()
        for value, number in folded(self.said["values"], self.skip).items():
            found[fold(self.labels.get(value, value))] += number
        return found

    @property
    def by_moments(self) -> bool:
        """Whether only the least, largest and mean value are known."""
        values = self.said["values"]
        return set(values) == {"min", "max", "mean"} and self.said["n"] != sum(values.values())

    def fits(self, group: Group, *, sides: bool) -> bool:
        """Whether a group is these ratings; `sides` may be exchanged, where options are sides."""
        if self.by_moments:
            return self._moments(group)
        known = [self.counts, *(folded(other, self.skip) for other in self.said.get("alt", ()))]
        counts = group.counts
        return any(
            one == counts or (sides and sorted(one.values()) == sorted(counts.values()))
            for one in known
        )

    def _moments(self, group: Group) -> bool:
        try:
            numbers = [(float(value), n) for value, n in group.counts.items()]
        except ValueError:
            return False
        size = sum(n for _, n in numbers)
        if not size or size != self.said["n"]:
            return False
        mean = sum(value * n for value, n in numbers) / size
        found = (min(numbers)[0], max(numbers)[0], mean)
        wanted = [self.said["values"][name] for name in ("min", "max", "mean")]
        return all(abs(a - b) <= 1e-6 * max(1, abs(b)) for a, b in zip(found, wanted, strict=True))


@dataclass
class Difference:
    """How a reading differs from the truth; nothing where it is the truth."""

    missing: list[Mapping[str, Any]]
    more: list[Group]
    raters: bool = False
    items: bool = False

    @property
    def same(self) -> bool:
        return not (self.missing or self.more or self.raters or self.items)

    def __str__(self) -> str:
        parts = []
        if self.missing:
            parts.append(f"not read as they are: {dict(Counter(o['kind'] for o in self.missing))}")
        for one in self.more[:3]:
            shown = dict(one.counts.most_common(4))
            parts.append(f"read and not there: {one.kind} {one.rater} {one.criterion} {shown}")
        parts += ["other raters"] * self.raters + ["other items"] * self.items
        return "; ".join(parts)


def difference(
    entry: Mapping[str, Any],
    groups: Iterable[Group],
    items: int,
    labels: Mapping[str, str] | None = None,
    *,
    any_kind: bool = False,
) -> Difference:
    """How ratings that were read differ from what a manifest's entry says of a file."""
    said = {fold(one): other for one, other in (labels or {}).items()}
    skip = {fold(word) for word in entry.get("abstain") or ()}
    sides = entry.get("scale") == "pairwise"
    left = [Group(g.kind, g.rater, g.criterion, folded(g.counts, skip)) for g in groups]
    left = [one for one in left if one.counts]
    truths = [Truth(one, skip, said) for one in entry["raters"]]
    optional = [Truth(one, skip, said) for one in entry.get("optional") or ()]
    pooled = [one for one in truths if one.said.get("pool")]
    truths = [one for one in truths if not one.said.get("pool")]
    if pooled:
        allowed = KINDS if any_kind else set().union(*(one.kinds for one in pooled))
        want = sum((one.counts for one in pooled), Counter())
        mine = [
            one
            for one in left
            if one.kind in allowed
            and not any(o.fits(one, sides=sides) for o in (*optional, *truths))
        ]
        have = sum((one.counts for one in mine), Counter())
        raters = {(one.kind, one.rater) for one in mine}
        same = want == have
        if len(pooled) == 1 and pooled[0].by_moments:
            same = pooled[0].fits(Group("", "", "", have), sides=sides)
        if not same or entry.get("n_raters") not in (None, len(raters)):
            return Difference([one.said for one in pooled], mine)
        left = [one for one in left if one not in mine]
    names, raters = set(), set()
    missing: list[Truth] = []
    for exact in (True, False):
        pending, missing = (truths if exact else missing), []
        for truth in pending:
            kinds = KINDS if any_kind else {truth.said["kind"]} if exact else truth.kinds
            hit = next((g for g in left if g.kind in kinds and truth.fits(g, sides=sides)), None)
            if hit is None:
                missing.append(truth)
                continue
            left.remove(hit)
            names.add(truth.said["name"])
            raters.add((hit.kind, hit.rater))
    for truth in optional:
        kinds = truth.kinds | {"judge", "reference"}
        hit = next((g for g in left if g.kind in kinds and truth.fits(g, sides=sides)), None)
        if hit is not None:
            left.remove(hit)
    other = not missing and len(names) != len(raters)
    counted = entry.get("items") is not None and items != entry["items"]
    return Difference([one.said for one in missing], left, other, counted)
