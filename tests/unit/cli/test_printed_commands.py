"""Every command that is printed can be run as it stands, in the same folder, and keeps its word.

A small table of each kind is asked every question, with its task and without; what each answer or
refusal prints as a command is run, and what that prints, until nothing new comes.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import shlex
import shutil
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl
import pytest

import goldassay as ga
from goldassay import cli
from goldassay.examples import tables
from goldassay.store import Label, add_labels, open_store

QUESTIONS = (
    *("check", "agree", "select", "audit", "replace", "estimate", "rank", "compare", "plan"),
    *("route", "monitor", "certify"),
)
#: Units of each example: enough for every question, few enough to ask them all.
FEW = 24
#: A command that is printed, with its continuation lines; or one in a sentence of a refusal.
_NEXT = re.compile(r"^[Nn]ext: (goldassay (?:.*\\\n)*.*)$", re.MULTILINE)
_WITHIN = re.compile(r"(goldassay [a-z]+ [^:;]*?--[a-z-]+ \S+?)[.,;]?(?=\s|$)")
#: Examples of which a command makes the whole report in `tests/browser/test_report_page.py`.
REPORTED = ("rubric", "answers", "pairs", "grades")
_PLACEHOLDER = re.compile(r"\b[A-Z]{4,}\b")


@dataclass(frozen=True)
class Ran:
    words: tuple[str, ...]
    code: int
    out: str
    err: str

    @property
    def printed(self) -> list[tuple[str, ...]]:
        """The commands in what was printed, as a shell reads them."""
        lines = [one.replace("\\\n", " ") for one in _NEXT.findall(self.out)]
        lines += _WITHIN.findall(self.err)
        return [tuple(shlex.split(one, comments=True)[1:]) for one in lines]


def run(words: Sequence[str]) -> Ran:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = cli.command_line(list(words))
    return Ran(tuple(words), code, out.getvalue(), err.getvalue())


def follow(
    commands: Sequence[Sequence[str]], *, reported: bool = False
) -> dict[tuple[str, ...], Ran]:
    """What the commands print, and the commands that are printed, each run once; but a report where
    it was `reported` already."""
    ran: dict[tuple[str, ...], Ran] = {}
    waiting = deque((tuple(one), "") for one in commands)
    while waiting:
        words, printed_by = waiting.popleft()
        if words in ran or _PLACEHOLDER.search(" ".join(words)):
            continue
        if words[0] == "report" and (reported or any(one[0] == "report" for one in ran)):
            continue  # it asks all that was asked here: once is enough
        ran[words] = done = run(words)
        assert done.code in (0, 2), f"{shlex.join(words)}: {done.err}"
        if printed_by:
            assert done.code == 0, f"{printed_by} prints {shlex.join(words)}: {done.err}"
        waiting += [(one, shlex.join(words)) for one in done.printed]
    return ran


def kept_words(ran: Ran) -> None:
    """An answer keeps what the command that was printed promised."""
    words = ran.words
    if "--write-task" in words:
        assert Path(words[words.index("--write-task") + 1]).is_file()
    if "--list" in words:
        listing = Path(words[words.index("--list") + 1]).read_text(encoding="utf-8")
        assert len(listing.splitlines()) > 1, "a list of items to label next is empty"
    if "--out" in words:
        assert Path(words[words.index("--out") + 1]).stat().st_size > 1000


def cut(example: tables.Example, folder: Path) -> None:
    """The first units of an example's table as `ratings.csv`, and its task."""
    table = pl.read_csv(example.path, infer_schema=False)
    key = "prompt" if "prompt" in table.columns else table.columns[0]
    few = table[key].unique(maintain_order=True).head(FEW)
    table.filter(pl.col(key).is_in(few.implode())).write_csv(folder / "ratings.csv")
    shutil.copy(example.task, folder / "task.toml")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path


def asked(*files: str) -> list[tuple[str, ...]]:
    return [(verb, *files) for verb in QUESTIONS]


