"""The answer in sentences, and the notes: pure functions of a study."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from goldassay.questions.estimate.all_labelled import (
    ALL_LABELLED,
    furthest_of_each_judge,
    labelled_sentence,
    people_rates,
)
from goldassay.questions.estimate.bare import CountsStudy
from goldassay.questions.estimate.classes import JudgeOptions
from goldassay.questions.estimate.design import if_errs_alike
from goldassay.questions.estimate.graded import graded_means
from goldassay.questions.estimate.known import KnownJudge, KnownRates, KnownStudy
from goldassay.questions.estimate.lent import Population
from goldassay.questions.estimate.order import in_order, length_of
from goldassay.questions.estimate.rate_words import (
    HEADLINE,
    NAMED,
    ON_DECIDED,
    OVER_ALL,
    cannot_be_told,
    other_interval,
    over_all_said,
    rate_said,
    whom,
)
from goldassay.questions.estimate.scores import JudgeMean, MeansStudy, people_means
from goldassay.questions.estimate.shift import if_like_the_others
from goldassay.questions.estimate.study import EstimateStudy, Judged, JudgeRate, Unknown
from goldassay.questions.facts import facts_of
from goldassay.results import Estimate, Interval, Sentence, Undefined
from goldassay.words import (
    beside,
    between,
    counted,
    decimal,
    is_outside,
    listed,
    named,
    p_said,
    percent,
)

__all__ = ["answer", "notes", "population_said"]

Study = EstimateStudy | MeansStudy | CountsStudy | KnownStudy

#: Sentences that a reader takes away.
MOST = 3
#: The sentence on how many judges of several options are off at all.
OF_JUDGES = "estimate.options_of_judges"
#: From so many judges on, how many of them are off is told before who is.
MANY = 4


def answer(study: Study) -> tuple[Sentence, ...]:
    """What a reader takes away: the judge to go by, and where its own rate misleads most."""
    return answer_and_notes(study)[0]


def notes(study: Study) -> tuple[Sentence, ...]:
    """All else that is worth a sentence, in order of merit."""
    return answer_and_notes(study)[1]


def answer_and_notes(study: Study) -> tuple[tuple[Sentence, ...], tuple[Sentence, ...]]:
    """Both, of sentences that are made once: of many judges and systems they take long."""
    said = _sentences(study)
    first = tuple([one for one in said if one.key not in _ASIDE][:MOST])
    return first, tuple(one for one in said if one not in first)


def _sentences(study: Study) -> list[Sentence]:
    match study:
        case CountsStudy():
            labels = [float(one.n_items) for one in study.error_rates]
            kinds = ("negative", "positive")
            return [_counts(study), *other_interval(study.rate, kinds, labels, None)]
        case KnownStudy():
            ordered = sorted(study.judges, key=lambda one: length_of(one.rate))
            return [_known(one, study) for one in ordered]
        case MeansStudy():
            return _means(study)
        case EstimateStudy():
            graded = graded_means(study)
            said = _rates(study)
            if graded is not None:
                said = _grades(_means(graded, study), said)
            return list(_with_draws(study, said))


#: Sentences that rest on how the labels were drawn.
RESTING = frozenset({HEADLINE, "estimate.option", "estimate.mean_score"})


def _given(study: EstimateStudy, one: Judged | JudgeMean) -> str:
    """What is taken for granted where the verdicts refute the declared draw of the labels."""
    refuted = study.unlike_others(one.subject.criterion) is not None
    return if_like_the_others(study.unit) if refuted else ""


def _with_draws(study: EstimateStudy, said: Sequence[Sentence]) -> Iterator[Sentence]:
    """After the first sentence that takes it for granted: that the labelled items are not like the
    others, of each criterion."""
    told: set[str | None] = set()
    for one in said:
        yield one
        criterion = one.about.get("criterion")
        rests = one.key in RESTING and one.facts.get("value") is not None
        found = study.unlike_others(criterion) if rests else None
        if found is None or found.shift is None or criterion in told:
            continue
        told.add(criterion)
        shift, judge = found.shift, named(found.subject.judge)
        facts: dict[str, Any] = {"p_value": shift.p_value, "tests": shift.tests}
        if isinstance(found, JudgeRate):
            option = found.sample.options[1]
            seen = shift.spread_said(judge, study.unit, named(option))
            facts |= {"labelled": shift.calibration_rate, "others": shift.test_rate}
            facts |= {"option": option}
        else:
            seen = f"{judge} spreads its verdicts differently over both ({shift.tested})"
        where = f"On {named(criterion)} they" if criterion else "They"
        text = f"{where} are not: {seen}."
        yield Sentence("estimate.not_random", text, found.subject.named, facts)


def _grades(means: list[Sentence], rates: list[Sentence]) -> list[Sentence]:
    """Mean grades before the rates of grades; of many judges how many are off after the first."""
    of_all = [one for one in rates if one.key == OF_JUDGES]
    head = 2 if means[0].key == ALL_LABELLED else 1
    whole = [one for one in rates if one.key == OVER_ALL]
    rest = [one for one in rates if one not in (*of_all, *whole)]
    return [*means[:head], *of_all, *means[head:], *whole, *rest]


def _rates(study: EstimateStudy) -> list[Sentence]:
    """The rate of each judge, or of each option behind it."""
    said = [list(_judge(one, _given(study, one))) for one in in_order(study.judges)]
    if (people := labelled_sentence(study)) is not None:
        if not people_rates(study):  # of several options each judge has its own sentence
            return [people, *_of_many(list(_of_own_items(study)))]
        # One sentence for all judges, and nothing else to correct.
        apart = (one for part in said for one in part if one.key in _APART)
        return [people, *(() if _without_gaps(study) else apart)]
    if (none := _no_rate(said)) is not None:
        return [none]
    if all(isinstance(one, JudgeOptions) for one in study.judges):
        return _of_many([one for part in said for one in part])
    # Of several criteria each has a headline; of one rate the first judge has it.
    whole = 0 if study.judges[0].subject.criterion else 1
    first = [one for part in said[:whole] for one in part]
    rest = sorted((one for part in said[whole:] for one in part), key=_place)
    return [*first, *rest]


def _place(said: Sentence) -> int:
    """Rates first, then what cannot be told, then all else."""
    if said.key not in (HEADLINE, "estimate.option"):
        return 2
    return 0 if said.facts.get("undefined") is None else 1


def _of_many(said: list[Sentence]) -> list[Sentence]:
    """Of many judges of several options: how many are off at all, then those furthest off."""
    own = [one for one in said if one.key == "estimate.option" and one.facts.get("value")]
    if len(own) < MANY or any("criterion" in one.about for one in own):
        return said
    inside = sum(bool(one.facts["all_inside"]) for one in own)
    some = f"{inside:,} {'has' if inside == 1 else 'have'}"
    have = "each has" if inside == len(own) else some if inside else "none has"
    text = (
        f"Of {counted(len(own), 'judge')} {have} all shares within the intervals of the true rates."
    )
    facts = {"judges": len(own), "all_inside": inside}
    first = Sentence(OF_JUDGES, text, {}, facts)
    outside = sorted(said, key=lambda one: (one not in own, -_outside(one)))
    return [first, *outside]


def _outside(said: Sentence) -> float:
    """How far a judge's share lies outside the interval of the true rate."""
    called, low, high = (said.facts.get(key) for key in ("called", "low", "high"))
    if called is None or low is None or high is None:
        return -math.inf
    return float(max(low - called, called - high))


