"""The embedded engine spills to a folder of its own."""

from __future__ import annotations

from goldassay.sources.engine import connect


def test_two_at_once_do_not_empty_each_others_folder() -> None:
    """DuckDB empties its folder when it closes; a shared one lost what another had spilled."""
    folders = set()
    for _ in range(2):
        connection = connect()
        folders.add(connection.execute("SELECT current_setting('temp_directory')").fetchone()[0])
        connection.close()
    assert len(folders) == 2
