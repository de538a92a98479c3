"""Rao and Callison-Burch (2026), "Agreement Metrics for LLM-as-Judge Evaluation": rubric files.

Each file goes through `agree` without a task and with the one that is drafted, and is held against
a program of its own that knows nothing of goldassay: the coefficients of section 3 at the levels of
section 5.1 under the handlings of section 6.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import pytest
from paper_files import Asked, both_ways, drafted, fewest, write

import goldassay as ga

MET, UNMET, CA = "MET", "UNMET", "CANNOT_ASSESS"
LONG = "item criterion rater kind value"
Verdicts = dict[tuple[str, str], str]
Pairs = list[tuple[str, str]]


# --- the program of its own -----------------------------------------------------------------------


def numbers(pairs: Pairs) -> dict[str, float | None]:
    """Equations 1 to 5 of pairs (people, judge); None where it is 0/0."""
    n, seen = Counter(pairs), {label for pair in pairs for label in pair}
    size = len(pairs)
    rows, columns = (Counter(pair[side] for pair in pairs) for side in (0, 1))
    accuracy = sum(n[k, k] for k in seen) / size
    chance = sum(rows[k] * columns[k] for k in seen) / size**2
    found: dict[str, float | None] = {"accuracy": accuracy}
    found["cohen_kappa"] = None if len(seen) == 1 else (accuracy - chance) / (1 - chance)
    if seen <= {MET, UNMET}:
        tp, fn, fp, tn = n[MET, MET], n[MET, UNMET], n[UNMET, MET], n[UNMET, UNMET]
        found["f1"] = 2 * tp / (2 * tp + fp + fn) if tp + fp + fn else None
        under = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
        found["phi"] = (tp * tn - fp * fn) / math.sqrt(under) if under else None
    return found


def majority(votes: list[str], mode: str) -> str | None:
    """What most say: of those who commit themselves, or with CA as UNMET or as a vote of its own;
    CA where nobody commits himself, None where they are level."""
    if mode == "recode":
        votes = [UNMET if vote == CA else vote for vote in votes]
    ranked = Counter(vote for vote in votes if mode == "class" or vote != CA).most_common()
    if not ranked:
        return CA
    return None if len(ranked) > 1 and ranked[0][1] == ranked[1][1] else ranked[0][0]


def whole(verdicts: Iterable[str | None]) -> str | None:
    """All criteria met: an unmet one decides, then one that is open."""
    verdicts = list(verdicts)
    if UNMET in verdicts:
        return UNMET
    return CA if CA in verdicts else None if None in verdicts else MET


class Oracle:
    """One judge against people, of rows (item, criterion, rater, kind, value)."""

    def __init__(self, rows: list[list[str]]) -> None:
        votes: dict[tuple[str, str], list[str]] = defaultdict(list)
        self.judge: Verdicts = {}
        for item, criterion, _, kind, value in rows:
            if kind == "human" and value:
                votes[item, criterion].append(value)
            elif value:
                self.judge[item, criterion] = value
        self.votes = votes
        self.people = self.reference("exclude")

    def reference(self, mode: str) -> dict[tuple[str, str], str | None]:
        return {unit: majority(given, mode) for unit, given in self.votes.items()}

    def pairs(self, mode: str = "exclude", criterion: str | None = None) -> Pairs:
        """Decisions on which both sides say something, under a handling of abstentions."""
        found = []
        for unit, truth in self.reference(mode).items():
            said = self.judge.get(unit)
            if truth is not None and said is not None and criterion in (None, unit[1]):
                found.append((truth, said))
        return self.handled(found, mode)

    @staticmethod
    def handled(pairs: Pairs, mode: str) -> Pairs:
        if mode == "exclude":
            return [pair for pair in pairs if CA not in pair]
        if mode == "recode":
            return [tuple(UNMET if one == CA else one for one in pair) for pair in pairs]  # type: ignore[misc]
        return pairs

    def macro(self, name: str) -> float:
        """The mean over criteria of those that are defined."""
        criteria = sorted({criterion for _, criterion in self.people})
        values = []
        for one in criteria:
            pairs = self.pairs(criterion=one)
            found = numbers(pairs)[name] if pairs else None
            constant = any(len({pair[side] for pair in pairs}) == 1 for side in (0, 1))
            if found is not None and not (name == "cohen_kappa" and constant):
                values.append(found)
        return sum(values) / len(values)

    def items(self) -> Pairs:
        """Each side's criteria reduced to its own verdict, then compared."""
        criteria: dict[str, list[str]] = defaultdict(list)
        for item, criterion in self.people:
            criteria[item].append(criterion)
        asked = {criterion for _, criterion in self.judge}
        found = []
        for item, every in criteria.items():
            units = [(item, one) for one in every if one in asked]
            if any(unit in self.judge for unit in units):
                truth = whole(self.people[unit] for unit in units)
                said = whole(self.judge.get(unit) for unit in units)
                if truth in (MET, UNMET) and said in (MET, UNMET):
                    found.append((truth, said))
        return found  # type: ignore[return-value]

    def coverage(self) -> float:
        rated = [unit for unit, truth in self.people.items() if unit in self.judge]
        return sum(self.judge[unit] != CA for unit in rated) / len(rated)


