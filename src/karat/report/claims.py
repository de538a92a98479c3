"""The first screen: the verdict in three plain sentences, and what may and may not be said.

Every sentence follows from results of the document, with its interval; nothing is said that a
result does not carry. The wording avoids the names of coefficients.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from karat.report.methods import words
from karat.report.shown import number, visible

__all__ = ["claims", "verdict"]

Document = Mapping[str, Any]

#: Numbers whose absence the first screen mentions.
_CORE = frozenset({"accuracy", "balanced_accuracy", "cohen_kappa", "prevalence", "kendall_tau"})
#: Which questions speak first: the choice or the trust, then the rate, then the reservations.
_TURNS = (("select", "agree"), ("estimate", "rank"), ("audit", "plan", "rank", "agree"))


def verdict(parts: Sequence[Document]) -> list[str]:
    """Three sentences: which judge and how far to trust it, the true rate, and the main caveat."""
    answers = {part["verb"]: list(part.get("answer", ())) for part in parts}
    said: list[str] = []
    for turn in _TURNS:
        fresh = (one for verb in turn for one in answers.get(verb, ())[:1] if one not in said)
        if (sentence := next(fresh, None)) is not None:
            said.append(sentence)
    rest = (one for part in parts for one in part.get("answer", ())[:2] if one not in said)
    while len(said) < 3 and (sentence := next(rest, None)) is not None:
        said.append(sentence)
    return said


def claims(document: Document) -> dict[str, list[str]]:
    """What the results carry, and what they do not, in sentences a reader may quote."""
    rows = [row for row in document.get("results", ()) if row.get("criterion") is None]
    may = [*_agreement(rows), *_rates(rows)]
    may_not = [
        *_no_better_than_chance(rows),
        *_raw_rates(rows),
        *_undefined(document.get("results", ())),
        _elsewhere(rows),
    ]
    return {"may": may[:5], "may_not": [one for one in may_not if one][:5]}


def _percent(value: float) -> str:
    return f"{100 * value:.0f} %"


def _range(row: Document) -> str:
    low, high = row.get("low"), row.get("high")
    if low is None or high is None:
        return ""
    return f" (likely {100 * max(low, 0):.0f} to {100 * min(high, 1):.0f} %)"


def _micro(rows: Iterable[Document], name: str) -> list[Document]:
    return [
        row for row in rows
        if row["name"] == name and row.get("value") is not None and row.get("judge")
        and row.get("level") in (None, "micro") and row.get("system") is None
    ]  # fmt: skip


def _agreement(rows: Sequence[Document]) -> list[str]:
    found = sorted(_micro(rows, "accuracy"), key=lambda row: -row["value"])
    unique = {row["judge"]: row for row in reversed(found)}
    shown = sorted(unique.values(), key=lambda row: -row["value"])[:2]
    return [
        f"“{visible(row['judge'], 60)} gives the people's verdict on {_percent(row['value'])} of "
        f"items{_range(row)}”, for items like these {number(row['n_items'])}."
        for row in shown
    ]


def _rates(rows: Sequence[Document]) -> list[str]:
    found = [row for row in rows if row["name"] == "prevalence" and row.get("value") is not None]
    headline = [row for row in found if row.get("verb") == "estimate"][:1]
    return [f"“The true rate is {_percent(row['value'])}{_range(row)}.”" for row in headline]


def _no_better_than_chance(rows: Sequence[Document]) -> list[str]:
    weak = [row for row in _micro(rows, "cohen_kappa") if (row.get("low") or 0) <= 0]
    names = list(dict.fromkeys(visible(row["judge"], 60) for row in weak))
    if not names:
        return []
    who = names[0] if len(names) == 1 else f"{', '.join(names[:3])}" + (
        f" and {len(names) - 3} more" if len(names) > 3 else ""
    )  # fmt: skip
    return [f"“{who} agrees with people more than chance would”: these items do not show it."]


def _raw_rates(rows: Sequence[Document]) -> list[str]:
    rates = [row for row in rows if row["name"] in ("naive", "verdict_rate", "naive_rate")]
    if not rates or rates[0].get("value") is None:
        return []
    return [
        f"“The rate is {_percent(rates[0]['value'])}”: that is the judge's rate, errors and all."
    ]


def _undefined(rows: Sequence[Document]) -> list[str]:
    core = [row for row in rows if row.get("undefined") and row["name"] in _CORE]
    if not core:
        return []
    first = core[0]
    about = ", ".join(visible(first[key], 60) for key in ("judge", "criterion") if first.get(key))
    more = f" So are {len(core) - 1} more of its kind." if len(core) > 1 else ""
    why = f"{words(first['name'])} is undefined, {first['undefined']}"
    return [f"A number for {about or 'this'}: {why}.{more}"]


def _elsewhere(rows: Sequence[Document]) -> str:
    items = max((row.get("n_items") or 0 for row in rows), default=0)
    return (
        f"That any of this holds for other items, another prompt or the next version of a judge: "
        f"it was measured on {number(items)} items with these judges as they were."
        if items
        else ""
    )
