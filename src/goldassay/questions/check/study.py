"""What is in a table of ratings, and what would be left out of which question."""

from __future__ import annotations

from dataclasses import field, replace

import narwhals as nw
import numpy as np

from goldassay.counts import (
    Units,
    count_units,
    only_divided,
    pairing_exclusions,
    reference_weights,
    that_weigh,
    unit_word,
)
from goldassay.frozen import dataclass
from goldassay.questions.check.answerable import Answerable, Held, answerable
from goldassay.questions.check.doubts import Doubts, doubts
from goldassay.ratings.duplicates import each_once
from goldassay.ratings.fetch import fetch
from goldassay.ratings.options import suggested_cut
from goldassay.ratings.table import Ratings
from goldassay.results import Exclusion

__all__ = ["CheckStudy", "Clusters", "Labels", "Overlap", "RaterRows", "study"]

#: Of a rater's rows, in the order of the table.
STATES = ("rated", "abstained", "invalid", "failed", "empty")


@dataclass(frozen=True, slots=True)
class RaterRows:
    """A rater's rows by state (`STATES`)."""

    rater: str
    kind: str
    states: tuple[int, ...]

    @property
    def rows(self) -> int:
        return sum(self.states)

    @property
    def abstains(self) -> float:
        """Share of the rows with a rating, or none given on purpose, that abstain."""
        return self.states[1] / max(sum(self.states[:4]), 1)


@dataclass(frozen=True, slots=True)
class Labels:
    """How often people and judges used a label."""

    label: str
    by_people: int
    by_judges: int


@dataclass(frozen=True, slots=True)
class Overlap:
    """What a judge rated, and how much of it people rated too."""

    judge: str
    repeats: int
    rated: int
    missing: int
    with_people: int


@dataclass(frozen=True, slots=True)
class Clusters:
    """The declared resampling unit: how many, and of how many units."""

    column: str
    number: int
    single: bool
    smallest: int = 1
    largest: int = 1
    mean: float = 1.0


@dataclass(frozen=True, slots=True)
class CheckStudy:
    """The table as it is; what is about options is None on a continuous scale."""

    rows_read: int
    units: int
    people: int
    #: References where there are no people.
    references: int
    judges: int
    raters: tuple[RaterRows, ...]
    exclusions: tuple[Exclusion, ...]
    labels: tuple[Labels, ...] | None = None
    overlaps: tuple[Overlap, ...] | None = None
    #: Units rated by people, the most ratings of one, and units that divide people.
    labelled: tuple[int, int, int] = (0, 0, 0)
    clusters: Clusters | None = None
    #: The table has a column `cluster`, and the task does not use it.
    unused_cluster: bool = False
    scale: str = ""
    #: What is rated once (`counts/units.unit_word`).
    unit: str = "item"
    options: tuple[str, ...] = ()
    questions: tuple[Answerable, ...] = ()
    doubts: Doubts = field(default_factory=Doubts)
    #: The files as a command names them (none for a frame), and whether the task was guessed.
    files: tuple[str, ...] = ()
    guessed: bool = False
    #: The options that ask about the same rows, the task first.
    asked: tuple[str, ...] = ()


