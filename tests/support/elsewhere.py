"""The same work in another process, with another order of hashes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def elsewhere(program: str, *words: str) -> str:
    """What a Python program prints when it is run by itself; it finds tests/support too."""
    path = os.pathsep.join([str(ROOT / "src"), str(ROOT / "tests" / "support")])
    done = subprocess.run(
        [sys.executable, "-c", program, *words],
        env={**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "7", "PYTHONUTF8": "1"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
