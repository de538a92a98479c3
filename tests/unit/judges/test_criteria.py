"""Every realization asks its criterion; a judge that cannot be asked refuses several in words."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from judge_server import JudgeServer
from small_runs import judge, run, write_items

from goldassay.errors import InputError
from goldassay.judges.items import Item
from goldassay.judges.prompts import requests
from goldassay.judges.realizations import REALIZATIONS
from goldassay.judges.run import run_judges
from goldassay.judges.spec import Judge, JudgeError

TWO = {"correct": "It is right.", "polite": "It is kind."}
ITEM = Item("q", input="in", output="out", output_b="other", system="s", opponent="o")


@pytest.mark.parametrize("realization", REALIZATIONS)
@pytest.mark.parametrize("where", ["judge", "item"])
def test_the_prompt_names_the_criterion_and_no_other(realization: str, where: str) -> None:
    own: dict[str, Any] = {"criteria": TWO} if where == "judge" else {}
    one = Judge(name="j", model="m", realization=realization, **own)
    item = ITEM if where == "judge" else Item("q", output="out", output_b="other", criteria=TWO)
    made = requests(one, item)
    assert {request.format.criteria for request in made} == {("correct",), ("polite",)}
    for request in made:
        (asked,) = request.format.criteria
        (other,) = set(TWO) - {asked}
        assert f"{asked}: {TWO[asked]}" in request.prompt
        assert TWO[other] not in request.prompt
    assert len({request.key for request in made}) == len(made)  # no answer stands for two


@pytest.mark.parametrize("realization", REALIZATIONS)
def test_without_a_criterion_the_prompt_is_the_papers(realization: str) -> None:
    one = Judge(name="j", model="m", realization=realization)
    prompt = requests(one, ITEM)[0].prompt
    assert "criterion alone" not in prompt
    assert "{criterion" not in prompt
    assert "\n\n\n" not in prompt


def test_a_criterion_that_is_its_own_name_is_said_once() -> None:
    one = Judge(name="j", model="m", realization="numeric", criteria={"Polite?": "Polite?"})
    assert "Go by this criterion alone: Polite?\n" in requests(one, ITEM)[0].prompt


def test_all_criteria_in_one_call_are_all_named() -> None:
    one = Judge(name="j", model="m", criteria=TWO, criteria_per_call="all")
    (request,) = requests(one, ITEM)
    assert "- correct: It is right.\n- polite: It is kind." in request.prompt


OWN = "Rate this: {output}"


def test_a_prompt_of_ones_own_that_asks_for_no_criterion_refuses_several(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"name": "j", "model": "m", "realization": "numeric"}
    with pytest.raises(JudgeError, match="one answer would stand for all") as told:
        Judge(**settings, prompt=OWN, criteria=TWO)
    assert "Write {criterion}" in str(told.value)
    Judge(**settings, prompt=OWN, criteria={"correct": "It is right."})  # its only one
    Judge(**settings, prompt=OWN + " {criterion}", criteria=TWO)
    items = write_items(tmp_path, 3, criteria=TWO)
    with JudgeServer().running() as server:
        one = judge(tmp_path, base_url=server.url, prompt=OWN, **{**settings, "name": "k"})
        with pytest.raises(InputError, match=r"items\.jsonl, line 1, criteria: the prompt asks"):
            run_judges([one], items, tmp_path / "r.db")
        assert server.total == 0


@pytest.mark.parametrize("who", [{"reward_url": "http://localhost:1/score"}, {"column": "x"}])
def test_who_cannot_be_told_a_criterion_refuses_several(
    tmp_path: Path, who: dict[str, Any]
) -> None:
    with pytest.raises(JudgeError, match="cannot be asked by criterion"):
        judge(tmp_path, criteria=TWO, **who)
    with pytest.raises(InputError, match="line 1, criteria"):
        run(tmp_path, judge(tmp_path, **who), criteria=TWO)


def test_a_function_is_told_its_criterion(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def f(item):\n    return len(str(item['criteria']))\n")
    run(tmp_path, judge(tmp_path, callable="mine.py:f", criteria=TWO), 1)
    store = sqlite3.connect(tmp_path / "r.db")
    found = dict(store.execute("SELECT criterion, value FROM ratings").fetchall())
    store.close()
    assert found == {name: str(len(str({name: text}))) for name, text in TWO.items()}


def test_half_a_character_in_a_criterion_of_an_item(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def f(item):\n    return 1\n")
    rows = [{"item": "q", "output": "x", "criteria": ["a\ud800", {"name": "b\udfff", "text": ""}]}]
    path = tmp_path / "items.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    one = judge(tmp_path, callable="mine.py:f")
    assert run_judges([one], path, tmp_path / "r.db").tallies[0].statuses == {"rated": 2}
