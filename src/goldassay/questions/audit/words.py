"""An audit in sentences, each made from facts that it carries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from goldassay.formulas.distributions import Definition
from goldassay.questions.audit.performance import Performance
from goldassay.questions.audit.populations import Groups
from goldassay.questions.audit.sensitivity import Family, Hidden, ImpliedBeta, Prevalence, Sweep
from goldassay.questions.audit.sensitivity import runs as stretches
from goldassay.questions.audit.study import AuditStudy, People, RatersNeeded
from goldassay.results import Estimate, Sentence, Undefined

__all__ = ["sentences", "warnings"]

#: Judges, raters and differences between groups that are spoken of one by one; the tables have all.
MOST_JUDGES, MOST_RATERS, MOST_DIFFERENCES = 5, 5, 3
#: A selection that costs less than this of the downstream measure is not worth a sentence.
LEAST_COST = 0.005
#: The share of items on which a panel should decide as all raters would.
ENOUGH = 0.9


def sentences(study: AuditStudy) -> tuple[Sentence, ...]:
    """The answer: who was compared, whom definitions select, and what could change that."""
    return tuple(_sentences(study))


def _sentences(study: AuditStudy) -> Iterator[Sentence]:
    yield _opening(study.people, len(study.judges))
    yield from _selection(study.compared)
    yield from _downstream(study)
    if study.rank_consistency is not None and study.rank_consistency.same_order:
        labels = [one.label for one in study.rank_consistency.definitions]
        said = "All these definitions put the judges in the same order."
        yield Sentence("audit.same_order", said, facts={"definitions": labels})
    if study.hidden is not None:
        yield from _hidden(study.hidden, study.judges)
    if study.raters is not None:
        yield _raters(study.raters)
    if isinstance(study.groups, Groups):
        yield from _groups(study.groups, 1 - study.confidence_level)


def _opening(people: People, judges: int) -> Sentence:
    asked = (("forced choices", people.forced_asked), ("response sets", people.sets_asked))
    kinds = [word for word, given in asked if given]
    return Sentence(
        "audit.people",
        f"{_number(judges, 'judge')} against people on {_number(people.n_items, 'item')}; people "
        f"gave {' and '.join(kinds)} ({people.median:g} ratings per item, median).",
        facts={
            "n_judges": judges,
            "n_items": people.n_items,
            "asked": kinds,
            "ratings_per_item": people.median,
        },
    )


def _selection(compared: Sequence[Performance]) -> Iterator[Sentence]:
    """Which judge the definitions select; how far a bias is from 0 selects none here."""
    chosen: dict[str, list[Definition]] = {}
    for one in compared:
        if one.selects is not None and one.definition.better != "zero":
            chosen.setdefault(one.selects, []).append(one.definition)
    if not chosen:
        return
    order = sorted(chosen, key=lambda judge: -len(chosen[judge]))
    if len(order) == 1:
        text = f"All {len(chosen[order[0]])} definitions shown select {order[0]}."
    else:
        parts = [f"{judge} by {_listed(list(map(_words, chosen[judge])))}" for judge in order]
        text = f"The definitions disagree on the best judge: {'; '.join(parts)}."
    by_judge = [[one.label for one in chosen[judge]] for judge in order]
    yield Sentence("audit.selection", text, facts={"judges": order, "definitions": by_judge})


def _downstream(study: AuditStudy) -> Iterator[Sentence]:
    """What each of the first judges does to decisions and to the prevalence."""
    soft = {one.definition.name: one for one in study.compared if one.definition.judge == "s"}
    consistency, bias = soft["decision_consistency"], soft["estimation_bias"]
    declared = consistency.definition.declared or {}
    for j, judge in enumerate(study.judges[:MOST_JUDGES]):
        alike, moved = consistency.results[j], bias.results[j]
        if not (isinstance(alike, Estimate) and isinstance(moved, Estimate)):
            continue
        points = round(moved.value * 100)
        place = f"{_number(abs(points), 'point')} {'above' if points > 0 else 'below'} theirs"
        place = place if points else "where they do"
        share, shift = alike.interval, moved.interval
        consistent = f" ({share.low * 100:.0f}% to {share.high * 100:.0f}%)" if share else ""
        biased = f" ({shift.low * 100:+.0f} to {shift.high * 100:+.0f})" if shift else ""
        yield Sentence(
            "audit.downstream",
            f"{judge}: counting an item as {declared['option']!r} from a share of "
            f"{declared['threshold']}, it decides as people do on {alike.value:.0%} of items"
            f"{consistent}, and puts the prevalence {place}{biased}.",
            about={"judge": judge},
            facts={
                **declared,
                "decision_consistency": alike.value,
                "decision_consistency_low": share.low if share else None,
                "decision_consistency_high": share.high if share else None,
                "estimation_bias": moved.value,
                "estimation_bias_low": shift.low if shift else None,
                "estimation_bias_high": shift.high if shift else None,
                "n_items": alike.n_items,
            },
        )


def _hidden(hidden: Hidden, judges: Sequence[str]) -> Iterator[Sentence]:
    if hidden.implied:
        yield _implied(hidden.implied)
    if hidden.sweeps and hidden.sweeps[0].contested:
        yield _best_by_beta(hidden.sweeps[0], hidden.family, judges)
        yield from _cost(hidden.sweeps[0], judges)
    if hidden.prevalence is not None:
        yield from _prevalence(hidden.prevalence)


def _implied(implied: Sequence[ImpliedBeta]) -> Sentence:
    told = ", ".join(f"{one.rater} {one.value:.2f}" for one in implied[:MOST_RATERS])
    return Sentence(
        "audit.implied_beta",
        f"Where both kinds of rating were given, beta is: {told}.",
        facts={
            "raters": [one.rater for one in implied],
            "betas": [one.value for one in implied],
            "n_choices": [one.n_choices for one in implied],
        },
    )


def _best_by_beta(found: Sweep, family: Family, judges: Sequence[str]) -> Sentence:
    """Where the judge that is best downstream changes."""
    betas = found.betas
    winners = [(betas[first], judges[found.winner[first]]) for first, _ in stretches(found.winner)]
    what = "best decision consistency" if found.target.better == "higher" else "least bias"
    first = winners[0][1]
    if len(winners) == 1:
        text = f"{first} has the {what} whatever forced choices hide, up to beta = {betas[-1]:g}"
        text += f" ({family})."
    else:
        parts = [f"{judge} from beta = {beta:g}" for beta, judge in winners[1:]]
        text = f"The judge with the {what} depends on what forced choices hide ({family}): "
        text += f"{first} at beta = {betas[0]:g}, {', '.join(parts)}."
    return Sentence(
        "audit.best_by_beta",
        text,
        facts={
            "measure": found.target.name,
            "judges": [judge for _, judge in winners],
            "from_betas": [beta for beta, _ in winners],
            "up_to": betas[-1],
        },
    )


def _cost(found: Sweep, judges: Sequence[str]) -> Iterator[Sentence]:
    """What the worst selection costs."""
    if not np.isfinite(found.cost).any() or np.nanmax(found.cost) <= LEAST_COST:
        return
    b, d = (int(i) for i in np.unravel_index(np.nanargmax(found.cost), found.cost.shape))
    cost, judge = float(found.cost[b, d]), judges[found.selected[b, d]]
    yield Sentence(
        "audit.selection_cost",
        f"Selecting by {_words(found.definitions[d])} costs up to {cost * 100:.0f} points of "
        f"{found.target.name.replace('_', ' ')} (at beta = {found.betas[b]:g}, where it takes "
        f"{judge}).",
        about={"judge": judge},
        facts={
            "definition": found.definitions[d].label,
            "measure": found.target.name,
            "cost": cost,
            "beta": found.betas[b],
        },
    )


def _prevalence(found: Prevalence) -> Iterator[Sentence]:
    """How far what is hidden moves people's own prevalence, at the threshold of the decisions."""
    first, last = (float(found.values[b, found.decided_at]) for b in (0, -1))
    if last <= first:
        return
    threshold = found.thresholds[found.decided_at]
    yield Sentence(
        "audit.prevalence_by_beta",
        f"What forced choices hide moves people's own prevalence of {found.option!r} (threshold "
        f"{threshold:g}): {first:.0%} of items at beta = {found.betas[0]:g}, "
        f"{last:.0%} at beta = {found.betas[-1]:g}.",
        facts={
            "option": found.option,
            "threshold": threshold,
            "betas": [found.betas[0], found.betas[-1]],
            "prevalence": [first, last],
        },
    )


