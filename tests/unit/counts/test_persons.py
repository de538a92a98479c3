"""What single raters said, and of how many units a judge decides."""

from __future__ import annotations

import polars as pl

from goldassay.counts.persons import count_persons
from goldassay.ratings.table import read_ratings
from goldassay.ratings.task import Task

TASK = Task.from_mapping(
    {"scale": "binary", "options": ["yes", "no"], "positive": "yes", "abstain": ["?"]}
)


def test_units_that_two_people_rated_are_a_judges_to_decide() -> None:
    rows = [
        *(("a", who, "human", "yes") for who in ("ann", "ben")),
        ("a", "gpt", "judge", "yes"),
        ("a", "zed", "judge", "?"),
        ("b", "ann", "human", "yes"),
        ("b", "ben", "human", "no"),
        *(("b", who, "judge", "no") for who in ("gpt", "zed")),
        ("c", "ann", "human", "yes"),  # alone
        ("c", "gpt", "judge", "no"),
        ("y", "gpt", "judge", "yes"),  # the last two units: no person's
        ("z", "gpt", "judge", "yes"),
        ("z", "zed", "judge", "?"),
    ]
    frame = pl.DataFrame(rows, schema=["item", "rater", "kind", "value"], orient="row")
    found = count_persons(read_ratings(frame, TASK))
    assert (found.people, found.judges) == (("ann", "ben"), ("gpt", "zed"))
    assert (found.decided, found.silent) == ((2, 1), (0, 1))
    assert (len(found.person), len(found.judge), found.n_units) == (4, 3, 5)
    left_out = {one.reason: one.by["rater"] for one in found.exclusions}
    assert left_out["no second person, or no judge, rated the unit"] == {"ann": 1, "gpt": 3}
    assert left_out["abstained"] == {"zed": 2}
