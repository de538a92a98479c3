"""What a judge file may hold, and which of it shapes an answer.

`Declaration` is the plain record, without rules: clients read it. `Judge` (`spec.py`) is a
declaration that was held to the rules. Every field stands in exactly one of `SHAPES_ANSWERS`,
`SHAPES_RATINGS` and `SHAPES_NOTHING`, which say what a change of it must do: ask again, read or
count again, or nothing.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import field, fields
from typing import Any, Literal, Self

from goldassay.errors import InputError
from goldassay.frozen import dataclass
from goldassay.judges.realizations.record import Realization
from goldassay.judges.realizations.registry import REALIZATIONS

__all__ = [
    "SHAPES_ANSWERS",
    "SHAPES_NOTHING",
    "SHAPES_RATINGS",
    "CriteriaPerCall",
    "Declaration",
    "JudgeError",
    "Limits",
    "Orders",
    "Refusals",
]

Refusals = Literal["failed", "abstained", "invalid"]
Orders = Literal["both", "system_first", "opponent_first"]
CriteriaPerCall = Literal["one", "all"]


class JudgeError(InputError):
    """A judge's declaration breaks a rule."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How fast and how long to ask. Nothing here shapes an answer."""

    concurrency: int = 16
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    #: Seconds for all of a call, from the connection to the last byte.
    timeout: float = 120.0
    retries: int = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """One judge, as declared, and what follows from its realization."""

    name: str
    #: `binary` for a model, `numeric` (any number) for the other kinds, unless declared.
    realization: str = ""
    model: str | None = None
    #: Whose protocol a model speaks.
    provider: str = "openai"
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
    #: Where the judge file stands: paths in it start here.
    folder: str = "."
    #: The digest of the program that answers, of its files or its table; a run finds it.
    source: str = ""

    @property
    def built_in(self) -> Realization:
        return REALIZATIONS[self.realization]

    @property
    def words(self) -> tuple[str, ...]:
        """The options of the verdict, in order."""
        return self.options or self.built_in.options

    @property
    def abstentions(self) -> tuple[str, ...]:
        return self.built_in.abstain if self.abstain is None else self.abstain

    @property
    def together(self) -> bool:
        """Whether one call answers for all criteria."""
        return self.criteria_per_call == "all"

    @property
    def wants_schema(self) -> bool:
        """Whether to ask for a JSON schema where the endpoint offers it."""
        return self.built_in.structured if self.structured is None else self.structured

    @property
    def template(self) -> str:
        if self.prompt is not None:
            return self.prompt
        return self.built_in.prompt_together if self.together else self.built_in.prompt

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
        """Everything that shapes the answers and the ratings, as JSON, but for the source."""
        out: dict[str, Any] = {}
        for spec in fields(self):
            if spec.name in SHAPES_NOTHING or spec.name == "source":
                continue
            value = getattr(self, spec.name)
            if isinstance(value, Mapping):
                value = dict(value)
            out[spec.name] = list(value) if isinstance(value, tuple) else value
        out["template"] = self.template  # a later goldassay may ship another built-in prompt
        return out

    @property
    def digest(self) -> str:
        """The digest of the definition, and of the source where there is one."""
        text = json.dumps(self.definition(), sort_keys=True, ensure_ascii=True) + self.source
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @classmethod
    def from_definition(cls, raw: Mapping[str, Any]) -> Self:
        """What a store holds of a judge: it was held to the rules of its own day."""
        values = {key: value for key, value in raw.items() if key != "template"}
        for key in ("command", "options", "abstain"):
            if isinstance(values.get(key), list):
                values[key] = tuple(values[key])
        return cls(**{**values, "prompt": raw["template"]})


#: Fields on which an answer depends, and what of them is in the key of a call (`call_key.py`).
SHAPES_ANSWERS: Mapping[str, str] = {
    "realization": "itself: it decides how an answer is asked for",
    "model": "itself",
    "provider": "itself: the protocol decides what is sent",
    "base_url": "the address",
    "callable": "the address",
    "command": "the address",
    "reward_url": "the address",
    "column": "the address",
    "source": "itself: the program, its files or the table that answers",
    "table": "itself",
    "score_path": "itself",
    "version": "itself: the user's own word for what goldassay cannot see",
    "prompt": "the prompt as sent",
    "system_prompt": "itself",
    "question": "the prompt as sent",
    "options": "themselves",
    "abstain": "itself",
    "descriptions": "the prompt as sent",
    "criteria": "the names that a call answers for, and the prompt or the item as sent",
    "criteria_per_call": "the names that a call answers for",
    "structured": "whether a schema is asked for",
    "explain": "itself",
    "parameters": "as sent",
    "reference_system": "the prompt or the item as sent: it says with what an output is compared",
}
#: Fields on which the ratings depend and no single answer does.
SHAPES_RATINGS: Mapping[str, str] = {
    "name": "what the judge is called in the ratings",
    "samples": "how many answers, and the temperature, which is in the key as sent",
    "fallback_samples": "how many answers; which sample an answer is stands in its key",
    "orders": "which answers; the order of an answer stands in its key",
    "refusals": "how a refusal is read: `goldassay reparse` reads again without a call",
}
#: Fields on which neither depends.
SHAPES_NOTHING: Mapping[str, str] = {
    "limits": "how fast and how long to ask",
    "api_key_env": "who pays; a key is never stored, nor a hash of it",
    "api_key_file": "who pays; a key is never stored, nor a hash of it",
    "headers_env": "may hold keys, which are never stored, nor a hash of them",
    "price": "what an answer costs",
    "folder": "where the file stands; what is read there is in `source`",
}
