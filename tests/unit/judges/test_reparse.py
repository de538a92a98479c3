"""Stored answers are read again with a mended parser, without a call."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from judge_server import JudgeServer
from small_runs import judge, ratings, run

from goldassay.errors import InputError
from goldassay.judges.realizations.registry import REALIZATIONS
from goldassay.judges.realizations.worded import LIKERT
from goldassay.judges.reparse import reparse


def test_reparse_applies_a_mended_parser_without_a_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with JudgeServer(answer=lambda prompt, body: "Rather good").running() as server:
        one = judge(tmp_path, model="m", base_url=server.url, realization="likert")
        run(tmp_path, one)
        asked = server.total
    assert {row[3] for row in ratings(tmp_path)} == {"invalid"}
    assert not reparse(tmp_path / "r.db").changes
    mended = replace(
        LIKERT,
        read=lambda form, words, text, cut: LIKERT.read(
            form, words, text.replace("Rather ", ""), cut
        ),
    )
    monkeypatch.setitem(REALIZATIONS, "likert", mended)  # type: ignore[misc]
    assert sum(reparse(tmp_path / "r.db", dry_run=True).changes.values()) == 4
    assert {row[3] for row in ratings(tmp_path)} == {"invalid"}
    assert reparse(tmp_path / "r.db", judge="j").changes == {("j", "invalid", "rated Good"): 4}
    assert {row[1] for row in ratings(tmp_path)} == {"Good"}
    assert server.total == asked
    with pytest.raises(InputError, match="not a judge of this store"):
        reparse(tmp_path / "r.db", judge="absent")
