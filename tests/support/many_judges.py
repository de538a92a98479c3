"""Studies of as many judges as wanted, on every scale, with three systems and two people."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

__all__ = ["OPTIONS", "many_judges"]

OPTIONS: dict[str, tuple[str, ...]] = {
    "binary": ("yes", "no"),
    "nominal": ("red", "green", "blue"),
    "ordinal": ("1", "2", "3", "4"),
    "pairwise": ("first", "second", "tie"),
    "continuous": (),
}


def many_judges(
    scale: str, judges: int, *, items: int = 24, name: str = "judge"
) -> tuple[pl.DataFrame, dict[str, Any]]:
    """A table and its task. People are right nine times of ten; judges less and less."""
    rng = np.random.default_rng([7, judges, len(scale)])
    options = OPTIONS[scale]
    kinds = max(len(options), 10)
    systems = ("alder", "birch", "cedar")
    rows = []
    for item in range(items):
        for place, system in enumerate(systems):
            truth = int(rng.integers(0, kinds))
            about = {"item": f"i{item}", "prompt": f"p{item}", "system": system}
            if scale == "pairwise":
                about["opponent"] = systems[(place + 1) % 3]
            raters = [("human", f"person {k}", 0.1) for k in range(2)]
            raters += [("judge", f"{name} {k}", 0.15 + 0.5 * k / judges) for k in range(judges)]
            for kind, rater, slips in raters:
                drawn = int(rng.integers(0, kinds)) if rng.random() < slips else truth
                value = options[drawn % len(options)] if options else str(drawn / 10)
                rows.append({**about, "rater": rater, "kind": kind, "value": value})
    task: dict[str, Any] = {"scale": scale, "cluster": "prompt"}
    if options:
        task["options"] = list(options)
    if scale == "binary":
        task["positive"] = "yes"
    if scale == "pairwise":
        task["tie"] = "tie"
    return pl.DataFrame(rows), task
