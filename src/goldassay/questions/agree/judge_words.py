"""What else is worth a sentence about one judge of an agreement study.

What it says too often, whole items, other prevalences, options that it misses, its scores, what it
leaves undecided, what it leans to, and how often to ask it.
"""

from __future__ import annotations

import math

from goldassay.questions.agree.abstention import LABEL, Dependence
from goldassay.questions.agree.options import SHARED_OUT, far_below
from goldassay.questions.agree.record import AgreeStudy, JudgeAgreement, known
from goldassay.questions.agree.repeats import Repeats
from goldassay.questions.agree.rubric import item_rule_words
from goldassay.questions.facts import Named, by_name, facts_of, further
from goldassay.results import Estimate, Sentence
from goldassay.words import counted, decimal, figure, listed, named, percent

__all__ = ["about_one"]

#: What drifted rates cost kappa is told from here on.
WORTH_TELLING = 0.005
#: So many options are told with their shares.
NAMED = 3


def about_one(judge: JudgeAgreement, found: AgreeStudy) -> list[Sentence | None]:
    """What it says too often; what it leaves undecided; what it leans to; how often to ask it."""
    said: list[Sentence | None] = [_silent(judge, found)]
    if found.task.scale == "binary" and found.people.rated:
        said.append(_strictness(judge, found))
    leanings = by_name(judge.leanings)
    return [
        *said,
        _item(judge, found),
        _at_prevalence(judge, found),
        _option(judge, found),
        _scores(judge, found),
        _coverage(judge, found),
        _position(judge.judge, leanings),
        _length(judge.judge, leanings),
        _repeats(judge),
    ]


def _strictness(judge: JudgeAgreement, found: AgreeStudy) -> Sentence | None:
    """Whether it says the counted option more often than people, and what that costs kappa.

    Strict and lenient are words for an option that is good: who flags little is not strict.
    """
    results, task = by_name(judge.micro), found.task
    difference, people, judged, gap = (
        results.get(name)
        for name in ("positive_rate_difference", "reference_rate", "verdict_rate", "kappa_phi_gap")
    )
    if not (
        isinstance(difference, Estimate)
        and isinstance(people, Estimate)
        and isinstance(judged, Estimate)
        and difference.interval
    ):
        return None
    ends = difference.interval
    lean = "more" if ends.low > 0 else "less" if ends.high < 0 else "neither"
    facts = facts_of(difference, positive=task.positive, lean=lean, **known([judged, people]))
    option = named(task.positive or "positive")
    said = (
        f"on {percent(judged.value, (people.value, None))} of "
        f"{found.share_of(difference.n_items)}, people on "
        f"{percent(people.value, (judged.value, None))}"
    )
    often = "more or less" if lean == "neither" else lean
    says = f"{named(judge.judge)} says {option} {often} often than people"
    text = f"Whether {says} cannot be told: {said}." if lean == "neither" else f"{says}: {said}."
    # Of a judge that goes against people it brings kappa nearer to 0.
    phi = results.get("phi")
    along = isinstance(phi, Estimate) and phi.value > 0
    if lean != "neither" and along and isinstance(gap, Estimate) and gap.value >= WORTH_TELLING:
        text += f" That lowers kappa by {decimal(gap.value)}."
        facts["kappa_phi_gap"] = gap.value
    return Sentence("agree.strictness", text, {"judge": judge.judge}, facts)


def _item(judge: JudgeAgreement, found: AgreeStudy) -> Sentence | None:
    """Agreement on whole items, where the task declares how criteria become a verdict."""
    results, rule = by_name(judge.item), found.task.item_rule
    agreed, kappa = results.get("accuracy"), results.get("cohen_kappa")
    if rule is None or not isinstance(agreed, Estimate) or kappa is None:
        return None
    met, positive = item_rule_words(found.task), found.task.positive or ""
    text = (
        f"Whole items count as {named(positive)} {met.removeprefix(positive).strip()}: on these "
        f"{named(judge.judge)} agrees with people on {figure(agreed)} of "
        f"{counted(agreed.n_items, 'item')}"
    )
    if isinstance(kappa, Estimate):
        text += f" (Cohen's kappa {figure(kappa)})"
    facts = facts_of(agreed, level="item", item_rule=rule, kappa=further(kappa)["cohen_kappa"])
    about = {"judge": judge.judge, "level": "item"}
    return Sentence("agree.item", f"{text}.", about, facts)


