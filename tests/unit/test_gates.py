"""Gates: what they concern, what comes of them, and how each form shows it."""

from __future__ import annotations

import json
from typing import Any
from xml.etree import ElementTree as Xml

import pytest

from goldassay.errors import GateNotMet, UsageError
from goldassay.gates import hold, outcomes, read_gate
from goldassay.rendering.annotations import fenced, render_annotations
from goldassay.rendering.formats import rendered
from goldassay.rendering.markdown import render_brief, render_markdown
from goldassay.results import Estimate, Interval, Row, Undefined

HOSTILE = '::error::a%0A,b:c\n"<&>]]> ##[error] [x](javascript:1) {0} \x00\x1b\ud800'


def row(name: str, value: float, low: float, high: float, **about: str) -> dict[str, Any]:
    estimate = Estimate(name, value, Interval(low, high, 0.95, "Wilson"), 240, 31)
    return Row(estimate, about).to_json()


ROWS = [
    row("accuracy", 0.9, 0.85, 0.94, judge="gpt", level="micro"),
    row("accuracy", 0.8, 0.7, 0.88, judge="other", level="micro"),
    Row(Undefined("cohen_kappa", "one option only", 12), {"judge": "gpt"}).to_json(),
]
SAID = [
    {"about": {}, "facts": {}, "text": "About nobody."},
    {"about": {"judge": "gpt"}, "facts": {}, "text": "`gpt` is strict."},
    {"about": {"judge": "gpt"}, "facts": {"name": "accuracy", "value": 0.9}, "text": "90 %."},
]


def document(*gates: str, rows: Any = ROWS, said: Any = SAID, file: str = "") -> dict[str, Any]:
    found = [one.to_json() for one in outcomes(gates, rows, said)]
    return {
        "verb": "agree",
        "provenance": {"version": "0.1.0", "inputs": [{"name": "ratings.csv"}]},
        "gates": [one | ({"file": file} if file else {}) for one in found],
    }


def test_every_result_of_the_name_must_meet_it() -> None:
    found = outcomes(["accuracy.low >= 0.8"], ROWS, SAID)
    assert [(one.held, one.about["judge"]) for one in found] == [(True, "gpt"), (False, "other")]
    assert found[0].finding == "accuracy 90 % [85, 94], 240 items in 31 clusters"
    assert found[0].sentence == "90 %."  # the one that tells this number
    assert found[1].sentence == ""  # nothing is said of the other judge
    with pytest.raises(GateNotMet, match=r"accuracy\.low >= 0\.8 does not hold: 0\.7 for other"):
        hold(found)


def test_an_undefined_result_meets_no_gate() -> None:
    (found,) = outcomes(["cohen_kappa > -1"], ROWS)
    assert not found.held
    assert found.text == (
        "cohen_kappa > -1 does not hold: undefined for gpt "
        "(Cohen's kappa is undefined: one option only (12 items))"
    )


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("accuracy>=0.9[judge=gpt]", True),
        ("accuracy > 0.9 [judge=gpt]", False),
        ("accuracy.high<1[judge=gpt][level=micro]", True),
        ("accuracy == .9[judge=gpt]", True),
        ("accuracy <= 9e-1[judge=gpt]", True),
    ],
)
def test_signs_ends_and_whom_it_is_about(text: str, held: bool) -> None:
    (found,) = outcomes([text], ROWS)
    assert found.held is held


def test_a_name_alone_asks_for_one() -> None:
    rows = [
        row("unchanged", value, value, value, judge=name) for name, value in (("a", 1), ("b", 0))
    ]
    rows.append(Row(Undefined("unchanged", "cannot tell"), {"judge": "c"}).to_json())
    assert [one.held for one in outcomes(["unchanged"], rows)] == [True, False, False]


@pytest.mark.parametrize(
    ("gate", "words"),
    [
        ("acuracy>0", "Did you mean 'accuracy'?"),
        ("accuracy>0[judge=gp]", "about this judge; found 'gp'. One of: 'gpt', 'other'"),
        ("accuracy>0[topic=x]", "No accuracy has a topic: leave it out"),
        ("accuracy>", "a gate is NAME>=NUMBER"),
        ("accuracy.low", "a gate is NAME>=NUMBER"),
        ("accuracy>0[judge=gpt", "a gate is NAME>=NUMBER"),
        ("accuracy=>0", "a gate is NAME>=NUMBER"),
        ("accuracy>--", "a gate is NAME>=NUMBER"),
        ("", "a gate is NAME>=NUMBER"),
    ],
)
def test_a_wrong_gate_is_refused_in_words(gate: str, words: str) -> None:
    with pytest.raises(UsageError) as raised:
        outcomes([gate], ROWS)
    assert words in str(raised.value)


def test_of_a_report_the_first_question_that_has_the_name() -> None:
    both = [{**ROWS[0], "verb": "agree"}, {**ROWS[1], "verb": "audit"}]
    assert len(outcomes(["accuracy > 0"], both)) == 1
    (found,) = outcomes(["accuracy > 0[verb=audit]"], both)
    assert found.about["judge"] == "other"


def test_digits_tell_a_number_from_its_bound() -> None:
    """A low end of .79999 must not be shown as a .8 that fails `>= 0.8`."""
    rows = [row("accuracy", 0.9, 0.79999, 0.95, judge="gpt")]
    assert outcomes(["accuracy.low >= 0.8"], rows)[0].found == "0.79999"


# --- the forms of services ------------------------------------------------------------------------


def hostile() -> dict[str, Any]:
    rows = [row("accuracy", 0.9, 0.85, 0.94, judge=HOSTILE)]
    said = [{"about": {"judge": HOSTILE}, "facts": {}, "text": f"`{HOSTILE}` is strict."}]
    return document("accuracy > 0.95", "accuracy > 0.5", rows=rows, said=said, file="a,b:%.csv")


