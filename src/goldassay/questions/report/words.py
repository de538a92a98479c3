"""The first screen in words: the answer in three plain sentences, what may and may not be written.

Every sentence is made from results of the study and carries them as its facts, each under the name
of the question that found it; nothing is said that an interval does not support. Names of
coefficients are avoided: whoever wants these finds them below.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from goldassay.glossary import words
from goldassay.questions.agree.words import TIES_COUNT
from goldassay.questions.rank.words import cannot_tell
from goldassay.questions.report.study import ReportStudy, Strip
from goldassay.results import Estimate, Interval, Sentence
from goldassay.words import beside, counted, decimal, figure, interval_text, listed, named, percent

__all__ = ["answer", "may", "may_not", "nothing"]

#: Rivals that a sentence names; of more it gives the count.
MOST_NAMED = 3
#: An interval of a rate that leaves out less than this says nothing, and is nothing to write.
NO_RATE = 0.01
#: From this share of definitions on, who comes out first hardly depends on them.
MOST_DEFINITIONS = 0.9


def answer(study: ReportStudy) -> tuple[Sentence, ...]:
    """Which judge and how far to trust it; the true rate; the main reservation."""
    trust = _trust(study)
    # Where trust rests on the order, or on the correlation, that is said once.
    told = [
        None if study.agreement is None and _has(trust, one) else one
        for one in (_correlation(study), _order(study))
    ]
    said = [trust, told[0], _rate(study), _reservation(study), told[1], _ceiling(study)]
    # Where none of it is known, each question's own answer says what is.
    own = [part.found.answer[0] for part in study.parts if part.found.answer]
    return (_distinct(said) or _distinct(own))[:3]


def nothing(not_run: Sequence[Mapping[str, str]]) -> tuple[Sentence, ...]:
    """Why there is no answer at all, in the words of the first question that has none."""
    if not not_run:
        return ()
    first = not_run[0]
    text = f"No question can be answered yet. {first['reason']}"
    return (Sentence("report.nothing", text, {}, {"verb": first["verb"], "undefined": text}),)


def may(study: ReportStudy) -> tuple[Sentence, ...]:
    """What the results carry, in sentences to be copied, each with its method and numbers."""
    said = [*_rates(study), _agreement(study), _best(study), _ranks(study)]
    return _distinct(said)[:4]


def may_not(study: ReportStudy) -> tuple[Sentence, ...]:
    """What one would like to write, and the results do not carry."""
    said = [
        _own_rate(study),
        _chance(study),
        _not_best(study),
        _as_good_as_people(study),
        _not_ranks(study),
    ]
    return (*_distinct(said)[:4], *_distinct([_elsewhere(study)]))


def _has(whole: Sentence | None, part: Sentence | None) -> bool:
    return whole is not None and part is not None and part.text in whole.text


def _distinct(said: Sequence[Sentence | None]) -> tuple[Sentence, ...]:
    return tuple({one.text: one for one in said if one}.values())


def _facts(verb: str, **results: Estimate | None) -> dict[str, Any]:
    """Results as facts: value and ends, under the name of what each is in the sentence."""
    facts: dict[str, Any] = {"verb": verb}
    for key, result in results.items():
        if result is not None:
            interval = result.interval
            facts[key] = {
                "name": result.name,
                "value": result.value,
                "low": interval.low if interval else None,
                "high": interval.high if interval else None,
                "n_items": result.n_items,
                "confidence_level": interval.confidence_level if interval else None,
            }
    return facts


def _about(study: ReportStudy) -> Mapping[str, str]:
    return {"judge": study.judge} if study.judge else {}


def _about_strip(study: ReportStudy, strip: Strip) -> Mapping[str, str]:
    about = {**_about(study), "option": strip.option}
    return about | ({"criterion": strip.criterion} if strip.criterion else {})


# --- the answer -------------------------------------------------------------------------------


def _trust(study: ReportStudy) -> Sentence | None:
    """How often the judge gives people's verdict, and whether it is the best."""
    if study.agreement is None:
        rests_on = _correlation(study) if study.criterion == "pearson" else _order(study)
        return _standing_of(study, rests_on or _order(study))
    agreed, chance = study.agreement.agreed, study.agreement.chance
    facts = _facts("agree", agreed=agreed, chance=chance)
    facts |= {"rivals": list(study.rivals), "judges": len(study.judges), "unit": study.unit}
    share = f"{named(study.judge)} {_agrees(study)} on {figure(agreed)} of "
    share += f"{counted(agreed.n_items, study.unit)}{_ties(study, facts)}"
    if chance is not None:
        share += f", where chance would give {percent(chance.value)}"
    return Sentence("report.trust", f"{_standing(study)}{share}.", _about(study), facts)


