from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from patience import PATIENCE
from studies import BINARY, SETS, write_study

from goldassay.formulas.rates import stratified
from goldassay.inference.rates import stratified_limits
from goldassay.ratings.table import Ratings
from goldassay.ratings.task import Task, read_task
from goldassay.store import open_store
from goldassay.web.answers import Answer
from goldassay.web.cases import Cases, Given, Unit, Verdict
from goldassay.web.compare import Filters, Index, relation
from goldassay.web.desk import Desk, Settings
from goldassay.web.live import Made
from goldassay.web.pages.watch import watch_page
from goldassay.web.site import Site
from goldassay.web.study import Study, open_site
from goldassay.web.trace import pairs, trace

TASK = Task.from_mapping({"scale": "binary", "options": ["yes", "no"], "positive": "yes"})


def site(tmp_path: Path, *, task: str = BINARY, n: int = 40, target: float | None = None) -> Site:
    files = write_study(tmp_path, task=task, n=n)
    study = Study(ratings=str(files.ratings), items=str(files.items))
    return open_site(study, read_task(files.task), Settings(target=target))


def test_the_last_moment_is_the_estimate_from_all_labels(tmp_path: Path) -> None:
    desk = site(tmp_path).desk
    assert trace(desk, "judge-0") is None
    pool, labelled, positives = np.zeros(2), np.zeros(2), np.zeros(2)
    for unit in desk.cases.units.values():
        pool[int(desk.verdicts(unit)[0].value == "MET")] += 1
    for number in range(20):
        unit = desk.next_for("anna")
        assert unit is not None
        verdict = int(desk.verdicts(unit)[0].value == "MET")
        desk.commit("anna", unit, Answer("MET" if number % 3 else "UNMET"))
        labelled[verdict] += 1
        positives[verdict] += number % 3 > 0
    found = trace(desk, "judge-0")
    assert found is not None
    assert found.name == "prevalence"
    assert found.labels[0] == 2
    assert found.labels[-1] == 20
    low, high = stratified_limits(pool, positives, labelled)
    assert found.value[-1] == pytest.approx(float(stratified(pool, positives, labelled)))
    assert (found.low[-1], found.high[-1]) == pytest.approx((float(low), float(high)))
    lengths = np.subtract(found.high, found.low)
    assert lengths[-1] < lengths[0]


@pytest.mark.parametrize("task", [BINARY, SETS])
def test_a_band_under_which_one_may_stop_is_longer(tmp_path: Path, task: str) -> None:
    """The same labels, drawn with and without `--anytime`; the page says which it is."""
    desk = site(tmp_path, task=task).desk
    options = desk.task.options
    for number in range(20):
        unit = desk.next_for("anna")
        assert unit is not None
        desk.commit("anna", unit, Answer(options[number % 3 == 0]))
    usual = trace(desk, "judge-0")
    assert usual is not None
    assert "too short. goldassay serve --anytime draws a longer band" in watch_page(desk)
    desk.settings = replace(desk.settings, anytime=True)
    band = trace(desk, "judge-0")
    assert band is not None
    assert band.value == usual.value
    assert band.length > 1.3 * usual.length
    assert (np.array([band.low, band.value]) <= [band.value, band.high]).all()
    assert "The band holds at all moments at once: stop" in watch_page(desk)


