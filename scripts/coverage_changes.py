"""The table of docs/intervals.md on paired changes: python scripts/coverage_changes.py [NUMBER]

Simulated coverage of the 95 % interval of a change between two versions of a judge, on the grid of
tests/coverage/test_paired_changes.py.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "coverage"))


def main(repetitions: int) -> None:
    from test_paired_changes import NAMES, VERSIONS, coverage

    print(f"| items | prevalence | versions | {' | '.join(NAMES)} |".replace("_", " "))
    print(f"| ---: | ---: | :--- | {' | '.join('---:' for _ in NAMES)} |")
    for items in (30, 50, 100, 300):
        for prevalence in (0.1, 0.3, 0.5):
            for versions in VERSIONS:
                found = coverage(items, prevalence, versions, repetitions)
                shares = " | ".join(f"{found[name]:.3f}" for name in NAMES)
                print(f"| {items} | {prevalence} | {versions} | {shares} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000)
