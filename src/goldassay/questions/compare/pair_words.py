"""One pair of systems in sentences: which is better, what judge and labels say, what would tell."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from goldassay.questions.compare.needed import ASSURANCE, POWER
from goldassay.questions.compare.record import JudgeComparison, Pair
from goldassay.questions.estimate.design import if_errs_alike
from goldassay.questions.estimate.label_use import if_alike
from goldassay.questions.estimate.shift import if_like_the_others
from goldassay.results import Estimate, Result, Sentence
from goldassay.words import (
    counted,
    decimal,
    figure_text,
    named,
    p_said,
    percent,
    points,
    rounded_up,
)

__all__ = [
    "about",
    "beside_said",
    "difference_text",
    "ends_of",
    "gap_text",
    "granted",
    "is_practical",
    "nearest_said",
    "needed_said",
    "pair_facts",
    "pair_said",
    "plain_gap",
]

#: Of more items than this of each system nothing is foretold.
PRACTICAL = 100_000


def difference_text(result: Result, one: JudgeComparison, *, turned: bool = False) -> str:
    """A difference with its interval; `turned` as the other system less this one."""
    assert isinstance(result, Estimate)
    sign = -1.0 if turned else 1.0
    ends = None
    if result.interval is not None:
        low, high = sorted((sign * result.interval.low, sign * result.interval.high))
        ends = (low, high)
    return gap_text(sign * result.value + 0.0, ends, one)


def gap_text(value: float, ends: tuple[float, float] | None, one: JudgeComparison) -> str:
    """A difference: of rates in points, of means in their own unit."""
    return points(value, ends) if one.measure.rate else figure_text(value, ends)


def ends_of(key: str, result: Estimate) -> dict[str, float]:
    """A result's value under a key, and its ends."""
    facts = {key: result.value}
    if result.interval is not None:
        facts |= {f"{key}_low": result.interval.low, f"{key}_high": result.interval.high}
    return facts


def plain_gap(value: float, one: JudgeComparison) -> str:
    return points(value) if one.measure.rate else decimal(value)


def pair_facts(one: JudgeComparison, pair: Pair) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "system": pair.system,
        "opponent": pair.opponent,
        "verdict": pair.verdict,
        "p_value": pair.p_value,
        "estimator": one.systems.estimator,
        "shared_labels": one.systems.shared,
        "confidence_level": one.asked.confidence_level,
    }
    gap = pair.difference
    if isinstance(gap, Estimate) and gap.interval is not None:
        facts |= {"value": gap.value, "low": gap.interval.low, "high": gap.interval.high}
        facts |= {key: gap.declared[key] for key in ("margin", "p_no_worse") if key in gap.declared}
    return facts


def about(one: JudgeComparison, pair: Pair | None = None) -> dict[str, str]:
    about = dict(one.subject.named)
    return about | ({"system": pair.system, "opponent": pair.opponent} if pair else {})


def granted(one: JudgeComparison, text: str) -> str:
    """A sentence about systems with what it takes for granted: where they rest on the labels of
    all, that the judge errs alike on them; where the verdicts refute a random draw of the labels,
    the draw."""
    given = if_like_the_others("output") if one.unlike_others else ""
    given += if_errs_alike([one.systems.assumption])
    given += if_alike(named(one.subject.judge), shared=one.systems.shared)
    return f"{given[0].upper()}{given[1:]}{text[0].lower()}{text[1:]}" if given else text


def pair_said(one: JudgeComparison, pair: Pair) -> Sentence:
    b, a = named(pair.system), named(pair.opponent)
    key, facts = "compare.verdict", pair_facts(one, pair)
    gap = pair.difference
    if not isinstance(gap, Estimate):
        facts["reason"] = gap.reason
        text = f"It cannot be told whether {b} or {a} is better: {gap.reason}."
        return Sentence(key, text, about(one, pair), facts)
    p = p_said(1.0 if pair.p_value is None else pair.p_value)
    figure, words = difference_text(gap, one), one.measure.words
    if pair.verdict == "better":
        text = f"{b} is better than {a}: its {words} is higher by {figure} ({p})."
    elif pair.verdict == "worse":
        lower = difference_text(gap, one, turned=True)
        if gap.interval is not None:
            ends = {"low": -gap.interval.high, "high": -gap.interval.low}
            facts["lower"] = {"value": -gap.value, **ends}
        text = f"{b} is worse than {a}: its {words} is lower by {lower} ({p})."
    elif pair.verdict == "no worse":
        margin = plain_gap(float(one.asked.margin or 0.0), one)
        text = (
            f"{b} is no worse than {a} by the margin of {margin}: the difference of their "
            f"{words}s is {figure}"
        )
        below = gap.interval is not None and gap.interval.high < 0
        text += f"; it is lower, by less than the margin ({p})." if below else f" ({p})."
    else:
        text = (
            f"It cannot be told whether {b} or {a} is better: the difference of their {words}s is "
            f"{figure} ({p})."
        )
    text = granted(one, text)
    return Sentence(key, text, about(one, pair), facts)


