"""What `run` and `runs` tell: plain sentences, rates with intervals, and tables."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from pathlib import Path

from goldassay.judges.cost import Estimated
from goldassay.judges.run import Outcome
from goldassay.judges.summary import STATUSES, JudgeSummary, summaries
from goldassay.results import Estimate, Gathered, Result, Table
from goldassay.store import open_store, store_errors
from goldassay.words import counted, duration, figure, listed, money, named

__all__ = ["estimated", "of_run", "of_store"]

_STOPS = {
    "budget": "Stopped by the budget",
    "time": "Stopped by the time limit after the calls in flight",
    "interrupted": "Stopped by Ctrl-C after the calls in flight",
    "submitted": "The batch is at the provider",
}


def of_run(outcome: Outcome, path: str | Path, names: Sequence[str]) -> Gathered:
    """A run's end: what each judge's ratings now are, and what this run took."""
    connection = open_store(path)
    with store_errors(path):
        found = summaries(connection, names)
    connection.close()
    findings = Gathered()
    if outcome.items:
        findings.answer.append(f"{counted(outcome.items, 'item')} in {Path(outcome.place).name}.")
    if outcome.reason in _STOPS:
        again = "run the same command again to go on"
        findings.answer.append(f"{_STOPS[outcome.reason]}; {again}.")
    for summary in found:
        _tell(findings, summary)
    for tally in outcome.tallies:
        findings.warnings += tally.notes
        asked = next((one for one in found if one.name == tally.judge), None)
        others = sorted(name for name in tally.models if name and asked)
        if len(others) > 1:
            findings.warnings.append(
                f"{named(tally.judge)}: answers came from {len(others)} models: "
                f"{listed([named(one) for one in others[:4]])}"
            )
    rows = [
        (
            t.judge,
            t.calls,
            t.known,
            max(0, t.attempts - t.calls),
            t.tokens,
            None if t.unpriced else round(t.cost, 6),
            ", ".join(f"{kind} {n}" for kind, n in sorted(t.failures.items())),
        )
        for t in outcome.tallies
    ]
    findings.tables["this_run"] = Table(
        f"This run ({duration(outcome.seconds)})",
        ("judge", "calls", "known before", "retries", "tokens", "cost", "failures"),
        tuple(rows),
    )
    _statuses(findings, found)
    return findings


def of_store(path: str | Path) -> Gathered:
    """Everything that a store holds."""
    connection = open_store(path)
    findings = Gathered()
    with store_errors(path):
        found = summaries(connection)
        for summary in found:
            _tell(findings, summary)
        _statuses(findings, found)
        _costs(findings, found)
        _runs(findings, connection)
        (labels,) = connection.execute("SELECT count(*) FROM current_labels").fetchone()
        (people,) = connection.execute(
            "SELECT count(DISTINCT rater) FROM current_labels"
        ).fetchone()
        (waiting,) = connection.execute(
            "SELECT count(*) FROM batches WHERE collected IS NULL"
        ).fetchone()
    connection.close()
    if not found:
        findings.answer.append("No judge has run on this store.")
    if labels:
        findings.answer.append(
            f"{counted(labels, 'label')} of {counted(people, 'person', 'people')}."
        )
    if waiting:
        findings.answer.append(
            f"{counted(waiting, 'batch', 'batches')} not collected yet: run with --batch again."
        )
    return findings


def estimated(estimates: Sequence[Estimated]) -> Gathered:
    """A dry run."""
    findings = Gathered()
    for number in dict.fromkeys(one.items for one in estimates):
        findings.answer.append(f"{counted(number, 'item')} in the file.")
    rows = []
    for one in estimates:
        rows.append(
            (
                one.judge,
                one.calls,
                one.known,
                one.calls - one.known,
                one.prompt_tokens,
                one.completion_tokens,
                None if one.cost is None else round(one.cost, 4),
            )
        )
        price = "of unknown price" if one.cost is None else f"at most about {money(one.cost)}"
        findings.answer.append(
            f"{named(one.judge)}: {counted(one.calls - one.known, 'call')} to make "
            f"({one.known:,} answered already), "
            f"{price}."
        )
    findings.tables["dry_run"] = Table(
        "Dry run: nothing was asked",
        ("judge", "calls", "answered", "to ask", "prompt tokens", "completion tokens", "cost"),
        tuple(rows),
        notes=(
            "Four characters are taken for a token, and every answer for as long as its limit.",
        ),
    )
    return findings


def _tell(findings: Gathered, summary: JudgeSummary) -> None:
    statuses = summary.statuses
    parts = [f"{statuses[name]:,} {name}" for name in STATUSES if statuses[name] or name == "rated"]
    invalid = summary.invalid_rate
    sentence = f"{named(summary.name)}: {counted(summary.ratings, 'rating')} ({', '.join(parts)})"
    if summary.unanswered:
        sentence += f", {summary.unanswered:,} not asked yet"
    findings.answer.append(f"{sentence}; invalid {_figure(invalid)}.")
    findings.add(invalid, judge=summary.name)
    flips, first = summary.position_flip_rate, summary.first_shown_share
    if flips is not None and first is not None:
        findings.add(flips, judge=summary.name)
        findings.add(first, judge=summary.name)
        changed = f"the verdict changes with the order for {_figure(flips)} of pairs"
        said = f"{named(summary.name)}: {changed}"
        if isinstance(first, Estimate):
            said += f"; of these, {_figure(first)} favour the answer shown first"
        findings.answer.append(f"{said}.")


def _figure(result: Result) -> str:
    return figure(result, rate=True) if isinstance(result, Estimate) else "undefined"


def _statuses(findings: Gathered, found: Sequence[JudgeSummary]) -> None:
    findings.tables["ratings"] = Table(
        "Ratings in the store",
        ("judge", "realization", "ratings", *STATUSES, "not asked"),
        tuple(
            (
                one.name,
                one.realization,
                one.ratings,
                *(one.statuses[s] for s in STATUSES),
                one.unanswered,
            )
            for one in found
        ),
    )
    reasons = [(one.name, n, reason) for one in found for reason, n in one.reasons.items()]
    if reasons:
        findings.tables["reasons"] = Table(
            "Why answers are invalid or failed (the most frequent)",
            ("judge", "ratings", "reason"),
            tuple(reasons),
        )


def _costs(findings: Gathered, found: Sequence[JudgeSummary]) -> None:
    findings.tables["calls"] = Table(
        "Calls behind them",
        ("judge", "calls", "tries", "tokens", "cost", "seconds each", "endpoint", "served by"),
        tuple(
            (
                one.name,
                one.calls,
                one.attempts,
                one.tokens,
                None if one.cost is None else round(one.cost, 6),
                None if one.latency is None else round(one.latency, 3),
                one.endpoint,
                ", ".join(one.models[:3]),
            )
            for one in found
        ),
    )


def _runs(findings: Gathered, connection: sqlite3.Connection) -> None:
    rows = connection.execute(
        "SELECT run, started, ended, outcome, summary FROM runs ORDER BY run DESC LIMIT 20"
    ).fetchall()
    table = []
    for run, started, ended, outcome, summary in rows:
        judges = json.loads(summary) if summary else {}
        calls = sum(one.get("calls", 0) for one in judges.values())
        table.append((run, started, ended, outcome or "running or killed", calls))
    findings.tables["runs"] = Table(
        "Runs, the last first", ("run", "started", "ended", "outcome", "calls"), tuple(table)
    )
