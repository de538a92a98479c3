"""A judge that scores an item several times, by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from goldassay.counts import count_paired_scores
from goldassay.inference.draw import Draw
from goldassay.questions.agree.repeated_scores import repeated_scores
from goldassay.ratings.table import read_ratings
from goldassay.ratings.task import Task


def test_repeated_scores_split_noise_from_opinion(tmp_path: Path) -> None:
    """Two scores of an item that differ by 2 have variance 2; their mean is off by 1."""
    lines = ["item,rater,kind,sample,value"]
    for item in range(12):
        true = item % 4
        lines.append(f"i{item},ann,human,,{true}")
        lines += [f"i{item},gpt,judge,{k},{true + 1 + step}" for k, step in ((1, -1), (2, 1))]
    path = tmp_path / "ratings.csv"
    path.write_text("\n".join(lines) + "\n")
    pairs = count_paired_scores(read_ratings(str(path), Task(scale="continuous")))
    found = repeated_scores(pairs, 0, Draw(100, 1, 0.95))
    within, share = found.results
    assert within.value == pytest.approx(2.0)
    # (1^2 + 2 (1 - 1/2)) = 2 of squared distance and 2 of noise: all of it is noise.
    assert share.value == pytest.approx(1.0)
    assert found.curve.pearson[0] < found.curve.pearson[1] == pytest.approx(1.0)
    # var of the mean = 15/11 over the items (0..3 thrice), less 2/2 of noise: 4/11 is the judge's.
    assert found.curve.reliability.tolist() == pytest.approx([4 / 26, 4 / 15])
    assert found.curve.enough == 2


def test_scores_that_never_vary_have_no_noise(tmp_path: Path) -> None:
    lines = ["item,rater,kind,sample,value"]
    for item in range(12):
        lines.append(f"i{item},ann,human,,{item}")
        lines += [f"i{item},gpt,judge,{k},{item + 1}" for k in (1, 2)]
    path = tmp_path / "ratings.csv"
    path.write_text("\n".join(lines) + "\n")
    pairs = count_paired_scores(read_ratings(str(path), Task(scale="continuous")))
    within, share = repeated_scores(pairs, 0, Draw(100, 1, 0.95)).results
    assert (within.value, within.interval, share.value) == (0.0, None, 0.0)
    assert "every repeat gave the same score" in within.warnings[0]
