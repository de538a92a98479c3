"""The declaration: what the ratings mean, said before any number is computed.

A `Task` is read from TOML, made from a mapping or written in Python, and held to the same rules
however it came. Where none is declared, `propose` drafts one, tells every guess, and what
is found with it is provisional.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, field, fields, replace
from itertools import combinations
from pathlib import Path
from typing import Any

from goldassay.errors import TaskError, nearest
from goldassay.frozen import dataclass
from goldassay.ratings.cut import Cut
from goldassay.ratings.declaring import (
    KINDS,
    READ,
    Abstentions,
    Asked,
    Calibration,
    Duplicates,
    Goal,
    Invalids,
    Level,
    Reference,
    ReferenceKind,
    ReferenceTies,
    Ties,
    Undeclared,
    Wide,
    as_spelled,
    read_options,
    read_table,
    read_worded,
    with_criteria,
)
from goldassay.ratings.rules import PLACE, RULES
from goldassay.ratings.scale import ScaleName
from goldassay.sources.form import Form
from goldassay.sources.toml import read_toml, toml_text

__all__ = ["KINDS", "Goal", "Task", "Wide", "read_task", "read_task_keys"]

#: Options of which all subsets are response sets when none are declared (1,023 sets).
MAX_SUBSETS_OF = 10


#: Keys that most tasks do not declare, and that documents have only where they are.
_RARE = (
    "option_texts",
    "criteria",
    "use",
    "prevalence",
    "item_rule",
    "criterion_weights",
    "rater_weights",
    "drawn_by",
    "asked",
    "population",
    "expires",
    "margin",
    "shared_labels",
)
#: Keys that name options.
_OF_OPTIONS = ("positive", "positives", "recode_to", "counted", "prevalence", "option_texts")


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What the numbers mean. Immutable; a broken rule is a `TaskError`, however it was made.

    >>> task = Task(scale="binary", options=("MET", "UNMET"), positive="MET", cluster="prompt")
    >>> task.negative
    'UNMET'
    """

    scale: ScaleName = "nominal"
    #: Options in order (ordinal: lowest first; pairwise: first system wins, second wins, tie).
    options: tuple[str, ...] = ()
    #: What options and criteria mean, in the words that people read who label.
    option_texts: Mapping[str, str] = field(default_factory=dict)
    criteria: Mapping[str, str] = field(default_factory=dict)
    positive: str | None = None
    #: What is counted, of several options; a list under `positive` in a task file.
    positives: tuple[str, ...] = ()
    #: What is counted, on an ordinal or continuous scale, as ">= 3".
    cut: str | None = None
    #: The option of a pairwise task that means a tie, and how ties count.
    tie: str | None = None
    ties: Ties = "half"
    #: Words that mean "abstained" and "invalid"; every other undeclared word is an error, or
    #: invalid too.
    abstain: tuple[str, ...] = ()
    invalid: tuple[str, ...] = ()
    undeclared: Undeclared = "error"
    #: Other ways of writing a label -> the label.
    labels: Mapping[str, str] = field(default_factory=dict)
    #: "verdict" reads which option a sentence names; else a pattern whose group is the label.
    reads: str | None = None
    abstentions: Abstentions = "exclude"
    recode_to: str | None = None
    invalids: Invalids = "exclude"
    #: unweighted | linear | quadratic, or an explicit K x K matrix of agreement weights.
    weights: str | tuple[tuple[float, ...], ...] = "unweighted"
    levels: tuple[Level, ...] = ("micro", "macro", "item")
    #: When an item is positive: "all" criteria are, or a share of their weights, as ">= 0.7".
    item_rule: str | None = None
    #: Criterion -> its weight in that share; 1 where none is given, below 0 for a fault.
    criterion_weights: Mapping[str, float] = field(default_factory=dict)
    cluster: str = "item"
    #: How several human ratings of one item become a reference, and what a tied vote becomes.
    reference: Reference = "majority"
    reference_ties: ReferenceTies = "exclude"
    #: Person -> weight of the vote in the majority; 1 where none is given.
    rater_weights: Mapping[str, float] = field(default_factory=dict)
    calibration: Calibration | None = None
    #: Judges by whose verdicts labels were drawn; where none is named, the one whose verdicts tell
    #: most of which units people rated.
    drawn_by: tuple[str, ...] = ()
    #: Option -> how common it is where the judge will be used; shares sum to 1.
    prevalence: Mapping[str, float] = field(default_factory=dict)
    #: What judges were asked about: all labelled items, or those of their rows. Where it is not
    #: said: what a store's calls say of judges that `run` asked, all labelled items of others.
    asked: Asked | None = None
    goal: Goal = "prevalence"
    confidence_level: float = 0.95
    #: Admissible response sets; all non-empty subsets of the options when none is given.
    response_sets: tuple[tuple[str, ...], ...] = ()
    #: What joins the options of a response set in one value, as "A|C".
    separator: str = "|"
    #: Which options each option may hide when only one may be chosen (sensitivity of `audit`).
    may_hide: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    #: The options that `audit` counts, where it is not the positive one alone.
    counted: tuple[str, ...] = ()
    #: What is good enough: `metric` (a result's name) and `at_least`. Without it no page says yes.
    use: Mapping[str, Any] = field(default_factory=dict)
    #: Of which items the results speak, in words, and until when a passport of them holds: a day,
    #: or a number of verdicts (`certify`).
    population: str | None = None
    expires: str | int | None = None
    #: By how much one system may be worse than another and still be called no worse (`compare`).
    margin: float | None = None
    #: Resample raters within items too, because other raters could have been asked.
    resample_raters: bool = False
    duplicates: Duplicates = "error"
    #: The judge errs alike on every system: labels of all correct each (`estimate`, `compare`).
    shared_labels: bool = False
    #: Columns within which error rates may differ (`estimate`, `plan`).
    strata: tuple[str, ...] = ()
    #: Judge -> family (of models), for self-preference.
    families: Mapping[str, str] = field(default_factory=dict)
    #: goldassay's column -> the file's; several names where several files differ.
    columns: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)
    wide: Wide | None = None
    #: Column -> what its ratings are about: rater, kind, criterion, system.
    cells: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    #: Who is a person and who a judge; it wins over a column `kind`.
    raters: Wide | None = None
    #: Reference -> what it is.
    references: Mapping[str, ReferenceKind] = field(default_factory=dict)
    #: Fixed values for columns the file lacks, as kind = "judge"; and those of single files.
    constants: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    #: How a text file is written: header, separator, decimal, cells that repeat the one above.
    file: Form | None = None

    def __post_init__(self) -> None:
        given: Any = self.positive
        if isinstance(given, list | tuple):
            several = read_options(given, f"{PLACE}, positive")
            object.__setattr__(self, "positive", several[0] if len(several) == 1 else None)
            object.__setattr__(self, "positives", several if len(several) > 1 else ())
        for spec in fields(self):
            value = getattr(self, spec.name)
            if value is None and spec.default is None:
                continue
            read = READ[spec.name](value, f"{PLACE}, {spec.name}")
            object.__setattr__(self, spec.name, read)
        for name in _OF_OPTIONS:
            object.__setattr__(self, name, self._as_spelled(getattr(self, name)))
        labels = {label: as_spelled(meant, self.options) for label, meant in self.labels.items()}
        object.__setattr__(self, "labels", labels)
        for rule in RULES:
            rule(self)
        # Response sets are written in the order of the options, whatever the file's order.
        order = {option: index for index, option in enumerate(self.options)}
        sets = tuple(tuple(sorted(one, key=order.__getitem__)) for one in self.response_sets)
        object.__setattr__(self, "response_sets", sets)

    def _as_spelled(self, said: Any) -> Any:
        """Options as the list of options spells them: one, several, or by name."""
        if isinstance(said, str):
            return as_spelled(said, self.options)
        if isinstance(said, Mapping):
            return {as_spelled(option, self.options): one for option, one in said.items()}
        return said and tuple(as_spelled(option, self.options) for option in said)

    @property
    def column_names(self) -> dict[str, tuple[str, ...]]:
        """goldassay's column -> the files' names of it."""
        return {ours: (t,) if isinstance(t, str) else t for ours, t in self.columns.items()}

    @property
    def negative(self) -> str | None:
        """The other option of a binary task."""
        if self.scale != "binary" or self.positive is None:
            return None
        return next(option for option in self.options if option != self.positive)

    @property
    def sets(self) -> tuple[tuple[str, ...], ...]:
        """The admissible response sets, each in the order of the options.

        All subsets where none are declared: 2^K - 1 of them, so that many options must declare.
        """
        if self.response_sets:
            return self.response_sets
        if len(self.options) > MAX_SUBSETS_OF:
            raise TaskError(
                f"{PLACE}, options",
                f"all subsets are admissible response sets up to {MAX_SUBSETS_OF} options only",
                found=f"{len(self.options)} options",
                next_step='Declare those that may occur, as response_sets = [["1"], ["1", "2"]]',
            )
        sizes = range(1, len(self.options) + 1)
        return tuple(subset for size in sizes for subset in combinations(self.options, size))

    @property
    def as_two(self) -> tuple[Task, Callable[[str], str | None]] | None:
        """The binary task behind several positive options or a cut, and which of its two options
        a label (or number) is; None where the task counts one option as it is."""
        cut = None if self.cut is None else Cut.of(self.cut)
        if cut is not None:
            yes, no = cut.yes, cut.no

            def side(label: str) -> str | None:
                try:
                    return yes if cut.holds(float(label)) else no
                except ValueError:
                    return None
        elif self.positives:
            rest = [option for option in self.options if option not in self.positives]
            yes, no = " or ".join(self.positives), " or ".join(rest)

            def side(label: str) -> str | None:
                return yes if label in self.positives else no if label in rest else None
        else:
            return None
        binary = replace(
            self,
            scale="binary",
            options=(yes, no),
            positive=yes,
            positives=(),
            cut=None,
            weights="unweighted",
            labels={},
            response_sets=(),
            may_hide={},
            recode_to=None if self.recode_to is None else side(self.recode_to),
            prevalence=_shares_of_two(self.prevalence, side),
        )
        return binary, side

    def to_json(self) -> dict[str, Any]:
        """The fields as JSON holds them; several positive options are a list under `positive`."""
        made = {spec.name: _plain(getattr(self, spec.name)) for spec in fields(self)}
        several = made.pop("positives")
        kept = {key: value for key, value in made.items() if value or key not in _RARE}
        return kept | {"positive": several or self.positive}

    def to_toml(self) -> str:
        """The declaration as TOML, defaults left out."""
        said = self.to_json()
        return toml_text(
            {key: v for key, v in said.items() if v is not None and v != _DEFAULTS[key]}
        )

    @classmethod
    def from_mapping(cls, raw: Mapping[str, Any], *, place: str = "task") -> Task:
        """A task from parsed TOML or JSON; the first broken rule is a `TaskError` at `place`."""
        keys = [key for key in READ if key != "positives"]
        for key in raw:
            if key not in keys:
                near = nearest(str(key), keys)
                hint = f"Did you mean {near!r}?" if near else f"The keys are: {', '.join(keys)}"
                raise TaskError(place, f"{key!r} is not a key of a task", next_step=hint)
        if isinstance(raw.get("options"), Mapping):  # [options.MET] text = "..."
            told = read_table(read_worded, "must be options", raw["options"], f"{place}, options")
            texts = {name: text for name, text in told.items() if text}
            raw = {"option_texts": texts, **raw, "options": list(told)}
        raw = _weights_apart(with_criteria(raw), place)
        try:
            return cls(**raw)
        except TaskError as error:
            raise error.at(place + error.place.removeprefix(PLACE)) from None


