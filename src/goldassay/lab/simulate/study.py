"""The declaration of a simulated study: what is true, before anything is drawn."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from goldassay.errors import SourceError, TaskError, nearest, shown

__all__ = ["Judge", "Raters", "Study", "read_study"]


@dataclass(frozen=True, kw_only=True)
class Judge:
    """A judge's error rates, and how it fails to answer.

    `systems` overrides sensitivity and specificity for outputs of a system. Abstentions fall on
    verdicts the judge is unsure of, the more so the larger `abstain_when_unsure`; 0 is at random.
    """

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


@dataclass(frozen=True, kw_only=True)
class Raters:
    """People: how many there are, how many rate each labelled unit, and how they err.

    Where an item is indeterminate, a rater finds both options reasonable with the item's own
    probability and, forced to choose, takes the positive one with probability `lean`.
    """

    number: int = 5
    per_unit: int = 3
    sensitivity: float = 0.97
    specificity: float = 0.97
    abstain: float = 0.0
    lean: float = 0.5
    #: Share of labelled units on which raters also give response sets.
    response_sets: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Study:
    """A binary study: prompts answered by systems, judged on criteria, some labelled by people."""

    prompts: int = 200
    systems: Mapping[str, float] = field(
        default_factory=lambda: {"alder": 0.8, "birch": 0.7, "cedar": 0.55}
    )
    #: Criteria and their shift of the prevalence on the logit scale.
    criteria: Mapping[str, float] = field(default_factory=lambda: {"": 0.0})
    judges: Mapping[str, Judge] = field(default_factory=lambda: {"judge": Judge()})
    raters: Raters = Raters()
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


_SHARES = {
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
_POSITIVE = {"prompts", "number", "per_unit", "cluster_size", "samples"}


def read_study(path: str | Path) -> Study:
    """A study from a TOML file; tables [systems], [criteria], [judges.NAME], [raters]."""
    try:
        raw = tomllib.loads(Path(path).read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise SourceError(str(path), f"cannot be read ({error.strerror})") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise TaskError(str(path), f"is not valid TOML ({error})") from None
    place = str(path)
    values = _known(raw, Study, place)
    if "judges" in values:
        values["judges"] = {
            name: Judge(**_known(one, Judge, f"{place}, [judges.{name}]"))
            for name, one in values["judges"].items()
        }
    if "raters" in values:
        values["raters"] = Raters(**_known(values["raters"], Raters, f"{place}, [raters]"))
    if "options" in values:
        values["options"] = tuple(values["options"])
        if len(values["options"]) != 2:
            raise TaskError(f"{place}, options", "a simulated study is binary: two options")
    for name, share in values.get("systems", {}).items():
        _check("sensitivity", share, f"{place}, [systems] {name}")
    if values.get("design", "random") not in ("random", "by_verdict", "separate"):
        raise TaskError(
            f"{place}, design", "is random, by_verdict or separate", found=shown(values["design"])
        )
    return Study(**values)


def _known(raw: Any, kind: type, place: str) -> dict[str, Any]:
    if not isinstance(raw, dict):
        raise TaskError(place, "must be a table", found=shown(raw))
    names = [spec.name for spec in fields(kind)]
    for key, value in raw.items():
        if key not in names:
            near = nearest(key, names)
            raise TaskError(
                place,
                f"{key!r} is not a key here",
                next_step=f"Did you mean {near!r}?" if near else f"Keys: {', '.join(names)}",
            )
        _check(key, value, f"{place}, {key}")
    return dict(raw)


def _check(key: str, value: Any, place: str) -> None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if key in _SHARES and not (is_number and 0 <= value <= 1):
        raise TaskError(place, "is a share from 0 to 1", found=shown(value))
    if key in _POSITIVE and not (isinstance(value, int) and is_number and value >= 1):
        raise TaskError(place, "is a whole number from 1", found=shown(value))
