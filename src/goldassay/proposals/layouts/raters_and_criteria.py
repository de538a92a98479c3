"""Columns of raters and criteria both, by their names: `human_fluency`, `gpt4_fluency`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import chain

from goldassay.proposals.draft import Draft
from goldassay.proposals.layouts.by_place import of_one_place
from goldassay.proposals.layouts.column_names import about_of, asks
from goldassay.proposals.shape import Table, only_file, some
from goldassay.ratings.vocabulary import (
    BAD,
    CRITERIA,
    EVALUATING,
    GENERIC,
    GOOD,
    MADE,
    is_machine,
    kind_of,
    plain_name,
    words,
)

__all__ = [
    "ask_of_juries",
    "ask_of_others",
    "ask_of_subjects",
    "ask_which_question",
    "criteria_of_one",
    "grid_of_names",
    "judge_in",
    "named_in_records",
    "of_what_judges_answered",
    "of_what_people_rated",
    "people_and_judge",
    "raters_and_criteria",
    "raters_with_criteria",
    "real_beside_said",
    "records_and_criteria",
]


#: Words of a list or a record that holds what raters said.
_OF_RECORDS = EVALUATING | {"annotation", "annotations"}


def named_in_records(table: Table, kinds: Mapping[str, str]) -> dict[str, str]:
    """Column -> the judge whom it names within records (`judgments.gpt-4o.decision`), where that
    tells them apart and the rest says nothing of who or what."""
    found: dict[str, str] = {}
    for name in (n for n, kind in kinds.items() if kind == "judge"):
        head, _, rest = table.own(name).partition(".")
        who, _, last = rest.rpartition(".")
        general = all(word in _OF_RECORDS or kind_of(word) for word in words(head))
        if general and {*words(last)} <= GENERIC and kind_of(who) == "judge":
            found[name] = who
    return found if len({*found.values()}) == len(found) else {}


def ask_of_others(names: Sequence[str], draft: Draft) -> None:
    """Columns that may hold ratings and were not read as such."""
    if names:
        verb, they = ("Does", "It was") if len(names) == 1 else ("Do", "They were")
        draft.ask(f"{verb} {some(names)} hold ratings too? {they} not read as such", left_out=names)


def raters_and_criteria(kinds: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Columns such as human_fluency, gpt4_fluency: whom and what each is about; else nothing."""
    parts: dict[str, tuple[str, str]] = grid_of_names(list(kinds))
    for name in kinds if not parts else ():
        said = [w for w in re.split(r"[\s_\-.:/]+", name) if w]
        about = [w for w in said if kind_of(w) is None and w.casefold() not in GENERIC]
        about = [w for w in about if not w.isdigit()]
        who = [w for w in said if w not in about and w.casefold() not in GENERIC]
        parts[name] = ("_".join(who), "_".join(about))
    whos = {who for who, _ in parts.values()}
    abouts = {about for _, about in parts.values()}
    each = len(set(parts.values())) == len(parts)
    shared = [a for a in abouts if a and sum(a == about for _, about in parts.values()) > 1]
    if not (each and len(abouts) > 1 and len(whos) > 1 and "" not in abouts | whos):
        return {}
    if len(shared) < 2:
        return {}
    return {
        name: {"rater": who, "kind": kinds[name], "criterion": about}
        for name, (who, about) in parts.items()
    }


