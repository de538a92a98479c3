"""More than two options: the true rate of each, and the mean of an ordinal scale."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import field, replace

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas import rates as points
from goldassay.frozen import dataclass
from goldassay.inference.skewed import LEAST_SKEW, SKEW_OF_SUMS, skewness
from goldassay.questions.cluster_sizes import size_warnings
from goldassay.questions.estimate.design import Drawing
from goldassay.questions.estimate.estimators import (
    BY_VERDICT,
    CALIBRATION_ONLY,
    NAIVE,
    POWER_TUNED,
    STRATIFIED,
    Corrected,
    Counts,
    Estimator,
    Settings,
    headline,
)
from goldassay.questions.estimate.means import (
    ScoreSums,
    Spread,
    cluster_influence,
    clustered_ppi_spread,
    moments_of_counts,
    padded_clusters,
    ppi_spread,
    skew_adjusted,
    stratified_mean,
)
from goldassay.questions.estimate.multinomial import (
    posterior_method,
    rates_by_confusion,
    rates_by_verdict,
)
from goldassay.questions.estimate.sample import ClusterDesign, Sample
from goldassay.questions.estimate.shift import ShiftTest, shift_test
from goldassay.questions.estimate.subject import Subject
from goldassay.questions.estimate.unlike import unlike_labelled, unlike_warnings
from goldassay.ratings.scale import option_numbers, option_scores
from goldassay.results import Estimate, Interval, Result, Row, Undefined

__all__ = [
    "JudgeOptions",
    "OptionMean",
    "is_by_verdict",
    "is_complete",
    "largest_inflation",
    "largest_of",
    "mean_option",
    "option_designs",
    "option_rates",
]

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class JudgeOptions:
    """The true rates of all options behind one judge's."""

    subject: Subject
    design: str | None
    estimator: Estimator
    options: tuple[str, ...]
    #: The judge's own rate of each option.
    judged: Array
    rates: tuple[Result, ...]
    #: The mean option, of an ordinal scale, and the judge's own.
    mean: Result | None
    own_mean: Estimate | None
    shift: ShiftTest | None
    #: Items with people's label, and whether all have one: nothing is left to correct.
    n_labelled: int = 0
    all_labelled: bool = False
    #: Whether these are all items, also those on which the judge is silent.
    complete: bool = False
    #: Items whose verdict does not count, by reason; the rates are those of the others.
    without_verdict: Mapping[str, float] = field(default_factory=dict)
    #: The rates and the mean of all items, where labels tell of those without a verdict, and how
    #: many items and labels these rest on.
    rates_over_all: tuple[Result, ...] = ()
    mean_over_all: Result | None = None
    n_labelled_in_all: int = 0

    def with_over_all(self, whole: JudgeOptions) -> JudgeOptions:
        """Beside these rates, those of all items."""

        def over_all(result: Result) -> Result:
            return replace(result, name=f"{result.name}_over_all")

        return replace(
            self,
            rates_over_all=tuple(map(over_all, whole.rates)),
            mean_over_all=None if whole.mean is None else over_all(whole.mean),
            n_labelled_in_all=whole.n_labelled,
        )

    def rows(self) -> tuple[Row, ...]:
        rows = []
        for option, judged, rate in zip(self.options, self.judged, self.rates, strict=True):
            about = {**self.subject.named, "option": option}
            rows.append(Row(rate, about))
            if isinstance(rate, Estimate):
                own = Estimate(
                    NAIVE.result,
                    float(judged),
                    n_items=rate.n_items,
                    declared={"estimator": NAIVE.name},
                    assumptions=(NAIVE.assumes,),
                )
                rows.append(Row(own, about))
        for option, rate in zip(self.options, self.rates_over_all, strict=False):
            rows.append(Row(rate, {**self.subject.named, "option": option}))
        means = (self.mean, self.own_mean, self.mean_over_all)
        rows += [Row(one, self.subject.named) for one in means if one]
        return tuple(rows)

    @property
    def graded(self) -> bool:
        """Whether the options are numbers with a mean, which then says more than any share."""
        return isinstance(self.mean, Estimate) and option_numbers(self.options) is not None


