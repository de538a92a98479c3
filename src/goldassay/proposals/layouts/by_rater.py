"""A column for each rater, or for each rater and criterion."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from goldassay.proposals.draft import Draft, Weight
from goldassay.proposals.layouts.by_criterion import (
    MOST_CRITERIA,
    WRITTEN_OTHERWISE,
    written_otherwise,
)
from goldassay.proposals.layouts.by_place import ask_of_places
from goldassay.proposals.layouts.by_system import criteria_that_are_systems
from goldassay.proposals.layouts.column_names import about_of, asks, is_flag
from goldassay.proposals.layouts.graded_people import cut_grades
from goldassay.proposals.layouts.numbered_names import differ_in_number, numbered_name
from goldassay.proposals.layouts.one_judge import in_both_orders, numbered_scores, one_judge
from goldassay.proposals.layouts.one_scale import (
    ask_which_scale,
    groups_of,
    is_computed,
    of_one_scale,
)
from goldassay.proposals.layouts.people_or_questions import (
    ask_whether_questions,
    may_be_people,
    may_be_questions,
)
from goldassay.proposals.layouts.raters_and_criteria import (
    ask_of_juries,
    ask_of_others,
    ask_of_subjects,
    ask_which_question,
    criteria_of_one,
    named_in_records,
    of_what_judges_answered,
    of_what_people_rated,
    people_and_judge,
    raters_and_criteria,
    raters_with_criteria,
    real_beside_said,
    records_and_criteria,
)
from goldassay.proposals.layouts.scored_verdicts import cut_scores, paired_criterion
from goldassay.proposals.layouts.scores_beside import scores_beside
from goldassay.proposals.layouts.sums_of_raters import (
    summed_by_name,
    without_parts,
    without_parts_of_sums,
    without_sums,
    without_totals,
    without_totals_of_criteria,
)
from goldassay.proposals.layouts.unnamed_raters import standardised, with_others
from goldassay.proposals.shape import (
    Shape,
    Table,
    only_file,
    person,
    persons,
    some,
    some_asked,
    used_of,
)
from goldassay.ratings.vocabulary import (
    EVALUATING,
    GENERIC,
    SYSTEMS,
    folded,
    kind_of,
    number,
    plain_name,
    positive_of,
    words,
)
from goldassay.words import named

__all__ = ["by_rater"]


def by_rater(table: Table, shape: Shape, draft: Draft, roles: Mapping[str, str | None]) -> None:
    """A column per rater, or per rater and criterion."""
    roles = _beside_twins(roles, draft)
    cells = _with_shared_criteria(raters_with_criteria(table, list(roles)) or {})
    cells = cells or real_beside_said(table, list(roles))
    if cells:
        _with_criteria(table, shape, draft, cells)
        return
    known = {name: kind for name, kind in roles.items() if kind}
    others = [name for name, kind in roles.items() if not kind]
    known, others = _without_marks(table, known, others, draft)
    known |= dict.fromkeys(summed_by_name(table, known, others), "human")
    others = [name for name in others if name not in known]
    known, others = _that_share_labels(table, known, others, draft)
    known, others = _whose_labels_judges_use(table, known, others, draft)
    others = without_totals(table, known, others, draft)
    others = without_parts_of_sums(table, known, others, draft)
    computed = [n for n in others if known and is_computed(table.columns[n])]
    computed = [n for n in computed if n != standardised(table, others)]  # said of its own
    if computed:
        others = [name for name in others if name not in computed]
        ask_of_others(computed, draft)
    if not known:
        called = (n for n in others if set(words(n)) & EVALUATING or plain_name(n) in SYSTEMS)
        known = dict.fromkeys(called, "judge")
        known = known if 0 < len(others) - len(known) <= 2 else {}
        others = [name for name in others if name not in known]
    if not known and (both := in_both_orders(others)):  # people are asked once
        known = dict.fromkeys(both, "judge")
        others = [name for name in others if name not in known]
    if not known and (odd := _beside_a_series(others)):
        known, others = {odd: "reference"}, [name for name in others if name != odd]
        draft.ask(
            f"Is {named(odd)} an answer key? It is not named as the others are; if a judge's",
            {"wide": {"human": others, "judge": [odd]}},
        )
    if strange := _strange(table, known, others):
        known = {name: kind for name, kind in known.items() if name not in strange}
        others = [name for name in others if name not in strange]
        asked = [name for name in strange if len(table.columns[name].labels) > 1]
        if asked:
            draft.ask(
                some_asked(
                    asked,
                    "Does {} hold ratings? It shares no label with the others",
                    "Do {} hold ratings? They share no label with the others",
                ),
                left_out=asked,
            )
    known, paired = with_others(table, known, others, draft)
    known, _ = _that_share_labels(table, known, [], draft)
    known = without_parts(table, known, draft)
    known = without_sums(table, known, draft)
    kinds = {name: known[name] for name in roles if name in known}
    said = any((roles[n] and kind_of(n)) or kind_of(only_file(table, n) or "") for n in kinds)
    unsaid = "human" in kinds.values() and not any(map(kind_of, kinds))
    key = "reference" in kinds.values()  # of the others beside it was asked already
    strangers = unsaid and not key and not may_be_people(table, kinds, draft)
    if not said and (may_be_questions(kinds, draft) or strangers):
        ask_whether_questions(table, kinds, draft)
    elif not said and len(kinds) == 2:
        one, two = kinds
        draft.ask(
            "Is one of them a judge? (If they are two criteria: [cells] with criterion.) Then",
            {"wide": {"human": [one], "judge": [two]}},
        )
    elif not said and (apart := _of_two_kinds(list(kinds))):
        people, judges = apart
        draft.ask(
            f"{'Is' if len(judges) == 1 else 'Are'} {some(judges)} "
            f"{'a judge' if len(judges) == 1 else 'judges'}? Nothing says who rates; then",
            {"wide": {"human": people, "judge": judges}},
        )
    kinds = of_what_judges_answered(kinds, draft)
    if not raters_and_criteria(kinds):
        kinds = of_what_people_rated(kinds, draft)
    lists = all(table.own(name).rpartition(".")[2].isdigit() for name in kinds)
    cells = {} if lists else _with_shared_criteria(raters_and_criteria(kinds))
    cells = cells or records_and_criteria(table, kinds)
    places = lists and bool(cells)
    named_ = {n: k for n, k in kinds.items() if kind_of(n)}
    if not (cells or lists) and (cells := _with_shared_criteria(raters_and_criteria(named_))):
        ask_of_others([name for name in kinds if name not in cells], draft)
    cells = cells or people_and_judge(table, kinds, draft)
    cells = _on_one_scale(table, cells or criteria_of_one(kinds), draft)
    unnamed = [n for n, kind in kinds.items() if kind == "human" and not kind_of(n)]
    groups = groups_of(table, unnamed)
    if not cells and len(groups) > 1 and not draft.missing and not draft.declared.table("wide"):
        ask_which_scale(table, groups, draft)
    elif not cells and {*kinds.values()} == {"human"} and len(_writings(table, kinds)) > 1:
        draft.ask(f"Do {some(list(kinds))} rate the same? Their labels are written otherwise")
    kinds = {name: kind for name, kind in kinds.items() if not cells or name in cells}
    if not cells and not paired and not draft.declared.table("wide"):
        ask_which_question(kinds, draft)
    within = named_in_records(table, kinds)
    shape.cells = cells or {
        n: {"rater": within.get(n) or _called(table, n, kind), "kind": kind}
        for n, kind in kinds.items()
    }
    if not cells:
        ask_of_places(table, kinds, draft)
        one_judge(table, shape, draft)
        scores_beside(table, shape, draft)
    if paired and not cells:
        every = shape.cells
        shape.cells = {n: cell | paired_criterion(n, cell, every) for n, cell in every.items()}
    criteria_that_are_systems(shape, draft)
    _tell_criteria(shape, draft, places=places)
    if not cells and not paired:
        ask_of_subjects(kinds, draft)
    ask_of_juries(kinds, draft)
    shape.used = [used_of(table, name, kind) for name, kind in kinds.items()]
    if not cells:
        cut_grades(table, shape, draft)
        cut_scores(table, shape, draft)
    _tell_who({name: kind for name, kind in kinds.items() if name in shape.cells}, draft)


#: So many columns that are called as people's are but for the word for people are a judge's.
_TWINS = 3


def _beside_twins(roles: Mapping[str, str | None], draft: Draft) -> Mapping[str, str | None]:
    """Where columns that name nobody are called as people's are (`tone`, `human_tone`), the columns
    without those of keys and predictions that people did not rate (`predicted_intent`)."""
    rated = {about_of(name) for name, kind in roles.items() if kind == "human"} - {()}
    twins = [name for name, kind in roles.items() if kind is None and about_of(name) in rated]
    named_ = [name for name, kind in roles.items() if kind in ("judge", "reference")]
    odd = [name for name in named_ if about_of(name) not in rated]
    if len(twins) < _TWINS or not odd or odd != named_:
        return roles
    ask_of_others(odd, draft)
    return {name: kind for name, kind in roles.items() if name not in odd}


def _with_shared_criteria(cells: Mapping[str, dict[str, str]]) -> dict[str, dict[str, str]]:
    """The cells; none where people and judges have no criterion in common, so that what looks like
    judges' criteria is how they were asked (`score_gpt4_zeroshot` beside `mqm_avg_score`)."""
    by: dict[bool, set[str]] = {True: set(), False: set()}
    for cell in cells.values():
        by[cell.get("kind") == "judge"].add(folded(cell.get("criterion", "")))
    apart = all(by.values()) and by[True].isdisjoint(by[False])
    return {} if apart else dict(cells)


