"""Real-valued scores: people's mean score behind each judge's, by PPI++."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from goldassay.counts import PairedScores
from goldassay.frozen import dataclass
from goldassay.inference.proportions import binomial
from goldassay.inference.skewed import (
    LARGER_SKEW,
    LEAST_SKEW,
    SKEW_OF_SUMS,
    SKEWED,
    SKEWED_AT_AN_END,
    skewness,
)
from goldassay.questions.cluster_sizes import size_warnings
from goldassay.questions.estimate.estimators import POWER_TUNED
from goldassay.questions.estimate.means import (
    ScoreSums,
    Spread,
    cluster_influence,
    clustered_ppi_spread,
    item_influence,
    moments,
    padded_clusters,
    ppi_spread,
    skew_adjusted,
)
from goldassay.questions.estimate.subject import Subject
from goldassay.questions.estimate.unlike import unlike_labelled, unlike_warnings
from goldassay.questions.usual_score import Unusual, unusual_scores
from goldassay.ratings.task import Task
from goldassay.results import Estimate, Interval, Result, Row, Undefined

__all__ = [
    "JudgeMean",
    "MeansStudy",
    "PeopleMean",
    "ScoredItems",
    "ScoredMean",
    "ScoredPart",
    "labelled_units",
    "people_means",
    "score_sums",
    "scored_part",
    "study_scores",
]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]

#: What stands at a mean that a few large scores carry.
TOO_SKEWED = (
    "the labelled scores are so skewed that rare large ones, not among the labels, may move the "
    "mean: its interval may be too short; the median stands beside it"
)
#: Ranges of scores that share less than this of the shorter, or differ in size by more than this
#: factor, are taken to be of different scales: stars beside percentages, penalties beside
#: probabilities. An assumption: a judge that keeps to the top twentieth of people's scale looks
#: like one of another scale.
SHARED_RANGE, OTHER_SIZE = 0.05, 10.0


@dataclass(frozen=True, slots=True)
class JudgeMean:
    """People's mean score behind a judge's, by criterion and system."""

    subject: Subject
    mean: Result
    #: The judge's own mean, where there is a corrected one.
    judged: Estimate | None
    #: Items with a person's score and the judge's.
    labelled: int
    #: The median of people's scores, where these are so skewed that their mean is hardly known.
    median: Estimate | None = None
    #: Items that a person scored, with the judge's score or without.
    scored_by_people: int = 0
    #: Whether these are the items that the judge decides, and others have no verdict.
    of_decided: bool = False
    #: Whether the judge's scores go over another range than people's, so that means do not compare.
    other_scale: bool = False

    @property
    def all_labelled(self) -> bool:
        """Nothing is left to correct: people scored every item that the judge did."""
        return self.labelled == self.mean.n_items > 0

    def rows(self) -> Iterator[Row]:
        yield Row(self.mean, self.subject.named)
        if self.median is not None:
            yield Row(self.median, self.subject.named)
        if self.judged is not None:
            yield Row(self.judged, self.subject.named)


@dataclass(frozen=True, slots=True)
class PeopleMean:
    """People's mean score of a system (on a criterion), and the judges of the same items."""

    criterion: str | None
    system: str | None
    mean: Estimate
    labelled: int
    judges: tuple[JudgeMean, ...]

    @property
    def label(self) -> str:
        return " · ".join(part for part in (self.system, self.criterion) if part)

    def rows(self) -> Iterator[Row]:
        """The mean once, which is no judge's, and each judge's own."""
        parts = {"criterion": self.criterion, "system": self.system}
        about = {key: value for key, value in parts.items() if value}
        first = max(self.judges, key=lambda one: one.labelled)
        yield Row(self.mean, about)
        if first.median is not None:
            yield Row(first.median, about)
        for one in self.judges:
            if one.judged is not None:
                yield Row(one.judged, one.subject.named)


@dataclass(frozen=True, slots=True)
class MeansStudy:
    """Mean scores of all judges; `design` is how labels were drawn, as declared."""

    design: str | None
    means: tuple[JudgeMean, ...]
    #: What is scored once.
    unit: str = "item"
    #: Criteria of the ratings, with those that no judge graded.
    criteria: int = 0

    def rows(self) -> tuple[Row, ...]:
        """People's own means once for each system, then those that are corrected, by judge."""
        people = people_means(self)
        theirs = {id(judge) for one in people for judge in one.judges}
        own = (row for one in people for row in one.rows())
        rest = (row for one in self.means if id(one) not in theirs for row in one.rows())
        return (*own, *rest)


