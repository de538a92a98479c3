"""How a table is laid out: what is a rating, and what only has numbers too."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from goldassay.proposals.propose import guessed_ratings, propose


def _written(path: Path, header: str, rows: Sequence[Sequence[object]]) -> Path:
    lines = [header, *(",".join(map(str, row)) for row in rows)]
    path.write_text("\n".join(lines) + "\n")
    return path


def test_a_numbered_system_is_no_criterion_and_all_criteria_are_named(tmp_path: Path) -> None:
    questions = [f"Q{k}" for k in range(9)]
    rows = [[i % 3, f"t{i}", *[1 + (i + k) % 4 for k in range(9)], i % 2] for i in range(12)]
    header = ",".join(["dialogue_system", "text_id", *questions, "annotator_id"])
    drafted = propose(_written(tmp_path / "people.csv", header, rows))
    assert drafted.task["columns"]["system"] == "dialogue_system"
    assert set(drafted.task["cells"]) == set(questions)
    line = next(line for line in drafted.assumed if "are criteria" in line)
    assert all(f"`{question}`" in line for question in questions)


def test_a_numbered_model_beside_criteria_is_the_system(tmp_path: Path) -> None:
    rows = [[i, i % 2, 1 + i % 2, 1 + i % 4, i % 3] for i in range(12)]
    header = "id,model,fluency,coherence,annotator"
    drafted = propose(_written(tmp_path / "people.csv", header, rows))
    assert drafted.task["columns"]["system"] == "model"
    assert set(drafted.task["cells"]) == {"fluency", "coherence"}


def test_a_model_beside_a_person_still_rates(tmp_path: Path) -> None:
    rows = [[i, i % 2, (i // 2) % 2] for i in range(12)]
    ratings, _ = guessed_ratings(_written(tmp_path / "both.csv", "id,human,model", rows))
    assert (ratings.humans, ratings.judges) == (("human",), ("model",))


def test_a_column_per_criterion_beside_a_file_that_names_the_criterion(tmp_path: Path) -> None:
    """Only the name of the first file says that people rated; the judge's has a row per rating."""
    people = [[f"t{i}", 1 + i % 4, 1 + i % 3, 10 + i % 2] for i in range(8)]
    judge = [[f"t{i}", q, 1 + i % 4] for i in range(8) for q in ("Q1", "Q2")]
    files = [
        _written(tmp_path / "human_judges.csv", "text_id,Q1,Q2,annotator_id", people),
        _written(tmp_path / "evaluations.csv", "text_id,criterion,sample_llm", judge),
    ]
    ratings, _ = guessed_ratings([str(file) for file in files])
    assert (ratings.humans, ratings.judges) == (("10", "11"), ("sample_llm",))
    assert ratings.census.rows == 32
    assert "criterion" in ratings.unit


def test_criteria_and_raters_that_columns_names_say_are_told(tmp_path: Path) -> None:
    header = "doc_id,human_fluency,gpt4_fluency,human_coherence,gpt4_coherence"
    rows = [[i, *[1 + (i + k) % 5 for k in range(4)]] for i in range(12)]
    drafted = propose(_written(tmp_path / "both.csv", header, rows))
    assert any(
        line.startswith("`fluency` and `coherence` are criteria, and `human` and `gpt4` the raters")
        for line in drafted.assumed
    )
