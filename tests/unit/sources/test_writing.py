"""A file is written whole or not at all."""

from __future__ import annotations

import os
import re
import socket
from pathlib import Path

import pytest

from goldassay.errors import OutputLost, SourceError
from goldassay.sources.writing import made_folder, write_atomically, written


def left(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_new_file_has_the_content_and_the_usual_mode(tmp_path: Path) -> None:
    write_atomically(tmp_path / "a.txt", "é\n")
    assert (tmp_path / "a.txt").read_bytes() == b"\xc3\xa9\n"
    plain = tmp_path / "plain"
    plain.touch()
    assert (tmp_path / "a.txt").stat().st_mode == plain.stat().st_mode
    assert left(tmp_path) == ["a.txt", "plain"]


def test_bytes_and_lone_surrogates(tmp_path: Path) -> None:
    write_atomically(tmp_path / "a.pdf", b"\x00\xff")
    write_atomically(tmp_path / "a.json", '"\ud800"')
    assert (tmp_path / "a.pdf").read_bytes() == b"\x00\xff"
    assert (tmp_path / "a.json").read_text() == r'"\ud800"'  # the escape that JSON has for it


def test_an_old_file_keeps_its_mode(tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    target.write_text("old")
    target.chmod(0o600)
    write_atomically(target, "new")
    assert target.read_text() == "new"
    assert target.stat().st_mode & 0o777 == 0o600


def test_a_link_is_followed_and_kept(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    target, link = tmp_path / "far" / "real.txt", tmp_path / "link.txt"
    target.write_text("old")
    link.symlink_to(Path("far") / "real.txt")
    write_atomically(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"
    target.unlink()  # a link that leads nowhere yet
    write_atomically(link, "newer")
    assert link.is_symlink()
    assert target.read_text() == "newer"
    assert left(tmp_path) == ["far", "link.txt"]
    assert left(tmp_path / "far") == ["real.txt"]


def test_the_open_old_file_is_not_touched(tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    target.write_text("old")
    with target.open() as reader:
        write_atomically(target, "new")
        assert reader.read() == "old"


def test_a_failure_leaves_the_old_file_and_no_other(tmp_path: Path) -> None:
    target = tmp_path / "a.csv"
    target.write_text("old")

    def half(error: BaseException) -> None:
        with written(target) as temporary:
            assert temporary.suffix == ".csv"
            temporary.write_text("half")
            raise error

    for error in (OSError(28, "No space left on device"), ValueError("x"), KeyboardInterrupt()):
        with pytest.raises((OutputLost, ValueError, KeyboardInterrupt)) as found:
            half(error)
        assert isinstance(found.value, OutputLost) is isinstance(error, OSError)
        assert target.read_text() == "old"
        assert left(tmp_path) == ["a.csv"]
    with pytest.raises(OutputLost, match=r"a\.csv: output was lost \(No space left on device\)"):
        half(OSError(28, "No space left on device"))
    with pytest.raises(SourceError, match=r"a\.csv: cannot be written \(Permission denied\)"):
        half(PermissionError(13, "Permission denied"))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("no/a.txt", r"cannot be written \(No such file.*Make the folder '.*no' first"),
        ("x" * 300, r"cannot be written \(File name too long\)"),
        ("loop", r"cannot be written \(Too many levels"),
        ("a\0b", r"cannot be written \(embedded null byte\)"),
        ("folder", r"is a folder; name a file in it"),
        ("pipe", r"is no ordinary file, and is left as it is"),
        ("link-to-pipe", r"is no ordinary file"),
        ("socket", r"is no ordinary file"),
    ],
)
def test_what_cannot_be_written_is_said_in_one_line(
    tmp_path: Path, name: str, message: str
) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link-to-pipe").symlink_to("pipe")
    (tmp_path / "loop").symlink_to("loop")
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(os.path.relpath(tmp_path / "socket"))  # the path of a socket is short
        before = left(tmp_path)
        with pytest.raises(SourceError) as found:
            write_atomically(os.path.join(tmp_path, name), "new")  # noqa: PTH118 - a NUL
    assert re.search(message, str(found.value))
    assert "\n" not in str(found.value)
    assert left(tmp_path) == before


def test_a_name_as_long_as_the_disk_allows(tmp_path: Path) -> None:
    target = tmp_path / ("x" * 251 + ".txt")
    write_atomically(target, "new")
    assert target.read_text() == "new"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("file", "is a file; name a folder"),
        ("file/below", r"the folder cannot be made \(Not a directory\)"),
        ("x" * 300, r"the folder cannot be made \(File name too long\)"),
        ("a\0b", r"the folder cannot be made \(.*null byte\)"),
    ],
)
def test_a_folder_that_cannot_be_made(tmp_path: Path, name: str, message: str) -> None:
    (tmp_path / "file").write_text("kept")
    with pytest.raises(SourceError, match=message):
        made_folder(tmp_path / name)
    assert made_folder(tmp_path / "new" / "one").is_dir()
    assert (tmp_path / "file").read_text() == "kept"
