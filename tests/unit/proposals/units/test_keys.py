"""Which columns name an item and bind ratings together."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from goldassay.proposals.propose import guessed_ratings, propose


def _json(path: Path, rows: Sequence[Mapping[str, object]]) -> Path:
    path.write_text(json.dumps(rows))
    return path


def test_a_cluster_that_one_of_two_files_has_is_every_ratings(tmp_path: Path) -> None:
    """Six items of three instructions; the judge's file has the items and no instruction."""
    people = [
        {"idx": i, "instruction": f"task {i // 2}", "annotator1": 1 + i % 2, "annotator2": 1}
        for i in range(6)
    ]
    judge = [{"idx": i, "gpt_result": 1 + i % 2} for i in range(6)]
    files = [_json(tmp_path / "people.json", people), _json(tmp_path / "gpt.json", judge)]
    ratings, draft = guessed_ratings([str(file) for file in files])
    assert ratings.task.cluster == "instruction"
    assert any("`instruction`" in line and "(3 of them)" in line for line in draft.assumed)
    found = ratings.frame.select("item", "instruction", "rater").collect().to_native()
    rows = list(zip(*(found.column(name).to_pylist() for name in found.schema.names), strict=True))
    assert len(rows) == 18
    assert all(cluster == f"task {int(item) // 2}" for item, cluster, _ in rows)


def test_a_cluster_that_does_not_reach_every_item_is_not_taken(tmp_path: Path) -> None:
    people = [
        {"idx": i, "instruction": f"task {i // 2}", "annotator1": 1 + i % 2} for i in range(6)
    ]
    judge = [{"idx": i, "gpt_result": 1 + i % 2} for i in range(8)]
    files = [_json(tmp_path / "people.json", people), _json(tmp_path / "gpt.json", judge)]
    ratings, _ = guessed_ratings([str(file) for file in files])
    assert ratings.task.cluster == "item"


def test_an_id_that_is_there_twice_is_told_and_asked_about(tmp_path: Path) -> None:
    """Eight names, one of them twice with different labels: a group, and likely an error."""
    rows = [f"case {i},{'pass' if i % 2 else 'fail'},pass" for i in range(8)] + ["case 1,fail,fail"]
    path = tmp_path / "twice.csv"
    path.write_text("\n".join(["id,human,judge", *rows]) + "\n")
    _, draft = guessed_ratings(path)
    assert not any("no column names items" in line for line in draft.assumed)
    assert any("`id` names groups of them: 'case 1' occurs twice" in line for line in draft.assumed)
    assert draft.task["cluster"] == "id"
    assert draft.questions == [
        "Is `id` 'case 1' there twice by mistake? Its rows have different labels"
    ]


def test_ids_that_all_repeat_are_groups_and_no_mistake(tmp_path: Path) -> None:
    rows = [f"case {i % 4},{'pass' if i % 3 else 'fail'},pass" for i in range(8)]
    path = tmp_path / "groups.csv"
    path.write_text("\n".join(["id,human,judge", *rows]) + "\n")
    _, draft = guessed_ratings(path)
    assert draft.task["cluster"] == "id"
    assert not draft.questions


def _named_item(path: Path, header: str, rows: Sequence[str]) -> object:
    path.write_text("\n".join([header, *rows]) + "\n")
    return guessed_ratings(path)[1].task["columns"]["item"]


def test_an_id_names_the_item_before_a_text_that_is_as_good(tmp_path: Path) -> None:
    rows = [f"t{i},Say hello {i},{i % 3 > 0},{i % 2 > 0}" for i in range(12)]
    header = "test_id,prompt,judge_passed,human_passed"
    assert _named_item(tmp_path / "t.csv", header, rows) == "test_id"


def test_a_first_column_of_names_names_the_item(tmp_path: Path) -> None:
    rows = [f"e{i},{'ABC'[i % 3]},{'ABC'[i % 2]}" for i in range(12)]
    assert _named_item(tmp_path / "t.csv", "essay,teacher,gpt4", rows) == "essay"


def test_a_list_of_the_crowds_labels_is_named_as_left_out(tmp_path: Path) -> None:
    rows = [
        {"id": i, "majority_human": ["No", "Yes"][i % 2], "crowd": ["No", "Yes", "Unsure"] * 40}
        for i in range(6)
    ]
    rows = [row | {"tags": ["a", "b", str(i)]} for i, row in enumerate(rows)]
    _, draft = guessed_ratings(_json(tmp_path / "crowd.json", rows))
    asked = [line for line in draft.questions if "several raters" in line]
    assert [line.split("`")[1] for line in asked] == ["crowd"]
    within = [
        {"id": i, "said": {"majority_human": row["majority_human"], "crowd": row["crowd"]}}
        for i, row in enumerate(rows)
    ]
    _, draft = guessed_ratings(_json(tmp_path / "within.json", within))
    asked = [line for line in draft.questions if "several raters" in line]
    assert [line.split("`")[1::2] for line in asked] == [["crowd", "said"]]


