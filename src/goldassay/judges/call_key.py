"""The key of a call: a hash of everything that shapes its answer, and of nothing else.

Which fields of a judge these are is written in `declaration.py`, field by field. The parser's
version is not among them: a stored answer is read again without a call.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from goldassay.frozen import dataclass
from goldassay.judges.spec import Judge
from goldassay.judges.verdicts import Format

__all__ = ["Sent", "call_key"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """What one call sends: to a model the prompt and its parameters, to others the payload."""

    format: Format
    sample: int
    prompt: str
    parameters: Mapping[str, Any]
    #: Whether a JSON schema is asked for.
    structured: bool
    payload: Mapping[str, Any]


def call_key(judge: Judge, sent: Sent) -> str:
    """The key under which the answer is stored, and found again."""
    form = sent.format
    parts: dict[str, Any] = {
        "kind": judge.kind.declared_by,
        "provider": judge.provider,
        "endpoint": judge.address,
        "model": judge.model,
        "version": judge.version,
        "system_prompt": judge.system_prompt,
        "prompt": sent.prompt,
        "realization": judge.realization,
        "options": judge.words,
        "abstain": judge.abstentions,
        "criteria": form.criteria,
        "structured": sent.structured,
        "probabilities": form.probabilities,
        "explain": judge.explain,
        "parameters": sent.parameters,
        "order": form.order,
        "sample": sent.sample,
    }
    if not judge.kind.chat:  # no prompt holds what is judged, and no model name says who judges
        parts |= {
            "payload": sent.payload,
            "source": judge.source,
            "table": judge.table,
            "score_path": judge.score_path,
        }
    text = json.dumps(parts, sort_keys=True, ensure_ascii=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:32]
