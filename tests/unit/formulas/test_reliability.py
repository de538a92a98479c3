"""Several raters: hand arithmetic, identities, missing ratings."""

import numpy as np
import pytest

from goldassay.formulas import agreement as c
from goldassay.formulas import reliability as rel
from goldassay.inference.clusters import distinct_clusters


def test_tally_counts_the_ratings_of_each_unit() -> None:
    # -1 is missing, 7 is no option of three
    counts = rel.tally([[0, 1, -1, 0], [0, 2, 1, 0], [0, -1, -1, 7]], 3)
    assert counts.tolist() == [[3, 0, 0], [0, 1, 1], [0, 1, 0], [2, 0, 0]]


def test_coincidences_of_one_unit() -> None:
    # three ratings a, a, b: pairs aa 2, ab 2, ba 2, over m - 1 = 2
    assert rel.coincidences([[2, 1]])[0].tolist() == [[1, 1], [1, 0]]
    assert not rel.coincidences([[0, 1]]).any()


def test_two_raters_reduce_to_scott_and_cohen() -> None:
    table = np.array([[20, 5], [10, 15]])
    codes = np.array([[a, b] for a in (0, 1) for b in (0, 1) for _ in range(table[a, b])]).T
    counts = rel.tally(codes, 2)
    sums = rel.pair_sums(counts).sum(0)
    margins = np.stack([np.bincount(rater, minlength=2) for rater in codes])
    assert rel.fleiss_kappa(sums) == pytest.approx(float(c.scott_pi(table)))
    assert rel.conger_kappa(sums, margins) == pytest.approx(float(c.cohen_kappa(table)))


def test_alpha_of_scores_is_interval_alpha() -> None:
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 4, size=(3, 30))
    codes[rng.random((3, 30)) < 0.2] = -1
    values = np.array([1.0, 2.0, 5.0, 9.0])
    scores = np.where(codes >= 0, values[codes], np.nan)
    ours = rel.krippendorff_alpha_of_scores(rel.score_sums(scores).sum(0))
    together = rel.coincidences(rel.tally(codes, 4)).sum(0)
    assert ours == pytest.approx(float(rel.krippendorff_alpha(together, "interval", values)))


def test_undefined_and_wrong() -> None:
    assert np.isnan(rel.krippendorff_alpha(np.diag([6.0, 0])))
    assert np.isnan(rel.krippendorff_alpha_of_scores(rel.score_sums([[2, 2.0], [2, 2]]).sum(0)))
    assert np.isnan(rel.conger_kappa(rel.pair_sums([[1, 0]]).sum(0), [[1, 0]]))
    with pytest.raises(ValueError, match="none of nominal"):
        rel.krippendorff_alpha(np.eye(2), "cubic")  # type: ignore[arg-type]


def test_alpha_of_margins_is_that_of_the_table() -> None:
    table = np.array([[20.0, 5.0], [10.0, 15.0]])
    both = table + table.T
    found = rel.krippendorff_alpha(c.Margins.of(both), "nominal")
    assert found == pytest.approx(rel.krippendorff_alpha(both, "nominal"))
    one_option = np.array([[50.0, 0.0], [0.0, 0.0]])
    assert np.isnan(rel.krippendorff_alpha(c.Margins.of(one_option), "nominal"))


def test_the_parts_of_several_tables_are_the_parts_of_each() -> None:
    counts = np.array([[[2, 1], [0, 1]], [[0, 0], [3, 1]]])
    assert rel.pair_sums(counts) == pytest.approx(np.stack([rel.pair_sums(one) for one in counts]))


def test_the_standard_error_of_fleiss_is_gwets_unit_by_unit() -> None:
    """Gwet (2008); a unit that was rated once has no pair of its own."""
    counts = np.array([[3, 0], [2, 1], [0, 3], [1, 0], [2, 2], [0, 4], [1, 2]])
    shares = np.mean([row / row.sum() for row in counts], axis=0)
    chance = float(shares @ shares)
    paired = [row for row in counts if row.sum() > 1]
    agreeing = np.mean([(row * (row - 1)).sum() / (row.sum() * (row.sum() - 1)) for row in paired])
    kappa = (agreeing - chance) / (1 - chance)
    squares = 0.0
    for row in counts:
        m, own = row.sum(), 0.0
        if m > 1:
            share = (row * (row - 1)).sum() / (m * (m - 1))
            own = len(counts) / len(paired) * (share - chance) / (1 - chance)
        met = row / m @ shares
        squares += (own - 2 * (1 - kappa) * (met - chance) / (1 - chance) - kappa) ** 2
    expected = np.sqrt(squares / (len(counts) * (len(counts) - 1)))
    assert rel.fleiss_kappa_standard_error(counts) == pytest.approx(expected, rel=1e-12)
    with_one_unrated = np.vstack([counts, [[0, 0]]])
    assert rel.fleiss_kappa_standard_error(with_one_unrated) == pytest.approx(expected, rel=1e-12)


def test_merging_equal_units_changes_nothing() -> None:
    counts = np.random.default_rng(3).integers(0, 3, (60, 3))
    patterns, times = distinct_clusters(counts, np.ones(60, np.int64))
    assert len(patterns) < 60
    short = np.tensordot(times, rel.coincidences(patterns), axes=1)
    assert np.allclose(rel.coincidences(counts).sum(0), short)
    assert np.allclose(rel.pair_sums(counts).sum(0), times @ rel.pair_sums(patterns))
