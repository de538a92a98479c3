"""`goldassay audit`: the document, the words, and a clear answer to every bad input."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from goldassay.cli import command_line as run

TASK = 'scale = "binary"\noptions = ["Yes", "No"]\npositive = "Yes"\n'
HEADER = ("item", "rater", "kind", "value", "elicitation", "sample", "group")


class Table:
    """A small table on disk, with its task."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.rows: list[tuple[str, ...]] = []

    def add(self, item: object, rater: str, kind: str, value: str, *more: str) -> None:
        self.rows.append((str(item), rater, kind, value, *more, *[""] * (3 - len(more))))

    def write(self, task: str = TASK) -> list[str]:
        with (self.folder / "ratings.csv").open("w", newline="") as stream:
            writer = csv.writer(stream)
            writer.writerow(HEADER)
            writer.writerows(self.rows)
        (self.folder / "task.toml").write_text(task)
        return [
            "audit",
            str(self.folder / "ratings.csv"),
            "--task",
            str(self.folder / "task.toml"),
            "--resamples",
            "200",
            "--panel-draws",
            "4",
        ]


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)


def people_and_judges(table: Table, raters: int = 3, *, sets: bool = False) -> None:
    rng = np.random.default_rng(0)
    for item in range(40):
        share = rng.random()
        for rater in range(raters):
            yes = rng.random() < share
            group = "expert" if rater % 2 else "crowd"
            table.add(
                item, f"p{rater}", "human", "Yes" if yes else "No", "forced_choice", "", group
            )
            if sets:
                value = "Yes|No" if 0.3 < share < 0.7 else ("Yes" if yes else "No")
                table.add(item, f"p{rater}", "human", value, "response_set", "", group)
        for judge, noise in (("good", 0.1), ("bad", 0.45)):
            for sample in range(3):
                yes = (rng.random() < share) ^ (rng.random() < noise)
                table.add(
                    item, judge, "judge", "Yes" if yes else "No", "forced_choice", str(sample)
                )


