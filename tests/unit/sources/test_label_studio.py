from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from goldassay.cli import command_line as run
from goldassay.errors import SourceError
from goldassay.ratings.table import read_ratings
from goldassay.ratings.task import Task
from goldassay.sources.label_studio import from_label_studio, ratings, to_label_studio
from goldassay.sources.logs.parts import Rating
from goldassay.sources.logs.reading import LogFile


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
    one = task(
        {"completed_by": 10, "result": [choice("Positive")], "created_at": "2026-01-02T03:04:05Z"},
        text="Fine",
    )
    one["predictions"] = [{"model_version": "m1", "result": [choice("Negative")], "score": 0.9}]
    person, judge = from_label_studio([one], place="x")
    assert (person["item"], person["rater"], person["kind"], person["value"]) == (
        "7",
        "annotator 10",
        "human",
        "Positive",
    )
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
        ("fluent", "Yes"),
        ("stars", "4"),
        ("degrees", "2.5"),
    ]
    assert {r["rater"] for r in found} == {"a@b.c"}
    assert {r["comment"] for r in found} == {"good\nshort"}
    assert {r["item"] for r in found} == {"q"}


def test_sets_pairs_skips_and_what_is_no_rating() -> None:
    pair = {"from_name": "label", "type": "pairwise", "value": {"selected": "left"}}
    box = {"from_name": "tag", "type": "rectanglelabels", "value": {"x": 1}}
    found = from_label_studio(
        [
            task({"result": [choice("A", "C")]}),
            task({"result": [pair]}),
            task({"result": [], "was_cancelled": True}),
            task({"result": [box]}),
            task({"result": []}),
        ],
        place="x",
    )
    assert [(r["value"], r["status"], r["elicitation"]) for r in found] == [
        ("A|C", "rated", "response_set"),
        ("left", "rated", "forced_choice"),
        (None, "abstained", None),
        (None, "invalid", None),
        (None, "invalid", None),
    ]
    assert found[3]["reason"] == "no choice, rating, number or pair in it, but rectanglelabels"
    assert found[4]["reason"] == "no result"


#: All keys of the documented format of an annotated task, with two people, one of whom skipped
#: after choosing, a draft, and the predictions of two models.
DOCUMENTED = {
    "id": 12,
    "created_at": "2026-03-09T21:52:49.513742Z",
    "project": 83,
    "updated_by": 1,
    "updated_at": "2026-03-09T22:16:08.746926Z",
    "total_annotations": 2,
    "inner_id": 4,
    "data": {"text": "An answer.", "item": "q1", "system": "s"},
    "annotations": [
        {
            "id": "1001",
            "was_cancelled": False,
            "ground_truth": False,
            "lead_time": 4.288,
            "result_count": 2,
            "created_at": "2026-03-09T22:16:08.728353Z",
            "completed_by": 10,
            "updated_at": "2026-03-09T22:16:08.728378Z",
            "unique_id": "c1e0",
            "prediction": {},
            "result": [
                {
                    "id": "Dx_aB91ISN",
                    "from_name": "label",
                    "to_name": "text",
                    "type": "choices",
                    "origin": "manual",
                    "value": {"choices": ["A", "C"]},
                },
                {
                    "id": "t5sp3TyXPo",
                    "from_name": "why",
                    "to_name": "text",
                    "type": "textarea",
                    "origin": "manual",
                    "value": {"text": ["both hold", "see line 2"]},
                },
            ],
        },
        {
            "id": 1002,
            "was_cancelled": True,
            "result_count": 1,
            "completed_by": 11,
            "task": 12,
            "created_at": "2026-03-09T23:00:00Z",
            "lead_time": 1.5,
            "ground_truth": False,
            "result": [choice("A")],
        },
    ],
    "drafts": [{"id": 5, "result": [choice("B")], "user": "c@example.org"}],
    "predictions": [
        {
            "id": 3,
            "created_ago": "3 hours",
            "model_version": "model 1",
            "score": 0.8,
            "result": [choice("A")],
        },
        {"id": 4, "created_ago": "4 hours", "model_version": "model 2", "result": [choice("C")]},
    ],
}


