"""Orders in which labels may stand: those that they say themselves, and known ones."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from goldassay.ratings.vocabulary import DEGREES, OPPOSITES, ORDERS, number

__all__ = ["bare_numbers", "by_how_much", "by_two_sides", "by_which_is_better", "orders_of"]

#: Labels that say their own place: "1 - poor", "(2) fair", "level 3", "★★☆".
_PLACE = re.compile(
    r"^[(\[]?(\d+)[)\]]?\s*[-–—:.=(\[)\]]\s*\S|^(?:level|grade|tier|class|l)\s*(\d+)$"
)
#: Three codes or more of severity, priority and the like: "S2", "p1", "sev-3".
_CODE = re.compile(r"(s|p|l|lvl|level|stage|priority|severity|sev)[\s_-]*(\d+)")
_STARS = re.compile(r"^([★⭐]+)\ufe0f?☆*$")
#: Grades of schools; without an F, letters may be the choices of a question.
_LETTERS = ("f", "d", "c", "b", "a")
#: Those with a plus or a minus, which no choices have.
_SHADES = tuple(f"{letter}{shade}" for letter in "fedcba" for shade in ("--", "-", "", "+", "++"))
#: Numbers in words, which are no verdicts in themselves: systems may be called so.
_IN_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def _place(label: str) -> int | None:
    """Where in an order a label says that it stands."""
    if match := _PLACE.match(label):
        return int(match.group(1) or match.group(2))
    match = _STARS.match(label)
    return len(match.group(1)) if match else None


def bare_numbers(options: Sequence[str]) -> dict[str, str]:
    """Labels that say their number and what it means -> the number, where others say it alone.

    >>> bare_numbers(["1 - poor", "2: fair", "2", "3"]), bare_numbers(["1 - poor", "2 - fair"])
    ({'1 - poor': '1', '2: fair': '2'}, {})
    """
    words = [one for one in options if number(one) is None]
    told = {one: str(place) for one in words if (place := _place(one)) is not None}
    rest = [one for one in options if one not in told]
    alone = rest and all(number(one) is not None for one in rest) and {*told.values()} & {*rest}
    return told if alone and len({*told.values()}) == len(told) else {}


#: Words before one adjective that say how much of it there is, least first.
_HOW_MUCH = (
    ("not at all", "completely not"),
    ("not", "un", "in", "ir", "non", "never"),
    ("barely", "hardly", "scarcely", "not so", "not very", "not really"),
    ("a little", "slightly", "marginally", "weakly"),
    ("somewhat", "partially", "partly", "moderately", "fairly"),
    ("mostly", "largely", "mainly", "rather", "quite"),
    ("",),
    ("very", "highly", "strongly", "fully", "completely", "totally", "entirely", "perfectly"),
    ("extremely", "exceptionally"),
)


#: What stands between an adjective and its opposite, and its place among them.
_MIDDLE = frozenset(["neutral", "neither", "mixed", "average", "borderline", "in between"])
_HALF = 3.5


def by_how_much(options: Sequence[str]) -> list[str]:
    """Labels of one adjective by how much of it they say; nothing where they are not all so.

    >>> by_how_much(["very helpful", "not helpful", "somewhat helpful"])
    ['not helpful', 'somewhat helpful', 'very helpful']
    >>> by_how_much(["irrelevant", "highly relevant", "relevant"]), by_how_much(["red", "very hot"])
    (['irrelevant', 'relevant', 'highly relevant'], [])
    >>> by_how_much(["helpful", "neutral", "unhelpful"])
    ['unhelpful', 'neutral', 'helpful']
    """
    middle = [one for one in options if one in _MIDDLE]
    rest = [one for one in options if one not in middle]
    last = min((one.split()[-1] for one in rest if one), key=len, default="")
    places: dict[str, float] = {}
    for one in rest:
        head = one.removesuffix(last).strip().removesuffix("-") if one.endswith(last) else None
        at = [place for place, words in enumerate(_HOW_MUCH) if head in words]
        if at:
            places[one] = at[0]
    if len(middle) == 1 and min(places.values(), default=9) < _HALF < max(places.values()):
        places[middle[0]] = _HALF
    apart = len(places) == len(options) == len({*places.values()})
    return sorted(places, key=places.__getitem__) if last and apart else []


#: How far from the middle a word is, by what stands before it.
_HOW_FAR = {
    **dict.fromkeys(("slightly", "a little", "a bit", "mildly", "marginally"), 1),
    **dict.fromkeys(("somewhat", "partially", "partly", "moderately", "fairly", "rather"), 2),
    **dict.fromkeys(("mostly", "largely", "quite"), 3),
    "": 4,
    **dict.fromkeys(("very", "highly", "strongly", "much", "really", "fully"), 5),
    **dict.fromkeys(("extremely", "completely", "totally", "exceptionally", "absolutely"), 6),
}
#: What stands in the middle between a word and its opposite.
_BETWEEN = _MIDDLE - {"mixed"} | {
    *("acceptable", "fair", "medium", "moderate", "normal", "ok", "okay", "so-so")
}


def by_two_sides(options: Sequence[str]) -> list[str]:
    """Labels of a word and its opposite by how far they go, with one between; nothing where they
    are not all so.

    >>> by_two_sides(["high", "very low", "medium", "low", "very high"])
    ['very low', 'low', 'medium', 'high', 'very high']
    >>> by_two_sides(["unclear", "very clear", "clear"]), by_two_sides(["low", "good", "medium"])
    (['unclear', 'clear', 'very clear'], [])
    """
    parts = {one: _far(one) for one in options if one not in _BETWEEN}
    middle = [one for one in options if one in _BETWEEN]
    said = {word for _, word in parts.values()}
    pairs = [(no, yes) for no in said for yes in said if _are_opposites(no, yes)]
    if len(pairs) != 1 or len(said) != 2 or len(middle) > 1:
        return []
    places = {one: far if word == pairs[0][1] else -far for one, (far, word) in parts.items()}
    places |= dict.fromkeys(middle, 0)
    return sorted(places, key=places.__getitem__) if len({*places.values()}) == len(places) else []


def _far(label: str) -> tuple[int, str]:
    """How far a label goes, and the word that it says of."""
    for much, far in _HOW_FAR.items():
        if much and label.startswith(f"{much} "):
            return far, label.removeprefix(much).strip()
    return _HOW_FAR[""], label


def _are_opposites(no: str, yes: str) -> bool:
    return (no, yes) in OPPOSITES or any(no == f"{sign}{yes}" for sign in _SYLLABLES)


#: What turns a word into its opposite.
_SYLLABLES = ("un", "in", "im", "ir", "il", "dis", "non-")


#: Which of two is better and by how much: "A is much better", "response 2 slightly better".
_BETTER = re.compile(
    r"(?:[a-z]+ )?(?P<side>[ab12]) (?:is |was )?(?P<much>[a-z ]*?) ?(?:better|preferred|wins)"
)
_ALIKE = re.compile(
    r"(?:(?:they|both) are )?(?:about |roughly |nearly )?(?:the )?"
    r"(?:same|equal|equally good|tie|tied)"
    r"|no (?:clear )?(?:preference|difference)|neither(?: is better)?"
)
_BY_HOW_MUCH = {
    **dict.fromkeys(("slightly", "a bit", "a little", "marginally", "somewhat", "weakly"), 1),
    **dict.fromkeys(("", "moderately", "clearly"), 2),
    **dict.fromkeys(("much", "far", "significantly", "strongly", "considerably", "definitely"), 3),
}


def by_which_is_better(options: Sequence[str]) -> list[str]:
    """Labels of which of two is better and by how much, from the first of them to the second;
    nothing where they are not all so, or say no more than which.

    >>> by_which_is_better(["b much better", "about the same", "a is better", "a is much better"])
    ['a is much better', 'a is better', 'about the same', 'b much better']
    """
    places: dict[str, int] = {}
    for one in options:
        if _ALIKE.fullmatch(one):
            places[one] = 0
        elif (match := _BETTER.fullmatch(one)) and match["much"].strip() in _BY_HOW_MUCH:
            side = -1 if match["side"] in "a1" else 1
            places[one] = side * _BY_HOW_MUCH[match["much"].strip()]
    apart = len(places) == len(options) == len({*places.values()}) > 3
    return sorted(places, key=places.__getitem__) if apart else []


def orders_of(options: Sequence[str]) -> Iterator[Sequence[str]]:
    """The orders in which these options may stand, the surest first."""
    places = {one: _place(one) for one in options}
    if None not in places.values() and len({*places.values()}) == len(options):
        yield sorted(options, key=lambda one: places[one] or 0)
    codes = {one: match for one in options if (match := _CODE.fullmatch(one))}
    if len(codes) == len(options) > 2 and len({match[1] for match in codes.values()}) == 1:
        yield sorted(options, key=lambda one: int(codes[one][2]))
    yield from ORDERS
    if how_much := by_how_much(options):
        yield how_much
    if sides := by_two_sides(options):
        yield sides
    if better := by_which_is_better(options):
        yield better
    yield from ([one for one in degrees if one in options] for degrees in DEGREES)
    yield _IN_WORDS
    if any(one in _SHADES and one[1:] for one in options):
        yield _SHADES
    if "f" in options:
        yield _LETTERS
