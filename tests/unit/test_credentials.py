"""What looks like a key, and what does not."""

from __future__ import annotations

import pytest

from goldassay.credentials import looks_like_key, names_secret

A = "a1B2c3D4e5F6g7H8i9J0"


@pytest.mark.parametrize(
    "text",
    [
        f"sk-{A}",
        f"sk-proj-{A}",
        f"sk-ant-api03-{A}-{A}",
        "sk-or-v1-a1b2c3-d4e5f6-a7b8c9-d0e1f2-a3b4c5-d6e7f8",
        f"pk_live_{A}",
        f"gsk_{A}",
        f"xai-{A}",
        f"hf_{A}",
        f"ghp_{A}",
        f"gho_{A}",
        f"github_pat_{A}",
        "xoxb-123456789012-abc",
        "AKIAIOSFODNN7EXAMPLE",
        f"AIza{A}",
        f"ya29.{A}",
        f"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.{A}",
        f"authorised by bearer {A}",
        f"url?x=sk-{A}&y",
    ],
)
def test_what_looks_like_a_key(text: str) -> None:
    assert looks_like_key(text)
    assert looks_like_key(f"temperature 0, {text}")


@pytest.mark.parametrize(
    "text",
    [
        "skywork-reward-llama-3.1-8b",
        "hf-internal-testing-model-2",
        "hf-internal-testing/tiny-random-llama-3",
        "sk-learn-gradient-boosting-v2",
        "pkl-model-of-march-2026-version-3",
        "task-specific-judge-llama-3-70b-instruct",
        "the bearer of good news of 2026",
        "gpt-4o-2024-08-06",
        "sha256:d2b55e49fd0ecb0b",
    ],
)
def test_names_of_models_are_no_keys(text: str) -> None:
    assert not looks_like_key(text)
    assert not names_secret(text)


@pytest.mark.parametrize(
    "text",
    ['{"api_key": "x"}', "OPENAI_API_KEY=x", "password: x", "token=x", "access_token: x", "key=x"],
)
def test_what_is_named_like_a_secret(text: str) -> None:
    assert names_secret(text)


@pytest.mark.parametrize(
    "text", ["max_tokens: 5", "eos_token: </s>", "monkey: 3", '{"api_key": ""}', "token budget 5"]
)
def test_what_is_no_name_of_a_secret(text: str) -> None:
    assert not names_secret(text)
