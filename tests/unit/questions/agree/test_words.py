"""Sentences are pure functions of a study, and their facts are its results."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from agree_studies import BINARY, DRAW, by_hand, estimate, rubric

from goldassay.questions.agree.repeated_scores import MeanCurve, RepeatedScores
from goldassay.questions.agree.repeats import MajorityCurve, Repeats
from goldassay.questions.agree.study import (
    Extras,
    JudgeAgreement,
    JuryAgreement,
    PanelAgreement,
    PeopleAgreement,
    SilentJudge,
    Square,
    study,
)
from goldassay.questions.agree.words import methods, sentences, warnings
from goldassay.ratings.task import Task
from goldassay.results import Estimate, Sentence, Undefined

SCORES = Task(scale="continuous")


def judged(*results: Estimate | Undefined, **fields: object) -> JudgeAgreement:
    """A judge with accuracy and kappa, and what else is given."""
    names = {result.name for result in results}
    plain = (estimate("accuracy", 0.9, 0.8, 0.95), estimate("cohen_kappa", 0.7, 0.5, 0.8))
    micro = (*(one for one in plain if one.name not in names), *results)
    return JudgeAgreement("j", micro=micro, **fields)


def told(key: str, said: tuple[Sentence, ...]) -> Sentence:
    (found,) = [one for one in said if one.key == key]
    return found


@pytest.mark.parametrize(("judges", "samples"), [(1, 1), (2, 2), (4, 1)])
def test_facts_are_the_results_that_they_speak_of(judges: int, samples: int) -> None:
    found = study(rubric(judges, samples), draw=DRAW, by=("criterion",), extras=Extras(items=2))
    rows = {
        (row.result.name, row.about.get("judge")): row.result
        for row in reversed(found.rows())
        if row.about["level"] == "micro" and not {"mode", "criterion"} & set(row.about)
    }
    said = sentences(found)
    checked = 0
    for one in said:
        for name in {result for result, _ in rows} & set(one.facts):
            result = rows[name, one.about.get("judge")]
            assert one.facts[name] == result.value
            checked += 1
        if "name" in one.facts:
            result = rows[one.facts["name"], one.about.get("judge")]
            assert one.facts["value"] == result.value
            assert (one.facts["low"], one.facts["high"]) == (
                result.interval.low,
                result.interval.high,
            )
            assert one.facts["n_items"] == result.n_items
            checked += 1
    assert checked >= 5 * judges


@pytest.mark.parametrize(("judges", "samples"), [(1, 1), (2, 2), (4, 1)])
def test_a_key_is_about_one_thing_once(judges: int, samples: int) -> None:
    said = sentences(study(rubric(judges, samples), draw=DRAW))
    keys = [(one.key, tuple(one.about.items())) for one in said]
    assert len(set(keys)) == len(keys)
    assert all(one.key.startswith("agree.") for one in said)
    per_judge = [one.about["judge"] for one in said if one.key == "agree.accuracy"]
    assert per_judge == [f"j{k}" for k in range(judges)]


def test_accuracy() -> None:
    judge = judged(estimate("chance_agreement", 0.5), estimate("phi", 0.72))
    first, second = sentences(by_hand(judge, replace(judge, judge="k")))
    assert first.text == (
        "j agrees with people on 90% of 40 items (80% to 95%); 50% would agree by chance. Cohen's "
        "kappa is 0.70 (0.50 to 0.80), phi (= MCC = Pearson = Spearman = tau-b) 0.72."
    )
    assert first.facts == {
        "name": "accuracy",
        "value": 0.9,
        "low": 0.8,
        "high": 0.95,
        "n_items": 40,
        "chance_agreement": 0.5,
        "cohen_kappa": 0.7,
        "cohen_kappa_low": 0.5,
        "cohen_kappa_high": 0.8,
        "phi": 0.72,
    }
    assert second.text.endswith(", phi 0.72.")
    assert second.about == {"judge": "k"}


def test_kappa_that_says_nothing() -> None:
    (one,) = sentences(by_hand(judged(Undefined("cohen_kappa", "one class", 40))))
    assert one.text.endswith(". Cohen's kappa is undefined: one class.")
    assert one.facts["cohen_kappa"] is None
    assert one.facts["cohen_kappa_undefined"] == "one class"
    flat = Square(("MET", "UNMET"), np.array([[30.0, 10.0], [0.0, 0.0]]))
    (one,) = sentences(by_hand(judged(confusion=flat)))
    assert "Cohen's kappa says nothing here" in one.text
    assert one.facts["single_option"] is True
    # A warning about something else, such as too few clusters, does not make it say nothing.
    unsure = replace(estimate("cohen_kappa", 0.7), warnings=("no interval: too few clusters",))
    both = Square(("MET", "UNMET"), np.array([[30.0, 2.0], [3.0, 5.0]]))
    (one,) = sentences(by_hand(judged(unsure, confusion=both)))
    assert one.text.endswith(". Cohen's kappa is 0.70.")
    assert "single_option" not in one.facts


def test_weights_are_told_where_they_are_declared_by_name() -> None:
    weighted = estimate("weighted_kappa", 0.8, 0.7, 0.9)
    task = Task(scale="ordinal", options=("1", "2", "3"), weights="linear")
    (one,) = sentences(by_hand(judged(weighted), task=task))
    end = "; with linear weights, which forgive near misses, 0.80 (0.70 to 0.90)."
    assert one.text.endswith(end)
    assert (one.facts["weights"], one.facts["weighted_kappa_low"]) == ("linear", 0.7)


def test_agreement_that_cannot_be_computed() -> None:
    (one,) = sentences(by_hand(judged(Undefined("accuracy", "nothing counts", 0))))
    assert (one.key, one.facts["reason"]) == ("agree.not_computed", "nothing counts")
    assert one.text == "j: agreement cannot be computed, nothing counts."


@pytest.mark.parametrize(
    ("ends", "lean", "words"),
    [
        ((0.02, 0.2), "lenient", "j is lenient: "),
        ((-0.2, -0.02), "strict", "j is strict: "),
        ((-0.1, 0.1), "neither", "j is neither clearly strict nor lenient: "),
    ],
)
def test_strictness(ends: tuple[float, float], lean: str, words: str) -> None:
    rates = (estimate("reference_rate", 0.4), estimate("verdict_rate", 0.5))
    difference = estimate("positive_rate_difference", sum(ends) / 2, *ends)
    judge = judged(difference, *rates, estimate("kappa_phi_gap", 0.01))
    one = told("agree.strictness", sentences(by_hand(judge)))
    cost = "" if lean == "neither" else "; the drift costs kappa 0.010 against phi"
    assert one.text == f"{words}it says MET on 50% of items, people on 40%{cost}."
    assert (one.facts["lean"], one.facts["positive"]) == (lean, "MET")
    assert (one.facts["reference_rate"], one.facts["verdict_rate"]) == (0.4, 0.5)
    assert ("kappa_phi_gap" in one.facts) is (lean != "neither")


def test_what_is_not_covered() -> None:
    judge = judged(rates=(estimate("coverage", 0.9, 0.8, 0.95),))
    one = told("agree.coverage", sentences(by_hand(judge)))
    assert one.text == "j gives no usable verdict on 10.0% of the items it saw."
    assert one.facts["missing"] == pytest.approx(0.1)
    whole = judged(rates=(estimate("coverage", 1.0, 0.9, 1.0),))
    assert {one.key for one in sentences(by_hand(whole))} == {"agree.accuracy"}


def test_leanings_are_told_where_they_can_be_told() -> None:
    position = estimate("first_position_rate", 0.4, 0.3, 0.45)
    length = estimate("length_log_odds", np.log(2), 0.1, 1.0)
    said = sentences(by_hand(judged(leanings=(position, length))))
    one = told("agree.position", said)
    assert one.text == "j leans to the answer shown second: 60% of its verdicts."
    assert (one.facts["value"], one.facts["place"], one.facts["share"]) == (0.4, "second", 0.6)
    one = told("agree.length", said)
    assert "j leans to longer texts" in one.text
    assert "makes the odds 2.00 times as high." in one.text
    assert one.facts["times"] == pytest.approx(2)
    unsure = (estimate("first_position_rate", 0.4, 0.3, 0.55), estimate("length_log_odds", 0.1))
    assert len(sentences(by_hand(judged(leanings=unsure)))) == 1


def test_repeats_of_verdicts_and_of_scores() -> None:
    curve = MajorityCurve(np.array([0.8, 0.81, 0.85]), np.array([40.0, 40, 40]), enough=3)
    noise = (estimate("self_consistency", 0.9), estimate("noise_share", 0.25))
    one = told("agree.repeats", sentences(by_hand(judged(repeats=Repeats(noise, curve)))))
    assert one.text == (
        "j: asked twice, it gives the same verdict 90% of the time; 25% of its disagreement with "
        "people is noise; 3 of 3 samples are worth paying for."
    )
    assert one.facts == {"self_consistency": 0.9, "noise_share": 0.25, "samples": 3, "enough": 3}
    mean = RepeatedScores(noise[1:], MeanCurve(np.array([0.7, 0.8]), np.array([0.5, 0.6]), 2))
    correlations = (estimate("pearson", 0.7), estimate("lin_concordance", 0.6))
    scored = JudgeAgreement("j", micro=correlations, repeats=mean)
    one = told("agree.repeats", sentences(by_hand(scored, task=SCORES)))
    assert one.text == (
        "j: 25% of its squared distance from people is noise between repeats; 2 of 2 samples are "
        "worth paying for."
    )
    unknown = RepeatedScores((Undefined("noise_share", "never differs", 9),), mean.curve)
    (one,) = sentences(by_hand(replace(scored, repeats=unknown), task=SCORES))
    assert one.key == "agree.correlation"


def test_scores() -> None:
    results = (estimate("pearson", 0.7, 0.6, 0.8), estimate("lin_concordance", 0.5))
    silent = SilentJudge("mum", 1200, ())
    judge = JudgeAgreement("j", micro=results)
    one, none = sentences(by_hand(judge, task=SCORES, silent=(silent,)))
    assert one.text == (
        "j's scores correlate with people's at 0.70 (Pearson, 0.60 to 0.80) over 40 items; as "
        "equal numbers they agree at 0.50 (Lin)."
    )
    assert (one.facts["name"], one.facts["lin_concordance"]) == ("pearson", 0.5)
    assert none.text == "mum: none of its 1,200 ratings is a score."
    assert (none.about, none.facts) == ({"judge": "mum"}, {"ratings": 1200})


def test_people_are_the_ceiling() -> None:
    alpha = estimate("human_krippendorff_alpha", 0.62, 0.5, 0.7)
    people = PeopleAgreement(
        2,
        rated=True,
        several=True,
        coefficients=(alpha, estimate("human_observed_agreement", 0.81)),
    )
    one = told("agree.people", sentences(by_hand(people=people)))
    assert "on 81% of pairs of ratings (alpha 0.62)" in one.text
    assert (one.facts["value"], one.facts["human_observed_agreement"]) == (0.62, 0.81)
    one = told("agree.people", sentences(by_hand(task=SCORES, people=people)))
    assert "at alpha 0.62 (interval)" in one.text
    unknown = replace(people, coefficients=(Undefined("human_krippendorff_alpha", "one", 0),))
    assert sentences(by_hand(people=unknown)) == ()


def test_a_jury_is_held_against_its_best_member() -> None:
    juries = tuple(
        JuryAgreement(name, "j", estimate("gain_over_best_judge", value, low, high), ())
        for name, value, low, high in (
            ("majority panel", 0.05, 0.01, 0.1),
            ("weighted panel", -0.05, -0.1, -0.01),
            ("third panel", 0.0, -0.1, 0.1),
        )
    )
    effective = estimate("effective_judges", 1.4, 1.2, 1.9)
    panel = PanelAgreement(("j", "k", "l"), (), effective=effective, juries=juries)
    (one,) = sentences(by_hand(panel=panel))
    assert one.text == (
        "3 judges err alike enough to be worth 1.4 (1.2 to 1.9) independent ones; the majority "
        "panel beats its best member j (+5.0%, +1.0% to +10.0%); the weighted panel is worse than "
        "its best member j (-5.0%, -10.0% to -1.0%); the third panel cannot be told from its best "
        "member j (+0.0%, -10.0% to +10.0%)."
    )
    assert one.facts["verdicts"] == ["beats", "is worse than", "cannot be told from"]
    assert one.facts["gains"] == [0.05, -0.05, 0.0]
    assert (one.facts["effective_judges"], one.facts["judges"]) == (1.4, 3)
    (one,) = sentences(by_hand(panel=replace(panel, effective=None)))
    assert one.text.startswith("The majority panel beats")
    assert sentences(by_hand(panel=replace(panel, juries=()))) == ()


def test_nobody_rated() -> None:
    nobody = PeopleAgreement(0, rated=False)
    found = by_hand(JudgeAgreement("j"), people=nobody)
    (one,) = sentences(found)
    assert one.text.startswith("There is no human rating: whether the judges agree")
    assert warnings(found) == ("add ratings of kind human for the same items",)
    scores = (Undefined("pearson", "nobody", 0), Undefined("lin_concordance", "nobody", 0))
    first, second = sentences(
        by_hand(JudgeAgreement("j", micro=scores), people=nobody, task=SCORES)
    )
    assert first.text.startswith("There is no human score: ")
    assert second.key == "agree.not_computed"


def test_warnings_about_people() -> None:
    alone = PeopleAgreement(1, rated=True)
    assert warnings(by_hand(people=alone))[0].startswith("one human rating per unit: ")
    assert warnings(by_hand(people=alone, task=SCORES))[0].startswith("one human score per unit: ")
    divided = PeopleAgreement(2, rated=True, several=True, units=1000, tied=101)
    assert "tie on 101 of 1,000 units (10%)" in warnings(by_hand(people=divided))[0]
    assert warnings(by_hand(people=replace(divided, tied=100))) == ()


def test_the_paragraph_names_its_numbers_once() -> None:
    found = study(rubric(judges=2, samples=1), draw=DRAW, by=("criterion",))
    paragraph = methods(found, "1.2.3")
    assert paragraph.key == "agree.methods"
    assert paragraph.text.count("accuracy 0.") == 4  # two judges, plain and balanced
    assert "computed with goldassay 1.2.3, seed 1, 100 draws." in paragraph.text
    assert paragraph.facts["judges"] == ["j0", "j1"]
    assert paragraph.facts["n_units"] == 120
    assert "Decisions are nested in 2 criteria" in paragraph.text


def test_the_paragraph_of_many_judges_is_brief() -> None:
    judge = judged(estimate("recall", 0.8, 0.7, 0.9))
    two = methods(by_hand(judge, replace(judge, judge="k")), "1").text
    three = methods(by_hand(*(replace(judge, judge=name) for name in "jkl")), "1").text
    assert two.count("recall 0.800 [0.700, 0.900]") == 2
    assert "recall" not in three
    assert "Intervals are 95% (by hand)" in three
    assert f"The judgment scale is {BINARY.scale}: MET, UNMET; positive is MET." in three
