"""Intervals of the definitions of performance."""

from __future__ import annotations

import numpy as np
from audit_counts import TASK, counted

from goldassay.formulas.distributions import table_1
from goldassay.questions.audit.bounds import bounds, quantiles
from goldassay.questions.audit.evaluate import Draws
from goldassay.questions.audit.sides import both_sides


def test_the_interval_holds_its_value_and_stays_in_range() -> None:
    rng = np.random.default_rng(2)
    forced = rng.multinomial(3, [0.7, 0.3], 25).astype(float)
    sides = both_sides(counted(forced, j=forced.copy()), TASK)
    definitions = table_1(smoothing=0.1)
    found = bounds(sides, definitions, Draws(resamples=100, panels=3, seed=0))
    known = np.isfinite(found.value)
    assert (found.low <= found.value + 1e-12)[known].all()
    assert (found.value <= found.high + 1e-12)[known].all()
    squared = [d for d, one in enumerate(definitions) if one.name == "mean_squared_error"]
    assert (found.low[squared] >= 0).all()


def test_quantiles_leave_out_what_is_undefined() -> None:
    nan = np.nan
    drawn = np.array([[0.0, nan, nan], [1.0, 2.0, nan], [2.0, 4.0, nan]])
    low, high = quantiles(drawn, 0.5)  # the 25 % and 75 % points, by linear interpolation
    np.testing.assert_allclose(low, [0.5, 2.5, nan])
    np.testing.assert_allclose(high, [1.5, 3.5, nan])
