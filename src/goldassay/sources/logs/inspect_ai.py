"""inspect_ai's logs: `.eval` (a zip of one JSON file per sample) and `.json`.

Read as version 2 of the log format, written by inspect_ai 0.3.285; samples of older logs with one
`score` are read too. A scorer is a judge, named with its grader model; a score that is a table has
one criterion per key. An edited score is two ratings: the scorer's, and the person's who edited it.
Samples that stopped with an error are failed ratings of every scorer. A grade that the scorer did
not find is invalid (before 0.3.245 inspect_ai recorded it as incorrect). A sample's metadata, its
epoch and the task are columns; a scorer's options say who the judge is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from goldassay.errors import SourceError
from goldassay.sources.logs.parts import (
    Judge,
    LeftOut,
    Note,
    Part,
    Rating,
    Reading,
    Text,
    as_list,
    as_number,
    as_table,
    as_tables,
    as_text,
    failed,
    invalid,
    reading,
    tags,
)
from goldassay.sources.logs.reading import LogFile

__all__ = ["ratings", "recognises"]

_EPOCH = re.compile(r"^samples/.*_epoch_(\d+)\.json$", re.S)
NOT_FOUND = "Grade not found in model output"
UNCHANGED = "UNCHANGED"
#: inspect_ai's scorers that ask no model.
CODE = {"match", "includes", "exact", "f1", "pattern", "answer", "choice", "math"}


class Scorer(NamedTuple):
    """A scorer as the header declares it: the model it asks, and the keys of its scores."""

    grader: str | None = None
    criteria: tuple[str, ...] = ()


def recognises(log: LogFile) -> bool:
    if log.form == "zip":
        return any(
            name.startswith(("samples/", "_journal/", "header.json")) for name in log.members
        )
    return isinstance(log.object.get("eval"), dict) and "status" in log.object


def ratings(log: LogFile) -> Iterator[Part]:
    header, samples = _opened(log)
    evaluation = as_table(header.get("eval"))
    status = header.get("status") or "started"
    scorers = _scorers(evaluation)
    yield from _judges(evaluation, scorers)
    logged = 0
    for sample in samples:
        if not isinstance(sample, dict) or "id" not in sample:
            yield LeftOut("a sample without an id")
            continue
        logged += 1
        if sample.get("invalidation"):
            yield LeftOut("a sample that was declared invalid in the log")
        else:
            yield from _of_sample(sample, evaluation, scorers)
    if not logged:
        yield LeftOut(f"a log without a sample ({status}, or written with --no-log-samples)")
    expected = _expected(header, evaluation)
    if expected > logged:
        yield LeftOut(
            "a sample that the log does not hold (not run, or not logged)", expected - logged
        )
    if status != "success":
        yield Note(f"{log.name}: the evaluation ended as {status}, with {logged} samples.")


def _opened(log: LogFile) -> tuple[Mapping[str, Any], Iterator[Any]]:
    """The log's header, and its samples one after another."""
    if log.form != "zip":
        return log.object, iter(as_list(log.object.get("samples")))
    # A log that is still written, or was killed, has only the journal's start.
    heads = [name for name in ("header.json", "_journal/start.json") if name in log.members]
    if not heads:
        raise SourceError(log.place, "an inspect_ai log holds header.json or _journal/start.json")
    header = next(log.parsed((heads[0],)))
    if not isinstance(header, dict):
        raise SourceError(f"{log.place}, {heads[0]}", "the header is a JSON object")
    names = [name for name in log.members if _EPOCH.search(name)]
    # Members are in the order in which samples ended; the first epoch is to be the first output.
    names.sort(key=lambda name: int(_EPOCH.search(name)[1]))  # type: ignore[index]
    return header, log.parsed(tuple(names))


