"""What the columns of a table tell against a reading, by what they hold and are called.

What rows were laid out by, what shares no label with the ratings, who has one row, and what nobody
is named in: each look takes one class of such columns back, or asks which is meant.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

from goldassay.proposals.doubts import ENOUGH, Doubts
from goldassay.proposals.draft import Draft
from goldassay.proposals.layouts.column_names import (
    CALLED_RATINGS,
    TEXTS,
    about_of,
    asks,
    is_aside,
    of_one_thing,
)
from goldassay.proposals.layouts.one_scale import alike, is_computed
from goldassay.proposals.profile import counted
from goldassay.proposals.shape import Shape, Table, some
from goldassay.ratings.distinct import distinct_keys
from goldassay.ratings.vocabulary import GENERIC, TIES, kind_of, number, plain_name, words
from goldassay.sources.frames import ROW
from goldassay.words import named

__all__ = [
    "is_called_rating",
    "of_a_factor",
    "of_a_winner_again",
    "of_an_unnamed_judge",
    "of_lone_users",
    "of_no_common_word",
    "of_no_name",
    "of_nobody_named",
    "of_several_words",
    "of_strangers",
    "of_sums_by_name",
    "of_what_was_computed",
]


def is_called_rating(name: str) -> bool:
    """A name of who rates, of what is rated, or of ratings."""
    said = {*words(name)} & GENERIC - {"a", "as", "by", "is", "of", "the"}
    return kind_of(name) is not None or asks(name) or bool(said)


def of_an_unnamed_judge(table: Table, shape: Shape, draft: Draft) -> bool:
    """One judge, whose column says neither who it is nor what people rated, and another column of
    numbers that says as little and was passed over: which of them is the judge's is asked."""
    judges = [n for n, cell in shape.cells.items() if cell.get("kind") == "judge"]
    people = [n for n, cell in shape.cells.items() if cell.get("kind") != "judge"]
    if len(judges) != 1 or not people or draft.task.get("scale") != "binary":
        return False
    rated = {word for name in people for word in about_of(name)}
    about = about_of(judges[0])
    if kind_of(judges[0]) or rated & {*about} or table.source.parts:
        return False
    if any(of_one_thing(about, about_of(name)) for name in people):
        return False
    told = " ".join((*draft.assumed, *draft.questions))
    others = [
        name
        for name, column in table.columns.items()
        if name not in shape.taken and column.scores and f"`{name}`" not in told
        if not (is_aside(name) or column.counter or column.times or kind_of(name))
    ]
    if others:
        values = [
            v for label in table.columns[others[0]].labels if (v := number(label)) is not None
        ]
        cut = f">= {(min(values) + max(values)) / 2:.2g}"
        cells: dict[str, dict[str, str]] = {
            n: {"rater": n, "kind": shape.cells[n]["kind"]} for n in people
        }
        cells[others[0]] = {"rater": others[0], "kind": "judge", "cut": cut}
        wide = {"judge": judges, "human": people}
        draft.lack(
            f"Which column is a judge's, {named(judges[0])} or {named(others[0])}? No name says it",
            {"wide": wide},
            {"cells": cells},
        )
    return bool(others)


def of_nobody_named(table: Table, shape: Shape, draft: Draft) -> bool:
    """One rater whom nothing names and no column that names items, in rows that are the same but
    for the ratings: several people rated each, and who is asked."""
    raters = {cell.get("rater") for cell in shape.cells.values()} | {shape.constants.get("rater")}
    rest = [n for n, c in table.columns.items() if n not in shape.rated and c.filled]
    rest = [name for name in rest if not table.columns[name].counter]
    rows = max((column.rows for column in table.columns.values()), default=0)
    if shape.columns.get("item") != ROW or "rater" in shape.columns or table.source.parts:
        return False
    if len(raters - {None}) != 1 or rows < ENOUGH or not any(table.columns[n].text for n in rest):
        return False
    things = distinct_keys(table.source, rest)
    if 2 * things > rows:
        return False
    draft.lack(
        f"Who rated in each row? {rows:,} rows hold {things:,} different things to rate, and no "
        "column says who rated or tells the rows of one apart",
        "write who rated into a column",
        {"columns": {"item": ROW}},
    )
    return True


def of_sums_by_name(table: Table, shape: Shape) -> Doubts:
    """Columns that were taken for several people's, and are called means or medians of something
    without a person's word (`claim_mean_answer`): what was made of ratings, and nobody's."""
    people = [n for n, cell in shape.cells.items() if cell.get("kind") == "human"]
    made = [n for n in people if n in table.columns and _is_called_mean(n)]
    if len(people) < 2 or not made:
        return Doubts()
    return Doubts(dict.fromkeys(made, "Made of several ratings, by the name"))


def _is_called_mean(name: str) -> bool:
    return bool({*words(name)} & {"mean", "avg", "average", "median"}) and kind_of(name) is None


