"""Winners by name: of the two systems in a row, of the two columns with the texts, or of the two
systems that the whole table compares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from goldassay.proposals.draft import Draft, Weight
from goldassay.proposals.layouts.column_names import TEXTS
from goldassay.proposals.profile import Column
from goldassay.proposals.shape import Shape, Table
from goldassay.ratings.vocabulary import ABSTAIN, INVALID, TIES, VERDICTS, folded, plain_name, words
from goldassay.words import listed, named

__all__ = ["named_winners"]


def named_winners(table: Table, shape: Shape, draft: Draft) -> None:
    """Labels that are names of what is compared, as those of the first and the second side."""
    if {"system", "opponent"} <= shape.columns.keys():
        _of_rows(shape, table.columns, draft)
        return
    _named_texts(shape, table.columns, draft)
    _one_contest(table, shape, draft)


def _of_rows(shape: Shape, columns: Mapping[str, Column], draft: Draft) -> None:
    """Winners by the names of the systems: the first or the second of the row."""
    pair = [columns[shape.columns[key]].labels for key in ("system", "opponent")]
    named_ = {name for labels in pair for name in labels}
    systems = {name for name in named_ if folded(name) not in VERDICTS}
    if not any(set(one.labels) & systems for one in shape.used):
        return
    if all(folded(n) in TIES for one in shape.used for n in one.labels if n not in named_):
        systems = named_  # `baseline` among others' names is one of them
    shape.used = [
        replace(one, labels={"first": 1, "second": 1} | _without(one.labels, systems))
        for one in shape.used
    ]
    draft.assume(Weight.MEANING, "a rating that names one of the two systems says that it wins")


def _named_texts(shape: Shape, columns: Mapping[str, Column], draft: Draft) -> None:
    """Winners by the names of the two columns that hold the texts: the first or the second."""
    winners = [one for one in shape.used if {*words(one.rater)} & {"winner", "preferred", "better"}]
    said = {folded(label): label for one in shape.used for label in one.labels}
    sides = [n for n, column in columns.items() if column.text and folded(n) in said]
    rest = {*said} - {folded(n) for n in sides}
    if (
        len(sides) != 2
        or not rest <= TIES
        or winners != shape.used
        or "labels" in draft.declared.task
    ):
        return
    means = dict(zip((said[folded(n)] for n in sides), ("A", "B"), strict=True))
    draft.task.setdefault("labels", {}).update(means)
    shape.sides = True
    shape.used = [
        replace(one, labels={means.get(label, label): n for label, n in one.labels.items()})
        for one in shape.used
    ]
    told = listed([f"{named(a)} means {named(b)}" for a, b in means.items()])
    draft.assume(Weight.MEANING, f"{told}: it names the column of the text that wins")


def _without(labels: Mapping[str, int], names: set[str]) -> dict[str, int]:
    return {label: rows for label, rows in labels.items() if label not in names}


def _one_contest(table: Table, shape: Shape, draft: Draft) -> None:
    """The same two systems in every row, whose texts stand in columns called after them
    (`BART_output`, `T5_output`), and labels that are their names, or a tie."""
    labels = {label for one in shape.used for label in one.labels}
    names = sorted(one for one in labels if folded(one) not in TIES | ABSTAIN | INVALID)
    about = any("system" in cell or "criterion" in cell for cell in shape.cells.values())
    if len(names) != 2 or about or draft.declared or "system" in shape.columns:
        return
    if all(folded(one) in VERDICTS for one in names):
        return
    texts = {one: _texts_of(one, table.columns) for one in names}
    rests = [{rest for _, rest in mine} for mine in texts.values()]
    if not set.intersection(*rests):
        return
    names.sort(key=lambda one: [*table.columns].index(texts[one][0][0]))
    shape.constants |= {"system": names[0], "opponent": names[1]}
    shape.sides = True
    shape.used = [
        replace(one, labels={"first": 1, "second": 1} | _without(one.labels, {*names}))
        for one in shape.used
    ]
    draft.assume(
        Weight.MEANING,
        f"{named(names[0])} and {named(names[1])} are the two systems that are compared in every "
        "row, by the names of the texts beside: a rating that names one of them says that it wins",
    )


def _texts_of(name: str, columns: Mapping[str, Column]) -> list[tuple[str, str]]:
    """The columns with texts that are called after a name, and the rest of what they are called."""
    plain = plain_name(name)
    found = []
    for column in (n for n, c in columns.items() if c.text or {*words(n)} & {*TEXTS, "summary"}):
        whole = plain_name(column)
        if whole.startswith(f"{plain}_") or whole.endswith(f"_{plain}"):
            found.append((column, whole.replace(plain, "", 1)))
    return found
