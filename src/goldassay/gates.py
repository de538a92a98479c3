"""Gates: a result held against a number, as `cohen_kappa.low >= 0.6[judge=gpt]`.

Every result that a gate concerns has an outcome: whether it held, was not met, or cannot be told
(inconclusive), why, what was found, on what it stands, and a sentence of the findings about it.
Whoever shows gates (a message, an annotation, JUnit, SARIF, a test's failure) shows outcomes.

The rule of the three states: a gate is held where it holds whatever the missing verdicts had been,
not met where it fails whatever they had been, and inconclusive else. Of several gates one that is
not met beats one that is inconclusive, and that beats those that held.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any, Literal, Protocol

from goldassay.errors import GateInconclusive, GateNotMet, UsageError, nearest, shown
from goldassay.frozen import dataclass
from goldassay.glossary import is_points, is_rate, words
from goldassay.words import counted, listed, percent, result_text, visible

__all__ = [
    "STATES",
    "Gate",
    "Ground",
    "Outcome",
    "Reason",
    "State",
    "account_text",
    "guessed_task",
    "hold",
    "outcomes",
    "read_gate",
]

State = Literal["held", "not met", "inconclusive"]
#: What each state is in a sentence.
STATES: Mapping[State, str] = {
    "held": "holds",
    "not met": "does not hold",
    "inconclusive": "is inconclusive",
}
Record = Mapping[str, Any]

_SIGNS = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "==": operator.eq,
}
_ABOUT = r"\[\s*(\w+)\s*=([^\]]*)\]\s*"
_GATE = re.compile(
    r"\s*(\w+)(?:\.(value|low|high))?\s*(?:(>=|<=|==|>|<)\s*([-+.\deE]+)\s*(%?)\s*)?"
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
#: Coefficients that are no shares and lie between -1 and 1.
COEFFICIENTS = frozenset(
    {
        "cohen_kappa", "weighted_kappa", "scott_pi", "phi", "mcc", "gwet_ac1", "youden_j",
        "pearson", "spearman", "kendall_tau", "concordance",
    }
)  # fmt: skip


class Ground(Protocol):
    """What results stand on, and what they would be had no verdict been missing."""

    def account(self, row: Record) -> Record:
        """How many items, verdicts and judges a result stands on, by name; {} where unknown."""
        ...

    def under_missing(self, row: Record, end: str) -> Sequence[Record] | None:
        """The result with the missing verdicts as they move the end most, down and up; nothing
        where none is missing, None where no bound of it is known."""
        ...


@dataclass(frozen=True, slots=True)
class Gate:
    """What must hold of every result with this name (and, where said, about this judge ...)."""

    text: str
    name: str
    end: str
    sign: str
    bound: float
    about: tuple[tuple[str, str], ...] = ()
    #: Whether the bound was written as a percentage.
    percent: bool = False

    def concerned(self, results: Sequence[Record]) -> list[Record]:
        """The results that must meet it; a gate that concerns none is a mistake.

        Where a report has the name in several questions, those of the first that has it, unless
        the gate says which: `cohen_kappa >= 0.6[verb=audit]`; and of the handlings of abstentions
        the declared one, unless it says another: `[mode=class]`.
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
        told = {key for key, _ in self.about}
        rows = named if "verb" in told else [row for row in named if row.get("verb") == first]
        plain = [row for row in rows if row.get("mode") is None]
        rows = rows if "mode" in told else plain or rows
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
        self.check(str(first or ""))
        return rows

    def check(self, verb: str = "") -> None:
        """Refuse a bound in the wrong unit, and one that nothing or everything meets."""
        place, ends = f"--require {self.text}", _ends(self.name, verb)
        if self.percent and not (is_rate(self.name, verb) or is_points(self.name, verb)):
            raise UsageError(
                place,
                f"{words(self.name, verb)} is no share",
                found=f"{100 * self.bound:g} %",
                next_step=f"Write it as a number: {self.name}{self.sign}{self.bound:g}",
            )
        if ends is None or (self.sign == "==" and ends[0] <= self.bound <= ends[1]):
            return
        if ends[0] <= self.bound <= ends[1]:
            holds = {_SIGNS[self.sign](end, self.bound) for end in ends}
            if len(holds) == 2:
                return
            never = holds == {False}
            raise UsageError(
                place,
                f"must be able to hold and to fail; it {'never holds' if never else 'cannot fail'}:"
                f" {words(self.name, verb)} lies between {ends[0]:g} and {ends[1]:g}",
            )
        step = None
        if is_rate(self.name, verb) and 1 < self.bound <= 100:
            step = f"Write {self.bound:g} % or {self.bound / 100:g}"
        raise UsageError(
            place,
            f"{words(self.name, verb)} lies between {ends[0]:g} and {ends[1]:g}; a gate must be "
            "able to hold and to fail",
            found=f"{self.bound:g}",
            next_step=step,
        )

    def holds(self, row: Record) -> bool:
        """Whether a result meets it; an undefined one does not."""
        value = row[self.end]
        return value is not None and bool(_SIGNS[self.sign](value, self.bound))


