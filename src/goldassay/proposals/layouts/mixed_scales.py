"""Criteria in rows that are on different scales: one declaration cannot hold for all of them."""

from __future__ import annotations

import shlex

from goldassay.proposals.draft import Draft
from goldassay.proposals.profile import counted
from goldassay.proposals.shape import Shape, Table
from goldassay.ratings.vocabulary import ABSTAIN, INVALID, SYNONYMS, folded, number, polarity
from goldassay.words import listed, named

__all__ = ["ask_which_criterion"]

#: Criteria that are looked at; more are hardly criteria.
_MOST = 60
_SHOWN = 3


def ask_which_criterion(table: Table, shape: Shape, draft: Draft, value: str) -> None:
    """Where criteria share no label, some numbers and some words, which one is meant is asked."""
    names = [n for n in table.called(SYNONYMS["criterion"], but=shape.taken) if n != value]
    if not names or len(table.columns[names[0]].labels) > _MOST:
        return
    labels: dict[str, set[str]] = {}
    for (criterion, label), _ in counted(table.source, names[0], value).items():
        fold = folded(label)
        if fold and fold not in ABSTAIN | INVALID:
            labels.setdefault(criterion, set()).add(fold)
    apart = _apart(labels)
    if apart is None:
        return
    said = [f"{named(one) if one else 'none'} has {_shown(labels[one])}" for one in apart]
    draft.lack(
        f"Which criterion is asked about? They are on different scales: {' and '.join(said)}",
        *(f"--only {shlex.quote(f'{names[0]}={one}')}" for one in apart),
    )


def _apart(labels: dict[str, set[str]]) -> tuple[str, str] | None:
    """Two criteria of which one has numbers and the other words that no number stands for."""
    numeric = [c for c, mine in labels.items() if all(number(one) is not None for one in mine)]
    worded = [c for c, mine in labels.items() if all(number(one) is None for one in mine)]
    for one in sorted(numeric, key=lambda c: -len(labels[c])):  # a grade that differs, first
        for two in sorted(worded, key=lambda c: -len(labels[c])):
            verdicts = {"0", "1"} >= labels[one] and all(any(polarity(w)) for w in labels[two])
            if not verdicts:
                return one, two
    return None


def _shown(labels: set[str]) -> str:
    some = sorted(labels)[:_SHOWN]
    return listed([named(one) for one in some]) + (" and more" if len(labels) > _SHOWN else "")
