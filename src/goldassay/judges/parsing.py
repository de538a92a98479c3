"""Reading a judge's answer: what the format says, or `invalid` with the reason; never a guess.

An answer may open with thinking, stand in a code fence, be emphasised, and go on with prose after
the verdict. Two different verdicts, none, a number off the scale, a cut-off answer: `invalid`.
Stretches that repeat the item's own text are covered before reading (`text.py`), so that a verdict
planted in an item is not read when the judge quotes it.

Change `PARSER` when a reading changes; `goldassay reparse` then reads stored responses again.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from string import ascii_uppercase
from typing import Any, Literal

from goldassay.judges.realizations import ANCHOR_WORDS
from goldassay.judges.text import COVER, UnreadableError, covered, opened

__all__ = ["PARSER", "Answer", "Format", "Verdict", "read_answer"]

PARSER = 1

Status = Literal["rated", "abstained", "invalid", "failed"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was read for one criterion."""

    status: Status
    value: str | None = None
    score: float | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What a judge said: text, why it stopped, and the first token's alternatives."""

    text: str | None
    finish: str | None = None
    refusal: str | None = None
    #: Per generated token, its most likely alternatives as (token, log-probability).
    alternatives: Sequence[Sequence[tuple[str, float]]] | None = None
    quoted: Sequence[tuple[int, int]] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """What an answer should look like. `order` says which of a pair was shown as A."""

    realization: str
    options: tuple[str, ...] = ()
    abstain: tuple[str, ...] = ()
    criteria: tuple[str, ...] = ("",)
    order: str = ""
    probabilities: bool = False
    together: bool = False
    refusals: Status = "failed"

    def to_json(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Format:
        raw = json.loads(text)
        for name in ("options", "abstain", "criteria"):
            raw[name] = tuple(raw[name])
        return cls(**raw)


def read_answer(form: Format, answer: Answer) -> dict[str, Verdict]:
    """The verdict of every criterion that the call was to answer."""
    try:
        return _read(form, answer)
    except UnreadableError as problem:
        reason = str(problem)
        if answer.finish == "length":
            reason = f"cut off at the token limit; {reason}"
        return dict.fromkeys(form.criteria, Verdict("invalid", reason=reason))


def _read(form: Format, answer: Answer) -> dict[str, Verdict]:
    if answer.refusal or answer.finish in ("content_filter", "refusal"):
        return dict.fromkeys(form.criteria, Verdict(form.refusals, reason="the judge refused"))
    if form.probabilities:
        return dict.fromkeys(form.criteria, _token_probabilities(answer))
    text = opened(covered(answer.text or "", answer.quoted))
    if not text.strip(COVER).strip():
        if opened(answer.text or "").strip():
            raise UnreadableError("nothing but a quotation of the item's text")
        raise UnreadableError("empty answer")
    try:
        if form.together:
            return _together(form, text)
        verdict = _single(form, text, cut=answer.finish == "length")
    except UnreadableError as problem:
        if _REFUSAL.match(text):
            return dict.fromkeys(form.criteria, Verdict(form.refusals, reason="the judge refused"))
        if COVER in text:
            raise UnreadableError(f"{problem} outside a quotation of the item's text") from None
        raise
    return dict.fromkeys(form.criteria, verdict)


_REFUSAL = re.compile(
    r"\W*(?:I['’]?\s?a?m (?:very |so |really )?sorry\b|Sorry,|I apologi[sz]e\b|"
    r"I (?:can['’]?t|cannot|can not|won['’]?t|will not|am (?:not able|unable) to|['’]m (?:not able|"
    r"unable) to)\s(?:\w+\s){0,2}?(?:assist|help|comply|provide|rate|judge|evaluate|answer|fulfil|"
    r"continue|engage|do)|I['’]m (?:not able|unable) to\b|As an AI\b)",
    re.IGNORECASE,
)


# --- one verdict


def _single(form: Format, text: str, *, cut: bool) -> Verdict:
    found = [_from_json(form, value) for value in _json_verdicts(text)]
    if not found:
        readers = {
            "numeric": _numeric,
            "forced_choice": _forced_choice,
            "response_set": _response_set,
            "token_probs": _yes_no,
        }
        reader = readers.get(form.realization)
        return reader(form, text, cut) if reader else _worded(form, text, cut)
    found += [_word(form, inner) for inner in _BRACKETS.findall(text)]
    return _one(found)


def _one(found: Sequence[Verdict]) -> Verdict:
    distinct = {(verdict.status, verdict.value) for verdict in found}
    if len(distinct) > 1:
        values = " and ".join(sorted(str(value) for _, value in distinct))
        raise UnreadableError(f"two verdicts ({values})")
    return found[0]


def _words(form: Format) -> dict[str, Verdict]:
    """Every word that is a verdict in this format, folded, and what it means."""
    if form.realization == "anchor":
        sign = -1 if form.order == "opponent_first" else 1
        return {
            _fold(word): Verdict("rated", str(sign * value), float(sign * value))
            for word, value in ANCHOR_WORDS.items()
        }
    words: dict[str, Verdict]
    if form.realization == "pairwise":
        first, second, *tie = form.options
        if form.order == "opponent_first":
            first, second = second, first
        words = {"a": Verdict("rated", first), "b": Verdict("rated", second)}
        if tie:
            words["tie"] = Verdict("rated", tie[0])
    elif form.realization == "likert":
        words = {
            _fold(word): Verdict("rated", word, float(rank))
            for rank, word in enumerate(form.options, start=1)
        }
    else:
        words = {_fold(word): Verdict("rated", word) for word in form.options}
    return words | {_fold(word): Verdict("abstained", reason=word) for word in form.abstain}


def _fold(text: str) -> str:
    return re.sub(r"[\s_-]+", "", text).casefold()


def _word(form: Format, text: str) -> Verdict:
    if form.realization == "numeric":
        return _number(text.strip())
    words = _words(form)
    if form.realization in ("forced_choice", "response_set"):
        letters = ascii_uppercase[: len(form.options)]
        words |= {
            letter.casefold(): Verdict("rated", option)
            for letter, option in zip(letters, form.options, strict=True)
        }
    verdict = words.get(_fold(text))
    if verdict is None:
        raise UnreadableError(f"no verdict of this judge: {_short(text)}")
    return verdict


def _short(text: str, limit: int = 60) -> str:
    text = " ".join(text.replace(COVER, "").split())
    return repr(text if len(text) <= limit else text[: limit - 1] + "…")


_BRACKETS = re.compile(r"\[\[([^\[\]\n]{1,200})\]\]")
_PROMPT_EXAMPLES = re.compile(
    r"(?:for example:?|e\.g\.,?|example output:?|in the format(?: of)?:?|using the format of)\s*"
    r"[\"'“‘]*(?:My final verdict is tie:\s*)?\[\[[^\[\]\n]{1,200}\]\][\"'”’.]*",
    re.IGNORECASE,
)
_EDGES = " \t\r\n*_`\"'“”‘’.!,;:()[]#>-"
_LABEL = re.compile(
    r"^[\s*_#>-]*(?:(?:my|the|final|overall)\s+)*(?:rating|score|verdict|answer|judge?ment|choice)"
    r"(?:\s*\((?:0\s*[-–]\s*100|yes/no)\))?[\s*_]*(?:[:=]|\bis\b:?)[\s*_]*",
    re.IGNORECASE,
)


def _worded(form: Format, text: str, cut: bool) -> Verdict:
    """`[[word]]` anywhere, or a word that is the whole answer or its whole first line."""
    text = _PROMPT_EXAMPLES.sub("", text)
    bracketed = _BRACKETS.findall(text)
    if bracketed:
        return _one([_word(form, inner) for inner in bracketed])
    if cut and "[[" in text:
        raise UnreadableError("the verdict may be cut off")
    words = _words(form)
    lines = [line for line in text.splitlines() if line.strip()]
    stated = [words.get(_fold(_LABEL.sub("", line).strip(_EDGES))) for line in lines]
    if not lines or stated[0] is None:
        raise UnreadableError(f"no verdict in the asked format: {_short(text)}")
    return _one([verdict for verdict in stated if verdict is not None])


_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?")


def _number(text: str) -> Verdict:
    if not _NUMBER.fullmatch(text):
        raise UnreadableError(f"not a number from 0 to 100: {_short(text)}")
    value = float(text)
    if not 0 <= value <= 100 or text.startswith("-"):
        raise UnreadableError(f"out of the range 0 to 100: {_short(text)}")
    return Verdict("rated", str(int(value)) if value.is_integer() else repr(value), value)


_AFTER_NUMBER = re.compile(
    r"[*_`\"'”’\])]*\s*(?:/\s*100(?![0-9.])|out of 100\b|%|points?\b)?[*_`\"'”’\])]*"
    r"(?P<rest>$|\s*\n.*|\.?\s*$|\.\s+\D.*|\s*[,;(–—-]\s*[^\d\s].*)$",
    re.DOTALL | re.IGNORECASE,
)


def _numeric(form: Format, text: str, cut: bool) -> Verdict:
    """The number with which the answer opens, or `[[number]]`; all that are stated must agree."""
    found = [_number(inner.strip()) for inner in _BRACKETS.findall(text)]
    opening = _LABEL.sub("", text, count=1).lstrip("*_`\"'“‘[( \t\n")
    match = None if found else _NUMBER.match(opening)
    if match:
        rest = opening[match.end() :]
        if cut and not rest.strip():
            raise UnreadableError("the number may be cut off")
        tail = _AFTER_NUMBER.match(rest)
        same_line = tail is not None and re.match(r"\s*[,;(–—-]", tail.group("rest"))
        if tail is None or (same_line and re.search(r"\d", tail.group("rest").split("\n")[0])):
            raise UnreadableError(f"not one number from 0 to 100: {_short(text)}")
        found.append(_number(match.group()))
    for line in text.splitlines()[1:]:  # "85 ... Rating: 60" states two
        label = _LABEL.match(line)
        number = label and _NUMBER.match(line[label.end() :].lstrip("*[ "))
        if number and found:
            found.append(_number(number.group()))
    if not found:
        raise UnreadableError(f"no number at the beginning: {_short(text)}")
    return _one(found)


def _lettered(form: Format) -> str:
    return ascii_uppercase[: len(form.options)]


def _forced_choice(form: Format, text: str, cut: bool) -> Verdict:
    """One letter as the first character (or an option's words as the whole answer)."""
    bracketed = _BRACKETS.findall(text)
    if bracketed:
        return _one([_word(form, inner) for inner in bracketed])
    body = _LABEL.sub("", text, count=1).lstrip("*_`\"'“‘([ \t\n")
    first, *rest = body.splitlines() or [""]
    words = _words(form)
    whole = words.get(_fold(first.strip(_EDGES)))
    if whole is None:
        match = re.match(rf"([{_lettered(form)}])(?![A-Za-z0-9_])(.*)$", first)
        alone = first.strip(_EDGES.replace("_", ""))
        if not match and len(alone) == 1:
            match = re.match(rf"([{_lettered(form)}])(.*)$", alone.upper())
        if not match:
            raise UnreadableError(f"no letter of an option at the beginning: {_short(text)}")
        option = form.options[ascii_uppercase.index(match.group(1))]
        after = match.group(2).strip(_EDGES)
        if not _belongs(
            after, option, form, punctuated=bool(re.match(r"\s*[.:)*]", match.group(2)))
        ):
            raise UnreadableError(f"not one letter: {_short(text)}")
        whole = Verdict("rated", option)
    for line in rest:  # another option's letter alone on a line is a second verdict
        other = re.fullmatch(rf"[\W_]*([{_lettered(form)}])[\W_]*", _LABEL.sub("", line))
        if other and form.options[ascii_uppercase.index(other.group(1))] != whole.value:
            raise UnreadableError("two verdicts")
    return whole


def _belongs(after: str, option: str, form: Format, *, punctuated: bool) -> bool:
    """Whether what follows a letter on its line may: nothing, the option's words, or prose after
    punctuation that names no other option's letter."""
    if not after or _fold(after).startswith(_fold(option)):
        return True
    if not punctuated:
        return False
    others = [_fold(one) for one in form.options if one != option]
    named = any(_fold(after).startswith(other) for other in others)
    return not named and not re.search(rf"(?<!\w)[{_lettered(form)}](?!\w|['’])", after)


def _response_set(form: Format, text: str, cut: bool) -> Verdict:
    """A sequence of letters, none twice, as the whole answer or its first line."""
    bracketed = _BRACKETS.findall(text)
    if len(bracketed) == 1:
        text = bracketed[0]
    elif bracketed:
        raise UnreadableError("two verdicts")
    body = _LABEL.sub("", text, count=1)
    first, *rest = [line for line in body.splitlines() if line.strip()] or [""]
    line = first.strip("*_`\"'“”‘’()[]. \t")
    words = _words(form).get(_fold(line))
    if words is not None:
        return words
    bare = re.sub(r"\s*(?:,|;|\band\b|&|\+|\s)\s*", "", line)
    letters = _lettered(form)
    spaced = re.fullmatch(
        rf"[{letters}](?:(?:\s*,\s*(?:and\s+)?|\s*;\s*|\s+and\s+|\s*[&+]\s*|\s+)"
        rf"[{letters}])*",
        line,
    )
    if not (re.fullmatch(rf"[{letters}]+", line) or spaced):
        raise UnreadableError(f"not a sequence of the letters {letters}: {_short(text)}")
    if first.strip().endswith("_"):
        raise UnreadableError(f"not a sequence of the letters {letters}: {_short(text)}")
    if len(set(bare)) != len(bare):
        raise UnreadableError(f"a letter twice: {_short(text)}")
    if cut and not rest:
        raise UnreadableError("the letters may be cut off")
    for other in rest:
        stated = _LABEL.sub("", other).strip(_EDGES)
        if re.fullmatch(rf"[{letters}]{{1,26}}", stated) and set(stated) != set(bare):
            raise UnreadableError("two verdicts")
    chosen = [
        option for letter, option in zip(letters, form.options, strict=True) if letter in bare
    ]
    return Verdict("rated", "|".join(chosen))


def _yes_no(form: Format, text: str, cut: bool) -> Verdict:
    """The word yes or no as the whole answer, or before punctuation, the other not on its line."""
    line = _LABEL.sub("", text, count=1).lstrip("*_`\"'“‘([ \t\n").split("\n")[0]
    match = re.match(r"(yes|no)\b(?=\s*$|[\s*_`\"'”’)\]]*(?:[.,!:;–—-]|$))", line, re.IGNORECASE)
    if not match:
        raise UnreadableError(f"neither yes nor no at the beginning: {_short(text)}")
    word = match.group(1).casefold()
    other = "no" if word == "yes" else "yes"
    if re.search(rf"\b{other}\b", line[match.end() :], re.IGNORECASE):
        raise UnreadableError(f"both yes and no: {_short(text)}")
    return Verdict(
        "rated", word, float(word == "yes"), "frequency over samples: no log-probabilities here"
    )


def _token_probabilities(answer: Answer) -> Verdict:
    """p(yes) / (p(yes) + p(no)) at the first token that is not blank, over its top alternatives."""
    for alternatives in answer.alternatives or ():
        if alternatives and not any(_token(token) for token, _ in alternatives[:1]):
            continue  # a blank token opens the answer
        mass = {"yes": 0.0, "no": 0.0}
        for token, log_probability in alternatives:
            word = _token(token)
            if word in mass:
                if math.isnan(log_probability) or log_probability > 1e-6:
                    raise UnreadableError(f"not a log-probability: {log_probability}")
                mass[word] += math.exp(log_probability)
        total = mass["yes"] + mass["no"]
        if not total > 0:
            raise UnreadableError("neither yes nor no among the first token's likely alternatives")
        score = mass["yes"] / total
        return Verdict("rated", "yes" if score >= 0.5 else "no", score)
    raise UnreadableError("the response has no log-probabilities")


def _token(token: str) -> str:
    """A token as a word: blanks of every tokeniser's spelling stripped, lower case."""
    return token.strip(" \t\r\n▁Ġ\u00a0").casefold()


# --- JSON


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = [name for name, _ in pairs]
    if len(set(names)) != len(names):
        raise UnreadableError("a JSON object that names a verdict twice")
    return dict(pairs)


def _no_constant(name: str) -> Any:
    raise UnreadableError(f"{name} is not a verdict")


_DECODER = json.JSONDecoder(object_pairs_hook=_pairs, parse_constant=_no_constant)


def _objects(text: str) -> list[dict[str, Any]]:
    """The JSON objects that stand in a text, outermost ones."""
    found: list[dict[str, Any]] = []
    at = text.find("{")
    while at >= 0:
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            at = text.find("{", at + 1)
            continue
        if isinstance(value, dict):
            found.append(value)
        at = text.find("{", end)
    return found


def _json_verdicts(text: str) -> list[Any]:
    """The values under "verdict" in the answer's JSON objects."""
    if '"verdict"' not in text:
        return []
    return [value["verdict"] for value in _objects(text) if "verdict" in value]


def _from_json(form: Format, value: Any) -> Verdict:
    if form.realization == "numeric":
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise UnreadableError(f"not a number from 0 to 100: {_short(str(value))}")
        return _number(str(value))
    if form.realization == "response_set" and isinstance(value, list):
        words = _words(form)
        read = [words.get(_fold(one)) if isinstance(one, str) else None for one in value]
        if not read or None in read or len({one.value for one in read if one}) != len(read):
            raise UnreadableError(f"not a set of the options: {_short(str(value))}")
        chosen = {one.value for one in read if one}
        return Verdict("rated", "|".join(option for option in form.options if option in chosen))
    if not isinstance(value, str):
        raise UnreadableError(f"no verdict of this judge: {_short(str(value))}")
    return _word(form, value)


def _together(form: Format, text: str) -> dict[str, Verdict]:
    """One verdict per criterion, from one JSON object or from lines `name: WORD`."""
    objects = [one for one in _objects(text) if set(one) & set(form.criteria)]
    stated: Mapping[str, list[Any]]
    if objects:
        stated = {name: [one[name] for one in objects if name in one] for name in form.criteria}
    else:
        stated = {name: _lines(name, text) for name in form.criteria}
        if not any(stated.values()):
            raise UnreadableError(f"no criterion's verdict: {_short(text)}")
    out: dict[str, Verdict] = {}
    for name, values in stated.items():
        try:
            if not values:
                raise UnreadableError("no verdict for this criterion")
            out[name] = _one([_from_json(form, value) for value in values])
        except UnreadableError as problem:
            out[name] = Verdict("invalid", reason=str(problem))
    return out


def _lines(name: str, text: str) -> list[str]:
    pattern = re.compile(
        rf"^[\s*_\-\d.)]*{re.escape(name)}[\s*_]*[:=][\s*_]*(.+?)[\s*_.]*$",
        re.MULTILINE | re.IGNORECASE,
    )
    return [match.strip("[]`\"' ") for match in pattern.findall(text)]
