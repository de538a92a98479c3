"""Which questions a table answers: what `check` says, and what the question then does."""

from __future__ import annotations

import polars as pl
import pytest

import goldassay as ga
from goldassay.errors import RatingsError

TASK = {"scale": "nominal", "options": ["good", "fair", "bad"]}
LABELS = TASK["options"]


def judged(*judges: str, silent: int = 0) -> pl.DataFrame:
    """60 items by a person and by judges who differ on some; the last is silent on a few."""
    rows = []
    for n in range(60):
        rows.append((f"q{n}", "ann", "human", LABELS[n % 3]))
        for j, name in enumerate(judges):
            if name == judges[-1] and n < silent:
                continue
            rows.append((f"q{n}", name, "judge", LABELS[(n + (n % 7 == j)) % 3]))
    return pl.DataFrame(rows, schema=["item", "rater", "kind", "value"], orient="row")


@pytest.mark.parametrize(
    ("judges", "silent", "answers"),
    [
        ("a", 0, False),
        ("ab", 0, True),  # where they agree, or differ and so leave it to people
        ("ab", 5, True),  # both, or one of two
        ("ab", 60, False),  # the second says nothing at all
        ("abc", 0, True),  # two of three, or all
    ],
)
def test_route_answers_where_check_says_so(judges: str, silent: int, answers: bool) -> None:
    frame = judged(*judges, silent=silent)
    said = {one["question"]: one for one in _questions(frame)}["route"]
    assert said["now"] == ("yes" if answers else "no")
    if answers:
        assert ga.route(frame, TASK).answer
        return
    with pytest.raises(RatingsError):
        ga.route(frame, TASK)
    third = len(frame.filter(pl.col("kind") == "judge")["rater"].unique()) == 2
    assert ("third judge" in said["needs"]) == third


@pytest.mark.parametrize("column", ["order", "sample"])
def test_answers_that_were_asked_for_twice_tell_how_sure_a_judge_is(column: str) -> None:
    """By sample or in both orders; a column alone tells nothing."""
    one = judged("a").with_columns(pl.lit("1").alias(column))
    again = judged("b").filter(pl.col("kind") == "judge").with_columns(rater=pl.lit("a"))
    turned = pl.when(pl.col("item").is_in(["q3", "q5"])).then(pl.lit("bad")).otherwise("value")
    two = again.with_columns(pl.lit("2").alias(column), value=turned).select(one.columns)
    for frame, answers in ((one, "no"), (pl.concat([one, two]), "yes")):
        said = {each["question"]: each for each in _questions(frame)}["route"]
        assert said["now"] == answers
        if answers == "yes":
            assert ga.route(frame, TASK).answer
        else:
            with pytest.raises(RatingsError):
                ga.route(frame, TASK)


def _questions(frame: pl.DataFrame) -> list[dict[str, str]]:
    facts = ga.check(frame, TASK).summary
    assert facts is not None
    return [
        {"question": line.label, "now": str(line.cells[0]), "needs": str(line.cells[1])}
        for line in facts.lines
    ]


@pytest.mark.parametrize("kind", ["judge", "human"])
@pytest.mark.parametrize("scale", ["nominal", "continuous"])
def test_without_a_judge_or_people_ratings_are_used_all_the_same(kind: str, scale: str) -> None:
    """Nothing is paired, so that only the one rating that is none is left out."""
    values = ["1", "2", "3", "refused"]
    rows = [(f"q{n}", "ann", kind, values[3 if n == 7 else n % 3]) for n in range(30)]
    frame = pl.DataFrame(rows, schema=["item", "rater", "kind", "value"], orient="row")
    task = {"scale": scale, "abstain": ["refused"]}
    task |= {"options": values[:3]} if scale == "nominal" else {}
    found = ga.check(frame, task)
    assert found.rows_read == 30
    assert sum(one.rows for one in found.exclusions) == 1


def test_a_table_that_is_guessed_at_certifies_nobody() -> None:
    frame = judged("a").with_columns(
        value=pl.when(pl.col("value") == "good").then(pl.lit("1")).otherwise(pl.lit("0"))
    )
    for task, answers in (
        (None, "no"),
        ({"scale": "binary", "options": ["1", "0"], "positive": "1"}, "yes"),
    ):
        summary = ga.check(frame, task).summary
        assert summary is not None
        (now,) = (line.cells[0] for line in summary.lines if line.label == "certify")
        assert now == answers
