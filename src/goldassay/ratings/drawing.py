"""Which units people rated, by what judges said of them: how the labels were drawn."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Self

import narwhals as nw

from goldassay.errors import TaskError, nearest
from goldassay.frozen import dataclass
from goldassay.ratings.fetch import fetch
from goldassay.ratings.table import Ratings
from goldassay.ratings.task import Task
from goldassay.words import listed, named

__all__ = [
    "DRAWN",
    "MILLIONTH",
    "NONE",
    "Drawn",
    "Shares",
    "Stratum",
    "check_drawn_by",
    "drawn_by",
    "judged_units",
    "likeliest",
    "parts_said",
    "shares_by",
    "shares_said",
    "units_in_cluster",
    "verdict_words",
    "with_strata",
]

#: What a unit is drawn by: its criterion ("" where there is none), and the code of a verdict or the
#: name of a system.
Stratum = tuple[str, int | str]
#: The column of the code of a verdict by which a unit was drawn, and what stands there for none.
DRAWN, NONE = "drawn by verdict", -1
#: So rarely a random draw is as uneven as one that is taken for another.
MILLIONTH = 1e-6


@dataclass(frozen=True)
class Shares:
    """How many units there are in each stratum, and how many of these people rated.

    A criterion of which people rated nothing was not drawn from, and is not here.
    """

    judged: Mapping[Stratum, int]
    labelled: Mapping[Stratum, int]

    @classmethod
    def of(cls, counts: Mapping[Stratum, tuple[int, int]], **more: Any) -> Self:
        """From the units of each stratum, and how many of them people rated."""
        rated = {criterion for (criterion, _), (_, labelled) in counts.items() if labelled}
        keys = sorted(key for key in counts if key[0] in rated)
        judged, labelled = ({k: counts[k][one] for k in keys} for one in (0, 1))
        return cls(judged=judged, labelled=labelled, **more)

    @property
    def missed(self) -> dict[Stratum, int]:
        """Strata of which people rated nothing."""
        return {key: units for key, units in self.judged.items() if not self.labelled[key]}

    @cached_property
    def weights(self) -> dict[Stratum, float]:
        """How many units a labelled one stands for, on average 1: the inverse of the share of its
        stratum that people rated. Empty where all of these shares are alike."""
        met = {key: units for key, units in self.judged.items() if self.labelled[key]}
        each = {key: units / self.labelled[key] for key, units in met.items()}
        if not each or max(each.values()) == min(each.values()):
            return {}
        mean = sum(met.values()) / sum(self.labelled.values())
        return {key: one / mean for key, one in each.items()}

    @property
    def is_uneven(self) -> bool:
        """Whether people rated another share of some stratum than of others."""
        return bool(self.weights or self.missed)

    @property
    def degrees(self) -> int:
        return len(self.judged) - len({criterion for criterion, _ in self.judged})

    @cached_property
    def information(self) -> float:
        """What the stratum tells of whether people rated a unit: units x mutual information."""
        found = 0.0
        for criterion in {criterion for criterion, _ in self.judged}:
            keys = [key for key in self.judged if key[0] == criterion]
            rated = sum(self.labelled[key] for key in keys)
            units = sum(self.judged[key] for key in keys)
            for key in keys:
                mine = (self.labelled[key], self.judged[key] - self.labelled[key])
                for number, whole in zip(mine, (rated, units - rated), strict=True):
                    if number:
                        found += number * math.log(number * units / (self.judged[key] * whole))
        return found

    def is_unlike_random(self, units_in_cluster: float = 1.0, chance: float = MILLIONTH) -> bool:
        """Whether hardly any random draw (one in a million) would be so uneven over strata, even
        one of whole clusters, and some stratum was rated twice as often as another.

        Twice the information is about chi-square. How often it is reached:
        `benchmarks/drawn_found.py`.
        """
        shares = [self.labelled[key] / units for key, units in self.judged.items()]
        uneven = bool(shares) and max(shares) >= 2 * min(shares)
        return uneven and _tail(2 * self.information / units_in_cluster, self.degrees) < chance


def _tail(value: float, degrees: int) -> float:
    """P(chi-square > value): of one degree or two in closed form, and step by step beyond.

    Q(a + 1, x) = Q(a, x) + x^a e^-x / Gamma(a + 1), with a half of the degrees and x of the value.
    """
    x, a = value / 2, 1.0 if degrees % 2 == 0 else 0.5
    if degrees < 1 or x <= 0:
        return 1.0
    found = math.exp(-x) if a == 1 else math.erfc(math.sqrt(x))
    while 2 * a < degrees:
        found += math.exp(a * math.log(x) - x - math.lgamma(a + 1))
        a += 1
    return found


@dataclass(frozen=True)
class Drawn(Shares):
    """The shares of units by the verdict of a judge, or by the verdict that several share: after
    the codes of verdicts and of none (K to K + 2), K + 3 is that they differ."""

    judges: tuple[str, ...] = ()

    @property
    def who(self) -> str:
        """Whose verdicts, in words."""
        several = len(self.judges) > 1
        return f"whether {self.names} agree" if several else f"the verdict of {self.names}"

    @property
    def names(self) -> str:
        """The judges, by name where they are few."""
        if len(self.judges) > _TOLD:
            return f"{len(self.judges):,} judges"
        return listed([named(one) for one in self.judges])


def likeliest(drawn: Iterable[Drawn]) -> Drawn | None:
    """The judges whose verdicts tell most of which units people rated: labels that were drawn by
    one judge's verdict depend on another's only by way of it. Of more strata, more is to be told.
    None where people rated nothing."""
    known = [one for one in drawn if one.judged]
    return max(known, key=lambda one: round(one.information - one.degrees, 9), default=None)


def check_drawn_by(task: Task, judges: Sequence[str]) -> None:
    """Refuse a judge by whose verdicts labels are said to be drawn and who is not there."""
    for name in task.drawn_by:
        if name not in judges:
            near = nearest(name, judges)
            raise TaskError(
                "task, drawn_by",
                f"names judges of the table, which are {', '.join(judges)}",
                found=name,
                next_step=f"Did you mean {near!r}?" if near else None,
            )


def drawn_by(ratings: Ratings) -> Drawn | None:
    """Whose verdicts tell most of which units people rated, and the shares of each.

    Those that the task names, or any judge's, or where all judges agree. A unit that a judge rated
    several times counts with the least of the codes. None where there is no judge, nobody rated, or
    ratings are numbers.
    """
    if not ratings.judges or ratings.task.scale == "continuous":
        return None
    if "drawn" not in ratings.found:
        ratings.found["drawn"] = likeliest(_candidates(ratings))
    found: Drawn | None = ratings.found["drawn"]
    return found


def _candidates(ratings: Ratings) -> list[Drawn]:
    criterion = ["criterion"] if "criterion" in ratings.columns else []
    verdicts, named_ = _verdicts(ratings), ratings.task.drawn_by
    check_drawn_by(ratings.task, ratings.judges)
    found = []
    if len(named_) < 2:
        sums = verdicts.group_by("rater", *criterion, "code").agg(
            judged=nw.len(), labelled=nw.col("by_people").sum()
        )
        by_judge: dict[str, dict[Stratum, tuple[int, int]]] = {}
        for (judge, *key), counts in _rows(ratings, sums, ("rater", *criterion, "code")):
            if judge in (named_ or ratings.judges):
                by_judge.setdefault(judge, {})[_stratum(key)] = counts
        found = [Drawn.of(by_judge[judge], judges=(judge,)) for judge in sorted(by_judge)]
    together = named_ or ratings.judges
    if len(together) > 1:
        common = _in_common(ratings, verdicts, together)
        sums = common.group_by(*criterion, "code").agg(
            judged=nw.len(), labelled=nw.col("by_people").sum()
        )
        rows = _rows(ratings, sums, (*criterion, "code"))
        counts_of = {_stratum(key): counts for key, counts in rows}
        found.append(Drawn.of(counts_of, judges=tuple(together)))
    return found


def _stratum(key: Sequence[Any]) -> Stratum:
    criterion, code = key if len(key) == 2 else ("", key[0])
    return str(criterion), int(code)


def _rows(
    ratings: Ratings, sums: nw.LazyFrame[Any], names: Sequence[str]
) -> Iterable[tuple[tuple[Any, ...], tuple[int, int]]]:
    found = fetch(sums, place=ratings.name)
    columns = [found[name] for name in (*names, "judged", "labelled")]
    for *key, judged, labelled in zip(*columns, strict=True):
        yield tuple(key), (int(judged), int(labelled))


def _verdicts(ratings: Ratings) -> nw.LazyFrame[Any]:
    """Each judge's verdict of each unit, with `by_people` 1 where people rated it."""
    is_judge = nw.col("kind") == nw.lit("judge")
    by_people = nw.when(is_judge).then(nw.lit(0)).otherwise(nw.lit(1))
    frame = ratings.frame.with_columns(by_people=by_people)
    frame = frame.with_columns(by_people=nw.col("by_people").max().over(*ratings.unit))
    verdicts = frame.filter(is_judge & (nw.col("code") >= 0))
    return verdicts.group_by(*ratings.unit, "rater").agg(
        nw.col("code").min(), nw.col("by_people").max()
    )


