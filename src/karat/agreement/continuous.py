"""The study of real-valued scores, whose correlations answer different questions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from karat.agreement.checklist import Facts, checklist, checklist_table
from karat.agreement.judges import Draw
from karat.agreement.scores import correlation_results
from karat.agreement.study import Study
from karat.counts import PairedScores
from karat.intervals import HedgedDraws, hedged_tail
from karat.reliability import krippendorff_alpha_of_scores, score_sums
from karat.results import Estimate, Findings, Interval, Result, Undefined
from karat.task import Task

__all__ = ["interval_alpha", "study_scores"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


def study_scores(pairs: PairedScores, task: Task, *, draw: Draw, by: Sequence[str] = ()) -> Study:
    """Correlation and concordance of every judge's scores with people's mean score."""
    out = Findings()
    for judge, scores in zip(pairs.judges, pairs.judge, strict=True):
        results = correlation_results(pairs.people, scores, pairs.cluster, draw)
        for result in results:
            out.add(result, judge=judge, level="micro")
        out.answer.append(_sentence(judge, results))
        for column in by:
            one = pairs.by[column]
            for code, label in enumerate(one.labels):
                mine = one.codes == code
                part = correlation_results(
                    pairs.people[mine], scores[mine], pairs.cluster[mine], draw
                )
                for result in part:
                    out.add(result, judge=judge, level="micro", **{column: label or "(none)"})
        criterion = pairs.by.get("criterion")
        if criterion is not None and len(criterion.labels) > 1 and "macro" in task.levels:
            _macro(out, judge, scores, pairs, criterion.codes, criterion.labels, draw)
    _people(out, pairs, draw)
    if len(pairs.judges) > 1:
        alpha = interval_alpha("judges_krippendorff_alpha", pairs.judge, pairs.cluster, draw)
        out.add(alpha, level="micro")
    present = np.isfinite(pairs.people)
    rates = {
        judge: {"coverage": float((np.isfinite(scores) & present).sum() / max(present.sum(), 1))}
        for judge, scores in zip(pairs.judges, pairs.judge, strict=True)
    }
    labels = pairs.by["criterion"].labels if "criterion" in pairs.by else ()
    facts = Facts(
        task=task, judges=pairs.judges, humans=pairs.humans, n_units=len(pairs.units),
        n_clusters=pairs.n_clusters, rates=rates, criteria=labels if len(labels) > 1 else (),
        panel="Krippendorff's interval alpha" if len(pairs.judges) > 1 else None,
    )  # fmt: skip
    out.tables["checklist"] = checklist_table(checklist(facts))
    return Study(out, facts)


def _macro(
    out: Findings, judge: str, scores: Floats, pairs: PairedScores, codes: Ints,
    labels: Sequence[str], draw: Draw,
) -> None:  # fmt: skip
    per = [
        correlation_results(
            pairs.people[codes == c], scores[codes == c], pairs.cluster[codes == c], draw
        )
        for c in range(len(labels))
    ]
    for results in zip(*per, strict=True):
        values = [r.value for r in results if isinstance(r, Estimate)]
        name = results[0].name
        if not values:
            out.add(Undefined(name, "undefined for every criterion"), judge=judge, level="macro")
            continue
        declared = {"criteria": len(values), "resampling_unit": "criterion"}
        estimate = Estimate(
            name, float(np.mean(values)), _mean_interval(values, draw),
            sum(r.n_items for r in results), len(values), declared,
        )  # fmt: skip
        out.add(estimate, judge=judge, level="macro")


def _mean_interval(values: Sequence[float], draw: Draw) -> Interval | None:
    from scipy.special import stdtrit

    if len(values) < 2:
        return None
    mean, error = float(np.mean(values)), float(np.std(values, ddof=1) / np.sqrt(len(values)))
    reach = -float(stdtrit(len(values) - 1, (1 - draw.confidence_level) / 2)) * error
    return Interval(
        max(-1.0, mean - reach), min(1.0, mean + reach), draw.confidence_level,
        "Student's t over criteria",
    )  # fmt: skip


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


def _people(out: Findings, pairs: PairedScores, draw: Draw) -> None:
    number = np.bincount(pairs.human_unit, minlength=len(pairs.units))
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
