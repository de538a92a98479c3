"""What an agreement study says, in sentences that carry their facts.

The answer is about the judge that agrees most: how far it agrees with people, which other judges
cannot be told from it, and how far people agree among themselves on the same terms. Notes say the
same of every other judge, best first, and what else is worth knowing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from goldassay.glossary import words
from goldassay.questions.agree.ceiling import Beside
from goldassay.questions.agree.checklist import several_said
from goldassay.questions.agree.judge_words import about_one
from goldassay.questions.agree.record import (
    AgreeStudy,
    JudgeAgreement,
    PanelAgreement,
    PeopleAgreement,
    Range,
    SilentJudge,
    known,
)
from goldassay.questions.agree.standing import NAMED, Standing, silent_said
from goldassay.questions.cluster_sizes import of_differences
from goldassay.questions.facts import Named, by_name, facts_of, further
from goldassay.ratings.task import Task
from goldassay.results import Estimate, Sentence, Undefined
from goldassay.words import column_texts, counted, decimal, figure, listed, named, percent, points

__all__ = [
    "NAMED",
    "TIES_COUNT",
    "WORTH_FIRST",
    "answer",
    "chosen_of",
    "notes",
    "of_which",
    "told_from",
    "warnings",
]

#: The share of tied votes from which on leaving them out is worth a warning.
MANY_TIED = 0.1
#: From this share of undecided items on, the answer speaks of it.
WORTH_FIRST = 0.01
#: From this share on the largest cluster outweighs the others, where these are not few anyway.
GIANT, MOST_CLUSTERS = 0.3, 5
#: From so many judges that cannot be told from it on, the first owes its place to chance too.
MANY_LEVEL = 4


def answer(found: AgreeStudy) -> tuple[Sentence, ...]:
    """The judge that agrees most, who cannot be told from it, and people's own agreement."""
    if not found.people.rated or not found.judges or found.standing is None:
        said = [] if found.people.rated else [_nobody(found)]
        return tuple(said + [_no_score(silent) for silent in found.silent][: 3 - len(said)])
    best = found.ranked[0]
    told: list[Sentence | None] = [_first(best, found), _told_apart(found.standing, found)]
    about = [one for one in about_one(best, found) if one is not None]
    told += [one for one in about if one.key == "agree.silent"]
    if best.judge in found.beside:
        told.append(_beside(found.beside[best.judge], found))
    elif found.task.scale == "continuous":
        told += _people(found.people, found)
    told += [one for one in about if _weighty(one)]
    return tuple(one for one in told if one is not None)[:3]


def _weighty(said: Sentence) -> bool:
    """Whether a sentence about the best judge belongs in the answer, if there is room."""
    if said.key == "agree.strictness":
        return bool(said.facts["lean"] != "neither")
    if said.key == "agree.coverage":
        return bool(said.facts["missing"] >= WORTH_FIRST)
    return said.key not in ("agree.scores", "agree.silent")  # the second stands before them


def notes(found: AgreeStudy) -> tuple[Sentence, ...]:
    """All that is not in the answer: the other judges, best first; people; panels."""
    told: list[Sentence | None] = []
    if found.people.rated:
        told += _people(found.people, found)
    for judge in found.ranked:
        if found.people.rated:
            told.append(_first(judge, found))
            told.append(_beside(found.beside[judge.judge], found) if found.beside else None)
        told += about_one(judge, found)
    told += [_no_score(silent) for silent in found.silent]
    told += [] if found.panel is None else _panel(found.panel, found.unit)
    first = {(one.key, tuple(one.about.items())) for one in answer(found)}
    return tuple(
        one for one in told if one is not None and (one.key, tuple(one.about.items())) not in first
    )


def warnings(found: AgreeStudy) -> tuple[str, ...]:
    """What is missing from people's side, or flatters the judges; judges that are one."""
    ties = [one.judge for one in found.judges if one.only_ties and found.task.ties == "half"]
    return (
        *only_ties_said(ties),
        *_several(found),
        *_giant(found),
        *_chosen(found),
        *_at_differences(found),
        *_of_people(found),
        *_copies(found),
    )


