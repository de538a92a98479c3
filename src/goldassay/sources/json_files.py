"""JSON lines and JSON files as tables of text."""

from __future__ import annotations

import json
import mmap
import os
import re
import tempfile
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from goldassay.errors import SourceError, shown
from goldassay.sources.layout import MAX_COLUMNS, check_names
from goldassay.sources.nested import LARGEST, objects_file, one_object_each, records_file
from goldassay.sources.parsed import MAX_LINE, columns_of, path_list, stored

__all__ = ["read_json_lines", "read_whole_json"]


def read_whole_json(
    told: list[str], connection: Any, paths: Sequence[Path], table: str | None
) -> Any:
    """Lists of records; an object that holds them is read as lines of them."""
    if one_object_each(paths):
        told.append("each file is one record")
        return read_json_lines(told, connection, [objects_file(paths, connection)], table)
    found = [records_file(path, connection) for path in paths]
    records = [path for path in found if path is not None]
    if records:
        if None in found:
            raise SourceError(str(paths[0]), "the files of a glob must all be lists of records")
        return read_json_lines(told, connection, records, table)
    return _read_json("array", told, connection, paths)


def read_json_lines(
    told: list[str], connection: Any, paths: Sequence[Path], table: str | None
) -> Any:
    """A record in every line; what is to be told of how they were read goes into `told`."""
    return _read_json("newline_delimited", told, connection, paths)


BLOCK = 2**20
#: Brackets within brackets that a file may have; the engine ends without a word at some 10,000.
DEEPEST = 500
_LEFT_OUT = bytes(set(range(256)) - set(b"[]{}\n"))
_MARKS = re.compile(rb'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.DOTALL)


def _check_depth(path: Path, *, by_line: bool) -> None:
    """Refuse a file that is nested deeper than any record of ratings."""
    if not _may_be_deep(path, by_line=by_line):
        return
    level = 0
    with path.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as whole:
        for mark in _MARKS.finditer(whole):
            level += {b"[": 1, b"{": 1, b"]": -1, b"}": -1}.get(mark[0], 0)
            if level > DEEPEST:
                raise SourceError(
                    str(path),
                    f"is nested deeper than {DEEPEST} brackets",
                    found=f"at byte {mark.start():,}",
                    next_step="A record of ratings is one object of texts and numbers",
                )


def _may_be_deep(path: Path, *, by_line: bool) -> bool:
    """Whether so many brackets may be open at once, counted as if all stood outside texts: that
    takes a hundredth of the time of telling texts from the rest."""
    level = lowest = begun = 0
    deep, many = False, not by_line
    with path.open("rb") as stream:
        while block := stream.read(BLOCK):
            marks = np.frombuffer(block.translate(None, _LEFT_OUT), np.uint8)
            opening = (marks == ord("[")) | (marks == ord("{"))
            steps = np.where(opening, 1, np.where(marks == ord("\n"), 0, -1))
            levels = np.concatenate([[level], level + steps.cumsum()])
            low = np.minimum.accumulate(np.minimum(levels, lowest))
            deep = deep or int((levels - low).max()) > DEEPEST
            level, lowest = int(levels[-1]), int(low[-1])
            ends = np.flatnonzero(marks == ord("\n"))
            opened = np.concatenate([[0], opening.cumsum()])
            in_lines = np.diff(np.concatenate([[-begun], opened[ends], opened[-1:]]))
            many = many or int(in_lines.max()) > DEEPEST
            begun = int(in_lines[-1])
            if deep and many:
                return True
    return False


def _read_json(form: str, told: list[str], connection: Any, paths: Sequence[Path]) -> Any:
    for path in paths:
        _check_depth(path, by_line=form == "newline_delimited")
    found = connection.sql(
        f"SELECT * FROM read_json({path_list(paths)}, format='{form}', union_by_name=true, "
        f"maximum_object_size={MAX_LINE}, maximum_depth=1, sample_size=20480, "
        f"map_inference_threshold={MAX_COLUMNS})"
    )
    if found.columns == ["json"]:
        raise SourceError(
            str(paths[0]),
            f"each record must be an object, of at most {MAX_COLUMNS:,} columns",
            next_step='As {"item": "q1", "human": "yes", "judge": "no"}',
        )
    check_names(found.columns, str(paths[0]))
    if _may_differ_in_capitals(found.columns):
        mended = [_in_one_case(path, form, connection) for path in paths]
        if any(mended):
            told.append("keys that differ in capitals only are one column")
            whole = [copy or path for copy, path in zip(mended, paths, strict=True)]
            return _read_json("newline_delimited", told, connection, whole)
    return stored(
        connection,
        paths,
        [
            f"SELECT * FROM read_json({path_list(paths)}, format='{form}', "
            f"columns={columns_of(found.columns)}, maximum_object_size={MAX_LINE})"
        ],
    )


def _may_differ_in_capitals(names: Sequence[str]) -> bool:
    """Whether the engine, to which `Human` and `human` are one name, may have numbered one of
    them: such a column would be empty."""
    lower = {name.lower() for name in names}
    return any(re.sub(r"_\d+$", "", name.lower()) in lower - {name.lower()} for name in names)


def _in_one_case(path: Path, form: str, connection: Any) -> Path | None:
    """A copy with one way of writing for keys that differ in capitals only, as JSON lines; None
    where none do. A record with two such keys says two things of one."""
    if form == "array" and path.stat().st_size > LARGEST:
        return None
    with path.open(encoding="utf-8-sig") as stream:
        lines = (json.loads(line) for line in stream if line.strip())
        records = json.load(stream) if form == "array" else list(lines)
    spelling: dict[str, str] = {}
    for record in records:
        for key in record:
            spelling.setdefault(key.lower(), key)
    if all(spelling[key.lower()] == key for record in records for key in record):
        return None
    for at, record in enumerate(records, 1):
        both = [k for k in record if spelling[k.lower()] != k and spelling[k.lower()] in record]
        if both and record[both[0]] != record[spelling[both[0].lower()]]:
            raise SourceError(
                f"{path}, record {at}",
                "keys that differ in capitals only must say the same",
                found=f"{shown(spelling[both[0].lower()])} and {shown(both[0])}",
                next_step="Rename one of them",
            )
    handle, copy = tempfile.mkstemp(prefix="goldassay-", suffix=".jsonl")
    weakref.finalize(connection, Path(copy).unlink, missing_ok=True)
    with os.fdopen(handle, "w", encoding="utf-8") as out:
        for record in records:
            one = {spelling[key.lower()]: value for key, value in record.items()}
            out.write(json.dumps(one, ensure_ascii=False) + "\n")
    return Path(copy)
