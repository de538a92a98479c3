"""How a text file is written, where its task says so: `[file]`."""

from __future__ import annotations

from goldassay.frozen import dataclass

__all__ = ["Form"]


@dataclass(frozen=True, slots=True)
class Form:
    """What cannot always be seen: the header, the separator, the decimal sign, merged cells,
    rows that sum up, another tool's log."""

    #: Whether the first line names the columns; or their names.
    header: bool | tuple[str, ...] | None = None
    separator: str | None = None
    #: What a number writes before the digits of its fraction.
    decimal: str = "."
    #: What a number writes between its thousands, where it writes anything.
    thousands: str | None = None
    #: Columns in which an empty cell repeats the one above it, as merged cells of a sheet do.
    fill: tuple[str, ...] = ()
    #: First cells of rows that sum the others up (`Average`), as sheets have them below a table.
    totals: tuple[str, ...] = ()
    #: Lists within records whose members are the rows (`exploded`).
    rows: tuple[str, ...] = ()
    #: Columns that count the votes for an option, and the option (`vote_counts`).
    votes: tuple[tuple[str, str], ...] = ()
    #: The column that says how many rows a row stands for (`repeated`).
    times: str | None = None
    #: Columns whose cells hold several members, and the sign between them (`several`).
    several: tuple[tuple[str, str], ...] = ()
    #: Columns of winners, and the choices or orders that they are made of; and the columns that
    #: show what was chosen from (`choices`).
    pairs: tuple[tuple[str, str], ...] = ()
    members: tuple[str, ...] = ()
    #: The tool whose log it is, by the name under which `goldassay import` knows it.
    log: str | None = None
