"""The items on which a judge and people differ, worst first."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from goldassay.counts import Units
from goldassay.formulas.agreement import agreement_weights
from goldassay.frozen import dataclass
from goldassay.questions.agree.texts import Texts

__all__ = ["Disagreement", "Disagreements", "disagreements"]

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Disagreement:
    """A unit: its labels, the options that people and the judge chose and how often, its text."""

    labels: tuple[str, ...]
    people: tuple[tuple[str, int], ...]
    judge: tuple[tuple[str, int], ...]
    distance: float
    text: str | None


@dataclass(frozen=True)
class Disagreements:
    """The worst of the units on which a judge and people differ."""

    #: What the labels of a unit are: its item, and its criterion and system where it has them.
    columns: tuple[str, ...]
    worst: tuple[Disagreement, ...]
    differ: int
    rated: int
    with_texts: bool


def disagreements(
    units: Units, verdict: Ints, *, limit: int, texts: Texts | None = None
) -> Disagreements:
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
    differ = rated & (distance > 1e-9) & (mine.argmax(1) != shares.argmax(1))
    columns = ("item", *(name for name in ("criterion", "system") if name in units.by))

    def chosen(counts: npt.NDArray[np.float64]) -> tuple[tuple[str, int], ...]:
        return tuple((option, int(n)) for option, n in zip(units.options, counts, strict=True) if n)

    worst = tuple(
        Disagreement(
            labels=tuple(units.by[name].labels[units.by[name].codes[at]] for name in columns),
            people=chosen(votes[at]),
            judge=chosen(said[at]),
            distance=float(distance[at]),
            text=texts.text(units, at) if texts is not None else None,
        )
        for at in order[differ[order]][:limit]
    )
    number, of = int(units.n[differ].sum()), int(units.n[rated].sum())
    return Disagreements(columns, worst, number, of, with_texts=texts is not None)
