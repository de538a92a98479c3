"""What an agreement study says, in sentences that carry their facts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from goldassay.questions.agree.checklist import ensemble_words, handling_words, scale_words
from goldassay.questions.agree.repeats import Repeats
from goldassay.questions.agree.study import (
    AgreeStudy,
    JudgeAgreement,
    PanelAgreement,
    PeopleAgreement,
    SilentJudge,
    known,
)
from goldassay.ratings.task import Task
from goldassay.results import Estimate, Result, Sentence, Undefined

__all__ = ["methods", "sentences", "warnings"]

#: The share of tied votes from which on leaving them out is worth a warning.
MANY_TIED = 0.1
#: What drifted rates cost kappa is told from here on.
WORTH_TELLING = 0.005

Named = Mapping[str, Result]


def sentences(found: AgreeStudy) -> tuple[Sentence, ...]:
    """Each judge and people, each judge's leanings and noise; people; what a jury is worth."""
    said = [] if found.people.rated else [_nobody(found.task)]
    for judge in found.judges:
        said += _of_judge(judge, found)
    said += [_no_score(silent) for silent in found.silent]
    said += _people(found.people, found.task)
    return (*said, *(_panel(found.panel) if found.panel else ()))


def warnings(found: AgreeStudy) -> tuple[str, ...]:
    """What is missing from people's side, or flatters the judges."""
    people = found.people
    what = "score" if found.task.scale == "continuous" else "rating"
    if not people.rated:
        return ("add ratings of kind human for the same items",)
    if not people.several:
        return (
            f"one human {what} per unit: how far people agree with one another, the ceiling for any"
            " judge, is unknown",
        )
    if people.tied > MANY_TIED * people.units:
        return (
            f"people's votes tie on {people.tied:,} of {people.units:,} units "
            f"({people.tied / people.units:.0%}), which are left out: the numbers are about units "
            'that people agree on; reference = "each" in the task keeps all',
        )
    return ()


def _by_name(results: Sequence[Result]) -> dict[str, Result]:
    return {result.name: result for result in results}


def _ends(result: Result) -> tuple[float | None, float | None]:
    return (result.interval.low, result.interval.high) if result.interval else (None, None)


def _facts(result: Estimate, **more: Any) -> dict[str, Any]:
    """The result that a sentence is about, and what else it says."""
    low, high = _ends(result)
    facts = {"name": result.name, "value": result.value, "low": low, "high": high}
    return {**facts, "n_items": result.n_items, **more}


def _beside(result: Result) -> dict[str, Any]:
    """A further result of a sentence, under its own name."""
    low, high = _ends(result)
    name = result.name
    if isinstance(result, Undefined):
        return {name: None, f"{name}_undefined": result.reason}
    return {name: result.value, f"{name}_low": low, f"{name}_high": high}


# --- one judge --------------------------------------------------------------------------------


def _of_judge(judge: JudgeAgreement, found: AgreeStudy) -> list[Sentence]:
    said: list[Sentence | None] = []
    if found.task.scale == "continuous":
        said.append(_correlation(judge.judge, _by_name(judge.micro)))
    elif found.people.rated:
        first = judge is found.judges[0]
        said += _verdicts(judge, found.task, first=first)
    leanings = _by_name(judge.leanings)
    said += [_position(judge.judge, leanings), _length(judge.judge, leanings), _repeats(judge)]
    return [sentence for sentence in said if sentence is not None]


def _verdicts(judge: JudgeAgreement, task: Task, *, first: bool) -> list[Sentence | None]:
    """Agreement, chance, kappa and phi; strict or lenient; what was not covered."""
    agreed = _by_name(judge.micro)["accuracy"]
    if isinstance(agreed, Undefined):
        text = f"{judge.judge}: agreement cannot be computed, {agreed.reason}."
        return [_not_computed(judge.judge, agreed, text)]
    strictness = _strictness(judge, task) if task.scale == "binary" else None
    return [_accuracy(judge, agreed, task, first=first), strictness, _coverage(judge)]


def _not_computed(judge: str, result: Undefined, text: str) -> Sentence:
    facts = {"name": result.name, "reason": result.reason, "n_items": result.n_items}
    return Sentence("agree.not_computed", text, {"judge": judge}, facts)