def document(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> dict:  # type: ignore[type-arg]
    assert run([*arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)  # type: ignore[no-any-return]


def test_every_definition_is_in_the_document(
    table: Table, capsys: pytest.CaptureFixture[str]
) -> None:
    people_and_judges(table)
    found = document([*table.write(), "--smoothing", "0.01"], capsys)
    rows = {(r["name"], r["aggregation"], r["judge"]): r for r in found["results"]}
    for name, aggregation in (
        ("hit_rate", "h/h"),
        ("fleiss_kappa", "h/h"),
        ("kl_divergence", "s/s"),
        ("cross_entropy", "s/s"),
        ("jensen_shannon", "s/s"),
        ("coverage", "h/hrs"),
        ("predictive_efficiency", "hrs/-"),
        ("mean_squared_error", "srs/srs"),
        ("binary_cross_entropy", "s/hrs"),
        ("decision_consistency", "s/s"),
        ("estimation_bias", "srs/srs"),
    ):
        row = rows[name, aggregation, "good"]
        assert row["low"] <= row["value"] <= row["high"]
        assert row["n_items"] == 40
        assert row["declared"]["raters_per_item"] == "3"
    assert rows["kl_divergence", "s/s", "good"]["declared"]["smoothing"] == 0.01
    assumed = rows["mean_squared_error", "srs/srs", "good"]["assumptions"]
    assert "people's response sets: assumed, beta = 0" in assumed
    assert rows["hit_rate", "h/h", "good"]["value"] > rows["hit_rate", "h/h", "bad"]["value"]
    assert any("may accept several options" in warning for warning in found["warnings"])
    assert {
        "definitions",
        "sensitivity_bias",
        "sensitivity_consistency",
        "prevalence",
        "raters",
    } <= set(found["tables"])


def test_same_seed_same_bytes(table: Table, capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever the order of the rows."""
    people_and_judges(table, 2)
    first = document(table.write(), capsys)["results"]
    table.rows.reverse()
    assert document(table.write(), capsys)["results"] == first


def test_hand_arithmetic(table: Table, capsys: pytest.CaptureFixture[str]) -> None:
    # people .75/.25, .25/.75, 1/0; judge Yes, Yes, Yes
    for item, yes in (("a", 3), ("b", 1), ("c", 4)):
        for rater in range(4):
            table.add(item, f"p{rater}", "human", "Yes" if rater < yes else "No")
        table.add(item, "j", "judge", "Yes")
    found = document(table.write(), capsys)
    rows = {(r["name"], r["aggregation"]): r for r in found["results"]}
    assert rows["hit_rate", "h/h"]["value"] == pytest.approx(2 / 3)
    assert rows["mean_squared_error", "s/s"]["value"] == pytest.approx((0.125 + 1.125) / 3)
    assert rows["decision_consistency", "s/s"]["value"] == pytest.approx(2 / 3)
    assert rows["estimation_bias", "s/s"]["value"] == pytest.approx(1 / 3)
    kl = rows["kl_divergence", "s/s"]
    assert kl["value"] is None
    assert "on 2 items" in kl["undefined"]
    assert rows["cohen_kappa", "h/h"]["value"] == 0
    assert any("`j` gave one answer per item" in warning for warning in found["warnings"])


def test_response_sets_and_what_they_imply(
    table: Table, capsys: pytest.CaptureFixture[str]
) -> None:
    people_and_judges(table, 4, sets=True)
    found = document(table.write(), capsys)
    row = next(r for r in found["results"] if r["aggregation"] == "srs/srs" and r["assumptions"])
    assert "people's response sets: observed" in row["assumptions"]
    table_ = found["tables"]["implied_beta"]
    assert [one[0] for one in table_["rows"]] == ["people"]
    assert 0 < float(table_["rows"][0][1].removesuffix(" %")) < 100
    assert "sensitivity_bias" not in found["tables"]  # nothing has to be assumed
    assert any("was not asked for response sets" in warning for warning in found["warnings"])


def test_groups_of_raters(table: Table, capsys: pytest.CaptureFixture[str]) -> None:
    people_and_judges(table, 4)
    found = document([*table.write(), "--raters-by", "group"], capsys)
    assert any("Raters of `crowd` and `expert`" in one["text"] for one in found["sentences"])
    assert found["tables"]["group_differences"]["rows"]


def test_text(table: Table, capsys: pytest.CaptureFixture[str]) -> None:
    people_and_judges(table)
    assert run([*table.write(), "--full"]) == 0
    text = capsys.readouterr().out
    assert "2 judges are compared with people's single choices on 40 items" in text
    assert "if they accept only what they chose, and" in " ".join(text.split())
    assert "decision consistency s/s Yes 0.5" in " ".join(text.split())


def test_one_rater_only_spans_the_range(table: Table, capsys: pytest.CaptureFixture[str]) -> None:
    people_and_judges(table, 1)
    found = document(table.write(), capsys)
    assert any("One rating by people per item" in warning for warning in found["warnings"])
    row = next(r for r in found["results"] if r["name"] == "jensen_shannon")
    assert row["high"] - row["low"] > 0.1
    assert row["declared"]["population_value"] is None


def test_items_with_different_numbers_of_raters(
    table: Table, capsys: pytest.CaptureFixture[str]
) -> None:
    people_and_judges(table, 3)
    table.rows = [row for row in table.rows if not (row[1] == "p2" and int(row[0]) < 10)]
    found = document(table.write(), capsys)
    assert any("2 to 3" in warning for warning in found["warnings"])
    assert found["results"][0]["declared"]["raters_per_item"] == "3 (2 to 3)"


def test_one_item_gets_no_interval(table: Table, capsys: pytest.CaptureFixture[str]) -> None:
    for rater in range(3):
        table.add("a", f"p{rater}", "human", "Yes")
    table.add("a", "j", "judge", "Yes")
    found = document(table.write(), capsys)
    measured = [row for row in found["results"] if row["value"] is not None]
    assert all(row["low"] is None for row in measured)
    assert found["answer"][0].startswith("One item says nothing of others: what the decisions of ")


def test_what_is_known_of_the_judges_own_noise(
    table: Table, capsys: pytest.CaptureFixture[str]
) -> None:
    people_and_judges(table)
    rows = table.rows
    several = document(table.write(), capsys)
    (row,) = (
        r
        for r in several["results"]
        if (r["name"], r["aggregation"], r["judge"]) == ("jensen_shannon", "s/s", "bad")
    )
    assert row["declared"]["samples_per_item"] == "3"
    assert "judges' answers redrawn within items" in row["method"]
    assert not any("sampled once" in one for one in row["assumptions"])
    table.rows = [row for row in rows if row[2] == "human" or row[5] == "0"]
    once = document(table.write(), capsys)["results"][0]
    assert once["declared"]["samples_per_item"] == "1"
    assert "judges' answers" not in once["method"]
    assert any("sampled once" in one for one in once["assumptions"])


def test_raters_resampled_within_items(table: Table, capsys: pytest.CaptureFixture[str]) -> None:
    people_and_judges(table)
    found = document(table.write(TASK + "resample_raters = true\n"), capsys)
    assert "raters redrawn within items" in found["results"][0]["method"]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("Yes|Maybe", "must hold declared options only (Yes, No), not 'Maybe'"),
        ('["Yes", "Perhaps"]', "not 'Perhaps'"),
        ("|", "must hold at least one option; found '|'"),
        ("[]", "must hold at least one option; found '[]'"),
        ("Yes|Yes", "each option once; found 'Yes|Yes'"),
    ],
)
def test_bad_response_sets(
    table: Table, capsys: pytest.CaptureFixture[str], value: str, expected: str
) -> None:
    people_and_judges(table)
    table.add(0, "p9", "human", value, "response_set")
    assert run(table.write()) == 2
    assert expected in capsys.readouterr().err


@pytest.mark.parametrize(
    ("extra", "expected"),
    [
        (["--option", "Yess"], "Did you mean 'Yes'"),
        (["--threshold", "0"], "above 0"),
        (["--beta", "1.5"], "probability"),
        (["--smoothing", "1"], "between 0 and 1"),
        (["--set-threshold", "2"], "at most at 1"),
        (["--raters-by", "grup"], "Did you mean 'group'"),
    ],
)
def test_wrong_usage(
    table: Table, capsys: pytest.CaptureFixture[str], extra: list[str], expected: str
) -> None:
    people_and_judges(table)
    assert run([*table.write(), *extra]) == 2
    assert expected in capsys.readouterr().err


def test_tables_that_no_audit_can_use(table: Table, capsys: pytest.CaptureFixture[str]) -> None:
    people_and_judges(table)
    rows = table.rows
    table.rows = [row for row in rows if row[2] == "human"]
    assert run(table.write()) == 2
    assert "found no rating of kind judge" in capsys.readouterr().err
    table.rows = [row for row in rows if row[2] == "judge"]
    assert run(table.write()) == 2
    assert "no rating by people" in capsys.readouterr().err
    table.rows = [(f"x{r[0]}", *r[1:]) if r[2] == "judge" else r for r in rows]
    assert run(table.write()) == 2
    assert "shares no rated item" in capsys.readouterr().err
    many = ", ".join(f'"{k}"' for k in range(12))
    assert run(table.write(f'scale = "ordinal"\noptions = [{many}]\n')) == 2
    error = capsys.readouterr().err
    assert "up to 10 options only; found 12 options" in error
    assert "Declare those that may occur, as response_sets = " in error
    assert run(table.write('scale = "continuous"\n')) == 2
    assert "continuous scale has none" in capsys.readouterr().err
