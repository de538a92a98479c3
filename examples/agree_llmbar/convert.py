"""LLMBar as a ratings table: 419 pairs with one gold label, nine judges, both orders.

    python examples/agree_llmbar/convert.py FOLDER ratings.csv [items.csv]

FOLDER is Dataset/LLMBar of github.com/princeton-nlp/LLMBar. A verdict names the pair's own side (1
or 2) whatever the order; the column `order` names the side that was shown first. A missing winner
is the word None, declared as invalid in task.toml. items.csv gets the two outputs, for
`goldassay agree --texts`.
"""

import csv
import json
import sys
from collections.abc import Iterator
from pathlib import Path

SUBSETS = (
    "Natural",
    "Adversarial/Neighbor",
    "Adversarial/GPTInst",
    "Adversarial/GPTOut",
    "Adversarial/Manual",
)


def rows(folder: Path) -> Iterator[list[str]]:
    for subset in SUBSETS:
        name = subset.split("/")[-1]
        for i, pair in enumerate(json.loads((folder / subset / "dataset.json").read_text("utf-8"))):
            yield [f"{name}-{i}", name, "gold", "human", str(pair["label"]), ""]
        for result in sorted((folder / subset / "evaluators").glob("*/*/result.json")):
            judge = f"{result.parts[-3]} {result.parts[-2]}".removesuffix(" Vanilla_NoRules")
            for i, pair in enumerate(json.loads(result.read_text(encoding="utf-8"))):
                verdicts = pair["results"][0]
                for key, first in (("swap = False", "1"), ("swap = True", "2")):
                    value = str(verdicts[key]["winner"])
                    yield [f"{name}-{i}", name, judge, "judge", value, first]


def texts(folder: Path) -> Iterator[list[str]]:
    for subset in SUBSETS:
        pairs = json.loads((folder / subset / "dataset.json").read_text(encoding="utf-8"))
        for i, pair in enumerate(pairs):
            yield [f"{subset.split('/')[-1]}-{i}", pair["output_1"], pair["output_2"]]


def main(folder: str, out: str, items: str | None = None) -> None:
    with Path(out).open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(["item", "stratum", "rater", "kind", "value", "order"])
        writer.writerows(rows(Path(folder)))
    if items is not None:
        with Path(items).open("w", newline="", encoding="utf-8") as stream:
            csv.writer(stream).writerows([["item", "1", "2"], *texts(Path(folder))])


if __name__ == "__main__":
    main(*sys.argv[1:])
