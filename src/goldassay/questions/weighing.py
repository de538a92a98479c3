"""What the weights of a table did to the answer, in a sentence that every question gives."""

from __future__ import annotations

import narwhals as nw

from goldassay.counts.parts import are_shared_out
from goldassay.ratings.fetch import fetch
from goldassay.ratings.table import Ratings
from goldassay.results import Sentence
from goldassay.words import listed, named, one_of

__all__ = ["rater_weights_said", "weights_said"]


def rater_weights_said(ratings: Ratings, *, used: bool = True) -> tuple[str, ...]:
    """What the declared weights of raters do; nothing where none is declared. `used` says whether
    the question looks at the reference that they make, and not at single persons."""
    weights = ratings.task.rater_weights
    if not weights:
        return ()
    if not used:
        return ("The weights of raters are not used here: every person counts once.",)
    given = listed([f"{named(name)} {weight:g}" for name, weight in weights.items()])
    others = ", every other person 1" if set(ratings.humans) - set(weights) else ""
    return (
        f"The reference is the majority of people's weights ({given}{others}); agreement among "
        "people counts each of them once.",
    )


def weights_said(
    ratings: Ratings,
    verb: str,
    *,
    used: bool = True,
    shared_out: bool = False,
    parts: bool = False,
    unit: str = "item",
) -> tuple[Sentence, ...]:
    """Whether items count by their weights, and that raters are not weighted.

    Nothing where no column `weight` is there, or all weights are alike. `used` says whether the
    question weighs items at all, `shared_out` that weights which differ within an item share its
    ratings out among options, `parts` that a rating given in several rows counts by its parts (a
    judge's probabilities). `unit` is what counts once where weights are not used.
    """
    if "weight" not in ratings.columns:
        return ()
    least, most, apart = _ends(ratings)
    if least == most and not (parts and are_shared_out(ratings)):
        return ()
    within = apart > 0
    also = "" if unit == "verdict" else " and every rater"
    once = f"every {unit}{also} counts once"
    if parts and are_shared_out(ratings):
        used = True
        text = (
            "A rating in several rows (a judge's probabilities) counts by the share of the column "
            f"`weight` that each of them has; {once}."
        )
    elif shared_out and within:
        used = True
        text = (
            f"Weights that differ within {one_of(unit)} share its ratings out among options; every "
            f"{unit} counts once."
        )
    elif not used:
        text = f"The column `weight` is not used here: {once}."
    elif within:
        text = (
            "Weights differ between raters of one item: an item counts with the largest of its "
            "weights, and raters of it count alike."
        )
    else:
        alike = "" if ratings.task.rater_weights else "; raters count alike"
        text = f"Items count by the column `weight`{alike}."
    facts = {"least": least, "most": most, "differ_within_items": within, "used": used}
    return (Sentence(f"{verb}.weights", text, facts=facts),)


def _ends(ratings: Ratings) -> tuple[float, float, float]:
    """The least and the largest weight, and the most that weights of one unit differ by."""
    ends = ratings.frame.group_by(*ratings.unit).agg(
        low=nw.col("weight").min(), high=nw.col("weight").max()
    )
    found = fetch(
        ends.select(
            least=nw.col("low").min(),
            most=nw.col("high").max(),
            apart=(nw.col("high") - nw.col("low")).max(),
        ),
        place=ratings.name,
    )
    least, most, apart = (float(found[name][0]) for name in ("least", "most", "apart"))
    return least, most, apart
