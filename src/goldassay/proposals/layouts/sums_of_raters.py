"""Columns that sum up others beside them: whose sums they are, and that each rater counts once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from goldassay.proposals.draft import Draft, Weight
from goldassay.proposals.layouts.column_names import about_of
from goldassay.proposals.layouts.one_scale import alike
from goldassay.proposals.layouts.raters_and_criteria import ask_of_others, judge_in
from goldassay.proposals.layouts.summed_up import (
    goes_with_the_sum,
    is_made,
    is_made_of,
    sums_of_people,
    tell_sums,
)
from goldassay.proposals.shape import Table, some
from goldassay.ratings.vocabulary import GENERIC, MADE, RESOLVED, kind_of, words
from goldassay.words import named

__all__ = [
    "summed_by_name",
    "without_parts",
    "without_parts_of_sums",
    "without_sums",
    "without_totals",
    "without_totals_of_criteria",
]


def summed_by_name(table: Table, known: Mapping[str, str], others: Sequence[str]) -> list[str]:
    """The columns of which one that is called people's mean or majority was made: people's,
    whatever their names (`mario_accuracy` and `vga_accuracy` beside `human_accuracy_mean`), and
    whatever else is called after them (`mario_revised_accuracy`)."""
    for name in (n for n, kind in known.items() if kind != "judge" and is_made(n)):
        about = {word for word in about_of(name) if not is_made(word)}
        parts = [
            other
            for other in others
            if about <= {*about_of(other)} and not {*words(other)} & RESOLVED
        ]
        shortest = min((len(words(part)) for part in parts), default=0)
        parts = [part for part in parts if len(words(part)) == shortest]
        few = 1 < len(parts) <= _MOST_PARTS
        if few and (is_made_of(table, name, parts) or goes_with_the_sum(table, name, parts)):
            return parts
    return []


#: So many columns are looked at together.
_MOST_PARTS = 12


def without_parts(table: Table, known: Mapping[str, str], draft: Draft) -> dict[str, str]:
    """The raters without what a judge says of something else (`grader_refusal`), where one of its
    columns is called after what people rated, all of them the same (`grader_score` beside
    `human_score`); or what it says on another scale (`judge_score` beside `judge_band`, with
    `expected_band`)."""
    about = {name: about_of(name) for name in known}
    people = [name for name, kind in known.items() if kind != "judge"]
    rated = {about[name] for name in people}
    called = {name for name in known if not GENERIC.isdisjoint(words(name))}
    by: dict[tuple[str, ...], list[str]] = {}
    for name, kind in known.items():
        if kind == "judge":
            by.setdefault(judge_in(name), []).append(name)
    parts = []
    for mine in by.values() if len(rated) == 1 else ():
        theirs = [name for name in mine if about[name] in rated]
        rest = [name for name in mine if name not in theirs]
        if called.intersection(people) and sum(name in called for name in theirs) == 1:
            parts += rest
        elif len(theirs) == 1 and about[theirs[0]]:
            parts += [n for n in rest if not any(alike(table, n, one) for one in people)]
    ask_of_others(parts, draft)
    return {name: kind for name, kind in known.items() if name not in parts}


def without_totals(
    table: Table, known: Mapping[str, str], others: Sequence[str], draft: Draft
) -> list[str]:
    """The columns that name nobody, without those whose numbers go with the sum of the raters'."""
    parts = [name for name in known if table.columns[name].numeric]
    made = [name for name in others if goes_with_the_sum(table, name, parts)]
    if made:
        verb, are = ("sums", "is") if len(made) == 1 else ("sum", "are")
        draft.assume(Weight.WHO, f"{some(made)} {verb} the raters up and {are} left out")
    return [name for name in others if name not in made]


def without_parts_of_sums(
    table: Table, known: Mapping[str, str], others: Sequence[str], draft: Draft
) -> list[str]:
    """The columns that name nobody, without those whose sum or mean a rater's column is in every
    row: the criteria of `human_total`, and no raters."""
    parts = [name for name in others if table.columns[name].numeric]
    if not 1 < len(parts) <= _MOST_PARTS:
        return list(others)
    made = [n for n in known if table.columns[n].numeric and goes_with_the_sum(table, n, parts)]
    if not made:
        return list(others)
    draft.ask(
        f"Are {some(parts)} rated by whom {named(made[0])} is of? It sums them up, and they are "
        "not read",
        left_out=parts,
    )
    return [name for name in others if name not in parts]


#: So many judges at most are looked at together.
_MOST_SUMMED = 9


def without_sums(table: Table, known: Mapping[str, str], draft: Draft) -> dict[str, str]:
    """The raters without columns that sum people up, or judges; what people resolved is a
    reference."""
    judges = [name for name, kind in known.items() if kind == "judge"][:_MOST_SUMMED]
    keys = [name for name, kind in known.items() if kind == "reference"]
    theirs = [name for name in keys if len(judges) > 2 and is_made_of(table, name, judges)]
    if theirs:  # `majority_vote` of them is no key
        verb = "sums judges' ratings up and is" if len(theirs) == 1 else "sum judges up and are"
        draft.assume(Weight.WHO, f"{some(theirs)} {verb} left out")
    known = {name: kind for name, kind in known.items() if name not in theirs}
    people = [name for name, kind in known.items() if kind == "human"]
    for name in people if len(people) > 1 else ():
        if set(words(name)) & RESOLVED and not kind_of(name):
            known[name] = "reference"
    made, resolved = sums_of_people(table, [n for n, kind in known.items() if kind == "human"])
    some_ = [n for n in people if n not in made][:_MOST_SUMMED]
    called = [n for n, kind in known.items() if kind == "reference" and {*words(n)} & MADE]
    made = [*made, *(n for n in called if len(some_) > 2 and is_made_of(table, n, some_))]
    known |= dict.fromkeys(resolved, "reference")
    tell_sums(made, draft)
    return {name: kind for name, kind in known.items() if name not in made}


def without_totals_of_criteria(
    table: Table, cells: Mapping[str, dict[str, str]], draft: Draft
) -> dict[str, dict[str, str]]:
    """The cells without a criterion that sums the others up for every rater."""
    by: dict[str, dict[str, str]] = {}
    for name, cell in cells.items():
        by.setdefault(cell.get("criterion", ""), {})[cell["rater"]] = name
    raters = {cell["rater"] for cell in cells.values()}
    made = [
        criterion
        for criterion, mine in by.items()
        if len(by) > 2
        and mine.keys() == raters
        and all(
            goes_with_the_sum(table, name, [o[who] for c, o in by.items() if c != criterion])
            for who, name in mine.items()
            if all(who in one for one in by.values())
        )
    ]
    if len(made) != 1:  # of two criteria and their sum, each goes with the others
        made = [criterion for criterion in made if {*words(criterion)} & _TOTALS]
    if len(made) != 1:
        return dict(cells)
    draft.assume(Weight.WHO, f"{named(made[0])} sums the others up, and is left out")
    return {name: cell for name, cell in cells.items() if cell.get("criterion") != made[0]}


#: Words of a criterion that sums others up.
_TOTALS = frozenset(["total", "sum", "overall", "average", "mean", "avg", "final"])
