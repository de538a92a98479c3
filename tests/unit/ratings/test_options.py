"""Questions that count options say how scores become verdicts, on the file's own scale."""

from __future__ import annotations

import polars as pl
import pytest

import goldassay as ga
from goldassay.errors import InputError
from goldassay.ratings.options import suggested_cut

TASK = ga.Task.from_mapping({"scale": "continuous"})


def scored(people: list[float], judge: list[float]) -> ga.Ratings:
    rows = [(f"i{k}", "ann", "human", str(x)) for k, x in enumerate(people)]
    rows += [(f"i{k}", "bot", "judge", str(x)) for k, x in enumerate(judge)]
    return ga.read_ratings(
        pl.DataFrame(rows, ["item", "rater", "kind", "value"], orient="row"), TASK
    )


@pytest.mark.parametrize(
    ("people", "judge", "cut"),
    [
        ([10, 51.7, 90], [1, 2, 3], 'cut = ">= 52"'),
        ([], [0.101, 0.2549, 0.9], 'cut = ">= 0.25"'),
        ([-3.0, -2.0, 5.0], [0.0, 0.0, 0.0], 'cut = ">= -2"'),
        ([123456, 234567, 345678], [1, 2, 3], 'cut = ">= 230000"'),
    ],
)
def test_the_cut_is_on_the_scale_of_people(people, judge, cut) -> None:
    ratings = scored(people, judge)
    assert suggested_cut(ratings) == cut
    assert ga.Task.from_mapping({"scale": "continuous", "cut": cut[7:-1]}).cut


@pytest.mark.parametrize("verb", ["select", "plan", "audit", "route"])
def test_what_is_offered_is_what_is_needed(verb: str) -> None:
    scores = [k / 40 for k in range(40)]
    ratings = scored(scores, [x**2 for x in scores])
    with pytest.raises(InputError, match=r'cut = ">= 0.49"'):
        getattr(ga, verb)(ratings)