def option_rates(
    subject: Subject, sample: Sample, drawn: Drawing, settings: Settings, *, ordinal: bool
) -> JudgeOptions:
    """The corrected rate of every option; for an ordinal scale the corrected mean too."""
    complete = is_complete(sample) and drawn.from_pool
    estimator = CALIBRATION_ONLY if complete else headline(drawn)
    counts = Counts(sample.test, sample.calibration, drawn.from_pool)
    # People's rates of items all of which they labelled are the same whatever a judge said of them.
    basis = _labels_alone(sample) if complete else sample
    designs = option_designs(basis)
    each = _inflation_of_each(basis, designs, settings.confidence_level)
    inflation = float(each.max())
    seen = counts.judged if counts.judged.sum() > 0 else counts.pool
    found = _corrected(estimator, counts, settings, each)
    if estimator.moves_by_size:
        found = _moved_by_size(found, basis, designs)
    if estimator.within == "verdict" and not sample.independent and len(sample.options) > 1:
        found = _beyond_few(found, estimator, sample, designs, drawn, settings)
    mean, own_mean = None, None
    judged = seen[: len(sample.options)]
    if ordinal:
        scores = np.array(option_scores(sample.options))
        mean = mean_option(sample, drawn, scores, settings.confidence_level, inflation)
        own_mean = _own_mean(judged, scores, mean)
    tested = drawn.same_verdicts and counts.test.sum() > 0
    return JudgeOptions(
        subject=subject,
        design=drawn.declared,
        estimator=estimator,
        options=sample.options,
        judged=judged / seen.sum(),
        rates=_results(found, sample, drawn, estimator, settings.confidence_level),
        mean=mean,
        own_mean=own_mean,
        shift=shift_test(counts.test, counts.calibration, inflation=inflation) if tested else None,
        n_labelled=sample.n_labels,
        all_labelled=bool(sample.test.sum() <= 0 < sample.n_labelled),
        complete=sample.silent,
    )


def _corrected(
    estimator: Estimator, counts: Counts, settings: Settings, inflation: Array
) -> Corrected:
    """The rates of all options [K]: by the confusion of labels, or within verdicts.

    Within verdicts each has an `inflation` [K] of its own; a confusion is that of all options.
    """
    level = settings.confidence_level
    if estimator is CALIBRATION_ONLY:
        labels = counts.labels
        against = np.stack([labels.sum() - labels, labels], -1)[..., None]
        return estimator.corrected(Counts(against[..., 0, :], against), level, inflation)
    if estimator.within == "label":
        rates = rates_by_confusion(
            counts.test,
            counts.calibration,
            confidence_level=level,
            inflation=float(inflation.max()),
            draws=settings.draws,
            seed=settings.seed,
        )
        return Corrected(*rates, posterior_method(settings.draws))
    rates = rates_by_verdict(
        counts.pool, counts.calibration, confidence_level=level, inflation=inflation
    )
    return Corrected(*rates, BY_VERDICT)


def _beyond_few(
    found: Corrected,
    estimator: Estimator,
    sample: Sample,
    designs: Sequence[ClusterDesign],
    drawn: Drawing,
    settings: Settings,
) -> Corrected:
    """The rates, whose ends are no nearer than if no label were the option, or all of them were:
    few clusters with an option do not tell how it hangs together (`binary`)."""
    low, high, options = found.low, found.high, np.arange(len(sample.options))
    given = options[sample.calibration.sum(1) > 0]
    pairs = zip(given, designs, strict=True)
    few = np.isin(options, [at for at, one in pairs if one.hangs_on_few])
    if not few.any():
        return found
    for row in {0, 1, int(np.nan_to_num(found.value).argmax())}:
        alike = sample.all_labelled(row)
        counts = Counts(alike.test, alike.calibration, drawn.from_pool)
        each = _inflation_of_each(alike, option_designs(alike), settings.confidence_level)
        ends = _corrected(estimator, counts, settings, each)
        low = np.where(few & (options == row), np.fmin(low, ends.low), low)
        high = np.where(few & (options != row), np.fmax(high, ends.high), high)
    return found._replace(low=low, high=high)


