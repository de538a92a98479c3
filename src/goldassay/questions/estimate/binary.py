"""A binary rate: every estimator side by side, which of them to trust, and why."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas import rates as points
from goldassay.formulas.agreement import ratio
from goldassay.inference.proportions import binomial_interval
from goldassay.inference.rates import ENOUGH_LABELS
from goldassay.questions.estimate import design as designs
from goldassay.questions.estimate.bounds import bounds_over_missing
from goldassay.questions.estimate.linear import Functional
from goldassay.questions.estimate.multinomial import rates_by_confusion
from goldassay.questions.estimate.sample import Sample
from goldassay.results import Estimate, Interval, Result, Undefined

__all__ = ["NAMES", "NEEDS", "Verdict", "corrected", "every_estimator", "missing_bounds", "shift"]

Array = NDArray[np.float64]

#: The estimators in words.
NAMES = {
    "stratified": "stratified by verdict",
    "power_tuned": "PPI++",
    "difference": "PPI (difference)",
    "conditional_calibration": "conditional calibration",
    "rogan_gladen": "Rogan-Gladen",
    "calibration_only": "labels only",
    "naive": "the judge's own rate",
}
#: Names of results that would be taken for something else.
ROWS = {"difference": "prevalence_ppi", "power_tuned": "prevalence_ppi_plus_plus"}
#: What each needs, in few words; `design.ASSUMPTIONS` says it in full.
NEEDS = {
    "stratified": "labels at random from the pool or its verdicts",
    "power_tuned": "labels at random from the pool",
    "difference": "labels at random from the pool",
    "conditional_calibration": "the same P(label | verdict)",
    "rogan_gladen": "the same P(verdict | label)",
    "calibration_only": "labels at random from the pool",
    "naive": "a judge whose errors cancel",
}
METHODS = {
    "stratified": "stratified (MOVER and effective-size Beta)",
    "power_tuned": "PPI++, adjusted normal",
    "difference": "PPI, adjusted normal",
    "conditional_calibration": "stratified (MOVER and effective-size Beta)",
    "calibration_only": "hedged binomial",
    "naive": "hedged binomial",
}
#: Below this p-value a difference between labelled and test verdicts is called a shift.
SHIFT_LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class Verdict:
    """An estimator's answer: its result, and whether the declared design makes it right."""

    estimator: str
    result: Result
    holds: bool | None


def every_estimator(
    sample: Sample, design: str | None, *, confidence_level: float, draws: int, seed: int
) -> list[Verdict]:
    """All estimators that the counts allow, the headline first."""
    headline = designs.headline_estimator(design, apart=sample.apart)
    order = [headline, *(name for name in designs.ESTIMATORS if name != headline)]
    valid = designs.VALID.get(design) if design is not None else None
    verdicts = []
    for name in order:
        result = corrected(
            name, sample, design, confidence_level=confidence_level, draws=draws, seed=seed
        )
        verdicts.append(Verdict(name, result, None if valid is None else name in valid))
    return verdicts


def corrected(
    estimator: str,
    sample: Sample,
    design: str | None,
    *,
    confidence_level: float,
    draws: int = 4_000,
    seed: int = 1,
    name: str | None = None,
) -> Result:
    """The rate of a sample by one estimator, or why it does not exist."""
    name = name or ROWS.get(estimator, f"prevalence_{estimator}")
    test, calibration = sample.test, sample.calibration
    pooled = design in ("random", "by_verdict") or (design is None and not sample.apart)
    if estimator == "naive" and pooled:
        test = test + calibration.sum(-2)
    reason = _impossible(estimator, test, calibration, len(sample.verdicts))
    if reason is not None:
        return Undefined(name, reason, sample.n_items)
    inflation = sample.inflation(
        _functional(estimator, pooled=pooled), confidence_level=confidence_level
    )
    warnings = []
    if math.isnan(inflation):
        return Undefined(
            name,
            f"{sample.n_clusters} cluster is too few to say how clusters vary"
            if sample.n_clusters < 2
            else "its variance over clusters cannot be computed",
            sample.n_items,
        )
    method = METHODS.get(estimator, "")
    if estimator == "rogan_gladen" and len(sample.verdicts) > 2:
        rates, lows, highs = rates_by_confusion(
            test,
            calibration,
            confidence_level=confidence_level,
            inflation=inflation,
            draws=draws,
            seed=seed,
        )
        value, low, high = float(rates[1]), float(lows[1]), float(highs[1])
        method = f"posterior of the confusion matrix ({draws} draws)"
    else:
        found = designs.estimates(
            estimator, test, calibration, confidence_level=confidence_level, inflation=inflation
        )
        value, low, high = (float(part) for part in found)
        if estimator == "rogan_gladen":
            method = _rogan_gladen_method(value, calibration / inflation)
    if math.isnan(value):
        return Undefined(name, "the judge's verdicts carry no information here", sample.n_items)
    if not 0 <= value <= 1:
        warnings.append(
            f"the estimate was {value:.4g}, outside [0, 1], and is clipped: the judge's rate is "
            "not one that its error rates allow; look for a shift between labelled and test items"
        )
        value = min(max(value, 0.0), 1.0)
    if inflation > 1:
        method += f", {sample.n_clusters} clusters (counts / {inflation:.3g})"
    empty = [
        name
        for name, labels, pool in zip(
            sample.verdicts, calibration.sum(-2), test + calibration.sum(-2), strict=True
        )
        if labels <= 0 < pool
    ]
    if empty and estimator in ("stratified", "conditional_calibration"):
        warnings.append(
            f"no labelled item has the verdict {', '.join(empty)}: its rate may be anything, and "
            "the estimate borrows that of the other verdicts"
        )
    return Estimate(
        name,
        value,
        Interval(min(low, value), max(high, value), confidence_level, method),
        sample.n_items,
        sample.n_clusters,
        declared={"estimator": estimator, "calibration": design, "labelled": sample.n_labelled},
        assumptions=(designs.ASSUMPTIONS[estimator],),
        warnings=tuple(warnings),
    )


