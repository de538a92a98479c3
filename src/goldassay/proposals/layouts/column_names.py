"""What the names of columns say: of what is rated, of marks and ids, of labels and criteria."""

from __future__ import annotations

import re
from collections.abc import Sequence

from goldassay.proposals.layouts.numbered_names import numbered_name, numbered_series
from goldassay.ratings.vocabulary import (
    ASIDE,
    CRITERIA,
    FLAGS,
    FOUND_IN_TEXTS,
    GENERIC,
    SYNONYMS,
    SYSTEMS,
    is_machine,
    kind_of,
    numbers_repeats,
    plain_name,
    words,
)
from goldassay.sources.exploded import PLACE

__all__ = [
    "CALLED_RATINGS",
    "COMPARED",
    "GRADED",
    "NO_LABELS",
    "PREDICTED",
    "SETTINGS",
    "TEXTS",
    "about_of",
    "are_criteria",
    "asks",
    "is_aside",
    "is_called_otherwise",
    "is_flag",
    "like_a_value",
    "like_criteria",
    "numbered",
    "of_one_thing",
]

#: What names of columns with texts begin with.
TEXTS = ("answer", "response", "output", "text", "completion")
#: Words of a column that holds what somebody said of an item; and what a machine said beforehand.
CALLED_RATINGS = frozenset(
    ["grade", "judgement", "judgment", "label", "labels", "rating", "score", "verdict"]
)
PREDICTED = frozenset(
    ["pred", "preds", "predicted", "prediction", "predictions", "guess", "guessed", "guesses"]
)
#: Names of what is asked for, as numbers perhaps: the columns of TREC's files.
#: The number of a member of a list is no rating of it either.
_ASKED = ("query", "question", "document", "doc", "topic", "passage", PLACE)
#: Names of labels that are as well names of texts and sources.
NO_LABELS = frozenset(["answer", "response", "source", "type", "name"])
_QUESTION = re.compile(r"^[a-z]{0,3}q\d+$", re.IGNORECASE)
#: Names that say which thing a row is about, also where it looks like a number.
_IDS = frozenset(
    [
        *("hash", "md5", "sha", "sha1", "sha256", "email", "url", "path"),
        *("cid", "pid", "qid", "rid", "sid", "tid", "uid"),
    ]
)


def is_aside(name: str) -> bool:
    """A name of something else than a rating: an id, a time, a number of tokens."""
    said = words(name)
    exact = {*SYNONYMS["item"], *SYNONYMS["split"], *_ASKED}
    plain = plain_name(name)
    ids = (
        plain.endswith(("_id", "_idx", "_hash", "_email", "_url", "_path", "_number"))
        or plain in _IDS
    )
    ids |= re.sub(r"_\d+$", "", plain) in ("id", "uuid", "idx")  # a name that occurs twice
    aside = ids or numbers_repeats(name) or bool(set(said) & ASIDE)
    return aside or bool({name.casefold(), plain} & exact)


def asks(name: str) -> bool:
    """A name of something that is rated: Q1, fluency."""
    return bool(_QUESTION.match(name) or set(words(name)) & CRITERIA)


#: Names of people that end as participles do.
_PEOPLE_IN_ED = frozenset(
    [
        *("ahmed", "alfred", "ed", "fred", "hamed", "jared", "javed", "khaled", "mohamed", "ned"),
        *("mohammed", "muhammed", "naveed", "reed", "saeed", "syed", "ted", "wilfred", "winifred"),
    ]
)


def is_flag(name: str) -> bool:
    """A name of a mark that rows have: `is_valid`, `flagged`, `seen`.

    >>> is_flag("is_valid"), is_flag("flagged"), is_flag("fred"), is_flag("is_correct")
    (True, True, False, False)
    """
    said = words(name)
    if kind_of(name) or name.casefold() in SYNONYMS["value"] or set(said) & CRITERIA:
        return False
    marks = [w for w in said if w in FLAGS or (w.endswith("ed") and w not in _PEOPLE_IN_ED)]
    return bool(marks) and not set(said) & (GENERIC - {"is", "a", "the", "of", "review"})


#: Words of what is known of a rater, or was set.
SETTINGS = frozenset(
    [
        *("version", "name", "provider", "prompt", "mode", "type", "status", "source", "role"),
        *("config", "setting", "temperature", "language", "lang", "group", "set", "batch", "round"),
        "direction",
    ]
)


#: Words of what a program or a rule says of an answer (`exact_match`): as a judge does.
_OF_RULES = frozenset(["em", "exact", "exec", "heuristic", "keyword", "regex", "rule"])
#: Words of what was found by comparing two columns, and of how sure somebody is.
COMPARED = frozenset(
    [
        "certainty",
        "confidence",
        "agree",
        "agreement",
        "agrees",
        "consistent",
        "differ",
        "equal",
        "same",
    ]
)


