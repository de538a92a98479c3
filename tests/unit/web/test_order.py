from __future__ import annotations

from pathlib import Path

import pytest
from studies import BINARY, SETS, write_study

from goldassay.errors import InputError
from goldassay.ratings.task import Task, read_task
from goldassay.store import open_store
from goldassay.web.answers import Answer
from goldassay.web.cases import Cases, Unit, Verdict
from goldassay.web.desk import Desk, Settings
from goldassay.web.order import ByVerdict, Order, listed, shuffled
from goldassay.web.server import Address, listen
from goldassay.web.study import Study, open_site

PLANNED = BINARY.replace('"random"', '"by_verdict"')


def cases(n: int = 100, positive: int = 20) -> Cases:
    units = {unit.key: unit for unit in (Unit(f"i{k}") for k in range(n))}
    values = ["MET"] * positive + ["UNMET"] * (n - positive)
    verdicts = {
        key: (Verdict("j", value, "rated"),) for key, value in zip(units, values, strict=True)
    }
    return Cases(units, verdicts)


def task() -> Task:
    return Task.from_mapping(
        {
            "scale": "binary",
            "options": ["MET", "UNMET"],
            "positive": "MET",
            "calibration": "by_verdict",
        }
    )


def test_a_shuffle_is_the_same_on_every_start_and_new_for_a_new_seed() -> None:
    keys = [f"{k}" for k in range(50)]
    assert shuffled(keys, seed=1) == shuffled(reversed(keys), seed=1)
    assert shuffled(keys, seed=1) != shuffled(keys, seed=2)
    assert sorted(shuffled(keys, seed=1)) == sorted(keys)


def test_the_plan_gives_every_verdict_its_pilot_and_then_follows_need(tmp_path: Path) -> None:
    """Verdict MET is always right, UNMET a coin: labels belong where the judge is unsure."""
    found = cases(400, 200)
    planner = ByVerdict(found, task(), judge="j", seed=1)
    store = open_store(tmp_path / "l.db", create=True, any_thread=True)
    desk = Desk(task(), found, store, order=Order(tuple(found.units), planner))
    given = {"MET": 0, "UNMET": 0}
    for number in range(120):
        unit = desk.next_for("anna")
        assert unit is not None
        verdict = found.verdicts[unit.key][0].value
        given[verdict] += 1
        value = "MET" if verdict == "MET" or number % 2 else "UNMET"
        desk.commit("anna", unit, Answer(value))
    assert given["MET"] >= 5
    assert given["UNMET"] > 1.5 * given["MET"]


def test_a_planned_queue_survives_a_restart_and_others_follow_it(tmp_path: Path) -> None:
    found = cases()

    def start() -> Desk:
        store = open_store(tmp_path / "l.db", create=True, any_thread=True)
        planner = ByVerdict(found, task(), judge="j", seed=1)
        return Desk(task(), found, store, order=Order(tuple(found.units), planner))

    desk = start()
    labelled = []
    for _ in range(7):
        unit = desk.next_for("anna")
        assert unit is not None
        labelled.append(unit)
        desk.commit("anna", unit, Answer("MET"))
    again = start()
    assert again.next_for("ben") == labelled[0]  # so that two people meet on the same units
    seen = set(labelled)
    while (unit := again.next_for("anna")) is not None:
        assert unit not in seen
        seen.add(unit)
        again.commit("anna", unit, Answer("MET"))
    assert len(seen) == 100


def test_the_plan_needs_its_design_declared(tmp_path: Path) -> None:
    files = write_study(tmp_path, n=6)
    study = Study(ratings=str(files.ratings), order="plan", labels=str(tmp_path / "l.db"))
    with pytest.raises(InputError, match="by_verdict"):
        open_site(study, read_task(files.task), Settings())
    files.task.write_text(PLANNED)
    assert open_site(study, read_task(files.task), Settings()).desk.next_for("a") is not None
    files = write_study(tmp_path / "sets", task=SETS, n=6)
    study = Study(ratings=str(files.ratings), order="plan", labels=str(tmp_path / "l.db"))
    with pytest.raises(InputError, match="binary"):
        open_site(study, read_task(files.task), Settings())
    for wrong in (Study(), Study(ratings=str(files.ratings), judge="nobody")):
        with pytest.raises(InputError):
            open_site(wrong, read_task(files.task), Settings())


def test_a_list_gives_the_order(tmp_path: Path) -> None:
    found = cases(5, 2)
    path = tmp_path / "list.txt"
    path.write_text("i3\n\ni1\n")
    assert [found.units[key].item for key in listed(path, found)] == ["i3", "i1"]
    path.write_text("item,system\ni2,\ni0,\n")
    assert [found.units[key].item for key in listed(path, found)] == ["i2", "i0"]
    for wrong in ("i99\n", "", "item,system\ni2,s9\n"):
        path.write_text(wrong)
        with pytest.raises(InputError):
            listed(path, found)
    with pytest.raises(InputError, match="or a file with a list"):
        listed(tmp_path / "none", found)
    with pytest.raises(InputError, match="Did you mean 'random'"):
        listed("radnom", found)
    with pytest.raises(InputError, match="cannot be read"):
        listed(tmp_path, found)


def test_addresses_beyond_loopback_need_a_word() -> None:
    for host in ("0.0.0.0", "192.0.2.7", "::"):
        with pytest.raises(InputError, match=r"not encrypted.*--expose"):
            Address(host=host).check()
    with pytest.raises(InputError, match="names that are given"):
        Address(host="0.0.0.0", expose=True).check()
    with pytest.raises(InputError, match="is an IP address"):
        Address(host="localhost").check()
    open_to_all = Address(host="0.0.0.0", expose=True, names=("box.example",))
    open_to_all.check()
    assert open_to_all.hosts(80) == ("box.example:80", "box.example")
    assert Address().hosts(1) == ("127.0.0.1:1", "localhost:1", "[::1]:1")
    with listen(Address()) as sock, pytest.raises(InputError, match="cannot be listened on"):
        listen(Address(port=sock.getsockname()[1]))