# --- the files ------------------------------------------------------------------------------------


def rubric(
    items: int,
    rates: dict[str, float],
    seed: int,
    *,
    right: float = 0.85,
    people: int = 1,
    slip: float = 0.0,
    judge_ca: float = 0.0,
    human_ca: float = 0.0,
    ca_where_unmet: bool = False,
) -> list[list[str]]:
    """A rubric's criteria on submissions: what is so, what people say, what the judge says."""
    rng = np.random.default_rng(seed)
    rows = []
    for n in range(items):
        for criterion, rate in rates.items():
            so = rng.random() < rate
            for person in range(people):
                seen = so ^ (rng.random() < slip)
                said = CA if rng.random() < human_ca else MET if seen else UNMET
                rows.append([f"s{n}", criterion, f"ann{person or ''}", "human", said])
            verdict = so ^ (rng.random() > right)
            silent = rng.random() < judge_ca or (ca_where_unmet and not so)
            said = CA if silent else MET if verdict else UNMET
            rows.append([f"s{n}", criterion, "gpt", "judge", said])
    return rows


def without(rows: list[list[str]], kind: str, share: float, seed: int) -> list[list[str]]:
    """Some ratings of a kind are not there."""
    rng = np.random.default_rng(seed)
    return [row for row in rows if row[3] != kind or rng.random() >= share]


def appendix_b() -> list[list[str]]:
    cells = {
        (MET, MET): 30, (MET, UNMET): 10, (MET, CA): 5,
        (UNMET, MET): 10, (UNMET, UNMET): 20, (UNMET, CA): 5,
        (CA, MET): 5, (CA, UNMET): 5, (CA, CA): 10,
    }  # fmt: skip
    return one_criterion([pair for pair, number in cells.items() for _ in range(number)])


def one_criterion(pairs: Pairs) -> list[list[str]]:
    rows = []
    for n, (truth, said) in enumerate(pairs):
        rows.append([f"s{n:03}", "correct", "ann", "human", truth])
        rows.append([f"s{n:03}", "correct", "gpt", "judge", said])
    return rows


def section_5(tp: int, fn: int, fp: int, tn: int) -> list[list[str]]:
    cells = {(MET, MET): tp, (MET, UNMET): fn, (UNMET, MET): fp, (UNMET, UNMET): tn}
    return one_criterion([pair for pair, number in cells.items() for _ in range(number)])


