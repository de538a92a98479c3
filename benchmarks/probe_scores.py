"""Scores of systems on few prompts and near the ends of their scale: a family of `coverage_probe`.

Systems answer the same prompts, which are 3 to 200, alone or in clusters. Scores are right or
wrong (rates up to .99), grades most of which are the best, parts of 1 with spikes at both ends,
normal, or equal for nearly all systems (so that most comparisons are ties). The mean and the win
rate of the best system are those of `rank`, made as the verb makes them; the mean is also counted
where its number has no warning (nearly all scores are one).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import cast

import numpy as np
from numpy.typing import NDArray
from probe_groups import Grouping, Ranges
from scipy.special import ndtr

from goldassay.questions.rank.contest import Contest
from goldassay.questions.rank.judged import Ranker, Settings
from goldassay.questions.rank.resampling import draw_prompts
from goldassay.questions.rank.systems import ranked_systems
from goldassay.results import Estimate

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Rng = np.random.Generator
Ends = tuple[float, float] | None

LEVEL, RESAMPLES, MANY = 0.95, 400, 400_000
KINDS = ("right or wrong", "grades", "spikes", "normal", "mostly ties")
#: Skewed scores: the standard deviation of their logarithms.
SKEWED = {"lognormal .5": 0.5, "lognormal .8": 0.8, "lognormal 1.1": 1.1}
SETTINGS = Settings(("mean", "win_rate"), "half", "half", 3)


@dataclass(frozen=True)
class SystemScores:
    """The mean and the win rate of the best of some systems."""

    kind: str
    prompts: int
    systems: int
    best: float
    grouping: Grouping = field(default_factory=Grouping)

    @classmethod
    def drawn(cls, rng: Rng, ranges: Ranges) -> SystemScores:
        while True:
            prompts = int(np.exp(rng.uniform(np.log(3), np.log(200))))
            grouping = ranges.grouping(rng)
            if prompts >= 2 * grouping.clusters:
                best = float(rng.choice([0.6, 0.8, 0.9, 0.97, 0.99]))
                kind = str(rng.choice(KINDS))
                return cls(kind, prompts, int(rng.integers(2, 7)), best, grouping)

    def scores(self, rng: Rng, code: Ints, grouping: Grouping) -> Floats:
        """[prompts, systems]: half of the spread is the prompt's, the best system is the first."""
        noise = grouping.noise(code, rng, self.systems + 1)
        place = ndtr(np.sqrt(0.5) * noise[:1] + np.sqrt(0.5) * noise[1:]).T  # uniform on 0 to 1
        good = np.linspace(self.best, self.best - 0.2, self.systems)
        if self.kind == "right or wrong":
            return (place < good).astype(np.float64)
        if self.kind == "grades":
            shares = np.array([0.05, 0.05, 0.1, 0.2]).cumsum() / 0.4
            return 4.0 - (place[..., None] >= 1 - (1 - good[:, None]) * shares[::-1]).sum(-1)
        if self.kind == "spikes":
            part = rng.random(place.shape)
            return np.where(place < good, 1.0, np.where(part < 0.5, 0.0, part))
        if self.kind == "normal":
            return good + (noise[:1] + noise[1:]).T
        if self.kind in SKEWED:
            log = SKEWED[self.kind] * np.sqrt(0.5) * (noise[:1] + noise[1:]).T
            return np.exp(log + good)
        same = rng.random(place.shape) < self.best
        return np.where(same, 0.5, place + good)

    def contest(self, scores: Floats, code: Ints) -> Contest:
        names = tuple(f"s{k}" for k in range(self.systems))
        rates = self.kind == "right or wrong"
        number = int(code.max()) + 1
        return Contest(("j",), names, code, number, len(code), scores[None], rates=rates)

    def truth(self) -> dict[str, float]:
        # Clusters only make prompts alike: what all of them show is what lone ones do.
        scores = self.scores(np.random.default_rng(7), np.arange(MANY), Grouping())
        own, others = scores[:, :1], scores[:, 1:]
        wins = (own > others).mean() + 0.5 * (own == others).mean()
        mean = float(own.mean())
        return {
            "system score: mean": mean,
            "system score: mean, no warning": mean,
            "system score: win rate": float(wins),
        }

    def sample(self, rng: Rng) -> Mapping[str, Ends]:
        code = self.grouping.codes(self.prompts, rng)
        contest = self.contest(self.scores(rng, code, self.grouping), code)
        draw = draw_prompts(contest, resamples=RESAMPLES, confidence_level=LEVEL, rng=rng)
        ranker = Ranker(contest, None, draw, SETTINGS)
        lines = ranked_systems(ranker, ranker.judge(0)).lines
        found: dict[str, Ends] = {}
        for by, word in (("mean", "mean"), ("win_rate", "win rate")):
            score = next(line.score for line in lines[by] if line.system == 0)
            known = isinstance(score, Estimate) and score.interval is not None
            ends = (score.interval.low, score.interval.high) if known else None
            found[f"system score: {word}"] = ends
            if by == "mean" and not score.warnings:
                found["system score: mean, no warning"] = ends
        return found


@dataclass(frozen=True)
class SkewedScores(SystemScores):
    """The same of skewed scores, and of normal ones, on a scale without known ends."""

    @classmethod
    def drawn(cls, rng: Rng, ranges: Ranges) -> SkewedScores:
        while (drawn := super().drawn(rng, ranges)).prompts > 60:
            pass
        return cast(SkewedScores, replace(drawn, kind=str(rng.choice(["normal", *SKEWED]))))
