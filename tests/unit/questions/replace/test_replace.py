"""May the judge stand in for a person? By hand, against a plain twin, and at the boundary."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

import goldassay as ga
from goldassay.counts import Persons
from goldassay.errors import InputError
from goldassay.questions.replace.closeness import closeness, distances_of
from goldassay.questions.replace.study import Settings, study
from goldassay.ratings.task import Task
from goldassay.results import Estimate, Undefined

BINARY = {"scale": "binary", "options": ["y", "n"], "positive": "y"}
#: Ratings of ten items by three people, and by the judge.
TEN = {"ann": "yyyynynnnn", "ben": "yyynyynnyn", "cat": "yynyyynyyn", "judge": "yyyyynnnny"}


def table(
    said: Mapping[str, Any], judges: tuple[str, ...] = ("judge",), **columns: Any
) -> dict[str, list[Any]]:
    """Rows of a ratings table from each rater's answers; "" is none."""
    rows: dict[str, list[Any]] = {name: [] for name in ("item", "rater", "kind", "value", *columns)}
    for rater, values in said.items():
        for k, value in enumerate(values):
            if value == "":
                continue
            row = (f"i{k:03}", rater, "judge" if rater in judges else "human", str(value))
            for name, cell in zip(rows, (*row, *(c[k] for c in columns.values())), strict=True):
                rows[name].append(cell)
    return rows


def frame(*given: Any, **columns: Any) -> Any:
    polars = pytest.importorskip("polars")
    return polars.DataFrame(table(*given, **columns))


def test_ten_items_by_hand() -> None:
    # Against ann (others: ben, cat) the judge is closer on item 4 (both others say y, she n),
    # farther on 5 and 9, equally close on the other seven: it wins or ties 8, she 9.
    # Against ben: closer on 3, farther on 5 and 9. Against cat: closer on 2 and 7, farther on 5, 9.
    found = ga.replace(frame(TEN), BINARY, min_items=2)
    tests = {one["rater"]: one for one in found.document()["tests"]}
    wins = {name: (one["judge_wins"], one["person_wins"]) for name, one in tests.items()}
    assert wins == {"ann": (0.8, 0.9), "ben": (0.8, 0.9), "cat": (0.8, 0.8)}
    assert found["advantage_probability", "judge"].value == pytest.approx(0.8)
    # Two losses and two gains of 10 against 0.15: see the test of the score test.
    assert tests["cat"]["p_value"] == pytest.approx(0.316, abs=5e-4)
    # One loss more than gains: .1 below 0.15 less the correction of .05 is nothing.
    assert tests["ann"]["p_value"] == pytest.approx(0.5)
    assert found["winning_rate", "judge"].value == 0
    (advantage,) = (
        row.result for row in found.rows_where(name="advantage", judge="judge", rater="ann")
    )
    assert isinstance(advantage, Estimate)
    assert advantage.value == pytest.approx(-0.1)
    assert advantage.interval is not None
    assert advantage.interval.low < -0.15 < 0.15 < advantage.interval.high


# --- a plain twin ---------------------------------------------------------------------------------


def plain(people: np.ndarray, judge: np.ndarray, distance: Any) -> dict[int, tuple[float, float]]:
    """(judge_wins, person_wins) of each person, with loops; NaN is no rating."""
    found = {}
    for j in range(len(people)):
        wins = []
        for i in range(people.shape[1]):
            others = [
                people[k, i] for k in range(len(people)) if k != j and not np.isnan(people[k, i])
            ]
            if np.isnan(people[j, i]) or np.isnan(judge[i]) or not others:
                continue
            mine = np.mean([distance(people[j, i], one) for one in others])
            its = np.mean([distance(judge[i], one) for one in others])
            wins.append((its <= mine + 1e-9, mine <= its + 1e-9))
        if wins:
            found[j] = tuple(np.mean(wins, axis=0).tolist())
    return found


def persons(people: np.ndarray, judge: np.ndarray, cluster: np.ndarray | None = None) -> Persons:
    unit, person = np.nonzero(~np.isnan(people).T)
    judged = np.flatnonzero(~np.isnan(judge))
    return Persons(
        people=tuple(f"p{k}" for k in range(len(people))),
        judges=("judge",),
        cluster=np.arange(len(judge)) if cluster is None else cluster,
        person=person,
        person_unit=unit,
        person_value=people[person, unit],
        judge=np.zeros(len(judged), np.int64),
        judge_unit=judged,
        judge_value=judge[judged],
    )


