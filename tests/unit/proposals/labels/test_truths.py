"""True and false are spelled by files and frames in their own ways, and one task fits all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import goldassay as ga

TRUTHS = pl.DataFrame(
    {
        "id": [f"q{k}" for k in range(40)],
        "human": [k % 3 > 0 for k in range(40)],
        "judge": [(k % 3 > 0) != (k % 8 == 0) for k in range(40)],
    }
)


def written(kind: str, folder: Path) -> Any:
    if kind == "frame":
        return TRUTHS
    path = folder / f"truths.{kind}"
    if kind == "csv":  # as Python writes them
        TRUTHS.with_columns(pl.col("human", "judge").cast(pl.String).str.to_titlecase()).write_csv(
            path
        )
    elif kind == "parquet":
        TRUTHS.write_parquet(path)
    else:
        TRUTHS.write_ndjson(path)
    return path


@pytest.mark.parametrize("kind", ["frame", "csv", "parquet", "jsonl"])
@pytest.mark.parametrize(
    "task",
    [
        {"positive": "False"},
        {"positive": "false"},
        {"positive": False},
        {"scale": "binary", "options": [True, False], "positive": False},
        "positive = false",
    ],
)
def test_one_task_fits_every_source(kind: str, task: Any, tmp_path: Path) -> None:
    found = ga.agree(written(kind, tmp_path), task=task, resamples=50)
    recall = found["recall"]
    assert isinstance(recall, ga.Estimate)
    assert recall.value == pytest.approx(12 / 14)  # of those that people call false
    assert not any("is the option that is counted" in said for said in found.assumed)


def test_the_option_that_is_declared_is_not_told_as_guessed() -> None:
    words = TRUTHS.with_columns(
        pl.col("human", "judge").cast(pl.String).replace({"true": "yes", "false": "no"})
    )
    assert any("`yes` is the option" in said for said in ga.agree(words, resamples=50).assumed)
    declared = ga.agree(words, task={"positive": "no"}, resamples=50)
    assert declared.task["positive"] == "no"
    assert not any("is the option that is counted" in said for said in declared.assumed)
