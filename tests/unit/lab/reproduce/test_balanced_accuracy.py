"""The tables and figures of the balanced-accuracy paper."""

from __future__ import annotations

import numpy as np
import pytest

from goldassay.errors import UsageError
from goldassay.lab.reproduce import PAPERS, reproduce
from goldassay.lab.reproduce.balanced_accuracy import CASES, TABLE_3
from goldassay.lab.scenarios.selection import METRICS, Scenarios, golden_metrics, simulate_choice


@pytest.mark.parametrize("case", CASES)
def test_tables_1_and_2_as_printed(case: str) -> None:
    for (tp, fp, tn, fn), printed in CASES[case].values():
        metrics = golden_metrics(*(np.array([c]) for c in (tp, fp, tp + fn, tn + fp)))
        ours = [metrics[name][0] for name in ("f1", "macro_f1", "accuracy", "balanced_accuracy")]
        assert ours == pytest.approx(printed, abs=0.0051)


@pytest.mark.parametrize(
    ("case", "choosing_b"), [("table 1", {"f1", "macro_f1", "accuracy"}), ("table 2", {"accuracy"})]
)
def test_which_metrics_choose_the_wrong_judge(case: str, choosing_b: set[str]) -> None:
    counts = np.array([counts for counts, _ in CASES[case].values()]).T
    tp, fp, tn, fn = counts
    metrics = golden_metrics(tp, fp, tp + fn, tn + fp)
    assert {name for name in METRICS if metrics[name].argmax() == 1} == choosing_b


def test_table_3_within_its_reproducible_distance() -> None:
    """The golden set's prevalence is not given; U(0.5, 1) comes within .01 of every figure."""
    choices = simulate_choice(Scenarios(scenarios=30_000), seed=1)
    for name, (success, gap) in TABLE_3.items():
        assert choices[name].success == pytest.approx(success, abs=0.015)
        assert choices[name].gap == pytest.approx(gap, abs=0.007)
    assert sorted(METRICS, key=lambda name: choices[name].gap) == list(METRICS)


def test_accuracy_loses_more_than_twice_as_much_when_positives_are_rare() -> None:
    def accuracy_gap(low: float, high: float) -> float:
        sizes = Scenarios(
            scenarios=5_000,
            evaluation_items=2_000,
            golden_items=2_000,
            golden_prevalence=(low, high),
        )
        return simulate_choice(sizes, seed=2)["accuracy"].gap

    assert accuracy_gap(0.005, 0.05) > 2 * accuracy_gap(0.3, 0.7)


def test_reproduce_quick_says_what_was_found() -> None:
    findings = reproduce("balanced-accuracy", quick=True, seed=0)
    assert set(findings.tables) == {
        "cases",
        "table_3",
        "table_3_prevalence",
        "figure_3",
        "figure_4",
        "figure_5",
    }
    assert len(findings.charts) == 3
    assert all(chart.alt for chart in findings.charts)
    assert "Balanced accuracy chose the best judge" in findings.answer[0]


def test_an_unknown_paper_is_told_the_known_ones() -> None:
    with pytest.raises(UsageError, match="Did you mean 'balanced-accuracy'"):
        reproduce("balanced_acuracy")
    assert "justrank" in PAPERS
