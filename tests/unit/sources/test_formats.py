"""Packed files, workbooks and dataset folders: read as what they hold, bounded, never run."""

from __future__ import annotations

import csv
import datetime
import gzip
import io
import json
import sys
import zipfile
from pathlib import Path
from typing import Any

import duckdb
import pytest

from goldassay.errors import MissingExtraError, SourceError
from goldassay.questions.agree.ask import agree
from goldassay.ratings.fetch import fetch
from goldassay.sources import datasets, packed, workbook
from goldassay.sources.files import open_files
from goldassay.sources.frames import open_source
from goldassay.sources.opening import sha256_of

openpyxl = pytest.importorskip("openpyxl")

ROWS = [("1", "yes"), ("01", "no, or\nso"), ("3", 'a "b"'), ("4", "ü"), ("5", "=1+1")]
JSONL = "".join(json.dumps({"item": i, "value": v}) + "\n" for i, v in ROWS)


def csv_of(rows: list[tuple[str, str]]) -> str:
    stream = io.StringIO(newline="")
    csv.writer(stream, lineterminator="\n").writerows([("item", "value"), *rows])
    return stream.getvalue()


def rows_of(source: Any) -> list[tuple[str | None, ...]]:
    opened = open_source(source)
    found = fetch(opened.frame.select("item", "value"), place=opened.name)
    columns = [[None if v is None else str(v) for v in c.tolist()] for c in found.values()]
    return sorted(zip(*columns, strict=True), key=str)


def zstandard(path: Path, text: str) -> Path:
    """A file that the engine packs: one line for each line of the text."""
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t (line VARCHAR)")
        connection.executemany("INSERT INTO t VALUES (?)", [[one] for one in text.split("\n")[:-1]])
        connection.execute(
            f"COPY t TO '{path}' (FORMAT csv, HEADER false, DELIMITER '\x01', QUOTE '', ESCAPE '', "
            "COMPRESSION zstd)"
        )
    return path


@pytest.mark.parametrize("name", ["a.csv.gz", "a.jsonl.gz", "a.csv.zst", "a.jsonl.zst", "A.CSV.GZ"])
def test_a_packed_file_is_what_it_holds(tmp_path: Path, name: str) -> None:
    text = JSONL if "jsonl" in name else csv_of(ROWS)
    path = tmp_path / name
    if name.endswith("zst"):
        zstandard(path, text)
    else:
        path.write_bytes(gzip.compress(text.encode()))
    assert rows_of(path) == sorted(ROWS, key=str)
    opened = open_files(path)
    assert opened.name == str(path)
    assert opened.digests == (sha256_of(path),)  # of the file that the user has


