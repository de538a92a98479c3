"""JSON within JSON within JSON: refused before the engine, which would end without a word."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import goldassay as ga
from goldassay.errors import InputError

RECORD = '{"item": "q1", "rater": "gpt", "kind": "judge", "value": "yes", "more": %s}'
NESTED = {
    "lists": "[" * 100_000 + "]" * 100_000,
    "objects": '{"a":' * 100_000 + "1" + "}" * 100_000,
    "both": '[{"a":' * 50_000 + "1" + "}]" * 50_000,
    "cut": "[" * 100_000,
    "after brackets in a text": f'"{"]" * 2_000}", "b": ' + "[" * 100_000 + "]" * 100_000,
}


@pytest.mark.parametrize("name", NESTED)
@pytest.mark.parametrize("end", ["json", "jsonl"])
def test_what_is_nested_too_deeply_is_refused(tmp_path: Path, name: str, end: str) -> None:
    path, record = tmp_path / f"ratings.{end}", RECORD % NESTED[name]
    path.write_text(f"[{record}]" if end == "json" else f"{record}\n" * 3)
    with pytest.raises(InputError, match=r"deep|valid JSON") as told:
        ga.check(str(path))
    assert str(path) in str(told.value)


@pytest.mark.parametrize("end", ["json", "jsonl"])
def test_brackets_in_texts_and_many_beside_one_another_are_read(tmp_path: Path, end: str) -> None:
    rows = [
        {"item": f"q{at}", "rater": rater, "kind": kind, "value": "yes", "note": "[" * 300 + '"]\\'}
        | {"list": [{"a": []}] * 300}
        for at in range(9)
        for rater, kind in (("ann", "human"), ("gpt", "judge"))
    ]
    path = tmp_path / f"ratings.{end}"
    lines = "".join(f"{json.dumps(row)}\n" for row in rows)
    path.write_text(json.dumps(rows) if end == "json" else lines)
    assert ga.check(str(path)).rows_read == len(rows)
