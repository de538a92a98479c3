"""Prevalence, prediction-powered and binomial intervals against other tools.

Figures: R 4.2.2 asht::prevSeSp, epiR and the published script (Rogan-Gladen, Lang-Reiczigel),
ppi_py 0.2 (PPI, PPI++), astropy and R's DescTools (Jeffreys).
"""

from __future__ import annotations

import numpy as np
import pytest
from internals import rate_formulas as points
from internals import rate_limits as limits


def table(sensitivity: tuple[int, int], specificity: tuple[int, int]) -> np.ndarray:
    (k1, m1), (k0, m0) = sensitivity, specificity
    return np.array([[k0, m0 - k0], [m1 - k1, k1]], dtype=float)


#: name: positives, tested, sensitivity, specificity, Rogan-Gladen unclipped, limits clipped.
PREVALENCE = {
    "low prevalence": (12, 200, (45, 50), (95, 100), 0.0117647058823529, (0.0, 0.0764199583852367)),
    "below the false-positive rate": (3, 200, (45, 50), (90, 100), -0.10625, (0.0, 0.0)),
    "above the sensitivity": (195, 200, (40, 50), (90, 100), 1.25, (1.0, 1.0)),
    "perfect judge": (60, 200, (50, 50), (100, 100), 0.3, (0.235623937030735, 0.370554865333271)),
    "tiny calibration": (40, 100, (8, 10), (7, 10), 0.2, (0.0, 0.657587284305306)),
    "paper": (400, 1000, (180, 200), (140, 200), 1 / 6, (0.0563507248, 0.2627330258)),
    "ninety": (50, 100, (45, 50), (45, 50), 0.5, (0.3516712993, 0.6483287007)),
    "flawless": (50, 100, (50, 50), (50, 50), 0.5, (0.3962861685, 0.6037138315)),
}


@pytest.mark.parametrize("name", PREVALENCE)
def test_rogan_gladen_and_lang_reiczigel(name: str) -> None:
    positives, tested, sensitivity, specificity, value, ends = PREVALENCE[name]
    test, calibration = [tested - positives, positives], table(sensitivity, specificity)
    assert points.rogan_gladen(test, calibration) == pytest.approx(value, rel=1e-9)
    found = limits.lang_reiczigel(test, calibration)
    assert found == pytest.approx(ends, rel=1e-8, abs=1e-12)


def test_a_judge_worse_than_chance_is_undefined_where_others_print_a_number() -> None:
    calibration = table((30, 100), (40, 100))
    assert np.isnan(points.rogan_gladen([60, 40], calibration))
    assert np.isnan(limits.lang_reiczigel([60, 40], calibration)[0])


#: unlabelled, labelled; then (estimate, low, high) for lambda tuned, 1 and 0.
PPI = {
    "good judge": (
        [564, 336],
        [[58, 14], [7, 41]],
        (0.3498142323909587, 0.28041482039031523, 0.4192136443916022),
        (0.315, 0.23442837482931705, 0.39557162517068295),
        (0.4, 0.3123477459423419, 0.48765225405765816),
    ),
    "anticorrelated": (
        [9, 11],
        [[0, 5], [5, 0]],
        (0.5, 0.19010248384771922, 0.8098975161522808),
        (0.55, -0.1070265862014278, 1.2070265862014278),
        (0.5, 0.19010248384771922, 0.8098975161522808),
    ),
    # labels 11001010, verdicts 10011010, unlabelled 11010101
    "eight labels": (
        [3, 5],
        [[3, 1], [1, 3]],
        (0.5297619, 0.2062676, 0.8532562),
        (0.625, 0.1427259, 1.1072741),
        None,
    ),
}


@pytest.mark.parametrize("name", PPI)
def test_prediction_powered_inference(name: str) -> None:
    test, calibration, *expected = PPI[name]
    for weight, figures in zip((None, 1.0, 0.0), expected, strict=True):
        if figures is None:
            continue
        value, low, high = figures
        assert points.power_tuned(test, calibration, weight) == pytest.approx(value, rel=1e-6)
        found = limits.ppi_normal(test, calibration, weight=weight)
        assert found == pytest.approx((low, high), rel=1e-6)
    assert points.difference(test, calibration) == pytest.approx(expected[1][0], rel=1e-9)


#: Jeffreys; its ends at 0 and 1 are those of astropy and DescTools.
BINOMIAL = {
    (0, 10): (0.0, 0.2171962675092106),
    (10, 10): (0.7828037324907894, 1.0),
    (81, 263): (0.2545219349910236, 0.36564749917408246),
    (5, 30): (0.06657395356745498, 0.3274277516634613),
    (1, 100000): (1.0789785284753773e-06, 4.6741042481950444e-05),
}


def test_binomial_limits() -> None:
    successes, trials = zip(*BINOMIAL, strict=True)
    low, high = limits.jeffreys(successes, trials)
    assert list(zip(low, high, strict=True)) == [
        pytest.approx(e, rel=1e-8) for e in BINOMIAL.values()
    ]