def _expected(header: Mapping[str, Any], evaluation: Mapping[str, Any]) -> int:
    """How many samples there should be, as far as the header says."""
    total = as_number(as_table(header.get("results")).get("total_samples"))
    epochs = as_number(as_table(evaluation.get("config")).get("epochs"))
    named = as_list(as_table(evaluation.get("dataset")).get("sample_ids"))
    return int(total if total is not None else len(named) * (epochs or 1))


def _scorers(evaluation: Mapping[str, Any]) -> dict[str, Scorer]:
    """The declared scorers, by the name that scores have."""
    found: dict[str, Scorer] = {}
    grader = _model(as_table(evaluation.get("model_roles")).get("grader"))
    for one in as_tables(evaluation.get("scorers")):
        name = str(one.get("name")).rpartition("/")[2]
        model = _model(as_table(one.get("options")).get("model"))
        if name.startswith("model_graded"):
            model = model or grader or _model(evaluation.get("model"))
        criteria = [key for key in as_table(one.get("metrics")) if "*" not in key]
        found[name] = Scorer(model, tuple(criteria))
    return found


def _judges(evaluation: Mapping[str, Any], scorers: Mapping[str, Scorer]) -> Iterator[Judge]:
    """What the header says of the scorers: their models, templates and other options."""
    version = as_text(as_table(evaluation.get("packages")).get("inspect_ai"))
    for one in as_tables(evaluation.get("scorers")):
        name = str(one.get("name")).rpartition("/")[2]
        options = dict(as_table(one.get("options")))
        grader = scorers[name].grader
        asked = [as_text(options.pop(key, None)) for key in ("template", "instructions")]
        options.pop("model", None)
        yield Judge(
            rater=_rater(name, grader),
            model=grader,
            prompt="\n".join(filter(None, asked)) or None,
            parser=as_text(options.pop("grade_pattern", None)),
            parameters=as_text(options or None),
            realization=name,
            source=f"inspect_ai {version}" if version else None,
        )


def _model(value: Any) -> str | None:
    if isinstance(value, list):
        return " + ".join(filter(None, map(_model, value))) or None
    value = value.get("model") if isinstance(value, dict) else value
    return value if isinstance(value, str) and value else None


def _of_sample(
    sample: Mapping[str, Any], evaluation: Mapping[str, Any], scorers: Mapping[str, Scorer]
) -> Iterator[Part]:
    attached = as_table(sample.get("attachments"))
    about: dict[str, Any] = {
        "item": str(sample["id"]),
        "asked": as_text(evaluation.get("task")) or "",
        "system": _model(evaluation.get("model")),
        # A sample that another log holds too (a retry, a second scoring) keeps its uuid.
        "attempt": str(sample.get("uuid") or f"{evaluation.get('eval_id')}/{sample.get('epoch')}"),
    }
    yield Text(
        **about,
        input=_resolved(as_text(sample.get("input")), attached),
        output=_resolved(as_table(sample.get("output")).get("completion"), attached),
        reference=_target(sample.get("target")),
    )
    when = sample.get("completed_at")
    about["time"] = as_text(when)
    about["tags"] = tags(
        sample.get("metadata"),
        evaluation.get("metadata"),
        epoch=sample.get("epoch"),
        task=evaluation.get("task"),
        tags=evaluation.get("tags"),
    )
    scores = sample.get("scores")
    if not isinstance(scores, dict):
        only = sample.get("score")  # logs of 2024 have one score and no name for it
        name = next(iter(scorers), "scorer")
        scores = {name: only} if isinstance(only, dict) else {}
    error = sample.get("error")
    message = as_table(error).get("message")
    for name, score in scores.items():
        scorer = scorers.get(name, Scorer())
        if isinstance(score, dict):
            yield from _of_score(name, score, scorer.grader, about, attached)
        else:
            yield _none(name, scorer, about, None, "the score is no object", None)
    reason = "the sample stopped with an error" if error else "the scorer gave no score"
    for name, scorer in scorers.items():
        if not any(key.startswith(name) for key in scores):
            for criterion in scorer.criteria or (None,):
                yield _none(name, scorer, about, criterion, reason, message)
    if not scores and not scorers:
        yield LeftOut("a sample without a score" + (" (it stopped with an error)" * bool(error)))


