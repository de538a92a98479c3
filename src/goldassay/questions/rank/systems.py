"""The systems as one judge ranks them: scores, ranks, gaps, and where no finite score exists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.comparisons import Comparisons, Outcomes, TieRule
from goldassay.formulas.strength import BradleyTerry, one_sided_gap
from goldassay.frozen import dataclass
from goldassay.inference.clusters import design_factor
from goldassay.questions.rank.aggregation import Aggregation, win_rate_scores
from goldassay.questions.rank.carrying import carrying_mean, carrying_win_rate
from goldassay.questions.rank.contest import APART, Contest
from goldassay.questions.rank.judged import Ranker
from goldassay.questions.rank.means import SkewedMean, skewed_mean
from goldassay.questions.rank.medians import median_ends
from goldassay.questions.rank.record import Aggregated, Judged, value_of
from goldassay.questions.rank.resampling import HEDGED, Draw
from goldassay.questions.rank.signs import ONE_SCORE, RANGE_ENDS, TOO_SKEWED
from goldassay.questions.rank.strength_ends import strengths_at
from goldassay.questions.rank.uncertainty import Differences, differences
from goldassay.questions.usual_score import Unusual, unusual_scores
from goldassay.results import Estimate, Interval, Result, Row, Undefined
from goldassay.words import decimal

__all__ = ["Places", "RankedSystems", "SystemLine", "Top", "ranked_systems"]

Floats = NDArray[np.float64]

#: How intervals of ranks and differences were made, in short.
JOINT = "all pairs of systems at once, t with Bonferroni"
KINDS: Mapping[Aggregation, str] = {
    "mean": HEDGED,
    "win_rate": HEDGED,
    "median": "hedged shares below",
    "bradley_terry": "hull of percentile and hedged win rate",
}
#: That of a mean of scores whose scale has no known ends.
OF_SKEWED = "hull of hedged percentile and Student adjusted for skewness"
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
    #: Of a mean whose scores are nearly all one, on a scale without known ends.
    unusual: Unusual | None = None


@dataclass(frozen=True, slots=True)
class Top:
    """The system on top of a ranking, and those that may be as good.

    `lead` is the difference to the second, None where it is not finite or level.
    """

    first: int
    second: int
    #: Systems that are not told apart from the first, in their order.
    rivals: tuple[int, ...]
    lead: Estimate | None
    #: Those of them that have the very score of the first.
    level: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class RankedSystems:
    """The systems as one judge ranks them, best first, by every aggregation."""

    judge: str
    lines: Mapping[Aggregation, tuple[SystemLine, ...]]
    #: By the first aggregation; None where it scores fewer than two systems.
    top: Top | None
    #: Bradley-Terry: resamples in all, and those with an undefeated, winless or unlinked system.
    resamples: int
    n_separated: int
    #: Bradley-Terry: how many times longer intervals over prompts are than over lone battles.
    design_factor: float | None

    @property
    def unusual(self) -> dict[int, Unusual]:
        """Systems whose mean rests on scores that are nearly all one."""
        lines = self.lines.get("mean", ())
        return {line.system: line.unusual for line in lines if line.unusual is not None}

    def rows(self, systems: Sequence[str]) -> Iterator[Row]:
        for by, lines in self.lines.items():
            for line in lines:
                about = {"judge": self.judge, "system": systems[line.system], "aggregation": by}
                yield Row(line.score, about)
                yield Row(line.rank, about)
                if line.gap is not None and line.below is not None:
                    yield Row(line.gap, {**about, "opponent": systems[line.below]})


def ranked_systems(ranker: Ranker, judged: Judged) -> RankedSystems:
    """The systems by one judge."""
    index = ranker.contest.judges.index(judged.name)
    compared = ranker.contest.comparisons(index)
    strengths = judged.aggregated.get("bradley_terry")
    draw = ranker.draw
    told = {
        by: differences(
            one.observed,
            one.resampled,
            confidence_level=draw.confidence_level,
            n_clusters=draw.n_clusters,
            worth=draw.worth,
        )
        for by, one in judged.aggregated.items()
    }
    lines = {
        by: tuple(_lines(ranker, index, by, told[by], compared, judged.aggregated))
        for by in judged.aggregated
    }
    return RankedSystems(
        judged.name,
        lines,
        _top(lines[ranker.by], told[ranker.by]),
        len(ranker.draw.weights),
        strengths.n_separated if strengths else 0,
        _design_factor(strengths) if strengths else None,
    )


def _ends(
    ranker: Ranker,
    judge: int,
    by: Aggregation,
    compared: Comparisons,
    aggregated: Mapping[Aggregation, Aggregated],
) -> tuple[Floats, Floats]:
    """The ends of all scores by one aggregation; means and medians are of scores with a range."""
    contest, draw, one = ranker.contest, ranker.draw, aggregated[by]
    if by == "mean":
        assert contest.scores is not None
        carrying = carrying_mean(contest.scores[judge], one.observed, contest.item_cluster)
        return draw.ends_of_means(one.resampled, contest.score_range(judge), carrying)
    if by == "win_rate":
        carrying = carrying_win_rate(compared, one.observed, ranker.settings.win_rate_ties)
        return draw.ends_of_means(one.resampled, (0.0, 1.0), carrying)
    if by == "median":
        assert contest.scores is not None
        return median_ends(
            contest.scores[judge],
            one.observed,
            contest.item_cluster,
            contest.score_range(judge),
            confidence_level=draw.confidence_level,
            worth=draw.worth,
        )
    return _ends_of_strengths(ranker, compared, one, aggregated.get("win_rate"))


def _ends_of_strengths(
    ranker: Ranker, compared: Comparisons, one: Aggregated, win_rate: Aggregated | None
) -> tuple[Floats, Floats]:
    """The hull of resampled strengths and of those at the ends of the hedged win rates."""
    assert one.fitted is not None
    draw, fitted = ranker.draw, one.fitted
    low, high = draw.ends(one.resampled)
    ties = ranker.settings.bradley_terry_ties
    # In Davidson's model, too, a tie tells of strengths what half a win does.
    counted: TieRule = "exclude" if ties == "exclude" else "half"
    outcomes = compared.observed()
    batch = Outcomes(outcomes.wins[None], outcomes.losses[None], outcomes.ties[None])
    rates = win_rate_scores(compared.pairs, batch, counted)[0]
    if win_rate is not None and ranker.settings.win_rate_ties == counted:
        resampled = win_rate.resampled
    else:
        resampled = np.concatenate(
            [
                win_rate_scores(compared.pairs, some, counted)
                for _, some in compared.in_blocks(draw.weights)
            ]
        )
    carrying = carrying_win_rate(compared, rates, counted)
    # One that moves takes the mean of the systems, from which strengths are told, along.
    steady = np.isfinite(one.observed) & np.isfinite(one.resampled).all(axis=0)
    zero = steady if steady.any() else np.isfinite(one.observed)
    part = 1 - zero / max(int(zero.sum()), 1)
    reached = []
    for ends in draw.ends_of_means(resampled, (0.0, 1.0), carrying):
        with np.errstate(invalid="ignore"):
            moved = strengths_at(fitted, compared.pairs, outcomes, ends, ties) - fitted.strengths
            reached.append(one.observed + part * moved)
    return np.fmin(low, reached[0]), np.fmax(high, reached[1])


def _lines(
    ranker: Ranker,
    judge: int,
    by: Aggregation,
    told: Differences,
    compared: Comparisons,
    aggregated: Mapping[Aggregation, Aggregated],
) -> Iterator[SystemLine]:
    draw, systems, one = ranker.draw, ranker.contest.systems, aggregated[by]
    low, high = _ends(ranker, judge, by, compared, aggregated)
    first, last = told.places
    order = sorted(
        range(len(systems)),
        key=lambda s: (np.isnan(one.observed[s]), -np.nan_to_num(one.observed[s]), systems[s]),
    )
    for s, below in zip(order, [*order[1:], None], strict=True):
        value, unusual = float(one.observed[s]), None
        if np.isnan(value):
            reason = "it has no score by this judge"
            if by in ("win_rate", "bradley_terry") and ranker.contest.apart:
                reason = APART
            elif one.fitted is not None and len(one.fitted.components.members) > 1:
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
            kind, ends = KINDS[by], (float(low[s]), float(high[s]))
            if by == "mean" and (mean := _of_any_scale(ranker, judge, s)) is not None:
                kind, ends = OF_SKEWED, (min(ends[0], mean.low), max(ends[1], mean.high))
            score = draw.estimate("system_score", value, draw.around(value, *ends, kind))
            if by == "mean":
                unusual = _unusual(ranker.contest, judge, s)
                if ends[0] == ends[1]:
                    score = replace(score, warnings=(ONE_SCORE,))
                elif unusual is not None:
                    score = replace(score, warnings=(unusual.warning,))
                elif mean is not None and mean.too_skewed:
                    score = replace(score, warnings=(TOO_SKEWED,))
            if by == "median" and _ends_at_range(ranker.contest, judge, s, *ends):
                score = replace(score, warnings=(RANGE_ENDS,))
            if by == "bradley_terry" and not np.isfinite(one.resampled[:, s]).all():
                share = float(1 - np.isfinite(one.resampled[:, s]).mean())
                warning = f"undefeated, winless or unlinked in {share:.1%} of the resamples"
                score = replace(score, warnings=(warning,))
        places = int(first[s]), int(last[s])
        rank = _rank(one.observed, value, places, draw)
        gap = None if below is None else _gap(told, s, below, draw)
        yield SystemLine(s, score, rank, places, gap, below, unusual)


def _of_any_scale(ranker: Ranker, judge: int, system: int) -> SkewedMean | None:
    """The mean of scores whose scale has no known ends; None where it has, or of one cluster."""
    scores = ranker.contest.scores_of_any_scale(judge, system)
    if scores is None:
        return None
    level = ranker.draw.confidence_level
    return skewed_mean(scores, ranker.contest.item_cluster, confidence_level=level)


def _unusual(contest: Contest, judge: int, system: int) -> Unusual | None:
    scores = contest.scores_of_any_scale(judge, system)
    return None if scores is None else unusual_scores(scores, contest.item_cluster)


def _ends_at_range(contest: Contest, judge: int, system: int, low: float, high: float) -> bool:
    """Whether an end of a median lies beyond all scores of the system itself."""
    assert contest.scores is not None
    own = contest.scores[judge, :, system]
    return bool(low < np.nanmin(own) or high > np.nanmax(own))


def _rank(observed: Floats, value: float, places: Places, draw: Draw) -> Estimate:
    """The rank of a score among the observed ones, the mean rank where several are equal."""
    best = 1 + float((observed > value).sum())
    ties = int((observed == value).sum())
    interval = draw.around(best, *places, JOINT)
    return draw.estimate("system_rank", best + (ties - 1) / 2, interval)


def _gap(told: Differences, system: int, below: int, draw: Draw) -> Estimate | None:
    """Paired difference to the next system, its interval joint over all pairs of systems."""
    value = float(told.gap[system, below])
    low, high = told.ends(system, below)
    if not np.isfinite(value):
        return None
    interval = draw.interval(low, high, JOINT) if np.isfinite(high - low) else None
    return draw.estimate("score_difference", value, interval)


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
        reason += f"; it is {side} {decimal(ends[0] if above else ends[1])} relative to {others}"
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


def _top(lines: Sequence[SystemLine], told: Differences) -> Top | None:
    """The system on top, its lead, and the systems that it is not told apart from."""
    scored = [line for line in lines if line.places is not None]
    if len(scored) < 2:
        return None
    first, second = scored[0], scored[1]
    rivals = [line.system for line in scored[1:] if not told.above[first.system, line.system]]
    best = value_of(first.score)
    level = [
        line.system for line in scored[1:] if best is not None and value_of(line.score) == best
    ]
    return Top(first.system, second.system, tuple(rivals), first.gap, tuple(level))


def _design_factor(one: Aggregated) -> float | None:
    """How many times longer prompt-level errors are than those of independent battles."""
    if one.fitted is None or not np.isfinite(one.resampled).all():
        return None
    if not np.isfinite(one.fitted.battle_covariance).all():  # the likelihood has no one maximum
        return None
    size = len(one.observed)
    centring = np.eye(size) - 1 / size
    battle = np.sqrt(np.diag(centring @ one.fitted.battle_covariance @ centring))
    return design_factor(one.resampled.std(axis=0), battle)
