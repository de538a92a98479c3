"""Which system is better: by hand, on every scale, against `estimate`, and what is refused."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pytest
from lookup import some

import goldassay as ga
from goldassay.errors import GateNotMet, InputError
from goldassay.questions.compare.needed import Spread, best_spent, labels_needed
from goldassay.questions.compare.record import verdict_of
from goldassay.questions.estimate.together import Estimates
from goldassay.results import Estimate, Undefined

polars = pytest.importorskip("polars")

BINARY = {"scale": "binary", "options": ["y", "n"], "positive": "y", "calibration": "random"}
ORDINAL = {"scale": "ordinal", "options": ["1", "2", "3", "4", "5"], "calibration": "random"}
NUMBERS = {"scale": "continuous", "calibration": "random"}
BATTLES = {"scale": "pairwise", "options": ["A", "B", "tie"], "tie": "tie", "calibration": "random"}

Row = tuple[str, str, str, Any]  # prompt, system, rater, value


def frame(rows: Iterable[Row], **columns: Sequence[Any]) -> Any:
    found = [
        {
            "item": prompt,
            "system": system,
            "rater": rater,
            "kind": "judge" if rater.startswith("judge") else "human",
            "value": str(value),
        }
        for prompt, system, rater, value in rows
    ]
    for name, values in columns.items():
        for row, value in zip(found, values, strict=True):
            row[name] = value
    return polars.DataFrame(found)


def study(
    systems: int = 2, prompts: int = 200, *, scale: str = "binary", seed: int = 1, gap: float = 0.5
) -> list[Row]:
    """Systems of rising quality, a judge that errs, people's labels on two prompts of five."""
    rng = np.random.default_rng(seed)
    rows: list[Row] = []
    for p in range(prompts):
        hard = rng.normal()
        for s in range(systems):
            true = hard + gap * s + rng.normal()
            seen = true + 0.7 * rng.normal()
            for rater, value in (("judge", seen), *((("ann", true),) if p % 5 < 2 else ())):
                if scale == "binary":
                    said: Any = "y" if value > 0 else "n"
                elif scale == "ordinal":
                    said = int(np.clip(round(value + 3), 1, 5))
                else:
                    said = round(value, 4)
                rows.append((f"p{p:03}", f"s{s:02}", rater, said))
    return rows


def gap_of(found: Any, system: str = "s01", opponent: str = "s00") -> Estimate:
    rows = found.rows_where(name="difference", system=system, opponent=opponent)
    result = rows[0].result
    assert isinstance(result, Estimate)
    return result


# --- by hand ------------------------------------------------------------------------------------


def test_two_systems_by_hand() -> None:
    """Ten prompts, all judged, six labelled.

    A: the judge says y on 1-5; of 1, 2, 3 (y) people say y, y, n, of 6, 7, 8 (n) y, n, n.
       True rate: 1/2 x 2/3 + 1/2 x 1/3 = 1/2.
    B: the judge says y on 1-8; of 1, 2, 3 (y) people say y, y, y, of 9, 10 (n) y, n.
       True rate: 8/10 x 1 + 2/10 x 1/2 = 0.9.
    """
    rows: list[Row] = []
    for k in range(1, 11):
        rows.append((f"p{k}", "A", "judge", "y" if k <= 5 else "n"))
        rows.append((f"p{k}", "B", "judge", "y" if k <= 8 else "n"))
    for k, label in zip((1, 2, 3, 6, 7, 8), "yynynn", strict=True):
        rows.append((f"p{k}", "A", "ann", label))
    for k, label in zip((1, 2, 3, 9, 10), "yyyyn", strict=True):
        rows.append((f"p{k}", "B", "ann", label))
    found = ga.compare(frame(rows), BINARY)
    gap = gap_of(found, "B", "A")
    assert gap.value == pytest.approx(0.4)
    (own,) = found.rows_where(name="difference_naive")
    (only,) = found.rows_where(name="difference_labels_only")
    assert own.result.value == pytest.approx(0.8 - 0.5)
    assert only.result.value == pytest.approx(4 / 5 - 3 / 6)
    assert gap.interval is not None
    assert gap.interval.low < 0  # eleven labels tell little
    assert gap.interval.high > 0.4
    assert gap.declared["verdict"] == "cannot tell"


