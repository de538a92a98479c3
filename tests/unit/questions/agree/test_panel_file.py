"""Verdicts of panels as a file: by hand, read back as judges, and what is refused."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import goldassay as ga
from goldassay.cli import command_line as run
from goldassay.errors import UsageError

TASK = {"scale": "nominal", "options": ["a", "b", "c"]}
#: Ten items: the person's label ("" for none), and the verdicts of three judges ("-" for none).
TEN = [
    ("a", "aaa"),
    ("a", "aab"),
    ("", "abc"),
    ("b", "bbb"),
    ("b", "b-a"),
    ("b", "aab"),
    ("c", "ccc"),
    ("", "ccb"),
    ("c", "---"),
    ("c", "aa-"),
]


def table() -> pl.DataFrame:
    rows = []
    for item, (label, said) in enumerate(TEN):
        rows += [{"item": str(item), "rater": "ann", "kind": "human", "value": label}] * bool(label)
        rows += [
            {"item": str(item), "rater": f"j{k}", "kind": "judge", "value": one}
            for k, one in enumerate(said)
            if one != "-"
        ]
    return pl.DataFrame(rows)


def written(path: Path) -> dict[str, dict[str, str]]:
    """Panel -> item -> verdict, "" where it abstains."""
    found: dict[str, dict[str, str]] = {}
    with path.open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            assert row["kind"] == "judge"
            assert (row["status"] == "abstained") == (row["value"] == "")
            found.setdefault(row["rater"], {})[row["item"]] = row["value"]
    return found


def test_ten_items_by_hand(tmp_path: Path) -> None:
    path = tmp_path / "panels.csv"
    found = ga.agree(table(), TASK, panel_out=str(path), resamples=50)
    panels = written(path)
    # Item 8 has no verdict and no row; unlabelled items 2 and 7 have verdicts like the others.
    majority = {"0": "a", "1": "a", "2": "", "3": "b", "4": "", "5": "a", "6": "c", "7": "c"}
    assert panels["majority jury"] == {**majority, "9": "a"}
    unanimous = dict.fromkeys(["1", "2", "4", "5", "7", "9"], "")
    assert panels["unanimous jury"] == {"0": "a", "3": "b", "6": "c", **unanimous}
    (said,) = [one for one in found.notes if one.key == "agree.panel_file"]
    assert said.facts["panels"] == list(panels)
    assert said.facts["ratings"] == sum(map(len, panels.values()))
    assert "are in `panels.csv`" in said.text


def test_a_jury_is_a_judge_like_others(tmp_path: Path) -> None:
    ratings, panels, task = (tmp_path / name for name in ("r.csv", "panels.csv", "task.toml"))
    table().write_csv(ratings)
    task.write_text('scale = "nominal"\noptions = ["a", "b", "c"]\n', encoding="utf-8")
    assert run(["agree", str(ratings), "--task", str(task), "--panel-out", str(panels)]) == 0
    both = ga.agree([str(ratings), str(panels)], str(task), resamples=50)
    alone = ga.agree(str(ratings), str(task), resamples=50)
    for panel in ("majority panel", "unanimous panel"):
        own = both["accuracy", panel.replace("panel", "jury")]
        assert (own.value, own.n_items) == (
            alone["accuracy", panel].value,
            alone["accuracy", panel].n_items,
        )


def test_lines_of_json_name_the_whole_unit(tmp_path: Path) -> None:
    frame = table().with_columns(prompt=pl.col("item").cast(pl.Int64) // 2, system=pl.lit("s"))
    path = tmp_path / "panels.jsonl"
    ga.agree(frame, {**TASK, "cluster": "prompt"}, panel_out=str(path), resamples=50)
    first = json.loads(path.read_text(encoding="utf-8").splitlines()[0])
    assert list(first) == ["item", "system", "prompt", "rater", "kind", "value", "status"]


@pytest.mark.parametrize(
    ("name", "changed", "task", "message"),
    [
        ("panels.html", lambda frame: frame, TASK, "is a file .csv or .jsonl"),
        (
            "p.csv",
            lambda frame: frame.filter(~pl.col("rater").is_in(["j1", "j2"])),
            TASK,
            "two judges or more",
        ),
        (
            "p.csv",
            lambda frame: frame.with_columns(value=pl.lit("1.5")),
            {"scale": "continuous"},
            "these are scores",
        ),
    ],
)
def test_refused(
    name: str, changed: Any, task: dict[str, object], message: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    with pytest.raises(UsageError, match=message):
        ga.agree(changed(table()), task, panel_out=str(path), resamples=50)
    assert not path.exists()
