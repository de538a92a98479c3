"""Which judge to use: the counts, the goal and the draws put together into findings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldassay.counts import PairedScores, Units
from goldassay.errors import RatingsError, TaskError
from goldassay.inference.posterior import hedged_draws, hedged_interval
from goldassay.questions.select.candidates import Candidates, distinct, gather
from goldassay.questions.select.comparison import (
    Comparison,
    compare,
    design_effect,
    few_clusters,
    items_needed,
    posterior_tables,
    posterior_weights,
)
from goldassay.questions.select.criteria import CRITERIA, metrics_of
from goldassay.questions.select.frontier import add_frontier
from goldassay.questions.select.ordering import (
    order_agreement,
    order_differences,
    order_interval,
    system_sums,
)
from goldassay.questions.select.stability import add_distortion, add_stability
from goldassay.questions.select.thresholds import add_thresholds, cuts_of, tuned_thresholds
from goldassay.ratings.task import Goal
from goldassay.results import Estimate, Gathered, Interval, Table, Undefined

__all__ = ["Drawn", "draw", "select"]

Array = NDArray[np.float64]

#: Numbers held at once while weights are drawn.
BLOCK = 4_000_000
#: More items than this are not worth naming as a way to tell two judges apart.
MOST_ITEMS = 1_000_000
#: Metrics whose own choice of a judge is shown beside the criterion's.
RIVALS = ("balanced_accuracy", "accuracy", "f1", "macro_f1", "precision", "cohen_kappa", "phi")


@dataclass(frozen=True)
class Drawn:
    """All candidates' tables in every draw, and the system sums where there are systems."""

    tables: Array  # [B, J, k, k]
    systems: Array | None  # [B, J, S, 3] sums of the systems (`system_sums`)


def select(
    units: Units,
    *,
    goal: Goal | None = None,
    panels: bool = False,
    thresholds: bool = False,
    draws: int = 2000,
    seed: int = 1,
    scored: PairedScores | None = None,
    spending: Mapping[str, Mapping[str, float]] | None = None,
) -> Gathered:
    """Rank judges by the criterion of the goal, with paired uncertainty over the same clusters.

    `scored` adds thresholds for judges with scores, `spending` the frontier of quality against
    price and time. `panels` makes majority panels, `thresholds` cut scores further candidates
    (these need units counted by item); the joint intervals pay for every candidate more.
    """
    task = units.task
    goal = goal or task.goal
    _check(units, goal)
    tuned = tuned_thresholds(scored, task, seed=seed) if scored is not None else []
    cuts = cuts_of(units, scored, tuned) if thresholds and scored is not None else []
    candidates = gather(units, panels=panels, cuts=cuts or ())
    if not candidates.n_items.any():
        raise RatingsError(
            "the ratings",
            "no item has both a reference from people and a verdict of a judge that counts",
            next_step="Label some judged items: goldassay plan --next 50 lists which",
        )
    findings, leader = Gathered(), None
    criterion = CRITERIA[goal]
    drawn = draw(candidates, draws=draws, seed=seed, systems=criterion == "ranking_agreement")
    values = _values(candidates, criterion)
    known = np.flatnonzero(np.isfinite(values))
    widen = 1.0
    if candidates.clustered:
        widen = few_clusters(candidates.n_clusters, task.confidence_level)
    _add_rows(findings, candidates, criterion, drawn, draws=draws, seed=seed)
    if len(known):
        sample = _sampled(drawn, criterion, candidates)[:, known]
        sample = sample[np.isfinite(sample).all(axis=1)]
        comparison = compare(
            values[known], sample, confidence_level=task.confidence_level, widen=widen
        )
        if criterion == "ranking_agreement":
            comparison = _by_order(comparison, candidates, drawn, values, known)
        order = np.argsort(-values[known], kind="stable")
        names = [candidates.names[j] for j in known]
        chosen = _Choice(candidates, criterion, names, values[known], order, comparison, known)
        leader = names[order[0]]
        _answer(findings, chosen)
        _add_comparison(findings, chosen)
        _add_rivals(findings, candidates, chosen)
    else:
        reason = next(r.result for r in findings.rows if isinstance(r.result, Undefined))
        findings.answer.append(
            f"No judge can be chosen: {criterion.replace('_', ' ')} is undefined, {reason.reason}."
        )
    add_distortion(findings, candidates, leader)
    add_stability(findings, candidates, seed=seed)
    if scored is not None:
        add_thresholds(findings, scored, tuned, task, draws=draws, seed=seed)
    if thresholds and not cuts:
        if cuts is None:
            why = "the units are not counted by item"
        else:
            why = "no threshold could be tuned" if tuned else "no judge has scores"
        findings.warnings.append(f"No threshold is among the candidates: {why}.")
    if spending and len(known):
        add_frontier(findings, candidates, values, criterion, spending)
    return findings


