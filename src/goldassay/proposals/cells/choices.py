"""Choices of the best and the worst of several, and orders of several in a cell: pairs."""

from __future__ import annotations

import re
from collections.abc import Mapping

from goldassay.proposals.draft import Draft, Weight
from goldassay.proposals.layouts.named_pairs import best_of_several
from goldassay.proposals.profile import Column
from goldassay.proposals.shape import Table, some
from goldassay.ratings.vocabulary import plain_name
from goldassay.sources.choices import ABOVE, BETWEEN, MOST_MEMBERS
from goldassay.sources.form import Form
from goldassay.sources.frames import Source
from goldassay.words import listed, named

__all__ = ["form_of_choices"]

#: Words of who is chosen first and last of several.
_LAST = {"best": "worst", "most": "least"}
#: What a column of choices is called besides whose they are.
_SAID = frozenset([*_LAST, "item", "choice", "pick", "rank", "ranking", "ranked", "order", "ranks"])


def form_of_choices(source: Source, columns: Mapping[str, Column], draft: Draft) -> Form | None:
    """How the file's choices or orders are read as pairs, with what was assumed; None where it has
    none, or names two systems in a row already."""
    if {"system", "opponent"} & {*columns} or {"rater", "value"} <= {*columns}:
        return None
    own = {here: theirs for theirs, here in source.renamed.items()}
    if orders := _orders(columns):
        pairs = {_winner(name): own.get(name, name) for name in orders}
        if len(pairs) < len(orders):
            return None
        draft.assume(
            Weight.UNITS,
            f"a cell of {some(orders)} puts several in an order, which is read as a row for each "
            "pair of them; the pairs of a row go together",
        )
        draft.task["file"] = {"pairs": pairs}
        return Form(pairs=tuple(pairs.items()))
    found = best_of_several(Table(source, columns))
    if found is None or len(found[1]) > MOST_MEMBERS:
        return None
    # What is the same but for its case (`T1` of tuples, `t1` of texts) was not chosen from.
    best = {*columns[found[0]].labels}
    members = [name for name in found[1] if best & {*columns[name].labels}]
    chosen = _chosen(columns, found[1]) if len(members) > 2 else {}
    pairs = {_winner(best): BETWEEN.join(own.get(n, n) for n in ns) for best, ns in chosen.items()}
    if not pairs or len(pairs) < len(chosen):
        return None
    firsts, lasts = [*chosen], [ns[1] for ns in chosen.values() if len(ns) > 1]
    over = f", and they over that of {listed([named(n) for n in lasts])}" if lasts else ""
    draft.assume(
        Weight.UNITS,
        f"of {some(members)} that of {listed([named(n) for n in firsts])} wins over the others"
        f"{over}: a row for each pair, and the pairs of a row go together",
    )
    theirs = [own.get(name, name) for name in members]
    draft.task["file"] = {"pairs": pairs, "members": theirs}
    return Form(pairs=tuple(pairs.items()), members=tuple(theirs))


def _orders(columns: Mapping[str, Column]) -> list[str]:
    """The columns whose cells put the same three or more in an order, all of them, and not all in
    the same: a text may hold the sign too."""
    found = []
    for name, column in columns.items():
        if len(column.labels) < 2 or not all(re.search("[>≻]", one) for one in column.labels):
            continue
        sets = {frozenset(re.split(ABOVE, one.strip())) for one in column.labels}
        if len(sets) == 1 and 2 < len(next(iter(sets))) <= MOST_MEMBERS:
            found.append(name)
    return found


def _chosen(columns: Mapping[str, Column], members: list[str]) -> dict[str, list[str]]:
    """Column of the best -> it, and that of the worst by the same rater."""
    plain = {plain_name(name): name for name in columns if name not in members}
    chosen: dict[str, list[str]] = {}
    for said, name in plain.items():
        parts = said.split("_")
        for best, worst in _LAST.items():
            if best in parts:
                other = plain.get("_".join(worst if part == best else part for part in parts))
                chosen[name] = [name, *([other] if other else [])]
    return chosen


def _winner(name: str) -> str:
    """What the column of winners is called: `human_winner` of `human_best`."""
    who = [part for part in plain_name(name).split("_") if part not in _SAID]
    return "_".join([*who, "winner"])
