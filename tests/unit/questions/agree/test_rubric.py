"""Whole items by a weighted sum of criteria with a threshold: by hand, and on LLM-Rubric."""

from __future__ import annotations

import csv
import itertools
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from published_ratings import shared_data
from sklearn.metrics import cohen_kappa_score

import goldassay as ga
from goldassay.errors import TaskError
from goldassay.findings import Findings
from goldassay.questions.agree.rubric import WeightedSum, weighted_sum
from goldassay.ratings.cut import Cut
from goldassay.ratings.task import Task

TASK = {
    "scale": "binary",
    "options": ["MET", "UNMET"],
    "positive": "MET",
    "item_rule": ">= 0.7",
    "criteria": {
        "true": {"text": "States nothing false.", "weight": 3},
        "clear": {"weight": 1},
        "cites": {"weight": 1},
        "rude": {"weight": -2},
    },
}
CRITERIA = ("true", "clear", "cites", "rude")
#: Ten items: what people and the judge find met of (true, clear, cites, rude). The weights sum to 5
#: without the fault: met are sums of 3.5 and more.
TEN = [
    ("1110", "1110"),  # 5 and 5: pass, pass
    ("1100", "1010"),  # 4 and 4: pass, pass
    ("1000", "1100"),  # 3 and 4: fail, pass
    ("1111", "1110"),  # 3 and 5: fail, pass
    ("0110", "0110"),  # 2 and 2: fail, fail
    ("1110", "0110"),  # 5 and 2: pass, fail
    ("0000", "0001"),  # 0 and -2: fail, fail
    ("1100", "1101"),  # 4 and 2: pass, fail
    ("1010", "1110"),  # 4 and 5: pass, pass
    ("0011", "0111"),  # -1 and 0: fail, fail
]


def table(pairs: list[tuple[str, str]]) -> pl.DataFrame:
    rows = []
    for item, (people, judge) in enumerate(pairs):
        for place, criterion in enumerate(CRITERIA):
            for rater, kind, met in (("ann", "human", people), ("gpt", "judge", judge)):
                value = {"1": "MET", "0": "UNMET", "?": "CA"}[met[place]]
                row = {"item": str(item), "criterion": criterion, "rater": rater, "kind": kind}
                rows.append({**row, "value": value})
    return pl.DataFrame(rows)


def item_level(found: Findings, name: str) -> Any:
    (row,) = found.rows_where(name=name, judge="gpt", level="item")
    return row.result


def test_ten_items_by_hand() -> None:
    found = ga.agree(table(TEN), TASK, resamples=200)
    # Both pass 3 times, both fail 3 times; 2 fail only with the judge, 2 only with people.
    accuracy = item_level(found, "accuracy")
    assert accuracy.value == pytest.approx(6 / 10)
    assert accuracy.n_items == 10
    # People pass 5, the judge 5: chance .5, kappa (.6 - .5) / .5.
    assert item_level(found, "cohen_kappa").value == pytest.approx(0.2)
    assert accuracy.declared["item_rule"] == "MET when the weighted share of criteria met is >= 0.7"
    (said,) = [one for one in (*found.answer, *found.notes) if one.key == "agree.item"]
    assert said.facts["value"] == accuracy.value
    assert "when the weighted share of criteria met is >= 0.7" in said.text


def test_weights_and_threshold_change_it() -> None:
    plain = {key: value for key, value in TASK.items() if key not in ("item_rule", "criteria")}
    rule = ga.agree(table(TEN), {**plain, "item_rule": ">= 0.7"}, resamples=100)
    all_met = ga.agree(table(TEN), plain, resamples=100)
    named = ga.agree(table(TEN), {**plain, "item_rule": "all"}, resamples=100)
    assert item_level(named, "accuracy").value == item_level(all_met, "accuracy").value
    # Equal weights, the fault counted like the rest: 3 of 4 criteria pass.
    expected = [a.count("1") >= 3 for a, _ in TEN], [b.count("1") >= 3 for _, b in TEN]
    agreed = np.mean(np.equal(*expected))
    assert item_level(rule, "accuracy").value == pytest.approx(agreed)


def test_an_abstention_decides_only_where_the_verdict_hangs_on_it() -> None:
    """Class of its own: 'true' open is 2 to 5 of 5; 'cites' open is 4 to 5, which passes."""
    task = {**TASK, "abstain": ["CA"], "abstentions": "class"}
    found = ga.agree(table([("1110", "?110"), ("1110", "11?0"), ("0000", "0?00")]), task)
    # The judge's verdicts: abstained, MET, UNMET against MET, MET, UNMET.
    assert item_level(found, "accuracy").value == pytest.approx(2 / 3)


def test_an_excluded_abstention_leaves_out_the_items_that_hang_on_it() -> None:
    task = {**TASK, "abstain": ["CA"]}
    found = ga.agree(table([("1?10", "1100"), ("0100", "?100"), ("0?00", "1110")]), task)
    # First: people 4 to 5 of 5, the judge 4: both pass. Second: the judge 1 to 4, which may be
    # either. Third: people 0 to 1, the judge 5.
    accuracy = item_level(found, "accuracy")
    assert (accuracy.value, accuracy.n_items) == (0.5, 2)
    assert "1 item of 3 left out" in accuracy.warnings[-1]
    assert "from 33 % to 67 %" in accuracy.warnings[-1]


