"""The pictures of a ranking (Gera et al. 2025, Figures 4 to 7 and 9 to 12), as data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from goldassay.charts import (
    Chart,
    Curve,
    Distribution,
    Dot,
    DotInterval,
    HeatMap,
    Histogram,
    Point,
    Reference,
    Scatter,
)
from goldassay.formulas.orders import tau_matrix
from goldassay.questions.rank.aggregation import AGGREGATION_WORDS, Aggregation
from goldassay.questions.rank.behaviour import beta_curve
from goldassay.questions.rank.gold import Gold
from goldassay.questions.rank.record import Bias, Judged
from goldassay.questions.rank.slices import Slices
from goldassay.questions.rank.study import RankStudy
from goldassay.questions.rank.style import StyleEffect
from goldassay.questions.rank.systems import RankedSystems
from goldassay.results import Estimate
from goldassay.words import counted, decimal

__all__ = ["charts"]

Floats = NDArray[np.float64]

#: Judges up to which each has its own scatter of win rates; with more, those shown in full.
FEW_JUDGES = 6
#: Points of all scatters together, and cells of a heat map, beyond which some are left out.
MOST_POINTS, MOST_CELLS = 2000, 1500
#: Systems on the short maps of the largest biases.
SELECTED = 12
#: Bars of a histogram, and scores up to which each has a bar of its own.
BINS, FEW_SCORES = 25, 12


def charts(study: RankStudy, slices: Sequence[Slices] = ()) -> tuple[Chart, ...]:
    """How far each judge's order is people's, the ranks of systems, then all judges, best first."""
    by = study.by
    ordered = sorted(study.judges, key=lambda one: (-one.tau_or_least(by), one.name))
    found: list[Chart] = list(_agreement(ordered, study)) if study.people is not None else []
    found += [chart for part in slices for chart in _by_slice(part, ordered, study.by)]
    found += [_ranks(one, study) for one in study.systems]
    if study.people is not None:
        found += _win_rates(ordered, study, study.people.gold)
        found += _biases(ordered, study.contest.systems, study.people.gold)
        found += _style(study.people.style)
    found += _between_rankings(ordered, study)
    found += _score_distributions(ordered, study)
    return tuple(found)


def _ranks(ranked: RankedSystems, study: RankStudy) -> DotInterval:
    """Rank and rank interval of each system."""
    known = [
        (line.rank.value, line.system, line.rank.interval)
        for line in ranked.lines[study.by]
        if isinstance(line.rank, Estimate) and line.rank.interval is not None
    ]
    rows = [
        Dot(study.contest.systems[system], rank, interval.low, interval.high)
        for rank, system, interval in sorted(known, key=lambda one: one[:2])
    ]
    alt = "No ranks."
    if rows:
        alt = f"Rank and rank interval of {len(rows)} systems; "
        alt += f"{rows[0].label} comes first, {rows[-1].label} last."
    return DotInterval(
        title=f"Ranks of the systems by {ranked.judge} ({AGGREGATION_WORDS[study.by]})",
        x_label="rank (1 is best)",
        rows=rows,
        alt=alt,
    )


def _agreement(ordered: Sequence[Judged], study: RankStudy) -> Iterator[Chart]:
    """Tau by judge and realization (Figure 4)."""
    described = study.options.judges
    taus = [(one.name, one.tau(study.by)) for one in ordered]
    known = [(name, tau) for name, tau in taus if isinstance(tau, Estimate)]
    if known:
        groups = {name: described.get(name, {}).get("realization") for name, _ in known}
        yield _taus(known, groups, AGGREGATION_WORDS[study.by])


def _taus(
    taus: Sequence[tuple[str, Estimate]], groups: Mapping[str, str | None], aggregation: str
) -> DotInterval:
    """Tau by judge, realization by realization where known."""
    order = list(dict.fromkeys(groups[name] for name, _ in taus))
    taus = sorted(taus, key=lambda one: order.index(groups[one[0]]))
    rows = []
    for name, tau in taus:
        low, high = (tau.interval.low, tau.interval.high) if tau.interval else (None, None)
        group = (groups[name] or "other judges") if any(order) else None
        rows.append(Dot(name, tau.value, low, high, group))
    best, highest = max(taus, key=lambda one: one[1].value)
    return DotInterval(
        title=f"Agreement with people's ranking ({aggregation})",
        x_label="Kendall's tau",
        rows=rows,
        references=[Reference(0.0, "no agreement")],
        alt=f"Kendall's tau of {len(rows)} judges with intervals; {best} has the highest, "
        f"{decimal(highest.value)}.",
    )


def _by_slice(part: Slices, ordered: Sequence[Judged], by: Aggregation) -> Iterator[DotInterval]:
    """Tau of the best judges within each label of a column."""
    known = [
        (tau, one.label, judge.name)
        for judge in ordered[:FEW_JUDGES]
        for one in part.slices
        if (tau := one.tau(judge.name)) is not None
    ]
    rows = []
    for tau, label, judge_name in known:
        low, high = (tau.interval.low, tau.interval.high) if tau.interval else (None, None)
        rows.append(Dot(label, tau.value, low, high, judge_name))
    if known:
        best, where, who = max(known, key=lambda one: one[0].value)
        yield DotInterval(
            title=f"Agreement with people's ranking by {part.column} ({AGGREGATION_WORDS[by]})",
            x_label="Kendall's tau",
            rows=rows,
            references=[Reference(0.0, "no agreement")],
            alt=f"Kendall's tau within {len(part.slices)} labels of {part.column}; the highest is "
            f"{decimal(best.value)}, {who} in {where}.",
        )


def _style(effects: Sequence[StyleEffect]) -> Iterator[DotInterval]:
    """What of the judges' bias goes with the texts of the systems."""
    known = [(one, one.effect) for one in effects if isinstance(one.effect, Estimate)]
    rows = []
    several = len({one.judge for one, _ in known}) > 1
    for one, effect in known:
        low, high = (effect.interval.low, effect.interval.high) if effect.interval else (None, None)
        rows.append(Dot(one.attribute, effect.value, low, high, one.judge if several else None))
    if known:
        most, largest = max(known, key=lambda one: abs(one[1].value))
        yield DotInterval(
            title="Bias towards systems and the texts that they wrote",
            x_label="bias with a standard deviation more",
            rows=rows,
            references=[Reference(0.0, "no bias")],
            alt=f"Bias explained by {counted(len(known), 'attribute')} of the texts; the largest "
            f"is {decimal(largest.value)}, {most.attribute}.",
        )


