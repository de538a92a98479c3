"""A judge that says what people say, everywhere: no interval claims to know that it always will."""

from __future__ import annotations

import json

import numpy as np
import pytest
from internals import ALL_ALIKE

import goldassay
from goldassay import Estimate

BINARY = {"scale": "binary", "options": ["yes", "no"], "positive": "yes", "calibration": "random"}
ORDINAL = {"scale": "ordinal", "options": list("12345"), "calibration": "random"}
CONTINUOUS = {"scale": "continuous", "calibration": "random"}
#: Where nearly all scores of a system are one, its median is that one for certain.
CERTAIN = {"median"}


def rows(
    task: dict[str, object],
    *,
    systems: int = 1,
    clusters: int = 0,
    judges: int = 1,
    known: int = 60,
) -> list[dict[str, str]]:
    """120 items, of which people label the first `known`; everybody says the same."""
    rng, found = np.random.default_rng(1), []
    options = task.get("options")
    for i in range(120):
        value = (
            str(options[int(rng.integers(len(options)))])
            if isinstance(options, list)
            else f"{rng.normal():.4f}"
        )
        where = {"item": str(i)}
        where |= {"prompt": str(i // systems), "system": f"s{i % systems}"} if systems > 1 else {}
        where |= {"cluster": f"c{i % clusters}"} if clusters else {}
        raters = [(f"j{k}", "judge") for k in range(judges)]
        raters += [("ann", "human"), ("bob", "human")] if i < known else []
        found += [{**where, "rater": r, "kind": k, "value": value} for r, k in raters]
    return found


def clustered(task: dict[str, object]) -> dict[str, object]:
    return {**task, "cluster": "cluster"}


ASKED = {
    "agree": lambda: goldassay.agree(rows(BINARY), BINARY),
    "agree, clusters": lambda: goldassay.agree(rows(BINARY, clusters=12), clustered(BINARY)),
    "agree, grades": lambda: goldassay.agree(rows(ORDINAL), ORDINAL),
    "agree, scores": lambda: goldassay.agree(rows(CONTINUOUS), CONTINUOUS),
    "agree, scores in clusters": lambda: goldassay.agree(
        rows(CONTINUOUS, clusters=12), clustered(CONTINUOUS)
    ),
    "select": lambda: goldassay.select(rows(BINARY, judges=2), BINARY),
    "estimate": lambda: goldassay.estimate(rows(BINARY), BINARY),
    "estimate, clusters": lambda: goldassay.estimate(rows(BINARY, clusters=12), clustered(BINARY)),
    "estimate, grades": lambda: goldassay.estimate(rows(ORDINAL), ORDINAL),
    "estimate, scores": lambda: goldassay.estimate(rows(CONTINUOUS), CONTINUOUS),
    "compare": lambda: goldassay.compare(rows(BINARY, systems=2), BINARY),
    "compare, scores": lambda: goldassay.compare(rows(CONTINUOUS, systems=2), CONTINUOUS),
    "rank": lambda: goldassay.rank(rows(BINARY, systems=4, known=120), BINARY),
    "rank, scores": lambda: goldassay.rank(rows(CONTINUOUS, systems=4, known=120), CONTINUOUS),
    "audit": lambda: goldassay.audit(rows(BINARY), BINARY),
    "replace": lambda: goldassay.replace(rows(BINARY), BINARY),
    "certify": lambda: goldassay.certify(rows(BINARY), BINARY),
    "diff": lambda: goldassay.diff(*[goldassay.agree(rows(BINARY), BINARY)] * 2),
}


@pytest.mark.parametrize("verb", ASKED)
def test_every_interval_has_a_length_and_holds_its_value(verb: str) -> None:
    found = ASKED[verb]()
    json.dumps(found.document(), allow_nan=False)
    known = 0
    for row in found.rows:
        one = row.result
        if not isinstance(one, Estimate) or one.interval is None:
            continue
        known += 1
        low, high = one.interval.low, one.interval.high
        assert low <= one.value + 1e-9, row
        assert one.value - 1e-9 <= high, row
        assert high - low > 1e-9 or row.about.get("aggregation") in CERTAIN, row
    assert known


def test_no_errors_bound_no_divergence() -> None:
    """Of 60 items none strays: what has a largest value has an interval, what has none says so."""
    found = goldassay.audit(rows(BINARY), BINARY)
    told = {
        one.name: (one.interval is not None, ALL_ALIKE in one.warnings)
        for one in (row.result for row in found.rows)
        if isinstance(one, Estimate)
    }
    for name in ("kl_divergence", "reverse_kl_divergence", "cross_entropy", "binary_cross_entropy"):
        assert told[name] == (False, True)
    for name in ("jensen_shannon", "mean_squared_error", "hit_rate"):
        assert told[name] == (True, False)


def test_win_rates_that_never_differ() -> None:
    """30 prompts: one more of exponential weight, -ln .025 at most, moves win rates by 11 %."""
    found = goldassay.rank(rows(BINARY, systems=4, known=120), BINARY)
    (error,) = [row.result for row in found.rows if row.result.name == "win_rate_mse"]
    assert isinstance(error, Estimate)
    assert error.interval is not None
    assert error.interval.low == 0
    assert error.interval.high == pytest.approx((3.688879 / 33.688879) ** 2, rel=0.02)
