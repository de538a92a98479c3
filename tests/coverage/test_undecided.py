"""The rate over all items, where a judge is silent on more of what is bad."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import goldassay as ga
from goldassay import Estimate

TASK = {
    "scale": "binary",
    "options": ["yes", "no"],
    "positive": "yes",
    "abstain": ["pass"],
    "calibration": "random",
}
RATE, ITEMS, LABELS = 0.7, 300, 90
SILENT = {True: 0.05, False: 0.4}


def _study(rng: np.random.Generator) -> pl.DataFrame:
    truth = rng.random(ITEMS) < RATE
    labelled = np.isin(np.arange(ITEMS), rng.choice(ITEMS, LABELS, replace=False))
    silent = rng.random(ITEMS) < np.where(truth, SILENT[True], SILENT[False])
    says = np.where(rng.random(ITEMS) < 0.88, truth, ~truth)
    names = np.array(["no", "yes"])
    people = pl.DataFrame({"item": np.flatnonzero(labelled), "value": names[truth[labelled] * 1]})
    judge = pl.DataFrame(
        {"item": np.arange(ITEMS), "value": np.where(silent, "pass", names[says * 1])}
    )
    return pl.concat(
        [
            people.with_columns(rater=pl.lit("ann"), kind=pl.lit("human")),
            judge.with_columns(rater=pl.lit("j"), kind=pl.lit("judge")),
        ]
    ).with_columns(pl.col("item").cast(pl.String))


@pytest.mark.parametrize("runs", [60, pytest.param(250, marks=pytest.mark.slow)])
def test_what_is_said_of_all_items_covers_and_is_shorter_than_bounds(runs: int) -> None:
    rng = np.random.default_rng(71)
    covered, of_decided = 0, 0
    lengths = []
    for _ in range(runs):
        found = ga.estimate(_study(rng), TASK)
        whole, rate, bounds = (
            found[name, "j"] for name in ("prevalence_over_all", "prevalence", "prevalence_bounds")
        )
        for one in (whole, rate, bounds):
            assert isinstance(one, Estimate)
            assert one.interval is not None
        covered += RATE in whole.interval
        of_decided += RATE in rate.interval
        lengths.append((whole.interval.length, bounds.interval.length))
    error = np.sqrt(0.95 * 0.05 / runs)
    assert covered / runs > 0.95 - 3 * error
    # The rate of what the judge decides is another one: it says so.
    assert of_decided / runs < 0.7
    whole, bounds = np.mean(lengths, axis=0)
    assert whole < 0.6 * bounds
    # 90 labels alone have an interval of about 4 standard errors.
    assert whole < 3.92 * np.sqrt(RATE * (1 - RATE) / LABELS)
