"""The study of real-valued scores, whose correlations answer different questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
import numpy.typing as npt

from goldassay.counts import By, PairedScores, unit_word
from goldassay.formulas.agreement import ratio
from goldassay.inference.clusters import student_reach
from goldassay.inference.draw import Draw
from goldassay.inference.jackknife import jackknife_error, left_out_groups, without_each
from goldassay.inference.shares import share
from goldassay.metrics.rater_sums import interval_alpha
from goldassay.metrics.registry import SCORE_METRICS
from goldassay.questions.agree.levels import CriterionAgreement
from goldassay.questions.agree.record import (
    AgreeStudy,
    JudgeAgreement,
    PanelAgreement,
    PartAgreement,
    PeopleAgreement,
    Range,
    SilentJudge,
)
from goldassay.questions.agree.repeated_scores import repeated_scores
from goldassay.questions.agree.scores import correlation_results
from goldassay.questions.agree.standing import standing_of_scores
from goldassay.ratings.scale import SCALES
from goldassay.ratings.task import Task
from goldassay.results import Estimate, Interval, Result, Undefined
from goldassay.words import column_texts, listed

__all__ = ["item_scores", "macro_correlation", "study_scores"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
#: Rows by cluster and status [C, 4] of each (kind, rater).
Statuses = Mapping[tuple[str, str], Ints]

#: The rates of a rater's rows by status, in the order of `count_statuses`.
RATES = ("coverage", "abstention_rate", "invalid_rate", "failed_rate")


def study_scores(
    pairs: PairedScores, task: Task, *, draw: Draw, statuses: Statuses, by: Sequence[str] = ()
) -> AgreeStudy:
    """Correlation and concordance of every judge's scores with people's mean score.

    `statuses` are for the rates of what is no score.
    """
    rows: dict[str, Floats | Ints] = {
        rater: table for (kind, rater), table in statuses.items() if kind == "judge"
    }
    rows |= {judge: _answers(pairs, index) for index, judge in enumerate(pairs.judges)}
    rates = {judge: _rates(table, task, draw) for judge, table in rows.items()}
    criterion = _criteria(pairs)
    return AgreeStudy(
        task=task,
        draw=draw,
        n_units=len(pairs.units),
        n_labelled=int(np.isfinite(pairs.people).sum()) if pairs.humans else 0,
        n_clusters=pairs.n_clusters,
        judges=tuple(
            replace(_judge(pairs, index, task, draw), rates=rates[judge])
            for index, judge in enumerate(pairs.judges)
        ),
        people=_people(pairs, _abstention(statuses.get(("human", "")), task, draw), draw),
        panel=_panel(pairs, draw) if len(pairs.judges) > 1 else None,
        standing=standing_of_scores(pairs, draw) if pairs.humans and pairs.judges else None,
        parts=tuple(part for column in by for part in _parts(pairs, column, draw)),
        silent=tuple(
            SilentJudge(judge, int(table.sum()), rates[judge])
            for judge, table in rows.items()
            if judge not in pairs.judges
        ),
        criteria=criterion.labels if criterion is not None else (),
        unit=_unit(pairs, task),
    )


def _unit(pairs: PairedScores, task: Task) -> str:
    number = {name: len(one.labels) for name, one in pairs.by.items()}
    criteria, systems = number.get("criterion", 0), number.get("system", 0)
    return unit_word(task.scale, criteria=criteria, systems=systems)


def _criteria(pairs: PairedScores) -> By | None:
    found = pairs.by.get("criterion")
    return found if found is not None and len(found.labels) > 1 else None


def _judge(pairs: PairedScores, index: int, task: Task, draw: Draw) -> JudgeAgreement:
    judge, scores = pairs.judges[index], pairs.judge[index]
    asked_again = bool((pairs.repeats[index] > 1).any())
    found = JudgeAgreement(
        judge,
        micro=tuple(correlation_results(pairs.people, scores, pairs.cluster, draw)),
        repeats=repeated_scores(pairs, index, draw) if asked_again else None,
        ranges=ranges_apart(scores, pairs.people),
    )
    criterion = _criteria(pairs)
    if criterion is None:
        return found
    names = SCORE_METRICS if "macro" in task.levels else ()
    return replace(
        found,
        criteria=_each_criterion(scores, pairs, criterion),
        macro=tuple(macro_correlation(name, scores, pairs, criterion, draw) for name in names),
        item=_item_results(scores, pairs, task, draw) if "item" in task.levels else (),
    )


def ranges_apart(scores: Floats, people: Floats) -> tuple[Range, Range] | None:
    """The ranges of a judge's scores and of people's where they look like two scales.

    Most of its scores are no score that people give, and one range is twice the other, or more; or
    it keeps to a tenth of theirs, where most of theirs are none of its. A judge that is biased or
    timid on people's own scale does not look so, but for extremes.
    """
    both = np.isfinite(scores) & np.isfinite(people)
    if both.sum() < 2:
        return None
    x, y = scores[both], people[both]
    own, theirs = (float(x.min()), float(x.max())), (float(y.min()), float(y.max()))
    spans = sorted((own[1] - own[0], theirs[1] - theirs[0]))
    if not spans[0]:
        return None
    ratio = spans[1] / spans[0]
    beyond = float(((x < theirs[0]) | (x > theirs[1])).mean()) > 0.5
    within = theirs[0] <= own[0] and own[1] <= theirs[1]
    timid = within and float(((y < own[0]) | (y > own[1])).mean()) > 0.5
    return (own, theirs) if (beyond and ratio >= 2) or (timid and ratio >= 10) else None


def _rates(table: Floats | Ints, task: Task, draw: Draw) -> tuple[Result, ...]:
    """Coverage and the rates of a judge's rows that are no score; those never met are left out."""
    met = [code for code, name in enumerate(RATES) if name == "coverage" or table[:, code].any()]
    return tuple(_share(RATES[code], table, code, task, draw) for code in met)


