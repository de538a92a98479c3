"""Packed files, and what is called so."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from goldassay.errors import SourceError
from goldassay.sources.files import open_files

TEXT = "id,human\n1,yes\n2,no\n"


def test_a_text_under_the_name_of_a_packed_file_is_read(tmp_path: Path) -> None:
    plain, packed = tmp_path / "plain.csv.gz", tmp_path / "packed.csv.gz"
    plain.write_text(TEXT)
    packed.write_bytes(gzip.compress(TEXT.encode()))
    opened = open_files(plain)
    assert opened.relation.fetchall() == open_files(packed).relation.fetchall()
    assert opened.told == ("the file is a text and not packed, whatever its name says",)
    assert open_files(packed).told == ()


@pytest.mark.parametrize(
    "content",
    [gzip.compress(TEXT.encode() * 99)[:-20], b"\x00\x01junk" * 9],
    ids=["cut short", "none"],  # what is packed holds the time of day, which differs by worker
)
def test_what_is_damaged_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "cut.csv.gz"
    path.write_bytes(content)
    with pytest.raises(SourceError, match="cannot be unpacked as gzip"):
        open_files(path)
