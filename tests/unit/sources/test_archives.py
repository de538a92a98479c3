"""Zip archives: the table in it is read, and nothing else is written or believed."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from goldassay.errors import SourceError
from goldassay.sources import archives
from goldassay.sources.files import open_files
from goldassay.sources.opening import sha256_of

TABLE = "item,value\n1,yes\n2,no\n"


def packed(path: Path, **members: str) -> Path:
    """An archive; a name's double line stands for a slash, and its last one for the dot."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            head, _, ending = name.replace("__", "/").rpartition("_")
            archive.writestr(f"{head}.{ending}", text)
    return path


def rows_of(source: object) -> list[tuple[str, ...]]:
    return open_files(str(source)).relation.fetchall()


def test_the_one_table_is_read_and_named(tmp_path: Path) -> None:
    path = packed(tmp_path / "a.zip", data__ratings_csv=TABLE, README_md="x", README_txt="a b\n")
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("__MACOSX/data/._ratings.csv", "x")
        archive.writestr("data/.hidden.csv", "x")
        archive.writestr("dataset_info.json", "{}")
    opened = open_files(path)
    assert opened.relation.fetchall() == [("1", "yes"), ("2", "no")]
    assert opened.digests == (sha256_of(path),)
    assert "the table is data/ratings.csv in the archive" in opened.told


def test_of_several_tables_one_is_named(tmp_path: Path) -> None:
    path = packed(tmp_path / "a.zip", people_csv=TABLE, judge_jsonl='{"item": 1, "value": "no"}\n')
    with pytest.raises(SourceError, match=r"several tables; found judge\.jsonl, people\.csv"):
        open_files(path)
    assert rows_of(f"{path}::judge.jsonl") == [("1", "no")]
    with pytest.raises(SourceError, match="no such table"):
        open_files(f"{path}::nobody.csv")


def test_a_name_writes_nowhere(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "down" / "a.zip"
    path.parent.mkdir(parents=True)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("../../evil.csv", TABLE)
        archive.writestr(f"{tmp_path}/worse.csv", TABLE)
    before = sorted(tmp_path.rglob("*"))
    assert rows_of(path) == [("1", "yes"), ("2", "no")]  # the one whose name is no step upward
    assert sorted(tmp_path.rglob("*")) == before


def test_what_unpacks_to_too_much_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = packed(tmp_path / "a.zip", ratings_csv=TABLE + "3,no\n" * 100_000)
    assert path.stat().st_size < 10_000
    monkeypatch.setattr(archives, "BLOCK", 1_000)
    monkeypatch.setattr(archives, "MOST", 50_000)
    with pytest.raises(SourceError, match="must hold at most"):
        open_files(path)
    monkeypatch.setattr(archives, "MEMBERS", 0)
    with pytest.raises(SourceError, match="must hold at most 0 files"):
        open_files(path)


@pytest.mark.parametrize(
    ("members", "match"),
    [
        ({"README_md": "x"}, "holds no table"),
        ({"inner_zip": "PK"}, "holds no table"),
        ({"ratings_csv": ""}, "is empty"),
        ({"ratings_parquet": "item,value\n"}, "not"),
    ],
)
def test_what_holds_no_table_is_said(tmp_path: Path, members: dict[str, str], match: str) -> None:
    with pytest.raises(SourceError, match=match):
        open_files(packed(tmp_path / "a.zip", **members))


def test_a_cut_archive_is_said(tmp_path: Path) -> None:
    path = packed(tmp_path / "a.zip", ratings_csv=TABLE * 50)
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(SourceError, match="cannot be unpacked as a zip archive"):
        open_files(path)
