"""How a command ends: its exit code, one line on stderr, and no traceback."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from patience import PATIENCE

from goldassay import cli
from goldassay.cli import VERBS, command_line
from goldassay.errors import InputError

ROWS = "".join(
    f"{item},{rater},{kind},{'yes' if (item * step) % 3 else 'no'}\n"
    for item in range(1, 13)
    for rater, kind, step in (("anna", "human", 1), ("bot é", "judge", 2))
)
TASK = 'scale = "binary"\noptions = ["yes", "no"]\npositive = "yes"\n'
AGREE = ("agree", "ratings.csv", "--task", "task.toml")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "ratings.csv").write_text("item,rater,kind,value\n" + ROWS, encoding="utf-8")
    (tmp_path / "task.toml").write_text(TASK)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(words: Sequence[str], **how: Any) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "goldassay", *words]
    return subprocess.run(command, stderr=subprocess.PIPE, timeout=PATIENCE, check=False, **how)


def shell(line: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        ["bash", "-c", line.replace("goldassay", f"{sys.executable} -m goldassay", 1)],
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )


@pytest.mark.parametrize("words", [AGREE, (*AGREE, "--json"), ("--version",), ("agree", "--help")])
def test_a_full_disk_loses_output(folder: Path, words: Sequence[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = run(words, stdout=full)
    assert done.returncode == 3
    assert done.stderr == (
        b"goldassay: standard output: output was lost (No space left on device).\n"
    )


@pytest.mark.parametrize(
    ("closed", "code", "said"),
    [
        (">&-", 3, b"goldassay: standard output: output was lost (Bad file descriptor).\n"),
        ("2>&-", 0, b""),
        ("<&- >&- 2>&-", 3, b""),
    ],
)
def test_a_closed_stream(folder: Path, closed: str, code: int, said: bytes) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    done = shell(f"goldassay {' '.join(AGREE)} {closed}")
    assert (done.returncode, done.stderr) == (code, said)
    # Nothing that was meant for a stream went into a file that got its number.
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize("words", [AGREE, (*AGREE, "--json"), ("agree", "--help"), ("--version",)])
def test_a_reader_that_goes_away_ends_it_silently(folder: Path, words: Sequence[str]) -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as stream:
        done = run(words, stdout=stream)
    assert (done.returncode, done.stderr) == (141, b"")


def test_a_terminal_without_unicode_gets_plain_signs(folder: Path) -> None:
    ascii_only = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = run(AGREE, stdout=subprocess.PIPE, env=ascii_only)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"bot \\xe9` agrees with people" in done.stdout
    assert b"-----" in done.stdout
    as_json = run((*AGREE, "--json"), stdout=subprocess.PIPE, env=ascii_only)
    in_utf8 = run((*AGREE, "--json"), stdout=subprocess.PIPE)
    assert as_json.stdout.isascii()
    assert not in_utf8.stdout.isascii()
    assert json.loads(as_json.stdout) == json.loads(in_utf8.stdout)


#: What runs behind a shell's `&` inherits that SIGINT is ignored, and so would the child.
BEGUN = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
import duckdb, numpy, typer
import goldassay.cli.simulate as verb, goldassay.lab.simulate
from goldassay.cli import main
draw = verb.simulate
def begun(*words, **named):
    print("begun", flush=True)
    return draw(*words, **named)
verb.simulate = begun
main(sys.argv[1:])
"""


@pytest.mark.parametrize(
    ("number", "code", "said"),
    [
        (signal.SIGINT, 130, b"goldassay: interrupted\n"),
        (signal.SIGTERM, 143, b"goldassay: terminated\n"),
    ],
)
def test_signals(tmp_path: Path, number: int, code: int, said: bytes) -> None:
    # Far more prompts than are drawn before the signal. It is sent once drawing begins: Python ends
    # by the signal itself when it comes while a module makes its classes.
    words = ("simulate", "--out", str(tmp_path / "s"), "--prompts", "3000000")
    command = [sys.executable, "-c", BEGUN, *words]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"begun\n"
        process.send_signal(number)
        try:
            _, stderr = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()  # who does not hear the signal would draw until memory ends
    assert (process.returncode, stderr) == (code, said)


