"""How a table is laid out, by what its columns hold and then by their names.

Four layouts are told apart: a row per rating (long); a row per item with a column per rater (wide);
with a column per criterion, per rater and criterion, or per system (cells); and pairs of systems
with a winner. Names alone decide nothing: a column `judge` that holds names says who rated, one
that holds yes and no is what the judge said.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from goldassay.proposals.cells.within import label_within
from goldassay.proposals.draft import Draft, Weight
from goldassay.proposals.labels.options import Used
from goldassay.proposals.layouts.as_declared import Declaration
from goldassay.proposals.layouts.by_criterion import by_criterion
from goldassay.proposals.layouts.by_file import by_file, criteria_of_files
from goldassay.proposals.layouts.by_form import by_grid, grid_of_a_form
from goldassay.proposals.layouts.by_rank import by_rank, ranked_systems
from goldassay.proposals.layouts.by_rater import by_rater
from goldassay.proposals.layouts.by_system import (
    by_rater_and_system,
    by_system,
    named_systems,
    rated_systems,
    systems_in_lists,
)
from goldassay.proposals.layouts.by_text import (
    by_text_and_criterion,
    sides_by_criterion,
    texts_by_criterion,
)
from goldassay.proposals.layouts.files_apart import (
    each_in_its_way,
    in_their_own_way,
    rated_by_file,
    what_files_are_of,
)
from goldassay.proposals.layouts.judge_files import (
    judge_by_file,
    labels_in_every_file,
    named_by_files,
    parts_of_one_table,
)
from goldassay.proposals.layouts.marks import ticked, with_ticks
from goldassay.proposals.layouts.mixed_scales import ask_which_criterion
from goldassay.proposals.layouts.named_pairs import best_of_several
from goldassay.proposals.layouts.nothing_rated import (
    are_marks,
    ask_of_findings,
    ask_what_is_rated,
    is_to_be_filled,
    lists_within,
    none_is_filled,
)
from goldassay.proposals.layouts.one_scale import of_one_scale
from goldassay.proposals.layouts.paired_systems import paired_systems
from goldassay.proposals.layouts.rating_columns import (
    are_criteria,
    like_criteria,
    names_sides,
    rating_columns,
    same_value,
)
from goldassay.proposals.layouts.right_or_not import compared_with_key
from goldassay.proposals.layouts.roles import (
    both_kinds,
    criteria_of_the_judge,
    key_and_judgments,
    key_of_rows,
    people_in_rows,
)
from goldassay.proposals.layouts.said_again import codes_of, copies_of, tell_again
from goldassay.proposals.layouts.scored_pairs import by_the_higher_score, score_pairs, scored_sides
from goldassay.proposals.layouts.scored_verdicts import SCORES, scored_verdicts, with_scores
from goldassay.proposals.layouts.unlike_people import are_statistics, cannot_be_people, name_raters
from goldassay.proposals.layouts.who_rated import (
    declare_raters,
    flag_of_kinds,
    kinds_of_raters,
    rater_column,
    says_who_again,
)
from goldassay.proposals.profile import MANY, Column, counted
from goldassay.proposals.shape import (
    Shape,
    Table,
    only_file,
    person,
    persons,
    raters_of_files,
    some,
    stem_of,
    used_of,
)
from goldassay.ratings.vocabulary import NAMED_RATERS, SUMS, SYNONYMS, kind_of, plain_name
from goldassay.sources.exploded import PLACE
from goldassay.sources.frames import Source
from goldassay.words import named

__all__ = ["shape_of"]

#: Up to so many raters are looked at one by one.
_FEW_RATERS = 50


def shape_of(source: Source, columns: Mapping[str, Column], draft: Draft) -> Shape:
    """The layout of a table; what cannot be told is put into the draft as missing. What a task says
    already is so, and the rest is guessed to go with it."""
    table, shape = Table(source, columns), Shape()
    declared = Declaration.of(draft.declared, table)
    declared.place_columns(shape)
    if declared.values:
        _of_declared_values(table, shape, draft, declared)
    elif declared.both_kinds:
        declared.place_raters(shape)
    else:
        _look(table, shape, draft, declared)
    declared.put_into(shape)
    return shape


def _of_declared_values(table: Table, shape: Shape, draft: Draft, declared: Declaration) -> None:
    """One column that is declared to hold the ratings, or one for each of several files."""
    rater = declared.rater or rater_column(table, shape, [*declared.values])
    if rater is not None and rater not in declared.values:
        _long(table, shape, draft, (rater, declared.values[0]))
    else:
        _alone(table, shape, draft, declared.values[0])
    if len(declared.values) > 1:
        shape.columns["value"] = list(declared.values)


def _look(table: Table, shape: Shape, draft: Draft, declared: Declaration) -> Shape:
    """The layout by what columns hold and are called."""
    source, columns = table.source, table.columns
    if not declared and _own_names(table, shape, draft):
        return shape
    again = codes_of(table)
    columns = {name: column for name, column in columns.items() if name not in again}
    table = Table(source, columns)
    paired_systems(table, shape)
    ratings = rating_columns(table, shape)
    again |= copies_of(table, ratings)
    ratings = [name for name in ratings if name not in again]
    shape.sides |= any(names_sides(table, name) for name in ratings)
    rater = declared.rater or rater_column(table, shape, ratings)
    if rater is not None:
        flag = flag_of_kinds(table, rater)
        ratings = [name for name in ratings if name not in (rater, flag[0] if flag else "")]
        ratings = [name for name in ratings if not says_who_again(table, rater, name)]
    ratings = [*ratings, *(name for name in declared.kinds if name not in ratings)]
    roles = {n: declared.kinds.get(n) or kind_of(n) or _kind_of_file(table, n) for n in ratings}
    if rater is not None and kind_of(rater) == "judge" and "human" not in roles.values():
        roles = key_and_judgments(roles)
    roles = people_in_rows(table, roles, rater, draft)
    roles = criteria_of_the_judge(table, roles) if rater is None and not source.parts else roles
    raters = [name for name, kind in roles.items() if kind]
    unnamed = not raters or (rater is not None and {*roles.values()} <= {None, kind_of(rater)})
    unnamed = unnamed and len(ratings) > 1 and not _summed_up(table, raters)
    if unnamed and not shape.sides and not source.parts:
        ratings = of_one_scale(table, ratings, draft)
        roles = {name: kind for name, kind in roles.items() if name in ratings}
    elif not shape.sides and not source.parts:
        roles = compared_with_key(table, roles, draft)
        ratings = [name for name in table.columns if name in roles]
    raters = [name for name, kind in roles.items() if kind]
    values = table.called(SYNONYMS["value"], but=set(columns) - set(ratings))
    if not values and PLACE in columns:  # a member of the records that are the rows
        last = {n: plain_name(table.own(n).rpartition(".")[2]) for n in ratings}
        values = [name for name in ratings if last[name] in SYNONYMS["value"][:5]]
        values = values if len(values) == 1 else []
    # A column that says the same in every row (`answer`: accept) is hardly the rating.
    values.sort(key=lambda name: len(columns[name].labels) < 2)
    value = values[0] if values else None
    if value and len(columns[value].labels) < 2 and (more := _of_more(table, ratings)):
        value = more
    own = {"rater", "value"} <= set(columns)
    by_value = same_value(table) and not parts_of_one_table(table, ratings)
    if not own and (_summed_up(table, raters) or are_statistics(ratings)):
        draft.lack(
            "Which column holds ratings of single items? Every row seems to sum up a system",
            {"columns": {"value": ratings[0] if ratings else next(iter(columns))}},
            "give the table with a row for each rating or item",
        )
    elif not own and (several := best_of_several(table)):
        draft.lack(
            f"Which column holds the ratings? {named(several[0])} names the best or the worst of "
            f"{some(several[1])}, which is a choice among several and no rating of one",
            "write a row for each pair, with the columns system, opponent and winner",
            "write a row for each item, with how often it was best less how often worst",
        )
    elif not own and not raters and rater is None and len(ratings) > 1 and are_marks(ratings):
        draft.lack(
            f"Which column holds the ratings? {some(ratings)} mark rows, by their names",
            *({"columns": {"value": name}} for name in ratings[:2]),
        )
    elif not own and not declared.kinds and name_raters(table, roles):
        draft.lack(
            f"Which column holds the ratings? {some(ratings)} hold the same words, and never the "
            "same one in a row: names of who was compared",
            "give the table with a row for each rating or item",
            {"wide": {"human": list(ratings)}},
        )
    elif not own and (paths := lists_within(table, ratings)):
        draft.lack(
            f"Which lists hold the ratings? Records within {named(paths[0].split('.')[0])} hold "
            "lists of records themselves",
            *({"file": {"rows": [path]}} for path in paths[:2]),
        )
    elif not own and (ticks := ticked(table)):
        with_ticks(table, shape, draft, (ticks, rater, ratings))
    elif not own and not ratings and (cells := ranked_systems(table)):
        by_rank(table, shape, draft, cells)
    elif len(ratings) > 1 and not own and (cells := scored_sides(table, ratings)):
        by_rater_and_system(table, shape, draft, cells)
    elif not own and (verdicts := score_pairs(table)):
        by_the_higher_score(table, shape, draft, (verdicts, roles))
    elif not own and (shared := criteria_of_files(table, rater, ratings)):
        by_file(table, shape, draft, (rater, shared, ratings))
    elif not own and (grid := grid_of_a_form(table, rater)):
        by_grid(table, shape, draft, grid)
    elif (
        not own
        and not raters
        and (cells := sides_by_criterion(table, ratings) or texts_by_criterion(table, ratings))
    ):
        by_text_and_criterion(table, shape, draft, cells)
    elif rater is not None and not own and (key := key_of_rows(table, roles)):
        by_rater(table, shape, draft, key)
        _named_in(shape, rater, draft)
    elif rater is not None and not own and both_kinds(roles) and not _asked(table, ratings):
        by_rater(table, shape, draft, roles)
        _named_in(shape, rater, draft)
    elif not own and (apart := in_their_own_way(table, ratings, rater)):
        each_in_its_way(table, shape, draft, apart)
    elif not own and (by := labels_in_every_file(table, roles, rater)):
        judge_by_file(table, shape, draft, by)
    elif rater is None and (scored := scored_verdicts(table, ratings)):
        with_scores(table, shape, draft, scored)
    elif rater is not None and (
        own or len(ratings) == 1 or (value and (shape.sides or not are_criteria(ratings)))
    ):
        _long(table, shape, draft, (rater, "value" if own else value or ratings[0]))
        if own:
            _files_of_one(table, shape, draft)
    elif rater is not None and len(ratings) > 1:
        by_criterion(table, shape, draft, (rater, ratings))
    elif len(ratings) > 1 and PLACE not in columns and (lists := systems_in_lists(ratings)):
        kind = kind_of(table.stem) or "human"
        numbers = {name: cell for name, cell in lists.items() if table.columns[name].numeric}
        lists = numbers if len(numbers) > 1 else lists  # a word beside grades is no grade
        for cell in lists.values():
            cell |= {"rater": cell["rater"] or table.stem, "kind": kind}
        by_rater_and_system(table, shape, draft, lists)
    elif len(ratings) > 1 and (cells := rated_systems(table, ratings)):
        by_rater_and_system(table, shape, draft, cells)
    elif len(ratings) > 1 and named_systems(table, ratings):
        by_system(table, shape, draft, ratings)
    elif (
        len(ratings) > 1
        and not raters
        and not by_value
        and (like_criteria(ratings) or cannot_be_people(table, ratings))
    ):
        by_criterion(table, shape, draft, (None, ratings))
    elif len(ratings) > 1 and (raters or not are_criteria(ratings)) and not by_value:
        by_rater(table, shape, draft, roles)
    elif len(ratings) > 1 and are_criteria(ratings):
        by_criterion(table, shape, draft, (None, ratings))
    elif ask_of_findings(table, ratings, draft):
        return shape
    elif ratings and not is_to_be_filled(table, ratings):
        _alone(table, shape, draft, value or ratings[0])
    elif none_is_filled(table, draft):
        return shape
    else:
        ask_what_is_rated(table, draft)
    if not own and rater is None and (what := what_files_are_of(table, roles)):
        rated_by_file(table, shape, draft, what)
    else:
        named_by_files(table, shape, draft)
    tell_again(again, shape.rated, draft)
    return shape


def _of_more(table: Table, ratings: Sequence[str]) -> str | None:
    """The only column of ratings that holds more than one label."""
    more = [name for name in ratings if len(table.columns[name].labels) > 1]
    return more[0] if len(more) == 1 else None


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


def _files_of_one(table: Table, shape: Shape, draft: Draft) -> None:
    """Beside files with a row per rating, files that name no rater and hold one column of ratings:
    whose it is, its name or the file's says."""
    called = raters_of_files(table)
    for (_, names), (file, who) in zip(table.source.parts, called.items(), strict=True):
        if {"rater", "value"} & set(names):
            continue
        here = [n for n in names if n in table.columns and table.columns[n].rating]
        mine = [n for n in here if kind_of(n)] or table.called(
            SYNONYMS["value"], but=set(table.columns) - set(here)
        )
        if len(mine) != 1:
            continue
        name = mine[0]
        kind = kind_of(name) or kind_of(who) or "human"
        shape.files[file] = {"rater": who, "kind": kind}
        value = shape.columns["value"]
        shape.columns["value"] = [*([value] if isinstance(value, str) else value), name]
        shape.used.append(used_of(table, name, kind))
        draft.assume(
            Weight.WHO,
            f"{named(name)} in {named(file)} holds the ratings of one {person(kind)}, called "
            f"{named(who)}",
        )


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


