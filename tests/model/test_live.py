"""A real model with real weights and log-probabilities, served on loopback."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from goldassay.cli import command_line
from goldassay.judges.realizations import REALIZATIONS
from goldassay.judges.run import run_judges
from goldassay.judges.spec import judge_from_mapping
from goldassay.lab import live_demo
from goldassay.lab.local_model import INSTALL, MODEL_NAME, local_model, model_file

pytestmark = [
    pytest.mark.model,
    pytest.mark.skipif(model_file() is None, reason=f"the small model is not installed: {INSTALL}"),
]


@pytest.fixture(scope="module")
def base_url() -> Iterator[str]:
    with local_model() as url:
        yield url


def test_every_realization_end_to_end(tmp_path: Path, base_url: str) -> None:
    items = tmp_path / "items.jsonl"
    row = {
        "item": "q1",
        "system": "s1",
        "input": "What is 2 + 2?",
        "output": "4",
        "output_b": "5",
        "opponent": "s0",
    }
    items.write_text(json.dumps(row) + "\n")
    judges = [
        judge_from_mapping(
            {
                "name": name,
                "model": MODEL_NAME,
                "base_url": base_url,
                "realization": name,
                "concurrency": 2,
                "timeout": 300,
                "parameters": {
                    "temperature": 0,
                    "max_tokens": built_in.max_tokens if built_in.max_tokens == 1 else 24,
                },
            },
            place=name,
        )
        for name, built_in in REALIZATIONS.items()
    ]
    outcome = run_judges(judges, items, tmp_path / "r.db")
    assert outcome.reason == "complete"
    store = sqlite3.connect(tmp_path / "r.db")
    rows = store.execute("SELECT rater, status, value, score, model FROM ratings").fetchall()
    offers = json.loads(store.execute("SELECT capabilities FROM endpoints").fetchone()[0])
    store.close()
    assert len(rows) == 10  # two orders for anchor and pairwise
    assert {rater for rater, *_ in rows} == set(REALIZATIONS)
    assert {status for _, status, *_ in rows} <= {"rated", "abstained", "invalid"}
    assert all(model for *_, model in rows)
    assert offers["top_logprobs"] == 20
    by_judge = {row[0]: row for row in rows}
    assert by_judge["token_probs"][1] == "rated"
    assert 0 < by_judge["token_probs"][3] < 1


def test_the_live_demo_ends_in_a_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_demo, "QUESTIONS", live_demo.QUESTIONS[:2])
    assert command_line(["demo", "--live", "--out", str(tmp_path / "demo")]) == 0
    shown = capsys.readouterr().out
    assert "simulated" in shown
    assert "Its verdicts are real" in shown
    report = json.loads((tmp_path / "demo" / "report.json").read_text())
    assert {row["judge"] for row in report["results"]} >= {"in-words", "token-probs"}
    page = (tmp_path / "demo" / "report.html").read_text()
    assert "simulated-1" in page
    assert "The 3 people are simulated" in page
    assert "the report is of these" not in page


def test_a_call_goes_on_from_the_last_ones_prompt(tmp_path: Path, base_url: str) -> None:
    """The instructions and the question are evaluated once for the two answers to a question."""
    items = tmp_path / "items.jsonl"
    rows = live_demo._rows(live_demo.QUESTIONS[:1])
    items.write_text("".join(json.dumps(row) + "\n" for row in rows))
    for name in live_demo.JUDGES:
        judge = live_demo._judge(tmp_path, name, base_url)
        assert run_judges([judge], items, tmp_path / f"{name}.db").reason == "complete"
        with closing(sqlite3.connect(tmp_path / f"{name}.db")) as store:
            bodies = store.execute("SELECT response FROM calls ORDER BY call").fetchall()
        second = json.loads(bodies[1][0])["timings"]
        assert second["cache_n"] > 3 * second["prompt_n"]
