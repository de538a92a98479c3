"""Zip archives of tables: the one table in it, or the one that is named, in a temporary file.

Of an archive nothing but one member is unpacked, to a place of goldassay's own: a member's name
says no place, so that none outside can be written. How much a member unpacks to is bounded while it
is unpacked, whatever the archive declares.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable
from pathlib import Path, PurePosixPath

from goldassay.errors import SourceError, shown
from goldassay.sources.damage import ZIP_DAMAGE
from goldassay.sources.datasets import ABOUT
from goldassay.sources.formats import SUFFIXES
from goldassay.sources.packed import BLOCK, MOST, inner_name
from goldassay.sources.workbook import WORKBOOKS

__all__ = ["is_archive", "write_member"]

#: The most members that are looked at.
MEMBERS = 10_000
_FIRST_BYTES = (b"PK\x03\x04", b"PK\x05\x06")
#: What stands beside tables, and what systems leave in archives.
_BESIDE = re.compile(r"(?i)^(readme|licen[cs]e|changelog|citation|notice)\b|^\.|^__MACOSX$")


def is_archive(path: Path) -> bool:
    """Whether a file is called a zip archive and is one."""
    if path.suffix.lower() != ".zip":
        return False
    with path.open("rb") as stream:
        return stream.read(4) in _FIRST_BYTES


def write_member(
    path: Path,
    wanted: str | None,
    choose: Callable[[Path, list[str], str | None], str],
    temporary: Callable[[str], Path],
) -> tuple[str, Path]:
    """The name of the one table of an archive, or of the wanted one, and a file of its own with
    what it holds."""
    try:
        with zipfile.ZipFile(path) as archive:
            tables = _tables(path, archive)
            if not tables:
                raise SourceError(
                    str(path),
                    "is an archive that holds no table",
                    next_step="Pack .csv, .jsonl, .json, .parquet or .xlsx files",
                )
            name = choose(path, list(tables), wanted)
            target = temporary("".join(PurePosixPath(name).suffixes[-2:]).lower())
            _write(path, archive, tables[name], target)
            return name, target
    except ZIP_DAMAGE as error:
        raise SourceError(
            str(path),
            f"cannot be unpacked as a zip archive ({shown(str(error), 120)})",
            next_step="Has it a password, or was it cut while it was copied? Unpack it, and name "
            "the file itself",
        ) from None


def _tables(path: Path, archive: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    """The members that may be tables, by their names."""
    members = archive.infolist()
    if len(members) > MEMBERS:
        raise SourceError(
            str(path),
            f"an archive must hold at most {MEMBERS:,} files",
            next_step="Unpack it, and name the files",
        )
    return {one.filename: one for one in members if not one.is_dir() and _is_table(one.filename)}


def _is_table(name: str) -> bool:
    parts = PurePosixPath(name).parts
    if not parts or any(map(_BESIDE.match, parts)) or parts[-1] in ABOUT:
        return False
    return inner_name(Path(parts[-1])).suffix.lower() in {*SUFFIXES, *WORKBOOKS, ".arrow"}


def _write(path: Path, archive: zipfile.ZipFile, member: zipfile.ZipInfo, target: Path) -> None:
    total = 0
    with archive.open(member) as stream, target.open("wb") as out:
        while block := stream.read(BLOCK):
            total += len(block)
            if total > MOST:
                raise SourceError(
                    f"{path}, {shown(member.filename)}",
                    f"a packed file must hold at most {MOST // 2**30} GB",
                    next_step="Unpack it, and name the file itself",
                )
            out.write(block)
    if not total:
        raise SourceError(f"{path}, {shown(member.filename)}", "the file in the archive is empty")
