"""Sentences are made from results, carry them, and are keyed."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

import goldassay as ga
from goldassay.questions.estimate.bare import study_counts
from goldassay.questions.estimate.cautions import warnings
from goldassay.questions.estimate.estimators import broken_by_shift
from goldassay.questions.estimate.scores import JudgeMean, MeansStudy
from goldassay.questions.estimate.study import study as estimate
from goldassay.questions.estimate.subject import Subject
from goldassay.questions.estimate.words import answer, notes
from goldassay.results import Estimate, Interval, Undefined
from goldassay.words import between

from .conftest import sentences, study

M, U = "MET", "UNMET"
TASK = {"scale": "binary", "options": ["yes", "no"], "positive": "yes"}
LABELLED = {(M, M): 40, (M, U): 8, (U, M): 12, (U, U): 40}


def by_key(found):  # type: ignore[no-untyped-def]
    return {one.key: one for one in sentences(found)}


def results(found):  # type: ignore[no-untyped-def]
    return {(row.result.name, row.about.get("system")): row.result for row in found.rows()}


def test_the_headline_carries_its_result(units_of) -> None:  # type: ignore[no-untyped-def]
    rows = study(LABELLED, {M: 400, U: 600, "abstained": 50})
    rows += study({(M, "abstained"): 3}, {}, system="")
    found = estimate(units_of(rows, calibration="random"))
    main, said = results(found)["prevalence", None], by_key(found)["estimate.prevalence"]
    assert said.about == {"judge": "j"}
    assert (said.facts["value"], said.facts["low"], said.facts["high"]) == (
        main.value,
        main.interval.low,
        main.interval.high,
    )
    assert said.facts["called"] == pytest.approx(452 / 1100)
    assert said.facts["estimator"] == main.declared["estimator"] == "stratified"
    assert said.text == (
        "On what it decides, `j` calls 41 % `MET`; if the labelled items are like the others, the "
        "true rate there is likely "
        f"{between(main.interval.low, main.interval.high, rate=True)} (100 labels)."
    )
    whole = by_key(found)["estimate.over_all"]
    assert whole.facts["value"] == results(found)["prevalence_over_all", None].value
    assert (whole.facts["undecided"], whole.facts["n_items"]) == (53, 1153)
    # What refutes the draw for the headline does so here too.
    assert "if the labelled items are like the others, the rate of `MET` is likely" in whole.text
    assert "estimate.prevalence_bounds" not in by_key(found)
    assert results(found)["prevalence_bounds", None].n_items == 1153


def test_where_no_label_tells_of_the_undecided_there_are_bounds(units_of) -> None:  # type: ignore[no-untyped-def]
    rows = study(LABELLED, {M: 400, U: 600, "abstained": 50})
    found = estimate(units_of(rows, calibration="random"))
    bounds = by_key(found)["estimate.prevalence_bounds"]
    assert bounds.facts["value"] == results(found)["prevalence_bounds", None].value
    assert bounds.facts["without_verdict"] == {"abstained": 50}
    assert "estimate.over_all" not in by_key(found)


def test_what_cannot_be_told_says_why(units_of) -> None:  # type: ignore[no-untyped-def]
    found = estimate(units_of(study({}, {M: 4, U: 6}), calibration="random"))
    said = by_key(found)["estimate.prevalence"]
    assert said.facts["value"] is None
    assert said.facts["undefined"] in said.text


def test_keys_are_unique_for_whom_they_speak_of(units_of) -> None:  # type: ignore[no-untyped-def]
    rows = []
    for criterion in ("clear", "true"):
        for system, more in (("a", {M: 50, U: 50}), ("b", {M: 60, U: 40})):
            part = study(LABELLED, more, system=system)
            rows += [{**row, "criterion": criterion, "topic": row["item"][-1]} for row in part]
    units = units_of(rows, calibration="random", strata=["topic"])
    said = sentences(estimate(units, strata=["topic"]))
    keys = [(one.key, tuple(sorted(one.about.items()))) for one in said]
    assert len(keys) == len(set(keys))
    assert {one.about["criterion"] for one in said} == {"clear", "true"}
    assert {one.key for one in said} == {
        "estimate.prevalence",
        "estimate.strata",
        "estimate.ranking",
    }
    json.dumps([one.to_json() for one in said], allow_nan=False)


@pytest.mark.parametrize(
    ("rate", "ends"),
    [(15, " as it was."), (12, " systems as it was, which the labels cannot tell apart.")],
)
def test_an_order_that_is_kept_may_still_be_unknown(units_of, rate: int, ends: str) -> None:  # type: ignore[no-untyped-def]
    rows = []
    for system, met in (("a", 10), ("b", rate)):
        labelled = {(M, M): 4 * met, (U, U): 4 * (20 - met)}
        rows += study(labelled, {M: 5 * met, U: 5 * (20 - met)}, system=system)
    units = units_of(rows, calibration="random")
    said = next(one for one in sentences(estimate(units)) if one.key == "estimate.ranking")
    assert said.text.endswith(ends)
    assert said.facts["told_apart"] is (rate == 15)


def test_a_shift_names_what_it_breaks(units_of) -> None:  # type: ignore[no-untyped-def]
    found = estimate(units_of(study(LABELLED, {M: 100, U: 900}), calibration="random"))
    warning = next(one for one in warnings(found) if "not a random draw" in one)
    for one in broken_by_shift():
        assert one.words in warning


def test_labels_of_test_items_are_told_but_not_used(units_of) -> None:  # type: ignore[no-untyped-def]
    rows = study(LABELLED, {}, split="calibration") + study(
        {(M, M): 6, (U, M): 2}, {M: 90}, split="test"
    )
    for row in rows:
        row["item"] += row["split"]
    said = by_key(estimate(units_of(rows, calibration="separate")))["estimate.labelled_test_items"]
    assert said.facts == {"labelled": 8.0, "value": 0.75, "option": "MET"}
    assert "75 %" in said.text


def test_strata_of_one_value_are_a_warning(units_of) -> None:  # type: ignore[no-untyped-def]
    rows = [{**row, "topic": "law"} for row in study(LABELLED, {M: 9})]
    found = estimate(units_of(rows, calibration="random", strata=["topic"]), strata=["topic"])
    assert "`topic` has one value among the judged items: no strata to tell." in warnings(found)
    assert "estimate.strata" not in by_key(found)


def test_the_option_that_is_furthest_off(units_of) -> None:  # type: ignore[no-untyped-def]
    options = ["bad", "fair", "good"]
    labelled = {(a, b): 4 + 30 * (a == b) for a in options for b in options}
    labelled["bad", "good"] += 20
    rows = study(labelled, {"bad": 300, "fair": 300, "good": 400})
    found = estimate(
        units_of(rows, scale="nominal", options=options, positive="good", calibration="random")
    )
    (said,) = sentences(found)
    (judge,) = found.judges
    gaps = [abs(rate.value - own) for rate, own in zip(judge.rates, judge.judged, strict=True)]
    assert said.key == "estimate.option"
    assert said.facts["option"] == options[int(np.argmax(gaps))] == "bad"


def test_bare_counts() -> None:
    found = study_counts(400, 1000, specificity=(140, 200), sensitivity=(180, 200))
    (said,) = sentences(found)
    assert said.facts["value"] == found.rate.value == pytest.approx(1 / 6)
    assert said.facts["called"] == 0.4
    nothing = study_counts(0, 0, specificity=(140, 200), sensitivity=(180, 200))
    assert nothing.called is None
    assert "cannot be told" in sentences(nothing)[0].text


@pytest.mark.parametrize(
    ("counts", "why"),
    [
        ((40, 100, (14, 20), (180, 200)), "20 labelled items are `negative`, and it needs 30"),
        ((20, 100, (140, 200), (180, 200)), "the estimate lies at the edge"),
    ],
)
def test_another_interval_than_equation_6_is_said_to_be_so(
    counts: tuple[float, float, tuple[float, float], tuple[float, float]], why: str
) -> None:
    positives, of, specificity, sensitivity = counts
    found = study_counts(positives, of, specificity=specificity, sensitivity=sensitivity)
    (one,) = [said for said in notes(found) if said.key == "estimate.interval"]
    assert why in one.text
    assert one.facts["method"] == found.rate.interval.method == "inversion of Jeffreys limits"
    plain = study_counts(400, 1000, specificity=(140, 200), sensitivity=(180, 200))
    assert not [said for said in sentences(plain) if said.key == "estimate.interval"]


def test_mean_scores() -> None:
    mean = Estimate("mean_score", 3.2, Interval(3.0, 3.4, 0.95, "PPI++, Student"), 90)
    own = Estimate("mean_score_naive", 3.5)
    known = JudgeMean(Subject("j", "clear", "a"), mean, own, 30)
    unknown = JudgeMean(Subject("k"), Undefined("mean_score", "no", 5), None, 1)
    found = MeansStudy("by_label", (known, unknown))
    (said,) = sentences(found)
    assert said.text == (
        "`j` on `clear` scores 3.50 on average for `a`; people's mean is likely 3.00 to 3.40 "
        "(30 labels)."
    )
    assert said.about == {"judge": "j", "criterion": "clear", "system": "a"}
    assert "declared: by_label" in warnings(found)[0]
    assert warnings(MeansStudy("random", ())) == ()


def test_the_judges_own_rate_is_that_of_the_items_whose_rate_is_wanted(units_of) -> None:  # type: ignore[no-untyped-def]
    """A separate set tells errors; its verdicts are not pooled with those of the test."""
    rows = study(LABELLED, {}, split="calibration") + study({}, {M: 10, U: 90}, split="test")
    for row in rows:
        row["item"] += row["split"]
    said = by_key(estimate(units_of(rows, calibration="separate")))["estimate.prevalence"]
    assert said.facts["called"] == 0.1  # 62 of 200 with the labelled ones
    assert "calls 10 % `MET`" in said.text


@pytest.mark.parametrize("design", ["random", "separate", None])
def test_where_all_items_are_labelled_the_rate_is_peoples(units_of, design) -> None:  # type: ignore[no-untyped-def]
    rows = study({(M, M): 60, (M, U): 9, (U, M): 11, (U, U): 20}, {})
    rows += [{**row, "rater": "k"} for row in rows if row["kind"] == "judge"]
    task = {} if design is None else {"calibration": design}
    found = estimate(units_of(rows, **task))
    (said,) = answer(found)  # not once for each judge
    assert said.key == "estimate.all_labelled"
    assert said.facts["value"] == 0.69
    assert said.text.startswith(
        "All items are labelled: the rate of `MET` is people's, 69 % of these 100 items"
    )
    assert not any("cannot be told" in one.text for one in sentences(found))
    assert results(found)["prevalence", None].value == 0.69
    if design == "random":
        exact = results(found)["prevalence_of_pool", None].interval
        assert (exact.low, exact.high) == (0.69, 0.69)


def test_the_headline_follows_the_strata(units_of) -> None:  # type: ignore[no-untyped-def]
    part = {(M, M): 30, (U, U): 30}
    other = {(M, M): 20, (M, U): 10, (U, M): 15, (U, U): 15}
    rows = [{**row, "topic": "law"} for row in study(part, {M: 10, U: 200})]
    rows += [{**row, "topic": "art", "item": row["item"] + "x"} for row in study(other, {M: 300})]
    found = estimate(units_of(rows, calibration="random", strata=["topic"]), strata=["topic"])
    main = results(found)["prevalence", None]
    said = by_key(found)["estimate.prevalence"]
    assert main.declared == {"strata": ["topic"]}
    assert (said.facts["value"], said.facts["strata"]) == (main.value, ["topic"])


def test_at_most_three_sentences_and_the_surest_judge_first(units_of) -> None:  # type: ignore[no-untyped-def]
    rows = []
    for judge, wrong in (("a", 20), ("b", 1), ("c", 12)):
        table = {(M, M): 50 - wrong, (M, U): wrong, (U, M): wrong, (U, U): 50 - wrong}
        rows += [
            {**row, "rater": judge}
            for row in study(table, {M: 400, U: 600})
            if row["kind"] == "judge"
        ]
    rows += [row for row in study({(M, M): 50, (U, U): 50}, {}) if row["kind"] == "human"]
    found = estimate(units_of(rows, calibration="random"))
    assert len(answer(found)) <= 3
    assert answer(found)[0].about["judge"] == "b"


def test_one_refusal_is_said_once() -> None:
    rows = [
        {"item": f"i{n}", "rater": judge, "kind": "judge", "value": "yes" if n % 2 else "no"}
        for n in range(8)
        for judge in ("a", "b")
    ]
    found = ga.estimate(pl.DataFrame(rows), TASK)
    (said,) = found.answer
    assert said.text == (
        "The true rate behind any of the judges cannot be told: no item has both a label and a "
        "verdict, so that nothing is known of a judge's errors."
    )
    assert said.facts["judges"] == ["a", "b"]


def test_labels_picked_by_label_are_no_part_of_the_rate() -> None:
    """50 of each label picked from the 300 items themselves: what is left is no draw of them."""
    rng = np.random.default_rng(3)
    true = rng.random(300) < 0.3
    said = np.where(rng.random(300) < 0.9, true, ~true)
    known = np.zeros(300, bool)
    for label in (True, False):
        known[rng.permutation(np.flatnonzero(true == label))[:50]] = True

    def told(calibration: str, split: bool) -> tuple[str, ...]:
        rows = [
            {
                "item": str(k),
                "rater": rater,
                "kind": kind,
                "value": "yes" if value[k] else "no",
                **({"split": "calibration" if known[k] else "test"} if split else {}),
            }
            for rater, kind, value in (("j", "judge", said), ("p", "human", true))
            for k in (range(300) if kind == "judge" else np.flatnonzero(known))
        ]
        found = ga.estimate(rows, {**TASK, "calibration": calibration})
        rate = found["prevalence", "j"]
        assert isinstance(rate, Estimate)
        assert rate.interval is not None
        if calibration == "by_label":
            assert true.mean() not in rate.interval
            assert true[~known].mean() in rate.interval
        return rate.warnings

    (warning,) = told("by_label", split=False)
    assert warning.startswith("labels were drawn by label, and this is the rate of the items with")
    assert told("by_label", split=True) == ()
    assert told("separate", split=False) == ()
