"""Gates as GitHub annotations: `::error` lines that stand beside a run and its changed files.

A line of a job's log that begins with `::` is a command to the runner. What is printed around the
annotations may hold names from data, so it stands where the runner takes no commands, and names
inside an annotation are escaped as the runner reads them.

Reference: GitHub, "Workflow commands for GitHub Actions".
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from goldassay.reference_words import renders
from goldassay.rendering.outcomes import label_of, message_of, state_of
from goldassay.words import counted

__all__ = ["fenced", "render_annotations"]

_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})
#: GitHub shows so many annotations of a kind for one step, and no more.
MOST = 10


@renders
def render_annotations(document: Mapping[str, Any]) -> str:
    """An `::error` for each result that breaks a gate, a `::warning` for each that is inconclusive,
    and one `::notice` for what held."""
    gates = document.get("gates") or ()
    broken = [one for one in gates if state_of(one) == "not met"]
    unknown = [one for one in gates if state_of(one) == "inconclusive"]
    lines = [
        _command("error", f"{label_of(one)} does not hold", message_of(one), one.get("file"))
        for one in broken[:MOST]
    ]
    held = [one for one in gates if one["held"]]
    if len(broken) > MOST:
        more = f"{counted(len(broken) - MOST, 'more result')} break a gate; they are in the report"
        lines[-1:] = [_command("error", "more gates do not hold", more), lines[-1]]
    lines += [
        _command("warning", f"{label_of(one)} is inconclusive", message_of(one), one.get("file"))
        for one in unknown[:MOST]
    ]
    if held:
        stands = (f"; it stands {one['stands_on']}" if one.get("stands_on") else "" for one in held)
        texts = [one["text"] + more for one, more in zip(held, stands, strict=True)]
        said = "\n".join(texts[:MOST])
        lines.append(_command("notice", f"{counted(len(held), 'result')} held", said))
    return "".join(f"{line}\n" for line in lines)


def _command(kind: str, title: str, message: str, file: str | None = None) -> str:
    """One command: its properties and its message in the runner's escapes."""
    properties = {"title": f"goldassay: {title}", **({"file": file} if file else {})}
    written = ",".join(f"{key}={value.translate(_PROPERTY)}" for key, value in properties.items())
    # Old runners read a command behind these signs wherever they stand.
    return f"::{kind} {written}::{message.translate(_DATA)}".replace("##[", "## [")


def fenced(text: str) -> str:
    """Text in which the runner reads no command.

    Commands are stopped until a word comes that the text cannot hold: its own digest.

    >>> fenced("::error::a name\\n").splitlines()[1]
    '::error::a name'
    """
    word = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
    end = "" if text.endswith("\n") or not text else "\n"
    return f"::stop-commands::{word}\n{text}{end}::{word}::\n"
