"""Data sets in the form of JUDGE-BENCH (Bavaresco et al., 2025): what single people said.

`annotations` declares criteria, `instances` holds for each of them `individual_human_scores` and
their majority or mean. The place in the list stands for the person; where there is no list, the
majority (or the mean) is read as one rating by people together.
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
    as_list,
    as_table,
    as_tables,
    as_text,
    reading,
)
from goldassay.sources.logs.reading import LogFile

__all__ = ["ratings", "recognises"]

_SCORES = "individual_human_scores"
_TOGETHER = {"majority_human": "majority of people", "mean_human": "mean of people"}


def recognises(log: LogFile) -> bool:
    declared, instances = log.object.get("annotations"), log.object.get("instances")
    if not isinstance(declared, list) or not isinstance(instances, list) or not instances:
        return False
    first = as_table(as_table(instances[0]).get("annotations"))
    said = [as_table(one) for one in first.values()]
    return any(_SCORES in one or {*_TOGETHER} & {*one} for one in said)


def ratings(log: LogFile) -> Iterator[Part]:
    metrics = [as_text(one.get("metric")) for one in as_tables(log.object.get("annotations"))]
    several = len({one for one in metrics if one}) > 1
    who = "expert" if str(log.object.get("expert_annotator")).casefold() == "true" else "annotator"
    placed = summed = False
    for number, one in enumerate(as_list(log.object.get("instances")), start=1):
        record = as_table(one)
        if not record:
            yield LeftOut("an instance that is no record")
            continue
        item = as_text(record.get("id")) or str(number)
        yield _text(item, record.get("instance"))
        for metric, found in as_table(record.get("annotations")).items():
            criterion = metric if several else None
            said = as_table(found)
            scores = as_list(said.get(_SCORES))
            for place, score in enumerate(scores, start=1):
                placed = True
                yield _rating(item, criterion, f"{who} {place}", score)
            sums = {key: said[key] for key in _TOGETHER if said.get(key) is not None}
            if not scores and sums:
                summed = True
                key = next(iter(sums))
                yield _rating(item, criterion, _TOGETHER[key], sums[key])
            elif not scores:
                yield LeftOut("neither scores of single people nor their sum")
    if placed:
        yield Note("The place in a list of scores stands for the person.")
    if summed:
        yield Note("Where no single scores are given, their majority or mean counts as one rating.")


def _rating(item: str, criterion: str | None, rater: str, score: Any) -> Rating:
    return Rating(
        item=item,
        criterion=criterion,
        rater=rater,
        kind="human",
        rater_type="human",
        **reading(score)._asdict(),
    )


def _text(item: str, instance: Any) -> Text:
    """The rated text; of a record with several, a response apart from what it answers."""
    if not isinstance(instance, Mapping):
        return Text(item=item, output=as_text(instance))
    parts = {str(key): as_text(value) for key, value in instance.items()}
    output = parts.pop("response", None)
    return Text(item=item, input="\n\n".join(filter(None, parts.values())) or None, output=output)
