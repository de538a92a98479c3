"""Files of every format give the same text; broken ones give one clear message."""

from __future__ import annotations

import json
import os
import sqlite3
from pathlib import Path

import duckdb
import pytest
from patience import seldom

from goldassay.errors import SourceError
from goldassay.ratings.fetch import fetch
from goldassay.sources import separated
from goldassay.sources.files import open_files
from goldassay.sources.frames import open_source


@pytest.fixture(autouse=True)
def one_engine() -> None:
    """Each connection starts an engine of its own, as outside of tests."""


ROWS = [("1", "NA"), ("01", "None"), ("2", "nan"), ("3", "TRUE"), ("4", 'a "b", c\nd')]


def rows(source: object) -> list[tuple[str | None, ...]]:
    opened = open_source(source)
    found = fetch(opened.frame.select("item", "value").sort("item", "value"), place=opened.name)
    columns = [[None if v is None else str(v) for v in c.tolist()] for c in found.values()]
    return sorted(zip(*columns, strict=True), key=str)


def write(folder: Path, name: str) -> Path:
    path = folder / name
    if name.endswith((".csv", ".tsv")):
        sep = "," if name.endswith(".csv") else "\t"
        quoted = [f'{item}{sep}"{value.replace(chr(34), chr(34) * 2)}"' for item, value in ROWS]
        path.write_text("\n".join([f"item{sep}value", *quoted]) + "\n")
    elif name.endswith(".jsonl"):
        path.write_text("".join(json.dumps({"item": i, "value": v}) + "\n" for i, v in ROWS))
    elif name.endswith(".json"):
        path.write_text(json.dumps([{"item": i, "value": v} for i, v in ROWS]))
    elif name.endswith(".parquet"):
        with duckdb.connect() as connection:
            connection.execute("CREATE TABLE t (item VARCHAR, value VARCHAR)")
            connection.executemany("INSERT INTO t VALUES (?, ?)", ROWS)
            connection.execute(f"COPY t TO '{path}' (FORMAT parquet)")
    elif name.endswith(".duckdb"):
        with duckdb.connect(str(path)) as connection:
            connection.execute("CREATE TABLE ratings (item VARCHAR, value VARCHAR)")
            connection.executemany("INSERT INTO ratings VALUES (?, ?)", ROWS)
    else:
        with sqlite3.connect(path) as database:
            database.execute("CREATE TABLE ratings (item, value)")
            database.executemany("INSERT INTO ratings VALUES (?, ?)", ROWS)
        database.close()
    return path


@pytest.mark.parametrize(
    "name", ["a.csv", "a.tsv", "a.jsonl", "a.json", "a.parquet", "a.duckdb", "a.sqlite", "a.db"]
)
def test_labels_stay_text_in_every_format(tmp_path: Path, name: str) -> None:
    assert rows(write(tmp_path, name)) == sorted(ROWS, key=str)


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow", "duckdb"])
def test_frames_in_memory(kind: str) -> None:
    data = {"item": [i for i, _ in ROWS], "value": [v for _, v in ROWS]}
    if kind == "duckdb":
        connection = duckdb.connect()
        connection.execute("CREATE TABLE t (item VARCHAR, value VARCHAR)")
        connection.executemany("INSERT INTO t VALUES (?, ?)", ROWS)
        assert rows(connection.table("t")) == sorted(ROWS, key=str)
        return
    library = pytest.importorskip(kind)
    frame = library.table(data) if kind == "pyarrow" else library.DataFrame(data)
    assert rows(frame) == sorted(ROWS, key=str)


def test_numbers_in_a_frame_become_the_labels_a_person_would_write() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"item": [1, 2, 3], "value": [1.0, None, 2.5]})
    assert rows(frame) == [("1", "1"), ("2", None), ("3", "2.5")]


def test_a_byte_order_mark_and_crlf_are_harmless(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"\xef\xbb\xbfitem,value\r\n1,a\r\n2,b\r\n")
    assert rows(path) == [("1", "a"), ("2", "b")]


