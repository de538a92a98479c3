"""The judge file: what is asked of which model, validated before any call.

A judge is a small TOML file. Exactly one of `model` (with `base_url` or `provider`), `callable`,
`command`, `reward_url` and `column` says who answers. Keys never stand in it: `api_key_env` names
the environment variable, `api_key_file` the file.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from string import ascii_uppercase
from typing import Any, Literal, get_args
from urllib.parse import urlsplit

from goldassay.errors import InputError, SourceError, nearest, shown
from goldassay.judges.realizations import BINARY_ALL, REALIZATIONS, Realization

__all__ = ["Judge", "JudgeError", "Limits", "read_judge"]

Provider = Literal["openai", "anthropic"]
Refusals = Literal["failed", "abstained", "invalid"]
Orders = Literal["both", "system_first", "opponent_first"]
CriteriaPerCall = Literal["one", "all"]
KINDS = ("model", "callable", "command", "reward_url", "column")

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
    "criterion",
    "criteria",
    "format",
    "mark",
    "reference",
)
_NAME = re.compile(r"[^\x00-\x1f\x7f]{1,200}")
_SECRET = re.compile(r"\b(sk-[A-Za-z0-9_-]{16,}|Bearer\s+\S{8,})")


class JudgeError(InputError):
    """A judge file breaks a rule."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How fast and how long to ask. Nothing here shapes an answer."""

    concurrency: int = 16
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    timeout: float = 120.0
    retries: int = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """One judge. The fields up to `limits` shape its answers and make its definition."""

    name: str
    #: `binary` for a model, `numeric` (any number) for the other kinds, unless declared.
    realization: str = ""
    model: str | None = None
    provider: Provider = "openai"
    base_url: str | None = None
    callable: str | None = None
    command: tuple[str, ...] = ()
    reward_url: str | None = None
    column: str | None = None
    table: str | None = None
    #: Where the number stands in a reward endpoint's JSON, as "data.0.score".
    score_path: str = "score"
    version: str = ""
    prompt: str | None = None
    system_prompt: str | None = None
    question: str | None = None
    options: tuple[str, ...] = ()
    abstain: tuple[str, ...] | None = None
    descriptions: Mapping[str, str] = field(default_factory=dict)
    criteria: Mapping[str, str] = field(default_factory=dict)
    criteria_per_call: CriteriaPerCall = "one"
    #: None: as the realization has it, where the endpoint offers it.
    structured: bool | None = None
    explain: bool = False
    parameters: Mapping[str, Any] | None = None
    samples: int = 1
    #: How often to ask where log-probabilities are refused.
    fallback_samples: int = 10
    orders: Orders = "both"
    reference_system: str | None = None
    refusals: Refusals = "failed"
    limits: Limits = field(default_factory=Limits)
    api_key_env: str | None = None
    api_key_file: str | None = None
    headers_env: Mapping[str, str] = field(default_factory=dict)
    #: Price per million tokens, [prompt, completion]; overrides the table of prices.
    price: tuple[float, float] | None = None
    folder: str = "."

    @property
    def kind(self) -> str:
        """Who answers: one of `KINDS`."""
        return next(kind for kind in KINDS if getattr(self, kind))

    @property
    def built_in(self) -> Realization:
        return REALIZATIONS[self.realization]

    @property
    def endpoint(self) -> str:
        """What is asked, without anything secret."""
        if self.kind == "model":
            default = (
                "https://api.anthropic.com"
                if self.provider == "anthropic"
                else ("https://api.openai.com/v1")
            )
            return self.base_url or default
        value = getattr(self, self.kind)
        return " ".join(value) if isinstance(value, tuple) else str(value)

    @property
    def words(self) -> tuple[str, ...]:
        """The options of the verdict, in order."""
        return self.options or self.built_in.options

    @property
    def abstentions(self) -> tuple[str, ...]:
        return self.built_in.abstain if self.abstain is None else self.abstain

    @property
    def template(self) -> str:
        if self.prompt is not None:
            return self.prompt
        if self.realization == "binary" and self.criteria_per_call == "all":
            return BINARY_ALL
        return self.built_in.prompt

    @property
    def text_of_question(self) -> str:
        return self.question if self.question is not None else self.built_in.question

    @property
    def sent_parameters(self) -> dict[str, Any]:
        """The parameters of the request: the file's own, else temperature and a token limit."""
        if self.parameters is not None:
            return dict(self.parameters)
        temperature = 0.0 if self.samples == 1 else 1.0
        return {"temperature": temperature, "max_tokens": self.built_in.max_tokens}

    def definition(self) -> dict[str, Any]:
        """Everything that shapes the answers, as JSON; limits, keys and prices do not."""
        out: dict[str, Any] = {}
        for spec in fields(self):
            if spec.name == "limits":
                break
            value = getattr(self, spec.name)
            if isinstance(value, Mapping):
                value = dict(value)
            out[spec.name] = list(value) if isinstance(value, tuple) else value
        out["template"] = self.template  # a later goldassay may ship another built-in prompt
        return out

    @property
    def digest(self) -> str:
        text = json.dumps(self.definition(), sort_keys=True, ensure_ascii=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @classmethod
    def from_definition(cls, raw: Mapping[str, Any]) -> Judge:
        """The judge of a stored definition (`goldassay reparse`)."""
        values = {key: value for key, value in raw.items() if key != "template"}
        values["prompt"] = raw["template"]
        for key in ("command", "options", "abstain"):
            if isinstance(values.get(key), list):
                values[key] = tuple(values[key])
        return cls(**values)


def read_judge(path: str | Path) -> Judge:
    """Read and validate a judge file; the first broken rule is a `JudgeError`."""
    path = Path(path)
    try:
        raw = tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise SourceError(
            str(path),
            f"the judge file cannot be read ({error.strerror or error})",
            next_step="Give --judge FILE.toml; `goldassay judges` shows what it may hold",
        ) from None
    except UnicodeDecodeError as error:
        raise JudgeError(str(path), f"a judge file is UTF-8 ({error.reason})") from None
    except tomllib.TOMLDecodeError as error:
        raise JudgeError(str(path), f"is not valid TOML ({error})") from None
    return judge_from_mapping(raw, place=str(path), folder=str(path.parent))


def judge_from_mapping(raw: Mapping[str, Any], *, place: str, folder: str = ".") -> Judge:
    """A validated judge from parsed TOML."""
    known = [spec.name for spec in fields(Judge) if spec.name != "folder"]
    known += [spec.name for spec in fields(Limits)]
    limits: dict[str, Any] = {}
    values: dict[str, Any] = {"folder": folder}
    flat = {**raw, **raw["limits"]} if isinstance(raw.get("limits"), dict) else dict(raw)
    flat.pop("limits", None)
    for key, value in flat.items():
        where = f"{place}, {key}"
        if key in ("api_key", "key", "token", "headers"):
            raise JudgeError(
                where,
                "a judge file holds no keys",
                next_step='Name the environment variable: api_key_env = "MY_KEY", '
                'or for a header [headers_env] X-Header = "MY_VARIABLE"',
            )
        if key not in known:
            near = nearest(key, known)
            raise JudgeError(
                place,
                f"{key!r} is not a key of a judge file",
                next_step=f"Did you mean {near!r}?" if near else f"Keys: {', '.join(known)}",
            )
        if _SECRET.search(json.dumps(value, default=str)):
            raise JudgeError(
                where, "looks like it holds a key", next_step='Use api_key_env = "MY_KEY"'
            )
        if key in {spec.name for spec in fields(Limits)}:
            limits[key] = _limit(key, value, where)
        else:
            values[key] = _value(key, value, where)
    if "name" not in values:
        raise JudgeError(place, "a judge has a name", next_step='Add name = "my-judge"')
    judge = Judge(**values, limits=Limits(**limits))
    if not judge.realization:
        judge = replace(judge, realization="binary" if judge.model else "numeric")
    _check(judge, place)
    return judge


_TEXTS = (
    "name",
    "realization",
    "model",
    "base_url",
    "callable",
    "reward_url",
    "column",
    "table",
    "score_path",
    "version",
    "prompt",
    "system_prompt",
    "question",
    "reference_system",
    "api_key_env",
    "api_key_file",
)
_CHOICES: Mapping[str, tuple[str, ...]] = {
    "provider": get_args(Provider),
    "refusals": get_args(Refusals),
    "orders": get_args(Orders),
    "criteria_per_call": get_args(CriteriaPerCall),
    "realization": tuple(REALIZATIONS),
}


def _value(key: str, value: Any, where: str) -> Any:
    if key in _CHOICES and value not in _CHOICES[key]:
        near = nearest(str(value), _CHOICES[key])
        raise JudgeError(
            where,
            f"must be one of {', '.join(_CHOICES[key])}",
            found=shown(value),
            next_step=f"Did you mean {near!r}?" if near else None,
        )
    if key in _CHOICES or key in _TEXTS:
        if not isinstance(value, str) or not value:
            raise JudgeError(where, "must be text in quotes", found=shown(value))
        return value
    if key == "command":
        if isinstance(value, str):
            import shlex

            value = shlex.split(value)
        return _texts(value, where)
    if key in ("options", "abstain"):
        return _texts(value, where)
    if key in ("descriptions", "criteria", "headers_env"):
        if not isinstance(value, dict) or not all(isinstance(v, str) for v in value.values()):
            raise JudgeError(where, "must be a table of texts", found=shown(value))
        return dict(value)
    if key in ("structured", "explain"):
        if not isinstance(value, bool):
            raise JudgeError(where, "must be true or false", found=shown(value))
        return value
    if key in ("samples", "fallback_samples"):
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 10_000:
            raise JudgeError(where, "must be a whole number from 1 to 10000", found=shown(value))
        return value
    if key == "price":
        if not isinstance(value, list) or len(value) != 2 or not all(map(_positive, value)):
            raise JudgeError(
                where,
                "is [prompt, completion], money per million tokens",
                found=shown(value),
                next_step="Write, for example, price = [2.5, 10]",
            )
        return (float(value[0]), float(value[1]))
    if not isinstance(value, dict):  # parameters
        raise JudgeError(where, "must be a table of the request's fields", found=shown(value))
    for name in ("messages", "model", "stream", "response_format", "logprobs", "top_logprobs", "n"):
        if name in value:
            raise JudgeError(
                f"{where}.{name}", "is set by goldassay itself", found=shown(value[name])
            )
    return value


def _positive(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e9


def _limit(key: str, value: Any, where: str) -> Any:
    if not _positive(value) or (value == 0 and key != "retries"):
        raise JudgeError(where, "must be a positive number", found=shown(value))
    if key in ("concurrency", "retries"):
        if not isinstance(value, int) or value > 10_000:
            raise JudgeError(where, "must be a whole number up to 10000", found=shown(value))
        return value
    return float(value)


def _texts(value: Any, where: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(v, str) and v.strip() for v in value):
        raise JudgeError(where, "must be a list of texts", found=shown(value))
    if len(set(value)) != len(value):
        raise JudgeError(where, "names each once", found=shown(value))
    return tuple(value)


def _check(judge: Judge, place: str) -> None:
    if not _NAME.fullmatch(judge.name):
        raise JudgeError(f"{place}, name", "is one line of text", found=shown(judge.name))
    who = [kind for kind in KINDS if getattr(judge, kind)]
    if len(who) != 1:
        raise JudgeError(
            place,
            f"exactly one of {', '.join(KINDS)} says who answers",
            found=", ".join(who) or "none",
            next_step='Add, for example, model = "gpt-4o-mini"' if not who else None,
        )
    for key in ("base_url", "reward_url"):
        _check_url(getattr(judge, key), f"{place}, {key}")
    words = judge.words
    fixed = {"likert": 5, "token_probs": 2, "anchor": 5, "binary": 2}
    if judge.realization in ("numeric", "anchor", "token_probs") and judge.options:
        raise JudgeError(f"{place}, options", f"{judge.realization} has its own scale")
    if judge.realization in fixed and len(words) != fixed[judge.realization]:
        raise JudgeError(
            f"{place}, options",
            f"{judge.realization} has {fixed[judge.realization]}",
            found=shown(words),
        )
    if judge.realization == "pairwise" and len(words) not in (2, 3):
        raise JudgeError(
            f"{place}, options",
            "pairwise has two (system wins, opponent wins) and may have a tie",
            found=shown(words),
        )
    if judge.realization in ("forced_choice", "response_set"):
        if not 2 <= len(words) <= len(ascii_uppercase):
            raise JudgeError(f"{place}, options", "are 2 to 26, one letter each")
        for word in words:
            if "|" in word:
                raise JudgeError(f"{place}, options", "hold no '|', which joins a set", found=word)
    folded = [word.casefold() for word in (*words, *judge.abstentions)]
    if len(set(folded)) != len(folded):
        raise JudgeError(
            f"{place}, options and abstain", "differ in more than upper and lower case"
        )
    if judge.criteria_per_call == "all" and judge.realization != "binary":
        raise JudgeError(f"{place}, criteria_per_call", '"all" is for realization = "binary"')
    if judge.prompt is not None and judge.kind == "model":
        _check_prompt(judge, f"{place}, prompt")
    if judge.table is not None and judge.column is None:
        raise JudgeError(f"{place}, table", "goes with column, the column to read")


def _check_prompt(judge: Judge, where: str) -> None:
    used = set(re.findall(r"\{([a-z_]+)\}", judge.template))
    for name in sorted(used):
        if name not in PLACEHOLDERS:
            near = nearest(name, PLACEHOLDERS)
            raise JudgeError(
                where,
                f"{{{name}}} is not a placeholder",
                next_step=f"Did you mean {{{near}}}?"
                if near
                else f"They are: {', '.join('{' + one + '}' for one in PLACEHOLDERS)}",
            )
    needed = {"output_a", "output_b"} if judge.built_in.pairs else {"output"}
    if missing := needed - used:
        raise JudgeError(
            where,
            "shows the judge what it judges",
            found=f"no {', '.join('{' + one + '}' for one in sorted(missing))}",
        )


def _check_url(url: str | None, where: str) -> None:
    if url is None:
        return
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise JudgeError(where, "is an http or https address", found=shown(url))
    if parts.username or parts.password or parts.query:
        raise JudgeError(
            where,
            "holds no user, password or query (keys come from the environment)",
            next_step='Use api_key_env = "MY_KEY"',
        )
