"""The synthetic experiments: their parts by hand, and the findings where they reproduce."""

from __future__ import annotations

import numpy as np
import pytest

from goldassay.lab.reproduce import no_gold_labels as paper
from goldassay.lab.reproduce import synthetic_judges as synthetic
from goldassay.results import Gathered


def test_response_sets_hold_every_option_alone() -> None:
    lambda_ = synthetic.response_sets(4, 10, np.random.default_rng(0))
    assert lambda_.shape == (4, 10)
    np.testing.assert_array_equal(lambda_[:, :4], np.eye(4))
    assert len({tuple(column) for column in lambda_.T}) == 10


def test_forced_choice_and_its_strength() -> None:
    lambda_ = np.array([[1.0, 0, 1], [0, 1, 1]])
    np.testing.assert_allclose(synthetic.forced_choice(lambda_, np.array(0.0))[:, 2], [0.5, 0.5])
    first = synthetic.forced_choice(lambda_, np.array(np.log(3)))
    np.testing.assert_allclose(first[:, 2], [0.75, 0.25])  # three to one for the first
    assert synthetic.strength_of(lambda_, 1.5) == pytest.approx(np.log(3), abs=0.02)
    assert synthetic.strength_of(lambda_, 0.5) == pytest.approx(-np.log(3), abs=0.02)
    assert synthetic.strength_of(np.eye(3), 2.0) == 0  # nothing to choose from


def test_lapses() -> None:
    lambda_ = np.array([[1.0, 0, 1], [0, 1, 1]])
    error = synthetic.lapses(lambda_, 0.3, 1.0)
    np.testing.assert_allclose(error.sum(0), 1)
    np.testing.assert_allclose(np.diag(error), 0.7)
    assert error[1, 0] == 0  # only sets with the first option are favoured
    np.testing.assert_allclose(synthetic.lapses(lambda_, 0.3, 0.0)[:, 0], [0.7, 0.15, 0.15])


def test_projection_onto_the_simplex() -> None:
    found = synthetic.simplex(np.array([[0.5, 0.7], [2.0, 0.0], [0.3, 0.3]]))
    np.testing.assert_allclose(found, [[0.4, 0.6], [1, 0], [0.5, 0.5]])


def test_people_are_recovered_from_all_their_forced_choices() -> None:
    rng = np.random.default_rng(0)
    setting = synthetic.Setting(people=1.5, error=0.2, skew=0.5)
    world = synthetic.draw_world(setting, 2, rng)
    whole = synthetic.sampled(world, None, rng)
    np.testing.assert_allclose(whole.omega[:, 0], world.omega_stable, atol=1e-9)


def test_the_case_study_bears_out_findings_5_to_7() -> None:
    found, prevalence = paper.case_study(np.random.default_rng(1))
    assert len(set(found.selected[0].tolist())) > 1
    assert len(set(found.selected[:, 0].tolist())) == 1
    assert found.cost[-1, 0] > 0.3
    # thresholds and shares by hand: .36 + .2 x .6 = .48, .36 + .3 x .6 = .54 of the 40 % stratum
    np.testing.assert_allclose(prevalence[:, 1], [0, 0, 0.2, 0.2, 0.4, 0.8])


def test_a_definition_that_selects_nobody_is_told_as_undefined_and_not_counted() -> None:
    findings = Gathered()
    checked = paper._case_tables(findings, 2, np.random.default_rng(1))
    rows = {row[0]: row[1:] for row in findings.tables["figure_7"].rows}
    assert set(rows["cohen_kappa h/h"]) == {"none: undefined"}
    named = {cell.rsplit(" ", 2)[0] for row in list(rows.values())[:-1] for cell in row[:1]}
    judges = named - {"none:", "none: undefined", ""} & set(paper.CASE_JUDGES)
    _, seen = checked["5: the ranking of judges depends on the metric"]
    assert judges & set(paper.CASE_JUDGES)
    assert "of 2 draws (held against half of them)" in seen
    assert not [cell for row in rows.values() for cell in row if "nan" in cell]


@pytest.mark.parametrize(
    ("runs", "told"),
    [
        ([0.02, 0.03, 0.04, 0.03], (paper.YES, paper.YES, paper.NO)),
        ([-0.02, -0.03, -0.04, -0.03], (paper.NO, paper.NO, paper.NO)),
        ([0.3, -0.2, 0.1, -0.3], (paper.OPEN, paper.YES, paper.YES)),
    ],
)
def test_a_check_holds_beyond_its_monte_carlo_error(
    runs: list[float], told: tuple[str, str, str]
) -> None:
    """Means of .03 with an error of 3.18 x .0041 = .013, and of -.025 with one of .44."""
    values = np.array(runs)
    found = (
        paper.greater(values, ""),
        paper.as_good(values, ""),
        paper.as_good(values, "", both=True),
    )
    assert tuple(state for state, _ in found) == told


def test_quick_findings() -> None:
    rng = np.random.default_rng(1)
    found = synthetic.selections({"one": synthetic.SYMMETRIC}, 1, rng)["one"]
    assert found.consistency.shape == (len(synthetic.BUDGETS), len(synthetic.SHOWN))
    assert found.consistency[-1].mean() > found.consistency[0].mean()


@pytest.mark.slow
def test_findings_of_the_paper() -> None:
    found = paper.reproduce(quick=False, seed=1, data=None)
    held = {row[0]: row[1] for row in found.tables["findings"].rows}
    assert set(held.values()) == {paper.YES, paper.NO}  # 40 repetitions tell all of them
    failed = {name for name, state in held.items() if state == paper.NO}
    assert len(held) == 12
    # With 40 % lapses hit rate loses .03 here, Jensen-Shannon .01. See docs/papers.md.
    # On like terms lapses cost more than asymmetric effects, and another metric helps more.
    assert {name.partition(": ")[0] for name in failed} == {
        "1a",
        "3, categorical metrics",
        "3 (figure 10, hit rate)",
        "3 (figure 10, Jensen-Shannon)",
    }
    assert "1a: three ratings instead of one help more than the metric" in failed
    assert all(name in found.answer[1] for name in failed)
    figures = {
        "figure_4_top",
        "figure_4_bottom",
        "figure_5",
        "figure_6_right",
        "figures_10_12",
        "figure_11",
        "figure_15",
        "figure_7",
        "figure_8",
    }
    assert figures <= set(found.tables)
