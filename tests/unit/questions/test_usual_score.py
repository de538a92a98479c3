"""Scores that are nearly all one are seen and said."""

import numpy as np

from goldassay.questions.usual_score import HANDFUL, unusual_scores


def test_a_handful_of_other_scores_is_seen() -> None:
    scores = np.array([0.5] * 30 + [2.0, 1.0, np.nan])
    found = unusual_scores(scores, None)
    assert found is not None
    assert (found.usual, found.others, found.number) == (0.5, 2, 32)
    assert found.warning.startswith("only 2 of 32 prompts have a score other than 0.5:")
    one = unusual_scores(np.array([1.0, 1.0, 3.0]), None)
    assert one is not None
    assert "only 1 of 3 prompts has a score" in one.warning
    same = unusual_scores(np.array([1.0, 1.0]), None)
    assert same is not None
    assert same.warning.startswith("none of 2 prompts has")


def test_scores_that_vary_are_not() -> None:
    assert unusual_scores(np.arange(3.0), None) is None
    assert unusual_scores(np.array([1.0] * 20 + list(range(2, 3 + HANDFUL))), None) is None
    assert unusual_scores(np.array([np.nan]), None) is None


def test_clusters_count_once() -> None:
    scores = np.array([1.0] * 20 + [2.0] * 10)
    assert unusual_scores(scores, None) is None
    found = unusual_scores(scores, np.repeat(np.arange(6), 5))
    assert found is not None
    assert (found.others, found.number, found.thing) == (2, 6, "cluster")
