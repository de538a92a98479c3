"""The GitHub Action: its scripts are run as the runner runs them, on files and a repository."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest
from warm import warm_command
from workflow import Job

ROOT = Path(__file__).resolve().parents[2]
TASK = 'scale = "binary"\noptions = ["yes", "no"]\npositive = "yes"\n'

pytestmark = pytest.mark.skipif(
    shutil.which("bash") is None or shutil.which("git") is None, reason="no bash or no git"
)


def ratings(wrong: int, judge: str = "gpt") -> str:
    """60 items, of which the judge gets so many wrong."""
    rows = ["item,rater,kind,value"]
    for n in range(60):
        label = "yes" if n % 2 else "no"
        other = "no" if n % 2 else "yes"
        rows += [f"i{n},kim,human,{label}", f"i{n},{judge},judge,{other if n < wrong else label}"]
    return "\n".join(rows) + "\n"


@pytest.fixture
def commands(tmp_path: Path) -> str:
    """A folder whose `goldassay` is the one under test."""
    folder = tmp_path / "bin"
    folder.mkdir()
    warm_command(folder / "goldassay")
    return str(folder)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A repository whose base branch has a judge that is wrong on 12 of 60 items."""
    work, origin = tmp_path / "work", tmp_path / "origin.git"
    work.mkdir()
    (work / "ratings.csv").write_text(ratings(12))
    (work / "task.toml").write_text(TASK)
    quiet = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    who = ["-c", "user.name=kim", "-c", "user.email=kim@example.org"]
    for words in (
        ["init", "-q", "-b", "main"],
        ["add", "-A"],
        [*who, "commit", "-q", "-m", "first"],
        ["clone", "-q", "--bare", ".", str(origin)],
        ["remote", "add", "origin", origin.as_uri()],
    ):
        subprocess.run(["git", *words], cwd=work, env=os.environ | quiet, check=True)
    return work


def job(folder: Path, path: str, base_ref: str = "", **inputs: str) -> Job:
    named = {key.replace("_", "-"): value for key, value in inputs.items()}
    return Job(ROOT / "action.yml", folder, named, base_ref, path)


def test_a_pull_request_is_held_and_compared(folder: Path, commands: str) -> None:
    (folder / "ratings.csv").write_text(ratings(3))
    made = job(
        folder, commands, "main", ratings="\n  ratings.csv\n", task="task.toml",
        require="accuracy >= 0.9\n\ncohen_kappa.low > 0.5\n",
        require_change="accuracy_change.low >= -0.03[judge=gpt]",
    )  # fmt: skip
    done = made.step("Report")
    assert done.returncode == 0, done.stdout + done.stderr
    assert made.outputs["report"] == {
        "page": "goldassay-report/report.html", "held": "true", "verdict": "held"
    }  # fmt: skip
    assert "::notice title=goldassay%3A 2 results held::" in done.stdout
    names = {path.name for path in (folder / "goldassay-report").iterdir()}
    assert names == {f"report.{form}" for form in ("html", "json", "md", "xml", "sarif")}
    compared = made.step("Compare")
    assert compared.returncode == 0, compared.stdout + compared.stderr
    assert made.outputs["compare"] == {"compared": "true", "verdict": "held"}
    # 57 of 60 against 48 of 60 on the same items: 15 points more.
    diff = (folder / "goldassay-report" / "diff.md").read_text()
    assert "rose" in diff
    summary = made.summary.read_text()
    assert "Everything that was required held." in summary
    assert summary.count("## Gates") == 2  # of the report and of the comparison
    assert not (made.temp / "goldassay-base").exists()


def test_a_gate_that_is_not_met_fails_and_the_report_is_there(folder: Path, commands: str) -> None:
    (folder / "ratings.csv").write_text(ratings(20))
    made = job(
        folder, commands, "main", ratings="ratings.csv", task="task.toml",
        require="accuracy >= 0.9", require_change="accuracy_change.low >= -0.03",
    )  # fmt: skip
    done = made.step("Report")
    assert done.returncode == 1
    assert made.outputs["report"]["held"] == "false"
    assert made.outputs["report"]["verdict"] == "not met"
    error = next(line for line in done.stdout.splitlines() if line.startswith("::error"))
    assert "file=ratings.csv" in error
    assert "accuracy >= 0.9 does not hold: 0.6667 for gpt" in error
    assert "1 result does not meet what was required" in made.summary.read_text()
    cases = Xml.parse(folder / "goldassay-report" / "report.xml").iter("failure")
    assert [one.get("type") for one in cases] == ["GateNotMet"]
    compared = made.step("Compare")
    assert compared.returncode == 1
    assert "::error title=goldassay::A gate on the change is not met." in compared.stdout
    assert "A gate on the report" not in compared.stdout
    assert made.outputs["compare"]["verdict"] == "not met"


@pytest.mark.parametrize(("inconclusive", "code"), [("fail", 4), ("warn", 0), ("maybe", 2)])
def test_a_gate_that_missing_verdicts_could_turn(
    inconclusive: str, code: int, folder: Path, commands: str
) -> None:
    """The judge has no row for the last 10 of 60 items: right on 47 to 57 of them."""
    rows = ratings(3).splitlines()
    kept = [row for n, row in enumerate(rows) if n < 101 or ",judge," not in row]
    (folder / "ratings.csv").write_text("\n".join(kept) + "\n")
    made = job(
        folder, commands, ratings="ratings.csv", task="task.toml",
        require="accuracy >= 0.9", inconclusive=inconclusive,
    )  # fmt: skip
    done = made.step("Report")
    assert done.returncode == code, done.stdout + done.stderr
    if inconclusive == "maybe":
        assert "The input inconclusive is fail or warn." in done.stdout
        return
    assert made.outputs["report"]["verdict"] == "inconclusive"
    kind = "error" if code else "warning"
    assert f"::{kind} title=goldassay::A gate on the report is inconclusive." in done.stdout


