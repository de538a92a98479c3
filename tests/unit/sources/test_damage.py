"""Archives and workbooks with any byte changed, cut or lost: read, or refused with a message."""

from __future__ import annotations

import io
import random
import zipfile
from pathlib import Path

import pytest

import goldassay as ga
from goldassay.errors import InputError

ROWS = [("item", "rater", "kind", "value")]
ROWS += [(f"q{k}", "ann", "human", "yes" if k % 2 else "no") for k in range(12)]
ROWS += [(f"q{k}", "gpt", "judge", "yes" if k % 3 else "no") for k in range(12)]


def packed(kind: str) -> bytes:
    out = io.BytesIO()
    if kind == "zip":
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("ratings.csv", "\n".join(map(",".join, ROWS)))
    else:
        openpyxl = pytest.importorskip("openpyxl")
        book = openpyxl.Workbook()
        for row in ROWS:
            book.active.append(row)
        book.save(out)
    return out.getvalue()


def broken(whole: bytes, rng: random.Random) -> bytes:
    """Cut, changed here and there, a piece lost, or a header of it changed."""
    data = bytearray(whole)
    how = rng.randrange(5)
    if how == 0:
        return bytes(data[: rng.randrange(len(data))])
    if how == 1:
        at = rng.randrange(len(data))
        del data[at : at + rng.randrange(1, 200)]
        return bytes(data)
    if how == 2:
        places = [rng.randrange(len(data)) for _ in range(rng.randrange(1, 6))]
    else:
        header = data.rfind(b"PK\x01\x02") if how == 3 else data.find(b"PK\x03\x04")
        places = [header + rng.randrange(4, 30) for _ in range(3)]
    for at in places:
        data[at] = rng.randrange(256)
    return bytes(data)


@pytest.mark.parametrize("kind", ["zip", "xlsx"])
def test_broken_archives_end_in_a_table_or_a_refusal(tmp_path: Path, kind: str) -> None:
    rng, whole, refused = random.Random(7), packed(kind), 0
    for number in range(80):
        path = tmp_path / f"{number}.{kind}"
        path.write_bytes(broken(whole, rng))
        try:
            ga.check(str(path))
        except InputError as error:
            refused += path.name in str(error)
    assert refused > 20
