"""Labels as people write them, matched to the declared ones; or refused, all at once.

A label is an option, a word of `abstain` or `invalid`, an alias of `[labels]`, one of these in
other case, space or Unicode form, a set of options, or (where the task says `reads`) a sentence
that names one. Whatever was matched is counted and said; the rest is an error that lists every
label, or invalid where the task says `undeclared = "invalid"`.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any

import narwhals as nw

from goldassay.errors import InputError, RatingsError, nearest, shown
from goldassay.frozen import dataclass
from goldassay.ratings.fetch import fetch
from goldassay.ratings.task import Task
from goldassay.ratings.vocabulary import folded, positive_of
from goldassay.sources.numbers import NUMBER
from goldassay.words import counted, listed, named

__all__ = ["Matched", "match_labels", "parse_response_set"]

#: Different labels that are looked at; more are no labels.
BOUND = 20_000
#: Labels that a message lists; where there are more, the commonest.
LISTED, SOME = 12, 5
_NUMBER = re.compile(NUMBER)
_DECIMAL_COMMA = re.compile(r"^\s*[+-]?\d+,\d+\s*$")


@dataclass
class Matched:
    """How labels that are not declared as they stand were read; rows of each."""

    #: Label in the file -> the declared label.
    written: dict[str, str] = field(default_factory=dict)
    #: Labels that name several options at once.
    sets: list[str] = field(default_factory=list)
    #: Labels that are invalid because the task says so of undeclared ones.
    invalid: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)


def match_labels(unknown: nw.LazyFrame[Any], task: Task, name: str, column: str) -> Matched:
    """Read every label of rows that hold no declared one.

    `column` is the file's own name of the column, for messages.
    """
    rows = fetch(
        unknown.group_by("value")
        .agg(rows=nw.len())
        .sort(["rows", "value"], descending=[True, False])
        .head(BOUND),
        place=name,
    )
    found = {str(v): int(n) for v, n in zip(rows["value"], rows["rows"], strict=True)}
    matched, ways, way_of = Matched(), Counter[str](), dict[str, str]()
    by_fold = {folded(one): one for one in (*task.invalid, *task.abstain, *task.options)}
    aliases = {folded(alias): label for alias, label in task.labels.items()}
    wrong: dict[str, int] = {}
    for label, n in found.items():
        meant, way = _meant(label, task, by_fold, aliases)
        if meant is not None:
            matched.written[label] = meant
            way_of[label] = way
            ways[way] += n
        elif way == "set":
            matched.sets.append(label)
        elif task.undeclared == "invalid" and len(found) < BOUND:
            matched.invalid.append(label)
            ways["invalid"] += n
        else:
            wrong[label] = n
    if wrong or len(found) == BOUND:
        where = _column_of(unknown, task, next(iter(wrong), ""), name) or column
        raise _undeclared(wrong, len(found) == BOUND, task, f"{name}, column {where}")
    matched.said = _told(ways, matched, found, way_of)
    return matched


def _column_of(unknown: nw.LazyFrame[Any], task: Task, label: str, name: str) -> str | None:
    """The file's own column that holds a label, where a column is a rater's."""
    if not task.cells and task.wide is None:
        return None
    said = unknown.filter(nw.col("value") == nw.lit(label)).select("rater").unique()
    raters = {str(one) for one in fetch(said.head(LISTED), place=name)["rater"]}
    named_ = [column for column, cell in task.cells.items() if cell.get("rater", column) in raters]
    named_ += [one for one in (task.wide.names if task.wide else ()) if one in raters]
    return " and ".join(sorted(dict.fromkeys(named_))[:3]) or None


def _meant(
    label: str, task: Task, by_fold: Mapping[str, str], aliases: Mapping[str, str]
) -> tuple[str | None, str]:
    """The declared label that is meant, and in which way; the way "set" is a set of options."""
    if label in task.labels:
        return task.labels[label], "alias"
    fold = folded(label)
    if task.scale == "continuous" and _NUMBER.match(fold):
        return fold, "number"
    if fold in by_fold:
        return by_fold[fold], "number" if _NUMBER.match(fold) else "form"
    if fold in aliases:
        return aliases[fold], "alias"
    if task.scale != "continuous" and parse_response_set(label, task) is not None:
        return None, "set"
    if task.reads is not None:
        read = _read(label, task, {**aliases, **by_fold})
        if read is not None:
            return read, "read"
    return None, ""


def _read(text: str, task: Task, known: Mapping[str, str]) -> str | None:
    """The one label that a sentence names, by the task's pattern or by the usual forms."""
    if task.reads != "verdict":
        match = re.search(task.reads or "", text)
        if match is None:
            return None
        inner = match.group(1) if match.groups() else match.group(0)
        if task.scale == "continuous" and inner and _NUMBER.match(inner):
            return inner.strip()
        return known.get(folded(inner or ""))
    return _verdict(text, task, known)


