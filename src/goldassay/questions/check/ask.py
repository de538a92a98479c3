"""What is in a table of ratings, and a task to start from."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from goldassay.findings import Findings
from goldassay.questions.asking import TaskSource, made, ratings_of
from goldassay.questions.check.study import study
from goldassay.questions.check.tables import tables
from goldassay.questions.check.words import sentences, warnings
from goldassay.ratings.propose import propose
from goldassay.ratings.table import Ratings, read_ratings
from goldassay.ratings.task import Task
from goldassay.results import Table

__all__ = ["check"]


def check(source: Any, task: TaskSource = None) -> Findings:
    """Raters, labels, repeats, gaps and clusters of a table, and what would be left out.

    Parameters
    ----------
    source
        A path, several paths, a frame of any library, or `Ratings`.
    task
        What the ratings mean; without it a task is drafted (`found.more["draft"]`, as TOML).

    Returns
    -------
    Findings
        Tables of raters, labels and overlap; the exclusions that `agree` would make.

    Examples
    --------
    >>> import goldassay as ga
    >>> found = ga.check(ga.simulate(prompts=20).ratings())
    >>> print(found.answer[0])
    240 ratings of 60 units by 5 people and 1 judge.
    """
    if task is not None or isinstance(source, Ratings):
        return _checked(ratings_of(source, task))
    drafted = propose(source)
    text = drafted.to_toml()
    found = _checked(read_ratings(source, Task.from_mapping(drafted.task, place="drafted task")))
    lines = tuple((line,) for line in text.splitlines())
    draft = Table("A draft of the task file, to be corrected", ("",), lines)
    return replace(found, tables={**found.tables, "draft": draft}, more={"draft": text})


def _checked(ratings: Ratings) -> Findings:
    found = study(ratings)
    return Findings(
        "check",
        answer=sentences(found),
        tables=tables(found),
        warnings=warnings(found),
        **made(ratings, found.exclusions),
    )
