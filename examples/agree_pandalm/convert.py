"""PandaLM's test set as a ratings table: 999 pairs, three annotators, two judges.

    python examples/agree_pandalm/convert.py FOLDER ratings.csv [items.csv]

FOLDER holds testset-v1.json, gpt-3.5-turbo-testset-v1.json and pandalm-7b-testset-v1.json of
github.com/WeOpenML/PandaLM (its data/). 0, 1, 2 stay what they are: a tie, the first, the second
response; GPT-3.5's "Tie" becomes 0 and its "garbage" stays, declared as invalid in task.toml.
The 999 pairs answer 170 prompts, numbered in the column `prompt`: pairs of one prompt are not
independent. items.csv gets the two responses, for `goldassay agree --texts`.
"""

import csv
import json
import sys
from collections.abc import Iterator
from pathlib import Path

JUDGES = {"gpt-3.5-turbo": "gpt_result", "pandalm-7b": "pandalm_result"}


def rows(folder: Path) -> Iterator[list[str]]:
    pairs = json.loads((folder / "testset-v1.json").read_text(encoding="utf-8"))
    asked = [(pair["instruction"], pair["input"]) for pair in pairs]
    number = {prompt: str(at) for at, prompt in enumerate(dict.fromkeys(asked), 1)}
    battles = {
        pair["idx"]: [str(pair["idx"]), number[prompt], *pair["cmp_key"].split("_")]
        for pair, prompt in zip(pairs, asked, strict=True)
    }
    for pair in pairs:
        for person in ("annotator1", "annotator2", "annotator3"):
            yield [*battles[pair["idx"]], person, "human", str(pair[person])]
    for judge, key in JUDGES.items():
        for verdict in json.loads((folder / f"{judge}-testset-v1.json").read_text("utf-8")):
            value = "0" if verdict[key] == "Tie" else str(verdict[key])
            yield [*battles[verdict["idx"]], judge, "judge", value]


def texts(folder: Path) -> Iterator[list[str]]:
    for pair in json.loads((folder / "testset-v1.json").read_text(encoding="utf-8")):
        yield [str(pair["idx"]), pair["response1"], pair["response2"]]


def main(folder: str, out: str, items: str | None = None) -> None:
    with Path(out).open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(["item", "prompt", "system", "opponent", "rater", "kind", "value"])
        writer.writerows(rows(Path(folder)))
    if items is not None:
        with Path(items).open("w", newline="", encoding="utf-8") as stream:
            csv.writer(stream).writerows([["item", "1", "2"], *texts(Path(folder))])


if __name__ == "__main__":
    main(*sys.argv[1:])
