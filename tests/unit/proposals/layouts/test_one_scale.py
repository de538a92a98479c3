"""What is read together is on one scale; else which column is meant is asked."""

from __future__ import annotations

from pathlib import Path

from goldassay.proposals.propose import guessed_ratings, propose


def written(tmp_path: Path, head: str, rows: list[str], name: str = "table.csv") -> str:
    path = tmp_path / name
    path.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    return str(path)


def test_two_scales_are_asked_about(tmp_path: Path) -> None:
    rows = [f"a{n % 2},{n // 2},{n % 3 - 1},{n % 7 + 1}" for n in range(40)]
    draft = propose(written(tmp_path, "annotator,item_id,sign,strength", rows))
    assert draft.missing[0].question.startswith("Which column holds the ratings?")
    assert draft.missing[0].answers == (
        {"columns": {"value": "sign"}},
        {"columns": {"value": "strength"}},
    )


def test_the_scale_of_most_columns_is_read(tmp_path: Path) -> None:
    who, said = ("Ines", "Wren", "Tomas"), ("no", "yes")
    rows = [f"{n},{who[n % 3]},{said[n % 2]},{said[n % 3 > 0]}" for n in range(30)]
    path = written(tmp_path, "id,assigned to,Drawing is fully closed,Labels are all readable", rows)
    ratings, draft = guessed_ratings(path)
    assert [*draft.task["cells"]] == ["Drawing is fully closed", "Labels are all readable"]
    assert {*draft.task["options"]} == {"yes", "no"}
    assert ratings.humans == ("Ines", "Tomas", "Wren")


def test_a_range_in_the_name_is_believed(tmp_path: Path) -> None:
    rows = [f"k{n},{n % 5},{n % 3}" for n in range(30)]
    draft = propose(written(tmp_path, "id,Accuracy (0-4),Substitution (0-3)", rows))
    assert "different scales" in draft.missing[0].question


def test_a_label_wins_over_what_stands_beside_it(tmp_path: Path) -> None:
    rows = [f"{n // 2},w{n % 2},{['bad', 'good', 'fine'][n % 3]},{n % 9}" for n in range(40)]
    ratings, draft = guessed_ratings(written(tmp_path, "item,worker_id,label,amount", rows))
    assert draft.task["columns"]["value"] == "label"
    assert len(ratings.humans) == 2


def test_a_total_goes_with_the_raters_and_is_no_judge(tmp_path: Path) -> None:
    grades = [(n % 4 + 1, (n * 3) % 4 + 1, (n // 3) % 4 + 1) for n in range(30)]
    rows = [
        f"{n},{a},{b},{c},{a + b + c - 3},{(a + b + c - 3) / 9:.3f}"
        for n, (a, b, c) in enumerate(grades)
    ]
    ratings, _ = guessed_ratings(
        written(tmp_path, "No,Rater_1,Rater_2,Rater_3,Jumlah,Indeks", rows)
    )
    assert (len(ratings.judges), len(ratings.humans)) == (0, 3)


def test_a_judge_that_says_minus_one_beside_peoples_yes_and_no(tmp_path: Path) -> None:
    rows = [f"{n},{n % 2},{-1 if n % 7 == 0 else n % 2}" for n in range(40)]
    draft = guessed_ratings(written(tmp_path, "id,human,judge", rows))[1]
    assert (draft.task["scale"], draft.task["invalid"]) == ("binary", ["-1"])
