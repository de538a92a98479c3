"""A file for people and one for a judge, with the same columns."""

from __future__ import annotations

import json
from pathlib import Path

from goldassay.proposals.propose import guessed_ratings


def test_systems_and_criteria_in_the_names_of_both_files(tmp_path: Path) -> None:
    """Files say who rated, so that a model's name in a column is what was rated."""
    names = [f"{one}_{two}" for one in ("gpt-4o", "BART") for two in ("fluency", "coherence")]
    paths = []
    for at, stem in enumerate(("human", "gpt4_eval")):
        rows = [f"{n}," + ",".join(str((n * at + k) % 5 + 1) for k in range(4)) for n in range(20)]
        paths.append(tmp_path / f"{stem}.csv")
        paths[-1].write_text("\n".join([f"id,{','.join(names)}", *rows]) + "\n")
    ratings, draft = guessed_ratings(paths)
    assert (ratings.judges, ratings.humans) == (("gpt4_eval",), ("human",))
    cell = draft.task["cells"]["gpt-4o_fluency"]
    assert (cell["system"], cell["criterion"]) == ("gpt-4o", "fluency")


def test_a_judge_with_its_scores_in_a_record(tmp_path: Path) -> None:
    """People's criteria are columns, the judge's members of `scores`: who rated is the file."""
    people, judge = tmp_path / "people.csv", tmp_path / "llm_judge.jsonl"
    rows = [f"{n},{n % 5 + 1},{n % 4 + 1}" for n in range(20)]
    people.write_text("\n".join(["id,fluency,coherence", *rows]) + "\n")
    lines = [{"id": n, "scores": {"fluency": n % 3 + 1, "coherence": n % 5 + 1}} for n in range(20)]
    judge.write_text("".join(json.dumps(one) + "\n" for one in lines))
    ratings, draft = guessed_ratings([people, judge])
    assert (ratings.judges, ratings.humans) == (("llm_judge",), ("people",))
    assert {cell["criterion"] for cell in draft.task["cells"].values()} == {"fluency", "coherence"}
