"""What tests of proposals share."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def one_engine_for_all(one_engine: None) -> None:
    """They read two thousand small files, and start no engine for each."""
