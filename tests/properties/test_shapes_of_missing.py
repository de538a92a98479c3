"""A verdict that is missing has one account, however the table is laid out.

The same ratings are written three ways: a row for each rating, with none for what is missing; the
same with an empty cell there; and a column for each rater. Results, sentences and tables are the
same, to the last digit.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import goldassay as ga

OPTIONS = {"binary": ["yes", "no"], "ordinal": ["1", "2", "3"], "continuous": []}
#: What of a document says how the files are written.
OF_THE_FILE = ("task", "provenance", "exclusions", "readings", "rows", "units")


def tables(number: int) -> tuple[dict[str, Any], dict[tuple[str, str], str], list[str]]:
    """A task, the cells of a random study, and its judges; some cells hold no option."""
    rng = np.random.default_rng([77, number])
    scale = ("binary", "ordinal", "binary", "continuous")[number % 4]
    options = OPTIONS[scale]
    task: dict[str, Any] = {"scale": scale, "abstain": ["?"], "invalid": ["!"]}
    if options:
        task["options"] = options
        task["abstentions"] = ["exclude", "class"][number // 4 % 2]
    if scale == "binary":
        task["positive"] = "yes"
    people = ["ann", "bob"][: 1 + number % 2]
    judges = ["gpt", "llama"][: 1 + number // 2 % 2]
    cells: dict[tuple[str, str], str] = {}
    for item in range(int(rng.integers(15, 40))):
        truth = int(rng.integers(max(len(options), 5)))
        for rater in (*people, *judges):
            place = truth if rng.random() < 0.8 else int(rng.integers(5))
            said = options[place % len(options)] if options else f"{place + rng.normal(0, 0.3):.2f}"
            if rng.random() < (0.2 if rater in people else 0.3):
                continue  # not asked, not answered: there is nothing
            if rater in judges and rng.random() < 0.15:
                said = ["?", "!"][int(rng.integers(2))]
            cells[f"i{item:02}", rater] = said
    return task, cells, judges


def written(folder: Path, number: int) -> list[tuple[str, dict[str, Any]]]:
    """The three files, each with its task."""
    task, cells, judges = tables(number)
    items = sorted({item for item, _ in cells})
    raters = sorted({rater for _, rater in cells})
    long, empty = (["item,rater,kind,value"] for _ in range(2))
    wide = [",".join(["item", *raters])]
    for item in items:
        wide.append(",".join([item, *(cells.get((item, rater), "") for rater in raters)]))
        for rater in raters:
            said = cells.get((item, rater))
            row = f"{item},{rater},{'judge' if rater in judges else 'human'},{said or ''}"
            empty.append(row)
            long += [row] if said else []
    by_kind = {"judge": judges, "human": [one for one in raters if one not in judges]}
    found = []
    for name, lines in (("long", long), ("empty", empty), ("wide", wide)):
        path = folder / f"{name}.csv"
        path.write_text("\n".join(lines) + "\n")
        found.append((str(path), {**task, **({"wide": by_kind} if name == "wide" else {})}))
    return found


def told(found: ga.Findings) -> dict[str, Any]:
    return {key: part for key, part in found.document().items() if key not in OF_THE_FILE}


@pytest.mark.parametrize("number", range(12))
@pytest.mark.parametrize("verb", ["agree", "select", "estimate"])
def test_every_shape_says_the_same(verb: str, number: int, tmp_path: Path) -> None:
    if verb == "select" and number % 4 == 3:
        pytest.skip("real scores have no verdicts to select by")
    options: dict[str, Any] = {} if verb == "estimate" else {"resamples": 100}
    long, empty, wide = (
        told(getattr(ga, verb)(path, task, **options)) for path, task in written(tmp_path, number)
    )
    assert long == wide
    assert long == empty


def half(folder: Path) -> Path:
    """300 labelled items, of which a judge has rows for 150, all right."""
    rows = ["item,rater,kind,value"]
    for n in range(300):
        label = "yes" if n % 2 else "no"
        rows += [f"i{n},kim,human,{label}", *([f"i{n},gpt,judge,{label}"] if n < 150 else [])]
    path = folder / "half.csv"
    path.write_text("\n".join(rows) + "\n")
    return path


@pytest.mark.parametrize(("asked", "share"), [(None, 0.5), ("all", 0.5), ("rows", 1.0)])
def test_what_is_not_there_is_missing_unless_the_task_says_otherwise(
    asked: str | None, share: float, tmp_path: Path
) -> None:
    task = {"scale": "binary", "options": ["yes", "no"], "positive": "yes"}
    task |= {} if asked is None else {"asked": asked}
    found = ga.agree(str(half(tmp_path)), task, resamples=100)
    assert found["coverage", "gpt"].value == share
    assert ("coverage 100 %" in str(found.document())) is (share == 1)