def read_task(path: str | Path) -> Task:
    """Read and validate a task file.

    Parameters
    ----------
    path
        A TOML file with the keys of `Task`.

    Returns
    -------
    Task
        What the ratings mean; a broken rule is a `TaskError` that names the file and the key.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "task.toml"
    >>> _ = path.write_text('scale = "binary"\\noptions = ["MET", "UNMET"]\\npositive = "MET"')
    >>> read_task(path).negative
    'UNMET'
    """
    return Task.from_mapping(read_task_keys(path), place=str(path))


def read_task_keys(path: str | Path) -> dict[str, Any]:
    """What a task file says, key by key, whether that is a whole task or not."""
    return read_toml(path, called="task file", wrong=TaskError, next_step="Give --task FILE.toml")


def _weights_apart(raw: Mapping[str, Any], place: str) -> Mapping[str, Any]:
    """[criteria.NAME] weight = 2 as a key of its own."""
    criteria = raw.get("criteria")
    told = {
        name: one["weight"]
        for name, one in (criteria.items() if isinstance(criteria, Mapping) else ())
        if isinstance(one, Mapping) and "weight" in one
    }
    if not told or not isinstance(criteria, Mapping):
        return raw
    if raw.get("criterion_weights"):
        raise TaskError(f"{place}, criterion_weights", "stand in [criteria] already")
    rest = {
        name: {key: value for key, value in one.items() if key != "weight"}
        if isinstance(one, Mapping)
        else one
        for name, one in criteria.items()
    }
    return {**raw, "criteria": rest, "criterion_weights": told}