@pytest.mark.parametrize(
    ("low", "high", "margin", "verdict"),
    [
        (0.01, 0.1, None, "better"),
        (-0.01, 0.1, None, "cannot tell"),
        (-0.01, 0.1, 0.02, "no worse"),
        (-0.02, 0.1, 0.02, "cannot tell"),  # at the margin is not above it
        (-0.1, -0.01, None, "worse"),
        (-0.015, -0.001, 0.02, "no worse"),
        (-0.1, -0.01, 0.02, "worse"),
        (0.0, 0.1, 0.0, "cannot tell"),
    ],
)
def test_verdicts(low: float, high: float, margin: float | None, verdict: str) -> None:
    assert verdict_of(low, high, margin) == verdict


@pytest.mark.parametrize("scale", ["binary", "numbers"])
def test_systems_are_those_of_estimate(scale: str) -> None:
    task = BINARY if scale == "binary" else NUMBERS
    table = frame(study(3, scale=scale))
    compared, estimated = ga.compare(table, task), ga.estimate(table, task)
    name = "prevalence" if scale == "binary" else "mean_score"
    for system in ("s00", "s01", "s02"):
        (here,) = compared.rows_where(name=name, system=system)
        (there,) = (
            row
            for row in estimated.rows_where(name=name, system=system)
            if not row.about.get("opponent")
        )
        assert here.result == there.result
    first, second = (
        compared.rows_where(name=name, system=one)[0].result.value for one in ("s02", "s00")
    )
    assert gap_of(compared, "s02", "s00").value == pytest.approx(first - second)


def test_estimate_has_the_same_differences() -> None:
    table = frame(study(4))
    compared, estimated = ga.compare(table, BINARY), ga.estimate(table, BINARY)
    for row in some(estimated.rows_where(name="prevalence_difference")):
        there = row.result
        here = gap_of(compared, str(row.about["opponent"]), str(row.about["system"]))
        assert here.value == pytest.approx(-there.value)
        assert here.interval is not None
        assert there.interval is not None
        assert (here.interval.low, here.interval.high) == pytest.approx(
            (-there.interval.high, -there.interval.low)
        )


def test_ordinal_systems_are_those_of_estimate_alone() -> None:
    table = frame(study(2, scale="ordinal"))
    compared = ga.compare(table, ORDINAL)
    for system in ("s00", "s01"):
        (here,) = compared.rows_where(name="mean_score", system=system)
        there = ga.estimate(table, ORDINAL, only=[f"system={system}"])["mean_score", "judge"]
        assert here.result.value == pytest.approx(there.value)
        assert here.result.interval == there.interval


@pytest.mark.parametrize(
    ("scale", "task"), [("binary", BINARY), ("ordinal", ORDINAL), ("numbers", NUMBERS)]
)
def test_people_who_label_all_leave_nothing_to_correct(scale: str, task: Any) -> None:
    """With every prompt labelled the difference is that of the labels, paired by prompt."""
    rng = np.random.default_rng(2)
    rows: list[Row] = []
    values = np.zeros((300, 2))
    for p in range(300):
        hard = rng.normal()
        for s in range(2):
            true = hard + 0.2 * s + 0.5 * rng.normal()
            if scale == "binary":
                said: Any = "y" if true > 0 else "n"
                values[p, s] = true > 0
            elif scale == "ordinal":
                said = values[p, s] = int(np.clip(round(true + 3), 1, 5))
            else:
                said = values[p, s] = round(true, 4)
            said = int(said) if scale == "ordinal" else said
            rows += [(f"p{p}", f"s{s:02}", "judge", said), (f"p{p}", f"s{s:02}", "ann", said)]
    gap = gap_of(ga.compare(frame(rows), task))
    d = values[:, 1] - values[:, 0]
    half = 1.968 * d.std(ddof=1) / 300**0.5
    assert gap.value == pytest.approx(d.mean())
    assert gap.interval is not None
    # The textbook's paired t, up to small-sample caution: pairing makes it this short.
    assert gap.interval.length == pytest.approx(2 * half, rel=0.08)
    unpaired = 2 * 1.96 * (values.var(0).sum() / 300) ** 0.5
    assert gap.interval.length < 0.85 * unpaired


