"""The tables of the systems as one judge ranks them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from goldassay.formulas.orders import ranks
from goldassay.questions.rank.corrected import RANDOM_GOLD, CorrectedRanking
from goldassay.questions.rank.gold import Gold
from goldassay.questions.rank.study import JudgeBias
from goldassay.questions.rank.systems import RankedSystems, SystemLine
from goldassay.questions.rank.words import AGGREGATION_WORDS, ordinal, place, value_words
from goldassay.results import Result, Table, Undefined

__all__ = ["aggregation_table", "bias_table", "corrected_table", "rank_table", "system_table"]


def system_table(ranked: RankedSystems, systems: Sequence[str], gold: Gold | None) -> Table:
    """Systems as ranked by the first aggregation, beside people's ranks where there is gold."""
    first = next(iter(ranked.lines))
    gold_ranks = None if gold is None else ranks(gold.scores)
    rows = []
    for line in ranked.lines[first]:
        cells: list[Any] = [systems[line.system], _rank_cell(line)]
        if gold_ranks is not None:
            cells.append(_gold_cell(float(gold_ranks[line.system])))
        rows.append((*cells, _score_cell(line.score), value_words(line.gap)))
    people = ("people",) if gold_ranks is not None else ()
    unbounded = [
        f"{systems[line.system]}: {line.score.reason}."
        for lines in ranked.lines.values()
        for line in lines
        if isinstance(line.score, Undefined)
    ]
    return Table(
        f"Systems ranked by {ranked.judge} ({AGGREGATION_WORDS[first]})",
        ("system", "rank", *people, AGGREGATION_WORDS[first], "ahead of the next"),
        tuple(rows),
        (
            "Rank: from the best to the worst place that simultaneous comparisons with all other "
            "systems leave open.",
            *dict.fromkeys(unbounded),
            *_strength_notes(ranked),
        ),
    )


def _strength_notes(ranked: RankedSystems) -> list[str]:
    """How sure Bradley-Terry strengths are."""
    notes = []
    if ranked.n_separated:
        notes.append(
            f"Bradley-Terry: in {ranked.n_separated} of {ranked.resamples} resamples some system "
            "was undefeated, winless or unlinked; its score is unbounded there, and counted so."
        )
    if ranked.design_effect is not None and ranked.design_effect > 1.2:
        notes.append(
            f"Intervals from battles taken as independent would be {ranked.design_effect:.1f} "
            "times too short: the systems share the prompts."
        )
    return notes


def aggregation_table(ranked: RankedSystems, systems: Sequence[str]) -> Table:
    """Scores by the other aggregations, systems in the order of the first."""
    first, *others = ranked.lines
    found = {by: {line.system: line for line in ranked.lines[by]} for by in others}
    return Table(
        f"Systems scored by {ranked.judge}, other aggregations",
        ("system", *(AGGREGATION_WORDS[by] for by in others)),
        tuple(
            (systems[line.system], *(_score_cell(found[by][line.system].score) for by in others))
            for line in ranked.lines[first]
        ),
    )


def rank_table(ranked: RankedSystems, systems: Sequence[str]) -> Table:
    """Ranks by every aggregation, systems in the order of the first."""
    found = {by: {line.system: line for line in lines} for by, lines in ranked.lines.items()}
    return Table(
        f"Ranks of the systems by {ranked.judge}, every aggregation",
        ("system", *(AGGREGATION_WORDS[by] for by in found)),
        tuple(
            (systems[line.system], *(_rank_cell(found[by][line.system]) for by in found))
            for line in next(iter(ranked.lines.values()))
        ),
    )


def _rank_cell(line: SystemLine) -> str:
    return "unranked" if line.places is None else place(*line.places)


def _gold_cell(rank: float) -> str:
    if np.isnan(rank):
        return ""
    return ordinal(int(rank)) if rank.is_integer() else f"{rank:g}"


def _score_cell(score: Result) -> str:
    if isinstance(score, Undefined) and score.interval is not None:
        low, high = score.interval.low, score.interval.high
        return f"above {low:.2f}" if np.isfinite(low) else f"below {high:.2f}"
    return value_words(score)


def bias_table(bias: JudgeBias, systems: Sequence[str]) -> Table:
    """Systems by a judge's corrected bias, most favoured first."""
    return Table(
        f"Bias of {bias.judge} towards systems",
        ("system", "bias", "bias beyond decisiveness"),
        tuple(
            (systems[one.system], f"{one.raw.value:+.3f}", value_words(one.corrected, 3, "+"))
            for one in sorted(bias.systems, key=lambda one: -one.corrected.value)
        ),
        ("Mean over opponents of the judge's win rate minus people's (or minus the beta curve).",),
    )


def corrected_table(corrected: CorrectedRanking, systems: Sequence[str]) -> Table:
    """Systems by corrected score, best first."""
    return Table(
        f"Ranking by scores of {corrected.judge} corrected with people's",
        ("system", "rank", "corrected score", "items with gold", "lambda"),
        tuple(
            (
                systems[one.system],
                place(*one.places),
                value_words(one.score, 3),
                one.score.n_items,
                one.score.declared["lambda"],
            )
            for one in sorted(corrected.systems, key=lambda one: -one.score.value)
        ),
        (f"On people's scale, free of the judge's bias if {RANDOM_GOLD}.",),
    )
