"""The demo: ten questions of a study whose truth is known, and what it says of both."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from goldassay.cli import command_line
from goldassay.lab import demo
from goldassay.lab.stream import CHANGE, LABELLED, LIVE, WEEKS, drawn_stream
from goldassay.verbs import ASK, VERBS


def test_the_demo_asks_every_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(demo, "RESAMPLES", 100)  # what is asked, not how precisely
    asked = {verb.name for verb in VERBS if verb.panel == ASK}
    assert command_line(["demo"]) == 0
    assert {path.stem for path in Path("goldassay-demo/results").glob("*.json")} == asked
    lines = capsys.readouterr().out.splitlines()
    assert {line[2:12].strip() for line in lines if line.startswith("  ")} - {"", "goldassay"} == (
        asked
    )
    assert max(map(len, lines)) <= 80
    told = " ".join(" ".join(lines).split())
    assert "In truth the best is `balanced`." in told
    assert f"changed since batch `{CHANGE}`" in told
    assert f"In truth `balanced` grew laxer with batch `{CHANGE}`." in told


def test_the_weeks_are_as_declared() -> None:
    stream = drawn_stream("gpt", ("yes", "no"), seed=3)
    rows = list(csv.DictReader(stream.to_csv().splitlines()))
    weeks = sorted({row["week"] for row in rows})
    assert len(weeks) == WEEKS
    assert stream.changed == weeks[CHANGE - 1]
    labels = [row for row in rows if row["kind"] == "human"]
    assert len(labels) == WEEKS * LABELLED
    verdicts = [row for row in rows if row["kind"] == "judge" and row["set"] == "live"]
    assert len(verdicts) == WEEKS * LIVE
    people = {row["item"]: row["value"] for row in labels}
    lax = [
        (row["week"] >= stream.changed, row["value"] == "yes")
        for row in verdicts
        if people.get(row["item"]) == "no"
    ]
    late = [said for after, said in lax if after]
    early = [said for after, said in lax if not after]
    assert sum(late) / len(late) > sum(early) / len(early) + 0.1
    again: dict[str, list[str]] = {}
    for row in rows:
        if row["set"] == "anchor":
            again.setdefault(row["item"], []).append(row["value"])
    before, after = CHANGE - 1, WEEKS - CHANGE + 1
    for said in again.values():  # the judge only grows laxer, and only once
        assert said == [said[0]] * before + [said[-1]] * after
        assert (said[0], said[-1]) != ("yes", "no")
    assert any(said[0] != said[-1] for said in again.values())
    assert stream == drawn_stream("gpt", ("yes", "no"), seed=3)
