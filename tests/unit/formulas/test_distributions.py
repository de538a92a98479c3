"""Hand arithmetic for the metrics of table 1 and the downstream measures."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.distance import jensenshannon

from goldassay.formulas import distributions as m
from goldassay.formulas.rating_vectors import Side, hard, hard_response_set, normalised
from goldassay.questions.audit.evaluate import columns, values

PEOPLE = np.array([[0.6, 0.4], [0.2, 0.8], [0.9, 0.1]])
JUDGE = np.array([[0.5, 0.5], [0.3, 0.7], [0.7, 0.3]])


def test_divergences_of_a_known_pair() -> None:
    # KL and cross-entropy: scipy 1.17 rel_entr and entropy; the root of JSD: scipy jensenshannon.
    assert m.kl_divergence(JUDGE, PEOPLE).mean() == pytest.approx(0.0540631, abs=5e-8)
    assert m.cross_entropy(JUDGE, PEOPLE).mean() == pytest.approx(0.5535621, abs=5e-8)
    assert np.sqrt(m.jensen_shannon(JUDGE, PEOPLE)).mean() == pytest.approx(0.1110246, abs=5e-8)
    assert m.mean_squared_error(JUDGE, PEOPLE).mean() == pytest.approx(0.04)


def test_a_logarithm_of_zero_is_infinite_unless_smoothed() -> None:
    sure, unsure = np.array([1.0, 0.0]), np.array([0.5, 0.5])
    assert m.kl_divergence(sure, unsure) == np.inf
    assert m.kl_divergence(unsure, sure) == pytest.approx(np.log(2))
    # judge (.9, .1) after a fifth of even ratings; people stay (.5, .5)
    expected = 0.5 * np.log(0.5 / 0.9) + 0.5 * np.log(0.5 / 0.1)
    assert m.kl_divergence(sure, unsure, smoothing=0.2) == pytest.approx(expected)
    assert m.jensen_shannon(sure, np.array([0.0, 1.0])) == pytest.approx(np.log(2))


def test_the_divergence_from_a_sure_judge_is_that_of_any_judge() -> None:
    """One option on every item has a formula of its own; SciPy's has not."""
    rng = np.random.default_rng(5)
    for size in (2, 3, 6):
        people = rng.dirichlet(np.full(size, 0.5), 40)
        people[:size] = np.eye(size)
        judge = np.eye(size)[rng.integers(0, size, 40)]
        wanted = jensenshannon(judge, people, axis=1) ** 2
        np.testing.assert_allclose(m.jensen_shannon(judge, people), wanted, rtol=0, atol=1e-14)
    people[0] = np.nan
    assert np.isnan(m.jensen_shannon(judge, people)).nonzero()[0].tolist() == [0]


def test_binary_cross_entropy_sums_the_options() -> None:
    judge, people = np.array([0.8, 0.3]), np.array([1.0, 0.0])
    assert m.binary_cross_entropy(judge, people) == pytest.approx(-np.log(0.8) - np.log(0.7))


def test_sets() -> None:
    judge = np.array([[1.0, 0, 0], [1, 1, 0], [0, 0, 0]])
    people = np.array([[1.0, 1, 0], [0, 1, 1], [1, 0, 0]])
    np.testing.assert_array_equal(m.coverage(judge, people), [1, 1, 0])
    np.testing.assert_allclose(m.recall(judge, people), [0.5, 0.5, 0])
    np.testing.assert_allclose(m.precision(judge, people), [1, 0.5, np.nan])
    np.testing.assert_array_equal(m.predictive_efficiency(judge, people), [1, 2, 0])


def test_downstream() -> None:
    judge = np.array([[0.5, 0.5], [0.2, 0.8]])
    people = np.array([[0.4, 0.6], [0.1, 0.9]])
    consistency = m.decision_consistency(judge, people, option=0, threshold=0.5)
    np.testing.assert_array_equal(consistency, [0, 1])
    np.testing.assert_array_equal(m.estimation_bias(judge, people, option=0, threshold=0.5), [1, 0])
    # a threshold met exactly counts, however the share was rounded: .1 + .2 >= .3, .7 >= 1 - .3
    share = np.array([[0.1 + 0.2, 1 - 0.3]])
    assert m.positive(share, 0, 0.3) == 1
    assert m.positive(share, 1, 0.7) == 1


