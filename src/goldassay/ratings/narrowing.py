"""Which rows are looked at: `--only COLUMN=VALUE` and `--exclude COLUMN=VALUE`.

Several values of one column are alternatives, several columns must all hold. Rows that are left out
are counted as an exclusion, like every other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import narwhals as nw

from goldassay.errors import UsageError, listed, nearest
from goldassay.frozen import dataclass
from goldassay.ratings.fetch import fetch
from goldassay.results import Exclusion
from goldassay.sources.frames import Source

__all__ = ["Narrowing", "Where", "narrowed", "narrowed_source", "narrowing_of"]

#: A label as Python may have it.
Label = str | bool | int | float
#: `["topic=law"]`, or `{"topic": "law"}`, or `{"topic": ["law", "tax"]}`, or `{"long": True}`.
Where = Sequence[str] | Mapping[str, Label | Sequence[Label]]


@dataclass(frozen=True, slots=True)
class Narrowing:
    """Column -> its labels that are looked at, and those that are not."""

    only: Mapping[str, tuple[str, ...]]
    exclude: Mapping[str, tuple[str, ...]]

    def __bool__(self) -> bool:
        return bool(self.only or self.exclude)

    def options(self) -> tuple[str, ...]:
        """As they are written on the command line.

        >>> narrowing_of(["topic=law", "topic=tax"], {"rater": "kim"}).options()
        ('--only', 'topic=law', '--only', 'topic=tax', '--exclude', 'rater=kim')
        """
        both = (("--only", self.only), ("--exclude", self.exclude))
        return tuple(
            word
            for option, where in both
            for column, labels in where.items()
            for label in labels
            for word in (option, f"{column}={label}")
        )

    def said(self) -> tuple[str, ...]:
        """Each label with its option.

        >>> narrowing_of(["topic=law"], {"rater": "kim"}).said()
        ('--only topic=law', '--exclude rater=kim')
        """
        words = self.options()
        return tuple(f"{a} {b}" for a, b in zip(words[::2], words[1::2], strict=True))


def narrowing_of(only: Where = (), exclude: Where = ()) -> Narrowing:
    """The two options as they are written on the command line or in Python.

    >>> narrowing_of(["topic=law", "topic=tax"], {"rater": "kim"})
    Narrowing(only={'topic': ('law', 'tax')}, exclude={'rater': ('kim',)})
    """
    return Narrowing(_read(only, "--only"), _read(exclude, "--exclude"))


def _read(where: Where, option: str) -> dict[str, tuple[str, ...]]:
    if isinstance(where, Mapping):
        return {column: _labels(asked) for column, asked in where.items()}
    found: dict[str, tuple[str, ...]] = {}
    for text in [where] if isinstance(where, str) else where:
        column, sign, value = str(text).partition("=")
        if not sign or not column.strip():
            raise UsageError(
                option, "must be COLUMN=VALUE", found=repr(text), next_step=f"As {option} topic=law"
            )
        found[column.strip()] = (*found.get(column.strip(), ()), value.strip())
    return found


def narrowed_source(source: Source, narrowing: Narrowing | None) -> Source:
    """A source with only the rows that are looked at, as far as its own columns say."""
    if not narrowing:
        return source
    conditions = _conditions(narrowing, source.columns, {})
    return replace(source, frame=source.frame.filter(*conditions)) if conditions else source


def narrowed(
    frame: nw.LazyFrame[Any],
    columns: Sequence[str],
    narrowing: Narrowing,
    *,
    place: str,
    names: Mapping[str, str],
    own: Sequence[str] = (),
) -> tuple[nw.LazyFrame[Any], tuple[Exclusion, ...]]:
    """The rows of an arranged table that are looked at, and how many are not, by the option.

    `names` are the file's own names of columns -> goldassay's, and `own` all that it has.
    """
    for option, where in (("--only", narrowing.only), ("--exclude", narrowing.exclude)):
        for column in where:
            if column not in columns and column not in names:
                near = nearest(column, [*columns, *names])
                raise UsageError(
                    f"{option} {column}",
                    f"must name a column of {place}; its columns are {listed(own or columns)}",
                    next_step=f"Did you mean {near!r}?" if near else None,
                )
    exclusions = []
    for said, part in (
        ("not asked for (--only)", Narrowing(narrowing.only, {})),
        ("asked to be left out (--exclude)", Narrowing({}, narrowing.exclude)),
    ):
        conditions = _conditions(part, columns, names)
        if not conditions:
            continue
        before = _rows(frame, place)
        frame = frame.filter(*conditions)
        if gone := before - _rows(frame, place):
            exclusions.append(Exclusion(said, gone))
    return frame, tuple(exclusions)


def _rows(frame: nw.LazyFrame[Any], place: str) -> int:
    return int(fetch(frame.select(n=nw.len()), place=place)["n"][0])


def _labels(asked: Label | Sequence[Label]) -> tuple[str, ...]:
    """One label (of NumPy, too) or several."""
    if isinstance(asked, Iterable) and not isinstance(asked, str):
        return tuple(map(str, asked))
    return (str(asked),)


def _ways(label: str) -> tuple[str, ...]:
    """True and false are written in different ways by files and frames."""
    plain = label.lower()
    return (label, plain, plain.capitalize()) if plain in ("true", "false") else (label,)


def _conditions(
    narrowing: Narrowing, columns: Sequence[str], names: Mapping[str, str]
) -> list[nw.Expr]:
    conditions = []
    for wanted, where in ((True, narrowing.only), (False, narrowing.exclude)):
        for column, labels in where.items():
            here = column if column in columns else names.get(column)
            if here in columns:
                text = nw.col(str(here)).fill_null(nw.lit(""))
                held = text.is_in([way for label in labels for way in _ways(label)])
                conditions.append(held if wanted else ~held)
    return conditions
