"""Options and places shared by all tests."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parents[1]

# What is compiled once serves all processes that tests start: each would compile every module anew,
# which takes longer than most of them compute.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

settings.register_profile(
    "goldassay",
    deadline=None,
    max_examples=60,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("goldassay")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run the long simulations too")


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the groups
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("loadgroup", False):  # in a worker of `--dist loadgroup`
        for item in items:
            if item.get_closest_marker("xdist_group") is None and (group := shared_work(item)):
                item.add_marker(pytest.mark.xdist_group(group))
    if config.getoption("--slow"):
        return
    skip = pytest.mark.skip(reason="a long simulation; run with --slow")
    for item in items:
        if item.get_closest_marker("slow"):  # keywords have the names of folders too
            item.add_marker(skip)


def shared_work(item: pytest.Item) -> str | None:
    """Names what is made once for several tests of a module; else every worker makes it."""
    found = getattr(item, "_fixtureinfo", None)
    if found is None:
        return None
    made = [
        one.argname
        for name in found.names_closure
        for one in found.name2fixturedefs.get(name, ())
        if one.scope == "module"
    ]
    if not made:
        return None
    cases = getattr(item, "callspec", None)
    numbers = [str(cases.indices[name]) for name in made if cases and name in cases.params]
    return " ".join([item.nodeid.split("::")[0], *numbers])


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real ratings, beside the project or named by GOLDASSAY_SHARED."""
    folder = Path(os.environ.get("GOLDASSAY_SHARED", ROOT.parent / "shared")) / "data"
    if not folder.is_dir():
        pytest.skip(f"no real ratings at {folder}")
    return folder


@pytest.fixture(autouse=True)
def one_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """No engine is started for a small table; tests that are about the engine have their own."""
    import duckdb
    from one_engine import in_one_engine

    monkeypatch.setattr(duckdb, "connect", in_one_engine(duckdb.connect))
