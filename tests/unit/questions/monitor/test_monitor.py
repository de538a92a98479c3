"""Whether anything changed, since when and who: on streams with a known truth."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import goldassay as ga
from goldassay.errors import GateNotMet, InputError

TASK = {"scale": "binary", "options": ["yes", "no"], "positive": "yes", "calibration": "random"}
BATCHES, SIZE, AT = 40, 100, 25


def stream(
    *, systems: float = 0.0, judge: float = 0.0, anchors: int = 50, labels: int = 5, seed: int = 1
) -> list[dict[str, str]]:
    """Verdicts in 40 batches of 100; from batch 25 on the true rate or the specificity is lower."""
    rng = np.random.default_rng(seed)
    rows: list[dict[str, str]] = []
    known = rng.random(anchors) < 0.7
    flips = set(np.flatnonzero(~known)[: round(judge * 20)].tolist())

    def add(item: str, rater: str, positive: bool, batch: str, part: str) -> None:
        kind = "judge" if rater == "gpt" else "human"
        value = "yes" if positive else "no"
        rows.append(
            {"item": item, "rater": rater, "kind": kind, "value": value, "batch": batch}
            | {"set": part}
        )

    for batch in range(BATCHES):
        late = batch >= AT
        rate = 0.7 - (systems if late else 0.0)
        specificity = 0.9 - (judge if late else 0.0)
        for i in range(SIZE):
            true = rng.random() < rate
            said = rng.random() < (0.9 if true else 1 - specificity)
            add(f"{batch}-{i}", "gpt", said, f"{batch:02d}", "live")
            if i < labels:
                add(f"{batch}-{i}", "ann", true, "", "live")
        for a in range(anchors):
            said = bool(known[a]) ^ (rng.random() < 0.02)
            add(f"a{a}", "gpt", True if late and a in flips else said, f"{batch:02d}", "anchor")
    return rows


def ask(rows: list[dict[str, str]], **how: Any) -> ga.Findings:
    return ga.monitor(pl.DataFrame(rows), how.pop("task", TASK), **how)


@pytest.mark.parametrize(
    ("truth", "verdict"),
    [
        ({}, "unchanged"),
        ({"systems": 0.2}, "systems"),
        ({"judge": 0.4}, "judge"),
        ({"systems": 0.2, "anchors": 0, "labels": 0}, "changed"),
        ({"systems": 0.3, "labels": 20}, "systems"),
        ({"judge": 0.5, "anchors": 0, "labels": 20}, "judge"),
        ({"judge": 0.4, "systems": 0.4, "labels": 20}, "both"),
    ],
)
def test_who_changed(truth: dict[str, Any], verdict: str) -> None:
    found = ask(stream(**truth))
    facts = found.answer[0].facts
    assert facts["verdict"] == verdict
    if verdict == "unchanged":
        assert found["unchanged", "gpt"].value == 1.0
        assert found.require("unchanged") is found
    else:
        assert found["unchanged", "gpt"].value == 0.0
        assert abs(int(facts["since"]) - AT) <= 2
        with pytest.raises(GateNotMet, match="unchanged does not hold: 0"):
            found.require("unchanged")


def test_it_cannot_be_told_from_few_verdicts_and_no_gate_passes() -> None:
    rows = [row for row in stream(anchors=0) if row["batch"] in ("00", "01", "02")]
    found = ask(rows)
    assert found.answer[0].facts["verdict"] == "unknown"
    assert isinstance(found["unchanged", "gpt"], ga.Undefined)
    with pytest.raises(GateNotMet, match="undefined"):
        found.require("unchanged")


def test_the_order_of_rows_does_not_matter() -> None:
    rows = stream(systems=0.2)
    shuffled = [rows[i] for i in np.random.default_rng(0).permutation(len(rows))]
    assert ask(rows).document()["results"] == ask(shuffled).document()["results"]


def test_days_of_a_time_are_batches() -> None:
    rows = stream(systems=0.2, anchors=0)
    for row in rows:
        if row["batch"]:
            row["time"] = f"2026-01-{1 + int(row.pop('batch')) // 2:02d}T09:00:00Z"
        else:
            row["time"] = row.pop("batch")
    found = ask(rows)
    assert found.answer[0].facts["since"] in ("2026-01-13", "2026-01-14")
    assert found.answer[0].facts["batches"] == 20
    assert ask(rows, every="week").answer[0].facts["batches"] == 4


def test_a_reference_is_where_a_change_is_counted_from() -> None:
    found = ask(stream(systems=0.2), reference="19")
    assert int(found.answer[0].facts["since"]) >= 20
    assert found.answer[0].facts["verdict"] == "systems"


def wrong(rows: list[dict[str, str]], **how: Any) -> str:
    with pytest.raises(InputError) as raised:
        ask(rows, **how)
    return str(raised.value)


def test_bad_input_is_told() -> None:
    rows = stream(anchors=3, labels=1)
    few = [row for row in rows if row["batch"] in ("", "00", "01")]
    untimed = [{k: v for k, v in row.items() if k != "batch"} for row in few]
    assert "must say when each verdict was given" in wrong(untimed)
    odd = [{**row, "time": "yesterday"} for row in untimed]
    assert "must be a time of ISO 8601" in wrong(odd)
    blank = [{**row, "batch": ""} if row["item"] == "0-7" else row for row in few]
    assert "must be filled in for every verdict" in wrong(blank)
    assert "two batches at least" in wrong([row for row in few if row["batch"] != "01"])
    named = [{**row, "model": "m1" if row["batch"] == "00" else "m2"} for row in few]
    assert "two judges must not go under one name" in wrong(named)
    later = [row for row in few if (row["item"], row["batch"]) != ("a1", "00")]
    assert "anchors must be the same items" in wrong(later, anchors="set=anchor")
    half = [{**row, "set": "live"} if row["batch"] == "01" else row for row in few]
    assert "an anchor must be marked as one in every batch" in wrong(half, anchors="set=anchor")
    twice = [*few, {**few[0], "value": "no" if few[0]["value"] == "yes" else "yes"}]
    assert "a judge must rate a unit once in a batch" in wrong(twice)
    label = next(row for row in few if row["kind"] == "human")
    changed = [*few, {**label, "value": "no" if label["value"] == "yes" else "yes"}]
    assert "must be one and the same" in wrong(changed)
    empty = [{**row, "value": "broken"} if row["batch"] == "01" else row for row in few]
    task = {**TASK, "invalid": ["broken"]}
    assert "every batch must have a verdict that counts" in wrong(empty, task=task)
    assert "COLUMN=VALUE" in wrong(few, anchors="anchor")
    assert "the name of a batch" in wrong(few, reference="99")
    assert "above 0 and below 1" in wrong(few, margin=1.0)
    assert "is one of hour, day, week, month" in wrong(few, every="minute")
