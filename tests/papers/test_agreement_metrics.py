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

    def macro(self, name: str) -> float | None:
        """The mean over criteria of those that are defined."""
        criteria = sorted({criterion for _, criterion in self.people})
        values = []
        for one in criteria:
            pairs = self.pairs(criterion=one)
            found = numbers(pairs)[name] if pairs else None
            constant = any(len({pair[side] for pair in pairs}) == 1 for side in (0, 1))
            if found is not None and not (name == "cohen_kappa" and constant):
                values.append(found)
        return sum(values) / len(values) if values else None

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


@pytest.mark.parametrize("shape", ["a row for each criterion", "a row for each submission"])
def test_a_rubric_as_a_sheet(tmp_path: Path, shape: str) -> None:
    """The same ratings in columns: `submission` names the items, which are what is drawn."""
    rows = rubric(60, THREE, 40, judge_ca=0.1)
    oracle, cells = Oracle(rows), {(row[0], row[1], row[3]): row[4] for row in rows}
    items, sides = sorted({row[0] for row in rows}), ("human", "judge")
    if shape == "a row for each criterion":
        header = "submission criterion human gpt"
        sheet = [[n, c, *(cells[n, c, side] for side in sides)] for n in items for c in THREE]
    else:
        names = [f"{who}_{criterion}" for who in ("human", "gpt") for criterion in THREE]
        header = " ".join(["submission", *names])
        sheet = [[n, *(cells[n, c, side] for side in sides for c in THREE)] for n in items]
    for way, asked in both_ways(ga.agree, write(tmp_path / "s.csv", header, sheet), resamples=100):
        found = asked("accuracy", judge="gpt", level="micro", mode=None, criterion=None)
        assert same(found, numbers(oracle.pairs())["accuracy"]), way
        assert found.n_clusters == 60
        assert same(asked("accuracy", level="macro"), oracle.macro("accuracy")), way
        assert same(asked("accuracy", level="item"), numbers(oracle.items())["accuracy"]), way


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
    from internals import examples

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


@pytest.mark.parametrize("word", ["CANNOT_ASSESS", "CA", "IDK", "ABSTAIN"])
def test_the_words_of_the_paper_are_abstentions(tmp_path: Path, word: str) -> None:
    """Footnote 1 and appendix B, where people and judge abstain on the same items more often than
    by chance: the three handlings stand side by side whatever the word."""
    rows = [[*row[:4], word if row[4] == CA else row[4]] for row in appendix_b()]
    for way, asked in both_ways(ga.agree, write(tmp_path / "b.csv", LONG, rows), resamples=100):
        about = {"level": "micro", "criterion": None}
        assert asked("accuracy", mode=None, **about).value == pytest.approx(5 / 7), way
        assert asked("accuracy", mode="recode", **about).value == pytest.approx(0.7), way
        assert asked("accuracy", mode="class", **about).value == pytest.approx(0.6), way


# --- the other scales of table 1, and ensembles ---------------------------------------------------


def graded(items: int, seed: int, options: list[str], off: float) -> tuple[list[list[str]], Pairs]:
    rng, rows, pairs = np.random.default_rng(seed), [], []
    for n in range(items):
        at = int(rng.integers(len(options)))
        moved = int(
            np.clip(at + rng.choice([-1, 0, 1], p=[off / 2, 1 - off, off / 2]), 0, len(options) - 1)
        )
        pairs.append((options[at], options[moved]))
        rows.append([f"s{n}", "ann", "human", options[at]])
        rows.append([f"s{n}", "gpt", "judge", options[moved]])
    return rows, pairs


def test_an_ordinal_score(tmp_path: Path) -> None:
    """Table 1: an ordinal-aware coefficient; the correlations are no longer one number."""
    options = ["1", "2", "3", "4", "5"]
    rows, pairs = graded(80, 31, options, 0.5)
    x, y = (np.array([float(pair[side]) for pair in pairs]) for side in (0, 1))
    apart = ((x - y) ** 2).mean() / ((x[:, None] - y[None]) ** 2).mean()
    for way, asked in both_ways(
        ga.agree, write(tmp_path / "o.csv", "item rater kind value", rows), resamples=100
    ):
        assert asked("weighted_kappa", judge="gpt", level="micro").value == pytest.approx(1 - apart)
        assert asked("pearson", judge="gpt").value == pytest.approx(np.corrcoef(x, y)[0, 1]), way
        ranks = [np.argsort(np.argsort(one)) for one in (x, y)]
        tied = [np.array([ranks[k][one == v].mean() for v in one]) for k, one in enumerate((x, y))]
        rho = asked("spearman", judge="gpt", level="micro").value
        assert rho == pytest.approx(np.corrcoef(*tied)[0, 1])
        assert "weighted kappa" in asked.screen


