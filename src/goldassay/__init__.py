"""goldassay: how much gold is in an LLM judge, and what may honestly be reported with it.

    >>> import goldassay
    >>> goldassay.Interval(0.48, 0.73, 0.95, "Wilson")
    (0.48, 0.73) 95% Wilson

The six questions are functions of a table of ratings: `agree, select, estimate, plan, audit, rank`.
Each returns `Findings`. Names are loaded when first used: `import goldassay` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

#: Public name -> the module that has it (and its name there, where it differs).
_PUBLIC = {
    "GoldassayError": "goldassay.errors",
    "InputError": "goldassay.errors",
    "Estimate": "goldassay.results",
    "Findings": "goldassay.results",
    "Interval": "goldassay.results",
    "Undefined": "goldassay.results",
    "envelope": "goldassay.results",
    "Task": "goldassay.ratings.task",
    "read_task": "goldassay.ratings.task",
    "Ratings": "goldassay.ratings.table",
    "read_ratings": "goldassay.ratings.table",
    "count_units": "goldassay.counts",
    "count_distributions": "goldassay.counts",
    "count_scores": "goldassay.counts",
    "count_wins": "goldassay.counts",
    "confusion": "goldassay.counts",
    "Study": "goldassay.lab.simulate",
    "read_study": "goldassay.lab.simulate",
    "simulate": "goldassay.lab.simulate",
    "agree": "goldassay.cli.agree:find",
    "select": "goldassay.cli.select:find",
    "estimate": "goldassay.cli.estimate:find",
    "plan": "goldassay.cli.plan:find",
    "audit": "goldassay.cli.audit:find",
    "rank": "goldassay.cli.rank:find",
}

__all__ = ["__version__", *_PUBLIC]  # noqa: PLE0604


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'goldassay' has no attribute {name!r}")
    module, _, attribute = _PUBLIC[name].partition(":")
    return getattr(import_module(module), attribute or name)


def __dir__() -> list[str]:
    return sorted(__all__)