def _agrees(study: ReportStudy) -> str:
    """With half a tie counted, agreement is no share of equal verdicts."""
    half = study.task.tie is not None and study.task.ties == "half"
    return "agrees with people" if half else "gives people's verdict"


def _ties(study: ReportStudy, facts: dict[str, Any]) -> str:
    """How ties count, and how often each side calls one where that differs, as `agree` has it."""
    if study.task.tie is None:
        return ""
    facts["ties"] = study.task.ties
    said = TIES_COUNT[study.task.ties]
    own = _agreed(study)
    if "tie_rate" in own:
        facts |= {key: own[key] for key in ("tie_rate", "human_tie_rate")}
        rates = map(percent, (own["tie_rate"], own["human_tie_rate"]))
        said += "; it calls {} ties, people {}".format(*rates)
    return f" ({said})"


def _agreed(study: ReportStudy) -> Mapping[str, Any]:
    """What `agree` says of the judge's agreement."""
    agree = study.part("agree")
    every = (*agree.answer, *agree.notes) if agree else ()
    return next(
        (
            one.facts
            for one in every
            if one.key == "agree.accuracy" and one.about.get("judge") == study.judge
        ),
        {},
    )


def _standing(study: ReportStudy) -> str:
    """Whether the judge is the best of several, as far as that can be told."""
    many = len(study.judges)
    if many < 2 or not study.compared:
        return ""
    by = f" by {words(study.criterion)}"
    if not study.rivals:
        return f"{named(study.judge)} is the best of {many} judges{by}. "
    if len(study.rivals) == many - 1:
        return f"The {many} judges cannot be told apart{by}. "
    return f"{_together(study)} cannot be told apart as the best of {many} judges{by}. "


def _together(study: ReportStudy) -> str:
    if len(study.rivals) > MOST_NAMED:
        return f"{named(study.judge)} and {len(study.rivals)} others"
    return listed([named(one) for one in (study.judge, *study.rivals)])


def _standing_of(study: ReportStudy, said: Sentence | None) -> Sentence | None:
    """Whether the judge is the best, and what is said of it."""
    if said is None or not study.compared:
        return said
    facts = {**said.facts, "rivals": list(study.rivals), "judges": len(study.judges)}
    return Sentence("report.trust", f"{_standing(study)}{said.text}", said.about, facts)


def _correlation(study: ReportStudy) -> Sentence | None:
    """How far a judge's real-valued scores go with people's."""
    pearson = study.result("agree", "pearson", study.judge)
    if study.agreement is not None or pearson is None or study.task.scale != "continuous":
        return None
    text = (
        f"On single {study.unit}s the scores of {named(study.judge)} correlate with people's at "
        f"{figure(pearson)} (Pearson, {counted(pearson.n_items, study.unit)})."
    )
    return Sentence("report.correlation", text, _about(study), _facts("agree", pearson=pearson))


