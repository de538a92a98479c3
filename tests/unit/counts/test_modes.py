"""Resolved tables: the modes of abstention, of invalid verdicts and of ties, by hand."""

from __future__ import annotations

import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from small_tables import judged, units

from goldassay.counts import Resolution, declared_modes, resolved_tables, verdict_shares
from goldassay.counts.modes import by_cluster
from goldassay.inference.cells import Cells

#: Label and verdict of ten items.
LABELS = ["yes", "yes", "yes", "yes", "no", "no", "no", "no", "unsure", "unsure"]
VERDICTS = ["yes", "no", "unsure", "bad", "no", "no", "yes", "unsure", "unsure", "no"]


def total(folder: Path, **declared: Any) -> tuple[list[list[float]], tuple[str, ...]]:
    rows = judged([1] * 10, {"judge": [1] * 10})
    for row in rows:
        words = LABELS if row["kind"] == "human" else VERDICTS
        row["value"] = words[int(row["item"][1:])]
    counted = units(folder, rows, abstain=["unsure"], invalid=["bad"], **declared)
    shares = verdict_shares(counted, "judge")
    tables = resolved_tables(counted, shares, declared_modes(counted.task))
    return tables.total.tolist(), tables.labels


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        ({}, [[1, 1], [1, 2]]),
        ({"abstentions": "recode", "recode_to": "no"}, [[1, 2], [1, 5]]),
        ({"abstentions": "class"}, [[1, 1, 1], [1, 2, 1], [0, 1, 1]]),
        ({"invalids": "wrong"}, [[1, 2], [1, 2]]),
        ({"invalids": "class"}, [[1, 1, 1], [1, 2, 0], [0, 0, 0]]),
    ],
)
def test_modes(tmp_path: Path, declared: dict[str, Any], expected: list[list[int]]) -> None:
    found, labels = total(tmp_path, **declared)
    assert found == expected
    assert len(labels) == len(expected)
    assert labels[:2] == ("yes", "no")


#: Label, old and new verdict of ten items.
AGAIN = ["yes", "unsure", "yes", "unsure", "bad", "no", "no", "bad", "unsure", "yes"]
RULES = [
    {"abstentions": one, "invalids": other, **({"recode_to": "no"} if one == "recode" else {})}
    for one in ("exclude", "recode", "class")
    for other in ("exclude", "wrong", "class")
]
BATTLE = {"options": ["yes", "no", "even"], "scale": "pairwise", "tie": "even"}
RULES += [
    {**BATTLE, "positive": None, "ties": ties, "abstentions": one, "invalids": "class"}
    for ties in ("half", "exclude", "class")
    for one in ("exclude", "class")
]


@pytest.mark.parametrize("declared", RULES, ids=lambda one: "-".join(map(str, one.values())))
def test_two_judges_are_counted_together_by_the_rules_of_each(
    tmp_path: Path, declared: dict[str, Any]
) -> None:
    words = {"p": LABELS, "old": VERDICTS, "new": AGAIN}
    if "tie" in declared:
        swapped = {"p": (0, 4, 8), "old": (0, 1, 5), "new": (0, 4, 9)}
        words = {
            who: ["even" if k in swapped[who] else one for k, one in enumerate(said)]
            for who, said in words.items()
        }
    rows = judged([1] * 10, {"old": [1] * 10, "new": [1] * 10})
    for row in rows:
        who = "p" if row["kind"] == "human" else row["rater"]
        row["value"] = words[who][int(row["item"][1:])]
    counted = units(tmp_path, rows, abstain=["unsure"], invalid=["bad"], **declared)
    rules, shares = (
        declared_modes(counted.task),
        [verdict_shares(counted, one) for one in ("old", "new")],
    )
    both = Resolution(counted, rules).joint(*shares)
    both = np.tensordot(counted.n, both, axes=1)
    for judge, alone in enumerate((both.sum(2), both.sum(1))):
        tables = resolved_tables(counted, shares[judge], rules)
        size = len(tables.labels)
        np.testing.assert_allclose(alone[:size, :size], tables.total)
        assert alone[:, size:-1].sum() == 0  # invalid verdicts, which this judge may lack
        # Everything that has a reference is somewhere: left out is the last place.
        assert alone.sum() == pytest.approx(both.sum())


@pytest.mark.parametrize(
    ("ties", "expected"),
    [
        ("exclude", [[1, 0], [0, 1]]),
        # A tie is half a vote for either side; two ties agree.
        ("half", [[2, 0.5], [0, 1.5]]),
        ("class", [[1, 0, 1], [0, 1, 0], [0, 0, 1]]),
    ],
)
def test_ties(tmp_path: Path, ties: str, expected: list[list[float]]) -> None:
    rows = judged([1] * 4, {"judge": [1] * 4})
    words = {
        "human": ["first", "second", "first", "tie"],
        "judge": ["first", "second", "tie", "tie"],
    }
    for row in rows:
        row["value"] = words[row["kind"]][int(row["item"][1:])]
    counted = units(
        tmp_path,
        rows,
        scale="pairwise",
        options=["first", "second", "tie"],
        tie="tie",
        ties=ties,
        positive="first",
    )
    tables = resolved_tables(
        counted, verdict_shares(counted, "judge"), declared_modes(counted.task)
    )
    assert tables.total.tolist() == expected


def test_many_criteria_take_memory_by_cluster_not_by_pattern() -> None:
    """20,000 patterns of 500 criteria in 40 clusters: each pattern is of one criterion."""
    patterns, criteria, clusters = 20_000, 500, 40
    every = np.arange(patterns)
    cells = Cells(
        every,
        every % criteria,
        every % 2,
        every % 3 % 2,
        np.ones(patterns),
        (patterns, criteria, 2),
    )
    tracemalloc.start()
    found, times = by_cluster(cells, np.ones(patterns, np.int64), every % clusters)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert isinstance(found, np.ndarray)
    assert (found.sum(axis=(1, 2, 3)) * times).sum() == patterns
    assert peak < 8 * patterns * criteria / 4