#: Where an answer states its verdict, the surest form first.
_STATED = (
    re.compile(r"\[\[\s*(.+?)\s*\]\]"),
    re.compile(
        r"(?:final\s+)?(?:verdict|answer|decision|rating|score|judg[e]?ment|label|conclusion|grade)"
        r"\W{0,6}(?:is\W{1,4}|:\W{0,4}|=\W{0,4})(?=(.{1,80}))",
        re.IGNORECASE,
    ),
)


def _verdict(text: str, task: Task, known: Mapping[str, str]) -> str | None:
    """What an answer says first or states as its verdict; two different ones are none."""
    whole = folded(text)
    for pattern in _STATED:
        named_ = {_leading(folded(found), task, known) for found in pattern.findall(text)} - {None}
        if len(named_) == 1:
            return named_.pop()
        if named_:
            return None
    return _leading(whole, task, known)


def _leading(text: str, task: Task, known: Mapping[str, str]) -> str | None:
    """The label with which a text begins, as a whole word; the longest."""
    text = text.lstrip("*_`\"'([{#> \n-")
    if task.scale == "continuous":
        match = re.match(r"[+-]?\d+(?:\.\d+)?", text)
        return match.group(0) if match else None
    for word in sorted(known, key=len, reverse=True):
        if text.startswith(word) and not re.match(r"\w", text[len(word) : len(word) + 1]):
            return known[word]
    return None


def parse_response_set(value: str, task: Task) -> tuple[str, ...] | None:
    """The options named by a value such as `A`, `A|C` or `["A", "C"]`; None when it names none.

    An option twice, an undeclared option or an empty set is None: never a guess.
    """
    text = value.strip()
    if text in task.options:
        return (text,)
    if text.startswith("["):
        try:
            parts = json.loads(text)
        except (ValueError, RecursionError):
            return None
        if not isinstance(parts, list):
            return None
        parts = [part if isinstance(part, str) else str(part) for part in parts]
    else:
        parts = [part.strip() for part in text.split(task.separator)] if task.separator else [text]
    if not parts or len(set(parts)) != len(parts) or not set(parts) <= set(task.options):
        return None
    return tuple(option for option in task.options if option in parts)


def _told(
    ways: Counter[str], matched: Matched, found: Mapping[str, int], way_of: Mapping[str, str]
) -> list[str]:
    """One sentence for each way in which labels were read."""
    said = []
    texts = {
        "form": "written otherwise (space, case or Unicode form)",
        "number": "written otherwise (the same number in another form)",
        "alias": "read as another ([labels])",
        "read": "read out of a sentence",
    }
    for way, text in texts.items():
        if ways[way]:
            examples = [
                f"{shown(label, 40)} as {named(meant)}"
                for label, meant in matched.written.items()
                if way_of[label] == way
            ][:3]
            shown_ = f": {listed(examples)}" if examples and way != "read" else ""
            said.append(f"{counted(ways[way], 'label')} {text}{shown_}.")
    if ways["invalid"]:
        worst = [f"{named(label)} ({found[label]:,})" for label in matched.invalid[:3]]
        said.append(
            f"{counted(ways['invalid'], 'undeclared label')} taken as invalid, as the task says: "
            f"{listed(worst)}."
        )
    return said


