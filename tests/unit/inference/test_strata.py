"""Tables whose decisions were labelled within strata of known size."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from goldassay.counts.modes import LabelDraw, Tables
from goldassay.inference.cells import Cells
from goldassay.inference.cluster_spread import ClusterSpread
from goldassay.inference.draw import Draw
from goldassay.inference.proportions import binomial_interval
from goldassay.inference.strata import Strata, StratifiedDraws, stratified_draws
from goldassay.metrics.registry import TABLE_METRICS
from goldassay.metrics.tables import Counted, Setting
from goldassay.questions.agree.judges import counted
from goldassay.results import Interval

Ints = NDArray[np.int64]
SETTING = Setting("binary", 2, 0, np.eye(2), "unweighted")


def tables(labelled: Ints, pool: Ints, cluster: Ints | None = None) -> Tables:
    """Items of the verdicts 0 and 1: `labelled[v, r]` of each label, and `pool[v]` in all. Without
    clusters equal items are one pattern; else `cluster` has that of each item, in this order."""
    rows = [(v, r, True, int(labelled[v, r])) for v in (0, 1) for r in (0, 1)]
    rows += [(v, 0, False, int(pool[v] - labelled[v].sum())) for v in (0, 1)]
    verdict, label, rated, n = (np.array(one) for one in zip(*rows, strict=True))
    if cluster is not None:
        verdict, label, rated = (np.repeat(one, n) for one in (verdict, label, rated))
        n = np.ones(len(verdict), np.int64)
    stands = (pool / labelled.sum(1))[verdict] * labelled.sum() / pool.sum()
    owner = np.flatnonzero(rated)
    cells = Cells(
        owner, np.zeros(len(owner), np.int64), label[rated], verdict[rated], stands[rated],
        (len(n), 1, 2),
    )  # fmt: skip
    draw = LabelDraw(verdict.astype(np.int64), rated.astype(bool), stands)
    where = np.arange(len(n)) if cluster is None else cluster
    return Tables(("yes", "no"), 2, cells, n, where, cluster is None, draw=draw)


def of(found: Tables, draws: int = 4_000) -> Counted:
    made = counted(found, SETTING, Draw(draws, 1, 0.95))
    assert made is not None
    return made


def interval(found: Counted, name: str) -> Interval:
    metric = TABLE_METRICS[name]
    made = metric.interval(found, float(metric.compute(found.table, SETTING)), 0.95)
    assert made is not None
    return made


LABELLED, POOL = np.array([[45, 15], [4, 56]]), np.array([200, 1_800])


def test_a_share_within_one_stratum_is_that_of_its_labels() -> None:
    """Of what the judge flags, how much is right: labels of other verdicts tell nothing of it."""
    ends, plain = (
        interval(of(tables(LABELLED, POOL)), "precision"),
        binomial_interval(45, 60, confidence_level=0.95),
    )
    assert ends.low == pytest.approx(plain.low, abs=0.01)
    assert ends.high == pytest.approx(plain.high, abs=0.01)


def test_the_judges_own_rate_is_known_from_all_items() -> None:
    ends = interval(of(tables(LABELLED, POOL)), "verdict_rate")
    plain = binomial_interval(200, 2_000, confidence_level=0.95)
    assert ends.low == pytest.approx(plain.low, abs=0.004)
    assert ends.high == pytest.approx(plain.high, abs=0.004)


def test_draws_are_around_the_stratified_table() -> None:
    found = of(tables(LABELLED * 50, POOL * 50))
    expected = (LABELLED / LABELLED.sum(1, keepdims=True) * POOL[:, None]).T
    mean = np.asarray(found.drawn.lower).mean(0)
    np.testing.assert_allclose(mean / mean.sum(), expected / expected.sum(), atol=2e-3)
    np.testing.assert_allclose(found.table / found.table.sum(), expected / expected.sum())


def test_pseudo_counts_go_where_a_statistic_hangs_on_the_labels() -> None:
    """False alarms among the few flagged items say nothing of sensitivity's misses."""
    found = of(tables(LABELLED, POOL)).drawn
    whole = found.leaning(lambda t: t[..., 0, 0] / t[..., 0, :].sum(-1))
    share = whole.leaning(lambda t: t[..., 0, 0] / t[..., :, 0].sum(-1))

    def flagged(drawn: object) -> float:
        table = np.asarray(drawn.lower)  # type: ignore[attr-defined]
        return float((table[:, 1, 0] / table[:, :, 0].sum(-1)).mean())

    assert flagged(share) > flagged(whole)


