"""People's own agreement, on equal terms with a judge's."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import goldassay as ga
from goldassay.errors import TaskError

BINARY = {"scale": "binary", "options": ["yes", "no"], "positive": "yes"}
PAIRS = {"scale": "pairwise", "options": ["a", "b", "tie"], "tie": "tie"}


def table(columns: dict[str, list[str | None]], judges: tuple[str, ...] = ("gpt",)) -> Any:
    """Ratings from a column per rater; None is not asked."""
    rows = [
        (f"i{item:04}", rater, "judge" if rater in judges else "human", value)
        for rater, values in columns.items()
        for item, value in enumerate(values)
        if value is not None
    ]
    return pl.DataFrame(rows, schema=["item", "rater", "kind", "value"], orient="row")


def found(columns: dict[str, list[str | None]], task: dict[str, Any], **more: Any) -> Any:
    return ga.agree(table(columns), {**task, **more}, resamples=200)


def test_a_judge_and_people_are_counted_alike() -> None:
    """Four items, two people and a judge; by hand.

    Item 0: y y | y: a person agrees with the judge 1, with the other 1. Item 1: y n | y: 1/2, 0.
    Item 2: n n | y: 0, 1. Item 3: y y | n: 0, 1. Means 3/8 and 3/4.
    """
    said = found(
        {
            "ann": ["yes", "yes", "no", "yes"],
            "bob": ["yes", "no", "no", "yes"],
            "gpt": ["yes", "yes", "yes", "no"],
        },
        BINARY,
    )
    assert said["agreement_with_a_person", "gpt"].value == pytest.approx(3 / 8)
    assert said["agreement_of_two_people", "gpt"].value == pytest.approx(3 / 4)
    assert said["gap_to_people", "gpt"].value == pytest.approx(-3 / 8)


def test_ties_count_alike_on_both_sides() -> None:
    """40 % ties by people: with ties as half, people's own agreement has them as half too."""
    ann = ["a", "a", "tie", "tie", "b"] * 40
    bob = ["a", "tie", "tie", "a", "b"] * 40
    gpt = ["a", "a", "a", "a", "b"] * 40
    half = found({"ann": ann, "bob": bob, "gpt": gpt}, PAIRS)
    # Of five items people agree on 1 + 1/2 + 1 + 1/2 + 1; with the judge on 1, 3/4, 1/2, 3/4, 1.
    assert half["agreement_of_two_people", "gpt"].value == pytest.approx(4 / 5)
    assert half["agreement_with_a_person", "gpt"].value == pytest.approx(4 / 5)
    exact = found({"ann": ann, "bob": bob, "gpt": gpt}, PAIRS, ties="class")
    assert exact["agreement_of_two_people", "gpt"].value == pytest.approx(3 / 5)
    assert exact["agreement_with_a_person", "gpt"].value == pytest.approx(3 / 5)
    left_out = found({"ann": ann, "bob": bob, "gpt": gpt}, PAIRS, ties="exclude")
    assert left_out["agreement_of_two_people", "gpt"].n_items == 80
    first = half.answer[0]
    # Of five items two divide people, and of the others' references one is a tie.
    assert "a tie counts half; it calls 0 % ties, the majority 33 %" in first.text
    assert half["human_tie_rate"].value == pytest.approx(1 / 3)
    assert half["tie_rate_difference", "gpt"].value == pytest.approx(-1 / 3)
    votes = found({"ann": ann, "bob": bob, "gpt": gpt}, PAIRS, reference="each")
    assert "it calls 0 % ties, people 40 %" in votes.answer[0].text
    assert votes["human_tie_rate"].value == pytest.approx(0.4)


def disputed() -> dict[str, list[str | None]]:
    """A third person who rates the 40 of 200 items on which two differ, at odds with one."""
    ann = ["yes" if item % 2 else "no" for item in range(200)]
    bob = [v if item % 5 else ("no" if v == "yes" else "yes") for item, v in enumerate(ann)]
    eva = [None if item % 5 else v for item, v in enumerate(ann)]
    return {"ann": ann, "bob": bob, "eva": eva, "gpt": ann}


