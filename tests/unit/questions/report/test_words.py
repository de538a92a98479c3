"""The first screen says what the results carry, in plain words, and no more."""

from __future__ import annotations

from typing import Any

import pytest
import sample_documents

from goldassay.glossary import method_of, methods, words
from goldassay.questions.report.facts import facts_of
from goldassay.questions.report.words import claims, verdict
from goldassay.results import Sentence

TASK = {"scale": "binary", "options": ["MET", "UNMET"], "positive": "MET"}


def row(name: str, value: float, verb: str, half: float = 0.04, **about: Any) -> dict[str, Any]:
    made = sample_documents.row(name, value, verb, **about)
    return {**made, "low": value - half, "high": value + half, "assumptions": []}


def agree(judge: str, accuracy: float, kappa: float = 0.6) -> list[dict[str, Any]]:
    return [
        row("accuracy", accuracy, "agree", judge=judge),
        row("cohen_kappa", kappa, "agree", 0.1, judge=judge),
        row("balanced_accuracy", accuracy, "agree", judge=judge),
        row("verdict_rate", 0.31, "agree", judge=judge),
    ]


def said_by(verb: str, *sentences: Sentence) -> dict[str, Any]:
    return {"verb": verb, "sentences": [one.to_json() for one in sentences]}


def best(judge: str, *rivals: str, criterion: str = "balanced_accuracy") -> dict[str, Any]:
    """What `select` says of the best judge, and of those that it cannot tell from it."""
    facts = {"criterion": criterion}
    return said_by(
        "select",
        Sentence("select.best", f"{judge} is first.", {"judge": judge}, facts),
        Sentence(
            "select.told_apart", "Level.", {"judge": judge}, {"cannot_be_told_from": list(rivals)}
        ),
    )


def told(rows: list[dict[str, Any]], *parts: dict[str, Any]) -> tuple[list[str], dict[str, Any]]:
    asked = dict.fromkeys(row["verb"] for row in rows)
    made = [said_by(verb, Sentence(f"{verb}.any", f"An answer of {verb}.")) for verb in asked]
    named = {part["verb"] for part in parts}
    facts = facts_of([*(one for one in made if one["verb"] not in named), *parts], rows, TASK)
    return verdict(facts), claims(facts, rows)


def test_one_judge_its_rate_and_the_truth() -> None:
    rows = [*agree("gpt", 0.84), row("prevalence", 0.22, "estimate", judge="gpt")]
    sentences, said = told(rows)
    assert sentences[:2] == [
        "gpt gives the people's verdict on 84 of 100 items (likely 80 to 88).",
        "gpt calls 31 % of items MET; the true rate is likely 18 to 26 %.",
    ]
    assert "“The true rate of MET is 22 % (18 to 26 %)”." in said["may"]
    assert any("31 % of items are MET" in one and "own rate" in one for one in said["may_not"])
    for sentence in sentences:
        assert "kappa" not in sentence


def test_judges_that_cannot_be_told_apart_are_not_ranked() -> None:
    rows = [*agree("a", 0.86), *agree("b", 0.85), *agree("c", 0.6)]
    sentences, said = told(rows, best("a", "b", criterion="accuracy"))
    assert sentences[0].startswith("a and b cannot be told apart as the best of 3 judges; a gives")
    assert "“a is better than b”: these items cannot tell them apart." in said["may_not"]
    assert not any("is the best" in one for one in said["may"])


def test_a_sure_winner_may_be_called_the_best() -> None:
    rows = [*agree("a", 0.9), *agree("b", 0.6)]
    sentences, said = told(rows, best("a"))
    assert sentences[0].startswith("a is the best of 2 judges;")
    assert "“a is the best of these 2 judges by balanced accuracy.”" in said["may"]


def test_every_rival_of_select_is_a_rival_of_the_report() -> None:
    """Not those with a fair chance in the draws: those that the joint intervals do not part."""
    names = [f"j{k}" for k in range(24)]
    rows = [one for name in names for one in agree(name, 0.8)]
    facts = facts_of([best(names[0], *names[1:])], rows, TASK)
    assert facts.rivals == tuple(names[1:])
    _, said = told(rows, best(names[0], *names[1:]))
    assert not any("the best of" in one for one in said["may"])


def test_a_judge_whose_name_begins_another_keeps_its_own_sentences() -> None:
    rows = [*agree("gpt-4", 0.9), *agree("gpt-4o", 0.6)]
    agreed = said_by(
        "agree",
        Sentence("agree.length", "gpt-4o likes long answers.", {"judge": "gpt-4o"}),
        Sentence("agree.length", "gpt-4 likes short answers.", {"judge": "gpt-4"}),
    )
    facts = facts_of([agreed, best("gpt-4")], rows, TASK)
    assert facts.about_judge("agree") == "gpt-4 likes short answers."
    assert facts.every("agree") == ["gpt-4 likes short answers."]


def test_a_judge_that_select_could_not_compare_is_not_called_the_best() -> None:
    rows = [*agree("a", 0.9), *agree("b", 0.6), row("accuracy", 0.9, "select", judge="a")]
    sentences, said = told(rows)
    assert sentences[0].startswith("Of 2 judges a agrees most with people: it gives")
    assert not any("the best" in one for one in said["may"])


def test_rivals_of_unlike_accuracy_are_both_told() -> None:
    sentences, _ = told([*agree("a", 0.67), *agree("b", 0.72)], best("a", "b"))
    assert sentences[0] == (
        "a and b cannot be told apart as the best of 2 judges, every option counting equally; "
        "a gives the people's verdict on 67 of 100 items (likely 63 to 71), b on 72 "
        "(likely 68 to 76)."
    )


