"""A file read once from end to end: its digest, and what would end in a confusing message."""

from __future__ import annotations

import codecs
import hashlib
from pathlib import Path

from goldassay.errors import SourceError
from goldassay.sources.parsed import MAX_LINE

__all__ = ["scanned"]

NEWLINE = b"\n"


def scanned(path: Path, *, text: bool) -> str:
    """The SHA-256 of a file; on the way, what would end in a confusing message is refused.

    A text file is UTF-8, holds no NUL byte, and has no line that is longer than `MAX_LINE`.
    """
    digest, offset, line_start = hashlib.sha256(), 0, 0
    decoder = codecs.getincrementaldecoder("utf-8")()
    whole = True  # no character is cut at the end of the last block
    with path.open("rb") as stream:
        while block := stream.read(2**20):
            digest.update(block)
            if text:
                if (at := block.find(b"\0")) >= 0:
                    raise SourceError(
                        _line(path, offset + at),
                        "a text file holds no NUL byte",
                        next_step="Is it compressed or UTF-16? Save it as plain UTF-8",
                    )
                try:
                    if not (whole and block.isascii()):
                        decoder.decode(block)
                        whole = decoder.getstate()[0] == b""
                except UnicodeDecodeError as error:
                    raise SourceError(
                        _line(path, offset + error.start),
                        "a text file is UTF-8",
                        found=f"the byte 0x{error.object[error.start]:02x}",
                        next_step="Save it as UTF-8",
                    ) from None
                last = block.rfind(NEWLINE)
                line_start = line_start if last < 0 else offset + last + 1
                if offset + len(block) - line_start > MAX_LINE:
                    raise SourceError(
                        _line(path, line_start),
                        f"a line has at most {MAX_LINE // 2**20} MB",
                        next_step="Is a quote left open, or is this one long JSON value?",
                    )
            offset += len(block)
    try:
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        raise SourceError(
            _line(path, offset), "a text file is UTF-8", found="a cut character"
        ) from None
    return digest.hexdigest()


def _line(path: Path, offset: int) -> str:
    """The place of a byte, for a message: counted only when it is needed."""
    line, left = 1, offset
    with path.open("rb") as stream:
        while left > 0 and (block := stream.read(min(left, 2**20))):
            line += block.count(NEWLINE)
            left -= len(block)
    return f"{path}, line {line}"