def _no_rate(said: Sequence[Sequence[Sentence]]) -> Sentence | None:
    """What keeps the rate of every judge from being told, where it is one thing, said once."""
    heads = [part[0] for part in said]
    reasons = {one.facts.get("undefined") for one in heads}
    if len(heads) < 2 or len(reasons) > 1 or None in reasons:
        return None
    judges = sorted({one.about["judge"] for one in heads})
    whose = "any of the judges" if len(judges) > 1 else named(judges[0])
    (reason,) = reasons
    text = f"The true rate behind {whose} cannot be told: {reason}."
    facts = {"undefined": reason, "judges": judges}
    return Sentence("estimate.no_rate", text, {}, facts)


#: How an interval was made is for whoever looks closer.
_ASIDE = frozenset({"estimate.interval"})
#: What is worth a sentence even where every judged item is labelled: another may have no verdict.
_APART = frozenset({"estimate.prevalence_bounds", "estimate.labels_without_verdict"})


# --- judges -----------------------------------------------------------------------------------


def _without_gaps(study: EstimateStudy) -> bool:
    """Whether the judge of most items gives a verdict on each: what others lack is labelled too."""
    known = [one for one in study.judges if isinstance(one, JudgeRate)]
    return max(known, key=lambda one: one.sample.n_items).sample.missing <= 0


def _judge(judge: Judged, given: str = "") -> Iterator[Sentence]:
    match judge:
        case JudgeOptions():
            yield _options(judge, ON_DECIDED if judge.without_verdict else "", given)
            yield from _options_over_all(judge, given)
        case Unknown():
            yield cannot_be_told(judge.subject, judge.rate, {})
        case JudgeRate():
            yield from rate_said(judge, given)


