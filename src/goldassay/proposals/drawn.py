"""How the labelled items may have been drawn, where people rated some of what judges rated.

At random, unless people rated so unlike shares of a judge's verdicts, or of systems, that no random
draw would: then by verdict, or at random within systems.
"""

from __future__ import annotations

from typing import Any

import narwhals as nw

from goldassay.proposals.draft import Draft, Weight
from goldassay.ratings.drawing import Drawn, drawn_by, shares_said
from goldassay.ratings.fetch import fetch
from goldassay.ratings.table import Ratings
from goldassay.words import listed, named

__all__ = ["how_labels_were_drawn"]

#: Labels of each system with which rates within systems can be told, and systems that are named.
_ENOUGH, _NAMED = 15, 4


def how_labels_were_drawn(ratings: Ratings, draft: Draft) -> dict[str, Any]:
    """The keys of a task that say so; none where it is declared, or nothing or all is labelled."""
    if not ratings.judges or not ratings.humans or "calibration" in draft.task:
        return {}
    judged, labelled = _judged_and_labelled(ratings)
    if not 0 < labelled < judged:
        return {}
    together = _units_in_cluster(ratings)
    verdict, (systems, system) = drawn_by(ratings), _by_system(ratings)
    told = verdict is not None and verdict.is_unlike_random(together)
    within = system is not None and system.is_unlike_random(together)
    if verdict and told and not (system and within and system.information >= verdict.information):
        draft.assume(
            Weight.DRAWN,
            f"the labelled items were chosen by the verdict of {named(verdict.judge)}: people "
            f"rated {shares_said(verdict, ratings.task)}, which no random draw gives; if they were "
            'drawn otherwise, rates are off (calibration = "random", "by_label" or "separate")',
        )
        return {"calibration": "by_verdict"}
    random = f"the {labelled:,} labelled items were drawn at random from the {judged:,} judged ones"
    if system is None or not within:
        otherwise = 'calibration = "by_verdict", "by_label" or "separate"'
        draft.assume(
            Weight.DRAWN, f"{random}; if not, rates and their intervals are off ({otherwise})"
        )
        return {"calibration": "random"}
    said = [
        f"{system.labelled['', at]:,} of {system.judged['', at]:,} of {named(name)}"
        for at, name in enumerate(systems)
    ]
    shares = listed(said) if len(said) <= _NAMED else ", ".join(said[:_NAMED]) + ", ..."
    if "strata" in draft.task or min(system.labelled.values()) < _ENOUGH:
        draft.assume(
            Weight.DRAWN,
            f"{random}, which they were within systems at best (people rated {shares}): the rate "
            "of all is off, go by those of systems",
        )
        return {"calibration": "random"}
    draft.assume(
        Weight.DRAWN,
        f"{random} within each system (people rated {shares}): a rate of all is that of the "
        'systems together (strata = ["system"])',
    )
    return {"calibration": "random", "strata": ["system"]}


def _judged_units(ratings: Ratings) -> nw.LazyFrame[Any]:
    """The units that a judge rated, with `by_people` 1 where people did too."""
    judge = nw.when(nw.col("kind") == nw.lit("judge")).then(nw.lit(1)).otherwise(nw.lit(0))
    units = ratings.frame.with_columns(by_judge=judge, by_people=1 - judge)
    units = units.group_by(*ratings.unit).agg(nw.col("by_judge").max(), nw.col("by_people").max())
    if "criterion" in ratings.unit:  # what people rated nothing of was not drawn from
        rated = units.filter(nw.col("by_people") == 1).select("criterion").unique()
        units = units.join(rated, on="criterion", how="inner")
    return units.filter(nw.col("by_judge") == 1)


def _judged_and_labelled(ratings: Ratings) -> tuple[int, int]:
    """Units that a judge rated, and those of them that people did, of criteria they rated."""
    sums = _judged_units(ratings).select(judged=nw.len(), both=nw.col("by_people").sum())
    counts = fetch(sums, place=ratings.name)
    return int(counts["judged"][0]), int(counts["both"][0] or 0)


def _by_system(ratings: Ratings) -> tuple[list[str], Drawn | None]:
    """The systems in order, and the shares of them that people rated, systems in place of verdicts;
    of pairs there are none, nor of one system."""
    if "system" not in ratings.columns or "opponent" in ratings.columns:
        return [], None
    by_system = _judged_units(ratings).group_by("system")
    sums = by_system.agg(judged=nw.len(), labelled=nw.col("by_people").sum())
    found = fetch(sums, place=ratings.name)
    rows = zip(found["system"], found["judged"], found["labelled"], strict=True)
    counts = {str(system): (int(judged), int(labelled)) for system, judged, labelled in rows}
    names = sorted(counts)
    if len(names) < 2:
        return names, None
    return names, Drawn.of("", {("", at): counts[name] for at, name in enumerate(names)})


def _units_in_cluster(ratings: Ratings) -> float:
    """How many units a cluster has on average: labels of whole clusters come together."""
    if ratings.cluster == "item" and ratings.unit == ("item",):
        return 1.0
    units = ratings.frame.select(*dict.fromkeys([*ratings.unit, ratings.cluster])).unique()
    counts = fetch(
        units.select(units=nw.len(), clusters=nw.col(ratings.cluster).n_unique()),
        place=ratings.name,
    )
    return float(counts["units"][0]) / max(float(counts["clusters"][0]), 1.0)