def _several(found: AgreeStudy) -> Iterator[str]:
    """That ratings of several options leave items out, and which verb has them."""
    if found.several:
        yield (
            f"{several_said(found)}, either of which may hold: they are left out here, and "
            "`goldassay audit` counts them"
        )


def only_ties_said(judges: Sequence[str]) -> Iterator[str]:
    """That half a credit for each tie is all that some judges have."""
    for judge in judges:
        yield (
            f"{named(judge)} calls everything a tie: it never says which is better, and half a "
            "credit for each tie makes all of its agreement"
        )


def chosen_of(judge: str, level: int, unit: str) -> str:
    """That the first of many level judges owes its place to these items too."""
    return (
        f"{named(judge)} was found the first on these very {unit}s, and {level:,} others cannot be "
        "told from it: that favours it, and on others its numbers are likely lower"
    )


def _chosen(found: AgreeStudy) -> Iterator[str]:
    standing = found.standing
    if standing is not None and len(standing.tied) >= MANY_LEVEL:
        yield chosen_of(standing.order[0], len(standing.tied), found.unit)


def _at_differences(found: AgreeStudy) -> tuple[str, ...]:
    """What stands at the differences of judges, once."""
    differences = found.standing.differences.values() if found.standing is not None else ()
    return of_differences(tuple(dict.fromkeys(w for one in differences for w in one.warnings)))


def _giant(found: AgreeStudy) -> Iterator[str]:
    """One cluster that outweighs the others: what happens in it decides, and it was drawn once."""
    if found.n_clusters > MOST_CLUSTERS and found.largest_cluster > GIANT:
        yield (
            f"one of {found.n_clusters:,} clusters ({named(found.task.cluster)}) holds "
            f"{percent(found.largest_cluster)} of the {found.unit}s: it was drawn once, so that "
            "intervals are as wide as those of a few clusters"
        )


def _copies(found: AgreeStudy) -> Iterator[str]:
    for same in found.panel.copies if found.panel else ():
        who = listed([named(one) for one in same[:NAMED]])
        if len(same) > NAMED:
            who = f"{', '.join(named(one) for one in same[:NAMED])} and {len(same) - NAMED} more"
        yield f"{who} gave the same verdict on every {found.unit}: they are worth one judge"


def _of_people(found: AgreeStudy) -> tuple[str, ...]:
    people = found.people
    what = "score" if found.task.scale == "continuous" else "rating"
    if not people.rated:
        return ("add ratings of kind human for the same items",)
    if not people.several:
        return (
            f"one {what} by a person for each {found.unit}: how far people agree with one another, "
            "the ceiling for any judge, is unknown",
        )
    if people.tied > MANY_TIED * people.units:
        keeps = '"median" or "each"' if found.task.scale == "ordinal" else '"each"'
        return (
            f"people's votes tie on {people.tied:,} of {counted(people.units, found.unit)} "
            f"({percent(people.tied / people.units)}), which are left out: the numbers are about "
            f"{found.unit}s that people agree on; reference = {keeps} in the task keeps all",
        )
    return ()


def told_from(tied: Sequence[str], worse: Sequence[str], better: str, *, others: str = "") -> str:
    """Who cannot be told from the best, counted where they are many, and who is worse.

    >>> told_from(["k"], ["l", "m"], "is better than")
    'It cannot be told from `k`, and is better than the other 2'
    """
    number = len(tied) + len(worse)
    rest = f"{number} {others}".strip()
    if not tied:
        return f"It {better} {named(worse[0]) if number == 1 else f'each of the other {rest}'}"
    if len(tied) <= NAMED:
        said = f"It cannot be told from {listed([named(one) for one in tied], 'or')}"
    elif worse:
        said = f"It cannot be told from {len(tied)} of the other {rest}"
    else:
        said = f"It cannot be told from any of the other {rest}"
    if not worse:
        return said
    return f"{said}, and {better} " + (
        named(worse[0]) if len(worse) == 1 else f"the other {len(worse)}"
    )


