"""The verdict on a judge, and how many items it would take, from tests of single people."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest

import goldassay as ga
from goldassay.counts.persons import count_persons
from goldassay.inference.noninferiority import Differences, items_for
from goldassay.questions.replace.study import Settings, Tested, _items_needed, _verdict, study
from goldassay.ratings.table import read_ratings
from goldassay.ratings.task import Task
from goldassay.results import Estimate

BINARY = {"scale": "binary", "options": ["y", "n"], "positive": "y"}


def shown(number: int, people: int) -> Tested:
    """So many of the people with a p-value of 1 in a thousand, the others with one of .9."""
    p_values = [0.001] * number + [0.9] * (people - number)
    return p_values, np.array(p_values) < 0.05


@pytest.mark.parametrize(
    ("people", "closer", "farther", "verdict"),
    [
        (3, 1, 0, "unknown"),  # half of three are two
        (3, 2, 0, "yes"),
        (3, 0, 1, "unknown"),
        (3, 0, 2, "no"),  # then two cannot be matched
        (4, 1, 0, "unknown"),
        (4, 2, 0, "yes"),
        (4, 0, 2, "unknown"),  # the other two may be half
        (4, 0, 3, "no"),
        (1, 1, 0, "yes"),
        (1, 0, 1, "no"),
    ],
)
def test_half_of_the_people_decide(people: int, closer: int, farther: int, verdict: str) -> None:
    assert _verdict(shown(closer, people), shown(farther, people), 0.05) == verdict


def test_a_verdict_holds_its_own_level() -> None:
    # Two of three refuted: "fewer than two are false" has 2 times the second smallest p-value.
    refuted = np.array([True, True, False])
    nobody = shown(0, 3)
    assert _verdict(([0.001, 0.024, 0.9], refuted), nobody, 0.05) == "yes"
    assert _verdict(([0.001, 0.026, 0.9], refuted), nobody, 0.05) == "unknown"


def test_items_needed_are_those_of_the_middle_person() -> None:
    seen = [Differences(losses, 6.0, 100, 100) for losses in (2.0, 8.0, 14.0)]
    # Half of three are two. Two of three are refuted together (false discoveries under any
    # dependence) at .05 * 2 / (3 * (1 + 1/2 + 1/3)) = .01818; the verdict asks for .05 / 2.
    level = 0.05 * 2 / (3 * (1 + 1 / 2 + 1 / 3))
    assert level < 0.05 / 2
    expected = math.ceil(items_for(seen[1], 0.15, level=level))
    assert _items_needed(seen, 0.15, 0.05) == expected
    assert _items_needed(seen[::-1], 0.15, 0.05) == expected
    assert items_for(seen[0], 0.15, level=level) < expected - 1
    worse = Differences(40.0, 6.0, 100, 100)  # farther than .15: no number of items shows it
    assert _items_needed([seen[0], worse, worse], 0.15, 0.05) is None


def test_the_probability_has_an_interval_of_its_clusters() -> None:
    said = {"ann": "yyyynynnnn", "ben": "yyynyynnyn", "cat": "yynyyynyyn", "judge": "yyyyynnnny"}
    rows = [
        (f"i{k}", f"c{k // 2}", rater, "judge" if rater == "judge" else "human", value)
        for rater, values in said.items()
        for k, value in enumerate(values)
    ]
    columns = ["item", "page", "rater", "kind", "value"]
    frame = pl.DataFrame(rows, schema=columns, orient="row").with_columns(
        half=pl.col("page").is_in(["c0", "c1"]).cast(pl.String), whole=pl.lit("one")
    )
    alone = ga.replace(frame, {**BINARY, "cluster": "whole"}, min_items=2)
    assert alone["advantage_probability", "judge"].interval is None  # nothing tells how it varies
    for cluster, number in (("item", 10), ("page", 5), ("half", 2)):
        found = ga.replace(frame, {**BINARY, "cluster": cluster}, min_items=2)
        one = found["advantage_probability", "judge"]
        assert isinstance(one, Estimate)
        assert (one.n_items, one.n_clusters) == (10, number)
        assert one.interval is not None
        # Thirty comparisons of ten items are worth no more than thirty coins, of which 24 fell so.
        assert one.interval.low < 0.63
        assert one.interval.high > 0.9


def told(**said: str) -> pl.DataFrame:
    """A letter for each item: y, n, or a for an abstention; people's names begin with p."""
    words = {"y": "y", "n": "n", "a": "pass"}
    rows = [
        (f"i{k:02}", rater, "human" if rater.startswith("p") else "judge", words[letter])
        for rater, letters in said.items()
        for k, letter in enumerate(letters)
    ]
    return pl.DataFrame(rows, schema=["item", "rater", "kind", "value"], orient="row")


