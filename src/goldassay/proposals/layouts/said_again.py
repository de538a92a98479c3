"""Columns that say again what another one says: a code beside its name, a copy under another name.

`label_index` beside `label_name` would be a second rater in perfect agreement, and `groundedness`
beside an equal `gpt_groundedness` a person whom the judge never contradicts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from goldassay.proposals.cells.within import label_within
from goldassay.proposals.draft import Draft, Weight
from goldassay.proposals.layouts.column_names import CALLED_RATINGS, about_of
from goldassay.proposals.profile import Column, counted
from goldassay.proposals.shape import Table
from goldassay.ratings.vocabulary import GENERIC, folded, kind_of, number, words
from goldassay.sources.frames import Source
from goldassay.sources.score_pairs import KEY, VERDICT
from goldassay.words import named

__all__ = ["answers_read", "codes_of", "copies_of", "tell_again"]

#: Fewer rows may be equal by chance; and two labels may in more.
_ENOUGH, _FEWEST_LABELS = 10, 3
#: The share of answers that must say what stands beside them in a judge's column.
_NEARLY_ALL = 0.95
#: The fewest rows in all of which an answer says what a column that names nobody does.
_ENOUGH_OF_NOBODY = 30
#: Words that tell a code from the name of what it stands for.
_WAYS = GENERIC | frozenset(
    ["code", "id", "idx", "index", "metadata", "name", "num", "str", "string", "text"]
)


def codes_of(table: Table) -> dict[str, str]:
    """Column of numbers -> the column of the same name with a word for each of them; the words say
    again what the numbers say where a judge answers in these."""
    few = [name for name, column in table.columns.items() if column.few]
    pairs = [(one, two) for one in few for two in few if _is_code(table, one, two)]
    pairs = [(two, one) if _a_judge_says(table, one) else (one, two) for one, two in pairs]
    return dict(pairs) | {one: VERDICT for one in few if _says_which_is_higher(table, one)}


def copies_of(table: Table, ratings: Sequence[str]) -> dict[str, str]:
    """Column that names nobody -> the judge's column that it is equal to, or that it cuts."""
    return {
        one: two
        for one in ratings
        for two in ratings
        if (
            _of_one_judge(table, one, two)
            and (_is_copy(table, one, two) or _is_cut(table, one, two))
        )
        or _is_raw(table, one, two)
        or _is_made_again(table, one, two)
    }


def _is_raw(table: Table, name: str, other: str) -> bool:
    """Whether a column that is called raw (`raw_output`) says in every row what one that is called
    a rating says: what that was read from."""
    mine, theirs = table.columns[name], table.columns[other]
    if (
        "raw" not in words(name)
        or "raw" in words(other)
        or not {*words(other)} & (CALLED_RATINGS | {"decision"})
    ):
        return False
    if mine.filled < _ENOUGH or len(mine.labels) < 2 or table.folds(name) != table.folds(other):
        return False
    return mine.few and theirs.few and all(_equal(*pair) for pair in _together(table, name, other))


def _is_made_again(table: Table, name: str, other: str) -> bool:
    """Whether a column is called after another and how its numbers were made of those
    (`normalised_rating` of `rating`), and goes with them one by one."""
    made = [word for word in words(name) if word not in words(other)]
    if not made or not {*made} <= _SCALED or {*words(other)} - {*words(name)}:
        return False
    one, two = table.columns[name], table.columns[other]
    if not (one.numeric and two.numeric) or one.filled < _ENOUGH:
        return False
    pairs = {p for p in _together(table, name, other) if all(p)}
    return len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs})


#: Words of numbers that were made of others.
_SCALED = frozenset(
    ["normalised", "normalized", "norm", "scaled", "rescaled", "standardised", "standardized"]
)


def answers_read(source: Source, columns: Mapping[str, Column]) -> frozenset[str]:
    """Texts out of which a label would be read that another column holds in nearly every row: the
    answer whose verdict somebody wrote beside it, and no second rater."""
    texts = [name for name, one in columns.items() if one.reads is not None]
    short = [
        name
        for name, one in columns.items()
        if one.reads is None and not one.text and kind_of(name) not in ("human", "reference")
    ]
    return frozenset(
        name
        for name in texts
        if any(_is_read_from(source, columns[name], columns[other]) for other in short)
    )


