"""Published ratings: every public metric equals the verb's row, on all sets that examples convert.

Labels are put together here by hand from the converted tables, apart from the counting; where a
unit has several verdicts or half a vote, the verb's own tables are given as counts by cluster.
"""

from __future__ import annotations

import csv
import json
import subprocess
import sys
import tomllib
from collections import Counter, defaultdict
from dataclasses import replace
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from equal_metrics import assert_same, micro, on_table
from internals import count_paired_scores, count_units, declared_mode, resolved
from published_ratings import shared_data
from sklearn.metrics import accuracy_score, average_precision_score, precision_recall_fscore_support

import goldassay
from goldassay import Ratings, Undefined, metrics, read_ratings, read_task

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
#: Example, the data it converts, further words of its converter, its task. (The shares of options
#: of `audit_llm_rubric` are no ratings that `agree` takes.)
OPTIONS = [
    ("agree_pandalm", "pandalm/data", (), "task.toml"),
    ("agree_llmbar", "llmbar/Dataset/LLMBar", (), "task.toml"),
    ("agree_llm_rubric", "llm_rubric/data/real_data", ("verdict",), "task_verdict.toml"),
    ("agree_composo", "composo_rb2", ("mean",), "task.toml"),
    ("agree_composo", "composo_rb2", ("samples",), "task.toml"),
    ("audit_dices", "dices_judgebench", (), "task.toml"),
    ("audit_pandalm", "pandalm", (), "task.toml"),
    ("estimate_evouna", "evouna_qaeval/EVOUNA/NQ.json", (), "task.toml"),
    ("rank_pandalm", "pandalm/data", (), "task.toml"),
]
SCORES = [
    ("agree_llm_rubric", "llm_rubric/data/real_data", ("expected",), "task_expected.toml"),
    pytest.param(("rank_wmt22", "wmt22_zhen_gemba", (), "task.toml"), marks=pytest.mark.slow),
]
DRAWN = {"seed": 1, "draws": 100}
TABLES, VOTES = (
    [name for name in metrics.__all__ if what in signature(getattr(metrics, name)).parameters]
    for what in ("counts", "votes")
)
CORRELATIONS = ("icc", "kendall_tau_b", "lin_concordance", "pearson", "spearman")


def converted(folder: Path, case: tuple[str, str, tuple[str, ...], str]) -> tuple[Path, Path]:
    """The ratings table of an example, and its task."""
    example, source, words, task = case
    data = shared_data() / source
    if not data.exists():
        pytest.skip(f"the published ratings of {example} are not here")
    table = folder / ("ratings.parquet" if example == "rank_wmt22" else "ratings.csv")
    more = [str(folder / "items.csv")] if example in ("agree_pandalm", "agree_llmbar") else []
    convert = [sys.executable, str(EXAMPLES / example / "convert.py"), str(data), str(table)]
    subprocess.run([*convert, *more, *words], check=True, capture_output=True)
    return table, EXAMPLES / example / task


@pytest.mark.parametrize("case", OPTIONS, ids=lambda case: " ".join((case[0], *case[2])))
def test_coefficients_of_tables(
    case: tuple[str, str, tuple[str, ...], str], tmp_path: Path
) -> None:
    table, task_file = converted(tmp_path, case)
    task = read_task(str(task_file))
    found = goldassay.agree(str(table), task, resamples=100)
    units = count_units(read_ratings(str(table), task))
    for judge in units.judge_names:
        expected = micro(found.rows, judge)
        labelled = by_hand(table, task_file, judge)
        tables = resolved(units, units.verdict[:, units.columns_of(judge)], declared_mode(task))
        for name in [one for one in TABLES if one in expected]:
            positive = task.positive if task.positive in tables.labels else tables.labels[0]
            function = on_table(name, positive=positive, weights=task.weights)
            common = {"labels": tables.labels, **DRAWN}
            if labelled is not None:
                people, verdicts, clusters = labelled
                result = function(people, verdicts, clusters=clusters, **common)
                assert_same(result, expected[name])
            else:
                result = function(counts=by_cluster(tables), **common)
                assert_same(result, expected[name], exact=False)
    assert_raters_agree(found, units)


