"""Battles of one pair on one prompt, and several people's votes on one battle: every one counts."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
import pytest

from goldassay.findings import Findings
from goldassay.questions.rank.ask import rank
from goldassay.questions.rank.battles import Verdicts, people_votes
from goldassay.results import Estimate

TASK = {"scale": "pairwise", "options": ["a", "b", "tie"], "tie": "tie", "ties": "half"}
SYSTEMS = ("s0", "s1", "s2", "s3")
COLUMNS = ("item", "prompt", "system", "opponent", "rater", "kind", "value")
#: Results whose value has nothing to do with what a resample draws.
POINTS = ("system_score", "kendall_tau", "decisiveness", "bias", "corrected_bias", "item_accuracy")


def battles(
    people: int, *, judge: str = "people", ties: float = 0.2, prompts: int = 30
) -> list[tuple[str, ...]]:
    """Twelve battles a prompt, two of each pair: people's votes, and a judge that is the `people`
    (a tie where these are level), one who tosses where they are (`decided`), or noise."""
    rng, rows = np.random.default_rng(5), []
    for n in range(12 * prompts):
        one, two = [*combinations(SYSTEMS, 2)][n % 6]
        if rng.random() < 0.5:
            one, two = two, one
        chance = 1 / (1 + np.exp(0.7 * (SYSTEMS.index(one) - SYSTEMS.index(two))))
        drawn = np.where(rng.random(people) < ties, "tie", _sides(rng, chance, people))
        names, number = np.unique(drawn, return_counts=True)
        most = names[number == number.max()]
        verdict = str(most[0]) if len(most) == 1 else "tie"
        if judge == "noise":
            verdict = str(_sides(rng, 0.3 + 0.4 * chance, 1)[0])
        elif judge == "decided" and len(most) > 1:
            verdict = str(_sides(rng, 0.5, 1)[0])
        about = (f"b{n}", f"p{n % (6 * prompts) // 6}", one, two)
        rows.append((*about, "j", "judge", verdict))
        rows += [(*about, f"h{k}", "human", str(vote)) for k, vote in enumerate(drawn)]
    return rows


def _sides(rng: np.random.Generator, chance: float, number: int) -> Any:
    return np.where(rng.random(number) < chance, "a", "b")


def asked(rows: Sequence[tuple[str, ...]], **task: str) -> Findings:
    frame = pl.DataFrame(rows, schema=list(COLUMNS), orient="row")
    return rank(frame, TASK | {"cluster": "prompt"} | task, resamples=60)


def values(found: Findings, names: Sequence[str] = POINTS) -> dict[tuple[str, ...], float]:
    return {
        (row.result.name, *sorted(map(str, row.about.values()))): row.result.value
        for row in found.rows
        if row.result.name in names and isinstance(row.result, Estimate)
    }


def assert_as_people(found: Findings) -> None:
    seen = values(found)
    assert {name for name, *_ in seen} >= {"decisiveness", "bias", "item_accuracy"}
    for (name, *_), value in seen.items():
        if name in ("decisiveness", "item_accuracy"):
            assert value == pytest.approx(1.0, abs=0.01)
        elif "bias" in name:
            assert value == pytest.approx(0.0, abs=1e-3 if name == "corrected_bias" else 1e-9)


@pytest.mark.parametrize(
    ("people", "reference"),
    [(1, "majority"), (1, "each"), (1, "soft"), (2, "majority"), (3, "majority")],
)
def test_a_judge_that_is_people_is_as_decisive_and_has_no_bias(people: int, reference: str) -> None:
    """Battles of one prompt and pair that go either way are no vote that is level."""
    found = asked(battles(people), reference=reference)
    assert_as_people(found)
    if people == 1:
        assert not found.exclusions


def test_a_judge_is_set_beside_people_where_these_are_not_level() -> None:
    """Whatever it says where they are: it says what they say wherever they say anything."""
    found = asked(battles(2, judge="decided"))
    assert_as_people(found)
    (left_out,) = found.exclusions
    assert left_out.reason == "people tied"
    assert left_out.rows > 200
    told = f"{left_out.rows // 2} battles on which people's votes are level: left out of people's"
    assert any(one.startswith(told) for one in found.warnings)


def test_each_vote_meets_the_verdict_on_its_own_battle() -> None:
    """Three people on the battles of one half and one on the others', all of whom say the same."""
    rows = battles(1, ties=0.0)
    more = [
        (*row[:4], f"h{k}", *row[5:]) for row in rows[:240] if row[5] == "human" for k in (1, 2)
    ]
    found = asked([*rows, *more], reference="each")
    assert_as_people(found)


