"""The corrected ranking: what labels of some items say of a judge's, as `compare` says it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from lookup import some

import goldassay as ga
from goldassay.results import Estimate

polars = pytest.importorskip("polars")

TASKS = {
    "continuous": {"scale": "continuous"},
    "binary": {"scale": "binary", "options": ["y", "n"], "positive": "y"},
}


def drawn(scale: str, *, labelled: int = 80, criteria: int = 1) -> Any:
    """Four systems of rising quality on 200 prompts, a judge that loves the worst one."""
    rng = np.random.default_rng(3)
    rows = []
    for p in range(200):
        for s in range(4):
            true = 0.7 * s - 1 + rng.normal()
            seen = true + 0.5 * rng.normal() + (3 if s == 0 else 0)
            for kind, x in (("judge", seen), ("human", true)):
                value = ("y" if x > 0 else "n") if scale == "binary" else f"{x:.3f}"
                for c in range(criteria):
                    if kind == "judge" or p < labelled:
                        rows.append((f"p{p}", f"s{s}", kind, kind, value, f"c{c}"))
    columns = ("item", "system", "kind", "rater", "value", "criterion")
    return polars.DataFrame(rows, columns, orient="row")


@pytest.mark.parametrize("scale", TASKS)
def test_ranks_are_what_the_differences_of_compare_leave_open(scale: str) -> None:
    task, table = {**TASKS[scale], "calibration": "random"}, drawn(scale).drop("criterion")
    ranked, compared = ga.rank(table, task, resamples=50), ga.compare(table, task)
    # The judge has the worst system first; people's labels turn that round.
    raw = ranked.rows_where(name="system_rank", system="s0", aggregation="mean")[0].result
    assert isinstance(raw, Estimate)
    assert raw.value == 1
    made = ranked.tables["corrected"].rows
    assert [row[0] for row in made] == ["s3", "s2", "s1", "s0"]
    assert {row[3] for row in made} == {80}
    for row in some(ranked.rows_where(name="corrected_score")):
        name = "prevalence" if scale == "binary" else "mean_score"
        same = compared.rows_where(name=name, system=row.about["system"])[0].result
        assert isinstance(row.result, Estimate)
        assert isinstance(same, Estimate)
        assert row.result.interval is not None
        assert same.interval is not None
        ends = (row.result.value, row.result.interval.low, row.result.interval.high)
        # Sums over clusters may be added up in another order.
        assert ends == pytest.approx((same.value, same.interval.low, same.interval.high), abs=1e-12)
    surely = {
        (row.about["system"], row.about["opponent"])
        for row in compared.rows_where(name="difference")
        if row.result.interval is not None and row.result.interval.low > 0
    }
    for system, rank, *_ in made:
        better = sum(pair[1] == system for pair in surely)
        worse = sum(pair[0] == system for pair in surely)
        ends = {1 + better, 4 - worse}
        assert {int("".join(filter(str.isdigit, x))) for x in rank.split(" to ")} == ends


def test_nothing_is_corrected_where_all_or_nothing_is_labelled_or_criteria_are_several() -> None:
    task = {**TASKS["continuous"], "calibration": "random"}
    for table in (
        drawn("continuous", labelled=200).drop("criterion"),
        drawn("continuous", criteria=2),
    ):
        assert "corrected" not in ga.rank(table, task, resamples=50).tables
