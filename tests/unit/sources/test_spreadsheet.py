"""No cell of a CSV that goldassay writes runs as a formula in a spreadsheet."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.cli import command_line as run
from goldassay.sources.spreadsheet import csv_text, neutral, neutral_sql, plain

HOSTILE = (
    "=1+1",
    '=HYPERLINK("http://x")',
    "+cmd|' /C calc'!A0",
    "-2+3",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "\n=1",
    " =1",
    "\ufeff=1",
    "＝1",
    "－x",
    "=-1",
    "--1",
    "-1-1",
    "+1+1",
    "-1\n=2",
)
NUMBERS = ("-1", "+1.5", "-.5", "1e-3", "-1E+9", "0", "3")


@pytest.mark.parametrize("cell", HOSTILE)
def test_formulas_are_neutral_and_come_back(cell: str) -> None:
    assert neutral(cell) == "'" + cell
    assert plain(neutral(cell)) == cell


@pytest.mark.parametrize("cell", [*NUMBERS, "", "word", "a=1", "1-1", "-", "+", None, -1.5, 3])
def test_numbers_and_words_stay(cell: object) -> None:
    assert neutral(cell) == cell


@given(st.text(max_size=30))
def test_no_cell_begins_as_a_formula(cell: str) -> None:
    shown = neutral(cell)
    assert shown.lstrip()[:1] not in "=@＝＠" or not shown.strip()
    assert plain(shown) == cell or cell.startswith("'")


def test_the_engine_does_the_same() -> None:
    cells = [*HOSTILE, *NUMBERS, "", "word", "-", "+", "it's", "'=1"]
    connection = duckdb.connect()
    connection.execute('CREATE TABLE t ("a ""b" VARCHAR)')
    connection.executemany("INSERT INTO t VALUES (?)", [[cell] for cell in cells])
    expression = neutral_sql('a "b')
    found = connection.execute(f"SELECT {expression} FROM t").fetchall()
    assert [row[0] for row in found] == [neutral(cell) for cell in cells]


def test_a_table_reads_back() -> None:
    rows = list(csv.reader(io.StringIO(csv_text(("a", "=b"), [('x,"y', -1), ("=1", 2.5)]))))
    assert rows == [["a", "'=b"], ['x,"y', "-1"], ["'=1", "2.5"]]


def test_an_imported_table_is_neutral(tmp_path: Path) -> None:
    chosen = [
        {
            "data": {"item": word, "text": "t"},
            "annotations": [
                {
                    "completed_by": 1,
                    "result": [
                        {
                            "from_name": "label",
                            "to_name": "o",
                            "type": "choices",
                            "value": {"choices": [word]},
                        }
                    ],
                }
            ],
        }
        for word in ("=1+1", "-1", "fine")
    ]
    (tmp_path / "export.json").write_text(json.dumps(chosen))
    words = ["import", "label-studio", f"{tmp_path}/export.json", "--out", f"{tmp_path}/r.csv"]
    assert run(words) == 0
    with (tmp_path / "r.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["item"] for row in rows] == ["'=1+1", "-1", "fine"]
    assert [row["value"] for row in rows] == ["'=1+1", "-1", "fine"]
