"""Does the judge rank systems as people do? The whole answer, from a study to findings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from goldassay.errors import UsageError, nearest
from goldassay.formulas.comparisons import Comparisons
from goldassay.formulas.orders import best_shares, kendall_tau, ranks
from goldassay.inference.bootstrap import multiplicities
from goldassay.questions.rank import charts, tables
from goldassay.questions.rank.context import Context, Options
from goldassay.questions.rank.details import (
    add_bias,
    add_corrected,
    add_item_level,
    add_kinship,
    add_missing,
    add_stability,
)
from goldassay.questions.rank.drivers import add_drivers
from goldassay.questions.rank.gold import (
    Gold,
    gold_of_battles,
    gold_of_items,
    gold_of_scores,
    own_weights,
    split_half,
)
from goldassay.questions.rank.judged import Judged, Ranker, Settings
from goldassay.questions.rank.pictures import add_charts
from goldassay.questions.rank.stability import prompts_to_part
from goldassay.questions.rank.study import Study
from goldassay.questions.rank.systems import prompt_factor, system_lines
from goldassay.questions.rank.uncertainty import percentile_ends
from goldassay.ratings.task import Task
from goldassay.results import Estimate, Gathered, Row, Undefined

__all__ = ["Options", "rank_systems"]

Floats = NDArray[np.float64]

SPLITS = 100


def rank_systems(
    study: Study,
    task: Task,
    *,
    gold_scores: Floats | None = None,
    gold_battles: Comparisons | None = None,
    options: Options | None = None,
) -> Gathered:
    """Rank systems with every judge, hold the rankings against people's, and say how sure it is.

    Gold is `gold_scores` [S] or `gold_battles` when given, else people's ratings in the study, else
    none (systems are ranked, and judges compared with one another).
    """
    options = options or Options()
    unknown = [name for name in options.detailed if name not in study.judges]
    if unknown:
        near = nearest(unknown[0], study.judges)
        raise UsageError(
            f"the judge {unknown[0]!r}",
            "is not in the ratings",
            next_step=f"Did you mean {near!r}?" if near else f"Judges: {', '.join(study.judges)}",
        )
    rng = np.random.default_rng(options.seed)
    weights = np.concatenate(
        list(multiplicities(np.ones(study.n_clusters, np.int64), options.resamples, rng))
    )
    gold = _gold(study, task, gold_scores, gold_battles, weights, options, rng)
    settings = Settings(
        options.aggregations, task.ties, task.ties, task.confidence_level, options.top
    )
    ranker = Ranker(study, gold, weights, settings)
    judged = [ranker.judge(index) for index in range(len(study.judges))]
    ctx = Context(study, task, options, gold, ranker, judged, rng)
    _judge_rows(ctx)
    best = _leaderboard(ctx)
    names = options.detailed or (best.name,)
    detailed = [one for one in judged if one.name in names]
    for one in detailed:
        _system_rows(ctx, one)
    if gold is not None:
        _ceiling(ctx, best)
        add_bias(ctx, detailed)
        add_kinship(ctx)
        add_item_level(ctx)
        add_corrected(ctx, best)
        add_drivers(ctx.out, judged, options.judges, task.confidence_level)
        ctx.out.warnings += gold.notes
    add_charts(ctx, detailed)
    if options.stability:
        add_stability(ctx, best)
    add_missing(ctx)
    # The tables hold what a person reads; the rows, with all intervals, are for the JSON.
    ctx.out.rows = [Row(row.result, {**row.about, "detail": "tables"}) for row in ctx.out.rows]
    return ctx.out


def _gold(
    study: Study,
    task: Task,
    scores: Floats | None,
    battles: Comparisons | None,
    weights: Floats,
    options: Options,
    rng: np.random.Generator,
) -> Gold | None:
    if scores is not None:
        return gold_of_scores(scores)
    halves = split_half(np.ones(study.n_clusters, np.int64), SPLITS, rng)
    if battles is not None:
        return gold_of_battles(
            battles,
            own_weights(battles, options.resamples, rng),
            source="battles",
            ties=task.ties,
            min_battles=options.min_battles,
            halves=split_half(battles.multiplicity, SPLITS, rng),
        )
    if study.human_scores is not None:
        return gold_of_items(
            study.human_scores,
            study.item_cluster,
            weights,
            min_battles=options.min_battles,
            halves=halves,
        )
    if study.human_battles is not None:
        return gold_of_battles(
            study.human_battles,
            weights,
            source="people's verdicts on the same prompts",
            ties=task.ties,
            min_battles=options.min_battles,
            halves=halves,
        )
    return None


def _judge_rows(ctx: Context) -> None:
    """Every judge's results, for the JSON."""
    for one in ctx.judged:
        for result, by in one.results:
            ctx.out.add(result, judge=one.name, aggregation=by)


