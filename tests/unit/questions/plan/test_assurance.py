"""The fewest labels with assurance: what is promised was simulated."""

from __future__ import annotations

import numpy as np
import pytest

from goldassay.questions.plan.assurance import Lengths, fewest_labels

SHARE = 0.9


def lengths_of(curve: object, *, dear: bool) -> Lengths:
    return Lengths(
        lambda more: np.full(20, curve(more)),  # type: ignore[operator]
        so_far=50,
        now=curve(0),  # type: ignore[operator]
        most=1_000,
        dear=dear,
    )


def late(more: int) -> float:
    """Hardly any shorter for long, then soon: a line between two numbers promises too few."""
    return 0.3 - 0.05 * more / 700 if more < 700 else 0.19


@pytest.mark.parametrize("dear", [False, True])
@pytest.mark.parametrize("curve", [late, lambda more: 2 / np.sqrt(50 + more)])
def test_the_number_promised_reaches_the_length(curve: object, *, dear: bool) -> None:
    lengths = lengths_of(curve, dear=dear)
    found = fewest_labels(lengths, 0.2, SHARE)
    assert found is not None
    assert lengths.of(found, SHARE) <= 0.2


def test_few_numbers_are_tried_where_a_forecast_is_dear() -> None:
    lengths = lengths_of(late, dear=True)
    fewest_labels(lengths, 0.2, SHARE)
    assert len(lengths.seen) <= 5


def test_a_cheap_search_finds_the_fewest() -> None:
    assert fewest_labels(lengths_of(late, dear=False), 0.2, SHARE) == 700
