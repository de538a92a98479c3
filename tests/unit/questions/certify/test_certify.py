"""A passport: what it binds, that it is the same each time, and what other verbs make of it."""

from __future__ import annotations

import csv
import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import goldassay as ga
from goldassay.cli import command_line
from goldassay.errors import InputError
from goldassay.findings import Findings
from goldassay.passport import read_passport
from goldassay.questions.identities import identities_of
from goldassay.questions.report import ask as report

ROOT = Path(__file__).resolve().parents[4]
TASK = {
    "scale": "binary",
    "options": ["yes", "no"],
    "positive": "yes",
    "calibration": "random",
    "population": "answers of March",
}
WHO = {"gpt": {"model": "m-1", "prompt": "Is it right?"}}
DAY = {"date": "2026-01-31", "resamples": 100}


def table(
    path: Path, *, rate: float = 0.6, items: int = 120, labelled: int = 60, **more: Any
) -> str:
    """Verdicts right on 90 % of yes and 80 % of no, the first items labelled."""
    draw, judge = random.Random(more.get("seed", 1)), more.get("judge", "gpt")
    with path.open("w", newline="") as stream:
        rows = csv.writer(stream)
        rows.writerow(["item", "rater", "kind", "value"])
        for number in range(items):
            good = draw.random() < rate
            called = good if draw.random() < (0.9 if good else 0.8) else not good
            rows.writerow([number, judge, "judge", "yes" if called else "no"])
            if number < labelled:
                rows.writerow([number, "ann", "human", "yes" if good else "no"])
    return str(path)


@pytest.fixture(scope="module", autouse=True)
def few_questions() -> Iterator[None]:
    """Reports of two questions: the others take long and are asked in the properties."""
    with pytest.MonkeyPatch.context() as patch:
        kept = {
            verb: ask for verb, ask in report.QUESTIONS.items() if verb in ("agree", "estimate")
        }
        patch.setattr(report, "QUESTIONS", kept)
        yield


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("certify")


@pytest.fixture(scope="module")
def old(folder: Path) -> str:
    return table(folder / "old.csv")


@pytest.fixture(scope="module")
def new(folder: Path) -> str:
    return table(folder / "new.csv", rate=0.4, items=400, labelled=0, seed=2)


@pytest.fixture(scope="module")
def passport(old: str) -> Findings:
    return ga.certify(old, TASK, judges=WHO, **DAY)


def test_it_holds_who_what_when_and_how_long(old: str) -> None:
    found = ga.certify(old, {**TASK, "expires": 500}, judges=WHO, **DAY)
    held = found.more["passport"]
    assert held["judge"] == "gpt"
    assert held["identity"]["model"] == {"value": "m-1", "from": "declared"}
    assert held["identity"]["version"] is None
    assert (held["population"], held["date"]) == ("answers of March", "2026-01-31")
    assert held["expires"] == {"date": None, "verdicts": 500}
    (one,) = found.provenance.inputs
    assert one.sha256 is not None
    assert held["task"]["options"] == ["yes", "no"]


def test_its_results_are_those_of_the_report(old: str, passport: Findings) -> None:
    found, whole = passport, ga.report(old, TASK, resamples=100)
    told = {json.dumps(row.to_json(), sort_keys=True) for row in whole.rows}
    assert found.rows
    assert {json.dumps(row.to_json(), sort_keys=True) for row in found.rows} <= told
    assert found.more["claims"] == whole.more["claims"]


def test_counts_of_errors_are_those_of_the_table(old: str, passport: Findings) -> None:
    """Counted again here, row by row."""
    (errors,) = passport.more["passport"]["errors"]
    said: dict[str, dict[str, str]] = {}
    for row in csv.DictReader(Path(old).read_text().splitlines()):
        said.setdefault(row["item"], {})[row["kind"]] = row["value"]
    labels = [*errors["options"], None]
    expected = [
        [
            sum(1 for one in said.values() if (one.get("human"), one["judge"]) == (label, verdict))
            for verdict in errors["verdicts"]
        ]
        for label in labels
    ]
    total = [
        [sum(n * cell[r][v] for n, cell in errors["cells"]) for v in range(2)] for r in range(3)
    ]
    assert total == expected
    assert (errors["options"][-1], errors["independent"], errors["n_items"]) == ("yes", True, 120)


