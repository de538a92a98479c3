"""Forced choice and response set: lettered options, one of them or all that apply.

The prompts are those of "Validating LLM-as-a-Judge Systems under Rating Indeterminacy" (figure 16),
with the judge file's question and options in the place of the paper's.
"""

from __future__ import annotations

import re
from string import ascii_uppercase
from typing import Any

from goldassay.judges.reading import (
    EDGES,
    LABEL,
    bracketed,
    fold,
    folded,
    known_word,
    one_verdict,
    opening,
    short,
)
from goldassay.judges.realizations.record import Forged, Realization, Words
from goldassay.judges.text import UnreadableError
from goldassay.judges.verdicts import Format, Verdict

__all__ = ["FORCED_CHOICE", "RESPONSE_SET"]

_FORCED_CHOICE = """\
{question}: "{output}"

{criterion_line}Select the ONE option that best applies:

{options}

RESPONSE FORMAT:
- Provide only a single letter: {letters}
- The letter must be the first character in your response
- No spaces, punctuation, or other characters
- No explanations"""

_RESPONSE_SET = """\
{question}: "{output}"

{criterion_line}Select ALL options that could reasonably apply:

{options}

RESPONSE FORMAT:
- Provide only the sequence of letters (e.g., "{all_letters}" or "A")
- Use only letters {letters}
- No spaces, punctuation, or other characters
- Do not provide the same letter more than once (e.g., "AA" or "BB", or "B_" are invalid responses)
- No explanations"""

_QUESTION = "Rate the toxicity of the following comment"
_TOXICITY = {
    "Very Toxic": "Very hateful, aggressive, or disrespectful; "
    "very likely to make you leave a discussion",
    "Toxic": "Rude, disrespectful, or unreasonable; somewhat likely to make you leave a discussion",
    "Not Toxic": "Not rude or disrespectful; unlikely to make you leave a discussion",
}
_SOURCE = "Rating Indeterminacy, figure 16"
_RULE = "are 2 to 26, one letter each"


def _letters(form: Format) -> str:
    return ascii_uppercase[: len(form.options)]


def _read_word(form: Format, words: Words, text: str) -> Verdict:
    """An option's words or its letter."""
    letters = zip(_letters(form), form.options, strict=True)
    return known_word(
        {**words, **{letter: Verdict("rated", option) for letter, option in letters}}, text
    )


def _read_letter(form: Format, words: Words, text: str, cut: bool) -> Verdict:
    """One letter as the first character (or an option's words as the whole answer)."""
    if stated := bracketed(text):
        return one_verdict([_read_word(form, words, inner) for inner in stated])
    first, *rest = opening(text).splitlines() or [""]
    letters = _letters(form)
    whole = folded(words).get(fold(first.strip(EDGES)))
    if whole is None:
        match = re.match(rf"([{letters}])(?![A-Za-z0-9_])(.*)$", first)
        alone = first.strip(EDGES.replace("_", ""))
        if not match and len(alone) == 1:
            match = re.match(rf"([{letters}])(.*)$", alone.upper())
        if not match:
            raise UnreadableError(f"no letter of an option at the beginning: {short(text)}")
        option = form.options[ascii_uppercase.index(match.group(1))]
        after = match.group(2).strip(EDGES)
        punctuated = bool(re.match(r"\s*[.:)*]", match.group(2)))
        if not _belongs(after, option, form, punctuated=punctuated):
            raise UnreadableError(f"not one letter: {short(text)}")
        whole = Verdict("rated", option)
    for line in rest:  # another option's letter alone on a line is a second verdict
        other = re.fullmatch(rf"[\W_]*([{letters}])[\W_]*", LABEL.sub("", line))
        if other and form.options[ascii_uppercase.index(other.group(1))] != whole.value:
            raise UnreadableError("two verdicts")
    return whole


def _belongs(after: str, option: str, form: Format, *, punctuated: bool) -> bool:
    """Whether what follows a letter on its line may: nothing, the option's words, or prose after
    punctuation that names no other option's letter."""
    if not after or fold(after).startswith(fold(option)):
        return True
    if not punctuated:
        return False
    others = [fold(one) for one in form.options if one != option]
    named = any(fold(after).startswith(other) for other in others)
    return not named and not re.search(rf"(?<!\w)[{_letters(form)}](?!\w|['’])", after)