def _is_read_from(source: Source, answer: Column, label: Column) -> bool:
    said = {folded(one) for one in label.labels}
    if not said & {folded(one) for one in answer.labels} or len(said) < 2:
        return False
    # Who is not named as a judge may be a person with whom a good judge agrees in most rows.
    judges = kind_of(label.name) == "judge"
    least, share = (_ENOUGH, _NEARLY_ALL) if judges else (_ENOUGH_OF_NOBODY, 1.0)
    both = same = 0
    for (text, beside), rows in counted(source, answer.name, label.name).items():
        read = label_within(text, answer.reads)
        if beside and read != text:
            both, same = both + rows, same + rows * _equal(read, beside)
    return both >= least and same >= share * both


def _equal(one: str, two: str) -> bool:
    numbers = number(one), number(two)
    return folded(one) == folded(two) or (None not in numbers and numbers[0] == numbers[1])


def tell_again(again: Mapping[str, str], rated: Iterable[str], draft: Draft) -> None:
    """What is left out because a column that is read says it too."""
    for name, other in again.items():
        if other in rated:
            draft.assume(
                Weight.COLUMNS,
                f"{named(name)} says again what {named(other)} says, and is left out",
            )


def _is_code(table: Table, name: str, other: str) -> bool:
    """Whether a column holds numbers for the words of another of the same name, one for each."""
    mine, theirs = table.columns[name], table.columns[other]
    same = name != other and ({*words(name)} - _WAYS == {*words(other)} - _WAYS != set())
    codes = mine.numeric and not theirs.numeric and len(mine.labels) == len(theirs.labels) > 1
    codes = codes and not any(label[:1] in "{[" for label in theirs.labels)  # what it stands in
    return same and codes and len(_together(table, name, other)) == len(mine.labels)


def _a_judge_says(table: Table, code: str) -> bool:
    """Whether a judge answers in the numbers of a code, of which there are more than two."""
    mine = {*table.columns[code].labels}
    return len(mine) > 2 and any(
        kind_of(name) == "judge" and len(column.labels) > 2 and {*column.labels} <= mine
        for name, column in table.columns.items()
        if name != code
    )


def _says_which_is_higher(table: Table, name: str) -> bool:
    """Whether a column has a label for each side, and says of every row which score is higher."""
    if VERDICT not in table.columns or name in (VERDICT, KEY) or kind_of(name) is not None:
        return False
    mine, theirs = table.columns[name], table.columns[VERDICT]
    if not len(mine.labels) == len(theirs.labels) > 1 or mine.filled < _ENOUGH:
        return False
    return len(_together(table, name, VERDICT)) == len(mine.labels)


def _of_one_judge(table: Table, name: str, other: str) -> bool:
    """Whether a column that names nobody is called after what a judge's grades are of."""
    mine, theirs = table.columns[name], table.columns[other]
    if kind_of(name) is not None or kind_of(other) != "judge" or not about_of(name):
        return False
    enough = mine.filled >= _ENOUGH and len(theirs.labels) >= _FEWEST_LABELS
    return about_of(name) == about_of(other) and enough


def _is_copy(table: Table, name: str, other: str) -> bool:
    """Whether a column holds in every row what the judge's does: as a person it would be one who
    always agrees."""
    if dict(table.columns[name].labels) != dict(table.columns[other].labels):
        return False
    return all(folded(one) == folded(two) for one, two in _together(table, name, other))


def _is_cut(table: Table, name: str, other: str) -> bool:
    """Whether two labels are what a cut of the judge's numbers makes of them in every row."""
    if len(table.columns[name].labels) != 2 or not table.columns[other].numeric:
        return False
    by: dict[str, list[float]] = {}
    for label, text in _together(table, name, other):
        if label and (value := number(text)) is not None:
            by.setdefault(label, []).append(value)
    low, high = sorted(by.values(), key=min) if len(by) == 2 else ([0.0], [0.0])
    return max(low) < min(high)


def _together(table: Table, name: str, other: str) -> Mapping[tuple[str, ...], int]:
    return counted(table.source, name, other)
