"""The embedded engine: its own folder, and rows that are kept."""

from __future__ import annotations

from pathlib import Path

import duckdb
import numpy as np
import pytest

import goldassay
from goldassay.ratings.table import read_ratings
from goldassay.ratings.task import Task
from goldassay.sources.engine import coded, connect, kept, queried


@pytest.fixture(autouse=True)
def one_engine() -> None:
    """Each connection starts an engine of its own, as outside of tests."""


def test_two_at_once_do_not_empty_each_others_folder() -> None:
    """DuckDB empties its folder when it closes; a shared one lost what another had spilled."""
    folders = set()
    for _ in range(2):
        connection = connect()
        folders.add(connection.execute("SELECT current_setting('temp_directory')").fetchone()[0])
        connection.close()
    assert len(folders) == 2


def test_rows_that_are_kept_are_not_made_again() -> None:
    connection = connect()
    connection.execute("CREATE TABLE t AS SELECT 1 AS item")
    found = kept(connection.sql("SELECT item + 1 AS item FROM t"))
    connection.execute("DROP TABLE t")
    assert found.fetchall() == [(2,)]


def test_what_cannot_be_copied_stays_as_it_is() -> None:
    relation = connect().sql("SELECT 1 AS item, error('unreadable') AS broken")
    assert kept(relation) is relation
    assert relation.project("item").fetchall() == [(1,)]


def test_nothing_is_kept_in_a_connection_of_somebody_else() -> None:
    connection = duckdb.connect()
    connection.execute("CREATE TABLE t (item VARCHAR, rater VARCHAR, kind VARCHAR, value VARCHAR)")
    connection.execute("INSERT INTO t VALUES ('a', 'gpt', 'judge', 'yes')")
    task = Task(scale="binary", options=("yes", "no"), positive="yes")
    assert read_ratings(connection.table("t"), task).judges == ("gpt",)
    assert connection.execute("SELECT table_name FROM duckdb_tables()").fetchall() == [("t",)]


def test_a_later_query_does_not_change_what_an_earlier_one_gives() -> None:
    connection = connect()
    first, second = connection.sql("SELECT 1 AS x"), connection.sql("SELECT 2 AS x")
    asked = [queried(one, lambda rows: f"SELECT x FROM {rows}") for one in (first, second)]
    assert [one.fetchall() for one in asked] == [[(1,)], [(2,)]]
    assert asked[0].union(asked[1]).order("x").fetchall() == [(1,), (2,)]


def test_texts_are_numbered_by_their_labels() -> None:
    rows = connect().sql("SELECT unnest(['b', 'a''c', NULL, 'b']) AS \"the text\", 7 AS n")
    found = coded(rows, {"the text": ["", "a'c", "b"]}, ["n"]).fetchnumpy()
    assert found["the text"].tolist() == [2, 1, 0, 2]
    assert found["the text"].dtype == np.int32
    assert found["n"].tolist() == [7, 7, 7, 7]


def test_the_engine_is_asked_in_one_place() -> None:
    """A view's name is used once: relations keep the name, not the rows."""
    source = Path(goldassay.__file__).parent
    asking = [path.name for path in source.rglob("*.py") if ".query(" in path.read_text("utf-8")]
    assert asking == ["engine.py"]
