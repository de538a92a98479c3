from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from small_tables import judged, units

from goldassay.errors import UsageError
from goldassay.questions.estimate.cautions import warnings
from goldassay.questions.estimate.study import study as estimate
from goldassay.questions.estimate.tables import tables
from goldassay.results import Estimate, Undefined

from .conftest import sentences, study

M, U = "MET", "UNMET"
LABELLED = {(M, M): 40, (M, U): 8, (U, M): 12, (U, U): 40}
UNLABELLED = {M: 400, U: 600}


def found(findings, name, **about):  # type: ignore[no-untyped-def]
    rows = [
        row.result
        for row in findings.rows()
        if row.result.name == name and all(row.about.get(k) == v for k, v in about.items())
    ]
    assert len(rows) == 1, (name, about, rows)
    return rows[0]


@pytest.mark.parametrize(
    ("design", "headline"),
    [
        ("random", "stratified"),
        ("by_verdict", "stratified"),
        ("by_label", "rogan_gladen"),
        ("separate", "rogan_gladen"),
        (None, "stratified"),
    ],
)
def test_the_design_decides_the_headline(units_of, design, headline) -> None:  # type: ignore[no-untyped-def]
    task = {} if design is None else {"calibration": design}
    findings = estimate(units_of(study(LABELLED, UNLABELLED), **task))
    main = found(findings, "prevalence")
    assert main.declared["estimator"] == headline
    assert main.assumptions
    assert 0 < main.interval.low < main.value < main.interval.high < 1
    assert any("not declared" in w for w in warnings(findings)) == (design is None)
    assert "the true rate is likely" in sentences(findings)[0].text


def test_what_is_counted_is_named_by_its_systems(units_of) -> None:  # type: ignore[no-untyped-def]
    one = study(LABELLED, UNLABELLED, system="a")
    two = one + study(LABELLED, UNLABELLED, system="b")
    assert [estimate(units_of(rows)).unit for rows in (study(LABELLED, {}), one, two)] == [
        "item",
        "item",
        "output",
    ]


def test_without_a_design_labels_that_stand_apart_are_corrected_by_rogan_gladen(units_of) -> None:  # type: ignore[no-untyped-def]
    rows = study(LABELLED, {}, split="calibration") + study({}, UNLABELLED, split="test")
    main = found(estimate(units_of(rows)), "prevalence")
    assert main.declared["estimator"] == "rogan_gladen"


def test_a_shift_is_found_and_names_what_it_breaks(units_of) -> None:  # type: ignore[no-untyped-def]
    findings = estimate(units_of(study(LABELLED, {M: 100, U: 900}), calibration="random"))
    warning = next(w for w in warnings(findings) if "not a random draw" in w)
    assert "PPI++" in warning
    assert "Rogan-Gladen holds" in warning
    first, second = sentences(findings)[:2]
    assert "; if the labelled items are like the others, the true rate is likely" in first.text
    assert second.text.startswith("They are not: `j` calls 52 % of the labelled items `MET` and ")
    assert second.facts["labelled"] == pytest.approx(0.52)
    calm = estimate(units_of(study(LABELLED, {M: 520, U: 480}), calibration="random"))
    assert not any("not a random draw" in w for w in warnings(calm))
    assert "like the others" not in sentences(calm)[0].text
    chosen = estimate(units_of(study(LABELLED, {M: 100, U: 900}), calibration="by_verdict"))
    assert not any("not a random draw" in w for w in warnings(chosen))
    assert "like the others" not in sentences(chosen)[0].text


def test_a_judge_no_better_than_a_coin_is_undefined(units_of) -> None:  # type: ignore[no-untyped-def]
    labelled = {(M, M): 5, (M, U): 5, (U, M): 5, (U, U): 5}
    findings = estimate(units_of(study(labelled, UNLABELLED), calibration="separate"))
    main = found(findings, "prevalence")
    assert isinstance(main, Undefined)
    assert "no information" in main.reason
    assert "cannot be told" in sentences(findings)[0].text


