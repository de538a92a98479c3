"""From counted ratings to the systems that are compared: two options, several, numbers, battles."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldassay.counts import (
    By,
    PairedScores,
    Units,
    count_paired_scores,
    count_units,
    reference_weights,
    that_weigh,
)
from goldassay.errors import RatingsError, shown
from goldassay.frozen import dataclass
from goldassay.questions.compare.best_judge import BestJudge, best_of_options, best_of_scores
from goldassay.questions.compare.estimates import Kinds, mean_kinds, rate_kinds, score_kinds
from goldassay.questions.compare.needed import best_spent
from goldassay.questions.compare.record import MEAN, RATE, WINS, Measure, Systems
from goldassay.questions.estimate.classes import is_by_verdict, largest_inflation, mean_option
from goldassay.questions.estimate.counting import (
    Patterns,
    estimate_exclusions,
    patterns_of,
    rated_by_people,
    undecided_by,
    with_silent,
)
from goldassay.questions.estimate.design import Drawing, drawing
from goldassay.questions.estimate.estimators import ROGAN_GLADEN
from goldassay.questions.estimate.label_use import OWN_ASSUMES, LabelUse
from goldassay.questions.estimate.sample import Sample
from goldassay.questions.estimate.scores import MeansStudy, study_scores
from goldassay.questions.estimate.shift import shifts_within
from goldassay.questions.estimate.subject import Subject
from goldassay.questions.estimate.systems import group_rates, system_rates
from goldassay.ratings.narrow_ratings import check_known_judges
from goldassay.ratings.scale import option_scores
from goldassay.ratings.table import Ratings
from goldassay.ratings.task import Task
from goldassay.results import Estimate, Exclusion, Interval, Result, Undefined

__all__ = ["Gathered", "Slicing", "differences_by_judge", "gathered", "paired"]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]
Entries = list[tuple[Ints, Array]]

RECOVERED = "MOVER with covariance, simultaneous"


@dataclass(frozen=True, slots=True)
class Slicing:
    """The columns whose values make slices."""

    columns: tuple[str, ...] = ()

    @property
    def name(self) -> str | None:
        return " · ".join(self.columns) or None


@dataclass(frozen=True)
class _Samples:
    """Cells by system, and by slice and system (the same where there are no slices)."""

    whole: Sample
    fine: Sample


@dataclass(frozen=True)
class _Sides:
    """The systems of patterns: codes of whom each entry is about, -1 for nobody listed."""

    systems: tuple[str, ...]
    entries: Entries
    #: Two systems that met different opponents.
    uneven: tuple[str, str] | None = None


def counted_systems(units: Units, subject: Subject, slicing: Slicing) -> Systems | None:
    """The systems of a judge of options; None for fewer than two of them, or without a label."""
    patterns, sides = _patterns_and_sides(units, subject)
    if len(sides.systems) < 2:
        return None
    measure, scores = _measured(units.task, patterns.options)
    slices, codes = _slices(units, slicing, patterns)

    def samples(patterns: Patterns, sides: _Sides) -> _Samples:
        fine = _sample(patterns, sides, slices, codes)
        return _Samples(_summed(fine, sides.systems, len(slices)) if slices else fine, fine)

    decided = samples(patterns, sides)
    drawn = drawing(units.task.calibration, apart=patterns.apart)
    size = len(sides.systems)
    total = decided.whole.total[:size]
    if total[:, :-1].sum() <= 0:
        return None
    silent = _with_silent(units, subject, patterns, sides) if drawn.from_pool else None
    every = decided if silent is None else samples(*silent)
    shared = units.task.shared_labels and scores is None
    use = LabelUse.of(every.whole.total, drawn, shared=shared, asked=range(size))
    used = decided if use.shared else every
    whole, sliced = used.whole, None
    kinds = _kinds(whole, (decided.whole, every.whole), use, scores).only(range(size))
    if slices:
        sliced = _kinds(used.fine, (decided.fine, every.fine), use, scores)
        sliced = sliced.only(range(size * len(slices)))
    alike = None
    if scores is None and not (use.shared or use.complete):
        alike = group_rates(decided.whole, drawn, ROGAN_GLADEN, shared=True).only(range(size))
    asked, undecided = _undecided(units, subject, patterns, sides)
    results = _results((decided.whole, whole), use, kinds, measure, (scores, units.task))
    return Systems(
        measure=measure,
        systems=sides.systems,
        whole=kinds,
        results=results,
        method=f"{'mean, own labels' if scores is not None else use.method}, {RECOVERED}",
        assumption=use.assumption,
        use=use if scores is None else None,
        if_shared=alike,
        column=slicing.name,
        slices=slices,
        sliced=sliced,
        complete=use.complete,
        ties=units.task.ties if units.task.tie is not None else None,
        n_clusters=whole.n_clusters,
        uneven=sides.uneven,
        asked=() if use.complete else asked,
        undecided=() if use.complete else undecided,
        shifts=shifts_within(decided.whole, drawn) if _rests_on_draw(drawn, use, measure) else {},
        spent=None
        if use.shared or not drawn.from_pool or measure is WINS
        else best_spent(
            sides.systems,
            patterns.verdicts,
            total,
            np.array([0.0, 1.0]) if scores is None else scores,
        ),
    )


def _rests_on_draw(drawn: Drawing, use: LabelUse, measure: Measure) -> bool:
    """Whether rates are right only if labelled items are like the others, as is declared."""
    return drawn.declared == "random" and measure is RATE and not (use.complete or use.shared)


def _patterns_and_sides(units: Units, subject: Subject) -> tuple[Patterns, _Sides]:
    """What a judge said of units, and whom each of them is about."""
    patterns = patterns_of(units, subject.judge)
    if patterns.apart and not patterns.references[patterns.used, -1].any():
        patterns = replace(patterns, apart=False)  # all is labelled: that is the pool
    pairwise = units.task.scale == "pairwise"
    return patterns, _battles(units, patterns) if pairwise else _answers(units, patterns)


def _with_silent(
    units: Units, subject: Subject, patterns: Patterns, sides: _Sides
) -> tuple[Patterns, _Sides] | None:
    """With the items of which the judge says nothing, where all of a system's are labelled.

    A battle is of two systems: all of them are labelled, or none counts so.
    """
    if units.task.calibration == "by_label":
        return None
    battles = units.task.scale == "pairwise"
    part = np.zeros(len(units.n), np.int64) if battles else units.by["system"].codes
    found = with_silent(patterns, units, subject.judge, part)
    if found is None:
        return None
    if battles:
        return found, _battles(units, found)
    ((system, _),) = sides.entries
    return found, replace(sides, entries=[(system, found.joint)])


def _undecided(
    units: Units, subject: Subject, patterns: Patterns, sides: _Sides
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Units of each system that the judge was asked about, and those without a verdict; nothing
    where every one has one."""
    silent = undecided_by(units, subject.judge, patterns)
    asked = np.zeros((2, len(sides.systems)), np.int64)
    for system, _ in sides.entries:
        for row, these in enumerate((silent | patterns.used, silent)):
            inside = these & (system >= 0)
            np.add.at(asked[row], system[inside], units.n[inside])
    return (tuple(asked[0].tolist()), tuple(asked[1].tolist())) if asked[1].any() else ((), ())


