"""Small studies on disk for the tests of the web pages: ratings, items, a task."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

BINARY = """
scale = "binary"
options = ["MET", "UNMET"]
positive = "MET"
abstain = ["CANNOT_ASSESS"]
calibration = "random"
"""

SETS = """
scale = "nominal"
options = ["Safe", "Unsafe", "Unclear"]
reference = "response_set"
response_sets = [["Safe"], ["Unsafe"], ["Safe", "Unsafe"], ["Safe", "Unclear"]]
"""

PAIRS = """
scale = "pairwise"
options = ["A", "B", "tie"]
tie = "tie"
"""

QUESTIONS = (
    ("How long should rice rest after cooking?", "About ten minutes, with the lid on."),
    ("Name a moon of Mars.", "Europa is the larger moon of Mars."),
    ("Is 91 a prime number?", "No: 91 = 7 × 13."),
    ("Translate 'good night' into French.", "Bonne nuit."),
    ("What does HTTP 404 mean?", "The server found no resource at that address."),
)


@dataclass(frozen=True)
class StudyFiles:
    ratings: Path
    items: Path
    task: Path

    @property
    def labels(self) -> Path:
        return self.ratings.with_suffix(".labels.db")


def write_study(folder: Path, *, task: str = BINARY, n: int = 40, judges: int = 2) -> StudyFiles:
    """A study of n items that two systems answered and some judges rated."""
    rng = np.random.default_rng(7)
    options = ("A", "B", "tie") if "pairwise" in task else ("Safe", "Unsafe", "Unclear")
    if "binary" in task:
        options = ("MET", "UNMET")
    rows = ["item,rater,kind,value,system,status,raw"]
    items = []
    for i in range(n):
        question, answer = QUESTIONS[i % len(QUESTIONS)]
        system = "s1" if i % 2 else "s2"
        item = {"item": f"q{i:03d}", "system": system, "input": question, "output": answer}
        if "pairwise" in task:
            item["output_b"] = f"Another answer to question {i}."
        items.append(item)
        for judge in range(judges):
            value = options[int(rng.integers(len(options)))]
            rows.append(
                f'q{i:03d},judge-{judge},judge,{value},{system},,"I weighed it. [[{value}]]"'
            )
    folder.mkdir(parents=True, exist_ok=True)
    files = StudyFiles(folder / "ratings.csv", folder / "items.jsonl", folder / "task.toml")
    files.ratings.write_text("\n".join(rows) + "\n", encoding="utf-8")
    files.items.write_text("".join(json.dumps(item) + "\n" for item in items), encoding="utf-8")
    files.task.write_text(task, encoding="utf-8")
    return files
