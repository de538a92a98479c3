"""Judges that are not OpenAI-style chat models, batches, reparse, and the verbs around them."""

from __future__ import annotations

import json
import sqlite3
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from judge_server import JudgeServer
from other_endpoints import Anthropic, Batches, Reward

from goldassay.cli import command_line as goldassay
from goldassay.errors import InputError
from goldassay.judges import batch as batch_module
from goldassay.judges.batch import run_batches
from goldassay.judges.clients.openai import OpenAIBatches
from goldassay.judges.realizations.registry import REALIZATIONS
from goldassay.judges.realizations.worded import LIKERT
from goldassay.judges.reparse import reparse
from goldassay.judges.run import Outcome, run_judges
from goldassay.judges.spec import Judge, judge_from_mapping


def judge(folder: Path, **raw: Any) -> Judge:
    return judge_from_mapping({"name": "j", **raw}, place="judge.toml", folder=str(folder))


def write_items(folder: Path, number: int = 4, **extra: Any) -> Path:
    path = folder / "items.jsonl"
    rows = [
        {"item": f"q{i}", "system": "s", "input": f"in {i}", "output": "x" * (i + 1), **extra}
        for i in range(number)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def ratings(folder: Path, columns: str = "item, value, score, status, reason") -> list[Any]:
    connection = sqlite3.connect(folder / "r.db")
    rows = connection.execute(f"SELECT {columns} FROM ratings ORDER BY item, criterion").fetchall()
    connection.close()
    return rows


def run(folder: Path, one: Judge, number: int = 4, **extra: Any) -> Outcome:
    return run_judges([one], write_items(folder, number, **extra), folder / "r.db")


# --- local judges


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


def test_a_reward_endpoint(tmp_path: Path) -> None:
    with Reward().running() as url:
        run(tmp_path, judge(tmp_path, reward_url=f"{url}/score", score_path="data.0.score"))
    assert [row[2] for row in ratings(tmp_path)] == [0.5, 1.0, 1.5, 2.0]


def test_anthropics_protocol(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINE", "secret-key")
    endpoint = Anthropic()
    with endpoint.running() as url:
        one = judge(
            tmp_path,
            model="claude-x",
            provider="anthropic",
            base_url=url,
            realization="likert",
            api_key_env="MINE",
            system_prompt="Be fair.",
            price=[3, 15],
        )
        run(tmp_path, one)
    assert {row[1:4] for row in ratings(tmp_path)} == {("Good", 4.0, "rated")}
    assert ratings(tmp_path, "cost")[0] == (pytest.approx((10 * 3 + 4 * 15) / 1e6),)
    _, _, headers, body = endpoint.seen[0]
    assert headers["x-api-key"] == "secret-key"
    assert json.loads(body)["system"] == "Be fair."
    assert b"secret" not in (tmp_path / "r.db").read_bytes()


# --- batches


def batched(folder: Path, url: str) -> Outcome:
    one = judge(folder, model="m", base_url=f"{url}/v1", realization="likert", price=[1, 1])
    return run_batches([one], folder / "items.jsonl", folder / "r.db", poll=0.01)


def test_a_batch_is_submitted_polled_and_collected_at_half_price(tmp_path: Path) -> None:
    write_items(tmp_path, 5)
    endpoint = Batches()
    endpoint.fail = {3}
    with endpoint.running() as url:
        outcome = batched(tmp_path, url)
        assert [row[3] for row in ratings(tmp_path)] == ["rated"] * 3 + ["failed", "rated"]
        assert outcome.tallies[0].cost == pytest.approx(0.5 * 4 * 110 / 1e6)
        endpoint.fail = set()
        batched(tmp_path, url)  # what failed is submitted again, and only that
        assert [row[3] for row in ratings(tmp_path)] == ["rated"] * 5
        assert len(endpoint.batches) == 2
        assert len(endpoint.files["file-2"].strip().splitlines()) == 1


@pytest.mark.parametrize("lost", ["before", "after"])
def test_an_interrupted_batch_is_found_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lost: str
) -> None:
    """Dies after the upload, before the provider has the batch or after: never bought twice."""
    write_items(tmp_path, 3)
    endpoint = Batches()

    class Killed(BaseException):
        """Stands for SIGKILL."""

    async def died(*arguments: Any) -> None:
        raise Killed

    with endpoint.running() as url:
        with monkeypatch.context() as patch:
            if lost == "after":
                patch.setattr(batch_module._Batches, "_remember", died)
            else:
                patch.setattr(OpenAIBatches, "submit", died)
            with pytest.raises(Killed):
                batched(tmp_path, url)
        assert not ratings(tmp_path)
        batched(tmp_path, url)
        assert [row[3] for row in ratings(tmp_path)] == ["rated"] * 3
        assert len(endpoint.batches) == 1


def test_what_is_in_a_batch_is_not_asked_one_by_one(tmp_path: Path) -> None:
    """A batch that is under way keeps its items from an ordinary run."""
    write_items(tmp_path, 3)
    with Batches().running() as url:
        batched(tmp_path, url)
    store = sqlite3.connect(tmp_path / "r.db")
    assert store.execute("SELECT count(*) FROM batch_keys").fetchone() == (0,)
    assert store.execute("SELECT count(*) FROM batches WHERE collected IS NULL").fetchone() == (0,)
    store.close()


# --- reparse and the command line


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


def test_the_verbs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    items = write_items(tmp_path, 6, output_b="b", opponent="o")
    with JudgeServer().running() as server:
        path = tmp_path / "j.toml"
        path.write_text(
            f'name = "j"\nmodel = "m"\nbase_url = "{server.url}"\nrealization = "pairwise"\n'
        )
        common = ["-j", str(path), "-i", str(items), "-o", str(tmp_path / "r.db")]
        assert goldassay(["run", *common, "--dry-run"]) == 0
        assert "12 calls to make" in capsys.readouterr().out
        assert server.total == 0
        assert goldassay(["run", *common, "--json", "--require", "invalid_rate<=0.1"]) == 0
        document = json.loads(capsys.readouterr().out)
        names = {row["name"] for row in document["results"]}
        assert names == {"invalid_rate", "position_flip_rate", "first_shown_share"}
        assert goldassay(["run", *common, "--require", "invalid_rate>0.5"]) == 1
        capsys.readouterr()
        assert goldassay(["run", *common, "--probe-injection"]) == 0
        assert "gave the planted verdict" in capsys.readouterr().out
        assert len(ratings(tmp_path)) == 12  # the planted items are in a store of their own
    assert goldassay(["runs", str(tmp_path / "r.db")]) == 0
    assert "Runs, the last first" in capsys.readouterr().out
    assert goldassay(["reparse", str(tmp_path / "r.db")]) == 0
    assert "12 verdicts read again; 0 changed" in capsys.readouterr().out
    assert goldassay(["judges"]) == 0
    assert "forced_choice" in capsys.readouterr().out
    assert goldassay(["judges", "anchor"]) == 0
    assert "[[A>>B]]" in capsys.readouterr().out
    for wrong in (["judges", "ancor"], ["runs", "absent.db"], ["reparse", str(items)]):
        assert goldassay(wrong) == 2
        assert capsys.readouterr().err.count("\n") == 1
