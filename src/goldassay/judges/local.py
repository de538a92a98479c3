"""Judges that are not chat models: a Python callable, a command, a column of a table.

Each gives, for an item, a number, a word, or `{"value", "score", "status", "reason"}`. A word must
be one of the judge's options; a number is a score. Anything else is invalid, as for a model.
"""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import inspect
import json
import math
import sqlite3
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from goldassay.errors import SourceError
from goldassay.judges.answers import FailureError, Response, response_of
from goldassay.judges.items import read_items
from goldassay.judges.parsing import Format, Verdict
from goldassay.judges.prompts import Request
from goldassay.judges.spec import Judge, JudgeError

if TYPE_CHECKING:
    from goldassay.judges.clients import Client

__all__ = ["CallableClient", "ColumnClient", "CommandClient", "client_for", "read_result"]


def client_for(judge: Judge) -> Client:
    """The client of a judge that is not behind an address."""
    if judge.kind == "callable":
        return CallableClient(judge)
    return CommandClient(judge) if judge.kind == "command" else ColumnClient(judge)


def read_result(form: Format, result: Any) -> dict[str, Verdict]:
    """The verdicts in what a local judge gave: one for all criteria, or one by criterion."""
    if form.together and isinstance(result, dict) and set(result) & set(form.criteria):
        return {
            name: _verdict(form, result[name])
            if name in result
            else Verdict("invalid", reason="no verdict for this criterion")
            for name in form.criteria
        }
    return dict.fromkeys(form.criteria, _verdict(form, result))


def _verdict(form: Format, result: Any) -> Verdict:
    if not isinstance(result, dict):
        result = {"value": result}
    status = result.get("status", "rated")
    reason = result.get("reason")
    reason = None if reason is None else str(reason)
    if status in ("abstained", "invalid", "failed"):
        return Verdict(status, reason=reason)
    if status != "rated":
        return Verdict("invalid", reason=f"no such status: {str(status)[:60]!r}")
    value, score = result.get("value"), result.get("score")
    if value is None and score is None:
        return Verdict("abstained", reason=reason or "no value")
    number = score if score is not None else value
    if form.realization == "numeric":
        return _real(number, reason)
    if score is not None and not _finite(score):
        return Verdict("invalid", reason=f"not a finite number: {str(score)[:60]!r}")
    if isinstance(value, bool) and len(form.options) == 2:
        value = form.options[0] if value else form.options[1]
    words = {word.casefold(): word for word in form.options}
    if str(value).casefold() in {word.casefold() for word in form.abstain}:
        return Verdict("abstained", reason=str(value))
    parts = str(value).split("|") if form.realization == "response_set" else [str(value)]
    known = [words.get(part.strip().casefold()) for part in parts]
    if None in known or len(set(known)) != len(known):
        return Verdict("invalid", reason=f"no option of this judge: {str(value)[:60]!r}")
    chosen = "|".join(option for option in form.options if option in known)
    return Verdict("rated", chosen, None if score is None else float(score), reason)


def _finite(value: Any) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and math.isfinite(value)


def _real(value: Any, reason: str | None) -> Verdict:
    if isinstance(value, str) and value.isascii():
        with suppress(ValueError):
            value = float(value)
    if not _finite(value):
        return Verdict("invalid", reason=f"not a finite number: {str(value)[:60]!r}")
    number = float(value)
    return Verdict(
        "rated", str(int(number)) if number.is_integer() else repr(number), number, reason
    )


def _payload(request: Request) -> dict[str, Any]:
    """What a local judge is given: the item's own fields, and the criteria to judge."""
    payload = dict(request.item.raw)
    if request.item.output_b:
        payload |= {"output_b": request.item.output_b, "opponent": request.item.opponent}
    names = [name for name in request.format.criteria if name]
    if names:
        texts = {**request.judge.criteria, **request.item.criteria}
        payload["criteria"] = {name: texts.get(name, name) for name in names}
    payload["sample"] = request.sample
    return payload


def _body(result: Any) -> str:
    try:
        return json.dumps(result, ensure_ascii=False, default=_plain)
    except (TypeError, ValueError) as error:
        raise FailureError(
            "judge_error", f"the result is not JSON ({error})", retry=False
        ) from None


def _plain(value: Any) -> Any:
    if hasattr(value, "item"):  # a NumPy scalar
        return value.item()
    raise TypeError(f"{type(value).__name__} cannot be stored")


