"""Of a few systems `rank` says pair by pair what `compare` says."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import goldassay as ga
from goldassay.results import Estimate, Sentence

TASK = {"scale": "binary", "options": ["yes", "no"], "positive": "yes"}


def study(rates: dict[str, float], n: int, hits: float, rejects: float, seed: int) -> pl.DataFrame:
    """Systems of these rates on `n` prompts; a judge finds `hits`, and `rejects` the rest."""
    rng = np.random.default_rng(seed)
    rows = []
    for k in range(n):
        for system, rate in rates.items():
            true = rng.random() < rate
            said = rng.random() < hits if true else rng.random() > rejects
            for rater, kind, value in (("ann", "human", true), ("judge", "judge", said)):
                rows.append((f"p{k}", system, rater, kind, "yes" if value else "no"))
    return pl.DataFrame(rows, ["item", "system", "rater", "kind", "value"], orient="row")


def first(frame: pl.DataFrame) -> Sentence:
    return ga.rank(frame, TASK, resamples=200).answer[0]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("systems", [2, 3])
def test_pairs_are_told_apart_as_compare_tells_them(systems: int, seed: int) -> None:
    rates = dict(list({"a": 0.75, "b": 0.4, "c": 0.6}.items())[:systems])
    frame = study(rates, 70, 0.75, 0.55, seed)
    said = first(frame)
    if said.facts["agree"] != "unknown":
        assert "apart" not in said.facts
        return
    signs: dict[str, list[int]] = {"true": [], "own": []}
    for pair in ga.compare(frame, TASK).rows:
        name = {"difference": "true", "difference_naive": "own"}.get(pair.result.name)
        if name is not None and isinstance(pair.result, Estimate):
            ends = pair.result.interval
            assert ends is not None
            signs[name].append((ends.low > 0) - (ends.high < 0))
    told = [(true, own) for true, own in zip(*signs.values(), strict=True) if true]
    assert len(signs["true"]) == said.facts["pairs"]
    assert said.facts["apart"] == len(told)
    assert said.facts["same"] == sum(true == own for true, own in told)
    assert said.facts["turned"] == sum(true == -own for true, own in told)


def test_what_is_said_of_pairs() -> None:
    weak = first(study({"a": 0.8, "b": 0.3}, 60, 0.6, 0.5, 0))
    assert weak.text.startswith(
        "The 2 systems are told apart with people's labels, but not by `judge` alone: "
    )
    none = first(study({"a": 0.5, "b": 0.5, "c": 0.5}, 30, 0.8, 0.8, 1))
    assert none.text.startswith("These ratings tell no two of the 3 systems apart, so that ")
    many = first(study(dict.fromkeys("abcde", 0.5), 30, 0.8, 0.8, 1))
    assert "pairs" not in many.facts
