"""Agreement item by item, to set beside agreement on the ranking of systems.

A judge may rank systems well although it errs on many items (errors that fall on all systems alike
cancel), and badly although it errs on few (errors that fall on one system do not).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.agreement import ratio
from goldassay.formulas.comparisons import Comparisons

__all__ = ["ItemAgreement", "item_agreement"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ItemAgreement:
    """Share of people's preferences between two answers that the judge shares, by cluster.

    `agreed[c] / compared[c]`; a tie of the judge agrees by half. Ties of people do not count.
    """

    agreed: Floats
    compared: Floats

    @property
    def value(self) -> float | None:
        total = self.compared.sum()
        return float(self.agreed.sum() / total) if total else None

    def resampled(self, weights: Floats) -> Floats:
        return ratio(weights @ self.agreed, weights @ self.compared)


def item_agreement(judge: Comparisons, people: Comparisons) -> ItemAgreement:
    """Agreement of a judge with people on the same prompts and pairs of systems.

    Both have one row per cluster. Where several comparisons fall in one cell (several people, or
    several prompts of one cluster) each of people's preferences meets the judge's average verdict.
    """
    decided = _dense(judge.wins) + _dense(judge.losses) + _dense(judge.ties)
    share = np.nan_to_num(ratio(_dense(judge.wins) + _dense(judge.ties) / 2, decided))
    first, second = _dense(people.wins), _dense(people.losses)
    known = decided > 0
    agreed = np.where(known, first * share + second * (1 - share), 0.0).sum(axis=1)
    compared = np.where(known, first + second, 0.0).sum(axis=1)
    return ItemAgreement(agreed, compared)


def _dense(counts: object) -> Floats:
    array = counts if isinstance(counts, np.ndarray) else counts.toarray()  # type: ignore[attr-defined]
    return np.asarray(array, np.float64)
