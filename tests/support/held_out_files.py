"""Raw files with the readings that were written down before they were tried."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

__all__ = ["FILES", "FOLDER", "each", "paths_of"]

FOLDER = Path(__file__).parent / "held_out"
FILES: list[dict[str, Any]] = tomllib.loads((FOLDER / "index.toml").read_text(encoding="utf-8"))[
    "file"
]


def paths_of(one: dict[str, Any]) -> str | list[str]:
    """The file, or the files that are read together."""
    paths = [str(FOLDER / name) for name in one["names"]]
    return paths if len(paths) > 1 else paths[0]


def each(files: Sequence[dict[str, Any]]) -> pytest.MarkDecorator:
    """A test of each file, by its name: every second one always, the others with the slow tests."""
    cases = [
        pytest.param(one, id=one["names"][0], marks=[pytest.mark.slow] * (number % 2))
        for number, one in enumerate(files)
    ]
    return pytest.mark.parametrize("one", cases)