class CallableClient:
    """`module:function` or `file.py:function`, called with one item's fields; may be async."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._function = _load(judge)

    async def ask(self, request: Request) -> Response:
        payload = _payload(request)
        try:
            async with asyncio.timeout(self._judge.limits.timeout):
                if inspect.iscoroutinefunction(self._function):
                    result = await self._function(payload)
                else:
                    result = await asyncio.to_thread(self._function, payload)
        except TimeoutError:
            raise FailureError("timeout", f"after {self._judge.limits.timeout:g} s") from None
        except Exception as error:
            detail = f"{type(error).__name__}: {str(error)[:200]}"
            raise FailureError("judge_error", detail, retry=False) from None
        return response_of(self._judge, _body(result))

    async def close(self) -> None:
        return None


def _load(judge: Judge) -> Any:
    assert judge.callable is not None
    place = f"judge {judge.name!r}, callable"
    name, _, attribute = judge.callable.rpartition(":")
    if not name or not attribute:
        raise JudgeError(place, "is module:function or file.py:function", found=judge.callable)
    try:
        if name.endswith(".py"):
            path = Path(judge.folder) / name
            spec = importlib.util.spec_from_file_location(f"goldassay_judge_{path.stem}", path)
            assert spec is not None
            assert spec.loader is not None
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
        else:
            if judge.folder not in sys.path:
                sys.path.append(judge.folder)
            module = importlib.import_module(name)
        function = getattr(module, attribute)
    except Exception as error:
        raise JudgeError(
            place, f"cannot be loaded ({type(error).__name__}: {error})", found=judge.callable
        ) from None
    if not callable(function):
        raise JudgeError(place, "is not a function", found=judge.callable)
    return function


class CommandClient:
    """A command that reads one JSON object a line and writes one a line, with the same `id`."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._process: asyncio.subprocess.Process | None = None
        self._reader: asyncio.Task[None] | None = None
        self._waiting: dict[str, asyncio.Future[Any]] = {}
        self._starting = asyncio.Lock()

    async def ask(self, request: Request) -> Response:
        process = await self._running()
        assert process.stdin is not None
        future = asyncio.get_running_loop().create_future()
        self._waiting[request.key] = future
        try:
            line = json.dumps({"id": request.key, **_payload(request)}, ensure_ascii=False)
            process.stdin.write(line.encode("utf-8", "backslashreplace") + b"\n")
            async with asyncio.timeout(self._judge.limits.timeout):
                await process.stdin.drain()
                result = await future
        except TimeoutError:
            raise FailureError("timeout", f"after {self._judge.limits.timeout:g} s") from None
        except OSError:
            raise FailureError("connection", "the command has ended") from None
        finally:
            self._waiting.pop(request.key, None)
        result.pop("id", None)
        return response_of(self._judge, _body(result))

    async def _running(self) -> asyncio.subprocess.Process:
        async with self._starting:
            if self._process is None or self._process.returncode is not None:
                try:
                    self._process = await asyncio.create_subprocess_exec(
                        *self._judge.command,
                        stdin=asyncio.subprocess.PIPE,
                        stdout=asyncio.subprocess.PIPE,
                        cwd=self._judge.folder,
                        limit=16 * 1024 * 1024,
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


class ColumnClient:
    """A column of the items themselves, or of a table joined on item and system."""

    def __init__(self, judge: Judge) -> None:
        assert judge.column is not None
        self._judge = judge
        self._column = judge.column
        self._table: sqlite3.Connection | None = None
        if judge.table is None:
            return
        path = Path(judge.folder) / judge.table
        self._table = sqlite3.connect("")
        self._table.execute(
            "CREATE TABLE cells (item TEXT, system TEXT, cell TEXT, PRIMARY KEY (item, system))"
        )
        rows = (
            (one.item, one.system, _body(one.raw[self._column]))
            for one in read_items(path)
            if self._column in one.raw
        )
        try:
            self._table.executemany("INSERT INTO cells VALUES (?, ?, ?)", rows)
        except sqlite3.IntegrityError:
            raise SourceError(str(path), "an item and system occur once") from None

    async def ask(self, request: Request) -> Response:
        item = request.item
        if self._table is None:
            if self._column not in item.raw:
                return response_of(self._judge, '{"status": "abstained", "reason": "no such cell"}')
            return response_of(self._judge, _body(item.raw[self._column]))
        row = self._table.execute(
            "SELECT cell FROM cells WHERE item = ? AND system IN (?, '') ORDER BY system DESC",
            [item.item, item.system],
        ).fetchone()
        missing = '{"status": "abstained", "reason": "no such cell"}'
        return response_of(self._judge, row[0] if row else missing)

    async def close(self) -> None:
        if self._table is not None:
            self._table.close()
