"""Outputs that their texts alone tell apart: several answers to one prompt, each rated.

Where rows name who rated, an id of what was asked tells the rows apart with the rater as soon as
nobody rated two answers to it, and answers would be taken for one item on which people differ. What
was rated is the text: where it differs within an id, both together name the item.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from goldassay.proposals.units.looked import TEXTS_OF_ITEMS, TRIES, Looked, ends_as_id
from goldassay.ratings.fetch import fetch
from goldassay.ratings.vocabulary import CLUSTERS, SYNONYMS, kind_of, plain_name, words

__all__ = ["prompt_and_outputs"]

#: Words of columns that hold what a system wrote.
_OUTPUTS = frozenset(
    [
        *("answer", "candidate", "completion", "generated", "generation", "hypothesis", "output"),
        *("reply", "response", "story", "summary", "translation", "caption", "dialogue"),
        *("answers", "candidates", "completions", "generations", "hypotheses", "outputs"),
        *("replies", "responses", "stories", "summaries", "translations", "captions"),
    ]
)
#: Words of texts that a rater wrote or changed, or was given to compare with.
_NOT_RATED = frozenset(
    [
        *("comment", "corrected", "edited", "edit", "explanation", "feedback", "fixed", "gold"),
        *("improved", "justification", "note", "notes", "post", "rationale", "reason", "reference"),
        *("revised", "rewrite", "rewritten", "suggested", "suggestion", "expected", "ideal"),
    ]
)
#: Names of what an output was made from, beside those of prompts.
_SOURCES = ("article", "context", "conversation", "passage", "post", "source", "source_text", "src")
#: So many more texts than units there must be: fewer are slips in a table.
_MORE = 1.05
#: Rows that are looked at, and signs that say nothing of a text.
_ROWS = 20_000
_SIGNS = re.compile(r"[\W_]+")


def prompt_and_outputs(looked: Looked, ids: Sequence[str]) -> list[str] | None:
    """The id, or the text, of what was asked with the texts of what was rated, where raters are
    named and these texts differ under it; None where nothing is to be added."""
    if not looked.by_raters or looked.source.parts or "sample" in looked.shape.columns:
        return None
    texts = [name for name in looked.columns if _is_output(looked, name)]
    if not 1 <= len(texts) <= 2 or (len(texts) == 2) != looked.shape.sides:
        return None
    whole = [n for n, c in looked.columns.items() if c.filled == looked.rows > c.distinct > 1]
    free = [n for n in whole if n not in looked.shape.taken and n not in texts]
    asked = [n for n in free if ends_as_id(n) or plain_name(n) in (*TEXTS_OF_ITEMS, *_SOURCES)]
    first = [name for name in ids if name in whole]
    for name in list(dict.fromkeys([*first, *asked]))[:TRIES]:
        if _names_outputs(looked, name):
            return None
        places = [n for n in free if looked.numbers_within(n)]
        if any(looked.keys([name, n, *looked.beside]) == looked.rows for n in places):
            return None  # a turn of a dialog names what was said in it
        told_apart = looked.keys([name, *texts, *looked.beside]) == looked.rows
        if told_apart and _differ(looked, name, texts):
            return [name, *texts]
    return None


def _names_outputs(looked: Looked, name: str) -> bool:
    """Whether a column names what was rated, whatever texts stand beside it: an id of items or of
    outputs (`story_id`), or one of which every rater rated each once."""
    plain = plain_name(name)
    if plain in SYNONYMS["item"] and plain not in CLUSTERS:
        return True
    if ends_as_id(name) and {*words(name)} & _OUTPUTS:
        return True
    rater = looked.shape.columns["rater"]
    units = looked.keys([name, *(one for one in looked.beside if one != rater)])
    return units * looked.columns[str(rater)].distinct == looked.rows


def _differ(looked: Looked, name: str, texts: Sequence[str]) -> bool:
    """Whether one unit has several texts, in other letters than the same; two of which do not stand
    in either order, for then their order is not the item's."""
    rater = looked.shape.columns["rater"]
    units = list(dict.fromkeys([name, *(one for one in looked.beside if one != rater)]))
    wanted = list(dict.fromkeys([*units, *texts]))
    rows = fetch(looked.source.frame.select(*wanted).head(_ROWS), place=looked.source.name)
    keys = zip(*(rows[one].tolist() for one in units), strict=True)
    said = zip(*(map(_letters, rows[one].tolist()) for one in texts), strict=True)
    pairs = {*zip(keys, said, strict=True)}
    swapped = len(texts) > 1 and any((key, two[::-1]) in pairs for key, two in pairs)
    return not swapped and len(pairs) >= _MORE * len({key for key, _ in pairs})


def _letters(text: object) -> str:
    return _SIGNS.sub("", str(text)).casefold()


def _is_output(looked: Looked, name: str) -> bool:
    column, said = looked.columns[name], {*words(name)}
    if name in looked.shape.taken or kind_of(name) is not None or said & _NOT_RATED:
        return False
    if any(label[:1] in ("{", "[") for label in column.labels):  # a record, of several texts
        return False
    return bool(said & _OUTPUTS) and column.text and column.filled == looked.rows
