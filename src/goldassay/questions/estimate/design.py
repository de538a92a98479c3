"""Which estimators a design allows, what each of them assumes, and which one to headline.

How the labelled items were drawn is declared (`task.calibration`), because no data can show it:

- `random`      at random from the pool whose rate is wanted;
- `by_verdict`  at random within each verdict of that pool, in numbers of one's own choosing;
- `by_label`    so many of each true label, from anywhere the judge errs alike;
- `separate`    from another source, where the true rate may differ but the judge errs alike.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas import rates as points
from goldassay.formulas.agreement import ratio
from goldassay.inference import rates as limits
from goldassay.inference.proportions import binomial

__all__ = [
    "ASSUMPTIONS",
    "ESTIMATORS",
    "POINTS",
    "VALID",
    "ShiftTest",
    "estimates",
    "headline_estimator",
    "shift_test",
]

Array = NDArray[np.float64]

#: What must be the same among labelled and test items (P for the pool, Q for the labelled items).
ASSUMPTIONS: Mapping[str, str] = {
    "stratified": "labels drawn at random from the pool, or at random within its verdicts; "
    "nothing about the judge",
    "power_tuned": "labels drawn at random from the pool; nothing about the judge",
    "difference": "labels drawn at random from the pool; nothing about the judge",
    "conditional_calibration": "among items with one verdict, as many are positive in the test "
    "as among the labelled: P(label | verdict) is the same",
    "rogan_gladen": "the judge errs as often in the test as among the labelled items of each "
    "true label: P(verdict | label) is the same; the rates may differ",
    "calibration_only": "labels drawn at random from the pool; the judge is not used",
    "naive": "the judge makes no errors, or as many of one kind as of the other",
}
ESTIMATORS = tuple(ASSUMPTIONS)

#: Estimators that are right under a design, whatever the judge; shortest first.
VALID: Mapping[str | None, tuple[str, ...]] = {
    "random": (
        "stratified",
        "power_tuned",
        "conditional_calibration",
        "difference",
        "rogan_gladen",
        "calibration_only",
    ),
    "by_verdict": ("stratified",),
    "by_label": ("rogan_gladen",),
    "separate": ("rogan_gladen",),
}


def headline_estimator(design: str | None, *, apart: bool) -> str:
    """The shortest estimator that a design allows.

    Without a declared design, the one that is right under most of them: Rogan-Gladen when the
    labelled items stand apart from the test items (right for `random`, `by_label`, `separate`), and
    the stratified estimator when they are part of the pool (right for `random`, `by_verdict`).
    """
    if design is None:
        return "rogan_gladen" if apart else "stratified"
    return VALID[design][0]


Function = Callable[[Array, Array, float, Array | float], tuple[Array, Array, Array]]


def _stratified(
    test: Array, calibration: Array, level: float, inflation: Array | float
) -> tuple[Array, Array, Array]:
    labelled = calibration.sum(-2)
    pool = test + labelled
    value = points.stratified(pool, calibration[..., 1, :], labelled)
    ends = limits.stratified_limits(
        pool, calibration[..., 1, :], labelled, confidence_level=level, inflation=inflation
    )
    return value, *ends


def _conditional(
    test: Array, calibration: Array, level: float, inflation: Array | float
) -> tuple[Array, Array, Array]:
    value = points.conditional_calibration(test, calibration)
    ends = limits.stratified_limits(
        test,
        calibration[..., 1, :],
        calibration.sum(-2),
        confidence_level=level,
        inflation=inflation,
    )
    return value, *ends


def _rogan_gladen(
    test: Array, calibration: Array, level: float, inflation: Array | float
) -> tuple[Array, Array, Array]:
    value = points.rogan_gladen(test, calibration)
    low, high, _ = limits.rogan_gladen_limits(
        test, calibration, confidence_level=level, inflation=inflation
    )
    return value, low, high


def _prediction_powered(weight: float | None) -> Function:
    def function(
        test: Array, calibration: Array, level: float, inflation: Array | float
    ) -> tuple[Array, Array, Array]:
        value = points.power_tuned(test, calibration, weight)
        scale = points.floats(inflation)
        low, high = limits.ppi_normal(
            test / scale[..., None],
            calibration / scale[..., None, None],
            weight=weight,
            confidence_level=level,
            pseudo=1.0,
        )
        # Adjusted limits are centred elsewhere; the estimate is never left outside of them.
        inside = np.clip(value, 0, 1)
        return (
            value,
            np.clip(np.minimum(low, inside), 0, 1),
            np.clip(np.maximum(high, inside), 0, 1),
        )

    return function


def _rate(successes: Array, trials: Array, level: float) -> tuple[Array, Array, Array]:
    value = ratio(successes, trials)
    low, high = binomial(successes, trials, confidence_level=level)
    return value, np.nan_to_num(low, nan=0.0), np.nan_to_num(high, nan=1.0)


def _calibration_only(
    test: Array, calibration: Array, level: float, inflation: Array | float
) -> tuple[Array, Array, Array]:
    scale = points.floats(inflation)
    labels = calibration.sum(-1)
    return _rate(labels[..., 1] / scale, labels.sum(-1) / scale, level)


def _naive(
    test: Array, calibration: Array, level: float, inflation: Array | float
) -> tuple[Array, Array, Array]:
    scale = points.floats(inflation)
    return _rate(test[..., 1] / scale, test.sum(-1) / scale, level)


#: Point estimates of (test, calibration) alone, for resampling and influence.
POINTS: Mapping[str, Callable[[Array, Array], Array]] = {
    "stratified": lambda test, calibration: points.stratified(
        test + calibration.sum(-2), calibration[..., 1, :], calibration.sum(-2)
    ),
    "power_tuned": points.power_tuned,
    "difference": points.difference,
    "conditional_calibration": points.conditional_calibration,
    "rogan_gladen": points.rogan_gladen,
    "calibration_only": lambda test, calibration: points.calibration_only(calibration),
    "naive": lambda test, calibration: points.naive(test),
}

FUNCTIONS: Mapping[str, Function] = {
    "stratified": _stratified,
    "power_tuned": _prediction_powered(None),
    "difference": _prediction_powered(1.0),
    "conditional_calibration": _conditional,
    "rogan_gladen": _rogan_gladen,
    "calibration_only": _calibration_only,
    "naive": _naive,
}


def estimates(
    estimator: str,
    test: Array,
    calibration: Array,
    *,
    confidence_level: float = 0.95,
    inflation: Array | float = 1.0,
) -> tuple[Array, Array, Array]:
    """Value (not clipped; NaN where it does not exist), low and high of a named estimator.

    `test[..., V]` holds verdicts of unlabelled items, `calibration[..., 2, V]` labelled ones.
    """
    return FUNCTIONS[estimator](
        points.floats(test), points.floats(calibration), confidence_level, inflation
    )


@dataclass(frozen=True, slots=True)
class ShiftTest:
    """Do labelled and test items get the same verdicts?"""

    test_rate: float
    calibration_rate: float
    statistic: float
    degrees: int
    p_value: float
    #: Estimators that a shift of this kind breaks.
    breaks: tuple[str, ...]


def shift_test(test: Array, calibration: Array, *, inflation: float = 1.0) -> ShiftTest | None:
    """Pearson's test that verdicts are spread alike among labelled and test items.

    A difference means that the labels were not drawn at random from the pool. Then the estimators
    that carry the labelled items' rate over are wrong; Rogan-Gladen is right if only the true rates
    differ. None where there is nothing to compare. Alike verdicts do not prove that nothing
    shifted. Not for labels drawn by verdict or by label: those differ by design.
    """
    from scipy.special import chdtrc

    table = np.stack([points.floats(test), points.floats(calibration).sum(-2)]) / inflation
    table = table[:, table.sum(0) > 0]
    rows = table.sum(1)
    if table.shape[1] < 2 or not (rows > 0).all():
        return None
    expected = np.outer(rows, table.sum(0)) / table.sum()
    statistic = float(((table - expected) ** 2 / expected).sum())
    degrees = table.shape[1] - 1
    return ShiftTest(
        test_rate=float(points.naive(test)),
        calibration_rate=float(points.naive(points.floats(calibration).sum(-2))),
        statistic=statistic,
        degrees=degrees,
        p_value=float(chdtrc(degrees, statistic)),
        breaks=(
            "stratified",
            "power_tuned",
            "conditional_calibration",
            "difference",
            "calibration_only",
        ),
    )
