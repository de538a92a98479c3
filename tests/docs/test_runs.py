"""Every number of runs below 2,000 in the tables of coverage says what so few of them tell."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
PAGES = ("theory/figures.md", "intervals.md", "compare.md", "replace.md")
ENOUGH = 2_000
RUNS = re.compile(
    r"--(?:runs|studies|repetitions|replications)\s+(\d[\d,]*)"
    r"|(?<!\d of )\b(\d[\d,]*)\s+(?:simulated\s+)?(?:runs|samples|studies|golden sets)\b"
)
TELLS = re.compile(r"Monte\s+Carlo|known\s+to\s+(?:about\s+)?\.")


def short_of_words(text: str) -> list[str]:
    """Paragraphs with a number of runs that is small, and nothing of what it tells."""
    prose = (one for one in re.split(r"\n\s*\n", text) if not one.startswith("|"))
    return [one for one in prose if any(_few(one)) and not TELLS.search(one)]


def _few(paragraph: str) -> list[bool]:
    found = (int((a or b).replace(",", "")) for a, b in RUNS.findall(paragraph))
    return [number < ENOUGH for number in found]


@pytest.mark.parametrize("page", PAGES)
def test_few_runs_say_what_they_tell(page: str) -> None:
    assert short_of_words((DOCS / page).read_text(encoding="utf-8")) == []


def test_the_rule_sees_few_runs() -> None:
    few = "By `python benchmarks/x.py --runs 300`:\n\n| 100 runs | .95 |\n\n1,000 samples a row."
    assert short_of_words(few) == few.split("\n\n")[::2]
    assert short_of_words("400 runs (two Monte\nCarlo errors of .95 are .022).") == []
    assert short_of_words("2,000 studies, 10,000 samples and 95 of 100 studies.") == []
