"""Ratings from one or several logs put together: names, repeats, counts of what was read and left.

Ratings are streamed to a temporary file; only names and counts are kept in memory. When all logs
were read it is known whether a system answered an item several times: then every output is an item
of its own, `5#1`, `5#2`, with `prompt` 5, since each is rated for itself. It is also known whether
logs give one name to different questions: then what is asked is part of the name, `5@task`.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections import Counter
from collections.abc import Collection as Names
from collections.abc import Iterator, Mapping
from dataclasses import asdict, field, fields, replace
from pathlib import Path
from typing import Any

from goldassay.errors import UsageError, nearest
from goldassay.frozen import dataclass
from goldassay.sources.logs.parts import Judge, LeftOut, Note, Part, Rating, Text
from goldassay.words import described

__all__ = ["COLUMNS", "JUDGES", "TEXTS", "Choices", "Collected"]

#: Columns of the table, in order; those that no rating fills are not written.
COLUMNS = (
    "item",
    "rater",
    "kind",
    "value",
    "criterion",
    "system",
    "opponent",
    "prompt",
    "sample",
    "order",
    "elicitation",
    "score",
    "status",
    "reason",
    "rater_type",
    "time",
    "cost",
    "latency",
    "log",
    "raw",
)
REQUIRED = ("item", "rater", "kind", "value", "status")
TEXTS = ("item", "system", "opponent", "prompt", "input", "output", "output_b", "reference")
#: The judges table: who each judge is.
JUDGES = (
    "rater",
    "model",
    "version",
    "prompt",
    "rubric",
    "parameters",
    "parser",
    "realization",
    "source",
)
#: Columns that a tag may not take, since they mean something.
_TAKEN = {*COLUMNS, "cluster", "stratum", "split", "weight", "attempt", "asked"}
#: Tags that become columns, and values of one field of a judge that are listed.
MOST_TAGS, MOST_VALUES = 60, 3
#: Longer texts are cut, and counted; a longer label is no label; a longer name ends in a digest.
LONGEST_TEXT, LONGEST_LABEL, LONGEST_NAME = 100_000, 200, 200
#: Different labels that are remembered of a rater.
MANY = 5
#: What tells the ratings of one rater apart; a second one is a repeat.
_ONE = ("item", "asked", "attempt", "criterion", "system", "opponent", "rater", "kind", "order")


@dataclass(frozen=True)
class Choices:
    """What the user asked for: which criteria and raters, under which names, and who is who."""

    criteria: Mapping[str, str] = field(default_factory=dict)
    raters: Mapping[str, str] = field(default_factory=dict)
    people: Names[str] = ()
    #: Names where the log does not say.
    judge: str | None = None
    system: str | None = None


class Collected:
    """A context: `take` parts, then read `rows()` and `texts()`."""

    def __init__(self, choices: Choices | None = None) -> None:
        self.choices = choices or Choices()
        self.left_out: Counter[str] = Counter()
        self.notes: dict[str, None] = {}
        #: Ratings by (kind, rater, criterion, status), and some labels of each rater.
        self.counts: Counter[tuple[str, str, str, str]] = Counter()
        self.labels: dict[tuple[str, str], dict[str, None]] = {}
        self.used: set[str] = set(REQUIRED)
        self._text_used: set[str] = set()
        self.ratings = self.repeats = self.cut = 0
        #: Numbers of the outputs of each (item, asked, system, opponent); those that were rated.
        self._attempts: dict[tuple[str, ...], dict[str, int]] = {}
        self._outputs: set[tuple[str, ...]] = set()
        self._asked: dict[str, str] = {}
        self._ambiguous = False
        self._seen: Counter[bytes] = Counter()
        self._logs: dict[bytes, str | None] = {}
        self._named: dict[str, set[str]] = {"criterion": set(), "rater": set()}
        #: Tags by their names in lower case (the engine knows no other) -> their columns.
        self._tags: dict[str, str] = {}
        self._more_tags: set[str] = set()
        #: What is said of each judge, by field.
        self._judges: dict[str, dict[str, dict[str, None]]] = {}

    def __enter__(self) -> Collected:
        self._folder = tempfile.TemporaryDirectory(prefix="goldassay-import-")
        folder = Path(self._folder.name)
        self._ratings = (folder / "ratings.jsonl").open("w+", encoding="utf-8")
        self._texts = (folder / "texts.jsonl").open("w+", encoding="utf-8")
        return self

    def __exit__(self, *_: object) -> None:
        self._ratings.close()
        self._texts.close()
        self._folder.cleanup()

    def take(self, part: Part, log: str | None = None) -> None:
        """One part of a log; `log` names the log where there are several."""
        if isinstance(part, Rating):
            self._rating(part, log)
        elif isinstance(part, Text):
            chosen = replace(
                part,
                item=_name(part.item),
                opponent=_name(part.opponent),
                system=_name(part.system or self.choices.system),
            )
            row = {**_cells(chosen), "attempt": self._attempt(chosen)}
            row = {name: self._clean(cell) for name, cell in row.items() if cell is not None}
            self._text_used |= set(row)
            self._write(self._texts, row)
        elif isinstance(part, Judge):
            self._judge(part)
        elif isinstance(part, LeftOut):
            self.left_out[part.reason] += part.records
        elif isinstance(part, Note):
            self.notes[part.sentence] = None

    def _rating(self, rating: Rating, log: str | None) -> None:
        chosen = self._chosen(rating)
        if chosen is None:
            return
        if chosen.value is not None and len(chosen.value) > LONGEST_LABEL:
            chosen = replace(
                chosen,
                value=None,
                status="invalid",
                reason="the value is a long text, no label",
                raw=chosen.raw or chosen.value,
            )
        if chosen.status != "rated":
            chosen = replace(chosen, value=None, score=None)
        cells = {**_cells(chosen), "attempt": self._attempt(chosen)}
        told = self._tagged(cells.pop("tags"))
        if self._logs.setdefault(_digest(list(cells.values())), log) != log:
            self.left_out["a copy of a rating in another log"] += 1
            return
        key = _digest([cells[name] for name in _ONE])
        self._seen[key] += 1
        self.repeats += self._seen[key] > 1
        row = {**told, **cells, "sample": self._seen[key], "log": log}
        row = {name: self._clean(cell) for name, cell in row.items() if cell is not None}
        self.used |= set(row)
        self.ratings += 1
        criterion = row.get("criterion", "")
        self.counts[row["kind"], row["rater"], criterion, row["status"]] += 1
        self._outputs.add(_output(row))
        labels = self.labels.setdefault((row["rater"], criterion), {})
        if "value" in row and len(labels) < MANY:
            labels[row["value"]] = None
        self._write(self._ratings, row)

    def _tagged(self, tags: Mapping[str, str]) -> dict[str, str]:
        """Tags under the names of their columns."""
        found: dict[str, str] = {}
        for name, value in tags.items():
            lower = name.casefold()
            if lower not in self._tags:
                if len(self._tags) == MOST_TAGS:
                    self._more_tags.add(lower)
                    continue
                self._tags[lower] = self._clean(f"log_{name}" if lower in _TAKEN else name)
            found[self._tags[lower]] = value
        return found

    def _judge(self, judge: Judge) -> None:
        name = _name(self.choices.raters.get(judge.rater, judge.rater))
        said = self._judges.setdefault(name, {})
        for field_, value in asdict(judge).items():
            if field_ != "rater" and value:
                said.setdefault(field_, {})[described(self._clean(value))] = None

    def judges(self, source: str) -> Iterator[dict[str, str]]:
        """Who each judge with a rating is; `source` is the tool, where the log says no more."""
        raters = dict.fromkeys(rater for kind, rater, _, _ in self.counts if kind == "judge")
        for rater in raters:
            row = {"rater": rater}
            for name, values in {"source": {source: None}, **self._judges.get(rater, {})}.items():
                few = len(values) <= MOST_VALUES
                row[name] = " + ".join(values) if few else f"{len(values)} different ones"
            yield row

    def _chosen(self, rating: Rating) -> Rating | None:
        """The rating under the names that were asked for; None when it was not asked for."""
        choices = self.choices
        rater = rating.rater or choices.judge or "judge"
        criterion = rating.criterion or ""
        self._named["rater"].add(rater)
        self._named["criterion"].add(criterion)
        for asked, name in ((choices.criteria, criterion), (choices.raters, rater)):
            if asked and name not in asked:
                self.left_out["a criterion or rater that was not asked for"] += 1
                return None
        return replace(
            rating,
            rater=_name(choices.raters.get(rater, rater)),
            criterion=_name(choices.criteria.get(criterion, criterion)) or None,
            kind="human" if rater in choices.people else rating.kind,
            item=_name(rating.item),
            system=_name(rating.system or choices.system),
            opponent=_name(rating.opponent),
        )

    def _attempt(self, part: Rating | Text) -> int:
        """1 for the first output of a system for an item, 2 for the second ..."""
        self._ambiguous |= self._asked.setdefault(part.item, part.asked) != part.asked
        key = (part.item, part.asked, part.system or "", part.opponent or "")
        numbers = self._attempts.setdefault(key, {})
        return numbers.setdefault(part.attempt, len(numbers) + 1)

    def _clean(self, cell: Any) -> Any:
        """A cell that every format can hold: no NUL, no lone surrogate, bounded."""
        if not isinstance(cell, str):
            return cell
        if len(cell) > LONGEST_TEXT:
            self.cut += 1
            cell = f"{cell[:LONGEST_TEXT]}… ({len(cell):,} characters)"
        return cell.replace("\0", "\\0").encode("utf-8", "backslashreplace").decode("utf-8")

    @staticmethod
    def _write(stream: Any, row: Mapping[str, Any]) -> None:
        stream.write(json.dumps(row, ensure_ascii=False) + "\n")

    @property
    def several(self) -> bool:
        """Whether a system answered an item more than once."""
        return any(len(numbers) > 1 for numbers in self._attempts.values())

    @property
    def columns(self) -> tuple[str, ...]:
        used = self.used - {"sample", "prompt"} | ({"sample"} if self.repeats else set())
        used |= {"prompt"} if self.several or "prompt" in self.used else set()
        return (*(name for name in COLUMNS if name in used), *self._tags.values())

    @property
    def text_columns(self) -> tuple[str, ...]:
        used = self._text_used | ({"prompt"} if self.several else set())
        return tuple(name for name in TEXTS if name in used)

    @property
    def outputs(self) -> int:
        """How many outputs were rated."""
        return len(self._outputs)

    def sentences(self) -> Iterator[str]:
        """What a reader of the table must know."""
        if self.several:
            yield (
                "A system answered some items more than once: each output is an item of its own, "
                "as 5#1 and 5#2, and the column prompt holds what they answer."
            )
        if self._ambiguous:
            yield (
                "The logs give one name to different questions: what is asked is part of the "
                "items' names, after an @."
            )
        if self.repeats:
            yield (
                f"{self.repeats:,} ratings repeat one of the same rater for the same output: "
                "the column sample numbers them."
            )
        if self._more_tags:
            yield (
                f"The logs hold more than {MOST_TAGS} tags: {len(self._more_tags)} further ones "
                "are no columns."
            )
        if self.cut:
            yield f"{self.cut:,} texts are cut at {LONGEST_TEXT:,} characters."
        yield from self.notes

    def check_names(self) -> None:
        """Refuse a criterion or rater that was asked for and is not there."""
        asked = (
            ("--criterion", self.choices.criteria, "criterion"),
            ("--rater", self.choices.raters, "rater"),
            ("--human", self.choices.people, "rater"),
        )
        for option, names, kind in asked:
            for name in names:
                if name not in self._named[kind]:
                    there = sorted(one or "(none)" for one in self._named[kind])
                    near = nearest(name, there)
                    raise UsageError(
                        f"{option} {name}",
                        f"no rating has this {kind}",
                        next_step=f"Did you mean {near!r}?"
                        if near
                        else f"There are: {', '.join(there[:20])}",
                    )

    def rows(self) -> Iterator[dict[str, Any]]:
        """The ratings in the order of the logs, each with every written column."""
        columns = self.columns
        for row in self._read(self._ratings):
            yield {name: row.get(name) for name in columns}

    def texts(self) -> Iterator[dict[str, Any]]:
        """The texts that were rated, one row for each item and system."""
        left = set(self._outputs)
        for row in self._read(self._texts, left):
            yield {name: row[name] for name in TEXTS if name in row}

    def _read(
        self, stream: Any, once: set[tuple[str, ...]] | None = None
    ) -> Iterator[dict[str, Any]]:
        """Rows with their final names; with `once`, the first of each of these outputs."""
        several = self.several
        stream.flush()
        stream.seek(0)
        for line in stream:
            row = json.loads(line)
            if once is not None and (output := _output(row)) not in once:
                continue
            if once is not None:
                once.remove(output)
            attempt, asked = row.pop("attempt"), row.pop("asked")
            if self._ambiguous and asked:
                row["item"] = f"{row['item']}@{asked}"
            if several:
                row["prompt"] = row.get("prompt") or row["item"]
                row["item"] = f"{row['item']}#{attempt}"
            yield row


def _output(row: Mapping[str, Any]) -> tuple[str, ...]:
    names = ("item", "asked", "system", "opponent", "attempt")
    return tuple(str(row.get(name) or "") for name in names)


def _name(text: str | None) -> Any:
    """A name of bounded length; of a longer one the end is a digest, so that names stay apart."""
    if text is None or len(text) <= LONGEST_NAME:
        return text
    return f"{text[: LONGEST_NAME - 16]}… {_digest([text])[:6].hex()}"


def _cells(part: Rating | Text) -> dict[str, Any]:
    """The fields of a part by their names, not copied as `asdict` would."""
    return {one.name: getattr(part, one.name) for one in fields(part)}


def _digest(cells: list[Any]) -> bytes:
    text = json.dumps(cells).encode()  # escapes what is not ASCII, lone surrogates too
    return hashlib.blake2b(text, digest_size=16).digest()
