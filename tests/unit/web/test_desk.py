from __future__ import annotations

import sqlite3
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from studies import BINARY, PAIRS, SETS, write_study

from goldassay.errors import InputError
from goldassay.ratings.task import Task, read_task
from goldassay.store import open_store
from goldassay.web.answers import Answer, read_answer
from goldassay.web.cases import Cases, Given, Texts, Unit, Verdict, read_texts
from goldassay.web.desk import Desk, Settings
from goldassay.web.resolutions import disputes
from goldassay.web.study import Study, is_store, open_site

TASK = Task.from_mapping(
    {"scale": "binary", "options": ["yes", "no"], "positive": "yes", "abstain": ["unsure"]}
)


def desk(tmp_path: Path, n: int = 5, **settings: object) -> Desk:
    units = {unit.key: unit for unit in (Unit(f"i{k}") for k in range(n))}
    verdicts = {key: (Verdict("judge", "yes", "rated"),) for key in units}
    connection = open_store(tmp_path / "labels.db", create=True, any_thread=True)
    return Desk(TASK, Cases(units, verdicts), connection, settings=Settings(**settings))  # type: ignore[arg-type]


def key(item: str) -> Unit:
    return Unit(item)


def test_labels_come_in_order_and_are_on_the_disk_at_once(tmp_path: Path) -> None:
    one = desk(tmp_path)
    for number in range(5):
        unit = one.next_for("anna")
        assert unit == Unit(f"i{number}")
        one.open_unit("anna", unit)
        one.commit("anna", unit, Answer("yes", comment="so"))
        with sqlite3.connect(tmp_path / "labels.db") as other:
            assert other.execute("SELECT count(*) FROM labels").fetchone() == (number + 1,)
    assert one.next_for("anna") is None
    assert one.progress("anna").done == 5
    again = desk(tmp_path)  # the server was killed and started again
    assert again.progress("anna").done == 5
    assert [given.value for _, given in again.labels()] == ["yes"] * 5


def test_the_same_label_twice_is_one_and_another_replaces_it(tmp_path: Path) -> None:
    one = desk(tmp_path)
    one.commit("anna", key("i0"), Answer("yes"))
    one.commit("anna", key("i0"), Answer("yes"))
    assert one.version() == "1"
    one.commit("anna", key("i0"), Answer("no"))
    assert [given.value for given in one.people(key("i0"))] == ["no"]
    assert one.version() == "2"


def test_undo_goes_back_one_label_at_a_time_and_keeps_the_history(tmp_path: Path) -> None:
    one = desk(tmp_path)
    for item in ("i0", "i1"):
        one.commit("anna", key(item), Answer("yes"))
    one.commit("ben", key("i0"), Answer("no"))
    assert one.undo("anna") == key("i1")
    assert one.next_for("anna") == key("i1")
    assert one.undo("anna") == key("i0")
    assert one.undo("anna") is None
    assert one.raters() == {"ben": 1}
    with sqlite3.connect(tmp_path / "labels.db") as store:
        assert store.execute("SELECT count(*) FROM labels").fetchone() == (5,)


def test_skip_comes_back_at_the_end(tmp_path: Path) -> None:
    one = desk(tmp_path, n=2)
    assert one.next_for("anna", after=key("i0").key) == key("i1")
    one.commit("anna", key("i1"), Answer("yes"))
    assert one.next_for("anna", after=key("i1").key) == key("i0")
    assert one.next_for("anna", after="unknown") == key("i0")


def test_two_raters_share_units_without_meeting(tmp_path: Path) -> None:
    one = desk(tmp_path, n=4, per_item=1)
    first = one.next_for("anna")
    assert first is not None
    one.open_unit("anna", first)
    second = one.next_for("ben")
    assert second is not None
    assert second != first  # anna has it open
    one.commit("anna", first, Answer("yes"))
    assert one.next_for("ben") == second
    late = desk(tmp_path, n=4, per_item=1, lease_seconds=-1.0)  # left open, never labelled
    late.open_unit("anna", key("i1"))
    assert late.next_for("ben") == key("i1")


