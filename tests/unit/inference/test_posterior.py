"""The hedged posterior of a table: identities, clusters, edges."""

import tracemalloc
from dataclasses import astuple, replace

import numpy as np
import pytest

from goldassay.formulas import agreement as c
from goldassay.inference import posterior as iv
from goldassay.inference.bootstrap import exponential_weights
from goldassay.inference.cells import Cells
from goldassay.inference.proportions import binomial
from goldassay.metrics.tables import Setting


def draws(table, size: int = 20_000) -> iv.HedgedDraws:
    cells = np.asarray(table, dtype=float)
    one_decision = np.zeros((cells.size, *cells.shape))
    one_decision.reshape(cells.size, -1)[np.arange(cells.size), np.arange(cells.size)] = 1
    return iv.hedged_draws(one_decision, cells.ravel(), draws=size, seed=1, clustered=False)


def test_accuracy_of_the_table_is_the_proportion() -> None:
    table = [[37, 3], [4, 6]]
    interval = iv.hedged_interval(c.accuracy, draws(table, 100_000), 0.86, confidence_level=0.95)
    low, high = binomial(43, 50)
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


def test_same_seed_same_interval() -> None:
    a, b = draws([[9, 2], [3, 8]], 500), draws([[9, 2], [3, 8]], 500)
    assert np.array_equal(a.lower, b.lower)
    assert np.array_equal(a.upper, b.upper)


def test_a_group_without_decisions_is_drawn_without_a_warning() -> None:
    counts = np.zeros((3, 2, 2, 2))
    counts[:, 0] = [[2, 1], [0, 1]]
    drawn = iv.hedged_draws(counts, np.ones(3, int), draws=50, seed=1, clustered=True)
    assert np.isfinite(drawn.lower).all()


def test_each_option_of_a_mean_over_options_has_half_a_pseudo_count() -> None:
    empty = np.zeros((4000, 5, 5))
    leaning = iv.leaning_on_each_option(iv.HedgedDraws(empty, empty, 1, False))
    # 1/2 - 1/5 on top of the fifth that each has; nothing elsewhere, nothing at the lower end.
    np.testing.assert_allclose(leaning.upper.mean(0), 0.3 * np.eye(5), atol=0.05)
    assert leaning.lower is empty
    two = iv.HedgedDraws(empty[:, :2, :2], empty[:, :2, :2], 1, False)
    assert iv.leaning_on_each_option(two) is two


# --- many options -----------------------------------------------------------------------------


