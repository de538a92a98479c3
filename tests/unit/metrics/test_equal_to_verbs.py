"""A public metric gives what `goldassay agree` gives for the same ratings, to the last bit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from equal_metrics import assert_same, micro, on_table

import goldassay
from goldassay import metrics
from goldassay.metrics.registry import (
    PAIR_METRICS,
    PROBABILITY_METRICS,
    RATER_METRICS,
    SCORE_METRICS,
    TABLE_METRICS,
)

DRAWN = {"seed": 3, "draws": 200}
#: Scale, options, weights, share of items on which the judge repeats people's label.
TASKS = {
    "binary": ({"scale": "binary", "options": ["yes", "no"], "positive": "no"}, 0.8),
    "nominal": ({"scale": "nominal", "options": ["a", "b", "c", "unused"]}, 0.6),
    "ordinal": ({"scale": "ordinal", "options": ["low", "mid", "top"], "weights": "linear"}, 0.5),
    "matrix": (
        {
            "scale": "ordinal",
            "options": ["low", "mid", "top"],
            "weights": [[1, 0.7, 0], [0.7, 1, 0.2], [0, 0.2, 1]],
        },
        0.5,
    ),
    "pairwise": (
        {"scale": "pairwise", "options": ["A", "B", "tie"], "tie": "tie", "ties": "class"},
        0.7,
    ),
    "declared shares": (
        {
            "scale": "nominal",
            "options": ["good", "fair", "bad"],
            "prevalence": {"good": 0.8, "fair": 0.15, "bad": 0.05},
        },
        0.6,
    ),
    "two sides": ({"scale": "pairwise", "options": ["A", "B"], "positive": "A"}, 0.7),
    "perfect": ({"scale": "binary", "options": ["yes", "no"], "positive": "yes"}, 1.0),
    "one option": ({"scale": "binary", "options": ["yes", "no"], "positive": "no"}, None),
}
LEVEL = 0.9


def aside_from_handling(declared: Mapping[str, Any]) -> dict[str, Any]:
    """What a verb declares beside the handling of ratings that two sequences of labels have not."""
    return {key: one for key, one in declared.items() if key not in ("abstentions", "invalids")}


#: What a verb declares of its table, which two sequences do not have.
OF_A_TABLE = {"scale", "resampling_unit", "reference", "abstentions", "invalids"}


def assert_declared(found: Mapping[str, Any], by_verb: Mapping[str, Any]) -> None:
    """The same declarations, but for what is a table's."""
    assert found.items() <= by_verb.items()
    assert by_verb.keys() - found.keys() <= OF_A_TABLE


def agreed(table: list[dict[str, Any]], task: dict[str, Any]) -> goldassay.Findings:
    return goldassay.agree(pd.DataFrame(table), task, seed=3, resamples=200)


def ratings(task: dict[str, Any], right: float | None, *, seed: int) -> dict[str, list[str]]:
    """Items in clusters of one to six, a label of a person and a verdict of a judge for each."""
    rng = np.random.default_rng(seed)
    options = [option for option in task["options"] if option != "unused"]
    items = 90
    truth = rng.integers(0, len(options), items) if right is not None else np.zeros(items, int)
    guess = rng.integers(0, len(options), items) if right is not None else np.zeros(items, int)
    verdict = np.where(rng.random(items) < (right or 0), truth, guess)
    return {
        "item": [f"i{n:03}" for n in range(items)],
        "cluster": [f"c{n:02}" for n in np.sort(rng.integers(0, 25, items))],
        "people": [options[k] for k in truth],
        "judge": [options[k] for k in verdict],
    }


def rows(data: dict[str, list[Any]], **more: list[Any]) -> list[dict[str, Any]]:
    """A ratings table of one person and one judge."""
    out = []
    for kind, name in (("human", "people"), ("judge", "judge")):
        for index, value in enumerate(data[name]):
            row = {"item": data["item"][index], "cluster": data["cluster"][index]}
            row |= {column: values[index] for column, values in more.items()}
            out.append({**row, "rater": name, "kind": kind, "value": value})
    return out