def _at_prevalence(judge: JudgeAgreement, found: AgreeStudy) -> Sentence | None:
    """How often a judge would be right where the options are as common as declared."""
    results, shares = by_name(judge.micro), found.task.prevalence
    there, here = results.get("weighted_balanced_accuracy"), results.get("accuracy")
    if not isinstance(there, Estimate) or not isinstance(here, Estimate):
        return None
    common = [f"{percent(share)} are {named(option)}" for option, share in shares.items() if share]
    told = listed(common) if len(common) <= NAMED else "options are as common as declared"
    text = (
        f"Where {told}, {named(judge.judge)} would be right on {figure(there)} of "
        f"{found.unit}s, if it finds each option as often as here, where it is right on "
        f"{percent(here.value)}."
    )
    facts = facts_of(there, prevalence=dict(shares), accuracy=here.value)
    return Sentence("agree.at_prevalence", text, {"judge": judge.judge}, facts)


def _scores(judge: JudgeAgreement, found: AgreeStudy) -> Sentence | None:
    """How well the judge's scores put positive items first."""
    results = by_name(judge.probabilities.results if judge.probabilities else ())
    ranks, first = results.get("roc_auc"), results.get("average_precision")
    if not isinstance(ranks, Estimate) or not isinstance(first, Estimate):
        return None
    positive, share = named(found.task.positive or "positive"), first.declared["by_chance"]
    text = (
        f"By its scores {named(judge.judge)} puts an item that people call {positive} above "
        f"another with probability {figure(ranks)} (ROC AUC); average precision is "
        f"{figure(first)}, where scores that say nothing have {decimal(float(str(share)))}."
    )
    facts = facts_of(ranks, by_chance=share, positive=found.task.positive, **further(first))
    return Sentence("agree.scores", text, {"judge": judge.judge}, facts)


def _option(judge: JudgeAgreement, found: AgreeStudy) -> Sentence | None:
    """The option that a judge misses, where it is clearly worse on it than elsewhere."""
    one = far_below(judge.options)
    if one is None or not isinstance(one.recall, Estimate) or one.elsewhere is None:
        return None
    option, people = named(one.option), round(one.people)
    text = (
        f"{named(judge.judge)} often misses {option}: it says so on {figure(one.recall)} of the "
        f"{counted(people, found.unit)} to which people give it, and is right on "
        f"{percent(one.elsewhere)} of the others."
    )
    facts = facts_of(one.recall, option=one.option, people=people, elsewhere=one.elsewhere)
    if found.task.reference in SHARED_OUT and judge.confusion is not None:
        # No item is called so as a whole: shares of people's ratings add up to that many.
        facts["share"] = one.people / float(judge.confusion.values.sum())
        text = (
            f"{named(judge.judge)} often misses {option}, which is {percent(facts['share'])} of "
            f"people's ratings: it says so on {figure(one.recall)} of these, and is right on "
            f"{percent(one.elsewhere)} of the others."
        )
    return Sentence("agree.option", text, {"judge": judge.judge, "option": one.option}, facts)


def _whole(units: float) -> bool:
    """Whether it is a number of units; of those asked about twice a half may be missing."""
    return abs(units - round(units)) < 1e-6


#: Rates of answers that are there and say nothing.
_LOST = ("abstention_rate", "invalid_rate", "failed_rate")


def _coverage(judge: JudgeAgreement, found: AgreeStudy) -> Sentence | None:
    covered = by_name(judge.rates).get("coverage")
    if not isinstance(covered, Estimate) or not covered.value < 1:
        return None
    missing = 1 - covered.value
    scores = found.task.scale == "continuous"
    verdict = "score" if scores else "usable verdict"
    text = f"{named(judge.judge)} gives no {verdict} on {percent(missing)} of "
    text += f"the {counted(covered.n_items, found.unit)} that it was to rate."
    by_answer = judge.repeats is not None or not _whole(missing * covered.n_items)
    if by_answer:
        text = f"{named(judge.judge)} gives no {verdict} in {percent(missing)} of its answers "
        text += f"to the {counted(covered.n_items, found.unit)} that it saw."
    met = {name for name, one in by_name(judge.rates).items() if isinstance(one, Estimate)}
    if found.task.abstentions == "class" and met == {"coverage", "abstention_rate"}:
        text = f"{named(judge.judge)} abstains on {percent(missing)} of the "
        text += f"{counted(covered.n_items, found.unit)} that it saw, which counts as an answer."
    facts = facts_of(covered, missing=missing)
    facts |= {"by_answer": True} if by_answer else {}
    lost = [one for one in judge.rates if isinstance(one, Estimate) and one.name in _LOST]
    empty = not any(one.value for one in lost)
    if empty and not by_answer:
        given = covered.n_items - round(missing * covered.n_items)
        facts["given"] = given
        text = f"{named(judge.judge)} has a {'score' if scores else 'verdict'} on {given:,} of "
        text += f"{counted(covered.n_items, found.unit)}, and none on the others: it gave none, "
        text += "or was not run on them."
    return Sentence("agree.coverage", text, {"judge": judge.judge}, facts)


