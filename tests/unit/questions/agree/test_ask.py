"""The verb from table to document: Appendix B, levels, several judges, repeats, bad input."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

import goldassay as ga
from goldassay.cli import command_line as run

BINARY = 'scale = "binary"\noptions = ["MET", "UNMET"]\npositive = "MET"\n'


def write(folder: Path, rows: list[list[str]], header: str, task: str) -> list[str]:
    table = folder / "ratings.csv"
    with table.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(header.split())
        writer.writerows(rows)
    (folder / "task.toml").write_text(task, encoding="utf-8")
    return ["agree", str(table), "--task", str(folder / "task.toml")]


def document(capsys: pytest.CaptureFixture[str], argv: list[str]) -> dict:
    assert run([*argv, "--json", "--resamples", "200"]) == 0
    return json.loads(capsys.readouterr().out)


def found(doc: dict, name: str, **about: str) -> dict:
    rows = [
        r
        for r in doc["results"]
        if r["name"] == name
        and all(r.get(k) == v for k, v in about.items())
        and ("mode" in about or "mode" not in r)
    ]
    assert len(rows) == 1, (name, about, len(rows))
    return rows[0]


@pytest.fixture
def appendix_b(tmp_path: Path) -> list[str]:
    table = [[30, 10, 5], [10, 20, 5], [5, 5, 10]]
    labels = ["MET", "UNMET", "CANNOT_ASSESS"]
    rows = []
    for a, row in enumerate(table):
        for b, number in enumerate(row):
            for _ in range(number):
                item = f"i{len(rows)}"
                rows.append([item, "ann", "human", labels[a]])
                rows.append([item, "gpt", "judge", labels[b]])
    return write(tmp_path, rows, "item rater kind value", BINARY + 'abstain = ["CANNOT_ASSESS"]\n')


def test_appendix_b_comes_out_of_the_command(appendix_b, capsys) -> None:
    doc = document(capsys, appendix_b)
    shown = {
        row[0].split()[0]: [row[1], *(None if x is None else round(x, 3) for x in row[2:5])]
        for row in doc["tables"]["modes: gpt"]["rows"]
    }
    # the paper prints kappa .416 for 5/12
    assert shown["exclude"] == [70, 0.714, 0.417, 0.75]
    assert shown["recode"] == [100, 0.7, 0.394, 0.667]
    assert shown["class"] == [100, 0.6, 0.37, None]
    assert found(doc, "accuracy", mode="recode")["value"] == pytest.approx(0.7)
    assert found(doc, "macro_f1", mode="class")["low"] is not None
    assert found(doc, "coverage")["value"] == pytest.approx(0.8)
    assert found(doc, "abstention_rate")["value"] == pytest.approx(0.2)
    assert doc["rows"]["read"] == doc["rows"]["used"] + doc["rows"]["excluded"] == 200


def test_phi_stands_once_and_the_checklist_has_eleven_points(appendix_b, capsys) -> None:
    doc = document(capsys, appendix_b)
    names = {r["name"] for r in doc["results"] if "mode" not in r}
    assert "phi" in names
    assert not names & {"pearson", "spearman", "kendall_tau_b", "mcc"}
    rows = doc["tables"]["checklist"]["rows"]
    assert [row[0] for row in rows] == [str(n) for n in range(1, 12)]
    assert list(doc["tables"])[-1] == "checklist"


def test_text_and_methods(appendix_b, capsys) -> None:
    assert run([*appendix_b, "--resamples", "200", "--full"]) == 0
    text = capsys.readouterr().out
    assert "`gpt` agrees with people on 71 % [60, 81] of the 70 items that both decide" in text
    assert "Reporting checklist" in text
    assert run([*appendix_b, "--format", "methods", "--resamples", "200"]) == 0
    text = capsys.readouterr().out
    assert "abstentions exclude" in text
    assert "accuracy 71 % [" in text
    assert len(text.splitlines()) == 1


def test_an_explicit_weight_matrix_of_three_classes(appendix_b, capsys) -> None:
    task = Path(appendix_b[-1])
    task.write_text(
        task.read_text() + 'abstentions = "class"\n'
        "weights = [[1.0, 0.0, 0.5], [0.0, 1.0, 0.5], [0.5, 0.5, 1.0]]\n"
    )
    doc = document(capsys, appendix_b)
    # p_o = .6 + .5 * .2 ; p_e = .365 + .5 * (2 * .2 * .8)
    expected = (0.7 - 0.525) / (1 - 0.525)
    row = found(doc, "weighted_kappa")
    assert row["value"] == pytest.approx(expected)
    assert "0.5" in row["declared"]["weights"]


@pytest.fixture
def rubric(tmp_path: Path) -> list[str]:
    """Two criteria on 40 items; b is never met by anybody."""
    rows = []
    for i in range(40):
        for criterion, truth in (("a", i % 2), ("b", 0)):
            wrong = criterion == "a" and i in (3, 8, 21)
            for rater, kind, value in (
                ("h1", "human", truth),
                ("h2", "human", truth),
                ("gpt", "judge", truth ^ wrong),
                ("claude", "judge", truth ^ (i == 5)),
            ):
                rows.append(
                    [f"i{i}", rater, kind, "MET" if value else "UNMET", criterion, f"p{i % 8}"]
                )
    return write(tmp_path, rows, "item rater kind value criterion prompt", BINARY)


def test_levels_and_degenerate_criteria(rubric, capsys) -> None:
    doc = document(capsys, rubric)
    micro = found(doc, "accuracy", judge="gpt", level="micro")
    assert micro["value"] == pytest.approx(77 / 80)
    assert micro["declared"]["resampling_unit"] == "item"
    macro = found(doc, "accuracy", judge="gpt", level="macro")
    assert macro["value"] == pytest.approx((37 / 40 + 1) / 2)
    assert macro["declared"]["resampling_unit"] == "criterion"
    kappa = found(doc, "cohen_kappa", judge="gpt", level="macro")
    assert kappa["declared"]["criteria"] == 1  # b is degenerate and named
    assert "b" in kappa["warnings"][0]
    # an item is met when both criteria are, so never: people and judge agree always
    item = found(doc, "accuracy", judge="gpt", level="item")
    assert (item["value"], item["n_items"]) == (1.0, 40)
    listed = doc["tables"]["criteria: gpt"]["rows"]
    assert listed[1][:4] == ["b", 40, 1.0, None]
    assert "b (both say the same on 40 of 40)" in doc["tables"]["checklist"]["rows"][4][3]
    undefined = found(doc, "cohen_kappa", judge="gpt", criterion="b")
    assert (undefined["value"], undefined["n_items"]) == (None, 40)
    assert "the same on 40 of 40" in undefined["undefined"]


def test_clusters_lengthen_intervals(rubric, capsys) -> None:
    by_item = found(document(capsys, rubric), "accuracy", judge="gpt", level="micro")
    task = Path(rubric[-1])
    task.write_text(task.read_text() + 'cluster = "prompt"\n')
    doc = document(capsys, rubric)
    by_prompt = found(doc, "accuracy", judge="gpt", level="micro")
    assert by_prompt["value"] == by_item["value"]
    assert by_prompt["n_clusters"] == 8
    assert by_prompt["high"] - by_prompt["low"] > by_item["high"] - by_item["low"]
    assert found(doc, "accuracy", judge="gpt", level="item")["n_items"] == 40


def test_several_judges(rubric, capsys) -> None:
    doc = document(capsys, rubric)
    assert found(doc, "judges_krippendorff_alpha")["value"] > 0.5
    assert found(doc, "judges_conger_kappa")["value"] is not None
    assert not any("detail" in row for row in doc["results"])
    assert 1 <= found(doc, "effective_judges")["value"] <= 2
    assert found(doc, "human_observed_agreement")["value"] == 1.0
    assert found(doc, "gain_over_best_judge", judge="majority panel")["value"] <= 0.1
    assert {c["kind"] for c in doc["charts"]} >= {"dot_interval", "heat_map"}


def test_by_and_items(rubric, capsys, tmp_path) -> None:
    (tmp_path / "items.csv").write_text(
        "item,text\n" + "".join(f"i{i},{'x' * (i + 5)}\n" for i in range(40))
    )
    doc = document(
        capsys,
        [*rubric, "--by", "criterion", "--items", "2", "--texts", str(tmp_path / "items.csv")],
    )
    assert found(doc, "accuracy", judge="gpt", criterion="a", level="micro")["value"] == 37 / 40
    rows = doc["tables"]["disagreements: gpt"]["rows"]
    assert [row[0] for row in rows] == ["i21", "i3"]
    assert rows[0][-1] == "x" * 26
    assert "3 of 80 units differ; 2 are shown" in doc["tables"]["disagreements: gpt"]["notes"]
    assert found(doc, "length_log_odds", judge="claude") is not None


def test_same_input_same_bytes(rubric, capsys) -> None:
    run([*rubric, "--json", "--resamples", "200"])
    first = capsys.readouterr().out
    run([*rubric, "--json", "--resamples", "200"])
    assert capsys.readouterr().out == first


def test_gate(rubric, capsys) -> None:
    assert run([*rubric, "--resamples", "200", "--require", "accuracy>=0.99[judge=gpt]"]) == 1
    assert "does not hold" in capsys.readouterr().err


ONE = ["item rater kind value", BINARY + 'abstain = ["CA"]\n']


@pytest.mark.parametrize(
    ("rows", "answer"),
    [
        pytest.param(
            [["i", "h", "human", "MET"], ["i", "j", "judge", "MET"]],
            "agrees with people on 100 % [5, 100] of 1 item",
            id="one item",
        ),
        pytest.param(
            [[f"i{n}", r, k, "MET"] for n in range(9) for r, k in (("h", "human"), ("j", "judge"))],
            "Cohen's kappa is undefined",
            id="one class",
        ),
        pytest.param(
            [
                [f"i{n}", r, k, "CA" if k == "judge" else "MET"]
                for n in range(9)
                for r, k in (("h", "human"), ("j", "judge"))
            ],
            "agreement cannot be computed",
            id="all abstained",
        ),
        pytest.param(
            [["i1", "h", "human", "MET"], ["i2", "j", "judge", "MET"]],
            "agreement cannot be computed",
            id="no overlap",
        ),
        pytest.param(
            [["i", "h", "human", "MET"]] + [["i", f"j{n}", "judge", "MET"] for n in range(5)],
            "on 100 %",
            id="many judges",
        ),
        pytest.param(
            [["i1", "j", "judge", "MET"], ["i2", "j", "judge", "UNMET"]],
            "There is no human rating",
            id="no human",
        ),
    ],
)
def test_thin_data_gets_a_clear_answer(rows, answer, tmp_path, capsys) -> None:
    argv = write(tmp_path, rows, *ONE)
    assert run([*argv, "--resamples", "200", "--full"]) == 0
    assert answer in " ".join(capsys.readouterr().out.split())


def test_no_judge_is_an_error(tmp_path, capsys) -> None:
    argv = write(tmp_path, [["i", "h", "human", "MET"]], *ONE)
    assert run(argv) == 2
    assert "found no rating of kind judge. Name the judge in the task" in capsys.readouterr().err


def test_unknown_by_column(rubric, capsys) -> None:
    assert run([*rubric, "--by", "sytem"]) == 2
    assert "must have a column 'sytem'" in capsys.readouterr().err


def test_weights_count_relative_to_one_another(tmp_path, capsys) -> None:
    def rows(unit: float) -> list[list[str]]:
        out = []
        for i in range(60):
            value = "MET" if i % 2 else "UNMET"
            verdict = "UNMET" if i < 12 else value
            weight = str(unit * (3 if i < 20 else 1))
            out.append([f"i{i}", "h", "human", value, weight])
            out.append([f"i{i}", "j", "judge", verdict, weight])
        return out

    shown = []
    for unit in (1, 0.001):
        argv = write(tmp_path, rows(unit), "item rater kind value weight", BINARY)
        shown.append(found(document(capsys, argv), "accuracy"))
    assert shown[0]["value"] == pytest.approx(0.82)  # 6 wrong of weight 3, of 100
    assert shown[1]["value"] == pytest.approx(shown[0]["value"])
    assert shown[1]["low"] == pytest.approx(shown[0]["low"], abs=1e-9)
    assert shown[0]["high"] - shown[0]["low"] > 0.1


def test_a_hostile_name_reaches_no_terminal(tmp_path, capsys) -> None:
    rows = [["1", "h", "human", "MET"], ["1", "\x1b[31mred", "judge", "MET"]]
    argv = write(tmp_path, rows, *ONE)
    for extra in ([], ["--format", "methods"], ["--out", str(tmp_path / "a.html")]):
        assert run([*argv, "--resamples", "100", *extra]) == 0
        shown = capsys.readouterr().out
        assert "red" in shown
        assert "\x1b" not in shown


@pytest.mark.parametrize("criteria", [("x",), ("x", "y")])
@pytest.mark.parametrize("verb", ["agree", "select", "report"])
def test_one_cluster_gives_values_without_intervals(
    verb: str, criteria: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = []
    for item in range(12):
        for criterion in criteria:
            for rater, kind, every in (
                ("ann", "human", 2),
                ("bo", "human", 3),
                ("gpt", "judge", 2),
                ("llm", "judge", 4),
            ):
                value = "MET" if item % every else "UNMET"
                rows.append([f"i{item}", rater, kind, value, criterion, "the only one"])
    header = "item rater kind value criterion document"
    argv = write(tmp_path, rows, header, BINARY + 'cluster = "document"\n')
    assert run([verb, *argv[1:], "--resamples", "200"]) == 0
    capsys.readouterr()
    if verb == "agree":
        for row in document(capsys, argv)["results"]:
            assert row.get("interval") is None, row


def test_scores_of_two_people_who_often_differ(tmp_path, capsys) -> None:
    """Near misses are weighed in the sentence; that tied votes are left out is a warning."""
    rows = []
    for item in range(60):
        score = item % 5 + 1
        for rater, kind, value in (
            ("ann", "human", score),
            ("bob", "human", min(score + (item % 3 == 0), 5)),
            ("gpt", "judge", max(score - (item % 4 == 0), 1)),
        ):
            rows.append([f"i{item}", rater, kind, str(value)])
    scale = 'scale = "ordinal"\noptions = ["1", "2", "3", "4", "5"]\n'
    argv = write(tmp_path, rows, "item rater kind value", scale + 'weights = "quadratic"\n')
    doc = document(capsys, argv)
    assert "near misses count in part (quadratic weights), kappa is 0.9" in doc["answer"][0]
    assert any("tie on 16 of 60 items (27 %)" in warning for warning in doc["warnings"])
    Path(argv[-1]).write_text(scale + 'reference = "each"\n')
    doc = document(capsys, argv)
    assert "weights" not in doc["answer"][0]
    assert not any("tie on" in warning for warning in doc["warnings"])


def test_items_with_sets_are_told_where_the_number_stands(tmp_path: Path) -> None:
    """Of 40 items a set stands on 10: the number is of 30, and says so; the rows add up."""
    rows = [("x", "x"), ("y", "y"), ("x|y", "x"), ("y", "y")] * 10
    path = tmp_path / "sets.csv"
    lines = [f"{at},{person},{judge}" for at, (person, judge) in enumerate(rows)]
    path.write_text("\n".join(["id,human,judge", *lines]) + "\n")
    found = ga.agree(path, resamples=100)
    first = found.answer[0]
    assert "of the 30 items on which both name one option" in first.text
    assert first.facts["several"] == 10
    assert found.warnings[0].startswith("on 10 items a rating names several options, either of")
    assert found.rows_read - sum(one.rows for one in found.exclusions) == 60
    assert "On 10 items a rating names several options" in found.notes[-1].text
    for verb in (ga.estimate, ga.select):
        reasons = {one.reason: one.rows for one in verb(path).exclusions}
        assert reasons["a response set (several options), used by audit only"] == 10
