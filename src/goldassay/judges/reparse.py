"""Read stored responses again with the present parser, without a call."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from goldassay.errors import UsageError, nearest
from goldassay.frozen import dataclass
from goldassay.judges.answers import read_response
from goldassay.judges.declaration import Declaration
from goldassay.judges.journal import write_verdicts
from goldassay.judges.responses import FailureError
from goldassay.judges.verdicts import Format, Verdict
from goldassay.store import open_store, store_errors, transaction

__all__ = ["Reparsed", "reparse"]

_CHUNK = 1000


@dataclass(frozen=True, slots=True)
class Reparsed:
    """How many verdicts were read, and which changed: (judge, before, after) -> number."""

    read: int
    changes: Counter[tuple[str, str, str]]


def reparse(path: str | Path, *, judge: str | None = None, dry_run: bool = False) -> Reparsed:
    """Apply the present parser to every stored response, a thousand at a time."""
    connection = open_store(path)
    changes: Counter[tuple[str, str, str]] = Counter()
    read = 0
    with store_errors(path):
        rows = connection.execute("SELECT judge, name, definition FROM judges").fetchall()
        judges = {
            number: (name, Declaration.from_definition(json.loads(text)))
            for number, name, text in rows
        }
        names = {name for name, _ in judges.values()}
        if judge is not None and judge not in names:
            near = nearest(judge, names)
            raise UsageError(
                "--judge",
                f"{judge!r} is not a judge of this store",
                next_step=f"Did you mean {near!r}?" if near else f"They are: {', '.join(names)}",
            )
        last = 0
        while chunk := connection.execute(
            "SELECT call, key, judge, form, response, quoted FROM calls"
            " WHERE call > ? AND response IS NOT NULL ORDER BY call LIMIT ?",
            [last, _CHUNK],
        ).fetchall():
            last = chunk[-1][0]
            with transaction(connection):
                for _, key, number, form, response, quoted in chunk:
                    name, asked = judges[number]
                    if judge is not None and name != judge:
                        continue
                    spans = tuple((a, b) for a, b in json.loads(quoted)) if quoted else ()
                    try:
                        new = read_response(asked, Format.from_json(form), response, spans)
                    except FailureError as failure:
                        new = dict.fromkeys(
                            Format.from_json(form).criteria, Verdict("failed", reason=str(failure))
                        )
                    old = {
                        criterion: Verdict(status, value, score, reason)
                        for criterion, status, value, score, reason in connection.execute(
                            "SELECT criterion, status, value, score, reason FROM verdicts"
                            " WHERE key = ?",
                            [key],
                        )
                    }
                    read += len(new)
                    for criterion, verdict in new.items():
                        before = old.get(criterion)
                        if before is None or _shown(before) != _shown(verdict):
                            change = (name, _shown(before), _shown(verdict))
                            changes[change] += 1
                    if not dry_run:
                        write_verdicts(connection, key, new)
    connection.close()
    return Reparsed(read, changes)


def _shown(verdict: Verdict | None) -> str:
    if verdict is None:
        return "none"
    return f"rated {verdict.value}" if verdict.status == "rated" else verdict.status