def _kinds(
    sample: Sample, both: tuple[Sample, Sample], use: LabelUse, scores: Array | None
) -> Kinds:
    decided, every = both
    if scores is None:
        return rate_kinds(sample, use, decided=decided, every=every)
    return mean_kinds(sample, use.drawn, scores, decided=decided)


def _measured(task: Task, options: tuple[str, ...]) -> tuple[Measure, Array | None]:
    """What is compared, and the scores of the options where these are not just two."""
    if task.scale == "pairwise":
        if len(options) == 2:
            return WINS, None
        first = next(option for option in options if option != task.tie)
        # As in a ranking: a tie that is a verdict of its own is no win (one that is left out has
        # no cell).
        wins = {first: 1.0, str(task.tie): 0.0 if task.ties == "class" else 0.5}
        return WINS, np.array([wins.get(option, 0.0) for option in options])
    if len(options) == 2:
        return RATE, None
    return MEAN, np.array(option_scores(options))


def _labels(units: Units, column: str) -> tuple[tuple[str, ...], Ints]:
    return units.by[column].labels, units.by[column].codes


def _answers(units: Units, patterns: Patterns) -> _Sides:
    """Systems in the test, each unit an answer of one; labels of no system are nobody's."""
    labels, codes = _labels(units, "system")
    wanted = patterns.used & (patterns.references[:, -1] > 0 if patterns.apart else True)
    seen = set(np.unique(codes[wanted]).tolist())
    listed = [code for code, label in enumerate(labels) if label and code in seen]
    place = np.full(len(labels), -1, np.int64)
    place[listed] = np.arange(len(listed))
    return _Sides(tuple(labels[code] for code in listed), [(place[codes], patterns.joint)])


