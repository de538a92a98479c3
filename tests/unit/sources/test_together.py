"""Several files as one table: judges from a log, people from a spreadsheet."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from goldassay.cli import command_line as run
from goldassay.counts import count_units
from goldassay.errors import InputError, SourceError
from goldassay.proposals.propose import propose
from goldassay.ratings.table import read_ratings
from goldassay.ratings.task import Task
from goldassay.sources.frames import open_source
from tests.support.tool_logs import inspect_log, inspect_samples, write_json

PEOPLE = "item,rater,kind,value\n1,kim,human,C\n2,kim,human,I\n3,kim,human,I\n5,kim,human,I\n"
BINARY = {"scale": "binary", "options": ["I", "C"], "positive": "C"}
GRADES = Task.from_mapping(BINARY)


@pytest.fixture
def judges(tmp_path: Path) -> Path:
    log = write_json(tmp_path / "log.json", inspect_log(*inspect_samples()))
    out = tmp_path / "judges.csv"
    assert run(["import", str(log), "-o", str(out), "--rater", "match"]) == 0
    return out


def written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


@pytest.mark.parametrize("form", ["csv", "parquet", "jsonl", "duckdb"])
def test_files_of_any_format_are_one_table(form: str, judges: Path, tmp_path: Path) -> None:
    people = written(tmp_path / "people.csv", PEOPLE)
    if form != "csv":
        import duckdb

        other = people.with_suffix(f".{form}")
        with duckdb.connect(str(other) if form == "duckdb" else ":memory:") as connection:
            connection.execute(f"CREATE TABLE ratings AS SELECT * FROM '{people}'")
            if form == "parquet":
                connection.execute(f"COPY ratings TO '{other}' (FORMAT parquet)")
            elif form == "jsonl":
                connection.execute(f"COPY ratings TO '{other}' (FORMAT json)")
        people = other
    table = read_ratings([judges, people], GRADES)
    assert table.census.rows == 9
    assert (table.judges, table.humans) == (("match",), ("kim",))
    # The log's only system is the one whose outputs people labelled.
    assert int(count_units(table).n.sum()) == 5
    assert [one.name for one in table.inputs] == ["judges.csv", people.name]
    assert read_ratings([judges], GRADES).census.rows == 5


def test_what_a_file_lacks_is_never_guessed(tmp_path: Path) -> None:
    judged = "item,rater,kind,value,system\n1,j,judge,C,one\n1,j,judge,I,two\n"
    judges = written(tmp_path / "judges.csv", judged)
    people = written(tmp_path / "people.csv", PEOPLE)
    with pytest.raises(SourceError, match=r"no column .system., and .* names several; found one"):
        read_ratings([judges, people], Task.from_mapping(BINARY))
    with pytest.raises(SourceError, match="given twice"):
        open_source([judges, judges])
    with pytest.raises(SourceError, match="given twice"):
        open_source([judges, judges.parent / ".." / judges.parent.name / judges.name])


def test_files_that_name_their_columns_differently(judges: Path, tmp_path: Path) -> None:
    text = "id,annotator,label\n1,kim,C\n2,kim,I\n"
    people = written(tmp_path / "people.csv", text)
    declared = Task.from_mapping(
        {
            "scale": "binary",
            "options": ["I", "C"],
            "positive": "C",
            "columns": {"item": "id", "rater": "annotator", "value": "label"},
            "constants": {"kind": "human"},
        }
    )
    table = read_ratings([judges, people], declared)
    assert table.census.counts["human", "kim", "rated"] == 2
    assert table.census.counts["judge", "match", "rated"] == 4
    assert table.census.counts["judge", "match", "failed"] == 1


def test_every_question_takes_several_files(
    judges: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    people = written(tmp_path / "people.csv", PEOPLE)
    task = tmp_path / "task.toml"
    files = [str(judges), str(people)]
    assert run(["check", *files, "--write-task", str(task)]) == 0
    capsys.readouterr()
    for verb in ("agree", "select", "estimate", "plan", "report"):
        words = [verb, *files, "--task", str(task), "--json"]
        if verb in ("agree", "select", "report"):
            words += ["--resamples", "100"]
        assert run(words) == 0, verb
        document = json.loads(capsys.readouterr().out)
        assert {one["name"] for one in document["provenance"]["inputs"]} == {
            "judges.csv",
            "people.csv",
        }
    parts = document["parts"]
    named = f"{Path(judges).name} {Path(people).name}"
    assert f"goldassay agree {named} --task" in parts[0]["command"]
    assert run(["agree", *files, "--resamples", "100", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["provisional"]


def test_a_table_and_the_labels_given_in_the_browser(judges: Path, tmp_path: Path) -> None:
    from contextlib import closing

    from goldassay.store import Label, add_label, open_store

    store = tmp_path / "judges.labels.db"
    with closing(open_store(store, create=True)) as connection:
        for item, value in (("1", "C"), ("2", "I"), ("3", "I")):
            add_label(connection, Label(item=item, rater="kim", value=value, system="acme/one"))
    table = read_ratings([judges, store], GRADES)
    assert (table.judges, table.humans) == (("match",), ("kim",))
    assert int(count_units(table).n.sum()) == 5


@pytest.mark.parametrize("named", [True, False])
def test_texts_of_several_systems(
    named: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each system's own where the table names it; otherwise all are shown, none is measured."""
    rows = [
        f"{item},{rater},{kind},{value},{system}\n"
        for item in range(12)
        for system in ("one", "two")
        for rater, kind, value in (("j", "judge", "C"), ("kim", "human", "CI"[item % 2]))
    ]
    table = written(tmp_path / "r.csv", "item,rater,kind,value,system\n" + "".join(rows))
    texts = "".join(
        json.dumps(
            {
                "item": str(item),
                **({"system": system} if named else {}),
                "input": "?",
                "output": f"{system} says " + "so " * item,
            }
        )
        + "\n"
        for item in range(12)
        for system in ("one", "two")
    )
    items = written(tmp_path / "items.jsonl", texts)
    task = written(tmp_path / "task.toml", GRADES.to_toml())
    words = ["agree", str(table), "-t", str(task), "--items", "1", "--texts", str(items), "--json"]
    assert run([*words, "--resamples", "100"]) == 0
    document = json.loads(capsys.readouterr().out)
    (row,) = document["tables"]["disagreements: j"]["rows"]
    assert row[-1] == ("one says so" if named else "one says so | two says so")
    (length,) = [one for one in document["results"] if one["name"] == "length_log_odds"]
    assert length["undefined"].startswith("verdicts are separ" if named else "fewer than ten items")


