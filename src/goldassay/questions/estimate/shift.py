"""Do labelled and test items get the same verdicts?"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas import rates as points
from goldassay.formulas.special import chi_square_tail
from goldassay.frozen import dataclass
from goldassay.questions.estimate.design import Drawing
from goldassay.questions.estimate.sample import Sample
from goldassay.words import p_said, percent

__all__ = ["ShiftTest", "if_like_the_others", "shift_of", "shift_test", "shifts_within"]

Array = NDArray[np.float64]

#: Below this p-value a difference is called a shift.
SHIFT_LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class ShiftTest:
    """Pearson's test of the verdicts of labelled and test items."""

    test_rate: float
    calibration_rate: float
    statistic: float
    degrees: int
    p_value: float
    #: Judges (and criteria) that were tested: of many, one seems shifted by chance.
    tests: int = 1

    @property
    def corrected(self) -> float:
        """The p-value as that of the least of so many (Bonferroni)."""
        return min(1.0, self.p_value * self.tests)

    @property
    def shifted(self) -> bool:
        return self.corrected < SHIFT_LEVEL

    def spread_said(self, judge: str, unit: str, option: str, of: str = "") -> str:
        """What the judge calls the labelled items and the others, and how sure that differs."""
        return (
            f"{judge} calls {percent(self.calibration_rate)} of the labelled {unit}s{of} {option} "
            f"and {percent(self.test_rate)} of the others ({self.tested})"
        )

    @property
    def tested(self) -> str:
        """The p-value, corrected for all that were tested."""
        of = f", corrected for {self.tests} tests" if self.tests > 1 else ""
        return f"{p_said(self.corrected)}{of}"


def if_like_the_others(unit: str) -> str:
    """What a number takes for granted that rests on a random draw which the verdicts refute."""
    return f"if the labelled {unit}s are like the others, "


def shift_test(test: Array, calibration: Array, *, inflation: float = 1.0) -> ShiftTest | None:
    """Pearson's test that verdicts are spread alike among labelled and test items.

    A difference means that the labels were not drawn at random from the pool. Then the estimators
    that carry the labelled items' rate over are wrong; Rogan-Gladen is right if only the true rates
    differ. None where there is nothing to compare. Alike verdicts do not prove that nothing
    shifted. Not for labels drawn by verdict or by label: those differ by design.
    """
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
        p_value=chi_square_tail(degrees, statistic),
    )


def shift_of(sample: Sample, drawn: Drawing) -> ShiftTest | None:
    """The test for a judge of two options, where the design should have made verdicts alike."""
    if not drawn.same_verdicts or sample.n_labelled <= 0 or sample.test.sum() <= 0:
        return None

    return shift_test(sample.test, sample.calibration, inflation=_inflation(sample))


def shifts_within(sample: Sample, drawn: Drawing) -> dict[str, ShiftTest]:
    """The same within each group that has labelled and other items, which may be labelled more
    than another."""
    if not drawn.same_verdicts or sample.n_labelled <= 0 or sample.test.sum() <= 0:
        return {}
    inflation, found = _inflation(sample), {}
    for name, cells in zip(sample.groups, sample.total, strict=True):
        test = shift_test(cells[-1], cells[:-1], inflation=inflation) if name else None
        if test is not None:
            found[name] = test
    return found


def _inflation(sample: Sample) -> float:
    """How many times the variance of independent items clusters give the difference of rates."""

    def gap(cells: Array) -> Array:
        total = cells.sum(-3)
        return points.naive(total[..., -1, :]) - points.naive(total[..., :-1, :].sum(-2))

    inflation = sample.inflation(gap, confidence_level=0.95)
    return 1.0 if math.isnan(inflation) else inflation