def test_a_level_vote_is_half_a_decision_where_that_is_declared() -> None:
    judge = np.array([[0.5, 0.5], [0.5, 0.5], [0.1 + 0.4, 0.5], [1.0, 0.0], [np.nan, np.nan]])
    people = np.array([[1.0, 0.0], [1 / 3, 2 / 3], [0.5, 0.5], [0.5, 0.5], [1.0, 0.0]])
    np.testing.assert_array_equal(m.decision(judge, 0, 0.5), [0.5, 0.5, 0.5, 1, np.nan])
    half, soft = m.decision_rule("half"), (("s", "s"),)
    both = [{k.name: k for k in m.downstream((o,), "", (0.5,), soft, decide=half)} for o in (0, 1)]
    consistency, bias = (
        [one[name].per_item(judge[:, [o]], people[:, [o]]) for o, one in enumerate(both)]  # type: ignore[misc]
        for name in ("decision_consistency", "estimation_bias")
    )
    np.testing.assert_array_equal(consistency[0], [0.5, 0.5, 1, 0.5, np.nan])
    np.testing.assert_array_equal(consistency[1], consistency[0])
    np.testing.assert_array_equal(bias[0], [-0.5, 0.5, 0, 0.5, np.nan])
    np.testing.assert_array_equal(bias[1], -bias[0])
    # The paper's own function takes a side, which is the default; so does another threshold.
    plain = {k.name: k for k in m.downstream((0,), "", (0.5,), soft)}["estimation_bias"].per_item
    np.testing.assert_array_equal(plain(judge[:, [0]], people[:, [0]]), [0, 1, 0, 0, np.nan])  # type: ignore[misc]
    assert m.decision(np.array([[0.3, 0.7]]), 0, 0.3) == 1
    assert m.positive(judge, 0, 0.5)[0] == 1


def test_win_rate_counts_ties_as_half() -> None:
    judge, people = np.array([[1.0, 0, 0]]), np.array([[0.5, 0.25, 0.25]])
    # judge 1; people .5 + .25 / 2
    assert m.win_rate_bias(judge, people, option=0, tie=2)[0] == pytest.approx(0.375)


def test_hard_aggregation_and_its_ties() -> None:
    shares = np.array([[0.5, 0.3, 0.2], [0.4, 0.4, 0.2], [np.nan] * 3])
    np.testing.assert_array_equal(hard(shares)[0], [1, 0, 0])
    assert np.isnan(hard(shares)[1:]).all()
    np.testing.assert_array_equal(hard(shares, ties="half")[1], [0.5, 0.5, 0])
    assert np.isnan(hard(shares, ties="half")[2]).all()
    np.testing.assert_array_equal(hard_response_set(shares, threshold=0.4)[1], [1, 1, 0])


def test_no_rating_is_not_a_number() -> None:
    np.testing.assert_array_equal(normalised([[2, 2], [0, 0]]), [[0.5, 0.5], [np.nan, np.nan]])


def test_aggregations_are_known_by_name() -> None:
    with pytest.raises(ValueError, match="h, s, hrs, srs"):
        Side(PEOPLE, PEOPLE)["soft"]


def test_table_1_is_whole() -> None:
    found = {(d.name, d.aggregation) for d in m.table_1()}
    for name in ("hit_rate", "krippendorff_alpha", "fleiss_kappa", "cohen_kappa", "scott_pi"):
        assert (name, "h/h") in found
    for name in ("kl_divergence", "cross_entropy", "jensen_shannon"):
        assert (name, "s/s") in found
    assert ("coverage", "h/hrs") in found
    assert ("predictive_efficiency", "hrs/-") in found
    assert len([1 for name, _ in found if name == "mean_squared_error"]) == 16
    assert len(found) == 48


def test_all_definitions_at_once_are_the_formulas() -> None:
    rng = np.random.default_rng(0)
    judge = Side(*(rng.dirichlet(np.ones(3), (2, 40)) for _ in range(2)))
    human = Side(*(rng.dirichlet(np.ones(3), 40) for _ in range(2)))
    definitions = m.table_1() + m.downstream((1,), "b", (0.3, 0.5), (("s", "s"), ("srs", "srs")))
    cluster = np.repeat(np.arange(20), 2)
    weights = rng.multinomial(20, np.full(20, 0.05), size=3).astype(float)
    counted = columns(definitions, judge, human, cluster, np.ones(20, int))
    found = values(definitions, counted, weights)
    alone = values(definitions, columns(definitions, judge, human, np.arange(40), np.ones(40, int)))
    np.testing.assert_allclose(values(definitions, counted), alone)
    rows = np.concatenate([np.repeat(np.arange(40), w[cluster].astype(int)) for w in weights[:1]])
    for d, one in enumerate(definitions):
        if one.per_item is None:
            continue
        name = one.human if one.human != "-" else "s"
        some = slice(None) if one.counted is None else list(one.counted)
        own, people = judge[one.judge][1][:, some], human[name][:, some]
        by_rows = one.per_item(own[rows], people[rows])
        if np.isinf(one.per_item(own, people)).any():
            assert np.isnan(found[:, d, 1]).all()  # undefined in every resample
        else:
            assert found[0, d, 1] == pytest.approx(np.nanmean(by_rows)), one.label