def test_a_file_without_rows_says_nothing_about_units(tmp_path: Path) -> None:
    judges, people = tmp_path / "judges.csv", tmp_path / "people.csv"
    judges.write_text("item,rater,kind,value,system\na,j,judge,yes,one\na,j,judge,no,two\n")
    people.write_text("item,rater,kind,value\n")
    task = Task.from_mapping({"scale": "binary", "options": ["yes", "no"], "positive": "yes"})
    assert read_ratings([judges, people], task).census.rows == 2


VERDICTS = "example_id,grader,verdict,model\n1,gpt,C,a\n2,gpt,I,b\n3,claude,C,a\n"
LABELS = "id,annotator,label\n1,kim,C\n2,lee,I\n3,kim,I\n"
OWN = {
    "columns": {
        "item": ["example_id", "id"],
        "rater": ["grader", "annotator"],
        "value": ["verdict", "label"],
    },
    "raters": {"judge": ["claude", "gpt"]},
}


def test_every_file_with_names_of_its_own(tmp_path: Path) -> None:
    judges = written(tmp_path / "judges.csv", VERDICTS)
    people = written(tmp_path / "people.csv", LABELS)
    drafted = propose([judges, people])
    assert {key: drafted.task[key] for key in OWN} == OWN
    task = Task.from_mapping(drafted.task)
    assert Task.from_mapping(tomllib.loads(task.to_toml())) == task
    table = read_ratings([judges, people], task)
    assert (table.judges, table.humans) == (("claude", "gpt"), ("kim", "lee"))
    assert int(count_units(table).n.sum()) == 3
    # One of the files alone is read under the same task.
    assert read_ratings(judges, task).humans == ()


