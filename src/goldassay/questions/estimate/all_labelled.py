"""What is said where people labelled every item: rates and means are theirs, once for all judges.

There is nothing to correct then. A rate (of a criterion) or a mean (of a system) is that of
people's labels, whoever judged the items, and stands in one place; what tells judges apart is their
own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from goldassay.frozen import dataclass
from goldassay.questions.estimate.classes import JudgeOptions
from goldassay.questions.estimate.scores import JudgeMean, MeansStudy, PeopleMean, people_means
from goldassay.questions.estimate.study import EstimateStudy, JudgeRate
from goldassay.questions.facts import facts_of
from goldassay.results import Estimate, Sentence, Undefined
from goldassay.words import between, counted, figure, listed, named, percent

__all__ = [
    "ALL_LABELLED",
    "PeopleRate",
    "every_label",
    "furthest_of_each_judge",
    "labelled_sentence",
    "people_rates",
]

#: Criteria and options that are named.
NAMED = 5
ALL_LABELLED = "estimate.all_labelled"


# --- rates ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PeopleRate:
    """People's rate of the positive option on a criterion, and the judges of the same items."""

    criterion: str | None
    rate: Estimate
    labelled: int
    judges: tuple[JudgeRate, ...]
    #: Whether it is of all items, and not of those alone that a judge decides.
    of_all: bool


def every_label(study: EstimateStudy) -> bool:
    """How labelled items were drawn is no question where all of them are."""
    known = [one for one in study.judges if isinstance(one, JudgeRate | JudgeOptions)]
    return len(known) == len(study.judges) > 0 and all(one.all_labelled for one in known)


def people_rates(study: EstimateStudy) -> tuple[PeopleRate, ...]:
    """People's rate on each criterion; none where an item has no label, or no judge saw them all.

    That of the judge of most items stands for it.
    """
    known = [one for one in study.judges if isinstance(one, JudgeRate)]
    if not every_label(study) or len(known) < len(study.judges):
        return ()
    found = []
    for criterion in dict.fromkeys(one.subject.criterion for one in known):
        judges = tuple(one for one in known if one.subject.criterion == criterion)
        widest = max(judges, key=lambda one: one.n_labelled)
        seen = max(widest.sample.n_labelled_in_all, widest.n_labelled)
        seen = seen >= study.labelled_on(criterion) - 0.5
        if isinstance(widest.rate, Undefined) or not seen:
            return ()  # judges of different items: people's rate of each one's
        labelled = round(widest.n_labelled)
        of_all = widest.complete is not None or widest.sample.missing <= 0
        found.append(PeopleRate(criterion, widest.rate, labelled, judges, of_all))
    return tuple(found)


def _decided(study: EstimateStudy) -> str:
    """Where judges are silent, some items may have no label: all that are decided have one."""
    return " that are decided" if study.unrated or study.without_label else ""


def _rates_said(study: EstimateStudy, rates: Sequence[PeopleRate]) -> Sentence:
    unit = study.unit
    option = rates[0].judges[0].sample.options[1]
    if len(rates) > 1:
        return _criteria_said(study, rates, option)
    (one,) = rates
    rate, items = one.rate, counted(one.labelled, unit) + (" by weight" if study.weighed else "")
    every = f"All {unit}s{_decided(study)}"
    text = f"{every} are labelled: the rate of {named(option)} is people's, {figure(rate)}."
    if rate.interval is not None:
        exact = percent(rate.value)
        likely = between(rate.interval.low, rate.interval.high, rate=True)
        text = (
            f"{every} are labelled: the rate of {named(option)} is people's, {exact} of these "
            f"{items}, and likely {likely} of all {unit}s like them."
        )
    return Sentence(
        ALL_LABELLED, text, {}, {**facts_of(rate), "option": option, "labelled": one.labelled}
    )


def _criteria_said(study: EstimateStudy, rates: Sequence[PeopleRate], option: str) -> Sentence:
    told = [f"{figure(one.rate)} on {named(one.criterion or '')}" for one in rates[:NAMED]]
    if len(rates) > NAMED:
        told.append(f"{len(rates) - NAMED} more criteria")
    every = f"All decisions{_decided(study)} are labelled"
    text = f"{every}: the rate of {named(option)} is people's, {listed(told)}."
    facts = {
        "rates": {one.criterion: one.rate.value for one in rates},
        **_ends("rates", {str(one.criterion): one.rate for one in rates}),
        "labelled": sum(one.labelled for one in rates),
        "option": option,
    }
    return Sentence(ALL_LABELLED, text, {}, facts)


