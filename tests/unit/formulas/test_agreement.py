"""Hand arithmetic for every coefficient, and the worked examples of the papers."""

import math

import numpy as np
import pytest

from goldassay.formulas import agreement as c

# reference rows, verdict columns, positive first: TP 40, FN 10, FP 20, TN 30
WORKED = np.array([[40, 10], [20, 30]])
RARE = np.array([[5, 5], [0, 90]])
THREE = np.array([[30, 10, 5], [10, 20, 5], [5, 5, 10]])  # MET, UNMET, CANNOT_ASSESS


def test_worked_example_of_section_5() -> None:
    assert c.accuracy(WORKED) == pytest.approx(0.700)
    assert c.f1(WORKED, positive=0) == pytest.approx(80 / 110)
    assert c.chance_agreement(WORKED) == pytest.approx(0.5)
    assert c.cohen_kappa(WORKED) == pytest.approx(0.4)
    assert c.phi(WORKED) == pytest.approx(1000 / math.sqrt(6e6))
    assert c.reference_rate(WORKED, positive=0) == pytest.approx(0.5)
    assert c.verdict_rate(WORKED, positive=0) == pytest.approx(0.6)


def test_low_prevalence_example_of_section_5() -> None:
    assert c.accuracy(RARE) == pytest.approx(0.95)
    assert c.cohen_kappa(RARE) == pytest.approx(0.643, abs=5e-4)
    assert c.phi(RARE) == pytest.approx(0.688, abs=5e-4)
    always_negative = np.array([[0, 10], [0, 90]])
    assert c.accuracy(always_negative) == pytest.approx(0.9)
    assert c.cohen_kappa(always_negative) == 0
    assert np.isnan(c.phi(always_negative))


def test_appendix_b() -> None:
    exclude = THREE[:2, :2]
    recode = np.array([[30, 15], [15, 40]])  # CANNOT_ASSESS becomes UNMET on both sides
    assert c.accuracy(exclude) == pytest.approx(0.714, abs=5e-4)
    # the paper prints .416: 5/12 cut after the third digit, not rounded
    assert c.cohen_kappa(exclude) == pytest.approx(5 / 12)
    assert c.f1(exclude, positive=0) == pytest.approx(0.750)
    assert c.accuracy(recode) == pytest.approx(0.700)
    assert c.cohen_kappa(recode) == pytest.approx(0.394, abs=5e-4)
    assert c.f1(recode, positive=0) == pytest.approx(0.667, abs=5e-4)
    assert c.accuracy(THREE) == pytest.approx(0.600)
    assert c.cohen_kappa(THREE) == pytest.approx(0.370, abs=5e-4)


def test_rates_of_the_four_cells() -> None:
    assert c.sensitivity(WORKED, positive=0) == pytest.approx(40 / 50)
    assert c.specificity(WORKED, positive=0) == pytest.approx(30 / 50)
    assert c.precision(WORKED, positive=0) == pytest.approx(40 / 60)
    assert c.negative_predictive_value(WORKED, positive=0) == pytest.approx(30 / 40)
    assert c.balanced_accuracy(WORKED) == pytest.approx(0.7)
    assert c.youden_j(WORKED) == pytest.approx(0.4)
    assert c.macro_f1(WORKED) == pytest.approx((80 / 110 + 60 / 90) / 2)
    # the other option as the positive one
    assert c.sensitivity(WORKED, positive=1) == pytest.approx(30 / 50)
    assert c.f1(WORKED, positive=1) == pytest.approx(60 / 90)


def test_strictness_is_the_log_odds_of_misses_to_false_alarms() -> None:
    assert c.log_odds_strictness(WORKED, positive=0) == pytest.approx(math.log(10.5 / 20.5))
    assert np.isnan(c.log_odds_strictness(np.diag([3, 4]), positive=0))


def test_multiclass_balanced_accuracy_and_macro_j() -> None:
    recalls = [30 / 45, 20 / 35, 10 / 20]
    assert c.balanced_accuracy(THREE) == pytest.approx(sum(recalls) / 3)
    # each option against the others, which weigh equally: J_i = recall_i - mean_j P(i | j)
    shares = THREE / THREE.sum(1, keepdims=True)
    one_vs_rest = [shares[i, i] - np.delete(shares[:, i], i).mean() for i in range(3)]
    assert c.youden_j(THREE) == pytest.approx(np.mean(one_vs_rest))
    assert c.balanced_accuracy(THREE) == pytest.approx(2 / 3 * c.youden_j(THREE) + 1 / 3)


def test_absent_option_is_left_out_of_balanced_accuracy_and_counted_by_gwet() -> None:
    absent = np.array([[20, 5, 0], [10, 15, 0], [0, 0, 0]])
    assert c.balanced_accuracy(absent) == pytest.approx((0.8 + 0.6) / 2)
    assert c.macro_f1(absent) == pytest.approx(c.macro_f1(absent[:2, :2]))
    assert c.gwet_ac(absent) != pytest.approx(c.gwet_ac(absent[:2, :2]))


