"""How a table is laid out, by what its columns hold and then by their names.

Four layouts are told apart: a row per rating (long); a row per item with a column per rater (wide);
with a column per criterion, per rater and criterion, or per system (cells); and pairs of systems
with a winner. Names alone decide nothing: a column `judge` that holds names says who rated, one
that holds yes and no is what the judge said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from goldassay.ratings.draft import Draft, Weight
from goldassay.ratings.one_judge import numbered_scores, one_judge
from goldassay.ratings.options import Used
from goldassay.ratings.paired_systems import paired_systems
from goldassay.ratings.profile import MANY, Column, counted
from goldassay.ratings.rating_columns import (
    TEXTS,
    about_of,
    are_criteria,
    asks,
    is_flag,
    like_a_value,
    like_criteria,
    numbered,
    rated_systems,
    rating_columns,
    same_value,
    systems_in_lists,
)
from goldassay.ratings.scored_pairs import by_the_higher_score, score_pairs
from goldassay.ratings.scores_beside import scores_beside
from goldassay.ratings.shape import Shape, Table, person, persons, some, stem_of
from goldassay.ratings.summed_up import sums_of_people
from goldassay.ratings.vocabulary import (
    CRITERIA,
    GENERIC,
    NAMED_RATERS,
    RESOLVED,
    SUMS,
    SYNONYMS,
    folded,
    kind_of,
    number,
    plain_name,
    positive_of,
    words,
)
from goldassay.ratings.who_rated import declare_raters, kinds_of_raters, rater_column
from goldassay.ratings.within import label_within
from goldassay.sources.frames import Source
from goldassay.words import named

__all__ = ["shape_of"]

#: Names of columns that say how sure a judge was.
_EVALUATING = frozenset(
    {"evaluation", "evaluations", "eval", "evals", "judgment", "judgement", "result", "results"}
    | {"judgments", "judgements"}
)
#: Criteria that are named one by one: what is read as one by mistake must be seen.
_MOST_CRITERIA = 30
_SCORES = ("score", "confidence", "probability", "prob", "judge_score", "p_yes", "p")


def shape_of(source: Source, columns: Mapping[str, Column], draft: Draft) -> Shape:
    """The layout of a table; what cannot be told is put into the draft as missing."""
    table, shape = Table(source, columns), Shape()
    if _own_names(table, shape, draft):
        return shape
    paired_systems(table, shape)
    ratings = rating_columns(table, shape)
    rater = rater_column(table, shape, ratings)
    if rater is not None:
        ratings = [name for name in ratings if name != rater]
    roles = {name: kind_of(name) or _kind_of_file(table, name) for name in ratings}
    if rater is not None and kind_of(rater) == "judge" and "human" not in roles.values():
        roles = _key_and_judgments(roles)
    raters = [name for name, kind in roles.items() if kind]
    values = table.called(SYNONYMS["value"], but=set(columns) - set(ratings))
    # A column that says the same in every row (`answer`: accept) is hardly the rating.
    values.sort(key=lambda name: len(columns[name].labels) < 2)
    value = values[0] if values else None
    if value and len(columns[value].labels) < 2 and (more := _of_more(table, ratings)):
        value = more
    own = {"rater", "value"} <= set(columns)
    if not own and _summed_up(table, raters):
        draft.lack(
            "Which column holds ratings of single items? Every row seems to sum up a system",
            f'[columns] value = "{ratings[0] if ratings else next(iter(columns))}"',
            "give the table with a row for each rating or item",
        )
    elif not own and (verdicts := score_pairs(table)):
        by_the_higher_score(table, shape, draft, (verdicts, roles))
    elif rater is not None and not own and _both_kinds(roles) and not _asked(table, ratings):
        _wide(table, shape, draft, roles)
        _named_in(shape, rater, draft)
    elif rater is None and (scored := _scored(table, ratings)):
        _with_scores(table, shape, draft, scored)
    elif rater is not None and (own or len(ratings) == 1 or (value and not are_criteria(ratings))):
        _long(table, shape, draft, (rater, "value" if own else value or ratings[0]))
    elif rater is not None and len(ratings) > 1:
        _per_criterion(table, shape, draft, (rater, ratings))
    elif len(ratings) > 1 and (lists := systems_in_lists(ratings)):
        kind = kind_of(table.stem) or "human"
        for cell in lists.values():
            cell |= {"rater": cell["rater"] or table.stem, "kind": kind}
        _per_rated_system(table, shape, draft, lists)
    elif len(ratings) > 1 and (cells := rated_systems(table, ratings)):
        _per_rated_system(table, shape, draft, cells)
    elif len(ratings) > 1 and _of_systems(table, ratings):
        _per_system(table, shape, draft, ratings)
    elif len(ratings) > 1 and not raters and like_criteria(ratings) and not same_value(table):
        _per_criterion(table, shape, draft, (None, ratings))
    elif len(ratings) > 1 and (raters or not are_criteria(ratings)) and not same_value(table):
        _wide(table, shape, draft, roles)
    elif len(ratings) > 1 and are_criteria(ratings):
        _per_criterion(table, shape, draft, (None, ratings))
    elif ratings:
        _alone(table, shape, draft, value or ratings[0])
    else:
        likely = [name for name in table.called(SYNONYMS["value"]) if columns[name].labels]
        likely += [n for n in columns if n.casefold() not in SYNONYMS["item"] and n not in likely]
        answers = [f'[columns] value = "{name}"' for name in likely[:2]]
        grids = [n for n, c in columns.items() if c.labels and all(map(_is_grid, c.labels))]
        said = f" ({some(grids)}: lists within lists must be written as rows)" if grids else ""
        draft.lack(f"Which column holds the ratings?{said}", *answers)
    return shape


def _of_more(table: Table, ratings: Sequence[str]) -> str | None:
    """The only column of ratings that holds more than one label."""
    more = [name for name in ratings if len(table.columns[name].labels) > 1]
    return more[0] if len(more) == 1 else None


def _key_and_judgments(roles: Mapping[str, str | None]) -> dict[str, str | None]:
    """A `label` beside `judgments.1.decision`, in a file that names its judge: the key."""
    made = {n for n in roles if set(words(n)) & _EVALUATING}
    keys = {n for n in roles if n not in made and like_a_value(n, {*SYNONYMS["value"]})}
    if not made or len(keys) != 1:
        return dict(roles)
    return {n: "judge" if n in made else "reference" if n in keys else k for n, k in roles.items()}


def _both_kinds(roles: Mapping[str, str | None]) -> bool:
    kinds = {*roles.values()}
    return "judge" in kinds and bool(kinds & {"human", "reference"})


def _asked(table: Table, ratings: Sequence[str]) -> bool:
    """Whether a file of several has a column per criterion: only the file's name says who rated."""
    return bool(table.source.parts) and are_criteria([n for n in ratings if kind_of(n) is None])


