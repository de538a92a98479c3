"""The pytest plugin: the fixture `assay` holds a judge against gates, as a test.

    def test_the_judge_agrees_with_people(assay):
        assay.require("ratings.csv", "cohen_kappa.low >= 0.6", task="task.toml")

A gate that is not met, or is inconclusive, fails the test with the finding: value, interval,
numbers, what they stand on and the sentence about it. `--assay-report DIR` writes a page for each
test that asked something. Nothing of goldassay is loaded before a test asks, and a table is read
once in each process, however many tests ask.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from hashlib import sha256
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from goldassay.findings import Findings
    from goldassay.gates import Outcome

__all__ = ["Assay", "assay", "pytest_addoption", "pytest_configure", "pytest_terminal_summary"]

_PAGE = "assay page"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.getgroup("goldassay").addoption(
        "--assay-report",
        metavar="DIR",
        help="write a page of findings for each test that uses the fixture `assay`",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Refuse a folder for pages that cannot be one, before the first test runs."""
    folder = config.getoption("--assay-report")
    if folder is None:
        return
    path = Path(config.invocation_params.dir, folder)
    if any(one.exists() and not one.is_dir() for one in (path, *path.parents)):
        raise pytest.UsageError(f"--assay-report: must name a folder; found the file {folder!r}")


@pytest.fixture
def assay(request: pytest.FixtureRequest) -> Assay:
    """Hold findings about a judge against gates: `assay.require(source, gate, task=...)`."""
    return Assay(request.node)


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Where the pages are; with several workers each tells the one that prints."""
    reports = [one for told in terminalreporter.stats.values() for one in told]
    pages = dict.fromkeys(
        str(value)
        for one in reports
        for key, value in getattr(one, "user_properties", ())
        if key == _PAGE
    )
    if pages:
        terminalreporter.section("goldassay")
        for page in pages:
            terminalreporter.line(page)


class Assay:
    """What a test asks of ratings, and requires of what was found."""

    def __init__(self, item: pytest.Item) -> None:
        self._item = item
        self._pages = 0

    def require(
        self,
        source: Any,
        *gates: str,
        task: Any = None,
        question: str = "agree",
        passport: Any = None,
        judges: Any = None,
    ) -> Findings:
        """Ask a question of ratings and fail the test unless every gate holds.

        Parameters
        ----------
        source
            A path, paths, a frame or `Ratings`, of which the question is asked; or `Findings`,
            where the test asked already, with options of its own.
        gates
            What must hold of every result of a name: "cohen_kappa.low >= 0.6[judge=gpt]".
        task
            What the ratings mean: a path or a `Task`. A gate needs one: a guess is refused.
        question
            Which question: agree, select, audit, estimate, rank, report, ...
        passport
            The passport of the judge; it must be fresh, too (`passport_fresh`).
        judges
            Who the judges are now, to be held against the passport: a table, a store, a log.

        Returns
        -------
        The findings, for more assertions.
        """
        __tracebackhide__ = True
        from goldassay.errors import GoldassayError, UsageError
        from goldassay.findings import Findings

        wrong = ""
        try:
            if not gates:
                raise UsageError("assay.require", 'must name a gate, as "cohen_kappa.low >= 0.6"')
            asked_already = isinstance(source, Findings)
            if asked_already and (task is not None or passport is not None):
                raise UsageError("assay.require", "asks nothing of findings: no task, no passport")
            bound = (passport, judges)
            found = source if asked_already else self._asked(question, source, task, bound)
            if passport is not None:
                gates = (*gates, "passport_fresh >= 1")
            outcomes = found.held_against(*gates)
        except GoldassayError as error:
            wrong = str(error)
        if wrong:  # outside of the handler: the line alone is shown, not where it was raised
            pytest.fail(f"goldassay: {wrong}", pytrace=False)
        self._record(found, outcomes)
        if broken := [one for one in outcomes if not one.held]:
            pytest.fail("\n".join(_told(one) for one in broken), pytrace=False)
        return found

    def _asked(self, question: str, source: Any, task: Any, bound: tuple[Any, Any]) -> Findings:
        """The findings of a question; of the same files they are made once."""
        import goldassay
        from goldassay.errors import UsageError, shown
        from goldassay.verbs import VERBS

        verbs = {verb.name for verb in VERBS} & set(goldassay.__all__)
        ask = getattr(goldassay, question, None) if question in verbs else None
        if ask is None or "task" not in signature(ask).parameters:
            raise UsageError("question", "must be a question about ratings", found=shown(question))
        kept: dict[Any, Findings] = self._item.config.stash.setdefault(_ASKED, {})
        key = _same(question, source, task, bound)
        if key is None or key not in kept:
            found = _found(ask, source, task, bound)
            if key is None:
                return found
            kept[key] = found
        return kept[key]

    def _record(self, found: Findings, outcomes: Sequence[Outcome]) -> None:
        """Keep what was found with the test's report, and a page of it where one is asked for."""
        self._item.user_properties += [(one.gate.text, one.text) for one in outcomes]
        folder = self._item.config.getoption("--assay-report")
        if folder is None:
            return
        from dataclasses import replace

        self._pages += 1
        path = Path(self._item.config.invocation_params.dir, folder, self._page_name())
        path.parent.mkdir(parents=True, exist_ok=True)
        gates = {"gates": [one.to_json() for one in outcomes]}
        replace(found, more={**found.more, **gates}).save(path)
        self._item.user_properties.append((_PAGE, str(path)))

    def _page_name(self) -> str:
        """A file's name of its own for each page of each test, the same in every run."""
        node = self._item.nodeid
        words = re.sub(r"[^A-Za-z0-9]+", "-", node.rpartition("::")[2]).strip("-")[:60]
        digest = sha256(node.encode("utf-8", "surrogatepass")).hexdigest()[:8]
        number = f"-{self._pages}" if self._pages > 1 else ""
        return f"{words}-{digest}{number}.html"


