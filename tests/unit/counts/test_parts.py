"""A rating in several rows with weights counts once, each row by its share."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import goldassay as ga
from goldassay.counts import count_scores, count_wins
from goldassay.counts.parts import are_shared_out
from goldassay.ratings.table import Ratings, read_ratings
from goldassay.ratings.task import Task
from goldassay.rendering.text import render_text

GRADES = {"scale": "ordinal", "options": ["1", "2", "3"]}
BATTLES = {"scale": "pairwise", "options": ["A", "B", "tie"], "tie": "tie"}


def table(folder: Path, text: str, task: dict[str, object]) -> Ratings:
    path = folder / "r.csv"
    path.write_text(text.replace("    ", "") + "\n")
    return read_ratings(path, Task.from_mapping(task))


def test_a_score_is_the_mean_of_its_parts(tmp_path: Path) -> None:
    """On i: .2 of grade 1, .8 of grade 3 (its weights add up to 1/2); by hand .2 + 3 x .8 = 2.6."""
    text = """item,system,rater,kind,value,weight
    i,s,j,judge,1,0.1
    i,s,j,judge,3,0.4
    i,t,j,judge,2,7
    k,s,j,judge,2,
    k,t,j,judge,1,1"""
    ratings = table(tmp_path, text, GRADES)
    assert are_shared_out(ratings)
    found = count_scores(ratings)
    np.testing.assert_allclose(found.judge, [[[2.6, 2.0], [2.0, 1.0]]])


def test_a_repeat_counts_once_however_its_weights_add_up(tmp_path: Path) -> None:
    """The mean of a first sample of 2.6 and a second of 1 is 1.8, though its weight is 10."""
    text = """item,system,rater,kind,value,weight,sample
    i,s,j,judge,1,0.1,1
    i,s,j,judge,3,0.4,1
    i,s,j,judge,1,10,2"""
    assert count_scores(table(tmp_path, text, GRADES)).judge.tolist() == [[[pytest.approx(1.8)]]]


def test_a_verdict_of_a_battle_is_shared_out(tmp_path: Path) -> None:
    text = """item,system,opponent,rater,kind,value,weight
    1,x,y,j,judge,A,0.6
    1,x,y,j,judge,B,0.3
    1,x,y,j,judge,tie,0.1
    2,x,y,j,judge,B,5"""
    wins = count_wins(table(tmp_path, text, BATTLES))
    np.testing.assert_allclose(wins.wins, [[0.6, 0.3, 0.1], [0, 1, 0]])
    assert wins.given.tolist() == [3, 1]


def test_a_weight_of_nothing_counts_for_nothing(tmp_path: Path) -> None:
    text = """item,system,opponent,rater,kind,value,weight
    1,x,y,j,judge,A,0
    1,x,y,j,judge,B,0
    2,x,y,j,judge,B,1"""
    wins = count_wins(table(tmp_path, text, BATTLES))
    np.testing.assert_allclose(wins.wins, [[0, 0, 0], [0, 1, 0]])


def test_weights_of_items_are_no_parts(tmp_path: Path) -> None:
    """One row each: an item's weight is not a number of its ratings."""
    text = """item,system,opponent,rater,kind,value,weight
    1,x,y,j,judge,A,9
    2,x,y,j,judge,B,1"""
    ratings = table(tmp_path, text, BATTLES)
    assert not are_shared_out(ratings)
    assert count_wins(ratings).wins.tolist() == [[1, 0, 0], [0, 1, 0]]


def probable(*, shared: bool) -> pl.DataFrame:
    """Battles of three systems; the judge gives probabilities, or the likelier side."""
    rows, strength = [], {"x": 0.9, "y": 0.55, "z": 0.2}
    pairs = [("x", "y"), ("x", "z"), ("y", "z")]
    for n in range(30):
        for one, two in pairs:
            about = {"item": f"q{n}", "system": one, "opponent": two}
            chance = strength[one] / (strength[one] + strength[two])
            judge = {"rater": "j", "kind": "judge"}
            if shared:
                for value, weight in (("A", chance), ("B", 1 - chance)):
                    rows.append({**about, **judge, "value": value, "weight": weight})
            else:
                rows.append({**about, **judge, "value": "A", "weight": 1.0})
            for who in ("ann", "ben"):
                value = "A" if (n + len(who + one)) % 4 else "B"
                person = {"rater": who, "kind": "human", "value": value, "weight": 1.0}
                rows.append({**about, **person})
    return pl.DataFrame(rows)


def test_rank_counts_parts_and_says_so() -> None:
    """Where parts counted as whole ratings, every battle of the judge was a draw."""
    few = {"aggregation": ["win_rate"], "resamples": 40}
    found = ga.rank(probable(shared=True), BATTLES, **few)
    scores = {
        row.about["system"]: row.result.value
        for row in found.rows
        if row.result.name == "system_score" and row.about.get("judge") == "j"
    }
    assert scores["x"] == pytest.approx((0.9 / 1.45 + 0.9 / 1.1) / 2, abs=1e-9)
    assert scores["z"] == pytest.approx((0.2 / 1.1 + 0.2 / 0.75) / 2, abs=1e-9)
    (told,) = (one for one in found.notes if one.key == "rank.weights")
    assert told.facts["used"] is True
    assert told.text.startswith("A rating in several rows")
    assert told.text in " ".join(render_text(found.document()).split())
    plain = {one.key for one in ga.rank(probable(shared=False), BATTLES, **few).notes}
    assert "rank.weights" not in plain


def test_level_votes_are_left_out_by_their_rows() -> None:
    """A person who is halfway between both sides gave two rows, which are left out whole."""
    frame = probable(shared=True).filter(pl.col("rater") != "ben")
    ann = pl.col("rater") == "ann"
    first = ann & (pl.col("item") == "q0")
    halved = frame.filter(first).with_columns(weight=pl.lit(0.5))
    frame = pl.concat(
        [
            frame.filter(~first),
            halved.with_columns(value=pl.lit("A")),
            halved.with_columns(value=pl.lit("B")),
        ]
    )
    found = ga.rank(frame, BATTLES, aggregation=["win_rate"], resamples=40)
    assert {one.reason: one.rows for one in found.exclusions} == {"people tied": 6}
    assert any("3 battles on which people's votes are level" in one for one in found.warnings)