def _named_in(shape: Shape, rater: str, draft: Draft) -> None:
    """A column that names raters beside columns of both kinds names those of its own kind."""
    kind = kind_of(rater) or "human"
    mine = [cell for cell in shape.cells.values() if cell["kind"] == kind]
    if len({cell["rater"] for cell in mine}) == 1:
        for cell in mine:
            del cell["rater"]
        shape.columns["rater"] = rater
        draft.assume(Weight.COLUMNS, f"{named(rater)} names the {person(kind)}")


def _summed_up(table: Table, raters: Sequence[str]) -> bool:
    """A leaderboard: rates with their errors, and nobody who rated."""
    return not raters and len({plain_name(name) for name in table.columns} & SUMS) > 1


def _is_grid(cell: str) -> bool:
    return cell.replace(" ", "").startswith("[[")


def _own_names(table: Table, shape: Shape, draft: Draft) -> bool:
    """Several files with a row per rating, each with names of its own."""
    each: list[dict[str, str]] = []
    for _, names in table.source.parts:
        mine: dict[str, str] = {}
        for ours in ("item", "value", "rater"):
            there = [n for n in table.called((ours, *SYNONYMS[ours])) if n in names]
            there = [n for n in there if n not in mine.values()]
            if ours == "rater":
                there = [n for n in there if not table.columns[n].rating or n in NAMED_RATERS]
            mine |= {ours: there[0]} if there else {}
        each.append(mine)
    if not each or not all(len(one) == 3 for one in each) or len({*map(str, each)}) == 1:
        return False
    for ours in ("item", "rater", "value"):
        theirs = list(dict.fromkeys(one[ours] for one in each))
        shape.columns[ours] = theirs[0] if len(theirs) == 1 else theirs
        said = {"item": "name the item", "rater": "say who rated", "value": "hold the ratings"}
        draft.assume(Weight.COLUMNS, f"the columns {some(theirs)} {said[ours]}, file by file")
    kinds: dict[str, str] = {}
    by: dict[str, dict[str, int]] = {}
    for one in each:
        for who, label in counted(table.source, one["rater"], one["value"]):
            if who and label:
                kinds[who] = kind_of(who) or "human"
                by.setdefault(kinds[who], {})[label] = 1
    declare_raters(kinds, shape)
    judges = [name for name, kind in kinds.items() if kind == "judge"]
    if judges:
        verb = "is a judge" if len(judges) == 1 else "are judges"
        draft.assume(Weight.WHO, f"of the raters, {some(judges)} {verb}, every other is a person")
    else:
        draft.assume(Weight.WHO, "all raters are people; name judges in [raters]")
    shape.used = [Used(f"{kind}s", kind, labels) for kind, labels in sorted(by.items())]
    return True


