"""What raters may not have said, in sentences: options that choices hide, answers by lapse."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.distributions import Definition
from goldassay.glossary import WAYS, words
from goldassay.questions.audit.lapses import Lapses
from goldassay.questions.audit.sensitivity import Family, ImpliedBeta, Prevalence, Sweep
from goldassay.questions.audit.sensitivity import runs as stretches
from goldassay.results import Estimate, Result, Sentence, Undefined
from goldassay.words import counted, figure, interval_text, listed, named, percent, points

__all__ = [
    "best_by_beta",
    "definition_words",
    "implied_said",
    "lapse_rate",
    "lapses_choice",
    "prevalence_by_beta",
    "selection_cost",
    "selection_effects",
]

#: Raters that are spoken of one by one; the tables have all.
MOST_RATERS = 5
#: A selection that costs less than this of the downstream measure is not worth a sentence.
LEAST_COST = 0.005
#: A bound on lapses above this says nothing.
MOST_LAPSES = 0.3
#: What a measure is told by where response sets were given.
_BY_SETS = f" (by {WAYS['srs']})"


def implied_said(implied: Sequence[ImpliedBeta]) -> Sentence:
    told = [
        f"{one.rater if one.rater == 'people' else named(one.rater)} "
        f"{percent(one.value, (one.low, one.high))} [{interval_text(one.low, one.high, rate=True)}]"
        for one in implied[:MOST_RATERS]
    ]
    return Sentence(
        "audit.implied_beta",
        "Asked for one option and for all that they accept, raters accept another one too this "
        f"often: {', '.join(told)}.",
        facts={
            "raters": [one.rater for one in implied],
            "betas": [one.value for one in implied],
            "lows": [one.low for one in implied],
            "highs": [one.high for one in implied],
            "n_choices": [one.n_choices for one in implied],
        },
    )


def _hides(family: Family) -> str:
    """Who may accept what else, those who may accept the same together."""
    alike: dict[str, list[str]] = {}
    for option, hidden in family.may_hide.items():
        alike.setdefault(listed([named(one) for one in hidden], "or"), []).append(named(option))
    return "; ".join(
        f"who says {listed(own, 'or')} may accept {hidden} too" for hidden, own in alike.items()
    )


def best_by_beta(found: Sweep, family: Family, judges: Sequence[str], *, by_sets: bool) -> Sentence:
    """Where the judge that is best downstream changes."""
    steps = found.steps
    winners = [(steps[first], judges[found.winner[first]]) for first, _ in stretches(found.winner)]
    level = [
        _level_with(found.level[first : last + 1], found.winner[first], judges)
        for first, last in stretches(found.winner)
    ]
    who = [_alike(judge, others) for (_, judge), others in zip(winners, level, strict=True)]
    if len(winners) == 1:
        text = (
            f"{who[0]} {_best_at(found.target, level[0], by_sets=by_sets)} however often raters "
            f"would accept more than the one option that they chose, up to "
            f"{percent(steps[-1])} of the time ({_hides(family)})."
        )
    else:
        parts = [
            f"{one} if {percent(beta)} of the time"
            for (beta, _), one in zip(winners, who, strict=True)
        ]
        text = (
            f"Which judge {_best_at(found.target, by_sets=by_sets)} depends on how often raters "
            f"would accept more than the one option that they chose ({_hides(family)}): "
            f"{who[0]} if {_often(steps[0])}, {', '.join(parts[1:])}."
        )
    return Sentence(
        "audit.best_by_beta",
        text,
        facts={
            "measure": found.target.name,
            "by_sets": by_sets,
            "judges": [judge for _, judge in winners],
            "level": level,
            "from_betas": [beta for beta, _ in winners],
            "up_to": steps[-1],
        },
    )


def _best_at(target: Definition, level: Sequence[str] = (), *, by_sets: bool) -> str:
    """What the best judge, or several that are level, are best at.

    With response sets it is by these, and not the measure of the same name of single choices.
    """
    best = (
        "the highest decision consistency"
        if target.better == "higher"
        else "the rate nearest to people's"
    ) + (_BY_SETS if by_sets else "")
    return f"have {best}, the same one," if level else f"has {best}"


def _level_with(level: NDArray[np.bool_], winner: int, judges: Sequence[str]) -> list[str]:
    """The other judges that are as good as the winner at every step."""
    return [judge for j, judge in enumerate(judges) if j != winner and bool(level[:, j].all())]


def _alike(judge: str, level: Sequence[str]) -> str:
    shown = [named(one) for one in (judge, *level[:MOST_RATERS])]
    more = len(level) - MOST_RATERS
    return listed([*shown, *([f"{more:,} more"] if more > 0 else [])])


def _often(share: float) -> str:
    return "never" if share == 0 else f"{percent(share)} of the time"


def selection_cost(
    found: Sweep, judges: Sequence[str], unit: str, *, by_sets: bool
) -> Iterator[Sentence]:
    """What the worst selection costs."""
    if not np.isfinite(found.cost).any() or np.nanmax(found.cost) <= LEAST_COST:
        return
    b, d = (int(i) for i in np.unravel_index(np.nanargmax(found.cost), found.cost.shape))
    cost, judge = float(found.cost[b, d]), judges[found.selected[b, d]]
    where = f"If raters accept more than they chose {percent(found.steps[b])} of the time"
    if found.steps[b] == 0:
        where = "If raters accept only what they chose"
    yield Sentence(
        "audit.selection_cost",
        f"{where}, selecting by {definition_words(found.definitions[d])} takes {named(judge)}; on "
        f"these {unit}s {_dearer(found.target, cost)}{_BY_SETS if by_sets else ''}.",
        about={"judge": judge},
        facts={
            "definition": found.definitions[d].label,
            "measure": found.target.name,
            "by_sets": by_sets,
            "cost": cost,
            "beta": found.steps[b],
        },
    )


def _dearer(target: Definition, cost: float) -> str:
    """What a judge loses to the best one, as these items have it."""
    if target.better == "higher":
        return f"it decides {points(cost)} fewer as people do than the best judge"
    return f"its rate is {points(cost)} further from people's than the best judge's"


def prevalence_by_beta(found: Prevalence, rated: int, unit: str) -> Iterator[Sentence]:
    """How far what is hidden moves people's own prevalence, at the threshold of the decisions."""
    first, last = (float(found.values[b, found.decided_at]) for b in (0, -1))
    if last <= first:
        return
    threshold = found.thresholds[found.decided_at]
    yield Sentence(
        "audit.prevalence_by_beta",
        f"Of all {counted(rated, unit)} that they rated, people count {percent(first)} as "
        f"{listed([named(one) for one in found.options], 'or')} "
        f"(from {percent(threshold)} of the raters on) if {_accept(found.betas[0])}, and "
        f"{percent(last)} if {_accept(found.betas[-1])}.",
        facts={
            "options": list(found.options),
            "threshold": threshold,
            "betas": [found.betas[0], found.betas[-1]],
            "prevalence": [first, last],
            "n_items": rated,
        },
    )


