"""Do the tests bite? Small faults put into the source, one at a time: does a test fail?

    python scripts/mutate.py map                     # which test runs which line
    python scripts/mutate.py run --seed 1 --sample 300 --out one.json
    python scripts/mutate.py run --again one.json    # those that survived
    python scripts/mutate.py run --since COMMIT      # on lines that changed since, in any module
    python scripts/mutate.py fixed                   # scripts/mutants.toml, without a map
    python scripts/mutate.py fixed --sample 4        # the first four of them

A mutant changes one place of a function: a comparison, an operator, a number, a condition, a bound
of a slice, a default, a name (`min` for `max`), a keyword left out, a statement left out. The
sample is drawn with a seed, each module in proportion to its lines. One process imports everything
and collects the tests; each mutant is a fork of it that swaps the code of one function and runs the
tests that reach the changed line, the shortest first, until one fails. Tests beyond `--seconds`
together are not run: what would be caught by these alone counts as survived.
"""

from __future__ import annotations

import argparse
import ast
import builtins
import gc
import importlib
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
import tomllib
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "goldassay"
sys.path.insert(0, str(SOURCE.parent))  # this source, not one that is installed
TARGETS = (
    "formulas/*.py",
    "inference/*.py",
    "metrics/*.py",
    "counts/*.py",
    "questions/*/study*.py",
    "judges/parsing.py",
)
#: Where the tests of these modules are; the sentences of reports are tested from `truth`.
TESTS = (
    "tests/unit/formulas",
    "tests/unit/inference",
    "tests/unit/metrics",
    "tests/unit/counts",
    "tests/unit/questions",
    "tests/unit/judges",
    "tests/unit/cli",
    "tests/oracle",
    "tests/properties",
    "tests/coverage",
    "tests/golden",
    "tests/truth",
    *(f"src/goldassay/{part}" for part in ("formulas", "inference", "metrics", "counts")),
    *(f"src/goldassay/{part}" for part in ("questions", "judges/parsing.py")),
)
MAP = ROOT / ".cache" / "mutation" / "map.json"
#: What a marked source calls.
MARK = "__reached__"
FIXED = ROOT / "scripts" / "mutants.toml"

COMPARISONS = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
OPERATORS = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
NAMES = {"min": "max", "minimum": "maximum", "any": "all", "floor": "ceil", "zeros": "ones"}
NAMES |= {new: old for old, new in NAMES.items()}
#: What is said to people, or of types, is tested elsewhere.
UNTOUCHED = (ast.Raise, ast.JoinedStr, ast.Assert)


@dataclass(frozen=True)
class Mutant:
    """One changed place: the module's new tree, and the lines of the place."""

    name: str
    path: Path
    lines: tuple[int, int]
    change: str
    tree: ast.Module

    @property
    def module(self) -> str:
        return module_name(self.path)


def module_name(path: Path) -> str:
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


# --- places and what may be done to them --------------------------------------------------------