def _rate(study: ReportStudy) -> Sentence | None:
    """The judge's own rate and the true one: of the only strip, or of the one furthest off."""
    strips = [strip for strip in study.strips if strip.true.interval]
    if not strips:
        return None
    strip = max(strips, key=_off)
    facts = _facts("estimate", true=strip.true, called=strip.called)
    about = _about_strip(study, strip)
    if len(strips) > 1 and not strip.apart:
        what = "option" if strips[0].criterion is None else "criterion"
        text = (
            f"For each {what} the rate that {named(study.judge)} gives lies within what people's "
            "labels allow."
        )
        return Sentence("report.rates_within", text, about, facts | {"strips": len(strips)})
    where = f" on {named(strip.criterion)}" if strip.criterion else ""
    text = f"The true rate of {named(strip.option)}{where} is likely {_range(strip.true)}"
    if strip.called is not None and (interval := strip.true.interval) is not None:
        called, likely = beside(strip.called.value, interval.low, interval.high)
        text = (
            f"{named(study.judge)} calls {called} {named(strip.option)}{where}; the true rate is "
            f"likely {likely}"
        )
    return Sentence("report.rate", f"{text}.", about, facts)


def _off(strip: Strip) -> float:
    """How far the judge's own rate lies outside the interval."""
    interval = strip.true.interval
    if strip.called is None or interval is None:
        return float("-inf")
    return max(interval.low - strip.called.value, strip.called.value - interval.high)


def _reservation(study: ReportStudy) -> Sentence | None:
    """The first that applies: no better than chance; another judge orders systems better; which
    judge is best depends on how agreement is measured."""
    if study.judge and _weak(study, study.judge):
        kappa = _beyond_chance(study, study.judge)
        worse = kappa is not None and kappa.interval is not None and kappa.interval.high < 0
        text = (
            f"{named(study.judge)} agrees with people less than chance would: its verdicts may be "
            "turned round."
            if worse
            else f"These {study.unit}s do not show that {named(study.judge)} does better than "
            "chance."
        )
        return Sentence("report.chance", text, _about(study), _facts("agree", kappa=kappa))
    other_first = study.orderly is not None and not cannot_tell(study.orderly[1])
    if study.orderly and other_first and study.agreement is not None and study.order is not None:
        other, tau = study.orderly
        level = study.judge in study.level_by_order
        text = (
            f"The judge that is first on single items is not the one with the highest agreement on "
            f"the order of systems: {_two_orders(other, tau, study.judge, study.order)}"
        )
        text += "; these prompts cannot tell the two apart." if level else "."
        facts = _facts("rank", tau=study.order, other_tau=tau)
        facts |= {"other": other, "cannot_be_told": level}
        if _are_pairs(tau, study.order):
            facts |= _shares(study.order) | {"other_pairs": (1 + tau.value) / 2}
        return Sentence("report.other_ranker", text, _about(study), facts)
    return _definitions(study)


def _definitions(study: ReportStudy) -> Sentence | None:
    """How many definitions of agreement select each judge, as the audit has it."""
    audit = study.part("audit")
    said = (*audit.answer, *audit.notes) if audit else ()
    selected = next((one.facts for one in said if one.key == "audit.selection"), None)
    if not selected or len(study.judges) < 2:
        return None
    ways, number = selected["selected_by"], selected["n_definitions"]
    facts = {"verb": "audit", "ways": ways, "n_definitions": number}
    first, alike = next(iter(ways)), selected["level"]
    if len(ways) == 1 and study.judge in alike:
        text = (
            f"Each of the audit's {number} definitions of agreement selects {named(first)}, and "
            f"{named(study.judge)} scores the same by all of them."
        )
        return Sentence("report.definitions", text, {"judge": first}, facts)
    if len(ways) == 1 and first == study.judge:
        text = f"Each of the audit's {number} definitions of agreement selects {named(first)} too."
        return Sentence("report.definitions", text, {"judge": first}, facts)
    if study.judge == first and ways[first] >= MOST_DEFINITIONS * number:
        others = listed([f"{named(judge)} by {n}" for judge, n in ways.items() if judge != first])
        text = (
            f"{named(first)} is selected by {ways[first]} of the audit's {number} definitions of "
            f"agreement, {others}."
        )
        return Sentence("report.definitions", text, {"judge": first}, facts)
    each = listed([f"{named(judge)} by {count}" for judge, count in ways.items()][:4])
    text = (
        "Which judge comes out first depends on how agreement is measured: "
        f"{each} of the audit's {number} definitions"
    )
    by = f", {named(study.judge)} by {words(study.criterion)}" if study.criterion else ""
    text += "." if study.judge in ways else f"{by}."
    return Sentence("report.definitions", text, {}, facts)


