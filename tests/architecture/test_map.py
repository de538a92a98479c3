"""The map of docs/architecture.md names every module of the rooms that it opens."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "goldassay"
OPENED = (
    *("counts", "formulas", "inference", "judges", "metrics", "proposals", "ratings"),
    *("read", "rendering", "sources"),
)


def rows() -> dict[str, str]:
    """The rows of the map, by the text of their first cell."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    found = re.findall(r"^\| (`[^|]*) \| (.*) \|$", text, flags=re.MULTILINE)
    return dict(found)


def test_every_module_and_room_is_in_the_map() -> None:
    named = {name for first in rows() for name in re.findall(r"`([^`]+)`", first)}
    files = {path.name for path in SOURCE.glob("*.py") if path.stem[0] != "_"}
    rooms = {f"{path.parent.name}/" for path in SOURCE.glob("*/__init__.py")}
    assert files | rooms <= named


@pytest.mark.parametrize("room", OPENED)
def test_a_room_names_its_modules(room: str) -> None:
    named = set(re.findall(r"`([^`]+)`", rows()[f"`{room}/`"]))
    assert {path.stem for path in (SOURCE / room).glob("*.py") if path.stem[0] != "_"} <= named
