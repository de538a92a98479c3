"""What stands in the index of a frame of pandas is read, and names of columns occur once."""

from __future__ import annotations

from typing import Any

import pytest

import goldassay as ga
from goldassay.errors import RatingsError, SourceError
from goldassay.sources.frames import open_frame

pandas = pytest.importorskip("pandas")


def long_frame() -> Any:
    """30 ratings by two raters: 10 prompts, of each three outputs that are alike."""
    rows = [
        (f"p{prompt}", sample, rater, label)
        for prompt in range(10)
        for sample in range(3)
        for rater, label in (
            ("human", "yn"[prompt % 2]),
            ("judge", "yn"[prompt % 2 if prompt % 4 else prompt % 2 ^ 1]),
        )
    ]
    return pandas.DataFrame(rows, columns=["prompt", "sample", "rater", "label"])


def wide_frame(raters: str = "str") -> Any:
    return (
        long_frame()
        .astype({"rater": raters})
        .pivot(index=["prompt", "sample"], columns="rater", values="label")
    )


@pytest.mark.parametrize("raters", ["str", "category"])
def test_levels_with_names_are_columns_in_front(raters: str) -> None:
    wide = wide_frame(raters)
    before = wide.copy()
    assert open_frame(wide).columns == ("prompt", "sample", "human", "judge")
    assert wide.equals(before)
    assert wide.columns.equals(before.columns)


def test_a_pivoted_table_has_the_clusters_of_its_index() -> None:
    in_index = ga.agree(wide_frame(), resamples=200)
    in_columns = ga.agree(wide_frame().reset_index(), resamples=200)
    assert in_index["cohen_kappa"] == in_columns["cohen_kappa"]
    assert in_index.assumed == in_columns.assumed
    kappa = in_index["cohen_kappa"]
    assert isinstance(kappa, ga.Estimate)
    assert kappa.n_clusters == 10


def test_a_system_in_the_index_is_one() -> None:
    frame = wide_frame().reset_index()
    frame["system"] = frame.pop("sample").map("m{}".format)
    assert ga.rank(frame.set_index(["prompt", "system"])).columns == ga.rank(frame).columns


@pytest.mark.parametrize(
    ("index", "columns"),
    [
        (None, ()),
        ([7, 7, 9], ()),
        ([0.5, 1.5, 2.5], ()),
        (["a", "b", "c"], ("index",)),
        ([["a", "a", "b"], [0, 1, 0]], ("level_0",)),
    ],
)
def test_numbers_without_a_name_count_rows(index: Any, columns: tuple[str, ...]) -> None:
    frame = pandas.DataFrame({"human": list("yny"), "judge": list("yyn")}, index=index)
    assert open_frame(frame).columns == (*columns, "human", "judge")


def test_a_level_that_is_a_column_too_is_read_once_and_says_the_same() -> None:
    frame = wide_frame().reset_index().set_index("prompt", drop=False)
    assert open_frame(frame).columns == ("prompt", "sample", "human", "judge")
    frame["prompt"] = "another"
    with pytest.raises(RatingsError, match="say different things; found 'prompt'"):
        open_frame(frame)


def test_several_rows_of_column_names_are_refused_with_what_to_do() -> None:
    wide = long_frame().pivot(index=["prompt", "sample"], columns="rater")
    with pytest.raises(RatingsError, match=r'one row of column names.*frame\["label"\]'):
        ga.agree(wide)
    assert open_frame(wide["label"]).columns == ("prompt", "sample", "human", "judge")


@pytest.mark.parametrize("names", [["id", "human", "human"], ["id", "Human", "human"], ["1", 1, 2]])
def test_a_frame_names_each_column_once(names: list[Any]) -> None:
    frame = wide_frame().reset_index(drop=True).assign(id="x").set_axis(names, axis=1)
    with pytest.raises(SourceError, match="pandas frame: a column name must occur once"):
        ga.agree(frame)


def test_a_level_is_told_from_columns_by_more_than_capitals() -> None:
    with pytest.raises(SourceError, match="found 'Human' and 'human'"):
        open_frame(wide_frame().rename_axis(index=["Human", "sample"]))


@pytest.mark.parametrize("library", ["pyarrow", "duckdb"])
def test_tables_of_other_libraries_name_each_column_once(library: str) -> None:
    native = pytest.importorskip(library)
    if library == "pyarrow":
        table = native.table([["y"], ["n"]], names=["human", "human"])
    else:
        table = native.connect().sql("SELECT 'y' AS human, 'n' AS human")
    with pytest.raises(SourceError, match=f"{library} frame: a column name must occur once"):
        ga.agree(table)


def test_a_frame_of_narwhals_is_the_frame_within() -> None:
    narwhals = pytest.importorskip("narwhals")
    assert open_frame(narwhals.from_native(wide_frame())).columns[0] == "prompt"


@pytest.mark.parametrize("kind", ["period", "interval", "complex", "PeriodIndex"])
def test_a_column_of_a_type_that_the_engine_does_not_know_is_named(kind: str) -> None:
    frame = wide_frame().reset_index(drop=True)
    days = pandas.period_range("2026-01-05", periods=len(frame), freq="W", name="batch")
    odd = {
        "period": days,
        "interval": pandas.cut(range(len(frame)), 5),  # categories of intervals
        "complex": [1j] * len(frame),
    }
    frame = frame.set_index(days) if kind == "PeriodIndex" else frame.assign(batch=odd[kind])
    with pytest.raises(RatingsError, match=r"column batch: must be of a type .* found") as error:
        open_frame(frame)
    assert "frame['batch'].astype(str)" in str(error.value)
    if kind != "PeriodIndex":
        open_frame(frame.assign(batch=frame["batch"].astype(str)))
