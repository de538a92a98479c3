"""Micro, macro and item levels on every scale, with what is undecided or degenerate."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import goldassay as ga
from goldassay.cli import command_line as run
from goldassay.counts import count_units
from goldassay.inference.draw import Draw
from goldassay.questions.agree.ask import agree
from goldassay.questions.agree.levels import MAIN, item_codes, item_tables, macro_interval
from goldassay.questions.agree.modes import Tables, declared_mode
from goldassay.ratings.table import read_ratings
from goldassay.ratings.task import Task

TASKS = {
    "binary": {"options": ["MET", "UNMET"], "positive": "MET"},
    "nominal": {"options": ["a", "b", "c"]},
    "ordinal": {"options": ["1", "2", "3", "4"], "weights": "quadratic"},
    "pairwise": {"options": ["A", "B", "T"], "tie": "T"},
}


def test_few_metrics_stand_beside_the_micro_level() -> None:
    # By criterion, system and mode: a share, what is beyond chance, and what grades need; not the
    # rates of single options.
    assert {*MAIN} == {
        *("accuracy", "balanced_accuracy", "youden_j", "f1", "macro_f1", "phi", "mcc"),
        *("cohen_kappa", "weighted_kappa", "gwet_ac1", "krippendorff_alpha", "spearman"),
    }


def written(folder: Path, rows: list[tuple[str, str, str, str]], **columns: str) -> Path:
    """Rows (item, criterion, person's value, judge's value) as a table."""
    path = folder / "ratings.csv"
    extra, values = list(columns), list(columns.values())
    lines = [",".join(["item", "criterion", "rater", "kind", "value", *extra])]
    for item, criterion, person, judge in rows:
        lines.append(",".join([item, criterion, "ann", "human", person, *values]))
        lines.append(",".join([item, criterion, "gpt", "judge", judge, *values]))
    path.write_text("\n".join(lines) + "\n")
    return path


def whole(folder: Path, scale: str, rows: list, **declared: object) -> tuple[Tables, int]:
    """Tables of whole items, and how many items are level."""
    task = Task.from_mapping({"scale": scale, **TASKS[scale], **declared})
    units = count_units(read_ratings(str(written(folder, rows)), task))
    verdict = units.verdict[:, units.columns_of("gpt")]
    found, left = item_tables(units, verdict, declared_mode(task), item_codes(units))
    return found, left.level


#: What every scale has beside the micro level, and what it has of its own.
COMMON = {"accuracy", "balanced_accuracy", "youden_j", "macro_f1", "cohen_kappa", "gwet_ac1"}
OWN = {
    "binary": {"f1", "phi"},
    "nominal": {"mcc"},
    "ordinal": {"mcc", "weighted_kappa", "krippendorff_alpha", "spearman"},
}


@pytest.mark.parametrize("scale", OWN)
def test_criteria_and_items_have_the_main_coefficients(tmp_path: Path, scale: str) -> None:
    task = Task.from_mapping({"scale": scale, **TASKS[scale]})
    size = len(task.options)
    verdicts = [(k % size, k % size if k % 5 else (k + 1) % size) for k in range(24)]
    rows = [
        (f"i{k // 2}", "xy"[k % 2], task.options[person], task.options[judge])
        for k, (person, judge) in enumerate(verdicts)
    ]
    found = agree(read_ratings(str(written(tmp_path, rows)), task))
    for level in ("macro", "item"):
        names = {row.result.name for row in found.rows if row.about.get("level") == level}
        assert names == COMMON | OWN[scale]


def test_an_item_is_met_when_every_criterion_is(tmp_path: Path) -> None:
    rows = [
        ("i", "x", "MET", "MET"),
        ("i", "y", "MET", "UNMET"),
        ("j", "x", "MET", "MET"),
        ("j", "y", "MET", "MET"),
        ("k", "x", "UNMET", "MET"),
        ("k", "y", "UNMET", "MET"),
    ]
    found, undecided = whole(tmp_path, "binary", rows)
    assert found.total.tolist() == [[1, 1], [1, 0]]
    assert undecided == 0


def test_an_unmet_criterion_decides_before_an_abstention(tmp_path: Path) -> None:
    rows = [
        ("i", "x", "MET", "?"),
        ("i", "y", "MET", "UNMET"),  # judge: not met whatever x is
        ("j", "x", "MET", "?"),
        ("j", "y", "MET", "MET"),  # judge: cannot say
    ]
    found, _ = whole(tmp_path, "binary", rows, abstain=["?"], abstentions="class")
    assert found.labels == ("MET", "UNMET", "abstained")
    assert found.total[0].tolist() == [0, 1, 1]


def test_nominal_takes_what_most_criteria_have(tmp_path: Path) -> None:
    rows = [
        ("i", "x", "a", "b"),
        ("i", "y", "a", "b"),
        ("i", "z", "c", "a"),
        ("j", "x", "a", "b"),
        ("j", "y", "b", "b"),
    ]
    found, undecided = whole(tmp_path, "nominal", rows)
    assert found.total[0, 1] == found.total.sum() == 1  # i: people a, judge b
    assert undecided == 1  # j: people's criteria are level


def test_ordinal_takes_the_nearest_option_to_the_mean(tmp_path: Path) -> None:
    rows = [
        ("i", "x", "1", "4"),
        ("i", "y", "2", "4"),
        ("i", "z", "1", "3"),
        ("j", "x", "4", "2"),
        ("j", "y", "3", "1"),
    ]
    found, _ = whole(tmp_path, "ordinal", rows)
    assert found.total[0, 3] == 1  # 4/3 and 11/3
    assert found.total[3, 1] == 1  # a half counts up: 3.5 is 4, 1.5 is 2


@pytest.mark.parametrize(("ties", "expected"), [("class", 1.0), ("half", 0.5), ("exclude", 0.0)])
def test_pairwise_takes_the_side_that_wins_more(tmp_path: Path, ties: str, expected: float) -> None:
    rows = [
        ("i", "w", "A", "A"),
        ("i", "x", "A", "A"),
        ("i", "y", "A", "B"),
        ("i", "z", "T", "A"),
        ("j", "x", "A", "B"),
        ("j", "y", "B", "B"),
    ]
    found, undecided = whole(tmp_path, "pairwise", rows, ties=ties)
    # i: both A. j: people level, judge B.
    assert found.total[0, 0] == 1
    column = found.labels.index("B")
    row = found.labels.index("T") if ties == "class" else column
    assert found.total[row, column] == expected
    assert undecided == (ties == "exclude")


def test_units_of_their_own_are_items(tmp_path: Path) -> None:
    rows = [(f"i{n}", "x" if n % 2 else "y", "MET", "MET" if n else "UNMET") for n in range(8)]
    found, _ = whole(tmp_path, "binary", rows)
    assert found.total.sum() == 8
    assert found.total[0].tolist() == [7, 1]


def document(capsys: pytest.CaptureFixture[str], *argv: str) -> dict:
    assert run(["agree", *argv, "--json", "--resamples", "200"]) == 0
    return json.loads(capsys.readouterr().out)


def noisy(scale: str, items: int = 40) -> list[tuple[str, str, str, str]]:
    rng = np.random.default_rng(3)
    options = TASKS.get(scale, {}).get("options", ["0.1", "0.4", "0.6", "0.9"])
    rows = []
    for item in range(items):
        for criterion in ("p", "q", "r"):
            true = int(rng.integers(len(options)))
            said = true if rng.random() < 0.8 else int(rng.integers(len(options)))
            rows.append((f"i{item}", criterion, options[true], options[said]))
    return rows


@pytest.mark.parametrize(
    ("scale", "name"),
    [
        ("binary", "phi"),
        ("nominal", "cohen_kappa"),
        ("ordinal", "weighted_kappa"),
        ("pairwise", "cohen_kappa"),
        ("continuous", "pearson"),
    ],
)
def test_all_three_levels_on_every_scale(tmp_path, capsys, scale: str, name: str) -> None:
    table = written(tmp_path, noisy(scale))
    task = tmp_path / "task.toml"
    task.write_text(Task.from_mapping({"scale": scale, **TASKS.get(scale, {})}).to_toml())
    doc = document(capsys, str(table), "--task", str(task))
    unit = {"micro": "item", "macro": "criterion", "item": "item"}
    for level in ("micro", "macro", "item"):
        row = next(r for r in doc["results"] if r["name"] == name and r["level"] == level)
        assert row["low"] < row["value"] < row["high"]
        if scale != "continuous" or level != "micro":
            assert row["declared"]["resampling_unit"] == unit[level]
    point = doc["tables"]["checklist"]["rows"][9]
    assert "macro over 3 criteria, item (" in point[3]


def test_a_degenerate_criterion_of_scores_is_undefined(tmp_path, capsys) -> None:
    rows = noisy("continuous") + [(f"i{n}", "flat", "0.5", str(n / 40)) for n in range(40)]
    table, task = written(tmp_path, rows), tmp_path / "task.toml"
    task.write_text('scale = "continuous"\n')
    doc = document(capsys, str(table), "--task", str(task))
    row = next(r for r in doc["results"] if r.get("criterion") == "flat")
    assert (row["name"], row["value"], row["n_items"]) == ("pearson", None, 40)
    macro = next(r for r in doc["results"] if r["name"] == "pearson" and r["level"] == "macro")
    assert macro["declared"]["criteria"] == 3
    assert "flat" in macro["warnings"][0]


def test_items_are_told_apart_by_opponent_and_by_other_clusters(tmp_path, capsys) -> None:
    rows = noisy("pairwise", 20)
    table = written(tmp_path, rows, system="s", opponent="t", prompt="one")
    text = table.read_text().splitlines()
    other = [line.replace(",s,t,", ",s,u,") for line in text[1:]]
    table.write_text("\n".join([*text, *other]) + "\n")
    task = tmp_path / "task.toml"
    declared = {"scale": "pairwise", **TASKS["pairwise"], "ties": "class"}
    task.write_text(Task.from_mapping(declared).to_toml())
    doc = document(capsys, str(table), "--task", str(task))
    item = next(r for r in doc["results"] if r["name"] == "accuracy" and r["level"] == "item")
    assert item["n_items"] == 40


def test_the_interval_of_one_criterion_is_for_that_one_only() -> None:
    draws = np.linspace(0.4, 0.6, 100)[:, None]
    interval, these = macro_interval(np.array([0.5]), draws, draws, 0.025, Draw(100, 1, 0.95))
    assert interval is None
    assert these[0] < 0.5 < these[1]


def item_accuracy(found: ga.Findings) -> Any:
    (row,) = found.rows_where(name="accuracy", judge="gpt", level="item")
    return row.result


def test_a_judge_that_abstains_on_what_people_fail_is_not_right_there(tmp_path: Path) -> None:
    """60 items of three criteria: people fail one criterion of 40, and the judge abstains there."""
    rows = []
    for item in range(60):
        for place, criterion in enumerate("xyz"):
            fails = item < 40 and place == item % 3
            rows.append((f"i{item}", criterion, *(("UNMET", "CA") if fails else ("MET", "MET"))))
    declared = {"scale": "binary", **TASKS["binary"], "abstain": ["CA"]}
    table = str(written(tmp_path, rows))
    left = item_accuracy(ga.agree(table, declared, resamples=200))
    # What the judge says of the 40 hangs on its abstention: it agrees on the 20 that are left.
    assert (left.value, left.n_items) == (1.0, 20)
    (warning,) = [one for one in left.warnings if "left out" in one]
    assert warning.startswith("40 items of 60 left out")
    assert "from 33 % to 100 %" in warning
    assert (
        item_accuracy(
            ga.agree(table, {**declared, "abstentions": "recode", "recode_to": "UNMET"})
        ).value
        == 1.0
    )
    of_its_own = item_accuracy(ga.agree(table, {**declared, "abstentions": "class"}))
    assert (of_its_own.value, of_its_own.n_items) == (pytest.approx(20 / 60), 60)


@pytest.mark.parametrize("gone", ["failed", "absent"])
def test_a_missing_verdict_leaves_the_item_open_as_an_abstention_does(
    tmp_path: Path, gone: str
) -> None:
    rows = [("i", "x", "MET", "MET"), ("i", "y", "UNMET", "?")]  # hangs on y
    rows += [("j", "x", "UNMET", "UNMET"), ("j", "y", "MET", "?")]  # x decides
    rows += [("k", "x", "MET", "MET"), ("k", "y", "MET", "MET")]
    lines = written(tmp_path, rows).read_text().splitlines()
    lines = [f"{line},{'failed' if ',?' in line else 'rated'}" for line in lines]
    lines[0] = lines[0].replace("rated", "status")
    kept = [line for line in lines if gone == "failed" or ",?," not in line]
    (tmp_path / "table.csv").write_text("\n".join(kept).replace(",?,", ",,") + "\n")
    found = item_accuracy(
        ga.agree(str(tmp_path / "table.csv"), {"scale": "binary", **TASKS["binary"]})
    )
    assert (found.value, found.n_items) == (1.0, 2)
    assert "1 item of 3 left out" in found.warnings[-1]


def test_a_criterion_that_people_were_not_asked_about_is_none_of_the_item(tmp_path: Path) -> None:
    rows = [(f"i{n}", "x", "MET", "MET" if n else "UNMET") for n in range(5)]
    rows += [(f"i{n}", "y", "MET", "MET") for n in range(5, 10)]
    text = written(tmp_path, rows).read_text()
    # The judge fails y of the items on which people were asked about x alone.
    more = [f"i{n},y,gpt,judge,UNMET" for n in range(5)]
    (tmp_path / "ratings.csv").write_text(text + "\n".join(more) + "\n")
    found = item_accuracy(
        ga.agree(str(tmp_path / "ratings.csv"), {"scale": "binary", **TASKS["binary"]})
    )
    assert (found.value, found.n_items) == (0.9, 10)


def test_items_weigh_what_their_criteria_weigh(tmp_path: Path) -> None:
    rows = [("i", "x", "MET", "MET"), ("i", "y", "MET", "MET")]
    rows += [("j", "x", "MET", "UNMET"), ("j", "y", "MET", "MET")]
    lines = written(tmp_path, rows).read_text().splitlines()
    lines = [f"{line},{3 if line.startswith('i,') else 1}" for line in lines]
    lines[0] = lines[0].replace(",1", ",weight")
    (tmp_path / "table.csv").write_text("\n".join(lines) + "\n")
    found = item_accuracy(
        ga.agree(str(tmp_path / "table.csv"), {"scale": "binary", **TASKS["binary"]})
    )
    assert found.value == pytest.approx(3 / 4)


def test_a_score_that_a_judge_leaves_out_stays_in_peoples_mean(tmp_path: Path) -> None:
    people = {"i": (1.0, 0.0), "j": (0.5, 0.5), "k": (0.2, 0.4), "l": (0.9, 0.8)}
    judge = {"i": (1.0, None), "j": (0.6, 0.5), "k": (0.2, 0.3), "l": (0.8, 0.9)}
    lines = ["item,criterion,rater,kind,value"]
    for item in people:
        for place, criterion in enumerate("xy"):
            lines.append(f"{item},{criterion},ann,human,{people[item][place]}")
            if judge[item][place] is not None:
                lines.append(f"{item},{criterion},gpt,judge,{judge[item][place]}")
    (tmp_path / "table.csv").write_text("\n".join(lines) + "\n")
    found = ga.agree(str(tmp_path / "table.csv"), {"scale": "continuous"})
    (row,) = found.rows_where(name="pearson", judge="gpt", level="item")
    expected = np.corrcoef([0.5, 0.5, 0.3, 0.85], [1.0, 0.55, 0.25, 0.85])[0, 1]
    assert row.result.value == pytest.approx(expected)
