"""The command line: help, errors, exit codes, gates, files written whole or not at all."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from typer.main import get_command

from goldassay.cli import _app
from goldassay.cli import command_line as run
from goldassay.cli.helping import _FILES
from goldassay.verbs import VERBS

TABLE = """item,rater,kind,value
1,h,human,MET
1,j,judge,MET
2,h,human,UNMET
2,j,judge,UNMET
3,h,human,MET
3,j,judge,UNMET
4,h,human,UNMET
4,j,judge,UNMET
"""
TASK = 'scale = "binary"\noptions = ["MET", "UNMET"]\npositive = "MET"\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "ratings.csv").write_text(TABLE)
    (tmp_path / "task.toml").write_text(TASK)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_help_fits_a_screen_and_names_every_verb(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([]) == 0
    text = capsys.readouterr().out
    lines = text.splitlines()
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 90
    for verb in VERBS:
        assert f"  {verb.name} " in text


@pytest.mark.parametrize("verb", [verb.name for verb in VERBS])
def test_every_verb_has_help_with_an_example(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([verb, "--help"]) == 0
    text = capsys.readouterr().out
    assert f"goldassay {verb}" in text
    assert "Example" in text


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out.startswith("goldassay 0.")


def test_an_unknown_verb_or_option_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["agre"]) == 2
    assert "agre" in capsys.readouterr().err
    assert run(["agree", "--nonsense"]) == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["agree", "ratings.csv", "--require", "accuracy>0"], "must rest on a declared task"),
        (["agree", "rating.csv", "--task", "task.toml"], "Did you mean"),
        (["agree", "ratings.csv", "--task", "none.toml"], "none.toml"),
        (["agree", "ratings.csv", "-t", "task.toml", "--require", "kappa>>1"], "a gate is"),
        (["agree", "ratings.csv", "-t", "task.toml", "--require", "acuracy>0"], "accuracy"),
        (["agree", "ratings.csv", "-t", "task.toml", "--out", "x.docx"], ".json, .csv, .md, .html"),
        (["agree", "ratings.csv", "-t", "task.toml", "--out", "no/x.json"], "cannot be written"),
        (["check", "ratings.csv", "--write-task", "task.toml"], "not overwritten"),
    ],
)
def test_wrong_input_is_one_line_exit_2_and_writes_nothing(
    folder: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {path: path.read_bytes() for path in folder.iterdir()}
    assert run(arguments) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith("goldassay: ")
    assert captured.err.count("\n") == 1
    assert message in captured.err
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize(
    "words",
    [
        ["agree", "ratings.csv", "--out", "ratings.csv"],
        ["estimate", "ratings.csv", "-o", "./ratings.csv"],
        ["agree", "--out=link.csv", "ratings.csv"],
        ["plan", "ratings.csv", "-t", "task.toml", "--next", "2", "--list", "ratings.csv"],
        ["agree", "ratings.csv", "-t", "task.toml", "--out", "task.toml"],
    ],
)
def test_what_is_read_is_not_written_over(
    folder: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "link.csv").symlink_to(folder / "ratings.csv")
    assert run(words) == 2
    assert "is read by this command. Write to another file" in capsys.readouterr().err
    assert (folder / "ratings.csv").read_text() == TABLE
    assert (folder / "task.toml").read_text() == TASK


ASKED = ("agree", "select", "audit", "estimate", "plan", "check", "report", "certify")


@pytest.mark.parametrize("verb", ASKED)
def test_every_document_that_is_named_is_written(folder: Path, verb: str) -> None:
    made = [f"one{'.passport' * (verb == 'certify')}.json", "two.html", "three.html"]
    outs = [word for name in made for word in ("--out", name)]
    assert run([verb, "ratings.csv", "--task", "task.toml", *outs]) == 0
    assert all(Path(name).stat().st_size for name in made)


@pytest.mark.parametrize("verb", [verb.name for verb in VERBS])
def test_no_file_that_is_named_is_dropped(
    verb: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Verbs that write documents write each; one folder or one data file is no two."""
    options = {
        word: one
        for one in get_command(_app([verb])).commands[verb].params
        for word in one.opts
        if word.startswith("--")
    }
    delivers = hasattr(import_module(f"goldassay.cli.{_module(verb)}"), "deliver")
    if out := options.get("--out"):
        assert out.multiple == (delivers and verb not in ("import", "run"))
    for word, one in options.items():
        if one.metavar in _FILES and not one.multiple:
            assert run([verb, word, "a", word, "b"]) == 2
            assert f"{word}: takes one file or folder here; found 2." in capsys.readouterr().err
    assert sorted(path.name for path in folder.iterdir()) == ["ratings.csv", "task.toml"]


