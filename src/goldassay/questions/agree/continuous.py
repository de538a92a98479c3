"""The study of real-valued scores, whose correlations answer different questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from goldassay.counts import By, PairedScores
from goldassay.formulas.reliability import krippendorff_alpha_of_scores, score_sums
from goldassay.inference.jackknife import without_each
from goldassay.inference.posterior import HedgedDraws, hedged_tail
from goldassay.questions.agree.abstention import share
from goldassay.questions.agree.checklist import Facts, checklist, checklist_table
from goldassay.questions.agree.judges import Draw
from goldassay.questions.agree.repeated_scores import RepeatedScores, repeated_scores
from goldassay.questions.agree.scores import (
    CORRELATIONS,
    correlation_results,
    jackknife_error,
    left_out_groups,
)
from goldassay.questions.agree.study import Study
from goldassay.ratings.scale import SCALES
from goldassay.ratings.task import Task
from goldassay.results import Estimate, Gathered, Interval, Result, Table, Undefined

__all__ = ["interval_alpha", "item_scores", "macro_correlation", "study_scores"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

#: The rates of a rater's rows by status, in the order of `count_statuses`.
RATES = ("coverage", "abstention_rate", "invalid_rate", "failed_rate")


def study_scores(
    pairs: PairedScores,
    task: Task,
    *,
    draw: Draw,
    by: Sequence[str] = (),
    statuses: Mapping[tuple[str, str], Ints] | None = None,
) -> Study:
    """Correlation and concordance of every judge's scores with people's mean score.

    `statuses` are rows by cluster and status [C, 4] of each (kind, rater), for the rates.
    """
    out = Gathered()
    found = pairs.by.get("criterion")
    criterion = found if found is not None and len(found.labels) > 1 else None
    degenerate: dict[str, str] = {}
    rates: dict[str, dict[str, float]] = {}
    for index, (judge, scores) in enumerate(zip(pairs.judges, pairs.judge, strict=True)):
        results = correlation_results(pairs.people, scores, pairs.cluster, draw)
        for result in results:
            out.add(result, judge=judge, level="micro")
        out.answer.append(_sentence(judge, results))
        if (pairs.repeats[index] > 1).any():
            _repeats(out, judge, repeated_scores(pairs, index, draw))
        for column in by:
            one = pairs.by[column]
            for code, label in enumerate(one.labels):
                mine = one.codes == code
                part = correlation_results(
                    pairs.people[mine], scores[mine], pairs.cluster[mine], draw
                )
                for result in part:
                    out.add(result, judge=judge, level="micro", **{column: label or "(none)"})
        if criterion is not None:
            degenerate |= _levels(out, judge, scores, pairs, criterion, task, draw, by)
    for (kind, rater), table in (statuses or {}).items():
        found_rates = _rates(out, kind, rater, table, task, draw)
        if kind == "judge":
            rates[rater] = found_rates
            if rater not in pairs.judges:
                rows = int(table.sum())
                out.answer.append(f"{rater}: none of its {rows:,} ratings is a score.")
    _people(out, pairs, draw)
    if len(pairs.judges) > 1:
        alpha = interval_alpha("judges_krippendorff_alpha", pairs.judge, pairs.cluster, draw)
        out.add(alpha, level="micro")
    facts = Facts(
        task=task,
        judges=pairs.judges,
        humans=pairs.humans,
        n_units=len(pairs.units),
        n_clusters=pairs.n_clusters,
        rates=rates,
        degenerate=degenerate,
        criteria=criterion.labels if criterion is not None else (),
        panel="Krippendorff's interval alpha" if len(pairs.judges) > 1 else None,
    )
    out.tables["checklist"] = checklist_table(checklist(facts))
    return Study(out, facts)


def _rates(
    out: Gathered, kind: str, rater: str, table: Ints, task: Task, draw: Draw
) -> dict[str, float]:
    """Coverage and the rates of a rater's rows that are no score; those never met are left out."""
    values = {}
    base, times = table.sum(1), np.ones(len(table), np.int64)
    for code, name in enumerate(RATES):
        if kind == "judge" and (name == "coverage" or table[:, code].any()):
            sums = np.stack([table[:, code], base], 1).astype(np.float64)
            result = share(name, sums, times, task.cluster, draw)
            out.add(result, judge=rater, level="micro")
            if isinstance(result, Estimate):
                values[name] = result.value
        elif kind == "human" and name == "abstention_rate" and table[:, code].any():
            sums = np.stack([table[:, code], base], 1).astype(np.float64)
            out.add(share(f"human_{name}", sums, times, task.cluster, draw), level="micro")
    return values


