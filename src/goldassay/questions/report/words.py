"""The first screen: the verdict in three plain sentences, and what may and may not be said.

Every sentence follows from results of the document, with its interval, and names the result that
it rests on; nothing is said that a result does not carry. The sentences avoid the names of
coefficients: whoever wants these finds them below.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from goldassay.glossary import words
from goldassay.questions.report.facts import SURE, Facts, told
from goldassay.words import number, visible

__all__ = ["Claim", "claims", "verdict"]

Document = Mapping[str, Any]

#: Numbers whose absence the first screen mentions.
_CORE = frozenset({"accuracy", "balanced_accuracy", "cohen_kappa", "prevalence", "kendall_tau"})


class Claim(str):
    """A sentence and the result that it rests on, as `agree.accuracy`, or a question, as `plan`."""

    source: str

    def __new__(cls, sentence: str, source: str) -> Claim:
        made = super().__new__(cls, sentence)
        made.source = source
        return made


def verdict(facts: Facts) -> list[Claim]:
    """Which judge and how far to trust it; the true rate; the main reservation."""
    said = [_trust(facts), _rate(facts) or _shares(facts) or _ceiling(facts), _reservation(facts)]
    if facts.of_judge("agree", "accuracy") is None and facts.of_judge("rank", "kendall_tau"):
        said = [_trust(facts), _best_ranker(facts), _single_items(facts)]
    verbs = ("agree", "rank", "estimate", "plan", "select", "audit")
    spare = [(verb, facts.about_judge(verb)) for verb in verbs]
    # An audit's first sentence says what it looked at; its findings follow.
    queues = {verb: facts.every(verb) for verb in verbs}
    queues["audit"] = queues["audit"][1:] + queues["audit"][:1]
    spare += [
        (verb, queues[verb][index])
        for index in (0, 1, 2)
        for verb in verbs
        if len(queues[verb]) > index
    ]
    chosen = list(dict.fromkeys(one for one in said if one))
    covered = {one.source.partition(".")[0] for one in chosen}
    # First the questions that the first sentences say nothing of.
    for skipped in (covered, set()):
        for verb, one in spare:
            if len(chosen) < 3 and one and one not in chosen and verb not in skipped:
                chosen.append(Claim(one, verb))
    return chosen[:3]


def _trust(facts: Facts) -> Claim | None:
    agreed = facts.of_judge("agree", "accuracy")
    if agreed is None or facts.judge is None:
        if (order := _ranking(facts)) is not None:
            return order
        for verb in ("select", "agree"):
            if said := facts.about_judge(verb):
                return Claim(said, verb)
        return None
    judge = _name(facts.judge)
    share = f"the people's verdict on {_of_hundred(agreed)}"
    many = len(facts.judges)
    if many <= 1:
        return Claim(f"{judge} gives {share}.", "agree.accuracy")
    if facts.rivals:
        others = _listed([_name(rival) for rival in facts.rivals])
        level = f"{judge} and {others} cannot be told apart as the best of {many} judges"
        level += ", every option counting equally" if facts.criterion == "balanced_accuracy" else ""
        level += f"; {judge} gives {share}"
        other = facts.row("agree", "accuracy", facts.rivals[0])
        if other is not None and len(facts.rivals) == 1:
            level += f", {others} on {_of_hundred(other).replace(' of 100 items', '')}"
        return Claim(f"{level}.", "agree.accuracy")
    if facts.chosen:
        return Claim(f"{judge} is the best of {many} judges; it gives {share}.", "agree.accuracy")
    return Claim(
        f"Of {many} judges {judge} agrees most with people: it gives {share}.", "agree.accuracy"
    )


def _rate(facts: Facts) -> Claim | None:
    true, called = _true_and_called(facts)
    if true is None:
        return None
    positive, source = _option(facts.task.get("positive")), "estimate.prevalence"
    likely = f"likely {_range(true)}" if true.get("low") is not None else _percent(true["value"])
    if called is None:
        return Claim(f"The true rate of {positive} is {likely}.", source)
    return Claim(
        f"{_name(facts.judge)} calls {_percent(called['value'])} of items {positive}; "
        f"the true rate is {likely}.",
        source,
    )


def _true_and_called(facts: Facts) -> tuple[Document | None, Document | None]:
    called = facts.of_judge("estimate", "prevalence_naive")
    return facts.of_judge("estimate", "prevalence"), called or facts.of_judge(
        "agree", "verdict_rate"
    )


def _shares(facts: Facts) -> Claim | None:
    """Of several options, the one whose rate by the judge is furthest from the truth."""
    true, called = facts.options("prevalence"), facts.options("prevalence_naive")
    known = [option for option in true if option in called and true[option].get("low") is not None]
    if not known:
        return None

    def off(option: str) -> float:
        row, own = true[option], called[option]["value"]
        return float(max(row["low"] - own, own - row["high"]))

    judge, source = _name(facts.judge), "estimate.prevalence"
    worst = max(known, key=off)
    if off(worst) <= 0:
        return Claim(
            f"For each of the {len(known)} options {judge}'s own share lies within what people's "
            "labels allow.",
            source,
        )
    return Claim(
        f"{judge} calls {_percent(called[worst]['value'])} of items {_option(worst)}; the true "
        f"rate is likely {_range(true[worst])}.",
        source,
    )


def _ceiling(facts: Facts) -> Claim | None:
    people = facts.row("agree", "human_observed_agreement")
    if people is None:
        return None
    said = f"Two people agree with each other on {_of_hundred(people)}."
    return Claim(said, "agree.human_observed_agreement")


def _reservation(facts: Facts) -> Claim | None:
    """The first that applies: no better than chance, order of systems, disagreement, labels."""
    if facts.judge and _weak(facts, facts.judge):
        return Claim(
            f"These items do not show that {_name(facts.judge)} does better than chance.",
            "agree.cohen_kappa",
        )
    by_judge = _definitions(facts)
    if by_judge is not None and len(by_judge) > 1:
        counted = [f"{_name(judge)} by {count}" for judge, count in by_judge.items()]
        return Claim(
            "Which judge is best depends on how agreement with people is measured: "
            f"{_listed(counted)} of {sum(by_judge.values())} ways.",
            "audit",
        )
    if (order := _ranking(facts)) is not None and facts.of_judge("agree", "accuracy"):
        return order
    if by_judge:
        judge, count = next(iter(by_judge.items()))
        return Claim(
            f"However agreement with people is measured ({count} ways), {_name(judge)} stays best.",
            "audit",
        )
    return _labels(facts)


def _labels(facts: Facts) -> Claim | None:
    """How well the labels so far pin the rate down."""
    length = facts.of_judge("plan", "length_now")
    if length is None:
        needed = facts.sentence("plan.labels_needed")
        return Claim(told(needed), "plan") if needed else None
    return Claim(
        "The labels so far tell the true rate to within about "
        f"{50 * length['value']:.0f} percentage points either way.",
        "plan.length_now",
    )


def _ranking(facts: Facts) -> Claim | None:
    """Kendall's tau as the share of pairs of systems in the people's order."""
    row = facts.of_judge("rank", "kendall_tau")
    if row is None:
        return None
    if row.get("low") is not None and row["low"] <= -0.5 and row["high"] >= 0.5:
        return Claim(
            f"These items do not tell whether {_name(facts.judge)} puts systems in the people's "
            "order.",
            "rank.kendall_tau",
        )
    said = f"{_name(facts.judge)} puts {_pairs(row)} of pairs of systems in the people's order"
    if row.get("low") is not None and row.get("high") is not None:
        said += f" (likely {_pairs_range(row)})"
    if len(facts.judges) > 1 and not facts.of_judge("agree", "accuracy"):
        said += f", the most of {len(facts.judges)} judges"
    return Claim(f"{said}.", "rank.kendall_tau")


def _best_ranker(facts: Facts) -> Claim | None:
    said = facts.sentence("rank.told_apart")
    return Claim(told(said), "rank.told_apart") if said else None


def _single_items(facts: Facts) -> Claim | None:
    row = facts.of_judge("agree", "pearson")
    if row is None:
        said = facts.sentence("rank.decisiveness")
        return Claim(told(said), "rank.decisiveness") if said else None
    span = "" if row.get("low") is None else f" ({row['low']:.2f} to {row['high']:.2f})"
    return Claim(
        f"On single outputs its scores follow people's with a correlation of {row['value']:.2f}"
        f"{span}, where 0 is not at all and 1 is wholly.",
        "agree.pearson",
    )


def _pairs(row: Document) -> str:
    return f"{50 * (1 + row['value']):.0f} %"


def _pairs_range(row: Document) -> str:
    return f"{50 * (1 + row['low']):.0f} to {50 * (1 + row['high']):.0f} %"


def _definitions(facts: Facts) -> dict[str, int] | None:
    """How many definitions of agreement select each judge, as the audit has it."""
    selected = facts.facts("audit.selection")
    if not selected or len(facts.judges) < 2:
        return None
    counted = zip(selected["judges"], selected["definitions"], strict=True)
    return {judge: len(definitions) for judge, definitions in counted}


def claims(facts: Facts, results: Sequence[Document]) -> dict[str, list[Claim]]:
    """What the results carry, and what they do not, in sentences a reader may quote."""
    may = [*_agreement(facts), *_best(facts), *_true_rate(facts), *_order(facts)]
    may_not = [
        *_chance(facts),
        *_not_best(facts),
        *_not_best_ranker(facts),
        *_raw_rate(facts),
        *_as_good_as_people(facts),
        *_undefined(results),
        *_elsewhere(facts, results),
    ]
    return {"may": may[:5], "may_not": [*may_not[:-1][:4], *may_not[-1:]]}


def _agreement(facts: Facts) -> list[Claim]:
    judges = [facts.judge, *(judge for judge in facts.judges if judge != facts.judge)]
    found = [(judge, facts.row("agree", "accuracy", judge)) for judge in judges if judge]
    return [
        Claim(
            f"“{_name(judge)} gives the people's verdict on {_percent(row['value'])} of items "
            f"({_range(row)} at {_percent(row['confidence_level'])} confidence).”",
            "agree.accuracy",
        )
        for judge, row in found[:2]
        if row is not None and row.get("low") is not None
    ]


def _best(facts: Facts) -> list[Claim]:
    if len(facts.judges) < 2 or facts.rivals or not facts.chosen or not facts.judge:
        return []
    said = f"“{_name(facts.judge)} is the best of these {len(facts.judges)} judges"
    by = f" by {words(facts.criterion)}" if facts.criterion else ""
    return [Claim(f"{said}{by}.”", "select.probability_best")]


def _true_rate(facts: Facts) -> list[Claim]:
    row = facts.of_judge("estimate", "prevalence")
    if row is None or row.get("low") is None:
        return []
    positive = _option(facts.task.get("positive"))
    assumed = "; ".join(visible(one, 160) for one in row.get("assumptions") or ())
    given = f", assuming {assumed[0].lower()}{assumed[1:]}" if assumed else ""
    said = f"“The true rate of {positive} is {_percent(row['value'])} ({_range(row)})”{given}."
    return [Claim(said, "estimate.prevalence")]


def _order(facts: Facts) -> list[Claim]:
    row = facts.of_judge("rank", "kendall_tau")
    if row is None or row.get("low") is None or row["low"] <= 0:
        return []
    said = f"“{_name(facts.judge)} puts {_pairs(row)} of pairs of systems in the people's order "
    return [Claim(f"{said}({_pairs_range(row)}).”", "rank.kendall_tau")]


def _weak(facts: Facts, judge: str) -> bool:
    """Whether chance may do as well; not to be said where people used one option only."""
    row = facts.row("agree", "cohen_kappa", judge)
    several = facts.row("agree", "balanced_accuracy", judge) is not None
    return several and row is not None and row.get("low") is not None and row["low"] <= 0


def _chance(facts: Facts) -> list[Claim]:
    weak = [_name(judge) for judge in facts.judges if _weak(facts, judge)]
    if not weak:
        return []
    verb = "does" if len(weak) == 1 else "do"
    said = f"“{_listed(weak)} {verb} better than chance”: these items do not show it."
    return [Claim(said, "agree.cohen_kappa")]


def _not_best(facts: Facts) -> list[Claim]:
    if not facts.rivals or not facts.judge:
        return []
    others = _listed([_name(rival) for rival in facts.rivals])
    said = f"“{_name(facts.judge)} is better than {others}”: these items cannot tell them apart."
    return [Claim(said, "select.probability_best")]


def _not_best_ranker(facts: Facts) -> list[Claim]:
    said = facts.sentence("rank.told_apart")
    if said is None or not said["facts"]["cannot_tell"] or facts.of_judge("agree", "accuracy"):
        return []
    return [
        Claim(
            f"“{_name(facts.judge)} ranks better than every other judge”: these prompts cannot "
            "tell.",
            "rank.told_apart",
        )
    ]


def _raw_rate(facts: Facts) -> list[Claim]:
    true, called = _true_and_called(facts)
    if true is None or called is None or true.get("low") is None:
        return []
    positive = _option(facts.task.get("positive"))
    outside = not true["low"] <= called["value"] <= true["high"]
    why = "and it is off by more than chance" if outside else "errors and all"
    return [
        Claim(
            f"“{_percent(called['value'])} of items are {positive}”: that is the judge's own "
            f"rate, {why}.",
            "estimate.prevalence_naive",
        )
    ]


def _as_good_as_people(facts: Facts) -> list[Claim]:
    people = facts.row("agree", "human_observed_agreement")
    judge = facts.of_judge("agree", "accuracy")
    if people is None or judge is None or judge.get("high") is None or people.get("low") is None:
        return []
    if judge["high"] >= people["low"]:
        return []
    return [
        Claim(
            f"“{_name(facts.judge)} is as good as a person”: people agree with each other more "
            f"({_percent(people['value'])}) than it agrees with them "
            f"({_percent(judge['value'])}).",
            "agree.human_observed_agreement",
        )
    ]


def _undefined(results: Sequence[Document]) -> list[Claim]:
    core = [row for row in results if row.get("undefined") and row["name"] in _CORE]
    if not core:
        return []
    first = core[0]
    about = ", ".join(visible(first[key], 60) for key in ("judge", "criterion") if first.get(key))
    more = f" So are {len(core) - 1} more." if len(core) > 1 else ""
    why = f"{words(first['name'])} is undefined, {visible(first['undefined'], 200)}"
    source = f"{first.get('verb') or ''}.{first['name']}"
    return [Claim(f"A number for {about or 'this'}: {why}.{more}", source)]


def _elsewhere(facts: Facts, results: Sequence[Document]) -> list[Claim]:
    agreed = facts.of_judge("agree", "accuracy")
    rows = [agreed] if agreed else results
    items = max((row.get("n_items") or 0 for row in rows), default=0)
    if not items:
        return []
    return [
        Claim(
            "That this holds for other items, another prompt or the next version of a judge: it "
            f"was measured on {number(items)} items, with the judges as they were.",
            "exclusions",
        )
    ]


def _option(option: object) -> str:
    """An option in a sentence; quoted where it would not read as a word of it."""
    shown = visible(option or "positive", 40)
    plain = shown.isalpha() and len(shown) > 2 and shown.lower() != "yes"
    return shown if plain else f"‘{shown}’"


def _name(judge: str | None) -> str:
    return visible(judge or "the judge", 60)


def _percent(value: float) -> str:
    return f"{100 * value:.0f} %"


def _range(row: Document) -> str:
    low, high = 100 * max(row["low"], 0), 100 * min(row["high"], 1)
    digits = 0 if round(low) != round(high) else 1
    return f"{low:.{digits}f} to {high:.{digits}f} %"


def _of_hundred(row: Document) -> str:
    said = f"{100 * row['value']:.0f} of 100 items"
    if row.get("low") is None or row.get("high") is None:
        return said
    return f"{said} (likely {100 * max(row['low'], 0):.0f} to {100 * min(row['high'], 1):.0f})"


def _listed(names: Sequence[str], most: int = 3) -> str:
    shown = list(names[:most])
    if len(names) > most:
        shown.append(f"{len(names) - most} more")
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
