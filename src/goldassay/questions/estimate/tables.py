"""The study as tables for people."""

from __future__ import annotations

import math
from collections.abc import Iterator

from goldassay.questions.estimate.bare import CountsStudy
from goldassay.questions.estimate.classes import JudgeOptions
from goldassay.questions.estimate.scores import MeansStudy
from goldassay.questions.estimate.strata import StrataRates
from goldassay.questions.estimate.study import EstimateStudy, Judged, JudgeRate
from goldassay.questions.estimate.systems import Board, SystemRates, rank_ranges, ranks
from goldassay.results import Estimate, Result, Table

__all__ = ["tables"]

Named = tuple[str, Table]


def tables(study: EstimateStudy | MeansStudy | CountsStudy) -> dict[str, Table]:
    """Tables by name; those about a judge have its name (and criterion) in theirs."""
    match study:
        case CountsStudy():
            return {}
        case MeansStudy():
            return {"means": _means(study)}
        case EstimateStudy():
            return {
                f"{name} {judge.subject.label}": table
                for judge in study.judges
                for name, table in _judge(judge)
            }


def _judge(judge: Judged) -> Iterator[Named]:
    if isinstance(judge, JudgeOptions):
        yield "options", _options(judge)
    if isinstance(judge, JudgeRate):
        yield "estimators", _estimators(judge)
        if judge.strata is not None:
            yield "strata", _strata(judge.subject.label, judge.strata)
        if judge.systems is not None:
            yield "systems", _systems(judge.subject.label, judge.systems)
            yield "differences", _differences(judge.subject.label, judge.systems.board)


def _estimators(judge: JudgeRate) -> Table:
    holds = {True: "yes", False: "no", None: "not declared"}
    rows = []
    for place, one in enumerate(judge.estimators):
        interval = one.result.interval
        rows.append(
            (
                one.estimator.words + (" (headline)" if place == 0 else ""),
                interval.length if interval is not None else None,
                holds[one.holds],
                one.estimator.needs,
            )
        )
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


def _means(study: MeansStudy) -> Table:
    return Table(
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
            for one in study.means
            if one.judged is not None
        ),
    )


def _ends(result: Result) -> tuple[float | None, float | None, float | None]:
    """Value, low and high, or nothing."""
    if not isinstance(result, Estimate) or result.interval is None:
        return None, None, None
    return result.value, result.interval.low, result.interval.high


def _known(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def _span(ends: tuple[int, int] | None) -> str | None:
    return None if ends is None else "-".join(str(end) for end in sorted(set(ends)))