def _order(study: ReportStudy) -> Sentence | None:
    """Kendall's tau as the share of pairs of systems in people's order."""
    tau = study.order
    if tau is None:
        return None
    facts = _facts("rank", tau=tau) | _shares(tau)
    if cannot_tell(tau):
        unknown = f"whether {named(study.judge)} puts systems in people's order"
        text = f"These prompts do not tell {unknown}."
        return Sentence("report.order_unknown", text, _about(study), facts)
    text = f"{named(study.judge)} {_ordered(tau)}."
    return Sentence("report.order", text, _about(study), facts)


def _ceiling(study: ReportStudy) -> Sentence | None:
    """A judge beside people, on equal terms."""
    both = study.agreement
    if both is None or both.people is None or both.person is None:
        return None
    text = (
        f"On the same {study.unit}s a person agrees with {named(study.judge)} on "
        f"{figure(both.person)} and with another person on {figure(both.people)}."
    )
    facts = _facts("agree", person=both.person, people=both.people, gap=both.gap)
    return Sentence("report.people", text, _about(study), facts)


# --- what may be written ------------------------------------------------------------------------


def _rates(study: ReportStudy) -> list[Sentence | None]:
    told = [one for one in study.strips if one.true.interval and not _any_rate(one.true.interval)]
    return [_quoted_rate(study, strip) for strip in told[:2]]


def _any_rate(interval: Interval) -> bool:
    """Whether an interval leaves out no rate, as far as a percentage shows."""
    return interval.length > 1 - NO_RATE


def _quoted_rate(study: ReportStudy, strip: Strip) -> Sentence:
    true = strip.true
    where = f" on {named(strip.criterion)}" if strip.criterion else ""
    everyone, whose = study.labelled_by_all, ", labelled by people"
    if everyone > true.n_items:
        whose = f" that {named(study.judge)} decides, of {everyone:,} labelled by people"
    text = (
        f"“{percent(true.value, _ends(true))}{where} are {named(strip.option)} "
        f"({_level(true)} CI {_range(true)}; {_labels(strip, study, whose)}"
    )
    if tied := _agreed(study).get("tied"):
        text += f", people being divided on {tied:,}"
    text += ").”"
    facts = _facts("estimate", true=true)
    facts |= {"assumptions": list(true.assumptions), "labelled": study.labelled, "divided": tied}
    if true.declared.get("calibration") == "separate":
        facts["judged"] = true.n_items - study.labelled
    facts |= {"all_labelled": everyone} if everyone > true.n_items else {}
    return Sentence("report.may_rate", text, _about_strip(study, strip), facts)


def _agreement(study: ReportStudy) -> Sentence | None:
    agreed = study.agreement.agreed if study.agreement else None
    if agreed is None or agreed.interval is None:
        return None
    share = f"{percent(agreed.value, _ends(agreed))} of {counted(agreed.n_items, study.unit)}"
    facts = _facts("agree", agreed=agreed)
    ties = _ties(study, facts).removeprefix(" (").removesuffix(")")
    text = (
        f"“{named(study.judge)} {_agrees(study)} on {share} "
        f"({_level(agreed)} CI {_range(agreed)}{f'; {ties}' if ties else ''}).”"
    )
    return Sentence("report.may_agree", text, _about(study), facts)


def _best(study: ReportStudy) -> Sentence | None:
    if not study.compared or study.rivals:
        return None
    text = f"“{named(study.judge)} is the best of these {len(study.judges)} judges"
    by = f" by {words(study.criterion)}"
    facts = {"verb": "select", "criterion": study.criterion, "judges": len(study.judges)}
    return Sentence("report.may_best", f"{text}{by}.”", _about(study), facts)


