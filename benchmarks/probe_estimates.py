"""Corrected rates and means in clusters, on random settings: families of `coverage_probe`.

Rates of systems that answer the same items, with the labels that `estimate` takes by itself (own
or shared), rates of three to five options, and means of scores. Items come in clusters that have a
rate of their own; a share of the items is labelled, or of the clusters as a whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from coverage_estimate import labelled_of, sample_from
from numpy.typing import NDArray
from probe_groups import Grouping, Ranges

from goldassay.counts import PairedScores
from goldassay.formulas.compiled import ndtri
from goldassay.inference.clusters import effective_clusters, student_quantiles
from goldassay.questions.estimate import linear
from goldassay.questions.estimate.classes import option_rates
from goldassay.questions.estimate.design import drawing
from goldassay.questions.estimate.estimators import Settings, headline
from goldassay.questions.estimate.sample import Sample
from goldassay.questions.estimate.scores import study_scores
from goldassay.questions.estimate.subject import Subject
from goldassay.questions.estimate.systems import functional, system_rates
from goldassay.ratings.task import Task
from goldassay.results import Estimate, Result

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Rng = np.random.Generator
Ends = tuple[float, float] | None


def _apart(result: Result, truth: float) -> Ends:
    """The ends of an interval less the truth."""
    if not isinstance(result, Estimate) or result.interval is None:
        return None
    return result.interval.low - truth, result.interval.high - truth


@dataclass(frozen=True)
class Labelling:
    """Items, clusters and which of them are labelled."""

    items: int
    share: float
    whole: bool
    grouping: Grouping = field(default_factory=Grouping)

    @classmethod
    def drawn(cls, rng: Rng, ranges: Ranges, least: int) -> Labelling:
        while True:
            items = int(np.exp(rng.uniform(np.log(100), np.log(1500))))
            share = float(rng.choice([0.1, 0.25, 0.5]))
            grouping = ranges.grouping(rng)
            whole = bool(grouping.clusters and rng.random() < 0.5)
            few = whole and share * grouping.clusters < 6
            if items * share >= least and items >= 2 * grouping.clusters and not few:
                return cls(items, share, whole, grouping)

    def codes(self, rng: Rng) -> Ints:
        return self.grouping.codes(self.items, rng)


@dataclass(frozen=True)
class Systems:
    """Two to five systems on the same items; the judge errs alike on all of them."""

    labelling: Labelling
    rates: tuple[float, ...]
    judge: tuple[float, float]
    shared: bool

    @classmethod
    def drawn(cls, rng: Rng, ranges: Ranges) -> Systems:
        labelling = Labelling.drawn(rng, ranges, 20)
        rates = rng.uniform(0.08, 0.92, int(rng.integers(2, 6)))
        judge = float(rng.choice([0.75, 0.85, 0.95])), float(rng.choice([0.02, 0.1, 0.25]))
        return cls(labelling, tuple(map(float, rates)), judge, bool(rng.integers(2)))

    @property
    def grouping(self) -> Grouping:
        return self.labelling.grouping

    def truth(self) -> dict[str, float]:
        return {}  # ends are told from it

    def sample(self, rng: Rng) -> Iterator[tuple[str, Ends]]:
        code, size = self.labelling.codes(rng), len(self.rates)
        # A normal score of each answer, partly that of its cluster, partly that of its prompt.
        ease = self.grouping.noise(code, rng)[0][:, None]
        own = rng.standard_normal((len(code), size))
        label = np.sqrt(0.6) * ease + np.sqrt(0.4) * own < ndtri(np.array(self.rates))
        verdict = (rng.random(label.shape) < np.where(label, *self.judge)).astype(np.int64)
        known = labelled_of(rng, code, self.labelling.share, whole=self.labelling.whole)
        row = np.where(known[:, None], label, 2).reshape(-1)
        item, system = (index.reshape(-1) for index in np.indices(label.shape))
        cluster = code[item] if self.grouping.clusters else item
        sample = sample_from(cluster, system, row, verdict.reshape(-1), 2)
        design = drawing("random", apart=False)
        found = system_rates(sample, design, shared=self.shared, confidence_level=0.95)
        assert found is not None
        for rate, truth in zip(found.rates, self.rates, strict=True):
            yield "rate of a system", _apart(rate, truth)
        if self.grouping.clusters and not found.board.shared:
            ends = _cluster_t(sample, functional(headline(design), design, shared=False))
            for rate, own, truth in zip(found.rates, ends, self.rates, strict=True):
                yield "own labels", _apart(rate, truth)
                yield "own labels, Student's t over clusters", tuple(own - truth)
        held, length = True, 0.0
        for gap, one in zip(found.differences, found.board.differences, strict=True):
            truth = self.rates[int(one.first[1:])] - self.rates[int(one.second[1:])]
            low, high = _apart(gap, truth) or (-1.0, 1.0)
            held, length = held and low <= 0 <= high, length + high - low
        # The worst pair stands for all: 0 is held when every interval holds its difference.
        yield "all differences", (0.0 if held else 1.0, length / max(len(found.differences), 1))


def _cluster_t(sample: Sample, rates: linear.Functional) -> Floats:
    """Each group's rate plus and minus Student's t times its error over clusters, [G, 2].

    A named candidate: a cluster's influence is divided by the root of the labels that it leaves to
    others (as CR2 divides residuals), degrees of freedom are the effective labelled clusters less
    one, and limits are cut to 0 and 1.
    """
    times = sample.multiplicity
    labelled = sample.cells[:, :, :-1].sum((2, 3))
    share = labelled / np.maximum(times @ labelled, 1e-300)
    moved = np.nan_to_num(linear.influence(sample.cells, times, rates))
    error = np.sqrt(times @ (moved**2 / np.maximum(1 - share, linear.LEAST_LEFT)))
    degrees = np.maximum(effective_clusters(labelled, times) - 1, 1.0)
    value, half = rates(sample.total[None])[0], student_quantiles(degrees, 0.975) * error
    return np.clip(np.stack([value - half, value + half], axis=-1), 0.0, 1.0)


@dataclass(frozen=True)
class SharedLabels:
    """Three to six systems with few labels that they share; the judge is near chance, or not.

    `better` is q - f. Differences by how far that is from 0, all at once and each by itself.
    """

    items: int
    labels: int
    rates: tuple[float, ...]
    better: float

    @classmethod
    def drawn(cls, rng: Rng, ranges: Ranges) -> SharedLabels:
        labels, size = int(rng.choice([5, 8, 12, 20])), int(rng.integers(3, 7))
        better = float(rng.choice([0.0, 0.1, 0.25, 0.5, 0.8]))
        rates = np.round(rng.uniform(0.2, 0.8, size), 2)
        return cls(int(rng.choice([100, 300])), labels, tuple(map(float, rates)), better)

    @property
    def grouping(self) -> Grouping:
        return Grouping()

    def truth(self) -> dict[str, float]:
        return {}

    def sample(self, rng: Rng) -> Iterator[tuple[str, Ends]]:
        shape = (self.items, len(self.rates))
        label = rng.random(shape) < self.rates
        chance = np.where(label, 0.5 + self.better / 2, 0.5 - self.better / 2)
        verdict = (rng.random(shape) < chance).astype(np.int64)
        row = np.where(np.arange(self.items)[:, None] < self.labels, label, 2).reshape(-1)
        item, system = (index.reshape(-1) for index in np.indices(shape))
        sample = sample_from(item, system, row, verdict.reshape(-1), 2)
        found = system_rates(
            sample, drawing("random", apart=False), shared=True, confidence_level=0.95
        )
        assert found is not None
        where = f"q - f = {self.better:g}"
        if not found.differences:  # q <= f among the labels: no rate, and no difference
            return
        held, length = True, 0.0
        for gap, one in zip(found.differences, found.board.differences, strict=True):
            truth = self.rates[int(one.first[1:])] - self.rates[int(one.second[1:])]
            low, high = _apart(gap, truth) or (-1.0, 1.0)
            held, length = held and low <= 0 <= high, length + high - low
            yield f"{where}: a difference", (low, high)
        missed = float(not held)
        yield f"{where}: all differences", (missed, missed + length / len(found.differences))


@dataclass(frozen=True)
class OptionRates:
    """Three to five options, some rare, whose rates differ between clusters."""

    labelling: Labelling
    shares: tuple[float, ...]
    right: float
    declared: str | None
    ordinal: bool

    @classmethod
    def drawn(cls, rng: Rng, ranges: Ranges) -> OptionRates:
        size = int(rng.integers(3, 6))
        shares = np.maximum(rng.dirichlet(np.full(size, float(rng.choice([0.8, 3.0])))), 0.02)
        labelling = Labelling.drawn(rng, ranges, 30)
        right = float(rng.choice([0.6, 0.8, 0.93]))
        declared = ("random", None)[int(rng.integers(2))]
        shares /= shares.sum()
        return cls(labelling, tuple(map(float, shares)), right, declared, bool(rng.random() < 0.5))

    @property
    def grouping(self) -> Grouping:
        return self.labelling.grouping

    def truth(self) -> dict[str, float]:
        return {}

    def labels(self, code: Ints, rng: Rng) -> Ints:
        """Cut from a normal score (grades), or each cluster has shares of its own."""
        shares, part = np.array(self.shares), self.grouping.correlation
        if self.ordinal:
            edges = ndtri(shares.cumsum()[:-1])
            return np.digitize(self.grouping.noise(code, rng)[0], edges)
        if not (self.grouping.clusters and part):
            return rng.choice(len(shares), len(code), p=shares)
        own = rng.dirichlet(shares * (1 / part - 1), int(code.max()) + 1)
        return (
            (rng.random(len(code))[:, None] > own[code].cumsum(1)).sum(1).clip(0, len(shares) - 1)
        )

    def sample(self, rng: Rng) -> Iterator[tuple[str, Ends]]:
        code, size = self.labelling.codes(rng), len(self.shares)
        label = self.labels(code, rng)
        other = (label + rng.integers(1, size, len(label))) % size
        verdict = np.where(rng.random(len(label)) < self.right, label, other)
        known = labelled_of(rng, code, self.labelling.share, whole=self.labelling.whole)
        row = np.where(known, label, size)
        cluster = code if self.grouping.clusters else np.arange(len(code))
        sample = sample_from(cluster, np.zeros(len(code), np.int64), row, verdict, size)
        found = option_rates(
            Subject("j"), sample, drawing(self.declared, apart=False), Settings(), ordinal=True
        )
        rarest, commonest = int(np.argmin(self.shares)), int(np.argmax(self.shares))
        yield "rate of the rarest", _apart(found.rates[rarest], self.shares[rarest])
        yield "rate of the commonest", _apart(found.rates[commonest], self.shares[commonest])
        for rate, truth in zip(found.rates, self.shares, strict=True):
            yield "rate of an option", _apart(rate, truth)
        mean = float(np.array(self.shares) @ np.arange(1, size + 1))
        if found.mean is not None:
            yield "mean of the options", _apart(found.mean, mean)


@dataclass(frozen=True)
class Ceilings(OptionRates):
    """Grades most of which are the best one (or the worst), labels drawn at random."""

    @classmethod
    def drawn(cls, rng: Rng, ranges: Ranges) -> Ceilings:
        most = float(rng.uniform(0.6, 0.85))
        rest = np.sort(np.maximum(rng.dirichlet(np.ones(int(rng.integers(2, 5)))), 0.05))
        shares = np.append(rest * (1 - most) / rest.sum(), most)[:: int(rng.choice([-1, 1]))]
        labelling = Labelling.drawn(rng, ranges, 30)
        right = float(rng.choice([0.6, 0.8, 0.93]))
        return cls(labelling, tuple(map(float, shares)), right, "random", bool(rng.random() < 0.5))


@dataclass(frozen=True)
class MeanScores:
    """Scores of people, of some shape; the judge adds noise, some of it shared by a cluster."""

    labelling: Labelling
    shape: str
    noise: float

    @classmethod
    def drawn(cls, rng: Rng, ranges: Ranges) -> MeanScores:
        labelling = Labelling.drawn(rng, ranges, 30)
        shape = str(rng.choice(["normal", "five", "skewed", "rare"]))
        return cls(labelling, shape, float(rng.choice([0.2, 0.8, 2.0])))

    @property
    def grouping(self) -> Grouping:
        return self.labelling.grouping

    def truth(self) -> dict[str, float]:
        rng = np.random.default_rng(4)
        return {"mean score": float(np.mean(self._shaped(rng.standard_normal(2_000_000))))}

    def _shaped(self, x: Floats) -> Floats:
        if self.shape == "five":
            return np.clip(np.round(1.2 * x + 3.6), 1, 5)
        if self.shape == "rare":  # 0 or 1
            return (x > 1.7).astype(float)
        return np.exp(0.5 * x) if self.shape == "skewed" else x

    def sample(self, rng: Rng) -> Iterator[tuple[str, Ends]]:
        code = self.labelling.codes(rng)
        score, noise = self.grouping.noise(code, rng, 2)
        people = self._shaped(score)
        judge = people + self.noise * people.std() * noise + 0.3
        known = labelled_of(rng, code, self.labelling.share, whole=self.labelling.whole)
        cluster = code if self.grouping.clusters else np.arange(len(code))
        pairs = PairedScores(
            units=tuple((str(i),) for i in range(len(code))),
            item=np.arange(len(code)),
            cluster=cluster,
            n_clusters=int(cluster.max()) + 1,
            by={},
            judges=("j",),
            judge=judge[None],
            repeats=np.ones((1, len(code))),
            variance=np.full((1, len(code)), np.nan),
            people=np.where(known, people, np.nan),
            human_unit=np.flatnonzero(known),
            human_score=people[known],
            humans=1,
        )
        (found,) = study_scores(pairs, Task(scale="continuous", calibration="random")).means
        yield "mean score", _apart(found.mean, 0.0)