def graded(options: int) -> Any:
    """Twelve prompts, two systems, all labelled with 2, 3 and 4; a judge that is one off."""
    people = {"A": [2, 3, 4, 3, 2, 4, 3, 3, 2, 4, 3, 2], "B": [3, 3, 4, 4, 3, 4, 4, 3, 3, 4, 4, 3]}
    rows: list[Row] = []
    for system, grades in people.items():
        for p, grade in enumerate(grades):
            said = grade - 1 if p % 3 == 0 else grade
            rows += [(f"p{p}", system, "judge", said), (f"p{p}", system, "ann", grade)]
    task = {"scale": "ordinal", "options": [str(k + 1) for k in range(options)]}
    return ga.compare(frame(rows), task)


def test_labels_of_all_items_have_one_interval_whatever_grades_there_could_be() -> None:
    """A's mean is 35/12 with the standard deviation 0.7930; Student's t of 11 degrees: 2.201.

    2.9167 -+ 2.201 x 0.7930 / sqrt(12) = 2.413 and 3.420.
    """
    found = graded(5)
    (mean,) = found.rows_where(name="mean_score", system="A")
    (only,) = found.rows_where(name="difference_labels_only")
    gap = gap_of(found, "B", "A")
    assert isinstance(mean.result, Estimate)
    assert isinstance(only.result, Estimate)
    assert mean.result.interval is not None
    assert mean.result.interval.low == pytest.approx(2.413, abs=5e-4)
    assert mean.result.interval.high == pytest.approx(3.420, abs=0.03)  # further by its skewness
    for estimate in (gap, only.result):
        assert estimate.interval is not None
    assert gap.value == pytest.approx(only.result.value)
    assert (gap.interval.low, gap.interval.high) == pytest.approx(  # type: ignore[union-attr]
        (only.result.interval.low, only.result.interval.high)  # type: ignore[union-attr]
    )
    fewer, more = gap_of(graded(4), "B", "A"), gap_of(graded(7), "B", "A")
    for other in (fewer, more):
        assert other.interval is not None
        assert gap.interval is not None
        assert other.interval.low == pytest.approx(gap.interval.low)
        assert other.interval.high == pytest.approx(gap.interval.high)


@pytest.mark.parametrize("labels_of", [2, 1])
@pytest.mark.parametrize(("scale", "task"), [("binary", BINARY), ("numbers", NUMBERS)])
def test_labels_alone_are_the_corrected_difference_where_all_is_labelled(
    labels_of: int, scale: str, task: Any
) -> None:
    """With both systems labelled they agree at once; with one alone, they need not."""
    rows = study(2, 60, scale=scale)
    known = {(p, s) for p, s, rater, _ in rows if rater == "ann"}
    more = [
        (p, s, "ann", value)
        for p, s, rater, value in rows
        if rater == "judge" and (p, s) not in known and (labels_of == 2 or s == "s00")
    ]
    found = ga.compare(frame([*rows, *more]), task)
    (only,) = found.rows_where(name="difference_labels_only")
    gap = gap_of(found)
    assert isinstance(only.result, Estimate)
    assert gap.interval is not None
    assert only.result.interval is not None
    same = (gap.interval.low, gap.interval.high) == pytest.approx(
        (only.result.interval.low, only.result.interval.high)
    )
    assert same == (labels_of == 2)


def test_battles_by_hand() -> None:
    """All labelled: A wins 12, loses 6, ties 2 of 20: win rates 0.65 and 0.35."""
    outcomes = ["A"] * 12 + ["B"] * 6 + ["tie"] * 2
    rows = [
        {"item": f"p{k}", "system": "x", "opponent": "y", "rater": r, "kind": kind, "value": one}
        for k, one in enumerate(outcomes)
        for r, kind in (("judge", "judge"), ("ann", "human"))
    ]
    found = ga.compare(polars.DataFrame(rows), BATTLES)
    rates = {row.about["system"]: row.result.value for row in found.rows_where(name="win_rate")}
    assert rates == {"x": pytest.approx(0.65), "y": pytest.approx(0.35)}
    gap = gap_of(found, "y", "x")
    assert gap.value == pytest.approx(-0.3)


