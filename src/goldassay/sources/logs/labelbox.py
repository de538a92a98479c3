"""Labelbox' export of classifications: NDJSON, a line for each data row.

Read in the documented form of export v2: `data_row` (`global_key`, `external_id` or `id`,
`row_data`) and `projects`, whose `labels` hold who made them (`label_details.created_by`) and
`annotations.classifications`, each with a `radio_answer`, a `checklist_answers` or a `text_answer`.
A question is a criterion; several ticked answers are a response set. Labels are people's, a
model's (`label_kind` not "Default", or no one who created them) a judge's. Objects, relations and
texts are no ratings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from goldassay.sources.logs.parts import (
    LeftOut,
    Part,
    Rating,
    Text,
    as_table,
    as_tables,
    as_text,
    invalid,
    reading,
)
from goldassay.sources.logs.reading import LogFile

__all__ = ["ratings", "recognises"]


def recognises(log: LogFile) -> bool:
    one = log.first
    return isinstance(one.get("data_row"), Mapping) and isinstance(one.get("projects"), Mapping)


def ratings(log: LogFile) -> Iterator[Part]:
    for number, one in enumerate(log.records(), start=1):
        if isinstance(one, LeftOut):
            yield one
            continue
        row = as_table(one.get("data_row"))
        ids = [as_text(row.get(key)) for key in ("global_key", "external_id", "id")]
        item = next((one for one in ids if one), str(number))
        yield Text(item=item, input=as_text(row.get("row_data")))
        for project in as_table(one.get("projects")).values():
            for label in as_tables(as_table(project).get("labels")):
                yield from _of_label(label, item)


def _of_label(label: Mapping[str, Any], item: str) -> Iterator[Part]:
    details, done = as_table(label.get("label_details")), as_table(label.get("performance_details"))
    if done.get("skipped") is True:
        yield LeftOut("a skipped label")
        return
    who = as_text(details.get("created_by"))
    person = label.get("label_kind") in (None, "Default") and who is not None
    held = as_table(label.get("annotations"))
    found = as_tables(held.get("classifications"))
    if not found:
        yield LeftOut("a label without a classification")
    for one in found:
        if "radio_answer" not in one and "checklist_answers" not in one:
            yield LeftOut("a text, which is no rating")
            continue
        given = _answers(one)
        yield Rating(
            item=item,
            rater=who or "model",
            kind="human" if person else "judge",
            rater_type="human" if person else None,
            criterion=as_text(one.get("value") or one.get("name")),
            **(reading("|".join(given)) if given else invalid("no answer"))._asdict(),
            elicitation="response_set" if len(given) > 1 else None,
            time=as_text(details.get("created_at")),
        )


def _answers(one: Mapping[str, Any]) -> list[str]:
    """What was chosen: one answer, or those that were ticked."""
    chosen = one.get("radio_answer") or one.get("checklist_answers")
    several = [chosen] if isinstance(chosen, Mapping) else as_tables(chosen)
    said = [as_text(answer.get("value") or answer.get("name")) for answer in several]
    return [text for text in said if text]
