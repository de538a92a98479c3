"""Rates of new items that a passport's labels correct (`certify`): a family of `coverage_probe`.

The passport's labelled items and the new ones are different items, lone or in clusters of their own
(equal, heavy-tailed or one giant), with rates of their own. The judge calls a positive positive,
and a negative negative, as often in both; errors of one cluster are alike. The rate of the new
items is that of `estimate` with a passport, made as the verb makes it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np
from coverage_estimate import sample_from
from numpy.typing import NDArray
from probe_groups import Grouping, Ranges

from goldassay.questions.estimate.binary import corrected
from goldassay.questions.estimate.design import drawing
from goldassay.questions.estimate.estimators import Settings, headline
from goldassay.questions.estimate.sample import Sample
from goldassay.results import Estimate

Ints = NDArray[np.int64]
Rng = np.random.Generator
Ends = tuple[float, float] | None


def rate_of_new(sample: Sample) -> Ends:
    """The interval of the new items' rate."""
    how = drawing("separate", apart=True)
    found = corrected(headline(how), sample, how, Settings())
    if not isinstance(found, Estimate) or found.interval is None:
        return None
    return found.interval.low, found.interval.high


@dataclass(frozen=True)
class LentRates:
    """A rate by labels of other items."""

    labelled: int
    new: int
    rates: tuple[float, float]
    #: Sensitivity and specificity.
    right: tuple[float, float]
    grouping: Grouping = field(default_factory=Grouping)

    @classmethod
    def drawn(cls, rng: Rng, ranges: Ranges) -> LentRates:
        while True:
            labelled = int(np.exp(rng.uniform(np.log(40), np.log(500))))
            new = int(np.exp(rng.uniform(np.log(60), np.log(2000))))
            grouping = ranges.grouping(rng)
            rates = rng.choice([0.03, 0.1, 0.3, 0.5, 0.8], 2)
            few = labelled * min(rates[0], 1 - rates[0]) < 4
            if not few and min(labelled, new) >= 2 * grouping.clusters:
                right = tuple(map(float, rng.choice([0.7, 0.85, 0.95, 0.99], 2)))
                return cls(labelled, new, (float(rates[0]), float(rates[1])), right, grouping)

    def truth(self) -> dict[str, float]:
        return {"lent rate": self.rates[1]}

    def both(self, rng: Rng) -> Sample:
        """The passport's labelled items and the new ones."""
        parts = [self._part(n, rate, rng) for n, rate in zip(self.sizes, self.rates, strict=True)]
        (code, label, verdict), (other, _, said) = parts
        cluster = np.concatenate([code, other + int(code.max()) + 1])
        row = np.concatenate([label, np.full(len(other), 2)])
        both = np.concatenate([verdict, said])
        sample = sample_from(cluster, np.zeros(len(row), np.int64), row, both, 2)
        return replace(sample, apart=True, groups=("all",))

    def sample(self, rng: Rng) -> Iterator[tuple[str, Ends]]:
        yield "lent rate", rate_of_new(self.both(rng))

    @property
    def sizes(self) -> tuple[int, int]:
        return self.labelled, self.new

    def codes(self, number: int, rng: Rng) -> Ints:
        """The cluster of each item."""
        return self.grouping.codes(number, rng)

    def _part(self, number: int, rate: float, rng: Rng) -> tuple[Ints, Ints, Ints]:
        code = self.codes(number, rng)
        label = self.grouping.happens(rate, code, rng)
        yes, no = (self.grouping.happens(one, code, rng) for one in self.right)
        return code, label.astype(np.int64), np.where(label, yes, ~no).astype(np.int64)
