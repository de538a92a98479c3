"""`python -m MODULE WORDS...` in a process of its own that need not import everything anew.

A page shows a hundred commands, and starting Python and its libraries takes longer than most of
them compute. One process imports the command and computes nothing; each call is a fork of it, with
its own folder, environment and streams. A script may call too, by a command that asks for a fork
(`warm_command`). Where a process as a user starts it is the point, tests start one.
"""

from __future__ import annotations

import atexit
import json
import os
import select
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from patience import PATIENCE

__all__ = ["warm_command", "warm_run"]

#: Imported once; what a verb imports besides, its fork does.
ROOMS = ("cli", "counts", "examples", "lab", "questions", "ratings", "rendering")
#: More than any call's words and environment.
LONGEST = 1 << 20

#: What `goldassay` is to a script: it hands its streams over and ends as the fork does.
COMMAND = """#!{python} -IS
import json, os, socket, sys
call = {{"words": ["goldassay", *sys.argv[1:]], "folder": os.getcwd()}}
call["environment"] = dict(os.environ)
with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as server:
    server.connect({address!r})
    socket.send_fds(server, [json.dumps(call).encode()], [1, 2])
    sys.exit(int(server.recv(20)))
"""


def warm_run(
    words: list[str], folder: Path, environment: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    """`python -m WORDS...` in a folder: what it prints and how it ends."""
    call = {"words": words, "folder": str(folder), "environment": dict(environment)}
    with (
        socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as server,
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as err,
    ):
        server.connect(_address())
        socket.send_fds(server, [json.dumps(call).encode()], [out.fileno(), err.fileno()])
        ended = server.recv(20)
        assert ended, "the process that forks has ended"
        texts = []
        for written in (out, err):
            written.seek(0)
            texts.append(written.read().decode("utf-8"))
    return subprocess.CompletedProcess(words, int(ended), *texts)


def warm_command(path: Path) -> None:
    """Makes a file that scripts run as `goldassay`; elsewhere than on Linux it starts Python."""
    text = f'#!/bin/sh\nexec "{sys.executable}" -m goldassay "$@"\n'
    if sys.platform == "linux":
        text = COMMAND.format(python=sys.executable, address=_address())
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)


@cache
def _address() -> str:
    """Where the process that forks listens."""
    folder = tempfile.mkdtemp(prefix="warm")
    address = str(Path(folder, "calls"))
    made = subprocess.Popen(
        [sys.executable, __file__, address],
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )

    def end() -> None:
        made.communicate()  # it ends when nothing more can come
        Path(address).unlink(missing_ok=True)
        Path(folder).rmdir()

    atexit.register(end)
    assert made.stdout is not None
    assert made.stdout.readline(), "the process that forks did not start"
    return address


def _serve(address: str) -> None:
    import importlib
    import pkgutil

    import goldassay

    for room in ROOMS:
        package = importlib.import_module(f"goldassay.{room}")
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not found.name.endswith("__main__"):
                importlib.import_module(found.name)
    assert goldassay.__file__
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as calls:
        calls.bind(address)
        calls.listen()
        print("ready", flush=True)
        while calls in select.select([calls, sys.stdin], [], [])[0]:
            caller, _ = calls.accept()
            with caller:
                said, streams, _, _ = socket.recv_fds(caller, LONGEST, 2)
                child = os.fork()
                if child == 0:
                    _call(json.loads(said), streams)
                for stream in streams:
                    os.close(stream)
                _, status = os.waitpid(child, 0)
                caller.send(str(os.waitstatus_to_exitcode(status)).encode())


def _call(call: Mapping[str, object], streams: Sequence[int]) -> None:
    """Never returns."""
    import runpy
    import signal

    signal.alarm(PATIENCE)  # one that hangs is ended
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    for place, stream in enumerate(streams, 1):
        os.dup2(stream, place)
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
    _serve(sys.argv[1])
