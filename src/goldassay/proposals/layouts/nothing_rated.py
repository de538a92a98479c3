"""What is asked where no column holds ratings: sheets that are not filled in, lists, marks."""

from __future__ import annotations

import re
from collections.abc import Sequence

from goldassay.proposals.draft import Answer, Draft
from goldassay.proposals.layouts.column_names import asks, is_aside, is_flag
from goldassay.proposals.layouts.no_ratings import counts_of
from goldassay.proposals.profile import Column
from goldassay.proposals.shape import Table, some
from goldassay.ratings.vocabulary import GENERIC, SYNONYMS, kind_of, words
from goldassay.words import named

__all__ = [
    "are_marks",
    "ask_of_findings",
    "ask_what_is_rated",
    "is_to_be_filled",
    "lists_within",
    "none_is_filled",
]

#: The share of rows that a column with one label only must fill to be ratings of them.
_BARELY = 0.1


def ask_what_is_rated(table: Table, draft: Draft) -> None:
    """Which column holds the ratings, with the likeliest; of lists, how to read them."""
    columns = table.columns
    likely = [n for n in table.called(SYNONYMS["value"]) if columns[n].labels]
    likely = [n for n in likely if columns[n].numeric or not columns[n].unique]
    likely = [n for n in likely if len(columns[n].labels) > 1]
    rest = [n for n in columns if n.casefold() not in SYNONYMS["item"] and n not in likely]
    who = {*table.called((*SYNONYMS["rater"], *SYNONYMS["kind"]))}
    likely += sorted(
        rest,
        key=lambda n: (
            n in who,
            len(columns[n].labels) < 2,
            not {*words(n)} & GENERIC - {"a", "as", "by", "is", "of", "the"},
            not columns[n].few or columns[n].unique,
            columns[n].text,
        ),
    )
    answers: list[Answer] = [{"columns": {"value": table.own(name)}} for name in likely[:2]]
    grids = [n for n, c in columns.items() if c.labels and all(map(_is_grid, c.labels))]
    said = f" ({some(grids)}: lists within lists must be written as rows)" if grids else ""
    if grids:
        answers = [
            f"write a row for each number in {named(grids[0])}, with a column for its place in "
            "either list"
        ]
    within = [n for n, c in columns.items() if c.labels and all(map(_is_list, c.labels))]
    if within and not grids:
        said = f" {some(within)} hold{'s' if len(within) == 1 else ''} lists of records"
        inner = next((key for one in columns[within[0]].labels for key in _inner_lists(one)), None)
        paths = [f"{within[0]}.{inner}"] if inner else []
        answers = [{"file": {"rows": [path]}} for path in (*paths, within[0])]
        answers += [f"write a row for each record in {named(within[0])}"] if not inner else []
    if counts := counts_of(table):
        said = f" {some(counts)} {'count' if len(counts) > 1 else 'counts'} what is in an item"
        value = {"columns": {"value": table.own(counts[-1])}}
        answers = [value, "write a verdict for each row"]
    draft.lack(f"Which column holds the ratings?{said}", *answers)


#: Names of lists that hold what was found in an item, and the fewest rows that say one thing by
#: chance.
_FOUND = frozenset(["labels", "annotations", "spans", "errors", "findings", "issues"])
_ENOUGH = 10


def ask_of_findings(table: Table, ratings: Sequence[str], draft: Draft) -> bool:
    """Where the only column of ratings says one thing in every row, and a list beside it holds what
    was found in the item, which of them is meant is asked."""
    only = table.columns[ratings[0]] if len(ratings) == 1 else None
    if only is None or len(only.labels) != 1 or only.filled < _ENOUGH:
        return False
    lists = [
        n
        for n, c in table.columns.items()
        if n.casefold() in _FOUND and c.labels and all(one[:1] == "[" for one in c.labels)
    ]
    if not lists:
        return False
    draft.lack(
        f"Which column holds the ratings? {named(ratings[0])} says the same in every row, and "
        f"{named(lists[0])} holds what was found in an item: whether it is empty may be the rating",
        {"file": {"rows": [table.own(lists[0])]}},
        f"write a column that says whether {named(lists[0])} is empty",
    )
    return True


