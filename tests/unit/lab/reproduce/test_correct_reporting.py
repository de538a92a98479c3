from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from goldassay.lab.reproduce.correct_reporting import algorithm_1, reproduce, rogan_gladen_bias
from goldassay.lab.reproduce.evouna import draw_study
from goldassay.questions.plan.allocation import algorithm_1 as one_split

ROOT = Path(__file__).resolve().parents[4]
DATA = Path(os.environ.get("GOLDASSAY_SHARED", ROOT.parent / "shared")) / "data"


@pytest.fixture(scope="module")
def findings():  # type: ignore[no-untyped-def]
    return reproduce(quick=True, seed=1, data=None)


def column(table, name):  # type: ignore[no-untyped-def]
    return [row[table.columns.index(name)] for row in table.rows]


def test_every_figure_and_proposition_is_there(findings) -> None:  # type: ignore[no-untyped-def]
    assert list(findings.tables) == [
        "figure_3",
        "figures_5_and_9_to_16",
        "every_estimator",
        "figure_7",
        "proposition_5_1",
        "proposition_5_2",
        "proposition_6_1",
    ]
    assert len(findings.charts) == 1 + 9 * 3 + 1
    assert all(chart.alt for chart in findings.charts)


def test_figure_3_algorithm_1_is_never_longer(findings) -> None:  # type: ignore[no-untyped-def]
    for _, equal, adaptive, _ in findings.tables["figure_3"].rows:
        assert adaptive <= equal


def test_figures_5_and_9_to_16(findings) -> None:  # type: ignore[no-untyped-def]
    table = findings.tables["figures_5_and_9_to_16"]
    assert len(table.rows) == 9
    assert np.min(column(table, "least coverage")) > 0.925  # 1,000 draws in each of 189 cells
    assert np.max(column(table, "least coverage, naive")) < 0.05
    assert np.max(column(table, "most bias, corrected")) < 0.05
    shorter = column(table, "length, Algorithm 1")
    assert all(a < b for a, b in zip(shorter, column(table, "length, equal"), strict=True))


def test_figure_7_only_rogan_gladen_withstands_label_shift(findings) -> None:  # type: ignore[no-untyped-def]
    bias = {row[0]: np.abs(row[1:]) for row in findings.tables["figure_7"].rows}
    assert bias["(v) Rogan-Gladen"].max() < 0.02
    assert bias["(i) naive"] == pytest.approx(0.1, abs=0.005)
    assert bias["(ii) labels only"].max() == pytest.approx(0.25, abs=0.01)
    assert bias["(iii) difference (PPI)"].max() == pytest.approx(0.1, abs=0.01)
    assert bias["(iv) conditional calibration"].max() > 0.15


def test_proposition_51_holds_from_its_threshold_on(findings) -> None:  # type: ignore[no-untyped-def]
    assert set(column(findings.tables["proposition_5_1"], "smaller bias")) == {"yes"}


def test_the_exact_bias_is_what_the_delta_method_says_for_many_labels() -> None:
    q, m, theta = 0.8, 1000, 0.2
    approximate = 2 * q / (2 * q - 1) ** 2 * (2 * theta - 1) * (1 - q) / m
    assert rogan_gladen_bias(theta, q, m) == pytest.approx(approximate, rel=0.05)


def test_proposition_61(findings) -> None:  # type: ignore[no-untyped-def]
    for _, low, high, paper_low, paper_high in findings.tables["proposition_6_1"].rows:
        if low is None:
            assert paper_low is None
        else:
            assert (low, high) == pytest.approx((paper_low, paper_high))


@pytest.mark.parametrize(("m", "p", "q0", "q1"), [(200, 0.4, 0.7, 0.9), (500, 0.5, 0.7, 0.9)])
def test_algorithm_1_is_the_planners(m: int, p: float, q0: float, q1: float) -> None:
    split = one_split(m, p, specificity=q0, sensitivity=q1)
    many = algorithm_1(m, np.array([p]), np.array([10 * q0]), np.array([10 * q1]))
    assert [float(part[0]) for part in many] == [split.negatives, split.positives]


def test_a_study_has_the_sizes_it_says() -> None:
    population = np.array([[638, 1], [551, 1830]])
    rng = np.random.default_rng(0)
    for design in ("random", "by_verdict", "by_label", "separate"):
        test, calibration = draw_study(population, design, 50, rng)
        assert (calibration.sum((-1, -2)) == 200).all()
        assert (test.sum(-1) == (800 if design in ("random", "by_verdict") else 1000)).all()


@pytest.mark.skipif(not (DATA / "evouna_qaeval").is_dir(), reason="published ratings not here")
def test_evouna() -> None:
    from goldassay.lab.reproduce.evouna import lexical_tables
    from goldassay.results import Gathered

    tables = lexical_tables(DATA)
    gpt4 = tables["gpt4"]
    assert gpt4[1].sum() / gpt4.sum() == pytest.approx(0.788, abs=5e-4)
    from goldassay.lab.reproduce.evouna import add_evouna

    findings = Gathered()
    add_evouna(findings, DATA, draws=1_000, seed=1)
    coverage = column(findings.tables["evouna"], "coverage")
    assert all(0.93 <= covered <= 0.97 for covered in coverage)
    assert all(
        abs(bias) < 0.01 for bias in column(findings.tables["evouna"], "bias of the estimate")
    )