def _on_one_scale(
    table: Table, cells: Mapping[str, dict[str, str]], draft: Draft
) -> dict[str, dict[str, str]]:
    """The cells of criteria that are on one scale, as the first rater's columns show it."""
    cells = without_totals_of_criteria(table, cells, draft)
    first = next(iter(cells.values()), {}).get("rater")
    mine = [name for name, cell in cells.items() if cell["rater"] == first]
    if len(mine) < 2:
        return dict(cells)
    if marks := written_otherwise(table, mine):
        draft.ask(some_asked(marks, *WRITTEN_OTHERWISE))
        mine = [name for name in mine if name not in marks]
    kept = {cells[name]["criterion"] for name in of_one_scale(table, mine, draft, sure=True)}
    return {name: cell for name, cell in cells.items() if cell["criterion"] in kept}


def _of_two_kinds(names: Sequence[str]) -> tuple[list[str], list[str]] | None:
    """Columns that are numbered, and others that are called otherwise, numbered or not (`h1`, `h2`
    and `j`); of single letters (`x`, `y`, `z`), the last may be the judge."""
    if all(len(name) == 1 for name in names):
        return list(names[:-1]), list(names[-1:])
    stems = [numbered_name(name)[0] for name in names]
    first = [name for name, stem in zip(names, stems, strict=True) if stem == stems[0]]
    rest = [name for name in names if name not in first]
    two = len({*stems}) == 2 and bool(max(len(first), len(rest)) > 1)
    return (first, rest) if two and any(numbered_name(name)[1] for name in names) else None


