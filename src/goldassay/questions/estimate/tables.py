"""The study as tables for people."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from goldassay.questions.estimate.all_labelled import PeopleRate, people_rates
from goldassay.questions.estimate.bare import CountsStudy
from goldassay.questions.estimate.classes import JudgeOptions
from goldassay.questions.estimate.estimators import ROGAN_GLADEN
from goldassay.questions.estimate.graded import graded_means
from goldassay.questions.estimate.known import KnownStudy
from goldassay.questions.estimate.order import in_order, length_of
from goldassay.questions.estimate.scores import JudgeMean, MeansStudy, PeopleMean, people_means
from goldassay.questions.estimate.strata import StrataRates
from goldassay.questions.estimate.study import EstimateStudy, Judged, JudgeRate
from goldassay.questions.estimate.systems import Board, SystemRates, rank_ranges, ranks
from goldassay.results import Estimate, Line, Result, Summary, Table
from goldassay.words import percent

__all__ = ["summary", "tables"]

Named = tuple[str, Table]


def tables(study: EstimateStudy | MeansStudy | CountsStudy | KnownStudy) -> dict[str, Table]:
    """Tables by name; those about a judge have its name (and criterion) in theirs."""
    match study:
        case CountsStudy() | KnownStudy():
            return {}
        case MeansStudy():
            return _means(study)
        case EstimateStudy():
            return {
                f"{name} {judge.subject.label}": table
                for judge in study.judges
                for name, table in _judge(judge)
            }


def summary(study: EstimateStudy | MeansStudy | CountsStudy | KnownStudy) -> Summary | None:
    """A line per judge (and criterion), the best known first; of one judge a line per system."""
    match study:
        case CountsStudy():
            return None
        case KnownStudy():
            ordered = sorted(study.judges, key=lambda one: length_of(one.rate))
            return Summary(
                "judge",
                ("prevalence", "prevalence_naive"),
                tuple(Line(one.subject.label, (one.rate, one.naive)) for one in ordered),
                ("sensitivity and specificity are declared, and taken as known",),
            )
        case MeansStudy():
            systems = any(one.subject.system for one in study.means)
            decided = [one.of_decided for one in study.means]
            unit = "output" if systems else "item"
            return _for_all(_mean_lines(study), unit, decided, theirs=bool(people_means(study)))
        case EstimateStudy():
            several = any(one.subject.criterion for one in study.judges)
            graded = graded_means(study) if len(study.judges) > 1 else None
            made = (
                _lines(in_order(study.judges), people_rates(study))
                if graded is None
                else _mean_lines(graded)
            )
            decided = [_of_decided(one) for one in study.judges]
            unit = "decision" if several else study.unit
            return _for_all(made, unit, decided, theirs=_people_of_all(study, graded))


def _of_decided(judge: Judged) -> bool:
    """Whether the rates are those of the items with a verdict, and others have none."""
    rates = judge.rates if isinstance(judge, JudgeOptions) else (judge.rate,)
    return any(isinstance(one, Estimate) and "without_verdict" in one.declared for one in rates)


def _people_of_all(study: EstimateStudy, graded: MeansStudy | None) -> bool:
    """Whether people's own rate or mean stands there, of all items whatever a judge decides."""
    if graded is not None:
        return bool(people_means(graded))
    rates = people_rates(study)
    return bool(rates) and all(one.of_all for one in rates)


def _for_all(
    made: Summary | None, unit: str, decided: Sequence[bool], *, theirs: bool = False
) -> Summary | None:
    """A summary that says of what its intervals are; `decided`: of each judge whether they are of
    what it decides alone, beside a rate of all items that is `theirs`, people's."""
    cells = (cell for line in made.lines for cell in line.cells) if made else ()
    level = next(
        (
            cell.interval.confidence_level
            for cell in cells
            if isinstance(cell, Estimate) and cell.interval is not None
        ),
        None,
    )
    if made is None or level is None:
        return made
    said = f"{percent(level)} intervals for all {unit}s like these"
    if any(decided):
        judge = f"{'the' if len(decided) == 1 else 'each'} judge"
        own = f"; of {judge}'s own numbers, for those that it decides"
        said += own if theirs else f" that {judge} decides"
    return replace(made, notes=(*made.notes, said))