def _ranks(study: ReportStudy) -> Sentence | None:
    tau = study.order
    if tau is None or tau.interval is None or tau.interval.low <= 0:
        return None
    text = f"“{named(study.judge)} {_ordered(tau)}.”"
    facts = _facts("rank", tau=tau) | _shares(tau)
    return Sentence("report.may_rank", text, _about(study), facts)


# --- what may not -------------------------------------------------------------------------------


def _own_rate(study: ReportStudy) -> Sentence | None:
    strips = [strip for strip in study.strips if strip.called is not None and strip.true.interval]
    if not strips:
        return None
    strip = max(strips, key=_off)
    called, true = strip.called, strip.true
    assert called is not None
    if percent(called.value) in (percent(true.value), percent(true.value, _ends(true))):
        return None  # the same words may be written of the corrected rate
    own = percent(called.value)
    if strip.apart and own.removesuffix(" %") in interval_text(*_ends(true), rate=True).split(", "):
        own = percent(called.value, _ends(true))  # beyond an end that is written alike
    where = f" on {named(strip.criterion)}" if strip.criterion else ""
    off = "outside what people's labels allow" if strip.apart else "its errors included"
    text = f"“{own}{where} are {named(strip.option)}”: that is the judge's own rate, {off}."
    facts = _facts("estimate", called=called, true=true) | {"apart": strip.apart}
    return Sentence("report.not_own_rate", text, _about_strip(study, strip), facts)


def _weak(study: ReportStudy, judge: str) -> bool:
    """Whether chance may do as well; not to be said where people used one option only."""
    kappa = _beyond_chance(study, judge)
    several = study.result("agree", "balanced_accuracy", judge) is not None
    return several and kappa is not None and kappa.interval is not None and kappa.interval.low <= 0


def _beyond_chance(study: ReportStudy, judge: str) -> Estimate | None:
    """The kappa that shows most: of grades near misses may be beyond chance, or hits alone."""
    found = [study.result("agree", name, judge) for name in ("cohen_kappa", "weighted_kappa")]
    known = [one for one in found if one is not None and one.interval is not None]
    return max(known, key=lambda one: one.interval.low if one.interval else 0.0, default=None)


def _chance(study: ReportStudy) -> Sentence | None:
    weak = [judge for judge in study.judges if _weak(study, judge)]
    if not weak:
        return None
    who = listed([named(judge) for judge in weak[:MOST_NAMED]])
    if len(weak) > MOST_NAMED:
        who = f"{', '.join(map(named, weak[:MOST_NAMED]))} and {len(weak) - MOST_NAMED} more"
    verb = "does" if len(weak) == 1 else "do"
    text = f"“{who} {verb} better than chance”: these {study.unit}s do not show it."
    return Sentence("report.not_chance", text, {}, {"verb": "agree", "judges": weak})


def _not_best(study: ReportStudy) -> Sentence | None:
    if not study.compared or not study.rivals:
        return None
    others = listed([named(one) for one in study.rivals])
    if len(study.rivals) > MOST_NAMED:
        others = f"{len(study.rivals)} of the other judges"
    text = (
        f"“{named(study.judge)} is better than {others}”: these {study.unit}s cannot tell them "
        "apart."
    )
    if study.criterion == "kendall_tau":
        text = (
            f"“{named(study.judge)} orders systems better than {others}”: these prompts cannot "
            "tell them apart."
        )
    facts = {"verb": "select", "rivals": list(study.rivals)}
    return Sentence("report.not_best", text, _about(study), facts)


def _as_good_as_people(study: ReportStudy) -> Sentence | None:
    """Only where people agree with one another more, on the same items, beyond doubt."""
    both = study.agreement
    gap = both.gap.interval if both and both.gap else None
    if both is None or both.person is None or both.people is None or gap is None or gap.high >= 0:
        return None
    text = (
        f"“{named(study.judge)} is as good as a person”: on the same {study.unit}s a person "
        f"agrees with another on {figure(both.people)}, with it on {figure(both.person)}."
    )
    facts = _facts("agree", person=both.person, people=both.people, gap=both.gap)
    return Sentence("report.not_as_people", text, _about(study), facts)