THREE = {"accurate": 0.7, "cites": 0.4, "clear": 0.85}
EASY_AND_RARE = {"A": 0.8, "B": 0.08}
FILES: dict[str, Callable[[], list[list[str]]]] = {
    "section 5": lambda: section_5(40, 10, 20, 30),
    "section 5, rare": lambda: section_5(5, 5, 0, 90),
    "appendix B": appendix_b,
    "three criteria": lambda: rubric(60, THREE, 1),
    "an easy criterion and a rare one": lambda: rubric(80, EASY_AND_RARE, 2),
    "a criterion that all meet": lambda: rubric(60, {**THREE, "polite": 1.0}, 3),
    "the judge abstains": lambda: rubric(70, THREE, 4, judge_ca=0.15),
    "both abstain": lambda: rubric(80, THREE, 5, judge_ca=0.1, human_ca=0.08),
    "the judge abstains on what people fail": lambda: rubric(60, THREE, 6, ca_where_unmet=True),
    "three people": lambda: rubric(50, THREE, 7, people=3, slip=0.15),
    "two people, some divided": lambda: rubric(60, THREE, 8, people=2, slip=0.15),
    "people who abstain": lambda: rubric(50, THREE, 9, people=3, slip=0.1, human_ca=0.15),
    "verdicts that are missing": lambda: without(rubric(70, THREE, 10), "judge", 0.1, 11),
    "labels that are missing": lambda: without(rubric(70, THREE, 12), "human", 0.3, 13),
    "a pilot of 10": lambda: rubric(10, THREE, 14),
    "a judge that drifts": lambda: rubric(70, THREE, 15, right=0.6, judge_ca=0.05),
}


def same(found: object, expected: float | None) -> bool:
    """A result and a number are one, or there is none in either."""
    if expected is None:
        return isinstance(found, ga.Undefined)
    return isinstance(found, ga.Estimate) and found.value == pytest.approx(expected)


@pytest.mark.parametrize("name", FILES)
def test_a_rubric(tmp_path: Path, name: str) -> None:
    rows = FILES[name]()
    oracle, path = Oracle(rows), write(tmp_path / "rubric.csv", LONG, rows)
    several = len({criterion for _, criterion in oracle.people}) > 1
    abstains = any(row[4] == CA for row in rows)
    for way, asked in both_ways(ga.agree, path, resamples=100):
        for metric, value in numbers(oracle.pairs()).items():
            found = asked(metric, judge="gpt", level="micro", mode=None, criterion=None)
            assert same(found, value), (way, metric, found, value)
        if several:
            for metric in ("accuracy", "cohen_kappa"):
                assert same(asked(metric, level="macro"), oracle.macro(metric)), (way, metric)
                pairs = oracle.items()
                found = asked(metric, level="item")
                assert same(found, numbers(pairs)[metric] if pairs else None), (way, metric, found)
                assert found.n_items == len(pairs), way
        if abstains:
            assert asked("coverage", judge="gpt").value == pytest.approx(oracle.coverage())
            for mode in ("recode", "class"):
                for metric in ("accuracy", "cohen_kappa"):
                    expected = numbers(oracle.pairs(mode))[metric]
                    found = asked(metric, level="micro", mode=mode, criterion=None)
                    assert same(found, expected), (way, mode, metric, found, expected)
        says_what_the_checklist_asks(asked, oracle, abstains)


def says_what_the_checklist_asks(asked: Asked, oracle: Oracle, abstains: bool) -> None:
    """Section 8, points 2, 3, 7 and 8: on the first screen."""
    screen, accuracy = (
        asked.screen,
        asked("accuracy", judge="gpt", level="micro", mode=None, criterion=None),
    )
    assert accuracy.interval.low <= accuracy.value <= accuracy.interval.high
    share = re.search(r"(\d+(?:\.\d+)?) % \[", screen)
    assert share, screen
    assert abs(float(share[1]) - 100 * accuracy.value) <= 0.5 + 1e-9
    assert "kappa" in screen.lower()
    assert f"{len(oracle.pairs()):,}" in screen
    # One of five names of one number, or none; the share decided beside the number for it.
    named = [
        word for word in ("Pearson", "Spearman", "Kendall", "phi", "Matthews") if word in screen
    ]
    assert len(named) <= 1, named
    if oracle.coverage() < 1:
        assert "no usable verdict" in screen
        assert "coverage" in screen


