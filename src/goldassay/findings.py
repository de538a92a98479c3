"""What a question returns: results, the answer in sentences, tables and pictures, their origin.

`Findings` shows itself in a terminal and in a notebook, gives its results by name or as a frame,
and saves itself as HTML, Markdown, JSON, CSV, PDF or text. It holds plain records alone: nothing of
it is open, lazy or shared, so that it can be kept, copied and used from several threads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from goldassay.charts import Chart
from goldassay.errors import UsageError, nearest, shown
from goldassay.frozen import dataclass
from goldassay.gates import Ground, Outcome, guessed_task, hold, outcomes
from goldassay.reference_words import Wording, names_of
from goldassay.results import (
    Exclusion,
    Gathered,
    Input,
    Provenance,
    Result,
    Row,
    Sentence,
    Summary,
    Table,
    dumps,
    envelope,
    frame_name,
)

__all__ = ["Findings", "Picture"]


@dataclass(frozen=True)
class Picture:
    """A chart that shows itself: SVG in a notebook, `save` to a file."""

    chart: Mapping[str, Any]

    @property
    def title(self) -> str:
        return str(self.chart["title"])

    def svg(self) -> str:
        """The picture as SVG text, with its own colours."""
        from goldassay.rendering.charts.alone import standing_alone

        return standing_alone(self.chart)

    def _repr_svg_(self) -> str:
        return self.svg()

    def save(self, path: str | Path) -> None:
        """Write the picture as an SVG file."""
        from goldassay.sources.writing import write_atomically

        write_atomically(path, self.svg())

    def __repr__(self) -> str:
        return f"Picture({self.title!r})"


@dataclass(frozen=True)
class Findings:
    """What a question found.

    `answer` says it in sentences that carry their facts, best first; `rows` are all results with
    what each is about; `exclusions` are the rows of the table that were read and not used.

    >>> import goldassay as ga
    >>> found = ga.agree(ga.simulate(prompts=20).ratings(), resamples=200)
    >>> found["accuracy", "judge"].n_items
    60
    >>> "accuracy" in found, ("accuracy", "nobody") in found
    (True, False)
    >>> [name for name in found if name.startswith("human_mean")]
    ['human_mean_pairwise_kappa']
    >>> len(found) == len(set(found))
    True
    >>> found.to_frame("polars").height == len(found.rows)
    True
    >>> found.require("accuracy >= 0.5") is found
    True
    """

    verb: str
    rows: tuple[Row, ...] = ()
    #: At most three sentences: what a reader takes away.
    answer: tuple[Sentence, ...] = ()
    #: One line per judge (system, pair, slice), best first.
    summary: Summary | None = None
    #: All other sentences, such as details of each judge and the paragraph on methods.
    notes: tuple[Sentence, ...] = ()
    tables: Mapping[str, Table] = field(default_factory=dict)
    pictures: tuple[Chart, ...] = ()
    warnings: tuple[str, ...] = ()
    task: Mapping[str, Any] = field(default_factory=dict)
    provenance: Provenance = field(default_factory=Provenance)
    exclusions: tuple[Exclusion, ...] = ()
    #: Ratings read; None where a question needs no table.
    rows_read: int | None = None
    #: Guesses that stand for a declaration, one line each; with any, the document is provisional.
    assumed: tuple[str, ...] = ()
    #: How labels and raters were read, where it is not as they stand in the file.
    readings: tuple[str, ...] = ()
    #: What a verb's document holds beside the common part (a report's parts, a diff's origin).
    more: Mapping[str, Any] = field(default_factory=dict)
    #: Columns of the ratings: which questions may follow. No part of the document.
    columns: tuple[str, ...] = ()
    #: References that judges are held against where there are no people: no text says people.
    references: tuple[str, ...] = ()
    #: What the results stand on, which gates look at. No part of the document.
    ground: Ground | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.references:
            names = names_of((row.about for row in self.rows), self.task)
            wording = Wording(len(self.references), names)
            for one in _IN_WORDS:
                object.__setattr__(self, one, wording.all_of(getattr(self, one)))

    @classmethod
    def of(cls, verb: str, gathered: Gathered, **made: Any) -> Findings:
        """Findings from what a study gathered and how it was made."""
        return cls(
            verb,
            rows=tuple(gathered.rows),
            answer=tuple(_sentence(one) for one in gathered.answer),
            notes=tuple(gathered.notes),
            tables=dict(gathered.tables),
            pictures=tuple(gathered.charts),
            warnings=tuple(gathered.warnings),
            **made,
        )

    # --- results by name --------------------------------------------------------------------

    def __getitem__(self, key: str | tuple[str, str]) -> Result:
        """The result of a name, or of a name and a judge: `found["cohen_kappa", "gpt-4o"]`.

        The headline row: all criteria, the declared handling and level. Where several rows fit,
        the error says which fields tell them apart; `rows_where` gives them all.
        """
        name, judge = (key, None) if isinstance(key, str) else key
        rows = self.rows_where(name=name, **({"judge": judge} if judge is not None else {}))
        if not rows:
            raise KeyError(self._unknown(name, judge))
        least = min(len(_special(row)) for row in rows)
        plainest = [row for row in rows if len(_special(row)) == least]
        if len(plainest) > 1:
            told = _told_apart(plainest)
            raise KeyError(
                f"{len(plainest)} results are called {name!r}; they differ in "
                f"{', '.join(f'{key} ({_some(values)})' for key, values in told.items())}: "
                f"use rows_where(name={name!r}, {next(iter(told), 'judge')}=...)"
            )
        return plainest[0].result

    def __iter__(self) -> Iterator[str]:
        """The names of the results, each once; `rows` has every result with what it is about."""
        return iter(dict.fromkeys(row.result.name for row in self.rows))

    def __contains__(self, key: object) -> bool:
        """Whether a result has this name, or this name and judge."""
        name, judge = key if isinstance(key, tuple) and len(key) == 2 else (key, None)
        about = {} if judge is None else {"judge": judge}
        return isinstance(name, str) and bool(self.rows_where(name=name, **about))

    def __len__(self) -> int:
        return len(list(iter(self)))

    def __bool__(self) -> bool:
        """Findings are there, whether a result is among them or not."""
        return True

    def rows_where(self, *, name: str | None = None, **about: str | None) -> tuple[Row, ...]:
        """The rows of a name that are about what is named: `rows_where(judge="gpt-4o")`."""
        return tuple(
            row
            for row in self.rows
            if (name is None or row.result.name == name)
            and all(row.about.get(key) == value for key, value in about.items())
        )

    def _unknown(self, name: str, judge: str | None) -> str:
        names = sorted({row.result.name for row in self.rows})
        if name not in names:
            near = nearest(name, names)
            return f"no result is called {name!r}" + (f"; did you mean {near!r}?" if near else "")
        judges = sorted({str(row.about["judge"]) for row in self.rows if row.about.get("judge")})
        return f"no {name} is about the judge {judge!r}; judges are {', '.join(judges)}"

    def to_frame(self, backend: Any = None) -> Any:
        """One row per result, in the library of the reader: pandas, Polars or PyArrow.

        `backend` is a library's name or module; without it, that of the frame which was asked
        about, or the one that is installed, in this order: pandas, Polars, PyArrow.
        """
        import narwhals as nw

        columns = _columns([row.to_json() for row in self.rows])
        library: Any = backend or _library_of(self.provenance.inputs) or _installed()
        return nw.from_dict(columns, backend=library).to_native()

    @property
    def charts(self) -> Mapping[str, Picture]:
        """The pictures by their titles."""
        drawn = (Picture(chart.to_json()) for chart in self.pictures)
        return MappingProxyType({one.title: one for one in drawn})

    @property
    def provisional(self) -> bool:
        """Whether something was assumed that a task would declare."""
        return bool(self.assumed)

    # --- gates --------------------------------------------------------------------------------

    def require(self, *gates: str) -> Findings:
        """Raise `GateNotMet` unless every gate holds: `found.require("cohen_kappa.low >= 0.6")`.

        Where missing verdicts could turn one, and none is not met, `GateInconclusive`.
        """
        hold(self.held_against(*gates))
        return self

    def held_against(self, *gates: str) -> tuple[Outcome, ...]:
        """What comes of every gate for every result that it concerns, held or not.

        A guessed task holds no gate: what numbers mean must be declared first.
        """
        if gates and self.assumed:
            raise guessed_task(self.assumed[0])
        results = [row.to_json() for row in self.rows]
        said = [one.to_json() for one in (*self.answer, *self.notes)]
        return outcomes(gates, results, said, self.ground)

    # --- documents and files ------------------------------------------------------------------

    def document(self) -> dict[str, Any]:
        """The JSON document: text, Markdown, HTML and PDF are made of nothing else."""
        content = {
            "results": [row.to_json() for row in self.rows],
            "answer": [one.text for one in self.answer],
            "assumed": list(self.assumed),
            "readings": list(self.readings),
            "summary": self.summary.to_json(self.rows) if self.summary else None,
            "sentences": [one.to_json() for one in (*self.answer, *self.notes)],
            "tables": {name: table.to_json() for name, table in self.tables.items()},
            "charts": [chart.to_json() for chart in self.pictures],
            "warnings": list(self.warnings),
        }
        return {
            **({"references": list(self.references)} if self.references else {}),
            **envelope(
                self.verb,
                content=content,
                task=self.task,
                provenance=self.provenance,
                exclusions=self.exclusions,
                rows=self.rows_read,
            ),
            **self.more,
        }

    def save(self, path: str | Path, *more: str | Path, full: bool = False) -> None:
        """Write the findings whole or not at all, in the form that each path's suffix names.

        Text (.txt) is the first screen unless `full`; every other form holds everything.
        """
        from goldassay.rendering.formats import rendered
        from goldassay.sources.writing import write_atomically

        document = self.document()
        made = [
            (one, rendered(document, Path(one).suffix, place=str(one), full=full))
            for one in (path, *more)
        ]
        for one, content in made:
            write_atomically(one, content)

    def to_json(self) -> str:
        return dumps(self.document())

    def asked_by(self, argv: Sequence[str]) -> Findings:
        """The same findings, asked by a command line; files in it lose their folders.

        With `--pseudonyms` it does not say whose rows were left out, either.
        """
        words = tuple(_without_folder(word) for word in argv)
        words = _without_people(words) if "--pseudonyms" in words else words
        return replace(self, provenance=replace(self.provenance, argv=words))

    # --- shown --------------------------------------------------------------------------------

    def __repr__(self) -> str:
        """One screen: the answer, the summary, and how much more there is."""
        from goldassay.rendering.text import Screen, held, render_text

        document = self.document()
        return render_text(document, screen=Screen(end=(held(document),))).rstrip("\n")

    def _repr_html_(self) -> str:
        from goldassay.rendering.notebook import notebook_html

        return notebook_html(self.document())


#: What of findings is in words.
_IN_WORDS = (
    *("rows", "answer", "summary", "notes", "tables", "pictures", "warnings", "exclusions"),
    *("assumed", "readings", "more"),
)


def _without_people(words: Sequence[str]) -> tuple[str, ...]:
    """A command line without the labels of rows that it narrows to: they may name people.

    >>> _without_people(["report", "r.csv", "--exclude", "rater=kim", "--only=rater=lee"])
    ('report', 'r.csv', '--exclude', 'rater=...', '--only=rater=...')
    """
    hidden: list[str] = []
    for before, word in zip(("", *words), words, strict=False):
        option, given, label = word.partition("=")
        joined = option in _NARROWING and bool(given)
        column = f"{option}={label.partition('=')[0]}" if joined else option
        hidden.append(f"{column}=..." if joined or before in _NARROWING else word)
    return tuple(hidden)


_NARROWING = ("--only", "--exclude")


def _without_folder(word: str) -> str:
    """A word of a command line; a path on this machine without its folder, as documents travel.

    "acme/judge-1" is a name, unless there is a folder "acme" here.
    """
    option, sign, value = word.partition("=") if word.startswith("--") else ("", "", word)
    path = Path(value)
    try:
        is_path = path.parent != Path() and path.parent.is_dir()
    except (OSError, ValueError):  # too long for a path, or a NUL in it
        is_path = False
    return f"{option}{sign}{path.name}" if is_path and path.name else word


def _sentence(said: Sentence | str) -> Sentence:
    return said if isinstance(said, Sentence) else Sentence("", said)


def _special(row: Row) -> list[str]:
    """What makes a row other than the headline."""
    about = row.about
    special = [k for k, v in about.items() if v is not None and k not in ("judge", "level")]
    return special + (["level"] if about.get("level") not in (None, "micro") else [])


def _told_apart(rows: Sequence[Row]) -> dict[str, list[str]]:
    """The fields in which rows differ, with their values."""
    keys = dict.fromkeys(key for row in rows for key in row.about)
    found = {key: list(dict.fromkeys(str(row.about.get(key)) for row in rows)) for key in keys}
    return {key: values for key, values in found.items() if len(values) > 1}


def _some(values: Sequence[str]) -> str:
    return ", ".join(values[:4]) + (", ..." if len(values) > 4 else "")


_LISTS = ("declared", "assumptions", "warnings")


def _columns(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Rows of results as columns; nested fields as text, so that every library takes them."""
    names = dict.fromkeys(key for row in rows for key in row)
    columns = {name: [row.get(name) for row in rows] for name in names}
    return columns | {name: list(map(_text, columns[name])) for name in _LISTS if name in columns}


def _text(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return "; ".join(f"{key}: {item}" for key, item in value.items())
    return "; ".join(map(str, value)) if isinstance(value, Iterable) else str(value)


_LIBRARIES = ("pandas", "polars", "pyarrow")


def _library_of(inputs: Sequence[Input]) -> str | None:
    """The library of the first frame among what was read."""
    read = {one.name for one in inputs if one.sha256 is None}
    return next((name for name in _LIBRARIES if frame_name(name) in read), None)


def _installed() -> str:
    from importlib.util import find_spec

    for name in _LIBRARIES:
        if find_spec(name) is not None:
            return name
    raise UsageError(
        "to_frame",
        "needs a library of frames",
        found=shown("no pandas, polars or pyarrow"),
        next_step="Install one of them, or use found.rows",
    )
