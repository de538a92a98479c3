"""Keys: from the environment or a file, for the endpoint they belong to, and nowhere else.

A provider's usual variable is read only for that provider's own host. Any other endpoint gets a key
only when the judge file names it. A key is never stored, printed or put into an error.
"""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import urlsplit

from goldassay.errors import SourceError
from goldassay.judges.spec import Judge, JudgeError

__all__ = ["api_key", "extra_headers", "without_secrets"]

_OWN_HOSTS = {"api.openai.com": "OPENAI_API_KEY", "api.anthropic.com": "ANTHROPIC_API_KEY"}


def api_key(judge: Judge) -> str | None:
    """The key for a judge's endpoint, or None where none is named; a named one must be there."""
    if judge.api_key_file:
        path = Path(judge.folder) / Path(judge.api_key_file).expanduser()
        try:
            key = path.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "not text"
            raise SourceError(str(path), f"the key file cannot be read ({reason})") from None
        return _sendable(key, str(path))
    url = urlsplit(judge.endpoint)
    own = _OWN_HOSTS.get(url.hostname or "") if url.scheme == "https" else None
    name = judge.api_key_env or own
    if name is None:
        return None
    key = os.environ.get(name, "").strip()
    if not key:
        raise JudgeError(
            f"judge {judge.name!r}",
            f"needs a key from the environment variable {name}, which is not set",
            next_step=f"export {name}=..., or name a file: api_key_file",
        )
    return _sendable(key, f"the environment variable {name}")


def extra_headers(judge: Judge) -> dict[str, str]:
    """Headers whose values stand in the environment."""
    out = {}
    for header, name in judge.headers_env.items():
        value = os.environ.get(name, "")
        if not value:
            raise JudgeError(
                f"judge {judge.name!r}, headers_env", f"the variable {name} is not set"
            )
        out[header] = _sendable(value, f"the environment variable {name}")
    return out


def _sendable(key: str, place: str) -> str:
    if not key or not key.isascii() or not key.isprintable() or any(c.isspace() for c in key):
        raise SourceError(place, "a key is one line of printable ASCII without blanks")
    return key


def without_secrets(text: str, secrets: tuple[str, ...]) -> str:
    """A text with every secret covered."""
    for secret in secrets:
        if len(secret) >= 4:
            text = text.replace(secret, "[key]")
    return text