def test_a_baseline_that_lies_where_the_report_goes(folder: Path, commands: str) -> None:
    first = job(folder, commands, ratings="ratings.csv", task="task.toml")
    assert first.step("Report").returncode == 0
    (folder / "ratings.csv").write_text(ratings(3))
    made = job(
        folder, commands, ratings="ratings.csv", task="task.toml",
        baseline="goldassay-report/report.json", require_change="accuracy_change >= 0.1",
    )  # fmt: skip
    assert made.step("Report").returncode == 0
    done = made.step("Compare")
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_baseline_that_is_none(folder: Path, commands: str) -> None:
    made = job(folder, commands, ratings="ratings.csv", task="task.toml", baseline="no.json")
    done = made.step("Report")
    assert done.returncode == 2
    assert "::error title=goldassay::There is no file to be read" in done.stdout
    (folder / "::error::owned").write_text('{"schema": "::error::owned"}')
    made = job(folder, commands, ratings="ratings.csv", task="task.toml", baseline="::error::owned")
    assert made.step("Report").returncode == 0
    done = made.step("Compare")
    assert done.returncode == 2
    lines = done.stdout.splitlines()
    fence = next(n for n, line in enumerate(lines) if line.startswith("::stop-commands::"))
    end = lines.index(f"::{lines[fence].removeprefix('::stop-commands::')}::")
    assert any("owned" in line for line in lines[fence:end])
    assert not any("owned" in line for line in [*lines[:fence], *lines[end:]])
    assert "owned" not in done.stderr
    assert lines[-1].startswith("::error title=goldassay::Nothing is compared")


def test_without_a_base_nothing_is_compared_and_said_so(folder: Path, commands: str) -> None:
    made = job(folder, commands, ratings="ratings.csv", task="task.toml")
    assert made.step("Report").returncode == 0
    done = made.step("Compare")
    assert done.returncode == 0
    assert "Nothing is compared: this is no pull request" in made.summary.read_text()
    (folder / "new.csv").write_text(ratings(1))
    made = job(
        folder, commands, "main", ratings="new.csv", task="task.toml",
        require_change="accuracy_change >= 0",
    )  # fmt: skip
    assert made.step("Report").returncode == 0
    done = made.step("Compare")
    assert done.returncode == 2
    assert "the base branch gives no report of these files" in done.stdout
    assert made.outputs["compare"] == {"compared": "false"}


def test_hostile_names_run_nothing(folder: Path, commands: str) -> None:
    """A file's name is no script, a judge's name is no command to the runner."""
    judge = "::error::owned ##[error]owned $(touch pwned)"
    name = '$(touch pwned) `touch pwned`; touch "pwned".csv'
    (folder / name).write_text(ratings(3, judge))
    made = job(folder, commands, ratings=name, task="task.toml", require="accuracy >= 0.99")
    done = made.step("Report")
    assert done.returncode == 1, done.stdout + done.stderr
    assert not (folder / "pwned").exists()
    stopped = ""
    for line in done.stdout.splitlines():
        if line.startswith("::stop-commands::"):
            stopped = line.removeprefix("::stop-commands::")
        elif line == f"::{stopped}::":
            stopped = ""
        elif not stopped:
            assert line.startswith(("::error title=goldassay", "::notice title=goldassay"))
            assert "##[" not in line
    dashed = job(folder, commands, ratings="--help", task="task.toml")
    assert dashed.step("Report").returncode == 2
    assert dashed.outputs["report"] == {}


def test_installed_from_its_own_path(folder: Path, tmp_path: Path) -> None:
    fake = tmp_path / "python-only"
    fake.mkdir()
    (fake / "python").write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    (fake / "python").chmod(0o755)
    done = job(folder, str(fake), ratings="r", extras="xlsx,arrow").step("Install goldassay")
    assert done.stdout.splitlines()[-1] == f"{ROOT}[xlsx,arrow]"
    done = job(folder, str(fake), ratings="r").step("Install goldassay")
    assert done.stdout.splitlines()[-1] == str(ROOT)


def test_no_file_of_the_checkout_is_run_as_a_module(
    folder: Path, commands: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every step runs in the checkout: what a pull request brings there is data, not code."""
    other = tmp_path / "modules"  # found where no file of the checkout is
    other.mkdir()
    (other / "pip.py").write_text("import sys\nprint(sys.argv[-1])\n")
    monkeypatch.setenv("PYTHONPATH", str(other))
    (Path(commands) / "python").symlink_to(sys.executable)
    for name in ("pip", "goldassay", "narwhals", "json", "typing", "sitecustomize"):
        (folder / f"{name}.py").write_text("open('pwned', 'w')\nraise SystemExit(0)\n")
    made = job(folder, commands, ratings="ratings.csv", task="task.toml")
    done = made.step("Install goldassay")
    assert done.stdout.splitlines() == [str(ROOT)], done.stdout + done.stderr
    assert made.step("Report").returncode == 0
    assert made.step("Compare").returncode == 0
    assert not (folder / "pwned").exists()


def test_no_script_holds_an_input(folder: Path) -> None:
    made = job(folder, "", ratings="r").made
    scripts = [step["run"] for step in made["runs"]["steps"] if "run" in step]
    assert len(scripts) == 3
    assert not any("${{" in script for script in scripts)
    assert json.dumps(made["runs"]).count("actions/upload-artifact") == 1
