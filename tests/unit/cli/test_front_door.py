"""A plain file is answered at once: assumptions are said, gates refuse it, rows can be chosen."""

from __future__ import annotations

import io
import json
import sys
from contextlib import closing
from pathlib import Path

import pytest

import goldassay as ga
from goldassay.cli import command_line
from goldassay.errors import UsageError
from goldassay.store import Label, add_label, open_store

ROWS = [("yes", "yes"), ("no", "yes"), ("yes", "yes"), ("no", "no"), ("yes", "no"), ("no", "no")]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "results.csv"
    lines = [f"{n},{h},{j},{'ab'[n % 2]}" for n, (h, j) in enumerate(ROWS * 5)]
    path.write_text("id,human,judge,topic\n" + "\n".join(lines) + "\n")
    return path


def document(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, object]:
    assert command_line([*words, "--json"]) == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def test_every_guess_is_a_line_and_the_document_is_provisional(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = document(capsys, "agree", str(table), "--resamples", "100")
    assert found["provisional"] is True
    assert "`judge` holds judges' ratings" in found["assumed"]  # type: ignore[operator]
    assert command_line(["agree", str(table), "--resamples", "100"]) == 0
    assert "assumed: `human` holds people's ratings" in capsys.readouterr().out


def test_how_labels_were_drawn_is_said_first(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(
        "id,human,judge\n"
        + "".join(
            f"{n},{'yes' if n % 3 else 'no'},{'yes' if n % 2 else 'no'}\n"
            if n < 20
            else f"{n},,yes\n"
            for n in range(40)
        )
    )
    found = ga.agree(str(path), resamples=100)
    assert found.assumed[0].startswith("the 20 labelled items were drawn at random")
    assert found.task["calibration"] == "random"
    assert found.provisional


def test_a_guessed_task_holds_no_gate(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["agree", str(table), "--resamples", "100", "--require", "accuracy>=0"]
    assert command_line(words) == 2
    assert "must rest on a declared task" in capsys.readouterr().err
    with pytest.raises(UsageError, match="declared task"):
        ga.agree(str(table), resamples=100).require("accuracy >= 0")


def test_the_draft_is_written_by_any_verb_and_holds_gates(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    task = tmp_path / "task.toml"
    assert command_line(["check", str(table), "--write-task", str(task)]) == 0
    assert "# assumed: `judge` holds judges' ratings" in task.read_text()
    words = ["agree", str(table), "--resamples", "100", "--task", str(task)]
    assert command_line([*words, "--require", "accuracy>=0.1"]) == 0
    capsys.readouterr()
    assert document(capsys, *words)["provisional"] is False
    assert command_line(["check", str(table), "--write-task", str(task)]) == 2


def test_the_draft_is_written_where_a_guess_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, task = tmp_path / "t.csv", tmp_path / "task.toml"
    path.write_text("id,human,judge\n1,refund,A\n2,billing,B\n")
    assert command_line(["agree", str(path), "--write-task", str(task)]) == 2
    error = capsys.readouterr().err
    assert "none is shared" in error
    assert 'labels.A = "billing", labels.B = "refund"' in " ".join(error.split())
    assert "# OPEN: People write" in task.read_text()


def test_only_and_exclude(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = document(capsys, "agree", str(table), "--resamples", "100", "--only", "topic=a")
    assert found["rows"] == {"read": 60, "used": 30, "excluded": 30}
    again = ga.agree(str(table), resamples=100, exclude={"topic": "b"})
    assert again.rows_read == 60
    assert [(e.reason, e.rows) for e in again.exclusions] == [
        ("asked to be left out (--exclude)", 30)
    ]
    assert command_line(["agree", str(table), "--only", "tpic=a"]) == 2
    assert "Did you mean 'topic'?" in capsys.readouterr().err
    assert command_line(["agree", str(table), "--only", "topic"]) == 2


def test_rows_of_ratings_that_were_read_already() -> None:
    ratings = ga.simulate(prompts=10).ratings()
    people = ratings.humans[0]
    found = ga.agree(ratings, resamples=100, exclude=[f"rater={people}"])
    assert found.rows_read == ratings.census.rows


def test_standard_input(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from goldassay.sources import files

    files._from_standard_input.cache_clear()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(table.read_bytes())))
    found = ga.check("-")
    assert found.answer[0].facts["ratings"] == 60
    files._from_standard_input.cache_clear()


def test_the_doctor_fits_a_screen(table: Path) -> None:
    found = ga.check(str(table))
    assert len(found.answer) == 2
    assert found.summary is not None
    now = {line.label: line.cells for line in found.summary.lines}
    assert now["agree"] == ("yes", None)
    assert now["rank"] == ("no", 'a column that names the system: [columns] system = "..."')
    assert "--write-task" in found.notes[0].text
    lines = len(found.answer) + len(found.summary.lines) + len(found.assumed) + len(found.warnings)
    assert lines <= 20


def test_a_frame_needs_no_task_either() -> None:
    import polars as pl

    frame = pl.DataFrame({"human": ["good", "bad", "good"], "gpt": ["good", "good", "bad"]})
    found = ga.check(frame)
    assert found.answer[0].facts["units"] == 3
    assert found.provisional


def test_the_files_of_a_glob_may_be_a_rater_each(tmp_path: Path) -> None:
    (tmp_path / "human.csv").write_text("id,label\n1,yes\n2,no\n3,no\n")
    (tmp_path / "gpt4.csv").write_text("id,label\n1,yes\n2,yes\n3,no\n")
    for source in (str(tmp_path / "*.csv"), [str(tmp_path / "*.csv")]):
        found = ga.check(source)
        assert (found.answer[0].facts["people"], found.answer[0].facts["judges"]) == (1, 1)


def test_another_tools_log_is_read_as_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    metric = {"name": "Faithfulness", "success": True, "score": 0.9, "evaluationModel": "gpt-4o"}
    cases = [{"name": f"t{n}", "input": "q", "metricsData": [metric]} for n in range(3)]
    path, task = tmp_path / "run.json", tmp_path / "task.toml"
    path.write_text(json.dumps({"testCases": cases}))
    found = ga.check(str(path))
    assert found.answer[0].facts["judges"] == 1
    assert "it is deepeval's test runs (.json)" in found.assumed
    assert command_line(["check", str(path), "--write-task", str(task)]) == 0
    assert 'log = "deepeval"' in task.read_text()
    declared = ga.check(str(path), task=str(task))  # the written task reads the log again
    assert declared.answer[0].facts["judges"] == 1
    capsys.readouterr()
    assert command_line(["agree", str(path)]) == 0  # nobody else rated, which is what it says
    assert "Traceback" not in capsys.readouterr().err


def test_what_may_be_meant_is_asked_on_the_screen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "t.csv"
    rows = [f"{n},{'yes' if n % 2 else 'no'},yes,{0.5 + n / 40}" for n in range(12)]
    path.write_text("id,human,judge,confidence\n" + "\n".join(rows) + "\n")
    for words in (["check", str(path)], ["check", str(path), "--full"]):
        assert command_line(words) == 0
        assert "asked: Does `confidence` say how sure `judge` is?" in " ".join(
            capsys.readouterr().out.split()
        ).replace("'", "`")


def test_a_log_that_no_task_knows_is_refused(tmp_path: Path) -> None:
    path, task = tmp_path / "run.csv", tmp_path / "task.toml"
    path.write_text("id,human,judge\n1,yes,no\n2,no,no\n")
    task.write_text(
        'scale = "binary"\noptions = ["yes", "no"]\npositive = "yes"\n[file]\nlog = "deepevil"\n'
    )
    with pytest.raises(ga.InputError, match="Did you mean 'deepeval'"):
        ga.check(str(path), task=str(task))


def test_a_rate_is_estimated_only_where_items_have_no_label(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    task = tmp_path / "declared.toml"
    task.write_text('scale = "binary"\noptions = ["yes", "no"]\npositive = "yes"\n')
    rows = [f"i{n},gpt,judge,{'yes' if n % 3 else 'no'}\n" for n in range(30)]
    people = [f"i{n},kim,human,{'yes' if n % 4 else 'no'}\n" for n in range(30)]
    for number, expected in ((30, "report"), (20, "estimate")):
        path = tmp_path / f"{number}.csv"
        path.write_text("item,rater,kind,value\n" + "".join(rows + people[:number]))
        assert command_line(["agree", str(path), "--task", str(task)]) == 0
        assert f"next: goldassay {expected} " in capsys.readouterr().out


def test_labels_are_exported_without_a_task(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "labels.db"
    with closing(open_store(store, create=True)) as connection:
        for n, label in enumerate(("yes", "no", "yes")):
            add_label(connection, Label(item=f"i{n}", rater="kim", value=label))
    assert command_line(["export", str(store), "--out", str(tmp_path / "ls.json")]) == 0
    said = capsys.readouterr().out
    assert "assumed: yes is the option that is counted" in said
    assert "3 labels" in said


def test_what_is_asked_is_told_by_every_verb(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "scored.csv"
    rows = (
        f"{n},{'yes' if n % 2 else 'no'},{'yes' if n % 3 else 'no'},0.{n:02}\n" for n in range(30)
    )
    path.write_text("id,human,judge,helpful_score\n" + "".join(rows))
    for verb in ("check", "agree", "estimate"):
        assert command_line([verb, str(path)]) == 0
        told = " ".join(capsys.readouterr().out.split())
        assert told.count("asked: Is `helpful_score` a judge's score?") == 1