TASKS = {
    "nominal": (Task(scale="nominal", options=("a", "b", "c")), lambda a, b: float(a != b)),
    "ordinal": (Task(scale="ordinal", options=("1", "2", "3")), lambda a, b: (a - b) ** 2),
    "continuous": (Task(scale="continuous", options=()), lambda a, b: (a - b) ** 2),
}


@pytest.mark.parametrize("scale", TASKS)
@pytest.mark.parametrize("seed", range(5))
def test_closeness_is_that_of_the_plain_twin(scale: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    task, distance = TASKS[scale]
    draw = rng.normal(size=(5, 25)) if scale == "continuous" else rng.integers(0, 3, (5, 25))
    values = np.where(rng.random((5, 25)) < 0.25, np.nan, draw)
    expected = plain(values[:4], values[4], distance)
    near = closeness(persons(values[:4], values[4]), 0, task)
    for person, (judge_wins, person_wins) in expected.items():
        mine = near.person == person
        assert near.judge_wins[mine].mean() == pytest.approx(judge_wins)
        assert near.person_wins[mine].mean() == pytest.approx(person_wins)


def test_distances_follow_the_task() -> None:
    pairwise = {"scale": "pairwise", "options": ("a", "b", "t"), "tie": "t"}
    half = distances_of(Task(**pairwise, ties="half"))  # type: ignore[arg-type]
    apart = distances_of(Task(**pairwise, ties="class"))  # type: ignore[arg-type]
    assert half is not None
    assert apart is not None
    assert half[:3, :3].tolist() == [[0, 1, 0.5], [1, 0, 0.5], [0.5, 0.5, 0]]
    assert apart[:3, :3].tolist() == [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    linear = distances_of(Task(scale="ordinal", options=("1", "2", "3"), weights="linear"))
    assert linear is not None
    assert linear[0, :3].tolist() == [0, 1, 2]
    # What is no option is as far away as the farthest option.
    assert linear[0, 3:].tolist() == [2, 2]


# --- properties -----------------------------------------------------------------------------------


def random_said(seed: int, n: int = 60, people: int = 4, noise: float = 0.25) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, n)
    said = {}
    for name in (*(f"p{k}" for k in range(people)), "judge"):
        other = rng.random(n) < noise
        said[name] = ["abc"[v] for v in np.where(other, rng.integers(0, 3, n), truth)]
    return said


NOMINAL = {"scale": "nominal", "options": ["a", "b", "c"]}


def numbers(found: ga.Findings) -> list[tuple[Any, ...]]:
    return [
        (row.result.name, row.about.get("rater"), getattr(row.result, "value", None))
        for row in found.rows
    ]


def test_names_of_options_and_the_order_of_rows_do_not_matter() -> None:
    said = random_said(1)
    first = numbers(ga.replace(frame(said), NOMINAL))
    renamed = {who: [{"a": "c", "b": "a", "c": "b"}[v] for v in row] for who, row in said.items()}
    assert numbers(ga.replace(frame(renamed), NOMINAL)) == first
    shuffled = frame(said).sample(fraction=1, shuffle=True, seed=3)
    assert numbers(ga.replace(shuffled, NOMINAL)) == first


def test_a_judge_that_copies_a_person_neither_gains_nor_loses_on_that_person() -> None:
    said = random_said(2)
    said["judge"] = said["p1"]
    found = {row["rater"]: row for row in ga.replace(frame(said), NOMINAL).document()["tests"]}
    assert found["p1"]["judge_wins"] == found["p1"]["person_wins"] == 1.0


def test_the_mean_of_the_others_is_never_farther_than_a_person() -> None:
    """The judge that is best for every person left out: two people and their middle."""
    rng = np.random.default_rng(4)
    people = rng.normal(size=(2, 40))
    near = closeness(persons(people, people.mean(0)), 0, TASKS["continuous"][0])
    assert near.judge_wins.min() == 1.0


def test_each_answer_of_a_repeated_judge_counts_its_share() -> None:
    """Right on the first of two samples everywhere: half of its answers win."""
    said = {"ann": "yn" * 20, "ben": "yn" * 20, "cat": "yn" * 20}
    rows = table(said)
    rows["sample"] = [""] * len(rows["item"])
    for sample, values in (("0", "yn" * 20), ("1", "ny" * 20)):
        more = table({"judge": values})
        for name, cells in more.items():
            rows[name] += cells
        rows["sample"] += [sample] * 40
    polars = pytest.importorskip("polars")
    found = ga.replace(polars.DataFrame(rows), BINARY)
    assert found["advantage_probability", "judge"].value == pytest.approx(0.5)
    assert {row["person_wins"] for row in found.document()["tests"]} == {1.0}


# --- verdicts in words ----------------------------------------------------------------------------


def sentence(found: ga.Findings, key: str = "replace.verdict") -> Any:
    return next(one for one in found.answer if one.key == key)


def test_a_judge_as_good_as_people_may_stand_in() -> None:
    said = random_said(5, n=300)
    found = ga.replace(frame(said), NOMINAL)
    told = sentence(found)
    assert told.facts["verdict"] == "yes"
    assert str(told) == (
        "`judge` may stand in for one of 4 people here: it is at least as close to the others as "
        "all 4 of them, less 15 points."
    )
    assert found["winning_rate", "judge"].value == 1.0
    found.require("winning_rate>=0.5")
    assert found.summary is not None
    assert [line.label for line in found.summary.lines] == ["judge"]
    assert found.summary.lines[0].cells[2] == "yes"


def test_a_judge_that_guesses_may_not() -> None:
    said = random_said(6, n=200)
    said["judge"] = list("abc" * 67)[:200]
    told = sentence(ga.replace(frame(said), NOMINAL))
    assert told.facts["verdict"] == "no"
    assert "may not stand in for one of 4 people here: all 4 of them are closer" in str(told)
    assert "by more than 15 points" in str(told)


def test_few_items_cannot_tell_and_say_how_many_would() -> None:
    told = sentence(ga.replace(frame(random_said(7, n=40)), NOMINAL))
    assert told.facts["verdict"] == "unknown"
    assert "It cannot be told whether" in str(told)
    assert told.facts["items_needed"] > 40
    assert f"About {told.facts['items_about']:,} items rated by each of them" in str(told)


def test_people_with_few_items_are_left_out_and_named() -> None:
    said = random_said(8, n=100)
    said["p3"] = said["p3"][:12]
    found = ga.replace(frame(said), NOMINAL)
    assert {row["rater"] for row in found.document()["tests"]} == {"p0", "p1", "p2"}
    (left,) = (one for one in found.notes if one.key == "replace.left_out")
    assert left.facts["people"] == ["p3"]
    assert left.facts["items"] == [12]
    assert found.tables["left_out"].rows == (("judge", "p3", 12),)
    few = ga.replace(frame(random_said(8, n=20)), NOMINAL)
    assert isinstance(few["winning_rate", "judge"], Undefined)
    assert "two people need 30 items each" in str(sentence(few))
    assert "the most is 20" in str(sentence(few))


def test_the_best_judge_comes_first_and_the_others_are_named() -> None:
    said = random_said(9, n=250)
    said["zed"] = said["judge"]
    said["judge"] = list("abc" * 84)[:250]
    rows = table(said, ("judge", "zed"))
    polars = pytest.importorskip("polars")
    found = ga.replace(polars.DataFrame(rows), NOMINAL)
    assert sentence(found).about == {"judge": "zed"}
    assert str(sentence(found, "replace.others")) == "`judge` may not stand in."
    assert any(one.about.get("judge") == "judge" for one in found.notes)


def test_nothing_is_lost_in_silence() -> None:
    said = dict(TEN)
    said["judge"] = [*"yyyyynnnn", ""]  # nobody's judge: three rows of people have nothing beside
    said["ann"] = [*"yyyynynn", "", "y"]
    said["ben"] = ["", *"yynyynn", "", "n"]  # item 8 has one person left: cat, and the judge
    found = ga.replace(frame(said), BINARY, min_items=2)
    rows = found.document()["rows"]
    assert rows["read"] == 36
    assert rows["excluded"] == 3 + 2
    assert rows["used"] == 31


# --- clusters, and bad input ----------------------------------------------------------------------


def test_repeated_items_of_a_cluster_prove_nothing_more() -> None:
    said = random_said(10, n=40)
    five = {who: [v for v in row for _ in range(5)] for who, row in said.items()}
    alone = ga.replace(frame(said), NOMINAL).document()["tests"]
    rows = frame(five, thread=[f"t{k // 5}" for k in range(200)])
    clustered = ga.replace(rows, {**NOMINAL, "cluster": "thread"}).document()["tests"]
    as_if = ga.replace(rows, NOMINAL).document()["tests"]
    for one, same, bold in zip(alone, clustered, as_if, strict=True):
        assert one["judge_wins"] == same["judge_wins"]
        assert same["p_value"] == pytest.approx(one["p_value"], abs=0.06)
        assert bold["p_value"] < same["p_value"]


@pytest.mark.parametrize(
    ("said", "task", "options", "words"),
    [
        ({"ann": "ynyn", "judge": "ynyy"}, BINARY, {}, "at least two people"),
        ({"ann": "ynyn", "ben": "ynyy"}, BINARY, {}, "no rating of kind judge"),
        (
            {"ann": ["y", "n", "", ""], "ben": ["", "", "y", "n"], "judge": "ynyn"},
            BINARY,
            {},
            "no item with two people's ratings",
        ),
        (
            {"ann": [3, 3], "ben": [3, 3], "judge": [1, 2]},
            {"scale": "continuous"},
            {},
            "3.0 in all 4 of their ratings",
        ),
        (TEN, BINARY, {"epsilon": -0.1}, "must be at least 0 and below 1"),
        (TEN, BINARY, {"epsilon": 1.0}, "must be at least 0 and below 1"),
        (TEN, BINARY, {"min_items": 1}, "must be at least 2"),
    ],
)
def test_bad_input_gets_one_message(
    said: Any, task: Any, options: dict[str, Any], words: str
) -> None:
    with pytest.raises(InputError, match=words) as caught:
        ga.replace(frame(said), task, **options)
    assert "\n" not in str(caught.value)


# --- how often it errs ----------------------------------------------------------------------------


def test_a_judge_worse_by_exactly_epsilon_rarely_passes() -> None:
    """People agree, the judge is wrong on 15 % of the items: the same items count for everybody.

    The t-test would pass 5 % of these studies at 30 items, and 21 % with epsilon 0.05.
    """
    rng, task, runs = np.random.default_rng(1), TASKS["nominal"][0], 200
    for n, epsilon in ((60, 0.15), (30, 0.05)):
        passed = 0
        for _ in range(runs):
            truth = rng.integers(0, 3, n)
            judge = np.where(rng.random(n) < epsilon, (truth + 1) % 3, truth).astype(float)
            people = np.tile(truth, (3, 1)).astype(float)
            one = study(persons(people, judge), task, Settings(epsilon), place="drawn").judges[0]
            passed += one.verdict == "yes"
        assert passed / runs <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / runs)


