"""Gates: a result held against a number, as `cohen_kappa.low >= 0.6[judge=gpt]`.

Every result that a gate concerns has an outcome: whether it held, what was found, and a sentence of
the findings about it. Whoever shows gates (a message, an annotation, JUnit, SARIF, a test's
failure) shows outcomes.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Mapping, Sequence
from typing import Any

from goldassay.errors import GateNotMet, UsageError, nearest, shown
from goldassay.frozen import dataclass
from goldassay.glossary import words
from goldassay.words import counted, result_text, visible

__all__ = ["Gate", "Outcome", "guessed_task", "hold", "outcomes", "read_gate"]

_SIGNS = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "==": operator.eq,
}
_ABOUT = r"\[\s*(\w+)\s*=([^\]]*)\]\s*"
_GATE = re.compile(
    r"\s*(\w+)(?:\.(value|low|high))?\s*(?:(>=|<=|==|>|<)\s*([-+.\deE]+)\s*)?"
    rf"((?:{_ABOUT})*)"
)
#: What a result's row holds beside what it is about.
_NUMBERS = frozenset(
    {
        "name", "value", "low", "high", "confidence_level", "method", "n_items", "n_clusters",
        "declared", "assumptions", "warnings", "undefined", "verb",
    }
)  # fmt: skip


#: Results that are 1 where what they say is shown, and gates by their name alone.
CLAIMS = frozenset({"unchanged"})


@dataclass(frozen=True, slots=True)
class Gate:
    """What must hold of every result with this name (and, where said, about this judge ...)."""

    text: str
    name: str
    end: str
    sign: str
    bound: float
    about: tuple[tuple[str, str], ...] = ()

    def concerned(self, results: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
        """The results that must meet it; a gate that concerns none is a mistake.

        Where a report has the name in several questions, those of the first that has it, unless
        the gate says which: `cohen_kappa >= 0.6[verb=audit]`.
        """
        named = [row for row in results if row["name"] == self.name]
        names = sorted({row["name"] for row in results})
        if not named:
            near = nearest(self.name, names)
            raise UsageError(
                f"--require {self.text}",
                "no result has this name",
                next_step=f"Did you mean {near!r}?" if near else f"The names: {', '.join(names)}",
            )
        first = named[0].get("verb")
        told = any(key == "verb" for key, _ in self.about)
        rows = named if told else [row for row in named if row.get("verb") == first]
        for key, label in self.about:
            labels = sorted({str(row[key]) for row in rows if row.get(key) is not None})
            rows = [row for row in rows if row.get(key) == label]
            if not rows:
                one_of = f"One of: {', '.join(map(shown, labels[:8]))}" if labels else None
                raise UsageError(
                    f"--require {self.text}",
                    f"no {self.name} is about this {visible(key)}",
                    found=shown(label),
                    next_step=one_of or f"No {self.name} has a {visible(key)}: leave it out",
                )
        return rows

    def holds(self, row: Mapping[str, Any]) -> bool:
        """Whether a result meets it; an undefined one does not."""
        value = row[self.end]
        return value is not None and bool(_SIGNS[self.sign](value, self.bound))


@dataclass(frozen=True, slots=True)
class Outcome:
    """A gate and one result that it concerns."""

    gate: Gate
    held: bool
    #: The result as a document has it.
    row: Mapping[str, Any]
    #: What the findings say about it; "" where they say nothing.
    sentence: str = ""

    @property
    def about(self) -> dict[str, str]:
        """Whom the result is about: judge, criterion, level ..."""
        return {
            key: str(value)
            for key, value in self.row.items()
            if key not in _NUMBERS and value is not None
        }

    @property
    def found(self) -> str:
        """What was held against the bound, with the digits that tell the two apart."""
        value = self.row[self.gate.end]
        return "undefined" if value is None else _told_from(value, self.gate.bound)

    @property
    def finding(self) -> str:
        """The result whole: its name, value, interval and numbers, or why it is undefined."""
        row, verb = self.row, self.row.get("verb") or ""
        name = words(row["name"], verb)
        items = counted(row["n_items"] or 0, "item")
        if row["value"] is None:
            return f"{name} is undefined: {visible(row['undefined'])} ({items})"
        ends = (row["low"], row["high"])
        known = ends if row["method"] else None
        said = result_text(row["name"], row["value"], known, verb)
        clusters = row["n_clusters"]
        whole = clusters in (None, 0, row["n_items"])
        within = "" if whole else f" in {counted(clusters, 'cluster')}"
        return f"{name} {said}, {items}{within}"

    @property
    def text(self) -> str:
        """One line: the gate, whether it held, of whom, and the finding."""
        about = ", ".join(visible(label, 120) for label in self.about.values())
        verb = "holds" if self.held else "does not hold"
        whom = f" for {about}" if about else ""
        return f"{self.gate.text} {verb}: {self.found}{whom} ({self.finding})"

    def to_json(self) -> dict[str, Any]:
        """As a document holds it."""
        return {
            "gate": self.gate.text,
            "name": self.gate.name,
            "held": self.held,
            "about": self.about,
            "found": self.row[self.gate.end],
            "finding": self.finding,
            "text": self.text,
            "sentence": self.sentence,
        }


def read_gate(text: str) -> Gate:
    """A gate from its text. A claim alone (`CLAIMS`) asks that it is shown.

    >>> read_gate("accuracy.low>0.8[judge=gpt]")
    Gate(text='accuracy.low>0.8[judge=gpt]', name='accuracy', end='low', sign='>', bound=0.8, \
about=(('judge', 'gpt'),))
    >>> read_gate("unchanged").bound
    1.0
    """
    match = _GATE.fullmatch(text)
    try:
        if match is None or (match[2] and not match[3]):
            raise ValueError
        if match[3] is None and match[1] not in CLAIMS:
            raise ValueError
        about = tuple((key, label) for key, label in re.findall(_ABOUT, match[5]))
        sign, bound = match[3] or "==", float(match[4] or 1)
        return Gate(text.strip(), match[1], match[2] or "value", sign, bound, about)
    except ValueError:
        raise UsageError(
            "--require",
            "a gate is NAME>=NUMBER, NAME.low>NUMBER or NAME>=NUMBER[judge=NAME]",
            found=shown(text),
        ) from None


def outcomes(
    gates: Sequence[str],
    results: Sequence[Mapping[str, Any]],
    sentences: Sequence[Mapping[str, Any]] = (),
) -> tuple[Outcome, ...]:
    """What comes of every gate for every result that it concerns.

    `results` and `sentences` are as a document has them.
    """
    return tuple(
        Outcome(gate, gate.holds(row), row, _said_of(row, sentences))
        for gate in map(read_gate, gates)
        for row in gate.concerned(results)
    )


def guessed_task(guess: str) -> UsageError:
    """No gate rests on a guess: what the numbers mean must be declared first."""
    return UsageError(
        "--require",
        "must rest on a declared task; this one was guessed",
        found=shown(guess, 120),
        next_step="Write the draft with --write-task task.toml, read it, give it by --task",
    )


def hold(found: Sequence[Outcome]) -> None:
    """Raise `GateNotMet` with every line in which a gate is broken."""
    lines = [one.text for one in found if not one.held]
    if lines:
        raise GateNotMet("; ".join(lines))


def _said_of(row: Mapping[str, Any], sentences: Sequence[Mapping[str, Any]]) -> str:
    """The sentence about this very result; else the first about the same judge or system."""
    fitting = [
        one
        for one in sentences
        if one["about"] and all(row.get(key) == label for key, label in one["about"].items())
    ]
    exact = [one for one in fitting if _tells(one["facts"], row) or _names(one, row)]
    return str(next(iter(exact or fitting), {"text": ""})["text"])


def _names(sentence: Mapping[str, Any], row: Mapping[str, Any]) -> bool:
    """Whether a sentence is of the result's own kind: `passport.standing` of `passport_fresh`."""
    subject = str(sentence.get("key") or "").partition(".")[0]
    return bool(subject) and row["name"].startswith(f"{subject}_")


def _tells(facts: Mapping[str, Any], row: Mapping[str, Any]) -> bool:
    """Whether a sentence's facts have this result's number under its name."""
    named = facts.get("value") if facts.get("name") == row["name"] else facts.get(row["name"])
    return named is not None and named == row["value"]


def _told_from(value: float, bound: float) -> str:
    """A number with four digits, or as many more as tell it from the bound.

    >>> _told_from(0.896217, 0.9), _told_from(0.79999, 0.8), _told_from(0.8, 0.8)
    ('0.8962', '0.79999', '0.8')
    """
    texts = [f"{value:.{digits}g}" for digits in range(4, 18)]
    apart = (text for text in texts if (float(text) == bound) == (value == bound))
    return next(apart, texts[-1])
