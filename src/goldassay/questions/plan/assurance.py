"""The fewest labels with which an interval is short enough, with assurance.

Simulated studies (`forecast`) say how long the interval may turn out. With an assurance of .8 the
length is to be reached in at least 80 % of studies, whatever the truth behind the labels so far. A
posterior from few labels is itself off by something, so the planning is done with half the risk
asked for: .9 of the simulated studies. How often the length is then reached is tabulated in
`docs/intervals.md`.

References: Adcock (1997), "Sample size determination: a review"; Kelley and Maxwell (2003) for
intervals that are narrow enough with assurance.
"""

from __future__ import annotations

import math
from dataclasses import field

import numpy as np
from numpy.typing import NDArray

from goldassay.frozen import dataclass
from goldassay.questions.plan.forecast import Forecast

__all__ = ["EVEN", "Lengths", "fewest_labels", "simulated_share"]

Array = NDArray[np.float64]

#: The share of studies in which a plain number reaches the length.
EVEN = 0.5
#: Numbers of labels that are tried at most in one search, and with a dear forecast.
MOST_TRIES, DEAR_TRIES = 60, 2


def simulated_share(assurance: float) -> float:
    """The share of simulated studies that must reach the length: half the risk asked for."""
    return 1 - (1 - assurance) / 2


@dataclass(frozen=True)
class Lengths:
    """Simulated lengths by number of more labels, each number simulated once.

    `so_far` labels make an interval of length `now`, infinite where there is none; at `most` so
    many can be added. A `dear` forecast is asked for few numbers only.
    """

    forecast: Forecast
    so_far: int
    now: float
    most: int
    dear: bool = False
    seen: dict[int, Array] = field(default_factory=dict)

    def of(self, labels: int, share: float) -> float:
        """The length that this share of studies does not exceed."""
        if labels == 0:
            return self.now
        if labels not in self.seen:
            self.seen[labels] = np.sort(self.forecast(labels))
        lengths = self.seen[labels]
        return float(lengths[min(math.ceil(share * len(lengths)), len(lengths)) - 1])


def fewest_labels(lengths: Lengths, target: float, share: float) -> int | None:
    """The fewest more labels whose length is within the target in this share of studies.

    None where the most are not enough. With a dear forecast few numbers are tried, and the one
    read between the two nearest of them is tried too.
    """
    if lengths.now <= target:
        return 0
    if lengths.most < 1 or lengths.of(lengths.most, share) > target:
        return None
    tried = [0, *sorted(lengths.seen)]
    low = max(m for m in tried if lengths.of(m, share) > target)
    high = min(m for m in tried if m > low and lengths.of(m, share) <= target)
    for attempt in range(DEAR_TRIES if lengths.dear else MOST_TRIES):
        if high - low <= 1:
            return high
        guess = _between(lengths, (low, high), target, share)
        if not lengths.dear and attempt % 3:
            # Just below the best so far is most often the last number to try; else halve.
            guess = high - 1 if attempt % 3 == 1 else (low + high) // 2
        guess = min(max(guess, low + 1), high - 1)
        if lengths.of(guess, share) <= target:
            high = guess
        else:
            low = guess
    for _ in range(DEAR_TRIES if lengths.dear else 0):  # no number is promised that was not tried
        guess = _between(lengths, (low, high), target, share)
        if lengths.of(guess, share) <= target:
            return guess
        low = guess
    return high


def _between(lengths: Lengths, ends: tuple[int, int], target: float, share: float) -> int:
    """Where the line through both ends on logarithmic scales crosses the target."""
    low, high = ends
    above, below = lengths.of(low, share), lengths.of(high, share)
    if not (math.isfinite(above) and above > below > 0):
        return math.ceil(math.sqrt((low + 1) * high))
    first, last = (math.log(max(lengths.so_far + m, 1)) for m in ends)
    part = math.log(above / target) / math.log(above / below)
    total = math.exp(first + part * (last - first))
    return min(max(math.ceil(total - lengths.so_far - 1e-9), low + 1), high)
