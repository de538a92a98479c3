"""An audit in sentences, each made from facts that it carries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from goldassay.formulas.distributions import Definition
from goldassay.questions.audit.lapses import Lapses
from goldassay.questions.audit.performance import Performance
from goldassay.questions.audit.populations import Groups
from goldassay.questions.audit.sensitivity import Family, ImpliedBeta, Prevalence, Sweep
from goldassay.questions.audit.sensitivity import runs as stretches
from goldassay.questions.audit.study import AuditStudy, People, RatersNeeded
from goldassay.results import Estimate, Result, Sentence, Undefined
from goldassay.words import (
    between,
    counted,
    decimal,
    figure,
    interval_text,
    listed,
    named,
    number,
    p_said,
    percent,
    points,
)

__all__ = ["answer", "notes", "warnings"]

#: Judges, raters and differences between groups that are spoken of one by one; the tables have all.
MOST_JUDGES, MOST_RATERS, MOST_DIFFERENCES = 5, 5, 3
#: A selection that costs less than this of the downstream measure is not worth a sentence.
LEAST_COST = 0.005
#: The share of items on which a panel should decide as all raters would.
ENOUGH = 0.9
#: A bound on lapses above this says nothing.
MOST_LAPSES = 0.3
#: Values that are computed alike differ by less than this.
NEAR = 1e-12
#: An interval of a share that leaves out less than this says nothing.
NO_SHARE = 0.01


def answer(study: AuditStudy) -> tuple[Sentence, ...]:
    """Whom the definitions select, what that judge's decisions are worth, what may upset it."""
    return tuple(_by_merit(study)[:3])


def notes(study: AuditStudy) -> tuple[Sentence, ...]:
    """Everything else that is worth a sentence, in order of merit."""
    return tuple(_by_merit(study)[3:])


def _by_merit(study: AuditStudy) -> list[Sentence]:
    decided = list(_downstream(study))
    first = [*_selection(study), *decided[:1]]
    upsets, assurances = _what_may_upset(study)
    if decided and not decided[0].facts["told"] and study.people.median <= 1:  # it says so itself
        upsets = [one for one in upsets if one.key != "audit.split_evenly"]
    rest = [*decided[1:], *_details(study), _people(study.people, len(study.judges))]
    return [*first, *upsets, *assurances, *rest]


def _what_may_upset(study: AuditStudy) -> tuple[list[Sentence], list[Sentence]]:
    """What may change the choice of a judge, and what was tried and does not."""
    upsets: list[Sentence] = []
    assurances: list[Sentence] = []
    if study.people.split_evenly:
        upsets.append(_split_evenly(study.people))
    sweep = study.hidden.sweeps[0] if study.hidden is not None and study.hidden.sweeps else None
    if study.hidden is not None and sweep is not None and sweep.contested:
        changes = len(stretches(sweep.winner)) > 1
        said = _best_by_beta(sweep, study.hidden.family, study.judges)
        (upsets if changes else assurances).append(said)
        upsets += _cost(sweep, study.judges)
    if study.lapses.sweeps:
        changes = any(True for _ in study.lapses.flips)
        said = _lapses_choice(study.lapses, study.judges, study.decisions.options)
        (upsets if changes else assurances).append(said)
    if study.raters is not None:
        short = study.raters.consistency_here < ENOUGH
        (upsets if short else assurances).append(_raters(study.raters))
    return upsets, assurances


def _details(study: AuditStudy) -> Iterator[Sentence]:
    yield from _lapse_rate(study.lapses)
    if study.hidden is not None:
        if study.hidden.implied:
            yield _implied(study.hidden.implied)
        if study.hidden.prevalence is not None:
            yield from _prevalence(study.hidden.prevalence)
    yield from _effects(study.effects)
    if isinstance(study.groups, Groups):
        yield from _groups(study.groups, 1 - study.confidence_level)
    if study.rank_consistency is not None and study.rank_consistency.same_order:
        labels = [one.label for one in study.rank_consistency.definitions]
        said = f"All {len(labels)} definitions compared put the judges in the same order."
        yield Sentence("audit.same_order", said, facts={"definitions": labels})


