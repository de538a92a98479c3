"""Labels that are hardly ratings: errors of a program, a word among numbers, codes for "missing",
options in other signs (`yes.`, `**no**`), and letters for grades.

What a program says when it fails is invalid. What may be an option or none is asked for: as an
option it would make a scale of numbers one of names, and as none it would leave ratings out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from goldassay.proposals.draft import Draft, Weight
from goldassay.ratings.vocabulary import (
    ABSTAIN,
    BAD,
    CRITERIA,
    DEGREES,
    INVALID,
    ORDERS,
    PAIRS,
    folded,
    number,
    words,
)
from goldassay.words import listed, named

__all__ = [
    "GRADES",
    "ask_of_codes",
    "ask_of_direction",
    "ask_of_sets",
    "ask_of_several",
    "ask_of_words",
    "cannot_rate",
    "declare_grades",
    "is_error",
    "outside",
    "said_otherwise",
    "without_signs",
]

#: How what a program says when it fails begins.
_ERROR = re.compile(
    r"^(err(or)?s?|exception|traceback|time(d)?[ -]?out|http[ /]?\d|rate[ -]?limit|api[ _-]error|"
    r"[+-]?inf(inity)?|bad request|internal server|could not parse|cannot parse|unable to parse|"
    r"parse[ _]fail|no (json|response|score|verdict)|blocked|content[ _-]filter)\b"
)
#: What is written where nothing could be said.
_SIGNS_ONLY = re.compile(r"[?!.…#]{2,}")
#: Numbers by which questionnaires say that nothing was answered.
_MISSING = frozenset(["9", "99", "999", "88", "77", "98", "97", "-9", "-99", "-999", "-8", "-88"])
#: How raters say that they cannot tell.
_CANNOT = re.compile(
    r"(i )?(cannot|can not|can[’']?t|could not|couldn[’']?t|unable to|not able to|impossible to|"
    r"not possible to|hard to|difficult to|too hard to) "
    r"(assess|judge|tell|say|determine|decide|rate|evaluate|answer|score|grade|verify|label)\b.*"
    r"|(i )?(don[’']?t|do not|didn[’']?t|did not) (know|understand)"
)
#: How they say that they do not rate; what cannot be told may be a label of its own.
_CANNOT_RATE = re.compile(
    r"(i )?(cannot|can not|can[’']?t|could not|couldn[’']?t|unable to|not able to) "
    r"(be )?(assess|judge|determine|rate|evaluate|score|grade|label)(e?d)?( .*)?|abstain(ed|s)?"
    r"|ca|idk|(i )?(don[’']?t|do not) know"
)
#: What says so beside a yes and a no only: among other names it may be one.
_BESIDE_A_PAIR = frozenset(["ca"])
#: Signs around a label that say nothing.
_SIGNS = "*_`\"'.,;:!()[]{}<>#|~ "
#: Brackets around what a program writes in place of a label.
_BRACKETS = "()[]{}<>"
#: A gap of so many numbers that nobody uses makes a code of what lies beyond it.
_GAP = 3


def is_error(fold: str) -> bool:
    """Whether a folded label is what a program says when it fails.

    >>> is_error("error: timeout after 30 s"), is_error("err"), is_error("erratic")
    (True, True, False)
    >>> is_error("???"), is_error("+")
    (True, False)
    """
    return _ERROR.match(fold) is not None or _SIGNS_ONLY.fullmatch(fold) is not None


def cannot_rate(fold: str) -> bool:
    """Whether a folded label says of the rater that it gives no rating.

    >>> cannot_rate("cannot_assess"), cannot_rate("idk"), cannot_rate("can't tell")
    (True, True, False)
    """
    return _CANNOT_RATE.fullmatch(fold.strip(_BRACKETS).replace("_", " ")) is not None


def outside(options: Sequence[str]) -> tuple[list[str], list[str]]:
    """Words that mean "abstained" and "unreadable", but where they are half of a known pair; in
    brackets (`(unparseable)`, `<none>`) they mean the same.

    >>> outside(["yes", "no", "[abstain]", "(unparseable)"])
    (['[abstain]'], ['(unparseable)'])
    >>> outside(["yes", "no", "unable to judge", "can't tell from this"])
    (['unable to judge', "can't tell from this"], [])
    >>> outside(["met", "unmet", "ca"]), outside(["ca", "ny", "tx"])
    ((['ca'], []), ([], []))
    """
    bare = {one: one.strip(_BRACKETS) or one for one in options}
    unsure = {one for one in options if bare[one] in ABSTAIN or _CANNOT.fullmatch(bare[one])}
    others = {one for one in options if one not in unsure and bare[one] not in _BESIDE_A_PAIR}
    if any({*pair} == others for pair in PAIRS):
        unsure |= {one for one in options if bare[one] in _BESIDE_A_PAIR}
    rest = [one for one in options if one not in unsure and bare[one] not in INVALID]
    known = {*(o for pair in PAIRS for o in pair if set(pair) <= set(options))}
    known |= {o for order in (*ORDERS, *DEGREES) if len({*order} & {*options}) > 2 for o in order}
    abstain = [one for one in options if one in unsure and one not in known]
    if "-1" in known and any(one not in ("-1", "0", "1") for one in rest):
        known -= {"-1"}  # among other numbers it is no half of a pair
    errors = [one for one in options if is_error(bare[one]) and number(one) is None]
    unread = [one for one in options if bare[one] in INVALID or one in errors]
    invalid = [one for one in unread if one not in known and one not in abstain]
    numbers = [one for one in rest if number(one) is not None]
    if len(numbers) > 2:  # among grades a `fail` is no grade
        invalid += [one for one in ("fail", "failure") if one in options and one not in known]
    rest = [one for one in rest if one not in invalid]
    if not any(set(pair) <= set(rest) for pair in PAIRS):  # half of a pair that is not known
        invalid = [one for one in invalid if not one.startswith("failed")]
    if "-1" in invalid:
        values = [number(one) for one in rest]
        if any(v is None or v < 0 for v in values) or rest in (["1"], ["0", "1"]):
            invalid.remove("-1")
    if len(rest) == 1 and [*abstain, *invalid] == ["none"]:  # `hate` or `none`: what is not so
        return [], []
    return ([], []) if not rest else (abstain, invalid)


def without_signs(options: Sequence[str]) -> dict[str, str]:
    """Folded labels that are another one with signs around it -> that one.

    >>> without_signs(["yes", "no", "yes.", "**no**", "a>b"])
    {'yes.': 'yes', '**no**': 'no'}
    """
    known = set(options)
    bare = {one: folded(one.strip(_SIGNS)) for one in options}
    return {one: b for one, b in bare.items() if b and b != one and b in known}


def said_otherwise(options: Sequence[str]) -> dict[str, str]:
    """Folded labels that say what another says: with another sign between words, or a `not` for a
    syllable -> that one.

    >>> said_otherwise(["correct", "incorrect", "not correct", "hot_take", "hot take"])
    {'hot_take': 'hot take', 'not correct': 'incorrect'}
    """
    plain = {one: " ".join(re.split(r"[\s_-]+", one)) for one in options}
    first: dict[str, str] = {}
    for one in sorted(options):
        first.setdefault(plain[one], one)
    found = {one: first[plain[one]] for one in options if first[plain[one]] != one}
    for one in options:
        head, _, rest = plain[one].partition(" ")
        said = [s + rest for s in _NEGATIONS if s + rest in options]
        if head == "not" and rest and len(said) == 1:
            found[one] = said[0]
    return found


_NEGATIONS = ("in", "un", "im", "dis", "non", "il", "ir")


def ask_of_words(
    options: Sequence[str], spelling: Mapping[str, str], rows: Mapping[str, int], draft: Draft
) -> None:
    """One word among three numbers or more: an option, or no rating?"""
    words = [one for one in options if number(one) is None]
    numbers = [one for one in options if number(one) is not None]
    if len(words) != 1 or len(numbers) < 3:
        return
    word = spelling[words[0]]
    draft.lack(
        f"Is {named(word)} ({rows[words[0]]:,} of {sum(rows.values()):,} ratings) no rating, or an "
        "option beside the numbers?",
        {"invalid": [word]},
        {"scale": "nominal", "options": [spelling[one] for one in options]},
    )


def ask_of_codes(options: Sequence[str], draft: Draft) -> None:
    """A number such as 99 beyond a run of others: a rating, or "not answered"?"""
    values = {one: value for one in options if (value := number(one)) is not None}
    if len(values) < len(options):
        return
    for code in (one for one in options if one in _MISSING):
        rest = sorted(value for one, value in values.items() if one != code)
        run = len(rest) > 3 and rest[-1] - rest[0] == len(rest) - 1
        apart = min(abs(values[code] - end) for end in (rest[0], rest[-1])) if rest else 0.0
        if run and apart > _GAP:
            draft.lack(
                f"Does {named(code)} mean that there is no rating? Others go from {rest[0]:g} to "
                f"{rest[-1]:g}",
                {"abstain": [code]},
                {"scale": "ordinal", "options": sorted(options, key=values.__getitem__)},
            )
            return


#: Words of numbers of which more is worse.
_WORSE = frozenset(
    [
        *("errors", "error", "mistakes", "violations", "rank", "ranking", "distance", "mqm"),
        *("penalty", "penalties", "faults", "defects", "wer", "ter", "perplexity"),
    ]
)


#: Criteria of which more is worse, beside others of which more is better.
_WORSE_AS_CRITERIA = frozenset(
    [
        *("risk", "toxicity", "spam", "harmfulness", "redundancy", "bias", "violence", "insult"),
        *("hallucination", "hallucinations", "repetition", "repetitiveness"),
    ]
)


def ask_of_direction(raters: Sequence[str], draft: Draft) -> None:
    """Numbers whose names say that more is worse."""
    worse = [name for name in raters if {*words(name)} & _WORSE]
    mixed = [name for name in raters if {*words(name)} & _WORSE_AS_CRITERIA]
    better = [n for n in raters if n not in mixed and {*words(n)} & CRITERIA]
    better = [n for n in better if not {*words(n)} & (_WORSE | BAD)]
    if mixed and better:
        of = listed([named(name) for name in mixed[:4]])
        draft.ask(
            f"Is more of {of} worse, and of the others better? All are read as more is better, and "
            "rank would count both alike"
        )
    elif worse and len(worse) == len(raters):
        draft.ask(
            f"Is more of {listed([named(name) for name in worse[:4]])} worse? rank and compare "
            "take larger numbers for better ones; agreement is the same either way"
        )


def ask_of_several(mine: Sequence[str], theirs: Sequence[str], draft: Draft) -> bool:
    """Whether people's cells hold several labels each (`hate; none`), which is asked then."""
    parts = {one: re.split(r"\s*[;,|/]\s*", one.strip()) for one in mine}
    known = {folded(one) for one in theirs} | ABSTAIN | INVALID
    several = [one for one, found in parts.items() if len(found) > 1]
    if not several or not all(folded(p) in known for one in several for p in parts[one]):
        return False
    draft.lack(
        f"Does {named(several[0])} hold the labels of several people in one cell? It must be one "
        "label.",
        "write a column for each person",
        "write a row for each person",
    )
    return True


