"""Endpoints behind an address, each in its own protocol."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from other_endpoints import Anthropic, Reward
from small_runs import judge, ratings, run


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
