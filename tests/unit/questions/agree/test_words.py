"""Sentences are pure functions of a study, and their facts are its results."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from agree_studies import BINARY, DRAW, by_hand, estimate, rubric

import goldassay as ga
from goldassay.inference.selected import Selected
from goldassay.questions.agree.ceiling import Beside
from goldassay.questions.agree.methods import methods
from goldassay.questions.agree.record import (
    AgreeStudy,
    JudgeAgreement,
    JuryAgreement,
    PanelAgreement,
    PeopleAgreement,
    SilentJudge,
    Square,
)
from goldassay.questions.agree.repeated_scores import MeanCurve, RepeatedScores
from goldassay.questions.agree.repeats import MajorityCurve, Repeats
from goldassay.questions.agree.standing import Standing
from goldassay.questions.agree.study import Extras, study
from goldassay.questions.agree.words import answer, notes, warnings
from goldassay.ratings.task import Task
from goldassay.results import Estimate, Sentence, Undefined


def sentences(found: AgreeStudy) -> tuple[Sentence, ...]:
    return (*answer(found), *notes(found))


SCORES = Task(scale="continuous")


def judged(*results: Estimate | Undefined, **fields: object) -> JudgeAgreement:
    """A judge with accuracy and kappa, and what else is given."""
    names = {result.name for result in results}
    plain = (estimate("accuracy", 0.9, 0.8, 0.95), estimate("cohen_kappa", 0.7, 0.5, 0.8))
    micro = (*(one for one in plain if one.name not in names), *results)
    return JudgeAgreement("j", micro=micro, **fields)


def in_order(*judges: JudgeAgreement, **fields: object) -> AgreeStudy:
    """A study whose judges stand in the order given; none differs from the first by much."""
    names = tuple(one.judge for one in judges)
    differences = {name: estimate("accuracy_difference", 0.1, -0.1, 0.3) for name in names[1:]}
    place = Standing("accuracy", names, differences, n_items=40)
    return by_hand(*judges, **{"standing": place, **fields})


def told(key: str, said: tuple[Sentence, ...]) -> Sentence:
    (found,) = [one for one in said if one.key == key]
    return found


@pytest.mark.parametrize(("judges", "samples"), [(1, 1), (2, 2), (4, 1)])
def test_facts_are_the_results_that_they_speak_of(judges: int, samples: int) -> None:
    found = study(rubric(judges, samples), draw=DRAW, by=("criterion",), extras=Extras(items=2))
    rows = {
        (row.result.name, row.about.get("judge")): row.result
        for row in reversed(found.rows())
        if row.about["level"] == "micro"
        and not {"mode", "criterion", "items", "other"} & set(row.about)
    }
    # Of two judges, and said of all.
    pair = found.panel.unlike if found.panel else None
    rows |= {} if pair is None else {(pair.difference.name, None): pair.difference}
    said = sentences(found)
    checked = 0
    for one in said:
        for name in {result for result, _ in rows} & set(one.facts):
            result = rows.get((name, one.about.get("judge"))) or rows[name, None]
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
    found = study(rubric(judges, samples), draw=DRAW)
    said = sentences(found)
    assert len(answer(found)) <= 3
    keys = [(one.key, tuple(one.about.items())) for one in said]
    assert len(set(keys)) == len(keys)
    assert all(one.key.startswith("agree.") for one in said)
    per_judge = [one.about["judge"] for one in said if one.key == "agree.accuracy"]
    assert per_judge == list(found.standing.order)  # best first; j0 errs least
    assert per_judge[0] == "j0"
    assert "decisions" in said[0].text


def test_accuracy() -> None:
    judge = judged(estimate("chance_agreement", 0.5))
    first, second = sentences(in_order(judge))[0], sentences(in_order(judge, judged()))[1]
    assert first.text == (
        "`j` agrees with the majority of people on 90 % [80, 95] of 40 items; 50 % would agree by "
        "chance (Cohen's kappa 0.70 [0.50, 0.80])."
    )
    assert first.facts == {
        "name": "accuracy",
        "value": 0.9,
        "low": 0.8,
        "high": 0.95,
        "n_items": 40,
        "coverage": 1.0,
        "unit": "item",
        "chance_agreement": 0.5,
        "cohen_kappa": 0.7,
        "cohen_kappa_low": 0.5,
        "cohen_kappa_high": 0.8,
    }
    assert second.key == "agree.told_apart"
    one_person = PeopleAgreement(1, rated=True)
    assert "agrees with people on" in sentences(in_order(judge, people=one_person))[0].text


def test_kappa_that_says_nothing() -> None:
    (one,) = sentences(in_order(judged(Undefined("cohen_kappa", "one class", 40))))
    assert one.text.endswith(", and Cohen's kappa is undefined: one class.")
    assert one.facts["cohen_kappa"] is None
    assert one.facts["cohen_kappa_undefined"] == "one class"
    flat = Square(("MET", "UNMET"), np.array([[30.0, 10.0], [0.0, 0.0]]))
    (one,) = sentences(in_order(judged(estimate("chance_agreement", 0.9), confusion=flat)))
    assert "Cohen's kappa says nothing here, since people use a single option" in one.text
    assert "by chance" not in one.text
    assert one.facts["single_option"] is True
    # A warning about something else, such as too few clusters, does not make it say nothing.
    unsure = replace(estimate("cohen_kappa", 0.7), warnings=("no interval: too few clusters",))
    both = Square(("MET", "UNMET"), np.array([[30.0, 2.0], [3.0, 5.0]]))
    (one,) = sentences(in_order(judged(unsure, confusion=both)))
    assert one.text.endswith(" (Cohen's kappa 0.70).")
    assert "single_option" not in one.facts


def test_weights_are_told() -> None:
    weighted = estimate("weighted_kappa", 0.8, 0.7, 0.9)
    task = Task(scale="ordinal", options=("1", "2", "3"), weights="linear")
    (one,) = sentences(in_order(judged(weighted), task=task))
    end = ". Where near misses count in part (linear weights), kappa is 0.80 [0.70, 0.90]."
    assert one.text.endswith(end)
    assert (one.facts["weights"], one.facts["weighted_kappa_low"]) == ("linear", 0.7)


@pytest.mark.parametrize(
    ("rule", "words"),
    [("half", "a tie counts half"), ("exclude", "ties are left out"), ("class", "of its own")],
)
def test_ties_are_told_and_their_rates_where_they_differ(rule: str, words: str) -> None:
    task = Task(scale="pairwise", options=("1", "2", "0"), tie="0", ties=rule)
    people = PeopleAgreement(2, rated=True, several=True, ties=estimate("human_tie_rate", 0.4))
    judge = judged(
        rates=(estimate("tie_rate", 0.04),),
        leanings=(estimate("tie_rate_difference", -0.36, -0.4, -0.3),),
    )
    one = sentences(in_order(judge, task=task, people=people))[0]
    assert f"{words}; it calls 4 % ties, the majority 40 %)" in one.text
    assert (one.facts["tie_rate"], one.facts["human_tie_rate"]) == (0.04, 0.4)
    alike = replace(judge, leanings=(estimate("tie_rate_difference", -0.01, -0.1, 0.1),))
    one = sentences(in_order(alike, task=task, people=people))[0]
    assert f"{words})" in one.text
    assert "it calls" not in one.text


def test_agreement_that_cannot_be_computed() -> None:
    (one,) = sentences(in_order(judged(Undefined("accuracy", "nothing counts", 0))))
    assert (one.key, one.facts["reason"]) == ("agree.not_computed", "nothing counts")
    assert one.text == "`j`: agreement cannot be computed, nothing counts."


def told_apart(**ends: tuple[float, float]) -> str:
    """What is said of the best of several judges, from the ends of its lead on each other."""
    names = ("j", *ends)
    differences = {
        name: estimate("accuracy_difference", sum(two) / 2, *two) for name, two in ends.items()
    }
    place = Standing("accuracy", names, differences, n_items=40)
    found = by_hand(*(replace(judged(), judge=name) for name in names), standing=place)
    one = told("agree.told_apart", answer(found))
    assert one.facts["cannot_be_told_from"] == [n for n, two in ends.items() if two[0] <= 0]
    assert one.facts["better_than"] == [n for n, two in ends.items() if two[0] > 0]
    return one.text


def test_who_cannot_be_told_from_the_best() -> None:
    level, worse = (-0.1, 0.2), (0.1, 0.3)
    assert told_apart(k=level) == "It cannot be told from `k`."
    assert told_apart(k=worse) == "It agrees more than `k`."
    assert told_apart(k=worse, l=worse) == "It agrees more than each of the other 2 judges."
    assert told_apart(k=level, l=level) == "It cannot be told from `k` or `l`."
    assert told_apart(k=level, l=worse) == ("It cannot be told from `k`, and agrees more than `l`.")
    several = dict.fromkeys("klmn", level) | {"o": worse, "p": worse}
    assert told_apart(**several) == (
        "It cannot be told from 4 of the other 6 judges, and agrees more than the other 2."
    )


def test_judges_that_decide_different_items() -> None:
    one = replace(judged(), judge="a")
    place = Standing(
        "accuracy",
        ("j", "a", "few"),
        {"a": estimate("accuracy_difference", 0.1, 0.02, 0.2)},
        n_items=30,
        all_alike=False,
    )
    found = by_hand(judged(), one, replace(one, judge="few"), standing=place)
    assert told("agree.told_apart", answer(found)).text == (
        "It agrees more than `a` on the 30 items that both decide; `few` decides too few to be "
        "compared."
    )
    nothing = Standing("accuracy", ("j", "a"), all_alike=False)
    said = told("agree.told_apart", answer(by_hand(judged(), one, standing=nothing)))
    assert said.text.endswith(
        "cannot be told: no item with a label is decided by it and by another judge."
    )


@pytest.mark.parametrize(
    ("ends", "lean", "words"),
    [
        ((0.02, 0.2), "more", "`j` says `MET` more often than people: "),
        ((-0.2, -0.02), "less", "`j` says `MET` less often than people: "),
        (
            (-0.1, 0.1),
            "neither",
            "Whether `j` says `MET` more or less often than people cannot be told: ",
        ),
    ],
)
def test_strictness(ends: tuple[float, float], lean: str, words: str) -> None:
    rates = (estimate("reference_rate", 0.4), estimate("verdict_rate", 0.5))
    difference = estimate("positive_rate_difference", sum(ends) / 2, *ends)
    judge = judged(difference, *rates, estimate("kappa_phi_gap", 0.018), estimate("phi", 0.72))
    against = judged(difference, *rates, estimate("kappa_phi_gap", 0.018), estimate("phi", -0.07))
    said = told("agree.strictness", sentences(in_order(against)))
    assert "kappa" not in said.text  # which is nearer to 0 than phi, and not lower
    one = told("agree.strictness", sentences(in_order(judge)))
    cost = " That lowers kappa by 0.02." if lean != "neither" else ""
    assert one.text == f"{words}on 50 % of 40 items, people on 40 %.{cost}"
    assert (one.facts["lean"], one.facts["positive"]) == (lean, "MET")
    assert (one.facts["reference_rate"], one.facts["verdict_rate"]) == (0.4, 0.5)
    assert ("kappa_phi_gap" in one.facts) is (lean != "neither")
    assert (one in answer(in_order(judge))) is (lean != "neither")


def test_a_name_with_braces_is_a_name() -> None:
    rates = (estimate("reference_rate", 0.4), estimate("verdict_rate", 0.5))
    difference = estimate("positive_rate_difference", 0.1, 0.02, 0.2)
    judge = replace(judged(difference, *rates), judge="{0} {judge}")
    said = told("agree.strictness", sentences(in_order(judge)))
    assert said.text.startswith("`{0} {judge}` says `MET` more often than people: ")


def test_what_is_not_covered() -> None:
    unread = estimate("invalid_rate", 0.1, 0.05, 0.2)
    judge = judged(rates=(estimate("coverage", 0.9, 0.8, 0.95), unread))
    first, one = sentences(in_order(judge))
    assert "of the 40 items that both decide" in first.text
    assert one.text == "`j` gives no usable verdict on 10 % of the 40 items that it was to rate."
    assert one.facts["missing"] == pytest.approx(0.1)
    whole = judged(rates=(estimate("coverage", 1.0, 0.9, 1.0),))
    assert {one.key for one in sentences(in_order(whole))} == {"agree.accuracy"}
    hardly = judged(rates=(estimate("coverage", 0.999, 0.9, 1.0),))
    assert [one.key for one in answer(in_order(hardly))] == ["agree.accuracy"]


def test_an_empty_place_is_no_answer_of_a_judge() -> None:
    judge = judged(rates=(estimate("coverage", 0.4, 0.3, 0.5), estimate("invalid_rate", 0.0)))
    one = told("agree.coverage", sentences(in_order(judge)))
    assert (one.facts["given"], one.facts["n_items"]) == (16, 40)
    assert one.text == (
        "`j` has a verdict on 16 of 40 items, and none on the others: it gave none, "
        "or was not run on them."
    )


def test_leanings_are_told_where_they_can_be_told() -> None:
    position = estimate("first_position_rate", 0.4, 0.3, 0.45)
    length = estimate("length_log_odds", np.log(2), 0.1, 1.0)
    said = sentences(in_order(judged(leanings=(position, length))))
    one = told("agree.position", said)
    assert one.text == "`j` leans to the answer shown second: 60 % of its verdicts."
    assert (one.facts["value"], one.facts["place"], one.facts["share"]) == (0.4, "second", 0.6)
    one = told("agree.length", said)
    assert "`j` leans to longer texts" in one.text
    assert "makes the odds 2.00 times as high." in one.text
    assert one.facts["times"] == pytest.approx(2)
    unsure = (estimate("first_position_rate", 0.4, 0.3, 0.55), estimate("length_log_odds", 0.1))
    assert len(sentences(in_order(judged(leanings=unsure)))) == 1


@pytest.mark.parametrize(
    ("enough", "words"),
    [
        (1, "of its 3 samples one has nearly the accuracy of any larger number"),
        (2, "of its 3 samples 2 together have nearly the accuracy of any larger number"),
        (3, "fewer than all 3 samples together have a lower accuracy"),
    ],
)
def test_repeats_of_verdicts(enough: int, words: str) -> None:
    curve = MajorityCurve(np.array([0.8, 0.81, 0.85]), np.array([40.0, 40, 40]), enough=enough)
    noise = (estimate("self_consistency", 0.9), estimate("noise_share", 0.25))
    one = told("agree.repeats", sentences(in_order(judged(repeats=Repeats(noise, curve)))))
    assert one.text == (
        "Asked twice, `j` gives the same verdict 90 % of the time; 25 % of its disagreement with "
        f"people is noise; {words}."
    )
    facts = {"self_consistency": 0.9, "noise_share": 0.25, "samples": 3, "enough": enough}
    assert one.facts == facts


def test_repeats_of_scores() -> None:
    noise = (estimate("noise_share", 0.25),)
    mean = RepeatedScores(noise, MeanCurve(np.array([0.7, 0.8]), np.array([0.5, 0.6]), 2))
    correlations = (estimate("pearson", 0.7), estimate("lin_concordance", 0.6))
    scored = JudgeAgreement("j", micro=correlations, repeats=mean)
    one = told("agree.repeats", sentences(in_order(scored, task=SCORES)))
    assert one.text == (
        "Of the squared distance of `j` from people 25 % is noise between repeats; fewer than all "
        "2 samples together have a lower correlation."
    )
    unknown = RepeatedScores((Undefined("noise_share", "never differs", 9),), mean.curve)
    (one,) = sentences(in_order(replace(scored, repeats=unknown), task=SCORES))
    assert one.key == "agree.correlation"


def test_scores() -> None:
    results = (estimate("pearson", 0.7, 0.6, 0.8), estimate("lin_concordance", 0.5))
    silent = SilentJudge("mum", 1200, ())
    judge = JudgeAgreement("j", micro=results)
    one, none = sentences(in_order(judge, task=SCORES, silent=(silent,)))
    assert one.text == (
        "The scores of `j` correlate with people's at 0.70 [0.60, 0.80] (Pearson) over 40 items; "
        "as equal numbers they agree at 0.50 (Lin)."
    )
    assert (one.facts["name"], one.facts["lin_concordance"]) == ("pearson", 0.5)
    assert none.text == "None of the 1,200 ratings of `mum` is a score."
    assert (none.about, none.facts) == ({"judge": "mum"}, {"ratings": 1200})


def test_people_among_themselves() -> None:
    alpha = estimate("human_krippendorff_alpha", 0.62, 0.5, 0.7)
    people = PeopleAgreement(
        3,
        rated=True,
        several=True,
        coefficients=(alpha, estimate("human_observed_agreement", 0.81)),
        pairs=1500,
        paired=1400,
    )
    one = told("agree.people", sentences(in_order(judged(), people=people)))
    assert one.text == (
        "Two people give the same answer 81 % of the time, on average over 1,400 items that several"
        " rated (1,500 pairs of ratings; Krippendorff's alpha 0.62 [0.50, 0.70])."
    )
    assert (one.facts["value"], one.facts["human_observed_agreement"]) == (0.62, 0.81)
    judge = Selected("adj", 222, 1.0, 0.0)
    one = told(
        "agree.people", sentences(in_order(judged(), people=replace(people, selected=(judge,))))
    )
    assert one.text.endswith(
        "; `adj` is left out, who rated 222 of them, on which the others differ in 100 % "
        "(elsewhere 0 %)."
    )
    assert one.facts["left_out"] == ["adj"]
    scores = JudgeAgreement("j", micro=(estimate("pearson", 0.7), estimate("lin_concordance", 0.6)))
    one = told("agree.people", answer(in_order(scores, task=SCORES, people=people)))
    assert one.text == "People agree with one another at Krippendorff's alpha 0.62 [0.50, 0.70]."
    unknown = replace(people, coefficients=(Undefined("human_krippendorff_alpha", "one", 0),))
    assert len(sentences(in_order(judged(), people=unknown))) == 1


@pytest.mark.parametrize(
    ("ends", "lean", "text"),
    [
        (
            (-0.09, -0.01),
            "less",
            "Two people agree with each other more often than one does with `j`: 82 % against 77 % "
            "of the same 40 items.",
        ),
        (
            (0.01, 0.09),
            "more",
            "A person agrees more often with `j` than with another person: 77 % against 82 % of "
            "the same 40 items.",
        ),
        (
            (-0.09, 0.09),
            "cannot be told",
            "A person agrees with `j` on 77 % and with another person on 82 % of the same 40 items:"
            " which is more cannot be told.",
        ),
    ],
)
def test_a_judge_beside_people(ends: tuple[float, float], lean: str, text: str) -> None:
    beside = Beside(
        "j",
        estimate("agreement_with_a_person", 0.77),
        estimate("agreement_of_two_people", 0.82),
        estimate("gap_to_people", sum(ends) / 2, *ends),
    )
    one = told("agree.beside_people", answer(in_order(judged(), beside={"j": beside})))
    assert (one.text, one.facts["lean"]) == (text, lean)


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
    one = told("agree.juries", sentences(in_order(judged(), panel=panel)))
    assert one.text == (
        "By how alike they err, 3 judges are worth 1.40 [1.20, 1.90] independent ones. The "
        "majority panel beats its best member `j` on the 40 items that both decide "
        "(5 points [1, 10]). "
        "The weighted panel is worse than its best member `j` on the 40 items that both decide "
        "(-5 points [-10, -1]). The third panel cannot be told from its best member `j` on the 40 "
        "items that both decide (0 points [-10, 10])."
    )
    assert one.facts["verdicts"] == ["beats", "is worse than", "cannot be told from"]
    assert one.facts["gains"] == [0.05, -0.05, 0.0]
    assert (one.facts["effective_judges"], one.facts["judges"]) == (1.4, 3)
    one = told("agree.juries", sentences(in_order(judged(), panel=replace(panel, effective=None))))
    assert one.text.startswith("The majority panel beats")
    assert len(sentences(in_order(judged(), panel=replace(panel, juries=())))) == 1


def test_nobody_rated() -> None:
    nobody = PeopleAgreement(0, rated=False)
    found = by_hand(JudgeAgreement("j"), people=nobody)
    (one,) = sentences(found)
    assert one.text.startswith("There is no human rating: whether the judges agree")
    assert warnings(found) == ("add ratings of kind human for the same items",)
    scores = (Undefined("pearson", "nobody", 0), Undefined("lin_concordance", "nobody", 0))
    (first,) = sentences(by_hand(JudgeAgreement("j", micro=scores), people=nobody, task=SCORES))
    assert first.text.startswith("There is no human score: ")


def test_warnings_about_people() -> None:
    alone = PeopleAgreement(1, rated=True)
    assert warnings(by_hand(people=alone))[0].startswith("one rating by a person for each item: ")
    assert warnings(by_hand(people=alone, task=SCORES))[0].startswith(
        "one score by a person for each item: "
    )
    divided = PeopleAgreement(2, rated=True, several=True, units=1000, tied=101)
    assert "tie on 101 of 1,000 items (10 %)" in warnings(by_hand(people=divided))[0]
    assert warnings(by_hand(people=replace(divided, tied=100))) == ()


def test_the_paragraph_names_its_numbers_once() -> None:
    found = study(rubric(judges=2, samples=1), draw=DRAW, by=("criterion",))
    paragraph = methods(found, "1.2.3")
    assert paragraph.key == "agree.methods"
    assert paragraph.text.count("accuracy ") == 4  # two judges, plain and balanced
    assert "computed with goldassay 1.2.3, seed 1, 100 draws." in paragraph.text
    assert paragraph.facts["judges"] == ["j0", "j1"]
    assert paragraph.facts["n_units"] == 120
    assert "Decisions are nested in 2 criteria" in paragraph.text


def test_the_paragraph_of_many_judges_is_brief() -> None:
    judge = judged(estimate("recall", 0.8, 0.7, 0.9))
    two = methods(by_hand(judge, replace(judge, judge="k")), "1").text
    three = methods(by_hand(*(replace(judge, judge=name) for name in "jkl")), "1").text
    assert two.count("recall 80 % [70, 90]") == 2
    assert "recall" not in three
    assert "Intervals are 95 % (by hand)" in three
    assert f"The judgment scale is {BINARY.scale}: `MET`, `UNMET`; positive is `MET`." in three


def test_a_judge_of_ties_alone_is_told_to_say_nothing() -> None:
    """Half a credit for each tie is a kappa above 0, of a judge that prefers nothing."""
    people = ["a", "b", "tie", "a", "b", "tie", "a", "a", "b", "tie"]
    rows = [
        row
        for k, label in enumerate(people)
        for row in (
            {"item": str(k), "rater": "ann", "kind": "human", "value": label},
            {"item": str(k), "rater": "tier", "kind": "judge", "value": "tie"},
        )
    ]
    task = {"scale": "pairwise", "options": ["a", "b", "tie"], "tie": "tie", "ties": "half"}
    found = ga.agree(pl.DataFrame(rows), task, resamples=60)
    assert found["cohen_kappa", "tier"].value > 0.2  # type: ignore[union-attr]
    assert found.answer[0].text.endswith(
        "Cohen's kappa says nothing here, since the judge calls everything a tie."
    )
    assert found.summary is not None
    assert isinstance(found.summary.lines[0].cells[1], Undefined)
    methods = next(one for one in found.notes if one.key == "agree.methods")
    assert "kappa" not in methods.text
    said = "`tier` calls everything a tie"
    assert any(one.startswith(said) for one in found.warnings)
    chosen = ga.select(pl.DataFrame(rows), task, resamples=60)
    assert any(one.startswith(said) for one in chosen.warnings)
    report = ga.report(pl.DataFrame(rows), task, resamples=60)
    assert "chance" not in report.answer[0].text
    excluded = ga.select(
        pl.DataFrame([*rows, {"item": "0", "rater": "j", "kind": "judge", "value": "a"}]),
        task | {"ties": "class"},
        resamples=60,
    )
    assert not any(one.startswith(said) for one in excluded.warnings)


def test_numbers_on_two_scales_are_told_from_one() -> None:
    rng = np.random.default_rng(3)
    truth = rng.integers(1, 6, 40)
    judges = {
        "percent": truth * 20 - 10 + rng.normal(0, 5, 40),
        "likert": np.clip(truth + rng.normal(0, 0.5, 40), 1, 5),
        "harsh": np.clip(truth - 2 + rng.normal(0, 0.5, 40), 1, 5),
        "timid": 3 + (truth - 3) / 8,
    }
    scores = {"ann": ("human", truth.astype(float))} | {
        name: ("judge", given) for name, given in judges.items()
    }
    rows = [
        {"item": str(k), "rater": rater, "kind": kind, "value": f"{given[k]:.2f}"}
        for rater, (kind, given) in scores.items()
        for k in range(40)
    ]
    found = ga.agree(pl.DataFrame(rows), {"scale": "continuous"}, resamples=60)
    said = {
        one.about["judge"]: one
        for one in (*found.answer, *found.notes)
        if one.key == "agree.correlation"
    }
    assert "means something only if these are one scale" in said["percent"].text
    assert said["percent"].facts["ranges"][1] == [1.0, 5.0]
    assert all("ranges" not in said[name].facts for name in ("likert", "harsh", "timid"))
    alpha = found["judges_krippendorff_alpha"]
    assert isinstance(alpha, Undefined)
    assert "look like two scales" in alpha.reason
