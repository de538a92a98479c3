"""Gates as JUnit XML, which CI services show beside the tests: one case for each result.

A gate that is not met is a failure; nothing is skipped.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from goldassay.reference_words import renders
from goldassay.rendering.markup import Markup, el, joined
from goldassay.rendering.outcomes import gates_of, label_of, message_of

__all__ = ["render_junit"]


@renders
def render_junit(document: Mapping[str, Any]) -> str:
    """The gates of a document as one test suite."""
    gates = gates_of(document, "JUnit XML")
    broken = sum(not one["held"] for one in gates)
    name = f"goldassay.{document['verb']}"
    words: dict[str, str | int | bool | None] = {
        "name": name, "tests": len(gates), "failures": broken, "errors": 0, "skipped": 0, "time": 0
    }  # fmt: skip
    suite = el("testsuite", words, [_case(one, name) for one in gates])
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{el("testsuites", words, suite)}\n'


def _case(outcome: Mapping[str, Any], suite: str) -> Markup:
    said = message_of(outcome)
    failure = {"message": outcome["text"], "type": "GateNotMet"}
    told = el("system-out", None, said) if outcome["held"] else el("failure", failure, said)
    words = {"classname": suite, "name": label_of(outcome), "time": "0"}
    return joined("\n", el("testcase", words, told))