def test_repeats_on_which_people_differ_are_outputs_of_their_own(tmp_path: Path) -> None:
    rows = [
        f"t{task},{model},{trial},{(task + trial) % 2},{(task * trial) % 2}"
        for task in range(8)
        for model in "ab"
        for trial in (1, 2)
    ]
    path = tmp_path / "trials.csv"
    path.write_text("\n".join(("task,model_name,trial,human_pass,autograder_pass", *rows)) + "\n")
    draft = propose(str(path))
    assert draft.task["columns"]["item"] == ["task", "trial"]
    assert "sample" not in draft.task["columns"]
    assert draft.task["cluster"] == "task"
    assert not any("names the repeat" in line for line in draft.assumed)


def _two_outputs(path: Path, column: str, *, prompts: int = 8) -> Path:
    """Two outputs for every ticket, under a column of that name."""
    rows = [
        f"T{i},{made},{'good' if (i + ord(made)) % 3 else 'bad'},{'good' if i % 2 else 'bad'}"
        for i in range(prompts)
        for made in "xy"
    ]
    path.write_text("\n".join([f"ticket_id,{column},reviewer,gpt-judge", *rows]) + "\n")
    return path


def test_what_every_prompt_has_once_under_a_word_for_systems_is_the_system(tmp_path: Path) -> None:
    for column in ("agent_model", "bot", "prompt_version"):
        task = propose(_two_outputs(tmp_path / f"{column}.csv", column)).task
        assert task["columns"]["system"] == column
        assert task["columns"]["item"] == "ticket_id"


def test_what_every_prompt_has_once_under_another_name_is_asked_about(tmp_path: Path) -> None:
    draft = propose(_two_outputs(tmp_path / "arms.csv", "arm"))
    assert "system" not in draft.task["columns"]
    assert [one for one in draft.questions if "`arm` name the system" in one]
    aside = propose(_two_outputs(tmp_path / "aside.csv", "language"))
    assert not [one for one in aside.questions if "name the system" in one]


def test_a_column_that_prompts_have_not_in_common_is_no_system(tmp_path: Path) -> None:
    """Each ticket has rows of one bot alone: nothing is crossed, and bots are not compared."""
    rows = [f"T{i},{'x' if i < 4 else 'y'},{o},good,bad" for i in range(8) for o in (1, 2)]
    path = tmp_path / "nested.csv"
    path.write_text("\n".join(["ticket_id,arm,n,reviewer,gpt-judge", *rows]) + "\n")
    assert not [one for one in propose(path).questions if "name the system" in one]


def test_a_list_of_ratings_that_says_whose_each_is(tmp_path: Path) -> None:
    """Feedback in records: of which criterion, by whom, a person or a judge."""
    given = (("human", "amy"), ("human", "bob"), ("llm", "gpt-4.1"))
    rows = [
        {
            "id": f"run {n}",
            "feedback": [
                {"key": key, "score": (n + len(who)) % 2, "source_type": kind, "by": who}
                for key in ("correct", "helpful")
                for kind, who in given
            ],
        }
        for n in range(12)
    ]
    ratings, draft = guessed_ratings(str(_json(tmp_path / "runs.json", rows)))
    assert ratings.judges == ("gpt-4.1",)
    assert ratings.humans == ("amy", "bob")
    assert ratings.unit == ("item", "criterion")
    assert draft.task["columns"]["criterion"] == "feedback.key"


def test_a_list_of_ratings_by_kind_alone(tmp_path: Path) -> None:
    rows = [
        {
            "id": f"run {n}",
            "feedback": [
                {"key": "correct", "score": n % 2, "source": "human", "user": "amy"},
                {"key": "correct", "score": n % 3 % 2, "source": "model", "model": "gpt-4.1"},
            ],
        }
        for n in range(12)
    ]
    ratings, _ = guessed_ratings(str(_json(tmp_path / "runs.json", rows)))
    assert (ratings.judges, ratings.humans) == (("model",), ("human",))
    assert ratings.unit == ("item",)


def test_a_record_called_as_a_model_names_no_system(tmp_path: Path) -> None:
    rows = [
        {
            "id": f"q{n}",
            "expert": {"relevance": n % 3, "coherence": n % 4 % 3},
            "llm": {"relevance": n % 2, "coherence": n % 5 % 3},
        }
        for n in range(20)
    ]
    path = tmp_path / "data.json"
    path.write_text(json.dumps(rows))
    assert not any("name the system" in one for one in propose(path).questions)
