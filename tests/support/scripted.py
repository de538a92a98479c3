"""A script of the repository as a module: tests ask it what it would write."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

__all__ = ["script"]

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


def script(name: str) -> ModuleType:
    """`scripts/NAME.py`, loaded."""
    called = f"script_{name}"  # not as a module of Python is, as `site`
    spec = importlib.util.spec_from_file_location(called, SCRIPTS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module
