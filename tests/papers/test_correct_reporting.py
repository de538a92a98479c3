"""Lee and others, "How to Correctly Report LLM-as-a-Judge Evaluations", sections 4 to 6.

Through the public calls alone, held against the paper's formulas written down once more.
"""

from __future__ import annotations

import csv
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from patience import seldom

import goldassay as ga

Z = 1.959963984540054


def equation_6(p: float, n: float, q0: float, m0: float, q1: float, m1: float) -> tuple[float, ...]:
    """Equations 5 to 8: the corrected rate, clipped, and its interval."""
    n_, m0_, m1_ = n + Z * Z, m0 + 2, m1 + 2
    p_, q0_, q1_ = (n * p + Z * Z / 2) / n_, (m0 * q0 + 1) / m0_, (m1 * q1 + 1) / m1_
    theta, j = (p_ + q0_ - 1) / (q0_ + q1_ - 1), q0_ + q1_ - 1
    v0, v1 = q0_ * (1 - q0_) / m0_, q1_ * (1 - q1_) / m1_
    shift = 2 * Z * Z * (theta * v1 - (1 - theta) * v0)
    half = Z * math.sqrt(p_ * (1 - p_) / n_ + (1 - theta) ** 2 * v0 + theta**2 * v1) / j
    value = (p + q0 - 1) / (q0 + q1 - 1)
    return tuple(min(max(x, 0.0), 1.0) for x in (value, theta + shift - half, theta + shift + half))


def possible(pilot: dict[str, Any], draws: int, rng: np.random.Generator) -> list[NDArray[Any]]:
    """True rates, q1 and q0 that a pilot leaves open: Jeffreys' posteriors, where they agree."""
    (k1, m1), (k0, m0) = (map(int, pilot[q].split("/")) for q in ("sensitivity", "specificity"))
    k, n = pilot["positives"], pilot["of"]
    q1, q0 = (rng.beta(a + 0.5, b - a + 0.5, 80 * draws) for a, b in ((k1, m1), (k0, m0)))
    theta = (rng.beta(k + 0.5, n - k + 0.5, 80 * draws) + q0 - 1) / (q1 + q0 - 1)
    kept = np.flatnonzero((q1 + q0 > 1) & (theta >= 0) & (theta <= 1))[:draws]
    assert len(kept) == draws
    return [theta[kept], q1[kept], q0[kept]]


# --- a calibration set beside a test set --------------------------------------------------------

#: 1,000 test items of which 30 % are positive, 200 labelled ones of which half are.
TEST, SET = (1000, 0.3), (200, 0.5)


