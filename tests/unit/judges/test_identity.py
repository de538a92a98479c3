"""Who a judge is that goldassay runs: no key in it, another one when something changed."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import goldassay as ga
from goldassay.cli import command_line
from goldassay.judges.identity import identity_of, stored_identities
from goldassay.judges.spec import Judge

TASK = 'scale = "binary"\noptions = ["MET", "UNMET"]\npositive = "MET"\n'


def judge(**more: Any) -> Judge:
    return Judge(name="gpt", realization="binary", **{"model": "m-1", **more})


def test_what_shapes_a_verdict_is_told_apart() -> None:
    plain = identity_of(judge(), origin="here")
    changed = {
        "model": judge(model="m-2"),
        "version": judge(version="2026-01"),
        "prompt": judge(system_prompt="Be strict."),
        "rubric": judge(criteria={"tone": "Is it polite?"}),
        "parameters": judge(parameters={"temperature": 1}),
        "parser": judge(refusals="invalid"),
        "source": judge(base_url="http://localhost:8000/v1"),
    }
    for field, other in changed.items():
        now = identity_of(other, origin="here")
        differ = [name for name in plain.known if plain[name] != now[name]]
        differ += [name for name in now.known if not plain[name]]
        assert differ == [field]


def test_the_model_that_answered_is_the_version() -> None:
    said = identity_of(judge(), ["m-1", "m-1-2026-01-01"], origin="here")
    assert (said["model"], said["version"]) == ("m-1", "m-1-2026-01-01")


def test_no_key_and_no_digest_of_one() -> None:
    secret: dict[str, Any] = {
        "api_key": "s3cret",
        "temperature": 0,
        "max_tokens": 5,
        "auth_token": "t0ken",
    }
    secret["extra_body"] = {"authorization": "s3cret"}
    with_keys = identity_of(judge(parameters=secret), origin="here")
    said = {"temperature": 0, "max_tokens": 5, "extra_body": {}}
    assert with_keys == identity_of(judge(parameters=said), origin="here")
    env = replace(judge(), api_key_env="KEY", headers_env={"x-key": "KEY"})
    assert identity_of(env, origin="here") == identity_of(judge(), origin="here")


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A store of a program's verdicts, and people's labels."""
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(
        'def judge(item):\n    return "MET" if item["output"] else "UNMET"\n'
    )
    Path("judge.toml").write_text(
        'name = "mine"\ncallable = "mine.py:judge"\nrealization = "binary"\n'
    )
    lines = [{"item": f"i{k}", "input": "q", "output": "x" * (k % 2)} for k in range(20)]
    Path("items.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines))
    labels = [f"i{k},ann,human,{'MET' if k % 2 or k == 0 else 'UNMET'}\n" for k in range(20)]
    Path("people.csv").write_text("item,rater,kind,value\n" + "".join(labels))
    Path("task.toml").write_text(TASK)
    words = ["run", "-j", "judge.toml", "-i", "items.jsonl", "-o", "r.db", "-q"]
    assert command_line(words) == 0
    return words


def test_a_store_says_who_its_judges_are(run: list[str]) -> None:
    who = stored_identities("r.db")["mine"]
    assert who["model"] is None
    assert str(who["source"]).startswith("sha256:")
    assert who.origin["source"] == "r.db"


def test_a_store_of_the_first_version_says_it_too(run: list[str]) -> None:
    known = stored_identities("r.db")["mine"]
    with closing(sqlite3.connect("r.db")) as store:
        store.execute("ALTER TABLE judges DROP COLUMN source")  # which the second version added
    before = Path("r.db").read_bytes()
    who = stored_identities("r.db")["mine"]
    assert who["source"] is None
    assert {**who.said, "source": known["source"]} == known.said
    assert Path("r.db").read_bytes() == before


def test_run_says_whether_a_passport_holds(run: list[str], capsys: Any) -> None:
    made = ["certify", "r.db", "people.csv", "-t", "task.toml", "-o", "p.json"]
    assert command_line([*made, "--resamples", "100"]) == 0
    assert command_line([*run, "--passport", "p.json"]) == 0
    assert "is fresh" in capsys.readouterr().out
    with Path("mine.py").open("a") as stream:
        stream.write("# another program\n")
    assert command_line([*run, "--passport", "p.json", "--dry-run"]) == 0
    assert "stale: source is" in capsys.readouterr().out
    assert command_line([*run, "--passport", "p.json", "--require", "passport_fresh>=1"]) == 1
    said = capsys.readouterr()
    assert "stale: source is" in said.err  # before any call is made
    assert "stale: source is" in said.out


def test_a_damaged_passport_stops_a_run_before_it_begins(run: list[str], capsys: Any) -> None:
    Path("p.json").write_text("{}")
    assert command_line([*run[:6], "new.db", "--passport", "p.json"]) == 2
    assert not Path("new.db").exists()
    assert "is not a passport" in capsys.readouterr().err


def test_a_judge_of_a_store_is_corrected_by_its_passport(run: list[str]) -> None:
    found = ga.certify(["r.db", "people.csv"], "task.toml", resamples=100)
    rate = ga.estimate("r.db", "task.toml", passport=found)
    assert rate.more["standing"]["standing"] == "fresh"
