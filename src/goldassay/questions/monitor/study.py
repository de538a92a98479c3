"""Whether anything changed, since when, and who: of every judge and criterion.

Each stream (live verdicts, anchors, errors where people labelled, what people say) has an e-process
of its own. A stream raises an alarm when its evidence reaches the number of streams over all judges
and criteria, divided by 1 - confidence level: by Ville's inequality and the union bound the chance
that any of them ever does, with nothing changed, is at most 1 - confidence level. An alarm stays.

Who it was is asked only after an alarm. Anchors are fixed and errors are the judge's own: an alarm
there is the judge; one of what people say is the systems. Where verdicts alone raise it, three
explanations (the systems, the judge, both) are weighed by what anchors and labels say at the moment
of the change, equally likely beforehand; a claim needs a probability of `CLAIM`.

That no change was found is a claim too: that no stream raised an alarm, and that a change by
`margin` in the middle of the stream is refuted. Otherwise it cannot be told.
"""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from goldassay.frozen import dataclass
from goldassay.inference.sequential import (
    Moments,
    Path,
    candidate_moments,
    change_factor,
    change_limits,
    change_path,
    joined,
    log_evidence_of_change,
    moment_fits,
    repeated_change_factor,
    repeated_moment_fits,
    repeated_path,
)
from goldassay.questions.monitor.streams import Anchors, Counted, Name, Streams
from goldassay.ratings.task import Task
from goldassay.results import Estimate, Interval, Result, Row, Undefined

__all__ = [
    "CLAIM",
    "MOST",
    "Alarm",
    "Change",
    "MonitorStudy",
    "Settings",
    "Verdict",
    "Watched",
    "study",
]

Floats = npt.NDArray[np.float64]

#: What is found of a judge: "changed" is a change of which it cannot be told whose it is.
Verdict = Literal["unchanged", "systems", "judge", "both", "changed", "unknown"]

#: The probability that a claim about who changed needs.
CLAIM = 0.9
#: By how much live items may move otherwise than anchors do, and how far systems move verdicts.
UNLIKE, USUAL = 0.02, 0.1
METHOD = "e-process, at all moments at once"
#: The least share of the spread of a rate that is left of anchors' where they hardly ever vary.
LEAST_NOISE = 0.1
#: Evidence beyond this is written as this.
MOST = 1e6


@dataclass(frozen=True)
class Settings:
    """What counts as a change worth excluding, and how many first batches are the reference."""

    margin: float = 0.1
    reference: int = 0


@dataclass(frozen=True)
class Alarm:
    """A stream's evidence now, and the batch after which it first sufficed (None: it never did)."""

    stream: Name
    evidence: float
    bound: float
    first: int | None


@dataclass(frozen=True)
class Change:
    """A rate before and after, and the change with its interval."""

    result: str
    option: str | None
    before: float
    after: float
    change: Estimate
    trials: tuple[float, float]


@dataclass(frozen=True)
class Watched:
    """One judge and criterion: the verdict, since when, and the evidence."""

    streams: Streams
    verdict: Verdict
    alarms: tuple[Alarm, ...]
    #: Batches before the change (or before the middle, where there is no alarm).
    at: int
    #: The first and last batch with which it may have begun, as places in `batches`.
    begun: tuple[int, int] | None
    changes: tuple[Change, ...]
    #: The probability that the judge, and that the systems, changed, given that something did.
    judge: float | None = None
    systems: float | None = None
    #: What is not refuted yet, where it cannot be told whether anything changed.
    open: tuple[str, ...] = ()

    @property
    def about(self) -> dict[str, str]:
        streams = self.streams
        criterion = {"criterion": streams.criterion} if streams.criterion else {}
        return {"judge": streams.judge, **criterion}

    @property
    def alarmed(self) -> tuple[Alarm, ...]:
        return tuple(one for one in self.alarms if one.first is not None)

    @property
    def batches(self) -> tuple[str, ...]:
        return self.streams.batches


@dataclass(frozen=True)
class MonitorStudy:
    """All judges and criteria, those that changed first."""

    watched: tuple[Watched, ...]
    settings: Settings
    task: Task
    #: What one verdict is about, in words: "rate of yes".
    words: str

    def rows(self) -> tuple[Row, ...]:
        found = []
        for one in self.watched:
            found.append(Row(_unchanged(one), one.about))
            for change in one.changes:
                option = {"option": change.option} if len(one.streams.verdicts) > 1 else {}
                found.append(Row(change.change, {**one.about, **option}))
            for alarm in one.alarms:
                value = min(alarm.evidence, MOST)
                declared: dict[str, Any] = {"alarm_at": round(alarm.bound, 6)}
                if alarm.first is not None:
                    declared["alarm_after"] = one.batches[alarm.first]
                result = Estimate("evidence", value, None, _size(one, alarm), declared=declared)
                found.append(Row(result, {**one.about, "stream": alarm.stream}))
        return tuple(found)