def touched(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes below one, without texts for people, annotations and docstrings."""
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list", "type_params"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or isinstance(child, UNTOUCHED):
                continue
            if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
                continue
            yield child
            yield from touched(child)


def changes(node: ast.AST) -> Iterator[tuple[str, Callable[[Any], None]]]:
    """Each fault that a node can have: its kind, and what makes it (in place)."""
    match node:
        case ast.Compare():
            for place, operator in enumerate(node.ops):
                yield "comparison", _put("ops", COMPARISONS[type(operator)](), place)
        case ast.BinOp(op=operator, left=left, right=right) if type(operator) in OPERATORS:
            if not any(isinstance(side, ast.JoinedStr) or _text(side) for side in (left, right)):
                yield "operator", _put("op", OPERATORS[type(operator)]())
        case ast.AugAssign(op=operator) if type(operator) in OPERATORS:
            yield "operator", _put("op", OPERATORS[type(operator)]())
        case ast.BoolOp(op=operator):
            yield "and, or", _put("op", ast.Or() if isinstance(operator, ast.And) else ast.And())
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            yield "sign", _put("op", ast.UAdd() if isinstance(node.op, ast.USub) else None)
        case ast.Constant(value=bool() as value):
            yield "constant", _put("value", not value)
        case ast.Constant(value=int() as value):
            yield "constant", _put("value", value + 1)
        case ast.Constant(value=float() as value):
            yield "constant", _put("value", value * 1.5 if value else 1.0)
        case ast.If() | ast.While() | ast.IfExp():
            yield "condition", _put("test", ast.UnaryOp(ast.Not(), node.test))
        case ast.comprehension(ifs=[first, *_]):
            yield "condition", _put("ifs", ast.UnaryOp(ast.Not(), first), 0)
        case ast.Return(value=value) if value is not None and ast.unparse(value) != "None":
            yield "return", _put("value", ast.Constant(None))
        case ast.Slice():
            for bound in ("lower", "upper"):
                if getattr(node, bound) is not None:
                    yield "slice", _put(bound, None)
        case ast.Name(id=name, ctx=ast.Load()) if name in NAMES:
            yield "name", _put("id", NAMES[name])
        case ast.Attribute(attr=name, ctx=ast.Load()) if name in NAMES:
            yield "name", _put("attr", NAMES[name])
        case ast.Call(keywords=keywords):
            for place, keyword in enumerate(keywords):
                if keyword.arg is not None:
                    yield "keyword", _put("keywords", None, place)
        case ast.Expr(value=ast.Call()):
            yield "statement", _put("value", ast.Constant(None))


def _text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _put(field: str, new: object, place: int | None = None) -> Callable[[Any], None]:
    """Puts something else into a field (or an element of it); None takes it out."""

    def put(node: Any) -> None:
        if isinstance(node, ast.UnaryOp) and new is None:  # `not x` becomes x
            node.op, node.operand = ast.Not(), ast.UnaryOp(ast.Not(), node.operand)
        elif place is None:
            setattr(node, field, new)
        elif new is None:
            del getattr(node, field)[place]
        else:
            getattr(node, field)[place] = new

    return put


def places(tree: ast.Module) -> list[tuple[int, int]]:
    """Every fault that a module can have: which node, which of its changes."""
    return [
        (index, number)
        for index, node in enumerate(_nodes(tree))
        for number, _ in enumerate(changes(node))
    ]


def mutant_of(path: Path, index: int, number: int) -> Mutant:
    """The mutant of a module at a place."""
    tree = ast.parse(path.read_text())
    mine: Any = _nodes(tree)[index]
    kind, change = [*changes(mine)][number]
    where = mine.target if isinstance(mine, ast.comprehension) else mine
    last = mine.test.end_lineno if isinstance(mine, ast.If | ast.While) else where.end_lineno
    old = _shown(mine)
    change(mine)
    ast.fix_missing_locations(tree)
    name = f"{path.relative_to(SOURCE)}:{where.lineno}:{where.col_offset}:{kind}:{number}"
    return Mutant(name, path, (where.lineno, last), f"{old}  ->  {_shown(mine)}", tree)


def _nodes(tree: ast.Module) -> list[ast.AST]:
    return [one for one in touched(tree) if getattr(one, "lineno", 0) or _iterates(one)]


def _iterates(node: ast.AST) -> bool:
    return isinstance(node, ast.comprehension)


def _shown(node: ast.AST) -> str:
    if isinstance(node, ast.If | ast.While):
        return f"{type(node).__name__.lower()} {ast.unparse(node.test)}"
    return ast.unparse(node).split("\n")[0]


def sampled(size: int, seed: int, within: tuple[str, ...] = ("",)) -> list[Mutant]:
    """A sample with a seed, each module in proportion to its lines; of it those within."""
    draw = random.Random(seed)
    paths = sorted({path for pattern in TARGETS for path in SOURCE.glob(pattern)})
    lines = [len(path.read_text().splitlines()) for path in paths]
    chosen: list[Mutant] = []
    owed = 0.0
    for path, length in zip(paths, lines, strict=True):
        owed += size * length / sum(lines)
        here = places(ast.parse(path.read_text()))
        take = min(round(owed), len(here))
        owed -= take
        drawn = sorted(draw.sample(here, take))
        if str(path.relative_to(SOURCE)).startswith(within):
            chosen += [mutant_of(path, *one) for one in drawn]
    return chosen


def sampled_since(commit: str, size: int, seed: int, within: tuple[str, ...]) -> list[Mutant]:
    """A sample with a seed of all places on lines that are not as they were at a commit."""
    here = [
        (path, *place)
        for path, lines in sorted(changed_lines(commit).items())
        if str(path.relative_to(SOURCE)).startswith(within)
        for place in _places_on(lines, ast.parse(path.read_text()))
    ]
    return [mutant_of(*one) for one in random.Random(seed).sample(here, min(size, len(here)))]


def changed_lines(commit: str) -> dict[Path, set[int]]:
    """The lines of each target that a commit did not have."""
    found = {}
    for path in sorted({path for pattern in TARGETS for path in SOURCE.glob(pattern)}):
        diff = subprocess.run(
            ["git", "diff", "--unified=0", commit, "--", str(path)],
            check=True,
            capture_output=True,
            text=True,
            cwd=ROOT,
        ).stdout
        new = re.findall(r"^@@ -\S+ \+(\d+)(?:,(\d+))? @@", diff, re.MULTILINE)
        ranges = (range(int(first), int(first) + int(number or 1)) for first, number in new)
        found[path] = {line for one in ranges for line in one}
    return found


def _places_on(lines: set[int], tree: ast.Module) -> list[tuple[int, int]]:
    nodes = _nodes(tree)
    heads = [one.target if isinstance(one, ast.comprehension) else one for one in nodes]
    return [place for place in places(tree) if getattr(heads[place[0]], "lineno", 0) in lines]


# --- a mutant in a running process --------------------------------------------------------------


def functions_of(code: types.CodeType) -> dict[str, types.CodeType]:
    """The functions and methods that a module's code defines, by qualified name."""
    found: dict[str, types.CodeType] = {}
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            if constant.co_flags & 0x2:  # CO_NEWLOCALS: a function, not a class body
                found[f"{constant.co_qualname}:{constant.co_firstlineno}"] = constant
            else:
                found |= functions_of(constant)
    return found


def put_in(mutant: Mutant, live: Mapping[str, Sequence[types.FunctionType]]) -> bool:
    """Swaps what differs into the running process; whether anything could be swapped."""
    old = functions_of(compile(mutant.path.read_text(), str(mutant.path), "exec"))
    new = functions_of(compile(mutant.tree, str(mutant.path), "exec"))
    swapped = False
    for name, code in new.items():
        if old.get(name) != code:
            for function in live.get(f"{mutant.path}:{name}", ()):
                function.__code__ = code
                swapped = True
    return swapped or _put_in_defaults(mutant, live) or _put_in_constants(mutant)


def _put_in_defaults(mutant: Mutant, live: Mapping[str, Sequence[types.FunctionType]]) -> bool:
    module = sys.modules[mutant.module]
    before = {one.lineno: one for one in _definitions(ast.parse(mutant.path.read_text()))}
    for node in _definitions(mutant.tree):
        if ast.dump(node.args) == ast.dump(before[node.lineno].args):
            continue

        def value(default: ast.expr) -> Any:
            return eval(compile(ast.Expression(default), "default", "eval"), vars(module))

        kw = {
            one.arg: value(default)
            for one, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
            if default is not None
        }
        first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
        for key, functions in live.items():
            if key.startswith(f"{mutant.path}:") and key.endswith(f"{node.name}:{first}"):
                for function in functions:
                    function.__defaults__ = tuple(map(value, node.args.defaults)) or None
                    function.__kwdefaults__ = kw or None
                    return True
    return False


def _definitions(tree: ast.Module) -> list[ast.FunctionDef]:
    return [one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)]


