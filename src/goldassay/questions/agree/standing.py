"""Which judge agrees most with people, and which others cannot be told from it.

Judges are compared on the items that all compared ones decide (`inference.comparable`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, field, replace

import numpy as np
import numpy.typing as npt

from goldassay.counts import PairedScores, by_cluster
from goldassay.formulas.correlation import pearson
from goldassay.frozen import dataclass
from goldassay.glossary import SHARED, is_rate
from goldassay.inference.cells import Cells, joined, total_of
from goldassay.inference.clusters import student_quantile, worth_in_equal_clusters
from goldassay.inference.comparable import Lack, Shared, shared_items
from goldassay.inference.comparison import (
    MOST_APART,
    Comparison,
    compare,
    joint_draws,
    same_verdicts,
    square_and_add,
    widening,
)
from goldassay.inference.draw import Draw
from goldassay.inference.jackknife import left_out_groups, without_each
from goldassay.metrics.registry import TABLE_METRICS
from goldassay.metrics.tables import Setting, TableMetric
from goldassay.questions.agree.judges import (
    Reading,
    counted,
    metrics_for,
    micro_results,
    setting_of,
)
from goldassay.questions.agree.modes import Tables
from goldassay.questions.agree.scores import correlation_results
from goldassay.questions.cluster_sizes import size_warnings_of_tables
from goldassay.results import Estimate, Interval, Result, Undefined
from goldassay.words import listed, named, percent

__all__ = [
    "NAMED",
    "Silence",
    "Standing",
    "joint_counts",
    "on_shared",
    "silent_said",
    "standing",
    "standing_of_scores",
    "within_strata",
]

#: So many judges are named in a sentence.
NAMED = 3

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Silence:
    """Of people's labels the one that a judge decides least of, and the one it decides most of."""

    least: str
    least_share: float
    most: str
    most_share: float

    @classmethod
    def of(cls, lack: Lack, labels: Sequence[str]) -> Silence:
        """A lack by the labels' names."""
        called = (*labels, "abstained")
        return cls(called[lack.least], lack.least_share, called[lack.most], lack.most_share)

    @property
    def text(self) -> str:
        """What it decides of both, in words that follow its name."""
        return (
            f"decides {percent(self.least_share)} of what people call {named(self.least)} and "
            f"{percent(self.most_share)} of {named(self.most)}"
        )

    def facts(self) -> dict[str, object]:
        return {**asdict(self)}


def silent_said(silences: Mapping[str, Silence], left: Sequence[str], others: str) -> str:
    """Which judges that are not compared leave a label out; of many how many of the `others`."""
    silent = [one for one in left if one in silences]
    if not silent:
        return ""
    if len(silent) == 1:
        return f"; {named(silent[0])} {silences[silent[0]].text}, and is not compared"
    who = listed([named(one) for one in silent])
    who = who if len(silent) <= NAMED else f"{len(silent)} {others}"
    return (
        f"; {who} decide far less of one of people's labels than of another, and are not compared"
    )


@dataclass(frozen=True)
class Standing:
    """The judges in order of merit by one number, on the items that all compared ones decide."""

    metric: str
    #: Best first; those that are not compared come last.
    order: tuple[str, ...]
    #: Of the first `compared` judges, the leader's number less each one's, jointly for all pairs.
    differences: dict[str, Estimate] = field(default_factory=dict)
    #: Items that all compared judges decide, and whether each decides these alone.
    n_items: int = 0
    all_alike: bool = True
    #: The number of each compared judge on these items, where they are not its own.
    on_shared: dict[str, Result] = field(default_factory=dict)
    #: Of judges that are not compared because they leave out what people label so: which label.
    silences: dict[str, Silence] = field(default_factory=dict)

    @property
    def compared(self) -> tuple[str, ...]:
        return self.order[: 1 + len(self.differences)]

    @property
    def tied(self) -> tuple[str, ...]:
        """The judges that cannot be told from the first."""
        return tuple(
            name
            for name, one in self.differences.items()
            if one.interval is None or one.interval.low <= 0
        )

    @property
    def worse(self) -> tuple[str, ...]:
        return tuple(name for name in self.differences if name not in self.tied)


def joint_counts(tables: Sequence[Tables], shared: Shared) -> tuple[Floats | Cells, Ints]:
    """All judges' tables [C, J, L, L] of the shared items by cluster, and how many have each.

    By their cells where there are many options. A class that only some judges use (invalid
    verdicts) is a class of the tables of all.
    """
    first = tables[0]
    cells = joined([one.cells for one in tables]).only(shared.units)
    cells = cells.where(shared.compared[cells.group])
    cluster = None if first.single else first.cluster
    return by_cluster(cells, first.n, cluster, first.alike, apart_up_to=MOST_APART)


