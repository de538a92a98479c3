"""Which column names an item where no name says it."""

from __future__ import annotations

from pathlib import Path

import pytest

import goldassay
from goldassay.proposals.draft import Draft
from goldassay.proposals.propose import guessed_ratings, propose
from goldassay.ratings.table import Ratings
from goldassay.sources.frames import ROW


def columns_of(tmp_path: Path, head: str, rows: list[str]) -> dict[str, object]:
    path = tmp_path / "table.csv"
    path.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    columns: dict[str, object] = guessed_ratings(str(path))[1].task["columns"]
    return columns


def test_the_only_column_that_tells_a_raters_rows_apart(tmp_path: Path) -> None:
    rows = [
        f"{n // 4},{'de' if n // 4 % 2 else 'en'},ann{n % 4},{n % 3 % 2},{n % 5 % 2}"
        for n in range(40)
    ]
    found = columns_of(tmp_path, "row,condition,annotator,label1,label2", rows)
    assert found["item"] == "row"


def test_an_id_and_the_column_that_resolves_it(tmp_path: Path) -> None:
    rows = [
        f"{judge},{concept},{way},{n % 5 + 1},{n % 4 + 1}"
        for n, (judge, concept, way) in enumerate(
            (j, c, w)
            for j in ("qwen-3b", "phi-3")
            for c in ("ohm", "slope", "ph")
            for w in ("free", "daily", "sports")
        )
    ]
    found = columns_of(tmp_path, "judge,concept_id,strategy,clarity,accuracy", rows)
    assert found["item"] == ["concept_id", "strategy"]


def test_the_id_of_one_judges_run_names_no_item(tmp_path: Path) -> None:
    rows = [
        f"{brief},quill,gull,{judge},{'quill' if (brief + n) % 3 else 'gull'},{swap},{judge}-{swap}"
        for n, (brief, judge, swap) in enumerate(
            (b, j, s) for b in range(12) for j in ("opus-5", "gpt-6") for s in ("false", "true")
        )
    ]
    head = "brief_id,model_a,model_b,judge_model,winner,position_swap,battle_id"
    found = columns_of(tmp_path, head, rows)
    assert (found["item"], found["sample"]) == ("brief_id", "position_swap")


def test_what_raters_share_is_the_item_and_not_the_number_of_a_row(tmp_path: Path) -> None:
    rows = [
        f"p{who},s{item}{who},stim{item},{(item + who) % 7 + 1},{(item * who) % 7 + 1}"
        for item in range(12)
        for who in range(3)
    ]
    path = tmp_path / "study.csv"
    header = "participant_id,submission_id,stimulus,rating_helpfulness,rating_honesty"
    path.write_text("\n".join((header, *rows)) + "\n")
    assert propose(str(path)).task["columns"]["item"] == "stimulus"


def test_rows_with_a_users_rating_and_a_judges_are_items(tmp_path: Path) -> None:
    """Users say how content they were, each of several talks: nothing names a talk."""
    rows = [f"u{n % 4},s{n % 8},{1 + n % 5},{1 + n % 4}" for n in range(40)]
    path = tmp_path / "csat.csv"
    path.write_text("\n".join(["user_id,session_id,csat,auto_csat", *rows]) + "\n")
    ratings, draft = guessed_ratings(str(path))
    assert ratings.judges == ("auto_csat",)
    assert len(ratings.humans) == 4
    assert any("every row is an item of its own" in line for line in draft.assumed)


WORDS = ("good", "bad")
#: Verdicts of people and a judge without an order that repeats.
VERDICTS = [f"{WORDS[n * n % 7 % 2]},{WORDS[n * n * n % 11 % 2]}" for n in range(40)]


def _pasted(tmp_path: Path, lines: list[str]) -> tuple[Ratings, Draft]:
    path = tmp_path / "table.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return guessed_ratings(str(path))


@pytest.mark.parametrize("name", ["id", "question", "trace_uuid"])
@pytest.mark.parametrize("between", [[], ["header"]])
def test_a_table_that_was_pasted_twice_counts_once(
    name: str, between: list[str], tmp_path: Path
) -> None:
    head = f"{name},human,judge"
    rows = [f"what is {n}?,{one}" for n, one in enumerate(VERDICTS)]
    ratings, draft = _pasted(tmp_path, [head, *rows, *([head] if between else []), *rows])
    assert draft.task["columns"]["item"] == name
    assert any("40 rows repeat another in every cell" in one for one in draft.assumed)
    found = goldassay.agree(ratings, resamples=100)
    assert {one.reason: one.rows for one in found.exclusions} == {"equal to another row": 80}


def test_a_row_that_stands_twice_counts_once_and_one_that_differs_is_asked_about(
    tmp_path: Path,
) -> None:
    rows = [f"{n},{one}" for n, one in enumerate(VERDICTS)]
    _, draft = _pasted(tmp_path, ["id,human,judge", *rows, rows[3]])
    assert any("1 row repeats another in every cell" in one for one in draft.assumed)
    _, draft = _pasted(tmp_path, ["id,human,judge", *rows, "3,good,neither"])
    assert any("there twice by mistake?" in one for one in draft.questions)
    assert draft.task["columns"]["item"] == ROW


def test_a_copy_without_names_is_asked_about(tmp_path: Path) -> None:
    _, draft = _pasted(tmp_path, ["human,judge", *VERDICTS, *VERDICTS])
    assert any("Its last 40 rows are its first 40 again" in one for one in draft.questions)
    _, draft = _pasted(tmp_path, ["human,judge", *VERDICTS, *VERDICTS[1:], VERDICTS[0]])
    assert not any("pasted twice" in one for one in draft.questions)
    regular = [f"{WORDS[n % 2]},{WORDS[n % 5 % 2]}" for n in range(80)]
    _, draft = _pasted(tmp_path, ["human,judge", *regular])
    assert not any("pasted twice" in one for one in draft.questions)
