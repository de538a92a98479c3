"""What a metric may be handed, and what it says of what breaks a rule."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from goldassay import metrics as m
from goldassay.errors import InputError

PEOPLE, JUDGE = ["yes", "no", "no", "yes"], ["yes", "no", "yes", "yes"]
Nothing = float("nan")

#: What is asked, and what the one message says: place, rule, value, next step.
WRONG: dict[str, tuple[Callable[[], Any], str]] = {
    "lengths": (
        lambda: m.cohen_kappa(PEOPLE, JUDGE[:3]),
        "cohen_kappa: reference and verdicts have one value for each item; found 4 and 3 values. "
        "Bring both into the same order of items first.",
    ),
    "lengths of scores": (
        lambda: m.roc_auc([1, 0, 1], [0.2, 0.4]),
        "roc_auc: reference and scores have one value for each item; found 3 and 2 values.",
    ),
    "below nothing": (lambda: m.accuracy(counts=[[0, 3], [-1, 2]]), "not below 0; found -1"),
    "unknown label": (
        lambda: m.accuracy(PEOPLE, ["yes", "no", "maybe", "yes"], labels=["yes", "no"]),
        "accuracy, verdicts: every label is one of labels ('yes', 'no'); found 'maybe' at index 2."
        " Add it to labels, or leave these items out.",
    ),
    "NaN": (
        lambda: m.accuracy(["yes", Nothing, "no", "yes"], JUDGE),
        "accuracy, reference: has a value for every item; found nan at index 1. Leave out the "
        "items that lack a value on either side.",
    ),
    "None": (lambda: m.accuracy(PEOPLE, ["yes", None, "no", "no"]), "found None at index 1"),
    "masked": (
        lambda: m.accuracy(np.ma.array([1, 0], mask=[True, False]), [1, 0]),
        "found None at index 0",
    ),
    "pandas NA": (
        lambda: m.accuracy(pd.Series(["yes", None, "no", "no"], dtype="string"), JUDGE),
        "at index 1",
    ),
    "NaN among numbers": (
        lambda: m.accuracy(np.array([1.0, np.nan]), [1, 0]),
        "found nan at index 1",
    ),
    "empty": (lambda: m.accuracy([], []), "accuracy: needs at least one item; found none."),
    "one side": (lambda: m.accuracy(PEOPLE), "takes reference and verdicts, or counts; found one"),
    "nothing": (m.accuracy, "takes reference and verdicts, or counts; found none"),
    "a text": (lambda: m.accuracy("yes", "no"), "is a sequence with a value for each item"),
    "a number": (lambda: m.accuracy(3, 4), "is a sequence with a value for each item"),  # type: ignore[arg-type]
    "lists for labels": (
        lambda: m.accuracy([[1], [2]], [1, 2]),
        "one value for each item; found [1]",
    ),
    "two axes": (lambda: m.accuracy(np.eye(2), np.eye(2)), "found the shape (2, 2)"),
    "mixed types": (
        lambda: m.accuracy([1, 0], ["1", "0"]),
        "accuracy: labels are of one type; found int and str. Convert one side.",
    ),
    "scores for labels": (
        lambda: m.accuracy(np.linspace(0, 1, 300), np.linspace(0, 1, 300)),
        "takes labels, not scores: at most 100; found 300 different labels. Scores have pearson",
    ),
    "a label twice": (
        lambda: m.accuracy(PEOPLE, JUDGE, labels=["yes", "no", "yes"]),
        "accuracy, labels: names each option once; found 'yes'",
    ),
    "no labels": (lambda: m.accuracy(PEOPLE, JUDGE, labels=[]), "labels: needs at least one item"),
    "counts not square": (
        lambda: m.accuracy(counts=[[1, 2, 3], [4, 5, 6]]),
        "accuracy, counts: is a square table, rows the reference and columns the verdict, or one "
        "by cluster; found the shape (2, 3).",
    ),
    "counts below 0": (lambda: m.accuracy(counts=[[1, -2], [0, 3]]), "not below 0; found -2"),
    "counts of texts": (lambda: m.accuracy(counts=[["a"]]), "is a table of numbers; found [['a']]"),
    "counts of NaN": (lambda: m.accuracy(counts=[[1, Nothing], [0, 3]]), "finite counts"),
    "broken counts": (
        lambda: m.accuracy(counts=[[1, 0.5], [0, 3]]),
        "a single table has whole counts; found 0.5. Fractions need one table for each cluster",
    ),
    "empty counts": (lambda: m.accuracy(counts=[[0, 0], [0, 0]]), "needs at least one item"),
    "counts and labels of them": (
        lambda: m.accuracy(counts=[[1, 0], [0, 1]], labels=["a"]),
        "labels name each row of counts; found 1 labels, 2 rows",
    ),
    "counts and more": (
        lambda: m.accuracy(PEOPLE, counts=[[1, 0], [0, 1]]),
        "counts stand alone; found counts and reference",
    ),
    "clusters of counts": (
        lambda: m.accuracy(counts=[[1, 0], [0, 1]], clusters=["a", "b"]),
        "found counts and clusters. Counts by cluster are one table each: clusters x K x K.",
    ),
    "clusters too few": (
        lambda: m.accuracy(PEOPLE, JUDGE, clusters=["a"]),
        "clusters and labels have one value for each item; found 1 and 4 values",
    ),
    "clusters missing": (
        lambda: m.accuracy(PEOPLE, JUDGE, clusters=["a", None, "b", "b"]),
        "accuracy, clusters: has a value for every item; found None at index 1",
    ),
    "weights below 0": (
        lambda: m.accuracy(PEOPLE, JUDGE, sample_weight=[1, -1, 1, 1]),
        "accuracy, sample_weight: is not negative, nor all 0; found -1",
    ),
    "weights too few": (
        lambda: m.accuracy(PEOPLE, JUDGE, sample_weight=[1]),
        "sample_weight and labels have one value for each item",
    ),
    "confidence level": (
        lambda: m.accuracy(PEOPLE, JUDGE, confidence_level=95),
        "accuracy, confidence_level: lies between 0 and 1; found 95.",
    ),
    "draws": (lambda: m.f1([1, 0], [1, 1], draws=5), "f1, draws: is a whole number, at least 100"),
    "seed": (lambda: m.f1([1, 0], [1, 1], seed=-1), "f1, seed: is a whole number, not below 0"),
    "no positive": (
        lambda: m.sensitivity(PEOPLE, JUDGE),
        "sensitivity, positive: names the positive label; without it labels are 0 and 1, or False"
        " and True; found the labels 'no', 'yes'.",
    ),
    "another positive": (
        lambda: m.sensitivity(PEOPLE, JUDGE, positive="Yes"),
        "sensitivity, positive: is one of the labels ('no', 'yes'); found 'Yes'. Did you mean "
        "'yes'?",
    ),
    "three labels": (lambda: m.phi([1, 2, 3], [1, 2, 3]), "phi: is of two labels; found 3"),
    "no order": (
        lambda: m.weighted_kappa(["low", "top"], ["low", "low"]),
        "weighted_kappa: depends on the order of the labels; found text, as 'low'. Give them in "
        "order: labels=[...].",
    ),
    "weights": (
        lambda: m.weighted_kappa([1, 2], [1, 2], weights="cubic"),  # type: ignore[arg-type]
        "weighted_kappa, weights: are linear, quadratic or a matrix; found 'cubic'.",
    ),
    "a small matrix": (
        lambda: m.weighted_kappa([1, 2, 3], [1, 2, 3], weights=[[1, 0], [0, 1]]),
        "a matrix has a row and a column for each of 3 labels, 1 on its diagonal, and is within",
    ),
    "method": (
        lambda: m.cohen_kappa(PEOPLE, JUDGE, method="wilson"),  # type: ignore[arg-type]
        "cohen_kappa, method: is one of hedged, asymptotic; found 'wilson'.",
    ),
    "method with clusters": (
        lambda: m.accuracy(PEOPLE, JUDGE, clusters=list("aabb"), method="wilson"),
        "a closed form holds for whole decisions that stand alone",
    ),
    "scores of texts": (
        lambda: m.pearson(PEOPLE, [1, 2, 3, 4]),
        "pearson, reference: has a number for every item; found 'yes'",
    ),
    "infinite scores": (
        lambda: m.pearson([1, 2], [1, float("inf")]),
        "has finite numbers; found inf at index 1",
    ),
    "weights of scores": (
        lambda: m.pearson([1, 2], [1, 2], sample_weight=[1, 1]),
        "pearson, sample_weight: is for labels",
    ),
    "shares beyond 1": (
        lambda: m.roc_auc([0, 2], [0.1, 0.2]),
        "roc_auc, positive: names the positive label; without it the reference is 0 and 1, or a "
        "share; found 2.",
    ),
    "one rater": (lambda: m.fleiss_kappa([[1, 0]]), "of at least two raters; found 1 raters"),
    "raters of other lengths": (
        lambda: m.fleiss_kappa([[1, 0], [1]]),
        "fleiss_kappa, ratings: has a value for each unit, None where there is none, of at least "
        "two raters; found 2 raters with 1 and 2 values.",
    ),
    "a rater's label": (
        lambda: m.fleiss_kappa([["a", "b"], ["a", "c"]], labels=["a", "b"]),
        "fleiss_kappa, rater 2: every label is one of labels ('a', 'b'); found 'c' at index 1",
    ),
    "ratings and votes": (
        lambda: m.fleiss_kappa([[1], [1]], votes=[[1, 1]]),
        "takes ratings or votes of several raters; found both",
    ),
    "broken votes": (
        lambda: m.fleiss_kappa(votes=[[0.5, 1]]),
        "fleiss_kappa, votes: has whole numbers, not below 0",
    ),
    "one vote below 0": (
        lambda: m.fleiss_kappa(votes=[[2, 1], [3, -1]]),
        "fleiss_kappa, votes: has whole numbers, not below 0",
    ),
    "labels of votes": (
        lambda: m.fleiss_kappa(votes=[[2, 1]], labels=["a"]),
        "labels name each column of votes; found 1 labels, 2 columns",
    ),
    "two and several": (
        lambda: m.gwet_ac1(PEOPLE, JUDGE, ratings=[PEOPLE, JUDGE]),
        "takes two label sequences (or their counts), or ratings of several raters; found both",
    ),
    "difference": (
        lambda: m.krippendorff_alpha(PEOPLE, JUDGE, difference="ratio"),  # type: ignore[arg-type]
        "difference: is one of nominal, ordinal, interval; found 'ratio'",
    ),
    "interval of labels": (
        lambda: m.krippendorff_alpha([1, 2], [1, 2], difference="interval"),
        "Give them as ratings=[..., ...]",
    ),
    "test with clusters": (
        lambda: m.mcnemar_p(counts=np.ones((3, 2, 2))),
        "holds for whole decisions that stand alone",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_one_clear_error(name: str) -> None:
    ask, says = WRONG[name]
    with pytest.raises(InputError) as raised:
        ask()
    assert says in str(raised.value)
    assert "\n" not in str(raised.value)


def test_hostile_labels_stay_on_one_line() -> None:
    with pytest.raises(InputError) as raised:
        m.accuracy(["a", "\x1b[31m\n" + "x" * 500], ["a", "a"], labels=["a"])
    assert len(str(raised.value)) < 300
    assert "\n" not in str(raised.value)
    assert "\x1b" not in str(raised.value)


@pytest.mark.parametrize(
    "kind",
    [list, tuple, np.array, pd.Series, pl.Series, lambda x: np.array(x, dtype=object), iter],
    ids=["list", "tuple", "array", "pandas", "polars", "objects", "iterator"],
)
def test_every_kind_of_sequence(kind: Callable[[Any], Any]) -> None:
    plain = m.cohen_kappa(PEOPLE, JUDGE, clusters=list("aabb"))
    assert m.cohen_kappa(kind(PEOPLE), kind(JUDGE), clusters=kind(list("aabb"))) == plain


def test_categories_and_truth_values_are_labels() -> None:
    ordered = pd.Series(pd.Categorical(PEOPLE, categories=["yes", "no"]))
    assert m.accuracy(ordered, JUDGE).value == 0.75
    assert m.sensitivity([True, False, True], [True, True, False]).value == 0.5
    assert m.sensitivity(np.array([1.0, 0, 1]), [1, 1, 0]).value == 0.5  # 1.0 is 1


def test_labels_that_occur_are_sorted_and_declared_ones_stay_in_order() -> None:
    found = m.accuracy(PEOPLE, JUDGE)
    assert found.declared["labels"] == ["no", "yes"]
    found = m.accuracy(PEOPLE, JUDGE, labels=["yes", "no", "never"])
    assert found.declared["labels"] == ["yes", "no", "never"]


def test_an_unused_label_counts() -> None:
    # p_o = 3/4, shares 5/8 and 3/8: AC1's chance is 2 x 15/64 / (K - 1).
    two, three = (m.gwet_ac1(PEOPLE, JUDGE, labels=["yes", "no", "x"][:k]).value for k in (2, 3))
    assert two == pytest.approx((3 / 4 - 30 / 64) / (1 - 30 / 64))
    assert three == pytest.approx((3 / 4 - 15 / 64) / (1 - 15 / 64))


def test_the_positive_label_stands_against_the_rest() -> None:
    reference, verdicts = ["a", "a", "b", "c", "c"], ["a", "b", "b", "a", "c"]
    found = m.precision(reference, verdicts, positive="a")
    assert found.value == 0.5
    folded = m.precision([x == "a" for x in reference], [x == "a" for x in verdicts])
    assert found.interval == folded.interval
    # A positive label that nobody uses: no positive item, not a wrong argument.
    for missing in (
        m.sensitivity(["no", "no"], ["no", "no"], positive="yes"),
        m.sensitivity([0, 0], [0, 0]),
        m.sensitivity([False, False], [False, False]),
    ):
        assert missing.reason == "no item's reference is positive (both say the same on 2 of 2)"


def test_counts_by_cluster_are_labels_with_clusters() -> None:
    cluster = ["a", "a", "b", "b"]
    tables = np.zeros((2, 2, 2))
    for truth, verdict, where in zip(PEOPLE, JUDGE, cluster, strict=True):
        tables[cluster.index(where) // 2, int(truth == "yes"), int(verdict == "yes")] += 1
    labelled = m.cohen_kappa(PEOPLE, JUDGE, clusters=cluster)
    counted = m.cohen_kappa(counts=tables, labels=["no", "yes"])
    assert counted == labelled
    assert counted.n_clusters == 2


def test_clusters_of_one_item_are_no_clusters() -> None:
    alone, named = (m.f1([1, 0, 1], [1, 1, 0], clusters=c) for c in (None, ["x", "y", "z"]))
    assert named == alone


def test_weights_count_relative_to_one_another() -> None:
    # Weights 1, 1, 2, 4: agreement on items 1, 2 and 4 is (1 + 1 + 4) / 8.
    found = m.accuracy(PEOPLE, JUDGE, sample_weight=[1, 1, 2, 4])
    assert found.value == pytest.approx(6 / 8)
    assert m.accuracy(PEOPLE, JUDGE, sample_weight=[10, 10, 20, 40]).value == found.value
    assert m.accuracy(PEOPLE, JUDGE, sample_weight=[1, 1, 0, 1]).n_items == 3


def test_nothing_is_kept_between_calls() -> None:
    before = m.f1([1, 0, 1, 1], [1, 1, 0, 1])
    m.f1([1, 0, 1, 1], [1, 1, 0, 1], seed=9)
    assert m.f1([1, 0, 1, 1], [1, 1, 0, 1]) == before


def test_the_label_that_is_named_twice_is_shown() -> None:
    with pytest.raises(InputError, match=r"names each option once.*'b'"):
        m.accuracy(["a", "b"], ["a", "b"], labels=["a", "b", "b"])


@pytest.mark.parametrize("shares", [{0: -0.5, 1: 1.5}, {0: 0.5, 1: 0.6}])
def test_declared_shares_are_shares(shares: dict[int, float]) -> None:
    with pytest.raises(InputError, match="are shares that sum to 1"):
        m.weighted_balanced_accuracy(counts=[[40, 10], [5, 45]], prevalence=shares)
