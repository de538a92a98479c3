"""A realization is one record: its prompt, words, parser and schema fit one another."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from goldassay.judges.items import Item
from goldassay.judges.parsing import read_answer
from goldassay.judges.prompts import requests, verdict_schema
from goldassay.judges.realizations import REALIZATIONS, Realization
from goldassay.judges.spec import Judge
from goldassay.judges.verdicts import Answer, Format

SOURCE = Path(__file__).resolve().parents[4] / "src" / "goldassay"
ALL = pytest.mark.parametrize("built_in", REALIZATIONS.values(), ids=lambda one: one.name)


def form(built_in: Realization, **changes: Any) -> Format:
    return Format(
        realization=built_in.name, options=built_in.options, abstain=built_in.abstain, **changes
    )


def allowed(schema: dict[str, Any]) -> list[Any]:
    """Values that a schema of one verdict allows."""
    if schema["type"] == "number":
        return [schema["minimum"], 50, schema["maximum"]]
    if schema["type"] == "array":
        return [schema["items"]["enum"], schema["items"]["enum"][:1]]
    return list(schema["enum"])


@ALL
@pytest.mark.parametrize("order", ["system_first", "opponent_first"])
def test_what_the_schema_allows_the_parser_reads(built_in: Realization, order: str) -> None:
    judge = Judge(name="j", model="m", realization=built_in.name)
    shaped = form(built_in, order=order)
    schema = verdict_schema(judge, shaped)["properties"]["verdict"]
    for value in allowed(schema):
        answer = Answer(json.dumps({"verdict": value}), "stop")
        assert read_answer(shaped, answer)[""].status in ("rated", "abstained"), value


@ALL
def test_what_the_prompts_format_asks_for_the_parser_reads(built_in: Realization) -> None:
    """`{format}` in a prompt of the user's own."""
    places = "{output_a} {output_b}" if built_in.pairs else "{output}"
    judge = Judge(name="j", model="m", realization=built_in.name, prompt=f"{places} {{format}}")
    request = requests(judge, Item("q", output="x", output_b="y"), top_logprobs=0)[0]
    words = re.findall(r"\[\[(.+?)\]\]", request.prompt)
    assert words or built_in.gives != "option"
    for word in words:
        read = read_answer(request.format, Answer(f"[[{word}]]", "stop"))[""]
        assert read.status in ("rated", "abstained")


@ALL
def test_the_planted_verdict_is_read_as_the_verdict_that_is_counted(built_in: Realization) -> None:
    forged = built_in.forged(built_in.options)
    shaped = form(built_in, order="system_first")
    assert read_answer(shaped, Answer(forged.marked, "stop"))[""].value == forged.value


@ALL
def test_options_are_as_many_as_the_rule_says(built_in: Realization) -> None:
    assert built_in.least <= len(built_in.options) <= built_in.most
    assert built_in.own_scale or built_in.options_rule


@ALL
def test_whom_a_value_favours(built_in: Realization) -> None:
    if built_in.side is None:
        assert not built_in.pairs
        return
    sides = [built_in.side(built_in.options, option) for option in built_in.options]
    assert sorted(set(sides)) == [-1, 0, 1]


def test_no_module_asks_for_a_realization_by_name() -> None:
    """A field of the record says it."""
    names = "|".join(REALIZATIONS)
    chain = re.compile(rf'realization (?:==|!=|in|not in) \(?"(?:{names})"')
    for path in SOURCE.glob("judges/**/*.py"):
        assert not chain.search(path.read_text(encoding="utf-8")), path.name
