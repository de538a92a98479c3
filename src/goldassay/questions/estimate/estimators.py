"""The estimators of a true rate: each is one record, and everything else goes through the records.

A new estimator is a record in `ESTIMATORS` with its formula (`formulas/rates.py`), its interval
(`inference/rates.py`), and its line in `docs/estimate.md`. Numbers (i) to (v) in the formulas are
those of Lee et al. (2026), table 2.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goldassay.formulas import rates as points
from goldassay.formulas.agreement import ratio
from goldassay.frozen import dataclass
from goldassay.inference import rates as limits
from goldassay.inference.proportions import binomial
from goldassay.questions.estimate.design import DESIGNS, ERRS_ALIKE, Drawing
from goldassay.words import percent

__all__ = [
    "BY_VERDICT",
    "CALIBRATION_ONLY",
    "ESTIMATORS",
    "INVERSION",
    "NAIVE",
    "POWER_TUNED",
    "ROGAN_GLADEN",
    "STRATIFIED",
    "Corrected",
    "Counts",
    "Estimator",
    "Settings",
    "broken_by_shift",
    "estimates",
    "headline",
]

Array = NDArray[np.float64]

#: The interval of rates within verdicts, weighted by the pool's verdicts.
BY_VERDICT = "stratified (MOVER and effective-size Beta)"
#: The interval of a share over clusters or items of unequal weight.
EFFECTIVE = "effective-size Beta"
#: The interval of Rogan-Gladen where Lang and Reiczigel's (equation 6) is not to be relied on.
INVERSION = "inversion of Jeffreys limits"


@dataclass(frozen=True, slots=True)
class Counts:
    """Verdicts of the items that nobody labelled, `test[..., V]`, and labelled items.

    `calibration[..., K, V]` has a row for each label and a column for each verdict; of two options,
    index 1 is the positive one. Leading axes are free. `pooled` says that the labelled items belong
    to the pool whose rate is wanted.
    """

    test: Array
    calibration: Array
    pooled: bool = False

    @property
    def labelled(self) -> Array:
        """Labelled items by verdict [..., V]."""
        found: Array = self.calibration.sum(-2)
        return found

    @property
    def labels(self) -> Array:
        """Labelled items by label [..., K]."""
        found: Array = self.calibration.sum(-1)
        return found

    @property
    def pool(self) -> Array:
        """All items by verdict [..., V]."""
        return self.test + self.labelled

    @property
    def judged(self) -> Array:
        """The items whose rate is wanted, by verdict [..., V]."""
        return self.pool if self.pooled else self.test


class Corrected(NamedTuple):
    """Rates (not clipped; NaN where there is none), their limits, and how these were found."""

    value: Array
    low: Array
    high: Array
    method: str | NDArray[np.str_]


@dataclass(frozen=True, slots=True)
class Settings:
    """How intervals are made; draws and seed serve those of more than two verdicts."""

    confidence_level: float = 0.95
    draws: int = 4_000
    seed: int = 1


#: Why counts do not allow an estimate, or None where they do.
Requirement = Callable[[Counts], str | None]
#: Corrected rates of counts at a confidence level, the counts divided by the third.
Correction = Callable[[Counts, float, Array | float], Corrected]


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimator:
    """A way to put a judge's verdicts and people's labels together."""

    name: str
    #: The name of its result; the headline's is `prevalence`.
    result: str
    #: The estimator in words, and what it needs, in few words and in full.
    words: str
    needs: str
    assumes: str
    #: Designs under which it is right, whatever the judge.
    designs: frozenset[str]
    #: Where the labelled items are taken to be like the others: among items of one verdict, or of
    #: one label; None: as a whole.
    within: Literal["verdict", "label"] | None = None
    #: What counts it needs; the first that fails says why there is no estimate.
    requires: tuple[Requirement, ...]
    #: The formula alone, for resampling and influence.
    rate: Callable[[Counts], Array]
    #: The rate with its limits.
    corrected: Correction

    @property
    def moves_by_size(self) -> bool:
        """Whether ends lie further where large clusters are of another kind than small ones.

        One that inverts the judge's errors hangs on labels whose clusters are not the pool's.
        """
        return self.within != "label"

    def impossible(self, counts: Counts) -> str | None:
        """Why there is no estimate from these counts, or None."""
        return next((reason for check in self.requires if (reason := check(counts))), None)

    def holds(self, drawn: Drawing) -> bool | None:
        """Is it right, whatever the judge? None where the design is not declared."""
        return None if drawn.declared is None else drawn.declared in self.designs


# --- what an estimator needs ------------------------------------------------------------------


def _has_verdicts(counts: Counts) -> str | None:
    return None if counts.judged.sum() > 0 else "no test item has a verdict that counts"


def _has_labels(counts: Counts) -> str | None:
    if counts.calibration.sum() > 0:
        return None
    return "no item has both a label and a verdict, so that nothing is known of a judge's errors"


def _has_yes_or_no(counts: Counts) -> str | None:
    if counts.test.shape[-1] <= 2:
        return None
    return "needs a yes or no of the judge for every item, and some verdicts are neither"


def _has_test_items(counts: Counts) -> str | None:
    if counts.test.sum() > 0:
        return None
    return "every item is labelled: there is no test item to correct"


def _has_both_labels(counts: Counts) -> str | None:
    for index, (label, rate) in enumerate(
        (("negative", "specificity"), ("positive", "sensitivity"))
    ):
        if counts.labels[index] <= 0:
            return f"no labelled item is {label}: the judge's {rate} is unknown"
    return None


def _has_information(counts: Counts) -> str | None:
    if counts.test.shape[-1] > 2:
        return None
    q0, q1 = (float(rate) for rate in points.error_rates(counts.calibration))
    if q0 + q1 > 1:
        return None
    return (
        f"this judge carries no information here: specificity {percent(q0)} and sensitivity "
        f"{percent(q1)} are at most 100 % together, no better than a coin"
    )


# --- formulas with their intervals ------------------------------------------------------------


def _stratified_rate(counts: Counts) -> Array:
    return points.stratified(counts.pool, counts.calibration[..., 1, :], counts.labelled)


def _stratified(counts: Counts, level: float, inflation: Array | float) -> Corrected:
    ends = limits.stratified_limits(
        counts.pool,
        counts.calibration[..., 1, :],
        counts.labelled,
        confidence_level=level,
        inflation=inflation,
    )
    return Corrected(_stratified_rate(counts), *ends, BY_VERDICT)


def _conditional_rate(counts: Counts) -> Array:
    return points.conditional_calibration(counts.test, counts.calibration)


def _conditional(counts: Counts, level: float, inflation: Array | float) -> Corrected:
    ends = limits.stratified_limits(
        counts.test,
        counts.calibration[..., 1, :],
        counts.labelled,
        confidence_level=level,
        inflation=inflation,
    )
    return Corrected(_conditional_rate(counts), *ends, BY_VERDICT)


def _rogan_gladen_rate(counts: Counts) -> Array:
    return points.rogan_gladen(counts.test, counts.calibration)


def _rogan_gladen(counts: Counts, level: float, inflation: Array | float) -> Corrected:
    low, high, dependable = limits.rogan_gladen_limits(
        counts.test, counts.calibration, confidence_level=level, inflation=inflation
    )
    method = np.where(dependable, "Lang-Reiczigel", INVERSION)
    return Corrected(_rogan_gladen_rate(counts), low, high, method)


def _prediction_powered(weight: float | None, method: str) -> Correction:
    """PPI with a weight of the judge; tuned when None."""

    def corrected(counts: Counts, level: float, inflation: Array | float) -> Corrected:
        scale = points.floats(inflation)
        value = points.power_tuned(counts.test, counts.calibration, weight)
        low, high = limits.ppi_normal(
            counts.test / scale[..., None],
            counts.calibration / scale[..., None, None],
            weight=weight,
            confidence_level=level,
            pseudo=1.0,
        )
        # Adjusted limits are centred elsewhere; the estimate is never left outside of them.
        inside = np.clip(value, 0, 1)
        low, high = np.minimum(low, inside), np.maximum(high, inside)
        # Limits beyond 0 or 1 would be a single point: there the labels alone say how far it is.
        beyond, alone = (high <= 0) | (low >= 1), _calibration_only(counts, level, inflation)
        low = np.where(beyond, np.minimum(inside, alone.low), low)
        high = np.where(beyond, np.maximum(inside, alone.high), high)
        return Corrected(value, np.clip(low, 0, 1), np.clip(high, 0, 1), method)

    return corrected


def _calibration_only(counts: Counts, level: float, inflation: Array | float) -> Corrected:
    return _proportion(counts.labels, level, inflation)


def _naive(counts: Counts, level: float, inflation: Array | float) -> Corrected:
    return _proportion(counts.judged, level, inflation)


def _proportion(counts: Array, level: float, inflation: Array | float) -> Corrected:
    """The share of the positive option along the last axis.

    In clusters it is the rate of one stratum, and no less than the interval of lone items: hedges
    of counts that a design effect divides are hedges of few items, and longer than what covers.
    """
    scale = points.floats(inflation)
    successes, trials = counts[..., 1], counts.sum(-1)
    low, high = binomial(successes, trials, confidence_level=level)
    clustered = ~(scale <= 1)
    if clustered.any():
        one = (part[..., None] for part in (trials, successes, trials))
        ends = limits.stratified_limits(*one, confidence_level=level, inflation=scale)
        low = np.where(clustered, np.fmin(low, ends[0]), low)
        high = np.where(clustered, np.fmax(high, ends[1]), high)
    return Corrected(
        ratio(successes, trials),
        np.nan_to_num(low, nan=0.0),
        np.nan_to_num(high, nan=1.0),
        np.where(clustered, EFFECTIVE, "hedged binomial"),
    )


# --- the records ------------------------------------------------------------------------------

STRATIFIED = Estimator(
    name="stratified",
    result="prevalence_stratified",
    words="stratified by verdict",
    needs="labels at random from the pool or its verdicts",
    assumes="labels drawn at random from the pool, or at random within its verdicts; "
    "nothing about the judge",
    designs=frozenset({"random", "by_verdict"}),
    within="verdict",
    requires=(_has_labels,),
    rate=_stratified_rate,
    corrected=_stratified,
)
POWER_TUNED = Estimator(
    name="power_tuned",
    result="prevalence_ppi_plus_plus",
    words="PPI++",
    needs="labels at random from the pool",
    assumes="labels drawn at random from the pool; nothing about the judge",
    designs=frozenset({"random"}),
    requires=(_has_labels, _has_yes_or_no, _has_test_items),
    rate=lambda counts: points.power_tuned(counts.test, counts.calibration),
    corrected=_prediction_powered(None, "PPI++, adjusted normal"),
)
DIFFERENCE = Estimator(
    name="difference",
    result="prevalence_ppi",
    words="PPI (difference)",
    needs="labels at random from the pool",
    assumes="labels drawn at random from the pool; nothing about the judge",
    designs=frozenset({"random"}),
    requires=(_has_labels, _has_yes_or_no, _has_test_items),
    rate=lambda counts: points.difference(counts.test, counts.calibration),
    corrected=_prediction_powered(1.0, "PPI, adjusted normal"),
)
CONDITIONAL_CALIBRATION = Estimator(
    name="conditional_calibration",
    result="prevalence_conditional_calibration",
    words="conditional calibration",
    needs="the same P(label | verdict)",
    assumes="among items with one verdict, as many are positive in the test "
    "as among the labelled: P(label | verdict) is the same",
    designs=frozenset({"random"}),
    within="verdict",
    requires=(_has_labels, _has_test_items),
    rate=_conditional_rate,
    corrected=_conditional,
)
ROGAN_GLADEN = Estimator(
    name="rogan_gladen",
    result="prevalence_rogan_gladen",
    words="Rogan-Gladen",
    needs="the same P(verdict | label)",
    assumes=f"{ERRS_ALIKE}: as often in the test as among the labelled items of each true label. "
    "P(verdict | label) is the same; the rates may differ",
    designs=frozenset({"random", "by_label", "separate"}),
    within="label",
    requires=(_has_labels, _has_test_items, _has_both_labels, _has_information),
    rate=_rogan_gladen_rate,
    corrected=_rogan_gladen,
)
CALIBRATION_ONLY = Estimator(
    name="calibration_only",
    result="prevalence_calibration_only",
    words="labels only",
    needs="labels at random from the pool",
    assumes="labels drawn at random from the pool; the judge is not used",
    designs=frozenset({"random"}),
    requires=(_has_labels,),
    rate=lambda counts: points.calibration_only(counts.calibration),
    corrected=_calibration_only,
)
NAIVE = Estimator(
    name="naive",
    result="prevalence_naive",
    words="the judge's own rate",
    needs="a judge whose errors cancel",
    assumes="the judge makes no errors, or as many of one kind as of the other",
    designs=frozenset(),
    requires=(_has_verdicts,),
    rate=lambda counts: points.naive(counts.judged),
    corrected=_naive,
)

#: All estimators in the order in which they are shown; of two that are right, the shorter first.
ESTIMATORS: Mapping[str, Estimator] = {
    one.name: one
    for one in (
        STRATIFIED,
        POWER_TUNED,
        DIFFERENCE,
        CONDITIONAL_CALIBRATION,
        ROGAN_GLADEN,
        CALIBRATION_ONLY,
        NAIVE,
    )
}


def headline(drawn: Drawing) -> Estimator:
    """The first estimator that is right under the design, or under most of the possible ones.

    Without a declared design that is Rogan-Gladen when the labelled items stand apart from the
    test items (right for `random`, `by_label`, `separate`), and the stratified estimator when they
    are part of the pool (right for `random`, `by_verdict`).
    """
    return max(
        ESTIMATORS.values(),
        key=lambda one: sum(design.name in one.designs for design in drawn.possible),
    )


def broken_by_shift() -> tuple[Estimator, ...]:
    """Estimators that are right for labels from the pool alone: another pool breaks them."""
    from_pool = {name for name, design in DESIGNS.items() if design.from_pool}
    return tuple(one for one in ESTIMATORS.values() if one.designs and one.designs <= from_pool)


def estimates(
    estimator: str,
    test: ArrayLike,
    calibration: ArrayLike,
    *,
    confidence_level: float = 0.95,
    inflation: Array | float = 1.0,
) -> tuple[Array, Array, Array]:
    """Value (not clipped; NaN where it does not exist), low and high of a named estimator.

    `test[..., V]` holds verdicts of unlabelled items, `calibration[..., 2, V]` labelled ones.
    """
    counts = Counts(points.floats(test), points.floats(calibration))
    return ESTIMATORS[estimator].corrected(counts, confidence_level, inflation)[:3]
