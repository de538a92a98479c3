"""Opening what a user names: an ordinary file, or one message that says what it is instead.

A pipe would wait for ever, a device never end, and a name may be too long or hold a NUL: every
reader asks here first, and reads inside `reading`, since a file may vanish at any time.
"""

from __future__ import annotations

import hashlib
import json
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from goldassay.errors import SourceError, shown

__all__ = ["ordinary", "read_bytes", "read_json", "reading", "sha256_of", "status_of"]

#: The longest text that a person wrote: a declaration, a guide, a document of goldassay's own.
LONGEST = 256 * 2**20


@contextmanager
def reading(place: str | Path, called: str = "", *, next_step: str | None = None) -> Iterator[None]:
    """What the system refuses, as a `SourceError` at `place`; `called` is what the file is."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
    except ValueError as error:
        if isinstance(error, UnicodeError) or "null" not in str(error):
            raise
        reason = "its name holds a NUL"
    else:
        return
    rule = f"{f'the {called} ' if called else ''}cannot be read ({reason})"
    raise SourceError(_place(place), rule, next_step=next_step) from None


def status_of(path: str | Path) -> int | None:
    """The mode of what is at a path (`stat.S_ISDIR` and others read it); None for nothing."""
    mode = None
    with reading(path), suppress(FileNotFoundError, NotADirectoryError):
        mode = Path(path).stat().st_mode
    return mode


def ordinary(path: str | Path, called: str = "", *, next_step: str | None = None) -> Path:
    """The path of an ordinary file that is there; else a `SourceError`."""
    with reading(path, called, next_step=next_step):
        mode = Path(path).stat().st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(None, "Is a directory")
        if not stat.S_ISREG(mode):
            raise OSError(None, "it is a pipe or a device: save its content to a file")
    return Path(path)


def read_bytes(path: str | Path, called: str, *, next_step: str | None = None) -> bytes:
    """The content of an ordinary file of a bounded size."""
    file = ordinary(path, called, next_step=next_step)
    with reading(path, called, next_step=next_step), file.open("rb") as stream:
        content = stream.read(LONGEST + 1)
    if len(content) > LONGEST:
        raise SourceError(_place(path), f"a {called} has at most {LONGEST // 2**20} MB")
    return content


def read_json(path: str | Path, called: str, *, next_step: str | None = None) -> Any:
    """What a JSON file says."""
    content = read_bytes(path, called)
    try:
        return json.loads(content.decode("utf-8-sig"))
    except RecursionError:
        reason = "nested too deeply"
    except UnicodeDecodeError as error:
        reason = f"not UTF-8 at byte {error.start}"
    except ValueError as error:  # not JSON, or a number with thousands of digits
        digits = "a number has too many digits"
        reason = digits if "digits" in str(error) else shown(str(error), 120)
    raise SourceError(_place(path), f"is not JSON ({reason})", next_step=next_step)


def sha256_of(path: str | Path, called: str = "", *, next_step: str | None = None) -> str:
    """The digest of an ordinary file."""
    file = ordinary(path, called, next_step=next_step)
    with reading(path, called, next_step=next_step), file.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256")
    return digest.hexdigest()


def _place(path: str | Path) -> str:
    text = str(path)
    return text if len(text) <= 300 else shown(text)
