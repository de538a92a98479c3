"""The systems as one judge ranks them: scores, ranks, gaps, and where no finite score exists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.comparisons import Comparisons
from goldassay.formulas.strength import BradleyTerry, one_sided_gap
from goldassay.inference.clusters import design_factor
from goldassay.questions.rank.aggregation import Aggregation
from goldassay.questions.rank.judged import Aggregated, Judged, Ranker
from goldassay.questions.rank.resampling import Draw
from goldassay.questions.rank.stability import prompts_to_part
from goldassay.questions.rank.uncertainty import rank_intervals
from goldassay.results import Estimate, Interval, Result, Row, Undefined

__all__ = ["Places", "RankedSystems", "SystemLine", "TopTwo", "ranked_systems"]

Floats = NDArray[np.float64]

#: The first and the last rank that a system may have.
Places = tuple[int, int]


@dataclass(frozen=True, slots=True)
class SystemLine:
    """One system by one aggregation: its score, its rank, and its gap to the system below."""

    system: int
    score: Result
    rank: Result
    places: Places | None = None
    gap: Estimate | None = None
    below: int | None = None


@dataclass(frozen=True, slots=True)
class TopTwo:
    """The two systems on top of a ranking.

    `prompts` are the prompts (or clusters of them) at which a gap like theirs is told from 0: half
    of the time, and with 80 % power; None where there is no gap.
    """

    first: int
    second: int
    prompts: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class RankedSystems:
    """The systems as one judge ranks them, best first, by every aggregation."""

    judge: str
    lines: Mapping[Aggregation, tuple[SystemLine, ...]]
    #: None where the gap of the two is not finite.
    top: TopTwo | None
    #: Bradley-Terry: resamples in all, and those with an undefeated, winless or unlinked system.
    resamples: int
    n_separated: int
    #: Bradley-Terry: how many times longer intervals over prompts are than over lone battles.
    design_factor: float | None

    def rows(self, systems: Sequence[str]) -> Iterator[Row]:
        for by, lines in self.lines.items():
            for line in lines:
                about = {"judge": self.judge, "system": systems[line.system], "aggregation": by}
                yield Row(line.score, about)
                yield Row(line.rank, about)
                if line.gap is not None and line.below is not None:
                    yield Row(line.gap, {**about, "opponent": systems[line.below]})


def ranked_systems(ranker: Ranker, judged: Judged) -> RankedSystems:
    """The systems by one judge, the top two of its first aggregation held apart."""
    index = ranker.contest.judges.index(judged.name)
    compared = ranker.contest.comparisons(index)
    strengths = judged.aggregated.get("bradley_terry")
    return RankedSystems(
        judged.name,
        {by: tuple(_lines(ranker, by, one, compared)) for by, one in judged.aggregated.items()},
        _top_two(judged.aggregated[ranker.by], ranker.draw),
        len(ranker.draw.weights),
        strengths.n_separated if strengths else 0,
        _design_factor(strengths) if strengths else None,
    )


def _lines(
    ranker: Ranker, by: Aggregation, one: Aggregated, compared: Comparisons
) -> Iterator[SystemLine]:
    draw, systems = ranker.draw, ranker.contest.systems
    low, high = draw.ends(one.resampled)
    first, last = rank_intervals(
        one.observed, one.resampled, confidence_level=draw.confidence_level
    )
    order = sorted(
        range(len(systems)),
        key=lambda s: (np.isnan(one.observed[s]), -np.nan_to_num(one.observed[s]), systems[s]),
    )
    for s, below in zip(order, [*order[1:], None], strict=True):
        value = float(one.observed[s])
        if np.isnan(value):
            reason = "it has no score by this judge"
            if one.fitted is not None and len(one.fitted.components.members) > 1:
                reason = "no battle, not even through others, links it to the other systems"
            unscored, unranked = (
                draw.undefined(name, reason) for name in ("system_score", "system_rank")
            )
            yield SystemLine(s, unscored, unranked)
            continue
        if np.isinf(value):
            assert one.fitted is not None
            score: Result = _unbounded(ranker, one.fitted, compared, s)
        else:
            score = draw.estimate("system_score", value, draw.around(value, low[s], high[s]))
            if by == "bradley_terry" and not np.isfinite(one.resampled[:, s]).all():
                share = float(1 - np.isfinite(one.resampled[:, s]).mean())
                warning = f"undefeated, winless or unlinked in {share:.1%} of the resamples"
                score = replace(score, warnings=(warning,))
        places = int(first[s]), int(last[s])
        rank = _rank(one.observed, value, places, draw)
        gap = None if below is None else _gap(one, s, below, draw)
        yield SystemLine(s, score, rank, places, gap, below)


def _rank(observed: Floats, value: float, places: Places, draw: Draw) -> Estimate:
    """The rank of a score among the observed ones, the mean rank where several are equal."""
    best = 1 + float((observed > value).sum())
    ties = int((observed == value).sum())
    interval = draw.around(best, *places, "simultaneous differences")
    return draw.estimate("system_rank", best + (ties - 1) / 2, interval)


def _gap(one: Aggregated, system: int, below: int, draw: Draw) -> Estimate | None:
    """Paired difference to the next system: both scores of a resample come from its prompts."""
    with np.errstate(invalid="ignore"):  # two systems that never lose: no difference to tell
        value = float(one.observed[system] - one.observed[below])
        drawn = one.resampled[:, system] - one.resampled[:, below]
    if not np.isfinite(value):
        return None
    low, high = draw.ends(drawn)
    interval = draw.around(value, float(low), float(high))
    return None if interval is None else draw.estimate("score_difference", value, interval)


def _unbounded(
    ranker: Ranker, fitted: BradleyTerry, compared: Comparisons, system: int
) -> Undefined:
    """An infinite strength in words, with the bound that the data gives on the other side."""
    systems, level = ranker.contest.systems, ranker.draw.confidence_level
    groups = fitted.components
    mine, main = groups.of(system), groups.main
    above = bool(groups.above[mine, main])
    higher, lower = (groups.members[k] for k in ((mine, main) if above else (main, mine)))
    met = _clusters_met(compared, higher, lower)
    gap = one_sided_gap(
        compared.pairs,
        compared.observed(),
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
    return replace(ranker.draw.undefined("system_score", reason), interval=interval)


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


def _top_two(one: Aggregated, draw: Draw) -> TopTwo | None:
    """The top two systems, and the number of prompts at which they part."""
    order = np.argsort(-np.where(np.isnan(one.observed), -np.inf, one.observed))
    first, second = int(order[0]), int(order[1])
    with np.errstate(invalid="ignore"):
        gap = float(one.observed[first] - one.observed[second])
        drawn = one.resampled[:, first] - one.resampled[:, second]
    if not np.isfinite(gap):
        return None
    error = float(drawn[np.isfinite(drawn)].std())
    level = draw.confidence_level
    return TopTwo(
        first, second, prompts_to_part(gap, error, draw.n_clusters, confidence_level=level)
    )


def _design_factor(one: Aggregated) -> float | None:
    """How many times longer prompt-level errors are than those of independent battles."""
    if one.fitted is None or not np.isfinite(one.resampled).all():
        return None
    size = len(one.observed)
    centring = np.eye(size) - 1 / size
    battle = np.sqrt(np.diag(centring @ one.fitted.battle_covariance @ centring))
    return design_factor(one.resampled.std(axis=0), battle)
