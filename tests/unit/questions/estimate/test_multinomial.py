"""Rates by the whole confusion matrix, and where there are none."""

import warnings

import numpy as np

from goldassay.questions.estimate.multinomial import rates_by_confusion, unmixed


def test_verdicts_that_no_labelled_item_has_allow_no_rates() -> None:
    confusion = np.array([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isnan(unmixed([0.0, 0.0, 7.0], confusion)).all()
        value, low, high = rates_by_confusion([0, 0, 7], 4 * confusion, draws=50)
    assert np.isnan(value).all()
    assert (low.tolist(), high.tolist()) == ([0.0, 0.0], [1.0, 1.0])


def test_a_mixture_is_taken_apart() -> None:
    confusion = np.array([[0.9, 0.1, 0.0], [0.2, 0.7, 0.1]])
    np.testing.assert_allclose(unmixed([0.3, 0.7] @ confusion, confusion), [0.3, 0.7])
    # Beyond the simplex: the likeliest point lies on its edge.
    np.testing.assert_allclose(unmixed([1.0, 0.0, 0.0], confusion), [1.0, 0.0], atol=1e-6)
