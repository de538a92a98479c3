"""Columns that look like ratings and are not read: they are asked about, never passed over."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

from goldassay.proposals.draft import Draft, Weight
from goldassay.proposals.layouts.column_names import (
    COMPARED,
    SETTINGS,
    TEXTS,
    about_of,
    is_aside,
    is_called_otherwise,
)
from goldassay.proposals.layouts.numbered_names import numbered_series
from goldassay.proposals.layouts.siblings import never_differing
from goldassay.proposals.profile import LONGEST_LABEL, MOST_OPTIONS, Column, counted
from goldassay.proposals.shape import Shape, Table, beside_ratings, some, some_asked
from goldassay.ratings.vocabulary import (
    BAD,
    GENERIC,
    GOOD,
    SYNONYMS,
    SYSTEMS,
    folded,
    kind_of,
    number,
    plain_name,
    positive_of,
    words,
)
from goldassay.words import named

__all__ = ["ask_of_left_out"]

#: Names of lists that hold what people found in an item.
_FOUND = frozenset(["labels", "annotations", "spans", "errors", "findings", "issues"])


def ask_of_left_out(table: Table, shape: Shape, draft: Draft) -> None:
    """One question for all columns that may hold ratings and have no place in the shape.

    They are named after a rater or hold a verdict and its opposite. A column that an assumption or
    another question names already is not named twice.
    """
    if not shape.rated:
        return
    told = " ".join((*draft.assumed, *draft.questions))
    free = [
        (name, column)
        for name, column in table.columns.items()
        if name not in shape.taken | beside_ratings(table.columns)
        and f"`{name}`" not in told
        and not _is_beside(name, table)
        and not _is_read_within(table, shape, name)
    ]
    pairs = draft.task.get("scale") == "pairwise"
    read = {folded(label) for one in shape.used for label in one.labels}
    missed = [n for n, c in free if _may_rate(n, c) or (pairs and _may_grade(n, c))]
    said = [n for n, c in free if n not in missed and _may_say(c, table.folds(n), read)]
    if len({one.kind == "judge" for one in shape.used}) == 1 and not pairs:
        said = [name for name in said if table.folds(name) != read]  # the other kind's, perhaps
    missed += [name for name in said if not _is_of_the_item(table, shape, name)]
    missed += [n for n, _ in free if n not in missed and _is_often_equal(table, shape, n)]
    _ask_of_twins(table, shape, draft)
    told = " ".join(draft.questions)
    missed = [name for name in missed if f"`{name}`" not in told]
    if missed:
        verb, they = ("Does", "It is") if len(missed) == 1 else ("Do", "They are")
        cut = _as_verdicts(missed, table, draft)
        draft.ask(
            f"{verb} {some(missed)} hold ratings too? {they} not read"
            f"{'; as verdicts' if cut else ''}",
            cut,
        )
    missed += _tell_of_the_same(table, shape, draft)
    _ask_of_odd_cells(table, shape, draft, [n for n, _ in free if n not in missed])
    missed += _ask_of_the_other_kind(table, shape, draft, [n for n, _ in free if n not in missed])
    scored = [name for name, column in free if name not in missed and _may_score(name, column)]
    if scored:
        verb = "Is" if len(scored) == 1 else "Are"
        cut = _as_verdicts(scored, table, draft)
        draft.ask(
            f"{verb} {some(scored)} a judge's score? Not read{'; as verdicts' if cut else ''}", cut
        )
    read = {table.own(name).partition(".")[0] for name in shape.taken if "." in table.own(name)}
    several = [n for n, column in free if n not in read and _holds_numbers(n, column)]
    if several:
        draft.ask(
            some_asked(
                several,
                "Does {} hold several ratings in one cell? They are not read; to read each as a "
                "row",
                "Do {} hold several ratings in one cell? They are not read; to read each of the "
                "first as a row",
            ),
            {"file": {"rows": [several[0]]}},
        )
    lists = [
        name
        for name, column in free
        if name.casefold() in _FOUND and name not in read and _holds_records(column)
    ]
    if lists:
        draft.ask(
            f"Are the records in {some(lists)} what was found in an item? They are not read; to "
            "read each as a row",
            {"file": {"rows": [lists[0]]}},
        )


def _as_verdicts(names: list[str], table: Table, draft: Draft) -> dict[str, Any] | None:
    """What declares the first of these columns, a judge's shares, as verdicts."""
    name = names[0]
    if draft.task.get("scale") != "binary" or not _are_shares(table.columns[name]):
        return None
    return {"cells": {name: {"rater": name, "kind": "judge", "cut": ">= 0.5"}}}


