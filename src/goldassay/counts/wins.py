"""Wins: battles between two systems on one prompt, counted by rater."""

from __future__ import annotations

import narwhals as nw
import numpy as np
import numpy.typing as npt

from goldassay.counts.clusters import prompt_clusters
from goldassay.counts.labels import encoded
from goldassay.counts.parts import PART, with_parts
from goldassay.errors import RatingsError, TaskError
from goldassay.frozen import dataclass
from goldassay.ratings.duplicates import each_once
from goldassay.ratings.fetch import fetch
from goldassay.ratings.table import Ratings
from goldassay.results import Exclusion

__all__ = ["Wins", "count_wins"]

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Wins:
    """One row per rater, prompt, first system and second system: first wins, second wins, ties.

    `cluster` gives the resampling unit of each prompt (`prompt_clusters`), `given` the rows of the
    table behind each: more than its wins where one verdict is shared out over several.
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
    wins: npt.NDArray[np.float64]
    given: Ints
    exclusions: tuple[Exclusion, ...]
    rows: int


def count_wins(ratings: Ratings) -> Wins:
    """Count the battles of a pairwise task; `system` is the first option, `opponent` the second."""
    ratings = each_once(ratings, parts=True)
    task = ratings.task
    if task.scale != "pairwise":
        raise TaskError("scale", "battles need a pairwise scale", found=repr(task.scale))
    ratings.require("system", "opponent")
    axis = "prompt" if "prompt" in ratings.columns else "item"
    keys = ["kind", "rater", axis, "system", "opponent", "code"]
    if ratings.cluster not in keys:
        keys.append(ratings.cluster)
    rated = with_parts(ratings).filter(nw.col("status") == nw.lit("rated"))
    found = fetch(rated.group_by(*keys, PART).agg(rows=nw.len()), place=ratings.name)
    if not len(found["rows"]):
        raise RatingsError(
            ratings.name,
            "has no valid verdict of a battle",
            next_step=f"A verdict is one of {', '.join(task.options)}",
        )
    kinds = np.asarray(found["kind"], dtype=object)
    labels, who = encoded(
        np.array([f"{k}\x1f{r}" for k, r in zip(kinds, found["rater"], strict=True)], dtype=object)
    )
    prompts, prompt = encoded(found[axis])
    cluster = prompt_clusters(prompt, encoded(found[ratings.cluster])[1])
    # A system without a valid battle is still one of the systems; the ranking says so.
    every = fetch(ratings.frame.select("system", "opponent").unique(), place=ratings.name)
    both = [np.asarray(part[side]) for part in (found, every) for side in ("system", "opponent")]
    systems, codes = encoded(np.concatenate(both))
    first, second = codes[: len(who)], codes[len(who) : 2 * len(who)]
    column = np.array(
        [
            2 if option == task.tie else [o for o in task.options if o != task.tie].index(option)
            for option in task.options
        ]
        or [0]
    )
    outcome = column[np.asarray(found["code"], dtype=np.int64)]
    keyed = np.column_stack([who, prompt, first, second])
    distinct, inverse = np.unique(keyed, axis=0, return_inverse=True)
    inverse = inverse.reshape(-1)
    rows, part = np.asarray(found["rows"], np.int64), np.asarray(found[PART], np.float64)
    order = np.argsort(part, kind="stable")  # in one order on every engine
    wins = np.zeros((len(distinct), 3))
    np.add.at(wins, (inverse[order], outcome[order]), (rows * part)[order])
    given = np.zeros(len(distinct), np.int64)
    np.add.at(given, inverse, rows)
    pairs = [label.split("\x1f", 1) for label in labels]
    return Wins(
        raters=tuple(rater for _, rater in pairs),
        kinds=tuple(kind for kind, _ in pairs),
        prompts=prompts,
        systems=systems,
        cluster=cluster,
        rater=distinct[:, 0],
        prompt=distinct[:, 1],
        first=distinct[:, 2],
        second=distinct[:, 3],
        wins=wins,
        given=given,
        exclusions=(*ratings.exclusions, *ratings.not_rated()),
        rows=ratings.census.rows,
    )
