"""How numbers and merged cells are written: decimal commas, thousands, cells that repeat."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from goldassay.proposals.draft import Draft, Weight
from goldassay.proposals.profile import Column
from goldassay.ratings.vocabulary import (
    ABSTAIN,
    CLUSTERS,
    INVALID,
    SYNONYMS,
    folded,
    number,
    plain_name,
)
from goldassay.sources.form import Form
from goldassay.words import named

__all__ = ["form_of"]

_COMMA = re.compile(r"^\s*[+-]?\d+,\d+\s*%?\s*$")
#: 1,250 and 1,250,000.5: what may be thousands, and what is no decimal comma.
_THOUSANDS = re.compile(r"^\s*[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?\s*$")
_TWICE = re.compile(r"^\s*[+-]?\d+(,\d{3}){2,}|^\s*[+-]?\d+,\d{3}\.")
_POINT = re.compile(r"^\s*[+-]?(\d{1,3},)*\d+\.\d+\s*$")


def form_of(
    columns: Mapping[str, Column], draft: Draft, parts: Sequence[tuple[str, Sequence[str]]]
) -> Form | None:
    """How the file is written, where its cells show that it is not as they stand.

    Of several files, a column that one lacks has empty cells too: only what all of them have can
    hold merged ones.
    """
    commas = [column for column in columns.values() if _decimal_commas(column)]
    grouped = [column for column in columns.values() if _grouped(column)]
    if grouped and all(map(_in_thousands, commas)):
        return _thousands([*commas, *grouped], draft, sure=_with_points(columns.values()))
    decimal = "," if commas else "."
    shared = [name for name in columns if all(name in names for _, names in parts)]
    fill = tuple(name for name in shared if _merged(name, columns[name], shared[:2]))[:1]
    if decimal == ",":
        draft.task["file"] = {**draft.task.get("file", {}), "decimal": ","}
        draft.assume(Weight.COLUMNS, "a comma within a number is a decimal comma")
    if fill:
        draft.task["file"] = {**draft.task.get("file", {}), "fill": list(fill)}
        draft.assume(
            Weight.UNITS, f"an empty cell of {named(fill[0])} repeats the one above it (merged)"
        )
    return Form(decimal=decimal, fill=fill) if fill or decimal == "," else None


def _thousands(found: Sequence[Column], draft: Draft, *, sure: bool) -> Form | None:
    """Commas between thousands, as in 1,250; where they may be decimal as well, that is asked."""
    twice = any(_TWICE.match(label) for column in found for label in column.labels)
    label = next(label for column in found for label in column.labels if _COMMA.match(label))
    if not (twice or sure):
        draft.lack(
            f"Is {named(label)} in {named(found[0].name)} more than a thousand, or a number with "
            "three decimals?",
            {"file": {"thousands": ","}},
            {"file": {"decimal": ","}},
        )
        return Form(thousands=",")  # so that only this is asked
    draft.task["file"] = {**draft.task.get("file", {}), "thousands": ","}
    draft.assume(
        Weight.MEANING, f"a comma within a number parts thousands: {named(label)} is "
        f"{label.strip().replace(',', '')}",
    )  # fmt: skip
    return Form(thousands=",")


def _grouped(column: Column) -> bool:
    """Whether a column holds numbers that may be written with commas between thousands."""
    written = [one for one in column.labels if "," in one]
    rest = [one for one in column.labels if "," not in one]
    return bool(written) and all(map(_THOUSANDS.match, written)) and all(map(_is_number, rest))


def _is_number(label: str) -> bool:
    return number(label) is not None or folded(label) in ABSTAIN | INVALID


def _in_thousands(column: Column) -> bool:
    return all(_THOUSANDS.match(one) for one in column.labels if "," in one)


def _with_points(columns: Iterable[Column]) -> bool:
    """Whether numbers of the table have a decimal point: then a comma is none."""
    return any(
        _POINT.match(label) for column in columns for label in column.labels if column.labels
    )


def _merged(name: str, column: Column, first: Sequence[str]) -> bool:
    """A column of ids, or of what is rated among the `first` ones, in which only the first row of
    each group is filled."""
    groups = 2 <= column.filled == column.distinct and 1.5 * column.filled <= column.rows
    rated = plain_name(name) in CLUSTERS and name in first
    return groups and (name.casefold().strip() in SYNONYMS["item"] or rated)


def _decimal_commas(column: Column) -> bool:
    """Whether a column holds numbers such as 0,85."""
    with_comma = [label for label in column.labels if _COMMA.match(label)]
    rest = [label for label in column.labels if not _COMMA.match(label)]
    return len(with_comma) > 1 and all(number(one.rstrip("% ")) is not None for one in rest)