def _people_lines(rates: Sequence[PeopleRate]) -> Summary:
    """The true rate is people's, once; the judges' own rates tell them apart."""
    lines = []
    for one in rates:
        about = f" · {one.criterion}" if one.criterion else ""
        lines.append(Line(f"people{about}", (one.rate, one.labelled)))
        lines += [
            Line(judge.subject.label, (judge.own_rate, judge.sample.n_labels))
            for judge in sorted(one.judges, key=lambda judge: _off(judge, one.rate))
        ]
    return Summary("rater", ("rate", "items"), tuple(lines))


def _off(judge: JudgeRate, rate: Estimate) -> float:
    """How far a judge's own rate is from people's."""
    own = judge.own_rate
    return abs(own.value - rate.value) if isinstance(own, Estimate) else math.inf


def _mean_lines(study: MeansStudy) -> Summary:
    """A line per judge; where all is labelled, people's mean once for each system."""
    people = people_means(study)
    known = [one for one in study.means if isinstance(one.mean, Estimate)]
    if not people or len(known) > sum(len(one.judges) for one in people):
        lines = tuple(
            Line(one.subject.label, (one.mean, one.judged, one.labelled))
            for one in in_order(study.means)
        )
        return Summary("judge", ("mean_score", "mean_score_naive", "labels"), lines)
    if len(people) == 1:
        (one,) = people
        lines = (
            Line("people", (one.mean, one.labelled)),
            *(Line(judge.subject.label, (judge.judged, _scored(judge))) for judge in one.judges),
        )
        return Summary("rater", ("mean_score", "items"), lines)
    about = "system" if any(one.system for one in people) else "criterion"
    if all(judge.other_scale for one in people for judge in one.judges):
        lines = tuple(Line(one.label, (one.mean, one.labelled)) for one in people)
        return Summary(about, ("mean_score", "labels"), lines)
    if len({judge.subject.judge for one in people for judge in one.judges}) == 1:
        lines = tuple(
            Line(one.label, (one.mean, one.judges[0].judged, one.labelled)) for one in people
        )
        return Summary(about, ("mean_score", "judge's mean", "labels"), lines)
    lines = tuple(
        Line(one.label, (one.mean, *_furthest_judge(one), one.labelled)) for one in people
    )
    note = "of the judges the one whose own mean is furthest off"
    columns = ("mean_score", "furthest judge", "its mean", "labels")
    return Summary(about, columns, lines, (note,))


def _scored(one: JudgeMean) -> int:
    """Items that the judge scored."""
    return one.labelled if one.judged is None else one.judged.n_items


def _furthest_judge(one: PeopleMean) -> tuple[str | None, Estimate | None]:
    """The judge on people's scale whose own mean is furthest from theirs, and that mean."""
    owns = {
        judge.subject.judge: judge.judged
        for judge in one.judges
        if judge.judged is not None and not judge.other_scale
    }
    if not owns:
        return None, None
    name = max(owns, key=lambda judge: abs(owns[judge].value - one.mean.value))
    return name, owns[name]


def _lines(judges: Sequence[Judged], people: Sequence[PeopleRate]) -> Summary | None:
    if len(judges) == 1 and isinstance(one := judges[0], JudgeOptions):
        lines = tuple(
            Line(option, (rate, _share(judged, rate)))
            for option, judged, rate in zip(one.options, one.judged, one.rates, strict=True)
        )
        return Summary("option", ("prevalence", "judge's rate"), lines)
    if len(judges) == 1 and isinstance(one, JudgeRate) and one.systems is not None:
        board, rates = one.systems.board, one.systems.rates
        lines = tuple(
            Line(
                board.systems[i],
                (rates[i], _share(float(board.naive[i]), rates[i]), round(board.n_labelled[i])),
                tied=tied,
            )
            for i, tied in zip(board.order, _tied(board), strict=True)
        )
        return Summary("system", ("prevalence", "judge's rate", "labels"), lines)
    if people:
        return _people_lines(people)
    if any(isinstance(one, JudgeOptions) for one in judges):
        if not any(one.subject.criterion for one in judges):  # the furthest off first
            judges = sorted(judges, key=lambda one: -_distance(one))
        lines = tuple(Line(one.subject.label, (_furthest(one), *_cells(one))) for one in judges)
        columns = ("option", "prevalence", "prevalence_naive", "labels")
        note = "of each judge the option on which it is furthest off"
        return Summary("judge", columns, lines, (note,))
    lines = tuple(Line(one.subject.label, _cells(one)) for one in judges)
    return Summary("judge", ("prevalence", "prevalence_naive", "labels"), lines)


