"""The sweep over beta: a flip by hand, its cost, the prevalence, and what raters imply."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from scipy.stats import binomtest

from goldassay.counts import ElicitationPairs
from goldassay.formulas.distributions import Definition, decision_consistency, hit_rate
from goldassay.formulas.rating_vectors import Side
from goldassay.questions.audit import sensitivity as s

OPTIONS = ("toxic", "fine")
SETS = (("toxic",), ("fine",), ("toxic", "fine"))
FAMILY = s.Family(OPTIONS, SETS, {"fine": ("toxic",)})
TARGET = Definition(
    "decision_consistency",
    "srs",
    "srs",
    "higher",
    partial(decision_consistency, option=0, threshold=0.5),
)
#: Four comments that 0, 30, 40 and 60 % of people call toxic.
PEOPLE = np.array([[0.0, 1.0], [0.3, 0.7], [0.4, 0.6], [0.6, 0.4]])


def judge(*toxic: int) -> np.ndarray:
    return np.array([[1.0, 0.0] if one else [0.0, 1.0] for one in toxic])


def test_the_best_judge_flips_and_the_other_choice_costs() -> None:
    choices = np.stack([judge(0, 0, 0, 1), judge(0, 1, 1, 1)])
    judges = Side(choices, choices)
    hits = Definition("hit_rate", "h", "h", "higher", hit_rate)
    hiding = s.Hiding(PEOPLE, FAMILY, (0.0, 0.3))
    found = s.sweep(hiding.betas, hiding.people(), s.Judged.alone(judges), [hits], TARGET)
    # at beta = .3 people's shares are .30, .51, .58, .72: three of four are toxic
    np.testing.assert_allclose(found.values[:, -1], [[1, 0.5], [0.5, 1]])
    np.testing.assert_array_equal(found.selected[:, 0], [0, 0])
    np.testing.assert_allclose(found.cost[:, 0], [0, 0.5])
    assert found.contested
    assert s.runs([0, 0, 1, 1, 0]) == [(0, 1), (2, 3), (4, 4)]


def test_an_undefined_target_has_no_winner() -> None:
    choices = np.stack([judge(0, 0, 0, 1), np.full((4, 2), np.nan)])
    judges = Side(choices, choices)
    hits = Definition("hit_rate", "h", "h", "higher", hit_rate)
    hiding = s.Hiding(PEOPLE, FAMILY, (0.0,))
    judged = s.Judged(judges, np.arange(4), np.ones(4, np.int64), np.ones((5, 4)))
    found = s.sweep(hiding.betas, hiding.people(), judged, [hits], TARGET)
    assert not found.contested
    assert found.winner.tolist() == [-1]
    assert found.selected.tolist() == [[-1]]
    assert np.isnan(found.cost).all()
    assert np.isnan(found.stability).all()


def test_prevalence_by_beta() -> None:
    hiding = s.Hiding(PEOPLE, FAMILY, (0.0, 0.3))
    found = s.prevalence_by_beta(hiding, counted=(0,), thresholds=(0.3, 0.5, 0.7))
    np.testing.assert_allclose(found, [[0.75, 0.25, 0], [1, 0.75, 0.25]])


def test_implied_beta() -> None:
    # nine chose fine, three of them accept toxic too
    pairs = np.array([[4, 0, 1], [0, 6, 3]])
    assert s.implied_beta(pairs, FAMILY) == (3, 9)
    assert s.implied_beta(np.zeros((2, 3)), FAMILY) == (0, 0)


def test_implied_betas_of_people_and_judges() -> None:
    joint = np.array([[4.0, 0, 1], [0, 6, 3]])
    never = np.array([[0.0, 0, 0], [0, 5, 0]])
    pairs = ElicitationPairs(("silent", "sure"), joint, np.stack([0 * joint, never]))
    people, sure = s.implied_betas(pairs, FAMILY, confidence_level=0.95)
    assert (people.rater, people.value, people.n_choices) == ("people", pytest.approx(1 / 3), 9)
    expected = binomtest(3, 9).proportion_ci(0.95, method="exact")
    assert (people.low, people.high) == pytest.approx((expected.low, expected.high))
    # 0 of 5: the upper end solves (1 - beta)^5 = .025
    assert (sure.rater, sure.value, sure.low) == ("sure", 0, 0)
    assert (1 - sure.high) ** 5 == pytest.approx(0.025)
    nothing = ElicitationPairs(("j",), 0 * joint, 0 * joint[None])
    assert s.implied_betas(nothing, FAMILY, confidence_level=0.95) == ()


def test_the_paper_s_family_replaces_the_choice() -> None:
    replaces = s.Family(OPTIONS, SETS, {"fine": ("toxic",)}, replaces=True)
    np.testing.assert_allclose(replaces.matrix(0.2)[:, 1], [0.2, 0.8, 0])
    joins, same = (
        s.prevalence_by_beta(s.Hiding(PEOPLE, family, (0.2,)), counted=(0,), thresholds=(0.5,))
        for family in (FAMILY, replaces)
    )
    assert joins == pytest.approx(same)
