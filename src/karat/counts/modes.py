"""Counts in the task's declared modes: where abstentions and invalid outputs go.

`Confusion.counts` keeps everything: rows are the K options and abstained, columns the K options,
abstained, invalid and failed. The declared modes make a square table of it, on which coefficients
are computed. Whatever is left out here is counted by `pairing_exclusions`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from karat.task import Task

__all__ = ["declared_classes", "declared_tables"]

Floats = npt.NDArray[np.float64]


def declared_classes(task: Task) -> tuple[str, ...]:
    """The rows and columns of a declared table: the options, then abstained and invalid if kept."""
    kept: tuple[str, ...] = ("abstained",) if task.abstentions == "class" else ()
    kept += ("invalid",) if task.invalids != "exclude" else ()
    return task.options + kept


def declared_tables(counts: Floats, task: Task) -> Floats:
    """Square tables [..., k, k] of `declared_classes` from counts [..., K + 1, K + 3].

    - Abstentions: `exclude` leaves them out, `recode` adds them to the option `recode_to`, `class`
      makes them a class of their own, for people too.
    - Invalid outputs: `exclude` leaves them out; `wrong` and `class` keep them as a class that the
      reference never has, so that every one of them is a disagreement.
    - Failed calls have no verdict and are always left out.
    """
    size = len(task.options)
    classes = declared_classes(task)
    tables = np.zeros((*counts.shape[:-2], len(classes), len(classes)))
    tables[..., :size, :size] = counts[..., :size, :size]
    if task.abstentions == "recode" and task.recode_to is not None:
        to = task.options.index(task.recode_to)
        tables[..., :size, to] += counts[..., :size, size]
        tables[..., to, :size] += counts[..., size, :size]
        tables[..., to, to] += counts[..., size, size]
    elif task.abstentions == "class":
        tables[..., : size + 1, size] = counts[..., : size + 1, size]
        tables[..., size, :size] = counts[..., size, :size]
    if task.invalids != "exclude":
        rows = size + (task.abstentions == "class")
        tables[..., :rows, -1] = counts[..., :rows, size + 1]
    return tables
