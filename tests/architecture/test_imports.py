"""The house stands on floors: nothing imports upward, and one question uses another by a list."""

from __future__ import annotations

import ast
import re
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2] / "src" / "goldassay"
#: One process reads the source once for all of these tests.
pytestmark = pytest.mark.xdist_group("imports")

#: What each room may import. A room that is not named here has no place in the house.
SHARED = {"errors", "charts", "results", "words", "glossary", "verbs", "reference_words", "frozen"}
MAY_USE: dict[str, set[str]] = {
    "frozen": set(),
    "errors": {"frozen"},
    "words": {"errors", "glossary", "frozen"},
    "charts": {"frozen"},
    "reference_words": {"frozen"},
    "verbs": {"reference_words", "frozen"},
    "results": {"errors", "words", "glossary", "charts", "frozen"},
    "gates": {"errors", "glossary", "words", "frozen"},
    "glossary": {"errors", "reference_words", "frozen"},
    "formulas": SHARED,
    "inference": SHARED | {"formulas"},
    "metrics": SHARED | {"formulas", "inference"},
    "store": SHARED,
    "sources": SHARED | {"store"},
    "credentials": {"frozen"},
    "passport": SHARED | {"sources"},
    "standing": SHARED | {"passport"},
    "read": SHARED | {"sources"},
    "ratings": SHARED | {"sources"},
    "proposals": SHARED | {"ratings", "sources"},
    "counts": SHARED | {"ratings", "sources", "inference"},
    "judges": SHARED | {"store", "inference", "sources", "passport", "credentials"},
    "rendering": SHARED | {"sources"},
    "trackers": SHARED,
    "findings": SHARED | {"rendering", "gates", "sources"},
    "questions": SHARED
    | {"findings", "counts", "ratings", "sources", "metrics", "inference", "formulas", "judges"}
    | {"passport", "standing", "store", "credentials", "proposals", "read"},
    "examples": {"errors", "ratings", "sources", "frozen"},
    "lab": {"*"},
    "web": {"*"},
    "cli": {"*"},
    "pytest_plugin": {"*"},
}
#: Rooms under the roof, which see everything below and not one another, but along this list.
ROOF = ("lab", "web", "cli", "pytest_plugin")
OVER_THE_ROOF = {("cli", "lab"), ("cli", "web")}
#: A question -> the questions whose study it uses. There is no circle in it.
STUDIES_USED: dict[str, set[str]] = {
    "agree": set(), "select": {"agree"}, "audit": set(), "estimate": set(), "rank": {"compare"},
    "plan": {"compare", "estimate"}, "check": set(), "diff": {"agree"}, "replace": set(),
    "route": {"estimate"},
    "compare": {"agree", "estimate"},
    "monitor": set(),
    "report": {"agree", "select", "audit", "estimate", "rank", "plan", "diff"}
    | {"compare", "replace", "route"},
    "certify": {"report", "estimate"},
}  # fmt: skip
PACKAGE = re.compile(r"^goldassay(\.[a-z_]+)+(:\w+)?$")


def modules() -> list[Path]:
    return sorted(path for path in SOURCE.rglob("*.py") if path != SOURCE / "__init__.py")


def name_of(path: Path) -> str:
    parts = ("goldassay", *path.relative_to(SOURCE).with_suffix("").parts)
    return ".".join(part for part in parts if part != "__init__")


MODULES = {name_of(path): path for path in modules()}


@cache
def imported(path: Path) -> frozenset[str]:
    """The modules of goldassay that a file imports."""
    return frozenset(named(path.read_text(encoding="utf-8")) & MODULES.keys()) - {name_of(path)}