def records_and_criteria(table: Table, kinds: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Records of raters with the same members (`annotations.TA.tone`, `model.tone`, and so on for
    another): the record is the rater, the member the criterion; else nothing. Members of lists are
    criteria only where people and judge go together by their places."""
    parts = {n: table.own(n).rpartition(".") for n in kinds}
    whos, abouts = ({one[k] for one in parts.values()} for k in (0, 2))
    whole = len(parts) == len(whos) * len(abouts) == len({*parts.values()})
    if not whole or "" in whos or len(whos) < 2 or len(abouts) < 2:
        return {}
    if any(len({kinds[n] for n, one in parts.items() if one[0] == who}) > 1 for who in whos):
        return {}
    if all(about.isdigit() for about in abouts) and not _in_places(table, kinds, parts):
        return {}
    last = {who: who.rpartition(".")[2] for who in whos}
    called = last if len({*last.values()}) == len(whos) else {who: who for who in whos}
    return {
        name: {"rater": called[who], "kind": kinds[name], "criterion": about}
        for name, (who, _, about) in parts.items()
    }


def _in_places(
    table: Table, kinds: Mapping[str, str], parts: Mapping[str, tuple[str, str, str]]
) -> bool:
    """Whether lists of a person and of a judge go together by their places."""
    lists: dict[str, dict[str, str]] = {}
    for name, (who, _, place) in parts.items():
        lists.setdefault(who, {})[place] = name
    people, judges = (
        [one for one in lists.values() if (kinds[next(iter(one.values()))] == "judge") is wanted]
        for wanted in (False, True)
    )
    return any(of_one_place(table, one, two) for one in people for two in judges)


def people_and_judge(
    table: Table, kinds: Mapping[str, str], draft: Draft
) -> dict[str, dict[str, str]]:
    """Several columns of people and several of judges, of the same criteria by their names
    (`prompt_harm_label` and `guard_prompt_harm`): rater, kind and criterion of each; else nothing.

    Of criteria with labels of their own, those that share the first one's are read. One judge
    rates what people do; of several, what is called after nothing that people rated is asked about.
    """
    judges = [name for name, kind in kinds.items() if kind == "judge"]
    people = [name for name, kind in kinds.items() if kind != "judge"]
    who = {n: judge_in(n) for n in judges}
    one = len({*who.values()}) == 1
    if len(judges) < 2 or any(kind_of(name) for name in people):
        return {}
    said = GENERIC - {"answer", "output", "response"}  # these may be what is rated
    about = {n: {w for w in words(n) if kind_of(w) is None and w not in said} for n in kinds}
    about |= {n: {w for w in about[n] if not w.isdigit()} for n in judges if is_machine(n)}
    if not one and (len(people) < 2 or not all(about[n] for n in people)):
        return {}
    pairs: dict[str, str] = {}
    for judge in judges:
        mine = [n for n in people if about[judge] and about[judge] <= about[n]]
        mine = [n for n in mine if about[judge] == about[n]] or mine
        mine = mine or [n for n in people if not one and about[n] < about[judge]]
        if len(mine) == 1 and not (one and mine[0] in pairs.values()):
            pairs[judge] = mine[0]
        elif one:
            return {}
    if not pairs:
        return {}
    first = next(iter(pairs.values()))
    same = {j: p for j, p in pairs.items() if _alike(table, p, first) and _alike(table, j, first)}
    if not same:
        return {}
    left = [n for n in (people if one else kinds) if n not in (*same, *same.values())]
    ask_of_others([n for n in left if n in pairs.values() or not one], draft)
    cells: dict[str, dict[str, str]] = {}
    # What all people's columns are called, beside what they are of: who rated (`greeting_qa`).
    shared = set.intersection(*(about[person_] for person_ in same.values()))
    if len({*same.values()}) < 2 or not all(about[person_] - shared for person_ in same.values()):
        shared = set()
    for judge, person_ in same.items():
        mine = [w for w in words(person_) if w in about[person_]]
        criterion = "_".join(w for w in mine if w not in shared)
        rater = "_".join(w for w in mine if w in shared) or only_file(table, person_) or "label"
        cells[person_] = {"rater": rater, "kind": kinds[person_], "criterion": criterion}
        rater = "_".join(who[judge]) or only_file(table, judge) or "judge"
        cells[judge] = {"rater": rater, "kind": "judge", "criterion": criterion}
    return cells


def criteria_of_one(kinds: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Columns of one rater only, each of another criterion (`gpt_relevance`, `gpt_tone`): known
    ones of a judge, or three or more that all begin or end with the same rater
    (`human_sweetness`, `sweetness_human`)."""
    kind = next(iter({*kinds.values()})) if len({*kinds.values()}) == 1 else None
    about = {name: about_of(name) for name in kinds}
    apart = len({*about.values()}) == len(kinds) > 1 and () not in about.values()
    if any(all(map(_CODE.fullmatch, one)) for one in about.values()):
        return {}  # `rater_a1` is one of several raters
    if kind is None or not apart:
        return {}
    ends = [{plain_name(name).split("_")[at] for name in kinds} for at in (0, -1)]
    alike = [who for (who, *rest) in ends if not rest and len(kinds) > 2 and kind_of(who) == kind]
    who = {judge_in(name) if kind == "judge" else _person_in(name) for name in kinds}
    if alike:
        rater = alike[0]
    elif len(who) == 1 and next(iter(who)) and all(map(asks, kinds)):
        rater = "_".join(next(iter(who)))
    else:
        return {}
    shared = set.intersection(*({*one} for one in about.values()))
    ordered = {n: [w for w in words(n) if w in about[n] and w not in shared] for n in kinds}
    return {n: {"rater": rater, "kind": kind, "criterion": "_".join(c)} for n, c in ordered.items()}


#: What tells raters apart, and names no criterion: `a`, `b2`.
_CODE = re.compile(r"[a-z]?\d*")


def _person_in(name: str) -> tuple[str, ...]:
    """The words of a name that say that a person rates."""
    return tuple(word for word in words(name) if kind_of(word) == "human")


def grid_of_names(names: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Column -> rater and criterion, where names are every first (or last) word with every rest:
    `tone_coder1, tone_coder2, facts_coder1, facts_coder2`. The words are raters', at least a
    judge's beside known criteria, and the same for all criteria; else nothing. Bare numbers and
    letters count raters or answers (`human_1, human_2, judge_1, judge_2`)."""
    for last in (True, False):
        cut = next((sign for sign in "_ -" if all(sign in name for name in names)), "")
        said = {n: n if cut else plain_name(n) for n in names}
        cut = cut or "_"
        halves = {n: o.rpartition(cut) if last else o.partition(cut) for n, o in said.items()}
        for back in (last, not last):
            parts = {
                n: (one.strip("() -:|"), two.strip("() -:|")) for n, (one, _, two) in halves.items()
            }
            found = {n: (two, one) if back else (one, two) for n, (one, two) in parts.items()}
            whos = {who for who, _ in found.values()}
            abouts = {about for _, about in found.values()}
            whole = len(names) == len(whos) * len(abouts) == len({*found.values()})
            judged = any(kind_of(one) == "judge" for one in whos) and any(map(asks, abouts))
            # `human_given` and `checker_given`, and so on: one is known, and the other no number.
            known = any(kind_of(one) == "human" for one in whos) and not back and len(whos) == 2
            known = known and not any(map(_CODE.fullmatch, whos))
            named_ = all(map(kind_of, whos)) or (
                (judged or known) and not any(map(kind_of, abouts))
            )
            counted = all(about.isdigit() or len(about) == 1 for about in abouts)
            if whole and len(whos) > 1 and len(abouts) > 1 and named_ and not counted:
                return found
    return {}


def judge_in(name: str) -> tuple[str, ...]:
    """The words of a name that say which judge it is."""
    parts = re.split(r"[\s_\-.:/]+", name.casefold())
    said = tuple(part for part in parts if kind_of(part) == "judge")
    return said or tuple(w for w in words(name) if kind_of(w) == "judge")


def _alike(table: Table, name: str, other: str) -> bool:
    """Whether columns share a label, or are both of many numbers."""
    scores = table.columns[name].scores and table.columns[other].scores
    return scores or bool(table.folds(name) & table.folds(other))


def raters_with_criteria(table: Table, names: Sequence[str]) -> dict[str, dict[str, str]]:
    """Columns such as a_tone, b_tone, gold_tone, a_facts and so on, whose first words are raters
    that say nothing of who they are: rater, kind and criterion of each; else nothing.

    Every rater has every criterion, and two criteria or more are known as such. What sums criteria
    up (`a_total`), or is on another scale, is none.
    """
    parts = {n: plain_name(n).split("_", 1) for n in names}
    by: dict[str, dict[str, str]] = {}
    for name, one in parts.items():
        if len(one) == 2:
            by.setdefault(one[0], {})[one[1]] = name
    raters = _coded(by) or {who: mine for who, mine in by.items() if sum(map(asks, mine)) > 1}
    if len(raters) < 2 or any(kind_of(who) in ("human", "judge") for who in raters):
        return {}
    shared = set.intersection(*(set(mine) for mine in raters.values()))
    shared = {c for c in shared if not set(c.split("_")) & _SUMS_OF_CRITERIA}
    if sum(map(asks, shared)) < 2 and not _coded(by):
        return {}
    return {
        mine[criterion]: {"rater": who, "kind": kind_of(who) or "human", "criterion": criterion}
        for who, mine in raters.items()
        for criterion in mine
        if criterion in shared
    }


#: A letter of people who rate, and a number: `A1`, `r2`.
_PERSON = re.compile(r"([arpechuwl])\d{1,2}")


def _coded(by: Mapping[str, Mapping[str, str]]) -> dict[str, Mapping[str, str]]:
    """Raters called by one letter and a number who have two criteria or more in common, whatever
    these are called (`A1 agents`, `A1 events`, `A2 agents`), and a key to all; else nothing."""
    coded = {who: mine for who, mine in by.items() if _PERSON.fullmatch(who)}
    shared = set.intersection(*map(set, coded.values())) if len(coded) > 1 else set()
    shared = {c for c in shared if not set(c.split("_")) & _SUMS_OF_CRITERIA and not c.isdigit()}
    if len(shared) < 2 or len({who[0] for who in coded}) > 1 or any(map(kind_of, shared)):
        return {}  # `c1_human` and `c1_judge`: criteria by code
    keys = {w: m for w, m in by.items() if kind_of(w) == "reference" and shared <= m.keys()}
    return {**coded, **keys}


def real_beside_said(table: Table, names: Sequence[str]) -> dict[str, dict[str, str]]:
    """Columns of two criteria or more, each said and as it really is (`tone` and `tone_real`):
    rater, kind and criterion of each; else nothing. What is called real is the key."""
    own = {plain_name(n): n for n in names}
    cells: dict[str, dict[str, str]] = {}
    for plain, name in own.items():
        head, _, mark = plain.rpartition("_")
        said = own.get(head)
        if mark not in _REAL or said is None or not _alike(table, said, name):
            continue
        cells[said] = {"rater": table.stem, "kind": "judge", "criterion": head}
        cells[name] = {"rater": mark, "kind": "reference", "criterion": head}
    return cells if len(cells) > 2 else {}


#: What the right answer is called behind what was said.
_REAL = frozenset(["actual", "real", "true"])
#: Words of columns that sum the criteria of a row up.
_SUMS_OF_CRITERIA = frozenset(["total", "sum", "mean", "avg", "average", "pass", "passed"])


def ask_of_subjects(kinds: Mapping[str, str], draft: Draft) -> None:
    """People who rate one known criterion beside judges who rate another, by all their names."""
    by: dict[bool, list[set[str]]] = {True: [], False: []}
    for name, kind in kinds.items():
        by[kind == "judge"].append(_subjects(name))
    if not all(by[True]) or not all(by[False]) or not by[True] or not by[False]:
        return
    theirs, mine = (set.union(*by[judge]) for judge in (True, False))
    known = {word[:_STEM] for word in CRITERIA}
    if not mine & theirs and (mine | theirs) & known:
        people, judges = (
            [n for n, k in kinds.items() if (k == "judge") == j] for j in (False, True)
        )
        draft.ask(
            f"Do {some(people)} and {some(judges)} rate the same? By their names they are about "
            "different things"
        )


def of_what_people_rated(kinds: Mapping[str, str], draft: Draft) -> dict[str, str]:
    """The raters without what a judge says of another known criterion (`gpt_relevance`), where it
    rates what people do as well (`gpt_groundedness` beside `human_groundedness`)."""
    about = {name: _subjects(name) for name in kinds}
    rated = [about[name] for name, kind in kinds.items() if kind != "judge"]
    both = set[str]().union(*rated)
    judges = [name for name, kind in kinds.items() if kind == "judge"]
    same = {judge_in(name) for name in judges if about[name] & both}
    others = [n for n in judges if judge_in(n) in same and about[n] and not about[n] & both]
    if not all(rated) or not others:
        return dict(kinds)
    ask_of_others(others, draft)
    return {name: kind for name, kind in kinds.items() if name not in others}


def _subjects(name: str) -> set[str]:
    """The known criteria in a name, by their stems."""
    return {word[:_STEM] for word in words(name) if word in CRITERIA | GOOD | BAD}


def of_what_judges_answered(kinds: Mapping[str, str], draft: Draft) -> dict[str, str]:
    """Of people's answers to several questions (`human_accuracy`, `human_overall`) those to the
    only one that judges answered too (`gpt_overall`); the others are asked about."""
    people, judges = _questions_of_people(kinds), [n for n, k in kinds.items() if k == "judge"]
    answered = {about_of(name) for name in judges}
    mine = [name for name in people if about_of(name) in answered]
    if len(answered) != 1 or len(mine) != 1:
        return dict(kinds)
    ask_of_others([name for name in people if name not in mine], draft)
    return {name: kind for name, kind in kinds.items() if name in mine or name not in people}


def ask_which_question(kinds: Mapping[str, str], draft: Draft) -> None:
    """Several questions that people answered (`human_ready`, `human_split_well`) beside a judge
    whose name says none of them: which one it answered must be said."""
    people, judges = _questions_of_people(kinds), [n for n, k in kinds.items() if k == "judge"]
    asked = {word for name in people for word in about_of(name)}
    if (
        people
        and len({*map(judge_in, judges)}) == 1
        and not asked & {*chain(*map(about_of, judges))}
    ):
        draft.lack(
            f"Which question did {some(judges)} answer? {some(people)} are people's answers "
            "to several, by their names",
            *({"wide": {"human": [one], "judge": judges}} for one in people[:2]),
        )


#: Words of what people say on the whole.
_WHOLE = frozenset(["overall", "total", "final", "holistic", "general"])


def _questions_of_people(kinds: Mapping[str, str]) -> list[str]:
    """People's columns that are called after what was asked, each another; nothing where they may
    be people by name (`human_anna`)."""
    people = [name for name, kind in kinds.items() if kind == "human"]
    asked = {about_of(name) for name in people}
    whose = [{word for word in words(name) if kind_of(word) == "human"} for name in people]
    called = all(one & {"human", "humans", "manual"} for one in whose)
    called = called or (bool(people) and bool(set.intersection(*whose)))  # one reviewer's
    known = CRITERIA | GOOD | BAD | _WHOLE
    questions = all(len(one) > 1 or {*one} & known for one in asked)
    return people if called and questions and len(people) == len(asked) > 1 else []


#: So many letters tell words of one stem (`factual`, `factuality`).
_STEM = 5


def ask_of_juries(kinds: Mapping[str, str], draft: Draft) -> None:
    """A judge whose name says that it was made of several, beside several."""
    judges = [name for name, kind in kinds.items() if kind == "judge"]
    made = [n for n in judges if {*words(n)} & (MADE | {"jury", "ensemble", "panel", "committee"})]
    if made and len(judges) - len(made) > 1:
        draft.ask(f"Is {some(made)} made of the other judges? It is read as one of its own")
