"""A column for each system that was rated, or for each rater and system."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from goldassay.proposals.draft import Draft, Weight
from goldassay.proposals.layouts.column_names import TEXTS, asks
from goldassay.proposals.shape import Shape, Table, person, some, some_asked, used_of
from goldassay.ratings.vocabulary import GENERIC, SYSTEMS, is_machine, kind_of, plain_name, words
from goldassay.words import named

__all__ = [
    "by_rater_and_system",
    "by_system",
    "criteria_that_are_systems",
    "named_systems",
    "rated_systems",
    "systems_in_lists",
    "systems_on_criteria",
]


#: Words that say who rated and are no model's name, which may be what was rated.
_SAYS_WHO = frozenset(["judge", "grader", "evaluator", "llm", "auto", "scorer", "critic", "jury"])


def named_systems(table: Table, ratings: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Columns such as judge_gpt4 beside answer_gpt4, or gpt4_correct beside gpt4_answer: column
    -> (system, what all of them are called); else nothing."""
    for system_last in (True, False):
        found: dict[str, tuple[str, str]] = {}
        for name in ratings:
            one, _, two = name.partition("_") if system_last else name.rpartition("_")
            system, head = (two, one) if system_last else (one, two)
            if _has_text(table, name, system, last=system_last) and system and head:
                places = re.fullmatch(r".*_\d+", system) and plain_name(
                    f"{system}_{head}"
                ) == plain_name(name)
                if not places:
                    found[name] = (system, head)
        heads = {head for _, head in found.values()}
        rest = [name for name in ratings if name not in found]
        of_people = any(kind_of(system) == "human" for system, _ in found.values())
        if len(found) > 1 and len(heads) == 1 and not of_people and not any(map(kind_of, rest)):
            return found
    return _judged_by_one(table, ratings)


def _has_text(table: Table, name: str, system: str, *, last: bool) -> bool:
    """Whether a text stands beside a column that is called after the same system."""
    end, start = (f"_{system}", "") if last else ("", f"{system}_")
    beside = [c for c in table.columns if c != name and c.endswith(end) and c.startswith(start)]
    beside = [c for c in beside if not {*words(c)} & _REMARKS]
    return any(table.columns[c].text or {*words(c)} & {*TEXTS} for c in beside)


#: Words of texts that say why a rating was given, and are nobody's output.
_REMARKS = frozenset(
    [
        *("comment", "comments", "explanation", "feedback", "justification", "note", "notes"),
        *("rationale", "reason", "reasoning", "reasons"),
    ]
)


