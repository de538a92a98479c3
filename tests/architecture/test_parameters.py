"""A function takes at most six parameters: what belongs together is a record."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2] / "src" / "goldassay"
MOST = 6
#: Functions that people call, and whose options stand side by side: a question's `ask`, a verb's
#: command, a public metric, and what reads other tools' logs.
PUBLIC = ("questions/*/ask.py", "cli/*.py", "metrics/*.py", "sources/importers.py")


def wide(text: str) -> Iterator[tuple[str, int]]:
    """The functions of a module with too many parameters, and how many each has."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            taken = node.args
            every = [*taken.posonlyargs, *taken.args, *taken.kwonlyargs, taken.vararg, taken.kwarg]
            number = sum(one is not None and one.arg not in ("self", "cls") for one in every)
            if number > MOST:
                yield node.name, number


def listed(text: str) -> set[str]:
    """The names in a module's `__all__`."""
    for node in ast.parse(text).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return {ast.literal_eval(one) for one in getattr(node.value, "elts", ())}
    return set()


def test_at_most_six_parameters() -> None:
    public = {path for pattern in PUBLIC for path in SOURCE.glob(pattern)}
    found = {}
    for path in SOURCE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        exempt = listed(text) if path in public else set()
        for name, number in wide(text):
            if name not in exempt:
                found[f"{path.relative_to(SOURCE)}: {name}"] = number
    assert found == {}


def test_the_test_of_parameters() -> None:
    assert list(wide("def f(self, a, b, c, d, *, e, g): ...")) == []
    assert list(wide("async def f(a, b, c, /, d, *e, g, **h): ...")) == [("f", 7)]
    assert listed('__all__ = ["f"]') == {"f"}
