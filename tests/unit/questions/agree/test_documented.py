"""The documents name every metric."""

from pathlib import Path

import pytest

from goldassay.questions.agree import METRICS
from goldassay.questions.agree.scores import CORRELATIONS

ROOT = Path(__file__).resolve().parents[4]
PAGE = (ROOT / "docs" / "metrics.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", sorted({*METRICS, *CORRELATIONS}))
def test_every_metric_is_in_the_page(name: str) -> None:
    assert f"`{name}`" in PAGE
