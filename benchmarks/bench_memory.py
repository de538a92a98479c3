"""Peak memory of `goldassay agree` on a large CSV, in megabytes, beside a limit."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from timing import fresh

#: Six ratings a unit: two people and four judges. 20.5 million rows are about 1 GB.
ROWS = """
    SELECT 'item-' || lpad((i // 6)::VARCHAR, 9, '0') AS item,
           'cluster-' || lpad((i // 12)::VARCHAR, 8, '0') AS cluster,
           CASE i % 6 WHEN 0 THEN 'kim' WHEN 1 THEN 'lee' ELSE 'judge' || (i % 6) END AS rater,
           CASE WHEN i % 6 < 2 THEN 'human' ELSE 'judge' END AS kind,
           CASE WHEN hash(i // 6) % 10 + hash(i) % 4 > 5 THEN 'MET' ELSE 'UNMET' END AS value
    FROM range({rows}) r(i)
"""
TASK = 'scale = "binary"\noptions = ["MET", "UNMET"]\npositive = "MET"\ncluster = "{cluster}"\n'
AGREE = """
import contextlib, io, sys
from goldassay.cli import command_line
with contextlib.redirect_stdout(io.StringIO()):
    code = command_line(["agree", sys.argv[1], "--task", sys.argv[2]])
assert code == 0
print(told())
"""


def peak(folder: Path, rows: int, cluster: str) -> float:
    """Megabytes of a fresh process that counts and reports on so many ratings."""
    import duckdb

    table, task = folder / "ratings.csv", folder / "task.toml"
    with duckdb.connect() as connection:
        connection.execute("SET enable_progress_bar = false")
        connection.execute(f"COPY ({ROWS.format(rows=rows)}) TO '{table}' (HEADER)")
    task.write_text(TASK.format(cluster=cluster))
    return fresh(AGREE, str(table), str(task))[1]


def run() -> list[dict[str, Any]]:
    out = []
    for rows, cluster in ((20_500_000, "item"), (2_050_000, "cluster")):
        with tempfile.TemporaryDirectory() as name:
            found = peak(Path(name), rows, cluster)
        out.append(
            {
                "work": f"goldassay agree, CSV of {rows:,} ratings, cluster = {cluster}",
                "goldassay_seconds": found,
                "peer": "limit, MB",
                "peer_seconds": 1000.0,
                "ratio": found / 1000,
                "target": "at most 1",
            }
        )
    return out


if __name__ == "__main__":
    for row in run():
        print(row)