_ASKED: pytest.StashKey[dict[Any, Any]] = pytest.StashKey()


def _found(ask: Callable[..., Findings], source: Any, task: Any, bound: Any) -> Findings:
    """What a question finds, and whether a passport still speaks of the judge."""
    passport, judges = bound
    if passport is None:
        return ask(source, task)
    if "passport" in signature(ask).parameters:
        return ask(source, task, passport=passport, judges=judges)
    from goldassay.questions.asking import ratings_of
    from goldassay.questions.standing import bound_to, with_passport

    read = bound_to(passport, judges)
    ratings = ratings_of(source, task)
    return with_passport(ask(ratings), read, source, ratings)


def _same(question: str, source: Any, task: Any, bound: tuple[Any, Any]) -> Any:
    """What tells two questions apart where all that is asked about are files; else None."""
    sources = [source] if isinstance(source, str | Path) else source
    if not isinstance(sources, list | tuple):
        return None
    others = (task, *bound)
    files = [*sources, *(one for one in others if one is not None)]
    try:
        states = [(str(file), Path(file).resolve(), Path(file).stat()) for file in files]
    except (OSError, TypeError, ValueError):  # a glob, a table of a store, what is no path
        return None
    told = tuple((name, path, state.st_mtime_ns, state.st_size) for name, path, state in states)
    return (question, len(sources), tuple(one is None for one in others), told)


def _told(outcome: Outcome) -> str:
    """A broken gate as a test's failure tells it."""
    from goldassay.gates import STATES
    from goldassay.words import bare, visible

    lines = [f"{outcome.gate.text} {STATES[outcome.state]}: {outcome.found}"]
    about = ", ".join(f"{key} {visible(name, 120)}" for key, name in outcome.about.items())
    lines += [f"  of: {about}"] if about else []
    lines.append(f"  found: {outcome.finding}")
    lines += [f"  stands {outcome.stands_on}"] if outcome.stands_on else []
    lines += [f"  why: {one.text}" for one in outcome.reasons]
    lines += [f"  {visible(bare(outcome.sentence), 1000)}"] if outcome.sentence else []
    return "\n".join(lines)
