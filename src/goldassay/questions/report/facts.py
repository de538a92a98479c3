"""Results as facts of a report's sentences, and what several of these say of one number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from goldassay.questions.agree.words import TIES_COUNT, of_which
from goldassay.questions.estimate.design import if_errs_alike
from goldassay.questions.estimate.label_use import if_alike
from goldassay.questions.estimate.rate_words import ON_DECIDED
from goldassay.questions.report.study import Mean, ReportStudy, Strip
from goldassay.results import Estimate, Sentence
from goldassay.words import decimal, figure, interval_text, percent

__all__ = [
    "about_judge",
    "about_mean",
    "about_strip",
    "agreed_facts",
    "agreed_on",
    "agrees_said",
    "are_pairs",
    "beyond_chance",
    "by_weight",
    "distinct",
    "ends_of",
    "granted",
    "is_contrary",
    "is_weak",
    "level_text",
    "of_decided",
    "on_decided",
    "order_said",
    "pair_shares",
    "pairs_text",
    "range_text",
    "ties_said",
    "undecided_said",
    "verb_facts",
]


def distinct(said: Sequence[Sentence | None]) -> tuple[Sentence, ...]:
    return tuple({one.text: one for one in said if one}.values())


def verb_facts(verb: str, **results: Estimate | None) -> dict[str, Any]:
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


def about_judge(study: ReportStudy) -> Mapping[str, str]:
    return {"judge": study.judge} if study.judge else {}


def about_strip(study: ReportStudy, strip: Strip) -> Mapping[str, str]:
    about = {**about_judge(study), "option": strip.option}
    return about | ({"criterion": strip.criterion} if strip.criterion else {})


def about_mean(study: ReportStudy, mean: Mean) -> Mapping[str, str]:
    return {**about_judge(study), **({"criterion": mean.criterion} if mean.criterion else {})}


def agrees_said(study: ReportStudy) -> str:
    """With half a tie counted, agreement is no share of equal verdicts."""
    half = study.task.tie is not None and study.task.ties == "half"
    return "agrees with people" if half else "gives people's verdict"


def by_weight(study: ReportStudy) -> str:
    """Where units count by unlike weights, as `agree` has it, a share is of their weights."""
    return " by weight" if agreed_facts(study).get("by_weight") else ""


def ties_said(study: ReportStudy, facts: dict[str, Any]) -> str:
    """How ties count, and how often each side calls one where that differs, as `agree` has it."""
    if study.task.tie is None:
        return ""
    facts["ties"] = study.task.ties
    said = TIES_COUNT[study.task.ties]
    own = agreed_facts(study)
    if "tie_rate" in own:
        facts |= {key: own[key] for key in ("tie_rate", "human_tie_rate")}
        rates = map(percent, (own["tie_rate"], own["human_tie_rate"]))
        said += "; it calls {} ties, {whom} {}".format(*rates, whom=own["tie_rate_beside"])
    return f" ({said})"


def agreed_facts(study: ReportStudy) -> Mapping[str, Any]:
    """What `agree` says of the judge's agreement."""
    return study.said_of_judge("agree", "agree.accuracy")


def agreed_on(study: ReportStudy, agreed: Estimate) -> str:
    """Of which units a share of agreement is, as `agree` has it; of hardly any that are left
    undecided nothing is said."""
    own = dict(agreed_facts(study))
    if not study.undecided:
        own.pop("of_decided", None)
    return of_which({"unit": study.unit, **own, "n_items": agreed.n_items})


def undecided_said(study: ReportStudy, facts: dict[str, Any]) -> str:
    """What the judge leaves undecided, where its agreement is of the rest: `no usable verdict on
    24 % of 400`."""
    if not (silent := study.undecided):
        return ""
    facts |= {"missing": silent["missing"], "asked": silent["n_items"]}
    how = "on" if not silent.get("by_answer") else "in"
    whose = "" if not silent.get("by_answer") else "its answers to "
    share = f"{percent(silent['missing'])} of {whose}"
    return f"no usable verdict {how} {share}{silent['n_items']:,}"


def is_weak(study: ReportStudy, judge: str) -> bool:
    """Whether chance may do as well; not to be said where people used one option only."""
    kappa = beyond_chance(study, judge)
    several = study.result("agree", "balanced_accuracy", judge) is not None
    return several and kappa is not None and kappa.interval is not None and kappa.interval.low <= 0


def is_contrary(study: ReportStudy, judge: str) -> bool:
    """Whether it agrees less than chance would: nothing to call the best of judges for that."""
    kappa = beyond_chance(study, judge)
    return kappa is not None and kappa.interval is not None and kappa.interval.high < 0


def beyond_chance(study: ReportStudy, judge: str) -> Estimate | None:
    """The kappa that shows most: of grades near misses may be beyond chance, or hits alone."""
    found = [study.result("agree", name, judge) for name in ("cohen_kappa", "weighted_kappa")]
    known = [one for one in found if one is not None and one.interval is not None]
    return max(known, key=lambda one: one.interval.low if one.interval else 0.0, default=None)


def ends_of(result: Estimate) -> tuple[float | None, float | None]:
    return (result.interval.low, result.interval.high) if result.interval else (None, None)


def range_text(result: Estimate) -> str:
    """The interval in words: `68 to 75 %`."""
    low, high = ends_of(result)
    return f"{interval_text(low, high, rate=True).replace(', ', ' to ')} %"


def level_text(result: Estimate) -> str:
    return percent(result.interval.confidence_level) if result.interval else ""


def are_pairs(*taus: Estimate) -> bool:
    """Whether tau tells the share of pairs in people's order: where no pair is level."""
    return all(tau.declared.get("level_pairs") == 0 for tau in taus)


def order_said(tau: Estimate) -> str:
    """What a judge's order is worth: pairs in people's order; tau alone where pairs are level."""
    if are_pairs(tau):
        return f"puts {pairs_text(tau)} of pairs of systems in people's order{_likely_pairs(tau)}"
    return f"has Kendall's tau {figure(tau)} with people's order of the systems (1 is the same)"


def pair_shares(tau: Estimate) -> dict[str, float]:
    """Tau and its ends as shares of pairs of systems in people's order, where it is one."""
    if not are_pairs(tau):
        return {}
    ends = (tau.interval.low, tau.interval.high) if tau.interval else ()
    keys = ("pairs", "pairs_low", "pairs_high")
    return {key: (1 + one) / 2 for key, one in zip(keys, (tau.value, *ends), strict=False)}


def pairs_text(tau: Estimate) -> str:
    return percent((1 + tau.value) / 2)


def _likely_pairs(tau: Estimate) -> str:
    if tau.interval is None:
        return ""
    low, high = ((1 + end) / 2 for end in (tau.interval.low, tau.interval.high))
    ends = interval_text(low, high, rate=True).replace(", ", " to ")
    if low == high:  # "likely 100 to 100 %" says the same twice
        return f" (Kendall's tau {figure(tau)})"
    return f" (likely {ends} %; Kendall's tau {decimal(tau.value)})"


def of_decided(true: Estimate) -> bool:
    """Whether a number is that of the items with a verdict, and others have none."""
    return bool(true.declared.get("without_verdict"))


def on_decided(true: Estimate) -> tuple[str, str]:
    """What stands before the judge of such a number, and after what is true."""
    return (ON_DECIDED, " there") if of_decided(true) else ("", "")


def granted(who: str, true: Estimate) -> str:
    """What a true rate takes for granted of the judge, where systems rest on others' labels."""
    shared = bool(true.declared.get("shared_labels"))
    return if_errs_alike(true.assumptions) + if_alike(who, shared=shared)
