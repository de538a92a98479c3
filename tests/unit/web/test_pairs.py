"""Pairs are labelled only where a page shows their two answers, and every label says which."""

from __future__ import annotations

import json
import re
import shlex
import sqlite3
import sys
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from subprocess import run
from typing import Any

import pytest
from serving import served

import goldassay as ga
from goldassay.errors import InputError
from goldassay.ratings.task import read_task
from goldassay.store import Label, add_label, open_store
from goldassay.web.answers import Answer
from goldassay.web.desk import Desk, Settings
from goldassay.web.study import Study, open_site

TASK = 'scale = "pairwise"\noptions = ["A", "B", "tie"]\ntie = "tie"\n'


def written(
    folder: Path, *items: Mapping[str, Any], task: str = TASK, pair: str = ","
) -> tuple[Path, Path, Path]:
    ratings, told, texts = (folder / name for name in ("ratings.csv", "task.toml", "items.jsonl"))
    names = dict.fromkeys(str(one["item"]) for one in items) or ["q0"]
    rows = [f"{name},gpt,judge,A,{pair}" for name in names]
    ratings.write_text("\n".join(["item,rater,kind,value,system,opponent", *rows]) + "\n")
    told.write_text(task)
    texts.write_text("".join(json.dumps(one) + "\n" for one in items))
    return ratings, told, texts


def opened(folder: Path, *items: Mapping[str, Any], sides: Any = None, **about: Any) -> Desk:
    ratings, task, texts = written(folder, *items, **about)
    study = Study(ratings=str(ratings), items=str(texts) if items else None)
    return open_site(study, read_task(task), Settings(sides=sides)).desk


