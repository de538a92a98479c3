"""What is said of a judge whose scores are nearly all one."""

import numpy as np

from goldassay.questions.rank.signs import said_of_unusual
from goldassay.questions.usual_score import unusual_scores


def test_the_ranking_says_it_once_for_a_judge() -> None:
    found = unusual_scores(np.ones(3), None)
    assert found is not None
    assert list(said_of_unusual("j", {})) == []
    (said,) = said_of_unusual("j", dict.fromkeys("abcde", found))
    assert said.startswith("`j` gave `a`, `b`, `c` and 2 more the same score on all prompts but 4")