def test_ties_may_be_left_out() -> None:
    outcomes = ["A"] * 12 + ["B"] * 6 + ["tie"] * 2
    rows = [
        {"item": f"p{k}", "system": "x", "opponent": "y", "rater": r, "kind": kind, "value": one}
        for k, one in enumerate(outcomes)
        for r, kind in (("judge", "judge"), ("ann", "human"))
    ]
    found = ga.compare(polars.DataFrame(rows), {**BATTLES, "ties": "exclude"})
    assert gap_of(found, "y", "x").value == pytest.approx(6 / 18 - 12 / 18)


def test_different_opponents_are_told() -> None:
    rows = [
        {"item": f"p{k}", "system": a, "opponent": b, "rater": r, "kind": kind, "value": side}
        for k, side in enumerate("AB" * 10)
        for a, b in (("x", "y"), ("x", "z"), ("y", "w"))
        for r, kind in (("judge", "judge"), ("ann", "human"))
    ]
    task = {"scale": "pairwise", "options": ["A", "B"], "calibration": "random"}
    assert any(
        "met different ones" in one for one in ga.compare(polars.DataFrame(rows), task).warnings
    )
    two = [row for row in rows if row["opponent"] == "y"]
    assert not ga.compare(polars.DataFrame(two), task).warnings


# --- several systems, slices ----------------------------------------------------------------------


def test_all_differences_hold_at_once() -> None:
    table = frame(study(4))
    found = ga.compare(table, BINARY)
    gaps = [row.result for row in found.rows_where(name="difference")]
    assert len(gaps) == 6
    assert all(gap.declared["simultaneous"] == 6 for gap in gaps)
    two = ga.compare(table.filter(polars.col("system").is_in(["s00", "s01"])), BINARY)
    alone, joint = gap_of(two), gap_of(found)
    assert alone.value == pytest.approx(joint.value)
    assert alone.interval is not None
    assert joint.interval is not None
    assert joint.interval.length > 1.15 * alone.interval.length  # 2.57 / 1.96 at most


def test_a_baseline_has_fewer_differences_and_shorter_intervals() -> None:
    table = frame(study(5))
    every, against = ga.compare(table, BINARY), ga.compare(table, BINARY, baseline="s02")
    pairs = {
        (row.about["system"], row.about["opponent"])
        for row in against.rows_where(name="difference")
    }
    assert pairs == {("s00", "s02"), ("s01", "s02"), ("s03", "s02"), ("s04", "s02")}
    wide, short = gap_of(every, "s04", "s02"), gap_of(against, "s04", "s02")
    assert wide.interval is not None
    assert short.interval is not None
    assert short.interval.length < wide.interval.length
    assert "Against `s02`" in against.answer[0].text


def test_slices_are_one_family_and_say_which_differs() -> None:
    rng = np.random.default_rng(4)
    rows, topics = [], []
    for p in range(600):
        topic = ("law", "code", "talk")[p % 3]
        for s in range(2):
            # B is far better in code, far worse elsewhere.
            rate = 0.5 if s == 0 else (0.95 if topic == "code" else 0.35)
            true = rng.random() < rate
            seen = true if rng.random() < 0.9 else not true
            for rater, said in (("judge", seen), *((("ann", true),) if p % 2 else ())):
                rows.append((f"p{p:03}", f"s{s:02}", rater, "y" if said else "n"))
                topics.append(topic)
    found = ga.compare(frame(rows, topic=topics), BINARY, by=["topic"])
    inside = {
        row.about["topic"]: row.result
        for row in found.rows_where(name="difference")
        if "topic" in row.about
    }
    assert set(inside) == {"law", "code", "talk"}
    assert all(one.declared["simultaneous"] == 3 for one in inside.values())
    beyond = {
        row.about["topic"]: row.result for row in found.rows_where(name="difference_from_whole")
    }
    whole = next(r.result for r in found.rows_where(name="difference") if "topic" not in r.about)
    for topic, one in inside.items():
        assert beyond[topic].value == pytest.approx(one.value - whole.value)
    assert beyond["code"].interval.low > 0
    said = next(one for one in (*found.answer, *found.notes) if one.key == "compare.slices")
    assert "code" in said.facts["differ"]
    assert "3 differences within 3 slices at once" in said.text