def _judged_by_one(table: Table, ratings: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Columns such as base_judge_score and tuned_judge_score beside base_pred and tuned_pred, and
    metrics of both: of what they are called by their second words, the only one that says judge or
    person; else nothing."""
    found: dict[str, dict[str, str]] = {}
    for name in ratings:
        system, _, head = name.partition("_")
        if head and kind_of(system) is None and _has_text(table, name, system, last=False):
            found.setdefault(head, {})[name] = system
    systems = [frozenset(one.values()) for one in found.values()]
    said = [head for head in found if {*words(head)} & (_SAYS_WHO | {"human"})]
    if len(said) != 1 or len({*systems}) != 1 or len(systems[0]) < 2:
        return {}
    others = [name for name in ratings if not any(name in one for one in found.values())]
    return {} if others else {n: (system, said[0]) for n, system in found[said[0]].items()}


def by_rater_and_system(
    table: Table, shape: Shape, draft: Draft, cells: Mapping[str, dict[str, str]]
) -> None:
    """A column for each rater and system."""
    shape.cells = dict(cells)
    systems = list(dict.fromkeys(cell["system"] for cell in cells.values()))
    raters = {cell["rater"]: cell["kind"] for cell in cells.values()}
    said = [f"{named(who)} (a {person(kind)})" for who, kind in raters.items()]
    draft.assume(
        Weight.WHO,
        f"{some(list(cells))} hold the ratings of {some(systems)} by {' and '.join(said)}",
    )
    shape.used = [used_of(table, name, cell["kind"]) for name, cell in cells.items()]


def by_system(table: Table, shape: Shape, draft: Draft, ratings: Sequence[str]) -> None:
    systems = named_systems(table, ratings)
    if rest := [name for name in ratings if name not in systems]:
        draft.ask(
            some_asked(
                rest,
                "Does {} hold ratings too? It was not read as such",
                "Do {} hold ratings too? They were not read as such",
            ),
            left_out=rest,
        )
    head = next(iter(systems.values()))[1]
    kind = kind_of(head) or "human"
    shape.cells = {n: {"rater": head, "kind": kind, "system": s} for n, (s, _) in systems.items()}
    draft.assume(
        Weight.WHO,
        f"{some(list(systems))} hold the ratings of one {person(kind)}, called {named(head)}, a "
        "column per system",
    )
    shape.used = [used_of(table, name, kind) for name in systems]


#: Lists of what systems gave, whose records are told apart by the systems' names.
_GIVEN = "completions|responses|outputs|answers|candidates|generations|results|models|systems"


def systems_in_lists(names: Sequence[str]) -> dict[str, dict[str, str]]:
    """Columns such as responses_gpt4_fluency_1 and responses_llama_fluency_1, out of records within
    a list: system, criterion and person of each; else nothing."""
    tails = {n: m for n in names if (m := re.fullmatch(rf"(?i)({_GIVEN})_(.+)", n))}
    if len(tails) < 2 or len(tails) < len(names):
        return {}
    parts = [m[2].split("_") for m in tails.values()]
    found: dict[str, dict[str, str]] = {}
    for size in range(1, 4):  # how many words the systems' names have
        ends: dict[str, set[str]] = {}
        for one in parts:
            ends.setdefault("_".join(one[:size]), set()).add("_".join(one[size:]))
        shared = set.intersection(*ends.values()) - {""}
        if len(ends) > 1 and shared:
            for name, one in zip(tails, parts, strict=True):
                rest, number = one[size:], ""
                if "_".join(rest) not in shared:
                    continue
                if rest[-1].isdigit() and len(rest) > 1:
                    number = rest.pop()
                found[name] = {"system": "_".join(one[:size]), "criterion": "_".join(rest)}
                found[name]["rater"] = f"annotator {number}" if number else ""
            return found
    return {}


def systems_on_criteria(names: Sequence[str]) -> dict[str, dict[str, str]]:
    """Columns such as kite_fluency_ann1 and raven_tone_llm, every system with every criterion and
    rater: what each is about; else nothing. Raters are told by their words, a person among them,
    criteria by one that is known."""
    parts = {name: tuple(w for w in re.split(r"[\s_.:/]+", name) if w) for name in names}
    if {len(one) for one in parts.values()} != {3} or len({*parts.values()}) < len(names):
        return {}
    axes = [list(dict.fromkeys(one[at] for one in parts.values())) for at in range(3)]
    if min(map(len, axes)) < 2 or len(axes[0]) * len(axes[1]) * len(axes[2]) != len(names):
        return {}
    kinds = [[kind_of(word) for word in axis] for axis in axes]
    raters = [at for at in range(3) if None not in kinds[at] and "human" in kinds[at]]
    criteria = [at for at in range(3) if at not in raters and any(map(asks, axes[at]))]
    if len(raters) != 1 or len(criteria) != 1:
        return {}
    who, what = raters[0], criteria[0]
    which = 3 - who - what
    return {
        name: {
            "rater": one[who],
            "kind": str(kind_of(one[who])),
            "system": one[which],
            "criterion": one[what],
        }
        for name, one in parts.items()
    }


def rated_systems(table: Table, names: Sequence[str]) -> dict[str, dict[str, str]]:
    """Columns such as gpt4_human_score and gpt4_judge_score beside gpt4_answer: what each is about;
    else nothing. Every system is rated by all, and has a text."""
    found: dict[str, dict[str, str]] = {}
    names = [name for name in names if not set(words(name)) & {*TEXTS}]
    for name in names:
        said = [w for w in re.split(r"[\s_\-.:/]+", name) if w]
        who = [w for w in said if kind_of(w) == "human" or w.casefold() in _SAYS_WHO]
        rest = [w for w in said if w not in who and w.casefold() not in GENERIC]
        kind = kind_of(" ".join(who)) if who else None
        if kind is None or not rest:
            return {}
        found[name] = {"rater": "_".join(who), "kind": kind, "system": "_".join(rest)}
    by: dict[str, set[str]] = {}
    for cell in found.values():
        by.setdefault(cell["system"], set()).add(cell["rater"])
    each = list(by.values())
    if len(by) < 2 or len(each[0]) < 2 or any(one != each[0] for one in each):
        return {}
    texts = [c for c in table.columns if c not in names and set(words(c)) & {*TEXTS}]
    beside = [s for s in by if any(set(words(s)) <= set(words(c)) for c in texts)]
    return found if len(beside) == len(by) and len(found) == len(by) * len(each[0]) else {}


def criteria_that_are_systems(shape: Shape, draft: Draft) -> None:
    """What raters say of each of several, all called as systems are (`modelA_human`,
    `llama_judge`): the systems that were rated, and no criteria. Of versions, which may be
    either, it is asked."""
    names = list(dict.fromkeys(c["criterion"] for c in shape.cells.values() if "criterion" in c))
    if len(names) < 2 or any("system" in cell for cell in shape.cells.values()):
        return
    systems = {
        name: {"system" if key == "criterion" else key: said for key, said in cell.items()}
        for name, cell in shape.cells.items()
    }
    if all(map(_is_system, names)):
        shape.cells = systems
        raters = list(dict.fromkeys(cell["rater"] for cell in shape.cells.values()))
        draft.assume(
            Weight.COLUMNS,
            f"{some(names)} are the systems that were rated, and {some(raters)} the raters, by the "
            "names of the columns",
        )
    elif any(_may_be_system(one) for one in names) and not any(map(asks, names)):
        draft.ask(
            f"Are {some(names)} systems that were rated? They are read as criteria; then",
            {"cells": systems},
        )


def _is_system(name: str) -> bool:
    """A word for systems, or a model's name."""
    return bool({*words(name)} & (SYSTEMS | {"sys", "bot"})) or is_machine(name)


#: Words of systems in an experiment, beside those for versions.
_IN_TRIALS = frozenset(
    [
        *("base", "baseline", "candidate", "control", "current", "finetuned", "new", "old"),
        *("treatment", "tuned", "variant", "version"),
    ]
)


def _may_be_system(name: str) -> bool:
    return bool(re.fullmatch(r"(?i)v\d+([._]\d+)*", name)) or bool({*words(name)} & _IN_TRIALS)