def standing(names: Sequence[str], tables: Sequence[Tables], reading: Reading) -> Standing:
    """The judges in order, from each one's tables of the same patterns of units.

    They are ordered by agreement, or by what the declared weights make of it.
    """
    widest = max(tables, key=lambda one: len(one.labels))
    setting = setting_of(reading.task, widest)
    weighted = any(one.name == "weighted_kappa" for one in metrics_for(setting))
    metric = TABLE_METRICS["weighted_kappa" if weighted else "accuracy"]
    n, decided = widest.n, np.stack([one.decided for one in tables])
    shared = shared_items(decided, n, widest.people)
    lacks = {names[j]: Silence.of(lack, reading.task.options) for j, lack in shared.lacks.items()}
    if not shared.n_items:
        return replace(_in_own_order(names, tables, reading, metric), silences=lacks)
    counts, times = joint_counts(tables, shared)
    values = metric.compute(total_of(counts, times), setting)
    order, rest = _in_order(names, values, shared.compared, decided @ n)
    found = Standing(
        metric.name,
        tuple(names[j] for j in (*order, *rest)),
        n_items=shared.n_items,
        all_alike=shared.all_alike,
        silences=lacks,
    )
    if len(order) > 1:
        # All judges by name, as `select` draws its candidates: one draw, whoever asks.
        draw, level, kept = reading.draw, reading.draw.confidence_level, sorted(order)
        drawn = joint_draws(
            lambda t: metric.compute(t[:, kept], setting),
            counts,
            times,
            draws=draw.draws,
            seed=draw.seed,
        )
        drawn = drawn[np.isfinite(drawn).all(1)]
        widen = widening(lambda t: metric.compute(t, setting), counts, times, level)
        same = same_verdicts(counts)[kept]
        joint = compare(
            values[kept],
            drawn,
            confidence_level=level,
            widen=widen,
            same=same,
            most=1.0 if is_rate(metric.name) else 2.0,  # coefficients are within [-1, 1]
        )
        shown = [tables[j].only(shared.units) for j in kept]
        joint = within_strata(joint, drawn, shown, (metric, setting, draw), widen, same)
        places = {names[j]: kept.index(j) for j in order}
        sizes = (shared.n_items, int(times.sum()))
        warned = () if widest.single else size_warnings_of_tables(counts, times)
        found = replace(found, differences=_differences(metric.name, places, joint, sizes, warned))
    if not shared.all_alike:
        restricted = {
            names[j]: _restricted(tables[j], shared.units, reading, metric) for j in order
        }
        found = replace(found, on_shared=restricted)
    return found


def within_strata(
    joint: Comparison,
    drawn: Floats,
    tables: Sequence[Tables],
    how: tuple[TableMetric, Setting, Draw],
    widen: float,
    same: npt.NDArray[np.intp],
) -> Comparison:
    """The differences of judges where labels were drawn within strata: by each judge's own
    interval, which knows their sizes. `drawn` [B, J] and `tables` are of the same judges."""
    told = 0 < joint.critical < math.inf  # one cluster, or no draw that varies, bounds nothing
    if not told or any(one.draw is None or one.strata is None for one in tables):
        return joint
    metric, setting, draw = how
    level = joint.level_of_each(widen)
    reach = np.full((len(tables), 2), np.nan)
    for place, one in enumerate(tables):
        classes = len(one.labels)  # one that other judges alone use has no part in this table
        own = replace(setting, weights=setting.weights[:classes, :classes])
        found = counted(one, own, replace(draw, confidence_level=level))
        if found is None:
            continue
        value = float(metric.compute(found.table, own))
        if (interval := metric.interval(found, value, level)) is not None:
            reach[place] = value - interval.low, interval.high - value
    return square_and_add(joint, drawn, reach, same)


def _in_order(
    names: Sequence[str], values: Floats, compared: Bools, own: Ints
) -> tuple[list[int], list[int]]:
    """Compared judges by value, then by how much they decide; the others by that alone."""
    every = range(len(names))
    ranked = [j for j in every if compared[j] and np.isfinite(values[j])]
    ranked.sort(key=lambda j: (-round(float(values[j]), 12), -int(own[j]), names[j]))
    rest = sorted(set(every) - set(ranked), key=lambda j: (-int(own[j]), names[j]))
    return ranked, rest


def _differences(
    metric: str,
    places: dict[str, int],
    joint: Comparison,
    sizes: tuple[int, int],
    warnings: tuple[str, ...] = (),
) -> dict[str, Estimate]:
    """The first judge's number less each other's; `places` are theirs in the comparison."""
    how = f"joint over all pairs of {len(places)} judges"
    first, *others = places
    lead = places[first]

    def less(name: str) -> Estimate:
        pair = lead, places[name]
        low, high = float(joint.low[pair]), float(joint.high[pair])
        return Estimate(
            f"{metric}_difference",
            float(joint.difference[pair]),
            Interval(low, high, joint.confidence_level, how),
            *sizes,
            {"less": name, "items": "decided by all compared judges"},
            warnings=warnings,
        )

    return {name: less(name) for name in others}


