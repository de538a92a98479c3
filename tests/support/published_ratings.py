"""DICES-350: 123 raters and one expert per item, read where the published ratings lie."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

OPTIONS = ("No", "Yes", "Unsure")
FOLDER = "dices_judgebench/data/dices"


def shared_data() -> Path:
    """The folder of published ratings; skips the test where it is absent."""
    root = Path(__file__).resolve().parents[2]
    folder = Path(os.environ.get("KARAT_SHARED", root.parent / "shared")) / "data"
    if not folder.is_dir():
        folder = root.parents[1] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the folder of published ratings is not here (KARAT_SHARED)")
    return folder


def dices_350() -> tuple[np.ndarray, np.ndarray]:
    """Counts (350, 3) of the crowd, and the expert's verdicts (350, 3) as one-hot rows."""
    folder = shared_data() / FOLDER
    crowd = json.loads((folder / "dices_350_crowdsourced.json").read_text(encoding="utf-8"))
    expert = json.loads((folder / "dices_350_expert.json").read_text(encoding="utf-8"))
    verdicts = {one["id"]: one["annotations"]["safety"] for one in expert["instances"]}
    counts = np.zeros((len(crowd["instances"]), 3))
    expert_counts = np.zeros_like(counts)
    for i, one in enumerate(crowd["instances"]):
        for value in one["annotations"]["safety"]["individual_human_scores"]:
            counts[i, OPTIONS.index(value)] += 1
        expert_counts[i, OPTIONS.index(verdicts[one["id"]]["majority_human"])] = 1
    return counts, expert_counts
