"""Winners by name, of the systems in a row or of the two that a whole table compares."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from goldassay.proposals.propose import guessed_ratings
from goldassay.ratings.fetch import fetch


def written(tmp_path: Path, head: str, rows: list[str]) -> str:
    path = tmp_path / "table.csv"
    path.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    return str(path)


def test_a_word_for_a_side_may_be_the_name_of_a_system(tmp_path: Path) -> None:
    """`baseline` wins where it stands, first or second, among systems with other names."""
    names, rows, won = ("owl", "baseline", "kite"), [], Counter[str]()
    for n in range(24):
        one, two = names[n % 3], names[(n + 1) % 3]
        winner = (two, one, "tie")[n % 5 % 3]
        rows.append(f"q{n},{one},{two},{winner},{one}")
        won[winner] += 1
    path = written(tmp_path, "id,model_a,model_b,winner_human,winner_gpt4", rows)
    ratings, draft = guessed_ratings(path)
    assert draft.task["options"] == ["first", "second", "tie"]
    frame = fetch(ratings.frame, place="")
    mine = Counter[str]()
    for kind, code, one, two in zip(
        *(frame[name] for name in ("kind", "code", "system", "opponent")), strict=True
    ):
        mine[(str(one), str(two), "tie")[int(code)]] += kind == "human"
    assert mine == won


def test_labels_named_as_the_texts_are_say_who_won(tmp_path: Path) -> None:
    rows = [
        f"q{n},It is a river of {n} miles.,A river: {n} miles.,{('kite', 'owl', 'tie')[n % 3]},"
        f"{('kite', 'owl', 'tie')[n % 4 % 3]}"
        for n in range(24)
    ]
    head = "id,owl_response,kite_response,human_preference,judge_preference"
    ratings, draft = guessed_ratings(written(tmp_path, head, rows))
    assert draft.task["scale"] == "pairwise"
    assert draft.task["constants"] == {"system": "owl", "opponent": "kite"}
    assert any("`owl` and `kite` are the two systems" in line for line in draft.assumed)
    frame = fetch(ratings.frame, place="")
    first = [k for k, code in zip(frame["item"], frame["code"], strict=True) if code == 0]
    assert {int(str(item)[1:]) % 3 for item in first} >= {1}


def test_labels_that_no_text_is_called_after_are_labels(tmp_path: Path) -> None:
    said = ("river", "lake", "neither")
    rows = [f"q{n},What is it?,{said[n % 3]},{said[n % 4 % 3]}" for n in range(24)]
    head = "id,river_response,human_label,judge_label"
    draft = guessed_ratings(written(tmp_path, head, rows))[1]
    assert draft.task["scale"] == "nominal"
