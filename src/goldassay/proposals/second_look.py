"""A second look at a reading that is found: the whole of it against what the table holds.

Every rule that finds a reading looks at a part of the table. Here the ratings are taken as they
would be read, whatever way was found, and held against what ratings are like: raters of one item
share labels, a scale has two, what several give to the same items is a label, and somebody differs
from somebody. What is not so is taken back and asked about, and the table is read once more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations
from typing import Any

from goldassay.frozen import dataclass
from goldassay.proposals.against_columns import (
    is_called_rating,
    of_a_factor,
    of_a_winner_again,
    of_an_unnamed_judge,
    of_lone_users,
    of_no_common_word,
    of_no_name,
    of_nobody_named,
    of_several_words,
    of_strangers,
    of_sums_by_name,
    of_what_was_computed,
)
from goldassay.proposals.doubts import ENOUGH, UNANSWERED, Doubts
from goldassay.proposals.draft import Draft
from goldassay.proposals.empty_cells import ask_of_empty_cells
from goldassay.proposals.evidence import of_a_check, of_a_cut, of_few_rows, of_one_valued_keys
from goldassay.proposals.labels.odd_labels import cannot_rate
from goldassay.proposals.shape import Shape, Table
from goldassay.ratings.fetch import fetch
from goldassay.ratings.vocabulary import folded, kind_of
from goldassay.sources.frames import ROW
from goldassay.words import named

__all__ = ["second_look"]

#: So many rows are looked at.
_ROWS = 20_000


@dataclass(frozen=True)
class _Said:
    """One rating as it would be read: of which item, by whom, in which column, what."""

    unit: tuple[str, ...]
    rater: str
    column: str
    label: str


def second_look(table: Table, shape: Shape, draft: Draft) -> Doubts:
    """What is to be taken back of a reading; nothing where it may be as it is."""
    if draft.declared.table("cells") or draft.declared.table("columns").keys() & {"value", "item"}:
        return Doubts()
    declared = {*chain(*draft.declared.table("wide").values())}  # is so
    for look in _BY_NAME:
        found = look(table, shape)
        if found and not declared & {*found.left_out}:
            return found
    if draft.missing or not shape.rated:
        return Doubts()
    if declared:
        found = _of_another_key(list(_ratings(table, shape)), shape, draft)
        return Doubts() if declared & {*found.left_out} else found
    if of_an_unnamed_judge(table, shape, draft) or of_nobody_named(table, shape, draft):
        return Doubts()
    if of_a_cut(table, shape, draft):
        return Doubts()
    if of_what_was_computed(table, shape, draft) or of_no_name(table, shape, draft):
        return Doubts()
    said = list(_ratings(table, shape))
    if ask_of_empty_cells(table, _by_column(said), shape, draft):
        return Doubts()
    if _of_a_judge_again(said, shape, draft):
        return Doubts()
    _ask_of_disputed_items(said, shape, draft)
    return (
        _of_other_labels(said, draft)
        or _of_an_echo(said, shape)
        or _of_another_key(said, shape, draft)
        or of_strangers(table, shape, draft)
        or _of_one_label(said, shape, draft)
        or _of_the_item(said, shape, draft)
        or _given_alike(said, shape, draft)
    )


#: Looks at what columns are called and hold, whatever is asked for besides.
_BY_NAME = (
    of_a_winner_again,
    of_a_factor,
    of_sums_by_name,
    of_several_words,
    of_no_common_word,
    of_lone_users,
    of_few_rows,
    of_a_check,
    of_one_valued_keys,
)


def _ratings(table: Table, shape: Shape) -> Iterator[_Said]:
    """The ratings of the first rows, as the shape reads them."""
    item = shape.columns.get("item", ROW)
    key = [item] if isinstance(item, str) else list(item)
    key += [
        one for ours in ("criterion", "system") if isinstance(one := shape.columns.get(ours), str)
    ]
    rater, alone = shape.columns.get("rater"), shape.constants.get("rater", "")
    value = shape.columns.get("value")
    values = {value: {}} if isinstance(value, str) else shape.cells
    wanted = [*dict.fromkeys([*key, *([rater] if isinstance(rater, str) else []), *values])]
    names = [name for name in wanted if name in table.columns]
    if not values or not names or table.source.parts:
        return
    rows = fetch(table.source.frame.select(*names).head(_ROWS), place=table.source.name)
    cells: dict[str, list[Any]] = {name: list(rows[name]) for name in names}
    for row in range(len(cells[names[0]])):
        unit = tuple(str(cells[one][row]) if one in cells else str(row) for one in key)
        for column, about in values.items():
            label = folded(str(cells[column][row] or "")) if column in cells else ""
            who = about.get("rater") or (str(cells[rater][row]) if rater in cells else alone)
            if label and who:
                of = (*unit, *(about.get(one, "") for one in ("item", "criterion", "system")))
                yield _Said(of, who, column, label)


def _by_column(said: Sequence[_Said]) -> dict[str, dict[tuple[str, ...], str]]:
    """Column -> unit -> what it says there."""
    by: dict[str, dict[tuple[str, ...], str]] = {}
    for one in said:
        by.setdefault(one.column, {})[one.unit] = one.label
    return by


def _of_other_labels(said: list[_Said], draft: Draft) -> Doubts:
    """A rater's column whose words nobody else uses, where others share theirs: names of people, or
    another question."""
    more = len(draft.task.get("options", ())) > 2  # than a scale of two that was declared
    if draft.task.get("scale") not in ("nominal", "binary") or not more:
        return Doubts()
    by: dict[str, set[str]] = {}
    for one in said:
        by.setdefault(one.column, set()).add(one.label)
    odd = [
        name
        for name, mine in by.items()
        if all(mine.isdisjoint(theirs) for other, theirs in by.items() if other != name)
    ]
    if len(by) < 3 or len(by) - len(odd) < 2:
        return Doubts()
    return Doubts(dict.fromkeys(odd, "No label in it is another rater's"))


def _of_an_echo(said: list[_Said], shape: Shape) -> Doubts:
    """A judge's column that names nobody and says in every row what a person's says, beside another
    judge's: that person again under another name. And a mark that is not called a rating, and
    stands for the labels of nobody's column one by one: what follows from that (`filtered`)."""
    by = _by_column(said)
    kinds = {name: cell.get("kind") for name, cell in shape.cells.items()}
    judges = [n for n in by if kinds.get(n) == "judge"]
    people = [n for n in by if kinds.get(n) in ("human", "reference")]
    unnamed = [n for n in judges if kind_of(n) is None and len(judges) > 1]
    unnamed = [n for n in unnamed if "sample" not in shape.cells[n]]  # one of a judge's runs
    pairs = [(name, other) for name in unnamed for other in people]
    called = [name for name in by if is_called_rating(name) and kind_of(name) is None]
    marks = [n for n in by if not is_called_rating(n) and {*by[n].values()} <= _MARKS]
    follows = [(name, other) for name in marks for other in called]
    for name, other in [*pairs, *follows]:
        mine, both = by[name], by[name].keys() & by[other].keys()
        if len(both) < max(ENOUGH, len(mine)) or len({*mine.values()}) < 2:
            continue
        if (name, other) in pairs and all(mine[u] == by[other][u] for u in both):
            return Doubts({name: f"It says in every row what {named(other)} says"})
        if (name, other) in follows and _stand_for(mine, by[other]):
            return Doubts({name: f"Every label of it stands for one of {named(other)}"})
    return Doubts()


