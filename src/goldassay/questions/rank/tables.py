"""The tables of a ranking: judges beside one another, and systems as one judge ranks them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from goldassay.formulas.orders import ranks
from goldassay.glossary import words
from goldassay.questions.facts import TIE_WORDS
from goldassay.questions.rank.aggregation import AGGREGATION_WORDS, Aggregation
from goldassay.questions.rank.anova import Anova, TukeyPair
from goldassay.questions.rank.behaviour import at_lower_end
from goldassay.questions.rank.drivers import Trait
from goldassay.questions.rank.families import Kinship
from goldassay.questions.rank.gold import Gold
from goldassay.questions.rank.items import Explained, ItemLevel
from goldassay.questions.rank.leaderboard import Standing
from goldassay.questions.rank.record import value_of
from goldassay.questions.rank.slices import Slices
from goldassay.questions.rank.study import AgainstPeople, JudgeBias, RankStudy
from goldassay.questions.rank.style import StyleEffect
from goldassay.questions.rank.systems import RankedSystems, SystemLine
from goldassay.questions.rank.words import ordinal, place, value_words
from goldassay.results import Estimate, Line, Result, Summary, Table, Undefined
from goldassay.words import decimal, figure, interval_text, named, number, p_value, percent, points

__all__ = ["summary", "tables"]

#: Judges that a table with a column for each of them holds.
MOST_JUDGES = 6


def summary(study: RankStudy) -> Summary | None:
    """A line per judge, the best ranker first; per system where there is no order by people."""
    return _systems(study) if study.people is None else _judges(study, study.people)


def _judges(study: RankStudy, people: AgainstPeople) -> Summary:
    items = {one.judge.name: one.accuracy for one in people.items}
    lines = []
    for place_of, one in enumerate(people.standings):
        tau = one.judge.tau(study.by)
        tied = bool(place_of) and isinstance(tau, Estimate) and not one.told_apart
        cells = (tau, one.judge.decisiveness, one.judge.bias_delta, items.get(one.judge.name))
        lines.append(Line(one.judge.name, cells if items else cells[:3], tied))
    columns = ("kendall_tau", "decisiveness", "bias_delta", *(["item_accuracy"] if items else []))
    said = [
        f"In brackets: {percent(study.confidence_level)} intervals, of tau with unlimited prompts. "
        f"Systems by {AGGREGATION_WORDS[study.by]}; order by {people.gold.source}.",
        "Decisiveness: 1 is as decided as people, more exaggerates the gaps between systems. Bias "
        "delta: how unevenly the judge favours systems; 0 is none.",
    ]
    known = [one.judge.decisiveness for one in people.standings]
    edges = {one.value for one in known if isinstance(one, Estimate)}
    least = [decimal(one) for one in edges if at_lower_end(one)]
    said += [f"A decisiveness of {least[0]} is that or less."] if least else []
    return Summary("judge", columns, tuple(lines), tuple(said))


def _systems(study: RankStudy) -> Summary | None:
    if not study.systems:
        return None
    ranked = study.systems[0]
    names, top = study.contest.systems, ranked.top
    rivals = top.rivals if top else ()
    lines = tuple(
        Line(names[line.system], (line.rank, line.score), line.system in rivals)
        for line in ranked.lines[study.by]
    )
    said = f"As {named(ranked.judge)} ranks them, by {AGGREGATION_WORDS[study.by]}."
    return Summary("system", ("system_rank", "system_score"), lines, (said,))


def tables(study: RankStudy, slices: Sequence[Slices] = ()) -> dict[str, Table]:
    """Every table by its key; `systems:NAME` and the like are of one judge."""
    found: dict[str, Table] = {}
    people, systems = study.people, study.contest.systems
    if people is not None:
        found["judges"] = _judge_table(study, people.standings)
        if len(people.standings) > 1:
            found["best"] = _best_table(people.standings, study.by)
        found["behaviour"] = _behaviour_table(people.standings)
        found |= {f"by:{one.column}": _slice_table(one, people.standings) for one in slices}
    gold = None if people is None else people.gold
    for one in study.systems:
        found[f"systems:{one.judge}"] = _system_table(one, systems, gold)
        if len(one.lines) > 1:
            found[f"aggregations:{one.judge}"] = _aggregation_table(one, systems)
            found[f"ranks:{one.judge}"] = _rank_table(one, systems)
    if people is not None:
        found |= _people_tables(people, systems, study.by)
    return found


def _people_tables(
    people: AgainstPeople, systems: Sequence[str], by: Aggregation
) -> dict[str, Table]:
    found = {f"bias:{one.judge}": _bias_table(one, systems) for one in people.biases}
    for judge in dict.fromkeys(one.judge for one in people.style):
        effects = [one for one in people.style if one.judge == judge]
        found[f"style:{judge}"] = _style_table(judge, effects)
    if people.kin:
        found["kin"] = _kin_table(people.kin)
    known = [one for one in people.items if value_of(one.accuracy) is not None]
    if len(known) > 1:
        found["levels"] = _level_table(known, by, people.explained)
    if people.drivers.factors is not None:
        found["factors"] = _factor_table(people.drivers.factors)
    if people.drivers.traits:
        found["traits"] = _trait_table(people.drivers.traits, by)
    if people.drivers.realizations:
        found["realizations"] = _tukey_table(people.drivers.realizations)
    return found


def _judge_table(study: RankStudy, standings: Sequence[Standing]) -> Table:
    """Judges by tau, one column per aggregation."""
    level, ties = percent(study.confidence_level), study.options.win_rate_ties
    notes = [f"In brackets: the {level} interval for tau with unlimited prompts."]
    if ties is not None and "win_rate" in standings[0].judge.aggregated:
        notes.append(f"For the win rate {TIE_WORDS[ties]}.")
    used = list(standings[0].judge.aggregated)
    return Table(
        "Judges by agreement with people's ranking (Kendall's tau)",
        ("judge", *(AGGREGATION_WORDS[by] for by in used)),
        tuple(
            (one.judge.name, *(value_words(one.judge.tau(by)) for by in used)) for one in standings
        ),
        tuple(notes),
    )


def _best_table(standings: Sequence[Standing], by: Aggregation) -> Table:
    """Judges against the best of them."""
    first, *others = standings
    return Table(
        f"Which judge ranks best ({AGGREGATION_WORDS[by]})",
        ("judge", "tau behind the best", "told apart"),
        (
            (first.judge.name, "", ""),
            *(
                (
                    one.judge.name,
                    value_words(one.behind),
                    _yes(one.told_apart) if one.behind else "",
                )
                for one in others
            ),
        ),
        ("Intervals hold for all differences between judges at once.",),
    )


def _slice_table(part: Slices, standings: Sequence[Standing]) -> Table:
    """Tau within each label of a column, the judges in their order over all rows."""
    judges = [one.judge.name for one in standings[:MOST_JUDGES]]
    rows: list[tuple[Any, ...]] = []
    for one in part.slices:
        contest = one.study.contest if one.study else None
        sizes = (contest.n_prompts, len(contest.systems)) if contest else (None, None)
        rows.append((one.label, *sizes, *(value_words(one.tau(judge)) for judge in judges)))
    notes = ["Each line is the ranking of its rows alone."]
    if len(standings) > MOST_JUDGES:
        notes.append(f"The {MOST_JUDGES} judges with the highest tau of {len(standings)}.")
    return Table(
        f"Agreement with people's ranking by {part.column} (Kendall's tau)",
        (part.column, "prompts", "systems", *judges),
        tuple(rows),
        tuple(notes),
    )


def _yes(true: bool) -> str:
    return "yes" if true else "no"


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
                value_words(one.bias_delta),
                value_words(one.win_rate_accuracy),
                value_words(one.win_rate_mse),
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
            "Rank: from the best to the worst place that comparisons of all pairs of systems leave "
            "open; their intervals, as those of the lead over the next, hold all at once.",
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
            "Intervals from battles taken as independent would be "
            f"{number(ranked.design_factor, 1)} times too short: the systems share the prompts."
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
        return f"above {decimal(low)}" if np.isfinite(low) else f"below {decimal(high)}"
    return value_words(score)


def _bias_table(bias: JudgeBias, systems: Sequence[str]) -> Table:
    """Systems by a judge's corrected bias, most favoured first."""
    return Table(
        f"Bias of {bias.judge} towards systems",
        ("system", "bias", "bias beyond decisiveness"),
        tuple(
            (systems[one.system], points(one.raw.value), value_words(one.corrected))
            for one in sorted(bias.systems, key=lambda one: -one.corrected.value)
        ),
        (
            "Mean over opponents of the judge's win rate minus people's; beyond decisiveness: "
            "minus people's as they would be with the judge's decisiveness.",
        ),
    )


