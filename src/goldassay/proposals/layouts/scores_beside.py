"""A number beside a judge's verdict: a probability, which is read, or how sure it says it is."""

from __future__ import annotations

from goldassay.proposals.draft import Draft, Weight
from goldassay.proposals.profile import Column, counted
from goldassay.proposals.shape import Shape, Table
from goldassay.ratings.vocabulary import GENERIC, folded, number, plain_name, positive_of, words
from goldassay.words import named

__all__ = ["scores_beside"]

#: Words of columns that say how sure a judge was, or how probable an option is to it.
_SURE = frozenset(
    ["confidence", "conf", "prob", "probability", "proba", "certainty", "score", "p", "likelihood"]
)
#: Words of any judge.
_ANY_JUDGE = frozenset(["judge", "llm", "model", "ai", "auto", "pred", "predicted", "prediction"])
#: The share of rows in which a probability must go with the verdict.
_NEARLY_ALL = 0.98
#: Fewer rows may go together by chance.
_ENOUGH = 10


def scores_beside(table: Table, shape: Shape, draft: Draft) -> None:
    """Numbers beside judges' verdicts: named always, read as the judge's score where they go with
    the verdict (high for the option that is counted, low for the other)."""
    judges = [name for name, cell in shape.cells.items() if cell.get("kind") == "judge"]
    for judge in judges:
        if not table.columns[judge].few or "cut" in shape.cells[judge]:
            continue
        name = _beside(table, shape, judge, alone=len(judges) == 1)
        if name is None:
            continue
        if _goes_with(table, judge, name):
            shape.cells[judge]["score"] = name
            draft.assume(
                Weight.COLUMNS,
                f"{named(name)} is the score behind the verdicts in {named(judge)}: the higher, "
                "the likelier the option that is counted",
            )
        else:
            draft.ask(
                f"Does {named(name)} say how sure {named(judge)} is? It is not read; goldassay "
                "route --signal confidence reads it with",
                {"cells": {judge: {"score": name}}},
            )


def _beside(table: Table, shape: Shape, judge: str, *, alone: bool) -> str | None:
    """The column of numbers that is about this judge."""
    mine = {w for w in words(judge) if w not in GENERIC}
    for name, column in table.columns.items():
        said = set(words(name))
        if name in shape.taken or not said & _SURE or not _is_share(column):
            continue
        if _is_of_others(name, shape):
            continue
        about = {w for w in said if w not in _SURE | GENERIC | table.folds(judge)}
        if (about and about <= mine) or (not about and alone):
            return name
        if alone and about <= _ANY_JUDGE:
            return name
    return None


def _is_of_others(name: str, shape: Shape) -> bool:
    """Whether a column is called after people's: `relevant:confidence` is of `relevant`."""
    begun = [one for one in shape.cells if plain_name(name).startswith(f"{plain_name(one)}_")]
    owner = max(begun, key=len, default=None)
    return owner is not None and shape.cells[owner].get("kind") != "judge"


def _is_share(column: Column) -> bool:
    """Numbers from 0 to 1, or to 100, of more than two values."""
    values = [v for one in column.labels if (v := number(one)) is not None]
    return column.numeric and len(values) > 2 and all(0 <= v <= 100 for v in values)


def _goes_with(table: Table, judge: str, name: str) -> bool:
    """Whether one cut of the numbers tells the verdicts apart in nearly all rows, the counted
    option above it."""
    labels = sorted({folded(label) for label in table.columns[judge].labels})
    positive = positive_of(*labels) if len(labels) == 2 else None
    if positive is None:
        return False
    pairs = [
        (value, folded(said) == positive, rows)
        for (said, text), rows in counted(table.source, judge, name).items()
        if said and (value := number(text)) is not None
    ]
    total = sum(rows for *_, rows in pairs)
    right = best = sum(rows for _, yes, rows in pairs if yes)  # all are taken for positive
    below = None
    for value, yes, rows in sorted(pairs):
        if value != below:
            best, below = max(best, right), value
        right += -rows if yes else rows
    told_apart = max(best, right) >= _NEARLY_ALL * total
    return total >= _ENOUGH and told_apart and 0 < _positives(pairs) < total


def _positives(pairs: list[tuple[float, bool, int]]) -> int:
    return sum(rows for _, yes, rows in pairs if yes)
