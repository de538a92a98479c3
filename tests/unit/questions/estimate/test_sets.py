"""Sets of options of single items: by hand, refused, and their coverage on three published sets."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from published_ratings import shared_data

import goldassay as ga
from goldassay.errors import UsageError
from goldassay.questions.estimate.multinomial import rates_by_confusion
from goldassay.questions.estimate.sets import Labels, by_probability, by_verdict, threshold
from goldassay.results import Undefined

ROOT = Path(__file__).resolve().parents[4]
BINARY = {"scale": "binary", "options": ["yes", "no"], "positive": "yes", "calibration": "random"}


def test_a_threshold_by_hand() -> None:
    unlike, ones = np.arange(1.0, 11), np.ones(10)
    # The item itself is the eleventh: of eleven, 90 % are 9.9, which ten reach.
    assert threshold(unlike, ones, 1.0, 0.1) == 10
    assert threshold(unlike, ones, 1.0, 0.2) == 9  # 8.8
    assert threshold(unlike, ones, 1.0, 0.05) == np.inf  # 10.45
    # An item of more weight needs more of the others.
    assert threshold(unlike, ones, 2.0, 0.2) == 10  # 9.6


#: Ten labelled items: the person's label and the judge's probability of yes; then four to come.
TEN = [
    ("yes", 0.9),
    ("yes", 0.8),
    ("yes", 0.7),
    ("no", 0.6),
    ("yes", 0.6),
    ("no", 0.4),
    ("no", 0.3),
    ("yes", 0.2),
    ("no", 0.1),
    ("no", 0.1),
]


def table(scores: list[float], labels: list[str], **more: list[str]) -> pl.DataFrame:
    rows = []
    for item, score in enumerate(scores):
        common = {"item": str(item), **{key: values[item] for key, values in more.items()}}
        value = "yes" if score >= 0.5 else "no"
        rows.append({**common, "rater": "gpt", "kind": "judge", "value": value, "score": score})
        if item < len(labels):
            person = {"rater": "ann", "kind": "human", "value": labels[item], "score": None}
            rows.append({**common, **person})
    return pl.DataFrame(rows)


def test_probabilities_by_hand(tmp_path: Path) -> None:
    labels, scores = zip(*TEN, strict=True)
    path = tmp_path / "sets.csv"
    frame = table([*scores, 0.95, 0.65, 0.35, 0.15], list(labels))
    found = ga.estimate(frame, BINARY, set_error=0.2, sets_out=str(path))
    # Unlike their label by .1 .2 .3 .6 .4 .4 .3 .8 .1 .1: the ninth of ten, since 8.8 are needed,
    # is .6: an option is in the set where its probability is .4 or more.
    with path.open(encoding="utf-8", newline="") as stream:
        sets = {row["item"]: row["set"] for row in csv.DictReader(stream)}
    assert sets == {"10": "yes", "11": "yes", "12": "no", "13": "no"}
    assert found["single_option_share", "gpt"].value == 1
    strict = ga.estimate(frame, BINARY, set_error=0.1)
    # The tenth is .8: .35 leaves both open, .15 has no yes.
    assert strict["mean_set_size", "gpt"].value == pytest.approx((1 + 2 + 2 + 1) / 4)
    assert strict["mean_set_size", "gpt"].declared == {"error": 0.1, "labels": 10}
    (said,) = [one for one in strict.answer if one.key == "estimate.sets"]
    assert "leaves one option on 50 % of 4 items without a label, and 1.50 of 2" in said.text
    assert "on 90 % or more of all items like the labelled ones" in said.text
    assert strict.tables["sets gpt"].columns == ("set", "lowest score", "highest score", "items")


def test_too_few_labels_are_said() -> None:
    labels, scores = zip(*TEN, strict=True)
    found = ga.estimate(table([*scores, 0.9], list(labels)), BINARY, set_error=0.05)
    assert found["mean_set_size", "gpt"].value == 2
    (said,) = [one for one in found.answer if one.key == "estimate.sets"]
    assert said.facts["labels_needed"] == 19
    assert "that takes at least 19 labels that calibrate" in said.text


def test_verdicts_are_learned_on_one_half_and_calibrated_on_the_other() -> None:
    """Verdict 0 goes with option 0, verdict 1 with either of 1 and 2: sets {0} and {1, 2}."""
    rng = np.random.default_rng(2)
    verdict = np.repeat([0, 1], 200)
    label = np.where(verdict == 0, 0, rng.integers(1, 3, 400))
    labels = Labels(label, verdict, np.arange(400), np.ones(6))
    rule = by_verdict(labels, np.array([0, 1, 4]), 3, error=0.1, seed=1)
    assert rule is not None
    assert (rule.learned, rule.calibrated) == (200, 200)
    sets = rule.sets(np.array([0, 1, 4]))
    assert sets[:2].tolist() == [[True, False, False], [False, True, True]]


def test_clusters_weigh_alike() -> None:
    """One cluster of 90 easy items does not stand for nine of one hard item each."""
    label = np.zeros(99, int)
    own = np.concatenate([np.full(90, 0.99), np.full(9, 0.2)])  # probability of option 0
    cluster = np.concatenate([np.zeros(90, int), np.arange(1, 10)])
    ask = np.array([0.3])
    held = by_probability(
        Labels(label, label, cluster, np.ones(5)), own, ask, positive=0, error=0.2
    )
    alone = by_probability(
        Labels(label, label, np.arange(99), np.ones(5)), own, ask, positive=0, error=0.2
    )
    assert held.sets(np.zeros(1, int)).tolist() == [[True, True]]
    assert alone.sets(np.zeros(1, int)).tolist() == [[False, True]]


def test_labels_by_verdict_weigh_as_the_pool_does() -> None:
    """60 labels of verdict 0, 15 of each other, drawn from 400: coverage all the same."""
    rng, hits, runs = np.random.default_rng(3), [], 300
    for run in range(runs):
        truth = rng.integers(0, 3, 400)
        verdict = np.where(rng.random(400) < 0.6, truth, rng.integers(0, 3, 400))
        of_verdict = [rng.permutation(np.flatnonzero(verdict == k)) for k in range(3)]
        chosen = np.concatenate([of_verdict[0][:60], of_verdict[1][:15], of_verdict[2][:15]])
        known = np.zeros(400, bool)
        known[chosen] = True
        pool, drawn = np.bincount(verdict, minlength=6), np.bincount(verdict[known], minlength=6)
        weight = np.where(drawn > 0, pool / np.maximum(drawn, 1), 1.0)
        labels = Labels(truth[known], verdict[known], np.flatnonzero(known), weight)
        rule = by_verdict(labels, verdict[~known], 3, error=0.15, seed=run)
        sets = rule.sets(verdict[~known])
        held = sets[np.arange(len(sets)), truth[~known]]
        hits.append(held.mean())
    assert np.mean(hits) >= 0.85 - 3 * np.std(hits) / np.sqrt(runs)


def test_labels_that_are_not_like_the_others_are_refused() -> None:
    labels, scores = zip(*TEN, strict=True)
    frame = table([*scores, 0.9], list(labels))
    found = ga.estimate(frame, {**BINARY, "calibration": "by_label"}, set_error=0.2)
    result = found["mean_set_size", "gpt"]
    assert isinstance(result, Undefined)
    assert "drawn by_label are not like" in result.reason


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"set_error": 1.5}, "lies between 0 and 1"),
        ({"sets_out": "sets.csv"}, "needs the error"),
        ({"set_error": 0.1, "sets_out": "sets.html"}, "is a file .csv or .jsonl"),
    ],
)
def test_wrong_usage(more: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        ga.estimate(table([0.9, 0.1], ["yes"]), BINARY, **more)
    with pytest.raises(UsageError, match="none is used"):
        ga.estimate(table([0.9], ["yes"]), BINARY, set_error=0.1, sensitivity=0.9, specificity=0.9)
    with pytest.raises(UsageError, match="in a table of ratings"):
        ga.estimate(positives=1, of=2, specificity=0.9, sensitivity=0.9, set_error=0.1)


# --- coverage on published ratings --------------------------------------------------------------


def evouna() -> tuple[np.ndarray, np.ndarray]:
    """GPT-4's answers: is it right, and does it contain an accepted answer?"""
    file = shared_data() / "evouna_qaeval" / "EVOUNA" / "NQ.json"
    if not file.exists():
        pytest.skip("the published ratings are not here")
    rows = [one for one in json.loads(file.read_text(encoding="utf-8")) if not one["improper"]]
    found = [
        any(a.lower() in one["answer_gpt4"].lower() for a in one["golden_answer"].split("/"))
        for one in rows
    ]
    return np.array([int(not one["judge_gpt4"]) for one in rows]), 1 - np.array(found, int)