def _moved_by_size(found: Corrected, sample: Sample, designs: Sequence[ClusterDesign]) -> Corrected:
    """The rates with ends as far out as sizes tell of each option that people gave."""
    low, high = np.array(found.low, float), np.array(found.high, float)
    given = np.flatnonzero(sample.calibration.sum(1) > 0)
    for at, one in zip(given, designs, strict=True):
        low[at], high[at] = one.moved(float(found.value[at]), float(low[at]), float(high[at]))
    return found._replace(low=low, high=high)


def _labels_alone(sample: Sample) -> Sample:
    """The labels of a sample, whatever the verdicts."""
    return replace(sample, verdicts=("any",), cells=sample.cells.sum(-1, keepdims=True))


def _results(
    found: Corrected, sample: Sample, drawn: Drawing, estimator: Estimator, confidence_level: float
) -> tuple[Result, ...]:
    def result(value: float, low: float, high: float, method: str) -> Result:
        if math.isnan(value):
            reason = (
                "an option has no label, the judge cannot tell some options apart, or it gave the "
                "new items only verdicts that it gave no labelled one"
            )
            return Undefined("prevalence", reason, sample.n_items)
        return Estimate(
            "prevalence",
            value,
            Interval(min(low, value), max(high, value), confidence_level, method),
            sample.n_items,
            sample.n_clusters,
            declared={
                "estimator": estimator.name,
                "calibration": drawn.declared,
                "labelled": sample.n_labels,
                **sample.of_decided,
            },
            assumptions=(estimator.assumes,),
            warnings=sample.warnings(drawn.declared),
        )

    methods = np.broadcast_to(found.method, found.value.shape)  # one for all options, or each one's
    rows = zip(found.value, found.low, found.high, methods, strict=True)
    return tuple(
        result(float(value), float(low), float(high), str(method))
        for value, low, high, method in rows
    )


def option_designs(sample: Sample) -> tuple[ClusterDesign, ...]:
    """What clusters do to the rate of each option that people gave.

    An option that nobody gave has no spread to tell a design effect from. Where each item is a
    cluster of its own (and only counts by halves, between two grades) there are no few clusters.
    """
    alone = sample.n_clusters >= sample.n_items

    def option(index: int) -> ClusterDesign:
        def rate(cells: Array) -> Array:
            total = cells.sum(-3)
            calibration = total[..., :-1, :]
            labelled = calibration.sum(-2)
            return points.stratified(
                total[..., -1, :] + labelled, calibration[..., index, :], labelled
            )

        found = sample.design(rate)
        return ClusterDesign(found.effect, math.inf) if alone else found

    given = sample.calibration.sum(1) > 0
    return tuple(option(index) for index in range(len(sample.options)) if given[index])


def largest_inflation(sample: Sample, level: float) -> float:
    """The largest design effect over the options' rates, with Student's t for few clusters."""
    return largest_of(option_designs(sample), level)


def _inflation_of_each(sample: Sample, designs: Sequence[ClusterDesign], level: float) -> Array:
    """What clusters do to the rate of each option [K]; the most, where nobody gave one."""
    found = np.full(len(sample.options), largest_of(designs, level))
    own = np.array([one.inflation(level) for one in designs])
    given = sample.calibration.sum(1) > 0
    found[given] = np.where(np.isnan(own), found[given], np.maximum(own, 1.0))
    return found


