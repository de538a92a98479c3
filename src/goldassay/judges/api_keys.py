"""Keys: from the environment or a file, for the endpoint they belong to, and nowhere else.

A provider's usual variable is read only for that provider's own host. Any other endpoint gets a key
only when the judge file names it. A key is never stored, printed or put into an error.
"""

from __future__ import annotations

import base64
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
    """What must be in no text: keys, and header values from the environment.

    All that comes from an endpoint goes through `covered` before it is read, told or stored
    (`clients/http.py`), so that nothing made of it holds a key.
    """

    def __init__(self, secrets: Iterable[str | None]) -> None:
        long = {secret for secret in secrets if secret and len(secret) >= _SHORTEST}
        spelt = ["".join(map(_spellings, one)) for one in sorted(long, key=len, reverse=True)]
        self._pattern = re.compile("|".join(spelt)) if spelt else None
        self._traces = [_Trace(form) for secret in sorted(long) for form in _forms(secret)]
        self._seeds = frozenset(seed for trace in self._traces for seed in trace.seeds)

    def covered(self, text: str) -> str:
        """A text with every secret covered, however its characters are escaped; long ones in any
        case, backwards, in base64 or hexadecimal, and cut in two as well."""
        if self._pattern is None:
            return text
        text = self._pattern.sub("[key]", text)
        if not self._traces:
            return text
        quick = _letters(_ESCAPE.sub(_unescaped, text))
        if not any(quick[i : i + _SEED] in self._seeds for i in range(len(quick) - _SEED + 1)):
            return text
        bare, places = _bare(text)
        spans = sorted({span for trace in self._traces for span in trace.found(bare)})
        return _without(text, [(places[a][0], places[b - 1][1]) for a, b in spans])


#: Letters and digits from which on a key is looked for in other forms; and, by what pieces it is
#: found, in parts: a part of a shorter one may be a word.
_LONG, _IN_PARTS, _SEED = 8, 16, 6
#: A character as JSON (in JSON, too), an address or a page may escape it; blanks are passed over.
#: Backslashes are taken together, once: a text of nothing else takes no longer than another.
_ESCAPE = re.compile(
    r"(?<!\\)\\++(?:u00([0-9a-fA-F]{2})|[ntrbf])|%([0-9a-fA-F]{2})|&#0{0,4}(\d{1,3});"
    r"|&#[xX]0{0,4}([0-9a-fA-F]{1,2});"
)
_BARE, _ELSE = re.compile(r"[0-9A-Za-z]"), re.compile(r"[^0-9A-Za-z]+")


def _forms(secret: str) -> list[str]:
    """A long secret's letters and digits, as it is, backwards, in base64 and in hexadecimal."""
    plain = _letters(secret)
    said = secret.encode()
    # Within a longer text base64 begins at one of three places, and its ends belong to others too.
    coded = [base64.b64encode(b"\0" * k + said).decode().rstrip("=") for k in range(3)]
    inner = [_letters(one[(0, 2, 3)[k] : len(one) - 1]) for k, one in enumerate(coded)]
    return [form for form in (plain, plain[::-1], said.hex(), *inner) if len(form) >= _LONG]


def _letters(text: str) -> str:
    return _ELSE.sub("", text).casefold()


def _unescaped(escape: re.Match[str]) -> str:
    """The sign that an escape stands for; "" for a blank."""
    code, address, decimal, hexadecimal = escape.groups()
    return chr(int(decimal) if decimal else int(code or address or hexadecimal or "20", 16))


def _bare(text: str) -> tuple[str, list[tuple[int, int]]]:
    """The letters and digits of a text without regard to case, and where each of them stands."""
    letters: list[str] = []
    places: list[tuple[int, int]] = []
    at = 0
    for escape in (*_ESCAPE.finditer(text), None):
        until = escape.start() if escape else len(text)
        for one in _BARE.finditer(text, at, until):
            letters.append(one[0])
            places.append(one.span())
        if escape is None:
            break
        sign = _unescaped(escape)
        if _BARE.fullmatch(sign):
            letters.append(sign)
            places.append(escape.span())
        at = escape.end()
    return "".join(letters).casefold(), places


class _Trace:
    """A form of a secret, and what of it a text holds: all, half or more, or both of its parts."""

    def __init__(self, form: str) -> None:
        self.form = form
        self.least = len(form) // 2 if len(form) >= _IN_PARTS else len(form)
        self.seeds = {form[i : i + _SEED] for i in range(len(form) - _SEED + 1)}

    def found(self, text: str) -> list[tuple[int, int]]:
        """Stretches of at least half of it; and where one is cut off, the rest of it elsewhere."""
        form, spans, rests = self.form, [], set()
        at = 0
        while at + _SEED <= len(text):
            if text[at : at + _SEED] not in self.seeds:
                at += 1
                continue
            start, length = self._longest(text, at)
            if length >= self.least:
                spans.append((at, at + length))
                rests |= {form[:start], form[start + length :]}
                at += length
            else:
                at += 1
        for rest in rests:
            if len(rest) >= _SHORTEST:
                spans += [(m.start(), m.end()) for m in re.finditer(re.escape(rest), text)]
        return spans

    def _longest(self, text: str, at: int) -> tuple[int, int]:
        """The longest stretch of the form that stands at a place: its begin and its length."""
        best, begin = (0, 0), self.form.find(text[at : at + _SEED])
        while begin >= 0:
            length = _SEED
            ends = min(len(self.form) - begin, len(text) - at)
            while length < ends and self.form[begin + length] == text[at + length]:
                length += 1
            best = max(best, (begin, length), key=lambda one: one[1])
            begin = self.form.find(text[at : at + _SEED], begin + 1)
        return best


def _without(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """A text with stretches covered; the signs by which JSON is held together stay."""
    out, at = [], 0
    for start, end in spans:
        if end <= at:
            continue
        piece = text[max(start, at) : end]
        covered = _JOINTS.sub("[key]", piece) if '"' in piece else "[key]"
        out += [text[at : max(start, at)], covered]
        at = end
    return "".join((*out, text[at:]))


_JOINTS = re.compile(r'[^"{}\[\]:,\s]+')


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
