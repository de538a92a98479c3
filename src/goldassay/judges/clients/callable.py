"""A Python function: `module:function` or `file.py:function`, called with one item's fields."""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import inspect
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from goldassay.judges.clients.kind import Kind
from goldassay.judges.clients.local import digest_of_files, read_local, stored
from goldassay.judges.declaration import Declaration, JudgeError
from goldassay.judges.request import Request
from goldassay.judges.responses import FailureError

__all__ = ["CALLABLE"]

#: Modules that a judge named, and the digest of their source when they were loaded.
_LOADED: dict[str, str] = {}


class CallableClient:
    """May be async; a plain function runs in a thread."""

    def __init__(self, judge: Declaration) -> None:
        self._timeout = judge.limits.timeout
        self._function = _load(judge)

    async def ask(self, request: Request) -> str:
        payload = dict(request.payload)
        try:
            async with asyncio.timeout(self._timeout):
                if inspect.iscoroutinefunction(self._function):
                    result = await self._function(payload)
                else:
                    result = await asyncio.to_thread(self._function, payload)
        except TimeoutError:
            raise FailureError("timeout", f"after {self._timeout:g} s") from None
        except (Exception, SystemExit) as error:
            detail = f"{type(error).__name__}: {str(error)[:200]}"
            raise FailureError("judge_error", detail, retry=False) from None
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise
            # The function's own, not the run's.
            raise FailureError("judge_error", "CancelledError", retry=False) from None
        return stored(result)

    async def close(self) -> None:
        return None


def _load(judge: Declaration) -> Any:
    place = f"judge {judge.name!r}, callable"
    name, attribute = _parts(judge)
    if not name or not attribute:
        raise JudgeError(place, "is module:function or file.py:function", found=judge.callable)
    try:
        module = _from_file(Path(judge.folder) / name) if name.endswith(".py") else _named(judge)
        function = getattr(module, attribute)
    except Exception as error:
        raise JudgeError(
            place, f"cannot be loaded ({type(error).__name__}: {error})", found=judge.callable
        ) from None
    if not callable(function):
        raise JudgeError(place, "is not a function", found=judge.callable)
    return function


def _parts(judge: Declaration) -> tuple[str, str]:
    name, _, attribute = (judge.callable or "").rpartition(":")
    return name, attribute


def _from_file(path: Path) -> ModuleType:
    """The file as it is now."""
    spec = importlib.util.spec_from_file_location(f"goldassay_judge_{path.stem}", path)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[module.__name__] = module  # dataclasses look their module up
    exec(compile(path.read_bytes(), str(path), "exec"), module.__dict__)
    return module


def _named(judge: Declaration) -> ModuleType:
    """An importable module; one that a judge named before is loaded anew when it was edited."""
    name, _ = _parts(judge)
    if judge.folder not in sys.path:
        sys.path.append(judge.folder)
    importlib.invalidate_caches()
    digest = _source(judge)
    with _no_compiled_copy():
        module = importlib.import_module(name)
        if _LOADED.setdefault(name, digest) != digest:
            module = importlib.reload(module)
            _LOADED[name] = digest
    return module


@contextmanager
def _no_compiled_copy() -> Iterator[None]:
    """Python takes a compiled copy for that of another text of the same second and length."""
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        yield
    finally:
        sys.dont_write_bytecode = before


def _source(judge: Declaration) -> str:
    """The digest of the file, or of the module's source; what it imports is not looked at."""
    name, _ = _parts(judge)
    if name.endswith(".py"):
        return digest_of_files([Path(judge.folder) / name])
    if judge.folder not in sys.path:
        sys.path.append(judge.folder)
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, AttributeError, ValueError):
        return ""  # opening it will say why
    return digest_of_files([Path(spec.origin)]) if spec and spec.origin else ""


CALLABLE = Kind(
    name="callable",
    declared_by="callable",
    address=lambda judge: judge.callable or "",
    open=CallableClient,
    read=read_local,
    source=_source,
)
