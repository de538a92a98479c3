"""Parts of the answer beside the leaderboard: bias, items, correction, stability."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.comparisons import Comparisons, comparisons_from_scores
from goldassay.formulas.orders import ranks
from goldassay.questions.rank import charts, tables
from goldassay.questions.rank.context import Context
from goldassay.questions.rank.corrected import corrected_scores
from goldassay.questions.rank.families import family_bias, kin_systems
from goldassay.questions.rank.items import item_agreement
from goldassay.questions.rank.judged import Judged, Ranker
from goldassay.questions.rank.stability import judge_curve, prompt_curve, system_curve
from goldassay.questions.rank.uncertainty import percentile_ends, rank_intervals
from goldassay.results import Undefined

__all__ = [
    "add_bias",
    "add_corrected",
    "add_item_level",
    "add_kinship",
    "add_missing",
    "add_stability",
]

Floats = NDArray[np.float64]

REPEATS = 200
EXPANDED = "expanded percentile"


def add_bias(ctx: Context, detailed: Sequence[Judged]) -> None:
    """Bias towards each system, raw and beyond decisiveness, for the judges shown in full."""
    names = ctx.study.systems
    for one in detailed:
        behaviour = one.behaviour
        if behaviour is None:
            continue
        for name, value, drawn in (
            ("bias", behaviour.bias, behaviour.resampled_bias),
            ("corrected_bias", behaviour.corrected, behaviour.resampled_corrected),
        ):
            low, high = ctx.ranker.system_interval(drawn)
            for s in np.flatnonzero(~np.isnan(value)):
                estimate = ctx.estimate(name, float(value[s]), (low[s], high[s]), EXPANDED)
                ctx.out.add(estimate, judge=one.name, system=names[s])
        ctx.out.tables[f"bias:{one.name}"] = tables.bias_table(
            one.name, names, behaviour, *ctx.ranker.system_interval(behaviour.resampled_corrected)
        )


def add_kinship(ctx: Context) -> None:
    """Bias towards a judge's own or related systems, where families are declared."""
    assert ctx.gold is not None
    families = dict(ctx.task.families)
    for judge, about in ctx.options.judges.items():
        if family := about.get("family"):
            families.setdefault(judge, family)
    kin = kin_systems(ctx.study.judges, ctx.study.systems, families)
    for judge, about in ctx.options.judges.items():
        if about.get("system") in ctx.study.systems:
            kin[judge] = (ctx.study.systems.index(about["system"]),)
    if not kin:
        return
    pairs = ctx.study.comparisons(0).pairs
    found = family_bias(
        ctx.judged,
        ctx.gold,
        pairs,
        ctx.study.systems,
        kin,
        confidence_level=ctx.task.confidence_level,
        n_clusters=ctx.study.n_clusters,
    )
    for one in found:
        declared = {
            "systems": list(one.systems),
            "p_opponents": one.p_opponents,
            "p_prompts": one.p_prompts,
        }
        estimate = ctx.estimate(
            "kin_bias", one.bias, (one.low, one.high), EXPANDED, declared=declared
        )
        ctx.out.add(estimate, judge=one.judge)
    if found:
        ctx.out.tables["kin"] = tables.kin_table(found)


def add_item_level(ctx: Context) -> None:
    """Agreement item by item beside tau."""
    study = ctx.study
    if study.human_scores is not None:
        people = [comparisons_from_scores(h, study.item_cluster) for h in study.human_scores]
        merged = Comparisons(
            people[0].pairs,
            people[0].multiplicity,
            sum(p.wins for p in people),
            sum(p.losses for p in people),
            sum(p.ties for p in people),
        )
    elif study.human_battles is not None:
        merged = study.human_battles
    else:
        return
    level = ctx.task.confidence_level
    rows: list[tuple[Judged, float]] = []
    for index, one in enumerate(ctx.judged):
        agreement = item_agreement(study.comparisons(index), merged)
        value = agreement.value
        if value is None:
            ctx.out.add(
                Undefined("item_accuracy", "judge and people share no item", study.n_prompts),
                judge=one.name,
                level="item",
            )
            continue
        drawn = agreement.resampled(ctx.ranker.weights)
        low, high = percentile_ends(drawn, confidence_level=level, n_clusters=study.n_clusters)
        estimate = ctx.estimate(
            "item_accuracy",
            value,
            (float(low), float(high)),
            EXPANDED,
            declared={"compared": int(agreement.compared.sum())},
        )
        ctx.out.add(estimate, judge=one.name, level="item")
        rows.append((one, value))
    if len(rows) > 1:
        ctx.out.tables["levels"] = tables.level_table(rows, ctx.primary)


