"""Label Studio's JSON, to and from the ratings table.

Read: every annotation is a person's rating, every prediction a judge's. `choices`, `rating`,
`number` and `pairwise` results are values, `textarea` is the comment, a skipped task an abstention.
Drafts were not submitted, and are no ratings.
An annotation that holds none of these is a rating with status `invalid` and the reason, so that
nothing disappears.

Write: one Label Studio task for each unit, with the item's texts as its `data`. The rater's name is
in the result's `meta`, because Label Studio refuses annotations by users that it does not know.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from goldassay.errors import SourceError
from goldassay.sources.logs.parts import Part, Rating, tags
from goldassay.sources.logs.reading import LogFile

__all__ = ["COLUMNS", "from_label_studio", "ratings", "recognises", "to_label_studio"]

#: Columns of the ratings that are read, in order.
COLUMNS = (
    "item",
    "rater",
    "kind",
    "value",
    "criterion",
    "system",
    "opponent",
    "elicitation",
    "status",
    "comment",
    "time",
    "reason",
)
_UNIT = ("item", "criterion", "system", "opponent")
#: Members of a task's data that are shown to people, and are no property of the item.
_TEXTS = frozenset(
    [
        *(*_UNIT, "text", "prompt", "response", "input", "output", "question", "answer", "html"),
        *("image", "audio", "video", "context", "completion", "document", "title", "reference"),
    ]
)
#: The control of a task with one question; any other name is that of a criterion.
CONTROL = "label"

Labelled = dict[str, str | None]


def recognises(log: LogFile) -> bool:
    document = log.document
    first = document[0] if isinstance(document, list) and document else None
    return (
        isinstance(first, dict)
        and "data" in first
        and ("annotations" in first or "predictions" in first)
    )


def ratings(log: LogFile) -> Iterator[Part]:
    """The ratings of an export, for `goldassay import`."""
    about: dict[str, dict[str, str]] = {}
    for number, task in enumerate(log.document, start=1):
        if isinstance(task, dict) and isinstance(data := task.get("data"), dict):
            item = _word(data.get("item")) or _word(task.get("id")) or str(number)
            short = {name: value for name, value in data.items() if name not in _TEXTS}
            about.setdefault(item, tags(short, task.get("meta")))
    for row in from_label_studio(log.document, place=log.place):
        cells: dict[str, Any] = {name: row[name] for name in COLUMNS if name != "comment"}
        cells["rater_type"] = "human" if row["kind"] == "human" else None
        yield Rating(**cells, raw=row["comment"], tags=about.get(str(row["item"]), {}))


def from_label_studio(tasks: Any, *, place: str, separator: str = "|") -> list[Labelled]:
    """The ratings in a parsed export; `separator` joins the choices of a response set."""
    if not isinstance(tasks, list) or not all(isinstance(task, dict) for task in tasks):
        raise SourceError(place, "an export is a list of tasks", found=type(tasks).__name__)
    ratings: list[Labelled] = []
    for number, task in enumerate(tasks, start=1):
        if not isinstance(task.get("data"), dict) or not (
            isinstance(task.get("annotations", []), list)
            and isinstance(task.get("predictions", []), list)
        ):
            raise SourceError(
                f"{place}, task {number}",
                "has `data` and a list of `annotations`",
                next_step="In Label Studio, export as JSON (not JSON-MIN, CSV or YOLO)",
            )
        unit = {name: _word(task["data"].get(name)) for name in _UNIT}
        unit["item"] = unit["item"] or _word(task.get("id")) or str(number)
        for kind, key in (("human", "annotations"), ("judge", "predictions")):
            for one in task.get(key, []):
                if not isinstance(one, dict) or not isinstance(one.get("result", []), list):
                    raise SourceError(f"{place}, task {number}", f"its {key} have a result list")
                ratings += _ratings(one, unit, kind, separator)
    if not ratings:
        raise SourceError(place, "holds no annotation", next_step="Label some tasks first")
    controls = {rating["control"] for rating in ratings if rating["control"]}
    for rating in ratings:
        control = rating.pop("control")
        # The names of several controls are criteria; a single one is only the question's name.
        if len(controls) > 1 and control != CONTROL:
            rating["criterion"] = rating["criterion"] or control
    return ratings


def _ratings(
    one: Mapping[str, Any], unit: Mapping[str, str | None], kind: str, separator: str
) -> Iterable[Labelled]:
    """The ratings of one annotation or prediction: one for each control that was answered."""
    results = [result for result in one.get("result", []) if isinstance(result, dict)]
    meta: Mapping[str, Any] = next(
        (r["meta"] for r in results if isinstance(r.get("meta"), dict)), {}
    )
    rater = _word(meta.get("rater")) or _rater(one, kind)
    notes = [text for r in results if r.get("type") == "textarea" for text in _texts(r, "text")]
    common: Labelled = {
        **dict.fromkeys(COLUMNS),
        **unit,
        "rater": rater,
        "kind": kind,
        "control": None,
        "comment": "\n".join(notes) or None,
        "time": _word(one.get("completed_at") or one.get("updated_at") or one.get("created_at")),
    }
    # A skipped task may keep what was chosen before it was skipped: that is no rating.
    if one.get("was_cancelled") or meta.get("status") == "abstained":
        return [{**common, "status": "abstained", "reason": "skipped"}]
    found = []
    for result in results:
        value, elicitation = _value(result, separator)
        if value is not None:
            control = _word(result.get("from_name"))
            found.append(
                {
                    **common,
                    "value": value,
                    "elicitation": elicitation,
                    "status": "rated",
                    "control": control,
                }
            )
    if found:
        return found
    kinds = ", ".join(sorted({str(r.get("type")) for r in results} - {"textarea"}))
    reason = f"no choice, rating, number or pair in it, but {kinds}" if kinds else "no result"
    return [{**common, "status": "invalid", "reason": reason}]


def _value(result: Mapping[str, Any], separator: str) -> tuple[str | None, str | None]:
    """The value of one result and how it was elicited; None when it is no rating."""
    kind = result.get("type")
    value = result.get("value")
    if not isinstance(value, Mapping):
        return None, None
    if kind == "choices":
        chosen = _texts(result, "choices")
        meta = result.get("meta")
        asked = _word(meta.get("elicitation")) if isinstance(meta, Mapping) else None
        guess = "forced_choice" if len(chosen) == 1 else "response_set"
        return (separator.join(chosen), asked or guess) if chosen else (None, None)
    if kind in ("rating", "number"):
        return _word(value.get(kind)), None
    if kind == "pairwise":
        return _word(value.get("selected")), "forced_choice"
    return None, None


def _texts(result: Mapping[str, Any], key: str) -> list[str]:
    value = result.get("value")
    found = value.get(key) if isinstance(value, Mapping) else None
    return (
        [str(one) for one in found]
        if isinstance(found, list)
        else [found]
        if isinstance(found, str)
        else []
    )


def _rater(one: Mapping[str, Any], kind: str) -> str:
    if kind == "judge":
        return _word(one.get("model_version")) or "prediction"
    who = one.get("completed_by")
    if isinstance(who, Mapping):
        who = who.get("email") or who.get("username") or who.get("id")
    return f"annotator {who}" if isinstance(who, int) else _word(who) or "annotator"


def _word(value: Any) -> str | None:
    if value is None or value == "" or isinstance(value, list | dict):
        return None
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        value = int(value)
    return str(value)


def to_label_studio(
    labels: Sequence[Mapping[str, Any]],
    texts: Mapping[tuple[str, str, str, str], Mapping[str, str]],
    *,
    separator: str = "|",
    options: Sequence[str] = (),
    numbers: bool = False,
) -> list[dict[str, Any]]:
    """Label Studio tasks of labels (rows of the ratings table), annotations by unit.

    `texts` are the items' texts by unit; `options` tells an option that holds the separator from a
    response set; `numbers` writes values as numbers (a continuous scale).
    """
    tasks: dict[tuple[str, ...], dict[str, Any]] = {}
    for number, label in enumerate(labels, start=1):
        item, criterion, system, opponent = (str(label.get(name) or "") for name in _UNIT)
        unit = (item, criterion, system, opponent)
        if unit not in tasks:
            named = {name: word for name, word in zip(_UNIT, unit, strict=True) if word}
            data = {**texts.get(unit, {}), **named}
            tasks[unit] = {"id": len(tasks) + 1, "data": data, "annotations": [], "predictions": []}
        tasks[unit]["annotations"].append(
            _annotation(label, number, separator=separator, options=options, numbers=numbers)
        )
    return list(tasks.values())


def _annotation(
    label: Mapping[str, Any], number: int, *, separator: str, options: Sequence[str], numbers: bool
) -> dict[str, Any]:
    value, kind = str(label.get("value") or ""), "choices"
    meta = {name: label[name] for name in ("rater", "status", "elicitation") if label.get(name)}
    region = {"id": f"label-{number}", "from_name": CONTROL, "to_name": "output", "meta": meta}
    results: list[dict[str, Any]] = []
    if label["status"] == "rated":
        if numbers:
            content: dict[str, Any] = {"number": float(value)}
            kind = "number"
        else:
            parts = [value] if value in options else value.split(separator)
            content = {"choices": parts}
        results.append({**region, "type": kind, "value": content})
    if label.get("comment") or not results:
        # A skipped task keeps who skipped it, which only a result can hold.
        results.append(
            {
                **region,
                "id": f"comment-{number}",
                "from_name": "comment",
                "type": "textarea",
                "value": {"text": [str(label.get("comment") or "")]},
            }
        )
    return {
        "id": number,
        "result": results,
        "was_cancelled": label["status"] != "rated",
        "ground_truth": False,
        "created_at": label.get("time"),
        "lead_time": label.get("seconds"),
    }
