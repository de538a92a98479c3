"""Labels of Python as they are asked for, and true and false as files and frames write them."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import polars as pl
import pytest

import goldassay as ga

FRAME = pl.DataFrame(
    {
        "item": [f"i{k:02}" for k in range(60)],
        "human": ["yes", "no", "no"] * 20,
        "gpt": ["yes", "yes", "no"] * 20,
        "long": [True, False] * 30,
        "turns": [1, 2, 3, 4] * 15,
    }
)


@pytest.mark.parametrize(
    ("only", "items"),
    [
        ({"long": True}, 30),
        ({"long": "True"}, 30),
        ({"long": ["false"]}, 30),
        (["long=TRUE"], 30),
        ({"turns": 3}, 15),
        ({"turns": np.int64(3), "long": np.bool_(True)}, 15),
        ({"turns": [3, "4"], "long": False}, 15),
    ],
)
@pytest.mark.parametrize("written", [False, True])
def test_labels_are_found_however_they_are_written(only: Any, items: int, written: bool) -> None:
    source: Any = FRAME
    if written:  # as Python writes its truths
        text = FRAME.write_csv().replace("true", "True").replace("false", "False")
        source = pl.read_csv(io.StringIO(text), infer_schema=False)
    found = ga.agree(source, {"positive": "yes"}, only=only)
    accuracy = found["accuracy", "gpt"]
    assert isinstance(accuracy, ga.Estimate)
    assert accuracy.n_items == items