def largest_of(designs: Sequence[ClusterDesign], level: float) -> float:
    found = [one.inflation(level) for one in designs]
    return max([1.0, *(one for one in found if not math.isnan(one))])


def _padded(sample: Sample) -> Array | None:
    """Labels with two more, of the first and the last option, over all verdicts.

    Where people gave no more than two different labels, the rarer may be rarer still, or missing:
    limits from these labels alone may have no length. None where they gave more. Where every item
    is labelled and people gave two, these are the two: an option that nobody gave tells nothing.
    """
    given = np.flatnonzero(sample.calibration.sum(1) > 0)
    if len(given) > 2:
        return None
    pool = sample.test + sample.calibration.sum(0)
    found: Array = sample.calibration.astype(np.float64)
    found[_end_options(sample)] += pool / max(float(pool.sum()), 1e-300)
    return found


def _end_options(sample: Sample) -> list[int]:
    """The first and the last option; the two that people gave, where every item is labelled."""
    given = np.flatnonzero(sample.calibration.sum(1) > 0)
    if len(given) == 2 and is_complete(sample):
        return [int(given[0]), int(given[1])]
    return [0, len(sample.options) - 1]


def is_complete(sample: Sample) -> bool:
    """Whether every item is labelled: the mean is that of the labels, whatever the judge said."""
    return bool(sample.test.sum() <= 0 < sample.n_labelled)


def is_by_verdict(sample: Sample, drawn: Drawing) -> bool:
    """Whether a mean score is taken within verdicts, and not by PPI++."""
    apart = drawn.declared != "random" or len(sample.verdicts) != len(sample.options)
    return apart and not is_complete(sample)


@dataclass(frozen=True)
class OptionMean:
    """The mean of the options' `scores` by PPI++ with limits at any level, or by verdict.

    Of items that are all labelled, PPI++ gives the judge no weight: the labels' mean by Student.
    """

    sample: Sample
    scores: Array
    #: None for a mean by verdict; with two labels more where people gave few different ones.
    spread: Spread | None
    padded: Spread | None = None
    #: How skewed the estimate is: rare low grades, or high ones.
    skew: float = 0.0
    #: Clusters without labels that are unlike all with labels, by the judge's verdicts.
    unlike: int = 0

    @classmethod
    def of(cls, sample: Sample, drawn: Drawing, scores: Array) -> OptionMean | Undefined:
        """By PPI++ for labels drawn at random, else by verdict."""
        size = len(sample.options)
        test, calibration = sample.test[:size], _by_option(sample, sample.calibration)
        if headline(drawn).within == "label" or calibration.sum() < 2:
            reason = "a mean needs labels drawn at random from the pool, or within its verdicts"
            return Undefined("mean_score", reason, sample.n_items)
        if is_by_verdict(sample, drawn):
            return cls(sample, scores, None)
        human, machine = np.repeat(scores, size), np.tile(scores, size)
        rest = moments_of_counts(test, scores, scores)
        known = moments_of_counts(calibration.reshape(-1), human, machine)
        sums, unlike = _sums(sample, scores), 0
        if sample.independent:
            spread = ppi_spread(known, rest)
        elif sums.labelled_clusters < 2:
            reason = "the labelled items are of 1 cluster, which does not say how clusters vary"
            return Undefined("mean_score", reason, sample.n_items)
        else:
            spread = clustered_ppi_spread(known, rest, sums, by_size=sample.clustered)
            unlike = unlike_labelled(known, sums)
        if (more := _padded(sample)) is None:
            skew = skewness(cluster_influence(sums, spread.weight), sums.times)
            return cls(sample, scores, spread, skew=skew, unlike=unlike)
        if not sample.independent:
            items = calibration.reshape(-1), human, machine
            ends = scores[_end_options(sample)]
            padded = padded_clusters(items, rest, sums, ends, weight=spread.weight)
            return cls(sample, scores, spread, padded, unlike=unlike)
        known = moments_of_counts(_by_option(sample, more).reshape(-1), human, machine)
        return cls(sample, scores, spread, ppi_spread(known, rest, weight=spread.weight))

    @property
    def size_warnings(self) -> tuple[str, ...]:
        """What stands at the mean of clusters of such sizes."""
        if self.spread is None or not self.sample.clustered:
            return self.sample.size_warnings
        return size_warnings(*_sums(self.sample, self.scores).by_size(self.spread.weight))

    @property
    def unmoved(self) -> OptionMean:
        """With no end moved by sizes, as differences of means have it."""
        return replace(self, spread=None if self.spread is None else self.spread.unmoved)

    def limits(self, level: float, inflation: float = 1.0) -> tuple[float, float, float]:
        """The mean, within what scores allow, and its limits; `inflation` is that of clusters."""
        if self.spread is None:
            value, low, high = stratified_mean(
                self.sample.test + self.sample.calibration.sum(0),
                self.sample.calibration,
                self.scores,
                confidence_level=level,
                inflation=inflation,
            )
        else:
            value = self.spread.value
            low, high = skew_adjusted(
                self.spread, self.skew, confidence_level=level, larger=SKEW_OF_SUMS
            )
            if self.padded is not None:
                ends = self.padded.ends(level)
                low, high = min(low, ends[0]), max(high, ends[1])
        least, most = float(self.scores.min()), float(self.scores.max())
        value = min(max(value, least), most)
        return value, min(max(low, least), value), max(min(high, most), value)