# --- how far a judge agrees -------------------------------------------------------------------


def _first(judge: JudgeAgreement, found: AgreeStudy) -> Sentence:
    if found.task.scale == "continuous":
        return _correlation(judge.judge, by_name(judge.micro), found.unit, judge.ranges)
    agreed = by_name(judge.micro)["accuracy"]
    if isinstance(agreed, Undefined):
        reason, people = agreed.reason, found.people
        if people.tied == people.units > 0:
            reason = (
                f"people are divided on all {counted(people.units, found.unit)} that they rated"
            )
        text = f"{named(judge.judge)}: agreement cannot be computed, {reason}."
        return _not_computed(judge.judge, agreed, text)
    return _accuracy(judge, agreed, found)


def _not_computed(judge: str, result: Undefined, text: str) -> Sentence:
    facts = {"name": result.name, "reason": result.reason, "n_items": result.n_items}
    return Sentence("agree.not_computed", text, {"judge": judge}, facts)


def _accuracy(judge: JudgeAgreement, agreed: Estimate, found: AgreeStudy) -> Sentence:
    """Agreement, chance and kappa; how ties count, and how often each side calls one."""
    facts, results, task = facts_of(agreed), by_name(judge.micro), found.task
    covered = known(judge.rates).get("coverage", 1.0)
    facts |= {"coverage": covered, "unit": found.unit}
    facts |= {"by_weight": True} if found.weighed else {}
    if judge.judge in found.several:
        facts["several"] = found.several[judge.judge]
    elif covered < 1 and not _undecided_count(judge, task):
        facts["of_decided"] = True
    where = of_which(facts)
    text = f"{named(judge.judge)} agrees with {_whom(found)} on {figure(agreed)} of {where}"
    beside = [one] if (one := _ties(judge, found, facts)) else []
    if found.people.tied > MANY_TIED * found.people.units:
        beside.append(f"people tie on {found.people.tied:,} more, which are left out")
        facts["tied"] = found.people.tied
    text += f" ({'; '.join(beside)})" if beside else ""
    chance = results.get("chance_agreement")
    if isinstance(chance, Estimate) and not judge.single_option:
        ends = agreed.interval
        share = percent(chance.value, (ends.low, ends.high) if ends else (None, None))
        text += f". By chance {share} would" if beside else f"; {share} would agree by chance"
        facts["chance_agreement"] = chance.value
    kappa = results["cohen_kappa"]
    facts |= further(kappa)
    if isinstance(kappa, Undefined):
        text += f", and Cohen's kappa is undefined: {kappa.reason}"
    elif judge.single_option:
        text += f"; Cohen's kappa says nothing here, since {judge.single_side}"
        facts["single_option"] = True
    else:
        text += f" (Cohen's kappa {figure(kappa)})"
        weighted = results.get("weighted_kappa")
        if isinstance(weighted, Estimate):
            how = f"{task.weights} weights" if isinstance(task.weights, str) else "the weights"
            text += f". Where near misses count in part ({how}), kappa is {figure(weighted)}"
            facts |= further(weighted) | {"weights": task.weights}
    return Sentence("agree.accuracy", f"{text}.", {"judge": judge.judge}, facts)


def of_which(facts: Mapping[str, Any]) -> str:
    """Of which units the share is, from the facts of `agree.accuracy`: all, or those that both
    decide."""
    units = counted(facts["n_items"], facts["unit"])
    weight = "by weight" if facts.get("by_weight") else ""
    if facts.get("of_decided"):
        does = "make" if facts["unit"] == "decision" else "decide"
        return f"the {units} that both {does}" + (f", {weight}" if weight else "")
    units = f"{units} {weight}".rstrip()
    return f"the {units} on which both name one option" if facts.get("several") else units


