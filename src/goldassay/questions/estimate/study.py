"""The true rate behind each judge's rate, as typed results: from units to `EstimateStudy`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace

from goldassay.counts import Units, reference_weights, unit_word
from goldassay.errors import UsageError
from goldassay.frozen import dataclass
from goldassay.questions.estimate.binary import (
    Estimated,
    corrected,
    error_rates,
    every_estimator,
    main_estimator,
    missing_bounds,
    rate_of_pool,
)
from goldassay.questions.estimate.classes import JudgeOptions, option_rates
from goldassay.questions.estimate.counting import (
    complete_sample,
    rated_by_people,
    sample_of,
    whole_sample,
)
from goldassay.questions.estimate.design import Drawing, drawing
from goldassay.questions.estimate.estimators import (
    CALIBRATION_ONLY,
    NAIVE,
    Estimator,
    Settings,
    broken_by_shift,
)
from goldassay.questions.estimate.lent import DESIGN, Lent, with_lent_labels
from goldassay.questions.estimate.sample import Sample
from goldassay.questions.estimate.shift import ShiftTest, shift_of
from goldassay.questions.estimate.strata import StrataRates, strata_rates
from goldassay.questions.estimate.subject import Subject
from goldassay.questions.estimate.systems import SystemRates, system_rates
from goldassay.ratings.narrow_ratings import check_known_judges
from goldassay.results import Estimate, Result, Row, Undefined

__all__ = ["EstimateStudy", "JudgeRate", "Judged", "Unknown", "checked_judges", "study"]


@dataclass(frozen=True, slots=True)
class JudgeRate:
    """The true rate of the positive option behind one judge's."""

    subject: Subject
    design: str | None
    sample: Sample
    #: Every estimator's answer, the headline first.
    estimators: tuple[Estimated, ...]
    #: Specificity and sensitivity, where the design lets the labelled items tell them.
    error_rates: tuple[Result, ...]
    #: The rate of these very items, where labels were drawn from them.
    of_pool: Estimate | None
    #: The rate over all items, with nothing assumed of those without a verdict.
    bounds: Estimate | None
    #: The same with what labels of these tell: they are a verdict of their own.
    over_all: Estimate | None
    shift: ShiftTest | None
    #: The columns of the strata that were asked for, and the rates within them; None where all
    #: items are in one stratum.
    strata_columns: tuple[str, ...]
    strata: StrataRates | None
    systems: SystemRates | None
    #: Whether the labels are a passport's.
    lent: bool = False
    #: All labelled items, where people labelled every one and the judge decides fewer.
    complete: Sample | None = None

    @property
    def rate(self) -> Result:
        """The headline: corrected within the strata where these were asked for and allow it."""
        found = self.of_systems or self.by_strata or self.estimators[0].result
        if isinstance(found, Undefined) or not self.sample.of_decided:
            return found
        return replace(found, declared={**found.declared, **self.sample.of_decided})

    @property
    def by_strata(self) -> Estimate | None:
        """The rate corrected within strata, where there is one."""
        whole = None if self.strata is None else self.strata.whole
        return replace(whole, name="prevalence") if isinstance(whole, Estimate) else None

    @property
    def of_systems(self) -> Result | None:
        """The headline where people labelled hardly any items of some systems, which a rate within
        verdicts would take to be like the others: that of the systems together."""
        return None if self.systems is None else self.systems.of_all

    @property
    def estimator(self) -> str:
        """The headline's."""
        rate = self.of_systems
        if isinstance(rate, Estimate):
            return str(rate.declared["estimator"])
        return self.estimators[0].estimator.name

    @property
    def rests_on_draw(self) -> bool:
        """Whether the headline is right only if labelled items are like the others."""
        broken = {one.name for one in broken_by_shift()}
        return self.by_strata is None and not self.all_labelled and self.estimator in broken

    @property
    def own_rate(self) -> Result:
        """The judge's own rate of the items whose rate is wanted."""
        return next(one.result for one in self.estimators if one.estimator is NAIVE)

    @property
    def n_labelled(self) -> int:
        """Labelled items that the rate is of."""
        return (self.complete or self.sample).n_labels

    @property
    def all_labelled(self) -> bool:
        """Nothing is left to correct: people labelled every item."""
        return bool(self.sample.test.sum() <= 0 < self.sample.n_labelled)

    @property
    def of_undecided(self) -> tuple[Estimate, ...]:
        """The rates of all items, where the headline's is that of items with a verdict."""
        return tuple(one for one in (self.over_all, self.bounds) if one is not None)

    def rows(self) -> Iterator[Row]:
        first, *others = (one.result for one in self.estimators)
        if (self.of_systems or self.by_strata) is not None:
            # The headline follows the strata, or the judge's errors; the plain one stands by.
            yield Row(self.rate, self.subject.named)
            first = replace(first, name=self.estimators[0].estimator.result)
        whole = self.strata.whole if self.strata is not None else None
        beside = whole if isinstance(whole, Undefined) else None
        if self.all_labelled:  # what has nothing to correct is no failure of an estimator
            others = [one for one in others if isinstance(one, Estimate)]
        for result in (first, self.of_pool, *others, *self.error_rates, *self.of_undecided, beside):
            if result is not None:
                yield Row(result, self.subject.named)
        if self.systems is not None:
            yield from self.systems.rows(self.subject.named)


