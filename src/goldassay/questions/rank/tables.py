"""The tables of a ranking: judges beside one another, and systems as one judge ranks them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from goldassay.formulas.orders import ranks
from goldassay.questions.rank.aggregation import Aggregation
from goldassay.questions.rank.anova import Anova, TukeyPair
from goldassay.questions.rank.corrected import RANDOM_GOLD, CorrectedRanking
from goldassay.questions.rank.families import Kinship
from goldassay.questions.rank.gold import Gold
from goldassay.questions.rank.items import Explained, ItemLevel
from goldassay.questions.rank.judged import value_of
from goldassay.questions.rank.leaderboard import Standing
from goldassay.questions.rank.stability import Stability, TauCurve
from goldassay.questions.rank.study import AgainstPeople, JudgeBias, RankStudy
from goldassay.questions.rank.systems import RankedSystems, SystemLine
from goldassay.questions.rank.words import (
    AGGREGATION_WORDS,
    ordinal,
    place,
    resampled_unit,
    value_words,
)
from goldassay.results import Result, Table, Undefined

__all__ = ["tables"]


def tables(study: RankStudy) -> dict[str, Table]:
    """Every table by its key; `systems:NAME` and the like are of one judge."""
    found: dict[str, Table] = {}
    people, systems = study.people, study.contest.systems
    if people is not None:
        found["judges"] = _judge_table(people.standings)
        if len(people.standings) > 1:
            found["best"] = _best_table(people.standings, study.by)
        found["behaviour"] = _behaviour_table(people.standings)
    gold = None if people is None else people.gold
    for one in study.systems:
        found[f"systems:{one.judge}"] = _system_table(one, systems, gold)
        if len(one.lines) > 1:
            found[f"aggregations:{one.judge}"] = _aggregation_table(one, systems)
            found[f"ranks:{one.judge}"] = _rank_table(one, systems)
    if people is not None:
        found |= _people_tables(people, systems, study.by)
    if (steady := study.stability) is not None:
        found["stability"] = _stability_table(steady, resampled_unit(study.contest))
        sizes = [("systems", steady.systems), ("judges averaged", steady.judges)]
        if curves := [(label, curve) for label, curve in sizes if curve is not None]:
            found["sizes"] = _size_table(curves)
    return found


def _people_tables(
    people: AgainstPeople, systems: Sequence[str], by: Aggregation
) -> dict[str, Table]:
    found = {f"bias:{one.judge}": _bias_table(one, systems) for one in people.biases}
    if people.kin:
        found["kin"] = _kin_table(people.kin)
    known = [one for one in people.items if value_of(one.accuracy) is not None]
    if len(known) > 1:
        found["levels"] = _level_table(known, by, people.explained)
    if people.corrected is not None:
        found["corrected"] = _corrected_table(people.corrected, systems)
    if people.drivers.factors is not None:
        found["factors"] = _factor_table(people.drivers.factors)
    if people.drivers.realizations:
        found["realizations"] = _tukey_table(people.drivers.realizations)
    return found


def _judge_table(standings: Sequence[Standing]) -> Table:
    """Judges by tau, one column per aggregation."""
    used = list(standings[0].judge.aggregated)
    return Table(
        "Judges by agreement with people's ranking (Kendall's tau)",
        ("judge", *(AGGREGATION_WORDS[by] for by in used)),
        tuple(
            (one.judge.name, *(value_words(one.judge.tau(by)) for by in used)) for one in standings
        ),
        ("In brackets: the tau that endlessly many prompts like these could show.",),
    )


def _best_table(standings: Sequence[Standing], by: Aggregation) -> Table:
    """Judges against the best of them."""
    return Table(
        f"Which judge ranks best ({AGGREGATION_WORDS[by]})",
        ("judge", "tau behind the best", "best in"),
        tuple(
            (
                one.judge.name,
                value_words(one.behind),
                "" if one.best is None else f"{one.best.value:.0%}",
            )
            for one in standings
        ),
        ("Paired over the same resamples of prompts; `best in` is the share of them.",),
    )


def _behaviour_table(standings: Sequence[Standing]) -> Table:
    """Decisiveness, bias, and win rates of each judge."""
    seen = [(one.judge.name, one.judge.behaviour) for one in standings]
    return Table(
        "How the judges depart from people on pairs of systems",
        ("judge", "decisiveness", "bias delta", "win-rate accuracy", "win-rate MSE"),
        tuple(
            (
                name,
                value_words(one.decisiveness),
                value_words(one.bias_delta, 3),
                value_words(one.win_rate_accuracy),
                value_words(one.win_rate_mse, 3),
            )
            for name, one in seen
            if one is not None
        ),
        (
            "Decisiveness 1: win rates as extreme as people's; above: more extreme. Bias delta: "
            "standard deviation over systems of the bias that decisiveness does not explain.",
        ),
    )


def _system_table(ranked: RankedSystems, systems: Sequence[str], gold: Gold | None) -> Table:
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
    if ranked.design_factor is not None and ranked.design_factor > 1.2:
        notes.append(
            f"Intervals from battles taken as independent would be {ranked.design_factor:.1f} "
            "times too short: the systems share the prompts."
        )
    return notes


def _aggregation_table(ranked: RankedSystems, systems: Sequence[str]) -> Table:
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


def _rank_table(ranked: RankedSystems, systems: Sequence[str]) -> Table:
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


def _bias_table(bias: JudgeBias, systems: Sequence[str]) -> Table:
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


def _corrected_table(corrected: CorrectedRanking, systems: Sequence[str]) -> Table:
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


def _kin_table(found: Sequence[Kinship]) -> Table:
    return Table(
        "Bias towards a judge's own or related systems",
        ("judge", "systems", "bias beyond decisiveness", "p, opponents", "p, prompts"),
        tuple(
            (
                one.judge,
                ", ".join(one.systems),
                value_words(one.bias, 3, "+"),
                "" if one.p_opponents is None else _p(one.p_opponents),
                _p(one.p_prompts),
            )
            for one in found
        ),
        (
            "One-sided p-values of a positive bias. Opponents: paired t-test over opponents, "
            "Bonferroni over judges, takes pairs of systems as independent. Prompts: bootstrap "
            "over prompts.",
        ),
    )


def _p(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _level_table(
    levels: Sequence[ItemLevel], by: Aggregation, explained: Explained | None
) -> Table:
    """Agreement item by item beside tau, and what explains the difference."""
    ordered = sorted(levels, key=lambda one: -one.judge.tau_or_least(by))
    items = [value_of(one.accuracy) for one in ordered]
    taus = [value_of(one.judge.tau(by)) for one in ordered]
    deltas = [value_of(one.judge.bias_delta) for one in ordered]
    rows = zip(ordered, items, _places(items), taus, _places(taus), deltas, strict=True)
    notes = [
        "Item accuracy: share of people's preferences between two answers to one prompt that the "
        "judge shares (a tie of the judge by half)."
    ]
    if explained is not None:
        notes.append(
            f"Over these {explained.n_judges} judges, item accuracy explains "
            f"{explained.by_items:.0%} of the variance of tau; with bias delta "
            f"{explained.with_bias:.0%}."
        )
    return Table(
        "Items against systems",
        ("judge", "item accuracy", "place", "tau", "place by tau", "bias delta"),
        tuple(
            (one.judge.name, *cells, "" if delta is None else f"{delta:.3f}")
            for one, *cells, delta in rows
        ),
        tuple(notes),
    )


def _places(values: Sequence[float | None]) -> list[str]:
    """The place of each value among all, the highest first; nothing for none."""
    known = np.array([value for value in values if value is not None])
    return ["" if value is None else ordinal(1 + int((known > value).sum())) for value in values]


def _factor_table(table: Anova) -> Table:
    return Table(
        "What drives agreement with people's ranking",
        ("factor", "degrees", "F", "p", "partial eta squared"),
        tuple((e.term, e.degrees, e.f, _p(e.p), e.partial_eta_squared) for e in table.effects),
        (
            f"Analysis of variance of Kendall's tau over {table.n} pipelines, type "
            f"{table.sums_of_squares}, {table.error_degrees} degrees of freedom for the error. The "
            "pipelines share prompts and gold, so p-values are a guide, not a test.",
        ),
    )


def _tukey_table(pairs: Sequence[TukeyPair]) -> Table:
    return Table(
        "Realizations compared (Tukey's honestly significant differences)",
        ("realizations", "difference in tau", "p"),
        tuple(
            (
                f"{one.one} - {one.two}",
                f"{one.difference:+.3f} ({one.low:+.3f}, {one.high:+.3f})",
                _p(one.p),
            )
            for one in pairs
        ),
    )


def _stability_table(steady: Stability, unit: str) -> Table:
    """Tau by the number of prompts (or of clusters of them)."""
    between, people = steady.between, steady.with_gold
    rows: list[tuple[Any, ...]] = []
    for i, size in enumerate(between.sizes):
        known = people is not None and i < len(people.sizes)
        rows.append((size, _spread(between, i), _spread(people, i) if people and known else ""))
    return Table(
        f"How many {unit}: tau of rankings by {steady.judge} from so many",
        (unit, "with another such set", "with people"),
        tuple(rows),
        ("Mean over random sets, and where 80 % of them lie. The two sets share no prompt.",),
    )


def _size_table(curves: Sequence[tuple[str, TauCurve]]) -> Table:
    """Tau with people by the number of systems and of judges averaged."""
    return Table(
        "How many systems and judges: tau with people",
        ("random sets of", "size", "tau"),
        tuple(
            (label, size, _spread(curve, i))
            for label, curve in curves
            for i, size in enumerate(curve.sizes)
        ),
    )


def _spread(curve: TauCurve, i: int) -> str:
    return f"{curve.mean[i]:.2f} ({curve.low[i]:.2f}, {curve.high[i]:.2f})"
