"""How sure somebody is belongs to whom its column is called after."""

from __future__ import annotations

from pathlib import Path

import pytest

from goldassay.proposals.propose import guessed_ratings


@pytest.mark.parametrize(
    ("sure", "asked"),
    [("relevant:confidence", False), ("llm_relevant_confidence", True), ("confidence", True)],
)
def test_the_crowds_confidence_is_not_the_judges(sure: str, asked: bool, tmp_path: Path) -> None:
    rows = [
        f"{n},{'yes' if n % 3 else 'no'},0.{50 + n * 7 % 49},{'yes' if n % 4 else 'no'}"
        for n in range(30)
    ]
    path = tmp_path / "crowd.csv"
    path.write_text("\n".join([f"id,relevant,{sure},llm_relevant", *rows]) + "\n")
    ratings, draft = guessed_ratings(str(path))
    assert (ratings.judges, ratings.humans) == (("llm_relevant",), ("relevant",))
    assert any("say how sure `llm_relevant` is" in one for one in draft.questions) is asked