@dataclass(frozen=True, slots=True)
class Unknown:
    """A judge about which nothing can be said."""

    subject: Subject
    rate: Undefined

    def rows(self) -> Iterator[Row]:
        yield Row(self.rate, self.subject.named)


Judged = JudgeRate | JudgeOptions | Unknown


@dataclass(frozen=True, slots=True)
class EstimateStudy:
    """All judges, by criterion; `design` is how labels were drawn, as declared."""

    design: str | None
    judges: tuple[Judged, ...]
    #: Items that people labelled, whoever judged them, on each criterion (None without criteria).
    labelled: Mapping[str | None, int] = field(default_factory=dict)
    #: Items that nobody rated, and those that people rated and gave no label, being divided or
    #: having abstained.
    unrated: int = 0
    without_label: int = 0
    #: Whether items count by unlike weights.
    weighed: bool = False
    #: What is judged once, on a criterion where there are several.
    unit: str = "item"

    def labelled_on(self, criterion: str | None) -> int:
        return self.labelled.get(criterion, 0)

    def unlike_others(self, criterion: str | None) -> JudgeRate | JudgeOptions | None:
        """Whose verdicts say surest that the labelled items of a criterion were not drawn at random
        from the pool, though declared so; None where none do, or the rates do not rest on it."""
        judges = [
            one
            for one in self.judges
            if not isinstance(one, Unknown) and one.subject.criterion == criterion
        ]
        resting = [one for one in judges if not isinstance(one, JudgeRate) or one.rests_on_draw]
        found = [one for one in judges if one.shift is not None and one.shift.shifted]
        if self.design != "random" or not resting or not found:
            return None
        return min(found, key=lambda one: one.shift.p_value if one.shift else 1.0)

    def rows(self) -> tuple[Row, ...]:
        return tuple(row for judge in self.judges for row in judge.rows())

    def differences(self) -> Mapping[str, int]:
        """How many differences between systems there are by each judge that has some."""
        number = Counter[str]()
        for one in self.judges:
            if isinstance(one, JudgeRate) and one.systems is not None:
                number[one.subject.judge] += len(one.systems.board.differences)
        return +number

    def with_differences_by(self, judge: str) -> EstimateStudy:
        """The study that lists the differences between systems by one judge alone."""
        return replace(self, judges=tuple(_listing(one, judge) for one in self.judges))


def _listing(one: Judged, judge: str) -> Judged:
    if not isinstance(one, JudgeRate) or one.systems is None or one.subject.judge == judge:
        return one
    return replace(one, systems=replace(one.systems, lists_differences=False))


