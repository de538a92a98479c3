"""How often a way of drawing labels is seen, and a random draw taken for one.

    python benchmarks/drawn_found.py [--runs N] [--only WAY]     a table of docs/estimate.md
    python benchmarks/drawn_found.py --data FILE [FILE ...]      what is said of plain files

Items have a true answer, scores and verdicts of several judges, and a system. People rate some: at
random, whole clusters of ten at random, or `ratio` times as often what a judge flags, where judges
differ, of one system, or where a judge is unsure. Each way of the guess (`proposals/drawn.py`) is
held against its two bounds: a random draw in a million is as uneven, and twice the share. The
last columns say what is asked about or seen: one in a thousand, shared out over all that is looked
at, and twice the share; and other bounds on the same draws: a thousandth, and 1.5 times the share.
"""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.special import chi_square_tail
from goldassay.proposals.drawn import MORE, doubtful, fifths
from goldassay.ratings.drawing import MILLIONTH, Drawn, Shares, likeliest

Ints = NDArray[np.int64]
Way = Literal["random", "clusters", "verdict", "differ", "system", "unsure", "first"]

SYSTEMS, CLUSTER = 4, 10
#: How the labels were drawn, how much more often, items, share labelled, judges.
GRID: tuple[tuple[Way, float, int, float, int], ...] = (
    *(("random", 1.0, n, s, j) for n in (200, 2_000) for s in (0.05, 0.3) for j in (1, 20)),
    *(("clusters", 1.0, n, 0.2, 3) for n in (500, 5_000)),
    *(("verdict", r, n, 0.1, 3) for n in (300, 3_000) for r in (1.5, 2.5, 5.0, 1e9)),
    *(("differ", r, n, 0.1, 2) for n in (300, 3_000) for r in (2.5, 5.0, 1e9)),
    *(("differ", r, 3_000, 0.1, 5) for r in (2.5, 5.0, 1e9)),
    *(("system", r, n, 0.1, 3) for n in (300, 3_000) for r in (2.5, 5.0, 1e9)),
    *(("unsure", r, n, 0.1, 3) for n in (300, 3_000) for r in (2.5, 5.0, 1e9)),
    ("first", 1.0, 3_000, 0.1, 3),
)


