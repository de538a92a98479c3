"""Segment scores of the WMT22 metrics task (Chinese to English) to a ratings table.

    python examples/rank_wmt22/convert.py FOLDER ratings.parquet
    goldassay rank ratings.parquet --task examples/rank_wmt22/task.toml \\
        --judges examples/rank_wmt22/judges.csv --out rank.html

FOLDER holds GEMBA/ (github.com/MicrosoftTranslator/GEMBA) and mtme-zh-mwe/
(github.com/florethsong/mtme-zh-mwe, with the WMT22 metrics and MQM scores); the judges are GEMBA's
28 and four metrics. Nothing is dropped: a score that the judge's answer did not give stays `None`,
which the task file declares invalid. References are not systems and are left out here, by name.
"""

import sys
from pathlib import Path

import duckdb

REFERENCES = ("refA", "refB")


def segment_files(folder: Path) -> list[tuple[str, str, Path]]:
    """(rater, kind, file) of every score file."""
    gemba = sorted(folder.glob("GEMBA/mt-metrics-eval-v2/wmt22/metric-scores/zh-en/*.seg.score"))
    metrics = sorted(folder.glob("mtme-zh-mwe/raw_wmt22/metric-scores/zh-en_all/*.seg.score"))
    human = folder / "mtme-zh-mwe/raw_wmt22/human-scores/zh-en.mqm.seg.score"
    files = [(path.name.removesuffix(".seg.score"), "judge", path) for path in gemba + metrics]
    return [*files, ("MQM", "human", human)]


def main(folder: Path, out: Path) -> None:
    documents = folder / "mtme-zh-mwe/raw_wmt22/documents/zh-en.docs"
    connection = duckdb.connect()
    read = "read_csv('{}', delim='\t', header=false, all_varchar=true, quote='', columns={})"
    two = "{'system': 'VARCHAR', 'value': 'VARCHAR'}"
    three = "{'domain': 'VARCHAR', 'document': 'VARCHAR'}"
    connection.execute(
        f"create table docs as select row_number() over () as segment, domain, document "
        f"from {read.format(documents, three)}"
    )
    parts = []
    for rater, kind, path in segment_files(folder):
        # Segments of a system stand in their order; the line within the system is the segment.
        parts.append(
            f"select system, value, '{rater.removeprefix('GEMBA-')}' as rater, '{kind}' as kind, "
            f"row_number() over (partition by system order by line) as segment from "
            f"(select *, row_number() over () as line from {read.format(path, two)})"
        )
    systems = ", ".join(f"'{name}'" for name in REFERENCES)
    # People did not score four of the systems at all: no rating, rather than an invalid one.
    query = (
        "select 'segment ' || lpad(segment::varchar, 4, '0') as item, document as cluster, domain, "
        "system, rater, kind, value from (" + " union all ".join(parts) + ") join docs "
        f"using (segment) where system not in ({systems}) "
        "and not (kind = 'human' and value = 'None') order by rater, system, item"
    )
    form = "parquet" if out.suffix == ".parquet" else "csv, header"
    connection.execute(f"copy ({query}) to '{out}' (format {form})")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
