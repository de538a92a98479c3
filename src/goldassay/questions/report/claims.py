"""What may be written with the results, and what one would like to write and they do not carry.

Each claim is a sentence to be copied, with its method and numbers; its facts are the results.
"""

from __future__ import annotations

from goldassay.glossary import words
from goldassay.questions.report.facts import (
    about_judge,
    about_mean,
    about_strip,
    agreed_facts,
    agreed_on,
    agrees_said,
    by_weight,
    distinct,
    ends_of,
    granted,
    is_contrary,
    is_weak,
    level_text,
    of_decided,
    order_said,
    pair_shares,
    range_text,
    ties_said,
    undecided_said,
    verb_facts,
)
from goldassay.questions.report.study import ReportStudy, Strip
from goldassay.results import Estimate, Interval, Sentence
from goldassay.words import beside, between, counted, decimal, figure, listed, named, percent

__all__ = ["may", "may_not"]

#: Rivals that a sentence names; of more it gives the count.
MOST_NAMED = 3
#: An interval of a rate that leaves out less than this says nothing, and is nothing to write.
NO_RATE = 0.01


def may(study: ReportStudy) -> tuple[Sentence, ...]:
    """What the results carry, in sentences to be copied, each with its method and numbers."""
    rates, mean = _rates(study), _quoted_mean(study)
    better = _better_system(study)
    said = [mean, *(rates[:1] if mean or better else rates), better, _agreement(study)]
    return distinct([*said, _best(study), _ranks(study)])[:4]


def may_not(study: ReportStudy) -> tuple[Sentence, ...]:
    """What one would like to write, and the results do not carry."""
    said = [
        _not_drawn(study) or _own_mean(study) or _own_rate(study),
        _chance(study),
        _not_best(study),
        _not_better_system(study),
        _as_good_as_people(study),
        _not_ranks(study),
    ]
    return (*distinct(said)[:4], *distinct([_elsewhere(study)]))


def _better_system(study: ReportStudy) -> Sentence | None:
    """Which system is better than all others, or than the other one, as `compare` says it."""
    said = study.compared_systems
    if said is None or said.facts.get("tied") or said.facts.get("unknown"):
        return None
    if study.unlike_others(said.about.get("criterion")):
        return None
    if said.key == "compare.verdict" and said.facts["verdict"] == "cannot tell":
        return None
    facts = {**said.facts, "verb": "compare"}
    return Sentence("report.may_system", f"“{said.text}”", said.about, facts)


def _not_better_system(study: ReportStudy) -> Sentence | None:
    """Of systems that cannot be told apart none is to be called better."""
    said = study.compared_systems
    if said is None:
        return None
    if said.key == "compare.leaders":
        first, level = str(said.facts["first"]), [str(one) for one in said.facts["tied"]]
    else:
        told = said.facts["verdict"] != "cannot tell"
        first, level = said.about["system"], [] if told else [said.about["opponent"]]
    if not level:
        return None
    others = listed([named(one) for one in level])
    if len(level) > MOST_NAMED:
        all_others = len(level) == len(said.facts.get("systems", ())) - 1
        others = f"{len(level)} of the other systems"
        others = f"the other {len(level)} systems" if all_others else others
    text = f"“{named(first)} is better than {others}”: these {study.unit}s cannot tell them apart."
    facts = {"verb": "compare", "first": first, "tied": level}
    return Sentence("report.not_system", text, said.about, facts)


def _quoted_mean(study: ReportStudy) -> Sentence | None:
    """People's mean score, and what it rests on."""
    mean = study.mean
    if mean is None or study.unlike_others(mean.criterion):
        return None
    true = mean.true
    items = counted(true.n_items, "item" if mean.criterion else study.unit)
    of = f"{mean.labelled:,} of {items}" if mean.labelled < true.n_items else items
    partly = f" of the {study.unit}s that {named(study.judge)} decides" if of_decided(true) else ""
    value = decimal(true.value, ends_of(true))
    text = (
        f"“The mean score{partly}{mean.where} is {value} ({level_text(true)} "
        f"CI {between(*ends_of(true))}; {of} labelled by people).”"
    )
    facts = verb_facts("estimate", true=true) | {"labelled": mean.labelled}
    return Sentence("report.may_mean", text, about_mean(study, mean), facts)


