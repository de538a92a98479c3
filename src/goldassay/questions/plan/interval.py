"""The interval that `estimate` will give: of the labels so far, and of simulated ones.

Nothing is computed here that `estimate` does not compute: the headline's estimator, its limits and
the design effect of clusters are its own functions, so that whatever it gives is planned with.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from goldassay.counts import Units
from goldassay.frozen import dataclass
from goldassay.questions.estimate.binary import (
    corrected,
    ends_of_few,
    main_estimator,
    rate_of_cells,
)
from goldassay.questions.estimate.classes import option_rates
from goldassay.questions.estimate.counting import complete_sample, options_in_order, sample_of
from goldassay.questions.estimate.design import Drawing, drawing
from goldassay.questions.estimate.estimators import (
    CALIBRATION_ONLY,
    Counts,
    Estimator,
    Settings,
    headline,
)
from goldassay.questions.estimate.linear import Functional
from goldassay.questions.estimate.sample import Sample, designs_of, summed_cells
from goldassay.questions.estimate.strata import strata_rates, whole_limits, whole_of_cells
from goldassay.questions.estimate.subject import Subject
from goldassay.results import Estimate, Result, Undefined

__all__ = ["Rule", "length_of", "rate_now", "rule_of"]

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Rule:
    """How the interval is made: by which estimator, at which level, within strata or not."""

    estimator: Estimator
    drawn: Drawing
    confidence_level: float
    within_strata: bool

    @property
    def by_label(self) -> bool:
        return self.estimator.within == "label"

    @property
    def rate_of_cells(self) -> Functional:
        """The rate as a function of cells [..., G, 3, V]."""
        if self.within_strata:
            return whole_of_cells(by_label=self.by_label)
        return rate_of_cells(self.estimator, pooled=self.drawn.from_pool)

    def lengths(self, cells: Array, inflation: Array) -> Array:
        """Lengths [R] of the intervals of R studies, cells [R, G, 3, V]; infinite: no interval."""
        return _length(*self._limits(cells, inflation), inflation)

    def clustered_lengths(self, cells: Array, n_items: int, scale: float) -> Array:
        """The same of cells by cluster [R, C, G, 3, V]; `scale` multiplies design effects."""
        found = designs_of(cells, n_items, self.rate_of_cells)
        inflation = scale * found.inflations(self.confidence_level)
        value, low, high = self._limits(summed_cells(cells, n_items), inflation)
        if self.estimator.moves_by_size:
            low, high = found.moved(value, low, high)
        few = np.flatnonzero(found.hang_on_few & cells[..., -1, :].any((1, 2, 3)))
        if len(few) and self.estimator.within == "verdict" and not self.within_strata:
            ends = ends_of_few(
                self.estimator,
                (cells[few], None),
                n_items,
                pooled=self.drawn.from_pool,
                level=self.confidence_level,
            )
            low[few], high[few] = np.minimum(low[few], ends[0]), np.maximum(high[few], ends[1])
        return _length(value, low, high, inflation)

    def _limits(self, cells: Array, inflation: Array) -> tuple[Array, Array, Array]:
        """Values and both limits [R]."""
        if self.within_strata:
            return whole_limits(
                cells,
                by_label=self.by_label,
                confidence_level=self.confidence_level,
                inflation=inflation,
            )
        total = cells.sum(1)
        counts = Counts(total[:, -1], total[:, :-1], self.drawn.from_pool)
        complete = self.drawn.from_pool and not counts.test.any()
        estimator = CALIBRATION_ONLY if complete else self.estimator
        value, low, high = estimator.corrected(counts, self.confidence_level, inflation)[:3]
        return value, low, high


def _length(value: Array, low: Array, high: Array, inflation: Array) -> Array:
    value = np.clip(value, 0, 1)
    length: Array = np.maximum(high, value) - np.minimum(low, value)
    return np.where(np.isfinite(length) & np.isfinite(inflation), length, np.inf)


def rule_of(units: Units, sample: Sample) -> Rule:
    """The rule that `estimate` follows for these units."""
    drawn = drawing(units.task.calibration, apart=sample.apart)
    within = len(units.options) == 2 and len(sample.groups) > 1
    return Rule(headline(drawn), drawn, units.task.confidence_level, within)


def rate_now(units: Units, judge: str) -> Result:
    """The true rate with the labels so far, as `estimate` gives it."""
    task = units.task
    settings = Settings(task.confidence_level)
    sample = _known_sample(units, judge)
    drawn = drawing(task.calibration, apart=sample.apart)
    first = headline(drawn)
    if sample.calibration.sum() <= 0:
        return Undefined("prevalence", "no item is labelled yet", sample.n_items)
    if len(units.options) > 2:
        positive = units.options.index(task.positive) if task.positive is not None else 0
        found = option_rates(Subject(judge, None), sample, drawn, settings, ordinal=False)
        return found.rates[options_in_order(units).index(positive)]
    if task.strata:
        by = _known_sample(units, judge, by=task.strata)
        level = settings.confidence_level
        strata = strata_rates(by, first, task.strata, confidence_level=level)
        if strata is not None:
            return strata.whole
    return corrected(main_estimator(sample, drawn), sample, drawn, settings, name="prevalence")


def _known_sample(units: Units, judge: str, by: Sequence[str] = ()) -> Sample:
    """All labelled items where that is every item, as `estimate` takes them; else the judge's."""
    complete = None
    if units.task.calibration != "by_label":
        complete = complete_sample(units, judge, by=by)
    return complete or sample_of(units, judge, by=by)


def length_of(result: Result) -> float:
    """The length of its interval; infinite where there is none."""
    if isinstance(result, Estimate) and result.interval is not None:
        return result.interval.length
    return math.inf
