"""The items on which a judge and people differ, worst first."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from goldassay.counts import Units
from goldassay.formulas.agreement import agreement_weights
from goldassay.questions.agree.texts import Texts
from goldassay.results import Table

__all__ = ["disagreements"]

Ints = npt.NDArray[np.int64]


def disagreements(
    units: Units, judge: str, verdict: Ints, *, limit: int, texts: Texts | None = None
) -> Table:
    """Units by how far the judge is from people: the mean disagreement weight over their ratings.

    Ties are broken by how many people stand behind it, then by item. `units` carries `item`.
    """
    task, size = units.task, len(units.options)
    weights = (
        agreement_weights(task.weights, size)
        if isinstance(task.weights, str)
        else np.asarray(task.weights, dtype=float)[:size, :size]
    )
    if task.scale == "ordinal" and task.weights == "unweighted":
        weights = agreement_weights("linear", size)  # for the order of the list only
    votes = units.human[:, :size].astype(float)
    said = np.stack([(verdict == k).sum(1) for k in range(size)], 1).astype(float)
    rated = (votes.sum(1) > 0) & (said.sum(1) > 0)
    shares = votes / np.maximum(votes.sum(1, keepdims=True), 1)
    mine = said / np.maximum(said.sum(1, keepdims=True), 1)
    distance = np.where(rated, 1 - np.einsum("pk,kl,pl->p", shares, weights, mine), -1.0)
    order = np.lexsort(
        (np.arange(len(distance)), units.by["item"].codes, -votes.sum(1), -np.round(distance, 9))
    )
    rows: list[tuple[object, ...]] = []
    extra = [name for name in ("criterion", "system") if name in units.by]
    differ = rated & (distance > 1e-9) & (mine.argmax(1) != shares.argmax(1))
    for at in order[differ[order]][:limit]:
        item = units.by["item"].labels[units.by["item"].codes[at]]
        labels = [units.by[name].labels[units.by[name].codes[at]] for name in extra]
        text = [_excerpt(texts.text(units, at))] if texts is not None else []
        rows.append(
            (
                item,
                *labels,
                _votes(votes[at], units.options),
                _votes(said[at], units.options),
                float(distance[at]),
                *text,
            )
        )
    total = int(units.n[differ].sum())
    columns = (
        "item",
        *extra,
        "people",
        judge,
        "distance",
        *(["text"] if texts is not None else []),
    )
    note = f"{total} of {int(units.n[rated].sum())} units differ; {len(rows)} are shown"
    return Table(f"Where {judge} and people differ, worst first", columns, tuple(rows), (note,))


def _votes(counts: npt.NDArray[np.float64], options: tuple[str, ...]) -> str:
    named = [(int(n), option) for n, option in zip(counts, options, strict=True) if n]
    if len(named) == 1 and named[0][0] == 1:
        return named[0][1]
    return ", ".join(f"{option} x{n}" for n, option in sorted(named, key=lambda x: -x[0]))


def _excerpt(text: str, limit: int = 120) -> str:
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"
