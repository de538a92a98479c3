"""Systems ranked by every judge, held against people's ranking: results, without a word on them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from goldassay.errors import UsageError, nearest
from goldassay.formulas.comparisons import TieRule
from goldassay.frozen import dataclass
from goldassay.inference.draw import stream
from goldassay.questions.rank.aggregation import AGGREGATIONS, Aggregation
from goldassay.questions.rank.attributes import Attributes
from goldassay.questions.rank.contest import Contest
from goldassay.questions.rank.drivers import Drivers, drivers
from goldassay.questions.rank.families import Kinship, family_bias, kin_systems
from goldassay.questions.rank.few_systems import PairsTold
from goldassay.questions.rank.gold import GivenGold, Gold, PairRules, gold_of
from goldassay.questions.rank.items import Explained, ItemLevel, explained_by_items, item_level
from goldassay.questions.rank.judged import Ranker, Settings
from goldassay.questions.rank.juries import JuryGain, jury_gains
from goldassay.questions.rank.leaderboard import SplitHalf, Standing, leaderboard, place, split_half
from goldassay.questions.rank.record import Bias, Judged
from goldassay.questions.rank.resampling import HEDGED, Draw, draw_prompts
from goldassay.questions.rank.signs import OPEN_SHAPE
from goldassay.questions.rank.style import StyleEffect, style_effects
from goldassay.questions.rank.systems import RankedSystems, ranked_systems
from goldassay.ratings.task import Task
from goldassay.results import Estimate, Row

__all__ = [
    "AgainstPeople",
    "JudgeBias",
    "Options",
    "RankStudy",
    "SystemBias",
    "corrected_biases",
    "raw_biases",
    "study",
]

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What to compute. `judges` describes judges: name -> {model, realization, family, system}."""

    aggregations: tuple[Aggregation, ...] = AGGREGATIONS
    resamples: int = 2000
    seed: int = 1
    min_battles: int = 10
    #: The rule of ties for win rates where it is not the task's; Bradley-Terry keeps the task's.
    win_rate_ties: TieRule | None = None
    #: Judges whose systems are shown in full; the best one without any.
    detailed: tuple[str, ...] = ()
    judges: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    #: Of the systems' texts.
    attributes: Attributes | None = None


@dataclass(frozen=True, slots=True)
class SystemBias:
    """Bias towards one system: of the win rates as they are, and beyond decisiveness."""

    system: int
    raw: Estimate
    corrected: Estimate


@dataclass(frozen=True, slots=True)
class JudgeBias:
    """Bias of one judge towards every system that shares a pair with the gold."""

    judge: str
    systems: tuple[SystemBias, ...]


@dataclass(frozen=True, slots=True)
class AgainstPeople:
    """What only gold can tell: how the judges' rankings compare with people's."""

    gold: Gold
    #: The judges, the best ranker first.
    standings: tuple[Standing, ...]
    split_half: SplitHalf | None
    #: Of the judges shown in full.
    biases: tuple[JudgeBias, ...]
    kin: tuple[Kinship, ...]
    items: tuple[ItemLevel, ...]
    explained: Explained | None
    drivers: Drivers
    juries: tuple[JuryGain, ...] = ()
    #: Of the judges shown in full.
    style: tuple[StyleEffect, ...] = ()
    #: Of two to four systems: which pairs are told apart, and whether the best judge does so alike.
    pairs: PairsTold | None = None


@dataclass(frozen=True, slots=True)
class RankStudy:
    """How judges rank systems, and how far that is as people do."""

    contest: Contest
    options: Options
    #: The aggregation by which judges are put in order: the first that was asked for.
    by: Aggregation
    #: In the contest's order.
    judges: tuple[Judged, ...]
    #: The systems as the judges shown in full rank them.
    systems: tuple[RankedSystems, ...]
    people: AgainstPeople | None
    confidence_level: float

    def rows(self) -> tuple[Row, ...]:
        """Every result and what it is about."""
        people = self.people
        found = [row for one in self.judges for row in one.rows()]
        if people is not None:
            found += _standing_rows(people.standings, self.by)
        found += [row for one in self.systems for row in one.rows(self.contest.systems)]
        if people is not None:
            found += _people_rows(people, self.contest.systems, self.by)
        return tuple(found)


