"""EVOUNA's answers of five systems as a ratings table, judged by lexical match.

    python examples/estimate_evouna/convert.py NQ.json ratings.csv [--labels 200] [--seed 1]

NQ.json is EVOUNA/NQ.json of github.com/wangcunxiang/QA-Eval. The judge calls an answer correct when
it holds a golden answer. People labelled every answer; only those of `--labels` questions, drawn at
random, are kept, as in a study that can afford no more. The true rates, of all labels, are printed
to be compared with what `goldassay estimate` says. Improper questions are left out, as the authors
do.
"""

import argparse
import csv
import json
import random
from pathlib import Path

SYSTEMS = ("fid", "gpt35", "chatgpt", "gpt4", "newbing")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source")
    parser.add_argument("out")
    parser.add_argument("--labels", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    questions = [
        (f"q{number}", question)
        for number, question in enumerate(json.loads(Path(options.source).read_text("utf-8")))
        if not question["improper"] and question["golden_answer"]
    ]
    labelled = set(
        random.Random(options.seed).sample([name for name, _ in questions], options.labels)
    )
    right = dict.fromkeys(SYSTEMS, 0)
    total = dict.fromkeys(SYSTEMS, 0)
    with Path(options.out).open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(["item", "system", "rater", "kind", "value"])
        for name, question in questions:
            golden = [text.strip().lower() for text in question["golden_answer"].split("/")]
            for system in SYSTEMS:
                label = question[f"judge_{system}"]
                if label is None:
                    continue
                answer = (question[f"answer_{system}"] or "").lower()
                match = any(text in answer for text in golden if text)
                verdict = "correct" if match else "incorrect"
                writer.writerow([name, system, "lexical match", "judge", verdict])
                right[system] += bool(label)
                total[system] += 1
                if name in labelled:
                    truth = "correct" if label else "incorrect"
                    writer.writerow([name, system, "people", "human", truth])
    for system in SYSTEMS:
        print(f"{system}: {right[system] / total[system]:.3f} of {total[system]} are correct")


if __name__ == "__main__":
    main()
