"""What a ranking says, in sentences that carry their facts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from goldassay.errors import shown
from goldassay.inference.orders import TELLS_NOTHING
from goldassay.questions.facts import named_facts, numbers_of
from goldassay.questions.rank.aggregation import Aggregation
from goldassay.questions.rank.asked import asked_for
from goldassay.questions.rank.behaviour import at_lower_end, at_upper_end
from goldassay.questions.rank.contest import Contest
from goldassay.questions.rank.few_systems import PairsTold
from goldassay.questions.rank.gold import Gold, Unmatched, hint
from goldassay.questions.rank.leaderboard import SplitHalf, Standing
from goldassay.questions.rank.record import value_of
from goldassay.questions.rank.signs import said_of_unusual
from goldassay.questions.rank.slices import Slices
from goldassay.questions.rank.study import AgainstPeople, RankStudy
from goldassay.questions.rank.systems import RankedSystems
from goldassay.results import Estimate, Interval, Result, Sentence, Undefined
from goldassay.words import counted, decimal, figure, listed, named, percent, points

__all__ = ["answer", "cannot_tell", "notes", "ordinal", "place", "value_words", "warnings"]

MOST_SENTENCES = 3
#: Up to this factor from 1 a judge is called as decisive as people.
ALIKE = 2.0
#: The share of splits in half that lies between the two ends that are told.
SPLITS_BETWEEN = 0.8

#: What is compared where every system has prompts of its own.
_APART = (
    "No prompt was answered by two systems: means over different prompts are compared, and what "
    "compares two answers (win rates, decisiveness, bias) is undefined."
)


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 4th, ..., 11th.

    >>> [ordinal(n) for n in (1, 2, 3, 4, 11, 22, 113)]
    ['1st', '2nd', '3rd', '4th', '11th', '22nd', '113th']
    """
    ending = (
        "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    )
    return f"{number}{ending}"


def place(low: int, high: int) -> str:
    """A rank interval: "3rd" or "3rd to 6th"."""
    return ordinal(low) if low == high else f"{ordinal(low)} to {ordinal(high)}"


def value_words(result: Result | None) -> str:
    """A value with its interval, as "0.78 [0.72, 0.91]".

    >>> value_words(Estimate("kendall_tau", 0.5)), value_words(None)
    ('0.50', '')
    """
    if result is None:
        return ""
    return "undefined" if isinstance(result, Undefined) else figure(result)


def answer(study: RankStudy, slices: Sequence[Slices] = ()) -> tuple[Sentence, ...]:
    """At most three sentences: the best ranker, who may be as good, what was asked for besides.

    Without a jury or slices: what items hide.
    """
    people = study.people
    if people is None:
        return (_no_gold(), *_tops(study))[:MOST_SENTENCES]
    said = [*_leader(people, study.by), *asked_for(study, people, slices)]
    said += _items_and_systems(people, study.by)
    if len(said) < MOST_SENTENCES:
        said += _tops(study)
    return tuple(said[:MOST_SENTENCES])


def notes(study: RankStudy, slices: Sequence[Slices] = ()) -> tuple[Sentence, ...]:
    """What else is worth a sentence, in order of merit."""
    people = study.people
    said = list(_tops(study))
    if people is not None:
        said = [*asked_for(study, people, slices), *_items_and_systems(people, study.by), *said]
        best = people.standings[0].judge
        if isinstance(best.decisiveness, Estimate):
            said.append(_decisiveness(best.name, best.decisiveness))
        if isinstance(best.bias_delta, Estimate):
            said.append(_bias(best.name, best.bias_delta))
        if people.split_half is not None:
            said.append(_split_half(people.split_half))
    told = {one.text for one in answer(study, slices)}
    return tuple(one for one in said if one.text not in told)


def _no_gold() -> Sentence:
    return Sentence(
        "rank.no_gold",
        "There is no order by people: systems are ranked, and judges compared with one another "
        "only. Add people's ratings, or give --gold with system,score or battles.",
    )


def _leader(people: AgainstPeople, by: Aggregation) -> Iterator[Sentence]:
    """The best ranker, and whether others can be told apart from it."""
    first, *others = people.standings
    tau = first.judge.tau(by)
    if not isinstance(tau, Estimate):
        reason = tau.reason if isinstance(tau, Undefined) else "no ranking"
        text = f"No judge's order of the systems can be compared with people's: {reason}."
        yield Sentence("rank.not_comparable", text, facts={"reason": reason})
        return
    first_said = _kendall_tau(people, tau, by)
    yield first_said
    if others:
        # Equal ones that the first sentence names are not said once more to be level.
        alike = first_said.facts["level_with"] if first_said.facts["agree"] == "yes" else []
        yield from _told_apart(first.judge.name, others, by, alike)


def cannot_tell(tau: Estimate) -> bool:
    """Whether an interval of tau goes so far to both sides that it says nothing on the orders."""
    ends = tau.interval
    return ends is not None and ends.low <= -TELLS_NOTHING and ends.high >= TELLS_NOTHING


def _anything(tau: Estimate) -> bool:
    """Whether an interval of tau leaves out no order, as far as two decimals show."""
    ends = tau.interval
    return ends is not None and round(ends.low, 2) <= -1 and round(ends.high, 2) >= 1


def _kendall_tau(people: AgainstPeople, tau: Estimate, by: Aggregation) -> Sentence:
    first, *rest = people.standings
    judge, number = first.judge.name, int(tau.declared["systems"])
    others = [one for one in rest if isinstance(one.judge.tau(by), Estimate)]
    equal = [
        one.judge.name
        for one in others
        if one.judge.tau_or_least(by) == tau.value
        and one.behind
        and one.behind.value == 0
        and _systems_of(one.judge.tau(by)) == number
    ]
    agree = "unknown" if cannot_tell(tau) else "yes" if tau.value > 0 else "no"
    known = int((~np.isnan(people.gold.scores)).sum())
    systems = f"the {counted(number, 'system')}"
    if known > number:  # the judge decides nothing of the others
        systems = f"{number:,} of {counted(known, 'system')}"
    span = ""
    if tau.interval is not None:
        span = (
            f" ({percent(tau.interval.confidence_level)} interval for tau with unlimited prompts)"
        )
    seen = f"Kendall's tau {figure(tau)}{span}"
    anything = _anything(tau)
    most = ", the highest of the judges" if others and not equal else ""
    told = people.pairs if agree == "unknown" else None
    if told is not None:
        text = f"{_pairs(told, systems)}: {named(judge)} has {seen}{most}."
    elif anything:
        text = (
            f"These prompts do not tell how far the orders of {systems} agree: {named(judge)} has "
            f"{seen}{most}."
        )
    elif agree == "unknown":
        text = (
            f"These prompts cannot tell whether the orders agree: {named(judge)} has "
            f"{seen}{most}, on {systems.removeprefix('the ')}."
        )
    elif agree == "no":
        whom = "No judge puts" if others else f"{named(judge)} does not put"
        best = f"the best, {named(judge)}, has" if others else "it has"
        text = f"{whom} {systems} in people's order: {best} {seen}."
    else:
        text = f"{named(judge)} comes closest to people's order of {systems}: {seen}."
        if equal:
            together = f"{_some([judge, *equal])} come equally close to people's order of"
            text = f"{together} {systems}: {named(judge)} with {seen}."
        if not others:
            text = f"Against people's order of {systems} {named(judge)} has {seen}."
    return Sentence(
        "rank.kendall_tau",
        text,
        {"judge": judge},
        named_facts(tau)
        | {
            "n_systems": number,
            "n_gold_systems": known,
            "n_judges": len(people.standings),
            "level_with": equal,
            "agree": agree,
            "anything": anything,
            "aggregation": by,
            "gold": people.gold.source,
            "confidence_level": tau.interval.confidence_level if tau.interval else None,
            **({} if told is None else _pair_facts(told)),
        },
    )


def _pairs(told: PairsTold, systems: str) -> str:
    """Which pairs of a few systems are told apart, and how a judge's own verdicts do that."""
    several = told.pairs > 1
    if not told.apart:
        none = f"These ratings tell no two of {systems} apart"
        none = none if several else f"These ratings do not tell {systems} apart"
        return f"{none}, so that there is no order to agree with"
    some = "All" if told.apart == told.pairs else f"{told.apart} of the"
    pairs = f"{some} {told.pairs} pairs of systems" if several else systems.capitalize()
    can = "is" if several and told.apart == 1 else "are"
    if told.of_decided:
        pairs = f"On what {named(told.judge)} decides, {pairs[0].lower()}{pairs[1:]}"
    text, alone = f"{pairs} {can} told apart with people's labels", f"by {named(told.judge)} alone"
    parts = ((told.same, "the same way"), (told.turned, "the other way round"))
    said = [f"{number} {way}" for number, way in parts if number]
    said += [f"{told.unsure} not"] if told.unsure else []
    if told.unsure == told.apart:
        return f"{text}, but not {alone}"
    whole = next((way for number, way in parts if number == told.apart), "")
    return f"{text}, and {alone} {whole or listed(said)}"


def _pair_facts(told: PairsTold) -> dict[str, int]:
    return {
        "pairs": told.pairs,
        "apart": told.apart,
        "same": told.same,
        "turned": told.turned,
        "unsure": told.unsure,
    }


def _systems_of(tau: Result | None) -> int | None:
    """How many systems a tau is of."""
    return int(tau.declared["systems"]) if isinstance(tau, Estimate) else None


def _some(names: Sequence[str], most: int = 3) -> str:
    """The first few names, and how many more."""
    shown = [named(name) for name in names[:most]]
    return listed([*shown, *([f"{len(names) - most} more"] if len(names) > most else [])])


def _told_apart(
    judge: str, others: Sequence[Standing], by: Aggregation, alike: Sequence[str]
) -> Iterator[Sentence]:
    """From which of the others, beyond those named as equal, the best ranker is told apart."""
    compared = [one for one in others if one.behind is not None]
    level = [one.judge.name for one in compared if not one.told_apart]
    worse = [one.judge.name for one in compared if one.told_apart]
    unsure = [name for name in level if name not in alike]
    silent = len(others) - len(compared)
    all_level = len(unsure) == len(others) > 2
    if compared and not unsure and not worse and not silent:
        return
    if not compared:
        text = f"No other judge's order can be compared with people's, only that of {named(judge)}"
    elif unsure:
        whom = f"any of the other {len(unsure):,} judges" if all_level else _some(unsure)
        text = f"By their orders of systems {named(judge)} cannot be told apart from {whom}"
        text += " either" if alike else ""
        if worse:
            text += f"; it is better than {_some(worse)}"
    elif worse:
        text = f"{named(judge)} orders systems more like people than {_some(worse)}"
    else:
        text = ""
    if silent and compared:
        text += "; " if text else ""
        text += f"{counted(silent, 'judge')} {'has' if silent == 1 else 'have'} no tau"
    yield Sentence(
        "rank.told_apart",
        f"{text}.",
        {"judge": judge},
        {
            "cannot_tell": level,
            "level_with": list(alike),
            "better_than": worse,
            "without_tau": silent,
            "aggregation": by,
            "differences": {
                one.judge.name: list(numbers_of(one.behind)) for one in compared if one.behind
            },
        },
    )


def _items_and_systems(people: AgainstPeople, by: Aggregation) -> Iterator[Sentence]:
    """That the first judge on single items is not the first on systems, where so."""
    known = [one for one in people.items if isinstance(one.accuracy, Estimate)]
    if len(known) < 2:
        return
    best = max(known, key=lambda one: value_of(one.accuracy) or 0.0)
    leader = next((one for one in known if one.judge is people.standings[0].judge), None)
    tau, leading = best.judge.tau(by), people.standings[0].judge.tau(by)
    if leader is None or not isinstance(leading, Estimate) or not isinstance(tau, Estimate):
        return
    assert isinstance(best.accuracy, Estimate)
    assert isinstance(leader.accuracy, Estimate)
    if tau.value >= leading.value or best.accuracy.value <= leader.accuracy.value:
        return
    if _anything(leading):  # the highest tau may as well be the lowest
        return
    level = any(one.judge is best.judge and not one.told_apart for one in people.standings)
    text = (
        "The judge with the highest agreement on single items is not the one with the highest tau: "
        f"{named(best.judge.name)} shares {figure(best.accuracy)} of people's preferences between "
        f"two answers ({named(leader.judge.name)}: {figure(leader.accuracy)}), and has tau "
        f"{figure(tau)}"
    )
    text += ", which these prompts cannot tell from the highest." if level else "."
    yield Sentence(
        "rank.items_and_systems",
        text,
        {"judge": best.judge.name},
        named_facts(best.accuracy)
        | _prefixed("leader", leader.accuracy)
        | _prefixed("tau", tau)
        | {"leader": leader.judge.name, "leader_tau": leading.value, "cannot_be_told": level},
    )


def _prefixed(key: str, result: Estimate) -> dict[str, Any]:
    facts = named_facts(result)
    value = key if key == "tau" else f"{key}_value"
    return {value: facts["value"], f"{value}_low": facts["low"], f"{value}_high": facts["high"]}


def _decisiveness(judge: str, shape: Estimate) -> Sentence:
    """Whether a judge widens or narrows the gaps between systems, as far as that can be told."""
    interval = shape.interval
    said = f"(decisiveness {_shape(shape)}; people: 1)"
    if interval is None or (interval.low <= 1 <= interval.high and _wide(interval)):
        than_people = "unknown"
        text = f"Whether {named(judge)} is more or less decisive than people cannot be told {said}"
    elif interval.low > 1:
        than_people = "more"
        text = (
            f"{named(judge)} is more decisive than people: it widens the gaps between systems "
            f"{said}"
        )
    elif interval.high < 1:
        than_people = "less"
        text = (
            f"{named(judge)} is less decisive than people: it narrows the gaps between systems "
            f"{said}"
        )
    else:
        than_people = "alike"
        text = f"{named(judge)} is between half and twice as decisive as people {said}"
    endless = interval is not None and math.isinf(interval.high)
    facts = named_facts(shape) | {"than_people": than_people, "no_upper_limit": endless}
    facts["high"] = None if endless else facts["high"]
    return Sentence("rank.decisiveness", f"{text}.", {"judge": judge}, facts)


def _shape(shape: Estimate) -> str:
    """Decisiveness with its interval; where the search set an end, it is said to be open."""
    ends = shape.interval
    value = decimal(shape.value)
    value += " or less" if at_lower_end(shape.value) else ""
    value += " or more" if at_upper_end(shape.value) else ""
    if ends is None:
        return value
    if ends.low > 0 and math.isfinite(ends.high):
        return figure(shape)
    if ends.low > 0:
        return f"{value}, at least {decimal(ends.low)} and with no upper limit"
    if math.isfinite(ends.high):
        return f"{value}, at most {decimal(ends.high)} and with no lower limit"
    return f"{value}, with no limits"


def _wide(interval: Interval) -> bool:
    """Whether a judge half or twice as decisive as people would be as well within the interval."""
    return interval.low < 1 / ALIKE or interval.high > ALIKE


def _bias(judge: str, delta: Estimate) -> Sentence:
    return Sentence(
        "rank.bias",
        f"Beyond decisiveness, win rates by {named(judge)} favour or slight a system by "
        f"{figure(delta)} (standard deviation over systems).",
        {"judge": judge},
        named_facts(delta),
    )


def _tops(study: RankStudy) -> Iterator[Sentence]:
    for one in study.systems:
        yield from _top(one, study.contest)


def _top(ranked: RankedSystems, contest: Contest) -> Iterator[Sentence]:
    """The system on top, and those that may be as good."""
    if (top := ranked.top) is None:
        return
    first = contest.systems[top.first]
    rivals = [contest.systems[s] for s in top.rivals]
    level = [contest.systems[s] for s in top.level]
    facts: dict[str, Any] = {"first": first, "cannot_tell": rivals, "level_with": level}
    text = f"{named(ranked.judge)} puts {named(first)} first"
    by = "verdicts" if contest.scores is None or contest.rates else "scores"
    if level:
        text = f"{named(ranked.judge)} gives {_some([first, *level])} the same score, the highest"
        if unsure := [name for name in rivals if name not in level]:
            text += f", which cannot be told apart from that of {_some(unsure)}"
    elif rivals:
        text += f", which by its own {by} cannot be told apart from {_some(rivals)}"
    else:
        facts["second"] = contest.systems[top.second]
        text += f", by its own {by} ahead of {named(facts['second'])}"
        if top.lead is not None:
            facts |= named_facts(top.lead)
            text += f" by {_lead(top.lead, next(iter(ranked.lines)), rates=contest.rates)}"
    yield Sentence("rank.top", f"{text}.", {"judge": ranked.judge}, facts)


def _lead(lead: Estimate, by: Aggregation, *, rates: bool) -> str:
    """The lead of a system: of rates in points, else in the unit of the scores."""
    ends = (lead.interval.low, lead.interval.high) if lead.interval else None
    in_points = by == "win_rate" or (rates and by == "mean")
    return points(lead.value, ends) if in_points else figure(lead)


def _split_half(half: SplitHalf) -> Sentence:
    between, judge = half.between, half.with_judge
    return Sentence(
        "rank.split_half",
        f"The orders by two random halves of people's ratings agree with tau "
        f"{decimal(between.value)} ({percent(SPLITS_BETWEEN)} of splits: {decimal(half.low)} to "
        f"{decimal(half.high)}); "
        f"{named(half.judge)} agrees with such a half with tau {decimal(judge.value)}.",
        {"judge": half.judge},
        {
            between.name: between.value,
            judge.name: judge.value,
            "low": half.low,
            "high": half.high,
            "splits": between.declared["splits"],
            "share_of_splits": SPLITS_BETWEEN,
        },
    )


def warnings(study: RankStudy, slices: Sequence[Slices] = ()) -> tuple[str, ...]:
    """What was not matched, not rated or left out, so that nothing is dropped in silence."""
    contest, people = study.contest, study.people
    said = [_APART] if contest.apart else []
    said += _not_matched(people.gold.unmatched) if people else ()
    said += [
        f"The judge {named(name)} has no usable rating; it is not ranked."
        for name in contest.silent
    ]
    if contest.n_level:
        said.append(
            f"{counted(contest.n_level, 'battle')} on which people's votes are level: left out of "
            "people's order, and with judges' verdicts on them out of decisiveness and bias."
        )
    if people is not None and people.gold.n_separated:
        said.append(_separated(people.gold))
    said += _missing_scores(contest)
    for ranked in study.systems:
        unusual = {contest.systems[s]: one for s, one in ranked.unusual.items()}
        said += said_of_unusual(ranked.judge, unusual)
    if people is not None and people.gold.n_pairs_dropped:
        dropped = people.gold.n_pairs_dropped
        has, are = ("has", "it is") if dropped == 1 else ("have", "they are")
        said.append(
            f"{counted(dropped, 'pair')} of systems {has} fewer than {study.options.min_battles} "
            f"untied comparisons by people; {are} left out of win rates, decisiveness and bias."
        )
    if people is None and study.options.attributes is not None:
        said.append("The texts are not used: without an order by people there is no bias.")
    said += [
        f"Where {named(part.column)} is {named(one.label)} nothing is ranked: {one.reason}."
        for part in slices
        for one in part.slices
        if one.study is None
    ]
    return tuple(said)


def _not_matched(names: Unmatched) -> Iterator[str]:
    """Systems that only people or only judges rated, and battles with such systems."""
    if strange := names.gold_only:
        some = [hint(*pair) for pair in names.meant.items()][:3] or map(shown, strange[:5])
        more = ", ..." if len(strange) > 5 else ""
        yield f"{counted(len(strange), 'gold system')} not judged: {', '.join(some)}{more}."
    if silent := names.judged_only:
        more = ", ..." if len(silent) > 8 else ""
        yield (
            f"{counted(len(silent), 'judged system')} without gold: "
            f"{', '.join(map(shown, silent[:8]))}{more}. They are ranked, and left out of the "
            "comparison with people."
        )
    every = f"of {names.battles:,.0f} gold battles involve a system that no judge rated"
    if names.battles_linking:
        yield (
            f"{names.battles_linking:,.0f} {every} and link the judged ones: they count for "
            "people's order, not for win rates."
        )
    if names.battles_dropped:
        yield f"{names.battles_dropped:,.0f} {every} and link none: they are left out."


def _separated(gold: Gold) -> str:
    assert gold.resampled_scores is not None
    return (
        f"In {gold.n_separated} of {len(gold.resampled_scores)} resamples of people's battles some "
        "system was undefeated or winless; it then ranks first or last."
    )


def _missing_scores(contest: Contest) -> Iterator[str]:
    """What judges did not score."""
    if contest.scores is None:
        return
    absent = np.isnan(contest.scores)
    for j, s in zip(*np.nonzero(absent.all(axis=1)), strict=True):
        yield (
            f"{named(contest.judges[j])} gave {named(contest.systems[s])} no score; it is "
            "unranked there."
        )
    if contest.apart:  # most cells are empty because nothing was there to be scored
        return
    share = absent.mean(axis=(1, 2))
    partly = [(contest.judges[j], share[j]) for j in np.argsort(-share) if share[j] > 0]
    if partly:
        some = [f"{named(name)} {percent(value)}" for name, value in partly[:5]]
        some += [f"{len(partly) - 5} more"] if len(partly) > 5 else []
        yield (
            f"Scores missing (not rated, invalid or left out) on prompts that have any: "
            f"{listed(some)}. Each pair of systems is compared on the prompts that both have."
        )
