"""How a table is written, found step by step: rows that sum others up, lists in cells, several
labels in one, choices, counts of items and of votes. Each step that finds something says so in the
draft, and opens the table again in that form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from goldassay.errors import RatingsError
from goldassay.frozen import dataclass
from goldassay.proposals.cells.choices import form_of_choices
from goldassay.proposals.cells.counted_rows import counted_rows, refuse_cross_table
from goldassay.proposals.cells.parallel_lists import parallel_lists
from goldassay.proposals.cells.record_lists import lists_of_records
from goldassay.proposals.cells.several_in_cell import several_in_cell
from goldassay.proposals.cells.total_rows import total_rows
from goldassay.proposals.cells.vote_columns import counts_of_votes
from goldassay.proposals.cells.within import lists_of_labels
from goldassay.proposals.cells.written import form_of
from goldassay.proposals.draft import Draft, Weight
from goldassay.proposals.profile import Column, profile
from goldassay.proposals.shape import some
from goldassay.ratings.narrowing import Narrowing, narrowed_source
from goldassay.ratings.vocabulary import SYNONYMS, plain_name
from goldassay.sources.form import Form
from goldassay.sources.frames import Source, open_source
from goldassay.words import listed, named

__all__ = ["Opening", "opened_as_written"]


@dataclass
class Opening:
    """A table in the form that is found so far."""

    given: Any
    narrowing: Narrowing | None
    draft: Draft
    #: The form that was found, but for rows that sum others up; None where there is none.
    form: Form | None = None
    #: Rows that sum others up.
    totals: tuple[str, ...] = ()
    #: Whether columns count people's votes.
    counts_votes: bool = False
    source: Source = field(init=False)
    #: What is looked at of the source: the rows that are left.
    looked: Source = field(init=False)
    columns: dict[str, Column] = field(init=False)

    def open(self, form: Form | None) -> None:
        self.source = open_source(self.given, None, self.draft.declared.with_form(form))
        self.looked = narrowed_source(self.source, self.narrowing)
        self.columns = profile(self.looked)

    def take(self, form: Form) -> None:
        """Open it again in a form that was found."""
        self.form = form
        self.open(form)

    @property
    def so_far(self) -> Form:
        return self.form or Form(totals=self.totals)

    def declare(self, key: str, value: Any) -> None:
        """What a task says of the form."""
        self.draft.task["file"] = {**self.draft.task.get("file", {}), key: value}

    @property
    def from_files(self) -> bool:
        return isinstance(self.given, str | Path | list | tuple)


def opened_as_written(
    given: Any, narrowing: Narrowing | None, form: Form | None, draft: Draft
) -> Opening:
    """A table in the form in which its ratings are written; `form` is one that is known (a log)."""
    opening = Opening(given, narrowing, draft)
    opening.open(form)
    _refuse_what_is_no_table(opening)
    if form is not None:
        opening.form = form
        if form.log is not None:
            opening.declare("log", form.log)
        return opening
    if not opening.from_files or draft.declared.table("file"):
        return opening
    by_rows = not opening.source.parts
    if by_rows:
        _without_totals(opening)
    _lists_or_forms(opening)
    if by_rows:
        _several_in_a_cell(opening)
        _choices(opening)
        times = opening.form is None and _counted_items(opening)
        if not times and not (opening.form and opening.form.pairs):
            _counted_votes(opening)
    return opening


def _refuse_what_is_no_table(opening: Opening) -> None:
    source, columns = opening.source, opening.columns
    if columns and not any(column.rows for column in columns.values()):
        left = bool(opening.narrowing)
        raise RatingsError(
            source.name,
            "has no row that --only and --exclude leave" if left else "has no row",
            next_step="goldassay check shows the labels of its columns"
            if left
            else "A ratings table has a row for each rating",
        )
    _of_one_table(source)
    _of_one_separator(source.name, columns)
    refuse_cross_table(source.name, columns)


def _of_one_table(opened: Source) -> None:
    """Files that are read together share a column, at least the item's under another name."""
    for place, names in opened.parts:
        others = {name for other, theirs in opened.parts if other != place for name in theirs}
        ids = {plain_name(name) for name in names} & {*SYNONYMS["item"]}
        if not others & {*names} and not ids:
            raise RatingsError(
                place,
                "must share a column with the other files, or name the item",
                found=listed(list(names)[:6]),
                next_step="Give it alone, or leave it out",
            )