def study(ratings: Ratings, asked: tuple[str, ...] = ()) -> CheckStudy:
    """Raters, options, repeats, missing cells, clusters, overlap; the exclusions of `agree`."""
    scored = ratings.task.scale == "continuous"
    # Scores are not counted here; rows that the questions refuse are refused alike.
    ratings = each_once(ratings, parts=False) if scored else ratings
    units = None if scored else count_units(ratings)
    found = CheckStudy(
        rows_read=ratings.census.rows,
        units=_units(ratings) if units is None else int(units.n.sum()),
        people=0 if ratings.references else len(ratings.humans),
        references=len(ratings.references),
        judges=len(ratings.judges),
        raters=_raters(ratings),
        exclusions=(*ratings.exclusions, *ratings.not_rated()),
    )
    found = replace(
        found,
        scale=ratings.task.scale,
        options=ratings.task.options,
        doubts=doubts(ratings, units),
        files=tuple(ratings.name.split(" + ")) if _from_files(ratings) else (),
        guessed=bool(ratings.assumed),
        asked=asked,
    )
    found = replace(found, questions=answerable(_held(ratings, units)), unit=_unit(ratings, units))
    if units is None:
        return found
    both = bool(units.judge_names and ratings.humans)
    weighing = that_weigh(units) if both else units
    return replace(
        found,
        # Without judges or without people nothing is paired: no rating is left out of a pair.
        exclusions=(
            *weighing.exclusions,
            *(pairing_exclusions(weighing) if both else ratings.not_rated()),
        ),
        labels=_labels(units),
        overlaps=tuple(_overlap(units, judge) for judge in units.judge_names) if both else None,
        labelled=_labelled(units),
        clusters=_clusters(ratings, units),
        unused_cluster="cluster" in ratings.columns and ratings.cluster == "item",
    )


def _from_files(ratings: Ratings) -> bool:
    return all(one.sha256 is not None for one in ratings.inputs)


def _unit(ratings: Ratings, units: Units | None) -> str:
    """What is rated once, in a word."""
    if units is not None:
        return units.word
    known = [name for name in ("criterion", "system") if name in ratings.columns]
    if not known:
        return "item"
    each = fetch(
        ratings.frame.select(**{name: nw.col(name).n_unique() for name in known}),
        place=ratings.name,
    )
    number = {name: int(each[name][0]) for name in known}
    criteria, systems = number.get("criterion", 0), number.get("system", 0)
    return unit_word(ratings.task.scale, criteria=criteria, systems=systems)


def _held(ratings: Ratings, units: Units | None) -> Held:
    """What decides which questions can be answered."""
    key, kind = list(ratings.unit), nw.col("kind")
    counts = ["rated"]
    counts += [] if ratings.task.abstentions == "exclude" else ["abstained"]
    counted = ratings.frame.filter(nw.col("status").is_in(counts)).with_columns(
        by_judge=nw.when(kind == nw.lit("judge")).then(nw.lit(1)).otherwise(nw.lit(0)),
        by_people=nw.when(kind == nw.lit("human")).then(nw.lit(1)).otherwise(nw.lit(0)),
    )
    per_unit = counted.group_by(*key).agg(nw.col("by_judge").max(), nw.col("by_people").sum())
    judged = per_unit.filter(nw.col("by_judge") == 1)
    labelled = nw.when(nw.col("by_people") > 0).then(nw.lit(1)).otherwise(nw.lit(0))
    sums = fetch(
        judged.select(n=nw.len(), shared=labelled.sum(), most=nw.col("by_people").max()),
        place=ratings.name,
    )
    total, shared = int(sums["n"][0]), int(sums["shared"][0] or 0) if int(sums["n"][0]) else 0
    systems = 0
    if "system" in ratings.columns:
        named = ratings.frame.select(n=nw.col("system").n_unique())
        systems = int(fetch(named, place=ratings.name)["n"][0])
    return Held(
        scale=ratings.task.scale,
        cut=None if ratings.task.options else suggested_cut(ratings),
        people=len(ratings.humans),
        judges=len(ratings.judges),
        systems=systems + ("opponent" in ratings.columns),
        shared=shared,
        referred=bool(ratings.references),
        most_people=_labelled(units)[1] if units is not None else int(sums["most"][0] or 0),
        partly=0 < shared < total,
        judged=total > 0,
        drawn=ratings.task.calibration is not None,
        sureness="score" in ratings.columns or _repeats_tell(units) or _judges_tell(units),
        timed=bool({"batch", "time"} & set(ratings.columns)),
        positive=ratings.task.positive is not None,
        options=len(ratings.task.options),
        scored="score" in ratings.columns,
        goal=ratings.task.goal,
        ranked="system" in ratings.columns,
        only_class=None if units is None else _only_class(units),
        declared=not ratings.assumed,
        divided=units is not None and only_divided(units),
    )


