"""The tables that come with the package: drawn as they lie there, and true to what they claim."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import scripted

import goldassay as ga
from goldassay.errors import UsageError
from goldassay.examples import Example, every, named, plain

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def script() -> ModuleType:
    return scripted.script("make_examples")


def test_the_tables_are_what_the_script_draws(script: ModuleType) -> None:
    folder = ROOT / "src" / "goldassay" / "examples"
    drawn = script.files()
    assert {path.name for path in folder.glob("*.[ct][so][vm]*")} == set(drawn)
    for name, text in drawn.items():
        assert (folder / name).read_text(encoding="utf-8") == text, f"remake {name}"
    assert [example.name for example in every()] == list(script.EXAMPLES)


def test_they_stay_small() -> None:
    assert sum(example.path.stat().st_size for example in every()) < 400_000


@pytest.mark.parametrize("example", every(), ids=lambda one: one.name)
def test_an_example_answers_what_it_is_made_for(example: Example) -> None:
    for verb in example.verbs:
        ask: Callable[..., Any] = getattr(ga, verb)
        found = ask(example())
        assert found.answer, verb
        assert not found.document().get("provisional"), verb


def test_the_truth_is_found() -> None:
    """The rate, each system's, and the judges' own: within their intervals."""
    found = ga.estimate(ga.examples.answers())
    truth = ga.examples.answers.truth
    assert truth["prevalence"] in found["prevalence", "strict match"].interval
    for system, rate in truth["systems"].items():
        row = next(
            row for row in found.rows_where(name="prevalence") if row.about.get("system") == system
        )
        assert rate in row.result.interval, system
    judged = ga.agree(ga.examples.rubric())
    for judge, (sensitivity, _) in ga.examples.rubric.truth["judges"].items():
        if judge != "careful":  # it abstains where it is unsure, and is better on the rest
            low, high = (
                judged["sensitivity", judge].interval.low,
                judged["sensitivity", judge].interval.high,
            )
            assert low - 0.03 < sensitivity < high + 0.03, judge
    assert ga.select(ga.examples.rubric()).answer[0].text.startswith("`careful` has the highest")


def test_the_partial_judge_is_caught() -> None:
    """It favours one system of eight: its biases differ from system to system, surely."""
    found = ga.rank(ga.examples.scores(), resamples=500)
    partial, fair = found["bias_delta", "kin of C"], found["bias_delta", "large"]
    assert partial.interval.low > 0.03
    assert partial.value > 2 * fair.value


def test_from_a_shell(tmp_path: Path) -> None:
    def run(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "goldassay.examples", *words]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    listed = run()
    assert listed.returncode == 0
    assert all(example.about in listed.stdout for example in every())
    assert run("plain").stdout == "Written: plain.csv, plain.toml\n"
    assert (tmp_path / "plain.csv").read_bytes() == named("plain").path.read_bytes()
    wrong = run("plane")
    assert wrong.returncode == 2
    assert "found plane" in wrong.stderr
    assert not list(tmp_path.glob("plane*"))


def test_an_unknown_name() -> None:
    with pytest.raises(UsageError, match="must be one of plain, answers"):
        named("nowhere")


def test_two_lines_in_python(tmp_path: Path) -> None:
    found = ga.agree(ga.examples.plain())
    found.save(tmp_path / "agree.json")
    inputs = json.loads((tmp_path / "agree.json").read_text())["provenance"]["inputs"]
    assert [one["name"] for one in inputs] == ["plain.csv"]


def test_a_file_of_ones_own_is_not_replaced(tmp_path: Path) -> None:
    plain.save(tmp_path)
    plain.save(tmp_path)  # the same content may be written again
    (tmp_path / "plain.csv").unlink()
    (tmp_path / "plain.toml").write_text("mine")
    with pytest.raises(UsageError, match="is there already, with other content"):
        plain.save(tmp_path)
    assert [one.name for one in tmp_path.iterdir()] == ["plain.toml"]
    assert (tmp_path / "plain.toml").read_text() == "mine"