def _undecided_count(judge: JudgeAgreement, task: Task) -> bool:
    """Whether outputs that are no verdict count among the decisions, recoded or as a class."""
    rates = known(judge.rates)
    abstained = task.abstentions != "exclude" and rates.get("abstention_rate", 0.0) > 0
    return abstained or (task.invalids != "exclude" and rates.get("invalid_rate", 0.0) > 0)


def _whom(found: AgreeStudy) -> str:
    """With whom a judge agrees, by the declared reference."""
    if not found.people.several or found.task.reference in ("each", "soft", "response_set"):
        return "people"
    if found.task.reference in ("median", "mean"):
        return f"the {found.task.reference} of people's ratings"
    return "the majority of people"


TIES_COUNT = {
    "half": "a tie counts half",
    "exclude": "ties are left out",
    "class": "a tie is a verdict of its own",
}


def _ties(judge: JudgeAgreement, found: AgreeStudy, facts: dict[str, Any]) -> str:
    """How ties count, and both tie rates where they differ."""
    if found.task.tie is None:
        return ""
    facts["ties"] = found.task.ties
    own, people = by_name(judge.rates).get("tie_rate"), found.people.ties
    more = by_name(judge.leanings).get("tie_rate_difference")
    if not (
        isinstance(own, Estimate)
        and isinstance(people, Estimate)
        and isinstance(more, Estimate)
        and more.interval
        and 0.0 not in more.interval
    ):
        return TIES_COUNT[found.task.ties]
    whom = _whom(found).removesuffix(" of people")
    facts |= {"tie_rate": own.value, "human_tie_rate": people.value, **further(more)}
    facts["tie_rate_beside"] = whom
    rates = f"it calls {percent(own.value)} ties, {whom} {percent(people.value)}"
    return f"{TIES_COUNT[found.task.ties]}; {rates}"


def _correlation(
    judge: str, results: Named, unit: str, ranges: tuple[Range, Range] | None
) -> Sentence:
    first, concordance = results["pearson"], results["lin_concordance"]
    if isinstance(first, Undefined):
        text = f"{named(judge)}: correlation with people cannot be computed, {first.reason}."
        return _not_computed(judge, first, text)
    facts = facts_of(first, unit=unit)
    text = (
        f"The scores of {named(judge)} correlate with people's at {figure(first)} (Pearson) over "
        f"{counted(first.n_items, unit)}"
    )
    if isinstance(concordance, Estimate):
        lin = f"{decimal(concordance.value)} (Lin)"
        facts["lin_concordance"] = concordance.value
        if ranges is None:
            text += f"; as equal numbers they agree at {lin}"
        else:
            own, people = (" to ".join(column_texts(one)) for one in ranges)
            facts["ranges"] = [list(one) for one in ranges]
            text += f". They run from {own}, people's from {people}: that as equal numbers they "
            text += f"agree at {lin} means something only if these are one scale"
    return Sentence("agree.correlation", f"{text}.", {"judge": judge}, facts)


def _no_score(silent: SilentJudge) -> Sentence:
    text = f"None of the {counted(silent.ratings, 'rating')} of {named(silent.judge)} is a score."
    return Sentence("agree.no_score", text, {"judge": silent.judge}, {"ratings": silent.ratings})


# --- the judges side by side ------------------------------------------------------------------


