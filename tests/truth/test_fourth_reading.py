"""What was wrong when every verb was read aloud on tables of shapes nobody had tried."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from lookup import some

import goldassay as ga
from goldassay import Findings, Sentence

BINARY = {"scale": "binary", "options": ["yes", "no"], "positive": "yes"}
FEW: dict[str, Any] = {"resamples": 200}
TRUTH = ["yes" if k % 2 else "no" for k in range(80)]


def ratings(
    people: dict[str, list[str | None]], judges: dict[str, list[str | None]]
) -> pl.DataFrame:
    rows = [
        (f"i{k}", rater, kind, value)
        for kind, raters in (("human", people), ("judge", judges))
        for rater, values in raters.items()
        for k, value in enumerate(values)
        if value is not None
    ]
    return pl.DataFrame(rows, schema=["item", "rater", "kind", "value"], orient="row")


def flipped(every: int) -> list[str]:
    return [("no" if v == "yes" else "yes") if k % every == 0 else v for k, v in enumerate(TRUTH)]


def said(found: Findings, key: str) -> Sentence:
    return next(one for one in (*found.answer, *found.notes) if one.key == key)


@pytest.fixture(scope="module")
def abstaining() -> pl.DataFrame:
    """`shy` says yes or nothing, and once yes to a no; `bold` decides everything.

    Of either label there are too few items for `shy` to be seen to leave one out.
    """
    truth = TRUTH[:38]
    shy = ["yes" if value == "yes" or k == 0 else None for k, value in enumerate(truth)]
    return ratings({"ann": truth}, {"shy": shy, "bold": flipped(7)[:38]})


def test_who_does_better_than_guessing_is_told_of_what_each_decides(
    abstaining: pl.DataFrame,
) -> None:
    found = ga.select(abstaining, BINARY, **FEW)
    one = said(found, "select.guessing")
    assert one.about == {"judge": "shy"}
    assert one.facts["on_own"] == ["bold"]
    assert one.text == (
        "It is not shown on the 20 items that both decide to do better than guessing, which "
        "reaches 50 %; `bold` does on all that it decides."
    )
    guesses = {"a": flipped(2), "b": flipped(2)}
    alike = said(ga.select(ratings({"ann": TRUTH}, guesses), BINARY, **FEW), "select.guessing")
    assert alike.text.startswith("No judge is shown to do better than guessing")


def test_the_judge_that_is_taken_says_on_which_items_it_is_the_highest(
    abstaining: pl.DataFrame,
) -> None:
    one = said(ga.plan(abstaining, {**BINARY, "calibration": "random"}), "plan.judge")
    assert one.text.endswith(
        "the highest balanced accuracy of 2 judges on the 20 items that both decide."
    )


def test_of_judges_that_are_not_compared_none_is_the_highest() -> None:
    """A judge of a few items is not among those of which another is the highest."""
    few = [value if k < 9 else None for k, value in enumerate(TRUTH)]
    judges = {"a": flipped(5), "b": flipped(4), "few": few}
    frame = ratings({"ann": TRUTH}, judges)
    one = said(ga.plan(frame, {**BINARY, "calibration": "random"}), "plan.judge")
    assert one.facts["judges"] == 2
    assert "of 2 judges" in one.text


def test_chance_has_the_digits_of_what_it_is_held_against() -> None:
    """98 % beside 97.6 % [87, 99.9] would read as more."""
    shy = ["yes" if value == "yes" or k == 0 else None for k, value in enumerate(TRUTH)]
    found = ga.report(ratings({"ann": TRUTH}, {"shy": shy}), BINARY, **FEW)
    one = said(found, "report.trust")
    agreed, chance = one.facts["agreed"], one.facts["chance"]
    assert agreed["value"] == pytest.approx(chance["value"])
    assert one.text.count("97.6 %") == 2


def test_one_item_tells_nothing_of_what_decisions_are_worth() -> None:
    frame = ratings({"ann": ["yes"]}, {"j": TRUTH[1:]})
    found = ga.audit(frame, BINARY, **FEW)
    one = said(found, "audit.downstream")
    assert one.facts["told"] is False
    assert one.text.startswith("One item says nothing of others: what the decisions of `j` are ")
    assert found.summary is not None
    assert not [note for note in found.summary.notes if "Intervals" in note]


@pytest.mark.parametrize("verb", ["select", "audit"])
def test_verdicts_that_are_not_looked_at_are_said_to_be_left_out(verb: str) -> None:
    """And what is left out changes no number."""
    labelled = [value if k < 30 else None for k, value in enumerate(TRUTH)]
    judges = {"a": flipped(5), "b": flipped(4)}
    frame = ratings({"ann": labelled}, judges)
    found = getattr(ga, verb)(frame, BINARY, **FEW)
    (left,) = found.exclusions
    assert (left.reason, left.rows) == ("no human reference", 100)
    kept = frame.filter(pl.col("item").str.slice(1).cast(pl.Int64) < 30)
    without = getattr(ga, verb)(kept, BINARY, **FEW)
    # A judge's coverage is of all that it was to rate.
    for row in some(row for row in found.rows if row.result.n_items <= 30):
        assert row.result in [one.result for one in without.rows if one.about == row.about]


def test_weights_speak_of_other_people_only_where_there_are_some() -> None:
    frame = ratings({"ann": TRUTH, "bob": flipped(5)}, {"j": flipped(4)})
    for weights, others in (({"ann": 2, "bob": 1}, False), ({"ann": 2}, True)):
        found = ga.agree(frame, {**BINARY, "rater_weights": weights}, **FEW)
        told = str(found.document())
        assert "The reference is the majority of people's weights" in told
        assert ("every other person 1" in told) == others


def test_those_who_may_accept_the_same_are_told_together() -> None:
    judges = {"j": ["0", "1", "2"] * 10, "k": ["0"] * 28 + ["2"] * 2}
    rows = ratings({"ann": ["0"] * 30, "bob": ["0"] * 29 + ["1"]}, judges)
    found = ga.audit(rows, {"scale": "nominal", "options": ["0", "1", "2"]}, **FEW)
    told = " ".join(one.text for one in (*found.answer, *found.notes))
    assert "who says `1` or `2` may accept `0` too" in told


def test_of_many_judges_none_is_told_from_the_best_by_chance() -> None:
    """An audit compares all judges at once, as agree does."""
    rng = np.random.default_rng(5)
    other = {"yes": "no", "no": "yes"}
    judges: dict[str, list[str | None]] = {
        f"j{n:02}": [value if rng.random() < 0.8 else other[value] for value in TRUTH]
        for n in range(25)
    }
    frame = ratings({"ann": TRUTH}, judges)
    summary = ga.audit(frame, BINARY, **FEW).summary
    assert summary is not None
    assert all(line.tied for line in summary.lines)
    agreed = ga.agree(frame, BINARY, **FEW).summary
    assert agreed is not None
    assert all(line.tied for line in agreed.lines)
