"""Whether anything changed, since when and who: on streams with a known truth."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import goldassay as ga
from goldassay.cli.monitor import command
from goldassay.errors import GateNotMet, InputError, SourceError

TASK = {"scale": "binary", "options": ["yes", "no"], "positive": "yes", "calibration": "random"}
BATCHES, SIZE, AT = 40, 100, 25


def stream(
    *, systems: float = 0.0, judge: float = 0.0, anchors: int = 50, labels: int = 5, seed: int = 1
) -> list[dict[str, str]]:
    """Verdicts in 40 batches of 100; from batch 25 on the true rate or the specificity is lower."""
    rng = np.random.default_rng(seed)
    rows: list[dict[str, str]] = []
    known = rng.random(anchors) < 0.7
    flips = set(np.flatnonzero(~known)[: round(judge * 20)].tolist())

    def add(item: str, rater: str, positive: bool, batch: str, part: str) -> None:
        kind = "judge" if rater == "gpt" else "human"
        value = "yes" if positive else "no"
        rows.append(
            {"item": item, "rater": rater, "kind": kind, "value": value, "batch": batch}
            | {"set": part}
        )

    for batch in range(BATCHES):
        late = batch >= AT
        rate = 0.7 - (systems if late else 0.0)
        specificity = 0.9 - (judge if late else 0.0)
        for i in range(SIZE):
            true = rng.random() < rate
            said = rng.random() < (0.9 if true else 1 - specificity)
            add(f"{batch}-{i}", "gpt", said, f"{batch:02d}", "live")
            if i < labels:
                add(f"{batch}-{i}", "ann", true, "", "live")
        for a in range(anchors):
            said = bool(known[a]) ^ (rng.random() < 0.02)
            add(f"a{a}", "gpt", True if late and a in flips else said, f"{batch:02d}", "anchor")
    return rows


def ask(rows: list[dict[str, str]], **how: Any) -> ga.Findings:
    return ga.monitor(pl.DataFrame(rows), how.pop("task", TASK), **how)


@pytest.mark.parametrize(
    ("truth", "verdict"),
    [
        ({}, "unchanged"),
        ({"systems": 0.2}, "systems"),
        ({"judge": 0.4}, "judge"),
        ({"systems": 0.2, "anchors": 0, "labels": 0}, "changed"),
        ({"systems": 0.3, "labels": 20}, "systems"),
        ({"judge": 0.5, "anchors": 0, "labels": 20}, "judge"),
        ({"judge": 0.4, "systems": 0.4, "labels": 20}, "both"),
    ],
)
def test_who_changed(truth: dict[str, Any], verdict: str) -> None:
    found = ask(stream(**truth))
    facts = found.answer[0].facts
    assert facts["verdict"] == verdict
    if verdict == "unchanged":
        assert found["unchanged", "gpt"].value == 1.0
        assert found.require("unchanged") is found
    else:
        assert found["unchanged", "gpt"].value == 0.0
        assert abs(int(facts["since"]) - AT) <= 2
        with pytest.raises(GateNotMet, match="unchanged does not hold: 0"):
            found.require("unchanged")


def test_it_cannot_be_told_from_few_verdicts_and_no_gate_passes() -> None:
    rows = [row for row in stream(anchors=0) if row["batch"] in ("00", "01", "02")]
    found = ask(rows)
    assert found.answer[0].facts["verdict"] == "unknown"
    assert isinstance(found["unchanged", "gpt"], ga.Undefined)
    with pytest.raises(GateNotMet, match="undefined"):
        found.require("unchanged")


def test_one_batch_has_nothing_to_be_compared_with() -> None:
    found = ask([row for row in stream() if row["batch"] in ("", "00")])
    assert found.answer[0].facts["verdict"] == "unknown"
    assert "of one batch have nothing to be compared with" in found.answer[0].text


@pytest.mark.parametrize(
    ("task", "early", "late", "option", "score"),
    [
        ({"scale": "nominal", "options": ["a", "b", "c"]}, "aabbcccccc", "aaaaabbccc", "a", (2, 5)),
        # (0 x 2 + 1 x 3 + 2 x 5) / 2 = 6.5 and (0 x 5 + 1 x 3 + 2 x 2) / 2 = 3.5
        (
            {"scale": "ordinal", "options": ["1", "2", "3"]},
            "1122233333",
            "1111122233",
            None,
            (6.5, 3.5),
        ),
        # A tie is half a win: 5 + 3 / 2 and 1 + 3 / 2.
        (
            {"scale": "pairwise", "options": ["A", "B", "T"], "tie": "T"},
            "AAAAABBTTT",
            "ABBBBBBTTT",
            None,
            (6.5, 2.5),
        ),
        (
            {"scale": "binary", "options": ["y", "n"], "positive": "y"},
            "yyyyyyynnn",
            "yynnnnnnnn",
            "y",
            (7, 2),
        ),
    ],
)
def test_every_scale_has_a_rate_to_watch(
    task: dict[str, Any], early: str, late: str, option: str | None, score: tuple[float, float]
) -> None:
    """Ten verdicts again and again: the rate is that of the ten, before and after."""
    rows = [
        {"item": f"{b}-{i}", "rater": "gpt", "kind": "judge", "batch": f"{b:02d}"}
        | {"value": (early if b < 10 else late)[i % 10]}
        for b in range(20)
        for i in range(100)
    ]
    found = ask(rows, task=task)
    facts = found.answer[0].facts
    assert (facts["verdict"], facts["since"]) == ("changed", "10")
    said = [
        (one.facts["option"], one.facts["before"], one.facts["after"])
        for one in found.notes
        if one.key == "monitor.change"
    ]
    assert (option, pytest.approx(score[0] / 10), pytest.approx(score[1] / 10)) in said


def test_numbers_need_a_cut() -> None:
    rows = [
        {"item": f"{b}-{i}", "rater": "gpt", "kind": "judge", "batch": f"{b:02d}"}
        | {"value": str((i + 5 * (b >= 10)) % 10)}
        for b in range(20)
        for i in range(100)
    ]
    assert "has no options, and so no rate to watch" in wrong(rows, task={"scale": "continuous"})
    found = ask(rows, task={"scale": "continuous", "cut": ">= 7"})
    assert found.answer[0].facts["verdict"] in ("unchanged", "unknown")  # the same numbers, turned


def test_what_is_no_verdict_follows_the_task_and_is_counted() -> None:
    rows = stream(anchors=0, labels=0)
    for row in rows[::10]:
        row["value"] = "dunno"
    task = {**TASK, "abstain": ["dunno"]}
    found = ask(rows, task=task)
    left_out = [(one.reason, one.rows) for one in found.exclusions]
    assert left_out == [("judge's rating abstained", 400)]
    kept = ask(rows, task={**task, "abstentions": "recode", "recode_to": "no"})
    assert kept.exclusions == ()
    assert kept.answer[0].facts["before"] < found.answer[0].facts["before"]


def bounds(found: ga.Findings) -> list[float]:
    evidence = (row.result for row in found.rows_where(name="evidence"))
    return [one.declared["alarm_at"] for one in evidence if isinstance(one, ga.Estimate)]


def test_false_alarms_are_bounded_over_judges_and_criteria_together() -> None:
    """Twenty judges: each stream's bound is twenty times as high."""
    rows = stream(anchors=0, labels=0)
    names = [f"judge-{k:02d}" for k in range(20)]
    many = [{**row, "rater": name} for row in rows for name in names]
    assert bounds(ask(rows)) == pytest.approx([20.0])
    assert bounds(ask(many)) == pytest.approx([400.0] * 20)


