"""Judges that rate on different scales: some in numbers, others in words that have a number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from goldassay.proposals.draft import Draft, Weight
from goldassay.proposals.labels.label_orders import orders_of
from goldassay.ratings.vocabulary import folded, number, positive_of
from goldassay.words import listed, named

__all__ = ["declare_numbers", "declare_words", "numbers_of_words", "words_of_numbers"]


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


def words_of_numbers(used: Sequence[_Used], options: Sequence[str]) -> dict[str, str]:
    """Folded number -> word, where some raters use three words or more in a known order, and all
    others count the same order from 1 on without its words; else nothing."""
    words = [one for one in options if number(one) is None]
    numbers = [one for one in options if number(one) is not None]
    counted = [str(at) for at in range(1, len(words) + 1)]
    if len(words) < 3 or len(numbers) < 3 or not {*numbers} <= {*counted} or "1" not in numbers:
        return {}
    for one in used:  # nobody writes both
        mine = {folded(label) for label in one.labels} & {*options}
        if mine & {*words} and mine & {*numbers}:
            return {}
    order = next((one for one in orders_of(words) if {*words} <= {*one}), ())
    ordered = [word for word in order if word in words]
    return dict(zip(counted, ordered, strict=True)) if ordered and counted[-1] in numbers else {}


def declare_words(words: Mapping[str, str], draft: Draft) -> None:
    """Numbers that are read as the words in whose order they stand."""
    draft.task.setdefault("labels", {}).update(words)
    said = listed([f"{named(at)} means {named(word)}" for at, word in words.items()])
    draft.assume(
        Weight.MEANING, f"{said}: some count the order of others' words; if 1 is the best, not so"
    )


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
