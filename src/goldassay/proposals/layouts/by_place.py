"""Ratings of people and of a judge in numbered places: what stands in one place may be of one thing
(the sentences of a summary), or the places are people, and a judge's repeats. The data tell."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import product

from goldassay.proposals.draft import Draft
from goldassay.proposals.layouts.numbered_names import numbered_series
from goldassay.proposals.profile import counted
from goldassay.proposals.shape import Table
from goldassay.ratings.vocabulary import folded

__all__ = ["ask_of_places", "of_one_place"]

#: So many places of each are looked at.
_MOST = 4
#: Equal ratings in one place against those across places: so far apart, in shares and in standard
#: errors, that places mean something.
_APART, _CLEAR = 0.05, 3.0


def of_one_place(table: Table, people: Mapping[str, str], judge: Mapping[str, str]) -> bool:
    """Whether a person's ratings are more often equal to the judge's in the same place than to
    those in other places. Both map a place to its column.

    Two shares are compared as if rows and places were independent, which they are not: what is
    found is a reason to read or to ask, and no test.
    """
    places = [place for place in people if place in judge][:_MOST]
    same, other = [0, 0], [0, 0]
    for one, two in product(places, places):
        rows = counted(table.source, people[one], judge[two])
        mine = same if one == two else other
        for (first, second), n in rows.items():
            if first and second:
                mine[0] += n * (folded(first) == folded(second))
                mine[1] += n
    if not (same[1] and other[1]):
        return False
    gap = same[0] / same[1] - other[0] / other[1]
    share = (same[0] + other[0]) / (same[1] + other[1])
    error = math.sqrt(share * (1 - share) * (1 / same[1] + 1 / other[1]))
    return gap > _APART and gap > _CLEAR * error


def ask_of_places(table: Table, kinds: Mapping[str, str], draft: Draft) -> None:
    """Numbered columns of one name for people and of one for judges, with the same numbers
    (`human_1`, `human_2`, `judge_1`, `judge_2`), where the ratings of one number go together."""
    series = numbered_series(list(kinds))
    if len(series) != 2 or sum(map(len, series.values())) != len(kinds):
        return
    by = {kinds[next(iter(one.values()))]: one for one in series.values()}
    stems = {kinds[next(iter(one.values()))]: stem for stem, one in series.items()}
    if {*by} != {"human", "judge"} or by["human"].keys() != by["judge"].keys():
        return
    if not of_one_place(table, by["human"], by["judge"]):
        return
    draft.ask(
        "Do the numbers name what is rated, a criterion or a part? Ratings of people and judge are "
        "equal far more often under one number; then",
        {
            "cells": {
                table.own(name): {"rater": stems[kind], "kind": kind, "criterion": place}
                for kind, one in by.items()
                for place, name in one.items()
            }
        },
    )
