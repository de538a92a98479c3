"""Which columns name an item and bind ratings together."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from goldassay.ratings.propose import guessed_ratings


def _json(path: Path, rows: Sequence[Mapping[str, object]]) -> Path:
    path.write_text(json.dumps(rows))
    return path


def test_a_cluster_that_one_of_two_files_has_is_every_ratings(tmp_path: Path) -> None:
    """Six items of three instructions; the judge's file has the items and no instruction."""
    people = [
        {"idx": i, "instruction": f"task {i // 2}", "annotator1": 1 + i % 2, "annotator2": 1}
        for i in range(6)
    ]
    judge = [{"idx": i, "gpt_result": 1 + i % 2} for i in range(6)]
    files = [_json(tmp_path / "people.json", people), _json(tmp_path / "gpt.json", judge)]
    ratings, draft = guessed_ratings([str(file) for file in files])
    assert ratings.task.cluster == "instruction"
    assert any("`instruction`" in line and "(3 of them)" in line for line in draft.assumed)
    found = ratings.frame.select("item", "instruction", "rater").collect().to_native()
    rows = list(zip(*(found.column(name).to_pylist() for name in found.schema.names), strict=True))
    assert len(rows) == 18
    assert all(cluster == f"task {int(item) // 2}" for item, cluster, _ in rows)


def test_a_cluster_that_does_not_reach_every_item_is_not_taken(tmp_path: Path) -> None:
    people = [
        {"idx": i, "instruction": f"task {i // 2}", "annotator1": 1 + i % 2} for i in range(6)
    ]
    judge = [{"idx": i, "gpt_result": 1 + i % 2} for i in range(8)]
    files = [_json(tmp_path / "people.json", people), _json(tmp_path / "gpt.json", judge)]
    ratings, _ = guessed_ratings([str(file) for file in files])
    assert ratings.task.cluster == "item"
