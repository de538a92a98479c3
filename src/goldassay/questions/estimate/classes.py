"""Gathered on more than two options: the true rate of each, and the mean of an ordinal scale."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from goldassay.counts import Units
from goldassay.formulas import rates as points
from goldassay.questions.estimate.counting import sample_of
from goldassay.questions.estimate.design import ASSUMPTIONS, headline_estimator, shift_test
from goldassay.questions.estimate.means import moments_of_counts, ppi_mean, stratified_mean
from goldassay.questions.estimate.multinomial import rates_by_confusion, rates_by_verdict
from goldassay.questions.estimate.parts import percent
from goldassay.questions.estimate.sample import Sample
from goldassay.results import Estimate, Gathered, Interval, Table, Undefined

__all__ = ["add_classes", "option_scores"]

Array = NDArray[np.float64]


def option_scores(options: tuple[str, ...]) -> Array:
    """The options' own numbers where all are numbers, else 1, 2, ... in the declared order."""
    try:
        numbers = [float(option) for option in options]
    except ValueError:
        numbers = []
    if len(numbers) == len(options) and all(math.isfinite(one) for one in numbers):
        return np.array(numbers)
    return np.arange(1.0, len(options) + 1)


def add_classes(
    findings: Gathered,
    units: Units,
    judge: str,
    *,
    about: dict[str, str | None],
    draws: int,
    seed: int,
) -> None:
    """The corrected rate of every option; for an ordinal scale the corrected mean too."""
    task, level = units.task, units.task.confidence_level
    sample = sample_of(units, judge)
    test, calibration = sample.test, sample.calibration
    if calibration.sum() <= 0 or sample.n_items == 0:
        reason = "no item has both a label and a verdict: nothing is known of the judge's errors"
        findings.add(Undefined("prevalence", reason, sample.n_items), **about)
        return
    headline = headline_estimator(task.calibration, apart=sample.apart)
    inflation = _inflation(sample, level)
    pool = test + calibration.sum(-2)
    judged = pool[: len(sample.options)] / pool.sum()
    if headline == "rogan_gladen":
        value, low, high = rates_by_confusion(
            test, calibration, confidence_level=level, inflation=inflation, draws=draws, seed=seed
        )
        method = f"posterior of the confusion matrix ({draws} draws)"
        if test.sum() > 0:
            judged = test[: len(sample.options)] / test.sum()
    else:
        value, low, high = rates_by_verdict(
            pool, calibration, confidence_level=level, inflation=inflation
        )
        method = "stratified (MOVER and effective-size Beta)"
    rows: list[tuple[str, float, float | None, float | None, float | None]] = []
    for index, option in enumerate(sample.options):
        key = {**about, "option": option}
        rate = float(value[index])
        if math.isnan(rate):
            reason = "an option has no label, or the judge cannot tell some options apart"
            findings.add(Undefined("prevalence", reason, sample.n_items), **key)
            rows.append((option, float(judged[index]), None, None, None))
            continue
        ends = Interval(min(float(low[index]), rate), max(float(high[index]), rate), level, method)
        estimate = Estimate(
            "prevalence",
            rate,
            ends,
            sample.n_items,
            sample.n_clusters,
            declared={
                "estimator": headline,
                "calibration": task.calibration,
                "labelled": sample.n_labelled,
            },
            assumptions=(ASSUMPTIONS[headline],),
        )
        findings.add(estimate, **key)
        findings.add(
            Estimate("prevalence_naive", float(judged[index]), n_items=sample.n_items), **key
        )
        rows.append((option, float(judged[index]), rate, ends.low, ends.high))
    label = " · ".join(str(v) for v in (judge, about.get("criterion")) if v)
    findings.tables[f"options {label}"] = Table(
        f"True rate of each option ({label}; labels drawn: {task.calibration or 'not declared'})",
        ("option", "judge's rate", "corrected", "low", "high"),
        tuple(rows),
        (f"Needs: {ASSUMPTIONS[headline]}.",),
    )
    _classes_words(findings, judge, rows, label)
    if task.calibration in (None, "random", "separate") and test.sum() > 0:
        shifted = shift_test(test, calibration, inflation=inflation)
        if shifted is not None and shifted.p_value < 0.05:
            findings.warnings.append(
                f"{judge}'s verdicts are spread differently over labelled and test items "
                f"(p = {shifted.p_value:.2g}): the labelled items are not like the test items."
            )
    if task.scale == "ordinal":
        _add_mean(findings, sample, about, headline, task.calibration, level, inflation)


