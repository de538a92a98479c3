"""A column for each text and criterion (`summary_1_Fluency` beside `summary_1`), or for each of two
sides and criterion (`scores.clarity.A`, `scores.clarity.B`): the texts are systems of one rater."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from goldassay.proposals.draft import Draft, Weight
from goldassay.proposals.layouts.column_names import TEXTS, asks
from goldassay.proposals.layouts.kinds_of_raters import kinds_of_raters
from goldassay.proposals.layouts.name_grids import products
from goldassay.proposals.layouts.numbered_names import numbered_name
from goldassay.proposals.shape import Shape, Table, person, some, used_of
from goldassay.ratings.vocabulary import kind_of, words
from goldassay.words import named

__all__ = [
    "by_text_and_criterion",
    "sides_by_criterion",
    "systems_by_criterion",
    "tell_systems",
    "texts_by_criterion",
]

_SIDE = re.compile(r"(?i)^(.+)[._](a|b)$")


def texts_by_criterion(table: Table, ratings: Sequence[str]) -> dict[str, dict[str, str]]:
    """Column -> system and criterion, where columns are called after columns with texts and then
    after a criterion, every text having the same ones; else nothing."""
    texts = [
        n
        for n, c in table.columns.items()
        if n not in ratings and not c.numeric and (c.text or {*words(n)} & _SHOWN) and c.filled
        if not all(
            one[:1] in "[{" for one in c.labels
        )  # what stands in a cell is not called after it
    ]
    found: dict[str, dict[str, str]] = {}
    for name in table.columns:
        heads = [t for t in texts if name.startswith((f"{t}_", f"{t} ", f"{t}."))]
        if heads and table.columns[name].rating:
            head = max(heads, key=len)
            found[name] = {"system": head, "criterion": name[len(head) + 1 :]}
    return found if _is_grid(found) else {}


#: Words of columns with texts that are rated.
_SHOWN = frozenset([*TEXTS, "summary", "translation", "story", "reply", "poem", "generation"])


def sides_by_criterion(table: Table, ratings: Sequence[str]) -> dict[str, dict[str, str]]:
    """Column -> side and criterion, where numbers are of two sides A and B for two criteria or
    more; else nothing."""
    numbers = [name for name in ratings if table.columns[name].numeric]
    parts = {n: m for n in numbers if (m := _SIDE.match(table.own(n)))}
    found = {
        name: {"system": match[2], "criterion": match[1].rpartition(".")[2]}
        for name, match in parts.items()
    }
    return found if len(parts) == len(numbers) and _is_grid(found) else {}


def systems_by_criterion(ratings: Sequence[str]) -> dict[str, dict[str, str]]:
    """Column -> system and criterion, where every name is one of several systems and one of several
    known criteria (`bart_coherence`, `t5_coherence`), or one of numbered texts (`summary_1_depth`)
    and any; else nothing. Only where rows name raters: else the first words may be these."""
    ways = [*products(ratings)]
    # The shortest criterion first: `api_scores_clarity` is of `clarity`.
    tries = [*((True, one) for one in reversed(ways)), *((False, one) for one in ways)]
    for last, halves in tries:
        found = {
            n: {"system": one if last else two, "criterion": two if last else one}
            for n, (one, two) in halves.items()
        }
        known = all(asks(c["criterion"]) and not asks(c["system"]) for c in found.values())
        known |= all(_is_numbered_text(c["system"]) for c in found.values())
        people = any(kind_of(c["system"]) == "human" for c in found.values())
        if known and not people:
            return found
    return {}


def _is_numbered_text(name: str) -> bool:
    stem, number = numbered_name(name)
    return bool(number) and bool({*words(stem)} & _SHOWN)


def _is_grid(cells: Mapping[str, Mapping[str, str]]) -> bool:
    """Two systems or more, each with the same two criteria or more."""
    by: dict[str, set[str]] = {}
    for cell in cells.values():
        by.setdefault(cell["system"], set()).add(cell["criterion"])
    each = list(by.values())
    same = len(by) > 1 and all(one == each[0] for one in each) and len(each[0]) > 1
    return same and len(cells) == len(by) * len(each[0])


def by_text_and_criterion(
    table: Table,
    shape: Shape,
    draft: Draft,
    cells: Mapping[str, dict[str, str]],
    rater: str | None = None,
) -> None:
    """The ratings of one rater, the file, or of those whom a column names."""
    who, kind = table.stem, kind_of(table.stem) or "human"
    if rater is None:
        shape.cells = {name: {"rater": who, "kind": kind, **cell} for name, cell in cells.items()}
        draft.assume(Weight.WHO, f"all ratings are by one {person(kind)}, called {named(who)}")
    else:
        shape.columns["rater"], shape.cells = rater, dict(cells)
        kinds = kinds_of_raters(table, rater, shape, draft)
        kind = "judge" if {*kinds.values()} == {"judge"} else "human"
    systems = tell_systems(cells, draft)
    if {system.casefold() for system in systems} == {"a", "b"}:
        draft.ask(
            f"Which systems are {some(systems)}? They are read as two, whoever it is in a row"
        )
    shape.used = [used_of(table, name, kind) for name in cells]


def tell_systems(cells: Mapping[str, Mapping[str, str]], draft: Draft) -> list[str]:
    """What was rated, and by what, by the names of the columns."""
    systems = list(dict.fromkeys(cell["system"] for cell in cells.values()))
    criteria = list(dict.fromkeys(cell["criterion"] for cell in cells.values()))
    draft.assume(
        Weight.COLUMNS,
        f"{some(systems)} were rated, each by the criteria {some(criteria, 30)}, by the names of "
        "the columns",
    )
    return systems
