"""Repeated scores of four judges as verdicts: which of four responses is the best?

    python examples/agree_composo/convert.py FOLDER ratings.csv [mean|samples]

FOLDER holds base_both_k8.jsonl and base_claude_both_k8.jsonl of
github.com/composo-ai/llm-judge-criteria-ensembling. Response 0 is the gold. `mean` takes the best
mean of the eight scores; `samples` gives one verdict for each of the eight. No single best response
is a tie (an option), and a response without a score makes the verdict invalid.
"""

import csv
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

FILES = {"base_both_k8.jsonl": "GPT", "base_claude_both_k8.jsonl": "Claude"}


def best(scores: Sequence[float | None]) -> str:
    if any(score is None for score in scores):
        return "invalid"
    top = max(score for score in scores if score is not None)
    winners = [str(i) for i, score in enumerate(scores) if score == top]
    return winners[0] if len(winners) == 1 else "tie"


def mean(scores: Sequence[float | None]) -> float | None:
    given = [score for score in scores if score is not None]
    return sum(given) / len(given) if given else None


def rows(folder: Path, form: str) -> Iterator[list[str]]:
    seen = set()
    for name, family in FILES.items():
        for line in (folder / name).read_text(encoding="utf-8").splitlines():
            item = json.loads(line)
            about = [f"{item['subset']} {item['id']}", item["subset"]]
            if about[0] not in seen:
                seen.add(about[0])
                yield [*about, "gold", "human", "0", ""]
            for size in ("full", "mini"):
                scores, judge = item[f"{size}_scores"], f"{family} {size}"
                if form == "mean":
                    yield [*about, judge, "judge", best([mean(s) for s in scores]), ""]
                    continue
                for sample in range(item["k"]):
                    one = [s[sample] if sample < len(s) else None for s in scores]
                    yield [*about, judge, "judge", best(one), str(sample)]


def main(folder: str, out: str, form: str = "mean") -> None:
    with Path(out).open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(["item", "stratum", "rater", "kind", "value", "sample"])
        writer.writerows(rows(Path(folder), form))


if __name__ == "__main__":
    main(*sys.argv[1:])
