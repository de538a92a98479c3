"""Findings: results by name, frames, gates, files, and how they show themselves."""

from __future__ import annotations

import json
import pickle
import threading
from pathlib import Path
from xml.etree import ElementTree

import pytest

import goldassay
from goldassay.charts import Dot, DotInterval
from goldassay.errors import GateNotMet, UsageError
from goldassay.findings import Findings
from goldassay.lab.simulate import Study, simulate
from goldassay.results import Estimate, Interval, Row, Sentence, Table, Undefined

HOSTILE = "<script>alert(1)</script>\u202e"


def kappa(value: float, **about: str | None) -> Row:
    interval = Interval(value - 0.1, value + 0.1, 0.95, "by hand")
    return Row(Estimate("cohen_kappa", value, interval, 40, 40), about)


def found() -> Findings:
    rows = (
        kappa(0.6, judge="a", level="micro"),
        kappa(0.5, judge="a", level="macro"),
        kappa(0.4, judge="a", level="micro", criterion="polite"),
        kappa(0.3, judge="b", level="micro"),
        Row(Undefined("phi", "one class", 3), {"judge": "a", "level": "micro"}),
    )
    chart = DotInterval(title="Agreement", x_label="kappa", rows=(Dot("a", 0.6, 0.5, 0.7),))
    return Findings(
        "agree",
        rows=rows,
        answer=(Sentence("agree.kappa", f"{HOSTILE} agrees.", {"judge": "a"}, {"value": 0.6}),),
        tables={"counts": Table("Counts", ("people", HOSTILE), (("yes", 4), (HOSTILE, 1.5)))},
        pictures=(chart,),
    )


def test_a_name_and_a_judge_give_the_headline() -> None:
    one = found()["cohen_kappa", "a"]
    assert isinstance(one, Estimate)
    assert one.value == 0.6
    assert isinstance(found()["phi"], Undefined)


def test_the_names_of_results_are_listed_once_and_looked_up() -> None:
    assert list(found()) == ["cohen_kappa", "phi"]
    assert len(found()) == 2
    assert "cohen_kappa" in found()
    assert ("cohen_kappa", "b") in found()
    assert "kappa" not in found()
    assert ("phi", "b") not in found()
    assert 3 not in found()


def test_findings_without_a_result_are_findings() -> None:
    assert Findings("check")
    assert not len(Findings("check"))


def test_several_rows_that_fit_are_told_apart() -> None:
    with pytest.raises(KeyError, match=r"differ in judge \(a, b\)"):
        found()["cohen_kappa"]


@pytest.mark.parametrize(
    ("key", "said"),
    [("cohens_kappa", "did you mean 'cohen_kappa'"), (("phi", "b"), "judges are a, b")],
)
def test_an_unknown_name_or_judge_says_what_there_is(key: str | tuple[str, str], said: str) -> None:
    with pytest.raises(KeyError, match=said):
        found()[key]


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_a_frame_has_a_row_for_each_result(library: str) -> None:
    frame = found().to_frame(library)
    assert type(frame).__module__.split(".")[0] == library
    columns = list(frame.column_names if library == "pyarrow" else frame.columns)
    assert {"name", "judge", "criterion", "level", "value", "low", "high"} <= set(columns)
    assert len(frame) == 5
    values = frame["value"].to_pylist() if library == "pyarrow" else list(frame["value"])
    assert values[:2] == [0.6, 0.5]


def test_gates_hold_or_say_which_row_breaks_them() -> None:
    assert found().require("cohen_kappa>=0.3") is not None
    with pytest.raises(GateNotMet, match=r"cohen_kappa.low>0.25 does not hold: 0.2 for b, micro"):
        found().require("cohen_kappa.low>0.25")
    with pytest.raises(GateNotMet, match="undefined"):
        found().require("phi>=0")
    with pytest.raises(UsageError, match="no result has this name"):
        found().require("kappa>=0.3")


