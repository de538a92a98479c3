"""How a table is laid out, by what its columns hold and then by their names.

The ways are tried in order, and the first that fits takes the table: a row per rating (long); a row
per item with a column per rater (wide); with a column per criterion, per rater and criterion, or
per system (cells); pairs of systems with a winner; a file per rater. What fits a way but cannot be
told is asked. Names alone decide nothing: a column `judge` that holds names says who rated, one
that holds yes and no is what the judge said.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from goldassay.proposals.draft import Draft, Weight
from goldassay.proposals.layouts.alone import alone
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
    systems_on_criteria,
)
from goldassay.proposals.layouts.by_text import (
    by_text_and_criterion,
    sides_by_criterion,
    systems_by_criterion,
    texts_by_criterion,
)
from goldassay.proposals.layouts.column_names import about_of, are_criteria, asks, like_criteria
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
)
from goldassay.proposals.layouts.long_table import files_of_one, long_table, own_names, value_left
from goldassay.proposals.layouts.marks import ticked, with_ticks
from goldassay.proposals.layouts.name_grids import raters_of_systems, with_whose
from goldassay.proposals.layouts.no_single_ratings import (
    agreement_only,
    best_and_worst,
    lists_in_lists,
    marks_of_rows,
    names_in_cells,
    orders_in_cells,
    people_in_rows,
    places,
    scores_of_two_answers,
    statistics_of_people,
    sums_up,
    votes_for_several,
)
from goldassay.proposals.layouts.nothing_rated import (
    ask_of_findings,
    ask_what_is_rated,
    is_to_be_filled,
    none_is_filled,
)
from goldassay.proposals.layouts.one_scale import alike
from goldassay.proposals.layouts.paired_systems import paired_systems
from goldassay.proposals.layouts.raters_and_criteria import ask_of_others, real_beside_said
from goldassay.proposals.layouts.rating_columns import names_sides
from goldassay.proposals.layouts.roles import both_kinds, criteria_of_both, key_of_rows
from goldassay.proposals.layouts.said_again import tell_again
from goldassay.proposals.layouts.scored_pairs import (
    are_lettered_people,
    ask_of_sides_scored,
    by_the_higher_score,
    score_pairs,
    scored_sides,
)
from goldassay.proposals.layouts.scored_verdicts import scored_verdicts, with_scores
from goldassay.proposals.layouts.seen import Seen, seen_in
from goldassay.proposals.layouts.unlike_people import cannot_be_people
from goldassay.proposals.layouts.who_rated import rater_column
from goldassay.proposals.profile import Column
from goldassay.proposals.shape import Shape, Table, person, some
from goldassay.ratings.vocabulary import GENERIC, is_machine, kind_of, words
from goldassay.sources.exploded import PLACE
from goldassay.sources.frames import Source
from goldassay.words import named

__all__ = ["shape_of"]


def shape_of(source: Source, columns: Mapping[str, Column], draft: Draft) -> Shape:
    """The layout of a table; what cannot be told is put into the draft as missing. What a task says
    already is so, and the rest is guessed to go with it."""
    table, shape = Table(source, columns), Shape()
    declared = Declaration.of(draft.declared, table)
    declared.place_columns(shape)
    if declared.values:
        _of_declared_values(table, shape, draft, declared)
    elif declared.criteria:
        declared.place_criteria(shape)
    elif declared.both_kinds:
        declared.place_raters(shape)
        paired_systems(table, shape)
        shape.sides |= any(names_sides(table, name) for name in declared.kinds)
    elif declared or not own_names(table, shape, draft):
        _look(seen_in(table, shape, draft, declared))
    declared.put_into(shape)
    return shape


def _of_declared_values(table: Table, shape: Shape, draft: Draft, declared: Declaration) -> None:
    """One column that is declared to hold the ratings, or one for each of several files."""
    rater = declared.rater or rater_column(table, shape, [*declared.values])
    if rater is not None and rater not in declared.values:
        long_table(table, shape, draft, (rater, declared.values[0]))
    else:
        alone(table, shape, draft, declared.values[0])
    if len(declared.values) > 1:
        shape.columns["value"] = list(declared.values)


def _look(seen: Seen) -> None:
    """The layout by what columns hold and are called: the first way that fits."""
    shape, draft = seen.shape, seen.draft
    ways = _OF_ANY if seen.own else (*_OF_PLAIN, *_OF_ANY)
    if not any(way(seen) for way in ways):
        if ask_of_findings(seen.table, seen.ratings, draft):
            return
        if seen.ratings and not is_to_be_filled(seen.table, seen.ratings):
            alone(seen.table, shape, draft, seen.value or seen.ratings[0])
        elif (left := value_left(seen.table, shape)) is not None:
            long_table(seen.table, shape, draft, left)
        elif none_is_filled(seen.table, draft):
            return
        else:
            ask_what_is_rated(seen.table, draft)
    if not seen.own and seen.rater is None and (what := what_files_are_of(seen.table, seen.roles)):
        rated_by_file(seen.table, shape, draft, what)
    else:
        named_by_files(seen.table, shape, draft)
    tell_again(seen.again, shape.rated, draft)


def _real_beside_said(seen: Seen) -> bool:
    """What was said of several criteria, and what each really is."""
    fits = seen.rater is None and bool(real_beside_said(seen.table, list(seen.roles)))
    if fits:
        by_rater(seen.table, seen.shape, seen.draft, seen.roles)
    return fits


def _ticked(seen: Seen) -> bool:
    ticks = ticked(seen.table)
    if ticks:
        with_ticks(seen.table, seen.shape, seen.draft, (ticks, seen.rater, seen.ratings))
    return bool(ticks)


def _ranked(seen: Seen) -> bool:
    cells = ranked_systems(seen.table)
    if not {*seen.ratings} <= cells.keys():  # something else is rated
        return False
    if cells:
        by_rank(seen.table, seen.shape, seen.draft, cells)
    return bool(cells)


def _scored_sides(seen: Seen) -> bool:
    paired = "opponent" in seen.shape.columns
    cells = scored_sides(seen.table, seen.ratings, paired=paired) if seen.several else None
    if cells and are_lettered_people(cells):
        about = {name: {"system": cell["system"]} for name, cell in cells.items()}
        question = f"Are {some(list(cells))} raters of their own? If a and b are the answers"
        seen.draft.ask(question, {"cells": about})
        return False
    if cells:
        by_rater_and_system(seen.table, seen.shape, seen.draft, cells)
        ask_of_sides_scored(seen.shape, seen.draft)
    return bool(cells)


def _score_pairs(seen: Seen) -> bool:
    verdicts = score_pairs(seen.table)
    if verdicts:
        by_the_higher_score(seen.table, seen.shape, seen.draft, (verdicts, seen.roles))
    return bool(verdicts)


def _criteria_of_files(seen: Seen) -> bool:
    shared = criteria_of_files(seen.table, seen.rater, seen.ratings)
    if shared:
        by_file(seen.table, seen.shape, seen.draft, (seen.rater, shared, seen.ratings))
    return bool(shared)


def _grid_of_a_form(seen: Seen) -> bool:
    grid = grid_of_a_form(seen.table, seen.rater)
    if grid:
        by_grid(seen.table, seen.shape, seen.draft, grid)
        ask_of_others([name for name in seen.ratings if name not in grid[1]], seen.draft)
    return bool(grid)


def _texts_by_criterion(seen: Seen) -> bool:
    if seen.rater is not None and (cells := systems_by_criterion(seen.ratings)):
        by_text_and_criterion(seen.table, seen.shape, seen.draft, cells, seen.rater)
        return True
    if seen.raters:
        return False
    cells = sides_by_criterion(seen.table, seen.ratings)
    cells = cells or texts_by_criterion(seen.table, seen.ratings)
    if not cells and seen.rater is None and kind_of(seen.table.stem) == "judge":
        cells = systems_by_criterion(seen.ratings)  # of one judge, by the file's name
        heads = list(dict.fromkeys(cell["system"] for cell in cells.values()))
        if heads and all({*words(head)} & GENERIC for head in heads):
            _ask_whose_scores(seen, cells, heads)
            return True
    if cells:
        by_text_and_criterion(seen.table, seen.shape, seen.draft, cells)
    return bool(cells)


def _ask_whose_scores(
    seen: Seen, cells: Mapping[str, Mapping[str, str]], heads: Sequence[str]
) -> None:
    """`api_scores` and `tuned_scores` of several criteria, in a judge's file: whose they are."""
    own, stem = seen.table.own, seen.table.stem
    judges = {
        own(n): {"rater": c["system"], "kind": "judge", "criterion": c["criterion"]}
        for n, c in cells.items()
    }
    systems = {own(n): {"rater": stem, "kind": "judge", **c} for n, c in cells.items()}
    seen.draft.lack(
        f"Are {some(heads)} several judges', or one judge's of several systems? Their names say "
        "neither",
        {"cells": judges},
        {"cells": systems},
    )


