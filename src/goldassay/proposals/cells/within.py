"""Labels within other words: "85 %", "4/5", "Rating: [[7]]", "Yes, because ...".

A column all of whose cells hold a number or a verdict in one such form is looked at as if it held
that number or verdict alone, and the task says how it is read (`reads`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from goldassay.proposals.draft import Draft, Weight
from goldassay.proposals.profile import LONGEST_LABEL, MANY, Column
from goldassay.ratings.vocabulary import (
    ABSTAIN,
    EVALUATING,
    INVALID,
    RANKS,
    SIDES,
    TIES,
    folded,
    kind_of,
    words,
)
from goldassay.words import listed, named

__all__ = ["label_within", "lists_of_labels", "read_within", "tell_within"]

#: A number in double brackets, as prompts for judges ask for it; of several the last one counts.
_BRACKETS = r"(?s)^.*\[\[\s*([+-]?\d+(?:\.\d+)?)\s*\]\]"
#: Forms of a number among other signs; the group is the number.
_NUMBERS = (
    _BRACKETS,
    r"^\s*([+-]?\d+(?:\.\d+)?)\s*%\s*$",
    r"^\s*(\d+(?:\.\d+)?)\s*(?:/|out of)\s*\d+\s*$",
    # Behind its name, and what that says of its range ("Score (1-5): 4").
    r"(?i)\b(?:score|rating|grade)(?:\s*[(\[]\s*\d+\s*(?:-|–|to)\s*\d+\s*[)\]])?"
    r"\W{0,6}(?:(?:is|of)\W{1,4})?(\d+(?:\.\d+)?)(?![\d.]*\s*(?:-|–|to)\s*\d)",
)
_OUT_OF = re.compile(r"(?:/|out of)\s*(\d+)\s*$")
_FIRST_WORD = re.compile(r"^\W*(\w+)\b")
#: What announces a verdict within a sentence; of several the last one counts.
_ANNOUNCED = (
    r"(?is)^.*\b(?:verdict|answer|judge?ment|label|decision|conclusion|classification|rating)"
    r"\W{0,6}(?:is\W{1,6})?"
)
_BRACKETED = r"(?is)^.*\[\["
#: The share of sentences that must begin with a verdict, or announce it.
_NEARLY_ALL = 0.95


#: A text or a number within a list that JSON writes.
_MEMBER = re.compile(r'"([^"]*)"|(-?\d+(?:\.\d+)?)')
#: Different members that lists of labels may have.
_MOST_MEMBERS = 12


def lists_of_labels(columns: Mapping[str, Column]) -> tuple[str, ...]:
    """Two columns or more with long lists of the same few labels (`["S", "NS", ...]`), whose
    members are no columns of their own; else nothing."""
    found: dict[str, set[str]] = {}
    for name, column in columns.items():
        cells = list(column.labels)
        plain = cells and all(re.match(r'\[\s*("|-?\d)', cell) for cell in cells)
        if not plain or any(other.startswith((f"{name}.", f"{name}_1")) for other in columns):
            continue
        if {*words(name)} & RANKS:  # in an order
            continue
        whole = [cell if cell.endswith("]") else cell.rpartition(",")[0] for cell in cells]
        members = {folded(a or b) for cell in whole for a, b in _MEMBER.findall(cell)}
        if 1 < len(members) <= _MOST_MEMBERS:
            found[name] = members
    alike = [n for n, mine in found.items() if any(mine & found[o] for o in found if o != n)]
    return tuple(alike) if len(alike) > 1 else ()


def read_within(columns: Mapping[str, Column]) -> dict[str, Column]:
    """The columns as they read; one form for all of a table, a judge's before any other."""
    forms = [
        {n: read for n, c in columns.items() if (read := _numbers(c, pattern)) is not None}
        for pattern in _NUMBERS
    ]
    forms = [read for read in forms if read]
    if forms:
        judged = (read for read in forms if any(map(_is_a_judges, read)))
        return {**columns, **next(judged, forms[0])}
    known = {
        folded(label)
        for name, column in columns.items()
        if kind_of(name) in ("human", "reference") and column.few and not column.numeric
        for label in column.labels
    }
    letters = next((pair for pair in _LETTERED if known and known <= {*pair, *TIES}), None)
    if letters:  # a judge writes letters, and may say that neither wins where people had to choose
        known |= {"a", "b", "c", "tie"}
    told = {
        name: _verdicts(column, known)
        for name, column in columns.items()
        if known
        and (_is_a_judges(name) or (column.text and kind_of(name) is None))
        and not any(folded(label) in known or label[0] in "{[" for label in column.labels)
    }
    return {**columns, **{name: column for name, column in told.items() if column is not None}}


