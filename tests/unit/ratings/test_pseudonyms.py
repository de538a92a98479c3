"""People under pseudonyms: the same table, and no name of theirs in it."""

from __future__ import annotations

from pathlib import Path

import narwhals as nw
from small_tables import BINARY, written

from goldassay.ratings.fetch import fetch
from goldassay.ratings.pseudonyms import pseudonymous
from goldassay.ratings.table import Ratings, read_ratings
from goldassay.ratings.task import Task

PEOPLE = ("anna", "ben", "chloé")


def rows(people: tuple[str, ...] = PEOPLE) -> list[dict[str, str]]:
    given = [(person, "human") for person in people] + [("gpt", "judge"), ("anna", "judge")]
    return [
        {"item": f"q{item}", "rater": rater, "kind": kind, "value": ("yes", "no", "")[item % 3]}
        for item in range(6)
        for rater, kind in given
    ]


def table(folder: Path, people: tuple[str, ...] = PEOPLE) -> Ratings:
    return read_ratings(str(written(folder, rows(people))), Task.from_mapping(BINARY))


def counted(ratings: Ratings) -> dict[tuple[str, str], int]:
    found = fetch(ratings.frame.group_by("kind", "rater").agg(n=nw.len()), place="here")
    names = zip(found["kind"], found["rater"], found["n"], strict=True)
    return {(str(kind), str(rater)): int(n) for kind, rater, n in names}


def test_people_are_numbered_and_judges_keep_their_names(tmp_path: Path) -> None:
    hidden = pseudonymous(table(tmp_path))
    assert hidden.humans == ("person 1", "person 2", "person 3")
    assert hidden.judges == ("anna", "gpt")  # a judge that has a person's name
    # Six items, of which two have an empty value.
    assert counted(hidden) == {
        **{("human", f"person {number}"): 4 for number in (1, 2, 3)},
        ("judge", "anna"): 4,
        ("judge", "gpt"): 4,
    }


def test_rows_and_exclusions_are_the_same(tmp_path: Path) -> None:
    plain = table(tmp_path)
    hidden = pseudonymous(plain)
    assert hidden.census.rows == plain.census.rows == 30
    (left_out,) = hidden.exclusions
    assert left_out.rows == sum(left_out.by["rater"].values()) == 10
    assert set(left_out.by["rater"]) == {"person 1", "person 2", "person 3", "anna", "gpt"}


def test_a_shared_name_counts_for_both_in_exclusions(tmp_path: Path) -> None:
    # anna is a person and a judge: two empty rows each.
    (left_out,) = table(tmp_path).exclusions
    assert left_out.by["rater"]["anna"] == 4
    assert sum(left_out.by["rater"].values()) == left_out.rows


def test_the_order_of_names_does_not_tell_who_is_who(tmp_path: Path) -> None:
    people = tuple(f"p{number:02}" for number in range(30))
    hidden = pseudonymous(table(tmp_path, people))
    assert hidden.humans[0] == "person 01"
    assert len(hidden.humans) == 30
    assert pseudonymous(table(tmp_path, people)).humans == hidden.humans


def test_the_declaration_names_nobody(tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    path.write_text("item,anna,ben,gpt\n1,yes,no,yes\n2,no,,no\n")
    task = {**BINARY, "wide": {"human": ["anna", "ben"], "judge": ["gpt"]}}
    hidden = pseudonymous(read_ratings(str(path), Task.from_mapping(task)))
    assert hidden.task.wide is not None
    assert sorted(hidden.task.wide.human) == ["person 1", "person 2"]
    assert hidden.task.wide.judge == ("gpt",)


def test_very_many_people(tmp_path: Path) -> None:
    """Far more than an engine nests expressions."""
    people = tuple(f"p{number}" for number in range(1_500))
    hidden = pseudonymous(table(tmp_path, people))
    assert len(hidden.humans) == 1_500
    assert sum(counted(hidden).values()) == 4 * 1_502


def test_a_judge_called_like_a_pseudonym(tmp_path: Path) -> None:
    listed = [{**row, "rater": "person 1"} if row["kind"] == "judge" else row for row in rows()]
    unique = {(row["item"], row["rater"], row["kind"]): row for row in listed}
    path = written(tmp_path, list(unique.values()))
    hidden = pseudonymous(read_ratings(str(path), Task.from_mapping(BINARY)))
    assert hidden.humans == ("human rater 1", "human rater 2", "human rater 3")
