"""A log on disk: what form it has, and its JSON, lines, rows or zip members, one at a time."""

from __future__ import annotations

import csv
import json
import os
import tempfile
import weakref
import zipfile
import zlib
from collections.abc import Iterator
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

from goldassay.errors import SourceError, shown
from goldassay.sources.damage import ZIP_DAMAGE
from goldassay.sources.engine import connect, quoted
from goldassay.sources.layout import LINES, bare_quotes
from goldassay.sources.logs.parts import LeftOut
from goldassay.sources.opening import ordinary, read_json, reading, sha256_of
from goldassay.sources.packed import PACKED, inner_name, unpack

__all__ = ["LogFile"]

#: The longest line of JSONL, cell of CSV and member of a zip that is read.
LONGEST = 256 * 2**20
ZSTANDARD = 93
_LOCAL_HEADER = 30
_NAME_SIZE, _EXTRA_SIZE = slice(26, 28), slice(28, 30)


class LogFile:
    """One file. Nothing is read before it is asked for, and a parsed document is kept."""

    def __init__(self, path: str | Path) -> None:
        self.given = Path(path)
        self.place = str(path)
        self.name = self.given.name

    @property
    def stem(self) -> str:
        """The file's name without its ending, and without that of its packing."""
        return inner_name(self.given).stem

    @cached_property
    def path(self) -> Path:
        """The file itself; of a packed one a temporary file with what is in it."""
        if self.given.suffix.lower() not in PACKED:
            return self.given
        with reading(self.place):
            ordinary(self.given)
        handle, name = tempfile.mkstemp(
            prefix="goldassay-import-", suffix=inner_name(self.given).suffix
        )
        os.close(handle)
        weakref.finalize(self, Path(name).unlink, missing_ok=True)
        unpack(self.given, Path(name))
        return Path(name)

    @property
    def sha256(self) -> str:
        return sha256_of(self.given)

    @cached_property
    def form(self) -> str:
        """zip, parquet, json, jsonl, csv, tsv, or other."""
        with reading(self.place), ordinary(self.path).open("rb") as stream:
            head = stream.read(4096)
        if head.startswith((b"PK\x03\x04", b"PK\x05\x06")) or self.path.suffix == ".eval":
            return "zip"
        if head.startswith(b"PAR1"):
            return "parquet"
        if head.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise SourceError(
                self.place, "a log is UTF-8", found="UTF-16", next_step="Save it as UTF-8"
            )
        suffix = self.path.suffix.lower()
        if suffix in (".csv", ".tsv"):
            return suffix[1:]
        if head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"["):
            return "jsonl" if suffix in (".jsonl", ".ndjson") or self._has_lines() else "json"
        return "json" if suffix == ".json" else "jsonl" if suffix == ".jsonl" else "other"

    def _has_lines(self) -> bool:
        """Whether the first line alone is JSON and more follows."""
        with reading(self.place), self.path.open(encoding="utf-8-sig", errors="replace") as stream:
            line = stream.readline(LONGEST)
            if not stream.readline(64).strip():
                return False
        try:
            json.loads(line)
        except (ValueError, RecursionError):
            return False
        return True

    @cached_property
    def document(self) -> Any:
        """The whole of a JSON file; None where it is none."""
        if self.form != "json":
            return None
        try:
            return read_json(
                self.path, "log", next_step="Was it cut while it was written or copied?"
            )
        except SourceError as error:
            raise error.at(self.place) from None

    @property
    def object(self) -> dict[str, Any]:
        """The document where it is a JSON object, else empty."""
        return self.document if isinstance(self.document, dict) else {}

    @cached_property
    def first(self) -> dict[str, Any]:
        """The first record (of a list, of lines or of a table), else empty."""
        one = next((one for one in self.records() if isinstance(one, dict)), None)
        return one or {}

    def records(self) -> Iterator[dict[str, Any] | LeftOut]:
        """The records of a list, a page of an API (`{"data": [...]}`), lines or a table."""
        if self.form == "json":
            document = self.document
            if isinstance(document, dict):
                inner = document.get("data")
                document = inner if isinstance(inner, list) else [document]
            for one in document if isinstance(document, list) else [document]:
                yield one if isinstance(one, dict) else LeftOut("a record that is no object")
        elif self.form == "jsonl":
            yield from self._lines()
        elif self.form in ("csv", "tsv"):
            yield from self._rows()
        elif self.form == "parquet":
            yield from self._parquet()

    def _lines(self) -> Iterator[dict[str, Any] | LeftOut]:
        with reading(self.place), self.path.open("rb") as stream:
            for number, line in enumerate(iter(lambda: stream.readline(LONGEST), b""), start=1):
                if not line.strip():
                    continue
                try:
                    one = json.loads(line.decode("utf-8-sig"))
                except (UnicodeDecodeError, ValueError, RecursionError) as error:
                    if not line.endswith(b"\n") and number > 1:
                        # A run that was killed leaves half a line behind.
                        yield LeftOut("a torn last line")
                        return
                    raise SourceError(
                        f"{self.place}, line {number}", f"is not JSON ({shown(str(error), 120)})"
                    ) from None
                yield one if isinstance(one, dict) else LeftOut("a line that is no object")

    def cells(self) -> Iterator[list[str]]:
        """The rows of a CSV or TSV file, its header first; names of columns may repeat."""
        if self.form not in ("csv", "tsv"):
            return
        before = csv.field_size_limit(LONGEST)
        try:
            with reading(self.place), self.path.open(encoding="utf-8-sig", newline="") as stream:
                yield from csv.reader(stream, delimiter="\t" if self.form == "tsv" else ",")
        except UnicodeDecodeError:
            raise SourceError(self.place, "a log is UTF-8", next_step="Save it as UTF-8") from None
        except csv.Error as error:
            raise SourceError(self.place, f"is not a readable table ({error})") from None
        finally:
            csv.field_size_limit(before)

    @cached_property
    def _bare_quotes(self) -> bool:
        """Whether quotes in tab-separated lines are signs of the texts."""
        if self.form != "tsv":
            return False
        with reading(self.place), self.path.open(encoding="utf-8-sig", errors="replace") as stream:
            return bare_quotes(list(islice(stream, LINES)))

    def _rows(self) -> Iterator[dict[str, Any]]:
        before = csv.field_size_limit(LONGEST)
        try:
            with reading(self.place), self.path.open(encoding="utf-8-sig", newline="") as stream:
                rows = csv.DictReader(
                    stream,
                    delimiter="\t" if self.form == "tsv" else ",",
                    quoting=csv.QUOTE_NONE if self._bare_quotes else csv.QUOTE_MINIMAL,
                )
                for row in rows:
                    if None in row or None in row.values():
                        raise SourceError(
                            f"{self.place}, line {rows.line_num}",
                            "every row has as many cells as the header",
                            next_step="Quote cells that hold the separator",
                        )
                    yield row
        except UnicodeDecodeError:
            raise SourceError(self.place, "a log is UTF-8", next_step="Save it as UTF-8") from None
        except csv.Error as error:
            raise SourceError(self.place, f"is not a readable table ({error})") from None
        finally:
            csv.field_size_limit(before)

    def _parquet(self) -> Iterator[dict[str, Any]]:
        connection = connect(memory="1GB")
        try:
            connection.execute("SET preserve_insertion_order = true")
            cursor = connection.execute(f"SELECT * FROM read_parquet({quoted(str(self.path))})")
            names = [column[0] for column in cursor.description]
            while rows := cursor.fetchmany(1000):
                yield from (dict(zip(names, row, strict=True)) for row in rows)
        except _engine_errors() as error:
            reason = str(error).splitlines()[0]
            raise SourceError(self.place, f"cannot be read ({shown(reason, 160)})") from None
        finally:
            connection.close()

    @cached_property
    def members(self) -> tuple[str, ...]:
        """The names in a zip file."""
        if self.form != "zip":
            return ()
        with self._zip() as archive:
            return tuple(archive.namelist())

    def parsed(self, names: tuple[str, ...]) -> Iterator[Any]:
        """The JSON of members of a zip file, one after another (deflated or Zstandard)."""
        with self._zip() as archive, Unpacker() as unpacker:
            for name in names:
                info = archive.getinfo(name)
                where = f"{self.place}, {name}"
                if info.file_size > LONGEST:
                    raise SourceError(
                        where,
                        f"a member has at most {LONGEST // 2**20} MB",
                        found=f"{info.file_size // 2**20} MB",
                    )
                try:
                    yield json.loads(unpacker.text(archive, info))
                except _damage() as error:
                    reason = (str(error).splitlines() or [type(error).__name__])[0]
                    raise SourceError(where, f"cannot be read ({shown(reason, 120)})") from None

    def _zip(self) -> zipfile.ZipFile:
        try:
            return zipfile.ZipFile(self.path)
        except ZIP_DAMAGE as error:
            raise SourceError(
                self.place,
                f"is a cut or damaged zip file ({error})",
                next_step="Was it copied while it was written?",
            ) from None


