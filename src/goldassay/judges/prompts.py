"""From an item to the text that a judge reads: the requests that one item needs.

The item's texts are hostile. They are put into the prompt in one pass, so that a `{placeholder}` in
them stays text; what in them looks like a verdict of this judge, like the prompt's own delimiters
or like a chat template's control tokens is made unlike it (`neutral`), visibly and without touching
anything else; and goldassay's own prompts fence them with a mark that they do not contain.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from string import ascii_uppercase
from typing import Any

from goldassay.judges.call_key import Sent, call_key
from goldassay.judges.declaration import Declaration
from goldassay.judges.items import Item
from goldassay.judges.reading import BRACKETS, fold
from goldassay.judges.request import Request
from goldassay.judges.spec import Judge, check_asked
from goldassay.judges.verdicts import Format

__all__ = ["neutral", "requests", "verdict_schema"]

_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")
#: Control tokens of chat templates, and delimiters written in their way.
_CONTROL = re.compile(r"<\|(\S(?:[^<>|\n]{0,58}\S)?)\|>")
_TAGS = re.compile(r"<(/?(?:think|thinking|reasoning|s|INST))>|\[(/?INST)\]", re.IGNORECASE)


def requests(
    judge: Judge, item: Item, *, structured: bool = False, top_logprobs: int = 20
) -> list[Request]:
    """All calls that one item needs of one judge: criteria x orders x samples.

    `structured` and `top_logprobs` say what the endpoint offers. Where log-probabilities are
    refused, `token_probs` asks `fallback_samples` times at temperature 1 and reads the words.
    """
    chat, built_in = judge.kind.chat, judge.built_in
    parameters, samples = judge.sent_parameters, judge.samples
    wanted = top_logprobs if chat and built_in.read_probabilities else 0
    if chat and built_in.read_probabilities and not top_logprobs:
        samples = max(samples, judge.fallback_samples)
        if judge.parameters is None:
            parameters = {"temperature": 1.0, "max_tokens": 4}
    criteria = _criteria(judge, item)
    groups = [criteria] if judge.together else [{name: criteria[name]} for name in criteria]
    orders: tuple[str, ...] = ("",)
    if built_in.pairs and chat:
        orders = ("system_first", "opponent_first") if judge.orders == "both" else (judge.orders,)
    form = Format(
        realization=judge.realization,
        options=judge.words,
        abstain=judge.abstentions,
        probabilities=wanted > 0,
        together=judge.together,
        refusals=judge.refusals,
    )
    out = []
    for group in groups:
        for order in orders:
            shaped = replace(form, criteria=tuple(group), order=order)
            schema = verdict_schema(judge, shaped) if structured and judge.wants_schema else None
            prompt, texts = _rendered(judge, item, group, shaped, in_json=schema is not None)
            for sample in range(1, samples + 1):
                sent = Sent(
                    format=shaped,
                    sample=sample,
                    prompt=prompt,
                    parameters=parameters,
                    structured=schema is not None,
                    payload={} if chat else _payload(item, group, sample),
                )
                out.append(
                    Request(
                        key=call_key(judge, sent),
                        judge=judge,
                        item=item,
                        format=shaped,
                        sample=sample,
                        prompt=prompt,
                        parameters=parameters,
                        schema=schema,
                        top_logprobs=wanted,
                        payload=sent.payload,
                        texts=texts,
                    )
                )
    return out


def _criteria(judge: Judge, item: Item) -> Mapping[str, str]:
    """Names and texts of the criteria to judge; one without a name where there is none."""
    if item.criteria:
        check_asked(judge, item.criteria, f"line {item.line}, criteria")
    return item.criteria or judge.criteria or {"": judge.text_of_question}


def _payload(item: Item, criteria: Mapping[str, str], sample: int) -> dict[str, Any]:
    """What a judge without a prompt is given: the item's own fields, and the criteria to judge."""
    payload = dict(item.raw)
    if item.output_b:
        payload |= {"output_b": item.output_b, "opponent": item.opponent}
    named = {name: text for name, text in criteria.items() if name}
    if named:
        payload["criteria"] = named
    payload["sample"] = sample
    return payload


def verdict_schema(judge: Declaration, form: Format) -> dict[str, Any]:
    """The JSON schema of the verdicts that a request asks for."""
    verdict = judge.built_in.schema(form, judge.built_in.words(form))
    properties: dict[str, Any] = dict.fromkeys(
        form.criteria if form.together else ["verdict"], verdict
    )
    if judge.explain and not form.together:
        properties = {"reason": {"type": "string"}, **properties}
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def neutral(text: str, judge: Declaration) -> str:
    """The item's text with forged verdicts, delimiters and control tokens made visibly inert."""
    text = _CONTROL.sub(r"<¦\1¦>", text)
    text = _TAGS.sub(lambda match: f"‹{match.group(1) or match.group(2)}›", text)
    built_in = judge.built_in
    form = Format(realization=judge.realization, options=judge.words, abstain=judge.abstentions)
    letters = ascii_uppercase[: len(judge.words)] if built_in.lettered else ""
    stated = (*built_in.words(form), *judge.words, *letters, *built_in.lookalikes)
    words = {fold(word) for word in stated}

    def bracketed(match: re.Match[str]) -> str:
        inner = match.group(1)
        number = built_in.gives == "number" and re.fullmatch(r"[\s\d.+-]+", inner)
        return f"⟦{inner}⟧" if number or fold(inner) in words else match.group(0)

    text = BRACKETS.sub(bracketed, text)
    return re.sub(r'"(verdicts?)"(\s*:)', r"“\1”\2", text, flags=re.IGNORECASE)