def test_labels_of_another_process_are_seen(tmp_path: Path) -> None:
    one, other = desk(tmp_path), desk(tmp_path)
    other.commit("ben", key("i0"), Answer("no"))
    one.refresh()
    assert one.raters() == {"ben": 1}
    one.commit("ben", key("i0"), Answer("yes"))
    other.refresh()
    assert [given.value for given in other.people(key("i0"))] == ["yes"]


def test_many_threads_lose_nothing(tmp_path: Path) -> None:
    one = desk(tmp_path, n=25)

    def work(rater: str) -> None:
        while (unit := one.next_for(rater)) is not None:
            one.commit(rater, unit, Answer("yes"))

    threads = [threading.Thread(target=work, args=(f"r{k}",)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert one.raters() == {f"r{k}": 25 for k in range(4)}


@pytest.mark.parametrize("name", ["", "  ", "a" * 61, "a\nb", "a\u202eb", "\x00", "judge"])
def test_names_that_are_none(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="your name"):
        desk(tmp_path).check_rater(name)


def test_only_named_raters_when_there_are_any(tmp_path: Path) -> None:
    one = desk(tmp_path, raters=("anna",))
    assert one.check_rater(" anna ") == "anna"
    with pytest.raises(InputError, match="must be one of anna"):
        one.check_rater("ben")
    assert one.raters() == {"anna": 0}


def test_answers_are_checked() -> None:
    forced = "forced_choice"
    assert read_answer(TASK, forced, {"choice": ["1"]}) == Answer("no")
    assert read_answer(TASK, forced, {"abstain": ["1"], "comment": [" a\r\nb "]}) == Answer(
        "unsure", "abstained", "a\nb"
    )
    for wrong in (
        {},
        {"choice": ["2"]},
        {"choice": ["-1"]},
        {"choice": ["x"]},
        {"choice": ["²"]},
        {"choice": ["0", "1"]},
        {"choice": ["9" * 400]},
        {"choice": ["0"], "comment": ["x" * 4001]},
    ):
        with pytest.raises(InputError):
            read_answer(TASK, forced, wrong)


def test_response_sets_are_those_of_the_task() -> None:
    task = Task.from_mapping(
        {"scale": "nominal", "options": ["A", "B", "C"], "response_sets": [["A"], ["C", "A"]]}
    )
    assert read_answer(task, "response_set", {"choice": ["2", "0"]}) == Answer("A|C")
    with pytest.raises(InputError, match="not one that the task admits"):
        read_answer(task, "response_set", {"choice": ["0", "1"]})
    free = Task.from_mapping({"scale": "nominal", "options": ["A", "B", "C"]})
    assert read_answer(free, "response_set", {"choice": ["0", "1", "2"]}) == Answer("A|B|C")


def test_numbers_are_finite() -> None:
    task = Task.from_mapping({"scale": "continuous"})
    assert read_answer(task, "forced_choice", {"number": [" -1.5e2 "]}) == Answer("-1.5e2")
    for wrong in ("", "nan", "inf", "1e999", "1_000", "0x1", "1 2", "9" * 50, "٣"):
        with pytest.raises(InputError):
            read_answer(task, "forced_choice", {"number": [wrong]})


def test_the_task_says_how_people_are_asked(tmp_path: Path) -> None:
    for name, task, kind in (("a", BINARY, "forced_choice"), ("b", SETS, "response_set")):
        files = write_study(tmp_path / name, task=task, n=3)
        study = Study(ratings=str(files.ratings), items=str(files.items))
        assert open_site(study, read_task(files.task), Settings()).desk.elicitation == kind


def test_sides_of_a_pair_change_by_rater_and_unit(tmp_path: Path) -> None:
    files = write_study(tmp_path, task=PAIRS, n=60)
    study = Study(ratings=str(files.ratings), items=str(files.items))
    one = open_site(study, read_task(files.task), Settings()).desk
    for rater in ("anna", "ben"):
        shown = [one.shown(rater, unit) for unit in one.cases.units.values()]
        orders = [found.order for found in shown if found]
        assert len(orders) == 60
        assert 15 < orders.count("opponent_first") < 45


def test_labels_carry_the_columns_of_their_unit(tmp_path: Path) -> None:
    unit = Unit("i", "fluent", "s1")
    about = {unit.key: {"cluster": "c7", "split": "calibration", "prompt": "p", "topic": "x"}}
    connection = open_store(tmp_path / "labels.db", create=True, any_thread=True)
    Desk(TASK, Cases({unit.key: unit}, about=about), connection).commit("a", unit, Answer("yes"))
    found = connection.execute("SELECT criterion, system, cluster, split, prompt FROM labels")
    assert found.fetchone() == ("fluent", "s1", "c7", "calibration", "p")


def test_the_journal_holds_the_labels_when_it_is_what_is_served(tmp_path: Path) -> None:
    store = tmp_path / "ratings.db"
    open_store(store, create=True).close()
    items = tmp_path / "items.jsonl"
    items.write_text('{"item": "q1", "input": "?", "output": "!"}\n')
    study = Study(ratings=str(store), items=str(items))
    assert is_store(str(store))
    one = open_site(study, TASK, Settings()).desk
    one.commit("anna", Unit("q1"), Answer("yes"))
    again = open_site(study, TASK, Settings()).desk  # now the store has a ratings table of its own
    assert again.people(Unit("q1")) == one.people(Unit("q1"))
    assert len(again.people(Unit("q1"))) == 1
    assert not is_store(str(items))
    assert not is_store(str(tmp_path))


def test_texts_are_found_by_item_and_system(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text(
        '{"item": "q", "system": "a", "input": "?", "output": "A"}\n'
        '{"item": "q", "system": "b", "input": "?", "output": "B"}\n'
        '{"item": "r", "input": "r?", "criteria": [{"name": "fluent", "text": "Reads well"}]}\n'
    )
    texts = read_texts(path)
    assert texts.of(Unit("q", system="b")) == {"input": "?", "output": "B"}
    assert texts.of(Unit("q", system="a", opponent="b"))["output_b"] == "B"
    assert texts.of(Unit("q", system="c")) == {"input": "?"}
    assert texts.of(Unit("x")) == {}
    assert Unit("r", "fluent") in texts.units().units.values()
    path.write_text('{"id": 1}\n')
    with pytest.raises(InputError, match="an item has a name"):
        read_texts(path)


def test_given_ratings_of_the_table_count_as_people(tmp_path: Path) -> None:
    unit = Unit("i")
    cases = Cases({unit.key: unit}, people={unit.key: (Given("old", "no", "rated"),)})
    connection = open_store(tmp_path / "labels.db", create=True, any_thread=True)
    one = Desk(TASK, cases, connection, texts=Texts())
    one.commit("new", unit, Answer("yes"))
    assert [given.rater for given in one.people(unit)] == ["old", "new"]


def test_a_full_disk_is_told_and_loses_nothing(tmp_path: Path) -> None:
    one = desk(tmp_path, n=200)
    one.commit("anna", key("i0"), Answer("yes"))
    (pages,) = one._writer.execute("PRAGMA page_count").fetchone()
    one._writer.execute(f"PRAGMA max_page_count = {pages}")
    long = "x" * 4_000

    def fill() -> None:
        for number in range(1, 200):
            one.commit("anna", key(f"i{number}"), Answer("no", comment=long))

    with pytest.raises(InputError, match="the disk is full"):
        fill()
    done = one.progress("anna").done
    assert done >= 1
    assert desk(tmp_path, n=200).progress("anna").done == done
    one._writer.execute("PRAGMA max_page_count = 100000")
    fill()
    assert one.progress("anna").done == 200


def test_who_rated_a_unit_in_the_table_is_not_asked_again(tmp_path: Path) -> None:
    units = {unit.key: unit for unit in (Unit("a"), Unit("b"))}
    people = {Unit("a").key: (Given("anna", "no", "rated"),)}
    connection = open_store(tmp_path / "labels.db", create=True, any_thread=True)
    one = Desk(TASK, Cases(units, people=people), connection)
    assert one.next_for("anna") == Unit("b")
    assert one.next_for("ben") == Unit("a")
    assert one.progress("anna").done == 1
    with pytest.raises(InputError, match="in the table"):
        one.commit("anna", Unit("a"), Answer("yes"))
    assert one.undo("anna") is None
    one.close()


def rubric(tmp_path: Path, n: int = 3, **settings: object) -> Desk:
    """Items with two criteria each, which come in the task's order."""
    task = Task.from_mapping(
        {
            "scale": "binary",
            "options": {"yes": {"text": "all of it"}, "no": {}},
            "positive": "yes",
            "criteria": {"true": {"text": "Is it true?"}, "clear": "Is it clear?"},
        }
    )
    units = {u.key: u for k in range(n) for u in (Unit(f"i{k}", "clear"), Unit(f"i{k}", "true"))}
    connection = open_store(tmp_path / "labels.db", create=True, any_thread=True)
    return Desk(task, Cases(units), connection, settings=Settings(**settings))  # type: ignore[arg-type]


def test_all_criteria_of_an_item_are_one_page(tmp_path: Path) -> None:
    one = rubric(tmp_path)
    unit = one.next_for("anna")
    assert unit is not None
    page = one.sheet(unit)
    assert [u.criterion for u in page] == ["true", "clear"]
    assert one.question(page[0]) == "true: Is it true?"
    assert one.task.option_texts == {"yes": "all of it"}
    one.open_unit("anna", unit)
    one.commit_all("anna", [(page[0], Answer("yes")), (page[1], Answer("no", comment="murky"))])
    # One after the other at one time; the next page is another item, and skipping skips a page.
    times = {given.time for _, given in one.labels()}
    assert len(times) == 1
    second = one.next_for("anna")
    assert second is not None
    assert second.item == "i1"
    third = one.next_for("anna", after=second.key)
    assert third is not None
    assert third.item == "i2"


def test_a_page_is_saved_whole_or_not_at_all(tmp_path: Path) -> None:
    one = rubric(tmp_path)
    page = one.sheet(Unit("i0", "true"))
    one._writer.execute(
        "CREATE TRIGGER broken BEFORE INSERT ON labels WHEN NEW.criterion = 'clear' "
        "BEGIN SELECT RAISE(ABORT, 'no'); END"
    )
    with pytest.raises(InputError):
        one.commit_all("anna", [(unit, Answer("yes")) for unit in page])
    one.refresh()
    assert one.labels() == []


def test_undo_takes_back_a_page_and_keeps_what_was_said(tmp_path: Path) -> None:
    one = rubric(tmp_path)
    for item in ("i0", "i1"):
        page = one.sheet(Unit(item, "true"))
        one.commit_all("anna", [(u, Answer("no", comment=f"of {u.criterion}")) for u in page])
    undone = one.undo("anna")
    assert undone is not None
    assert undone.item == "i1"
    assert one.raters() == {"anna": 2}
    again = rubric(tmp_path)  # the server was started again
    for desk_ in (one, again):
        taken = [desk_.withdrawn("anna", unit) for unit in desk_.sheet(undone)]
        assert [(t.value, t.comment) for t in taken if t] == [("no", "of true"), ("no", "of clear")]
    one.commit("anna", Unit("i1", "true"), Answer("yes"))
    assert one.withdrawn("anna", Unit("i1", "true")) is None
    assert one.withdrawn("anna", Unit("i1", "clear")) is not None


def test_verdicts_are_seen_when_the_batch_is_done(tmp_path: Path) -> None:
    one = desk(tmp_path, n=5, batch=2)
    keys = [key(f"i{k}").key for k in range(5)]
    seen = []
    for k in range(5):
        one.commit("anna", key(f"i{k}"), Answer("yes"))
        seen.append(len(one.seen_by("anna")))
        assert one.seen_by("") == one.seen_by("anna")
        assert one.seen_by("ben") == set()
    assert seen == [0, 2, 2, 4, 5]  # at the end nothing is left
    # A label that is changed keeps its place; one that is taken back gives it up.
    one.commit("anna", key("i0"), Answer("no"))
    assert one.seen_by("anna") == set(keys)
    for _ in range(2):
        one.undo("anna")
    assert len(one.seen_by("anna")) == 2
    assert desk(tmp_path, n=5, batch=2, never_show=True).seen_by("anna") == set()
    progress = one.progress("anna")
    assert (progress.done, progress.total, progress.batch, progress.of_batch) == (3, 5, 1, 2)
    batch = desk(tmp_path, n=5, batch=3).batch_done("anna")
    assert batch is not None
    assert (batch.number, len(batch.keys)) == (1, 3)


def test_a_batch_may_end_within_a_page(tmp_path: Path) -> None:
    one = rubric(tmp_path, n=4, batch=3)
    done = []
    for k in range(4):  # 2, 4, 6 and 8 labels: the third and the sixth end a batch
        page = one.sheet(Unit(f"i{k}", "true"))
        one.commit_all("anna", [(unit, Answer("yes")) for unit in page])
        batch = one.batch_done("anna", page)
        done.append((batch.number, len(batch.keys)) if batch else None)
    assert done == [None, (1, 3), (2, 3), None]


def test_a_resolution_stands_beside_the_labels(tmp_path: Path) -> None:
    one = desk(tmp_path, n=2)
    for rater, value in (("anna", "yes"), ("ben", "no")):
        one.commit(rater, key("i0"), Answer(value))
        one.commit(rater, key("i1"), Answer("yes"))
    assert [unit for unit, _ in disputes(one)] == [key("i0")]
    assert [unit for unit, _ in disputes(one, "carl")] == []  # he has yet to label it
    one.resolve("anna", key("i0"), Answer("no", comment="the date is missing"))
    one.resolve("ben", key("i0"), Answer("yes", comment="it is on page 2"))
    found = one.resolution(key("i0").key)
    assert found is not None
    assert (found.rater, found.value, found.comment) == ("ben", "yes", "it is on page 2")
    assert [given.value for given in one.people(key("i0"))] == ["yes", "no"]
    assert one.progress("anna").done == 2
    assert one.undo("anna") == key("i1")  # a label, not the resolution
    kinds = [row["kind"] for row in one.label_rows()]
    assert (kinds.count("human"), kinds.count("reference")) == (3, 1)
    # What the reference is follows the task.
    assert len(one.speaking(key("i0").key)) == 2
    one.task = replace(TASK, reference="adjudicated")
    assert [given.value for given in one.speaking(key("i0").key)] == ["yes"]
    assert [given.value for given in one.speaking(key("i1").key)] == ["yes"]


def test_flags_are_kept(tmp_path: Path) -> None:
    one = desk(tmp_path)
    one.flag("anna", key("i1"), True)
    one.flag("anna", key("i3"), True)
    one.flag("anna", key("i1"), False)
    for desk_ in (one, desk(tmp_path)):
        assert list(desk_.flagged("anna")) == [key("i3").key]
        assert desk_.flagged_by(key("i3").key) == ["anna"]


def test_several_files_or_a_folder(tmp_path: Path) -> None:
    head = "item,rater,kind,value\n"
    (tmp_path / "a.csv").write_text(head + "q1,judge,judge,yes\n")
    (tmp_path / "b.csv").write_text(head + "q2,judge,judge,no\nq2,old,human,no\n")
    (tmp_path / "task.toml").write_text("")
    for given in ((str(tmp_path / "a.csv"), str(tmp_path / "b.csv")), str(tmp_path)):
        study = Study(ratings=given)
        assert study.store == tmp_path / "a.labels.db"
        one = open_site(study, TASK, Settings()).desk
        assert sorted(unit.item for unit in one.cases.units.values()) == ["q1", "q2"]
        assert [given.rater for given in one.people(Unit("q2"))][:1] == ["old"]
        one.close()
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(InputError, match="without a table of ratings"):
        open_site(Study(ratings=str(empty)), TASK, Settings())