@dataclass(frozen=True, slots=True)
class Asked:
    """What is wanted of every judge."""

    strata: tuple[str, ...]
    shared_labels: bool
    settings: Settings
    design: str | None
    #: The passport that corrects, in place of labels among the items.
    lent: Lent | None = None

    def sample(self, units: Units, subject: Subject, by: Sequence[str] = ()) -> Sample:
        """The judge's cells, with the labels that correct them."""
        sample = sample_of(units, subject.judge, by=by)
        if self.lent is None:
            return sample
        errors = self.lent.of(subject.criterion)
        return with_lent_labels(sample, errors, place=self.lent.name)

    def complete(
        self, units: Units, subject: Subject, by: Sequence[str] = (), *, each: bool = False
    ) -> Sample | None:
        """All labelled items where that is every item (of a group), and the judge misses some.

        How many were drawn of each label says nothing of a rate.
        """
        if self.lent is not None or self.design == "by_label":
            return None
        return complete_sample(units, subject.judge, by=by, each=each)

    def whole(self, units: Units, subject: Subject) -> Sample | None:
        """All items that the judge was asked about, with a verdict or without; None where labels do
        not tell of the latter."""
        return None if self.lent is not None else whole_sample(units, subject.judge)


def study(
    units: Units,
    *,
    judges: Sequence[str] = (),
    strata: Sequence[str] = (),
    lent: Lent | None = None,
    seed: int = 1,
) -> EstimateStudy:
    """The true rate behind each judge's rate, by criterion, system and stratum.

    `strata` are columns within which error rates may differ. A system is corrected with its own
    labels, or with those of all where the task declares `shared_labels`. `lent` are a passport's
    labels, which then correct in place of any among the items. `seed` serves the intervals of more
    than two classes.
    """
    _check(units, judges, strata)
    task = units.task
    design = task.calibration if lent is None else DESIGN
    settings = Settings(task.confidence_level, seed=seed)
    shared = task.shared_labels or lent is not None
    asked = Asked(tuple(strata), shared, settings, design, lent)
    study_judge = _options if len(units.options) > 2 else _rate
    criteria = units.by["criterion"].labels if "criterion" in units.by else ()
    found, labelled = [], {}
    for criterion in criteria or (None,):
        part = units if criterion is None else units.only("criterion", criterion)
        by_people = part.human[:, : len(units.options)].any(axis=1)
        labelled[criterion] = int(part.n[by_people].sum())
        found += [
            study_judge(part, Subject(judge, criterion), asked)
            for judge in judges or units.judge_names
        ]
    rated, has_label = rated_by_people(units), reference_weights(units)[2] == 0
    return EstimateStudy(
        design,
        tuple(_tested_together(found)),
        labelled,
        unrated=int(units.n[~rated].sum()),
        without_label=int(units.n[rated & ~has_label].sum()),
        weighed=len(set(units.weight.tolist())) > 1,
        unit=unit_word(units.task.scale, criteria=1, systems=len(units.by["system"].labels))
        if "system" in units.by
        else "item",
    )


def _tested_together(judges: Sequence[Judged]) -> Iterator[Judged]:
    """The judges with the test of labelled and other items corrected for all of them."""
    tests = sum(not isinstance(one, Unknown) and one.shift is not None for one in judges)
    for one in judges:
        if isinstance(one, Unknown) or one.shift is None:
            yield one
        else:
            yield replace(one, shift=replace(one.shift, tests=tests))


def checked_judges(units: Units, judges: Sequence[str]) -> None:
    """Refuse a table without a judge, and judges that are not in it."""
    known = units.judge_names
    if not known:
        raise UsageError(
            "the table of ratings",
            "has no judge's verdict to correct",
            next_step='The judge\'s rows have kind = "judge"',
        )
    check_known_judges(judges, known)


def _check(units: Units, judges: Sequence[str], strata: Sequence[str]) -> None:
    checked_judges(units, judges)
    for column in strata:
        if column not in units.by:
            raise UsageError(
                f"the stratum {column!r}",
                "is not a column that was counted",
                next_step=f"The columns are: {', '.join(units.by) or 'none'}",
            )


