"""Counts in, an audit out: do conclusions about judges survive that people disagree?

Every definition of performance (table 1 of Guerdan et al. 2025, and the downstream measures) for
every judge, which judge each selects, how often definitions order the judges differently, what
forced choices may hide (beta), how many raters decide, and whether groups of raters differ.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from goldassay.counts import Distributions, ElicitationPairs, Repeats
from goldassay.formulas.distributions import (
    Definition,
    hit_rate,
    jensen_shannon,
    mean_squared_error,
)
from goldassay.formulas.rating_model import Specification, specification
from goldassay.formulas.rating_vectors import hard
from goldassay.frozen import dataclass
from goldassay.inference.bootstrap import multiplicities
from goldassay.inference.draw import stream
from goldassay.questions.audit.bounds import Bounds, bounds, population
from goldassay.questions.audit.choice import Choice, Decisions, choose, decide, selection_effects
from goldassay.questions.audit.definitions import Settings, compared, definitions_of
from goldassay.questions.audit.evaluate import Draws
from goldassay.questions.audit.lapses import Lapses, study_lapses
from goldassay.questions.audit.performance import Performance, performances
from goldassay.questions.audit.populations import Groups, audit_by_group
from goldassay.questions.audit.rank_consistency import Orders, compare_orders
from goldassay.questions.audit.raters import noise_ceiling, ratings_needed
from goldassay.questions.audit.sensitivity import (
    Family,
    Hidden,
    Hiding,
    Judged,
    Sweep,
    hidden_options,
    implied_betas,
    sweep,
    swept_prevalence,
)
from goldassay.questions.audit.sides import Sides, both_sides, shared_items, silences, widest_first
from goldassay.ratings.task import Task
from goldassay.results import Estimate, Result, Row, Undefined

__all__ = ["AuditStudy", "Ceiling", "Given", "People", "RankConsistency", "RatersNeeded", "study"]

Array = NDArray[np.float64]

#: Ratings per item for which panels are drawn; panels of each size, and for each item; and random
#: splits of each item's raters. Of many items fewer tell as much: so many over all of them.
PANELS, REPETITIONS = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50), 50
SPLITS = 20
MOST_DRAWN = 100_000
#: Shares (of judges, items and options) of all drawn panels of people behind the intervals.
MOST_CELLS = 1_000_000
#: A table says how many raters decide from this many items with two ratings or more.
ENOUGH_ITEMS = 20
#: What tells definitions apart, of results that are none.
NOTHING: Mapping[str, str | None] = {"aggregation": None, "option": None, "threshold": None}
#: Resamples are enough at this number for orders of judges, and for who stays the best.
ORDER_RESAMPLES, SWEEP_RESAMPLES = 1000, 500


@dataclass(frozen=True, slots=True)
class Given:
    """Ratings that some raters gave beside one forced choice (or response set) for each item."""

    #: Where one rater gave both a forced choice and a response set.
    pairs: ElicitationPairs | None = None
    #: Where one person answered twice.
    repeats: Repeats | None = None


@dataclass(frozen=True, slots=True)
class People:
    """What people rated: items, the ratings of an item, and what was asked."""

    n_items: int
    fewest: float
    median: float
    most: float
    forced_asked: bool
    sets_asked: bool
    #: Whether people split so evenly that these raters cannot tell the majority of all people.
    split_evenly: bool


@dataclass(frozen=True, slots=True)
class RankConsistency:
    """How the definitions that are defined for every judge, and want more or less, order them."""

    definitions: tuple[Definition, ...]
    orders: Orders

    @property
    def same_order(self) -> bool:
        return bool((self.orders.discordance == 0).all())


@dataclass(frozen=True, slots=True)
class RatersNeeded:
    """How often a panel of so many raters decides as their whole population would, and its bias."""

    numbers: tuple[int, ...]
    consistency: Array
    bias: Array
    #: Ratings per item in this table, the median.
    here: float
    #: Whether level votes are half decisions.
    by_half: bool = False

    @property
    def consistency_here(self) -> float:
        return float(np.interp(self.here, self.numbers, self.consistency))

    def enough(self, consistency: float) -> int | None:
        """The fewest raters from whom on all panels that were tried reach this consistency.

        An even panel may reach it, as splits at the threshold count, and the next one not.
        """
        short = np.flatnonzero(~(self.consistency >= consistency))
        first = int(short[-1]) + 1 if len(short) else 0
        return self.numbers[first] if first < len(self.numbers) else None


@dataclass(frozen=True, slots=True)
class Ceiling:
    """What one half of an item's raters reaches against the other, by definition."""

    reached: Mapping[str, float]
    #: Raters in a half, the median over items; and splits that the values are means of.
    half: float
    splits: int


