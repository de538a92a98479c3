"""A choice of a judge in sentences, each made from facts that it carries."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from goldassay.glossary import words
from goldassay.inference.comparison import Comparison
from goldassay.questions.agree.standing import silent_said
from goldassay.questions.agree.words import MANY_LEVEL, NAMED, chosen_of, only_ties_said, told_from
from goldassay.questions.cluster_sizes import of_differences
from goldassay.questions.select.stability import Distortion
from goldassay.questions.select.study import Merit, Rival, SelectStudy
from goldassay.questions.select.thresholds import CutScores
from goldassay.results import Estimate, Result, Sentence, Undefined
from goldassay.words import counted, decimal, figure, listed, named, percent, points

__all__ = ["answer", "notes", "warnings"]

Array = NDArray[np.float64]

#: Less than this share of what the most decide: the comparison is about a part of the items.
FEW_ITEMS = 0.9
#: From this J on, the difference that distortion makes is not worth a sentence.
HARDLY_DISTORTED = 0.995


def answer(study: SelectStudy) -> tuple[Sentence, ...]:
    """The best judge, who cannot be told from it, and what its rates would be worth."""
    leader = study.leader
    if leader is None:
        return (_undefined(study),)
    if len(study.compared) == 1:
        said = [_only(study, leader)]
    else:
        said = [_best(study, leader), _told_apart(study, leader)]
    return tuple([*said, *_of_the_best(study, leader)][:3])


def _of_the_best(study: SelectStudy, leader: Merit) -> Iterator[Sentence]:
    """What a user of the best judge must know, the weightiest first."""
    yield from _against_guessing(study, leader)
    yield from _silent(study, leader)
    for line in study.distortions:
        if line.judge == leader.name:
            yield from _rates(line, own="" if study.all_alike else study.unit)


def notes(study: SelectStudy) -> tuple[Sentence, ...]:
    """All that is not in the answer."""
    first = {one.key for one in answer(study)}
    return tuple(one for one in _notes(study) if one.key not in first)


def _notes(study: SelectStudy) -> Iterator[Sentence]:
    if study.leader is not None:
        yield from _of_the_best(study, study.leader)
    if study.comparison is not None:
        for j in range(1, len(study.compared)):
            if not study.comparison.apart(0, j):
                yield _cannot_tell(study, j)
    yield from _otherwise(study.rivals)
    if study.distortions:
        yield from _coins(study.merits)
    yield from _cut(study.cut_scores)


def _undefined(study: SelectStudy) -> Sentence:
    name, first = study.criterion.name, study.merits[0].comparable
    if isinstance(first, Undefined) and (study.n_items or len(study.merits) < 2):
        reason = first.reason
        text = f"No judge can be chosen: {words(name)} is undefined, {reason}."
        if "one class only" in reason:
            text += f" Label {study.unit}s that people may call otherwise."
    else:
        reason = f"no {study.unit} is decided by all of them"
        if study.silences:
            reason = "each leaves out what people label so, one this label and one that"
        text = f"No judge can be chosen: they cannot be compared, because {reason}."
    return Sentence("select.undefined", text, facts={"criterion": name, "reason": reason})


def _value(study: SelectStudy, merit: Merit) -> tuple[str, dict[str, object]]:
    """A candidate's criterion in words, and as facts."""
    found = merit.comparable
    assert isinstance(found, Estimate)
    interval = found.interval
    return figure(found), {
        "criterion": study.criterion.name,
        "value": found.value,
        "low": interval.low if interval else None,
        "high": interval.high if interval else None,
        "n_items": found.n_items,
    }


def _on(study: SelectStudy) -> str:
    """On which items candidates are compared, where they decide different ones."""
    if study.all_alike:
        return f"on {counted(study.n_items, study.unit)}"
    number = len(study.compared)
    all_of = "both" if number == 2 else f"all {number}"
    return f"on the {counted(study.n_items, study.unit)} that {all_of} decide"


