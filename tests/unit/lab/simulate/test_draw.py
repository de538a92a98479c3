"""Simulated ratings have the declared truths."""

from __future__ import annotations

import tomllib
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest
from elsewhere import elsewhere

from goldassay.counts import confusion, count_distributions, count_units
from goldassay.errors import SourceError, TaskError
from goldassay.lab.simulate import (
    Drawn,
    Judge,
    Raters,
    RatingModel,
    Study,
    read_study,
    simulate,
    simulate_response_sets,
)
from goldassay.ratings.table import Ratings, read_ratings

PERFECT = Raters(number=1, per_unit=1, sensitivity=1.0, specificity=1.0)


def table(drawn: Drawn, folder: Path) -> Ratings:
    path = folder / "ratings.csv"
    path.write_text(drawn.to_csv())
    return read_ratings(path, drawn.task)


def rates(drawn: Drawn, folder: Path, judge: str) -> tuple[float, float]:
    square = confusion(count_units(table(drawn, folder)), judge).square
    return square[0, 0] / square[0].sum(), square[1, 1] / square[1].sum()


def test_the_same_seed_gives_the_same_rows() -> None:
    study = Study(prompts=20, judges={"j": Judge(abstain=0.1, invalid=0.1)})
    program = (
        "from goldassay.lab.simulate import Judge, Study, simulate;"
        "study = Study(prompts=20, judges={'j': Judge(abstain=0.1, invalid=0.1)});"
        "print(simulate(study, seed=4).to_csv(), end='')"
    )
    assert simulate(study, seed=4).to_csv() == elsewhere(program)
    assert simulate(study, seed=4).to_csv() != simulate(study, seed=5).to_csv()


def test_judges_have_the_declared_error_rates_also_by_system(tmp_path: Path) -> None:
    judge = Judge(sensitivity=0.8, specificity=0.9, systems={"b": {"sensitivity": 0.4}})
    study = Study(prompts=4000, systems={"a": 0.5, "b": 0.5}, judges={"j": judge}, raters=PERFECT)
    drawn = simulate(study, seed=1)
    units = count_units(table(drawn, tmp_path))
    for system, sensitivity in (("a", 0.8), ("b", 0.4)):
        square = confusion(units.only("system", system), "j").square
        assert square[0, 0] / square[0].sum() == pytest.approx(sensitivity, abs=0.04)
        assert square[1, 1] / square[1].sum() == pytest.approx(0.9, abs=0.03)
    assert drawn.truth["judges"]["j"]["sensitivity"] == pytest.approx(0.6, abs=0.01)


def test_systems_have_the_declared_rates_and_clusters_the_correlation(tmp_path: Path) -> None:
    study = Study(
        prompts=6000,
        systems={"a": 0.7},
        judges={"j": Judge()},
        raters=PERFECT,
        cluster_size=2,
        correlation=0.5,
    )
    drawn = simulate(study, seed=2)
    assert drawn.truth["systems"]["a"] == pytest.approx(0.7, abs=0.03)
    labels = {row[6]: row[3] == "MET" for row in drawn.rows if row[2] == "human"}
    values = np.array([labels[name] for name in sorted(labels)], dtype=float).reshape(-1, 2)
    within = np.corrcoef(values.T)[0, 1]
    # A Gaussian copula of .5 at prevalence .7 has a phi of about .32.
    assert within == pytest.approx(0.32, abs=0.05)


def test_abstention_falls_on_the_unsure_and_keeps_its_rate(tmp_path: Path) -> None:
    judge = Judge(sensitivity=0.8, specificity=0.8, abstain=0.2, abstain_when_unsure=3.0)
    drawn = simulate(Study(prompts=3000, judges={"j": judge}, raters=PERFECT), seed=3)
    ratings = table(drawn, tmp_path)
    rated = ratings.census.total(kind="judge", status="rated")
    abstained = ratings.census.total(kind="judge", status="abstained")
    assert abstained / (rated + abstained) == pytest.approx(0.2, abs=0.02)
    sensitivity, specificity = rates(drawn, tmp_path, "j")
    assert sensitivity > 0.83  # what is left is easier
    assert specificity > 0.83


def test_invalid_answers_and_repeats(tmp_path: Path) -> None:
    drawn = simulate(
        Study(prompts=500, judges={"j": Judge(invalid=0.1, samples=3)}, raters=PERFECT), seed=1
    )
    ratings = table(drawn, tmp_path)
    assert ratings.census.total(status="invalid") == pytest.approx(450, abs=80)
    assert count_units(ratings).samples == ("1", "2", "3")