def test_an_adjudicator_is_left_out_of_peoples_agreement() -> None:
    said = found(disputed(), BINARY)
    # ann and bob agree on 160 of 200 pairs; with eva's pairs it would be 200 of 280.
    assert said["human_observed_agreement"].value == pytest.approx(0.8)
    assert said["agreement_of_two_people", "gpt"].value == pytest.approx(0.8)
    # gpt is ann: a person agrees with it on 1 and 4/5, in the mean 9/10.
    assert said["agreement_with_a_person", "gpt"].value == pytest.approx(0.9)
    (people,) = [one for one in said.notes if one.key == "agree.people"]
    assert (people.facts["pairs"], people.facts["left_out"]) == (200, ["eva"])
    assert "`eva` is left out, who rated 40 of them" in people.text
    (beside,) = [one for one in said.answer if one.key == "agree.beside_people"]
    assert beside.facts["lean"] == "more"
    kappa = said.tables["people: kappa"]
    assert kappa.columns == ("", "ann", "bob")


def test_a_person_who_rates_few_items_like_the_rest_is_not_left_out() -> None:
    columns = disputed()
    columns["eva"] = [v if item % 7 == 0 else None for item, v in enumerate(columns["ann"])]
    (people,) = [one for one in found(columns, BINARY).notes if one.key == "agree.people"]
    assert "left_out" not in people.facts


def test_empty_cells_are_what_the_task_declares() -> None:
    columns: dict[str, list[str | None]] = {
        "ann": ["yes", "no"] * 20,
        "gpt": ["yes", "no"] * 18 + ["", "", "", "no"],
    }
    plain = found(columns, BINARY)
    assert next((one.reason, one.rows) for one in plain.exclusions) == ("empty value", 3)
    assert plain["coverage", "gpt"].value == pytest.approx(37 / 40)
    for word, rate in (("invalid", "invalid_rate"), ("abstain", "abstention_rate")):
        said = found(columns, BINARY, **{word: [""]})
        assert said["coverage", "gpt"].value == pytest.approx(37 / 40)
        assert said[rate, "gpt"].value == pytest.approx(3 / 40)
        assert any("no usable verdict on 8 %" in one.text for one in said.answer)
    wrong = found(columns, BINARY, invalid=[""], invalids="wrong")
    assert wrong["accuracy", "gpt"].value == pytest.approx(37 / 40)


@pytest.mark.parametrize("rule", ["median", "mean"])
def test_graded_ratings_of_two_people_keep_every_item(rule: str) -> None:
    """Two people who differ by one grade on half of the items: the half counts between both."""
    ann = ["1", "2", "3", "4"] * 10
    bob = ["1", "3", "3", "3"] * 10
    graded = {"scale": "ordinal", "options": ["1", "2", "3", "4"]}
    columns: dict[str, list[str | None]] = {"ann": ann, "bob": bob, "gpt": ann}
    majority = found(columns, graded)
    assert majority["accuracy", "gpt"].n_items == 20
    assert "(people tie on 20 more, which are left out)" in majority.answer[0].text
    assert 'reference = "median" or "each"' in majority.warnings[0]
    kept = found(columns, graded, reference=rule)
    # Items 1, 2.5, 3 and 3.5: the judge's grade has 1, 1/2, 1 and 1/2 of the reference.
    assert kept["accuracy", "gpt"].value == pytest.approx(3 / 4)
    assert kept["accuracy", "gpt"].n_items == 40
    assert f"agrees with the {rule} of people's ratings" in kept.answer[0].text
    with pytest.raises(TaskError, match="reference"):
        found(columns, {"scale": "nominal", "options": ["1", "2", "3", "4"]}, reference=rule)


def test_weights_are_spoken_of() -> None:
    frame = table({"ann": ["yes", "no"] * 5, "gpt": ["yes"] * 10})
    for weight, text in (
        (pl.lit("1"), None),
        (pl.col("item").str.tail(1), "Items count by the column `weight`; raters count alike."),
        (
            pl.when(pl.col("rater") == "ann").then(pl.lit("2")).otherwise(pl.lit("1")),
            "an item counts with the largest of its weights",
        ),
    ):
        said = ga.agree(frame.with_columns(weight=weight), BINARY, resamples=100)
        notes = [one.text for one in said.notes if one.key == "agree.weights"]
        assert len(notes) == (text is not None)
        assert all(str(text) in one for one in notes)