@dataclass(frozen=True)
class Pool:
    """What is known of N items: verdicts and scores of judges [J, N], system, cluster."""

    verdict: Ints
    score: NDArray[np.float64]
    system: Ints
    cluster: Ints

    @classmethod
    def drawn(cls, items: int, judges: int, rng: np.random.Generator) -> Pool:
        clusters = -(-items // CLUSTER)
        cluster = np.repeat(np.arange(clusters), CLUSTER)[:items]
        rate = rng.beta(2, 4, clusters)[cluster]
        truth = rng.random(items) < rate
        noise = rng.normal(0, 1, (judges, items))
        score = 1 / (1 + np.exp(-(np.where(truth, 1.2, -1.6) + noise)))
        return cls((score >= 0.5).astype(int), score, rng.integers(0, SYSTEMS, items), cluster)

    @property
    def differ(self) -> NDArray[np.bool_]:
        return np.asarray((self.verdict != self.verdict[0]).any(0))

    def rated(self, way: Way, ratio: float, share: float, rng: np.random.Generator) -> Ints:
        """Which items people rate."""
        items = self.verdict.shape[1]
        if way == "first":
            return (np.arange(items) < share * items).astype(int)
        if way == "clusters":
            chosen = rng.random(self.cluster.max() + 1) < share
            return chosen[self.cluster].astype(int)
        unsure = np.abs(self.score[0] - 0.5)
        more = {
            "random": np.zeros(items, bool),
            "verdict": self.verdict[0] == 1,
            "differ": self.differ,
            "system": self.system == 0,
            "unsure": unsure <= np.quantile(unsure, 0.2),
        }[way]
        weight = np.where(more, ratio, 1.0)
        if ratio > 1e6:
            weight = more.astype(float)
        chance = np.minimum(weight * share * items / weight.sum(), 1.0)
        return (rng.random(items) < chance).astype(int)

    def ways(self, rated: Ints) -> dict[str, Shares]:
        """What each way of the guess would be told by."""
        judges = range(len(self.verdict))
        each = [Drawn.of(_counts(self.verdict[j], rated), judges=(str(j),)) for j in judges]
        if len(each) > 1:
            same = np.where(self.differ, 5, self.verdict[0])
            each.append(Drawn.of(_counts(same, rated), judges=tuple(map(str, judges))))
        verdict = likeliest(each)
        if verdict is None:
            return {}
        found: dict[str, Shares] = {"verdict" if len(verdict.judges) == 1 else "differ": verdict}
        found["system"] = Shares.of(_counts(self.system, rated))
        known = verdict.information - verdict.degrees
        for score in self.score:
            shares = fifths(score, rated)
            best = found.get("unsure")
            if shares.information - shares.degrees >= known + MORE and (
                best is None or shares.information > best.information
            ):
                found["unsure"] = shares
        return found


def _counts(code: Ints, rated: Ints) -> dict[tuple[str, int | str], tuple[int, int]]:
    both = np.bincount(code), np.bincount(code, rated)
    return {("", at): (int(n), int(both[1][at])) for at, n in enumerate(both[0]) if n}


def told(ways: dict[str, Shares], together: float, tail: float, ratio: float) -> str:
    """The way that is told under other bounds, as the guess does under its own; "" for random."""
    fit = {}
    for name, one in ways.items():
        shares = [one.labelled[key] / units for key, units in one.judged.items()]
        statistic = 2 * one.information / together
        rare = one.degrees > 0 and chi_square_tail(one.degrees, statistic) < tail
        if rare and max(shares) >= ratio * min(shares):
            fit[name] = one.information - one.degrees
    return max(fit, key=lambda name: fit[name], default="")


def guessed(ways: dict[str, Shares], together: float, chance: float = MILLIONTH) -> str:
    fit = {
        name: one.information - one.degrees
        for name, one in ways.items()
        if one.is_unlike_random(together, chance)
    }
    return max(fit, key=lambda name: fit[name], default="")


def simulated(runs: int, only: str) -> None:
    heads = "Labels drawn | times | items | labelled | judges | seen as"
    print(f"| {heads} | seen or asked about | other bounds |")
    print("| --- " * 8 + "|")
    for way, ratio, items, share, judges in GRID:
        if only not in ("", way):
            continue
        rng = np.random.default_rng([items, judges, round(share * 100), round(min(ratio, 99) * 10)])
        seen, asked, other = Counter[str](), Counter[str](), Counter[str]()
        together = CLUSTER if way == "clusters" else 1.0
        for _ in range(runs):
            pool = Pool.drawn(items, judges, rng)
            ways = pool.ways(pool.rated(way, ratio, share, rng))
            seen[guessed(ways, together) or "random"] += 1
            asked[guessed(ways, together, doubtful(judges)) or "random"] += 1
            other[told(ways, together, 1e-3, 1.5) or "random"] += 1
        times = "only" if ratio > 1e6 else f"{ratio:g}"
        cells = [
            ", ".join(f"{name} {n / runs:.3f}" for name, n in one.most_common())
            for one in (seen, asked, other)
        ]
        print(
            f"| {way} | {times} | {items:,} | {share:g} | {judges} |",
            " | ".join(cells),
            "|",
            flush=True,
        )


def of_files(paths: list[str]) -> None:
    from goldassay.errors import InputError
    from goldassay.proposals.propose import guessed_ratings

    for path in paths:
        try:
            _, draft = guessed_ratings(path)
        except InputError as error:
            print(f"{path}: not read ({str(error)[:80]})")
            continue
        said = [one for one in draft.assumed if "labelled items were" in one]
        print(f"{path}: {said[0] if said else 'nothing is left to draw'}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=2_000)
    parser.add_argument("--only", default="", help="one way of drawing")
    parser.add_argument("--data", nargs="*", default=[])
    asked = parser.parse_args()
    if asked.data:
        of_files(asked.data)
    else:
        simulated(asked.runs, asked.only)


if __name__ == "__main__":
    main()
