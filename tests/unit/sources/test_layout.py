"""Tables as they come: names that stand twice, in several lines, again, or below a comment."""

from __future__ import annotations

from pathlib import Path

import pytest

from goldassay.errors import SourceError
from goldassay.sources.files import open_files

ROWS = "q1,yes,no\nq2,no,no\nq3,yes,yes\nq4,no,yes\n"
TABLE = [tuple(line.split(",")) for line in ROWS.splitlines()]
NAMES = ("id", "human", "judge")

READ = {
    "as it is": f"id,human,judge\n{ROWS}",
    "a comment with the separator": f"# exported on Monday, by hand, v3\nid,human,judge\n{ROWS}",
    "names again": f"id,human,judge\nq1,yes,no\nq2,no,no\nid,human,judge\n{ROWS[19:]}",
    "names again at the end": f"id,human,judge\n{ROWS}id,human,judge",
    "lines that end in two ways": "id,human,judge\r\n" + ROWS,
    "two levels of pandas": f",label,label\nwho,human,judge\nid,,\n{ROWS}",
    "a line of units": f"id,human,judge\n,yes/no,(0 or 1)\n{ROWS}",
    "single quotes": "'id','human','judge'\n"
    + "".join(f"'{line.replace(',', chr(39) + ',' + chr(39))}'\n" for line in ROWS.splitlines()),
    "names above no cell": f"id,human,judge,approve,reject\n{ROWS}",
    "names by blanks above commas": f"id human judge\n{ROWS}",
    "names by semicolons above commas": f"id;human;judge\n{ROWS}",
    "names by commas above tabs": "id,human,judge\n" + ROWS.replace(",", "\t"),
    "two levels with one name below": f"who,human,judge\nwhat,ok,ok\nid,,\n{ROWS}",
}


@pytest.mark.parametrize("text", READ.values(), ids=READ)
def test_the_same_table(tmp_path: Path, text: str) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes(text.encode())
    opened = open_files(path)
    assert opened.columns == NAMES
    assert sorted(opened.relation.fetchall()) == TABLE
    assert bool(opened.told) == (text not in (READ["as it is"], READ["lines that end in two ways"]))


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be", "utf-16", "utf-8-sig"])
def test_the_same_text_in_other_bytes(tmp_path: Path, codec: str) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes(f"id,human,judge\n{ROWS}".encode(codec))
    opened = open_files(path)
    assert opened.columns == NAMES
    assert sorted(opened.relation.fetchall()) == TABLE


