"""A choice of a judge in sentences, each made from facts that it carries."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from goldassay.questions.select.criteria import Criterion
from goldassay.questions.select.frontier import Frontier
from goldassay.questions.select.stability import Distortion
from goldassay.questions.select.study import Merit, Rival, SelectStudy
from goldassay.questions.select.thresholds import CutScores
from goldassay.results import Estimate, Sentence, Undefined

__all__ = ["sentences", "warnings"]

#: Judges level with the best that are spoken of one by one; the others are listed.
MOST_LEVEL = 3
#: A candidate with fewer than this share of the items is compared on other items than the rest.
FEW_ITEMS = 0.9
#: From this J on, the difference that distortion makes is not worth a sentence.
HARDLY_DISTORTED = 0.995


def sentences(study: SelectStudy) -> tuple[Sentence, ...]:
    """The answer: the best judge, who may be as good, and what else speaks for or against it."""
    return tuple(_sentences(study))


def _sentences(study: SelectStudy) -> Iterator[Sentence]:
    leader = study.leader
    if leader is None:
        yield _undefined(study)
    elif len(study.compared) == 1:
        yield _only(study, leader)
    else:
        yield _best(study, leader)
        yield from _told_apart(study, leader)
        yield from _otherwise(study.rivals)
    for line in study.distortions:
        if leader is not None and line.judge == leader.name:
            yield from _distorted(line)
    if study.distortions:
        yield from _coins(study.merits)
    yield from _cut(study.cut_scores)
    for one in study.frontiers:
        yield from _price(one, study.criterion)


def _undefined(study: SelectStudy) -> Sentence:
    first = study.merits[0].criterion
    assert isinstance(first, Undefined)
    name = study.criterion.name
    return Sentence(
        "select.undefined",
        f"No judge can be chosen: {_words(name)} is undefined, {first.reason}.",
        facts={"criterion": name, "reason": first.reason},
    )


def _value(study: SelectStudy, merit: Merit) -> tuple[str, dict[str, object]]:
    """A candidate's criterion in words, and as facts."""
    found = merit.criterion
    assert isinstance(found, Estimate)
    span, interval = "", found.interval
    if interval:
        span = f" ({interval.low:.3f} to {interval.high:.3f})"
    return f"{found.value:.3f}{span}", {
        "criterion": study.criterion.name,
        "value": found.value,
        "low": interval.low if interval else None,
        "high": interval.high if interval else None,
        "n_items": found.n_items,
    }


def _only(study: SelectStudy, leader: Merit) -> Sentence:
    value, facts = _value(study, leader)
    return Sentence(
        "select.only",
        f"{leader.name} is the only judge: {_words(study.criterion.name)} {value}. "
        "There is nothing to choose between.",
        about={"judge": leader.name},
        facts=facts,
    )


def _best(study: SelectStudy, leader: Merit) -> Sentence:
    assert study.comparison is not None
    value, facts = _value(study, leader)
    chance = float(study.comparison.probability_best[0])
    # Draws never show certainty.
    shown = "over 0.99" if chance >= 0.995 else f"{chance:.2f}"
    return Sentence(
        "select.best",
        f"{leader.name} has the highest {_words(study.criterion.name)}, {value}; it is the best of "
        f"{len(study.compared)} with probability {shown}.",
        about={"judge": leader.name},
        facts={**facts, "n_candidates": len(study.compared), "probability_best": chance},
    )


def _told_apart(study: SelectStudy, leader: Merit) -> Iterator[Sentence]:
    """Who may be as good as the best, and who is not."""
    found = study.comparison
    assert found is not None
    others = range(1, len(study.compared))
    level = [j for j in others if not found.apart(0, j)]
    worse = [study.compared[j].name for j in others if found.apart(0, j)]
    for j in level[:MOST_LEVEL]:
        yield _cannot_tell(study, j)
    if len(level) > MOST_LEVEL:
        names = [study.compared[j].name for j in level[MOST_LEVEL:]]
        yield Sentence(
            "select.nor_from",
            f"Nor can it be told apart from {', '.join(names)}.",
            about={"judge": leader.name},
            facts={"judges": names},
        )
    if worse:
        pairs = len(study.compared) * (len(study.compared) - 1) // 2
        yield Sentence(
            "select.better_than",
            f"It is better than {', '.join(worse)} ({found.confidence_level:.0%} joint intervals "
            f"over all {pairs} differences).",
            about={"judge": leader.name},
            facts={
                "judges": worse,
                "confidence_level": found.confidence_level,
                "n_differences": pairs,
            },
        )


