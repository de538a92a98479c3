"""The true rate where the judge's error rates are known, not estimated (equation 4).

(p + q0 - 1) / (q0 + q1 - 1) of Lee et al. (2026), after Rogan and Gladen (1978). It is linear in
the judge's own rate p, so that its interval is p's, moved alike: the sampling of the verdicts is
all that it allows for. Whoever knows the rates declares them; labels in the table are not used.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from goldassay.counts import Units
from goldassay.errors import UsageError
from goldassay.frozen import dataclass
from goldassay.questions.estimate.binary import clipping, corrected
from goldassay.questions.estimate.counting import sample_of
from goldassay.questions.estimate.design import drawing
from goldassay.questions.estimate.estimators import NAIVE, Settings
from goldassay.questions.estimate.subject import Subject
from goldassay.results import Estimate, Interval, Result, Row, Undefined

__all__ = ["KnownJudge", "KnownRates", "KnownStudy", "known_rate", "study_known"]


@dataclass(frozen=True, slots=True)
class KnownRates:
    """How often the judge is right on negatives and on positives, declared."""

    specificity: float
    sensitivity: float

    @property
    def results(self) -> tuple[Estimate, ...]:
        """Both as results: no interval, for nothing was estimated."""
        declared = {"known": True}
        return (
            Estimate("specificity_used", self.specificity, None, 0, 0, declared),
            Estimate("sensitivity_used", self.sensitivity, None, 0, 0, declared),
        )


def known_rate(own: Result, known: KnownRates) -> Result:
    """The true rate behind the judge's own rate, which may have an interval."""
    if isinstance(own, Undefined):
        return replace(own, name="prevalence")
    informed = known.specificity + known.sensitivity - 1
    if informed <= 0:
        reason = (
            f"this judge carries no information: specificity {known.specificity:g} + sensitivity "
            f"{known.sensitivity:g} is at most 1, no better than a coin"
        )
        return Undefined("prevalence", reason, own.n_items)

    def rate(p: float) -> float:
        return (p + known.specificity - 1) / informed

    value, ends = rate(own.value), own.interval
    interval = ends and Interval(
        _within(rate(ends.low)),
        _within(rate(ends.high)),
        ends.confidence_level,
        f"{ends.method} of the judge's rate, known error rates",
    )
    return Estimate(
        "prevalence",
        _within(value),
        interval,
        own.n_items,
        own.n_clusters,
        declared={
            "estimator": "known_error_rates",
            "specificity": known.specificity,
            "sensitivity": known.sensitivity,
        },
        assumptions=(
            "the judge's sensitivity and specificity are known and the same on these items",
        ),
        warnings=clipping(value),
    )


def _within(x: float) -> float:
    return min(max(x, 0.0), 1.0)


@dataclass(frozen=True, slots=True)
class KnownJudge:
    """One judge (and criterion): the true rate, and its own."""

    subject: Subject
    rate: Result
    naive: Result

    def rows(self) -> Iterator[Row]:
        for result in (self.rate, self.naive):
            yield Row(result, self.subject.named)


@dataclass(frozen=True, slots=True)
class KnownStudy:
    """The judges of a table under error rates that are declared for all of them."""

    known: KnownRates
    judges: tuple[KnownJudge, ...]
    positive: str

    def rows(self) -> tuple[Row, ...]:
        about = (row for judge in self.judges for row in judge.rows())
        return (*about, *map(Row, self.known.results))


def study_known(units: Units, known: KnownRates, *, judges: Sequence[str] = ()) -> KnownStudy:
    """Every judge's rate corrected by the declared error rates, by criterion.

    All items with a verdict count, labelled or not; where labelled items are set apart, the others.
    """
    task = units.task
    if len(units.options) != 2:
        raise UsageError(
            "--sensitivity, --specificity",
            "are of a judge of two options",
            found=f"{len(units.options)} options",
            next_step="Say in the task which are counted: positive = [...], or cut = ...",
        )
    settings = Settings(task.confidence_level)
    criteria = units.by["criterion"].labels if "criterion" in units.by else ()
    found = []
    for criterion in criteria or (None,):
        part = units if criterion is None else units.only("criterion", criterion)
        for judge in judges or units.judge_names:
            sample = sample_of(part, judge)
            apart = sample.apart and bool(sample.test.sum() > 0)
            drawn = drawing("separate" if apart else "random", apart=apart)
            own = corrected(NAIVE, sample, drawn, settings)
            if len(sample.verdicts) > 2:
                reason = "some verdicts are neither option: known rates do not say what these mean"
                own = Undefined(NAIVE.result, reason, sample.n_items)
            found.append(KnownJudge(Subject(judge, criterion), known_rate(own, known), own))
    return KnownStudy(known, tuple(found), task.positive or units.options[0])