def _of_a_judge_again(said: list[_Said], shape: Shape, draft: Draft) -> bool:
    """The only person, whom nothing names, says in every row what one of several judges says, and
    another judge does not (`label` beside `judge_label`): whether somebody said it is asked."""
    by = _by_column(said)
    kinds = {name: cell.get("kind") for name, cell in shape.cells.items()}
    people = [name for name in by if kinds.get(name) != "judge"]
    judges = [name for name in by if kinds.get(name) == "judge"]
    if len(people) != 1 or len(judges) < 2 or kind_of(people[0]) is not None:
        return False
    mine = by[people[0]]
    again = [n for n in judges if mine.keys() == by[n].keys() and mine == by[n]]
    if len(mine) < ENOUGH or len({*mine.values()}) < 2 or not 0 < len(again) < len(judges):
        return False
    draft.lack(
        f"Whose labels are in {named(people[0])}? It says in every row what {named(again[0])} says",
        {"wide": {"judge": [*people, *judges]}},
        {"wide": {"human": people, "judge": judges}},
    )
    return True


def _ask_of_disputed_items(said: list[_Said], shape: Shape, draft: Draft) -> None:
    """The only judge never says what the only person says, though both use the same two labels:
    these may be the items on which they differ."""
    by = _by_column(said)
    kinds = {name: cell.get("kind") for name, cell in shape.cells.items()}
    people = [name for name in by if kinds.get(name) in ("human", "reference")]
    judges = [name for name in by if kinds.get(name) == "judge"]
    if len(people) != 1 or len(judges) != 1 or len({one.rater for one in said}) != 2:
        return
    mine, theirs = by[people[0]], by[judges[0]]
    both = mine.keys() & theirs.keys()
    used = [{one[unit] for unit in both} for one in (mine, theirs)]
    if len(both) < ENOUGH or used[0] != used[1] or len(used[0]) != 2:
        return
    if not any(mine[unit] == theirs[unit] for unit in both):
        draft.ask(
            f"Are these the items on which {named(judges[0])} and {named(people[0])} differ? They "
            f"agree on none of {len(both):,}; if so, how often they agree cannot be told from them"
        )


