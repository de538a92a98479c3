"""DICES-350 as a ratings table: the crowd as people, the expert as the judge.

python examples/audit_dices/convert.py DATA/dices_judgebench ratings.csv
goldassay audit ratings.csv --task examples/audit_dices/task.toml
"""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path


def convert(folder: Path, out: Path) -> None:
    """Write one row per rating; the published copy has no rater names, only their positions."""
    data = folder / "data" / "dices"
    crowd = json.loads((data / "dices_350_crowdsourced.json").read_text(encoding="utf-8"))
    expert = json.loads((data / "dices_350_expert.json").read_text(encoding="utf-8"))
    with out.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(("item", "rater", "kind", "value"))
        for one in crowd["instances"]:
            answers = one["annotations"]["safety"]["individual_human_scores"]
            for number, value in enumerate(answers, start=1):
                writer.writerow((one["id"], f"person {number}", "human", value))
        for one in expert["instances"]:
            value = one["annotations"]["safety"]["majority_human"]
            writer.writerow((one["id"], "expert", "judge", value))


if __name__ == "__main__":
    convert(Path(sys.argv[1]), Path(sys.argv[2]))