def test_clusters_are_respected() -> None:
    """Whole clusters of ten equal verdicts: declared or not, they raise no alarm."""
    rng = np.random.default_rng(5)
    rows = [
        {"item": f"{b}-{c}-{i}", "rater": "gpt", "kind": "judge", "batch": f"{b:02d}"}
        | {"prompt": f"{b}-{c}", "value": "yes" if yes else "no"}
        for b in range(40)
        for c, yes in enumerate(rng.random(10) < 0.6)
        for i in range(10)
    ]
    alone = ask(rows)
    found = ask(rows, task={**TASK, "cluster": "prompt"})
    assert alone.answer[0].facts["verdict"] == "unknown"
    assert any("Batches vary from one to the next by more" in one for one in alone.warnings)
    assert found.answer[0].facts["verdict"] == "unknown"
    assert any("Verdicts come in clusters" in one for one in found.warnings)
    assert not any("Batches vary" in one for one in found.warnings)


def test_without_an_alarm_it_is_said_what_few_labels_leave_open() -> None:
    found = ask(stream(labels=2))
    (said,) = [one for one in found.answer if one.key == "monitor.errors"]
    assert "leave open that from batch" in said.text
    rows = {
        row.result.name: row.result for row in found.rows if row.result.name.endswith("_change")
    }
    for name in ("sensitivity", "specificity"):
        interval = rows[f"{name}_change"].interval
        assert (said.facts[f"{name}_low"], said.facts[f"{name}_high"]) == (
            interval.low,
            interval.high,
        )
    assert not any(one.key == "monitor.errors" for one in ask(stream(systems=0.3)).answer)


