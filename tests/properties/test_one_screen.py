"""Text fits one screen: no line wider than the terminal, no output longer than allowed."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import polars as pl
import pytest
from asked_studies import FEWEST, SLOW_FROM, asked, of_studies
from internals import BEST, FEW, LONG, SHORT, Screen, render_full, render_text, width_of, words
from many_judges import OPTIONS, many_judges
from patience import seldom

import goldassay as ga
from goldassay import Findings, InputError

ASKED: dict[str, dict[str, Any]] = {
    "check": {},
    "agree": FEWEST,
    "select": FEWEST,
    "audit": FEWEST,
    "replace": {},
    "route": {},
    "monitor": {},
    "estimate": {},
    "rank": FEWEST,
    "compare": {},
    "plan": {},
    "report": FEWEST,
    "certify": FEWEST,
}
END = ("next: goldassay select ratings.csv --task task.toml", "more: --full, --out report.html")


def counted_lines(document: dict[str, Any], text: str) -> int:
    """The lines of a screen; those that tell what was assumed or is asked are extra."""
    lines = text.splitlines()
    starts = [k for k, line in enumerate(lines) if line.startswith(("assumed: ", "asked: "))]
    if not starts:
        return len(lines)
    end = starts[-1] + 1
    while lines[end].startswith("  "):
        end += 1
    alone = not lines[end]  # then its blank line is extra, too
    return len(lines) - (end - starts[0]) - alone


def held_to_one_screen(document: dict[str, Any], width: int, lines: int) -> None:
    text = render_text(document, screen=Screen(width, end=END))
    assert counted_lines(document, text) <= (SHORT if lines <= FEW else LONG), text
    assert max(map(width_of, text.splitlines())) <= width, text
    full = render_full(document, screen=Screen(width))
    told = " ".join(full.split())
    for key in ("answer", "assumed", "readings", "warnings"):
        for one in document.get(key) or ():
            assert " ".join(words.visible(one).split()) in told, (key, one)


def ask(verb: str, frame: Any, task: Any) -> Findings | None:
    try:
        return getattr(ga, verb)(frame, task, **ASKED[verb])
    except InputError:  # a question that these ratings cannot answer
        return None


def fits_one_screen(number: int) -> None:
    for verb, options in ASKED.items():
        found = asked(number, verb, **options)
        if isinstance(found, Findings):
            document = found.document()
            for width in (80, 100):
                held_to_one_screen(document, width, FEW)
            full = render_full(document, screen=Screen(80))
            assert max(map(width_of, full.splitlines())) <= 80
            assert len(repr(found).splitlines()) <= SHORT


@pytest.mark.parametrize("number", [pytest.param(k, marks=of_studies(0)) for k in range(5)])
def test_random_studies_fit_one_screen(number: int) -> None:
    fits_one_screen(number)


@pytest.mark.slow
@pytest.mark.parametrize(
    "first", [pytest.param(k, marks=of_studies(k)) for k in range(SLOW_FROM, SLOW_FROM + 50, 10)]
)
def test_many_random_studies_fit_one_screen(first: int) -> None:
    for number in range(first, first + 10):
        fits_one_screen(number)


@pytest.mark.parametrize("scale", OPTIONS)
@pytest.mark.parametrize("judges", [1, 10])
def test_ten_judges_on_every_scale(scale: str, judges: int) -> None:
    frame, task = many_judges(scale, judges)
    for verb in ("agree", "select", "rank"):
        found = ask(verb, frame, task)
        assert found is not None or verb != "agree"
        if found is not None:
            document = found.document()
            held_to_one_screen(document, 80, judges)
            text = render_text(document, screen=Screen(80))
            assert all(f"judge {k}" in text for k in range(judges)), text


@pytest.mark.parametrize("verb", seldom(["agree", "select", "estimate"], 1))
def test_thirty_three_judges(verb: str) -> None:
    frame, task = many_judges("binary", 33, items=12)
    found = ask(verb, frame, task)
    assert found is not None
    document = found.document()
    held_to_one_screen(document, 80, 33)
    text = render_text(document, screen=Screen(80))
    left_out = [k for k in range(33) if f"judge {k} " not in text]
    assert not left_out or f"and {len(left_out)} more" in text
    assert len(left_out) <= 33 - BEST


# --- every question, of ten rows and of thirty-three ----------------------------------------------


def many(judges: int, systems: int) -> tuple[pl.DataFrame, dict[str, Any]]:
    """Yes-or-no verdicts with scores, in three batches, by so many judges of so many systems."""
    rng = np.random.default_rng([11, judges, systems])
    rows = []
    for system in range(systems):
        for item in range(16):
            truth = bool(rng.random() < 0.35 + 0.3 * system / max(systems - 1, 1))
            about = {
                "item": f"s{system}i{item}",
                "prompt": f"p{item}",
                "system": f"system {system}",
                "batch": str(item % 4),
            }
            for person in range(2):
                said = truth != bool(rng.random() < 0.1)
                value = "yes" if said else "no"
                rows.append(about | {"rater": f"person {person}", "kind": "human", "value": value})
            for judge in range(judges):
                said = truth != bool(rng.random() < 0.1 + 0.3 * judge / judges)
                score = round(float(rng.uniform(0.5, 1.0) if said else rng.uniform(0.0, 0.5)), 3)
                value = "yes" if said else "no"
                one = {"rater": f"judge {judge}", "kind": "judge", "value": value, "score": score}
                rows.append(about | one)
    task = {"scale": "binary", "options": ["yes", "no"], "positive": "yes", "cluster": "prompt"}
    return pl.DataFrame(rows, infer_schema_length=None), task


@functools.cache
def answered(verb: str, judges: int, systems: int) -> Findings:
    frame, task = many(judges, systems)
    if verb == "certify":  # a passport is of one judge
        return ga.certify(frame, task, judge="judge 0", **FEWEST)
    if verb != "diff":
        return getattr(ga, verb)(frame, task, **ASKED[verb])
    changed = frame.with_columns(
        value=pl.when((pl.col("kind") == "judge") & (pl.col("item").str.ends_with("3")))
        .then(pl.lit("no"))
        .otherwise(pl.col("value"))
    )
    question = diffed(judges)
    new = getattr(ga, question)(changed, task, **FEWEST)
    return ga.diff(answered(question, judges, systems), new)


def diffed(rows: int) -> str:
    """The question whose two documents a diff is of."""
    return "report" if rows <= FEW else "agree"


#: Of 33 rows, and a diff of two reports of 10, `--slow` asks most.
SELDOM = {(verb, 33) for verb in ASKED if verb not in ("agree", "compare")} | {("diff", 10)}
#: Systems make the rows of these questions, judges those of the others.
OF_SYSTEMS = ("compare",)


@pytest.mark.parametrize(
    ("verb", "rows"),
    [
        pytest.param(
            verb,
            rows,
            marks=[pytest.mark.slow] * ((verb, rows) in SELDOM)
            # A diff is of what its question found: one process asks it for both.
            + [pytest.mark.xdist_group(f"diff of {rows}")] * (verb in ("diff", diffed(rows))),
        )
        for verb in (*ASKED, "diff")
        for rows in (10, 33)
    ],
)
def test_every_question_fits_one_screen(verb: str, rows: int) -> None:
    judges, systems = (1, rows) if verb in OF_SYSTEMS else (rows, 3)
    document = answered(verb, judges, systems).document()
    held_to_one_screen(document, 80, rows)
    text = render_text(document, screen=Screen(80))
    assert document["summary"] is not None
    shown = len(document["summary"]["lines"])
    assert (
        shown <= BEST
        or "more" in text
        or all(line["label"].split(" · ")[0] in text for line in document["summary"]["lines"])
    )


@pytest.mark.parametrize("rows", seldom([10, 33], 0))
def test_many_systems_of_one_judge(rows: int) -> None:
    for verb in ("rank", "estimate"):
        held_to_one_screen(answered(verb, 1, rows).document(), 80, rows)


# --- documents that nobody would write, but a file may make ---------------------------------------

SIGNS = ["a", "B", "7", " ", "-", "_", "`", "<", "|", "评", "審", "e\u0301", "\u202e", "\n", "\x00"]
SIGNS += ["❤\ufe0f", "word ", "[1, 2]", "90 %", "\t", "\u200d", "ﷺ", "\x1b[31m"]


def drawn_text(rng: np.random.Generator, longest: int) -> str:
    return "".join(rng.choice(SIGNS, int(rng.integers(0, longest))))


def drawn_cell(rng: np.random.Generator) -> Any:
    kind = rng.integers(0, 5)
    if kind < 2:
        return [None, int(rng.integers(0, 10**7))][kind]
    value = None if kind == 2 else float(rng.normal() * 10.0 ** rng.integers(-4, 7))
    ends = (None, None) if value is None else (value - rng.random(), value + rng.random())
    name = str(rng.choice(["accuracy", "cohen_kappa", "new_number"]))
    reason = "no items" if value is None else None
    bounds = dict(zip(("low", "high"), ends, strict=True))
    return {"name": name, "value": value, **bounds, "n_items": 12, "undefined": reason}


def drawn_document(rng: np.random.Generator) -> dict[str, Any]:
    size = int(rng.choice([1, 3, 10, 11, 33]))
    labels = [f"{drawn_text(rng, 40)}{k}{drawn_text(rng, 40)}" for k in range(size)]
    columns = [
        str(one) for one in rng.choice(["accuracy", "items", "x y"], int(rng.integers(1, 7)))
    ]
    lines = [
        {"label": label, "cells": [drawn_cell(rng) for _ in columns], "tied": rng.random() < 0.3}
        for label in labels
    ]
    said = [drawn_text(rng, 150) for _ in range(int(rng.integers(0, 5)))]
    warned = [*said, *(drawn_text(rng, 700) for _ in range(int(rng.integers(0, 3))))][::-1]
    return {
        "verb": "agree",
        "answer": [f"{words.named(labels[0])} agrees. {one}" for one in said],
        "summary": {"about": "judge", "columns": columns, "lines": lines, "notes": said[:1]},
        "results": [],
        "tables": {},
        "charts": [],
        "warnings": warned,
        "rows": {"read": 100, "used": 90, "excluded": 10},
        "exclusions": [{"reason": one, "rows": 1, "by": {}} for one in said],
        "sentences": [],
        "assumed": said[:1],
        "readings": warned[: int(rng.integers(0, 3))],
    }


@pytest.mark.parametrize("seed", range(60))
def test_hostile_documents_fit_one_screen(seed: int) -> None:
    rng = np.random.default_rng([3, seed])
    document = drawn_document(rng)
    width = int(rng.integers(60, 140))
    text = render_text(document, screen=Screen(width, end=END))
    without = render_text({**document, "assumed": []}, screen=Screen(width, end=END))
    assert len(without.splitlines()) <= (
        SHORT if len(document["summary"]["lines"]) <= FEW else LONG
    )
    assert max(map(width_of, text.splitlines())) <= width, text
    assert len(text.splitlines()) == text.count("\n")  # a name breaks no line
    assert "\x1b" not in text
