"""People's verdicts, and beside them judges' scores from 0 to 1 or to 100, which a cut makes
verdicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from goldassay.proposals.draft import Draft, Weight
from goldassay.proposals.labels.opposites import says_good
from goldassay.proposals.layouts.column_names import about_of, asks, like_a_value, of_one_thing
from goldassay.proposals.layouts.numbered_names import differ_in_number
from goldassay.proposals.profile import Column, counted
from goldassay.proposals.shape import Shape, Table, some, used_of
from goldassay.ratings.vocabulary import (
    ABSTAIN,
    GENERIC,
    INVALID,
    METRICS,
    SYNONYMS,
    folded,
    kind_of,
    number,
    positive_of,
    words,
)
from goldassay.words import named

__all__ = [
    "SCORES",
    "ask_of_turned_scores",
    "cut_scores",
    "paired_criterion",
    "scored_verdicts",
    "with_scores",
]

#: Names of columns that say how sure a judge was.
SCORES = ("score", "confidence", "probability", "prob", "judge_score", "p_yes", "p")


def scored_verdicts(table: Table, ratings: Sequence[str]) -> tuple[list[str], list[str]] | None:
    """People's verdicts with two options, and beside them judges' scores from 0 to 1, or 100."""
    known = [n for n in ratings if kind_of(n) in ("human", "reference")]
    few = [n for n in ratings if table.columns[n].few]
    counted = len(few) > 1 and differ_in_number(few)  # `a1` to `a10`
    people = known or (few if counted or (len(few) == 1 and _is_said(few[0])) else [])
    labels = {folded(label) for name in people for label in table.columns[name].labels}
    if len(labels) != 2 or positive_of(*sorted(labels)) is None:
        return None
    judging = [name for name in ratings if kind_of(name) == "judge"]
    if any(table.columns[n].few and not shares(n, table.columns[n]) for n in judging):
        return None
    judges = [n for n, column in table.columns.items() if n not in people and shares(n, column)]
    if not judges:  # `unsafe_prob` beside `is_safe`, `p_spam` beside spam and ham
        judges = [n for n, column in table.columns.items() if _is_of(n, column, people, labels)]
    named_ = [name for name in judges if kind_of(name) == "judge"] or judges[:1]
    said = [n for n in few if n not in people and kind_of(n) is None and says_good(n) is not None]
    if known and any(table.folds(n) == labels for n in said) and not any(map(kind_of, named_)):
        return None  # `success` beside `score` is what the judge says
    same = [n for n in few if n not in people and kind_of(n) is None and table.folds(n) == labels]
    if known and any({*words(n)} & GENERIC or all(map(_is_beside, named_)) for n in same):
        return None  # `candidate_verdict`, or `baseline` beside `bleu`, says what people say
    if not named_ and not judging:
        about = {about_of(name) for name in people}
        worded = all(number(label) is None for label in labels)  # numbers are read with scores
        named_ = [
            n
            for n, column in table.columns.items()
            if n not in people and kind_of(n) is None and _in_unit(column)
            if about_of(n) in about or (worded and any(of_one_thing(about_of(n), a) for a in about))
        ]
    if not named_ and {*ratings} == {*people} and not any(map(_is_about, people)):
        named_ = [
            n
            for n, column in table.columns.items()
            if n not in people and kind_of(n) is None and asks(n) and _in_unit(column)
        ]
    return (people, named_) if named_ else None


def _is_beside(name: str) -> bool:
    """A name of how sure a judge is, or of a metric of texts: no verdict of its own."""
    return bool({*words(name)} & (METRICS | {"confidence", "certainty", "logprob"}))


def _is_about(name: str) -> bool:
    """Whether a name says what is rated; that a user was content says nothing of it."""
    return bool({*about_of(name)} - {"feedback"})


def _is_said(name: str) -> bool:
    return like_a_value(name, {*SYNONYMS["value"]}) or says_good(name) is not None


def _is_of(name: str, column: Column, people: Sequence[str], labels: set[str]) -> bool:
    """A probability of what people say, or of its opposite."""
    said = words(name)
    sure = {*said} & {"prob", "probability", "proba", "score"} or said[:1] == ("p",)
    of_it = says_good(name) is not None or bool({*said} & labels)
    return bool(sure) and of_it and _in_unit(column) and name not in people


def shares(name: str, column: Column) -> bool:
    """Numbers from 0 to 1, or to 100, that are no verdicts, under a name of a judge or a score."""
    called = kind_of(name) == "judge" or name.casefold() in SCORES
    return called and (_in_unit(column) or _in_hundred(column))


def _in_hundred(column: Column) -> bool:
    """Numbers from 0 to 100, more than a set of options has, of which some are above 50."""
    values = [v for one in column.labels if (v := number(one)) is not None]
    return column.scores and all(0 <= v <= 100 for v in values) and max(values) > 50


def _in_unit(column: Column) -> bool:
    """Numbers from 0 to 1, not all of them whole, and more than two."""
    if not column.numeric:
        return False
    values = [v for one in column.labels if (v := number(one)) is not None]
    return all(0 <= v <= 1 for v in values) and any(v % 1 for v in values) and len(values) > 2


def with_scores(
    table: Table, shape: Shape, draft: Draft, scored: tuple[Sequence[str], Sequence[str]]
) -> None:
    """Judges' scores, cut at a half, beside people's verdicts."""
    people, judges = scored
    half = {name: "0.5" if _in_unit(table.columns[name]) else "50" for name in judges}
    kinds = {name: kind_of(name) or "human" for name in people}
    shape.cells = {name: {"rater": name, "kind": kind} for name, kind in kinds.items()}
    asked = says_good(people[0])
    turned = [n for n in judges if {asked, says_good(n)} == {True, False}]
    shape.cells |= {
        n: {"rater": n, "kind": "judge", "cut": f"{'<' if n in turned else '>='} {half[n]}"}
        for n in judges
    }
    if not any(map(kind_of, judges)) and len(people) > 1:
        every = shape.cells
        shape.cells = {n: cell | paired_criterion(n, cell, every) for n, cell in every.items()}
    metrics = [n for n in judges if asks(n) and not about_of(n) <= about_of(people[0])]
    if metrics and not any(map(kind_of, judges)) and not any(map(_is_about, people)):
        draft.ask(
            f"Is what {some(metrics)} {'measures' if len(metrics) == 1 else 'measure'} what "
            f"{some(people)} {'says' if len(people) == 1 else 'say'}? It is read so, each a judge"
        )
    verb = "hold" if len(people) > 1 else "holds"
    whose = "an answer key's" if {*kinds.values()} == {"reference"} else "people's"
    draft.assume(
        Weight.WHO, f"{some(people)} {verb} {whose} ratings, {some(judges)} judges' scores"
    )
    for cut in dict.fromkeys(half.values()):
        mine = [name for name in judges if half[name] == cut]
        _tell_cut(cut, mine, turned, people, draft)
    shape.used = [used_of(table, name, kind) for name, kind in kinds.items()]


#: So many rows of each option tell whether scores go the other way; the share of pairs in which
#: the item that people count must have the lower score.
_ENOUGH, _MOST = 5, 0.7


def ask_of_turned_scores(table: Table, shape: Shape, draft: Draft) -> None:
    """A judge's scores that are low where people give the option that is counted, and high where
    they give the other: they may be of the other option, which is asked."""
    positive, options = draft.task.get("positive"), draft.task.get("options", ())
    people = [n for n, cell in shape.cells.items() if cell.get("kind") != "judge"]
    if (
        draft.task.get("scale") != "binary"
        or len(options) != 2
        or "positive" in draft.declared.task
    ):
        return
    for name, cell in shape.cells.items():
        mine = [n for n in people if shape.cells[n].get("criterion") == cell.get("criterion")]
        if "cut" not in cell or not cell["cut"].startswith(">=") or not mine:
            continue
        scores: dict[bool, list[float]] = {True: [], False: []}
        for (said, given), rows in counted(table.source, mine[0], name).items():
            if folded(said) in map(folded, options) and (score := number(given)) is not None:
                scores[folded(said) == folded(str(positive))] += [score] * rows
        yes, no = np.array(scores[True]), np.sort(scores[False])
        if min(len(yes), len(no)) < _ENOUGH:
            continue
        above = len(no) - np.searchsorted(no, yes, side="right")
        if above.sum() > _MOST * len(yes) * len(no):
            other = next(one for one in options if one != positive)
            draft.ask(
                f"Is {named(name)} a score of {named(other)}? It is lower where {named(mine[0])} "
                f"says {named(str(positive))}; then",
                {"positive": other},
            )


def cut_scores(table: Table, shape: Shape, draft: Draft) -> None:
    """Cut the judges that give scores, where people and other judges say yes or no: read together,
    all would be numbers, and a verdict one of the two ends."""
    by: dict[bool, list[str]] = {True: [], False: []}
    for name, cell in shape.cells.items():
        by[cell.get("kind") == "judge"].append(name)
    judges, people = by[True], by[False]
    scored = [n for n in judges if _in_unit(table.columns[n]) or _in_hundred(table.columns[n])]
    said = {fold for n in (*people, *judges) if n not in scored for fold in table.folds(n)}
    said -= ABSTAIN | INVALID
    both = people and 0 < len(scored) < len(judges) and len(said) == 2
    if not both or positive_of(*sorted(said)) is None:
        return
    if any({"criterion", "cut"} & shape.cells[name].keys() for name in scored):
        return
    half = {name: "0.5" if _in_unit(table.columns[name]) else "50" for name in scored}
    for name in scored:
        shape.cells[name]["cut"] = f">= {half[name]}"
    shape.used = [one for one in shape.used if one.rater not in scored]
    for cut in dict.fromkeys(half.values()):
        _tell_cut(cut, [name for name in scored if half[name] == cut], (), people, draft)


def _tell_cut(
    cut: str, judges: Sequence[str], turned: Sequence[str], people: Sequence[str], draft: Draft
) -> None:
    """From which score on judges say yes; of the opposite, below which."""
    if below := [name for name in judges if name in turned]:
        draft.assume(
            Weight.POSITIVE,
            f"a score below {cut} in {some(below)} is the judge's verdict for the option that is "
            f'counted: by its name it is the opposite of {some(people)} (cut = "< {cut}" in '
            "[cells])",
        )
    if straight := [name for name in judges if name not in turned]:
        draft.assume(
            Weight.POSITIVE,
            f"a score of at least {cut} in {some(straight)} is the judge's verdict for the option "
            f'that is counted (cut = ">= {cut}" in [cells]; another cut, another judge)',
        )


def paired_criterion(
    name: str, cell: Mapping[str, str], cells: Mapping[str, Mapping[str, str]]
) -> dict[str, str]:
    """Of columns such as fluency and human_fluency for several criteria: one person, one judge."""
    about = {one: about_of(one) for one in cells}
    if len(set(about.values())) < 2:
        return {}
    shared = set.intersection(*map(set, about.values()))
    first = next(one for one in cells if about[one] == about[name])  # in whose order words stand
    criterion = "_".join(w for w in words(first) if w in about[name] and w not in shared)
    who = [w for w in words(name) if kind_of(w) == cell["kind"]]
    return {"rater": " ".join(who[:1]) or cell["kind"], "criterion": criterion}
