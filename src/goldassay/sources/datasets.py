"""Folders that Hugging Face's `datasets` writes, or that its Hub holds.

`save_to_disk` writes Arrow files beside `dataset_info.json`, of several splits in a folder each; a
repository of the Hub holds Parquet files whose names or folders say the split, or else tables of
text (CSV, JSON lines, packed or not). `FOLDER::SPLIT` names one of several. Arrow is read by
PyArrow (the extra `arrow`). Columns of class labels hold numbers there, and their names beside
them: here they hold the names.
"""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from goldassay.errors import MissingExtraError, SourceError, shown
from goldassay.sources.engine import named, quoted
from goldassay.sources.opening import reading, status_of

__all__ = ["ABOUT", "dataset_files", "with_class_names", "write_parquet"]

#: Files of one dataset that are looked at, and how deep its folders go.
MOST_FILES, DEEPEST = 10_000, 3
_SHARD = re.compile(r"^(?P<split>.*?)(?:-\d{5}-of-\d{5}(?:-\w+)?)?$")
#: Arrow files of `save_to_disk` that hold no rows of the table.
_BESIDE = ("cache-", "tmp", "indices")
#: Tables of text, how they are packed, and files that say what a dataset is.
_TEXT, _PACKED = (".csv", ".tsv", ".jsonl", ".ndjson", ".json"), (".gz", ".zst")
ABOUT = ("dataset_info.json", "dataset_infos.json", "dataset_dict.json", "state.json")

Choose = Callable[[Path, list[str], str | None], str]


def dataset_files(text: str, split: str | None, choose: Choose) -> list[Path]:
    """The files of one split of a dataset folder; empty where `text` names none."""
    folder = Path(text)
    mode = status_of(folder)
    if mode is None or not stat.S_ISDIR(mode):
        return []
    with reading(text):
        splits = _splits(folder)
    if not splits:
        return []
    return splits[choose(folder, sorted(splits), split)]


def _splits(folder: Path) -> dict[str, list[Path]]:
    """Split -> its files: of Arrow or Parquet, or of text where there are none of these."""
    binary: dict[str, list[Path]] = {}
    text: dict[str, list[Path]] = {}
    for seen, path in enumerate(_inside(folder)):
        if seen == MOST_FILES:
            raise SourceError(
                str(folder),
                f"is a directory of more than {MOST_FILES:,} files",
                next_step="Name a file, or a glob",
            )
        parents = path.relative_to(folder).parts[:-1]
        inner = path.with_suffix("") if path.suffix in _PACKED else path
        if path.suffix == ".arrow" and not path.name.startswith(_BESIDE):
            binary.setdefault("/".join(parents) or "data", []).append(path)
        elif path.suffix == ".parquet":
            binary.setdefault(_split_of(path.stem, parents), []).append(path)
        elif inner.suffix in _TEXT and inner.name not in ABOUT:
            text.setdefault(_split_of(inner.stem, parents), []).append(path)
    return binary or text


def _split_of(stem: str, parents: Sequence[str]) -> str:
    match = _SHARD.match(stem)
    stem = match["split"] if match else stem
    # A folder per split holds files that are numbered and not named.
    named_by = () if stem.isdigit() or stem == "data" else (stem,)
    kept = tuple(part for part in parents if part != "data" or not named_by)
    return "/".join((*kept, *named_by)) or "data"


def _inside(folder: Path, depth: int = 0) -> Iterator[Path]:
    for path in sorted(islice(folder.iterdir(), MOST_FILES + 1)):
        if path.name.startswith("."):
            continue
        if path.is_file():
            yield path
        elif path.is_dir() and depth < DEEPEST:
            yield from _inside(path, depth + 1)


def write_parquet(path: Path, target: Path) -> None:
    """An Arrow file (a stream, or with a footer) as Parquet, a batch at a time."""
    try:
        import pyarrow as pa
        from pyarrow import ipc, parquet
    except ImportError:
        raise MissingExtraError("pyarrow", "arrow") from None
    try:
        with reading(path), pa.memory_map(str(path)) as mapped:
            batches: Any
            if mapped.read(6) == b"ARROW1":
                whole = ipc.open_file(mapped)
                batches = (whole.get_batch(at) for at in range(whole.num_record_batches))
            else:
                mapped.seek(0)
                whole = batches = ipc.open_stream(mapped)
            with parquet.ParquetWriter(target, whole.schema) as writer:
                for batch in batches:
                    writer.write_batch(batch)
    except (pa.ArrowException, EOFError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise SourceError(str(path), f"cannot be read as Arrow ({shown(reason, 120)})") from None


def with_class_names(relation: Any, connection: Any, paths: Sequence[Path]) -> Any:
    """Columns of class labels with the labels' names, where the first file declares them."""
    declared = _class_names(connection, paths[0])
    if not declared:
        return relation
    cells = []
    for name, kind in zip(relation.columns, relation.types, strict=True):
        labels = declared.get(name) if "INT" in str(kind) else None
        if labels is None:
            cells.append(named(name))
            continue
        listed = ", ".join(quoted(label) for label in labels)
        # -1 says that there is no label. A number without a name stays what it is.
        cells.append(
            f"CASE WHEN {named(name)} BETWEEN 0 AND {len(labels) - 1} "
            f"THEN [{listed}][CAST({named(name)} AS INTEGER) + 1] "
            f"WHEN {named(name)} <> -1 THEN CAST({named(name)} AS VARCHAR) END AS {named(name)}"
        )
    return relation.project(", ".join(cells))


def _class_names(connection: Any, path: Path) -> dict[str, list[str]]:
    place = quoted(re.sub(r"([*?\[])", r"[\1]", str(path)))  # no glob
    rows = connection.execute(
        f"SELECT value FROM parquet_kv_metadata({place}) WHERE key = 'huggingface'"
    ).fetchall()
    try:
        features = json.loads(rows[0][0])["info"]["features"]
        return {
            str(name): [str(label) for label in one["names"]]
            for name, one in features.items()
            if isinstance(one, dict) and one.get("_type") == "ClassLabel" and one.get("names")
        }
    except (IndexError, KeyError, TypeError, ValueError, AttributeError, RecursionError):
        return {}