#: Words of a column's name that say that it is a rater's, and not whose.
_OF_A_RATER = {"judge", "llm", "human", "annotator", "annotation", "rater", "model", "ai", "auto"}


def _called(table: Table, name: str, kind: str) -> str:
    """The rater of a column: its name, or what the only file with it is called where that says
    more (`judge_score` in gpt-4o.csv)."""
    only = only_file(table, name)
    general = set(words(name)) <= GENERIC | _OF_A_RATER
    told = (
        only is not None and kind_of(only) == kind and not {*words(only)} <= GENERIC | _OF_A_RATER
    )
    return only if only and (not kind_of(name) or (general and told)) else name


def _without_marks(
    table: Table, known: Mapping[str, str], others: Sequence[str], draft: Draft
) -> tuple[dict[str, str], list[str]]:
    """The raters and the others, without marks of rows; numbered scores are a judge's runs."""
    rated = {about_of(name) for name in known}
    said = [one for n in known if (one := table.folds(n)) and not one <= _MARKS]
    flags = [n for n in others if is_flag(n) and about_of(n) not in rated]
    flags = [n for n in flags if table.folds(n) not in said]  # `proposed`: what people say
    alone = len(flags) == len(others) == 1 and {*known.values()} == {"judge"}
    if known and flags and not alone:  # one that stands alone beside judges is what people say
        others = [name for name in others if name not in flags]
        verb, they = ("Does", "it marks") if len(flags) == 1 else ("Do", "they mark")
        draft.ask(
            f"{verb} {some(flags)} hold ratings? By the name {they} rows: not read", left_out=flags
        )
    known = dict(known)
    if known and "judge" not in known.values() and (runs := numbered_scores(others)):
        known |= dict.fromkeys(runs, "judge")
        others = [name for name in others if name not in runs]
    return known, list(others)


