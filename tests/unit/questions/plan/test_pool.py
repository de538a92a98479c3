"""A judge's pool by verdict, and the items to label next."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from small_tables import judged, ratings, units

from goldassay.counts import Units, list_unlabelled
from goldassay.questions.plan.pool import Pool, chosen_units, plan_exclusions, pool_of, two_options


def pool_rows(n: int = 100, labelled: int = 20, **columns: list[str]) -> list[dict[str, object]]:
    """n judged items, 40 % called yes; the first `labelled` of them labelled as called."""
    verdict = [1 if i % 5 < 2 else 0 for i in range(n)]
    truth = [verdict[i] if i < labelled else -1 for i in range(n)]
    return judged(truth, {"gpt": verdict}, **columns)


def counted_pool(units: Units) -> Pool:
    return pool_of(two_options(units, "gpt"))


def test_the_pool_is_counted_by_verdict(tmp_path: Path) -> None:
    pool = counted_pool(units(tmp_path, pool_rows()))
    assert dict(zip(pool.verdict, pool.items.tolist(), strict=True)) == {"yes": 40, "no": 60}
    assert pool.labelled.sum() == 20
    assert pool.positives.tolist() == [0, 8]
    assert pool.called_positive.tolist() == [False, True]


def test_declared_strata_split_the_pool(tmp_path: Path) -> None:
    rows = pool_rows(topic=["law", "art"] * 50)
    pool = counted_pool(units(tmp_path, rows, strata=["topic"]))
    assert pool.names == ("no · art", "yes · art", "no · law", "yes · law")
    assert pool.items.sum() == 100


def test_the_rates_come_back_from_the_strata(tmp_path: Path) -> None:
    """300 called yes of which 80 % are, 700 called no of which 10 % are: by hand."""
    verdict = [1] * 300 + [0] * 700
    truth = [1] * 240 + [0] * 60 + [1] * 70 + [0] * 630
    pool = counted_pool(units(tmp_path, judged(truth, {"gpt": verdict})))
    assert pool.rates.prevalence == pytest.approx(0.31, abs=0.001)
    assert pool.rates.sensitivity == pytest.approx(240 / 310, abs=0.002)
    assert pool.rates.specificity == pytest.approx(630 / 690, abs=0.002)


def test_abstentions_are_left_out_or_a_stratum(tmp_path: Path) -> None:
    rows = pool_rows()
    for row in rows:
        if row["kind"] == "judge" and row["item"] in ("i0001", "i0002"):
            row["value"] = "unsure"
    left_out = counted_pool(units(tmp_path, rows, abstain=["unsure"]))
    assert left_out.items.sum() == 98
    kept = counted_pool(units(tmp_path, rows, abstain=["unsure"], abstentions="class"))
    assert kept.items.sum() == 100
    assert "abstained" in kept.verdict


def test_no_more_labels_than_items_are_shared_out(tmp_path: Path) -> None:
    pool = counted_pool(units(tmp_path, pool_rows()))
    assert pool.left == 80
    assert pool.more(80).sum() == 80
    assert pool.more(500).sum() == 80


def test_the_next_items_are_unlabelled_and_follow_the_allocation(tmp_path: Path) -> None:
    table = ratings(tmp_path, pool_rows())
    counted = units(tmp_path, pool_rows())
    pool, unlabelled = counted_pool(counted), list_unlabelled(table, "gpt")
    assert len(unlabelled.units) == 80
    chosen = chosen_units(pool, unlabelled, pool.more(30), counted.task, seed=1)
    assert len(chosen) == len(set(chosen)) == 30
    numbers = [int(unit[0][1:]) for unit in chosen]
    assert all(number >= 20 for number in numbers)
    called = Counter("yes" if number % 5 < 2 else "no" for number in numbers)
    wanted = dict(zip(pool.verdict, pool.more(30).tolist(), strict=True))
    assert called == {name: count for name, count in wanted.items() if count}


def test_the_next_items_do_not_depend_on_the_order_of_rows(tmp_path: Path) -> None:
    rows = pool_rows()
    shuffled = [rows[i] for i in np.random.default_rng(0).permutation(len(rows))]
    lists = []
    for given in (rows, shuffled):
        table, counted = ratings(tmp_path, given), units(tmp_path, given)
        lists.append(
            chosen_units(
                counted_pool(counted), list_unlabelled(table, "gpt"), 12, counted.task, seed=3
            )
        )
    assert lists[0] == lists[1]
    other = chosen_units(
        counted_pool(counted), list_unlabelled(table, "gpt"), 12, counted.task, seed=4
    )
    assert other != lists[0]


def test_every_row_is_used_or_left_out_with_a_reason(tmp_path: Path) -> None:
    rows = pool_rows()
    words = {"i0001": "unsure", "i0050": "unsure", "i0060": "bad"}
    for row in rows:
        if row["kind"] == "judge" and row["item"] in words:
            row["value"] = words[str(row["item"])]
    counted = units(tmp_path, rows, abstain=["unsure"], invalid=["bad"])
    found = {one.reason: one.rows for one in plan_exclusions(counted, "gpt")}
    assert found == {
        "judge's rating abstained": 2,
        "judge's rating invalid": 1,
        "no verdict of gpt that counts": 1,  # the label of i0001
    }
    pool = counted_pool(counted)
    assert pool.items.sum() + pool.labelled.sum() + sum(found.values()) == counted.rows


def test_a_number_of_items_is_drawn_from_the_whole_pool(tmp_path: Path) -> None:
    """Drawn at random, 40 of the 80 that are left: both verdicts about as in the pool (40 %)."""
    table, counted = ratings(tmp_path, pool_rows()), units(tmp_path, pool_rows())
    unlabelled = list_unlabelled(table, "gpt")
    chosen = chosen_units(counted_pool(counted), unlabelled, 40, counted.task, seed=1)
    assert len(set(chosen)) == 40
    yes = sum(int(unit[0][1:]) % 5 < 2 for unit in chosen)
    assert 8 <= yes <= 24