@pytest.mark.parametrize(
    ("coefficient", "table"),
    [
        (c.cohen_kappa, [[7, 0], [0, 0]]),
        (c.scott_pi, [[7, 0], [0, 0]]),
        (c.phi, [[7, 0], [0, 0]]),
        (c.phi, [[7, 0], [3, 0]]),
        (c.balanced_accuracy, [[7, 2], [0, 0]]),
        (c.youden_j, [[7, 2], [0, 0]]),
        (c.accuracy, [[0, 0], [0, 0]]),
        (lambda t: c.precision(t, positive=1), [[7, 0], [3, 0]]),
        (lambda t: c.f1(t, positive=1), [[7, 0], [0, 0]]),
    ],
)
def test_undefined_is_nan_inside(coefficient, table) -> None:
    assert np.isnan(coefficient(np.array(table)))


def test_weights() -> None:
    assert c.agreement_weights("linear", 3).tolist() == [[1, 0.5, 0], [0.5, 1, 0.5], [0, 0.5, 1]]
    assert c.agreement_weights("quadratic", 3)[0].tolist() == [1, 0.75, 0]
    assert c.agreement_weights("linear", 3, values=[1, 2, 11])[0].tolist() == [1, 0.9, 0]
    explicit = [[1, 0, 0.5], [0, 1, 0.5], [0.5, 0.5, 1]]
    # p_o = .6 + .5 * .2 ; p_e = .365 + .5 * (2 * .2 * .8)
    expected = (0.7 - (0.365 + 0.16)) / (1 - (0.365 + 0.16))
    assert c.cohen_kappa(THREE, explicit) == pytest.approx(expected)
    with pytest.raises(ValueError, match="quadratic or a matrix"):
        c.agreement_weights("cubic", 3)


def test_leading_axes() -> None:
    stack = np.stack([WORKED, RARE, np.zeros((2, 2))]).reshape(3, 1, 2, 2)
    kappa = c.cohen_kappa(stack)
    assert kappa.shape == (3, 1)
    assert kappa[0, 0] == pytest.approx(0.4)
    assert np.isnan(kappa[2, 0])
    with pytest.raises(ValueError, match="square"):
        c.accuracy(np.zeros((2, 3)))


def test_appendix_c_variances() -> None:
    """Var(kappa) = 16/25 and 504/625 at the paper's two points (times 1/N)."""
    matched = np.array([[0.4, 0.1], [0.1, 0.4]])
    drifted = np.array([[0.4, 0.1], [0.2, 0.3]])
    assert c.cohen_kappa_standard_error(matched) ** 2 == pytest.approx(16 / 25)
    assert c.cohen_kappa_standard_error(drifted) ** 2 == pytest.approx(504 / 625)


def gradient(function, p: np.ndarray) -> np.ndarray:
    """Central differences with respect to the four cells."""
    out = np.zeros(4)
    for cell in range(4):
        step = np.zeros(4)
        step[cell] = 1e-6
        up, down = (float(function((p + s * step).reshape(2, 2))) for s in (1, -1))
        out[cell] = (up - down) / 2e-6
    return out


def test_appendix_c_gradients_and_the_variance_of_phi() -> None:
    # eq. 3 and 5 with the negative rates written 1 - pi, off the simplex too, as the paper's
    def kappa(p: np.ndarray) -> float:
        people, judge = p[0].sum(), p[:, 0].sum()
        expected = people * judge + (1 - people) * (1 - judge)
        return (np.trace(p) - expected) / (1 - expected)

    def phi(p: np.ndarray) -> float:
        people, judge = p[0].sum(), p[:, 0].sum()
        return np.linalg.det(p) / np.sqrt(people * (1 - people) * judge * (1 - judge))

    matched = np.array([0.3, 0.1, 0.1, 0.5])
    difference = gradient(kappa, matched) - gradient(phi, matched)
    assert difference == pytest.approx(np.full(4, 5 / 6), abs=1e-6)
    drifted = np.array([0.4, 0.1, 0.2, 0.3])
    g = gradient(c.phi, drifted)
    variance = (g**2 * drifted).sum() - (g * drifted).sum() ** 2
    assert variance == pytest.approx(13 / 16, abs=1e-6)


def test_pooled_kappa_of_section_5_1_is_89() -> None:
    def table(rate: float, kappa: float) -> np.ndarray:
        off = (1 - kappa) * rate * (1 - rate)  # matched margins
        return np.array([[rate - off, off], [off, 1 - rate - off]])

    a, b = table(0.8, 0.9), table(0.05, 0.2)
    assert c.cohen_kappa(a) == pytest.approx(0.9)
    assert c.cohen_kappa(b) == pytest.approx(0.2)
    assert c.cohen_kappa(a + b) == pytest.approx(0.89, abs=5e-3)
    assert np.mean([c.cohen_kappa(a), c.cohen_kappa(b)]) == pytest.approx(0.55)
