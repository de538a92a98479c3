"""Errors that experts marked in translations (MQM), as a score for each segment.

Read as published for the WMT metrics tasks: a row for each error, with `system`, `rater`,
`category`, `severity` and the segment's number. A segment's rating is minus the weighted sum of its
errors (Freitag et al., TACL 2021, table 12): a major error 5, a minor one 1 (punctuation 0.1), a
non-translation 25, a critical one 25, a neutral one and none 0. A rater who marked nothing in a
segment has a row "no-error" for it; a severity of another name makes the rating invalid.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from goldassay.sources.logs.parts import (
    LeftOut,
    Note,
    Part,
    Rating,
    Text,
    as_text,
    invalid,
    reading,
    tags,
)
from goldassay.sources.logs.reading import LogFile

__all__ = ["ratings", "recognises"]

_WEIGHTS = {"critical": 25.0, "major": 5.0, "minor": 1.0, "neutral": 0.0, "trivial": 0.0}
_WEIGHTS |= dict.fromkeys(("no-error", "no_error", "noerror", "none", ""), 0.0)
_SEGMENTS = ("globalsegid", "seg_id", "segid", "segment_id", "segment", "seg", "docsegid")
#: What an error says of itself; every other short field is told beside the rating (`domain`).
_OWN = frozenset(
    [
        *(*_SEGMENTS, "system", "rater", "category", "severity", "doc", "source", "target"),
        *(
            "doc_id",
            "docid",
            "span",
            "comment",
            "comments",
            "note",
            "score",
            "weight",
            "subcategory",
        ),
    ]
)
_NEEDED = {"system", "rater", "category", "severity"}


def recognises(log: LogFile) -> bool:
    if log.form not in ("tsv", "csv", "jsonl"):
        return False
    names = {*_names(log.first)}
    return names >= _NEEDED and bool(names & {*_SEGMENTS})


def ratings(log: LogFile) -> Iterator[Part]:
    sums: dict[tuple[str, str, str], float] = {}
    unknown: dict[tuple[str, str, str], str] = {}
    texts: dict[tuple[str, str], Text] = {}
    documents: dict[str, str | None] = {}
    told: dict[tuple[str, str, str], dict[str, str]] = {}
    for row in log.records():
        if isinstance(row, LeftOut):
            yield row
            continue
        one = {key: as_text(row[name]) or "" for key, name in _names(row).items()}
        weight = _weight(one)
        item = _item(one)
        key = (item, one["system"], one["rater"])
        if weight is None:
            unknown.setdefault(key, one["severity"][:30])
        sums[key] = sums.get(key, 0.0) + (weight or 0.0)
        documents[item] = one.get("doc") or None
        told.setdefault(key, tags({n: v for n, v in one.items() if n not in _OWN}))
        if one.get("target"):
            texts.setdefault(
                key[:2],
                Text(
                    item=item,
                    system=one["system"],
                    input=one.get("source"),
                    output=one["target"].replace("<v>", "").replace("</v>", ""),
                ),
            )
    yield from texts.values()
    for (item, system, rater), errors in sums.items():
        severity = unknown.get((item, system, rater))
        read = reading(f"{-errors:g}" if errors else "0")
        if severity is not None:
            read = invalid(f"an error of a severity that is not known ({severity})")
        yield Rating(
            item=item,
            system=system,
            rater=rater,
            kind="human",
            rater_type="human",
            **read._asdict(),
            prompt=documents[item],
            tags=told[item, system, rater],
        )
    yield Note(
        "A rating is minus the weighted sum of the errors that a rater marked in a segment: major "
        "5, minor 1 (punctuation 0.1), non-translation and critical 25."
    )


def _names(row: Mapping[str, Any]) -> dict[str, str]:
    return {str(name).casefold(): str(name) for name in row}


def _item(one: Mapping[str, str]) -> str:
    """A segment by its number in the whole set, or by its document and its number there."""
    name = next(name for name in _SEGMENTS if name in one)
    whole = name == "globalsegid" or "doc" not in one
    return one[name] if whole else f"{one['doc']}/{one[name]}"


def _weight(one: Mapping[str, str]) -> float | None:
    severity, category = one["severity"].casefold(), one["category"].casefold()
    if category.startswith("non-translation"):
        return 25.0
    if severity == "minor" and category.startswith("fluency/punctuation"):
        return 0.1
    return 0.0 if category in ("no-error", "no error") else _WEIGHTS.get(severity)
