"""The pages on real ratings: PandaLM's 999 pairs, with the figures known for them."""

from __future__ import annotations

import json
import os
import runpy
from pathlib import Path

import pytest

from goldassay.ratings.task import read_task
from goldassay.web.compare import Filters, Index
from goldassay.web.desk import Settings
from goldassay.web.pages.explore import Look, case_page, explore_page
from goldassay.web.pages.label import label_page
from goldassay.web.pages.watch import watch_page
from goldassay.web.study import Study, open_site
from goldassay.web.trace import pairs, trace

ROOT = Path(__file__).resolve().parents[3]
SHARED = Path(os.environ.get("GOLDASSAY_SHARED", ROOT.parent / "shared")) / "data" / "pandalm"


@pytest.mark.skipif(not SHARED.is_dir(), reason="the PandaLM data are not here")
def test_the_known_figures_are_on_the_page(tmp_path: Path) -> None:
    folder = next(SHARED.rglob("testset-v1.json")).parent
    example = ROOT / "examples" / "agree_pandalm"
    convert = runpy.run_path(str(example / "convert.py"))["main"]
    convert(str(folder), str(tmp_path / "ratings.csv"))
    with (tmp_path / "items.jsonl").open("w", encoding="utf-8") as stream:
        for pair in json.loads((folder / "testset-v1.json").read_text(encoding="utf-8")):
            item = {
                "item": str(pair["idx"]),
                "input": pair["instruction"],
                "output": pair["response1"],
                "output_b": pair["response2"],
            }
            stream.write(json.dumps(item) + "\n")
    study = Study(ratings=str(tmp_path / "ratings.csv"), items=str(tmp_path / "items.jsonl"))
    desk = open_site(study, read_task(example / "task.toml"), Settings()).desk
    kappas = [round(pair.kappa or 0, 3) for pair in pairs(desk)]
    assert sorted(kappas) == [0.852, 0.862, 0.879]
    shares = {judge: trace(desk, judge) for judge in desk.cases.judges}
    assert {judge: found and round(found.value[-1], 3) for judge, found in shares.items()} == {
        "gpt-3.5-turbo": 0.716,
        "pandalm-7b": 0.668,
    }
    unit = desk.next_for("anna")
    assert unit is not None
    assert "The left one is better" in label_page(desk, unit, rater="anna")
    assert "72 %" in watch_page(desk, judge="gpt-3.5-turbo")
    found = explore_page(desk, Index(desk), Filters(relation="differ"), Look())
    assert "judge and people differ" in found
    assert "annotator1" in case_page(desk, unit)
    desk.close()
