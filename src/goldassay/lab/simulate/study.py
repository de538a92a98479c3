"""The declaration of a simulated study: what is true, before anything is drawn.

A study is read from TOML, made from a mapping or written in Python, and held to the same rules
however it came.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, fields
from numbers import Integral, Real
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from goldassay.errors import TaskError, nearest, shown
from goldassay.frozen import dataclass
from goldassay.sources.toml import read_toml

__all__ = ["Judge", "Raters", "Study", "read_study"]

DESIGNS = ("random", "by_verdict", "separate")
_SHARES = frozenset(
    {
        "sensitivity",
        "specificity",
        "abstain",
        "invalid",
        "noise",
        "lean",
        "response_sets",
        "correlation",
        "indeterminate",
        "labelled",
    }
)
_WHOLE = frozenset({"prompts", "number", "per_unit", "cluster_size", "samples"})
_AMOUNTS = frozenset({"abstain_when_unsure", "cost", "latency"})


@dataclass(frozen=True, kw_only=True)
class Judge:
    """A judge's error rates, and how it fails to answer.

    `systems` overrides sensitivity and specificity for outputs of a system. Abstentions fall on
    verdicts the judge is unsure of, the more so the larger `abstain_when_unsure`; 0 is at random.
    """

    place: ClassVar[str] = "judge"

    sensitivity: float = 0.85
    specificity: float = 0.85
    abstain: float = 0.0
    abstain_when_unsure: float = 0.0
    invalid: float = 0.0
    samples: int = 1
    #: Share of the evidence's variance that is new in every sample (the judge's own noise).
    noise: float = 0.2
    cost: float = 0.0
    latency: float = 0.0
    systems: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _check_numbers(self)
        for name, rates in _table(self.systems, f"{self.place}, systems").items():
            where = f"{self.place}, systems.{name}"
            for key, value in _table(rates, where).items():
                _check_key(key, ("sensitivity", "specificity"), where)
                _check_number(key, value, f"{where}, {key}")


@dataclass(frozen=True, kw_only=True)
class Raters:
    """People: how many there are, how many rate each labelled unit, and how they err.

    Where an item is indeterminate, a rater finds both options reasonable with the item's own
    probability and, forced to choose, takes the positive one with probability `lean`.
    """

    place: ClassVar[str] = "raters"

    number: int = 5
    per_unit: int = 3
    sensitivity: float = 0.97
    specificity: float = 0.97
    abstain: float = 0.0
    lean: float = 0.5
    #: Share of labelled units on which raters also give response sets.
    response_sets: float = 0.0

    def __post_init__(self) -> None:
        _check_numbers(self)


@dataclass(frozen=True, kw_only=True)
class Study:
    """A binary study: prompts answered by systems, judged on criteria, some labelled by people.

    >>> study = Study(prompts=40, judges={"gpt": {"sensitivity": 0.9, "abstain": 0.05}})
    >>> study.judges["gpt"].specificity
    0.85
    """

    place: ClassVar[str] = "study"

    prompts: int = 200
    systems: Mapping[str, float] = field(
        default_factory=lambda: {"alder": 0.8, "birch": 0.7, "cedar": 0.55}
    )
    #: Criteria and their shift of the prevalence on the logit scale.
    criteria: Mapping[str, float] = field(default_factory=lambda: {"": 0.0})
    judges: Mapping[str, Judge] = field(default_factory=lambda: {"judge": Judge()})
    raters: Raters = field(default_factory=Raters)
    #: Prompts come in clusters (threads, documents) of this size, correlated within.
    cluster_size: int = 1
    correlation: float = 0.0
    #: Share of units on which raters may find both options reasonable.
    indeterminate: float = 0.0
    #: Share of prompts that people label, and how these were drawn: random, by_verdict, separate.
    labelled: float = 1.0
    design: str = "random"
    #: Shift of the prevalence in the unlabelled test part, on the logit scale.
    shift: float = 0.0
    options: tuple[str, str] = ("MET", "UNMET")
    abstain_word: str = "CANNOT_ASSESS"

    def __post_init__(self) -> None:
        _check_numbers(self)
        _check_real(self.shift, f"{self.place}, shift")
        for key in ("systems", "criteria", "judges"):
            if not _table(getattr(self, key), f"{self.place}, [{key}]"):
                raise TaskError(f"{self.place}, [{key}]", "names at least one")
        for name, share in self.systems.items():
            _check_share(share, f"{self.place}, [systems] {name}")
        for name, shift in self.criteria.items():
            _check_real(shift, f"{self.place}, [criteria] {name}")
        judges = {
            name: _declared(Judge, one, f"{self.place}, [judges.{name}]")
            for name, one in self.judges.items()
        }
        object.__setattr__(self, "judges", judges)
        raters = _declared(Raters, self.raters, f"{self.place}, [raters]")
        object.__setattr__(self, "raters", raters)
        if self.design not in DESIGNS:
            raise TaskError(
                f"{self.place}, design",
                "is random, by_verdict or separate",
                found=shown(self.design),
            )
        self._check_words()

    def _check_words(self) -> None:
        words = self.options if isinstance(self.options, list | tuple) else (self.options,)
        if len(words) != 2:
            raise TaskError(f"{self.place}, options", "a simulated study is binary: two options")
        object.__setattr__(self, "options", tuple(words))
        said = (*words, self.abstain_word)
        if not all(isinstance(word, str) for word in said) or len(set(said)) != len(said):
            raise TaskError(
                f"{self.place}, options and abstain_word",
                "are three different texts",
                found=shown(said),
            )

    @classmethod
    def from_mapping(cls, raw: Mapping[str, Any], *, place: str = "study") -> Study:
        """A study from parsed TOML; the first broken rule is a `TaskError` at `place`."""
        return _declared(cls, raw, place)


def read_study(path: str | Path) -> Study:
    """A study from a TOML file; tables [systems], [criteria], [judges.NAME], [raters].

    Parameters
    ----------
    path
        A TOML file with the keys of `Study`.

    Returns
    -------
    Study
        The declared truths, for `simulate`; a broken rule is a `TaskError`.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "study.toml"
    >>> _ = path.write_text("prompts = 40\\n[judges.gpt]\\nsensitivity = 0.9")
    >>> read_study(path).prompts
    40
    """
    raw = read_toml(path, called="study file", wrong=TaskError)
    return Study.from_mapping(raw, place=str(path))


_Declared = TypeVar("_Declared", Judge, Raters, Study)


def _declared(kind: type[_Declared], raw: Any, place: str) -> _Declared:
    """What a table declares, its errors told at `place`; what is declared already stays."""
    if isinstance(raw, kind):
        return raw
    names = tuple(spec.name for spec in fields(kind))
    for key in _table(raw, place):
        _check_key(key, names, place)
    try:
        return kind(**raw)
    except TaskError as error:
        raise error.at(place + error.place.removeprefix(kind.place)) from None


def _table(value: Any, place: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise TaskError(place, "must be a table", found=shown(value))
    return value


def _check_key(key: str, known: tuple[str, ...], place: str) -> None:
    if key not in known:
        near = nearest(str(key), known)
        raise TaskError(
            place,
            f"{key!r} is not a key here",
            next_step=f"Did you mean {near!r}?" if near else f"Keys: {', '.join(known)}",
        )


def _check_numbers(one: Judge | Raters | Study) -> None:
    for spec in fields(one):
        _check_number(spec.name, getattr(one, spec.name), f"{one.place}, {spec.name}")


def _check_number(key: str, value: Any, place: str) -> None:
    if key in _SHARES:
        _check_share(value, place)
    if key in _WHOLE and not (_is_number(value, Integral) and value >= 1):
        raise TaskError(place, "is a whole number from 1", found=shown(value))
    if key in _AMOUNTS and not (_is_number(value, Real) and 0 <= value < float("inf")):
        raise TaskError(place, "is a number from 0", found=shown(value))


def _check_share(value: Any, place: str) -> None:
    if not (_is_number(value, Real) and 0 <= value <= 1):
        raise TaskError(place, "is a share from 0 to 1", found=shown(value))


def _check_real(value: Any, place: str) -> None:
    if not (_is_number(value, Real) and abs(value) < float("inf")):
        raise TaskError(place, "is a number", found=shown(value))


def _is_number(value: Any, kind: type) -> bool:
    return isinstance(value, kind) and not isinstance(value, bool)
