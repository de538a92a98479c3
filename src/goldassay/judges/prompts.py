"""From an item to the text that a judge reads, and to the key of the call.

The item's texts are hostile. They are put into the prompt in one pass, so that a `{placeholder}` in
them stays text; what in them looks like a verdict of this judge, like the prompt's own delimiters
or like a chat template's control tokens is made unlike it (`neutral`), visibly and without touching
anything else; and goldassay's own prompts fence them with a mark that they do not contain.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Any

from goldassay.judges.items import Item
from goldassay.judges.parsing import Format
from goldassay.judges.realizations import ANCHOR_WORDS, option_lines
from goldassay.judges.spec import Judge

__all__ = ["Request", "neutral", "requests"]

_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")
#: Control tokens of chat templates, and delimiters written in their way.
_CONTROL = re.compile(r"<\|(\S(?:[^<>|\n]{0,58}\S)?)\|>")
_TAGS = re.compile(r"<(/?(?:think|thinking|reasoning|s|INST))>|\[(/?INST)\]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Request:
    """One call to make: what is sent, how the answer is read, and where its verdicts belong."""

    key: str
    judge: Judge
    item: Item
    prompt: str
    format: Format
    sample: int
    #: The texts of the item as shown, to recognise quotations of them.
    texts: tuple[str, ...]
    structured: bool
    #: How many alternatives of each token to ask for; 0 for none.
    top_logprobs: int
    parameters: Mapping[str, Any]


def neutral(text: str, judge: Judge) -> str:
    """The item's text with forged verdicts, delimiters and control tokens made visibly inert."""
    text = _CONTROL.sub(r"<¦\1¦>", text)
    text = _TAGS.sub(lambda match: f"‹{match.group(1) or match.group(2)}›", text)
    words = {_folded(word) for word in _verdict_words(judge)}

    def bracketed(match: re.Match[str]) -> str:
        inner = match.group(1)
        number = judge.realization == "numeric" and re.fullmatch(r"[\s\d.+-]+", inner)
        return f"⟦{inner}⟧" if number or _folded(inner) in words else match.group(0)

    text = re.sub(r"\[\[([^\[\]\n]{1,200})\]\]", bracketed, text)
    return re.sub(r'"(verdicts?)"(\s*:)', r"“\1”\2", text, flags=re.IGNORECASE)


def _verdict_words(judge: Judge) -> tuple[str, ...]:
    if judge.realization == "anchor":
        return tuple(ANCHOR_WORDS)
    letters = ascii_uppercase[: len(judge.words)] if judge.built_in.elicitation else ""
    pair = ("A", "B", "C", "tie") if judge.realization == "pairwise" else ()
    return (*judge.words, *judge.abstentions, *letters, *pair)


def _folded(text: str) -> str:
    return re.sub(r"\s+", "", text).casefold()


def requests(
    judge: Judge, item: Item, *, structured: bool = False, top_logprobs: int = 20
) -> list[Request]:
    """The calls that one item needs of one judge: criteria x orders x samples.

    `structured` and `top_logprobs` say what the endpoint offers. Where log-probabilities are
    refused, `token_probs` asks `fallback_samples` times at temperature 1 and reads the words.
    """
    parameters = judge.sent_parameters
    samples = judge.samples
    probabilities = judge.realization == "token_probs" and judge.kind == "model"
    if probabilities and not top_logprobs:
        samples = max(samples, judge.fallback_samples)
        if judge.parameters is None:
            parameters = {"temperature": 1.0, "max_tokens": 4}
    structured = structured and (
        judge.built_in.structured if judge.structured is None else judge.structured
    )
    criteria = _criteria(judge, item)
    groups = (
        [criteria] if judge.criteria_per_call == "all" else [{k: v} for k, v in criteria.items()]
    )
    orders: tuple[str, ...] = ("",)
    if judge.built_in.pairs and judge.kind == "model":
        orders = ("system_first", "opponent_first") if judge.orders == "both" else (judge.orders,)
    out = []
    for group in groups:
        for order in orders:
            form = Format(
                realization=judge.realization,
                options=judge.words,
                abstain=judge.abstentions,
                criteria=tuple(group),
                order=order,
                probabilities=probabilities and top_logprobs > 0,
                together=judge.criteria_per_call == "all",
                refusals=judge.refusals,
            )
            prompt, texts = _render(judge, item, group, form, structured=structured)
            for sample in range(1, samples + 1):
                key = _key(
                    judge,
                    item,
                    prompt,
                    form,
                    sample=sample,
                    structured=structured,
                    parameters=parameters,
                )
                out.append(
                    Request(
                        key,
                        judge,
                        item,
                        prompt,
                        form,
                        sample,
                        texts,
                        structured,
                        top_logprobs if probabilities else 0,
                        parameters,
                    )
                )
    return out