def _own_mean(study: ReportStudy) -> Sentence | None:
    """The judge's own mean, where that is not what may be written of people's."""
    mean = study.mean
    if mean is None:
        return None
    own, true = (decimal(one.value, ends_of(mean.true)) for one in (mean.called, mean.true))
    if own == true:
        return None
    apart = mean.apart and own not in between(*ends_of(mean.true)).split(" to ")
    off = "outside what people's labels allow" if apart else "its errors included"
    text = f"“The mean score{mean.where} is {own}”: that is the judge's own mean, {off}."
    facts = verb_facts("estimate", called=mean.called, true=mean.true) | {"apart": apart}
    return Sentence("report.not_own_mean", text, about_mean(study, mean), facts)


def _rates(study: ReportStudy) -> list[Sentence | None]:
    """The rates, first the one of which the judge's own misleads most."""
    told = [
        one
        for one in study.strips
        if one.true.interval
        and not _any_rate(one.true.interval)
        and not study.unlike_others(one.criterion)
    ]
    return [
        _quoted_rate(study, strip)
        for strip in sorted(told, key=lambda one: one.outside, reverse=True)[:2]
    ]


def _any_rate(interval: Interval) -> bool:
    """Whether an interval leaves out no rate, as far as a percentage shows."""
    return interval.length > 1 - NO_RATE


def _quoted_rate(study: ReportStudy, strip: Strip) -> Sentence:
    true = strip.true
    where = f" on {named(strip.criterion)}" if strip.criterion else ""
    everyone, whose = 0 if strip.criterion else study.labelled_by_all, ", labelled by people"
    if everyone > true.n_items:
        whose = f" that {named(study.judge)} decides, of {everyone:,} labelled by people"
    partly = f"Of the {study.unit}s that {named(study.judge)} decides " if of_decided(true) else ""
    text = (
        f"“{partly}{percent(true.value, ends_of(true))}{where} are {named(strip.option)} "
        f"({level_text(true)} CI {_range(strip)}; {_labels(strip, study, whose)}"
    )
    tied = agreed_facts(study).get("tied") if strip.criterion is None else None
    if tied and _labelled(strip, study) + tied != true.n_items:
        tied = None  # some of these are not among the items of the rate
    if tied:
        text += f", people being divided on {tied:,}"
    text += ", counted by weight" if by_weight(study) else ""
    given = granted(named(study.judge), true)
    text += f", {given.removesuffix(', ')}).”" if given else ").”"
    facts = verb_facts("estimate", true=true)
    facts |= {
        "assumptions": list(true.assumptions),
        "labelled": _labelled(strip, study),
        "divided": tied,
    }
    if true.declared.get("calibration") == "separate":
        facts["judged"] = true.n_items - _labelled(strip, study)
    facts |= {"all_labelled": everyone} if everyone > true.n_items else {}
    return Sentence("report.may_rate", text, about_strip(study, strip), facts)


def _ends(true: Estimate) -> tuple[float, float]:
    assert true.interval is not None
    return true.interval.low, true.interval.high


def _range(strip: Strip) -> str:
    """The interval in words, with the digits that keep a rate of the judge's outside of it."""
    if strip.called is None or strip.true.interval is None:
        return range_text(strip.true)
    return beside(strip.called.value, *_ends(strip.true))[1]


def _agreement(study: ReportStudy) -> Sentence | None:
    agreed = study.agreement.agreed if study.agreement else None
    if agreed is None or agreed.interval is None:
        return None
    share = f"{percent(agreed.value, ends_of(agreed))} of {agreed_on(study, agreed)}"
    facts = verb_facts("agree", agreed=agreed)
    ties = ties_said(study, facts).removeprefix(" (").removesuffix(")")
    beside = [one for one in (ties, undecided_said(study, facts)) if one]
    text = (
        f"“{named(study.judge)} {agrees_said(study)} on {share} "
        f"({'; '.join([f'{level_text(agreed)} CI {range_text(agreed)}', *beside])}).”"
    )
    return Sentence("report.may_agree", text, about_judge(study), facts)


def _best(study: ReportStudy) -> Sentence | None:
    if not study.compared or study.rivals or (study.judge and is_contrary(study, study.judge)):
        return None
    text = f"“{named(study.judge)} is the best of {_these(study)}"
    by = f" by {words(study.criterion)}"
    facts = {"verb": "select", "criterion": study.criterion, "judges": len(study.judges)}
    return Sentence("report.may_best", f"{text}{by}.”", about_judge(study), facts)


def _these(study: ReportStudy) -> str:
    """The judges that are compared, in words."""
    return study.among if study.left_out else f"these {study.among}"


