"""goldassay: how much gold is in an LLM judge, and what may honestly be reported with it.

    >>> import goldassay
    >>> goldassay.Interval(0.48, 0.73, 0.95, "Wilson")
    (0.48, 0.73) 95% Wilson

Each question is a function with the name and the options of its verb (`agree`, `select`,
`estimate`, ...) and returns `Findings`. Single coefficients, on labels, counts or scores, are in
`metrics`, small simulated tables in `examples`. Names are loaded when first used: `import
goldassay` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from goldassay import examples as examples
    from goldassay import metrics as metrics

__version__ = "0.1.0"

#: Public name -> the module that has it.
_PUBLIC = {
    "GateInconclusive": "goldassay.errors",
    "GateNotMet": "goldassay.errors",
    "GoldassayError": "goldassay.errors",
    "InputError": "goldassay.errors",
    "Estimate": "goldassay.results",
    "Findings": "goldassay.findings",
    "Interval": "goldassay.results",
    "Sentence": "goldassay.results",
    "Undefined": "goldassay.results",
    "Task": "goldassay.ratings.task",
    "read_task": "goldassay.ratings.task",
    "Ratings": "goldassay.ratings.table",
    "read_ratings": "goldassay.ratings.table",
    "read_log": "goldassay.sources.importers",
    "Study": "goldassay.lab.simulate",
    "read_study": "goldassay.lab.simulate",
    "simulate": "goldassay.lab.simulate.ask",
    "agree": "goldassay.questions.agree.ask",
    "audit": "goldassay.questions.audit.ask",
    "certify": "goldassay.questions.certify.ask",
    "check": "goldassay.questions.check.ask",
    "compare": "goldassay.questions.compare.ask",
    "diff": "goldassay.questions.diff.ask",
    "estimate": "goldassay.questions.estimate.ask",
    "monitor": "goldassay.questions.monitor.ask",
    "plan": "goldassay.questions.plan.ask",
    "rank": "goldassay.questions.rank.ask",
    "replace": "goldassay.questions.replace.ask",
    "route": "goldassay.questions.route.ask",
    "report": "goldassay.questions.report.ask",
    "select": "goldassay.questions.select.ask",
    "examples": "goldassay.examples",
    "metrics": "goldassay.metrics",
}

__all__ = ["__version__", *_PUBLIC]  # noqa: PLE0604


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'goldassay' has no attribute {name!r}")
    module = import_module(_PUBLIC[name])
    return module if _PUBLIC[name] == f"goldassay.{name}" else getattr(module, name)


def __dir__() -> list[str]:
    return sorted(__all__)