def _told_apart(standing: Standing, found: AgreeStudy) -> Sentence | None:
    """Whether the first judge is better than the others, on the items that all decide."""
    others = len(found.judges) - 1
    if not others:
        return None
    best, tied, worse = standing.order[0], standing.tied, standing.worse
    left = standing.order[1 + len(standing.differences) :]
    facts = {
        "metric": standing.metric,
        "judges": len(found.judges),
        "cannot_be_told_from": list(tied),
        "better_than": list(worse),
        "not_compared": list(left),
        "n_items": standing.n_items,
        "all_alike": standing.all_alike,
        "silences": {name: one.facts() for name, one in standing.silences.items()},
    }
    by = "" if standing.metric == "accuracy" else f" by {words(standing.metric)}"
    about = {"judge": best}
    if not standing.differences:
        text = f"Whether another judge agrees more{by} cannot be told: "
        text += (
            not_compared(standing, [one for one in left if one in standing.silences])[2:]
            if set(left) & set(standing.silences)
            else f"no {found.unit} with a label is decided by it and by another judge"
        )
        return Sentence("agree.told_apart", f"{text}.", about, facts)
    shared = (
        ""
        if standing.all_alike
        else (
            f" on the {counted(standing.n_items, found.unit)} that "
            f"{'both' if len(standing.compared) == 2 else f'all {len(standing.compared)}'} "
            f"{'score' if found.task.scale == 'continuous' else 'decide'}"
        )
    )
    text = f"{told_from(tied, worse, 'agrees more than', others='judges')}{by}{shared}"
    return Sentence("agree.told_apart", f"{text}{not_compared(standing, left)}.", about, facts)


def not_compared(standing: Standing, left: Sequence[str]) -> str:
    """Which judges are not compared, and why."""
    text = ""
    few = [one for one in left if one not in standing.silences]
    if few:
        who = listed([named(one) for one in few]) if len(few) <= NAMED else f"{len(few)} judges"
        text += f"; {who} {'decides' if len(few) == 1 else 'decide'} too few to be compared"
    return text + silent_said(standing.silences, left, "judges")


def _beside(beside: Beside, found: AgreeStudy) -> Sentence | None:
    """A judge and people on equal terms: with one person, and a person with another."""
    own, people, gap = beside.results
    if not (
        isinstance(own, Estimate) and isinstance(people, Estimate) and isinstance(gap, Estimate)
    ):
        return None
    ends = gap.interval
    lean = (
        "unknown"
        if ends is None
        else ("less" if ends.high < 0 else "more" if ends.low > 0 else "cannot be told")
    )
    items = f"{counted(gap.n_items, found.unit)}{', each counted once' if found.weighed else ''}"
    if lean == "less":
        text = (
            f"Two people agree with each other more often than one does with {named(beside.judge)}:"
            f" {figure(people)} against {figure(own)} of the same {items}"
        )
    elif lean == "more":
        text = (
            f"A person agrees more often with {named(beside.judge)} than with another person: "
            f"{figure(own)} against {figure(people)} of the same {items}"
        )
    else:
        text = (
            f"A person agrees with {named(beside.judge)} on {figure(own)} and with another person "
            f"on {figure(people)} of the same {items}: which is more cannot be told"
        )
    facts = facts_of(gap, lean=lean, **further(own), **further(people))
    if found.people.selected:
        names = [one.rater for one in found.people.selected]
        text += f" ({listed([*map(named, names)])} left out: rated a selection of {found.unit}s)"
        facts["left_out"] = names
    return Sentence("agree.beside_people", f"{text}.", {"judge": beside.judge}, facts)


# --- people and panels ------------------------------------------------------------------------


def _nobody(found: AgreeStudy) -> Sentence:
    what = "score" if found.task.scale == "continuous" else "rating"
    first = found.panel.coefficients[:1] if found.panel else ()
    among = next((one for one in first if isinstance(one, Estimate)), None)
    text = f"There is no human {what}: whether the judges agree with people cannot be said"
    if among is None:
        return Sentence("agree.no_people", f"{text}.")
    name = words(among.name).removesuffix(" among judges")
    text += f"; with one another they agree at {name} {figure(among)}."
    return Sentence("agree.no_people", text, facts=facts_of(among))


