"""The first screen: the verdict in three plain sentences, and what may and may not be said.

Every sentence follows from results of the document, with its interval; nothing is said that a
result does not carry. The sentences avoid the names of coefficients: whoever wants these finds
them below.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from karat.report.facts import Facts
from karat.report.methods import words
from karat.report.shown import number, visible

__all__ = ["claims", "verdict"]

Document = Mapping[str, Any]

#: Numbers whose absence the first screen mentions.
_CORE = frozenset({"accuracy", "balanced_accuracy", "cohen_kappa", "prevalence", "kendall_tau"})


def verdict(facts: Facts) -> list[str]:
    """Which judge and how far to trust it; the true rate; the main reservation."""
    said = [_trust(facts), _rate(facts) or _ceiling(facts), _reservation(facts)]
    verbs = ("agree", "rank", "estimate", "plan", "select", "audit")
    spare = [facts.about_judge(verb) for verb in verbs]
    spare += [facts.answer(verb, index) for index in (0, 1) for verb in verbs]
    told = list(dict.fromkeys(one for one in said if one))
    for one in spare:
        if len(told) < 3 and one and one not in told:
            told.append(one)
    return told[:3]


def _trust(facts: Facts) -> str | None:
    agreed = facts.of_judge("agree", "accuracy")
    if agreed is None or facts.judge is None:
        return facts.answer("select") or _ranking(facts) or facts.about_judge("agree")
    judge = _name(facts.judge)
    share = f"the people's verdict on {_of_hundred(agreed)}"
    if len(facts.judges) <= 1:
        return f"{judge} gives {share}."
    many = len(facts.judges)
    if facts.rivals:
        others = _listed([_name(rival) for rival in facts.rivals])
        both = f"{judge} and {others}"
        return f"{both} cannot be told apart as the best of {many} judges; {judge} gives {share}."
    if "select" in facts.parts:
        return f"{judge} is the best of {many} judges; it gives {share}."
    return f"Of {many} judges {judge} agrees most with people: it gives {share}."


def _rate(facts: Facts) -> str | None:
    true = facts.of_judge("estimate", "prevalence")
    called = facts.of_judge("estimate", "prevalence_naive") or facts.of_judge(
        "agree", "verdict_rate"
    )
    if true is None:
        said = facts.about_judge("estimate")
        return None if said and "cannot be told" in said else said
    positive = visible(facts.task.get("positive") or "positive", 40)
    likely = f"likely {_range(true)}" if true.get("low") is not None else _percent(true["value"])
    if called is None:
        return f"The true rate of {positive} is {likely}."
    return (
        f"{_name(facts.judge)} calls {_percent(called['value'])} of items {positive}; "
        f"the true rate is {likely}."
    )


def _ceiling(facts: Facts) -> str | None:
    people = facts.row("agree", "human_observed_agreement")
    if people is None:
        return None
    return f"Two people agree with each other on {_of_hundred(people)}."


def _reservation(facts: Facts) -> str | None:
    """The first that applies: no better than chance, order of systems, disagreement, labels."""
    if facts.judge and _weak(facts, facts.judge):
        return f"These items do not show that {_name(facts.judge)} does better than chance."
    by_judge = _definitions(facts)
    if by_judge is not None and len(by_judge) > 1:
        counted = [f"{_name(judge)} by {count}" for judge, count in by_judge.items()]
        return (
            "Which judge is best depends on how people's disagreement is counted: "
            f"{_listed(counted)} of {sum(by_judge.values())} ways."
        )
    if (order := _ranking(facts)) is not None and facts.of_judge("agree", "accuracy"):
        return order
    if by_judge:
        judge, count = next(iter(by_judge.items()))
        return (
            f"However people's disagreement is counted ({count} ways), {_name(judge)} stays best."
        )
    return facts.answer("plan")


def _ranking(facts: Facts) -> str | None:
    """Kendall's tau as the share of pairs of systems in the people's order."""
    row = facts.of_judge("rank", "kendall_tau")
    if row is None:
        return None
    said = f"puts {50 * (1 + row['value']):.0f} % of pairs of systems in the people's order"
    if row.get("low") is not None and row.get("high") is not None:
        said += f" (likely {50 * (1 + row['low']):.0f} to {50 * (1 + row['high']):.0f} %)"
    if len(facts.judges) > 1 and not facts.of_judge("agree", "accuracy"):
        return f"Of {len(facts.judges)} judges {_name(facts.judge)} ranks best: it {said}."
    return f"{_name(facts.judge)} {said}."


def _definitions(facts: Facts) -> dict[str, int] | None:
    """How many definitions of agreement select each judge, from the audit's table."""
    table = (facts.parts.get("audit", {}).get("tables") or {}).get("definitions")
    if not table or "selects" not in table["columns"] or len(facts.judges) < 2:
        return None
    column = table["columns"].index("selects")
    found: dict[str, int] = {}
    for row in table["rows"]:
        if row[column] in facts.judges:
            found[row[column]] = found.get(row[column], 0) + 1
    return dict(sorted(found.items(), key=lambda pair: -pair[1]))


