"""No assertion passes on NaN or on nothing, and no test compares a call with itself.

NaN is neither less nor greater than anything, so what asks whether something is *not* beyond a
bound lets it through: `assert not x > y`, `assert not (x > y).any()`. So do `max` and `min` of
Python, which skip a NaN that does not come first, and NumPy's `nanmax` and its kin. Ask instead
for what must hold: `assert x <= y`, `assert (x <= y).all()`, `np.max`.

A loop over no row asserts nothing, and `all` of nothing is true: what must be there is looked up by
`some` or `only` of `tests/support/lookup.py`, which fail where it is not.
"""

from __future__ import annotations

import ast
import re
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


# --- nothing found is a failure -------------------------------------------------------------------

#: What a question found: a loop over what is chosen of it may be one over nothing.
FOUND = re.compile(r"\.(answer|notes|rows|warnings|sentences)\b|rows_where\(")
#: What was seen is counted or kept, for an assertion behind the loop.
COUNTED = re.compile(r"\+= |\.append\(|\.add\(|\] = ")


def filtered(node: ast.AST) -> bool:
    """Whether an iterable is a choice that may be empty, and nobody says that it is not."""
    text = ast.unparse(node)
    if re.search(r"\bsome\(", text):
        return False
    chosen = isinstance(node, ast.GeneratorExp | ast.ListComp) and any(
        one.ifs for one in node.generators
    )
    return chosen or "rows_where(" in text


def only_where(body: list[ast.stmt], under: bool = False) -> list[bool]:
    """Of each assertion in a loop, whether it is made of some of what is looped over alone."""
    found: list[bool] = []
    for one in body:
        if isinstance(one, ast.If):
            under = under or any(isinstance(x, ast.Continue) for x in one.body)
            here, there = only_where(one.body, True), only_where(one.orelse, True)
            found += [False] if here and there and not under else [*here, *there]
        elif isinstance(one, ast.For | ast.With):
            found += only_where(one.body, under)
        elif isinstance(one, ast.Assert):
            found.append(under)
    return found


def asserts_nothing(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Where a test passes if what it looks for is not there."""
    for node in ast.walk(tree):
        if isinstance(node, ast.For) and (made := only_where(node.body)):
            if filtered(node.iter):
                yield node.lineno, "a loop over what may be nothing: some(...)"
            elif (
                all(made)
                and FOUND.search(ast.unparse(node.iter))
                and not COUNTED.search(ast.unparse(node))
            ):
                yield node.lineno, "asserts of some of what was found: some(...)"
        if isinstance(node, ast.Assert):
            for call in ast.walk(node.test):
                match call:
                    case ast.Call(func=ast.Name(id="all"), args=[ast.GeneratorExp() as each]):
                        inner = any(filtered(one.iter) for one in each.generators)
                        if inner or filtered(each):
                            yield node.lineno, "all(...) of what may be nothing: some(...)"


def test_no_test_passes_where_nothing_is_found() -> None:
    found = [
        f"{path.relative_to(TESTS)}:{line}: {what}"
        for path in sorted(TESTS.rglob("test_*.py"))
        for line, what in asserts_nothing(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert found == []


@pytest.mark.parametrize(
    "text",
    [
        "for one in found.rows_where(name='x'):\n    assert one",
        "for one in found.answer:\n    if one.key == 'x':\n        assert one.text",
        "for one in found.rows:\n    if one.about:\n        continue\n    assert one",
        "for one in [x for x in table if x]:\n    assert one > 1",
        "assert all(x > 1 for x in table if x)",
        "assert all(x for x in found.rows_where(name='x'))",
    ],
)
def test_what_passes_on_nothing_is_seen(text: str) -> None:
    assert [*asserts_nothing(ast.parse(text))]


@pytest.mark.parametrize(
    "text",
    [
        "for one in some(found.rows_where(name='x')):\n    assert one",
        "for one in found.answer:\n    assert one.text",
        "for one in found.rows:\n    if one.about:\n        seen += 1\n        assert one",
        "assert all(x > 1 for x in some(x for x in table if x))",
        "(row,) = found.rows_where(name='x')\nassert row",
    ],
)
def test_what_fails_on_nothing_is_left_alone(text: str) -> None:
    assert not [*asserts_nothing(ast.parse(text))]
