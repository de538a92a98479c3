"""The best and the worst of several, and orders of several, say who wins in pairs."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from goldassay.errors import SourceError
from goldassay.proposals.propose import guessed_ratings
from goldassay.sources.files import open_files
from goldassay.sources.form import Form


def won(path: Path, form: Form, *columns: str) -> set[tuple[str, ...]]:
    relation = open_files(path, form=form).relation
    return {tuple(map(str, row)) for row in relation.project(", ".join(columns)).fetchall()}


def test_the_best_wins_over_all_and_all_over_the_worst(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("t,a,b,c,d,best,worst\n1,p,q,r,s,q,s\n2,p,q,r,s,q,q\n3,p,q,r,s, r ,\n")
    form = Form(pairs=(("winner", "best > worst"),), members=("a", "b", "c", "d"))
    found = won(path, form, "t", "system", "opponent", "winner")
    assert {row[1:] for row in found if row[0] == "1"} == {
        ("p", "q", "second"),
        ("p", "r", "None"),  # of the two between them nothing was said
        ("p", "s", "first"),
        ("q", "r", "first"),
        ("q", "s", "first"),
        ("r", "s", "first"),
    }
    assert {row[3] for row in found if row[0] == "2"} == {"None"}  # best and worst at once
    said = [row for row in found if row[0] == "3" and row[3] != "None"]
    assert {row[1:] for row in said} == {
        ("p", "r", "second"),
        ("q", "r", "second"),
        ("r", "s", "first"),
    }


def test_orders_against_every_pair_of_them(tmp_path: Path) -> None:
    rng, path = Random(3), tmp_path / "a.csv"
    orders = [rng.sample("ABCD", 4) for _ in range(30)]
    lines = (f"{n},{' > '.join(one)}\n" for n, one in enumerate(orders))
    path.write_text("prompt,ranking\n" + "".join(lines))
    found = won(path, Form(pairs=(("w", "ranking"),)), "prompt", "system", "opponent", "w")
    assert found == {
        (str(n), one, two, "first" if order.index(one) < order.index(two) else "second")
        for n, order in enumerate(orders)
        for one, two in combinations("ABCD", 2)
    }


@pytest.mark.parametrize(
    ("form", "match"),
    [
        (Form(pairs=(("w", "best > last"),), members=("a", "b")), "must have the columns last"),
        (Form(pairs=(("w", "best"),), members=("a",)), "from 2 to 12 members"),
        (Form(pairs=(("w", "best > worst"),)), r"in \[file\] members"),
    ],
)
def test_what_is_declared_wrongly_is_said(tmp_path: Path, form: Form, match: str) -> None:
    path = tmp_path / "a.csv"
    path.write_text("a,b,best,worst\np,q,p,q\n")
    with pytest.raises(SourceError, match=match):
        open_files(path, form=form)


def test_what_was_chosen_from_names_the_item(tmp_path: Path) -> None:
    """Without an id the members do, so that no pair of a row counts as one of its own."""
    rng, path = Random(4), tmp_path / "a.csv"
    names = [f"word{n}" for n in range(9)]
    rows = [rng.sample(names, 4) for _ in range(25)]
    lines = (",".join([*row, row[0], row[3], row[n % 2], row[3]]) for n, row in enumerate(rows))
    path.write_text("w1,w2,w3,w4,most,least,model_most,model_least\n" + "\n".join(lines) + "\n")
    ratings, draft = guessed_ratings(str(path))
    assert draft.task["columns"]["item"] == "set"
    assert draft.task["file"]["members"] == ["w1", "w2", "w3", "w4"]
    assert ratings.judges == ("model_winner",)
    people = tmp_path / "b.csv"
    rows = [rng.sample("ABC", 3) for _ in range(24)]
    said = (f"{'gpt-4o' if n % 2 else 'kim'},{'>'.join(row)}\n" for n, row in enumerate(rows))
    people.write_text("annotator,ranking\n" + "".join(said))
    with pytest.raises(Exception, match="which column names the item"):
        guessed_ratings(str(people))  # nothing says which orders are of one thing


def test_a_text_with_the_sign_is_no_order(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    rows = (
        f"{n},{'yes' if n % 3 else 'no'},{'yes' if n % 2 else 'no'},<b>p</b> > q > r\n"
        for n in range(20)
    )
    path.write_text("id,human,judge,raw\n" + "".join(rows))
    _, draft = guessed_ratings(str(path))
    assert "file" not in draft.task


@pytest.mark.parametrize("column", ["best", "worst"])
def test_a_choice_that_its_row_does_not_show_is_refused_with_its_row(
    tmp_path: Path, column: str
) -> None:
    path, rng = tmp_path / "a.csv", Random(5)
    rows = [rng.sample("abcdefg", 4) for _ in range(24)]
    chosen = [{"best": min(row), "worst": max(row)} for row in rows]
    chosen[6][column] = "zebra"
    chosen[8]["best"] = ""  # nothing was chosen
    lines = (
        ",".join([str(n), *row, said["best"], said["worst"]])
        for n, (row, said) in enumerate(zip(rows, chosen, strict=True))
    )
    path.write_text("t,w1,w2,w3,w4,best,worst\n" + "\n".join(lines) + "\n")
    form = Form(pairs=(("winner", "best > worst"),), members=("w1", "w2", "w3", "w4"))
    with pytest.raises(SourceError, match=f"'{column}' must be one of .* 'zebra' in row 7"):
        open_files(path, form=form)
    with pytest.raises(SourceError, match="'zebra' in row 7"):
        guessed_ratings(str(path))  # one slip does not make it another table
