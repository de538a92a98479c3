"""Tables as people have them are read without a task, and every guess is said."""

from __future__ import annotations

import tomllib
from pathlib import Path

import narwhals as nw
import pytest
from cells_of_files import misread
from natural import Case
from natural_files import CASES

from goldassay.errors import RatingsError
from goldassay.proposals.propose import guessed_ratings, propose
from goldassay.ratings.fetch import fetch
from goldassay.ratings.task import Task


def written(case: Case, folder: Path) -> list[str]:
    files = case.text if isinstance(case.text, dict) else {f"table{case.suffix}": case.text}
    for name, text in files.items():
        (folder / name).write_text(text, encoding=case.encoding)
    return [str(folder / name) for name in files]


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=case.name, marks=[pytest.mark.slow] * (number % 2))
        for number, case in enumerate(CASES)
    ],
)
def test_the_right_reading(case: Case, tmp_path: Path) -> None:
    paths = written(case, tmp_path)
    if case.open is not None:
        draft = propose(paths)
        assert case.open in str(draft.missing[0])
        assert len(draft.missing[0].answers) == 2
        assert "# OPEN" in draft.to_toml()
        with pytest.raises(RatingsError, match="this cannot be guessed"):
            guessed_ratings(paths)
        return
    ratings, draft = guessed_ratings(paths)
    drafted = tomllib.loads(draft.to_toml())
    assert drafted == draft.task
    assert {key: drafted.get(key) for key in case.expected} == case.expected
    Task.from_mapping(drafted)
    if case.asked is not None:
        assert any(case.asked in question for question in draft.questions), draft.questions
    assert ratings.assumed
    if case.raters is not None:
        assert (len(ratings.judges), len(ratings.humans)) == case.raters
    if case.items is not None:
        counted = ratings.frame.select(n=nw.col("item").n_unique())
        assert int(fetch(counted, place="")["n"][0]) == case.items
    if case.encoding == "utf-8":
        assert not misread(ratings, draft, [Path(one) for one in paths])


def test_there_are_enough_of_them() -> None:
    assert len(CASES) >= 200
    assert len({case.name for case in CASES}) == len(CASES)
