"""Endpoints behind an address, each in its own protocol."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from other_endpoints import VLLM, Anthropic, Azure, Ollama, Reward
from small_runs import judge, ratings, run

from goldassay.judges.clients.openai import OpenAIClient
from goldassay.judges.spec import Judge


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


# --- servers that speak OpenAI's protocol, each in its own way


def test_vllm(tmp_path: Path) -> None:
    endpoint = VLLM()
    with endpoint.running() as url:
        one = judge(tmp_path, model="org/model", base_url=f"{url}/v1", realization="token_probs")
        run(tmp_path, one)
        run(tmp_path, judge(tmp_path, name="b", model="org/model", base_url=f"{url}/v1"))
    found = ratings(tmp_path, "rater, status, score, model")
    assert {row for row in found if row[0] == "j"} == {("j", "rated", 0.5, "org/model")}
    assert {row[1] for row in found if row[0] == "b"} == {"rated"}
    asked = [json.loads(body).get("top_logprobs") for *_, body in endpoint.seen]
    assert asked[:6] == [20, 5, 5, 5, 5, 5]  # probed down to what it gives


def test_ollama(tmp_path: Path) -> None:
    with Ollama().running() as url:
        name = "llama3.2:1b"
        run(tmp_path, judge(tmp_path, model=name, base_url=f"{url}/v1", realization="likert"))
        assert {row[3] for row in ratings(tmp_path)} == {"rated"}
        wrong = judge(tmp_path, model="llama9", base_url=f"{url}/v1", realization="likert")
        outcome = run(tmp_path, wrong)
    assert "not_found: HTTP 404" in (outcome.tallies[0].given_up or "")
    assert "model 'llama9' not found" in (outcome.tallies[0].given_up or "")


def test_azure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZURE_KEY", "secret-of-azure")
    endpoint = Azure()
    with endpoint.running() as url:
        one = judge(
            tmp_path,
            model="gpt-4o-mini",
            base_url=f"{url}/openai/deployments/mine?api-version=2024-10-21",
            realization="binary",
            headers_env={"api-key": "AZURE_KEY"},
        )
        run(tmp_path, one)
        assert {row[3] for row in ratings(tmp_path)} == {"rated"}
        outcome = run(tmp_path, one, 1, input="forbidden words")
    assert outcome.tallies[0].failures == {"bad_request": 1}
    assert b"secret" not in (tmp_path / "r.db").read_bytes()


def test_openais_own_host_gets_the_accounts_names_and_no_other_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret-of-openai")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-1")
    for base_url, expected in ((None, "org-1"), ("https://elsewhere.example/v1", None)):
        client = OpenAIClient(Judge(name="j", model="m", base_url=base_url))
        headers = client._http._client.headers
        assert headers.get("openai-organization") == expected
        assert headers.get("authorization") == (None if base_url else "Bearer secret-of-openai")
        asyncio.run(client.close())
