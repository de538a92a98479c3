"""A column for each rater, or for each rater and criterion."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from goldassay.proposals.draft import Draft, Weight
from goldassay.proposals.layouts.by_criterion import MOST_CRITERIA
from goldassay.proposals.layouts.graded_people import cut_grades
from goldassay.proposals.layouts.one_judge import numbered_scores, one_judge
from goldassay.proposals.layouts.one_scale import of_one_scale
from goldassay.proposals.layouts.raters_and_criteria import (
    EVALUATING,
    ask_of_juries,
    ask_of_others,
    ask_of_subjects,
    criteria_of_one,
    judge_in,
    named_in_records,
    people_and_judge,
    raters_and_criteria,
    raters_with_criteria,
)
from goldassay.proposals.layouts.rating_columns import about_of, asks, is_flag, like_a_value
from goldassay.proposals.layouts.scored_verdicts import paired_criterion
from goldassay.proposals.layouts.scores_beside import scores_beside
from goldassay.proposals.layouts.summed_up import goes_with_the_sum, sums_of_people
from goldassay.proposals.layouts.unlike_people import is_computed
from goldassay.proposals.shape import Shape, Table, only_file, person, persons, some, used_of
from goldassay.ratings.vocabulary import (
    CRITERIA,
    GENERIC,
    RESOLVED,
    SYNONYMS,
    folded,
    kind_of,
    number,
    plain_name,
    positive_of,
    words,
)
from goldassay.sources.vote_counts import VOTER
from goldassay.words import named

__all__ = ["by_rater"]


def by_rater(table: Table, shape: Shape, draft: Draft, roles: Mapping[str, str | None]) -> None:
    """A column per rater, or per rater and criterion."""
    if cells := raters_with_criteria(table, list(roles)):
        _with_criteria(table, shape, draft, cells)
        return
    known = {name: kind for name, kind in roles.items() if kind}
    others = [name for name, kind in roles.items() if not kind]
    known, others = _without_marks(known, others, draft)
    known, others = _that_share_labels(table, known, others, draft)
    others = _without_totals(table, known, others, draft)
    computed = [n for n in others if known and is_computed(table.columns[n])]
    computed = [n for n in computed if n != _standardised(table, others)]  # said of its own
    if computed:
        others = [name for name in others if name not in computed]
        ask_of_others(computed, draft)
    if not known:
        known = dict.fromkeys((n for n in others if set(words(n)) & EVALUATING), "judge")
        known = known if 0 < len(others) - len(known) <= 2 else {}
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
            draft.ask(f"Does {some(asked)} hold ratings? It shares no label with the others")
    known, paired = _with_others(table, known, others, draft)
    known, _ = _that_share_labels(table, known, [], draft)
    known = _without_parts(known, draft)
    known = _without_sums(table, known, draft)
    kinds = {name: known[name] for name in roles if name in known}
    said = any(kind_of(n) or kind_of(only_file(table, n) or "") for n in kinds)
    if not said and len(kinds) == 2:
        one, two = kinds
        draft.ask(
            "Is one of them a judge? (If they are two criteria: [cells] with criterion.) Then",
            {"wide": {"human": [one], "judge": [two]}},
        )
    unsaid = "human" in kinds.values() and not any(map(kind_of, kinds))
    key = "reference" in kinds.values()  # of the others beside it was asked already
    if len(kinds) > 2 and unsaid and not key and not all(map(_may_be_a_person, kinds)):
        draft.ask(
            f"Are {some(list(kinds))} people? If they are criteria, or systems: [cells] with "
            "criterion or system"
        )
    cells = raters_and_criteria(kinds) or people_and_judge(table, kinds, draft)
    cells = _on_one_scale(table, cells or criteria_of_one(kinds), draft)
    if not cells and {*kinds.values()} == {"human"} and len(_writings(table, kinds)) > 1:
        draft.ask(f"Do {some(list(kinds))} rate the same? Their labels are written otherwise")
    kinds = {name: kind for name, kind in kinds.items() if not cells or name in cells}
    within = named_in_records(table, kinds)
    shape.cells = cells or {
        n: {"rater": within.get(n) or _called(table, n, kind), "kind": kind}
        for n, kind in kinds.items()
    }
    if not cells:
        one_judge(table, shape, draft)
        scores_beside(table, shape, draft)
    if paired and not cells:
        every = shape.cells
        shape.cells = {n: cell | paired_criterion(n, cell, every) for n, cell in every.items()}
    _tell_criteria(shape, draft)
    if not cells and not paired:
        ask_of_subjects(kinds, draft)
    ask_of_juries(kinds, draft)
    _tell_who(kinds, draft)
    shape.used = [used_of(table, name, kind) for name, kind in kinds.items()]
    if not cells:
        cut_grades(table, shape, draft)


def _on_one_scale(
    table: Table, cells: Mapping[str, dict[str, str]], draft: Draft
) -> dict[str, dict[str, str]]:
    """The cells of criteria that are on one scale, as the first rater's columns show it."""
    first = next(iter(cells.values()), {}).get("rater")
    mine = [name for name, cell in cells.items() if cell["rater"] == first]
    if len(mine) < 2:
        return dict(cells)
    kept = {cells[name]["criterion"] for name in of_one_scale(table, mine, draft, sure=True)}
    return {name: cell for name, cell in cells.items() if cell["criterion"] in kept}


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
    known: Mapping[str, str], others: Sequence[str], draft: Draft
) -> tuple[dict[str, str], list[str]]:
    """The raters and the others, without marks of rows; numbered scores are a judge's runs."""
    rated = {about_of(name) for name in known}
    flags = [n for n in others if is_flag(n) and about_of(n) not in rated]
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


