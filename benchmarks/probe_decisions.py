"""The intervals behind decisions, on random settings: a family of `coverage_probe`.

In the same clusters are drawn: on which items a judge is closer or farther than a person
(`replace`), which of its decisions are wrong (`route`, a bound from above alone), equal systems'
scores (all their differences at once, of which `rank` makes places), and judges' scores that
correlate equally with people's (`agree`'s standing, all differences at once).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import SimpleNamespace

import numpy as np
from numpy.typing import NDArray
from probe_groups import Grouping, Ranges

from goldassay.formulas.orders import mean_scores
from goldassay.inference.bootstrap import multiplicities
from goldassay.inference.clusters import worth_in_equal_clusters
from goldassay.inference.draw import Draw
from goldassay.inference.noninferiority import differences_of
from goldassay.inference.risk_control import steps_of
from goldassay.questions.agree.standing import standing_of_scores
from goldassay.questions.rank.items import ItemAgreement
from goldassay.questions.rank.resampling import Draw as PromptDraw
from goldassay.questions.rank.uncertainty import differences
from goldassay.questions.replace.study import _probability

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Rng = np.random.Generator
Ends = tuple[float, float] | None

LEVEL, RESAMPLES = 0.95, 200


@dataclass(frozen=True)
class Decisions:
    """`replace`'s advantage and share won, `route`'s bound, `rank`'s gaps, `agree`'s standing."""

    items: int
    losses: float
    gains: float
    error: float
    systems: int
    judges: int
    grouping: Grouping = field(default_factory=Grouping)
    weights: float = 0.0

    @classmethod
    def drawn(cls, rng: Rng, ranges: Ranges) -> Decisions:
        while True:
            items = int(np.exp(rng.uniform(np.log(40), np.log(800))))
            grouping = ranges.grouping(rng)
            weights = ranges.weights(rng, grouping, [0, 0, 0.8])
            if items >= 2 * grouping.clusters:
                losses, gains = rng.choice([0.02, 0.1, 0.25], 2)
                error = float(rng.choice([0.02, 0.05, 0.1, 0.2, 0.4]))
                sizes = int(rng.integers(2, 7)), int(rng.integers(2, 4))
                return cls(items, float(losses), float(gains), error, *sizes, grouping, weights)

    def truth(self) -> dict[str, float]:
        return {
            "replace advantage": self.losses - self.gains,
            "replace share won": 1 - self.losses,
            "route bound": self.error,
            "rank differences": 0.0,
            "standing of scores": 0.0,
        }

    def sample(self, rng: Rng) -> Mapping[str, Ends]:
        code = self.grouping.codes(self.items, rng)
        return {
            **self._replace(code, rng),
            "route bound": self._route(code, rng),
            "rank differences": self._rank(code, rng),
            "standing of scores": self._standing(code, rng),
        }

    def _replace(self, code: Ints, rng: Rng) -> dict[str, Ends]:
        shares = np.array([self.losses, self.gains, 1 - self.losses - self.gains])
        chance = np.broadcast_to(shares, (self.items, 3))
        if self.grouping.clusters and self.grouping.correlation:
            more = 1 / self.grouping.correlation - 1
            chance = rng.dirichlet(shares * more, int(code.max()) + 1)[code]
        kind = (rng.random(self.items)[:, None] > chance.cumsum(1)).sum(1)
        d = np.where(kind == 0, 1.0, np.where(kind == 1, -1.0, 0.0))
        near = SimpleNamespace(
            person=np.zeros(self.items, np.int64),
            unit=np.arange(self.items),
            judge_wins=(d <= 0).astype(float),
        )
        won = _probability(near, np.ones(self.items, bool), SimpleNamespace(cluster=code), LEVEL)  # type: ignore[arg-type]
        interval = won.interval
        return {
            "replace advantage": differences_of(d, code).interval(LEVEL),
            "replace share won": None if interval is None else (interval.low, interval.high),
        }

    def _route(self, code: Ints, rng: Rng) -> Ends:
        wrong = self.grouping.happens(self.error, code, rng).astype(float)
        weight = rng.lognormal(0, self.weights, self.items)
        cluster = code if self.grouping.clusters else None
        steps = steps_of(np.ones(self.items), wrong, cluster, weight, 1 - LEVEL)
        return 0.0, float(steps.upper[-1])

    def _rank(self, code: Ints, rng: Rng) -> Ends:
        scores = self.grouping.noise(code, rng, self.systems).T
        clusters = int(code.max()) + 1
        weights = np.concatenate(list(multiplicities(np.ones(clusters, np.int64), RESAMPLES, rng)))
        found = differences(
            scores.mean(0),
            mean_scores(scores, weights, code),
            confidence_level=LEVEL,
            n_clusters=clusters,
            worth=float(worth_in_equal_clusters(np.bincount(code).astype(float))),
        )
        # 0 is held when every interval holds 0.
        missed = float(found.above.any())
        return missed, missed + 2 * float(np.median(found.half[np.isfinite(found.half)]))

    def _standing(self, code: Ints, rng: Rng) -> Ends:
        noise = self.grouping.noise(code, rng, 1 + self.judges)
        people, judge = noise[0], 0.6 * noise[0] + 0.8 * noise[1:]
        pairs = SimpleNamespace(
            judges=tuple(map(str, range(self.judges))), people=people, judge=judge, cluster=code
        )
        found = standing_of_scores(pairs, Draw(RESAMPLES, 1, LEVEL))  # type: ignore[arg-type]
        ends = [one.interval for one in found.differences.values()]
        if any(one is None for one in ends):
            return None
        missed = float(any(one is not None and not one.low <= 0 <= one.high for one in ends))
        return missed, missed + float(np.mean([one.high - one.low for one in ends if one]))


@dataclass(frozen=True)
class ItemAccuracy:
    """`rank`'s item accuracy: comparisons of some systems on each prompt, errors by prompts."""

    prompts: int
    systems: int
    accuracy: float
    correlation: float

    @classmethod
    def drawn(cls, rng: Rng, ranges: Ranges) -> ItemAccuracy:
        prompts = int(np.exp(rng.uniform(np.log(12), np.log(200))))
        accuracy = float(rng.choice([0.7, 0.85, 0.93, 0.97, 0.99]))
        correlation = float(rng.choice([0.0, 0.1, 0.3, 0.5]))
        return cls(prompts, int(rng.integers(2, 11)), accuracy, correlation)

    @property
    def grouping(self) -> Grouping:
        return Grouping(self.prompts, correlation=self.correlation)

    def truth(self) -> dict[str, float]:
        return {"item accuracy": self.accuracy}

    def sample(self, rng: Rng) -> Mapping[str, Ends]:
        pairs = self.systems * (self.systems - 1) // 2
        code = np.repeat(np.arange(self.prompts), pairs)
        right = self.grouping.happens(self.accuracy, code, rng)
        agreed = np.bincount(code, right, self.prompts)
        draw = PromptDraw(np.ones((1, self.prompts), np.int64), self.prompts, LEVEL)
        found = ItemAgreement(agreed, np.full(self.prompts, float(pairs))).interval(draw)
        return {"item accuracy": (found.low, found.high)}
