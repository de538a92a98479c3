"""No assertion passes on NaN, and no test compares a call with itself.

NaN is neither less nor greater than anything, so what asks whether something is *not* beyond a
bound lets it through: `assert not x > y`, `assert not (x > y).any()`. So do `max` and `min` of
Python, which skip a NaN that does not come first, and NumPy's `nanmax` and its kin. Ask instead
for what must hold: `assert x <= y`, `assert (x <= y).all()`, `np.max`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
ORDER = ast.Lt | ast.LtE | ast.Gt | ast.GtE


def orders(node: ast.AST) -> bool:
    """Whether something is asked to be less or greater than something else, somewhere below."""
    below = ast.walk(node)
    return any(isinstance(one, ast.Compare) and isinstance(one.ops[0], ORDER) for one in below)


def whole(node: ast.expr) -> bool:
    """Whether an expression is plainly a number of things, which is never NaN."""
    match node:
        case ast.Constant(value=int()) | ast.Call(func=ast.Name(id="len" | "int" | "map")):
            return True
        case ast.Call(func=ast.Attribute(attr="count" | "index" | "find")):
            return True
        case ast.BinOp(left=left, right=right):
            return whole(left) and whole(right)
    return False


def counted(call: ast.Call) -> bool:
    """Whether a maximum is that of lengths or widths."""
    for argument in call.args:
        match argument:
            case ast.Call(func=ast.Name(id="map"), args=[ast.Name(id="len" | "width_of"), *_]):
                return True
            case ast.GeneratorExp(elt=element) | ast.ListComp(elt=element) if whole(element):
                return True
    return False


def lets_nan_through(test: ast.expr) -> Iterator[str]:
    """What in an asserted expression passes on NaN."""
    for node in ast.walk(test):
        match node:
            case ast.UnaryOp(op=ast.Not(), operand=inner) if orders(inner):
                yield "not ... < ..."
            case ast.Compare(ops=[operator], left=ast.Call() as left, comparators=[right]) if (
                isinstance(operator, ORDER)
            ):
                for side in (left, right):
                    if not isinstance(side, ast.Call):
                        continue
                    name = ast.unparse(side.func)
                    if name in ("max", "min") and not counted(side):
                        yield f"{name}(...)"
                    elif ".nan" in name:
                        yield name
            case ast.keyword(arg="nan_ok" | "equal_nan", value=ast.Constant(value=True)):
                yield str(node.arg)


def compares_with_itself(test: ast.expr) -> bool:
    """Whether both sides are the same words, with a call in them."""
    return any(
        isinstance(node, ast.Compare)
        and any(ast.dump(node.left) == ast.dump(other) for other in node.comparators)
        for node in ast.walk(test)
    )


def asserted(path: Path) -> Iterator[ast.Assert]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    yield from (node for node in ast.walk(tree) if isinstance(node, ast.Assert))


def test_assertions_fail_on_nan_and_compare_two_things() -> None:
    found = []
    for path in sorted(TESTS.rglob("test_*.py")):
        for one in asserted(path):
            wrong = [*lets_nan_through(one.test)]
            if compares_with_itself(one.test):
                wrong.append("the same call on both sides")
            found += [f"{path.relative_to(TESTS)}:{one.lineno}: {what}" for what in wrong]
    assert found == []


@pytest.mark.parametrize(
    "text",
    [
        "not x > 1",
        "not (x > 1).any()",
        "not np.any(x > 1)",
        "not any(a > b for a, b in pairs)",
        "max(abs(a - b) for a, b in pairs) < 1e-9",
        "np.nanmax(x) < 1",
        "np.allclose(a, b, equal_nan=True)",
    ],
)
def test_what_passes_on_nan_is_seen(text: str) -> None:
    assert [*lets_nan_through(ast.parse(text, mode="eval").body)]


@pytest.mark.parametrize("text", ["x <= 1", "(x <= 1).all()", "max(map(len, lines)) <= 80"])
def test_what_fails_on_nan_is_left_alone(text: str) -> None:
    assert not [*lets_nan_through(ast.parse(text, mode="eval").body)]
