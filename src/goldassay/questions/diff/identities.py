"""Who the judges of two documents are, and what of that changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from goldassay.frozen import dataclass
from goldassay.passport import FIELDS, Identity
from goldassay.standing import Now

__all__ = ["IdentityChange", "identity_changes", "met"]

Document = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class IdentityChange:
    """A judge of both documents, by its new name: who it was and who it is."""

    judge: str
    was: Identity
    now: Identity

    @property
    def changed(self) -> tuple[str, ...]:
        """Fields that both know and that differ."""
        both = [name for name in FIELDS if self.was[name] and self.now[name]]
        return tuple(name for name in both if self.was[name] != self.now[name])

    @property
    def same(self) -> tuple[str, ...]:
        both = [name for name in FIELDS if self.was[name] and self.now[name]]
        return tuple(name for name in both if self.was[name] == self.now[name])

    def to_json(self) -> dict[str, Any]:
        return {
            "judge": self.judge,
            "was": self.was.to_json(),
            "now": self.now.to_json(),
            "changed": list(self.changed),
            "same": list(self.same),
        }


def identity_changes(
    old: Document, new: Document, renamed: Mapping[str, str]
) -> tuple[IdentityChange, ...]:
    """The judges of which at least one document knows something."""
    before = {renamed.get(name, name): one for name, one in _identities(old).items()}
    after = _identities(new)
    pairs = [IdentityChange(name, before[name], after[name]) for name in after if name in before]
    return tuple(one for one in pairs if one.was.known or one.now.known)


def met(document: Document, judge: str) -> Now:
    """A judge as a document has it, to be held against a passport."""
    return Now(judge, _identities(document).get(judge, Identity()))


def _identities(document: Document) -> dict[str, Identity]:
    """Name -> who it is, of a report or a passport."""
    passport = document.get("passport")
    if isinstance(passport, Mapping):
        return {str(passport["judge"]): Identity.from_json(passport["identity"])}
    known = document.get("identities") or {}
    # A diff lists changes under the same name.
    listed = known.items() if isinstance(known, Mapping) else ()
    return {str(name): Identity.from_json(one) for name, one in listed}
