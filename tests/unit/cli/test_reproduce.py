"""`goldassay reproduce` on the command line."""

from __future__ import annotations

import json

import pytest

from goldassay.cli import command_line as run


def test_the_papers_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["reproduce", "--list"]) == 0
    assert "balanced-accuracy" in capsys.readouterr().out


def test_quick_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["reproduce", "balanced-accuracy", "--quick", "--json", "--seed", "7"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["verb"] == "reproduce"
    assert document["provenance"]["seed"] == 7
    assert len(document["tables"]["table_3"]["rows"]) == 4


def test_an_unknown_paper_exits_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["reproduce", "balancedaccuracy"]) == 2
    assert "Did you mean 'balanced-accuracy'?" in capsys.readouterr().err


def test_a_missing_data_folder_exits_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["reproduce", "balanced-accuracy", "--quick", "--data", "no-such-folder"]) == 2
    assert "--data" in capsys.readouterr().err
