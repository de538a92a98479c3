"""Oracle, property, coverage and truth tests ask what users ask, so that code can move.

They, and what they borrow from `tests/support`, import `goldassay`, `goldassay.metrics` and
`goldassay.examples`; what has no public form is taken from `tests/support/internals.py`, which is
the only one of these files that names an inner module.
"""

from __future__ import annotations

import ast
from pathlib import Path

import goldassay

TESTS = Path(__file__).resolve().parents[1]
SUITES = ("oracle", "properties", "coverage", "truth", "papers", "golden")
SUPPORT = {path.stem: path for path in (TESTS / "support").glob("*.py")}
ADAPTER = SUPPORT["internals"]
PUBLIC = {"goldassay", "goldassay.metrics", "goldassay.examples"}


def imported(text: str) -> set[tuple[str, str]]:
    """Each module that a text imports, with the name taken from it, inside functions too."""
    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {(alias.name, "") for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {(node.module, alias.name) for alias in node.names}
    return found


def inner(text: str) -> list[str]:
    """What a text imports of goldassay that is not public."""
    return sorted(
        f"{module}.{name}".rstrip(".")
        for module, name in imported(text)
        if module.split(".")[0] == "goldassay"
        and (module not in PUBLIC or (module == "goldassay" and name not in ("", *_public())))
    )


def _public() -> tuple[str, ...]:
    return tuple(goldassay.__all__)


def borrowed() -> set[Path]:
    """The files of the suites, and those of `tests/support` that they borrow, adapter aside."""
    found: set[Path] = set()
    left = [path for suite in SUITES for path in (TESTS / suite).rglob("*.py")]
    while left:
        path = left.pop()
        if path in found or path == ADAPTER:
            continue
        found.add(path)
        left += [SUPPORT[m] for m, _ in imported(path.read_text("utf-8")) if m in SUPPORT]
    return found


def test_suites_name_no_inner_module() -> None:
    files = borrowed()
    assert len(files) > 50
    found = {path.name: inner(path.read_text("utf-8")) for path in files}
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


def test_the_adapter_lends_nothing_that_nobody_borrows() -> None:
    lent = {
        alias.asname or alias.name
        for node in ast.walk(ast.parse(ADAPTER.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("goldassay")
        for alias in node.names
    }
    taken = {n for f in borrowed() for m, n in imported(f.read_text("utf-8")) if m == "internals"}
    assert lent == taken


def test_the_test_of_inner_names() -> None:
    assert inner("from goldassay.words import number") == ["goldassay.words.number"]
    assert inner("def f():\n    from goldassay import store") == ["goldassay.store"]
    assert inner("import goldassay.cli") == ["goldassay.cli"]
    assert inner("import goldassay as ga\nfrom goldassay import metrics, Task") == []
