"""Draw a binary study.

A unit (prompt x system x criterion) has a true label y. Correlation within clusters comes from a
Gaussian copula. A judge sees evidence x ~ N(d y, 1) and says positive when x > c, with d and c such
that its sensitivity and specificity are the declared ones (the equal-variance signal-detection
model); its score is the posterior probability of the positive label at even odds.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from goldassay.frozen import dataclass
from goldassay.lab.simulate.study import Judge, Study
from goldassay.ratings.table import Ratings, read_ratings
from goldassay.ratings.task import Task
from goldassay.results import dumps
from goldassay.sources.frames import open_frame
from goldassay.sources.memory import in_memory
from goldassay.sources.spreadsheet import csv_text
from goldassay.sources.writing import made_folder, write_atomically

__all__ = ["Drawn", "draw_study"]

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

_COLUMNS = (
    "item",
    "rater",
    "kind",
    "value",
    "criterion",
    "system",
    "prompt",
    "cluster",
    "split",
    "sample",
    "elicitation",
    "score",
    "status",
    "cost",
    "latency",
)


@dataclass(frozen=True)
class Drawn:
    """Rows of ratings, the task that declares them, the items' texts, and the truth."""

    columns: tuple[str, ...]
    rows: list[tuple[str, ...]]
    task: Task
    items: list[dict[str, str]]
    truth: dict[str, Any]

    def ratings(self) -> Ratings:
        """The rows as a table that every question takes."""
        cells = (
            {name: cell for name, cell in zip(self.columns, row, strict=True) if cell != ""}
            for row in self.rows
        )
        return read_ratings(open_frame(in_memory(self.columns, cells), may_keep=True), self.task)

    def save(self, folder: str | Path) -> Path:
        """Write ratings.csv, task.toml, items.jsonl and truth.json to a folder."""
        folder = made_folder(folder)
        write_atomically(folder / "ratings.csv", self.to_csv())
        write_atomically(folder / "task.toml", self.task.to_toml())
        write_atomically(folder / "items.jsonl", self.items_jsonl())
        write_atomically(folder / "truth.json", dumps(self.truth))
        return folder

    def __repr__(self) -> str:
        return f"Drawn: {len(self.rows):,} ratings of {len(self.items):,} items"

    def to_csv(self) -> str:
        return csv_text(self.columns, self.rows)

    def items_jsonl(self) -> str:
        return "".join(json.dumps(item, ensure_ascii=False) + "\n" for item in self.items)


@dataclass(frozen=True)
class _Units:
    """Units as columns: indices of prompt, system, criterion; cluster; split; truth."""

    prompt: npt.NDArray[np.int64]
    system: npt.NDArray[np.int64]
    criterion: npt.NDArray[np.int64]
    cluster: npt.NDArray[np.int64]
    labelled: Bools
    positive: Bools
    both: Floats  # probability that a rater finds both options reasonable


def draw_study(study: Study, *, seed: int) -> Drawn:
    """Draw ratings from a study; the same study and seed give the same rows."""
    rng = np.random.default_rng(seed)
    units = _units(study, rng)
    evidence = {name: _evidence(judge, study, units, rng) for name, judge in study.judges.items()}
    if study.design == "by_verdict" and study.labelled < 1:
        units = _labelled_by_verdict(study, units, evidence, rng)
    rows: list[tuple[str, ...]] = []
    names = _Names(study, units)
    for name, judge in study.judges.items():
        rows += _judge_rows(name, judge, study, evidence[name], names, rng)
    rows += _human_rows(study, units, names, rng)
    return Drawn(_COLUMNS, rows, _task(study), _items(study), _truth(study, units, seed))


class _Names:
    """The text of every unit's key columns, made once."""

    def __init__(self, study: Study, units: _Units) -> None:
        systems, criteria = list(study.systems), list(study.criteria)
        self.keys = [
            (
                f"p{p:04d}-{systems[s]}",
                criteria[c],
                systems[s],
                f"p{p:04d}",
                f"c{k:04d}",
                "calibration" if lab else "test",
            )
            for p, s, c, k, lab in zip(
                units.prompt,
                units.system,
                units.criterion,
                units.cluster,
                units.labelled,
                strict=True,
            )
        ]

    def row(self, unit: int, **cells: str) -> tuple[str, ...]:
        item, criterion, system, prompt, cluster, split = self.keys[unit]
        known = {
            "item": item,
            "criterion": criterion,
            "system": system,
            "prompt": prompt,
            "cluster": cluster,
            "split": split,
            **cells,
        }
        return tuple(known.get(column, "") for column in _COLUMNS)