def _cannot_tell(study: SelectStudy, other: int) -> Sentence:
    """The best and another candidate that these items do not tell apart."""
    found = study.comparison
    assert found is not None
    names = [study.compared[j].name for j in (0, other)]
    pair, items = " and ".join(names), f"{study.n_items:,} items"
    needed = study.items_to_tell(0, other)
    if study.n_clusters is not None and study.n_clusters < 2:
        text = f"{pair} cannot be told apart: one cluster of {items} says nothing of others."
    elif needed is None:
        text = (
            f"{pair} cannot be told apart with these {items}, and hardly with any number of them."
        )
    else:
        text = f"{pair} cannot be told apart with these {items}; {needed:,} would do."
    low, high = float(found.low[0, other]), float(found.high[0, other])
    return Sentence(
        "select.cannot_tell",
        text,
        about={"judge": names[0], "other": names[1]},
        facts={
            "criterion": study.criterion.name,
            "difference": float(found.difference[0, other]),
            "low": low if math.isfinite(low) else None,
            "high": high if math.isfinite(high) else None,
            "n_items": study.n_items,
            "items_that_would_do": needed,
        },
    )


def _otherwise(rivals: Sequence[Rival]) -> Iterator[Sentence]:
    """Which metrics would have chosen another judge."""
    by_judge: dict[str, list[str]] = {}
    for one in rivals:
        if one.otherwise:
            by_judge.setdefault(one.judge, []).append(one.metric)
    if not by_judge:
        return
    parts = [
        f"{_listed(list(map(_words, metrics)))} would have chosen {judge}"
        for judge, metrics in by_judge.items()
    ]
    text = "; ".join(parts) + "."
    yield Sentence(
        "select.otherwise",
        text[0].upper() + text[1:],
        facts={"judges": list(by_judge), "metrics": list(by_judge.values())},
    )


def _distorted(line: Distortion) -> Iterator[Sentence]:
    """What the best judge reports where the true rate is 0 and where it is 1."""
    low, high = line.false_positive_rate, line.sensitivity
    if not 0 < line.youden_j < HARDLY_DISTORTED:
        return
    yield Sentence(
        "select.distortion",
        f"Where the true rate is 0% {line.judge} reports {low:.0%}, where it is 100% {high:.0%}: "
        f"differences between systems shrink to {line.youden_j:.0%} of their size.",
        about={"judge": line.judge},
        facts={"false_positive_rate": low, "sensitivity": high, "youden_j": line.youden_j},
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
        text = f"Worse than a coin (J below 0): {', '.join(worse)}."
        yield Sentence("select.worse_than_a_coin", text, facts={"judges": worse})
    if level:
        text = f"Not to be told from a coin (J may be 0): {', '.join(level)}."
        yield Sentence("select.like_a_coin", text, facts={"judges": level})


def _cut(cut_scores: Sequence[CutScores]) -> Iterator[Sentence]:
    """The scores that a threshold makes most of."""
    tuned = [(one.judge, one.threshold) for one in cut_scores if one.threshold is not None]
    if not tuned:
        return
    judge, best = max(tuned, key=lambda one: one[1].youden_j)
    yield Sentence(
        "select.threshold",
        f"Cut at {best.threshold:.3g}, the scores of {judge} reach J {best.youden_j:.3f} on items "
        f"that the threshold was not tuned on ({best.apparent_j:.3f} where it was).",
        about={"judge": judge},
        facts={"threshold": best.threshold, "youden_j": best.youden_j, "apparent": best.apparent_j},
    )


def _price(one: Frontier, criterion: Criterion) -> Iterator[Sentence]:
    """What the best candidate costs more than the cheapest, and for how much."""
    if one.column != "cost" or len(one.kept) < 2 or one.prices[one.kept[0]] <= 0:
        return
    cheap, dear = one.kept[0], one.kept[-1]
    times, more = one.prices[dear] / one.prices[cheap], one.quality[dear] - one.quality[cheap]
    yield Sentence(
        "select.price",
        f"{one.names[dear]} costs {times:.3g} times as much as {one.names[cheap]} for {more:.3f} "
        f"more {_words(criterion.name)}.",
        about={"judge": one.names[dear], "other": one.names[cheap]},
        facts={"criterion": criterion.name, "times": times, "difference": more},
    )


def warnings(study: SelectStudy) -> tuple[str, ...]:
    """What a reader must know before using the judge."""
    return tuple(_warnings(study))


def _warnings(study: SelectStudy) -> Iterator[str]:
    if len(study.compared) > 1:
        yield from _compared_warnings(study)
    for one in study.stabilities:
        if one.differs:
            yield (
                f"The {_words(one.rate)} of {one.judge} differs between systems: its rates of "
                "systems cannot be compared without correcting each one (goldassay estimate)."
            )
    if study.no_cuts:
        yield f"No threshold is among the candidates: {study.no_cuts}."


def _compared_warnings(study: SelectStudy) -> Iterator[str]:
    most = max(one.n_items for one in study.merits)
    for merit in sorted(study.compared, key=lambda one: one.place):
        if merit.n_items < FEW_ITEMS * most:
            yield (
                f"{merit.name} has verdicts that count on {merit.n_items:,} of {most:,} "
                "items; it is compared on those, which may be easier or harder than the rest."
            )
    best, coin = study.compared[0].criterion, study.criterion.coin
    if isinstance(best, Estimate) and coin is not None and best.value <= coin:
        yield (
            "No judge beats a coin: J is 0 or less, so no rate can be recovered from its verdicts."
        )


def _words(name: str) -> str:
    return name.replace("_", " ")


def _listed(words: Sequence[str]) -> str:
    """one; one and two; one, two and three."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
