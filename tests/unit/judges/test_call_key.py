"""The key of a call holds everything that shapes the answer, and nothing else."""

from __future__ import annotations

import json
import sqlite3
import sys
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from goldassay.cli import command_line as goldassay
from goldassay.judges.declaration import SHAPES_ANSWERS, SHAPES_NOTHING, SHAPES_RATINGS
from goldassay.judges.items import Item
from goldassay.judges.prompts import requests
from goldassay.judges.spec import Judge, Limits

JUDGE = Judge(
    name="j",
    model="m",
    base_url="http://localhost/v1",
    realization="binary",
    parameters={"temperature": 0},
    criteria={"c": "It is right."},
    api_key_env="A",
)
ITEM = Item("q1", input="in", output="out", system="s1", output_b="b", opponent="s0")


def keys(judge: Judge = JUDGE, item: Item = ITEM, **offers: object) -> list[str]:
    return [one.key for one in requests(judge, item, **offers)]  # type: ignore[arg-type]


LOCAL = Judge(name="j", callable="m:f", realization="binary", criteria={"c": "It is right."})
PAIR = replace(JUDGE, realization="pairwise", criteria={})

#: For every field that shapes answers, a judge and a change of it after which nothing is reused.
CHANGES: list[tuple[str, Judge, dict[str, Any]]] = [
    ("base_url", JUDGE, {"base_url": "http://localhost/v2"}),
    ("provider", JUDGE, {"provider": "anthropic"}),
    ("model", JUDGE, {"model": "m2"}),
    ("version", JUDGE, {"version": "2"}),
    ("prompt", JUDGE, {"prompt": "{output} {criterion} {format} "}),
    ("system_prompt", JUDGE, {"system_prompt": "Be strict."}),
    ("question", PAIR, {"question": "Which is shorter?"}),
    ("criteria", JUDGE, {"criteria": {"c": "It is kind."}}),
    ("criteria", JUDGE, {"criteria": {"d": "It is right."}}),
    ("criteria_per_call", JUDGE, {"criteria_per_call": "all"}),
    ("options", JUDGE, {"options": ("YES", "NO")}),
    ("abstain", JUDGE, {"abstain": ()}),
    (
        "descriptions",
        replace(JUDGE, realization="forced_choice"),
        {"descriptions": {"Toxic": "Not nice"}},
    ),
    ("parameters", JUDGE, {"parameters": {"temperature": 1}}),
    ("parameters", JUDGE, {"parameters": {"temperature": 0, "seed": 1}}),
    ("explain", JUDGE, {"explain": True}),
    ("realization", JUDGE, {"realization": "numeric"}),
    ("structured", JUDGE, {"structured": False}),
    ("callable", LOCAL, {"callable": "m:g"}),
    ("command", replace(LOCAL, callable=None, command=("a",)), {"command": ("a", "-v")}),
    (
        "reward_url",
        replace(LOCAL, callable=None, reward_url="http://a"),
        {"reward_url": "http://b"},
    ),
    ("column", replace(LOCAL, callable=None, column="x"), {"column": "y"}),
    ("table", replace(LOCAL, callable=None, column="x"), {"table": "t.csv"}),
    ("score_path", replace(LOCAL, callable=None, reward_url="http://a"), {"score_path": "s"}),
    ("source", LOCAL, {"source": "another digest"}),
    ("criteria", LOCAL, {"criteria": {"c": "It is kind."}}),
]


@pytest.mark.parametrize(("field", "judge", "change"), CHANGES, ids=str)
def test_a_change_of_what_shapes_answers_changes_the_key(
    field: str, judge: Judge, change: dict[str, Any]
) -> None:
    assert field in SHAPES_ANSWERS
    before, after = (keys(one, structured=True) for one in (judge, replace(judge, **change)))
    assert not set(after) & set(before)


def test_every_field_is_classified_once_with_a_reason() -> None:
    """A new field of the declaration belongs in one of the three tables of `declaration.py`."""
    tables = (SHAPES_ANSWERS, SHAPES_RATINGS, SHAPES_NOTHING)
    classified = [name for table in tables for name in table]
    assert sorted(classified) == sorted(spec.name for spec in fields(Judge))
    assert all(reason for table in tables for reason in table.values())


def test_every_field_that_shapes_answers_is_tried() -> None:
    # The reference system acts through the texts of the item, which are tried below.
    assert {field for field, *_ in CHANGES} == set(SHAPES_ANSWERS) - {"reference_system"}


@pytest.mark.parametrize(
    "change",
    [
        {"name": "other"},
        {"limits": Limits(concurrency=1, timeout=1.0)},
        {"price": (1.0, 1.0)},
        {"api_key_env": "B"},
        {"api_key_file": "key.txt"},
        {"headers_env": {"X-Key": "B"}},
        {"refusals": "abstained"},
        {"folder": "/elsewhere"},
    ],
    ids=str,
)
def test_what_does_not_shape_the_answer_is_not_in_the_key(change: dict[str, object]) -> None:
    assert not set(change) & set(SHAPES_ANSWERS)
    assert keys(replace(JUDGE, **change)) == keys()  # type: ignore[arg-type]


@pytest.mark.parametrize("field", ["input", "output"])
def test_the_text_of_the_item_is_in_the_key(field: str) -> None:
    assert keys(item=replace(ITEM, **{field: "another"})) != keys()  # type: ignore[arg-type]


