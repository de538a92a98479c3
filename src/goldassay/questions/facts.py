"""Results as the facts of sentences, the same in every question."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from goldassay.formulas.comparisons import TieRule
from goldassay.ratings.task import Task
from goldassay.results import Estimate, Result, Row, Undefined

__all__ = [
    "MOST_TIMES",
    "TIE_WORDS",
    "Named",
    "by_name",
    "facts_of",
    "further",
    "handled",
    "named_facts",
    "numbers_of",
    "value_and_ends",
]

Named = Mapping[str, Result]

#: A forecast of more than so many times the labels or items that there are is told as no number.
MOST_TIMES = 100


#: What a tie is for a win rate, by the task's rule.
TIE_WORDS: Mapping[TieRule, str] = {
    "half": "a tie is half a win to each side",
    "exclude": "ties are left out",
    "class": "a tie is no win",
}


def by_name(results: Sequence[Result]) -> dict[str, Result]:
    return {result.name: result for result in results}


def numbers_of(result: Result) -> tuple[float | None, float | None, float | None]:
    """A result's value and the ends of its interval; None for what it has not."""
    value = result.value if isinstance(result, Estimate) else None
    ends = result.interval
    return (value, ends.low, ends.high) if ends else (value, None, None)


def value_and_ends(result: Result) -> dict[str, float | None]:
    return dict(zip(("value", "low", "high"), numbers_of(result), strict=True))


def named_facts(result: Result) -> dict[str, Any]:
    return {"name": result.name, **value_and_ends(result)}


def facts_of(result: Result, **more: Any) -> dict[str, Any]:
    """The result that a sentence is about, or why there is none, and what else it says."""
    facts = {**named_facts(result), "n_items": result.n_items}
    if isinstance(result, Undefined):
        facts["undefined"] = result.reason
    return {**facts, **more}


def further(result: Result) -> dict[str, Any]:
    """A further result of a sentence, under its own name."""
    name = result.name
    if isinstance(result, Undefined):
        return {name: None, f"{name}_undefined": result.reason}
    keys = (name, f"{name}_low", f"{name}_high")
    return dict(zip(keys, numbers_of(result), strict=True))


def handled(rows: Iterable[Row], task: Task, **asked: Any) -> tuple[Row, ...]:
    """Rows of which each says how it was made: where one does not, as the task and the question.

    `asked` are the question's own settings.
    """
    said: dict[str, Any] = {"scale": task.scale, "resampling_unit": task.cluster, **asked}
    if task.options:
        said |= {
            "reference": task.reference,
            "abstentions": task.abstentions,
            "invalids": task.invalids,
        }
    if task.tie is not None:
        said["ties"] = task.ties

    def told(row: Row) -> Row:
        result = row.result
        if not isinstance(result, Estimate) or result.declared:
            return row
        return Row(replace(result, declared=said), row.about)

    return tuple(map(told, rows))
