"""What may be said of all items when the judge gave no verdict on some of them."""

from __future__ import annotations

import math

from goldassay.inference.proportions import binomial

__all__ = ["bounds_over_missing"]


def bounds_over_missing(
    value: float, low: float, high: float, *, judged: float, missing: float, confidence_level: float
) -> tuple[float, float, float, float]:
    """The rate over all items if every missing one were negative, or positive, and both limits.

    `value` (low, high) is the rate among the `judged` items; nothing is assumed of the `missing`
    (Manski 1989). Returns the two extremes of the estimate, and an interval that holds the rate
    whatever they are: variances recovered from the limits of the rate and of the missing share.
    """
    share = missing / (judged + missing)
    _, most = (
        float(end) for end in binomial(missing, judged + missing, confidence_level=confidence_level)
    )

    def least(rate: float, limit: float) -> float:
        # All missing items lack the property: (1 - share) x rate, with its lower limit.
        down = math.hypot((1 - share) * (rate - limit), rate * (most - share))
        return max(0.0, (1 - share) * rate - down)

    return (
        (1 - share) * value,
        (1 - share) * value + share,
        least(value, low),
        1 - least(1 - value, 1 - high),
    )
