"""Words that files of ratings use: names of columns, of raters, and labels.

Nothing here decides. `layouts.py` and `options.py` weigh these words against what a column holds,
and every reading they take is told as an assumption.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from goldassay.ratings.plain_writing import plain_writing
from goldassay.sources.numbers import number

__all__ = [
    "ABSTAIN",
    "ASIDE",
    "BAD",
    "BLIND",
    "CLUSTERS",
    "CRITERIA",
    "DEGREES",
    "EVALUATING",
    "FLAGS",
    "FOUND_IN_TEXTS",
    "GENERIC",
    "GOOD",
    "INVALID",
    "MADE",
    "MARKS",
    "METRICS",
    "NAMED_RATERS",
    "OPPOSITES",
    "ORDERS",
    "PAIRS",
    "RANKS",
    "RESOLVED",
    "SIDES",
    "SPLITS",
    "STATISTICS",
    "SUMS",
    "SYNONYMS",
    "SYSTEMS",
    "TIES",
    "VERDICTS",
    "are_splits",
    "bare_name",
    "folded",
    "is_machine",
    "kind_of",
    "number",
    "numbers_repeats",
    "plain_name",
    "polarity",
    "positive_of",
    "sides_among",
    "words",
]

#: Latin letters that are no letter with an accent, as those who have no such key write them.
_BESIDE = {"ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ı": "i"}


def _plain(sign: str) -> str:
    """A Latin letter without its accent, any other sign as it is."""
    first = unicodedata.normalize("NFD", sign)[0]
    return first if first.isascii() else _BESIDE.get(sign, sign)


_WORDS: Mapping[str, Any] = tomllib.loads(
    Path(__file__).with_name("vocabulary.toml").read_text(encoding="utf-8")
)
#: goldassay's column -> names that other tools give to it, in order of preference.
SYNONYMS: Mapping[str, tuple[str, ...]] = {
    ours: tuple(theirs) for ours, theirs in _WORDS["columns"].items()
}
#: What a split is called -> what it is, "calibration" or "test".
SPLITS: Mapping[str, str] = {
    word: split for split, words_ in _WORDS["splits"].items() for word in words_
}


def are_splits(labels: Collection[str]) -> bool:
    """Whether labels tell a calibration set from the test.

    >>> are_splits(["Golden set", "prod"]), are_splits(["train", "test"])
    (True, False)
    """
    return {SPLITS.get(plain_name(one)) for one in labels if one} == {"calibration", "test"}


#: What several ratings may share, the likeliest first.
CLUSTERS = tuple(_WORDS["clusters"])
_PEOPLE, _JUDGES, _REFERENCES = (
    frozenset("".join(map(_plain, word)) for word in _WORDS[kind])
    for kind in ("people", "judges", "references")
)
#: What people are called who rate, and machines too; and words that are a machine's own.
_ROLES = frozenset(_WORDS["roles"])
_MACHINES = _JUDGES - frozenset(_WORDS["offices"])
#: Words of raters in scripts without spaces between words, or with signs within them.
_UNSPACED = tuple(
    word
    for word in sorted((*_PEOPLE, *_JUDGES, *_REFERENCES), key=lambda one: (-len(one), one))
    if re.match("[\u0900-\u0eff\u3040-\u9fff\uac00-\ud7a3]", word)
)
CRITERIA, GENERIC, ASIDE, NAMED_RATERS, SYSTEMS, SUMS, FLAGS, MADE = (
    frozenset(_WORDS[name])
    for name in ("criteria", "generic", "aside", "named_raters", "systems", "sums", "flags", "made")
)
#: Words of judges that are computed of texts, whatever was asked.
METRICS = frozenset(_WORDS["metrics"])
#: Words of what texts are marked with.
FOUND_IN_TEXTS = frozenset(_WORDS["found_in_texts"])
#: Words of columns that hold what was computed of many ratings.
STATISTICS = frozenset(_WORDS["statistics"])
#: Words of names of which a yes says that all is well, and that it is not.
GOOD, BAD = (frozenset(_WORDS[name]) for name in ("good", "bad"))
#: Words of labels that say what was looked for, and that there is none of it.
_HARM, _HARMLESS = (frozenset(_WORDS[name]) for name in ("harm", "harmless"))
ABSTAIN, INVALID, TIES = (frozenset(_WORDS[name]) for name in ("abstain", "invalid", "ties"))
#: Labels that say yes, with their no; of two sides, the first system's first; in order; and words
#: of which a scale has a few, in order.
PAIRS, SIDES, ORDERS, DEGREES = (
    tuple(tuple(one) for one in _WORDS[name]) for name in ("pairs", "sides", "orders", "degrees")
)
#: Words of which labels are made that go both ways, the lesser first.
OPPOSITES = frozenset(tuple(pair) for pair in _WORDS["opposites"])
_SAYS_YES, _SAYS_NO = (frozenset(pair[k] for pair in PAIRS) for k in (0, 1))
_NEGATIONS = (
    *(
        "not ",
        "not_",
        "non-",
        "non ",
        "non_",
        "un",
        "in",
        "ir",
        "im",
        "il",
        "dis",
        "mis",
        "no ",
        "no_",
    ),
    *("不", "非", "未", "没有", "nicht ", "nicht-"),
)
#: Words that turn a label of several words into its opposite, wherever they stand in it.
_DENIALS = frozenset(
    ["not", "nicht", "kein", "keine", "ne", "pas", "no", "non", "não", "niet", "не"]
)
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+\d*|\d+[a-z]*|[^\W\d_]+")


@lru_cache(maxsize=16_384)  # every guess looks at the same few labels again
def folded(label: str) -> str:
    """A label without its way of writing: surrounding space, case, Unicode form, a sheet's signs.

    >>> folded("  Yes "), folded("ﬁne"), folded("4.0"), folded("'4")
    ('yes', 'fine', '4', '4')
    """
    text = unicodedata.normalize("NFKC", plain_writing(label)).casefold()
    text = " ".join(text.split())
    value = number(text)
    if value is not None and abs(value) < 1e15 and value == int(value):
        return str(int(value))
    return text


@lru_cache(maxsize=4096)  # names are few, and every pair of columns asks
def words(name: str) -> tuple[str, ...]:
    """The words of a column's name; one of signs alone is a word as it stands.

    >>> words("humanLabel"), words("gpt-4o_score"), words("annotator1"), words("LLM_judge")
    (('human', 'label'), ('gpt', '4o', 'score'), ('annotator1', 'annotator'), ('llm', 'judge'))
    >>> words("modèle_1"), words("人工 标签")
    (('modele', '1'), ('人工', '标签'))
    >>> words("①"), words("!!")
    (('①',), ('!!',))
    """
    plain = name if name.isascii() else "".join(map(_plain, name))
    found = [word.casefold() for word in _WORD.findall(plain)]
    bare = [re.sub(r"\d+$", "", word) for word in found]
    return tuple(dict.fromkeys([*found, *(word for word in bare if len(word) > 1)])) or (name,)


@lru_cache(maxsize=4096)
def plain_name(name: str) -> str:
    """A name of a column in one way of writing: small letters, words with a line between them.

    >>> plain_name("Worker ID"), plain_name("HITId"), plain_name("_annotator_id"), plain_name("No.")
    ('worker_id', 'hit_id', 'annotator_id', 'no')
    >>> plain_name("Évaluateur")
    'evaluateur'
    """
    plain = name if name.isascii() else "".join(map(_plain, name))
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", plain.strip())
    return re.sub(r"[^\w]+|_+", "_", parted.casefold()).strip("_")


def numbers_repeats(name: str) -> bool:
    """A name of what counts a rater's repeats: `rep`, `rep_idx`, `trial_no`.

    >>> numbers_repeats("rep_idx"), numbers_repeats("trial"), numbers_repeats("sample_id")
    (True, True, False)
    """
    plain = plain_name(name)
    counts = re.sub(r"_(idx|index|no|num|number|nr)$", "", plain)
    return counts in SYNONYMS["sample"]


def bare_name(name: str) -> str:
    """A plain name without what an export sets before it with a colon.

    >>> bare_name("ASSIGNMENT:worker_id"), bare_name("Worker ID")
    ('worker_id', 'worker_id')
    """
    return plain_name(name.rpartition(":")[2] or name)


#: Who gives verdicts, behind what it is called (who misjudges or upgrades gives none); and a family
#: of models before it (GPTZero is none of it).
_COMPOUND = re.compile(
    r"(?!pre|mis|up|down)[a-z]{2,}(judge|grader|evaluator|autorater)|(gpt)(?!zero)[a-z]+"
)


def _within(name: str) -> tuple[str, ...]:
    """Known words in a name of a script that sets no spaces: 人工 in 人工评分; and the office in
    which a compound ends, or the family with which it begins: `webjudge`, `gptoss`."""
    if name.isascii():
        found = (match for word in words(name) if (match := _COMPOUND.fullmatch(word)))
        return tuple(match[1] or match[2] for match in found)
    return tuple(word for word in _UNSPACED if word in name)


@lru_cache(maxsize=4096)
def kind_of(name: str) -> str | None:
    """What the words of a name say its rater is: human, judge, reference; None for nothing.

    A person's word wins over a judge's ("human_judge"), unless it is a role that the name of a
    machine takes ("llm_annotator"); the first of the others decides ("judge_vs_gold").

    >>> kind_of("human_judge"), kind_of("llm_annotator"), kind_of("gpt4_annotation")
    ('human', 'judge', 'judge')

    Who wrote what is rated is nobody who rates:

    >>> kind_of("Written_AI"), kind_of("human_written_score")
    (None, 'human')
    """
    said = (*words(name), *_within(name))
    if said == ("nist",):  # the metric, and not who assesses: `nist_label`
        return "judge"
    if not _ORIGINS.isdisjoint(said) and _RATINGS.isdisjoint(said):
        return None
    whole = re.split(r"[\W_]+", name.casefold())  # `QuestEval` as one word
    pairs = {"".join(pair) for pair in pairwise(said)}
    people = [word for word in (*said, *pairs) if word in _PEOPLE]  # `Tie-breaker`
    if people and not (_ROLES.issuperset(people) and _MACHINES.intersection(said)):
        return "reference" if said[0] == "true" else "human"  # `true_author`
    if _says_a_view(said):
        said, whole = tuple(word for word in said if word != "perspective"), []
        pairs = set()
    for word in said:
        if word in _JUDGES:
            return "judge"
        if word in _REFERENCES:
            return "reference"
    if pairs & _REFERENCES:
        return "reference"
    return "judge" if _JUDGES.intersection(whole) or pairs & _JUDGES else None  # `Bert_Score_P`


def _says_a_view(said: Sequence[str]) -> bool:
    """Whether `perspective` is a word of what is rated (`perspective_misalignment`), and not the
    name of the program that scores toxicity."""
    others = {*said} - {"perspective"} - GENERIC
    return "perspective" in said and bool(others) and not others & _OF_PERSPECTIVE


#: What the program of that name scores.
_OF_PERSPECTIVE = frozenset(
    ["api", "toxicity", "toxic", "insult", "threat", "profanity", "attack", "severe", "hate"]
)
#: Words of whether a text is a person's or a machine's, and of ratings beside them.
_ORIGINS = frozenset(["written", "authored"])
_RATINGS = frozenset(["score", "label", "rating", "verdict", "grade", "annotation", "judgment"])


def is_machine(name: str) -> bool:
    """Whether a word of a name is a machine's own; `grader_1` may be a person.

    >>> is_machine("LLM"), is_machine("Grader 1"), is_machine("gpt4_grader"), is_machine("DeepSeek")
    (True, False, True, True)
    """
    whole = re.split(r"[\W_]+", name.casefold())  # `DeepSeek` as one word
    said = (*words(name), *_within(name), *whole)
    return kind_of(name) == "judge" and bool(_MACHINES.intersection(said))


def polarity(label: str) -> tuple[bool, bool]:
    """Whether a folded label may say yes, and whether it may say no."""
    return label in _SAYS_YES, label in _SAYS_NO


#: What the sides of a pair are numbered or lettered after: `sys1`, `candidate b`.
_SIDED = SYSTEMS | {"answer", "completion", "option", "output", "response", "summary", "text"}
_FIRST_SIDE = re.compile(r"([a-z]+)([ _-]?)(a|1)")


def sides_among(labels: Collection[str]) -> tuple[tuple[str, str], ...]:
    """Pairs of folded labels that may name the two sides: those that are known, and two that count
    the same thing.

    >>> sides_among(["sys1", "sys2", "tie"])[-1], sides_among(["cat1", "cat2"])[-1] in SIDES
    (('sys1', 'sys2'), True)
    """
    found = [m for one in labels if (m := _FIRST_SIDE.fullmatch(one)) and m[1] in _SIDED]
    counted = ((m[0], f"{m[1]}{m[2]}{'b' if m[3] == 'a' else '2'}") for m in found)
    pairs = [pair for pair in counted if pair[1] in labels and pair not in SIDES]
    return (*SIDES, *pairs)


def _spaced(label: str) -> str:
    """A label as it is written in words: `true_positive` and `true-positive` as two."""
    return label.replace("_", " ").replace("-", " ") if len(label) > 2 else label


#: Labels that say that nothing was found of what the other one names.
_NOTHING = frozenset(["benign", "clean", "neither", "none", "normal", "nothing"])


def positive_of(one: str, two: str) -> str | None:
    """Which of two folded labels is the one that is counted; None where neither is known.

    >>> positive_of("no", "yes"), positive_of("met", "not met"), positive_of("cat", "dog")
    ('yes', 'met', None)
    >>> positive_of("trifft nicht zu", "trifft zu"), positive_of("none", "hate")
    ('trifft zu', 'hate')
    >>> positive_of("safe", "unsafe"), positive_of("ok", "toxic"), positive_of("error", "accurate")
    ('unsafe', 'toxic', 'accurate')
    >>> positive_of("false_positive", "true_positive")
    'true_positive'
    >>> positive_of("no error", "has error"), positive_of("escalate", "no escalation")
    ('has error', 'escalate')
    """
    ways = ((one, two), (two, one))
    for yes, no in ways:  # what is known goes before what words are made of: `unsafe` of `safe`
        if (yes, no) in PAIRS or (_spaced(yes), _spaced(no)) in PAIRS:
            return yes
    for yes, no in ways:
        if any(no == negation + yes for negation in _NEGATIONS):
            return yes
        if no in _NOTHING and yes not in _NOTHING:
            return yes
        if " " in no and [w for w in no.split() if w not in _DENIALS] == yes.split() != no.split():
            return yes
        if _denies(no, yes):
            return yes
    for yes, no in ways:
        if polarity(yes)[0] and not polarity(yes)[1] and polarity(no)[1] and not polarity(no)[0]:
            return yes
    said = {label: frozenset(words(label)) for label in (one, two)}
    for looked_for, passed_over in ((_HARM, _HARMLESS), (GOOD, BAD)):
        for yes, no in ways:
            if said[yes] & looked_for and said[no] & passed_over and not said[no] & looked_for:
                return yes
    return None


#: What stands before something that is there, and is no part of it.
_HAVING = ("has ", "have ", "contains ", "with ", "is ")
#: Letters that two words of one root share.
_ROOT = 6


def _denies(no: str, yes: str) -> bool:
    """Whether a label says that there is none of what the other one names: `no error` beside `has
    error`, `no escalation` beside `escalate`."""
    denied = [no.removeprefix(sign) for sign in ("no ", "not ", "without ") if no.startswith(sign)]
    said = next((yes.removeprefix(sign) for sign in _HAVING if yes.startswith(sign)), yes)
    rooted = len(said) >= _ROOT and " " not in said
    return any(one == said or (rooted and one[:_ROOT] == said[:_ROOT]) for one in denied)


#: Folded labels that tick an option.
MARKS = frozenset(["true", "x", "✓", "✔", "✗", "☑", "✅", "1", "yes", "on", "y", "●", "*"])
#: Words of columns that hold ranks, of which 1 is the best.
RANKS = frozenset(["rank", "ranks", "ranking"])
#: Words of columns that say which of several outputs it is, and not whose.
BLIND = frozenset(["blind", "blinded", "anonymised", "anonymized"])
#: Words of labels that were made of several people's.
RESOLVED = frozenset(
    ["adjudicated", "agreed", "consensus", "final", "reconciled", "resolved", "validated"]
)
#: Words of columns that hold what was made of an item: a judge's.
EVALUATING = frozenset(
    [
        *("evaluation", "evaluations", "eval", "evals", "judgment", "judgement", "judgments"),
        *("judgements", "result", "results"),
    ]
)
#: Every folded label that is known to be a verdict.
VERDICTS = frozenset(
    {
        *(label for pair in PAIRS for label in pair),
        *(label for order in ORDERS for label in order),
        *(label for pair in SIDES for label in pair),
        *(ABSTAIN | INVALID | TIES),
    }
)
