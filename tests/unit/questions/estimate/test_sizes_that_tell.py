"""Where large clusters are of another kind, every number of `estimate` has its ends moved alike."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

import goldassay
from goldassay.inference import cluster_spread
from goldassay.results import Estimate

BINARY = {
    "scale": "binary",
    "options": ["yes", "no"],
    "positive": "yes",
    "cluster": "cluster",
    "calibration": "random",
}
SCORES = {"scale": "continuous", "cluster": "cluster", "calibration": "random"}
GRADES = {
    "scale": "ordinal",
    "options": ["0", "1", "2"],
    "cluster": "cluster",
    "calibration": "random",
}


def rows(scores: bool = False) -> list[dict[str, str]]:
    """Two systems on prompts of 36 clusters, of which the large ones have more of the answer."""
    rng = np.random.default_rng(5)
    found = []
    for cluster in range(36):
        for k in range(int(np.ceil(2 * np.exp(0.9 * (cluster % 12 - 5.5) / 3.5)))):
            more = 0.15 + 0.06 * (cluster % 12)
            for system in range(2):
                true = int(rng.random() < more) + scores * int(rng.random() < more)
                said = true if rng.random() < 0.85 else int(rng.integers(2 + scores))
                where = {
                    "item": f"{cluster}-{k}-{system}",
                    "prompt": f"{cluster}-{k}",
                    "cluster": f"c{cluster}",
                    "system": f"s{system}",
                    "topic": "ab"[k % 2],
                }
                told = [("j", "judge", said)]
                if (cluster + k) % 2:
                    told.append(("p", "human", true))
                for rater, kind, value in told:
                    label = str(value) if scores else ("no", "yes")[value]
                    found.append({**where, "rater": rater, "kind": kind, "value": label})
    return found


def ends(found: goldassay.Findings, name: str) -> dict[str | None, tuple[float, float]]:
    """Both ends by system."""
    shown = {}
    for row in found.rows:
        if row.result.name == name and isinstance(row.result, Estimate):
            assert row.result.interval is not None
            system = row.about.get("system")
            shown[system] = (row.result.interval.low, row.result.interval.high)
    assert shown, name
    return shown


def unmoved(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(cluster_spread, "BY_SIZE", (1e9, 2e9))


@pytest.mark.parametrize(
    ("task", "name", "options"),
    [
        (BINARY, "prevalence", {}),
        (BINARY, "prevalence", {"strata": ["topic"]}),
        (SCORES, "mean_score", {}),
        (GRADES, "mean_score", {}),
    ],
    ids=["rate", "over strata", "mean score", "mean grade"],
)
def test_the_upper_end_moves(
    task: Mapping[str, object],
    name: str,
    options: Mapping[str, list[str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = [one for one in rows(scores=task is not BINARY) if one["system"] == "s0"]
    data = [{key: one[key] for key in one if key not in ("system", "prompt")} for one in data]
    (moved,) = ends(goldassay.estimate(data, task, **options), name).values()
    unmoved(monkeypatch)
    (still,) = ends(goldassay.estimate(data, task, **options), name).values()
    assert moved[1] > still[1] + 0.05 * (still[1] - still[0])
    assert moved[0] == pytest.approx(still[0])


@pytest.mark.parametrize("task", [BINARY, SCORES, GRADES], ids=["rates", "scores", "grades"])
def test_of_systems_rates_and_means_move_and_differences_do_not(
    task: Mapping[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    data, name = rows(scores=task is not BINARY), "prevalence" if task is BINARY else "mean_score"
    moved = goldassay.compare(data, task)
    unmoved(monkeypatch)
    still = goldassay.compare(data, task)
    assert ends(moved, "difference") == ends(still, "difference")
    before = ends(still, name)
    for system, (low, high) in ends(moved, name).items():
        assert high > before[system][1] + 0.05 * (before[system][1] - before[system][0])
        assert low == pytest.approx(before[system][0])


def test_a_rate_of_a_system_is_that_of_estimate() -> None:
    data = rows()
    own = ends(goldassay.compare(data, BINARY), "prevalence")["s1"]
    alone = [one for one in data if one["system"] == "s1"]
    alone = [{key: one[key] for key in one if key not in ("system", "prompt")} for one in alone]
    assert own == pytest.approx(ends(goldassay.estimate(alone, BINARY), "prevalence")[None])
