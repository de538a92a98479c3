"""The estimate as labels arrive: what it would have been after each of the first units labelled.

A binary task gives the true rate behind a judge's rate (the stratified estimate of `prevalence`,
which is valid for units labelled in random order or as `plan` allocates them); any other task gives
how often judge and people say the same. Both come from small counts, for all moments at once.

The interval is valid for a number of labels that was fixed beforehand. Stopping at the moment when
it looks good makes it too short; the page says so. With `Settings.anytime` it is a band that holds
at all moments at once (`inference/sequential.py`), longer, and one may stop whenever one likes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.agreement import cohen_kappa
from goldassay.formulas.rates import stratified
from goldassay.frozen import dataclass
from goldassay.inference.proportions import binomial
from goldassay.inference.rates import stratified_limits
from goldassay.inference.sequential import anytime_limits, anytime_stratified_limits
from goldassay.web.compare import relation
from goldassay.web.desk import Desk
from goldassay.web.reference import mode

__all__ = ["Need", "Pair", "Trace", "pairs", "trace"]

MOMENTS = 60
#: Below this many labelled units an interval says nothing worth a look.
FEWEST = 2

Array = NDArray[np.float64]
Counts = NDArray[np.int64]
Limits = tuple[Array, Array]


@dataclass(frozen=True, slots=True)
class Need:
    """Labelled units at which the interval should be as short as wanted, if the rest is like the
    first; None when even all units together will not do, with the length that they would give."""

    units: int | None
    shortest: float


@dataclass(frozen=True)
class Trace:
    """The estimate at several moments; the last is now. `labels` counts labelled units."""

    name: str
    judge: str
    labels: tuple[int, ...]
    value: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    method: str
    confidence_level: float
    need: Need | None = None
    #: Labelled units on which as many people say one thing as another.
    divided: int = 0

    @property
    def length(self) -> float:
        return self.high[-1] - self.low[-1]


def trace(desk: Desk, judge: str, *, moments: int = MOMENTS) -> Trace | None:
    """How the estimate for a judge came to be, or None when there is nothing to estimate from."""
    return (_rate if desk.task.scale == "binary" else _agreement)(desk, judge, moments)


def _rate(desk: Desk, judge: str, moments: int) -> Trace | None:
    """The true rate of the positive option among all units that the judge has seen."""
    task = desk.task
    verdicts = desk.cases.answers(judge)
    counts = Counter(verdicts.values())
    names = sorted(counts)
    pool = np.array([counts[name] for name in names])
    seen: list[tuple[int, bool]] = []
    divided = 0
    for key in _labelled_in_order(desk):
        said = [one.value for one in desk.speaking(key) if one.status == "rated"]
        reference = mode(said)
        divided += bool(said) and reference is None
        if reference in task.options and key in verdicts:
            seen.append((names.index(verdicts[key]), reference == task.positive))
    if len(seen) < FEWEST:
        return None
    codes, positive = np.array(seen).T
    each = codes[:, None] == np.arange(len(names))
    labelled, positives = each.cumsum(0), (each & positive.astype(bool)[:, None]).cumsum(0)
    at = _moments(len(seen), moments)
    level = task.confidence_level
    limits = anytime_stratified_limits if desk.settings.anytime else stratified_limits
    low, high = limits(pool, positives[at - 1], labelled[at - 1], confidence_level=level)

    def ahead(times: Array) -> Limits:
        more = np.minimum(times[:, None] * labelled[-1], pool)
        share = positives[-1] / np.maximum(labelled[-1], 1)
        return limits(pool, more * share, more, confidence_level=level)

    return Trace(
        "prevalence",
        judge,
        tuple(at.tolist()),
        tuple(stratified(pool, positives[at - 1], labelled[at - 1]).tolist()),
        tuple(low.tolist()),
        tuple(high.tolist()),
        "at all moments at once, by verdict" if desk.settings.anytime else "stratified by verdict",
        level,
        _need(desk, len(seen), int(pool.sum()), ahead),
        divided,
    )


def _agreement(desk: Desk, judge: str, moments: int) -> Trace | None:
    """How often judge and people say the same, of the units on which both said something."""
    outcomes = []
    divided = 0
    for key in _labelled_in_order(desk):
        verdicts = [one for one in desk.cases.verdicts.get(key, ()) if one.judge == judge]
        stand, _ = relation(verdicts, desk.speaking(key), desk.task)
        divided += stand == "divided"
        if stand in ("same", "differ"):
            outcomes.append(stand == "same")
    if len(outcomes) < FEWEST:
        return None
    at = _moments(len(outcomes), moments)
    same = np.cumsum(outcomes)[at - 1]
    level = desk.task.confidence_level
    limits = anytime_limits if desk.settings.anytime else binomial
    low, high = limits(same, at, confidence_level=level)

    def ahead(times: Array) -> Limits:
        return limits(times * same[-1], times * at[-1], confidence_level=level)

    return Trace(
        "agreement",
        judge,
        tuple(at.tolist()),
        tuple((same / at).tolist()),
        tuple(low.tolist()),
        tuple(high.tolist()),
        "at all moments at once" if desk.settings.anytime else "hedged binomial",
        level,
        _need(desk, len(outcomes), len(desk.cases.units), ahead),
        divided,
    )


def _need(desk: Desk, now: int, most: int, ahead: Callable[[Array], Limits]) -> Need | None:
    target = desk.settings.target
    if target is None:
        return None
    units = np.unique(np.geomspace(now, max(most, now), 400).round())
    low, high = ahead(units / now)
    enough = np.flatnonzero(high - low <= target)
    return Need(int(units[enough[0]]) if len(enough) else None, float(high[-1] - low[-1]))


def _labelled_in_order(desk: Desk) -> list[str]:
    """Units with a person's rating: the table's own first, then in the order of their labels."""
    first = dict.fromkeys(desk.labelled())
    return [*(key for key in desk.cases.people if key not in first), *first]


def _moments(last: int, moments: int) -> Counts:
    return np.unique(np.linspace(min(FEWEST, last), last, moments).round().astype(np.int64))


@dataclass(frozen=True, slots=True)
class Pair:
    """Two people: units that both rated, how many alike, and kappa (None when undefined)."""

    first: str
    second: str
    common: int
    same: int
    kappa: float | None


def pairs(desk: Desk, *, most: int = 50) -> list[Pair]:
    """Agreement of every two people on the units that both rated, most in common first."""
    said: dict[str, dict[str, str]] = {}
    for key, given in desk.people_by_unit().items():
        for one in given:
            if one.status == "rated":
                said.setdefault(one.rater, {})[f"{key} {one.elicitation}"] = one.value
    names = sorted(said, key=lambda name: (-len(said[name]), name))[: most // 2]
    found = [
        pair
        for i, first in enumerate(names)
        for second in names[i + 1 :]
        if (pair := _pair(desk.task.options, first, second, said)) is not None
    ]
    return sorted(found, key=lambda pair: (-pair.common, pair.first, pair.second))[:most]


def _pair(
    options: tuple[str, ...], first: str, second: str, said: dict[str, dict[str, str]]
) -> Pair | None:
    common = said[first].keys() & said[second].keys()
    if not common:
        return None
    answers = [(said[first][key], said[second][key]) for key in common]
    same = sum(one == other for one, other in answers)
    kappa: float | None = None
    if all(one in options and other in options for one, other in answers):
        counts = np.zeros((len(options), len(options)))
        for one, other in answers:
            counts[options.index(one), options.index(other)] += 1
        value = float(cohen_kappa(counts))
        kappa = None if np.isnan(value) else value
    return Pair(min(first, second), max(first, second), len(common), same, kappa)