def _repeats_tell(units: Units | None) -> bool:
    """Whether some judge answered several times, by sample or in both orders."""
    names = () if units is None else units.judge_names
    return any(len(units.columns_of(one)) > 1 for one in names if units is not None)


def _only_class(units: Units) -> str | None:
    """The one class that people's reference of what judges decide has; None where it has others."""
    size, as_class = len(units.options), units.task.abstentions == "class"
    decided = ((units.verdict >= 0) & (units.verdict < size)).any(axis=1)
    reference, _, _ = reference_weights(units, abstained=as_class)
    seen = np.flatnonzero(reference[decided].any(axis=0))
    return (*units.options, "abstained")[seen[0]] if len(seen) == 1 else None


def _judges_tell(units: Units | None) -> bool:
    """Whether the share of judges that give the commonest option differs between units.

    Of two judges: whether they agree on some and differ, or one is silent, on others.
    """
    if units is None or not len(units.n):
        return False
    size = len(units.options)
    votes = np.zeros((len(units.n), size))
    for name in units.judge_names:
        verdict = units.verdict[:, units.columns_of(name)[0]]
        rows = np.flatnonzero((verdict >= 0) & (verdict < size))
        votes[rows, verdict[rows]] += 1
    most = votes.max(axis=1, initial=0)
    alone = (votes == most[:, None]).sum(axis=1) == 1
    if len(units.judge_names) == 2:
        both = most == 2
        return bool(both.any() and not both.all())
    return len(np.unique(most[alone])) > 1


def _units(ratings: Ratings) -> int:
    """What raters rate once: an item, of a system, by a criterion."""
    distinct = ratings.frame.group_by(*ratings.unit).agg(rows=nw.len())
    return int(fetch(distinct.select(n=nw.len()), place=ratings.name)["n"][0])


def _raters(ratings: Ratings) -> tuple[RaterRows, ...]:
    census = ratings.census
    return tuple(
        RaterRows(
            rater,
            "reference" if rater in ratings.references else kind,
            tuple(census.total(kind=kind, rater=rater, status=state) for state in STATES),
        )
        for kind in ("judge", "human")
        for rater in census.raters(kind)
    )


def _labels(units: Units) -> tuple[Labels, ...]:
    size = len(units.options)
    people = (units.human * units.n[:, None]).sum(axis=0)
    found = []
    for code, label in enumerate((*units.options, "(abstained)", "(invalid)", "(failed)")):
        judged = int(((units.verdict == code).sum(axis=1) * units.n).sum())
        if code < size or judged or people[code]:
            found.append(Labels(label, int(people[code]), judged))
    return tuple(found)


def _overlap(units: Units, judge: str) -> Overlap:
    size, total = len(units.options), int(units.n.sum())
    verdicts = units.verdict[:, units.columns_of(judge)]
    seen = int(units.n[(verdicts >= 0).any(axis=1)].sum())
    rated = ((verdicts >= 0) & (verdicts < size)).any(axis=1)
    people = units.human[:, :size].any(axis=1)
    shared = int(units.n[rated & people].sum())
    return Overlap(judge, verdicts.shape[1], seen, total - seen, shared)


def _labelled(units: Units) -> tuple[int, int, int]:
    people = units.human.sum(axis=1)
    divided = (units.human[:, : len(units.options)] > 0).sum(axis=1) > 1
    most = int(people.max()) if len(people) else 0
    return int(units.n[people > 0].sum()), most, int(units.n[divided].sum())


def _clusters(ratings: Ratings, units: Units) -> Clusters:
    if units.single:
        return Clusters(ratings.cluster, units.n_clusters, single=True)
    sizes = np.bincount(units.cluster, weights=units.n, minlength=units.n_clusters)
    mean = int(units.n.sum()) / max(units.n_clusters, 1)
    return Clusters(
        ratings.cluster, units.n_clusters, False, int(sizes.min()), int(sizes.max()), mean
    )