def _in_common(
    ratings: Ratings, verdicts: nw.LazyFrame[Any], judges: Sequence[str]
) -> nw.LazyFrame[Any]:
    """The verdict that several judges share of each unit that two of them rated, or K + 3."""
    differ = len(ratings.task.options) + 3
    units = (
        verdicts.filter(nw.col("rater").is_in(list(judges)))
        .group_by(*ratings.unit)
        .agg(
            nw.col("by_people").max(),
            low=nw.col("code").min(),
            high=nw.col("code").max(),
            several=nw.len(),
        )
    )
    same = nw.col("low") == nw.col("high")
    code = nw.when(same).then(nw.col("low")).otherwise(nw.lit(differ))
    return units.filter(nw.col("several") > 1).with_columns(code=code)


def with_strata(ratings: Ratings, drawn: Drawn) -> Ratings:
    """The table with the column `DRAWN`, for when the judges' own verdicts are left out of it, and
    whose they are in its task."""
    verdicts = _verdicts(ratings)
    if len(drawn.judges) > 1:
        codes = _in_common(ratings, verdicts, drawn.judges)
    else:
        codes = verdicts.filter(nw.col("rater") == nw.lit(drawn.judges[0]))
    codes = codes.select(*ratings.unit, nw.col("code").cast(nw.String).alias(DRAWN))

    def with_code(frame: nw.LazyFrame[Any]) -> nw.LazyFrame[Any]:
        joined = frame.join(codes, on=list(ratings.unit), how="left")
        return joined.with_columns(nw.col(DRAWN).fill_null(nw.lit(str(NONE))))

    return replace(
        ratings,
        frame=with_code(ratings.frame),
        resolved=None if ratings.resolved is None else with_code(ratings.resolved),
        columns=(*ratings.columns, DRAWN),
        task=replace(ratings.task, drawn_by=drawn.judges),
    )