def _ends(name: str, verb: str) -> tuple[float, float] | None:
    """Between what a result lies; None where that is not known by its name."""
    if name in COEFFICIENTS:
        return (-1.0, 1.0)
    if is_points(name, verb):
        return (-1.0, 1.0)
    return (0.0, 1.0) if is_rate(name, verb) else None


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a gate is inconclusive: `missing` verdicts could turn it."""

    kind: Literal["missing", "refuted", "suspicious"]
    text: str

    def to_json(self) -> dict[str, str]:
        return {"kind": self.kind, "text": self.text}


@dataclass(frozen=True, slots=True)
class Outcome:
    """A gate and one result that it concerns."""

    gate: Gate
    state: State
    #: The result as a document has it.
    row: Record
    #: What the findings say about it; "" where they say nothing.
    sentence: str = ""
    #: Why it is inconclusive.
    reasons: tuple[Reason, ...] = ()
    #: What it stands on: labelled, asked, judged, failed, absent, ...
    account: Record = field(default_factory=dict)

    @property
    def held(self) -> bool:
        return self.state == "held"

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
    def stands_on(self) -> str:
        """What it stands on, in words; "" where that is not known."""
        return account_text(self.account)

    @property
    def text(self) -> str:
        """One line: the gate, what came of it, of whom, why, and the finding."""
        about = ", ".join(visible(label, 120) for label in self.about.values())
        whom = f" for {about}" if about else ""
        why = "".join(f"; {one.text}" for one in self.reasons)
        return f"{self.gate.text} {STATES[self.state]}: {self.found}{whom} ({self.finding}){why}"

    def to_json(self) -> dict[str, Any]:
        """As a document holds it."""
        return {
            "gate": self.gate.text,
            "name": self.gate.name,
            "state": self.state,
            "held": self.held,
            "about": self.about,
            "found": self.row[self.gate.end],
            "finding": self.finding,
            "text": self.text,
            "sentence": self.sentence,
            "reasons": [one.to_json() for one in self.reasons],
            "account": dict(self.account),
            "stands_on": self.stands_on,
        }


def account_text(account: Record) -> str:
    """What a result stands on, in words.

    >>> account_text({"labelled": 300, "asked": 300, "judged": 150, "absent": 150, "judges": 1})
    'on 150 of 300 labelled items (150 without a row)'
    """
    if "judged" not in account:
        return ""
    asked, labelled, judged = (account.get(k, 0) for k in ("asked", "labelled", "judged"))
    if labelled:
        said = f"on {judged:,} of {counted(labelled, 'labelled item')}"
        more = [f"asked about {asked:,}"] if asked != labelled else []
    else:
        said, more = f"on {judged:,} of {counted(asked, 'item')}, none labelled", []
    kinds = {"abstained": "abstained", "invalid": "invalid", "failed": "failed"}
    kinds |= {"absent": "without a row"}
    more += [f"{account[key]:,} {word}" for key, word in kinds.items() if account.get(key)]
    said += f" ({', '.join(more)})" if more else ""
    parts = [said]
    if (effective := account.get("effective_items")) is not None:
        parts.append(f"{effective:.0f} by weight")
    if same := account.get("identical"):
        parts.append(f"the same verdicts as {listed([visible(one, 60) for one in same])}")
    if account.get("judges", 1) > 1:
        parts.append(f"one of {account['judges']:,} judges")
    if level := account.get("confidence_level"):
        parts.append(f"{percent(level)} level")
    if rows := account.get("slice"):
        parts.append(f"slice: {', '.join(visible(one, 60) for one in rows)}")
    return "; ".join(parts)


def read_gate(text: str) -> Gate:
    """A gate from its text. A claim alone (`CLAIMS`) asks that it is shown.

    >>> read_gate("accuracy.low>0.8[judge=gpt]")
    Gate(text='accuracy.low>0.8[judge=gpt]', name='accuracy', end='low', sign='>', bound=0.8, \
about=(('judge', 'gpt'),), percent=False)
    >>> read_gate("accuracy >= 80 %").bound, read_gate("unchanged").bound
    (0.8, 1.0)
    """
    match = _GATE.fullmatch(text)
    try:
        if match is None or (match[2] and not match[3]):
            raise ValueError
        if match[3] is None and match[1] not in CLAIMS:
            raise ValueError
        about = tuple((key, label) for key, label in re.findall(_ABOUT, match[6]))
        sign, bound, share = match[3] or "==", float(match[4] or 1), bool(match[5])
        bound = float(f"{bound / 100:.15g}") if share else bound
        return Gate(text.strip(), match[1], match[2] or "value", sign, bound, about, share)
    except ValueError:
        raise UsageError(
            "--require",
            "a gate is NAME>=NUMBER, NAME.low>NUMBER or NAME>=NUMBER[judge=NAME]",
            found=shown(text),
        ) from None


def outcomes(
    gates: Sequence[str],
    results: Sequence[Record],
    sentences: Sequence[Record] = (),
    ground: Ground | None = None,
) -> tuple[Outcome, ...]:
    """What comes of every gate for every result that it concerns.

    `results` and `sentences` are as a document has them; `ground` is what the results stand on.
    """
    return tuple(
        _outcome(gate, row, _said_of(row, sentences), ground)
        for gate in map(read_gate, gates)
        for row in gate.concerned(results)
    )


def _outcome(gate: Gate, row: Record, sentence: str, ground: Ground | None) -> Outcome:
    """The rule of the three states."""
    account = {} if ground is None else ground.account(row)
    moved = () if ground is None else ground.under_missing(row, gate.end)
    if moved is None:
        why = "verdicts are missing, and no bound of it is known under what they might have been"
        return Outcome(gate, "inconclusive", row, sentence, (Reason("missing", why),), account)
    held = {gate.holds(one) for one in moved or (row,)}
    if len(held) == 1:
        state: State = "held" if held == {True} else "not met"
        return Outcome(gate, state, row, sentence, (), account)
    ends = ["undefined" if one[gate.end] is None else f"{one[gate.end]:.4g}" for one in moved]
    why = f"with the missing verdicts it lies between {ends[0]} and {ends[-1]}"
    return Outcome(gate, "inconclusive", row, sentence, (Reason("missing", why),), account)


def guessed_task(guess: str) -> UsageError:
    """No gate rests on a guess: what the numbers mean must be declared first."""
    return UsageError(
        "--require",
        "must rest on a declared task; this one was guessed",
        found=shown(guess, 120),
        next_step="Write the draft with --write-task task.toml, read it, give it by --task",
    )


def hold(found: Sequence[Outcome]) -> None:
    """Raise `GateNotMet` or `GateInconclusive` with every line in which a gate did not hold."""
    broken = [one for one in found if one.state == "not met"]
    unknown = [one for one in found if one.state == "inconclusive"]
    if broken or unknown:
        said = "; ".join(
            f"{one.text}{f' ({one.stands_on})' if one.stands_on else ''}"
            for one in (*broken, *unknown)
        )
        raise GateNotMet(said) if broken else GateInconclusive(said)


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
