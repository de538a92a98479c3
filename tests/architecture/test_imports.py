"""Data goes one way: nothing imports to its right, and siblings do not import one another."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2] / "src" / "goldassay"

#: Rooms in the order of the flow. Rooms with the same number do not import one another.
ORDER = {
    "errors": 0,
    "spreadsheet": 0,
    "results": 1,
    "task": 2,
    "coefficients": 2,
    "store": 2,
    "resample": 2,
    "reliability": 3,
    "correlations": 3,
    "orders": 3,
    "significance": 4,
    "intervals": 3,
    "sources": 3,
    "fetch": 4,
    "arrangement": 4,
    "left_out": 4,
    "duplicates": 5,
    "ratings": 5,
    "judge": 6,
    "counts": 7,
    "agreement": 8,
    "selection": 8,
    "prevalence": 8,
    "planning": 8,
    "indeterminacy": 8,
    "ranking": 8,
    "comparison": 8,
    "simulate": 8,
    "proposal": 6,
    "inspection": 8,
    "reproduce": 9,
    "report": 10,
    "web": 11,
    "cli": 12,
}
#: Borders crossed on purpose: `duplicates` needs the type only.
ALLOWED = {("duplicates", "ratings"), ("ratings", "duplicates")}


def modules() -> list[Path]:
    return sorted(p for p in SOURCE.rglob("*.py") if p.parent != SOURCE or p.stem[0] != "_")


def room(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported_rooms(path: Path) -> set[str]:
    names: list[str] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module == "goldassay":
            names += [f"goldassay.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.append(node.module)
    return {name.split(".")[1] for name in names if name.startswith("goldassay.")}


def test_every_room_has_a_place() -> None:
    assert {room(path) for path in modules()} <= set(ORDER)


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(SOURCE)))
def test_nothing_imports_to_its_right(path: Path) -> None:
    here = room(path)
    for other in imported_rooms(path) - {here}:
        if other.startswith("__") or (here, other) in ALLOWED:
            continue
        assert other in ORDER, f"{other} has no place in the flow"
        assert ORDER[other] < ORDER[here], f"{path} ({here}) imports {other}"
