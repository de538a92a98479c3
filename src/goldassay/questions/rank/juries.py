"""Juries: several judges taken together, and ranked beside the judges like one of them.

Scores are averaged after each judge's own were brought to mean 0 and standard deviation 1, since
judges use different scales and a wide one would decide alone. Of battles every member's verdict
counts. Where some members have no score the others' mean stands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldassay.counts.scores import mean_of_raters
from goldassay.errors import UsageError, nearest
from goldassay.formulas.comparisons import Comparisons
from goldassay.frozen import dataclass
from goldassay.questions.rank.aggregation import Aggregation
from goldassay.questions.rank.contest import Contest
from goldassay.questions.rank.leaderboard import tau_difference
from goldassay.questions.rank.record import Judged
from goldassay.questions.rank.resampling import Draw
from goldassay.results import Estimate

__all__ = ["JuryGain", "jury_gains", "jury_scores", "named_juries", "with_juries"]

Floats = NDArray[np.float64]

#: The word for a jury of every judge.
ALL = "all"


def named_juries(asked: Sequence[str], judges: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The members of each jury that is asked for, as "a,b,c", "name=a,b,c" or "all".

    >>> named_juries(["duo=a,b", "all"], ["a", "b", "c"])
    {'duo': ('a', 'b'), 'jury of all judges': ('a', 'b', 'c')}
    """
    found: dict[str, tuple[str, ...]] = {}
    for text in asked:
        plain = all(one.strip() in judges for one in text.split(","))
        name, given, listed = ("", "", text) if plain else text.rpartition("=")
        wanted = [one.strip() for one in listed.split(",") if one.strip()]
        everyone = wanted == [ALL] and ALL not in judges
        members = tuple(judges) if everyone else tuple(dict.fromkeys(wanted))
        for one in members:
            if one not in judges:
                near = nearest(one, judges)
                raise UsageError(
                    f"--jury {text}",
                    f"{one!r} is not a judge of the ratings",
                    next_step=f"Did you mean {near!r}?" if near else f"Judges: {', '.join(judges)}",
                )
        if len(members) < 2:
            raise UsageError(
                f"--jury {text}",
                "a jury has at least two judges",
                next_step="Name them with commas: --jury 'a,b', or --jury all",
            )
        jury = "jury of all judges" if everyone else f"jury of {', '.join(members)}"
        if given and name.strip():
            jury = name.strip()
        if jury in judges or jury in found:
            raise UsageError(
                f"--jury {text}",
                f"the name {jury!r} is taken",
                next_step="Give it another: --jury 'name=a,b'",
            )
        found[jury] = members
    return found


def with_juries(contest: Contest, juries: Mapping[str, tuple[str, ...]]) -> Contest:
    """The contest with juries, by name, as further judges."""
    if not juries:
        return contest
    members = [[contest.judges.index(one) for one in jury] for jury in juries.values()]
    judges = (*contest.judges, *juries)
    if contest.scores is None:
        votes = [_together([contest.battles[j] for j in jury]) for jury in members]
        single = contest.single and contest.single.with_juries(members)
        battles = (*contest.battles, *votes)
        return replace(contest, judges=judges, battles=battles, single=single, juries=juries)
    together = [jury_scores(contest.scores[jury]) for jury in members]
    scores = np.concatenate([contest.scores, np.stack(together)])
    return replace(contest, judges=judges, scores=scores, juries=juries)


def jury_scores(scores: Floats) -> Floats:
    """The mean of members' scores [J, I, S], each member's brought to mean 0 and spread 1: [I, S].

    A member that gives every answer the same score tells nothing apart, and adds 0 to all.
    """
    mean = np.nanmean(scores, axis=(1, 2), keepdims=True)
    spread = np.nanstd(scores, axis=(1, 2), keepdims=True)
    return mean_of_raters((scores - mean) / np.where(spread > 0, spread, 1.0))


def _together(battles: Sequence[Comparisons]) -> Comparisons:
    """Every member's verdicts, counted alike."""
    first = battles[0]

    def total(parts: list[Any]) -> Any:
        if all(isinstance(part, np.ndarray) for part in parts):
            return sum(parts)
        from scipy.sparse import csr_array

        return sum((csr_array(part) for part in parts[1:]), start=csr_array(parts[0]))

    return Comparisons(
        first.pairs,
        first.multiplicity,
        total([one.wins for one in battles]),
        total([one.losses for one in battles]),
        total([one.ties for one in battles]),
    )


@dataclass(frozen=True, slots=True)
class JuryGain:
    """A jury beside its best member: how much more its order is like people's."""

    jury: str
    members: tuple[str, ...]
    best: str
    gain: Estimate


def jury_gains(
    judges: Sequence[Judged], juries: Mapping[str, tuple[str, ...]], by: Aggregation, draw: Draw
) -> tuple[JuryGain, ...]:
    """What each jury adds to the member with the highest tau; none where a tau is undefined.

    The best member is the best on these prompts; the interval holds for all differences between
    judges and juries at once, and so for this one too.
    """
    known = {one.name: one for one in judges}
    found = []
    for jury, members in juries.items():
        best = max((known[one] for one in members), key=lambda one: one.tau_or_least(by))
        gain = tau_difference(known[jury], best, by, draw)
        if gain is not None:
            named = replace(gain, name="jury_gain", declared={"over": best.name})
            found.append(JuryGain(jury, members, best.name, named))
    return tuple(found)
