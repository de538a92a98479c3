"""Writing a file whole or not at all: what is read there is the old content or the new, never half.

The new content is written beside the target and takes its place in one step. A symbolic link is
followed and kept; a folder, a pipe or a device is refused; nothing is left behind by a failure.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from goldassay.errors import OutputLost, SourceError

__all__ = ["LOST", "append", "free_name", "made_folder", "write_atomically", "written"]

#: Writing that began and could not end.
LOST = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF})


def free_name(name: str) -> str:
    """The name, or the first with a number that no file has: nothing is written over unasked.

    >>> free_name("no such file.toml")
    'no such file.toml'
    """
    path, number = Path(name), 2
    while path.exists():
        path, number = Path(f"{Path(name).stem}-{number}{path.suffix}"), number + 1
    return str(path)


def write_atomically(path: str | Path, content: str | bytes) -> None:
    """Write a file whole or not at all, in UTF-8; what UTF-8 cannot hold is written as escapes."""
    whole = content if isinstance(content, bytes) else content.encode("utf-8", "backslashreplace")
    with written(path) as temporary:
        temporary.write_bytes(whole)


def append(path: str | Path, text: str, *, place: str) -> None:
    """Add text to the end of a file that others write to as well; `place` is what named it."""
    try:
        with Path(path).open("ab") as file:
            file.write(text.encode("utf-8", "backslashreplace"))
    except (OSError, ValueError) as error:
        if getattr(error, "errno", None) in LOST:
            raise OutputLost(place, str(error)) from None
        reason = getattr(error, "strerror", None) or error
        raise SourceError(place, f"names a file that cannot be written ({reason})") from None


@contextmanager
def written(path: str | Path) -> Iterator[Path]:
    """An empty file beside `path`, of the same suffix, that takes its place when all went well."""
    temporary: Path | None = None
    try:
        target, mode = _target(path)
        beside = target.parent / f".goldassay-{secrets.token_hex(8)}{target.suffix}"
        os.close(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
        temporary = beside
        yield temporary
        if mode is not None:
            temporary.chmod(mode)
        _on_disk(temporary)
        temporary.replace(target)
    except OSError as error:
        if error.errno in LOST:
            raise OutputLost(str(path), error.strerror or str(error)) from None
        folder = Path(path).parent
        raise SourceError(
            str(path),
            f"cannot be written ({error.strerror or error})",
            next_step=None if folder.is_dir() else f"Make the folder {str(folder)!r} first",
        ) from None
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)


def made_folder(path: str | Path) -> Path:
    """A folder to write to, made where there is none."""
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise SourceError(str(path), "is a file; name a folder") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise SourceError(str(path), f"the folder cannot be made ({reason})") from None
    return Path(path)


def _target(path: str | Path) -> tuple[Path, int | None]:
    """The file behind a path and its mode, or None where there is no file yet."""
    try:
        found = Path(path).stat()
    except FileNotFoundError:
        return Path(path).resolve(), None
    except ValueError as error:  # a NUL in the name
        raise SourceError(str(path), f"cannot be written ({error})") from None
    if stat.S_ISDIR(found.st_mode):
        raise SourceError(str(path), "is a folder; name a file in it")
    if not stat.S_ISREG(found.st_mode):
        raise SourceError(str(path), "is no ordinary file, and is left as it is")
    return Path(path).resolve(), stat.S_IMODE(found.st_mode)


def _on_disk(path: Path) -> None:
    handle = os.open(path, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
