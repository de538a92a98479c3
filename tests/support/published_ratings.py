"""DICES-350: 123 raters and one expert per item, read where the published ratings lie."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

FOLDER = "dices_judgebench/data/dices"


def shared_data() -> Path:
    """The folder of published ratings; skips the test where it is absent."""
    root = Path(__file__).resolve().parents[2]
    folder = Path(os.environ.get("GOLDASSAY_SHARED", root.parent / "shared")) / "data"
    if not folder.is_dir():
        folder = root.parents[1] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the folder of published ratings is not here (GOLDASSAY_SHARED)")
    return folder


def coverage_audit() -> ModuleType:
    """The script that makes the coverage tables of the audit."""
    path = Path(__file__).resolve().parents[2] / "scripts" / "coverage_audit.py"
    spec = importlib.util.spec_from_file_location("coverage_audit", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def dices_350() -> tuple[np.ndarray, np.ndarray]:
    """Counts (350, 3) of the crowd, and the expert's verdicts (350, 3) as one-hot rows."""
    counts, expert = coverage_audit().read_dices(shared_data() / FOLDER)
    return counts, expert
