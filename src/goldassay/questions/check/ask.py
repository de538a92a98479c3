"""What is in a table of ratings, and a task to start from."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

from goldassay.findings import Findings
from goldassay.proposals.declared import NOTHING
from goldassay.proposals.propose import guessed_ratings
from goldassay.questions.asking import TaskSource, Where, made, partial_task, ratings_of
from goldassay.questions.check.study import study
from goldassay.questions.check.tables import summary, tables
from goldassay.questions.check.words import answer, notes, warnings
from goldassay.ratings.narrowing import narrowing_of
from goldassay.ratings.table import Ratings

__all__ = ["check"]


def check(
    source: Any, task: TaskSource = None, *, only: Where = (), exclude: Where = ()
) -> Findings:
    """What is in a table, which questions it answers or could answer, and what looks wrong.

    Parameters
    ----------
    source
        A path, several paths, a frame of any library, or `Ratings`.
    task
        What the ratings mean; without it a task is guessed (`found.more["draft"]`, as TOML).
    only, exclude
        Rows that are looked at, and rows that are not: `["topic=law"]` or `{"topic": "law"}`.

    Returns
    -------
    Findings
        The summary has a line per question; tables of raters, labels and overlap; the exclusions
        that `agree` would make.

    Examples
    --------
    >>> import goldassay as ga
    >>> found = ga.check(ga.simulate(prompts=20).ratings())
    >>> print(found.answer[0])
    240 ratings of 60 outputs by 5 people and 1 judge, on a binary scale (`MET`, `UNMET`).
    """
    partial = None if isinstance(source, Ratings) else partial_task(task)
    if (task is not None and partial is None) or isinstance(source, Ratings):
        named = os.fspath(task) if isinstance(task, str | os.PathLike) else "TASK"
        asked = ("--task", named, *narrowing_of(only, exclude).options())
        return _checked(ratings_of(source, task, only=only, exclude=exclude), asked)
    narrowing = narrowing_of(only, exclude)
    ratings, draft = guessed_ratings(source, narrowing, partial or NOTHING)
    said = ("--task", str(task)) if isinstance(task, str | os.PathLike) else ()
    ratings = replace(ratings, asked=())  # they have a key of their own here
    found = _checked(ratings, (*said, *narrowing.options()))
    return replace(found, more={"draft": draft.to_toml(), "questions": list(draft.questions)})


def _checked(ratings: Ratings, asked: tuple[str, ...]) -> Findings:
    found = study(ratings, asked)
    return Findings(
        "check",
        answer=answer(found),
        notes=notes(found),
        summary=summary(found),
        tables=tables(found),
        warnings=warnings(found),
        **made(ratings, found.exclusions),
    )
