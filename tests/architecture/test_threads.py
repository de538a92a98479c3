"""What computes may do so in two threads: nothing there changes what a whole process shares."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2] / "src" / "goldassay"
ROOMS = ("formulas", "inference", "metrics", "questions")
#: Filters of warnings, NumPy's one generator and its errors outside of a `with`.
SHARED = re.compile(r"catch_warnings|simplefilter|filterwarnings|random\.seed\(|\bseterr\(|chdir\(")


def test_the_pattern_finds_what_it_is_for() -> None:
    for line in ("with warnings.catch_warnings():", "np.random.seed(1)", "np.seterr(all='raise')"):
        assert SHARED.search(line)
    assert not SHARED.search("with np.errstate(divide='ignore'):")


@pytest.mark.parametrize("room", ROOMS)
def test_nothing_that_computes_changes_the_process(room: str) -> None:
    files = sorted((SOURCE / room).rglob("*.py"))
    assert files
    found = [
        f"{path.relative_to(SOURCE)}:{number}: {line.strip()}"
        for path in files
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if SHARED.search(line)
    ]
    assert found == []
