"""Paired scores: what counts twice, what counts once, and that no row is lost."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from goldassay.counts import (
    PairedScores,
    count_paired_scores,
    count_scores,
    count_statuses,
    count_wins,
)
from goldassay.counts.paired_scores import _moments
from goldassay.errors import RatingsError
from goldassay.ratings.table import Ratings, read_ratings
from goldassay.ratings.task import Task

SCORES = {"scale": "continuous", "invalid": ["?"]}


def table(folder: Path, text: str, **declared: object) -> Ratings:
    path = folder / "ratings.csv"
    path.write_text(text)
    return read_ratings(str(path), Task.from_mapping({**SCORES, **declared}))


def excluded(found: PairedScores) -> dict[str, int]:
    return {one.reason: one.rows for one in (*found.exclusions, *found.unpaired)}


def test_an_equal_row_is_no_repeat(tmp_path: Path) -> None:
    text = (
        "item,rater,kind,value\n1,j,judge,.5\n1,j,judge,.5\n1,h,human,.4\n2,j,judge,?\n2,j,judge,?"
    )
    ratings = table(tmp_path, text)
    found = count_paired_scores(ratings)
    assert found.repeats.tolist() == [[1]]
    assert excluded(found) == {"equal to another row": 2, "invalid": 1}
    assert count_statuses(ratings)["judge", "j"].sum(0).tolist() == [1, 0, 1, 0]


def test_two_scores_of_one_rater_conflict_unless_they_are_samples(tmp_path: Path) -> None:
    text = "item,rater,kind,value{}\n1,j,judge,.5{}\n1,j,judge,.7{}\n1,h,human,.4{}\n"
    plain = text.format("", "", "", "")
    with pytest.raises(RatingsError, match='Number repeats in a column "sample"'):
        count_paired_scores(table(tmp_path, plain))
    found = count_paired_scores(table(tmp_path, plain, duplicates="exclude"))
    assert found.judges == ()
    samples = text.format(",sample", ",1", ",2", ",1")
    found = count_paired_scores(table(tmp_path, samples))
    assert found.repeats.tolist() == [[2]]
    assert found.answer_judge.tolist() == found.answer_unit.tolist() == [0, 0]
    assert found.answer_score.tolist() == [0.5, 0.7]


def test_a_copy_of_an_invalid_row_is_excluded_once(tmp_path: Path) -> None:
    text = "item,system,rater,kind,value\n1,a,j,judge,?\n1,a,j,judge,?\n1,b,j,judge,.2\n"
    found = count_scores(table(tmp_path, text))
    assert {one.reason: one.rows for one in found.exclusions} == {
        "equal to another row": 1,
        "invalid": 1,
    }


def test_battles_without_a_verdict_are_refused(tmp_path: Path) -> None:
    text = "item,system,opponent,rater,kind,value\n1,a,b,j,judge,?\n2,a,b,j,judge,?\n"
    ratings = table(tmp_path, text, scale="pairwise", options=["A", "B"])
    with pytest.raises(RatingsError, match="no valid verdict of a battle"):
        count_wins(ratings)


def test_number_mean_and_unbiased_variance_of_each_cell() -> None:
    """Of 1 and 3 the variance is 2, of 1, 2 and 6 it is 7; of one score there is none."""
    cell, score = np.array([0, 0, 1, 2, 2, 2]), np.array([1.0, 3.0, 5.0, 1.0, 2.0, 6.0])
    number, mean, variance = _moments((cell,), score, (4,))
    assert number.tolist() == [2, 1, 3, 0]
    assert mean[:3].tolist() == [2, 5, 3]
    assert variance[[0, 2]].tolist() == [2, 7]
    assert np.isnan([mean[3], variance[1], variance[3]]).all()