def people_means(study: MeansStudy) -> tuple[PeopleMean, ...]:
    """The means that are people's own, the highest first: every judged item of them is labelled.

    That of the judge of most items stands for it, where it saw all that people scored.
    """
    parts: dict[tuple[str | None, str | None], list[JudgeMean]] = {}
    for one in study.means:
        if isinstance(one.mean, Estimate):
            parts.setdefault((one.subject.criterion, one.subject.system), []).append(one)
    found = []
    for (criterion, system), judges in parts.items():
        widest = max(judges, key=lambda one: one.labelled)
        assert isinstance(widest.mean, Estimate)
        if all(one.all_labelled for one in judges) and widest.labelled == widest.scored_by_people:
            found.append(PeopleMean(criterion, system, widest.mean, widest.labelled, tuple(judges)))
    return tuple(sorted(found, key=lambda one: (one.criterion or "", -one.mean.value)))


def study_scores(scores: PairedScores, task: Task) -> MeansStudy:
    """The mean of people's scores, over items they scored and did not, by criterion and system.

    Labelled items are those that people scored; with a split, the calibration items among them.
    Several people's scores of an item are averaged.
    """
    labelled = labelled_units(scores)
    other = {
        judge: _other_scale(scores.people, own)
        for judge, own in zip(scores.judges, scores.judge, strict=True)
    }
    parts = product(_parts(scores, "criterion"), _parts(scores, "system"))
    means = (
        replace(
            _mean(
                scores,
                Subject(judge, criterion, system),
                scored_part(scores, judge, inside & own, labelled, design=task.calibration),
                task.confidence_level,
            ),
            other_scale=other[judge],
        )
        for (criterion, inside), (system, own) in parts
        for judge in scores.judges
    )
    return MeansStudy(task.calibration, tuple(means))


def _other_scale(people: Array, judge: Array) -> bool:
    """Whether a judge's scores and people's hardly overlap, or go over ranges of other sizes.

    >>> stars, errors = np.array([1.0, 3.0, 5.0]), np.array([-25.0, -1.0, 0.0])
    >>> _other_scale(errors, stars), _other_scale(stars, 20 * stars), _other_scale(stars, stars + 1)
    (True, True, False)
    """
    people, judge = people[~np.isnan(people)], judge[~np.isnan(judge)]
    if not len(people) or not len(judge):
        return False
    low, high = max(people.min(), judge.min()), min(people.max(), judge.max())
    short, long = sorted((np.ptp(people), np.ptp(judge)))
    if short == 0:  # one score says nothing of a range
        return bool(high < low)
    return bool(high - low < SHARED_RANGE * short or long > OTHER_SIZE * short)


def labelled_units(scores: PairedScores) -> Mask:
    """The units that people scored; with a split, the calibration items among them."""
    labelled = ~np.isnan(scores.people)
    if "split" in scores.by and "calibration" in scores.by["split"].labels:
        split = scores.by["split"]
        labelled &= split.codes == split.labels.index("calibration")
    return labelled


def _parts(scores: PairedScores, column: str) -> list[tuple[str | None, Mask]]:
    everything = np.ones(len(scores.people), bool)
    if column not in scores.by or scores.by[column].labels in ((), ("",)):
        return [(None, everything)]
    by = scores.by[column]
    return [(label or None, by.codes == index) for index, label in enumerate(by.labels)]


@dataclass(frozen=True, slots=True)
class ScoredPart:
    """The units of a part that a mean is of: labelled ones, and others with the judge's score.

    `machine` [U] are the judge's scores. Where the judge is silent on some of a part all of which
    is labelled, its mean stands for them: it has no weight there. `own` are those that it scored,
    `scored_by_people` those with a label, whether the mean is of them or not.
    """

    both: Mask
    rest: Mask
    own: Mask
    machine: Array
    scored_by_people: int


