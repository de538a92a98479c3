"""LLM-Rubric's dialogues as ratings tables: nine criteria, people and GPT-3.5.

    python examples/agree_llm_rubric/convert.py FOLDER ratings.csv [verdict|expected]

FOLDER is data/real_data or data/synth_data of github.com/microsoft/LLM-Rubric. People answer 1 to
4, or 0 for "not applicable", declared as abstained. The judge's rating is its sampled answer
(`verdict`, with task_verdict.toml) or the mean of its probabilities (`expected`, with
task_expected.toml).
"""

import csv
import sys
from collections.abc import Iterator
from pathlib import Path

CRITERIA = [f"Q{i}" for i in range(9)]


def rows(folder: Path, form: str) -> Iterator[list[str]]:
    def read(pattern: str) -> list[dict[str, str]]:
        with next(folder.glob(pattern)).open(encoding="utf-8", newline="") as stream:
            return list(csv.DictReader(stream, delimiter="\t"))

    for row in read("human_judges_*.tsv"):
        for criterion in CRITERIA:
            value = row[criterion].removesuffix(".0")
            yield [row["text_id"], criterion, f"annotator {row['annotator_id']}", "human", value]
    for row in read("gpt-3.5-turbo-16k_*.tsv"):
        value = row["sample_llm"]
        if form == "expected":
            value = repr(sum(k * float(row[f"answer{k}_prob"]) for k in (1, 2, 3, 4)))
        yield [row["text_id"], row["criterion"], "gpt-3.5-turbo", "judge", value]


def main(folder: str, out: str, form: str = "verdict") -> None:
    with Path(out).open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(["item", "criterion", "rater", "kind", "value"])
        writer.writerows(rows(Path(folder), form))


if __name__ == "__main__":
    main(*sys.argv[1:])
