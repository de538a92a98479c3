"""What a store holds, in numbers: ratings by status, the invalid rate, the effect of position."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import field
from pathlib import Path
from typing import Any

from goldassay.frozen import dataclass
from goldassay.inference.proportions import binomial_interval
from goldassay.judges.clients.registry import kind_of
from goldassay.judges.declaration import Declaration
from goldassay.results import Estimate, Result, Undefined
from goldassay.store import open_store, store_errors

__all__ = ["JudgeSummary", "rate", "rated_by", "summaries"]

STATUSES = ("rated", "abstained", "invalid", "failed")


@dataclass(frozen=True, slots=True)
class JudgeSummary:
    """The current definition of one judge: its ratings and what they took."""

    name: str
    realization: str
    endpoint: str
    statuses: dict[str, int]
    unanswered: int
    calls: int
    attempts: int
    tokens: int
    cost: float | None
    latency: float | None
    models: tuple[str, ...]
    reasons: dict[str, int] = field(default_factory=dict)
    #: Units judged in both orders: alike, for whichever came first, for whichever came second.
    positions: tuple[int, int, int] | None = None

    @property
    def ratings(self) -> int:
        return sum(self.statuses.values())

    @property
    def invalid_rate(self) -> Result:
        return rate("invalid_rate", self.statuses.get("invalid", 0), self.ratings)

    @property
    def position_flip_rate(self) -> Result | None:
        if self.positions is None:
            return None
        alike, first, second = self.positions
        return rate("position_flip_rate", first + second, alike + first + second)

    @property
    def first_shown_share(self) -> Result | None:
        """Of the units whose verdict changed with the order, how many favoured the first shown."""
        if self.positions is None:
            return None
        _, first, second = self.positions
        return rate("first_shown_share", first, first + second)


def rated_by(path: str | Path, judge: str) -> int:
    """How many verdicts of a judge a store holds."""
    connection = open_store(path)
    with store_errors(path):
        found = summaries(connection, [judge])
    connection.close()
    return sum(one.statuses.get("rated", 0) for one in found)


def rate(name: str, count: int, total: int, *, confidence_level: float = 0.95) -> Result:
    """A proportion with its interval, the items taken as independent."""
    if not total:
        return Undefined(name, "there is nothing to count", 0)
    interval = binomial_interval(count, total, confidence_level=confidence_level)
    return Estimate(name, count / total, interval, n_items=total, n_clusters=total)


def summaries(connection: sqlite3.Connection, names: Sequence[str] = ()) -> list[JudgeSummary]:
    """A summary of every current judge, or of those named."""
    judges = connection.execute(
        "SELECT judge, name, definition FROM judges WHERE current ORDER BY name"
    ).fetchall()
    return [
        _summary(connection, number, name, json.loads(definition))
        for number, name, definition in judges
        if not names or name in names
    ]


def _summary(
    connection: sqlite3.Connection, number: int, name: str, definition: dict[str, Any]
) -> JudgeSummary:
    judge = Declaration.from_definition(definition)
    statuses = dict.fromkeys(STATUSES, 0)
    unanswered = 0
    for status, count in connection.execute(
        "SELECT v.status, count(*) FROM slots AS s LEFT JOIN verdicts AS v"
        " ON v.key = s.key AND v.criterion = s.criterion WHERE s.judge = ? GROUP BY 1",
        [number],
    ):
        if status is None:
            unanswered = count
        else:
            statuses[status] = count
    calls, attempts, tokens, cost, unpriced, latency = connection.execute(
        "SELECT count(*), sum(attempt),"
        " sum(coalesce(prompt_tokens, 0) + coalesce(completion_tokens, 0)), sum(cost),"
        " sum(cost IS NULL AND failure IS NULL), avg(latency) FROM calls WHERE key IN"
        " (SELECT key FROM slots WHERE judge = ?)",
        [number],
    ).fetchone()
    models = connection.execute(
        "SELECT DISTINCT model FROM calls WHERE model IS NOT NULL AND key IN"
        " (SELECT key FROM slots WHERE judge = ?) ORDER BY 1 LIMIT 20",
        [number],
    ).fetchall()
    reasons = connection.execute(
        "SELECT v.reason, count(*) FROM slots AS s JOIN verdicts AS v"
        " ON v.key = s.key AND v.criterion = s.criterion"
        " WHERE s.judge = ? AND v.status IN ('invalid', 'failed') GROUP BY 1"
        " ORDER BY 2 DESC, 1 LIMIT 5",
        [number],
    ).fetchall()
    return JudgeSummary(
        name=name,
        realization=judge.realization,
        endpoint=kind_of(judge).address(judge),
        statuses=statuses,
        unanswered=unanswered,
        calls=calls,
        attempts=attempts or 0,
        tokens=tokens or 0,
        cost=None if unpriced else cost or 0.0,
        latency=latency,
        models=tuple(model for (model,) in models),
        reasons={str(reason): count for reason, count in reasons},
        positions=_positions(connection, number, judge),
    )


def _positions(
    connection: sqlite3.Connection, number: int, judge: Declaration
) -> tuple[int, int, int] | None:
    """How often a verdict changed with the order, and towards which place."""
    side = judge.built_in.side
    if side is None:
        return None
    rows = connection.execute(
        "SELECT v1.value, v2.value, count(*)"
        " FROM slots AS s1 JOIN slots AS s2 ON s1.\"order\" = 'system_first'"
        " AND s2.\"order\" = 'opponent_first' AND s1.judge = s2.judge AND s1.item = s2.item"
        " AND s1.criterion = s2.criterion AND s1.system = s2.system AND s1.opponent = s2.opponent"
        " AND s1.sample = s2.sample"
        " JOIN verdicts AS v1 ON v1.key = s1.key AND v1.criterion = s1.criterion"
        " JOIN verdicts AS v2 ON v2.key = s2.key AND v2.criterion = s2.criterion"
        " WHERE s1.judge = ? AND v1.status = 'rated' AND v2.status = 'rated' GROUP BY 1, 2",
        [number],
    ).fetchall()
    alike = first = second = 0
    for shown_first, shown_second, count in rows:
        change = side(judge.words, shown_first) - side(judge.words, shown_second)
        alike += count * (change == 0)
        first += count * (change > 0)
        second += count * (change < 0)
    return (alike, first, second) if rows else None