REFUSED = {
    "no items": ([], "their texts are not known.*Give them: --items FILE"),
    "unknown names": (
        [{"item": "q0", "input": "?", "draft": "x", "final": "y"}],
        r"no two fields.*found the fields input, draft, final.*--sides output_a,output_b",
    ),
    "one answer": ([{"item": "q0", "output": "x"}], "no two answers of item 'q0'"),
    "several": (
        [{"item": "q0", "output": "x", "output_a": "x", "output_b": "y"}],
        "several fields may be they; found output and output_b, output_a and output_b.*"
        "Say which: --sides output,output_b",
    ),
    "one of two items": (
        [{"item": "q0", "output_a": "x", "output_b": "y"}, {"item": "q1", "output_a": "x"}],
        "1 of 2 pairs.*no two answers of item 'q1'",
    ),
    "nothing in both": ([{"item": "q0", "output_a": " ", "output_b": ""}], "no two answers"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_study_whose_two_answers_are_not_found_does_not_start(tmp_path: Path, name: str) -> None:
    items, said = REFUSED[name]
    with pytest.raises(InputError, match=said):
        opened(tmp_path, *items)


def test_the_command_ends_with_2_and_says_what_to_do(tmp_path: Path) -> None:
    ratings, task, texts = written(tmp_path, {"item": "q0", "draft": "x", "final": "y"})
    command = [sys.executable, "-m", "goldassay", "serve", str(ratings), "--task", str(task)]
    command += ["--items", str(texts)]
    found = run(command, capture_output=True, text=True, check=False)
    assert found.returncode == 2
    assert "draft, final" in found.stderr
    assert "--sides output_a,output_b" in found.stderr
    wrong = run([*command, "--sides", "draft,fnal"], capture_output=True, text=True, check=False)
    assert wrong.returncode == 2
    assert "found 'fnal'" in wrong.stderr
    for sides in ("draft", "draft,draft", ","):
        found = run([*command, "--sides", sides], capture_output=True, text=True, check=False)
        assert (found.returncode, "names two fields" in found.stderr) == (2, True)


X, Y = {"system": "x", "opponent": "y"}, {"system": "y", "opponent": "x"}


@pytest.mark.parametrize(
    "items",
    [
        # Whose answers these are is not said where an item has several contests, ...
        [{"item": "q0", "output_a": "1", "output_b": "2", "system": "x", "opponent": "z"}],
        # ... is of others, ...
        [{"item": "q0", "output": "1", "system": "x"}],
        [{"item": "q0", "output_a": "1", "output_b": "2", "opponent": "x"}],
    ],
)
def test_answers_of_others_are_not_shown(tmp_path: Path, items: list[dict[str, Any]]) -> None:
    with pytest.raises(InputError, match="no two answers of item 'q0' \\(x against y\\)"):
        opened(tmp_path, *items, pair="x,y")


def test_one_row_does_not_stand_for_two_contests(tmp_path: Path) -> None:
    ratings, task, texts = written(tmp_path, {"item": "q0", "output_a": "1", "output_b": "2"})
    head = "item,rater,kind,value,system,opponent\n"
    ratings.write_text(f"{head}q0,gpt,judge,A,x,y\nq0,gpt,judge,A,y,x\n")
    study = Study(ratings=str(ratings), items=str(texts))
    with pytest.raises(InputError, match="2 of 2 pairs"):
        open_site(study, read_task(task), Settings())


def test_a_row_that_names_the_opponent_first_is_turned(tmp_path: Path) -> None:
    desk = opened(tmp_path, {"item": "q0", **Y, "output_a": "of y", "output_b": "of x"}, pair="x,y")
    (unit,) = desk.cases.units.values()
    found = desk.shown("anna", unit)
    assert found is not None
    assert {side.option: side.text for side in (found.left, found.right)} == {0: "of x", 1: "of y"}


def test_options_that_name_the_second_side_first_are_refused(tmp_path: Path) -> None:
    task = TASK.replace('"A", "B"', '"B", "A"')
    with pytest.raises(InputError, match=r"options = \['A', 'B', 'tie'\]"):
        opened(tmp_path, {"item": "q0", "output_a": "x", "output_b": "y"}, task=task)


def test_sides_are_of_pairs(tmp_path: Path) -> None:
    task = 'scale = "binary"\noptions = ["A", "B"]\npositive = "A"\n'
    with pytest.raises(InputError, match="--sides: is for pairs"):
        opened(tmp_path, {"item": "q0", "output": "x"}, task=task, sides=("output", "input"))


def test_every_record_says_which_sides_were_shown(tmp_path: Path) -> None:
    """Labels, resolutions, what was taken back, and every file of labels."""
    items = [{"item": f"q{k}", "output_a": "x", "output_b": "y"} for k in range(8)]
    desk = opened(tmp_path, *items)
    for unit in desk.cases.units.values():
        desk.commit("anna", unit, Answer("A"))
        desk.commit("ben", unit, Answer("B"))
        desk.resolve("anna", unit, Answer("A", comment="read again"))
    desk.undo("ben")
    assert all(json.loads(row["sides"]) for row in desk.label_rows())
    desk.close()
    with closing(sqlite3.connect(tmp_path / "ratings.labels.db")) as store:
        found = store.execute('SELECT kind, "order", sides FROM labels').fetchall()
    assert len(found) == 25
    left = {"system_first": "output_a", "opponent_first": "output_b"}
    for kind, order, sides in found:
        assert sorted(json.loads(sides)) == ["output_a", "output_b"]
        assert kind == "reference" or json.loads(sides)[0] == left[order]


def test_a_page_from_before_is_not_saved(tmp_path: Path) -> None:
    """What was chosen on a page that showed other answers, or none, is refused."""
    files = written(tmp_path, {"item": "q0", "output_a": "x", "output_b": "y"})
    with served(*files, order="given") as server:
        (key,) = server.site.desk.cases.units
        page = server.get("/label?rater=anna").text
        (mark,) = re.findall(r'name="shown" value="(\w+)"', page)
        sent = {"rater": "anna", "unit": key, "choice": "0"}
        for other in ({}, {"shown": "0" * 16}):
            answer = server.post("/label", {**sent, **other}, Accept="application/json")
            assert (answer.status, "Load it again" in answer.text) == (422, True)
        assert server.site.desk.labels() == []
    files[2].write_text(json.dumps({"item": "q0", "output_a": "y", "output_b": "x"}) + "\n")
    with served(*files, order="given") as server:
        answer = server.post("/label", {**sent, "shown": mark}, Accept="application/json")
        assert answer.status == 422
        now = re.findall(r'name="shown" value="(\w+)"', server.get("/label?rater=anna").text)
        assert server.post("/label", {**sent, "shown": now[0]}).status == 303
        assert len(server.site.desk.labels()) == 1


def test_nothing_on_the_page_names_a_side_otherwise(tmp_path: Path) -> None:
    """With response sets, texts of options and other people's labels, a side is left or right."""
    task = (
        'scale = "pairwise"\ntie = "tie"\nreference = "response_set"\n'
        'response_sets = [["A"], ["B"], ["A", "tie"], ["B", "tie"]]\n'
        '[options.A]\ntext = "The first wins"\n[options.B]\ntext = "The second wins"\n'
        '[options.tie]\ntext = "Neither"\n'
    )
    files = written(tmp_path, {"item": "q0", "output_a": "x", "output_b": "y"}, task=task)
    with served(*files, order="given") as server:
        (unit,) = server.site.desk.cases.units.values()
        page = server.get("/label?rater=anna").text
        assert "The first wins" not in page
        assert "Neither" in page
        assert "The left one is better + tie" in page
        server.site.desk.commit("ben", unit, Answer("A|tie"))
        first = server.site.desk.shown("ben", unit)
        assert first is not None
        side = "left" if first.left.option == 0 else "right"
        assert f"{side} + tie" in server.get("/mine?rater=ben").text


def test_labels_of_pairs_without_the_sides_shown_are_refused(tmp_path: Path) -> None:
    files = written(tmp_path, {"item": "q0", "output_a": "x", "output_b": "y"})
    store = tmp_path / "ratings.labels.db"
    with closing(open_store(store, create=True)) as connection:
        add_label(connection, Label(item="q0", rater="anna", value="A", order="system_first"))
    said = "1 that may be the opposite of what was chosen.*--labels new.labels.db"
    with pytest.raises(InputError, match=said):
        ga.agree([files[0], store], files[1])
    with pytest.raises(InputError, match=said):
        open_site(
            Study(ratings=str(files[0]), items=str(files[2])), read_task(files[1]), Settings()
        )
    out = str(tmp_path / "labels.csv")
    command = [sys.executable, "-m", "goldassay", "export", str(store), "--out", out]
    found = run(command, capture_output=True, text=True, check=False)
    assert (found.returncode, "--labels new.labels.db" in found.stderr) == (2, True)
    # What the message offers to those who know that both answers were on the page works.
    offered = shlex.split(found.stderr[found.stderr.index("goldassay export") :].rstrip(".\n"))
    assert run([sys.executable, "-m", *offered], cwd=tmp_path, check=False).returncode == 0
    (row,) = map(json.loads, (tmp_path / "labels.jsonl").read_text().splitlines())
    assert json.loads(row["sides"]) == ["output", "output_b"]
    read = ga.agree([files[0], tmp_path / "labels.jsonl"], files[1])
    assert read["coverage", "gpt"].n_items == 1
