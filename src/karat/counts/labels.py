"""Text columns as sorted labels and codes, the same on every engine."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["encoded"]


def encoded(column: npt.NDArray[Any]) -> tuple[tuple[str, ...], npt.NDArray[np.int64]]:
    """Distinct labels, sorted by code point, and the index of each cell's label."""
    texts = ["" if text is None else str(text) for text in np.ma.filled(column, "")]
    labels = sorted(set(texts))
    index = {label: code for code, label in enumerate(labels)}
    return tuple(labels), np.fromiter((index[text] for text in texts), np.int64, len(texts))