#: Strata, and judges, that are told one by one.
_TOLD = 4


def verdict_words(task: Task, several: bool = False) -> list[str]:
    """What each code is called; `several` judges share a verdict, or differ."""
    options = [f"{named(one)} by all" for one in task.options] if several else []
    states = ["abstentions", "invalid verdicts", "failed verdicts", "on which they differ"]
    return [*(options or map(named, task.options)), *states]


def shares_said(drawn: Drawn, task: Task) -> str:
    """Of how many units of each verdict people rated how many: "67 of 67 `flag`, 0 of 333 `ok`".

    The commonest verdicts, over all criteria.
    """
    sums: dict[int, tuple[int, int]] = {}
    for (criterion, code), units in drawn.judged.items():
        rated, whole = sums.get(int(code), (0, 0))
        sums[int(code)] = (rated + drawn.labelled[criterion, code], whole + units)
    names = verdict_words(task, several=len(drawn.judges) > 1)
    order = sorted(sums, key=lambda code: (-sums[code][1], code))
    told = [f"{sums[code][0]:,} of {sums[code][1]:,} {names[code]}" for code in order[:_TOLD]]
    return listed(told) if len(order) <= _TOLD else ", ".join(told) + ", ..."


def judged_units(ratings: Ratings) -> nw.LazyFrame[Any]:
    """The units that a judge rated, with `by_people` 1 where people did too."""
    judge = nw.when(nw.col("kind") == nw.lit("judge")).then(nw.lit(1)).otherwise(nw.lit(0))
    units = ratings.frame.with_columns(by_judge=judge, by_people=1 - judge)
    units = units.group_by(*ratings.unit).agg(nw.col("by_judge").max(), nw.col("by_people").max())
    if "criterion" in ratings.unit:  # what people rated nothing of was not drawn from
        rated = units.filter(nw.col("by_people") == 1).select("criterion").unique()
        units = units.join(rated, on="criterion", how="inner")
    return units.filter(nw.col("by_judge") == 1)


def shares_by(ratings: Ratings, columns: Sequence[str]) -> Shares:
    """The shares of units that people rated by the values of columns, " · " between them."""
    apart = [name for name in columns if name not in ratings.unit]
    units = judged_units(ratings)
    if apart:
        known = ratings.frame.select(*ratings.unit, *apart).unique(subset=list(ratings.unit))
        units = units.join(known, on=list(ratings.unit), how="inner")
    sums = units.group_by(*columns).agg(judged=nw.len(), labelled=nw.col("by_people").sum())
    rows = _rows(ratings, sums, columns)
    return Shares.of({("", " · ".join(map(str, key))): counts for key, counts in rows})


def parts_said(shares: Shares) -> str:
    """How many people rated of each part: "300 of 300 of `a` and 3 of 300 of `b`"."""
    each = [
        f"{shares.labelled[key]:,} of {number:,} of {named(str(key[1]))}"
        for key, number in shares.judged.items()
    ]
    return listed(each) if len(each) <= _TOLD else ", ".join(each[:_TOLD]) + ", ..."


def units_in_cluster(ratings: Ratings) -> float:
    """How many units a cluster has on average: labels of whole clusters come together."""
    if ratings.cluster == "item" and ratings.unit == ("item",):
        return 1.0
    units = ratings.frame.select(*dict.fromkeys([*ratings.unit, ratings.cluster])).unique()
    counts = fetch(
        units.select(units=nw.len(), clusters=nw.col(ratings.cluster).n_unique()),
        place=ratings.name,
    )
    return float(counts["units"][0]) / max(float(counts["clusters"][0]), 1.0)
