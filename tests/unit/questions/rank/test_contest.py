"""What goes into a ranking, and what is refused before any number."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from goldassay.counts import ScoreMatrix
from goldassay.errors import RatingsError
from goldassay.questions.rank.contest import Contest, contest_of_scores
from tests.support.contests import contest


def matrix(systems: tuple[str, ...], prompts: int) -> ScoreMatrix:
    shape = (prompts, len(systems))
    return ScoreMatrix(
        ("j",),
        (),
        tuple(f"i{i}" for i in range(prompts)),
        systems,
        np.arange(prompts),
        np.ones((1, *shape)),
        np.ones((0, *shape)),
        (),
        2,
    )


def test_too_few_systems_or_prompts_are_refused() -> None:
    with pytest.raises(RatingsError, match="at least two systems"):
        contest_of_scores(matrix(("only",), 2))
    with pytest.raises(RatingsError, match="at least two of them"):
        contest_of_scores(matrix(("a", "b"), 1))


def test_people_are_averaged_answer_by_answer() -> None:
    # Two people on two prompts and two systems; the second scored one answer only.
    first = [[1.0, 2.0], [3.0, np.nan]]
    second = [[3.0, np.nan], [np.nan, np.nan]]
    one = contest(prompts=2, systems=2, human_scores=np.array([first, second]))
    means = one.human_means()
    assert means is not None
    assert means[0] == pytest.approx([2.0, 2.0])  # (1 + 3) / 2, and 2 alone
    assert means[1, 0] == 3.0
    assert np.isnan(means[1, 1])


def test_preferences_are_compared_prompt_by_prompt_and_person_by_person() -> None:
    # On prompt 0 both people prefer the first system, on prompt 1 one prefers the second, one ties.
    people = np.array([[[2.0, 1.0], [1.0, 2.0]], [[3.0, 1.0], [1.0, 1.0]]])
    scores = np.array([[[2.0, 1.0], [1.0, 2.0]], [[1.0, 1.0], [2.0, 1.0]]])
    one = contest(prompts=2, systems=2, scores=scores, human_scores=people)
    # A cluster that holds both prompts holds the sums: no preference meets the other's verdict.
    together = replace(one, cluster=np.zeros(2, np.int64), n_clusters=1)
    for judge, agreed in ((0, [2, 1]), (1, [1, 0])):
        found = one.agreement(judge)
        assert found is not None
        assert [part.tolist() for part in found] == [agreed, [2, 1]]
        found = together.agreement(judge)
        assert found is not None
        assert [part.tolist() for part in found] == [[sum(agreed)], [3]]
    assert contest(human_scores=None).agreement(0) is None


def test_the_range_of_scores_is_the_judge_s_own_or_that_of_the_scale() -> None:
    scores = np.array([[[2.0, 3.0], [np.nan, 4.0]], [[10.0, 10.0], [10.0, 10.0]]])
    people = np.array([[[1.0, np.nan], [np.nan, np.nan]]])
    one = Contest(("a", "b"), ("x", "y"), np.arange(2), 2, 2, scores, people)
    assert (one.score_range(0), one.score_range(1)) == ((2.0, 4.0), (10.0, 10.0))
    assert replace(one, one_scale=True).score_range(0) == (1.0, 10.0)
    assert replace(one, scores=np.ones_like(scores), rates=True).score_range(1) == (0.0, 1.0)