def is_called_otherwise(name: str) -> bool:
    """A name of an id, a mark, a setting, a text, of who or what was rated, or of what was made
    of two ratings."""
    said = {*words(name)}
    if said & _OF_RULES:
        return False
    if is_aside(name) or is_flag(name) or said & (SETTINGS | COMPARED | {*TEXTS}):
        return True
    known = (SYNONYMS[ours] for ours in ("rater", "system", "kind", "criterion"))
    if plain_name(name) in ("match", "matches"):
        return True
    return plain_name(name) in set().union(*known) or words(name)[-1] in SYSTEMS


def about_of(name: str) -> tuple[str, ...]:
    """The words of a name that say neither who rates nor that it is a rating: what is rated.

    >>> about_of("human_faithfulness_score"), about_of("faithfulness"), about_of("human_label")
    (('faithfulness',), ('faithfulness',), ())
    >>> about_of("gpt4o_support"), about_of("claude-3-5-sonnet tone"), about_of("pro_tone")
    (('support',), ('tone',), ('pro', 'tone'))
    """
    kept = [w for w in words(name) if kind_of(w) is None and w not in GENERIC and not w.isdigit()]
    if is_machine(name):
        kept = [w for w in kept if not _VERSION.fullmatch(w)]
    return tuple(sorted(kept))


#: Which one of a family a model is, behind the family's name: `4o`, `turbo`, `v2`.
_VERSION = re.compile(
    r"\d+[a-z]{1,2}|[vr]\d+|o|mini|nano|micro|small|large|lite|turbo|pro|plus|max|flash|instruct|chat|it|preview|latest"
    r"|base|tiny|medium|xl|xxl"
)


def like_a_value(name: str, known: set[str]) -> bool:
    """A name that says: here is a label."""
    said = words(name)
    return name.casefold() in known - NO_LABELS or (
        kind_of(name) is not None and bool(set(said) & (GENERIC - {"answer", "response", "output"}))
    )


#: Who is graded by others rather than grades, where grades stand beside.
GRADED = frozenset(["student"])


def are_criteria(names: Sequence[str]) -> bool:
    """Whether columns are named after what is rated rather than after who rates."""
    if len(names) > 1 and all({*words(n)} & FOUND_IN_TEXTS for n in names):
        return len({frozenset(words(n)) & FOUND_IN_TEXTS for n in names}) > 1
    hits = [n for n in names if asks(n)]
    subjects = {frozenset(words(n)) & CRITERIA for n in hits}  # one that all name is nobody's
    several = len(subjects) > 1 or any(map(_QUESTION.match, hits))
    return len(hits) > 1 and len(hits) * 2 >= len(names) and several


def like_criteria(names: Sequence[str]) -> bool:
    """Whether columns that say nothing of who rates are named after what is rated: all of several
    words that begin alike (`category_hate`), or say what is so (`is_safe`, `has_source`); a word
    for ratings at the end (`verdict.task_coherence.verdict`) says nothing where two others tell
    most of them apart."""
    parts = [plain_name(name).split("_") for name in names]
    longer = [one for one in parts if len(one) > _WORDS_WITHIN and one[-1] in GENERIC]
    if 2 * len(longer) > len(parts):
        parts = [one[:-1] if one[-1] in GENERIC else one for one in parts]
    if any(len(one) < 2 or one[-1].isdigit() or len(one[-1]) == 1 for one in parts):
        return False
    heads = {one[0] for one in parts}
    asked = {"is", "has", "contains", "mentions"}
    return len(heads - asked) <= 1 and not any(set(one[-1:]) & GENERIC for one in parts)


#: More words than a head, somebody's name and a word for ratings have.
_WORDS_WITHIN = 3


def numbered(names: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Columns such as tone_1, tone_2, facts_1, facts_2: (criterion, number) of each; or nothing."""
    found = {n: place for n in names if (place := numbered_name(n)[1]).isdigit()}
    counts = [{*series} for series in numbered_series([*found]).values()]
    alike = len(counts) > 1 and all(one == counts[0] for one in counts) and len(counts[0]) > 1
    if not alike or len(found) < len(names):
        return {}
    return {n: (n.strip().removesuffix(place).rstrip("_ .-"), place) for n, place in found.items()}


#: Letters that two words of one root share.
_ROOT = 6


def of_one_thing(one: Sequence[str], two: Sequence[str]) -> bool:
    """Whether the words of two names are the same, or of one root.

    >>> of_one_thing(("faithful",), ("faithfulness",)), of_one_thing(("tone",), ("tonality",))
    (True, False)
    """
    pairs = list(zip(one, two, strict=False))
    alike = all(a == b or (a[:_ROOT] == b[:_ROOT] and len(a[:_ROOT]) == _ROOT) for a, b in pairs)
    return len(one) == len(two) and alike
