"""The judge-selection simulation against a plain loop over its definition."""

from __future__ import annotations

import numpy as np
import pytest
from elsewhere import elsewhere
from sklearn.metrics import accuracy_score, balanced_accuracy_score, f1_score

from goldassay.lab.scenarios.selection import (
    METRICS,
    Scenarios,
    draw_scenarios,
    golden_metrics,
    pairs_in_order,
    simulate_choice,
)


def test_golden_metrics_are_scikit_learns() -> None:
    tp, fp, tn, fn = 63, 133, 784, 20
    truth = np.repeat([1, 0, 0, 1], [tp, fp, tn, fn])
    verdict = np.repeat([1, 1, 0, 0], [tp, fp, tn, fn])
    ours = golden_metrics(*(np.array([c]) for c in (tp, fp, tp + fn, tn + fp)))
    expected = {
        "balanced_accuracy": balanced_accuracy_score(truth, verdict),
        "macro_f1": f1_score(truth, verdict, average="macro"),
        "accuracy": accuracy_score(truth, verdict),
        "f1": f1_score(truth, verdict),
    }
    assert {name: value[0] for name, value in ours.items()} == pytest.approx(expected)


def test_golden_metrics_without_one_class_let_the_other_decide() -> None:
    zero = np.array([0])
    ours = golden_metrics(np.array([7, 9]), np.array([0, 0]), np.array([10]), zero)
    assert ours["balanced_accuracy"].tolist() == [0.35, 0.45]


def test_pairs_in_order_counts_ties_as_wrong() -> None:
    verdicts = np.array([[1, 3, 2], [2, 2, 2], [3, 1, 2]])  # systems by rising truth x judges
    assert pairs_in_order(verdicts).tolist() == [3, 0, 0]


def test_choice_is_the_plain_loop() -> None:
    settings = Scenarios(scenarios=200, golden_items=60, evaluation_items=40)
    draws = draw_scenarios(settings, np.random.default_rng(5), 200)
    success = dict.fromkeys(METRICS, 0.0)
    gap = dict.fromkeys(METRICS, 0.0)
    for i in range(200):
        positives = int(draws.positives[i])
        negatives = 60 - positives
        accuracy = []
        for judge in range(3):
            rates = draws.verdicts[:, i, judge]
            right = sum(rates[b] > rates[a] for a in range(5) for b in range(a + 1, 5))
            accuracy.append(right / 10)
        values: dict[str, list[float]] = {name: [] for name in METRICS}
        for judge in range(3):
            tp, fp = int(draws.true_positives[i, judge]), int(draws.false_positives[i, judge])
            fn, tn = positives - tp, negatives - fp
            f1 = 2 * tp / (2 * tp + fp + fn)
            values["balanced_accuracy"].append((tp / positives + tn / max(negatives, 1)) / 2)
            values["accuracy"].append((tp + tn) / 60)
            values["f1"].append(f1)
            values["macro_f1"].append((f1 + 2 * tn / max(2 * tn + fp + fn, 1)) / 2)
        for name in METRICS:
            chosen = int(np.argmax(values[name]))
            success[name] += chosen == int(np.argmax(accuracy))
            gap[name] += max(accuracy) - accuracy[chosen]
    ours = simulate_choice(settings, seed=5)
    assert {n: c.success for n, c in ours.items()} == pytest.approx(
        {n: s / 200 for n, s in success.items()}
    )
    assert {n: c.gap for n, c in ours.items()} == pytest.approx(
        {n: g / 200 for n, g in gap.items()}
    )


def test_same_seed_same_numbers() -> None:
    settings = Scenarios(scenarios=500)
    program = (
        f"from {Scenarios.__module__} import Scenarios;"
        f"from {simulate_choice.__module__} import simulate_choice;"
        "print(simulate_choice(Scenarios(scenarios=500), seed=3))"
    )
    assert str(simulate_choice(settings, seed=3)) == elsewhere(program).strip()
    assert simulate_choice(settings, seed=3) != simulate_choice(settings, seed=4)
