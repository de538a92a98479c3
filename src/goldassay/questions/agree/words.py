"""What the numbers of a judge say, in plain sentences."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from goldassay.ratings.task import Task
from goldassay.results import Estimate, Result, Row, Undefined

__all__ = ["bias_sentences", "judge_sentences", "strictness_words"]


def judge_sentences(
    judge: str, rows: Sequence[Row], rates: Mapping[str, float], task: Task, *, first: bool = True
) -> list[str]:
    """Agreement, chance, kappa and phi; strict or lenient; what was not covered.

    What else phi is goes beside it with the first judge.
    """
    found = {row.result.name: row.result for row in rows}
    agreed = found.get("accuracy")
    if not isinstance(agreed, Estimate):
        reason = agreed.reason if isinstance(agreed, Undefined) else "nothing was counted"
        return [f"{judge}: agreement cannot be computed, {reason}."]
    items = "the one item" if agreed.n_items == 1 else f"{agreed.n_items:,} items"
    text = f"{judge} agrees with people on {agreed.value:.0%} of {items}"
    if agreed.interval:
        text += f" ({agreed.interval.low:.0%} to {agreed.interval.high:.0%})"
    chance = found.get("chance_agreement")
    if isinstance(chance, Estimate):
        text += f"; {chance.value:.0%} would agree by chance"
    kappa = found.get("cohen_kappa")
    if isinstance(kappa, Estimate) and kappa.warnings:
        text += ". Cohen's kappa says nothing here: people or judge use a single option"
    elif isinstance(kappa, Estimate):
        text += f". Cohen's kappa is {kappa.value:.2f}"
        if kappa.interval:
            text += f" ({kappa.interval.low:.2f} to {kappa.interval.high:.2f})"
        phi = found.get("phi")
        if isinstance(phi, Estimate):
            same = " (= MCC = Pearson = Spearman = tau-b)" if first else ""
            text += f", phi{same} {phi.value:.2f}"
        weighted = found.get("weighted_kappa")
        if isinstance(weighted, Estimate) and task.weights in ("linear", "quadratic"):
            text += (
                f"; with {task.weights} weights, which forgive near misses, {weighted.value:.2f}"
            )
            if weighted.interval:
                text += f" ({weighted.interval.low:.2f} to {weighted.interval.high:.2f})"
    elif isinstance(kappa, Undefined):
        text += f". Cohen's kappa is undefined: {kappa.reason}"
    sentences = [text + "."]
    words = strictness_words(judge, found, task) if task.scale == "binary" else None
    if words:
        sentences.append(words)
    missing = 1 - rates.get("coverage", 1.0)
    if missing > 0:
        sentences.append(f"{judge} gives no usable verdict on {missing:.1%} of the items it saw.")
    return sentences


def strictness_words(judge: str, found: Mapping[str, object], task: Task) -> str | None:
    """Strict or lenient, when the two positive rates can be told apart; and what it costs kappa."""
    difference, people, judged = (
        found.get(name) for name in ("positive_rate_difference", "prevalence", "verdict_rate")
    )
    if not (
        isinstance(difference, Estimate)
        and isinstance(people, Estimate)
        and isinstance(judged, Estimate)
        and difference.interval
    ):
        return None
    said = f"it says {task.positive or 'positive'} on {judged.value:.0%} of items, people on " + (
        f"{people.value:.0%}"
    )
    gap = found.get("kappa_phi_gap")
    cost = ""
    if isinstance(gap, Estimate) and gap.value >= 0.005:
        cost = f"; the drift costs kappa {gap.value:.3f} against phi"
    if difference.interval.low > 0:
        return f"{judge} is lenient: {said}{cost}."
    if difference.interval.high < 0:
        return f"{judge} is strict: {said}{cost}."
    return f"{judge} is neither clearly strict nor lenient: {said}."


def bias_sentences(judge: str, results: Sequence[Result]) -> list[str]:
    """What position and length do to the verdict, where they can be told to do anything."""
    found = {r.name: r for r in results if isinstance(r, Estimate) and r.interval}
    out = []
    first = found.get("first_position_rate")
    if first is not None and first.interval and 0.5 not in first.interval:
        place = "first" if first.value > 0.5 else "second"
        share = first.value if first.value > 0.5 else 1 - first.value
        out.append(f"{judge} leans to the answer shown {place}: {share:.0%} of its verdicts.")
    length = found.get("length_log_odds")
    if length is not None and length.interval and 0.0 not in length.interval:
        longer = "longer" if length.value > 0 else "shorter"
        times = math.exp(abs(length.value))
        out.append(
            f"{judge} leans to {longer} texts: given people's verdict, twice the length makes the"
            f" odds {times:.2f} times as {'high' if length.value > 0 else 'low'}."
        )
    return out
