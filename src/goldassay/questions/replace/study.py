"""The alternative annotator test of every judge: person by person, and what it comes to.

Calderon, Reichart and Dror (2025). For each person j, over the items that j rated: how often is the
judge at least as close to the other people as j (`judge_wins`), and how often is j at least as
close as the judge (`person_wins`)? Refuted is, person by person, that the first falls short of the
second by epsilon or more. The judge may stand in for a person where that is refuted for at least
half of them: false discoveries among people are held at 1 - confidence level, and so is the error
of the verdict, both under any dependence.

The test is not the paper's t-test but the score test of `inference/noninferiority.py`.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from goldassay.counts import Persons
from goldassay.errors import RatingsError, UsageError, shown
from goldassay.frozen import dataclass
from goldassay.inference.clusters import (
    cautious_design_effect_of_share,
    few_cluster_factor,
    worth_in_equal_clusters,
)
from goldassay.inference.noninferiority import (
    Differences,
    at_least,
    differences_of,
    false_discoveries,
    items_for,
)
from goldassay.inference.proportions import binomial
from goldassay.inference.selected import Selected, raters_of_selections
from goldassay.questions.replace.closeness import Closeness, closeness
from goldassay.ratings.task import Task
from goldassay.results import Estimate, Interval, Result, Row, Undefined

__all__ = ["Compared", "JudgeStudy", "ReplaceStudy", "Settings", "Slice", "study"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

#: Whether a judge may stand in; "unknown" where neither is shown, "few" where too few ratings.
Verdict = Literal["yes", "no", "unknown", "few"]

#: The share of people for whom it must be shown.
NEEDED_SHARE = 0.5
METHOD = "score, continuity corrected"
#: Clusters with wins and losses that it takes to believe the design effect they show as much as the
#: largest one; chosen by simulated coverage.
DOUBT = 2.0


@dataclass(frozen=True)
class Settings:
    """How much worse than a person a judge may be, and items below which a person is left out."""

    epsilon: float = 0.15
    min_items: int = 30

    def __post_init__(self) -> None:
        if not 0 <= self.epsilon < 1:
            raise UsageError(
                "epsilon",
                "must be at least 0 and below 1: how much closer a person may be and still be "
                "replaced",
                found=shown(self.epsilon),
                next_step="0.2 suits experts, 0.15 skilled raters, 0.1 a crowd",
            )
        if self.min_items < 2:
            raise UsageError("min_items", "must be at least 2", found=shown(self.min_items))


@dataclass(frozen=True)
class Compared:
    """A judge held against one person."""

    person: str
    #: `judge_wins` less `person_wins`, with its interval.
    advantage: Estimate
    judge_wins: float
    person_wins: float
    p_value: float
    #: Whether the judge is shown to be at least as close, less epsilon; or not to be.
    matched: bool
    worse: bool


@dataclass(frozen=True)
class JudgeStudy:
    """A judge held against all people who rated enough; `left_out` rated fewer items."""

    judge: str
    verdict: Verdict
    people: tuple[Compared, ...]
    left_out: tuple[tuple[str, int], ...]
    winning_rate: Result
    advantage_probability: Result
    n_items: int
    #: Units of two people's ratings that it decides, and those on which it gives no verdict.
    decided: int = 0
    silent: int = 0
    #: What it says of everything, where it says one thing only.
    constant: str | None = None
    #: What a rater may say of each of these units and pass too, where something is.
    always: str | None = None
    #: Items by each person that would show it, were the judge as close as it looks here.
    items_needed: int | None = None

    @property
    def matched(self) -> tuple[str, ...]:
        return tuple(one.person for one in self.people if one.matched)

    @property
    def worse(self) -> tuple[str, ...]:
        return tuple(one.person for one in self.people if one.worse)

    @property
    def needed(self) -> int:
        """For how many people it must be shown."""
        return math.ceil(NEEDED_SHARE * len(self.people))


@dataclass(frozen=True)
class Slice:
    """The judges on the units with one label of a column, each slice by itself."""

    column: str
    label: str
    judges: tuple[JudgeStudy, ...]


@dataclass(frozen=True)
class ReplaceStudy:
    """All judges, the one that is most often as close as a person first."""

    judges: tuple[JudgeStudy, ...]
    settings: Settings
    task: Task
    people: tuple[str, ...]
    clustered: bool
    #: What is rated once: an item, or a decision where an item has several.
    unit: str = "item"
    slices: tuple[Slice, ...] = ()
    #: People who rated a selection of items, those on which the others differ.
    selected: tuple[Selected, ...] = ()

    def rows(self) -> tuple[Row, ...]:
        found = []
        for one in self.judges:
            about = {"judge": one.judge}
            found += [Row(one.advantage_probability, about), Row(one.winning_rate, about)]
            found += [Row(p.advantage, {**about, "rater": p.person}) for p in one.people]
        for part in self.slices:
            for one in part.judges:
                about = {"judge": one.judge, part.column: part.label}
                found += [Row(one.advantage_probability, about), Row(one.winning_rate, about)]
        return tuple(found)

    def tests(self) -> list[dict[str, Any]]:
        """Every test of a judge against a person, as plain records."""
        return [
            {
                "judge": one.judge,
                "rater": person.person,
                "items": person.advantage.n_items,
                "judge_wins": person.judge_wins,
                "person_wins": person.person_wins,
                "p_value": person.p_value,
                "matched": person.matched,
                "worse": person.worse,
            }
            for one in self.judges
            for person in one.people
        ]


def study(counted: Persons, task: Task, settings: Settings, *, place: str) -> ReplaceStudy:
    """Every judge against every person; an error where no two people share an item with a judge."""
    _check_constant(counted, task, place)
    decided, silent = (
        dict(zip(counted.judges, numbers, strict=False))
        for numbers in (counted.decided, counted.silent)
    )
    found = tuple(
        replace(
            one,
            decided=decided.get(one.judge, 0),
            silent=silent.get(one.judge, 0),
            always=_always(one, counted, task, settings),
        )
        for one in _judges(counted, task, settings)
    )
    clustered = len(np.unique(counted.cluster)) < counted.n_units
    slices = tuple(
        Slice(column, label, _judges(counted.within(column, label), task, settings))
        for column, by in counted.by.items()
        for label in by.labels
    )
    return ReplaceStudy(
        found,
        settings,
        task,
        counted.people,
        clustered,
        counted.unit,
        slices,
        () if task.scale == "continuous" else _selected(counted, len(task.options)),
    )


def _selected(counted: Persons, options: int) -> tuple[Selected, ...]:
    verdict = np.full((counted.n_units, len(counted.people)), -1, np.int64)
    verdict[counted.person_unit, counted.person] = counted.person_value
    once = np.ones(counted.n_units, np.int64)
    return raters_of_selections(verdict, once, counted.people, options)


def _judges(counted: Persons, task: Task, settings: Settings) -> tuple[JudgeStudy, ...]:
    """Every judge, the one that is most often as close as a person first; level ones by how much
    they decide."""
    found = [
        _judge(name, closeness(counted, j, task), counted, task, settings)
        for j, name in enumerate(counted.judges)
    ]
    found.sort(key=lambda one: (-_value(one.advantage_probability), -one.n_items, one.judge))
    return tuple(found)


def _value(result: Result) -> float:
    return result.value if isinstance(result, Estimate) else -1.0


def _check_constant(counted: Persons, task: Task, place: str) -> None:
    given = np.unique(counted.person_value)
    if len(given) > 1:
        return
    one = float(given[0])
    text = task.options[int(one)] if 0 <= one < len(task.options) and task.options else one
    raise RatingsError(
        place,
        "people must differ somewhere: where all always say the same, closeness tells nothing",
        found=f"{shown(text)} in all {len(counted.person_value):,} of their ratings",
        next_step="Add items on which people's ratings differ, or check the column of values",
    )


def _judge(
    name: str, near: Closeness, counted: Persons, task: Task, settings: Settings
) -> JudgeStudy:
    """One judge: a test for each person with enough items, and the share of those it passes."""
    number = np.bincount(near.person, minlength=len(counted.people))
    enough = np.flatnonzero(number >= settings.min_items)
    left_out = tuple((counted.people[j], int(n)) for j, n in enumerate(number) if j not in enough)
    kept = np.isin(near.person, enough)
    n_items = len(np.unique(near.unit[kept]))
    if len(enough) < 2:
        reason = f"fewer than two people have {settings.min_items} items that the judge rated too"
        rate, probability = (
            Undefined(one, reason, n_items) for one in ("winning_rate", "advantage_probability")
        )
        return JudgeStudy(name, "few", (), left_out, rate, probability, n_items)
    level, epsilon = 1 - task.confidence_level, settings.epsilon
    seen, wins = [], []
    for j in enough:
        mine = near.person == j
        wins.append((float(near.judge_wins[mine].mean()), float(near.person_wins[mine].mean())))
        d = near.person_wins[mine] - near.judge_wins[mine]
        seen.append(differences_of(d, counted.cluster[near.unit[mine]]))
    p_values = [one.below(epsilon) for one in seen]
    matched = false_discoveries(p_values, level)
    opposite = [one.above(epsilon) for one in seen]
    worse = false_discoveries(opposite, level)
    people = tuple(
        Compared(
            counted.people[j],
            _advantage(seen[k], task.confidence_level),
            *wins[k],
            p_values[k],
            bool(matched[k]),
            bool(worse[k]),
        )
        for k, j in enumerate(enough)
    )
    verdict = _verdict((p_values, matched), (opposite, worse), level)
    declared = {"epsilon": epsilon, "people": len(people)}
    return JudgeStudy(
        name,
        verdict,
        people,
        left_out,
        Estimate("winning_rate", float(matched.mean()), None, n_items, declared=declared),
        _probability(near, kept, counted, task.confidence_level),
        n_items,
        constant=_constant(name, counted, task),
        items_needed=_items_needed(seen, epsilon, level) if verdict == "unknown" else None,
    )


def _constant(judge: str, counted: Persons, task: Task) -> str | None:
    given = np.unique(counted.judge_value[counted.judge == counted.judges.index(judge)])
    if len(given) != 1 or not 0 <= given[0] < len(task.options):
        return None
    return task.options[int(given[0])]


def _always(one: JudgeStudy, counted: Persons, task: Task, settings: Settings) -> str | None:
    """What people say most, or their median where labels have an order, if that alone would pass.

    Tried on the units and with the answers of a judge that passes, each of which says it.
    """
    if one.verdict != "yes":
        return None
    at = counted.judges.index(one.judge)
    options = len(task.options)
    given = counted.person_value
    tried = []
    if task.scale != "continuous":
        given = given[given < options]
        tried = [float(np.bincount(given.astype(np.int64)).argmax())]
    if task.scale in ("ordinal", "continuous"):
        tried.append(float(np.quantile(given, 0.5, method="inverted_cdf")))
    for value in dict.fromkeys(tried):
        said = np.where(counted.judge == at, value, counted.judge_value)
        alike = replace(counted, judge_value=said)
        passed = _judge(one.judge, closeness(alike, at, task), alike, task, settings)
        if passed.verdict == "yes":
            return f"{value:.3g}" if task.scale == "continuous" else task.options[int(value)]
    return None


Tested = tuple[list[float], npt.NDArray[np.bool_]]


def _verdict(closer: Tested, farther: Tested, level: float) -> Verdict:
    """Yes where half of the people are matched, no where more than half are closer than the judge.

    Beyond the false discoveries among single people, the verdict itself is held at `level`: that
    at least so many are matched (or closer) is tested as one hypothesis.
    """
    people = len(closer[0])
    half = math.ceil(NEEDED_SHARE * people)

    def shown_for(tested: Tested, number: int) -> bool:
        p_values, refuted = tested
        return bool(refuted.sum() >= number) and at_least(p_values, number) <= level

    if shown_for(closer, half):
        return "yes"
    return "no" if shown_for(farther, people - half + 1) else "unknown"


def _advantage(seen: Differences, confidence_level: float) -> Estimate:
    """The judge's advantage, which is -d, with the interval of the test turned round."""
    low, high = seen.interval(confidence_level)
    interval = None
    if seen.n_clusters > 1:
        interval = Interval(-high, -low, confidence_level, METHOD)
    return Estimate("advantage", -seen.mean + 0.0, interval, seen.n_items, seen.n_clusters)


