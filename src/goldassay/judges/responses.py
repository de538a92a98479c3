"""What an endpoint gives: a response's body and what it says of itself, or a typed failure.

What comes over the wire is anything: a number of a thousand digits, half a character, a name of a
megabyte. `loads` and the readers of single values give what can be stored, or None.
"""

from __future__ import annotations

import json
import math
from typing import Any

from goldassay.frozen import dataclass
from goldassay.judges.verdicts import Answer

__all__ = ["MOST_BYTES", "FailureError", "Response", "count", "finite", "loads", "name", "storable"]

#: The largest body that is read, after decompression.
MOST_BYTES = 16 * 2**20
_LONGEST_NAME = 200
_LONGEST_DETAIL = 300


class FailureError(Exception):
    """A try that gave no answer: its kind, whether another try may help, and when."""

    def __init__(
        self,
        kind: str,
        detail: str = "",
        *,
        retry: bool = True,
        after: float | None = None,
        http_status: int | None = None,
    ) -> None:
        detail = storable(detail, _LONGEST_DETAIL)
        super().__init__(f"{kind}: {detail}" if detail else kind)
        self.kind = kind
        self.retry = retry
        self.after = after
        self.http_status = http_status


@dataclass(frozen=True, slots=True)
class Response:
    """What a body says: the answer, who gave it, and what it took."""

    answer: Answer
    model: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None

    @property
    def tokens(self) -> int:
        return (self.prompt_tokens or 0) + (self.completion_tokens or 0)


def loads(body: str) -> Any:
    """The JSON of a body; one that is none is a failure. Enormous integers become floats; a mark of
    the byte order before it, and line breaks and tabs as they are in strings, are no fault."""
    try:
        return json.loads(body.removeprefix("\ufeff"), parse_int=_integer, strict=False)
    except (ValueError, RecursionError):
        raise FailureError("garbage", "the response is not JSON") from None


def _integer(digits: str) -> int | float:
    return int(digits) if len(digits) <= 18 else float(digits)


def storable(text: str, most: int | None = None) -> str:
    """A text that can be stored: lone surrogates escaped, cut where it is longer than `most`."""
    if most is not None and len(text) > most:
        text = text[: most - 1] + "…"
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def name(value: Any) -> str | None:
    return storable(value, _LONGEST_NAME) if isinstance(value, str) else None


def count(value: Any) -> int | None:
    """A number of tokens, None for what cannot be one."""
    whole = isinstance(value, int) and not isinstance(value, bool)
    return value if whole and 0 <= value < 2**53 else None


def finite(value: Any) -> float | None:
    """A number, None for what is none or not finite."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if math.isfinite(value) else None