def _battles(units: Units, patterns: Patterns) -> _Sides:
    """Both sides of every battle; the second wins where the first loses."""
    first, second = _labels(units, "system"), _labels(units, "opponent")
    names = sorted({label for labels, _ in (first, second) for label in labels if label})
    at = {name: index for index, name in enumerate(names)}

    def codes(side: tuple[tuple[str, ...], Ints]) -> Ints:
        return np.array([at.get(label, -1) for label in side[0]], np.int64)[side[1]]

    # Of two options the positive one, in the last place, is that the first wins.
    options = patterns.options
    won, lost = [o for o in options if o != units.task.tie]
    swap = {won: lost, lost: won}
    place = [options.index(swap.get(option, option)) for option in options]
    columns = [*place, *range(len(options), patterns.shares.shape[1])]
    rows = [*place, len(options)]
    joint = patterns.joint
    if units.task.tie is not None and units.task.ties == "exclude":
        at_tie = options.index(units.task.tie)
        joint[:, at_tie], joint[:, :, at_tie] = 0.0, 0.0
    turned = joint[:, rows][:, :, columns]
    one, two = codes(first), codes(second)
    met = np.zeros((len(names), len(names)), bool)
    fought = patterns.used & (one >= 0) & (two >= 0)
    met[one[fought], two[fought]] = met[two[fought], one[fought]] = True
    return _Sides(tuple(names), [(one, joint), (two, turned)], _uneven(names, met))


def _uneven(names: Sequence[str], met: NDArray[np.bool_]) -> tuple[str, str] | None:
    """The first two systems whose opponents, one another aside, are not the same."""
    for a, b in combinations(range(len(names)), 2):
        others = [k for k in range(len(names)) if k not in (a, b)]
        if (met[a, others] != met[b, others]).any():
            return names[a], names[b]
    return None


def _slices(units: Units, slicing: Slicing, patterns: Patterns) -> tuple[tuple[str, ...], Ints]:
    """The names of the slices, and that of each pattern."""
    if not slicing.columns:
        return (), np.zeros(len(patterns.n), np.int64)
    columns = [np.array(units.by[c].labels, object)[units.by[c].codes] for c in slicing.columns]
    names = np.array([" · ".join(row) for row in zip(*columns, strict=True)], object)
    slices = sorted(set(names[patterns.used]))
    at = {name: index for index, name in enumerate(slices)}
    return tuple(slices), np.array([at.get(name, 0) for name in names], np.int64)


def _sample(patterns: Patterns, sides: _Sides, slices: Sequence[str], codes: Ints) -> Sample:
    """Cells by system, or by slice and system; what is of no listed system is a last group."""
    size = len(sides.systems) * max(len(slices), 1)
    groups = [f"{t} · {s}" for t in slices for s in sides.systems] if slices else sides.systems
    entries: Entries = []
    for system, joint in sides.entries:
        inside = codes * len(sides.systems) + system
        entries.append((np.where(system >= 0, inside, size), joint))
    return patterns.grouped([*groups, ""], entries)


def _summed(fine: Sample, systems: tuple[str, ...], slices: int) -> Sample:
    """The systems over all slices, by the same clusters."""
    cells, rest = fine.cells[:, :-1], fine.cells[:, -1:]
    shape = (len(cells), slices, len(systems), *cells.shape[2:])
    whole = np.concatenate([cells.reshape(shape).sum(1), rest], 1)
    items = fine.counted[:-1].reshape(slices, len(systems), 2).sum(0)
    held = np.concatenate([items, fine.counted[-1:]]).astype(np.int64)
    return replace(fine, groups=(*systems, ""), cells=whole, items=held)


