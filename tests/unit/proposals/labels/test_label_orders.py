"""Orders in which labels stand."""

from __future__ import annotations

import pytest

from goldassay.proposals.labels.label_orders import orders_of


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
