"""Runs against an endpoint on loopback: every realization, resuming, budgets, limits, keys."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from judge_server import JudgeServer

from goldassay.errors import InputError, SourceError, UsageError
from goldassay.judges.flow import Budget
from goldassay.judges.run import Outcome, run_judges
from goldassay.judges.spec import Judge, judge_from_mapping


@pytest.fixture
def server() -> Iterator[JudgeServer]:
    with JudgeServer().running() as running:
        yield running


@pytest.fixture(autouse=True)
def _hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("goldassay.judges.asking.backoff", lambda attempt: 0.001)


def judge(server: JudgeServer, **changes: Any) -> Judge:
    raw = {"name": "j", "model": "m", "base_url": server.url, "realization": "numeric", **changes}
    return judge_from_mapping(raw, place="judge.toml")


def write_items(folder: Path, number: int = 10, **extra: Any) -> Path:
    path = folder / "items.jsonl"
    rows = [
        {"item": f"q{i}", "system": "s1", "input": f"in {i}", "output": f"out {i}", **extra}
        for i in range(number)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def ratings(path: Path, columns: str = "item, rater, value, status") -> list[tuple[Any, ...]]:
    connection = sqlite3.connect(path)
    rows = connection.execute(f"SELECT {columns} FROM ratings ORDER BY 1, 2").fetchall()
    connection.close()
    return rows


def run(folder: Path, items: Path, *judges: Judge, **options: Any) -> Outcome:
    return run_judges(judges, items, folder / "r.db", **options)


@pytest.mark.parametrize(
    ("realization", "rows"),
    [
        ("numeric", 10),
        ("likert", 10),
        ("token_probs", 10),
        ("anchor", 20),
        ("forced_choice", 10),
        ("response_set", 10),
        ("binary", 10),
        ("pairwise", 20),
    ],
)
def test_every_realization_is_rated(
    tmp_path: Path, server: JudgeServer, realization: str, rows: int
) -> None:
    items = write_items(tmp_path, output_b="b", opponent="s0")
    outcome = run(tmp_path, items, judge(server, realization=realization))
    assert outcome.reason == "complete"
    found = ratings(tmp_path / "r.db", 'status, opponent, "order", score')
    assert len(found) == rows
    assert {row[0] for row in found} == {"rated"}
    pairs = realization in ("anchor", "pairwise")
    assert {row[1] for row in found} == {"s0" if pairs else None}
    assert {row[2] for row in found} == ({"system_first", "opponent_first"} if pairs else {None})


@pytest.mark.parametrize("names", [("output_a", "output_b"), ("Response 1", "Response 2")])
def test_both_answers_of_a_pair_are_asked_about(
    tmp_path: Path, server: JudgeServer, names: tuple[str, str]
) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text(json.dumps({"item": "q", names[0]: "an oak", names[1]: "an elm"}) + "\n")
    run(tmp_path, path, judge(server, realization="pairwise"))
    asked = [json.dumps(body) for body in server.bodies]
    either = [body for body in asked if "an oak" in body or "an elm" in body]
    assert len(either) == 2
    assert all("an oak" in body and "an elm" in body for body in either)


def test_a_pair_without_two_answers_is_refused(tmp_path: Path, server: JudgeServer) -> None:
    for fields, said in (
        ({"output_b": "an elm"}, "no two answers"),
        ({"output": "x", "output_a": "y", "output_b": "z"}, "several of 'q': output and output_b"),
    ):
        path = tmp_path / "items.jsonl"
        path.write_text(json.dumps({"item": "q", **fields}) + "\n")
        with pytest.raises(InputError, match=said):
            run(tmp_path, path, judge(server, realization="pairwise"))


def test_a_second_run_asks_nothing_and_changes_nothing(tmp_path: Path, server: JudgeServer) -> None:
    items = write_items(tmp_path)
    run(tmp_path, items, judge(server))
    before, asked = ratings(tmp_path / "r.db", "*"), server.total
    outcome = run(tmp_path, items, judge(server))
    assert server.total == asked
    assert outcome.tallies[0].known == 10
    assert ratings(tmp_path / "r.db", "*") == before


def test_only_what_changed_is_asked_again(tmp_path: Path, server: JudgeServer) -> None:
    items = write_items(tmp_path)
    run(tmp_path, items, judge(server))
    lines = items.read_text().splitlines()
    lines[3] = lines[3].replace("out 3", "another out")
    items.write_text("\n".join(lines))
    asked = server.total
    run(tmp_path, items, judge(server))
    assert server.total == asked + 1
    run(tmp_path, items, judge(server, samples=2, parameters={"temperature": 1}))
    assert server.total == asked + 21  # other parameters: all again, twice
    run(tmp_path, items, judge(server, samples=3, parameters={"temperature": 1}))
    assert server.total == asked + 31
    assert len(ratings(tmp_path / "r.db")) == 30
    run(tmp_path, items, judge(server))  # back to the first definition: all known
    assert server.total == asked + 31
    assert len(ratings(tmp_path / "r.db")) == 10


def test_criteria_one_by_one_and_together(tmp_path: Path, server: JudgeServer) -> None:
    criteria = {"correct": "It is right.", "polite": "It is kind."}
    items = write_items(tmp_path, criteria=criteria)
    one = judge(server, name="one", realization="binary")
    all_ = judge(server, name="all", realization="binary", criteria_per_call="all")
    run(tmp_path, items, one, all_)
    found = ratings(tmp_path / "r.db", "rater, criterion, status")
    assert len(found) == 40
    assert {row[1] for row in found} == {"correct", "polite"}
    assert {row[2] for row in found} == {"rated"}
    calls = sqlite3.connect(tmp_path / "r.db").execute("SELECT count(*) FROM calls").fetchone()
    assert calls == (30,)


def test_structured_output_where_the_endpoint_has_it(tmp_path: Path) -> None:
    items = write_items(tmp_path)
    for offered in (True, False):
        with JudgeServer(json_schema=offered).running() as server:
            path = tmp_path / str(offered)
            path.mkdir()
            run(path, items, judge(server, realization="binary"))
            asked = [body for body in server.bodies if "wet" not in body["messages"][0]["content"]]
            assert len(asked) == 10
            assert all(("response_format" in body) == offered for body in asked)
            assert {row[3] for row in ratings(path / "r.db")} <= {"rated", "abstained"}


def test_token_probabilities_fall_back_to_frequencies_and_say_so(tmp_path: Path) -> None:
    items = write_items(tmp_path, 3)
    with JudgeServer(logprobs=False).running() as server:
        tiny = judge(server, realization="token_probs", fallback_samples=4)
        outcome = run(tmp_path, items, tiny)
        asked = server.total
        run(tmp_path, items, tiny)
    assert server.total == asked  # the endpoint is not probed again
    found = ratings(tmp_path / "r.db", "item, sample, score, reason")
    assert len(found) == 12
    assert {row[2] for row in found} <= {0.0, 1.0}
    assert {row[3] for row in found} == {"frequency over samples: no log-probabilities here"}
    assert "frequency of yes over 4 samples" in outcome.tallies[0].notes[0]


def test_a_reference_system(tmp_path: Path, server: JudgeServer) -> None:
    items = tmp_path / "items.jsonl"
    rows = [{"item": f"q{i}", "system": s, "output": f"{s} {i}"} for i in range(5) for s in "abr"]
    items.write_text("".join(json.dumps(row) + "\n" for row in rows))
    run(tmp_path, items, judge(server, realization="anchor", reference_system="r"))
    found = ratings(tmp_path / "r.db", "item, system, opponent")
    assert len(found) == 20
    assert {row[1:] for row in found} == {("a", "r"), ("b", "r")}
    with pytest.raises(SourceError, match="no item of the reference system 'z'"):
        run(tmp_path, items, judge(server, realization="anchor", reference_system="z"))
    with pytest.raises(SourceError, match="compares two outputs"):
        run(tmp_path, items, judge(server, realization="anchor"))


def test_budgets_stop_cleanly_and_the_next_run_goes_on(tmp_path: Path, server: JudgeServer) -> None:
    items = write_items(tmp_path, 30)
    outcome = run(tmp_path, items, judge(server), budget=Budget(max_calls=12))
    assert outcome.reason == "budget"
    assert server.total == 12
    assert len(ratings(tmp_path / "r.db")) == 12
    dear = judge(server, price=[1e6, 0.0])
    outcome = run(tmp_path, items, dear, budget=Budget(max_cost=400))
    assert outcome.reason == "budget"
    assert 0 < outcome.tallies[0].cost <= 400
    assert run(tmp_path, items, dear).reason == "complete"
    assert server.total == 30


def test_a_time_limit_finishes_the_calls_in_flight_and_the_next_run_goes_on(tmp_path: Path) -> None:
    items = write_items(tmp_path, 30)
    with JudgeServer(delay=0.3).running() as slow:  # one at a time: 9 s for all
        patient = judge(slow, concurrency=1)
        outcome = run(tmp_path, items, patient, budget=Budget(max_seconds=1.0))
        assert outcome.reason == "time"
        assert 0 < outcome.tallies[0].calls == len(ratings(tmp_path / "r.db")) < 30
        assert slow.total == outcome.tallies[0].calls
        slow.delay = 0.0
        assert run(tmp_path, items, patient).reason == "complete"
        assert slow.total == 30


def test_an_unknown_price_and_a_budget_in_money_do_not_go_together(tmp_path: Path) -> None:
    far = judge_from_mapping(
        {"name": "j", "model": "unheard-of", "base_url": "https://example.org/v1"}, place="x"
    )
    with pytest.raises(UsageError, match="price of 'unheard-of' is not known"):
        run(tmp_path, write_items(tmp_path), far, budget=Budget(max_cost=1))


def test_rates_per_minute(tmp_path: Path, server: JudgeServer) -> None:
    started = time.monotonic()
    run(tmp_path, write_items(tmp_path, 12), judge(server, requests_per_minute=600))
    assert time.monotonic() - started >= 0.15  # 10 a second, the first ten at once


def test_concurrency_stays_within_its_limit(tmp_path: Path) -> None:
    with JudgeServer(delay=0.01).running() as server:
        run(tmp_path, write_items(tmp_path, 60), judge(server, concurrency=4))
        assert 1 < server.most_at_once <= 4


def test_one_at_a_time_no_group_is_waited_for(
    tmp_path: Path, server: JudgeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []
    clock = SimpleNamespace(sleep=waits.append, monotonic=time.monotonic)
    monkeypatch.setattr("goldassay.judges.journal.time", clock)  # other threads sleep on
    run(tmp_path, write_items(tmp_path, 12), judge(server, concurrency=1))
    assert not waits
    assert len(ratings(tmp_path / "r.db")) == 12


def test_retry_after_is_respected(tmp_path: Path) -> None:
    with JudgeServer(rate=0.2, faults=("status_429_after",), retry_after=0.4).running() as server:
        outcome = run(tmp_path, write_items(tmp_path, 15), judge(server, concurrency=1))
    refused = [at for at, fault in server.log if fault]
    assert refused
    for at in refused:
        later = [time_ for time_, _ in server.log if time_ > at]
        assert not later or later[0] - at >= 0.39
    assert outcome.tallies[0].statuses == {"rated": 15}


def test_a_wrong_key_ends_the_run_soon(tmp_path: Path) -> None:
    with JudgeServer(rate=1.0, faults=("status_401",)).running() as server:
        outcome = run(tmp_path, write_items(tmp_path, 500), judge(server, concurrency=2))
    assert outcome.tallies[0].given_up is not None
    assert "unauthorized" in outcome.tallies[0].given_up
    assert server.total < 50


def test_the_same_item_twice_is_refused_when_the_texts_differ(
    tmp_path: Path, server: JudgeServer
) -> None:
    items = tmp_path / "items.jsonl"
    items.write_text('{"item": "q", "output": "a"}\n{"item": "q", "output": "b"}\n')
    with pytest.raises(InputError, match="twice, with different texts"):
        run(tmp_path, items, judge(server))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds no items"),
        ("[1, 2]\n", "an item is a JSON object"),
        ('{"output": "x"}\n', "an item has a name"),
        ('{"item": "q"\n', "line 1: is not JSON"),
        ('{"item": "q", "criteria": 3}\n', "criteria"),
        ("\ufeff\n", "holds no items"),
    ],
)
def test_wrong_items_get_one_clear_message(
    tmp_path: Path, server: JudgeServer, text: str, message: str
) -> None:
    items = tmp_path / "items.jsonl"
    items.write_text(text)
    with pytest.raises(SourceError, match=message):
        run(tmp_path, items, judge(server))


def test_items_from_csv(tmp_path: Path, server: JudgeServer) -> None:
    items = tmp_path / "items.csv"
    items.write_text('item,system,input,output,cluster\nq1,s1,hi,"a, b\nc",k1\nq2,s1,ho,x,k2\n')
    run(tmp_path, items, judge(server))
    assert ratings(tmp_path / "r.db", "item, cluster") == [("q1", "k1"), ("q2", "k2")]
    assert any("a, b\nc" in body["messages"][0]["content"] for body in server.bodies)


def test_a_new_definition_hides_the_old_ratings_only_once_it_is_asked(
    tmp_path: Path, server: JudgeServer
) -> None:
    items = write_items(tmp_path)
    run(tmp_path, items, judge(server))
    lines = items.read_text()
    items.write_text("")
    with pytest.raises(SourceError, match="holds no items"):
        run(tmp_path, items, judge(server, realization="likert"))
    items.write_text('{"item": "q0", "output": "x"')
    with pytest.raises(SourceError, match="is not JSON"):
        run(tmp_path, items, judge(server, realization="likert"))
    assert len(ratings(tmp_path / "r.db")) == 10
    items.write_text(lines)
    run(tmp_path, items, judge(server, realization="likert"), budget=Budget(max_calls=4))
    assert len(ratings(tmp_path / "r.db")) == 4  # never a mixture of two definitions


# --- keys


def test_keys_go_to_their_endpoint_only_and_are_stored_nowhere(
    tmp_path: Path, server: JudgeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.setenv(name, f"secret-of-{name.lower()}")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-secret")
    monkeypatch.setenv("MINE", "secret-of-mine")
    items = write_items(tmp_path, 2)
    run(tmp_path, items, judge(server, name="none"))
    assert all("authorization" not in headers for headers in server.headers)
    assert "secret" not in json.dumps(server.headers)
    run(tmp_path, items, judge(server, name="named", model="m2", api_key_env="MINE"))
    assert server.headers[-1]["authorization"] == "Bearer secret-of-mine"
    for path in tmp_path.iterdir():
        assert b"secret" not in path.read_bytes()


def test_a_key_that_is_not_there_is_a_clear_error(
    tmp_path: Path, server: JudgeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MINE", raising=False)
    with pytest.raises(InputError, match="MINE, which is not set"):
        run(tmp_path, write_items(tmp_path), judge(server, api_key_env="MINE"))
    assert not (tmp_path / "r.db").exists()


def test_a_redirect_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: JudgeServer
) -> None:
    monkeypatch.setenv("MINE", "secret-of-mine")
    with JudgeServer(rate=1.0, faults=("status_307",)).running() as away:
        away.location = f"{server.url}/chat/completions"
        outcome = run(tmp_path, write_items(tmp_path, 3), judge(away, api_key_env="MINE"))
    assert server.total == 0
    assert outcome.tallies[0].failures == {"redirected": 3}


def test_an_error_that_repeats_the_key_does_not_show_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINE", "secret-of-mine")
    with JudgeServer(rate=1.0, faults=("status_401",)).running() as server:
        server.error = "the key secret-of-mine is wrong"
        outcome = run(tmp_path, write_items(tmp_path, 3), judge(server, api_key_env="MINE"))
    assert "secret" not in str(outcome)
    assert "[key]" in str(outcome)
    assert b"secret-of" not in (tmp_path / "r.db").read_bytes()
