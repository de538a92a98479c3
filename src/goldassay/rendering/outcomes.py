"""What a document says of its gates, for the forms that show gates alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from goldassay.errors import UsageError
from goldassay.words import bare, visible

__all__ = ["account_of", "gates_of", "label_of", "message_of", "state_of"]


def gates_of(document: Mapping[str, Any], place: str) -> Sequence[Mapping[str, Any]]:
    """The outcomes of the gates that a document was held against; without a gate there is none."""
    found: Sequence[Mapping[str, Any]] = document.get("gates") or ()
    if not found:
        raise UsageError(
            place, "shows gates, and none is asked for", next_step="Give one with --require"
        )
    return found


def state_of(outcome: Mapping[str, Any]) -> str:
    """held, not met or inconclusive; documents from before there were three have two."""
    return str(outcome.get("state") or ("held" if outcome["held"] else "not met"))


def account_of(outcome: Mapping[str, Any]) -> dict[str, Any]:
    """What an outcome stands on, by name, without what is not known."""
    account = outcome.get("account") or {}
    return {key: value for key, value in account.items() if value not in (None, [], "")}


def label_of(outcome: Mapping[str, Any]) -> str:
    """A gate and whom its outcome is about: no two outcomes of a document have the same."""
    about = ", ".join(f"{key}={visible(name, 120)}" for key, name in outcome["about"].items())
    return f"{visible(outcome['gate'], 200)} ({about})" if about else visible(outcome["gate"], 200)


def message_of(outcome: Mapping[str, Any]) -> str:
    """What was found, on what it stands, and what is said of it, in one line."""
    stands = f"It stands {outcome['stands_on']}." if outcome.get("stands_on") else ""
    said = visible(bare(outcome["sentence"]), 1000)
    return " ".join(filter(None, (f"{outcome['text']}.", stands, said)))
