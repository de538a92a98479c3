"""What a log says besides (a topic, tags) is a column of its ratings, so that `by` counts by it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import tool_logs as logs

import goldassay
from goldassay.errors import InputError
from goldassay.proposals.propose import guessed_ratings
from goldassay.sources.importers import IMPORTERS, read_log

Records = list[dict[str, Any]]
LAW = {"topic": "law"}
#: Their logs here are on several scales, of which one has to be chosen.
SEVERAL_SCALES = ("promptfoo-csv", "mlflow", "opik", "judge-bench")
RATERS = (("kim", "human"), ("acme", "judge"))


def _each(made: Callable[[], Records], **more: Any) -> Records:
    return [one | more for one in made()]


def _inspect(folder: Path) -> Path:
    samples = [one | {"metadata": LAW} for one in logs.inspect_samples()]
    return logs.write_eval(folder / "log.eval", logs.inspect_log(*samples))


def _promptfoo(folder: Path) -> Path:
    whole = logs.promptfoo()
    for one in whole["results"]["results"]:
        one["testCase"]["metadata"] = LAW
    return logs.write_json(folder / "results.json", whole)


def _deepeval(folder: Path) -> Path:
    whole = logs.deepeval()
    for case in whole["testCases"]:
        case["additionalMetadata"] = LAW
    return logs.write_json(folder / "run.json", whole)


def _label_studio(folder: Path) -> Path:
    tasks = logs.label_studio()
    for task in tasks:
        task["data"] |= LAW
    return logs.write_json(folder / "export.json", tasks)


def _lm_eval(folder: Path) -> Path:
    samples = [one | {"doc": one["doc"] | {"subject": "law"}} for one in logs.lm_eval()]
    return logs.write_lines(folder / "samples_sums_2026-11-01T00-00-00.000000.jsonl", samples)


def _openai_evals(folder: Path) -> Path:
    events = [
        one | {"data": one["data"] | {"metadata": LAW}} if one.get("type") == "sampling" else one
        for one in logs.openai_evals()
    ]
    return logs.write_lines(folder / "evals.jsonl", events)


def _mqm(folder: Path) -> Path:
    head, *rows = logs.MQM.splitlines()
    path = folder / "mqm.tsv"
    path.write_text("\n".join([f"{head}\ttopic", *(f"{row}\tlaw" for row in rows)]) + "\n")
    return path


def _promptfoo_csv(folder: Path) -> Path:
    path = folder / "promptfoo.csv"
    path.write_text(logs.PROMPTFOO_CSV)
    return path


#: Tool -> its log with a topic where the tool keeps such things.
PLACES: dict[str, Callable[[Path], Path]] = {
    "inspect": _inspect,
    "promptfoo": _promptfoo,
    "promptfoo-csv": _promptfoo_csv,
    "deepeval": _deepeval,
    "label-studio": _label_studio,
    "lm-eval": _lm_eval,
    "openai-evals": _openai_evals,
    "mqm": _mqm,
    "mlflow": lambda f: logs.write_lines(f / "traces.jsonl", logs.mlflow()),
    "opik": lambda f: logs.write_lines(f / "opik.jsonl", logs.opik()),
    "doccano": lambda f: logs.write_lines(f / "kim.jsonl", logs.doccano()),
    "braintrust": lambda f: logs.write_json(f / "b.json", _each(logs.braintrust, metadata=LAW)),
    "ragas": lambda f: logs.write_csv(f / "ragas.csv", _each(logs.ragas, topic="law")),
    "langfuse": lambda f: logs.write_csv(
        f / "scores.csv", _each(logs.langfuse, metadata='{"topic": "law"}')
    ),
    "langsmith": lambda f: logs.write_lines(f / "f.jsonl", _each(logs.langsmith, extra=LAW)),
    "phoenix": lambda f: logs.write_csv(
        f / "annotations.csv", _each(logs.phoenix, **{"attributes.metadata.topic": "law"})
    ),
    "argilla": lambda f: logs.write_json(f / "records.json", _each(logs.argilla, metadata=LAW)),
    "mt-bench": lambda f: logs.write_lines(
        f / "acme-4_single.jsonl", _each(logs.mt_bench, topic="law")
    ),
    "alpaca-eval": lambda f: logs.write_json(
        f / "annotations.json", _each(logs.alpaca_eval, topic="law")
    ),
}
#: Their records have no place for it: answers of an endpoint, and published tables.
NO_PLACE = {"batch", "judge-bench", "justrank", "arena-battles", "labelbox"}


def test_every_importer_is_here() -> None:
    assert {*PLACES} | NO_PLACE == {*IMPORTERS}


@pytest.mark.parametrize("tool", PLACES)
def test_the_topic_arrives(tool: str, tmp_path: Path) -> None:
    ratings = read_log(PLACES[tool](tmp_path), tool=tool).ratings
    column = "subject" if tool == "lm-eval" else "topic"
    assert column in ratings.columns
    assert ("law",) in ratings.project(column).distinct().fetchall()


def test_what_is_known_of_a_run_or_a_trace_arrives(tmp_path: Path) -> None:
    run = logs.deepeval() | {"hyperparameters": {"model": "acme-1", "prompt version": "3"}}
    found = read_log(logs.write_json(tmp_path / "run.json", run), tool="deepeval").ratings
    assert found.project('"prompt version"').distinct().fetchall() == [("3",)]
    assert "log_model" not in found.columns
    about = {"trace": {"tags": ["b", "a"], "environment": "prod", "userId": "u"}}
    scores = _each(logs.langfuse, **about)
    found = read_log(logs.write_lines(tmp_path / "s.jsonl", scores), tool="langfuse").ratings
    assert found.project("environment, tags").distinct().fetchall() == [("prod", "a|b")]


@pytest.mark.parametrize("tool", ["mlflow", "argilla", "label-studio", "langfuse"])
def test_results_by_topic(tool: str, tmp_path: Path) -> None:
    ratings = read_log(PLACES[tool](tmp_path), tool=tool).ratings
    criterion = {"mlflow": "correct", "langfuse": "helpful", "argilla": "label"}.get(tool)
    only = {"criterion": criterion} if criterion else {}
    options = ["true", "false"] if tool == "mlflow" else ["yes", "no"]
    task = {"scale": "binary", "options": options, "positive": options[0], "undeclared": "invalid"}
    found = goldassay.agree(ratings, task, only=only, by=["topic"], resamples=100)
    assert any(row.about.get("topic") == "law" for row in found.rows)


@pytest.mark.parametrize("tool", sorted({*IMPORTERS} - {"justrank", "arena-battles"}))
def test_a_log_is_read_as_it_is_and_not_asked_about_its_own_columns(
    tool: str, tmp_path: Path
) -> None:
    path = logs.every_log(tmp_path)[tool]
    if tool in SEVERAL_SCALES:
        with pytest.raises(InputError, match="--only criterion="):
            guessed_ratings(path)
        return
    ratings, draft = guessed_ratings(path)
    imported = read_log(path, tool=tool).ratings.project("rater, kind").distinct().fetchall()
    kinds = {kind: {rater for rater, k in imported if k == kind} for kind in ("judge", "human")}
    assert (set(ratings.judges), set(ratings.humans)) == (kinds["judge"], kinds["human"])
    own = ("`score`", "`raw`", "`reason`", "`rater_type`")
    assert not [one for one in draft.questions if any(name in one for name in own)]


@pytest.mark.parametrize("column", ["score", "cost", "latency", "weight"])
def test_a_number_of_each_rating_is_no_group(column: str, tmp_path: Path) -> None:
    rows = [f"{n},{r},{k},{'yes' if n % 3 else 'no'},0.{n}" for n in range(9) for r, k in RATERS]
    path = tmp_path / "ratings.csv"
    path.write_text("\n".join([f"item,rater,kind,value,{column}", *rows]))
    with pytest.raises(InputError, match=f"column {column}: must hold names of groups"):
        goldassay.agree(path, by=[column], resamples=100)
