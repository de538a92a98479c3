"""What two documents share: every number old, new, and its change; what was declared otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from goldassay.counts import Units
from goldassay.errors import UsageError, shown
from goldassay.frozen import dataclass
from goldassay.questions.diff.changes import (
    independent_change,
    joint_counts,
    paired_changes,
    statistics_of,
)
from goldassay.questions.diff.identities import IdentityChange, identity_changes
from goldassay.questions.diff.pairing import Relabelled, Unchanged, joined
from goldassay.ratings.task import Task
from goldassay.results import Estimate, Interval, Result, Row, Undefined

__all__ = ["Change", "DiffStudy", "Difference", "Document", "Pairing", "study"]

Document = Mapping[str, Any]
#: (judge, criterion) -> changes by the name of the number.
Paired = Mapping[tuple[str | None, str | None], Mapping[str, Result]]

#: From this share of other labels on, the items of two documents count as other items: what was
#: measured against the old labels says nothing of the new ones.
MOST_MOVED = 0.05

#: What a change may be about and still be the plain one that pairing gives.
SUBJECT = ("verb", "judge", "criterion", "level", "system", "aggregation", "estimator")
#: What adding up in another order changes, of numbers about one.
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class Change:
    """A number that both documents have: its old and new row, and the change."""

    old: Document
    new: Document
    result: Result

    @property
    def name(self) -> str:
        return str(self.new["name"])

    @property
    def about(self) -> str:
        """What it is about, in one line."""
        return " · ".join(str(self.new[key]) for key in SUBJECT[1:] if self.new.get(key))

    @property
    def result_about(self) -> list[str]:
        """The keys of its rows that say what it is about."""
        return _about(self.new)

    @property
    def direction(self) -> str:
        """rose, fell, the same, cannot tell, no interval, or undefined."""
        if isinstance(self.result, Undefined):
            return "undefined"
        # An interval around no change says how far other items might differ; a change that the last
        # digits of a machine make is none.
        most = max(1.0, *(abs(one["value"] or 0.0) for one in (self.old, self.new)))
        if abs(self.result.value) <= _ROUNDING * most:
            return "the same"
        interval = self.result.interval
        if interval is None:
            return "no interval"
        return "rose" if interval.low > 0 else "fell" if interval.high < 0 else "cannot tell"


@dataclass(frozen=True, slots=True)
class Pairing:
    """Changes on the items of both documents, or that they do not hold items.

    Labels that are other ones in the new document: of judges (and criteria) that are compared item
    by item all the same, and of those that are not because of it.
    """

    changes: Paired
    without_items: bool = False
    relabelled: tuple[Relabelled, ...] = ()
    others: tuple[Relabelled, ...] = ()
    #: Judges of whom both documents hold the same verdicts on the same items with the same labels.
    unchanged: tuple[Unchanged, ...] = ()


@dataclass(frozen=True, slots=True)
class Difference:
    """A declaration or a number of excluded rows that is not the same in both documents."""

    key: str
    old: Any
    new: Any


@dataclass(frozen=True, slots=True)
class DiffStudy:
    """Two documents of one verb, compared."""

    changes: tuple[Change, ...]
    pairing: Pairing
    #: Numbers that only one of the documents has.
    only_old: int
    only_new: int
    declarations: tuple[Difference, ...]
    versions: tuple[str | None, str | None]
    exclusions: tuple[Difference, ...]
    #: Who each judge was and is, where a document says it.
    identities: tuple[IdentityChange, ...] = ()
    #: What two passports are bound to beside it: population, date, end.
    bound: tuple[Difference, ...] = ()
    #: Whether people's labels were drawn by a judge's verdict.
    drawn_by_verdict: bool = False
    #: Judges with numbers in the old document only, and in the new one only.
    gone: tuple[str, ...] = ()
    come: tuple[str, ...] = ()
    #: Whether both documents were made from the very same files under the same task.
    same_input: bool = False

    @property
    def passports(self) -> bool:
        return bool(self.bound)

    def identities_json(self) -> list[dict[str, Any]]:
        return [one.to_json() for one in self.identities]

    def rows(self) -> tuple[Row, ...]:
        return tuple(
            Row(change.result, {key: change.new.get(key) for key in _about(change.new)})
            for change in self.changes
        )


def study(old: Document, new: Document, *, renamed: Mapping[str, str]) -> DiffStudy:
    """Every number that both documents have, with its change; judges may have been renamed."""
    if old.get("verb") != new.get("verb"):
        raise UsageError(
            "goldassay diff",
            "compares two documents of the same verb",
            found=f"{shown(old.get('verb'))} and {shown(new.get('verb'))}",
        )
    before = {_subject(row, renamed): row for row in old.get("results", ())}
    after = {_subject(row, {}): row for row in new.get("results", ())}
    shared = [key for key in after if key in before]
    if not shared:
        raise UsageError(
            "goldassay diff",
            "no number is in both documents",
            found=f"judges {_judges(old)} and {_judges(new)}",
            next_step="Name the judge that changed: --judge OLD=NEW"
            if before and after
            else "Make both reports of ratings that hold people's labels",
        )
    pairing = _pairing(old, new, renamed)
    same = _same_input(old, new)
    known = {renamed.get(judge, judge) for judge in _names(old)}
    return DiffStudy(
        changes=tuple(
            Change(
                before[key],
                after[key],
                _identity(before[key], after[key])
                if same and _alike(before[key], after[key])
                else _change(before[key], after[key], pairing.changes),
            )
            for key in shared
        ),
        pairing=pairing,
        only_old=len(before) - len(shared),
        only_new=len(after) - len(shared),
        declarations=_differences(old.get("task", {}), new.get("task", {})),
        versions=(_version(old), _version(new)),
        exclusions=_differences(_left_out(old), _left_out(new), absent=0),
        identities=identity_changes(old, new, renamed),
        bound=_bound(old, new),
        drawn_by_verdict=(new.get("task") or {}).get("calibration") == "by_verdict",
        gone=tuple(one for one in _names(old) if renamed.get(one, one) not in _names(new)),
        come=tuple(one for one in _names(new) if one not in known),
        same_input=same,
    )


def _same_input(old: Document, new: Document) -> bool:
    """Whether both were made from files with the same digests, under the same task."""
    digests = [
        sorted(str(one.get("sha256") or "") for one in made.get("provenance", {}).get("inputs", ()))
        for made in (old, new)
    ]
    known = bool(digests[0]) and all(digests[0]) and digests[0] == digests[1]
    return known and old.get("task") == new.get("task")


def _alike(was: Document, now: Document) -> bool:
    """Whether two rows are the same number of the same judge, with the same ends and items."""
    same = ("judge", "value", "low", "high", "n_items")
    return was.get("value") is not None and all(was.get(key) == now.get(key) for key in same)


def _identity(was: Document, now: Document) -> Estimate:
    """The change of a number that is made of the same input: there is none, for certain."""
    level = now.get("confidence_level") or 0.95
    none = Interval(0.0, 0.0, level, "the same input")
    items, clusters = now.get("n_items") or 0, now.get("n_clusters") or 0
    declared = {"compared": "of the same input"}
    return Estimate(f"{now['name']}_change", 0.0, none, items, clusters, declared=declared)


def _bound(old: Document, new: Document) -> tuple[Difference, ...]:
    """Population, date and end of two passports, changed or not."""
    if "passport" not in old or "passport" not in new:
        return ()
    was, now = old["passport"], new["passport"]
    pairs = [(key, was[key], now[key]) for key in ("population", "date")]
    pairs += [
        ("holds until", was["expires"]["date"], now["expires"]["date"]),
        ("holds for verdicts", was["expires"]["verdicts"], now["expires"]["verdicts"]),
    ]
    return tuple(Difference(*one) for one in pairs)


_NUMBERS = frozenset(
    {
        "name",
        "value",
        "low",
        "high",
        "confidence_level",
        "method",
        "n_items",
        "n_clusters",
        "declared",
        "assumptions",
        "warnings",
        "undefined",
    }
)


def _about(row: Document) -> list[str]:
    return [key for key in row if key not in _NUMBERS]


def _subject(row: Document, renamed: Mapping[str, str]) -> tuple[str, ...]:
    judge = row.get("judge")
    values = {**row, "judge": renamed.get(judge, judge) if judge else judge}
    return (str(row["name"]), *(str(values.get(key)) for key in sorted(_about(row))))


def _names(document: Document) -> list[str]:
    return sorted({row["judge"] for row in document.get("results", ()) if row.get("judge")})


def _judges(document: Document) -> str:
    return ", ".join(_names(document)[:6]) or "none"


def _pairing(old: Document, new: Document, renamed: Mapping[str, str]) -> Pairing:
    """Changes of each judge (and criterion) on the items that both documents hold."""
    if not old.get("units") or not new.get("units"):
        return Pairing({}, without_items=True)
    task = _task(new)
    if _task(old).options != task.options:
        return Pairing({})
    back = {now: was for was, now in renamed.items()}
    found: dict[tuple[str | None, str | None], Mapping[str, Result]] = {}
    relabelled: list[Relabelled] = []
    others: list[Relabelled] = []
    unchanged: list[Unchanged] = []
    for judge in new["units"]["judges"]:
        pair = joined(old["units"], new["units"], (back.get(judge, judge), judge), task)
        if pair is None:
            continue
        units = pair.units
        if pair.unchanged:
            unchanged.append(Unchanged(judge, len(units.n)))
        parts: dict[str | None, Units] = {None: units}
        if one := units.by.get("criterion"):
            parts |= {label: units.only("criterion", label) for label in one.labels}
        for criterion, part in parts.items():
            moved = pair.relabelled(criterion)
            if moved.share > MOST_MOVED:
                others.append(moved)
                continue
            relabelled += [moved] if moved.differ else []
            found[judge, criterion] = paired_changes(
                joint_counts(part, "old", "new"),
                statistics_of(task),
                confidence_level=task.confidence_level,
            )
    return Pairing(found, False, tuple(relabelled), tuple(others), tuple(unchanged))


def _task(document: Document) -> Task:
    return Task.from_mapping(document.get("task", {}), place="the document's task")


def _change(was: Document, now: Document, paired: Paired) -> Result:
    name = f"{now['name']}_change"
    if was.get("value") is None or now.get("value") is None:
        which = "the old" if was.get("value") is None else "the new"
        reason = was.get("undefined") or now.get("undefined") or "no value"
        return Undefined(name, f"undefined in {which} document: {reason}", now.get("n_items") or 0)
    plain = now.get("level") in (None, "micro") and now.get("system") is None
    whole = [key for key in _about(now) if key not in SUBJECT and now.get(key) is not None]
    together = paired.get((now.get("judge"), now.get("criterion")), {}).get(now["name"])
    if plain and not whole and isinstance(together, Estimate):
        return Estimate(
            name,
            together.value,
            together.interval,
            together.n_items,
            together.n_clusters,
            declared={"compared": "on the items of both documents"},
            warnings=together.warnings,
        )
    ends = [(one["value"], one.get("low"), one.get("high")) for one in (was, now)]
    level = now.get("confidence_level") or 0.95
    change = independent_change(name, ends[0], ends[1], confidence_level=level)
    return Estimate(name, change.value, change.interval, now.get("n_items") or 0)


def _differences(
    old: Mapping[str, Any], new: Mapping[str, Any], absent: Any = None
) -> tuple[Difference, ...]:
    """The keys whose values differ, in the order in which they occur."""
    return tuple(
        Difference(key, old.get(key, absent), new.get(key, absent))
        for key in dict.fromkeys([*old, *new])
        if old.get(key) != new.get(key)
    )


def _left_out(document: Document) -> dict[str, int]:
    return {one["reason"]: one["rows"] for one in document.get("exclusions", ())}


def _version(document: Document) -> str | None:
    return document.get("provenance", {}).get("version")  # type: ignore[no-any-return]
