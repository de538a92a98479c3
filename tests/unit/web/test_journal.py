"""Judges are run, people label in the same store, and every verb reads both."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from serving import served

from goldassay.cli import command_line as run
from goldassay.ratings.table import read_ratings
from goldassay.ratings.task import read_task
from goldassay.web.exports import COLUMNS

JUDGE = """
def judge(item):
    good = len(item["output"]) % 2
    return {"value": "MET" if good else "UNMET", "reason": "the length is <b>odd</b>"}
"""
TASK = 'scale = "binary"\noptions = ["MET", "UNMET"]\npositive = "MET"\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "judge_of_length.py").write_text(JUDGE)
    (tmp_path / "judge.toml").write_text(
        'name = "length"\ncallable = "judge_of_length.py:judge"\nrealization = "binary"\n'
    )
    (tmp_path / "task.toml").write_text(TASK)
    criteria = {"polite": "The answer is polite.", "short": "The answer is short."}
    items = [
        {"item": f"q{k}", "system": "s", "input": "Hi?", "output": "x" * k, "criteria": criteria}
        for k in range(1, 5)
    ]
    (tmp_path / "items.jsonl").write_text("".join(json.dumps(item) + "\n" for item in items))
    assert run(["run", "-j", "judge.toml", "-i", "items.jsonl", "-o", "ratings.db", "-q"]) == 0
    return tmp_path


def test_labels_join_the_verdicts_of_a_run(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store, task = folder / "ratings.db", folder / "task.toml"
    with served(store, task, folder / "items.jsonl", order="given") as server:
        for _ in range(4):  # two criteria on each page
            page = server.get("/label?rater=anna").text
            assert "The answer is" in page
            assert "odd" not in page
            keys = [part.split('"')[0] for part in page.split('name="unit" value="')[1:3]]
            fields = {"rater": "anna", "unit": keys, "choice": "0", "comment": "=1+1"}
            assert server.post("/label", fields).status == 422  # the second has no answer
            fields |= {"choice-1": "0", "comment-1": "=1+1"}
            assert server.post("/label", fields).status == 303
        key = keys[0]
        page = server.get(f"/explore/{key}?rater=anna").text
        assert "the length is &lt;b&gt;odd&lt;/b&gt;" in page
        assert "Nothing left" in server.get("/label?rater=anna").text
        csv = server.get("/export/labels.csv").text
        assert csv.count("'=1+1") == 8
    ratings = read_ratings(store, read_task(task))
    assert (ratings.judges, ratings.humans) == (("length",), ("anna",))
    assert ratings.census.rows == 16
    capsys.readouterr()
    assert run(["agree", "ratings.db", "--task", "task.toml", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    found = {row["name"]: row["value"] for row in document["results"] if row["level"] == "micro"}
    assert found["accuracy"] == 0.5


def test_verdicts_of_a_later_run_are_noticed(folder: Path) -> None:
    """A second judge and a new item while the page is open; the label before them is kept."""
    store, task = folder / "ratings.db", folder / "task.toml"
    with served(store, task, folder / "items.jsonl", order="given") as server:
        key = server.get("/label?rater=anna").text.split('name="unit" value="')[1].split('"')[0]
        assert server.post("/label", {"rater": "anna", "unit": key, "choice": "0"}).status == 303
        before = json.loads(server.get("/version").text)["version"]
        described = (folder / "judge.toml").read_text().replace('"length"', '"second"')
        (folder / "second.toml").write_text(described)
        with (folder / "items.jsonl").open("a") as stream:
            new = {"item": "q9", "system": "s", "input": "Hi?", "output": "x" * 9}
            stream.write(json.dumps({**new, "criteria": {"polite": "Polite."}}) + "\n")
        words = ["-i", "items.jsonl", "-o", "ratings.db", "-q"]
        assert run(["run", "-j", "judge.toml", "-j", "second.toml", *words]) == 0
        server.get("/version")  # starts the reading
        assert server.site.news is not None
        server.site.news.wait()
        assert json.loads(server.get("/version").text)["version"] != before
        assert server.site.desk.cases.judges == ("length", "second")
        page = server.get("/watch").text
        assert "second" in page
        assert "of 9" in page
        assert "1 of 9" in server.get("/label?rater=anna").text


def test_labels_are_exported_by_name(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with served(folder / "ratings.db", folder / "task.toml", folder / "items.jsonl") as server:
        key = server.get("/label?rater=anna").text.split('name="unit" value="')[1].split('"')[0]
        server.post("/label", {"rater": "anna", "unit": key, "choice": "1"})
    export = ["export", "ratings.db", "--task", "task.toml"]
    for name in ("l.csv", "l.jsonl", "ls.json"):
        assert run([*export, "--out", name, "--items", "items.jsonl"]) == 0
    assert (folder / "l.csv").read_text().splitlines()[0] == ",".join(COLUMNS)
    (row,) = [json.loads(line) for line in (folder / "l.jsonl").read_text().splitlines()]
    assert (row["rater"], row["kind"], row["value"]) == ("anna", "human", "UNMET")
    (task,) = json.loads((folder / "ls.json").read_text())
    assert task["data"]["input"] == "Hi?"
    assert task["annotations"][0]["result"][0]["value"] == {"choices": ["UNMET"]}
    capsys.readouterr()
    for wrong in (
        [*export, "--out", "l.txt"],
        ["export", "none.db", "--out", "x.csv"],
        ["export", "items.jsonl", "--out", "x.csv"],
    ):
        assert run(wrong) == 2
        assert len(capsys.readouterr().err.splitlines()) == 1
    assert not (folder / "x.csv").exists()
    assert run(["export", "ratings.db", "--out", "x.json"]) == 0  # without a task it is guessed
    assert "assumed: " in capsys.readouterr().out