@pytest.mark.parametrize(
    "example",
    [
        pytest.param(one, id=one.name, marks=[pytest.mark.slow] * (one.name not in REPORTED))
        for one in tables.every()
    ],
)
def test_what_is_printed_of_an_example_runs(example: tables.Example, folder: Path) -> None:
    cut(example, folder)
    declared, guessed = asked("ratings.csv", "--task", "task.toml"), asked("ratings.csv")
    ran = follow([*declared, guessed[0], guessed[-1]], reported=example.name in REPORTED)
    assert any(len(one.printed) > 0 for one in ran.values())
    for one in ran.values():
        if one.code == 0:
            kept_words(one)


def test_what_is_printed_where_people_or_judges_lack_runs(folder: Path) -> None:
    cut(tables.rubric, folder)
    table = pl.read_csv("ratings.csv", infer_schema=False)
    for kind in ("human", "judge"):
        table.filter(pl.col("kind") == kind).write_csv(f"{kind}.csv")
        for one in follow(asked(f"{kind}.csv")).values():
            if one.code == 0:
                kept_words(one)


def test_what_is_printed_of_a_store_runs(folder: Path) -> None:
    cut(tables.plain, folder)
    table = pl.read_csv("ratings.csv", infer_schema=False)
    with contextlib.closing(open_store("study.db", create=True)) as store:
        add_labels(
            store,
            [
                Label(item=row["id"], rater=rater, value=row[rater], kind=kind)
                for row in table.to_dicts()
                for rater, kind in (("human", "human"), ("judge", "judge"))
            ],
        )
    for one in follow(asked("study.db")).values():
        if one.code == 0:
            kept_words(one)


def test_no_file_is_written_over_unasked(folder: Path) -> None:
    cut(tables.plain, folder)
    assert run(["check", "ratings.csv"]).printed == [
        ("check", "ratings.csv", "--write-task", "task-2.toml")
    ]


def test_the_next_question_is_about_the_same_rows_and_judge(folder: Path) -> None:
    cut(tables.answers, folder)
    narrowed = ("--only", "system=small", "--exclude", "item=q1")
    (line,) = run(["agree", "ratings.csv", "--task", "task.toml", *narrowed]).printed
    assert line == ("estimate", "ratings.csv", "--task", "task.toml", *narrowed)
    cut(tables.rubric, folder)
    (line,) = run(["estimate", "ratings.csv", "--judge", "small"]).printed
    assert line == ("route", "ratings.csv", "--judge", "small")


def test_what_came_by_standard_input_is_not_asked_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut(tables.plain, folder)
    text = io.TextIOWrapper(io.BytesIO(Path("ratings.csv").read_bytes()))
    monkeypatch.setattr("sys.stdin", text)
    answered = run(["agree", "-"])
    assert answered.code == 0
    assert not answered.printed


def test_the_command_beside_a_number_of_a_report_makes_the_same_number(folder: Path) -> None:
    cut(tables.rubric, folder)
    found = ga.report("ratings.csv", "task.toml", only=["criterion=cites a source"], resamples=200)
    commands = {part["verb"]: part["command"] for part in found.more["parts"]}
    words = shlex.split(commands["estimate"])[1:]
    assert run([*words, "--out", "again.json"]).code == 0
    again = json.loads(Path("again.json").read_text(encoding="utf-8"))["results"]
    told = ("name", "judge", "value", "low", "high", "n_items")
    rates = [[row.get(key) for key in told] for row in again if row["name"] == "prevalence"]
    assert rates == [
        [row.get(key) for key in told]
        for row in found.document()["results"]
        if (row["verb"], row["name"]) == ("estimate", "prevalence")
    ]


def test_a_report_of_no_answer_says_why(folder: Path) -> None:
    cut(tables.rubric, folder)
    table = pl.read_csv("ratings.csv", infer_schema=False)
    table.filter(pl.col("kind") == "human").write_csv("people.csv")
    told = " ".join(run(["report", "people.csv", "--out", "report.md"]).out.split())
    assert told.startswith("Provisional: No question can be answered yet. people.csv: ")
    assert "found no rating of kind judge" in told
