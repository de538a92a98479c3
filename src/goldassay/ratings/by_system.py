"""A column for each system that was rated, or for each rater and system."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from goldassay.ratings.draft import Draft, Weight
from goldassay.ratings.rating_columns import TEXTS
from goldassay.ratings.shape import Shape, Table, person, some, used_of
from goldassay.ratings.vocabulary import kind_of, plain_name, words
from goldassay.words import named

__all__ = ["by_rater_and_system", "by_system", "named_systems"]


def named_systems(table: Table, ratings: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Columns such as judge_gpt4 beside answer_gpt4, or gpt4_correct beside gpt4_answer: column
    -> (system, what all of them are called); else nothing."""
    for system_last in (True, False):
        found: dict[str, tuple[str, str]] = {}
        for name in ratings:
            one, _, two = name.partition("_") if system_last else name.rpartition("_")
            system, head = (two, one) if system_last else (one, two)
            tells = (f"_{system}", "") if system_last else ("", f"{system}_")
            beside = [
                c
                for c in table.columns
                if c != name and c.endswith(tells[0]) and c.startswith(tells[1])
            ]
            texts = [c for c in beside if table.columns[c].text or {*words(c)} & {*TEXTS}]
            places = re.fullmatch(r".*_\d+", system) and plain_name(
                f"{system}_{head}"
            ) == plain_name(name)
            if system and head and texts and not places:
                found[name] = (system, head)
        heads = {head for _, head in found.values()}
        rest = [name for name in ratings if name not in found]
        of_people = any(kind_of(system) == "human" for system, _ in found.values())
        if len(found) > 1 and len(heads) == 1 and not of_people and not any(map(kind_of, rest)):
            return found
    return {}


def by_rater_and_system(
    table: Table, shape: Shape, draft: Draft, cells: Mapping[str, dict[str, str]]
) -> None:
    """A column for each rater and system."""
    shape.cells = dict(cells)
    systems = list(dict.fromkeys(cell["system"] for cell in cells.values()))
    raters = {cell["rater"]: cell["kind"] for cell in cells.values()}
    said = [f"{named(who)} (a {person(kind)})" for who, kind in raters.items()]
    draft.assume(
        Weight.WHO,
        f"{some(list(cells))} hold the ratings of {some(systems)} by {' and '.join(said)}",
    )
    shape.used = [used_of(table, name, cell["kind"]) for name, cell in cells.items()]


def by_system(table: Table, shape: Shape, draft: Draft, ratings: Sequence[str]) -> None:
    systems = named_systems(table, ratings)
    if rest := [name for name in ratings if name not in systems]:
        draft.ask(f"Does {some(rest)} hold ratings too? It was not read as such")
    head = next(iter(systems.values()))[1]
    kind = kind_of(head) or "human"
    shape.cells = {n: {"rater": head, "kind": kind, "system": s} for n, (s, _) in systems.items()}
    draft.assume(
        Weight.WHO,
        f"{some(list(systems))} hold the ratings of one {person(kind)}, called {named(head)}, a "
        "column per system",
    )
    shape.used = [used_of(table, name, kind) for name in systems]
