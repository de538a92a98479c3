"""May the judge stand in for a person?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from goldassay.counts import count_persons
from goldassay.errors import RatingsError
from goldassay.findings import Findings
from goldassay.questions.asking import TaskSource, Where, made, ratings_of, require_judge, several
from goldassay.questions.drawing import by_verdict, draw_said, strata_said
from goldassay.questions.facts import handled
from goldassay.questions.replace.charts import charts
from goldassay.questions.replace.study import Settings, study
from goldassay.questions.replace.tables import summary, tables
from goldassay.questions.replace.words import answer, notes, warnings
from goldassay.questions.weighing import weights_said
from goldassay.ratings.table import Ratings
from goldassay.words import listed, named

__all__ = ["replace"]


def replace(
    source: Any,
    task: TaskSource = None,
    *,
    only: Where = (),
    exclude: Where = (),
    by: Sequence[str] = (),
    epsilon: float = 0.15,
    min_items: int = 30,
) -> Findings:
    """Whether each judge is as close to people as they are to one another, less epsilon.

    Parameters
    ----------
    source
        A path, several paths, a frame of any library, or `Ratings`.
    task
        What the ratings mean: a path, a `Task` or a mapping of its keys.
    only, exclude
        Rows that are looked at, and rows that are not: `["topic=law"]` or `{"topic": "law"}`.
    by
        Columns of items (a topic, a criterion): each of their labels by itself, too.
    epsilon
        How much closer a person may be and still be replaced, since a judge costs less: 0.2 for
        experts, 0.15 for skilled raters, 0.1 for a crowd.
    min_items
        People with fewer items, which another person and the judge rated too, are left out.

    Returns
    -------
    Findings
        For each judge `winning_rate` and `advantage_probability`; for each judge and person the
        `advantage`. The document's `tests` hold each p-value.

    Notes
    -----
    The alternative annotator test: the judge may stand in for a person where it is shown, for at
    least half of the people, to be at least as close to the others as that person, less epsilon.
    Items (their clusters) are taken to be drawn independently; people are those who rated.

    References
    ----------
    Calderon, Reichart and Dror (2025), "The alternative annotator test for LLM-as-a-judge: how to
    statistically justify replacing human annotators with LLMs"; Benjamini and Yekutieli (2001),
    "The control of the false discovery rate in multiple testing under dependency"; Tango (1998),
    "Equivalence test and confidence interval for the difference in proportions for the
    paired-sample design", whose score test stands in for the paper's t-test.

    Examples
    --------
    >>> import goldassay as ga
    >>> study = ga.Study(judges={"gpt": {"sensitivity": 0.95, "specificity": 0.95}})
    >>> found = ga.replace(ga.simulate(study).ratings())
    >>> found["winning_rate", "gpt"].value
    1.0
    """
    by = several(by)
    settings = Settings(epsilon, min_items)
    ratings = ratings_of(source, task, only=only, exclude=exclude)
    _check_raters(ratings)
    counted = count_persons(ratings, by=by)
    if not counted.judges or len(counted.people) < 2:
        raise RatingsError(
            ratings.name,
            "two people and a judge must have rated the same items",
            found="no item with two people's ratings and a judge's",
            next_step="Have a second person label items that the judge rated",
        )
    found = study(counted, ratings.task, settings, place=ratings.name)
    return Findings(
        "replace",
        rows=handled(
            found.rows(), ratings.task, epsilon=settings.epsilon, min_items=settings.min_items
        ),
        answer=answer(found),
        summary=summary(found),
        notes=(*notes(found), *weights_said(ratings, "replace", used=False)),
        tables=tables(found),
        pictures=charts(found),
        warnings=warnings(found),
        more={"tests": found.tests()},
        **made(
            ratings,
            counted.exclusions,
            weighs_raters=False,
            said=(*draw_said(ratings.task, by_verdict(ratings), "once"), *strata_said(ratings)),
        ),
    )


_NO_PERSON = "declared a reference, which is no independent person"


def _check_raters(ratings: Ratings) -> None:
    """A judge and two people, or an error that says which is missing."""
    require_judge(ratings, "a judge is held against people")
    people = 0 if ratings.references else len(ratings.humans)
    if people < 2:
        beside = f", but {listed(list(map(named, ratings.references)))}, {_NO_PERSON}"
        raise RatingsError(
            f"{ratings.name}, column rater",
            "at least two people (better three) must have rated the same items, to tell how close "
            "people are to one another",
            found=f"{people or 'no'} {'person' if people == 1 else 'people'}"
            + (beside if ratings.references else ""),
            next_step=f"Have {'a second and a third person' if people else 'three people'} label "
            "at least 30 items each",
        )
