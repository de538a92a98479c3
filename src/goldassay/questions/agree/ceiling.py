"""People's own agreement, the ceiling against which a judge is read, on equal terms with it.

A judge is held against one person at a time, and a person against another, on the same items and
with the same rule for ties and abstentions; each item counts once. (Against people's majority a
judge agrees more than against any one of them, as a person would.)

A rater who saw only items on which the others differ (an adjudicator) says nothing of how far
people agree in general: pairs with such a rater are left out of people's agreement and of this
comparison, and the rater is named.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from goldassay.counts import Units, column_shares, reference_weights
from goldassay.formulas.agreement import ratio
from goldassay.frozen import dataclass
from goldassay.inference.clusters import cluster_sums
from goldassay.inference.draw import Draw
from goldassay.inference.posterior import hedged_draws, hedged_interval
from goldassay.inference.selected import Selected, raters_of_selections
from goldassay.questions.agree.abstention import rate
from goldassay.questions.agree.judges import Reading
from goldassay.questions.agree.modes import Mode
from goldassay.ratings.task import Task
from goldassay.results import Estimate, Result, Undefined

__all__ = [
    "Beside",
    "beside_people",
    "credits",
    "pair_count",
    "people_ties",
    "selected_raters",
    "tie_rate_difference",
]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


def selected_raters(people: Units) -> tuple[Selected, ...]:
    """Raters who rated less than half of what others did, and items on which these differ.

    `people` are units whose verdict columns are the people.
    """
    return raters_of_selections(people.verdict, people.n, people.judges, len(people.options))


# --- on equal terms ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Beside:
    """A judge and people on the same items: with one person, people with one another, the gap."""

    judge: str
    with_a_person: Result
    of_two_people: Result
    gap: Result

    @property
    def results(self) -> tuple[Result, ...]:
        return self.with_a_person, self.of_two_people, self.gap


def credits(task: Task, mode: Mode) -> tuple[Floats, Floats]:
    """Agreement between two ratings [K + 1, K + 1], and whether a pair counts; abstained is last.

    A tie that counts half agrees by half with either side and wholly with a tie.
    """
    size = len(task.options)
    agree, counts = np.eye(size + 1), np.ones((size + 1, size + 1))
    if task.tie is not None and mode.ties != "class":
        at = task.options.index(task.tie)
        if mode.ties == "half":
            agree[at, :size] = agree[:size, at] = 0.5
            agree[at, at] = 1.0
        else:
            counts[at] = counts[:, at] = 0.0
    if mode.abstentions == "exclude":
        counts[size] = counts[:, size] = 0.0
    return agree * counts, counts


def beside_people(units: Units, judges: Sequence[str], reading: Reading) -> Mapping[str, Beside]:
    """Every judge beside people, on the units that it decides and two people rated."""
    task, mode, size = reading.task, reading.mode, len(units.options)
    agree, counts = credits(task, mode)
    people = _recoded(units.human[:, : size + 1].astype(float), units, mode)
    alone = np.diag(counts)
    pairs = np.einsum("pk,kl,pl->p", people, counts, people) - people @ alone
    same = np.einsum("pk,kl,pl->p", people, agree, people) - people @ np.diag(agree)
    found = {}
    for judge in judges:
        shares = column_shares(units.verdict[:, units.columns_of(judge)], size)
        verdict = _recoded(shares[:, : size + 1], units, mode)
        decided = np.einsum("pk,kl,pl->p", verdict, counts, people)
        hits = np.einsum("pk,kl,pl->p", verdict, agree, people)
        if mode.invalids != "exclude":
            decided += shares[:, size + 1] * (people @ alone)
        used = (pairs > 0) & (decided > 0)
        own = np.where(used, hits / np.maximum(decided, 1e-300), 0.0)
        theirs = np.where(used, same / np.maximum(pairs, 1e-300), 0.0)
        base = used.astype(float)
        found[judge] = Beside(
            judge,
            rate(units, "agreement_with_a_person", own, base, reading.draw),
            rate(units, "agreement_of_two_people", theirs, base, reading.draw),
            _gap(units, own - theirs, base, reading.draw),
        )
    return found


def _recoded(votes: Floats, units: Units, mode: Mode) -> Floats:
    if mode.abstentions != "recode" or mode.recode_to is None:
        return votes
    votes = votes.copy()
    votes[:, units.options.index(mode.recode_to)] += votes[:, -1]
    votes[:, -1] = 0.0
    return votes


def _gap(units: Units, more: Floats, base: Floats, draw: Draw) -> Result:
    """How much oftener a person agrees with the judge than with another person, paired by item."""
    reason = "no item that it decides was rated by two people"
    declared = {"less": "agreement of two people on the same items"}
    return _paired("gap_to_people", units, more, base, (reason, declared), draw)


def _paired(
    name: str,
    units: Units,
    more: Floats,
    base: Floats,
    said: tuple[str, Mapping[str, object]],
    draw: Draw,
) -> Result:
    """The mean of differences within [-1, 1] over the units of `base`, resampled by cluster."""
    reason, declared = said
    n_items = int(units.n[base > 0].sum())
    if not n_items:
        return Undefined(name, reason, 0)
    cells = np.zeros((len(more), 2, 2))
    cells[:, 0, 0], cells[:, 0, 1] = np.clip(more, 0, None), np.clip(-more, 0, None)
    cells[:, 1, 1] = base - np.abs(more)
    cluster = None if units.single else units.cluster
    stack, times = cluster_sums(cells, units.n, cluster, units.alike)
    used = stack.any((1, 2)) & (times > 0)
    stack, times = stack[used], times[used]
    clustered = bool((stack.sum((1, 2)) > 1 + 1e-9).any())
    drawn = hedged_draws(stack, times, draws=draw.draws, seed=draw.seed, clustered=clustered)

    def mean(t: Floats) -> Floats:
        return ratio(t[..., 0, 0] - t[..., 0, 1], t.sum((-1, -2)))

    value = float(mean(np.tensordot(times, stack, axes=1)))
    interval = hedged_interval(mean, drawn, value, confidence_level=draw.confidence_level)
    return Estimate(name, value, interval, n_items, drawn.n_clusters, declared)


# --- ties -------------------------------------------------------------------------------------


def people_ties(units: Units, draw: Draw) -> Result | None:
    """How often people's reference of a pair is a tie; None where a tie is no option."""
    if units.task.tie is None:
        return None
    tied, labelled = _tied_references(units)
    return rate(units, "human_tie_rate", tied, labelled, draw)


