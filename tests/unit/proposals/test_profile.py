"""A small table is looked at in memory, and says the same as the engine."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from held_out_files import FILES, paths_of

from goldassay.proposals.profile import counted, counted_pairs, profile
from goldassay.sources.frames import open_source

SOME = FILES[::12]


@pytest.mark.parametrize("one", SOME, ids=lambda one: one["names"][0])
def test_a_small_table_is_seen_as_the_engine_sees_it(one: dict[str, Any]) -> None:
    source = open_source(paths_of(one))
    elsewhere = replace(source, may_keep=False)
    assert profile(source) == profile(elsewhere)
    pairs = list(pairwise(source.columns))[:4]
    assert counted_pairs(source, pairs) == counted_pairs(elsewhere, pairs)
    for pair, labels in counted_pairs(source, pairs).items():
        assert labels == counted(elsewhere, *pair)