def _key_of_rows(seen: Seen) -> bool:
    key = key_of_rows(seen.table, seen.roles) if seen.rater is not None else None
    return bool(key) and _by_named_raters(seen, key or {})


def _criteria_of_both(seen: Seen) -> bool:
    """Judges in rows and people in columns, each of several criteria."""
    roles = criteria_of_both(seen.table, seen.roles, seen.rater)
    return bool(roles) and _by_named_raters(seen, roles)


def _both_kinds(seen: Seen) -> bool:
    fits = seen.rater is not None and both_kinds(seen.roles) and not seen.per_criterion
    return fits and _by_named_raters(seen, seen.roles)


def _by_named_raters(seen: Seen, roles: Mapping[str, str | None]) -> bool:
    """A column that names raters beside columns of both kinds names those of its own kind."""
    rater, shape = str(seen.rater), seen.shape
    by_rater(seen.table, shape, seen.draft, roles)
    kind = kind_of(rater) or "human"
    if kind == "judge" and "judge" not in words(rater) and not is_machine(rater):
        # `scorer`: who is called as no machine is
        names = seen.table.columns[rater].labels
        kind = "judge" if any(kind_of(name) == "judge" for name in names) else "human"
    mine = [cell for cell in shape.cells.values() if cell["kind"] == kind]
    if len({cell["rater"] for cell in mine}) == 1 or all("criterion" in cell for cell in mine):
        for cell in mine:
            del cell["rater"]
        shape.columns["rater"] = rater
        seen.draft.assume(Weight.COLUMNS, f"{named(rater)} names the {person(kind)}")
    return True


