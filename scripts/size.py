"""How large the source is, by package, held against the budgets of docs/architecture.md.

    python scripts/size.py [SRC]          # the table; 1 where a budget is exceeded
    python scripts/size.py --json [SRC]

Tokens are Python's own, without comments and line ends. Code is what is no blank,
comment, docstring or import. A record is a dataclass, a NamedTuple or a TypedDict. Complexity
counts branches, loops, handlers, comprehensions' conditions, cases and every boolean operand but
the first.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import re
import sys
import tokenize
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "goldassay"
MAP = ROOT / "docs" / "architecture.md"
COMPLEX = 20
_SKIPPED = {
    *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT),
    *(tokenize.ENCODING, tokenize.ENDMARKER),
}
_BRANCHES = (ast.If, ast.IfExp, ast.For, ast.While, ast.ExceptHandler, ast.match_case)
_BUDGET = re.compile(r"^\| `([a-z_/ ]+)` \| ([\d,]+) \| ([\d,]+) \|$", re.MULTILINE)


@dataclass
class Size:
    """What is counted of a file, a package or the whole source."""

    files: int = 0
    lines: int = 0
    code: int = 0
    tokens: int = 0
    records: int = 0
    functions: int = 0
    complex: int = 0
    longest: int = 0

    def add(self, other: Size) -> None:
        for name, number in asdict(other).items():
            mine = getattr(self, name)
            setattr(self, name, max(mine, number) if name == "longest" else mine + number)


def size_of(text: str) -> Size:
    """The size of one module.

    >>> one = size_of('\"\"\"Doc.\"\"\"\\nimport os\\n\\n\\ndef f(x):\\n    return x and os\\n')
    >>> one.lines, one.code, one.functions
    (6, 2, 1)
    """
    tree = ast.parse(text)
    prose = set(_docstring_lines(tree))
    imports = {
        line
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    lines = text.splitlines()
    code = sum(
        bool(line.strip()) and not line.lstrip().startswith("#") and number not in prose | imports
        for number, line in enumerate(lines, 1)
    )
    tokens = sum(
        one.type not in _SKIPPED for one in tokenize.generate_tokens(io.StringIO(text).readline)
    )
    functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
    return Size(
        files=1,
        lines=len(lines),
        code=code,
        tokens=tokens,
        records=sum(isinstance(n, ast.ClassDef) and _is_record(n) for n in ast.walk(tree)),
        functions=len(functions),
        complex=sum(complexity(one) > COMPLEX for one in functions),
        longest=len(lines),
    )


def complexity(function: ast.AST) -> int:
    """One, and one for each way that a function may take."""
    ways = 1
    for node in ast.walk(function):
        if isinstance(node, ast.BoolOp):
            ways += len(node.values) - 1
        elif isinstance(node, ast.comprehension):
            ways += 1 + len(node.ifs)
        elif isinstance(node, _BRANCHES):
            ways += 1
    return ways


def _docstring_lines(tree: ast.AST) -> Iterator[int]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if (
                isinstance(first, ast.Expr)
                and isinstance(first.value, ast.Constant)
                and isinstance(first.value.value, str)
            ):
                yield from range(first.lineno, (first.end_lineno or first.lineno) + 1)


def _is_record(node: ast.ClassDef) -> bool:
    decorators = {ast.unparse(one).partition("(")[0] for one in node.decorator_list}
    bases = {ast.unparse(one) for one in node.bases}
    return bool(decorators & {"dataclass", "dataclasses.dataclass"}) or bool(
        bases & {"NamedTuple", "TypedDict"}
    )


def measured(source: Path = SOURCE) -> dict[str, Size]:
    """Package -> size; modules of the root are a package called `root`; `all` is the sum."""
    found: dict[str, Size] = {}
    for path in sorted(source.rglob("*.py")):
        parts = path.relative_to(source).parts
        package = parts[0] if len(parts) > 1 else "root"
        size = size_of(path.read_text("utf-8"))
        for name in (package, "all"):
            found.setdefault(name, Size()).add(size)
    return found


def budgets(text: str) -> dict[str, tuple[int, int]]:
    """Package -> lines and tokens that it may have, from the table in docs/architecture.md."""
    return {
        package.strip(): (int(lines.replace(",", "")), int(tokens.replace(",", "")))
        for package, lines, tokens in _BUDGET.findall(text)
    }


def over_budget(found: dict[str, Size], allowed: dict[str, tuple[int, int]]) -> list[str]:
    """What exceeds its budget, and packages that have none."""
    lines = [f"{name} has no budget" for name in found if name not in allowed]
    for name, (most_lines, most_tokens) in allowed.items():
        size = found.get(name, Size())
        if size.lines > most_lines:
            lines.append(f"{name}: {size.lines:,} lines, {most_lines:,} allowed")
        if size.tokens > most_tokens:
            lines.append(f"{name}: {size.tokens:,} tokens, {most_tokens:,} allowed")
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("source", nargs="?", type=Path, default=SOURCE)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    found = measured(given.source)
    if given.json:
        print(json.dumps({name: asdict(size) for name, size in found.items()}, indent=1))
        return 0
    names = list(asdict(Size()))
    print(f"{'':<12}" + "".join(f"{name:>11}" for name in names))
    for package, size in sorted(found.items(), key=lambda one: one[1].tokens):
        print(f"{package:<12}" + "".join(f"{getattr(size, name):>11,}" for name in names))
    over = over_budget(found, budgets(MAP.read_text("utf-8")))
    print("\n".join(over))
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