def test_an_empty_label_class_says_which_rate_is_unknown(units_of) -> None:  # type: ignore[no-untyped-def]
    labelled = {(U, M): 5, (U, U): 5}
    findings = estimate(units_of(study(labelled, UNLABELLED), calibration="by_label"))
    assert "sensitivity is unknown" in found(findings, "prevalence").reason


def test_an_estimate_outside_is_clipped_and_said(units_of) -> None:  # type: ignore[no-untyped-def]
    findings = estimate(units_of(study(LABELLED, {M: 10, U: 990}), calibration="separate"))
    main = found(findings, "prevalence")
    assert main.value == 0
    assert main.interval.length > 0
    assert any("clipped" in w for w in warnings(findings))


def test_no_labels_leaves_only_the_judges_own_rate(units_of) -> None:  # type: ignore[no-untyped-def]
    findings = estimate(units_of(study({}, UNLABELLED), calibration="random"))
    assert isinstance(found(findings, "prevalence"), Undefined)
    assert isinstance(found(findings, "prevalence_naive"), Estimate)


def test_everything_labelled_is_the_labelled_rate(units_of) -> None:  # type: ignore[no-untyped-def]
    findings = estimate(units_of(study(LABELLED, {}), calibration="random"))
    assert found(findings, "prevalence").value == pytest.approx(0.48)
    names = [row.result.name for row in findings.rows()]
    assert "prevalence_rogan_gladen" not in names  # nothing to correct is no failure


def test_bounds_hold_whatever_the_missing_verdicts_are(units_of) -> None:  # type: ignore[no-untyped-def]
    rows = study(LABELLED, {**UNLABELLED, "abstained": 100, "invalid": 20})
    findings = estimate(units_of(rows, calibration="random"))
    main, bounds = found(findings, "prevalence"), found(findings, "prevalence_bounds")
    share = 120 / 1220
    assert bounds.declared["if all missing are negative"] == pytest.approx((1 - share) * main.value)
    assert bounds.interval.low < (1 - share) * main.interval.low + 0.02
    assert bounds.interval.high > (1 - share) * main.interval.high + share - 0.02
    assert any("whatever these are" in sentence.text for sentence in sentences(findings))


def test_abstentions_as_a_class_use_the_labels_of_abstained_items(units_of) -> None:  # type: ignore[no-untyped-def]
    labelled = {**LABELLED, (M, "abstained"): 20}
    rows = study(labelled, {**UNLABELLED, "abstained": 200})
    findings = estimate(units_of(rows, calibration="random", abstentions="class"))
    main = found(findings, "prevalence")
    # 452 met verdicts of which 40 in 52, 648 unmet of which 8 in 48, 220 abstained, all met.
    assert main.value == pytest.approx((452 * 40 / 52 + 648 * 8 / 48 + 220) / 1320)
    assert "neither" in found(findings, "prevalence_ppi").reason


def systems() -> list[dict[str, str]]:
    # The judge is lenient with b: it calls .5 of a and .6 of b met; truly b is worse.
    a = {(M, M): 45, (M, U): 5, (U, M): 5, (U, U): 45}
    b = {(M, M): 28, (M, U): 2, (U, M): 32, (U, U): 38}
    return study(a, {M: 500, U: 500}, system="a") + study(b, {M: 600, U: 400}, system="b")


def test_systems_are_ranked_by_their_corrected_rates(units_of) -> None:  # type: ignore[no-untyped-def]
    findings = estimate(units_of(systems(), calibration="random"))
    a = found(findings, "prevalence", system="a")
    b = found(findings, "prevalence", system="b")
    assert a.value > b.value
    gap = found(findings, "prevalence_difference", system="a", opponent="b")
    assert gap.value == pytest.approx(a.value - b.value)
    assert gap.interval.low > 0
    assert any("in the order of 2 systems" in sentence.text for sentence in sentences(findings))
    assert any("wrong way round" in warning for warning in warnings(findings))