def population_said(one: Population) -> Sentence:
    """Whether the new verdicts look like those of the passport's population."""
    shift, who = one.shift, whom(one.subject)
    here, there = percent(shift.test_rate), percent(shift.calibration_rate)
    seen = f"{here} {named(one.option)} here, {there} there, {p_said(shift.p_value)}"
    text = (
        f"The verdicts of {who} are not spread as in the passport's population ({seen}): the rate "
        "changed, or the items or the judge did; the correction holds if the judge errs alike."
        if shift.shifted
        else f"There is no sign that the verdicts of {who} are spread otherwise than in the "
        f"passport's population ({seen})."
    )
    facts = {
        "shifted": shift.shifted,
        "p_value": shift.p_value,
        "here": shift.test_rate,
        "there": shift.calibration_rate,
        "option": one.option,
    }
    return Sentence("estimate.population", text, one.subject.named, facts)


# --- more options, scores, bare counts --------------------------------------------------------


def _options(judge: JudgeOptions, lead: str, given: str = "") -> Sentence:
    """The option on which the judge is furthest off; `lead` says of which items, `given` what is
    taken for granted of the labels."""
    key, subject = "estimate.option", judge.subject
    known = [
        (option, float(judged), rate)
        for option, judged, rate in zip(judge.options, judge.judged, judge.rates, strict=True)
        if isinstance(rate, Estimate)
    ]
    if not known:
        text = f"The true rates behind {whom(subject)} cannot be told."
        return Sentence(key, text, subject.named, {**facts_of(judge.rates[0]), "option": None})
    option, judged, rate = max(known, key=lambda one: abs(one[1] - one[2].value))
    given += if_errs_alike(rate.assumptions)
    assert rate.interval is not None
    inside = _all_inside(known)
    said, likely = beside(judged, rate.interval.low, rate.interval.high)
    text = lead + (
        f"{given}every share that {whom(subject)} gives lies within the interval of the true rate; "
        f"furthest from it is {named(option)}: {said}, true rate likely {likely}."
        if inside
        else f"{whom(subject)} is furthest off on {named(option)}: it calls {said} so, {given}the "
        f"true rate is likely {likely}."
    )
    text = f"{text[0].upper()}{text[1:]}" if inside else text
    facts = {**facts_of(rate), "called": judged, "option": option, "all_inside": inside}
    return Sentence(key, text, subject.named, facts)


def _options_over_all(judge: JudgeOptions, given: str) -> Iterator[Sentence]:
    """Of all items, where labels tell of those without a verdict: the mean, or the rate that is
    least what it is among the decided ones."""
    mean = judge.mean_over_all
    if judge.graded and judge.mean is not None and isinstance(mean, Estimate):
        yield over_all_said(judge.subject, mean, judge.mean.n_items, given=given)
        return
    moved = [
        (abs(whole.value - rate.value), option, rate, whole)
        for option, rate, whole in zip(
            judge.options, judge.rates, judge.rates_over_all, strict=False
        )
        if isinstance(rate, Estimate) and isinstance(whole, Estimate)
    ]
    if moved:
        _, option, rate, whole = max(moved, key=lambda one: one[0])
        yield over_all_said(judge.subject, whole, rate.n_items, option, given)


def _of_own_items(study: EstimateStudy) -> Iterator[Sentence]:
    """What is said of each judge beside people's rates: of its own items, where it has fewer."""
    for one in in_order(study.judges):
        number = round(one.n_labelled) if isinstance(one, JudgeOptions) else 0
        if not 0 < number < study.labelled_on(one.subject.criterion):
            yield from _judge(one)
            continue
        assert isinstance(one, JudgeOptions)
        items = counted(number, study.unit)
        said = _options(
            one,
            f"On {'its' if one.complete else 'the'} {items}"
            f"{'' if one.complete else ' that it decides'}, ",
        )
        yield said if one.complete else replace(said, facts={**said.facts, "decided": number})


def _all_inside(known: Sequence[tuple[str, float, Estimate]]) -> bool:
    return all(rate.interval is not None and _within(own, rate.interval) for _, own, rate in known)


def _within(own: float, interval: Interval) -> bool:
    """Whether a share lies in an interval, as both may be written."""
    return not is_outside(own, interval.low, interval.high)


def _means(study: MeansStudy, rates: EstimateStudy | None = None) -> list[Sentence]:
    """People's own means once, and of each judge the one it is furthest off; others by judge.

    `rates`: those of the grades that the means are of.
    """
    people, labelled = people_means(study), labelled_sentence(study)
    theirs = {id(judge) for one in people for judge in one.judges}
    rest = [one for one in in_order(study.means) if id(one) not in theirs]
    apart = [
        _mean(one, given=_given(rates, one) if rates else "")
        for one in rest
        if one.judged is not None
    ]
    if labelled is None:
        return apart
    several = len(people) > 1 and not apart  # else it may be further off on a corrected one
    furthest = furthest_of_each_judge(people)
    return [
        labelled,
        *(
            _mean(one, furthest=several, told=len(people) == 1)
            for one in furthest
            if not one.other_scale
        ),
        *_other_scales([one.subject.judge for one in furthest if one.other_scale], len(furthest)),
        *apart,
    ]


