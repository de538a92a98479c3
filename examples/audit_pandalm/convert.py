"""The PandaLM test set as one wide table: a column for each annotator and each judge.

python examples/audit_pandalm/convert.py DATA/pandalm ratings.csv
karat audit ratings.csv --task examples/audit_pandalm/task.toml
"""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path

PEOPLE = ("annotator1", "annotator2", "annotator3")


def convert(folder: Path, out: Path) -> None:
    """Join the three files by the item's number. "Tie" is 0, as people write it."""
    data = folder / "data"

    def verdicts(name: str, key: str) -> dict[int, str]:
        rows = json.loads((data / name).read_text(encoding="utf-8"))
        return {row["idx"]: "0" if row[key] == "Tie" else str(row[key]) for row in rows}

    gpt = verdicts("gpt-3.5-turbo-testset-v1.json", "gpt_result")
    panda = verdicts("pandalm-7b-testset-v1.json", "pandalm_result")
    items = json.loads((data / "testset-v1.json").read_text(encoding="utf-8"))
    with out.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(("item", "system", "opponent", *PEOPLE, "gpt-3.5-turbo", "pandalm-7b"))
        for row in items:
            first, second = row["cmp_key"].split("_")
            people = [row[name] for name in PEOPLE]
            number = row["idx"]
            writer.writerow((number, first, second, *people, gpt[number], panda[number]))


if __name__ == "__main__":
    convert(Path(sys.argv[1]), Path(sys.argv[2]))
