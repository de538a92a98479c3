"""Columns that cannot be people's, and statistics that are nobody's ratings."""

from __future__ import annotations

from pathlib import Path

from goldassay.proposals.propose import guessed_ratings, propose


def written(tmp_path: Path, name: str, head: str, rows: list[str]) -> str:
    path = tmp_path / name
    path.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    return str(path)


def test_criteria_of_one_person(tmp_path: Path) -> None:
    rows = [f"f{n},{n * 7 % 90}.5,{n * 11 % 95}.25,{n * 13 % 80}.1" for n in range(30)]
    path = written(tmp_path, "t.csv", "filename,human_sweetness,human_appeal,human_saltiness", rows)
    ratings, draft = guessed_ratings(path)
    assert ratings.humans == ("human",)
    assert [cell["criterion"] for cell in draft.task["cells"].values()] == [
        "sweetness",
        "appeal",
        "saltiness",
    ]


def test_a_judges_scores_are_of_criteria(tmp_path: Path) -> None:
    rows = [f"d{n},{n % 5 * 10},{n % 4 * 10},{n % 3 * 10}" for n in range(30)]
    path = written(tmp_path, "judge_scores.csv", "doc_id,idiomatic,discourse,calque", rows)
    ratings, draft = guessed_ratings(path)
    assert (len(ratings.judges), len(ratings.humans)) == (1, 0)
    assert len(draft.task["cells"]) == 3


def test_numbers_that_nobody_writes_by_hand_are_no_persons(tmp_path: Path) -> None:
    rows = [
        f"question {n},a text {'x' * 70},a text {'y' * 70},0.{n * 7919 % 99991:05d},"
        f"0.{n * 7907 % 99991:05d},{n % 5 + 1},{n % 4 + 1}"
        for n in range(30)
    ]
    head = "question,base_pred,ft_pred,base_sim,ft_sim,base_judge_score,ft_judge_score"
    ratings, draft = guessed_ratings(written(tmp_path, "results.csv", head, rows))
    assert (len(ratings.judges), len(ratings.humans)) == (1, 0)
    systems = {name: cell["system"] for name, cell in draft.task["cells"].items()}
    assert systems == {"base_judge_score": "base", "ft_judge_score": "ft"}


def test_statistics_sum_ratings_up(tmp_path: Path) -> None:
    rows = [f"judge {n},0.{n + 50},0.{n + 30}" for n in range(9)]
    path = written(tmp_path, "t.csv", "name,mean_kappa_vs_human,judge_alpha", rows)
    assert "ratings of single items" in propose(path).missing[0].question


def test_a_sheet_that_nobody_filled_in(tmp_path: Path) -> None:
    rows = [f"{n},{['INFORMATION', 'EXPERIENCE'][n % 2]},,,," for n in range(12)]
    head = "id,Perspective,s1_Fluency,s1_Coherence,s2_Fluency,s2_Coherence"
    assert (
        "nothing to read yet" in propose(written(tmp_path, "t.csv", head, rows)).missing[0].question
    )