def test_a_file_is_what_it_holds_whatever_it_is_called(tmp_path: Path) -> None:
    """Tools and people give a file another ending than its content has."""
    rows = [(str(item), "no" if item % 3 else "yes") for item in range(9)]
    sheet = book(tmp_path / "book.xlsx", S=[["item", "value"], *map(list, rows)]).read_bytes()
    objects = [json.dumps({"item": item, "value": value}) for item, value in rows]
    contents = {
        "packed.csv": (gzip.compress(csv_of(rows).encode()), "the file is packed (gzip)"),
        "sheet.csv": (sheet, "the file is a workbook"),
        "sheet.xls": (sheet, "the file is a workbook"),
        "separated.json": (csv_of(rows).encode(), ""),
        "separated.jsonl": (csv_of(rows).encode(), ""),
        "array.jsonl": (f"[{','.join(objects)}]".encode(), ""),
        "lines.json": ("\n".join(objects).encode(), ""),
    }
    for name, (content, told) in contents.items():
        (tmp_path / name).write_bytes(content)
        assert rows_of(tmp_path / name) == rows, name
        said = open_files(tmp_path / name).told
        assert any(told in one for one in said) == bool(told), said


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "is a PDF, not a table"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "is a picture, not a table"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF\0", "is a picture, not a table"),
        (b"\xd0\xcf\x11\xe0" + b"\0" * 600, "is an old Excel workbook.* Save it as .xlsx"),
        (b"PK\x03\x04" + b"\0" * 60, "is a zip archive.* Unpack it"),
    ],
)
@pytest.mark.parametrize("name", ["ratings.csv", "ratings.json", "ratings.xls"])
def test_what_holds_no_table_is_named(tmp_path: Path, content: bytes, told: str, name: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(SourceError, match=told):
        open_files(tmp_path / name)


def test_a_packed_table_of_the_engine(tmp_path: Path) -> None:
    with duckdb.connect() as connection:
        connection.execute(f"COPY (SELECT 1 AS item, 'x' AS value) TO '{tmp_path}/a.parquet'")
    path = tmp_path / "b.parquet.gz"
    path.write_bytes(gzip.compress((tmp_path / "a.parquet").read_bytes()))
    assert rows_of(path) == [("1", "x")]


def test_packed_files_that_are_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = gzip.compress(csv_of(ROWS * 50).encode())
    cases = {
        "cut.csv.gz": (whole[:-20], "cannot be unpacked as gzip"),
        "junk.csv.gz": (b"\x00\x07item,value\n1,x\n", "cannot be unpacked as gzip"),
        "junk.csv.zst": (b"\x00\x07item,value\n1,x\n", "cannot be unpacked as Zstandard"),
        "empty.csv.gz": (gzip.compress(b""), "the packed file is empty"),
        "nothing.gz": (whole, "the format is not known"),
        "latin.csv.gz": (gzip.compress(b"item,value\n1,\xff\n"), "latin.csv.gz, line 2: "),
    }
    for name, (content, told) in cases.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(SourceError, match=told):
            open_files(tmp_path / name)
    monkeypatch.setattr(packed, "MOST", 2**20)
    bomb = tmp_path / "bomb.csv.gz"
    bomb.write_bytes(gzip.compress(b"0" * 2**24))
    with pytest.raises(SourceError, match=r"bomb\.csv\.gz: a packed file must hold at most"):
        open_files(bomb)
    line = "x" * 999
    zstandard(tmp_path / "bomb.csv.zst", "".join(f"{line}\n" for _ in range(3_000)))
    with pytest.raises(SourceError, match=r"bomb\.csv\.zst: a packed file must hold at most"):
        open_files(tmp_path / "bomb.csv.zst")


def book(path: Path, **sheets: list[list[Any]]) -> Path:
    made = openpyxl.Workbook()
    made.remove(made.active)
    for name, rows in sheets.items():
        sheet = made.create_sheet(name)
        for row in rows:
            sheet.append(row)
    made.save(path)
    return path


def patched(path: Path, member: str, old: bytes, new: bytes) -> Path:
    """The same zip with one member changed."""
    with zipfile.ZipFile(path) as archive:
        content = {one.filename: archive.read(one) for one in archive.infolist()}
    assert old in content[member]
    content[member] = content[member].replace(old, new)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, inside in content.items():
            archive.writestr(name, inside)
    return path


def test_a_workbook_is_its_sheet(tmp_path: Path) -> None:
    cells: list[list[Any]] = [
        ["item", "value", None],
        [],  # an empty row between
        [1, "yes"],
        ["01", True],
        [3.0, 2.5],
        [4, datetime.datetime(2026, 11, 1)],
        [5, None],
        ["ü", "a,\nb"],
    ]
    path = book(tmp_path / "a.xlsx", Sheet=cells, Empty=[])
    assert rows_of(path) == sorted(
        [
            ("1", "yes"),
            ("01", "TRUE"),
            ("3", "2.5"),
            ("4", "2026-11-01"),
            ("5", None),
            ("ü", "a,\nb"),
        ],
        key=str,
    )
    assert open_files(path).digests == (sha256_of(path),)


def test_a_workbook_answers_a_question(tmp_path: Path) -> None:
    rows: list[list[Any]] = [["id", "human", "judge"]]
    rows += [[at, "yes" if at % 2 else "no", "yes" if at % 3 else "no"] for at in range(1, 41)]
    found = agree(str(book(tmp_path / "a.xlsx", Ratings=rows)))
    # Odd items are yes to people, those that 3 does not divide to the judge: of six items
    # 1, 5 (yes, yes) and 6 (no, no) agree; of the 40, 6 x 3 and of 37 to 40 only 37.
    assert found["accuracy"].value == pytest.approx(19 / 40)


def test_sheets_are_named(tmp_path: Path) -> None:
    one, two = [["item", "value"], [1, "a"]], [["item", "value"], [2, "b"]]
    path = book(tmp_path / "a.xlsx", First=one, Second=two)
    assert rows_of(f"{path}::Second") == [("2", "b")]
    with pytest.raises(SourceError, match="several tables; found First, Second"):
        open_files(path)
    with pytest.raises(SourceError, match="no such table"):
        open_files(f"{path}::Third")


def test_formulas_count_by_their_saved_value(tmp_path: Path) -> None:
    path = book(tmp_path / "a.xlsx", S=[["item", "value"], [1, "=1+1"]])
    with pytest.raises(SourceError, match=r"a\.xlsx.*a formula must have a saved value"):
        open_files(path)
    sheet = "xl/worksheets/sheet1.xml"
    patched(path, sheet, b"<f>1+1</f><v />", b"<f>1+1</f><v>2</v>")
    assert rows_of(path) == [("1", "2")]
    # A formula whose saved value is an empty text.
    patched(path, sheet, b'<c r="B2"><f>1+1</f><v>2</v>', b'<c r="B2" t="str"><f>""</f><v></v>')
    assert rows_of(path) == [("1", None)]
    patched(path, sheet, b"<v></v></c>", b"</c>")
    with pytest.raises(SourceError, match="a formula must have a saved value"):
        open_files(path)


@pytest.mark.parametrize("name", ["a.xlsx", "a.xls"])
def test_a_text_under_the_name_of_a_workbook(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes("item;value\n1;gut\n2;größer\n".encode("cp1252"))
    assert rows_of(path) == [("1", "gut"), ("2", "größer")]
    assert open_files(path).told[0] == "the file is a text and no workbook, whatever its name says"


def test_hostile_workbooks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = [["item", "value"], [1, "a"]]
    (tmp_path / "no.xlsx").write_bytes(b"no workbook\n")
    (tmp_path / "old.xlsx").write_bytes(b"\xd0\xcf\x11\xe0" + b"\0" * 600)
    with zipfile.ZipFile(tmp_path / "zip.xlsx", "w") as archive:
        archive.writestr("a.txt", "x")
    cut = book(tmp_path / "cut.xlsx", S=table)
    cut.write_bytes(cut.read_bytes()[:-300])
    far = book(tmp_path / "far.xlsx", S=table)
    patched(far, "xl/worksheets/sheet1.xml", b'r="B2"', b'r="XFD2"')
    told = {"far.xlsx": "at most 1,000 columns; found 16,384"}
    for name in ("no.xlsx", "old.xlsx", "zip.xlsx", "cut.xlsx", "far.xlsx"):
        with pytest.raises(SourceError, match=told.get(name, "cannot be read as a workbook")):
            open_files(tmp_path / name)
    macros = book(tmp_path / "macro.xlsm", S=table)
    with zipfile.ZipFile(macros, "a") as archive:
        archive.writestr("xl/vbaProject.bin", b"\xd0\xcf\x11\xe0 Auto_Open")
    assert rows_of(macros) == [("1", "a")]
    with zipfile.ZipFile(macros, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/media/bomb", b"0" * 2**22)
    monkeypatch.setattr(workbook, "MOST", 2**22)
    with pytest.raises(SourceError, match="a workbook must unpack to at most"):
        open_files(macros)


def test_a_bomb_of_entities_is_refused(tmp_path: Path) -> None:
    path = book(tmp_path / "a.xlsx", S=[["item", "value"], [1, "a"]])
    names = [b"<!ENTITY a0 '%s'>" % (b"a" * 40)]
    names += [b"<!ENTITY a%d '%s'>" % (n, b"&a%d;" % (n - 1) * 10) for n in range(1, 12)]
    sheet = "xl/worksheets/sheet1.xml"
    patched(path, sheet, b"<worksheet", b"<!DOCTYPE x [%s]><worksheet" % b"".join(names))
    patched(path, sheet, b"<t>a</t>", b"<t>&a11;</t>")
    with pytest.raises(SourceError, match="cannot be read as a workbook"):
        open_files(path)


@pytest.mark.parametrize(
    ("package", "extra", "name"), [("openpyxl", "xlsx", "a.xlsx"), ("pyarrow", "arrow", "d")]
)
def test_a_missing_extra_is_named(
    package: str, extra: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if extra == "xlsx":
        book(tmp_path / "a.xlsx", S=[["item", "value"], [1, "a"]])
    else:
        saved(tmp_path / "d", [1], ["a"])
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError, match=rf"pip install 'goldassay\[{extra}\]'"):
        open_files(tmp_path / name)


FEATURES = {"item": {"dtype": "int64", "_type": "Value"},
            "value": {"names": ["no", "yes"], "_type": "ClassLabel"}}  # fmt: skip


def table_of(items: list[int], values: list[Any], *, classes: bool = False) -> Any:
    pa = pytest.importorskip("pyarrow")
    made = pa.table({"item": items, "value": values})
    told = json.dumps({"info": {"features": FEATURES}}) if classes else "{"
    return made.replace_schema_metadata({"huggingface": told})


def saved(folder: Path, items: list[int], values: list[Any], *, classes: bool = False) -> Path:
    """A folder as `Dataset.save_to_disk` writes it: a stream of Arrow, and what it is."""
    pa = pytest.importorskip("pyarrow")
    folder.mkdir(parents=True)
    made = table_of(items, values, classes=classes)
    sink = folder / "data-00000-of-00001.arrow"
    with pa.OSFile(str(sink), "wb") as stream, pa.ipc.new_stream(stream, made.schema) as writer:
        writer.write_table(made)
    (folder / "dataset_info.json").write_text(json.dumps({"features": FEATURES}))
    (folder / "state.json").write_text('{"_data_files": [{"filename": "../../x"}]}')
    return folder


def test_a_folder_of_save_to_disk(tmp_path: Path) -> None:
    one = saved(tmp_path / "one", [1, 2, 3, 4], [1, 0, -1, 7], classes=True)
    # -1 is "no label" there; 7 has no name.
    assert rows_of(one) == [("1", "yes"), ("2", "no"), ("3", None), ("4", "7")]
    assert open_files(one).digests == (sha256_of(one / "data-00000-of-00001.arrow"),)
    both = tmp_path / "both"
    saved(both / "train", [1], ["a"])
    saved(both / "test", [2], ["b"])
    (both / "dataset_dict.json").write_text('{"splits": ["train", "test"]}')
    assert rows_of(f"{both}::test") == [("2", "b")]
    with pytest.raises(SourceError, match="several tables; found test, train"):
        open_files(both)
    (one / "data-00000-of-00001.arrow").write_bytes(b"\xff" * 100)
    with pytest.raises(SourceError, match=r"data-00000-of-00001\.arrow: cannot be read"):
        open_files(one)


def test_a_folder_of_text(tmp_path: Path) -> None:
    folder = tmp_path / "repository"
    (folder / "data").mkdir(parents=True)
    (folder / "README.md").write_text("# about")
    (folder / "dataset_info.json").write_text(json.dumps({"features": FEATURES}))
    (folder / "data" / "train.jsonl").write_text('{"item": 1, "value": "yes"}\n')
    assert rows_of(folder) == [("1", "yes")]
    with gzip.open(folder / "data" / "test.jsonl.gz", "wt") as stream:
        stream.write('{"item": 2, "value": "no"}\n')
    assert rows_of(f"{folder}::test") == [("2", "no")]
    with pytest.raises(SourceError, match=r"found test, train\. Name one, as .*::test"):
        open_files(folder)
    for at in range(20):
        (folder / "data" / f"part{at:02}.csv").write_text("item,value\n1,yes\n")
    with pytest.raises(SourceError, match="part11, 10 more"):
        open_files(folder)


def test_a_folder_of_the_hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    folder = tmp_path / "a[1]"
    (folder / "data").mkdir(parents=True)
    (folder / "README.md").write_text("---\nlicense: mit\n---\n")
    for at in (0, 1):
        name = f"data/train-0000{at}-of-00002.parquet"
        parquet.write_table(table_of([at], [at], classes=True), folder / name)
    assert rows_of(folder) == [("0", "no"), ("1", "yes")]
    (folder / "validation").mkdir()
    parquet.write_table(table_of([5], [1]), folder / "validation" / "0000.parquet")
    assert rows_of(f"{folder}::validation") == [("5", "1")]
    with pytest.raises(SourceError, match="several tables; found train, validation"):
        open_files(folder)
    monkeypatch.setattr(datasets, "MOST_FILES", 2)
    with pytest.raises(SourceError, match="a directory of more than 2 files"):
        open_files(folder)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "README.md").write_text("nothing")
    with pytest.raises(SourceError, match="is a directory"):
        open_files(tmp_path / "other")
