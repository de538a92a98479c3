"""A drafted task fits the table it was drafted from."""

from __future__ import annotations

import csv
import json
import tomllib
from pathlib import Path

import pytest

from goldassay.errors import RatingsError
from goldassay.proposals.propose import guessed_ratings, propose
from goldassay.ratings.table import read_ratings
from goldassay.ratings.task import Task

TABLES = {
    "binary": (
        "item,rater,kind,value\n1,h,human,yes\n2,h,human,no\n3,h,human,N/A\n",
        {"scale": "binary", "positive": "yes", "abstain": ["N/A"]},
    ),
    "ordinal": (
        "item,rater,kind,value\n1,h,human,1\n2,h,human,10\n3,h,human,2\n",
        {"scale": "ordinal", "options": [str(number) for number in range(1, 11)]},
    ),
    "nominal": (
        "item,rater,kind,value\n1,h,human,red\n2,h,human,blue\n3,h,human,green\n4,h,human,None\n",
        {"scale": "nominal", "invalid": ["None"]},
    ),
    "continuous": (
        "item,rater,kind,value\n" + "".join(f"{i},h,human,{i / 7:.3f}\n" for i in range(30)),
        {"scale": "continuous"},
    ),
    "pairwise": (
        "item,rater,kind,value,system,opponent\n1,h,human,A,x,y\n2,h,human,B,x,y\n"
        "3,h,human,tie,x,y\n",
        {"scale": "pairwise", "options": ["A", "B", "tie"], "tie": "tie"},
    ),
    "other names": (
        "example_id,annotator,label\n1,h,good\n2,h,bad\n",
        {"columns": {"item": "example_id", "rater": "annotator", "value": "label"}},
    ),
    "wide": (
        "id,ann,bob,gpt4\n1,MET,MET,UNMET\n2,UNMET,MET,UNMET\n3,MET,UNMET,MET\n",
        {"wide": {"human": ["ann", "bob"], "judge": ["gpt4"]}, "columns": {"item": "id"}},
    ),
    "clusters": (
        "item,rater,kind,value,prompt\n1,h,human,yes,p\n2,h,human,no,p\n"
        "3,h,human,no,q\n4,h,human,yes,q\n",
        {"cluster": "prompt"},
    ),
}


@pytest.mark.parametrize("name", list(TABLES))
def test_drafts(tmp_path: Path, name: str) -> None:
    text, expected = TABLES[name]
    path = tmp_path / "ratings.csv"
    path.write_text(text)
    drafted = propose(path)
    written = tomllib.loads(drafted.to_toml())
    assert written == drafted.task
    Task.from_mapping(written)
    for key, value in expected.items():
        assert written[key] == value
    assert drafted.assumed


def test_a_table_without_ratings_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "ratings.csv"
    path.write_text("place,what\nhere,chair\nthere,table\n")
    assert propose(path).missing
    with pytest.raises(RatingsError, match="which column holds the ratings"):
        guessed_ratings(path)


def test_hundreds_of_raters_in_columns(tmp_path: Path) -> None:
    """One pass over a wide table: 300 raters, odd names too, and empty cells gone."""
    names = ['a "quoted" one', "with.dot", "it's", *(f"r{index}" for index in range(297))]
    rated = ([f"q{item}", *["yes" if item % 2 else "no"] * 299, ""] for item in range(4))
    path = tmp_path / "wide.csv"
    with path.open("w", newline="") as stream:
        csv.writer(stream).writerows([["item", *names], *rated])
    drafted = propose(str(path)).task
    assert len(drafted["wide"]["human"]) == 299  # the last is empty throughout
    ratings = read_ratings(str(path), Task.from_mapping(drafted))
    assert ratings.census.rows == 4 * 299
    assert {'a "quoted" one', "it's", "with.dot"} <= set(ratings.humans)


def test_a_log_beside_a_table_of_people(tmp_path: Path) -> None:
    """What a tool logged and what people wrote into a table are read by one command."""
    systems = ("one", "three")
    (tmp_path / "gpt-4_single.jsonl").write_text(
        "".join(
            json.dumps(
                {
                    "question_id": 80 + n,
                    "model": m,
                    "judge": ["gpt-4", "single-v1"],
                    "score": (n * 3 + len(m)) % 10 + 1,
                    "turn": 1,
                    "user_prompt": "?",
                    "judgment": "[[8]]",
                }
            )
            + "\n"
            for n in range(12)
            for m in systems
        )
    )
    (tmp_path / "people.csv").write_text(
        "item,system,human_score\n"
        + "".join(f"{80 + n} turn 1,{m},{n % 10 + 1}\n" for n in range(12) for m in systems)
    )
    paths = [str(tmp_path / name) for name in ("gpt-4_single.jsonl", "people.csv")]
    ratings, draft = guessed_ratings(paths)
    assert ratings.judges == ("gpt-4 (single-v1)",)
    assert ratings.humans == ("people",)
    assert ratings.census.rows == 48
    task = Task.from_mapping(tomllib.loads(draft.to_toml()))
    assert read_ratings(paths, task).census.rows == 48


@pytest.mark.parametrize("names", [("①", "②", "!!"), ("-", "_", "🙂"), ("id", "①", "human")])
def test_names_of_signs_alone_are_names(tmp_path: Path, names: tuple[str, ...]) -> None:
    rows = "yes,no,yes\nno,no,yes\nyes,yes,no\n" * 4
    path = tmp_path / "signs.csv"
    path.write_text(f"{','.join(names)}\n{rows}")
    draft = propose(str(path))
    assert draft.task or draft.missing
