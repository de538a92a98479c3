"""A real model with real weights and log-probabilities, served on loopback."""

from __future__ import annotations

import json
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from goldassay.cli import command_line
from goldassay.judges.realizations import REALIZATIONS
from goldassay.judges.run import run_judges
from goldassay.judges.spec import judge_from_mapping, read_judge

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "live"
sys.path[:0] = [str(EXAMPLE)]

from serve_model import model_file, served  # noqa: E402

MODEL_NAME = "SmolLM2-135M-Instruct"
pytestmark = [
    pytest.mark.model,
    pytest.mark.skipif(model_file() is None, reason="the small model is not installed"),
]


@pytest.fixture(scope="module")
def base_url() -> Iterator[str]:
    with served() as url:
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


@pytest.fixture(scope="module")
def judges(tmp_path_factory: pytest.TempPathFactory, base_url: str) -> list[Path]:
    """The example's judges, asked where the model is served now."""
    folder = tmp_path_factory.mktemp("judges")
    for judge in ("token-probs", "in-words"):
        text = (EXAMPLE / f"{judge}.toml").read_text("utf-8")
        (folder / f"{judge}.toml").write_text(text.replace("http://127.0.0.1:8091/v1", base_url))
    return sorted(folder.iterdir())


def test_the_example_ends_in_a_report(tmp_path: Path, judges: list[Path]) -> None:
    rows = (EXAMPLE / "items.jsonl").read_text("utf-8").splitlines(keepends=True)
    items, store, out = tmp_path / "items.jsonl", tmp_path / "r.db", tmp_path / "report.json"
    items.write_text("".join(rows[:4]))
    named = [word for judge in judges for word in ("--judge", str(judge))]
    assert command_line(["run", *named, "--items", str(items), "--out", str(store)]) == 0
    labels, task = str(EXAMPLE / "labels.csv"), str(EXAMPLE / "task.toml")
    assert command_line(["report", str(store), labels, "--task", task, "--out", str(out)]) == 0
    report = json.loads(out.read_text())
    assert {row["judge"] for row in report["results"]} >= {"in-words", "token-probs"}
    assert "simulated-1" in out.read_text()


def test_a_call_goes_on_from_the_last_ones_prompt(tmp_path: Path, judges: list[Path]) -> None:
    """The instructions and the question are evaluated once for the two answers to a question."""
    items = tmp_path / "items.jsonl"
    rows = (EXAMPLE / "items.jsonl").read_text("utf-8").splitlines(keepends=True)
    items.write_text("".join(rows[:2]))
    for judge in judges:
        store = tmp_path / f"{judge.stem}.db"
        assert run_judges([read_judge(judge)], items, store).reason == "complete"
        with closing(sqlite3.connect(store)) as opened:
            bodies = opened.execute("SELECT response FROM calls ORDER BY call").fetchall()
        second = json.loads(bodies[1][0])["timings"]
        assert second["cache_n"] > 3 * second["prompt_n"]
