"""What keys of providers look like: they must reach no log, no store and no report."""

from __future__ import annotations

import re

__all__ = ["looks_like_key", "names_secret"]

#: What the keys of providers look like; nothing that is said of a judge does.
_KEY = re.compile(
    r"""(?<![A-Za-z0-9])(
        (sk|pk|rk|gsk|xai)[-_]([A-Za-z0-9]{1,10}[-_]){0,3}(?=\w{0,80}\d)\w{16,}
      | (sk|pk|rk|gsk|xai)[-_](?=[-\w]{0,80}\d)[-\w]{40,}
      | sk-[A-Za-z0-9]{20,}
      | (hf|ghp|gho|ghs|ghu|ghr)_(?=\w{0,80}\d)\w{16,}
      | github_pat_\w{16,}
      | xox[abeprs]-[-A-Za-z0-9]{10,}
      | AKIA[0-9A-Z]{16}
      | AIza[-\w]{20,}
      | ya29\.[-\w]{10,}
      | eyJ[-\w]{8,}\.[-\w]{4,}\.[-\w]*
      | (?i:bearer)\s+(?=\S{0,80}\d)[-.~+/\w]{12,}
    )""",
    re.X | re.A,
)
#: A name that a secret has, before its value: api_key=..., "password": "...".
_NAMED = re.compile(
    r"""(
        (?<![A-Za-z])(api[-_ ]?|access[-_ ]?|private[-_ ]?|secret[-_ ]?)?key
      | secret | passw(or)?d | passphrase | credentials? | authori[sz]ation | bearer
      | (?<![-\w])((auth|access|api|refresh|bearer)[-_ ]?)?token
    )["']?\s*[=:]\s*["']?[^\s"',;}\]]""",
    re.X | re.I | re.A,
)


def looks_like_key(text: str) -> bool:
    """Whether a text seems to hold a key of a provider, which nothing may keep.

    >>> looks_like_key("sk-abcdefghijklmnopqrst"), looks_like_key("temperature 0")
    (True, False)
    >>> looks_like_key("skywork-reward-llama-3.1-8b")
    False
    """
    return _KEY.search(text) is not None


def names_secret(text: str) -> bool:
    """Whether a text gives a value to a name that secrets have.

    >>> names_secret('{"api_key": "x"}'), names_secret("max_tokens: 5, key_terms: 3")
    (True, False)
    """
    return _NAMED.search(text) is not None