def _tell_of_the_same(table: Table, shape: Shape, draft: Draft) -> list[str]:
    """Columns that say one thing only, which raters say too: a judge who never says another, or
    what the rows were made with. They are asked about, and told where the name says the latter."""
    read = {folded(label) for one in shape.used for label in one.labels}
    told = " ".join((*draft.assumed, *draft.questions))
    own = {name for name in table.columns if shape.columns.get(f"file_{name}") == name}
    aside = (shape.taken | beside_ratings(table.columns)) - own
    free = [n for n in table.columns if n in own or (n not in aside and f"`{n}`" not in told)]
    same = [*never_differing(table, free, read)] if len(read) <= MOST_OPTIONS else []
    series = [one.values() for one in numbered_series(same).values() if len(one) > 1]
    alike = {name for names in series for name in names}
    settings = [name for name in same if is_called_otherwise(name) and name not in alike]
    if settings:
        no, each = ("is no rating", "it") if len(settings) == 1 else ("are no ratings", "each")
        draft.assume(
            Weight.COLUMNS, f"{some(settings)} {no}, by the name: {each} says one thing only"
        )
    if asked := [name for name in same if name not in settings]:
        judged = any(one.kind == "judge" for one in shape.used) or len(shape.used) < 2
        answer = _read_as("judge" if judged else "human", asked, table, shape)
        whose = ("a judge's ", "judges' ") if judged else ("a person's ", "people's ")
        mine, theirs, so = (*whose, "; if so") if answer else ("", "", "")
        draft.ask(
            some_asked(
                asked,
                f"Does {{}} hold {mine}ratings? It says one thing only: not read{so}",
                f"Do {{}} hold {theirs}ratings? Each says one thing only: not read{so}",
            ),
            answer,
            left_out=asked,
        )
    return same


def _read_as(kind: str, names: list[str], table: Table, shape: Shape) -> dict[str, Any] | None:
    """What declares columns as raters' beside a column for each rater, or for the only one."""
    value = shape.columns.get("value")
    if table.source.parts or "rater" in shape.columns:
        return None
    if isinstance(value, str):
        people = {one.kind for one in shape.used} == {"human"}
        return {"wide": {"human": [value], kind: names}} if people else None
    if any(cell.keys() != {"rater", "kind"} for cell in shape.cells.values()):
        return None
    return {"cells": {name: {"rater": name, "kind": kind} for name in names}}


#: The share of rows in which a column with odd cells says one of a few labels.
_MOSTLY = 0.8


def _ask_of_odd_cells(table: Table, shape: Shape, draft: Draft, free: list[str]) -> None:
    """A column called after a judge, or people, of whom no other is there, with labels in most rows
    and texts in a few: what these are must be said, since without it nobody is left."""
    here = {one.kind == "judge" for one in shape.used}
    value = shape.columns.get("value")
    if len(here) != 1 or table.source.parts or not isinstance(value, str):
        return
    for name in free:
        column, kind = table.columns[name], kind_of(name)
        labels = [one for one in column.labels if len(one) <= LONGEST_LABEL]
        rows = sum(column.labels[one] for one in labels[:MOST_OPTIONS])
        if kind is None or (kind == "judge") in here or column.few or column.numeric:
            continue
        if len(labels) <= MOST_OPTIONS and _MOSTLY * column.filled <= rows < column.filled:
            mine = "judge" if here == {True} else "human"
            draft.lack(
                f"Are {column.filled - rows:,} of the {column.filled:,} cells of {named(name)} no "
                f"ratings? They hold up to {column.longest:,} signs, and the others a few labels",
                {"wide": {mine: [value], kind: [name]}, "undeclared": "invalid"},
                f"mend these cells of {named(name)}",
            )
            return


def _ask_of_the_other_kind(table: Table, shape: Shape, draft: Draft, free: list[str]) -> list[str]:
    """Where nobody but people rated, or nobody but judges, a column in their very labels may be the
    others', whatever it is called (`exact_match`): it is asked about, and named."""
    judges = {one.kind == "judge" for one in shape.used}
    said = {folded(label) for one in shape.used for label in one.labels}
    if len(judges) != 1 or draft.task.get("scale") not in ("binary", "nominal", "ordinal"):
        return []
    alike = [n for n in free if table.columns[n].few and table.folds(n) == said and len(said) > 1]
    alike = [n for n in alike if not {*words(n)} & COMPARED]
    if alike:
        other, kind = ("people", "human") if judges == {True} else ("a judge", "judge")
        mine = "judge" if judges == {True} else "human"
        value = shape.columns.get("value")
        one = isinstance(value, str) and "rater" not in shape.columns and not table.source.parts
        verb, they, are = (
            ("Does", "It has", "is") if len(alike) == 1 else ("Do", "They have", "are")
        )
        draft.ask(
            f"{verb} {some(alike)} hold the ratings of {other}? {they} the same labels, and {are} "
            f"not read{'; then' if one else ''}",
            {"wide": {mine: [value], kind: [alike[0]]}} if one else None,
        )
    return alike


