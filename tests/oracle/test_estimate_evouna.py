"""The example on EVOUNA: 200 labelled questions against the labels of all 3,020."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from internals import command_line as run

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("GOLDASSAY_SHARED", ROOT.parent / "shared")) / "data"
SOURCE = DATA / "evouna_qaeval" / "EVOUNA" / "NQ.json"
EXAMPLE = ROOT / "examples" / "estimate_evouna"


@pytest.mark.skipif(not SOURCE.is_file(), reason="published ratings not here")
def test_two_hundred_questions_recover_the_ranking(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ratings = tmp_path / "ratings.csv"
    done = subprocess.run(
        [sys.executable, EXAMPLE / "convert.py", SOURCE, ratings],
        capture_output=True,
        text=True,
        check=True,
    )
    truth = {
        line.split(":")[0]: float(line.split(":")[1].split()[0])
        for line in done.stdout.splitlines()
    }
    assert truth["gpt4"] == pytest.approx(0.788, abs=5e-4)
    assert run(["estimate", str(ratings), "--task", str(EXAMPLE / "task.toml"), "--json"]) == 0
    results = json.loads(capsys.readouterr().out)["results"]
    rates = {r["system"]: r for r in results if r["name"] == "prevalence" and r.get("system")}
    for system, rate in truth.items():
        assert rates[system]["low"] <= rate <= rates[system]["high"]
    ranked = sorted(rates, key=lambda system: -rates[system]["value"])
    assert ranked == sorted(truth, key=lambda system: -truth[system])  # lexical match errs here
    gaps = [r for r in results if r["name"] == "prevalence_difference"]
    held = 0
    for gap in gaps:
        held += gap["low"] <= truth[gap["system"]] - truth[gap["opponent"]] <= gap["high"]
    assert held >= 9  # of ten intervals at 95 %, one by one
