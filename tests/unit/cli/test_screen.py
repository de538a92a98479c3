"""What a terminal shows: help that fits, colour where it is wanted, stages of long work."""

from __future__ import annotations

import contextlib
import io
import os
import shlex
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from many_judges import many_judges
from patience import until

import goldassay as ga
from goldassay.cli import command_line, stages
from goldassay.cli.following import Asked, following
from goldassay.cli.screen import ink_for
from goldassay.rendering.columns import width_of
from goldassay.verbs import VERBS


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("verb", [verb.name for verb in VERBS])
def test_help_fits_eighty_columns_and_cuts_nothing(
    verb: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert command_line([verb, "--help"]) == 0
    text = capsys.readouterr().out
    assert max(map(width_of, text.splitlines())) <= 80
    assert "…" not in text
    assert "--help" in text
    assert text.startswith(f"Usage: goldassay {verb}")


def test_the_first_help_fits_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line(["--help"]) == 0
    assert max(map(width_of, capsys.readouterr().out.splitlines())) <= 80


def test_a_long_option_is_whole(capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line(["serve", "--help"]) == 0
    assert "--never-show-verdicts" in capsys.readouterr().out


def test_colour_is_for_terminals_whose_reader_wants_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert ink_for(Terminal()).colour
    assert not ink_for(io.StringIO()).colour
    monkeypatch.setenv("NO_COLOR", "1")
    assert not ink_for(Terminal()).colour
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert not ink_for(Terminal()).colour


def test_a_pipe_gets_plain_text_as_wide_as_it_says(tmp_path: Path) -> None:
    ga.simulate(prompts=12).save(tmp_path)
    words = ["agree", str(tmp_path / "ratings.csv"), "--task", str(tmp_path / "task.toml")]
    for width in (60, 120):
        done = subprocess.run(
            [sys.executable, "-m", "goldassay", *words, "--resamples", "100"],
            env={**os.environ, "COLUMNS": str(width), "PYTHONIOENCODING": "utf-8"},
            capture_output=True,
            text=True,
            check=True,
        )
        commands = [line for line in done.stdout.splitlines() if "/" not in line]
        assert max(map(width_of, commands)) <= width
        assert "\x1b" not in done.stdout
        assert done.stderr == ""


def on_terminal(words: list[str], **env: str) -> str:
    """What a command writes to a terminal of its own."""
    import pty

    ours, theirs = pty.openpty()
    clean = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    done = subprocess.Popen(
        [sys.executable, "-m", "goldassay", *words],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**clean, "TERM": "xterm-256color", "COLUMNS": "100", **env},
    )
    os.close(theirs)
    said = b""
    with contextlib.suppress(OSError):  # the other end is closed
        while more := os.read(ours, 65536):
            said += more
    assert done.wait() == 0
    os.close(ours)
    return said.decode("utf-8")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such terminals")
def test_a_terminal_has_colour_unless_its_reader_wants_none(tmp_path: Path) -> None:
    ga.simulate(prompts=12).save(tmp_path)
    files = [str(tmp_path / "ratings.csv"), "--task", str(tmp_path / "task.toml")]
    words = ["check", *files]
    plain, coloured = on_terminal(words, NO_COLOR="1"), on_terminal(words)
    assert "\x1b" not in plain
    assert "`agree`" in plain  # names are set apart by quotes then
    assert "\x1b[36magree\x1b[39m" in coloured
    assert "`" not in coloured


def test_a_stage_is_named_after_a_while_and_taken_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stages, "PATIENCE", 0.01)
    monkeypatch.setattr(stages, "PACE", 0.01)
    terminal = Terminal()
    before = threading.active_count()
    with stages.stages("agree", stream=terminal):
        until(lambda: "working" in terminal.getvalue())
    text = terminal.getvalue()
    assert "agree: working … 0 s" in text
    assert text.endswith("\r")
    assert text.rsplit("\r", 2)[1].strip() == ""
    assert threading.active_count() == before


def test_nothing_is_said_of_short_work_or_in_a_pipe() -> None:
    terminal, pipe = Terminal(), io.StringIO()
    for stream in (terminal, pipe):
        with stages.stages("agree", stream=stream):
            pass
    assert terminal.getvalue() == pipe.getvalue() == ""


def test_a_fault_inside_a_stage_comes_out_and_ends_it() -> None:
    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt), stages.stages("agree", stream=Terminal()):
        raise KeyboardInterrupt
    assert threading.active_count() == before


def test_the_stage_is_where_the_work_is() -> None:
    seen: list[str] = []

    class Asked:
        def __float__(self) -> float:
            seen.append(stages.stage_of(sys._getframe(), "report"))
            return 0.5

    exec("float(asked)", {"__name__": "goldassay.questions.audit.sensitivity", "asked": Asked()})
    exec("float(asked)", {"__name__": "goldassay.counts.units", "asked": Asked()})
    assert seen == ["report, audit: sensitivity", "report: counting"]


@pytest.mark.parametrize("scale", ["binary", "ordinal", "pairwise", "continuous"])
def test_what_to_ask_next_can_be_asked(
    scale: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame, task = many_judges(scale, 2, items=16)
    frame.write_csv(tmp_path / "r.csv")
    declared = "\n".join(f"{key} = {value!r}" for key, value in task.items())
    (tmp_path / "t.toml").write_text(declared)
    monkeypatch.chdir(tmp_path)
    asked = Asked([str(tmp_path / "r.csv")], str(tmp_path / "t.toml"))
    found = ga.agree(frame, task, resamples=100)
    line = " ".join(following(found, asked, 1000)).partition("  #")[0]
    words = shlex.split(line.removeprefix("next: goldassay "))
    more = ["--resamples", "100"] if words[0] in ("select", "rank") else []
    assert command_line([*words, *more]) == 0


def test_a_gate_that_holds_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ga.simulate(prompts=12).save(tmp_path)
    words = ["agree", str(tmp_path / "ratings.csv"), "--task", str(tmp_path / "task.toml")]
    assert command_line([*words, "--resamples", "100", "--require", "accuracy>=0.1"]) == 0
    assert capsys.readouterr().out.endswith(
        "Held: accuracy>=0.1\njudge, micro: on 36 of 36 labelled items; 95 % level\n"
    )
