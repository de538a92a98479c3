"""Who a judge is that goldassay runs itself: from its definition, and from what answered.

Nothing that may hold a key is part of it: of an address there is the host alone; headers and
parameters with the names of keys are left out, and no digest is made of them.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from goldassay.credentials import looks_like_key
from goldassay.judges.declaration import Declaration
from goldassay.judges.parsing import PARSER
from goldassay.passport import Identity
from goldassay.store import store_errors
from goldassay.words import described, listed

__all__ = ["identity_of", "stored_identities"]

#: Names of parameters that may hold a key.
_SECRET = re.compile(r"key|secret|passw|credential|authori|bearer|(^|[_-])token$", re.I)


def identity_of(judge: Declaration, models: Sequence[str] = (), *, origin: str) -> Identity:
    """Who a judge is by its definition; `models` are those that said they answered."""
    answering = [name for name in models if name and name != judge.model]
    version = [judge.version, *answering[:3]]
    if len(answering) > 3:
        version.append(f"{len(answering) - 3} more models")
    prompted = judge.model is not None
    prompt = "\n\n".join(part for part in (judge.system_prompt, judge.template) if part)
    said = {
        "model": judge.model,
        "version": listed([part for part in version if part]),
        "prompt": described(prompt) if prompted else None,
        "rubric": _json(
            {
                "question": judge.text_of_question if prompted else None,
                "criteria": dict(judge.criteria),
                "options": list(judge.words),
                "descriptions": dict(judge.descriptions),
            }
        ),
        "parameters": _json(
            {
                **_without_keys(judge.sent_parameters if prompted else {}),
                "samples": judge.samples if judge.samples > 1 else None,
                "criteria_per_call": judge.criteria_per_call if judge.together else None,
                "explain": judge.explain or None,
                "structured": judge.structured,
                "orders": judge.orders if judge.built_in.pairs and judge.orders != "both" else None,
            }
        ),
        "parser": f"goldassay {PARSER}, refusals {judge.refusals}",
        "realization": judge.realization,
        "source": f"sha256:{judge.source}" if judge.source else _host(judge),
    }
    known = {name: value for name, value in said.items() if value}
    return Identity(known, dict.fromkeys(known, origin))


def stored_identities(path: str | Path) -> dict[str, Identity]:
    """Who the judges of a store are, by name, in the definitions that its ratings show."""
    found = {}
    uri = f"{Path(path).resolve().as_uri()}?mode=ro"  # who a judge is does not change the store
    with store_errors(path), closing(sqlite3.connect(uri, uri=True)) as connection:
        columns = [row[1] for row in connection.execute("PRAGMA table_info(judges)")]
        source_ = "source" if "source" in columns else "''"  # the first version had none
        rows = connection.execute(
            f"SELECT judge, name, definition, {source_} FROM judges WHERE current ORDER BY name"
        ).fetchall()
        for number, name, definition, source in rows:
            models = connection.execute(
                "SELECT DISTINCT model FROM calls WHERE model IS NOT NULL AND key IN"
                " (SELECT key FROM slots WHERE judge = ?) ORDER BY 1",
                [number],
            ).fetchall()
            judge = Declaration.from_definition({**json.loads(definition), "source": source})
            origin = Path(path).name
            found[str(name)] = identity_of(judge, [model for (model,) in models], origin=origin)
    return found


def _host(judge: Declaration) -> str | None:
    """Who serves a model: the protocol, and the host where it is not the usual one."""
    if judge.model is None:
        return None
    host = urlsplit(judge.base_url).hostname if judge.base_url else None
    return f"{judge.provider} at {host}" if host else judge.provider


def _without_keys(said: Any) -> Any:
    """Parameters without whatever is named like a key, or looks like one, at any depth."""
    if isinstance(said, Mapping):
        named = {k: _without_keys(v) for k, v in said.items() if not _SECRET.search(str(k))}
        return {name: value for name, value in named.items() if value is not None}
    if isinstance(said, list | tuple):
        return [_without_keys(one) for one in said]
    return None if isinstance(said, str) and looks_like_key(said) else said


def _json(said: Mapping[str, Any]) -> str | None:
    """What is said of several things, in one text; of a long one the digest."""
    known = {name: value for name, value in said.items() if value not in (None, "", [], {})}
    return described(json.dumps(known, sort_keys=True, ensure_ascii=False)) if known else None