@pytest.mark.parametrize("suffix", ["html", "md", "json", "csv", "txt"])
def test_saved_in_every_form(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"agree.{suffix}"
    found().save(path)
    assert path.stat().st_size > 100
    if suffix == "html":
        assert path.read_text(encoding="utf-8").count("<script") == 1
    if suffix == "csv":
        assert len(path.read_text(encoding="utf-8").splitlines()) == 6


def test_nothing_is_written_when_one_form_is_unknown(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="docx"):
        found().save(tmp_path / "a.json", tmp_path / "a.docx")
    assert not list(tmp_path.iterdir())


def test_one_screen_in_a_terminal() -> None:
    many = Findings("agree", answer=tuple(Sentence("k", f"sentence {n}") for n in range(50)))
    lines = repr(many).splitlines()
    assert len(lines) <= 10
    assert "47 more sentences" in repr(many)
    assert "\u202e" not in repr(found())


def test_a_cell_shows_answer_picture_and_table_and_runs_nothing() -> None:
    shown = found()._repr_html_()
    root = ElementTree.fromstring(shown)
    assert root.find(".//{http://www.w3.org/2000/svg}svg") is not None
    assert root.find("table") is not None
    assert "<script" not in shown
    assert "&lt;script&gt;" in shown


def test_a_picture_is_an_svg_that_stands_alone(tmp_path: Path) -> None:
    picture = found().charts["Agreement"]
    root = ElementTree.fromstring(picture._repr_svg_())
    assert root.tag.endswith("svg")
    sheet = root.find("{http://www.w3.org/2000/svg}style")
    assert sheet is not None
    rules = [line for line in (sheet.text or "").splitlines() if "{" in line and "@" not in line]
    assert all(".goldassay-chart" in line for line in rules), "no rule reaches other drawings"
    picture.save(tmp_path / "agreement.svg")
    assert ElementTree.parse(tmp_path / "agreement.svg").getroot().tag.endswith("svg")


def test_findings_travel() -> None:
    assert pickle.loads(pickle.dumps(found())).document() == found().document()


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("study")
    drawn = simulate(Study(prompts=40), seed=3)
    (folder / "ratings.csv").write_text(drawn.to_csv())
    (folder / "task.toml").write_text(drawn.task.to_toml())
    return folder / "ratings.csv", folder / "task.toml"


def test_any_source_and_any_task_give_the_same_results(study: tuple[Path, Path]) -> None:
    import duckdb
    import pandas as pd
    import polars as pl
    import pyarrow.csv

    path, task = study
    table = pd.read_csv(path, dtype=str, keep_default_na=False)
    sources = [
        path,
        [str(path)],
        table,
        pl.read_csv(path, infer_schema_length=0),
        pyarrow.table({name: list(table[name]) for name in table}),
        duckdb.read_csv(str(path), all_varchar=True),
    ]
    declared = goldassay.read_task(str(task))
    tasks = [str(task), task, declared, declared.to_json()]
    first = goldassay.agree(path, task, resamples=200)
    for number, source in enumerate(sources):
        again = goldassay.agree(source, tasks[number % len(tasks)], resamples=200)
        assert again.rows == first.rows
        assert again.exclusions == first.exclusions


def test_questions_may_be_asked_in_parallel(study: tuple[Path, Path]) -> None:
    path, task = study
    before = threading.active_count()
    alone = goldassay.agree(path, task, resamples=200).to_json()
    told: list[str] = []

    def ask() -> None:
        told.append(goldassay.agree(path, task, resamples=200).to_json())

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert told == [alone] * 4
    assert threading.active_count() == before, "no thread is left"


def test_the_document_is_what_the_command_prints(
    study: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    from goldassay.cli import command_line

    path, task = study
    assert command_line(["agree", str(path), "--task", str(task), "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    asked = json.loads(goldassay.agree(path, task).to_json())
    for document in (printed, asked):
        document["provenance"].pop("argv")
    assert printed == asked


def test_a_report_shows_its_first_picture_and_names_its_questions(study: tuple[Path, Path]) -> None:
    path, task = study
    found = goldassay.report(path, task, resamples=100)
    assert "agree, select" in repr(found)
    assert "<svg" in found._repr_html_()
