"""Known figures of published ratings, out of the command line with the examples' task files.

The data are read in place from the shared folder beside the project (or GOLDASSAY_SHARED); without
it these tests are skipped.
"""

from __future__ import annotations

import importlib.util
import json
import os
from pathlib import Path

import pytest
from internals import command_line as run

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("GOLDASSAY_SHARED", ROOT.parent / "shared"))
DATA = SHARED / "data" if (SHARED / "data").is_dir() else ROOT.parents[1] / "shared" / "data"

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the folder of real ratings is absent")


def study(
    tmp_path,
    capsys,
    example: str,
    folder: str,
    *form: str,
    task: str = "task.toml",
    extra: tuple[str, ...] = (),
) -> dict:
    spec = importlib.util.spec_from_file_location(
        example, ROOT / "examples" / example / "convert.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    table = tmp_path / "ratings.csv"
    module.main(str(DATA / folder), str(table), *form)
    argv = ["agree", str(table), "--task", str(ROOT / "examples" / example / task), "--json"]
    assert run([*argv, "--resamples", "200", *extra]) == 0
    return json.loads(capsys.readouterr().out)


def value(doc: dict, name: str, **about: str) -> float:
    asked = {"mode": None, **about}  # the declared handling unless another is asked for
    rows = [
        row
        for row in doc["results"]
        if row["name"] == name and all(row.get(k) == v for k, v in asked.items())
    ]
    assert len(rows) == 1
    return rows[0]["value"]


def test_pandalm(tmp_path, capsys) -> None:
    doc = study(tmp_path, capsys, "agree_pandalm", "pandalm/data")
    matrix = doc["tables"]["people: kappa"]["rows"]
    kappas = [round(matrix[0][2], 3), round(matrix[0][3], 3), round(matrix[1][3], 3)]
    assert kappas == [0.852, 0.879, 0.862]
    assert value(doc, "human_unanimous_rate") == pytest.approx(0.88, abs=0.005)
    assert value(doc, "accuracy", judge="gpt-3.5-turbo") == pytest.approx(0.716, abs=5e-4)
    as_wrong = value(doc, "accuracy", judge="gpt-3.5-turbo", mode="invalid as wrong")
    assert as_wrong == pytest.approx(0.698, abs=5e-4)
    assert value(doc, "accuracy", judge="pandalm-7b") == pytest.approx(0.668, abs=5e-4)
    assert value(doc, "invalid_rate", judge="gpt-3.5-turbo") == pytest.approx(25 / 999)
    assert value(doc, "tie_rate", judge="gpt-3.5-turbo") == pytest.approx(38 / 999)


def test_length_on_pandalm(tmp_path, capsys) -> None:
    items = str(tmp_path / "items.csv")
    doc = study(tmp_path, capsys, "agree_pandalm", "pandalm/data", items, extra=("--texts", items))
    assert value(doc, "length_log_odds", judge="pandalm-7b") == pytest.approx(0.149, abs=5e-4)
    assert value(doc, "length_log_odds", judge="gpt-3.5-turbo") == pytest.approx(0.067, abs=5e-4)
    # 999 pairs of 170 prompts: resampled by prompt, the leaning of neither judge is beyond doubt.
    assert not [text for text in doc["answer"] if "leans to longer texts" in text]


def test_llmbar(tmp_path, capsys) -> None:
    items = str(tmp_path / "items.csv")
    doc = study(
        tmp_path, capsys, "agree_llmbar", "llmbar/Dataset/LLMBar", items, extra=("--texts", items)
    )
    # Made so that the worse output often looks better: weak judges follow length.
    assert value(doc, "length_log_odds", judge="ChatGPT CoT") > 0.3
    assert value(doc, "length_log_odds", judge="GPT-4 CoT") < 0.3
    assert value(doc, "accuracy", judge="GPT-4 CoT") == pytest.approx(0.813, abs=5e-4)
    consistency = value(doc, "position_consistency", judge="GPT-4 CoT")
    assert consistency == pytest.approx(0.893, abs=5e-4)
    assert value(doc, "first_position_rate", judge="ChatGPT") > 0.6


def test_llm_rubric(tmp_path, capsys) -> None:
    doc = study(
        tmp_path,
        capsys,
        "agree_llm_rubric",
        "llm_rubric/data/real_data",
        "expected",
        task="task_expected.toml",
        extra=("--by", "criterion"),
    )
    assert value(doc, "pearson", criterion="Q0") == pytest.approx(0.177, abs=5e-4)
    doc = study(
        tmp_path,
        capsys,
        "agree_llm_rubric",
        "llm_rubric/data/real_data",
        "verdict",
        task="task_verdict.toml",
    )
    assert doc["rows"]["read"] == doc["rows"]["used"] + doc["rows"]["excluded"]
    assert value(doc, "human_abstention_rate") == pytest.approx(306 / 2007)


def test_composo(tmp_path, capsys) -> None:
    doc = study(tmp_path, capsys, "agree_composo", "composo_rb2", "mean")
    found = {
        judge: round(value(doc, "accuracy", judge=judge), 3)
        for judge in ("GPT full", "GPT mini", "Claude full", "Claude mini")
    }
    assert found == {
        "GPT full": 0.815,
        "GPT mini": 0.792,
        "Claude full": 0.827,
        "Claude mini": 0.848,
    }