def test_a_judge_that_turns_two_systems_round_is_told() -> None:
    """The judge likes A's answers, people like B's."""
    rows: list[Row] = []
    for k in range(400):
        for system, judged, labelled in (
            ("A", k % 10 < 8, k % 10 < 4),
            ("B", k % 10 < 6, k % 10 < 7),
        ):
            rows.append((f"p{k}", system, "judge", "y" if judged else "n"))
            if k % 4 == 0:
                rows.append((f"p{k}", system, "ann", "y" if labelled else "n"))
    found = ga.compare(frame(rows), BINARY)
    said = next(one for one in found.answer if one.key == "compare.beside")
    assert said.facts["turned"]
    assert "the wrong way round" in said.text
    assert found.answer[0].facts["verdict"] == "better"


def test_prompts_pair_answers_whose_items_are_their_own() -> None:
    """An item for each answer and a column of prompts: the same as an item for each prompt."""
    rows = study(2)
    plain = ga.compare(frame(rows), BINARY)
    prompts = [prompt for prompt, *_ in rows]
    apart = [(f"{p}-{s}", s, r, v) for p, s, r, v in rows]
    paired = ga.compare(frame(apart, prompt=prompts), BINARY)
    one, two = gap_of(plain), gap_of(paired)
    assert one.interval is not None
    assert two.interval is not None
    assert (two.value, two.interval.low, two.interval.high) == pytest.approx(
        (one.value, one.interval.low, one.interval.high)
    )


def test_systems_in_other_words_and_order_say_the_same() -> None:
    table = frame(study(3))
    names = {"s00": "zeta", "s01": "beta", "s02": "eta"}
    renamed = table.with_columns(polars.col("system").replace(names)).reverse()
    one, two = gap_of(ga.compare(table, BINARY)), ga.compare(renamed, BINARY)
    (other,) = two.rows_where(name="difference", system="zeta", opponent="beta")
    assert other.result.value == pytest.approx(-one.value)
    assert one.interval is not None
    assert other.result.interval.length == pytest.approx(one.interval.length, rel=0.02)


def test_a_system_without_labels_is_said_so() -> None:
    rows = [row for row in study(3, scale="numbers") if row[1] != "s02" or row[2] == "judge"]
    found = ga.compare(frame(rows), NUMBERS)
    (row,) = found.rows_where(name="difference", system="s02", opponent="s00")
    assert isinstance(row.result, Undefined)
    assert "`s02` has 0 labelled items" in row.result.reason
    assert gap_of(found).declared["simultaneous"] == 1


def test_few_labels_are_a_systems_own_unless_declared_and_it_is_said() -> None:
    rng = np.random.default_rng(6)
    rows: list[Row] = []
    for p in range(300):
        for s in range(3):
            true = rng.random() < 0.5 + 0.15 * s
            seen = true if rng.random() < 0.9 else not true
            rows.append((f"p{p}", f"s{s:02}", "judge", "y" if seen else "n"))
            if p % 30 == s:
                rows.append((f"p{p}", f"s{s:02}", "ann", "y" if true else "n"))
    for task, labels, assumed in (
        (BINARY, "own labels", "corrected with its own labels"),
        (BINARY | {"shared_labels": True}, "labels of all systems", "errs alike on every system"),
    ):
        found = ga.compare(frame(rows), task)
        interval = gap_of(found).interval
        assert interval is not None
        assert f"{labels}, MOVER with covariance" in interval.method
        said = next(one for one in found.notes if one.key == "compare.assumed")
        assert assumed in said.text