def _classes_words(
    findings: Gathered,
    judge: str,
    rows: list[tuple[str, float, float | None, float | None, float | None]],
    label: str,
) -> None:
    known = [
        (option, judged, true, low, high)
        for option, judged, true, low, high in rows
        if true is not None and low is not None and high is not None
    ]
    if not known:
        findings.answer.append(f"The true rates behind {label} cannot be told.")
        return
    option, judged, true, low, high = max(known, key=lambda row: abs(row[1] - row[2]))
    findings.answer.append(
        f"{judge} is furthest off on {option}: it says {percent(judged)}, the true rate is "
        f"likely {percent(low)} to {percent(high)} (best estimate {percent(true)})."
    )
    findings.charts.append(
        {
            "kind": "dot_interval",
            "title": f"True rate of each option ({label})",
            "x_label": "rate",
            "rows": [
                {"label": row[0], "value": row[2], "low": row[3], "high": row[4]} for row in known
            ],
            "references": [],
            "alt": "Corrected rates of the options: "
            + ", ".join(f"{row[0]} {row[2]:.2f}" for row in known),
        }
    )


def _inflation(sample: Sample, level: float) -> float:
    """The largest design effect over the options' rates."""

    def option(index: int) -> float:
        def rate(cells: Array) -> Array:
            total = cells.sum(-3)
            calibration = total[..., :-1, :]
            labelled = calibration.sum(-2)
            return points.stratified(
                total[..., -1, :] + labelled, calibration[..., index, :], labelled
            )

        return sample.inflation(rate, confidence_level=level)

    found = [option(index) for index in range(len(sample.options))]
    return max([1.0, *(one for one in found if not math.isnan(one))])


def _add_mean(
    findings: Gathered,
    sample: Sample,
    about: dict[str, str | None],
    headline: str,
    design: str | None,
    level: float,
    inflation: float,
) -> None:
    """The mean option: by PPI++ for labels drawn at random, by verdict for those drawn so."""
    size = len(sample.options)
    scores = option_scores(sample.options)
    test, calibration = sample.test[:size], sample.calibration[:, :size]
    if headline == "rogan_gladen" or calibration.sum() < 2:
        reason = "a mean needs labels drawn at random from the pool, or within its verdicts"
        findings.add(Undefined("mean_score", reason, sample.n_items), **about)
        return
    declared: dict[str, object] = {"scores": scores.tolist()}
    if design == "random" and len(sample.verdicts) == size:
        human, machine = np.repeat(scores, size), np.tile(scores, size)
        labelled = moments_of_counts(calibration.reshape(-1), human, machine)
        value, low, high, weight = ppi_mean(
            labelled,
            moments_of_counts(test, scores, scores),
            confidence_level=level,
            inflation=inflation,
        )
        declared["weight of the judge"] = weight
        method, assumption = "PPI++, Student", ASSUMPTIONS["power_tuned"]
    else:
        value, low, high = stratified_mean(
            sample.test + sample.calibration.sum(0),
            sample.calibration,
            scores,
            confidence_level=level,
            inflation=inflation,
        )
        method, assumption = "stratified mean, Student", ASSUMPTIONS["stratified"]
    least, most = float(scores.min()), float(scores.max())
    value = min(max(value, least), most)
    ends = Interval(min(max(low, least), value), max(min(high, most), value), level, method)
    findings.add(
        Estimate(
            "mean_score",
            value,
            ends,
            sample.n_items,
            sample.n_clusters,
            declared=declared,
            assumptions=(assumption,),
        ),
        **about,
    )