def drawn(
    size: tuple[int, float], rng: np.random.Generator, q1: float = 0.9, q0: float = 0.7
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Labels and verdicts of so many items, of which a share is positive."""
    number, share = size
    label = np.arange(number) < round(number * share)
    return label, np.where(label, rng.random(number) < q1, rng.random(number) >= q0)


def said(yes: Any) -> str:
    return "yes" if yes else "no"


def written(
    folder: Path, shape: str, split: str = "split", words: tuple[str, str] = ("test", "calibration")
) -> list[str]:
    """A test set and a labelled set in one of the ways in which people keep them."""
    rng = np.random.default_rng(4)
    here, there = words
    _, verdict = drawn(TEST, rng)
    label, labelled = drawn(SET, rng)
    wide = [{"item": f"t{i}", "gpt": said(v), split: here} for i, v in enumerate(verdict)]
    wide += [
        {"item": f"c{i}", "gpt": said(v), "human": said(z), split: there}
        for i, (v, z) in enumerate(zip(labelled, label, strict=True))
    ]
    if shape == "wide":
        return [table(folder / "wide.csv", ["item", "human", "gpt", split], wide)]
    if shape == "files":
        parts = ([row for row in wide if row[split] == word] for word in (here, there))
        names = (("unlabelled.csv", ["item", "gpt"]), ("known.csv", ["item", "human", "gpt"]))
        return [
            table(folder / name, columns, rows)
            for (name, columns), rows in zip(names, parts, strict=True)
        ]
    long = [
        {"item": row["item"], "rater": who, "kind": kind, "value": row[who], split: row[split]}
        for row in wide
        for who, kind in (("gpt", "judge"), ("human", "human"))
        if who in row
    ]
    return [table(folder / "long.csv", ["item", "rater", "kind", "value", split], long)]


def table(path: Path, columns: list[str], rows: list[dict[str, Any]]) -> str:
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, columns, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)
    return str(path)


def expected() -> tuple[float, ...]:
    rng = np.random.default_rng(4)
    _, verdict = drawn(TEST, rng)
    label, labelled = drawn(SET, rng)
    m1 = int(label.sum())
    q1, q0 = labelled[label].mean(), 1 - labelled[~label].mean()
    return equation_6(verdict.mean(), len(verdict), q0, len(label) - m1, q1, m1)


SHAPES = ["long", "wide", "files"]


@pytest.mark.parametrize("shape", SHAPES)
def test_a_labelled_set_is_a_separate_one_and_never_pooled(tmp_path: Path, shape: str) -> None:
    """Without a task, under the task that is drafted, and as the option says it: equation 6."""
    paths = written(tmp_path, shape)
    drafted = tmp_path / "task.toml"
    command = [sys.executable, "-m", "goldassay", "check", *paths, "--write-task", str(drafted)]
    subprocess.run(command, check=True, capture_output=True)
    assert 'calibration = "separate"' in drafted.read_text(encoding="utf-8")
    ways = [ga.estimate(paths), ga.estimate(paths, str(drafted))]
    ways.append(ga.estimate(paths, calibration="by_label"))
    if shape == "files":
        ways.append(ga.estimate(paths[0], calibration=paths[1]))
    for found in ways:
        rate = found["prevalence", "gpt"]
        theirs = (rate.value, rate.interval.low, rate.interval.high)
        assert theirs == pytest.approx(expected(), abs=1e-9)
        assert any("the judge errs there as here" in one for one in rate.assumptions)
        assert "if the judge errs there as here" in found.answer[0].text


@pytest.mark.parametrize(
    "words", [("prod", "golden"), ("Test", "Calib"), ("unlabelled", "labelled")]
)
@pytest.mark.parametrize("split", ["split", "subset"])
def test_a_split_goes_by_other_words(tmp_path: Path, split: str, words: tuple[str, str]) -> None:
    (path,) = written(tmp_path, "wide", split, words)
    rate = ga.estimate(path)["prevalence", "gpt"]
    assert rate.value == pytest.approx(expected()[0], abs=1e-9)


def test_a_split_of_items_that_are_all_labelled_is_no_calibration_set(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    label, verdict = drawn((300, 0.4), rng)
    rows = [
        {"item": i, "human": said(z), "gpt": said(v), "split": "dev" if i % 3 else "test"}
        for i, (z, v) in enumerate(zip(label, verdict, strict=True))
    ]
    path = table(tmp_path / "all.csv", ["item", "human", "gpt", "split"], rows)
    assert ga.estimate(path)["prevalence", "gpt"].value == pytest.approx(0.4)


@pytest.mark.parametrize("shape", SHAPES)
def test_verbs_agree_on_the_items_that_a_number_is_of(tmp_path: Path, shape: str) -> None:
    """`agree` is on the labelled items, `estimate` on the others, and `plan` on more labels for
    these."""
    paths = written(tmp_path, shape)
    assert ga.agree(paths)["accuracy", "gpt"].n_items == 200
    _, verdict = drawn(TEST, np.random.default_rng(4))
    estimated, planned = ga.estimate(paths), ga.plan(paths)
    assert estimated["prevalence_naive", "gpt"].value == pytest.approx(verdict.mean())
    now = planned["length_now", "gpt"]
    assert now.value == pytest.approx(estimated["prevalence", "gpt"].interval.length)
    assert now.n_items == 1000
    assert any("errs there as here" in one for one in now.assumptions)
    for found in (planned, ga.report(paths)):
        assert any("if the judge errs there as here" in one.text for one in found.answer)


def test_an_option_does_not_overrule_a_task(tmp_path: Path) -> None:
    paths = written(tmp_path, "long")
    task = {"scale": "binary", "options": ["yes", "no"], "positive": "yes"}
    with pytest.raises(ga.InputError, match=r"separate.*random"):
        ga.estimate(paths, {**task, "calibration": "random"}, calibration="separate")
    with pytest.raises(ga.InputError, match="Did you mean 'separate'"):
        ga.estimate(paths, calibration="seperate")
    same = ga.estimate(paths, {**task, "calibration": "separate"}, calibration="separate")
    assert same["prevalence", "gpt"].value == pytest.approx(expected()[0])


# --- plans --------------------------------------------------------------------------------------

PILOTS: list[dict[str, Any]] = [
    {"positives": 300, "of": 1000, "sensitivity": "9/10", "specificity": "7/10"},
    {"positives": 600, "of": 2000, "sensitivity": "27/30", "specificity": "24/30"},
]


@pytest.mark.parametrize("pilot", seldom(PILOTS, 0))
def test_a_plan_from_a_pilot_keeps_its_word(pilot: dict[str, Any]) -> None:
    """So many labels of each verdict reach the length in 80 % of all that the pilot leaves open."""
    rng, told = np.random.default_rng(1), ga.plan(**pilot).answer[0].facts
    assert told["design"] == "by_verdict"
    theta, q1, q0 = possible(pilot, 60, rng)
    called, items = pilot["positives"], pilot["of"]
    p = (q0 + q1 - 1) * theta + 1 - q0
    shares = np.clip(np.stack([theta * (1 - q1) / (1 - p), theta * q1 / p], 1), 0, 1)
    falls = np.array([told["negatives"], told["positives"]])
    reached = 0
    for right in rng.binomial(falls, shares):
        rows = [
            {"item": f"{verdict}{at}", "judge": verdict, "person": label}
            for verdict, whole, labelled, yes in zip(
                ("no", "yes"), (items - called, called), falls, right, strict=True
            )
            for at in range(whole)
            for label in [None if at >= labelled else "yes" if at < yes else "no"]
        ]
        task = {
            "scale": "binary",
            "options": ["yes", "no"],
            "positive": "yes",
            "calibration": "by_verdict",
            "wide": {"human": ["person"], "judge": ["judge"]},
        }
        interval = ga.estimate(rows, task)["prevalence", "judge"].interval
        reached += interval.high - interval.low <= 0.1
    assert reached >= 0.7 * 60  # 80 %, less two standard errors


def test_a_pilot_says_where_no_number_of_labels_helps() -> None:
    """With as many more labels as anybody would, eq. 6 of this pilot is longer than 10 points."""
    pilot = {**PILOTS[0], "positives": 500}
    _, q1, q0 = possible(pilot, 500, np.random.default_rng(2))
    p = pilot["positives"] / pilot["of"]
    lengths = [
        high - low
        for q1_, q0_ in zip(q1, q0, strict=True)
        for _, low, high in [equation_6(p, pilot["of"], q0_, 1e7, q1_, 1e7)]
    ]
    assert np.quantile(lengths, 0.8) > 0.1
    found = ga.plan(**pilot)
    told = {one.key: one for one in found.answer}["plan.separate"]
    assert told.facts["labels"] is None
    assert "judge more items" in told.text


def test_more_of_a_pilot_needs_fewer_labels() -> None:
    """The same shares from ten times the labels, and as known: ever fewer are needed."""
    rates = {"positives": 400, "of": 1000}
    written = [("18/20", "14/20"), ("180/200", "140/200"), (0.9, 0.7)]
    needed = [
        ga.plan(**rates, sensitivity=q1, specificity=q0).answer[0].facts["labels"]
        for q1, q0 in written
    ]
    assert needed[0] > needed[1] > needed[2]


@pytest.mark.parametrize("called", seldom([300, 350, 400], 1))
@pytest.mark.parametrize("pilot", [False, True])
def test_algorithm_1_is_not_shorter_than_the_planners_own_split(called: int, pilot: bool) -> None:
    """By the lengths that are printed; proposition 5.2 is about large samples."""
    q1, q0 = ("45/50", "35/50") if pilot else (0.9, 0.7)
    found = ga.plan(positives=called, of=1000, sensitivity=q1, specificity=q0, labels=200)
    lengths = {row[0]: row[-1] for row in found.tables["budget"].rows}
    assert lengths["separate set, correct the rate"] <= lengths["separate set, Algorithm 1"]
