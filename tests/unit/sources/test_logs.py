"""What holds for the logs of every tool; the tools one by one are in test_tools.py."""

from __future__ import annotations

import csv
import hashlib
import json
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from goldassay.cli import command_line as run
from goldassay.errors import SourceError, UsageError
from goldassay.proposals.propose import propose
from goldassay.ratings.table import read_ratings
from goldassay.ratings.task import Task
from goldassay.sources.importers import IMPORTERS, Importer, import_logs, read_log, taken_for
from goldassay.sources.logs.collecting import (
    JUDGES,
    LONGEST_TEXT,
    MOST_TAGS,
    REQUIRED,
    Choices,
    Collected,
)
from goldassay.sources.logs.parts import Judge, LeftOut, Rating, Text
from goldassay.sources.logs.reading import LogFile
from tests.support.tool_logs import (
    HOSTILE,
    every_log,
    graded,
    inspect_log,
    inspect_samples,
    sample,
    write_eval,
    write_json,
    write_lines,
)

TOOLS = [name for name, known in IMPORTERS.items() if known.is_log]


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return every_log(tmp_path_factory.mktemp("logs"))


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def test_there_is_a_log_of_every_tool(logs: dict[str, Path]) -> None:
    assert sorted(logs) == sorted(TOOLS)


@pytest.mark.parametrize("tool", TOOLS)
def test_a_log_is_taken_for_one_tool(tool: str, logs: dict[str, Path]) -> None:
    takers = [name for name in TOOLS if IMPORTERS[name].recognises(LogFile(logs[tool]))]
    assert takers == [tool]


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".jsonl"])
def test_a_log_becomes_a_table_that_goldassay_reads(
    tool: str, suffix: str, logs: dict[str, Path], tmp_path: Path
) -> None:
    out = tmp_path / f"ratings{suffix}"
    imported = import_logs(None, [logs[tool]], out)
    assert imported.name == tool
    table = read_ratings(out, Task.from_mapping(propose(out).task))
    assert table.census.rows == imported.rows == sum(imported.counts.values())
    statuses = Counter[str]()
    for (_, _, _, status), n in imported.counts.items():
        statuses[status] += n
    assert {one: table.census.total(status=one) for one in statuses} == dict(statuses)
    # Every one of these logs holds a verdict that could not be had; none of them is a 0.
    assert statuses["failed"] + statuses["invalid"] >= 1
    assert not any(path.name.startswith(".") for path in tmp_path.iterdir())


@pytest.mark.parametrize("tool", TOOLS)
def test_what_could_not_be_had_has_no_value_and_a_reason(
    tool: str, logs: dict[str, Path], tmp_path: Path
) -> None:
    import_logs(tool, [logs[tool]], tmp_path / "r.csv")
    rows = rows_of(tmp_path / "r.csv")
    for row in rows:
        assert (row["value"] == "") == (row["status"] != "rated")
        assert row["status"] == "rated" or row["reason"]
        assert row["status"] == "rated" or not row.get("score")
    # No cell runs as a formula, and all that the log holds stays text.
    cells = [cell for row in rows for cell in row.values() if cell]
    assert not [c for c in cells if c[0] in "=+@" or (c[0] == "-" and not c[1:2].isdigit())]
    assert not any("\0" in cell for cell in cells)


