"""What a sixth reading found untrue, unclear or told too often, and stays mended."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import polars as pl
from asked_studies import FEWEST, asked

import goldassay as ga

BINARY: Mapping[str, Any] = {"scale": "binary", "options": ["yes", "no"], "positive": "yes"}


def row(item: object, rater: str, value: str, **more: str) -> dict[str, str]:
    kind = "human" if rater.startswith("ann") else "judge"
    return {"item": f"i{item}", "rater": rater, "kind": kind, "value": value, **more}


def yes(is_so: bool) -> str:
    return "yes" if is_so else "no"


def drawn(items: int, seed: int, rows: Callable[[int, np.random.Generator], list[Any]]) -> Any:
    rng = np.random.default_rng(seed)
    return pl.DataFrame([one for k in range(items) for one in rows(k, rng)])


def test_a_plan_does_not_call_labelled_what_the_judge_leaves_out() -> None:
    def rows(k: int, rng: np.random.Generator) -> list[dict[str, str]]:
        truth = yes(rng.random() < 0.5)
        people = [row(k, "ann", truth)] if k % 2 == 0 else []
        return [*people, row(k, "mute", truth if people else "pass")]

    found = ga.plan(drawn(120, 4, rows), {**BINARY, "abstain": ["pass"], "calibration": "random"})
    assert found.answer[0].text.startswith("Every item that `mute` decides is labelled")


def test_two_accuracies_differ_by_no_more_than_all() -> None:
    def rows(k: int, rng: np.random.Generator) -> list[dict[str, str]]:
        truth, doc = bool(rng.random() < (0.8 if k < 30 else 0.2)), f"d{k // 30}"
        said = [row(k, f"j{j}", yes(truth != bool(rng.random() < 0.15)), doc=doc) for j in (0, 1)]
        return [row(k, "ann", yes(truth), doc=doc), *said]

    frame, task = drawn(60, 102, rows), {**BINARY, "cluster": "doc"}
    chosen = ga.select(frame, task, **FEWEST)
    told = [one.facts for one in chosen.notes if one.key == "select.cannot_tell"]
    agreed = ga.agree(frame, task, **FEWEST)
    results = [one.result for one in agreed.rows if one.result.name == "accuracy_difference"]
    ends = [(one["low"], one["high"]) for one in told]
    ends += [(one.interval.low, one.interval.high) for one in results if one.interval]
    assert len(ends) == 2
    assert all(-1 <= low <= high <= 1 for low, high in ends)


def test_a_panels_best_member_is_best_on_the_same_items() -> None:
    """One member decides the ten easy items alone, and is right on them; the other is right on
    these too, and on forty more of fifty."""

    def rows(k: int, _: np.random.Generator) -> list[dict[str, str]]:
        truth, wrong = yes(k % 2 == 0), yes(k % 2 == 1)
        few = truth if k < 10 else "pass"
        return [
            row(k, "ann", truth),
            row(k, "few", few),
            row(k, "many", wrong if k > 49 else truth),
        ]

    found = ga.agree(drawn(60, 1, rows), {**BINARY, "abstain": ["pass"]}, **FEWEST)
    juries = [one for one in found.notes if one.key == "agree.juries"]
    assert juries
    assert all("`few`" not in one.text for one in juries)


def test_what_can_be_told_comes_before_what_cannot() -> None:
    """Judges of one criterion each: the others' rates behind them are no answer."""

    def rows(k: int, rng: np.random.Generator) -> list[dict[str, str]]:
        said = []
        for criterion in ("fact", "style"):
            truth = "abc"[int(rng.integers(3))]
            said += [row(k, f"ann{p}", truth, criterion=criterion) for p in (0, 1)]
            said += [row(k, f"{criterion}bot", truth, criterion=criterion)]
        return said

    task = {"scale": "nominal", "options": ["a", "b", "c"]}
    said = [one.text for one in ga.estimate(drawn(30, 9, rows), task).answer]
    assert "cannot be told" not in said[0]
    assert "cannot be told" not in said[1]


def test_no_judge_that_contradicts_people_is_to_be_called_the_best() -> None:
    def rows(k: int, rng: np.random.Generator) -> list[dict[str, str]]:
        truth = bool(rng.random() < 0.5)
        return [
            row(k, "ann", yes(truth)),
            row(k, "contrary", yes(truth == bool(rng.random() < 0.05))),
            row(k, "less", yes(truth == bool(rng.random() < 0.3))),
        ]

    found = ga.report(drawn(200, 3, rows), dict(BINARY), **FEWEST)
    may = [one["text"] for one in found.more["claims"]["may"]]
    assert found.answer[0].text.startswith("`less` is the best of 2 judges")
    assert may
    assert not any("the best" in one for one in may)


def test_the_judge_that_most_definitions_select_is_named_first() -> None:
    seen = 0
    for number in range(0, 60, 4):
        found = asked(number, "audit", **FEWEST)
        for one in getattr(found, "answer", ()):
            if one.key == "audit.selection" and " is selected by " in one.text:
                times = [int(n.replace(",", "")) for n in re.findall(r" by ([\d,]*\d)", one.text)]
                assert times[0] == max(times), one.text
                seen += 1
    assert seen


def test_where_no_judge_changes_anything_none_is_said_to_be_corrected() -> None:
    """Every item of two systems is labelled, none of the third's: no judge changes anything."""

    def rows(k: int, rng: np.random.Generator) -> list[dict[str, str]]:
        said = []
        for system, mean in (("ash", 0.0), ("elm", 1.0), ("fir", 0.5)):
            about = {"system": system, "prompt": f"p{k}"}
            score = rng.normal(mean)
            people = [row(f"{system}{k}", "ann", f"{score:.2f}", **about)]
            said += people if system != "fir" else []
            scores = [score + 0.2 * j * rng.normal() for j in range(8)]
            said += [
                row(f"{system}{k}", f"j{j}", f"{s:.2f}", **about) for j, s in enumerate(scores)
            ]
        return said

    found = ga.compare(drawn(40, 7, rows), {"scale": "continuous", "cluster": "prompt"})
    (chosen,) = [one for one in found.notes if one.key == "compare.judge"]
    assert chosen.text.startswith("All items of the systems compared are labelled: nothing is ")
    assert not any("j1" in one.text for one in found.notes)
