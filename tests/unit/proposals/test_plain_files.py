"""Plain tables put together at random are read as they are meant: those that are read right today.

`python benchmarks/plain_files.py` measures how often; this holds a few of them, of both halves.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

PATH = Path(__file__).resolve().parents[3] / "benchmarks" / "plain_files.py"
#: Tables of this seed that were not read right when this was written.
KNOWN = {
    "mend": {"009 criterion_rows"},
    "held": {"007 one_and_judge", "011 criteria", "015 several_and_judge", "018 systems"},
}
FILES, SEED = 20, 7


@pytest.fixture(scope="module")
def plain() -> ModuleType:
    spec = importlib.util.spec_from_file_location("plain_files", PATH)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["plain_files"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("half", ["mend", "held"])
def test_tables_are_read_as_they_are_meant(plain: ModuleType, half: str) -> None:
    found = {one.name: verdict for one, verdict in plain.measured(half, FILES, SEED)}
    assert not [name for name, verdict in found.items() if verdict.kind == "crash"]
    odd = {n: v.why for n, v in found.items() if v.kind not in ("right", "right+asked")}
    assert {name: why for name, why in odd.items() if name not in KNOWN[half]} == {}


def test_a_wrong_reading_is_seen(plain: ModuleType) -> None:
    """The scorer finds a reading wrong that is: who rated, what is counted, which item."""
    maker = plain.Maker("mend", SEED)
    table = maker.make(0)
    rater = next(iter(table.reading.kinds))
    table.reading.kinds[rater] = frozenset(["reference"])
    ratings, draft = plain.guessed_ratings(str(table.write(Path(plain.tempfile.mkdtemp()))))
    assert any(why.startswith("kinds") for why in plain.faults(table.reading, ratings, draft))


@pytest.mark.parametrize("part", ["judge", "person", "two", "items"])
def test_a_word_belongs_to_one_half(plain: ModuleType, part: str) -> None:
    mine, theirs = (list(map(str, plain.words_of(half)[part])) for half in plain.HALVES)
    assert len(mine) > 5
    assert len(theirs) > 5
    assert {*mine}.isdisjoint(theirs)
