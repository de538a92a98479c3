"""What few runs of each setting notice over a grid, and what they leave alone."""

from __future__ import annotations

import numpy as np
from grids import Seen, faults, fewest
from scipy.stats import binom

RUNS = 60


def grid(covered: float, length: float = 1.0, *, settings: int = 40, seed: int = 0) -> list[Seen]:
    rng = np.random.default_rng(seed)
    lengths = length * rng.lognormal(0, 0.01, settings)
    hits = rng.binomial(RUNS, covered, settings)
    rows = enumerate(zip(hits, lengths, strict=True))
    return [Seen("rate", str(k), int(hit), RUNS, long) for k, (hit, long) in rows]


def found(covered: float, length: float = 1.0) -> float:
    """The share of a hundred grids in which something is wrong, by what .95 and 1 measured."""
    measured = {"rate": (0.95, 1.0)}
    grids = (grid(covered, length, seed=seed) for seed in range(100))
    return float(np.mean([bool(faults(one, measured)) for one in grids]))


def test_a_setting_fails_what_covers_its_claim_once_in_a_thousand_times() -> None:
    for runs in (16, 40, 60, 200, 2_000):
        assert binom.cdf(fewest(runs) - 1, runs, 0.93) <= 1e-3 < binom.cdf(fewest(runs), runs, 0.93)
    assert fewest(0) == 0


def test_a_real_loss_is_noticed_and_chance_is_not() -> None:
    assert found(0.95) <= 0.03
    assert found(0.90) >= 0.95
    assert found(0.95, 4 / 3) == 1
    assert found(0.95, 7 / 6) == 1  # one of two ends is a third longer


def test_one_setting_that_broke_is_named() -> None:
    (told,) = faults(
        [*grid(0.95)[1:], Seen("rate", "broken", 45, RUNS, 1.0)], {"rate": (0.94, 1.0)}
    )
    assert told == "broken, rate: holds 45 of 60, not 49"
    assert not faults(
        [*grid(0.95)[1:], Seen("rate", "broken", 45, RUNS, 1.0)],
        {"rate": (0.95, 1.0)},
        claims={"broken": 0.8},
    )


def test_nothing_measured_goes_unseen() -> None:
    told = faults(grid(0.95), {"rate": (0.95, 1.0), "mean": (0.95, 1.0)})
    assert told == ["seen ['rate'], and measured ['mean', 'rate']"]
    told = faults(grid(0.95), {})
    assert len(told) == 3  # neither its coverage nor its length is known to be right
