"""A corrected rate from bare counts: the judge's rate, and how often it was right."""

from __future__ import annotations

import numpy as np

from goldassay.errors import UsageError
from goldassay.questions.estimate import binary
from goldassay.questions.estimate.sample import Sample
from goldassay.results import Estimate, Gathered, Result, Undefined

__all__ = ["Fraction", "corrected_rate", "estimate_counts"]

Fraction = tuple[float, float]


def corrected_rate(
    positives: float,
    of: float,
    *,
    specificity: Fraction,
    sensitivity: Fraction,
    confidence_level: float = 0.95,
) -> Result:
    """The true rate when the judge calls `positives` of `of` items positive (Rogan-Gladen).

    `specificity` and `sensitivity` are (right, labelled) counts: of so many labelled negatives, and
    of so many labelled positives, the judge got so many right.

    >>> corrected_rate(400, 1000, specificity=(140, 200), sensitivity=(180, 200))
    prevalence = 0.1667 (0.05635, 0.2627) 95% Lang-Reiczigel, 1400 items
    """
    sample = _sample(positives, of, specificity, sensitivity)
    return binary.corrected(
        "rogan_gladen", sample, "separate", confidence_level=confidence_level, name="prevalence"
    )


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


def estimate_counts(
    positives: float,
    of: float,
    *,
    specificity: Fraction,
    sensitivity: Fraction,
    confidence_level: float = 0.95,
) -> Gathered:
    """`corrected_rate` with the judge's error rates and the answer in words."""
    sample = _sample(positives, of, specificity, sensitivity)
    findings = Gathered()
    result = corrected_rate(
        positives,
        of,
        specificity=specificity,
        sensitivity=sensitivity,
        confidence_level=confidence_level,
    )
    findings.add(result)
    findings.add(binary.corrected("naive", sample, "separate", confidence_level=confidence_level))
    for rate in binary.error_rates(sample, confidence_level=confidence_level):
        findings.add(rate)
    if isinstance(result, Undefined):
        findings.answer.append(f"The true rate cannot be told: {result.reason}.")
        return findings
    assert isinstance(result, Estimate)
    assert result.interval is not None
    findings.answer.append(
        f"The judge calls {positives / of:.1%} positive; the true rate is likely "
        f"{result.interval.low:.1%} to {result.interval.high:.1%} (best estimate "
        f"{result.value:.1%}), if it errs as it did on the labelled items."
    )
    findings.warnings.extend(f"{warning}." for warning in result.warnings)
    return findings
