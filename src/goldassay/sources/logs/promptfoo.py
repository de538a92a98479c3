"""promptfoo's results: the JSON file of `--output`, and its JSONL.

Read as versions 3 and 4 of the file (`results.results`, a list of results with `gradingResult`),
and version 2, which has the same list beside a table. Every assertion's result is a rating, pass or
fail with its score; model-graded assertions are judges, named with the grader where the file says
it; an assertion of the type `human` is a person's. The criterion is the assertion's metric, else
its rubric. A named score that no assertion carries is a rating of its own. A grader's error is a
failed rating and an unreadable grade an invalid one, though promptfoo records both as score 0.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from goldassay.sources.logs.parts import (
    Judge,
    LeftOut,
    Part,
    Rating,
    Reading,
    Text,
    as_number,
    as_table,
    as_tables,
    as_text,
    digest,
    failed,
    invalid,
    passed,
    reading,
    tags,
)
from goldassay.sources.logs.reading import LogFile

__all__ = ["NO_GRADE", "UNREADABLE", "ratings", "recognises"]

MODEL_GRADED = {
    "answer-relevance",
    "context-faithfulness",
    "context-recall",
    "context-relevance",
    "conversation-relevance",
    "factuality",
    "g-eval",
    "llm-rubric",
    "model-graded-closedqa",
    "model-graded-factuality",
    "search-rubric",
    "select-best",
    "trajectory:goal-success",
    "pi",
}
#: How the reason begins of a grade that could not be read, and of none; both have score 0.
UNREADABLE, NO_GRADE = "Could not extract JSON from", ("No output", "API error")
GRADED = {"gradingResult", "success", "vars"}


def recognises(log: LogFile) -> bool:
    rows = _rows(log.object)
    if rows is None:
        return log.form == "jsonl" and set(log.first) >= GRADED
    return not rows or (isinstance(rows[0], dict) and len(GRADED & set(rows[0])) > 1)


def ratings(log: LogFile) -> Iterator[Part]:
    rows = _rows(log.object)
    grader = _default_grader(log.object.get("config"))
    tests: dict[str, str] = {}
    prompts: dict[str, int] = {}
    results = list(log.records() if rows is None else rows)
    for row in results:
        if isinstance(row, dict):
            prompts.setdefault(_prompt(row), len(prompts) + 1)
    for number, row in enumerate(results):
        if isinstance(row, LeftOut):
            yield row
        elif not isinstance(row, dict):
            yield LeftOut("a result that is no object")
        else:
            yield from _of_result(row, number, tests, prompts, grader)


def _rows(document: Mapping[str, Any]) -> list[Any] | None:
    results = document.get("results")
    inner = results.get("results") if isinstance(results, dict) else results
    return inner if isinstance(inner, list) else None


def _of_result(
    row: Mapping[str, Any],
    number: int,
    tests: dict[str, str],
    prompts: Mapping[str, int],
    grader: str | None,
) -> Iterator[Part]:
    case = as_table(row.get("testCase"))
    index = row.get("testIdx", number)
    # With --repeat a test has a new number each time; it is the same test all the same.
    asked = {"vars": row.get("vars") or case.get("vars"), "about": case.get("description")}
    test = digest(json.dumps(asked, sort_keys=True, default=str))
    response = row.get("response")
    output = as_text(response.get("output") if isinstance(response, dict) else response)
    about: dict[str, Any] = {
        "item": tests.setdefault(test, str(index)),
        "asked": test,
        "system": _system(row, prompts),
        "attempt": digest(output) if output is not None else f"no output {index}",
    }
    yield Text(**about, input=_input(row, asked["vars"]), output=output)
    grading = as_table(row.get("gradingResult"))
    given = as_tables(grading.get("componentResults"))
    if not given and isinstance(grading.get("assertion"), dict):
        given = [grading]
    flat = list(_flat(given))
    about["tags"] = tags(
        case.get("metadata"),
        row.get("metadata"),
        row.get("vars"),
        description=case.get("description"),
        system_cost=row.get("cost"),
        system_latency_ms=row.get("latencyMs"),
    )
    for assertion in (as_table(one.get("assertion")) for one in flat):
        if _asks_model(assertion):
            yield _judge(assertion, grader)
    for one in flat:
        yield _of_assertion(one, about, grader)
    named = {_criterion(one.get("assertion")) for one in flat}
    scores = as_table(row.get("namedScores"))
    for name, value in scores.items():
        if name not in named:
            read = reading(value)
            yield Rating(
                **about, rater="promptfoo", criterion=name, **read._asdict(), score=as_number(value)
            )
    if flat or scores:
        return
    error = as_text(row.get("error"))
    if row.get("failureReason") == 2 or (error and not grading):
        declared = as_tables(case.get("assert"))
        for assertion in declared:
            yield _rating(
                assertion, about, grader, failed("the test stopped with an error"), raw=error
            )
        if declared:
            return
    yield LeftOut("a result without an assertion" + (" (it stopped with an error)" * bool(error)))


def _flat(components: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The results of single assertions; those of an assert-set are inside it."""
    for one in components:
        if inner := as_tables(one.get("componentResults")):
            yield from _flat(inner)
        else:
            yield one


