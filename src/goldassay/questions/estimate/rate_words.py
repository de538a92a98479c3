"""The rate behind a judge of two options, in sentences: pure functions of what was found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from goldassay.inference.rates import ENOUGH_LABELS
from goldassay.questions.estimate.design import if_errs_alike
from goldassay.questions.estimate.estimators import INVERSION
from goldassay.questions.estimate.label_use import if_alike, if_shared_said
from goldassay.questions.estimate.strata import StrataRates
from goldassay.questions.estimate.study import JudgeRate
from goldassay.questions.estimate.subject import Subject
from goldassay.questions.estimate.systems import SystemRates, ranks
from goldassay.questions.facts import facts_of
from goldassay.results import Estimate, Result, Sentence, Undefined
from goldassay.words import beside, between, counted, listed, named, number, p_said, percent

__all__ = [
    "HEADLINE",
    "NAMED",
    "ON_DECIDED",
    "OVER_ALL",
    "cannot_be_told",
    "left_without_label",
    "other_interval",
    "over_all_said",
    "rate_said",
    "whom",
]

HEADLINE, OVER_ALL = "estimate.prevalence", "estimate.over_all"
#: Systems that change their rank and are named.
NAMED = 5
#: What stands before numbers of the items with a verdict, where others have none.
ON_DECIDED = "On what it decides, "


def whom(subject: Subject) -> str:
    """The judge, and the criterion it is asked about."""
    where = f" on {named(subject.criterion)}" if subject.criterion else ""
    return f"{named(subject.judge)}{where}"


def left_without_label(number: int, unit: str) -> str:
    """Where people rated every unit: what they leave open was not left out by drawing."""
    these = "it is taken" if number == 1 else "these are taken"
    return (
        f"People rated every {unit} and leave {number:,} without a label, being divided or having "
        f"abstained: {these} to be like the labelled ones with the same verdict."
    )


def rate_said(judge: JudgeRate, given: str = "") -> Iterator[Sentence]:
    """All that is worth a sentence of a judge of two options, the rate first; `given`: what it
    takes for granted of the labels."""
    given = given if judge.rests_on_draw else ""
    yield _rate(judge, given)
    if judge.over_all is not None:
        decided, option = judge.sample.n_items, judge.sample.options[1]
        yield over_all_said(judge.subject, judge.over_all, decided, option, given)
    unused = judge.sample.apart and judge.sample.test_labels.sum() > 0
    if judge.lent and unused:
        yield _labelled_test_items(judge)
    if judge.systems is not None and (order := _ranking(judge, judge.systems)) is not None:
        yield order
    if judge.strata is not None:
        yield _strata(judge, judge.strata)
    labels = judge.sample.calibration.sum(1)
    yield from other_interval(judge.rate, judge.sample.options, labels, judge.subject)
    if judge.of_pool is not None and not judge.all_labelled:
        yield _of_pool(judge, judge.of_pool)
    if judge.bounds is not None and judge.over_all is None and decides_part(judge):
        yield from _bounds(judge, judge.bounds)
    if unused and not judge.lent:
        yield _labelled_test_items(judge)
    if judge.systems is not None and judge.systems.lengths is not None:
        said = if_shared_said(
            "estimate.if_shared",
            whom(judge.subject),
            "a system's rate",
            judge.systems.lengths,
            judge.subject.named,
        )
        yield from [] if said is None else [said]


def cannot_be_told(subject: Subject, rate: Undefined, more: dict[str, Any]) -> Sentence:
    text = f"The true rate behind {whom(subject)} cannot be told: {rate.reason}."
    return Sentence(HEADLINE, text, subject.named, {**facts_of(rate), **more})


def _rate(judge: JudgeRate, given: str) -> Sentence:
    subject, rate, own = judge.subject, judge.rate, judge.own_rate
    called = own.value if isinstance(own, Estimate) else None
    more = {
        "called": called,
        "option": judge.sample.options[1],
        "estimator": judge.estimator,
        "labelled": judge.n_labelled,
        "strata": list(judge.strata_columns) if judge.by_strata is not None else [],
    }
    if isinstance(rate, Undefined):
        return cannot_be_told(subject, rate, more)
    assert rate.interval is not None
    shared = bool(rate.declared.get("shared_labels"))
    more |= {"shared_labels": True} if shared else {}
    option = named(judge.sample.options[1])
    likely = between(rate.interval.low, rate.interval.high, rate=True)
    given += if_errs_alike(rate.assumptions)
    lead, there = (ON_DECIDED, " there") if decides_part(judge) else ("", "")
    more |= {"of_decided": True} if there else {}
    said = f"{given}the true rate of {option} is likely {likely}"
    said = f"{said[0].upper()}{said[1:]}"
    if called is not None:
        own_rate, likely = beside(called, rate.interval.low, rate.interval.high)
        given += if_alike("it", shared=shared)
        said = (
            f"{lead}{whom(subject)} calls {own_rate} {option}; {given}the true rate{there} is "
            f"likely {likely}"
        )
    whose = " of the passport" if judge.lent else ""
    text = f"{said} ({counted(round(judge.n_labelled), 'label')}{whose})."
    return Sentence(HEADLINE, text, subject.named, {**facts_of(rate), **more})


def decides_part(judge: JudgeRate) -> bool:
    """Whether the rate is that of the items with a verdict alone. Where every item is labelled,
    those without a verdict too, people's labels leave nothing open."""
    without = sum(judge.sample.without_verdict.values())
    known = judge.all_labelled and float(judge.sample.labels_without_verdict.sum()) >= without
    return judge.bounds is not None and not known