def test_the_documented_format_is_read_whole() -> None:
    found = from_label_studio([DOCUMENTED], place="x")
    told = [(r["rater"], r["kind"], r["value"], r["status"], r["elicitation"]) for r in found]
    assert told == [
        ("annotator 10", "human", "A|C", "rated", "response_set"),
        ("annotator 11", "human", None, "abstained", None),
        ("model 1", "judge", "A", "rated", "forced_choice"),
        ("model 2", "judge", "C", "rated", "forced_choice"),
    ]
    assert {(r["item"], r["system"]) for r in found} == {("q1", "s")}
    assert found[0]["comment"] == "both hold\nsee line 2"


def test_ratings_of_several_people_go_there_and_back() -> None:
    """Two people on one unit, response sets, comments, a skip, an option with the separator."""
    base = {"item": "q1", "criterion": "tone", "system": "s", "opponent": "", "time": "t1"}
    rows = [
        {
            **base,
            "rater": "anna",
            "value": "A|C",
            "status": "rated",
            "comment": "a\nb",
            "elicitation": "response_set",
            "seconds": 2.5,
        },
        {
            **base,
            "rater": "ben",
            "value": "A",
            "status": "rated",
            "comment": "",
            "elicitation": "response_set",
            "seconds": None,
        },
        {
            **base,
            "rater": "cleo",
            "value": None,
            "status": "abstained",
            "comment": "unclear",
            "elicitation": "response_set",
            "seconds": 1.0,
        },
        {
            **base,
            "item": "q2",
            "rater": "anna",
            "value": "x|y",
            "status": "rated",
            "comment": "",
            "elicitation": "forced_choice",
            "seconds": None,
        },
    ]
    tasks = to_label_studio(rows, {}, options=("A", "C", "x|y"))
    assert [len(one["annotations"]) for one in tasks] == [3, 1]
    back = from_label_studio(json.loads(json.dumps(tasks)), place="x")
    for name in ("item", "criterion", "system", "rater", "value", "status", "comment"):
        assert [r[name] for r in back] == [r[name] or None for r in rows], name
    assert [r["elicitation"] for r in back if r["value"]] == [
        "response_set",
        "response_set",
        "forced_choice",
    ]
    numbers = [{**base, "rater": "anna", "value": "-1.5", "status": "rated", "comment": ""}]
    (one,) = from_label_studio(to_label_studio(numbers, {}, numbers=True), place="x")
    assert one["value"] == "-1.5"


@pytest.mark.parametrize(
    ("content", "rule"),
    [
        ("{}", "a list of tasks"),
        ("[1]", "a list of tasks"),
        ("[", "is not JSON"),
        ("[]", "no annotation"),
        ('[{"id": 1, "text": "x", "sentiment": "Positive"}]', "has `data`"),
        ('[{"data": {}, "annotations": 3}]', "has `data`"),
        ('[{"data": {}, "annotations": [3]}]', "result list"),
        ("[" * 100_000, "is not JSON"),
        ("\ud800", "is not JSON"),
    ],
)
def test_what_is_no_export_is_refused(tmp_path: Path, content: str, rule: str) -> None:
    path = tmp_path / "export.json"
    path.write_bytes(content.encode("utf-8", "surrogatepass"))
    with pytest.raises(SourceError, match=rule):
        list(ratings(LogFile(path)))


def test_odd_shapes_do_not_break_it(tmp_path: Path) -> None:
    odd = [
        task(
            {
                "result": [
                    "x",
                    {"type": "choices"},
                    {"type": "choices", "value": {"choices": 3}},
                    {"type": "choices", "value": []},
                ],
                "completed_by": [],
            }
        )
    ]
    path = tmp_path / "export.json"
    path.write_text(json.dumps(odd))
    (found,) = ratings(LogFile(path))
    assert isinstance(found, Rating)
    assert found.status == "invalid"
    with pytest.raises(SourceError, match="cannot be read"):
        list(ratings(LogFile(tmp_path / "none.json")))


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
