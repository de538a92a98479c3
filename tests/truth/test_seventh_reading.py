"""What a seventh reading found untrue, unclear or unsaid, and stays mended."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import polars as pl
import pytest
from asked_studies import FEWEST
from internals import SHORT, render_full, render_text

import goldassay as ga
from goldassay import Findings, InputError

BINARY: Mapping[str, Any] = {"scale": "binary", "options": ["yes", "no"], "positive": "yes"}
Rows = Callable[[int, np.random.Generator], list[dict[str, Any]]]


def row(item: object, rater: str, value: str, **more: object) -> dict[str, Any]:
    kind = "human" if rater.startswith("ann") else "judge"
    return {"item": f"i{item}", "rater": rater, "kind": kind, "value": value, **more}


def yes(is_so: object) -> str:
    return "yes" if is_so else "no"


def drawn(items: int, seed: int, rows: Rows) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        [one for k in range(items) for one in rows(k, rng)], infer_schema_length=None
    )


def text_of(found: Findings, key: str) -> str:
    claims = found.more.get("claims", {})
    said = [(one.key, one.text) for one in (*found.answer, *found.notes)]
    said += [(one["key"], one["text"]) for kind in claims.values() for one in kind]
    return next((text for known, text in said if known == key), "")


def labelled_where_yes(k: int, rng: np.random.Generator) -> list[dict[str, Any]]:
    """Two judges of two systems; labels mostly of what the first calls yes, declared random."""
    truth = rng.random() < 0.5
    first, second = (truth != bool(rng.random() < error) for error in (0.15, 0.25))
    about = {"system": "AB"[k % 2]}
    labelled = rng.random() < (0.5 if first else 0.05)
    people = [row(k, "ann", yes(truth), **about)] if labelled else []
    return [*people, row(k, "j", yes(first), **about), row(k, "k", yes(second), **about)]


def test_no_claim_rests_on_a_random_draw_that_the_verdicts_refute() -> None:
    frame, task = drawn(400, 3, labelled_where_yes), {**BINARY, "calibration": "random"}
    rate, refuted = ga.estimate(frame, task).answer[:2]
    assert "; if the labelled outputs are like the others, the true rate is likely" in rate.text
    assert refuted.text.startswith("They are not: `j` calls ")
    compared = ga.compare(frame, task)
    assert compared.answer[0].text.startswith("If the labelled outputs are like the others, ")
    assert compared.answer[1].text.startswith("They are not: `j` calls ")
    turned = ga.compare(frame, {**task, "options": ["no", "yes"]})  # the positive one is told
    assert turned.answer[1].text == compared.answer[1].text
    assert any("not a random draw" in one for one in ga.plan(frame, task).warnings)
    report = ga.report(frame, task, **FEWEST)
    assert not text_of(report, "report.may_rate")
    assert "are not like the others" in text_of(report, "report.not_drawn")
    assert "if the labelled outputs are like the others" in text_of(report, "report.rate")
    assert "outputs that are not like the others: `j`" in text_of(report, "report.not_random")
    by_verdict = {**task, "calibration": "by_verdict"}
    assert "like the others" not in ga.estimate(frame, by_verdict).answer[0].text


def test_systems_may_have_unlike_shares_of_their_items_labelled() -> None:
    """Drawn at random within each: nothing is refuted, though the pool's verdicts differ."""

    def rows(k: int, rng: np.random.Generator) -> list[dict[str, Any]]:
        system = "AB"[k % 2]
        truth = rng.random() < (0.9 if system == "A" else 0.2)
        labelled = rng.random() < (0.6 if system == "A" else 0.2)
        people = [row(k, "ann", yes(truth), system=system)] if labelled else []
        return [*people, row(k, "j", yes(truth != bool(rng.random() < 0.1)), system=system)]

    found = ga.compare(drawn(600, 4, rows), {**BINARY, "calibration": "random"})
    assert "like the others" not in found.answer[0].text


def test_a_judge_that_decides_a_part_may_stand_in_there() -> None:
    def rows(k: int, rng: np.random.Generator) -> list[dict[str, Any]]:
        truth = rng.random() < 0.5
        people = [row(k, f"ann{p}", yes(truth != bool(rng.random() < 0.15))) for p in range(3)]
        own = yes(truth != bool(rng.random() < 0.05))
        return [*people, row(k, "a", own if k % 3 else "pass"), row(k, "b", "no" if k else "yes")]

    found = ga.replace(drawn(150, 6, rows), {**BINARY, "abstain": ["pass"]})
    assert found.answer[0].text.startswith(
        "`a` may stand in for one of 3 people where it decides (100 of 150 items):"
    )


def test_a_constant_that_may_stand_in_is_told_to_be_one() -> None:
    def rows(k: int, rng: np.random.Generator) -> list[dict[str, Any]]:
        people = [row(k, f"ann{p}", yes(rng.random() < 0.02)) for p in range(3)]
        return [*people, row(k, "never", "no")]

    found = ga.replace(drawn(200, 2, rows), BINARY)
    assert found.answer[0].text.endswith(" It says `no` of every item.")