def _people(people: People, judges: int) -> Sentence:
    asked = (("forced choices", people.forced_asked), ("response sets", people.sets_asked))
    kinds = [word for word, given in asked if given]
    each = (
        "one for each item"
        if people.median == people.most == 1
        else f"{_whole(people.median)} an item (median)"
    )
    return Sentence(
        "audit.people",
        f"{counted(judges, 'judge')} and people were compared on "
        f"{counted(people.n_items, 'item')}; people gave {listed(kinds)}, {each}.",
        facts={
            "n_judges": judges,
            "n_items": people.n_items,
            "asked": kinds,
            "ratings_per_item": people.median,
        },
    )


def _selection(study: AuditStudy) -> Iterator[Sentence]:
    """Which judge the definitions select; how far a bias is from 0 selects none here."""
    choice = study.choice
    if choice.chosen is None:
        return
    by_judge: dict[str, list[str]] = {}
    for one in study.compared:
        if one.selects is not None and one.definition.better != "zero":
            by_judge.setdefault(one.selects, []).append(one.definition.label)
    times = dict(zip(study.judges, choice.selected_by, strict=True))
    order = sorted(by_judge, key=lambda judge: (judge != choice.chosen, -len(by_judge[judge])))
    others = sorted((j for j in times if times[j] and j != choice.chosen), key=lambda j: -times[j])
    number_, chosen = choice.n_definitions, times[choice.chosen]
    level = _level_with(study, choice.chosen)
    where = ""
    if study.shared:
        many = "both judges" if len(study.judges) == 2 else f"all {len(study.judges):,} judges"
        where = f" on the {counted(study.shared, 'item')} that {many} decide"
    if not others:
        text = (
            f"All {counted(number_, 'definition')} of agreement select "
            f"{named(choice.chosen)}{where}"
        )
        same = "scores" if len(level) == 1 else "score"
        text += f"; {_some(level)} {same} the same by all of them." if level else "."
    else:
        shown = [f"{named(judge)} by {times[judge]:,}" for judge in others[:MOST_JUDGES]]
        more = len(others) - MOST_JUDGES
        shown += [f"{more} others by {sum(times[j] for j in others[MOST_JUDGES:]):,}"] * (more > 0)
        text = (
            f"{named(choice.chosen)} is selected by {chosen:,} of "
            f"{counted(number_, 'definition')} of agreement ({percent(chosen / number_)}){where}, "
            f"{listed(shown)}."
        )
    yield Sentence(
        "audit.selection",
        text,
        about={"judge": choice.chosen},
        facts={
            "judges": order,
            "definitions": [by_judge[judge] for judge in order],
            "selected_by": {judge: times[judge] for judge in (choice.chosen, *others)},
            "n_definitions": number_,
            "share": chosen / number_,
            "n_items": study.shared or study.people.n_items,
            "level": level,
            "n_judges": len(study.judges),
        },
    )


def _level_with(study: AuditStudy, chosen: str) -> list[str]:
    """Judges whose every value is the chosen one's: which of them comes first says nothing."""
    j = study.judges.index(chosen)
    values = [
        [r.value if isinstance(r, Estimate) else None for r in one.results]
        for one in study.compared
    ]
    return [
        judge
        for k, judge in enumerate(study.judges)
        if k != j and all(_same(one[j], one[k]) for one in values)
    ]


def _same(one: float | None, two: float | None) -> bool:
    return one is two if one is None or two is None else abs(one - two) < NEAR


def _some(names: Sequence[str]) -> str:
    more = len(names) - MOST_JUDGES
    shown = [named(name) for name in names[:MOST_JUDGES]]
    return listed([*shown, *([f"{more} more"] if more > 0 else [])])


def _soft(study: AuditStudy) -> dict[str, Performance]:
    """What rests on soft ratings, on each judge's own items."""
    head = {one.definition.label for one in study.compared}
    return {
        one.definition.name: one
        for one in study.performances
        if one.definition.judge == "s" and one.definition.label in head
    }