def _put_in_constants(mutant: Mutant) -> bool:
    """A constant of the module, wherever it was imported to."""
    before = ast.parse(mutant.path.read_text()).body
    module = vars(sys.modules[mutant.module])
    for old, new in zip(before, mutant.tree.body, strict=True):
        if isinstance(new, ast.Assign | ast.AnnAssign) and ast.dump(old) != ast.dump(new):
            target = new.targets[0] if isinstance(new, ast.Assign) else new.target
            if not isinstance(target, ast.Name) or new.value is None or target.id not in module:
                return False
            was = module[target.id]
            value = eval(compile(ast.Expression(new.value), "constant", "eval"), module)
            for name, other in [*sys.modules.items()]:
                if name.startswith("goldassay") and vars(other).get(target.id) is was:
                    setattr(other, target.id, value)
            return True
    return False


# --- inside pytest ------------------------------------------------------------------------------


class Marker(ast.NodeTransformer):
    """Puts before each statement of a function a call that says that it is reached.

    A trace of lines would make every other function slow too.
    """

    def __init__(self, path: str, marks: list[tuple[str, range]]) -> None:
        self.path = path
        self.marks = marks
        self.inside = 0

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.inside += 1
        self.generic_visit(node)
        self.inside -= 1
        return node

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        for field in ("body", "orelse", "finalbody") if self.inside else ():
            block = getattr(node, field, None)
            if isinstance(block, list):
                setattr(
                    node, field, [one for statement in block for one in self._marked(statement)]
                )
        return node

    def _marked(self, statement: ast.stmt) -> list[ast.stmt]:
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            return [statement]  # a docstring stays first
        body = getattr(statement, "body", None)
        cases = getattr(statement, "cases", None)
        # Of a block its head alone: what is inside has marks of its own.
        last = body[0].lineno - 1 if body else cases[0].pattern.lineno if cases else 0
        last = max(last or statement.end_lineno or 0, statement.lineno)
        self.marks.append((self.path, range(statement.lineno, last + 1)))
        call = ast.Call(ast.Name(MARK, ast.Load()), [ast.Constant(len(self.marks) - 1)], [])
        return [ast.copy_location(ast.Expr(call), statement), statement]


