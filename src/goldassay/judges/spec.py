"""The judge file: what is asked of which model, held to its rules before any call.

A judge is a small TOML file. Exactly one of `model` (with `base_url` or `provider`), `callable`,
`command`, `reward_url` and `column` says who answers. Keys never stand in it: `api_key_env` names
the environment variable, `api_key_file` the file. A `Judge` is read from TOML, made from a mapping
or written in Python, and held to the same rules however it came.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import Any, get_args
from urllib.parse import parse_qsl, urlsplit

from goldassay.credentials import looks_like_key
from goldassay.errors import nearest, shown
from goldassay.frozen import dataclass
from goldassay.judges.clients.kind import Kind
from goldassay.judges.clients.registry import DECLARED_BY, PROVIDERS, kind_of
from goldassay.judges.declaration import (
    CriteriaPerCall,
    Declaration,
    JudgeError,
    Limits,
    Orders,
    Refusals,
)
from goldassay.judges.realizations.registry import REALIZATIONS
from goldassay.sources.toml import read_toml
from goldassay.sources.winners import TIES

__all__ = ["Judge", "JudgeError", "Limits", "judge_from_mapping", "read_judge"]

#: Placeholders of a prompt; those of the second kind say by which criterion to judge.
PLACEHOLDERS = (
    "input",
    "output",
    "output_a",
    "output_b",
    "question",
    "options",
    "letters",
    "all_letters",
    "example",
    "format",
    "mark",
    "reference",
)
CRITERION_PLACEHOLDERS = ("criterion", "criteria", "criterion_line")
#: Fields that goldassay fills in, which no file may hold.
_OWN_FIELDS = ("folder", "source")
_LIMITS = tuple(spec.name for spec in fields(Limits))
#: How messages call a judge that comes from no file.
_PLACE = "judge"
_NAME = re.compile(r"[^\x00-\x1f\x7f]{1,200}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge(Declaration):
    """One judge. Immutable; a broken rule is a `JudgeError`, however it was made."""

    def __post_init__(self) -> None:
        for spec in fields(self):
            value = getattr(self, spec.name)
            if spec.name in _OWN_FIELDS or (value is None and spec.default is None):
                continue
            where = f"{_PLACE}, {spec.name}"
            text = json.dumps(value, ensure_ascii=False, default=str)
            if looks_like_key(text):
                raise JudgeError(
                    where, "looks like it holds a key", next_step='Use api_key_env = "MY_KEY"'
                )
            if not text.isascii() and re.search("[\ud800-\udfff]", text):
                raise JudgeError(where, "holds half a character (a lone surrogate)")
            object.__setattr__(self, spec.name, _READ[spec.name](value, where))
        _check_who(self)
        if not self.realization:
            default = "binary" if self.kind.chat else "numeric"
            object.__setattr__(self, "realization", default)
        for rule in (_check_options, _check_criteria, _check_prompt):
            rule(self)

    @property
    def kind(self) -> Kind:
        """Who answers."""
        return kind_of(self)

    @property
    def address(self) -> str:
        """What is asked, without anything secret."""
        return self.kind.address(self)

    def with_source(self) -> Judge:
        """The judge with the digest of the program that answers, as it is now."""
        return replace(self, source=self.kind.source(self))


def read_judge(path: str | Path) -> Judge:
    """Read and validate a judge file; the first broken rule is a `JudgeError`."""
    raw = read_toml(
        path,
        called="judge file",
        wrong=JudgeError,
        next_step="Give --judge FILE.toml; `goldassay judges` shows what it may hold",
    )
    return judge_from_mapping(raw, place=str(path), folder=str(Path(path).parent))


def judge_from_mapping(raw: Mapping[str, Any], *, place: str = _PLACE, folder: str = ".") -> Judge:
    """A judge from parsed TOML or JSON; the first broken rule is a `JudgeError` at `place`.

    Limits stand among the other keys, or in a table `[limits]`.
    """
    flat = {**raw, **raw["limits"]} if isinstance(raw.get("limits"), Mapping) else dict(raw)
    flat.pop("limits", None)
    for key in flat:
        _check_key(key, place)
    if "name" not in flat:
        raise JudgeError(place, "a judge has a name", next_step='Add name = "my-judge"')
    limits = {key: flat.pop(key) for key in _LIMITS if key in flat}
    try:
        return Judge(**flat, limits=_limits(limits, _PLACE), folder=folder)
    except JudgeError as error:
        raise error.at(place + error.place.removeprefix(_PLACE)) from None


def _check_key(key: str, place: str) -> None:
    if key in ("api_key", "key", "token", "headers"):
        raise JudgeError(
            f"{place}, {key}",
            "a judge file holds no keys",
            next_step='Name the environment variable: api_key_env = "MY_KEY", '
            'or for a header [headers_env] X-Header = "MY_VARIABLE"',
        )
    known = [*(name for name in _READ if name != "limits"), *_LIMITS]
    if key not in known:
        near = nearest(str(key), known)
        raise JudgeError(
            place,
            f"{key!r} is not a key of a judge file",
            next_step=f"Did you mean {near!r}?" if near else f"Keys: {', '.join(known)}",
        )


# --- one field: what it may hold ------------------------------------------------------------------


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str) or not value:
        raise JudgeError(where, "must be text in quotes", found=shown(value))
    return value


def _may_be_empty(value: Any, where: str) -> str:
    return "" if value == "" else _text(value, where)


def _name(value: Any, where: str) -> str:
    if not _NAME.fullmatch(_text(value, where)):
        raise JudgeError(where, "is one line of text", found=shown(value))
    return str(value)


def _choice(allowed: tuple[str, ...], value: Any, where: str) -> str:
    if not isinstance(value, str) or value not in allowed:
        near = nearest(str(value), allowed)
        raise JudgeError(
            where,
            f"must be one of {', '.join(allowed)}",
            found=shown(value),
            next_step=f"Did you mean {near!r}?" if near else None,
        )
    return value


def _realization(value: Any, where: str) -> str:
    return "" if value == "" else _choice(tuple(REALIZATIONS), value, where)


def _texts(value: Any, where: str) -> tuple[str, ...]:
    listed = isinstance(value, list | tuple)
    if not listed or not all(isinstance(one, str) and one.strip() for one in value):
        raise JudgeError(where, "must be a list of texts", found=shown(value))
    return tuple(value)


def _each_once(value: Any, where: str) -> tuple[str, ...]:
    texts = _texts(value, where)
    if len(set(texts)) != len(texts):
        raise JudgeError(where, "names each once", found=shown(value))
    return texts


def _command(value: Any, where: str) -> tuple[str, ...]:
    if isinstance(value, str):
        try:
            value = shlex.split(value)
        except ValueError as error:
            raise JudgeError(
                where,
                f"cannot be split into words ({error})",
                found=shown(value),
                next_step='Write a list, as ["python", "judge.py"]',
            ) from None
    return _texts(value, where)


def _table(value: Any, where: str) -> dict[str, str]:
    if not isinstance(value, Mapping) or not all(isinstance(v, str) for v in value.values()):
        raise JudgeError(where, "must be a table of texts", found=shown(value))
    return {str(key): one for key, one in value.items()}


def _flag(value: Any, where: str) -> bool:
    if not isinstance(value, bool):
        raise JudgeError(where, "must be true or false", found=shown(value))
    return value


def _samples(value: Any, where: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 10_000:
        raise JudgeError(where, "must be a whole number from 1 to 10000", found=shown(value))
    return value


def _price(value: Any, where: str) -> tuple[float, float]:
    listed = isinstance(value, list | tuple)
    if not listed or len(value) != 2 or not all(map(_amount, value)):
        raise JudgeError(
            where,
            "is [prompt, completion], money per million tokens",
            found=shown(value),
            next_step="Write, for example, price = [2.5, 10]",
        )
    return (float(value[0]), float(value[1]))


def _amount(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e9


def _parameters(value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise JudgeError(where, "must be a table of the request's fields", found=shown(value))
    for name in ("messages", "model", "stream", "response_format", "logprobs", "top_logprobs", "n"):
        if name in value:
            raise JudgeError(
                f"{where}.{name}", "is set by goldassay itself", found=shown(value[name])
            )
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise JudgeError(where, f"hold what JSON can hold ({error})", found=shown(value)) from None
    return dict(value)


def _url(value: Any, where: str) -> str:
    text = _text(value, where)
    try:
        parts = urlsplit(text)
        hostname, _ = parts.hostname, parts.port
    except ValueError:
        hostname = None
    if hostname is None or parts.scheme not in ("http", "https"):
        raise JudgeError(where, "is an http or https address", found=shown(text))
    asked = {key for key, _ in parse_qsl(parts.query, keep_blank_values=True)}
    if parts.username or parts.password or parts.fragment or not asked <= {"api-version"}:
        raise JudgeError(
            where,
            "holds no user, password or query but api-version (keys come from the environment)",
            next_step='Use api_key_env = "MY_KEY"',
        )
    return text


def _limits(value: Any, where: str) -> Limits:
    """Limits whose every number was checked, from limits or a mapping of them."""
    if isinstance(value, Limits):
        value = {spec.name: getattr(value, spec.name) for spec in fields(Limits)}
    elif not isinstance(value, Mapping):
        raise JudgeError(where, "are Limits or a table of them", found=shown(value))
    place = where.removesuffix(", limits")
    return Limits(**{key: _limit(key, one, f"{place}, {key}") for key, one in value.items()})


def _limit(key: str, value: Any, where: str) -> Any:
    if value is None and key in ("requests_per_minute", "tokens_per_minute"):
        return None
    if not _amount(value) or (value == 0 and key != "retries"):
        raise JudgeError(where, "must be a positive number", found=shown(value))
    if key in ("concurrency", "retries"):
        if not isinstance(value, int) or value > 10_000:
            raise JudgeError(where, "must be a whole number up to 10000", found=shown(value))
        return value
    return float(value)


#: A field of a judge file -> what it may hold.
_READ: Mapping[str, Callable[[Any, str], Any]] = {
    "name": _name,
    "realization": _realization,
    "model": _text,
    "provider": partial(_choice, PROVIDERS),
    "base_url": _url,
    "callable": _text,
    "command": _command,
    "reward_url": _url,
    "column": _text,
    "table": _text,
    "score_path": _text,
    "version": _may_be_empty,
    "prompt": _text,
    "system_prompt": _text,
    "question": _text,
    "options": _each_once,
    "abstain": _each_once,
    "descriptions": _table,
    "criteria": _table,
    "criteria_per_call": partial(_choice, get_args(CriteriaPerCall)),
    "structured": _flag,
    "explain": _flag,
    "parameters": _parameters,
    "samples": _samples,
    "fallback_samples": _samples,
    "orders": partial(_choice, get_args(Orders)),
    "reference_system": _text,
    "refusals": partial(_choice, get_args(Refusals)),
    "limits": _limits,
    "api_key_env": _text,
    "api_key_file": _text,
    "headers_env": _table,
    "price": _price,
}


# --- several fields: what goes together -----------------------------------------------------------


def _check_who(judge: Judge) -> None:
    who = [key for key in DECLARED_BY if getattr(judge, key)]
    if len(who) != 1:
        raise JudgeError(
            _PLACE,
            f"exactly one of {', '.join(DECLARED_BY)} says who answers",
            found=", ".join(who) or "none",
            next_step='Add, for example, model = "gpt-4o-mini"' if not who else None,
        )
    if judge.table is not None and judge.column is None:
        raise JudgeError(f"{_PLACE}, table", "goes with column, the column to read")


def _check_options(judge: Judge) -> None:
    place, built_in, words = f"{_PLACE}, options", judge.built_in, judge.words
    if built_in.own_scale and judge.options:
        raise JudgeError(place, f"{judge.realization} has its own scale")
    if not built_in.least <= len(words) <= built_in.most:
        raise JudgeError(place, built_in.options_rule, found=shown(words))
    if built_in.scale == "pairwise" and any(word.casefold() in TIES for word in words[:2]):
        raise JudgeError(
            place,
            "of pairs are first the two sides, then the tie",
            found=shown(words),
            next_step=f"Write options = {sorted(words, key=lambda word: word.casefold() in TIES)}",
        )
    if built_in.lettered:
        for word in words:
            if "|" in word:
                raise JudgeError(place, "hold no '|', which joins a set", found=word)
    folded = [word.casefold() for word in (*words, *judge.abstentions)]
    if len(set(folded)) != len(folded):
        raise JudgeError(f"{place} and abstain", "differ in more than upper and lower case")


def _check_criteria(judge: Judge) -> None:
    if judge.together and not judge.built_in.prompt_together:
        able = [name for name, one in REALIZATIONS.items() if one.prompt_together]
        raise JudgeError(f"{_PLACE}, criteria_per_call", f'"all" is for realization = "{able[0]}"')
    check_asked(judge, judge.criteria, f"{_PLACE}, criteria")


def check_asked(judge: Judge, criteria: Mapping[str, str], where: str) -> None:
    """Several criteria need a judge that is asked each: else one answer would stand for all."""
    if len(criteria) < 2 or judge.together:
        return
    if not judge.kind.asks_criteria:
        raise JudgeError(
            where,
            f"{judge.kind.declared_by} gives one answer and cannot be asked by criterion",
            found=shown(list(criteria)),
            next_step="Give each criterion a judge of its own, or leave the criteria out",
        )
    if judge.kind.chat and not _placeholders(judge.template) & set(CRITERION_PLACEHOLDERS):
        raise JudgeError(
            where,
            "the prompt asks for none of them, and one answer would stand for all",
            found=shown(list(criteria)),
            next_step="Write {criterion} where the prompt names the criterion",
        )


def _placeholders(template: str) -> set[str]:
    return set(re.findall(r"\{([a-z_]+)\}", template))


def _check_prompt(judge: Judge) -> None:
    if judge.prompt is None or not judge.kind.chat:
        return
    where, used = f"{_PLACE}, prompt", _placeholders(judge.template)
    known = (*PLACEHOLDERS, *CRITERION_PLACEHOLDERS)
    for name in sorted(used):
        if name not in known:
            near = nearest(name, known)
            raise JudgeError(
                where,
                f"{{{name}}} is not a placeholder",
                next_step=f"Did you mean {{{near}}}?"
                if near
                else f"They are: {', '.join('{' + one + '}' for one in known)}",
            )
    needed = {"output_a", "output_b"} if judge.built_in.pairs else {"output"}
    if missing := needed - used:
        raise JudgeError(
            where,
            "shows the judge what it judges",
            found=f"no {', '.join('{' + one + '}' for one in sorted(missing))}",
        )
