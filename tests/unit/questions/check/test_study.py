"""What a table holds, as `check` counts it."""

from __future__ import annotations

from typing import Any

import polars as pl

from goldassay.questions.check.study import study
from goldassay.questions.check.words import warnings
from goldassay.ratings.table import read_ratings
from goldassay.ratings.task import Task

TASK: dict[str, Any] = {"scale": "binary", "options": ["yes", "no"], "positive": "yes"}


def frame(**columns: Any) -> pl.DataFrame:
    """A person and a judge on six items."""
    rows = [
        {"item": f"q{n}", "rater": rater, "kind": kind, "value": "yes" if n % 2 else "no"}
        | {name: one(n) for name, one in columns.items()}
        for n in range(6)
        for rater, kind in (("ann", "human"), ("gpt", "judge"))
    ]
    return pl.DataFrame(rows)


def checked(table: pl.DataFrame, **keys: Any) -> Any:
    return study(read_ratings(table, Task.from_mapping({**TASK, **keys})))


def test_a_column_of_clusters_that_the_task_does_not_use_is_told() -> None:
    pages = frame(cluster=lambda n: f"page {n // 2}")
    unused = checked(pages, cluster="item")
    assert unused.unused_cluster
    said = 'The table has a column cluster, but the task says cluster = "item".'
    assert said in warnings(unused)
    for used in (checked(pages, cluster="cluster"), checked(frame(), cluster="item")):
        assert not used.unused_cluster
        assert said not in warnings(used)


def test_what_is_counted() -> None:
    found = checked(frame(cluster=lambda n: f"page {n // 4}"), cluster="cluster")
    assert (found.rows_read, found.units, found.people, found.judges) == (12, 6, 1, 1)
    assert found.clusters is not None
    one = found.clusters
    assert (one.number, one.smallest, one.largest, one.mean) == (2, 2, 4, 3)


def test_numbers_are_counted_without_options() -> None:
    found = study(read_ratings(frame().with_columns(value=pl.lit("0.5")), Task(scale="continuous")))
    assert (found.scale, found.units, found.people, found.judges) == ("continuous", 6, 1, 1)
    assert {one.rater for one in found.raters} == {"ann", "gpt"}


def test_of_two_judges_one_may_abstain() -> None:
    """Where one is silent they do not agree, which tells how sure a verdict is."""

    def tell(silent: int) -> bool:
        second = frame().filter(pl.col("kind") == "judge").with_columns(rater=pl.lit("claude"))
        mute = pl.col("item").is_in([f"q{n}" for n in range(silent)])
        second = second.with_columns(value=pl.when(mute).then(pl.lit("unsure")).otherwise("value"))
        found = checked(pl.concat([frame(), second]), abstain=["unsure"])
        (route,) = [one for one in found.questions if one.verb == "route"]
        return bool(route.now)

    assert not tell(0)  # they agree on every item
    assert tell(2)
    assert not tell(6)


def test_a_reference_is_no_person() -> None:
    rows = frame().with_columns(kind=pl.col("kind").replace("human", "reference"))
    found = checked(rows)
    assert (found.people, found.references, found.judges) == (0, 1, 1)


def test_one_class_leaves_a_judge_to_choose_for_another_goal_than_a_rate() -> None:
    rows = frame().with_columns(
        value=pl.when(pl.col("kind") == "human").then(pl.lit("yes")).otherwise(pl.col("value"))
    )
    more = rows.with_columns(rater=pl.col("rater").str.replace("gpt", "llm"))
    table = pl.concat([rows, more.filter(pl.col("kind") == "judge")])
    now = {
        goal: {one.verb: one.unlock for one in checked(table, goal=goal).questions}["select"]
        for goal in ("prevalence", "filter")
    }
    assert now["prevalence"].startswith("labels of a second class")
    assert now["filter"] == ""