def _win_rates(ordered: Sequence[Judged], study: RankStudy, gold: Gold) -> Iterator[Scatter]:
    """Win rates with the beta curve (Figures 5, 6a, 11)."""
    full = {one.judge for one in study.systems}
    few = len(ordered) <= FEW_JUDGES
    chosen = ordered if few else [one for one in study.judges if one.name in full]
    known = [(one.name, one.bias) for one in chosen if one.bias is not None]
    for name, bias in known:
        yield _win_rate_scatter(name, bias, gold, study, most=MOST_POINTS // len(known))


def _win_rate_scatter(
    judge: str, bias: Bias, gold: Gold, study: RankStudy, *, most: int
) -> Scatter:
    """The judge's against gold's win rates, each pair as people order it, and the beta curve."""
    pairs, systems = study.contest.pairs, study.contest.systems
    known = np.flatnonzero(~(np.isnan(bias.rates) | np.isnan(gold.rates)))
    shown = known[:: max(1, -(-len(known) // most))]
    points = []
    for p in shown:
        a, b = systems[pairs.first[p]], systems[pairs.second[p]]
        x, y = float(gold.rates[p]), float(bias.rates[p])
        points.append(
            Point(f"{a} over {b}", x, y) if x >= 0.5 else Point(f"{b} over {a}", 1 - x, 1 - y)
        )
    at = np.linspace(0.5, 1, 51)
    left = len(known) - len(shown)
    return Scatter(
        title=f"Win rates of pairs of systems: {judge} against people",
        x_label="people's win rate",
        y_label="judge's win rate",
        points=points,
        curves=[
            Curve(
                f"decisiveness {decimal(bias.shape)}",
                at.tolist(),
                beta_curve(at, bias.shape).tolist(),
            )
        ],
        rates="xy",
        diagonal=True,
        quadrants=True,
        alt=f"{counted(len(known), 'pair')} of systems, each as people order it"
        + (f" ({left} pairs not drawn)" if left else "")
        + f"; the fitted beta curve has decisiveness {decimal(bias.shape)}.",
    )


def _biases(ordered: Sequence[Judged], systems: Sequence[str], gold: Gold) -> Iterator[HeatMap]:
    """Bias beyond decisiveness, judges by systems (Figures 7, 10b); of very many those with most
    besides."""
    known = [(one.name, one.bias) for one in ordered if one.bias is not None]
    if not known:
        return
    names = [name for name, _ in known]
    bias = np.stack([one.corrected for _, one in known])
    by_gold = np.argsort(-np.where(np.isnan(gold.scores), -np.inf, gold.scores))
    every = [int(s) for s in by_gold if not np.isnan(bias[:, s]).all()]
    if not every:
        return
    if len(every) * len(known) > MOST_CELLS:
        spread = np.nanmean(np.abs(bias[:, every]), axis=0)
        extreme = {every[i] for i in np.argsort(-spread)[:SELECTED]}
        some = [s for s in every if s in extreme]
        most = f", the {len(some)} systems with most"
        yield _bias_map(names, [systems[s] for s in some], bias[:, some], most)
    yield _bias_map(names, [systems[s] for s in every], bias[:, every])


def _bias_map(
    judges: Sequence[str], systems: Sequence[str], bias: Floats, which: str = ""
) -> HeatMap:
    """Bias [J, S] of judges towards systems."""
    filled = np.where(np.isnan(bias), 0, bias)
    j, s = np.unravel_index(int(np.abs(filled).argmax()), filled.shape)
    return HeatMap(
        title=f"Bias towards systems, beyond decisiveness{which}",
        x_label="system",
        y_label="judge",
        x_labels=systems,
        y_labels=judges,
        values=_cells(bias),
        center=0,
        alt=f"Bias of {len(judges)} judges towards {len(systems)} systems; the largest is "
        f"{filled[j, s]:+.2f}, {judges[int(j)]} towards {systems[int(s)]}.",
    )


def _between_rankings(ordered: Sequence[Judged], study: RankStudy) -> Iterator[HeatMap]:
    """Kendall's tau between every two rankings, people's first (Figure 9)."""
    rankings = {one.name: one.aggregated[study.by].observed for one in ordered}
    names, scores = [*rankings], [*rankings.values()]
    if study.people is not None:
        names, scores = ["people", *names], [study.people.gold.scores, *scores]
    if len(names) > 2:
        yield HeatMap(
            title=f"Agreement between rankings (tau, {AGGREGATION_WORDS[study.by]})",
            x_label="",
            y_label="",
            x_labels=names,
            y_labels=names,
            values=_cells(tau_matrix(np.stack(scores))),
            center=0,
            alt=f"Kendall's tau between the rankings of {len(names)} raters.",
        )


def _cells(matrix: Floats) -> list[list[float | None]]:
    return [[float(v) if np.isfinite(v) else None for v in row] for row in matrix]


def _score_distributions(ordered: Sequence[Judged], study: RankStudy) -> Iterator[Distribution]:
    """Distributions of scores (Figure 12), judges of one realization and range in one picture."""
    contest = study.contest
    if contest.scores is None:
        return
    groups: list[tuple[str, float, float, dict[str, Floats]]] = []
    for one in ordered:
        values = contest.scores[contest.judges.index(one.name)].reshape(-1)
        values = values[~np.isnan(values)]
        if not len(values):
            continue
        low, high = float(values.min()), float(values.max())
        how = study.options.judges.get(one.name, {}).get("realization", "")
        wider = 4 if how else 1.5
        for at, (same, least, most, members) in enumerate(groups):
            together = max(most, high) - min(least, low)
            if how == same and together <= wider * min(most - least, high - low):
                members[one.name] = values
                groups[at] = (same, min(least, low), max(most, high), members)
                break
        else:
            groups.append((how, low, high, {one.name: values}))
    for how, _, _, members in groups:
        yield Distribution(
            title="Scores that the judges give" + (f" ({how})" if how else ""),
            x_label="score",
            series=[_histogram(name, values) for name, values in members.items()],
            alt=f"Distribution of the scores of {counted(len(members), 'judge')}.",
        )


def _histogram(label: str, values: Floats) -> Histogram:
    levels = np.unique(values)
    if 2 <= len(levels) <= FEW_SCORES:
        half = min(np.diff(levels).min() / 2, np.ptp(levels) / (2 * BINS))
        edges = np.unique(np.concatenate([levels - half, levels + half]))
    else:
        edges = np.histogram_bin_edges(values, bins=BINS)
    counts, edges = np.histogram(values, edges)
    return Histogram(label, edges.tolist(), counts.tolist())