def _only_file(table: Table, name: str) -> str | None:
    """What the only file with this column is called, where there are several files."""
    places = [place for place, names in table.source.parts if name in names]
    return stem_of(places[0]) if len(places) == 1 else None


def _kind_of_file(table: Table, name: str) -> str | None:
    only = _only_file(table, name)
    return kind_of(only) if only else None


def _long(table: Table, shape: Shape, draft: Draft, named_by: tuple[str, str]) -> None:
    rater, value = named_by
    shape.columns |= {"rater": rater, "value": value}
    if value != "value":
        draft.assume(Weight.COLUMNS, f"the column {named(value)} holds the ratings")
    if rater != "rater":
        draft.assume(Weight.COLUMNS, f"the column {named(rater)} says who rated")
    kinds = kinds_of_raters(table, rater, shape, draft)
    by: dict[str, dict[str, int]] = {}
    for (who, label), rows in counted(table.source, rater, value).items():
        if label:
            said = label_within(label, table.columns[value].reads)
            mine = by.setdefault(kinds.get(who, "human"), {})
            mine[said] = mine.get(said, 0) + rows
    many = len(table.columns[value].labels) > MANY
    shape.used = [Used(f"{kind}s", kind, labels, many) for kind, labels in sorted(by.items())]
    scores = [n for n in table.called(_SCORES, but=shape.taken) if table.columns[n].numeric]
    if scores and table.columns[value].few and "score" not in table.columns:
        shape.columns["score"] = scores[0]
        draft.assume(
            Weight.COLUMNS, f"{named(scores[0])} says how sure the rater was of its verdict"
        )