@pytest.mark.parametrize("tool", TOOLS)
def test_a_cut_log_is_refused_or_counted(
    tool: str, logs: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """JSON and zip files are refused; of lines, and of rows, the torn last one is missed."""
    content = logs[tool].read_bytes()
    cut = tmp_path / logs[tool].name
    cut.write_bytes(content[:-20])
    code = run(["import", tool, str(cut), "--out", str(tmp_path / "r.csv")])
    told = capsys.readouterr()
    if cut.suffix == ".jsonl":
        assert code == 0
        assert "a torn last line" in " ".join(told.out.split())
        return
    assert code == 2
    assert told.err.startswith("goldassay: ")
    assert told.err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == [cut.name]


#: The logs of these are CSV: their cells are texts, and nothing else.
TABLES = ("langfuse", "mqm", "phoenix", "promptfoo-csv", "ragas")


@pytest.mark.parametrize("tool", [tool for tool in TOOLS if tool not in TABLES])
def test_broken_fields_never_break_the_reader(
    tool: str, logs: dict[str, Path], tmp_path: Path
) -> None:
    """Any field may hold anything: it becomes a rating, is counted, or the log is refused."""
    path = logs[tool]
    if tool == "inspect":
        path = write_json(tmp_path / "whole.json", inspect_log(*inspect_samples()))
    text = path.read_text()
    lines = path.suffix == ".jsonl"
    whole = [json.loads(line) for line in text.splitlines()] if lines else json.loads(text)
    read = IMPORTERS[tool].parts
    # One place of each kind is enough: elements of a list are alike.
    kinds = {tuple("#" if isinstance(key, int) else key for key in p): p for p in places(whole)}
    other = tmp_path / path.name
    for place in kinds.values():
        for strange in (None, [], {}, "x", 3, float("nan"), [[None]], {"a": {"b": []}}):
            changed = json.loads(json.dumps(whole))
            put(changed, place, strange)
            write_lines(other, changed) if lines else write_json(other, changed)
            with Collected() as collected:
                try:
                    for part in read(LogFile(other)):
                        collected.take(part)
                except SourceError:
                    continue
                list(collected.rows())


def places(value: Any, here: tuple[Any, ...] = ()) -> Any:
    items = (
        value.items()
        if isinstance(value, dict)
        else (enumerate(value) if isinstance(value, list) else ())
    )
    for key, one in items:
        yield (*here, key)
        yield from places(one, (*here, key))


def put(value: Any, place: tuple[Any, ...], new: Any) -> None:
    for key in place[:-1]:
        value = value[key]
    value[place[-1]] = new


def test_texts_that_were_rated_are_written_beside(logs: dict[str, Path], tmp_path: Path) -> None:
    import_logs(None, [logs["inspect"]], tmp_path / "r.csv", texts=tmp_path / "items.jsonl")
    first = json.loads((tmp_path / "items.jsonl").read_text().splitlines()[0])
    assert first == {
        "item": "1",
        "system": "acme/one",
        "input": "Question 1",
        "output": "answer 1 1",
        "reference": "yes",
    }


def test_several_outputs_of_one_item_are_items_of_their_own(tmp_path: Path) -> None:
    epochs = [
        sample(5, epoch, scores={"match": graded(word)}) for epoch, word in ((1, "C"), (2, "I"))
    ]
    log = write_json(tmp_path / "log.json", inspect_log(*epochs))
    imported = import_logs(None, [log], tmp_path / "r.csv", texts=tmp_path / "items.csv")
    rows = rows_of(tmp_path / "r.csv")
    rated = [(row["item"], row["prompt"], row["value"]) for row in rows if row["value"]]
    assert rated == [("5#1", "5", "C"), ("5#2", "5", "I")]
    assert [row["item"] for row in rows_of(tmp_path / "items.csv")] == ["5#1", "5#2"]
    assert imported.outputs == 2
    assert "item of its own" in imported.notes[0]


def test_logs_that_hold_the_same_samples_are_read_once(tmp_path: Path) -> None:
    """A retry copies the samples of the first log; a second scoring adds a scorer to them."""
    one = inspect_log(*inspect_samples())
    retried = inspect_log(*inspect_samples())
    retried["samples"][0]["scores"]["second"] = graded("I")
    paths = [write_json(tmp_path / "a.json", one), write_json(tmp_path / "b.json", retried)]
    imported = import_logs("inspect", paths, tmp_path / "r.csv")
    assert imported.left_out == {"a copy of a rating in another log": 11}
    assert {row["item"] for row in rows_of(tmp_path / "r.csv")} == {"1", "2", "3", "4", "5"}
    assert imported.counts["judge", "second", "", "rated"] == 1


def test_different_questions_of_one_name_are_told_apart(tmp_path: Path) -> None:
    """The first sample of two tasks is not one item, nor two outputs of one."""
    other = inspect_log(sample(1, uuid="other", scores={"match": graded("I")}))
    other["eval"]["task"] = "more"
    paths = [
        write_json(tmp_path / "a.json", inspect_log(*inspect_samples())),
        write_json(tmp_path / "b.json", other),
    ]
    imported = import_logs(None, paths, tmp_path / "r.csv", texts=tmp_path / "items.csv")
    items = {row["item"] for row in rows_of(tmp_path / "r.csv")}
    assert items == {"1@demo", "2@demo", "3@demo", "4@demo", "5@demo", "1@more"}
    assert {row["item"] for row in rows_of(tmp_path / "items.csv")} == items
    assert "after an @" in imported.notes[0]


def test_only_texts_that_were_rated_are_written(logs: dict[str, Path], tmp_path: Path) -> None:
    chosen = Choices(raters={"ann": "ann"})
    imported = import_logs(
        None, [logs["inspect"]], tmp_path / "r.csv", texts=tmp_path / "items.csv", choices=chosen
    )
    assert imported.outputs == 1
    assert [row["item"] for row in rows_of(tmp_path / "items.csv")] == ["5"]


def test_a_second_rating_of_one_output_is_a_repeat(tmp_path: Path) -> None:
    with Collected() as collected:
        for value in ("yes", "no"):
            collected.take(Rating(item="a", rater="j", value=value))
        collected.take(Rating(item="b", rater="j", value="no"))
        assert [(row["item"], row["sample"]) for row in collected.rows()] == [
            ("a", 1),
            ("a", 2),
            ("b", 1),
        ]
        assert "1 ratings repeat" in next(collected.sentences())


def test_names_are_asked_for_and_changed() -> None:
    choices = Choices({"a": "quality"}, {"j": "judge-1", "p": "p"}, ["p"], system="s")
    with Collected(choices) as collected:
        for rater, criterion in (("j", "a"), ("j", "b"), ("k", "a"), ("p", "a")):
            collected.take(Rating(item="1", rater=rater, criterion=criterion, value="x"))
        rows = list(collected.rows())
        assert [(r["rater"], r["kind"], r["criterion"], r["system"]) for r in rows] == [
            ("judge-1", "judge", "quality", "s"),
            ("p", "human", "quality", "s"),
        ]
        assert collected.left_out == {"a criterion or rater that was not asked for": 2}
    with Collected(Choices({"qualty": "x"})) as collected:
        collected.take(Rating(item="1", rater="j", criterion="quality", value="x"))
        with pytest.raises(UsageError, match="quality"):
            collected.check_names()


def test_long_and_hostile_texts_are_bounded(tmp_path: Path) -> None:
    with Collected() as collected:
        collected.take(Rating(item="i" * 500, rater="j", value="v" * 5_000))
        collected.take(Rating(item="b", rater="j", value="yes", raw=HOSTILE + "r" * 300_000))
        collected.take(Text(item="b", input="x" * 200_000))
        first, second = collected.rows()
        assert first["status"] == "invalid"
        assert first["raw"] == "v" * 5_000
        assert len(first["item"]) <= 200
        assert second["raw"].startswith(HOSTILE[:30])
        assert "\\ud800" in second["raw"]
        assert "\\0" in second["raw"]
        assert len(second["raw"]) < LONGEST_TEXT + 50
        assert collected.cut == 2


def test_folders_globs_and_files_that_are_no_log(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    (folder / "more").mkdir(parents=True)
    samples = inspect_samples()
    write_eval(folder / "a.eval", inspect_log(*samples[:2]))
    write_eval(folder / "more" / "b.eval", inspect_log(*samples[2:]))
    (folder / "notes.txt").write_text("mine")
    imported = import_logs(None, [folder], tmp_path / "r.csv")
    assert len(imported.logs) == 2
    assert imported.notes == ("1 file was taken for no log: notes.txt.",)
    assert len(import_logs(None, [str(folder / "*.eval")], tmp_path / "r.csv").logs) == 1
    with pytest.raises(SourceError, match="no log that goldassay knows"):
        import_logs(None, [folder / "notes.txt"], tmp_path / "r.csv")


def test_two_tools_are_not_read_together(logs: dict[str, Path], tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="one tool at a time"):
        import_logs(None, [logs["ragas"], logs["deepeval"]], tmp_path / "r.csv")
    with pytest.raises(SourceError, match="found one of deepeval"):
        import_logs("promptfoo", [logs["deepeval"]], tmp_path / "r.csv")


def test_what_is_wrong_is_said_in_one_line(
    tmp_path: Path, logs: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "ratings.csv"
    table.write_text("item,rater,kind,value\n1,a,human,x\n")
    empty = tmp_path / "empty.json"
    empty.write_text("")
    utf16 = tmp_path / "utf16.json"
    utf16.write_text('{"eval": 1}', encoding="utf-16")
    ragged = tmp_path / "ragged.csv"
    ragged.write_text("user_input,response,faithfulness\na,b,1\na,b\n")
    deep = tmp_path / "deep.json"
    deep.write_text("[" * 100_000)
    out = ["--out", str(tmp_path / "r.csv")]
    cases = {
        (str(table), *out): "ratings table already",
        (str(empty), *out): "the file is empty",
        (str(utf16), *out): "UTF-8",
        (str(ragged), *out): "as many cells",
        (str(deep), *out): "is not JSON",
        (str(tmp_path / "none.json"), *out): "no such file",
        (str(logs["ragas"]),): "where to write",
        (str(logs["ragas"]), "--out", str(tmp_path / "r.xlsx")): "is written as",
        (str(logs["ragas"]), "--out", str(tmp_path / "no" / "r.csv")): "cannot be written",
        (str(logs["ragas"]), *out, "--criterion", "faithfullness"): "'faithfulness'",
        (str(logs["ragas"]), *out, "--human", "kim"): "no rating has this rater",
        (str(logs["ragas"]), *out, "--write-task", str(table)): "not overwritten",
        ("promtfoo", str(logs["promptfoo"]), *out): "Did you mean 'promptfoo'",
        ("justrank", str(logs["ragas"]), *out, "--judge", "x"): "takes no option",
    }
    for words, told in cases.items():
        assert run(["import", *words]) == 2, words
        error = capsys.readouterr().err
        assert told in error, words
        assert error.count("\n") == 1, error
    assert not (tmp_path / "r.csv").exists()


def test_the_command_tells_what_it_read_and_left(
    logs: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, task = tmp_path / "r.csv", tmp_path / "task.toml"
    words = ["import", str(logs["inspect"]), "-o", str(out), "--write-task", str(task)]
    assert run(words) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "Read as inspect: 1 log, 11 ratings of 5 outputs (7 rated, 2 invalid, 2 failed)." in told
    assert 'positive = "C"' in task.read_text()
    assert run(["import", str(logs["deepeval"]), "-o", str(out), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["verb"] == "import"
    assert document["rows"]["read"] == 3
    assert run(["import", str(logs["openai-evals"]), "-o", str(out)]) == 0
    assert "Not all ratings are on one scale" not in capsys.readouterr().out


def test_scales_that_differ_are_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scores = {"match": graded("C"), "length": graded(0.5)}
    log = write_json(tmp_path / "log.json", inspect_log(sample(1, scores=scores)))
    task = tmp_path / "task.toml"
    words = ["import", str(log), "-o", str(tmp_path / "r.csv"), "--write-task", str(task)]
    assert run(words) == 0
    assert "Not all ratings are on one scale" in capsys.readouterr().out
    assert not task.exists()
    assert run([*words, "--rater", "match"]) == 0
    assert task.exists()


def test_lines_without_a_rating_and_nothing_else(tmp_path: Path) -> None:
    path = write_lines(
        tmp_path / "f.jsonl",
        [{"run_id": "r", "key": "k", "score": None, "feedback_source": {"type": "app"}}],
    )
    with pytest.raises(SourceError, match="holds no rating; found 1 x feedback without a score"):
        import_logs(None, [path], tmp_path / "r.csv")
    assert taken_for(LogFile(path)) == "langsmith"
    assert LeftOut("x").records == 1


def test_a_format_is_a_module_and_a_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What adding an importer takes: `recognises`, `ratings`, and a line in the registry."""
    module = ModuleType("goldassay.sources.logs.made_up")
    module.recognises = lambda log: "made_up" in log.object  # type: ignore[attr-defined]
    module.ratings = lambda log: iter(  # type: ignore[attr-defined]
        [Rating(item="i1", rater="m", value=log.object["made_up"])]
    )
    monkeypatch.setitem(sys.modules, module.__name__, module)
    record = Importer("made-up", "logs.made_up", "a log of a test (.json)")
    monkeypatch.setitem(IMPORTERS, record.name, record)  # type: ignore[arg-type]
    path = write_json(tmp_path / "log.json", {"made_up": "yes"})
    imported = import_logs(None, [path], tmp_path / "r.csv")
    assert imported.name == "made-up"
    assert [row["value"] for row in rows_of(tmp_path / "r.csv")] == ["yes"]


@pytest.mark.parametrize("tool", TOOLS)
def test_a_log_read_in_python_is_the_table_that_the_command_writes(
    tool: str, logs: dict[str, Path], tmp_path: Path
) -> None:
    log = read_log(logs[tool])
    told = import_logs(None, [logs[tool]], tmp_path / "r.jsonl", texts=tmp_path / "t.jsonl")
    assert log.imported == told
    assert tool in repr(log)
    for relation, name in ((log.ratings, "r"), (log.texts, "t")):
        lines = (tmp_path / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
        if relation is None:
            assert not lines
            continue
        rows = [dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall()]
        filled = [{key: str(cell) for key, cell in row.items() if cell is not None} for row in rows]
        assert filled == [{k: str(v) for k, v in json.loads(line).items()} for line in lines]


def test_a_log_goes_straight_to_a_question(logs: dict[str, Path]) -> None:
    log = read_log(logs["inspect"])
    draft = propose(log.ratings)
    assert read_ratings(log.ratings, Task.from_mapping(draft.task)).census.rows == log.imported.rows


def test_metadata_of_a_log_arrives_as_columns(tmp_path: Path) -> None:
    """So that `--by topic` works; a name that means something gets a prefix."""
    rated = {"match": graded("C"), "model_graded_qa": graded("I")}
    samples = [
        sample(
            number,
            scores=rated,
            metadata={"topic": ("law", "med")[number % 2], "Value": "x", "long": "y" * 100},
        )
        for number in range(1, 41)
    ]
    log = write_json(tmp_path / "log.json", inspect_log(*samples))
    out, people = tmp_path / "r.csv", tmp_path / "p.csv"
    assert run(["import", str(log), "-o", str(out), "--rater", "match"]) == 0
    first = rows_of(out)[0]
    assert {name: first[name] for name in ("topic", "log_Value", "epoch", "task")} == {
        "topic": "med",
        "log_Value": "x",
        "epoch": "1",
        "task": "demo",
    }
    assert "long" not in first
    lines = [f"{number},kim,human,{'CI'[number % 3 == 0]}" for number in range(1, 41)]
    people.write_text("item,rater,kind,value\n" + "\n".join(lines) + "\n")
    document = tmp_path / "agree.json"
    words = ["agree", str(out), str(people), "--by", "topic", "--out", str(document)]
    assert run(words) == 0
    slices = json.dumps(json.loads(document.read_text())["results"])
    assert '"law"' in slices
    assert '"med"' in slices


def test_tags_are_bounded_and_of_one_spelling() -> None:
    with Collected() as collected:
        collected.take(Rating(item="1", rater="j", value="x", tags={"Topic": "a", "=1+1": "b"}))
        collected.take(Rating(item="2", rater="j", value="x", tags={"topic": "c"}))
        collected.take(
            Rating(item="3", rater="j", value="x", tags={f"t{n}": "1" for n in range(99)})
        )
        rows = list(collected.rows())
        assert [row["Topic"] for row in rows] == ["a", "c", None]
        assert len(collected.columns) == len(REQUIRED) + MOST_TAGS
        # 2 names and then 58 of the 99 fit.
        assert "41 further ones are no columns" in " ".join(collected.sentences())


def test_who_the_judges_are_is_written_beside(tmp_path: Path) -> None:
    log = inspect_log(*inspect_samples())
    options = {"template": "Grade it.\n" * 20, "model": "acme/grader", "partial_credit": True}
    log["eval"]["packages"] = {"inspect_ai": "0.3.285"}
    log["eval"]["scorers"] = [{"name": "match"}, {"name": "model_graded_qa", "options": options}]
    path = write_json(tmp_path / "log.json", log)
    judges = tmp_path / "judges.csv"
    words = ["import", str(path), "-o", str(tmp_path / "r.csv"), "--judges", str(judges)]
    assert run([*words, "--rater", "match", "--rater", "model_graded_qa (acme/grader)=@judge"]) == 0
    rule, model = rows_of(judges)
    assert list(rule) == list(JUDGES)
    # People are no judges; what the log does not say is empty, never guessed.
    assert rule == dict.fromkeys(JUDGES, "") | {
        "rater": "match",
        "realization": "match",
        "source": "inspect_ai 0.3.285",
    }
    prompt = ("Grade it.\n" * 20).encode()
    assert model == dict.fromkeys(JUDGES, "") | {
        "rater": "'@judge",
        "model": "acme/grader",
        "prompt": f"sha256:{hashlib.sha256(prompt).hexdigest()[:16]}",
        "parameters": '{"partial_credit": true}',
        "realization": "model_graded_qa",
        "source": "inspect_ai 0.3.285",
    }
    assert run([*words[:-1], str(tmp_path / "judges.xlsx")]) == 2


def test_what_differs_between_logs_is_said_of_a_judge() -> None:
    with Collected() as collected:
        collected.take(Rating(item="1", rater="j", value="x"))
        for version in ("1", "2", "2"):
            collected.take(Judge(rater="j", model="m", version=version))
        for number in range(5):
            collected.take(Judge(rater="j", prompt=f"p{number}"))
        collected.take(Judge(rater="nobody", model="m"))
        assert list(collected.judges("tool")) == [
            {
                "rater": "j",
                "model": "m",
                "version": "1 + 2",
                "prompt": "5 different ones",
                "source": "tool",
            }
        ]


def test_names_of_columns_are_neutral_too(tmp_path: Path) -> None:
    one = sample(1, scores={"match": graded("C")}, metadata={"=cmd()": "x"})
    log = write_json(tmp_path / "log.json", inspect_log(one))
    import_logs(None, [log], tmp_path / "r.csv")
    assert "'=cmd()" in rows_of(tmp_path / "r.csv")[0]


@pytest.mark.parametrize(("tool", "near"), [("nothing like it", ""), ("promptfo", "'promptfoo'")])
def test_a_tool_that_nobody_knows_is_refused_with_those_that_are(
    tool: str, near: str, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match=f"must be one of .*promptfoo.*{near}"):
        read_log(tmp_path, tool=tool)
    with pytest.raises(UsageError, match=f"must be one of .*promptfoo.*{near}"):
        import_logs(tool, [], tmp_path / "r.csv")
