"""Every sentence on the published ratings of the examples is true."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import polars as pl
import pytest
from naive_ratings import NaiveStudy
from sentence_truth import (
    Told,
    contradictions,
    sentences_of,
    wrong_comparisons,
    wrong_facts,
    wrong_forms,
    wrong_numbers,
)

import goldassay as ga
from goldassay import InputError

ROOT = Path(__file__).resolve().parents[2]
#: Example -> its data, its task, what its converter is told beside, and the questions asked.
EXAMPLES = {
    "agree_pandalm": ("pandalm/data", "task.toml", [], ("agree", "select", "estimate", "rank")),
    "agree_llmbar": ("llmbar/Dataset/LLMBar", "task.toml", [], ("agree",)),
    "agree_composo": ("composo_rb2", "task.toml", [], ("agree", "select")),
    "agree_llm_rubric": (
        "llm_rubric/data/real_data",
        "task_verdict.toml",
        ["verdict"],
        ("agree", "select"),
    ),
    "audit_dices": ("dices_judgebench", "task.toml", [], ("agree", "audit")),
    "audit_pandalm": ("pandalm", "task.toml", [], ("agree", "audit")),
    "estimate_evouna": (
        "evouna_qaeval/EVOUNA/NQ.json",
        "task.toml",
        [],
        ("agree", "select", "estimate", "plan", "rank"),
    ),
    "rank_pandalm": ("pandalm/data", "task.toml", [], ("agree", "rank")),
}


#: 124 people on each item, and a naive program that looks at every two of them.
LONG = {"audit_dices"}


@pytest.mark.parametrize(
    "example", [pytest.param(one, marks=[pytest.mark.slow] * (one in LONG)) for one in EXAMPLES]
)
def test_every_sentence_on_published_ratings_is_true(
    example: str, shared_data: Path, tmp_path: Path
) -> None:
    place, task_file, words, verbs = EXAMPLES[example]
    if not (shared_data / place).exists():
        pytest.skip(f"no {place} among the published ratings")
    table, folder = tmp_path / "ratings.csv", ROOT / "examples" / example
    convert = [sys.executable, str(folder / "convert.py"), str(shared_data / place), str(table)]
    subprocess.run([*convert, *words], check=True, capture_output=True)
    declared = tomllib.loads((folder / task_file).read_text(encoding="utf-8"))
    found = {}
    for verb in verbs:
        few = {} if verb in ("estimate", "plan") else {"resamples": 40}
        try:
            found[verb] = getattr(ga, verb)(str(table), task=str(folder / task_file), **few)
        except InputError:
            continue  # a question that these data do not allow
    rows = pl.read_csv(table, infer_schema=False).to_dicts()
    told = Told(NaiveStudy(rows, declared), found)
    wrong = [one for part in found.values() for one in wrong_forms(part)]
    for part in found.values():
        for said in sentences_of(part):
            wrong += wrong_facts(told, said)
            wrong += wrong_numbers(told, said)
            wrong += wrong_comparisons(told, said)
    wrong += contradictions(told)
    assert not wrong, "\n".join(wrong)