def scored_part(
    scores: PairedScores, judge: str, part: Mask, labelled: Mask, *, design: str | None
) -> ScoredPart:
    """The units of a part by whether they are labelled.

    Those that the judge scored; where people scored every one that it, or no judge, was asked
    about, all of these, as with options.
    """
    index = scores.judges.index(judge)
    machine, given = scores.judge[index], ~np.isnan(scores.judge)
    seen = own = part & given[index]
    if scores.without is not None and design != "by_label":
        asked = scores.asked
        here = part & (asked[index] | ~asked.any(axis=0))
        if own.any() and not (here & ~labelled).any() and (here & ~own).any():
            seen, machine = here, np.where(given[index], machine, machine[own].mean())
    return ScoredPart(seen & labelled, seen & ~labelled, own, machine, int((part & labelled).sum()))


def _mean(
    scores: PairedScores, subject: Subject, part: ScoredPart, confidence_level: float
) -> JudgeMean:
    """The mean of a part of the items."""
    both, rest, machine = part.both, part.rest, part.machine
    n_items, n_labelled = int((both | rest).sum()), int(both.sum())
    if n_labelled < 2:
        reason = f"{n_labelled} items have a person's score and the judge's"
        return JudgeMean(subject, Undefined("mean_score", reason, n_items), None, n_labelled)
    unscored = part.scored_by_people - n_labelled
    sums = score_sums(scores, machine, both, rest)
    lone = len(sums.times) == n_items
    if not lone and sums.labelled_clusters < 2:
        reason = "the labelled items are of 1 cluster, which does not say how clusters vary"
        return JudgeMean(subject, Undefined("mean_score", reason, n_items), None, n_labelled)
    found = ScoredItems(scores.people[both], machine[both], machine[rest])
    corrected = found.mean(None if lone else sums)
    low, high = corrected.ends(confidence_level)
    skew = corrected.skew
    method = "PPI++, Student" if abs(skew) < LEAST_SKEW else "PPI++, Student adjusted for skewness"
    if not lone:
        method += f", {sums.labelled_clusters} clusters with labels"
    # The judge takes some of the skew away from the estimate, and may hide where it comes from.
    own_skew = skewness(found.human - found.human.mean())
    least = SKEWED if lone or not _half_at_an_end(found.human) else SKEWED_AT_AN_END
    skewed = skew != 0 and max(abs(skew), abs(own_skew)) > least
    unlike = 0 if lone else unlike_labelled(moments(found.human, found.judge), sums)
    unusual = None if skewed else found.unusual(None if lone else scores.cluster[both])
    mean = Estimate(
        "mean_score",
        corrected.value,
        Interval(low, high, confidence_level, method),
        n_items,
        len(sums.times),
        declared={
            "weight of the judge": corrected.weight,
            "labelled": n_labelled,
            **({"without_verdict": unscored} if unscored else {}),
        },
        assumptions=(POWER_TUNED.assumes,),
        warnings=(
            *((TOO_SKEWED,) if skewed else ()),
            *((unusual.warning,) if unusual else ()),
            *unlike_warnings(unlike, "scores"),
            *(() if lone else size_warnings(*sums.by_size(corrected.weight))),
        ),
    )
    own = Estimate(
        "mean_score_naive",
        float(machine[part.own].mean()),
        n_items=int(part.own.sum()),
        n_clusters=len(np.unique(scores.cluster[part.own])),
    )
    median = _median(scores.people[both], lone, confidence_level) if skewed else None
    return JudgeMean(
        subject, mean, own, n_labelled, median, part.scored_by_people, of_decided=unscored > 0
    )


def _half_at_an_end(scores: Array) -> bool:
    """Whether half of the scores or more are the lowest of them, or the highest."""
    return bool(max((scores == scores.min()).mean(), (scores == scores.max()).mean()) >= 0.5)


@dataclass(frozen=True, slots=True)
class ScoredMean:
    """A corrected mean with limits at any level, and how skewed the estimate is.

    Where people gave no more than two different scores, the rarer may be rarer still, or missing:
    limits are then those with two labels more (`padded`), the lowest and the highest score at the
    judge's mean. `few` labels that differ say little of the spread.
    """

    spread: Spread
    skew: float
    padded: Spread | None = None
    few: bool = False

    @property
    def value(self) -> float:
        return self.spread.value

    @property
    def weight(self) -> float:
        """Of the judge."""
        return self.spread.weight

    @property
    def unmoved(self) -> ScoredMean:
        """With no end moved by sizes, as differences of means have it."""
        return replace(self, spread=self.spread.unmoved)

    def ends(self, confidence_level: float) -> tuple[float, float]:
        if self.padded is None:
            larger = LARGER_SKEW if self.spread.heavy is None else SKEW_OF_SUMS
            return skew_adjusted(
                self.spread, self.skew, confidence_level=confidence_level, larger=larger
            )
        low, high = self.padded.ends(confidence_level)
        if self.few:
            own = self.spread.ends(confidence_level)
            low, high = min(low, own[0]), max(high, own[1])
        return min(low, self.value), max(high, self.value)