@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("name", TASKS)
def test_every_coefficient_of_a_table(name: str, clustered: bool) -> None:
    task, right = TASKS[name]
    data = ratings(task, right, seed=len(name))
    task = {**task, "cluster": "cluster" if clustered else "item", "confidence_level": LEVEL}
    expected = micro(agreed(rows(data), task).rows, "judge")
    options, seen = task["options"], set()
    counts = np.zeros((len(options), len(options)), int)
    for truth, verdict in zip(data["people"], data["judge"], strict=True):
        counts[options.index(truth), options.index(verdict)] += 1
    for metric in TABLE_METRICS:
        if metric not in expected:
            continue
        seen.add(metric)
        told = {key: task.get(key) for key in ("positive", "weights", "prevalence")}
        function = on_table(metric, **told)
        drawn = {**DRAWN, "confidence_level": LEVEL, "labels": options}
        clusters = data["cluster"] if clustered else None
        found = function(data["people"], data["judge"], clusters=clusters, **drawn)
        assert_same(found, expected[metric])
        arrays = (np.array(data["people"]), np.array(data["judge"], dtype=object))
        assert function(*arrays, clusters=clusters, **drawn) == found
        if not clustered:
            assert function(counts=counts, **drawn) == found
    scale = "binary" if name == "two sides" else task["scale"]
    assert seen == {
        metric.name
        for metric in TABLE_METRICS.values()
        if scale in metric.scales
        and not {key for key in ("weights", "prevalence") if key not in task} & set(metric.needs)
    }


@pytest.mark.parametrize("clustered", [False, True])
def test_weights_of_items(clustered: bool) -> None:
    task, right = TASKS["binary"]
    data = ratings(task, right, seed=5)
    weight = np.random.default_rng(6).integers(1, 5, len(data["item"])) / 2
    task = {**task, "cluster": "cluster" if clustered else "item"}
    table = rows(data, weight=weight.tolist())
    expected = micro(agreed(table, task).rows, "judge")
    for metric in TABLE_METRICS:
        if metric in expected:
            found = on_table(metric, positive="no", weights=None)(
                data["people"],
                data["judge"],
                labels=task["options"],
                clusters=data["cluster"] if clustered else None,
                sample_weight=weight,
                **DRAWN,
            )
            assert_same(found, expected[metric], exact=False)


@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("items", [90, 400])
def test_correlations_of_scores(items: int, clustered: bool) -> None:
    rng = np.random.default_rng(items)
    people = rng.normal(size=items).round(1)
    data = {
        "item": [f"i{n:03}" for n in range(items)],
        "cluster": [f"c{n:02}" for n in np.sort(rng.integers(0, 30, items))],
        "people": people.tolist(),
        "judge": (people + rng.normal(size=items)).round(1).tolist(),
    }
    task = {"scale": "continuous", "cluster": "cluster" if clustered else "item"}
    expected = micro(agreed(rows(data), task).rows, "judge")
    for name in SCORE_METRICS:
        clusters = data["cluster"] if clustered else None
        function = getattr(metrics, name)
        found = function(data["people"], data["judge"], clusters=clusters, seed=3)
        assert_same(found, expected[name])
        assert_declared(found.declared, expected[name].declared)


@pytest.mark.parametrize("clustered", [False, True])
def test_probabilities(clustered: bool) -> None:
    task, right = TASKS["binary"]
    data = ratings(task, right, seed=8)
    rng = np.random.default_rng(9)
    positive = np.array(data["people"]) == "no"
    score = np.clip(0.5 + 0.3 * (positive - 0.5) + rng.normal(0, 0.2, 90), 0, 1).round(3)
    task = {**task, "cluster": "cluster" if clustered else "item"}
    table = rows(data, score=score.tolist())
    expected = micro(agreed(table, task).rows, "judge")
    for name in PROBABILITY_METRICS:
        areas = ("roc_auc", "average_precision")
        more = {"clusters": data["cluster"]} if clustered and name in areas else {}
        for reference, told in ((data["people"], {"positive": "no"}), (positive * 1.0, {})):
            found = getattr(metrics, name)(reference, score, **told, **more)
            # The verb says how many clusters there are where the function is told of none.
            alone = not clustered and expected[name].interval is None
            counts = {"n_clusters": expected[name].n_clusters} if alone or name not in areas else {}
            assert_same(replace(found, **counts), expected[name])
            assert_declared(found.declared, expected[name].declared)


