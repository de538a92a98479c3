"""Collot and others, "Balanced Accuracy": golden sets as the authors would have them.

Each file goes through `select` without a task and with the one that is drafted, and is held against
a program of its own that knows nothing of goldassay.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from internals import CASES, TABLE_3, golden_metrics
from paper_files import Asked, both_ways, fewest, write

import goldassay as ga

Rows = list[list[object]]
VIOLATING, SAFE, SILENT = "violating", "safe", "CANNOT_ASSESS"
LONG = "item rater kind value"
#: Sensitivity and false positive rate, as in table 1.
A, B = (0.76, 0.15), (0.57, 0.08)


# --- the program of its own -----------------------------------------------------------------------


class Oracle:
    """Recalls, balanced accuracy and J of each judge, of rows (item, rater, kind, value)."""

    def __init__(self, rows: Rows) -> None:
        votes: dict[object, list[object]] = defaultdict(list)
        self.said: dict[object, dict[object, object]] = defaultdict(dict)
        for item, rater, kind, value in rows:
            if value not in (SILENT, ""):
                if kind == "human":
                    votes[item].append(value)
                else:
                    self.said[rater][item] = value
        self.gold = {}
        for item, given in votes.items():
            ranked = Counter(given).most_common()
            if len(ranked) == 1 or ranked[0][1] > ranked[1][1]:
                self.gold[item] = ranked[0][0]

    def pairs(self, judge: object, items: set[object] | None = None) -> list[tuple[object, object]]:
        said = self.said[judge]
        return [(y, said[i]) for i, y in self.gold.items() if i in said and i in (items or said)]

    def recalls(self, judge: object, items: set[object] | None = None) -> dict[object, float]:
        hits: dict[object, list[bool]] = defaultdict(list)
        for truth, said in self.pairs(judge, items):
            hits[truth].append(said == truth)
        return {label: sum(ok) / len(ok) for label, ok in hits.items()}

    def balanced(self, judge: object, items: set[object] | None = None) -> float:
        found = self.recalls(judge, items)
        return sum(found.values()) / len(found)

    @property
    def shared(self) -> set[object]:
        return set.intersection(*(set(said) for said in self.said.values()))

    def best(self) -> set[object]:
        score = {judge: round(self.balanced(judge, self.shared), 12) for judge in self.said}
        return {judge for judge, one in score.items() if one == max(score.values())}


# --- the files ------------------------------------------------------------------------------------


def golden(
    size: int,
    prevalence: float,
    judges: dict[str, tuple[float, float]],
    seed: int,
    exact: bool = True,
) -> Rows:
    """A golden set of responses with one gold label and the verdict of each judge."""
    rng = np.random.default_rng(seed)
    truth = rng.random(size) < prevalence
    if exact:  # the share itself, so that both classes are there
        truth = np.arange(size) < max(2, round(prevalence * size))
        rng.shuffle(truth)
    rows: Rows = []
    for item, positive in enumerate(truth):
        rows.append([f"r{item}", "policy team", "human", VIOLATING if positive else SAFE])
        for name, (tpr, fpr) in judges.items():
            flagged = rng.random() < (tpr if positive else fpr)
            rows.append([f"r{item}", name, "judge", VIOLATING if flagged else SAFE])
    return rows


def counted(case: str) -> Rows:
    """A file with the very counts of a table of the paper (TP, FP, TN, FN of each judge)."""
    rows: Rows = []
    for name, ((tp, fp, tn, fn), _) in CASES[case].items():
        labels = [VIOLATING] * (tp + fn) + [SAFE] * (fp + tn)
        said = [VIOLATING] * tp + [SAFE] * fn + [VIOLATING] * fp + [SAFE] * tn
        rows += [[f"r{n:04}", name, "judge", one] for n, one in enumerate(said)]
    return [[f"r{n:04}", "policy team", "human", one] for n, one in enumerate(labels)] + rows


def silent(rows: Rows, judge: str, share: float, value: object, seed: int) -> Rows:
    """A judge that says something else, or (None) nothing, on some of the items."""
    rng = np.random.default_rng(seed)
    out: Rows = []
    for row in rows:
        gone = row[1] == judge and rng.random() < share
        if not gone or value is not None:
            out.append([*row[:3], value if gone else row[3]])
    return out


def three_people(rows: Rows, seed: int, people: int = 3, slip: float = 0.15) -> Rows:
    rng = np.random.default_rng(seed)
    out = [row for row in rows if row[2] == "judge"]
    for item, _, kind, value in rows:
        if kind == "human":
            for person in range(people):
                other = SAFE if value == VIOLATING else VIOLATING
                out.append([item, f"p{person}", kind, other if rng.random() < slip else value])
    return out


def categories(size: int, seed: int) -> Rows:
    rng = np.random.default_rng(seed)
    names, shares = ("benign", "hate", "self-harm", "violence"), (0.7, 0.15, 0.1, 0.05)
    rows: Rows = []
    for item in range(size):
        truth = rng.choice(names, p=shares)
        rows.append([f"r{item}", "policy team", "human", truth])
        for name, right in (("large", 0.85), ("small", 0.6)):
            said = truth if rng.random() < right else rng.choice(names)
            rows.append([f"r{item}", name, "judge", said])
    return rows


TWO, THREE = {"Judge A": A, "Judge B": B}, {"one": A, "two": B, "never": (0.0, 0.0)}
FILES: dict[str, Callable[[], Rows]] = {
    "table 1": lambda: counted("table 1"),
    "table 2": lambda: counted("table 2"),
    "as many of each": lambda: golden(120, 0.5, TWO, 1),
    "rare violations": lambda: golden(200, 0.03, TWO, 2),
    "common violations": lambda: golden(120, 0.85, TWO, 3),
    "a judge that never flags": lambda: golden(150, 0.2, THREE, 4),
    "a judge that errs more than chance": lambda: golden(
        120, 0.4, {"good": A, "bad": (0.2, 0.8)}, 5
    ),
    "judges with one J": lambda: golden(160, 0.5, {"x": (0.9, 0.3), "y": (0.7, 0.1)}, 6),
    "a judge that abstains": lambda: silent(golden(160, 0.3, TWO, 7), "Judge A", 0.15, SILENT, 8),
    "verdicts that are missing": lambda: silent(golden(160, 0.3, TWO, 9), "Judge B", 0.1, None, 10),
    "three people vote": lambda: three_people(golden(120, 0.3, TWO, 11), 12),
    "two people, some divided": lambda: three_people(golden(120, 0.3, TWO, 13), 14, people=2),
    "four categories": lambda: categories(220, 15),
    "a pilot of 10": lambda: golden(10, 0.5, TWO, 16),
}


@pytest.mark.parametrize("name", FILES)
def test_a_golden_set(tmp_path: Path, name: str) -> None:
    rows = FILES[name]()
    oracle = Oracle(rows)
    path = write(tmp_path / "golden.csv", LONG, rows)
    for way, asked in both_ways(ga.select, path, resamples=100):
        for judge in oracle.said:
            assert asked("balanced_accuracy", judge=judge).value == pytest.approx(
                oracle.balanced(judge)
            ), (way, judge)
            number = len(oracle.recalls(judge))
            j = asked("youden_j", judge=judge).value
            # BA = (n - 1)/n J + 1/n, and 2 BA - 1 with two classes.
            assert (number - 1) / number * j + 1 / number == pytest.approx(oracle.balanced(judge))
            if len(oracle.shared & {*oracle.gold}) < max(len(oracle.pairs(j)) for j in oracle.said):
                of_shared = asked("balanced_accuracy_on_shared_items", judge=judge).value
                assert of_shared == pytest.approx(oracle.balanced(judge, oracle.shared)), way
        says_the_slope_and_the_best(asked, oracle)


def says_the_slope_and_the_best(asked: Asked, oracle: Oracle) -> None:
    """Sections 4.1 and 5: balanced accuracy decides, and J is the slope of differences."""
    (said,) = re.findall(r"`([^`]+)` has the highest balanced accuracy", asked.screen) or [None]
    if said is None:  # level, or too few to say
        assert len(oracle.best()) > 1 or len(oracle.gold) < 20, asked.screen
        return
    assert said in oracle.best()
    best = asked("balanced_accuracy", judge=said)
    assert best.interval.low <= best.value <= best.interval.high
    if len({truth for truth, _ in oracle.pairs(said)}) == 2:
        slope = re.search(r"shrink to (\d+) % of their size", asked.screen)
        assert slope, asked.screen
        assert abs(int(slope[1]) - 100 * (2 * oracle.balanced(said) - 1)) <= 0.5 + 1e-6


def test_which_of_two_is_positive_does_not_matter(tmp_path: Path) -> None:
    """Section 3.1, label symmetry: the same choice and values with the other class as positive."""
    rows = FILES["rare violations"]()
    path = write(tmp_path / "golden.csv", LONG, rows)
    task = {"scale": "binary", "options": [VIOLATING, SAFE]}
    one, two = (
        Asked(ga.select(str(path), {**task, "positive": label}, resamples=100))
        for label in (VIOLATING, SAFE)
    )
    for judge in TWO:
        values = [asked("balanced_accuracy", judge=judge).value for asked in (one, two)]
        assert values[0] == pytest.approx(values[1])
        assert one("sensitivity", judge=judge).value == two("specificity", judge=judge).value


def test_a_golden_set_beside_a_benchmark(tmp_path: Path) -> None:
    """The golden set is labelled, the benchmark (`split`) is not: only the first tells judges."""
    labelled = golden(100, 0.3, TWO, 17)
    rows = [[*row, "calibration"] for row in labelled]
    for row in golden(150, 0.1, TWO, 18):
        if row[2] == "judge":
            rows.append([f"b{row[0]}", *row[1:], "test"])
    path, oracle = write(tmp_path / "both.csv", f"{LONG} split", rows), Oracle(labelled)
    for way, asked in both_ways(ga.select, path, resamples=100):
        for judge in TWO:
            found = asked("balanced_accuracy", judge=judge)
            assert found.value == pytest.approx(oracle.balanced(judge)), way
            assert found.n_items == 100


def test_a_sheet_with_a_column_for_each_judge(tmp_path: Path) -> None:
    rows = FILES["as many of each"]()
    cells: dict[object, dict[object, object]] = defaultdict(dict)
    for item, rater, kind, value in rows:
        cells[item]["gold" if kind == "human" else rater] = value
    sheet = [[item, *(one[name] for name in ("gold", *TWO))] for item, one in cells.items()]
    path = tmp_path / "sheet.csv"
    write(path, "item gold judge_a judge_b", sheet)
    oracle = Oracle(rows)
    for _, asked in both_ways(ga.select, path, resamples=100):
        for column, judge in (("judge_a", "Judge A"), ("judge_b", "Judge B")):
            value = asked("balanced_accuracy", judge=column).value
            assert value == pytest.approx(oracle.balanced(judge))


# --- the paper's own numbers ----------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES)
def test_the_printed_tables(tmp_path: Path, case: str) -> None:
    """Verb, `reproduce` and oracle give one number, and it rounds to the printed one."""
    oracle = Oracle(counted(case))
    path = str(write(tmp_path / "golden.csv", LONG, counted(case)))
    select, agree = Asked(ga.select(path, resamples=100)), Asked(ga.agree(path, resamples=100))
    for judge, ((tp, fp, tn, fn), printed) in CASES[case].items():
        lab = golden_metrics(*(np.array([n]) for n in (tp, fp, tp + fn, tn + fp)))
        for name, paper in zip(
            ("f1", "macro_f1", "accuracy", "balanced_accuracy"), printed, strict=True
        ):
            value = float(lab[name][0])
            assert agree(name, judge=judge, level="micro").value == pytest.approx(value)
            # Accuracy of table 2 is .83 and .84 for .830 and .840; F1 of A .370: half a digit.
            assert value == pytest.approx(paper, abs=0.005 + 1e-9)
        assert select("balanced_accuracy", judge=judge).value == pytest.approx(
            oracle.balanced(judge)
        )
    assert oracle.best() == {"Judge A"}
    assert "`Judge A` has the highest balanced accuracy" in select.screen


def choices(scenarios: int, seed: int) -> dict[str, tuple[float, float]]:
    """Success and mean gap of each metric in section 6.3, in a program of its own."""
    rng = np.random.default_rng(seed)
    n, judges, systems = scenarios, 3, 5
    tpr, fpr = rng.random((2, n, judges))
    rate = np.sort(rng.uniform(0.01, 0.5, (n, systems)), axis=1)
    seen = rng.binomial(200, fpr[..., None] + (tpr - fpr)[..., None] * rate[:, None])
    first, second = np.triu_indices(systems, 1)
    merit = (seen[..., second] > seen[..., first]).mean(-1)
    positives = rng.binomial(800, rng.uniform(0.5, 1, n))[:, None]
    tp, fp = rng.binomial(positives, tpr), rng.binomial(800 - positives, fpr)
    fn, tn = positives - tp, 800 - positives - fp
    with np.errstate(invalid="ignore", divide="ignore"):
        f1, f0 = 2 * tp / (2 * tp + fp + fn), 2 * tn / (2 * tn + fp + fn)
        scores = {
            "balanced_accuracy": (tp / positives + tn / (800 - positives)) / 2,
            "macro_f1": (f1 + f0) / 2,
            "accuracy": (tp + tn) / 800 + 0.0 * f1,
            "f1": f1,
        }
    best, every = merit.argmax(1), np.arange(n)
    out = {}
    for name, score in scores.items():
        picked = np.nan_to_num(score).argmax(1)
        out[name] = (
            float((picked == best).mean()),
            float((merit[every, best] - merit[every, picked]).mean()),
        )
    return out


def test_table_3_to_within_its_monte_carlo_error() -> None:
    """`reproduce`, this program and the paper: 4,000 scenarios against 40,000 and 100,000."""
    from internals import Scenarios, simulate_choice

    few, many = 4_000, 40_000
    ours, own = simulate_choice(Scenarios(scenarios=few), seed=3), choices(many, 4)
    for name, (success, gap) in TABLE_3.items():
        error = np.sqrt(own[name][0] * (1 - own[name][0]) * (1 / few + 1 / many))
        assert abs(ours[name].success - own[name][0]) < 4 * error, name
        assert abs(ours[name].gap - own[name][1]) < 4 * 0.13 * np.sqrt(1 / few + 1 / many), name
        # The paper does not say how its golden sets were drawn: the order holds, and one percent.
        assert abs(own[name][0] - success) < 0.015 + 4 * 0.5 / np.sqrt(many), name
        assert abs(own[name][1] - gap) < 0.006, name
    assert sorted(own, key=lambda name: -own[name][0]) == list(TABLE_3)


def covered(draws: int, size: int, prevalence: float, folder: Path) -> tuple[int, int]:
    """How often the interval of the judge's balanced accuracy holds the true one."""
    truth = (A[0] + 1 - A[1]) / 2
    hits = told = 0
    for seed in range(draws):
        path = write(folder / "g.csv", LONG, golden(size, prevalence, {"A": A}, 100 + seed))
        found = Asked(ga.select(str(path), resamples=100))("balanced_accuracy", judge="A")
        told += found.interval is not None
        hits += found.interval is not None and found.interval.low <= truth <= found.interval.high
    return hits, told


@pytest.mark.parametrize("prevalence", [0.1, 0.5])
def test_intervals_cover(tmp_path: Path, prevalence: float, request: pytest.FixtureRequest) -> None:
    draws = 400 if request.config.getoption("--slow") else 12
    hits, told = covered(draws, 100, prevalence, tmp_path)
    assert told == draws
    assert hits >= fewest(draws)
