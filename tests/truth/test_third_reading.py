"""What was wrong when every verb was read aloud on nineteen tables, each as a test."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from internals import Screen, is_practical, render_text
from many_judges import many_judges

import goldassay as ga
from goldassay import Findings
from goldassay.examples import tables

BINARY = {"scale": "binary", "options": ["yes", "no"], "positive": "yes"}


def rows(kind: str, rater: str, values: list[str], **about: str) -> list[dict[str, str]]:
    return [
        {"item": f"i{n}", "rater": rater, "kind": kind, "value": value, **about}
        for n, value in enumerate(values)
    ]


# --- compare ------------------------------------------------------------------------------------


def test_what_would_tell_is_said_once_of_several_pairs() -> None:
    found = ga.compare(tables.answers.path, tables.answers.task)
    said = [one for one in found.notes if one.key == "compare.needed"]
    assert len(said) == 1
    undecided = sum("cannot tell" in line.cells for line in found.summary.lines)
    assert said[0].facts["other_pairs"] == undecided - 1
    assert not [one for one in found.notes if "cannot be told whether" in one.text]


def test_no_forecast_beyond_what_is_practical() -> None:
    assert is_practical(100_000)
    assert not is_practical(100_001)
    found = ga.compare(
        tables.answers.path, tables.answers.task, only=["system=search", "system=large"]
    )
    said = next(one for one in found.answer if one.key == "compare.needed")
    assert said.facts["items"] > 100_000
    assert "no practical number of items" in said.text
    table = next(table for name, table in found.tables.items() if name.startswith("needed"))
    assert table.rows[0][-1] is None


def test_nobody_is_asked_how_labels_were_drawn_where_people_rated_everything() -> None:
    found = ga.compare(tables.pairs.path, tables.pairs.task)
    assert [one for one in found.warnings if one.startswith("People rated every comparison")]
    assert not [one for one in found.warnings if "not declared" in one]


# --- estimate -----------------------------------------------------------------------------------


def scored(factor: float) -> Findings:
    """People's penalties of 0 to -24, and a judge's scores that are `factor` times as large."""
    table = [
        {"item": f"i{n}", "system": system, "rater": rater, "kind": kind, "value": str(value)}
        for system, worse in (("a", 1), ("b", 4))
        for n in range(20)
        for rater, kind, value in (
            ("ann", "human", -(n % 5) * worse),
            ("bot", "judge", factor * (n % 5) * worse),
        )
    ]
    return ga.estimate(pl.DataFrame(table), {"scale": "continuous"})


def test_means_on_another_scale_are_not_set_beside_peoples() -> None:
    other, same = scored(30.0), scored(-1.2)
    assert "its means do not compare with people's" in other.answer[1].text
    assert "judge's mean" not in other.summary.columns
    assert not [one for one in other.answer if one.key == "estimate.mean_score"]
    assert "judge's mean" in same.summary.columns
    assert not [one for one in same.answer if one.key == "estimate.other_scale"]


def test_of_many_judges_it_is_told_how_many_are_off() -> None:
    found = ga.estimate(*many_judges("ordinal", 6, items=40))
    mean, first = found.answer[:2]
    assert (mean.key, first.key) == ("estimate.mean_score", "estimate.options_of_judges")
    options = [one for one in (*found.answer, *found.notes) if one.key == "estimate.option"]
    assert first.facts == {
        "judges": 6,
        "all_inside": sum(bool(one.facts["all_inside"]) for one in options),
    }


@pytest.mark.parametrize("example", [tables.plain, tables.answers, tables.grades, tables.scores])
def test_intervals_of_estimate_say_their_level(example: tables.Example) -> None:
    found = ga.estimate(example.path, example.task)
    assert found.summary.notes[-1].startswith("95 % intervals for all ")
    assert not [one for one in found.summary.notes if "--full" in one]


# --- report, certify, diff ----------------------------------------------------------------------


def test_a_rate_on_a_criterion_rests_on_that_criterions_labels() -> None:
    found = ga.certify(tables.rubric.path, tables.rubric.task, judge="small", resamples=100)
    (claim,) = (one for one in found.more["claims"]["may"] if "gives no diagnosis" in one["text"])
    assert "110 items, labelled by people" in claim["text"]
    assert "of 220" not in claim["text"]


def test_chance_is_not_told_where_people_use_one_option() -> None:
    table = rows("human", "ann", ["yes"] * 30) + rows("judge", "bot", ["yes", "yes", "no"] * 10)
    found = ga.report(pl.DataFrame(table), BINARY, resamples=100)
    assert "chance" not in found.answer[0].text


def test_the_rate_that_may_be_written_is_the_one_that_misleads_most() -> None:
    found = ga.report(tables.grades.path, tables.grades.task, resamples=100)
    may, may_not = (found.more["claims"][key] for key in ("may", "may_not"))
    assert [one["key"] for one in may[:2]] == ["report.may_mean", "report.may_rate"]
    assert may[1]["about"]["option"] == "3"
    assert may_not[0]["key"] == "report.not_own_mean"
    assert found.answer[1].key == "report.mean"


def test_grades_in_words_have_rates_and_no_mean() -> None:
    """A mean of words is a mean of their places, which nobody wrote down."""
    words = {"1": "bad", "2": "poor", "3": "fair", "4": "good", "5": "fine"}
    grades = pl.read_csv(tables.grades.path, infer_schema=False)
    turned = grades.with_columns(pl.col("value").replace(words))
    task = tomllib.loads(Path(tables.grades.task).read_text())
    task["options"] = [words.get(one, one) for one in task["options"]]
    found = ga.estimate(turned, task)
    assert not [one for one in (*found.answer, *found.notes) if one.key == "estimate.mean_score"]


def reported(folder: Path, name: str, table: pl.DataFrame) -> str:
    path = folder / f"{name}.json"
    ga.report(table, str(tables.rubric.task), resamples=100).save(path)
    return str(path)


def test_a_change_is_told_once_and_the_plain_numbers_first(tmp_path: Path) -> None:
    table = pl.read_csv(tables.rubric.path, infer_schema=False)
    label = (
        table.filter(pl.col("kind") == "human")
        .group_by("item", "criterion")
        .agg(pl.col("value").mode().sort().first().alias("label"))
    )
    mended = table.join(label, on=["item", "criterion"]).with_columns(
        value=pl.when(pl.col("rater") == "small").then("label").otherwise("value")
    )
    old, new = (reported(tmp_path, name, one) for name, one in (("old", table), ("new", mended)))
    found = ga.diff(old, new)
    told = [one.text for one in (*found.answer, *found.notes)]
    assert len(told) == len(set(told))
    first = next(one for one in found.answer if one.key == "diff.change")
    assert (first.facts["name"], first.about["judge"]) == ("accuracy", "small")
    assert "about one in twenty would seem to change by chance" in found.answer[-1].text
    same = ga.diff(old, old)
    assert not [one for one in (*same.answer, *same.notes) if one.key == "diff.change"]
    assert "by chance" not in same.answer[-1].text


# --- monitor, check, the screen -----------------------------------------------------------------


def test_batches_with_numbers_in_their_names_come_in_their_order() -> None:
    table: list[dict[str, Any]] = []
    for batch in range(1, 13):
        values = ["yes"] * 20 + ["no"] * 20 if batch < 7 else ["yes"] * 38 + ["no"] * 2
        table += [
            {**row, "item": f"{batch}-{row['item']}"}
            for row in rows("judge", "bot", values, batch=f"w{batch}")
        ]
    found = ga.monitor(pl.DataFrame(table), BINARY)
    assert found.answer[0].facts["since"] == "w7"
    assert "if it was one sudden change, it began with batch `w7`" in found.answer[1].text


def test_what_check_says_does_not_depend_on_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    pl.DataFrame(
        {"id": range(12), "human": ["yes", "no"] * 6, "judge": ["yes", "no"] * 6}
    ).write_csv("ratings.csv")
    before = ga.check("ratings.csv").document()["sentences"]
    (tmp_path / "task.toml").write_text("")
    (tmp_path / "report.html").write_text("")
    assert ga.check("ratings.csv").document()["sentences"] == before


def test_a_warning_that_the_answer_tells_is_not_told_again() -> None:
    document = ga.agree(tables.plain.path, tables.plain.task, resamples=100).document()
    document["warnings"] = [document["answer"][0]]
    text = " ".join(render_text(document, screen=Screen(100)).split())
    assert text.count(document["answer"][0]) == 1