def _without_parts(known: Mapping[str, str], draft: Draft) -> dict[str, str]:
    """The raters without what a judge says of something else (`grader_refusal`), where one of its
    columns is called after what people rated, all of them the same (`grader_score`)."""
    about = {name: about_of(name) for name in known}
    people = [name for name, kind in known.items() if kind != "judge"]
    rated = {about[name] for name in people if {*words(name)} & GENERIC}
    by: dict[tuple[str, ...], list[str]] = {}
    for name, kind in known.items():
        if kind == "judge":
            by.setdefault(judge_in(name), []).append(name)
    parts = [
        name
        for mine in by.values()
        if len({about[name] for name in people} | rated) == 1
        if sum(about[name] in rated and not GENERIC.isdisjoint(words(name)) for name in mine) == 1
        for name in mine
        if about[name] not in rated
    ]
    ask_of_others(parts, draft)
    return {name: kind for name, kind in known.items() if name not in parts}


def _without_totals(
    table: Table, known: Mapping[str, str], others: Sequence[str], draft: Draft
) -> list[str]:
    """The columns that name nobody, without those whose numbers go with the sum of the raters'."""
    parts = [name for name in known if table.columns[name].numeric]
    made = [name for name in others if goes_with_the_sum(table, name, parts)]
    if made:
        verb, are = ("sums", "is") if len(made) == 1 else ("sum", "are")
        draft.assume(Weight.WHO, f"{some(made)} {verb} the raters up and {are} left out")
    return [name for name in others if name not in made]