def test_a_judge_like_a_person_passes_with_enough_items() -> None:
    rng, task = np.random.default_rng(2), TASKS["nominal"][0]
    passed = {30: 0, 300: 0}
    for n in passed:
        for _ in range(40):
            truth = rng.integers(0, 3, n)
            all_of_them = np.where(rng.random((4, n)) < 0.2, rng.integers(0, 3, (4, n)), truth)
            values = all_of_them.astype(float)
            one = study(persons(values[:3], values[3]), task, Settings(), place="drawn").judges[0]
            passed[n] += one.verdict == "yes"
    assert passed[300] >= 36
    assert passed[30] < 20


def test_within_each_label_of_a_column() -> None:
    """A slice says what its rows alone say."""
    topics = ["law"] * 5 + ["art"] * 5
    whole = table(TEN) | {"topic": topics * 4}
    polars = pytest.importorskip("polars")
    found = ga.replace(polars.DataFrame(whole), BINARY, min_items=2, by=["topic"])
    for topic in ("law", "art"):
        mine = ga.replace(polars.DataFrame(whole), BINARY, min_items=2, only={"topic": topic})
        for name in ("advantage_probability", "winning_rate"):
            (row,) = found.rows_where(name=name, judge="judge", topic=topic)
            assert row.result == mine[name, "judge"]
    assert [row[0] for row in found.tables["by_topic"].rows] == ["art", "law"]
    assert found["advantage_probability", "judge"].value == pytest.approx(0.8)  # as without it


def test_a_column_of_raters_is_no_slice() -> None:
    rows = table(TEN) | {"round": ["1"] * 10 + ["2"] * 30}
    polars = pytest.importorskip("polars")
    with pytest.raises(InputError, match="must have one label for all ratings of an item"):
        ga.replace(polars.DataFrame(rows), BINARY, min_items=2, by=["round"])
