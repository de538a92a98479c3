"""LLM-Rubric's synthetic dialogues as a ratings table, a weight for each probability.

python examples/audit_llm_rubric/convert.py DATA/llm_rubric ratings.csv
goldassay audit ratings.csv --task examples/audit_llm_rubric/task.toml
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

CRITERIA = tuple(f"Q{number}" for number in range(9))


def convert(folder: Path, out: Path) -> None:
    """People's 0 (not applicable) stays 0: the task calls it an abstention."""
    data = folder / "data" / "synth_data"
    with out.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(("item", "criterion", "rater", "kind", "value", "weight", "sample"))
        for row in _rows(data / "human_judges_synth_all_FIXED_ANON.tsv"):
            for criterion in CRITERIA:
                value = row[criterion].removesuffix(".0")
                rater = f"person {row['annotator_id']}"
                writer.writerow((row["text_id"], criterion, rater, "human", value, 1, row["round"]))
        for row in _rows(data / "gpt-3.5-turbo-16k_synth_evaluations_FIXED.tsv"):
            for value in "1234":
                weight = row[f"answer{value}_prob"]
                key = (row["text_id"], row["criterion"])
                writer.writerow((*key, "gpt-3.5-turbo", "judge", value, weight, ""))


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream, delimiter="\t"))


if __name__ == "__main__":
    convert(Path(sys.argv[1]), Path(sys.argv[2]))
