"""`python -m MODULE WORDS...` in a process of its own that need not import everything anew.

A page shows a hundred commands, and starting Python and its libraries takes longer than most of
them compute. One process imports the command and computes nothing; each call is a fork of it, with
its own folder, environment and streams. Where a process as a user starts it is the point, tests
start one.
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from patience import PATIENCE

__all__ = ["warm_run"]

#: Imported once; what a verb imports besides, its fork does.
ROOMS = ("cli", "counts", "examples", "lab", "questions", "ratings", "rendering")


def warm_run(
    words: list[str], folder: Path, environment: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    """`python -m WORDS...` in a folder: what it prints and how it ends."""
    server = _server()
    assert server.stdin is not None
    assert server.stdout is not None
    with tempfile.TemporaryDirectory() as own:
        out, err = Path(own, "out"), Path(own, "err")
        call = {"words": words, "folder": str(folder), "environment": dict(environment)}
        server.stdin.write(json.dumps({**call, "out": str(out), "err": str(err)}) + "\n")
        server.stdin.flush()
        ended = server.stdout.readline()
        assert ended, "the process that forks has ended"
        texts = [path.read_text(encoding="utf-8") for path in (out, err)]
    return subprocess.CompletedProcess(words, int(ended), *texts)


@cache
def _server() -> subprocess.Popen[str]:
    made = subprocess.Popen(
        [sys.executable, __file__],
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    atexit.register(made.communicate)  # it ends when nothing more can come
    return made


def _serve() -> None:
    import importlib
    import pkgutil

    import goldassay

    for room in ROOMS:
        package = importlib.import_module(f"goldassay.{room}")
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not found.name.endswith("__main__"):
                importlib.import_module(found.name)
    assert goldassay.__file__
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            _call(json.loads(line))
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


def _call(call: Mapping[str, object]) -> None:
    """Never returns."""
    import runpy
    import signal

    signal.alarm(PATIENCE)  # one that hangs is ended
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    for stream, name in ((1, "out"), (2, "err")):
        os.dup2(os.open(str(call[name]), os.O_WRONLY | os.O_CREAT), stream)
    code = 1
    try:
        os.chdir(str(call["folder"]))
        os.environ.clear()
        os.environ.update(call["environment"])  # type: ignore[arg-type]
        module, *words = call["words"]  # type: ignore[misc]
        sys.argv = [module, *words]
        sys.path[0] = str(call["folder"])
        runpy.run_module(module, run_name="__main__", alter_sys=True)
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    _serve()