def test_what_people_are_divided_on_is_not_said_to_want_labels() -> None:
    def rows(k: int, rng: np.random.Generator) -> list[dict[str, Any]]:
        people = [row(k, f"ann{p}", yes((k + p) % 2)) for p in range(4)]
        return [*people, row(k, "j", yes(rng.random() < 0.5)), row(k, "k", "yes")]

    frame = drawn(40, 5, rows)
    first, second = ga.agree(frame, BINARY).answer[:2]
    assert "people are divided on all 40 items that they rated" in first.text
    assert "no item with a label is decided" in second.text
    for verb in ("select", "route"):
        with pytest.raises(InputError, match="divided on every item"):
            getattr(ga, verb)(frame, BINARY)
    summary = ga.check(frame, BINARY).summary
    assert summary is not None
    asked = {line.label: line.cells[0] for line in summary.lines}
    assert (asked["select"], asked["route"]) == ("no", "no")
    assert any("give none a label" in one for one in ga.estimate(frame, BINARY).warnings)
    audit = ga.audit(frame, BINARY, **FEWEST)
    assert not text_of(audit, "audit.selection")  # by a majority that nobody can tell


def test_level_judges_are_told_by_how_much_they_decide() -> None:
    def rows(k: int, rng: np.random.Generator) -> list[dict[str, Any]]:
        truth = rng.random() < 0.5
        people = [row(k, f"ann{p}", yes(truth != bool(rng.random() < 0.1))) for p in range(3)]
        own = yes(truth != bool(rng.random() < 0.1))
        return [*people, row(k, "a gappy", own if k % 2 else "pass"), row(k, "b full", own)]

    frame, task = drawn(80, 8, rows), {**BINARY, "abstain": ["pass"]}
    for verb in ("agree", "select", "audit"):
        found = getattr(ga, verb)(frame, task, **FEWEST)
        assert found.summary is not None
        assert [line.label for line in found.summary.lines] == ["b full", "a gappy"], verb
    assert "own items" in found.summary.columns


def test_few_judges_have_a_short_screen_whatever_they_make_together() -> None:
    """Three judges of two criteria and three systems make 18 lines."""

    def rows(k: int, rng: np.random.Generator) -> list[dict[str, Any]]:
        said = []
        for criterion in ("true", "clear"):
            about = {"criterion": criterion, "system": "abc"[k % 3]}
            score = rng.normal(3)
            people = [row(k, "ann", f"{score:.2f}", **about)] if k < 40 else []
            judged = (f"{score + rng.normal() / 2:.2f}" for _ in range(3))
            said += [*people, *(row(k, f"j{j}", one, **about) for j, one in enumerate(judged))]
        return said

    found = ga.estimate(drawn(90, 9, rows), {"scale": "continuous", "calibration": "random"})
    text = render_text(found.document())
    assert found.summary is not None
    assert len(found.summary.lines) == 18
    assert len(text.splitlines()) <= SHORT
    assert " more" in text


def test_full_text_says_what_its_marks_mean_and_what_was_compared() -> None:
    def rows(k: int, rng: np.random.Generator) -> list[dict[str, Any]]:
        truth = rng.random() < 0.5
        people = [row(k, "ann", yes(truth))] if k < 30 else []
        judged = (truth != bool(rng.random() < 0.3) for _ in range(2))
        return [*people, *(row(k, f"j{j}", yes(one)) for j, one in enumerate(judged))]

    found = ga.agree(drawn(100, 12, rows), {**BINARY, "calibration": "random"}, **FEWEST)
    text = " ".join(render_full(found.document()).split())
    assert "~ cannot be told from the first" in text
    assert "with one human rating each on 30 of 100 items." in text


def test_a_forecast_from_a_handful_of_items_is_not_a_handful_again() -> None:
    """Two judges that eight such items tell apart, seen on two of them."""

    def rows(k: int, rng: np.random.Generator) -> list[dict[str, Any]]:
        return [row(k, "ann", yes(k % 2)), row(k, "j1", yes(k % 2)), row(k, "j2", "yes")]

    two, eight = (ga.select(drawn(number, 1, rows), BINARY) for number in (2, 8))
    assert "about 8 items would do" in two.answer[1].text
    assert eight.answer[1].text == "It is better than `j2`."


def test_weights_are_said_where_they_count_and_where_not() -> None:
    def rows(k: int, rng: np.random.Generator) -> list[dict[str, Any]]:
        truth, weight = rng.random() < 0.5, k % 3
        people = [
            row(k, f"ann{p}", yes(truth != bool(rng.random() < 0.1)), weight=weight)
            for p in range(3)
        ]
        return [*people, row(k, "j", yes(truth != bool(rng.random() < 0.2)), weight=weight)]

    frame = drawn(90, 11, rows)
    assert "items by weight, and likely" in ga.estimate(frame, BINARY).answer[0].text
    agreed = ga.agree(frame, BINARY, **FEWEST)
    assert "items, each counted once" in text_of(agreed, "agree.beside_people")
    claim = text_of(ga.report(frame, BINARY, **FEWEST), "report.may_rate")
    assert claim.endswith(", counted by weight).”")


def test_two_equal_documents_say_that_nothing_changed() -> None:
    def rows(k: int, rng: np.random.Generator) -> list[dict[str, Any]]:
        truth = rng.random() < 0.5
        return [row(k, "ann", yes(truth)), row(k, "j", yes(truth != bool(rng.random() < 0.2)))]

    found = ga.agree(drawn(40, 1, rows), BINARY, **FEWEST)
    assert ga.diff(found, found).answer[0].text.startswith("Nothing changed: of ")
