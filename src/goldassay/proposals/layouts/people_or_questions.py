"""Whether columns that name nobody are people, or questions that were asked."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from goldassay.proposals.draft import Draft
from goldassay.proposals.layouts.numbered_names import differ_in_number, numbered_name
from goldassay.proposals.layouts.one_scale import ask_which_scale, criteria_of, groups_of
from goldassay.proposals.layouts.raters_and_criteria import raters_and_criteria
from goldassay.proposals.layouts.roles import is_annotation
from goldassay.proposals.shape import Table, some
from goldassay.ratings.vocabulary import (
    BAD,
    CRITERIA,
    FOUND_IN_TEXTS,
    GENERIC,
    GOOD,
    kind_of,
    words,
)

__all__ = ["are_called_as_people", "ask_whether_questions", "may_be_people", "may_be_questions"]

#: How words end that say what is asked, and hardly any name does.
_ASKED = re.compile(r"(ity|ness|tion|sion|ism|ful|less|.{4}(able|ible|ive|acy|ance|ence)|.{5}ing)$")


#: What ways of making an output are called.
_VARIANTS = frozenset(
    [
        *("original", "baseline", "base", "fine", "finetuned", "tuned", "sft", "dpo", "rlhf"),
        *("before", "after", "vanilla", "control", "treatment", "proposed", "ours", "rag", "new"),
        *("old", "candidate", "improved", "model", "system", "output", "prompt"),
    ]
)


#: So many words side by side are rather what was asked than who answered.
_MANY_NAMES = 4


def are_called_as_people(names: Sequence[str]) -> bool:
    """Whether all are names of one word, or one word and a number or letter (`maria`, `r1`,
    `annotation_2`), and neither what is asked nor words for ratings alone (`score`, `label`)."""
    stems = [numbered_name(name)[0] for name in names]
    bare = [one for one, name in zip(stems, names, strict=True) if one == name.casefold()]
    asked = any(one in CRITERIA | FOUND_IN_TEXTS or _ASKED.search(one) for one in bare)
    unsaid = len(bare) == len(stems) and {*bare} <= GENERIC
    many = sum(len(one) > 2 for one in bare) >= _MANY_NAMES
    return not any("_" in one for one in stems) and not asked and not unsaid and not many


def may_be_questions(kinds: Mapping[str, str], draft: Draft) -> bool:
    """Whether columns that were taken for people's are called neither as people are, nor as labels
    or one question that several answered (`mario_accuracy`, `vga_accuracy`; `role_1`, `role_2`;
    `acc`, `acc_norm`), and nothing is declared of them."""
    if draft.declared.table("cells") or draft.declared.table("wide") or len(kinds) < 2:
        return False
    said = [{*words(name)} for name in kinds]
    shared = set.intersection(*said)
    alike = bool(shared & (CRITERIA | GENERIC)) or any(one == shared for one in said)
    asked = [one for one in said if (one - shared) & (CRITERIA | FOUND_IN_TEXTS | GOOD | BAD)]
    alike = alike and 2 * len(asked) <= len(said)  # `grounded_score` beside `correct_score`
    named_ = alike or differ_in_number(list(kinds)) or any(map(is_annotation, kinds))
    named_ = named_ or are_called_as_people(list(kinds))
    return {*kinds.values()} == {"human"} and not named_ and not raters_and_criteria(kinds)


def ask_whether_questions(table: Table, kinds: Mapping[str, str], draft: Draft) -> None:
    """Which of the two it is; many words that name nobody are rather what was asked."""
    groups = groups_of(table, list(kinds))
    if len(groups) > 1:  # raters of one thing share a scale
        ask_which_scale(table, groups, draft)
        return
    people = {"wide": {"human": list(kinds)}}
    if all({*words(name)} <= _VARIANTS for name in kinds):
        rater = {"rater": table.stem, "kind": kind_of(table.stem) or "human"}
        draft.lack(
            f"Are {some(list(kinds))} systems that were rated, or raters? Their names say of what "
            "was made, and not who rates",
            {"cells": {table.own(name): {"system": name, **rater} for name in kinds}},
            people,
        )
        return
    asked = criteria_of(table, list(kinds), draft)
    count = "two" if len(kinds) == 2 else f"{len(kinds):,}"
    draft.lack(
        f"Are {some(list(kinds))} {count} raters, or {count} questions? Their names say neither",
        *((people, asked) if len(kinds) == 2 else (asked, people)),
    )


def may_be_people(table: Table, kinds: Mapping[str, str], draft: Draft) -> bool:
    """Whether columns that name nobody are called as people's are: in one word or a word and a
    number, as annotations, after one thing that all rate (`mario_accuracy`, `vga_accuracy`), or in
    a file of people's. `explicit_score` and `weighted_score` may be anybody's."""
    declared = draft.declared.table("cells") or draft.declared.table("wide")
    if set.intersection(*({*words(name)} for name in kinds)) - GENERIC:
        return True
    named_ = are_called_as_people(list(kinds)) or kind_of(table.stem) == "human"
    return bool(declared) or named_ or any(is_annotation(table.own(n)) for n in kinds)