class Recorder:
    """Notes which lines of the targets each test reaches, and how long it takes."""

    def __init__(self) -> None:
        self.files = {str(path) for pattern in TARGETS for path in SOURCE.glob(pattern)}
        self.marks: list[tuple[str, range]] = []
        self.reached: set[int] = set()
        self.tests: dict[str, Any] = json.loads(MAP.read_text()) if MAP.exists() else {}
        self.failed: set[str] = set()
        setattr(builtins, MARK, self.reached.add)
        plain = SourceFileLoader.get_code

        def get_code(loader: SourceFileLoader, name: str) -> types.CodeType | None:
            if loader.path not in self.files:
                return plain(loader, name)
            tree = ast.parse(Path(loader.path).read_text())
            tree = ast.fix_missing_locations(Marker(loader.path, self.marks).visit(tree))
            return compile(tree, loader.path, "exec")

        SourceFileLoader.get_code = get_code  # type: ignore[method-assign]

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.reached.clear()
        begun = time.process_time()
        yield
        files: dict[str, set[int]] = {}
        for path, lines in (self.marks[mark] for mark in self.reached):
            files.setdefault(str(Path(path).relative_to(SOURCE)), set()).update(lines)
        self.tests[item.nodeid] = {
            "seconds": time.process_time() - begun,
            "lines": {path: sorted(lines) for path, lines in files.items()},
        }

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not report.passed:
            self.failed.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        # What was recorded before stays, for tests that did not run now.
        kept = {name: one for name, one in self.tests.items() if name not in self.failed}
        MAP.parent.mkdir(parents=True, exist_ok=True)
        MAP.write_text(json.dumps(kept))


@dataclass
class Outcome:
    """What became of a mutant."""

    mutant: Mutant
    end: str  # killed, time, survived, not reached, not put in
    by: str = ""
    seconds: float = 0.0

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.mutant.name,
            "change": self.mutant.change,
            "end": self.end,
            "by": self.by,
            "seconds": round(self.seconds, 1),
        }


