"""Which columns of a table hold ratings, by what they hold and then by their names."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from goldassay.ratings.shape import Shape, Table
from goldassay.ratings.vocabulary import ASIDE, CRITERIA, GENERIC, SYNONYMS, folded, kind_of, words

__all__ = [
    "TEXTS",
    "about_of",
    "are_criteria",
    "asks",
    "like_a_value",
    "rating_columns",
    "same_value",
]

#: What names of columns with texts begin with.
TEXTS = ("answer", "response", "output", "text", "completion")
_QUESTION = re.compile(r"^[a-z]{0,3}q\d+$", re.IGNORECASE)


def rating_columns(table: Table, shape: Shape) -> list[str]:
    """Columns that hold verdicts or scores, or a few labels that another such column shares."""
    if "value" in table.columns and table.columns["value"].labels and "rater" in table.columns:
        return ["value"]
    taken = shape.taken | _not_both(table)
    known = set(SYNONYMS["value"])
    found = [
        name
        for name, column in table.columns.items()
        if name not in taken
        and not (_aside(name) and kind_of(name) is None)
        and not (_aside(name) and column.numeric and not _says_rating(name))
        and not column.counter
        and (column.rating or (column.few and (like_a_value(name, known) or _only_who(name))))
        and (len(column.labels) > 1 or kind_of(name) or name.casefold() in known or asks(name))
    ]
    few = {
        name: {folded(label) for label in column.labels}
        for name, column in table.columns.items()
        if column.few and name not in (*found, *taken) and not _aside(name)
    }
    labels = {name: {folded(label) for label in table.columns[name].labels} for name in found}
    for name, mine in few.items():
        others = [*labels.values(), *(o for n, o in few.items() if n != name)]
        if any(len(mine & theirs) >= 2 - (kind_of(name) is not None) for theirs in others):
            found.append(name)
    winners = [name for name in found if words(name)[:1] == ("winner",)]
    if shape.sides and winners:
        return [n for n in found if "winner" in words(n) or kind_of(n)]
    found = [name for name in table.columns if name in found]
    return _of_one_scale(table, found)


def _not_both(table: Table) -> set[str]:
    """Of cells with JSON and the columns made of what is in them, those that are no ratings.

    A list that names a label twice holds several ratings; else it may be a set of options.
    """
    out: set[str] = set()
    for name, column in table.columns.items():
        inner = {n for n in table.columns if re.match(rf"{re.escape(name)}[._]\w", n)}
        if not inner or not column.labels or not all(one[0] in "{[" for one in column.labels):
            continue
        lists = [_parsed(one) for one in column.labels]
        several = [one for one in lists if isinstance(one, list)]
        sets = several and all(isinstance(part, str) for one in several for part in one)
        if sets and all(len({*map(str, one)}) == len(one) for one in several):
            out |= {n for n in inner if re.match(rf"{re.escape(name)}[._]\d+$", n)}
        else:
            out.add(name)
    return out


def _parsed(text: str) -> Any:
    """What JSON says; None where it is none, or is cut."""
    try:
        return json.loads(text)
    except ValueError:
        return None


def _aside(name: str) -> bool:
    said = words(name)
    exact = {*SYNONYMS["item"], *SYNONYMS["sample"], *SYNONYMS["split"]}
    return bool(set(said) & ASIDE) or name.casefold() in exact


def _only_who(name: str) -> bool:
    """A name that says who rated and nothing else ("human", "gpt4"), and names no column of who."""
    others = {*SYNONYMS["rater"], *SYNONYMS["system"], *SYNONYMS["kind"]}
    about = [w for w in words(name) if kind_of(w) is None and w not in GENERIC and not w.isdigit()]
    texts = {*words(name)} & {*TEXTS}
    return kind_of(name) is not None and not (about or texts) and name.casefold() not in others


def asks(name: str) -> bool:
    """A name of something that is rated: Q1, fluency."""
    return bool(_QUESTION.match(name) or set(words(name)) & CRITERIA)


def about_of(name: str) -> tuple[str, ...]:
    """The words of a name that say neither who rates nor that it is a rating: what is rated.

    >>> about_of("human_faithfulness_score"), about_of("faithfulness"), about_of("human_label")
    (('faithfulness',), ('faithfulness',), ())
    """
    kept = (w for w in words(name) if kind_of(w) is None and w not in GENERIC and not w.isdigit())
    return tuple(sorted(kept))


def _says_rating(name: str) -> bool:
    return bool(set(words(name)) & GENERIC)


def like_a_value(name: str, known: set[str]) -> bool:
    """A name that says: here is a label."""
    said = words(name)
    return name.casefold() in known - {"answer", "response", "source", "type", "name"} or (
        kind_of(name) is not None and bool(set(said) & (GENERIC - {"answer", "response", "output"}))
    )


def _of_one_scale(table: Table, found: list[str]) -> list[str]:
    """Of columns with words and columns with numbers beside them, those that people and judges
    share; a score beside verdicts is how sure the judge was."""
    kinds = {name: kind_of(name) for name in found}
    verdicts = [n for n in found if table.columns[n].few]
    scores = [n for n in found if n not in verdicts]
    people = [n for n in verdicts if kinds[n] in ("human", "reference")]
    judges = [n for n in verdicts if kinds[n] == "judge"]
    if scores and people and judges:
        return verdicts
    plain = [n for n in verdicts if kinds[n] or n.casefold() in SYNONYMS["value"]]
    if scores and len(plain) >= 1 and not any(kinds[n] for n in scores):
        return verdicts
    return found


def are_criteria(names: Sequence[str]) -> bool:
    """Whether columns are named after what is rated rather than after who rates."""
    hits = [n for n in names if asks(n)]
    return len(hits) > 1 and len(hits) * 2 >= len(names)


def same_value(table: Table) -> bool:
    """Several files that hold the ratings under one name."""
    parts = table.source.parts
    shared = [n for n in SYNONYMS["value"] if parts and all(n in columns for _, columns in parts)]
    return bool(shared)
