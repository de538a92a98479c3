"""Small tables whose sentences can be told beforehand, and what is said of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl
from sentence_truth import sentences_of

from goldassay import Findings, Sentence

__all__ = [
    "BINARY",
    "FEW",
    "GRADES",
    "PAIRS",
    "TRUTH",
    "every_text",
    "flipped",
    "keys",
    "rated_systems",
    "said",
    "table",
]

FEW = {"resamples": 300}
BINARY = {"scale": "binary", "options": ["yes", "no"], "positive": "yes"}
GRADES = {"scale": "ordinal", "options": ["1", "2", "3", "4"]}
PAIRS = {"scale": "pairwise", "options": ["first", "second", "tie"], "tie": "tie"}


def table(
    people: Mapping[str, Sequence[str]], judges: Mapping[str, Sequence[str]], **more: Any
) -> Any:
    """One row for each rating, by item; "-" is none. `more` are columns by item."""
    rows = []
    for kind, raters in (("human", people), ("judge", judges)):
        for rater, values in raters.items():
            for k, value in enumerate(values):
                about = {name: column[k] for name, column in more.items()}
                row = {"item": f"i{k:03}", "rater": rater, "kind": kind, "value": value, **about}
                rows += [row] if value != "-" else []
    names = list(dict.fromkeys(name for row in rows for name in row))
    return pl.DataFrame({n: [str(row.get(n, "")) for row in rows] for n in names})


def said(found: Findings, key: str, **about: str) -> Sentence:
    fitting = (
        one
        for one in sentences_of(found)
        if one.key == key and all(one.about.get(k) == v for k, v in about.items())
    )
    return next(fitting)


def keys(found: Findings) -> set[str]:
    return {one.key for one in sentences_of(found)}


def every_text(found: Findings) -> str:
    return "\n".join(one.text for one in sentences_of(found))


def flipped(values: Sequence[str], at: Sequence[int]) -> list[str]:
    return [{"yes": "no", "no": "yes"}[v] if k in at else v for k, v in enumerate(values)]


TRUTH = ["yes", "no"] * 30


def rated_systems(rates: Mapping[str, Mapping[str, float]], items: int = 40) -> pl.DataFrame:
    """Rater -> system -> its share of yes, spread evenly over the items."""
    rows = []
    for rater, systems in rates.items():
        kind = "human" if rater == "people" else "judge"
        for system, rate in systems.items():
            for k in range(items):
                value = "yes" if (7 * k) % items < rate * items else "no"
                rows.append(
                    {
                        "item": f"i{k:02}",
                        "system": system,
                        "rater": rater,
                        "kind": kind,
                        "value": value,
                    }
                )
    return pl.DataFrame(rows)
