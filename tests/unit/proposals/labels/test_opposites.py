"""Columns that ask the opposite: mirrored by their names, asked about where rows say otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

from goldassay.errors import RatingsError, TaskError
from goldassay.proposals.propose import guessed_ratings, propose
from goldassay.ratings.task import Task


def table(path: Path, header: str, pairs: list[tuple[int, int]]) -> str:
    rows = "".join(f"{at},{one},{two}\n" for at, (one, two) in enumerate(pairs))
    path.write_text(f"{header}\n{rows}")
    return str(path)


APART = [(1, 0), (0, 1)] * 12
SAME = [(1, 1), (0, 0)] * 12


def test_by_their_names_a_yes_of_the_one_is_a_no_of_the_other(tmp_path: Path) -> None:
    path = table(tmp_path / "t.csv", "id,human_pass,judge_fail", [*APART, (1, 1)])
    ratings, draft = guessed_ratings(path)
    assert draft.task["cells"]["judge_fail"]["mirrored"] == "yes"
    assert "mirrored" not in draft.task["cells"]["human_pass"]
    native = ratings.frame.to_native()
    said = native.query("t", "SELECT kind, value, count(*) FROM t GROUP BY ALL ORDER BY ALL")
    assert said.fetchall() == [
        ("human", "0", 12),
        ("human", "1", 13),
        ("judge", "0", 13),
        ("judge", "1", 12),
    ]


def test_rows_that_contradict_the_names_are_believed_and_it_is_asked(tmp_path: Path) -> None:
    draft = propose(table(tmp_path / "t.csv", "id,human_pass,judge_fail", SAME))
    assert "cells" not in draft.task
    assert any("They say the same in 24 of 24 rows" in one for one in draft.questions)


def test_without_a_name_it_is_only_asked(tmp_path: Path) -> None:
    draft = propose(table(tmp_path / "t.csv", "id,human,judge", APART))
    assert "cells" not in draft.task
    assert any("They differ in 24 of 24 rows" in one for one in draft.questions)


@pytest.mark.parametrize("header", ["id,human_pass,judge_pass", "id,true_label,toxic_pred"])
def test_nothing_is_turned_that_asks_the_same(header: str, tmp_path: Path) -> None:
    draft = propose(table(tmp_path / "t.csv", header, [*SAME, (1, 0)]))
    assert "cells" not in draft.task
    assert not any("opposite" in one for one in draft.questions)


def test_labels_tell_the_opposite_of_a_name(tmp_path: Path) -> None:
    pairs = "".join(f"{at},{at % 2},{('unsafe', 'safe')[at % 2]}\n" for at in range(24))
    path = tmp_path / "t.csv"
    path.write_text(f"id,human_safe,guard_label\n{pairs}")
    draft = propose(str(path))
    assert draft.task["cells"]["guard_label"]["mirrored"] == "yes"
    assert any("by their names and labels" in line for line in draft.assumed)


def test_a_score_of_the_opposite_is_cut_from_below(tmp_path: Path) -> None:
    pairs = [(one, 0.9 - 0.8 * one + at / 1000) for at, (one, _) in enumerate(APART)]
    rows = "".join(f"{at},{one},{score:.3f}\n" for at, (one, score) in enumerate(pairs))
    path = tmp_path / "t.csv"
    path.write_text(f"id,is_safe,unsafe_prob\n{rows}")
    assert propose(str(path)).task["cells"]["unsafe_prob"]["cut"] == "< 0.5"


def test_only_two_options_change_places() -> None:
    cells = {"a": {"rater": "a", "kind": "judge", "mirrored": "yes"}}
    with pytest.raises(TaskError, match="two options that change places"):
        Task.from_mapping({"scale": "nominal", "options": ["x", "y", "z"], "cells": cells})


def test_rows_that_sum_up_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    rows = "".join(f"S{at},{at % 5 + 1},{(at + at % 2) % 5 + 1}\n" for at in range(20))
    path.write_text(f"item,human,gpt4\n{rows}Average,3.1,2.9\n")
    ratings, draft = guessed_ratings(str(path))
    assert draft.task["file"] == {"totals": ["Average"]}
    assert ratings.census.rows == 40
    path.write_text(f"item,human,gpt4\n{rows}mean,yes,no\n")  # words beside it: a row of its own
    assert "file" not in propose(str(path)).task


def test_files_that_share_nothing_are_no_table(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("id,human,judge\n1,yes,no\n2,no,no\n")
    (tmp_path / "b.csv").write_text("name,price\nfoo,3\nbar,4\n")
    with pytest.raises(RatingsError, match="must share a column with the other files"):
        propose([str(tmp_path / "a.csv"), str(tmp_path / "b.csv")])
