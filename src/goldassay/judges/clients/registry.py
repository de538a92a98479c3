"""The kinds of endpoints, and which one a judge declares."""

from __future__ import annotations

from goldassay.judges.clients.anthropic import ANTHROPIC
from goldassay.judges.clients.callable import CALLABLE
from goldassay.judges.clients.column import COLUMN
from goldassay.judges.clients.command import COMMAND
from goldassay.judges.clients.kind import Kind
from goldassay.judges.clients.openai import OPENAI
from goldassay.judges.clients.reward import REWARD
from goldassay.judges.declaration import Declaration

__all__ = ["DECLARED_BY", "KINDS", "PROVIDERS", "kind_of"]

KINDS: tuple[Kind, ...] = (OPENAI, ANTHROPIC, CALLABLE, COMMAND, REWARD, COLUMN)
#: The keys of a judge file of which exactly one says who answers.
DECLARED_BY: tuple[str, ...] = tuple(dict.fromkeys(kind.declared_by for kind in KINDS))
#: Whose protocol a model may speak.
PROVIDERS: tuple[str, ...] = tuple(kind.name for kind in KINDS if kind.declared_by == "model")

_BY_NAME = {kind.name: kind for kind in KINDS}


def kind_of(judge: Declaration) -> Kind:
    """Who answers for a judge."""
    declared = next(key for key in DECLARED_BY if getattr(judge, key))
    return _BY_NAME[judge.provider if declared == "model" else declared]