def _none(
    name: str,
    scorer: Scorer,
    about: Mapping[str, Any],
    criterion: str | None,
    reason: str,
    raw: Any,
) -> Rating:
    return Rating(
        **about,
        rater=_rater(name, scorer.grader),
        criterion=criterion,
        status="failed",
        reason=reason,
        raw=as_text(raw),
        rater_type=_type(name, scorer.grader),
    )


def _of_score(
    name: str,
    score: Mapping[str, Any],
    grader: str | None,
    about: Mapping[str, Any],
    attached: Mapping[str, Any],
) -> Iterator[Rating]:
    """The scorer's own rating, then one for each person who edited it."""
    history = as_tables(score.get("history"))
    asked = as_tables(as_table(score.get("metadata")).get("grading"))
    grader = (_model(asked[-1]) if asked else None) or grader
    edits = [one for one in history if isinstance(one.get("provenance"), dict)]
    original = next((one for one in history if one not in edits), score if not edits else None)
    if original is not None:
        merged = {**score, **{k: v for k, v in original.items() if v != UNCHANGED}}
        for criterion, read, number in _readings(merged):
            yield Rating(
                **about,
                rater=_rater(name, grader),
                criterion=criterion,
                **read._asdict(),
                score=number,
                rater_type=_type(name, grader),
                raw=_resolved(as_text(merged.get("explanation") or merged.get("answer")), attached),
            )
    for edit in edits:
        if edit.get("value", UNCHANGED) == UNCHANGED:
            continue
        who = edit["provenance"]
        explanation = edit.get("explanation")
        said = explanation if explanation not in (None, UNCHANGED) else who.get("reason")
        for criterion, read, number in _readings(edit):
            yield Rating(
                **{**about, "time": as_text(who.get("timestamp"))},
                rater=as_text(who.get("author")) or "editor",
                kind="human",
                rater_type="human",
                criterion=criterion,
                **read._asdict(),
                score=number,
                raw=_resolved(as_text(said), attached),
            )


def _readings(score: Mapping[str, Any]) -> Iterator[tuple[str | None, Reading, float | None]]:
    """(criterion, reading, number) of a score: one, or one for each key of a table."""
    value, why = score.get("value"), as_text(score.get("reason"))
    explanation = score.get("explanation")
    if value == "I" and isinstance(explanation, str) and explanation.startswith(NOT_FOUND):
        yield None, invalid("grader_failed (recorded as incorrect)"), None
        return
    if isinstance(value, dict):
        named: Sequence[tuple[str | None, Any]] = [(str(key), one) for key, one in value.items()]
    elif isinstance(value, list):
        named = [(str(number), one) for number, one in enumerate(value, start=1)]
    else:
        named = [(None, value)]
    for criterion, one in named:
        read = reading(one)
        if read.status != "rated" and why:
            read = failed(why) if why == "scoring_failed" else invalid(why)
        yield criterion, read, None if isinstance(one, str) else as_number(one)


def _rater(name: str, grader: str | None) -> str:
    return f"{name} ({grader})" if grader else name


def _type(name: str, grader: str | None) -> str | None:
    return "llm" if grader else "code" if name in CODE else None


def _target(target: Any) -> str | None:
    if isinstance(target, list):
        return "\n".join(map(str, target)) or None
    return as_text(target)


def _resolved(text: Any, attached: Mapping[str, Any]) -> str | None:
    """Long texts are kept once in the sample, as attachments."""
    if isinstance(text, str) and text.startswith("attachment://"):
        text = attached.get(text.removeprefix("attachment://"), text)
    return text if isinstance(text, str) and text else None