def _kind_of_file(table: Table, name: str) -> str | None:
    only = only_file(table, name)
    return kind_of(only) if only else None


def _long(table: Table, shape: Shape, draft: Draft, named_by: tuple[str, str]) -> None:
    rater, value = named_by
    shape.columns |= {"rater": rater, "value": value}
    if value != "value":
        draft.assume(Weight.COLUMNS, f"the column {named(value)} holds the ratings")
    if rater != "rater":
        draft.assume(Weight.COLUMNS, f"the column {named(rater)} says who rated")
    ask_which_criterion(table, shape, draft, value)
    kinds = kinds_of_raters(table, rater, shape, draft)
    each = len(kinds) <= _FEW_RATERS  # a judge may write the options in its own way
    by: dict[tuple[str, str], dict[str, int]] = {}
    for (who, label), rows in counted(table.source, rater, value).items():
        if label:
            said = label_within(label, table.columns[value].reads)
            mine = by.setdefault((who if each else "", kinds.get(who, "human")), {})
            mine[said] = mine.get(said, 0) + rows
    many = len(table.columns[value].labels) > MANY
    shape.used = [
        Used(who or f"{kind}s", kind, labels, many) for (who, kind), labels in sorted(by.items())
    ]
    scores = [n for n in table.called(SCORES, but=shape.taken) if table.columns[n].numeric]
    if scores and table.columns[value].few and "score" not in table.columns:
        shape.columns["score"] = scores[0]
        draft.assume(
            Weight.COLUMNS, f"{named(scores[0])} says how sure the rater was of its verdict"
        )