#: From this p-value on, shared out over the judges, a judge is not seen to leave one label out; and
#: a difference below this is not worth a sentence.
CLEARLY, WORTH_SAYING = 0.01, 0.05


#: Columns of which a judge may leave a whole part out.
PARTS = ("criterion", "system")


def _is_clear(one: Dependence, found: AgreeStudy) -> bool:
    """Whether the shares without a verdict differ, surely and by enough to speak of."""
    surely = one.p_value * len(found.judges) <= CLEARLY
    return surely and one.most_rate - one.least_rate >= WORTH_SAYING


def _silent(judge: JudgeAgreement, found: AgreeStudy) -> Sentence | None:
    """What a judge leaves out: a criterion, a system, or far more of one of people's labels."""
    task = found.task
    if not task.abstentions == task.invalids == "exclude":
        return None
    whole = [one for one in judge.missing if one.column in PARTS and one.most_rate == 1]
    label = [one for one in judge.missing if one.column == LABEL and _is_clear(one, found)]
    one = next(iter((*whole, *label)), None)
    if one is None:
        return None
    what = (
        f"what people call {named(one.most)} and on {percent(one.least_rate)} of {named(one.least)}"
    )
    where = (
        f"{percent(one.most_rate)} of {what}" if one in label else f"{one.column} {named(one.most)}"
    )
    text = (
        f"{named(judge.judge)} gives no usable verdict on {where}: its other numbers are of the "
        "rest."
    )
    facts = {
        "by": one.column,
        "most": one.most,
        "most_rate": one.most_rate,
        "least": one.least,
        "least_rate": one.least_rate,
        "p_value": one.p_value,
    }
    return Sentence("agree.silent", text, {"judge": judge.judge}, facts)


def _position(judge: str, leanings: Named) -> Sentence | None:
    """Where the answer that is shown first, or second, wins too often."""
    rate = leanings.get("first_position_rate")
    if not isinstance(rate, Estimate) or not rate.interval or 0.5 in rate.interval:
        return None
    place = "first" if rate.value > 0.5 else "second"
    share = rate.value if rate.value > 0.5 else 1 - rate.value
    text = f"{named(judge)} leans to the answer shown {place}: {percent(share)} of its verdicts."
    facts = facts_of(rate, place=place, share=share)
    return Sentence("agree.position", text, {"judge": judge}, facts)


def _length(judge: str, leanings: Named) -> Sentence | None:
    """Where the verdict follows the length of the text, given people's verdict."""
    odds = leanings.get("length_log_odds")
    if not isinstance(odds, Estimate) or not odds.interval or 0.0 in odds.interval:
        return None
    longer = odds.value > 0
    times = math.exp(abs(odds.value))
    text = (
        f"{named(judge)} leans to {'longer' if longer else 'shorter'} texts: given people's "
        f"verdict, twice the length makes the odds {decimal(times)} times as "
        f"{'high' if longer else 'low'}."
    )
    facts = facts_of(odds, leans_to="longer" if longer else "shorter", times=times)
    return Sentence("agree.length", text, {"judge": judge}, facts)


def _repeats(judge: JudgeAgreement) -> Sentence | None:
    """How much of the disagreement is noise, and how many samples are worth paying for."""
    again = judge.repeats
    if again is None or again.curve is None:
        return None
    values = known(again.results)
    noise = values.get("noise_share")
    if isinstance(again, Repeats):
        samples = len(again.curve.accuracy)
        same = values["self_consistency"]
        said = [
            f"Asked twice, {named(judge.judge)} gives the same verdict {percent(same)} of the time"
        ]
        said += (
            [] if noise is None else [f"{percent(noise)} of its disagreement with people is noise"]
        )
        facts = {"self_consistency": same, "noise_share": noise}
    elif noise is not None:
        samples = len(again.curve.pearson)
        said = [
            f"Of the squared distance of {named(judge.judge)} from people {percent(noise)} is "
            "noise between repeats"
        ]
        facts = {"noise_share": noise}
    else:
        return None
    enough = again.curve.enough
    # What more of them would bring is measured in accuracy of verdicts, in Pearson's r of scores.
    what = "accuracy" if isinstance(again, Repeats) else "correlation"
    worth = (
        f"fewer than all {samples} samples together have a lower {what}"
        if enough == samples
        else f"of its {samples} samples {'one has' if enough == 1 else f'{enough} together have'} "
        f"nearly the {what} of any larger number"
    )
    return Sentence(
        "agree.repeats",
        f"{'; '.join([*said, worth])}.",
        {"judge": judge.judge},
        {**facts, "samples": samples, "enough": enough},
    )
