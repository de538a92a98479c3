"""The answer in sentences, and the warnings: pure functions of a study."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from goldassay.questions.estimate.bare import CountsStudy
from goldassay.questions.estimate.classes import JudgeOptions
from goldassay.questions.estimate.estimators import ROGAN_GLADEN, broken_by_shift
from goldassay.questions.estimate.scores import JudgeMean, MeansStudy
from goldassay.questions.estimate.shift import ShiftTest
from goldassay.questions.estimate.strata import StrataRates
from goldassay.questions.estimate.study import EstimateStudy, Judged, JudgeRate
from goldassay.questions.estimate.systems import Difference, SystemRates, ranks
from goldassay.results import Estimate, Result, Sentence, Undefined

__all__ = ["percent", "sentences", "warnings"]

Study = EstimateStudy | MeansStudy | CountsStudy


def percent(value: float) -> str:
    """A share in words: 22 %, 0.4 %, 99.6 %."""
    if 0 < value < 0.01:
        return f"{100 * value:.2g} %"
    return f"{100 * value:.3g} %" if 0.99 < value < 1 else f"{100 * value:.0f} %"


def facts_of(result: Result) -> dict[str, Any]:
    """A result as the facts of a sentence."""
    interval = result.interval
    return {
        "name": result.name,
        "value": result.value if isinstance(result, Estimate) else None,
        "low": interval.low if interval else None,
        "high": interval.high if interval else None,
        "n_items": result.n_items,
        "undefined": result.reason if isinstance(result, Undefined) else None,
    }


def sentences(study: Study) -> tuple[Sentence, ...]:
    """What was found, the headline of every judge first."""
    match study:
        case CountsStudy():
            return (_counts(study),)
        case MeansStudy():
            return tuple(_mean(one) for one in study.means if one.judged is not None)
        case EstimateStudy():
            return tuple(one for judge in study.judges for one in _judge(judge))


def warnings(study: Study) -> tuple[str, ...]:
    """What to beware of."""
    match study:
        case CountsStudy():
            return tuple(f"{one}." for one in _warnings_of(study.rate))
        case MeansStudy():
            if study.design == "random":
                return ()
            return (
                "A corrected mean score needs labels drawn at random from the pool; declared: "
                f"{study.design or 'nothing'}.",
            )
        case EstimateStudy():
            undeclared = (
                "How the labelled items were drawn is not declared, and it decides which "
                "estimator is right. Declare calibration = random, by_verdict, by_label or "
                "separate; the headline is the estimator that holds under most of them."
            )
            return (
                *((undeclared,) if study.design is None else ()),
                *(warning for judge in study.judges for warning in _beware(judge)),
            )


# --- a judge of two options -------------------------------------------------------------------


def _judge(judge: Judged) -> Iterator[Sentence]:
    if isinstance(judge, JudgeOptions):
        yield _options(judge)
    if isinstance(judge, JudgeRate):
        yield _rate(judge)
        if judge.bounds is not None:
            yield from _bounds(judge, judge.bounds)
        if judge.sample.apart and judge.sample.test_labels.sum() > 0:
            yield _labelled_test_items(judge)
        if judge.strata is not None:
            yield _strata(judge, judge.strata)
        if judge.systems is not None:
            yield _ranking(judge, judge.systems)


def _rate(judge: JudgeRate) -> Sentence:
    subject, sample, rate = judge.subject, judge.sample, judge.rate
    where = f" on {subject.criterion}" if subject.criterion else ""
    positive = sample.options[1]
    text = f"{subject.judge}{where} calls {percent(judge.called)} {positive}; the true rate "
    if isinstance(rate, Undefined):
        text += f"cannot be told: {rate.reason}."
    else:
        assert rate.interval is not None
        labels = f"{sample.n_labelled:.0f} label" + ("" if sample.n_labelled == 1 else "s")
        text += (
            f"is likely {percent(rate.interval.low)} to {percent(rate.interval.high)} "
            f"(best estimate {percent(rate.value)}, {judge.estimator.words}, {labels})."
        )
    facts = {
        **facts_of(rate),
        "called": judge.called,
        "option": positive,
        "estimator": judge.estimator.name,
        "labelled": sample.n_labelled,
    }
    return Sentence("estimate.prevalence", text, subject.named, facts)


def _bounds(judge: JudgeRate, bounds: Estimate) -> Iterator[Sentence]:
    subject, sample = judge.subject, judge.sample
    assert bounds.interval is not None
    missing = ", ".join(f"{n:g} {why}" for why, n in sample.without_verdict.items())
    yield Sentence(
        "estimate.prevalence_bounds",
        f"{subject.judge} gives no verdict on some items ({missing}); whatever these are, the rate "
        f"over all items lies between {percent(bounds.interval.low)} and "
        f"{percent(bounds.interval.high)}.",
        subject.named,
        {**facts_of(bounds), "without_verdict": dict(sample.without_verdict)},
    )
    labelled = float(sample.labels_without_verdict.sum())
    if labelled > 0:
        positive, option = float(sample.labels_without_verdict[1]), sample.options[1]
        yield Sentence(
            "estimate.labels_without_verdict",
            f"Of these, people labelled {labelled:g}, {positive:g} of them {option}; declared as a "
            "class of their own, they would be used.",
            subject.named,
            {"labelled": labelled, "positive": positive, "option": option},
        )


def _labelled_test_items(judge: JudgeRate) -> Sentence:
    labels, option = judge.sample.test_labels, judge.sample.options[1]
    labelled = float(labels.sum())
    rate = float(labels[1] / labelled)
    return Sentence(
        "estimate.labelled_test_items",
        f"People labelled {labelled:g} test items too; {percent(rate)} of these are {option}. "
        "These labels are not used here (their split is test).",
        judge.subject.named,
        {"labelled": labelled, "value": rate, "option": option},
    )


def _strata(judge: JudgeRate, strata: StrataRates) -> Sentence:
    name, test = " x ".join(strata.columns), strata.test
    facts = {**facts_of(strata.whole), "strata": list(strata.columns), "p_value": None}
    if test is None:
        text = f"Too few labels to tell whether {judge.subject.judge}'s errors differ by {name}."
        return Sentence("estimate.strata", text, judge.subject.named, {**facts, "differ": None})
    seen = f"p = {test.p_value:.2g}, {test.method}"
    text = (
        f"{judge.subject.judge}'s error rates differ by {name} ({seen}): use the rate corrected "
        "within strata."
        if test.differ
        else f"There is no sign that {judge.subject.judge}'s error rates differ by {name} ({seen})."
    )
    facts |= {"p_value": test.p_value, "differ": test.differ, "method": test.method}
    return Sentence("estimate.strata", text, judge.subject.named, facts)


def _ranking(judge: JudgeRate, systems: SystemRates) -> Sentence:
    board = systems.board
    judged, true = ranks(board.naive), ranks(board.value)
    moved = [i for i in board.order if true[i] is not None and judged[i] != true[i]]
    told = "; ".join(f"{board.systems[i]} from {judged[i]} to {true[i]}" for i in moved)
    name = judge.subject.judge
    text = (
        f"Correcting {name} changes the ranking of systems: {told}."
        if moved
        else f"Correcting {name} leaves the ranking of systems as it was."
    )
    moves = [{"system": board.systems[i], "from": judged[i], "to": true[i]} for i in moved]
    return Sentence(
        "estimate.ranking",
        text,
        judge.subject.named,
        {"moved": moves, "systems": len(board.systems), "shared": board.shared},
    )


def _beware(judge: Judged) -> Iterator[str]:
    if isinstance(judge, JudgeOptions) and judge.shift is not None and judge.shift.shifted:
        yield (
            f"{judge.subject.judge}'s verdicts are spread differently over labelled and test items "
            f"(p = {judge.shift.p_value:.2g}): the labelled items are not like the test items."
        )
    if isinstance(judge, JudgeRate):
        name = judge.subject.judge
        yield from (f"{name}: {warning}." for warning in _warnings_of(judge.rate))
        if judge.shift is not None and judge.shift.shifted:
            yield _shifted(name, judge.shift)
        if judge.strata_columns and judge.strata is None:
            columns = " x ".join(judge.strata_columns)
            yield f"{columns} has one value among the judged items: no strata to tell."
        if judge.systems is not None:
            turned = (one for one in judge.systems.board.differences if one.turned)
            yield from (_turned(name, one) for one in turned)


def _shifted(judge: str, shift: ShiftTest) -> str:
    broken = ", ".join(one.words for one in broken_by_shift())
    return (
        f"{judge} calls {percent(shift.calibration_rate)} of the labelled items positive and "
        f"{percent(shift.test_rate)} of the test items (p = {shift.p_value:.2g}): the labelled "
        f"items are not like the test items. This breaks {broken}. {ROGAN_GLADEN.words} holds if "
        "only the true rates differ and the judge errs alike."
    )


def _turned(judge: str, one: Difference) -> str:
    return (
        f"{judge} ranks {one.first} and {one.second} the wrong way round: by the judge "
        f"{one.naive:+.3f}, corrected {one.value:+.3f} ({one.low:+.3f} to {one.high:+.3f})."
    )


def _warnings_of(result: Result) -> tuple[str, ...]:
    return result.warnings if isinstance(result, Estimate) else ()


# --- more options, scores, bare counts --------------------------------------------------------


def _options(judge: JudgeOptions) -> Sentence:
    """The option on which the judge is furthest off."""
    key, subject = "estimate.option", judge.subject
    known = [
        (option, float(judged), rate)
        for option, judged, rate in zip(judge.options, judge.judged, judge.rates, strict=True)
        if isinstance(rate, Estimate)
    ]
    if not known:
        text = f"The true rates behind {subject.label} cannot be told."
        return Sentence(key, text, subject.named, {**facts_of(judge.rates[0]), "option": None})
    option, judged, rate = max(known, key=lambda one: abs(one[1] - one[2].value))
    assert rate.interval is not None
    text = (
        f"{subject.judge} is furthest off on {option}: it says {percent(judged)}, the true rate is "
        f"likely {percent(rate.interval.low)} to {percent(rate.interval.high)} (best estimate "
        f"{percent(rate.value)})."
    )
    facts = {**facts_of(rate), "called": judged, "option": option}
    return Sentence(key, text, subject.named, facts)


def _mean(one: JudgeMean) -> Sentence:
    subject, mean = one.subject, one.mean
    assert isinstance(mean, Estimate)
    assert mean.interval is not None
    assert one.judged is not None
    where = "".join(f" for {name}" for name in (subject.system, subject.criterion) if name)
    return Sentence(
        "estimate.mean_score",
        f"{subject.judge} scores {one.judged.value:.3g} on average{where}; people's mean is likely "
        f"{mean.interval.low:.3g} to {mean.interval.high:.3g} (best estimate {mean.value:.3g}, "
        f"{one.labelled} labels).",
        subject.named,
        {**facts_of(mean), "called": one.judged.value, "labelled": one.labelled},
    )


def _counts(study: CountsStudy) -> Sentence:
    key, rate = "estimate.prevalence", study.rate
    facts = {**facts_of(rate), "called": study.called}
    if isinstance(rate, Undefined):
        return Sentence(key, f"The true rate cannot be told: {rate.reason}.", facts=facts)
    assert rate.interval is not None
    return Sentence(
        key,
        f"The judge calls {study.called:.1%} positive; the true rate is likely "
        f"{rate.interval.low:.1%} to {rate.interval.high:.1%} (best estimate {rate.value:.1%}), if "
        "it errs as it did on the labelled items.",
        facts=facts,
    )
