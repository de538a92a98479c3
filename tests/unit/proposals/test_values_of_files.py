"""A value that does not stand in the file is found (`cells_of_files`); labels are read once."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import narwhals as nw
import pytest
from cells_of_files import misread

from goldassay.proposals.propose import guessed_ratings
from goldassay.ratings.fetch import fetch

FOLDER = Path(__file__).parents[2] / "support" / "held_out"


@pytest.mark.parametrize(
    ("other", "found"),
    [
        (
            "id,human,judge\na,1,1\nb,0,0\nc,1,1\nd,0,1\n",
            "'0.0' is read 4 times and stands in 3 cells",
        ),
        ("id,human,judge\na,0,0\nb,1,1\nc,0,0\nd,1,1\n", "no record holds both 'a' and '1.0'"),
    ],
)
def test_values_of_another_file_are_found(tmp_path: Path, other: str, found: str) -> None:
    path = tmp_path / "table.csv"
    head = "id,human,judge\n"
    path.write_text(f"{head}a,1,1\nb,0,0\nc,1,1\nd,0,0\n", encoding="utf-8")
    ratings, draft = guessed_ratings(str(path))
    assert misread(ratings, draft, [path]) == ""
    path.with_name("other.csv").write_text(head + other, encoding="utf-8")
    assert misread(ratings, draft, [path.with_name("other.csv")]) == found


def test_labels_in_one_cell_are_each_read_once() -> None:
    path = FOLDER / "fourth" / "HS-Brexit_dev.json"
    whole = json.loads(path.read_text(encoding="utf-8"))
    cells = Counter((k, v) for k, one in whole.items() for v in one["annotations"].split(","))
    ratings, _ = guessed_ratings(str(path))
    read = fetch(ratings.frame.select("item", "value"), place="")
    assert Counter(zip(map(str, read["item"]), map(str, read["value"]), strict=True)) == cells


def test_counted_votes_are_each_read_once() -> None:
    path = FOLDER / "fourth" / "chaosNLI_snli.jsonl"
    votes = Counter[str]()
    for line in path.read_text(encoding="utf-8").splitlines():
        votes.update(json.loads(line)["label_counter"])
    ratings, _ = guessed_ratings(str(path))
    people = ratings.frame.filter(nw.col("kind") == nw.lit("human"))
    assert Counter(map(str, fetch(people.select("value"), place="")["value"])) == votes
