"""The tables of a ranking: the judges beside one another, and what their tau rests on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from goldassay.questions.rank.aggregation import Aggregation
from goldassay.questions.rank.anova import Anova, TukeyPair
from goldassay.questions.rank.families import Kinship
from goldassay.questions.rank.items import Explained, ItemLevel
from goldassay.questions.rank.judged import value_of
from goldassay.questions.rank.leaderboard import Standing
from goldassay.questions.rank.stability import Stability, TauCurve
from goldassay.questions.rank.study import AgainstPeople, RankStudy
from goldassay.questions.rank.system_tables import (
    aggregation_table,
    bias_table,
    corrected_table,
    rank_table,
    system_table,
)
from goldassay.questions.rank.words import AGGREGATION_WORDS, ordinal, resampled_unit, value_words
from goldassay.results import Table

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
        found[f"systems:{one.judge}"] = system_table(one, systems, gold)
        if len(one.lines) > 1:
            found[f"aggregations:{one.judge}"] = aggregation_table(one, systems)
            found[f"ranks:{one.judge}"] = rank_table(one, systems)
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
    found = {f"bias:{one.judge}": bias_table(one, systems) for one in people.biases}
    if people.kin:
        found["kin"] = _kin_table(people.kin)
    known = [one for one in people.items if value_of(one.accuracy) is not None]
    if len(known) > 1:
        found["levels"] = _level_table(known, by, people.explained)
    if people.corrected is not None:
        found["corrected"] = corrected_table(people.corrected, systems)
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