def _accept(beta: float) -> str:
    if beta == 0:
        return "they accept only what they chose"
    return f"those who chose another option would accept it too {percent(beta)} of the time"


def lapse_rate(found: Lapses) -> Iterator[Sentence]:
    """How often raters lapse: estimated from repeats, bounded, or declared (then not said)."""
    rate = found.rate
    if found.declared or rate.interval is None:
        return
    if isinstance(rate, Undefined):
        if rate.interval.high > MOST_LAPSES:  # which says nothing
            return
        yield Sentence(
            "audit.rater_error",
            "Nobody was asked twice, so how often raters answer otherwise than they hold cannot be "
            f"told; it is at most {percent(rate.interval.high)}, were all that they differ by "
            "such lapses.",
            facts={"low": 0.0, "high": rate.interval.high},
        )
        return
    declared = rate.declared
    yield Sentence(
        "audit.rater_error",
        f"Raters answer otherwise than they hold on {figure(rate, rate=True)} of ratings, as their "
        f"{counted(declared['repeats'], 'pair')} of repeated answers tell, if lapses go to every "
        "other option alike; whichever way they lean, on "
        f"{percent(declared['least_over_leanings'])} to {percent(declared['most_over_leanings'])}.",
        facts={
            "value": rate.value,
            "low": rate.interval.low,
            "high": rate.interval.high,
            "repeats": declared["repeats"],
            "least_over_leanings": declared["least_over_leanings"],
            "most_over_leanings": declared["most_over_leanings"],
        },
    )


