"""A judge asked several times: how much of its disagreement is noise, and how often to ask.

For a verdict drawn from p over the options and a reference y, the expected disagreement splits
exactly: P(v != y) = 1/2 |p - y|^2 + 1/2 (1 - |p|^2). The first part is the judge's opinion, which
more samples do not change; the second is noise, half the chance that two samples differ.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from goldassay.counts import Units
from goldassay.formulas.agreement import accuracy
from goldassay.frozen import dataclass
from goldassay.inference.draw import Draw
from goldassay.questions.agree.abstention import rate
from goldassay.questions.agree.modes import Mode, resolved
from goldassay.results import Estimate, Result, Undefined

__all__ = ["WORTH", "MajorityCurve", "Repeats", "repeats"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

ORDERS = 40  # random orders of the samples, to average over which come first
WORTH = 0.005  # half a point of accuracy is worth another sample


@dataclass(frozen=True)
class MajorityCurve:
    """Accuracy of the majority of 1, 2, ... samples, and how many of them are worth paying for."""

    accuracy: Floats
    #: Items on which the majority decides, on average over the orders of the samples.
    decided: Floats
    enough: int


@dataclass(frozen=True)
class Repeats:
    """Consistency and noise of a judge's repeats; no curve where a unit is never decided."""

    results: tuple[Result, ...]
    curve: MajorityCurve | None = None


def repeats(units: Units, verdict: Ints, mode: Mode, draw: Draw) -> Repeats:
    """Self-consistency, noise and the worth of more samples, from verdicts [P, S], S > 1."""
    size = len(units.options)
    votes = np.stack([(verdict == k).sum(1) for k in range(size)], 1).astype(float)
    m = votes.sum(1)
    several = m > 1
    pairs = m * (m - 1)
    same = np.where(several, (votes * (votes - 1)).sum(1) / np.maximum(pairs, 1), 0.0)
    base = several.astype(float)
    consistency = rate(units, "self_consistency", same, base, draw)
    results: list[Result] = [consistency]
    if isinstance(consistency, Undefined):
        return Repeats((Undefined("self_consistency", "no unit was sampled twice", 0),))
    unanimous = rate(units, "unanimous_rate", (same == 1) * base, base, draw)
    results.append(unanimous)
    if units.task.scale in ("binary", "ordinal"):
        results.append(_variance(units, votes, base, draw))
    noise = (1 - same) / 2 * base
    results.append(_noise_share(units, verdict, noise, several, mode, draw))
    return Repeats(tuple(results), _curve(units, verdict, mode, draw))


def _variance(units: Units, votes: Floats, base: Floats, draw: Draw) -> Result:
    """The mean variance of the options' positions within a unit.

    As a share of the largest variance that there can be, that of samples at both ends, it has the
    interval of a share.
    """
    m, at = votes.sum(1), np.arange(votes.shape[1])
    mean = (votes @ at) / np.maximum(m, 1)
    spread = (votes * (at[None, :] - mean[:, None]) ** 2).sum(1) * base
    largest = (len(at) - 1) ** 2 / 2
    found = rate(units, "within_item_variance", spread / np.maximum(m - 1, 1) / largest, base, draw)
    if not isinstance(found, Estimate):
        return found
    interval = found.interval
    if interval is not None:
        interval = replace(interval, low=interval.low * largest, high=interval.high * largest)
    declared = {**found.declared, "unit": "positions of the options"}
    return replace(found, value=found.value * largest, interval=interval, declared=declared)


def _noise_share(
    units: Units,
    verdict: Ints,
    noise: Floats,
    several: npt.NDArray[np.bool_],
    mode: Mode,
    draw: Draw,
) -> Result:
    """How much of a single sample's disagreement with people is noise, over units asked twice."""
    tables = resolved(units, verdict, mode)
    decided = tables.sizes
    used = several & (decided > 0)
    wrong = 1 - tables.hits / np.maximum(decided, 1e-300)
    n_items = int(units.n[used].sum())
    # Rounding must not leave a unit more noise than error.
    found = rate(units, "noise_share", np.minimum(noise, wrong) * used, wrong * used, draw)
    if not isinstance(found, Estimate):
        return Undefined("noise_share", "the judge never disagrees with people", n_items)
    error = float((wrong * units.n)[used].sum() / n_items)
    return replace(found, n_items=n_items, declared={**found.declared, "error": error})


def _commonest(verdict: Ints, size: int) -> Ints:
    """The commonest options of the samples, as columns that share the unit; -1 beyond them."""
    votes = np.stack([(verdict == k).sum(1) for k in range(size)], 1)
    best = votes.max(1, keepdims=True)
    return np.where((votes == best) & (best > 0), np.arange(size), -1)


def _curve(units: Units, verdict: Ints, mode: Mode, draw: Draw) -> MajorityCurve | None:
    """Accuracy of the majority of the first s samples, over random orders of the samples."""
    samples, size = verdict.shape[1], len(units.options)
    rng = np.random.default_rng(draw.seed)
    scores = np.zeros(samples)
    decided = np.zeros(samples)
    orders = [rng.permutation(samples) for _ in range(ORDERS)]
    if samples <= 2:
        orders = [np.arange(samples), np.arange(samples)[::-1]][: max(samples, 1)]
    for order in orders:
        for s in range(1, samples + 1):
            tables = resolved(units, _commonest(verdict[:, order[:s]], size), mode)
            total = tables.total
            if total.sum() > 0:
                scores[s - 1] += float(accuracy(total)) / len(orders)
                decided[s - 1] += float(total.sum()) / len(orders)
    if not decided.all():
        return None
    enough = int(np.flatnonzero(scores >= scores.max() - WORTH)[0]) + 1
    return MajorityCurve(scores, decided, enough)