def _of_another_key(said: list[_Said], shape: Shape, draft: Draft) -> Doubts:
    """An answer key of several options that never has the one which judges give most (`safe`): what
    was tried (`target_harm`), and not what is right."""
    kinds = {name: cell.get("kind") for name, cell in shape.cells.items()}
    keys = [name for name, kind in kinds.items() if kind == "reference"]
    given = Counter(one.label for one in said if kinds.get(one.column) == "judge")
    if len(keys) != 1 or "human" in kinds.values() or len(draft.task.get("options", ())) < 3:
        return Doubts()
    usual, rows = given.most_common(1)[0] if given else ("", 0)
    labels = {one.label for one in said if one.column == keys[0]}
    if 2 * rows <= given.total() or given.total() < ENOUGH or usual in labels or len(labels) < 2:
        return Doubts()
    return Doubts({keys[0]: f"It never has {named(usual)}, which judges give most"})


#: What a mark of a row says.
_MARKS = frozenset(["true", "false", "yes", "no"])


def _stand_for(mine: Mapping[tuple[str, ...], str], theirs: Mapping[tuple[str, ...], str]) -> bool:
    """Whether labels go with others one by one, and none is the same."""
    pairs = {(mine[unit], theirs[unit]) for unit in mine.keys() & theirs.keys()}
    one, two = ({pair[k] for pair in pairs} for k in (0, 1))
    return len(pairs) == len(one) == len(two) and one.isdisjoint(two)


def _of_one_label(said: list[_Said], shape: Shape, draft: Draft) -> Doubts:
    """A column of ratings all of which say one thing, words for "no rating" aside, where another
    column was passed over."""
    value = shape.columns.get("value")
    options = draft.task.get("options", ())
    if not isinstance(value, str) or len(options) != 1 or not _passed_over(draft):
        return Doubts()
    return Doubts({value: f"It says nothing but {named(options[0])}"})


#: So many times as many items as say something.
_TIMES_ALIKE = 3


