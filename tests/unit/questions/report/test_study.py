"""What a report gathers from its questions."""

from __future__ import annotations

from pathlib import Path

import polars as pl

import goldassay as ga


def test_grades_on_criteria_have_a_rate_each_the_one_furthest_off(tmp_path: Path) -> None:
    """On one criterion the judge gives the top grade to all, on the other people's own grades."""
    rows = []
    for n in range(40):
        for criterion in ("clear", "true"):
            about = {"item": f"i{n}", "criterion": criterion}
            grade = str(1 + n % 4)
            own = "4" if criterion == "true" else grade
            rows.append(about | {"rater": "ann", "kind": "human", "value": grade})
            rows.append(about | {"rater": "judge", "kind": "judge", "value": own})
    task = {"scale": "ordinal", "options": ["1", "2", "3", "4"], "calibration": "random"}
    found = ga.report(pl.DataFrame(rows), task, resamples=40)
    strips = found.more["first"]["strips"]
    assert [one["criterion"] for one in strips] == ["clear", "true"]
    assert strips[1]["option"] == "4"
    assert strips[1]["called"]["value"] == 1.0
    (said,) = [one for one in found.answer if one.key == "report.mean_on_criterion"]
    assert said.text.startswith("`judge` scores 4.00 on average on `true`; people's mean is likely")
    claims = [one["text"] for one in found.more["claims"]["may"]]
    assert any(one.startswith("“25 % on `true` are `4`") for one in claims)
    assert found.more["first"]["strips_in_all"] == 2
    found.save(tmp_path / "report.html")
    assert "true: 4" in (tmp_path / "report.html").read_text()  # the first screen says which grade


def test_labels_that_were_chosen_say_nothing_alone() -> None:
    """All that the judge flags and a tenth of the rest: six in ten labels say yes, and one item."""
    rows = []
    for n in range(200):
        said = "yes" if n % 10 == 0 else "no"
        rows.append({"item": f"q{n}", "rater": "gpt", "kind": "judge", "value": said})
        if said == "yes" or n % 10 == n // 10 % 10:
            rows.append({"item": f"q{n}", "rater": "ann", "kind": "human", "value": said})
    task = {"scale": "binary", "options": ["yes", "no"], "positive": "yes"}
    for design, drawn in (("by_verdict", False), ("random", True)):
        found = ga.report(pl.DataFrame(rows), {**task, "calibration": design}, resamples=200)
        (strip,) = found.document()["first"]["strips"]
        assert (strip["labels"] is not None) is drawn
