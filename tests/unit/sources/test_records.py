"""Records and lists within Parquet are read as those within JSON are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from held_out_files import FOLDER

from goldassay.proposals.propose import guessed_ratings
from goldassay.sources import parsed
from goldassay.sources.files import open_files

FILES = [
    "sixteenth/summ_geval.jsonl",
    "sixteenth/support_judgments.jsonl",
    "sixteenth/safety_eval.jsonl",
    "seventeenth/guard_labels.jsonl",
    "seventeenth/hard_judgments.jsonl",
]


def as_parquet(rows: list[dict[str, Any]], path: Path) -> Path:
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    parquet.write_table(arrow.Table.from_pylist(rows), path)
    return path


@pytest.mark.parametrize("name", FILES)
def test_they_are_read_as_json_is(tmp_path: Path, name: str) -> None:
    rows = [json.loads(line) for line in (FOLDER / name).read_text().splitlines()]
    _, there = guessed_ratings(str(FOLDER / name))
    path = as_parquet(rows, tmp_path / f"{Path(name).stem}.parquet")
    ratings, here = guessed_ratings(str(path))
    assert ratings.judges
    assert here.task == there.task
    assert here.assumed == there.assumed


def test_what_is_no_number_is_a_label_as_without_records(tmp_path: Path) -> None:
    """An empty cell would be no rating, and nobody told."""
    values = [1.5, float("nan"), 2.0, float("inf"), None]
    rows = [{"item": n, "value": v, "seen": [n]} for n, v in enumerate(values)]
    plain = [{"item": row["item"], "value": row["value"]} for row in rows]
    told = []
    for name, of in (("a", rows), ("b", plain)):
        relation = open_files(as_parquet(of, tmp_path / f"{name}.parquet")).relation
        told.append(relation.project("item::VARCHAR, value::VARCHAR").fetchall())
    assert told[0] == told[1]
    assert [value for _, value in told[0]] == ["1.5", "nan", "2.0", "inf", None]


def test_plain_and_large_files_stay_what_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flat = as_parquet([{"item": 1, "value": "a"}], tmp_path / "flat.parquet")
    assert open_files(flat).relation.fetchall() == [(1, "a")]
    nested = as_parquet([{"item": 1, "judge": {"score": 2}}], tmp_path / "nested.parquet")
    assert "judge.score" in open_files(nested).columns
    monkeypatch.setattr(parsed, "IN_MEMORY", 0)
    assert open_files(nested).columns == ("item", "judge")


@pytest.mark.slow
def test_a_folder_that_the_library_itself_wrote(tmp_path: Path) -> None:
    """`save_to_disk` as it is: shards of Arrow's stream, class labels, records and lists."""
    datasets = pytest.importorskip("datasets", reason="datasets is not installed")
    rows = [
        {"id": f"q{n}", "human": n % 3 % 2, "judge": {"label": "good" if n % 2 else "bad"}}
        for n in range(30)
    ]
    made = datasets.Dataset.from_list(rows)
    made = made.cast_column("human", datasets.ClassLabel(names=["bad", "good"]))
    made.save_to_disk(str(tmp_path / "one"), num_shards=2)
    ratings, draft = guessed_ratings(str(tmp_path / "one"))
    assert (ratings.judges, ratings.humans) == (("judge.label",), ("human",))
    assert draft.task["options"] == ["good", "bad"]
    splits = datasets.DatasetDict(train=made, test=made.select(range(4)))
    splits.save_to_disk(str(tmp_path / "both"))
    ratings, _ = guessed_ratings(f"{tmp_path / 'both'}::test")
    assert ratings.judges == ("judge.label",)