def _with_others(
    table: Table, known: Mapping[str, str], others: Sequence[str], draft: Draft
) -> tuple[dict[str, str], bool]:
    """The raters with the columns whose names say nothing of who rates, placed by what they hold
    and by who is there already; and whether each is of what a person rated too."""
    known = dict(known)
    judges = [name for name, kind in known.items() if kind == "judge"]
    standard = [name for name, kind in known.items() if kind != "judge"]
    rated = {about_of(n) for n in standard} - {()}
    paired = bool(known and others and not judges) and {about_of(n) for n in others} <= rated
    people = [name for name in standard if known[name] == "human"]
    if len(people) > 1:  # what was made of several people's labels
        final = [n for n in others if set(words(n)) & RESOLVED and _shares_labels(table, n, people)]
        known |= dict.fromkeys(final, "reference")
        others = [name for name in others if name not in final]
    if standardised := _standardised(table, others):
        others = [name for name in others if name != standardised]
        draft.ask(
            f"Is {named(standardised)} what stands beside it on another scale (`raw`)? It is not "
            "read"
        )
    if others and not judges and people and all(map(_is_voter, people)):
        ask_of_others(others, draft)  # counts of votes say nothing of who else rated
    elif judges and standard and (same := _of_what_people_rated(others, standard, judges)):
        # `quality/score` beside `human_quality` and `rouge/score`: the metric is of something else.
        known |= dict.fromkeys(same, "judge")
        left = [name for name in judges if not {*about_of(name)} & {*about_of(standard[0])}]
        known = {name: kind for name, kind in known.items() if name not in left}
        ask_of_others([name for name in (*others, *left) if name not in same], draft)
    elif judges and standard:
        series = _numbered_alike(others)  # `label_1` to `label_3` beside `majority_label`
        taken = [n for n in others if n in series or _like_raters(table, n, list(known))]
        taken = [n for n in taken if _shares_labels(table, n, list(known))]
        # `prometheus2` and `em` beside `physician_1` and `gpt4`: people are named as such, and not
        # by names of their own.
        unlike = bool(people) and not series and not any(_has_own_name(n, judges) for n in people)
        known |= dict.fromkeys(taken, "judge" if unlike else "human")
        if taken and unlike and _are_numbered(people):
            verb = "is a judge" if len(taken) == 1 else "are judges"
            draft.assume(Weight.WHO, f"{some(taken)} {verb}: people are numbered")
        elif unlike:
            _tell_unlike(taken, draft)
        ask_of_others([name for name in others if name not in taken], draft)
    elif paired or (standard and not judges and others and all(map(_has_a_name, others))):
        # `faithfulness` beside `human_faithfulness`: what people rated too is a judge's.
        known |= dict.fromkeys(others, "judge")
    elif (
        len(others) == 1
        and known
        and (
            judges
            or like_a_value(others[0], set(SYNONYMS["value"]))
            or words(others[0])[0] in ("actual", "output")
        )
    ):
        of_judges = bool(judges) and _may_mean_the_same(table, others[0], judges)
        if of_judges or (not judges and _may_mean_the_same(table, others[0], standard)):
            known[others[0]] = "human" if judges else "judge"
        else:
            ask_of_others(others, draft)
    elif others and not judges and (len(people) > 1 or _named_human(people)):
        # People are named as such: what is called otherwise and says the same is no person.
        alike = [name for name in others if _shares_labels(table, name, standard)]
        alike = _of_the_same(alike, standard) or _on_the_whole(alike, standard) or alike
        known |= dict.fromkeys(alike, "judge")
        ask_of_others([name for name in others if name not in alike], draft)
        _tell_unlike(alike, draft)
    else:
        alike = [name for name in others if _shares_labels(table, name, judges)]
        if alike and judges:  # what nobody else says is no person's
            ask_of_others([name for name in others if name not in alike], draft)
            others = alike
        known |= dict.fromkeys(others, "human")
    return known, paired


#: What tells numbered raters apart: `1` of `ann1`, `A` of `Rater A`.
_NUMBER = re.compile(r"(?<=[a-z])[ _-]?\d+$|(?<=[a-z])[ _-][a-z]$")


def _are_numbered(names: Sequence[str]) -> bool:
    """Whether names are one with a number or a letter each."""
    stems = {_NUMBER.sub("", name.casefold()) for name in names}
    return len(stems) == 1 and stems.isdisjoint(name.casefold() for name in names)


def _of_what_people_rated(
    others: Sequence[str], standard: Sequence[str], judges: Sequence[str]
) -> list[str]:
    """Columns that name nobody and are called after what one person's is, in two words or more,
    where every judge's column is about something else."""
    rated, theirs = ({about_of(name) for name in names} for names in (standard, judges))
    if len(rated) != 1 or len(next(iter(rated))) < 2 or theirs & {*rated, ()}:
        return []
    return [name for name in others if about_of(name) in rated]


def _of_the_same(names: Sequence[str], standard: Sequence[str]) -> list[str]:
    """Of columns of several criteria, those of what people rated: they share a word with theirs
    that not all have (`feedback.correctness` with `feedback.human_correctness`)."""
    about = {name: {*about_of(name)} for name in (*names, *standard)}
    common = set.intersection(*about.values())
    rated = set[str]().union(*(about[name] for name in standard)) - common
    return [name for name in names if about[name] & rated]


#: Words for people that are names of persons too.
_GIVEN_NAMES = frozenset(["ann", "anno", "dev", "mens", "hum"])


def _has_own_name(name: str, judges: Sequence[str]) -> bool:
    """Whether a person's column says who it is: `ann`, `annotator_kim`; what judges rate too is no
    name."""
    rated = {word for judge in judges for word in about_of(judge)}
    return plain_name(name) in _GIVEN_NAMES or not {*about_of(name)} <= rated