#: So many columns with one name and a number are a series.
_SERIES = 3


def _beside_a_series(names: Sequence[str]) -> str | None:
    """The only column that is called a label (`Extremism_Label`) beside a series of others that a
    number tells apart (`Group_member1` to `Group_member4`): people, and what they were held
    against."""
    odd = [name for name in names if not numbered_name(name)[1]]
    rest = [name for name in names if name not in odd]
    one = len(rest) >= _SERIES and differ_in_number(rest) and not any(map(asks, rest))
    return odd[0] if one and len(odd) == 1 and {*words(odd[0])} & GENERIC else None


def _that_share_labels(
    table: Table, known: Mapping[str, str], others: Sequence[str], draft: Draft
) -> tuple[dict[str, str], list[str]]:
    """Of columns in several vocabularies, those of the only one that both a person and a judge use:
    `human_verdict` and `llm_verdict` beside `model_answer` and `correct_answer`."""
    folds = {
        name: {folded(label) for label in table.columns[name].labels} for name in (*known, *others)
    }
    groups = _joined(folds)
    both = [
        group for group in groups if {"human", "judge"} <= {known.get(name, "") for name in group}
    ]
    grades = [group for group in both if all(table.columns[name].numeric for name in group)]
    if len(both) == 2 and len(grades) == 1 and max(len(folds[n]) for n in grades[0]) > 2:
        # Grades and words, each by both, are two questions: the first is read.
        first = next(iter(known))
        both = [group for group in both if first in group] or both
    if len(groups) < 2 or len(both) != 1:
        return dict(known), list(others)
    rest = [n for n in folds if n not in both[0] and not _may_be_written_otherwise(folds, n, both)]
    ask_of_others([name for name in rest if len(folds[name]) > 1], draft)
    kept = {name: kind for name, kind in known.items() if name not in rest}
    return kept, [name for name in others if name not in rest]


def _whose_labels_judges_use(
    table: Table, known: Mapping[str, str], others: Sequence[str], draft: Draft
) -> tuple[dict[str, str], list[str]]:
    """Where no person's column has a label of a judge's, and the only one of the others that has
    two or more is called a label (`label3` beside `majority` and `judge_label`), that one in place
    of the people's, who are asked about."""
    judges = [name for name, kind in known.items() if kind == "judge"]
    people = [name for name in known if name not in judges]
    said = {label for name in judges for label in table.folds(name)}
    mine = [n for n in others if len(table.folds(n) & said) > 1 and {*words(n)} & GENERIC]
    if not people or len(mine) != 1 or any(table.folds(name) & said for name in people):
        return dict(known), list(others)
    ask_of_others([*people, *(n for n in others if n not in mine)], draft)
    return {**dict.fromkeys(judges, "judge"), mine[0]: "reference"}, []


def _may_be_written_otherwise(
    folds: Mapping[str, set[str]], name: str, groups: Sequence[set[str]]
) -> bool:
    """Whether a column says yes and no in other words than the group does; or holds numbers, as
    the group does."""
    mine = folds[name]
    theirs = set[str]().union(*(folds[one] for group in groups for one in group))
    if len(mine) == 2 and len(theirs) == 2:
        return positive_of(*sorted(mine)) is not None and positive_of(*sorted(theirs)) is not None
    return all(number(one) is not None for one in (*mine, *theirs))


def _joined(folds: Mapping[str, set[str]]) -> list[set[str]]:
    """The columns in groups that share labels, directly or by others."""
    groups: list[tuple[set[str], set[str]]] = []
    for name, labels in folds.items():
        mine = [group for group in groups if group[1] & labels]
        groups = [group for group in groups if group not in mine]
        names = {name}.union(*(group[0] for group in mine))
        groups.append((names, labels.union(*(group[1] for group in mine))))
    return [names for names, _ in groups]


