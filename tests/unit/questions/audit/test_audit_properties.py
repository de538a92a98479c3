"""Properties of the rating model and of the definitions of performance."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from goldassay.formulas import distributions as m
from goldassay.formulas.rating_model import membership, multi_label, observed_choices, singletons
from goldassay.formulas.rating_vectors import Reading, Side, hard_response_set, side
from goldassay.questions.audit.evaluate import columns, values
from goldassay.ratings.task import Task

seeds = st.integers(0, 2**32 - 1)
sizes = st.integers(2, 5)


def world(size: int, seed: int) -> tuple[np.random.Generator, tuple[str, ...], Task, np.ndarray]:
    rng = np.random.default_rng(seed)
    options = tuple("abcdefghij"[:size])
    task = Task(options=options)
    return rng, options, task, membership(options, task.sets)


def choice_matrix(lambda_: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    forced = lambda_ * (rng.random(lambda_.shape) + 1e-3)
    return np.asarray(forced / forced.sum(0))


@given(sizes, seeds)
def test_choices_after_lapses_are_a_distribution(size: int, seed: int) -> None:
    rng, _, task, lambda_ = world(size, seed)
    stable = rng.dirichlet(np.ones(len(task.sets)))
    error = rng.dirichlet(np.ones(len(task.sets)), len(task.sets)).T
    choices = observed_choices(choice_matrix(lambda_, rng), error, stable)
    assert np.isclose(choices.sum(), 1)
    assert (choices >= 0).all()


@given(sizes, seeds)
def test_who_chooses_an_option_finds_it_reasonable(size: int, seed: int) -> None:
    rng, _, task, lambda_ = world(size, seed)
    theta = rng.dirichlet(np.ones(len(task.sets)))
    forced = choice_matrix(lambda_, rng)
    assert ((forced > 0) <= (lambda_ > 0)).all()
    omega = multi_label(lambda_, theta)
    assert (observed_choices(forced, None, theta) <= omega + 1e-12).all()


@given(sizes, seeds)
def test_fully_specified_tasks_have_one_rating(size: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    options = tuple("abcdefghij"[:size])
    sets = tuple((option,) for option in options)
    theta = rng.dirichlet(np.ones(size), 4)
    people = side(theta, theta, singletons(options, sets), Reading(membership(options, sets)))
    np.testing.assert_allclose(people["srs"], people["s"])


@given(sizes, seeds, st.floats(0.05, 1))
def test_hard_response_sets_are_soft_ones_cut(size: int, seed: int, threshold: float) -> None:
    rng = np.random.default_rng(seed)
    omega = rng.random((6, size))
    one = Side(omega, omega, threshold)
    np.testing.assert_array_equal(one["hrs"], hard_response_set(one["srs"], threshold=threshold))


@given(sizes, seeds)
def test_divergences(size: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    p, q = rng.dirichlet(np.full(size, 0.3), (2, 20))
    forth, back = m.jensen_shannon(p, q), m.jensen_shannon(q, p)
    np.testing.assert_allclose(forth, back, atol=1e-12)
    assert (forth >= 0).all()
    assert (forth <= np.log(2)).all()
    np.testing.assert_allclose(m.kl_divergence(p, p), 0, atol=1e-12)
    apart = np.abs(p - q).max(-1) > 1e-3
    assert (m.kl_divergence(p, q)[apart] > 0).all()
    entropy = m.cross_entropy(p, p)
    np.testing.assert_allclose(
        m.cross_entropy(p, q, smoothing=0.1) - m.cross_entropy(q, q, smoothing=0.1),
        m.kl_divergence(p, q, smoothing=0.1),
        atol=1e-9,
    )
    assert (entropy <= np.log(size) + 1e-9).all()


@settings(max_examples=25)
@given(sizes, seeds)
def test_the_names_and_order_of_options_do_not_matter(size: int, seed: int) -> None:
    rng, _, task, lambda_ = world(size, seed)
    order = rng.permutation(size)
    definitions = m.table_1(smoothing=0.05)

    def of(forced: np.ndarray, theta: np.ndarray, members: np.ndarray) -> Side:
        return Side(forced, multi_label(members, theta).clip(0, 1))

    human = rng.dirichlet(np.ones(size), 12), rng.dirichlet(np.ones(len(task.sets)), 12)
    judge = rng.dirichlet(np.ones(size), (2, 12)), rng.dirichlet(np.ones(len(task.sets)), (2, 12))
    found = []
    for members, take in ((lambda_, np.arange(size)), (lambda_[order], order)):
        people = of(human[0][..., take], human[1], members)
        judges = of(judge[0][..., take], judge[1], members)
        found.append(
            values(
                definitions, columns(definitions, judges, people, np.arange(12), np.ones(12, int))
            )
        )
    np.testing.assert_allclose(found[0], found[1], atol=1e-9)


@given(sizes, seeds)
def test_a_perfect_judge(size: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    shares = rng.dirichlet(np.ones(size), 15)
    people, judge = Side(shares, shares), Side(shares[None], shares[None])
    for one in m.table_1(smoothing=0.01):
        if one.per_item is None or one.judge != one.human:
            continue
        found = one.per_item(judge[one.judge], people[one.human])[0]
        if one.name in ("hit_rate", "coverage", "recall", "precision"):
            assert np.nanmin(found, initial=1.0) in (0.0, 1.0)
            assert np.all((found == 1) | np.isnan(found) | (people[one.human].sum(-1) == 0))
        elif one.name in ("mean_squared_error", "jensen_shannon", "kl_divergence"):
            np.testing.assert_allclose(found, 0, atol=1e-12)
