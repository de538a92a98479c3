"""lm-evaluation-harness' samples: `samples_<task>_<time>.jsonl` of `--log_samples`.

Read as written by lm_eval 0.4.13. A document of a task is an item, a metric (and filter) the
criterion, its value the rating of the rater "lm_eval". The system is the model named in the
`results_<time>.json` beside the file, else the folder's name. A metric that is no single number for
a document (perplexities, corpus scores) is left out, and counted. An answer that the filter did not
find is invalid, though the harness scores it as wrong.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from goldassay.sources.logs.parts import (
    LeftOut,
    Part,
    Rating,
    Text,
    as_list,
    as_number,
    as_table,
    as_text,
    digest,
    invalid,
    reading,
    tags,
)
from goldassay.sources.logs.people import people_beside
from goldassay.sources.logs.reading import LogFile

__all__ = ["ratings", "recognises"]

KEYS = {"doc_id", "doc", "target", "resps", "filtered_resps"}
#: What a filter leaves where it finds nothing, unless it is told otherwise.
NOT_FOUND = "[invalid]"
_NAME = re.compile(r"^samples_(.+?)_(\d{4}-\d{2}-\d{2}T[\d.:-]+)$")


#: Fields of a document that say what kind it is, in the harness' tasks.
ABOUT = (
    "subject",
    "category",
    "topic",
    "type",
    "level",
    "difficulty",
    "subset",
    "domain",
    "language",
)


def recognises(log: LogFile) -> bool:
    return set(log.first) >= KEYS


def ratings(log: LogFile) -> Iterator[Part]:
    match = _NAME.match(log.stem)
    task, when = match.groups() if match else (log.stem, "")
    system = _system(log, when)
    for one in log.records():
        if isinstance(one, LeftOut):
            yield one
        elif not set(one) >= KEYS:
            yield LeftOut("a line that is no sample")
        else:
            yield from _of_sample(one, task, system)


def _of_sample(one: Mapping[str, Any], task: str, system: str | None) -> Iterator[Part]:
    answer = json.dumps(one["resps"], ensure_ascii=False)
    about: dict[str, Any] = {
        "item": f"{task}/{one['doc_id']}",
        "system": system,
        "attempt": digest(answer),
    }
    yield Text(
        **about,
        input=_prompt(one.get("arguments")),
        output=_answer(one["resps"]) or answer,
        reference=as_text(one["target"]),
    )
    about["tags"] = tags({name: as_table(one.get("doc")).get(name) for name in ABOUT}, task=task)
    chosen, found = as_text(one.get("filter")), _answer(one["filtered_resps"])
    metrics = list(map(str, as_list(one.get("metrics")) or _numbers(one)))
    people = people_beside([name for name in one if name not in KEYS], metrics)
    for name, (who, criterion) in people.items():
        if (said := as_number(one[name])) is not None:
            person: dict[str, Any] = {"rater": who, "kind": "human", "rater_type": "human"}
            named = f"{criterion},{chosen}" if chosen and chosen != "none" else criterion
            yield Rating(**about, **person, criterion=named, **reading(said)._asdict())
    for name in metrics:
        value = one.get(name)
        if isinstance(value, list | dict | str):
            yield LeftOut(f"the metric {name}, which is no number for a document")
            continue
        read = reading(value)
        if read.status != "rated":
            read = invalid(f"the metric is {value}")
        elif found == NOT_FOUND:
            read = invalid(f"the filter found no answer (scored {read.value})")
        yield Rating(
            **about,
            rater="lm_eval",
            rater_type="code",
            criterion=f"{name},{chosen}" if chosen and chosen != "none" else name,
            **read._asdict(),
            score=as_number(value),
            raw=answer if found == NOT_FOUND else found,
        )


def _numbers(one: Mapping[str, Any]) -> list[str]:
    """The metrics of a file from before they were listed."""
    found = [name for name in one if name not in KEYS and isinstance(one[name], int | float)]
    return [name for name in found if not people_beside([name], ["any"])]


def _system(log: LogFile, when: str) -> str | None:
    beside = log.given.with_name(f"results_{when}.json")
    if when and beside.is_file():
        name = LogFile(beside).object.get("model_name")
        if isinstance(name, str) and name:
            return name
    return log.given.absolute().parent.name or None


def _prompt(arguments: Any) -> str | None:
    return as_text(as_table(next(iter(as_table(arguments).values()), None)).get("arg_0"))


def _answer(responses: Any) -> str | None:
    """A generated text; the likelihoods of choices stay JSON."""
    while isinstance(responses, list) and len(responses) == 1:
        responses = responses[0]
    return responses if isinstance(responses, str) else None
