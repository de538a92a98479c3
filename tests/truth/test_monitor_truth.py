"""What `monitor` says, computed again from the rows by a program that shares nothing with it.

Random streams: batches of unequal sizes, with and without anchors, labels, clusters and criteria.
Rates before and after, the numbers in sentences, the evidence of the verdicts' stream (in plain
Python, with the least over the rate sought on a fine grid) and what must not contradict.
"""

from __future__ import annotations

import math
import random
import re
from collections import defaultdict
from itertools import pairwise
from statistics import NormalDist
from typing import Any

import polars as pl
import pytest
from lookup import some

import goldassay as ga

TASK = {"scale": "binary", "options": ["yes", "no"], "positive": "yes", "calibration": "random"}
Rows = list[dict[str, str]]


def random_stream(seed: int) -> Rows:
    rng = random.Random(seed)
    batches, at = rng.randint(2, 14), rng.randint(1, 12)
    rate, moved = rng.choice([0.1, 0.5, 0.8]), rng.choice([0.0, 0.0, 0.3])
    anchors = rng.choice([0, 8])
    known = [rng.random() < rate for _ in range(anchors)]
    rows: Rows = []
    for batch in range(batches):
        p = rate if batch < at else abs(rate - moved)
        for i in range(rng.randint(20, 120)):
            true = rng.random() < p
            said = true if rng.random() < 0.9 else not true
            rows.append(row(f"{batch}-{i}", "gpt", said, str(batch), "live"))
            if rng.random() < 0.1:
                rows.append(row(f"{batch}-{i}", "ann", true, "", "live"))
        for a, usual in enumerate(known):
            rows.append(row(f"a{a}", "gpt", usual ^ (rng.random() < 0.05), str(batch), "anchor"))
    return rows


def row(item: str, rater: str, yes: bool, batch: str, part: str) -> dict[str, str]:
    kind = "judge" if rater == "gpt" else "human"
    value = "yes" if yes else "no"
    return {"item": item, "rater": rater, "kind": kind, "value": value, "batch": batch, "set": part}


def naive_rates(rows: Rows, split: str) -> dict[str, tuple[float, float]]:
    """Rates before and since a batch: of live verdicts, anchors, errors, and people's labels."""
    labels = {r["item"]: r["value"] == "yes" for r in rows if r["kind"] == "human"}
    counts: dict[tuple[str, bool], list[int]] = defaultdict(lambda: [0, 0])

    def count(name: str, late: bool, hit: bool) -> None:
        counts[name, late][0] += hit
        counts[name, late][1] += 1

    for r in rows:
        if r["kind"] == "human":
            continue
        late, yes = int(r["batch"]) >= int(split), r["value"] == "yes"
        count("anchor_rate" if r["set"] == "anchor" else "rate", late, yes)
        if r["set"] == "live" and r["item"] in labels:
            true = labels[r["item"]]
            count("sensitivity" if true else "specificity", late, yes == true)
            count("labelled_rate", late, true)
    for item in sorted({r["item"] for r in rows if r["set"] == "anchor" and r["kind"] == "judge"}):
        said = {int(r["batch"]): r["value"] == "yes" for r in rows if r["item"] == item}
        first = sorted(said)[:5]
        began = 2 * sum(said[batch] for batch in first) > len(first)
        for batch in sorted(said)[5:]:
            count("anchors_turned", batch >= int(split), said[batch] != began)
    names = {name for name, _ in counts}
    both = [name for name in names if (name, True) in counts and (name, False) in counts]
    return {
        name: tuple(counts[name, late][0] / counts[name, late][1] for late in (False, True))
        for name in both
    }  # type: ignore[return-value]


def log_e(h: float, n: float, p: float, k: float) -> float:
    """The log of the mixture Beta(kp, k(1-p)) over the rate p; parts of counts are counts."""
    a, b, g = k * p, k * (1 - p), math.lgamma
    mixed = g(a + h) + g(b + n - h) - g(a + b + n) - g(a) - g(b) + g(a + b)
    return mixed - h * math.log(p) - (n - h) * math.log(1 - p)


def naive_spread(batches: list[tuple[int, ...]]) -> float:
    """By how much neighbours differ beyond chance, the largest difference left out."""
    p = sum(h for h, _ in batches) / sum(n for _, n in batches)
    if len(batches) < 5 or p in (0, 1):
        return 1.0
    squares = sorted(
        (h / n - k / m) ** 2 / (p * (1 - p) * (1 / n + 1 / m))
        for (h, n), (k, m) in pairwise(batches)
    )
    number = len(squares)
    largest = NormalDist().inv_cdf(1 - 0.28 / number) ** 2
    return max(1.0, sum(squares[:-1]) / (number - largest) / (1 + math.sqrt(3 / number)))