def test_the_order_of_rows_does_not_matter() -> None:
    rows = stream(systems=0.2)
    shuffled = [rows[i] for i in np.random.default_rng(0).permutation(len(rows))]
    assert ask(rows).document()["results"] == ask(shuffled).document()["results"]


def test_days_of_a_time_are_batches() -> None:
    rows = stream(systems=0.2, anchors=0)
    for row in rows:
        if row["batch"]:
            row["time"] = f"2026-01-{1 + int(row.pop('batch')) // 2:02d}T09:00:00Z"
        else:
            row["time"] = row.pop("batch")
    found = ask(rows)
    assert found.answer[0].facts["since"] in ("2026-01-13", "2026-01-14")
    assert found.answer[0].facts["batches"] == 20
    assert ask(rows, every="week").answer[0].facts["batches"] == 4


def test_a_reference_is_where_a_change_is_counted_from() -> None:
    found = ask(stream(systems=0.2), reference="19")
    assert int(found.answer[0].facts["since"]) >= 20
    assert found.answer[0].facts["verdict"] == "systems"


def wrong(rows: list[dict[str, str]], **how: Any) -> str:
    with pytest.raises(InputError) as raised:
        ask(rows, **how)
    return str(raised.value)


def test_bad_input_is_told() -> None:
    rows = stream(anchors=3, labels=1)
    few = [row for row in rows if row["batch"] in ("", "00", "01")]
    untimed = [{k: v for k, v in row.items() if k != "batch"} for row in few]
    assert "must say when each verdict was given" in wrong(untimed)
    odd = [{**row, "time": "yesterday"} for row in untimed]
    assert "must be a time of ISO 8601" in wrong(odd)
    blank = [{**row, "batch": ""} if row["item"] == "0-7" else row for row in few]
    assert "must be filled in for every verdict" in wrong(blank)
    named = [{**row, "model": "m1" if row["batch"] == "00" else "m2"} for row in few]
    assert "two judges must not go under one name" in wrong(named)
    later = [row for row in few if (row["item"], row["batch"]) != ("a1", "00")]
    assert "anchors must be the same items" in wrong(later, anchors="set=anchor")
    half = [{**row, "set": "live"} if row["batch"] == "01" else row for row in few]
    assert "an anchor must be marked as one in every batch" in wrong(half, anchors="set=anchor")
    twice = [*few, {**few[0], "value": "no" if few[0]["value"] == "yes" else "yes"}]
    assert "a judge must rate a unit once in a batch" in wrong(twice)
    label = next(row for row in few if row["kind"] == "human")
    changed = [*few, {**label, "value": "no" if label["value"] == "yes" else "yes"}]
    assert "must be one and the same" in wrong(changed)
    empty = [{**row, "value": "broken"} if row["batch"] == "01" else row for row in few]
    task = {**TASK, "invalid": ["broken"]}
    assert "every batch must have a verdict that counts" in wrong(empty, task=task)
    assert "COLUMN=VALUE" in wrong(few, anchors="anchor")
    assert "the name of a batch" in wrong(few, reference="99")
    assert "above 0 and below 1" in wrong(few, margin=1.0)
    assert "is one of hour, day, week, month" in wrong(few, every="minute")