def test_what_is_equal_is_evaluated_and_resampled_once() -> None:
    # One option named on every item: the four aggregations of either side are one vector.
    seen = []

    def squared(judge: m.Array, human: m.Array) -> m.Array:
        seen.append(1)
        return m.mean_squared_error(judge, human)

    every = ("h", "s", "hrs", "srs")
    definitions = [m.Definition("e", j, h, "lower", squared) for j in every for h in every]
    judge, human = (np.eye(2)[[0, 1, 1, 0]], np.eye(2)[[0, 1, 0, 1]])
    one, other = Side(judge[None], judge[None]), Side(human, human)
    counted = columns(definitions, one, other, np.arange(4), np.ones(4, int))
    assert len(seen) == 1
    assert len(counted.parts) == 2  # the sum, and the number of items
    np.testing.assert_array_equal(values(definitions, counted), np.ones((16, 1)))


def test_chance_corrected_coefficients_of_the_hard_ratings() -> None:
    krippendorff = pytest.importorskip("krippendorff")
    sklearn = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(3)
    judge, people = rng.integers(0, 3, 60), rng.integers(0, 3, 60)
    judge[:30] = people[:30]
    sides = [Side(np.eye(3)[one], np.eye(3)[one]) for one in (judge, people)]
    definitions = m.table_1()
    one = Side(sides[0].forced[None], sides[0].omega[None])
    found = values(
        definitions, columns(definitions, one, sides[1], np.arange(60), np.ones(60, int))
    )
    by_name = {d.name: found[i, 0] for i, d in enumerate(definitions) if d.of_table}
    assert by_name["cohen_kappa"] == pytest.approx(sklearn.cohen_kappa_score(judge, people))
    alpha = krippendorff.alpha(
        reliability_data=np.stack([judge, people]), level_of_measurement="nominal"
    )
    assert by_name["krippendorff_alpha"] == pytest.approx(alpha)
    assert by_name["fleiss_kappa"] == by_name["scott_pi"]


@pytest.mark.parametrize(
    ("name", "judge", "human", "expected"),
    [
        ("mean_squared_error", "s", "h", (0.0, 2.0)),  # (1, 0, 0) and (0, 1, 0)
        ("mean_squared_error", "srs", "srs", (0.0, 3.0)),  # every option, and none
        ("predictive_efficiency", "hrs", "hrs", (0.0, 3.0)),
        ("hit_rate", "h", "h", (0.0, 1.0)),
        ("estimation_bias", "s", "s", (-1.0, 1.0)),
        ("kl_divergence", "s", "s", (0.0, np.inf)),
        ("jensen_shannon", "s", "s", (0.0, np.log(2))),
    ],
)
def test_what_a_definition_can_be_with_three_options(
    name: str, judge: str, human: str, expected: tuple[float, float]
) -> None:
    assert m.Definition(name, judge, human, "lower").support(3) == pytest.approx(expected)


def test_a_coefficient_of_a_table_is_from_minus_one_to_one() -> None:
    kappa = m.Definition("cohen_kappa", "h", "h", "higher", of_table=lambda table: table)
    assert kappa.support(3) == (-1.0, 1.0)


def test_table_1_smooths_what_has_a_logarithm() -> None:
    human, judge = np.array([[0.5, 0.5]]), np.array([[1.0, 0.0]])
    for name in ("kl_divergence", "cross_entropy"):
        values = []
        for smoothing in (0.0, 0.1):
            one = next(d for d in m.table_1(smoothing=smoothing) if d.name == name)
            assert one.per_item is not None
            values.append(one.per_item(judge, human))
        assert np.isinf(values[0]).all()
        assert np.isfinite(values[1]).all()