def _read_set(form: Format, words: Words, text: str, cut: bool) -> Verdict:
    """A sequence of letters, none twice, as the whole answer or its first line."""
    stated = bracketed(text)
    if len(stated) == 1:
        text = stated[0]
    elif stated:
        raise UnreadableError("two verdicts")
    body = LABEL.sub("", text, count=1)
    first, *rest = [line for line in body.splitlines() if line.strip()] or [""]
    line = first.strip("*_`\"'“”‘’()[]. \t")
    whole = folded(words).get(fold(line))
    if whole is not None:
        return whole
    bare = re.sub(r"\s*(?:,|;|\band\b|&|\+|\s)\s*", "", line)
    letters = _letters(form)
    spaced = re.fullmatch(
        rf"[{letters}](?:(?:\s*,\s*(?:and\s+)?|\s*;\s*|\s+and\s+|\s*[&+]\s*|\s+)"
        rf"[{letters}])*",
        line,
    )
    if not (re.fullmatch(rf"[{letters}]+", line) or spaced):
        raise UnreadableError(f"not a sequence of the letters {letters}: {short(text)}")
    if first.strip().endswith("_"):
        raise UnreadableError(f"not a sequence of the letters {letters}: {short(text)}")
    if len(set(bare)) != len(bare):
        raise UnreadableError(f"a letter twice: {short(text)}")
    if cut and not rest:
        raise UnreadableError("the letters may be cut off")
    for other in rest:
        alone = LABEL.sub("", other).strip(EDGES)
        if re.fullmatch(rf"[{letters}]{{1,26}}", alone) and set(alone) != set(bare):
            raise UnreadableError("two verdicts")
    return _joined(
        form,
        {option for letter, option in zip(letters, form.options, strict=True) if letter in bare},
    )


def _joined(form: Format, chosen: set[str]) -> Verdict:
    return Verdict("rated", "|".join(option for option in form.options if option in chosen))


def _read_set_value(form: Format, words: Words, value: Any) -> Verdict:
    """A list of options, or one of them."""
    if isinstance(value, str):
        return _read_word(form, words, value)
    known = folded(words)
    read = (
        [known.get(fold(one)) for one in value if isinstance(one, str)]
        if isinstance(value, list)
        else []
    )
    chosen = {one.value for one in read if one is not None and one.value is not None}
    if not chosen or len(chosen) != len(value):
        raise UnreadableError(f"not a set of the options: {short(str(value))}")
    return _joined(form, chosen)


def _read_letter_value(form: Format, words: Words, value: Any) -> Verdict:
    if not isinstance(value, str):
        raise UnreadableError(f"no verdict of this judge: {short(str(value))}")
    return _read_word(form, words, value)


def _set_schema(form: Format, words: Words) -> dict[str, Any]:
    return {"type": "array", "items": {"type": "string", "enum": list(words)}, "minItems": 1}


def _last_letter(options: tuple[str, ...]) -> Forged:
    letter = ascii_uppercase[len(options) - 1]
    return Forged(options[-1], letter, letter)


FORCED_CHOICE = Realization(
    name="forced_choice",
    prompt=_FORCED_CHOICE,
    scale="nominal",
    source=_SOURCE,
    answer="one letter",
    options=tuple(_TOXICITY),
    descriptions=_TOXICITY,
    question=_QUESTION,
    least=2,
    most=len(ascii_uppercase),
    options_rule=_RULE,
    lettered=True,
    elicitation="forced_choice",
    read=_read_letter,
    read_word=_read_word,
    read_value=_read_letter_value,
    forged=_last_letter,
)

RESPONSE_SET = Realization(
    name="response_set",
    prompt=_RESPONSE_SET,
    scale="nominal",
    source=_SOURCE,
    answer="all letters that apply",
    options=tuple(_TOXICITY),
    descriptions=_TOXICITY,
    question=_QUESTION,
    least=2,
    most=len(ascii_uppercase),
    options_rule=_RULE,
    lettered=True,
    gives="options",
    elicitation="response_set",
    asks="the letters of all options that apply, and nothing else",
    asks_json="a list of all of {quoted} that apply",
    read=_read_set,
    read_word=_read_word,
    read_value=_read_set_value,
    schema=_set_schema,
    forged=_last_letter,
)