# --- what was seen, kept ------------------------------------------------------------------------


def in_state(path: Path) -> list[tuple[Any, ...]]:
    """What a state holds, in whatever pieces it came: every row, sorted."""
    with closing(sqlite3.connect(path)) as store:
        records = store.execute("SELECT batch, rater, kind, criterion, cells FROM monitored")
        return sorted(
            (batch, rater, kind, criterion, bytes(cells[at : at + 26]))
            for batch, rater, kind, criterion, cells in records
            for at in range(0, len(cells), 26)
        )


@pytest.mark.parametrize("cuts", [(), (2000,), (100, 777, 3001), (3000, 3000)])
def test_a_stream_gives_the_same_state_in_any_pieces(tmp_path: Path, cuts: tuple[int, ...]) -> None:
    """Pieces end in the middle of a batch; the last answer is that of the whole."""
    rows = stream(systems=0.2, labels=3)
    whole = ask(rows, state=str(tmp_path / "whole.db"))
    ends = (0, *cuts, len(rows))
    for start, end in pairwise(ends):
        last = ask(rows[start:end] or rows[:1], state=str(tmp_path / "pieces.db"))
    assert in_state(tmp_path / "pieces.db") == in_state(tmp_path / "whole.db")
    assert last.document()["results"] == whole.document()["results"]
    assert [one.text for one in last.answer] == [one.text for one in whole.answer]


def test_what_is_known_is_passed_over_and_a_look_adds_nothing(tmp_path: Path) -> None:
    rows, state = stream(systems=0.2), str(tmp_path / "m.db")
    first = ask(rows, state=state)
    before = in_state(tmp_path / "m.db")
    again = ask(rows, state=state)
    assert again.rows == first.rows
    assert [(one.reason, one.rows) for one in again.exclusions] == [("seen before", len(rows))]
    looked = ga.monitor(None, TASK, state=state)
    assert looked.rows == first.rows
    assert in_state(tmp_path / "m.db") == before


def test_labels_may_come_late(tmp_path: Path) -> None:
    rows, state = stream(systems=0.3, labels=20), str(tmp_path / "m.db")
    judged = [row for row in rows if row["kind"] == "judge"]
    assert ask(judged, state=state).answer[0].facts["labels"] == 0
    labels = [row for row in rows if row["kind"] == "human"]
    assert ask(labels, state=state).rows == ask(rows).rows