def _shares_of_two(
    shares: Mapping[str, float], side: Callable[[str], str | None]
) -> dict[str, float]:
    """The shares of the two options that several become."""
    found: dict[str, float] = {}
    for label, share in shares.items():
        if (one := side(label)) is not None:
            found[one] = found.get(one, 0.0) + share
    return found


#: Keys of [file] that are told only where they are declared.
_RARELY_OF_FILES = (
    *("thousands", "totals", "rows", "votes", "times", "several", "pairs", "members", "log"),
)


def _plain(value: Any) -> Any:
    """A field's value as JSON holds it."""
    if isinstance(value, Wide):
        kinds = {kind: list(getattr(value, kind)) for kind in KINDS}
        return {kind: names for kind, names in kinds.items() if names or kind != "reference"}
    if isinstance(value, Form):
        keys = ("header", "separator", "decimal", "fill")
        rare = [k for k in _RARELY_OF_FILES if getattr(value, k)]
        plain = {k: _plain(getattr(value, k)) for k in (*keys, *rare)}
        tables = [k for k in ("votes", "several", "pairs") if k in rare]
        return plain | {k: dict(getattr(value, k)) for k in tables}
    if isinstance(value, Mapping):
        return {k: _plain(v) for k, v in value.items()}
    if isinstance(value, tuple):
        return [list(v) if isinstance(v, tuple) else v for v in value]
    return value


def _default(spec: Field[Any]) -> Any:
    return spec.default if spec.default_factory is MISSING else spec.default_factory()


#: What a task says of itself where nothing is declared (which alone is no task: it has no options).
_DEFAULTS: Mapping[str, Any] = {spec.name: _plain(_default(spec)) for spec in fields(Task)}
