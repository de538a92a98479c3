"""The PandaLM test set as a ratings table: three people and two judges on 999 pairs of answers.

python examples/audit_pandalm/convert.py DATA/pandalm ratings.csv
goldassay audit ratings.csv --task examples/audit_pandalm/task.toml
"""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path

PEOPLE = ("annotator1", "annotator2", "annotator3")
JUDGES = {
    "gpt-3.5-turbo": ("gpt-3.5-turbo-testset-v1.json", "gpt_result"),
    "pandalm-7b": ("pandalm-7b-testset-v1.json", "pandalm_result"),
}


def convert(folder: Path, out: Path) -> None:
    """Join the three files by the item's number. "Tie" is 0, as people write it.

    The pairs answer 170 prompts, numbered in `prompt`: pairs of one prompt are not independent.
    """
    data = folder / "data"
    items = json.loads((data / "testset-v1.json").read_text(encoding="utf-8"))
    asked = [(row["instruction"], row["input"]) for row in items]
    number = {prompt: at for at, prompt in enumerate(dict.fromkeys(asked), 1)}
    pairs = {
        row["idx"]: (number[prompt], *row["cmp_key"].split("_"))
        for row, prompt in zip(items, asked, strict=True)
    }
    with out.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(("item", "prompt", "system", "opponent", "rater", "kind", "value"))
        for row in items:
            for name in PEOPLE:
                writer.writerow((row["idx"], *pairs[row["idx"]], name, "human", row[name]))
        for judge, (file, key) in JUDGES.items():
            for row in json.loads((data / file).read_text(encoding="utf-8")):
                verdict = "0" if row[key] == "Tie" else row[key]
                writer.writerow((row["idx"], *pairs[row["idx"]], judge, "judge", verdict))


if __name__ == "__main__":
    convert(Path(sys.argv[1]), Path(sys.argv[2]))