def _only(study: SelectStudy, leader: Merit) -> Sentence:
    value, facts = _value(study, leader)
    about, name = {"judge": leader.name}, words(study.criterion.name)
    left = [one.name for one in study.merits[1:]]
    if left:
        facts |= {
            "not_compared": left,
            "silences": {name: one.facts() for name, one in study.silences.items()},
        }
        text = f"The {name} of {named(leader.name)} is {value}, and whether another judge is better"
        text += f" cannot be told{_left(study, left).replace(';', ':', 1)}."
        return Sentence("select.only", text, about, facts)
    text = f"{named(leader.name)} is the only judge: its {name} is {value}, and there is nothing to"
    return Sentence("select.only", f"{text} choose between.", about, facts)


def _best(study: SelectStudy, leader: Merit) -> Sentence:
    assert study.comparison is not None
    value, facts = _value(study, leader)
    facts |= {"n_candidates": len(study.compared), "all_alike": study.all_alike}
    text = (
        f"{named(leader.name)} has the highest {words(study.criterion.name)} of the "
        f"{len(study.compared)} judges, {value} {_on(study)}"
    )
    covered = leader.coverage
    if not study.all_alike and isinstance(covered, Estimate) and covered.value < 1:
        text += f" (it decides {percent(covered.value)} of the items it judged)"
        facts["coverage"] = covered.value
    level = [one.name for one in study.compared[1:] if _as_high(one, leader)]
    facts["level"] = level
    if level:
        some = (
            listed([named(one) for one in level]) if len(level) <= NAMED else f"{len(level)} more"
        )
        text += f"; {some} {'has' if len(level) == 1 else 'have'} the same"
    return Sentence("select.best", f"{text}.", {"judge": leader.name}, facts)


def _as_high(merit: Merit, leader: Merit) -> bool:
    one, best = merit.comparable, leader.comparable
    assert isinstance(one, Estimate)
    assert isinstance(best, Estimate)
    return math.isclose(one.value, best.value, rel_tol=0, abs_tol=1e-12)


def _told_apart(study: SelectStudy, leader: Merit) -> Sentence:
    """Who may be as good as the best, and who is not."""
    found = study.comparison
    assert found is not None
    others = range(1, len(study.compared))
    level = [j for j in others if not found.apart(0, j)]
    tied = [study.compared[j].name for j in level]
    worse = [study.compared[j].name for j in others if found.apart(0, j)]
    left = [one.name for one in study.merits[len(study.compared) :]]
    text = told_from(tied, worse, "is better than")
    needed = study.items_to_tell(0, level[0]) if level else None
    if needed is not None:
        whom = "do" if len(tied) == 1 and not worse else f"tell it from {named(tied[0])}"
        enough = needed > study.n_items
        text += f"; about {needed:,} {study.unit}s would {whom}" if enough else _a_few(study, whom)
    text += _left(study, left)
    pairs = len(others) * (len(others) + 1) // 2
    facts = {
        "criterion": study.criterion.name,
        "cannot_be_told_from": tied,
        "better_than": worse,
        "not_compared": left,
        "silences": {name: one.facts() for name, one in study.silences.items()},
        "confidence_level": found.confidence_level,
        "n_differences": pairs,
        "n_items": study.n_items,
        "items_that_would_do": needed,
        "differences": {
            study.compared[j].name: [_end(part[0, j]) for part in _parts(found)] for j in others
        },
    }
    return Sentence("select.told_apart", f"{text}.", {"judge": leader.name}, facts)


def _left(study: SelectStudy, left: Sequence[str]) -> str:
    """Who is not compared, and why."""
    text = silent_said(study.silences, left, "others")
    if few := [one for one in left if one not in study.silences]:
        some = listed([named(one) for one in few]) if len(few) <= NAMED else f"{len(few)} others"
        text += f"; {some} cannot be compared"
    return text


def _silent(study: SelectStudy, leader: Merit) -> Iterator[Sentence]:
    """Where the choice hangs on what no verdict is worth."""
    if (other := study.otherwise) is None:
        return
    yield Sentence(
        "select.silent",
        f"With no verdict counted as wrong, {named(other.judge)} comes first on these "
        f"{study.unit}s, {percent(other.value)} against {percent(other.leader_value)}: which of "
        "the two is better hangs on what no verdict is worth.",
        about={"judge": leader.name, "other": other.judge},
        facts={
            "criterion": study.criterion.name,
            "value": other.value,
            "leader_value": other.leader_value,
        },
    )


