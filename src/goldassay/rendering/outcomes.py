"""What a document says of its gates, for the forms that show gates alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from goldassay.errors import UsageError
from goldassay.words import bare, visible

__all__ = ["gates_of", "label_of", "message_of"]


def gates_of(document: Mapping[str, Any], place: str) -> Sequence[Mapping[str, Any]]:
    """The outcomes of the gates that a document was held against; without a gate there is none."""
    found: Sequence[Mapping[str, Any]] = document.get("gates") or ()
    if not found:
        raise UsageError(
            place, "shows gates, and none is asked for", next_step="Give one with --require"
        )
    return found


def label_of(outcome: Mapping[str, Any]) -> str:
    """A gate and whom its outcome is about: no two outcomes of a document have the same."""
    about = ", ".join(f"{key}={visible(name, 120)}" for key, name in outcome["about"].items())
    return f"{visible(outcome['gate'], 200)} ({about})" if about else visible(outcome["gate"], 200)


def message_of(outcome: Mapping[str, Any]) -> str:
    """What was found and what is said of it, in one line."""
    return " ".join(filter(None, (f"{outcome['text']}.", visible(bare(outcome["sentence"]), 1000))))
