from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from small_tables import judged, units

from goldassay.counts import Units
from goldassay.questions.plan.comparison import Goal
from goldassay.questions.plan.study import PlanStudy, judge_to_plan_for, study_ratings


def pool_units(
    folder: Path,
    *,
    n: int = 600,
    labelled: int = 60,
    judges: int = 1,
    alike: bool = False,
    split: bool = False,
    topic: bool = False,
    criteria: tuple[str, ...] = (),
    **declared: Any,
) -> Units:
    """n items, 30 % truly yes, the first labelled; judges right on 75 % (j0), 85 % (j1), ...

    Ten items in a row share a topic; with `alike` their truth too. `split` marks the labelled.
    """
    rng = np.random.default_rng(0)
    truth = (rng.random(n) < 0.3).astype(int)
    if alike:
        truth = truth[np.arange(n) // 10]
    verdicts = {}
    for judge in range(judges):
        right = rng.random(n) < 0.75 + 0.1 * judge
        verdicts[f"j{judge}"] = np.where(right, truth, 1 - truth).tolist()
    given = np.arange(n) < labelled
    if alike:
        given = np.arange(n) % (n // labelled) == 0
    labels = np.where(given, truth, -1).tolist()
    columns: dict[str, list[str]] = {}
    if alike or topic:
        size = 10 if "cluster" in declared or alike else n // 2
        columns["topic"] = [f"t{index // size}" for index in range(n)]
        if topic and "strata" in declared:
            columns["topic"] = [f"t{index % 2}" for index in range(n)]
    if split:
        columns["split"] = ["calibration" if one else "test" for one in given]
    if criteria:
        columns["criterion"] = [criteria[index % len(criteria)] for index in range(n)]
    return units(folder, judged(labels, verdicts, **columns), **declared)


@pytest.fixture
def planned(tmp_path: Path) -> PlanStudy:
    """One judge, 60 of 600 items labelled, a length of .08 wanted, and 100 labels asked for."""
    counted = pool_units(tmp_path)
    return study_ratings(counted, judge_to_plan_for(counted), Goal(0.08, 100))