def of_what_was_computed(table: Table, shape: Shape, draft: Draft) -> bool:
    """Numbers with more decimals than anybody writes, of one person whom nothing names: a machine's
    scores, or no ratings at all; which is asked."""
    rated = [name for name in table.columns if name in shape.rated]
    kinds = {shape.constants.get("kind")} | {c.get("kind") for c in shape.cells.values()}
    if kinds - {None} != {"human"} or "rater" in shape.columns or table.source.parts:
        return False
    if not rated or any(map(kind_of, rated)) or kind_of(table.stem) == "judge":
        return False
    if draft.declared.table("constants") or not _most_are_computed(table, rated):
        return False
    value = {"constants": {"kind": "judge"}, "columns": {"value": table.own(rated[0])}}
    draft.lack(
        f"Are the numbers in {some(rated)} a judge's scores? They were computed, by their "
        "decimals, and no name says by whom",
        value if len(rated) == 1 else {"constants": {"kind": "judge"}},
        "give the table with a row for each rating or item",
    )
    return True


def _most_are_computed(table: Table, names: Sequence[str]) -> bool:
    """Whether most columns were computed, and the others hold what may have been."""
    made = [name for name in names if is_computed(table.columns[name])]
    long = all(any("." in label for label in table.columns[n].labels) for n in names)
    return 2 * len(made) > len(names) and long


def of_no_name(table: Table, shape: Shape, draft: Draft) -> bool:
    """Marks that are not called ratings (`referred`: true), where a column that is called after
    what is rated, or a label, was passed over; or anything that is not, beside a verdict or a
    winner: which of them holds the ratings is asked."""
    rated = [name for name in table.columns if name in shape.rated]
    bare = all(table.folds(name) <= {"true", "false", "yes", "no"} for name in rated)
    called = sum(map(is_called_rating, rated))
    if table.source.parts or (called if bare else 2 * called >= len(rated)):
        return False
    told = "" if not bare else " ".join((*draft.assumed, *draft.questions))
    others = [
        name
        for name, column in table.columns.items()
        if name not in shape.taken and column.few and len(column.labels) > 1
        if is_called_rating(name) and not is_aside(name) and f"`{name}`" not in told
        if not {*words(name)[-1:]} & {*TEXTS}
        if bare or ({*words(name)} & _VERDICTS and not {*words(name)} & {"source", "by", "reason"})
    ]
    if rated and others:
        draft.lack(
            f"Which column holds the ratings? {named(others[0])} is called so, and "
            f"{some(rated)} {'is' if len(rated) == 1 else 'are'} not",
            *({"columns": {"value": table.own(name)}} for name in [*others, *rated][:2]),
        )
    return bool(rated and others)


#: Words of a column that nothing but a rating is called.
_VERDICTS = frozenset(["verdict", "winner", "preferred", "preference", "rating", "judgment", "won"])


def of_a_factor(table: Table, shape: Shape) -> Doubts:
    """What the rows were laid out by, which nobody chose (`error_type`, `mode`): a column of
    ratings each of which every rater gives equally often, where another holds grades too; or each
    of which every query has once, or every query under every setting, where another is left."""
    if table.source.parts or shape.sides:
        return Doubts()
    rated = [name for name in table.columns if name in shape.rated]
    unsaid = [name for name in rated if not is_called_rating(name)]
    unsaid = [n for n in unsaid if not any(_said_alike(table, n, o) for o in rated if o != n)]
    alone = len(rated) == 1 and table.columns[rated[0]].numeric  # a rank in every query, perhaps
    for name in () if alone else unsaid:
        if key := _crossed_with(table, name, rated):
            each = " and ".join(map(named, key))
            return Doubts({name: f"Every {each} has each of its labels once"})
    rater, value = shape.columns.get("rater"), shape.columns.get("value")
    if not isinstance(rater, str) or not isinstance(value, str):
        return Doubts()
    if rater not in table.columns or value not in table.columns:
        return Doubts()
    found = counted(table.source, rater, value)
    raters, labels = ({pair[k] for pair in found} for k in (0, 1))
    even = len({*found.values()}) == 1 and len(found) == len(raters) * len(labels)
    enough = min(len(raters), len(labels)) > 1 and len(found) >= _CELLS
    others = [n for n, c in table.columns.items() if n not in shape.taken and c.verdicts]
    if not even or not enough or not any(table.columns[n].numeric for n in others):
        return Doubts()
    return Doubts({value: "Every rater has each of its labels equally often"})


def _said_alike(table: Table, name: str, other: str) -> bool:
    """Whether two columns have the same labels but for one, or a word in common: what raters
    say."""
    one, two = table.folds(name), table.folds(other)
    words_ = any(number(label) is None for label in one & two)
    return words_ or (bool(one & two) and len(one ^ two) < 2)


def _crossed_with(table: Table, name: str, rated: Sequence[str]) -> tuple[str, ...]:
    """One column, or two, with which a column tells all rows apart, every label of it with every
    label of theirs; nothing where there are none."""
    labels, columns = table.columns[name].distinct, table.columns
    whole = [
        n for n, c in columns.items() if n not in rated and 1 < c.distinct < c.rows == c.filled
    ]
    for size in (1, 2):
        for key in combinations(whole, size):
            things = math.prod(columns[one].distinct for one in key)
            if labels < 2 or things < _THINGS or things * labels != columns[name].rows:
                continue
            if distinct_keys(table.source, [*key, name]) == columns[name].rows:
                return key
    return ()


