"""How well declared files are read: each entry of a manifest by its declared options.

    python scripts/score_declared.py MANIFEST DECLARED [--slice N]

Entries of the open slice are told one by one, of sealed ones only sums are printed.
"""

from __future__ import annotations

import argparse
import json
import time
import traceback
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from fingerprints import Group, difference
from slices import entries

from goldassay.errors import GoldassayError
from goldassay.read.arguments import arguments
from goldassay.read.declaring import declared_table


def given(words: list[str]) -> dict[str, list[str]]:
    """The options of a command, each with its texts."""
    found: dict[str, list[str]] = defaultdict(list)
    for option, text in zip(words[::2], words[1::2], strict=True):
        found[option.removeprefix("--")].append(text)
    return dict(found)


def outcome(entry: dict[str, Any], root: Path, words: list[str]) -> tuple[str, str]:
    """right, wrong or error, and why."""
    paths = [root / entry["id"] / name for name in entry["files"]]
    said = arguments(**given(words))
    try:
        table = declared_table(paths, said)
    except GoldassayError as error:
        return "error", str(error)
    groups = [Group(k, str(r), str(c), n) for (k, r, c), n in table.counts().items()]
    found = difference(entry, groups, table.items, dict(said.label))
    return ("right", "") if found.same else ("wrong", str(found))


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("manifest", type=Path)
    ask.add_argument("declared", type=Path)
    ask.add_argument("--slice", type=int)
    asked = ask.parse_args()
    lines = [json.loads(line) for line in asked.declared.read_text("utf-8").splitlines()]
    words = {one["id"]: one["arguments"] for one in lines}
    sums: dict[int, Counter[str]] = defaultdict(Counter)
    for entry in entries(asked.manifest):
        if not words.get(entry["id"]) or asked.slice not in (None, entry["slice"]):
            continue
        start = time.perf_counter()
        try:
            state, why = outcome(entry, asked.manifest.parent, words[entry["id"]])
        except Exception as error:
            if entry["slice"] == 0:
                raise
            at = traceback.extract_tb(error.__traceback__)[-1]
            state, why = f"crash {type(error).__name__} {Path(at.filename).name}:{at.lineno}", ""
        seconds = time.perf_counter() - start
        sums[entry["slice"]][state] += 1
        sums[entry["slice"]]["slow"] += seconds > 2
        if entry["slice"] == 0:
            print(f"{entry['id']:<30} {state:<6} {seconds:5.2f} s  {why[:200]}")
    for number, counts in sorted(sums.items()):
        print(f"slice {number}: " + ", ".join(f"{state} {n}" for state, n in counts.items()))


if __name__ == "__main__":
    main()
