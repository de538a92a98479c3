"""Which slice of the raw files an entry is in: two of three are sealed while reading is built.

    python scripts/slices.py MANIFEST [--slice N]

A slice holds whole repositories, by a hash of their name. Slice 0 is open: whoever builds reads
its files and their truth. Slices 1 and 2 are sealed: scripts run on them and print sums, and each
counts once, at its first look.
"""

from __future__ import annotations

import argparse
import json
from hashlib import sha256
from pathlib import Path
from typing import Any

SLICES = 3


def slice_of(repository: str) -> int:
    """The slice of a repository, the same on every machine."""
    return int(sha256(repository.encode()).hexdigest(), 16) % SLICES


def entries(manifest: Path) -> list[dict[str, Any]]:
    """The entries of a manifest, each with its slice."""
    lines = manifest.read_text(encoding="utf-8").splitlines()
    found = [json.loads(line) for line in lines if line.strip()]
    return [{**one, "slice": slice_of(one["repo"])} for one in found]


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("manifest", type=Path)
    ask.add_argument("--slice", type=int, default=0)
    given = ask.parse_args()
    for one in entries(given.manifest):
        if one["slice"] == given.slice:
            print(one["id"])


if __name__ == "__main__":
    main()
