"""What opens beside a number is that number's own: its judge, its direction, its command."""

from __future__ import annotations

from typing import Any

from goldassay.rendering.how import facts_of, found_row
from goldassay.results import Estimate, Interval, Line, Row, Summary


def row(judge: str, **more: Any) -> dict[str, Any]:
    return {
        "name": "accuracy",
        "judge": judge,
        "value": 0.8,
        "low": 0.7,
        "high": 0.9,
        "n_items": 50,
        "confidence_level": 0.95,
        "method": "bootstrap",
        "declared": {"ties": judge},
        **more,
    }


def test_of_two_equal_numbers_each_has_its_own_judge() -> None:
    document = {"results": [row("a"), row("b")], "provenance": {"argv": ["agree", "my file.csv"]}}
    shown = {key: row("a")[key] for key in ("name", "value", "low", "high", "n_items")}
    for judge in ("a", "b"):
        told = dict(facts_of(shown, document, "agree", judge))
        assert told["about"] == f"judge {judge}"
        assert told["handled"] == f"ties = {judge}"
        assert told["command"] == "goldassay agree 'my file.csv'"


def test_a_difference_that_is_shown_the_other_way_round_is_found() -> None:
    own = row("a", name="difference", value=-0.2, low=-0.3, high=-0.1, system="x", opponent="y")
    shown = {"name": "difference_of_rates", "value": 0.2, "low": 0.1, "high": 0.3, "n_items": 50}
    found = found_row(shown, {"results": [own]}, "compare")
    assert found is not None
    assert (found["system"], found["opponent"]) == ("y", "x")  # as it is shown
    assert (found["value"], found["low"], found["high"]) == (0.2, 0.1, 0.3)
    assert found_row({**shown, "value": 0.25}, {"results": [own]}, "compare") is None


def test_a_turned_difference_has_the_verdict_that_is_shown() -> None:
    sides = {"system": "x", "opponent": "y", "declared": {"verdict": "worse"}}
    own = row("a", name="difference", value=-0.2, low=-0.3, high=-0.1, **sides)
    shown = {"name": "difference", "value": 0.2, "low": 0.1, "high": 0.3, "n_items": 50}
    told = dict(facts_of(shown, {"results": [own]}, "compare", "y − x"))
    assert told["about"] == "judge a, system y, opponent x"
    assert told["handled"] == "verdict = better"


def test_of_equal_differences_each_has_its_own_systems() -> None:
    pairs = [("x", "y"), ("x", "z"), ("z", "y")]
    rows = [row("a", name="difference", system=one, opponent=two) for one, two in pairs]
    shown = {key: rows[0][key] for key in ("name", "value", "low", "high", "n_items")}
    for one, two in pairs:
        told = dict(facts_of(shown, {"results": rows}, "compare", f"{one} − {two}"))
        assert told["about"] == f"judge a, system {one}, opponent {two}"


def test_a_number_beside_the_results_is_about_its_line_and_has_its_own_declaration() -> None:
    """Judges are compared on shared items, which are not the items of their own results."""
    shared = Estimate("hit_rate", 0.7, Interval(0.6, 0.8, 0.95, "bootstrap"), 40, 40, {"ties": "x"})
    lines = (Line("b", (shared,)),)
    (line,) = Summary("judge", ("hit_rate",), lines).to_json(())["lines"]
    told = dict(facts_of(line["cells"][0], {"results": [row("b")]}, "audit", "b", "judge"))
    assert told["about"] == "judge b"
    assert told["interval"] == "95 %, bootstrap"
    assert told["handled"] == "ties = x"
    (line,) = Summary("judge", ("hit_rate",), lines).to_json([Row(shared)])["lines"]
    assert "declared" not in line["cells"][0]  # the results have it


def test_what_is_undefined_says_why_and_what_it_would_be() -> None:
    shown = {"name": "accuracy", "value": None, "low": None, "high": None, "n_items": 0}
    document = {"results": [], "provenance": {"argv": ["agree", "a.csv"]}}
    told = dict(facts_of({**shown, "undefined": "no labels"}, document, "agree", "b", "judge"))
    assert told["why"] == "no labels"
    assert told["about"] == "judge b"
    assert {"means", "command"} <= told.keys()


def test_what_is_undefined_says_what_the_task_declares() -> None:
    none = {"value": None, "low": None, "high": None, "declared": {}, "confidence_level": None}
    own = row("a", **none, undefined="one class only")
    task = {"scale": "binary", "reference": "majority", "abstentions": "class", "ties": "half"}
    document = {"results": [own], "task": {**task, "cluster": "prompt"}}
    shown = {key: own[key] for key in ("name", "value", "low", "high", "n_items")}
    told = dict(facts_of(shown, document, "agree", "a"))
    assert told["why"] == "one class only"
    said = "scale = binary; reference = majority; abstentions = class; resampling_unit = prompt"
    assert told["handled"] == said


def test_of_equal_numbers_on_one_criterion_each_has_its_own_judge() -> None:
    """`b · clear` names the judge and the criterion; `a` on that criterion comes first."""
    rows = [row(judge, criterion=on) for on in ("clear", "true") for judge in ("a", "b")]
    shown = {key: rows[0][key] for key in ("name", "value", "low", "high", "n_items")}
    for one in rows:
        label = f"{one['judge']} · {one['criterion']}"
        found = found_row(shown, {"results": rows}, "agree", label)
        assert found is not None
        assert (found["judge"], found["criterion"]) == (one["judge"], one["criterion"])


def test_settings_are_written_as_one_would() -> None:
    own = row("a", declared={"labelled": 86.0, "epsilon": 0.15, "reference": "majority"})
    told = dict(facts_of(own, {"results": [own]}, "estimate"))
    assert told["handled"] == "labelled = 86; epsilon = 0.15; reference = majority"
