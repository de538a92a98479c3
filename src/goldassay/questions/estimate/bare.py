"""A corrected rate from bare counts: the judge's rate, and how often it was right."""

from __future__ import annotations

import numpy as np

from goldassay.errors import UsageError
from goldassay.frozen import dataclass
from goldassay.questions.estimate.binary import corrected, error_rates
from goldassay.questions.estimate.design import drawing
from goldassay.questions.estimate.estimators import NAIVE, ROGAN_GLADEN, Settings
from goldassay.questions.estimate.known import KnownRates, known_rate
from goldassay.questions.estimate.sample import Sample
from goldassay.results import Result, Row

__all__ = ["CountsStudy", "Fraction", "corrected_rate", "study_counts", "study_known_counts"]

Fraction = tuple[float, float]


@dataclass(frozen=True, slots=True)
class CountsStudy:
    """The true rate behind bare counts, the judge's own, and its error rates."""

    #: The share of items that the judge calls positive; None where there is no item.
    called: float | None
    rate: Result
    naive: Result
    error_rates: tuple[Result, ...]
    #: The judge's error rates, where these are known and not counted.
    known: KnownRates | None = None

    def rows(self) -> tuple[Row, ...]:
        return tuple(Row(one) for one in (self.rate, self.naive, *self.error_rates))


def study_counts(
    positives: float,
    of: float,
    *,
    specificity: Fraction,
    sensitivity: Fraction,
    confidence_level: float = 0.95,
) -> CountsStudy:
    """The true rate when the judge calls `positives` of `of` items positive (Rogan-Gladen).

    `specificity` and `sensitivity` are (right, labelled) counts: of so many labelled negatives, and
    of so many labelled positives, the judge got so many right.
    """
    sample = _sample(positives, of, specificity, sensitivity)
    drawn, settings = drawing("separate", apart=True), Settings(confidence_level)
    return CountsStudy(
        called=positives / of if of else None,
        rate=corrected(ROGAN_GLADEN, sample, drawn, settings, name="prevalence"),
        naive=corrected(NAIVE, sample, drawn, settings),
        error_rates=error_rates(sample, confidence_level=confidence_level),
    )


def study_known_counts(
    positives: float, of: float, known: KnownRates, *, confidence_level: float = 0.95
) -> CountsStudy:
    """The true rate when the judge calls `positives` of `of` items positive, its errors known.

    >>> found = study_known_counts(400, 1000, KnownRates(specificity=0.7, sensitivity=0.9))
    >>> found.rate
    prevalence = 0.1667 (0.116, 0.2184) 95% hedged binomial of the judge's rate, known error rates,
    1000 items
    """
    sample = _sample(positives, of, (0, 0), (0, 0))
    drawn = drawing("separate", apart=True)
    naive = corrected(NAIVE, sample, drawn, Settings(confidence_level))
    called = positives / of if of else None
    return CountsStudy(called, known_rate(naive, known), naive, known.results, known)


def corrected_rate(
    positives: float,
    of: float,
    *,
    specificity: Fraction,
    sensitivity: Fraction,
    confidence_level: float = 0.95,
) -> Result:
    """The rate of `study_counts` alone.

    >>> corrected_rate(400, 1000, specificity=(140, 200), sensitivity=(180, 200))
    prevalence = 0.1667 (0.05635, 0.2627) 95% Lang-Reiczigel, 1400 items
    """
    return study_counts(
        positives,
        of,
        specificity=specificity,
        sensitivity=sensitivity,
        confidence_level=confidence_level,
    ).rate


def _sample(positives: float, of: float, specificity: Fraction, sensitivity: Fraction) -> Sample:
    for name, (hits, trials) in (
        ("positives", (positives, of)),
        ("specificity", specificity),
        ("sensitivity", sensitivity),
    ):
        if not 0 <= hits <= trials:
            raise UsageError(
                name, "is a count out of a count, as 140/200", found=f"{hits:g}/{trials:g}"
            )
    (k0, m0), (k1, m1) = specificity, sensitivity
    cells = np.array([[[k0, m0 - k0], [m1 - k1, k1], [of - positives, positives]]], dtype=float)
    total = float(cells.sum())
    return Sample(
        options=("negative", "positive"),
        verdicts=("negative", "positive"),
        groups=("all",),
        cells=cells[None],
        multiplicity=np.ones(1, np.int64),
        n_items=round(total),
        independent=True,
        apart=True,
        test_labels=np.zeros(2),
        without_verdict={},
        labels_without_verdict=np.zeros(2),
    )