@pytest.mark.parametrize("again", [False, True])
def test_a_system_that_the_item_tells(tmp_path: Path, *, again: bool) -> None:
    judges = written(tmp_path / "judges.csv", VERDICTS + ("1,claude,I,b\n" if again else ""))
    people = written(tmp_path / "people.csv", LABELS)
    options = {"scale": "binary", "options": ["C", "I"], "positive": "C"}
    columns = {"columns": {**OWN["columns"], "system": "model"}}
    task = Task.from_mapping({**options, **OWN, **columns})
    if again:  # item 1 is of two systems: which of them people rated is not said
        with pytest.raises(InputError, match=r"people\.csv: has no column 'system'"):
            read_ratings([judges, people], task)
        return
    native = read_ratings([judges, people], task).frame.to_native()
    by_people = native.filter("kind = 'human'").project("item, system").fetchall()
    assert sorted(by_people) == [("1", "a"), ("2", "b"), ("3", "a")]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"columns": {**OWN["columns"], "rater": "grader"}},
            r'people.csv: must have a column \'rater\'.*rater = \["grader", "\.\.\."\]',
        ),
        ({"columns": {**OWN["columns"], "item": ["example_id", "idd"]}}, "Did you mean 'id'"),
        (
            {"columns": {**OWN["columns"], "rater": ["grader", "annotator", "model"]}},
            "judges.csv has several; found grader, model",
        ),
        ({"raters": {"judge": ["gpt"], "human": ["kim", "lee"]}}, "has another; found 'claude'"),
    ],
)
def test_names_that_do_not_fit_are_refused(
    change: dict[str, dict[str, object]], message: str, tmp_path: Path
) -> None:
    judges = written(tmp_path / "judges.csv", VERDICTS)
    people = written(tmp_path / "people.csv", LABELS)
    with pytest.raises(InputError, match=message):
        read_ratings([judges, people], Task.from_mapping({**BINARY, **OWN, **change}))


def test_raters_of_a_table_without_kinds(tmp_path: Path) -> None:
    rows = "item,rater,value\n1,gpt,C\n1,kim,C\n2,gpt,I\n2,lee,C\n"
    path = written(tmp_path / "r.csv", rows)
    for raters in ({"judge": ["gpt"]}, {"human": ["kim", "lee"]}):
        table = read_ratings(path, Task.from_mapping({**BINARY, "raters": raters}))
        assert (table.judges, table.humans) == (("gpt",), ("kim", "lee"))
    both = written(
        tmp_path / "both.csv",
        rows.replace("rater,", "rater,kind,").replace(",C", ",human,C").replace(",I", ",human,I"),
    )
    # [raters] wins over the column.
    table = read_ratings(both, Task.from_mapping({**BINARY, "raters": {"judge": ["gpt"]}}))
    assert (table.judges, table.humans) == (("gpt",), ("kim", "lee"))


def test_people_who_rate_outputs_are_not_of_the_pairs_of_another_judge(tmp_path: Path) -> None:
    """A judge of pairs and one of single outputs in a file: people without an opponent are of the
    latter."""
    head = "item,system,opponent,rater,kind,value\n"
    alone = "".join(f"{k},s,,one,judge,{'IC'[k % 2]}\n" for k in range(4))
    pairs = "".join(f"{k},s,anchor,two,judge,C\n" for k in range(4))
    people = "item,system,rater,kind,value\n" + "".join(f"{k},s,kim,human,C\n" for k in range(4))
    judged = written(tmp_path / "judges.csv", head + alone + pairs)
    table = read_ratings([judged, written(tmp_path / "people.csv", people)], GRADES)
    units = count_units(table)
    both = (units.human.sum(axis=1) > 0) & (units.verdict[:, units.judges.index("one")] >= 0)
    assert int(units.n[both].sum()) == 4
    assert int(units.n.sum()) == 8
