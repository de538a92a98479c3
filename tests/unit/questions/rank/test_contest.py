"""What goes into a ranking, and what is refused before any number."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from goldassay.counts import ScoreMatrix
from goldassay.errors import RatingsError
from goldassay.questions.rank.contest import Contest, contest_of_scores, people_votes
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


def test_peoples_comparisons_are_counted_one_by_one() -> None:
    # On prompt 0 both prefer the first system, on prompt 1 one prefers the second, one ties.
    people = np.array([[[2.0, 1.0], [1.0, 2.0]], [[3.0, 1.0], [1.0, 1.0]]])
    compared = contest(prompts=2, systems=2, human_scores=people).human_comparisons()
    assert compared is not None
    assert compared.wins[:, 0].tolist() == [2, 0]
    assert compared.losses[:, 0].tolist() == [0, 1]
    assert compared.ties[:, 0].tolist() == [0, 1]
    assert contest(human_scores=None).human_comparisons() is None


@pytest.mark.parametrize(
    ("reference", "tied", "votes", "kept"),
    [
        ("each", "exclude", [[2, 0, 0], [0, 1, 0], [1, 1, 0]], [True, True, True]),
        ("majority", "exclude", [[1, 0, 0], [1, 0, 0], [0, 0, 1]], [True, False, False]),
        ("majority", "first", [[1, 0, 0], [1, 0, 0], [0, 0, 1]], [True, False, True]),
        (
            "soft",
            "exclude",
            [[2 / 3, 1 / 3, 0], [2 / 3, 1 / 3, 0], [0.5, 0.5, 0]],
            [True, False, True],
        ),
    ],
)
def test_votes_count_as_the_reference_says(
    reference: str, tied: str, votes: list[list[float]], kept: list[bool]
) -> None:
    # The first battle has two votes for the first system and one against, the second one each.
    wins = np.array([[2.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]])
    found, rows = people_votes(wins, np.array([0, 0, 1]), reference, tied)
    assert found == pytest.approx(np.array(votes))
    assert rows.tolist() == kept


def test_the_range_of_scores_is_the_judge_s_own_or_that_of_the_scale() -> None:
    scores = np.array([[[2.0, 3.0], [np.nan, 4.0]], [[10.0, 10.0], [10.0, 10.0]]])
    people = np.array([[[1.0, np.nan], [np.nan, np.nan]]])
    one = Contest(("a", "b"), ("x", "y"), np.arange(2), 2, 2, scores, people)
    assert (one.score_range(0), one.score_range(1)) == ((2.0, 4.0), (10.0, 10.0))
    assert replace(one, one_scale=True).score_range(0) == (1.0, 10.0)
    assert replace(one, scores=np.ones_like(scores), rates=True).score_range(1) == (0.0, 1.0)
