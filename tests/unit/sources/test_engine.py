"""The embedded engine spills to a folder of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from karat.sources.engine import connect

TABLE = "CREATE TABLE t AS SELECT range AS i, md5(range::VARCHAR) AS h FROM range(1_000_000)"


def test_two_at_once_do_not_empty_each_others_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    one, two = connect(memory="30MB"), connect(memory="30MB")
    one.execute(TABLE)
    two.execute(TABLE)
    assert len(list(tmp_path.iterdir())) == 2  # both had to spill
    two.close()
    assert one.execute("SELECT count(DISTINCT h) FROM t").fetchone() == (1_000_000,)
    one.close()
    assert list(tmp_path.iterdir()) == []
