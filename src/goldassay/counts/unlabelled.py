"""The units that a judge has rated and no person has: what could be labelled next."""

from __future__ import annotations

from collections.abc import Sequence

import narwhals as nw
import numpy as np
import numpy.typing as npt

from goldassay.frozen import dataclass
from goldassay.ratings.fetch import fetch
from goldassay.ratings.table import Ratings

__all__ = ["Unlabelled", "list_unlabelled"]


@dataclass(frozen=True)
class Unlabelled:
    """Units one by one: the columns that name them, their stratum columns, the judge's verdict.

    `code` is the verdict as in `Units`: an option, or K, K + 1, K + 2 for abstained, invalid,
    failed. With repeats it is the first of them in the order of the codes.
    """

    columns: tuple[str, ...]
    units: tuple[tuple[str, ...], ...]
    strata: tuple[tuple[str, ...], ...]
    code: npt.NDArray[np.int64]


def list_unlabelled(ratings: Ratings, judge: str, *, strata: Sequence[str] = ()) -> Unlabelled:
    """Every unit with a verdict of `judge` and no rating by a person, sorted by its columns."""
    ratings.require(*strata)
    person = (nw.col("kind") == nw.lit("human")) & (nw.col("status") == nw.lit("rated"))
    mine = (nw.col("kind") == nw.lit("judge")) & (nw.col("rater") == nw.lit(judge))
    extra = [name for name in strata if name not in ratings.unit]
    frame = ratings.frame.with_columns(
        labels=nw.when(person).then(nw.lit(1)).otherwise(nw.lit(0)),
        verdict=nw.when(mine).then(nw.col("code")),
    )
    grouped = frame.group_by(*ratings.unit).agg(
        nw.col("labels").sum(),
        nw.col("verdict").min(),
        *(nw.col(name).max().alias(f"by {name}") for name in extra),
    )
    open_ = grouped.filter((nw.col("labels") == nw.lit(0)) & ~nw.col("verdict").is_null())
    found = fetch(open_, place=ratings.name)
    names = [name if name in ratings.unit else f"by {name}" for name in strata]
    texts = {name: [str(v) for v in found[name]] for name in dict.fromkeys([*ratings.unit, *names])}
    units = list(zip(*(texts[name] for name in ratings.unit), strict=True))
    rows = sorted(range(len(units)), key=units.__getitem__)
    by = [tuple(texts[name][row] for name in names) for row in rows]
    code = np.asarray(found["verdict"], dtype=np.int64)[rows]
    return Unlabelled(ratings.unit, tuple(units[row] for row in rows), tuple(by), code)