def _cells(judge: Judged) -> tuple[Result | int | None, ...]:
    match judge:
        case JudgeRate():
            return judge.rate, judge.own_rate, round(judge.n_labelled)
        case JudgeOptions():  # the option on which the judge is furthest off stands for all
            labels = round(judge.n_labelled)
            if (place := _furthest_place(judge)) is None:
                return judge.rates[0], None, labels
            rate = judge.rates[place]
            return rate, _share(float(judge.judged[place]), rate), labels
    return judge.rate, None, None


def _furthest_place(judge: JudgeOptions) -> int | None:
    """Which option's rate is furthest from the judge's own."""
    known = {
        place: abs(rate.value - float(judge.judged[place]))
        for place, rate in enumerate(judge.rates)
        if isinstance(rate, Estimate)
    }
    return max(known, key=lambda place: known[place]) if known else None


def _distance(judge: Judged) -> float:
    """How far a judge's share of an option lies from the true rate, where that is furthest."""
    place = _furthest_place(judge) if isinstance(judge, JudgeOptions) else None
    if place is None or not isinstance(judge, JudgeOptions):
        return -math.inf
    rate = judge.rates[place]
    assert isinstance(rate, Estimate)
    return abs(rate.value - float(judge.judged[place]))


def _furthest(judge: Judged) -> str | None:
    place = _furthest_place(judge) if isinstance(judge, JudgeOptions) else None
    return None if place is None or not isinstance(judge, JudgeOptions) else judge.options[place]


def _share(own: float, rate: Result) -> Estimate | None:
    """The judge's own rate, of the items of the true one."""
    if math.isnan(own):
        return None
    return Estimate("prevalence_naive", own, n_items=rate.n_items)


def _tied(board: Board) -> list[bool]:
    """Which systems, in the board's order, the differences cannot tell from the first."""
    first = board.systems[board.order[0]]
    apart = {
        one.second if one.first == first else one.first
        for one in board.differences
        if first in (one.first, one.second) and not one.low <= 0 <= one.high
    }
    return [
        place > 0 and board.systems[i] not in apart and not math.isnan(board.value[i])
        for place, i in enumerate(board.order)
    ]


def _judge(judge: Judged) -> Iterator[Named]:
    if isinstance(judge, JudgeOptions):
        yield "options", _options(judge)
    if isinstance(judge, JudgeRate):
        yield "estimators", _estimators(judge)
        if judge.strata is not None:
            yield "strata", _strata(judge.subject.label, judge.strata)
        if judge.systems is not None:
            yield "systems", _systems(judge.subject.label, judge.systems)
            if judge.systems.lists_differences:
                yield "differences", _differences(judge.subject.label, judge.systems.board)


def _estimators(judge: JudgeRate) -> Table:
    holds = {True: "yes", False: "no", None: "not declared"}
    main, whole = judge.estimators[0], judge.by_strata
    rows = [
        (one.estimator.words, _length(one.result), holds[one.holds], one.estimator.needs)
        for one in judge.estimators
    ]
    if whole is not None:
        words = f"{main.estimator.words}, within {' x '.join(judge.strata_columns)}"
        needs = f"{main.estimator.needs}, within strata"
        rows.insert(0, (words, _length(whole), holds[main.holds], needs))
    if judge.of_systems is not None:
        words, needs = f"{main.estimator.words}, by system", f"{main.estimator.needs}, by system"
        known = main.holds
        if judge.systems is not None and judge.systems.board.shared:
            words = f"{ROGAN_GLADEN.words}, labels of all systems"
            needs, known = f"{ROGAN_GLADEN.needs} on every system", None
        rows.insert(0, (words, _length(judge.of_systems), holds[known], needs))
    rows[0] = (f"{rows[0][0]} (headline)", *rows[0][1:])
    return Table(
        f"Which estimator to trust ({judge.subject.label}; labels drawn: "
        f"{judge.design or 'not declared'})",
        ("estimator", "length", "holds here", "needs"),
        tuple(rows),
    )


