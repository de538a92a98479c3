"""Judges that rate on different scales: some in numbers, others in words that have a number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from goldassay.proposals.draft import Draft, Weight
from goldassay.proposals.labels.label_orders import orders_of
from goldassay.ratings.vocabulary import folded, number, positive_of
from goldassay.words import listed, named

__all__ = ["declare_numbers", "numbers_of_words"]


class _Used(Protocol):
    """What is looked at of a rater."""

    @property
    def kind(self) -> str: ...
    @property
    def labels(self) -> Mapping[str, int]: ...


def numbers_of_words(used: Sequence[_Used], options: Sequence[str]) -> dict[str, int]:
    """Folded words -> their numbers, where one judge rates in numbers and another in words.

    Of two opposites the one that is counted is 1 and the other 0; words in a known order are
    counted from 1. Nothing where a rater's words are neither, or where the judges use one scale:
    there a label means what it says.
    """
    words: dict[str, int] = {}
    ways: set[str] = set()
    for one in used:
        mine = {folded(label) for label in one.labels} & {*options}
        if mine and all(number(label) is not None for label in mine):
            way = "numbers" if len(mine) > 2 else ""  # 1 and 0 may be yes and no
        elif mine and (told := _told(sorted(mine))):
            if any(words.get(word, at) != at for word, at in told.items()):
                return {}
            words |= told
            way = "words"
        else:
            return {}
        ways |= {way} if one.kind == "judge" else set()
    return words if ways >= {"numbers", "words"} else {}


def _told(labels: Sequence[str]) -> dict[str, int]:
    """The numbers of one rater's words."""
    if len(labels) == 2 and (yes := positive_of(*labels)) is not None:
        return {label: int(label == yes) for label in labels}
    for order in orders_of(labels):
        if len(labels) > 2 and {*labels} <= {*order}:
            return {label: at for at, label in enumerate(order, 1) if label in labels}
    return {}


def declare_numbers(words: Mapping[str, int], draft: Draft) -> None:
    """Numbers, and words that are read as numbers."""
    draft.task["scale"] = "continuous"
    draft.task.setdefault("labels", {}).update({word: str(at) for word, at in words.items()})
    said = listed([f"{named(word)} as {at}" for word, at in words.items()])
    draft.assume(
        Weight.MEANING,
        f"judges rate on different scales: numbers as they are, {said}; larger is better",
    )