def _size(one: Watched, alarm: Alarm) -> int:
    streams = one.streams
    sizes = {"verdicts": streams.n_live, "anchors": streams.n_anchors}
    return sizes.get(alarm.stream, streams.n_labels)


def _unchanged(one: Watched) -> Result:
    n = one.streams.n_live or one.streams.n_anchors
    if one.verdict == "unknown":
        reason = "too few verdicts to exclude a change"
        return Undefined("unchanged", reason, n)
    return Estimate("unchanged", float(one.verdict == "unchanged"), None, n)


def study(streams: tuple[Streams, ...], task: Task, settings: Settings, words: str) -> MonitorStudy:
    """Every judge and criterion; the false alarms of all of them together are bounded."""
    level = 1 - task.confidence_level
    found = []
    for one in streams:
        # A judge without a single verdict (it always abstains) has no stream, and no alarm.
        number = len(streams) * max(len(_named(one)), 1)
        found.append(_watched(one, settings, level, math.log(number / level)))
    order = {"judge": 0, "systems": 1, "both": 2, "changed": 3, "unknown": 4, "unchanged": 5}
    found.sort(key=lambda one: order[one.verdict])  # stable: by name within a verdict
    return MonitorStudy(tuple(found), settings, task, words)


def _named(streams: Streams) -> list[Name]:
    """The streams that there are."""
    names: list[Name] = []
    for name in ("verdicts", "anchors", "errors", "labels"):
        parts = getattr(streams, name)
        if parts and any(one.trials.sum() > 0 for one in parts):
            names.append(name)
    return names


def _watched(streams: Streams, settings: Settings, level: float, bound: float) -> Watched:
    if len(streams.batches) < 2:  # nothing to compare with
        none = tuple(Alarm(name, 1.0, math.exp(bound), None) for name in _named(streams))
        return Watched(streams, "unknown", none, 0, None, (), open=("verdicts",))
    moments = candidate_moments(len(streams.batches), reference=settings.reference)
    paths = {name: _path(streams, name, moments) for name in _named(streams)}
    alarms = tuple(
        Alarm(name, math.exp(min(float(log_e[-1]), 700.0)), math.exp(bound), _first(log_e, bound))
        for name, log_e in paths.items()
    )
    raised: list[Name] = [one.stream for one in alarms if one.first is not None]
    if raised:
        first = min(one.first for one in alarms if one.first is not None)
        at, begun = _moment(streams, raised, settings.reference, first)
    else:
        at, begun = _middle(streams, settings.reference), None
    # A moment that the data chose is paid for; the middle is none of theirs.
    cost = -math.log(level) - (_log_weight(moments, at) if raised else 0.0)
    changes = _changes(streams, at, cost, 1 - level)
    if raised:
        judge, systems = _who(streams, raised, at)
        verdict = _verdict(judge, systems)
        return Watched(streams, verdict, alarms, at, begun, changes, judge, systems)
    unclear = _not_refuted(streams, at, settings.margin, cost)
    verdict = "unknown" if unclear else "unchanged"
    return Watched(streams, verdict, alarms, at, None, changes, open=unclear)


def _first(log_e: Floats, bound: float) -> int | None:
    above = np.flatnonzero(log_e >= bound)
    return int(above[0]) if len(above) else None


def _path(streams: Streams, name: Name, moments: Moments) -> Floats:
    """The evidence of a stream after each batch: the mean over its rates."""
    if name == "anchors":
        paths = [path for one in streams.anchors for path in _anchor_paths(one, moments)]
    else:
        parts: tuple[Counted, ...] = getattr(streams, name)
        paths = [change_path(*one.effective(), moments) for one in parts]
    return joined([one.log_e for one in paths])


def _anchor_paths(anchors: Anchors, moments: Moments) -> tuple[Path, ...]:
    """Items that flip for good, a rate of all of them that moves, verdicts that turn more often.

    The first is about each item by itself; the others about those that are judged throughout.
    """
    flips = repeated_path(anchors.hits, anchors.trials, moments)
    steady = anchors.steady
    if not len(steady):
        return (flips,)
    rate = change_path(steady.hits.sum(0), steady.trials.sum(0), moments)
    return flips, rate, change_path(*steady.turned, moments)


# --- when ---------------------------------------------------------------------------------------


