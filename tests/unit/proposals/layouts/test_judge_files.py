"""A file for each judge that carries people's labels too; files that are parts of one table."""

from __future__ import annotations

import csv
import json
import random
from pathlib import Path

from goldassay import agree
from goldassay.proposals.propose import guessed_ratings

ITEMS = 60


def verdicts(right: float, seed: int) -> list[str]:
    draw = random.Random(seed)
    return [
        label if draw.random() < right else {"yes": "no", "no": "yes"}[label] for label in TRUTH
    ]


TRUTH = [random.Random(7 + k).choice(["yes", "no"]) for k in range(ITEMS)]


def table(path: Path, said: list[str] | None, first: int = 0, last: int = ITEMS) -> str:
    with path.open("w", newline="") as stream:
        lines = csv.writer(stream)
        lines.writerow(["id", "label", *(["prediction"] if said else [])])
        for k in range(first, last):
            lines.writerow([f"q{k}", TRUTH[k], *([said[k]] if said else [])])
    return str(path)


def share(one: list[str]) -> float:
    return sum(a == b for a, b in zip(one, TRUTH, strict=True)) / ITEMS


def test_the_file_names_the_judge_and_labels_count_once(tmp_path: Path) -> None:
    said = {"gpt4": verdicts(0.9, 1), "claude": verdicts(0.7, 2)}
    files = [table(tmp_path / f"{name}.csv", one) for name, one in said.items()]
    ratings, draft = guessed_ratings(files)
    assert (ratings.judges, ratings.humans) == (("claude", "gpt4"), ("label",))
    assert draft.task["files"] == {"gpt4.csv": {"rater": "gpt4"}, "claude.csv": {"rater": "claude"}}
    assert draft.task["cells"]["prediction"] == {"kind": "judge"}
    study = agree(files)
    for name, one in said.items():
        assert study["accuracy", name].value == share(one)


def test_judges_that_nearly_always_agree_are_two(tmp_path: Path) -> None:
    said = verdicts(0.9, 1)
    other = [*said[:-1], {"yes": "no", "no": "yes"}[said[-1]]]
    files = [table(tmp_path / "gpt4.csv", said), table(tmp_path / "claude.csv", other)]
    ratings, _ = guessed_ratings(files)
    assert (ratings.judges, ratings.humans) == (("claude", "gpt4"), ("label",))


def test_equal_names_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    said = {"gpt4": verdicts(0.9, 3), "claude": verdicts(0.6, 4)}
    files = []
    for name, one in said.items():
        (tmp_path / name / "cot").mkdir(parents=True)
        rows = [
            {"input": f"Question {k}", "label": TRUTH[k], "verdict": one[k]} for k in range(ITEMS)
        ]
        path = tmp_path / name / "cot" / "result.json"
        path.write_text(json.dumps(rows))
        files.append(str(path))
    study = agree(files)
    for name, one in said.items():
        assert study["accuracy", name].value == share(one)


def test_labels_in_a_file_of_their_own_beside_one_judge(tmp_path: Path) -> None:
    said = verdicts(0.8, 5)
    people = table(tmp_path / "dataset.csv", None)
    ratings, _ = guessed_ratings([people, table(tmp_path / "gpt4.csv", said)])
    assert (ratings.judges, ratings.humans) == (("gpt4",), ("label",))


def test_parts_of_one_table_are_one_judge(tmp_path: Path) -> None:
    """Other items in every file: a name of a file says nothing of who judged."""
    said = verdicts(0.8, 6)
    files = [
        table(tmp_path / "part1.csv", said, 0, 30),
        table(tmp_path / "part2.csv", said, 30, ITEMS),
    ]
    ratings, _ = guessed_ratings(files)
    assert ratings.judges == ("prediction",)
    assert agree(files)["accuracy", "prediction"].value == share(said)


def test_people_with_a_file_each_beside_a_judge(tmp_path: Path) -> None:
    """`score` of two files is two people's, and a judge's general column is called as its file."""
    for who, seed in (("alice", 8), ("bob", 9)):
        said = verdicts(0.8, seed)
        rows = "".join(f"q{k},{one}\n" for k, one in enumerate(said))
        (tmp_path / f"{who}.csv").write_text("sample_id,label\n" + rows)
    rows = "".join(f"q{k},{one}\n" for k, one in enumerate(verdicts(0.9, 10)))
    (tmp_path / "gpt-4o.csv").write_text("sample_id,judge_label\n" + rows)
    files = [str(tmp_path / f"{who}.csv") for who in ("alice", "bob", "gpt-4o")]
    ratings, _ = guessed_ratings(files)
    assert (ratings.judges, ratings.humans) == (("gpt-4o",), ("alice", "bob"))
    assert agree(files)["accuracy", "gpt-4o"].n_items == sum(
        one == two for one, two in zip(verdicts(0.8, 8), verdicts(0.8, 9), strict=True)
    )