#: Names of two sides that a judge who was shown them calls A and B.
_LETTERED = tuple(pair for pair in SIDES if re.search(r"\ba$", pair[0].replace("_", " ")))


def _is_a_judges(name: str) -> bool:
    """A judge's column by its name, or one of judgments."""
    kind = kind_of(name)
    return kind == "judge" or (kind is None and bool({*words(name)} & EVALUATING))


def tell_within(rated: Mapping[str, Column], draft: Draft) -> None:
    """How columns with ratings are read goes into the draft."""
    read = {name: column for name, column in rated.items() if column.reads is not None}
    if not read:
        return
    names, first = listed([named(one) for one in read]), next(iter(read.values()))
    draft.task["reads"] = first.reads
    if first.reads == "verdict":
        text = f"the sentences in {names} begin with the verdict, and are read as it"
    elif (first.reads or "").startswith((_ANNOUNCED, _BRACKETED)):
        text = f"the sentences in {names} announce the verdict, and are read as it"
    else:
        text = f"in {names} the number within the text is the rating"
        text += f": {named(first.example)} means {named(first.means)}"
    draft.assume(Weight.MEANING, text)
    if any(column.partly for column in read.values()):
        draft.task["undeclared"] = "invalid"
        draft.assume(Weight.MEANING, f"a text in {names} that says none is an invalid rating")


def label_within(label: str, reads: str | None) -> str:
    """What a label says under the form in which it is read; itself where it has no such form."""
    if reads is None:
        return label
    match = (_FIRST_WORD if reads == "verdict" else re.compile(reads)).search(label)
    return match.group(1) if match else label


def _numbers(column: Column, pattern: str) -> Column | None:
    """The column as its numbers, where every cell has the form (of texts nearly every one, for a
    judge may fail to say it), and what they are out of is one."""
    said = {one: n for one, n in column.labels.items() if folded(one) not in ABSTAIN | INVALID}
    hits = sum(n for one, n in said.items() if re.search(pattern, one))
    if not said or hits < (_NEARLY_ALL if column.text else 1) * sum(said.values()):
        return None
    if len({m.group(1) for one in said if (m := _OUT_OF.search(one))}) > 1:
        return None
    if column.text and pattern != _BRACKETS and not _is_a_judges(column.name):
        return None
    if any(re.match(r"\s*(\{|\[(?!\[))", one) for one in said):  # JSON, whose values are columns
        return None
    return _as(column, pattern)


def _verdicts(column: Column, known: set[str]) -> Column | None:
    """The column as the labels that its sentences begin with, or that they announce ("The verdict
    is: no"), where nearly all do so in one of these ways."""
    rows = sum(column.labels.values())
    longest_first = sorted(map(re.escape, known), key=lambda one: (-len(one), one))
    labels = "|".join(longest_first)
    bracketed = rf"(?is)^.*\[\[\s*({labels})\s*\]\]"
    announced = f"{_ANNOUNCED}({labels})\\b"
    # What stands in a column of no name of a judge's must be marked as a verdict.
    for reads in (bracketed, "verdict", announced) if _is_a_judges(column.name) else (bracketed,):
        hits = sum(
            n for one, n in column.labels.items() if folded(label_within(one, reads)) in known
        )
        if rows and hits >= _NEARLY_ALL * rows:
            return _as(column, reads, known)
    return None


def _as(column: Column, reads: str, known: set[str] | None = None) -> Column:
    labels: Counter[str] = Counter()
    for one, n in column.labels.items():
        said = label_within(one, reads)
        if folded(said) in known if known else said != one or not column.text:
            labels[said] += n
    return replace(
        column,
        labels=dict(labels.most_common(MANY + 1)),
        distinct=len(labels),
        longest=min(column.longest, LONGEST_LABEL),
        reads=reads,
        partly=column.text and labels.total() < column.filled,
        example=_around(next(iter(column.labels)), reads),
        means=label_within(next(iter(column.labels)), reads),
    )


def _around(text: str, reads: str, most: int = 30) -> str:
    """The text; of a long one, the words that were read."""
    if len(text) <= most:
        return text
    match = None if reads == "verdict" else re.search(reads, text)
    said = " ".join(match.group(0).split()) if match else text
    if reads == "verdict":
        return said[: most - 1] + "…"
    return f"…{said[-most:]}"