def over_all_said(
    subject: Subject, found: Estimate, decided: int, option: str | None = None, given: str = ""
) -> Sentence:
    """The rate of an option, or the mean, of all items, those without a verdict included; `given`:
    what it takes for granted of the labels."""
    assert found.interval is not None
    undecided = found.n_items - decided
    given += if_errs_alike(found.assumptions)
    what = "people's mean" if option is None else f"the rate of {named(option)}"
    likely = between(found.interval.low, found.interval.high, rate=option is not None)
    text = (
        f"Over all {found.n_items:,} items, the {undecided:,} without a verdict of "
        f"{whom(subject)} included, {given}{what} is likely {likely}."
    )
    facts = {**facts_of(found), "undecided": undecided, "option": option}
    return Sentence(OVER_ALL, text, subject.named, facts)


def _of_pool(judge: JudgeRate, rate: Estimate) -> Sentence:
    assert rate.interval is not None
    unit = "item" if judge.systems is None else "output"
    option, items = judge.sample.options[1], counted(judge.sample.n_items, unit)
    likely = between(rate.interval.low, rate.interval.high, rate=True)
    text = (
        f"Among these {items} themselves the rate of {named(option)} is likely {likely}, going by "
        f"{whom(judge.subject)}; the headline speaks of all {unit}s like them."
    )
    facts = {**facts_of(rate), "option": option, "labelled": judge.n_labelled}
    return Sentence("estimate.prevalence_of_pool", text, judge.subject.named, facts)


def _amount(items: float) -> str:
    """How many items; of one that was judged twice, the half that has no verdict."""
    return f"{items:,.0f}" if items.is_integer() else number(items, 1)


def _bounds(judge: JudgeRate, bounds: Estimate) -> Iterator[Sentence]:
    subject, sample = judge.subject, judge.sample
    assert bounds.interval is not None
    missing = listed([f"{_amount(n)} {why}" for why, n in sample.without_verdict.items()])
    yield Sentence(
        "estimate.prevalence_bounds",
        f"{whom(subject)} gives no verdict on some items ({missing}); whatever these are, the rate "
        f"over all items is {between(bounds.interval.low, bounds.interval.high, rate=True)}.",
        subject.named,
        {**facts_of(bounds), "without_verdict": dict(sample.without_verdict)},
    )
    labelled = float(sample.labels_without_verdict.sum())
    if labelled > 0:
        positive, option = float(sample.labels_without_verdict[1]), sample.options[1]
        yield Sentence(
            "estimate.labels_without_verdict",
            f"Of the items without a verdict of {whom(subject)} people labelled {labelled:,.0f}, "
            f"{positive:,.0f} of them {named(option)}; declared as a class of their own, they "
            "would be used.",
            subject.named,
            {"labelled": labelled, "positive": positive, "option": option},
        )


