"""Pairs of systems by what a column of winners names, and lists of who was compared."""

from __future__ import annotations

from pathlib import Path

from goldassay.proposals.propose import guessed_ratings, propose

SYSTEMS = ("owl", "wren", "kite")


def written(tmp_path: Path, head: str, rows: list[str]) -> str:
    path = tmp_path / "table.csv"
    path.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    return str(path)


def test_left_right_and_a_winner_by_name(tmp_path: Path) -> None:
    rows = []
    for n in range(24):
        one, two = SYSTEMS[n % 3], SYSTEMS[(n + 1) % 3]
        rows.append(f"run7,K-{n // 3},{one},{two},{(one, two, '')[n % 3 if n % 5 else 0]},opus-5")
    ratings, draft = guessed_ratings(
        written(tmp_path, "run_id,issue_key,left,right,winner,judge_model", rows)
    )
    assert draft.task["scale"] == "pairwise"
    assert draft.task["columns"] == {
        "system": "left",
        "opponent": "right",
        "rater": "judge_model",
        "value": "winner",
        "item": "issue_key",
    }
    assert len(ratings.judges) == 1


def test_who_lost_is_no_second_verdict(tmp_path: Path) -> None:
    rows = []
    for n in range(24):
        pair = SYSTEMS[n % 3], SYSTEMS[(n + 1) % 3]
        won = n // 3 % 2
        rows.append(f"{n // 3},{pair[0]},{pair[1]},{pair[won]},{pair[1 - won]},judge-1")
    head = "scenario_id,response_a_model,response_b_model,winner_model,loser_model,judge_model"
    draft = guessed_ratings(written(tmp_path, head, rows))[1]
    assert draft.task["columns"]["value"] == "winner_model"


def test_two_coders_of_roles_are_no_pair(tmp_path: Path) -> None:
    roles = ("agent", "patient", "source")
    rows = [f"{n},{roles[n % 3]},{roles[n % 3 if n % 4 else (n + 1) % 3]}" for n in range(30)]
    ratings, draft = guessed_ratings(written(tmp_path, "id,agent_role_1,agent_role_2", rows))
    assert draft.task["scale"] == "nominal"
    assert len(ratings.humans) == 2


def test_a_table_of_agreement_is_no_table_of_ratings(tmp_path: Path) -> None:
    who = [f"member{n}" for n in range(6)]
    rows = [
        f"{a},{b},0.{50 + n}" for n, (a, b) in enumerate((a, b) for a in who for b in who if a < b)
    ]
    draft = propose(written(tmp_path, "Rater_1,Rater_2,Percent_Agreement", rows))
    assert "names of who was compared" in draft.missing[0].question


def test_the_best_of_four_wins_its_pairs(tmp_path: Path) -> None:
    texts = [f"t{n}" for n in range(9)]
    rows = [
        ",".join(
            ["A1" if n < 12 else "A2", f"T{n % 12}"]
            + [texts[(n + k) % 9] for k in range(4)]
            + [texts[(n + n % 4) % 9], texts[(n + (n + 1) % 4) % 9]]
        )
        for n in range(24)
    ]
    draft = propose(written(tmp_path, "Annotator,Tuple,Item1,Item2,Item3,Item4,Best,Worst", rows))
    assert not draft.missing
    assert draft.task["file"]["members"] == ["Item1", "Item2", "Item3", "Item4"]
    assert draft.task["columns"] == {"rater": "Annotator", "value": "winner", "item": "Tuple"}


def test_sides_called_x_and_y(tmp_path: Path) -> None:
    rows = [
        f"q{n},{SYSTEMS[n % 3]},{SYSTEMS[(n + 1) % 3]},{('system_x', 'system_y', 'tie')[n % 3]},"
        f"{('system_x', 'system_y', 'tie')[n % 4 % 3]}"
        for n in range(24)
    ]
    draft = propose(written(tmp_path, "id,system_x,system_y,human_choice,gpt4_choice", rows))
    assert draft.task["scale"] == "pairwise"
    assert draft.task["columns"]["opponent"] == "system_y"


def test_two_systems_of_which_no_rating_says_who_won(tmp_path: Path) -> None:
    """A grade of a row with two systems is not the first one's."""
    rows = [
        f"q{n},{SYSTEMS[n % 3]},{SYSTEMS[(n + 1) % 3]},{n % 5 + 1},{n % 4 + 1}" for n in range(24)
    ]
    draft = propose(written(tmp_path, "id,model_a,model_b,human_score,gpt4_score", rows))
    assert not {"system", "opponent"} & draft.task["columns"].keys()
    assert any(one.startswith("Which system is a rating of") for one in draft.questions)
