"""A judge's yes or no beside people's grades is no grade: a cut is asked for, or it is left out."""

from __future__ import annotations

from pathlib import Path

from goldassay.proposals.declared import Declared
from goldassay.proposals.propose import drafted_task, guessed_ratings, propose
from goldassay.ratings.fetch import fetch


def written(folder: Path, header: str, rows: list[str]) -> str:
    path = folder / "graded.csv"
    path.write_text("\n".join((header, *rows)) + "\n")
    return str(path)


def test_the_cut_is_asked_for_and_both_answers_work(tmp_path: Path) -> None:
    rows = [f"e{n},{n % 5 + 1},{n * 2 % 5 + 1},{n % 2}" for n in range(20)]
    path = written(tmp_path, "example,expert_1,expert_2,gpt4_pass", rows)
    draft = drafted_task(path)
    assert draft.missing[0].question.startswith("From which grade on do people say yes?")
    for answer, cut, passed in zip(draft.missing[0].answers, (4, 3), (8, 12), strict=True):
        said = {"cut": f">= {cut}"}
        assert answer == {"cells": {"expert_1": said, "expert_2": said}}
        ratings, _ = guessed_ratings(path, None, Declared.of(answer, "task"))
        found = fetch(ratings.frame.select("rater", "value"), place="")
        said = zip(found["rater"], found["value"], strict=True)
        assert sum(who == "expert_1" and value == "1" for who, value in said) == passed


def test_a_verdict_beside_grades_of_another_judge_is_left_out_and_told(tmp_path: Path) -> None:
    rows = [f"e{n},{n % 5 + 1},{(n + 1) % 5 + 1},{n % 2}" for n in range(20)]
    draft = propose(written(tmp_path, "example,human_score,gpt4_score,llm_pass", rows))
    assert not draft.missing
    assert draft.task["wide"] == {"human": ["human_score"], "judge": ["gpt4_score"]}
    assert any("`llm_pass`" in question for question in draft.questions)