def _wide(table: Table, shape: Shape, draft: Draft, roles: Mapping[str, str | None]) -> None:
    """A column per rater, or per rater and criterion."""
    known = {name: kind for name, kind in roles.items() if kind}
    others = [name for name, kind in roles.items() if not kind]
    rated = {about_of(name) for name in known}
    if known and (flags := [n for n in others if is_flag(n) and about_of(n) not in rated]):
        others = [name for name in others if name not in flags]
        verb, they = ("Does", "it marks") if len(flags) == 1 else ("Do", "they mark")
        draft.ask(f"{verb} {some(flags)} hold ratings? By the name {they} rows: not read")
    if known and "judge" not in known.values() and (runs := numbered_scores(others)):
        known |= dict.fromkeys(runs, "judge")
        others = [name for name in others if name not in runs]
    if not known:
        known = dict.fromkeys((n for n in others if set(words(n)) & _EVALUATING), "judge")
        known = known if 0 < len(others) - len(known) <= 2 else {}
        others = [name for name in others if name not in known]
    if strange := _strange(table, known, others):
        known = {name: kind for name, kind in known.items() if name not in strange}
        others = [name for name in others if name not in strange]
        asked = [name for name in strange if len(table.columns[name].labels) > 1]
        if asked:
            draft.ask(f"Does {some(asked)} hold ratings? It shares no label with the others")
    paired = False
    judges = [name for name, kind in known.items() if kind == "judge"]
    standard = [name for name, kind in known.items() if kind != "judge"]
    if judges and standard:
        taken = [name for name in others if _like_raters(table, name, list(known))]
        known |= dict.fromkeys(taken, "human")
        if left := [name for name in others if name not in taken]:
            verb, they = ("Does", "It was") if len(left) == 1 else ("Do", "They were")
            draft.ask(f"{verb} {some(left)} hold ratings too? {they} not read as such")
    elif (
        known
        and others
        and not judges
        and {about_of(n) for n in others} <= {about_of(n) for n in standard} - {()}
    ):
        # `faithfulness` beside `human_faithfulness`: what people rated too is a judge's.
        known |= dict.fromkeys(others, "judge")
        paired = True
    elif standard and not judges and others and all(map(_has_a_name, others)):
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
        known[others[0]] = "human" if judges else "judge"
    else:
        known |= dict.fromkeys(others, "human")
    people = [name for name, kind in known.items() if kind == "human"]
    for name in people if len(people) > 1 else ():
        if set(words(name)) & RESOLVED and not kind_of(name):
            known[name] = "reference"
    made, resolved = sums_of_people(table, [n for n, kind in known.items() if kind == "human"])
    known |= dict.fromkeys(resolved, "reference")
    if made:
        known = {name: kind for name, kind in known.items() if name not in made}
        verb, are = ("sums", "is") if len(made) == 1 else ("sum", "are")
        draft.assume(
            Weight.WHO,
            f"{some(made)} {verb} people's ratings up and {are} left out: each person counts once",
        )
    kinds = {name: known[name] for name in roles if name in known}
    if {*kinds.values()} == {"human"} and len(_writings(table, kinds)) > 1:
        draft.ask(f"Do {some(list(kinds))} rate the same? Their labels are written otherwise")
    if not any(map(kind_of, kinds)) and len(kinds) == 2:
        one, two = kinds
        draft.ask(f'Is one of them a judge? Then: [wide] human = ["{one}"], judge = ["{two}"]')
    cells = _by_criterion(kinds)
    shape.cells = cells or {
        n: {"rater": n if kind_of(n) else _only_file(table, n) or n, "kind": kind}
        for n, kind in kinds.items()
    }
    if not cells:
        one_judge(table, shape, draft)
        scores_beside(table, shape, draft)
    if paired and not cells:
        shape.cells = {n: cell | _paired(n, cell, shape.cells) for n, cell in shape.cells.items()}
    criteria = list(dict.fromkeys(c["criterion"] for c in shape.cells.values() if "criterion" in c))
    if criteria:
        raters = list(dict.fromkeys(cell["rater"] for cell in shape.cells.values()))
        draft.assume(
            Weight.COLUMNS,
            f"{some(criteria, _MOST_CRITERIA)} are criteria, and {some(raters, _MOST_CRITERIA)} "
            "the raters, by the names of the columns",
        )
    for kind, said in (
        ("human", "people's"),
        ("judge", "judges'"),
        ("reference", "an answer key's"),
    ):
        mine = [name for name, one in kinds.items() if one == kind]
        if mine:
            verb = "holds" if len(mine) == 1 else "hold"
            draft.assume(Weight.WHO, f"{some(mine)} {verb} {said} ratings")
    shape.used = [_used(table, name, kind) for name, kind in kinds.items()]


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


