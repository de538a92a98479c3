"""Named intervals of a change of accuracy in few clusters whose sizes tell, beside ours.

    python benchmarks/named_changes.py [--runs N] [--seed S]

Student's t of the clusters' residuals with C - 1 degrees of freedom; the delete-one jackknife with
Satterthwaite's, for clusters that vary as their items (Bell and McCaffrey 2002) or as items that
are alike (Imbens and Kolesár 2016); the wild cluster bootstrap-t with Webb's six weights, the null
hypothesis imposed, inverted; and the bootstrap-t of whole clusters.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from coverage_changes import STATISTICS, _change, joint_of
from coverage_sizes import World, two_versions
from numpy.typing import NDArray

from goldassay.inference.changes import change_limits
from goldassay.inference.cluster_spread import degrees_of_variances
from goldassay.inference.clusters import degrees_of, student_quantile

Floats = NDArray[np.float64]
Rng = np.random.Generator
Ends = tuple[float, float]

RESAMPLES, HALVINGS, MANY = 299, 10, 40_000
WEBB = np.sqrt([0.5, 1.0, 1.5]) * np.array([[-1.0], [1.0]])
#: Sizes that tell in all but the last two, whose items change anywhere.
SETTINGS: Mapping[str, tuple[World, bool]] = {
    "15 clusters of about 20": (World(15, 20.0, 0.6, right=(2.0, 0.0)), True),
    "12 clusters of about 10": (World(12, 10.0, 0.8, right=(2.0, 0.0)), True),
    "25 clusters of about 8": (World(25, 8.0, 0.9, right=(1.8, -0.3)), True),
    "15 clusters of about 20, sizes tell nothing": (World(15, 20.0, 0.6), False),
    "12 clusters of about 10, sizes tell nothing": (World(12, 10.0, 0.8), False),
}


def drawn(world: World, tells: bool, rng: Rng, number: int | None = None) -> Floats:
    """Counts [C, 2, 2, 2]; where sizes tell nothing they are handed out anew."""
    if tells:
        return two_versions(world, rng, number)
    items = replace(world, right=(1.0, 0.0)).drawn(rng, number)
    wrong = items.said != items.true
    moved = rng.random(len(wrong)) < np.where(wrong, 0.38, 0.05)
    found = np.zeros((int(items.cluster.max()) + 1, 2, 2, 2))
    new = np.where(moved, 1 - items.said, items.said)
    np.add.at(found, (items.cluster, items.true, items.said, new), 1.0)
    return found


def changes(tables: Floats) -> tuple[Floats, Floats, float]:
    """The change of right items and the items of each cluster [C], and the changed items."""
    new, old = (tables[:, 0, 1, 0] + tables[:, 1, 0, 1], tables[:, 0, 0, 1] + tables[:, 1, 1, 0])
    return new - old, tables.sum((1, 2, 3)), float((new + old).sum())


def error_of(d: Floats, n: Floats) -> tuple[Floats, Floats]:
    """Change and standard error of clusters [..., C], residuals divided by what each leaves."""
    of = n.sum(-1)
    value = d.sum(-1) / of
    left = 1 - n / of[..., None]
    return value, np.sqrt(((d - value[..., None] * n) ** 2 / left).sum(-1)) / of


def student(d: Floats, n: Floats, degrees: float) -> Ends:
    value, error = error_of(d, n)
    reach = student_quantile(max(degrees, 1.0), 0.975) * float(error)
    return float(value) - reach, float(value) + reach


def plain(d: Floats, n: Floats) -> Ends:
    value, clusters = d.sum() / n.sum(), len(d)
    error = np.sqrt(((d - value * n) ** 2).sum() * clusters / (clusters - 1)) / n.sum()
    reach = student_quantile(clusters - 1, 0.975) * error
    return float(value - reach), float(value + reach)


def alike(d: Floats, n: Floats, changed: float) -> Ends:
    """Degrees of freedom of clusters that vary as n (1 + correlation (n - 1))."""
    value, of, each = d.sum() / n.sum(), n.sum(), np.ones(len(n))
    alone = max(changed / of - value**2, 1e-9)
    squares = ((d - value * n) ** 2).sum()
    share = (squares - alone * of) / max(alone * (n * (n - 1)).sum(), 1e-9)
    varying = n * (1 + min(max(share, 0.0), 1.0) * (n - 1))
    return student(d, n, float(degrees_of_variances(n / of, varying, each)[0]))


def wild(d: Floats, n: Floats, rng: Rng) -> Ends:
    """All changes that the wild bootstrap-t under each of them does not contradict."""
    weights = rng.choice(WEBB.ravel(), (RESAMPLES, len(d)))
    value, error = error_of(d, n)

    def tail(at: float, side: int) -> float:
        drawn, errors = error_of(at * n + weights * (d - at * n), np.broadcast_to(n, weights.shape))
        seen = (value - at) / max(float(error), 1e-12)
        return float((side * ((drawn - at) / np.maximum(errors, 1e-12) - seen) >= 0).mean())

    found = []
    for side in (-1, 1):
        near, far = 0.0, 8 * float(error)
        for _ in range(HALVINGS):
            middle = (near + far) / 2
            open_still = tail(float(value) + side * middle, -side) > 0.025
            near, far = (middle, far) if open_still else (near, middle)
        found.append(float(value) + side * far)
    return found[0], found[1]


def resampled(d: Floats, n: Floats, rng: Rng) -> Ends:
    at = rng.integers(len(d), size=(RESAMPLES, len(d)))
    (value, error), (values, errors) = error_of(d, n), error_of(d[at], n[at])
    known = errors > 1e-12
    low, high = np.quantile((values[known] - value) / errors[known], (0.025, 0.975))
    return float(value - high * error), float(value - low * error)


def ours(tables: Floats) -> Ends:
    found = change_limits(
        joint_of(tables, clustered=True), STATISTICS["accuracy"], confidence_level=0.95
    )
    return found.low, found.high


def intervals(tables: Floats, rng: Rng) -> dict[str, Ends]:
    d, n, changed = changes(tables)
    unlike = float(degrees_of(n / n.sum(), np.ones(len(n))))
    return {
        "goldassay": ours(tables),
        "cluster t": plain(d, n),
        "Bell-McCaffrey": student(d, n, unlike),
        "Imbens-Kolesár": alike(d, n, changed),
        "wild, Webb": wild(d, n, rng),
        "bootstrap-t": resampled(d, n, rng),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    for place, (name, (world, tells)) in enumerate(SETTINGS.items()):
        rng = np.random.default_rng(asked.seed)
        whole = drawn(world, tells, np.random.default_rng(1), MANY).sum(0)
        truth = float(_change(STATISTICS["accuracy"], whole))
        runs = [intervals(drawn(world, tells, rng), rng) for _ in range(asked.runs)]
        if not place:
            print(f"| Setting | {' | '.join(runs[0])} |\n{'| --- ' * (1 + len(runs[0]))}|")
        cells = []
        for method in runs[0]:
            low, high = np.array([one[method] for one in runs]).T
            held = float(((low <= truth) & (truth <= high)).mean())
            cells.append(f"{held:.3f} ({float((high - low).mean()):.3f})")
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
