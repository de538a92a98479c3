"""A binary rate: every estimator side by side, the judge's errors, and what is not judged."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas import rates as points
from goldassay.formulas.agreement import ratio
from goldassay.frozen import dataclass
from goldassay.inference import rates as limits
from goldassay.inference.proportions import binomial_interval
from goldassay.questions.estimate.bounds import bounds_over_missing
from goldassay.questions.estimate.design import Drawing
from goldassay.questions.estimate.estimators import (
    CALIBRATION_ONLY,
    ESTIMATORS,
    STRATIFIED,
    Corrected,
    Counts,
    Estimator,
    Settings,
    headline,
)
from goldassay.questions.estimate.linear import Functional
from goldassay.questions.estimate.multinomial import posterior_method, rates_by_confusion
from goldassay.questions.estimate.sample import (
    ClusterDesign,
    Sample,
    all_labelled,
    designs_of,
    summed_cells,
)
from goldassay.results import Estimate, Interval, Result, Undefined
from goldassay.words import named, percent

__all__ = [
    "Estimated",
    "clipping",
    "corrected",
    "ends_of_few",
    "error_rates",
    "every_estimator",
    "main_estimator",
    "missing_bounds",
    "rate_of_cells",
    "rate_of_pool",
]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Estimated:
    """An estimator's answer: its result, and whether the declared design makes it right."""

    estimator: Estimator
    result: Result
    #: None where no design is declared.
    holds: bool | None


def every_estimator(sample: Sample, drawn: Drawing, settings: Settings) -> tuple[Estimated, ...]:
    """All estimators; the headline first, whose result is the `prevalence`.

    Where every item is labelled there is nothing to correct, and it is people's own rate.
    """
    first = main_estimator(sample, drawn)
    main = corrected(first, sample, drawn, settings, name="prevalence")
    others = (one for one in ESTIMATORS.values() if one is not first)
    return (
        Estimated(first, main, first.holds(drawn)),
        *(
            Estimated(one, corrected(one, sample, drawn, settings), one.holds(drawn))
            for one in others
        ),
    )


def main_estimator(sample: Sample, drawn: Drawing) -> Estimator:
    """The estimator of the headline: the design's, or people's own rate where all is labelled."""
    if sample.test.sum() <= 0 < sample.n_labelled and drawn.declared != "by_label":
        return CALIBRATION_ONLY
    return headline(drawn)


def corrected(
    estimator: Estimator,
    sample: Sample,
    drawn: Drawing,
    settings: Settings,
    *,
    name: str | None = None,
) -> Result:
    """The rate of a sample by one estimator, or why it does not exist."""
    name, level = name or estimator.result, settings.confidence_level
    counts = Counts(sample.test, sample.calibration, drawn.from_pool)
    if reason := estimator.impossible(counts):
        return Undefined(name, reason, sample.n_items)
    # Verdicts beyond the two options: no formula inverts the judge's confusion.
    confused = estimator.within == "label" and len(sample.verdicts) > 2
    design = sample.design(rate_of_cells(estimator, pooled=drawn.from_pool, confused=confused))
    inflation = design.inflation(level)
    if math.isnan(inflation):
        return Undefined(name, _too_few(sample), sample.n_items)
    found = (
        _by_confusion(counts, settings, inflation)
        if confused
        else estimator.corrected(counts, level, inflation)
    )
    value, low, high = (float(part) for part in found[:3])
    if estimator.moves_by_size:
        low, high = design.moved(value, low, high)
    if design.hangs_on_few and estimator.within == "verdict":
        clusters, pooled = (sample.cells[None], sample.multiplicity), drawn.from_pool
        ends = ends_of_few(estimator, clusters, sample.n_items, pooled=pooled, level=level)
        low, high = min(low, float(ends[0][0])), max(high, float(ends[1][0]))
    if math.isnan(value):
        return Undefined(name, "the judge's verdicts carry no information here", sample.n_items)
    warnings = (*clipping(value), *_borrowing(estimator, sample, counts), *_carried(design))
    warnings += sample.warnings(drawn.declared)
    value = min(max(value, 0.0), 1.0)
    method = str(found.method)
    if inflation > 1:
        method += f", {sample.n_clusters} clusters (counts / {inflation:.3g})"
    return Estimate(
        name,
        value,
        Interval(min(low, value), max(high, value), level, method),
        sample.n_items,
        sample.n_clusters,
        declared={
            "estimator": estimator.name,
            "calibration": drawn.declared,
            "labelled": sample.n_labels,
            **sample.of_decided,
        },
        assumptions=(estimator.assumes,),
        warnings=warnings,
    )


def rate_of_pool(
    sample: Sample, drawn: Drawing, main: Estimated, *, confidence_level: float
) -> Estimate | None:
    """The rate of the very items of the pool, not of all items like them.

    For independent items and labels drawn from the pool: what is labelled is known, so that the
    interval is that of the rest (a finite-population correction) and has no width where all are
    labelled. None elsewhere, and where the headline is none.
    """
    if not drawn.from_pool or not sample.independent or isinstance(main.result, Undefined):
        return None
    counts = Counts(sample.test, sample.calibration, pooled=True)
    low, high = limits.finite_pool_limits(
        counts.pool, counts.calibration[1], counts.labelled, confidence_level=confidence_level
    )
    value = float(STRATIFIED.rate(counts))
    ends = min(float(low), value), max(float(high), value)
    return Estimate(
        "prevalence_of_pool",
        value,
        Interval(*ends, confidence_level, "stratified, finite pool"),
        sample.n_items,
        sample.n_clusters,
        declared={"labelled": sample.n_labels},
        assumptions=(STRATIFIED.assumes, "the rate of these items, not of all items like them"),
    )


