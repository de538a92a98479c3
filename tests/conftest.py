"""Options and places shared by all tests."""

from __future__ import annotations

import os
import sys
import time
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


#: Folders that need what `.[test-heavy]` installs, and of each what runs without `--slow` where
#: that is there.
HEAVY = {
    "browser": {
        "test_no_payload_runs_or_leaves",
        "test_the_first_screen_is_one_screen",
        "test_twenty_items_by_keys_alone_with_a_reload_an_undo_and_a_comment",
        "test_choices_stay_in_sight_on_a_phone",
        "test_exports_are_data",
        "test_what_is_stored_is_what_was_visibly_chosen",
    },
    "model": set(),
    "notebooks": {"test_there_are_three", "test_they_are_kept_without_outputs"},
    "spark": {"test_units_and_confusion_are_identical"},
}
HOW_LONG = """\
all of it takes 8 minutes of two quiet cores with `-n 2 --dist loadgroup`, 15 of one, and several
times that where others work too; --slow adds the long runs, hours (tests/long_runs.md)"""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run the long simulations too")


def pytest_report_header(config: pytest.Config) -> str | None:
    """How long it takes, where everything is asked for."""
    paths = [ROOT / one for one in config.getini("testpaths")]
    return HOW_LONG if [Path(one).resolve() for one in config.args] == paths else None


class Progress:
    """A line a minute: what is done, and after how long."""

    def __init__(self, config: pytest.Config) -> None:
        self.config, self.done = config, 0
        self.began = self.told = time.monotonic()

    def pytest_runtest_logfinish(self) -> None:
        self.done += 1
        now = time.monotonic()
        if now - self.told < 60:
            return
        self.told = now
        reporter = self.config.pluginmanager.get_plugin("terminalreporter")
        number = getattr(reporter, "_numcollected", 0) or self._of_workers()
        share = f"{self.done / number:.0%} of {number:,}" if number else f"{self.done:,}"
        if reporter is not None:
            reporter.ensure_newline()
            reporter.write_line(f"-- after {(now - self.began) / 60:.0f} min: {share} tests")

    def _of_workers(self) -> int:
        session = self.config.pluginmanager.get_plugin("dsession")
        found = getattr(getattr(session, "sched", None), "collection", None)
        return len(found or ())


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # the process that people look at
        config.pluginmanager.register(Progress(config), "progress of minutes")


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the groups
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("loadgroup", False):  # in a worker of `--dist loadgroup`
        for item in items:
            if item.get_closest_marker("xdist_group") is None and (group := shared_work(item)):
                item.add_marker(pytest.mark.xdist_group(group))
    for item in items:
        folder = item.path.parent.name
        if folder in HEAVY and getattr(item, "originalname", item.name) not in HEAVY[folder]:
            item.add_marker(pytest.mark.slow)
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