def _raters(found: RatersNeeded) -> Sentence:
    here, enough = found.consistency_here, found.enough(ENOUGH)
    text = (
        f"A panel of {found.here:g} decides as the whole population of raters would on about "
        f"{here:.0%} of items"
    )
    text += f"; {enough} ratings per item give 90 %." if enough and here < ENOUGH else "."
    facts = {"ratings_per_item": found.here, "same_decision": here, "ratings_for_90": enough}
    return Sentence("audit.raters", text, facts=facts)


def _groups(found: Groups, tail: float) -> Iterator[Sentence]:
    """Which groups of raters rate differently, and for which judges that matters."""
    for one, p in zip(found.differences, found.apart, strict=True):
        verdict = "rate differently" if p < tail else "show no difference in how they rate"
        yield Sentence(
            "audit.groups",
            f"Raters of {one.first} and {one.second} {verdict} (Jensen-Shannon "
            f"{one.divergence:.3f} between them, p = {p:.3f}, {one.n_items} items).",
            about={"group": one.first, "other": one.second},
            facts={
                "differ": p < tail,
                "divergence": one.divergence,
                "p_value": p,
                "n_items": one.n_items,
            },
        )
    clear = [test for test in found.tests if test.adjusted < tail]
    for test in clear[:MOST_DIFFERENCES]:
        yield Sentence(
            "audit.group_difference",
            f"{test.judge} differs between {test.first} against {test.second}: "
            f"{test.definition.label} by {test.difference:+.2f} (p = {test.p_value:.3f}).",
            about={
                "judge": test.judge,
                "group": test.first,
                "other": test.second,
                "definition": test.definition.label,
            },
            facts={
                "difference": test.difference,
                "p_value": test.p_value,
                "adjusted": test.adjusted,
                "n_items": test.n_items,
            },
        )