def _functional(estimator: str, *, pooled: bool) -> Functional:
    def values(cells: Array) -> Array:
        total = cells.sum(-3)
        test, calibration = total[..., -1, :], total[..., :-1, :]
        if estimator == "naive" and pooled:
            test = test + calibration.sum(-2)
        if estimator == "rogan_gladen" and cells.shape[-1] > 2:
            return points.naive(test)
        return designs.POINTS[estimator](test, calibration)

    return values


def _impossible(estimator: str, test: Array, calibration: Array, verdicts: int) -> str | None:
    labels = calibration.sum(-1)
    if estimator == "naive":
        return None if test.sum() > 0 else "no test item has a verdict that counts"
    if labels.sum() <= 0:
        return "no item has both a label and a verdict: nothing is known of the judge's errors"
    if estimator in ("power_tuned", "difference") and verdicts > 2:
        return "needs a yes or no of the judge for every item, and some verdicts are neither"
    needs_test = ("power_tuned", "difference", "conditional_calibration", "rogan_gladen")
    if estimator in needs_test and test.sum() <= 0:
        return "every item is labelled: there is no test item to correct"
    if estimator == "rogan_gladen":
        for label, count in zip(("negative", "positive"), labels, strict=True):
            if count <= 0:
                rate = "specificity" if label == "negative" else "sensitivity"
                return f"no labelled item is {label}: the judge's {rate} is unknown"
        if verdicts == 2:
            q0, q1 = (float(rate) for rate in points.error_rates(calibration))
            if q0 + q1 <= 1:
                return (
                    "this judge carries no information here: specificity "
                    f"{q0:.2f} + sensitivity {q1:.2f} is at most 1, no better than a coin"
                )
    return None


def _rogan_gladen_method(value: float, calibration: Array) -> str:
    enough = calibration.sum(-1).min() >= ENOUGH_LABELS
    return "Lang-Reiczigel" if enough and 0 < value < 1 else "inversion of Jeffreys limits"


def error_rates(sample: Sample, *, confidence_level: float) -> list[Result]:
    """Specificity and sensitivity of the judge among the labelled items."""
    calibration = sample.calibration
    results: list[Result] = []
    for name, row in (("specificity", 0), ("sensitivity", 1)):
        trials = float(calibration[row].sum())
        if trials <= 0:
            label = sample.options[row]
            results.append(Undefined(name, f"no labelled item is {label}", sample.n_items))
            continue
        hits = float(calibration[row, row])
        inflation = sample.inflation(_right(row), confidence_level=confidence_level)
        scale = 1.0 if math.isnan(inflation) else inflation
        interval = binomial_interval(
            hits / scale, trials / scale, confidence_level=confidence_level
        )
        results.append(
            Estimate(
                name, hits / trials, interval, round(trials), min(sample.n_clusters, round(trials))
            )
        )
    return results


def _right(row: int) -> Functional:
    """The share of labelled items of one label that the judge gets right."""

    def values(cells: Array) -> Array:
        labelled = cells.sum(-3)[..., row, :]
        return ratio(labelled[..., row], labelled.sum(-1))

    return values


def shift(sample: Sample, design: str | None) -> designs.ShiftTest | None:
    """The shift test, where labelled and test items should have been alike by design."""
    if design in ("by_verdict", "by_label") or sample.n_labelled <= 0:
        return None
    test = sample.test
    if test.sum() <= 0:
        return None

    def gap(cells: Array) -> Array:
        total = cells.sum(-3)
        return points.naive(total[..., -1, :]) - points.naive(total[..., :-1, :].sum(-2))

    inflation = sample.inflation(gap, confidence_level=0.95)
    return designs.shift_test(
        test, sample.calibration, inflation=1.0 if math.isnan(inflation) else inflation
    )


def missing_bounds(sample: Sample, headline: Result, *, confidence_level: float) -> Result | None:
    """The rate over all items, judged or not, with nothing assumed of those without a verdict."""
    missing = sum(sample.without_verdict.values())
    if missing <= 0 or isinstance(headline, Undefined) or headline.interval is None:
        return None
    judged = float(sample.total.sum())
    fewest, most, low, high = bounds_over_missing(
        headline.value,
        headline.interval.low,
        headline.interval.high,
        judged=judged,
        missing=missing,
        confidence_level=confidence_level,
    )
    words = ", ".join(f"{count:g} {reason}" for reason, count in sample.without_verdict.items())
    return Estimate(
        "prevalence_bounds",
        (fewest + most) / 2,
        Interval(low, high, confidence_level, f"bounds: nothing assumed of {words}"),
        round(judged + missing),
        sample.n_clusters,
        declared={"if all missing are negative": fewest, "if all missing are positive": most},
        assumptions=("nothing about items without a verdict",),
    )
