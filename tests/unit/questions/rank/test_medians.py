"""The interval of a median: order statistics where prompts are many, the range where few."""

import numpy as np
import pytest

from goldassay.questions.rank.medians import median_ends


def ends(scores: list[float] | np.ndarray, cluster: np.ndarray | None = None) -> tuple:
    column = np.asarray(scores, np.float64)[:, None]
    worth = len(column) if cluster is None else int(cluster.max()) + 1
    low, high = median_ends(
        column, np.nanmedian(column, axis=0), cluster, (-9.0, 99.0), confidence_level=0.95,
        worth=worth,
    )  # fmt: skip
    return float(low[0]), float(high[0])


@pytest.mark.parametrize("number", [2, 3, 5])
def test_up_to_five_prompts_may_all_lie_on_one_side(number: int) -> None:
    assert ends(np.arange(number)) == (-9.0, 99.0)


@pytest.mark.parametrize(
    ("number", "first"),
    # The sign test's order statistics: P(Binomial(n, 1/2) < k) is at most .025 (.032 at 17).
    [(6, 1), (9, 2), (12, 3), (25, 8), (100, 40)],
)
def test_the_ends_are_order_statistics_of_the_sign_test(number: int, first: int) -> None:
    low, high = ends(np.arange(1, number + 1))
    assert abs(low - first) <= 1
    assert low + high == number + 1


def test_ties_are_values_like_others() -> None:
    assert ends([3.0] * 20) == (3.0, 3.0)
    low, high = ends([1.0] * 4 + [3.0] * 16)
    assert (low, high) == (3.0, 3.0)


def test_clusters_of_one_score_count_once() -> None:
    scores, cluster = np.repeat(np.arange(5.0), 8), np.repeat(np.arange(5), 8)
    assert ends(scores, cluster) == (-9.0, 99.0)
    low, high = ends(scores)
    assert (low, high) == (1.0, 3.0)


def test_missing_scores_are_left_out() -> None:
    column = np.array([1.0, np.nan, 2.0, 3.0, np.nan, 4.0, 5.0, 6.0, 7.0])
    low, high = ends(column)
    assert 1.0 <= low < 4.0 < high <= 7.0
    nothing = median_ends(
        np.full((3, 1), np.nan), np.array([np.nan]), None, (0, 1), confidence_level=0.95, worth=3
    )
    assert np.isnan(nothing).all()
