"""One document a verb, of the ratings beside this file: results, and sentences by key and facts.

24 prompts answered by three systems and judged by two judges. `VERB.txt` has every result, every
sentence's key and facts and the shape of tables and charts, with six digits; what is said in words
stands in `words.txt` alone, so that a change of a word touches one file.

`GOLDASSAY_UPDATE_GOLDEN=1 pytest tests/golden` writes them anew; read the difference before keeping
it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import goldassay as ga
from goldassay import Findings

HERE = Path(__file__).parent
RATINGS, TASK = "ratings.csv", "task.toml"
FEW = {"resamples": 100}
WHO = {"identity": {"model": "m-1", "prompt": "Is it right?"}, "date": "2026-01-31"}


def by_day() -> pl.DataFrame:
    """The ratings, with a day for every six prompts."""
    frame = pl.read_csv(HERE / RATINGS, infer_schema=False)
    return frame.with_columns(
        batch=(pl.col("prompt").str.slice(1).cast(pl.Int64) // 6).cast(pl.String)
    )


def of_another_day() -> pl.DataFrame:
    """The ratings, where the second judge says otherwise of every prompt that ends with 3."""
    moved = (pl.col("rater") == "strict") & pl.col("prompt").str.ends_with("3")
    frame = pl.read_csv(HERE / RATINGS, infer_schema=False)
    return frame.with_columns(value=pl.when(moved).then(pl.lit("MET")).otherwise("value"))


ASKED: dict[str, Callable[[], Findings]] = {
    "check": lambda: ga.check(RATINGS, TASK),
    "agree": lambda: ga.agree(RATINGS, TASK, **FEW),
    "select": lambda: ga.select(RATINGS, TASK, **FEW),
    "audit": lambda: ga.audit(RATINGS, TASK, **FEW),
    "estimate": lambda: ga.estimate(RATINGS, TASK),
    "rank": lambda: ga.rank(RATINGS, TASK, **FEW),
    "compare": lambda: ga.compare(RATINGS, TASK, margin=0.05),
    "plan": lambda: ga.plan(RATINGS, TASK),
    "replace": lambda: ga.replace(RATINGS, TASK),
    "route": lambda: ga.route(RATINGS, TASK),
    "monitor": lambda: ga.monitor(by_day(), TASK),
    "certify": lambda: ga.certify(RATINGS, TASK, judge="balanced", **WHO, **FEW),
    "diff": lambda: ga.diff(found("agree"), ga.agree(of_another_day(), TASK, **FEW)),
    "report": lambda: ga.report(RATINGS, TASK, **FEW),
}
#: What a row has beside what it is about.
NUMBERS = (
    "name", "value", "low", "high", "confidence_level", "method", "n_items", "n_clusters",
    "declared", "assumptions", "warnings", "undefined",
)  # fmt: skip


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sentences name the file as it was named."""
    monkeypatch.chdir(HERE)


@cache
def found(verb: str) -> Findings:
    return ASKED[verb]()


def rounded(value: Any) -> Any:
    """Six digits of every number: the last ones depend on the processor."""
    if isinstance(value, float):
        return float(f"{value:.6g}")
    if isinstance(value, Mapping):
        return {key: rounded(one) for key, one in value.items()}
    return [rounded(one) for one in value] if isinstance(value, list | tuple) else value


def told(value: Any) -> str:
    return json.dumps(rounded(value), ensure_ascii=False)


def about(row: Mapping[str, Any]) -> str:
    return " ".join(f"{key}={one}" for key, one in row.items() if one is not None)


def number(row: Mapping[str, Any], declared: Mapping[str, str]) -> str:
    """A result's line: what it is about, value, ends, sizes, what was declared."""
    where = about({key: one for key, one in row.items() if key not in NUMBERS})
    if row["value"] is None:
        return f"{row['name']} {where}: undefined, {row['n_items']} items"
    ends = f" [{told(row['low'])}, {told(row['high'])}]" if row["low"] is not None else ""
    sizes = f"{row['n_items']} items, {row['n_clusters']} clusters"
    way = declared[told(row["declared"])]
    return f"{row['name']} {where}: {told(row['value'])}{ends} {sizes} {way}"


def sentence(one: Mapping[str, Any]) -> str:
    return f"{one['key']} {about(one['about'])}: {told(one['facts'])}"


def lines(document: Mapping[str, Any]) -> Iterator[str]:
    """Everything but words."""
    yield f"rows {told(document['rows'])}"
    parts, passport = document.get("parts", ()), document.get("passport", {})
    if not parts and not passport:  # whose results are those of other questions
        said = dict.fromkeys(told(row["declared"]) for row in document["results"])
        declared = {one: f"d{k}" for k, one in enumerate(said)}
        yield from (f"{name} {one}" for one, name in declared.items())
        yield from (number(row, declared) for row in document["results"])
    yield from (f"passport {key}: {told(one)}" for key, one in passport.items() if key != "digest")
    yield from map(sentence, document["sentences"])
    for kind, said in document.get("claims", {}).items():
        yield from (f"{kind} {sentence(one)}" for one in said if "key" in one)
    for part in parts:
        yield f"part {part['verb']}: {' '.join(one['key'] for one in part['sentences'])}"
    for name, table in document["tables"].items():
        yield f"table {name}: {len(table['columns'])} x {len(table['rows'])}"
    for chart in document["charts"]:
        yield f"chart {chart['kind']}: {len(chart.get('rows', ()))}"
    yield f"warnings: {len(document['warnings'])}"


def words(verb: str, document: Mapping[str, Any]) -> Iterator[str]:
    """Everything that a verb says in words; a report's parts say it themselves."""
    for one in document["sentences"]:
        yield f"{verb}  {one['key']}: {one['text']}"
    for one in document["warnings"]:
        yield f"{verb}  warning: {one}"
    for row in document["results"] if verb not in ("report", "certify") else ():
        for key in ("undefined", "method"):
            if row[key]:
                yield f"{verb}  {key}: {row[key]}"
        yield from (f"{verb}  warning: {one}" for one in row["warnings"])


def held(name: str, text: str) -> None:
    file = HERE / name
    if os.environ.get("GOLDASSAY_UPDATE_GOLDEN"):
        file.write_text(text, encoding="utf-8")
    assert file.exists(), f"{name} is missing: GOLDASSAY_UPDATE_GOLDEN=1 pytest tests/golden"
    assert file.read_text(encoding="utf-8") == text  # which shows where


@pytest.mark.parametrize("verb", ASKED)
def test_numbers_and_facts(verb: str) -> None:
    document = json.loads(found(verb).to_json())
    held(f"{verb}.txt", "\n".join(lines(document)) + "\n")


def test_words() -> None:
    said = [one for verb in ASKED for one in words(verb, json.loads(found(verb).to_json()))]
    held("words.txt", "\n".join(dict.fromkeys(said)) + "\n")


def test_every_question_has_a_document() -> None:
    """A verb without one fails here; what draws a table or reads a log asks nothing."""
    others = {"simulate", "read_log", "read_ratings", "read_study", "read_task"}
    functions = {name for name in ga.__all__ if type(getattr(ga, name)).__name__ == "function"}
    assert set(ASKED) == functions - others
    assert {path.stem for path in HERE.glob("*.txt")} == {*ASKED, "words"}
