"""The first screen says what the results carry, in plain words, and no more."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from goldassay.findings import Findings
from goldassay.questions.report.claims import may, may_not
from goldassay.questions.report.study import Part, ReportStudy, study
from goldassay.questions.report.words import answer
from goldassay.ratings.task import Task
from goldassay.results import Estimate, Interval, Line, Row, Sentence, Summary, Undefined

TASK = Task.from_mapping(
    {"scale": "binary", "options": ["MET", "UNMET"], "positive": "MET"}, place="task"
)


def estimate(name: str, value: float, half: float = 0.04, n_items: int = 240) -> Estimate:
    return Estimate(name, value, Interval(value - half, value + half, 0.95, "by hand"), n_items)


def row(name: str, value: float, half: float = 0.04, **about: Any) -> Row:
    return Row(estimate(name, value, half), about)


def tau(value: float, level_pairs: int = 0) -> Estimate:
    return replace(estimate("kendall_tau", value), declared={"level_pairs": level_pairs})


def agreeing(judge: str, accuracy: float, kappa: float = 0.6) -> list[Row]:
    return [
        row("accuracy", accuracy, judge=judge),
        row("cohen_kappa", kappa, 0.1, judge=judge),
        row("balanced_accuracy", accuracy, judge=judge),
        row("chance_agreement", 0.5, judge=judge),
    ]


def part(verb: str, rows: list[Row], **more: Any) -> Part:
    return Part(verb, Findings(verb, rows=tuple(rows), **more), f"goldassay {verb}")


def selecting(*judges: str, tied: int = 1) -> Part:
    """What `select` finds: judges, best first, the first few of them not to be told apart."""
    lines = tuple(
        Line(judge, (estimate("balanced_accuracy", 0.9 - 0.01 * k),), tied=k < tied)
        for k, judge in enumerate(judges)
    )
    summary = Summary("judge", ("balanced_accuracy",), lines)
    return part("select", [], summary=summary)


def told(parts: list[Part], *judges: str, task: Task = TASK) -> tuple[ReportStudy, list[str]]:
    found = study(parts, task, judges)
    return found, [one.text for one in answer(found)]


def texts(sentences: tuple[Sentence, ...]) -> list[str]:
    return [one.text for one in sentences]


def test_one_judge_its_rate_and_the_truth() -> None:
    rates = [row("prevalence", 0.22, judge="gpt"), row("prevalence_naive", 0.31, 0.02, judge="gpt")]
    found, said = told([part("agree", agreeing("gpt", 0.84)), part("estimate", rates)], "gpt")
    assert said == [
        "`gpt` gives people's verdict on 84 % [80, 88] of 240 items, where chance would give 50 %.",
        "`gpt` calls 31 % `MET`; the true rate is likely 18 to 26 %.",
    ]
    assert texts(may(found))[0].startswith("“22 % are `MET` (95 % CI 18 to 26 %;")
    assert texts(may_not(found))[0] == (
        "“31 % are `MET`”: that is the judge's own rate, outside what people's labels allow."
    )


def test_what_may_be_written_is_not_forbidden_in_the_same_words() -> None:
    rates = [
        row("prevalence", 0.622, judge="gpt"),
        row("prevalence_naive", 0.618, 0.02, judge="gpt"),
    ]
    found, _ = told([part("agree", agreeing("gpt", 0.84)), part("estimate", rates)], "gpt")
    assert texts(may(found))[0].startswith("“62 % are `MET`")
    assert not any("62 %" in one for one in texts(may_not(found)))


def test_facts_are_the_results_themselves() -> None:
    found, _ = told([part("agree", agreeing("gpt", 0.84))], "gpt")
    facts = answer(found)[0].facts
    assert facts["agreed"] == {
        "name": "accuracy",
        "value": 0.84,
        "low": 0.84 - 0.04,
        "high": 0.84 + 0.04,
        "n_items": 240,
        "confidence_level": 0.95,
    }
    assert facts["verb"] == "agree"


def test_judges_that_cannot_be_told_apart_are_not_ranked() -> None:
    rows = [*agreeing("a", 0.86), *agreeing("b", 0.85), *agreeing("c", 0.6)]
    parts = [part("agree", rows), selecting("a", "b", "c", tied=2)]
    found, said = told(parts, "a", "b", "c")
    assert said[0].startswith(
        "`a` and `b` cannot be told apart as the best of 3 judges by balanced accuracy. `a` gives"
    )
    assert "“`a` is better than `b`”: these items cannot tell them apart." in texts(may_not(found))
    assert not any("is the best" in one for one in texts(may(found)))


def test_a_sure_winner_may_be_called_the_best() -> None:
    parts = [part("agree", [*agreeing("a", 0.9), *agreeing("b", 0.6)]), selecting("a", "b")]
    found, said = told(parts, "a", "b")
    assert said[0].startswith("`a` is the best of 2 judges by balanced accuracy. ")
    assert "“`a` is the best of these 2 judges by balanced accuracy.”" in texts(may(found))


def test_every_rival_of_select_is_a_rival_of_the_report() -> None:
    names = [f"j{k}" for k in range(24)]
    rows = [one for name in names for one in agreeing(name, 0.8)]
    found, said = told([part("agree", rows), selecting(*names, tied=24)], *names)
    assert found.rivals == tuple(names[1:])
    assert said[0].startswith("The 24 judges cannot be told apart by balanced accuracy. `j0` ")
    assert found.first_screen()["tied"] == 24
    assert not any("the best of" in one for one in texts(may(found)))


def test_a_judge_that_was_not_compared_is_not_called_the_best() -> None:
    found, said = told([part("agree", [*agreeing("a", 0.9), *agreeing("b", 0.6)])], "a", "b")
    assert found.judge == "a"
    assert not any("the best" in one for one in [*said, *texts(may(found))])


def test_of_several_options_the_furthest_off_is_told() -> None:
    def rates(*options: tuple[str, float, float]) -> Part:
        rows = []
        for option, true, own in options:
            rows.append(row("prevalence", true, judge="x", option=option))
            rows.append(row("prevalence_naive", own, judge="x", option=option))
        return part("estimate", rows)

    _, said = told([rates(("1", 0.5, 0.52), ("2", 0.3, 0.1))], "x")
    assert said[0] == "`x` calls 10 % `2`; the true rate is likely 26 to 34 %."
    _, said = told([rates(("1", 0.5, 0.52), ("2", 0.3, 0.31))], "x")
    assert said[0].startswith("For each option the rate that `x` gives lies within")


def test_a_ranking_without_verdicts_speaks_of_systems() -> None:
    rows = [Row(tau(0.86), {"judge": "a"}), Row(tau(0.5), {"judge": "b"})]
    lines = tuple(Line(str(one.about["judge"]), (one.result,)) for one in rows)
    ranked = part("rank", rows, summary=Summary("judge", ("kendall_tau",), lines))
    found, said = told([ranked], "a", "b")
    # (1 + 0.86) / 2 = 93 % of pairs
    assert said[0] == (
        "`a` is the best of 2 judges by Kendall's tau-b. `a` puts 93 % of pairs of systems in "
        "people's order (likely 91 to 95 %; Kendall's tau 0.86)."
    )
    assert any("93 % of pairs" in one for one in texts(may(found)))
    tied = part(
        "rank", [], summary=Summary("judge", ("kendall_tau",), (Line("a", (tau(0.86, 1),)),))
    )
    _, said = told([tied], "a")
    assert said[0] == (
        "`a` has Kendall's tau 0.86 [0.82, 0.90] with people's order of the systems (1 is the "
        "same)."
    )


def test_an_order_that_is_not_known_is_said_to_be_so() -> None:
    unknown = replace(tau(0.0), interval=Interval(-1.0, 1.0, 0.95, "drawn"))
    line = Line("a", (unknown,))
    ranked = part("rank", [], summary=Summary("judge", ("kendall_tau",), (line,)))
    found, said = told([part("agree", agreeing("a", 0.8)), ranked], "a")
    assert "These prompts do not tell whether `a` puts systems in people's order." in said
    assert not any("pairs of systems" in one for one in texts(may(found)))
    assert any("orders systems as people do" in one for one in texts(may_not(found)))


def test_that_the_best_on_items_is_not_the_best_on_systems_is_said() -> None:
    taus = {"b": tau(0.9), "a": tau(0.4)}
    rows = [Row(one, {"judge": judge}) for judge, one in taus.items()]
    lines = tuple(Line(judge, (one,)) for judge, one in taus.items())
    ranked = part("rank", rows, summary=Summary("judge", ("kendall_tau",), lines))
    agreed = part("agree", [*agreeing("a", 0.9), *agreeing("b", 0.7)])
    _, said = told([agreed, selecting("a", "b"), ranked], "a", "b")
    assert any("`b` puts 95 % of pairs" in one and "`a` 70 %" in one for one in said)


def test_a_judge_no_better_than_chance_is_said_to_be_so() -> None:
    found, said = told([part("agree", agreeing("coin", 0.52, kappa=0.03))], "coin")
    assert "These items do not show that `coin` does better than chance." in said
    assert any("“`coin` does better than chance”" in one for one in texts(may_not(found)))


def test_chance_is_not_spoken_of_where_people_used_one_option() -> None:
    rows = [one for one in agreeing("x", 0.9, 0.0) if one.result.name != "balanced_accuracy"]
    found, said = told([part("agree", rows)], "x")
    assert not any("better than chance" in one for one in [*said, *texts(may_not(found))])


def test_panels_are_not_judges() -> None:
    parts = [part("agree", agreeing("a", 0.8)), selecting("majority panel", "a")]
    found, said = told(parts, "a")
    assert found.judge == "a"
    assert said[0].startswith("`a` gives")


def test_a_judge_below_the_people_is_not_as_good_as_a_person() -> None:
    def said(gap: float) -> list[str]:
        rows = [
            *agreeing("gpt", 0.7),
            row("agreement_with_a_person", 0.7, judge="gpt"),
            row("agreement_of_two_people", 0.7 - gap, judge="gpt"),
            row("gap_to_people", gap, judge="gpt"),
        ]
        return texts(may_not(told([part("agree", rows)], "gpt")[0]))

    assert any("as good as a person" in one for one in said(-0.2))
    assert not any("as good as a person" in one for one in said(-0.03))  # [-0.07, 0.01]


def test_definitions_that_disagree_are_the_reservation() -> None:
    selected = {"selected_by": {"a": 2, "b": 1}, "n_definitions": 3, "level": []}
    audit = part("audit", [], notes=(Sentence("audit.selection", "They do.", facts=selected),))
    agreed = part("agree", [*agreeing("a", 0.8), *agreeing("b", 0.78)])
    _, said = told([agreed, audit], "a", "b")
    assert said[1] == (
        "Which judge comes out first depends on how agreement is measured: `a` by 2 and `b` by 1 "
        "of the audit's 3 definitions."
    )


def test_rows_of_a_criterion_or_a_system_do_not_speak_for_the_whole() -> None:
    rows = [row("accuracy", 0.99, judge="gpt", criterion="tone"), *agreeing("gpt", 0.7)]
    assert "70 %" in told([part("agree", rows)], "gpt")[1][0]


def test_nothing_known_says_nothing() -> None:
    found, said = told([])
    assert (said, may(found), may_not(found)) == ([], (), ())
    undefined = Row(Undefined("cohen_kappa", "people used one option only", 9), {"judge": "gpt"})
    found, _ = told([part("agree", [undefined])], "gpt")
    assert may(found) == ()
    assert found.first_screen()["undefined"] == 1


def test_good_enough_is_said_by_the_whole_interval() -> None:
    def word(value: float) -> str:
        from goldassay.questions.report.study import Use

        return Use("cohen_kappa", 0.6, estimate("cohen_kappa", value, 0.05)).word

    assert [word(0.7), word(0.62), word(0.5)] == ["yes", "cannot tell", "no"]


def test_the_limits_of_the_sample_are_always_said() -> None:
    found, _ = told([part("agree", agreeing("gpt", 0.84))], "gpt")
    assert "measured on 240 items" in texts(may_not(found))[-1]


def test_hostile_names_are_made_visible() -> None:
    name = "gpt\u202e`\x00" + "x" * 500
    _, said = told([part("agree", agreeing(name, 0.84))], name)
    assert "\u202e" not in said[0]
    assert said[0].count("`") == 2
