"""Which units people rated, by what a judge said of them: how the labels were drawn."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import narwhals as nw

from goldassay.ratings.fetch import fetch
from goldassay.ratings.table import Ratings
from goldassay.ratings.task import Task
from goldassay.words import listed, named

__all__ = ["Drawn", "Stratum", "drawn_by", "likeliest", "shares_said"]

#: What a unit is drawn by: its criterion ("" where there is none) and the code of a verdict.
Stratum = tuple[str, int]


@dataclass(frozen=True)
class Drawn:
    """How many units a judge gave each verdict, and how many of these people rated.

    A criterion of which people rated nothing was not drawn from, and is not here.
    """

    judge: str
    judged: Mapping[Stratum, int]
    labelled: Mapping[Stratum, int]

    @classmethod
    def of(cls, judge: str, counts: Mapping[Stratum, tuple[int, int]]) -> Drawn:
        """From the units of each verdict, and how many of them people rated."""
        rated = {criterion for (criterion, _), (_, labelled) in counts.items() if labelled}
        keys = sorted(key for key in counts if key[0] in rated)
        return cls(judge, {k: counts[k][0] for k in keys}, {k: counts[k][1] for k in keys})

    @property
    def missed(self) -> dict[Stratum, int]:
        """Verdicts of which people rated nothing."""
        return {key: units for key, units in self.judged.items() if not self.labelled[key]}

    @cached_property
    def weights(self) -> dict[Stratum, float]:
        """How many units a labelled one stands for, on average 1: the inverse of the share of its
        verdict that people rated. Empty where all of these shares are alike."""
        met = {key: units for key, units in self.judged.items() if self.labelled[key]}
        each = {key: units / self.labelled[key] for key, units in met.items()}
        if not each or max(each.values()) == min(each.values()):
            return {}
        mean = sum(met.values()) / sum(self.labelled.values())
        return {key: one / mean for key, one in each.items()}

    @property
    def is_uneven(self) -> bool:
        """Whether people rated another share of some verdict than of others."""
        return bool(self.weights or self.missed)

    @property
    def information(self) -> float:
        """What the verdict tells of whether people rated a unit: units x mutual information."""
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

    def is_unlike_random(self, units_in_cluster: float = 1.0) -> bool:
        """Whether hardly any random draw (one in a million) would be so uneven over verdicts, even
        one of whole clusters, and some verdict was rated twice as often as another.

        Twice the information is about chi-square; the bound is above its millionth for any number
        of verdicts.
        """
        criteria = {criterion for criterion, _ in self.judged}
        degrees = len(self.judged) - len(criteria)
        shares = [self.labelled[key] / units for key, units in self.judged.items()]
        uneven = bool(shares) and max(shares) >= 2 * min(shares)
        return uneven and 2 * self.information / units_in_cluster > 24 + 3 * degrees


def likeliest(drawn: Iterable[Drawn]) -> Drawn | None:
    """The judge whose verdicts tell most of which units people rated: labels that were drawn by one
    judge's verdict depend on another's only by way of it. None where people rated nothing."""
    known = [one for one in drawn if one.judged]
    return max(known, key=lambda one: round(one.information, 9), default=None)


def drawn_by(ratings: Ratings) -> Drawn | None:
    """Whose verdicts tell most of which units people rated, and the shares of each.

    A unit that a judge rated several times counts with the least of the codes. None where there is
    no judge, nobody rated, or ratings are numbers.
    """
    if not ratings.judges or ratings.task.scale == "continuous":
        return None
    criterion = ["criterion"] if "criterion" in ratings.columns else []
    is_judge = nw.col("kind") == nw.lit("judge")
    by_people = nw.when(is_judge).then(nw.lit(0)).otherwise(nw.lit(1))
    frame = ratings.frame.with_columns(by_people=by_people)
    frame = frame.with_columns(by_people=nw.col("by_people").max().over(*ratings.unit))
    verdicts = frame.filter(is_judge & (nw.col("code") >= 0))
    units = verdicts.group_by(*ratings.unit, "rater").agg(
        nw.col("code").min(), nw.col("by_people").max()
    )
    sums = units.group_by("rater", *criterion, "code").agg(
        judged=nw.len(), labelled=nw.col("by_people").sum()
    )
    found = fetch(sums, place=ratings.name)
    names = found["criterion"] if criterion else [""] * len(found["code"])
    counts = (found[name] for name in ("code", "judged", "labelled"))
    by_judge: dict[str, dict[Stratum, tuple[int, int]]] = {}
    for judge, part, code, judged, rated in zip(found["rater"], names, *counts, strict=True):
        by_judge.setdefault(str(judge), {})[str(part), int(code)] = int(judged), int(rated)
    return likeliest(Drawn.of(judge, by_judge[judge]) for judge in sorted(by_judge))


#: Verdicts that are told one by one.
_TOLD = 4


def shares_said(drawn: Drawn, task: Task) -> str:
    """Of how many units of each verdict people rated how many: "67 of 67 `flag`, 0 of 333 `ok`".

    The commonest verdicts, over all criteria.
    """
    sums: dict[int, tuple[int, int]] = {}
    for (criterion, code), units in drawn.judged.items():
        rated, whole = sums.get(code, (0, 0))
        sums[code] = (rated + drawn.labelled[criterion, code], whole + units)
    names = [*map(named, task.options), "abstentions", "invalid verdicts", "failed verdicts"]
    order = sorted(sums, key=lambda code: (-sums[code][1], code))
    told = [f"{sums[code][0]:,} of {sums[code][1]:,} {names[code]}" for code in order[:_TOLD]]
    return listed(told) if len(order) <= _TOLD else ", ".join(told) + ", ..."
