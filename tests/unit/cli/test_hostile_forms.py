"""Broken and hostile forms of files: one message, exit code 2, and nothing half-written."""

from __future__ import annotations

import gzip
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from goldassay.cli import command_line

_HEAD = b"id,human,judge\n"
_ROWS = b"".join(b"i%d,%s,no\n" % (n, b"yes" if n % 2 else b"no") for n in range(20))
_NOISE = random.Random(5).randbytes(300)


def _cut(path: Path) -> None:
    path.write_bytes(gzip.compress((_HEAD + _ROWS) * 50)[:60])


def _formulas(path: Path) -> None:
    import openpyxl

    book = openpyxl.Workbook()
    book.active.append(["id", "human", "judge"])
    for n in range(10):
        book.active.append([n, f'=IF(A{n + 2}>3,"yes","no")', "yes"])
    book.save(path)


def _huge(path: Path) -> None:
    rows = b"".join(b"%d,%d,%d\n" % (n, n % 5 + 1, n % 4 + 1) for n in range(20))
    path.write_bytes(b"id,human_score,judge_score\n" + rows + b"99," + b"9" * 400 + b",3\n")


#: Name -> what makes it, and what the message says.
FORMS: dict[str, tuple[Callable[[Path], object], str]] = {
    "million.csv": (
        lambda path: path.write_bytes(_HEAD + b"i99,yes,%s\n" % (b"x" * 10**6) + _ROWS),
        "1 of the 21 cells of `judge` no ratings",
    ),
    "encodings.csv": (
        lambda path: path.write_bytes(
            _HEAD + _ROWS + "i77,caf\u00e9,no\n".encode() + b"i78,caf\xe9,no\n"
        ),
        "line 23: a text file is UTF-8",
    ),
    "folder.csv": (lambda path: path.mkdir(), "is a directory"),
    "huge.csv": (_huge, "column human_score: must be one of the declared labels"),
    "cut.csv.gz": (_cut, "cannot be unpacked as gzip"),
    "loop.csv": (lambda path: path.symlink_to(path.name), "cannot be read"),
    "locked.csv": (
        lambda path: path.write_bytes(b"PK\x03\x04\x14\x00\x01\x00" + _NOISE),
        "is a zip archive",
    ),
    "locked.zip": (
        lambda path: path.write_bytes(b"PK\x03\x04\x14\x00\x01\x00" + _NOISE),
        "cannot be unpacked as a zip archive",
    ),
    "formulas.xlsx": (_formulas, "a formula must have a saved value"),
}


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("verb", ["agree", "estimate"])
def test_one_message(
    name: str,
    verb: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    make, said = FORMS[name]
    monkeypatch.chdir(tmp_path)
    make(tmp_path / name)
    assert command_line([verb, name, "--out", "out.json"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"goldassay: {name}")
    assert err.count("\n") == 1
    assert said in err
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_the_answer_to_odd_cells_can_be_pasted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "million.csv"
    path.write_bytes(_HEAD + b"i99,yes,%s\n" % (b"x" * 10**6) + _ROWS)
    said = 'wide.human = ["human"], wide.judge = ["judge"], undeclared = "invalid"'
    assert command_line(["agree", str(path)]) == 2
    assert f"--task '{said}'" in capsys.readouterr().err
    assert command_line(["agree", str(path), "--task", said]) == 0
    assert "of the 20 items that both decide" in " ".join(capsys.readouterr().out.split())


def test_a_number_that_is_none_is_no_rating(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "nan.json"
    rows = ", ".join(f'{{"id": {n}, "human": {n % 2}, "judge": {n % 3 % 2}}}' for n in range(9))
    path.write_text(f'[{{"id": 90, "human": NaN, "judge": 1}}, {rows}]')
    assert command_line(["agree", str(path)]) == 0
    assert "of 9 items" in " ".join(capsys.readouterr().out.split())