def _files_apart(seen: Seen) -> bool:
    apart = in_their_own_way(seen.table, seen.ratings, seen.rater)
    if apart:
        each_in_its_way(seen.table, seen.shape, seen.draft, apart)
    return bool(apart)


def _judge_by_file(seen: Seen) -> bool:
    by = labels_in_every_file(seen.table, seen.roles, seen.rater)
    if by:
        judge_by_file(seen.table, seen.shape, seen.draft, by)
    return bool(by)


def _scored_verdicts(seen: Seen) -> bool:
    scored = scored_verdicts(seen.table, seen.ratings) if seen.rater is None else None
    if scored:
        with_scores(seen.table, seen.shape, seen.draft, scored)
    return bool(scored)


def _row_per_rating(seen: Seen) -> bool:
    if seen.rater is None:
        return False
    criteria = are_criteria(seen.ratings) or _of_one_range(seen)
    one = seen.value and (seen.shape.sides or not criteria)
    if not (seen.own or len(seen.ratings) == 1 or one):
        return False
    value = "value" if seen.own else seen.value or seen.ratings[0]
    long_table(seen.table, seen.shape, seen.draft, (seen.rater, value))
    if seen.own:
        files_of_one(seen.table, seen.shape, seen.draft)
    return True


#: So many columns on one scale beside one that may be called a rating are criteria, as it is.
_ALIKE = 2


def _of_one_range(seen: Seen) -> bool:
    """Whether the column that is called a rating is called after what is rated (`sentiment`), and
    several others have its very grades."""
    if seen.value is None or {*words(seen.value)} & GENERIC:
        return False
    columns, mine = seen.table.columns, seen.table.folds(seen.value)
    alike = [n for n in seen.ratings if n != seen.value and seen.table.folds(n) == mine]
    return columns[seen.value].numeric and len(mine) > 2 and len(alike) >= _ALIKE


def _verdict_unnamed(seen: Seen) -> bool:
    """A column that names judges and one of people or a key, and several that say nothing of who
    rated: the judges' is the only one with labels like these, and is asked for where there is
    none beside people's."""
    people = [name for name, kind in seen.roles.items() if kind in ("human", "reference")]
    others = [name for name, kind in seen.roles.items() if kind is None]
    judged = seen.rater is not None and kind_of(seen.rater) == "judge"
    if not judged or len(people) != 1 or not others or len(seen.roles) != len(others) + 1:
        return False
    mine = [name for name in others if alike(seen.table, name, people[0])]
    mine = [seen.value] if seen.value in mine else mine
    if len(mine) == 1 and seen.table.columns[people[0]].filled:
        ask_of_others([name for name in others if name not in mine], seen.draft)
        return _by_named_raters(seen, {people[0]: str(seen.roles[people[0]]), mine[0]: "judge"})
    if seen.roles[people[0]] == "reference" or len(others) < 2 or seen.value is not None:
        return False
    seen.draft.lack(
        f"Which column holds what the judges in {named(str(seen.rater))} said? "
        f"{some(mine or others)} say nothing of who rated",
        *({"wide": {"human": people, "judge": [name]}} for name in (mine or others)[:2]),
    )
    return True