def test_the_same_input_gives_the_same_bytes(
    old: str, passport: Findings, monkeypatch: pytest.MonkeyPatch
) -> None:
    once = passport.to_json()
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1769860800")  # 2026-01-31 12:00 UTC
    assert ga.certify(old, TASK, judges=WHO, resamples=100).to_json() == once


def test_the_schema_of_the_docs_fits(passport: Findings) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    file = ROOT / "docs" / "reference" / "passport.schema.json"
    schema = json.loads(file.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    made = json.loads(passport.to_json())
    jsonschema.validate(made, schema)
    made["passport"]["date"] = None
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(made, schema)


def test_one_judge_of_several_and_only_its_numbers(tmp_path: Path) -> None:
    paths = [table(tmp_path / "a.csv"), table(tmp_path / "b.csv", judge="other", labelled=0)]
    with pytest.raises(InputError, match="--judge"):
        ga.certify(paths, TASK, **DAY)
    with pytest.raises(InputError, match="Did you mean"):
        ga.certify(paths, TASK, judge="othr", **DAY)
    found = ga.certify(paths, TASK, judge="gpt", **DAY)
    assert {row.about.get("judge") for row in found.rows} <= {"gpt", None}
    (apart,) = [one for one in found.exclusions if one.reason == "another judge's rating"]
    assert apart.rows == 120


def test_unknown_is_written_as_unknown(old: str) -> None:
    found = ga.certify(old, TASK, **DAY)
    assert all(one is None for one in found.more["passport"]["identity"].values())
    assert "is unknown" in found.answer[1].text
    assert any("never be called fresh" in one for one in found.warnings)


def test_what_is_declared_wins_and_says_so(old: str) -> None:
    found = ga.certify(old, TASK, judges=WHO, identity=["model=m-9"], **DAY)
    assert found.more["passport"]["identity"]["model"] == {"value": "m-9", "from": "declared"}
    assert found.more["passport"]["identity"]["prompt"]["value"] == "Is it right?"


def test_a_long_prompt_is_a_digest(old: str, tmp_path: Path) -> None:
    prompt = tmp_path / "prompt.txt"
    prompt.write_text("Judge the answer.\n" * 30)
    found = ga.certify(old, TASK, identity=[f"prompt=@{prompt}"], **DAY)
    said = found.more["passport"]["identity"]["prompt"]["value"]
    assert re.fullmatch(r"sha256:[0-9a-f]{16}", said)
    assert "Judge the answer" not in found.to_json()


@pytest.mark.parametrize(
    "said", [["model"], ["mdel=x"], ["=x"], ["model=a", "model=b"], ["prompt=@nowhere.txt"]]
)
def test_a_wrong_declaration_is_refused(old: str, said: list[str]) -> None:
    with pytest.raises(InputError):
        ga.certify(old, TASK, identity=said, **DAY)


@pytest.mark.parametrize(
    "value",
    [
        "sk-abcdefghijklmnopqrst",
        '{"api_key": "sk-proj-abcdefghijklmnop123"}',
        '{"api_key": "abcdefghij"}',
        "temperature 0; password=abcdefghij",
    ],
)
def test_a_key_is_refused_wherever_it_stands(old: str, value: str) -> None:
    for more in ({"identity": {"parameters": value}}, {"judges": {"gpt": {"parameters": value}}}):
        with pytest.raises(InputError, match="key of a provider") as caught:
            ga.certify(old, TASK, **DAY, **more)  # type: ignore[arg-type]
        assert "abcdefghij" not in str(caught.value)


def test_a_prompt_may_ask_about_passwords(old: str) -> None:
    found = ga.certify(old, TASK, identity={"prompt": "Password: is it shown?"}, **DAY)
    assert found.more["passport"]["identity"]["prompt"]["value"] == "Password: is it shown?"


def test_an_end_before_the_day_is_warned_of(old: str) -> None:
    over = ga.certify(old, TASK, judges=WHO, expires="2026-01-30", **DAY)
    assert "is over before it begins: it is of 2026-01-31" in over.warnings[0]
    holds = ga.certify(old, TASK, judges=WHO, expires="2026-01-31", **DAY)
    assert not any("over before" in one for one in holds.warnings)


def test_a_file_of_other_judges_is_warned_of(old: str) -> None:
    found = ga.certify(old, TASK, judges={"kim-2": WHO["gpt"]}, **DAY)
    assert found.warnings[0] == "The file of --judges says nothing of `gpt`; it has `kim-2`."


@pytest.mark.parametrize("ask", [ga.compare, ga.route, ga.monitor, ga.estimate])
def test_who_judges_are_goes_with_a_passport(old: str, ask: Any) -> None:
    with pytest.raises(InputError, match="--judges: goes with --passport"):
        ask(old, TASK, judges=WHO)


def test_a_wrong_day_of_the_environment_is_one_message(old: str) -> None:
    command = [sys.executable, "-m", "goldassay", "certify", old]
    env = {**os.environ, "SOURCE_DATE_EPOCH": "abc"}
    done = subprocess.run(command, check=False, env=env, capture_output=True, text=True)
    assert done.returncode == 2
    assert "SOURCE_DATE_EPOCH: is a number of seconds since 1970" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_guessed_task_gets_none(old: str) -> None:
    with pytest.raises(InputError, match="must be given here"):
        ga.certify(old, **DAY)
    from goldassay.proposals.propose import guessed_ratings

    with pytest.raises(InputError, match="guessed"):
        ga.certify(guessed_ratings(old)[0], **DAY)


@pytest.mark.parametrize("more", [{"date": "31.1.2026"}, {"expires": "soon"}, {"judge": "nobody"}])
def test_wrong_options_are_one_message(old: str, more: dict[str, str]) -> None:
    with pytest.raises(InputError):
        ga.certify(old, TASK, **{**DAY, **more})


def test_by_verdict_cannot_correct_and_says_why(old: str, new: str) -> None:
    for calibration, why in (("by_verdict", "drawn by verdict"), (None, "not declared")):
        task = {key: value for key, value in TASK.items() if key != "calibration"}
        task |= {"calibration": calibration} if calibration else {}
        found = ga.certify(old, task, judges=WHO, **DAY)
        assert any(why in one.text for one in found.notes if one.key == "certify.no_errors")
        with pytest.raises(InputError, match=why):
            ga.estimate(new, passport=found, judges=WHO)


def test_hostile_names_are_escaped_on_the_page(tmp_path: Path) -> None:
    bad = "<script>alert(1)</script>"
    path = table(tmp_path / "old.csv", judge=bad)
    who = {bad: {"model": "<img src=x onerror=y>", "prompt": "`x` \u202e <b>"}}
    task = {**TASK, "population": "<i>all</i>"}
    found = ga.certify(path, task, judges=who, **DAY)
    found.save(tmp_path / "p.html")
    page = (tmp_path / "p.html").read_text(encoding="utf-8")
    assert "<script>alert" not in page
    assert "<img src" not in page
    assert "<i>all" not in page
    assert "\u202e" not in page


def test_every_link_on_the_page_has_its_target(passport: Findings, tmp_path: Path) -> None:
    passport.save(tmp_path / "p.html")
    page = (tmp_path / "p.html").read_text(encoding="utf-8")
    anchors = set(re.findall(r'href="#([^"]+)"', page))
    assert anchors <= set(re.findall(r'id="([^"]+)"', page))


# --- what others make of it -----------------------------------------------------------------------


def test_estimate_corrects_new_verdicts_as_bare_counts_would(passport: Findings, new: str) -> None:
    """Rogan-Gladen on the passport's counts and the new verdicts: one formula, one number."""
    found = ga.estimate(new, passport=passport, judges=WHO)
    (errors,) = passport.more["passport"]["errors"]
    no, yes, _ = (
        [sum(n * cell[r][v] for n, cell in errors["cells"]) for v in range(2)] for r in range(3)
    )
    called = sum(
        row["value"] == "yes" for row in csv.DictReader(Path(new).read_text().splitlines())
    )
    bare = ga.estimate(
        positives=called, of=400, specificity=(no[0], sum(no)), sensitivity=(yes[1], sum(yes))
    )
    rate, expected = found["prevalence", "gpt"], bare["prevalence"]
    assert (rate.value, rate.interval) == (expected.value, expected.interval)  # type: ignore[union-attr]
    assert rate.declared["calibration"] == "separate"  # type: ignore[union-attr]
    assert found.more["standing"]["standing"] == "fresh"


def test_estimate_refuses_a_changed_judge_unless_told(passport: Findings, new: str) -> None:
    other = {"gpt": {**WHO["gpt"], "model": "m-2"}}
    with pytest.raises(InputError, match="model 'm-1' there, 'm-2' here"):
        ga.estimate(new, passport=passport, judges=other)
    found = ga.estimate(new, passport=passport, judges=other, changed_judge="accept")
    assert found.more["standing"]["standing"] == "stale"
    assert "stale" in found.warnings[0]
    same = ga.estimate(new, passport=passport, judges=WHO)
    assert found["prevalence", "gpt"] == same["prevalence", "gpt"]


def test_estimate_takes_the_judge_under_another_name(passport: Findings, tmp_path: Path) -> None:
    path = table(tmp_path / "n.csv", labelled=0, judge="gpt-again", seed=3)
    with pytest.raises(InputError, match="gpt-again"):
        ga.estimate(path, passport=passport)
    who = {"gpt-again": WHO["gpt"]}
    found = ga.estimate(path, passport=passport, judge=["gpt-again"], judges=who)
    assert found.more["standing"]["standing"] == "fresh"


def test_new_verdicts_are_held_against_the_old_population(
    tmp_path: Path, old: str, passport: Findings
) -> None:
    alike = ga.estimate(old, passport=passport, judges=WHO)
    (said,) = [one for one in alike.answer if one.key == "estimate.population"]
    assert said.facts["here"] == said.facts["there"]
    assert not said.facts["shifted"]
    far = table(tmp_path / "far.csv", rate=0.1, items=400, labelled=0, seed=5)
    other = ga.estimate(far, passport=passport, judges=WHO)
    (said,) = [one for one in other.answer if one.key == "estimate.population"]
    assert said.facts["shifted"]
    assert said.text in other.warnings


def test_labels_of_the_new_table_are_told_and_not_used(passport: Findings, tmp_path: Path) -> None:
    bare = table(tmp_path / "n.csv", labelled=0, seed=3)
    labelled = table(tmp_path / "l.csv", labelled=50, seed=3)
    rates = [ga.estimate(path, passport=passport, judges=WHO) for path in (bare, labelled)]
    assert rates[0]["prevalence", "gpt"] == rates[1]["prevalence", "gpt"]
    told = [one for one in (*rates[1].answer, *rates[1].notes) if "passport lends" in one.text]
    assert [one.facts["labelled"] for one in told] == [50]


def test_more_verdicts_than_it_holds_for(old: str, new: str) -> None:
    passport = ga.certify(old, TASK, judges=WHO, expires=399, **DAY)
    found = ga.estimate(new, passport=passport, judges=WHO)
    assert found.more["standing"]["standing"] == "expired"
    assert "399 verdicts" in found.warnings[0]


def test_other_options_are_refused(passport: Findings, tmp_path: Path) -> None:
    path = tmp_path / "n.csv"
    path.write_text("item,rater,kind,value\n1,gpt,judge,good\n2,gpt,judge,bad\n")
    task = {"scale": "binary", "options": ["good", "bad"], "positive": "good"}
    with pytest.raises(InputError, match="task options"):
        ga.estimate(str(path), task, passport=passport, judges=WHO)
    with pytest.raises(InputError, match="other options"):
        ga.estimate(str(path), task, passport=passport, judges=WHO, changed_judge="accept")


def test_the_report_says_who_the_judge_is(old: str, tmp_path: Path) -> None:
    judges = tmp_path / "judges.csv"
    judges.write_text("rater,model,prompt\ngpt,m-1,Is it right?\n")
    passport = ga.certify(old, TASK, judges=str(judges), **DAY)
    found = ga.report(old, TASK, judges=str(judges), passport=passport, resamples=100)
    assert found.more["identities"]["gpt"]["model"] == {"value": "m-1", "from": "judges.csv"}
    assert found.more["standing"]["standing"] == "fresh"
    assert len(found.answer) <= 3
    found.save(tmp_path / "r.html")
    assert "Who the judge is" in (tmp_path / "r.html").read_text(encoding="utf-8")


def test_a_difference_of_two_passports(old: str) -> None:
    first = ga.certify(old, TASK, judges=WHO, **DAY)
    other = {"gpt": {**WHO["gpt"], "model": "m-2"}}
    second = ga.certify(
        old, TASK, judges=other, expires="2027-01-31", date="2026-02-28", resamples=100
    )
    found = ga.diff(first, second)
    assert found.answer[0].key == "diff.judge_changed"
    assert found.answer[0].facts["changed"] == ["model"]
    rows = {row[0]: row[1:] for row in found.tables["bound"].rows}
    assert rows["date"] == ("2026-01-31", "2026-02-28")
    assert rows["holds until"] == ("not declared", "2027-01-31")
    held = ga.diff(first, second, passport=first)
    assert held.more["standing"]["standing"] == "stale"


def test_the_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.chdir(tmp_path)
    old, new = table(Path("old.csv")), table(Path("new.csv"), labelled=0, seed=2)
    ga.Task.from_mapping(TASK)
    Path("task.toml").write_text(ga.Task.from_mapping(TASK).to_toml())
    Path("judges.csv").write_text("rater,model,prompt\ngpt,m-1,Is it right?\n")
    words = ["certify", old, "-t", "task.toml", "--judges", "judges.csv", "--date", "2026-01-31"]
    assert command_line([*words, "-o", "p.json", "-o", "p.html", "--resamples", "100"]) == 0
    assert read_passport("p.json").judge == "gpt"
    held = ["--passport", "p.json", "--judges", "judges.csv"]
    assert command_line(["estimate", new, *held]) == 0
    assert "is fresh" in capsys.readouterr().out
    edited = Path("p.json").read_text().replace('"m-1"', '"m-2"')
    Path("edited.json").write_text(edited)
    assert command_line(["estimate", new, "--passport", "edited.json"]) == 2
    assert "was changed after it was made" in capsys.readouterr().err
    assert command_line(["diff", "p.json", "edited.json"]) == 2
    assert command_line(["diff", "p.json", "p.json"]) == 0


# --- other tables ---------------------------------------------------------------------------------


def frame(items: int, labelled: int, seed: int, **more: Any) -> pl.DataFrame:
    """Half of the items are positive and the judge is right on 85 % of them."""
    draw, rows = random.Random(seed), []
    for system in more.get("systems", ("a",)):
        for number in range(items):
            for criterion in more.get("criteria", ("",)):
                good = draw.random() < 0.5
                called = good if draw.random() < 0.85 else not good
                unit = {"item": f"{system}{number}", "system": system, "criterion": criterion}
                unit = {key: value for key, value in unit.items() if value}
                if more.get("weighted"):
                    unit["weight"] = str(1 + number % 3)
                words = more.get("words", ("no", "yes"))
                rows.append({**unit, "rater": "gpt", "kind": "judge", "value": words[called]})
                if number < labelled:
                    rows.append({**unit, "rater": "ann", "kind": "human", "value": words[good]})
    return pl.DataFrame(rows)


@pytest.mark.parametrize(
    ("more", "task"),
    [
        ({"words": ("2", "4")}, {"scale": "continuous", "cut": ">= 3", "calibration": "random"}),
        ({"weighted": True}, TASK),
        ({"criteria": ("tone", "truth"), "systems": ("a", "b")}, {**TASK, "cluster": "item"}),
        ({"systems": ("a", "b", "c")}, {**TASK, "cluster": "system"}),
    ],
    ids=["cut", "weights", "criteria and systems", "clusters"],
)
def test_whatever_the_table_it_lends_its_errors(more: dict[str, Any], task: dict[str, Any]) -> None:
    held = ga.certify(frame(60, 40, 1, **more), task, judges=WHO, **DAY)
    found = ga.estimate(frame(150, 0, 2, **more), passport=held, judges=WHO)
    assert found.more["standing"]["standing"] == "fresh"
    rates = [
        row for row in found.rows if row.result.name == "prevalence" and "system" not in row.about
    ]
    assert len(rates) == len(more.get("criteria", ("",)))
    for row in rates:
        assert row.result.interval is not None
        assert 0.5 in row.result.interval


def test_errors_that_belong_to_clusters_make_the_interval_longer() -> None:
    """Eight clusters say less than eighty items that are as often right."""
    drawn = frame(80, 80, 3)
    clustered = drawn.with_columns(cluster=pl.col("item").str.slice(1).cast(pl.Int64) // 10)
    clustered = clustered.with_columns(pl.col("cluster").cast(pl.String))
    alone, apart = (
        ga.certify(one, {**TASK, **more}, judges=WHO, **DAY)
        for one, more in ((drawn, {}), (clustered, {"cluster": "cluster"}))
    )
    new = frame(300, 0, 4)
    lengths = [
        ga.estimate(new, {**TASK}, passport=one, judges=WHO)["prevalence", "gpt"].interval.length  # type: ignore[union-attr]
        for one in (alone, apart)
    ]
    assert lengths[1] > lengths[0]


def test_the_rows_that_were_chosen_are_part_of_it() -> None:
    drawn = frame(40, 40, 3, systems=("a", "b"))
    found = ga.certify(drawn, TASK, judges=WHO, only=["system=a"], **DAY)
    assert found.more["passport"]["only"] == {"system": ["a"]}
    (said,) = [one for one in found.answer if one.key == "certify.bound"]
    assert "(only `system` `a`)" in said.text


def test_a_judge_that_nobody_labelled_gets_none(new: str) -> None:
    with pytest.raises(InputError, match="held against people's labels"):
        ga.certify(new, TASK, judges=WHO, **DAY)


def test_route_says_it_too(passport: Findings, old: str) -> None:
    found = ga.route(
        pl.read_csv(old).with_columns(score=pl.lit(0.7)).cast(pl.String), TASK, passport=passport
    )
    assert found.more["standing"]["standing"] == "unknown"
    assert "passport" in found.answer[-1].text


def test_compare_and_monitor_say_it_too(passport: Findings) -> None:
    drawn = frame(60, 60, 3, systems=("a", "b"))
    compared = ga.compare(drawn, TASK, passport=passport, judges=WHO)
    assert compared.more["standing"]["standing"] == "fresh"
    number = pl.col("item").str.slice(1).cast(pl.Int64)
    batches = drawn.with_columns(batch=(number // 20).cast(pl.String))
    other = {"gpt": {**WHO["gpt"], "model": "m-2"}}
    watched = ga.monitor(batches, TASK, passport=passport, judges=other)
    assert watched.more["standing"]["standing"] == "stale"
    assert "model is `m-2`" in watched.answer[-1].text
    assert max(len(one.answer) for one in (compared, watched)) <= 3


def test_a_judges_table_may_be_a_log(tmp_path: Path) -> None:
    path = tmp_path / "gpt-4_single.jsonl"
    judged = {"question_id": 81, "model": "m", "judge": ["gpt-4", "single-v1"], "score": 8}
    judged |= {"turn": 1, "user_prompt": "?", "judgment": "[[8]]"}
    path.write_text(json.dumps(judged))
    who = identities_of(None, str(path))
    (name,) = who
    assert "gpt-4" in name
    assert (who[name]["source"], who[name].origin["source"]) == ("mt-bench", path.name)
    assert who[name]["model"] != "m"  # the judged system's


def test_a_gate_holds_a_passport_to_be_fresh(passport: Findings, new: str) -> None:
    found = ga.estimate(new, passport=passport, judges=WHO)
    assert found.require("passport_fresh >= 1") is found
    with pytest.raises(ga.GateNotMet):
        ga.estimate(new, passport=passport).require("passport_fresh >= 1")