def majority(table: Path, judge: str, options: list[str]) -> tuple[np.ndarray, np.ndarray]:
    votes: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    said: dict[tuple[str, ...], str] = {}
    with table.open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            unit = (row["item"], row.get("criterion") or "")
            if row["value"] in options and row["kind"] == "human":
                votes[unit][row["value"]] += 1
            elif row["value"] in options and row["rater"] == judge:
                said[unit] = row["value"]
    units = [unit for unit in said if votes[unit]]
    people = [options.index(votes[unit].most_common(1)[0][0]) for unit in units]
    return np.array(people), np.array([options.index(said[unit]) for unit in units])


@pytest.mark.parametrize("case", ["EVOUNA", "PandaLM", "LLM-Rubric"])
def test_sets_hold_the_label_as_often_as_they_say(case: str, tmp_path: Path) -> None:
    """150 labels at random, 200 times over: how often the others' label is in their set."""
    if case == "EVOUNA":
        people, verdict = evouna()
    else:
        example, source, words, judge, options = {
            "PandaLM": ("agree_pandalm", "pandalm/data", [], "gpt-3.5-turbo", ["1", "2", "0"]),
            "LLM-Rubric": (
                "agree_llm_rubric",
                "llm_rubric/data/real_data",
                ["verdict"],
                "",
                ["1", "2", "3", "4"],
            ),
        }[case]
        ratings = tmp_path / "ratings.csv"
        more = [str(tmp_path / "items.csv")] if case == "PandaLM" else []
        convert = [sys.executable, str(ROOT / "examples" / example / "convert.py")]
        convert += [str(shared_data() / source), str(ratings), *more, *words]
        subprocess.run(convert, check=True, capture_output=True)
        if not judge:
            with ratings.open(encoding="utf-8", newline="") as stream:
                judge = next(r["rater"] for r in csv.DictReader(stream) if r["kind"] == "judge")
        people, verdict = majority(ratings, judge, options)
    size, rng, error = int(people.max()) + 1, np.random.default_rng(7), 0.1
    held, sizes = [], []
    for run in range(200):
        known = np.zeros(len(people), bool)
        known[rng.permutation(len(people))[:150]] = True
        labels = Labels(people[known], verdict[known], np.flatnonzero(known), np.ones(size + 3))
        rule = by_verdict(labels, verdict[~known], size, error=error, seed=run)
        sets = rule.sets(verdict[~known])
        held.append(sets[np.arange(len(sets)), people[~known]].mean())
        sizes.append(sets.sum(1).mean())
    noise = np.std(held) / np.sqrt(len(held))
    assert np.mean(held) >= 1 - error - 3 * noise
    assert 1 <= np.mean(sizes) < size


def test_corrected_shares_of_three_options_by_hand_and_on_pandalm(tmp_path: Path) -> None:
    """The inverse of the confusion matrix; with the judge's own confusion it is an identity."""
    labelled = np.array([[8.0, 1, 1], [1, 6, 3], [2, 2, 6]])
    truth = np.array([0.5, 0.3, 0.2])
    confusion = labelled / labelled.sum(1, keepdims=True)
    value, low, high = rates_by_confusion(1000 * truth @ confusion, labelled, draws=400)
    assert value == pytest.approx(truth)
    assert ((low < truth) & (truth < high)).all()
    ratings, items = tmp_path / "ratings.csv", tmp_path / "items.csv"
    convert = [sys.executable, str(ROOT / "examples" / "agree_pandalm" / "convert.py")]
    convert += [str(shared_data() / "pandalm/data"), str(ratings), str(items)]
    subprocess.run(convert, check=True, capture_output=True)
    people, verdict = majority(ratings, "gpt-3.5-turbo", ["1", "2", "0"])
    table = np.zeros((3, 3))
    np.add.at(table, (people, verdict), 1.0)
    value, _, _ = rates_by_confusion(table.sum(0), table, draws=100)
    assert value == pytest.approx(table.sum(1) / table.sum())