def rate_of_cells(estimator: Estimator, *, pooled: bool, confused: bool = False) -> Functional:
    """The rate whose variance over clusters is taken; of a confusion, that of the verdicts."""

    def values(cells: Array) -> Array:
        total = cells.sum(-3)
        counts = Counts(total[..., -1, :], total[..., :-1, :], pooled)
        return points.naive(counts.test) if confused else estimator.rate(counts)

    return values


def ends_of_few(
    estimator: Estimator,
    clustered: tuple[Array, Ints | None],
    n_items: int,
    *,
    pooled: bool,
    level: float,
) -> tuple[Array, Array]:
    """The nearest that ends [R] may be where few clusters carry what varies, of R studies.

    The lower one is that of every labelled item having the answer, the upper one that of none
    having it. Of an answer that nobody has all items of a cluster are taken to be alike. One that
    a single item of a cluster has looks as if it came one by one, and only with the verdict of
    that item: more of it would then seem less, and the upper end would fall where it must rise.
    """
    functional, (cells, times) = rate_of_cells(estimator, pooled=pooled), clustered
    found = list[Corrected]()
    for row in (0, 1):
        alike = all_labelled(cells, row)
        total = summed_cells(alike, n_items, times).sum(1)
        counts = Counts(total[:, -1], total[:, :-1], pooled)
        inflation = designs_of(alike, n_items, functional, times).inflations(level)
        found.append(estimator.corrected(counts, level, inflation))
    return found[1].low, found[0].high


def _by_confusion(counts: Counts, settings: Settings, inflation: float) -> Corrected:
    """The positive option's rate from the judge's whole confusion matrix."""
    rates = rates_by_confusion(
        counts.test,
        counts.calibration,
        confidence_level=settings.confidence_level,
        inflation=inflation,
        draws=settings.draws,
        seed=settings.seed,
    )
    value, low, high = (part[1] for part in rates)
    return Corrected(value, low, high, posterior_method(settings.draws))


def _too_few(sample: Sample) -> str:
    if sample.n_clusters < 2:
        return f"{sample.n_clusters} cluster is too few to say how clusters vary"
    return "its variance over clusters cannot be computed"


def clipping(value: float) -> tuple[str, ...]:
    """What is said of an estimate that is clipped."""
    if 0 <= value <= 1:
        return ()
    return (
        f"the estimate was {percent(value)}, outside 0 to 100 %, and is clipped: the judge's rate "
        "is not one that its error rates allow; look for a shift between labelled and test items",
    )


def _borrowing(estimator: Estimator, sample: Sample, counts: Counts) -> tuple[str, ...]:
    known = zip(sample.verdicts, counts.labelled, counts.pool, strict=True)
    empty = [verdict for verdict, labels, pool in known if labels <= 0 < pool]
    if not empty or estimator.within != "verdict":
        return ()
    return (
        f"no labelled item has the verdict {', '.join(empty)}: its rate may be anything, and "
        "the interval allows for all of it; the estimate borrows that of the other verdicts",
    )


def _carried(design: ClusterDesign) -> tuple[str, ...]:
    if not design.hangs_on_few:
        return ()
    return (
        "what differs among the items comes from one or two clusters, which do not tell how "
        "clusters differ: the interval reaches as far as if all items of a cluster were alike; "
        "label items of more clusters",
    )


def error_rates(sample: Sample, *, confidence_level: float) -> tuple[Result, ...]:
    """The judge's error rates as a correction takes them.

    Each labelled item that is not kept for the test counts once, however many people labelled it;
    `agree` gives the judge's rates over all items that people rated.
    """
    names = ("specificity_used", "sensitivity_used")
    return tuple(
        _share_right(sample, name, row, confidence_level) for row, name in enumerate(names)
    )


def _share_right(sample: Sample, name: str, row: int, level: float) -> Result:
    labelled = sample.calibration[row]
    hits, trials = float(labelled[row]), float(labelled.sum())
    if trials <= 0:
        return Undefined(name, f"no labelled item is {named(sample.options[row])}", sample.n_items)
    inflation = sample.inflation(_right(row), confidence_level=level)
    scale = 1.0 if math.isnan(inflation) else inflation
    interval = binomial_interval(hits / scale, trials / scale, confidence_level=level)
    n_items = round(trials)
    return Estimate(name, hits / trials, interval, n_items, min(sample.n_clusters, n_items))


def _right(row: int) -> Functional:
    """The share of labelled items of one label that the judge gets right."""

    def values(cells: Array) -> Array:
        labelled = cells.sum(-3)[..., row, :]
        return ratio(labelled[..., row], labelled.sum(-1))

    return values


def missing_bounds(sample: Sample, main: Result) -> Estimate | None:
    """The rate over all items, judged or not, with nothing assumed of those without a verdict.

    `main` is the rate among the items with a verdict. None where all have one, or `main` is none.
    """
    missing = sample.missing
    if missing <= 0 or isinstance(main, Undefined) or main.interval is None:
        return None
    judged, level = float(sample.total.sum()), main.interval.confidence_level
    fewest, most, low, high = bounds_over_missing(
        main.value,
        main.interval.low,
        main.interval.high,
        judged=judged,
        missing=missing,
        confidence_level=level,
    )
    words = ", ".join(f"{count:g} {reason}" for reason, count in sample.without_verdict.items())
    return Estimate(
        "prevalence_bounds",
        (fewest + most) / 2,
        Interval(low, high, level, f"bounds: nothing assumed of {words}"),
        sample.n_items + round(sum(sample.without_verdict.values())),
        sample.n_clusters,
        declared={"if all missing are negative": fewest, "if all missing are positive": most},
        assumptions=("nothing about items without a verdict",),
    )