def test_clusters_that_hang_together_lengthen_the_interval() -> None:
    """Whole clusters of one cell: 40 items of each are worth one."""
    alone = interval(of(tables(LABELLED, POOL)), "accuracy")
    number = int(POOL.sum())
    apart = interval(of(tables(LABELLED, POOL, np.arange(number))), "accuracy")
    together = interval(of(tables(LABELLED, POOL, np.arange(number) // 10)), "accuracy")
    assert apart.high - apart.low == pytest.approx(alone.high - alone.low, rel=0.12)
    assert together.high - together.low > 1.5 * (alone.high - alone.low)


def test_what_clusters_know_does_not_hang_on_the_unit_of_worth() -> None:
    strata = tables(LABELLED, POOL, np.arange(int(POOL.sum())) // 10).strata
    assert strata is not None
    spreads = []
    for times in (1.0, 5.0):
        worth = replace(strata, worth=times * strata.worth)
        drawn = stratified_draws(worth, draws=50, seed=3, clustered=True, n_clusters=200)
        spread = drawn.leaning(
            lambda table: TABLE_METRICS["accuracy"].compute(table, SETTING)
        ).spread
        assert spread is not None
        spreads.append([spread.degrees, spread.stretch])
    assert spreads[0] == pytest.approx(spreads[1], rel=1e-3)  # slopes are taken by small steps


def spread_of(cluster: Ints) -> ClusterSpread:
    strata = tables(LABELLED, POOL, cluster).strata
    assert strata is not None
    drawn = stratified_draws(
        strata, draws=50, seed=3, clustered=True, n_clusters=len(np.unique(cluster))
    )
    found = drawn.leaning(lambda table: TABLE_METRICS["accuracy"].compute(table, SETTING)).spread
    assert found is not None
    return found


def test_labels_of_large_clusters_that_are_righter_reach_further_on_one_side() -> None:
    """Errors lie alone, and what is right in clusters of five to fifteen; or all lies alone."""
    right, number = np.repeat([1, 0, 0, 1, 1], [45, 15, 4, 56, 1_880]), np.arange(2_000)
    together = np.where(right == 1, np.cumsum(np.isin(number % 30, (0, 5, 15))), 10_000 + number)
    by_size, alone = spread_of(np.unique(together, return_inverse=True)[1]), spread_of(number)
    assert (alone.down, alone.up) == (1.0, 1.0)
    assert by_size.down == 1.0
    assert 1.1 < by_size.up < 1.5


def test_the_same_seed_gives_the_same_draws_and_too_many_cells_none() -> None:
    strata = tables(LABELLED, POOL).strata
    assert strata is not None
    one, two = (
        stratified_draws(strata, draws=50, seed=3, clustered=False, n_clusters=120)
        for _ in range(2)
    )
    np.testing.assert_array_equal(one.lower, two.lower)
    names = tuple(map(str, range(40)))
    size = np.arange(1_600)
    cells = Cells(size, 0 * size, size % 40, size // 40, np.ones(1_600), (1_600, 1, 40))
    draw = LabelDraw(size // 40, np.ones(1_600, bool), np.ones(1_600))
    assert Tables(names, 40, cells, np.ones(1_600, int), size, True, draw=draw).strata is None


def square_and_add(hits: Ints, labels: Ints, pool: Ints) -> tuple[float, float]:
    """A share of all items by Wilson's limits within strata, whose sizes vary too (Newcombe)."""
    z = 1.96
    middle = (hits + z**2 / 2) / (labels + z**2)
    reach = z / (labels + z**2) * np.sqrt(hits * (labels - hits) / labels + z**2 / 4)
    weight, share = pool / pool.sum(), hits / labels
    value = float(weight @ share)
    sizes = z**2 * float(weight @ (share - value) ** 2) / pool.sum()
    below, above = (weight**2 @ (share - end) ** 2 for end in (middle - reach, middle + reach))
    return value - float(np.sqrt(below + sizes)), value + float(np.sqrt(above + sizes))


def test_intervals_cover_and_are_hardly_longer_than_the_shortest_named_ones() -> None:
    """A fifth is flagged, of which 75 % are so, and 4 % of the rest; 60 and 40 labels.

    A share of all items is held against square-and-add, one of the flagged items against Wilson's
    interval of their labels, and what neither gives against unequal weights. None may be 1.15 times
    as long as such a rival, which must cover on the same draws to count.
    """
    rng, runs, names = np.random.default_rng(7), 150, ("accuracy", "precision", "sensitivity")
    joint = np.array([[0.2 * 0.75, 0.8 * 0.04], [0.2 * 0.25, 0.8 * 0.96]])
    truth = [float(TABLE_METRICS[name].compute(joint, SETTING)) for name in names]
    held, length = np.zeros((2, 3)), np.zeros((2, 3))
    for _ in range(runs):
        flagged = rng.binomial(800, 0.2)
        pool, labels = np.array([flagged, 800 - flagged]), np.array([60, 40])
        yes = rng.binomial(labels, [0.75, 0.04])
        found = tables(np.stack([yes, labels - yes], 1), pool)
        plain = Tables(found.labels, 2, found.cells, found.n, found.cluster, True)
        weighted = interval(of(plain, 500), "sensitivity")
        rivals = (
            square_and_add(np.array([yes[0], 40 - yes[1]]), labels, pool),
            square_and_add(yes[:1], labels[:1], pool[:1]),
            (weighted.low, weighted.high),
        )
        ours = [(one.low, one.high) for one in (interval(of(found, 500), name) for name in names)]
        for side, ends in enumerate((ours, rivals)):
            for at, (low, high) in enumerate(ends):
                held[side, at] += low <= truth[at] <= high
                length[side, at] += high - low
    assert (held / runs >= 0.91).all()
    assert (held[0] / runs < 1.0).any()
    assert (length[0] < 1.15 * length[1]).all()


def test_an_option_that_the_judge_never_says_may_be_said_yet() -> None:
    """No verdict of 40 is c, which 6 of 20 labels are: none of 40 leaves some of all to be."""
    strata = Strata(
        cells=np.vstack([np.eye(4), np.zeros((2, 4))]),
        rated=np.array([[1.0, 0], [0, 1], [1, 0], [0, 1], [0, 0], [0, 0]]),
        pool=np.array([[1.0, 0], [0, 1], [1, 0], [0, 1], [1, 0], [0, 1]]),
        times=np.array([7, 7, 3, 3, 10, 10]),
        stratum=np.array([0, 1, 0, 1]),
        row=np.array([0, 1, 2, 2]),
        column=np.array([0, 1, 0, 1]),
        size=3,
        worth=np.ones(2),
    )
    assert strata.unsaid.tolist() == [2]
    drawn = stratified_draws(strata, draws=4_000, seed=1, clustered=False, n_clusters=40)

    def recall(table: NDArray[np.float64]) -> NDArray[np.float64]:
        return table[..., 2, 2] / table[..., 2, :].sum(-1)

    lower, upper = drawn.leaning(recall).of(recall)
    assert np.quantile(lower, 0.025) < 0.01
    # Some 3.7 of 40 at most have the verdict, and .3 of them the label.
    assert 0.15 < np.quantile(upper, 0.975) < 0.45


def test_where_every_option_is_said_nothing_is_added() -> None:
    found = of(tables(LABELLED, POOL), 100).drawn
    assert isinstance(found, StratifiedDraws)
    assert found.unsaid is None