class Unpacker:
    """Members of a zip file as text. DuckDB unpacks Zstandard, which Python does from 3.14 on."""

    def __enter__(self) -> Unpacker:
        self._connection: Any = None
        self._folder = tempfile.TemporaryDirectory(prefix="goldassay-import-")
        return self

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()
        if self._connection is not None:
            self._connection.close()

    def text(self, archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> str:
        if info.compress_type != ZSTANDARD:
            return archive.read(info).decode("utf-8")
        stream = archive.fp
        assert stream is not None
        stream.seek(info.header_offset)
        local = stream.read(_LOCAL_HEADER)
        skip = sum(int.from_bytes(local[part], "little") for part in (_NAME_SIZE, _EXTRA_SIZE))
        stream.seek(info.header_offset + _LOCAL_HEADER + skip)
        packed = Path(self._folder.name) / "member.zst"
        packed.write_bytes(stream.read(info.compress_size))
        if self._connection is None:
            self._connection = connect(memory="2GB")
            self._connection.execute("SET threads = 1")
            self._connection.execute("SET preserve_insertion_order = true")
        # As lines of text: DuckDB's JSON reader is stricter than what tools write. The separator
        # is a sign that JSON always escapes.
        size = max(info.file_size + 1024, 2**16)
        lines = self._connection.execute(
            f"SELECT line FROM read_csv({quoted(str(packed))}, compression='zstd', header=false, "
            f"auto_detect=false, delim='\x01', quote='', escape='', columns={{'line': 'VARCHAR'}}, "
            f"max_line_size={size}, buffer_size={2 * size})"
        ).fetchall()
        text = "\n".join(line or "" for (line,) in lines)
        content = text.encode()
        # Blanks at the end are not given back, and then there is no checksum to hold it to.
        if not text or (len(content) == info.file_size and zlib.crc32(content) != info.CRC):
            raise zipfile.BadZipFile("its checksum is wrong")
        return text


def _damage() -> tuple[type[Exception], ...]:
    """What reading a damaged, encrypted or oddly packed member may raise."""
    return (*ZIP_DAMAGE, *_engine_errors())


def _engine_errors() -> tuple[type[Exception], ...]:
    import duckdb

    return (duckdb.Error,)
