"""Changes between two versions of a judge, by hand and against published figures."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import goldassay as ga
from goldassay.counts import Units, count_units
from goldassay.formulas import agreement as coefficients
from goldassay.inference.proportions import binomial_interval
from goldassay.questions.diff.changes import (
    Joint,
    independent_change,
    joint_counts,
    paired_changes,
    statistics_of,
)
from goldassay.questions.diff.pairing import fingerprint, joined
from goldassay.questions.diff.study import Change
from goldassay.questions.diff.words import _told
from goldassay.ratings.table import read_ratings
from goldassay.ratings.task import Task
from goldassay.results import Estimate, Interval, Undefined

BINARY = Task(scale="binary", options=("yes", "no"), positive="yes")


def joint(cells: np.ndarray, *, clustered: bool = False) -> Joint:
    """A joint of single items from counts [2, 2, 2] of reference, old and new verdict."""
    kinds = list(np.ndindex(2, 2, 2))
    counts = np.zeros((8, 2, 3, 3))
    for k, kind in enumerate(kinds):
        counts[k][kind] = 1
    times = np.array([cells[kind] for kind in kinds], dtype=np.int64)
    return Joint(counts[times > 0], times[times > 0], int(times.sum()), clustered)


def changed(cells: np.ndarray) -> dict[str, Estimate | Undefined]:
    return paired_changes(joint(cells), statistics_of(BINARY), confidence_level=0.95)


#: people yes: both right 30, only old 5, only new 12, both wrong 3; people no: 40, 4, 6, 0.
CELLS = np.array([[[30, 5], [12, 3]], [[0, 6], [4, 40]]])


def test_a_change_is_the_new_coefficient_minus_the_old() -> None:
    # Old: 35 of 50 and 44 of 50 right; new: 42 of 50 and 46 of 50.
    old = np.array([[35, 15], [6, 44]])
    new = np.array([[42, 8], [4, 46]])
    found = changed(CELLS)
    for name, statistic in statistics_of(BINARY).items():
        result = found[name]
        assert isinstance(result, Estimate)
        assert result.value == pytest.approx(float(statistic(new) - statistic(old)))
        assert result.interval is not None
        assert result.value in result.interval
    assert found["accuracy"].value == pytest.approx(0.88 - 0.79)  # type: ignore[union-attr]


def test_pairing_shortens_the_interval() -> None:
    # Most errors are shared: 24 items wrong in both, 3 spoilt, 9 mended.
    found = changed(np.array([[[30, 2], [4, 14]], [[10, 5], [1, 34]]]))["accuracy"]
    assert isinstance(found, Estimate)
    assert found.value == pytest.approx(0.06)
    assert found.interval is not None
    ends = []
    for right in (67, 73):
        one = binomial_interval(right, 100, confidence_level=0.95)
        ends.append((right / 100, one.low, one.high))
    apart = independent_change("accuracy", ends[0], ends[1], confidence_level=0.95)
    assert apart.interval is not None
    assert found.interval.length < 0.75 * apart.interval.length


def test_no_item_changed_is_not_certainty() -> None:
    still = np.array([[[45, 0], [0, 5]], [[5, 0], [0, 45]]])
    result = changed(still)["accuracy"]
    assert isinstance(result, Estimate)
    assert result.value == 0
    assert result.interval is not None
    assert result.interval.low < 0 < result.interval.high
    assert result.interval.length < 0.12


def test_a_class_that_people_never_used_leaves_the_change_undefined() -> None:
    one_class = np.array([[[20, 3], [4, 3]], [[0, 0], [0, 0]]])
    found = changed(one_class)
    assert isinstance(found["balanced_accuracy"], Undefined)
    assert isinstance(found["accuracy"], Estimate)
    nothing = paired_changes(
        Joint(np.zeros((0, 2, 3, 3)), np.zeros(0, np.int64), 0, False),
        statistics_of(BINARY),
        confidence_level=0.95,
    )
    assert all(isinstance(result, Undefined) for result in nothing.values())


def test_swapping_the_versions_turns_the_interval_round() -> None:
    there = changed(CELLS)["cohen_kappa"]
    back = changed(CELLS.transpose(0, 2, 1))["cohen_kappa"]
    assert isinstance(there, Estimate)
    assert isinstance(back, Estimate)
    assert there.interval is not None
    assert back.interval is not None
    assert there.value == pytest.approx(-back.value)
    assert there.interval.low == pytest.approx(-back.interval.high, abs=1e-7)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(0, 12), min_size=8, max_size=8).filter(any))
def test_every_table_gives_an_ordered_interval_or_a_reason(cells: list[int]) -> None:
    table = np.array(cells).reshape(2, 2, 2)
    for name, result in changed(table).items():
        assert result.name == name
        if isinstance(result, Estimate):
            assert result.interval is not None
            assert result.interval.low <= result.value <= result.interval.high
            assert result.interval.low >= -2.001
            assert result.interval.high <= 2.001


def test_square_and_add_is_newcombes_interval_for_two_proportions() -> None:
    # Newcombe (1998), Interval estimation for the difference between independent proportions,
    # table II, method 10: 56/70 against 48/80 gives .0524 to .3339.
    ends = []
    for right, of in ((48, 80), (56, 70)):
        one = binomial_interval(right, of, confidence_level=0.95, method="wilson")
        ends.append((right / of, one.low, one.high))
    found = independent_change("accuracy", ends[0], ends[1], confidence_level=0.95)
    assert found.value == pytest.approx(0.2)
    assert found.interval is not None
    assert found.interval.low == pytest.approx(0.0524, abs=5e-5)
    assert found.interval.high == pytest.approx(0.3339, abs=5e-5)


def test_without_intervals_a_change_has_none() -> None:
    found = independent_change("x", (1.0, None, None), (3.0, 2.0, 4.0), confidence_level=0.95)
    assert found.value == 2.0
    assert found.interval is None


def test_every_statistic_is_a_coefficient() -> None:
    assert statistics_of(BINARY)["accuracy"] is coefficients.accuracy
    ordinal = Task(scale="ordinal", options=("1", "2", "3"))
    assert "sensitivity" not in statistics_of(ordinal)


def repeated(samples: dict[str, list[list[str]]], people: list[str]) -> Units:
    """Counted units of a table in which judges were asked several times."""
    lines = ["item,rater,kind,value,sample"]
    lines += [f"i{k},ann,human,{value}," for k, value in enumerate(people)]
    for judge, runs in samples.items():
        for s, verdicts in enumerate(runs):
            lines += [f"i{k},{judge},judge,{value},{s}" for k, value in enumerate(verdicts)]
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "r.csv"
        table.write_text("\n".join(lines) + "\n")
        return count_units(read_ratings(str(table), BINARY), by=("item",))


def test_every_sample_of_a_repeated_judge_counts() -> None:
    """Half of the old samples are right on item 0; the first alone would say it is right."""
    people = ["yes", "no", "yes", "no"]
    units = repeated(
        {
            "old": [["yes", "no", "no", "yes"], ["no", "no", "no", "yes"]],
            "new": [["yes", "no", "yes", "yes"]],
        },
        people,
    )
    found = joint_counts(units, "old", "new")
    change = paired_changes(found, statistics_of(BINARY), confidence_level=0.95)["accuracy"]
    assert isinstance(change, Estimate)
    assert change.value == pytest.approx(3 / 4 - 1.5 / 4)
    old, new = (
        fingerprint(repeated(runs, people), ("item",))
        for runs in (
            {"j": [["yes", "no", "no", "yes"], ["no", "no", "no", "yes"]]},
            {"j": [["yes", "no", "yes", "yes"]]},
        )
    )
    assert old is not None
    assert new is not None
    pair = joined(json.loads(json.dumps(old)), new, ("j", "j"), BINARY)
    assert pair is not None
    again = joint_counts(pair.units, "old", "new")
    total = [np.tensordot(one.multiplicity, one.counts, axes=1) for one in (found, again)]
    np.testing.assert_allclose(total[0], total[1])


@pytest.mark.parametrize(
    "declared",
    [
        {"abstentions": "exclude"},
        {"abstentions": "class"},
        {"abstentions": "recode", "recode_to": "no"},
        {"abstentions": "class", "invalids": "wrong"},
    ],
)
def test_a_paired_change_is_of_the_numbers_in_both_documents(declared: dict[str, Any]) -> None:
    """The new version is right where it decides, and abstains on a third of what is yes."""
    people = ["yes"] * 12 + ["no"] * 18
    old = ["yes"] * 9 + ["no"] * 3 + ["no"] * 14 + ["yes"] * 3 + ["bad"]
    new = ["yes"] * 8 + ["?"] * 4 + ["no"] * 15 + ["?", "bad", "yes"]
    task = {"scale": "binary", "options": ["yes", "no"], "positive": "yes", "abstain": ["?"]}
    task |= {"invalid": ["bad"], **declared}
    reports = [
        ga.report(
            {
                "item": [*range(30)] * 2,
                "rater": ["ann"] * 30 + ["j"] * 30,
                "kind": ["human"] * 30 + ["judge"] * 30,
                "value": people + said,
            },
            task,
            resamples=20,
        )
        for said in (old, new)
    ]
    names = ("accuracy", "balanced_accuracy", "youden_j", "cohen_kappa", "scott_pi", "phi")
    names += ("sensitivity", "specificity", "precision", "recall", "f1", "macro_f1")
    before, after = (
        {
            row.result.name: row.result.value
            for row in one.rows
            if row.about.get("verb") == "agree"
            and row.about.get("level") == "micro"
            and not {"mode", "option"} & row.about.keys()
            and isinstance(row.result, Estimate)
        }
        for one in reports
    )
    changed = {
        row.result.name: row.result
        for row in ga.diff(*reports).rows
        if row.about.get("verb") == "agree"
        and row.about.get("level") == "micro"
        and row.about.get("mode") is None
        and row.about.get("option") is None
    }
    shown = [one for one in names if one in before and one in after]
    assert len(shown) >= 4
    for name in shown:
        found = changed[f"{name}_change"]
        assert isinstance(found, Estimate)
        assert found.interval is not None
        assert "paired" in found.interval.method
        assert found.value == pytest.approx(after[name] - before[name])
        assert found.value in found.interval


def test_one_cluster_gives_no_interval_of_a_change() -> None:
    one = Joint(joint(CELLS).counts[:1] * 8, np.array([1]), 8, clustered=True)
    found = paired_changes(one, {"accuracy": coefficients.accuracy}, confidence_level=0.95)[
        "accuracy"
    ]
    assert isinstance(found, Estimate)
    assert found.interval is None
    assert found.warnings


def report_of(path: Path, labels: list[str], verdicts: list[str]) -> dict[str, Any]:
    """A report of one judge and one person on items 0, 1, ..."""
    rows = ["item,rater,kind,value"]
    for number, (label, verdict) in enumerate(zip(labels, verdicts, strict=True)):
        rows += [f"i{number},kim,human,{label}", f"i{number},gpt,judge,{verdict}"]
    path.write_text("\n".join(rows) + "\n")
    found = ga.report(str(path), BINARY, resamples=100)
    document: dict[str, Any] = json.loads(found.to_json())
    return document


def test_items_with_other_labels_are_other_items(tmp_path: Path) -> None:
    """Names of items that recur with other labels: what was right of the old ones was right."""
    n = 100
    old = [["yes", "no"][i % 2] for i in range(n)]
    new = [["yes", "no"][i // 2 % 2] for i in range(n)]  # another label on every second item
    before = report_of(tmp_path / "old.csv", old, old)  # all right
    called = [("no" if new[i] == "yes" else "yes") if i % 5 < 2 else new[i] for i in range(n)]
    after = report_of(tmp_path / "new.csv", new, called)  # 60 of 100 right
    found = ga.diff(before, after)
    change = found["accuracy_change", "gpt"]
    # Against the new labels the old verdicts would be right on 50, and the judge would have risen.
    assert change.value == pytest.approx(0.6 - 1.0)
    assert change.interval is not None
    assert change.interval.high < 0
    assert any("Labels differ on 50 of 100 items" in w for w in found.warnings)


def test_few_other_labels_keep_the_pairs_and_no_sentence_contradicts_itself(tmp_path: Path) -> None:
    n = 100
    old = [["yes", "no"][i % 2] for i in range(n)]
    new = [("no" if old[i] == "yes" else "yes") if i < 4 else old[i] for i in range(n)]
    before = report_of(tmp_path / "old.csv", old, old)  # 100 right; 96 against the new labels
    after = report_of(tmp_path / "new.csv", new, new)  # 100 right
    found = ga.diff(before, after)
    # Equal in both documents, and 4 of 100 better against the new labels.
    change = found["accuracy_change", "gpt"]
    assert change.value == pytest.approx(0.04)
    assert change.value in change.interval
    assert any("Labels differ on 4 of 100 items" in w for w in found.warnings)
    assert "diff.change" not in {one.key for one in (*found.answer, *found.notes)}


def test_a_change_on_shared_items_against_its_ends_says_so() -> None:
    interval = Interval(0.01, 0.05, 0.95, "paired")
    rows = [{"name": "accuracy", "judge": "gpt", "value": value} for value in (0.9, 0.8)]
    told = _told(Change(rows[0], rows[1], Estimate("accuracy_change", 0.03, interval, 50))).text
    assert told == (
        "Accuracy of `gpt` rose on the 50 items of both documents (a change of 1 to 5 points); on "
        "its own items each says 90 % and 80 %."
    )


def test_the_same_verdicts_on_the_same_items_are_said_to_be_unchanged(tmp_path: Path) -> None:
    labels = [["yes", "no"][i % 2] for i in range(60)]
    called = ["yes" if i % 6 == 1 else labels[i] for i in range(60)]
    before = report_of(tmp_path / "old.csv", labels, called)
    read = {**before["provenance"], "inputs": [{"name": "frame", "sha256": None, "rows": 120}]}
    found = ga.diff(before, {**before, "provenance": read})
    assert found.answer[0].text.startswith(
        "Nothing changed in the verdicts of `gpt`, nor in people's labels: both documents hold the "
        "same 60 items."
    )
    # Another verdict, another label or an item less is a change.
    verdict = report_of(tmp_path / "verdict.csv", labels, [*called[:-1], "yes"])
    label = report_of(tmp_path / "label.csv", [*labels[:-1], "yes"], called)
    fewer = report_of(tmp_path / "fewer.csv", labels[:-1], called[:-1])
    for after in (verdict, label, fewer):
        assert all(one.key != "diff.unchanged" for one in ga.diff(before, after).answer)
    # All items are labelled: their rate is people's, 30 of 60 and then 31.
    (told,) = [
        one.text
        for one in (*ga.diff(before, label).answer, *ga.diff(before, label).notes)
        if "very items" in one.text
    ]
    assert told == (
        "By people's labels of these very items, all of which have one, the rate rose from 50 % to "
        "52 %: the labels are others."
    )
