"""The answer of a report in three plain sentences.

Every sentence is made from results of the study and carries them as its facts, each under the name
of the question that found it; nothing is said that an interval does not support. Names of
coefficients are avoided: whoever wants these finds them below.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from goldassay.glossary import words
from goldassay.questions.estimate.shift import if_like_the_others
from goldassay.questions.rank.words import cannot_tell
from goldassay.questions.report.facts import (
    about_judge,
    about_mean,
    about_strip,
    agreed_on,
    agrees_said,
    are_pairs,
    beyond_chance,
    by_weight,
    distinct,
    ends_of,
    granted,
    is_contrary,
    is_weak,
    on_decided,
    order_said,
    pair_shares,
    pairs_text,
    range_text,
    ties_said,
    undecided_said,
    verb_facts,
)
from goldassay.questions.report.study import ReportStudy, Strip
from goldassay.results import Estimate, Sentence
from goldassay.words import beside, between, counted, decimal, figure, listed, named, percent

__all__ = ["answer", "fault", "nothing"]

#: Rivals that a sentence names; of more it gives the count.
MOST_NAMED = 3
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
    rate = _mean(study) or _leader(study) or _rate(study)
    weak = [_not_random(study), _silence(study), _reservation(study)]
    said = [trust, told[0], rate, *weak, told[1], _ceiling(study)]
    # Where none of it is known, each question's own answer says what is.
    own = [part.found.answer[0] for part in study.parts if part.found.answer]
    return (distinct(said) or distinct(own))[:3]


def _not_random(study: ReportStudy) -> Sentence | None:
    """What refutes that the labels behind the true rate were drawn at random, as declared."""
    for criterion in dict.fromkeys(one.criterion for one in study.strips):
        refuted = study.unlike_others(criterion)
        if refuted is None:
            continue
        facts, judge = refuted.facts, named(refuted.about["judge"])
        seen = f"{judge} spreads its verdicts differently over both"
        if "option" in facts:
            seen = (
                f"{judge} calls {percent(facts['labelled'])} of them {named(facts['option'])} and "
                f"{percent(facts['others'])} of the others"
            )
        where = f" on {named(criterion)}" if criterion else ""
        text = f"The true rate{where} rests on labelled {study.unit}s that are not like the others:"
        told = {**facts, "verb": "estimate"}
        return Sentence("report.not_random", f"{text} {seen}.", refuted.about, told)
    return None


def _silence(study: ReportStudy) -> Sentence | None:
    """Where the judge's lead hangs on what it leaves out, or its numbers do."""
    for verb, key in (("select", "select.silent"), ("agree", "agree.silent")):
        part = study.part(verb)
        for one in (*part.answer, *part.notes) if part else ():
            if one.key == key and one.about.get("judge") == study.judge:
                return Sentence("report.silent", one.text, one.about, {"verb": verb, **one.facts})
    return None


def nothing(not_run: Sequence[Mapping[str, str]]) -> tuple[Sentence, ...]:
    """Why there is no answer at all, in the words of the first question that has none."""
    if not not_run:
        return ()
    first = not_run[0]
    text = f"No question can be answered yet. {first['reason']}"
    return (Sentence("report.nothing", text, {}, {"verb": first["verb"], "undefined": text}),)


def fault(verb: str, error: Exception) -> Sentence:
    """That a question failed, and how."""
    text = f"`{verb}` could not be answered: {error}."
    return Sentence("report.failed", text, {}, {"verb": verb, "undefined": text})


def _has(whole: Sentence | None, part: Sentence | None) -> bool:
    return whole is not None and part is not None and part.text in whole.text


def _trust(study: ReportStudy) -> Sentence | None:
    """How often the judge gives people's verdict, and whether it is the best."""
    if study.agreement is None:
        rests_on = _correlation(study) if study.criterion == "pearson" else _order(study)
        return _standing_of(study, rests_on or _order(study))
    agreed, chance = study.agreement.agreed, study.agreement.chance
    facts = verb_facts("agree", agreed=agreed, chance=chance)
    facts |= {"rivals": list(study.rivals), "judges": len(study.judges), "unit": study.unit}
    facts["not_compared"] = list(study.left_out)
    share = f"{named(study.judge)} {agrees_said(study)} on {figure(agreed)} of "
    share += f"{agreed_on(study, agreed)}{ties_said(study, facts)}"
    # Where people use one option only, chance is the judge's own rate of it; half a credit for
    # each tie is above chance whatever people say.
    ties = study.result("agree", "tie_rate", study.judge)
    told = study.result("agree", "balanced_accuracy", study.judge) is not None
    if chance is not None and told and not (ties is not None and ties.value == 1):
        share += f", where chance would give {percent(chance.value, ends_of(agreed))}"
    if silent := undecided_said(study, facts):
        share += f", and has {silent}"
    return Sentence("report.trust", f"{_standing(study)}{share}.", about_judge(study), facts)


