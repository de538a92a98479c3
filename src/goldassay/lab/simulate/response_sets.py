"""The rating model of Guerdan et al. (2025), section 3: response sets, errors and forced choices.

Each item has a distribution theta* over response sets. A rater's set is read with error (the
matrix E over sets); forced to choose, the rater takes an option of the set by F. People and judges
are drawn alike, each with its own E and F.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

import numpy as np
import numpy.typing as npt

from goldassay.errors import UsageError
from goldassay.frozen import dataclass
from goldassay.lab.simulate.draw import Drawn
from goldassay.ratings.task import Task

__all__ = ["RatingModel", "simulate_response_sets"]

Floats = npt.NDArray[np.float64]

_COLUMNS = ("item", "rater", "kind", "value", "elicitation", "sample")


@dataclass(frozen=True, kw_only=True)
class RatingModel:
    """Options, items, and how raters and judges turn theta* into ratings.

    `error` is the probability that a rater reports a uniformly drawn admissible set instead of the
    true one; `favour` raises the odds that an option is taken when a choice is forced. A judge's
    `tilt` mixes theta* with a distribution of its own, which is how judges differ from people.
    """

    options: tuple[str, ...] = ("Yes", "No")
    items: int = 100
    raters: int = 5
    samples: int = 5
    error: float = 0.05
    concentration: float = 0.5
    favour: Mapping[str, float] = field(default_factory=dict)
    judges: Mapping[str, Mapping[str, float]] = field(
        default_factory=lambda: {"close": {"tilt": 0.1}, "far": {"tilt": 0.6}}
    )

    def task(self) -> Task:
        return Task.from_mapping(
            {"scale": "nominal", "options": list(self.options), "reference": "soft"}
        )


def simulate_response_sets(model: RatingModel, *, seed: int) -> Drawn:
    """Draw forced choices and response sets of people and judges, with theta* as the truth."""
    if len(model.options) > 10:
        raise UsageError(
            "options", "at most 10 options have response sets", found=str(len(model.options))
        )
    rng = np.random.default_rng(seed)
    task = model.task()
    sets = task.sets
    members = np.array([[option in one for option in model.options] for one in sets], dtype=float)
    truth = rng.dirichlet(np.full(len(sets), model.concentration), model.items)
    choice = _forced(members, model)
    people = _Raters("human", tuple(f"person{i + 1}" for i in range(model.raters)), 1)
    rows = _rows(people, truth, choice, model, sets, rng)
    judges: dict[str, Any] = {}
    for name, settings in model.judges.items():
        tilt = settings.get("tilt", 0.0)
        own = rng.dirichlet(np.full(len(sets), model.concentration), model.items)
        seen = (1 - tilt) * truth + tilt * own
        judge = _Raters("judge", (name,), model.samples)
        rows += _rows(judge, seen, choice, model, sets, rng)
        judges[name] = {
            "tilt": tilt,
            "mean_squared_error": float(np.mean((seen @ members - truth @ members) ** 2)),
        }
    omega = truth @ members
    facts = {
        "seed": seed,
        "sets": [task.separator.join(one) for one in sets],
        "theta": truth.round(6).tolist(),
        "multi_label_mean": dict(zip(model.options, omega.mean(axis=0).tolist(), strict=True)),
        "judges": judges,
        "best_judge": min(judges, key=lambda name: judges[name]["mean_squared_error"]),
    }
    items = [
        {"item": f"i{i:04d}", "output": f"Simulated output number {i + 1}."}
        for i in range(model.items)
    ]
    return Drawn(_COLUMNS, rows, task, items, facts)


def _forced(members: Floats, model: RatingModel) -> Floats:
    """F: the probability of each option [option, set] when one must be taken from a set."""
    favour = np.array([model.favour.get(option, 1.0) for option in model.options])
    weights = members * favour
    result: Floats = (weights / weights.sum(axis=1, keepdims=True)).T
    return result


@dataclass(frozen=True)
class _Raters:
    """Who rates, and how often each is asked."""

    kind: str
    names: tuple[str, ...]
    samples: int


def _rows(
    raters: _Raters,
    theta: Floats,
    choice: Floats,
    model: RatingModel,
    sets: Sequence[Sequence[str]],
    rng: np.random.Generator,
) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for rater in raters.names:
        for sample in range(raters.samples):
            held = _draw(theta, rng)
            wrong = rng.random(len(held)) < model.error
            held = np.where(wrong, rng.integers(0, len(sets), len(held)), held)
            taken = _draw(choice.T[held], rng)
            repeat = str(sample + 1) if raters.samples > 1 else ""
            for item in range(len(held)):
                name = f"i{item:04d}"
                one = "|".join(sets[int(held[item])])
                option = model.options[int(taken[item])]
                rows.append((name, rater, raters.kind, option, "forced_choice", repeat))
                rows.append((name, rater, raters.kind, one, "response_set", repeat))
    return rows


def _draw(probabilities: Floats, rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """One category from each row of probabilities."""
    cumulative = probabilities.cumsum(axis=1)
    above = rng.random((len(cumulative), 1)) * cumulative[:, -1:] > cumulative
    return np.asarray(above.sum(axis=1), dtype=np.int64)