@pytest.mark.parametrize("ties", ["half", "exclude", "class"])
def test_a_pairwise_preference(tmp_path: Path, ties: str) -> None:
    """Table 1: the convention for ties is stated, and each gives its own number."""
    rng, rows, pairs = np.random.default_rng(32), [], []
    for n in range(80):
        truth = str(rng.choice(["A", "B", "tie"], p=[0.4, 0.4, 0.2]))
        said = truth if rng.random() < 0.7 else str(rng.choice(["A", "B", "tie"]))
        pairs.append((truth, said))
        rows += [[f"s{n}", "ann", "human", truth], [f"s{n}", "gpt", "judge", said]]
    path = write(tmp_path / "p.csv", "item rater kind value", rows)
    text = drafted(path).read_text()
    assert 'tie = "tie"' in text
    task = path.with_suffix(".toml")
    task.write_text(re.sub('ties = "half".*', f'ties = "{ties}"', text))
    asked = Asked(ga.agree(str(path), task=str(task), resamples=100))
    decided = [pair for pair in pairs if ties != "exclude" or "tie" not in pair]
    half = 0.5 if ties == "half" else 0.0
    right = sum(1.0 if a == b else half * ("tie" in (a, b)) for a, b in decided)
    found = asked("accuracy", judge="gpt", level="micro")
    assert found.value == pytest.approx(right / len(decided))
    assert found.declared["ties"] == ties
    if ties == "half":
        assert "a tie counts half" in asked.screen


def test_an_ensemble_of_judges(tmp_path: Path) -> None:
    """Section 7, eq. 15 and observation 2: alpha = kappa_F + (1 - kappa_F)/(N R)."""
    rng, rows = np.random.default_rng(33), []
    votes = np.zeros((70, 3), bool)
    for n in range(70):
        truth = rng.random() < 0.6
        rows.append([f"s{n}", "ann", "human", MET if truth else UNMET])
        votes[n] = truth ^ (rng.random(3) < 0.2)
        rows += [[f"s{n}", f"j{k}", "judge", MET if votes[n, k] else UNMET] for k in range(3)]
    r, size = votes.sum(1), votes.shape
    observed = (r * (r - 1) + (3 - r) * (2 - r)).sum() / (size[0] * 3 * 2)
    rate = votes.mean()
    fleiss = (observed - (rate**2 + (1 - rate) ** 2)) / (1 - (rate**2 + (1 - rate) ** 2))
    for _, asked in both_ways(
        ga.agree, write(tmp_path / "e.csv", "item rater kind value", rows), resamples=100
    ):
        assert asked("judges_fleiss_kappa", level="micro").value == pytest.approx(fleiss)
        alpha = fleiss + (1 - fleiss) / votes.size
        assert asked("judges_krippendorff_alpha", level="micro").value == pytest.approx(alpha)


def test_a_weighted_rubric(tmp_path: Path) -> None:
    """5.1: a weighted sum thresholded into pass and fail, with criteria that a side left open."""
    rows = rubric(60, THREE, 34, judge_ca=0.1)
    path, oracle = write(tmp_path / "w.csv", LONG, rows), Oracle(rows)
    weights = {"accurate": 3, "cites": 1, "clear": 1}
    text = drafted(path).read_text() + 'item_rule = ">= 0.7"\n'
    text += "".join(f"[criteria.{name}]\nweight = {one}\n" for name, one in weights.items())
    path.with_suffix(".toml").write_text(text)
    asked = Asked(ga.agree(str(path), task=str(path.with_suffix(".toml")), resamples=100))

    def passes(side: dict, item: str) -> bool | None:  # type: ignore[type-arg]
        met = sum(w for name, w in weights.items() if side[item, name] == MET)
        open_ = sum(w for name, w in weights.items() if side[item, name] == CA)
        return True if met >= 3.5 else False if met + open_ < 3.5 else None

    sides = [(passes(oracle.people, f"s{n}"), passes(oracle.judge, f"s{n}")) for n in range(60)]
    both = [pair for pair in sides if None not in pair]
    found = asked("accuracy", level="item")
    assert found.n_items == len(both) < 60
    assert found.value == pytest.approx(np.mean([a == b for a, b in both]))
    assert f"{60 - len(both)} items of 60 left out" in found.warnings[-1]


# --- intervals ------------------------------------------------------------------------------------


def test_intervals_cover(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """What 20,000 such submissions have, of decisions and of whole items."""
    draws = 400 if request.config.getoption("--slow") else 10
    many = Oracle(rubric(20_000, THREE, 0, judge_ca=0.1))
    asked_of = {("accuracy", "micro"): 0, ("cohen_kappa", "micro"): 0, ("accuracy", "item"): 0}
    truths = {
        (metric, level): numbers(many.pairs() if level == "micro" else many.items())[metric]
        for metric, level in asked_of
    }
    for seed in range(draws):
        rows = rubric(50, THREE, 500 + seed, judge_ca=0.1)
        found = Asked(ga.agree(str(write(tmp_path / "d.csv", LONG, rows)), resamples=100))
        for (metric, level), truth in truths.items():
            one = found(metric, level=level, mode=None, criterion=None).interval
            asked_of[metric, level] += one.low <= truth <= one.high
    assert all(hits >= fewest(draws) for hits in asked_of.values()), asked_of