def _ranks(study: ReportStudy) -> Sentence | None:
    tau = study.order
    if tau is None or tau.interval is None or tau.interval.low <= 0:
        return None
    text = f"“{named(study.judge)} {order_said(tau)}.”"
    facts = verb_facts("rank", tau=tau) | pair_shares(tau)
    return Sentence("report.may_rank", text, about_judge(study), facts)


def _own_rate(study: ReportStudy) -> Sentence | None:
    strips = [strip for strip in study.strips if strip.called is not None and strip.true.interval]
    if not strips:
        return None
    strip = max(strips, key=lambda one: one.outside)
    called, true = strip.called, strip.true
    assert called is not None
    if percent(called.value) in (percent(true.value), percent(true.value, ends_of(true))):
        return None  # the same words may be written of the corrected rate
    own = percent(called.value)
    if strip.apart:  # beyond an end that may be written alike
        own = beside(called.value, *_ends(true))[0]
    where = f" on {named(strip.criterion)}" if strip.criterion else ""
    off = "outside what people's labels allow" if strip.apart else "its errors included"
    text = f"“{own}{where} are {named(strip.option)}”: that is the judge's own rate, {off}."
    facts = verb_facts("estimate", called=called, true=true) | {"apart": strip.apart}
    return Sentence("report.not_own_rate", text, about_strip(study, strip), facts)


def _not_drawn(study: ReportStudy) -> Sentence | None:
    """A rate by labels that are no random draw from its items, whatever was declared."""
    for strip in study.strips:
        refuted, true = study.unlike_others(strip.criterion), strip.true
        if refuted is None or true.interval is None:
            continue
        where = f" on {named(strip.criterion)}" if strip.criterion else ""
        text = (
            f"“{percent(true.value, ends_of(true))}{where} are {named(strip.option)}”: the "
            f"labelled {study.unit}s are not like the others."
        )
        facts = verb_facts("estimate", true=true) | {"p_value": refuted.facts["p_value"]}
        return Sentence("report.not_drawn", text, about_strip(study, strip), facts)
    return None


def _chance(study: ReportStudy) -> Sentence | None:
    weak = [judge for judge in study.judges if is_weak(study, judge)]
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
        all_others = len(study.rivals) == len(study.judges) - 1
        others = f"{len(study.rivals)} of the other judges"
        others = f"the other {len(study.rivals)} judges" if all_others else others
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
    return Sentence("report.not_best", text, about_judge(study), facts)


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
    facts = verb_facts("agree", person=both.person, people=both.people, gap=both.gap)
    return Sentence("report.not_as_people", text, about_judge(study), facts)


def _not_ranks(study: ReportStudy) -> Sentence | None:
    tau = study.order
    if tau is None or tau.interval is None or tau.interval.low > 0:
        return None
    text = f"“{named(study.judge)} orders systems as people do”: these prompts do not show it."
    return Sentence("report.not_rank", text, about_judge(study), verb_facts("rank", tau=tau))


def _elsewhere(study: ReportStudy) -> Sentence | None:
    items = study.labelled or study.items
    if not items:
        return None
    text = (
        "That this holds for other items, another prompt or the next version of a judge: it was "
        f"measured on {counted(items, study.unit)}, with the judges as they were."
    )
    return Sentence("report.elsewhere", text, {}, {"n_items": items, "unit": study.unit})


def _labelled(strip: Strip, study: ReportStudy) -> int:
    """Items with people's labels that a rate rests on: of its own criterion, and its judge's."""
    own = strip.true.declared.get("labelled")
    if own is None:
        return max(study.labelled, study.labelled_by_all)
    return round(float(own))


def _labels(strip: Strip, study: ReportStudy, whose: str) -> str:
    """What the rate rests on: `corrected by people's labels on 1,000 of 15,099 items`; `whose` says
    it of items that are all labelled."""
    unit = "item" if study.unit == "decision" else study.unit
    items, labelled = counted(strip.true.n_items, unit), _labelled(strip, study)
    if not 0 < labelled < strip.true.n_items:
        return f"{items}{whose}"
    if strip.true.declared.get("calibration") == "separate":
        judged = counted(strip.true.n_items - labelled, unit)
        return f"judge's verdicts on {judged} corrected by people's labels on {labelled:,} others"
    if strip.criterion is None and study.items > strip.true.n_items:
        items = f"the {items} that {named(study.judge)} decides"
    return f"judge's verdicts corrected by people's labels on {labelled:,} of {items}"
