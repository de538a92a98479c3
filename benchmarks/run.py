"""Run every benchmark and print one table: `python benchmarks/run.py [SUBJECT ...]`.

Each figure is a ratio to a peer, or to a plain way of doing the same, measured in the same run.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent


def load(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def main(subjects: list[str]) -> None:
    from goldassay.rendering.columns import Column, table
    from goldassay.words import value_text

    sys.path.insert(0, str(HERE))  # what they share: timing
    rows = []
    for path in sorted(HERE.glob("bench_*.py")):
        if not subjects or path.stem.removeprefix("bench_") in subjects:
            print(f"{path.stem} ...", file=sys.stderr, flush=True)
            rows += load(path).run()
    columns = ["work", "goldassay_seconds", "peer", "peer_seconds", "ratio", "target"]
    right = [False, True, False, True, True, False]
    shown = [
        Column(name.replace("_", " "), tuple(value_text(row.get(name)) for row in rows), side)
        for name, side in zip(columns, right, strict=True)
    ]
    print("\n".join(table(shown)))


if __name__ == "__main__":
    main(sys.argv[1:])
