"""What the first screen speaks of: results by name, and facts of sentences by their keys."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

__all__ = ["SURE", "Facts", "facts_of"]

Document = Mapping[str, Any]
Rows = Mapping[tuple[str, str | None, str], Document]

#: Keys of a row that do not make it special: whom it is about, and which question asked.
_PLAIN = frozenset(
    {
        "name",
        "judge",
        "level",
        "verb",
        "value",
        "low",
        "high",
        "confidence_level",
        "method",
        "n_items",
        "n_clusters",
        "declared",
        "assumptions",
        "warnings",
        "undefined",
        "aggregation",
        "estimator",
    }
)
#: A judge is called the best ranker when it is so in this share of the resamples.
SURE = 0.95


@dataclass(frozen=True)
class Facts:
    """What was found about the judge that the report speaks of, and beside it."""

    judge: str | None
    judges: tuple[str, ...]
    #: Judges that cannot be told from `judge` as the best, as `select` has it.
    rivals: tuple[str, ...]
    rows: Rows
    #: The sentences of each question, in its order.
    sentences: Mapping[str, Sequence[Document]]
    task: Document
    #: Whether judges could be compared at all, and by which number.
    chosen: bool = False
    criterion: str = ""
    by_option: Mapping[tuple[str, str], Document] = field(default_factory=dict)

    def row(self, verb: str, name: str, judge: str | None = None) -> Document | None:
        """The plain result of a name (no criterion, system or mode of its own), if defined."""
        return self.rows.get((verb, judge, name))

    def of_judge(self, verb: str, name: str) -> Document | None:
        return self.row(verb, name, self.judge) if self.judge else None

    def options(self, name: str) -> dict[str, Document]:
        """A result of the judge for each option of the task."""
        return {option: row for (known, option), row in self.by_option.items() if known == name}

    def sentence(self, key: str) -> Document | None:
        """The sentence of a kind that is about the judge, or about nobody in particular."""
        verb = key.partition(".")[0]
        wanted = [one for one in self.sentences.get(verb, ()) if one["key"] == key]
        return next((one for one in wanted if self._concerns(one)), None)

    def facts(self, key: str) -> Document:
        """The facts behind a sentence; nothing where it is not said."""
        found = self.sentence(key)
        return found["facts"] if found else {}

    def about_judge(self, verb: str) -> str | None:
        """What a question says of the judge first; with one judge, what it says at all."""
        said = self.sentences.get(verb, ())
        mine = next((one for one in said if one["about"].get("judge") == self.judge), None)
        if mine is None and len(self.judges) <= 1 and said:
            mine = said[0]
        return told(mine) if mine else None

    def every(self, verb: str) -> list[str]:
        """The question's sentences that say nothing of another judge."""
        return [told(one) for one in self.sentences.get(verb, ()) if self._concerns(one)]

    def _concerns(self, sentence: Document) -> bool:
        return sentence["about"].get("judge") in (None, self.judge)


def told(sentence: Document) -> str:
    """A sentence's text, with percents as the first screen writes them."""
    return re.sub(r"(?<=\d)%", " %", str(sentence["text"]))


def facts_of(
    parts: Sequence[Document],
    results: Sequence[Document],
    task: Document,
    *,
    judges: Sequence[str] = (),
) -> Facts:
    """Index the plain results and the sentences, and choose the judge to speak of.

    It is the one that `select` puts first, or else the one that agrees most. `judges` are the
    raters of the table that are judges; panels made of them are not spoken of.
    """
    rows = _plain_rows(results, judges)
    sentences = {str(part["verb"]): list(part.get("sentences", ())) for part in parts}
    chosen = _choice(sentences.get("select", ()))
    measured = [
        judge
        for (verb, judge, _) in rows
        if verb in ("agree", "select", "estimate", "rank") and judge is not None
    ]
    known = tuple(dict.fromkeys(measured)) or tuple(judges)
    best = chosen["about"]["judge"] if chosen else None
    if best is None and known:
        best = max(known, key=lambda judge: _quality(rows, judge))
    return Facts(
        best,
        known,
        _rivals(sentences.get("select", ())) if chosen else (),
        rows,
        sentences,
        task,
        chosen=chosen is not None,
        criterion=str(chosen["facts"].get("criterion") or "") if chosen else "",
        by_option=_by_option(results, best),
    )


def _plain_rows(results: Sequence[Document], judges: Sequence[str]) -> Rows:
    rows: dict[tuple[str, str | None, str], Document] = {}
    for row in results:
        special = any(row[key] not in (None, "") for key in row if key not in _PLAIN)
        if special or row.get("value") is None or row.get("level") not in (None, "micro"):
            continue
        if judges and row.get("judge") not in (None, *judges):
            continue
        rows.setdefault((row.get("verb", ""), row.get("judge"), row["name"]), row)
    return rows


def _choice(said: Sequence[Document]) -> Document | None:
    """The sentence on the best of several judges."""
    return next((one for one in said if one["key"] == "select.best"), None)


def _rivals(said: Sequence[Document]) -> tuple[str, ...]:
    """Everybody whom `select` cannot tell from the best."""
    return tuple(
        name
        for one in said
        if one["key"] == "select.told_apart"
        for name in one["facts"]["cannot_be_told_from"]
    )


def _by_option(results: Sequence[Document], judge: str | None) -> dict[tuple[str, str], Document]:
    """What `estimate` says of each option of several, for the judge."""
    return {
        (row["name"], str(row["option"])): row
        for row in results
        if row.get("option") not in (None, "")
        and row.get("judge") == judge
        and row.get("verb") == "estimate"
        and row.get("value") is not None
        and not any(row.get(key) for key in ("system", "criterion", "split", "stratum"))
    }


def _quality(rows: Rows, judge: str) -> float:
    for verb, name in (
        ("agree", "balanced_accuracy"),
        ("agree", "accuracy"),
        ("rank", "kendall_tau"),
        ("agree", "pearson"),
    ):
        row = rows.get((verb, judge, name))
        if row is not None:
            return float(row["value"])
    return float("-inf")
