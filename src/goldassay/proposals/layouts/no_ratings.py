"""Columns that look like ratings and are none (names of models, groups of rows, members of lists),
and answers that look like none."""

from __future__ import annotations

import re

from goldassay.proposals.profile import Column, counted
from goldassay.proposals.shape import Table
from goldassay.ratings.vocabulary import GENERIC, folded, kind_of, number, plain_name, words

__all__ = [
    "counts_of",
    "is_answer",
    "names_models",
    "without_groups",
    "without_members",
    "without_remarks",
]


def is_answer(table: Table, name: str, column: Column) -> bool:
    """What a worker chose in a task of Mechanical Turk (`Answer.radio`), whatever its labels."""
    head, _, rest = table.own(name).partition(".")
    chosen = head == "Answer" and bool(rest) and column.few and len(column.labels) > 1
    return chosen and "Input" in {own.partition(".")[0] for own in table.source.own}


#: Names of labels that as often say to which group a row belongs.
_GROUPS = frozenset(["category", "class", "type", "topic"])


def without_groups(table: Table, found: list[str]) -> list[str]:
    """Without a `category` in words that are no verdicts, beside another column that holds
    verdicts or grades; beside judges' verdicts alone, where none of its words is theirs."""
    groups = [n for n in found if plain_name(n) in _GROUPS and not table.columns[n].rating]
    rest = [n for n in found if n not in groups]
    if any(map(kind_of, rest)):  # whether it is these raters' is looked at beside them
        theirs = {label for name in rest for label in table.folds(name)}
        groups = [n for n in groups if theirs.isdisjoint(table.folds(n))]
        judged = {*map(kind_of, rest)} <= {None, "judge"}
        verdicts = judged and any(table.columns[n].verdicts for n in rest if kind_of(n))
        return [n for n in found if n not in groups] if verdicts else found
    return rest if any(table.columns[n].verdicts for n in rest) else found


def names_models(column: Column) -> bool:
    """Whether most labels are names of models with a number in them; beside a tie they say who
    won."""
    if {folded(one) for one in column.labels} & {"tie", "tied", "draw", "neither", "both"}:
        return False
    called = bool(re.search(r"(^|\.)model$", column.name))  # `mistral`, of a record
    models = [one for one in column.labels if kind_of(one) == "judge"]
    models = [one for one in models if called or re.search(r"\d", one)]
    return 2 * len(models) > len(column.labels)


#: Words with which the name of a count begins.
_COUNTED = frozenset(["n", "num", "number", "nb", "no", "count", "total", "anzahl", "nombre"])


def counts_of(table: Table) -> list[str]:
    """Columns of whole numbers that say how many: `n_supported`; `total_claims`, and with it
    `supported_claims`, where nowhere more are supported than there are."""
    whole = {
        name: plain_name(name).split("_")
        for name, column in table.columns.items()
        if column.numeric and kind_of(name) is None
        if len(column.labels) > 2 and not any((number(one) or 0.0) % 1 for one in column.labels)
    }
    named_ = [n for n, said in whole.items() if len(said) > 1 and said[0] in _COUNTED]
    named_ = [n for n in named_ if not {*whole[n]} & (GENERIC | {"points"})]
    parts = [
        name
        for name, said in whole.items()
        if name not in named_ and len(said) > 1 and said[-1].endswith("s")
        if any(said[-1] == whole[o][-1] and _is_within(table, name, o) for o in named_)
    ]
    return [name for name in whole if name in (*named_, *parts)]


def _is_within(table: Table, name: str, other: str) -> bool:
    """Whether a column's number is nowhere larger than another's."""
    pairs = [(number(one), number(two)) for one, two in counted(table.source, name, other)]
    return all(one is None or two is None or one <= two for one, two in pairs)


_MEMBER = re.compile(r"^(.+?)\.(\d+)\.(.+)$")


def without_members(table: Table, found: list[str]) -> list[str]:
    """Without members of records in lists of different lengths, where something else is rated: the
    third claim of a text is no criterion, and nobody's."""
    parts = {n: m for n in found if (m := _MEMBER.match(table.own(n)))}
    filled: dict[tuple[str, str], dict[int, int]] = {}
    for name, match in parts.items():
        filled.setdefault((match[1], match[3]), {})[int(match[2])] = table.columns[name].filled
    uneven = {key for key, by in filled.items() if len({*by.values()}) > 1}
    members = [name for name, match in parts.items() if (match[1], match[3]) in uneven]
    rest = [name for name in found if name not in members]
    return rest if rest else found


def without_remarks(table: Table, found: list[str]) -> list[str]:
    """Without what else stands in a rater's record deeper than its verdict (`judge_a.verdict`
    beside `judge_a.evidence.1.line` and `judge_a.usage.tokens`)."""
    paths = {name: table.own(name).split(".") for name in found}
    heads = {
        path[0]
        for name, path in paths.items()
        if len(path) == 2 and kind_of(path[0]) and {*words(path[1])} & _VERDICTS
    }
    return [n for n in found if paths[n][0] not in heads or len(paths[n]) == 2]


#: What a rater's record calls what the rater said.
_VERDICTS = frozenset(
    ["verdict", "label", "score", "rating", "grade", "decision", "judgment", "judgement", "winner"]
)