@pytest.mark.parametrize("separator", [";", "\t"])
def test_a_csv_with_semicolons_or_tabs_is_read(separator: str, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(f'item{separator}value\n1{separator}"a, b"\n2{separator}c\n')
    assert rows(path) == [("1", "a, b"), ("2", "c")]


def test_two_kinds_of_line_ending_are_read_and_of_a_large_file_refused_as_such(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "ratings.csv"
    path.write_bytes(b"item,rater,kind,value\r\na,p,human,MET\nb,p,human,UNMET\r\n")
    assert rows(path) == [("a", "MET"), ("b", "UNMET")]
    monkeypatch.setattr(separated, "is_small", lambda paths: False)
    with pytest.raises(SourceError, match="end alike"):
        open_source(path)


def test_a_glob_reads_all_files_by_column_name(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("item,value\n1,a\n")
    (tmp_path / "b.csv").write_text("value,item\nb,2\n")
    opened = open_source(str(tmp_path / "*.csv"))
    assert [one.name for one in opened.inputs] == ["a.csv", "b.csv"]
    assert rows(str(tmp_path / "*.csv")) == [("1", "a"), ("2", "b")]


def test_a_file_name_with_glob_signs_is_a_file(tmp_path: Path) -> None:
    path = tmp_path / "a[1]*.csv"
    path.write_text("item,value\n1,a\n")
    assert rows(path) == [("1", "a")]


def test_lists_in_json_stay_json_text(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"item": "1", "value": ["A", "C"]}\n')
    assert rows(path) == [("1", '["A","C"]')]


def test_tables_of_a_database_are_named(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE one (item, value)")
        database.execute("CREATE TABLE two (item, value)")
        database.execute("INSERT INTO two VALUES (1, NULL)")
    database.close()
    with pytest.raises(SourceError, match="has several tables; found one, two"):
        open_source(path)
    assert rows(f"{path}::two") == [("1", None)]
    with pytest.raises(SourceError, match="no such table"):
        open_source(f"{path}::three")


BROKEN = {
    "empty.csv": (b"", "the file is empty"),
    "utf8.csv": (b"item,value\n1,\xff\xff\xff\xff\n", "line 2: a text file is UTF-8"),
    "cut.csv": (b"item,value\n1,\xe2\x82", "UTF-8"),
    "cut16.csv": ("item,value\n".encode("utf-16")[:-1], "NUL byte"),
    "nul.csv": (b"item,value\n1,\0\n", "line 2: a text file holds no NUL byte"),
    "ragged.csv": (b"item,value\n1,a\n2,b,c\n", "line 3: every row must have as many cells"),
    "short.csv": (b"item,value\n1,a\n2\n", "line 3: every row must have as many cells"),
    "quote.csv": (b'item,value\n1,"a\n', "a quoted cell must end"),
    "twice.csv": (b"item,item\n1,2\n", "a column name must occur once"),
    "nameless.csv": (b",,\n,,\n", "every column must have a name"),
    "bad.jsonl": (b'{"item": 1}\n{"item":\n', "must be JSON"),
    "list.jsonl": (b"[1, 2]\n", "each record must be an object"),
    "scalar.json": (b"3", "must be a list of records"),
    "fake.parquet": (b"item,value\n", "the name says parquet"),
    "pointer.csv": (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "Git LFS"),
    "page.csv": (b"<!DOCTYPE html>\n<html></html>\n", "is a web page"),
    "unknown.xls": (b"abc", "the format is not known"),
    "unknown.db": (b"abc", "the format is not known"),
}


@pytest.mark.parametrize("name", list(BROKEN))
def test_a_broken_file_gets_one_message(tmp_path: Path, name: str) -> None:
    content, message = BROKEN[name]
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(SourceError) as caught:
        rows(path)
    assert message in str(caught.value)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_places_that_are_no_file(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="is a directory"):
        open_source(tmp_path)
    link = tmp_path / "link.csv"
    link.symlink_to(tmp_path / "nothing.csv")
    with pytest.raises(SourceError, match="is a link to"):
        open_source(link)
    (tmp_path / "ratings.csv").write_text("item\n1\n")
    with pytest.raises(SourceError, match=r"no such file.*Did you mean .*ratings\.csv"):
        open_source(tmp_path / "rating.csv")
    with pytest.raises(SourceError, match="no file matches"):
        open_source(str(tmp_path / "*.parquet"))
    with pytest.raises(SourceError, match="neither a path nor a frame"):
        open_source(3)
    (tmp_path / "b.tsv").write_text("item\n1\n")
    link.unlink()
    with pytest.raises(SourceError, match="of one format"):
        open_source(str(tmp_path / "*.?sv"))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("item\n1\n")
    path.chmod(0)
    with pytest.raises(SourceError, match="may not be read"):
        open_source(path)


def test_a_very_long_line_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    with path.open("wb") as stream:
        stream.write(b"item,value\n1,")
        for _ in range(200):
            stream.write(b"x" * 2**20)
        stream.write(b"\n")
    with pytest.raises(SourceError, match="a line has at most 8 MB"):
        rows(path)


@pytest.mark.parametrize("kind", seldom(["csv", "tsv", "jsonl", "json", "parquet"], 0, 3))
def test_a_hundred_thousand_columns_are_refused_at_once(tmp_path: Path, kind: str) -> None:
    number = 20_000 if kind == "parquet" else 100_000
    names = [f"c{index}" for index in range(number)]
    path = tmp_path / f"wide.{kind}"
    if kind == "parquet":
        columns = ", ".join(f"1 AS {name}" for name in names)
        duckdb.sql(f"COPY (SELECT {columns}) TO '{path}' (FORMAT parquet)")
    elif kind in ("csv", "tsv"):
        separator = "," if kind == "csv" else "\t"
        cells = separator.join(["1"] * number)
        path.write_text(f"{separator.join(names)}\n{cells}\n")
    else:
        record = json.dumps(dict.fromkeys(names, 1))
        path.write_text(f"{record}\n{record}\n" if kind == "jsonl" else f"[{record}]")
    with pytest.raises(SourceError, match="at most 1,000 columns") as found:
        open_files(path)
    assert len(str(found.value)) < 1_000


def test_json_of_several_hundred_columns_is_read(tmp_path: Path) -> None:
    path = tmp_path / "wide.jsonl"
    path.write_text(json.dumps({f"c{index}": index for index in range(300)}) + "\n")
    assert len(open_files(path).columns) == 300