class Hunt:
    """Runs the tests of each mutant in a fork of this process, at most `workers` at once."""

    def __init__(self, plan: Sequence[tuple[Mutant, Sequence[str]]], options: Any) -> None:
        self.plan = plan
        self.options = options
        self.outcomes: list[Outcome] = []
        self.failed = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.failed = self.failed or report.failed

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items}
        for mutant, _ in self.plan:
            importlib.import_module(mutant.module)
        live: dict[str, list[types.FunctionType]] = {}
        for one in gc.get_objects():
            if isinstance(one, types.FunctionType) and one.__code__.co_filename.startswith(
                str(SOURCE)
            ):
                code = one.__code__
                key = f"{code.co_filename}:{code.co_qualname}:{code.co_firstlineno}"
                live.setdefault(key, []).append(one)
        pools = [one for one in _threads() if one.startswith("polars-") and one[-1].isdigit()]
        if pools:  # a fork has no threads, and would wait for them for ever
            raise RuntimeError(f"collecting the tests has begun to compute: {pools}")
        gc.collect()
        gc.freeze()
        running: dict[int, tuple[Mutant, float, Path]] = {}
        notes = MAP.parent / f"notes-{os.getpid()}"
        notes.mkdir(parents=True, exist_ok=True)
        for number, (mutant, tests) in enumerate(self.plan):
            mine = [items[name] for name in tests if name in items]
            whole = {name for name in tests if "::" not in name}  # every test of a file
            mine += [item for name, item in items.items() if name.split("::")[0] in whole]
            if not mine:
                self._say(Outcome(mutant, "not reached"))
                continue
            while len(running) >= self.options.workers:
                self._reap(running)
            note = notes / str(number)
            child = os.fork()
            if child == 0:
                self._child(mutant, mine, live, note)
            running[child] = (mutant, time.monotonic(), note)
        while running:
            self._reap(running)
        return True

    def _child(self, mutant: Mutant, items: Any, live: Any, note: Path) -> None:
        """Never returns: 0 survived, 1 killed, 2 not put in."""
        code = 1
        try:
            os.setpgrp()
            silence = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(silence, stream)
            if mutant.change and not put_in(mutant, live):
                os._exit(2)
            for item, following in zip(items, [*items[1:], None], strict=True):
                note.write_text(item.nodeid)
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                if self.failed:
                    os._exit(1)
            code = 0
        finally:
            os._exit(code)

    def _reap(self, running: dict[int, tuple[Mutant, float, Path]]) -> None:
        """Waits until one has ended, or was too slow."""
        while True:
            for child, (mutant, begun, note) in [*running.items()]:
                done, status = os.waitpid(child, os.WNOHANG)
                seconds = time.monotonic() - begun
                late = not done and seconds > self.options.limit
                if not done and not late:
                    continue
                del running[child]
                with suppress(ProcessLookupError):
                    os.killpg(child, signal.SIGKILL)
                if late:
                    os.waitpid(child, 0)
                code = os.waitstatus_to_exitcode(status) if done else 1
                end = {0: "survived", 2: "not put in"}.get(code, "time" if late else "killed")
                by = note.read_text() if end in ("killed", "time") and note.exists() else ""
                self._say(Outcome(mutant, end, by, seconds))
                return
            time.sleep(0.02)

    def _say(self, outcome: Outcome) -> None:
        self.outcomes.append(outcome)
        print(f"{outcome.end:11} {outcome.mutant.name}  {outcome.mutant.change}", flush=True)


def _threads() -> list[str]:
    tasks = Path("/proc/self/task")
    return [(one / "comm").read_text().strip() for one in tasks.iterdir()] if tasks.exists() else []


# --- the command --------------------------------------------------------------------------------


def tests_of(mutant: Mutant, known: Mapping[str, Any], seconds: float) -> list[str]:
    """The tests that reach the lines of a mutant, mirror and short ones first, up to a sum."""
    path = str(mutant.path.relative_to(SOURCE))
    first, last = mutant.lines
    inside = any(
        one.body[0].lineno <= first <= (one.end_lineno or 0) for one in _definitions(mutant.tree)
    )
    reach = []
    for name, one in known.items():
        lines = one["lines"].get(path, ())
        # A default or a constant of the module runs when it is imported: any test of the module.
        if any(first <= line <= last for line in lines) or (lines and not inside):
            mirror = mutant.path.stem in name or mutant.path.parent.name in name
            reach.append((one["seconds"] * (0.3 if mirror else 1), name))
    chosen, spent = [], 0.0
    for _, name in sorted(reach):
        spent += known[name]["seconds"]
        if chosen and spent > seconds:
            break
        chosen.append(name)
    return chosen