def _standing(study: ReportStudy) -> str:
    """Whether the judge is the best of several, as far as that can be told."""
    if not study.compared:
        return ""
    by = f" by {words(study.criterion)}"
    if not study.rivals:
        return f"{named(study.judge)} is the best of {study.among}{by}. "
    if len(study.rivals) == len(study.judges) - len(study.left_out) - 1:
        return f"The {study.among.removeprefix('the ')} cannot be told apart{by}. "
    return f"{_together(study)} cannot be told apart as the best of {study.among}{by}. "


def _together(study: ReportStudy) -> str:
    if len(study.rivals) > MOST_NAMED:
        return f"{named(study.judge)} and {len(study.rivals)} others"
    return listed([named(one) for one in (study.judge, *study.rivals)])


def _standing_of(study: ReportStudy, said: Sentence | None) -> Sentence | None:
    """Whether the judge is the best, and what is said of it."""
    if said is None or not study.compared:
        return said
    facts = {**said.facts, "rivals": list(study.rivals), "judges": len(study.judges)}
    facts["not_compared"] = list(study.left_out)
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
    return Sentence(
        "report.correlation", text, about_judge(study), verb_facts("agree", pearson=pearson)
    )


def _mean(study: ReportStudy) -> Sentence | None:
    """The judge's mean grade and people's, which says more than the rates of grades."""
    mean = study.mean
    if mean is None:
        return None
    ends = mean.interval.low, mean.interval.high
    lead, there = on_decided(mean.true)
    text = (
        f"{lead}{named(study.judge)} scores {decimal(mean.called.value, ends)} on average"
        f"{mean.where}; people's mean{there} is likely {between(*ends)}."
    )
    facts = verb_facts("estimate", mean=mean.true, called=mean.called)
    key = "report.mean_on_criterion" if mean.criterion else "report.mean"
    return Sentence(key, text, about_mean(study, mean), facts)


def _leader(study: ReportStudy) -> Sentence | None:
    """Which system wins, as `compare` says it: of comparisons, how often the first side does is
    the rate of a place and no system's."""
    said = study.compared_systems if study.task.scale == "pairwise" else None
    if said is None:
        return None
    return Sentence("report.systems", said.text, said.about, {**said.facts, "verb": "compare"})


def _rate(study: ReportStudy) -> Sentence | None:
    """The judge's own rate and the true one: of the only strip, or of the one furthest off."""
    strips = [strip for strip in study.strips if strip.true.interval]
    if not strips:
        return None
    strip = max(strips, key=lambda one: one.outside)
    facts = verb_facts("estimate", true=strip.true, called=strip.called)
    about = about_strip(study, strip)
    if len(strips) > 1 and not strip.apart:
        what = "option" if strips[0].criterion is None else "criterion"
        several = what == "criterion" and len({one.option for one in strips}) > 1
        own = f"{'all rates' if several else 'the rate'} that {named(study.judge)} gives "
        own += "lie" if several else "lies"
        text = f"For each {what} {own} within what people's labels allow."
        return Sentence("report.rates_within", text, about, facts | {"strips": len(strips)})
    where = f" on {named(strip.criterion)}" if strip.criterion else ""
    text = f"The true rate of {named(strip.option)}{where} is likely {range_text(strip.true)}"
    if strip.called is not None and (interval := strip.true.interval) is not None:
        called, likely = beside(strip.called.value, interval.low, interval.high)
        lead, there = on_decided(strip.true)
        text = (
            f"{lead}{named(study.judge)} calls {called} {named(strip.option)}{where}; "
            f"{_given(study, strip)}{granted('it', strip.true)}the true rate{there} is likely "
            f"{likely}"
        )
    return Sentence("report.rate", f"{text}.", about, facts)


def _given(study: ReportStudy, strip: Strip) -> str:
    refuted = study.unlike_others(strip.criterion)
    return if_like_the_others(study.unit) if refuted else ""


