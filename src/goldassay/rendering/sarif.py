"""Gates as SARIF 2.1.0, which code scanning services read: one result for each that did not hold.

One that is not met is an error, one that is inconclusive a warning. What held is no alarm: it is
listed among the run's properties.

Reference: OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0, 2020.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any
from urllib.parse import quote

from goldassay.glossary import method_of, words
from goldassay.reference_words import renders
from goldassay.rendering.outcomes import account_of, gates_of, label_of, message_of, state_of

__all__ = ["render_sarif"]

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


@renders
def render_sarif(document: Mapping[str, Any]) -> str:
    """The gates of a document as one run of a tool, with a rule for each gate's result."""
    gates = gates_of(document, "SARIF")
    verb = str(document["verb"])
    names = list(dict.fromkeys(one["name"] for one in gates))
    made = document["provenance"]
    files = [one["name"] for one in made["inputs"]]
    driver = {
        "name": "goldassay",
        "semanticVersion": made["version"],
        "rules": [_rule(name, verb) for name in names],
    }
    run = {
        "tool": {"driver": driver},
        "results": [_result(one, names, files) for one in gates if not one["held"]],
        "columnKind": "unicodeCodePoints",
        "properties": {"held": [_message(_held(one)) for one in gates if one["held"]]},
    }
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    text = json.dumps(log, ensure_ascii=False, allow_nan=False, indent=1)
    return text.encode("utf-8", "backslashreplace").decode("utf-8") + "\n"


def _rule(name: str, verb: str) -> dict[str, Any]:
    known = method_of(name, verb)
    said = f"A gate on {words(name, verb)} must hold"
    whole = f"{said}: {known.meaning}" if known else said
    return {
        "id": f"goldassay/{name}",
        "shortDescription": {"text": _message(said)},
        "fullDescription": {"text": _message(whole)},
        "defaultConfiguration": {"level": "error"},
    }


def _result(
    outcome: Mapping[str, Any], names: Sequence[str], files: Sequence[str]
) -> dict[str, Any]:
    """A gate that did not hold; its place is the file that the result was made from."""
    file = outcome.get("file") or (files[0] if files else "ratings")
    place = {"artifactLocation": {"uri": quote(file)}, "region": {"startLine": 1}}
    broken = state_of(outcome) == "not met"
    same = sha256(label_of(outcome).encode("utf-8", "surrogatepass")).hexdigest()
    return {
        "ruleId": f"goldassay/{outcome['name']}",
        "ruleIndex": names.index(outcome["name"]),
        "level": "error" if broken else "warning",
        "kind": "fail",
        "message": {"text": _message(message_of(outcome))},
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {"gate/v1": same},
        "properties": {"state": state_of(outcome), "account": account_of(outcome)},
    }


def _held(outcome: Mapping[str, Any]) -> str:
    stands = outcome.get("stands_on")
    return f"{outcome['text']}; it stands {stands}" if stands else str(outcome["text"])


def _message(text: str) -> str:
    """Plain text for SARIF, in which braces name arguments and `[text](place)` is a link."""
    return text.replace("{", "{{").replace("}", "}}").replace("](", "] (")
