"""deepeval's test runs: `.deepeval/.latest_run_full.json` and `test_run_<time>.json`.

Read as written by deepeval 4.3 (`testCases` and `conversationalTestCases` with `metricsData`), also
in snake case and inside `testRunData`. A metric is a criterion, its evaluation model the judge:
pass or fail by deepeval's threshold, beside the score. A metric without a score is a failed rating.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from goldassay.sources.logs.parts import (
    Judge,
    LeftOut,
    Part,
    Rating,
    Text,
    as_number,
    as_table,
    as_tables,
    as_text,
    digest,
    failed,
    field_of,
    passed,
    tags,
)
from goldassay.sources.logs.reading import LogFile

__all__ = ["ratings", "recognises"]


def recognises(log: LogFile) -> bool:
    cases = _cases(_run(log))
    return bool(cases) and any("metricsData" in one or "metrics_data" in one for one in cases)


def ratings(log: LogFile) -> Iterator[Part]:
    run = _run(log)
    of_run = as_table(run.get("hyperparameters"))
    system = as_text(of_run.get("model"))
    for number, case in enumerate(_cases(run), start=1):
        output = as_text(field_of(case, "actualOutput") or field_of(case, "turns"))
        about: dict[str, Any] = {
            "item": as_text(case.get("name")) or str(number),
            "asked": digest(as_text(case.get("input") or case.get("scenario")) or ""),
            "system": system,
            "attempt": digest(output or ""),
        }
        yield Text(
            **about,
            input=as_text(case.get("input") or case.get("scenario")),
            output=output,
            reference=as_text(
                field_of(case, "expectedOutput") or field_of(case, "expectedOutcome")
            ),
        )
        metrics = field_of(case, "metricsData")
        about["tags"] = tags(
            field_of(case, "additionalMetadata"),
            field_of(case, "metadata"),
            {key: value for key, value in of_run.items() if key != "model"},
            tags=case.get("tags"),
        )
        for metric in as_tables(metrics):
            if model := as_text(field_of(metric, "evaluationModel")):
                yield Judge(rater=model, model=model)
            yield _of_metric(metric, about)
        if not as_tables(metrics):
            yield LeftOut("a test case without a metric")


def _run(log: LogFile) -> Mapping[str, Any]:
    return as_table(log.object.get("testRunData")) or log.object


def _cases(run: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [
        *as_tables(field_of(run, "testCases")),
        *as_tables(field_of(run, "conversationalTestCases")),
    ]


def _of_metric(metric: Mapping[str, Any], about: Mapping[str, Any]) -> Rating:
    score, error = as_number(metric.get("score")), as_text(metric.get("error"))
    read = passed(metric.get("success"))
    if error or score is None:
        read = failed("the metric stopped with an error" if error else "the metric has no score")
    model = as_text(field_of(metric, "evaluationModel"))
    return Rating(
        **about,
        rater=model or "deepeval",
        rater_type="llm" if model else None,
        criterion=as_text(metric.get("name")),
        **read._asdict(),
        score=score,
        raw=error or as_text(metric.get("reason")),
        cost=as_number(field_of(metric, "evaluationCost")),
    )