def _reservation(study: ReportStudy) -> Sentence | None:
    """The first that applies: no better than chance; another judge orders systems better; which
    judge is best depends on how agreement is measured."""
    if study.judge and is_weak(study, study.judge):
        kappa, worse = beyond_chance(study, study.judge), is_contrary(study, study.judge)
        text = (
            f"{named(study.judge)} agrees with people less than chance would: its verdicts may be "
            "turned round."
            if worse
            else f"These {study.unit}s do not show that {named(study.judge)} does better than "
            "chance."
        )
        return Sentence("report.chance", text, about_judge(study), verb_facts("agree", kappa=kappa))
    other_first = study.orderly is not None and not cannot_tell(study.orderly[1])
    if study.orderly and other_first and study.agreement is not None and study.order is not None:
        other, tau = study.orderly
        level = study.judge in study.level_by_order
        text = (
            f"The judge that is first on single items is not the one with the highest agreement on "
            f"the order of systems: {_two_orders(other, tau, study.judge, study.order)}"
        )
        text += "; these prompts cannot tell the two apart." if level else "."
        facts = verb_facts("rank", tau=study.order, other_tau=tau)
        facts |= {"other": other, "cannot_be_told": level}
        if are_pairs(tau, study.order):
            facts |= pair_shares(study.order) | {"other_pairs": (1 + tau.value) / 2}
        return Sentence("report.other_ranker", text, about_judge(study), facts)
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
        also = "" if study.rivals else " too"  # it is first, and not told from the others
        text = f"Each of the audit's {number} definitions of agreement selects {named(first)}{also}"
        if alike:
            same = listed([named(one) for one in alike])
            same = same if len(alike) <= MOST_NAMED else f"{len(alike)} other judges"
            text += f"; {same} {'scores' if len(alike) == 1 else 'score'} the same by all of them"
        text += "."
        return Sentence("report.definitions", text, {"judge": first}, facts)
    if study.judge == first and ways[first] >= MOST_DEFINITIONS * number:
        others = listed([f"{named(judge)} by {n}" for judge, n in ways.items() if judge != first])
        text = (
            f"{named(first)} is selected by {ways[first]} of the audit's {number} definitions of "
            f"agreement, {others}."
        )
        return Sentence("report.definitions", text, {"judge": first}, facts)
    if len(ways) == 1 and study.judge is None:
        text = f"The audit's {number} definitions of agreement that choose a judge choose "
        text += f"{named(first)}."
        return Sentence("report.definitions", text, {"judge": first}, facts)
    each = listed([f"{named(judge)} by {count}" for judge, count in ways.items()][:4])
    of = f"{each} of the audit's {number} definitions"
    if len(ways) == 1:
        of = f"{named(first)} by all {number} of the audit's definitions"
    if by_weight(study):  # which alone may make the difference
        of += f" (each {study.unit} counted once)"
    text = f"Which judge comes out first depends on how agreement is measured: {of}"
    by = f", {named(study.judge)} by {words(study.criterion)}" if study.criterion else ""
    text += "." if study.judge in ways else f"{by}."
    return Sentence("report.definitions", text, {}, facts)


def _order(study: ReportStudy) -> Sentence | None:
    """Kendall's tau as the share of pairs of systems in people's order."""
    tau = study.order
    if tau is None:
        return None
    facts = verb_facts("rank", tau=tau) | pair_shares(tau)
    if cannot_tell(tau):
        unknown = f"whether {named(study.judge)} puts systems in people's order"
        text = f"These prompts do not tell {unknown}."
        return Sentence("report.order_unknown", text, about_judge(study), facts)
    text = f"{named(study.judge)} {order_said(tau)}."
    return Sentence("report.order", text, about_judge(study), facts)


def _ceiling(study: ReportStudy) -> Sentence | None:
    """A judge beside people, on equal terms."""
    both = study.agreement
    if both is None or both.people is None or both.person is None:
        return None
    text = (
        f"On the same {study.unit}s a person agrees with {named(study.judge)} on "
        f"{figure(both.person)} and with another person on {figure(both.people)}."
    )
    facts = verb_facts("agree", person=both.person, people=both.people, gap=both.gap)
    return Sentence("report.people", text, about_judge(study), facts)


def _two_orders(one: str, tau: Estimate, two: str | None, second: Estimate) -> str:
    if are_pairs(tau, second):
        return (
            f"{named(one)} puts {pairs_text(tau)} of pairs of systems in people's order, "
            f"{named(two)} {pairs_text(second)}"
        )
    return (
        f"Kendall's tau with people's order is {decimal(tau.value)} for {named(one)} and "
        f"{decimal(second.value)} for {named(two)}"
    )
