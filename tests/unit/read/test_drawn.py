"""A drawn family of plain tables is read in silence and right; with a trap beside never wrongly."""

from __future__ import annotations

import importlib.util
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from goldassay.read.arguments import from_options, options_of
from goldassay.read.contents import text_of
from goldassay.read.decision import Answer, Decision, decide
from goldassay.read.declaring import declared_table
from goldassay.read.records import File

PLACE = Path(__file__).with_name("drawn.py")
SPEC = importlib.util.spec_from_file_location("drawn_tables", PLACE)
assert SPEC is not None
assert SPEC.loader is not None
drawn: Any = importlib.util.module_from_spec(SPEC)
sys.modules["drawn_tables"] = drawn
SPEC.loader.exec_module(drawn)


def is_right(decision: Decision, wanted: Any) -> bool:
    """Whether kinds, counts of values and items are those of the table."""
    if decision.table is None or decision.table.items != wanted.items:
        return False
    said = [(kind, Counter(counts)) for (kind, _, _), counts in decision.table.counts().items()]
    left = [(k, Counter({text_of(v): n for v, n in c.items()})) for k, c in wanted.counts]
    for one in said:
        if one not in left:
            return False
        left.remove(one)
    return not left


def outcomes(first: int, last: int) -> Counter[tuple[str, str, bool]]:
    found: Counter[tuple[str, str, bool]] = Counter()
    for seed in range(first, last):
        one = drawn.table(seed)
        decision = decide(one.columns)
        found[one.shape, decision.answer.value, is_right(decision, one)] += 1
    return found


def test_plain_tables_are_read_in_silence_and_right() -> None:
    found = outcomes(0, 200)
    right = sum(n for (_, answer, same), n in found.items() if answer == "read" and same)
    wrong = sum(n for (_, answer, same), n in found.items() if answer == "read" and not same)
    assert right >= 190, found
    assert wrong == 0, found


def test_with_a_column_that_is_no_rater_nothing_is_read_wrongly() -> None:
    wrong = []
    for seed in range(150):
        one, trap = drawn.with_trap(seed)
        decision = decide(one.columns)
        if decision.table is not None and seed < 50:  # what is offered gives back what is shown
            words = options_of(decision.arguments)
            again = declared_table(one.columns, from_options(words))
            assert again.ratings == decision.table.ratings, (seed, words)
        if decision.answer is Answer.read and not is_right(decision, one):
            wrong.append((seed, one.shape, trap))
    assert not wrong


@pytest.mark.parametrize("seed", range(20))
def test_a_trap_is_named(seed: int) -> None:
    one, trap = drawn.with_trap(seed)
    decision = decide(one.columns)
    name = trap.partition(" ")[2]
    used = {r.column for r in (decision.table.ratings if decision.table else ())}
    unused = {
        c for some in (decision.table.unused if decision.table else {}).values() for c in some
    }
    assert name in used | unused


@pytest.mark.parametrize("seed", range(30))
def test_plain_columns_are_read_as_all_others_are(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cell by cell through records and lists, or a column at once: the same table."""
    one, _ = drawn.with_trap(seed)
    for cells in one.columns.values():
        cells[seed % len(cells)] = None if seed % 2 else " "
    said = decide(one.columns).arguments
    if not said.raters:
        return
    at_once = declared_table(one.columns, said)
    monkeypatch.setattr(File, "plain", lambda self, column: None)
    by_cell = declared_table(one.columns, said)
    assert at_once.ratings == by_cell.ratings
    assert at_once.left_out == by_cell.left_out
    assert at_once.beside == by_cell.beside