def _strange(table: Table, known: Mapping[str, str], others: Sequence[str]) -> list[str]:
    """Keys and flags whose labels nobody else uses: answers and marks, no ratings."""
    labels = {
        name: {folded(label) for label in table.columns[name].labels} for name in (*known, *others)
    }
    scores = [name for name in labels if table.columns[name].scores]
    keys = [n for n, kind in known.items() if kind == "reference" and n not in scores]
    keys += [n for n in labels if n not in keys and len(labels[n]) == 1]  # or flags
    rest = [name for name in labels if name not in keys]
    used = {label for name in rest for label in labels[name]}
    flags = [name for name in keys if labels[name] <= {"true", "false"}]
    odd = keys if len(labels) > 2 else flags
    alone = [n for n in others if not any(labels[n] & labels[o] for o in labels if o != n)]
    if len(labels) > 2 and len(alone) == 1 and labels[alone[0]] <= {"true", "false"}:
        return alone  # `correct` beside a key and answers: whether they are equal
    return [name for name in odd if used and not labels[name] & used]


def _scored(table: Table, ratings: Sequence[str]) -> tuple[list[str], list[str]] | None:
    """People's verdicts with two options, and beside them judges' scores from 0 to 1."""
    known = [n for n in ratings if kind_of(n) in ("human", "reference")]
    few = [n for n in ratings if table.columns[n].few]
    people = known or (few if len(few) == 1 and like_a_value(few[0], {*SYNONYMS["value"]}) else [])
    labels = {folded(label) for name in people for label in table.columns[name].labels}
    if len(labels) != 2 or positive_of(*sorted(labels)) is None:
        return None
    judging = [name for name in ratings if kind_of(name) == "judge"]
    if any(table.columns[n].few and not _shares(n, table.columns[n]) for n in judging):
        return None
    judges = [n for n, column in table.columns.items() if n not in people and _shares(n, column)]
    named_ = [name for name in judges if kind_of(name) == "judge"] or judges[:1]
    if not named_ and not judging:
        about = {about_of(name) for name in people}
        named_ = [
            n
            for n, column in table.columns.items()
            if n not in people and kind_of(n) is None and about_of(n) in about and _in_unit(column)
        ]
    return (people, named_) if named_ else None


def _shares(name: str, column: Column) -> bool:
    """Numbers from 0 to 1 that are no verdicts, under a name of a judge or of a score."""
    return (kind_of(name) == "judge" or name.casefold() in _SCORES) and _in_unit(column)


def _in_unit(column: Column) -> bool:
    """Numbers from 0 to 1, not all of them whole, and more than two."""
    if not column.numeric:
        return False
    values = [v for one in column.labels if (v := number(one)) is not None]
    return all(0 <= v <= 1 for v in values) and any(v % 1 for v in values) and len(values) > 2


def _with_scores(
    table: Table, shape: Shape, draft: Draft, scored: tuple[Sequence[str], Sequence[str]]
) -> None:
    """Judges' scores, cut at a half, beside people's verdicts."""
    people, judges = scored
    kinds = {name: kind_of(name) or "human" for name in people}
    shape.cells = {name: {"rater": name, "kind": kind} for name, kind in kinds.items()}
    shape.cells |= {n: {"rater": n, "kind": "judge", "cut": ">= 0.5"} for n in judges}
    if not any(map(kind_of, judges)):
        shape.cells = {n: cell | _paired(n, cell, shape.cells) for n, cell in shape.cells.items()}
    verb = "hold" if len(people) > 1 else "holds"
    whose = "an answer key's" if {*kinds.values()} == {"reference"} else "people's"
    draft.assume(
        Weight.WHO, f"{some(people)} {verb} {whose} ratings, {some(judges)} judges' scores"
    )
    draft.assume(
        Weight.POSITIVE,
        f"a score of at least 0.5 in {some(judges)} is the judge's verdict for the option that is "
        'counted (cut = ">= 0.5" in [cells]; another cut, another judge)',
    )
    shape.used = [_used(table, name, kind) for name, kind in kinds.items()]


