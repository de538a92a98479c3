"""`goldassay report` and `goldassay diff` from the command line."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from elsewhere import elsewhere

from goldassay.cli import command_line as run
from goldassay.errors import TaskError
from goldassay.findings import Findings
from goldassay.questions.diff.study import study
from goldassay.questions.diff.words import answer
from goldassay.questions.report import ask
from goldassay.results import Estimate, Gathered, Interval

TASK = 'scale = "binary"\noptions = ["yes", "no"]\npositive = "yes"\n'


def ratings(path: Path, *, judge: str = "gpt", wrong: int = 10, items: int = 60) -> Path:
    """People and one judge; the judge is wrong on the first `wrong` items of each sort."""
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["item", "rater", "kind", "value"])
        for k in range(items):
            truth = "yes" if k % 2 else "no"
            other = "no" if k % 2 else "yes"
            writer.writerow([f"i{k}", "ann", "human", truth])
            writer.writerow([f"i{k}", judge, "judge", other if k < wrong else truth])
    return path


def find(ratings: Any, *, seed: int, resamples: int) -> Findings:
    """A stand-in for a verb: the accuracy of every judge."""
    from goldassay.counts import confusion, count_units
    from goldassay.formulas.agreement import accuracy

    units = count_units(ratings)
    findings = Gathered(answer=["The judge agrees well."])
    for judge in units.judge_names:
        counted = confusion(units, judge)
        value = float(accuracy(counted.square))
        interval = Interval(value - 0.1, value + 0.1, 0.95, "a stand-in")
        findings.add(Estimate("accuracy", value, interval, counted.n_items), judge=judge)
    return Findings.of("agree", findings)


def refuse(ratings: Any, *, seed: int, resamples: int) -> Findings:
    raise TaskError("goal", "this question needs a column 'system'")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "task.toml").write_text(TASK)
    ratings(tmp_path / "old.csv", wrong=12)
    ratings(tmp_path / "new.csv", wrong=4)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(ask, "QUESTIONS", {"agree": find, "rank": refuse})
    return tmp_path


def made(name: str) -> dict[str, Any]:
    code = run(["report", f"{name}.csv", "-t", "task.toml", "-o", f"{name}.json"])
    assert code == 0
    return dict(json.loads(Path(f"{name}.json").read_text()))


def test_a_report_holds_parts_reasons_claims_and_verdicts(folder: Path) -> None:
    document = made("old")
    assert document["verb"] == "report"
    assert document["answer"] == ["`gpt` gives people's verdict on 80 % [70, 90] of 60 items."]
    assert [part["verb"] for part in document["parts"]] == ["agree"]
    assert document["parts"][0]["command"] == "goldassay agree old.csv --task task.toml --seed 1"
    assert document["not_run"] == [
        {"verb": "rank", "reason": "goal: this question needs a column 'system'."}
    ]
    assert "80 %" in document["claims"]["may"][0]["text"]
    assert document["results"][0]["verb"] == "agree"
    assert document["rows"] == {"read": 120, "used": 120, "excluded": 0}
    assert len(document["units"]["judges"]["gpt"]) == 60


def test_a_report_is_written_in_every_form_at_once(folder: Path) -> None:
    outs = [word for suffix in ("html", "md", "txt", "json") for word in ("-o", f"r.{suffix}")]
    assert run(["report", "old.csv", "-t", "task.toml", *outs]) == 0
    assert Path("r.html").read_text().startswith("<!doctype html>")
    assert Path("r.md").read_text().startswith("# `gpt` on 60 items, all labelled by people")
    assert len(Path("r.txt").read_text().splitlines()) <= 30
    assert json.loads(Path("r.json").read_text())["schema"] == "goldassay/1"


def test_nothing_is_written_when_one_form_is_unknown(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["report", "old.csv", "-t", "task.toml", "-o", "r.html", "-o", "r.docx"]) == 2
    assert not Path("r.html").exists()
    assert ".docx" in capsys.readouterr().err


def test_the_same_input_and_seed_give_the_same_bytes(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    program = "import sys; from goldassay.cli import command_line; command_line(sys.argv[1:])"
    words = ["agree", "old.csv", "--task", "task.toml", "--json"]
    monkeypatch.setattr("sys.argv", ["goldassay", *words])  # it stands in the document
    assert run(words) == 0
    assert capsys.readouterr().out == elsewhere(program, *words)


def test_a_diff_pairs_the_items_of_two_reports(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made("old"), made("new")
    assert run(["diff", "old.json", "new.json", "-o", "diff.json"]) == 0
    document = json.loads(Path("diff.json").read_text())
    (row,) = document["results"]
    assert row["name"] == "accuracy_change"
    assert row["value"] == pytest.approx(8 / 60)
    assert row["method"].startswith("paired")
    assert row["low"] > 0, "8 items mended and none spoilt is a sure change"
    assert document["answer"] == [
        "Accuracy of `gpt` rose from 80 % to 93 % (a change of 3 to 22 points).",
        "Of 1 number in both documents, 1 rose.",
    ]
    (line,) = document["summary"]["lines"]
    assert (line["label"], line["cells"][0]["value"]) == ("gpt", row["value"])
    capsys.readouterr()
    assert run(["diff", "old.json", "new.json", "--require", "accuracy_change.low>0"]) == 0
    assert run(["diff", "new.json", "old.json", "--require", "accuracy_change.low>-0.05"]) == 1


def test_a_renamed_judge_is_paired_on_request(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ratings(folder / "new.csv", judge="gpt-2", wrong=4)
    made("old"), made("new")
    assert run(["diff", "old.json", "new.json"]) == 2
    assert "--judge OLD=NEW" in capsys.readouterr().err
    assert run(["diff", "old.json", "new.json", "--judge", "gpt=gpt-2", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["results"][0]["method"].startswith("paired")


def test_a_judge_of_one_document_only_is_named_with_what_pairs_it() -> None:
    def document(judge: str) -> dict[str, Any]:
        own = {"name": "accuracy", "judge": judge, "value": 0.5, "low": 0.4, "high": 0.6}
        ours = {"name": "rater_error", "value": 0.1, "low": 0.0, "high": 0.2}
        task = {"scale": "binary", "options": ["yes", "no"], "positive": "yes"}
        return {"verb": "agree", "results": [own, ours], "task": task}

    found = study(document("gpt"), document("gpt 2"), renamed={})
    said = answer(found)
    assert [one.key for one in said] == ["diff.other_names", "diff.counted"]
    assert said[0].text == (
        "`gpt` is in the old document only and `gpt 2` in the new one only: nothing is compared of "
        "either. If they are one judge, give `--judge 'gpt=gpt 2'`."
    )
    paired = study(document("gpt"), document("gpt 2"), renamed={"gpt": "gpt 2"})
    assert [one.key for one in answer(paired)] == ["diff.counted"]


def test_other_items_are_compared_by_their_intervals(folder: Path) -> None:
    made("old")
    text = (folder / "new.csv").read_text()
    (folder / "new.csv").write_text(
        "\n".join(line if n == 0 else f"other-{line}" for n, line in enumerate(text.splitlines()))
    )
    made("new")
    assert run(["diff", "old.json", "new.json", "-o", "diff.json"]) == 0
    (row,) = json.loads(Path("diff.json").read_text())["results"]
    assert row["method"].startswith("square-and-add")


def test_changed_labels_and_declarations_are_said(folder: Path) -> None:
    made("old")
    text = (folder / "new.csv").read_text().replace("i9,ann,human,yes", "i9,ann,human,no")
    (folder / "new.csv").write_text(text)
    (folder / "task.toml").write_text(TASK + 'goal = "filter"\n')
    made("new")
    assert run(["diff", "old.json", "new.json", "-o", "diff.json"]) == 0
    document = json.loads(Path("diff.json").read_text())
    assert any("Labels differ on 1 of 60 items" in warning for warning in document["warnings"])
    assert document["tables"]["declarations"]["rows"] == [["goal", "prevalence", "filter"]]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "is not JSON"),
        ("[1]", "is a goldassay document"),
        ('{"schema": "goldassay/9"}', "'goldassay/9'"),
        ('{"schema": "goldassay/1", "verb": "agree", "results": []}', "same verb"),
        ('{"schema": "goldassay/1", "verb": "report", "results": [{}]}', "is damaged"),
        ("[" * 100_000, "is not JSON"),
    ],
)
def test_a_wrong_file_gets_one_message(
    folder: Path, content: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    made("old")
    Path("bad.json").write_text(content)
    capsys.readouterr()
    assert run(["diff", "old.json", "bad.json"]) == 2
    message = capsys.readouterr().err
    assert said in message
    assert message.count("\n") == 1


def test_damaged_verdicts_are_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = made("old")
    for damage in ({"judges": {"gpt": "9"}}, {"people": "0"}, {"ids": None}):
        Path("bad.json").write_text(json.dumps({**document, "units": document["units"] | damage}))
        assert run(["diff", "old.json", "bad.json"]) == 2
        assert "damaged" in capsys.readouterr().err