@dataclass(frozen=True, slots=True)
class AuditStudy:
    """All that an audit found."""

    judges: tuple[str, ...]
    #: What is rated once: an item, or one of its criteria ("decision").
    unit: str
    people: People
    specification: Specification
    performances: tuple[Performance, ...]
    #: The performances that are compared with one another (`definitions.HEADLINE`), and decisions,
    #: both on the items that every judge rated; each judge's own are in `performances`.
    compared: tuple[Performance, ...]
    choice: Choice
    decisions: Decisions
    decisions_compared: Decisions
    #: Items on which judges are compared, where that is not all that they rated; 0 if they share
    #: none, and are not compared.
    shared: int | None
    #: Judges for whose silence on what people label so none are compared.
    silences: tuple[str, ...]
    #: None with one judge, or with fewer than two definitions that order them.
    rank_consistency: RankConsistency | None
    #: None where no option may hide another.
    hidden: Hidden | None
    #: How much likelier than chance the counted option is chosen: of people (None) and of judges.
    effects: Mapping[str | None, Result]
    lapses: Lapses
    #: None where too few items have two ratings; the ceiling also where nobody had to choose.
    raters: RatersNeeded | None
    ceiling: Ceiling | None
    #: None without groups; undefined where only one of them made forced choices.
    groups: Groups | Undefined | None
    confidence_level: float
    #: Judges that gave one and the same answer to each item they rated.
    one_answer: tuple[str, ...]
    #: Judges whose response sets had to be taken for their forced choices, while people gave sets.
    without_sets: tuple[str, ...]
    #: Judges without a rated verdict, which are left out.
    silent: tuple[str, ...]

    @property
    def by_sets(self) -> bool:
        """Whether anybody gave response sets: measures that rest on these are then others than
        those of the same name that rest on the shares of the options."""
        return any(one.definition.aggregation == "srs/srs" for one in self.compared)

    def rows(self) -> tuple[Row, ...]:
        """Judge by judge, every definition; then what is about people and about the choice."""
        out = [
            Row(one.results[j], {"judge": judge, **_about(one.definition)})
            for j, judge in enumerate(self.judges)
            for one in self.performances
        ]
        if self.choice.chosen is not None:
            number = {"definitions": self.choice.n_definitions}
            out += [
                Row(
                    Estimate(
                        "selection_share",
                        self.choice.share(j),
                        n_items=self.people.n_items,
                        declared=number,
                    ),
                    {"judge": judge, **NOTHING},
                )
                for j, judge in enumerate(self.judges)
            ]
        out += [Row(one, {"judge": judge, **NOTHING}) for judge, one in self.effects.items()]
        return (*out, Row(self.lapses.rate, {"judge": None, **NOTHING}))


def _about(one: Definition) -> dict[str, str | None]:
    declared = {key: str(value) for key, value in (one.declared or {}).items()}
    return {
        "aggregation": one.aggregation,
        "option": declared.get("option"),
        "threshold": declared.get("threshold"),
    }


def study(
    counted: Distributions,
    task: Task,
    settings: Settings | None = None,
    draws: Draws | None = None,
    given: Given | None = None,
) -> AuditStudy:
    """Do conclusions survive that people disagree?"""
    settings, draws, given = settings or Settings(), draws or Draws(), given or Given()
    counted = widest_first(counted)
    level = task.confidence_level
    pairs, options = given.pairs, settings.counted_of(task)
    own = _evaluated(counted, task, settings, draws, pairs)
    sides, definitions, found = own.sides, own.definitions, own.found
    kept = shared_items(counted)
    together = own
    if kept is not None and kept is not counted:
        together = _evaluated(kept, task, settings, draws, pairs)
    every = performances(sides, definitions, found, settings.smoothing)
    head = tuple(every[d] for d in own.head)
    if together is not own:
        alike = performances(together.sides, definitions, together.found, settings.smoothing)
        every = tuple(_one_number(*both) for both in zip(every, alike, strict=True))
        head = tuple(alike[d] for d in own.head)
    elif kept is None:
        every = tuple(replace(one, selects=None) for one in every)
        head = tuple(every[d] for d in own.head)
    own_stream = partial(stream, draws.seed)
    swept = None if kept is None else together
    hidden = _hidden(own, swept, pairs, min(draws.resamples, SWEEP_RESAMPLES), own_stream("beta"))
    raters = _raters_needed(own, own_stream("raters needed"))
    ceiling = _ceiling(sides, own_stream("ceiling")) if raters is not None else None
    # Panels drawn from a fit that cannot tell the majority say nothing of how many raters can.
    split_evenly = bool(found.unknown.any())
    raters = None if split_evenly else raters
    groups = audit_by_group(sides, [definitions[d] for d in own.head], own_stream("groups"))
    target = _targets(own)[0]
    deciding = next(
        one for one in definitions if (one.name, one.aggregation) == ("decision_consistency", "s/s")
    )
    names, assumed = tuple(task.options[k] for k in options), settings.assumes(task)
    return AuditStudy(
        judges=counted.judges,
        unit=counted.unit,
        people=_people(sides, split_evenly),
        specification=specification(counted.options, counted.sets),
        performances=every,
        compared=head,
        choice=choose(
            counted.judges, every, head, None if kept is None else together.found, level=level
        ),
        decisions=decide(sides, deciding, names, assumed),
        decisions_compared=decide(together.sides, deciding, names, assumed),
        shared=None if kept is counted else 0 if kept is None else together.n_items,
        silences=silences(counted) if kept is None else (),
        rank_consistency=None if kept is None else _rank_consistency(together),
        hidden=hidden,
        effects=selection_effects(pairs, sides, own_stream("elicitation"))
        if pairs is not None
        else {},
        lapses=study_lapses(
            sides,
            None if swept is None else swept.sides,
            _selecting(own),
            target,
            given.repeats,
            settings.rater_error,
        ),
        raters=raters,
        ceiling=ceiling,
        groups=groups,
        confidence_level=level,
        one_answer=tuple(name for j, name in enumerate(counted.judges) if _one_answer(sides, j)),
        without_sets=_without_sets(sides),
        silent=tuple(name for name in pairs.judges if name not in counted.judges) if pairs else (),
    )