def _tied_references(units: Units) -> tuple[Floats, Floats]:
    """The tied share of each pair's reference, as a rate counts it, and whether it has one."""
    labels = reference_weights(units)[0][:, : len(units.options)]
    total = labels.sum(1)
    tied = labels[:, units.options.index(str(units.task.tie))] / np.maximum(total, 1e-300)
    return tied, (total > 0).astype(float)


def tie_rate_difference(units: Units, verdict: Ints, draw: Draw) -> list[Result]:
    """How much oftener the judge calls a tie than people do, over the units that both decide."""
    if units.task.tie is None:
        return []
    size, at = len(units.options), units.options.index(units.task.tie)
    people, labelled = _tied_references(units)
    said_by_judge = column_shares(verdict, size)[:, :size]
    decided = said_by_judge.sum(1)
    judge = said_by_judge[:, at] / np.maximum(decided, 1e-300)
    base = labelled * (decided > 0)
    said = ("no item has both a verdict and a rating", {"less": "people's rate"})
    return [_paired("tie_rate_difference", units, (judge - people) * base, base, said, draw)]


def pair_count(units: Units, counts: Ints) -> tuple[int, int]:
    """Pairs of people's ratings that count, by class [P, K], and the units that have one."""
    votes = counts.sum(1)
    pairs = votes * (votes - 1) // 2
    return int((pairs * units.n).sum()), int(units.n[pairs > 0].sum())
