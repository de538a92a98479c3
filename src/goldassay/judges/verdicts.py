"""What a judge said, what was asked of it, and the verdict that was read: plain records."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Literal

from goldassay.frozen import dataclass

__all__ = ["Answer", "Format", "Status", "Verdict"]

Status = Literal["rated", "abstained", "invalid", "failed"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was read for one criterion."""

    status: Status
    value: str | None = None
    score: float | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What a judge said: text, why it stopped, and the first token's alternatives."""

    text: str | None
    finish: str | None = None
    refusal: str | None = None
    #: Per generated token, its most likely alternatives as (token, log-probability).
    alternatives: Sequence[Sequence[tuple[str, float]]] | None = None
    quoted: Sequence[tuple[int, int]] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """What an answer should look like. `order` says which of a pair was shown as A."""

    realization: str
    options: tuple[str, ...] = ()
    abstain: tuple[str, ...] = ()
    criteria: tuple[str, ...] = ("",)
    order: str = ""
    probabilities: bool = False
    together: bool = False
    refusals: Status = "failed"

    def to_json(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Format:
        raw = json.loads(text)
        for name in ("options", "abstain", "criteria"):
            raw[name] = tuple(raw[name])
        return cls(**raw)