def hardly_right(labels: int) -> list[Row]:
    """Three systems, and a judge that is right in .6; some outputs of each are labelled."""
    rng = np.random.default_rng(3)
    rows: list[Row] = []
    for p in range(200):
        for s in range(3):
            true = rng.random() < 0.3 + 0.2 * s
            seen = true if rng.random() < 0.6 else not true
            rows.append((f"p{p}", f"s{s:02}", "judge", "y" if seen else "n"))
            if p < labels:
                rows.append((f"p{p}", f"s{s:02}", "ann", "y" if true else "n"))
    return rows


def test_shared_labels_of_a_judge_near_chance_tell_no_difference() -> None:
    found = ga.compare(frame(hardly_right(12)), BINARY | {"shared_labels": True})
    for row in some(found.rows_where(name="difference")):
        ends = row.result.interval
        assert ends is None or (ends.low, ends.high) == (-1, 1)


# --- what would tell ------------------------------------------------------------------------------


def _estimates(labelled: int, items: int) -> Estimates:
    """Two estimates whose difference has the influence 1 / labels of labelled clusters alone."""
    influence = np.zeros((items, 2))
    influence[:labelled, 0] = np.where(np.arange(labelled) % 2, 1.0, -1.0) / labelled
    shares = np.zeros((items, 2))
    shares[:labelled] = 1 / labelled
    ends = np.zeros(2), np.ones(2)
    times, held = np.ones(items, np.int64), np.ones((items, 2), bool)
    return Estimates(np.zeros(2), lambda level: ends, influence, times, held, shares)


def test_labels_that_would_tell_by_hand() -> None:
    """Variance 1/100 by 100 labels alone: (1.960 + z)^2 / m <= 0.2^2.

    Known, it would take z = 0.954 (power .83) and m = 212.3. With 99 degrees of freedom z = 0.982:
    2.942 x (1 - 1/396) = 1.960 + 0.954 x sqrt(1 + 2.942^2 / 198).
    """
    found = labels_needed(
        _estimates(100, 1000), (0, 1), 0.2, Spread(0.01, 1000, 100, 1.959964), None
    )
    assert found is not None
    assert found.labels is not None
    assert found.labels == pytest.approx(2.9422**2 / 0.04, abs=2)
    # 99 degrees of freedom: 99 / 81.45 (the lower tenth of chi-square) = 1.215 times as many
    assert found.labels_assured == pytest.approx(1.215 * 212.3, rel=0.02)
    assert found.items == pytest.approx(2.9422**2 / 0.004, abs=2)  # with the same share labelled


def test_a_small_pilot_asks_for_more_and_the_assured_number_is_never_less() -> None:
    asked = {}
    for labels in (12, 40, 400):
        known = Spread(1 / labels, 10_000, labels, 1.959964)
        asked[labels] = labels_needed(_estimates(labels, 10_000), (0, 1), 0.1, known, None)
    assert all(one is not None for one in asked.values())
    plain = [one.labels for one in asked.values() if one is not None]
    sure = [one.labels_assured for one in asked.values() if one is not None]
    assert plain[0] > 1.1 * plain[1] > 1.1 * plain[2]
    assert all(a > b for a, b in zip(sure, plain, strict=True))


def test_no_number_of_labels_may_be_enough() -> None:
    found = labels_needed(_estimates(100, 150), (0, 1), 0.1, Spread(0.01, 150, 100, 1.959964), None)
    assert found is not None
    assert found.labels is None
    assert found.items == pytest.approx(150 * 2.9422**2 * 0.01 / 0.01, rel=0.01)


def test_a_margin_is_told_from_nearer() -> None:
    known = Spread(0.01, 1000, 100, 1.959964)
    plain = labels_needed(_estimates(100, 1000), (0, 1), 0.02, known, None)
    margin = labels_needed(_estimates(100, 1000), (0, 1), 0.02, known, 0.18)
    assert plain is not None
    assert margin is not None
    assert plain.labels is None
    assert margin.labels == pytest.approx(217, abs=2)  # .02 + .18 as .2 above
    assert margin.apart_from == -0.18