def claims(facts: Facts, results: Sequence[Document]) -> dict[str, list[str]]:
    """What the results carry, and what they do not, in sentences a reader may quote."""
    may = [*_agreement(facts), *_best(facts), *_true_rate(facts), *_order(facts)]
    may_not = [
        *_chance(facts), *_not_best(facts), *_raw_rate(facts), *_as_good_as_people(facts),
        *_undefined(results), *_elsewhere(facts, results),
    ]  # fmt: skip
    return {"may": may[:5], "may_not": may_not[:5]}


def _agreement(facts: Facts) -> list[str]:
    judges = [facts.judge, *(judge for judge in facts.judges if judge != facts.judge)]
    found = [(judge, facts.row("agree", "accuracy", judge)) for judge in judges if judge]
    return [
        f"“{_name(judge)} gives the people's verdict on {_percent(row['value'])} of items "
        f"({_range(row)} at {_percent(row['confidence_level'])} confidence).”"
        for judge, row in found[:2]
        if row is not None and row.get("low") is not None
    ]


def _best(facts: Facts) -> list[str]:
    if len(facts.judges) < 2 or facts.rivals or "select" not in facts.parts or not facts.judge:
        return []
    return [f"“{_name(facts.judge)} is the best of these {len(facts.judges)} judges.”"]


def _true_rate(facts: Facts) -> list[str]:
    row = facts.of_judge("estimate", "prevalence")
    if row is None or row.get("low") is None:
        return []
    positive = visible(facts.task.get("positive") or "positive", 40)
    assumed = "; ".join(visible(one, 160) for one in row.get("assumptions") or ())
    given = f", assuming {assumed[0].lower()}{assumed[1:]}" if assumed else ""
    return [f"“The true rate of {positive} is {_percent(row['value'])} ({_range(row)})”{given}."]


def _order(facts: Facts) -> list[str]:
    row = facts.of_judge("rank", "kendall_tau")
    if row is None or row.get("low") is None or row["low"] <= 0:
        return []
    return [f"“{_name(facts.judge)} orders the systems much as people do.”"]


def _weak(facts: Facts, judge: str) -> bool:
    """Whether chance may do as well; not to be said where people used one option only."""
    row = facts.row("agree", "cohen_kappa", judge)
    several = facts.row("agree", "balanced_accuracy", judge) is not None
    return several and row is not None and row.get("low") is not None and row["low"] <= 0


def _chance(facts: Facts) -> list[str]:
    weak = [_name(judge) for judge in facts.judges if _weak(facts, judge)]
    if not weak:
        return []
    verb = "does" if len(weak) == 1 else "do"
    return [f"“{_listed(weak)} {verb} better than chance”: these items do not show it."]


def _not_best(facts: Facts) -> list[str]:
    if not facts.rivals or not facts.judge:
        return []
    others = _listed([_name(rival) for rival in facts.rivals])
    return [f"“{_name(facts.judge)} is better than {others}”: these items cannot tell them apart."]


def _raw_rate(facts: Facts) -> list[str]:
    true = facts.of_judge("estimate", "prevalence")
    called = facts.of_judge("estimate", "prevalence_naive") or facts.of_judge(
        "agree", "verdict_rate"
    )
    if true is None or called is None or true.get("low") is None:
        return []
    positive = visible(facts.task.get("positive") or "positive", 40)
    outside = not true["low"] <= called["value"] <= true["high"]
    why = "and it is off by more than chance" if outside else "errors and all"
    return [
        f"“{_percent(called['value'])} of items are {positive}”: that is the judge's own rate, "
        f"{why}."
    ]


def _as_good_as_people(facts: Facts) -> list[str]:
    people = facts.row("agree", "human_observed_agreement")
    judge = facts.of_judge("agree", "accuracy")
    if people is None or judge is None or judge.get("high") is None or people.get("low") is None:
        return []
    if judge["high"] >= people["low"]:
        return []
    return [
        f"“{_name(facts.judge)} is as good as a person”: people agree with each other more "
        f"({_percent(people['value'])}) than it agrees with them ({_percent(judge['value'])})."
    ]


def _undefined(results: Sequence[Document]) -> list[str]:
    core = [row for row in results if row.get("undefined") and row["name"] in _CORE]
    if not core:
        return []
    first = core[0]
    about = ", ".join(visible(first[key], 60) for key in ("judge", "criterion") if first.get(key))
    more = f" So are {len(core) - 1} more." if len(core) > 1 else ""
    why = f"{words(first['name'])} is undefined, {visible(first['undefined'], 200)}"
    return [f"A number for {about or 'this'}: {why}.{more}"]


def _elsewhere(facts: Facts, results: Sequence[Document]) -> list[str]:
    agreed = facts.of_judge("agree", "accuracy")
    rows = [agreed] if agreed else results
    items = max((row.get("n_items") or 0 for row in rows), default=0)
    if not items:
        return []
    return [
        "That this holds for other items, another prompt or the next version of a judge: it was "
        f"measured on {number(items)} items, with the judges as they were."
    ]


def _name(judge: str | None) -> str:
    return visible(judge or "the judge", 60)


def _percent(value: float) -> str:
    return f"{100 * value:.0f} %"


def _range(row: Document) -> str:
    return f"{100 * max(row['low'], 0):.0f} to {100 * min(row['high'], 1):.0f} %"


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
