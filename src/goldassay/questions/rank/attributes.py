"""What the texts of systems are like: their length and style, measured or given.

A file with a line for each text (`item` or `prompt`, `system`, and the text) is measured: length,
list items, headings, bold print, code blocks. Its other columns of numbers are attributes too, so
that anything may be tried (a reading level, the share of a language).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldassay.counts.labels import encoded
from goldassay.errors import SourceError, listed
from goldassay.frozen import dataclass
from goldassay.ratings.fetch import fetch, texts_of
from goldassay.results import Input
from goldassay.sources.frames import open_source

__all__ = ["MEASURES", "Attributes", "attributes_of", "read_attributes", "system_levels"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Columns that may hold the text, the first of them that is there.
TEXT = ("text", "output", "response", "answer")

_LISTED = re.compile(r"^[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+\S", re.MULTILINE)
_HEADING = re.compile(r"^#{1,6}[ \t]+\S", re.MULTILINE)
_BOLD = re.compile(r"\*\*[^*\n]+\*\*|__[^_\n]+__")
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)", re.MULTILINE)

#: What is measured in a text, by name. Each enters as log2(1 + number): a long text of a thousand
#: list items is not a thousand times as stylish.
MEASURES: Mapping[str, Callable[[str], int]] = {
    "length": len,
    "lists": lambda text: len(_LISTED.findall(text)),
    "headings": lambda text: len(_HEADING.findall(text)),
    "bold": lambda text: len(_BOLD.findall(text)),
    "code": lambda text: len(_FENCE.findall(text)) // 2,
}


@dataclass(frozen=True, slots=True)
class Attributes:
    """How much more of each attribute a system's texts have than others' on the same items.

    `levels` [A, S]; NaN for a system without texts.
    """

    names: tuple[str, ...]
    levels: Floats
    n_texts: int
    input: Input


@dataclass(frozen=True, slots=True)
class _Texts:
    """Values [A, N] of attributes in N texts, with the codes of their items and systems."""

    names: tuple[str, ...]
    values: Floats
    item: Ints
    system: Ints


def read_attributes(source: Any, systems: Sequence[str]) -> Attributes:
    """The attributes of the judged systems' texts, from a file or a frame."""
    opened = open_source(source)
    columns = opened.columns
    if "system" not in columns:
        raise SourceError(
            opened.name,
            f"texts of systems need a column 'system'; its columns are {listed(columns)}",
            next_step="Name the system that wrote each text",
        )
    found = fetch(opened.frame, place=opened.name)
    cells = {name: texts_of(found[name]) for name in columns}
    values = _measured(cells) | _given(cells)
    if not values:
        raise SourceError(
            opened.name,
            f"has neither a text ({', '.join(TEXT)}) nor a column of numbers",
            found=listed(columns),
        )
    code = {name: index for index, name in enumerate(systems)}
    system = np.array([code.get(name, -1) for name in cells["system"]], np.int64)
    if not (system >= 0).any():
        raise SourceError(
            f"{opened.name}, column system",
            "must name systems that the judges rated",
            found=listed(sorted(set(cells["system"]))[:6]),
            next_step=f"The judged systems are {listed(systems[:6])}",
        )
    axis = next((name for name in ("item", "prompt") if name in columns), None)
    # Without items a system's own mean is all there is: every text is of one item.
    item = np.zeros(len(system), np.int64) if axis is None else encoded(found[axis])[1]
    used = system >= 0
    texts = _Texts(
        tuple(values),
        np.stack([values[name] for name in values])[:, used],
        item[used],
        system[used],
    )
    one = opened.inputs[0]
    return attributes_of(texts, len(systems), Input(one.name, one.sha256, len(system)))


def _measured(cells: Mapping[str, list[str]]) -> dict[str, Floats]:
    """What is measured in the texts: their length, and of style what some text has."""
    column = next((name for name in TEXT if name in cells), None)
    if column is None:
        return {}
    found = {
        name: np.log2(1 + np.array([measure(text) for text in cells[column]], np.float64))
        for name, measure in MEASURES.items()
    }
    return {name: values for name, values in found.items() if name == "length" or values.any()}


def _given(cells: Mapping[str, list[str]]) -> dict[str, Floats]:
    """The columns that hold nothing but numbers; a column of this name is not measured anew."""
    found = {}
    for name, column in cells.items():
        if name in ("item", "prompt", "system", *TEXT):
            continue
        try:
            values = np.array([float(cell) if cell else np.nan for cell in column])
        except ValueError:
            continue
        if np.isfinite(values).any():
            found[name] = np.where(np.isfinite(values), values, np.nan)
    return found


def attributes_of(texts: _Texts, n_systems: int, source: Input) -> Attributes:
    """The levels of every attribute, for all systems."""
    levels = [system_levels(one, texts.item, texts.system, n_systems) for one in texts.values]
    return Attributes(texts.names, np.stack(levels), texts.values.shape[1], source)


def system_levels(values: Floats, item: Ints, system: Ints, n_systems: int) -> Floats:
    """System effects of values [N] beside item effects, by least squares; mean 0 over systems [S].

    With every system on every item these are the differences of plain means. A system that answered
    other items than the rest is compared on those that it shares.
    """
    known = ~np.isnan(values)
    values, item, system = values[known], item[known], system[known]
    codes = np.unique(item, return_inverse=True)[1].reshape(-1)
    number = np.zeros((int(codes.max(initial=-1)) + 1, n_systems))
    np.add.at(number, (codes, system), 1.0)
    total = np.zeros(len(number))
    np.add.at(total, codes, values)
    mean = total / number.sum(axis=1)
    # Normal equations of the system effects, the item effects swept out.
    matrix = np.diag(number.sum(axis=0)) - number.T @ (number / number.sum(axis=1, keepdims=True))
    right = np.zeros(n_systems)
    np.add.at(right, system, values - mean[codes])
    effects = np.linalg.pinv(matrix, hermitian=True) @ right
    seen = number.sum(axis=0) > 0
    return np.where(seen, effects - effects[seen].mean() if seen.any() else 0.0, np.nan)
