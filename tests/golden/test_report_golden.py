"""Golden files: the Markdown of a report and the JSON of a report and of a diff, byte for byte.

`GOLDASSAY_UPDATE_GOLDEN=1 pytest tests/golden` writes them anew; read the difference before keeping
it.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
import sample_documents

from goldassay.cli import common, diff, report
from goldassay.ratings.table import read_ratings
from goldassay.ratings.task import Task
from goldassay.rendering.markdown import render_markdown
from goldassay.rendering.text import render_text
from goldassay.results import Estimate, Findings, Interval, Provenance, Table, dumps, envelope

HERE = Path(__file__).parent
TASK = Task(scale="binary", options=("yes", "no"), positive="yes")


def check(name: str, text: str) -> None:
    file = HERE / name
    if os.environ.get("GOLDASSAY_UPDATE_GOLDEN"):
        file.write_text(text, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == text


def find(ratings: Any, *, seed: int, resamples: int) -> Findings:
    """A verb with one judge: an estimate, a table and a chart."""
    findings = Findings(answer=["gpt agrees well.", "It abstains never."])
    interval = Interval(0.7, 0.9, 0.95, f"bootstrap ({resamples}, seed {seed})")
    findings.add(Estimate("accuracy", 0.8, interval, 10, 10), judge="gpt", level="micro")
    findings.tables["counts"] = Table("Counts", ("people", "yes", "no"), (("yes", 4, 1),))
    row = {"label": "gpt", "value": 0.8, "low": 0.7, "high": 0.9}
    findings.charts.append(
        {
            "kind": "dot_interval",
            "title": "Agreement",
            "x_label": "accuracy",
            "rows": [row],
            "references": [],
            "alt": "gpt agrees on .8.",
        }
    )
    return findings


@pytest.fixture
def document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.setattr(report, "_find", {"agree": find}.get)
    monkeypatch.setattr("sys.argv", ["goldassay", "report", "ratings.csv", "--task", "task.toml"])
    monkeypatch.chdir(tmp_path)
    lines = ["item,rater,kind,value"]
    for k in range(10):
        truth = "yes" if k % 2 else "no"
        lines += [f"i{k},ann,human,{truth}", f"i{k},gpt,judge,{'no' if k < 2 else truth}"]
    Path("ratings.csv").write_text("\n".join(lines) + "\n")
    table = read_ratings("ratings.csv", TASK)
    return report.report_document(
        table, source="ratings.csv", task_file="task.toml", seed=1, resamples=2000
    )


def test_markdown() -> None:
    check("report.md", render_markdown(sample_documents.report()))


def test_text() -> None:
    check("report.txt", render_text(sample_documents.report(), width=100))


def test_report_json(document: dict[str, Any]) -> None:
    check("report.json", dumps(document))


def test_diff_json(document: dict[str, Any]) -> None:
    findings = diff.changes(document, document, renamed={}, resamples=500, seed=1)
    made = envelope("diff", findings, task=TASK.to_json(), provenance=Provenance("0.1.0"))
    check("diff.json", dumps(made))


def test_forms_are_those_that_out_takes() -> None:
    document = sample_documents.report()
    for suffix in (".json", ".md", ".html", ".txt"):
        assert common.rendered(document, suffix) == common.rendered(document, suffix)