def _units(study: Study, rng: np.random.Generator) -> _Units:
    from goldassay.formulas.compiled import expit, logit, ndtr

    shape = (study.prompts, len(study.systems), len(study.criteria))
    prompt, system, criterion = (axis.reshape(-1) for axis in np.indices(shape))
    cluster = prompt // study.cluster_size
    labelled = rng.permutation(study.prompts) < round(study.labelled * study.prompts)
    base = logit(np.clip(np.array(list(study.systems.values())), 1e-6, 1 - 1e-6))
    shift = np.where(labelled[prompt], 0.0, study.shift)
    probability = expit(base[system] + np.array(list(study.criteria.values()))[criterion] + shift)
    positive = ndtr(_correlated(study, cluster, rng)) < probability
    both = np.where(rng.random(len(prompt)) < study.indeterminate, rng.beta(2, 2, len(prompt)), 0.0)
    return _Units(prompt, system, criterion, cluster, labelled[prompt], positive, both)


def _correlated(study: Study, cluster: npt.NDArray[np.int64], rng: np.random.Generator) -> Floats:
    """Standard normal draws with the study's correlation within clusters."""
    shared = rng.standard_normal(int(cluster.max()) + 1)[cluster]
    own = rng.standard_normal(len(cluster))
    rho = study.correlation
    mixed: Floats = np.sqrt(rho) * shared + np.sqrt(1 - rho) * own
    return mixed


def _rates(judge: Judge, study: Study) -> tuple[Floats, Floats]:
    """Sensitivity and specificity on each system."""
    pairs = [
        (
            judge.systems.get(name, {}).get("sensitivity", judge.sensitivity),
            judge.systems.get(name, {}).get("specificity", judge.specificity),
        )
        for name in study.systems
    ]
    both = np.clip(np.array(pairs, dtype=float), 1e-9, 1 - 1e-9)
    return both[:, 0], both[:, 1]


def _evidence(
    judge: Judge, study: Study, units: _Units, rng: np.random.Generator
) -> tuple[Floats, Floats, Floats]:
    """Evidence [samples, units], and the distance d and cut c of each unit."""
    from goldassay.formulas.compiled import ndtri

    sensitivity, specificity = _rates(judge, study)
    cut = ndtri(specificity)[units.system]
    distance = cut + ndtri(sensitivity)[units.system]
    shared = _correlated(study, units.cluster, rng)
    own = rng.standard_normal((judge.samples, len(shared)))
    noise = judge.noise if judge.samples > 1 else 0.0
    x = distance * units.positive + np.sqrt(1 - noise) * shared + np.sqrt(noise) * own
    return x, distance, cut


def _labelled_by_verdict(
    study: Study,
    units: _Units,
    evidence: Mapping[str, tuple[Floats, Floats, Floats]],
    rng: np.random.Generator,
) -> _Units:
    """Label the same number of units from each verdict of the first judge."""
    x, _, cut = next(iter(evidence.values()))
    verdict = x[0] > cut
    wanted = round(study.labelled * len(verdict) / 2)
    labelled = np.zeros(len(verdict), bool)
    for value in (False, True):
        stratum = rng.permutation(np.flatnonzero(verdict == value))
        labelled[stratum[:wanted]] = True
    return _Units(
        units.prompt,
        units.system,
        units.criterion,
        units.cluster,
        labelled,
        units.positive,
        units.both,
    )


def _judge_rows(
    name: str,
    judge: Judge,
    study: Study,
    evidence: tuple[Floats, Floats, Floats],
    names: _Names,
    rng: np.random.Generator,
) -> list[tuple[str, ...]]:
    from goldassay.formulas.compiled import expit

    x, distance, cut = evidence
    score = expit(distance * (x - distance / 2))
    unsure = np.exp(-judge.abstain_when_unsure * np.abs(x - cut))
    # Scaled so that the mean rate stays the declared one.
    chance = np.clip(judge.abstain * unsure / unsure.mean(), 0, 1)
    abstained = rng.random(x.shape) < chance
    invalid = rng.random(x.shape) < judge.invalid
    extra = {}
    if judge.cost:
        extra["cost"] = f"{judge.cost:g}"
    rows = []
    for sample in range(judge.samples):
        latency = np.atleast_1d(rng.gamma(4, max(judge.latency, 1e-9) / 4, x.shape[1]))
        for unit in range(x.shape[1]):
            cells = {"rater": name, "kind": "judge", "elicitation": "forced_choice", **extra}
            if judge.samples > 1:
                cells["sample"] = str(sample + 1)
            if judge.latency:
                cells["latency"] = f"{latency[unit]:.3f}"
            if invalid[sample, unit]:
                cells["status"] = "invalid"
            elif abstained[sample, unit]:
                cells |= {"value": study.abstain_word, "status": "abstained"}
            else:
                said = study.options[0 if x[sample, unit] > cut[unit] else 1]
                cells |= {"value": said, "status": "rated", "score": f"{score[sample, unit]:.4f}"}
            rows.append(names.row(unit, **cells))
    return rows