def test_labels_are_best_spent_where_they_are_few_and_differ() -> None:
    # [label n, label y, not labelled] x [verdict n, verdict y] of two systems
    sure = [[20, 0], [0, 20], [100, 100]]
    doubtful = [[5, 10], [5, 10], [20, 200]]
    found = best_spent(
        ("a", "b"), ("n", "y"), np.array([sure, doubtful], float), np.array([0.0, 1])
    )
    assert found is not None
    assert (found.system, found.verdict) == ("b", "y")
    assert found.gain > 2


# --- gates and refusals ---------------------------------------------------------------------------


def test_a_gate_on_the_lower_end() -> None:
    found = ga.compare(frame(study(2)), BINARY)
    low = gap_of(found).interval.low  # type: ignore[union-attr]
    found.require(f"difference.low > {low - 0.01}")
    with pytest.raises(GateNotMet):
        found.require(f"difference.low > {low + 0.01}")


def test_a_margin_of_the_task() -> None:
    table = frame(study(2, gap=0.05))
    declared = ga.compare(table, {**BINARY, "margin": 0.3})
    given = ga.compare(table, BINARY, margin=0.3)
    assert gap_of(declared).declared == gap_of(given).declared
    assert gap_of(given).declared["verdict"] == "no worse"
    assert gap_of(given).declared["p_no_worse"] < 0.05


LABELLED = study(2, prompts=20)


@pytest.mark.parametrize(
    ("rows", "task", "options", "message"),
    [
        (LABELLED, BINARY, {"margin": -0.02}, "must be a number of at least 0, without a sign"),
        (LABELLED, BINARY, {"margin": float("nan")}, "must be a number of at least 0"),
        (LABELLED, BINARY, {"margin": 2}, "For 2 points write 0.02"),
        (LABELLED, {**BINARY, "margin": "-2%"}, {}, "must be a number of at least 0"),
        (LABELLED, BINARY, {"baseline": "s1"}, "Did you mean 's01'?"),
        (LABELLED, BINARY, {"judge": ["judgee"]}, "Did you mean 'judge'?"),
        (LABELLED, BINARY, {"by": ["topic"]}, "must have a column 'topic'"),
        ([r for r in LABELLED if r[1] == "s00"], BINARY, {}, "at least two systems are compared"),
        ([r for r in LABELLED if r[2] == "judge"], BINARY, {}, "found no rating of kind human"),
        ([r for r in LABELLED if r[2] != "judge"], BINARY, {}, "found no rating of kind judge"),
        (LABELLED, {**BINARY, "scale": "nominal"}, {}, "make these one by [labels]"),
        (LABELLED, {**BINARY, "scale": "nominal", "positive": None}, {}, "positive = [...]"),
    ],
)
def test_bad_input_says_what_is_missing(rows: Any, task: Any, options: Any, message: str) -> None:
    with pytest.raises(InputError) as refused:
        ga.compare(frame(rows), task, **options)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_no_column_of_systems() -> None:
    table = frame(LABELLED).drop("system").unique(["item", "rater"])
    with pytest.raises(InputError, match=r"must have a column 'system'.*\[columns\] system = "):
        ga.compare(table, BINARY)


def test_labels_of_no_judged_item() -> None:
    rows = [(p if r == "judge" else f"x{p}", s, r, v) for p, s, r, v in LABELLED]
    with pytest.raises(InputError, match="Label 30 or more items of each system"):
        ga.compare(frame(rows), BINARY)


