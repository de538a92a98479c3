"""What the files contradict is one error, which names the option, the place, and what works."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from goldassay.errors import UsageError
from goldassay.read.arguments import arguments
from goldassay.read.declaring import declared_table

WIDE = [{"id": 1, "human_label": "a", "gpt": "b"}, {"id": 2, "human_label": "b", "gpt": "b"}]
LONG = [
    {"id": 1, "rater": "ann", "value": "x", "truth": "x"},
    {"id": 1, "rater": "gpt", "value": "y", "truth": "x"},
    {"id": 2, "rater": "gpt", "value": "y", "truth": "y"},
]

CASES: dict[str, tuple[Any, dict[str, Any], str]] = {
    "nobody": (WIDE, {"item": "id"}, r"--human, --judge, --reference: one of them must say whose"),
    "no such column": (
        WIDE,
        {"human": "human_lable"},
        r"--human human_lable: records has no column, rater or file `human_lable`.*`human_label`",
    ),
    "no such column after a sign": (WIDE, {"human": "ann=labels"}, r"no column `labels`"),
    "no such item": (WIDE, {"item": "uid", "human": "gpt"}, r"--item uid: .* no column `uid`"),
    "no such part of a key": (WIDE, {"item": ("id", "turn"), "human": "gpt"}, r"no column `turn`"),
    "no such condition": (WIDE, {"human": "gpt", "only": "topic=a"}, r"--only topic: .*`topic`"),
    "a column and a rater": (
        [*LONG, {"id": 3, "rater": "truth", "value": "x", "truth": "y"}],
        {"human": "truth"},
        r"is a column and a rater's name.*column:truth or rater:truth",
    ),
    "one letter from a column": (
        WIDE,
        {"human": "human_labl=gpt"},
        r"Did you mean `human_label`.*'rater:human_labl=gpt'",
    ),
    "another way to write a column": (WIDE, {"human": "HumanLabel=gpt"}, r"Did you mean `human_l"),
    "no ratings": (
        [{"id": 1, "a": "", "b": "x"}],
        {"human": "a", "judge": "b"},
        r"--human a: no rating is theirs; 1 cells are empty",
    ),
    "two kinds claim a column": (WIDE, {"human": "gpt", "judge": "gpt"}, r"both claim .*`gpt`"),
    "two kinds claim a rater": (LONG, {"human": "gp*", "judge": "*pt"}, r"claim the rater `gpt`"),
    "nobody claims a rater": (LONG, {"judge": "gpt"}, r"whose the ratings of ann are"),
    "two columns of names": (
        [{"id": 1, "person": "a", "judge": "b", "score": 1}],
        {"human": "person", "judge": "judge", "value": "score"},
        r"--value score: `person` and `judge` would both name",
    ),
    "a value for nobody": (
        WIDE,
        {"human": "ann=human_label", "value": "gpt"},
        r"--value gpt: every option says itself",
    ),
    "lists of different length": (
        [{"id": 1, "who": ["a", "b", "c"], "said": ["x", "y"]}],
        {"human": "who=said"},
        r"row 1: lists side by side must have one length: who has 3 elements, said 2",
    ),
    "two ratings where one is repeated": (
        [{**LONG[0], "truth": "z"}, *LONG[1:]],
        {"human": "ann", "judge": "gpt", "reference": "truth"},
        r"two ratings of 1 differ: 'z' \(records, row 1\) and 'x' \(records, row 2\)",
    ),
    "every row an item of its own": (
        [{"who": "a", "says": "x"}, {"who": "b", "says": "x"}],
        {"human": "who=says"},
        r"--item: must be given: every row is an item of its own",
    ),
    "a count that is none": (
        [{"id": 1, "yes": 1, "no": "many"}],
        {"human": "*", "votes": "yes,no"},
        r"--votes no: row 1 of records holds no count; found 'many'",
    ),
    "a label that fits twice": (
        [{"id": 1, "reply": "A or B"}],
        {"judge": "reply", "label": "*A*=a,*B*=b"},
        r"--label \*A\*=a and \*B\*=b: a value fits both; found 'A or B'",
    ),
    "a label that never fits": (WIDE, {"human": "gpt", "label": "q=r"}, r"no rating has this valu"),
    "no such rows": (
        [{"id": 1, "a": [{"b": 1}]}],
        {"rows": "c", "human": "b"},
        r"--rows c: no file has such records",
    ),
    "no column for a rater's ratings": (
        [{"id": 1, "rater": "ann", "score": 1}],
        {"human": "ann"},
        r"which column of records holds the ratings.*--value COLUMN, or write ann=COLUMN",
    ),
    "an option that is none": (WIDE, {"label": "a", "human": "gpt"}, r"--label: must be FROM=TO"),
    "a condition that is none": (WIDE, {"only": "gpt", "human": "gpt"}, r"must be COLUMN=VALUE"),
    "rows twice": (WIDE, {"rows": ["a", "b"], "human": "gpt"}, r"--rows: is given once"),
}


@pytest.mark.parametrize("case", CASES)
def test_what_is_contradicted_is_one_error(case: str) -> None:
    source, said, words = CASES[case]
    with pytest.raises(UsageError) as caught:
        declared_table(source, arguments(**said))
    assert re.search(words, str(caught.value), re.DOTALL), str(caught.value)
    assert caught.value.exit_code == 2


def test_ratings_in_a_file_without_the_key(tmp_path: Path) -> None:
    one, other = tmp_path / "a.csv", tmp_path / "b.csv"
    one.write_text("uid,human\n1,x\n", encoding="utf-8")
    other.write_text("key,judge\n1,x\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"--item uid: b.csv has ratings and none of these"):
        declared_table([one, other], arguments(item="uid", human="human", judge="judge"))
    table = declared_table(
        [one, other], arguments(item=["uid", "key"], human="human", judge="judge")
    )
    assert table.items == 1


def test_two_files_that_say_different_things_of_one_rating(tmp_path: Path) -> None:
    for name, value in (("a", "x"), ("b", "y")):
        (tmp_path / f"{name}.json").write_text(json.dumps([{"id": 1, "judge": value}]), "utf-8")
    paths = [tmp_path / "a.json", tmp_path / "b.json"]
    with pytest.raises(UsageError, match=r"'x' \(a.json, row 1\) and 'y' \(b.json, row 1\)"):
        declared_table(paths, arguments(judge="judge"))
    found = declared_table(paths, arguments(judge="*.json=judge"))
    assert {one.rater for one in found.ratings} == {"a", "b"}


def test_a_file_that_repeats_another_says_nothing_new(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.json").write_text(json.dumps([{"id": 1, "judge": "x"}]), "utf-8")
    found = declared_table([tmp_path / "a.json", tmp_path / "b.json"], arguments(judge="judge"))
    assert len(found.ratings) == 1
    assert found.left_out == {"ratings that other rows or files repeat": 1}