def _of_one_separator(place: str, columns: Mapping[str, Column]) -> None:
    """A column `human;judge` all of whose cells hold that sign as often is two."""
    for name, column in columns.items():
        for sign in ";|\t":
            often = name.count(sign)
            if often and column.labels and all(one.count(sign) == often for one in column.labels):
                raise RatingsError(
                    place,
                    "all cells of a row must be separated by one sign",
                    found=f"{named(sign)} within the column {named(name)} and its cells",
                    next_step="Write one sign between all cells, names and rows alike",
                )


def _without_totals(opening: Opening) -> None:
    totals = total_rows(opening.looked, opening.columns)
    if not totals or len(totals) * 3 > next(iter(opening.columns.values())).rows:
        return
    opening.totals = tuple(totals)
    opening.declare("totals", list(totals))
    verb = "sums others up and is" if len(totals) == 1 else "sum others up and are"
    word = "the row" if len(totals) == 1 else "the rows"
    said = some([one for one in totals if one]) or "without a name"
    opening.draft.assume(Weight.UNITS, f"{word} {said} {verb} left out")
    opening.open(Form(totals=opening.totals))


def _lists_or_forms(opening: Opening) -> None:
    """Lists whose members are ratings or rated, or cells that hold a rating in another form."""
    looked, columns, draft = opening.looked, opening.columns, opening.draft
    labels = lists_of_labels(columns) or parallel_lists(looked, columns)
    if rows := labels or lists_of_records(looked, columns):
        draft.task["file"] = {"rows": list(rows)}
        together = ", and they go together member by member" if labels else " by itself"
        draft.assume(
            Weight.UNITS,
            f"each member of the lists in {_listed(rows)} is "
            f"{'a rating' if labels else 'rated'}{together}",
        )
        opening.take(Form(rows=rows))
    elif form := form_of(columns, draft, opening.source.parts):
        opening.take(replace(form, totals=opening.totals))


def _several_in_a_cell(opening: Opening) -> None:
    several = several_in_cell(opening.looked, opening.columns)
    if several:
        opening.declare("several", several)
        opening.draft.assume(
            Weight.WHO,
            f"each label in a cell of {_listed(several)} is another person's, told apart by its "
            "place",
        )
        opening.take(replace(opening.so_far, several=tuple(several.items())))


def _choices(opening: Opening) -> None:
    if opening.form is None:
        chosen = form_of_choices(opening.looked, opening.columns, opening.draft)
        if chosen:
            opening.take(replace(chosen, totals=opening.totals))


def _counted_items(opening: Opening) -> bool:
    times = counted_rows(opening.looked, opening.columns)
    if times:
        opening.declare("times", times)
        opening.draft.assume(
            Weight.UNITS, f"each row stands for as many items as {named(times)} says (counts)"
        )
        opening.take(Form(totals=opening.totals, times=times))
    return bool(times)


def _counted_votes(opening: Opening) -> None:
    votes = counts_of_votes(opening.looked, opening.columns)
    if votes:
        opening.declare("votes", votes)
        opening.draft.assume(
            Weight.MEANING,
            f"{_listed(votes)} count people's votes for {_listed(votes.values())}: each vote is "
            "read as one person's, and what is said of a single person means nothing",
        )
        opening.take(replace(opening.so_far, votes=tuple(votes.items())))
        opening.counts_votes = True


def _listed(names: Iterable[str]) -> str:
    return listed([named(name) for name in names])
