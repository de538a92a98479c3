"""Values as the task means them: matched labels, winners by name, and the two sides of a cut."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import narwhals as nw

from goldassay.ratings.labelling import Matched
from goldassay.ratings.task import Task
from goldassay.ratings.vocabulary import SPLITS

__all__ = ["MIRRORED", "as_counted", "rewritten", "turned_back", "with_splits", "with_winners"]

#: The column that says of which ratings the two options are named the other way round.
MIRRORED = "(mirrored)"


def with_splits(frame: nw.LazyFrame[Any]) -> nw.LazyFrame[Any]:
    """What splits are called as `calibration` and `test` (`vocabulary.SPLITS`); a word that is not
    known stays."""
    split = nw.col("split")
    plain = split.str.strip_chars().str.to_lowercase().str.replace_all("[ -]+", "_")
    meant = split
    for one in ("calibration", "test"):
        called = [word for word, what in SPLITS.items() if what == one]
        meant = nw.when(plain.is_in(called)).then(nw.lit(one)).otherwise(meant)
    return frame.with_columns(split=meant)


def with_winners(frame: nw.LazyFrame[Any], task: Task, columns: Sequence[str]) -> nw.LazyFrame[Any]:
    """On a pairwise scale a value may name the system that won."""
    if task.scale != "pairwise" or not {"system", "opponent"} <= set(columns):
        return frame
    value = nw.col("value")
    free = ~value.is_in([*task.options, *task.abstain, *task.invalid])
    first = free & (value == nw.col("system"))
    second = free & (value == nw.col("opponent"))
    if MIRRORED in columns:  # who names the system is not mistaken in the side
        as_it_stands = nw.when(first | second).then(nw.lit("no")).otherwise(nw.col(MIRRORED))
        frame = frame.with_columns(as_it_stands.alias(MIRRORED))
    one, two = map(nw.lit, _sides(task))
    meant = nw.when(second).then(two).otherwise(value)
    return frame.with_columns(value=nw.when(first).then(one).otherwise(meant))


def _sides(task: Task) -> list[str]:
    """The options that say which of the two wins, the first one's first."""
    return [option for option in task.options if option != task.tie]


def turned_back(frame: nw.LazyFrame[Any], task: Task) -> nw.LazyFrame[Any]:
    """Options as the task has them, where a judge named sides as they were shown to it, or where a
    column asks the opposite (`judge_fail` beside `human_pass`)."""
    value, (one, two) = nw.col("value"), map(nw.lit, _sides(task))
    mirrored = nw.col(MIRRORED) == nw.lit("yes")
    second = nw.when(mirrored & (value == two)).then(one).otherwise(value)
    turned = nw.when(mirrored & (value == one)).then(two).otherwise(second)
    return frame.with_columns(value=turned).drop(MIRRORED)


def rewritten(
    frame: nw.LazyFrame[Any], matched: Matched, state_of: Callable[[], nw.Expr]
) -> nw.LazyFrame[Any]:
    """The frame with every matched label as it is declared, and the states that follow."""
    by_meant: dict[str, list[str]] = {}
    for label, meant in matched.written.items():
        by_meant.setdefault(meant, []).append(label)
    value = written = nw.col("value")
    for meant, labels in by_meant.items():
        written = nw.when(value.is_in(labels)).then(nw.lit(meant)).otherwise(written)
    frame = frame.with_columns(value=written).with_columns(state=state_of())
    for name, labels in (("rated", matched.sets), ("invalid", matched.invalid)):
        if labels:
            unknown = nw.col("state") == nw.lit("unknown")
            told = nw.when(value.is_in(list(labels)) & unknown).then(nw.lit(name))
            frame = frame.with_columns(state=told.otherwise(nw.col("state")))
    return frame


def as_counted(
    frame: nw.LazyFrame[Any],
    columns: tuple[str, ...],
    task: Task,
    counted: tuple[Task, Callable[[str], str | None]],
) -> tuple[nw.LazyFrame[Any], tuple[str, ...]]:
    """Every rating as one of the two options that a cut, or several positive options, make.

    A real number stays as the score beside it.
    """
    binary, side = counted
    value, rated = nw.col("value"), nw.col("state") == nw.lit("rated")
    meant = value
    if task.scale != "continuous":
        for option in task.options:
            meant = nw.when(value == nw.lit(option)).then(nw.lit(side(option))).otherwise(meant)
        return frame.with_columns(value=meant), columns
    sign, bound = binary.options[0].split()
    number, cut = nw.when(rated).then(value.str.strip_chars()).cast(nw.Float64), float(bound)
    above = {">=": number >= cut, ">": number > cut, "<=": number <= cut, "<": number < cut}[sign]
    yes, no = (nw.lit(option) for option in binary.options)
    meant = nw.when(rated & above).then(yes).otherwise(nw.when(rated).then(no).otherwise(value))
    if "score" in columns:
        return frame.with_columns(value=meant), columns
    score = nw.when(rated).then(value)
    return frame.with_columns(score=score).with_columns(value=meant), (*columns, "score")
