"""Which column names an item where no name says it."""

from __future__ import annotations

from pathlib import Path

from goldassay.proposals.propose import guessed_ratings, propose


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