def test_the_opponents_text_is_in_the_key_of_a_pair_only() -> None:
    other = replace(ITEM, output_b="another")
    assert keys(item=other) == keys()
    assert not set(keys(PAIR, other)) & set(keys(PAIR))
    local = replace(LOCAL, realization="pairwise")
    assert keys(local, other) != keys(local)


def test_names_of_items_and_systems_are_not_in_the_key() -> None:
    assert keys(item=replace(ITEM, item="q2", system="s9")) == keys()


def test_samples_and_orders_have_keys_of_their_own() -> None:
    pair = replace(JUDGE, realization="anchor", criteria={}, samples=3)
    assert len(set(keys(pair))) == 6
    assert set(keys(replace(pair, samples=1))) < set(keys(pair))
    assert set(keys(replace(pair, orders="system_first"))) < set(keys(pair))


def test_equal_outputs_in_both_orders_are_asked_twice() -> None:
    assert len(set(keys(PAIR, replace(ITEM, output_b="out")))) == 2


def test_what_the_endpoint_offers_is_in_the_key() -> None:
    assert keys(structured=True) != keys(structured=False)
    tokens = replace(JUDGE, realization="token_probs", criteria={}, parameters=None)
    assert not set(keys(tokens, top_logprobs=0)) & set(keys(tokens))
    assert len(keys(tokens, top_logprobs=0)) == 10


def test_an_item_is_in_the_key_of_a_judge_without_a_prompt() -> None:
    local = Judge(name="j", callable="m:f", realization="numeric")
    first, second = (Item("q", raw={"item": "q", "x": x}) for x in (1, 2))
    assert keys(local, first) != keys(local, second)


# --- a program that was edited is another judge


FUNCTION = "def rate(item):\n    return {}\n"
COMMAND = """
import json, sys
for line in sys.stdin:
    print(json.dumps({{"id": json.loads(line)["id"], "value": {}}}), flush=True)
"""


class Study:
    """A folder with three items and a judge, run by the command."""

    def __init__(self, folder: Path, judge: str) -> None:
        self.folder = folder
        rows = [{"item": f"q{i}", "input": "in", "output": f"out {i}"} for i in range(3)]
        (folder / "items.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        (folder / "judge.toml").write_text(f'name = "j"\n{judge}\n')

    def run(self, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[str]]:
        """How many calls a run made, and the values that the ratings now hold."""
        paths = (self.folder / name for name in ("judge.toml", "items.jsonl", "r.db"))
        judge, items, out = map(str, paths)
        assert goldassay(["run", "-j", judge, "-i", items, "-o", out, "--json"]) == 0
        (row,) = json.loads(capsys.readouterr().out)["tables"]["this_run"]["rows"]
        store = sqlite3.connect(out)
        values = store.execute("SELECT value FROM ratings ORDER BY item").fetchall()
        store.close()
        return row[1], [value for (value,) in values]


@pytest.mark.parametrize(
    ("name", "program", "judge"),
    [
        ("mine.py", FUNCTION, 'callable = "mine.py:rate"'),
        ("mine_module_of_the_key.py", FUNCTION, 'callable = "mine_module_of_the_key:rate"'),
        ("mine.py", COMMAND, f'command = ["{sys.executable}", "mine.py"]'),
        ("t.csv", "item,x\nq0,{0}\nq1,{0}\nq2,{0}\n", 'column = "x"\ntable = "t.csv"'),
    ],
    ids=["file", "module", "command", "table"],
)
def test_after_an_edit_old_answers_are_not_reused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, program: str, judge: str
) -> None:
    """As long and as fast as it was: neither the size nor the time of the file gives it away."""
    study = Study(tmp_path, judge)
    (tmp_path / name).write_text(program.format(1))
    assert study.run(capsys) == (3, ["1"] * 3)
    assert study.run(capsys) == (0, ["1"] * 3)
    (tmp_path / name).write_text(program.format(2))
    assert study.run(capsys) == (3, ["2"] * 3)
    (tmp_path / name).write_text(program.format(1))  # as it was: nothing is asked
    assert study.run(capsys) == (0, ["1"] * 3)


def test_a_file_among_the_arguments_of_a_command_belongs_to_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.py").write_text(
        "import json, pathlib, sys\n"
        "value = pathlib.Path(sys.argv[1].partition('=')[2]).read_text()\n"
        "for line in sys.stdin:\n"
        "    print(json.dumps({'id': json.loads(line)['id'], 'value': value}), flush=True)\n"
    )
    study = Study(tmp_path, f'command = ["{sys.executable}", "mine.py", "--rubric=rubric.txt"]')
    (tmp_path / "rubric.txt").write_text("1")
    assert study.run(capsys) == (3, ["1"] * 3)
    (tmp_path / "rubric.txt").write_text("2")
    assert study.run(capsys) == (3, ["2"] * 3)


def test_the_store_tells_the_two_programs_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = Study(tmp_path, 'callable = "mine.py:rate"')
    for value in (1, 2):
        (tmp_path / "mine.py").write_text(FUNCTION.format(value))
        study.run(capsys)
    store = sqlite3.connect(tmp_path / "r.db")
    rows = store.execute("SELECT source, current FROM judges ORDER BY judge").fetchall()
    store.close()
    assert [current for _, current in rows] == [0, 1]
    assert len({source for source, _ in rows} - {""}) == 2
