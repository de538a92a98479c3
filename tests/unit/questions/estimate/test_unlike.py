from __future__ import annotations

import numpy as np

from goldassay.counts.paired_scores import PairedScores
from goldassay.questions.estimate.means import Moments, ScoreSums, moments
from goldassay.questions.estimate.scores import study_scores
from goldassay.questions.estimate.unlike import unlike_labelled, unlike_warnings
from goldassay.ratings.task import Task
from goldassay.results import Estimate


def _judged(means: list[float], size: int, labelled: int) -> tuple[Moments, ScoreSums]:
    """Clusters of `size` items around these means of the judge's; the first ones are labelled."""
    rng = np.random.default_rng(2)
    scores = np.array(means)[:, None] + rng.normal(0, 0.5, (len(means), size))
    known = np.arange(len(means)) < labelled
    sums = np.where(known, scores.sum(1), 0.0)
    sizes = np.where(known, float(size), 0.0)
    rest = np.where(known, 0.0, scores.sum(1))
    found = ScoreSums(sizes, sums, sums, size - sizes, rest, np.ones(len(means), np.int64))
    return moments(scores[known].ravel(), scores[known].ravel()), found


def test_clusters_that_no_labelled_one_is_like_are_counted() -> None:
    alike = [4.0] * 30
    assert unlike_labelled(*_judged(alike, 10, 12)) == 0
    assert unlike_labelled(*_judged([*alike, 1.0, 1.2], 10, 12)) == 2
    # One item tells less of its cluster than ten.
    assert unlike_labelled(*_judged([*alike, 2.4], 10, 12)) == 1
    assert unlike_labelled(*_judged([*alike, 2.4], 1, 12)) == 0
    # A labelled cluster of the kind shows how far clusters go.
    assert unlike_labelled(*_judged([1.0, *alike, 1.2], 10, 12)) == 0


def test_too_few_labelled_clusters_or_none_without_labels_tell_nothing() -> None:
    assert unlike_labelled(*_judged([4.0, 4.0, 1.0], 10, 2)) == 0
    assert unlike_labelled(*_judged([4.0] * 5, 10, 5)) == 0


def test_the_warning_says_how_many_and_what_to_do() -> None:
    assert unlike_warnings(0, "grades") == ()
    (one,), (two,) = unlike_warnings(1, "scores"), unlike_warnings(2, "grades")
    assert one.startswith("the judge scores 1 cluster without labels unlike all that have some")
    assert one.endswith("label items of it")
    assert two.startswith("the judge grades 2 clusters without labels")
    assert two.endswith("label items of these")


def test_a_mean_of_real_scores_has_it_too() -> None:
    rng, clusters, size = np.random.default_rng(4), 30, 8
    cluster = np.repeat(np.arange(clusters), size)

    def warned(last: float) -> tuple[str, ...]:
        true = np.where(cluster == clusters - 1, last, 4.0) + rng.normal(0, 0.5, len(cluster))
        judge = true + rng.normal(0, 0.3, len(cluster))
        people = np.where(cluster < 12, true, np.nan)
        units = len(cluster)
        scores = PairedScores(
            units=tuple((f"i{k}",) for k in range(units)),
            item=np.arange(units),
            cluster=cluster,
            n_clusters=clusters,
            by={},
            judges=("j",),
            judge=judge[None],
            repeats=np.ones((1, units)),
            variance=np.full((1, units), np.nan),
            people=people,
            human_unit=np.flatnonzero(~np.isnan(people)),
            human_score=people[~np.isnan(people)],
            humans=1,
        )
        mean = study_scores(scores, Task(scale="continuous")).means[0].mean
        assert isinstance(mean, Estimate)
        return mean.warnings

    assert warned(4.0) == ()
    assert warned(0.0) == unlike_warnings(1, "scores")
