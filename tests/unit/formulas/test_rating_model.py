"""The rating model: decomposition, reverse matrices, what forced choices hide."""

from __future__ import annotations

import numpy as np
import pytest

from goldassay.errors import TaskError
from goldassay.formulas import rating_model as r
from goldassay.questions.audit.sensitivity import hidden_options
from goldassay.ratings.task import Task

OPTIONS = ("VT", "T", "N")
SETS = (("VT",), ("T",), ("N",), ("VT", "T"), ("T", "N"), ("VT", "N"), ("VT", "T", "N"))


def test_membership_and_multi_label() -> None:
    lambda_ = r.membership(OPTIONS, SETS)
    theta = np.array([0.1, 0.2, 0.3, 0.1, 0.1, 0.1, 0.1])
    # VT is in {VT}, {VT,T}, {VT,N}, {VT,T,N}
    np.testing.assert_allclose(r.multi_label(lambda_, theta), [0.4, 0.5, 0.6])


def test_choices_are_lapses_and_then_a_forced_choice() -> None:
    # options a, b; sets {a}, {b}, {a, b}; a tenth of {a} lapses to {b}, {a, b} picks a in 3 of 5
    forced = np.array([[1, 0, 0.6], [0, 1, 0.4]])
    error = np.array([[0.9, 0, 0], [0.1, 1, 0], [0, 0, 1]])
    stable = np.array([0.5, 0.2, 0.3])
    np.testing.assert_allclose(r.observed_choices(forced, None, stable), [0.68, 0.32])
    np.testing.assert_allclose(r.observed_choices(forced, error, stable), [0.63, 0.37])


def test_hiding_matrix_keeps_the_choice_and_adds_what_it_hides() -> None:
    matrix = r.hiding_matrix(OPTIONS, SETS, {"N": ("T",)}, 0.3)
    np.testing.assert_allclose(matrix.sum(0), 1)
    assert matrix[SETS.index(("T", "N")), 2] == pytest.approx(0.3)
    assert matrix[SETS.index(("N",)), 2] == pytest.approx(0.7)
    omega = r.multi_label(r.membership(OPTIONS, SETS), matrix @ np.array([0.1, 0.2, 0.7]))
    np.testing.assert_allclose(omega, [0.1, 0.2 + 0.3 * 0.7, 0.7])


def test_table_2_of_the_paper_replaces_the_choice() -> None:
    matrix = r.hiding_matrix(OPTIONS, SETS, {"N": ("T",)}, 0.3, replaces=True)
    np.testing.assert_allclose(matrix[:3, 2], [0, 0.3, 0.7])
    # the hidden option's share is the same either way
    choices = np.array([0.1, 0.2, 0.7])
    lambda_ = r.membership(OPTIONS, SETS)
    joined = r.hiding_matrix(OPTIONS, SETS, {"N": ("T",)}, 0.3)
    assert r.multi_label(lambda_, matrix @ choices)[1] == pytest.approx(
        r.multi_label(lambda_, joined @ choices)[1]
    )


def test_a_set_that_the_task_does_not_admit() -> None:
    with pytest.raises(TaskError, match=r"needs the set \{T, N\}"):
        r.hiding_matrix(OPTIONS, (("VT",), ("T",), ("N",)), {"N": ("T",)}, 0.1)


@pytest.mark.parametrize(
    ("task", "expected"),
    [
        (Task(scale="binary", options=("yes", "no"), positive="yes"), {"no": ("yes",)}),
        (Task(scale="ordinal", options=("1", "2", "3")), {"1": ("2",), "2": ("3",)}),
        (
            Task(scale="pairwise", options=("A", "B", "tie"), tie="tie"),
            {"A": ("tie",), "B": ("tie",), "tie": ("A", "B")},
        ),
        (Task(scale="pairwise", options=("A", "B")), {"A": ("B",), "B": ("A",)}),
        (Task(scale="nominal", options=("x", "y", "z"), positive="z"), {"x": ("z",), "y": ("z",)}),
        (Task(scale="nominal", options=("x", "y")), {}),
        (Task(options=("x", "y"), may_hide={"x": ("y",)}), {"x": ("y",)}),
    ],
)
def test_templates_of_what_may_be_hidden(task: Task, expected: dict[str, tuple[str, ...]]) -> None:
    assert hidden_options(task) == expected


def test_reverse_matrix_from_raters_who_gave_both() -> None:
    # of 10 who chose N, 3 find T reasonable too; nobody chose VT
    pairs = np.zeros((3, 7))
    pairs[2, SETS.index(("N",))], pairs[2, SETS.index(("T", "N"))] = 7, 3
    pairs[1, SETS.index(("T",))] = 5
    matrix, seen = r.estimate_reverse(pairs, r.singletons(OPTIONS, SETS))
    np.testing.assert_array_equal(seen, [False, True, True])
    np.testing.assert_allclose(matrix, r.hiding_matrix(OPTIONS, SETS, {"N": ("T",)}, 0.3))


def test_theorem_3_4() -> None:
    singles = (("yes",), ("no",))
    assert r.specification(("yes", "no"), singles).fully_specified
    assert r.specification(("yes", "no"), singles).sentence(False) is None
    under = r.specification(("yes", "no"), (*singles, ("yes", "no")))
    assert not under.fully_specified
    text = under.sentence(False)
    assert text is not None
    assert "{yes, no}" in text
    assert "Maybe" in text
    with pytest.raises(ValueError, match="not declared"):
        r.specification(("yes",), (("no",),))


def test_whoever_lapses_takes_another_set_in_the_ratio_of_the_leaning() -> None:
    """Sets that hold either of two options are leant to; every column is a distribution."""
    lambda_ = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    lapse = r.lapses(lambda_, 0.3, 0.6, (0, 1))
    assert lapse[:, 2] == pytest.approx([0.15, 0.15, 0.7])
    assert lapse[:, 0] == pytest.approx([0.7, 0.3 * 1.6 / 2.0, 0.3 * 0.4 / 2.0])
    away = r.lapses(np.eye(2), 0.3, 0.9)  # what is left to take weighs 0.1
    assert away.sum(0) == pytest.approx(1.0)
    assert r.lapses(np.eye(2), 0.3, 1.0)[:, 0] == pytest.approx([1.0, 0.0])