def _is_read_within(table: Table, shape: Shape, name: str) -> bool:
    """Whether the members of a column's lists or records are read."""
    return any(table.own(one).startswith(f"{table.own(name)}.") for one in shape.rated)


def _is_beside(name: str, table: Table) -> bool:
    """Whether a column is made of another's cells, or that other."""
    return any(
        re.match(rf"{re.escape(one)}[._]\w", name) and table.columns[one].labels
        for one in table.columns
        if one != name and all(label[:1] in "{[" for label in table.columns[one].labels)
    )


def _may_rate(name: str, column: Column) -> bool:
    """Few labels or scores under a rater's name; or a verdict and its opposite, also where it never
    differs if the name says what is looked for."""
    if len(column.labels) == 1 and not column.numeric:
        found = bool({*words(name)} & (GOOD | BAD) - _OF_PROGRAMS)
        return found and {folded(one) for one in column.labels} <= {"true", "false", "yes", "no"}
    if len(column.labels) < 2 or column.times or is_aside(name):
        return False
    if plain_name(name) in {*SYNONYMS["rater"], *SYNONYMS["system"], *SYNONYMS["kind"]}:
        return False
    said = set(words(name))
    rated = bool(said & (GENERIC - {"a", "as", "by", "is", "of", "the"}))
    if kind_of(name) is not None and rated and not said & {*TEXTS}:
        return column.rating or column.few
    if kind_of(name) is not None and column.few and not said & {*TEXTS}:
        # `openai_moderation`: True; or what a metric says in a few numbers, some of them broken
        if _is_pair(column.labels) or (column.numeric and any("." in n for n in column.labels)):
            return True
        # `mood_llm`: what a judge says of something else, in words that come again
        about = {word for word in said if kind_of(word) is None and not word.isdigit()}
        again = 2 * column.distinct <= column.filled and not column.numeric
        return again and bool(about) and not said & (SYSTEMS - {"llm"} | SETTINGS)
    if column.few and kind_of(name) is None and not column.numeric:
        bare = {folded(label) for label in column.labels} <= {"true", "false", "yes", "no"}
        return _is_pair(column.labels) and (rated or not bare)
    return False


def _ask_of_twins(table: Table, shape: Shape, draft: Draft) -> None:
    """Columns of a person, or a key, and of a judge that were passed over together: they have
    labels in common, and a word for what is rated (`gold_process`, `pred_process`). Each two are
    asked about, with what reads them in place of the others."""
    columns = table.columns.items()
    free = [n for n, c in columns if n not in shape.taken and c.rating | c.few and not is_aside(n)]
    judges = [n for n in free if kind_of(n) == "judge"]
    people = [n for n in free if kind_of(n) != "judge"]
    people.sort(key=lambda name: kind_of(name) is None)
    unsaid = "human" if "human" in map(kind_of, shape.cells) else "reference"
    often = Counter(word for name in table.columns for word in words(name))
    whose = {word for name in shape.cells for word in words(name)}  # `hand_label`: who rated
    whose |= {word for word, names in often.items() if names >= _FAMILY}
    pairs: list[tuple[str, str]] = []
    for one in people if not table.source.parts else ():
        for two in judges:
            mine, theirs = ({*about_of(name)} - whose for name in (one, two))
            about = (mine <= theirs or theirs <= mine) and mine & theirs - _SUMMED
            shared = len(table.folds(one) & table.folds(two)) > 1
            if about and shared and not any({one, two} & {*pair} for pair in pairs):
                pairs.append((one, two))
    draft.settle(name for pair in pairs for name in pair)  # what is asked of them without an answer
    for one, two in pairs:
        draft.ask(
            f"Do {named(one)} and {named(two)} hold ratings of something else? They are not read; "
            "in place of the others",
            {"wide": {kind_of(one) or unsaid: [one], "judge": [two]}},
        )


#: A word in so many names of columns says nothing of one.
_FAMILY = 4
#: Words of what was made of other columns.
_SUMMED = frozenset(["average", "avg", "mean", "sum", "total"])


