"""The systems as one judge ranks them: scores, ranks, gaps, and where no finite score exists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.comparisons import Comparisons
from goldassay.formulas.strength import BradleyTerry, one_sided_gap
from goldassay.inference.clusters import design_factor
from goldassay.questions.rank.aggregation import Aggregation
from goldassay.questions.rank.judged import Aggregated, Ranker
from goldassay.questions.rank.uncertainty import percentile_ends, rank_intervals
from goldassay.questions.rank.words import place
from goldassay.results import Estimate, Interval, Result, Undefined

__all__ = ["SystemLine", "prompt_factor", "system_lines"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SystemLine:
    """One system by one aggregation: its score, its place, and its gap to the system below."""

    system: int
    score: Result
    rank: Result
    words: str
    gap: Result | None
    below: int | None


def system_lines(
    ranker: Ranker, by: Aggregation, one: Aggregated, compared: Comparisons, systems: Sequence[str]
) -> list[SystemLine]:
    """The systems, best first, as one aggregation of one judge ranks them."""
    level, n_prompts = ranker.settings.confidence_level, ranker.study.n_prompts
    n_clusters, resamples = ranker.study.n_clusters, len(one.resampled)
    low, high = ranker.system_interval(one.resampled)
    first, last = rank_intervals(one.observed, one.resampled, confidence_level=level)
    method = f"prompt bootstrap (expanded percentile, {resamples})"
    ranking = f"prompt bootstrap (simultaneous differences, {resamples})"
    order = sorted(
        range(len(systems)),
        key=lambda s: (np.isnan(one.observed[s]), -np.nan_to_num(one.observed[s]), systems[s]),
    )
    lines = []
    for position, s in enumerate(order):
        value = float(one.observed[s])
        below = order[position + 1] if position + 1 < len(order) else None
        if np.isnan(value):
            reason = "it has no score by this judge"
            if one.fitted is not None and len(one.fitted.components.members) > 1:
                reason = "no battle, not even through others, links it to the other systems"
            lines.append(
                SystemLine(
                    s,
                    Undefined("system_score", reason, n_prompts),
                    Undefined("system_rank", reason, n_prompts),
                    "unranked",
                    None,
                    None,
                )
            )
            continue
        if np.isinf(value):
            assert one.fitted is not None
            score: Result = _unbounded(ranker, one.fitted, compared, systems, s, n_prompts)
        else:
            interval = (
                None
                if np.isnan(low[s] + high[s]) and not np.isinf(low[s] - high[s])
                else Interval(min(float(low[s]), value), max(float(high[s]), value), level, method)
            )
            warnings: tuple[str, ...] = ()
            if by == "bradley_terry" and not np.isfinite(one.resampled[:, s]).all():
                share = float(1 - np.isfinite(one.resampled[:, s]).mean())
                warnings = (f"undefeated, winless or unlinked in {share:.1%} of the resamples",)
            score = Estimate(
                "system_score", value, interval, n_prompts, n_clusters, {}, (), warnings
            )
        observed_rank = 1 + float((one.observed > value).sum())
        ties = int((one.observed == value).sum())
        rank = Estimate(
            "system_rank",
            observed_rank + (ties - 1) / 2,
            Interval(
                float(min(first[s], observed_rank)),
                float(max(last[s], observed_rank)),
                level,
                ranking,
            ),
            n_prompts,
            n_clusters,
        )
        gap = None if below is None else _gap(one, s, below, level, n_prompts, n_clusters)
        lines.append(SystemLine(s, score, rank, place(int(first[s]), int(last[s])), gap, below))
    return lines


def _gap(
    one: Aggregated, system: int, below: int, level: float, n_prompts: int, n_clusters: int
) -> Result | None:
    """Paired difference to the next system: both scores of a resample come from its prompts."""
    with np.errstate(invalid="ignore"):  # two systems that never lose: no difference to tell
        value = float(one.observed[system] - one.observed[below])
    if not np.isfinite(value):
        return None
    with np.errstate(invalid="ignore"):
        drawn = one.resampled[:, system] - one.resampled[:, below]
    low, high = percentile_ends(drawn, confidence_level=level, n_clusters=n_clusters)
    if np.isnan(low) or np.isnan(high):
        return None
    method = f"prompt bootstrap (expanded percentile, {len(drawn)})"
    interval = Interval(min(float(low), value), max(float(high), value), level, method)
    return Estimate("score_difference", value, interval, n_prompts, n_clusters)


def _unbounded(
    ranker: Ranker,
    fitted: BradleyTerry,
    compared: Comparisons,
    systems: Sequence[str],
    system: int,
    n_prompts: int,
) -> Undefined:
    """An infinite strength in words, with the bound that the data gives on the other side."""
    groups = fitted.components
    mine, main = groups.of(system), groups.main
    above = bool(groups.above[mine, main])
    higher, lower = (mine, main) if above else (main, mine)
    level = ranker.settings.confidence_level
    met = _clusters_met(compared, groups.members[higher], groups.members[lower])
    gap = one_sided_gap(
        compared.pairs,
        compared.observed(),
        fitted,
        above=higher,
        below=lower,
        n_prompts=met,
        confidence_level=level,
    )
    group = ", ".join(systems[s] for s in groups.members[mine])
    others = "the rest" if len(groups.members) == 2 else "the largest group"
    verb = "never lost to" if above else "never won against"
    word = "undefeated" if above else "winless"
    reason = (
        f"{word}: component {mine + 1} of {len(groups.members)} ({group}) {verb} {others}, so its "
        f"Bradley-Terry score has no {'upper' if above else 'lower'} bound"
    )
    interval = None
    if gap is not None:
        ends = (gap, np.inf) if above else (-np.inf, -gap)
        method = f"exact one-sided bound on {met} prompts, relative to {others}"
        interval = Interval(*ends, level, method)
        side = "at least" if above else "at most"
        reason += f"; it is {side} {ends[0] if above else ends[1]:.2f} relative to {others}"
    return Undefined("system_score", reason, n_prompts, interval)


def _clusters_met(compared: Comparisons, high: Sequence[int], low: Sequence[int]) -> int:
    """Clusters with at least one comparison between the two groups of systems."""
    pairs = compared.pairs
    crossing = (np.isin(pairs.first, high) & np.isin(pairs.second, low)) | (
        np.isin(pairs.first, low) & np.isin(pairs.second, high)
    )
    columns = np.flatnonzero(crossing)
    total = sum(
        np.asarray(counts[:, columns].sum(axis=1)).reshape(-1)
        for counts in (compared.wins, compared.losses, compared.ties)
    )
    return int(compared.multiplicity[total > 0].sum())


def prompt_factor(one: Aggregated) -> float | None:
    """How many times longer prompt-level errors are than those of independent battles."""
    if one.fitted is None or not np.isfinite(one.resampled).all():
        return None
    size = len(one.observed)
    centring = np.eye(size) - 1 / size
    battle = np.sqrt(np.diag(centring @ one.fitted.battle_covariance @ centring))
    return design_factor(one.resampled.std(axis=0), battle)
