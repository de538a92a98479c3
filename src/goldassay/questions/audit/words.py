"""An audit in sentences, each made from facts that it carries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from goldassay.questions.audit.performance import Performance
from goldassay.questions.audit.populations import Groups
from goldassay.questions.audit.sensitivity import runs as stretches
from goldassay.questions.audit.study import AuditStudy, People, RatersNeeded
from goldassay.questions.audit.unsaid_words import (
    best_by_beta,
    definition_words,
    implied_said,
    lapse_rate,
    lapses_choice,
    prevalence_by_beta,
    selection_cost,
    selection_effects,
)
from goldassay.results import Estimate, Sentence, Undefined
from goldassay.words import (
    between,
    counted,
    decimal,
    figure,
    listed,
    named,
    number,
    one_of,
    p_said,
    percent,
)

__all__ = ["answer", "notes", "warnings"]

#: Judges and differences between groups that are spoken of one by one; the tables have all.
MOST_JUDGES, MOST_DIFFERENCES = 5, 3
#: The share of items on which a panel should decide as all raters would.
ENOUGH = 0.9
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
    rest = [*decided[1:], *_details(study), _people(study.people, len(study.judges), study.unit)]
    return [*first, *upsets, *assurances, *rest]


def _what_may_upset(study: AuditStudy) -> tuple[list[Sentence], list[Sentence]]:
    """What may change the choice of a judge, and what was tried and does not."""
    upsets: list[Sentence] = []
    assurances: list[Sentence] = []
    if study.people.split_evenly:
        upsets.append(_split_evenly(study.people, study.unit))
    sweep = study.hidden.sweeps[0] if study.hidden is not None and study.hidden.sweeps else None
    if study.hidden is not None and sweep is not None and sweep.contested:
        changes = len(stretches(sweep.winner)) > 1
        said = best_by_beta(sweep, study.hidden.family, study.judges, by_sets=study.by_sets)
        (upsets if changes else assurances).append(said)
        upsets += selection_cost(sweep, study.judges, study.unit, by_sets=study.by_sets)
    if study.lapses.contested:
        changes = any(True for _ in study.lapses.flips)
        said = lapses_choice(
            study.lapses, study.judges, study.decisions.options, by_sets=study.by_sets
        )
        (upsets if changes else assurances).append(said)
    if study.raters is not None:
        short = study.raters.consistency_here < ENOUGH
        (upsets if short else assurances).append(_raters(study.raters, study.unit))
    return upsets, assurances


def _details(study: AuditStudy) -> Iterator[Sentence]:
    yield from lapse_rate(study.lapses)
    if study.hidden is not None:
        if study.hidden.implied:
            yield implied_said(study.hidden.implied)
        if study.hidden.prevalence is not None:
            yield from prevalence_by_beta(study.hidden.prevalence, study.people.n_items, study.unit)
    yield from selection_effects(study.effects)
    if isinstance(study.groups, Groups):
        yield from _groups(study.groups, 1 - study.confidence_level, study.unit)
    if study.rank_consistency is not None and study.rank_consistency.same_order:
        labels = [one.label for one in study.rank_consistency.definitions]
        said = f"All {len(labels)} definitions compared put the judges in the same order."
        yield Sentence("audit.same_order", said, facts={"definitions": labels})


def _people(people: People, judges: int, unit: str) -> Sentence:
    asked = (("single choices", people.forced_asked), ("response sets", people.sets_asked))
    kinds = [word for word, given in asked if given]
    one = people.median == people.most == 1
    ratings = "rating" if people.median == 1 else "ratings"
    each = "one rating each" if one else f"{_whole(people.median)} {ratings} each"
    middle = "" if one else " (median)"
    held = "is" if judges == 1 else "are"
    return Sentence(
        "audit.people",
        f"{counted(judges, 'judge')} {held} compared with people's {listed(kinds)} on "
        f"{counted(people.n_items, unit)}, {each}{middle}.",
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
        where = f" on the {counted(study.shared, study.unit)} that {many} decide"
    tied = _tied_with(study, choice.chosen)
    if not others:
        every = "Both definitions" if number_ == 2 else f"All {counted(number_, 'definition')}"
        text = f"{every} of agreement select {named(choice.chosen)}{where}"
        same = "scores" if len(level) == 1 else "score"
        if level:
            text += f"; {_some(level)} {same} the same by all of them"
        elif tied:
            text += f"; by decision consistency it cannot be told from {_some(tied)}"
        text += "."
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
            "tied": tied,
            "n_judges": len(study.judges),
        },
    )


def _tied_with(study: AuditStudy, chosen: str) -> list[str]:
    """Judges whose decision consistency cannot be told from the chosen one's."""
    tied = dict(zip(study.judges, study.choice.tied, strict=True))
    return [judge for judge in study.judges if tied[judge] and judge != chosen and tied[chosen]]


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
    told, unit = 0, study.unit
    one_unit = one_of(unit)
    for j in order:
        alike, moved = consistency.results[j], bias.results[j]
        if not (isinstance(alike, Estimate) and isinstance(moved, Estimate)):
            continue
        if told == MOST_JUDGES:
            return
        told += 1
        judge, people, own = study.judges[j], decisions.people[j], decisions.judge[j]
        as_ = listed([named(one) for one in decisions.options], "or")
        # The table compares judges on the items that all of them decide.
        items = f"{unit}s"
        if study.shared:
            items = f"its own {counted(alike.n_items, unit)}"
        elif not study.shared and alike.n_items != study.people.n_items:
            items = f"the {counted(alike.n_items, unit)} that it decides too"
        tau = percent(decisions.threshold)
        by_half = ", by half where just so many do" if decisions.level else ""
        rule = (  # said once
            f" {one_unit.capitalize()} counts as such where {tau} or more of its raters say "
            f"so{by_half}."
            if told == 1
            else ""
        )
        if vague := _says_nothing(alike):
            rule = ""
            text = (
                f"{_why_vague(alike, named(judge), study.people, one_unit)} It counts "
                f"{percent(own)} of {items} as {as_} (from {tau} of its verdicts "
                f"on{', by half at just so many' if decisions.level else ''}), the labels "
                f"{percent(people)}."
            )
        elif own == 0:
            text = (
                f"{named(judge)} never counts one as {as_} and so decides as people do on "
                f"{figure(alike)} of {items}, the share that they do not count."
            )
        else:
            text = (
                f"{named(judge)} decides as people do on {figure(alike)} of {items}; one "
                f"decision for all of them would on {percent(decisions.constant(j))}. It counts "
                f"{percent(own)} of them as {as_} where people count {percent(people)}"
                f"{_points(moved)}."
            )
        share, shift = alike.interval, moved.interval
        yield Sentence(
            "audit.downstream",
            text + rule,
            about={"judge": judge},
            facts={
                "options": list(decisions.options),
                "threshold": decisions.threshold,
                "level_votes": decisions.level,
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
    """Whether the interval of a share holds every share, or there is none."""
    return share.interval is None or share.interval.length > 1 - NO_SHARE


def _why_vague(share: Estimate, judge: str, people: People, one_unit: str) -> str:
    worth = f"what the decisions of {judge} are worth"
    if share.interval is None:
        which = one_unit.partition(" ")[2] if share.n_items == 1 else "cluster"
        return f"One {which} says nothing of others: {worth} cannot be told."
    one = people.median <= 1
    start = f"With one person {one_unit} it cannot be told" if one else "These labels cannot tell"
    return f"{start} {worth}: how most people would decide is unknown; add raters."


def _points(moved: Estimate) -> str:
    """A difference of two shares in percentage points, with its interval."""
    if moved.interval is None:
        return ""
    low, high = moved.interval.low, moved.interval.high
    return f" (difference {between(low, high, rate=True).removesuffix(' %')} points)"


def _split_evenly(people: People, unit: str) -> Sentence:
    text = (
        f"People split so evenly that with {_whole(people.median)} raters {one_of(unit)} the "
        "majority of all people cannot be known; add raters."
        if people.median > 1
        else f"With one rater {one_of(unit)} it cannot be known what the majority of people would "
        "say; add raters."
    )
    return Sentence(
        "audit.split_evenly", text, facts={"ratings_per_item": people.median, "split_evenly": True}
    )


def _raters(found: RatersNeeded, unit: str) -> Sentence:
    here, enough = found.consistency_here, found.enough(ENOUGH)
    who = "One rater" if found.here == 1 else f"A panel of {_whole(found.here)}"
    short = here < ENOUGH  # and is written so
    about = percent(here, (ENOUGH, None)) if short else percent(here)
    text = f"{who} decides as all people would on about {about} of {unit}s"
    more = f"; {enough} ratings {one_of(unit)} give {percent(ENOUGH)}"
    text += f"{more}." if enough and short else "."
    facts = {"ratings_per_item": found.here, "same_decision": here, "ratings_for_90": enough}
    facts |= {"enough": ENOUGH}
    return Sentence("audit.raters", text, facts=facts)


def _groups(found: Groups, tail: float, unit: str) -> Iterator[Sentence]:
    """Which groups of raters rate differently, and for which judges that matters."""
    for one, p in zip(found.differences, found.apart, strict=True):
        verdict = "rate differently" if p < tail else "show no difference in how they rate"
        yield Sentence(
            "audit.groups",
            f"Raters of {named(one.first)} and {named(one.second)} {verdict} (Jensen-Shannon "
            f"{decimal(one.divergence)} between them, {p_said(p)}, "
            f"{counted(one.n_items, unit)}).",
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
            f"{definition_words(test.definition)} by {decimal(test.difference)} "
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
        yield "Groups of raters are compared on single choices; only one has any."
    underspecified = study.specification.sentence(people.sets_asked)
    if underspecified:
        yield underspecified
    if people.most < 2:
        yield (
            f"One rating by people per {study.unit}: nothing tells disagreement from difficulty. "
            f"Intervals span everything from full agreement on each {study.unit} to none; a second "
            f"rating of some {study.unit}s narrows them most."
        )
    elif people.fewest != people.most:
        yield (
            f"{study.unit.capitalize()}s have different numbers of ratings by people "
            f"({_whole(people.fewest)} to {_whole(people.most)}); each {study.unit} counts once, "
            "whatever its number."
        )
    if study.one_answer:
        yield (
            f"{listed([*map(named, study.one_answer)])} gave one answer per {study.unit} (sampled "
            "once, or always alike): the soft rating is that verdict, and distributional metrics "
            "say how a judge without doubt compares; how its answers vary is not in the intervals. "
            "Sample several times, or give probabilities as weights."
        )
    for judge in study.without_sets:
        yield (
            f"{named(judge)} was not asked for response sets while people were: its sets are taken "
            "to be its single choices alone."
        )
    if study.shared:
        yield (
            f"All judges decide {study.shared:,} of the {people.n_items:,} {study.unit}s that "
            "people rated; they are compared on those, which may be easier or harder than the rest."
        )
    elif study.silences:
        who = listed([named(one) for one in study.silences])
        does = "decides" if len(study.silences) == 1 else "decide"
        yield (
            f"{who} {does} far less of one of people's labels than of another: judges are not "
            "compared."
        )
    elif study.shared == 0:
        yield f"No {study.unit} that people rated is decided by all judges: they are not compared."
    if study.silent:
        silent = listed([named(one) for one in study.silent])
        yield f"without a rated verdict, and left out: {silent}"


def _whole(value: float) -> str:
    return number(int(value)) if value == int(value) else decimal(value)
