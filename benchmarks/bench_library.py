"""The library in a warm process: a question on a small table, and its results as a frame.

python benchmarks/bench_library.py

Seconds are of CPU, the fastest of several runs. The peers are what one would write instead: one
coefficient of one judge with a bootstrap by scikit-learn, and a frame of the rows as they are.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from timing import cpu, row

import goldassay
from goldassay.findings import Findings

#: Three ratings by people and one by each judge, of three systems' answers to a prompt.
PROMPTS = {"judge": 84, "two judges": 67}
#: What a table has as a rule; simulated ones also have scores, samples, splits, costs and others.
COLUMNS = ["item", "rater", "kind", "value", "system", "prompt"]
RESULTS, RESAMPLES = 10_000, 2_000


def table(judges: str) -> tuple[pd.DataFrame, goldassay.Task]:
    """About 1,000 ratings as a frame of pandas.

    Of one judge in the usual columns; of two, who have scores, and one of whom abstains and fails
    at times, in all fifteen.
    """
    named: dict[str, Any] = {"judge": {}}
    if judges == "two judges":
        named["other"] = {"abstain": 0.1, "invalid": 0.05}
    drawn = goldassay.simulate({"prompts": PROMPTS[judges], "judges": named})
    frame = pd.DataFrame(drawn.rows, columns=list(drawn.columns)).replace("", None)
    return frame[COLUMNS] if judges == "judge" else frame, drawn.task


def kappa_by_bootstrap(people: np.ndarray, judge: np.ndarray) -> Any:
    from sklearn.metrics import cohen_kappa_score

    rng = np.random.default_rng(1)
    drawn = (rng.integers(0, len(people), len(people)) for _ in range(RESAMPLES))
    values = [cohen_kappa_score(people[rows], judge[rows]) for rows in drawn]
    return np.quantile(values, [0.025, 0.975])


def run() -> list[dict[str, Any]]:
    """The rows of the benchmark; `target` is in seconds."""
    rng = np.random.default_rng(1)
    people = rng.integers(0, 2, 252)
    judge = np.where(rng.random(252) < 0.85, people, 1 - people)
    alone = cpu(lambda: kappa_by_bootstrap(people, judge), 1)
    peer, rows = f"scikit-learn, kappa alone, {RESAMPLES:,} resamples", []
    for judges in PROMPTS:
        frame, task = table(judges)
        ours = cpu(lambda frame=frame, task=task: goldassay.agree(frame, task), 7)
        work = f"agree, {len(frame):,} ratings, {judges}, {frame.shape[1]} columns"
        rows.append(row(work, ours, peer, alone, 0.2 if judges == "judge" else None))
    frame, task = table("judge")
    found = _repeated(goldassay.agree(frame, task, resamples=200), RESULTS)
    ours = cpu(lambda: found.to_frame("pandas"), 7)
    plain = cpu(lambda: pd.DataFrame([one.to_json() for one in found.rows]), 7)
    work = f"to_frame, {RESULTS:,} results"
    rows.append(row(work, ours, "pandas.DataFrame of the rows as they are", plain, 0.1))
    return rows


def _repeated(found: Findings, number: int) -> Findings:
    """The same findings with so many results."""
    times = -(-number // len(found.rows))
    return replace(found, rows=(found.rows * times)[:number])


if __name__ == "__main__":
    for line in run():
        print(line)