def are_marks(names: Sequence[str]) -> bool:
    """Whether all columns mark rows by their names (`ambiguity_flag`, `requires_review`)."""
    return bool(names) and all(is_flag(n) or {*words(n)[-1:]} & {"flag", "flags"} for n in names)


def is_to_be_filled(table: Table, ratings: Sequence[str]) -> bool:
    """Whether three columns or more that are called after what is rated are empty, and the only
    column with labels is not: a sheet that nobody has filled in yet. Or the only column of ratings
    says one thing in hardly any row."""
    only = table.columns[ratings[0]] if len(ratings) == 1 else None
    if only is not None and len(only.labels) == 1 and only.filled < _BARELY * only.rows:
        return True
    empty = [name for name, column in table.columns.items() if not column.filled and asks(name)]
    called = table.called(SYNONYMS["value"], but=set(table.columns) - set(ratings))
    return len(empty) > 2 and not called and not any(map(asks, ratings))


def none_is_filled(table: Table, draft: Draft) -> bool:
    """A table whose columns for ratings are all empty, to be filled in by somebody."""
    empty = [n for n, c in table.columns.items() if c.filled < max(1.0, _BARELY * c.rows)]
    value = table.called(SYNONYMS["value"])
    who = table.called((*SYNONYMS["rater"], *SYNONYMS["kind"]))
    named_ = [n for n in empty if n not in who and (kind_of(n) or n in value or asks(n))]
    first = named_ or [n for n in empty if not {"note", "notes", "comment"} & {*words(n)}]
    said = [n for n, c in table.columns.items() if _may_be_said(c) and not is_aside(n)]
    if not first or (said and not named_):  # what is empty is beside it
        return False
    verb = "is" if len(empty) == 1 else "are"
    rows = "nearly all rows" if any(table.columns[name].filled for name in empty) else "all rows"
    draft.lack(
        f"Which column will hold the ratings? {some(empty)} {verb} empty in {rows}, and there is "
        "nothing to read yet",
        f"fill {named(first[0])} in first",
        "give the file that holds the ratings",
    )
    return True


def _may_be_said(column: Column) -> bool:
    """Whether a column holds a few words, each in several rows."""
    again = column.distinct >= 2 and 2 * column.distinct <= column.filled
    return again and not (column.numeric or column.text or column.times)


#: In JSON: a text, with the beginning of a list of records behind it where it names one; a bracket.
_SIGN = re.compile(r'"((?:[^"\\]|\\.)*)"(\s*:\s*\[\s*\{)?|[\[\]{}]')


def _inner_lists(cell: str) -> list[str]:
    """The lists of records that are members of the records of a list, of JSON that may be cut.

    >>> _inner_lists('[{"facts": [{"a": 1}], "of": {"notes": [{"b": 2}]}}, {"fac')
    ['facts']
    """
    found: list[str] = []
    depth = 0
    for match in _SIGN.finditer(cell):
        if match[2]:
            found += [match[1]] if depth == 2 else []
            depth += 2
        elif match[1] is None:
            depth += 1 if match[0] in "[{" else -1
    return found


def lists_within(table: Table, ratings: Sequence[str]) -> list[str]:
    """Paths of lists of records within the records of a list, where every rating stands in these
    records too: `annotations.facts`."""
    here = {table.source.renamed.get(name, name): name for name in table.source.own}
    rated = {m[1] if (m := re.match(r"(.+?)\.\d+\.", here.get(n, n))) else "" for n in ratings}
    paths = [
        f"{own}.{key}"
        for name, own in here.items()
        if {own} == rated
        and name in table.columns
        and all(map(_is_list, table.columns[name].labels))
        for cell in table.columns[name].labels
        for key in _inner_lists(cell)
    ]
    found = list(dict.fromkeys(paths))
    return [*found, *rated] if len(found) == 1 else found


def _is_list(cell: str) -> bool:
    return cell.replace(" ", "").startswith("[{")


def _is_grid(cell: str) -> bool:
    return cell.replace(" ", "").startswith("[[")
