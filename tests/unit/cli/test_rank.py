"""`goldassay rank`: the document, the words, and a clear answer to every bad input."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from goldassay.cli import command_line as run

TASK = 'scale = "continuous"\ninvalid = ["None"]\n'
SYSTEMS = ("alpha", "beta", "gamma", "delta")


@pytest.fixture
def table(tmp_path: Path) -> Path:
    rng = np.random.default_rng(0)
    rows = []
    for item in range(40):
        ease = rng.normal()
        for place, system in enumerate(SYSTEMS):
            for rater, kind, noise in (
                ("good", "judge", 0.3),
                ("poor", "judge", 3.0),
                ("ann", "human", 0.3),
            ):
                value = f"{ease - place + rng.normal(0, noise):.3f}"
                rows.append((f"item {item:02d}", system, rater, kind, value))
    rows[0] = (*rows[0][:4], "None")
    write(tmp_path / "ratings.csv", ("item", "system", "rater", "kind", "value"), rows)
    (tmp_path / "task.toml").write_text(TASK)
    return tmp_path


def write(path: Path, header: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows([header, *rows])


def arguments(folder: Path, *more: str) -> list[str]:
    return [
        "rank",
        str(folder / "ratings.csv"),
        "--task",
        str(folder / "task.toml"),
        "--resamples",
        "200",
        *more,
    ]


def test_text_names_the_best_judge(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments(table, "--full")) == 0
    text = capsys.readouterr().out
    assert text.startswith(
        "`good` and `poor` come equally close to people's order of the 4 systems"
    )
    assert "systems: `good` with Kendall's tau" in " ".join(text.split())
    assert "`poor`" in text.split("\n\n")[0]
    assert "1 invalid" in text
    assert "1st" in text


def test_json_carries_judge_and_aggregation(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments(table, "--json", "--aggregation", "mean")) == 0
    document = json.loads(capsys.readouterr().out)
    taus = {r["judge"]: r for r in document["results"] if r["name"] == "kendall_tau"}
    assert set(taus) == {"good", "poor"}
    assert taus["good"]["value"] == 1
    assert taus["good"]["aggregation"] == "mean"
    assert document["rows"] == {"read": 480, "used": 479, "excluded": 1}


def test_gates(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gate = ("--require", "kendall_tau>=0.9[judge=good]")
    assert run(arguments(table, *gate)) == 4  # one of its scores is missing
    assert run(arguments(table, *gate, "--exclude", "item=item 00")) == 0
    assert run(arguments(table, "--require", "kendall_tau>=0.99[judge=poor]")) == 1
    capsys.readouterr()


def test_gold_scores_and_battles_from_files(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(table / "gold.csv", ("system", "score"), [(s, str(-i)) for i, s in enumerate(SYSTEMS)])
    assert run(arguments(table, "--json", "--gold", str(table / "gold.csv"))) == 0
    document = json.loads(capsys.readouterr().out)
    declared = [r["declared"] for r in document["results"] if r["name"] == "kendall_tau"]
    assert declared[0]["gold"] == "given scores"
    assert [i["name"] for i in document["provenance"]["inputs"]] == ["ratings.csv", "gold.csv"]
    battles = [
        (a, b, a if n % 4 else ("tie" if n % 8 else b))
        for i, a in enumerate(SYSTEMS)
        for b in SYSTEMS[i + 1 :]
        for n in range(20)
    ]
    write(table / "battles.csv", ("system", "opponent", "winner"), battles)
    assert run(arguments(table, "--json", "--gold", str(table / "battles.csv"))) == 0
    document = json.loads(capsys.readouterr().out)
    rows = {r["name"]: r for r in document["results"] if r["judge"] == "good"}
    assert rows["decisiveness"]["value"] > 1
    assert rows["kendall_tau"]["value"] == 1


@pytest.mark.parametrize(
    ("name", "header", "rows", "words"),
    [
        ("gold", ("system", "rank"), [("alpha", "1")], "system,score or system,opponent,winner"),
        ("gold", ("system", "score"), [("alpha", "x")], "finite number"),
        ("gold", ("system", "score"), [("alpha", "1"), ("alpha", "2")], "twice"),
        ("gold", ("system", "score"), [("Alpha!", "1"), ("Betta", "2")], "did you mean 'alpha'"),
        (
            "gold",
            ("system", "opponent", "winner"),
            [("alpha", "beta", "alhpa")],
            "Did you mean 'alpha'",
        ),
        ("gold", ("system", "opponent", "winner"), [("alpha", "alpha", "alpha")], "two systems"),
        ("judges", ("name", "model"), [("good", "m")], "column judge"),
    ],
)
def test_bad_files_have_a_clear_answer(
    table: Path,
    capsys: pytest.CaptureFixture[str],
    name: str,
    header: tuple[str, ...],
    rows: list[tuple[str, ...]],
    words: str,
) -> None:
    write(table / "other.csv", header, rows)
    assert run(arguments(table, f"--{name}", str(table / "other.csv"))) == 2
    error = capsys.readouterr().err
    assert words in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("former", "message"),
    [
        (("--top", "3"), "tau (kendall_tau) says how far orders agree"),
        (("--sums-of-squares", "III"), "`goldassay reproduce justrank` has that of the paper"),
    ],
)
def test_former_options_say_what_stands_for_them(
    former: tuple[str, str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rank", "ratings.csv", *former]) == 2
    assert message in capsys.readouterr().err


def test_bad_tables_have_a_clear_answer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    header = ("item", "system", "rater", "kind", "value")
    cases = {
        "at least two systems": [("i1", "a", "j", "judge", "1"), ("i2", "a", "j", "judge", "2")],
        "at least two of them": [("i1", "a", "j", "judge", "1"), ("i1", "b", "j", "judge", "2")],
        "kind judge": [("i1", "a", "p", "human", "1"), ("i2", "b", "p", "human", "2")],
        "rate a unit once": [("i1", "a", "j", "judge", "1"), ("i1", "a", "j", "judge", "2")],
    }
    (tmp_path / "task.toml").write_text(TASK)
    for words, rows in cases.items():
        write(tmp_path / "ratings.csv", header, rows)
        assert run(arguments(tmp_path)) == 2
        assert words in capsys.readouterr().err
    write(tmp_path / "ratings.csv", ("item", "rater", "kind", "value"), [("i", "j", "judge", "1")])
    assert run(arguments(tmp_path)) == 2
    assert "must have a column 'system'" in capsys.readouterr().err
    assert run([*arguments(tmp_path), "--aggregation", "avg"]) == 2
    assert "bradley_terry" in capsys.readouterr().err


def test_battles_are_resampled_by_the_declared_cluster(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = np.random.default_rng(1)
    rows = []
    for item in range(60):
        first, second = rng.permutation(["a", "b", "c"])[:2]
        for rater, kind in (("j", "judge"), ("ann", "human")):
            value = str(rng.choice(["first", "second", "tie"]))
            about = (f"i{item}", f"q{item // 2}", f"topic {item // 6}")
            rows.append((*about, first, second, rater, kind, value))
    header = ("item", "prompt", "topic", "system", "opponent", "rater", "kind", "value")
    write(tmp_path / "ratings.csv", header, rows)
    pairwise = 'scale = "pairwise"\noptions = ["first", "second", "tie"]\ntie = "tie"\n'
    for cluster, units in (("item", 30), ("prompt", 30), ("topic", 10)):
        (tmp_path / "task.toml").write_text(pairwise + f'cluster = "{cluster}"\n')
        assert run(arguments(tmp_path, "--json")) == 0
        results = json.loads(capsys.readouterr().out)["results"]
        assert {r["n_clusters"] for r in results if r["name"] == "kendall_tau"} == {units}
        assert {r["n_items"] for r in results if r["name"] == "kendall_tau"} == {30}
    (tmp_path / "task.toml").write_text(pairwise + 'cluster = "rater"\n')
    assert run(arguments(tmp_path)) == 2
    assert "at least two clusters of prompts" in capsys.readouterr().err


def test_a_system_and_a_judge_without_scores_are_named(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with (table / "ratings.csv").open("a", encoding="utf-8", newline="") as stream:
        for item in range(40):
            csv.writer(stream).writerow((f"item {item:02d}", "epsilon", "good", "judge", "None"))
            csv.writer(stream).writerow((f"item {item:02d}", "alpha", "mute", "judge", "None"))
    assert run(arguments(table, "--json")) == 0
    document = json.loads(capsys.readouterr().out)
    warnings = " ".join(document["warnings"])
    assert "`good` gave `epsilon` no score; it is unranked there." in warnings
    assert "The judge `mute` has no usable rating; it is not ranked." in warnings
    missing = [r for r in document["results"] if r.get("system") == "epsilon"]
    assert {r["undefined"] for r in missing if r["name"] == "system_score"} != {None}
    assert document["rows"]["excluded"] == 81


def test_a_system_without_a_valid_battle_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = np.random.default_rng(4)
    header = ("item", "system", "opponent", "rater", "kind", "value")
    rows = []
    for item in range(40):
        first, second = (str(name) for name in rng.permutation(["a", "b", "c"])[:2])
        for rater, kind in (("j", "judge"), ("ann", "human")):
            value = str(rng.choice(["first", "second"]))
            rows.append((f"i{item}", first, second, rater, kind, value))
        rows.append((f"x{item}", "a", "mute", "j", "judge", "none"))
    write(tmp_path / "ratings.csv", header, rows)
    (tmp_path / "task.toml").write_text(
        'scale = "pairwise"\noptions = ["first", "second"]\ninvalid = ["none"]\n'
    )
    assert run(arguments(tmp_path, "--full")) == 0
    text = capsys.readouterr().out
    assert "mute" in text
    assert "unranked" in text
