"""A choice of a judge in pictures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from goldassay.charts import Chart, Curve, Dot, DotInterval, Line, Point, Reference, Scatter, Series
from goldassay.glossary import is_rate
from goldassay.questions.select.criteria import Criterion
from goldassay.questions.select.stability import Distortion
from goldassay.questions.select.study import SelectStudy
from goldassay.questions.select.thresholds import Roc, Threshold
from goldassay.results import Estimate
from goldassay.words import decimal, percent

__all__ = ["charts"]

#: Points that a drawn ROC curve is thinned to.
MOST_POINTS = 200


def charts(study: SelectStudy) -> tuple[Chart, ...]:
    """All pictures, the judges by the criterion first."""
    return tuple(_charts(study))


def _charts(study: SelectStudy) -> Iterator[Chart]:
    if study.compared:
        yield _judges(study)
    if study.distortions:
        steepest = max(study.distortions, key=lambda line: line.youden_j)
        yield _distortion(study.distortions, steepest)
        yield _roc_plane(study.distortions, steepest)
    tuned = [
        (one.judge, one.threshold, one.curve)
        for one in study.cut_scores
        if one.threshold is not None and one.curve is not None
    ]
    if tuned:
        yield _roc_curves(tuned)


def _judges(study: SelectStudy) -> DotInterval:
    results = [
        (merit.name, merit.comparable)
        for merit in study.compared
        if isinstance(merit.comparable, Estimate)
    ]
    dots = [
        Dot(
            name,
            found.value,
            found.interval.low if found.interval else None,
            found.interval.high if found.interval else None,
        )
        for name, found in results
    ]
    (best, highest), (last, lowest) = results[0], results[-1]
    guess, words = study.guessing, _words(study.criterion)
    rate = is_rate(study.criterion.name)
    written = percent if rate else decimal
    return DotInterval(
        title=f"Judges by {words}",
        x_label=words,
        rows=dots,
        references=[Reference(guess, "guessing")] if guess is not None else [],
        rate=rate or None,
        alt=f"{best} is highest at {written(highest.value)}, {last} lowest at "
        f"{written(lowest.value)}.",
    )


def _distortion(lines: Sequence[Distortion], steepest: Distortion) -> Line:
    series = [
        Series(line.judge, [0.0, 1.0], [line.false_positive_rate, line.sensitivity])
        for line in sorted(lines, key=lambda line: -line.youden_j)
    ]
    return Line(
        title="What each judge reports for a true rate",
        x_label="true rate",
        y_label="judge's rate",
        series=series,
        rates="xy",
        diagonal="no distortion",
        alt=f"Lines y = FPR + J x; {steepest.judge} is the steepest, with J "
        f"{decimal(steepest.youden_j)}.",
    )


def _roc_plane(lines: Sequence[Distortion], steepest: Distortion) -> Scatter:
    low, high = steepest.false_positive_rate, steepest.sensitivity
    return Scatter(
        title="Judges in the ROC plane",
        x_label="false positive rate",
        y_label="sensitivity",
        points=[Point(line.judge, line.false_positive_rate, line.sensitivity) for line in lines],
        curves=[Curve(f"J of {steepest.judge}", [low, low], [low, high])],
        diagonal=True,
        rates="xy",
        alt="Each judge's J is its height above the diagonal.",
    )


def _roc_curves(tuned: Sequence[tuple[str, Threshold, Roc]]) -> Scatter:
    tuned = sorted(tuned, key=lambda one: -one[1].youden_j)
    judge, best, steepest = tuned[0]
    return Scatter(
        title="ROC curves, with the greatest J",
        x_label="false positive rate",
        y_label="sensitivity",
        points=[],
        curves=[*(_curve(name, curve) for name, _, curve in tuned), _height(judge, steepest)],
        diagonal=True,
        rates="xy",
        alt=f"The curve of {judge} is {decimal(best.apparent_j)} above the diagonal at its best "
        "threshold.",
    )


def _curve(judge: str, curve: Roc) -> Curve:
    """The curve, thinned for drawing."""
    size = len(curve.thresholds)
    keep = np.unique(np.linspace(0, size - 1, min(MOST_POINTS, size)).round().astype(int))
    x, y = curve.false_positive_rate, curve.sensitivity
    return Curve(judge, x[keep].tolist(), y[keep].tolist())


def _height(judge: str, curve: Roc) -> Curve:
    """The greatest J as an upright line."""
    at = float(curve.false_positive_rate[curve.best])
    return Curve(f"J of {judge}", [at, at], [at, float(curve.sensitivity[curve.best])])


def _words(criterion: Criterion) -> str:
    return criterion.name.replace("_", " ")
