"""A code, a copy and a cut of a label are left out; a person who agrees is not."""

from __future__ import annotations

from pathlib import Path

from goldassay.proposals.propose import guessed_ratings

GRADES = [1, 5, 3, 2, 4, 4, 2, 5, 1, 3, 3, 5]


def read(tmp_path: Path, header: str, rows: list[str]) -> tuple[set[str], set[str], str]:
    file = tmp_path / "table.csv"
    file.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    ratings, draft = guessed_ratings(str(file))
    return {*ratings.judges}, {*ratings.humans}, " ".join(draft.assumed)


def test_a_code_beside_its_name(tmp_path: Path) -> None:
    names = ["good", "bad", "good", "bad", "bad", "good"]
    rows = [f"{k},{n},{'01'[n == 'good']},{n if k else 'bad'}" for k, n in enumerate(names)]
    judges, people, told = read(tmp_path, "id,human_name,human_code,judge", rows)
    assert (judges, people) == ({"judge"}, {"human_name"})
    assert "`human_code` says again what `human_name` says" in told


def test_a_copy_and_a_cut_of_a_judges_grades(tmp_path: Path) -> None:
    rows = [f"{k},{g},{g},{'pass' if g > 2 else 'fail'}" for k, g in enumerate(GRADES)]
    header = "id,relevance,gpt_relevance,relevance_result"
    judges, people, told = read(tmp_path, header, rows)
    assert (len(judges), people) == (1, set())
    assert "`relevance` says again" in told
    assert "`relevance_result` says again" in told


def test_a_person_who_always_agrees_stays(tmp_path: Path) -> None:
    rows = [f"{k},{g},{g}" for k, g in enumerate(GRADES)]
    judges, people, told = read(tmp_path, "id,human_relevance,gpt_relevance", rows)
    assert (len(judges), len(people)) == (1, 1)
    assert "says again" not in told


def test_a_label_that_names_nobody_stays(tmp_path: Path) -> None:
    rows = [f"{k},{g},{g}" for k, g in enumerate(GRADES)]
    judges, people, _ = read(tmp_path, "id,label,gpt_label", rows)
    assert (judges, people) == ({"gpt_label"}, {"label"})
