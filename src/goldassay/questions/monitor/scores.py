"""What is counted of a verdict: the share of the positive option, of each option, or the grade."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from goldassay.counts.modes import declared_modes
from goldassay.errors import TaskError
from goldassay.frozen import dataclass
from goldassay.ratings.task import Task

__all__ = ["Measure", "measures_of"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Measure:
    """A number in [0, 1] for each code of a verdict, NaN where it does not count.

    `option` is the option whose share it is; None where it is a mean grade or a share of wins.
    """

    option: str | None
    words: str
    score: Floats


def measures_of(task: Task) -> tuple[Measure, ...]:
    """What is watched on each scale; numbers without options have none.

    Abstentions and invalid answers follow the task: left out, recoded, or counted as an answer
    that is none of the options (of an ordinal task, which has no place for it, left out).
    """
    size = len(task.options)
    if not size:
        raise TaskError(
            f'scale = "{task.scale}"',
            "has no options, and so no rate to watch",
            next_step='Declare what is counted, as cut = ">= 3" in the task',
        )
    if task.scale == "ordinal" and task.positive is None:
        grades = np.arange(size) / max(size - 1, 1)
        return (Measure(None, "mean grade", _with_states(grades, task, as_class=np.nan)),)
    if task.scale == "pairwise":
        wins = np.array([_wins(option, task) for option in task.options])
        return (Measure(None, "share of wins", _with_states(wins, task, as_class=np.nan)),)
    watched = (task.positive,) if task.positive else task.options
    return tuple(
        Measure(one, "rate", _with_states(_is(one, task), task, as_class=0.0)) for one in watched
    )


def _is(option: str, task: Task) -> Floats:
    return np.array([float(one == option) for one in task.options])


def _wins(option: str, task: Task) -> float:
    if option == task.tie:
        return np.nan if task.ties == "exclude" else 0.5
    return float(option == next(one for one in task.options if one != task.tie))


def _with_states(score: Floats, task: Task, *, as_class: float) -> Floats:
    """The scores of options, then of abstained, invalid and failed; the last is for no code."""
    modes = declared_modes(task)
    abstained = np.nan
    if modes.abstentions == "class":
        abstained = as_class
    elif modes.abstentions == "recode" and modes.recode_to is not None:
        abstained = float(score[task.options.index(modes.recode_to)])
    invalid = np.nan if modes.invalids == "exclude" else as_class
    return np.array([*score, abstained, invalid, np.nan, np.nan])
