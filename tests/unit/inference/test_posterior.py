"""Intervals: identities, edges, and the exact coverage of the proportion's."""

import numpy as np
import pytest
from scipy import stats

from goldassay.formulas import agreement as c
from goldassay.inference import posterior as iv


@pytest.mark.parametrize("method", ["wilson", "clopper_pearson"])
@pytest.mark.parametrize(("k", "n"), [(0, 10), (1, 1), (3, 17), (81, 263)])
def test_binomial_equals_scipy(method: iv.BinomialMethod, k: int, n: int) -> None:
    low, high = iv.binomial(k, n, method=method)
    theirs = stats.binomtest(k, n).proportion_ci(
        0.95, method="wilson" if method == "wilson" else "exact"
    )
    assert (float(low), float(high)) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


@pytest.mark.parametrize("level", [0.5, 0.8, 0.95, 0.99])
def test_hedged_lies_between_jeffreys_and_clopper_pearson(level: float) -> None:
    n = np.array([1, 2, 10, 30, 300])[:, None]
    k = np.minimum(np.arange(0, 301)[None, :], n)
    hedged, jeffreys, exact = (
        iv.binomial(k, n, confidence_level=level, method=method)
        for method in ("hedged", "jeffreys", "clopper_pearson")
    )
    assert np.all(exact[0] <= hedged[0] + 1e-12)
    assert np.all(hedged[0] <= jeffreys[0] + 1e-12)
    assert np.all(exact[1] >= hedged[1] - 1e-12)
    assert np.all(hedged[1] >= jeffreys[1] - 1e-12)


@pytest.mark.parametrize("n", [3, 5, 10, 20, 30, 50, 100, 300])
def test_hedged_covers_at_least_94_of_100_for_every_share(n: int) -> None:
    x = np.arange(n + 1)
    low, high = iv.binomial(x, n)
    share = np.concatenate([np.geomspace(1e-5, 0.05, 1500), np.linspace(0.05, 0.5, 1500)])
    within = (low[:, None] <= share) & (share <= high[:, None])
    coverage = (stats.binom.pmf(x[:, None], n, share) * within).sum(0)
    assert coverage.min() >= 0.94


def test_binomial_edges() -> None:
    low, high = iv.binomial([0, 5], [5, 5])
    assert low[0] == 0
    assert high[1] == 1
    assert np.isnan(iv.binomial(0, 0)[0])
    with pytest.raises(ValueError, match="between 0 and"):
        iv.binomial(6, 5)
    with pytest.raises(ValueError, match="is not a binomial interval"):
        iv.binomial(1, 5, method="wald")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="confidence_level"):
        iv.binomial(1, 5, confidence_level=95)


def draws(table, size: int = 20_000) -> iv.HedgedDraws:
    cells = np.asarray(table, dtype=float)
    one_decision = np.zeros((cells.size, *cells.shape))
    one_decision.reshape(cells.size, -1)[np.arange(cells.size), np.arange(cells.size)] = 1
    return iv.hedged_draws(one_decision, cells.ravel(), draws=size, seed=1, clustered=False)


def test_accuracy_of_the_table_is_the_proportion() -> None:
    table = [[37, 3], [4, 6]]
    interval = iv.hedged_interval(c.accuracy, draws(table, 100_000), 0.86, confidence_level=0.95)
    low, high = iv.binomial(43, 50)
    assert interval is not None
    assert (interval.low, interval.high) == pytest.approx((float(low), float(high)), abs=2e-3)


def test_a_perfect_judge_has_an_interval_with_width_that_ends_at_one() -> None:
    interval = iv.hedged_interval(
        c.cohen_kappa, draws([[5, 0], [0, 25]]), 1.0, confidence_level=0.95
    )
    assert interval is not None
    assert interval.high == 1
    assert 0.2 < interval.low < 0.8


def test_clusters_of_one_decision_and_counts_agree() -> None:
    table = np.array([[20.0, 5], [4, 21]])
    one = np.eye(4).reshape(4, 2, 2)[np.repeat(np.arange(4), table.ravel().astype(int))]
    long = iv.hedged_draws(one, np.ones(50), draws=40_000, seed=2, clustered=False)
    short = draws(table, 40_000)
    for statistic in (c.cohen_kappa, c.balanced_accuracy):
        value = float(statistic(table))
        a = iv.hedged_interval(statistic, long, value, confidence_level=0.95)
        b = iv.hedged_interval(statistic, short, value, confidence_level=0.95)
        assert a is not None
        assert b is not None
        assert (a.low, a.high) == pytest.approx((b.low, b.high), abs=0.01)


def test_copies_of_a_decision_within_a_cluster_add_no_certainty() -> None:
    rng = np.random.default_rng(0)
    cells = np.eye(4).reshape(4, 2, 2)[rng.choice(4, size=60, p=[0.4, 0.1, 0.1, 0.4])]
    value = float(c.accuracy(cells.sum(0)))
    lengths = []
    for copies in (1, 10):
        drawn = iv.hedged_draws(cells * copies, np.ones(60), draws=4000, seed=1, clustered=True)
        interval = iv.hedged_interval(c.accuracy, drawn, value, confidence_level=0.95)
        assert interval is not None
        lengths.append(interval.length)
    assert lengths[1] == pytest.approx(lengths[0], rel=0.02)


def test_one_cluster_has_no_interval() -> None:
    drawn = iv.hedged_draws(np.ones((1, 2, 2)), [1], draws=200, seed=1, clustered=True)
    assert iv.hedged_interval(c.accuracy, drawn, 0.5, confidence_level=0.95) is None


def test_appendix_c_variances() -> None:
    """Var(kappa) = 16/25 and 504/625 at the paper's two points (times 1/N)."""
    matched = np.array([[0.4, 0.1], [0.1, 0.4]])
    drifted = np.array([[0.4, 0.1], [0.2, 0.3]])
    assert iv.cohen_kappa_standard_error(matched) ** 2 == pytest.approx(16 / 25)
    assert iv.cohen_kappa_standard_error(drifted) ** 2 == pytest.approx(504 / 625)


def test_same_seed_same_interval() -> None:
    a, b = draws([[9, 2], [3, 8]], 500), draws([[9, 2], [3, 8]], 500)
    assert np.array_equal(a.lower, b.lower)
    assert np.array_equal(a.upper, b.upper)


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


def test_a_group_without_decisions_is_drawn_without_a_warning() -> None:
    counts = np.zeros((3, 2, 2, 2))
    counts[:, 0] = [[2, 1], [0, 1]]
    drawn = iv.hedged_draws(counts, np.ones(3, int), draws=50, seed=1, clustered=True)
    assert np.isfinite(drawn.lower).all()