def _options_said(study: EstimateStudy) -> Sentence | None:
    """The rates of all options are people's, where nothing is left to correct."""
    known = [one for one in study.judges if isinstance(one, JudgeOptions)]
    if not known or not every_label(study):
        return None
    rates: dict[str | None, dict[str, float]] = {}
    labelled = 0.0
    for criterion in dict.fromkeys(one.subject.criterion for one in known):
        judges = [one for one in known if one.subject.criterion == criterion]
        widest = max(judges, key=lambda one: one.n_labelled)
        several = len(judges) > 1
        if several and widest.n_labelled < study.labelled_on(criterion) - 0.5:
            return None  # judges of different items
        by_option = {
            option: rate.value
            for option, rate in zip(widest.options, widest.rates, strict=True)
            if isinstance(rate, Estimate)
        }
        if len(by_option) != len(widest.options):
            return None
        rates[criterion] = by_option
        labelled += widest.n_labelled
    if len(rates) > 1:
        text = (
            f"All {counted(round(labelled), 'decision')}{_decided(study)} are labelled: on each of "
            f"the {len(rates)} criteria the rates of the options are people's."
        )
        return Sentence(ALL_LABELLED, text, {}, {"rates": rates, "labelled": labelled})
    (of,) = rates.values()
    told = sorted(of, key=lambda option: -of[option])
    shown = [f"{percent(of[option])} {named(option)}" for option in told[:NAMED]]
    if len(told) > NAMED:
        shown.append(f"{len(told) - NAMED} more options")
    items = f"{counted(round(labelled), study.unit)}{_decided(study)}"
    text = f"All {items} are labelled: the rates are people's, {listed(shown)}."
    return Sentence(ALL_LABELLED, text, {}, {"rates": of, "labelled": labelled})


# --- mean scores --------------------------------------------------------------------------------


def furthest_of_each_judge(means: Sequence[PeopleMean]) -> tuple[JudgeMean, ...]:
    """Of each judge the mean that is furthest from people's; the furthest of all first."""
    apart: dict[str, tuple[float, JudgeMean]] = {}
    for one in means:
        for judge in one.judges:
            if judge.judged is None or not isinstance(judge.mean, Estimate):
                continue  # a single score has no mean of its own to say
            far = abs(judge.judged.value - judge.mean.value)  # of the items that it scored
            if far > apart.get(judge.subject.judge, (-1.0, judge))[0]:
                apart[judge.subject.judge] = far, judge
    ordered = sorted(apart.values(), key=lambda pair: -pair[0])
    return tuple(judge for _, judge in ordered)


def _means_said(study: MeansStudy, means: Sequence[PeopleMean]) -> Sentence:
    known = {(one.subject.criterion, one.subject.system) for one in study.means}
    facts = {
        "means": {one.label: one.mean.value for one in means},
        **_ends("means", {one.label: one.mean for one in means}),
        "labelled": sum(one.labelled for one in means),
        "parts": len(known),
    }
    if len(known) == 1:
        (one,) = means
        text = (
            f"All {counted(one.labelled, study.unit)} are labelled: the mean score is people's, "
            f"{figure(one.mean)}."
        )
        return Sentence(ALL_LABELLED, text, {}, facts)
    what = _parts_word(study)
    if what == "criteria" and len(known) < study.criteria:
        what = "criteria that a judge graded"
    which = f"All items of {len(means)} of {len(known)} {what}" if len(means) < len(known) else ""
    high, low = max(means, key=_value), min(means, key=_value)
    text = f"{which or 'All items'} are labelled: "
    text += (
        f"the mean scores of the {len(means)} {what} are people's, from {figure(high.mean)} for "
        f"{named(high.label)} down to {figure(low.mean)} for {named(low.label)}."
        if len(means) > 1
        else f"the mean score of {named(high.label)} is people's, {figure(high.mean)}."
    )
    return Sentence(ALL_LABELLED, text, {}, facts)


def _value(one: PeopleMean) -> float:
    return one.mean.value


def _parts_word(study: MeansStudy) -> str:
    """What the means are of: systems, criteria, or both."""
    systems = len({one.subject.system for one in study.means}) > 1
    criteria = len({one.subject.criterion for one in study.means}) > 1
    return "systems and criteria" if systems and criteria else "systems" if systems else "criteria"


# --- one sentence for all -----------------------------------------------------------------------


def labelled_sentence(study: EstimateStudy | MeansStudy) -> Sentence | None:
    """That all is labelled and whose the numbers are; None where an item has no label."""
    if isinstance(study, MeansStudy):
        means = people_means(study)
        return _means_said(study, means) if means else None
    rates = people_rates(study)
    return _rates_said(study, rates) if rates else _options_said(study)


def _ends(key: str, results: Mapping[str, Estimate]) -> dict[str, dict[str, float | None]]:
    """The ends of several results, by what each is about."""
    return {
        f"{key}_{end}": {
            name: getattr(one.interval, end) if one.interval else None
            for name, one in results.items()
        }
        for end in ("low", "high")
    }