def _row_per_rater(seen: Seen) -> bool:
    mine = [n for n, kind in seen.roles.items() if kind == "judge" and not about_of(n)]
    others = [n for n in seen.roles if n not in mine]
    judged = seen.rater is not None and kind_of(seen.rater) == "judge" and len(mine) == 1
    if judged and others and not any(kind_of(name) or asks(name) for name in others):
        # `judge` is what the named judge said, and `heuristic` no criterion of it
        ask_of_others(others, seen.draft)
        long_table(seen.table, seen.shape, seen.draft, (str(seen.rater), mine[0]))
        return True
    fits = seen.rater is not None and seen.several
    if fits:
        by_criterion(seen.table, seen.shape, seen.draft, (seen.rater, seen.ratings))
    return fits


def _systems_in_lists(seen: Seen) -> bool:
    if not seen.several or PLACE in seen.table.columns:
        return False
    lists = systems_in_lists(seen.ratings)
    lists = lists and (with_whose(lists) or lists)
    numbers = {n: cell for n, cell in lists.items() if seen.table.columns[n].numeric}
    lists = numbers if len(numbers) > 1 else lists  # a word beside grades is no grade
    kind = kind_of(seen.table.stem) or "human"
    for cell in lists.values():
        cell |= {"rater": cell["rater"] or seen.table.stem, "kind": cell.get("kind", kind)}
    if lists:
        by_rater_and_system(seen.table, seen.shape, seen.draft, lists)
    return bool(lists)


def _of_systems(seen: Seen) -> dict[str, dict[str, str]]:
    return raters_of_systems(seen.ratings, [n for n in seen.table.columns if n not in seen.ratings])


def _column_per_rater_and_system(seen: Seen) -> bool:
    named_ = seen.several and seen.rater is None
    cells = systems_on_criteria(seen.ratings) if named_ else {}
    cells = cells or (_of_systems(seen) if named_ else {})
    cells = cells or (rated_systems(seen.table, seen.ratings) if seen.several else {})
    if cells:
        by_rater_and_system(seen.table, seen.shape, seen.draft, cells)
    return bool(cells)


def _column_per_system(seen: Seen) -> bool:
    fits = seen.several and bool(named_systems(seen.table, seen.ratings))
    if fits:
        by_system(seen.table, seen.shape, seen.draft, seen.ratings)
    return fits


def _unlike_people(seen: Seen) -> bool:
    fits = seen.several and not seen.raters and not seen.by_value
    if fits and (like_criteria(seen.ratings) or cannot_be_people(seen.table, seen.ratings)):
        by_criterion(seen.table, seen.shape, seen.draft, (None, seen.ratings))
        return True
    return False


def _column_per_rater(seen: Seen) -> bool:
    people = seen.several and (bool(seen.raters) or not are_criteria(seen.ratings))
    fits = people and not seen.by_value
    if fits:
        by_rater(seen.table, seen.shape, seen.draft, seen.roles)
    return fits


def _column_per_criterion(seen: Seen) -> bool:
    fits = seen.several and are_criteria(seen.ratings)
    if fits:
        by_criterion(seen.table, seen.shape, seen.draft, (None, seen.ratings))
    return fits


#: Ways of tables whose columns have names of their own; a former one is rarer and surer.
_OF_PLAIN: tuple[Callable[[Seen], bool], ...] = (
    sums_up,
    statistics_of_people,
    scores_of_two_answers,
    _real_beside_said,
    best_and_worst,
    orders_in_cells,
    places,
    agreement_only,
    marks_of_rows,
    names_in_cells,
    lists_in_lists,
    _ticked,
    _ranked,
    _scored_sides,
    _score_pairs,
    _criteria_of_files,
    _grid_of_a_form,
    people_in_rows,
    votes_for_several,
    _texts_by_criterion,
    _key_of_rows,
    _criteria_of_both,
    _both_kinds,
    _files_apart,
    _judge_by_file,
)
#: Ways of any table, after those.
_OF_ANY: tuple[Callable[[Seen], bool], ...] = (
    _scored_verdicts,
    _verdict_unnamed,
    _row_per_rating,
    _row_per_rater,
    _systems_in_lists,
    _column_per_rater_and_system,
    _column_per_system,
    _unlike_people,
    _column_per_rater,
    _column_per_criterion,
)