#: Words of a judge's last word on an item, beside what it says of single criteria.
_WHOLE = frozenset(["overall", "total", "final", "average", "avg", "mean", "aggregate", "holistic"])


def _on_the_whole(names: Sequence[str], standard: Sequence[str]) -> list[str]:
    """Of columns of criteria and one that is called the whole of them, the latter, where people
    rated no criterion either: `overall_score` beside `tone` and `accuracy` with `human_score`."""
    whole = [name for name in names if {*words(name)} & _WHOLE]
    parts = [name for name in names if name not in whole]
    fits = len(whole) == 1 and len(parts) > 1 and all(map(asks, parts))
    return whole if fits and not any(map(about_of, standard)) else []


def _tell_unlike(judges: Sequence[str], draft: Draft) -> None:
    if judges:
        said = "is a judge, because it is" if len(judges) == 1 else "are judges, because they are"
        draft.assume(Weight.WHO, f"{some(judges)} {said} not named as people are")


_NUMBERED = re.compile(r"(.*?)[\s_\-.]*\d+")
#: So many columns with one name and a number are a series.
_SERIES = 3


def _numbered_alike(names: Sequence[str]) -> list[str]:
    """All of the columns, where a number alone tells two or more labels apart."""
    stems = [match[1] for name in names if (match := _NUMBERED.fullmatch(name))]
    alike = len(names) > 1 and len(stems) == len(names) and len({*stems}) == 1
    return list(names) if alike and {*words(stems[0])} & GENERIC else []


def _beside_a_series(names: Sequence[str]) -> str | None:
    """The only column that is called a label (`Extremism_Label`) beside a series of others that a
    number tells apart (`Group_member1` to `Group_member4`): people, and what they were held
    against."""
    stems = {name: match[1] for name in names if (match := _NUMBERED.fullmatch(name))}
    odd = [name for name in names if name not in stems]
    one = len({*stems.values()}) == 1 and len(stems) >= _SERIES and not any(map(asks, stems))
    return odd[0] if one and len(odd) == 1 and {*words(odd[0])} & GENERIC else None


def _is_voter(name: str) -> bool:
    """One of those whose votes were counted."""
    return name.rpartition(" ")[0] == VOTER


def _named_human(people: Sequence[str]) -> bool:
    """Whether the only person's column says so in so many words (`human_correct`)."""
    return len(people) == 1 and bool({*words(people[0])} & {"human", "humans", "manual"})


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
    if len(groups) < 2 or len(both) != 1:
        return dict(known), list(others)
    rest = [n for n in folds if n not in both[0] and not _may_be_written_otherwise(folds, n, both)]
    ask_of_others([name for name in rest if len(folds[name]) > 1], draft)
    kept = {name: kind for name, kind in known.items() if name not in rest}
    return kept, [name for name in others if name not in rest]


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


def _standardised(table: Table, names: Sequence[str]) -> str | None:
    """Of `score` and `raw`, the one that was made of the other: it has numbers below 0."""
    raw = [name for name in names if words(name)[:1] == ("raw",)]
    rest = [
        name
        for name in names
        if name not in raw
        and table.columns[name].scores
        and any((number(label) or 0.0) < 0 for label in table.columns[name].labels)
    ]
    return rest[0] if len(raw) == len(rest) == 1 else None


def _shares_labels(table: Table, name: str, others: Iterable[str]) -> bool:
    mine = {folded(label) for label in table.columns[name].labels}
    return any(mine & {folded(label) for label in table.columns[one].labels} for one in others)


def _may_mean_the_same(table: Table, name: str, standard: Sequence[str]) -> bool:
    """Whether a column's labels may be what people's are, written otherwise: not more words than
    they have, and not words for what numbers say."""
    column = table.columns[name]
    theirs = [table.columns[one] for one in standard]
    if not theirs or _shares_labels(table, name, standard):
        return True
    most = max(len(one.labels) for one in theirs)
    if most > 2 and all(one.numeric for one in theirs) and not (column.numeric or column.verdicts):
        return False
    numbers = column.numeric and any(one.numeric for one in theirs)
    return numbers or len(column.labels) <= most


