"""What questions find in random studies: asked once, for every test of the same studies.

Tests of the same ten studies are a group (`of_studies`), which one process runs.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import pytest
from random_studies import random_study

import goldassay as ga
from goldassay import Findings, InputError, Ratings

__all__ = ["FEWEST", "SLOW_FROM", "SLOW_UNTIL", "asked", "of_studies"]

#: Enough resamples for an interval; the tests compare numbers, not how good they are.
FEWEST = {"resamples": 60}
#: Beside those that are asked about always, the studies of which slow tests ask all together.
SLOW_FROM, SLOW_UNTIL = 20, 250


def of_studies(first: int) -> pytest.MarkDecorator:
    """The group of the tests that ask about the ten studies from `first` on."""
    return pytest.mark.xdist_group(f"studies from {first}")


@lru_cache(maxsize=20)
def _ratings(number: int) -> Ratings:
    study = random_study(number)
    return ga.read_ratings(study.frame, ga.Task.from_mapping(study.task))


@lru_cache(maxsize=240)
def asked(number: int, verb: str, **options: Any) -> Findings | InputError:
    """What a question finds in a study, or why this scale or table does not allow it."""
    try:
        return getattr(ga, verb)(_ratings(number), **options)
    except InputError as why:
        return why