def test_a_label_that_arrives_while_the_page_is_made_is_news_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page reloads when the version is another than its own: it must not claim the new one."""
    desk = site(tmp_path).desk
    labelled, before = desk.labelled, desk.version()

    def slowly() -> list[str]:
        found = labelled()
        unit = desk.next_for("anna")
        assert unit is not None
        desk.commit("anna", unit, Answer("MET"))
        return found

    monkeypatch.setattr(desk, "labelled", slowly)
    page = watch_page(desk)
    assert f'data-live="{before}"' in page
    assert desk.version() != before


def test_what_is_left_to_the_target(tmp_path: Path) -> None:
    desk = site(tmp_path, n=60, target=0.5).desk
    for number in range(12):
        unit = desk.next_for("anna")
        assert unit is not None
        desk.commit("anna", unit, Answer("MET" if number % 2 else "UNMET"))
    found = trace(desk, "judge-0")
    assert found is not None
    assert found.need is not None
    assert found.need.units is not None
    assert 12 <= found.need.units <= 40
    while (unit := desk.next_for("anna")) is not None:
        done = trace(desk, "judge-0")
        assert done is not None
        if done.length <= 0.5:
            break
        desk.commit("anna", unit, Answer("MET" if sum(unit.item.encode()) % 2 else "UNMET"))
    assert done is not None
    assert abs(done.labels[-1] - found.need.units) <= 12  # it was a forecast


def test_a_target_beyond_the_units_is_out_of_reach(tmp_path: Path) -> None:
    desk = site(tmp_path, n=20, target=0.01).desk
    for _ in range(3):
        unit = desk.next_for("anna")
        assert unit is not None
        desk.commit("anna", unit, Answer("MET"))
    found = trace(desk, "judge-0")
    assert found is not None
    assert found.need is not None
    assert found.need.units is None
    assert found.need.shortest > 0.01


def test_other_tasks_show_agreement(tmp_path: Path) -> None:
    desk = site(tmp_path, task=SETS, n=20, target=0.3).desk
    for unit in list(desk.cases.units.values())[:10]:
        desk.commit("anna", unit, Answer("Safe|Unsafe"))
    found = trace(desk, "judge-0")
    assert found is not None
    assert found.name == "agreement"
    same = sum(
        desk.verdicts(u)[0].value in ("Safe", "Unsafe")
        for u in list(desk.cases.units.values())[:10]
    )
    assert found.value[-1] == pytest.approx(same / 10)


def test_divided_people_are_counted_and_said(tmp_path: Path) -> None:
    desk = site(tmp_path, n=10).desk
    units = list(desk.cases.units.values())
    for number, unit in enumerate(units[:6]):
        desk.commit("anna", unit, Answer("MET"))
        desk.commit("ben", unit, Answer("UNMET" if number < 2 else "MET"))
    found = trace(desk, "judge-0")
    assert found is not None
    assert (found.labels[-1], found.divided) == (4, 2)
    (pair,) = pairs(desk)
    assert (pair.first, pair.second, pair.common, pair.same) == ("anna", "ben", 6, 4)
    assert pair.kappa == pytest.approx(0.0)


def test_kappa_is_undefined_when_all_say_one_thing(tmp_path: Path) -> None:
    desk = site(tmp_path, n=4).desk
    for unit in desk.cases.units.values():
        desk.commit("anna", unit, Answer("MET"))
        desk.commit("ben", unit, Answer("MET"))
    (pair,) = pairs(desk)
    assert pair.kappa is None


def says(*values: str) -> list[Given]:
    return [Given(f"r{i}", value, "rated") for i, value in enumerate(values)]


def rules(*values: str) -> list[Verdict]:
    return [Verdict("j", value, "rated", str(i)) for i, value in enumerate(values)]


def test_relations() -> None:
    ordinal = Task.from_mapping({"scale": "ordinal", "options": ["1", "2", "3", "4"]})
    real = Task.from_mapping({"scale": "continuous"})
    assert relation(rules("yes"), says("yes", "no", "yes"), TASK) == ("same", 0)
    assert relation(rules("no"), says("yes"), TASK) == ("differ", 1)
    assert relation(rules("yes", "yes", "no"), says("yes"), TASK) == ("same", 0)
    assert relation(rules("yes", "no"), says("yes"), TASK) == ("no_verdict", 0)
    assert relation(rules("no"), says("yes", "no"), TASK) == ("divided", 0)
    assert relation(rules("no"), [], TASK) == ("unlabelled", 0)
    assert relation([Verdict("j", "", "invalid")], says("yes"), TASK) == ("no_verdict", 0)
    assert relation([], says("yes"), TASK) == ("no_verdict", 0)
    assert relation(rules("1"), says("4"), ordinal) == ("differ", 3)
    assert relation(rules("2"), says("1|2"), ordinal) == ("same", 0)
    assert relation(rules("0.5", "0.7"), says("1"), real) == ("differ", pytest.approx(0.4))
    assert relation(rules("1"), says("1.0"), real) == ("same", 0)


def test_filters_and_the_order_of_cases(tmp_path: Path) -> None:
    ordinal = Task.from_mapping({"scale": "ordinal", "options": ["1", "2", "3", "4"]})
    units = [Unit("a", system="s"), Unit("b", system="t"), Unit("c", "x", "s")]
    keyed = {unit.key: unit for unit in units}
    verdicts = {
        unit.key: (Verdict("j", "1", "rated"), Verdict("k", "4", "rated")) for unit in units
    }
    people = {unit.key: (Given("old", str(i + 1), "rated"),) for i, unit in enumerate(units)}
    store = open_store(tmp_path / "l.db", create=True, any_thread=True)
    desk = Desk(ordinal, Cases(keyed, verdicts, people), store, settings=Settings(batch=2))
    index = Index(desk)

    def items(filters: Filters, rater: str = "") -> list[str]:
        return [desk.cases.units[key].item for key in index.find(filters, rater).units]

    assert index.find(Filters()).hidden == 0
    assert items(Filters()) == ["a", "b", "c"]  # 3, 2 and 2 grades apart
    assert set(items(Filters(system="s"))) == {"a", "c"}
    assert items(Filters(criterion="x")) == ["c"]
    assert items(Filters(search="B")) == ["b"]
    key = units[0].key
    assert {case.judge for case in index.cases_of(key, Filters(judge="k"))} == {"k"}
    assert (items(Filters(), "anna"), index.find(Filters(), "anna").hidden) == ([], 3)
    desk.commit("anna", units[0], Answer("1"))
    assert items(Filters(), "anna") == []  # the batch of two is not done
    assert items(Filters(relation="waiting"), "anna") == ["a", "b", "c"]
    desk.commit("anna", units[1], Answer("1"))
    assert sorted(items(Filters(), "anna")) == ["a", "b"]
    assert index.find(Filters(), "anna").hidden == 1
    desk.close()


def test_all_ratings_of_the_moment(tmp_path: Path) -> None:
    """The table's rows and the labels, under one roof, made again only when labels change."""
    seen: list[tuple[int, tuple[str, ...]]] = []

    def reporter(ratings: Ratings, tell: Any) -> dict[str, Any]:
        seen.append((ratings.census.rows, ratings.humans))
        assert [Path(one.name).name for one in ratings.inputs] == [
            "ratings.csv",
            "ratings.labels.db",
        ]
        return {"verb": "agree", "answer": [f"{ratings.census.rows} rows"]}

    files = write_study(tmp_path, n=6)
    study = Study(ratings=str(files.ratings), items=str(files.items))
    one = open_site(study, read_task(files.task), Settings(), reporter=reporter)
    assert "12 rows" in str(ready(one).report)
    unit = one.desk.next_for("anna")
    assert unit is not None
    one.desk.commit("anna", unit, Answer(None, "abstained"))
    stale = one.live.report(one.desk)  # the old one, while the new one is being made
    assert stale is not None
    assert stale.version == "0"
    assert "13 rows" in str(ready(one).report)
    assert seen == [(12, ()), (13, ("anna",))]
    one.desk.close()