#: So many things hardly have every label once by chance.
_THINGS = 5
#: So many counts are hardly equal by chance.
_CELLS = 9


def of_a_winner_again(table: Table, shape: Shape) -> Doubts:
    """The winner of every row called by another name (`winner`: A, `winner_model`: gpt-4): the two
    columns have no label in common but a tie; one verdict and no second rater."""
    called = [n for n in shape.cells if n in table.columns and "winner" in words(n)]
    for one, two in combinations(called, 2):
        mine, theirs = sorted((one, two), key=lambda name: len(words(name)))
        said = [table.folds(name) - TIES for name in (mine, theirs)]
        apart = all(said) and said[0].isdisjoint(said[1])
        kinds = {shape.cells[n].get("kind") for n in (one, two)}
        if apart and len(kinds) == 2 and not {kind_of(mine), kind_of(theirs)} & {"human"}:
            return Doubts({theirs: f"It calls the winner of {named(mine)} by another name"})
    return Doubts()


def of_several_words(table: Table, shape: Shape) -> Doubts:
    """Raters of one kind whose columns hold words of which none is another's, and are no yes and no
    either (`label_llm`, `framing_llm`; `score`: PASS beside `bucket`: 30): several questions. The
    only one with labels like another kind's is read, else the only one that is called a label or a
    score, and of the others it is asked."""
    by: dict[str, list[str]] = {}
    for name, cell in shape.cells.items():
        if name in table.columns and {*cell} <= {"rater", "kind"}:
            by.setdefault(str(cell.get("kind")), []).append(name)
    for kind, names in by.items():
        words_ = any(not table.columns[name].numeric for name in names)
        apart = not any(alike(table, one, two) for one, two in combinations(names, 2))
        others = [name for other, theirs in by.items() if other != kind for name in theirs]
        called = [name for name in names if any(alike(table, name, one) for one in others)]
        called = called or [name for name in names if {*words(name)} & CALLED_RATINGS]
        if len(names) > 1 and words_ and apart and len(called) == 1:
            rest = [name for name in names if name not in called]
            return Doubts(dict.fromkeys(rest, f"None of the labels of {named(called[0])} is there"))
    return Doubts()


def of_no_common_word(table: Table, shape: Shape) -> Doubts:
    """The only person, or judge, whose column shares no label with the others', means no yes and no
    either, has not as many, and is not called a rating: nothing says that it is one."""
    by: dict[bool, list[str]] = {}
    for name, cell in shape.cells.items():
        if name in table.columns and {*cell} <= {"rater", "kind"}:
            by.setdefault(cell.get("kind") == "judge", []).append(name)
    if len(by) < 2 or any(alike(table, one, two) for one in by[True] for two in by[False]):
        return Doubts()
    for kind, names in by.items():
        other = by[not kind][0]
        mine, theirs = table.folds(names[0]), table.folds(other)
        as_many = len(mine) == len(theirs) or any(label[:1].isdigit() for label in mine)
        if len(names) == 1 and not as_many and not is_called_rating(names[0]):
            return Doubts(dict.fromkeys(names, f"None of the labels of {named(other)} is there"))
    return Doubts()


def of_lone_users(table: Table, shape: Shape) -> Doubts:
    """Users each of whom has one row, where another column names every row too: whose the item is,
    and not who rated it."""
    rater = shape.columns.get("rater")
    users = isinstance(rater, str) and plain_name(rater) in ("user", "user_id", "username")
    if not isinstance(rater, str) or not users or "value" not in shape.columns:
        return Doubts()
    others = [n for n, c in table.columns.items() if c.unique and is_aside(n) and n != rater]
    if rater not in table.columns or not table.columns[rater].unique or not others:
        return Doubts()
    return Doubts({rater: "Every row has another, so that nobody rated twice"})


#: So many columns of numbers that name nobody are hardly judges.
_MANY_STRANGERS = 3


def of_strangers(table: Table, shape: Shape, draft: Draft) -> Doubts:
    """Columns of numbers that were taken for judges because they are no people's, and are many:
    what else was measured. Their names say neither who rates nor what people rated."""
    kinds = {name: cell.get("kind") for name, cell in shape.cells.items()}
    rated = {word for n, kind in kinds.items() if kind != "judge" for word in about_of(n)}
    strange = [
        name
        for name, kind in kinds.items()
        if kind == "judge" and kind_of(name) is None and table.columns[name].numeric
        if not {*words(name)} & GENERIC and not {*about_of(name)} & rated
        if "criterion" not in shape.cells[name]
    ]
    if len(strange) < _MANY_STRANGERS or table.source.parts:
        return Doubts()
    return Doubts(
        dict.fromkeys(strange, "Their names say nothing of who rates or what people rated")
    )