def _alone(table: Table, shape: Shape, draft: Draft, value: str) -> None:
    """One column of ratings and nobody named: a file per rater, its name is the rater."""
    shape.columns["value"] = value
    parts = table.source.parts or ((table.source.name, table.source.columns),)
    by_file = raters_of_files(table) or {Path(table.source.name).name: table.stem}
    values = set()
    for (name, columns), (file, who) in zip(parts, by_file.items(), strict=True):
        own = [n for n in (value, *SYNONYMS["value"]) if n in columns]
        values |= set(own[:1])
        # The file's own column may say it better than its name: `gpt_label` in results.csv.
        said = kind_of(own[0]) if own else None
        plain = not own or plain_name(own[0]) in SYNONYMS["value"]
        kind = kind_of(who) or said if plain else said or kind_of(who)
        kind = draft.declared.table("files").get(file, {}).get("kind") or kind
        kind = kind or draft.declared.table("constants").get("kind") or _of_assessors(table, name)
        if kind is None and len(parts) > 1:
            draft.lack(
                f"Who rated in {named(file)}, a person or a judge?",
                *({"files": {file: {"kind": one}}} for one in ("human", "judge")),
            )
        shape.files[file] = {"rater": who, "kind": kind or "human"}
        shape.used.append(_used_in(table, own[0] if own else value, who, kind or "human"))
    if len(parts) == 1:
        only = shape.files.popitem()[1]
        shape.constants |= only
        if kind is None and not kind_of(table.stem) and not draft.declared.table("raters"):
            draft.ask(f"Is {named(only['rater'])} a judge? Then", {"constants": {"kind": "judge"}})
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


def _of_assessors(table: Table, name: str) -> str | None:
    """A file of relevance judgments that names nobody, beside one that names a judge: people's."""
    others = [kind_of(stem_of(one)) for one, _ in table.source.parts if one != name]
    is_qrels = "qrel" in Path(name).name.casefold() and "document" in table.columns
    return "human" if is_qrels and "judge" in others else None


def _used_in(table: Table, value: str, who: str, kind: str) -> Used:
    return Used(who, kind, table.columns[value].labels, len(table.columns[value].labels) > MANY)