def _with_criteria(
    table: Table, shape: Shape, draft: Draft, cells: Mapping[str, dict[str, str]]
) -> None:
    """Columns such as a_tone, b_tone, a_facts, b_facts: raters by their first word."""
    shape.cells = dict(cells)
    criteria_that_are_systems(shape, draft)
    _tell_criteria(shape, draft)
    by = {cell["rater"]: cell["kind"] for cell in cells.values()}
    for kind in ("human", "judge", "reference"):
        mine = [rater for rater, one in by.items() if one == kind]
        if mine:
            said = persons(kind) if len(mine) > 1 else f"one {person(kind)}"
            draft.assume(Weight.WHO, f"{some(mine)} {'are' if len(mine) > 1 else 'is'} {said}")
    shape.used = [used_of(table, name, cell["kind"]) for name, cell in cells.items()]


def _tell_criteria(shape: Shape, draft: Draft, *, places: bool = False) -> None:
    """What was rated and by whom; of lists, the data told that their places are what was rated."""
    criteria = list(dict.fromkeys(c["criterion"] for c in shape.cells.values() if "criterion" in c))
    if criteria:
        raters = list(dict.fromkeys(cell["rater"] for cell in shape.cells.values()))
        are = "are criteria" if len(criteria) > 1 else "is the criterion"
        why = "as their ratings go together by place" if places else "by the names of the columns"
        draft.assume(
            Weight.COLUMNS,
            f"{some(criteria, MOST_CRITERIA)} {are}, and {some(raters, MOST_CRITERIA)} "
            f"the raters, {why}",
        )


def _tell_who(kinds: Mapping[str, str], draft: Draft) -> None:
    whose = {"human": "people's", "judge": "judges'", "reference": "an answer key's"}
    for kind, said in whose.items():
        mine = [name for name, one in kinds.items() if one == kind]
        if mine:
            verb = "holds" if len(mine) == 1 else "hold"
            draft.assume(Weight.WHO, f"{some(mine)} {verb} {said} ratings")


def _writings(table: Table, names: Iterable[str]) -> set[frozenset[str]]:
    """The sets of labels of columns, of those that share none."""
    found: set[frozenset[str]] = set()
    for name in names:
        mine = frozenset(folded(label) for label in table.columns[name].labels)
        if not any(mine & other for other in found):
            found.add(mine)
    return found


_BOOLEANS = frozenset(["true", "false"])
#: What a mark of a row says.
_MARKS = _BOOLEANS | {"yes", "no", "1", "0"}


def _says_yes_or_no(labels: set[str]) -> bool:
    return len(labels) == 2 and positive_of(*sorted(labels)) is not None


def _strange(table: Table, known: Mapping[str, str], others: Sequence[str]) -> list[str]:
    """Keys and flags whose labels nobody else uses: answers and marks, no ratings."""
    labels = {
        name: {folded(label) for label in table.columns[name].labels} for name in (*known, *others)
    }
    scores = [name for name in labels if table.columns[name].scores]
    keys = [n for n, kind in known.items() if kind == "reference" and n not in scores]
    once = [n for n in labels if n not in keys and len(labels[n]) == 1]  # or flags
    keys += [n for n in once if not (kind_of(n) and asks(n))]
    flags = [name for name in keys if labels[name] <= _BOOLEANS]
    said = [labels[n] for n, kind in known.items() if kind != "judge" and n not in flags]
    if said and all(len(one) > 2 and not one & _BOOLEANS for one in said):
        # `model_correct` beside names of classes: whether another column is right.
        keys += [n for n, kind in known.items() if kind == "judge" and labels[n] <= _BOOLEANS]
    rest = [name for name in labels if name not in keys]
    used = {label for name in rest for label in labels[name]}
    odd = keys if len(labels) > 2 else flags
    alone = [n for n in others if not any(labels[n] & labels[o] for o in labels if o != n)]
    if len(labels) > 2 and len(alone) == 1 and labels[alone[0]] <= {"true", "false"}:
        return alone  # `correct` beside a key and answers: whether they are equal
    if _says_yes_or_no(used):  # a key may say so in other words, and in no bare `true`
        odd = [n for n in odd if n in flags or not _says_yes_or_no(labels[n])]
    return [name for name in odd if used and not labels[name] & used]