def _labelled_test_items(judge: JudgeRate) -> Sentence:
    labels, option = judge.sample.test_labels, judge.sample.options[1]
    labelled = float(labels.sum())
    rate = float(labels[1] / labelled)
    return Sentence(
        "estimate.labelled_test_items",
        f"People labelled {counted(round(labelled), 'test item')} too; {percent(rate)} of these "
        f"are {named(option)}. These labels are not used here "
        f"({'the passport lends its own' if judge.lent else 'their split is test'}).",
        judge.subject.named,
        {"labelled": labelled, "value": rate, "option": option},
    )


def _strata(judge: JudgeRate, strata: StrataRates) -> Sentence:
    name, test, who = listed([named(one) for one in strata.columns]), strata.test, judge.subject
    facts = {**facts_of(strata.whole), "strata": list(strata.columns), "p_value": None}
    if test is None:
        text = f"Too few labels to tell whether the errors of {whom(who)} differ by {name}."
        return Sentence("estimate.strata", text, who.named, {**facts, "differ": None})
    seen = f"{p_said(test.p_value)}"
    text = (
        f"The error rates of {whom(who)} differ by {name} ({seen}); the headline is corrected "
        "within these strata."
        if test.differ and judge.by_strata is not None
        else f"The error rates of {whom(who)} differ by {name} ({seen})."
        if test.differ
        else f"There is no sign that the error rates of {whom(who)} differ by {name} ({seen})."
    )
    facts |= {"p_value": test.p_value, "differ": test.differ, "method": test.method}
    return Sentence("estimate.strata", text, who.named, facts)


def _ranking(judge: JudgeRate, systems: SystemRates) -> Sentence | None:
    """What correcting does to the order of the systems that have a rate, where two have."""
    board = systems.board
    known = ~np.isnan(board.value)
    if known.sum() < 2:
        return None
    judged, true = ranks(np.where(known, board.naive, np.nan)), ranks(board.value)
    moved = [i for i in board.order if true[i] is not None and judged[i] != true[i]]
    number = int(known.sum())
    told = [f"{named(board.systems[i])} from place {judged[i]} to {true[i]}" for i in moved[:NAMED]]
    if len(moved) > NAMED:
        told.append(f"{len(moved) - NAMED} more")
    who = whom(judge.subject)
    turned = sum(one.turned for one in board.differences)
    unsure = "" if turned else ", by differences that the labels cannot tell from none"
    told_apart = any(one.told for one in board.differences)
    level = "no two of which the labels tell" if number > 2 else "which the labels cannot tell"
    kept = "as it was" if told_apart else f"as it was, {level} apart"
    text = (
        f"Correcting {who} moves {listed(told)} in the order of "
        f"{counted(number, 'system')}{unsure}."
        if moved
        else f"Correcting {who} leaves the order of {counted(number, 'system')} {kept}."
    )
    moves = [{"system": board.systems[i], "from": judged[i], "to": true[i]} for i in moved]
    facts = {"moved": moves, "systems": number, "shared_labels": board.shared, "turned": turned}
    facts["told_apart"] = told_apart
    return Sentence("estimate.ranking", text, judge.subject.named, facts)


def other_interval(
    rate: Result, options: Sequence[str], labels: Sequence[float], subject: Subject | None
) -> Iterator[Sentence]:
    """Why the interval is not Lang and Reiczigel's (equation 6), where another stands for it."""
    if not isinstance(rate, Estimate) or rate.interval is None:
        return
    if not rate.interval.method.startswith(INVERSION):
        return
    fewest, option = min(zip(labels, options, strict=True))
    if fewest < ENOUGH_LABELS:
        why = f"{counted(round(fewest), 'labelled item')} {'is' if fewest == 1 else 'are'} "
        why += f"{named(option)}, and it needs {ENOUGH_LABELS} of each label"
    elif rate.value in (0.0, 1.0):
        why = "the estimate lies at the edge of what a rate can be"
    else:
        why = f"clusters leave fewer than {ENOUGH_LABELS} independent labels of {named(option)}"
    who = "" if subject is None else f" of {whom(subject)}"
    text = (
        f"The interval{who} is not the usual one for this design (Lang and Reiczigel's): {why}. It "
        "has all rates instead that verdicts and labels do not contradict."
    )
    facts = {
        "method": rate.interval.method,
        "labels": round(fewest),
        "option": option,
        "enough": ENOUGH_LABELS,
        "value": rate.value,
    }
    yield Sentence("estimate.interval", text, {} if subject is None else subject.named, facts)
