"""Where large clusters are of another kind, intervals hold the truth and are not long for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import coverage_sizes as script
import numpy as np
import pytest
from coverage_changes import Clusters, measured
from grids import Seen, faults, mean_coverage
from internals import change
from named_changes import drawn
from patience import seldom


def least(runs: int) -> float:
    """.93 less two Monte Carlo errors."""
    return 0.93 - 2 * float(np.sqrt(0.93 * 0.07 / runs))


def changes(world: script.World, tells: bool, runs: int, seed: int) -> Changes:
    """Intervals of a change of accuracy: whether they hold it, have a warning, and their length."""
    rng, accuracy = np.random.default_rng(seed), script.STATISTICS["accuracy"]
    truth = float(change(accuracy, drawn(world, tells, np.random.default_rng(1), 40_000).sum(0)))
    found = []
    for _ in range(runs):
        joint = script.joint_of(drawn(world, tells, rng), clustered=True)
        one = script.change_limits(joint, accuracy, confidence_level=0.95)
        found.append((one.low <= truth <= one.high, one.by_size is not None, one.high - one.low))
    held, warned, length = np.mean(np.array(found, float), axis=0)
    return Changes(float(held), float(warned), float(length))


class Changes(NamedTuple):
    held: float
    warned: float
    length: float


#: Large clusters change otherwise; as measured in 2,000 runs, held and warned: .93 and .1, .94 and
#: 0, .88 and 1, .91 and .9.
CHANGES = {
    "30 clusters": script.World(30, right=(1.8, -0.3)),
    "60 clusters": script.World(60, 10.0, 0.8, right=(2.0, 0.0)),
    "12 clusters": script.World(12, 10.0, 0.8, right=(2.0, 0.0)),
    "60 of very unequal sizes": script.World(60, 6.0, 1.2, right=(2.0, 0.0)),
}


@pytest.mark.parametrize("name", seldom(CHANGES, 0, 3))
def test_changes_that_go_with_sizes_are_held_or_have_a_warning(name: str) -> None:
    """Coverage, or a warning in nearly all samples: of each kind the other would fail."""
    found = changes(CHANGES[name], True, 1_000, 5)
    if name in ("30 clusters", "60 clusters"):
        assert found.held >= least(1_000)
        assert found.warned < 0.7
    else:
        assert found.warned > 0.85
        assert found.held < 0.93


@pytest.mark.slow
def test_a_cluster_that_may_be_missing_is_what_holds_changes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On the same draws: more of them, for little."""
    moved = changes(CHANGES["60 clusters"], True, 500, 5)
    monkeypatch.setattr(script.cluster_spread, "MISSING", 0.0)
    still = changes(CHANGES["60 clusters"], True, 500, 5)
    assert moved.held >= still.held + 0.01
    assert 1.01 <= moved.length / still.length <= 1.06


@pytest.mark.parametrize("spread", [0.8, 1.2])
def test_sizes_that_tell_nothing_are_seldom_warned_of(spread: float) -> None:
    """Of 60 clusters; by chance some samples look as if large ones were of another kind."""
    found = changes(script.World(60, 6.0, spread), False, 300, 5)
    assert found.held >= least(300)
    assert found.warned < (0.15 if spread < 1 else 0.4)


def test_sizes_that_tell_nothing_cost_little() -> None:
    """Forty clusters of 1 to 20 whose changes do not go with size: as long as ever."""
    found = measured(Clusters(40, "1 to 20", 0.15, 0.15, 0.2), 250)["accuracy"]
    assert found["goldassay"].mean_length < 1.06 * found["cluster t"].mean_length


def times_as_long(
    setting: Callable[[np.random.Generator], script.Found], runs: int, patch: pytest.MonkeyPatch
) -> dict[str, float]:
    """Mean lengths against those of the same draws with no end moved."""

    def lengths() -> dict[str, float]:
        found = script.tallied(setting, runs, 5)
        return {
            of: float(np.mean([length for _, _, length, _ in rows])) for of, rows in found.items()
        }

    moved = lengths()
    patch.setattr(script.cluster_spread, "BY_SIZE", (1e9, 2e9))
    still = lengths()
    return {of: one / still[of] for of, one in moved.items()}


#: As measured in 300 runs, and about three times what 100 runs leave open to either side: `agree`
#: 1.08 to 1.11, `select` 1.34 and 1.37, `diff` 1.13 and 1.14, rates 1.14.
WHERE_SIZES_TELL = {
    "agree: 40 clusters, large ones harder": (1.04, 1.16),
    "select: three judges, 30 clusters, one better on large ones": (1.22, 1.45),
    "estimate: a third of 60 clusters whole, large ones with more": (1.06, 1.22),
    "diff: 30 clusters, small ones mended, large ones spoilt": (1.07, 1.21),
}


@pytest.mark.parametrize("name", seldom(WHERE_SIZES_TELL, 2, 3))
def test_how_far_ends_move_where_sizes_tell(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No further than it takes, and no less: the coverage of `agree` hardly moves with it."""
    least, most = WHERE_SIZES_TELL[name]
    for of, factor in times_as_long(script.SETTINGS[name], 100, monkeypatch).items():
        assert least <= factor <= most, of


@pytest.mark.parametrize("name", seldom(script.SILENT, 3))
def test_ends_hardly_move_where_sizes_tell_nothing(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    most = 1.07 if name.startswith("select") else 1.03  # the furthest end of three is taken
    for of, factor in times_as_long(script.SILENT[name], 100, monkeypatch).items():
        assert 1 <= factor <= most, of


def seen_in(settings: Mapping[str, Callable[[np.random.Generator], script.Found]]) -> list[Seen]:
    found = []
    for number, (name, setting) in enumerate(settings.items()):
        for of, rows in script.tallied(setting, 150, 7 + number).items():
            held, _, length, _ = np.array(rows, float).T
            found.append(Seen("all", f"{name}, {of}", held.sum(), len(rows), length.mean()))
    return found


@pytest.mark.slow
def test_sizes_that_tell_nothing_are_held() -> None:
    seen = seen_in(script.SILENT)
    assert not faults(seen, {"all": (0.964, 0.1245)})
    assert mean_coverage(seen)[0] <= 0.98


@pytest.mark.slow
@pytest.mark.parametrize("half", [0, 1])
def test_every_setting(half: int) -> None:
    settings = dict([*script.SETTINGS.items()][half::2])
    assert not faults(seen_in(settings), {"all": ((0.942, 0.2369), (0.970, 0.1767))[half]})
