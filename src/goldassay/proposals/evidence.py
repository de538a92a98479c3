"""What speaks for those who are called raters in a reading: a name, or what they say and how often.

Who was made a person, a judge or a key by labels alone is held against the rest of the table: a
column of a few rows, what was computed of two others, and a key that says one thing are nobody's.
"""

from __future__ import annotations

from itertools import combinations

from goldassay.proposals.doubts import ENOUGH, Doubts
from goldassay.proposals.draft import Draft
from goldassay.proposals.layouts.people_or_questions import are_called_as_people
from goldassay.proposals.profile import MANY, counted
from goldassay.proposals.shape import Shape, Table, some
from goldassay.ratings.vocabulary import folded, is_machine, kind_of, number, words
from goldassay.words import named

__all__ = ["ask_of_machines", "of_a_check", "of_a_cut", "of_few_rows", "of_one_valued_keys"]


def ask_of_machines(table: Table, shape: Shape, draft: Draft) -> None:
    """Raters in rows all of whom a table calls people, some under the name of a model."""
    rater, kind = (table.columns.get(one) for one in ("rater", "kind"))
    if rater is None or kind is None or {*kind.labels} != {"human"} or shape.raters:
        return
    machines = [one for one in rater.labels if is_machine(one)]
    if machines and not draft.declared.table("raters"):
        verb, what = ("Is", "a judge") if len(machines) == 1 else ("Are", "judges")
        draft.ask(
            f"{verb} {some(machines)} {what}, by the name? Read as people; else",
            {"raters": {"judge": machines}},
        )


#: What is said of a score by where it lies.
_PASSED = frozenset(["above", "accept", "accepted", "below", "fail", "failed", "pass", "passed"])


def of_a_cut(table: Table, shape: Shape, draft: Draft) -> bool:
    """Scores that were taken for a judge's beside yes and no, where neither name says who rated
    and one number parts them in every row: the verdict may have been made of the score (`pass` of
    `score`), and to hold one against the other says nothing. It is asked."""
    cut = [n for n, c in shape.cells.items() if "cut" in c and c.get("kind") == "judge"]
    rest = [n for n in shape.cells if n not in cut]
    if len(cut) != 1 or len(rest) != 1 or any(map(kind_of, (*cut, *rest))) or table.source.parts:
        return False
    if not {*words(rest[0])} & _PASSED:
        return False
    if not {*cut, *rest} <= table.columns.keys() or draft.declared.table("wide"):
        return False
    by: dict[str, list[float]] = {}
    rows = counted(table.source, rest[0], cut[0])
    for label, score in rows:
        if label and (value := number(score)) is not None:
            by.setdefault(folded(label), []).append(value)
    if len(by) != 2 or sum(rows.values()) < ENOUGH:
        return False
    one, two = sorted(by.values(), key=max)
    if max(one) >= min(two):
        return False
    draft.lack(
        f"Was {named(rest[0])} made of {named(cut[0])}? One number parts them in every row, and no "
        "name says who rated",
        {"columns": {"value": table.own(cut[0])}},
        {"wide": {"human": [table.own(rest[0])], "judge": [table.own(cut[0])]}},
    )
    return True


def of_few_rows(table: Table, shape: Shape) -> Doubts:
    """Columns that became people's by their labels, under names of neither raters nor of what other
    raters' columns are called, in far fewer rows than another's (`revealed_as` beside `label`)."""
    people = [n for n, cell in shape.cells.items() if cell.get("kind") == "human"]
    people = [n for n in people if n in table.columns]
    most = max((table.columns[name].filled for name in people), default=0)
    kin = {name: {w for n in shape.cells if n != name for w in words(n)} for name in people}
    few = [
        name
        for name in people
        if 2 * table.columns[name].filled < most
        and kind_of(table.own(name)) is None
        and not {*words(name)} & kin[name]
        and not are_called_as_people([name])
    ]
    if table.source.parts or len(few) == len(people):
        return Doubts()
    return Doubts(dict.fromkeys(few, "Few rows have it, and no name says that it is a rater's"))


#: What says whether two things are equal, as folded labels.
_EQUAL = {"true": True, "false": False, "1": True, "0": False, "yes": True, "no": False}
#: So many columns are held against each other.
_MOST = 8


def of_a_check(table: Table, shape: Shape) -> Doubts:
    """A rater's column that says in every row whether two other columns are equal (`judge` beside
    `answer` and `user_answer`): it was computed, or asked for what they show."""
    marks = [n for n in shape.cells if n in table.columns and table.folds(n) <= {*_EQUAL}]
    marks = [n for n in marks if len(table.folds(n)) == 2]
    if not marks or table.source.parts:
        return Doubts()
    others = [
        name
        for name, column in table.columns.items()
        if name not in marks and 1 < column.distinct <= MANY and not column.text
        if not column.numeric and not table.folds(name) <= {*_EQUAL}
    ][:_MOST]
    for one, two in combinations(others, 2):
        if len(table.folds(one) & table.folds(two)) < 2:
            continue
        for name in marks:
            rows = {row: n for row, n in counted(table.source, one, two, name).items() if all(row)}
            equal = [(folded(a) == folded(b)) == _EQUAL[folded(m)] for a, b, m in rows]
            if equal and all(equal) and sum(rows.values()) >= ENOUGH:
                why = f"It says in every row whether {named(one)} and {named(two)} are equal"
                return Doubts({name: why})
    return Doubts()


def of_one_valued_keys(table: Table, shape: Shape) -> Doubts:
    """An answer key that says the same in every row, and nothing that judges say."""
    keys = [n for n, cell in shape.cells.items() if cell.get("kind") == "reference"]
    judged = [n for n, c in shape.cells.items() if c.get("kind") == "judge" and n in table.columns]
    said = {label for name in judged for label in table.folds(name)}
    for name in keys:
        column = table.columns.get(name)
        if column is None or column.filled < ENOUGH or len(column.labels) != 1 or not said:
            continue
        if not table.folds(name) & said:
            return Doubts({name: "It says one thing in every row, which no judge says"})
    return Doubts()
