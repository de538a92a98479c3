"""The texts that were rated: one for each item, or for each system's output on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from goldassay.counts import Units

__all__ = ["Texts"]

Key = tuple[str, str]


@dataclass(frozen=True)
class Texts:
    """Texts and lengths by (item, system); the system is "" where a text is of the item alone.

    A length is one number, or two for the two sides of a pair. A key whose text is not one (several
    outputs under one name) has a text to show and no length.
    """

    texts: Mapping[Key, str]
    lengths: Mapping[Key, npt.NDArray[np.float64]]

    def text(self, units: Units, pattern: int) -> str:
        """The text of a pattern's unit; "" when there is none."""
        return next((self.texts[key] for key in _keys(units, pattern) if key in self.texts), "")

    def length(self, units: Units, pattern: int) -> npt.NDArray[np.float64] | None:
        """The length of a pattern's text."""
        keys = (key for key in _keys(units, pattern) if key in self.texts)
        return next((self.lengths.get(key) for key in keys), None)


def _keys(units: Units, pattern: int) -> list[Key]:
    item = units.by["item"].labels[units.by["item"].codes[pattern]]
    if "system" not in units.by:
        return [(item, "")]
    return [(item, units.by["system"].labels[units.by["system"].codes[pattern]]), (item, "")]
