"""How many labelled items tell two judges apart.

Balanced accuracy is a mean of recalls, so the difference between two judges on the same items is a
mean of paired differences within the classes. Its variance is

    1/4 [ v1 / (n pi) + v0 / (n (1 - pi)) ],   v_c = b_c + c_c - (b_c - c_c)^2

with b_c and c_c the shares of class-c items on which only the first, only the second judge is
right, and pi the share of positive items.
"""

from __future__ import annotations

import math
from statistics import NormalDist

__all__ = ["discordance", "items_to_tell_apart"]


def discordance(first: float, second: float, *, correlation: float = 0.0) -> float:
    """Variance of the paired difference of two judges' hits, given each one's chance of a hit.

    `correlation` is that of their hits within a class. Judges tend to fail on the same items
    (correlation above 0), which makes them easier to tell apart: 0 is the careful assumption.
    """
    spread = math.sqrt(first * (1 - first) * second * (1 - second))
    return first * (1 - first) + second * (1 - second) - 2 * correlation * spread


def items_to_tell_apart(
    first: tuple[float, float],
    second: tuple[float, float],
    *,
    prevalence: float,
    correlation: float = 0.0,
    confidence_level: float = 0.95,
    power: float = 0.8,
    comparisons: int = 1,
) -> int | None:
    """Golden items needed so that the difference's interval excludes 0 with this `power`.

    `first` and `second` are (sensitivity, specificity). With several judges, `comparisons` is the
    number of differences looked at (Bonferroni). None when the balanced accuracies are equal, or
    when one class never occurs: no number of items would do.

    >>> items_to_tell_apart((0.9, 0.8), (0.8, 0.8), prevalence=0.5)
    895
    """
    difference = (first[0] + first[1] - second[0] - second[1]) / 2
    if abs(difference) < 1e-12 or not 0 < prevalence < 1:
        return None
    positive = discordance(first[0], second[0], correlation=correlation)
    negative = discordance(first[1], second[1], correlation=correlation)
    per_item = (positive / prevalence + negative / (1 - prevalence)) / 4
    normal = NormalDist()
    z = normal.inv_cdf(1 - (1 - confidence_level) / (2 * comparisons)) + normal.inv_cdf(power)
    return math.ceil(z**2 * per_item / difference**2)
