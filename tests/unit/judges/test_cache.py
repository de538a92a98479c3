"""The key of a call holds everything that shapes the answer, and nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from goldassay.judges.items import Item
from goldassay.judges.prompts import requests
from goldassay.judges.spec import Judge, Limits

JUDGE = Judge(
    name="j",
    model="m",
    base_url="http://localhost/v1",
    realization="binary",
    parameters={"temperature": 0},
    criteria={"c": "It is right."},
    api_key_env="A",
)
ITEM = Item("q1", input="in", output="out", system="s1", output_b="b", opponent="s0")


def keys(judge: Judge = JUDGE, item: Item = ITEM, **offers: object) -> list[str]:
    return [one.key for one in requests(judge, item, **offers)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "change",
    [
        {"base_url": "http://localhost/v2"},
        {"provider": "anthropic"},
        {"model": "m2"},
        {"version": "2"},
        {"prompt": "{output} {criterion} {format} "},
        {"system_prompt": "Be strict."},
        {"criteria": {"c": "It is kind."}},
        {"criteria": {"d": "It is right."}},
        {"criteria_per_call": "all"},
        {"options": ("YES", "NO")},
        {"abstain": ()},
        {"parameters": {"temperature": 1}},
        {"parameters": {"temperature": 0, "seed": 1}},
        {"explain": True},
        {"realization": "numeric"},
    ],
    ids=str,
)
def test_a_change_of_the_judge_changes_the_key(change: dict[str, object]) -> None:
    assert not set(keys(replace(JUDGE, **change))) & set(keys())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "change",
    [
        {"name": "other"},
        {"limits": Limits(concurrency=1, timeout=1.0)},
        {"price": (1.0, 1.0)},
        {"api_key_env": "B"},
        {"refusals": "abstained"},
        {"folder": "/elsewhere"},
    ],
    ids=str,
)
def test_what_does_not_shape_the_answer_is_not_in_the_key(change: dict[str, object]) -> None:
    assert keys(replace(JUDGE, **change)) == keys()  # type: ignore[arg-type]


@pytest.mark.parametrize("field", ["input", "output"])
def test_the_text_of_the_item_is_in_the_key(field: str) -> None:
    assert keys(item=replace(ITEM, **{field: "another"})) != keys()  # type: ignore[arg-type]


def test_the_opponents_text_is_in_the_key_of_a_pair_only() -> None:
    other = replace(ITEM, output_b="another")
    assert keys(item=other) == keys()
    pair = replace(JUDGE, realization="pairwise", criteria={})
    assert not set(keys(pair, other)) & set(keys(pair))


def test_names_of_items_and_systems_are_not_in_the_key() -> None:
    assert keys(item=replace(ITEM, item="q2", system="s9")) == keys()


def test_samples_and_orders_have_keys_of_their_own() -> None:
    pair = replace(JUDGE, realization="anchor", criteria={}, samples=3)
    assert len(set(keys(pair))) == 6
    assert set(keys(replace(pair, samples=1))) < set(keys(pair))
    assert set(keys(replace(pair, orders="system_first"))) < set(keys(pair))


def test_equal_outputs_in_both_orders_are_asked_twice() -> None:
    pair = replace(JUDGE, realization="pairwise", criteria={})
    assert len(set(keys(pair, replace(ITEM, output_b="out")))) == 2


def test_what_the_endpoint_offers_is_in_the_key() -> None:
    assert keys(structured=True) != keys(structured=False)
    tokens = replace(JUDGE, realization="token_probs", criteria={}, parameters=None)
    assert not set(keys(tokens, top_logprobs=0)) & set(keys(tokens))
    assert len(keys(tokens, top_logprobs=0)) == 10


def test_an_item_is_in_the_key_of_a_judge_without_a_prompt() -> None:
    local = Judge(name="j", callable="m:f", realization="numeric")
    first, second = (Item("q", raw={"item": "q", "x": x}) for x in (1, 2))
    assert keys(local, first) != keys(local, second)
