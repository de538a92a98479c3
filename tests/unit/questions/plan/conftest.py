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
    folder: Path, *, n: int = 600, labelled: int = 60, judges: int = 1, **declared: Any
) -> Units:
    """n items, 30 % truly yes, the first labelled; judges right on 75 % (j0), 85 % (j1), ..."""
    rng = np.random.default_rng(0)
    truth = (rng.random(n) < 0.3).astype(int)
    verdicts = {}
    for judge in range(judges):
        right = rng.random(n) < 0.75 + 0.1 * judge
        verdicts[f"j{judge}"] = np.where(right, truth, 1 - truth).tolist()
    labels = [int(one) if index < labelled else -1 for index, one in enumerate(truth)]
    return units(folder, judged(labels, verdicts), **declared)


@pytest.fixture
def planned(tmp_path: Path) -> PlanStudy:
    """One judge, 60 of 600 items labelled, a length of .08 wanted, and 100 labels asked for."""
    counted = pool_units(tmp_path)
    return study_ratings(counted, judge_to_plan_for(counted), Goal(0.08, 100))