def _repeats(out: Gathered, judge: str, found: RepeatedScores) -> None:
    for result in found.results:
        out.add(result, judge=judge, level="micro")
    if found.table is not None:
        title = f"{found.table.title}: {judge}"
        out.tables[f"samples: {judge}"] = replace(found.table, title=title)
    if found.sentence:
        out.answer.append(f"{judge}: {found.sentence}.")


# --- criteria and whole items -----------------------------------------------------------------


def _levels(
    out: Gathered,
    judge: str,
    scores: Floats,
    pairs: PairedScores,
    criterion: By,
    task: Task,
    draw: Draw,
    by: Sequence[str],
) -> dict[str, str]:
    """The criteria one by one, their mean, and whole items; returns the degenerate criteria."""
    both = np.isfinite(pairs.people) & np.isfinite(scores)
    rows, degenerate = [], {}
    for code, label in enumerate(criterion.labels):
        mine = both & (criterion.codes == code)
        x, y = pairs.people[mine], scores[mine]
        values = [statistic(x, y) for _, statistic in CORRELATIONS.values()]
        rows.append((label, len(x), *(None if np.isnan(v) else v for v in values)))
        if np.isnan(values[0]):
            degenerate[label] = f"{len(x)} items"
            if "criterion" not in by:
                reason = "people's or the judge's scores are all equal, or fewer than two"
                undefined = Undefined("pearson", reason, len(x))
                out.add(undefined, judge=judge, level="micro", criterion=label)
    out.tables[f"criteria: {judge}"] = Table(
        f"Each criterion: {judge}",
        ("criterion", "items", *CORRELATIONS),
        tuple(rows),
        tuple(f"{label}: undefined ({why})" for label, why in degenerate.items()),
    )
    if "macro" in task.levels:
        for name in CORRELATIONS:
            out.add(
                macro_correlation(name, scores, pairs, criterion, draw), judge=judge, level="macro"
            )
    if "item" in task.levels:
        declared = {"resampling_unit": task.cluster, "item_rule": SCALES[task.scale].item_rule}
        x, y, cluster = item_scores(pairs, scores)
        for found in correlation_results(x, y, cluster, draw):
            result: Result = found
            if isinstance(found, Estimate):
                result = replace(found, declared={**found.declared, **declared})
            out.add(result, judge=judge, level="item")
    return degenerate


def item_scores(pairs: PairedScores, scores: Floats) -> tuple[Floats, Floats, Ints]:
    """People's and a judge's mean score of each item over the criteria that both scored."""
    both = np.isfinite(pairs.people) & np.isfinite(scores)
    _, item = np.unique(pairs.item[both], return_inverse=True)
    item = item.reshape(-1)
    number = np.bincount(item)
    cluster = np.zeros(len(number), np.int64)
    cluster[item] = pairs.cluster[both]
    people, judge = (
        np.bincount(item, weights=side[both]) / number for side in (pairs.people, scores)
    )
    return people, judge, cluster