def lapses_choice(
    found: Lapses, judges: Sequence[str], options: Sequence[str], *, by_sets: bool
) -> Sentence:
    """Whether lapses could change who is best; the least rate at which they would."""
    plain = found.sweeps[0.0]
    first = judges[plain.winner[0]]
    steps = np.concatenate([one.level for one in found.sweeps.values()])
    level = _level_with(steps, int(plain.winner[0]), judges)
    flips = sorted(found.flips, key=lambda one: (one[1], abs(one[0])))
    facts = {
        "measure": plain.target.name,
        "by_sets": by_sets,
        "judge": first,
        "level": level,
        "up_to": plain.steps[-1],
        "leanings": list(found.sweeps),
        "other": judges[flips[0][2]] if flips else None,
        "from_rate": flips[0][1] if flips else None,
        "leaning": flips[0][0] if flips else None,
    }
    if not flips:
        text = (
            f"{_alike(first, level)} {_best_at(plain.target, level, by_sets=by_sets)} even if "
            f"raters answer otherwise than they hold on up to {percent(plain.steps[-1])} of "
            "ratings, whichever way that leans."
        )
    else:
        leaning, rate, other = flips[0]
        as_ = listed([named(one) for one in options], "or")
        way = {0.0: "", 1.0: f", always towards {as_}", -1.0: f", always away from {as_}"}[leaning]
        text = (
            f"If raters answer otherwise than they hold on {percent(rate)} of ratings{way}, "
            f"{named(judges[other])} instead of {named(first)} "
            f"{_best_at(plain.target, by_sets=by_sets)}."
        )
    return Sentence("audit.lapses", text, facts=facts)


def selection_effects(effects: Mapping[str | None, Result]) -> Iterator[Sentence]:
    """Gamma: which way raters choose among options that they all find reasonable."""
    known = {rater: one for rater, one in effects.items() if isinstance(one, Estimate)}
    if not known:
        return
    people = known.get(None)
    option = next(iter(known.values())).declared["option"]
    told = [
        f"{'people' if rater is None else named(rater)} {figure(one)} times"
        for rater, one in list(known.items())[:MOST_RATERS]
    ]
    text = (
        f"Where {named(option)} and another option are both reasonable, {named(option)} is chosen, "
        f"against chance: {', '.join(told)}."
    )
    sides = {rater: _side_of_chance(one) for rater, one in known.items()}
    apart = [
        rater
        for rater, side in sides.items()
        if rater is not None and people is not None and side * sides[None] < 0
    ]
    if apart:
        text += (
            f" {listed([named(one) for one in apart])} and people lean opposite ways, which "
            "misleads hit rates and kappas: go by divergences or response sets."
        )
    yield Sentence(
        "audit.selection_effect",
        text,
        facts={
            "option": option,
            "raters": ["people" if rater is None else rater for rater in known],
            "effects": [one.value for one in known.values()],
            "opposite": apart,
        },
    )


def _side_of_chance(one: Estimate) -> int:
    """1 above chance, -1 below, 0 where the interval holds it."""
    assert one.interval is not None
    return int(one.interval.low > 1) - int(one.interval.high < 1)


def definition_words(one: Definition) -> str:
    """A definition in plain words, as "hit rate (by the most chosen option)"."""
    judge, _, people = one.aggregation.partition("/")
    if judge == people or not people:
        return f"{words(one.name)} (by {WAYS.get(judge, judge)})"
    sides = f"judge: {WAYS.get(judge, judge)}; people: {WAYS.get(people, people)}"
    return f"{words(one.name)} ({sides})"
