"""Counting, resampling, importing and installing: the foundation's speed."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from timing import carried_on, cpu, fresh, row

ROWS = int(os.environ.get("GOLDASSAY_BENCH_ROWS", "10000000"))


def written(folder: Path, rows: int) -> dict[str, Path]:
    """Ratings of four judges and one person, as Parquet and JSONL."""
    import duckdb

    query = f"""
        SELECT 'item-' || (i // 5) AS item,
               CASE i % 5 WHEN 0 THEN 'person' ELSE 'judge' || (i % 5) END AS rater,
               CASE i % 5 WHEN 0 THEN 'human' ELSE 'judge' END AS kind,
               CASE WHEN hash(i // 5) % 10 + hash(i) % 4 > 5 THEN 'MET' ELSE 'UNMET' END AS value
        FROM range({rows}) r(i)
    """
    out = {"parquet": folder / "ratings.parquet", "jsonl": folder / "ratings.jsonl"}
    with duckdb.connect() as connection:
        connection.execute(f"COPY ({query}) TO '{out['parquet']}' (FORMAT parquet)")
        connection.execute(f"COPY ({query}) TO '{out['jsonl']}' (FORMAT json)")
    return out


BY_HAND = """
    SELECT j.rater, h.value, j.value, count(*)
    FROM {scan} j JOIN {scan} h ON j.item = h.item
    WHERE j.kind = 'judge' AND h.kind = 'human'
    GROUP BY ALL
"""


#: What goldassay counts: all judges of an item jointly, so that they can be resampled together.
JOINTLY_BY_HAND = """
    SELECT met, unmet, j1, j2, j3, j4, count(*) FROM (
        SELECT item,
               sum(CASE WHEN kind = 'human' AND value = 'MET' THEN 1 ELSE 0 END) AS met,
               sum(CASE WHEN kind = 'human' AND value = 'UNMET' THEN 1 ELSE 0 END) AS unmet,
               max(CASE WHEN rater = 'judge1' THEN value END) AS j1,
               max(CASE WHEN rater = 'judge2' THEN value END) AS j2,
               max(CASE WHEN rater = 'judge3' THEN value END) AS j3,
               max(CASE WHEN rater = 'judge4' THEN value END) AS j4
        FROM {scan} GROUP BY item)
    GROUP BY ALL
"""


#: What goldassay refuses or tells before it counts: labels that nobody declared, no item, no rater.
LOOKED_AT = """
    SELECT kind, rater, value, count(*), count(nullif(item, '')) FROM {scan} GROUP BY ALL
"""


BY_HAND_CODE = """
import sys
import duckdb
with duckdb.connect() as connection:
    for query in sys.argv[1:]:
        connection.execute(query).fetchall()
print(told())
"""


def by_hand(scan: str, *queries: str) -> float:
    """Seconds of a fresh process, as goldassay's own; of text that is asked twice, a table first,
    which took less than to parse it twice."""
    if len(queries) > 1 and "json" in scan:
        queries = (f"CREATE TABLE parsed AS FROM {scan}", *queries)
        scan = "parsed"
    return fresh(BY_HAND_CODE, *(query.format(scan=scan) for query in queries), repeats=3)[0]


#: As the command does it, which keeps the engine from importing pandas for every constant.
COUNT = """
import sys
sys.modules.setdefault("pandas", None)
from goldassay.counts import confusion, count_units
from goldassay.ratings.table import read_ratings
from goldassay.ratings.task import Task
task = Task.from_mapping({"scale": "binary", "options": ["MET", "UNMET"], "positive": "MET"})
units = count_units(read_ratings(sys.argv[1], task))
tables = [confusion(units, judge).square for judge in units.judge_names]
print(told())
"""


def counting() -> list[dict[str, Any]]:
    rows = []
    with tempfile.TemporaryDirectory() as name:
        files = written(Path(name), ROWS)
        for kind, path in files.items():
            ours, memory = fresh(COUNT, str(path), repeats=3)
            scan = f"read_{'parquet' if kind == 'parquet' else 'ndjson'}('{path}')"
            for peer, *queries in (
                ("the same SQL by hand", JOINTLY_BY_HAND),
                ("the same SQL by hand, labels looked at first", LOOKED_AT, JOINTLY_BY_HAND),
                ("a join by hand, judge by judge", BY_HAND),
            ):
                theirs = by_hand(scan, *queries)
                rows.append(
                    {
                        "work": f"{ROWS:,} ratings, {kind}, to counts ({memory:.0f} MB)",
                        "goldassay_seconds": ours,
                        "peer": peer,
                        "peer_seconds": theirs,
                        "ratio": ours / theirs,
                        "target": "at most 1.3" if JOINTLY_BY_HAND in queries else "",
                    }
                )
    return rows


def bootstrap() -> dict[str, Any]:
    """Four metrics, 1,000 resamples of 50,000 items x 20 criteria; pandas resamples rows."""
    import pandas as pd

    from goldassay.formulas.agreement import accuracy, balanced_accuracy, cohen_kappa, phi
    from goldassay.inference.bootstrap import multiplicities
    from goldassay.inference.clusters import distinct_clusters

    rng = np.random.default_rng(1)
    items, criteria = 50_000, 20
    truth = rng.random((items, criteria)) < rng.beta(2, 2, (items, 1))
    verdict = np.where(rng.random(truth.shape) < 0.85, truth, ~truth)
    cell = 2 * truth + verdict
    counts = np.stack([(cell == k).sum(axis=1) for k in range(4)], axis=1).astype(float)

    def ours() -> Any:
        distinct, multiplicity = distinct_clusters(counts, np.ones(items, np.int64))
        rng = np.random.default_rng(1)
        drawn = [w @ distinct for w in multiplicities(multiplicity, 1000, rng)]
        sums = np.concatenate(drawn).reshape(-1, 2, 2)
        return [metric(sums) for metric in (accuracy, balanced_accuracy, cohen_kappa, phi)]

    frame = pd.DataFrame({"item": np.repeat(np.arange(items), criteria), "cell": cell.reshape(-1)})

    def one_pandas_resample() -> Any:
        drawn = pd.DataFrame({"item": rng.integers(0, items, items)}).merge(frame, on="item")
        table = drawn["cell"].value_counts().reindex(range(4), fill_value=0).to_numpy(float)
        two = table.reshape(2, 2)
        return [metric(two) for metric in (accuracy, balanced_accuracy, cohen_kappa, phi)]

    return row(
        "cluster bootstrap, 50,000 items x 20 criteria, 4 metrics, 1,000 resamples",
        cpu(ours),
        "pandas merges drawn items with rows (from 2 and 6 resamples)",
        carried_on(lambda times: [one_pandas_resample() for _ in range(times)], 1000),
        "at least 300",
    )


def process_seconds(*arguments: str) -> float:
    best = float("inf")
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
        best = min(best, used)
    return best


def importing() -> list[dict[str, Any]]:
    nothing = process_seconds("-c", "pass")
    numpy_ = process_seconds("-c", "import numpy") - nothing
    goldassay_ = process_seconds("-c", "import goldassay") - nothing
    help_ = process_seconds("-m", "goldassay", "--help") - nothing
    return [
        {
            "work": "import goldassay",
            "goldassay_seconds": goldassay_,
            "peer": "import numpy",
            "peer_seconds": numpy_,
            "ratio": goldassay_ / numpy_,
            "target": "at most 1.5",
        },
        {
            "work": "goldassay --help",
            "goldassay_seconds": help_,
            "peer": "import numpy",
            "peer_seconds": numpy_,
            "ratio": help_ / numpy_,
            "target": "at most 3",
        },
    ]


def installed() -> dict[str, Any]:
    """Megabytes of goldassay's own dependencies and theirs, with the bytecode that pip compiles.

    goldassay itself is counted from its source; nothing is compared but the limit.
    """
    import tomllib
    from importlib.metadata import distribution

    from packaging.requirements import Requirement

    root = Path(__file__).resolve().parents[1]
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    wanted, files = [Requirement(text) for text in project["dependencies"]], set[Path]()
    seen: set[str] = set()
    while wanted:
        need = wanted.pop()
        if need.name in seen or (need.marker and not need.marker.evaluate({"extra": ""})):
            continue
        seen.add(need.name)
        one = distribution(need.name)
        files |= {Path(str(one.locate_file(file))).resolve() for file in one.files or ()}
        wanted += [Requirement(text) for text in one.requires or ()]
    files |= {path for path in (root / "src").rglob("*") if path.is_file()}
    megabytes = sum(path.stat().st_size for path in files if path.is_file()) / 1e6
    return {
        "work": f"installed closure: {len(seen) + 1} packages",
        "goldassay_seconds": megabytes,
        "peer": "limit, MB",
        "peer_seconds": 300.0,
        "ratio": megabytes / 300,
        "target": "at most 1",
    }


def run() -> list[dict[str, Any]]:
    return [*importing(), installed(), bootstrap(), *counting()]


if __name__ == "__main__":
    for line in run():
        print(line)