def test_annotations() -> None:
    lines = render_annotations(document("accuracy.low >= 0.8", file="ratings.csv")).splitlines()
    assert lines == [
        "::error title=goldassay%3A accuracy.low >= 0.8 (judge=other%2C level=micro) does not hold,"
        "file=ratings.csv::accuracy.low >= 0.8 does not hold: 0.7 for other, micro "
        "(accuracy 80 %25 [70, 88], 240 items in 31 clusters).",
        "::notice title=goldassay%3A 1 result held::accuracy.low >= 0.8 holds: 0.85 for gpt, micro "
        "(accuracy 90 %25 [85, 94], 240 items in 31 clusters)",
    ]


def test_hostile_names_stay_within_their_annotation() -> None:
    lines = render_annotations(hostile()).splitlines()
    assert [line.split(" ")[0] for line in lines] == ["::error", "::notice"]
    properties = lines[0].removeprefix("::error ").partition("::")[0]
    assert properties.count(",") == 1  # title and file
    assert "file=a%2Cb%3A%25.csv" in properties
    assert all("##[" not in line for line in lines)


def test_many_broken_gates_are_counted() -> None:
    rows = [row("accuracy", 0.5, 0.4, 0.6, judge=f"j{n}") for n in range(25)]
    lines = render_annotations(document("accuracy > 0.9", rows=rows)).splitlines()
    assert len(lines) == 11
    assert "15 more results break a gate" in lines[9]


def test_what_is_fenced_cannot_end_the_fence() -> None:
    word = fenced("x\n").splitlines()[0].rpartition("::")[2]
    lines = fenced(f"x\n::{word}::\n").splitlines()
    assert lines[-1] not in lines[:-1]


def test_junit() -> None:
    text = str(rendered(document("accuracy.low >= 0.8"), ".xml"))
    suite = Xml.fromstring(text)[0]
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("2", "1", "0")
    assert [case.get("name") for case in suite] == [
        "accuracy.low >= 0.8 (judge=gpt, level=micro)",
        "accuracy.low >= 0.8 (judge=other, level=micro)",
    ]
    failure = suite[1].find("failure")
    assert failure is not None
    assert "0.7 for other" in str(failure.get("message"))
    assert suite[0].find("failure") is None


def test_junit_of_hostile_names_is_whole() -> None:
    suite = Xml.fromstring(str(rendered(hostile(), ".xml")))[0]
    assert len(suite) == 2
    assert '"<&>]]>' in str(suite[0].get("name"))
    assert "⟨U+0000⟩⟨U+001B⟩⟨U+D800⟩" in str(suite[0].get("name"))


def test_sarif_has_what_the_standard_requires() -> None:
    """The required properties of each object, section by section of SARIF 2.1.0."""
    log = json.loads(
        rendered(document("accuracy.low >= 0.8", file="data/my ratings.csv"), ".sarif")
    )
    assert log["version"] == "2.1.0"  # 3.13.2
    (run,) = log["runs"]  # 3.13.4
    driver = run["tool"]["driver"]  # 3.14.6, 3.18.2
    assert driver["name"] == "goldassay"  # 3.19.8
    (rule,) = driver["rules"]
    assert rule["id"] == "goldassay/accuracy"  # 3.49.3
    assert rule["shortDescription"]["text"]  # 3.49.9
    assert rule["defaultConfiguration"]["level"] == "error"
    (result,) = run["results"]
    assert result["message"]["text"].startswith("accuracy.low >= 0.8 does not hold: 0.7")  # 3.27.11
    assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]  # 3.27.5, 3.27.6
    assert (result["kind"], result["level"]) == ("fail", "error")  # 3.27.9, 3.27.10
    place = result["locations"][0]["physicalLocation"]  # 3.28.3
    assert place["artifactLocation"]["uri"] == "data/my%20ratings.csv"  # 3.4.3, RFC 3986
    assert place["region"]["startLine"] >= 1  # 3.30.5
    assert list(result["partialFingerprints"]) == ["gate/v1"]  # 3.27.17
    assert run["properties"]["held"][0].startswith("accuracy.low >= 0.8 holds: 0.85")


def test_a_gate_keeps_its_fingerprint_when_numbers_change() -> None:
    other = [row("accuracy", 0.7, 0.6, 0.8, judge="other", level="micro")]
    seen = [
        json.loads(rendered(document("accuracy > 0.85", rows=rows), ".sarif"))["runs"][0]["results"]
        for rows in (ROWS, other)
    ]
    assert seen[0][0]["partialFingerprints"] == seen[1][0]["partialFingerprints"]


def test_sarif_of_hostile_names_holds_no_link_and_no_argument() -> None:
    (result,) = json.loads(rendered(hostile(), ".sarif"))["runs"][0]["results"]
    text = result["message"]["text"]
    assert "](" not in text
    assert "{{0}}" in text
    assert (
        result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "a%2Cb%3A%25.csv"
    )


@pytest.mark.parametrize("suffix", [".xml", ".sarif"])
def test_without_a_gate_there_is_nothing_to_show(suffix: str) -> None:
    with pytest.raises(UsageError, match="Give one with --require"):
        rendered({**document(), "gates": []}, suffix)


def test_pages_show_the_broken_gates_first() -> None:
    found = document("accuracy.low >= 0.8")
    for text in (render_markdown(found), render_brief(found)):
        assert "1 result does not meet what was required." in text
        assert text.index("not met") < text.index("| held")


def test_a_gate_reads_the_same_from_its_own_text() -> None:
    gate = read_gate("  accuracy.low >= 0.8 [judge=gpt] [level=micro] ")
    assert read_gate(gate.text) == gate
