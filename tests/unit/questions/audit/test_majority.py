"""What all people would decide: probabilities by hand, and even splits that few raters hide."""

from __future__ import annotations

import numpy as np
import pytest
from audit_counts import TASK, counted

from goldassay.formulas.distributions import downstream, table_1
from goldassay.questions.audit.bounds import bounds
from goldassay.questions.audit.evaluate import Draws
from goldassay.questions.audit.majority import draw_shares, share_probabilities
from goldassay.questions.audit.sides import both_sides
from goldassay.questions.audit.study import study
from goldassay.questions.audit.words import answer, notes
from goldassay.words import percent


def test_probabilities_of_a_majority() -> None:
    # A uniform prior and one vote for the first: Beta(2, 1), above one half with 1 - 1/4.
    found = share_probabilities(np.ones((1, 2)), np.array([[1.0, 0], [0, 0]]), (0,), 0.5)
    np.testing.assert_allclose(found, [[0.75, 0.5]])
    drawn = draw_shares(np.ones((1, 2)), np.array([[1.0, 0], [1, 0]]), np.random.default_rng(0))
    assert drawn.modes().shape == (1, 2, 2)
    assert drawn.modes()[0, 0, 0] == pytest.approx(0.75, abs=0.15)
    # E|2p - 1| under Beta(2, 1) is 1/2: the lead, and twice the distance from one half
    assert drawn.lead() == pytest.approx(0.5, abs=0.1)
    assert drawn.off((0,), 0.5) == pytest.approx(drawn.lead())


def even(raters: int, share: float) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(3)
    yes = rng.binomial(raters, np.where(rng.random(150) < 0.5, share, 1 - share))
    verdicts = rng.integers(0, 2, 150)
    return np.stack([yes, raters - yes], 1).astype(float), np.eye(2)[verdicts]


def test_where_people_split_evenly_nothing_is_claimed_and_it_is_said() -> None:
    people, judge = even(3, 0.5)
    found = study(counted(people, j=judge), TASK, draws=Draws(resamples=100, panels=4))
    assert found.people.split_evenly
    said = [one for one in (*answer(found), *notes(found)) if one.key == "audit.split_evenly"]
    assert said[0].text == (
        "People split so evenly that with 3 raters an item the majority of all people cannot be "
        "known; add raters."
    )
    assert said[0] in answer(found)
    (worth,) = [one for one in answer(found) if one.key == "audit.downstream"]
    assert worth.text.startswith("These labels cannot tell what the decisions of `j` are worth: ")
    assert not worth.facts["told"]
    assert found.raters is None  # nothing that contradicts it
    hits = next(one for one in found.performances if one.definition.name == "hit_rate")
    interval = hits.results[0].interval
    assert interval is not None
    assert (interval.low, interval.high) == (0, 1)


def test_with_one_person_an_item_that_is_the_headline() -> None:
    people, judge = even(1, 0.5)
    found = study(counted(people, j=judge), TASK, draws=Draws(resamples=500, panels=10))
    own, labels = judge[:, 0].mean(), people[:, 0].mean()
    assert answer(found)[0].text == (
        "With one person an item it cannot be told what the decisions of `j` are worth: how most "
        f"people would decide is unknown; add raters. It counts {percent(own)} of items as `Yes` "
        f"(from 50 % of its verdicts on), the labels {percent(labels)}."
    )
    assert all(one.key != "audit.split_evenly" for one in answer(found))


def test_where_they_agree_the_interval_stays_short() -> None:
    people, _ = even(3, 0.97)
    every = (*table_1(), *downstream((0,), "Yes", (0.5,), (("s", "s"),)))
    sides = both_sides(counted(people, j=np.eye(2)[people.argmax(1)]), TASK, options=(0,))
    found = bounds(sides, every, Draws(resamples=100, panels=4))
    assert not found.unknown.any()
    assert found.high[0, 0] - found.low[0, 0] < 0.15