def draw(candidates: Candidates, *, draws: int, seed: int, systems: bool) -> Drawn:
    """Joint draws of all candidates, in blocks so that memory stays bounded."""
    rng = np.random.default_rng(seed)
    counts, times = candidates.counts, candidates.multiplicity
    prior: float | Array = 2.0
    if candidates.clustered:
        hits = np.trace(counts, axis1=2, axis2=3)
        prior = 2.0 * design_effect(hits, counts.sum((2, 3)), times)
    tables, order = [], []
    sums, every = _system_sums(candidates) if systems else (np.zeros((0, 0)), times[:0])
    clusters = len(sums)
    step = max(1, BLOCK // max(len(times), clusters, 1))
    for start in range(0, draws, step):
        rows = min(step, draws - start)
        weights = posterior_weights(times, draws=rows, rng=rng)
        tables.append(posterior_tables(counts, weights, rng=rng, prior_items=prior))
        if systems:
            all_weights = posterior_weights(every, draws=rows, rng=rng)
            order.append((all_weights @ sums.reshape(clusters, -1)).reshape(rows, *sums.shape[1:]))
    return Drawn(np.concatenate(tables), np.concatenate(order) if systems else None)


@dataclass(frozen=True)
class _Choice:
    """The candidates with a defined criterion, and how they compare."""

    candidates: Candidates
    criterion: str
    names: Sequence[str]
    values: Array
    order: NDArray[np.intp]
    comparison: Comparison
    known: NDArray[np.intp]

    @property
    def items(self) -> int:
        return int(self.candidates.n_items[self.known].max())

    def items_to_tell(self, first: int, second: int) -> int | None:
        found = self.comparison
        return items_needed(
            float(found.difference[first, second]),
            float(found.standard_error[first, second]),
            self.items,
            critical=found.critical,
        )


def _check(units: Units, goal: Goal) -> None:
    task = units.task
    if task.scale == "continuous":
        raise TaskError(
            'scale = "continuous"',
            "judges are selected by their verdicts, which have declared options",
            next_step="Use goldassay rank for real-valued scores, or declare binary options "
            "and scores",
        )
    if not units.judge_names:
        raise RatingsError("the ratings", "have no judge", next_step='Set kind to "judge" in rows')
    if goal == "ranking":
        if task.positive is None and task.scale != "ordinal":
            raise TaskError(
                "the task",
                "goal ranking orders systems by the rate of a positive option",
                next_step=f"Add positive = {task.options[0]!r}, or whichever option you count",
            )
        if not _has_systems(units):
            raise RatingsError(
                "the ratings",
                "goal ranking needs a column system with two systems or more",
                next_step='Add it, or choose the goal "prevalence" or "filter"',
            )


def _has_systems(units: Units) -> bool:
    task = units.task
    rated = task.positive is not None or task.scale == "ordinal"
    return rated and "system" in units.by and len(units.by["system"].labels) > 1


def _system_sums(candidates: Candidates) -> tuple[Array, NDArray[np.int64]]:
    """Sums by cluster, candidate and system [C, J, S, 3], and how many clusters have each."""
    units = candidates.units
    clusters = len(units.n) if units.single else units.n_clusters
    times = units.n if units.single else np.ones(clusters, dtype=np.int64)
    sums = [system_sums(units, candidates.tables(j)) for j in range(len(candidates.names))]
    return distinct(np.stack(sums, 1), times)


def _values(candidates: Candidates, criterion: str) -> Array:
    if criterion == "ranking_agreement":
        sums, times = _system_sums(candidates)
        return order_agreement(np.tensordot(times, sums, axes=1))
    return metrics_of(candidates)[criterion](candidates.totals)


def _sampled(drawn: Drawn, criterion: str, candidates: Candidates) -> Array:
    if criterion == "ranking_agreement":
        assert drawn.systems is not None
        return order_agreement(drawn.systems)
    return metrics_of(candidates)[criterion](drawn.tables)


def _add_rows(
    findings: Gathered,
    candidates: Candidates,
    criterion: str,
    drawn: Drawn,
    *,
    draws: int,
    seed: int,
) -> None:
    """The criterion and what stands behind it, for every candidate, with agree's own intervals."""
    task = candidates.units.task
    shown = [criterion, "youden_j", "sensitivity", "specificity"]
    metrics = metrics_of(candidates)
    best = np.zeros(len(candidates.names))
    sample = _sampled(drawn, criterion, candidates)
    finite = np.atleast_1d(np.isfinite(sample).all(axis=0))
    if finite.any():
        top = sample[:, finite] >= sample[:, finite].max(axis=1, keepdims=True) - 1e-12
        best[finite] = (top / top.sum(axis=1, keepdims=True)).mean(axis=0)
    values = _values(candidates, criterion)
    ordered = _order_intervals(candidates, drawn, values, task.confidence_level)
    for index in np.argsort(-np.where(np.isfinite(values), values, -np.inf), kind="stable"):
        name, n_items = candidates.names[index], int(candidates.n_items[index])
        stack, times = candidates.tables(index).clusters()
        counts = stack[:, 0]
        posterior = None
        if n_items:
            clustered = bool((counts.sum((1, 2)) > 1 + 1e-9).any())
            posterior = hedged_draws(counts, times, draws=draws, seed=seed, clustered=clustered)
        for metric in dict.fromkeys(shown):
            if metric == "ranking_agreement":
                value = float(values[index])
                interval = ordered[index]
            elif metric in metrics:
                value = float(metrics[metric](np.tensordot(times, counts, axes=1)))
                interval = None
                if posterior is not None and np.isfinite(value):
                    interval = hedged_interval(
                        metrics[metric], posterior, value, confidence_level=task.confidence_level
                    )
            else:
                continue
            if not np.isfinite(value):
                findings.add(Undefined(metric, _why(candidates, index), n_items), judge=name)
                continue
            estimate = Estimate(metric, value, interval, n_items, int(times.sum()))
            findings.add(estimate, judge=name)
        if finite[index] and len(candidates.names) > 1:
            share = Estimate(
                "probability_best",
                float(best[index]),
                None,
                n_items,
                candidates.n_clusters,
                declared={"criterion": criterion, "candidates": len(candidates.names)},
            )
            findings.add(share, judge=name)


def _order_intervals(
    candidates: Candidates, drawn: Drawn, values: Array, confidence_level: float
) -> list[Interval | None]:
    """The intervals of the candidates' agreement with people's order of the systems."""
    if drawn.systems is None:
        return [None] * len(values)
    sums, times = _system_sums(candidates)
    total, clusters = np.tensordot(times, sums, axes=1), int(times.sum())
    return [
        order_interval(
            total[j],
            drawn.systems[:, j],
            float(values[j]),
            n_clusters=clusters,
            confidence_level=confidence_level,
        )
        for j in range(len(values))
    ]


def _by_order(
    found: Comparison, candidates: Candidates, drawn: Drawn, values: Array, known: NDArray[np.intp]
) -> Comparison:
    """The comparison with differences of intervals that cover, at a level for all pairs at once."""
    pairs = max(len(known) * (len(known) - 1) // 2, 1)
    level = 1 - (1 - found.confidence_level) / pairs
    intervals = _order_intervals(candidates, drawn, values, level)
    ends = np.array([[one.low, one.high] if one else [0.0, 1.0] for one in intervals])[known]
    low, high = order_differences(values[known], ends)
    return replace(found, low=low, high=high)


def _why(candidates: Candidates, index: int) -> str:
    table = candidates.totals[index]
    if not table.any():
        return "the judge has no verdict that counts on an item with a reference"
    seen = [name for name, row in zip(candidates.labels, table, strict=True) if row.sum() > 0]
    return f"the reference has one class only ({', '.join(seen)})"


def _answer(findings: Gathered, chosen: _Choice) -> None:
    names, values, found = chosen.names, chosen.values, chosen.comparison
    leader = int(chosen.order[0])
    words = chosen.criterion.replace("_", " ")
    row = next(
        r.result
        for r in findings.rows
        if r.about.get("judge") == names[leader] and r.result.name == chosen.criterion
    )
    interval = row.interval if isinstance(row, Estimate) else None
    span = f" ({interval.low:.3f} to {interval.high:.3f})" if interval else ""
    if len(names) == 1:
        findings.answer.append(
            f"{names[leader]} is the only judge: {words} {values[leader]:.3f}{span}. "
            "There is nothing to choose between."
        )
        return
    level = found.confidence_level
    findings.answer.append(
        f"{names[leader]} has the highest {words}, {values[leader]:.3f}{span}; it is the best of "
        f"{len(names)} with probability {_probability(float(found.probability_best[leader]))}."
    )
    level_with = [j for j in chosen.order[1:] if not found.apart(leader, int(j))]
    clear = [j for j in chosen.order[1:] if found.apart(leader, int(j))]
    for j in level_with[:3]:
        findings.answer.append(_cannot_tell(chosen, leader, int(j)))
    if len(level_with) > 3:
        others = ", ".join(names[j] for j in level_with[3:])
        findings.answer.append(f"Nor can it be told apart from {others}.")
    if clear:
        listed = ", ".join(names[j] for j in clear)
        findings.answer.append(
            f"It is better than {listed} ({level:.0%} joint intervals over all "
            f"{len(names) * (len(names) - 1) // 2} differences)."
        )
    most = int(chosen.candidates.n_items.max())
    for j in chosen.known:
        seen = int(chosen.candidates.n_items[j])
        if seen < 0.9 * most:
            findings.warnings.append(
                f"{chosen.candidates.names[j]} has verdicts that count on {seen:,} of {most:,} "
                "items; it is compared on those, which may be easier or harder than the rest."
            )
    if chosen.criterion == "balanced_accuracy" and values[leader] <= 0.5:
        findings.warnings.append(
            "No judge beats a coin: J is 0 or less, so no rate can be recovered from its verdicts."
        )


def _probability(value: float) -> str:
    """Draws never show certainty."""
    return "over 0.99" if value >= 0.995 else f"{value:.2f}"


def _cannot_tell(chosen: _Choice, first: int, second: int) -> str:
    needed = chosen.items_to_tell(first, second)
    pair = f"{chosen.names[first]} and {chosen.names[second]}"
    items = f"{chosen.items:,} items"
    if chosen.candidates.clustered and chosen.candidates.n_clusters < 2:
        return f"{pair} cannot be told apart: one cluster of {items} says nothing of others."
    if needed is None or needed > MOST_ITEMS:
        return (
            f"{pair} cannot be told apart with these {items}, and hardly with any number of them."
        )
    rounded = _rounded_up(needed)
    return f"{pair} cannot be told apart with these {items}; {rounded:,} would do."


def _rounded_up(number: int) -> int:
    """Two digits are as many as such a forecast deserves."""
    unit = int(10 ** max(len(str(number)) - 2, 0))
    return -(-number // unit) * unit


def _add_comparison(findings: Gathered, chosen: _Choice) -> None:
    names, found, order = chosen.names, chosen.comparison, [int(j) for j in chosen.order]
    results = {(r.about.get("judge"), r.result.name): r.result for r in findings.rows}
    rows: list[tuple[Any, ...]] = []
    dots = []
    for j in order:
        estimate = results[names[j], chosen.criterion]
        assert isinstance(estimate, Estimate)
        span = estimate.interval
        behind = (
            [None] * 4
            if j == order[0]
            else [
                float(found.difference[order[0], j]),
                float(found.low[order[0], j]),
                float(found.high[order[0], j]),
                "yes" if found.apart(order[0], j) else "no",
            ]
        )
        rows.append(
            (
                names[j],
                float(chosen.values[j]),
                span.low if span else None,
                span.high if span else None,
                float(found.probability_best[j]),
                *behind,
                estimate.n_items,
            )
        )
        dots.append(
            {
                "label": names[j],
                "value": float(chosen.values[j]),
                "low": span.low if span else None,
                "high": span.high if span else None,
            }
        )
    level = f"{found.confidence_level:.0%}"
    findings.tables["judges"] = Table(
        f"Judges by {chosen.criterion.replace('_', ' ')}",
        (
            "judge",
            "value",
            "low",
            "high",
            "P(best)",
            "behind",
            "at least",
            "at most",
            "told apart",
            "items",
        ),
        tuple(rows),
        (
            f"Low to high: {level} interval. Behind: by how much the best is better, with an "
            "interval "
            f"that holds for all differences at once with {level}. All on the same items.",
        ),
    )
    findings.charts.append(
        {
            "kind": "dot_interval",
            "title": f"Judges by {chosen.criterion.replace('_', ' ')}",
            "x_label": chosen.criterion.replace("_", " "),
            "rows": dots,
            "references": [{"value": 0.5, "label": "a coin"}]
            if chosen.criterion == "balanced_accuracy" and chosen.candidates.size == 2
            else [],
            "alt": f"{names[order[0]]} is highest at {chosen.values[order[0]]:.3f}, "
            f"{names[order[-1]]} lowest at {chosen.values[order[-1]]:.3f}.",
        }
    )
    pairs = [(a, b) for i, a in enumerate(order) for b in order[i + 1 :]]
    if len(order) > 2:
        findings.tables["differences"] = Table(
            "Differences between judges",
            ("judge", "other", "difference", "low", "high", "told apart", "items that would do"),
            tuple(
                (
                    names[a],
                    names[b],
                    float(found.difference[a, b]),
                    float(found.low[a, b]),
                    float(found.high[a, b]),
                    "yes" if found.apart(a, b) else "no",
                    _would_do(chosen, a, b),
                )
                for a, b in pairs
            ),
            (
                f"Low to high: {level} interval, joint over all {len(pairs)} differences. Items "
                "that "
                "would do: for 80 % power, if the difference is as large as it looks.",
            ),
        )


def _would_do(chosen: _Choice, first: int, second: int) -> int | None:
    needed = chosen.items_to_tell(first, second)
    if needed is None or needed > MOST_ITEMS or chosen.comparison.apart(first, second):
        return None
    return _rounded_up(needed)


def _add_rivals(findings: Gathered, candidates: Candidates, chosen: _Choice) -> None:
    """Which judge each other metric would have chosen."""
    metrics = metrics_of(candidates)
    leader = chosen.names[int(chosen.order[0])]
    place = candidates.names.index(leader)
    rows, otherwise = [], []
    for name in RIVALS:
        if name not in metrics or name == chosen.criterion:
            continue
        values = metrics[name](candidates.totals)
        if not np.isfinite(values).any():
            continue
        pick = int(np.nanargmax(values))
        tied = bool(np.isclose(values[place], values[pick]))
        pick = place if tied else pick
        shown = [float(value) if np.isfinite(value) else None for value in values[[pick, place]]]
        rows.append((name, candidates.names[pick], *shown))
        if not tied:
            otherwise.append((name, candidates.names[pick]))
    if len(chosen.names) < 2:
        return
    findings.tables["choices"] = Table(
        "What other metrics would have chosen",
        ("metric", "chooses", "its value", f"value of {leader}"),
        tuple(rows),
        ("Metrics other than balanced accuracy move with the prevalence of the labelled items.",)
        if chosen.criterion == "balanced_accuracy"
        else (),
    )
    if otherwise:
        by_judge: dict[str, list[str]] = {}
        for name, judge in otherwise:
            by_judge.setdefault(judge, []).append(name.replace("_", " "))
        parts = [f"{_listed(names)} would have chosen {judge}" for judge, names in by_judge.items()]
        sentence = "; ".join(parts) + "."
        findings.answer.append(sentence[0].upper() + sentence[1:])


def _listed(words: Sequence[str]) -> str:
    """one; one and two; one, two and three."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