def add_corrected(ctx: Context, best: Judged) -> None:
    """Bias-corrected ranking, where people scored some of the items but not all."""
    study = ctx.study
    if study.scores is None or study.human_scores is None:
        return
    known = ~np.isnan(study.human_scores)
    people = np.where(known, study.human_scores, 0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    human = np.where(known.any(axis=0), people, np.nan)
    judge = study.scores[study.judges.index(best.name)]
    rated = ~np.isnan(judge) & ~np.isnan(human).all(axis=0)
    if not (rated & np.isnan(human)).any() or not (rated & ~np.isnan(human)).any():
        return
    corrected = corrected_scores(judge, human, ctx.ranker.weights, study.item_cluster)
    low, high = ctx.ranker.system_interval(corrected.resampled)
    level = ctx.task.confidence_level
    first, last = rank_intervals(corrected.observed, corrected.resampled, confidence_level=level)
    assumption = "the items that people scored are a random subset of the judged ones"
    for s in np.flatnonzero(~np.isnan(corrected.observed)):
        estimate = ctx.estimate(
            "corrected_score",
            float(corrected.observed[s]),
            (low[s], high[s]),
            EXPANDED,
            declared={"lambda": float(corrected.tuning[s])},
            assumptions=(assumption,),
            n_items=int(corrected.n_gold[s]),
        )
        ctx.out.add(estimate, judge=best.name, system=study.systems[s], aggregation="mean")
    ctx.out.tables["corrected"] = tables.corrected_table(
        best.name, study.systems, corrected, low, high, first, last, assumption
    )


def add_stability(ctx: Context, best: Judged) -> None:
    study, ranker = ctx.study, ctx.ranker
    if study.n_clusters < 20:
        return
    index = study.judges.index(best.name)
    compared = study.comparisons(index)

    def aggregate(weights: Floats) -> Floats:
        small = Ranker(study, None, weights, ranker.settings)
        drawn = compared.resampled(weights)
        return small.aggregate(ctx.primary, index, compared, drawn).resampled

    gold = None if ctx.gold is None else ctx.gold.scores
    between, with_gold = prompt_curve(
        aggregate, study.n_clusters, gold=gold, repeats=REPEATS, rng=ctx.rng
    )
    curves = [("two such sets", between)]
    if with_gold is not None:
        curves.append(("one set, with people", with_gold))
    ctx.out.charts.append(charts.stability_chart(best.name, curves, ctx.unit))
    extra = []
    if gold is not None:
        observed = best.aggregated[ctx.primary].observed
        extra.append(("systems", system_curve(observed, gold, repeats=REPEATS, rng=ctx.rng)))
        if len(ctx.judged) > 2:
            all_ranks = np.stack(
                [ranks(one.aggregated[ctx.primary].observed) for one in ctx.judged]
            )
            extra.append(
                ("judges averaged", judge_curve(all_ranks, gold, repeats=REPEATS, rng=ctx.rng))
            )
    ctx.out.tables["stability"] = tables.stability_table(best.name, between, with_gold, ctx.unit)
    if extra:
        ctx.out.tables["sizes"] = tables.size_table(extra)


def add_missing(ctx: Context) -> None:
    """Say what judges did not rate, and which pairs people compared too seldom."""
    study = ctx.study
    if study.scores is not None:
        absent = np.isnan(study.scores)
        for j, s in zip(*np.nonzero(absent.all(axis=1)), strict=True):
            ctx.out.warnings.append(
                f"{study.judges[j]} gave {study.systems[s]} no score; it is unranked there."
            )
        share = absent.mean(axis=(1, 2))
        partly = [(study.judges[j], share[j]) for j in np.argsort(-share) if share[j] > 0]
        if partly:
            listed = ", ".join(
                f"{name} {value:.1%}" if value >= 0.001 else f"{name} < 0.1%"
                for name, value in partly[:5]
            )
            more = f", and {len(partly) - 5} more" if len(partly) > 5 else ""
            ctx.out.warnings.append(
                f"Scores missing (not rated, invalid or left out): {listed}{more}. Each pair of "
                "systems is compared on the prompts that both have."
            )
    if ctx.gold is not None and ctx.gold.n_pairs_dropped:
        ctx.out.warnings.append(
            f"{ctx.gold.n_pairs_dropped} pairs of systems have fewer than "
            f"{ctx.options.min_battles} untied comparisons by people; they are left out of "
            "win rates, decisiveness and bias."
        )