def ready(one: Site) -> Made:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        made = one.live.report(one.desk)
        if made is not None and made.version == one.desk.version():
            return made
        time.sleep(0.02)
    raise AssertionError("no report was made")


def test_labels_alone_are_a_table_too(tmp_path: Path) -> None:
    files = write_study(tmp_path, n=3)
    study = Study(items=str(files.items), labels=str(tmp_path / "l.db"))
    task = read_task(files.task)
    one = open_site(
        study, task, Settings(), reporter=lambda r, tell: {"answer": [f"n = {r.census.rows}"]}
    )
    assert "l.db" in ready(one).problem  # nothing is rated, and the error names what was given
    unit = one.desk.next_for("anna")
    assert unit is not None
    one.desk.commit("anna", unit, Answer("MET"))
    assert "n = 1" in str(ready(one).report)
    one.desk.close()


def test_a_report_that_fails_is_told_and_tried_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def reporter(ratings: Ratings, tell: Any) -> dict[str, int]:
        raise ZeroDivisionError("secret")

    files = write_study(tmp_path, n=3)
    one = open_site(
        Study(ratings=str(files.ratings)), read_task(files.task), Settings(), reporter=reporter
    )
    assert "could not be made" in ready(one).problem
    assert "secret" not in ready(one).problem
    assert "secret" in caplog.text
    without = open_site(Study(ratings=str(files.ratings)), read_task(files.task), Settings())
    assert "without a way" in ready(without).problem
    one.desk.close()
    without.desk.close()


def test_a_report_that_cannot_be_drawn_is_told_too(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    files = write_study(tmp_path, n=3)
    study = Study(ratings=str(files.ratings))
    one = open_site(study, read_task(files.task), Settings(), reporter=lambda r, tell: {"rows": 3})
    assert "could not be made" in ready(one).problem
    assert "Traceback" in caplog.text
    one.desk.close()
