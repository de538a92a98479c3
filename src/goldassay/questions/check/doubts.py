"""What looks wrong in a table: slips among labels, judges apart, raters of disputed items alone."""

from __future__ import annotations

import narwhals as nw

from goldassay.counts import Units
from goldassay.frozen import dataclass
from goldassay.ratings.fetch import fetch
from goldassay.ratings.table import Ratings

__all__ = ["Doubts", "doubts"]

#: A label in at most so many rows of a large table may be a slip.
RARE, LARGE = 3, 1_000
#: Fewer labels say nothing about what a rater never does.
ENOUGH, OFTEN = 30, 0.1
#: A rater of so many items, all disputed, where most items are not.
FEWEST_ITEMS = 5


@dataclass(frozen=True, slots=True)
class Doubts:
    """What a person should look at before believing a number."""

    #: Label, its rows, all rated rows.
    rare: tuple[tuple[str, int, int], ...] = ()
    #: Judge, a label that it never gives, people's share of that label.
    never: tuple[tuple[str, str, float], ...] = ()
    #: Rater, items: all of them divide the other people.
    disputed: tuple[tuple[str, int], ...] = ()
    #: The only label that people give, where there are others, and how often.
    same: tuple[str, int] | None = None


def doubts(ratings: Ratings, units: Units | None) -> Doubts:
    """Everything that looks wrong; on a continuous scale nothing is looked at."""
    if units is None:
        return Doubts()
    return Doubts(_rare(units), _never(units), _disputed(ratings), _same(units))


def _rare(units: Units) -> tuple[tuple[str, int, int], ...]:
    size = len(units.options)
    used = (units.human[:, :size] * units.n[:, None]).sum(axis=0).astype(int)
    for code in range(size):
        used[code] += int(((units.verdict == code).sum(axis=1) * units.n).sum())
    total = int(used.sum())
    if total < LARGE:
        return ()
    return tuple(
        (option, int(n), total)
        for option, n in zip(units.options, used, strict=True)
        if 0 < n <= RARE
    )


def _same(units: Units) -> tuple[str, int] | None:
    people = (units.human[:, : len(units.options)] * units.n[:, None]).sum(axis=0)
    if people.sum() < ENOUGH or (people > 0).sum() > 1 or len(people) < 2:
        return None
    return units.options[int(people.argmax())], int(people.sum())


def _never(units: Units) -> tuple[tuple[str, str, float], ...]:
    size = len(units.options)
    people = (units.human[:, :size] * units.n[:, None]).sum(axis=0)
    if people.sum() < ENOUGH:
        return ()
    shares = people / people.sum()
    found = []
    for judge in units.judge_names:
        verdicts = units.verdict[:, units.columns_of(judge)]
        used = [int(((verdicts == code).sum(axis=1) * units.n).sum()) for code in range(size)]
        if sum(used) >= ENOUGH:
            found += [
                (judge, option, float(share))
                for option, n, share in zip(units.options, used, shares, strict=True)
                if n == 0 and share >= OFTEN
            ]
    return tuple(found)


def _disputed(ratings: Ratings) -> tuple[tuple[str, int], ...]:
    """People all of whose items divide the others, where most items do not: adjudicators."""
    if not 3 <= len(ratings.humans) <= 200:
        return ()
    people = ratings.frame.filter(
        nw.col("kind") == nw.lit("human"), nw.col("status") == nw.lit("rated")
    )
    key = list(ratings.unit)
    items = people.group_by(*key).agg(
        least=nw.col("code").min(), most=nw.col("code").max(), raters=nw.len()
    )
    disputed = nw.when(nw.col("least") != nw.col("most")).then(nw.lit(1)).otherwise(nw.lit(0))
    items = items.with_columns(disputed=disputed)
    by_rater = (
        people.join(items, on=key, how="inner")
        .group_by("rater")
        .agg(n=nw.len(), disputed=nw.col("disputed").sum())
        .sort("rater")
    )
    shares = fetch(items.select(n=nw.len(), disputed=nw.col("disputed").sum()), place=ratings.name)
    if 2 * int(shares["disputed"][0] or 0) > int(shares["n"][0]):
        return ()
    found = fetch(by_rater, place=ratings.name)
    rows = zip(found["rater"], found["n"], found["disputed"], strict=True)
    return tuple((str(r), int(n)) for r, n, d in rows if n == d and n >= FEWEST_ITEMS)