def _undeclared(wrong: Mapping[str, int], many: bool, task: Task, place: str) -> InputError:
    """Every label that is not declared, with its rows, and one way on."""
    declared = (*task.options, *task.abstain, *task.invalid)
    first = next(iter(wrong), "many different labels")
    most = LISTED if len(wrong) <= LISTED else SOME
    shown_ = ", ".join(
        f"{shown(v, 60)} in {counted(n, 'row')}" for v, n in list(wrong.items())[:most]
    )
    more = len(wrong) - most
    if more > 0 or many:
        shown_ += f" and {max(more, 0):,}{' or more' if many else ''} other labels"
    if task.scale == "continuous":
        rule, near = "must be a finite number", None
        step = f"give words their numbers: [labels] {_numbered(wrong)}"
        if positive_of(*map(folded, [*wrong, "", ""][:2])) is None:
            step = f"declare words that are no number: invalid = [{json.dumps(first[:30])}]; {step}"
        if _DECIMAL_COMMA.match(first):
            step = 'say that commas are decimal: [file] decimal = ","'
    elif (broken := _broken_set_rule(first, task)) is not None:
        return RatingsError(
            place,
            broken,
            found=shown_,
            next_step="Mend it, or declare the word under options, abstain or invalid",
        )
    else:
        rule = f"must be one of the declared labels {', '.join(declared[:20])}"
        near = nearest(first, declared)
        step = _way_on(first, wrong, task)
        if _NUMBER.match(first) and not any(_NUMBER.match(one) for one in task.options):
            near, step = None, 'scores are declared by scale = "continuous"'
            step += f", where words have numbers ([labels] {_numbered(task.options)})"
            step += "; one judge alone is read by --only rater=NAME"
            step += ', and scores beside verdicts have a column of their own, "score"'
    return RatingsError(
        place,
        rule,
        found=shown_,
        next_step=(f"Did you mean {near!r}? If not, " if near else "In the task file, ") + step,
    )


def _numbered(words: Iterable[str]) -> str:
    """Two words with numbers, as `[labels]` gives them: what is counted is 1, grades count up.

    >>> _numbered(["no", "yes"]), _numbered(["Poor", "Good"])
    ('"no" = "0", "yes" = "1"', '"Poor" = "1", "Good" = "2"')
    """
    two = list(words)[:2]
    yes = positive_of(*map(folded, two)) if len(two) == 2 else None
    numbers = [int(folded(one) == yes) for one in two] if yes else range(1, len(two) + 1)
    pairs = zip(two, numbers, strict=True)
    return ", ".join(f'{json.dumps(word[:30])} = "{at}"' for word, at in pairs)


def _way_on(first: str, wrong: Mapping[str, int], task: Task) -> str:
    if len(first) > 60 or len(wrong) > LISTED:
        return 'read the verdict out of sentences: reads = "verdict"'
    words = f"add it to options, abstain or invalid: {shown(first, 40)}"
    return f'{words}, or say what it means: [labels] {json.dumps(first)} = "{task.options[0]}"'


def _broken_set_rule(value: str, task: Task) -> str | None:
    """Which rule a value that looks like a response set breaks; None when it is one word."""
    text = value.strip()
    if not text.startswith("[") and task.separator not in text:
        return None
    parts = [
        part.strip(" []\"'") for part in text.replace(",", task.separator).split(task.separator)
    ]
    named_ = [part for part in parts if part]
    unknown = [part for part in named_ if part not in task.options]
    if not named_:
        return "a response set must hold at least one option"
    if unknown:
        return (
            f"a response set must hold declared options only ({', '.join(task.options)}), not "
            + (shown(unknown[0], 40))
        )
    two: Sequence[str] = task.options[:2]
    return "a response set must be written as " + task.separator.join(two) + ", each option once"
