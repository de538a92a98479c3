"""Where references stand for people, no text says people, in whatever verb and form."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from asked_studies import FEWEST
from random_studies import random_study
from sentence_truth import people_in, wrong_forms

import goldassay as ga
from goldassay.errors import InputError
from goldassay.findings import Findings
from goldassay.reference_words import VERBS, Wording
from goldassay.rendering.full_text import render_full
from goldassay.rendering.markdown import render_markdown
from goldassay.rendering.text import render_text

SOURCE = Path(__file__).resolve().parents[2] / "src" / "goldassay"
#: What may follow people in a text and is no verb in its plural.
NO_VERBS = frozenset(
    (
        *("alone", "and", "as", "at", "being", "cannot", "counts", "for", "gave", "in", "is"),
        *("labelled", "left", "less", "made", "matched", "may", "must", "never", "nor", "of"),
        *("on", "only", "or", "per", "person", "rated", "said", "scored", "than", "themselves"),
        *("there", "tied", "up", "who", "with", "would", "yet"),
    )
)
OPTIONS: dict[str, dict[str, Any]] = {
    **dict.fromkeys(("agree", "select", "audit", "rank"), FEWEST),
    **{verb: {} for verb in ("check", "estimate", "compare", "plan", "route", "monitor")},
}


def referred(number: int, raters: int) -> tuple[pl.DataFrame, dict[str, Any]]:
    """A random study whose people are so many answer keys."""
    study = random_study(number)
    frame, is_person = study.frame, pl.col("kind") == "human"
    kept = [f"person {k}" for k in range(raters)]
    frame = frame.filter(~is_person | pl.col("rater").is_in(kept))
    kind = pl.when(is_person).then(pl.lit("reference")).otherwise(pl.col("kind"))
    rater = pl.col("rater").str.replace("person", "key")
    return frame.with_columns(kind=kind, rater=rater), study.task


def of_people(text: str) -> list[str]:
    """Lines that speak of people."""
    return [line for line in re.sub(r"\n +", " ", text).splitlines() if people_in(line)]


@pytest.mark.parametrize("number", range(1, 8))
def test_no_text_about_references_says_people(number: int) -> None:
    frame, task = referred(number, raters=1 + number % 2)
    ratings = ga.read_ratings(frame, ga.Task.from_mapping(task))
    assert ratings.references
    told = 0
    for verb, options in OPTIONS.items():
        if verb == "audit" and number > 2:  # the slowest
            continue
        try:
            found = getattr(ga, verb)(ratings, **options)
        except InputError:
            continue
        told += 1
        assert not list(wrong_forms(found))
        document = found.document()
        assert document["references"] == list(ratings.references)
        for render in (render_text, render_full, render_markdown):
            text = render(document).partition("Provenance")[0]
            assert not of_people(text), (verb, render.__name__, of_people(text)[:5])
    assert told > 3


def test_a_report_of_references_says_the_reference() -> None:
    frame, task = referred(2, raters=1)
    found = ga.report(frame, task, **FEWEST)
    said = [one["text"] for kind in found.more["claims"].values() for one in kind]
    said += [one.text for one in found.answer]
    said += [one["text"] for part in found.more["parts"] for one in part["sentences"]]
    assert not of_people("\n".join(said))
    assert any("the reference" in one for one in said)
    with pytest.raises(InputError, match="found no people, but `key 0`, declared a reference"):
        ga.replace(frame, task)


def test_people_stay_people() -> None:
    study = random_study(2)
    found = ga.agree(study.frame, study.task, **FEWEST)
    assert isinstance(found, Findings)
    assert "references" not in found.document()
    assert of_people("\n".join(one.text for one in found.answer))


def test_references_beside_people_are_no_people() -> None:
    study = random_study(2)
    key = study.frame.filter(pl.col("kind") == "human").with_columns(
        kind=pl.lit("reference"), rater=pl.lit("key")
    )
    both = pl.concat([study.frame, key.head(1)])
    ratings = ga.read_ratings(both, ga.Task.from_mapping(study.task))
    assert not ratings.references
    assert "key" not in ratings.humans


@pytest.mark.parametrize(
    ("text", "one", "several"),
    [
        ("People agree.", "The reference agrees.", "The references agree."),
        ("as people do", "as the reference does", "as the references do"),
        ("judge and people differ", "judge and the reference differ", None),
        ("Do people agree?", "Does the reference agree?", "Do the references agree?"),
        ("people's rate", "the reference's rate", "the references' rate"),
        ("1 no human reference", "1 no reference", "1 no reference"),
        ("data/people.csv, people.jsonl, people-1", None, None),
        ("`people` and `a person`", "`people` and `a person`", "`people` and `a person`"),
        ("no independent person", "no independent person", "no independent person"),
    ],
)
def test_words(text: str, one: str | None, several: str | None) -> None:
    assert Wording(1).text(text) == (one or text)
    if several or not one:
        assert Wording(2).text(text) == (several or text)


def test_names_stay() -> None:
    assert Wording(1, {"human judge"}).all_of(("human judge", "human")) == (
        "human judge",
        "reference",
    )


def texts() -> Iterator[str]:
    """Every text in the source that is no documentation of it, and every text of the glossary."""
    for file in SOURCE.rglob("*.py"):
        if "lab" in file.relative_to(SOURCE).parts:
            continue
        tree = ast.parse(file.read_text(encoding="utf-8"))
        documentation = {
            id(node.value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        }
        for node in ast.walk(tree):
            text = getattr(node, "value", None)
            literal = isinstance(node, ast.Constant) and id(node) not in documentation
            if literal and isinstance(text, str):
                yield text
    yield (SOURCE / "glossary.toml").read_text(encoding="utf-8")


def test_every_word_after_people_is_known() -> None:
    """A verb that is new after people must be known, lest one reference be told to "agree"."""
    after = {word for text in texts() for word in re.findall(r"\b[Pp]eople ([a-z]+)", text)}
    assert after <= VERBS.keys() | NO_VERBS, sorted(after - VERBS.keys() - NO_VERBS)


@pytest.mark.parametrize("named", ["human", "people", "person", "human rights", "people-judge"])
def test_names_of_the_data_are_not_words_of_ours(named: str) -> None:
    rows = [(f"item {k}", "key", "reference", named if k % 3 else "ai") for k in range(40)]
    for judge, right in ((named, 4), ("other", 5)):
        rows += [
            (item, judge, "judge", label if k % right else "ai")
            for k, (item, _, _, label) in enumerate(rows[:40])
        ]
    frame = pl.DataFrame(rows, ["item", "rater", "kind", "value"], orient="row")
    task = {"scale": "nominal", "options": [named, "ai"], "positive": named}
    found = ga.agree(ga.read_ratings(frame, ga.Task.from_mapping(task)), **FEWEST)
    assert "with the reference on" in found.answer[0].text
    matrix = next(one for name, one in found.tables.items() if "onfusion" in f"{name} {one.title}")
    assert matrix.columns[1:3] == (f"judge: {named}", "judge: ai")
    assert str(matrix.rows[0][0]).endswith(f": {named}")
    for render in (render_text, render_full, render_markdown):
        text = render(found.document())
        assert "judge: reference" not in text
        assert "judge: the reference" not in text
    assert "Does the judge agree with the reference?" in render_markdown(found.document())
