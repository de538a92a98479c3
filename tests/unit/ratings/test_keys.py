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


def test_an_id_that_is_there_twice_is_told_and_asked_about(tmp_path: Path) -> None:
    """Eight names, one of them twice with different labels: a group, and likely an error."""
    rows = [f"case {i},{'pass' if i % 2 else 'fail'},pass" for i in range(8)] + ["case 1,fail,fail"]
    path = tmp_path / "twice.csv"
    path.write_text("\n".join(["id,human,judge", *rows]) + "\n")
    _, draft = guessed_ratings(path)
    assert not any("no column names items" in line for line in draft.assumed)
    assert any("`id` names groups of them: 'case 1' occurs twice" in line for line in draft.assumed)
    assert draft.task["cluster"] == "id"
    assert draft.questions == [
        "Is `id` 'case 1' there twice by mistake? Its rows have different labels"
    ]


def test_ids_that_all_repeat_are_groups_and_no_mistake(tmp_path: Path) -> None:
    rows = [f"case {i % 4},{'pass' if i % 3 else 'fail'},pass" for i in range(8)]
    path = tmp_path / "groups.csv"
    path.write_text("\n".join(["id,human,judge", *rows]) + "\n")
    _, draft = guessed_ratings(path)
    assert draft.task["cluster"] == "id"
    assert not draft.questions
