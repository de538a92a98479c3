"""How labels were drawn, declared or not."""

from __future__ import annotations

import pytest

from goldassay.questions.estimate.design import DESIGNS, drawing
from goldassay.ratings.task import Task

from .conftest import BINARY


@pytest.mark.parametrize("name", DESIGNS)
def test_a_declared_design_is_the_only_possible_one(name: str) -> None:
    assert Task.from_mapping({**BINARY, "calibration": name}).calibration == name
    for apart in (False, True):
        assert drawing(name, apart=apart).possible == (DESIGNS[name],)


@pytest.mark.parametrize(
    ("apart", "names", "from_pool"),
    [(False, {"random", "by_verdict"}, True), (True, {"random", "by_label", "separate"}, False)],
)
def test_an_undeclared_one_may_be_what_the_split_allows(
    apart: bool, names: set[str], from_pool: bool
) -> None:
    drawn = drawing(None, apart=apart)
    assert {one.name for one in drawn.possible} == names
    assert drawn.from_pool is from_pool
    # Unless it is known to be otherwise, labels tell errors, and a shift can be looked for.
    assert drawn.tells_errors
    assert drawn.same_verdicts


def test_what_each_design_makes_true() -> None:
    def names(field: str) -> set[str]:
        return {name for name, one in DESIGNS.items() if getattr(one, field)}

    assert names("from_pool") == {"random", "by_verdict"}
    assert names("tells_errors") == {"random", "by_label", "separate"}
    assert names("same_verdicts") == {"random", "separate"}
