"""What all verbs share: options, reading, and the way out (text, JSON, files, gates)."""

from __future__ import annotations

import operator
import re
import shlex
import sys
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

from goldassay.errors import GateError, TaskError, UsageError, nearest, shown
from goldassay.ratings.task import Task, read_task
from goldassay.results import Exclusion, Findings, Input, Provenance, dumps, envelope
from goldassay.sources.writing import write_atomically

__all__ = [
    "DEFAULT_RESAMPLES",
    "DEFAULT_SEED",
    "JsonOption",
    "OutOption",
    "RatingsArgument",
    "RequireOption",
    "ResamplesOption",
    "SeedOption",
    "TaskOption",
    "deliver",
    "finish",
    "required_task",
    "write_atomically",
]

DEFAULT_SEED = 1
DEFAULT_RESAMPLES = 2000

RatingsArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="RATINGS...",
        help="CSV, TSV, JSONL, JSON, Parquet, DuckDB or SQLite files, or globs; FILE::TABLE. "
        "Several are one table.",
    ),
]
TaskOption = Annotated[
    str | None, typer.Option("--task", "-t", metavar="TOML", help="What the ratings mean.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the JSON document.")]
OutOption = Annotated[
    str | None,
    typer.Option("--out", "-o", metavar="FILE", help="Write to .json, .md, .html, .pdf or .txt."),
]
SeedOption = Annotated[int, typer.Option("--seed", min=0, help="Seed of every random draw.")]
ResamplesOption = Annotated[
    int, typer.Option("--resamples", min=100, max=1_000_000, help="Bootstrap resamples.")
]
RequireOption = Annotated[
    list[str] | None,
    typer.Option(
        "--require",
        metavar="GATE",
        help="Exit 1 unless it holds: 'cohen_kappa>=0.6', 'accuracy.low>0.8[judge=gpt]'.",
    ),
]


def required_task(path: str | None, ratings: str | Sequence[str]) -> Task:
    """The task file, or an error that says how to get one."""
    if path is not None:
        return read_task(path)
    named = ratings if isinstance(ratings, str) else shlex.join(ratings)
    raise TaskError(
        "--task",
        "what the ratings mean is declared in a task file",
        next_step=f"Let goldassay propose one: goldassay check {named} --write-task task.toml",
    )


def finish(
    verb: str,
    findings: Findings,
    *,
    task: Task | Mapping[str, Any] | None = None,
    inputs: Iterable[Input] = (),
    exclusions: Iterable[Exclusion] = (),
    rows: int | None = None,
    seed: int | None = None,
    as_json: bool = False,
    out: str | None = None,
    require: Sequence[str] | None = None,
) -> None:
    """Make the document of a verb, show or write it, and hold it against the gates."""
    from goldassay import __version__

    declared = task.to_json() if isinstance(task, Task) else dict(task or {})
    provenance = Provenance(__version__, tuple(inputs), seed, tuple(sys.argv[1:]))
    document = envelope(
        verb, findings, task=declared, provenance=provenance, exclusions=exclusions, rows=rows
    )
    deliver(document, as_json=as_json, out=(out,) if out is not None else (), require=require)


def deliver(
    document: Mapping[str, Any],
    *,
    as_json: bool = False,
    out: Sequence[str] = (),
    require: Sequence[str] | None = None,
) -> None:
    """Show a document or write it to files, and hold it against the gates."""
    gates = [_gate(text) for text in require or ()]
    failures = [line for gate in gates for line in _broken(gate, document)]
    contents = [(path, rendered(document, Path(path).suffix.lower(), place=path)) for path in out]
    for path, content in contents:
        write_atomically(path, content)
    if as_json:
        sys.stdout.write(dumps(document))
    elif not out:
        sys.stdout.write(str(rendered(document, ".txt")))
    else:
        from goldassay.words import visible

        for sentence in document["answer"]:  # names in it come from the data
            print(visible(sentence))
        print(f"Written: {', '.join(out)}")
    if failures:
        raise GateError("; ".join(failures))


_RENDERERS = {
    ".md": ("goldassay.rendering.markdown", "render_markdown"),
    ".html": ("goldassay.rendering.html", "render_html"),
    ".htm": ("goldassay.rendering.html", "render_html"),
    ".pdf": ("goldassay.rendering.pdf", "render_pdf"),
}


def rendered(document: Mapping[str, Any], suffix: str, *, place: str = "--out") -> str | bytes:
    """The document in the form that a file's suffix names."""
    if suffix == ".json":
        return dumps(document)
    if suffix in (".txt", ".text"):
        from goldassay.rendering.text import render_text

        return render_text(document, width=_width())
    if suffix in _RENDERERS:
        module, function = _RENDERERS[suffix]
        content: str | bytes = getattr(import_module(module), function)(document)
        return content
    raise UsageError(
        place, "is written as .json, .md, .html, .pdf or .txt", found=shown(suffix or "no suffix")
    )


def _width() -> int:
    import shutil

    return max(60, min(shutil.get_terminal_size((100, 24)).columns, 140))


_COMPARISONS = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "==": operator.eq,
}
_GATE = re.compile(
    r"^\s*(\w+)(?:\.(value|low|high))?\s*(>=|<=|==|>|<)\s*([-+.\deE]+)\s*(?:\[(\w+)=([^\]]*)\])?\s*$"
)


def _gate(text: str) -> tuple[str, str, str, str, float, tuple[str, str] | None]:
    match = _GATE.match(text)
    try:
        if match is None:
            raise ValueError
        name, end, sign, bound, key, label = match.groups()
        return text, name, end or "value", sign, float(bound), (key, label) if key else None
    except ValueError:
        raise UsageError(
            "--require",
            "a gate is NAME>=NUMBER, NAME.low>NUMBER or NAME>=NUMBER[judge=NAME]",
            found=shown(text),
        ) from None


def _broken(
    gate: tuple[str, str, str, str, float, tuple[str, str] | None], document: Mapping[str, Any]
) -> list[str]:
    text, name, end, sign, bound, only = gate
    results = document["results"]
    rows = [r for r in results if r["name"] == name and (not only or r.get(only[0]) == only[1])]
    if not rows:
        names = sorted({r["name"] for r in results})
        near = nearest(name, names)
        raise UsageError(
            f"--require {text}",
            "no result has this name",
            next_step=f"Did you mean {near!r}?" if near else f"The names: {', '.join(names)}",
        )
    failures = []
    for row in rows:
        value = row[end]
        if value is None or not _COMPARISONS[sign](value, bound):
            about = ", ".join(str(row[k]) for k in ("judge", "criterion", "level") if row.get(k))
            seen = "undefined" if value is None else f"{value:.4g}"
            failures.append(f"{text} does not hold: {seen}" + (f" for {about}" if about else ""))
    return failures