def _rate(units: Units, subject: Subject, asked: Asked) -> JudgeRate | Unknown:
    """A judge of two options."""
    sample = asked.sample(units, subject)
    if sample.n_items == 0 or (asked.lent is not None and sample.test.sum() <= 0):
        return Unknown(subject, Undefined("prevalence", "no item has a verdict that counts", 0))
    design, level = asked.design, asked.settings.confidence_level
    drawn = drawing(design, apart=sample.apart)
    systems = _systems(units, subject, drawn, asked)
    of_all = None if systems is None else systems.of_all
    if of_all is not None:  # strata without labels would borrow from those that have some
        asked = replace(asked, strata=tuple(one for one in asked.strata if one != "system"))
    estimators = every_estimator(sample, drawn, asked.settings)
    if (complete := asked.complete(units, subject)) is not None:
        rate = corrected(CALIBRATION_ONLY, complete, drawn, asked.settings, name="prevalence")
        estimators = (replace(estimators[0], result=rate), *estimators[1:])
    bounds = over_all = None
    if complete is None:
        bounds = missing_bounds(sample, of_all or estimators[0].result)
    if bounds is not None and of_all is None and not asked.strata:
        over_all = _over_all(units, subject, drawn, asked)
    tells_errors = drawn.tells_errors and len(sample.verdicts) == 2
    return JudgeRate(
        subject=subject,
        design=design,
        sample=sample,
        estimators=estimators,
        error_rates=error_rates(sample, confidence_level=level) if tells_errors else (),
        # The items' own rate is not corrected within strata: beside a headline that is, it would
        # be another answer to the same question.
        of_pool=None
        if asked.strata or of_all is not None
        else rate_of_pool(complete or sample, drawn, estimators[0], confidence_level=level),
        bounds=bounds,
        over_all=over_all,
        shift=shift_of(sample, drawn) if asked.lent is None else None,
        strata_columns=asked.strata,
        strata=_strata(units, subject, estimators[0].estimator, asked),
        systems=systems,
        lent=asked.lent is not None,
        complete=complete,
    )


def _over_all(units: Units, subject: Subject, drawn: Drawing, asked: Asked) -> Estimate | None:
    """The rate of all items that the judge was asked about, where labels tell of the undecided."""
    whole = asked.whole(units, subject)
    if whole is None:
        return None
    main = main_estimator(whole, drawn)
    found = corrected(main, whole, drawn, asked.settings, name="prevalence_over_all")
    return found if isinstance(found, Estimate) else None


def _strata(
    units: Units, subject: Subject, estimator: Estimator, asked: Asked
) -> StrataRates | None:
    if not asked.strata:
        return None
    sample = asked.complete(units, subject, asked.strata) or asked.sample(
        units, subject, asked.strata
    )
    level = asked.settings.confidence_level
    return strata_rates(sample, estimator, asked.strata, confidence_level=level)


def _systems(units: Units, subject: Subject, drawn: Drawing, asked: Asked) -> SystemRates | None:
    if "system" not in units.by or len([name for name in units.by["system"].labels if name]) < 2:
        return None
    sample = asked.sample(units, subject, ("system",))
    level = asked.settings.confidence_level
    whole = asked.complete(units, subject, ("system",), each=True) if drawn.from_pool else None
    return system_rates(
        sample, drawn, shared=asked.shared_labels, confidence_level=level, whole=whole
    )


def _options(units: Units, subject: Subject, asked: Asked) -> JudgeOptions | Unknown:
    """A judge of more than two options."""
    sample, task = asked.sample(units, subject), units.task
    if sample.calibration.sum() <= 0 or sample.n_items == 0:
        reason = (
            "no item has both a label and a verdict, so that nothing is known of a judge's errors"
        )
        return Unknown(subject, Undefined("prevalence", reason, sample.n_items))
    drawn = drawing(asked.design, apart=sample.apart)
    ordinal = task.scale == "ordinal"
    found = option_rates(subject, sample, drawn, asked.settings, ordinal=ordinal)
    if (complete := asked.complete(units, subject)) is not None:
        of_all = option_rates(subject, complete, drawn, asked.settings, ordinal=ordinal)
        found = replace(of_all, judged=found.judged, own_mean=found.own_mean)
    elif sample.missing > 0:
        found = replace(found, without_verdict=sample.without_verdict)
        if (whole := asked.whole(units, subject)) is not None:
            of_all = option_rates(subject, whole, drawn, asked.settings, ordinal=ordinal)
            found = found.with_over_all(of_all)
    # Labels that a passport lends are not among these items, and need not be like them.
    return found if asked.lent is None else replace(found, shift=None)
