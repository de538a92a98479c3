"""What to beware of in a corrected rate or mean: pure functions of a study."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from goldassay.questions.estimate.bare import CountsStudy
from goldassay.questions.estimate.classes import JudgeOptions
from goldassay.questions.estimate.estimators import ROGAN_GLADEN, broken_by_shift
from goldassay.questions.estimate.known import KnownStudy
from goldassay.questions.estimate.rate_words import NAMED, left_without_label, whom
from goldassay.questions.estimate.scores import MeansStudy, people_means
from goldassay.questions.estimate.shift import ShiftTest
from goldassay.questions.estimate.study import EstimateStudy, Judged, JudgeRate, Unknown
from goldassay.questions.estimate.systems import Difference
from goldassay.results import Estimate, Result
from goldassay.words import counted, interval_text, listed, named, percent, points

__all__ = ["warnings"]

Study = EstimateStudy | MeansStudy | CountsStudy | KnownStudy


def warnings(study: Study) -> tuple[str, ...]:
    """What to beware of."""
    match study:
        case CountsStudy():
            return tuple(f"{one[0].upper()}{one[1:]}." for one in _warnings_of(study.rate))
        case KnownStudy():
            return tuple(
                f"{whom(one.subject)}: {warning}."
                for one in study.judges
                for warning in _warnings_of(one.rate)
            )
        case MeansStudy():
            people = people_means(study)
            theirs = {id(judge) for one in people for judge in one.judges}
            rest = [one for one in study.means if id(one) not in theirs]
            of_people: dict[str, list[str]] = {}
            for one in people:
                for warning in one.mean.warnings:
                    whose = named(one.label) if one.label else "People"
                    of_people.setdefault(warning, []).append(whose)
            said = [f"{listed(whose)}: {warning}." for warning, whose in of_people.items()]
            said += [
                f"{whom(one.subject)}: {warning}."
                for one in rest
                for warning in _warnings_of(one.mean)
            ]
            corrected = any(isinstance(one.mean, Estimate) for one in rest)
            if study.design != "random" and (corrected or not people):
                said.append(
                    "A corrected mean score needs labels drawn at random from the pool; declared: "
                    f"{study.design or 'nothing'}."
                )
            return tuple(said)
        case EstimateStudy():
            undeclared = (
                "How the labelled items were drawn is not declared, and it decides which "
                "estimator is right. Declare calibration = random, by_verdict, by_label or "
                "separate; the headline is the estimator that holds under most of them."
            )
            return (
                *((undeclared,) if _drawn_how(study) else ()),
                *_not_as_declared(study),
                *_left_without_label(study),
                *_at_numbers(study.judges),
                *(warning for judge in study.judges for warning in _beware(judge)),
            )


def _not_as_declared(study: EstimateStudy) -> Iterator[str]:
    """What to do where the verdicts refute that labels were drawn at random."""
    if any(study.unlike_others(one.subject.criterion) for one in study.judges):
        yield (
            'The labelled items are not a random draw, as calibration = "random" declares. This '
            f"breaks {listed([one.words for one in broken_by_shift()])}: declare how they were "
            "drawn (by_verdict, by_label or separate), or label others at random. "
            f"{ROGAN_GLADEN.words} holds if only the true rates differ and the judge errs alike."
        )


def _drawn_how(study: EstimateStudy) -> bool:
    """Whether it matters how labelled items were drawn, and is not declared."""
    return study.design is None and study.unrated > 0 and _has_labels(study)


def _has_labels(study: EstimateStudy) -> bool:
    return any(
        (one.sample.n_labelled if isinstance(one, JudgeRate) else one.n_labelled) > 0
        for one in study.judges
        if isinstance(one, JudgeRate | JudgeOptions)
    )


def _left_without_label(study: EstimateStudy) -> Iterator[str]:
    """Where people rated every item, what they leave open was not left out by drawing."""
    if study.unrated or not study.without_label:
        return
    unit = "decision" if any(one.subject.criterion for one in study.judges) else study.unit
    if not _has_labels(study):
        yield (
            f"People rated every {unit} and give none a label, being divided or having abstained: "
            'reference = "each" in the task keeps all of their ratings.'
        )
        return
    yield left_without_label(study.without_label, unit)


def _at_numbers(judges: Sequence[Judged]) -> Iterator[str]:
    """Warnings that stand at rates and means, each once, with the judges whose they are."""
    concerned: dict[str, dict[str, None]] = {}
    for judge in judges:
        for result in _results(judge):
            for warning in _warnings_of(result):
                concerned.setdefault(warning, {})[whom(judge.subject)] = None
    for warning, whose in concerned.items():
        shown = [*whose][:NAMED]
        shown += [f"{len(whose) - NAMED} more"] if len(whose) > NAMED else []
        yield f"{listed(shown)}: {warning}."


def _results(judge: Judged) -> Iterator[Result]:
    """The numbers of a judge that a reader is shown first."""
    yield from judge.rates if isinstance(judge, JudgeOptions) else (judge.rate,)
    if isinstance(judge, JudgeOptions) and judge.mean is not None:
        yield judge.mean
    if isinstance(judge, JudgeRate) and judge.systems is not None:
        yield from judge.systems.rates


def _beware(judge: Judged) -> Iterator[str]:
    declared = not isinstance(judge, Unknown) and judge.design == "random"
    told = declared and (not isinstance(judge, JudgeRate) or judge.by_strata is None)
    if isinstance(judge, JudgeOptions) and judge.shift is not None and judge.shift.shifted:
        if told:  # in a sentence of the answer
            return
        other = "test" if judge.design == "separate" else "unlabelled"
        yield (
            f"{whom(judge.subject)} spreads its verdicts differently over labelled and {other} "
            f"items ({judge.shift.tested}): the labelled items are not like the {other} "
            "ones."
        )
    if isinstance(judge, JudgeRate):
        who = whom(judge.subject)
        if judge.shift is not None and judge.shift.shifted and not told:
            yield _shifted(who, judge.shift, judge.strata_columns if judge.by_strata else ())
        if judge.strata_columns and judge.strata is None:
            columns = listed([named(one) for one in judge.strata_columns])
            yield f"{columns} has one value among the judged items: no strata to tell."
        if judge.systems is not None:
            turned = [one for one in judge.systems.board.differences if one.turned]
            yield from (_turned(who, one) for one in turned[:NAMED])
            if len(turned) > NAMED:
                more = counted(len(turned) - NAMED, "more pair")
                yield f"{who} ranks {more} of systems the wrong way round."


def _shifted(who: str, shift: ShiftTest, strata: Sequence[str]) -> str:
    """That labelled and test items differ; a correction within strata needs them alike there."""
    seen = (
        f"{who} calls {percent(shift.calibration_rate)} of the labelled items positive and "
        f"{percent(shift.test_rate)} of the test items ({shift.tested}): the "
        "labelled items are not like the test items."
    )
    if strata:
        by = listed([named(one) for one in strata])
        return f"{seen} The headline holds if within {by} they are."
    broken = listed([one.words for one in broken_by_shift()])
    return (
        f"{seen} This breaks {broken}. {ROGAN_GLADEN.words} "
        "holds if only the true rates differ and the judge errs alike."
    )


def _turned(who: str, one: Difference) -> str:
    first, second = named(one.first), named(one.second)
    better, worse = (first, second) if one.naive > 0 else (second, first)
    return (
        f"{who} ranks {first} and {second} the wrong way round: it puts {better} ahead by "
        f"{points(abs(one.naive))}; corrected, {worse} is ahead, {first} less {second} being "
        f"{interval_text(one.low, one.high, rate=True).replace(', ', ' to ')} points."
    )


def _warnings_of(result: Result) -> tuple[str, ...]:
    return result.warnings if isinstance(result, Estimate) else ()