def _of_assertion(
    result: Mapping[str, Any], about: Mapping[str, Any], grader: str | None
) -> Rating:
    assertion = result.get("assertion")
    reason = as_text(result.get("reason"))
    read = passed(result.get("pass"))
    if not result.get("pass") and (told := reason or ""):
        # promptfoo says so itself since it has `graderError`; older files have the reason only.
        said = as_table(result.get("metadata")).get("graderError") is True
        if _asks_model(assertion) and told.startswith(UNREADABLE):
            read = invalid("the grade could not be read (recorded as score 0)")
        elif said or (_asks_model(assertion) and told.startswith(NO_GRADE)):
            read = failed("the grader failed (recorded as score 0)")
    return _rating(
        assertion,
        about,
        grader,
        read,
        raw=as_text(result.get("comment")) or reason,
        score=as_number(result.get("score")),
    )


def _rating(
    assertion: Any,
    about: Mapping[str, Any],
    grader: str | None,
    read: Reading,
    *,
    raw: str | None,
    score: float | None = None,
) -> Rating:
    kind = _kind(assertion)
    if _asks_model(assertion):
        who, how = _judge(assertion, grader).rater, "llm"
    else:
        who, how = (kind, "human" if kind == "human" else "code")
    return Rating(
        **about,
        rater=who,
        kind="human" if kind == "human" else "judge",
        rater_type=how,
        criterion=_criterion(assertion),
        **read._asdict(),
        raw=raw,
        score=score,
    )


def _judge(assertion: Mapping[str, Any], grader: str | None) -> Judge:
    kind, provider = _kind(assertion), assertion.get("provider")
    model = _provider(provider) or grader
    return Judge(
        rater=f"{kind} ({model})" if model else kind,
        model=model,
        prompt=as_text(assertion.get("rubricPrompt")),
        rubric=as_text(assertion.get("value")),
        parameters=as_text(as_table(provider).get("config")),
        realization=kind,
    )


def _kind(assertion: Any) -> str:
    kind = assertion.get("type") if isinstance(assertion, dict) else None
    return kind if isinstance(kind, str) else "assertion"


def _asks_model(assertion: Any) -> bool:
    return _kind(assertion).removeprefix("not-") in MODEL_GRADED


def _criterion(assertion: Any) -> str | None:
    """The metric's name; else the rubric, which is what is judged."""
    if not isinstance(assertion, dict):
        return None
    return as_text(assertion.get("metric")) or as_text(assertion.get("value"))


def _system(row: Mapping[str, Any], prompts: Mapping[str, int]) -> str | None:
    provider = _provider(row.get("provider"))
    number = prompts.get(_prompt(row), 1)
    return f"{provider}, prompt {number}" if provider and len(prompts) > 1 else provider


def _prompt(row: Mapping[str, Any]) -> str:
    """The template; what is filled in differs by test."""
    prompt = row.get("prompt")
    label = prompt.get("label") or prompt.get("raw") if isinstance(prompt, dict) else prompt
    return str(row.get("promptId") or label or "")


def _provider(provider: Any) -> str | None:
    if isinstance(provider, dict):
        provider = provider.get("label") or provider.get("id")
    return provider if isinstance(provider, str) and provider else None


def _default_grader(config: Any) -> str | None:
    test = as_table(as_table(config).get("defaultTest"))
    provider = as_table(test.get("options")).get("provider")
    if isinstance(provider, dict) and "text" in provider:
        provider = provider["text"]
    return _provider(provider)


def _input(row: Mapping[str, Any], variables: Any) -> str | None:
    prompt = row.get("prompt")
    raw = prompt.get("raw") if isinstance(prompt, dict) else prompt
    return as_text(raw) or as_text(variables)
