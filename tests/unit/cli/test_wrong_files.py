"""A file that is no table of ratings: one message, exit code 2, and nothing half-written."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from goldassay.cli import command_line

_HEAD = b"id,human,judge\n"
_ROWS = [b"i%d,%s,no\n" % (n, b"yes" if n % 2 else b"no") for n in range(20)]
_NOISE = random.Random(3).randbytes(5000)
#: Name -> what is in it, and what the message says.
FILES: dict[str, tuple[bytes, str]] = {
    "binary.csv": (_NOISE, "NUL byte"),
    "empty.csv": (b"", "the file is empty"),
    "blank.csv": (b"\n\n  \n", "holds blank lines only. Is it the file that was meant?"),
    "signs.csv": (b"id,human;judge\n" + b"i1,yes;no\ni2,no;no\n" * 9, "separated by one sign"),
    "dates.csv": (
        _HEAD + b"".join(b"%d,2026-01-0%d,2026-01-02\n" % (n, n % 3 + 1) for n in range(20)),
        "which column holds the ratings",
    ),
    "glued.csv": (_HEAD + b"".join(_ROWS) + b"case,ann,llm,note\n", "line 22: every row must have"),
    "columns.csv": (b",".join(b"c%d" % n for n in range(20_000)) + b"\n", "at most 1,000 columns"),
    "cut.parquet": (b"PAR1" + _NOISE, "Was it cut while it was written or copied?"),
    "page.csv": (b"<!DOCTYPE html><html><body>Sign in</body></html>\n", "is a web page"),
    "book.ipynb": (b'{"cells": [], "metadata": {}, "nbformat": 4}', "must be a list of records"),
    "prose.txt": (b"Dear all,\nplease find the results below.\nBest\n", "every row must have"),
    "header.csv": (_HEAD, "has no row"),
    "nul.csv": (_HEAD + b"i1,yes\x00,no\n", "line 2: a text file holds no NUL byte"),
    "one.csv": (b"text\n" + b"".join(b"words %d\n" % n for n in range(20)), "cannot be guessed"),
    "mixed.csv": (_HEAD + _ROWS[0] + b"i9;yes;no\n", "every row must have as many cells"),
    "quotes.csv": (_HEAD + b'i1,"yes,no\n' * 20, "a quoted cell must end"),
    "giant.csv": (_HEAD + b"i1,%s,no\n" % (b"y" * 9_000_000), "a line has at most 8 MB"),
    "cut.csv": ((_HEAD + b"".join(_ROWS)).decode().encode("utf-16")[:-1], "UTF-16"),
    "comma.json": (b'[\n{"id": 1, "human": "yes"},\n]', "line 2: must be JSON, which has no comma"),
    "cut.json": (b'[{"id": 1, "human": "yes"}, {"id": 2, "hum', "must be JSON"),
    "nested.json": (b"[" * 100_000, "is nested deeper than 500 brackets"),
    "book.xlsx": (b"PK\x03\x04broken", "cannot be read as a workbook"),
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize(
    "words",
    [("check",), ("agree",), ("report", "--out", "out.html"), ("estimate", "--out", "out.json")],
    ids=lambda words: words[0],
)
def test_one_message(
    name: str,
    words: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    content, said = FILES[name]
    (tmp_path / name).write_bytes(content)
    monkeypatch.chdir(tmp_path)
    assert command_line([words[0], name, *words[1:]]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"goldassay: {name}")
    assert err.count("\n") == 1
    assert said in err
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_utf_16_with_its_mark_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "sheet.csv"
    path.write_bytes((_HEAD + b"".join(_ROWS)).decode().encode("utf-16"))
    assert command_line(["check", str(path)]) == 0
    assert "40 ratings of 20 items" in capsys.readouterr().out
