"""The few numbers of a report that its first screen speaks of, found by name."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

__all__ = ["SURE", "Facts", "facts_of"]

Document = Mapping[str, Any]

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
        "detail",
    }
)
#: A judge is called the best when it is so with this probability.
SURE = 0.95


@dataclass(frozen=True)
class Facts:
    """What was found about the judge that the report speaks of, and beside it."""

    judge: str | None
    judges: tuple[str, ...]
    #: Judges that cannot be told from `judge` as the best; empty when it is the best for sure.
    rivals: tuple[str, ...]
    rows: Mapping[tuple[str, str | None, str], Document]
    parts: Mapping[str, Document]
    task: Document
    #: Whether judges could be compared at all, and by which number.
    chosen: bool = False
    criterion: str = ""
    by_option: Mapping[tuple[str, str], Document] = field(default_factory=dict)

    def row(self, verb: str, name: str, judge: str | None = None) -> Document | None:
        """The plain result of a name (no criterion, system or mode of its own), if defined."""
        return self.rows.get((verb, judge if judge is not None else None, name))

    def of_judge(self, verb: str, name: str) -> Document | None:
        return self.row(verb, name, self.judge) if self.judge else None

    def options(self, name: str) -> dict[str, Document]:
        """A result of the judge for each option of the task."""
        return {option: row for (known, option), row in self.by_option.items() if known == name}

    def about_judge(self, verb: str) -> str | None:
        """What a question says of the judge first; with one judge, what it says at all."""
        said = self._said(verb)
        mine = (one for one in said if self.judge and one.startswith(self.judge))
        return next(mine, None) or (self.answer(verb) if len(self.judges) <= 1 else None)

    def answer(self, verb: str, index: int = 0) -> str | None:
        said = self._said(verb)
        return said[index] if len(said) > index else None

    def _said(self, verb: str) -> list[str]:
        """The answer's sentences, with percents as the rest of the first screen writes them."""
        said = self.parts.get(verb, {}).get("answer", ())
        return [re.sub(r"(?<=\d)%", " %", str(one)) for one in said]


def facts_of(
    parts: Sequence[Document],
    results: Sequence[Document],
    task: Document,
    *,
    judges: Sequence[str] = (),
) -> Facts:
    """Index the plain results, and choose the judge to speak of: the best, or the only one.

    `judges` are the raters of the table that are judges; panels made of them are not spoken of.
    """
    rows: dict[tuple[str, str | None, str], Document] = {}
    for row in results:
        special = any(row[key] not in (None, "") for key in row if key not in _PLAIN)
        if special or row.get("value") is None or row.get("level") not in (None, "micro"):
            continue
        if judges and row.get("judge") not in (None, *judges):
            continue
        rows.setdefault((row.get("verb", ""), row.get("judge"), row["name"]), row)
    chances = {
        judge: row["value"]
        for (verb, judge, name), row in rows.items()
        if verb == "select" and name == "probability_best" and judge is not None
    }
    measured = [
        judge
        for (verb, judge, name) in rows
        if verb in ("agree", "estimate", "rank") and judge is not None
    ]
    known = tuple(chances) or tuple(dict.fromkeys(measured)) or tuple(judges)
    best = max(chances, key=lambda judge: chances[judge]) if chances else None
    if best is None and known:
        best = max(known, key=lambda judge: _quality(rows, judge))
    rivals: tuple[str, ...] = ()
    if best is not None and chances and chances[best] < SURE:
        others = sorted((j for j in chances if j != best), key=lambda judge: -chances[judge])
        rivals = tuple(judge for judge in others if chances[judge] > 1 - SURE) or tuple(others[:1])
    by_option = {
        (row["name"], str(row["option"])): row
        for row in results
        if row.get("option") not in (None, "")
        and row.get("judge") == best
        and row.get("verb") == "estimate"
        and row.get("value") is not None
        and not any(row.get(key) for key in ("system", "criterion", "split", "stratum"))
    }
    return Facts(
        best,
        known,
        rivals,
        rows,
        {part["verb"]: part for part in parts},
        task,
        chosen=bool(chances),
        criterion=_criterion(rows, best),
        by_option=by_option,
    )


def _criterion(rows: Mapping[tuple[str, str | None, str], Document], judge: str | None) -> str:
    row = rows.get(("select", judge, "probability_best")) or {}
    return str((row.get("declared") or {}).get("criterion") or "")


def _quality(rows: Mapping[tuple[str, str | None, str], Document], judge: str) -> float:
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
