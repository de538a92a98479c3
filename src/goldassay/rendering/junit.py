"""Gates as JUnit XML, which CI services show beside the tests: one case for each result.

A gate that is not met is a failure, one that is inconclusive an error; nothing is skipped.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from goldassay.reference_words import renders
from goldassay.rendering.markup import Markup, el, joined
from goldassay.rendering.outcomes import account_of, gates_of, label_of, message_of, state_of
from goldassay.words import visible

__all__ = ["render_junit"]


@renders
def render_junit(document: Mapping[str, Any]) -> str:
    """The gates of a document as one test suite."""
    gates = gates_of(document, "JUnit XML")
    states = [state_of(one) for one in gates]
    name = f"goldassay.{document['verb']}"
    words: dict[str, str | int | bool | None] = {
        "name": name, "tests": len(gates), "failures": states.count("not met"),
        "errors": states.count("inconclusive"), "skipped": 0, "time": 0
    }  # fmt: skip
    suite = el("testsuite", words, [_case(one, name) for one in gates])
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{el("testsuites", words, suite)}\n'


def _case(outcome: Mapping[str, Any], suite: str) -> Markup:
    said, state = message_of(outcome), state_of(outcome)
    if state == "held":
        told = el("system-out", None, said)
    elif state == "not met":
        told = el("failure", {"message": outcome["text"], "type": "GateNotMet"}, said)
    else:
        told = el("error", {"message": outcome["text"], "type": "GateInconclusive"}, said)
    words = {"classname": suite, "name": label_of(outcome), "time": "0"}
    account = [
        el("property", {"name": key, "value": visible(_plain(value), 1000)})
        for key, value in account_of(outcome).items()
    ]
    kept = el("properties", None, account) if account else ""
    return joined("\n", el("testcase", words, [kept, told] if account else told))


def _plain(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
