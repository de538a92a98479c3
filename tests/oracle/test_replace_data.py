"""`goldassay replace` on published ratings by several people."""

from __future__ import annotations

import json
from typing import Any

import pytest
from published_ratings import shared_data

import goldassay as ga

WORDS = {"0": "tie", "1": "1", "2": "2", "Tie": "tie"}


def pandalm() -> Any:
    """999 pairs, three people, two judges; what a judge said otherwise is garbage."""
    polars = pytest.importorskip("polars")
    folder = shared_data() / "pandalm" / "data"
    names = ("testset-v1", "gpt-3.5-turbo-testset-v1", "pandalm-7b-testset-v1")
    people, gpt, panda = (json.loads((folder / f"{name}.json").read_text()) for name in names)
    rows = []
    for three, one, other in zip(people, gpt, panda, strict=True):
        item = str(three["idx"])
        for k in (1, 2, 3):
            rows.append((item, f"annotator{k}", "human", WORDS[str(three[f"annotator{k}"])]))
        said = (("gpt-3.5", one["gpt_result"]), ("pandalm", other["pandalm_result"]))
        for judge, value in said:
            rows.append((item, judge, "judge", WORDS.get(str(value).strip(), "garbage")))
    return polars.DataFrame(rows, schema=["item", "rater", "kind", "value"], orient="row")


TASK = {"scale": "pairwise", "options": ["1", "2", "tie"], "tie": "tie", "invalid": ["garbage"]}


def test_neither_judge_of_pandalm_may_stand_in() -> None:
    found = ga.replace(pandalm(), {**TASK, "ties": "class", "invalids": "wrong"})
    verdicts = [one for one in (*found.answer, *found.notes) if one.key == "replace.verdict"]
    assert {one.about["judge"]: one.facts["verdict"] for one in verdicts} == {
        "gpt-3.5": "no",
        "pandalm": "no",
    }
    assert found["advantage_probability", "gpt-3.5"].value == pytest.approx(0.74, abs=0.01)
    # Ties left out: what remains differs less, and cannot be told.
    decided = ga.replace(pandalm(), {**TASK, "ties": "exclude", "invalids": "wrong"})
    assert decided.answer[0].facts["verdict"] == "unknown"
    rows = decided.document()["rows"]
    assert rows["used"] + rows["excluded"] == rows["read"] == 999 * 5
