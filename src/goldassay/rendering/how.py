"""How one number was made, in a few lines that open beside it."""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from operator import itemgetter
from typing import Any

from goldassay.glossary import method_of
from goldassay.reference_words import REFERENCE
from goldassay.rendering.blocks import Facts
from goldassay.rendering.columns import PAIR
from goldassay.words import percent, value_text, visible

__all__ = [
    "POINTS",
    "Numbered",
    "command",
    "facts_of",
    "found_row",
    "handling",
    "how_anchor",
    "interval_of",
    "setting_text",
    "several",
]

Document = Mapping[str, Any]

#: Lines of people's own rate, or the reference's, which stand beside the judges'.
PEOPLE = ("people", REFERENCE, f"{REFERENCE}s")
#: What makes two rows the same number.
_SAME = ("name", "value", "low", "high", "n_items")
#: Keys of a row that say whom or what it is about.
_ABOUT = (
    *("judge", "other", "rater", "system", "opponent", "criterion", "option"),
    *("level", "mode", "aggregation", "stratum"),
)


class Numbered(dict[str, Any]):
    """A document whose results are looked up by their numbers, of which a page shows hundreds."""

    @cached_property
    def by_number(self) -> Mapping[tuple[Any, ...], Sequence[tuple[int, Document]]]:
        """The results of each number, with their places."""
        found: dict[tuple[Any, ...], list[tuple[int, Document]]] = {}
        for place, row in enumerate(self.get("results", ())):
            found.setdefault(_number(row), []).append((place, row))
        return found


def _number(row: Document) -> tuple[Any, ...]:
    return tuple(row.get(key) for key in _SAME)


def found_row(shown: Document, document: Document, verb: str, label: str = "") -> Document | None:
    """The whole result behind a number that is shown: of equal ones, that of the line's label."""
    own = {**shown, "name": str(shown.get("name")).replace(POINTS, "", 1)}
    turned = {**own, **{a: _less(own.get(b)) for a, b in _TURNED}}
    by_number = (document if isinstance(document, Numbered) else Numbered(document)).by_number
    same = {_number(one) for one in (shown, own, turned)}
    rows = sorted((place for key in same for place in by_number.get(key, ())), key=itemgetter(0))
    found = [row for _, row in rows if row.get("verb") in (None, verb)]
    # Of equal numbers (two judges on one criterion) the one that the whole label names.
    best = max(found, key=lambda row: _told(row, label), default=None)
    if best is None:
        return None
    swapped = f"{best.get('opponent')}{PAIR}{best.get('system')}"
    return _turn(best) if swapped in label or best["value"] != own["value"] else dict(best)


#: In a name: a difference of rates, which is shown in points.
POINTS = "_of_rates"
#: A difference may be shown the other way round.
_TURNED = (("value", "value"), ("low", "high"), ("high", "low"))


def _turn(row: Document) -> dict[str, Any]:
    """A difference as it is shown: of the two systems the other one first."""
    sides = {"system": row.get("opponent"), "opponent": row.get("system")}
    ends = {a: _less(row.get(b)) for a, b in _TURNED}
    declared = dict(row.get("declared") or {})
    if (verdict := declared.get("verdict")) is not None:
        declared["verdict"] = {"better": "worse", "worse": "better"}.get(verdict)
    return {**row, **ends, **{k: v for k, v in sides.items() if v}, "declared": declared}


def _less(value: Any) -> Any:
    return value if value is None else -value


def _told(row: Document, label: str) -> int:
    """How many parts of a line's label a row is about; more where the label is one of them."""
    about = {str(row[key]) for key in _ABOUT if row.get(key)}
    parts = label.replace(PAIR, " · ").split(" · ")
    return len(parts) + 1 if label in about else sum(part in about for part in parts)


def facts_of(
    shown: Document, document: Document, verb: str, label: str = "", kind: str = ""
) -> Facts:
    """What it means, what it is about, how it was handled, its interval, and the command.

    A number that is none of the results is about the line that shows it: its kind and label.
    """
    row = found_row(shown, document, verb, label) or {**shown, **({kind: label} if kind else {})}
    rater = label.split(" · ", maxsplit=1)[0]
    if kind == "rater" and rater in PEOPLE:  # one rate, whichever judge it is of
        row = {**row, "judge": None, "rater": rater}
    known = method_of(str(row["name"]), verb)
    about = ", ".join(f"{key} {visible(row[key], 60)}" for key in _ABOUT if row.get(key))
    facts = (
        ("why", visible(shown.get("undefined") or row.get("undefined") or "", 400)),
        ("means", known.meaning if known else ""),
        ("about", about),
        ("number", f"{row['n_items']:,}" if row.get("n_items") else ""),
        ("interval", interval_of(row)),
        ("handled", handling(row, document)),
        ("assumes", several(row.get("assumptions") or ())),
        ("beware", several(row.get("warnings") or ())),
        ("command", command(document, verb)),
    )
    return tuple((word, text) for word, text in facts if text)


def interval_of(row: Document) -> str:
    """The level and the method of a result's interval."""
    level, method = row.get("confidence_level"), visible(row.get("method") or "", 200)
    return ", ".join(filter(None, (percent(level), method))) if level else ""


def handling(row: Document, document: Document) -> str:
    """What a number was declared to be, in a line."""
    declared = "; ".join(
        f"{visible(key, 60)} = {setting_text(value)}"
        for key, value in _declared(row, document).items()
        if value not in (None, "")
    )
    return visible(declared, 600)


#: What a task declares of every number, used or not, and the word that results have for it.
_OF_TASK = {
    "scale": "scale",
    "reference": "reference",
    "abstentions": "abstentions",
    "invalids": "invalids",
    "ties": "ties",
    "weights": "weights",
    "cluster": "resampling_unit",
}


def _declared(row: Document, document: Document) -> Mapping[str, Any]:
    """What a number was declared to be; of one that could not be made, what the task declares."""
    found: Mapping[str, Any] = row.get("declared") or {}
    if found or row.get("value") is not None:
        return found
    task = document.get("task") or {}
    without = {"ties"} if task.get("scale") != "pairwise" else set()
    return {ours: task.get(key) for key, ours in _OF_TASK.items() if key not in without}


def setting_text(value: Any) -> str:
    """A setting as one would write it: 86 and 0.15, not 86.000 and 0.150."""
    short = isinstance(value, float) and math.isfinite(value) and abs(value) < 1000
    return f"{value:.4g}" if short else value_text(value)


def command(document: Document, verb: str) -> str:
    """The command line that prints a question's numbers."""
    parts = document.get("parts") or ()
    argv = (document.get("provenance") or {}).get("argv") or ()
    if not parts and argv:
        return visible(f"goldassay {shlex.join(argv)}", 400)
    return next((visible(p.get("command") or "", 400) for p in parts if p.get("verb") == verb), "")


def several(texts: Iterable[str]) -> str:
    """A few texts in a line."""
    return "; ".join(visible(text, 300) for text in list(texts)[:4])


@lru_cache(maxsize=4096)  # the same name stands in many tables
def how_anchor(verb: str, name: str) -> str:
    """A name that is safe and unambiguous as an HTML id."""
    name = f"how-{verb}-{name}" if verb else f"how-{name}"
    kept = (c if c.isascii() and (c.isalnum() or c in "-_") else f".{ord(c):x}." for c in name)
    return "".join(kept)