def _downstream(study: AuditStudy) -> Iterator[Sentence]:
    """What the judges' decisions are worth: the chosen one's first, then by merit."""
    soft, decisions = _soft(study), study.decisions
    consistency, bias = soft["decision_consistency"], soft["estimation_bias"]
    worth = [r.value if isinstance(r, Estimate) else -np.inf for r in consistency.results]
    order = sorted(
        range(len(study.judges)), key=lambda j: (study.judges[j] != study.choice.chosen, -worth[j])
    )
    told = 0
    for j in order:
        alike, moved = consistency.results[j], bias.results[j]
        if not (isinstance(alike, Estimate) and isinstance(moved, Estimate)):
            continue
        if told == MOST_JUDGES:
            return
        told += 1
        judge, people, own = study.judges[j], decisions.people[j], decisions.judge[j]
        as_ = listed([named(one) for one in decisions.options], "or")
        start = f"Counting an item as {as_} from {percent(decisions.threshold)} of the raters on, "
        if vague := _says_nothing(alike):
            start = ""
            text = (
                f"{_why_vague(study.people)} what the decisions of {named(judge)} are worth: how "
                f"most people would decide is unknown; add raters. It counts {percent(own)} of "
                f"items as {as_}, the labels {percent(people)}."
            )
        elif own == 0:
            text = (
                f"{named(judge)} never counts one and so decides as people do on {figure(alike)} "
                "of items, the share that they do not count."
            )
        else:
            text = (
                f"{named(judge)} decides as people do on {figure(alike)} of items (deciding all "
                f"alike would on {percent(decisions.constant(j))}) and counts {percent(own)} of "
                f"them where people count {percent(people)}{_points(moved)}."
            )
        share, shift = alike.interval, moved.interval
        yield Sentence(
            "audit.downstream",
            start + text,
            about={"judge": judge},
            facts={
                "options": list(decisions.options),
                "threshold": decisions.threshold,
                "decision_consistency": alike.value,
                "decision_consistency_low": share.low if share else None,
                "decision_consistency_high": share.high if share else None,
                "all_alike": decisions.constant(j),
                "people_rate": float(people),
                "judge_rate": float(own),
                "estimation_bias": moved.value,
                "estimation_bias_low": shift.low if shift else None,
                "estimation_bias_high": shift.high if shift else None,
                "n_items": alike.n_items,
                "told": not vague,
            },
        )


def _says_nothing(share: Estimate) -> bool:
    """Whether the interval of a share holds every share."""
    return share.interval is not None and share.interval.length > 1 - NO_SHARE


def _why_vague(people: People) -> str:
    one = people.median <= 1
    return "With one person an item it cannot be told" if one else "These labels cannot tell"


def _points(moved: Estimate) -> str:
    """A difference of two shares in percentage points, with its interval."""
    if moved.interval is None:
        return ""
    low, high = moved.interval.low, moved.interval.high
    return f" (difference {between(low, high, rate=True).removesuffix(' %')} points)"


def _split_evenly(people: People) -> Sentence:
    text = (
        f"People split so evenly that with {_whole(people.median)} raters an item the majority of "
        "all people cannot be known; add raters."
        if people.median > 1
        else "With one rater an item it cannot be known what the majority of people would say; add "
        "raters."
    )
    return Sentence(
        "audit.split_evenly", text, facts={"ratings_per_item": people.median, "split_evenly": True}
    )


def _implied(implied: Sequence[ImpliedBeta]) -> Sentence:
    told = [
        f"{one.rater if one.rater == 'people' else named(one.rater)} "
        f"{percent(one.value, (one.low, one.high))} [{interval_text(one.low, one.high, rate=True)}]"
        for one in implied[:MOST_RATERS]
    ]
    return Sentence(
        "audit.implied_beta",
        "Where both kinds of rating were given, a forced choice hid another option that its rater "
        f"finds reasonable this often: {', '.join(told)}.",
        facts={
            "raters": [one.rater for one in implied],
            "betas": [one.value for one in implied],
            "lows": [one.low for one in implied],
            "highs": [one.high for one in implied],
            "n_choices": [one.n_choices for one in implied],
        },
    )


