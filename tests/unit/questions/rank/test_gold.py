"""People's ranking from a file, matched with the judged systems."""

from __future__ import annotations

import numpy as np
import pytest

from goldassay.counts import GoldBattles
from goldassay.errors import InputError
from goldassay.questions.rank import gold as gold_module
from goldassay.questions.rank.gold import CountedRates, aligned_battles, aligned_scores
from goldassay.questions.rank.study import Options, study
from goldassay.ratings.task import Task
from tests.support.contests import contest

BATTLES = GoldBattles(
    ("a", "b", "a"), ("b", "c", "x"), np.array([[3, 1, 0], [2, 2, 1], [9, 0, 0]], float)
)


def test_gold_with_other_names_suggests_the_nearest() -> None:
    with pytest.raises(InputError, match=r"did you mean 'gpt-4o'") as error:
        aligned_scores({"GPT4o": 1.0, "Llama3": 2.0}, ["gpt-4o", "llama-3"], place="gold.csv")
    assert "gold.csv" in str(error.value)


def test_scores_take_the_order_of_the_judged_systems() -> None:
    given = aligned_scores({"b": 2.0, "a": 1.0, "cc": 3.0}, ["a", "b", "c"], place="gold.csv")
    assert given.scores is not None
    assert given.scores[:2].tolist() == [1.0, 2.0]
    assert np.isnan(given.scores[2])
    assert given.unmatched.gold_only == ("cc",)
    assert given.unmatched.meant == {"cc": "c"}
    assert given.unmatched.judged_only == ("c",)


def test_battles_without_prompts_are_single() -> None:
    given = aligned_battles(BATTLES, ["a", "b", "c"], place="gold.csv")
    assert given.battles is not None
    assert given.battles.n_clusters == 9  # 3 + 1 and 2 + 2 + 1
    # Nobody beat x back: it has no finite strength, links nothing and is left out.
    lost = given.unmatched
    assert (lost.battles, lost.battles_linking, lost.battles_dropped) == (18, 0, 9)


def test_battles_through_a_system_that_was_not_judged_count_for_the_order() -> None:
    # a and b never met; x, which no judge rated, lost 3 to 1 to a and 1 to 3 against b.
    battles = GoldBattles(
        ("a", "x", "a", "y"),
        ("x", "b", "c", "z"),
        np.array([[3, 1, 0], [3, 1, 0], [1, 1, 0], [5, 5, 0]], float),
    )
    given = aligned_battles(battles, ["a", "b", "c"], place="gold.csv")
    lost = given.unmatched
    assert (lost.battles, lost.battles_linking, lost.battles_dropped) == (20, 8, 10)
    found = study(
        contest(judges=1, systems=3),
        Task(scale="continuous"),
        gold=given,
        options=Options(resamples=50, min_battles=1),
    )
    assert found.people is not None
    scores = found.people.gold.scores
    # Log odds of 3 to 1, twice, on the way from a through x to b; a and c are level.
    assert scores[0] - scores[1] == pytest.approx(2 * np.log(3))
    assert scores[0] == pytest.approx(scores[2])
    # Win rates are of judged pairs alone: only a and c met.
    assert np.isnan(found.people.gold.rates).tolist() == [True, False, True]
    assert len(found.people.gold.rates) == 3


def test_given_battles_are_the_gold() -> None:
    given = aligned_battles(BATTLES, ["a", "b", "c"], place="gold.csv")
    found = study(
        contest(judges=1, systems=3),  # people's scores in the contest are not used
        Task(scale="continuous"),
        gold=given,
        options=Options(resamples=200, min_battles=1),
    )
    assert found.people is not None
    assert found.people.gold.source == "battles"
    assert found.people.gold.unmatched is given.unmatched
    # Untied battles: a beat b 3 times of 4, b beat c 2 times of 4; a and c never met.
    assert found.people.gold.rates[[0, 2]] == pytest.approx([0.75, 0.5])
    assert np.isnan(found.people.gold.rates[1])


def test_rates_that_are_held_as_counts_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    judged = contest(judges=1, systems=4)
    people = np.round(judged.human_scores)  # some ties, so that not every pair has enough
    judged = contest(judges=1, systems=4, human_scores=people)
    options = Options(resamples=200, min_battles=47)
    as_rates = study(judged, Task(scale="continuous"), options=options)
    monkeypatch.setattr(gold_module, "HELD", 0)
    as_counts = study(judged, Task(scale="continuous"), options=options)
    assert as_rates.people is not None
    assert as_counts.people is not None
    held, drawn = as_counts.people.gold.resampled_rates, as_rates.people.gold.resampled_rates
    assert isinstance(held, CountedRates)
    assert isinstance(drawn, np.ndarray)
    assert 0 < np.isnan(drawn).all(axis=0).sum() < drawn.shape[1]
    np.testing.assert_array_equal(held[:], drawn)
    assert [row.to_json() for row in as_counts.rows()] == [row.to_json() for row in as_rates.rows()]
