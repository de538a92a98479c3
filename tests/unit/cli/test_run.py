"""The verbs around runs: run, runs, reparse, judges."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from judge_server import JudgeServer
from small_runs import ratings, write_items

from goldassay.cli import command_line as goldassay


def test_the_verbs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    items = write_items(tmp_path, 6, output_b="b", opponent="o")
    with JudgeServer().running() as server:
        path = tmp_path / "j.toml"
        path.write_text(
            f'name = "j"\nmodel = "m"\nbase_url = "{server.url}"\nrealization = "pairwise"\n'
        )
        common = ["-j", str(path), "-i", str(items), "-o", str(tmp_path / "r.db")]
        assert goldassay(["run", *common, "--dry-run"]) == 0
        said = capsys.readouterr().out
        assert "12 calls to make" in said
        assert "6 items" in said
        assert server.total == 0
        assert goldassay(["run", *common, "--json", "--require", "invalid_rate<=0.1"]) == 0
        document = json.loads(capsys.readouterr().out)
        assert "6 items in items.jsonl." in json.dumps(document["answer"])
        names = {row["name"] for row in document["results"]}
        assert names == {"invalid_rate", "position_flip_rate", "first_shown_share"}
        assert goldassay(["run", *common, "--require", "invalid_rate>0.5"]) == 1
        capsys.readouterr()
        assert goldassay(["run", *common, "--probe-injection"]) == 0
        assert "gave the planted verdict" in capsys.readouterr().out
        assert len(ratings(tmp_path)) == 12  # the planted items are in a store of their own
    assert goldassay(["runs", str(tmp_path / "r.db"), "--full"]) == 0
    assert "Runs, the last first" in capsys.readouterr().out
    assert goldassay(["reparse", str(tmp_path / "r.db")]) == 0
    assert "12 verdicts read again; 0 changed" in capsys.readouterr().out
    assert goldassay(["judges"]) == 0
    assert "forced_choice" in capsys.readouterr().out
    assert goldassay(["judges", "anchor"]) == 0
    assert "[[A>>B]]" in capsys.readouterr().out
    absent = ["run", "-j", str(path), "-i", str(tmp_path / "absent.jsonl"), "-o", "r.db"]
    for wrong in (["judges", "ancor"], ["runs", "absent.db"], ["reparse", str(items)], absent):
        assert goldassay(wrong) == 2
        assert capsys.readouterr().err.count("\n") == 1