def beside_said(one: JudgeComparison, pair: Pair) -> Sentence | None:
    """The judge's own difference, and that of labels alone."""
    own, only = pair.judge, pair.labels
    if not isinstance(own, Estimate) or not isinstance(pair.difference, Estimate):
        return None
    if one.systems.other_scale and not pair.turned and not pair.sign_differs:
        return None
    judge = named(one.subject.judge)
    facts: dict[str, Any] = {
        **ends_of("judge", own),
        "value": pair.difference.value,
        "turned": pair.turned,
        "sign_differs": pair.sign_differs,
        **(ends_of("labels", only) if isinstance(only, Estimate) else {"labels": None}),
    }
    scale = ", on another scale" if one.systems.other_scale else ""
    text = f"{judge} alone would say {difference_text(own, one)}{scale}"
    if isinstance(only, Estimate) and not one.systems.uncorrected:  # else it is the answer itself
        text += f", people's labels alone {difference_text(only, one)}"
    if pair.turned:
        text += ": the judge has the two the wrong way round."
    elif pair.sign_differs:
        text += "; the sign of the judge's difference is not that of the corrected one."
    else:
        text += "."
    return Sentence("compare.beside", text, about(one, pair), facts)


def needed_said(one: JudgeComparison, pair: Pair) -> Sentence | None:
    """How many labels, or items, would tell."""
    needed = pair.needed
    if needed is None:
        return None
    facts: dict[str, Any] = {
        "labels": needed.labels,
        "labels_assured": needed.labels_assured,
        "items": needed.items,
        "items_assured": needed.items_assured,
        "labels_now": needed.labels_now,
        "items_now": needed.items_now,
        "power": POWER,
        "assurance": ASSURANCE,
        "apart_from": needed.apart_from,
    }
    both = f"{named(pair.system)} and {named(pair.opponent)}"
    what = "tell them apart" if needed.apart_from == 0 else "show that it is no worse"
    often = f"{round(10 * POWER)} times in 10, were the difference as large as it looks"
    sure = f"To be {percent(ASSURANCE)} sure of that it takes"
    if needed.labels is not None:
        facts["labels_about"] = about_labels = min(rounded_up(needed.labels), needed.items_now)
        text = (
            f"About {counted(about_labels, 'label')} of each of {both} would {what} {often} "
            f"(now {needed.labels_now:,}{' on average' if needed.on_average else ''})."
        )
        assured = "No number of labels of these items makes that sure."
        if needed.labels_assured is not None:
            facts["assured_about"] = min(rounded_up(needed.labels_assured), needed.items_now)
            assured = f"{sure} {facts['assured_about']:,}."
        return Sentence("compare.needed", f"{text} {assured}", about(one, pair), facts)
    if not is_practical(needed.items):
        facts["practical"] = PRACTICAL
        text = (
            f"If the difference of {both} is as small as it looks, no practical number of items "
            f"would {what}: it takes more than {PRACTICAL:,} of each."
        )
        return Sentence("compare.needed", text, about(one, pair), facts)
    facts["items_about"] = rounded_up(needed.items or 0)
    text = (
        f"Labels of these items alone would not {what}. About "
        f"{counted(facts['items_about'], 'item')} of each of {both}, the same share of them "
        f"labelled, would {often} (now {needed.items_now:,})."
    )
    if is_practical(needed.items_assured):
        facts["assured_about"] = rounded_up(needed.items_assured or 0)
        text += f" {sure} {facts['assured_about']:,}."
    return Sentence("compare.needed", text, about(one, pair), facts)


def is_practical(items: int | None) -> bool:
    """Whether so many items of a system are worth a forecast."""
    return items is not None and items <= PRACTICAL


def nearest_said(one: JudgeComparison) -> Sentence | None:
    """Of several pairs that are not told apart, what the one that is nearest to it would take."""
    open_pairs = [pair for pair in one.pairs if pair.needed is not None]

    def effort(pair: Pair) -> tuple[bool, float]:
        needed = pair.needed
        assert needed is not None
        return needed.labels is None, needed.labels or needed.items or math.inf

    nearest = min(open_pairs, key=effort, default=None)
    said = needed_said(one, nearest) if nearest else None
    if said is None or len(open_pairs) == 1:
        return said
    if "practical" in said.facts:
        text = (
            f"If the differences that cannot be told from 0 are as small as they look, no "
            f"practical number of items would tell them: each takes more than {PRACTICAL:,} of "
            "each system."
        )
    else:
        others = len(open_pairs) - 1
        more = "other pair" if others == 1 else f"{others:,} other pairs"
        text = f"{said.text} The {more} that cannot be told apart would take as much or more."
    return replace(said, text=text, facts={**said.facts, "other_pairs": len(open_pairs) - 1})
