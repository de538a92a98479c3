"""The scale of ratings of which a task says something already."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from goldassay.proposals.draft import Draft, Weight
from goldassay.proposals.labels.options import draft_scale
from goldassay.proposals.labels.used import Used
from goldassay.proposals.profile import LONGEST_LABEL
from goldassay.ratings.vocabulary import folded, number, positive_of
from goldassay.words import listed, named

__all__ = ["draft_declared_scale"]

#: What a scale has besides its options, which another scale has not.
_OF_SCALES = ("options", "positive", "tie", "ties", "weights")


def draft_declared_scale(used: Sequence[Used], draft: Draft, *, sides: bool) -> None:
    """The scale that labels suggest, as far as none is declared.

    Declared words for "no rating" are no labels, other ways of writing one are that one, and
    declared options are all of them.
    """
    said = draft.declared.task
    if said.get("options") or said.get("scale") == "continuous":
        draft.task["scale"] = said.get("scale", "nominal")
        return
    if not said:
        draft_scale(used, draft, sides=sides)
        return
    used = [replace(one, labels=_meant(one.labels, draft)) for one in used]
    open_, scale = len(draft.missing), said.get("scale")
    before = draft.copied()
    draft_scale(used, draft, sides=sides or scale == "pairwise")
    if scale is None and isinstance(said.get("positive"), str) and _two_of(draft):
        scale = "binary"
    if scale not in (None, draft.task.get("scale")):
        draft.missing = draft.missing[:open_]
        draft.forget_since(before, Weight.POSITIVE, Weight.OPTIONS)
        _other_scale(scale, used, draft)


def _two_of(draft: Draft) -> bool:
    return draft.task.get("scale") == "nominal" and len(draft.task.get("options", ())) == 2


def _meant(labels: Mapping[str, int], draft: Draft) -> dict[str, int]:
    """Labels by what they are declared to mean, without those that are no ratings."""
    said = draft.declared
    alias = {folded(one): other for one, other in said.table("labels").items()}
    aside = {folded(one) for key in ("abstain", "invalid") for one in said.task.get(key, ())}
    found: dict[str, int] = {}
    for label, rows in labels.items():
        meant = alias.get(folded(label), label)
        odd = said.task.get("undeclared") == "invalid" and len(label) > LONGEST_LABEL
        if folded(meant) not in aside and not odd:
            found[meant] = found.get(meant, 0) + rows
    return found


def _other_scale(scale: str, used: Sequence[Used], draft: Draft) -> None:
    """A declared scale that is not the one that the labels suggest: its options from the labels."""
    for key in _OF_SCALES:
        draft.task.pop(key, None)
    aside = {folded(one) for key in ("abstain", "invalid") for one in draft.task.get(key, ())}
    spelled: dict[str, str] = {}
    for one in sorted(used, key=lambda one: one.kind == "judge"):
        for label in one.labels:
            if folded(label) not in aside:
                spelled.setdefault(folded(label), label.strip())
    options = sorted(spelled.values(), key=lambda one: (number(one) or 0.0, one))
    draft.task |= {"scale": scale, "options": options}
    if scale == "binary":
        counted = draft.declared.task.get("positive") or _counted(options)
        draft.task["positive"] = counted
        draft.assume(Weight.POSITIVE, f"{named(counted)} is the option that is counted (positive)")
    elif scale == "ordinal" and any(number(one) is None for one in options):
        draft.lack(
            f"In which order do {listed([named(one) for one in options])} stand, worst first?",
            {"options": options},
            {"options": options[::-1]},
        )
    elif scale == "ordinal":
        draft.task["weights"] = "quadratic"
        shown = listed([named(one) for one in options])
        draft.assume(Weight.OPTIONS, f"the options in order are {shown}")


def _counted(options: Sequence[str]) -> str:
    """The option of two that says yes; the first where none does."""
    folds = {folded(one): one for one in options}
    found = positive_of(*folds) if len(folds) == 2 else None
    return folds.get(found or "", options[0] if options else "")