def test_a_row_of_labels_is_no_line_of_names(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("id,label,label\nq1,yes,no\nq2,,\nq3,yes,yes\n")
    assert open_files(path).columns == ("id", "label", "label 2")


def test_a_hash_alone_is_the_name_of_the_first_column(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("#,comment,human,judge\n1,a text,yes,no\n2,another,no,no\n")
    assert open_files(path).columns == ("#", "comment", "human", "judge")


def test_a_name_after_a_hash_is_a_name(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("#id,human,judge\nitem 1,yes,no\nitem 2,no,no\n")
    assert open_files(path).columns == ("#id", "human", "judge")


def test_names_that_differ_in_capitals_stand_twice(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("id,Human,human,judge\nq1,yes,no,no\n")
    opened = open_files(path)
    assert opened.columns == ("id", "Human", "human 2", "judge")
    assert "the name `human` occurs 2 times" in opened.told[0]


@pytest.mark.parametrize("name", ["item", "rater", "kind", "value", "Value"])
def test_a_name_of_ours_that_stands_twice_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / "table.csv"
    path.write_text(f"id,{name},{name.lower()}\nq1,yes,no\n")
    with pytest.raises(SourceError) as caught:
        open_files(path)
    assert str(caught.value) == (
        f"{path}, line 1: a column name must occur once; found '{name}' and '{name.lower()}'. "
        "Rename or delete one of these columns."
    )


def test_units_that_occur_again_are_labels(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("id,human,judge\nq1,1-5,1-3\nq2,1-3,1-5\nq3,1-5,1-5\nq4,1-3,1-5\n")
    assert len(open_files(path).relation.fetchall()) == 4


def test_a_sentence_above_cells_is_no_line_of_names(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("ratings of 2026\nid,human,judge\nq1,yes,no\nq2,no,no\n", encoding="utf-8")
    assert open_files(path).columns == NAMES


def test_cells_with_decimal_commas_are_separated_as_names_are(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("id;human;judge\nq1;0,5;1,5\nq2;2,5;0,5\n", encoding="utf-8")
    assert open_files(path).relation.fetchall() == [("q1", "0,5", "1,5"), ("q2", "2,5", "0,5")]


def test_a_single_quote_within_single_quotes(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("'id','said'\n'1','it''s so, yes'\n'2','no'\n")
    assert open_files(path).relation.fetchall() == [("1", "it's so, yes"), ("2", "no")]
    path.write_text("'id','said'\n'1','yes'\n'2','it's'\n")
    with pytest.raises(SourceError, match="line 3: a cell in single quotes must end with one"):
        open_files(path)


@pytest.mark.parametrize("form", ["lines", "list"])
def test_keys_that_differ_in_capitals_are_one_column(tmp_path: Path, form: str) -> None:
    records = ['{"id": 1, "Human": "yes"}', '{"id": 2, "human": "no"}', '{"ID": 3, "human": "no"}']
    path = tmp_path / ("table.jsonl" if form == "lines" else "table.json")
    path.write_text("\n".join(records) if form == "lines" else f"[{','.join(records)}]")
    opened = open_files(path)
    assert opened.columns == ("id", "Human")
    assert opened.relation.fetchall() == [("1", "yes"), ("2", "no"), ("3", "no")]
    assert opened.told == ("keys that differ in capitals only are one column",)
    both = ['{"id": 1, "Human": "yes", "human": "no"}', '{"id": 2, "human": "no"}']
    path.write_text("\n".join(both) if form == "lines" else f"[{','.join(both)}]")
    with pytest.raises(SourceError, match="record 1: keys that differ in capitals only must say"):
        open_files(path)


def test_a_key_that_stands_twice_in_a_record_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    path.write_text('{"id": "q1", "human": "yes", "human": "no"}\n')
    with pytest.raises(SourceError, match="a key must occur once in a record; found 'human'"):
        open_files(path)


def test_a_name_in_the_upper_line_alone_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("id,Human,,LLM,\n,Tone,Facts,Tone,Facts\n1,4,5,3,5\n2,2,1,2,2\n3,5,5,4,1\n")
    opened = open_files(path)
    assert opened.columns == ("id", "Human Tone", "Human Facts", "LLM Tone", "LLM Facts")
    assert opened.relation.fetchall()[0] == ("1", "4", "5", "3", "5")


def test_a_row_that_begins_as_names_do_is_a_row(tmp_path: Path) -> None:
    path = tmp_path / "export.csv"
    path.write_text("".join(f"user1,doc.{at},{at * 7 % 5},False\n" for at in range(6)))
    assert len(open_files(path).relation.fetchall()) == 6


def test_blank_lines_are_no_table(tmp_path: Path) -> None:
    path = tmp_path / "blank.csv"
    path.write_text("\n\n   \n\n")
    with pytest.raises(SourceError, match="holds blank lines only"):
        open_files(path)


def test_rows_with_numbers_of_their_own_are_read(tmp_path: Path) -> None:
    path = tmp_path / "of_r.csv"
    path.write_text('"human","judge"\n"1","yes","no"\n"2","no","no"\n"3","yes","yes"\n')
    assert tuple(open_files(path).columns) == ("Unnamed: 0", "human", "judge")
    path.write_text("id,place,human\n1,Ulm, Bavaria,yes\n2,Bern, Berne,no\n3,Linz, Austria,yes\n")
    with pytest.raises(SourceError, match="as many cells as the header"):
        open_files(path)