def many_options(size: int, items: int, *, cluster: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Clusters of decisions among many options, seven of ten of them right."""
    rng = np.random.default_rng(6)
    reference = rng.integers(size, size=items)
    verdict = np.where(rng.random(items) < 0.7, reference, rng.integers(size, size=items))
    tables = np.zeros((items // cluster, size, size))
    np.add.at(tables, (np.arange(items) // cluster, reference, verdict), 1)
    return tables, np.ones(len(tables), np.int64)


@pytest.mark.parametrize("cluster", [1, 4])
def test_margins_of_many_options_are_drawn_as_whole_tables_are(
    cluster: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables, times = many_options(20, 400, cluster=cluster)
    weights = c.agreement_weights("linear", 20)
    classes = Setting("", 20, None, weights, "linear")
    drawn, ends = {}, {}
    for most in (16, 20):  # margins, and whole tables
        monkeypatch.setattr(iv, "MOST_OPTIONS", most)
        drawn[most] = iv.hedged_draws(
            tables, times, draws=6000, seed=1, clustered=cluster > 1, prior=iv.Prior(classes)
        )
    assert isinstance(drawn[16].lower, c.Margins)
    assert drawn[16].tables is not None
    assert isinstance(drawn[20].lower, np.ndarray)
    assert drawn[16].n_clusters == drawn[20].n_clusters
    assert (drawn[16].spread is None) == (drawn[20].spread is None) == (cluster == 1)
    if cluster > 1:
        spreads = [astuple(one.spread) for one in drawn.values()]
        assert spreads[0] == pytest.approx(spreads[1], rel=1e-12)
    for statistic in (
        c.accuracy,
        c.cohen_kappa,
        c.balanced_accuracy,
        c.gwet_ac,
        c.macro_f1,
        lambda t: c.cohen_kappa(t, weights),
    ):
        value = float(statistic(tables.sum(0)))
        for most, one in drawn.items():
            ends[most] = iv.hedged_interval(statistic, one, value, confidence_level=0.95)
        near, whole = ends[16], ends[20]
        assert near is not None
        assert whole is not None
        # Quantiles of 6,000 draws: their own error is about 3 % of the interval's width.
        width = whole.high - whole.low
        assert near.low == pytest.approx(whole.low, abs=0.1 * width)
        assert near.high == pytest.approx(whole.high, abs=0.1 * width)


def test_who_reads_every_cell_reads_the_same_draws() -> None:
    tables, times = many_options(20, 300)
    drawn = iv.hedged_draws(tables, times, draws=300, seed=4, clustered=False)
    for statistic in (c.accuracy, c.phi):
        margins = drawn.of(statistic)
        whole = drawn.of(statistic, every_cell=True)
        np.testing.assert_allclose(margins, whole, rtol=1e-10)


def test_draws_of_many_options_take_little_memory() -> None:
    tables, times = many_options(100, 600)
    cells = Cells.of(tables[:, None])
    tracemalloc.start()
    drawn = iv.hedged_draws(cells, times, draws=2000, seed=1, clustered=False)
    c.cohen_kappa(drawn.lower)
    peak = tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    assert peak < 80  # 2,000 tables of 100 options are 153 MB, twice


def test_tables_of_the_same_clusters_share_weights_that_are_drawn_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tables, times = many_options(3, 90)
    calls = []

    def counted(*args: object) -> np.ndarray:
        calls.append(args)
        return exponential_weights(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(iv, "exponential_weights", counted)
    shared = iv.SharedWeights(times, 400, 1)
    first, second = (shared.hedged(tables[:, None], clustered=False) for _ in range(2))
    assert len(calls) == 1
    assert (first.lower == second.lower).all()
    # Too many weights to be kept are drawn again, and are the same.
    monkeypatch.setattr(iv, "MOST_WEIGHTS", 0)
    again = iv.SharedWeights(times, 400, 1)
    assert (again.hedged(tables[:, None], clustered=False).lower == first.lower).all()
    # The weights are those of a draw of all tables at once, where no two clusters are merged.
    base = exponential_weights(times, 400, np.random.default_rng(1)) @ tables.reshape(90, 9)
    assert (first.lower.reshape(400, 9) >= base - 1e-9).all()


@pytest.mark.parametrize("size", [3, iv.MOST_OPTIONS + 2])
def test_a_shared_prior_adds_the_same_to_the_tables_of_all_groups(size: int) -> None:
    """Of two groups with the same tables, draws are the same; their mean varies as one does."""
    one = np.eye(size * size).reshape(-1, size, size)[[0, 1, size + 1]]
    counts, times = np.stack([one, one], 1), np.array([20, 3, 7])
    drawn, apart = (
        iv.hedged_draws(
            counts, times, draws=200, seed=1, clustered=False, prior=iv.Prior(shared=shared)
        )
        for shared in (True, False)
    )
    some_at_a_time = Cells.of(counts) if size > iv.MOST_OPTIONS else counts
    kept = iv.SharedWeights(times, 200, 1, shared_prior=True)
    for same in (drawn, kept.hedged(some_at_a_time, clustered=False)):
        for end in same.of(c.accuracy):
            assert np.allclose(end[:, 0], end[:, 1])
    for end in apart.of(c.accuracy):
        assert not np.allclose(end[:, 0], end[:, 1])


def _recall(t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return t[..., 1, 1], t[..., 1, :].sum(-1)


def test_a_recall_hangs_on_the_clusters_with_positives_alone() -> None:
    """Clusters of negatives, however many, tell nothing of it."""
    rng = np.random.default_rng(3)
    positives = np.zeros((12, 2, 2))
    positives[:, 1, 1] = rng.integers(2, 9, 12)
    positives[:, 1, 0] = 8 - positives[:, 1, 1]
    more = np.zeros((200, 2, 2))
    more[:, 0, 0] = 10
    lengths = []
    for counts in (np.concatenate([positives, more[:12]]), np.concatenate([positives, more])):
        times = np.ones(len(counts), np.int64)
        drawn = iv.hedged_draws(counts, times, draws=8000, seed=1, clustered=True)
        own = iv.share_draws(drawn, _recall, counts, times)
        assert own.held == 12
        assert own.n_clusters == len(counts)
        hits, of = _recall(counts.sum(0))
        interval = iv.hedged_interval(c.accuracy, own, hits / of, confidence_level=0.95)
        assert interval is not None
        lengths.append(interval.length)
    # But for the half of the pseudo-counts that weighs as the table's design effect does.
    assert lengths[0] == pytest.approx(lengths[1], rel=0.08)


def test_equal_weights_in_disguise_give_the_binomial_interval() -> None:
    """17 of 20 positives found, weights a millionth apart."""
    counts = np.zeros((50, 2, 2))
    weight = 1 + 1e-6 * np.arange(50)
    cell = np.repeat([3, 2, 0], [17, 3, 30])
    counts.reshape(50, 4)[np.arange(50), cell] = weight
    times = np.ones(50, np.int64)
    drawn = iv.hedged_draws(counts, times, draws=40_000, seed=1, clustered=True)
    own = iv.share_draws(drawn, _recall, counts, times)
    found = iv.hedged_interval(c.accuracy, own, 0.85, confidence_level=0.95)
    low, high = binomial(17, 20)
    assert found is not None
    assert (found.low, found.high) == pytest.approx((float(low), float(high)), abs=0.02)


def test_the_spread_of_accuracy_is_that_of_its_share() -> None:
    rng = np.random.default_rng(4)
    counts = rng.integers(0, 6, (9, 2, 2)).astype(float)
    times = np.ones(9, np.int64)
    drawn = iv.hedged_draws(counts, times, draws=100, seed=1, clustered=True)
    found = iv.spread_of(drawn, c.accuracy, counts, times).spread
    assert found is not None
    assert drawn.spread is not None
    # Derivatives by class: alike where both classes err as often, and near it elsewhere.
    assert found.degrees == pytest.approx(drawn.spread.degrees, rel=0.15)
    # Balanced accuracy hangs on the rarer class, whose clusters are fewer.
    counts[2:, 1] = 0
    drawn = iv.hedged_draws(counts, times, draws=100, seed=1, clustered=True)
    rare = iv.spread_of(drawn, c.balanced_accuracy, counts, times).spread
    assert rare is not None
    assert rare.degrees < 0.7 * found.degrees


def test_large_clusters_that_are_better_move_no_end_beyond_one() -> None:
    """The largest are all right: the upper end is further than without, and no share above 1."""
    sizes = np.array([2, 3, 3, 4, 5, 6, 8, 12, 30, 60])
    hits = np.array([1, 2, 1, 3, 3, 4, 6, 11, 30, 60])
    tables = np.zeros((len(sizes), 2, 2))
    tables[:, 0, 0], tables[:, 0, 1] = hits, sizes - hits
    times = np.ones(len(sizes), np.int64)
    drawn = iv.hedged_draws(tables, times, draws=2000, seed=1, clustered=True)
    value = float(hits.sum() / sizes.sum())
    found = iv.hedged_interval(c.accuracy, drawn, value, confidence_level=0.95)
    assert drawn.spread is not None
    assert drawn.spread.up > 1
    assert drawn.spread.down == 1
    plain = replace(drawn, spread=replace(drawn.spread, up=1.0))
    without = iv.hedged_interval(c.accuracy, plain, value, confidence_level=0.95)
    assert found is not None
    assert without is not None
    assert found.low == without.low
    assert without.high < found.high < 1


def test_large_clusters_that_are_worse_move_no_end_below_nought() -> None:
    """The same of errors: the lower end is as much further, and no share below 0."""
    sizes = np.array([2, 3, 3, 4, 5, 6, 8, 12, 30, 60])
    hits = sizes - np.array([1, 2, 1, 3, 3, 4, 6, 11, 30, 60])
    tables = np.zeros((len(sizes), 2, 2))
    tables[:, 0, 0], tables[:, 0, 1] = hits, sizes - hits
    drawn = iv.hedged_draws(tables, np.ones(10, np.int64), draws=2000, seed=1, clustered=True)
    value = float(hits.sum() / sizes.sum())
    assert drawn.spread is not None
    assert (drawn.spread.down > 1, drawn.spread.up) == (True, 1)
    plain = replace(drawn, spread=replace(drawn.spread, down=1.0))
    found, without = (
        iv.hedged_interval(c.accuracy, one, value, confidence_level=0.95) for one in (drawn, plain)
    )
    assert found is not None
    assert without is not None
    assert found.high == without.high
    assert 0 < found.low < without.low
