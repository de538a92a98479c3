"""PandaLM's test set to a ratings table of battles.

    python examples/rank_pandalm/convert.py FOLDER ratings.csv
    goldassay rank ratings.csv --task examples/rank_pandalm/task.toml

Three annotators and two judges say which of two responses is better (1, 2, or 0 for a tie). The 999
pairs answer 170 prompts, numbered in the column `prompt`: pairs of one prompt are not independent.
GPT-3.5's answers that named no winner are "garbage" in the published file, and stay so: the task
file declares the word invalid.
"""

import csv
import json
import sys
from pathlib import Path

NAMES = {"0": "tie", "1": "first", "2": "second", "Tie": "tie"}


def rows(folder: Path) -> list[tuple[str, ...]]:
    """(item, prompt, system, opponent, rater, kind, value) of every verdict."""
    tests = json.loads((folder / "testset-v1.json").read_text(encoding="utf-8"))
    judges = {
        "gpt-3.5-turbo": ("gpt-3.5-turbo-testset-v1.json", "gpt_result"),
        "pandalm-7b": ("pandalm-7b-testset-v1.json", "pandalm_result"),
    }
    verdicts = {}
    for judge, (name, key) in judges.items():
        listed = json.loads((folder / name).read_text(encoding="utf-8"))
        verdicts[judge] = {one["idx"]: str(one[key]) for one in listed}
    out: list[tuple[str, ...]] = []
    prompts: dict[tuple[str, str], str] = {}
    for test in tests:
        first, second = test["cmp_key"].split("_")
        asked = (test["instruction"], test["input"])
        prompt = prompts.setdefault(asked, f"prompt {len(prompts) + 1:03d}")
        battle = (f"pair {test['idx']:03d}", prompt, first, second)
        for number in (1, 2, 3):
            value = str(test[f"annotator{number}"])
            out.append((*battle, f"annotator {number}", "human", NAMES.get(value, value)))
        for judge, by_index in verdicts.items():
            value = by_index[test["idx"]]
            out.append((*battle, judge, "judge", NAMES.get(value, value)))
    return out


def main(folder: Path, out: Path) -> None:
    with out.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(("item", "prompt", "system", "opponent", "rater", "kind", "value"))
        writer.writerows(rows(folder))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
