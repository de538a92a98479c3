"""What a ranking says, in sentences that carry their facts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from goldassay.errors import shown
from goldassay.questions.rank.aggregation import Aggregation
from goldassay.questions.rank.contest import Contest
from goldassay.questions.rank.gold import Gold, Unmatched, hint
from goldassay.questions.rank.judged import value_of
from goldassay.questions.rank.leaderboard import SplitHalf, Standing
from goldassay.questions.rank.stability import POWER
from goldassay.questions.rank.study import AgainstPeople, RankStudy
from goldassay.questions.rank.systems import RankedSystems
from goldassay.results import Estimate, Result, Sentence, Undefined

__all__ = [
    "AGGREGATION_WORDS",
    "ordinal",
    "place",
    "resampled_unit",
    "sentences",
    "value_words",
    "warnings",
]

AGGREGATION_WORDS: Mapping[Aggregation, str] = {
    "mean": "mean",
    "median": "median",
    "win_rate": "win rate",
    "bradley_terry": "Bradley-Terry",
}


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


def value_words(result: Result | None, digits: int = 2, sign: str = "") -> str:
    """A value with its interval, as "0.78 (0.72, 0.91)"; `sign` "+" writes it always.

    >>> value_words(Estimate("kendall_tau", 0.5)), value_words(None)
    ('0.50', '')
    """
    if result is None:
        return ""
    if isinstance(result, Undefined):
        return "undefined"
    ends = () if result.interval is None else (result.interval.low, result.interval.high)
    value, *around = (_number(one, f"{sign}.{digits}f") for one in (result.value, *ends))
    return f"{value} ({', '.join(around)})" if around else value


def _number(value: float, form: str) -> str:
    return format(value, form) if np.isfinite(value) else "∞" if value > 0 else "-∞"


def resampled_unit(contest: Contest) -> str:
    """What a resample draws."""
    return "prompts" if contest.n_clusters == contest.n_prompts else "clusters of prompts"


def sentences(study: RankStudy) -> tuple[Sentence, ...]:
    """The answer: who ranks most like people, how sure that is, and who comes first."""
    said = [_no_gold()] if study.people is None else list(_leader(study.people, study.by))
    for one in study.systems:
        said += _top_two(one, study.contest)
    if study.people is not None and study.people.split_half is not None:
        said.append(_split_half(study.people.split_half))
    return tuple(said)


def _no_gold() -> Sentence:
    return Sentence(
        "rank.no_gold",
        "There is no gold: systems are ranked, and judges compared with one another only. "
        "Add people's ratings, or give --gold system,score or battles.",
    )


def _leader(people: AgainstPeople, by: Aggregation) -> Iterator[Sentence]:
    """The best ranker, whether others can be told apart from it, and how it departs from people."""
    first, *others = people.standings
    tau = first.judge.tau(by)
    if not isinstance(tau, Estimate):
        reason = tau.reason if isinstance(tau, Undefined) else "no ranking"
        text = f"No judge's ranking can be compared with people's: {reason}."
        yield Sentence("rank.not_comparable", text, facts={"reason": reason})
        return
    yield _kendall_tau(people, tau, by)
    if others and first.best is not None:
        yield _probability_best(first, first.best, others, by)
    if isinstance(shape := first.judge.decisiveness, Estimate):
        yield _decisiveness(first.judge.name, shape, value_of(first.judge.bias_delta))


def _kendall_tau(people: AgainstPeople, tau: Estimate, by: Aggregation) -> Sentence:
    first, *others = people.standings
    judge = first.judge.name
    level = [one.judge.name for one in others if one.judge.tau_or_least(by) == tau.value]
    number = tau.declared["systems"]
    opening = f"{judge} ranks systems most like people" if others else f"{judge}: how it ranks"
    if level:
        opening += f" (level with {_listed(level)})"
    words = f"{tau.value:.2f}"
    if tau.interval:
        words += f" ({tau.interval.low:.2f} to {tau.interval.high:.2f})"
    return Sentence(
        "rank.kendall_tau",
        f"{opening}: Kendall's tau {words} on {number} systems, scores aggregated by "
        f"{AGGREGATION_WORDS[by]}, gold from {people.gold.source}.",
        {"judge": judge},
        _estimate_facts(tau)
        | {
            "n_systems": number,
            "n_judges": len(people.standings),
            "level_with": level,
            "aggregation": by,
            "gold": people.gold.source,
        },
    )


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def _probability_best(
    first: Standing, best: Estimate, others: Sequence[Standing], by: Aggregation
) -> Sentence:
    """How often the judge leads, and from which of the others it is told apart."""
    behind = [one.behind for one in others if one.behind is not None]
    close = sum(one.interval is None or one.interval.low <= 0 for one in behind)
    compared, silent = len(behind), len(others) - len(behind)
    return Sentence(
        "rank.probability_best",
        f"It is the best ranker in {best.value:.0%} of the resamples of prompts; "
        f"{_told_apart(close, compared, silent)}.",
        {"judge": first.judge.name},
        {
            "name": best.name,
            "value": best.value,
            "aggregation": by,
            "n_others": len(others),
            "n_compared": compared,
            "n_not_told_apart": close,
        },
    )


def _told_apart(close: int, compared: int, silent: int) -> str:
    """How many of the other judges cannot be told apart from the best, in words."""
    if not compared:
        return "no other judge's ranking can be compared with people's"
    who = f"{close} of the other {compared} cannot be told apart from it"
    if compared == 1:
        who = f"the other {'cannot be' if close else 'is'} told apart from it"
    elif not close:
        who = f"all of the other {compared} are told apart from it"
    elif close == compared:
        who = f"none of the other {compared} can be told apart from it"
    if silent:
        who += f"; {silent} more {'has' if silent == 1 else 'have'} no ranking to compare"
    return who


def _decisiveness(judge: str, shape: Estimate, delta: float | None) -> Sentence:
    """What decisiveness and bias say about a judge."""
    interval = shape.interval
    if interval is not None and interval.low > 1:
        than_people, word = "more", "more decisive than people: it widens the gaps between systems"
    elif interval is not None and interval.high < 1:
        than_people, word = "less", "less decisive than people: it narrows the gaps between systems"
    else:
        than_people, word = "alike", "about as decisive as people"
    text = f"{judge} is {word} (decisiveness {value_words(shape)})"
    if delta is not None:
        text += f"; beyond that it favours or slights a system by about {delta:.3f} of win rate"
    facts = _estimate_facts(shape) | {"than_people": than_people, "bias_delta": delta}
    return Sentence("rank.decisiveness", f"{text}.", {"judge": judge}, facts)


def _top_two(ranked: RankedSystems, contest: Contest) -> Iterator[Sentence]:
    """The two systems on top, and the number of prompts at which they part."""
    if (top := ranked.top) is None:
        return
    first, second = contest.systems[top.first], contest.systems[top.second]
    about = {"judge": ranked.judge}
    facts: dict[str, Any] = {"first": first, "second": second}
    if top.prompts is None:
        text = f"{ranked.judge} puts {first} and {second} level at the top."
        yield Sentence("rank.top_level", text, about, facts)
        return
    half, likely = top.prompts
    n, unit = contest.n_clusters, resampled_unit(contest)
    yield Sentence(
        "rank.top_two",
        f"{ranked.judge} puts {first} first and {second} second. With a gap like this one, "
        f"{likely:,} {unit} tell the two apart with {100 * POWER:.0f} % power ({half:,} in half of "
        f"all tries); there are {n:,}.",
        about,
        facts
        | {"needed": likely, "needed_for_half": half, "power": POWER, "available": n, "unit": unit},
    )


def _split_half(half: SplitHalf) -> Sentence:
    between, judge = half.between, half.with_judge
    return Sentence(
        "rank.split_half",
        f"Two random halves of the gold agree with each other with tau {between.value:.2f} "
        f"(80 % of splits within {half.low:.2f} to {half.high:.2f}); {half.judge} agrees with "
        f"such a half with tau {judge.value:.2f}.",
        {"judge": half.judge},
        {
            between.name: between.value,
            judge.name: judge.value,
            "low": half.low,
            "high": half.high,
            "splits": between.declared["splits"],
        },
    )


def _estimate_facts(estimate: Estimate) -> dict[str, Any]:
    interval = estimate.interval
    return {
        "name": estimate.name,
        "value": estimate.value,
        "low": interval.low if interval else None,
        "high": interval.high if interval else None,
    }


def warnings(study: RankStudy) -> tuple[str, ...]:
    """What was not matched, not rated or left out, so that nothing is dropped in silence."""
    contest, people = study.contest, study.people
    said = list(_not_matched(people.gold.unmatched)) if people else []
    said += [f"The judge {name} has no usable rating; it is not ranked." for name in contest.silent]
    if people is not None and people.gold.n_separated:
        said.append(_separated(people.gold))
    said += _missing_scores(contest)
    if people is not None and people.gold.n_pairs_dropped:
        said.append(
            f"{people.gold.n_pairs_dropped} pairs of systems have fewer than "
            f"{study.options.min_battles} untied comparisons by people; they are left out of "
            "win rates, decisiveness and bias."
        )
    return tuple(said)


def _not_matched(names: Unmatched) -> Iterator[str]:
    """Systems that only people or only judges rated, and battles with such systems."""
    if strange := names.gold_only:
        listed = [hint(*pair) for pair in names.meant.items()][:3] or map(shown, strange[:5])
        more = ", ..." if len(strange) > 5 else ""
        yield f"{len(strange)} gold systems were not judged: {', '.join(listed)}{more}."
    if silent := names.judged_only:
        more = ", ..." if len(silent) > 8 else ""
        yield (
            f"{len(silent)} judged systems have no gold: {', '.join(map(shown, silent[:8]))}{more}"
            ". They are ranked, and left out of the comparison with people."
        )
    if names.battles_dropped:
        yield (
            f"{names.battles_dropped:,.0f} of {names.battles:,.0f} gold battles involve a system "
            "that no judge rated; they are left out."
        )


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
        yield f"{contest.judges[j]} gave {contest.systems[s]} no score; it is unranked there."
    share = absent.mean(axis=(1, 2))
    partly = [(contest.judges[j], share[j]) for j in np.argsort(-share) if share[j] > 0]
    if partly:
        listed = ", ".join(
            f"{name} {value:.1%}" if value >= 0.001 else f"{name} < 0.1%"
            for name, value in partly[:5]
        )
        more = f", and {len(partly) - 5} more" if len(partly) > 5 else ""
        yield (
            f"Scores missing (not rated, invalid or left out): {listed}{more}. Each pair of "
            "systems is compared on the prompts that both have."
        )
