"""Biases of a judge: noise makes it look decisive, and ties leave few prompts that decide."""

from __future__ import annotations

import numpy as np
import pytest
from coverage_probe import measured
from internals import Ranker
from probe_ranks import RankedFew

RUNS = 80


def test_a_bias_towards_kin_among_close_systems_is_held_and_not_long() -> None:
    """Six close systems on 48 prompts: percentiles of resamples hold no bias in .78."""
    close = RankedFew("lognormal", 48, 6, spread=0.3, liking=0.0, given=True, scored=False)
    found = measured(close, RUNS, seed=31)
    error = np.sqrt(0.05 * 0.95 / RUNS)
    for name, longest in (("kin bias", 0.17), ("corrected bias", 0.26)):
        assert found[name].coverage + 2 * error > 0.93
        assert found[name].length / found[name].runs < longest


@pytest.mark.slow
def test_a_bias_is_held_where_prompts_leave_decisiveness_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Six close systems that the judge likes otherwise than people do, on 14 prompts: resamples
    alone, and these mirrored, fall short, and draws of the model cost hardly any length."""
    close = RankedFew("normal", 14, 6, spread=0.3, liking=0.5, given=False, scored=False)
    found = measured(close, RUNS, seed=34)["kin bias"]
    monkeypatch.setattr(Ranker, "_modelled_biases", lambda *_: np.full((2, close.systems), np.nan))
    without = measured(close, RUNS, seed=34)["kin bias"]
    assert found.coverage + 2 * np.sqrt(0.05 * 0.95 / RUNS) > 0.93
    assert without.coverage < found.coverage
    assert without.length / without.runs < found.length / found.runs
    assert found.length / found.runs < 1.15 * without.length / without.runs


@pytest.mark.slow
def test_a_bias_where_most_prompts_are_ties_is_held_and_not_long() -> None:
    """Right or wrong, most are right: beside the few prompts that decide one more weighs much."""
    mostly_ties = RankedFew(
        "right or wrong", 47, 6, spread=1.0, liking=0.5, given=False, scored=False
    )
    found = measured(mostly_ties, RUNS, seed=32)["bias"]
    assert found.coverage + 2 * np.sqrt(0.05 * 0.95 / RUNS) > 0.97
    assert found.length / found.runs < 0.56


@pytest.mark.slow
def test_a_warning_stands_where_prompts_leave_decisiveness_open_and_nowhere_else() -> None:
    told = RankedFew("normal", 60, 5, spread=1.0, liking=0.5, given=False, scored=False)
    hardly = RankedFew("normal", 14, 6, spread=0.3, liking=0.5, given=False, scored=False)
    share = []
    for setting in (told, hardly):
        found = measured(setting, 20, seed=33)
        without = found.get("kin bias, no warning")
        share.append(without.runs / found["kin bias"].runs if without else 0.0)
    assert share[0] == 1.0
    assert share[1] < 0.5
