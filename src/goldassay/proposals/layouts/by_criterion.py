"""A column for each criterion; who rated is a column, or the file."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from goldassay.proposals.draft import Draft, Weight
from goldassay.proposals.layouts.column_names import asks, numbered
from goldassay.proposals.layouts.kinds_of_raters import kinds_of_raters
from goldassay.proposals.layouts.one_scale import alike
from goldassay.proposals.layouts.summed_up import sum_of_criteria
from goldassay.proposals.shape import Shape, Table, person, some, some_asked, used_of
from goldassay.ratings.vocabulary import (
    ABSTAIN,
    CRITERIA,
    GENERIC,
    INVALID,
    folded,
    kind_of,
    number,
    plain_name,
    words,
)
from goldassay.words import named

__all__ = [
    "MOST_CRITERIA",
    "NO_CRITERION",
    "WRITTEN_OTHERWISE",
    "by_criterion",
    "written_otherwise",
]

#: What is asked of columns beside criteria, of one and of several.
NO_CRITERION = (
    "Is {} rated too? It was not read as a criterion",
    "Are {} rated too? They were not read as criteria",
)
WRITTEN_OTHERWISE = (
    "Is {} rated too? It is written otherwise than the others: not read",
    "Are {} rated too? They are written otherwise than the others: not read",
)

#: Members of records within records stand so deep at least.
_DEEP = 3
#: Criteria that are named one by one: what is read as one by mistake must be seen.
MOST_CRITERIA = 30


def by_criterion(
    table: Table, shape: Shape, draft: Draft, found: tuple[str | None, Sequence[str]]
) -> None:
    """A column per criterion; who rated is a column, or the file."""
    rater, names = found
    if rater is not None and _of_declared_systems(table, shape, draft, (rater, names)):
        return
    if rater is not None and (runs := _in_a_list(names) or _numbered_labels(table, names)):
        _repeated(table, shape, draft, (rater, runs))
        return
    scores = [n for n in names if table.columns[n].scores]
    few = [n for n in names if n not in scores]
    two = few and not any(len(table.columns[n].labels) > 2 for n in few)
    if scores and few and (two or not any(table.columns[n].numeric for n in few)):
        rest_hold = "two labels" if two else "words"
        draft.ask(
            some_asked(
                scores,
                f"Is {{}} rated too? It holds numbers, and the others {rest_hold}: not read",
                f"Are {{}} rated too? They hold numbers, and the others {rest_hold}: not read",
            )
        )
        names = few
    gold = [n for n in names if kind_of(n) == "reference" and rater is not None]
    if gold and len(names) - len(gold) > 1:
        draft.ask(
            some_asked(
                gold,
                "Is {} an answer key? Of which criterion is not said: it is not read",
                "Are {} answer keys? Of which criteria is not said: they are not read",
            )
        )
        names = [name for name in names if name not in gold]
    if marks := written_otherwise(table, names):
        draft.ask(some_asked(marks, *WRITTEN_OTHERWISE))
        names = [name for name in names if name not in marks]
    hits = [n for n in names if asks(n)]
    criteria = hits if len(hits) > 1 else list(names)
    said = {folded(label) for name in criteria for label in table.columns[name].labels}
    scored = all(table.columns[name].scores for name in criteria)
    criteria += [  # of the same labels or range, and not about who rates
        n
        for n in names
        if n not in criteria
        and (kind_of(n) is None or {kind_of(n)} == {*map(kind_of, criteria)})
        and (
            table.folds(n) - ABSTAIN - INVALID <= said
            or (scored and table.columns[n].numeric and alike(table, n, criteria[0]))
            or _is_within(table, n, criteria)
        )
    ]
    rest = [name for name in names if name not in criteria]
    others = {name: kind for name in rest if (kind := kind_of(name)) and rater is not None}
    if left := [name for name in rest if name not in others]:
        draft.ask(some_asked(left, *NO_CRITERION))
    if (total := sum_of_criteria(table, criteria)) is not None:
        criteria = [name for name in criteria if name != total]
        draft.assume(Weight.COLUMNS, f"{named(total)} sums the others up, and is left out")
    called = _short(table, criteria)
    several = numbered(criteria) if rater is None else {}
    by_system = bool(several) and all(
        c.rpartition("_")[2] in _OF_SYSTEMS for c, _ in several.values()
    )
    if by_system:  # `fluency_m` and 1: `fluency` of `m1`
        parts = {n: (*c.rpartition("_")[::2], k) for n, (c, k) in several.items()}
        several = {n: (criterion, f"{system}{k}") for n, (criterion, system, k) in parts.items()}
    several, people = _without_who(several)
    every = list(dict.fromkeys(one for one, _ in several.values())) or criteria
    are = "are criteria, each" if len(every) > 1 else "is a criterion,"
    with_ = "several ratings" if several else "a rating"
    draft.assume(Weight.COLUMNS, f"{some(every, MOST_CRITERIA)} {are} with {with_} in every row")
    if by_system:
        about = {"rater": table.stem, "kind": kind_of(table.stem) or "human"}
        shape.cells = {n: {**about, "criterion": c, "system": k} for n, (c, k) in several.items()}
        systems = list(dict.fromkeys(k for _, k in several.values()))
        draft.assume(Weight.WHO, f"{some(systems)} are systems, by how the names of columns end")
        who = f"one {person(about['kind'])}, called {named(table.stem)}"
        draft.assume(Weight.WHO, f"all ratings are by {who}")
        shape.used = [used_of(table, name, about["kind"]) for name in criteria]
        return
    if several:
        shape.cells = {
            n: {"rater": f"{people} {k}", "kind": "human", "criterion": c}
            for n, (c, k) in several.items()
        }
        draft.assume(Weight.WHO, "the numbers at the end of their names are people's")
        shape.used = [used_of(table, name, "human") for name in criteria]
        return
    if rater is None:
        who, declared = table.stem, draft.declared.table("constants").get("kind")
        kind = declared or kind_of(who) or "human"
        if not declared and kind_of(who) is None and not _of_annotations(who):
            draft.ask(f"Is {named(who)} a judge? Then", {"constants": {"kind": "judge"}})
        shape.cells = {n: {"rater": who, "kind": kind, "criterion": called[n]} for n in criteria}
        draft.assume(Weight.WHO, f"all ratings are by one {person(kind)}, called {named(who)}")
        shape.used = [used_of(table, name, kind) for name in criteria]
        return
    shape.columns["rater"] = rater
    shape.cells = {name: {"criterion": called[name]} for name in criteria}
    kinds = kinds_of_raters(table, rater, shape, draft)
    kind = "judge" if set(kinds.values()) == {"judge"} else "human"
    shape.used = [used_of(table, name, kind) for name in criteria]
    # Beside them a column of another rater, whose criterion the row names.
    if others and (same := shape.constants.pop("kind", None)):
        shape.cells = {name: {**cell, "kind": same} for name, cell in shape.cells.items()}
    for name, other in others.items():
        shape.cells[name] = {"rater": name, "kind": other}
        shape.used.append(used_of(table, name, other))
        draft.assume(Weight.WHO, f"{named(name)} holds the ratings of one {person(other)}")


#: What numbers of systems stand behind: `fluency_m1`, `tone_model2`.
_OF_SYSTEMS = frozenset(["m", "model", "sys", "system"])


def _is_within(table: Table, name: str, criteria: Sequence[str]) -> bool:
    """Whether the numbers of a column that stands beside a criterion lie within what those have, in
    grades that they happen not to (`refusal_score`: 4, beside others: 1, 3 and 5)."""
    columns = list(table.columns)
    at = [columns.index(one) for one in criteria if table.columns[one].numeric]
    mine, theirs = (
        [
            v
            for one in names
            for label in table.columns[one].labels
            if (v := number(label)) is not None
        ]
        for names in ([name], criteria)
    )
    beside = any(abs(columns.index(name) - one) == 1 for one in at)
    whole = table.columns[name].numeric and len(at) == len(criteria) > 1 and bool(mine)
    within = whole and min(theirs) <= min(mine) and max(mine) <= max(theirs)
    return within and beside and alike(table, name, criteria[0])


def _of_annotations(stem: str) -> bool:
    """Whether a file is called after what people do, and judges hardly."""
    return any(word.startswith("annotat") for word in words(stem))


def written_otherwise(table: Table, names: Sequence[str]) -> list[str]:
    """The columns of words that share no label with another, where two others or more share theirs
    (`overall_failure`: true, beside PASS and FAIL): marks of the row."""
    said = {n: table.folds(n) - ABSTAIN - INVALID for n in names}
    apart = [
        n for n in names if said[n] and all(said[n].isdisjoint(said[o]) for o in names if o != n)
    ]
    marks = [name for name in apart if not table.columns[name].numeric]
    marks = marks if len(names) - len(apart) > 1 else []
    return [name for name in marks if name != sum_of_criteria(table, names)]  # said of its own


_LIST = re.compile(r"(?i)^(?:games?|judge?ments?|evaluations?|runs?|samples?)_(\d+)_(\w+)$")


def _in_a_list(names: Sequence[str]) -> dict[str, str]:
    """Column -> its place in a list of judgments, where two or more are of one member (`score`)."""
    found = {n: m for n in names if (m := _LIST.match(n))}
    members = {m[2] for m in found.values()}
    called = [one for one in ("score", "decision", "verdict", "label", "winner") if one in members]
    runs = {n: m[1] for n, m in found.items() if called and m[2] == called[0]}
    return runs if len(runs) > 1 else {}


def _numbered_labels(table: Table, names: Sequence[str]) -> dict[str, str]:
    """Column -> its number, where all are called a label and a number and have the same labels:
    `label1` and `label2` of one rater were given one after the other."""
    found = {n: m for n in names if (m := re.fullmatch(r"([a-z]+?)_?(\d)", plain_name(n)))}
    stems = {m[1] for m in found.values()}
    labels = {frozenset(folded(one) for one in table.columns[n].labels) for n in names}
    whole = len(found) == len(names) > 1 and len(stems) == len(labels) == 1
    return {n: m[2] for n, m in found.items()} if whole and stems <= GENERIC else {}


def _repeated(
    table: Table, shape: Shape, draft: Draft, found: tuple[str, Mapping[str, str]]
) -> None:
    """Judgments in a list: the rater of the row was asked several times."""
    rater, runs = found
    shape.columns["rater"] = rater
    shape.cells = {name: {"sample": place} for name, place in runs.items()}
    kinds = kinds_of_raters(table, rater, shape, draft)
    kind = "judge" if set(kinds.values()) == {"judge"} else "human"
    shape.used = [used_of(table, name, kind) for name in runs]
    draft.assume(Weight.WHO, f"{some(list(runs))} are one rater's, asked {len(runs)} times")
    if shape.sides or _in_a_list(list(runs)):
        draft.ask(f"Were the two sides shown in another order in {some(list(runs)[1:])}?")


#: Words that say nothing of ratings by themselves.
_LITTLE = frozenset(["a", "as", "by", "is", "of", "the"])
#: Words before the name of a criterion that say only that it is rated.
_BEFORE = frozenset(
    ["answer", "annotation", "annotations", "metrics", "ratings", "scores", "score"]
)


def _of_declared_systems(
    table: Table, shape: Shape, draft: Draft, found: tuple[str, Sequence[str]]
) -> bool:
    """Columns of which it is declared which system each rates are no criteria."""
    (rater, names), said = found, draft.declared.table("cells")
    if not all("system" in said.get(table.own(name), {}) for name in names):
        return False
    shape.columns["rater"], shape.cells = rater, {name: {} for name in names}
    kinds = kinds_of_raters(table, rater, shape, draft)
    kind = "judge" if {*kinds.values()} == {"judge"} else "human"
    shape.used = [used_of(table, name, kind) for name in names]
    return True


def _without_who(several: Mapping[str, tuple[str, str]]) -> tuple[dict[str, tuple[str, str]], str]:
    """Numbered criteria without a last word that all share, and what the numbered are called:
    `Fluency_Member` and 1 is `Fluency`, of `Member 1`."""
    lasts = {one.rpartition("_")[::2][1] for one, _ in several.values()}
    if len(several) < 2 or len(lasts) != 1 or not all("_" in one for one, _ in several.values()):
        return dict(several), "annotator"
    (last,) = lasts
    if last.casefold() in CRITERIA:
        return dict(several), "annotator"
    people = "annotator" if last.casefold() in GENERIC else last
    return {n: (one.rpartition("_")[0], k) for n, (one, k) in several.items()}, people


def _short(table: Table, names: Sequence[str]) -> dict[str, str]:
    """What criteria are called: without the records that all stand in (`answers.notes.tone.Rating`)
    and without a first word that all share and that says nothing (`scores_tone`), and then without
    such a last one."""
    if within := _within_records([table.own(name).split(".") for name in names]):
        return dict(zip(names, within, strict=True))
    parts = {name: re.split(r"[._]", name) for name in names}
    if min(map(len, parts.values())) < 2:
        return {name: _as_written(table, name) for name in names}
    heads, tails = ({one[at].casefold() for one in parts.values()} for at in (0, -1))
    if len(heads) > 1 or not heads <= _BEFORE | GENERIC - _LITTLE:
        return {name: _as_written(table, name) for name in names}
    last = len(tails) == 1 and tails <= GENERIC and min(map(len, parts.values())) > 2
    return {name: "_".join(one[1 : -1 if last else None]) for name, one in parts.items()}


def _within_records(paths: Sequence[Sequence[str]]) -> list[str]:
    """What tells members of records apart (`tone.score`); nothing where it takes more than one
    name, or is the last of names that stand less deep than in records within records."""
    depth = min(map(len, paths))
    if (
        depth < 2
        or len({*map(len, paths)}) > 1
        or any(" " in part for path in paths for part in path)
    ):
        return []
    own = [at for at, parts in enumerate(zip(*paths, strict=True)) if len({*parts}) > 1]
    said = {plain_name(path[-1]) for path in paths}
    last = own == [depth - 1] and depth >= _DEEP
    whole = last or (len(own) == 1 and own[0] < depth - 1 and said <= GENERIC)
    return [path[own[0]] for path in paths] if whole else []


def _as_written(table: Table, name: str) -> str:
    """A column's name: as it stands in the file where it is words and no path of records."""
    own = table.own(name)
    return own if " " in own else name
