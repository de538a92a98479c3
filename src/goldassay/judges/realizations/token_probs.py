"""TokenProbs: the probability of yes over yes and no, with the prompt of "JuStRank" (appendix G).

Where an endpoint gives no log-probabilities the word itself is read, over several samples.
"""

from __future__ import annotations

import math
import re

from goldassay.judges.reading import opening, short
from goldassay.judges.realizations.record import Forged, Realization, Words
from goldassay.judges.text import UnreadableError
from goldassay.judges.verdicts import Answer, Format, Verdict

__all__ = ["TOKEN_PROBS"]

_PROMPT = """\
Here is a user input and a model response. Is this a good response for the given input?
{criterion_line}
Answer with only yes/no.
Input: {input}

Response: {output}

Good response? (Yes/No):"""


def _read(form: Format, words: Words, text: str, cut: bool) -> Verdict:
    """The word yes or no as the whole answer, or before punctuation, the other not on its line."""
    line = opening(text).split("\n")[0]
    match = re.match(r"(yes|no)\b(?=\s*$|[\s*_`\"'”’)\]]*(?:[.,!:;–—-]|$))", line, re.IGNORECASE)
    if not match:
        raise UnreadableError(f"neither yes nor no at the beginning: {short(text)}")
    word = match.group(1).casefold()
    other = "no" if word == "yes" else "yes"
    if re.search(rf"\b{other}\b", line[match.end() :], re.IGNORECASE):
        raise UnreadableError(f"both yes and no: {short(text)}")
    return Verdict(
        "rated", word, float(word == "yes"), "frequency over samples: no log-probabilities here"
    )


def _read_probabilities(answer: Answer) -> Verdict:
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


TOKEN_PROBS = Realization(
    name="token_probs",
    prompt=_PROMPT,
    scale="binary",
    source="JuStRank, appendix G",
    answer="the probability of yes over yes and no in the first token",
    options=("yes", "no"),
    own_scale=True,
    least=2,
    most=2,
    max_tokens=1,
    read=_read,
    read_probabilities=_read_probabilities,
    forged=lambda options: Forged("yes", "yes", "Yes"),
)