def warnings(study: AuditStudy) -> tuple[str, ...]:
    """What a reader must know before trusting the numbers."""
    return tuple(_warnings(study))


def _warnings(study: AuditStudy) -> Iterator[str]:
    people = study.people
    if isinstance(study.groups, Undefined):
        yield "Groups of raters are compared on forced choices; only one has."
    underspecified = study.specification.sentence(people.sets_asked)
    if underspecified:
        yield underspecified
    if people.most < 2:
        yield (
            "One rating by people per item: nothing tells disagreement from difficulty. Intervals "
            "span everything from full agreement on each item to none; a second rating of some "
            "items narrows them most."
        )
    elif people.fewest != people.most:
        yield (
            f"Items have different numbers of ratings by people ({people.fewest:g} to "
            f"{people.most:g}); each item counts once, whatever its number."
        )
    if study.one_answer:
        yield (
            f"{', '.join(study.one_answer)} gave one answer per item (sampled once, or always "
            "alike): the soft rating is that verdict, and distributional metrics say how a judge "
            "without doubt compares; how its answers vary is not in the intervals. Sample several "
            "times, or give probabilities as weights."
        )
    for judge in study.without_sets:
        yield (
            f"{judge} was not asked for response sets while people were: its sets are taken "
            "to be its forced choices alone."
        )
    if study.silent:
        yield f"without a rated verdict, and left out: {', '.join(study.silent)}"


def _words(one: Definition) -> str:
    return f"{one.name.replace('_', ' ')} ({one.aggregation})"


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _number(count: int, word: str) -> str:
    return f"{count:,} {word}" + ("" if count == 1 else "s")
