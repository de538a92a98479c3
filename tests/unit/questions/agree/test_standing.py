"""Judges in order of merit, on the items that all of them decide."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from many_judges import many_judges

import goldassay as ga

BINARY = {"scale": "binary", "options": ["yes", "no"], "positive": "yes", "abstain": ["?"]}
SAID = np.array(["no", "yes"])


def ratings(truth: np.ndarray, **judges: np.ndarray) -> pl.DataFrame:
    rows = [(f"i{i:04}", "ann", "human", str(v)) for i, v in enumerate(truth)]
    for judge, verdicts in judges.items():
        rows += [(f"i{i:04}", judge, "judge", str(v)) for i, v in enumerate(verdicts) if v != ""]
    return pl.DataFrame(rows, schema=["item", "rater", "kind", "value"], orient="row")


def test_leaving_hard_items_out_wins_nothing() -> None:
    truth = SAID[np.arange(200) % 2]
    wrong = np.where(np.arange(200) % 5 == 0, np.where(truth == "yes", "no", "yes"), truth)
    shy = np.where(np.arange(200) % 10 == 0, "?", wrong)
    found = ga.agree(ratings(truth, bold=wrong, shy=shy), BINARY, resamples=200)
    assert found["accuracy", "shy"].value > found["accuracy", "bold"].value == 0.8
    shared = [found["accuracy_on_shared_items", name].value for name in ("bold", "shy")]
    assert shared == [pytest.approx(160 / 180)] * 2
    assert found.summary is not None
    assert [(line.label, line.tied) for line in found.summary.lines] == [
        ("bold", True),  # level, and it decides more
        ("shy", True),
    ]
    assert found.summary.columns[0] == "accuracy_on_shared_items"
    (told,) = [one for one in found.answer if one.key == "agree.told_apart"]
    assert told.text == "It cannot be told from `shy` on the 180 items that both decide."


def test_the_first_column_is_accuracy_where_all_decide_alike() -> None:
    truth = SAID[np.arange(120) % 2]
    good = np.where(np.arange(120) % 12 == 0, "no", truth)
    found = ga.agree(ratings(truth, z=good, a=SAID[np.arange(120) // 2 % 2]), BINARY, resamples=200)
    assert found.summary is not None
    assert found.summary.columns == ("accuracy", "cohen_kappa", "coverage", "items")
    assert [line.label for line in found.summary.lines] == ["z", "a"]
    lead = found["accuracy_difference"]
    assert lead.interval is not None
    assert lead.interval.low > 0
    assert lead.value == found["accuracy", "z"].value - found["accuracy", "a"].value
    assert found.answer[1].text == "It agrees more than `a`."


def test_judges_of_disjoint_items_are_not_compared() -> None:
    truth = SAID[np.arange(60) % 2]
    first = np.where(np.arange(60) < 30, truth, "")
    found = ga.agree(
        ratings(truth, one=first, two=np.where(np.arange(60) < 30, "", truth)),
        BINARY,
        resamples=100,
    )
    assert found.answer[1].text.endswith(
        "no item with a label is decided by it and by another judge."
    )


def test_a_judge_of_few_items_is_compared_on_these_where_there_is_no_other() -> None:
    truth = SAID[np.arange(100) % 2]
    wrong = np.where(np.arange(100) % 3 == 0, np.where(truth == "yes", "no", "yes"), truth)
    partly = np.where(np.arange(100) < 40, wrong, "")
    found = ga.agree(ratings(truth, whole=truth, partly=partly), BINARY, resamples=200)
    assert found.answer[1].text == "It agrees more than `partly` on the 40 items that both decide."
    three = ratings(truth, whole=truth, other=wrong, partly=partly)
    said = ga.agree(three, BINARY, resamples=200).answer[1].text
    assert said.endswith("; `partly` decides too few to be compared.")


def test_places_that_a_judge_of_scores_left_empty_are_not_covered(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    people = rng.normal(size=40)
    lines = [
        f"{i},{one:.4f},{one + rng.normal():.4f},{'' if i % 4 == 0 else f'{one:.3f}'}"
        for i, one in enumerate(people)
    ]
    table = tmp_path / "scores.csv"
    table.write_text("\n".join(["id,human_score,gpt_score,claude_score", *lines]) + "\n")
    found = ga.agree(table, resamples=200)
    covered = {judge: found["coverage", judge].value for judge in ("gpt_score", "claude_score")}
    assert covered == {"gpt_score": 1.0, "claude_score": 0.75}


def test_scores_are_ordered_by_correlation() -> None:
    rng = np.random.default_rng(1)
    truth = rng.normal(size=80)
    near, far = truth + rng.normal(0, 0.3, 80), truth + rng.normal(0, 3, 80)
    found = ga.agree(
        ratings(truth.round(6), a=far.round(6), b=near.round(6)), {"scale": "continuous"}
    )
    assert found.summary is not None
    assert [line.label for line in found.summary.lines] == ["b", "a"]
    assert found.summary.columns[:2] == ("pearson", "lin_concordance")
    assert "It agrees more than `a` by Pearson" in found.answer[1].text


def test_abstention_as_a_class_counts_among_judges_too() -> None:
    """Two judges on four items: yes yes, no no, ? ?, yes ?. Of three classes they agree on 3/4."""
    truth = np.array(["yes", "no", "yes", "no"] * 20)
    one = np.array(["yes", "no", "?", "yes"] * 20)
    two = np.array(["yes", "no", "?", "?"] * 20)
    frame = ratings(truth, one=one, two=two)
    left_out = ga.agree(frame, BINARY, resamples=100)["judges_observed_agreement"]
    assert (left_out.value, left_out.n_items) == (1.0, 40)
    assert left_out.declared["abstentions"] == "exclude"
    task = {**BINARY, "abstentions": "class"}
    three = ga.agree(frame, task, resamples=100)
    counted = three["judges_observed_agreement"]
    assert (counted.value, counted.n_items) == (0.75, 80)
    assert counted.declared["abstentions"] == "class"
    # Krippendorff by hand over 160 ratings: yes 60, no 40, ? 60; 20 of 80 pairs differ.
    expected = 1 - (60 * 59 + 40 * 39 + 60 * 59) / (160 * 159)
    assert three["judges_krippendorff_alpha"].value == pytest.approx(1 - 0.25 / expected)
    matrix = [[1, 0, 0.5], [0, 1, 0.5], [0.5, 0.5, 1]]
    weighted = ga.agree(frame, {**task, "weights": matrix}, resamples=100)
    # Half of a difference where one side abstains: 20 pairs of yes and ?, by 1/2 each.
    far = 2 * (60 * 40 * 1 + 60 * 60 * 0.5 + 40 * 60 * 0.5) / (160 * 159)
    alpha = weighted["judges_weighted_alpha"]
    assert alpha.value == pytest.approx(1 - 0.25 * 0.5 / far)
    assert alpha.declared["weights"] == "the declared matrix"
    points = {row[2]: row[3] for row in weighted.tables["checklist"].rows}
    ensemble = points["Ensemble: one primary statistic, per-judge matrices"]
    assert "abstentions class" in ensemble
    assert "weights the declared matrix" in ensemble


@pytest.mark.parametrize(("scale", "metric"), [("continuous", "pearson"), ("binary", "accuracy")])
def test_a_difference_is_that_of_the_two_numbers_on_shared_items(scale: str, metric: str) -> None:
    found = ga.agree(*many_judges(scale, 3), resamples=200)
    shared = {
        row.about["judge"]: row.result.value
        for row in found.rows_where(name=f"{metric}_on_shared_items")
    } or {row.about["judge"]: row.result.value for row in found.rows_where(name=metric)}
    gaps = found.rows_where(name=f"{metric}_difference")
    assert len(gaps) == 2
    for row in gaps:
        less = row.result.declared["less"]
        assert row.result.value == pytest.approx(shared[row.about["judge"]] - shared[less])


@cache
def drawn_by_verdict(clusters: int) -> ga.Findings:
    """Every item that `one` flags has a label, and each twelfth of the others; `two` errs twice as
    often. Items are of so many clusters."""
    number = np.arange(600)
    truth = number % 3 == 0
    one, two = (truth != (number % every == 1) for every in (20, 10))
    labelled = one | (number % 12 == 5)
    rows = [
        (f"i{n:04}", "ann", "human", SAID[int(truth[n])], n % clusters) for n in number[labelled]
    ]
    for name, verdict in (("one", one), ("two", two)):
        rows += [(f"i{n:04}", name, "judge", SAID[int(verdict[n])], n % clusters) for n in number]
    columns = ["item", "rater", "kind", "value", "group"]
    frame = pl.DataFrame(rows, schema=columns, orient="row")
    task = {**BINARY, "calibration": "by_verdict", "drawn_by": "one", "cluster": "group"}
    return ga.agree(frame, task, resamples=400)


def test_differences_know_of_labels_that_stand_for_many_items() -> None:
    """Squared and added: longer than the interval of either judge, shorter than both together."""
    found = drawn_by_verdict(600)
    apart = found["accuracy_difference", "one"].interval
    own = [found["accuracy", name].interval for name in ("one", "two")]
    assert apart is not None
    lengths = [one.high - one.low for one in own]
    assert max(lengths) < apart.high - apart.low < sum(lengths)


def test_one_cluster_bounds_no_difference_of_labels_drawn_by_verdict() -> None:
    found = drawn_by_verdict(1)["accuracy_difference", "one"]
    assert found.interval is None or not np.isfinite(found.interval.high)


def test_strictness_of_labels_drawn_by_verdict_is_bounded_by_both_kinds_of_difference() -> None:
    found = drawn_by_verdict(600)["log_odds_strictness", "one"]
    assert found.interval is not None
    assert found.interval.low < found.value < found.interval.high
