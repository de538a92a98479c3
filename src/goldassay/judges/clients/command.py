"""A command that reads one JSON object a line and writes one a line, with the same `id`."""

from __future__ import annotations

import asyncio
import json
import shutil
from pathlib import Path
from typing import Any

from goldassay.judges.clients.kind import Kind
from goldassay.judges.clients.local import digest_of_files, read_local, stored
from goldassay.judges.declaration import Declaration
from goldassay.judges.request import Request
from goldassay.judges.responses import MOST_BYTES, FailureError

__all__ = ["COMMAND"]


class CommandClient:
    """One process for all items; started again when it dies."""

    def __init__(self, judge: Declaration) -> None:
        self._judge = judge
        self._process: asyncio.subprocess.Process | None = None
        self._reader: asyncio.Task[None] | None = None
        self._waiting: dict[str, asyncio.Future[Any]] = {}
        self._starting = asyncio.Lock()

    async def ask(self, request: Request) -> str:
        process = await self._running()
        assert process.stdin is not None
        future = asyncio.get_running_loop().create_future()
        self._waiting[request.key] = future
        timeout = self._judge.limits.timeout
        try:
            line = json.dumps({"id": request.key, **request.payload}, ensure_ascii=False)
            process.stdin.write(line.encode("utf-8", "backslashreplace") + b"\n")
            async with asyncio.timeout(timeout):
                await process.stdin.drain()
                result = await future
        except TimeoutError:
            raise FailureError("timeout", f"after {timeout:g} s") from None
        except OSError:
            raise FailureError("connection", "the command has ended") from None
        finally:
            self._waiting.pop(request.key, None)
        result.pop("id", None)
        return stored(result)

    async def _running(self) -> asyncio.subprocess.Process:
        async with self._starting:
            if self._process is None or self._process.returncode is not None:
                try:
                    self._process = await asyncio.create_subprocess_exec(
                        *self._judge.command,
                        stdin=asyncio.subprocess.PIPE,
                        stdout=asyncio.subprocess.PIPE,
                        cwd=self._judge.folder,
                        limit=MOST_BYTES,
                    )
                except OSError as error:
                    raise FailureError(
                        "judge_error", f"the command cannot be started ({error})", retry=False
                    ) from None
                self._reader = asyncio.create_task(self._read(self._process))
            return self._process

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        while True:
            try:
                line = await process.stdout.readline()
            except ValueError:  # longer than the limit
                continue
            if not line:
                break
            try:
                result = json.loads(line)
            except (ValueError, RecursionError):
                continue  # a stray print is not an answer; its item runs into the time limit
            name = str(result.get("id")) if isinstance(result, dict) else ""
            future = self._waiting.get(name)
            if future is not None and not future.done():
                future.set_result(result)
        await process.wait()
        for future in self._waiting.values():
            if not future.done():
                code = process.returncode
                future.set_exception(FailureError("connection", f"the command ended ({code})"))

    async def close(self) -> None:
        process = self._process
        if process is None or process.returncode is not None:
            return
        assert process.stdin is not None
        process.stdin.close()
        try:
            async with asyncio.timeout(5):
                await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()
        if self._reader is not None:
            await self._reader


def _source(judge: Declaration) -> str:
    """The digest of the program and of the files among its arguments, `--option=FILE` too."""
    folder = Path(judge.folder)
    program, *arguments = judge.command
    found = folder / program if "/" in program else Path(shutil.which(program) or program)
    named = [folder / part for one in arguments for part in (one, one.partition("=")[2]) if part]
    return digest_of_files([found, *(path for path in named if path.is_file())])


COMMAND = Kind(
    name="command",
    declared_by="command",
    address=lambda judge: " ".join(judge.command),
    open=CommandClient,
    read=read_local,
    source=_source,
)