def _a_few(study: SelectStudy, whom: str) -> str:
    """Where the forecast is no more than there is, which did not do."""
    return f"; a few more {study.unit}s may {whom}"


def _parts(found: Comparison) -> tuple[Array, ...]:
    return found.difference, found.low, found.high


def _end(number: float) -> float | None:
    return float(number) if math.isfinite(number) else None


def _cannot_tell(study: SelectStudy, other: int) -> Sentence:
    """The best and another candidate that these items do not tell apart."""
    found = study.comparison
    assert found is not None
    names = [study.compared[j].name for j in (0, other)]
    pair, items = listed([named(one) for one in names]), counted(study.n_items, study.unit)
    needed = study.items_to_tell(0, other)
    low, high = float(found.low[0, other]), float(found.high[0, other])
    value = float(found.difference[0, other])
    if study.n_clusters is not None and study.n_clusters < 2:
        text = f"{pair} cannot be told apart: one cluster of {items} says nothing of others."
    else:
        differ = points(value, (low, high))
        text = f"{pair} cannot be told apart with {items} (they differ by {differ})"
        text += (
            ", and hardly with any number of them."
            if needed is None
            else f"; about {needed:,} would do."
            if needed > study.n_items
            else f"{_a_few(study, 'do')}."
        )
    return Sentence(
        "select.cannot_tell",
        text,
        about={"judge": names[0], "other": names[1]},
        facts={
            "criterion": study.criterion.name,
            "difference": value,
            "low": _end(low),
            "high": _end(high),
            "n_items": study.n_items,
            "items_that_would_do": needed,
        },
    )


def _against_guessing(study: SelectStudy, leader: Merit) -> list[Sentence]:
    """Where even the best is not seen to do better than blind guessing among the options."""
    best, guess = leader.comparable, study.guessing
    if guess is None or not isinstance(best, Estimate) or best.interval is None:
        return []
    if best.interval.low > guess or _above(leader.criterion, guess):
        return []
    better = [one for one in study.merits if one is not leader and _above(one.criterion, guess)]
    alone = len(study.merits) == 1 or any(_above(one.comparable, guess) for one in study.merits)
    alone = alone or bool(better)
    whom, on = "It is not" if alone else "No judge is", "" if study.all_alike else f" {_on(study)}"
    text = f"{whom} shown{on} to do better than guessing, which reaches {percent(guess)}"
    facts = {
        "value": best.value,
        "low": best.interval.low,
        "guessing": guess,
        "on_own": [one.name for one in better],
        "n_candidates": len(study.compared),
        "n_items": study.n_items,
    }
    if better:
        which = named(better[0].name) if len(better) == 1 else f"{len(better)} others"
        does = "does on all that it decides" if len(better) == 1 else "do on all that each decides"
        text += f"; {which} {does}"
    else:
        text += "; from guesses no rate can be recovered"
    return [Sentence("select.guessing", f"{text}.", {"judge": leader.name}, facts)]


def _above(found: Result, guess: float) -> bool:
    """Whether a number is shown to be above what guessing reaches."""
    return isinstance(found, Estimate) and bool(found.interval and found.interval.low > guess)


def _otherwise(rivals: Sequence[Rival]) -> Iterator[Sentence]:
    """Which metrics would have chosen another judge."""
    by_judge: dict[str, list[str]] = {}
    for one in rivals:
        if one.otherwise:
            by_judge.setdefault(one.judge, []).append(one.metric)
    if not by_judge:
        return
    parts = [
        f"{listed([_plain(one) for one in metrics])} would have chosen {named(judge)}"
        for judge, metrics in by_judge.items()
    ]
    text = "; ".join(parts) + "."
    yield Sentence(
        "select.otherwise",
        text[0].upper() + text[1:],
        facts={"judges": list(by_judge), "metrics": list(by_judge.values())},
    )