def _human_rows(
    study: Study, units: _Units, names: _Names, rng: np.random.Generator
) -> list[tuple[str, ...]]:
    raters = study.raters
    which = np.flatnonzero(units.labelled)
    per_unit = min(raters.per_unit, raters.number)
    who = np.argsort(rng.random((len(which), raters.number)), axis=1)[:, :per_unit]
    positive = units.positive[which, None]
    both = rng.random(who.shape) < units.both[which, None]
    right = np.where(positive, raters.sensitivity, raters.specificity)
    seen = positive == (rng.random(who.shape) < right)
    choice = np.where(both, rng.random(who.shape) < raters.lean, seen)
    abstained = rng.random(who.shape) < raters.abstain
    asked = rng.random(len(which)) < raters.response_sets
    rows = []
    for i, unit in enumerate(which):
        for j in range(per_unit):
            cells = {"rater": f"person{who[i, j] + 1}", "kind": "human"}
            if abstained[i, j]:
                cells |= {"value": study.abstain_word, "status": "abstained"}
            else:
                cells |= {"value": study.options[0 if choice[i, j] else 1], "status": "rated"}
            rows.append(names.row(int(unit), **cells, elicitation="forced_choice"))
            if asked[i] and not abstained[i, j]:
                value = "|".join(study.options) if both[i, j] else cells["value"]
                rows.append(
                    names.row(
                        int(unit),
                        rater=cells["rater"],
                        kind="human",
                        value=value,
                        status="rated",
                        elicitation="response_set",
                    )
                )
    return rows


def _task(study: Study) -> Task:
    calibration = None if study.labelled >= 1 else study.design
    return Task.from_mapping(
        {
            "scale": "binary",
            "options": list(study.options),
            "positive": study.options[0],
            "abstain": [study.abstain_word],
            "cluster": "cluster" if study.cluster_size > 1 else "prompt",
            "reference": "majority",
            **({"calibration": calibration} if calibration else {}),
        }
    )


def _items(study: Study) -> list[dict[str, str]]:
    return [
        {
            "item": f"p{prompt:04d}-{system}",
            "system": system,
            "input": f"Simulated question number {prompt + 1}.",
            "output": f"Simulated answer of {system} to question number {prompt + 1}.",
        }
        for prompt in range(study.prompts)
        for system in study.systems
    ]


def _truth(study: Study, units: _Units, seed: int) -> dict[str, Any]:
    """What was true: declared rates, and the labels as they fell."""
    systems, criteria = list(study.systems), list(study.criteria)
    positive = units.positive.astype(float)
    test = ~units.labelled
    judges = {}
    for name, judge in study.judges.items():
        sensitivity, specificity = _rates(judge, study)
        share = np.bincount(units.system, weights=positive, minlength=len(systems))
        rest = np.bincount(units.system, weights=1 - positive, minlength=len(systems))
        mean_sensitivity = float(np.average(sensitivity, weights=np.maximum(share, 1e-9)))
        mean_specificity = float(np.average(specificity, weights=np.maximum(rest, 1e-9)))
        judges[name] = {
            "sensitivity": mean_sensitivity,
            "specificity": mean_specificity,
            "youden_j": mean_sensitivity + mean_specificity - 1,
            "abstain": judge.abstain,
            "invalid": judge.invalid,
        }
    by_system = {s: float(positive[units.system == i].mean()) for i, s in enumerate(systems)}
    return {
        "seed": seed,
        "prevalence": float(positive.mean()),
        "prevalence_labelled": float(positive[~test].mean()) if (~test).any() else None,
        "prevalence_test": float(positive[test].mean()) if test.any() else None,
        "systems": by_system,
        "criteria": {
            c: float(positive[units.criterion == i].mean()) for i, c in enumerate(criteria) if c
        },
        "ranking": sorted(by_system, key=lambda name: -study.systems[name]),
        "judges": judges,
        "best_judge": max(judges, key=lambda name: judges[name]["youden_j"]),
    }