def _moment(
    streams: Streams, raised: list[Name], reference: int, alarm: int
) -> tuple[int, tuple[int, int] | None]:
    """Batches before the likeliest change, and the first and last batch it may have begun with.

    As if it was one step, which began at the latest with the batch of the first alarm.
    """
    fits = np.zeros(len(streams.batches) - 1)
    for name in raised:
        if name == "anchors":
            for one in streams.anchors:
                fits = fits + repeated_moment_fits(one.hits, one.trials)
                fits = fits + moment_fits(*one.steady.turned)
        else:
            fits = fits + sum(moment_fits(*one.effective()) for one in getattr(streams, name))
    fits[: max(reference - 1, 0)] = -np.inf
    fits[alarm:] = -np.inf
    share = np.exp(fits - fits.max())
    share /= share.sum()
    order = np.argsort(-share, kind="stable")
    kept = order[: int(np.searchsorted(np.cumsum(share[order]), CLAIM)) + 1]
    return int(fits.argmax()) + 1, (int(kept.min()) + 1, int(kept.max()) + 1)


def _middle(streams: Streams, reference: int) -> int:
    """Batches before the middle of what was judged, or the reference's end."""
    if reference:
        return min(reference, len(streams.batches) - 1)
    judged = sum(one.trials for one in streams.verdicts)
    if not np.sum(judged):
        judged = sum(one.trials.sum(0) for one in streams.anchors)
    done = np.cumsum(np.asarray(judged, dtype=np.float64))
    half = int(np.searchsorted(done, done[-1] / 2)) + 1 if done[-1] > 0 else 1
    return max(min(half, len(streams.batches) - 1), 1)


def _log_weight(moments: Moments, at: int) -> float:
    """The log weight of the candidate next to a moment."""
    return float(moments.log_weight[int(np.abs(moments.at - at).argmin())])


# --- how much -----------------------------------------------------------------------------------


def _changes(streams: Streams, at: int, cost: float, confidence_level: float) -> tuple[Change, ...]:
    fixed = [*_anchor_rates(streams), *_turned_rates(streams)]
    rates = [*streams.verdicts, *fixed, *streams.errors, *streams.labels]
    rates = [one for one in rates if min(one.trials[:at].sum(), one.trials[at:].sum()) > 0]
    if not rates:
        return ()
    sides = np.array([one.split(at) for one in rates]).transpose(1, 2, 0)
    low, high = change_limits(tuple(sides[0]), tuple(sides[1]), log_bound=cost)
    found = []
    for k, one in enumerate(rates):
        before, after = sides[:, 0, k] / sides[:, 1, k]
        interval = Interval(float(low[k]), float(high[k]), confidence_level, METHOD)
        raw = float(one.trials[:at].sum()), float(one.trials[at:].sum())
        change = Estimate(f"{one.result}_change", float(after - before), interval, round(sum(raw)))
        found.append(Change(one.result, one.option, float(before), float(after), change, raw))
    return tuple(found)


def _anchor_rates(streams: Streams) -> list[Counted]:
    """The rate of verdicts on anchors, with what is left of its spread when items are fixed."""
    found = []
    for every, live in zip(streams.anchors, streams.verdicts, strict=False):  # or none
        one = every.steady
        hits, trials = one.hits.sum(0), one.trials.sum(0)
        total = one.trials.sum(1)
        noise = (one.hits.sum(1) + 0.5) / (total + 1)
        rate = hits.sum() / max(trials.sum(), 1)
        spread = float((noise * (1 - noise) * total).sum() / max(trials.sum(), 1))
        effect = min(max(spread / max(rate * (1 - rate), 1e-9), LEAST_NOISE), 1.0)
        found.append(Counted("anchor_rate", live.option, hits * 1.0, trials * 1.0, effect))
    return found


def _turned_rates(streams: Streams) -> list[Counted]:
    """How often anchors' verdicts turn against what they began with."""
    found = []
    for one in streams.anchors[:1]:
        against, later = (part.astype(np.float64) for part in one.steady.turned)
        found.append(Counted("anchors_turned", None, against, later))
    return found


def _not_refuted(streams: Streams, at: int, margin: float, cost: float) -> tuple[str, ...]:
    """Streams in which a change by the margin is not refuted; errors and labels are not asked."""
    unclear = []
    for name, rates in (("verdicts", streams.verdicts), ("anchors", _anchor_rates(streams))):
        for one in rates:
            if one.trials.sum() <= 0:
                continue
            split = one.split(at)
            least = min(
                float(log_evidence_of_change(*split, change)) for change in (margin, -margin)
            )
            if least < cost and name not in unclear:
                unclear.append(name)
    # Verdicts that are all abstentions are live, and tell nothing of a rate.
    told = any(one.trials.sum() > 0 for one in streams.verdicts)
    if not told and not any(len(one.steady) for one in streams.anchors):
        unclear.append("anchors" if streams.n_anchors else "verdicts")
    return tuple(unclear)


