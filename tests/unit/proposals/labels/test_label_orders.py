"""Orders in which labels stand."""

from __future__ import annotations

import pytest

from goldassay.proposals.labels.label_orders import orders_of


def first_order(labels: list[str]) -> list[str]:
    """The first order that has all of the labels."""
    return next(
        (
            [one for one in known if one in labels]
            for known in orders_of(labels)
            if {*labels} <= {*known}
        ),
        [],
    )


@pytest.mark.parametrize(
    ("labels", "order"),
    [(["b+", "a", "c-", "b"], ["c-", "b", "b+", "a"]), (["f", "a", "c"], ["f", "c", "a"])],
)
def test_grades_of_schools_have_an_order(labels: list[str], order: list[str]) -> None:
    found = [[one for one in known if one in labels] for known in orders_of(labels)]
    assert order in [one for one in found if len(one) == len(labels)]


def test_letters_without_a_shade_may_be_choices() -> None:
    choices = ["a", "b", "c", "d"]
    assert [known for known in orders_of(choices) if {*choices}.issubset(known)] == []


@pytest.mark.parametrize(
    "order",
    [
        ["s0", "s1", "s2", "s3"],
        ["very poor", "poor", "fair", "good", "very good"],
        ["very low", "low", "medium", "high", "very high"],
        ["extremely unlikely", "unlikely", "neutral", "likely", "extremely likely"],
        ["below expectations", "meets expectations", "exceeds expectations"],
        ["unacceptable", "needs improvement", "acceptable", "good", "excellent"],
        ["weak", "moderate", "strong"],
        ["refusal", "partial compliance", "full compliance"],
    ],
)
def test_scales_of_questionnaires_have_an_order(order: list[str]) -> None:
    assert first_order(sorted(order)) == order


@pytest.mark.parametrize("labels", [["sports", "law", "health"], ["low", "good", "cat"]])
def test_names_have_none(labels: list[str]) -> None:
    assert first_order(labels) == []