def _accuracy(judge: JudgeAgreement, agreed: Estimate, task: Task, *, first: bool) -> Sentence:
    """What else phi is goes beside it with the first judge."""
    facts, results = _facts(agreed), _by_name(judge.micro)
    items = "the one item" if agreed.n_items == 1 else f"{agreed.n_items:,} items"
    text = f"{judge.judge} agrees with people on {agreed.value:.0%} of {items}"
    if agreed.interval:
        text += f" ({agreed.interval.low:.0%} to {agreed.interval.high:.0%})"
    chance = results.get("chance_agreement")
    if isinstance(chance, Estimate):
        text += f"; {chance.value:.0%} would agree by chance"
        facts["chance_agreement"] = chance.value
    kappa = results["cohen_kappa"]
    facts |= _beside(kappa)
    if isinstance(kappa, Undefined):
        text += f". Cohen's kappa is undefined: {kappa.reason}"
    elif judge.single_option:
        text += ". Cohen's kappa says nothing here: people or judge use a single option"
        facts["single_option"] = True
    else:
        text += f". Cohen's kappa is {kappa.value:.2f}{_range(kappa)}"
        phi = results.get("phi")
        if isinstance(phi, Estimate):
            same = " (= MCC = Pearson = Spearman = tau-b)" if first else ""
            text += f", phi{same} {phi.value:.2f}"
            facts["phi"] = phi.value
        weighted = results.get("weighted_kappa")
        if isinstance(weighted, Estimate) and task.weights in ("linear", "quadratic"):
            text += (
                f"; with {task.weights} weights, which forgive near misses, "
                f"{weighted.value:.2f}{_range(weighted)}"
            )
            facts |= _beside(weighted) | {"weights": task.weights}
    return Sentence("agree.accuracy", f"{text}.", {"judge": judge.judge}, facts)


def _range(result: Estimate) -> str:
    interval = result.interval
    return f" ({interval.low:.2f} to {interval.high:.2f})" if interval else ""


def _strictness(judge: JudgeAgreement, task: Task) -> Sentence | None:
    """Strict or lenient, when the two positive rates can be told apart; and what it costs kappa."""
    results = _by_name(judge.micro)
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
    said = (
        f"it says {task.positive or 'positive'} on {judged.value:.0%} of items, people on "
        f"{people.value:.0%}"
    )
    facts = _facts(difference, positive=task.positive, **known([judged, people]))
    lean = (
        "lenient"
        if difference.interval.low > 0
        else "strict"
        if difference.interval.high < 0
        else "neither"
    )
    facts["lean"] = lean
    cost = ""
    if lean != "neither" and isinstance(gap, Estimate) and gap.value >= WORTH_TELLING:
        cost = f"; the drift costs kappa {gap.value:.3f} against phi"
        facts["kappa_phi_gap"] = gap.value
    words = "neither clearly strict nor lenient" if lean == "neither" else lean
    text = f"{judge.judge} is {words}: {said}{cost}."
    return Sentence("agree.strictness", text, {"judge": judge.judge}, facts)


def _coverage(judge: JudgeAgreement) -> Sentence | None:
    covered = _by_name(judge.rates).get("coverage")
    if not isinstance(covered, Estimate) or not covered.value < 1:
        return None
    missing = 1 - covered.value
    text = f"{judge.judge} gives no usable verdict on {missing:.1%} of the items it saw."
    facts = _facts(covered, missing=missing)
    return Sentence("agree.coverage", text, {"judge": judge.judge}, facts)


def _correlation(judge: str, results: Named) -> Sentence:
    first, concordance = results["pearson"], results["lin_concordance"]
    if isinstance(first, Undefined):
        text = f"{judge}: correlation with people cannot be computed, {first.reason}."
        return _not_computed(judge, first, text)
    facts = _facts(first)
    text = f"{judge}'s scores correlate with people's at {first.value:.2f} (Pearson"
    if first.interval:
        text += f", {first.interval.low:.2f} to {first.interval.high:.2f}"
    text += f") over {first.n_items:,} items"
    if isinstance(concordance, Estimate):
        text += f"; as equal numbers they agree at {concordance.value:.2f} (Lin)"
        facts["lin_concordance"] = concordance.value
    return Sentence("agree.correlation", f"{text}.", {"judge": judge}, facts)