def test_of_several_options_the_furthest_off_is_told() -> None:
    rows = agree("x", 0.8)
    for option, true, own in (("1", 0.5, 0.52), ("2", 0.3, 0.1)):
        rows.append(row("prevalence", true, "estimate", judge="x", option=option))
        rows.append(row("prevalence_naive", own, "estimate", judge="x", option=option))
    sentences, _ = told(rows)
    assert sentences[1] == "x calls 10 % of items ‘2’; the true rate is likely 26 to 34 %."
    sentences, _ = told(rows[:-2])
    assert sentences[1].startswith("For each of the 1 options x's own share lies within")


def test_a_ranking_without_verdicts_speaks_of_systems() -> None:
    rows = [row("kendall_tau", 0.86, "rank", 0.04, judge=judge) for judge in ("a", "b")]
    rows += [row("probability_best", 0.8, "rank", judge="a")]
    rank = said_by(
        "rank",
        Sentence("rank.kendall_tau", "First.", {"judge": "a"}),
        Sentence("rank.probability_best", "It is the best ranker.", {"judge": "a"}),
        Sentence("rank.decisiveness", "It narrows.", {"judge": "a"}),
    )
    facts = facts_of([rank], rows, {"scale": "continuous"})
    assert verdict(facts) == [
        "a puts 93 % of pairs of systems in the people's order (likely 91 to 95 %), the most of 2 "
        "judges.",
        "It is the best ranker.",
        "It narrows.",
    ]
    assert verdict(facts)[0].source == "rank.kendall_tau"
    said = claims(facts, rows)
    assert said["may"] == ["“a puts 93 % of pairs of systems in the people's order (91 to 95 %).”"]
    assert "in 80 % of resamples" in said["may_not"][0]


def test_an_order_that_is_not_known_is_said_to_be_so() -> None:
    rows = [*agree("a", 0.8), row("kendall_tau", 0.0, "rank", 1.0, judge="a")]
    sentences, said = told(rows)
    assert "These items do not tell whether a puts systems in the people's order." in sentences
    assert not any("pairs of systems" in one for one in said["may"])


def test_a_judge_no_better_than_chance_is_said_to_be_so() -> None:
    sentences, said = told(agree("coin", 0.52, kappa=0.03))
    assert "These items do not show that coin does better than chance." in sentences
    assert "“coin does better than chance”: these items do not show it." in said["may_not"]


def test_chance_is_not_spoken_of_where_people_used_one_option() -> None:
    rows = [one for one in agree("x", 0.9, kappa=0.0) if one["name"] != "balanced_accuracy"]
    sentences, said = told(rows)
    assert not any("chance" in one for one in [*sentences, *said["may_not"]])


def test_panels_are_not_judges() -> None:
    rows = [*agree("a", 0.8), *agree("majority panel", 0.9)]
    facts = facts_of([said_by("agree")], rows, TASK, judges=("a",))
    assert facts.judges == ("a",)
    assert verdict(facts)[0].startswith("a gives")


def test_a_judge_below_the_people_is_not_as_good_as_a_person() -> None:
    rows = [*agree("gpt", 0.7), row("human_observed_agreement", 0.93, "agree", 0.02)]
    sentences, said = told(rows)
    assert sentences[1] == "Two people agree with each other on 93 of 100 items (likely 91 to 95)."
    assert any("as good as a person" in one for one in said["may_not"])


def test_definitions_that_disagree_are_the_reservation() -> None:
    selected = {"judges": ["a", "b"], "definitions": [["x", "y"], ["z"]]}
    audit = said_by("audit", Sentence("audit.selection", "They disagree.", facts=selected))
    sentences, _ = told([*agree("a", 0.8), *agree("b", 0.78)], audit)
    assert sentences[1] == (
        "Which judge is best depends on how agreement with people is measured: "
        "a by 2 and b by 1 of 3 ways."
    )


def test_rows_of_a_criterion_or_a_system_do_not_speak_for_the_whole() -> None:
    rows = [row("accuracy", 0.99, "agree", judge="gpt", criterion="tone"), *agree("gpt", 0.7)]
    assert "70 of 100" in told(rows)[0][0]


def test_nothing_known_says_nothing() -> None:
    assert told([]) == ([], {"may": [], "may_not": []})
    undefined = sample_documents.row("cohen_kappa", None, "agree", judge="gpt")
    _, said = told([undefined])
    assert said["may"] == []
    assert "people used one option only" in said["may_not"][0]


def test_the_limits_of_the_sample_are_always_said() -> None:
    _, said = told(agree("gpt", 0.84))
    assert "measured on 240 items" in said["may_not"][-1]


def test_hostile_names_are_made_visible() -> None:
    sentences, _ = told(agree("gpt\u202e\x00" + "x" * 500, 0.84))
    assert "\u202e" not in sentences[0]
    assert len(sentences[0]) < 300


def test_every_method_is_described_once_and_in_words() -> None:
    for name, method in methods().items():
        assert method.words, name
        assert method.meaning, name
        assert method.formula, name
    assert words("human_krippendorff_alpha") == "Krippendorff's alpha among people"
    assert words("cohen_kappa_change") == "change of Cohen's kappa"
    assert method_of("coverage", "audit") != method_of("coverage", "agree")


@pytest.mark.parametrize("name", ["", "__proto__", "no such number"])
def test_an_unknown_name_is_shown_as_it_is(name: str) -> None:
    assert words(name) == name.replace("_", " ")


def test_percents_of_every_question_are_written_alike() -> None:
    said = Sentence("rank.any", "It is the best in 80% of the resamples (62% to 91%).")
    facts = facts_of([said_by("rank", said)], [], TASK)
    assert facts.every("rank") == ["It is the best in 80 % of the resamples (62 % to 91 %)."]
