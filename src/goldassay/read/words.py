"""What the words of a name say: a prior from one file of words, which data may contradict."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from goldassay.frozen import dataclass
from goldassay.read.patterns import KINDS

__all__ = ["Who", "are_labels", "head", "heads", "is_version", "label_sets", "tokens", "who"]

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
#: A model under its version, as `gpt-4o-2024-08-06`: nobody else is called so.
_VERSION = re.compile(
    r"(gpt|claude|gemini|llama|mistral|mixtral|qwen|deepseek|gemma|grok|o[134])[-_ /.]?\d?"
    r"[-_.\w]*(\d|mini|turbo|opus|sonnet|haiku|instruct|flash|pro|large)[-_.\w]*",
    re.IGNORECASE,
)


@cache
def _said() -> Mapping[str, Any]:
    return tomllib.loads(files("goldassay.read").joinpath("words.toml").read_text("utf-8"))


@dataclass(frozen=True, slots=True)
class Who:
    """Whose ratings a name says they are; `sure` where its words leave no doubt."""

    kind: str = ""
    sure: bool = False


@cache
def tokens(name: str) -> tuple[str, ...]:
    """The words of a name, in small letters; none of an opaque one.

    >>> tokens("humanLabel_2"), tokens("A1B2C3D4E5F6G7")
    (('human', 'label', '2'), ())
    """
    if len(name) > 60 or name.count(" ") > 5 or is_opaque(name):
        return ()
    apart = _CAMEL.sub(" ", name)
    words = re.findall(r"[a-z]+\d*[a-z]*|\d+", apart.lower())
    return tuple(re.sub(r"(?<=[a-z]{3})\d+$", "", word) or word for word in words)


def is_opaque(name: str) -> bool:
    """Whether a name is an id that nobody speaks: long, of letters and digits in turn.

    >>> is_opaque("A1B2C3D4E5F6G7"), is_opaque("gpt-4o-2024-08-06")
    (True, False)
    """
    if re.search(r"[-_. /]", name) and not re.fullmatch(r"[0-9a-f-]{32,}", name.lower()):
        return False
    turns = len(re.findall(r"(?<=[A-Za-z])\d|(?<=\d)[A-Za-z]", name))
    return (len(name) >= 8 and turns >= 3) or bool(re.fullmatch(r"[0-9a-f-]{16,}", name.lower()))


def is_version(name: str) -> bool:
    """Whether a name is a model's, with its version.

    >>> is_version("gpt-4o-2024-08-06"), is_version("Claude")
    (True, False)
    """
    return _VERSION.fullmatch(name.rpartition("/")[2]) is not None


def who(name: str) -> Who:
    """Whose ratings a name says they are, by its words; of two kinds, none.

    >>> who("human_label"), who("gold"), who("topic")
    (Who(kind='human', sure=True), Who(kind='reference', sure=True), Who(kind='', sure=False))
    """
    if is_version(name):
        return Who("judge", True)
    words = set(tokens(name))
    if {"ground", "truth"} <= words or {"answer", "key"} <= words:
        return Who("reference", True)
    for strength in ("sure", "likely"):
        kinds = [kind for kind in KINDS if words & set(_said()[kind][strength])]
        if len(kinds) == 1:
            return Who(kinds[0], strength == "sure")
        if kinds:
            return Who()
    return Who()


@cache
def _heads() -> Mapping[str, str]:
    return {word: kind for kind, words in reversed(_said()["heads"].items()) for word in words}


def heads(name: str) -> set[str]:
    """What all words of a name may be."""
    found = {
        kind for kind, words in _said()["heads"].items() for one in tokens(name) if one in words
    }
    return found


def head(name: str) -> set[str]:
    """What the head noun of a name, its last word, may be; numbers and sides at its end apart.

    >>> sorted(head("human_label_count")), sorted(head("judge_score_1"))
    (['derived'], ['value'])
    """
    words = [one for one in tokens(name) if not one.isdigit()]
    while len(words) > 1 and ((len(words[-1]) == 1 and words[-1] != "n") or words[-1] in _SIDES):
        words.pop()
    last = words[-1] if words else ""
    return {kind for kind, known in _said()["heads"].items() if last in known}


_SIDES = frozenset(["left", "right", "first", "second"])


@cache
def label_sets() -> tuple[frozenset[str], ...]:
    """Labels that are ratings wherever they stand together."""
    return tuple(frozenset(one) for one in _said()["labels"]["sets"])


def are_labels(values: Iterable[str]) -> bool:
    """Whether two or more values are labels of one known set."""
    held = {value.strip().casefold() for value in values}
    return len(held) > 1 and any(held <= known for known in label_sets())
