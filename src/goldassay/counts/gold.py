"""People's ranking of systems from a file of its own, and a file about the judges.

Gold is either a score per system (`system, score`) or battles (`system, opponent, winner`, with
`winner` the name of either or the word for a tie). Battles are counted where the file is; a column
`prompt` says which battles share a prompt.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from goldassay.counts.labels import encoded
from goldassay.errors import SourceError, listed, nearest, shown
from goldassay.frozen import dataclass
from goldassay.ratings.fetch import fetch, texts_of
from goldassay.results import Input
from goldassay.sources.frames import Source, open_source

__all__ = ["GoldBattles", "GoldFile", "JudgesFile", "read_gold", "read_judges"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Words for a tie in a column `winner`, beside the task's own.
TIES = ("tie", "tied", "draw", "both", "")


@dataclass(frozen=True)
class GoldBattles:
    """Battles: names of both systems, counts [N, 3] (first, second, tie), and their prompts."""

    first: tuple[str, ...]
    second: tuple[str, ...]
    wins: Floats
    #: Code of the prompt of each row; None when every battle had its own.
    cluster: Ints | None = None


@dataclass(frozen=True)
class GoldFile:
    """Gold scores by system, or gold battles, and the file they came from."""

    scores: Mapping[str, float] | None
    battles: GoldBattles | None
    input: Input


@dataclass(frozen=True)
class JudgesFile:
    """What is known about each judge: model, realization, family, its own system."""

    about: Mapping[str, Mapping[str, str]]
    input: Input


def read_gold(path: Any, *, tie: str | None = None) -> GoldFile:
    """Read gold from a file of any format that ratings may have."""
    opened = open_source(path)
    columns = opened.columns
    if {"system", "opponent", "winner"} <= set(columns):
        return _battles(opened, tie)
    if {"system", "score"} <= set(columns):
        return _scores(opened)
    raise SourceError(
        opened.name,
        "gold has the columns system,score or system,opponent,winner",
        found=listed(columns),
        next_step="Rename its columns",
    )


def _input(opened: Source, rows: int) -> Input:
    one = opened.inputs[0]
    return Input(one.name, one.sha256, rows)


def _scores(opened: Source) -> GoldFile:
    found = fetch(opened.frame.select("system", "score"), place=opened.name)
    scores: dict[str, float] = {}
    for name, text in zip(_texts(found["system"]), _texts(found["score"]), strict=True):
        if name in scores:
            raise SourceError(
                opened.name,
                "gold scores a system once",
                found=f"{shown(name)} twice",
                next_step="Keep one row for each system, or give battles",
            )
        try:
            value = float(text)
        except ValueError:
            value = np.nan
        if not np.isfinite(value):
            raise SourceError(
                f"{opened.name}, column score",
                "is a finite number",
                found=f"{shown(text)} for {shown(name)}",
                next_step="Leave out systems without a gold score",
            )
        scores[name] = value
    return GoldFile(scores, None, _input(opened, len(scores)))


def _battles(opened: Source, tie: str | None) -> GoldFile:
    keys = ["system", "opponent", "winner"] + (["prompt"] if "prompt" in opened.columns else [])
    counted = opened.frame.group_by(*keys).agg(rows=nw.len())
    found = fetch(counted, place=opened.name)
    first, second, winner = (_texts(found[name]) for name in keys[:3])
    rows = np.asarray(found["rows"], np.float64)
    order = np.lexsort([np.array(_texts(found[name]), dtype=object).astype(str) for name in keys])
    words = {*TIES, tie or ""}
    wins = np.zeros((len(rows), 3))
    for i, (one, two, who) in enumerate(zip(first, second, winner, strict=True)):
        if one == two:
            raise SourceError(
                opened.name, "a battle is between two systems", found=f"{shown(one)} and itself"
            )
        if who in (one, two):
            wins[i, 0 if who == one else 1] = rows[i]
        elif who.casefold() in words or who in words:
            wins[i, 2] = rows[i]
        else:
            near = nearest(who, (one, two, "tie"))
            raise SourceError(
                f"{opened.name}, column winner",
                "is the system, its opponent, or tie",
                found=f"{shown(who)} in a battle of {shown(one)} and {shown(two)}",
                next_step=f"Did you mean {near!r}?" if near else None,
            )
    cluster = None
    if "prompt" in opened.columns:
        cluster = encoded(found["prompt"])[1][order]
    battles = GoldBattles(
        tuple(first[i] for i in order), tuple(second[i] for i in order), wins[order], cluster
    )
    return GoldFile(None, battles, _input(opened, int(rows.sum())))


def read_judges(path: Any) -> JudgesFile:
    """Read what is known about judges: a row per judge (or rater), a column per fact."""
    opened = open_source(path)
    named = next((name for name in ("judge", "rater") if name in opened.columns), None)
    if named is None:
        near = nearest("judge", opened.columns)
        raise SourceError(
            opened.name,
            "has a column judge, and any of model, prompt, parameters, realization, family, system",
            found=listed(opened.columns),
            next_step=f"Rename {near!r} to judge" if near else None,
        )
    found = fetch(opened.frame, place=opened.name)
    names = _texts(found[named])
    about: dict[str, dict[str, str]] = {name: {} for name in names}
    if len(about) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise SourceError(opened.name, "has a row for each judge", found=f"{shown(twice)} twice")
    for column in opened.columns:
        if column != named:
            for name, text in zip(names, _texts(found[column]), strict=True):
                if text:
                    about[name][column] = text
    return JudgesFile(about, _input(opened, len(names)))


def _texts(column: NDArray[Any]) -> list[str]:
    return [text.strip() for text in texts_of(column)]
