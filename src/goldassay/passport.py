"""A judge's passport: what was found, bound to who the judge was, on what, when, and how long.

A passport is the JSON document of `goldassay certify`; the part `passport` of it holds what binds
(`Passport`). A digest of the whole document stands in it: one that was changed by hand is refused.
`goldassay.standing` says whether a passport still speaks of a judge.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Mapping
from dataclasses import field, replace
from datetime import UTC, date, datetime
from typing import Any

from goldassay.errors import InputError, SourceError, UsageError, shown
from goldassay.frozen import dataclass
from goldassay.results import SCHEMA
from goldassay.sources.opening import read_json, sha256_of

__all__ = [
    "FIELDS",
    "VERSION",
    "Errors",
    "Expiry",
    "Identity",
    "Passport",
    "day_of",
    "digest_of",
    "expiry_of",
    "passport_of",
    "read_passport",
    "today",
]

#: The version of the part `passport`. A reader refuses a later one.
VERSION = 1
#: Who a judge is, as the columns of a judges table say it.
FIELDS = (
    "model",
    "version",
    "prompt",
    "rubric",
    "parameters",
    "parser",
    "realization",
    "source",
    "family",
    "size",
)
#: What describes a judge and does not shape a verdict of its own: a change of it is no other judge.
DESCRIBES = frozenset({"family", "size"})
#: Without these nothing is known to be the same; the digest of a program (`source`) is both.
CORE = ("model", "prompt")
#: More than any count or weight in a passport.
MOST = 1e15
#: How labelled items may have been drawn.
DESIGNS = ("random", "by_verdict", "by_label", "separate")
#: Keys of a task that say what a verdict means and how it is counted.
MEANING = (
    "scale",
    "options",
    "positive",
    "cut",
    "tie",
    "ties",
    "abstentions",
    "recode_to",
    "invalids",
)
_MAKE = "Make it with: goldassay certify ... --out JUDGE.passport.json"


@dataclass(frozen=True, slots=True)
class Identity:
    """Who a judge is: `said` has what is known, by field, and `origin` who says so.

    >>> who = Identity({"model": "gpt-4o"}, {"model": "declared"})
    >>> who["model"], who["prompt"], "prompt" in who.unknown
    ('gpt-4o', None, True)
    """

    said: Mapping[str, str] = field(default_factory=dict)
    origin: Mapping[str, str] = field(default_factory=dict)

    def __getitem__(self, name: str) -> str | None:
        return self.said.get(name)

    @property
    def known(self) -> tuple[str, ...]:
        return tuple(name for name in FIELDS if self.said.get(name))

    @property
    def unknown(self) -> tuple[str, ...]:
        return tuple(name for name in FIELDS if not self.said.get(name))

    def over(self, other: Identity) -> Identity:
        """This one, and from the other what this one does not know."""
        return Identity({**other.said, **self.said}, {**other.origin, **self.origin})

    def to_json(self) -> dict[str, dict[str, str] | None]:
        return {
            name: {"value": self.said[name], "from": self.origin.get(name, "")}
            if self.said.get(name)
            else None
            for name in FIELDS
        }

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> Identity:
        known = {name: raw[name] for name in FIELDS if raw.get(name)}
        return cls(
            {name: str(one["value"]) for name, one in known.items()},
            {name: str(one["from"]) for name, one in known.items()},
        )


@dataclass(frozen=True, slots=True)
class Expiry:
    """Until when a passport holds, as its maker declares: a day, a number of verdicts, or both."""

    date: str | None = None
    verdicts: int | None = None

    def __bool__(self) -> bool:
        return self.date is not None or self.verdicts is not None

    def to_json(self) -> dict[str, Any]:
        return {"date": self.date, "verdicts": self.verdicts}


@dataclass(frozen=True, slots=True)
class Errors:
    """What the judge said of labelled and unlabelled items of one criterion, as counts.

    `cells` are distinct clusters, each with how many of it there are, and for each option of the
    label, then for items without a label, the numbers of its verdicts. Where the labels do not tell
    how often the judge errs, `reason` says why.
    """

    criterion: str | None
    options: tuple[str, ...]
    verdicts: tuple[str, ...]
    #: How labelled items were drawn, as declared.
    design: str | None
    n_items: int
    #: Each cluster is one item that counts once.
    independent: bool
    cells: tuple[tuple[int, tuple[tuple[float, ...], ...]], ...]
    reason: str | None = None

    @property
    def total(self) -> tuple[tuple[float, ...], ...]:
        """The cells of all clusters together."""
        rows = range(len(self.options) + 1)
        columns = range(len(self.verdicts))
        return tuple(
            tuple(sum(n * cell[r][v] for n, cell in self.cells) for v in columns) for r in rows
        )

    def to_json(self) -> dict[str, Any]:
        return {
            "criterion": self.criterion,
            "options": list(self.options),
            "verdicts": list(self.verdicts),
            "design": self.design,
            "reason": self.reason,
            "n_items": self.n_items,
            "independent": self.independent,
            "cells": [[n, [list(row) for row in cell]] for n, cell in self.cells],
        }

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> Errors:
        cells = tuple(
            (int(n), tuple(tuple(float(x) for x in row) for row in cell))
            for n, cell in raw["cells"]
        )
        for name in ("criterion", "reason", "design"):
            if not isinstance(raw[name], str | None):
                raise TypeError(f"{name} is a text or null")
        made = cls(
            raw["criterion"],
            tuple(map(str, raw["options"])),
            tuple(map(str, raw["verdicts"])),
            raw["design"],
            int(raw["n_items"]),
            bool(raw["independent"]),
            cells,
            raw["reason"],
        )
        if not cells and made.reason is None:
            raise ValueError("no cells to correct by")
        shape = {(len(cell), *{len(row) for row in cell}) for _, cell in cells}
        if not shape <= {(len(made.options) + 1, len(made.verdicts))}:
            raise ValueError("cells of the wrong shape")
        numbers = [x for n, cell in cells for x in (n - 1, *(x for row in cell for x in row))]
        if any(not 0 <= x < MOST for x in (*numbers, made.n_items)):
            raise ValueError("a count that is none")
        if (
            made.design not in (None, *DESIGNS)
            or made.verdicts[: len(made.options)] != made.options
        ):
            raise ValueError("an unknown design, or verdicts that are not the options")
        return made


@dataclass(frozen=True, slots=True, kw_only=True)
class Passport:
    """What binds results to a judge. `task` is the declaration, as JSON."""

    judge: str
    identity: Identity
    task: Mapping[str, Any]
    population: str | None
    date: str
    expires: Expiry
    errors: tuple[Errors, ...]
    #: Rows of the data that were looked at, and that were not: column -> labels.
    only: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    exclude: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    #: What it is called in messages: the file, or the judge's passport.
    name: str = "the passport"
    digest: str = ""
    #: The digest of the file that it was read from.
    sha256: str | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "version": VERSION,
            "judge": self.judge,
            "identity": self.identity.to_json(),
            "population": self.population,
            "only": {column: list(labels) for column, labels in self.only.items()},
            "exclude": {column: list(labels) for column, labels in self.exclude.items()},
            "date": self.date,
            "expires": self.expires.to_json(),
            "task": dict(self.task),
            "errors": [one.to_json() for one in self.errors],
            "digest": self.digest,
        }


# --- reading ------------------------------------------------------------------------------------


def digest_of(document: Mapping[str, Any]) -> str:
    """The SHA-256 of a passport's document without its digest and the command line that made it."""
    inner = {key: one for key, one in document["passport"].items() if key != "digest"}
    made = {key: one for key, one in document["provenance"].items() if key != "argv"}
    whole = {**document, "passport": inner, "provenance": made}
    text = json.dumps(whole, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def read_passport(path: str | os.PathLike[str]) -> Passport:
    """The passport in a file; whatever else the file is, one message that says so."""
    place = os.fspath(path)
    found = passport_of(read_json(place, "passport", next_step=_MAKE), place=place)
    return replace(found, sha256=sha256_of(place, "passport"))


def passport_of(document: Any, *, place: str = "the passport") -> Passport:
    """The passport that a document of `goldassay certify` holds."""
    if not isinstance(document, Mapping) or not str(document.get("schema")).startswith(
        "goldassay/"
    ):
        raise SourceError(place, "is not a passport of goldassay", next_step=_MAKE)
    _check_version(place, document["schema"], SCHEMA)
    if document.get("verb") != "certify" or not isinstance(document.get("passport"), Mapping):
        raise SourceError(
            place,
            "is a document of goldassay, but not a passport",
            found=f"one of goldassay {visible_verb(document)}",
            next_step=_MAKE,
        )
    inner = document["passport"]
    _check_version(place, f"passport/{inner.get('version')}", f"passport/{VERSION}")
    try:
        sealed = digest_of(document)
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise _damaged(place, error) from None
    if inner.get("digest") != sealed:
        raise SourceError(
            place,
            "was changed after it was made: its digest is not that of its content",
            next_step="Take the file as goldassay wrote it, or make it again",
        )
    try:
        return _read(inner, place)
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        raise _damaged(place, error) from None


def visible_verb(document: Mapping[str, Any]) -> str:
    """The verb of a document that somebody else may have written, for a message."""
    return shown(document.get("verb"), 40)


def _damaged(place: str, error: Exception) -> SourceError:
    reason = f"{type(error).__name__}: {shown(str(error), 60)}"
    return SourceError(place, f"is damaged ({reason})", next_step="Make it again")


def _check_version(place: str, found: Any, own: str) -> None:
    """Refuse what a later goldassay wrote, and what no goldassay wrote."""
    if found == own:
        return
    number, mine = (re.fullmatch(r"[a-z]+/(\d{1,9})", str(one)) for one in (found, own))
    if number and mine and int(number[1]) > int(mine[1]):
        raise SourceError(
            place,
            f"was written by a newer goldassay ({found}, this one reads {own})",
            next_step="Upgrade goldassay",
        )
    raise SourceError(place, f"is not a passport that can be read ({own})", found=shown(found))


def _read(inner: Mapping[str, Any], place: str) -> Passport:
    expires = inner["expires"]
    until, verdicts = expires["date"], expires["verdicts"]
    population = inner["population"]
    if verdicts is not None and int(verdicts) < 1:
        raise ValueError("it holds for no verdict")
    return Passport(
        judge=str(inner["judge"]),
        identity=Identity.from_json(inner["identity"]),
        task=dict(inner["task"]),
        population=None if population is None else str(population),
        date=date.fromisoformat(inner["date"]).isoformat(),
        expires=Expiry(
            None if until is None else date.fromisoformat(until).isoformat(),
            None if verdicts is None else int(verdicts),
        ),
        errors=tuple(Errors.from_json(one) for one in inner["errors"]),
        only=_rows(inner["only"]),
        exclude=_rows(inner["exclude"]),
        name=place,
        digest=str(inner["digest"]),
    )


def _rows(where: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    return {str(column): tuple(map(str, labels)) for column, labels in where.items()}


# --- days ---------------------------------------------------------------------------------------


def today() -> str:
    """The day: SOURCE_DATE_EPOCH where it is set, so that the same input gives the same bytes."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "").strip()
    if not epoch:
        return datetime.now(UTC).date().isoformat()
    try:
        return datetime.fromtimestamp(int(epoch), UTC).date().isoformat()
    except (ValueError, OverflowError, OSError):
        raise UsageError(
            "SOURCE_DATE_EPOCH", "is a number of seconds since 1970", found=shown(epoch)
        ) from None


def day_of(text: object, where: str) -> str:
    """A day, as 2026-11-15."""
    try:
        return date.fromisoformat(str(text)).isoformat()
    except ValueError:
        raise UsageError(where, "is a day, as 2026-11-15", found=shown(text)) from None


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def expiry_of(value: str | int | None, where: str) -> Expiry:
    """A day or a number of verdicts; none for None.

    >>> expiry_of("2027-01-31", "--expires"), expiry_of("50000", "--expires")
    (Expiry(date='2027-01-31', verdicts=None), Expiry(date=None, verdicts=50000))
    """
    if value is None:
        return Expiry()
    text = str(value).strip().replace("_", "").replace(",", "")
    if re.fullmatch(r"(19|20)\d{6}", str(value).strip()) and _is_day(text):
        raise UsageError(
            where,
            "may be a day or a number of verdicts",
            found=shown(value),
            next_step=f"Write {date.fromisoformat(text)} for the day, {int(text):_} for the number",
        )
    if re.fullmatch(r"\d{1,15}", text) and int(text) > 0:
        return Expiry(verdicts=int(text))
    try:
        return Expiry(date=day_of(value, where))
    except InputError:
        raise UsageError(
            where, "is a day, as 2027-01-31, or a number of verdicts, as 50000", found=shown(value)
        ) from None