def panel(options: list[str], raters: int, *, seed: int) -> dict[str, list[str | None]]:
    """Labels of several raters, some of them missing."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, len(options), 80)
    found = {}
    for rater in ("ann", "ben", "cho", "dee")[:raters]:
        code = np.where(rng.random(80) < 0.7, truth, rng.integers(0, len(options), 80))
        lost = rng.random(80) < 0.1
        found[rater] = [None if gone else options[k] for k, gone in zip(code, lost, strict=True)]
    return found


@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("scale", ["nominal", "ordinal"])
@pytest.mark.parametrize("raters", [2, 4])
def test_several_raters(scale: str, raters: int, clustered: bool) -> None:
    options = ["low", "mid", "top"]
    people, judges = (panel(options, raters, seed=seed) for seed in (1, 2))
    cluster = [f"c{n // 3:02}" for n in range(80)]
    table = [
        {"item": f"i{n:03}", "cluster": cluster[n], "rater": f"{kind} {name}", "kind": kind}
        | {"value": values[n]}
        for kind, panel_of in (("human", people), ("judge", judges))
        for name, values in panel_of.items()
        for n in range(80)
        if values[n] is not None
    ]
    task = {"scale": scale, "options": options, "cluster": "cluster" if clustered else "item"}
    found = agreed(table, task)
    clusters = cluster if clustered else None
    common = {"labels": options, "clusters": clusters, **DRAWN}
    votes = np.array(
        [[sum(v[n] == k for v in people.values()) for k in options] for n in range(80)]
    )
    for name, metric in RATER_METRICS.items():
        function = getattr(metrics, name)
        told = {"difference": scale} if name == "krippendorff_alpha" else {}
        if not metric.by_rater:
            for given in ({"votes": votes}, {"ratings": people}):
                result = function(**given, **told, **common)
                assert_same(result, found[f"human_{name}"])
        result = function(ratings=judges, **told, **common)
        assert_same(result, found[f"judges_{name}"])
        assert result.declared == aside_from_handling(found[f"judges_{name}"].declared)
    for name in PAIR_METRICS:
        if name == "mean_pairwise_kappa":
            result = metrics.mean_pairwise_kappa(people, **common)
            assert_same(result, found[f"human_{name}"])


def test_effective_judges() -> None:
    data = ratings(TASKS["binary"][0], 0.8, seed=4)
    rng = np.random.default_rng(5)
    judges = {name: [v if rng.random() < 0.8 else "yes" for v in data["judge"]] for name in "abc"}
    table = rows(data)[: len(data["item"])]
    table += [
        {"item": item, "cluster": cluster, "rater": name, "kind": "judge", "value": value}
        for name, values in judges.items()
        for item, cluster, value in zip(data["item"], data["cluster"], values, strict=True)
    ]
    for unit in ("item", "cluster"):
        task = {**TASKS["binary"][0], "cluster": unit}
        expected = agreed(table, task)["effective_judges"]
        clusters = data["cluster"] if unit == "cluster" else None
        found = metrics.effective_judges(
            data["people"], judges, labels=["yes", "no"], clusters=clusters, **DRAWN
        )
        assert_same(found, expected)


def test_alpha_of_scores() -> None:
    rng = np.random.default_rng(3)
    truth = rng.normal(size=60)
    raters = {name: (truth + rng.normal(size=60)).round(1).tolist() for name in ("j", "k")}
    table = [
        {"item": f"i{n:02}", "rater": name, "kind": "judge", "value": values[n]}
        for name, values in raters.items()
        for n in range(60)
    ]
    table += [
        {"item": f"i{n:02}", "rater": "p", "kind": "human", "value": truth[n].round(1)}
        for n in range(60)
    ]
    task = {"scale": "continuous"}
    expected = agreed(table, task)["judges_krippendorff_alpha"]
    found = metrics.krippendorff_alpha(ratings=raters, difference="interval", **DRAWN)
    assert_same(found, expected)