@pytest.mark.parametrize("judge", ["people", "noise"])
@pytest.mark.parametrize("people", [1, 2])
def test_values_are_the_same_whatever_prompts_hold(judge: str, people: int) -> None:
    """Prompts say what is drawn together: here each, with twelve battles, and each battle alone."""
    rows = battles(people, judge=judge)
    alone = [(row[0], row[0], *row[2:]) for row in rows]
    together = values(asked(rows))
    assert together == pytest.approx(values(asked(alone)), abs=1e-9)
    # Of one half of the prompts the same twice is no more evidence: whole prompts are drawn.
    ends = {}
    for name, some in (("once", rows), ("twice", _doubled(rows))):
        found = asked(some)
        assert values(found) == pytest.approx(together, abs=1e-6)
        ends[name] = [
            row.result.interval
            for row in found.rows_where(name="system_score", aggregation="win_rate")
        ]
    for once, twice in zip(ends["once"], ends["twice"], strict=True):
        assert once is not None
        assert twice is not None
        assert (twice.low, twice.high) == pytest.approx((once.low, once.high), abs=1e-9)


def _doubled(rows: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    return [*rows, *((f"again {row[0]}", *row[1:]) for row in rows)]


def test_sides_may_change_places_between_raters() -> None:
    turned = {"a": "b", "b": "a", "tie": "tie"}
    rows = battles(1)
    swapped = [
        (*row[:2], row[3], row[2], *row[4:6], turned[row[6]]) if row[5] == "human" else row
        for row in rows
    ]
    assert values(asked(swapped)) == values(asked(rows))


def test_a_battle_that_a_judge_saw_in_both_orders_counts_once() -> None:
    """Asked again about a third of the battles, with the sides changed, it says the same."""
    turned = {"a": "b", "b": "a", "tie": "tie"}
    rows = battles(1)
    again = [
        (*row[:2], row[3], row[2], *row[4:6], turned[row[6]])
        for row in rows[:240]
        if row[5] == "judge"
    ]
    assert values(asked([*rows, *again])) == pytest.approx(values(asked(rows)), abs=1e-9)


@pytest.mark.parametrize(
    ("reference", "tied", "counted", "left_out"),
    [
        ("each", "exclude", [[2, 1, 0], [1, 1, 0], [0, 0, 0]], [False, False, False]),
        ("majority", "exclude", [[1, 0, 0], [0, 0, 0], [0, 0, 0]], [False, True, False]),
        ("majority", "first", [[1, 0, 0], [0, 0, 1], [0, 0, 0]], [False, False, False]),
        ("soft", "exclude", [[2 / 3, 1 / 3, 0], [0.5, 0.5, 0], [0, 0, 0]], [False, False, False]),
    ],
)
def test_votes_count_as_the_reference_says(
    reference: str, tied: str, counted: list[list[float]], left_out: list[bool]
) -> None:
    # Two votes for the first system and one against, one each, and a battle nobody voted on.
    votes = np.array([[2.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 0.0]])
    found, level = people_votes(votes, reference, tied)
    assert found == pytest.approx(np.array(counted))
    assert level.tolist() == left_out


def test_a_jury_decided_as_many_battles_as_its_members() -> None:
    """Two members on kind 0 and one of them on kind 2: every verdict counts, each battle once."""
    one = Verdicts(
        np.array([0, 2]), np.array([[2.0, 1.0, 0.0], [0.0, 0.0, 1.0]]), np.array([3.0, 1])
    )
    two = Verdicts(np.array([0]), np.array([[1.0, 1.0, 1.0]]), np.array([3.0]))
    jury = Verdicts.together([one, two])
    assert jury.kind.tolist() == [0, 2]
    assert jury.wins.tolist() == [[3, 2, 1], [0, 0, 1]]
    assert jury.number.tolist() == [3, 1]
