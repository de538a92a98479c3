"""Sentences are made from results, carry them, and are keyed."""

from __future__ import annotations

import json

import numpy as np
import pytest

from goldassay.questions.estimate.bare import study_counts
from goldassay.questions.estimate.estimators import broken_by_shift
from goldassay.questions.estimate.scores import JudgeMean, MeansStudy
from goldassay.questions.estimate.study import study as estimate
from goldassay.questions.estimate.subject import Subject
from goldassay.questions.estimate.words import percent, sentences, warnings
from goldassay.results import Estimate, Interval, Undefined

from .conftest import study

M, U = "MET", "UNMET"
LABELLED = {(M, M): 40, (M, U): 8, (U, M): 12, (U, U): 40}


def by_key(found):  # type: ignore[no-untyped-def]
    return {one.key: one for one in sentences(found)}


def results(found):  # type: ignore[no-untyped-def]
    return {(row.result.name, row.about.get("system")): row.result for row in found.rows()}


@pytest.mark.parametrize(
    ("share", "words"),
    [(0.224, "22 %"), (0.004, "0.4 %"), (0.996, "99.6 %"), (0, "0 %"), (1, "100 %")],
)
def test_percent(share: float, words: str) -> None:
    assert percent(share) == words


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
        "j calls 41 % MET; the true rate is likely "
        f"{percent(main.interval.low)} to {percent(main.interval.high)} (best estimate "
        f"{percent(main.value)}, stratified by verdict, 100 labels)."
    )
    bounds = by_key(found)["estimate.prevalence_bounds"]
    assert bounds.facts["value"] == results(found)["prevalence_bounds", None].value
    assert bounds.facts["without_verdict"] == {"abstained": 53}
    assert by_key(found)["estimate.labels_without_verdict"].facts["labelled"] == 3


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


def test_a_shift_names_what_it_breaks(units_of) -> None:  # type: ignore[no-untyped-def]
    found = estimate(units_of(study(LABELLED, {M: 100, U: 900}), calibration="random"))
    warning = next(one for one in warnings(found) if "not like the test items" in one)
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
    assert "topic has one value among the judged items: no strata to tell." in warnings(found)
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


def test_mean_scores() -> None:
    mean = Estimate("mean_score", 3.2, Interval(3.0, 3.4, 0.95, "PPI++, Student"), 90)
    own = Estimate("mean_score_naive", 3.5)
    known = JudgeMean(Subject("j", "clear", "a"), mean, own, 30)
    unknown = JudgeMean(Subject("k"), Undefined("mean_score", "no", 5), None, 1)
    found = MeansStudy("by_label", (known, unknown))
    (said,) = sentences(found)
    assert said.text == (
        "j scores 3.5 on average for a for clear; people's mean is likely 3 to 3.4 (best estimate "
        "3.2, 30 labels)."
    )
    assert said.about == {"judge": "j", "criterion": "clear", "system": "a"}
    assert "declared: by_label" in warnings(found)[0]
    assert warnings(MeansStudy("random", ())) == ()