def naive_evidence(rows: Rows) -> float:
    """The mean over moments of the least, over rates, of the evidence before and after."""
    per: dict[int, list[int]] = defaultdict(lambda: [0, 0])
    for r in rows:
        if r["kind"] == "judge" and r["set"] == "live":
            per[int(r["batch"])][0] += r["value"] == "yes"
            per[int(r["batch"])][1] += 1
    total, spread = 0.0, naive_spread([tuple(per[b]) for b in range(len(per))])
    for moment in range(1, len(per)):
        h0, n0 = (sum(per[b][k] for b in range(moment)) / spread for k in (0, 1))
        h1, n1 = (sum(per[b][k] for b in range(moment, len(per))) / spread for k in (0, 1))
        low, high = sorted((h0 / n0, h1 / n1))
        rates = [low + (high - low) * i / 40 for i in range(41)]
        rates = [min(max(p, 1e-9), 1 - 1e-9) for p in rates]
        least = min(log_e(h0, n0, p, n0 / 4) + log_e(h1, n1, p, 30.0) for p in rates)
        total += math.exp(least) / (2.2 * (moment + 1) * math.log(moment + 1) ** 2)
    return total


def asked(rows: Rows) -> ga.Findings:
    return ga.monitor(pl.DataFrame(rows), TASK, anchors="set=anchor")


@pytest.mark.parametrize("seed", range(24))
def test_every_sentence_is_true(seed: int) -> None:
    rows = random_stream(seed)
    found = asked(rows)
    verdict = found.answer[0].facts
    judged = [r for r in rows if r["kind"] == "judge"]
    live = [r for r in judged if r["set"] == "live"]
    labelled = {r["item"] for r in rows if r["kind"] == "human"}
    assert verdict["verdicts"] == len(live)
    assert verdict["anchors"] == len({r["item"] for r in judged if r["set"] == "anchor"})
    assert verdict["labels"] == sum(r["item"] in labelled for r in live)
    assert verdict["batches"] == len({r["batch"] for r in judged})
    changes = [one for one in found.notes if one.key == "monitor.change"]
    for said in changes:
        told = said.facts
        naive = naive_rates(rows, told["split"])[told["result"]]
        assert (told["before"], told["after"]) == pytest.approx(naive)
        assert told["low"] <= naive[1] - naive[0] <= told["high"]
        shown = re.search(r": (?:\w+ )?([\d.]+) % before .*, (?:\w+ )?([\d.]+) % since", said.text)
        assert shown is not None
        assert [float(one) for one in shown.groups()] == pytest.approx(
            [100 * one for one in naive], abs=0.51
        )
    row_of = {(r.about.get("stream"), r.result.name): r.result for r in found.rows}
    evidence: Any = row_of["verdicts", "evidence"]
    naive_e = naive_evidence(rows)
    if naive_e > 3 or evidence.value > 3:  # below, terms that cannot matter are left out
        assert math.log(evidence.value) == pytest.approx(math.log(naive_e), abs=0.1)
    consistent(found, verdict)


def consistent(found: ga.Findings, verdict: Any) -> None:
    """What is said together does not contradict itself, nor the gate."""
    unchanged = found["unchanged", "gpt"]
    alarms = [
        row.result.declared.get("alarm_after")
        for row in found.rows_where(name="evidence")
        if isinstance(row.result, ga.Estimate)
    ]
    changed = verdict["verdict"] in ("systems", "judge", "both", "changed")
    assert changed == any(one is not None for one in alarms)
    assert (verdict["since"] is not None) == changed
    if isinstance(unchanged, ga.Undefined):
        assert verdict["verdict"] == "unknown"
    else:
        assert (unchanged.value == 1.0) == (verdict["verdict"] == "unchanged")
    if verdict["verdict"] == "unchanged":
        anchored = found.rows_where(name="anchor_rate_change")  # there may be no anchors
        for one in some((*found.rows_where(name="rate_change"), *anchored)):
            assert one.result.interval is not None
            assert -0.1 < one.result.interval.low <= one.result.interval.high < 0.1
    evidence = [one for one in found.answer if one.key == "monitor.evidence"]
    assert len(evidence) == changed
    for said in evidence:
        order = [int(said.facts[key]) for key in ("begun_from", "begun_to", "alarm_after")]
        assert order[0] <= order[1] <= order[2]
        assert order[0] <= int(verdict["since"]) <= order[1]
        assert said.facts["alarm_after"] in said.text
