"""Means of systems' scores without known ends: held on few prompts, and hardly longer on many."""

from __future__ import annotations

import numpy as np
import pytest
from internals import Contest, Ranker, draw_prompts, ranked_systems
from internals import RankSettings as Settings
from patience import seldom
from scipy.stats import t

from goldassay import Estimate

LEVEL, STUDIES = 0.95, 400


@pytest.mark.parametrize(
    ("prompts", "spread", "least", "longest"),
    seldom(
        [(3, None, 0.93, 2.0), (4, None, 0.93, 1.8), (30, None, 0.92, 1.1), (12, 0.7, 0.91, 2.0)],
        0,
        3,
    ),
)
def test_it_holds_and_is_not_longer_than_it_must_be(
    prompts: int, spread: float | None, least: float, longest: float
) -> None:
    """Normal scores, or lognormal ones of this spread, beside Student's t over prompts."""
    rng = np.random.default_rng(prompts)
    held, ratio = 0, []
    for _ in range(STUDIES):
        scores = rng.normal(size=(prompts, 1)) + rng.normal(size=(prompts, 2))
        truth = 0.0
        if spread is not None:
            scores, truth = np.exp(spread * scores), float(np.exp(spread**2))
        codes = np.arange(prompts)
        contest = Contest(("j",), ("a", "b"), codes, prompts, prompts, scores[None])
        draw = draw_prompts(contest, resamples=400, confidence_level=LEVEL, rng=rng)
        ranker = Ranker(contest, None, draw, Settings(("mean",), "half", "half", 1))
        lines = ranked_systems(ranker, ranker.judge(0)).lines["mean"]
        mean = next(line.score for line in lines if line.system == 0)
        assert isinstance(mean, Estimate)
        assert mean.interval is not None
        held += mean.interval.low <= truth <= mean.interval.high
        error = scores[:, 0].std(ddof=1) / np.sqrt(prompts)
        student = 2 * t.ppf((1 + LEVEL) / 2, prompts - 1) * error
        ratio.append((mean.interval.high - mean.interval.low) / student)
    assert held / STUDIES >= least
    assert np.mean(ratio) <= longest
