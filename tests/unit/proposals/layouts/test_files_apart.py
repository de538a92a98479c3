"""Files laid out each in its own way, and files of one layout that are of several things."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from goldassay import agree
from goldassay.proposals.propose import guessed_ratings

ITEMS = 50
TRUTH = [random.Random(k).choice(["yes", "no"]) for k in range(ITEMS)]
JUDGES = {"gpt-4o": 0.9, "claude-3": 0.7}


def said(right: float, seed: int, truth: list[str] = TRUTH) -> list[str]:
    draw = random.Random(seed)
    return [one if draw.random() < right else {"yes": "no", "no": "yes"}[one] for one in truth]


def written(path: Path, head: str, rows: list[tuple[object, ...]]) -> str:
    lines = [head, *(",".join(map(str, row)) for row in rows)]
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def by_model(path: Path, head: str) -> tuple[str, dict[str, list[str]]]:
    verdicts = {name: said(right, seed) for seed, (name, right) in enumerate(JUDGES.items(), 1)}
    rows = [(k, name, one[k]) for k in range(ITEMS) for name, one in verdicts.items()]
    return written(path, head, rows), verdicts


def share(one: list[str], two: list[str]) -> float:
    return sum(a == b for a, b in zip(one, two, strict=True)) / len(one)


def test_a_column_per_person_beside_a_row_per_judge(tmp_path: Path) -> None:
    people = written(
        tmp_path / "people.csv", "id,a1,a2,a3", [(k, t, t, t) for k, t in enumerate(TRUTH)]
    )
    judge, verdicts = by_model(tmp_path / "judge.csv", "id,model,verdict")
    ratings, _ = guessed_ratings([people, judge])
    assert (ratings.judges, ratings.humans) == (("claude-3", "gpt-4o"), ("a1", "a2", "a3"))
    assert "system" not in ratings.columns
    found = agree([people, judge])
    for name, one in verdicts.items():
        assert found["accuracy", name].value == share(one, TRUTH)


def test_people_and_judges_in_rows_under_other_names(tmp_path: Path) -> None:
    rows = [(k, who, t) for k, t in enumerate(TRUTH) for who in ("ann", "ben")]
    people = written(tmp_path / "annotations.csv", "item_id,annotator,label", rows)
    judge, verdicts = by_model(tmp_path / "predictions.csv", "item_id,model,prediction")
    ratings, _ = guessed_ratings([people, judge])
    assert (ratings.judges, ratings.humans) == (("claude-3", "gpt-4o"), ("ann", "ben"))
    found = agree([people, judge])
    for name, one in verdicts.items():
        assert found["accuracy", name].value == share(one, TRUTH)


@pytest.mark.parametrize(
    ("names", "what"),
    [(("fluency", "coherence"), "criterion"), (("llama-3-8b", "mistral-7b"), "system")],
)
def test_a_file_for_each_criterion_or_system(
    names: tuple[str, str], what: str, tmp_path: Path
) -> None:
    files, judged, people = [], list[str](), list[str]()
    for seed, name in enumerate(names, 20):
        truth = said(0.6, seed + 5)
        verdict = said(0.9, seed, truth)
        rows = list(zip(range(ITEMS), truth, verdict, strict=True))
        files.append(written(tmp_path / f"{name}.csv", "id,human,judge", rows))
        judged += verdict
        people += truth
    ratings, draft = guessed_ratings(files)
    assert {one[what] for one in draft.task["files"].values()} == {*names}
    assert what in ratings.columns
    assert agree(files)["accuracy", "judge"].value == pytest.approx(share(judged, people))


def test_labels_by_item_in_an_object(tmp_path: Path) -> None:
    rows = [(f"q{k}", f"text {k}", t) for k, t in enumerate(TRUTH)]
    people = written(tmp_path / "dataset.csv", "id,question,gold_label", rows)
    one = said(0.9, 3)
    judge = tmp_path / "judge_gpt4.json"
    judge.write_text(json.dumps({f"q{k}": v for k, v in enumerate(one)}))
    found = agree([people, str(judge)])
    assert found["accuracy", "judge_gpt4"].value == share(one, TRUTH)


def test_names_of_files_say_who_is_the_judge(tmp_path: Path) -> None:
    human = written(tmp_path / "human.csv", "ID,label", list(enumerate(TRUTH)))
    judge = written(tmp_path / "judge.csv", "item_id,verdict", list(enumerate(said(0.9, 4))))
    _, draft = guessed_ratings([human, judge])
    assert not draft.questions


def test_people_in_columns_beside_a_file_for_each_judge(tmp_path: Path) -> None:
    rows = [(k, t, t) for k, t in enumerate(TRUTH)]
    files = [written(tmp_path / "people.csv", "id,a1,a2", rows)]
    verdicts = {"gpt4": said(0.9, 5), "claude": said(0.6, 6)}
    for name, one in verdicts.items():
        path = tmp_path / f"{name}.jsonl"
        records = [{"id": k, "judgment": {"label": v, "why": "so"}} for k, v in enumerate(one)]
        path.write_text("\n".join(map(json.dumps, records)))
        files.append(str(path))
    ratings, _ = guessed_ratings(files)
    assert (ratings.judges, ratings.humans) == (("claude", "gpt4"), ("a1", "a2"))
    found = agree(files)
    for name, one in verdicts.items():
        assert found["accuracy", name].value == share(one, TRUTH)


def test_a_column_that_people_in_rows_and_a_judge_share(tmp_path: Path) -> None:
    rows = [(k, who, t) for k, t in enumerate(TRUTH) for who in ("ann", "ben")]
    people = written(tmp_path / "human.csv", "id,annotator,label", rows)
    one = said(0.8, 7)
    judge = written(tmp_path / "gpt-4.csv", "id,label", list(enumerate(one)))
    ratings, draft = guessed_ratings([people, judge])
    assert (ratings.judges, ratings.humans) == (("gpt-4",), ("ann", "ben"))
    assert draft.task["files"]["gpt-4.csv"] == {"rater": "gpt-4", "kind": "judge"}
    assert agree([people, judge])["accuracy", "gpt-4"].value == share(one, TRUTH)