def named(text: str) -> set[str]:
    """What a module's text imports, inside functions and by a string too."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
            names.add(node.module)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            if PACKAGE.match(node.value):
                names.add(node.value.partition(":")[0])
        elif isinstance(node, ast.JoinedStr):  # f"goldassay.cli.{verb}" loads from that room
            first = node.values[0]
            if isinstance(first, ast.Constant) and str(first.value).startswith("goldassay."):
                names.add(str(first.value).rstrip("."))
    return names


def room(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else ""


def question(module: str) -> str | None:
    parts = module.split(".")
    known = len(parts) > 2 and parts[1] == "questions" and parts[2] in STUDIES_USED
    return parts[2] if known else None


def broken(here: str, other: str) -> str | None:
    """Why one module may not import another, or None where it may."""
    mine, its = room(here), room(other)
    if its == "__main__" or mine == "__main__":
        return None
    if mine == its == "questions":
        one, two = question(here), question(other)
        if one is not None and two is not None and one != two and two not in STUDIES_USED[one]:
            return f"the question {one} does not use {two}"
        return None
    if mine == its:
        return None
    if mine in ROOF:
        beside = its in ROOF and (mine, its) not in OVER_THE_ROOF
        return f"{mine} does not use {its}" if beside else None
    return None if its in MAY_USE[mine] else f"{mine} does not use {its}"


def test_every_room_has_a_place() -> None:
    assert {room(name) for name in MODULES} <= {*MAY_USE, "__main__"}
    questions = {path.parent.name for path in (SOURCE / "questions").glob("*/__init__.py")}
    assert questions == set(STUDIES_USED)


def test_nothing_imports_upward() -> None:
    wrong = {
        (name, other): broken(name, other)
        for name, path in MODULES.items()
        for other in imported(path)
    }
    assert not {both: why for both, why in wrong.items() if why}


def test_the_list_of_studies_has_no_circle() -> None:
    tuple(TopologicalSorter(STUDIES_USED).static_order())


def test_no_module_is_in_a_circle() -> None:
    """Not inside functions either. A package's own `__init__` only lists what its modules have."""
    graph = {
        name: {o for o in imported(path) if not MODULES[o].name.startswith("__init__")}
        for name, path in MODULES.items()
        if path.name != "__init__.py"
    }
    tuple(TopologicalSorter(graph).static_order())


def test_no_module_takes_from_the_package_it_is_in() -> None:
    """Its `__init__` imports the module: the other way round is a circle that works by luck."""
    for name, path in MODULES.items():
        if path.name == "__init__.py":
            continue
        package = name.rpartition(".")[0]
        listed = re.compile(rf"^\s*from {re.escape(package)} import (.*)$", re.M)
        taken = {
            word
            for names in listed.findall(path.read_text(encoding="utf-8"))
            for word in re.findall(r"\w+", names.split(" as ")[0])
        }
        theirs = {word for word in taken if f"{package}.{word}" not in MODULES}
        assert theirs <= {"__version__"}, name


def test_no_public_name_hides_a_module() -> None:
    import goldassay

    roots = {path.stem for path in SOURCE.iterdir() if not path.name.startswith("_")}
    functions = {name for name in goldassay.__all__ if callable(getattr(goldassay, name))}
    assert not functions & roots


@pytest.mark.parametrize(
    ("here", "other", "wrong"),
    [
        ("goldassay.formulas.rates", "goldassay.ratings.task", True),
        ("goldassay.questions.agree.study", "goldassay.questions.rank.study", True),
        ("goldassay.questions.select.study", "goldassay.questions.agree.study", False),
        ("goldassay.questions.agree.ask", "goldassay.cli.common", True),
        ("goldassay.web.live", "goldassay.cli.report", True),
        ("goldassay.rendering.html", "goldassay.findings", True),
        ("goldassay.cli.agree", "goldassay.questions.agree.ask", False),
    ],
)
def test_the_test_of_the_borders(here: str, other: str, wrong: bool) -> None:
    assert bool(broken(here, other)) is wrong


def test_imports_by_a_string_are_read() -> None:
    text = 'import_module("goldassay.cli.common")\nload = f"goldassay.cli.{verb}"\n'
    assert {"goldassay.cli.common", "goldassay.cli"} <= named(text)
