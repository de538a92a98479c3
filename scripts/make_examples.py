"""The simulated tables of `goldassay.examples`, drawn from truths that are written here.

    python scripts/make_examples.py [FOLDER]

writes NAME.csv, NAME.toml (the task) and truths.toml. The tables are committed, so that what the
documentation shows does not hang on a version of NumPy; nothing in them is anybody's data.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np

FOLDER = Path(__file__).resolve().parents[1] / "src" / "goldassay" / "examples"
SEED = 20260101


@dataclass(frozen=True)
class Made:
    """A table, the task that declares it, and what is true of it."""

    columns: Sequence[str]
    rows: Iterable[Sequence[object]]
    task: str
    truth: dict[str, Any] = field(default_factory=dict)


def plain(rng: np.random.Generator) -> Made:
    """One file as it lies about: a column for the person, one for the judge."""
    good = rng.random(120) < 0.6
    judge = np.where(good, rng.random(120) < 0.92, rng.random(120) < 0.25)
    rows = [(f"case {k + 1}", _word(good[k]), _word(judge[k])) for k in range(120)]
    task = 'scale = "binary"\noptions = ["pass", "fail"]\npositive = "pass"\n\n'
    task += '[columns]\nitem = "id"\n\n[wide]\nhuman = ["human"]\njudge = ["judge"]\n'
    return Made(("id", "human", "judge"), rows, task, {"sensitivity": 0.92, "specificity": 0.75})


def answers(rng: np.random.Generator) -> Made:
    """Five systems answer the same questions; a strict match judges all, people label 80 questions.

    A small twin of the published set EVOUNA-NQ: the judge misses answers that are right in other
    words, and rarely calls a wrong one right.
    """
    rates = {"reader": 0.69, "small": 0.65, "chat": 0.73, "large": 0.79, "search": 0.80}
    hit = {"reader": 0.83, "small": 0.75, "chat": 0.77, "large": 0.77, "search": 0.79}
    questions, labelled = 300, set(rng.permutation(300)[:80].tolist())
    hard = rng.standard_normal(questions)
    rows: list[tuple[object, ...]] = []
    true = []
    for k in range(questions):
        for system, rate in rates.items():
            right = _normal_below(0.55 * hard[k], rate, rng)
            said = rng.random() < (hit[system] if right else 0.03)
            true.append((system, right))
            rows.append((f"q{k + 1}", system, "strict match", "judge", _right(said)))
            if k in labelled:
                rows.append((f"q{k + 1}", system, "people", "human", _right(right)))
    task = (
        "# Five systems answer the same questions; the question is the cluster.\n"
        'scale = "binary"\noptions = ["correct", "incorrect"]\npositive = "correct"\n'
        'cluster = "item"\n'
        'calibration = "random"     # 80 of the 300 questions, drawn at random, were labelled\n'
    )
    by = {name: float(np.mean([r for s, r in true if s == name])) for name in rates}
    truth = {"prevalence": float(np.mean([r for _, r in true])), "systems": by}
    return Made(("item", "system", "rater", "kind", "value"), rows, task, truth)


def rubric(rng: np.random.Generator) -> Made:
    """Two criteria, three people on each answer, three judges that score, abstain and slip."""
    judges = {"small": (0.80, 0.70), "lenient": (0.97, 0.60), "careful": (0.91, 0.90)}
    rows: list[tuple[object, ...]] = []
    for k in range(110):
        for criterion, share in (("cites a source", 0.7), ("gives no diagnosis", 0.4)):
            met = rng.random() < share
            unit = (f"answer {k + 1}", criterion)
            for person in rng.permutation(["ann", "ben", "eva", "kim"])[:3]:
                rows.append((*unit, person, "human", _met(met ^ (rng.random() < 0.06)), ""))
            for judge, (sensitivity, specificity) in judges.items():
                said = rng.random() < (sensitivity if met else 1 - specificity)
                sure = rng.beta(5, 2) if said == met else rng.beta(2, 2)
                score = 0.5 + 0.5 * sure if said else 0.5 - 0.5 * sure
                silent = judge == "careful" and sure < 0.35
                value = "CANNOT_ASSESS" if silent else _met(said)
                rows.append((*unit, judge, "judge", value, "" if silent else f"{score:.3f}"))
    task = (
        'scale = "binary"\noptions = ["MET", "UNMET"]\npositive = "MET"\n'
        'abstain = ["CANNOT_ASSESS"]\nabstentions = "exclude"\ncluster = "item"\n'
        'levels = ["micro", "macro", "item"]\nreference = "majority"\n'
    )
    truth = {"judges": {name: list(both) for name, both in judges.items()}}
    return Made(("item", "criterion", "rater", "kind", "value", "score"), rows, task, truth)


def safety(rng: np.random.Generator) -> Made:
    """Is this reply unsafe? Ten people on each item, who differ; two judges, asked four times."""
    names = ("yes", "no", "unsure")
    rows: list[tuple[object, ...]] = []
    for k in range(80):
        people = rng.dirichlet((0.8, 1.6, 0.35))
        for person in sorted(rng.permutation(20)[:10]):
            value = names[rng.choice(3, p=people)]
            rows.append((f"reply {k + 1}", f"person {person + 1}", "human", value, ""))
        split = 0.8 * people + 0.2 / 3
        top = np.full(3, 0.1 / 3)
        top[int(np.argmax(people))] += 0.9
        for judge, shares in (("spread", split), ("certain", top)):
            for sample in range(4):
                value = names[rng.choice(3, p=shares / shares.sum())]
                rows.append((f"reply {k + 1}", judge, "judge", value, sample + 1))
    task = (
        '# People need not agree: their shares are the reference of an audit.\nscale = "nominal"\n'
        'options = ["yes", "no", "unsure"]\npositive = "yes"\nreference = "majority"\n'
    )
    return Made(("item", "rater", "kind", "value", "sample"), rows, task)


def pairs(rng: np.random.Generator) -> Made:
    """Which of two answers is better, or a tie: six systems, three people, two judges."""
    strength = {"alder": 1.2, "birch": 0.8, "cedar": 0.3, "dogwood": 0.0, "elm": -0.5, "fir": -1.0}
    names = list(strength)
    rows: list[tuple[object, ...]] = []
    for k in range(60):
        for _ in range(4):
            one, two = rng.permutation(6)[:2]
            gap = strength[names[one]] - strength[names[two]] + rng.normal(0, 0.6)
            for rater, kind, pull in (
                ("ann", "human", 0.0),
                ("ben", "human", 0.0),
                ("eva", "human", 0.0),
                ("long-winded", "judge", 0.7 * (names[one] == "elm") - 0.7 * (names[two] == "elm")),
                ("even-handed", "judge", 0.0),
            ):
                lean = gap + pull + rng.logistic(0, 0.8)
                value = "tie" if abs(lean) < 0.25 else "first" if lean > 0 else "second"
                rows.append((f"p{k + 1}", names[one], names[two], rater, kind, value))
    seen: set[tuple[object, ...]] = set()
    once = [row for row in rows if not (row[:4] in seen or seen.add(row[:4]))]
    task = (
        'scale = "pairwise"\noptions = ["first", "second", "tie"]\ntie = "tie"\nties = "half"\n'
        'cluster = "prompt"\n\n[columns]\nitem = "prompt"\nprompt = "prompt"\n'
    )
    columns = ("prompt", "system", "opponent", "rater", "kind", "value")
    return Made(columns, once, task, {"ranking": names})


def grades(rng: np.random.Generator) -> Made:
    """Marks from 1 to 5 by two people and two judges; one judge never gives the ends."""
    rows: list[tuple[object, ...]] = []
    for k in range(150):
        quality = rng.normal(3.2, 1.1)
        for person in ("ann", "ben"):
            rows.append((f"essay {k + 1}", person, "human", _mark(quality + rng.normal(0, 0.45))))
        rows.append((f"essay {k + 1}", "close", "judge", _mark(quality + rng.normal(0, 0.6))))
        timid = 3 + 0.5 * (quality - 3) + rng.normal(0, 0.35)
        rows.append((f"essay {k + 1}", "timid", "judge", _mark(timid)))
    task = (
        'scale = "ordinal"\noptions = ["1", "2", "3", "4", "5"]\nweights = "quadratic"\n'
        'reference = "median"\n'
    )
    return Made(("item", "rater", "kind", "value"), rows, task)


def scores(rng: np.random.Generator) -> Made:
    """Scores of eight systems on the same 50 prompts by people and three judges."""
    true = {f"system {letter}": 60.0 + 3 * k for k, letter in enumerate("ABCDEFGH")}
    judges = {"metric": (0.25, 9.0), "large": (0.9, 5.0), "kin of C": (0.8, 6.0)}
    rows: list[tuple[object, ...]] = []
    for k in range(50):
        hard = rng.normal(0, 6)
        for system, mean in true.items():
            quality = mean + hard + rng.normal(0, 5)
            people = quality + rng.normal(0, 3)
            rows.append((f"p{k + 1}", system, "people", "human", f"{people:.1f}"))
            for judge, (slope, noise) in judges.items():
                bonus = 9.0 * (judge == "kin of C" and system == "system C")
                said = 70 + slope * (quality - 70) + bonus + rng.normal(0, noise)
                rows.append((f"p{k + 1}", system, judge, "judge", f"{said:.1f}"))
    task = 'scale = "continuous"\ncluster = "prompt"\n\n[columns]\nitem = "prompt"\n'
    task += 'prompt = "prompt"\n'
    ranking = sorted(true, key=lambda name: -true[name])
    columns = ("prompt", "system", "rater", "kind", "value")
    return Made(columns, rows, task, {"ranking": ranking})


def versions(rng: np.random.Generator) -> Made:
    """One judge over eight weeks, labelled at random each week; from week five on it is laxer."""
    rows: list[tuple[object, ...]] = []
    for week in range(1, 9):
        for k in range(60):
            item, good = f"w{week}-{k + 1}", rng.random() < 0.7
            hit, false = (0.9, 0.12) if week < 5 else (0.95, 0.40)
            said = rng.random() < (hit if good else false)
            day = f"2026-{1 + (week * 7) // 29:02d}-{1 + (week * 7) % 28:02d}"
            rows.append((item, "grader", "judge", _word(said), day))
            if rng.random() < 0.6:
                rows.append((item, "kim", "human", _word(good), day))
    task = 'scale = "binary"\noptions = ["pass", "fail"]\npositive = "pass"\n'
    task += 'calibration = "random"\n'
    truth = {"changed_after": "week 4", "specificity": {"before": 0.88, "after": 0.60}}
    return Made(("item", "rater", "kind", "value", "time"), rows, task, truth)


EXAMPLES: dict[str, Callable[[np.random.Generator], Made]] = {
    one.__name__: one for one in (plain, answers, rubric, safety, pairs, grades, scores, versions)
}


def _word(good: object) -> str:
    return "pass" if good else "fail"


def _right(right: object) -> str:
    return "correct" if right else "incorrect"


def _met(met: object) -> str:
    return "MET" if met else "UNMET"


def _mark(value: float) -> int:
    return int(np.clip(round(value), 1, 5))


def _normal_below(shared: float, rate: float, rng: np.random.Generator) -> bool:
    """Whether a normal draw, which has `shared` as its part of all systems, falls below the rate's
    quantile: answers to one question are right or wrong together."""
    from scipy.special import ndtri

    own = np.sqrt(1 - 0.55**2) * rng.standard_normal()
    return bool(shared + own < ndtri(rate))


def _toml(value: object) -> str:
    if isinstance(value, dict):
        inner = ", ".join(f'"{key}" = {_toml(one)}' for key, one in value.items())
        return f"{{ {inner} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return f'"{value}"' if isinstance(value, str) else f"{value:.4g}"


def files() -> dict[str, str]:
    """Every file's text by its name."""
    found, truths = {}, ["# What is true of each table: what a question should find."]
    for number, (name, draw) in enumerate(EXAMPLES.items()):
        made = draw(np.random.default_rng((SEED, number)))
        stream = StringIO(newline="")
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(made.columns)
        writer.writerows(made.rows)
        found[f"{name}.csv"] = stream.getvalue()
        found[f"{name}.toml"] = made.task
        truths += ["", f"[{name}]", *(f"{key} = {_toml(one)}" for key, one in made.truth.items())]
    return {**found, "truths.toml": "\n".join(truths) + "\n"}


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    for file, text in files().items():
        (folder / file).write_text(text, encoding="utf-8")
        print(f"{file}: {len(text):,} characters")
