"""What was wrong on pages of reports when they were read aloud: units, and what was said twice."""

from __future__ import annotations

import polars as pl
import pytest
from internals import Screen, facts_of, render_full, rendered

import goldassay as ga
from goldassay import Findings
from goldassay.examples import tables


def few(example: tables.Example, number: int) -> pl.DataFrame:
    table = pl.read_csv(example.path, infer_schema=False)
    key = next(name for name in ("prompt", "item", "id") if name in table.columns)
    return table.filter(
        pl.col(key).is_in(table[key].unique(maintain_order=True)[:number].implode())
    )


@pytest.fixture(scope="module")
def scores() -> Findings:
    return ga.report(few(tables.scores, 25), str(tables.scores.task), resamples=100)


@pytest.fixture(scope="module")
def pairs() -> Findings:
    return ga.report(few(tables.pairs, 25), str(tables.pairs.task), resamples=100)


def part(found: Findings, verb: str) -> str:
    (own,) = (one for one in found.more["parts"] if one["verb"] == verb)
    return " ".join([*own["answer"], *(one["text"] for one in own["sentences"])])


def test_scores_of_systems_are_of_outputs(scores: Findings) -> None:
    """25 prompts answered by 8 systems are 200 outputs and no 200 items."""
    text = part(scores, "agree")
    assert "200 outputs" in text
    assert "200 items" not in text
    assert "On single outputs" in " ".join(one.text for one in scores.answer)


def test_what_keeps_several_questions_is_said_once(scores: Findings) -> None:
    reasons = [one["reason"] for one in scores.more["not_run"]]
    twice = next(one for one in reasons if reasons.count(one) == 2)
    text = " ".join(render_full(scores.document(), screen=Screen(100)).split())
    assert text.count(twice) == 1
    assert text.count("Which judge should be used? How many human labels are needed?") == 1


def test_no_sentence_of_claims_says_items_of_comparisons(pairs: Findings) -> None:
    for side in ("may", "may_not"):
        for one in pairs.more["claims"][side]:
            assert "these items" not in one["text"]
            assert "same items" not in one["text"]
            assert ") (" not in one["text"]


def test_labels_to_come_are_of_outputs() -> None:
    found = ga.plan(few(tables.answers, 60), str(tables.answers.task))
    assert found.answer[0].facts["n_items"] == 300
    assert "outputs" in found.answer[0].text
    assert found.summary is not None
    assert found.summary.columns[-1] == "judged outputs"


def test_a_method_of_intervals_is_said_once(pairs: Findings) -> None:
    text = part(pairs, "agree")
    (methods,) = (one for one in text.split(". ") if one.startswith("Intervals are 95 %"))
    assert methods.count("cluster bootstrap") <= 1


def test_a_reason_holds_no_raw_table() -> None:
    rows = [
        {"item": f"i{n}", "rater": rater, "kind": kind, "value": value}
        for n in range(12)
        for rater, kind, value in (("ann", "human", "abc"[n % 3]), ("bot", "judge", "ab"[n % 2]))
    ]
    found = ga.agree(
        pl.DataFrame(rows), {"scale": "nominal", "options": ["a", "b", "c"]}, resamples=100
    )
    (reason,) = (
        one["undefined"]
        for one in found.document()["results"]
        if one["name"] == "precision" and one["undefined"]
    )
    assert reason == "the judge never says `c` (people do on 4 of 12)"


def test_how_a_number_was_made_names_no_unit_and_no_empty_setting(pairs: Findings) -> None:
    document = pairs.document()
    row = next(one for one in document["results"] if one["name"] == "prevalence")
    facts = dict(facts_of(row, document, "estimate"))
    assert facts["number"] == f"{row['n_items']:,}"
    assert "= ;" not in f"{facts['handled']};"


def test_no_system_leads_where_none_can_be_told_from_it() -> None:
    """Four prompts tell no system from another: there is a highest rate, and no leader."""
    last = ["system=fir", "opponent=fir"]
    found = ga.compare(few(tables.pairs, 4), str(tables.pairs.task), exclude=last)
    said = next(one for one in found.answer if one.key == "compare.leaders")
    assert len(said.facts["tied"]) == len(said.facts["systems"]) - 1 > 2
    assert "leads" not in said.text
    assert said.text.startswith(f"None of the other {len(said.facts['tied'])} systems can be told ")
    leading = ga.compare(tables.pairs.path, tables.pairs.task)
    told = next(one for one in leading.answer if one.key == "compare.leaders")
    assert len(told.facts["tied"]) < len(told.facts["systems"]) - 1
    assert "leads" in told.text


def test_a_picture_of_agreement_names_no_unit() -> None:
    alone = ga.report(few(tables.plain, 40), str(tables.plain.task), resamples=100)
    page = str(rendered(alone.document(), ".html", place="report.html"))
    assert "share of items on which they agree" not in page
    assert "how often they agree" in page