def test_shares_of_criteria_are_summed_over_all_ways_to_fall() -> None:
    rng = np.random.default_rng(3)
    rule = WeightedSum(0, Cut.of(">= 0.6"))
    shares = rng.dirichlet([1, 1, 0.3, 0.3], size=5)
    weights = np.array([3.0, 1, 1, -2, 0.5])
    whole = weights[weights > 0].sum()
    expected = np.zeros(4)
    for fallen in itertools.product(range(4), repeat=5):
        chance = np.prod([shares[k, at] for k, at in enumerate(fallen)])
        met = sum(w for w, at in zip(weights, fallen, strict=True) if at == 0)
        left = [(w, at) for w, at in zip(weights, fallen, strict=True) if at > 1]
        low = met + sum(min(w, 0) for w, _ in left)
        high = met + sum(max(w, 0) for w, _ in left)
        passes = [round(x / whole, 9) >= 0.6 for x in (low, high)]
        at = 0 if all(passes) else 1 if not any(passes) else max(at for _, at in left)
        expected[at] += chance
    found = weighted_sum(rule, shares, weights, np.zeros(5, np.int64), 1)
    assert found[0] == pytest.approx(expected)
    assert found.sum() == pytest.approx(1)


def test_declared_in_toml() -> None:
    task = Task.from_mapping(TASK)
    assert task.criterion_weights == {"true": 3.0, "clear": 1.0, "cites": 1.0, "rude": -2.0}
    assert task.criteria["true"] == "States nothing false."
    assert Task.from_mapping(task.to_json()) == task


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"item_rule": "most"}, 'must be "all" or a comparison'),
        ({"item_rule": None}, "weigh in the share that item_rule names"),
        ({"item_rule": "all"}, "weigh in the share that item_rule names"),
        ({"criteria": {"true": {"weight": 0}}}, "a number other than 0"),
        ({"criteria": {"true": {"wieght": 2}}}, "has the keys text and weight"),
        ({"criterion_weights": {"true": 2}}, "stand in [criteria] already"),
    ],
)
def test_wrong_declarations(change: dict[str, Any], message: str) -> None:
    with pytest.raises(TaskError) as raised:
        Task.from_mapping({key: v for key, v in {**TASK, **change}.items() if v is not None})
    assert message in str(raised.value)


def test_a_rule_of_items_needs_what_is_met() -> None:
    with pytest.raises(TaskError, match="met or not"):
        Task.from_mapping({"scale": "nominal", "options": ["a", "b"], "item_rule": ">= 0.5"})


def test_llm_rubric(tmp_path: Path) -> None:
    """Nine questions of real dialogues, of which 3 and 4 are met: against a naive program."""
    source = shared_data() / "llm_rubric/data/real_data"
    example = Path(__file__).resolve().parents[4] / "examples" / "agree_llm_rubric"
    ratings = tmp_path / "ratings.csv"
    convert = [sys.executable, str(example / "convert.py"), str(source), str(ratings), "verdict"]
    subprocess.run(convert, check=True, capture_output=True)
    with ratings.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    names = sorted({row["criterion"] for row in rows})
    weights = {name: 1.0 + place % 3 for place, name in enumerate(names)}
    task = {
        "scale": "ordinal",
        "options": ["1", "2", "3", "4"],
        "abstain": ["0"],
        "cut": ">= 3",
        "item_rule": ">= 0.75",
        "criterion_weights": weights,
    }
    found = ga.agree(str(ratings), task, resamples=100)
    (judge,) = {row.about["judge"] for row in found.rows if row.about.get("judge")}
    met: dict[str, dict[str, dict[str, bool | None]]] = defaultdict(lambda: defaultdict(dict))
    for row in rows:
        verdict = None if row["value"] == "0" else float(row["value"]) >= 3
        met[row["item"]][row["kind"]][row["criterion"]] = verdict
    sides = []
    for given in met.values():
        both = given["human"].keys() & given["judge"].keys()
        assert both == given["human"].keys()
        whole, said = sum(weights[name] for name in both), []
        for kind in ("human", "judge"):
            fewest = sum(weights[name] for name in both if given[kind][name]) / whole
            open_ = sum(weights[name] for name in both if given[kind][name] is None) / whole
            passes = {fewest >= 0.75, fewest + open_ >= 0.75}
            said.append(passes.pop() if len(passes) == 1 else None)
        if None not in said:
            sides.append(tuple(said))
    (accuracy,) = found.rows_where(name="accuracy", judge=judge, level="item")
    (kappa,) = found.rows_where(name="cohen_kappa", judge=judge, level="item")
    assert accuracy.result.n_items == len(sides)
    assert accuracy.result.value == pytest.approx(np.mean([a == b for a, b in sides]))
    assert kappa.result.value == pytest.approx(cohen_kappa_score(*zip(*sides, strict=True)))
    assert len(Counter(sides)) > 2