def test_shared_labels_correlate_systems(units_of) -> None:  # type: ignore[no-untyped-def]
    own = estimate(units_of(systems(), calibration="random"))
    shared = estimate(units_of(systems(), calibration="random", shared_labels=True))
    table = tables(shared)["systems j"]
    assert "labels of all systems" in table.notes[0]
    key = {"system": "a", "opponent": "b"}
    assert (
        found(shared, "prevalence_difference", **key).interval.length
        < found(own, "prevalence_difference", **key).interval.length
    )


def test_strata_are_told_apart_and_put_together(units_of) -> None:  # type: ignore[no-untyped-def]
    good = {(M, M): 30, (M, U): 0, (U, M): 1, (U, U): 29}
    poor = {(M, M): 20, (M, U): 10, (U, M): 15, (U, U): 15}
    rows = study(good, {M: 300, U: 300}, stratum="short", system="s")
    rows += study(poor, {M: 300, U: 300}, stratum="long", system="t")
    findings = estimate(units_of(rows, calibration="random"), strata=["stratum"])
    whole = found(findings, "prevalence", system=None)
    assert whole.declared == {"strata": ["stratum"]}  # the headline follows the strata
    assert whole.interval.low < whole.value < whole.interval.high
    assert found(findings, "prevalence_stratified").declared["estimator"] == "stratified"
    assert any("differ by `stratum`" in sentence.text for sentence in sentences(findings))
    label_shift = estimate(units_of(rows, calibration="separate"), strata=["stratum"])
    assert found(label_shift, "prevalence", system=None).declared == {"strata": ["stratum"]}


def test_more_than_two_options(units_of) -> None:  # type: ignore[no-untyped-def]
    options = ["bad", "fair", "good"]
    rng = np.random.default_rng(3)
    labelled = {(a, b): int(rng.integers(5, 9) + 30 * (a == b)) for a in options for b in options}
    rows = study(labelled, {"bad": 300, "fair": 300, "good": 400})
    for design in ("random", "separate"):
        findings = estimate(
            units_of(rows, scale="ordinal", options=options, positive="good", calibration=design)
        )
        values = [found(findings, "prevalence", option=o).value for o in options]
        assert sum(values) == pytest.approx(1)
        mean = found(findings, "mean_score")
        if design == "random":
            expected = sum(v * s for v, s in zip(values, (1, 2, 3), strict=True))
            assert mean.value == pytest.approx(expected, abs=0.02)
        else:
            assert isinstance(mean, Undefined)


def test_unknown_names_are_refused(units_of) -> None:  # type: ignore[no-untyped-def]
    units = units_of(study(LABELLED, UNLABELLED))
    with pytest.raises(UsageError, match="is not in the table"):
        estimate(units, judges=["gpt"])
    with pytest.raises(UsageError, match="not a column"):
        estimate(units, strata=["length"])


def test_a_table_without_a_judge_is_refused(units_of) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(UsageError, match="no judge's verdict"):
        estimate(units_of(study({(M, None): 3}, {})))


@pytest.mark.parametrize("design", ["random", "by_verdict", "by_label", "separate"])
def test_one_label_and_one_item_are_answered(units_of, design) -> None:  # type: ignore[no-untyped-def]
    findings = estimate(units_of(study({(U, M): 1}, {U: 1}), calibration=design))
    main = found(findings, "prevalence")
    assert isinstance(main, Undefined) or main.interval.length > 0.5


def test_the_same_input_gives_the_same_findings(units_of) -> None:  # type: ignore[no-untyped-def]
    units = units_of(systems(), calibration="separate")
    first, second = estimate(units), estimate(units)
    assert [row.to_json() for row in first.rows()] == [row.to_json() for row in second.rows()]


