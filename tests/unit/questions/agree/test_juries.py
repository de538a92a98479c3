"""A jury of judges."""

from __future__ import annotations

import numpy as np
from small_units import DRAW, units

from goldassay.questions.agree.judges import Reading
from goldassay.questions.agree.juries import juries
from goldassay.questions.agree.modes import declared_mode
from goldassay.ratings.task import Task


def test_a_weighted_panel_votes_where_judges_beat_chance_among_many_options() -> None:
    task = Task(scale="nominal", options=("a", "b", "c", "d", "e"))
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 5, 600)
    codes = np.where(rng.random((600, 3)) < 0.4, truth[:, None], rng.integers(0, 5, (600, 3)))
    u = units(
        task,
        np.eye(5, dtype=int)[truth].tolist(),
        codes.tolist(),
        [1] * 600,
        judges=("x", "y", "z"),
    )
    _, weighted = juries(u, codes, ("x", "y", "z"), Reading(task, declared_mode(task), DRAW))
    assert weighted.tables.total.sum() > 500
    assert np.trace(weighted.tables.total) / weighted.tables.total.sum() > 0.45