def _other_scales(judges: Sequence[str], of: int) -> Iterator[Sentence]:
    """Judges, of so many, whose means are no statement on people's."""
    if not judges:
        return
    names = [named(one) for one in judges[:NAMED]]
    more = len(judges) - len(names)
    who = listed([*names, *([f"{more:,} more"] if more else [])])
    if more and len(judges) == of:
        who = f"All {of:,} judges"
    text = (
        f"{who} {'seems' if len(judges) == 1 else 'seem'} to score on another scale than people "
        "(ranges that hardly overlap, or of which one is over ten times the other): "
        f"{'its' if len(judges) == 1 else 'their'} means do not compare with people's."
    )
    yield Sentence("estimate.other_scale", text, {}, {"judges": list(judges)})


def _mean(
    one: JudgeMean, *, furthest: bool = False, told: bool = False, given: str = ""
) -> Sentence:
    """A judge's mean beside people's; `furthest`: of all means that are people's own; `told`:
    people's stands before it, once for all judges; `given`: what it takes for granted."""
    subject, mean = one.subject, one.mean
    assert isinstance(mean, Estimate)
    assert mean.interval is not None
    assert one.judged is not None
    low, high = mean.interval.low, mean.interval.high
    own = f"{decimal(one.judged.value, (low, high))} on average"
    if one.all_labelled and one.judged.n_items < one.labelled:
        own += f" of the {one.judged.n_items:,} that it scores"
    where = f" for {named(subject.system)}" if subject.system else ""
    lead, there = (ON_DECIDED, " there") if one.of_decided else ("", "")
    if furthest:
        of = listed([named(part) for part in (subject.system, subject.criterion) if part])
        said = f"{named(subject.judge)} is furthest off on {of}: it scores {own}"
    else:
        said = f"{lead}{whom(subject)} scores {own}{where}"
        said += ", on another scale" if one.other_scale else ""
    likely = (
        f"{given}people's mean{there} is likely {between(low, high)} "
        f"({counted(one.labelled, 'label')})"
    )
    return Sentence(
        "estimate.mean_score",
        f"{said}." if told else f"{said}; {likely}.",
        subject.named,
        {
            **facts_of(mean),
            "called": one.judged.value,
            "scored": one.judged.n_items,
            "labelled": one.labelled,
            "furthest": furthest,
            "other_scale": one.other_scale,
            **({"of_decided": True} if one.of_decided else {}),
        },
    )


def _counts(study: CountsStudy) -> Sentence:
    rate, known = study.rate, study.known
    facts = {**facts_of(rate), "called": study.called, **_declared(known)}
    if isinstance(rate, Undefined):
        return Sentence(HEADLINE, f"The true rate cannot be told: {rate.reason}.", facts=facts)
    assert rate.interval is not None
    assert study.called is not None
    called, likely = beside(study.called, rate.interval.low, rate.interval.high)
    errs = "if it errs as it did on the labelled items" if known is None else _as_declared(known)
    return Sentence(
        HEADLINE,
        f"The judge calls {called} positive; the true rate is likely {likely} (best estimate "
        f"{percent(rate.value)}), {errs}.",
        facts=facts,
    )


# --- error rates that are known -----------------------------------------------------------------


def _declared(known: KnownRates | None) -> dict[str, Any]:
    if known is None:
        return {}
    return {"specificity_known": known.specificity, "sensitivity_known": known.sensitivity}


def _as_declared(known: KnownRates) -> str:
    return (
        f"if its sensitivity is {percent(known.sensitivity)} and its specificity "
        f"{percent(known.specificity)}, as declared (the interval takes both as known)"
    )


def _known(judge: KnownJudge, study: KnownStudy) -> Sentence:
    rate, own, subject = judge.rate, judge.naive, judge.subject
    called = own.value if isinstance(own, Estimate) else None
    more = {"called": called, "option": study.positive, **_declared(study.known)}
    if isinstance(rate, Undefined) or rate.interval is None or called is None:
        told = rate if isinstance(rate, Undefined) else Undefined(rate.name, "no interval", 0)
        return cannot_be_told(subject, told, more)
    said, likely = beside(called, rate.interval.low, rate.interval.high)
    text = (
        f"{whom(subject)} calls {said} {named(study.positive)}; the true rate is likely {likely}, "
        f"{_as_declared(study.known)}."
    )
    return Sentence(HEADLINE, text, subject.named, {**facts_of(rate), **more})