def _may_say(column: Column, labels: set[str], read: set[str]) -> bool:
    """Whether a column has what ratings have, whatever it is called: two labels or more, all of
    which are read elsewhere (of numbers, half of those that are read), or words of which one is
    the other's opposite. A name that says something else is believed."""
    if not column.few or len(labels) < 2 or column.times or is_called_otherwise(column.name):
        return False
    if labels <= read and (not column.numeric or 2 * len(labels) >= len(read)):
        return True
    return not column.numeric and not labels <= _BARE and _is_pair(labels)


def _is_of_the_item(table: Table, shape: Shape, name: str) -> bool:
    """Whether a column says one thing of an item in all of its rows, which are two or more."""
    item = shape.columns.get("item")
    column = table.columns.get(item) if isinstance(item, str) else None
    if column is None or table.source.parts or 2 * column.distinct > column.filled:
        return False
    said = [item for item, label in counted(table.source, column.name, name) if label]
    return len(said) == len({*said})


#: What a mark of a row says, whatever it marks.
_BARE = frozenset(["true", "false"])


#: Words of what went well or not when a row was made.
_OF_PROGRAMS = frozenset(
    [
        *("accept", "accepted", "broken", "clean", "error", "errors", "fail", "failed", "fails"),
        *("failure", "flag", "flagged", "invalid", "ok", "okay", "success", "successful", "valid"),
    ]
)


#: So many different numbers are hardly equal in a third of the rows by chance.
_DIFFERENT, _THIRD = 8, 3


def _is_often_equal(table: Table, shape: Shape, name: str) -> bool:
    """Whether a column of many different numbers is equal to one that is read in a third of the
    rows: what was estimated (`object_count` beside `human`)."""
    column = table.columns[name]
    if not column.numeric or column.distinct < _DIFFERENT or table.source.parts:
        return False
    for one in shape.rated:
        read = table.columns.get(one)
        if read is None or not read.numeric or read.distinct < _DIFFERENT:
            continue
        rows = counted(table.source, name, one)
        same = sum(n for (a, b), n in rows.items() if number(a) == number(b) is not None)
        if _THIRD * same >= column.rows:
            return True
    return False


def _may_grade(name: str, column: Column) -> bool:
    """A few whole numbers beside a winner, under a name of nothing else: grades of the pair."""
    whole = all((number(one) or 0.0) % 1 == 0 for one in column.labels)
    return (
        column.numeric
        and column.verdicts
        and len(column.labels) > 2
        and whole
        and not is_aside(name)
    )


def _is_pair(labels: Iterable[str]) -> bool:
    folds = sorted({folded(label) for label in labels})
    return len(folds) == 2 and positive_of(*folds) is not None


_SCORES = frozenset(["score", "scores", "prob", "proba", "probability"])


def _may_score(name: str, column: Column) -> bool:
    """Numbers from 0 to 1 under a name of scores; many numbers under a judge's, and broken ones
    under a name of scores that no other number has."""
    metric = kind_of(name) == "judge" and column.scores and not is_aside(name)
    named_ = plain_name(name) in {*SYNONYMS["rater"], *SYNONYMS["system"], *SYNONYMS["kind"]}
    if metric and not named_ and not {*words(name)} & {*TEXTS}:
        return True
    said = {*words(name)}
    broken = column.scores and any((number(one) or 0.0) % 1 for one in column.labels)
    if broken and said & {"score", "reward", "logit"} and not is_aside(name):
        return True
    return _are_shares(column) and bool(said & _SCORES)


def _are_shares(column: Column) -> bool:
    """Numbers from 0 to 1, not all of them whole."""
    values = [value for one in column.labels if (value := number(one)) is not None]
    shares = all(0 <= value <= 1 for value in values) and any(value % 1 for value in values)
    return column.numeric and shares and len(values) > 2


#: Names of lists that may hold a rater's repeated verdicts.
_REPEATED = frozenset(["responses", "scores", "ratings", "votes", "labels", "grades", "verdicts"])


def _holds_numbers(name: str, column: Column) -> bool:
    """Lists of numbers under a name of ratings."""
    lists = all(re.fullmatch(r'\[[\s\d.,"\-]+\]?', cell[:200]) for cell in column.labels)
    return bool(column.labels) and lists and bool({*words(name)} & _REPEATED)


def _holds_records(column: Column) -> bool:
    cells = [cell.replace(" ", "") for cell in column.labels]
    return any(cell.startswith("[{") for cell in cells) and all(c[:1] == "[" for c in cells)