def _module(verb: str) -> str:
    return next(one.module for one in VERBS if one.name == verb)


def test_gates(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = ["agree", "ratings.csv", "--task", "task.toml", "--json"]
    assert run([*base, "--require", "accuracy>=0.7"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == "goldassay/1"
    assert run([*base, "--require", "accuracy>=0.8"]) == 1
    captured = capsys.readouterr()
    assert "accuracy>=0.8 does not hold: 0.75" in captured.err
    json.loads(captured.out)  # the document is printed all the same
    assert run([*base, "--require", "accuracy.low>=0.7[judge=j]"]) == 1
    assert run([*base, "--require", "accuracy>=0.7[judge=k]"]) == 2


def test_the_same_input_and_seed_give_the_same_bytes(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["agree", "ratings.csv", "--task", "task.toml", "--json", "--seed", "3"]
    outputs = []
    for _ in range(2):
        assert run(arguments) == 0
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1]


#: Runs a command as `goldassay` does, and says with how many threads matrices are multiplied then.
THREADS = """
import sys
from goldassay.cli import main
try:
    main(sys.argv[1:])
except SystemExit as end:
    assert end.code == 0
from threadpoolctl import threadpool_info
print(sorted({one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas"}))
"""


@pytest.mark.parametrize(("asked", "used"), [({}, 1), ({"OMP_NUM_THREADS": "2"}, 2)])
def test_matrices_are_multiplied_by_one_thread_unless_more_are_asked_for(
    folder: Path, asked: dict[str, str], used: int
) -> None:
    others = {k: v for k, v in os.environ.items() if not k.endswith("_THREADS")}
    done = subprocess.run(
        [sys.executable, "-c", THREADS, "agree", "ratings.csv", "--task", "task.toml"],
        capture_output=True,
        text=True,
        env=others | asked,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == f"[{min(used, os.cpu_count() or 1)}]"


def test_a_drafted_task_runs(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "ratings.csv", "--write-task", "drafted.toml"]) == 0
    assert run(["check", "ratings.csv", "--task", "drafted.toml", "--json"]) == 0
    out = capsys.readouterr().out
    assert '"verb": "check"' in out


def test_hostile_text_cannot_reach_the_terminal(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = TABLE.replace(",j,", ",\x1b[31mj\u202e,")
    (folder / "ratings.csv").write_text(text)
    assert run(["agree", "ratings.csv", "--task", "task.toml"]) == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "\u202e" not in out


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shell_completion(shell: str) -> None:
    environment = {**os.environ, "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "goldassay", "--show-completion", shell],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "_GOLDASSAY_COMPLETE" in done.stdout


def test_completion_offers_verbs_and_options() -> None:
    def offered(line: str) -> str:
        environment = {
            **os.environ,
            "_GOLDASSAY_COMPLETE": "complete_bash",
            "COMP_WORDS": line,
            "COMP_CWORD": str(len(line.split(" ")) - 1),
        }
        done = subprocess.run(
            [sys.executable, "-m", "goldassay"],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.stdout

    assert offered("goldassay es").split() == ["estimate"]
    assert offered("goldassay agree --ta").split() == ["--task"]


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux's /proc")
def test_a_gigabyte_in_less_than_a_gigabyte(tmp_path: Path) -> None:
    path = tmp_path / "big.csv"
    with path.open("w") as stream:
        stream.write("item,rater,kind,value,comment\n")
        number = 0
        while stream.tell() < 1_000_000_000:
            stream.writelines(
                f"i{n:09d},person,human,MET,a comment that makes the row long enough to matter\n"
                f"i{n:09d},gpt,judge,{'MET' if n % 3 else 'UNMET'},and another one, of a "
                "judge\n".replace(", of", " of")
                for n in range(number, number + 50_000)
            )
            number += 50_000
    (tmp_path / "task.toml").write_text(TASK)
    code = (
        "import re; from pathlib import Path; from goldassay.cli import command_line as run\n"
        f"code = run(['check', {str(path)!r}, '--task', {str(tmp_path / 'task.toml')!r}])\n"
        # Of this process alone: `ru_maxrss` of a child begins at its parent's peak.
        "told = Path('/proc/self/status').read_text()\n"
        "print(code, int(re.search(r'VmHWM:\\s+(\\d+)', told)[1]) / 1024)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    exit_code, megabytes = done.stdout.split()[-2:]
    assert exit_code == "0"
    assert float(megabytes) < 1000