def _leaderboard(ctx: Context) -> Judged:
    """Judges by tau, with the share of resamples in which each is best; returns the best."""
    gold = ctx.gold
    if gold is None:
        ctx.out.answer.append(
            "There is no gold: systems are ranked, and judges compared with one another only. "
            "Add people's ratings, or give --gold system,score or battles."
        )
        return ctx.judged[0]
    ordered = sorted(ctx.judged, key=lambda one: (-ctx.tau(one), -_usual(ctx, one), one.name))
    best = ordered[0]
    drawn = [one.aggregated[ctx.primary].tau for one in ordered]
    shares: list[float | None] = [None] * len(ordered)
    known = [i for i, taus in enumerate(drawn) if taus is not None]
    behind: dict[str, Estimate] = {}
    if known:
        columns = np.column_stack([taus for taus in drawn if taus is not None])
        for i, share in zip(known, best_shares(columns), strict=True):
            shares[i] = float(share)
            _add_share(ctx, ordered[i].name, float(share))
        behind = _behind(ctx, best, ordered, [ordered[i].name for i in known], columns)
    ctx.out.tables["judges"] = tables.judge_table(ordered, ctx.ranker.settings.aggregations)
    if len(ordered) > 1:
        ctx.out.tables["best"] = tables.best_table(ordered, shares, behind, ctx.primary)
    ctx.out.tables["behaviour"] = tables.behaviour_table(ordered)
    _answer(ctx, best, ordered, shares, behind)
    return best


def _usual(ctx: Context, one: Judged) -> float:
    """Mean tau over the resamples: which of two judges with equal tau comes first."""
    taus = one.aggregated[ctx.primary].tau
    return -2.0 if taus is None or np.isnan(taus).all() else float(np.nanmean(taus))


def _add_share(ctx: Context, judge: str, share: float) -> None:
    how = {"by": "share of resamples of prompts with the highest kendall_tau"}
    estimate = ctx.estimate("probability_best", share, declared=how)
    ctx.out.add(estimate, judge=judge, aggregation=ctx.primary)


def _behind(
    ctx: Context, best: Judged, ordered: Sequence[Judged], names: Sequence[str], taus: Floats
) -> dict[str, Estimate]:
    """Paired differences in tau to the best judge.

    The bias of tau differs between judges, so the interval is the hull of the percentile and
    the basic one.
    """
    study, level = ctx.study, ctx.task.confidence_level
    if best.name not in names:
        return {}
    top = taus[:, list(names).index(best.name)]
    out = {}
    for one in ordered:
        if one.name == best.name or one.name not in names:
            continue
        value = ctx.tau(best) - ctx.tau(one)
        drawn = top - taus[:, list(names).index(one.name)]
        low, high = (
            float(end)
            for end in percentile_ends(drawn, confidence_level=level, n_clusters=study.n_clusters)
        )
        ends = (max(-2.0, min(low, 2 * value - high)), min(2.0, max(high, 2 * value - low)))
        method = "paired, hull of percentile and basic"
        estimate = ctx.estimate("tau_difference", value, ends, method, declared={"to": best.name})
        ctx.out.add(estimate, judge=one.name, aggregation=ctx.primary)
        out[one.name] = estimate
    return out


def _answer(
    ctx: Context,
    best: Judged,
    ordered: Sequence[Judged],
    shares: Sequence[float | None],
    behind: Mapping[str, Estimate],
) -> None:
    result = best.result("kendall_tau", ctx.primary)
    assert ctx.gold is not None
    if not isinstance(result, Estimate):
        reason = result.reason if isinstance(result, Undefined) else "no ranking"
        ctx.out.answer.append(f"No judge's ranking can be compared with people's: {reason}.")
        return
    number = result.declared["systems"]
    words = f"{result.value:.2f}"
    if result.interval:
        words += f" ({result.interval.low:.2f} to {result.interval.high:.2f})"
    many = len(ordered) > 1
    level = [one.name for one in ordered[1:] if ctx.tau(one) == ctx.tau(best)]
    opening = (
        f"{best.name} ranks systems most like people" if many else f"{best.name}: how it ranks"
    )
    if level:
        opening += f" (level with {_listed(level)})"
    ctx.out.answer.append(
        f"{opening}: Kendall's tau {words} on {number} systems, scores aggregated by "
        f"{tables.WORDS[ctx.primary]}, gold from {ctx.gold.source}."
    )
    if many and shares[0] is not None:
        ctx.out.answer.append(
            f"It is the best ranker in {shares[0]:.0%} of the resamples of prompts; "
            f"{_told_apart(behind, len(ordered) - 1)}."
        )
    shape = best.result("decisiveness")
    if isinstance(shape, Estimate):
        ctx.out.answer.append(tables.decisiveness_words(best.name, shape, best.value("bias_delta")))


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def _told_apart(behind: Mapping[str, Estimate], others: int) -> str:
    """From which of the other judges the best is told apart, in words."""
    close = sum(e.interval is None or e.interval.low <= 0 for e in behind.values())
    number = len(behind)
    if not number:
        return "no other judge's ranking can be compared with people's"
    who = f"{close} of the other {number} cannot be told apart from it"
    if number == 1:
        who = f"the other {'cannot be' if close else 'is'} told apart from it"
    elif not close:
        who = f"all of the other {number} are told apart from it"
    elif close == number:
        who = f"none of the other {number} can be told apart from it"
    silent = others - number
    if silent:
        who += f"; {silent} more {'has' if silent == 1 else 'have'} no ranking to compare"
    return who


