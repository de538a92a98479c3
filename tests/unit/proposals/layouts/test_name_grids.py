"""Systems in the names of columns, beside who rated them."""

from __future__ import annotations

import json
from pathlib import Path

from goldassay.proposals.layouts.name_grids import products, raters_of_systems, with_whose
from goldassay.proposals.propose import guessed_ratings


def test_raters_and_systems_in_names(tmp_path: Path) -> None:
    """A model's name beside `expert` does not make the column a judge's."""
    systems = ("gpt-4o", "BART", "pegasus")
    head = ",".join(f"{who}_{one}" for one in systems for who in ("expert", "llm"))
    rows = [f"q{n}," + ",".join(str((n + k) % 5 + 1) for k in range(6)) for n in range(20)]
    path = tmp_path / "scores.csv"
    path.write_text("\n".join([f"id,{head}", *rows]) + "\n")
    ratings, draft = guessed_ratings(path)
    assert (ratings.judges, ratings.humans) == (("llm",), ("expert",))
    assert {cell["system"] for cell in draft.task["cells"].values()} == {*systems}


def test_systems_of_which_none_is_known_are_asked_about(tmp_path: Path) -> None:
    systems = ("baseline", "BART", "pegasus")
    head = ",".join(f"{who}_{one}" for one in systems for who in ("expert", "judge"))
    rows = [f"q{n}," + ",".join(str((n + k) % 5 + 1) for k in range(6)) for n in range(20)]
    path = tmp_path / "scores.csv"
    path.write_text("\n".join([f"id,{head}", *rows]) + "\n")
    draft = guessed_ratings(path)[1]
    assert any("systems that were rated?" in one for one in draft.questions)


def test_criteria_are_no_systems() -> None:
    assert not raters_of_systems(["human_tone", "gpt4_tone", "human_depth", "gpt4_depth"])
    assert not raters_of_systems(["human_label", "gpt4_label", "human_v1", "gpt4_v1"])


def test_names_that_are_no_grid_have_no_product() -> None:
    assert not list(products(["a_x", "b_x", "a_y"]))
    assert not list(products(["a_x", "b_x", "a_y", "c_y"]))


def test_records_of_systems_say_whose_the_grades_are(tmp_path: Path) -> None:
    """`outputs.owl.expert_score` and `outputs.owl.llm_score` are a person's and a judge's."""
    rows = [
        {
            "id": n,
            "outputs": {
                one: {"expert_score": (n + k) % 5 + 1, "llm_score": (n * k) % 5 + 1}
                for k, one in enumerate(("owl", "wren", "kite"))
            },
        }
        for n in range(20)
    ]
    path = tmp_path / "data.json"
    path.write_text(json.dumps(rows))
    ratings, draft = guessed_ratings(path)
    assert (ratings.judges, ratings.humans) == (("llm_score",), ("expert_score",))
    assert len({cell["system"] for cell in draft.task["cells"].values()}) == 3


def test_records_of_systems_with_criteria() -> None:
    lists = {
        f"outputs_{one}_{who}_{what}": {"system": one, "criterion": f"{who}_{what}", "rater": ""}
        for one in ("owl", "kite")
        for who in ("human", "judge")
        for what in ("tone", "depth")
    }
    made = with_whose(lists)
    assert made["outputs_owl_judge_tone"] == {
        "rater": "judge",
        "kind": "judge",
        "system": "owl",
        "criterion": "tone",
    }


def test_who_rated_systems_by_what(tmp_path: Path) -> None:
    """`outputs.owl.human.tone` is a person's rating of `owl` by its tone."""
    rows = [
        {
            "id": n,
            "model_outputs": {
                one: {
                    who: {what: (n * k + at) % 5 + 1 for at, what in enumerate(("tone", "depth"))}
                    for k, who in enumerate(("human", "judge"))
                }
                for one in ("bart", "gpt-4o")
            },
        }
        for n in range(20)
    ]
    path = tmp_path / "data.json"
    path.write_text(json.dumps(rows))
    ratings, draft = guessed_ratings(path)
    assert (ratings.judges, ratings.humans) == (("judge",), ("human",))
    cells = draft.task["cells"].values()
    assert {(cell["system"], cell["criterion"]) for cell in cells} == {
        (one, what) for one in ("bart", "gpt-4o") for what in ("tone", "depth")
    }


def test_systems_are_told_by_their_texts() -> None:
    names = [f"{one}_{who}_match" for one in ("base", "rag") for who in ("human", "llm")]
    cells = raters_of_systems(names, ["question", "base_answer", "rag_answer"])
    assert {(cell["system"], cell["rater"]) for cell in cells.values()} == {
        (one, f"{who}_match") for one in ("base", "rag") for who in ("human", "llm")
    }
    assert not raters_of_systems(names, ["question", "base_answer"])
