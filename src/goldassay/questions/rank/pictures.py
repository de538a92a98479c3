"""Which pictures a ranking shows (Gera et al. 2025, Figures 4 to 7 and 9 to 12)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from goldassay.formulas.orders import tau_matrix
from goldassay.questions.rank import charts
from goldassay.questions.rank.context import Context
from goldassay.questions.rank.judged import Judged
from goldassay.questions.rank.tables import WORDS
from goldassay.results import Estimate

__all__ = ["add_charts"]

#: Judges up to which each has its own scatter of win rates; with more, those shown in full.
FEW_JUDGES = 6
#: Points of all scatters together, and cells of a heat map, beyond which some are left out.
MOST_POINTS, MOST_CELLS = 2000, 1500
#: Systems on the short maps of the largest biases.
SELECTED = 12


def add_charts(ctx: Context, detailed: Sequence[Judged]) -> None:
    """The pictures of all judges, best first, and those of the judges shown in full."""
    ordered = sorted(ctx.judged, key=lambda one: (-ctx.tau(one), one.name))
    if ctx.gold is not None:
        _agreement(ctx, ordered)
        _win_rates(ctx, ordered, detailed)
        _bias(ctx, ordered)
    _between_rankings(ctx, ordered)
    _scores(ctx, ordered)


def _agreement(ctx: Context, ordered: Sequence[Judged]) -> None:
    """Tau by judge and realization (Figure 4), decisiveness by model and realization (6b)."""
    rows = []
    for one in ordered:
        result = one.result("kendall_tau", ctx.primary)
        if isinstance(result, Estimate):
            interval = result.interval
            group = ctx.options.judges.get(one.name, {}).get("realization")
            ends = (interval.low, interval.high) if interval else (None, None)
            rows.append((one.name, group, result.value, *ends))
    if rows:
        ctx.out.charts.append(charts.tau_chart(rows, WORDS[ctx.primary]))
    cells = {}
    for one in ordered:
        about, shape = ctx.options.judges.get(one.name, {}), one.value("decisiveness")
        if shape is not None and {"model", "realization"} <= set(about):
            cells[about["model"], about["realization"]] = shape
    if len({model for model, _ in cells}) > 1 and len({how for _, how in cells}) > 1:
        ctx.out.charts.append(charts.decisiveness_map(cells))


def _win_rates(ctx: Context, ordered: Sequence[Judged], detailed: Sequence[Judged]) -> None:
    """Win rates with the beta curve (Figures 5, 6a, 11)."""
    assert ctx.gold is not None
    pairs = ctx.study.comparisons(0).pairs
    chosen = list(ordered) if len(ordered) <= FEW_JUDGES else list(detailed)
    known = [one for one in chosen if one.behaviour is not None]
    for one in known:
        assert one.behaviour is not None
        ctx.out.charts.append(
            charts.win_rate_scatter(
                one.name,
                pairs,
                ctx.study.systems,
                one.behaviour.rates,
                ctx.gold.rates,
                one.behaviour.decisiveness,
                most=MOST_POINTS // len(known),
            )
        )


def _bias(ctx: Context, ordered: Sequence[Judged]) -> None:
    """Bias beyond decisiveness and raw bias, judges by systems (Figures 7, 10)."""
    assert ctx.gold is not None
    known = [one for one in ordered if one.behaviour is not None]
    if not known:
        return
    names = [one.name for one in known]
    corrected = np.stack([one.behaviour.corrected for one in known if one.behaviour])
    raw = np.stack([one.behaviour.bias for one in known if one.behaviour])
    if np.isnan(corrected).all():
        return
    by_gold = np.argsort(-np.where(np.isnan(ctx.gold.scores), -np.inf, ctx.gold.scores))
    systems = [int(s) for s in by_gold if not np.isnan(corrected[:, s]).all()]
    large = len(systems) * len(known) > MOST_CELLS
    for bias, words in ((corrected, "beyond decisiveness"), (raw, "of the win rates as they are")):
        if large:
            spread = np.nanmean(np.abs(bias[:, systems]), axis=0)
            extreme = {systems[i] for i in np.argsort(-spread)[:SELECTED]}
            some = [s for s in systems if s in extreme]
            chosen = f"{words}, the {len(some)} systems with most"
            ctx.out.charts.append(charts.bias_map(names, ctx.study.systems, bias, some, chosen))
        if not large or bias is corrected:
            ctx.out.charts.append(charts.bias_map(names, ctx.study.systems, bias, systems, words))


def _between_rankings(ctx: Context, ordered: Sequence[Judged]) -> None:
    """Tau between every two rankings, people's first (Figure 9)."""
    rankings = [one.aggregated[ctx.primary].observed for one in ordered]
    names = [one.name for one in ordered]
    if ctx.gold is not None:
        rankings, names = [ctx.gold.scores, *rankings], ["people", *names]
    if len(rankings) > 2:
        matrix = tau_matrix(np.stack(rankings))
        ctx.out.charts.append(charts.correlation_map(names, matrix, WORDS[ctx.primary]))


def _scores(ctx: Context, ordered: Sequence[Judged]) -> None:
    """Distributions of scores (Figure 12), judges of one realization and range in one picture."""
    study = ctx.study
    if study.scores is None:
        return
    groups: list[tuple[str, float, float, list[charts.Scores]]] = []
    for one in ordered:
        values = study.scores[study.judges.index(one.name)].reshape(-1)
        values = values[~np.isnan(values)]
        if not len(values):
            continue
        low, high = float(values.min()), float(values.max())
        how = ctx.options.judges.get(one.name, {}).get("realization", "")
        wider = 4 if how else 1.5
        for place, (same, least, most, members) in enumerate(groups):
            together = max(most, high) - min(least, low)
            if how == same and together <= wider * min(most - least, high - low):
                members.append((one.name, values))
                groups[place] = (same, min(least, low), max(most, high), members)
                break
        else:
            groups.append((how, low, high, [(one.name, values)]))
    for how, _, _, members in groups:
        ctx.out.charts.append(charts.score_distribution(members, how))