def _system_rows(ctx: Context, one: Judged) -> None:
    study = ctx.study
    index = study.judges.index(one.name)
    compared = study.comparisons(index)
    lines = {
        by: system_lines(ctx.ranker, by, aggregated, compared, study.systems)
        for by, aggregated in one.aggregated.items()
    }
    for by, ranked in lines.items():
        for line in ranked:
            about = {"judge": one.name, "system": study.systems[line.system], "aggregation": by}
            ctx.out.add(line.score, **about)
            ctx.out.add(line.rank, **about)
            if line.gap is not None and line.below is not None:
                ctx.out.add(line.gap, **about, opponent=study.systems[line.below])
    gold_ranks = None if ctx.gold is None else ranks(ctx.gold.scores)
    notes = []
    if "bradley_terry" in one.aggregated:
        aggregated = one.aggregated["bradley_terry"]
        if aggregated.n_separated:
            notes.append(
                f"Bradley-Terry: in {aggregated.n_separated} of {len(aggregated.resampled)} "
                "resamples some system was undefeated, winless or unlinked; its score is "
                "unbounded there, and counted so."
            )
        longer = prompt_factor(aggregated)
        if longer is not None and longer > 1.2:
            notes.append(
                f"Intervals from battles taken as independent would be {longer:.1f} times too "
                "short: the systems share the prompts."
            )
    ctx.out.tables[f"systems:{one.name}"] = tables.system_table(
        one.name, lines, study.systems, gold_ranks, notes
    )
    if len(lines) > 1:
        ctx.out.tables[f"aggregations:{one.name}"] = tables.aggregation_table(
            one.name, lines, study.systems
        )
        ctx.out.tables[f"ranks:{one.name}"] = tables.rank_table(one.name, lines, study.systems)
    _top_two(ctx, one)
    ranked = lines[ctx.primary]
    known = [line for line in ranked if isinstance(line.rank, Estimate)]
    size = len(study.systems)
    rank, low, high = np.full(size, np.nan), np.full(size, np.nan), np.full(size, np.nan)
    for line in known:
        assert isinstance(line.rank, Estimate)
        assert line.rank.interval is not None
        rank[line.system] = line.rank.value
        low[line.system], high[line.system] = line.rank.interval.low, line.rank.interval.high
    ctx.out.charts.append(
        charts.rank_chart(one.name, tables.WORDS[ctx.primary], study.systems, rank, low, high)
    )


def _top_two(ctx: Context, one: Judged) -> None:
    """The number of prompts at which the top two systems part."""
    aggregated = one.aggregated[ctx.primary]
    order = np.argsort(-np.where(np.isnan(aggregated.observed), -np.inf, aggregated.observed))
    first, second = int(order[0]), int(order[1])
    names = ctx.study.systems
    with np.errstate(invalid="ignore"):
        gap = float(aggregated.observed[first] - aggregated.observed[second])
        drawn = aggregated.resampled[:, first] - aggregated.resampled[:, second]
    if not np.isfinite(gap):
        return
    n = ctx.study.n_clusters
    needed = prompts_to_part(
        gap, float(drawn[np.isfinite(drawn)].std()), n, confidence_level=ctx.task.confidence_level
    )
    if needed is None:
        ctx.out.answer.append(
            f"{one.name} puts {names[first]} and {names[second]} level at the top."
        )
        return
    ctx.out.answer.append(
        f"{one.name} puts {names[first]} first and {names[second]} second. With a gap like "
        f"this one, {needed[1]:,} {ctx.unit} tell the two apart with 80 % power ({needed[0]:,} in "
        f"half of all tries); there are {n:,}."
    )


def _ceiling(ctx: Context, best: Judged) -> None:
    """People against people: rankings of random halves of the gold."""
    assert ctx.gold is not None
    if ctx.gold.halves is None:
        return
    one, two = ctx.gold.halves
    between = kendall_tau(one, two)
    judge = kendall_tau(best.aggregated[ctx.primary].observed, one)
    between, judge = between[~np.isnan(between)], judge[~np.isnan(judge)]
    if not len(between) or not len(judge):
        return
    for name, taus, about in (
        ("gold_split_half_tau", between, None),
        ("tau_with_half_gold", judge, best.name),
    ):
        estimate = ctx.estimate(name, float(taus.mean()), declared={"splits": len(taus)})
        ctx.out.add(estimate, judge=about, aggregation=ctx.primary)
    ctx.out.answer.append(
        f"Two random halves of the gold agree with each other with tau {between.mean():.2f} "
        f"(80 % of splits within {np.quantile(between, 0.1):.2f} to "
        f"{np.quantile(between, 0.9):.2f}); {best.name} agrees with such a half with tau "
        f"{judge.mean():.2f}."
    )
