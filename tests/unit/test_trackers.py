"""Results back into MLflow and Langfuse: what is sent, and that the tools take it."""

from __future__ import annotations

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from goldassay.cli import command_line
from goldassay.errors import InputError, MissingExtraError, UsageError
from goldassay.results import Estimate, Interval, Line, Summary, Undefined
from goldassay.trackers import (
    _without_secrets,
    langfuse_scores,
    log_to_langfuse,
    log_to_mlflow,
    tracked,
)

HOSTILE = "../a/b:c\n<&>%"


def document(*labels: str) -> dict[str, Any]:
    """A document of `agree` whose judges have an accuracy of .9 and no kappa."""
    accuracy = Estimate("accuracy", 0.9, Interval(0.85, 0.94, 0.95, "Wilson"), 240, 31)
    kappa = Undefined("cohen_kappa", "one option only", 240)
    lines = tuple(Line(label, (accuracy, kappa, 240)) for label in labels)
    return {
        "schema": "goldassay/1",
        "verb": "agree",
        "answer": ["`gpt` agrees with people on 90 %."],
        "provisional": False,
        "task": {"scale": "binary"},
        "provenance": {
            "version": "0.1.0",
            "inputs": [{"name": "ratings.csv", "sha256": "ab" * 32, "rows": 480}],
            "seed": 1,
            "argv": [],
        },
        "summary": Summary("judge", ("accuracy", "cohen_kappa", "items"), lines).to_json(),
        "results": [],
    }


def test_the_numbers_of_the_summary_have_names() -> None:
    (one,) = tracked(document("gpt"))
    assert (one.key(), one.key(".low")) == ("agree/accuracy/gpt", "agree/accuracy.low/gpt")
    assert one.text == "accuracy 90 % [85, 94], 240 items"
    (hostile,) = tracked(document(HOSTILE))
    assert hostile.key() == "agree/accuracy/_a_b_c ____"


def test_a_report_is_sent_by_its_questions() -> None:
    parts = [document("gpt"), {**document("gpt"), "verb": "select"}]
    keys = [one.key() for one in tracked({**document("gpt"), "parts": parts})]
    assert keys == ["agree/accuracy/gpt", "select/accuracy/gpt"]


def test_bodies_of_langfuse_scores() -> None:
    one, two = langfuse_scores(document("a/b", "a:b"), "dataset-run=r1")
    assert (one["name"], two["name"]) == ("agree/accuracy/a_b", "agree/accuracy/a_b 2")
    assert (one["datasetRunId"], one["value"], one["dataType"]) == ("r1", 0.9, "NUMERIC")
    assert one["comment"] == "accuracy 90 % [85, 94], 240 items"
    assert (one["metadata"]["low"], one["metadata"]["about"]) == (0.85, "a/b")
    again = langfuse_scores(document("a/b", "a:b"), "dataset-run=r1")
    other = langfuse_scores(document("a/b", "a:b"), "session=r1")
    ids = [[score["id"] for score in sent] for sent in ([one, two], again, other)]
    assert ids[0] == ids[1]
    assert len({*ids[0], *ids[2]}) == 4


@pytest.mark.parametrize("subject", ["", "r1", "session=", "observation=1"])
def test_a_score_must_be_about_something(subject: str) -> None:
    with pytest.raises(UsageError, match="dataset-run=ID, session=ID or trace=ID"):
        langfuse_scores(document("gpt"), subject)


def test_a_document_without_numbers_is_refused() -> None:
    with pytest.raises(UsageError, match="no summary with numbers"):
        langfuse_scores(document(), "session=1")


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("mlflow", "langfuse"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MissingExtraError, match=r"goldassay\[mlflow\]"):
        log_to_mlflow(document("gpt"), "mlruns")
    with pytest.raises(MissingExtraError, match=r"goldassay\[langfuse\]"):
        log_to_langfuse(document("gpt"), "http://localhost:1", subject="session=1")


