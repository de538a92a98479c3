"""No cell of a CSV that goldassay writes runs as a formula in a spreadsheet."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import goldassay as ga
from goldassay.cli import command_line as run
from goldassay.ratings.fetch import fetch
from goldassay.sources.frames import open_source
from goldassay.sources.spreadsheet import csv_lines, csv_text, neutral, plain

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


#: Texts that break what writes or reads rows, alone and in any order.
_PIECES = ("=1+1", "-", "@", "\r", "\n", "\r\n", "\t", '"', "'", ",", ";", "|", " ", "", "\\", "#")
_PIECES += ("a", "1", "\u2028", "\x85", "\x0b", "\x0c", "\ufeff", "é", "\U0001f600", "\\N", "NULL")
TEXTS = st.lists(st.sampled_from(_PIECES), max_size=6).map("".join)


@pytest.mark.parametrize("cell", HOSTILE)
def test_formulas_are_neutral_and_come_back(cell: str) -> None:
    assert neutral(cell)[0] == "'"
    assert plain(neutral(cell)) == cell


@pytest.mark.parametrize("cell", [*NUMBERS, "", "word", "a=1", "1-1", "-", "+", None, -1.5, 3])
def test_numbers_and_words_stay(cell: object) -> None:
    assert neutral(cell) == cell


@given(st.text(max_size=30) | TEXTS)
def test_no_line_of_a_cell_begins_as_a_formula(cell: str) -> None:
    shown = neutral(cell)
    for line in re.split("[\r\n]", shown):
        sign = line.lstrip(" \u00a0\ufeff")[:1]
        assert sign not in ("=", "@", "＝", "＠", "\t")
        assert sign not in ("+", "-", "＋", "－") or shown in ("+", "-") or float(shown) is not None
    assert neutral(shown) == shown
    assert plain(shown) == cell or re.search("(^|[\r\n])'", cell)


@given(st.lists(st.tuples(TEXTS, TEXTS, TEXTS), max_size=4))
def test_what_is_written_is_read_back(rows: list[tuple[str, str, str]]) -> None:
    text = csv_text(("a", "=b", "c"), rows)
    found = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    assert found == [["a", "'=b", "c"], *([neutral(cell) for cell in row] for row in rows)]
    for separator in (",", ";", "\t"):
        lines = csv_lines(rows, separator=separator, line_end="\r\n")
        read = csv.reader(io.StringIO("".join(lines), newline=""), delimiter=separator, strict=True)
        assert [tuple(row) for row in read] == rows


@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=4))
@settings(
    max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
def test_goldassay_reads_what_it_writes(tmp_path: Path, rows: list[tuple[str, str]]) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes(csv_text(("id", "note", "label"), [(*row, "yes") for row in rows]).encode())
    found = fetch(open_source(str(path)).frame.select("id", "note"), place="")
    read = [
        tuple(cell or "" for cell in row) for row in zip(found["id"], found["note"], strict=True)
    ]
    assert read == [tuple(neutral(cell) for cell in row) for row in rows]


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


def test_imported_texts_are_read_by_every_command(tmp_path: Path) -> None:
    """Texts of models, as hostile as they come, through a log, a table and back."""
    texts = ["a\rb", "a\r\nb", "x\n=1+1\r-2+3", '"', "\r", "c,d;e\tf|g", "\u2028z", "\x85", "'='"]
    log = [
        {"question_id": f"{at}{text}", "model": text, "judge": ["gpt", "single-v1"], "turn": 1}
        | {"score": at % 10, "user_prompt": text, "judgment": f"[[{at % 10}]]"}
        for at, text in enumerate(texts)
    ]
    path = tmp_path / "gpt_single.jsonl"
    path.write_text("".join(f"{json.dumps(one)}\n" for one in log))
    table = tmp_path / "ratings.csv"
    assert run(["import", "mt-bench", str(path), "--out", str(table)]) == 0
    assert run(["check", str(table)]) == 0
    assert ga.check(str(table)).rows_read == len(texts)
    found = fetch(open_source(str(table)).frame.select("item", "system"), place="")
    assert list(found["system"]) == [neutral(text) for text in texts]
    assert list(found["item"]) == [neutral(f"{at}{text} turn 1") for at, text in enumerate(texts)]
