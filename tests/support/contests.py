"""Small contests of systems, scored by judges and people whose noise is known."""

from __future__ import annotations

from typing import Any

import numpy as np

from goldassay.questions.rank.contest import Contest

__all__ = ["contest"]


def contest(
    *,
    judges: int = 2,
    prompts: int = 60,
    systems: int = 6,
    noise: float = 0.5,
    seed: int = 0,
    **more: Any,
) -> Contest:
    """Systems of evenly spread quality on prompts of unequal ease; `more` replaces fields."""
    rng = np.random.default_rng(seed)
    quality = np.linspace(1, -1, systems)
    difficulty = rng.normal(size=(prompts, 1))
    scores = quality + difficulty + rng.normal(0, noise, (judges, prompts, systems))
    values: dict[str, Any] = {
        "judges": tuple(f"judge {j}" for j in range(judges)),
        "systems": tuple(f"system {s}" for s in range(systems)),
        "cluster": np.arange(prompts),
        "n_clusters": prompts,
        "n_prompts": prompts,
        "scores": scores,
        "human_scores": (quality + difficulty + rng.normal(0, noise, (prompts, systems)))[None],
    }
    return Contest(**(values | more))
