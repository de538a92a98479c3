"""What is done in one place only, so that it is done right everywhere."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2] / "src" / "goldassay"
MARKUP = SOURCE / "rendering" / "markup.py"


def modules(*, but: Path) -> list[Path]:
    assert but.is_file()
    return [path for path in sorted(SOURCE.rglob("*.py")) if path != but]


@lru_cache(maxsize=1)
def parts(text: str) -> tuple[ast.AST, ...]:
    """All parts of a module, read once for all that is asked of it."""
    return tuple(ast.walk(ast.parse(text)))


def calls(text: str, last: str) -> Iterator[str]:
    """The functions of a last name that a module calls, as they are written: `html.escape`."""
    for node in parts(text):
        if isinstance(node, ast.Call):
            match node.func:
                case ast.Name(id=name) | ast.Attribute(attr=name) if name == last:
                    yield ast.unparse(node.func)


def escapes(text: str) -> bool:
    """Whether a module escapes HTML, or brings in what does."""
    brings = any(
        (isinstance(node, ast.ImportFrom) and node.module in ("html", "xml.sax.saxutils"))
        or (isinstance(node, ast.Import) and any(one.name == "html" for one in node.names))
        for node in parts(text)
    )
    return brings or any(name in ("escape", "html.escape") for name in calls(text, "escape"))


def holds_tags(text: str) -> bool:
    """Whether a string of the module is put together from tags, docstrings aside."""
    strings = [
        node.value
        for node in parts(text)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    return any(sign in string for string in strings for sign in ("</p>", "</div>", "/>", "<!doc"))


def test_html_is_made_by_markup() -> None:
    for path in modules(but=MARKUP):
        text = path.read_text(encoding="utf-8")
        assert not escapes(text), path
        assert not holds_tags(text), path
        assert "Markup" not in calls(text, "Markup"), path


def test_the_test_of_the_one_place() -> None:
    assert escapes("from html import escape")
    assert escapes("import html\nhtml.escape(x)")
    assert not escapes("import re\nre.escape(x)")
    assert holds_tags("page = f'<p>{name}</p>'")
    assert "Markup" in calls("Markup('<b>')", "Markup")


def writes_csv(text: str) -> bool:
    """Whether a module writes CSV with Python's writer or the engine's."""
    own = {"csv.writer", "csv.DictWriter", "writer", "DictWriter"}
    names = {name for last in ("writer", "DictWriter") for name in calls(text, last)}
    return bool(names & own) or any(True for _ in calls(text, "write_csv"))


def test_csv_is_written_by_spreadsheet() -> None:
    """Every cell with a sign of a line break is quoted, on every Python."""
    for path in modules(but=SOURCE / "sources" / "spreadsheet.py"):
        assert not writes_csv(path.read_text(encoding="utf-8")), path
    assert writes_csv("csv.writer(out).writerow(row)")
    assert writes_csv("relation.write_csv(path)")
    assert not writes_csv("csv.reader(stream)")


def narrows(test: ast.expr) -> bool:
    """Whether an assertion tells the type checker that something is there, or of which type."""
    match test:
        case ast.Compare(ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]):
            return True
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return narrows(inner)
        case ast.Call(func=ast.Name(id="isinstance")):
            return True
    return False


def test_no_assertion_stands_for_a_case_of_the_data() -> None:
    """What data can bring is an `Undefined` or an `InputError`; an assertion is about types."""
    wrong = [
        f"{path.relative_to(SOURCE)}:{node.lineno}"
        for path in sorted(SOURCE.rglob("*.py"))
        for node in parts(path.read_text(encoding="utf-8"))
        if isinstance(node, ast.Assert) and not narrows(node.test)
    ]
    assert not wrong


def test_extras_are_named_by_the_error_that_asks_for_them() -> None:
    """What `pip install` needs is said by `MissingExtraError`."""
    for path in modules(but=SOURCE / "errors.py"):
        assert "goldassay[" not in path.read_text(encoding="utf-8"), path.name


def _caught(handlers: list[ast.ExceptHandler]) -> set[str]:
    return {
        ast.unparse(part)
        for handler in handlers
        for part in ast.walk(handler.type or ast.parse("Exception"))
        if isinstance(part, ast.Name | ast.Attribute | ast.Call)
    }


def test_json_that_is_no_json_may_also_be_nested_too_deeply() -> None:
    """Thousands of brackets are no `ValueError`: whoever catches that of JSON catches both."""
    wrong = []
    for path in sorted(SOURCE.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        for node in parts(text):
            if not isinstance(node, ast.Try) or "lab" in path.parts:
                continue
            reads = any("json.loads(" in ast.unparse(line) for line in node.body)
            caught = _caught(node.handlers)
            if reads and "ValueError" in caught and not caught & {"RecursionError", "Exception"}:
                wrong.append(f"{path.relative_to(SOURCE)}:{node.lineno}")
    assert not wrong