def _hides(family: Family) -> str:
    return "; ".join(
        f"{named(option)} may hide {listed([named(one) for one in hidden])}"
        for option, hidden in family.may_hide.items()
    )


def _best_by_beta(found: Sweep, family: Family, judges: Sequence[str]) -> Sentence:
    """Where the judge that is best downstream changes."""
    steps = found.steps
    winners = [(steps[first], judges[found.winner[first]]) for first, _ in stretches(found.winner)]
    what = (
        "has the highest decision consistency"
        if found.target.better == "higher"
        else "has the rate nearest to people's"
    )
    first = named(winners[0][1])
    if len(winners) == 1:
        text = (
            f"{first} {what} however much forced choices hide, up to {percent(steps[-1])} of them "
            f"({_hides(family)})."
        )
    else:
        parts = [f"{named(judge)} if {percent(beta)} do" for beta, judge in winners[1:]]
        text = (
            f"Which judge {what} depends on how many forced choices hide another option "
            f"({_hides(family)}): {first} if {_few(steps[0])}, {', '.join(parts)}."
        )
    return Sentence(
        "audit.best_by_beta",
        text,
        facts={
            "measure": found.target.name,
            "judges": [judge for _, judge in winners],
            "from_betas": [beta for beta, _ in winners],
            "up_to": steps[-1],
        },
    )


def _few(share: float) -> str:
    return "none do" if share == 0 else f"{percent(share)} do"


def _cost(found: Sweep, judges: Sequence[str]) -> Iterator[Sentence]:
    """What the worst selection costs."""
    if not np.isfinite(found.cost).any() or np.nanmax(found.cost) <= LEAST_COST:
        return
    b, d = (int(i) for i in np.unravel_index(np.nanargmax(found.cost), found.cost.shape))
    cost, judge = float(found.cost[b, d]), judges[found.selected[b, d]]
    where = f"Where {percent(found.steps[b])} of forced choices hide another option"
    if found.steps[b] == 0:
        where = "Where forced choices hide nothing"
    yield Sentence(
        "audit.selection_cost",
        f"{where}, selecting by {_words(found.definitions[d])} takes {named(judge)}; on these "
        f"items {_dearer(found.target, cost)}.",
        about={"judge": judge},
        facts={
            "definition": found.definitions[d].label,
            "measure": found.target.name,
            "cost": cost,
            "beta": found.steps[b],
        },
    )


def _dearer(target: Definition, cost: float) -> str:
    """What a judge loses to the best one, as these items have it."""
    if target.better == "higher":
        return f"it decides {points(cost)} fewer as people do than the best judge"
    return f"its rate is {points(cost)} further from people's than the best judge's"


def _prevalence(found: Prevalence) -> Iterator[Sentence]:
    """How far what is hidden moves people's own prevalence, at the threshold of the decisions."""
    first, last = (float(found.values[b, found.decided_at]) for b in (0, -1))
    if last <= first:
        return
    threshold = found.thresholds[found.decided_at]
    yield Sentence(
        "audit.prevalence_by_beta",
        f"People count {percent(first)} of items as "
        f"{listed([named(one) for one in found.options], 'or')} "
        f"(from {percent(threshold)} of the raters on) if forced choices hide it "
        f"{_hidden_share(found.betas[0])}, and {percent(last)} if "
        f"{_hidden_share(found.betas[-1])}.",
        facts={
            "options": list(found.options),
            "threshold": threshold,
            "betas": [found.betas[0], found.betas[-1]],
            "prevalence": [first, last],
        },
    )


def _hidden_share(beta: float) -> str:
    return "never" if beta == 0 else f"{percent(beta)} of the time"


def _lapse_rate(found: Lapses) -> Iterator[Sentence]:
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


