"""karat: how much gold is in an LLM judge, and what may honestly be reported with it.

    >>> import karat
    >>> karat.Interval(0.48, 0.73, 0.95, "Wilson")
    (0.48, 0.73) 95% Wilson

The six questions are functions of a table of ratings: `agree, select, estimate, plan, audit, rank`.
Each returns `Findings`. Names are loaded when first used: `import karat` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

#: Public name -> the module that has it (and its name there, where it differs).
_PUBLIC = {
    "KaratError": "karat.errors",
    "InputError": "karat.errors",
    "Estimate": "karat.results",
    "Findings": "karat.results",
    "Interval": "karat.results",
    "Undefined": "karat.results",
    "envelope": "karat.results",
    "Task": "karat.task",
    "read_task": "karat.task",
    "Ratings": "karat.ratings",
    "read_ratings": "karat.ratings",
    "count_units": "karat.counts",
    "count_distributions": "karat.counts",
    "count_scores": "karat.counts",
    "count_wins": "karat.counts",
    "confusion": "karat.counts",
    "Study": "karat.simulate",
    "read_study": "karat.simulate",
    "simulate": "karat.simulate",
    "agree": "karat.cli.agree:find",
    "select": "karat.cli.select:find",
    "estimate": "karat.cli.estimate:find",
    "plan": "karat.cli.plan:find",
    "audit": "karat.cli.audit:find",
    "rank": "karat.cli.rank:find",
}

__all__ = ["__version__", *_PUBLIC]  # noqa: PLE0604


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'karat' has no attribute {name!r}")
    module, _, attribute = _PUBLIC[name].partition(":")
    return getattr(import_module(module), attribute or name)


def __dir__() -> list[str]:
    return sorted(__all__)
