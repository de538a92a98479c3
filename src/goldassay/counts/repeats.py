"""Repeats: what the same person answered to the same question, asked more than once."""

from __future__ import annotations

import narwhals as nw
import numpy as np
import numpy.typing as npt

from goldassay.counts.distributions import values_of
from goldassay.counts.labels import encoded
from goldassay.frozen import dataclass
from goldassay.ratings.fetch import fetch
from goldassay.ratings.table import Ratings

__all__ = ["Repeats", "count_repeats"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Repeats:
    """Pairs of forced choices by one person on one unit, by cluster [C]: all, and those alike."""

    pairs: Floats
    alike: Floats
    #: People who answered a question twice or more, and the units they did so on.
    n_raters: int
    n_units: int


def count_repeats(ratings: Ratings) -> Repeats | None:
    """Count people's repeated forced choices (`sample` numbers them); None without any."""
    if "sample" not in ratings.columns:
        return None
    keys = [*ratings.unit, "rater"]
    cluster = [] if ratings.cluster in keys else [ratings.cluster]
    more = ["elicitation"] if "elicitation" in ratings.columns else []
    rated = ratings.frame.filter(
        (nw.col("status") == nw.lit("rated")) & (nw.col("kind") == nw.lit("human"))
    )
    found = fetch(
        rated.group_by(*keys, *cluster, "value", *more).agg(rows=nw.len()), place=ratings.name
    )
    if not len(found["rows"]):
        return None
    cells = {name: encoded(found[name]) for name in ("value", *more)}
    option, _, is_set = values_of(ratings, cells)
    forced = ~is_set
    labels, of_cluster = encoded(found[ratings.cluster])
    owners = ["\x1f".join(map(str, row)) for row in zip(*(found[c] for c in keys), strict=True)]
    names, owner = encoded(np.array(owners, dtype=object))
    answers = np.zeros((len(names), len(ratings.task.options)))
    rows = np.asarray(found["rows"], dtype=float)
    np.add.at(answers, (owner[forced], option[forced]), rows[forced])
    total = answers.sum(-1)
    pairs = total * (total - 1) / 2
    alike = (answers * (answers - 1) / 2).sum(-1)
    if not pairs.any():
        return None
    place = np.zeros(len(names), np.int64)
    place[owner] = of_cluster
    twice = (pairs > 0)[owner]
    units = {tuple(str(found[c][i]) for c in ratings.unit) for i in np.flatnonzero(twice)}
    by_cluster = [np.zeros(len(labels)) for _ in range(2)]
    for summed, one in zip(by_cluster, (pairs, alike), strict=True):
        np.add.at(summed, place, one)
    people = {str(found["rater"][i]) for i in np.flatnonzero(twice)}
    return Repeats(by_cluster[0], by_cluster[1], len(people), len(units))
