"""Elicitation pairs: forced choice and response set that one rater gave for the same unit."""

from __future__ import annotations

import narwhals as nw
import numpy as np
import numpy.typing as npt

from goldassay.counts.distributions import values_of
from goldassay.counts.labels import encoded
from goldassay.frozen import dataclass
from goldassay.ratings.fetch import fetch
from goldassay.ratings.table import Ratings

__all__ = ["ElicitationPairs", "count_pairs"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class ElicitationPairs:
    """How often the same rater gave option k and set v: people [K, S], judges [J, K, S].

    Repeats are paired by their `sample` number.
    """

    judges: tuple[str, ...]
    human: Floats
    judge: Floats


def count_pairs(ratings: Ratings) -> ElicitationPairs:
    """Count pairs of (forced choice, response set) by the same rater, unit and repeat."""
    task = ratings.task
    size, width = len(task.options), len(task.sets)
    repeat = ["sample"] if "sample" in ratings.columns else []
    keys = [*ratings.unit, *repeat, "kind", "rater"]
    more = ["elicitation"] if "elicitation" in ratings.columns else []
    rated = ratings.frame.filter(nw.col("status") == nw.lit("rated"))
    judges = ratings.judges
    values = fetch(rated.group_by("value", *more).agg(n=nw.len()), place=ratings.name)
    cells = {name: encoded(values[name]) for name in ("value", *more)}
    if not values_of(ratings, cells)[2].any():  # the usual table, which nobody is paired for
        none = np.zeros((1 + len(judges), size, width))
        return ElicitationPairs(judges, none[0], none[1:])
    found = fetch(rated.group_by(*keys, "value", *more).agg(n=nw.len()), place=ratings.name)
    cells = {name: encoded(found[name]) for name in ("value", *more)}
    option, chosen, is_set = values_of(ratings, cells)
    owners = ["\x1f".join(map(str, row)) for row in zip(*(found[c] for c in keys), strict=True)]
    _, owner = encoded(np.array(owners, dtype=object))
    units = int(owner.max()) + 1 if len(owner) else 0
    one = np.full(units, -1, np.int64)
    one[owner[~is_set]] = option[~is_set]
    people = np.asarray(found["kind"], dtype=object) == "human"
    raters = np.asarray(found["rater"], dtype=object)

    def joint(rows: npt.NDArray[np.bool_]) -> Floats:
        out = np.zeros((size, width))
        asked = rows & is_set & (one[owner] >= 0)
        np.add.at(out, (one[owner[asked]], chosen[asked]), 1.0)
        return out

    by_judge = [joint(~people & (raters == judge)) for judge in judges]
    return ElicitationPairs(
        judges, joint(people), np.array(by_judge).reshape(len(judges), size, width)
    )