# --- the last resort ------------------------------------------------------------------------------


def broken() -> None:
    raise ZeroDivisionError("a\nfault\x1b[31m")


@pytest.fixture
def broken_judges(monkeypatch: pytest.MonkeyPatch) -> None:
    from goldassay.cli import judges

    monkeypatch.setattr(judges, "command", broken)


@pytest.mark.usefixtures("broken_judges")
def test_an_unforeseen_fault_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line(["judges"]) == 3
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert said.err.startswith("goldassay: a fault of goldassay ")
    assert "ZeroDivisionError: a fault⟨U+001B⟩[31m" in said.err
    assert "--debug" in said.err
    assert "report" in said.err


@pytest.mark.usefixtures("broken_judges")
@pytest.mark.parametrize("words", [["--debug", "judges"], ["judges", "--debug"]])
def test_debug_shows_the_traceback(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line(words) == 3
    said = capsys.readouterr().err
    assert "Traceback" in said
    assert "in broken" in said


def test_debug_after_two_dashes_is_a_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line(["check", "--", "--debug"]) == 2
    assert "--debug: no such file" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (MemoryError(), 3),
        (RecursionError("deep"), 3),
        (FileNotFoundError(2, "No such file", "x.csv"), 3),
        (EOFError(), 3),
        (KeyboardInterrupt(), 130),
        (cli.Terminated(), 143),
        (SystemExit(5), 5),
        (InputError("x", "is wrong"), 2),
    ],
)
def test_whatever_is_raised_has_its_code(
    error: BaseException,
    code: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    from goldassay.cli import judges

    def command() -> None:
        raise error

    monkeypatch.setattr(judges, "command", command)
    assert command_line(["judges"]) == code
    said = capsys.readouterr()
    assert said.err.count("\n") == (not isinstance(error, SystemExit))


# --- wrong input by verb --------------------------------------------------------------------------

ODD = "\udcff"  # a byte that is not UTF-8, as the system hands it over
LONG = "x" * 300
WRONG: dict[str, Sequence[Sequence[str]]] = {
    "agree": [(LONG,), (ODD,), ("ratings.csv", "--task", "task.toml", "--by", ODD)],
    "select": [("ratings.csv", "--task", "."), ("pipe.csv", "--task", "task.toml"), ()],
    "estimate": [("a\0b", "-t", "task.toml"), ("ratings.csv", "-t", "/dev/zero"), (ODD,)],
    "plan": [("ratings.csv", "-t", LONG), ("ratings.csv", "-t", "task.toml", "--judge", ODD), ()],
    "audit": [("empty",), ("ratings.csv", "-t", "pipe.csv"), ("ratings.csv", "-t", "ratings.csv")],
    "replace": [
        ("ratings.csv", "-t", "task.toml", "--epsilon", "-0.1"),
        ("ratings.csv", "-t", "task.toml", "--min-items", "1"),
        ("ratings.csv", "--only", ODD),
    ],
    "route": [
        ("ratings.csv", "-t", "task.toml", "--risk", "1.5"),
        ("ratings.csv", "-t", "task.toml", "--confidence", "0"),
        ("ratings.csv", "-t", "task.toml", "--signal", "hunch"),
    ],
    "monitor": [
        ("ratings.csv", "-t", "task.toml"),
        ("ratings.csv", "-t", "task.toml", "--batch", ODD),
        ("ratings.csv", "-t", "task.toml", "--batch", "item", "--margin", "0"),
    ],
    "compare": [
        ("ratings.csv", "-t", "task.toml", "--margin", "-0.1"),
        ("ratings.csv", "-t", "task.toml", "--by", ODD),
        ("ratings.csv", "--baseline", LONG),
    ],
    "rank": [("ratings.csv", "-t", "task.toml", "--gold", "."), ("ratings.csv", "--gold", ODD), ()],
    "check": [
        ("pipe.csv",),
        ("ratings.csv", "--write-task", "no/x.toml"),
        ("ratings.csv::" + ODD,),
    ],
    "run": [
        ("-j", "task.toml", "-i", "ratings.csv", "-o", "x.db"),
        ("-j", "pipe.csv", "-i", "ratings.csv", "-o", "x.db"),
        ("-j", ODD, "-i", "gone.jsonl", "-o", "x.db"),
    ],
    "runs": [(".",), ("ratings.csv",), (LONG,)],
    "judges": [(ODD,), (LONG,), ("",)],
    "reparse": [(".",), ("ratings.csv",), ("gone.db",)],
    "import": [("ratings.csv", "-o", "x.csv"), (ODD, "-o", "x.csv"), ("pipe.csv", "-o", "x.csv")],
    "serve": [
        ("ratings.csv", "-t", "task.toml", "--guide", "pipe.csv"),
        ("ratings.csv", "-t", "."),
        (ODD, "-t", "task.toml"),
    ],
    "export": [("ratings.csv", "-o", "x.csv"), (".", "-o", "x.csv"), ("gone.db", "-o", ODD)],
    "report": [("ratings.csv", "-t", "task.toml", "-o", "no/x.html"), (LONG,), ("pipe.csv",)],
    "certify": [
        ("ratings.csv",),
        ("ratings.csv", "-t", "task.toml", "--judges", "pipe.csv"),
        ("ratings.csv", "-t", "task.toml", "--identity", ODD),
    ],
    "diff": [("pipe.csv", "pipe.csv"), (".", "."), ("ratings.csv", ODD)],
    "demo": [("-o", "ratings.csv"), ("-o", LONG), ("-o", "ratings.csv/below")],
    "simulate": [("-o", "ratings.csv"), ("-o", "d", "--study", "/dev/zero"), ("-o", LONG)],
    "reproduce": [(ODD,), ("balanced-accuracy", "--data", "ratings.csv"), (LONG,)],
}


def test_every_verb_has_three_wrong_inputs() -> None:
    assert set(WRONG) == {verb.name for verb in VERBS}
    assert all(len(cases) == 3 for cases in WRONG.values())


def test_the_only_table_of_a_folder_is_read_and_what_is_no_file_left_alone(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    os.mkfifo(folder / "pipe.csv")
    assert command_line(["agree", ".", "--task", "task.toml"]) == 0
    of_folder = capsys.readouterr().out
    assert command_line(["agree", "ratings.csv", "--task", "task.toml"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == of_folder.splitlines()[0]


@pytest.mark.parametrize(("verb", "case"), [(v, k) for v in WRONG for k in range(3)])
def test_wrong_input_is_told_and_exits_2(
    folder: Path, verb: str, case: int, capsys: pytest.CaptureFixture[str]
) -> None:
    os.mkfifo(folder / "pipe.csv")
    (folder / "empty").mkdir()
    before = {path.name for path in folder.iterdir()}
    assert command_line([verb, *WRONG[verb][case]]) == 2
    said = capsys.readouterr().err
    assert "Traceback" not in said
    assert said.count("\n") == 1 or "Usage:" in said
    assert len(said) < 2_500
    assert {path.name for path in folder.iterdir()} == before


def test_what_windows_cannot_do_says_so(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("goldassay.cli.common.sys.platform", "win32")
    assert command_line(["run", "-j", "j.toml", "-i", "items.jsonl", "-o", "x.db"]) == 2
    assert "is for Linux and macOS. On Windows, use WSL." in capsys.readouterr().err
    assert not (folder / "x.db").exists()
