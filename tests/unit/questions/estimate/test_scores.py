from __future__ import annotations

import numpy as np

from goldassay.counts import PairedScores
from goldassay.questions.estimate.scores import study_scores
from goldassay.ratings.task import Task
from goldassay.results import Estimate, Undefined

TASK = Task(scale="continuous", calibration="random")


def paired(cluster: list[int], people: list[float], judge: list[float]) -> PairedScores:
    n, known = len(cluster), ~np.isnan(people)
    return PairedScores(
        units=tuple((str(i),) for i in range(n)),
        item=np.arange(n),
        cluster=np.array(cluster),
        n_clusters=len(set(cluster)),
        by={},
        judges=("j",),
        judge=np.array([judge]),
        repeats=np.ones((1, n)),
        variance=np.full((1, n), np.nan),
        people=np.array(people),
        human_unit=np.flatnonzero(known),
        human_score=np.array(people)[known],
        humans=1,
    )


NO = float("nan")


def test_clusters_with_labels_are_named() -> None:
    scores = paired([5, 5, 7, 7, 9, 9], [1, NO, 2, NO, 4, NO], [1, 1, 2, 3, 4, 4])
    (mean,) = study_scores(scores, TASK).means
    assert isinstance(mean.mean, Estimate)
    assert mean.mean.interval is not None
    assert mean.mean.interval.method == (
        "PPI++, Student adjusted for skewness, 3 clusters with labels"
    )
    assert mean.mean.n_clusters == 3


def test_labels_of_one_cluster_do_not_tell_how_clusters_vary() -> None:
    scores = paired([5, 5, 7, 7, 9, 9], [1, 2, NO, NO, NO, NO], [1, 1, 2, 3, 4, 4])
    (mean,) = study_scores(scores, TASK).means
    assert isinstance(mean.mean, Undefined)
    assert "1 cluster" in mean.mean.reason
    assert mean.judged is None


def test_items_that_are_their_own_clusters_are_independent() -> None:
    scores = paired([5, 6, 7, 8], [1, 2, 3, NO], [1, 2, 2, 3])
    (mean,) = study_scores(scores, TASK).means
    assert isinstance(mean.mean, Estimate)
    assert mean.mean.interval is not None
    assert mean.mean.interval.method == "PPI++, Student adjusted for skewness"


def test_skewed_scores_reach_further_on_their_long_side_and_say_so() -> None:
    rng = np.random.default_rng(3)
    people = np.append(rng.lognormal(0, 1.5, 30), np.full(300, NO))
    judge = np.where(np.isnan(people), 1.0, people) * rng.lognormal(0, 0.5, 330)
    (found,) = study_scores(paired(list(range(330)), people, judge), TASK).means
    mean = found.mean
    assert isinstance(mean, Estimate)
    assert mean.interval is not None
    assert mean.interval.high - mean.value > 1.5 * (mean.value - mean.interval.low)
    assert "median stands beside" in mean.warnings[0]
    assert found.median is not None
    assert found.median.value == np.median(people[:30])
    # Binomial(30, 1/2): the hedged interval holds one half from 10 to 20 below.
    ordered = np.sort(people[:30])
    assert found.median.interval is not None
    assert found.median.interval.low == ordered[9]
    assert found.median.interval.high == ordered[20]


def test_two_scores_of_which_one_was_not_seen_still_have_an_interval() -> None:
    people, judge = [0.0] * 30 + [NO] * 100, [0.0] * 100 + [1.0] * 30
    (found,) = study_scores(paired(list(range(130)), people, judge), TASK).means
    assert isinstance(found.mean, Estimate)
    assert found.mean.interval is not None
    assert found.mean.interval.high > 0.05
    assert not found.mean.warnings


def test_scores_that_are_nearly_all_one_say_so() -> None:
    """Nobody sees how often or how far scores stray; where there are but two, how far is known."""

    def warned(people: list[float], judge: list[float], cluster: list[int] | None = None) -> str:
        given = people + [NO] * 60, judge + [0.1 * k for k in range(60)]
        codes = cluster or list(range(len(people) + 60))
        (found,) = study_scores(paired(codes, *given), TASK).means
        assert isinstance(found.mean, Estimate)
        return " ".join(found.mean.warnings)

    none = "none of 20 labelled items has a score other than 0"
    assert warned([0.0] * 20, [0.1] * 20).startswith(none)
    one = "only 1 of 20 labelled items has a score other than 0"
    assert warned([3.0] + [0.0] * 19, [0.1] * 20).startswith(one)
    assert not warned([1.0, 1.0] + [0.0] * 18, [0.1] * 20)  # twice the same: there are two
    clusters = [k // 4 for k in range(80)]
    told = "only 1 of 5 labelled clusters has a score other than 0"
    assert told in warned([3.0] + [0.0] * 19, [0.1] * 20, clusters)
    # Far ones among the labels are skewness that is seen, of which more is said.
    assert "so skewed" in warned([3.0, 2.0, 1.0] + [0.0] * 17, [0.1] * 20)
    assert not warned([0.3 * k for k in range(20)], [0.3 * k for k in range(20)])


def test_half_of_the_scores_at_an_end_and_few_clusters_are_skewed_sooner() -> None:
    """The others go one way alone; the same skewness of scores that go both ways is chance."""
    cluster = np.repeat(np.arange(12), 4)
    far = np.repeat([0.2, 0.3, 0.5, 0.6, 0.8, 1.0, 1.2, 1.5, 1.8, 2.1, 2.4, 3.0], 4)
    at_an_end = np.where(np.arange(48) % 2, far, 0.0)
    near_it = at_an_end + np.arange(48) * 1e-6

    def warned(people: np.ndarray) -> bool:
        codes = [*cluster.tolist(), *range(12, 72)]
        given = [*people.tolist(), *[NO] * 60], [1.0] * 48 + [0.05 * k for k in range(60)]
        (found,) = study_scores(paired(codes, *given), TASK).means
        assert isinstance(found.mean, Estimate)
        return any("so skewed" in one for one in found.mean.warnings)

    assert warned(at_an_end)
    assert warned(-at_an_end)
    assert not warned(near_it)
    assert not warned((np.arange(48) % 2).astype(float))
