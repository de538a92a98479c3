"""`goldassay report` with every verb, on a simulated study and on published ratings."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from goldassay.cli import command_line as run
from goldassay.glossary import method_of
from goldassay.lab.simulate import Judge, Study, simulate
from goldassay.questions.report import ask as report

ROOT = Path(__file__).resolve().parents[3]
DATA = Path(os.environ.get("GOLDASSAY_SHARED") or ROOT.parent / "shared") / "data"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("study")
    judges = {
        "large": Judge(sensitivity=0.92, specificity=0.88, abstain=0.03),
        "small": Judge(sensitivity=0.8, specificity=0.65, invalid=0.03),
    }
    drawn = simulate(Study(prompts=40, judges=judges, labelled=0.5), seed=3)
    (folder / "ratings.csv").write_text(drawn.to_csv())
    (folder / "task.toml").write_text(drawn.task.to_toml())
    outs = [word for suffix in ("json", "html", "md") for word in ("-o", f"{folder}/r.{suffix}")]
    words = [f"{folder}/ratings.csv", "-t", f"{folder}/task.toml", "--resamples", "200", *outs]
    assert run(["report", *words]) == 0
    return {suffix: (folder / f"r.{suffix}").read_text() for suffix in ("json", "html", "md")}


def test_every_question_is_asked(made: dict[str, Any]) -> None:
    document = json.loads(made["json"])
    asked = [part["verb"] for part in document["parts"]]
    assert asked == list(report.QUESTIONS)
    assert document["not_run"] == []
    assert len(document["answer"]) == 3
    for part in document["parts"]:
        assert part["answer"], part["verb"]
        for chart in part["charts"]:
            assert chart["alt"], chart["title"]


def test_every_number_says_how_it_was_made(made: dict[str, Any]) -> None:
    rows = json.loads(made["json"])["results"]
    assert {
        (r["verb"], r["name"]) for r in rows if method_of(r["name"], r["verb"]) is None
    } == set()
    for row in rows:
        assert f'id="how-{row["verb"]}-{row["name"]}"' in made["html"]


def test_rows_read_are_rows_used_and_left_out(made: dict[str, Any]) -> None:
    document = json.loads(made["json"])
    left_out = sum(one["rows"] for one in document["exclusions"])
    assert document["rows"]["read"] == document["rows"]["used"] + left_out
    assert left_out > 0
    for one in document["exclusions"]:
        assert one["reason"].replace("'", "&#x27;") in made["html"]


def test_the_eleven_points_close_the_page(made: dict[str, Any]) -> None:
    checklist = made["html"][made["html"].index('id="checklist"') :].split("</table>")[0]
    assert checklist.count("<tr>") == 12


def test_the_page_is_small(made: dict[str, Any]) -> None:
    assert len(made["html"].encode()) < 1_000_000


CASES = {
    "agree_pandalm": ("pandalm/data", "task.toml"),
    "agree_llmbar": ("llmbar/Dataset/LLMBar", "task.toml"),
    "agree_composo": ("composo_rb2", "task.toml"),
    "audit_dices": ("dices_judgebench", "task.toml"),
    "audit_llm_rubric": ("llm_rubric", "task.toml"),
    "rank_wmt22": ("wmt22_zhen_gemba", "task.toml"),
    "estimate_evouna": ("evouna_qaeval/EVOUNA/NQ.json", "task.toml"),
}


@pytest.mark.slow
@pytest.mark.parametrize("example", CASES)
def test_published_ratings_make_a_report(example: str, tmp_path: Path) -> None:
    folder, task = CASES[example]
    if not (DATA / folder).exists():
        pytest.skip("the published ratings are not here")
    table = tmp_path / ("ratings.parquet" if example == "rank_wmt22" else "ratings.csv")
    convert = ROOT / "examples" / example / "convert.py"
    subprocess.run([sys.executable, convert, DATA / folder, table], check=True)
    words = [str(table), "-t", str(ROOT / "examples" / example / task)]
    assert run(["report", *words, "-o", f"{tmp_path}/r.html"]) == 0
    assert (tmp_path / "r.html").stat().st_size < 1_000_000


def test_real_scores_of_one_person_make_a_report(tmp_path: Path) -> None:
    """Questions about options are refused with their reason; the others are answered."""
    lines = ["item,prompt,system,rater,kind,value"]
    for k in range(12):
        for s, system in enumerate(("alder", "birch", "cedar")):
            score = 0.4 * s + (k * (s + 2)) % 5  # every system wins and loses
            lines.append(f"p{k}-{system},p{k},{system},ann,human,{score:.2f}")
            lines.append(f"p{k}-{system},p{k},{system},gpt,judge,{score + (k % 3) / 5:.2f}")
    (tmp_path / "ratings.csv").write_text("\n".join(lines) + "\n")
    (tmp_path / "task.toml").write_text('scale = "continuous"\ncluster = "prompt"\n')
    words = [f"{tmp_path}/ratings.csv", "-t", f"{tmp_path}/task.toml", "--resamples", "100"]
    assert run(["report", *words, "-o", f"{tmp_path}/r.json"]) == 0
    document = json.loads((tmp_path / "r.json").read_text())
    assert {"agree", "rank"} <= {part["verb"] for part in document["parts"]}
    assert {"select", "plan", "audit"} <= {one["verb"] for one in document["not_run"]}
