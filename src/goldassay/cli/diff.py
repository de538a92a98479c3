"""`goldassay diff`: what changed between two reports."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from goldassay.cli.common import (
    DEFAULT_RESAMPLES,
    DEFAULT_SEED,
    JsonOption,
    OutOption,
    RequireOption,
    ResamplesOption,
    SeedOption,
    finish,
)
from goldassay.errors import SourceError, UsageError, shown
from goldassay.ratings.task import Task
from goldassay.results import SCHEMA, Estimate, Findings, Result, Table, Undefined

__all__ = ["changes", "command"]

Document = Mapping[str, Any]
_SUBJECT = ("verb", "judge", "criterion", "level", "system", "aggregation", "estimator")
_NUMBERS = frozenset(
    {
        "name",
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
    }
)
_MOST_SHOWN = 12


def command(
    old: Annotated[str, typer.Argument(metavar="OLD.json", help="The earlier document.")],
    new: Annotated[str, typer.Argument(metavar="NEW.json", help="The later document.")],
    judge: Annotated[
        list[str] | None,
        typer.Option("--judge", metavar="OLD=NEW", help="A judge that changed its name; again."),
    ] = None,
    as_json: JsonOption = False,
    out: OutOption = None,
    require: RequireOption = None,
    resamples: ResamplesOption = DEFAULT_RESAMPLES,
    seed: SeedOption = DEFAULT_SEED,
) -> None:
    """What changed between two documents of `goldassay report` (or of any one verb).

    Where both reports hold the verdicts on the same items, a change has a paired interval;
    elsewhere the two intervals are combined as if the items differed, which is usually too long.
    Results are named after what changed: `accuracy_change`, `cohen_kappa_change`.

    Examples:

        goldassay diff old.json new.json

        goldassay diff old.json new.json --judge gpt-1=gpt-2 --require 'accuracy_change.low>-0.02'
    """
    before, after = read_document(old), read_document(new)
    renamed = dict(_renaming(text) for text in judge or ())
    try:
        findings = changes(before, after, renamed=renamed, resamples=resamples, seed=seed)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        raise SourceError(
            f"{old} or {new}",
            f"is damaged ({type(error).__name__}: {shown(str(error))})",
            next_step="Make both again with goldassay report",
        ) from None
    finish(
        "diff",
        findings,
        task=after.get("task"),
        seed=seed,
        as_json=as_json,
        out=out,
        require=require,
    )


def read_document(path: str) -> Document:
    """A document of goldassay, or an error that says what the file is instead."""
    try:
        document = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise SourceError(path, f"cannot be read ({error.strerror or error})") from None
    except (UnicodeDecodeError, ValueError, RecursionError):
        raise SourceError(
            path, "is not JSON", next_step="Make it with: goldassay report ... --out report.json"
        ) from None
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        found = document.get("schema") if isinstance(document, dict) else type(document).__name__
        raise SourceError(
            path,
            f"is a goldassay document (schema {SCHEMA})",
            found=shown(found),
            next_step="Make it with: goldassay report ... --out report.json",
        )
    return document


def _renaming(text: str) -> tuple[str, str]:
    old, sign, new = text.partition("=")
    if not (old and sign and new):
        raise UsageError("--judge", "is OLD=NEW", found=shown(text))
    return old, new


def changes(
    old: Document, new: Document, *, renamed: Mapping[str, str], resamples: int, seed: int
) -> Findings:
    """Every number that both documents have, old, new and the change with its uncertainty."""
    if old.get("verb") != new.get("verb"):
        raise UsageError(
            "goldassay diff",
            "compares two documents of the same verb",
            found=f"{shown(old.get('verb'))} and {shown(new.get('verb'))}",
        )
    findings = Findings()
    before = {_subject(row, renamed): row for row in old.get("results", ())}
    after = {_subject(row, {}): row for row in new.get("results", ())}
    shared = [key for key in after if key in before]
    if not shared:
        raise UsageError(
            "goldassay diff",
            "no number is in both documents",
            found=f"judges {_judges(old)} and {_judges(new)}",
            next_step="Name the judge that changed: --judge OLD=NEW",
        )
    paired = _paired(old, new, renamed, resamples=resamples, seed=seed, findings=findings)
    table = []
    for key in shared:
        was, now = before[key], after[key]
        change = _change(was, now, paired)
        about = {k: now.get(k) for k in _about(now)}
        findings.add(change, **about)
        table.append(_line(was, now, change))
    _compare_declarations(old, new, findings)
    _tell(findings, table, len(before) - len(shared), len(after) - len(shared))
    return findings


def _subject(row: Document, renamed: Mapping[str, str]) -> tuple[str, ...]:
    judge = row.get("judge")
    values = {**row, "judge": renamed.get(judge, judge) if judge else judge}
    return (str(row["name"]), *(str(values.get(key)) for key in sorted(_about(row))))


def _about(row: Document) -> list[str]:
    return [key for key in row if key not in _NUMBERS]


def _judges(document: Document) -> str:
    names = sorted({row["judge"] for row in document.get("results", ()) if row.get("judge")})
    return ", ".join(names[:6]) or "none"


def _paired(
    old: Document,
    new: Document,
    renamed: Mapping[str, str],
    *,
    resamples: int,
    seed: int,
    findings: Findings,
) -> dict[tuple[str | None, str | None], dict[str, Result]]:
    """Changes of each judge (and criterion) on the items that both reports hold."""
    from goldassay.counts import Units
    from goldassay.questions.diff import joined, joint_counts, paired_changes, statistics_of

    if not old.get("units") or not new.get("units"):
        findings.warnings.append(
            "The documents do not hold verdicts item by item; intervals are combined as if the "
            "items differed. Documents of goldassay report hold them."
        )
        return {}
    task = _task(new)
    if _task(old).options != task.options:
        return {}
    back = {now: was for was, now in renamed.items()}
    found: dict[tuple[str | None, str | None], dict[str, Result]] = {}
    for judge in new["units"]["judges"]:
        pair = joined(old["units"], new["units"], (back.get(judge, judge), judge), task)
        if pair is None:
            continue
        units, relabelled = pair
        if relabelled:
            findings.warnings.append(
                f"People's ratings differ on {relabelled:,} shared items; paired changes hold "
                "both versions of a judge against the new ratings."
            )
        parts: dict[str | None, Units] = {None: units}
        if one := units.by.get("criterion"):
            parts |= {label: units.only("criterion", label) for label in one.labels}
        for criterion, part in parts.items():
            found[judge, criterion] = paired_changes(
                joint_counts(part, "old", "new"),
                statistics_of(task),
                draws=resamples,
                seed=seed,
                confidence_level=task.confidence_level,
            )
    findings.warnings = list(dict.fromkeys(findings.warnings))
    return found


def _task(document: Document) -> Task:
    return Task.from_mapping(document.get("task", {}), place="the document's task")


def _change(
    was: Document, now: Document, paired: Mapping[tuple[str | None, str | None], Any]
) -> Result:
    from goldassay.questions.diff import independent_change

    name = f"{now['name']}_change"
    if was.get("value") is None or now.get("value") is None:
        which = "the old" if was.get("value") is None else "the new"
        reason = was.get("undefined") or now.get("undefined") or "no value"
        return Undefined(name, f"undefined in {which} document: {reason}", now.get("n_items") or 0)
    plain = now.get("level") in (None, "micro") and now.get("system") is None
    whole = [key for key in _about(now) if key not in _SUBJECT and now.get(key) is not None]
    together = paired.get((now.get("judge"), now.get("criterion")), {}).get(now["name"])
    if plain and not whole and isinstance(together, Estimate):
        return Estimate(
            name,
            together.value,
            together.interval,
            together.n_items,
            together.n_clusters,
            declared={"compared": "on the items of both documents"},
        )
    ends = [(one["value"], one.get("low"), one.get("high")) for one in (was, now)]
    level = now.get("confidence_level") or 0.95
    change = independent_change(name, ends[0], ends[1], confidence_level=level)
    return Estimate(name, change.value, change.interval, now.get("n_items") or 0)


def _line(was: Document, now: Document, change: Result) -> tuple[Any, ...]:
    about = " · ".join(str(now[key]) for key in _SUBJECT[1:] if now.get(key))
    if isinstance(change, Undefined):
        return (
            now["name"],
            about,
            was.get("value"),
            now.get("value"),
            None,
            None,
            None,
            "undefined",
        )
    interval = change.interval
    low, high = (interval.low, interval.high) if interval else (None, None)
    return (
        now["name"],
        about,
        was["value"],
        now["value"],
        change.value,
        low,
        high,
        _word(change.value, low, high),
    )


def _word(value: float, low: float | None, high: float | None) -> str:
    if value == 0:  # an interval around it says how far other items might differ
        return "the same"
    if low is None or high is None:
        return "no interval"
    return "rose" if low > 0 else "fell" if high < 0 else "cannot tell"


def _tell(
    findings: Findings, table: Sequence[tuple[Any, ...]], only_old: int, only_new: int
) -> None:
    words = [row[-1] for row in table]
    told = [f"{words.count(word)} {word}" for word in ("rose", "fell") if word in words]
    unsure = words.count("cannot tell") + words.count("no interval")
    told += [f"{unsure} cannot be told from no change"] if unsure else []
    told += [f"{words.count('the same')} are the same"] if "the same" in words else []
    told += [f"{words.count('undefined')} are undefined"] if "undefined" in words else []
    findings.answer.append(f"Of {len(table)} numbers in both documents, {', '.join(told)}.")
    sure = [row for row in table if row[-1] in ("rose", "fell")]
    for row in sorted(sure, key=lambda row: -abs(row[4]))[:3]:
        name, about, was, now, _, low, high, word = row
        who = f" of {about}" if about else ""
        findings.answer.append(
            f"{str(name).replace('_', ' ')}{who} {word} from {was:.3g} to {now:.3g} "
            f"(change {low:+.3f} to {high:+.3f})."
        )
    for count, side in ((only_old, "old"), (only_new, "new")):
        if count:
            findings.warnings.append(f"{count} numbers are in the {side} document only.")
    if sum(word in ("rose", "fell") for word in words) and len(words) > 10:
        findings.warnings.append(
            f"{len(words)} changes are looked at; about one in twenty would seem sure by chance."
        )
    order = {"fell": 0, "rose": 1}
    rows = sorted(table, key=lambda row: order.get(row[-1], 2))
    columns = ("number", "about", "old", "new", "change", "low", "high", "in words")
    findings.tables["changes"] = Table("Old and new", columns, tuple(rows))
    findings.charts.append(_chart(rows))


def _chart(rows: Sequence[tuple[Any, ...]]) -> dict[str, Any]:
    shown_rows = [row for row in rows if row[4] is not None][:_MOST_SHOWN]
    return {
        "kind": "dot_interval",
        "title": "Changes",
        "x_label": "new minus old",
        "rows": [
            {"label": f"{row[0]} {row[1]}".strip(), "value": row[4], "low": row[5], "high": row[6]}
            for row in shown_rows
        ],
        "references": [{"value": 0.0, "label": "no change"}],
        "alt": "Each dot is a change; an interval across the line cannot be told from none.",
    }


def _compare_declarations(old: Document, new: Document, findings: Findings) -> None:
    """What makes two documents hard to compare: other declarations, versions, left-out rows."""
    was, now = old.get("task", {}), new.get("task", {})
    rows = [
        (key, str(was.get(key)), str(now.get(key)))
        for key in dict.fromkeys([*was, *now])
        if was.get(key) != now.get(key)
    ]
    if rows:
        findings.tables["declarations"] = Table(
            "Declared differently", ("key", "old", "new"), tuple(rows)
        )
        keys = ", ".join(row[0] for row in rows)
        findings.warnings.append(f"The tasks differ ({keys}): the numbers may mean other things.")
    versions = [one.get("provenance", {}).get("version") for one in (old, new)]
    if versions[0] != versions[1]:
        findings.warnings.append(f"Made by goldassay {versions[0]} and {versions[1]}.")
    left = [
        {one["reason"]: one["rows"] for one in side.get("exclusions", ())} for side in (old, new)
    ]
    reasons = [r for r in dict.fromkeys([*left[0], *left[1]]) if left[0].get(r) != left[1].get(r)]
    if reasons:
        findings.tables["exclusions"] = Table(
            "Rows left out",
            ("reason", "old", "new"),
            tuple((reason, left[0].get(reason, 0), left[1].get(reason, 0)) for reason in reasons),
        )