@dataclass(frozen=True, slots=True)
class ScoredItems:
    """People's and the judge's scores of labelled items, the judge's of the others."""

    human: Array
    judge: Array
    unlabelled: Array

    def mean(self, sums: ScoreSums | None) -> ScoredMean:
        """The corrected mean; `sums` are those of clusters, None for independent items."""
        rest = moments(self.unlabelled, self.unlabelled)
        parts = moments(self.human, self.judge), rest
        if sums is not None:
            found = clustered_ppi_spread(*parts, sums)
            if len(np.unique(self.human)) > 2:
                return ScoredMean(found, skewness(cluster_influence(sums, found.weight)))
            items = np.ones(len(self.human)), self.human, self.judge
            padded = padded_clusters(items, rest, sums, self._ends(), weight=found.weight)
            return ScoredMean(found, 0.0, padded, few=True)
        found = ppi_spread(*parts)
        if len(np.unique(self.human)) <= 2:
            padded = ppi_spread(moments(*self._padded()), rest, weight=found.weight)
            return ScoredMean(found, 0.0, padded, few=len(self.human) < 3)
        influence = item_influence(self.human, self.judge, self.unlabelled, found.weight)
        return ScoredMean(found, skewness(influence))

    def unusual(self, cluster: Ints | None) -> Unusual | None:
        """Where nearly all labels are one score, and nothing shows that there are but two."""
        values, times = np.unique(self.human, return_counts=True)
        twice = len(values) == 2 and times.min() > 1
        if twice or len(np.unique(np.concatenate([values, self.judge, self.unlabelled]))) == 2:
            return None
        return unusual_scores(self.human, cluster, ("labelled item", "labelled cluster"))

    def _padded(self) -> tuple[Array, Array]:
        """Scores with two labels more, the lowest and the highest, at the judge's mean."""
        middle = np.full(2, np.concatenate([self.judge, self.unlabelled]).mean())
        return np.append(self.human, self._ends()), np.append(self.judge, middle)

    def _ends(self) -> tuple[float, float]:
        """The lowest and the highest score: of people's where they differ, else of all."""
        scores = np.unique(self.human)
        if len(scores) != 2:
            scores = np.concatenate([self.human, self.judge, self.unlabelled])
        return float(scores.min()), float(scores.max())


def _median(human: Array, lone: bool, confidence_level: float) -> Estimate:
    """The median of people's scores: a number that few large scores do not carry.

    Its interval, for independent items, are the scores whose ranks the hedged binomial interval of
    one half allows.
    """
    ordered = np.sort(human)
    size, value = len(ordered), float(np.median(ordered))
    interval = None
    if lone:
        # The share of scores below the median is 1/2: ranks that a binomial does not contradict.
        below = np.arange(size + 1)
        low, high = binomial(below, size, confidence_level=confidence_level)
        kept = below[(low <= 0.5) & (high >= 0.5)]
        first, last = ordered[max(kept[0] - 1, 0)], ordered[min(kept[-1], size - 1)]
        method = "order statistics, hedged binomial"
        interval = Interval(float(first), float(last), confidence_level, method)
    return Estimate("median_score", value, interval, size, size)


def score_sums(scores: PairedScores, machine: Array, both: Mask, rest: Mask) -> ScoreSums:
    """Scores of labelled items (`both`) and of the others (`rest`) by cluster."""
    seen = both | rest
    names, cluster = np.unique(scores.cluster[seen], return_inverse=True)

    def by_cluster(values: Array, where: Mask) -> Array:
        sums = np.zeros(len(names))
        np.add.at(sums, cluster.reshape(-1), np.where(where, values, 0.0)[seen])
        return sums

    one = np.ones(len(seen))
    return ScoreSums(
        labelled=by_cluster(one, both),
        human=by_cluster(scores.people, both),
        judge=by_cluster(machine, both),
        unlabelled=by_cluster(one, rest),
        judge_unlabelled=by_cluster(machine, rest),
        times=np.ones(len(names), np.int64),
    )
