"""Guerdan and others (2025), "Validating LLM-as-a-Judge Systems in the Absence of Gold Labels".

Files of ratings by several people and judges go through `audit` without a task and with the one
that is drafted, and every definition of table 1 and section 2.2.2 is held against a program of its
own that knows nothing of goldassay.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from paper_files import Asked, both_ways, drafted, fewest, write

import goldassay as ga

Vector = tuple[float, ...]
Rows = list[list[object]]
LONG = "item rater kind value sample"
NEAR = 1e-9
TOXIC = ("Very Toxic", "Toxic", "Not Toxic")
CA = "CANNOT_ASSESS"


# --- the program of its own -----------------------------------------------------------------------


class Oracle:
    """People and judges as vectors under the four aggregations of section 4, item by item."""

    def __init__(self, rows: Rows, options: list[str], tau: float = 0.5) -> None:
        self.options, self.tau = options, tau
        self.choices: dict[object, dict[object, Counter[str]]] = defaultdict(
            lambda: defaultdict(Counter)
        )
        self.sets: dict[object, dict[object, list[set[str]]]] = defaultdict(
            lambda: defaultdict(list)
        )
        for item, rater, kind, value, *rest in rows:
            side = "people" if kind == "human" else rater
            if rest[1:] == ["response_set"] or "|" in str(value):
                self.sets[side][item].append(set(str(value).split("|")))
            elif value not in ("", CA):
                self.choices[side][item][str(value)] += 1

    def vector(self, side: object, item: object, how: str) -> Vector | None:
        """h, s from forced choices; hrs, srs from response sets, or what was chosen without any."""
        counts, sets = self.choices[side].get(item), self.sets[side].get(item)
        if how in ("h", "s"):
            if not counts:
                return None
            shares = tuple(counts[one] / counts.total() for one in self.options)
            most = [share > max(shares) - NEAR for share in shares]
            return shares if how == "s" else None if sum(most) > 1 else tuple(map(float, most))
        if sets:
            found = tuple(sum(one in s for s in sets) / len(sets) for one in self.options)
        else:
            found = self.vector(side, item, "s")  # type: ignore[assignment]
        if how == "srs" or found is None:
            return found
        return tuple(float(share >= self.tau - NEAR) for share in found)

    def pairs(self, judge: object, j: str, h: str) -> Iterator[tuple[Vector, Vector]]:
        items = {**self.choices["people"], **self.sets["people"]}
        for item in items:
            own, people = self.vector(judge, item, j), self.vector("people", item, h)
            if own is not None and people is not None:
                yield own, people

    def value(
        self, name: str, judge: object, j: str, h: str, counted: set[str], tau: float
    ) -> float | None:
        """The mean over items of a definition; None where it is 0/0 or holds log 0."""
        if name == "predictive_efficiency":
            sizes = [sum(own) for own, _ in self.pairs(judge, j, "srs")]
            return sum(sizes) / len(sizes)
        pairs = list(self.pairs(judge, j, h))
        if not pairs:
            return None
        if name in AGREEMENT:
            return AGREEMENT[name](pairs)
        if name in ("decision_consistency", "estimation_bias"):
            where = [k for k, one in enumerate(self.options) if one in counted]
            decided = [
                tuple(float(sum(one[k] for k in where) >= tau - NEAR) for one in pair)
                for pair in pairs
            ]
            if name == "estimation_bias":
                return sum(a - b for a, b in decided) / len(decided)
            return sum(a == b for a, b in decided) / len(decided)
        values = [ITEM[name](own, people) for own, people in pairs]
        values = [one for one in values if one is not None]
        return sum(values) / len(values) if values and math.inf not in values else None


def log_loss(weight: Vector, probability: Vector) -> float:
    parts = [(w, p) for w, p in zip(weight, probability, strict=True) if w > 0]
    return math.inf if any(p <= 0 for _, p in parts) else -sum(w * math.log(p) for w, p in parts)


def kl(one: Vector, two: Vector) -> float:
    return log_loss(one, two) - log_loss(one, one)


def js(a: Vector, b: Vector) -> float:
    middle = tuple((x + y) / 2 for x, y in zip(a, b, strict=True))
    return (kl(a, middle) + kl(b, middle)) / 2


def dot(a: Vector, b: Vector) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


def both_logs(judge: Vector, human: Vector) -> float:
    no = (tuple(1 - h for h in human), tuple(1 - j for j in judge))
    return log_loss(human, judge) + log_loss(*no)


ITEM: dict[str, Callable[[Vector, Vector], float | None]] = {
    "hit_rate": dot,
    "coverage": lambda j, h: float(dot(j, h) > 0),
    "recall": lambda j, h: dot(j, h) / sum(h) if sum(h) else None,
    "precision": lambda j, h: dot(j, h) / sum(j) if sum(j) else None,
    "mean_squared_error": lambda j, h: sum((a - b) ** 2 for a, b in zip(j, h, strict=True)),
    "binary_cross_entropy": both_logs,
    "kl_divergence": lambda j, h: kl(h, j),
    "reverse_kl_divergence": kl,
    "cross_entropy": lambda j, h: log_loss(h, j),
    "reverse_cross_entropy": log_loss,
    "jensen_shannon": js,
}


def chance_corrected(kind: str) -> Callable[[list[tuple[Vector, Vector]]], float | None]:
    def value(pairs: list[tuple[Vector, Vector]]) -> float | None:
        if not pairs:
            return None
        n, alike = len(pairs), sum(dot(j, h) for j, h in pairs) / len(pairs)
        own, people = (
            tuple(sum(x) / n for x in zip(*side, strict=True)) for side in zip(*pairs, strict=True)
        )
        both = tuple((a + b) / 2 for a, b in zip(own, people, strict=True))
        expected = dot(own, people) if kind == "cohen" else dot(both, both)
        if kind == "alpha":  # drawn without replacement from the 2 n ratings
            expected = sum(2 * n * p * (2 * n * p - 1) for p in both) / (2 * n * (2 * n - 1))
        return None if 1 - expected < NEAR else (alike - expected) / (1 - expected)

    return value


AGREEMENT = {
    "cohen_kappa": chance_corrected("cohen"),
    "fleiss_kappa": chance_corrected("scott"),
    "scott_pi": chance_corrected("scott"),
    "krippendorff_alpha": chance_corrected("alpha"),
}

# --- the files ------------------------------------------------------------------------------------


def drawn(
    items: int,
    people: int,
    seed: int,
    *,
    options: tuple[str, ...] = TOXIC,
    samples: int = 1,
    judges: tuple[str, ...] = ("sonnet", "mistral"),
    even: float = 1.0,
) -> Rows:
    """People who differ item by item, and judges that are one of them with errors of their own."""
    rng, rows = np.random.default_rng(seed), []
    size = len(options)
    for n in range(items):
        shares = rng.dirichlet(np.full(size, even))
        for person in range(people):
            rows.append([f"c{n}", f"p{person}", "human", options[rng.choice(size, p=shares)], ""])
        for k, judge in enumerate(judges):
            own = (1 - 0.2 * (k + 1)) * shares + 0.2 * (k + 1) / size
            for sample in range(samples):
                said = options[rng.choice(size, p=own)]
                rows.append([f"c{n}", judge, "judge", said, sample if samples > 1 else ""])
    return rows


def case_study(each: int = 8) -> Rows:
    """Section 7: comments that exactly 10, 20, 30, 40 and 50 % of ten people call toxic."""
    rows: Rows = []
    for step in range(1, 6):
        for n in range(each):
            item = f"c{step}{n}"
            for person in range(10):
                said = "Toxic" if person < step else "Not Toxic"
                rows.append([item, f"p{person}", "human", said, ""])
            rows.append([item, "strict", "judge", "Toxic" if step >= 5 else "Not Toxic", ""])
            rows.append([item, "keen", "judge", "Toxic" if step >= 4 else "Not Toxic", ""])
    return rows


def sets(items: int, seed: int, *, also_forced: bool) -> Rows:
    """People say all that they find reasonable; judges choose one and name a set."""
    rng, rows = np.random.default_rng(seed), []
    for n in range(items):
        lean = rng.random()
        for rater, kind, off in (
            *((f"p{k}", "human", 0.0) for k in range(4)),
            ("sonnet", "judge", 0.1),
            ("mistral", "judge", 0.3),
        ):
            yes = rng.random() < lean * (1 - off) + off / 2
            both = rng.random() < 0.3
            if also_forced:
                rows.append([f"c{n}", rater, kind, "yes" if yes else "no", "", "forced_choice"])
            said = "no|yes" if both else "yes" if yes else "no"
            rows.append([f"c{n}", rater, kind, said, "", "response_set"])
    return rows


def unbalanced(rows: Rows, share: float, seed: int, kind: str) -> Rows:
    rng = np.random.default_rng(seed)
    return [row for row in rows if row[2] != kind or rng.random() >= share]


def silent(rows: Rows, share: float, seed: int) -> Rows:
    rng = np.random.default_rng(seed)
    return [
        [*row[:3], CA, *row[4:]] if row[1] == "sonnet" and rng.random() < share else row
        for row in rows
    ]


YES_NO, WINS = ("yes", "no"), ("A", "B", "tie")
FILES: dict[str, Callable[[], Rows]] = {
    "the case study": case_study,
    "three options, five people": lambda: drawn(40, 5, 1),
    "judges that are asked four times": lambda: drawn(30, 5, 2, samples=4),
    "yes or no, three people": lambda: drawn(40, 3, 3, options=YES_NO),
    "yes or no, four people": lambda: drawn(40, 4, 4, options=YES_NO),
    "one rating per item": lambda: drawn(60, 1, 5, options=YES_NO),
    "two people": lambda: drawn(40, 2, 6, options=YES_NO),
    "grades of 1 to 5": lambda: drawn(40, 5, 7, options=("1", "2", "3", "4", "5")),
    "wins and ties": lambda: drawn(40, 3, 8, options=WINS),
    "people who miss items": lambda: unbalanced(drawn(40, 5, 9), 0.3, 10, "human"),
    "verdicts that are missing": lambda: unbalanced(drawn(40, 5, 11), 0.15, 12, "judge"),
    "a judge that abstains": lambda: silent(drawn(40, 5, 13, options=YES_NO), 0.15, 14),
    "a pilot of 10": lambda: drawn(10, 5, 15, options=YES_NO),
    "response sets": lambda: sets(30, 16, also_forced=False),
    "both elicitations": lambda: sets(30, 17, also_forced=True),
}
FEW = {"resamples": 20, "panel_draws": 2}


def held(asked: Asked, oracle: Oracle, judges: list[str], ties: str = "exclude") -> int:
    """Every definition of every judge against the oracle; how many there were."""
    number = 0
    for row in asked.found.rows:
        about, one = row.about, row.result
        if about.get("aggregation") is None or about.get("judge") not in judges or ":" in one.name:
            continue
        if one.name == "win_rate_bias":
            continue
        j, h = about["aggregation"].split("/")
        counted = set((about.get("option") or "").split(", "))
        tau = float(about.get("threshold") or 0.5)
        expected = oracle.value(one.name, about["judge"], j, h, counted, tau)
        if expected is None:
            assert isinstance(one, ga.Undefined), (about, one)
        else:
            assert isinstance(one, ga.Estimate), (about, one, expected)
            assert one.value == pytest.approx(expected, abs=1e-9), (about, one)
            if one.interval is not None:
                assert one.interval.low <= one.value + 1e-9
                assert one.interval.high >= one.value - 1e-9
        number += 1
    return number


@pytest.mark.parametrize("name", FILES)
def test_a_corpus(tmp_path: Path, name: str) -> None:
    rows = FILES[name]()
    header = f"{LONG} elicitation" if len(rows[0]) > 5 else LONG
    path = write(tmp_path / "corpus.csv", header, rows)
    options = sorted({one for row in rows for one in str(row[3]).split("|")} - {CA})
    oracle = Oracle(rows, options)
    judges = sorted({str(row[1]) for row in rows if row[2] == "judge"})
    for _, asked in both_ways(ga.audit, path, **FEW):
        # 13 of single choices, 5 more of sets at least, 28 of squares and logs, for each judge.
        assert held(asked, oracle, judges) >= 44 * len(judges)
        says_what_is_decided(asked, judges)


def test_a_sheet_with_a_column_for_each_rater(tmp_path: Path) -> None:
    rows, raters = drawn(30, 5, 18), [*(f"p{k}" for k in range(5)), "sonnet", "mistral"]
    cells = {(row[0], row[1]): row[3] for row in rows}
    items = list(dict.fromkeys(row[0] for row in rows))
    header = " ".join(["comment", *(f"rater_{k}" for k in range(5)), "sonnet", "mistral"])
    sheet = [[item, *(cells[item, one] for one in raters)] for item in items]
    oracle = Oracle(rows, sorted(TOXIC))
    for _, asked in both_ways(ga.audit, write(tmp_path / "s.csv", header, sheet), **FEW):
        assert held(asked, oracle, ["mistral", "sonnet"]) >= 88


def says_what_is_decided(asked: Asked, judges: list[str]) -> None:
    """Sections 2.2.2 and 5: whom the definitions select, and how decisions and rates compare."""
    words = r"\d+ definitions of agreement|cannot be told what the decisions"
    assert re.search(words, asked.screen), asked.screen
    assert [judge for judge in judges if judge in asked.screen] == judges
    for words in ("decision", "consistency", "bias of the", "prevalence"):
        assert words in asked.screen, words  # heads of columns are broken into lines
    if "raters say so" in asked.screen:
        assert re.search(r"An item counts as such where 50 % or more", asked.screen)


def test_a_share_of_tau_counts(tmp_path: Path) -> None:
    """1[y_k >= tau]: comments that just half of ten people call toxic are toxic, 20 %."""
    rows = case_study()
    path = write(tmp_path / "case.csv", LONG, rows)
    oracle = Oracle(rows, ["Not Toxic", "Toxic"])
    for way, asked in both_ways(ga.audit, path, option=["Toxic"], **FEW):
        about = {"aggregation": "s/s", "option": "Toxic"}
        for judge in ("strict", "keen"):
            value = oracle.value("decision_consistency", judge, "s", "s", {"Toxic"}, 0.5)
            assert asked("decision_consistency", judge=judge, **about).value == value
            bias = oracle.value("estimation_bias", judge, "s", "s", {"Toxic"}, 0.5)
            assert asked("estimation_bias", judge=judge, **about).value == pytest.approx(bias)
        # By hand: people count 8 of 40, as `strict` does; `keen` counts 8 more.
        assert asked("decision_consistency", judge="strict", **about).value == 1.0
        assert asked("estimation_bias", judge="keen", **about).value == pytest.approx(0.2)
        assert "people count 20 %" in asked.screen, way
    text = drafted(path).read_text() + 'reference_ties = "half"\n'
    path.with_suffix(".toml").write_text(text)
    half = Asked(ga.audit(str(path), task=str(path.with_suffix(".toml")), option=["Toxic"], **FEW))
    assert half("decision_consistency", judge="strict", **about).value == pytest.approx(0.9)
    assert half("estimation_bias", judge="keen", **about).value == pytest.approx(0.3)
    assert "people count 10 %" in half.screen


@pytest.mark.parametrize("tau", [0.2, 0.3, 0.5, 1.0])
def test_other_thresholds(tmp_path: Path, tau: float) -> None:
    """The threshold is a policy; at each of them a share that just reaches it counts."""
    rows = case_study()
    path = write(tmp_path / "case.csv", LONG, rows)
    found = ga.audit(str(path), option=["Toxic"], threshold=[tau], set_threshold=tau, **FEW)
    oracle = Oracle(rows, ["Not Toxic", "Toxic"], tau)
    assert held(Asked(found), oracle, ["strict", "keen"]) >= 88


def test_reproduce_computes_what_the_verb_does(tmp_path: Path) -> None:
    """The definitions of figures 4 and 5: `reproduce`, `audit` and the oracle give one number."""
    from internals import SMOOTHING, VectorSide, scores, shown_definitions

    rows = drawn(30, 5, 20, options=("1", "2", "3"), samples=5)
    options, judges = ["1", "2", "3"], ["mistral", "sonnet"]
    oracle = Oracle(rows, options)
    sides = {
        side: [oracle.vector(side, f"c{n}", "s") for n in range(30)] for side in ("people", *judges)
    }
    # A mode that is shared is no hard rating here, and the first one in the lab's argmax.
    kept = [n for n in range(30) if all(oracle.vector(side, f"c{n}", "h") for side in sides)]
    rows = [row for row in rows if int(str(row[0])[1:]) in kept]
    people = np.array([[sides["people"][n] for n in kept]])[:, None]
    own = np.array([[[sides[judge][n] for n in kept] for judge in judges]])
    definitions = shown_definitions()
    lab = scores(
        definitions, VectorSide(own, own, ties="first"), VectorSide(people, people, ties="first")
    )
    path = write(tmp_path / "corpus.csv", LONG, rows)
    asked = Asked(ga.audit(str(path), smoothing=SMOOTHING, **FEW))
    for d, one in enumerate(definitions):
        for k, judge in enumerate(judges):
            value = asked(one.name, judge=judge, aggregation=one.aggregation).value
            assert float(one.score(np.array(value))) == pytest.approx(float(lab[d, 0, k])), one


def test_intervals_cover(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """Whether the judge decides as all people would, whom five raters an item stand for."""
    draws = 200 if request.config.getoption("--slow") else 8
    rng, hits = np.random.default_rng(30), 0
    for _ in range(draws):
        shares = rng.beta(1.2, 1.2, 50)
        people, said = rng.binomial(5, shares), rng.random(50) < np.where(shares > 0.5, 0.85, 0.2)
        rows: Rows = []
        for n in range(50):
            for k in range(5):
                rows.append([f"c{n}", f"p{k}", "human", "yes" if k < people[n] else "no", ""])
            rows.append([f"c{n}", "gpt", "judge", "yes" if said[n] else "no", ""])
        path = write(tmp_path / "c.csv", LONG, rows)
        found = Asked(ga.audit(str(path), option=["yes"], resamples=100))(
            "decision_consistency", judge="gpt", aggregation="s/s"
        )
        hits += found.interval.low <= 0.5 * 0.85 + 0.5 * 0.8 <= found.interval.high
    assert hits >= fewest(draws)
