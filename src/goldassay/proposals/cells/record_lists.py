"""Lists of records within records whose members are rated one by one: facts, nuggets, completions.

`{"qid": "7", "nuggets": [{"text": "...", "assignment": "support"}, ...]}` is a row for each nugget,
`{"responses": [{"model": "m", "Natural": [1, 3, 2]}, ...]}` one for each response. As columns by
their place (`nuggets.1.assignment`) they would be criteria, or raters, of one item.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from goldassay.proposals.layouts.column_names import about_of, asks, like_a_value
from goldassay.proposals.profile import MOST_OPTIONS, Column
from goldassay.ratings.fetch import fetch
from goldassay.ratings.vocabulary import GENERIC, NAMED_RATERS, SYNONYMS, kind_of, plain_name, words
from goldassay.sources.frames import Source
from goldassay.sources.nested import LONGEST_LIST

__all__ = ["lists_of_records"]

#: Cells that are looked at, and members that say in words which record it is.
_LOOKED_AT = 40
_TEXTS = frozenset(
    [
        *("text", "claim", "fact", "sentence", "statement", "nugget", "response", "answer"),
        *("completion", "output", "content", "summary", "span", "question"),
    ]
)
_SYSTEMS = frozenset(["model", "system", "model_name", "system_id", "model_id", "generator"])
_SIGNS = frozenset(".()/ :")


def lists_of_records(source: Source, columns: Mapping[str, Column]) -> tuple[str, ...]:
    """The one column of lists of records that are rated one by one; else nothing.

    Records name themselves by a text of their own or by a system, one member or more of theirs
    holds a few labels or numbers under a name of ratings, and nothing beside the list is rated.
    """
    lists = [
        name
        for name, column in columns.items()
        if column.labels and all(one.replace(" ", "").startswith("[{") for one in column.labels)
    ]
    own = {here: theirs for theirs, here in source.renamed.items()}
    paths = {n: _rated(source, n) for n in lists if "." not in own.get(n, n)}
    found = [(name, path) for name, path in paths.items() if path is not None]
    if len(found) != 1:
        return ()
    name, path = found[0]
    beside = [n for n in columns if n != name and not n.startswith(f"{name}_")]
    known = {*SYNONYMS["value"]}
    rated = [
        n
        for n in beside
        if columns[n].rating
        and (kind_of(n) or like_a_value(n, known) or {*words(n)[-1:]} & GENERIC)
    ]
    named_ = any(
        kind_of(n) and columns[n].few and not columns[n].unique and len(columns[n].labels) > 1
        for n in beside
        if not all(one[0] in "[{" for one in columns[n].labels)
        and plain_name(n) not in SYNONYMS["system"]  # what was rated, and nobody's
    )
    return (".".join((own.get(name, name), *path)),) if not rated and not named_ else ()


def _rated(source: Source, name: str) -> tuple[str, ...] | None:
    """The path within the records of a list to the records that are rated: nothing where it is
    themselves, a member where it is those of a list of theirs; None where none are."""
    cells = fetch(source.frame.select(name).head(_LOOKED_AT), place=source.name)[name]
    lists = [records for cell in cells if (records := _records(cell)) is not None]
    members = {key for one in lists for record in one for key in record}
    within = {
        key: [v for one in lists for record in one if (v := _listed(record.get(key)))]
        for key in members
    }
    inner = [key for key, found in within.items() if found and _are_rated(found, within=True)]
    if inner:
        return (inner[0],) if len(inner) == 1 else None
    return () if _are_rated(lists) else None


def _are_rated(lists: Sequence[Sequence[Mapping[str, Any]]], *, within: bool = False) -> bool:
    """Whether the records of lists are rated one by one; or are ratings by many, which name no item
    where the lists stand within others."""
    records = [record for one in lists for record in one]
    if len(lists) < 2 or len(records) < 2 * len(lists) or not all(map(bool, lists)):
        return False
    keys = [key for key in records[0] if all(key in record for record in records)]
    if {"role", "content"} <= {*keys}:
        return False
    people = [k for k in keys if kind_of(k) == "human" and re.search(r"\d", k)]
    if len(people) > 1 and not within:  # a record for each part, a member for each person
        return all(_few_leaves(records, k) for k in people)
    kinds = {kind_of(k) for k in keys if _says_rating(k) and _few_leaves(records, k)}
    kinds |= {kind_of(f"{k} {inner}") for k in keys for inner in _verdicts_in(records, k)}
    if {"human", "judge"} <= kinds or _said_by_both(records, keys):  # of each of them
        return True
    texts = [k for k in keys if plain_name(k) in _TEXTS and _are_texts(lists, k)]
    systems = [k for k in keys if plain_name(k) in _SYSTEMS]
    labels = [k for k in keys if k not in (*texts, *systems)]
    labels = [k for k in labels if _says_rating(k) or _holds_ratings(records[0][k])]
    deep = any(isinstance(v, dict) for k in labels for v in _members(records[0][k]))
    if systems and _plain_names(records, systems[0]) and not deep:
        return False  # few systems with plain names: a column for each is as good
    raters = _many_raters(records, keys) or _say_kinds(records, keys)
    if not texts and not systems and (within or not raters):
        return False
    return any(_few_labels(records, k) for k in labels)


def _said_by_both(records: Sequence[Mapping[str, Any]], keys: Sequence[str]) -> bool:
    """Whether a person and a judge say something of one name, whatever it is, in few labels that
    they share: `human_support` and `gpt4o_support`."""
    few = [k for k in keys if kind_of(k) in ("human", "judge") and _few_leaves(records, k)]
    labels = {k: {str(record[k]) for record in records} for k in few}
    return any(
        kind_of(one) == "human"
        and kind_of(two) == "judge"
        and about_of(one) == about_of(two)
        and len(labels[one] & labels[two]) > 1
        for one in few
        for two in few
    )


def _many_raters(records: Sequence[Mapping[str, Any]], keys: Sequence[str]) -> bool:
    """Whether records name who rated, by a number or among more people than columns tell apart."""
    for key in keys:
        who = {str(record[key]) for record in records}
        if plain_name(key) in NAMED_RATERS and len(who) > 1:
            numbered = all(isinstance(record[key], int) for record in records)
            return numbered or len(who) > LONGEST_LIST
    return False


def _say_kinds(records: Sequence[Mapping[str, Any]], keys: Sequence[str]) -> bool:
    """Whether records say of each rating whether a person or a judge gave it: `source`, `type`."""
    for key in keys:
        kinds = {kind_of(str(record[key])) for record in records}
        if (
            plain_name(key) in SYNONYMS["kind"]
            and {"human", "judge"} <= kinds
            and None not in kinds
        ):
            return True
    return False


def _records(cell: Any) -> list[Mapping[str, Any]] | None:
    try:
        return _listed(json.loads(cell)) if isinstance(cell, str) else None
    except (ValueError, RecursionError):
        return None


def _listed(value: Any) -> list[Mapping[str, Any]] | None:
    """A list of records; None where it is none."""
    whole = isinstance(value, list) and all(isinstance(one, dict) for one in value)
    return value if whole else None


def _are_texts(lists: Sequence[Sequence[Mapping[str, Any]]], key: str) -> bool:
    """Whether the records of a list each have a text of their own."""
    each = [[record[key] for record in one] for one in lists]
    return all(
        len({*map(str, one)}) == len(one) and all(isinstance(t, str) for t in one) for one in each
    )


def _plain_names(records: Sequence[Mapping[str, Any]], key: str) -> bool:
    """At most ten systems whose names are one word each: columns by their names tell them apart."""
    names = {str(record[key]) for record in records}
    return len(names) <= 10 and not any({*name} & _SIGNS for name in names)


def _says_rating(key: str) -> bool:
    known = {*SYNONYMS["value"], "assignment", "labels", "ratings", "scores", "annotations"}
    return like_a_value(key, known) or plain_name(key) in known or asks(key)


def _holds_ratings(value: Any) -> bool:
    """Records of ratings under a name that says nothing: `{"tone": {"rating": 4}, ...}`."""
    inner = _members(value)
    rated = [any(map(_says_rating, one)) for one in inner if isinstance(one, Mapping)]
    return len(inner) > 1 and len(rated) == len(inner) and all(rated)


def _few_labels(records: Sequence[Mapping[str, Any]], key: str) -> bool:
    """Whether a member holds few labels, or lists or records of them."""
    labels = {str(one) for record in records for one in _leaves(record[key])}
    return 0 < len(labels) <= MOST_OPTIONS


def _few_leaves(records: Sequence[Mapping[str, Any]], key: str) -> bool:
    """Whether a member holds few labels, each alone or in a list."""
    leaves = [x for r in records for x in (r[key] if isinstance(r[key], list) else [r[key]])]
    plain = not any(isinstance(leaf, dict | list) for leaf in leaves)
    return plain and 0 < len({str(leaf) for leaf in leaves}) <= MOST_OPTIONS


def _verdicts_in(records: Sequence[Mapping[str, Any]], key: str) -> list[str]:
    """The one thing that is true or false in the records under a member: `{"approved": true}`."""
    inner = [record[key] for record in records]
    if not all(isinstance(one, Mapping) for one in inner):
        return []
    said = {name for one in inner for name, value in one.items() if isinstance(value, bool)}
    return [*said] if len(said) == 1 else []


def _members(value: Any) -> list[Any]:
    return list(value.values()) if isinstance(value, Mapping) else []


def _leaves(value: Any) -> list[Any]:
    if isinstance(value, Mapping):
        ratings = [v for k, v in value.items() if _says_rating(k) or isinstance(v, dict | list)]
        return [leaf for one in ratings for leaf in _leaves(one)]
    if isinstance(value, list):
        return [leaf for one in value for leaf in _leaves(one)]
    return [] if value is None else [value]