def test_of_level_judges_the_one_that_decides_more_comes_first() -> None:
    people = {"p1": "yn" * 40, "p2": "yn" * 40}
    frame = told(**people, a_gappy="yn" * 20 + "a" * 40, b_full="yn" * 40)
    found = ga.replace(frame, {**BINARY, "abstain": ["pass"]})
    assert found.summary is not None
    assert [line.label for line in found.summary.lines] == ["b_full", "a_gappy"]


def test_a_judge_that_only_abstains_says_no_option_of_every_item() -> None:
    """Where abstentions are a class, theirs is a number beyond the options'."""
    task = Task.from_mapping({**BINARY, "abstain": ["pass"], "abstentions": "class"})
    counted = count_persons(
        read_ratings(told(p1="yn" * 20, p2="yy" * 20, silent="a" * 40, sure="y" * 40), task)
    )
    found = study(counted, task, Settings(), place="here")
    assert {one.judge: one.constant for one in found.judges} == {"silent": None, "sure": "y"}


@pytest.mark.parametrize(
    ("task", "grades", "shares", "always"),
    [
        (BINARY, "yn", (0.96, 0.04), "y"),
        (BINARY, "yn", (0.6, 0.4), None),
        ({"scale": "ordinal", "options": ["1", "2", "3"]}, "123", (0.03, 0.95, 0.02), "2"),
        ({"scale": "ordinal", "options": ["1", "2", "3"]}, "123", (0.4, 0.2, 0.4), None),
        ({"scale": "continuous"}, "579", (0.02, 0.96, 0.02), "7"),
    ],
)
def test_what_people_say_most_is_tried_of_every_item(
    task: dict[str, object], grades: str, shares: tuple[float, ...], always: str | None
) -> None:
    """People and a judge see the same truth through the same noise, so that the judge passes."""
    rng = np.random.default_rng(3)
    truth = rng.choice(list(grades), 240, p=shares)
    rows = [
        (f"i{k}", rater, "judge" if rater == "gpt" else "human", said)
        for k, true in enumerate(truth)
        for rater in ("p1", "p2", "p3", "gpt")
        for said in [true if rng.random() < 0.97 else rng.choice(list(grades))]
    ]
    frame = pl.DataFrame(rows, schema=["item", "rater", "kind", "value"], orient="row")
    if task["scale"] == "continuous":
        frame = frame.with_columns(pl.col("value").cast(pl.Float64))
    found = ga.replace(frame, task)
    said = found.answer[0]
    assert said.facts["verdict"] == "yes"
    assert said.facts.get("always") == always
    assert ("So might a rater that says" in said.text) is (always is not None)
    assert any("of every item is enough here" in one for one in found.warnings) is bool(always)


@pytest.mark.parametrize(("items_of_page", "clustered"), [(1, False), (2, True)])
def test_pages_of_one_item_are_no_clusters(items_of_page: int, clustered: bool) -> None:
    frame = told(p1="yn" * 20, p2="yy" * 20, gpt="yn" * 20)
    page = frame["item"].str.slice(1).cast(pl.Int64) // items_of_page
    task = Task.from_mapping({**BINARY, "cluster": "page"})
    table = frame.with_columns(page=page.cast(pl.String))
    counted = count_persons(read_ratings(table, task))
    assert study(counted, task, Settings(), place="here").clustered is clustered