def ask_of_sets(options: Sequence[str], spelling: Mapping[str, str], draft: Draft) -> None:
    """An option that is several others with commas between them: a set, or one of its own?"""
    parts = {one: re.split(r"\s*[,;]\s*", one) for one in options}
    sets = [one for one, found in parts.items() if len(found) > 1 and {*found} <= {*options}]
    if sets:
        draft.ask(
            f"Does {named(spelling[sets[0]])} hold several labels at once? It is read as an option "
            'of its own. Where either may hold: "|" between them. Where all hold: a column (or '
            "row) of yes and no for each label, its criterion"
        )


#: Grades of inspect_ai, worst first: incorrect, partly, correct. N is "no answer", by the system.
GRADES = ("I", "P", "C")


def declare_grades(options: Sequence[str], draft: Draft) -> None:
    """The letters C, P, I and N as inspect_ai gives them."""
    found = [grade for grade in GRADES if grade in options or grade != "P"]
    draft.task |= {"scale": "binary" if len(found) == 2 else "ordinal", "options": found}
    if len(found) == 2:
        draft.task["positive"] = "C"
    draft.assume(Weight.POSITIVE, "C, P and I mean correct, partly correct and incorrect")
    if "N" in options:
        draft.task["abstain"] = ["N"]
        draft.assume(Weight.MEANING, "N is the system's missing answer, left out of pairs")