def mean_option(
    sample: Sample, drawn: Drawing, scores: Array, level: float, inflation: float
) -> Result:
    """The mean of the options' `scores`: by PPI++ for labels drawn at random, else by verdict."""
    found = OptionMean.of(sample, drawn, scores)
    if isinstance(found, Undefined):
        return found
    declared: dict[str, object] = {"scores": scores.tolist(), **sample.of_decided}
    method, estimator = "stratified mean, Student", STRATIFIED
    if found.spread is not None:
        method, estimator = "PPI++, Student adjusted for skewness", POWER_TUNED
        if abs(found.skew) < LEAST_SKEW:
            method = "PPI++, Student"
        if is_complete(sample):
            method = method.removeprefix("PPI++, ")
        declared["weight of the judge"] = found.spread.weight
        if not sample.independent:
            method += f", {_sums(sample, scores).labelled_clusters} clusters with labels"
    value, low, high = found.limits(level, inflation)
    return Estimate(
        "mean_score",
        value,
        Interval(low, high, level, method),
        sample.n_items,
        sample.n_clusters,
        declared=declared,
        assumptions=() if is_complete(sample) else (estimator.assumes,),
        warnings=unlike_warnings(found.unlike, "grades") + found.size_warnings,
    )


def _own_mean(judged: Array, scores: Array, mean: Result) -> Estimate | None:
    """The mean of the grades that a judge gave, where there is one to hold it against."""
    number = float(judged.sum())
    if isinstance(mean, Undefined) or number <= 0:
        return None
    return Estimate("mean_score_naive", float(judged @ scores) / number, n_items=round(number))


def _by_option(sample: Sample, calibration: Array) -> Array:
    """Labels [K, K] by option and verdict; those of items all of which are labelled by option
    alone, since a verdict that is no option leaves their mean as it is."""
    size = len(sample.options)
    if is_complete(sample):
        return np.diag(calibration.sum(1))
    return calibration[:, :size]


def _sums(sample: Sample, scores: Array) -> ScoreSums:
    """The options' scores summed by cluster."""
    cells = sample.cells.sum(1)
    known, rest, size = cells[:, :-1], cells[:, -1], len(scores)
    return ScoreSums(
        labelled=known.sum((1, 2)),
        human=known.sum(2) @ scores,
        judge=known.sum(1)[:, :size] @ scores,
        unlabelled=rest.sum(1),
        judge_unlabelled=rest[:, :size] @ scores,
        times=sample.multiplicity,
    )
