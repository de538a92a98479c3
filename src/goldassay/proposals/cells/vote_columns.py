"""Columns that count votes for options (`yes_votes`, `no_votes`), told apart from ratings."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from goldassay.proposals.profile import Column, counted
from goldassay.ratings.vocabulary import ORDERS, PAIRS, folded, number
from goldassay.sources.frames import Source
from goldassay.sources.vote_counts import MOST_VOTES

__all__ = ["counts_of_votes", "lone_count"]

#: Words before or after an option that say that a column counts.
_COUNTS = "votes?|counts?|num|number|n|raters|annotators|people"
_NAME = re.compile(rf"(?i)^(?:(?:{_COUNTS})[ _.\-](?:of[ _])?(.+)|(.+?)[ _.\-](?:{_COUNTS}))$")
_MOST_OPTIONS = 12


def counts_of_votes(source: Source, columns: Mapping[str, Column]) -> dict[str, str]:
    """Column -> the option whose votes it counts, by the file's own names; nothing where no columns
    count.

    They hold whole numbers, several votes in one row, and are called after options that are known
    (`yes_votes`, `no_votes`) or that another column uses (`Toxic`, `Not Toxic` beside a label).
    """
    own = {here: theirs for theirs, here in source.renamed.items()}
    whole = {name: own.get(name, name) for name, c in columns.items() if _is_count(c)}
    said = {here: m[1] or m[2] for here, name in whole.items() if (m := _NAME.match(name))}
    labels = [
        {folded(one): one for one in column.labels}
        for name, column in columns.items()
        if column.few and name not in whole and len(column.labels) > 1
    ]
    for options in (said, {here: name.rpartition(".")[2] for here, name in whole.items()}):
        found = _known(options, labels, strict=options is not said)
        if found and _several(source, list(found)):
            return {own.get(here, here): option for here, option in found.items()}
    found = _summed(source, columns, whole) or _in_a_record(source, whole)
    return {own.get(here, here): option for here, option in found.items()}


def _in_a_record(source: Source, whole: Mapping[str, str]) -> dict[str, str]:
    """The members of a record of votes (`votes.1`, `votes.2`, ...), which are as many in every
    row."""
    members = {here: m[1] for here, name in whole.items() if (m := _VOTES.fullmatch(name))}
    if not 1 < len(members) <= _MOST_OPTIONS:
        return {}
    rows = [[number(cell) or 0.0 for cell in row] for row in counted(source, *members)]
    alike = len({sum(row) for row in rows}) == 1
    return members if alike and _several(source, list(members)) else {}


_VOTES = re.compile(r"(?i)(?:votes?|vote_counts?|tally)\.([^.]+)")


def _summed(
    source: Source, columns: Mapping[str, Column], whole: Mapping[str, str]
) -> dict[str, str]:
    """The columns for the two sides of a pair, and for a tie, whose sum another column says in
    every row: `prefer_model_a`, `prefer_model_b` and `tie` beside `n_annotations`."""
    sides = {here: side for here, name in whole.items() if (side := _side(name)) is not None}
    totals = [here for here, name in whole.items() if here not in sides and _TOTAL.match(name)]
    if sorted(sides.values()) not in (["A", "B"], ["A", "B", "tie"]) or len(totals) != 1:
        return {}
    rows = [[number(cell) or 0.0 for cell in row] for row in counted(source, *totals, *sides)]
    if not all(total == sum(votes) for total, *votes in rows) or not _several(source, list(sides)):
        return {}
    return sides


_TOTAL = re.compile(r"(?i)^(?:n|num|number|total|count)[ _.\-]?(?:of[ _])?[a-z]+s$|^total$")
_SIDE = re.compile(r"(?i)^(?:.*[ _.\-])?([ab]|ties?|tied|draws?)$")


def _side(name: str) -> str | None:
    """Which side of a pair the votes are for that a column counts, by the end of its name."""
    match = _SIDE.match(name)
    return None if match is None else match[1].upper() if len(match[1]) == 1 else "tie"


_PEOPLE = frozenset(["annotators", "raters", "voters", "people", "votes", "workers", "reviewers"])


def lone_count(columns: Mapping[str, Column]) -> tuple[str, str] | None:
    """A column that counts the votes for one option, and one that counts all of them."""
    whole = {name: m[1] or m[2] for name in columns if (m := _NAME.match(name))}
    counts = {name: option for name, option in whole.items() if _is_count(columns[name])}
    total = [name for name, option in counts.items() if option.casefold() in _PEOPLE]
    known = {one for pair in PAIRS for one in pair}
    single = [name for name, option in counts.items() if folded(option) in known]
    return (single[0], total[0]) if len(single) == len(total) == 1 else None


def _is_count(column: Column) -> bool:
    values = [number(one) for one in column.labels]
    return bool(values) and all(v is not None and v >= 0 and v == int(v) for v in values)


def _known(
    options: Mapping[str, str], labels: Sequence[Mapping[str, str]], *, strict: bool
) -> dict[str, str]:
    """The columns that are called after the labels of another column, as that writes them; else, of
    names that say that they count, after a pair or an order that is known."""
    folds = {here: folded(option.replace("_", " ")) for here, option in options.items()}
    plain = {here: folded(option) for here, option in options.items()}
    for mine in labels:
        known = {
            here: mine.get(plain[here], mine.get(fold, ""))
            for here, fold in folds.items()
            if plain[here] in mine or fold in mine
        }
        if 1 < len(known) <= _MOST_OPTIONS and (len(mine) <= len(known) or not strict):
            more = {h: options[h] for h in options if h not in known} if not strict else {}
            return known | more
    if strict:
        return {}
    for scale in (*PAIRS, *ORDERS):
        counts = [here for here, fold in folds.items() if fold in scale or plain[here] in scale]
        if len(counts) > 1 and len({folds[here] for here in counts}) == len(counts) == len(options):
            return {here: options[here] for here in counts}
    return {}


def _several(source: Source, names: Sequence[str]) -> bool:
    """Whether rows have several votes, and no more than people can be told apart."""
    rows = [[number(cell) or 0.0 for cell in row] for row in counted(source, *names)]
    totals = [sum(row) for row in rows]
    return (
        bool(totals) and 1 < max(totals) <= MOST_VOTES and sum(map(bool, totals)) * 2 > len(totals)
    )
