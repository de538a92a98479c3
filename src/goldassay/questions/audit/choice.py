"""The choice of a judge: how many definitions make it, and what its decisions are worth."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from goldassay.counts import ElicitationPairs
from goldassay.formulas.distributions import Definition
from goldassay.formulas.rating_model import selection_effect
from goldassay.frozen import dataclass
from goldassay.inference.comparison import compare
from goldassay.questions.audit.bounds import Bounds, quantiles
from goldassay.questions.audit.performance import Performance
from goldassay.questions.audit.sides import Sides
from goldassay.results import Estimate, Interval, Result

__all__ = ["Choice", "Decisions", "choose", "decide", "selection_effects"]

Array = NDArray[np.float64]

#: Draws behind the interval of a selection effect.
DRAWN = 4000


@dataclass(frozen=True, slots=True)
class Choice:
    """Whom the definitions select. Definitions that want a bias of 0 select nobody here."""

    #: The judge that most definitions select; None with one judge, or no selection.
    chosen: str | None
    #: Definitions, of all that select one, that select each judge; and how many these are.
    selected_by: tuple[int, ...]
    n_definitions: int
    #: Judges whose decision consistency cannot be told from the best one's, in the judges' order;
    #: the best itself with them, if there are any.
    tied: tuple[bool, ...]

    def share(self, judge: int) -> float:
        return self.selected_by[judge] / self.n_definitions


def choose(
    judges: Sequence[str],
    performances: Sequence[Performance],
    compared: Sequence[Performance],
    found: Bounds | None,
    level: float,
) -> Choice:
    """Who is selected, by how many definitions, and who cannot be told from the best.

    Nobody where the judges share no item, and nothing was `found` on shared ones; nor where all
    that would select one hang on a majority of people that so few raters cannot tell.
    """
    selecting = [
        d
        for d, one in enumerate(performances)
        if one.selects is not None and one.definition.better != "zero"
    ]
    if found is None or (selecting and found.unknown[selecting].all()):
        return Choice(None, (0,) * len(judges), 0, (False,) * len(judges))

    def count(some: Sequence[Performance]) -> tuple[int, ...]:
        picks = [one.selects for one in some if one.definition.better != "zero"]
        return tuple(picks.count(judge) for judge in judges)

    head, every = count(compared), count(performances)
    number = sum(every)
    consistent = next(
        d
        for d, one in enumerate(performances)
        if (one.definition.name, one.definition.aggregation) == ("decision_consistency", "s/s")
    )
    value = np.nan_to_num(found.value[consistent], nan=-np.inf)
    order = sorted(
        range(len(judges)), key=lambda j: (-every[j], -head[j], -round(float(value[j]), 12))
    )
    chosen = judges[order[0]] if len(judges) > 1 and every[order[0]] else None
    return Choice(chosen, every, number, _tied(found, consistent, level))


def _tied(found: Bounds, d: int, level: float) -> tuple[bool, ...]:
    """Judges whose difference to the best in resampled items may be 0, the best with them.

    All differences at once, as `select` and `agree` compare judges: of many judges some would
    otherwise be told from the best by chance.
    """
    value = found.value[d]
    known = np.flatnonzero(np.isfinite(value))
    drawn = found.found.replicates[:, d][:, known]
    drawn = drawn[np.isfinite(drawn).all(axis=1)]
    if len(known) < 2 or len(drawn) < 2:
        return (False,) * len(value)
    joint = compare(value[known], drawn, confidence_level=level)
    best = int(np.argmax(value[known]))
    level_with = np.zeros(len(value), bool)
    level_with[known] = [j == best or not joint.apart(best, j) for j in range(len(known))]
    return tuple(level_with.tolist()) if level_with.sum() > 1 else (False,) * len(value)


@dataclass(frozen=True, slots=True)
class Decisions:
    """How often people and each judge count an item, on the items that both rated."""

    options: tuple[str, ...]
    threshold: float
    #: Whether nobody declared which options are counted.
    assumed: bool
    #: Shares of items that people and the judge count, (J,); NaN without an item.
    people: Array
    judge: Array
    #: Whether a vote of people or of a judge is level, which is half a decision.
    level: bool = False

    def constant(self, judge: int) -> float:
        """What deciding every item the commoner way would reach, with no look at the items."""
        share = float(self.people[judge])
        return max(share, 1 - share)


def decide(sides: Sides, one: Definition, options: tuple[str, ...], assumed: bool) -> Decisions:
    """The decisions behind a decision consistency."""
    assert one.counted is not None
    threshold = float((one.declared or {})["threshold"])
    judge = sides.decide(sides.judge.counted(one.judge, one.counted), 0, threshold)
    people = np.broadcast_to(
        sides.decide(sides.human.counted(one.human, one.counted), 0, threshold), judge.shape
    )
    both = np.isfinite(judge) & np.isfinite(people)
    number = both.sum(-1)

    def share(decided: Array) -> Array:
        total = np.where(both, decided, 0.0).sum(-1)
        return np.where(number > 0, total / np.maximum(number, 1), np.nan)

    level = any(bool((one[both] == 0.5).any()) for one in (judge, people))
    return Decisions(options, threshold, assumed, share(people), share(judge), level)


def selection_effects(
    pairs: ElicitationPairs, sides: Sides, rng: np.random.Generator
) -> dict[str | None, Result]:
    """Gamma of people (None) and of each judge who gave both kinds of rating.

    The interval draws each set's share from its posterior (Jeffreys), the choices taken for
    independent; those of one item are not, so that it is the least there is.
    """
    option, level = (sides.reading.counted or (0,))[0], sides.task.confidence_level
    found: dict[str | None, Result] = {}
    size = sides.lambda_.sum(0)
    for rater, joint in ((None, pairs.human), *zip(pairs.judges, pairs.judge, strict=True)):
        value = selection_effect(joint, sides.lambda_, option)
        if np.isnan(value):
            continue
        seen = (sides.lambda_[option] > 0) & (size > 1) & (joint.sum(0) > 0)
        hits, given = joint[option, seen], joint[:, seen].sum(0)
        drawn = rng.beta(hits + 0.5, given - hits + 0.5, (DRAWN, int(seen.sum())))
        low, high = quantiles((drawn * size[seen]).mean(-1)[:, None], level)
        found[rater] = Estimate(
            "selection_effect",
            value,
            Interval(
                min(float(low[0]), value), max(float(high[0]), value), level, "posterior (Jeffreys)"
            ),
            int(given.sum()),
            0,
            {"option": sides.counted.options[option], "sets": int(seen.sum())},
            ("choices from response sets are independent",),
        )
    return found