def hunt(plan: Sequence[tuple[Mutant, Sequence[str]]], options: Any) -> list[Outcome]:
    """Collects every test named and goes through the mutants."""
    runner = Hunt(plan, options)
    files = sorted({name.split("::")[0] for _, tests in plan for name in tests})
    pytest.main(["-q", "-s", "-p", "no:cacheprovider", "-p", "no:xdist", *files], plugins=[runner])
    return runner.outcomes


def summary(outcomes: Sequence[Outcome]) -> str:
    outcomes = [one for one in outcomes if one.mutant.change]
    killed = sum(one.end in ("killed", "time") for one in outcomes)
    return f"{killed} of {len(outcomes)} killed ({killed / max(len(outcomes), 1):.3f})"


def fixed() -> list[tuple[Mutant, list[str]]]:
    """The mutants that are written down, with the tests that must catch them."""
    plan = []
    for number, one in enumerate(tomllib.loads(FIXED.read_text())["mutant"]):
        path = SOURCE / one["module"]
        text = path.read_text()
        if text.count(one["old"]) != 1:
            sys.exit(f"{FIXED.name}, mutant {number + 1}: {one['old']!r} is not once in {path}")
        line = text[: text.index(one["old"])].count("\n") + 1
        tree = ast.parse(text.replace(one["old"], one["new"]))
        change = f"{one['old']}  ->  {one['new']}"
        plan.append((Mutant(f"{one['module']}:{line}", path, (line, line), change, tree), one))
    return [(mutant, one["tests"]) for mutant, one in plan]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=["map", "run", "fixed"])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sample", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=15, help="of tests for one mutant")
    parser.add_argument("--limit", type=float, default=90, help="after which one hangs")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--within", default="", help="only modules whose path begins so")
    parser.add_argument("--since", help="a commit: only places on lines that changed since")
    parser.add_argument("--again", type=Path, help="only those that survived there")
    parser.add_argument("--tests", nargs="*", help="for `map`: these tests alone")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    os.chdir(ROOT)
    if options.what == "map":
        chosen = options.tests or TESTS
        marks = "not slow and not spark and not browser and not model"
        return pytest.main(
            ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", marks, *chosen],
            plugins=[Recorder()],
        )
    if options.what == "fixed":
        plan: list[tuple[Mutant, list[str]]] = fixed()[: options.sample]
        # The tests themselves pass: a test that fails anyway catches everything.
        sound = Mutant("as it is", plan[0][0].path, (1, 1), "", plan[0][0].tree)
        plan = [(sound, [name for _, tests in plan for name in tests]), *plan]
    else:
        known = json.loads(MAP.read_text())
        within = tuple(options.within.split(","))
        chosen_mutants = (
            sampled_since(options.since, options.sample, options.seed, within)
            if options.since
            else sampled(options.sample, options.seed, within)
        )
        if options.again:
            lost = json.loads(options.again.read_text())
            names = {one["name"] for one in lost if one["end"] not in ("killed", "time")}
            chosen_mutants = [one for one in chosen_mutants if one.name in names]
        random.Random(options.seed).shuffle(chosen_mutants)  # ended early, it is a sample too
        plan = [(one, tests_of(one, known, options.seconds)) for one in chosen_mutants]
    outcomes = hunt(plan, options)
    if options.out:
        options.out.write_text(json.dumps([one.to_json() for one in outcomes], indent=1))
    print(summary(outcomes))
    if options.what == "fixed":
        wanted = [("killed", "time") if one.mutant.change else ("survived",) for one in outcomes]
        return int(any(one.end not in ends for one, ends in zip(outcomes, wanted, strict=True)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
