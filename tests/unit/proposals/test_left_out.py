"""What is left out is asked about, and nothing that is read is said to be left out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from goldassay.proposals.declared import Declared
from goldassay.proposals.draft import OpenQuestionError
from goldassay.proposals.propose import drafted_task, guessed_ratings, propose


def written(folder: Path, header: str, rows: list[str]) -> str:
    path = folder / "table.csv"
    path.write_text("\n".join((header, *rows)) + "\n")
    return str(path)


def test_a_judge_with_other_labels_is_asked_about(tmp_path: Path) -> None:
    said = [("safe", "unsafe")[n % 3 == 0] for n in range(30)]
    rows = [f"p{n},{one},{one},{n % 3 == 0}" for n, one in enumerate(said)]
    path = written(tmp_path, "prompt,human_label,llama_guard,openai_moderation", rows)
    asked = propose(path).questions
    assert "Does `openai_moderation` hold ratings too? It is not read" in asked


@pytest.mark.parametrize(("name", "asked"), [("human_mood", True), ("human_role", False)])
def test_what_somebody_says_in_other_words_is_asked_about(
    tmp_path: Path, name: str, asked: bool
) -> None:
    said = ("calm", "cross", "sad")
    verdicts = [(("yes", "no")[n % 3 == 0], ("yes", "no")[n % 4 == 0]) for n in range(30)]
    rows = [f"p{n},{one},{two},{said[n % 3]}" for n, (one, two) in enumerate(verdicts)]
    questions = propose(written(tmp_path, f"prompt,human,judge,{name}", rows)).questions
    assert any(f"Does `{name}` hold ratings too?" in one for one in questions) == asked


def test_a_criterion_is_not_said_to_be_left_out(tmp_path: Path) -> None:
    rows = [
        f"ex{n},{who},{kind},{criterion},{(n + len(who)) % 5 + 1}"
        for n in range(10)
        for criterion in ("fluency", "coherence")
        for who, kind in (("alice", "human"), ("bob", "human"), ("gpt-4", "llm"))
    ]
    draft = propose(written(tmp_path, "example,evaluator,evaluator_type,metric,score", rows))
    assert draft.task["columns"]["criterion"] == "metric"
    assert not any("`metric`" in question for question in draft.questions)


def test_votes_for_one_option_are_no_grade(tmp_path: Path) -> None:
    rows = [f"{n},{n % 6},5,{(n % 6) / 5 + n % 3 / 100}" for n in range(30)]
    path = written(tmp_path, "comment_id,toxic_votes,n_votes,perspective_score", rows)
    draft = drafted_task(path)
    assert draft.missing[0].question.startswith("Does `toxic_votes` count people's votes")
    with pytest.raises(OpenQuestionError, match=r"Write the other votes .* or add --task "):
        guessed_ratings(path)
    words, answer = draft.missing[0].answers
    assert isinstance(words, str)
    assert not isinstance(answer, str)
    ratings, _ = guessed_ratings(path, None, Declared.of(answer, "task"))
    assert ratings.judges == ("perspective_score",)


def test_records_whose_members_are_read_are_not_asked_about(tmp_path: Path) -> None:
    people = [
        [{"annotator": who, "label": ("ok", "not ok")[n % 2]} for who in "xyz"] for n in (0, 1)
    ]
    rows = [{"item": n, "annotations": people[n % 2], "judge_label": "ok"} for n in range(20)]
    path = tmp_path / "list.json"
    path.write_text(json.dumps(rows))
    draft = propose(str(path))
    assert "annotations.x.label" in draft.task["wide"]["human"]
    assert not any("`annotations`" in question for question in draft.questions)


def test_a_score_beside_verdicts_is_asked_about_with_what_would_read_it(tmp_path: Path) -> None:
    flagged = [n % 3 == 0 for n in range(30)]
    rows = [
        f"p{n},{('ok', 'toxic')[f]},{('ok', 'toxic')[f]},0.{n + 10}1" for n, f in enumerate(flagged)
    ]
    path = written(tmp_path, "prompt,human_label,gpt_verdict,llama_guard_score", rows)
    (asked,) = [one for one in propose(path).questions if "llama_guard_score" in one]
    assert 'cells.llama_guard_score.cut = ">= 0.5"' in asked
    cell = {"rater": "llama_guard_score", "kind": "judge", "cut": ">= 0.5"}
    declared = Declared.of({"cells": {"llama_guard_score": cell}}, "task", in_file=False)
    ratings, _ = guessed_ratings(path, None, declared)
    assert sorted(ratings.judges) == ["gpt_verdict", "llama_guard_score"]


def test_lists_whose_members_are_read_are_not_asked_about(tmp_path: Path) -> None:
    said = ("no", "yes")
    rows = [
        {
            "id": n,
            "verdicts_human": [said[n % 2], said[n % 3 % 2], said[n % 5 % 2]],
            "verdict_llm": said[n % 7 % 2],
        }
        for n in range(20)
    ]
    path = tmp_path / "data.json"
    path.write_text(json.dumps(rows))
    draft = propose(path)
    assert len(draft.task["wide"]["human"]) == 3
    assert not draft.questions


@pytest.mark.parametrize("name", ["lenient", "english", "bar"])
def test_what_never_differs_under_any_name_is_asked_about(tmp_path: Path, name: str) -> None:
    rows = [f"p{n},{'ny'[n % 3 > 0]},{'ny'[n % 4 > 0]},y" for n in range(40)]
    path = written(tmp_path, f"prompt,human,strict,{name}", rows)
    ratings, draft = guessed_ratings(path)
    assert ratings.judges == ("strict",)
    assert draft.questions[0].startswith(
        f"Does `{name}` hold a judge's ratings? It says one thing only: not read; if so: "
    )
    answered, _ = guessed_ratings(path, declared=Declared(draft.offered[0]))
    assert {*answered.judges} == {"strict", name}


def test_what_never_differs_beside_one_person_is_asked_about(tmp_path: Path) -> None:
    rows = [f"p{n},{('no', 'yes')[n % 3 > 0]},yes,no" for n in range(40)]
    path = written(tmp_path, "prompt,human,prompt_v1,prompt_v2", rows)
    _, draft = guessed_ratings(path)
    assert draft.questions[0].startswith("Do `prompt_v1` and `prompt_v2` hold judges' ratings?")
    answered, _ = guessed_ratings(path, declared=Declared(draft.offered[0]))
    assert answered.judges == ("prompt_v1", "prompt_v2")


def test_a_setting_that_is_a_label_too_is_told(tmp_path: Path) -> None:
    rows = [f"p{n},{n % 3 % 2},{n % 4 % 2},0,1" for n in range(40)]
    draft = propose(written(tmp_path, "prompt,human,judge,temperature,seed", rows))
    told = "`temperature` and `seed` are no ratings, by the name: each says one thing only"
    assert told in draft.assumed
    assert not draft.questions