def _results(
    samples: tuple[Sample, Sample],
    use: LabelUse,
    kinds: Kinds,
    measure: Measure,
    told: tuple[Array | None, Task],
) -> tuple[Result, ...]:
    """The systems' own results, as `estimate` has them, from what is decided and from all."""
    scores, task = told
    decided, sample = samples
    drawn, level, size = use.drawn, task.confidence_level, len(kinds.items)
    if measure is RATE:
        rates = system_rates(
            decided, drawn, shared=use.shared, confidence_level=level, whole=sample
        )
        assert rates is not None
        return rates.rates
    if scores is not None:
        found: list[Result] = []
        for g in range(size):
            part = sample.part([g])
            inflation = largest_inflation(part, level) if is_by_verdict(part, drawn) else 1.0
            found.append(
                replace(mean_option(part, drawn, scores, level, inflation), name=measure.name)
            )
        return tuple(found)
    low, high = kinds.corrected.alone(level)

    def rate(g: int) -> Result:
        value, items = float(kinds.corrected.value[g]), round(kinds.items[g])
        if np.isnan(value):
            return Undefined(measure.name, "no battle of it is labelled", items)
        interval = Interval(float(low[g]), float(high[g]), level, use.method)
        return Estimate(
            measure.name,
            value,
            interval,
            items,
            kinds.corrected.clusters_of(g),
            assumptions=(use.assumption,),
        )

    return tuple(rate(g) for g in range(size))


def _scored(scores: PairedScores, subject: Subject) -> tuple[Mask, Mask, list[int]]:
    """What a judge is asked about, what it scored of that, and the systems among this."""
    by = scores.by["system"]
    inside = np.ones(len(scores.people), bool)
    if subject.criterion is not None:
        criteria = scores.by["criterion"]
        inside = criteria.codes == criteria.labels.index(subject.criterion)
    judged = inside & ~np.isnan(scores.judge[scores.judges.index(subject.judge)])
    seen = set(np.unique(by.codes[judged]).tolist())
    return inside, judged, [i for i, name in enumerate(by.labels) if name and i in seen]


def scored_systems(
    scores: PairedScores, subject: Subject, slicing: Slicing, means: MeansStudy
) -> Systems | None:
    """The systems of a judge of numbers; None for fewer than two of them."""
    by = scores.by["system"]
    inside, judged, listed = _scored(scores, subject)
    if len(listed) < 2:
        return None
    systems = tuple(by.labels[i] for i in listed)
    masks = [inside & (by.codes == i) for i in listed]
    bounds = (-np.inf, np.inf)
    kinds = score_kinds(scores, subject.judge, masks, bounds, design=means.design)
    slices: tuple[str, ...] = ()
    sliced = None
    if slicing.columns:
        columns = [
            np.array(scores.by[c].labels, object)[scores.by[c].codes] for c in slicing.columns
        ]
        names = np.array([" · ".join(row) for row in zip(*columns, strict=True)], object)
        slices = tuple(sorted(set(names[judged])))
        parts = [mask & (names == one) for one in slices for mask in masks]
        sliced = score_kinds(scores, subject.judge, parts, bounds, design=means.design)
    own = {
        one.subject.system: one
        for one in means.means
        if (one.subject.judge, one.subject.criterion) == (subject.judge, subject.criterion)
    }
    return Systems(
        measure=MEAN,
        systems=systems,
        whole=kinds,
        results=tuple(own[name].mean for name in systems),
        method=f"PPI++, own labels, {RECOVERED}",
        assumption=OWN_ASSUMES,
        column=slicing.name,
        slices=slices,
        sliced=sliced,
        complete=bool((kinds.labelled >= kinds.items).all()),
        n_clusters=scores.n_clusters,
        other_scale=any(one.other_scale for one in own.values()),
    )


def paired(ratings: Ratings) -> Ratings:
    """Prompts are what systems share where the item is one system's answer."""
    if ratings.cluster != "item" or "prompt" not in ratings.columns:
        return ratings
    name = "paired by prompt"
    if name not in ratings.found:
        ratings.found[name] = replace(ratings, task=replace(ratings.task, cluster="prompt"))
    found: Ratings = ratings.found[name]
    return found


@dataclass(frozen=True)
class Gathered:
    """Every judge and criterion with its systems, and the judge that agrees best with people."""

    systems: list[tuple[Subject, Systems | None]]
    exclusions: tuple[Exclusion, ...]
    #: None of one judge, or where no label tells.
    best: BestJudge | None
    #: Units that no person rated, and those that people rated and left without a label; None of
    #: scores, which are never divided.
    unrated: int | None = None
    without_label: int = 0


