"""One draw of the prompts for all judges, and the estimates that are made under it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldassay.frozen import dataclass
from goldassay.inference.bootstrap import multiplicities
from goldassay.questions.rank.carrying import carrying_of_resamples
from goldassay.questions.rank.contest import Contest
from goldassay.questions.rank.uncertainty import hedged_ends, percentile_ends
from goldassay.results import Estimate, Interval, Undefined

__all__ = ["HEDGED", "Draw", "draw_prompts"]

#: How an interval was made whose resamples have one cluster more, in short.
HEDGED = "hedged percentile"

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Draw:
    """Prompts drawn anew, by whole clusters: resample b has cluster c `weights[b, c]` times.

    All judges share it, so that differences between them are paired.
    """

    weights: NDArray[Any]
    n_prompts: int
    confidence_level: float
    #: How many clusters of one size would know their spread as well; None where they are equal.
    unequal_worth: float | None = None
    #: The weight [B] of one cluster more, which was not drawn (`hedged_ends`).
    more: Floats | None = None

    @property
    def worth(self) -> float:
        return self.n_clusters if self.unequal_worth is None else self.unequal_worth

    @property
    def n_clusters(self) -> int:
        return int(self.weights.shape[1])

    def ends(self, replicates: Floats) -> tuple[Floats, Floats]:
        """Ends of the expanded percentile interval of replicates [B, ...]; NaN for none."""
        return percentile_ends(
            replicates, confidence_level=self.confidence_level, n_clusters=self.worth
        )

    def ends_of_means(
        self,
        replicates: Floats,
        ends: tuple[float, float],
        carrying: Floats,
        part: Floats | float = 1.0,
    ) -> tuple[Floats, Floats]:
        """The same of means of scores between two ends, which prompts not drawn may have.

        `carrying` [S]: how many clusters carry the spread of each; `part` of them it is of.
        """
        assert self.more is not None, "prompts were not drawn"
        return hedged_ends(
            replicates,
            self.more[:, None] / np.clip(part, 1 / self.worth, 1.0),
            ends,
            carrying,
            confidence_level=self.confidence_level,
            n_clusters=self.worth,
        )

    def ends_of_biases(self, replicates: Floats, untied: Floats) -> tuple[Floats, Floats]:
        """Of differences [B, S] of win rates, which prompts not drawn may have from -1 to 1.

        Win rates are of the prompts that are no tie: `untied` [S] is their share.
        """
        carrying = carrying_of_resamples(replicates, self.weights)
        return self.ends_of_means(replicates, (-1.0, 1.0), carrying, untied)

    def ends_beyond_decisiveness(
        self, values: Floats, replicates: Floats, untied: Floats, modelled: Floats | None = None
    ) -> tuple[Floats, Floats]:
        """Of biases [S] beyond decisiveness: the hull of `ends_of_biases` and of these mirrored.

        Noise spreads win rates and makes a judge look decisive, so that the best systems seem to
        win too little and the worst too much; a resample adds the same noise again. Mirrored at
        the value, the ends take that back. Where decisiveness is left open, no resample has
        the true curve, and the hull is of draws by the model of two noisy orders too: `modelled`
        [n, S].
        """
        low, high = self.ends_of_biases(replicates, untied)
        low, high = np.minimum(low, 2 * values - high), np.maximum(high, 2 * values - low)
        if modelled is not None:
            ends = self.ends(modelled)
            low, high = np.fmin(low, ends[0]), np.fmax(high, ends[1])
        return np.maximum(low, -1.0), np.minimum(high, 1.0)

    def interval(self, low: float, high: float, kind: str) -> Interval | None:
        """The interval with these ends, None where they are NaN."""
        if np.isnan(low) or np.isnan(high):
            return None
        method = f"prompt bootstrap ({kind}, {len(self.weights)})"
        return Interval(float(low), float(high), self.confidence_level, method)

    def around(
        self, value: float, low: float, high: float, kind: str = "expanded percentile"
    ) -> Interval | None:
        """The interval with these ends, widened where it leaves out the value itself."""
        if np.isnan(low) or np.isnan(high):
            return None
        return self.interval(min(low, value), max(high, value), kind)

    def estimate(
        self,
        name: str,
        value: float,
        interval: Interval | None = None,
        declared: Mapping[str, Any] | None = None,
    ) -> Estimate:
        """An estimate that rests on all prompts."""
        return Estimate(name, value, interval, self.n_prompts, self.n_clusters, declared or {})

    def undefined(self, name: str, reason: str) -> Undefined:
        return Undefined(name, reason, self.n_prompts)


def draw_prompts(
    contest: Contest, *, resamples: int, confidence_level: float, rng: np.random.Generator
) -> Draw:
    """Resamples of the clusters of a contest's prompts."""
    # A byte each: all of them are held, and no cluster is drawn 256 times where all are alike.
    weights, start = np.empty((resamples, contest.n_clusters), np.uint8), 0
    for some in multiplicities(np.ones(contest.n_clusters, np.int64), resamples, rng):
        weights[start : start + len(some)] = some
        start += len(some)
    more = rng.spawn(1)[0].exponential(size=resamples)
    return Draw(weights, contest.n_prompts, confidence_level, contest.worth, more)