def _paired(
    name: str, cell: Mapping[str, str], cells: Mapping[str, Mapping[str, str]]
) -> dict[str, str]:
    """Of columns such as fluency and human_fluency for several criteria: one person, one judge."""
    about = {one: about_of(one) for one in cells}
    if len(set(about.values())) < 2:
        return {}
    shared = set.intersection(*map(set, about.values()))
    criterion = " ".join(word for word in about[name] if word not in shared)
    who = [w for w in words(name) if kind_of(w) == cell["kind"]]
    return {"rater": " ".join(who[:1]) or cell["kind"], "criterion": criterion}


def _like_raters(table: Table, name: str, known: Sequence[str]) -> bool:
    """A name that says nothing (a person's), over labels that the raters use."""
    theirs = {folded(label) for one in known for label in table.columns[one].labels}
    mine = {folded(label) for label in table.columns[name].labels}
    return mine <= theirs and not set(words(name)) & GENERIC


def _used(table: Table, name: str, kind: str) -> Used:
    column = table.columns[name]
    return Used(name, kind, column.labels, len(column.labels) > MANY)


def _by_criterion(kinds: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Columns such as human_fluency, gpt4_fluency: whom and what each is about; else nothing."""
    parts: dict[str, tuple[str, str]] = {}
    for name in kinds:
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


def _per_criterion(
    table: Table, shape: Shape, draft: Draft, found: tuple[str | None, Sequence[str]]
) -> None:
    """A column per criterion; who rated is a column, or the file."""
    rater, names = found
    hits = [n for n in names if asks(n)]
    criteria = hits if len(hits) > 1 else list(names)
    said = {label for name in criteria for label in table.columns[name].labels}
    criteria += [  # of the same labels, and not about who rates
        n
        for n in names
        if n not in criteria and kind_of(n) is None and set(table.columns[n].labels) <= said
    ]
    rest = [name for name in names if name not in criteria]
    others = {name: kind for name in rest if (kind := kind_of(name)) and rater is not None}
    if left := [name for name in rest if name not in others]:
        draft.ask(f"Is {some(left)} rated too? It was not read as a criterion")
    every = some(criteria, _MOST_CRITERIA)
    draft.assume(Weight.COLUMNS, f"{every} are criteria, each with a rating in every row")
    if rater is None and (several := numbered(criteria)):
        shape.cells = {
            n: {"rater": f"annotator {k}", "kind": "human", "criterion": c}
            for n, (c, k) in several.items()
        }
        draft.assume(Weight.WHO, "the numbers at the end of their names are people's")
        shape.used = [_used(table, name, "human") for name in criteria]
        return
    if rater is None:
        who, kind = table.stem, kind_of(table.stem) or "human"
        shape.cells = {n: {"rater": who, "kind": kind, "criterion": n} for n in criteria}
        draft.assume(Weight.WHO, f"all ratings are by one {person(kind)}, called {named(who)}")
        shape.used = [_used(table, name, kind) for name in criteria]
        return
    shape.columns["rater"] = rater
    shape.cells = {name: {"criterion": name} for name in criteria}
    kinds = kinds_of_raters(table, rater, shape, draft)
    kind = "judge" if set(kinds.values()) == {"judge"} else "human"
    shape.used = [_used(table, name, kind) for name in criteria]
    # Beside them a column of another rater, whose criterion the row names.
    for name, other in others.items():
        shape.cells[name] = {"rater": name, "kind": other}
        shape.used.append(_used(table, name, other))
        draft.assume(Weight.WHO, f"{named(name)} holds the ratings of one {person(other)}")


def _of_systems(table: Table, ratings: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Columns such as judge_gpt4 beside answer_gpt4, or gpt4_correct beside gpt4_answer: column
    -> (system, what all of them are called); else nothing."""
    for system_last in (True, False):
        found: dict[str, tuple[str, str]] = {}
        for name in ratings:
            one, _, two = name.partition("_") if system_last else name.rpartition("_")
            system, head = (two, one) if system_last else (one, two)
            tells = (f"_{system}", "") if system_last else ("", f"{system}_")
            beside = [
                c
                for c in table.columns
                if c != name and c.endswith(tells[0]) and c.startswith(tells[1])
            ]
            texts = [c for c in beside if table.columns[c].text or {*words(c)} & {*TEXTS}]
            if system and head and texts:
                found[name] = (system, head)
        heads = {head for _, head in found.values()}
        rest = [name for name in ratings if name not in found]
        of_people = any(kind_of(system) == "human" for system, _ in found.values())
        if len(found) > 1 and len(heads) == 1 and not of_people and not any(map(kind_of, rest)):
            return found
    return {}


def _per_rated_system(
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
    shape.used = [_used(table, name, cell["kind"]) for name, cell in cells.items()]


def _per_system(table: Table, shape: Shape, draft: Draft, ratings: Sequence[str]) -> None:
    systems = _of_systems(table, ratings)
    if rest := [name for name in ratings if name not in systems]:
        draft.ask(f"Does {some(rest)} hold ratings too? It was not read as such")
    head = next(iter(systems.values()))[1]
    kind = kind_of(head) or "human"
    shape.cells = {n: {"rater": head, "kind": kind, "system": s} for n, (s, _) in systems.items()}
    draft.assume(
        Weight.WHO,
        f"{some(list(systems))} hold the ratings of one {person(kind)}, called {named(head)}, a "
        "column per system",
    )
    shape.used = [_used(table, name, kind) for name in systems]


def _alone(table: Table, shape: Shape, draft: Draft, value: str) -> None:
    """One column of ratings and nobody named: a file per rater, its name is the rater."""
    shape.columns["value"] = value
    parts = table.source.parts or ((table.source.name, table.source.columns),)
    values = set()
    for name, columns in parts:
        own = [n for n in (value, *SYNONYMS["value"]) if n in columns]
        values |= set(own[:1])
        who = stem_of(name)
        # The file's own column may say it better than its name: `gpt_label` in results.csv.
        kind = kind_of(who) or (kind_of(own[0]) if own else None)
        if kind is None and len(parts) > 1:
            draft.lack(
                f"Who rated in {named(Path(name).name)}, a person or a judge?",
                f'[files."{Path(name).name}"] kind = "human"',
                f'[files."{Path(name).name}"] kind = "judge"',
            )
        shape.files[Path(name).name] = {"rater": who, "kind": kind or "human"}
        shape.used.append(_used_in(table, value, who, kind or "human"))
    if len(parts) == 1:
        only = shape.files.popitem()[1]
        shape.constants |= only
        draft.assume(
            Weight.WHO,
            f"all ratings are by one {person(only['kind'])}, called {named(only['rater'])}",
        )
    else:
        for kind in ("human", "judge", "reference"):
            mine = [f for f, one in shape.files.items() if one["kind"] == kind]
            if mine:
                verb = "holds" if len(mine) == 1 else "hold"
                draft.assume(Weight.WHO, f"{some(mine)} {verb} the ratings of {persons(kind)}")
    if value != "value":
        draft.assume(Weight.COLUMNS, f"the column {named(value)} holds the ratings")
    if len(values) > 1:
        shape.columns["value"] = sorted(values)


def _used_in(table: Table, value: str, who: str, kind: str) -> Used:
    return Used(who, kind, table.columns[value].labels, len(table.columns[value].labels) > MANY)