def gathered(ratings: Ratings, judges: tuple[str, ...], slicing: Slicing) -> Gathered:
    """Every judge and criterion with its systems."""
    task = ratings.task
    if task.scale == "continuous":
        scores = _counted_scores(ratings, slicing)
        named = _judges(judges, scores.judges)
        means = study_scores(scores, task)
        subjects = _subjects(scores.by, named)
        found = [(one, scored_systems(scores, one, slicing, means)) for one in subjects]
        _enough({name for _, one in found if one for name in one.systems}, scores.by, ratings)
        return Gathered(found, scores.exclusions, best_of_scores(scores, named))
    units = _counted_units(ratings, slicing)
    named = _judges(judges, units.judge_names)
    counted = []
    for part, subject in _parts(units, named):
        name = f"systems of {subject} by {slicing}"
        if name not in units.found:  # a report asks for them in `compare`, and in `rank` again
            units.found[name] = counted_systems(part, subject, slicing)
        counted.append((subject, units.found[name]))
    _enough({name for _, one in counted if one for name in one.systems}, units.by, ratings)
    by = () if task.scale == "pairwise" else ("system",)
    exclusions = (*units.exclusions, *estimate_exclusions(units, complete_by=by))
    rated, has_label = rated_by_people(units), reference_weights(units)[2] == 0
    return Gathered(
        counted,
        exclusions,
        best_of_options(units, named),
        unrated=int(units.n[~rated].sum()),
        without_label=int(units.n[rated & ~has_label].sum()),
    )


def differences_by_judge(ratings: Ratings) -> dict[str, int]:
    """How many differences of systems each judge has, where it has any; none of them is made."""
    found: dict[str, int] = {}
    if ratings.task.scale == "continuous":
        scores = _counted_scores(ratings, Slicing())
        for subject in _subjects(scores.by, scores.judges):
            systems = len(_scored(scores, subject)[2])
            found[subject.judge] = found.get(subject.judge, 0) + math.comb(systems, 2)
    else:
        units = _counted_units(ratings, Slicing())
        for part, subject in _parts(units, units.judge_names):
            patterns, sides = _patterns_and_sides(part, subject)
            labelled = any(
                joint[patterns.used & (system >= 0), :-1].any() for system, joint in sides.entries
            )
            number = math.comb(len(sides.systems), 2) if labelled else 0
            found[subject.judge] = found.get(subject.judge, 0) + number
    return {judge: number for judge, number in found.items() if number}


def _counted_scores(ratings: Ratings, slicing: Slicing) -> PairedScores:
    split = [name for name in ("system", "split") if name in ratings.columns]
    return count_paired_scores(ratings, by=list(dict.fromkeys([*split, *slicing.columns])))


def _counted_units(ratings: Ratings, slicing: Slicing) -> Units:
    opponent = ["opponent"] if ratings.task.scale == "pairwise" else []
    return that_weigh(count_units(ratings, by=[*opponent, *slicing.columns]))


def _subjects(by: Mapping[str, By], judges: Sequence[str]) -> list[Subject]:
    criteria = by["criterion"].labels if "criterion" in by else ()
    return [Subject(name, one or None) for one in criteria or (None,) for name in judges]


def _parts(units: Units, judges: Sequence[str]) -> Iterator[tuple[Units, Subject]]:
    """Every criterion and judge, with the units of the criterion."""
    criteria = units.by["criterion"].labels if "criterion" in units.by else ()
    for criterion in criteria or (None,):
        part = units if criterion is None else units.only("criterion", criterion)
        for name in judges:
            yield part, Subject(name, criterion or None)


def _judges(asked: tuple[str, ...], known: Sequence[str]) -> Sequence[str]:
    check_known_judges(asked, known)
    return asked or known


def _enough(compared_systems: set[str], by: Any, ratings: Ratings) -> None:
    """At least two systems in the table."""
    columns = ("system", "opponent") if ratings.task.scale == "pairwise" else ("system",)
    names = sorted({label for c in columns if c in by for label in by[c].labels if label})
    if len(names) < 2 and not compared_systems:
        raise RatingsError(
            f"{ratings.name}, column system",
            "at least two systems are compared",
            found=f"{shown(names[0])} alone" if names else "no system",
            next_step="Add the ratings of a second system on the same prompts; several files are "
            "read as one table",
        )
