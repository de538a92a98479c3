"""Simulated coverage and length of the paired interval of a change; the whole grid is slow.

Both sides are held: an interval must cover, and must not buy that by length. Lengths are told
against the shortest named interval that covers on the same draws, of those that always have one.
"""

from __future__ import annotations

import coverage_changes as script
import pytest
from grids import Seen, faults
from patience import seldom


@pytest.mark.parametrize(
    ("items", "versions"), seldom([(30, "better"), (60, "unlike"), (100, "same")], 1)
)
def test_lone_items(items: int, versions: str) -> None:
    """200 runs: an interval that covers .95 falls below .90 with a chance of 1 in 400."""
    found = script.lone(items, 0.3, versions, 200)
    for name, tallies in found.items():
        assert tallies["goldassay"].coverage >= 0.90, name
    factor = script.against_shortest(found["accuracy"])
    assert factor is not None
    assert factor <= 1.15


@pytest.mark.slow
def test_an_interval_that_may_be_a_point_is_no_candidate_by_length() -> None:
    """Where versions are equally good and few items show it, Wald's interval is often the point 0,
    which is the truth: it covers, and its mean length is that of knowing what nobody knows."""
    found = script.lone(20, 0.1, "same", 400)["accuracy"]
    wald, price = found["Wald"], found["Bonett-Price"]
    assert wald.points > 0.02 * 400
    assert wald.mean_length < price.mean_length / 1.15
    assert not price.points
    assert not found["goldassay"].points
    # Of as many items of two versions that are not quite as good, it misses most of the time.
    assert script.lone(20, 0.1, "excellent", 60)["accuracy"]["Wald"].coverage < 0.5
    factor = script.against_shortest(found)
    assert factor is not None
    assert factor <= 1.15


#: A setting, and how many times longer than a cluster t each coefficient's interval may be.
QUICK = [
    (script.Clusters(15, "25", 0.15, 0.15, 0.0), 1.04),
    (script.Clusters(15, "10", 0.15, 0.15, 0.2), 1.10),
    (script.Clusters(8, "25", 0.2, 0.1, 0.1), 1.10),
    (script.Clusters(40, "10", 0.2, 0.1, 0.1), 1.03),
    (script.Clusters(40, "1 to 20", 0.15, 0.15, 0.2), 1.06),
]


@pytest.mark.parametrize(("setting", "longest"), seldom(QUICK, 1, 4), ids=str)
def test_clusters(setting: object, longest: float) -> None:
    """All runs at once, the first held against the function that is shipped."""
    found = script.measured(setting, 200, of=tuple(CLUSTERED))
    for name, tallies in found.items():
        assert tallies["goldassay"].coverage >= 0.90, name
        against = tallies["goldassay"].mean_length / tallies["cluster t"].mean_length
        assert 0.99 < against < longest, name


def test_one_sided_changes_by_clusters_are_told() -> None:
    """Where the interval falls short, a warning stands at the number."""
    by_clusters = script.measured(script.Clusters(15, "25", 0.06, 0.002, 0.2), 200)
    assert by_clusters["accuracy"]["goldassay"].doubted > 0.8 * 200
    two_sided = script.measured(script.Clusters(15, "25", 0.15, 0.15, 0.2), 200)
    assert two_sided["accuracy"]["goldassay"].doubted == 0


#: Mean coverage and length over the grid, as these tests measured them; of clusters the length is
#: how many times as long as a cluster t.
LONE = {
    "accuracy": (0.978, 0.1614),
    "balanced_accuracy": (0.975, 0.2476),
    "cohen_kappa": (0.979, 0.4049),
    "phi": (0.978, 0.4209),
    "f1": (0.978, 0.2734),
}
CLUSTERED = {
    "accuracy": (0.966, 1.277),
    "balanced_accuracy": (0.970, 1.363),
    "cohen_kappa": (0.967, 1.315),
}


@pytest.mark.slow
def test_every_setting_of_lone_items() -> None:
    seen = []
    for number, one in enumerate(script.LONE):
        found = script.lone(*one, 100, seed=20 + number)
        for name, tallies in found.items():
            ours = tallies["goldassay"]
            seen.append(Seen(name, str(one), ours.hits, ours.number, ours.mean_length))
    assert not faults(seen, LONE)


@pytest.mark.slow
def test_every_setting_of_clusters() -> None:
    """All runs of a setting at once, the first held against the function that is shipped."""
    seen = []
    for number, setting in enumerate([*script.GRID, *script.HELD_OUT]):
        for name, tallies in script.measured(setting, 200, 20 + number, tuple(CLUSTERED)).items():
            ours, factor = tallies["goldassay"], against_cluster_t(tallies)
            seen.append(Seen(name, str(setting), ours.hits, ours.number, factor))
    assert not faults(seen, CLUSTERED)


def against_cluster_t(tallies: dict[str, script.Tally]) -> float:  # type: ignore[name-defined]
    return float(tallies["goldassay"].mean_length / tallies["cluster t"].mean_length)
