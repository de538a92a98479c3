"""A p-value, a verdict and an interval never contradict one another, on any scale."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import goldassay as ga
from goldassay import Estimate

polars = pytest.importorskip("polars")

TASKS: dict[str, dict[str, Any]] = {
    "binary": {"scale": "binary", "options": ["1", "0"], "positive": "1"},
    "ordinal": {"scale": "ordinal", "options": ["1", "2", "3", "4"]},
    "continuous": {"scale": "continuous"},
    "pairwise": {"scale": "pairwise", "options": ["A", "B", "tie"], "tie": "tie"},
}
LEVEL, MARGIN = 0.95, 0.1


def drawn(scale: str, seed: int) -> Any:
    """2 to 4 systems on 40 prompts, a judge, and people's labels on some of the prompts."""
    rng = np.random.default_rng(seed)
    systems, labels = int(rng.integers(2, 5)), int(rng.integers(6, 40))
    step = rng.choice([0.0, 0.2, 0.6, 1.5])
    rows = []
    for p in range(40):
        true = step * np.arange(systems) + rng.normal() + rng.normal(size=systems)
        seen = true + 0.6 * rng.normal(size=systems)
        if scale == "pairwise":
            a, b = rng.choice(systems, 2, replace=False)
            gaps = (("judge", seen[a] - seen[b]), ("human", true[a] - true[b]))
            rows += [
                (p, f"s{a}", f"s{b}", kind, "tie" if abs(x) < 0.3 else "A" if x > 0 else "B")
                for kind, x in gaps
                if kind == "judge" or p < labels
            ]
            continue
        for s in range(systems):
            for kind, x in (("judge", seen[s]), ("human", true[s])):
                value: Any = round(float(x), 3)
                if scale == "binary":
                    value = int(x > 0)
                if scale == "ordinal":
                    value = int(np.clip(round(x + 2), 1, 4))
                if kind == "judge" or p < labels:
                    rows.append((p, f"s{s}", "", kind, str(value)))
    columns = ("item", "system", "opponent", "kind", "value")
    frame = polars.DataFrame(rows, columns, orient="row").with_columns(
        polars.col("item").cast(str), rater=polars.col("kind")
    )
    return frame if scale == "pairwise" else frame.drop("opponent")


@pytest.mark.parametrize("scale", TASKS)
@pytest.mark.parametrize("seed", range(6))
def test_p_values_agree_with_intervals_and_verdicts(scale: str, seed: int) -> None:
    task = {**TASKS[scale], "calibration": "random", "confidence_level": LEVEL}
    found = ga.compare(drawn(scale, seed), task, margin=MARGIN)
    gaps = [row.result for row in found.rows_where(name="difference")]
    known = [gap for gap in gaps if isinstance(gap, Estimate)]
    assert known
    for gap in known:
        assert gap.interval is not None
        low, high, said = gap.interval.low, gap.interval.high, gap.declared
        assert (said["p_value"] < 1 - LEVEL) == (low > 0 or high < 0)
        assert (said["p_no_worse"] < 1 - LEVEL) == (low > -MARGIN)
        assert (said["verdict"] == "better") == (low > 0)
        assert (said["verdict"] in ("better", "no worse")) == (low > -MARGIN)
        assert (said["verdict"] == "worse") == (high < 0 and low <= -MARGIN)
