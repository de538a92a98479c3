"""What questions share: a table that lacks a judge says who was taken for a person, and why."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

import goldassay as ga
from goldassay.errors import RatingsError
from goldassay.questions.asking import ratings_of

ROWS = [(f"q{n}", "yes" if n % 2 else "no", "yes" if n % 3 else "no") for n in range(12)]
ASKED = [ga.agree, ga.estimate, ga.select, ga.audit, ga.plan, ga.replace, ga.route]


def wide(tmp_path: Path, names: str) -> str:
    path = tmp_path / "labels.csv"
    path.write_text("\n".join([names, *map(",".join, ROWS)]) + "\n")
    return str(path)


@pytest.mark.parametrize("ask", ASKED, ids=lambda ask: ask.__name__)
def test_a_name_that_stands_twice_is_named(tmp_path: Path, ask) -> None:
    with pytest.raises(RatingsError, match="the name `human` occurs 2 times") as caught:
        ask(wide(tmp_path, "id,human,human"))
    assert caught.value.found is not None
    assert caught.value.found.startswith("no rating of kind judge, as guessed: `human` and")


@pytest.mark.parametrize("names", ["id,human,human", "id,label,label", "id,ann,bob"])
def test_what_is_offered_can_be_pasted(tmp_path: Path, names: str) -> None:
    path = wide(tmp_path, names)
    with pytest.raises(RatingsError) as caught:
        ga.agree(path)
    words = shlex.split(str(caught.value.next_step).partition(";")[0])
    assert len(ga.agree(path, task=words[words.index("--task") + 1]).answer) > 0


def test_raters_in_rows(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    lines = [f"{item},a,{one}\n{item},b,{two}" for item, one, two in ROWS]
    path.write_text("\n".join(["item,annotator,label", *lines]) + "\n")
    with pytest.raises(RatingsError) as caught:
        ga.agree(str(path))
    assert caught.value.next_step == (
        "If one of the raters is a judge, add --task 'raters.judge = [\"b\"]'; "
        "or give the judge's file beside it"
    )


def test_one_person_is_no_judge(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text("\n".join(["id,human", *(f"{item},{one}" for item, one, _ in ROWS)]) + "\n")
    with pytest.raises(RatingsError) as caught:
        ga.agree(str(path))
    assert caught.value.next_step == "Give the judge's file beside it"


def test_a_long_part_of_a_task_is_no_name_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("id,human,judge\n" + "".join(f"{n},{n % 2},{n % 3 // 2}\n" for n in range(20)))
    name = "h" * 300
    said = f'cells.human.rater = "{name}", cells.human.kind = "human"'
    assert ratings_of(str(path), said).humans == (name,)
