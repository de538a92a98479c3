"""Whether a passport still speaks of a judge: fresh, stale, expired or unknown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any, Literal

from goldassay.frozen import dataclass
from goldassay.passport import CORE, DESCRIBES, FIELDS, MEANING, Identity, Passport, today

__all__ = ["Change", "Now", "Standing", "standing"]

Word = Literal["fresh", "stale", "expired", "unknown"]


@dataclass(frozen=True, slots=True)
class Change:
    """A field that is not what the passport says."""

    field: str
    was: str
    now: str


@dataclass(frozen=True, slots=True)
class Standing:
    """Whether a passport speaks of a judge as it is now.

    stale: a field changed; expired: its day is over or its verdicts are used up; unknown: what the
    passport knows is not known now, or it does not know enough; fresh: nothing of that.
    """

    passport: Passport
    judge: str
    word: Word
    changes: tuple[Change, ...] = ()
    same: tuple[str, ...] = ()
    #: Fields that cannot be compared and would have to be.
    unknown: tuple[str, ...] = ()
    expired: bool = False
    date: str = ""
    verdicts: int | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "file": Path(self.passport.name).name,
            "judge": self.judge,
            "standing": self.word,
            "changed": [{"field": c.field, "was": c.was, "now": c.now} for c in self.changes],
            "same": list(self.same),
            "unknown": list(self.unknown),
            "expired": self.expired,
            "date": self.date,
            "verdicts": self.verdicts,
            "issued": self.passport.date,
            "expires": self.passport.expires.to_json(),
            "digest": self.passport.digest,
        }


@dataclass(frozen=True, slots=True)
class Now:
    """A judge as it is met: who it is, its task, how many verdicts it gave, on which day."""

    judge: str
    identity: Identity = field(default_factory=Identity)
    task: Mapping[str, Any] | None = None
    verdicts: int | None = None
    date: str = ""


def standing(passport: Passport, now: Now) -> Standing:
    """Whether the passport still speaks of the judge."""
    was, here = passport.identity, now.identity
    shaping = [name for name in FIELDS if name not in DESCRIBES]
    both = [name for name in shaping if was[name] and here[name]]
    changes = [
        Change(name, str(was[name]), str(here[name])) for name in both if was[name] != here[name]
    ]
    changes += _task_changes(passport.task, now.task)
    lost = [name for name in shaping if was[name] and not here[name]]
    program = str(was["source"] or "").startswith("sha256:")
    lost += [name for name in CORE if not was[name] and not program]
    day = now.date or today()
    expires = passport.expires
    over = (expires.date is not None and day > expires.date) or (
        expires.verdicts is not None
        and now.verdicts is not None
        and now.verdicts > expires.verdicts
    )
    word: Word = "stale" if changes else "expired" if over else "unknown" if lost else "fresh"
    return Standing(
        passport,
        now.judge,
        word,
        tuple(changes),
        tuple(name for name in both if was[name] == here[name]),
        tuple(lost),
        over,
        day,
        now.verdicts,
    )


def _task_changes(was: Mapping[str, Any], now: Mapping[str, Any] | None) -> list[Change]:
    if now is None:
        return []
    return [
        Change(f"task {key}", _word(was.get(key)), _word(now.get(key)))
        for key in MEANING
        if _word(was.get(key)) != _word(now.get(key))
    ]


def _word(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, Sequence):
        return ", ".join(map(str, value))
    return "nothing" if value is None else str(value)