def _rates(line: Distortion, *, own: str) -> Iterator[Sentence]:
    """What the best judge reports where the true rate is 0 and where it is 1.

    `own`: what it is by all of that it decides, where judges are compared on others.
    """
    low, high = line.false_positive_rate, line.sensitivity
    if not 0 < line.youden_j < HARDLY_DISTORTED:
        return
    by = f"Going by all {own}s that it decides, " if own else ""
    yield Sentence(
        "select.distortion",
        f"{by}{named(line.judge)} would report "
        f"{percent(low)} {named(line.positive)} where none are and {percent(high)} where all are: "
        f"differences between systems shrink to {percent(line.youden_j)} of their size.",
        about={"judge": line.judge},
        facts={
            "false_positive_rate": low,
            "sensitivity": high,
            "youden_j": line.youden_j,
            "option": line.positive,
        },
    )


def _coins(merits: Sequence[Merit]) -> Iterator[Sentence]:
    """Judges whose J is below 0, or may be."""
    worse, level = [], []
    for merit in merits:
        found = next((one for one in merit.behind if one.name == "youden_j"), None)
        if isinstance(found, Estimate) and found.interval:
            if found.interval.high < 0:
                worse.append(merit.name)
            elif found.interval.low <= 0:
                level.append(merit.name)
    if worse:
        does, own = ("does", "its") if len(worse) == 1 else ("do", "their")
        text = (
            f"{listed([named(one) for one in worse])} {does} worse than a coin (Youden's J below "
            f"0): {own} verdicts would be of use reversed."
        )
        yield Sentence("select.worse_than_a_coin", text, facts={"judges": worse})
    if level:
        text = f"Not told from a coin: {listed([named(one) for one in level])} (J may be 0)."
        yield Sentence("select.like_a_coin", text, facts={"judges": level})


def _cut(cut_scores: Sequence[CutScores]) -> Iterator[Sentence]:
    """The scores that a threshold makes most of."""
    tuned = [(one.judge, one.threshold) for one in cut_scores if one.threshold is not None]
    if not tuned:
        return
    judge, best = max(tuned, key=lambda one: one[1].youden_j)
    yield Sentence(
        "select.threshold",
        f"Cut at {decimal(best.threshold)}, the scores of {named(judge)} reach J "
        f"{decimal(best.youden_j)} on items that the threshold was not tuned on "
        f"({decimal(best.apparent_j)} where it was).",
        about={"judge": judge},
        facts={"threshold": best.threshold, "youden_j": best.youden_j, "apparent": best.apparent_j},
    )


def warnings(study: SelectStudy) -> tuple[str, ...]:
    """What a reader must know before using the judge."""
    return tuple(_warnings(study))


def _warnings(study: SelectStudy) -> Iterator[str]:
    yield from only_ties_said(study.only_ties)
    if len(study.compared) > 1:
        yield from _compared_warnings(study)
    for one in study.stabilities:
        if one.differs:
            yield (
                f"The {_of(one.rate)} of {named(one.judge)} differs between systems: its rates of "
                "systems cannot be compared without correcting each one (goldassay estimate)."
            )
    if study.no_cuts:
        yield f"No threshold is among the candidates: {study.no_cuts}."


def _compared_warnings(study: SelectStudy) -> Iterator[str]:
    found = study.comparison
    assert found is not None
    level = sum(not found.apart(0, j) for j in range(1, len(study.compared)))
    if level >= MANY_LEVEL:
        yield chosen_of(study.compared[0].name, level, study.unit)
    for one in of_differences(study.at_differences):
        yield f"{one[0].upper()}{one[1:]}."
    most = max(one.n_items for one in study.merits)
    if study.n_items < FEW_ITEMS * most:
        yield (
            f"All compared candidates decide {study.n_items:,} of {counted(most, study.unit)}; "
            "they are compared on those, which may be easier or harder than the rest."
        )


def _plain(metric: str) -> str:
    """A metric's name without what it is equal to."""
    return words(metric).partition(" (")[0]


def _of(rate: str) -> str:
    """The name of a rate on one class: sensitivity, specificity, recall of an option."""
    kind, of, option = rate.partition("_of_")
    return f"{kind} of {named(option)}" if of else words(rate)
