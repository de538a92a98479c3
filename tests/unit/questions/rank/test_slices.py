"""The same ranking within each label of a column."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from scipy import stats

from goldassay.errors import InputError
from goldassay.findings import Findings
from goldassay.questions.rank.ask import rank
from goldassay.questions.rank.slices import Slice, SliceGap, Slices
from goldassay.questions.rank.study import Options, study
from goldassay.questions.rank.words import answer, warnings
from goldassay.ratings.task import Task
from goldassay.results import Estimate, Interval
from tests.support.contests import contest

TASK = {"scale": "continuous"}


@pytest.fixture(scope="module")
def frame() -> pl.DataFrame:
    """Two judges on 24 prompts of two tasks; `good` knows the order in the one, not in the other.

    A third task has one prompt, which is too few to rank by.
    """
    rng = np.random.default_rng(3)
    rows = []
    for prompt in range(25):
        task = "odd" if prompt == 24 else ("code", "chat")[prompt % 2]
        for s, system in enumerate("abcd"):
            truth = -float(s)
            liked = {"code": truth, "chat": -truth, "odd": truth}[task]
            for rater, kind, score in (
                ("good", "judge", liked + rng.normal(0, 0.5)),
                ("noisy", "judge", truth + rng.normal(0, 2)),
                ("ann", "human", truth + rng.normal(0, 0.5)),
            ):
                rows.append((f"p{prompt}", system, rater, kind, f"{score}", task))
    columns = ["item", "system", "rater", "kind", "value", "kind of task"]
    return pl.DataFrame(rows, schema=columns, orient="row")


@pytest.fixture(scope="module")
def found(frame: pl.DataFrame) -> Findings:
    return rank(frame, TASK, by=["kind of task"], jury=["all"], resamples=100)


def test_a_slice_is_what_its_rows_alone_give(frame: pl.DataFrame, found: Findings) -> None:
    for label in ("code", "chat"):
        alone = rank(frame, TASK, only={"kind of task": label}, jury=["all"], resamples=100)
        mine = found.rows_where(**{"kind of task": label})
        assert len(mine) == len(alone.rows) > 40
        for row, other in zip(mine, alone.rows, strict=True):
            assert row.result == other.result
            assert {k: v for k, v in row.about.items() if k != "kind of task"} == other.about


def test_all_rows_are_as_without_slices(frame: pl.DataFrame, found: Findings) -> None:
    plain = rank(frame, TASK, jury=["all"], resamples=100)
    assert found.rows[: len(plain.rows)] == plain.rows


def test_taus_of_a_slice_by_hand(frame: pl.DataFrame, found: Findings) -> None:
    for label in ("code", "chat"):
        part = frame.filter(pl.col("kind of task") == label)
        means = {
            rater: [
                part.filter((pl.col("rater") == rater) & (pl.col("system") == s))["value"]
                .cast(float)
                .mean()
                for s in "abcd"
            ]
            for rater in ("good", "noisy", "ann")
        }
        for judge in ("good", "noisy"):
            (row,) = found.rows_where(
                name="kendall_tau", judge=judge, aggregation="mean", **{"kind of task": label}
            )
            assert isinstance(row.result, Estimate)
            by_hand = stats.kendalltau(means[judge], means["ann"]).statistic
            assert row.result.value == pytest.approx(by_hand)


def test_what_cannot_be_ranked_is_said(found: Findings) -> None:
    (told,) = (one for one in found.warnings if "`odd`" in one)
    assert told == (
        "Where `kind of task` is `odd` nothing is ranked: resampling prompts needs at least two "
        "of them."
    )
    assert [row[:3] for row in found.tables["by:kind of task"].rows] == [
        ("chat", 12, 4),
        ("code", 12, 4),
        ("odd", None, None),
    ]
    assert any("by kind of task" in title for title in found.charts)


def test_a_column_that_is_not_there_and_one_with_too_many_labels(frame: pl.DataFrame) -> None:
    with pytest.raises(InputError, match=r"must have a column 'kind of tsk'.*Did you mean"):
        rank(frame, TASK, by=["kind of tsk"])
    with pytest.raises(InputError, match=r"--by value: a column to slice by has at most 50 labels"):
        rank(frame, TASK, by=["value"])


@pytest.mark.parametrize(
    ("ends", "differ", "words"),
    [
        ((0.2, 0.9), True, "The order by `judge 0` is more like people's in `x` than in `y` ("),
        ((-0.1, 0.9), False, "By the order of `judge 0` no labels of `domain` can be told apart: "),
    ],
)
def test_words(ends: tuple[float, float], differ: bool, words: str) -> None:
    made = study(contest(judges=2), Task(scale="continuous"), options=Options(resamples=60))
    gap = Estimate("slice_difference", 0.5, Interval(*ends, 0.95, "made"))
    part = Slices(
        "domain",
        (Slice("x", made), Slice("y", made), Slice("z", None, "too small")),
        SliceGap("judge 0", "x", "y", gap),
    )
    told = next(one for one in answer(made, [part]) if one.key == "rank.slices")
    assert told.text.startswith(words)
    assert (told.facts["differ"], told.facts["without_tau"]) == (differ, ["z"])
    assert "`z` nothing is ranked: too small" in warnings(made, [part])[-1]
    assert "rank.slices" not in {one.key for one in answer(made, [replace(part, gap=None)])}


def test_one_judge_that_turns_the_order_round_is_found(found: Findings) -> None:
    (row,) = found.rows_where(name="slice_difference")
    assert row.about["column"] == "kind of task"
    assert isinstance(row.result, Estimate)
    assert row.result.interval is not None
    assert row.result.interval.low <= row.result.value <= row.result.interval.high
