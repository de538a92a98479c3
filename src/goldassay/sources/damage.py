"""What reading a damaged archive may raise: as many kinds of error as it has places to break."""

from __future__ import annotations

import struct
import zipfile
import zlib
from lzma import LZMAError

__all__ = ["ZIP_DAMAGE"]

#: Bytes that were changed, cut or lost; members that are packed in a way or with a password that
#: is not known, that lie outside the file, or that are listed and not there.
ZIP_DAMAGE: tuple[type[Exception], ...] = (
    zipfile.BadZipFile,
    zipfile.LargeZipFile,
    NotImplementedError,
    RuntimeError,
    EOFError,
    KeyError,
    OSError,
    OverflowError,
    ValueError,
    struct.error,
    zlib.error,
    LZMAError,
)