def _standing_rows(standings: Sequence[Standing], by: Aggregation) -> list[Row]:
    return [
        Row(one.behind, {"judge": one.judge.name, "aggregation": by})
        for one in standings
        if one.behind is not None
    ]


def _people_rows(people: AgainstPeople, systems: Sequence[str], by: Aggregation) -> Iterator[Row]:
    if (half := people.split_half) is not None:
        yield Row(half.between, {"judge": None, "aggregation": by})
        yield Row(half.with_judge, {"judge": half.judge, "aggregation": by})
    for bias in people.biases:
        for one in bias.systems:
            yield Row(one.raw, {"judge": bias.judge, "system": systems[one.system]})
        for one in bias.systems:
            yield Row(one.corrected, {"judge": bias.judge, "system": systems[one.system]})
    for jury in people.juries:
        yield Row(jury.gain, {"judge": jury.jury, "aggregation": by})
    for style in people.style:
        yield Row(style.effect, {"judge": style.judge, "attribute": style.attribute})
    for kin in people.kin:
        yield Row(kin.bias, {"judge": kin.judge})
    for level in people.items:
        yield Row(level.accuracy, {"judge": level.judge.name, "level": "item"})
    for trait in people.drivers.traits:
        yield Row(trait.correlation, {"aggregation": by, "traits": ", ".join(trait.traits)})


def study(
    contest: Contest, task: Task, *, gold: GivenGold | None = None, options: Options | None = None
) -> RankStudy:
    """Rank systems with every judge, hold the rankings against people's, and say how sure it is.

    Gold is what is given, else people's ratings in the contest, else none (systems are ranked, and
    judges compared with one another). Prompts are drawn anew by whole clusters, once for all
    judges. After Gera and others (2025), "JuStRank: Benchmarking LLM Judges for System Ranking".
    """
    options = options or Options()
    _refuse_unknown(contest, options)
    own_stream = partial(stream, options.seed)
    draw = draw_prompts(
        contest,
        resamples=options.resamples,
        confidence_level=task.confidence_level,
        rng=own_stream("prompts"),
    )
    rules = PairRules(task.ties, options.min_battles)
    people = gold_of(contest, gold, draw, rules, own_stream)
    win_rate_ties = options.win_rate_ties or _ties_of_win_rates(task)
    if win_rate_ties != task.ties:
        options = replace(options, win_rate_ties=win_rate_ties)  # the tables say so
    settings = Settings(options.aggregations, win_rate_ties, task.ties)
    ranker = Ranker(contest, people, draw, settings)
    judges = _judges(ranker, options.detailed, _kin(contest, task, options))
    standings = leaderboard(judges, ranker.by, draw) if people is not None else ()
    best = standings[0].judge if standings else judges[0]
    shown = [one for one in judges if one.name in (options.detailed or (best.name,))]
    against = None
    if people is not None:
        against = _against_people(ranker, judges, standings, shown, task, options)
    return RankStudy(
        contest=contest,
        options=options,
        by=ranker.by,
        judges=judges,
        systems=tuple(ranked_systems(ranker, one) for one in shown),
        people=against,
        confidence_level=task.confidence_level,
    )


def _kin(contest: Contest, task: Task, options: Options) -> Mapping[str, tuple[int, ...]]:
    return kin_systems(contest.judges, contest.systems, task.families, options.judges)


def _judges(
    ranker: Ranker, detailed: Sequence[str], kin: Mapping[str, tuple[int, ...]]
) -> tuple[Judged, ...]:
    """All judges of the contest; in short those that are not shown in full.

    Shown are the `detailed` ones, else the one that comes first.
    """
    found: list[Judged] = []
    first = 0
    for index, judged in enumerate(ranker.judged()):
        found.append(judged)
        leads = ranker.gold is not None and place(found[index], ranker.by) < place(
            found[first], ranker.by
        )
        before, first = first, index if leads else first
        for other in {before, index} - ({first} if not detailed else set()):
            one = found[other]
            if one.name not in detailed:
                found[other] = one.in_short(ranker.by, biased=one.name in kin)
    return tuple(found)


