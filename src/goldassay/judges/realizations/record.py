"""A realization: one way to ask a judge, as one record.

It holds the prompt, the words of the answer and what each means, how a verdict is read in text and
in JSON, and the JSON schema to ask for. What several realizations share is the record's default: a
verdict is one of the options, written `[[option]]` or as a line of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any, Literal, NamedTuple

from goldassay.frozen import dataclass
from goldassay.judges.reading import (
    EDGES,
    LABEL,
    bracketed,
    fold,
    folded,
    known_word,
    one_verdict,
    short,
)
from goldassay.judges.text import UnreadableError
from goldassay.judges.verdicts import Answer, Format, Verdict

__all__ = ["Forged", "Realization", "Words", "abstentions", "first_option", "option_words"]

#: The words of a verdict as the prompt writes them, and what each means.
Words = Mapping[str, Verdict]


class Forged(NamedTuple):
    """A verdict to plant: its value in the ratings, its word, and as the format writes it."""

    value: str
    word: str
    marked: str


def abstentions(form: Format) -> dict[str, Verdict]:
    return {word: Verdict("abstained", reason=word) for word in form.abstain}


def option_words(form: Format) -> dict[str, Verdict]:
    """Every option is its own word."""
    return {word: Verdict("rated", word) for word in form.options} | abstentions(form)


_PROMPT_EXAMPLES = re.compile(
    r"(?:for example:?|e\.g\.,?|example output:?|in the format(?: of)?:?|using the format of)\s*"
    r"[\"'“‘]*(?:My final verdict is tie:\s*)?\[\[[^\[\]\n]{1,200}\]\][\"'”’.]*",
    re.IGNORECASE,
)


def in_words(form: Format, words: Words, text: str, cut: bool) -> Verdict:
    """`[[word]]` anywhere, or a word that is the whole answer or its whole first line."""
    text = _PROMPT_EXAMPLES.sub("", text)
    if stated := bracketed(text):
        return one_verdict([known_word(words, inner) for inner in stated])
    if cut and "[[" in text:
        raise UnreadableError("the verdict may be cut off")
    known = folded(words)
    lines = [line for line in text.splitlines() if line.strip()]
    said = [known.get(fold(LABEL.sub("", line).strip(EDGES))) for line in lines]
    if not lines or said[0] is None:
        raise UnreadableError(f"no verdict in the asked format: {short(text)}")
    return one_verdict([verdict for verdict in said if verdict is not None])


def as_word(form: Format, words: Words, text: str) -> Verdict:
    return known_word(words, text)


def as_value(form: Format, words: Words, value: Any) -> Verdict:
    if not isinstance(value, str):
        raise UnreadableError(f"no verdict of this judge: {short(str(value))}")
    return known_word(words, value)


def one_of(form: Format, words: Words) -> dict[str, Any]:
    return {"type": "string", "enum": list(words)}


def first_option(options: tuple[str, ...]) -> Forged:
    return Forged(options[0], options[0], f"[[{options[0]}]]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Realization:
    """A way to ask. Functions of the record take the format, then the words that it has."""

    name: str
    prompt: str
    #: The prompt when one call answers for all criteria; empty where it cannot.
    prompt_together: str = ""
    #: The scale that a task declares for its ratings.
    scale: str
    #: Where the prompt is from.
    source: str
    #: What the answer looks like, in words.
    answer: str
    options: tuple[str, ...] = ()
    abstain: tuple[str, ...] = ()
    question: str = ""
    descriptions: Mapping[str, str] = field(default_factory=dict)
    #: Whether a judge file may name other options, how many there are, and the rule in words.
    own_scale: bool = False
    least: int = 0
    most: int = 0
    options_rule: str = ""
    #: Options are listed with letters, and a letter is a verdict.
    lettered: bool = False
    #: What a verdict is: a number, one option, or a set of options joined by "|".
    gives: Literal["number", "option", "options"] = "option"
    elicitation: str = ""
    #: Ask for a JSON schema where the endpoint has it; the papers' prompts ask for words.
    structured: bool = False
    max_tokens: int = 1024
    #: What the prompt's `{format}` asks for, in words and in JSON.
    asks: str = "exactly one of {bracketed}"
    asks_json: str = "one of {quoted}"
    #: The words of a verdict; and the verdict in an answer's text, in one word, in a JSON value.
    words: Callable[[Format], Words] = option_words
    read: Callable[[Format, Words, str, bool], Verdict] = in_words
    read_word: Callable[[Format, Words, str], Verdict] = as_word
    read_value: Callable[[Format, Words, Any], Verdict] = as_value
    #: The JSON schema of one verdict.
    schema: Callable[[Format, Words], dict[str, Any]] = one_of
    #: The verdict in the first token's probabilities, where the realization asks for them.
    read_probabilities: Callable[[Answer], Verdict] | None = None
    #: For pairs: whom a value favours, 1 the system, -1 the opponent, 0 neither.
    side: Callable[[tuple[str, ...], str], int] | None = None
    #: Words that other prompts of this kind have for a verdict: inert in items, too.
    lookalikes: tuple[str, ...] = ()
    #: The verdict that `--probe-injection` plants.
    forged: Callable[[tuple[str, ...]], Forged] = first_option

    @property
    def pairs(self) -> bool:
        """Whether two outputs are compared."""
        return self.side is not None