def test_bad_input_leaves_the_state_untouched(tmp_path: Path) -> None:
    rows = [{**row, "model": "m1"} for row in stream(anchors=5, labels=1)]
    early = [row for row in rows if row["batch"] <= "20"]
    state = tmp_path / "m.db"
    marked: dict[str, Any] = {"anchors": "set=anchor", "state": str(state)}
    ask(early, **marked)
    before = in_state(state)
    late = [row for row in rows if row["batch"] == "21"]
    assert len(before) == len(early)

    def refused(more: list[dict[str, str]], **how: Any) -> str:
        said = wrong(more, **{**marked, **how})
        assert in_state(state) == before
        return said

    old = [{**row, "item": f"new {row['item']}"} for row in rows if row["batch"] == "05"]
    assert "must not come before the newest batch" in refused(old, anchors="set=anchor")
    other = "no" if early[0]["value"] == "yes" else "yes"
    assert "must not contradict" in refused([{**early[0], "value": other}])
    assert "two judges must not go under one name" in refused([{**r, "model": "m2"} for r in late])
    assert "begun with" in refused(late, anchors="")
    task = {**TASK, "positive": "no"}
    assert "begun with" in refused(late, task=task)
    more = {**TASK, "scale": "nominal", "options": ["yes", "no", "both"], "positive": None}
    assert "begun with" in refused(late, task={k: v for k, v in more.items() if v})
    unknown = {**late[0], "item": "a99", "set": "anchor"}
    assert "anchors must be the same items" in refused([*late, unknown])
    empty = [{**row, "value": "", "status": "failed"} for row in late]
    assert "every batch must have a verdict that counts" in refused(empty)
    ask(late, **marked)
    assert len(in_state(state)) == len(early) + len(late)


def test_bad_input_begins_no_state(tmp_path: Path) -> None:
    state = tmp_path / "m.db"
    wrong([{**row, "batch": ""} for row in stream(anchors=0)], state=str(state))
    assert not state.exists()
    (tmp_path / "notes.txt").write_text("mine")
    assert "not a readable SQLite file" in wrong(stream(), state=str(tmp_path / "notes.txt"))
    assert (tmp_path / "notes.txt").read_text() == "mine"
    with pytest.raises(InputError, match="no state to look at"):
        ga.monitor(None, TASK)


def test_a_state_is_append_only(tmp_path: Path) -> None:
    ask(stream(anchors=0, labels=0), state=str(tmp_path / "m.db"))
    with closing(sqlite3.connect(tmp_path / "m.db")) as store:
        for change in ("DELETE FROM monitored", "UPDATE monitored SET batch = ''"):
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                store.execute(change)


def test_a_judge_that_grows_careless_both_ways_is_seen_on_anchors() -> None:
    # Errors of 5 %, then of 35 %, on as many anchors of either kind: the rate of yes stays a half.
    rng = np.random.default_rng(4)
    said = {}
    for batch in range(30):
        for anchor in range(20):
            wrong = rng.random() < (0.05 if batch < 15 else 0.35)
            said[anchor, batch] = (anchor % 2 == 0) != wrong
    rows = [
        {"item": f"a{anchor}", "rater": "gpt", "kind": "judge", "batch": str(batch)}
        | {"value": "yes" if yes else "no"}
        for (anchor, batch), yes in said.items()
    ]
    found = ga.monitor(pl.DataFrame(rows), TASK)
    assert found.answer[0].facts["verdict"] == "judge"
    assert "of its verdicts are not what it began with" in found.answer[0].text
    turned = found["anchors_turned_change", "gpt"]
    assert isinstance(turned, ga.Estimate)
    assert turned.value == pytest.approx(0.3, abs=0.08)
    assert turned.interval is not None
    assert turned.interval.low > 0


# --- anchors that are not judged throughout -----------------------------------------------------


def anchored(kept: Any) -> list[dict[str, str]]:
    """A judge that says yes of anchors below 20 and no of the others, always, where it is asked."""
    return [
        {"item": f"a{a:02d}", "rater": "gpt", "kind": "judge", "batch": f"{b:02d}"}
        | {"value": "yes" if a < 20 else "no"}
        for b in range(12)
        for a in range(40)
        if kept(a, b)
    ]


