"""Benchmarks, scripts and examples take only names that the package has."""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted(
    path for room in ("benchmarks", "scripts", "examples") for path in ROOT.glob(f"{room}/**/*.py")
)


def missing(text: str) -> list[str]:
    """Names of goldassay that a file imports and that are nowhere."""
    names = [
        (node.module, alias.name)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("goldassay")
        for alias in node.names
    ]
    return [f"{module}.{name}" for module, name in names if module and not _there(module, name)]


def _there(module: str, name: str) -> bool:
    try:
        if hasattr(import_module(module), name):
            return True
        import_module(f"{module}.{name}")
    except ModuleNotFoundError:
        return False
    return True


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_borrowed_name_is_there(path: Path) -> None:
    assert missing(path.read_text(encoding="utf-8")) == []


def test_the_test_of_borrowed_names() -> None:
    assert missing("from goldassay.words import nought") == ["goldassay.words.nought"]
    assert missing("from goldassay.nowhere import x") == ["goldassay.nowhere.x"]
    assert missing("from goldassay import words\nfrom goldassay.words import number") == []