def test_label_shift_between_labelled_and_test(tmp_path: Path) -> None:
    study = Study(prompts=4000, systems={"a": 0.5}, labelled=0.5, shift=1.0)
    truth = simulate(study, seed=1).truth
    assert truth["prevalence_labelled"] == pytest.approx(0.5, abs=0.04)
    assert truth["prevalence_test"] == pytest.approx(1 / (1 + np.exp(-1)), abs=0.04)


def test_labels_by_verdict_are_balanced(tmp_path: Path) -> None:
    study = Study(prompts=1000, systems={"a": 0.8}, labelled=0.2, design="by_verdict")
    drawn = simulate(study, seed=1)
    assert drawn.task.calibration == "by_verdict"
    labelled = [row for row in drawn.rows if row[2] == "judge" and row[8] == "calibration"]
    assert sum(row[3] == "MET" for row in labelled) == len(labelled) / 2 == 100


def test_indeterminate_items_divide_people_and_fill_response_sets(tmp_path: Path) -> None:
    raters = Raters(number=5, per_unit=5, response_sets=1.0)
    sure = simulate(Study(prompts=100, raters=raters), seed=1)
    unsure = simulate(Study(prompts=100, raters=raters, indeterminate=1.0), seed=1)
    both = [d.to_csv().count("MET|UNMET") for d in (sure, unsure)]
    assert both[0] == 0
    assert both[1] > 500


def test_a_study_file(tmp_path: Path) -> None:
    path = tmp_path / "study.toml"
    path.write_text(
        'prompts = 10\nlabelled = 0.5\ndesign = "separate"\n[systems]\na = 0.5\n'
        "[judges.j]\nsensitivity = 0.7\n[judges.j.systems.a]\nspecificity = 0.6\n"
        "[raters]\nnumber = 2\n"
    )
    study = read_study(path)
    assert study.judges["j"].systems["a"]["specificity"] == 0.6
    assert simulate(study, seed=1).task.calibration == "separate"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("promts = 3", "Did you mean 'prompts'"),
        ("prompts = 0", "a whole number from 1"),
        ("[judges.j]\nsensitivity = 1.5", "a share from 0 to 1"),
        ("[judges.j]\nsens = 1.5", "Did you mean"),
        ('design = "best"', "random, by_verdict or separate"),
        ("[systems]\na = 2", "a share from 0 to 1"),
        ("raters = 3", "must be a table"),
        ("[judges.j.systems.a]\nsensitivity = -1", "a share from 0 to 1"),
        ("[judges.j.systems.a]\nsens = 0.5", "Did you mean 'sensitivity'"),
        ("[judges.j]\ncost = -1", "a number from 0"),
        ("[criteria]\nc = 'much'", "is a number"),
        ("shift = inf", "is a number"),
        ("judges = {}", "names at least one"),
        ('options = ["a", "b", "c"]', "two options"),
        ('options = ["a", "a"]', "three different texts"),
    ],
)
def test_a_broken_study_is_named_however_it_is_made(
    tmp_path: Path, text: str, message: str
) -> None:
    path = tmp_path / "study.toml"
    path.write_text(text)
    with pytest.raises(TaskError, match=message) as filed:
        read_study(path)
    declared = tomllib.loads(text)
    with pytest.raises(TaskError) as mapped:
        Study.from_mapping(declared)
    assert str(filed.value) == str(mapped.value).replace("study", str(path), 1)
    if set(declared) <= {spec.name for spec in fields(Study)}:
        with pytest.raises(TaskError) as written:
            Study(**declared)
        assert str(written.value) == str(mapped.value)


def test_a_study_file_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="the study file cannot be read"):
        read_study(tmp_path / "none.toml")
    (tmp_path / "study.toml").write_text("x")
    with pytest.raises(TaskError, match="not valid TOML"):
        read_study(tmp_path / "study.toml")


def test_a_judge_and_raters_are_checked_by_themselves() -> None:
    with pytest.raises(TaskError, match=r"^judge, sensitivity: is a share"):
        Judge(sensitivity=1.5)
    with pytest.raises(TaskError, match=r"^raters, number: is a whole number"):
        Raters(number=0)


def test_the_rating_model_gives_theta(tmp_path: Path) -> None:
    model = RatingModel(
        options=("A", "B"), items=4, raters=3000, error=0.0, judges={"j": {"tilt": 0.0}}, samples=2
    )
    drawn = simulate_response_sets(model, seed=1)
    found = count_distributions(table(drawn, tmp_path))
    theta = found.human_sets / found.human_sets.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(theta, drawn.truth["theta"], atol=0.04)
    # A forced choice from {A, B} is A or B with equal chances.
    choice = found.human_forced / found.human_forced.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(choice[:, 0], theta[:, 0] + theta[:, 2] / 2, atol=0.04)