def _against_people(
    ranker: Ranker,
    judges: Sequence[Judged],
    standings: tuple[Standing, ...],
    shown: Sequence[Judged],
    task: Task,
    options: Options,
) -> AgainstPeople:
    contest, gold, draw, by = ranker.contest, ranker.gold, ranker.draw, ranker.by
    assert gold is not None
    best = standings[0].judge
    items = item_level(contest, judges, draw)
    alone = _alone(judges, contest)
    return AgainstPeople(
        gold=gold,
        standings=standings,
        split_half=split_half(gold, best, by, draw),
        biases=tuple(_judge_bias(one.name, one.bias, draw) for one in shown if one.bias),
        kin=family_bias(judges, gold, contest.systems, _kin(contest, task, options), draw),
        items=items,
        explained=explained_by_items([one for one in items if one.judge in alone], by),
        drivers=drivers(alone, options.judges, by, confidence_level=task.confidence_level),
        juries=jury_gains(judges, contest.juries, by, draw),
        style=()
        if options.attributes is None
        else style_effects(shown, gold, options.attributes, confidence_level=task.confidence_level),
    )


def _alone(judges: Sequence[Judged], contest: Contest) -> list[Judged]:
    """The judges without juries, which say nothing new of what judges are like."""
    return [one for one in judges if one.name not in contest.juries]


def _judge_bias(judge: str, bias: Bias, draw: Draw) -> JudgeBias:
    raw, corrected = raw_biases(bias, draw), corrected_biases(bias, draw)
    return JudgeBias(judge, tuple(SystemBias(s, raw[s], corrected[s]) for s in raw))


def raw_biases(bias: Bias, draw: Draw) -> dict[int, Estimate]:
    """The bias towards each system that has one, of win rates as they are."""
    low, high = draw.ends_of_biases(bias.resampled_raw, bias.untied)
    return {
        s: draw.estimate("bias", value, draw.around(value, low[s], high[s], HEDGED))
        for s, value in enumerate(bias.raw.tolist())
        if not np.isnan(value)
    }


def corrected_biases(bias: Bias, draw: Draw) -> dict[int, Estimate]:
    """The same beyond decisiveness, with a warning where that is left open."""
    values = bias.corrected
    low, high = draw.ends_beyond_decisiveness(
        values, bias.resampled_corrected, bias.untied, bias.modelled
    )
    warnings = (OPEN_SHAPE,) if bias.open_shape else ()
    return {
        s: replace(
            draw.estimate("corrected_bias", value, draw.around(value, low[s], high[s], HEDGED)),
            warnings=warnings,
        )
        for s, value in enumerate(values.tolist())
        if not np.isnan(value)
    }


def _ties_of_win_rates(task: Task) -> TieRule:
    """Equal scores win for neither (Gera and others, appendix B), where Bradley-Terry counts a half
    to each; ties that raters give are what the task declares."""
    return "class" if task.scale != "pairwise" and task.ties == "half" else task.ties


def _refuse_unknown(contest: Contest, options: Options) -> None:
    unknown = [name for name in options.detailed if name not in contest.judges]
    if unknown:
        near = nearest(unknown[0], contest.judges)
        judges = ", ".join(contest.judges)
        raise UsageError(
            f"the judge {unknown[0]!r}",
            "is not in the ratings",
            next_step=f"Did you mean {near!r}?" if near else f"Judges: {judges}",
        )
    if contest.scores is None and set(options.aggregations) <= {"mean", "median"}:
        raise UsageError(
            f"--aggregation {options.aggregations[0]}",
            "needs scores, and the ratings are battles",
            next_step="Use win_rate or bradley_terry",
        )
