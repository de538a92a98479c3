import json
import tomllib
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, get_args

import pytest

from goldassay.errors import SourceError, TaskError
from goldassay.ratings.declaring import READ
from goldassay.ratings.scale import SCALES, ScaleName
from goldassay.ratings.task import Task, Wide, read_task

BINARY: dict[str, Any] = {"scale": "binary", "options": ["MET", "UNMET"], "positive": "MET"}


def task(**changes: Any) -> Task:
    return Task.from_mapping({**BINARY, **changes})


def test_the_five_scales() -> None:
    assert task().negative == "UNMET"
    assert Task.from_mapping({"scale": "nominal", "options": ["a", "b", "c"]}).scale == "nominal"
    assert Task.from_mapping({"scale": "ordinal", "options": ["1", "2"]}).negative is None
    assert Task.from_mapping({"scale": "continuous"}).options == ()
    pairwise = {"scale": "pairwise", "options": ["A", "B", "tie"], "tie": "tie"}
    assert Task.from_mapping(pairwise).tie == "tie"


@pytest.mark.parametrize(
    ("options", "tie", "step"),
    [
        (["first", "second", "tie"], None, "Name the option that is the tie: tie = 'tie'."),
        (["left", "tie", "right"], None, "Name the option that is the tie: tie = 'tie'."),
        (["Both good", "A", "B"], None, "Name the option that is the tie: tie = 'Both good'."),
        (["x", "y", "z"], None, "Which of them means a tie? Write tie = with that one: x, y, z."),
        (["A", "B", "C"], None, "Which of them means a tie? Write tie = with that one: A, B, C."),
        (["A", "tie", "both", "B"], None, "with that one: A, tie, both, B."),
        (["first", "second"], "tie", "options = ['first', 'second', 'tie']."),
        (["first", "tie"], "tie", "found ('first', 'tie')."),
        (["first"], None, "found ('first',)."),
    ],
)
def test_the_tie_is_named_and_stands_among_the_options(
    options: list[str], tie: str | None, step: str
) -> None:
    said = {"scale": "pairwise", "options": options, **({"tie": tie} if tie else {})}
    with pytest.raises(TaskError, match="may have a third, the tie") as error:
        Task.from_mapping(said)
    assert str(error.value).endswith(step)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"scale": "binery"}, "must be one of binary"),
        ({"options": ["MET"]}, "a binary scale has two"),
        ({"options": ["MET", "MET"]}, "'MET' twice"),
        ({"options": "MET"}, "must be a list of texts"),
        ({"options": ["MET", 1]}, 'Write "1"'),
        ({"positive": "met"}, "Did you mean 'MET'"),
        ({"positive": ">= 4"}, 'Write cut = ">= 4"'),
        ({"positve": "MET"}, "Did you mean 'positive'"),
        ({"abstain": ["MET"]}, "cannot be an option too"),
        ({"use": {"metric": "cohen_kappa"}}, "keys metric and at_least"),
        ({"use": {"metric": "cohen_kappa", "at_least": "x"}}, "must be a number"),
        ({"abstain": ["x"], "invalid": ["x"]}, "share no word"),
        ({"abstentions": "recode"}, "recode_to"),
        ({"confidence_level": 95}, "between 0 and 1"),
        ({"confidence_level": True}, "between 0 and 1"),
        ({"levels": ["mikro"]}, "micro, macro, item"),
        ({"weights": [[1, 0], [0]]}, "row 2 of length 1"),
        ({"weights": [[1, float("nan")], [0, 1]]}, "nan in row 1"),
        ({"weights": [[0.5, 0], [0, 1]]}, "on the diagonal"),
        ({"weights": [[1, 10**400], [0, 1]]}, "in row 1"),
        ({"weights": "cubic"}, "linear, quadratic or a matrix"),
        ({"weights": [[1]]}, "a row and a column per option"),
        ({"response_sets": [["MET", "X"]]}, "declared options only"),
        ({"response_sets": [[]]}, "no empty set"),
        ({"wide": {"human": ["a"], "judge": ["a"]}}, "must list each rater once"),
        ({"raters": {"people": ["a"]}}, "as human"),
        ({"columns": {"item": []}}, "each name of the column once"),
        ({"may_hide": {"MET": ["X"]}}, "declared options only"),
        ({"resample_raters": "yes"}, "true or false"),
        ({"prevalence": {"MET": 0.3}}, "sum to 1; found a sum of 0.3"),
        ({"prevalence": {"MET": 1.3, "UNMET": -0.3}}, "must be a share from 0 to 1"),
        ({"prevalence": {"met": 1.0}}, "Did you mean 'MET'"),
    ],
)
def test_a_broken_rule_is_named_however_the_task_is_made(
    change: dict[str, Any], message: str, tmp_path: Path
) -> None:
    declared = {**BINARY, **change}
    with pytest.raises(TaskError, match=message.replace("[", r"\[")) as mapped:
        Task.from_mapping(declared)
    path = tmp_path / "task.toml"
    path.write_text("".join(f"{key} = {toml(value)}\n" for key, value in declared.items()))
    with pytest.raises(TaskError) as filed:
        read_task(path)
    assert str(filed.value) == str(mapped.value).replace("task", str(path), 1)
    if set(declared) <= {spec.name for spec in fields(Task)}:
        with pytest.raises(TaskError) as written:
            Task(**declared)
        assert str(written.value) == str(mapped.value)


def toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {toml(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return f"[{', '.join(map(toml, value))}]"
    return str(value) if isinstance(value, float) else json.dumps(value)


def test_lists_and_tuples_declare_alike() -> None:
    sets = (("UNMET", "MET"),)
    written = Task(**{**BINARY, "options": ("MET", "UNMET")}, response_sets=sets, wide=Wide(("a",)))
    assert written == task(response_sets=[["UNMET", "MET"]], wide={"human": ["a"]})
    assert written.response_sets == (("MET", "UNMET"),)


def test_a_changed_task_is_checked_again() -> None:
    with pytest.raises(TaskError, match="a binary scale has two"):
        replace(task(), options=("MET",))


def test_json_round_trip() -> None:
    declared = task(abstain=["?"], may_hide={"UNMET": ["MET"]}, raters={"judge": ["j"]})
    assert Task.from_mapping(declared.to_json()) == declared


def test_every_field_has_a_reader() -> None:
    assert list(READ) == [spec.name for spec in fields(Task)]


def test_every_scale_is_a_record() -> None:
    assert tuple(SCALES) == get_args(ScaleName)
    assert all(name == scale.name for name, scale in SCALES.items())


def test_a_binary_task_declares_the_positive_option() -> None:
    with pytest.raises(TaskError, match="which option is positive"):
        Task.from_mapping({"scale": "binary", "options": ["a", "b"]})


def test_response_sets_are_in_the_order_of_the_options() -> None:
    assert task(response_sets=[["UNMET", "MET"], ["MET"]]).sets == (("MET", "UNMET"), ("MET",))
    assert task().sets == (("MET",), ("UNMET",), ("MET", "UNMET"))


def test_all_subsets_of_many_options_are_not_listed() -> None:
    many = tuple(map(str, range(25)))
    with pytest.raises(TaskError, match=r"up to 10 options only; found 25.*response_sets = "):
        _ = Task(options=many).sets
    assert Task(options=many, response_sets=(("1",), ("1", "2"))).sets == (("1",), ("1", "2"))


def test_toml_round_trip(tmp_path: Path) -> None:
    declared = task(
        abstain=["?"],
        cluster="prompt",
        columns={"item": "example id"},
        weights=[[1.0, 0.5], [0.5, 1.0]],
        wide={"human": ["a"], "judge": ["b"]},
    )
    path = tmp_path / "task.toml"
    path.write_text(declared.to_toml())
    assert read_task(path) == declared


def test_files_that_are_no_task(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="cannot be read"):
        read_task(tmp_path / "none.toml")
    (tmp_path / "a.toml").write_text("scale = ")
    with pytest.raises(TaskError, match="not valid TOML"):
        read_task(tmp_path / "a.toml")
    (tmp_path / "b.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(TaskError, match="UTF-8"):
        read_task(tmp_path / "b.toml")
    (tmp_path / "c.toml").write_text(f"levels = {'[' * 3000}{']' * 3000}")
    with pytest.raises(TaskError, match="nested too deeply"):
        read_task(tmp_path / "c.toml")
    (tmp_path / "d.toml").write_text(f"confidence_level = {'9' * 5000}")
    with pytest.raises(TaskError, match="not valid TOML"):
        read_task(tmp_path / "d.toml")


def test_options_and_criteria_have_texts_for_those_who_label(tmp_path: Path) -> None:
    path = tmp_path / "task.toml"
    path.write_text(
        'scale = "ordinal"\n[options.low]\ntext = "not at all"\n[options.high]\n'
        '[criteria.clear]\ntext = "Is it clear?"\n'
    )
    task = read_task(path)
    assert task.options == ("low", "high")
    assert task.option_texts == {"low": "not at all"}
    assert task.criteria == {"clear": "Is it clear?"}
    path.write_text(task.to_toml())
    assert read_task(path) == task
    assert "criteria" not in Task(options=("a", "b")).to_json()
    for wrong in (
        '[criteria.clear]\nwords = "?"',
        "[criteria]\nclear = 3",
        '[option_texts]\nx = "?"',
    ):
        path.write_text('options = ["low", "high"]\n' + wrong)
        with pytest.raises(TaskError):
            read_task(path)


def test_weights_of_raters_are_of_votes_in_a_majority() -> None:
    plain = {"scale": "binary", "options": ["a", "b"], "positive": "a"}
    made = Task.from_mapping({**plain, "rater_weights": {"ann": 2}})
    assert made.rater_weights == {"ann": 2.0}
    assert Task.from_mapping(tomllib.loads(made.to_toml())) == made
    for wrong, said in (
        ({"rater_weights": {"ann": -1}}, "at least 0"),
        ({"rater_weights": {"ann": 0}}, "leave somebody a vote"),
        ({"rater_weights": {"ann": 2}, "reference": "each"}, "are of votes"),
        ({"rater_weights": {"ann": 2}, "resample_raters": True}, "resample_raters draws others"),
    ):
        with pytest.raises(TaskError, match=said):
            Task.from_mapping({**plain, **wrong})


def test_cells_that_repeat_the_one_above_are_declared() -> None:
    made = Task.from_mapping({"options": ["a", "b"], "file": {"fill": ["id"]}})
    assert made.file is not None
    assert made.file.fill == ("id",)
    assert Task.from_mapping(tomllib.loads(made.to_toml())) == made
    with pytest.raises(TaskError, match="must hold header, separator, decimal, thousands, fill"):
        Task.from_mapping({"options": ["a", "b"], "file": {"fil": ["id"]}})


def test_an_empty_cell_says_one_thing() -> None:
    said = {"scale": "binary", "options": ["yes", "no"], "positive": "yes"}
    both = {"ann": {"rater": "ann", "kind": "human", "empty": "no", "empty_as": "gpt"}}
    with pytest.raises(TaskError, match="one thing of an empty cell"):
        Task.from_mapping({**said, "cells": both}, place="task")


@pytest.mark.parametrize("options", [("True", "False"), ("true", "false"), (True, False)])
@pytest.mark.parametrize("positive", [False, "False", "false", [False]])
def test_truths_are_options_however_they_are_spelled(options: Any, positive: Any) -> None:
    shares = {True: 0.3, False: 0.7}
    made = Task(
        scale="binary",
        options=options,
        positive=positive,
        prevalence=shares,  # type: ignore[arg-type]
        labels={"pass": True},  # type: ignore[dict-item]
    )
    yes, no = made.options
    assert (made.positive, made.negative) == (no, yes)
    assert dict(made.prevalence) == {yes: 0.3, no: 0.7}
    assert made.labels == {"pass": yes}