@pytest.mark.parametrize("case", [OPTIONS[0], OPTIONS[2]], ids=lambda case: case[0])
def test_each_option_is_as_scikit_learn_has_it(
    case: tuple[str, str, tuple[str, ...], str], tmp_path: Path
) -> None:
    table, task_file = converted(tmp_path, case)
    task = read_task(str(task_file))
    found = goldassay.agree(str(table), task, resamples=100)
    judges = {row.about["judge"] for row in found.rows_where(name="recall")}
    assert judges
    for judge in judges:
        labelled = by_hand(table, task_file, str(judge))
        assert labelled is not None
        people, verdicts, _ = labelled
        expected = precision_recall_fscore_support(
            people, verdicts, labels=list(task.options), zero_division=np.nan
        )
        for name, numbers in zip(("precision", "recall", "f1"), expected[:3], strict=True):
            for option, number in zip(task.options, numbers, strict=True):
                (row,) = found.rows_where(name=name, judge=judge, option=option)
                if isinstance(row.result, Undefined):
                    assert np.isnan(number)
                    continue
                assert row.result.value == pytest.approx(number)
                assert row.result.interval is not None
                assert row.result.value in row.result.interval


def test_average_precision_is_as_scikit_learn_has_it() -> None:
    """Composo: which response was chosen, by the mean of the judge's eight scores of it."""
    file = shared_data() / "composo_rb2" / "base_both_k8.jsonl"
    if not file.exists():
        pytest.skip("the published ratings are not here")
    rows, truth, score = [], [], []
    for line in file.read_text(encoding="utf-8").splitlines()[:400]:
        record = json.loads(line)
        for place, given in enumerate(record["full_scores"]):
            known = [one for one in given if one is not None]
            if not known:
                continue
            truth.append(place == 0)
            score.append(sum(known) / len(known))
            common = {"item": f"{record['id']}-{place}", "prompt": record["id"]}
            label = "chosen" if place == 0 else "other"
            rows.append({**common, "rater": "gold", "kind": "human", "value": label})
            verdict = "chosen" if score[-1] >= 6 else "other"
            said = {"rater": "gpt", "kind": "judge", "value": verdict, "score": score[-1]}
            rows.append({**common, **said})
    options = ["chosen", "other"]
    task = {"scale": "binary", "options": options, "positive": "chosen", "cluster": "prompt"}
    found = goldassay.agree(pl.DataFrame(rows), task, resamples=100)
    result = found["average_precision", "gpt"]
    assert result.value == pytest.approx(average_precision_score(truth, score))
    assert result.value in result.interval
    assert result.declared["by_chance"] == pytest.approx(sum(truth) / len(truth))


def test_panels_of_four_judges(tmp_path: Path) -> None:
    """Composo: what all four say, and what most of them say, counted row by row."""
    table, task_file = converted(tmp_path, OPTIONS[3])
    task = read_task(str(task_file))
    said: dict[str, list[str]] = defaultdict(list)
    gold: dict[str, str] = {}
    judges = set()
    with table.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["kind"] == "human":
                gold[row["item"]] = row["value"]
            elif row["value"] in task.options:
                said[row["item"]].append(row["value"])
                judges.add(row["rater"])
    unanimous = {
        item: given[0]
        for item, given in said.items()
        if len(given) == len(judges) and len(set(given)) == 1
    }
    majority = {}
    for item, given in said.items():
        (first, most), *others = Counter(given).most_common(2)
        if not others or others[0][1] < most:
            majority[item] = first
    panels = tmp_path / "panels.csv"
    found = goldassay.agree(str(table), task, resamples=100, panel_out=str(panels))
    for name, verdicts in (("unanimous panel", unanimous), ("majority panel", majority)):
        (row,) = found.rows_where(name="accuracy", judge=name)
        right = [gold[item] == verdict for item, verdict in verdicts.items() if item in gold]
        assert row.result.n_items == len(right)
        assert row.result.value == pytest.approx(np.mean(right))
        jury = name.replace("panel", "jury")
        with panels.open(encoding="utf-8", newline="") as file:
            told = {
                row["item"]: row["value"] for row in csv.DictReader(file) if row["rater"] == jury
            }
        assert {item: value for item, value in told.items() if value} == verdicts


def test_judges_that_differ_most_in_their_rates(tmp_path: Path) -> None:
    """Composo, on the items that all four decide, counted row by row."""
    table, task_file = converted(tmp_path, OPTIONS[3])
    task = read_task(str(task_file))
    said: dict[str, dict[str, str]] = defaultdict(dict)
    with table.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["kind"] == "judge" and row["value"] in task.options:
                said[row["item"]][row["rater"]] = row["value"]
    judges = {judge for given in said.values() for judge in given}
    complete = [given for given in said.values() if len(given) == len(judges)]
    found = goldassay.agree(str(table), task, resamples=100)
    (row,) = found.rows_where(name="rate_difference_of_judges")
    often, seldom = (
        np.mean([given[row.about[key]] == row.about["option"] for given in complete])
        for key in ("judge", "other")
    )
    assert row.result.n_items == len(complete)
    assert row.result.value == pytest.approx(often - seldom)