def _no_score(silent: SilentJudge) -> Sentence:
    text = f"{silent.judge}: none of its {silent.ratings:,} ratings is a score."
    return Sentence("agree.no_score", text, {"judge": silent.judge}, {"ratings": silent.ratings})


def _position(judge: str, leanings: Named) -> Sentence | None:
    """Where the answer that is shown first, or second, wins too often."""
    rate = leanings.get("first_position_rate")
    if not isinstance(rate, Estimate) or not rate.interval or 0.5 in rate.interval:
        return None
    place = "first" if rate.value > 0.5 else "second"
    share = rate.value if rate.value > 0.5 else 1 - rate.value
    text = f"{judge} leans to the answer shown {place}: {share:.0%} of its verdicts."
    facts = _facts(rate, place=place, share=share)
    return Sentence("agree.position", text, {"judge": judge}, facts)


def _length(judge: str, leanings: Named) -> Sentence | None:
    """Where the verdict follows the length of the text, given people's verdict."""
    odds = leanings.get("length_log_odds")
    if not isinstance(odds, Estimate) or not odds.interval or 0.0 in odds.interval:
        return None
    longer = odds.value > 0
    times = math.exp(abs(odds.value))
    text = (
        f"{judge} leans to {'longer' if longer else 'shorter'} texts: given people's verdict, "
        f"twice the length makes the odds {times:.2f} times as {'high' if longer else 'low'}."
    )
    facts = _facts(odds, leans_to="longer" if longer else "shorter", times=times)
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
        said = [f"asked twice, it gives the same verdict {same:.0%} of the time"]
        said += [] if noise is None else [f"{noise:.0%} of its disagreement with people is noise"]
        facts = {"self_consistency": same, "noise_share": noise}
    elif noise is not None:
        samples = len(again.curve.pearson)
        said = [f"{noise:.0%} of its squared distance from people is noise between repeats"]
        facts = {"noise_share": noise}
    else:
        return None
    enough = again.curve.enough
    said.append(f"{enough} of {samples} samples are worth paying for")
    return Sentence(
        "agree.repeats",
        f"{judge.judge}: {'; '.join(said)}.",
        {"judge": judge.judge},
        {**facts, "samples": samples, "enough": enough},
    )


# --- people and panels ------------------------------------------------------------------------


def _nobody(task: Task) -> Sentence:
    what = "score" if task.scale == "continuous" else "rating"
    text = (
        f"There is no human {what}: whether the judges agree with people cannot be said, only "
        "whether they agree with one another."
    )
    return Sentence("agree.no_people", text)


def _people(people: PeopleAgreement, task: Task) -> list[Sentence]:
    results = _by_name(people.coefficients)
    alpha = results.get("human_krippendorff_alpha")
    if not isinstance(alpha, Estimate):
        return []
    ceiling = "the ceiling against which a judge is read"
    facts = _facts(alpha)
    if task.scale == "continuous":
        text = f"People agree with one another at alpha {alpha.value:.2f} (interval): {ceiling}."
        return [Sentence("agree.people", text, facts=facts)]
    pairs = results["human_observed_agreement"]
    if not isinstance(pairs, Estimate):
        return []
    text = (
        f"People agree with one another on {pairs.value:.0%} of pairs of ratings "
        f"(alpha {alpha.value:.2f}): {ceiling}."
    )
    return [Sentence("agree.people", text, facts=facts | {pairs.name: pairs.value})]


def _panel(panel: PanelAgreement) -> list[Sentence]:
    """How many independent judges they are worth, and whether a jury beats its best member."""
    told, said = [], []
    for one in panel.juries:
        gain = one.gain
        if not isinstance(gain, Estimate) or not gain.interval:
            continue
        low, high = gain.interval.low, gain.interval.high
        verdict = "beats" if low > 0 else "is worse than" if high < 0 else "cannot be told from"
        said.append(
            f"the {one.jury} {verdict} its best member {one.best} "
            f"({gain.value:+.1%}, {low:+.1%} to {high:+.1%})"
        )
        told.append((one.jury, verdict, one.best, gain.value, low, high))
    if not said:
        return []
    fields = ("juries", "verdicts", "best", "gains", "lows", "highs")
    facts: dict[str, Any] = {
        "judges": len(panel.judges),
        **{key: list(column) for key, column in zip(fields, zip(*told, strict=True), strict=True)},
    }
    worth = panel.effective
    if isinstance(worth, Estimate):
        facts |= _beside(worth)
        ends = worth.interval
        said[0] = (
            f"{len(panel.judges)} judges err alike enough to be worth {worth.value:.1f}"
            + (f" ({ends.low:.1f} to {ends.high:.1f})" if ends else "")
            + f" independent ones; {said[0]}"
        )
    text = "; ".join(said)
    return [Sentence("agree.juries", f"{text[0].upper()}{text[1:]}.", facts=facts)]


