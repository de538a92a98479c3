"""What was asked for besides, in sentences: juries, slices, the texts of systems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from goldassay.questions.facts import named_facts, numbers_of
from goldassay.questions.rank.aggregation import Aggregation
from goldassay.questions.rank.juries import JuryGain
from goldassay.questions.rank.record import value_of
from goldassay.questions.rank.slices import SliceGap, Slices
from goldassay.questions.rank.study import AgainstPeople, RankStudy
from goldassay.questions.rank.style import StyleEffect
from goldassay.results import Estimate, Sentence
from goldassay.words import counted, decimal, figure, listed, named

__all__ = ["asked_for"]

#: More, and less, of what is measured; a column of the user's own goes by its name.
MORE_AND_LESS: Mapping[str, tuple[str, str]] = {
    "length": ("longer texts", "shorter texts"),
    "lists": ("more list items", "fewer list items"),
    "headings": ("more headings", "fewer headings"),
    "bold": ("more bold print", "less bold print"),
    "code": ("more code blocks", "fewer code blocks"),
}


def asked_for(
    study: RankStudy, people: AgainstPeople, slices: Sequence[Slices]
) -> Iterator[Sentence]:
    """What juries add, how slices differ, and what texts explain."""
    for one in people.juries:
        yield _jury(one, people, study.by)
    for part in slices:
        if part.gap is not None:
            yield _slices(part, part.gap)
    for judge in dict.fromkeys(one.judge for one in people.style):
        yield _style(judge, [one for one in people.style if one.judge == judge])


def _jury(jury: JuryGain, people: AgainstPeople, by: Aggregation) -> Sentence:
    """Whether judges taken together order systems more like people than the best of them."""
    taus = {one.judge.name: value_of(one.judge.tau(by)) for one in people.standings}
    own, best = taus[jury.jury], taus[jury.best]
    assert own is not None
    assert best is not None
    facts = named_facts(jury.gain)
    low, high = facts["low"], facts["high"]
    surely = low is not None and (low > 0 or high < 0)
    than = "unknown" if not surely else "more" if low > 0 else "less"
    seen = (
        f"tau {decimal(own)} against {decimal(best)}, a difference of {figure(jury.gain)} "
        f"({counted(len(jury.members), 'judge')})"
    )
    whom = f"its best member, {named(jury.best)}"
    if than == "unknown":
        text = f"{named(jury.jury)} cannot be told apart from {whom}: {seen}."
    else:
        text = f"{named(jury.jury)} orders systems {than} like people than {whom}: {seen}."
    more = {
        "members": list(jury.members),
        "best": jury.best,
        "tau": own,
        "best_tau": best,
        "n_members": len(jury.members),
        "than_best": than,
        "aggregation": by,
    }
    return Sentence("rank.jury", text, {"judge": jury.jury}, facts | more)


def _slices(part: Slices, gap: SliceGap) -> Sentence:
    """Whether a judge's order is more like people's in some slices than in others."""
    taus = {one.label: tau for one in part.slices if (tau := one.tau(gap.judge)) is not None}
    facts = named_facts(gap.gap)
    surely = facts["low"] is not None and facts["low"] > 0
    most, least = (f"{named(one)} {figure(taus[one])}" for one in (gap.high, gap.low))
    if surely:
        text = (
            f"The order by {named(gap.judge)} is more like people's in {named(gap.high)} than in "
            f"{named(gap.low)} ({named(part.column)}): tau {most}, {least}, a difference of "
            f"{figure(gap.gap)}."
        )
    else:
        text = (
            f"By the order of {named(gap.judge)} no labels of {named(part.column)} can be told "
            f"apart: tau from {least} to {most}."
        )
    facts |= {
        "column": part.column,
        "high_label": gap.high,
        "low_label": gap.low,
        "differ": surely,
        "slices": {label: list(numbers_of(tau)) for label, tau in taus.items()},
        "without_tau": [one.label for one in part.slices if one.label not in taus],
    }
    return Sentence("rank.slices", text, {"judge": gap.judge, "column": part.column}, facts)


def _style(judge: str, effects: Sequence[StyleEffect]) -> Sentence:
    """Which attributes of texts go with a judge's bias, of those that can be told."""
    known = [(one.attribute, one.effect) for one in effects if isinstance(one.effect, Estimate)]
    facts: dict[str, Any] = {
        "attributes": {name: list(numbers_of(effect)) for name, effect in known},
        "not_told": [one.attribute for one in effects if not isinstance(one.effect, Estimate)],
        "n_systems": max((effect.n_items for _, effect in known), default=0),
    }
    sure = [(name, effect) for name, effect in known if _surely(effect)]
    facts["explained_by"] = [name for name, _ in sure]
    systems = counted(facts["n_systems"], "system")
    if not known:
        reason = getattr(effects[0].effect, "reason", "")
        facts["reason"] = reason
        text = (
            f"Whether length or style of the texts explains the bias of {named(judge)} cannot be "
            f"told: {reason}."
        )
    elif sure:
        parts = [f"{_more(name, effect)} ({figure(effect)})" for name, effect in sure]
        text = (
            f"{named(judge)} favours systems with {listed(parts)} beyond what people reward: "
            f"change in win rate with a standard deviation of it over the {systems}."
        )
    else:
        tried = listed([named(name) for name, _ in known])
        text = (
            f"No attribute of the texts surely explains the bias of {named(judge)} towards "
            f"systems: {tried} over {systems}."
        )
    return Sentence("rank.style", text, {"judge": judge}, facts)


def _surely(effect: Estimate) -> bool:
    return effect.interval is not None and (effect.interval.low > 0 or effect.interval.high < 0)


def _more(name: str, effect: Estimate) -> str:
    more, less = MORE_AND_LESS.get(name, (f"more {named(name)}", f"less {named(name)}"))
    return more if effect.value > 0 else less