def _without_sums(table: Table, known: Mapping[str, str], draft: Draft) -> dict[str, str]:
    """The raters without columns that sum people up; what people resolved is a reference."""
    known = dict(known)
    people = [name for name, kind in known.items() if kind == "human"]
    for name in people if len(people) > 1 else ():
        if set(words(name)) & RESOLVED and not kind_of(name):
            known[name] = "reference"
    made, resolved = sums_of_people(table, [n for n, kind in known.items() if kind == "human"])
    known |= dict.fromkeys(resolved, "reference")
    if not made:
        return known
    verb, are = ("sums", "is") if len(made) == 1 else ("sum", "are")
    draft.assume(
        Weight.WHO,
        f"{some(made)} {verb} people's ratings up and {are} left out: each person counts once",
    )
    return {name: kind for name, kind in known.items() if name not in made}


def _with_criteria(
    table: Table, shape: Shape, draft: Draft, cells: Mapping[str, dict[str, str]]
) -> None:
    """Columns such as a_tone, b_tone, a_facts, b_facts: raters by their first word."""
    shape.cells = dict(cells)
    _tell_criteria(shape, draft)
    by = {cell["rater"]: cell["kind"] for cell in cells.values()}
    for kind in ("human", "judge", "reference"):
        mine = [rater for rater, one in by.items() if one == kind]
        if mine:
            said = persons(kind) if len(mine) > 1 else f"one {person(kind)}"
            draft.assume(Weight.WHO, f"{some(mine)} {'are' if len(mine) > 1 else 'is'} {said}")
    shape.used = [used_of(table, name, cell["kind"]) for name, cell in cells.items()]


def _tell_criteria(shape: Shape, draft: Draft) -> None:
    criteria = list(dict.fromkeys(c["criterion"] for c in shape.cells.values() if "criterion" in c))
    if criteria:
        raters = list(dict.fromkeys(cell["rater"] for cell in shape.cells.values()))
        are = "are criteria" if len(criteria) > 1 else "is the criterion"
        draft.assume(
            Weight.COLUMNS,
            f"{some(criteria, MOST_CRITERIA)} {are}, and {some(raters, MOST_CRITERIA)} "
            "the raters, by the names of the columns",
        )


def _tell_who(kinds: Mapping[str, str], draft: Draft) -> None:
    whose = {"human": "people's", "judge": "judges'", "reference": "an answer key's"}
    for kind, said in whose.items():
        mine = [name for name, one in kinds.items() if one == kind]
        if mine:
            verb = "holds" if len(mine) == 1 else "hold"
            draft.assume(Weight.WHO, f"{some(mine)} {verb} {said} ratings")


def _may_be_a_person(name: str) -> bool:
    """A name of one word, or one word and a number or letter: `maria`, `r1`, `annotation_2`."""
    said = plain_name(name).split("_")
    return len(said) == 1 or (len(said) == 2 and (said[1].isdigit() or len(said[1]) == 1))


def _writings(table: Table, names: Iterable[str]) -> set[frozenset[str]]:
    """The sets of labels of columns, of those that share none."""
    found: set[frozenset[str]] = set()
    for name in names:
        mine = frozenset(folded(label) for label in table.columns[name].labels)
        if not any(mine & other for other in found):
            found.add(mine)
    return found


def _has_a_name(name: str) -> bool:
    """A name such as `harmbench_label`: something's, and a label; `final_label` is nobody's."""
    said = set(words(name))
    return bool(said & (GENERIC - {"a", "the", "is", "of"})) and bool(
        said - GENERIC - RESOLVED - CRITERIA
    )


_BOOLEANS = frozenset(["true", "false"])


def _strange(table: Table, known: Mapping[str, str], others: Sequence[str]) -> list[str]:
    """Keys and flags whose labels nobody else uses: answers and marks, no ratings."""
    labels = {
        name: {folded(label) for label in table.columns[name].labels} for name in (*known, *others)
    }
    scores = [name for name in labels if table.columns[name].scores]
    keys = [n for n, kind in known.items() if kind == "reference" and n not in scores]
    keys += [n for n in labels if n not in keys and len(labels[n]) == 1]  # or flags
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
    return [name for name in odd if used and not labels[name] & used]


def _like_raters(table: Table, name: str, known: Sequence[str]) -> bool:
    """A name that says nothing (a person's), over labels that the raters use."""
    theirs = {folded(label) for one in known for label in table.columns[one].labels}
    mine = {folded(label) for label in table.columns[name].labels}
    return mine <= theirs and not set(words(name)) & GENERIC