# --- the paragraph ----------------------------------------------------------------------------

_REPORTED = (
    "accuracy",
    "balanced_accuracy",
    "cohen_kappa",
    "weighted_kappa",
    "phi",
    "mcc",
    "f1",
    "precision",
    "recall",
    "pearson",
    "spearman",
    "kendall_tau_b",
    "lin_concordance",
    "icc",
    "roc_auc",
)
#: Left out where more than two judges' verdicts are reported.
_LONG = ("recall", "pearson", "kendall_tau_b")

_REFERENCES = {
    "majority": "the majority of the human ratings (tied votes left out)",
    "each": "each human rating in turn",
    "soft": "the share of human ratings",
    "response_set": "the share of human ratings",
    "adjudicated": "what was resolved where people differ, and elsewhere their majority",
}


def methods(found: AgreeStudy, version: str) -> Sentence:
    """A paragraph for a methods section: the numbers of the declared handling, pooled (micro)."""
    task, people, draw = found.task, found.people.raters, found.draw
    brief = len(found.judges) > 2 and task.scale != "continuous"
    reported = [name for name in _REPORTED if not (brief and name in _LONG)]
    names = [judge.judge for judge in found.judges]
    raters = "one human rating" if people == 1 else f"{people} human raters"
    text = [
        f"We compared the verdicts of {', '.join(names)} with {raters} on {found.n_units:,} units.",
        f"The judgment scale is {scale_words(task)}.",
    ]
    if people > 1:
        text.append(f"The reference is {_REFERENCES[task.reference]}.")
    text.append(f"Handling: {handling_words(task)}.")
    coverage = {judge: rates.get("coverage", 1.0) for judge, rates in found.rates.items()}
    if coverage:
        shown = "; ".join(f"{judge}: coverage {share:.1%}" for judge, share in coverage.items())
        text.append(f"Coverage was {shown}.")
    for judge in found.judges:
        more = judge.probabilities.results if judge.probabilities else ()
        numbers = [
            _in_brackets(result)
            for result in (*judge.micro, *more)
            if isinstance(result, Estimate) and result.name in reported
        ]
        if numbers:
            text.append(f"For {judge.judge}: {', '.join(numbers)}.")
    if found.criteria:
        text.append(
            f"Decisions are nested in {len(found.criteria)} criteria; the figures above are pooled"
            " (micro), macro and item-level figures are in the supplement."
        )
    if among := ensemble_words(found):
        text.append(f"Among the judges, {among}.")
    used = _interval_methods(found, reported)
    text.append(
        f"Intervals are {task.confidence_level:.0%} ({'; '.join(used) or 'none'}), the"
        f" resampling unit is the {task.cluster}; computed with goldassay {version}, seed"
        f" {draw.seed}, {draw.draws} draws."
    )
    facts = {
        "judges": names,
        "raters": people,
        "n_units": found.n_units,
        "n_clusters": found.n_clusters,
        "coverage": [coverage[name] for name in names],
        "confidence_level": task.confidence_level,
        "interval_methods": used,
        "seed": draw.seed,
        "draws": draw.draws,
        "version": version,
    }
    return Sentence("agree.methods", " ".join(text), facts=facts)


def _in_brackets(result: Estimate) -> str:
    text = f"{result.name.replace('_', ' ')} {result.value:.3f}"
    if result.interval is None:
        return text
    return f"{text} [{result.interval.low:.3f}, {result.interval.high:.3f}]"


def _interval_methods(found: AgreeStudy, reported: Sequence[str]) -> list[str]:
    """How the intervals of the declared handling are made."""
    results = [row.result for row in found.rows() if "mode" not in row.about]
    return sorted(
        {
            result.interval.method
            for result in results
            if isinstance(result, Estimate) and result.interval and result.name in reported
        }
    )
