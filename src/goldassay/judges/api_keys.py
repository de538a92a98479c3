"""Keys: from the environment or a file, for the endpoint they belong to, and nowhere else.

A provider's usual variable is read only for that provider's own host. Any other endpoint gets a key
only when the judge file names it. A key is never stored, printed or put into an error.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from urllib.parse import urlsplit

from goldassay.errors import SourceError
from goldassay.judges.declaration import Declaration, JudgeError

__all__ = ["Secrets", "api_key", "extra_headers"]

#: Shorter ones would cover ordinary words.
_SHORTEST = 4


def api_key(judge: Declaration, address: str, own_hosts: Mapping[str, str]) -> str | None:
    """The key for a judge's endpoint, or None where none is named; a named one must be there.

    `own_hosts` names the usual variable of a provider's own host.
    """
    if judge.api_key_file:
        path = Path(judge.folder) / Path(judge.api_key_file).expanduser()
        try:
            key = path.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "not text"
            raise SourceError(str(path), f"the key file cannot be read ({reason})") from None
        return _sendable(key, str(path))
    url = urlsplit(address)
    own = own_hosts.get(url.hostname or "") if url.scheme == "https" else None
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


def extra_headers(judge: Declaration) -> dict[str, str]:
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


class Secrets:
    """What must be in no text: keys, and header values from the environment."""

    def __init__(self, secrets: Iterable[str | None]) -> None:
        long = {secret for secret in secrets if secret and len(secret) >= _SHORTEST}
        spelt = ["".join(map(_spellings, one)) for one in sorted(long, key=len, reverse=True)]
        self._pattern = re.compile("|".join(spelt)) if spelt else None

    def covered(self, text: str) -> str:
        """A text with every secret covered, however its characters are escaped."""
        return text if self._pattern is None else self._pattern.sub("[key]", text)


def _spellings(character: str) -> str:
    """A character as JSON (in JSON, too), an address or a page may write it.

    Repetitions are bounded, so that a text of backslashes takes no longer than another.
    """
    code = ord(character)
    plain = re.escape(character)
    return (
        rf"(?:\\{{0,8}}{plain}|\\{{1,8}}u00(?i:{code:02x})|%(?i:{code:02x})"
        rf"|&#0{{0,4}}{code};|&#[xX]0{{0,4}}(?i:{code:x});)"
    )
