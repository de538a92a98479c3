"""Wins: battles between two systems on one prompt, counted by rater and by people's votes."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import numpy as np
import numpy.typing as npt

from goldassay.counts.clusters import prompt_clusters
from goldassay.counts.labels import combined, encoded
from goldassay.counts.parts import PART, with_parts
from goldassay.errors import RatingsError, TaskError
from goldassay.frozen import dataclass
from goldassay.ratings.duplicates import each_once
from goldassay.ratings.fetch import fetch
from goldassay.ratings.table import Ratings
from goldassay.ratings.task import Task
from goldassay.results import Exclusion

__all__ = ["Wins", "count_wins"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

#: The sides of a battle, and votes for the first, for the second and for a tie: a rater's own and
#: those of all people. No names of a user's columns.
_SIDES = ("first side", "second side")
_OWN = ("own first", "own second", "own tie")
_PEOPLE = ("first by people", "second by people", "tie by people")
#: Digits of votes that are kept: engines add parts of votes in different orders.
_DIGITS = 9


@dataclass(frozen=True)
class Wins:
    """Battles that are alike: of one rater, prompt and pair of systems, with the same `people`.

    A battle is an item (and criterion) with two systems, whichever stands first; the first is
    earlier by name. `people` [N, 3] are all people's votes on each of these battles: for the first
    system, for the second, ties. `wins` [N, 3] are the rater's own over all of them: a person's
    votes, and of a judge one verdict a battle, which its repeats and both orders share.

    `cluster` gives the resampling unit of each prompt (`prompt_clusters`), `given` the rows of the
    table behind each.
    """

    raters: tuple[str, ...]
    kinds: tuple[str, ...]
    prompts: tuple[str, ...]
    systems: tuple[str, ...]
    cluster: Ints
    rater: Ints
    prompt: Ints
    first: Ints
    second: Ints
    people: Floats
    wins: Floats
    given: Ints
    exclusions: tuple[Exclusion, ...]
    rows: int


def count_wins(ratings: Ratings) -> Wins:
    """Count the battles of a pairwise task; `system` is the first option, `opponent` the second."""
    ratings = each_once(ratings, parts=True)
    if ratings.task.scale != "pairwise":
        raise TaskError("scale", "battles need a pairwise scale", found=repr(ratings.task.scale))
    ratings.require("system", "opponent")
    axis = "prompt" if "prompt" in ratings.columns else "item"
    found = fetch(_alike(ratings, axis), place=ratings.name)
    if not len(found["battles"]):
        raise RatingsError(
            ratings.name,
            "has no valid verdict of a battle",
            next_step=f"A verdict is one of {', '.join(ratings.task.options)}",
        )
    kinds = np.asarray(found["kind"], dtype=object)
    labels, who = encoded(
        np.array([f"{k}\x1f{r}" for k, r in zip(kinds, found["rater"], strict=True)], dtype=object)
    )
    prompts, prompt = encoded(found[axis])
    cluster = prompt_clusters(prompt, encoded(found[ratings.cluster])[1])
    # A system without a valid battle is still one of the systems; the ranking says so.
    every = fetch(ratings.frame.select("system", "opponent").unique(), place=ratings.name)
    both = [np.asarray(found[side]) for side in _SIDES]
    both += [np.asarray(every[side]) for side in ("system", "opponent")]
    systems, codes = encoded(np.concatenate(both))
    first, second = codes[: len(who)], codes[len(who) : 2 * len(who)]
    own, people = (
        np.column_stack([np.asarray(found[name], np.float64) for name in names])
        for names in (_OWN, _PEOPLE)
    )
    battles, rows = (np.asarray(found[name], np.int64) for name in ("battles", "rows"))
    judged = kinds == "judge"
    whole = own[judged].sum(axis=1, keepdims=True)
    own[judged] = np.divide(own[judged], whole, out=np.zeros_like(own[judged]), where=whole > 0)
    votes = [np.unique(column, return_inverse=True)[1].reshape(-1) for column in people.T]
    alike = combined([who, prompt, first, second, *votes])
    order = np.lexsort([*own.T, alike])  # in one order on every engine
    _, at = np.unique(alike, return_index=True)
    wins = np.zeros((len(at), 3))
    np.add.at(wins, alike[order], (battles[:, None] * own)[order])
    given = np.zeros(len(at), np.int64)
    np.add.at(given, alike, rows)
    pairs = [label.split("\x1f", 1) for label in labels]
    return Wins(
        raters=tuple(rater for _, rater in pairs),
        kinds=tuple(kind for kind, _ in pairs),
        prompts=prompts,
        systems=systems,
        cluster=cluster,
        rater=who[at],
        prompt=prompt[at],
        first=first[at],
        second=second[at],
        people=people[at],
        wins=wins,
        given=given,
        exclusions=(*ratings.exclusions, *ratings.not_rated()),
        rows=ratings.census.rows,
    )


def _alike(ratings: Ratings, axis: str) -> nw.LazyFrame[Any]:
    """The battles of each rater that have the same votes, its own and people's: their number.

    Battles are put together where the table lies, so that many on one prompt are few counts.
    """
    frame = with_parts(ratings).filter(nw.col("status") == nw.lit("rated"))
    forward = nw.col("system") <= nw.col("opponent")
    system, opponent = nw.col("system"), nw.col("opponent")
    frame = frame.with_columns(
        nw.when(forward).then(system).otherwise(opponent).alias(_SIDES[0]),
        nw.when(forward).then(opponent).otherwise(system).alias(_SIDES[1]),
        *_votes(ratings.task, forward),
    )
    battle = ["item", *({"criterion"} & set(ratings.columns)), *_SIDES]
    about = list(dict.fromkeys(["kind", "rater", axis, ratings.cluster, *_SIDES]))
    each = frame.group_by(*dict.fromkeys([*battle, *about])).agg(
        *(nw.col(name).sum().round(_DIGITS) for name in _OWN), nw.len().alias("rows")
    )
    if any(kind == "human" for kind, _, _ in ratings.census.counts):
        people = each.filter(nw.col("kind") == nw.lit("human"))
        people = people.group_by(*battle).agg(
            *(
                nw.col(own).sum().round(_DIGITS).alias(name)
                for own, name in zip(_OWN, _PEOPLE, strict=True)
            )
        )
        each = each.join(people, on=battle, how="left").with_columns(
            *(nw.col(name).fill_null(0.0) for name in _PEOPLE)
        )
    else:
        each = each.with_columns(*(nw.lit(0.0).alias(name) for name in _PEOPLE))
    return each.group_by(*about, *_OWN, *_PEOPLE).agg(
        nw.len().alias("battles"), nw.col("rows").sum()
    )


def _votes(task: Task, forward: nw.Expr) -> list[nw.Expr]:
    """The part of its rating that a row gives to the first side, to the second, and to a tie."""
    one, two = (task.options.index(option) for option in task.options if option != task.tie)
    code, part, none = nw.col("code"), nw.col(PART), nw.lit(0.0)
    given = [nw.when(code == nw.lit(side)).then(part).otherwise(none) for side in (one, two)]
    turned = [
        nw.when(forward).then(given[side]).otherwise(given[1 - side]).alias(_OWN[side])
        for side in (0, 1)
    ]
    decided = code.is_in([one, two])
    return [*turned, nw.when(decided).then(none).otherwise(part).alias(_OWN[2])]
