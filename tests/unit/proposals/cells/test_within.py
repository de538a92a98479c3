"""Verdicts within texts, wherever they stand in them."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from goldassay.proposals.propose import guessed_ratings

THOUGHT = "Let me look at the answer and at what was asked, one after the other. " * 12


def written(tmp_path: Path, name: str, said: list[tuple[str, str]]) -> str:
    path = tmp_path / "texts.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        rows = [(at, human, text) for at, (human, text) in enumerate(said)]
        csv.writer(stream).writerows([("id", "human_score", name), *rows])
    return str(path)


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("gpt4_output", "Score: {} because it is so."),
        ("gpt4_output", "Score (1-5): {}"),
        ("gpt4_output", "The rating is {}."),
        ("judgment", THOUGHT + "Rating: [[{}]]"),
        ("explanation", THOUGHT + "Not [[1]] but [[{}]]" + " and no more." * 3),
    ],
)
@pytest.mark.parametrize("rows", [40, 260])  # as many texts as are looked at, and more
def test_the_number_is_read(tmp_path: Path, name: str, form: str, rows: int) -> None:
    said = [(str(at % 5 + 1), form.format(at % 5 + 1)) for at in range(rows)]
    ratings, draft = guessed_ratings(written(tmp_path, name, said))
    assert ratings.judges == (name,)
    assert draft.task["options"] == ["1", "2", "3", "4", "5"]
    native = ratings.frame.to_native()
    pairs = native.query("t", "SELECT item, count(DISTINCT value) n FROM t GROUP BY 1").fetchall()
    assert {n for _, n in pairs} == {1}  # the judge says what the person says


def test_a_text_without_a_verdict_is_invalid_and_told(tmp_path: Path) -> None:
    said = [(str(at % 5 + 1), f"{THOUGHT}{at} [[{at % 5 + 1}]]") for at in range(59)]
    ratings, draft = guessed_ratings(written(tmp_path, "judgment", [*said, ("3", "I cannot say.")]))
    assert draft.task["undeclared"] == "invalid"
    assert any("that says none is an invalid rating" in line for line in draft.assumed)
    native = ratings.frame.to_native()
    found = native.query("t", "SELECT status, count(*) FROM t WHERE kind = 'judge' GROUP BY 1")
    assert dict(found.fetchall())["invalid"] == 1


def test_a_range_is_no_score(tmp_path: Path) -> None:
    said = [(str(at % 5 + 1), f"A score of 1-5 is asked for {at}.") for at in range(30)]
    ratings, _ = guessed_ratings(written(tmp_path, "gpt4_output", said))
    assert not ratings.judges