def test_the_command_writes_what_would_be_sent(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results, out = tmp_path / "agree.json", tmp_path / "scores.json"
    results.write_text(json.dumps(document("gpt")))
    words = ["export", str(results), "--for", "langfuse", "--out", str(out)]
    assert command_line([*words, "--subject", "session=s1"]) == 0
    assert "1 score; 1 result is undefined." in capsys.readouterr().out
    assert [one["sessionId"] for one in json.loads(out.read_text())] == ["s1"]
    out.unlink()
    assert command_line(words) == 2
    assert command_line([*words[:-1], "scores.txt", "--subject", "session=s1"]) == 2
    assert command_line(["export", str(results), "--for", "wandb", "--out", str(out)]) == 2
    assert "is label-studio, argilla, mlflow, langfuse" in capsys.readouterr().err
    (tmp_path / "no.json").write_text("{}")
    assert command_line(["export", str(tmp_path / "no.json"), *words[2:]]) == 2
    assert not out.exists()


@pytest.mark.parametrize("key", ["provenance", "task", "answer", "verb", "summary"])
@pytest.mark.parametrize("tool", ["mlflow", "langfuse"])
def test_a_damaged_document_is_one_message(
    tmp_path: Path, key: str, tool: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "agree.json"
    words = ["export", str(path), "--for", tool, "--out", str(tmp_path / "s.json")]
    whole = document("gpt")
    without = {one: value for one, value in whole.items() if one != key}
    cell = {**whole["summary"]["lines"][0]["cells"][0], "value": "much"}
    wrong = {**whole, "summary": {"lines": [{"label": "gpt", "cells": [cell]}]}}
    for damaged in (without if key != "summary" else wrong, {**whole, key: 3}):
        if damaged.get("verb") == 3:
            continue  # a verb of another type is written as text
        path.write_text(json.dumps(damaged))
        assert command_line([*words, "--subject", "session=1"]) == 2
        assert "is damaged (" in capsys.readouterr().err
    assert [one.name for one in tmp_path.iterdir()] == ["agree.json"]


def test_results_without_a_tool_are_pointed_to_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "report.json"
    path.write_text(json.dumps(document("gpt")))
    assert command_line(["export", str(path), "--out", str(tmp_path / "x.jsonl")]) == 2
    assert "Give --for mlflow or --for langfuse" in capsys.readouterr().err


@pytest.mark.parametrize(
    "text", ["https://kim:p@ss@host/a", "https://kim:p@ss/x@host/a", "https://host/a"]
)
def test_no_password_of_an_address_is_told(text: str) -> None:
    assert _without_secrets(text) == "https://host/a"
    assert _without_secrets(f"no answer of {text} today") == "no answer of https://host/a today"


# --- the tools themselves -------------------------------------------------------------------------


@pytest.mark.slow
def test_mlflow_keeps_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A local store of files, read back by MLflow itself."""
    mlflow = pytest.importorskip("mlflow", reason="MLflow is not installed")
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    place = (tmp_path / "mlruns").as_uri()
    run = log_to_mlflow(document("gpt", HOSTILE), place, experiment="judges")
    client = mlflow.MlflowClient(tracking_uri=place)
    kept = client.get_run(run)
    assert kept.data.metrics["agree/accuracy/gpt"] == 0.9
    assert kept.data.metrics["agree/accuracy.low/gpt"] == 0.85
    assert len(kept.data.metrics) == 6  # value and two ends of two judges
    assert kept.data.params["inputs"] == f"ratings.csv {'ab' * 32}"
    assert kept.data.tags["goldassay.undefined"].startswith("agree/cohen_kappa/gpt, ")
    assert kept.info.status == "FINISHED"
    whole = json.loads(
        Path(client.download_artifacts(run, "agree.json", str(tmp_path))).read_text()
    )
    assert whole["verb"] == "agree"
    again = log_to_mlflow(document("gpt"), place, experiment="judges")
    assert client.get_run(again).info.experiment_id == kept.info.experiment_id
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "false")
    with pytest.raises(InputError, match="took no run"):
        log_to_mlflow(document("gpt"), str(tmp_path / "other"))


@pytest.mark.slow
def test_langfuse_takes_the_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its SDK's classes take every body, and its client sends them in one request."""
    pytest.importorskip("langfuse", reason="Langfuse is not installed")
    seen: list[tuple[str, list[dict[str, Any]]]] = []
    answers = [(202, {"message": "Accepted"})]
    answers += [(207, {"accepted": 0, "rejected": 1, "errors": [{"message": "no such run"}]})]

    class Service(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            seen.append((self.path, json.loads(body)))
            status, told = answers[len(seen) - 1]
            text = json.dumps(told).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_: Any) -> None: ...

    server = HTTPServer(("127.0.0.1", 0), Service)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    host = f"http://127.0.0.1:{server.server_port}"
    monkeypatch.setenv("LANGFUSE_PUBLIC_KEY", "pk-1")
    monkeypatch.setenv("LANGFUSE_SECRET_KEY", "sk-secret")
    try:
        assert log_to_langfuse(document("gpt", "other"), host, subject="session=s") == 2
        path, bodies = seen[0]
        assert path == "/api/public/scores"
        assert bodies == langfuse_scores(document("gpt", "other"), "session=s")
        with pytest.raises(
            InputError, match="rejected 1 score of 1; found 'no such run'"
        ) as raised:
            log_to_langfuse(document("gpt"), host, subject="dataset-run=r")
        assert "sk-secret" not in str(raised.value)
        monkeypatch.delenv("LANGFUSE_SECRET_KEY")
        with pytest.raises(UsageError, match="LANGFUSE_SECRET_KEY"):
            log_to_langfuse(document("gpt"), host, subject="session=s")
    finally:
        server.shutdown()
        server.server_close()
