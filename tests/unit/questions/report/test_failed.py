"""A question that fails takes no other with it: the report says which, and the exit code too."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import goldassay as ga
from goldassay.cli import command_line as run
from goldassay.questions.report import ask


@pytest.mark.parametrize("verb", sorted(ask.QUESTIONS))
def test_one_question_that_fails_is_named_and_the_others_answered(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    def fails(source: Any, **options: Any) -> Any:
        raise ZeroDivisionError("no way to say")

    study = ga.simulate(prompts=6, seed=1)
    study.save(tmp_path)
    monkeypatch.setitem(ask.QUESTIONS, verb, fails)
    monkeypatch.delitem(ask.BOUNDED, verb, raising=False)
    words = ["report", f"{tmp_path}/ratings.csv", "--task", f"{tmp_path}/task.toml"]
    words += ["--resamples", "100", "--out", f"{tmp_path}/r.json", "--out", f"{tmp_path}/r.html"]
    assert run(words) == 3
    said = capsys.readouterr()
    assert f"`{verb}` could not be answered" in said.err
    assert f"`{verb}` could not be answered" in " ".join(said.out.split())
    found = json.loads((tmp_path / "r.json").read_text())
    (why,) = (one["reason"] for one in found["not_run"] if one["verb"] == verb)
    assert "ZeroDivisionError: no way to say" in why
    asked = {one["verb"] for one in found["parts"]} | {one["verb"] for one in found["not_run"]}
    assert asked == {*ask.QUESTIONS}
    assert "could not be answered" in (tmp_path / "r.html").read_text()