def _style_table(judge: str, effects: Sequence[StyleEffect]) -> Table:
    """What of a judge's bias goes with the texts of the systems."""
    return Table(
        f"Bias of {judge} and the texts of the systems",
        ("attribute", "systems", "bias with a standard deviation more"),
        tuple((one.attribute, one.effect.n_items, _told_or_why(one.effect)) for one in effects),
        (
            "Bias beyond decisiveness, beside people's win rate of the system. The intervals are "
            "over systems, and hold for all attributes at once.",
        ),
    )


def _told_or_why(result: Result) -> str:
    return result.reason if isinstance(result, Undefined) else figure(result)


def _kin_table(found: Sequence[Kinship]) -> Table:
    return Table(
        "Bias towards a judge's own or related systems",
        ("judge", "systems", "bias beyond decisiveness", "p, opponents", "p, prompts"),
        tuple(
            (
                one.judge,
                ", ".join(one.systems),
                value_words(one.bias),
                "" if one.p_opponents is None else p_value(one.p_opponents),
                p_value(one.p_prompts),
            )
            for one in found
        ),
        (
            "One-sided p-values of a positive bias. Opponents: paired t-test over opponents, "
            "Bonferroni over judges, takes pairs of systems as independent. Prompts: bootstrap "
            "over prompts.",
        ),
    )


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
            f"{percent(explained.by_items)} of the variance of tau; with bias delta "
            f"{percent(explained.with_bias)}."
        )
    return Table(
        "Items against systems",
        ("judge", "item accuracy", "place", "tau", "place by tau", "bias delta"),
        tuple(
            (one.judge.name, *cells, "" if delta is None else decimal(delta))
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
        tuple((e.term, e.degrees, e.f, p_value(e.p), e.partial_eta_squared) for e in table.effects),
        (
            f"Analysis of variance of Kendall's tau over {table.n} pipelines, type "
            f"{table.sums_of_squares}, {table.error_degrees} degrees of freedom for the error. The "
            "pipelines share prompts and gold, so p-values are a guide, not a test.",
        ),
    )


def _trait_table(traits: Sequence[Trait], by: Aggregation) -> Table:
    """Correlations of the judges' traits."""
    return Table(
        "What goes with agreement on the order, over the judges",
        ("trait", "and", "correlation", "judges"),
        tuple(
            (
                *(words(name, "rank") for name in one.traits),
                decimal(one.correlation.value),
                one.correlation.declared["judges"],
            )
            for one in traits
        ),
        (f"Pearson's r; tau by {AGGREGATION_WORDS[by]}. Of these judges, not of all.",),
    )


def _tukey_table(pairs: Sequence[TukeyPair]) -> Table:
    return Table(
        "Realizations compared (Tukey's honestly significant differences)",
        ("realizations", "difference in tau", "p"),
        tuple(
            (
                f"{one.one} - {one.two}",
                f"{decimal(one.difference)} [{interval_text(one.low, one.high)}]",
                p_value(one.p),
            )
            for one in pairs
        ),
    )