def macro_correlation(
    name: str, scores: Floats, pairs: PairedScores, criterion: By, draw: Draw
) -> Result:
    """The mean of a correlation over criteria.

    The interval asks what other criteria of this kind would give: Student's t over the criteria,
    with the error that they share because they are asked of the same items, by a jackknife of
    clusters, on top. `these_criteria` in `declared` is the interval for exactly these criteria.
    """
    from scipy.special import stdtrit

    statistic = CORRELATIONS[name][1]
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
        tail = (1 - draw.confidence_level) / 2
        error = jackknife_error(left_out.mean(1))
        reach = -float(stdtrit(len(left_out) - 1, tail)) * error
        these = [max(-1.0, mean - reach), min(1.0, mean + reach)]
        declared["these_criteria"] = these
        if number > 1:
            spread = np.hypot(np.std(whole[defined], ddof=1) / np.sqrt(number), error)
            reach = -float(stdtrit(number - 1, tail)) * float(spread)
            interval = Interval(
                max(-1.0, mean - reach),
                min(1.0, mean + reach),
                draw.confidence_level,
                "Student's t over criteria, and a cluster jackknife",
            )
    if interval is None:
        warnings.append("no interval: too few criteria or clusters")
    return Estimate(name, mean, interval, len(x), number, declared, (), tuple(warnings))


def _sentence(judge: str, results: Sequence[Result]) -> str:
    found = {r.name: r for r in results}
    first = found["pearson"]
    if not isinstance(first, Estimate):
        return f"{judge}: correlation with people cannot be computed, {first.reason}."
    text = f"{judge}'s scores correlate with people's at {first.value:.2f} (Pearson"
    if first.interval:
        text += f", {first.interval.low:.2f} to {first.interval.high:.2f}"
    concordance = found["lin_concordance"]
    text += f") over {first.n_items:,} items"
    if isinstance(concordance, Estimate):
        text += f"; as equal numbers they agree at {concordance.value:.2f} (Lin)"
    return text + "."


def _people(out: Gathered, pairs: PairedScores, draw: Draw) -> None:
    number = np.bincount(pairs.human_unit, minlength=len(pairs.units))
    if not pairs.humans:
        out.answer.insert(
            0,
            "There is no human score: whether the judges agree with people cannot"
            " be said, only whether they agree with one another.",
        )
        out.warnings.append("add ratings of kind human for the same items")
        return
    if number.max(initial=0) < 2:
        out.warnings.append(
            "one human score per unit: how far people agree with one another, the ceiling for any"
            " judge, is unknown"
        )
        return
    order = np.argsort(pairs.human_unit, kind="stable")
    at = (
        np.arange(len(order))
        - np.concatenate([[0], np.cumsum(number)[:-1]])[pairs.human_unit[order]]
    )
    matrix = np.full((int(number.max()), len(pairs.units)), np.nan)
    matrix[at, pairs.human_unit[order]] = pairs.human_score[order]
    alpha = interval_alpha("human_krippendorff_alpha", matrix, pairs.cluster, draw)
    out.add(alpha, level="micro")
    if isinstance(alpha, Estimate):
        out.answer.append(
            f"People agree with one another at alpha {alpha.value:.2f} (interval): the ceiling"
            " against which a judge is read."
        )


def interval_alpha(name: str, scores: Floats, cluster: Ints, draw: Draw) -> Result:
    """Interval alpha of scores [R, U], with a Bayesian bootstrap of clusters."""
    sums = score_sums(scores)
    n_items = int((sums[:, 0] > 1).sum())
    value = float(krippendorff_alpha_of_scores(sums.sum(0)))
    if np.isnan(value):
        return Undefined(name, "no two scores of a unit, or all scores equal", n_items)
    _, code = np.unique(cluster, return_inverse=True)
    table = np.zeros((int(code.max()) + 1, 4))
    np.add.at(table, code.reshape(-1), sums)
    table = table[table[:, 0] > 0]
    clusters = len(table)
    interval = None
    if clusters > 1:
        weights = np.random.default_rng(draw.seed).standard_exponential((draw.draws, clusters))
        weights *= clusters / weights.sum(1, keepdims=True)
        drawn = krippendorff_alpha_of_scores(weights @ table)
        tail = hedged_tail(HedgedDraws(drawn, drawn, clusters, True), draw.confidence_level)
        low, high = np.nanquantile(drawn, [tail, 1 - tail])
        method = f"Bayesian cluster bootstrap ({draw.draws} draws)"
        interval = Interval(
            min(float(low), value), max(float(high), value), draw.confidence_level, method
        )
    return Estimate(name, value, interval, n_items, clusters, {"difference": "interval"})