def _answers(pairs: PairedScores, index: int) -> Floats:
    """What a judge said of each labelled unit that it was asked about, summed by cluster [C, 5]: a
    score, abstained, invalid, failed, nothing. Repeats share a unit's one."""
    rows = np.zeros((len(pairs.units), len(RATES) + 1))
    rows[:, 0] = pairs.repeats[index]
    if pairs.without is not None:
        rows[:, 1:-1] = pairs.without[index]
    rows[:, -1] = ~rows.any(axis=1)
    rows[~(pairs.asked[index] & pairs.labelled)] = 0.0
    table = np.zeros((pairs.n_clusters, len(RATES) + 1))
    np.add.at(table, pairs.cluster, rows / np.maximum(rows.sum(1), 1)[:, None])
    return table


def _share(name: str, table: Floats | Ints, code: int, task: Task, draw: Draw) -> Result:
    sums = np.stack([table[:, code], table.sum(1)], 1).astype(np.float64)
    return share(name, sums, np.ones(len(table), np.int64), task.cluster, draw)


def _abstention(table: Ints | None, task: Task, draw: Draw) -> Result | None:
    code = RATES.index("abstention_rate")
    if table is None or not table[:, code].any():
        return None
    return _share("human_abstention_rate", table, code, task, draw)


def _parts(pairs: PairedScores, column: str, draw: Draw) -> list[PartAgreement]:
    one, found = pairs.by[column], []
    for code, label in enumerate(one.labels):
        mine = one.codes == code
        for judge, scores in zip(pairs.judges, pairs.judge, strict=True):
            results = correlation_results(
                pairs.people[mine], scores[mine], pairs.cluster[mine], draw
            )
            found.append(PartAgreement(column, label or "(none)", judge, tuple(results)))
    return found


def _people(pairs: PairedScores, abstention: Result | None, draw: Draw) -> PeopleAgreement:
    number = np.bincount(pairs.human_unit, minlength=len(pairs.units))
    found = PeopleAgreement(pairs.humans, rated=pairs.humans > 0, abstention=abstention)
    if number.max(initial=0) < 2:
        return found
    order = np.argsort(pairs.human_unit, kind="stable")
    at = (
        np.arange(len(order))
        - np.concatenate([[0], np.cumsum(number)[:-1]])[pairs.human_unit[order]]
    )
    matrix = np.full((int(number.max()), len(pairs.units)), np.nan)
    matrix[at, pairs.human_unit[order]] = pairs.human_score[order]
    alpha = interval_alpha("human_krippendorff_alpha", matrix, pairs.cluster, draw)
    return replace(found, several=True, coefficients=(alpha,))


def _panel(pairs: PairedScores, draw: Draw) -> PanelAgreement:
    name = "judges_krippendorff_alpha"
    for one, two in combinations(range(len(pairs.judges)), 2):
        if (apart := ranges_apart(pairs.judge[one], pairs.judge[two])) is not None:
            said = [
                f"those of {pairs.judges[k]} from {' to '.join(column_texts(ends))}"
                for k, ends in zip((one, two), apart, strict=True)
            ]
            reason = f"equal numbers are compared, and scores look like two scales: {listed(said)}"
            found: Result = Undefined(name, reason, len(pairs.units))
            return PanelAgreement(pairs.judges, (found,))
    return PanelAgreement(pairs.judges, (interval_alpha(name, pairs.judge, pairs.cluster, draw),))


# --- criteria and whole items -----------------------------------------------------------------


