"""Which columns are offered where a question needs systems."""

from __future__ import annotations

import polars as pl
import pytest

import goldassay as ga
from goldassay.errors import InputError

VERDICTS = ["yes", "no", "no", "yes"] * 10


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("topic", ["law", "tax"] * 20),  # what an item is about
        ("final_label", ["good", "poor"] * 20),  # what is said of it
        ("answered", ["yes", "no"] * 20),
    ],
)
def test_what_names_no_system_is_not_offered(name: str, cells: list[str]) -> None:
    with pytest.raises(InputError) as refused:
        ga.rank(_table(**{name: cells}))
    assert "columns.system" not in str(refused.value)


def _table(**more: list[str]) -> pl.DataFrame:
    item = [str(at) for at in range(40)]
    return pl.DataFrame({"id": item, "human": VERDICTS, "judge": [*VERDICTS[1:], "no"], **more})


@pytest.mark.parametrize("verb", [ga.rank, ga.compare])
def test_the_word_for_systems_comes_first_and_each_is_offered_as_a_whole(verb: object) -> None:
    table = _table(wing=["east", "west"] * 20, **{"bot, team's": ["v1", "v2", "v3", "v4"] * 10})
    assert callable(verb)
    with pytest.raises(InputError) as refused:
        verb(table)
    said = str(refused.value)
    assert (
        """: --task 'columns.system = "bot, team'"'"'s"' or --task 'columns.system = "wing"'."""
        in said
    )


@pytest.mark.parametrize(
    "cells",
    [
        ["1", "2"] * 20,  # numbers
        ["same"] * 40,  # nothing to compare
        [f"note {at}" for at in range(40)],  # a text for each item
        ["a", "b", "c"] * 13 + ["once"],
    ],
)
def test_what_names_no_systems_is_not_offered(cells: list[str]) -> None:
    with pytest.raises(InputError, match=r"Add it, or map it") as told:
        ga.rank(_table(other=cells))
    assert "--task" not in str(told.value)


def test_the_offer_is_right() -> None:
    table = _table(bot=["v1", "v2"] * 20)
    found = ga.check(table)
    assert any("`bot` name the system" in one for one in found.document()["questions"])
    compared = ga.compare(table, 'columns.system = "bot"')
    assert "v1" in compared.answer[0].text