# --- who ----------------------------------------------------------------------------------------


def _who(streams: Streams, raised: list[Name], at: int) -> tuple[float, float]:
    """The probability that the judge changed, and that the systems did, given that one did."""
    judge, systems = 0.0, 0.0  # log Bayes factors of a change against none
    if streams.anchors:
        judge += float(joined([_anchor_factor(one, at) for one in streams.anchors]))
    if streams.errors:
        each = [change_factor(*one.split(at)) for one in streams.errors]
        judge += float(joined([*each, sum(each)]))
    if streams.labels:
        systems += float(joined([change_factor(*one.split(at)) for one in streams.labels]))
    # The judge alone must explain by how much verdicts moved.
    logs = np.array([judge + _explained(streams, at), systems, judge + systems])
    share = np.exp(logs - logs.max())
    share /= share.sum()
    by_judge, by_systems = float(share[0] + share[2]), float(share[1] + share[2])
    known = {"anchors", "errors"} & set(raised)
    return (1.0 if known else by_judge), (1.0 if "labels" in raised else by_systems)


def _explained(streams: Streams, at: int) -> float:
    """The log density of how far verdicts moved, by the judge alone against by the systems too.

    How far the judge alone would move them is known from anchors and from its errors, the two
    averaged by their precision; other items than those move otherwise, by `UNLIKE`. The systems
    move them by about `USUAL`, either way. 0 where neither tells.
    """
    moved = _moved(streams.verdicts[0], at) if len(streams.verdicts) == 1 else None
    told = [_moved_anchors(one, at) for one in streams.anchors[:1]] if moved else []
    told += [_moved_by_errors(streams, at)] if moved and len(streams.errors) == 2 else []
    seen = [one for one in told if one is not None]
    if moved is None or not seen:
        return 0.0
    precision = sum(1 / one[1] for one in seen)
    by_judge = sum(one[0] / one[1] for one in seen) / precision
    alone = _log_normal(moved[0] - by_judge, moved[1] + 1 / precision + UNLIKE**2)
    return alone - _log_normal(moved[0], moved[1] + USUAL**2)


def _log_normal(distance: float, variance: float) -> float:
    return -0.5 * (distance**2 / variance + math.log(2 * math.pi * variance))


def _moved(rate: Counted, at: int) -> tuple[float, float] | None:
    """The change of a rate and its variance; None where a side is empty."""
    (h0, n0), (h1, n1) = rate.split(at)
    if min(n0, n1) <= 0:
        return None
    # Agresti and Caffo's: one more hit and miss on each side.
    p0, p1 = (h0 + 1) / (n0 + 2), (h1 + 1) / (n1 + 2)
    return h1 / n1 - h0 / n0, p0 * (1 - p0) / (n0 + 2) + p1 * (1 - p1) / (n1 + 2)


def _moved_anchors(anchors: Anchors, at: int) -> tuple[float, float] | None:
    """The mean change of the anchors' verdicts, and its variance over anchors."""
    steady = anchors.steady
    sides = [(one[:, :at].sum(1), one[:, at:].sum(1)) for one in (steady.hits, steady.trials)]
    (h0, h1), (n0, n1) = sides
    both = (n0 > 0) & (n1 > 0)
    items = int(both.sum())
    if items < 2:
        return None
    each = h1[both] / n1[both] - h0[both] / n0[both]
    # An anchor that never moved might have: as if one more had moved by a half.
    variance = float((((each - each.mean()) ** 2).sum() + 0.25) / items**2)
    return float(each.mean()), variance


def _moved_by_errors(streams: Streams, at: int) -> tuple[float, float] | None:
    """How far the rate of verdicts moves by the change of sensitivity and specificity alone."""
    sensitivity, specificity = (_moved(one, at) for one in streams.errors)
    if sensitivity is None or specificity is None:
        return None
    positives, negatives = (float(one.trials.sum()) for one in streams.errors)
    share = positives / (positives + negatives)
    value = share * sensitivity[0] - (1 - share) * specificity[0]
    return value, share**2 * sensitivity[1] + (1 - share) ** 2 * specificity[1]


def _anchor_factor(anchors: Anchors, at: int) -> float:
    sides = [
        (one[0].sum(1), one[1].sum(1))
        for one in (
            (anchors.hits[:, :at], anchors.trials[:, :at]),
            (anchors.hits[:, at:], anchors.trials[:, at:]),
        )
    ]
    return repeated_change_factor(sides[0], sides[1])


def _verdict(judge: float, systems: float) -> Verdict:
    if judge >= CLAIM and systems >= CLAIM:
        return "both"
    if judge >= CLAIM:
        return "judge"
    return "systems" if systems >= CLAIM else "changed"