def _not_ranks(study: ReportStudy) -> Sentence | None:
    tau = study.order
    if tau is None or tau.interval is None or tau.interval.low > 0:
        return None
    text = f"“{named(study.judge)} orders systems as people do”: these prompts do not show it."
    return Sentence("report.not_rank", text, _about(study), _facts("rank", tau=tau))


def _elsewhere(study: ReportStudy) -> Sentence | None:
    items = study.labelled or study.items
    if not items:
        return None
    text = (
        "That this holds for other items, another prompt or the next version of a judge: it was "
        f"measured on {counted(items, study.unit)}, with the judges as they were."
    )
    return Sentence("report.elsewhere", text, {}, {"n_items": items, "unit": study.unit})


# --- numbers in them ----------------------------------------------------------------------------


def _ends(result: Estimate) -> tuple[float | None, float | None]:
    return (result.interval.low, result.interval.high) if result.interval else (None, None)


def _range(result: Estimate) -> str:
    """The interval in words: `68 to 75 %`."""
    low, high = _ends(result)
    return f"{interval_text(low, high, rate=True).replace(', ', ' to ')} %"


def _level(result: Estimate) -> str:
    return percent(result.interval.confidence_level) if result.interval else ""


def _labels(strip: Strip, study: ReportStudy, whose: str) -> str:
    """What the rate rests on: `corrected by people's labels on 1,000 of 15,099 items`; `whose` says
    it of items that are all labelled."""
    unit = "item" if study.unit == "decision" else study.unit
    items, labelled = counted(strip.true.n_items, unit), study.labelled
    if not 0 < labelled < strip.true.n_items:
        return f"{items}{whose}"
    if strip.true.declared.get("calibration") == "separate":
        judged = counted(strip.true.n_items - labelled, unit)
        return f"judge's verdicts on {judged} corrected by people's labels on {labelled:,} others"
    return f"judge's verdicts corrected by people's labels on {labelled:,} of {items}"


def _are_pairs(*taus: Estimate) -> bool:
    """Whether tau tells the share of pairs in people's order: where no pair is level."""
    return all(tau.declared.get("level_pairs") == 0 for tau in taus)


def _two_orders(one: str, tau: Estimate, two: str | None, second: Estimate) -> str:
    if _are_pairs(tau, second):
        return (
            f"{named(one)} puts {_pairs(tau)} of pairs of systems in people's order, "
            f"{named(two)} {_pairs(second)}"
        )
    return (
        f"Kendall's tau with people's order is {decimal(tau.value)} for {named(one)} and "
        f"{decimal(second.value)} for {named(two)}"
    )


def _ordered(tau: Estimate) -> str:
    """What a judge's order is worth: pairs in people's order; tau alone where pairs are level."""
    if _are_pairs(tau):
        return f"puts {_pairs(tau)} of pairs of systems in people's order{_likely_pairs(tau)}"
    return f"orders systems with Kendall's tau {figure(tau)} to people's order (1 is the same)"


def _shares(tau: Estimate) -> dict[str, float]:
    """Tau and its ends as shares of pairs of systems in people's order, where it is one."""
    if not _are_pairs(tau):
        return {}
    ends = (tau.interval.low, tau.interval.high) if tau.interval else ()
    keys = ("pairs", "pairs_low", "pairs_high")
    return {key: (1 + one) / 2 for key, one in zip(keys, (tau.value, *ends), strict=False)}


def _pairs(tau: Estimate) -> str:
    return percent((1 + tau.value) / 2)


def _likely_pairs(tau: Estimate) -> str:
    if tau.interval is None:
        return ""
    low, high = ((1 + end) / 2 for end in (tau.interval.low, tau.interval.high))
    ends = interval_text(low, high, rate=True).replace(", ", " to ")
    return f" (likely {ends} %; Kendall's tau {decimal(tau.value)})"
