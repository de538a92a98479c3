"""A judge asked several times, by hand."""

from __future__ import annotations

import pytest
from small_units import BINARY, DRAW, units

from goldassay.questions.agree.modes import declared_mode
from goldassay.questions.agree.repeats import repeats
from goldassay.results import Estimate, Undefined


def test_noise_by_hand() -> None:
    # half of the units: 2 of 2 right; half: 1 of 2 right. Error 1/4; two samples agree 1/2 + 0
    u = units(BINARY, [[1, 0], [1, 0]], [[0, 0], [0, 1]], [50, 50], samples=("1", "2"))
    found = repeats(u, u.verdict, declared_mode(BINARY), DRAW)
    value = {r.name: r.value for r in found.results if isinstance(r, Estimate)}
    assert value["self_consistency"] == pytest.approx(0.5)
    assert value["unanimous_rate"] == pytest.approx(0.5)
    # positions (0, 1) have the variance 1/2, (0, 0) none
    assert value["within_item_variance"] == pytest.approx(0.25)
    # noise = (1 - .5) / 2 = .25 is all of the error
    assert value["noise_share"] == pytest.approx(1.0)
    # one sample is right on 3 of 4 items; so are two, whose tied vote is drawn by lot
    assert found.curve.accuracy.tolist() == pytest.approx([0.75, 0.75])
    assert found.curve.decided.tolist() == pytest.approx([100, 100])
    assert found.curve.enough == 1


def test_no_unit_asked_twice_has_no_consistency() -> None:
    u = units(BINARY, [[1, 0], [1, 0]], [[0, -1], [-1, 1]], [5, 5], samples=("1", "2"))
    found = repeats(u, u.verdict, declared_mode(BINARY), DRAW)
    assert isinstance(found.results[0], Undefined)
    assert found.curve is None