def test_accuracy_at_a_declared_prevalence(tmp_path: Path) -> None:
    """LLM-Rubric, each grade weighted to a declared share, as scikit-learn's sample weights do."""
    table, task_file = converted(tmp_path, OPTIONS[2])
    shares = {"1": 0.4, "2": 0.3, "3": 0.2, "4": 0.1}
    task = read_task(str(task_file))
    found = goldassay.agree(str(table), replace(task, prevalence=shares), resamples=100)
    (judge,) = {row.about["judge"] for row in found.rows_where(name="weighted_balanced_accuracy")}
    labelled = by_hand(table, task_file, str(judge))
    assert labelled is not None
    people, verdicts, _ = labelled
    common = Counter(people)
    weights = [shares[one] / common[one] for one in people]
    expected = accuracy_score(people, verdicts, sample_weight=weights)
    assert found["weighted_balanced_accuracy", str(judge)].value == pytest.approx(expected)


def by_cluster(tables: Any) -> np.ndarray:
    """A table for each cluster [C, K, K]."""
    if tables.single:
        return np.repeat(tables.cells.dense()[:, 0], tables.n, axis=0)
    stack, times = tables.clusters()
    return np.repeat(stack[:, 0], times, axis=0)


def by_hand(table: Path, task_file: Path, judge: str) -> tuple[list[str], list[str], Any] | None:
    """People's majority, the judge's verdict and the cluster of each unit that has both.

    None where the reference is no majority, a tie is halved, or a unit has several verdicts.
    """
    task = tomllib.loads(task_file.read_text(encoding="utf-8"))
    if task.get("reference", "majority") != "majority" or task.get("ties") == "half":
        return None
    if task.get("tie") and "ties" not in task:  # a tie is half a vote to each side
        return None
    options, votes = task["options"], defaultdict(Counter)
    verdicts: dict[tuple[str, ...], list[str]] = defaultdict(list)
    cluster: dict[tuple[str, ...], str] = {}
    with table.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            names = ("item", "criterion", "system", "opponent")
            unit = tuple(row.get(name) or "" for name in names)
            cluster[unit] = row[task["cluster"]]
            if row.get("weight"):
                return None
            if row["value"] not in options or row.get("status", "rated") != "rated":
                continue
            if row["kind"] == "human":
                votes[unit][row["value"]] += 1
            elif row["rater"] == judge:
                verdicts[unit].append(row["value"])
    if max(map(len, verdicts.values()), default=0) > 1:
        return None
    people, said, where = [], [], []
    for unit, given in verdicts.items():
        commonest = votes[unit].most_common(2)
        if not commonest or (len(commonest) == 2 and commonest[0][1] == commonest[1][1]):
            continue
        people.append(commonest[0][0])
        said.append(given[0])
        where.append(cluster[unit])
    return people, said, where


def assert_raters_agree(found: Any, units: Any) -> None:
    """People's coefficients from their votes, unit by unit."""
    votes = np.repeat(units.human[:, : len(units.options)], units.n, axis=0)
    clusters = None if units.single else np.repeat(units.cluster, units.n)
    difference = "ordinal" if units.task.scale == "ordinal" else "nominal"
    for name in VOTES:
        rows = found.rows_where(name=f"human_{name}")
        if not rows:
            continue
        told = {"difference": difference} if name == "krippendorff_alpha" else {}
        result = getattr(metrics, name)(votes=votes, clusters=clusters, **told, **DRAWN)
        assert_same(result, rows[0].result, unit=units.task.cluster)


@pytest.mark.parametrize("case", SCORES, ids=lambda case: case[0])
def test_correlations(case: tuple[str, str, tuple[str, ...], str], tmp_path: Path) -> None:
    table, task_file = converted(tmp_path, case)
    ratings: Ratings = read_ratings(str(table), read_task(str(task_file)))
    pairs = count_paired_scores(ratings)
    found = goldassay.agree(ratings, resamples=100)
    for judge, scores in zip(pairs.judges[:3], pairs.judge, strict=False):
        expected = micro(found.rows, judge)
        both = np.isfinite(pairs.people) & np.isfinite(scores)
        x, y, cluster = pairs.people[both], scores[both], pairs.cluster[both]
        for name in CORRELATIONS:
            result = getattr(metrics, name)(x, y, clusters=cluster, seed=1)
            assert_same(result, expected[name])