def _restricted(tables: Tables, units: Bools, reading: Reading, metric: TableMetric) -> Result:
    """A judge's number on the shared items alone."""
    (result,) = micro_results(tables.only(units), reading, only=(metric.name,))
    return on_shared(result)


def on_shared(result: Result) -> Result:
    """A result of the shared items, which is not the judge's own of that name."""
    found = replace(result, name=result.name + SHARED)
    if isinstance(found, Undefined):
        return found
    return replace(found, declared={**found.declared, "items": "decided by all compared judges"})


def _in_own_order(
    names: Sequence[str], tables: Sequence[Tables], reading: Reading, metric: TableMetric
) -> Standing:
    """Nothing is decided by all: each judge has its own number, and no difference is told."""
    own = [float(metric.compute(one.total, setting_of(reading.task, one))) for one in tables]
    merit = [value if np.isfinite(value) else -np.inf for value in own]
    order = sorted(range(len(names)), key=lambda j: (-merit[j], names[j]))
    return Standing(metric.name, tuple(names[j] for j in order), all_alike=False)


# --- scores -----------------------------------------------------------------------------------


def standing_of_scores(pairs: PairedScores, draw: Draw) -> Standing:
    """Judges of scores in order of Pearson's correlation with people.

    Differences by a jackknife of clusters that leaves the same ones out for all judges, with
    Student's t at a level shared out over all pairs.
    """
    names = pairs.judges
    known = np.isfinite(pairs.people)
    decided = np.isfinite(pairs.judge) & known
    shared = shared_items(decided, np.ones(decided.shape[1], np.int64))
    people = pairs.people[shared.units]
    values = np.array([pearson(people, one[shared.units]) for one in pairs.judge])
    own = [pearson(pairs.people[d], one[d]) for d, one in zip(decided, pairs.judge, strict=True)]
    compared = shared.compared & np.isfinite(values)
    merit = np.where(compared, values, -2.0)
    order = sorted(
        range(len(names)),
        key=lambda j: (-merit[j], -own[j] if np.isfinite(own[j]) else 2.0, names[j]),
    )
    found = Standing("pearson", tuple(names[j] for j in order))
    found = replace(found, n_items=shared.n_items, all_alike=shared.all_alike)
    first = order[: int(compared.sum())]
    if len(first) > 1:
        member, groups, _ = left_out_groups(pairs.cluster[shared.units], draw)
        left_out = np.stack(
            [
                without_each(pearson, people, pairs.judge[j][shared.units], member, groups)
                for j in first
            ],
            1,
        )
        kept = np.isfinite(left_out).all(1)
        left_out = left_out[kept]
        worth = float(worth_in_equal_clusters(np.bincount(member)[kept].astype(np.float64)))
        sizes = (shared.n_items, len(np.unique(pairs.cluster[shared.units])))
        apart = _score_differences(names, first, values, (left_out, worth), draw, sizes)
        found = replace(found, differences=apart)
    if not shared.all_alike:
        cluster = pairs.cluster[shared.units]
        results = {
            names[j]: correlation_results(people, pairs.judge[j][shared.units], cluster, draw)[0]
            for j in first
        }
        found = replace(found, on_shared={name: on_shared(one) for name, one in results.items()})
    return found


def _score_differences(
    names: Sequence[str],
    order: Sequence[int],
    values: Floats,
    jackknife: tuple[Floats, float],
    draw: Draw,
    sizes: tuple[int, int],
) -> dict[str, Estimate]:
    """How much further each is from people than the first; `sizes` are items and clusters.

    `jackknife` are the values without each group in turn, and how many groups of one size these
    are worth.
    """
    left_out, worth = jackknife
    pairs, groups = len(order) * (len(order) - 1) // 2, len(left_out)
    level, interval = draw.confidence_level, None
    found = {}
    for place, j in enumerate(order[1:], 1):
        value = float(values[order[0]] - values[j])
        if groups > 3:
            moved = left_out[:, 0] - left_out[:, place]
            error = float(np.sqrt((groups - 1) / groups * ((moved - moved.mean()) ** 2).sum()))
            reach = student_quantile(max(worth - 1, 1.0), 1 - (1 - level) / 2 / pairs) * error
            how = f"cluster jackknife, joint over all pairs of {len(order)} judges"
            interval = Interval(value - reach, value + reach, level, how)
        found[names[j]] = Estimate(
            "pearson_difference", value, interval, *sizes, {"less": names[j]}
        )
    return found
