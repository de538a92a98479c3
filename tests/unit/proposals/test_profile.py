"""A small table is looked at in memory, and says the same as the engine."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import narwhals as nw
import pytest
from held_out_files import FILES, paths_of

from goldassay.proposals.cells.total_rows import total_rows
from goldassay.proposals.profile import counted, counted_pairs, profile
from goldassay.proposals.propose import drafted_task
from goldassay.ratings.distinct import distinct_keys, is_of_items
from goldassay.sources.few_cells import kept_cells
from goldassay.sources.frames import open_source

SOME = FILES[::40]


@pytest.mark.parametrize("one", SOME, ids=lambda one: one["names"][0])
def test_a_small_table_is_seen_as_the_engine_sees_it(one: dict[str, Any]) -> None:
    source = open_source(paths_of(one))
    elsewhere = replace(source, may_keep=False)
    assert profile(source) == profile(elsewhere)
    pairs = list(pairwise(source.columns))[:4]
    assert counted_pairs(source, pairs) == counted_pairs(elsewhere, pairs)
    for pair, labels in counted_pairs(source, pairs).items():
        engine = counted(elsewhere, *pair)
        assert labels == engine
        assert list(counted(source, *pair).items()) == list(engine.items())  # in the same order
        assert distinct_keys(source, pair) == distinct_keys(elsewhere, pair)
        assert is_of_items(source, *pair) == is_of_items(elsewhere, *pair)
    columns = profile(source)
    assert total_rows(source, columns) == total_rows(elsewhere, columns)


def test_empty_cells_are_counted_as_the_engine_counts_them() -> None:
    rows = [{"a": a, "b": b} for a in ("x", "", None) for b in (None, "", "y", "y")]
    source = open_source(rows)
    elsewhere = replace(source, may_keep=False)
    assert list(counted(source, "a", "b").items()) == list(counted(elsewhere, "a", "b").items())
    for names in (["a"], ["b"], ["a", "b"]):
        assert distinct_keys(source, names) == distinct_keys(elsewhere, names) > 1
    assert is_of_items(source, "a", "b") == is_of_items(elsewhere, "a", "b")


def test_another_frame_has_cells_of_its_own() -> None:
    source = open_source([{"a": "x"}, {"a": "y"}])
    assert distinct_keys(source, ["a"]) == 2
    part = replace(source, frame=source.frame.filter(nw.col("a") == nw.lit("x")))
    assert distinct_keys(part, ["a"]) == 1
    assert kept_cells(part, ["a"]) == {"a": ["x"]}
    assert kept_cells(source, ["gone"]) is None


@pytest.mark.parametrize("name", ["rows", "n_rows", "labels", "files", "count"])
def test_a_column_may_be_called_as_what_is_counted(tmp_path: Path, name: str) -> None:
    """What a query counts has a name of its own, whatever the table's columns are called."""
    rows = [f"{n},{'yn'[n % 2]},{'yn'[n % 3 % 2]}" for n in range(24)]
    paths = [tmp_path / "gpt4.csv", tmp_path / "claude.csv"]
    for at, path in enumerate(paths):
        path.write_text("\n".join([f"{name},gold,prediction", *rows[at:], *rows[:at]]) + "\n")
    assert drafted_task(paths[0]).task
    assert drafted_task(paths).task
    paths[0].write_text("\n".join([f"id,{name},judge", *rows]) + "\n")
    assert drafted_task(paths[0]).task


def test_empty_lists_are_no_verdicts() -> None:
    column = profile(open_source([{"a": "[]", "b": "yes"}, {"a": "[]", "b": "no"}]))
    assert not column["a"].verdicts
    assert column["b"].verdicts