def _of_the_item(said: list[_Said], shape: Shape, draft: Draft) -> Doubts:
    """Of a table that names its raters in rows, columns in which nobody ever differs from another
    rater of the item, where others do, or one was passed over: properties of the item."""
    if "rater" not in shape.columns:
        return Doubts()
    by: dict[str, dict[tuple[str, ...], list[str]]] = {}
    for one in said:
        if "rater" not in shape.cells.get(one.column, {}):
            by.setdefault(one.column, {}).setdefault(one.unit, []).append(one.label)
    several = {c: [x for x in units.values() if len(x) > 1] for c, units in by.items()}
    differ = {c for c, found in several.items() if any(len({*one}) > 1 for one in found)}
    varied = {c for c, units in by.items() if len({x for one in units.values() for x in one}) > 1}
    used = {c: {x for one in units.values() for x in one} for c, units in by.items()}
    same = [c for c in varied - differ if len(several[c]) >= ENOUGH]
    # What several criteria say too may be said alike of a few items by chance.
    kin = {c: sum(used[c] <= used[other] for other in differ) for c in same}
    same = [c for c in same if kin[c] < 2 or len(several[c]) >= _TIMES_ALIKE * ENOUGH]
    if not same or not (differ or _passed_over(draft)):
        return Doubts()
    return Doubts(dict.fromkeys(same, "An item has the same in it whoever rates it"))


def _passed_over(draft: Draft) -> bool:
    """Whether a column was left out that may hold the ratings."""
    return any("hold ratings too?" in question for question in draft.questions)


#: Words by which raters agree that yes and no do not apply: no third grade beside these.
_NOT_ASKED = frozenset(
    [
        *(
            "n/a",
            "na",
            "n.a.",
            "not applicable",
            "not_applicable",
            "inapplicable",
            "skip",
            "skipped",
        ),
        *("none", "null", "nan", "-", "--", "nil", "no answer", "blank", "empty", "n / a"),
    ]
)
#: Two raters who give a word to the same items this often more than by chance mean something.
_TIMES, _FEWEST = 2.0, 3


def _given_alike(said: list[_Said], shape: Shape, draft: Draft) -> Doubts:
    """Words for "no rating" that several raters give to the same items: what cannot be read, or is
    abstained from, one rater's slip is not another's. And words for a machine that gives no answer
    (`refused`) which people give: they say it of what they rate."""
    if draft.declared.task.keys() & {"abstain", "invalid", "options", "scale"}:
        return Doubts()
    out = {folded(one): one for key in ("abstain", "invalid") for one in draft.task.get(key, ())}
    # Raters lack the same evidence for the same items: that they cannot assess them is no label.
    out = {word: spelled for word, spelled in out.items() if not cannot_rate(word)}
    if draft.task.get("scale") == "binary":
        out = {word: spelled for word, spelled in out.items() if word not in _NOT_ASKED}
    if not out:
        return Doubts()
    by: dict[str, dict[tuple[str, ...], str]] = {}
    for one in said:
        by.setdefault(one.rater, {})[one.unit] = one.label
    found = {word: spelled for word, spelled in out.items() if _is_shared(word, by)}
    if {one.kind for one in shape.used} == {"human"}:
        often = Counter(one.label for one in said)
        found |= {w: s for w, s in out.items() if w in UNANSWERED and often[w] >= _FEWEST}
    return Doubts(options=found)


def _is_shared(word: str, by: Mapping[str, Mapping[tuple[str, ...], str]]) -> bool:
    """Whether two raters give a word to the same items far oftener than chance would have it."""
    counts: Counter[str] = Counter()
    expected = 0.0
    users = [labels for labels in by.values() if word in labels.values()]
    for one, two in combinations(users[:8], 2):
        units = one.keys() & two.keys()
        first, second = (sum(labels[u] == word for u in units) for labels in (one, two))
        counts["both"] += sum(one[u] == two[u] == word for u in units)
        counts["fewer"] += min(first, second)
        expected += first * second / len(units) if units else 0.0
    both = counts["both"]
    return both >= _FEWEST and 2 * both >= counts["fewer"] and both >= _TIMES * expected