def test_the_command(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    from goldassay.cli import main

    path = tmp_path / "ratings.csv"
    frame(study(2, gap=0.9)).write_csv(path)
    task = tmp_path / "task.toml"
    keys = ('scale = "binary"', 'options = ["y", "n"]', 'positive = "y"')
    task.write_text("\n".join([*keys, 'calibration = "random"']))
    with pytest.raises(SystemExit) as ended:
        main(["compare", str(path), "--task", str(task), "--require", "difference.low > 0.9"])
    assert ended.value.code == 1
    assert "`s01` is better than `s00`" in capsys.readouterr().out


# --- several criteria -----------------------------------------------------------------------------


def on_criteria(*criteria: tuple[str, float]) -> Any:
    """Two systems on criteria whose second system is better by so much; ten to one it is seen."""
    rows: list[Row] = []
    names: list[str] = []
    for number, (name, gap) in enumerate(criteria):
        part = study(2, 120, seed=number + 3, gap=gap)
        rows += part
        names += [name] * len(part)
    return ga.compare(frame(rows, criterion=names), BINARY)


def test_each_criterion_has_its_sentence_and_its_line() -> None:
    found = on_criteria(("style", 2.0), ("depth", -2.0))
    depth, style = found.answer
    assert depth.text.startswith("On `depth`: `s01` is worse than `s00`: ")
    assert style.text.startswith("On `style`: `s01` is better than `s00`: ")
    assert [line.label for line in found.summary.lines] == ["depth: s01 − s00", "style: s01 − s00"]
    told = [one.text for one in found.notes if one.key != "compare.assumed"]
    assert told
    assert all(text.startswith(("On `depth`: ", "On `style`: ")) for text in told)
    labels = [dot.label for dot in found.pictures[0].rows]
    assert list(dict.fromkeys(labels)) == [line.label for line in found.summary.lines]


def test_many_criteria_are_told_in_one_sentence() -> None:
    criteria = (("a", 2.0), ("b", -2.0), ("c", 2.0), ("d", 0.0))
    (said,) = on_criteria(*criteria).answer
    assert said.facts["verdicts"]["b"] == "worse"
    assert said.text.startswith("`s01` against `s00`: better on `a` and `c`; worse on `b`")


def test_one_criterion_is_not_named() -> None:
    found = on_criteria(("style", 2.0))
    assert found.answer[0].text.startswith("`s01` is better than `s00`: ")
    assert found.summary.lines[0].label == "s01 − s00"


def test_another_judge_is_named_in_its_sentence() -> None:
    rows = study(2, 120)
    judged = [row for row in rows if row[2] == "judge"]
    turned = {"y": "n", "n": "y"}
    other = [
        (p, s, "judge-2", turned[value] if k % 5 == 0 else value)
        for k, (p, s, _, value) in enumerate(judged)
    ]
    notes = ga.compare(frame([*rows, *other]), BINARY).notes
    said = [one for one in notes if one.key == "compare.verdict"]
    assert [one.text.partition(": ")[0] for one in said] == [f"By `{said[0].about['judge']}`"]


def test_a_judge_by_whom_it_comes_out_the_same_is_told_so() -> None:
    rows = study(2, 120)
    rows += [(p, s, "judge-2", value) for p, s, rater, value in rows if rater == "judge"]
    notes = ga.compare(frame(rows), BINARY).notes
    assert not [one for one in notes if one.key == "compare.verdict"]
    (same,) = [one for one in notes if one.key == "compare.same"]
    assert same.text == f"By {same.facts['by'][0]} it comes out the same."


# --- pictures -------------------------------------------------------------------------------------


def test_a_picture_has_the_direction_order_and_unit_of_the_table() -> None:
    found = ga.compare(frame(study(3, 200)), BINARY)
    (chart,) = found.pictures
    first = [dot for dot in chart.rows if dot.group == "corrected"]
    lines = found.summary.lines
    assert [dot.label for dot in first] == [line.label for line in lines]
    assert [dot.value for dot in first] == [line.cells[0].value for line in lines]
    assert chart.points
    assert chart.x_label == "difference of true rates, points"
    means = ga.compare(frame(study(2, 100, scale="ordinal")), ORDINAL)
    assert not means.pictures[0].points


def test_what_is_needed_rests_on_the_labels_of_one_system(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two of five prompts are labelled: of 50 items of each system, 20."""
    seen: list[Spread] = []

    def noted(estimates: Any, pair: Any, difference: float, known: Spread, margin: Any) -> None:
        seen.append(known)

    monkeypatch.setattr("goldassay.questions.compare.study.labels_needed", noted)
    ga.compare(frame(study(2, prompts=50, gap=0.2, seed=3)), BINARY)
    ((items, labels),) = {(one.items, one.labels) for one in seen}
    assert (items, labels) == (50, 20)
