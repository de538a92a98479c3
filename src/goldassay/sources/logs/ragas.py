"""ragas' results: `result.to_pandas()` written as CSV, JSON lines or Parquet.

Read as of ragas 0.4 (`user_input`, `response`, ...) and 0.1 (`question`, `answer`, ...). Every
other column of numbers is a metric and so a criterion, one of short texts a tag; NaN and empty
cells are failed ratings, which ragas leaves out of its mean. The judge's model is not in the file:
name it with --judge. A column `human_faithfulness` (or `human_faithful`) beside `faithfulness`,
which a team added, is a person's.
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
    as_number,
    as_text,
    digest,
    failed,
    reading,
    tags,
)
from goldassay.sources.logs.people import people_beside
from goldassay.sources.logs.reading import LogFile

__all__ = ["ratings", "recognises"]

QUESTION, ANSWER = ("user_input", "question"), ("response", "answer", "multi_responses")
REFERENCE = ("reference", "ground_truth", "ground_truths")
TEXTS = {
    *QUESTION,
    *ANSWER,
    *REFERENCE,
    "retrieved_contexts",
    "reference_contexts",
    "contexts",
    "reference_topics",
    "rubrics",
    "rubric",
    "retrieved_context_ids",
    "reference_context_ids",
    "reference_tool_calls",
    "persona_name",
    "query_style",
    "query_length",
    "synthesizer_name",
}
#: What ragas says of the questions that it made.
ABOUT = ("persona_name", "query_style", "query_length", "synthesizer_name")
IDENTIFIERS = ("id", "item", "sample_id", "question_id", "Unnamed: 0", "")
EMPTY = ("", "nan", "none", "null")


#: Columns of ragas' own, one of which its results have: contexts, references, its first metrics. A
#: question and an answer beside numbers is anybody's table.
OWN = {
    *("user_input", "retrieved_contexts", "reference_contexts", "contexts", "ground_truth"),
    *("ground_truths", "multi_responses", "faithfulness", "answer_relevancy", "answer_relevance"),
    *("answer_correctness", "answer_similarity", "context_precision", "context_recall"),
    *("context_relevancy", "context_relevance", "context_entity_recall", "factual_correctness"),
}


def recognises(log: LogFile) -> bool:
    if log.form not in ("csv", "jsonl", "json", "parquet"):
        return False
    columns = set(log.first)
    has_texts = any(name in columns for name in QUESTION) and any(
        name in columns for name in (*ANSWER, "retrieved_contexts", "contexts")
    )
    own = bool(columns & OWN)
    return own and has_texts and any(_is_metric(log.first[name], name) for name in columns)


def ratings(log: LogFile) -> Iterator[Part]:
    rows: list[Mapping[str, Any]] = []
    for one in log.records():
        if isinstance(one, LeftOut):
            yield one
        else:
            rows.append(one)
    columns = list(dict.fromkeys(name for row in rows for name in row))
    identifier = next((name for name in IDENTIFIERS if name in columns), None)
    metrics = [
        name
        for name in columns
        if name not in TEXTS
        and name != identifier
        and all(_is_metric(row.get(name), name) for row in rows)
        and any(as_number(row.get(name)) is not None for row in rows)
    ]
    people = people_beside(metrics, [m for m in metrics if not people_beside([m], ["any"])])
    others = [name for name in columns if name not in (*TEXTS, *metrics, identifier)]
    others += [name for name in ABOUT if name in columns]
    long = [name for name in others if not any(tags({name: row.get(name)}) for row in rows)]
    if long:
        yield Note(f"Columns that hold no numbers or short texts, not read: {', '.join(long)}.")
    for number, row in enumerate(rows, start=1):
        output = as_text(_one_of(row, ANSWER))
        about: dict[str, Any] = {
            "item": (as_text(row[identifier]) if identifier is not None else None) or str(number),
            "asked": digest(as_text(_one_of(row, QUESTION)) or ""),
            "attempt": digest(output or ""),
        }
        yield Text(
            **about,
            input=as_text(_one_of(row, QUESTION)),
            output=output,
            reference=as_text(_one_of(row, REFERENCE)),
        )
        about["tags"] = tags({name: row.get(name) for name in others})
        for name in metrics:
            score = as_number(row.get(name))
            who, criterion = people.get(name, (None, name))
            if who is not None and score is None:
                continue  # nobody was asked
            read = failed("the metric has no score") if score is None else reading(score)
            rater = (who, "human") if who else (None, "llm")
            yield Rating(
                **about,
                rater=rater[0],
                kind="human" if who else "judge",
                rater_type=rater[1],
                criterion=criterion,
                **read._asdict(),
                score=None if who else score,
            )


def _is_metric(value: Any, name: str) -> bool:
    """Whether a cell may be one of a metric's: a number, or none."""
    if name in TEXTS or name in IDENTIFIERS:
        return False
    blank = value is None or (isinstance(value, float) and value != value)  # noqa: PLR0124
    return blank or as_number(value) is not None or str(value).casefold() in EMPTY


def _one_of(row: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    return next((row[name] for name in names if row.get(name) not in (None, "")), None)
