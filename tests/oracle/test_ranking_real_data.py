"""The WMT22 and PandaLM ratings, where they are at hand: published figures come out again."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from goldassay.cli import command_line as run

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("GOLDASSAY_SHARED", ROOT.parent / "shared")) / "data"
EXAMPLES = ROOT / "examples"


def converted(example: str, source: Path, out: Path) -> Path:
    if not source.exists():
        pytest.skip(f"{source} is not here")
    subprocess.run(
        [sys.executable, str(EXAMPLES / example / "convert.py"), str(source), str(out)], check=True
    )
    return out


def document(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    assert run(["rank", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)  # type: ignore[no-any-return]


@pytest.mark.slow
def test_wmt22(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """System-level tau with MQM over 14 systems, as the data's own notes have them."""
    ratings = converted("rank_wmt22", DATA / "wmt22_zhen_gemba", tmp_path / "ratings.parquet")
    found = document(
        capsys,
        str(ratings),
        "--task",
        str(EXAMPLES / "rank_wmt22" / "task.toml"),
        "--judges",
        str(EXAMPLES / "rank_wmt22" / "judges.csv"),
        "--resamples",
        "100",
    )
    results: list[dict[str, object]] = found["results"]  # type: ignore[assignment]
    taus = {
        r["judge"]: r["value"]
        for r in results
        if r["name"] == "kendall_tau" and r["aggregation"] == "mean"
    }
    assert len(taus) == 32
    for judge, tau in (
        ("GPT4-Stars-refA", 0.780),
        ("COMET-22-refA", 0.736),
        ("BLEU-refA", 0.275),
        ("Bab-Classes-refA", -0.442),
    ):
        assert taus[judge] == pytest.approx(tau, abs=5e-4)
    assert min(taus, key=lambda judge: taus[judge]) == "Bab-Classes-refA"  # type: ignore[arg-type,return-value]
    assert found["rows"] == {"read": 1_106_250, "used": 1_102_593, "excluded": 3_657}
    tables: dict[str, object] = found["tables"]  # type: ignore[assignment]
    assert {"judges", "behaviour", "factors", "levels"} <= set(tables)


def test_pandalm(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ratings = converted("rank_pandalm", DATA / "pandalm" / "data", tmp_path / "ratings.csv")
    found = document(
        capsys,
        str(ratings),
        "--task",
        str(EXAMPLES / "rank_pandalm" / "task.toml"),
        "--resamples",
        "200",
    )
    assert found["rows"] == {"read": 4_995, "used": 4_970, "excluded": 25}
    results: list[dict[str, object]] = found["results"]  # type: ignore[assignment]
    taus = {r["judge"]: r["value"] for r in results if r["name"] == "kendall_tau"}
    assert taus == {"gpt-3.5-turbo": pytest.approx(0.8), "pandalm-7b": pytest.approx(0.8)}