def _strata(label: str, strata: StrataRates) -> Table:
    name, none = " x ".join(strata.columns), [None] * len(strata.strata)
    low = none if strata.low is None else strata.low.tolist()
    high = none if strata.high is None else strata.high.tolist()
    return Table(
        f"Rates by {name} ({label})",
        (name, "items", "labels", "judge's rate", "corrected", "low", "high"),
        tuple(
            (
                stratum,
                round(strata.items[g]),
                round(strata.labels[g]),
                float(strata.judged[g]),
                _known(strata.value[g]),
                low[g],
                high[g],
            )
            for g, stratum in enumerate(strata.strata)
        ),
        ("Thin strata borrow labels from the others as far as the strata are alike.",),
    )


def _systems(label: str, systems: SystemRates) -> Table:
    board = systems.board
    judged, true, spans = ranks(board.naive), ranks(board.value), rank_ranges(board)
    return Table(
        f"Systems by their corrected rate ({label})",
        (
            "system",
            "judge's rate",
            "its rank",
            "corrected",
            "low",
            "high",
            "rank",
            "rank range",
            "labels",
        ),
        tuple(
            (
                board.systems[i],
                float(board.naive[i]),
                judged[i],
                _known(board.value[i]),
                float(board.low[i]),
                float(board.high[i]),
                true[i],
                _span(spans[i]),
                round(board.n_labelled[i]),
            )
            for i in board.order
        ),
        (
            f"{systems.assumption[0].upper()}{systems.assumption[1:]}.",
            "Rank range: the ranks that the differences' intervals leave open.",
        ),
    )


def _differences(label: str, board: Board) -> Table:
    return Table(
        f"Differences between systems ({label})",
        ("first", "second", "judge's difference", "corrected", "low", "high"),
        tuple((d.first, d.second, d.naive, d.value, d.low, d.high) for d in board.differences),
        ("Labels and items that systems share are accounted for.",),
    )


def _options(judge: JudgeOptions) -> Table:
    return Table(
        f"True rate of each option ({judge.subject.label}; labels drawn: "
        f"{judge.design or 'not declared'})",
        ("option", "judge's rate", "corrected", "low", "high"),
        tuple(
            (option, float(judged), *_ends(rate))
            for option, judged, rate in zip(judge.options, judge.judged, judge.rates, strict=True)
        ),
        (f"Needs: {judge.estimator.assumes}.",),
    )


def _means(study: MeansStudy) -> dict[str, Table]:
    """People's own means once for each system; the others, corrected, by judge."""
    people = people_means(study)
    theirs = {id(judge) for one in people for judge in one.judges}
    rest = [one for one in study.means if one.judged is not None and id(one) not in theirs]
    found = {}
    if people:
        found["people's means"] = Table(
            "Mean score of people, who labelled every item",
            ("criterion", "system", "mean", "low", "high", "labels"),
            tuple((one.criterion, one.system, *_ends(one.mean), one.labelled) for one in people),
            ("The judges' own means of the same items stand among the results.",),
        )
    if rest or not people:
        found["means"] = Table(
            "Mean score: the judge's, and people's behind it",
            ("judge", "criterion", "system", "judge's mean", "corrected", "low", "high", "labels"),
            tuple(
                (
                    one.subject.judge,
                    one.subject.criterion,
                    one.subject.system,
                    one.judged.value,
                    *_ends(one.mean),
                    one.labelled,
                )
                for one in rest
                if one.judged is not None
            ),
        )
    return found


def _length(result: Result) -> float | None:
    return None if result.interval is None else result.interval.length


def _ends(result: Result) -> tuple[float | None, float | None, float | None]:
    """Value, low and high, or nothing."""
    if not isinstance(result, Estimate) or result.interval is None:
        return None, None, None
    return result.value, result.interval.low, result.interval.high


def _known(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def _span(ends: tuple[int, int] | None) -> str | None:
    return None if ends is None else "-".join(str(end) for end in sorted(set(ends)))
