"""What judges on this machine share: how a result is stored and read back, and whose bytes it is
made by."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from goldassay.judges.responses import MOST_BYTES, FailureError, Response, loads, storable
from goldassay.judges.verdicts import Answer

__all__ = ["digest_of_files", "read_local", "stored"]


def stored(result: Any) -> str:
    """A result as the body of a response."""
    try:
        body = json.dumps(result, ensure_ascii=False, default=_plain)
    except (TypeError, ValueError, RecursionError) as error:
        raise FailureError(
            "judge_error", f"the result is not JSON ({error})", retry=False
        ) from None
    if len(body) > MOST_BYTES:
        raise FailureError(
            "too_large", f"the result is longer than {MOST_BYTES:,} characters", retry=False
        )
    return storable(body)  # an escaped surrogate is JSON again


def _plain(value: Any) -> Any:
    if hasattr(value, "item"):  # a NumPy scalar
        return value.item()
    raise TypeError(f"{type(value).__name__} cannot be stored")


def read_local(body: str) -> Response:
    """A result has no words to read, no model and no tokens."""
    loads(body)
    return Response(Answer(None))


def digest_of_files(paths: Iterable[Path]) -> str:
    """The digest of the bytes of files, in order; of one that may not be read, its name."""
    digest = hashlib.sha256()
    for path in paths:
        try:
            with path.open("rb") as stream:
                digest.update(hashlib.file_digest(stream, "sha256").digest())
        except OSError:
            digest.update(str(path).encode("utf-8", "backslashreplace"))
    return digest.hexdigest()[:16]
