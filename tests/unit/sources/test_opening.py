"""What a user names is an ordinary file, or one message says what it is instead."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from goldassay.errors import InputError, SourceError, TaskError
from goldassay.questions.diff.ask import diff
from goldassay.ratings.task import Task, read_task
from goldassay.sources import opening
from goldassay.sources.files import open_files
from goldassay.sources.importers import read_log
from goldassay.sources.opening import ordinary, read_bytes, read_json, reading, sha256_of, status_of

READERS: dict[str, Callable[[str], Any]] = {
    "a table": open_files,
    "a task": read_task,
    "a document": lambda path: diff(path, path),
    "a log": read_log,
}


@pytest.fixture
def places(tmp_path: Path) -> dict[str, str]:
    """Names that lead to no ordinary file, by what they are."""
    (tmp_path / "folder.csv").mkdir()
    os.mkfifo(tmp_path / "pipe.csv")
    (tmp_path / "loop.csv").symlink_to(tmp_path / "loop.csv")
    (tmp_path / "lost.csv").symlink_to(tmp_path / "nowhere")
    (tmp_path / "file").write_text("x")
    return {
        "missing": str(tmp_path / "none.csv"),
        "folder": str(tmp_path / "folder.csv"),
        "pipe": str(tmp_path / "pipe.csv"),
        "device": "/dev/zero",
        "long": str(tmp_path / ("x" * 300)),
        "nul": str(tmp_path / "a\0b"),
        "loop": str(tmp_path / "loop.csv"),
        "lost link": str(tmp_path / "lost.csv"),
        "below a file": str(tmp_path / "file" / "x.csv"),
        "not UTF-8": str(tmp_path / "a\udcff.csv"),
    }


KINDS = (
    "missing", "folder", "pipe", "device", "long", "nul", "loop", "lost link", "below a file",
    "not UTF-8",
)  # fmt: skip


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("kind", KINDS)
def test_every_reader_refuses_what_is_no_file(
    places: dict[str, str], reader: str, kind: str
) -> None:
    with pytest.raises(InputError) as found:
        READERS[reader](places[kind])
    assert len(str(found.value)) < 1_000


def test_a_name_that_the_engine_cannot_open_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a\udcff.csv"
    path.write_text("item,rater,kind,value\n1,a,human,x\n")
    with pytest.raises(SourceError, match=r"names in UTF-8 only\. Rename the file"):
        open_files(path)


def test_what_is_there(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"abc")
    assert ordinary(path) == path
    assert status_of(path) is not None
    assert status_of(tmp_path / "none") is None
    assert read_bytes(path, "guide") == b"abc"
    # printf abc | sha256sum
    assert sha256_of(path).startswith("ba7816bf8f01cfea414140de5dae2223")


def test_a_file_that_vanishes_is_one_message() -> None:
    message = r"^here: the items cannot be read \(No such file"
    with pytest.raises(SourceError, match=message), reading("here", "items"):
        Path("/nowhere/at/all").read_bytes()
    with pytest.raises(ValueError, match="other"), reading("here"):
        raise ValueError("other")


def test_a_huge_text_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "LONGEST", 2**20)
    path = tmp_path / "a.toml"
    path.write_bytes(b"#" * (2**20 + 1))
    with pytest.raises(SourceError, match="a task file has at most 1 MB"):
        read_task(path)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"[" * 100_000, "nested too deeply"),
        (b"[" + b"1" * 5_000 + b"]", "a number has too many digits"),
        (b"[\xff]", "not UTF-8 at byte 1"),
        (b"[1", "is not JSON"),
        (b"", "is not JSON"),
    ],
)
def test_what_is_no_json(tmp_path: Path, content: bytes, reason: str) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(content)
    with pytest.raises(SourceError, match=reason):
        read_json(path, "log")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a = " + "[" * 3_000 + "]" * 3_000, "nested too deeply"),
        ("a = " + "1" * 5_000, "a number has too many digits"),
        ("confidence_level = " + "1" * 400, "between 0 and 1"),
        ('options = ["\\ud800"]', "is not valid TOML"),
    ],
)
def test_hostile_toml(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "task.toml"
    path.write_text(text)
    with pytest.raises(TaskError, match=reason):
        read_task(path)


def test_a_surrogate_is_no_label() -> None:
    with pytest.raises(TaskError, match="text that UTF-8 can hold"):
        Task(scale="nominal", options=("a", "\ud800"))