@pytest.mark.parametrize("mode", ["exclude", "recode", "class"])
def test_the_handling_that_is_declared_is_the_headline(tmp_path: Path, mode: str) -> None:
    """Appendix B: three handlings, three numbers; in the file, in `reproduce` and in the oracle."""
    rows = appendix_b()
    path, oracle = write(tmp_path / "b.csv", LONG, rows), Oracle(rows)
    text = drafted(path).read_text()
    text += f'abstentions = "{mode}"\n' + ('recode_to = "UNMET"\n' if mode == "recode" else "")
    path.with_suffix(".toml").write_text(text)
    asked = Asked(ga.agree(str(path), task=str(path.with_suffix(".toml")), resamples=100))
    printed = {"exclude": (0.714, 0.416), "recode": (0.700, 0.394), "class": (0.600, 0.370)}[mode]
    for metric, paper in zip(("accuracy", "cohen_kappa"), printed, strict=True):
        found = asked(metric, level="micro", mode=None, criterion=None).value
        assert found == pytest.approx(numbers(oracle.pairs(mode))[metric])
        assert found == pytest.approx(paper, abs=0.001)  # the paper cuts 5/12 to .416


def test_reproduce_has_what_these_files_have(tmp_path: Path) -> None:
    """The numbers of section 5 and appendix B: `reproduce` computes what the verb does."""
    from goldassay.lab.reproduce.agreement_metrics import examples

    shown = list(examples())
    assert len(shown) == 36
    assert sum(one.same for one in shown) == 33
    lab = {(one.where, one.what): one.ours for one in shown}
    for file, where in (("section 5", "5"), ("section 5, rare", "5")):
        rows = FILES[file]()
        path = write(tmp_path / "t.csv", LONG, rows)
        asked = Asked(ga.agree(str(path), resamples=100))
        ours = [value for (place, _), value in lab.items() if place.startswith(where) and value]
        for metric in ("accuracy", "cohen_kappa", "phi"):
            value = asked(metric, level="micro", mode=None, criterion=None).value
            assert value == pytest.approx(numbers(Oracle(rows).pairs())[metric])
            assert any(value == pytest.approx(one) for one in ours), (file, metric)


def test_the_constant_judge_of_section_5(tmp_path: Path) -> None:
    """Accuracy .90, kappa 0, phi undefined: told with the counts."""
    rows = section_5(0, 10, 0, 90)
    asked = Asked(ga.agree(str(write(tmp_path / "c.csv", LONG, rows)), resamples=100))
    assert asked("accuracy", level="micro").value == pytest.approx(0.90)
    assert asked("cohen_kappa", level="micro").value == pytest.approx(0.0)
    assert isinstance(asked("phi", level="micro"), ga.Undefined)
    assert "Cohen's kappa says nothing here" in asked.screen


def covered(draws: int, folder: Path, metric: str, level: str) -> int:
    """How often an interval holds what 100,000 such submissions have."""
    many = Oracle(rubric(20_000, THREE, 0, judge_ca=0.1))
    pairs = many.pairs() if level == "micro" else many.items()
    truth, hits = numbers(pairs)[metric], 0
    for seed in range(draws):
        path = write(folder / "d.csv", LONG, rubric(50, THREE, 500 + seed, judge_ca=0.1))
        found = Asked(ga.agree(str(path), resamples=100))(metric, level=level, mode=None)
        hits += found.interval.low <= truth <= found.interval.high
    return hits


@pytest.mark.parametrize(
    ("metric", "level"), [("accuracy", "micro"), ("cohen_kappa", "micro"), ("accuracy", "item")]
)
def test_intervals_cover(
    tmp_path: Path, metric: str, level: str, request: pytest.FixtureRequest
) -> None:
    draws = 400 if request.config.getoption("--slow") else 12
    assert covered(draws, tmp_path, metric, level) >= fewest(draws)
