"""Where people split evenly, two raters cannot tell the majority, and the intervals know."""

from __future__ import annotations

import coverage_splits as script
import pytest


@pytest.mark.slow
def test_even_splits_are_said_and_held() -> None:
    even = script.covered(script.Cell(100, 2, 40.0), 8, panels=4)
    assert even.split >= 0.5
    assert even.share.mean() >= 0.9
    agreed = script.covered(script.Cell(100, 3, 0.4), 8, panels=4)
    assert agreed.split == 0
    assert agreed.length[0].max() < 0.5  # and not needlessly long
