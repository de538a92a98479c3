"""Every answer that is offered to what cannot be guessed works when it is pasted.

Each raw file that asks is asked again with the answer, on the command line as it is printed, until
it is answered, or what is left to do is said in words.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from held_out_files import FILES, FOLDER, each, paths_of

from goldassay.cli import command_line
from goldassay.errors import InputError
from goldassay.proposals.declared import NOTHING, Declared, merged
from goldassay.proposals.propose import guessed_ratings, propose
from goldassay.questions.asking import partial_task, ratings_of
from goldassay.ratings.narrowing import narrowing_of

ASKING = [one for one in FILES if "open" in one]


def answered(
    paths: str | list[str], said: Mapping[str, Any], only: Sequence[str], asked: frozenset[str]
) -> Iterator[tuple[int, str]]:
    """The number of answers that each way takes, and how it ends."""
    declared = Declared.of(said, "--task") if said else NOTHING
    narrowing = narrowing_of(only, ())
    try:
        guessed_ratings(paths, narrowing, declared)
    except InputError:
        missing = propose(paths, narrowing, declared).missing
        assert missing, (said, only)
        question = missing[0].question
        assert question not in asked, (said, only)
        for one in missing[0].answers:
            if not isinstance(one, str):
                yield from answered(paths, merged(said, one), only, asked | {question})
            elif one.startswith("--only "):
                (more,) = shlex.split(one)[1:]
                yield from answered(paths, said, [*only, more], asked | {question})
            else:
                yield len(asked) + 1, "to do"
        return
    yield len(asked), "answered"


@each(ASKING)
def test_every_answer_can_be_pasted(one: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    # A refusal tries its answers, too; what it then prints is what the next test pastes.
    monkeypatch.setattr("goldassay.proposals.propose._without_dead_ends", lambda *_: None)
    ways = list(answered(paths_of(one), {}, (), frozenset()))
    assert ways
    assert all(steps <= 2 for steps, _ in ways)
    # Where there is anything to read, an answer that is pasted reads it.
    empty = one["open"].startswith("Which column will hold the ratings?")
    assert empty or "answered" in {end for _, end in ways}


#: The whole command of a question's first answer, as the command line prints it.
_RUN = re.compile(r"Run goldassay (.+?)(?: or |; --write-task)")


@each(ASKING)
def test_the_command_that_is_printed_answers(
    one: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    """Pasted as it is, until nothing is asked; what it reads then is as it was written down."""
    paths = [str(FOLDER / name) for name in one["names"]]
    words, steps = ["check", *paths], 0
    while (code := command_line(words)) == 2:
        told = _RUN.search(capsys.readouterr().err)
        if told is None:
            break
        words, steps = shlex.split(told[1]), steps + 1
        assert steps <= 2
    first = propose(paths_of(one)).missing[0].answers[0]
    assert code == 0 or isinstance(first, str)  # else there is something to do first
    if "then" in one:
        ratings, then = ratings_of(paths_of(one), words[words.index("--task") + 1]), one["then"]
        assert (len(ratings.judges), len(ratings.humans)) == (then["judges"], then["people"])
        assert ratings.task.scale == then["scale"]


TWO = "id,human,judge\n" + "".join(f"{n},{'ab'[n % 2]},{'xy'[n % 4 == 1]}\n" for n in range(12))


@pytest.fixture
def two(tmp_path: Path) -> str:
    """People and a judge that share no label."""
    path = tmp_path / "two.csv"
    path.write_text(TWO)
    return str(path)


def test_the_answer_stands_in_the_command_or_in_a_file(two: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as refused:
        guessed_ratings(two)
    step = str(refused.value.next_step)
    words = shlex.split(step.replace(";", " "))
    texts = [words[at + 1] for at, word in enumerate(words) if word == "--task"]
    assert texts == ['labels.x = "a", labels.y = "b"', 'labels.x = "b", labels.y = "a"']
    for text, same in zip(texts, (9, 3), strict=True):
        ratings = ratings_of(two, text)
        assert ratings.task.options == ("a", "b")
        assert ratings.assumed
        labels = ratings.frame.collect().to_native().to_pylist()
        by = {(row["item"], row["kind"]): row["value"] for row in labels}
        assert sum(by[str(n), "human"] == by[str(n), "judge"] for n in range(12)) == same
    task = tmp_path / "task.toml"
    task.write_text('labels.x = "a"\nlabels.y = "b"\n')
    assert ratings_of(two, task).task == ratings_of(two, texts[0]).task


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ('[columns]\nitem = "id"\n', "as the first lines of {}: labels.x = "),
        ('labels.z = "a"\n', "as the first lines of {}: labels.x = "),
        ('[columns]\nitem = "id"\n[labels]\nz = "a"\n', "under [labels] in {}: x = "),
    ],
)
def test_the_answer_says_where_in_the_file_it_stands(
    two: str, tmp_path: Path, text: str, where: str
) -> None:
    """A table is written once: what is added to it stands below its name."""
    task = tmp_path / "task.toml"
    task.write_text(text)
    with pytest.raises(InputError) as refused:
        ratings_of(two, task)
    first = str(refused.value.next_step).partition(" or ")[0]
    assert first.startswith(f"Write {where.format(task)}")
    lines = first.partition(": ")[2].replace(" and below it ", "\n")
    under = text.partition("[labels]\n")
    task.write_text(f"{''.join(under[:2])}{lines}\n{under[2]}" if under[1] else f"{lines}\n{text}")
    assert ratings_of(two, task).task.options == ("a", "b")


def test_the_open_draft_is_answered_by_taking_off_a_sign(two: str, tmp_path: Path) -> None:
    text = propose(two).to_toml()
    assert ratings_of(two, _written(tmp_path, _open(text, 'labels.x = "a"', 'labels.y = "b"')))
    with pytest.raises(InputError, match="none is shared"):
        ratings_of(two, _written(tmp_path, text))


def _open(text: str, *lines: str) -> str:
    for line in lines:
        assert f"\n# {line}\n" in text
        text = text.replace(f"\n# {line}\n", f"\n{line}\n", 1)
    return text


def _written(folder: Path, text: str) -> str:
    path = folder / "open.toml"
    path.write_text(text)
    return str(path)


def test_what_is_declared_is_kept_and_said_nothing_of(tmp_path: Path) -> None:
    path = tmp_path / "many.csv"
    rows = (f"{n},q{n // 2},{n % 2},{n % 3 % 2},{n % 5}\n" for n in range(40))
    path.write_text("id,question,human,judge,other\n" + "".join(rows))
    said = {"columns": {"item": "id"}, "cluster": "question", "positive": "0"}
    ratings, draft = guessed_ratings(str(path), None, Declared.of(said, "task"))
    assert draft.task["cluster"] == "question"
    assert draft.task["positive"] == "0"
    assert draft.task["columns"]["item"] == "id"
    assert ratings.task.positive == "0"
    assert not any("names the item" in line for line in ratings.assumed)


def test_a_task_with_options_and_no_columns_is_completed(two: str) -> None:
    task = {"scale": "nominal", "options": ["a", "b"], "labels": {"x": "a", "y": "b"}}
    ratings = ratings_of(two, task)
    assert (ratings.judges, ratings.humans) == (("judge",), ("human",))
    assert ratings.assumed
    with pytest.raises(InputError, match="nowhere"):
        ratings_of(two, {**task, "columns": {"item": "nowhere"}})


@pytest.mark.parametrize(
    ("said", "match"),
    [
        ({"colums": {"item": "id"}}, "Did you mean 'columns'"),
        ({"columns": {"item": "ids"}}, "Did you mean 'id'"),
        ({"wide": {"human": ["humn"]}}, "Did you mean 'human'"),
        ({"scale": "binry"}, "must be one of"),
    ],
)
def test_a_part_of_a_task_is_held_to_its_rules(two: str, said: dict[str, Any], match: str) -> None:
    with pytest.raises(InputError, match=match):
        ratings_of(two, said)


def test_a_text_that_is_no_task() -> None:
    with pytest.raises(InputError, match="neither a file nor part of a task"):
        partial_task("columns.item = id")
    with pytest.raises(InputError, match="task file"):
        partial_task("nowhere.toml")