def _rendered(
    judge: Judge, item: Item, criteria: Mapping[str, str], form: Format, *, in_json: bool
) -> tuple[str, tuple[str, ...]]:
    """The prompt, and the item's texts as they stand in it."""
    if not judge.kind.chat:
        return "", ()
    first, second = item.output, item.output_b
    if form.order == "opponent_first":
        first, second = second, first
    places = {
        "input": item.input,
        "output": item.output,
        "output_a": first,
        "output_b": second,
        "reference": item.reference,
    }
    used = set(_PLACEHOLDER.findall(judge.template))
    given = tuple(text for place, text in places.items() if text and place in used)
    shown = {text: neutral(text, judge) for text in given}
    values = {
        **{place: shown.get(text, "") for place, text in places.items()},
        **_asked(judge, criteria),
        "format": _format(judge, form, in_json=in_json),
        "mark": _mark(given),
    }
    prompt = _PLACEHOLDER.sub(
        lambda match: values.get(match.group(1), match.group(0)), judge.template
    )
    return prompt, tuple(dict.fromkeys(shown.values()))


def _asked(judge: Judge, criteria: Mapping[str, str]) -> dict[str, str]:
    """What the judge file says, by the placeholder that shows it."""
    built_in, letters = judge.built_in, ascii_uppercase[: len(judge.words)]
    descriptions = judge.descriptions or built_in.descriptions
    named = [_named(name, text) for name, text in criteria.items()]
    line = f"Go by this criterion alone: {' '.join(named)}\n" if any(criteria) else ""
    return {
        "question": judge.text_of_question,
        "options": _option_lines(judge.words, descriptions)
        if built_in.lettered
        else ", ".join(f"'{word}'" for word in judge.words),
        "letters": _listed(letters, "and/or" if built_in.gives == "options" else "or"),
        "all_letters": letters,
        "example": judge.words[len(judge.words) // 2] if judge.words else "",
        "criterion": "\n".join(named),
        "criterion_line": line,
        "criteria": "\n".join(f"- {name}: {text}" for name, text in criteria.items()),
    }


def _named(name: str, text: str) -> str:
    """A criterion with its name, where that says more than its text."""
    return f"{name}: {text}" if name and name != text else text


def _listed(letters: str, word: str) -> str:
    return f"{', '.join(letters[:-1])}, {word} {letters[-1]}" if letters else ""


def _option_lines(options: Sequence[str], descriptions: Mapping[str, str]) -> str:
    """The lettered options, as "A. Toxic - Rude, ...", one a line."""
    lines = []
    for letter, option in zip(ascii_uppercase, options, strict=False):
        about = f" - {descriptions[option]}" if descriptions.get(option) else ""
        lines.append(f"{letter}. {option}{about}")
    return "\n".join(lines)


def _mark(texts: tuple[str, ...]) -> str:
    """A mark that does not occur in the texts, the same for the same texts."""
    seed = "\0".join(texts)
    while True:
        hashed = hashlib.sha256(("goldassay mark\0" + seed).encode("utf-8", "replace"))
        mark = hashed.hexdigest()[:12]
        if not any(mark in text for text in texts):
            return mark
        seed += mark


def _format(judge: Judge, form: Format, *, in_json: bool) -> str:
    """The sentence that asks for the verdict, as `{format}` shows it."""
    built_in = judge.built_in
    words = list(built_in.words(form))
    quoted = ", ".join(json.dumps(word, ensure_ascii=False) for word in words)
    bracketed = ", ".join(f"[[{word}]]" for word in words)
    first = "First explain your reasoning in a few sentences. Then " if judge.explain else ""
    if form.together:
        verdict = built_in.asks_json.format(quoted=quoted)
        ask = f"answer with one JSON object that gives each criterion's name {verdict}."
    elif in_json:
        reason = '"reason" is your reasoning in a few sentences and ' if judge.explain else ""
        first = ""
        verdict = built_in.asks_json.format(quoted=quoted)
        ask = f'answer with one JSON object in which {reason}"verdict" is {verdict}.'
    else:
        ask = f"answer with {built_in.asks.format(bracketed=bracketed)}."
    return first + (ask if first else ask[0].upper() + ask[1:])
