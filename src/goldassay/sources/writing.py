"""Files written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from goldassay.errors import SourceError

__all__ = ["write_atomically"]


def write_atomically(path: str | Path, content: str | bytes) -> None:
    """Write a file whole or not at all."""
    path = Path(path)
    handle = None
    try:
        handle, name = tempfile.mkstemp(dir=path.parent or ".", prefix=f".{path.name}.")
        with os.fdopen(handle, "wb") as stream:
            stream.write(content if isinstance(content, bytes) else content.encode("utf-8"))
            stream.flush()
            os.fsync(stream.fileno())
        mode = 0o666 & ~_umask()
        Path(name).chmod(mode)
        Path(name).replace(path)
    except OSError as error:
        if handle is not None:
            Path(name).unlink(missing_ok=True)
        raise SourceError(
            str(path),
            f"cannot be written ({error.strerror or error})",
            next_step=None
            if path.parent.is_dir()
            else f"Make the folder {str(path.parent)!r} first",
        ) from None


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
