"""Each shape of file that the documentation shows is read as its options say."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from goldassay.read.arguments import arguments
from goldassay.read.declaring import declared_table
from goldassay.read.table import Table

Who = tuple[str, str | None, str | None]


def table(source: Any, **said: Any) -> Table:
    return declared_table(source, arguments(**said))


def read(source: Any, **said: Any) -> dict[Who, dict[str, str]]:
    """Kind, rater, criterion -> item -> value."""
    found: dict[Who, dict[str, str]] = {}
    for one in table(source, **said).ratings:
        thing = "/".join(filter(None, (*one.item, one.system, one.opponent)))
        found.setdefault((one.kind, one.rater, one.criterion), {})[thing] = one.value
    return found


def saved(folder: Path, files: Mapping[str, Any]) -> list[Path]:
    """Files of text as they are, of all else as JSON."""
    paths = []
    for name, content in files.items():
        path = folder / name
        text = content if isinstance(content, str) else json.dumps(content)
        path.write_text(text, encoding="utf-8")
        paths.append(path)
    return paths


def test_wide() -> None:
    rows = [
        {"claim_id": "c1", "llm_label": "yes", "gold_label": "no", "text": "a"},
        {"claim_id": "c2", "llm_label": "no", "gold_label": "no", "text": "b"},
    ]
    said = {"item": "claim_id", "judge": "llm_label", "reference": "gold_label"}
    assert read(rows, **said) == {
        ("judge", "llm_label", None): {"c1": "yes", "c2": "no"},
        ("reference", "gold_label", None): {"c1": "no", "c2": "no"},
    }
    assert table(rows, **said).unused == {"records": ("text",)}


def test_several_judges_in_columns() -> None:
    rows = [{"id": 1, "human": 4, "score_a": 5, "score_b": 4}]
    assert read(rows, human="human", judge="score_*") == {
        ("human", "human", None): {"1": "4"},
        ("judge", "score_a", None): {"1": "5"},
        ("judge", "score_b", None): {"1": "4"},
    }


def test_long_with_a_key_repeated_on_each_row() -> None:
    rows = [
        {"id": i, "judge": who, "verdict": v, "truth": t}
        for i, t in (("1", "yes"), ("2", "no"))
        for who, v in (("gpt", "yes"), ("claude", "no"))
    ]
    found = table(rows, judge="judge=verdict", reference="truth")
    assert len(found.ratings) == 6
    assert read(rows, judge={"judge": "verdict"}, reference="truth") == {
        ("judge", "gpt", None): {"1": "yes", "2": "yes"},
        ("judge", "claude", None): {"1": "no", "2": "no"},
        ("reference", "truth", None): {"1": "yes", "2": "no"},
    }
    assert found.left_out == {"ratings that other rows or files repeat": 2}


def test_a_rater_column_and_names() -> None:
    rows = [
        {"item": 1, "rater": "ann", "value": "a"},
        {"item": 1, "rater": "gpt-4o", "value": "b"},
        {"item": 1, "rater": "key", "value": "a"},
    ]
    said = {"human": "ann", "judge": "gpt*", "reference": "*"}
    assert {who: rated["1"] for (who, _, _), rated in read(rows, **said).items()} == {
        "human": "a",
        "judge": "b",
        "reference": "a",
    }
    assert read(rows, human="ann,key", judge="*")["human", "key", None] == {"1": "a"}


def test_one_rater_with_several_criteria() -> None:
    rows = [{"id": 1, "correct_a": "1", "correct_b": "0"}]
    assert read(rows, human="reviewer=correct_*") == {
        ("human", "reviewer", "correct_a"): {"1": "1"},
        ("human", "reviewer", "correct_b"): {"1": "0"},
    }


def test_raters_in_rows_and_criteria_in_columns() -> None:
    rows = [
        {"Text_ID": 1, "Rater": "kim", "Plaus": 1, "Coher": 2},
        {"Text_ID": 1, "Rater": "lee", "Plaus": 3, "Coher": ""},
    ]
    found = read(rows, item="Text_ID", human="Rater=Plaus,Coher")
    assert found == {
        ("human", "kim", "Plaus"): {"1": "1"},
        ("human", "kim", "Coher"): {"1": "2"},
        ("human", "lee", "Plaus"): {"1": "3"},
    }
    said = {"item": "Text_ID", "human": "Rater", "value": ["Plaus", "Coher"]}
    assert read(rows, **said) == found


def test_raters_and_criteria_in_columns() -> None:
    rows = [{"id": 1, "ann1_fluency": 1, "ann2_fluency": 2, "gpt4_fluency": 3, "gpt4_style": 4}]
    assert read(rows, human="ann{rater}_{criterion}", judge="gpt4_{criterion}") == {
        ("human", "1", "fluency"): {"1": "1"},
        ("human", "2", "fluency"): {"1": "2"},
        ("judge", "gpt4", "fluency"): {"1": "3"},
        ("judge", "gpt4", "style"): {"1": "4"},
    }


def test_a_criterion_in_a_column() -> None:
    rows = [
        {"question_id": 1, "model": "m", "dimension": d, "judge_model": "gpt", "score": s}
        for d, s in (("help", 3), ("safe", 5))
    ]
    found = read(rows, item="question_id,model", criterion="dimension", judge="judge_model=score")
    assert found == {("judge", "gpt", "help"): {"1/m": "3"}, ("judge", "gpt", "safe"): {"1/m": "5"}}
    assert found == read(
        rows, item=("question_id", "model"), criterion="dimension", judge="judge_model=score"
    )


def test_a_column_for_each_system() -> None:
    rows = [{"sentence": "s1", "drift_x": 1, "drift_y": 0}]
    assert read(rows, item="sentence", judge="drift_{system}") == {
        ("judge", "drift", None): {"s1/x": "1", "s1/y": "0"}
    }


def test_raters_in_rows_and_items_in_columns() -> None:
    rows = [{"id": 7, "person": "kim", "q1": "a", "q2": "b"}]
    assert read(rows, human="person=q{item}") == {("human", "kim", None): {"1": "a", "2": "b"}}


def test_pairs() -> None:
    rows = [{"pair_id": 1, "judge": "gpt", "verdict": "A", "first": "x", "second": "y"}]
    said = {"item": "pair_id", "system": "first", "opponent": "second"}
    assert read(rows, judge="judge=verdict", **said) == {("judge", "gpt", None): {"1/x/y": "A"}}


def test_a_file_for_each_rater(tmp_path: Path) -> None:
    files = {
        "eval_human_v1.csv": "id,score\n1,a\n2,b\n",
        "eval_gpt_v1.csv": "id,score\n1,a\n2,a\n",
        "eval_claude_v1.csv": "id,score\n1,b\n2,b\n",
        "texts.csv": "id,text\n1,one\n",
    }
    paths = saved(tmp_path, files)
    found = table(paths[:3], item="id", human="*human*=score", judge="*=score")
    assert {(kind, rater) for kind, rater, _ in found.counts()} == {
        ("human", "human"),
        ("judge", "gpt"),
        ("judge", "claude"),
    }
    beside = table(paths, item="id", human="*human*=score", judge="*=score")
    assert len(beside.ratings) == 6
    assert any("texts.csv holds no declared column" in line for line in beside.said)


def test_a_map_of_ids_to_scores_for_each_judge(tmp_path: Path) -> None:
    files = {"gpt-4.json": {"a": 1, "b": 0}, "gpt-5.json": {"a": 0, "b": 0}}
    assert read(saved(tmp_path, files), judge="gpt-*.json") == {
        ("judge", "gpt-4", None): {"a": "1", "b": "0"},
        ("judge", "gpt-5", None): {"a": "0", "b": "0"},
    }
    named = read(saved(tmp_path, files), judge="gpt-{rater}.json")
    assert {rater for _, rater, _ in named} == {"4", "5"}


def test_another_name_of_the_key_in_another_file(tmp_path: Path) -> None:
    files = {
        "people.csv": "prompt_id,passed\np1,1\n",
        "judge.json": {
            "results": [{"prompt": {"id": "p1"}, "judgment": {"passed": True}}],
            "model": "x",
        },
    }
    assert read(
        saved(tmp_path, files),
        item=["prompt_id", "results.prompt.id"],
        human="passed",
        judge="results.judgment.passed",
    ) == {
        ("human", "passed", None): {"p1": "1"},
        ("judge", "results.judgment.passed", None): {"p1": "true"},
    }


def test_lists_in_lists_with_the_judge_around_them(tmp_path: Path) -> None:
    content = {
        "config": {"judge_label": "gpt"},
        "queries": [
            {"query_id": "q1", "retrieved": [{"point_id": "p", "judge_score": 2}]},
            {"query_id": "q2", "retrieved": [{"point_id": "p", "judge_score": 0}]},
        ],
    }
    assert read(
        saved(tmp_path, {"run.json": content}),
        rows="queries.retrieved",
        item="query_id,point_id",
        judge="config.judge_label=judge_score",
    ) == {("judge", "gpt", None): {"q1/p": "2", "q2/p": "0"}}


def test_records_by_key(tmp_path: Path) -> None:
    content = {"d1": {"s1": {"i1": {"utility_score": 3}, "i2": {"utility_score": 4}}}}
    paths = saved(tmp_path, {"all.json": content})
    found = table(paths, rows="{dataset}.{system}.{item}", human="utility_score")
    assert [(one.item, one.system, one.value) for one in found.ratings] == [
        (("i1",), "s1", "3"),
        (("i2",), "s1", "4"),
    ]


def test_criteria_and_raters_as_keys(tmp_path: Path) -> None:
    content = [
        {
            "task_id": "t",
            "model_id": "m",
            "evaluations": {"annotations": {"fluency": {"41": {"value": 2}, "auto": {"value": 3}}}},
        }
    ]
    assert read(
        saved(tmp_path, {"all.json": content}),
        rows="evaluations.annotations.{criterion}.{rater}.value",
        item="task_id,model_id",
        human="4*",
        judge="*",
    ) == {("human", "41", "fluency"): {"t/m": "2"}, ("judge", "auto", "fluency"): {"t/m": "3"}}


def test_parallel_lists_of_one_record(tmp_path: Path) -> None:
    content = {
        "pair_index": [5, 6],
        "human_scores": [1, 2],
        "per_judge_scores": {"gpt": [1, 1], "claude": [2, 2]},
    }
    assert read(
        saved(tmp_path, {"one.json": content}),
        item="pair_index",
        human="human_scores",
        judge="per_judge_scores.*",
    ) == {
        ("human", "human_scores", None): {"5": "1", "6": "2"},
        ("judge", "gpt", None): {"5": "1", "6": "1"},
        ("judge", "claude", None): {"5": "2", "6": "2"},
    }


def test_a_list_of_ratings_is_a_rater_a_place() -> None:
    rows = [{"id": 1, "labels": ["a", "b"]}, {"id": 2, "labels": '["a", "c"]'}]
    assert read(rows, human="labels") == {
        ("human", "labels 1", None): {"1": "a", "2": "a"},
        ("human", "labels 2", None): {"1": "b", "2": "c"},
    }
    of_records = [{"id": 1, "people": [{"says": "a"}, {"says": "b"}]}]
    assert {rater for _, rater, _ in read(of_records, human="people.says")} == {
        "people.says 1",
        "people.says 2",
    }


def test_a_list_of_a_named_rater_repeats() -> None:
    rows = [{"id": 1, "labels": ["a", "b"]}]
    found = table(rows, judge="gpt=labels").ratings
    assert [(one.rater, one.value, one.time) for one in found] == [("gpt", "a", 1), ("gpt", "b", 2)]


def test_names_and_ratings_in_two_lists_of_a_cell() -> None:
    rows = [{"id": 1, "annotators": "['kim', 'lee']", "annotations": "['x', 'y']"}]
    assert read(rows, human="annotators=annotations") == {
        ("human", "kim", None): {"1": "x"},
        ("human", "lee", None): {"1": "y"},
    }


def test_votes() -> None:
    rows = [{"id": 1, "hate": 2, "offensive": 1, "neither": 0}, {"id": 2, "hate": 0, "neither": 3}]
    found = table(rows, human="*", votes="hate,offensive,neither").ratings
    assert sorted((one.item[0], one.value) for one in found) == [
        ("1", "hate"),
        ("1", "hate"),
        ("1", "offensive"),
        ("2", "neither"),
        ("2", "neither"),
        ("2", "neither"),
    ]
    assert len({one.rater for one in found}) == 3


def test_a_companion_column() -> None:
    rows = [
        {"id": 1, "who": "kim", "q1": "yes", "q2": "no", "na - q1": "", "na - q2": "N/A"},
        {"id": 2, "who": "kim", "q1": "no", "q2": "no", "na - q1": "N/A", "na - q2": ""},
    ]
    assert read(rows, human="who=q1,q2", exclude="na - {criterion}=N/A") == {
        ("human", "kim", "q1"): {"1": "yes"},
        ("human", "kim", "q2"): {"2": "no"},
    }


def test_no_header(tmp_path: Path) -> None:
    paths = saved(tmp_path, {"scores.tsv": "first text\t0.5\nsecond text\t1.0\n"})
    assert read(paths, item="1", human="2") == {
        ("human", "2", None): {"first text": "0.5", "second text": "1.0"}
    }


def test_verdicts_within_a_text() -> None:
    rows = [{"id": 1, "reply": "I think [[A]]."}, {"id": 2, "reply": "So [[B]]"}]
    assert read(rows, judge="reply", label="*[[A]]*=A,*[[B]]*=B") == {
        ("judge", "reply", None): {"1": "A", "2": "B"}
    }


def test_only_some_rows() -> None:
    rows = [{"id": i, "human": i, "topic": t} for i, t in enumerate("abca", 1)]
    found = table(rows, human="human", only=["topic=a", "topic=b"])
    assert [one.value for one in found.ratings] == ["1", "2", "4"]
    assert found.left_out == {"not asked for (--only)": 1}


@pytest.mark.parametrize(
    ("judge", "kept"),
    [("turn_{turn}", {"turn": "1"}), ("{human}_1", {}), ("{criterion}_{criterion}", {})],
)
def test_what_a_name_keeps(judge: str, kept: dict[str, str]) -> None:
    (one,) = table([{"id": 1, "turn_1": "yes"}], judge=judge).ratings
    assert one.more == kept
    assert one.criterion == ("turn-1" if "criterion" in judge else None)
    assert one.rater == {"{human}_1": "turn", "turn_{turn}": "turn"}.get(judge, "turn_1")


def test_a_kept_name_as_a_part_of_the_key() -> None:
    rows = [{"id": 1, "turn_1": "yes", "turn_2": "no"}]
    assert read(rows, item="id,turn", judge="turn_{turn}") == {
        ("judge", "turn", None): {"1/1": "yes", "1/2": "no"}
    }


def test_the_row_is_the_item() -> None:
    rows = [{"human": "a", "id": "x"}, {"human": "b", "id": "x"}]
    assert read(rows, human="human", item="#") == {("human", "human", None): {"1": "a", "2": "b"}}
    assert read([{"human": "a"}], human="human") == {("human", "human", None): {"1": "a"}}


def test_the_whole_name_goes_before_a_pattern_and_that_before_everyone() -> None:
    rows = [{"id": 1, "score_key": 1, "score_human_a": 2, "score_gpt": 3}]
    found = read(rows, reference="score_key", human="score_human_*", judge="score_*")
    assert set(found) == {
        ("reference", "score_key", None),
        ("human", "score_human_a", None),
        ("judge", "score_gpt", None),
    }


def test_a_column_with_a_comma_or_a_sign_of_equality_is_one() -> None:
    rows = [{"id": 1, "a,b": "x", "a": "y", "b": "z", "c=d": "w"}]
    assert set(read(rows, human="a,b", judge="c=d")) == {
        ("human", "a,b", None),
        ("judge", "c=d", None),
    }
    assert {rater for _, rater, _ in read(rows[:1], human="b,a")} == {"a", "b"}


def test_what_is_forced() -> None:
    rows = [
        {"id": 1, "rater": "label", "value": "x", "label": "y"},
        {"id": 1, "rater": "kim", "value": "z", "label": "y"},
    ]
    assert read(rows, judge="column:label", human="*")["judge", "label", None] == {"1": "y"}
    assert read(rows, judge="rater:label", human="*")["judge", "label", None] == {"1": "x"}
    own = read([{"id": 1, "labels": "x"}], human="rater:label=labels")
    assert set(own) == {("human", "label", None)}


def test_everyone_else_is_one_rater_without_a_name() -> None:
    assert set(read([{"id": 1, "v": "x"}], human="*=v")) == {("human", None, None)}


def test_blank_cells_are_no_ratings_and_outer_blanks_are_dropped() -> None:
    rows = [{"id": n, "human": v} for n, v in enumerate([" yes ", "", None, float("nan")], 1)]
    found = table(rows, human="human")
    assert [one.value for one in found.ratings] == ["yes"]
    assert found.left_out == {"empty cells": 3}


def test_frames_of_every_library_say_the_same() -> None:
    import pandas as pd
    import polars as pl

    columns = {"id": [1, 2, 3], "human": [1.0, None, 0.0], "judge": [True, False, True]}
    said = {"human": "human", "judge": "judge"}
    expected = {
        ("human", "human", None): {"1": "1", "3": "0"},
        ("judge", "judge", None): {"1": "true", "2": "false", "3": "true"},
    }
    for frame in (columns, pd.DataFrame(columns), pl.DataFrame(columns), pl.LazyFrame(columns)):
        assert read(frame, **said) == expected


def test_files_of_every_format_say_the_same(tmp_path: Path) -> None:
    import duckdb

    rows = [{"id": "1", "human": "a", "judge": "b"}, {"id": "2", "human": "b", "judge": "b"}]
    lines = "".join(f"{json.dumps(row)}\n" for row in rows)
    cells = "\n".join(",".join(row.values()) for row in rows)
    text = f"id,human,judge\n{cells}\n"
    paths = saved(
        tmp_path, {"a.jsonl": lines, "b.json": rows, "c.csv": text, "d.csv": text.replace(",", ";")}
    )
    place = tmp_path / "e.parquet"
    duckdb.read_csv(str(tmp_path / "c.csv"), all_varchar=True).write_parquet(str(place))
    for path in [*paths, place]:
        assert read(path, human="human", judge="judge") == {
            ("human", "human", None): {"1": "a", "2": "b"},
            ("judge", "judge", None): {"1": "b", "2": "b"},
        }