@pytest.mark.parametrize(
    ("kept", "throughout"),
    [
        (lambda a, b: True, 40),
        (lambda a, b: b < 6 or a >= 15, 25),  # 15 that pass are given up
        (lambda a, b: b >= 6 or a < 25, 25),  # 15 that fail come later
        (lambda a, b: (a < 20) == (b // 2 % 2 == 0), 0),  # they take turns
    ],
)
def test_other_anchors_are_no_change_of_the_judge(kept: Any, throughout: int) -> None:
    facts = ask(anchored(kept)).answer[0].facts
    assert facts["verdict"] in ("unchanged", "unknown")
    assert facts["anchors_throughout"] == throughout


def test_a_judge_that_changes_on_anchors_that_take_turns_is_found() -> None:
    rows = anchored(lambda a, b: a % 4 != b % 4)
    for row in rows:
        if row["batch"] >= "06" and row["item"] < "a15":
            row["value"] = "no"
    found = ask(rows)
    assert found.answer[0].facts["verdict"] == "judge"
    assert "judged before and after have other verdicts" in found.answer[0].text


# --- what is said -------------------------------------------------------------------------------


def test_no_change_is_no_more_than_was_refuted() -> None:
    said = ask(stream()).answer[0].text
    assert said.startswith("No change was found for `gpt`: no alarm was raised in 4,000 verdicts")
    assert said.endswith("is ruled out; one in the last batches is not.")


def test_one_verdict_has_and_two_have() -> None:
    rows = stream(anchors=0, labels=0)
    assert "1 verdict of one batch has nothing" in ask(rows[:1]).answer[0].text
    assert "2 verdicts of one batch have nothing" in ask(rows[:2]).answer[0].text


def test_since_when_is_said_with_its_probability() -> None:
    found = ask(stream(systems=0.2))
    text = found.answer[1].text
    assert "if it was one sudden change, it began" in text
    assert "with 90 % probability" in text
    assert found.answer[1].facts["begun_probability"] == 0.9


def test_an_interval_without_0_is_no_alarm() -> None:
    """The alarms of forty judges are bounded together, the interval of each is by itself."""
    note = "An interval without 0 looks at one moment only, and is no alarm"
    names = [f"judge-{k:02d}" for k in range(40)]
    moved = stream(systems=0.06, anchors=0, labels=0)
    many = [{**row, "rater": name} for row in moved for name in names]
    for rows, noted in ((many, True), (stream(), False)):
        found = ask(rows, reference="24")
        changes = [row.result for row in found.rows if row.result.name.endswith("_change")]
        ends = [one.interval for one in changes if one.interval is not None]
        assert any(one.low > 0 or one.high < 0 for one in ends) == noted
        assert found.answer[0].facts["since"] is None
        assert found.summary is not None
        assert (note in found.summary.notes) == noted
        assert found.summary.notes[0].startswith("change of the rate: ")


# --- who the judge is, and when it spoke --------------------------------------------------------


def test_a_column_that_names_the_system_is_not_the_judges() -> None:
    rows = [
        {**row, "model": "ab"[i % 2], "version": row["batch"]}
        for i, row in enumerate(stream(anchors=0, labels=0))
    ]
    assert "column model: two judges" in wrong(rows, batch="version")
    task = {**TASK, "columns": {"system": "model"}}
    assert "column version: two judges" in wrong(rows, task=task)
    assert ask(rows, task=task, batch="version").answer[0].facts["batches"] == BATCHES


def test_stretches_of_a_named_column() -> None:
    rows = stream(anchors=0, labels=0)
    for row in rows:
        row["day"] = f"2026-01-{1 + int(row['batch']) // 2:02d}"
    assert ask(rows, batch="day").answer[0].facts["batches"] == 20
    assert ask(rows, batch="day", every="week").answer[0].facts["batches"] == 4
    assert "column batch: must be a time of ISO 8601" in wrong(rows, every="week")


def test_new_batches_leave_the_order_of_the_old_ones(tmp_path: Path) -> None:
    rows, state = stream(anchors=0, labels=0), tmp_path / "m.db"
    first, second, third = rows[:100], rows[100:200], rows[200:300]
    ask([{**row, "batch": "0.25"} for row in first], state=str(state))
    ask([{**row, "batch": "0.5"} for row in second], state=str(state))
    before = in_state(state)
    said = wrong([{**row, "batch": "x1"} for row in third], state=str(state))
    found = "found 'x1' beside '0.25' to '0.5'"
    assert f"must leave those that were seen in their order; {found}" in said
    assert in_state(state) == before
    ask([{**row, "batch": "11"} for row in third], state=str(state))


def test_a_state_is_of_the_rows_that_were_chosen(tmp_path: Path) -> None:
    rows, state = stream(), str(tmp_path / "m.db")
    ask(rows, state=state, only=["set=live"])
    assert "m.db, only: must be what the state was begun with" in wrong(rows, state=state)
    assert "m.db, exclude" in wrong(rows, state=state, only=["set=live"], exclude=["item=0-0"])
    ask(rows, state=state, only={"set": "live"})


def test_a_state_that_is_not_there_is_not_looked_at(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such state to look at"):
        ga.monitor(None, TASK, state=str(tmp_path / "nope.db"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        ("UPDATE monitored SET cells = x'00'", "has not the length"),
        ("UPDATE monitored SET rows = rows + 1", "has not the length"),
        ("UPDATE monitored SET kind = 7", "no known rater, kind or batch"),
        ("UPDATE monitored SET cells = zeroblob(24) || x'6300' WHERE part = 1", "the length"),
        ("UPDATE monitored SET rows = 1, cells = zeroblob(24) || x'6300'", "the scale does not"),
        ("UPDATE monitors SET settings = '[1]'", "settings cannot be read"),
        ("UPDATE monitors SET settings = '{'", "settings cannot be read"),
        ("DELETE FROM monitors", "settings are gone"),
    ],
)
def test_a_damaged_state_is_told(tmp_path: Path, damage: str, said: str) -> None:
    rows, state = stream(anchors=0, labels=0), tmp_path / "m.db"
    ask(rows[:300], state=str(state))
    with closing(sqlite3.connect(state)) as store:
        store.execute("DROP TRIGGER monitored_is_final")
        # A blob put together is text to SQLite.
        store.execute(damage.replace("zeroblob(24) || x'6300'", f"x'{'00' * 24}6300'"))
        store.commit()
    with pytest.raises(SourceError, match=f"m.db: is damaged: .*{said}"):
        ask(rows, state=str(state))


@pytest.mark.parametrize(
    "wrongly",
    [
        ["--require", "unchanged >"],
        ["--require", "unchanged"],  # on a guessed task
        ["--out", "page.docx"],
    ],
)
def test_what_cannot_be_delivered_begins_no_state(tmp_path: Path, wrongly: list[str]) -> None:
    pl.DataFrame(stream(anchors=0)).write_csv(tmp_path / "r.csv")
    state = tmp_path / "m.db"
    with pytest.raises(InputError):
        command([str(tmp_path / "r.csv")], state=str(state), **{wrongly[0][2:]: wrongly[1:]})
    assert not state.exists()


@pytest.mark.parametrize("labels", [False, True])
def test_a_judge_that_always_abstains_has_not_stayed_the_same(labels: bool) -> None:
    """Verdicts that say nothing refute no change, and raise no alarm."""
    rows = [
        {"item": str(k), "rater": rater, "kind": kind, "value": value, "batch": f"{k // 10:02d}"}
        for k in range(60)
        for rater, kind, value in (
            ("gpt", "judge", "yes" if k % 2 else "no"),
            ("mute", "judge", ""),
            *((("ann", "human", "yes" if k % 3 else "no"),) if labels else ()),
        )
    ]
    found = ga.monitor(pl.DataFrame(rows), {**TASK, "abstain": [""]})
    assert isinstance(found["unchanged", "mute"], ga.Undefined)
    assert "it cannot be told for `mute`" in " ".join(one.text for one in found.answer)
