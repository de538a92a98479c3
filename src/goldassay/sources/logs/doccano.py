"""Doccano's export of a classification project, unzipped: JSONL, JSON, or CSV.

Read in the form of doccano 1.8: `id`, `text` (or `filename`), `label` (a list; in CSV joined by #),
`Comments`, and the fields of the import. Labels are people's: a file per annotator has the
annotator's name, and in a shared project (`all.jsonl`) the annotators are not told apart. Several
labels of one text are a response set. Texts, spans and relations are no ratings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from goldassay.sources.logs.parts import (
    LeftOut,
    Part,
    Rating,
    Reading,
    Text,
    as_text,
    invalid,
    reading,
    tags,
)
from goldassay.sources.logs.reading import LogFile

__all__ = ["ratings", "recognises"]

LONGEST_LABEL = 200
#: Files of a project whose annotators work on one set of labels, and of nobody.
SHARED = {"all", "unknown"}
TEXTS = ("text", "data", "filename")


def recognises(log: LogFile) -> bool:
    one = log.first
    if not {"id", "label"} <= set(one) or not any(name in one for name in TEXTS):
        return False
    # A table with such columns is a plain one: doccano's has its column of comments too.
    return isinstance(one["label"], list) or "Comments" in one


def ratings(log: LogFile) -> Iterator[Part]:
    stem = log.stem
    rater = "annotator" if stem.lower() in SHARED else stem
    for number, one in enumerate(log.records(), start=1):
        if isinstance(one, LeftOut):
            yield one
            continue
        item = as_text(one.get("id")) or str(number)
        yield Text(item=item, input=next((as_text(one[n]) for n in TEXTS if one.get(n)), None))
        yield _of_labels(one, item, rater)


def _of_labels(one: Mapping[str, Any], item: str, rater: str) -> Part:
    given = one.get("label")
    labels = given.split("#") if isinstance(given, str) and given else given
    labels = [] if labels in (None, "") else labels if isinstance(labels, list) else [labels]
    if not labels:
        return LeftOut("a text without a label")
    if any(isinstance(label, list) for label in labels):
        return LeftOut("a span, which is no rating")
    if any(isinstance(label, str) and len(label) > LONGEST_LABEL for label in labels):
        return LeftOut("a text, which is no rating")
    own = {"id", "label", "Comments", "relations", "entities", *TEXTS}
    return Rating(
        item=item,
        rater=rater,
        kind="human",
        rater_type="human",
        **_read(labels)._asdict(),
        elicitation="response_set" if len(labels) > 1 else None,
        raw=as_text(one.get("Comments") or None),
        tags=tags({name: cell for name, cell in one.items() if name not in own}),
    )


def _read(labels: list[Any]) -> Reading:
    if len(labels) == 1:
        return reading(labels[0])
    if all(isinstance(label, str) for label in labels):
        return reading("|".join(labels))
    return invalid("the labels are no texts")