def _criteria(judge: Judge, item: Item) -> Mapping[str, str]:
    """Names and texts of the criteria to judge; one without a name where there is none."""
    return item.criteria or judge.criteria or {"": judge.text_of_question}


def _render(
    judge: Judge, item: Item, criteria: Mapping[str, str], form: Format, *, structured: bool
) -> tuple[str, tuple[str, ...]]:
    if judge.kind != "model":
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
    letters = list(ascii_uppercase[: len(judge.words)])
    listed = judge.realization in ("forced_choice", "response_set")
    names = ", ".join(f"'{word}'" for word in judge.words)
    last = f"{', '.join(letters[:-1])}, {'and/or' if form.realization == 'response_set' else 'or'} "
    values = {
        **{place: shown.get(text, "") for place, text in places.items()},
        "question": judge.text_of_question,
        "options": option_lines(judge.words, judge.descriptions or judge.built_in.descriptions)
        if listed
        else names,
        "letters": last + letters[-1] if letters else "",
        "all_letters": "".join(letters),
        "example": judge.words[len(judge.words) // 2] if judge.words else "",
        "criterion": "\n".join(criteria.values()),
        "criteria": "\n".join(f"- {name}: {text}" for name, text in criteria.items()),
        "format": _format_words(judge, form, structured=structured),
        "mark": _mark(given),
    }
    prompt = _PLACEHOLDER.sub(
        lambda match: values.get(match.group(1), match.group(0)), judge.template
    )
    return prompt, tuple(dict.fromkeys(shown.values()))


def _mark(texts: tuple[str, ...]) -> str:
    """A mark that does not occur in the texts, the same for the same texts."""
    seed = "\0".join(texts)
    while True:
        mark = hashlib.sha256(("goldassay mark\0" + seed).encode("utf-8", "replace")).hexdigest()[
            :12
        ]
        if not any(mark in text for text in texts):
            return mark
        seed += mark


def _format_words(judge: Judge, form: Format, *, structured: bool) -> str:
    if form.realization == "pairwise":
        words = ["A", "B", *(["tie"] if len(judge.words) == 3 else [])]
    else:
        words = [*judge.words, *judge.abstentions]
    first = "First explain your reasoning in a few sentences. Then " if judge.explain else ""
    if form.together:
        lines = ", ".join(json.dumps(word, ensure_ascii=False) for word in words)
        ask = f"answer with one JSON object that gives each criterion's name one of {lines}."
    elif structured:
        lines = ", ".join(json.dumps(word, ensure_ascii=False) for word in words)
        reason = '"reason" is your reasoning in a few sentences and ' if judge.explain else ""
        first = ""
        ask = f'answer with one JSON object in which {reason}"verdict" is one of {lines}.'
    else:
        lines = ", ".join(f"[[{word}]]" for word in words)
        ask = f"answer with exactly one of {lines}."
    return first + (ask if first else ask[0].upper() + ask[1:])


def _key(
    judge: Judge,
    item: Item,
    prompt: str,
    form: Format,
    *,
    sample: int,
    structured: bool,
    parameters: Mapping[str, Any],
) -> str:
    """The hash of everything that shapes the answer; the parser's version is not in it."""
    parts: dict[str, Any] = {
        "kind": judge.kind,
        "provider": judge.provider,
        "endpoint": judge.endpoint,
        "model": judge.model,
        "version": judge.version,
        "system_prompt": judge.system_prompt,
        "prompt": prompt,
        "realization": form.realization,
        "options": judge.words,
        "abstain": judge.abstentions,
        "criteria": form.criteria,
        "structured": structured,
        "probabilities": form.probabilities,
        "explain": judge.explain,
        "parameters": parameters,
        "order": form.order,
        "sample": sample,
    }
    if judge.kind != "model":  # no prompt holds the item's text
        parts |= {"item": item.raw, "table": judge.table, "score_path": judge.score_path}
    text = json.dumps(parts, sort_keys=True, ensure_ascii=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:32]
