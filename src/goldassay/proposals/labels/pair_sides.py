"""Which of two sides a label names, in letters, numbers, signs or words; and ties."""

from __future__ import annotations

import re
from collections.abc import Sequence

from goldassay.proposals.draft import Draft, Weight
from goldassay.proposals.labels.used import Folds, in_words
from goldassay.ratings.vocabulary import SIDES, TIES, folded, sides_among
from goldassay.words import listed, named

__all__ = ["draft_pairs", "says_pairs"]


#: Labels of ties that nothing else is called.
_ONLY_OF_PAIRS = frozenset(["tie", "tied", "t", "draw", "a=b", "both bad", "both good", "both_bad"])


#: "A>B" names both sides: it is of a pair, whatever else the table holds.
_SAYS_PAIR = re.compile(r"^(a|1|model_?a)\s*(>>?|<<?)\s*(b|2|model_?b)$|^(b|2)\s*(>>?)\s*(a|1)$")


def draft_pairs(options: Sequence[str], folds: Folds, draft: Draft) -> bool:
    """First wins, second wins, and perhaps ties."""
    options = _one_way(options, folds, draft)
    for pair in sides_among(options):
        ties = [one for one in options if one in TIES and one not in pair]
        if not (set(options) <= {*pair, *ties} and set(pair) & set(options)):
            continue
        if pair == ("0", "1") and "2" in options:
            continue
        if pair == ("1", "2") and "2" not in options and "0" in options:
            continue
        made = "labels" in draft.task and {"A", "B"} <= {*draft.task["labels"].values()}
        first, second = (folds.spelling.get(o, o.upper() if made else o) for o in pair)
        draft.task |= {"scale": "pairwise", "options": [first, second]}
        draft.assume(
            Weight.POSITIVE,
            f"{named(first)} means that the first of the two wins, {named(second)} the second",
        )
        if {*options} == {"0", "1", "2"}:
            draft.ask(
                "Does `0` mean that the first of the two wins, `1` the second and `2` a tie? Then",
                {"scale": "pairwise", "options": ["0", "1", "2"], "tie": "2"},
            )
        if ties:
            spelled = sorted(folds.spelled(ties), key=lambda one: (folded(one) != "tie", one))
            tie = spelled[0]
            draft.task["options"].append(tie)
            draft.task |= {"tie": tie, "ties": "half"}
            if len(spelled) > 1:
                draft.task.setdefault("labels", {}).update(dict.fromkeys(spelled[1:], tie))
            draft.assume(
                Weight.MEANING,
                f"{in_words(spelled, last='or')} means a tie, which counts as half a win for each "
                'side (ties = "half"; or "exclude", or "class")',
            )
        return True
    return False


#: "A>>B": how much the one is better, which a pair does not count.
_MUCH = re.compile(r"^(\w+)\s*(>>|<<)\s*(\w+)$")


def _one_way(options: Sequence[str], folds: Folds, draft: Draft) -> list[str]:
    """Sides that raters write in several ways (`A`, `[[A]]`, `model_a`; `A>>B`) as the first of
    them; ties are left as they are."""
    much = {one: re.sub(r">>|<<", lambda m: m[0][0], one) for one in options if _MUCH.match(one)}
    if much and {*options} <= {*much, *much.values(), "a=b", "tie"}:
        labels = {folds.spelling[one]: folds.spelling.get(two, two) for one, two in much.items()}
        draft.task.setdefault("labels", {}).update(labels)
        said = listed([f"{named(a)} means {named(b)}" for a, b in labels.items()])
        draft.assume(Weight.MEANING, f"{said}: a pair counts who wins, not by how much")
        return [one for one in options if one not in much]
    plain = [one for one in options if one not in TIES or one in ("c",)]
    ways = [pair for pair in SIDES if set(pair) & set(plain) and _apart_from_ties(pair)]
    ways.sort(key=lambda pair: -sum(folds.rows[one] for one in pair))
    for first in ways[:1]:
        others = [pair for pair in ways[1:] if not set(pair) & set(first)]
        rest = set(plain) - set(first) - {"c"}
        if not others or not rest <= {one for pair in others for one in pair}:
            break
        means = {
            one: first[pair.index(one)]
            for pair in others
            for one in pair
            if one in rest and set(pair) <= set(plain)
        }
        if set(means) != rest:
            break
        labels = {folds.spelling[a]: folds.spelling.get(b, b) for a, b in means.items()}
        draft.task.setdefault("labels", {}).update(labels)
        said = listed([f"{named(a)} means {named(b)}" for a, b in labels.items()])
        draft.assume(Weight.MEANING, f"{said}: raters write the same side otherwise")
        return [one for one in options if one not in means]
    return _told_sides(options, folds, draft)


#: Words around the name of a side: "Model A is slightly better".
_SIDE = re.compile(
    r"^(?:the )?(?:model|response|answer|assistant|output|option|system|summary|completion)?[ _]?"
    r"(?P<side>a|b|1|2|left|right|first|second|one|two)(?: one)?(?: (?:is|was))?"
    r"(?: (?:much|slightly|significantly|clearly|somewhat|far|marginally|a bit|a little))*"
    r"(?: (?:better|wins|won|preferred|win))?$"
)


_FIRST = ("a", "1", "left", "first", "one")


#: What stands for a space: `A-is-better`.
_BETWEEN = re.compile(r"(?<=\w)[_-](?=[a-z])")


def _told_sides(options: Sequence[str], folds: Folds, draft: Draft) -> list[str]:
    """Sides told in sentences; those that say by how much mean the side alone."""
    rest = [one for one in options if one not in TIES]
    told = {one: match for one in rest if (match := _SIDE.match(_BETWEEN.sub(" ", one)))}
    if len(told) < len(rest) or any(set(pair) >= set(rest) for pair in SIDES):
        return list(options)
    first = [one for one in rest if told[one]["side"] in _FIRST]
    second = [one for one in rest if one not in first]
    if not first or not second:
        return list(options)
    labels: dict[str, str] = {}
    for side, mine in (("A", first), ("B", second)):
        labels |= {said: side for one in mine if (said := folds.spelling[one]) != side}
    draft.task.setdefault("labels", {}).update(labels)
    meant = listed([f"{named(a)} means {named(b)}" for a, b in labels.items()])
    draft.assume(Weight.MEANING, f"{meant}: a pair counts who wins, not by how much")
    ties = [one for one in options if one in TIES]
    return ["a", "b", *ties]


def _apart_from_ties(pair: Sequence[str]) -> bool:
    """Sides that no tie is written as: not `0` and `1`."""
    return not {*pair} & {"0", "1", "2"}


#: Two sides that with a tie beside them are nothing else.
_NAMED_SIDES = (("baseline", "candidate"), ("a_winner", "b_winner"), ("winner_a", "winner_b"))


def says_pairs(options: Sequence[str]) -> bool:
    """Whether labels speak of two sides by themselves: wins and losses, `A` and `B` with ties,
    `A>B`."""
    wins = "win" in options and set(options) <= {"win", "loss", "lose", *TIES}
    wins |= {"a", "b"} < {*options} <= {"a", "b", *_ONLY_OF_PAIRS}
    wins |= any({*pair} < {*options} <= {*pair, *TIES} for pair in _NAMED_SIDES)
    letters = {"a", "b"} if {"a>b", "b>a"} & {*options} else set[str]()  # some write the winner
    said = [one for one in options if one not in letters]
    says = bool(said) and all(_SAYS_PAIR.match(one) or one in TIES for one in said)
    return wins or (says and any(map(_SAYS_PAIR.match, options)))