def _people(people: PeopleAgreement, found: AgreeStudy) -> list[Sentence | None]:
    """How far people agree among themselves: whose pairs, how many, and who is left out."""
    results = by_name(people.coefficients)
    alpha = results.get("human_krippendorff_alpha")
    if not isinstance(alpha, Estimate):
        return []
    facts = facts_of(alpha)
    if found.task.scale == "continuous":
        text = f"People agree with one another at Krippendorff's alpha {figure(alpha)}."
        return [Sentence("agree.people", text, facts=facts)]
    pairs = results["human_observed_agreement"]
    if not isinstance(pairs, Estimate):
        return []
    text = (
        f"Two people give the same answer {figure(pairs)} of the time, on average over "
        f"{counted(people.paired, found.unit)} that several rated "
        f"({counted(people.pairs, 'pair')} of ratings; Krippendorff's alpha {figure(alpha)})"
    )
    facts |= further(pairs) | {"pairs": people.pairs, "units": people.paired}
    for one in people.selected:
        text += (
            f"; {named(one.rater)} is left out, who rated {one.units:,} of them, on which the "
            f"others differ in {percent(one.differ)} (elsewhere {percent(one.differ_elsewhere)})"
        )
    if people.selected:
        facts["left_out"] = [one.rater for one in people.selected]
        facts["selected"] = [
            [one.units, one.differ, one.differ_elsewhere] for one in people.selected
        ]
    return [Sentence("agree.people", f"{text}.", facts=facts)]


def _unlike(panel: PanelAgreement, unit: str) -> Sentence | None:
    """Judges that are not interchangeable: one gives an option more often than another."""
    one, results = panel.unlike, by_name(panel.coefficients)
    if one is None or not one.told:
        return None
    facts = facts_of(
        one.difference,
        option=one.option,
        often=one.often,
        seldom=one.seldom,
        often_rate=one.often_rate,
        seldom_rate=one.seldom_rate,
    )
    text = (
        f"The judges are not interchangeable: {named(one.often)} says {named(one.option)} on "
        f"{percent(one.often_rate)} and {named(one.seldom)} on {percent(one.seldom_rate)} of the "
        f"{counted(one.difference.n_items, unit)} that all decide"
    )
    each, alike = results.get("judges_conger_kappa"), results.get("judges_fleiss_kappa")
    if isinstance(each, Estimate) and isinstance(alike, Estimate):
        text += (
            f". Conger's kappa ({decimal(each.value)}) takes each at its own rates, Fleiss' kappa "
            f"({decimal(alike.value)}) and alpha take them to be alike"
        )
        facts |= further(each) | further(alike)
    return Sentence("agree.unlike_judges", f"{text}.", facts=facts)


def _panel(panel: PanelAgreement, unit: str) -> list[Sentence | None]:
    """Whether judges are interchangeable, how many they are worth, and whether a jury is better."""
    return [_unlike(panel, unit), *_juries(panel, unit)]


def _juries(panel: PanelAgreement, unit: str) -> list[Sentence | None]:
    """How many independent judges they are worth, and whether a jury beats its best member."""
    told, said = [], []
    for one in panel.juries:
        gain = one.gain
        if not isinstance(gain, Estimate) or not gain.interval:
            continue
        low, high = gain.interval.low, gain.interval.high
        verdict = "beats" if low > 0 else "is worse than" if high < 0 else "cannot be told from"
        said.append(
            f"The {one.jury} {verdict} its best member {named(one.best)} on the "
            f"{counted(gain.n_items, unit)} that both decide ({points(gain.value, (low, high))})."
        )
        told.append((one.jury, verdict, one.best, gain.value, low, high, gain.n_items))
    if not said:
        return []
    fields = ("juries", "verdicts", "best", "gains", "lows", "highs", "items")
    facts: dict[str, Any] = {
        "judges": len(panel.judges),
        **{key: list(column) for key, column in zip(fields, zip(*told, strict=True), strict=True)},
    }
    worth = panel.effective
    if isinstance(worth, Estimate):
        facts |= further(worth)
        said.insert(
            0,
            f"By how alike they err, {len(panel.judges)} judges are worth {figure(worth)} "
            "independent ones.",
        )
    return [Sentence("agree.juries", " ".join(said), facts=facts)]
