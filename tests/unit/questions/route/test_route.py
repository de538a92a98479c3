"""Where may the judge decide alone? By hand, against a plain twin, and what is refused."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from lookup import some
from naive_ratings import NaiveStudy
from naive_routes import NaiveRoute, holds_until

import goldassay as ga
from goldassay.cli import command_line
from goldassay.errors import InputError
from goldassay.findings import Findings
from goldassay.inference.risk_control import labels_needed
from goldassay.questions.route.shift import _sorts
from goldassay.questions.route.thresholds import shortest_between
from goldassay.results import Estimate, Undefined

BINARY: dict[str, Any] = {
    "scale": "binary",
    "options": ["yes", "no"],
    "positive": "yes",
    "calibration": "random",
}
Row = dict[str, Any]


def judged(item: int, value: str, score: float | None = None, **more: Any) -> Row:
    row = {"item": f"i{item:05}", "rater": "gpt", "kind": "judge", "value": value, "score": score}
    return row | more


def labelled(item: int, value: str, **more: Any) -> Row:
    row = {"item": f"i{item:05}", "rater": "ann", "kind": "human", "value": value, "score": None}
    return row | more


def frame(rows: Iterable[Row]) -> Any:
    polars = pytest.importorskip("polars")
    return polars.DataFrame(list(rows), infer_schema_length=None)


def study(
    size: int = 600, labels: int = 300, *, seed: int = 1, error: float = 0.5, power: float = 4
) -> list[Row]:
    """Items whose judge errs with chance error x doubt^power; its score falls with doubt."""
    rng = np.random.default_rng(seed)
    rows = []
    for item in range(size):
        truth, doubt = rng.random() < 0.4, rng.random()
        said = bool(truth) != bool(rng.random() < error * doubt**power)
        score = round(1 - doubt / 2 if said else doubt / 2, 3)
        rows.append(judged(item, "yes" if said else "no", score))
        if item < labels:
            rows.append(labelled(item, "yes" if truth else "no"))
    return rows


def value(found: Findings, name: str, judge: str = "gpt") -> float:
    result = found[name, judge]
    assert isinstance(result, Estimate)
    return result.value


# --- thresholds ---------------------------------------------------------------------------------


def test_two_hundred_items_by_hand() -> None:
    # Scores 1, .9975, ...; right on the first 150, wrong on the others. Steps grow by 2 %: 152
    # labels have 2 errors, which they allow (P(X <= 2) = .017, P(X <= 3) = .051); 156 have 6, of
    # which they allow 3. The 152nd score is .6225, the next one .62.
    rows = [judged(i, "yes", 1 - i / 400) for i in range(200)]
    rows += [labelled(i, "yes" if i < 150 else "no") for i in range(200)]
    found = ga.route(frame(rows), BINARY)
    assert value(found, "threshold") == 0.622
    assert value(found, "share_decided") == 152 / 200
    assert value(found, "error_beyond") == pytest.approx(2 / 152)
    interval = found["error_beyond", "gpt"].interval
    assert interval is not None
    assert (interval.low, interval.high) == (0.0, 0.05)
    rule = found.answer[0].facts
    assert (rule["decided"], rule["items"], rule["labels"]) == (152, 200, 200)
    assert found.answer[1].facts["errors"] == 2


@pytest.mark.parametrize("seed", range(6))
def test_the_threshold_of_a_plain_twin(seed: int) -> None:
    rows = study(500, 250, seed=seed, error=[0.3, 0.6][seed % 2], power=[2, 6][seed % 2])
    found = ga.route(frame(rows), BINARY, risk=[0.05, 0.1, 0.2][seed % 3])
    naive = NaiveRoute(NaiveStudy(rows, BINARY), "gpt", "score")
    risk = [0.05, 0.1, 0.2][seed % 3]
    known = [
        (naive.decisions[unit][1], 1 - label.get(naive.decisions[unit][0], 0.0))
        for unit, label in naive.labels.items()
    ]
    plain = holds_until(known, risk, 0.05)
    result = found["threshold", "gpt"]
    if plain is None:
        assert isinstance(result, Undefined)
    else:
        assert isinstance(result, Estimate)
        assert result.declared["labels"] == plain[1]
        beyond = [sure for sure, _ in known if sure >= result.value]
        assert (len(beyond), min(beyond)) == (plain[1], plain[0])
    for sentence in found.answer[:2]:
        told = naive.facts(found.answer[0].facts["thresholds"])
        for key in some(told.keys() & sentence.facts.keys()):
            assert told[key] == pytest.approx(sentence.facts[key])


def test_sides_share_the_level() -> None:
    rows = study(1000, 800, seed=4)
    found = ga.route(frame(rows), BINARY, by_side=True)
    naive = NaiveRoute(NaiveStudy(rows, BINARY), "gpt", "score")
    for side in ("yes", "no"):
        known = [
            (naive.decisions[unit][1], 1 - label.get(side, 0.0))
            for unit, label in naive.labels.items()
            if naive.decisions[unit][0] == side
        ]
        plain = holds_until(known, 0.05, 0.025)
        (row,) = found.rows_where(name="threshold", judge="gpt", option=side)
        assert plain is not None
        assert isinstance(row.result, Estimate)
        assert row.result.declared["labels"] == plain[1]
    assert "with a score of" in found.answer[0].text


def test_labels_drawn_by_verdict_are_decided_by_side() -> None:
    found = ga.route(frame(study(1000, 600)), BINARY | {"calibration": "by_verdict"})
    assert not found.rows_where(name="threshold", judge="gpt", option=None)
    assert len(found.rows_where(name="threshold", judge="gpt")) == 2
    assert value(found, "share_decided") > 0.3


def test_a_score_that_is_no_probability_is_decided_by_side() -> None:
    rows = study(800, 600)
    odds = [
        row if row["score"] is None else row | {"score": 10 * (row["score"] - 0.5)} for row in rows
    ]
    found = ga.route(frame(odds), BINARY)
    assert {row.about.get("option") for row in found.rows_where(name="threshold")} == {"yes", "no"}
    # The same order, and so the same items, as the probability by side.
    sides = ga.route(frame(rows), BINARY, by_side=True)
    assert value(found, "share_decided") == value(sides, "share_decided")


def test_the_shortest_number_parts_them() -> None:
    # Between .914 (not decided) and .9372 (decided): .92 and .93 have two decimals, 1 has none.
    assert shortest_between(np.array([0.914, 0.9372, 0.95]), 0.9372) == 0.93
    assert shortest_between(np.array([0.2, 0.9, 1.0]), 0.9) == 0.9
    # Everything is decided: the least sureness there is.
    assert shortest_between(np.array([0.61, 0.9]), 0.61) == 0.61


# --- other signals -------------------------------------------------------------------------------


def answers(item: int, said: str) -> list[Row]:
    """A judge asked several times, one letter for each answer."""
    words = {"y": "yes", "n": "no"}
    return [judged(item, words[one], sample=str(k)) for k, one in enumerate(said)]


def test_the_share_of_agreeing_answers() -> None:
    # 100 items on which five answers agree, all right; 60 with four of five, 20 of them wrong.
    rows = [row for item in range(100) for row in answers(item, "yyyyy" if item % 2 else "nnnnn")]
    rows += [row for item in range(100, 160) for row in answers(item, "yyyny")]
    rows += [labelled(item, "yes" if item % 2 else "no", sample="0") for item in range(100)]
    rows += [labelled(item, "yes" if item >= 120 else "no", sample="0") for item in range(100, 160)]
    found = ga.route(frame(rows), BINARY)
    assert value(found, "threshold") == 1.0
    assert value(found, "share_decided") == 100 / 160
    assert "all of its answers agree" in found.answer[0].text
    assert found.answer[0].facts["signal"] == "repeats"


def test_agreement_among_judges() -> None:
    rows: list[Row] = []
    for item in range(150):
        says = ("yes", "yes", "yes") if item < 100 else ("yes", "yes", "no")
        for judge, said in zip("abc", says, strict=True):
            rows.append(judged(item, said) | {"rater": judge})
        rows.append(labelled(item, "yes" if item < 100 or item % 2 else "no"))
    found = ga.route(frame(rows), BINARY)
    assert value(found, "threshold", "majority") == 1.0
    assert value(found, "share_decided", "majority") == 100 / 150
    assert "The majority of 3 judges may decide alone where all of the 3 judges agree" in str(
        found.answer[0]
    )


def test_confidence_of_three_options() -> None:
    task = {"scale": "nominal", "options": ["a", "b", "c"], "calibration": "random"}
    rows = [judged(i, "abc"[i % 3], 1 - i / 400) for i in range(200)]
    rows += [labelled(i, "abc"[(i + (i >= 150)) % 3]) for i in range(200)]
    found = ga.route(frame(rows), task)
    assert value(found, "threshold") == 0.622  # as by hand above
    assert len(found.rows_where(name="threshold")) == 4


# --- what is left to people -------------------------------------------------------------------


def test_what_is_left_is_listed_least_sure_first(tmp_path: Path) -> None:
    rows = study(600, 300)
    rows.append(judged(700, "garbled", 0.9))
    path = tmp_path / "people.csv"
    found = ga.route(frame(rows), BINARY | {"invalid": ["garbled"]}, next=str(path))
    listed = [row["item"] for row in csv.DictReader(path.read_text().splitlines())]
    assert found.more["next"]["rows"] == [[item] for item in listed]
    assert listed[0] == "i00700"  # no verdict at all
    naive = NaiveRoute(NaiveStudy(rows, BINARY | {"invalid": ["garbled"]}), "gpt", "score")
    stands = set(naive.beyond(found.answer[0].facts["thresholds"]))
    left = {unit[0] for unit in naive.pool if unit not in stands and unit not in naive.labels}
    assert set(listed) == left
    sure = {unit[0]: at[1] for unit, at in naive.decisions.items()}
    order = [sure[item] for item in listed[1:]]
    assert order == sorted(order)
    assert found.answer[1].facts["left_unlabelled"] == len(listed)


# --- nothing qualifies, and what would --------------------------------------------------------


def test_nothing_qualifies_and_what_would() -> None:
    rows = study(600, 300, error=0.6, power=0.5)
    found = ga.route(frame(rows), BINARY)
    assert isinstance(found["threshold", "gpt"], Undefined)
    assert value(found, "share_decided") == 0
    facts = found.answer[0].facts
    assert facts["holds"] is False
    assert found.answer[0].text.startswith("No threshold of the score is shown to hold")
    instead = facts["risk_instead"]
    assert instead > 0.05
    assert value(ga.route(frame(rows), BINARY, risk=instead), "share_decided") > 0
    assert value(ga.route(frame(rows), BINARY, risk=instead - 0.005), "share_decided") == 0


def test_too_few_labels_say_how_many_would_do() -> None:
    rows = study(300, 40, error=0.0)
    found = ga.route(frame(rows), BINARY)
    result = found["threshold", "gpt"]
    assert isinstance(result, Undefined)
    assert result.reason == "40 of the 59 labels that it takes at least"
    assert found.answer[0].facts["labels_instead"] == 59


# --- a shift, clusters, strata -----------------------------------------------------------------


def test_a_shift_is_found_and_labels_are_weighed() -> None:
    rng = np.random.default_rng(2)
    rows = []
    for item in range(3000):
        truth, doubt = rng.random() < 0.5, rng.random()
        said = bool(truth) != bool(rng.random() < 0.3 * doubt**2)
        score = round(1 - doubt / 2 if said else doubt / 2, 3)
        rows.append(judged(item, "yes" if said else "no", score))
        if rng.random() < 0.5 * (1 - doubt):  # sure ones are labelled more often
            rows.append(labelled(item, "yes" if truth else "no"))
    found = ga.route(frame(rows), BINARY, risk=0.08)
    (shift,) = (one for one in found.notes if one.key == "route.shift")
    assert shift.facts["found"] is True
    assert shift.facts["labelled"] > shift.facts["waiting"]
    assert any("not like the labelled ones" in one for one in found.warnings)
    # Error up to doubt d is .1 d^2 among all, and at most 8 % up to d = .894.
    assert 0.5 < value(found, "share_decided") <= 0.894


def test_no_shift_among_random_labels() -> None:
    seen = []
    for seed in range(20):
        found = ga.route(frame(study(400, 200, seed=seed)), BINARY)
        (shift,) = (one for one in found.notes if one.key == "route.shift")
        seen.append(shift.facts["found"])
    assert sum(seen) <= 4  # 1 expected; five or more with chance .003


def test_clusters_cost() -> None:
    rows = study(600, 300)
    for k, row in enumerate(rows):
        row["prompt"] = f"p{k // 20}"
    whole = {row["item"]: row["prompt"] for row in rows}
    for row in rows:
        row["prompt"] = whole[row["item"]]
    alone = ga.route(frame(rows), BINARY)
    together = ga.route(frame(rows), BINARY | {"cluster": "prompt"})
    assert value(together, "share_decided") <= value(alone, "share_decided")


# --- what is refused -----------------------------------------------------------------------------


def refused(rows: list[Row], task: dict[str, Any] = BINARY, **options: Any) -> str:
    with pytest.raises(InputError) as raised:
        ga.route(frame(rows), task, **options)
    text = str(raised.value)
    assert "\n" not in text
    return text


def test_one_message_each() -> None:
    rows = study(100, 60)
    assert "--risk: lies between 0 and 1" in refused(rows, risk=0.0)
    assert "--risk: lies between 0 and 1" in refused(rows, risk=1.0)
    assert "--confidence: lies between 0 and 1" in refused(rows, confidence=1.5)
    assert "--signal: is score, confidence, repeats or judges" in refused(rows, signal="hunch")
    assert "--judge: must be a judge" in refused(rows, judge=["claude"])
    constant = [row if row["score"] is None else row | {"score": 0.5} for row in rows]
    assert "scores must differ" in refused(constant, signal="confidence")
    bare = [{k: v for k, v in row.items() if k != "score"} for row in rows]
    assert "must tell how sure the judge is" in refused(bare)
    assert "must have a score of the judge's" in refused(bare, signal="score")
    assert "several answers" in refused(rows, signal="repeats")
    assert "several judges" in refused(rows, signal="judges")
    assert "people's labels" in refused([row for row in rows if row["kind"] == "judge"])
    assert "cannot tell the error" in refused(rows, BINARY | {"calibration": "by_label"})
    apart = [row if row["kind"] == "judge" else row | {"item": "x" + row["item"]} for row in rows]
    assert "must have people's labels of items" in refused(apart)


def test_two_judges_may_decide_where_both_agree() -> None:
    """A split of two has no majority, and a verdict of one alone is none: both are left."""
    bare = [row | {"score": None} for row in study(100, 60)]
    other = [
        row | {"rater": "second", "value": bare[(n + 7) % len(bare)]["value"]}
        for n, row in enumerate(bare)
        if row["kind"] == "judge"
    ]
    found = ga.route(frame([*bare, *other]), BINARY)
    (first, *_) = found.answer
    assert first.text.startswith("Where both judges agree, the error is not shown to be at most")
    alone = ga.route(frame([*bare, *other[20:]]), BINARY)  # one of them is silent on 20 items
    assert alone.answer[0].facts["labels"] < first.facts["labels"]
    same = [row | {"rater": "second"} for row in bare if row["kind"] == "judge"]
    assert "the judges must differ" in refused([*bare, *same])


def test_two_judges_that_are_right_where_they_agree_may_decide() -> None:
    rows = []
    for n in range(300):
        truth = "yes" if n % 2 else "no"
        other = "no" if n % 2 else "yes"
        about = {"item": f"i{n}"}
        rows.append({**about, "rater": "a", "kind": "judge", "value": truth})
        rows.append({**about, "rater": "b", "kind": "judge", "value": truth if n % 3 else other})
        rows.append({**about, "rater": "ann", "kind": "human", "value": truth})
    found = ga.route(frame(rows), BINARY)
    text = found.answer[0].text
    assert text.startswith("The two judges may decide alone where both agree: 200 of 300 items")


def test_a_score_that_means_something_else_is_refused() -> None:
    sure = [
        row if row["score"] is None else row | {"score": max(row["score"], 1 - row["score"])}
        for row in study(200, 100)
    ]
    assert "--signal confidence" in refused(sure)
    assert ga.route(frame(sure), BINARY, signal="confidence").rows


def test_numbers_have_no_verdicts() -> None:
    rows = [judged(i, str(i % 7)) for i in range(50)] + [labelled(i, "3") for i in range(50)]
    assert "no verdicts that could be right or wrong" in refused(rows, {"scale": "continuous"})


# --- verdicts without a label, and what more labels would do ------------------------------------


def one_sided(**more: Any) -> list[Row]:
    """Every yes up to item 300 has a label and is right; no `no` has one, and all are wrong."""
    rows = []
    for item in range(1000):
        yes = item % 5 < 3
        sure = 0.5 + (item % 499) / 1000
        rows.append(judged(item, "yes" if yes else "no", sure if yes else 1 - sure, **more))
        if yes and item < 500:
            rows.append(labelled(item, "yes", **more))
    return rows


def test_a_verdict_without_any_label_is_not_decided() -> None:
    found = ga.route(frame(one_sided()), BINARY)
    rule = found.answer[0]
    assert rule.facts["decided"] <= 600  # 600 of 1,000 say yes
    assert value(found, "share_decided") <= 0.6
    assert "`no`" not in rule.text
    told = (
        "400 items with the verdict `no` are left to people: no label tells how often it is wrong."
    )
    assert told in found.warnings


def test_confidence_leaves_out_the_verdict_without_a_label() -> None:
    rows = [
        row if row["value"] == "yes" or row["score"] is None else {**row, "score": 1 - row["score"]}
        for row in one_sided()
    ]
    found = ga.route(frame(rows), BINARY, signal="confidence")
    assert ", unless on `no`: " in found.answer[0].text
    assert found.answer[0].facts["decided"] <= 600


def test_verdicts_are_compared_as_sureness_is() -> None:
    """Labels are of yes in nine of ten, items in five of ten, equally sure: that is a shift."""
    rng = np.random.default_rng(3)
    rows = []
    for item in range(2000):
        yes, sure = rng.random() < 0.5, 0.5 + round(rng.random() / 2, 3)
        rows.append(judged(item, "yes" if yes else "no", sure if yes else 1 - sure))
        if rng.random() < (0.27 if yes else 0.03):
            rows.append(labelled(item, "yes" if yes else "no"))
    found = ga.route(frame(rows), BINARY)
    (shift,) = (one for one in found.notes if one.key == "route.shift")
    assert shift.facts["found"] is True
    assert "(p under 0.0001; sureness " in shift.text


def test_verdicts_too_rare_to_compare_stand_together() -> None:
    # 1,000 units, 10 % labelled: verdicts 2 and 3 would have 10 and 6 labels, together 16; the
    # others 50 and 34, which are 3 and 2 bins of 15.
    verdict = np.repeat([0, 1, 2, 3], [500, 340, 100, 60])
    sort = _sorts(verdict, np.linspace(0, 1, 1000), 0.1)
    assert [len(np.unique(sort[verdict == v])) for v in range(4)] == [3, 2, 1, 1]
    assert set(sort[verdict == 2]) == set(sort[verdict == 3])
    # Alone, 100 units have 10 labels: they stand with the most frequent verdict.
    few = _sorts(np.repeat([0, 1], [900, 100]), np.zeros(1000), 0.1)
    assert set(few) == {0}


def test_items_without_a_verdict_keep_the_clusters_of_the_others() -> None:
    rows = study(600, 300)
    whole = {row["item"]: f"p{int(row['item'][1:]) // 20}" for row in rows}
    rows = [{**row, "prompt": whole[row["item"]]} for row in rows]
    task = BINARY | {"cluster": "prompt"}
    clustered = ga.route(frame(rows), task)["share_decided", "gpt"]
    rows[0]["score"] = None
    found = ga.route(frame(rows), task)["share_decided", "gpt"]
    assert isinstance(found, Estimate)
    assert isinstance(clustered, Estimate)
    assert clustered.n_clusters == 30
    assert found.n_clusters == 30  # those of the items, whether they have a verdict or not


def test_more_labels_are_more_than_there_are() -> None:
    said = set()
    for seed in range(12):
        for by_side in (False, True):
            rows = study(800, 200, seed=seed, error=0.25, power=1)
            facts = ga.route(frame(rows), BINARY, by_side=by_side).answer[0].facts
            if (more := facts.get("labels_instead")) is not None:
                assert more > facts["labels"]
                said.add(by_side)
    assert said == {False, True}


@pytest.mark.parametrize(("risk", "labels"), [(0.04, 128), (0.03, 1658)])
def test_the_step_that_is_tested_first_must_hold(risk: float, labels: int) -> None:
    # 100 labels: 50 surer ones with 1 error, 50 others with none, that is 2 % and 1 % of all.
    # A limit of 4 % takes 74 labels at least: from 148 in all on the surer half is tested first,
    # but 128 show it of all. One of 3 % takes 99: with the 216 that would show it of all, the surer
    # half, 108, is tested first, and 829 of these show it.
    rows = [judged(i, "yes", 0.9 if i < 50 else 0.8) for i in range(100)]
    rows += [labelled(i, "no" if i == 0 else "yes") for i in range(100)]
    assert [labels_needed(risk, 0.05, share) for share in (0.0, 0.01, 0.02)] == (
        [74, 128, 280] if risk == 0.04 else [99, 216, 829]
    )
    assert ga.route(frame(rows), BINARY, risk=risk).answer[0].facts["labels_instead"] == labels


def test_nothing_left_is_not_said() -> None:
    rows = [judged(i, "yes", 1 - i / 400) for i in range(200)]
    rows += [labelled(i, "yes") for i in range(200)]
    said = ga.route(frame(rows), BINARY).answer[1].text
    assert said == "Of 200 labelled decisions there, none were wrong."


def test_an_undefined_side_says_that_it_is_one() -> None:
    found = ga.route(frame(one_sided()), BINARY)
    (result,) = (
        row.result for row in found.rows_where(name="threshold") if row.about.get("option") == "no"
    )
    assert isinstance(result, Undefined)
    assert result.reason == "none of these verdicts has a label (by side)"


def test_what_cannot_be_delivered_writes_no_list(tmp_path: Path) -> None:
    frame(study(300, 100)).write_csv(tmp_path / "r.csv")
    left = tmp_path / "left.csv"
    asked = ["route", str(tmp_path / "r.csv"), "--next", str(left)]
    for wrongly in (["--require", "threshold >"], ["--out", str(tmp_path / "no" / "page.html")]):
        assert command_line([*asked, *wrongly]) == 2
        assert not left.exists()
