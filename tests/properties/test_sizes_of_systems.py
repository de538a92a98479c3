"""Items and clusters of every row on systems are those that an independent count finds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import goldassay as ga

TASK = {"scale": "binary", "options": ["no", "yes"], "positive": "yes", "cluster": "prompt"}
GRADES = {"scale": "ordinal", "options": ["1", "2", "3"], "cluster": "prompt"}
NUMBERS = {"scale": "continuous", "cluster": "prompt"}
Record = dict[str, Any]


def table(scale: str, seed: int) -> list[Record]:
    """Prompts of one to three answers of each system; some systems lack some prompts."""
    rng = np.random.default_rng(seed)
    rows: list[Record] = []
    for p in range(60):
        for system, quality in zip("ABC", (0.4, 0.6, 0.7), strict=True):
            if rng.random() < 0.3:
                continue
            for k in range(int(rng.integers(1, 4))):
                about = {"item": f"{p}-{system}-{k}", "prompt": f"p{p}", "system": system}
                about["topic"] = "xy"[p % 2]
                truth = rng.random() < quality
                said = truth if rng.random() < 0.85 else not truth

                def value(good: bool) -> Any:
                    if scale == "binary":
                        return "yes" if good else "no"
                    if scale == "ordinal":
                        return str(1 + int(good) + int(rng.random() < 0.4))
                    return round(float(good + rng.normal(0, 0.3)), 3)

                rows.append({**about, "rater": "gpt", "kind": "judge", "value": value(said)})
                if rng.random() < 0.6:
                    rows.append({**about, "rater": "ann", "kind": "human", "value": value(truth)})
    return rows


def counted(rows: list[Record], **where: Any) -> tuple[int, int]:
    """Items and clusters of the rows of which all of this is true."""
    kept = [row for row in rows if all(row[key] in one for key, one in where.items())]
    return len({row["item"] for row in kept}), len({row["prompt"] for row in kept})


def expected(rows: list[Record], name: str, about: Any) -> tuple[int | None, int]:
    """The items (None: a smaller one of two) and clusters of a row on one or two systems."""
    where: Record = {"topic": [about["topic"]]} if about.get("topic") else {}
    if name == "difference_labels_only":
        where["kind"] = ["human"]
    both = [one for one in (about["system"], about.get("opponent")) if one]
    items, clusters = counted(rows, system=both, **where)
    if name.startswith("difference"):
        items = min(counted(rows, system=[one], **where)[0] for one in both)
    return items, clusters


def on_systems(found: Any) -> Iterator[tuple[Any, Any]]:
    for row in found.rows:
        if row.about.get("system") and isinstance(row.result, ga.Estimate):
            yield row.result, row.about


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(
    ("scale", "task"), [("binary", TASK), ("ordinal", GRADES), ("continuous", NUMBERS)]
)
@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("verb", ["estimate", "compare", "slices"])
def test_items_and_clusters_of_rows_on_systems(
    verb: str, scale: str, task: Record, shared: bool, seed: int
) -> None:
    if shared and scale != "binary":
        pytest.skip("labels are shared of two options")
    rows = table(scale, seed)
    task = task | {"calibration": "random", **({"shared_labels": True} if shared else {})}
    found = (
        ga.compare(rows, task, by=["topic"]) if verb == "slices" else getattr(ga, verb)(rows, task)
    )
    seen = set()
    for result, about in on_systems(found):
        seen.add(result.name)
        sizes = result.n_items, result.n_clusters
        assert sizes == expected(rows, result.name, about), (result.name, about)
    if verb == "slices":
        assert "difference_from_whole" in seen
