"""What every public metric's docstring says alike: its parameters, its result, its source.

A function's own text says what is estimated and shows it; the rest is put together here from its
signature, its record and the glossary, so that thirty docstrings cannot drift apart.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Mapping
from functools import cache
from typing import ParamSpec, Protocol, TypeVar

from goldassay.glossary import method_of

__all__ = ["CONFIDENCE_LEVEL", "DRAWS", "OUTCOMES", "SCORES", "SEED", "describes"]

#: Defaults of every metric, those of the verbs.
CONFIDENCE_LEVEL, SEED, DRAWS = 0.95, 1, 2000

P = ParamSpec("P")
R = TypeVar("R")

PARAMETERS = {
    "reference": "A label for each item: what people say. A list, a NumPy array, or a pandas or"
    " Polars series.",
    "verdicts": "The judge's label for each item, in the same order.",
    "scores": "The judge's score for each item, in the same order.",
    "probabilities": "The judge's probability of the positive label for each item.",
    "counts": "In place of both: a square table, rows the reference and columns the verdict, or"
    " such a table for each cluster [C, K, K].",
    "ratings": "The labels of several raters: a sequence for each rater, a mapping from rater to"
    " labels, or a frame with a column for each; None or NaN where a rater gave none.",
    "votes": "In place of ratings: how many raters gave each unit each option [units, K].",
    "labels": "The options in order; one that nobody uses still counts. Without it, the sorted"
    " labels that occur.",
    "positive": "The positive label; may be left out where labels are 0 and 1, or False and True."
    " Of more than two labels it stands against the rest.",
    "weights": "How near misses count: 'linear', 'quadratic', or a K x K matrix of agreement"
    " weights with 1 on its diagonal.",
    "difference": "How far apart two labels are: 'nominal' (all alike), 'ordinal' (by"
    " Krippendorff's ranks) or 'interval' (ratings are numbers).",
    "clusters": "The cluster of each item (its prompt, document, thread): what is drawn anew."
    " Without it every item stands alone.",
    "sample_weight": "A weight for each item; they count relative to one another.",
    "method": "{methods}; all but the first are textbooks', for items that stand alone and for"
    " comparison with other software.",
    "confidence_level": "The level of the interval.",
    "seed": "The seed of the draws behind the interval.",
    "draws": "How many draws are behind the interval.",
}
#: Of metrics that take scores.
SCORES = {
    "reference": "People's score for each item. A list, a NumPy array, or a pandas or Polars"
    " series.",
    "verdicts": "The judge's score for each item, in the same order.",
}
#: Of metrics that take a yes-or-no reference and scores.
OUTCOMES = {
    "reference": "A label for each item; or the share of people who say positive, a number from 0"
    " to 1.",
    "positive": "The positive label; may be left out where labels are 0 and 1, or shares.",
}
ASSUMED = "Clusters (items, where no clusters are given) are taken to be drawn independently."
WIDTH = 92
#: Why a metric is undefined that every item defines.
NEVER = "0/0"


class Record(Protocol):
    """What a docstring takes from a metric's record."""

    @property
    def name(self) -> str: ...
    @property
    def undefined(self) -> str: ...
    @property
    def methods(self) -> tuple[str, ...]: ...


def describes(
    record: Record, parameters: Mapping[str, str] | None = None
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Complete the docstring of a metric's public function from its record.

    `parameters` are those that mean something of their own here.
    """
    said = {**PARAMETERS, **(parameters or {})}

    def complete(function: Callable[P, R]) -> Callable[P, R]:
        own, _, examples = inspect.cleandoc(function.__doc__ or "").partition(
            "Examples\n--------\n"
        )
        lines = [own.rstrip(), "", "Parameters", "----------"]
        for name in _parameters(function):
            text = said[name].format(methods=", ".join(map(repr, record.methods)))
            lines += [name, *_indented(text)]
        lines += ["", "Returns", "-------", "Estimate or Undefined", *_indented(_returned(record))]
        lines += ["", "Notes", "-----", *_indented(ASSUMED, "")]
        lines += ["", "References", "----------", *_indented(_source(record.name), "")]
        lines += ["", "Examples", "--------", examples]
        function.__doc__ = "\n".join(lines)
        return function

    return complete


def _parameters(function: Callable[..., object]) -> tuple[str, ...]:
    """Their names; `inspect.signature` would take longer than all else at import."""
    code = function.__code__
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]


@cache  # most metrics have the same parameters
def _indented(text: str, indent: str = "    ") -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent)


def _returned(record: Record) -> str:
    value = "The value with its interval, as the verbs give it for the same ratings"
    if record.undefined == NEVER:
        return f"{value}."
    return f"{value}; undefined, with the reason, when {record.undefined}."


def _source(name: str) -> str:
    """Reference and formula of a metric, from the glossary."""
    known = method_of(name, "agree")
    return f"{known.reference}: {known.formula}" if known else ""
