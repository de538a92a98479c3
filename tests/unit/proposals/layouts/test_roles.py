"""Who a column of ratings is of, by what stands beside it."""

from __future__ import annotations

from pathlib import Path

import pytest
from plain_tables import guessed, labels

IDS = [f"q{n}" for n in range(20)]
MADE = [f"{(n * 37 % 100) / 101:.3f}" for n in range(20)]


@pytest.mark.parametrize("judge", ["gpt-4o", "candidate_verdict"])
def test_a_metric_beside_a_judge_is_asked_about(tmp_path: Path, judge: str) -> None:
    said = {"human": labels(("yes", "no"), 20), judge: labels(("yes", "no"), 20, 1)}
    _, draft = guessed(tmp_path, {"id": IDS, **said, "bleu": MADE})
    assert draft.task["wide"] == {"human": ["human"], "judge": [judge]}
    assert any("`bleu`" in question for question in draft.questions)


def test_a_metric_alone_is_the_judge(tmp_path: Path) -> None:
    grades = [f"{(n * 31 % 100) / 103:.3f}" for n in range(20)]
    _, draft = guessed(tmp_path, {"id": IDS, "human": grades, "bleu": MADE})
    assert draft.task["wide"] == {"human": ["human"], "judge": ["bleu"]}


def test_how_sure_a_judge_is_is_no_verdict_beside_one(tmp_path: Path) -> None:
    """`baseline` says in people's labels what they say: confidence is not cut in its place."""
    said = {f"teacher_{k}": labels(("yes", "no"), 20, k) for k in (1, 2)}
    columns = {"id": IDS, **said, "baseline": labels(("yes", "no"), 20, 3), "confidence": MADE}
    _, draft = guessed(tmp_path, {**columns, "judge_confidence": MADE})
    assert draft.task["wide"] == {"human": ["teacher_1", "teacher_2"], "judge": ["baseline"]}