def test_grades_of_all_items_follow_where_labels_tell_of_the_undecided(units_of) -> None:  # type: ignore[no-untyped-def]
    grades = {"scale": "ordinal", "options": ["1", "2", "3"], "positive": None}
    decided = {("1", "1"): 20, ("2", "2"): 20, ("3", "3"): 20, ("3", "2"): 5}
    pool: dict[str | None, int] = {"1": 100, "2": 100, "3": 100, "abstained": 60}

    def only(labelled, unlabelled):  # type: ignore[no-untyped-def]
        rows = study(labelled, unlabelled)
        (one,) = estimate(units_of(rows, calibration="random", **grades)).judges
        return one

    told = only({**decided, ("1", "abstained"): 12}, pool)
    assert told.without_verdict == {"abstained": 72}
    assert [one.name for one in told.rates_over_all] == ["prevalence_over_all"] * 3
    assert told.mean_over_all.name == "mean_score_over_all"
    assert told.n_labelled_in_all == 77
    # All twelve that it is silent on and people labelled are of the lowest grade.
    assert told.rates_over_all[0].value > told.rates[0].value + 0.05
    assert told.mean_over_all.value < told.mean.value - 0.1
    untold = only(decided, pool)
    assert (untold.without_verdict, untold.rates_over_all) == ({"abstained": 60}, ())


def test_verdicts_of_one_criterion_refute_no_draw_of_another(units_of) -> None:  # type: ignore[no-untyped-def]
    like = study({("MET", "MET"): 30, ("UNMET", "UNMET"): 30}, {"MET": 150, "UNMET": 150})
    unlike = study({("MET", "MET"): 55, ("UNMET", "UNMET"): 5}, {"MET": 75, "UNMET": 225})
    rows = [{**row, "criterion": "tone"} for row in like]
    rows += [{**row, "criterion": "facts"} for row in unlike]
    found = estimate(units_of(rows, calibration="random"))
    assert found.unlike_others("tone") is None
    refuting = found.unlike_others("facts")
    assert refuting is not None
    assert refuting.subject.criterion == "facts"


@pytest.mark.parametrize(("passes", "declared"), [(2, {"without_verdict": 2.0}), (0, {})])
@pytest.mark.parametrize("known", [True, False])
def test_a_rate_says_how_many_items_have_no_verdict_where_labels_tell_it(
    tmp_path: Path, passes: int, declared: dict[str, float], known: bool
) -> None:
    """The judge passes on the last items; where these alone are labelled, no rate is known."""
    decides = 40 - passes
    truth = [1, 0] * 10 + [-1] * 20 if known else [-1] * decides + [1] * passes
    rows = judged(truth, {"gpt": ([1, 0] * 20)[:decides] + [-1] * passes})
    for k in range(decides, 40):
        rows.append({"item": f"i{k:04}", "rater": "gpt", "kind": "judge", "value": "pass"})
    (found,) = estimate(units(tmp_path, rows, abstain=["pass"])).judges
    assert found.sample.of_decided == declared
    if known:
        assert isinstance(found.rate, Estimate)
        assert found.rate.declared.get("without_verdict") == declared.get("without_verdict")
    else:
        assert isinstance(found.rate, Undefined)


def test_a_system_that_is_labelled_whole_has_peoples_rate_whatever_another_has(
    tmp_path: Path,
) -> None:
    """The judge passes on ten items of each system, which people call yes."""
    truth, verdict = [1 if n < 10 or n % 3 == 0 else 0 for n in range(40)], [-1] * 10
    verdict, systems = [*verdict, *truth[10:]], ["ash"] * 40 + ["elm"] * 40
    rows = judged([*truth, *truth[:20], *[-1] * 20], {"gpt": verdict * 2}, system=systems)
    for k in (*range(10), *range(40, 50)):
        about = {"item": f"i{k:04}", "system": systems[k]}
        rows.append({**about, "rater": "gpt", "kind": "judge", "value": "pass"})
    (found,) = estimate(units(tmp_path, rows, abstain=["pass"])).judges
    assert found.systems is not None
    rates = dict(zip(found.systems.board.systems, found.systems.rates, strict=True))
    assert (rates["ash"].value, rates["ash"].n_items) == (0.5, 40)
    assert (rates["elm"].value, rates["elm"].n_items) == (pytest.approx(1 / 3), 30)