def _evaluated(
    counted: Distributions,
    task: Task,
    settings: Settings,
    draws: Draws,
    pairs: ElicitationPairs | None,
) -> _Evaluated:
    """Every definition for every judge, on the items that are counted."""
    options = settings.counted_of(task)
    sides = both_sides(
        counted, task, pairs=pairs, threshold=settings.set_threshold, options=options
    )
    definitions = definitions_of(task, settings)
    affordable = replace(draws, panels=_affordable(sides, draws.panels))
    found = bounds(sides, definitions, affordable)
    return _Evaluated(sides, settings, definitions, compared(sides, definitions), found)


@dataclass(frozen=True)
class _Evaluated:
    """Both sides, what is asked, and every definition evaluated; `head` are those compared."""

    sides: Sides
    settings: Settings
    definitions: tuple[Definition, ...]
    head: tuple[int, ...]
    found: Bounds

    @property
    def counted(self) -> tuple[int, ...]:
        return self.sides.reading.counted

    @property
    def n_items(self) -> int:
        """Items that people rated."""
        return int((self.sides.raters > 0).sum())


def _affordable(sides: Sides, panels: int) -> int:
    """Fewer drawn panels for large tables, whose many items need them less."""
    size = sides.judge.forced.size
    return max(4, min(panels, MOST_CELLS // size)) if panels else 0


def _people(sides: Sides, split_evenly: bool) -> People:
    raters = sides.raters[sides.raters > 0]
    return People(
        n_items=len(raters),
        fewest=float(raters.min()),
        median=float(np.median(raters)),
        most=float(raters.max()),
        forced_asked=sides.forced_asked,
        sets_asked=sides.sets_asked,
        split_evenly=split_evenly,
    )


def _one_answer(sides: Sides, judge: int) -> bool:
    rated = sides.counted.judge_forced[judge].sum(-1) > 0
    return bool(rated.any() and (sides.judge.forced[judge][rated].max(-1) > 1 - 1e-9).all())


def _without_sets(sides: Sides) -> tuple[str, ...]:
    if not sides.sets_asked:
        return ()
    sources = zip(sides.counted.judges, sides.judge_sets, strict=True)
    return tuple(judge for judge, source in sources if source.startswith("assumed"))


def _rank_consistency(one: _Evaluated) -> RankConsistency | None:
    """How often two definitions order the judges differently, over resampled items."""
    value, definitions = one.found.value, one.definitions
    if value.shape[1] < 2:
        return None
    kept = [d for d in one.head if np.isfinite(value[d]).all() and definitions[d].better != "zero"]
    if len(kept) < 2:
        return None
    drawn = one.found.found.replicates[:ORDER_RESAMPLES]
    orders = compare_orders(
        np.stack([definitions[d].score(value[d]) for d in kept]),
        np.stack([definitions[d].score(drawn[:, d]) for d in kept], axis=1),
        confidence_level=one.sides.task.confidence_level,
    )
    return RankConsistency(tuple(definitions[d] for d in kept), orders)


def _one_number(own: Performance, together: Performance) -> Performance:
    """What each judge scores on its own items; where these are the shared ones, the same number."""
    results = (
        two if one.n_items == two.n_items else one
        for one, two in zip(own.results, together.results, strict=True)
    )
    return replace(own, results=tuple(results), selects=together.selects)


def _hidden(
    own: _Evaluated,
    swept: _Evaluated | None,
    pairs: ElicitationPairs | None,
    resamples: int,
    rng: np.random.Generator,
) -> Hidden | None:
    """Selections, costs and prevalence as beta grows; None where nothing can be hidden.

    Selections are swept on the items that judges share (`swept`), where they share any. Nothing is
    swept where every item has response sets of people: they hide nothing.
    """
    sides, task = own.sides, own.sides.task
    counted = sides.counted
    names = [task.options[k] for k in own.counted]
    family = Family(counted.options, counted.sets, hidden_options(task, names))
    if not family.may_hide or not any(len(options) > 1 for options in counted.sets):
        return None
    level = task.confidence_level
    implied = implied_betas(pairs, family, confidence_level=level) if pairs is not None else ()
    if not sides.forced_asked or sides.human_sets == "observed":
        return Hidden(family, implied)
    hiding = Hiding(sides.human.forced, family, own.settings.betas)
    prevalence = swept_prevalence(hiding, own.counted, own.settings.thresholds, own.sides.decide)
    sweeps = () if swept is None else _sweeps(swept, hiding, resamples, rng)
    return Hidden(family, implied, sweeps, prevalence)


def _sweeps(
    one: _Evaluated, hiding: Hiding, resamples: int, rng: np.random.Generator
) -> tuple[Sweep, ...]:
    sides, alike = one.sides, one.sides.alike
    weights = np.concatenate(list(multiplicities(alike.times, resamples, rng)))
    judged = Judged(sides.judge.at(alike.items), alike.made, alike.times, weights)
    chosen = replace(hiding, forced=sides.human.forced[alike.items])
    return tuple(
        sweep(chosen.betas, chosen.people(sides.reading), judged, _selecting(one), target)
        for target in _targets(one)
    )


def _selecting(one: _Evaluated) -> list[Definition]:
    """The definitions compared that select a judge, without those of a threshold."""
    head = [one.definitions[d] for d in one.head]
    return [each for each in head if not each.declared and each.better != "zero"]


def _targets(one: _Evaluated) -> list[Definition]:
    """What the judge is for, on response sets at the first threshold; the task's goal first."""
    aims = ["decision_consistency", "estimation_bias"]
    return [
        next(each for each in one.definitions if (each.name, each.aggregation) == (aim, "srs/srs"))
        for aim in (aims[::-1] if one.sides.task.goal == "prevalence" else aims)
    ]


def _raters_needed(one: _Evaluated, rng: np.random.Generator) -> RatersNeeded | None:
    """Panels drawn from the population of raters that is fitted to these ratings."""
    sides = one.sides
    if (sides.raters >= 2).sum() < ENOUGH_ITEMS:
        return None
    # Whether one option is chosen (or accepted) is all that the decision needs.
    people = population(sides, rng)
    share = people.counted("srs" if sides.sets_asked else "s", one.counted)[:, 0]
    share = share[np.isfinite(share)].clip(0, 1)
    decide = partial(sides.decide, option=0, threshold=one.settings.thresholds[0])
    repetitions = max(2, min(REPETITIONS, MOST_DRAWN // len(share)))
    consistency, bias = ratings_needed(
        np.stack([share, 1 - share], axis=1), PANELS, decide, repetitions=repetitions, rng=rng
    )
    here, half = (
        float(np.median(sides.raters[sides.raters > 0])),
        sides.task.reference_ties == "half",
    )
    return RatersNeeded(PANELS, consistency, bias, here, half)


def _ceiling(sides: Sides, rng: np.random.Generator) -> Ceiling | None:
    """What people themselves reach, over random splits of each item's raters."""
    if not sides.forced_asked:
        return None
    counts, ties = sides.counted.human_forced, sides.task.reference_ties

    def hits(one: Array, two: Array) -> Array:
        return hit_rate(hard(one, ties=ties), hard(two, ties=ties))

    reached, splits = {}, max(2, min(SPLITS, MOST_DRAWN // len(counts)))
    for label, metric in (
        ("hit_rate h/h", hits),
        ("jensen_shannon s/s", jensen_shannon),
        ("mean_squared_error s/s", mean_squared_error),
    ):
        halves = [noise_ceiling(metric, counts, rng=rng) for _ in range(splits)]
        if np.isfinite(halves).any():
            reached[label] = float(np.nanmean(halves))
    half = float(np.median(sides.raters[sides.raters > 1])) // 2
    return Ceiling(reached, half, splits)
