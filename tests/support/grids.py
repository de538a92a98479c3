"""Coverage of a whole grid of settings from few runs of each.

The benchmarks measure each setting by 2,000 runs (docs/theory/figures.md). To notice that something
was lost takes fewer: each setting must hold what an interval that covers its share holds in all but
one of a thousand tests, and all settings together, which are thousands of runs, must cover as much
in the mean and be as long as they did when they were measured.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from scipy.stats import binom

__all__ = ["CLAIM", "Seen", "faults", "fewest", "mean_coverage", "mean_length"]

#: What the interval of any setting covers.
CLAIM = 0.93
#: In the mean of all settings, so much less coverage than measured (and three Monte Carlo errors),
#: and so many times its length, are a fault.
LESS, LONGER = 0.01, 1.05


@dataclass(frozen=True)
class Seen:
    """What intervals of one quantity did in the runs of one setting."""

    of: str
    setting: str
    hits: float
    runs: int
    #: The mean length, or how many times as long as another interval's of the same draws.
    length: float = float("nan")


def fewest(runs: int, claim: float = CLAIM, chance: float = 1e-3) -> int:
    """Hits below which an interval that covers `claim` falls with at most this chance.

    >>> fewest(40), fewest(100), fewest(2_000)
    (31, 84, 1824)
    """
    return int(binom.ppf(chance, runs, claim)) if runs else 0


def mean_coverage(seen: Iterable[Seen]) -> tuple[float, float]:
    """The mean over settings, and three Monte Carlo errors of it."""
    known = [one for one in seen if one.runs]
    mean = float(np.mean([one.hits / one.runs for one in known]))
    variance = mean * (1 - mean) * sum(1 / one.runs for one in known) / len(known) ** 2
    return mean, 3 * float(np.sqrt(variance))


def mean_length(seen: Iterable[Seen]) -> float:
    """The geometric mean over settings, in which each counts alike whatever its scale."""
    return float(np.exp(np.mean([np.log(one.length) for one in seen if one.length > 0])))


def faults(
    seen: Iterable[Seen],
    measured: Mapping[str, tuple[float, float]],
    *,
    claim: float = CLAIM,
    chance: float = 1e-3,
    claims: Mapping[str, float] | None = None,
) -> list[str]:
    """Everything that is wrong with a grid, in words.

    `measured` has mean coverage and length of each quantity (each must be there); `claims` what is
    claimed of settings that docs/intervals.md lists as short, which are left out of the mean.
    """
    seen, claims = list(seen), claims or {}
    found = []
    for one in seen:
        least = fewest(one.runs, claims.get(one.setting, claim), chance)
        if one.hits < least:
            found.append(f"{one.setting}, {one.of}: holds {one.hits:g} of {one.runs}, not {least}")
    quantities = dict.fromkeys(one.of for one in seen)
    if set(quantities) != set(measured):
        found.append(f"seen {sorted(quantities)}, and measured {sorted(measured)}")
    for name in quantities:
        mine = [one for one in seen if one.of == name]
        share, long = measured.get(name, (np.nan, np.nan))
        covered, error = mean_coverage([one for one in mine if one.setting not in claims])
        if not covered >= share - LESS - error:
            found.append(f"all {len(mine)}, {name}: cover {covered:.4f}, and did {share:.4f}")
        length = mean_length(mine)
        if not length <= LONGER * long:
            found.append(f"all {len(mine)}, {name}: {length:.4f} long, and were {long:.4f}")
    return found
