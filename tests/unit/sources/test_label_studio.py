from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from karat.cli import command_line as run
from karat.errors import SourceError
from karat.ratings import read_ratings
from karat.sources.label_studio import from_label_studio, read_label_studio
from karat.task import Task


def choice(*chosen: str, name: str = "label") -> dict[str, Any]:
    return {
        "from_name": name,
        "to_name": "text",
        "type": "choices",
        "value": {"choices": list(chosen)},
    }


def task(*annotations: dict[str, Any], **data: Any) -> dict[str, Any]:
    return {"id": 7, "data": data, "annotations": list(annotations), "predictions": []}


def test_annotations_are_people_and_predictions_are_judges() -> None:
    one = task({"completed_by": 10, "result": [choice("Positive")],
                "created_at": "2026-01-02T03:04:05Z"}, text="Fine")  # fmt: skip
    one["predictions"] = [{"model_version": "m1", "result": [choice("Negative")], "score": 0.9}]
    person, judge = from_label_studio([one], place="x")
    assert (person["item"], person["rater"], person["kind"], person["value"]) == (
        "7", "annotator 10", "human", "Positive"
    )  # fmt: skip
    assert person["criterion"] is None
    assert person["time"] == "2026-01-02T03:04:05Z"
    assert (judge["rater"], judge["kind"], judge["value"]) == ("m1", "judge", "Negative")


def test_several_controls_are_criteria() -> None:
    results = [
        choice("Yes", name="fluent"),
        {"from_name": "stars", "type": "rating", "value": {"rating": 4}},
        {"from_name": "degrees", "type": "number", "value": {"number": 2.5}},
        {"from_name": "why", "type": "textarea", "value": {"text": ["good", "short"]}},
    ]
    found = from_label_studio(
        [task({"completed_by": {"email": "a@b.c", "id": 1}, "result": results}, item="q")],
        place="x",
    )
    assert [(r["criterion"], r["value"]) for r in found] == [
        ("fluent", "Yes"), ("stars", "4"), ("degrees", "2.5"),
    ]  # fmt: skip
    assert {r["rater"] for r in found} == {"a@b.c"}
    assert {r["comment"] for r in found} == {"good\nshort"}
    assert {r["item"] for r in found} == {"q"}


def test_sets_pairs_skips_and_what_is_no_rating() -> None:
    pair = {"from_name": "label", "type": "pairwise", "value": {"selected": "left"}}
    box = {"from_name": "tag", "type": "rectanglelabels", "value": {"x": 1}}
    found = from_label_studio(
        [task({"result": [choice("A", "C")]}), task({"result": [pair]}),
         task({"result": [], "was_cancelled": True}), task({"result": [box]}),
         task({"result": []})],
        place="x",
    )  # fmt: skip
    assert [(r["value"], r["status"], r["elicitation"]) for r in found] == [
        ("A|C", "rated", "response_set"), ("left", "rated", "forced_choice"),
        (None, "abstained", None), (None, "invalid", None), (None, "invalid", None),
    ]  # fmt: skip
    assert found[3]["reason"] == "no choice, rating, number or pair in it, but rectanglelabels"
    assert found[4]["reason"] == "no result"


@pytest.mark.parametrize(
    ("content", "rule"),
    [("{}", "a list of tasks"), ("[1]", "a list of tasks"), ("[", "is not JSON"),
     ("[]", "no annotation"),
     ('[{"id": 1, "text": "x", "sentiment": "Positive"}]', "has `data`"),
     ('[{"data": {}, "annotations": 3}]', "has `data`"),
     ('[{"data": {}, "annotations": [3]}]', "result list"),
     ("[" * 100_000, "is not JSON"), ("\ud800", "is not JSON")],
)  # fmt: skip
def test_what_is_no_export_is_refused(tmp_path: Path, content: str, rule: str) -> None:
    path = tmp_path / "export.json"
    path.write_bytes(content.encode("utf-8", "surrogatepass"))
    with pytest.raises(SourceError, match=rule):
        read_label_studio(path)


def test_odd_shapes_do_not_break_it(tmp_path: Path) -> None:
    odd = [task({"result": ["x", {"type": "choices"}, {"type": "choices", "value": {"choices": 3}},
                            {"type": "choices", "value": []}], "completed_by": []})]  # fmt: skip
    path = tmp_path / "export.json"
    path.write_text(json.dumps(odd))
    (found,) = read_label_studio(path)
    assert found["status"] == "invalid"
    with pytest.raises(SourceError, match="cannot be read"):
        read_label_studio(tmp_path / "none.json")


def test_an_export_becomes_a_ratings_table(tmp_path: Path) -> None:
    path = tmp_path / "export.json"
    both = [
        task({"completed_by": 1, "result": [choice("A", "B")]}, item="'q'"),
        task({"completed_by": 2, "was_cancelled": True, "result": []}),
    ]
    path.write_text(json.dumps(both))
    out = tmp_path / "ratings.parquet"
    assert run(["import", "label-studio", str(path), "--out", str(out)]) == 0
    declared = Task.from_mapping({"scale": "nominal", "options": ["A", "B"]})
    table = read_ratings(out, declared)
    assert table.humans == ("annotator 1", "annotator 2")
    assert table.census.total(status="abstained") == 1
