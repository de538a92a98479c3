"""The parts of a choice: candidates in order of merit, how they compare, and what is beside."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from small_tables import BINARY, judged, ratings, units, written

from goldassay.counts import count_scored, count_scores, count_units
from goldassay.errors import RatingsError, TaskError
from goldassay.questions.select.study import Otherwise, SelectStudy, Settings, study
from goldassay.questions.select.tables import tables
from goldassay.questions.select.words import warnings
from goldassay.ratings.table import read_ratings
from goldassay.ratings.task import Task
from goldassay.results import Estimate, Undefined

QUICK = Settings(draws=300)
#: Balanced accuracy 3/4, 1 and 1/2.
TRUTH = [1, 1, 0, 0] * 10
VERDICTS = {"middling": [1, 0, 0, 0] * 10, "perfect": TRUTH, "yes": [1] * 40}


def chosen(folder: Path, settings: Settings = QUICK, **columns: list[str]) -> SelectStudy:
    rows = judged(TRUTH, VERDICTS, **columns)
    matrix = count_scores(ratings(folder, rows)) if settings.goal == "ranking" else None
    return study(units(folder, rows), settings, matrix=matrix)


def test_candidates_come_best_first(tmp_path: Path) -> None:
    found = chosen(tmp_path)
    assert [one.name for one in found.merits] == ["perfect", "middling", "yes"]
    assert [one.place for one in found.merits] == [1, 0, 2]
    values = [one.criterion.value for one in found.merits if isinstance(one.criterion, Estimate)]
    assert values == pytest.approx([1, 0.75, 0.5])
    assert found.leader is found.merits[0]
    assert found.comparison is not None
    np.testing.assert_allclose(found.comparison.difference[0], [0, 0.25, 0.5])
    assert found.comparison.apart(0, 1)


def test_rows_are_candidate_by_candidate(tmp_path: Path) -> None:
    found = chosen(tmp_path)
    assert [(row.about["judge"], row.result.name) for row in found.rows()][:6] == [
        ("perfect", "balanced_accuracy"),
        ("perfect", "youden_j"),
        ("perfect", "sensitivity"),
        ("perfect", "specificity"),
        ("perfect", "coverage"),
        ("middling", "balanced_accuracy"),
    ]


def test_the_goal_decides_the_criterion(tmp_path: Path) -> None:
    systems = ["s", "s", "t", "t"] * 10
    for goal, name in (("filter", "decision_consistency"), ("ranking", "ranking_agreement")):
        found = chosen(tmp_path, Settings(goal=goal, draws=300), system=systems)
        assert found.criterion.name == name
        assert {one.criterion.name for one in found.merits} == {name}
    # people: s 1, t 0; the judges: perfect alike, middling 1/2 and 0, yes level (half)
    values = {one.name: one.criterion.value for one in found.merits}  # type: ignore[union-attr]
    assert values == {"perfect": 1.0, "middling": 1.0, "yes": 0.5}


def test_a_reference_of_one_class_leaves_nothing_to_compare(tmp_path: Path) -> None:
    found = study(units(tmp_path, judged([1, 1, 1], {"a": [1, 0, 1], "b": [1, 1, 1]})), QUICK)
    assert found.comparison is None
    assert found.leader is None
    assert found.compared == found.rivals == ()
    assert found.merits[0].criterion == Undefined(
        "balanced_accuracy", "the reference has one class only (`yes`)", 3
    )


def test_systems_that_people_put_level_have_no_order(tmp_path: Path) -> None:
    rows = judged([1, 0, 1, 0], {"a": [1, 0, 0, 0]}, system=["s", "s", "t", "t"])
    settings = Settings(goal="ranking", draws=100)
    matrix = count_scores(ratings(tmp_path, rows))
    found = study(units(tmp_path, rows), settings, matrix=matrix)
    assert found.merits[0].criterion == Undefined(
        "ranking_agreement", "people and the judge put no two systems in an order", 4
    )


def test_a_positive_option_that_people_never_give(tmp_path: Path) -> None:
    task = Task(scale="nominal", options=("yes", "no", "maybe"), positive="maybe")
    table = read_ratings(str(written(tmp_path, judged([1, 0], {"a": [1, 0]}))), task)
    (only,) = study(count_units(table), QUICK).merits
    reasons = {one.name: one.reason for one in only.behind if isinstance(one, Undefined)}
    assert reasons == {"sensitivity": "the reference has yes, no only"}


def test_metrics_that_would_choose_otherwise(tmp_path: Path) -> None:
    """Table 1 of the balanced-accuracy paper: only balanced accuracy takes judge A."""
    truth = [1] * 83 + [0] * 917
    a = [1] * 63 + [0] * 20 + [1] * 133 + [0] * 784
    b = [1] * 47 + [0] * 36 + [1] * 69 + [0] * 848
    found = study(units(tmp_path, judged(truth, {"A": a, "B": b})), QUICK)
    assert found.leader is not None
    assert found.leader.name == "A"
    accuracy = next(one for one in found.rivals if one.metric == "accuracy")
    assert (accuracy.judge, accuracy.otherwise) == ("B", True)
    assert accuracy.value == pytest.approx((47 + 848) / 1000)
    assert accuracy.leader_value == pytest.approx((63 + 784) / 1000)


def test_items_that_would_tell_two_apart_have_two_digits(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 200)
    wrong = {name: rng.random(200) < rate for name, rate in (("a", 0.1), ("b", 0.13))}
    verdicts = {name: np.where(no, 1 - truth, truth).tolist() for name, no in wrong.items()}
    found = study(units(tmp_path, judged(truth.tolist(), verdicts)), QUICK)
    assert found.comparison is not None
    assert not found.comparison.apart(0, 1)
    needed = found.items_to_tell(0, 1)
    assert needed is not None
    assert needed > 200
    assert needed % 10 ** (len(str(needed)) - 2) == 0


def test_one_cluster_compares_without_bounds(tmp_path: Path) -> None:
    rows = judged(TRUTH, VERDICTS, thread=["t"] * 40)
    found = study(units(tmp_path, rows, cluster="thread"), QUICK)
    assert found.n_clusters == 1
    assert found.comparison is not None
    assert np.isinf(found.comparison.high[0, 1])
    assert found.items_to_tell(0, 1) is None
    assert chosen(tmp_path).n_clusters is None


def test_cut_scores_are_candidates_beside_judges_and_panels(tmp_path: Path) -> None:
    """A judge that says no to everything, with scores that tell the items apart."""
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 2, 60)
    blind, score = np.zeros(60, int), np.round(truth + rng.normal(0, 0.3, 60), 3)
    rows = judged(truth, {"blind": blind, "coin": rng.integers(0, 2, 60)}, score=score)
    for row in rows:
        if row["rater"] != "blind":
            row["score"] = ""
    table = ratings(tmp_path, rows)
    scores = count_scored(table)
    apart = count_units(table, by=["item"])
    settings = Settings(thresholds=True, draws=300)
    found = study(apart, settings, scored=scores)
    names = [row[0] for row in tables(found)["judges"].rows]
    assert names[0].startswith("blind cut at 0.")
    assert set(names[1:]) == {"blind", "coin"}
    cut = found.merits[0].criterion
    held_out = found.cut_scores[0].result
    assert isinstance(cut, Estimate)
    assert isinstance(held_out, Estimate)
    assert found.rows()[-1].result is held_out
    # One calls by the majority of ten thresholds not tuned on the item, the other averages them.
    assert cut.value == pytest.approx((held_out.value + 1) / 2, abs=0.03)
    merged = study(count_units(table), settings, scored=scores)
    assert any("not counted by item" in text for text in warnings(merged))
    without = study(count_units(table), settings)
    assert any("no judge has scores" in text for text in warnings(without))
    assert study(apart, QUICK, scored=scores).no_cuts is None  # not asked for


def test_goal_ranking_without_a_positive_option_says_so(tmp_path: Path) -> None:
    rows = judged([1, 0, 1, 0], {"a": [1, 0, 0, 0]}, system=["s", "s", "t", "t"])
    declared = {"scale": "nominal", "positive": None}
    task = {k: v for k, v in {**BINARY, **declared}.items() if v is not None}
    table = read_ratings(str(written(tmp_path, rows)), Task.from_mapping(task))
    with pytest.raises(TaskError, match="rate of a positive option"):
        study(count_units(table), Settings(goal="ranking"))


def test_no_common_item_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RatingsError, match="no item has both"):
        study(units(tmp_path, judged([1, -1], {"a": [-1, 1]})), QUICK)


@pytest.mark.parametrize(("ties", "told"), [("half", ("always",)), ("class", ())])
def test_judges_that_say_only_ties_are_told_where_a_tie_counts_half(
    tmp_path: Path, ties: str, told: tuple[str, ...]
) -> None:
    rows = judged(TRUTH, {"always": TRUTH, "now and then": TRUTH})
    for row in rows:
        word = {"yes": "first", "no": "second"}[row["value"]]
        if row["rater"] == "always" or (row["rater"] != "person" and row["item"] > "i0020"):
            word = "same"
        row["value"] = word
    options = {"options": ["first", "second", "same"], "positive": "first"}
    counted = units(tmp_path, rows, scale="pairwise", tie="same", ties=ties, **options)
    assert study(counted, QUICK).only_ties == told


@pytest.mark.parametrize(
    ("hits", "value"),
    [
        ((40, 128), (40 / 40 + 128 / 160) / 2),  # the mean of both labels' shares
        ((16, 67), None),  # .409, which is hardly more than 2 / 5
    ],
)
def test_who_would_come_first_were_no_verdict_wrong(
    tmp_path: Path, hits: tuple[int, int], value: float | None
) -> None:
    """The careful judge is right on all that it decides, two of five items of each label."""
    truth = [1] * 40 + [0] * 160
    other = [1] * hits[0] + [0] * (40 - hits[0]) + [0] * hits[1] + [1] * (160 - hits[1])
    rows = judged(truth, {"other": other})
    for k, label in enumerate(truth):
        said = ("no", "yes")[label] if k % 5 < 2 else "pass"
        rows.append({"item": f"i{k:04}", "rater": "careful", "kind": "judge", "value": said})
    found = study(units(tmp_path, rows, abstain=["pass"]), QUICK)
    assert found.leader is not None
    assert found.leader.name == "careful"
    expected = None if value is None else Otherwise("other", value, 0.4)
    assert found.otherwise == expected
