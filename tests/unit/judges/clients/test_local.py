"""Judges on this machine: functions, commands, columns."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from small_runs import judge, ratings, run

from goldassay.errors import InputError


def test_a_callable_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "def length(item):\n"
        "    if item['item'] == 'q2': raise ValueError('no')\n"
        "    if item['item'] == 'q3': return float('nan')\n"
        "    return len(item['output'])\n"
        "async def word(item):\n"
        "    return {'value': 'MET' if len(item['output']) > 1 else 'CANNOT_ASSESS', 'score': .5}\n"
    )
    run(tmp_path, judge(tmp_path, callable="mine.py:length"))
    assert [row[:4] for row in ratings(tmp_path)] == [
        ("q0", "1", 1.0, "rated"),
        ("q1", "2", 2.0, "rated"),
        ("q2", None, None, "failed"),
        ("q3", None, None, "invalid"),
    ]
    assert "ValueError: no" in ratings(tmp_path)[2][4]
    run(tmp_path, judge(tmp_path, callable="mine.py:word", realization="binary"))
    assert [row[1:4] for row in ratings(tmp_path)][:2] == [
        (None, None, "abstained"),
        ("MET", 0.5, "rated"),
    ]
    for wrong in ("mine.py", "mine.py:absent", "no_such_module:f", "absent.py:f"):
        with pytest.raises(InputError, match="callable"):
            run(tmp_path, judge(tmp_path, callable=wrong))


COMMAND = """
import json, sys
for number, line in enumerate(sys.stdin):
    item = json.loads(line)
    if item["item"] == "q1":
        print("some noise")
    if item["item"] == "q2":
        sys.exit(3)
    print(json.dumps({"id": item["id"], "value": "UNMET", "score": 0.25}), flush=True)
"""


def test_a_command_is_started_again_when_it_dies(tmp_path: Path) -> None:
    (tmp_path / "judge.py").write_text(COMMAND)
    command = [sys.executable, "judge.py"]
    one = judge(tmp_path, command=command, realization="binary", retries=1, concurrency=1)
    outcome = run(tmp_path, one)
    assert [row[:4] for row in ratings(tmp_path)] == [
        ("q0", "UNMET", 0.25, "rated"),
        ("q1", "UNMET", 0.25, "rated"),
        ("q2", None, None, "failed"),
        ("q3", "UNMET", 0.25, "rated"),
    ]
    assert outcome.tallies[0].failures == {"connection": 1}
    absent = judge(tmp_path, name="k", command=["no-such-command"])
    assert run(tmp_path, absent, 1).tallies[0].failures == {"judge_error": 1}


def test_a_column_of_the_items_and_of_a_table(tmp_path: Path) -> None:
    run(tmp_path, judge(tmp_path, column="rm"), rm=-1.5)
    assert {row[1:4] for row in ratings(tmp_path)} == {("-1.5", -1.5, "rated")}
    (tmp_path / "t.csv").write_text("item,system,rm\nq0,s,7\nq1,s,high\n")
    run(tmp_path, judge(tmp_path, column="rm", table="t.csv"))
    assert [row[3] for row in ratings(tmp_path)] == ["rated", "invalid", "abstained", "abstained"]
