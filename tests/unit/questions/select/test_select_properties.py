"""What must hold of any order and threshold."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from goldassay.questions.select.ordering import order_agreement
from goldassay.questions.select.thresholds import best_cut, roc


@given(
    hnp.arrays(np.float64, 30, elements=st.integers(0, 8).map(float)),
    hnp.arrays(np.bool_, 30).filter(lambda a: 0 < a.sum() < 30),
)
def test_no_threshold_beats_the_best_cut(scores: np.ndarray, positive: np.ndarray) -> None:
    def youden(cut: float) -> float:
        called = scores >= cut
        return float(called[positive].mean() - called[~positive].mean())

    curve = roc(scores, positive.astype(float), (~positive).astype(float))
    best = youden(best_cut(curve))
    assert best >= max(youden(cut) for cut in np.append(np.unique(scores), 99)) - 1e-12


@given(hnp.arrays(np.float64, (5, 2), elements=st.integers(1, 20).map(float)))
def test_order_agreement_is_1_with_oneself_and_turns_round(scores: np.ndarray) -> None:
    people, judge = scores.T
    agreement = order_agreement(people, people)
    assert np.isnan(agreement) or agreement == 1
    straight = order_agreement(judge, people)
    assert np.isnan(straight) or np.isclose(straight + order_agreement(-judge, people), 1)