def _each_criterion(
    scores: Floats, pairs: PairedScores, criterion: By
) -> tuple[CriterionAgreement, ...]:
    """Every correlation of each criterion; one on which a side's scores are equal has none."""
    both = np.isfinite(pairs.people) & np.isfinite(scores)
    found = []
    for code, label in enumerate(criterion.labels):
        mine = both & (criterion.codes == code)
        x, y = pairs.people[mine], scores[mine]
        numbers = {name: metric.statistic(x, y) for name, metric in SCORE_METRICS.items()}
        values = {name: None if np.isnan(r) else r for name, r in numbers.items()}
        one = CriterionAgreement(label, len(x), values)
        if values["pearson"] is None:
            reason = "people's or the judge's scores are all equal, or fewer than two"
            undefined = Undefined("pearson", reason, len(x))
            one = replace(one, undefined=undefined, counts=f"{len(x)} items")
        found.append(one)
    return tuple(found)


def _item_results(
    scores: Floats, pairs: PairedScores, task: Task, draw: Draw
) -> tuple[Result, ...]:
    """Every correlation of whole items."""
    more = {"resampling_unit": task.cluster, "item_rule": SCALES[task.scale].item_rule}
    return tuple(
        replace(found, declared={**found.declared, **more})
        if isinstance(found, Estimate)
        else found
        for found in correlation_results(*item_scores(pairs, scores), draw)
    )


def item_scores(pairs: PairedScores, scores: Floats) -> tuple[Floats, Floats, Ints]:
    """People's and a judge's mean score of each item that both scored.

    Each side's mean is its own: a judge's over the criteria that people scored and it did, so that
    it does not agree by leaving out what people score low.
    """
    _, item = np.unique(pairs.item, return_inverse=True)
    item = item.reshape(-1)
    asked = np.isfinite(pairs.people)
    means = []
    for side in (pairs.people, scores):
        given = asked & np.isfinite(side)
        number = np.bincount(item[given], minlength=item.max(initial=-1) + 1)
        means.append(ratio(np.bincount(item[given], side[given], len(number)), number))
    people, judge = means
    cluster = np.zeros(len(people), np.int64)
    cluster[item] = pairs.cluster
    both = np.isfinite(people) & np.isfinite(judge)
    return people[both], judge[both], cluster[both]


def macro_correlation(
    name: str, scores: Floats, pairs: PairedScores, criterion: By, draw: Draw
) -> Result:
    """The mean of a correlation over criteria.

    The interval asks what other criteria of this kind would give: Student's t over the criteria,
    with the error that they share because they are asked of the same items, by a jackknife of
    clusters, on top. `these_criteria` in `declared` is the interval for exactly these criteria.
    """
    statistic = SCORE_METRICS[name].statistic
    both = np.isfinite(pairs.people) & np.isfinite(scores)
    member, groups, _ = left_out_groups(pairs.cluster[both], draw)
    x, y, code = pairs.people[both], scores[both], criterion.codes[both]

    mine = [code == c for c in range(len(criterion.labels))]
    whole = np.array([statistic(x[one], y[one]) for one in mine])
    defined = np.isfinite(whole)
    if not defined.any():
        return Undefined(name, "undefined for every criterion", len(x))
    mean, number = float(whole[defined].mean()), int(defined.sum())
    lost = [lab for lab, ok in zip(criterion.labels, defined, strict=True) if not ok]
    warnings = [f"undefined for and left out of the mean: {', '.join(lost)}"] if lost else []
    declared: dict[str, object] = {"criteria": number, "resampling_unit": "criterion"}
    interval = None
    left_out = np.stack(
        [
            without_each(statistic, x[mine[c]], y[mine[c]], member[mine[c]], groups)
            for c in np.flatnonzero(defined)
        ],
        axis=1,
    )
    left_out = left_out[np.isfinite(left_out).all(1)] if groups > 3 else left_out[:0]
    if len(left_out) > 3:
        error = jackknife_error(left_out.mean(1))
        reach = student_reach(len(left_out), draw.confidence_level) * error
        these = [max(-1.0, mean - reach), min(1.0, mean + reach)]
        declared["these_criteria"] = these
        if number > 1:
            spread = np.hypot(np.std(whole[defined], ddof=1) / np.sqrt(number), error)
            reach = student_reach(number, draw.confidence_level) * float(spread)
            interval = Interval(
                max(-1.0, mean - reach),
                min(1.0, mean + reach),
                draw.confidence_level,
                "Student's t over criteria, and a cluster jackknife",
            )
    if interval is None:
        warnings.append("no interval: too few criteria or clusters")
    return Estimate(name, mean, interval, len(x), number, declared, (), tuple(warnings))