def _probability(
    near: Closeness, kept: npt.NDArray[np.bool_], counted: Persons, confidence_level: float
) -> Estimate:
    """The mean over people of `judge_wins`; clusters are drawn, people are those that there are.

    The interval is a share's of as many comparisons as these are worth by a cautious design effect,
    with Student's t for few clusters or unequal ones. Each person weighs alike.
    """
    person, wins = near.person[kept], near.judge_wins[kept]
    _, person = np.unique(person, return_inverse=True)
    number = np.bincount(person).astype(np.float64)
    each = np.bincount(person, wins) / number
    value = float(each.mean())
    weight = len(wins) / (number[person] * len(number))
    _, cluster = np.unique(counted.cluster[near.unit[kept]], return_inverse=True)
    clusters = int(cluster.max()) + 1
    n_items = len(np.unique(near.unit[kept]))
    if clusters < 2:
        return Estimate("advantage_probability", value, None, n_items, clusters)
    hits, sizes = (np.bincount(cluster, w).astype(np.float64) for w in (weight * wins, weight))
    once = np.ones(clusters)
    effect = float(cautious_design_effect_of_share(hits, sizes, once, doubt=DOUBT))
    worth = max(float(worth_in_equal_clusters(sizes)), 2.0)
    student = few_cluster_factor(worth, confidence_level)
    size = max(len(wins) / (effect * student**2), 1.0)
    low, high = binomial(value * size, size, confidence_level=confidence_level)
    interval = Interval(float(low), float(high), confidence_level, "hedged, by clusters")
    return Estimate("advantage_probability", value, interval, n_items, clusters)


def _items_needed(seen: list[Differences], epsilon: float, level: float) -> int | None:
    """Items per person after which it would be shown for half of the people; None if never.

    Each is tested at the level at which half of them are refuted together.
    """
    m = len(seen)
    half = math.ceil(NEEDED_SHARE * m)
    at = min(level * half / (m * sum(1 / k for k in range(1, m + 1))), level / (m - half + 1))
    needed = sorted(items_for(one, epsilon, level=at) for one in seen)[half - 1]
    return None if math.isinf(needed) else math.ceil(needed)