def _lapses_choice(found: Lapses, judges: Sequence[str], options: Sequence[str]) -> Sentence:
    """Whether lapses could change who is best; the least rate at which they would."""
    plain = found.sweeps[0.0]
    first = judges[plain.winner[0]] if plain.winner[0] >= 0 else None
    what = (
        "has the highest decision consistency"
        if plain.target.better == "higher"
        else "has the rate nearest to people's"
    )
    flips = sorted(found.flips, key=lambda one: (one[1], abs(one[0])))
    facts = {
        "measure": plain.target.name,
        "judge": first,
        "up_to": plain.steps[-1],
        "leanings": list(found.sweeps),
        "other": judges[flips[0][2]] if flips else None,
        "from_rate": flips[0][1] if flips else None,
        "leaning": flips[0][0] if flips else None,
    }
    subject = named(first) if first is not None else "no judge"
    if not flips:
        text = (
            f"{subject} {what} even if raters answer otherwise than they hold on up to "
            f"{percent(plain.steps[-1])} of ratings, whichever way that leans."
        )
    else:
        leaning, rate, other = flips[0]
        as_ = listed([named(one) for one in options], "or")
        way = {0.0: "", 1.0: f", always towards {as_}", -1.0: f", always away from {as_}"}[leaning]
        text = (
            f"If raters answer otherwise than they hold on {percent(rate)} of ratings{way}, "
            f"{named(judges[other])} instead of {subject} {what}."
        )
    return Sentence("audit.lapses", text, facts=facts)


def _effects(effects: Mapping[str | None, Result]) -> Iterator[Sentence]:
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


def _raters(found: RatersNeeded) -> Sentence:
    here, enough = found.consistency_here, found.enough(ENOUGH)
    text = (
        f"A panel of {_whole(found.here)} decides as all people would on about "
        f"{percent(here)} of items"
    )
    text += (
        f"; {enough} ratings an item give {percent(ENOUGH)}." if enough and here < ENOUGH else (".")
    )
    facts = {"ratings_per_item": found.here, "same_decision": here, "ratings_for_90": enough}
    facts |= {"enough": ENOUGH}
    return Sentence("audit.raters", text, facts=facts)


def _groups(found: Groups, tail: float) -> Iterator[Sentence]:
    """Which groups of raters rate differently, and for which judges that matters."""
    for one, p in zip(found.differences, found.apart, strict=True):
        verdict = "rate differently" if p < tail else "show no difference in how they rate"
        yield Sentence(
            "audit.groups",
            f"Raters of {named(one.first)} and {named(one.second)} {verdict} (Jensen-Shannon "
            f"{decimal(one.divergence)} between them, {p_said(p)}, "
            f"{counted(one.n_items, 'item')}).",
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
            f"{named(test.judge)} differs between {named(test.first)} and {named(test.second)}: "
            f"{_words(test.definition)} by {decimal(test.difference)} "
            f"({p_said(test.p_value)}).",
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
    if study.decisions.assumed:
        options = ", ".join(f'"{one}"' for one in study.decisions.options)
        yield (
            f"assumed: counted = [{options}]; declare in the task which options are counted, or "
            "give --option"
        )
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
            f"Items have different numbers of ratings by people ({_whole(people.fewest)} to "
            f"{_whole(people.most)}); each item counts once, whatever its number."
        )
    if study.one_answer:
        yield (
            f"{listed([named(one) for one in study.one_answer])} gave one answer per item (sampled "
            "once, or always alike): the soft rating is that verdict, and distributional metrics "
            "say how a judge without doubt compares; how its answers vary is not in the intervals. "
            "Sample several times, or give probabilities as weights."
        )
    for judge in study.without_sets:
        yield (
            f"{named(judge)} was not asked for response sets while people were: its sets are taken "
            "to be its forced choices alone."
        )
    if study.shared:
        yield (
            f"All judges decide {study.shared:,} of the {people.n_items:,} items that people "
            "rated; they are compared on those, which may be easier or harder than the rest."
        )
    elif study.shared == 0:
        yield "No item that people rated is decided by all judges: they are not compared."
    if study.silent:
        silent = listed([named(one) for one in study.silent])
        yield f"without a rated verdict, and left out: {silent}"


def _words(one: Definition) -> str:
    return f"{one.name.replace('_', ' ')} ({one.aggregation})"


def _whole(value: float) -> str:
    return number(int(value)) if value == int(value) else decimal(value)
