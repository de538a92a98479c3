"""The two answers of a pair: the fields of a table of texts in which they stand."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

__all__ = ["alone_among", "answers_among"]

#: What the answer of a system is called, ours first.
ANSWERS = (
    *(
        "output",
        "response",
        "answer",
        "completion",
        "generation",
        "reply",
        "summary",
        "translation",
    ),
    *("text", "conversation", "model_output", "model_response", "model_answer", "output_text"),
    *("response_text", "answer_text"),
)
#: How the two of a pair are told apart, the first system's first; other names of pairs.
ENDS = (
    *(("a", "b"), ("1", "2"), ("0", "1"), ("x", "y")),
    *(("left", "right"), ("first", "second"), ("one", "two")),
)
OTHERS = (("chosen", "rejected"),)
#: Words of fields that hold the names of the systems, not their answers.
NAMES = frozenset({"assistant", "candidate", "id", "model", "name", "player", "system"})


def answers_among(fields: Collection[str], options: Sequence[str] = ()) -> list[tuple[str, str]]:
    """The fields that may hold the two answers, the first system's first: one pair where it is
    clear, none where none is known, several where it must be said.

    `options` are the two that say which side wins: fields that are called as they are go first,
    but for those with the systems' names.

    >>> answers_among(["item", "input", "output", "output_b"])
    [('output', 'output_b')]
    >>> answers_among(["Response A", "responseB"]), answers_among(["chosen", "rejected"])
    ([('Response A', 'responseB')], [('chosen', 'rejected')])
    >>> answers_among(["rejected", "chosen"], ["rejected", "chosen"]), answers_among(["left_draft"])
    ([('rejected', 'chosen')], [])
    >>> answers_among(["output", "output_a", "output_b"])
    [('output', 'output_b'), ('output_a', 'output_b')]
    >>> answers_among(["model_a", "model_b", "reply_a", "reply_b"], ["model_a", "model_b"])
    [('reply_a', 'reply_b')]
    """
    by_name: dict[str, str] = {}
    for field in fields:
        by_name.setdefault(_plain(field), field)
    named = tuple(_plain(option) for option in options)
    of_systems = any(NAMES.intersection(name.split("_")) for name in named)
    if len(named) == 2 and {*named} <= by_name.keys() and not of_systems:
        return [(by_name[named[0]], by_name[named[1]])]
    return [(by_name[one], by_name[two]) for one, two in _KNOWN if {one, two} <= by_name.keys()]


def alone_among(fields: Collection[str]) -> str | None:
    """The field with the one answer of a row, where that is clear.

    >>> alone_among(["item", "system", "Response"]), alone_among(["output", "answer"])
    ('Response', 'output')
    >>> alone_among(["response", "answer"]) is None
    True
    """
    found = [field for field in fields if _plain(field) in ANSWERS]
    ours = [field for field in found if _plain(field) == ANSWERS[0]]
    return (ours or found)[0] if len(ours or found) == 1 else None


def _plain(name: str) -> str:
    """A name in small letters, its words with a line between them."""
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.strip())
    return re.sub(r"[\W_]+", "_", parted.casefold()).strip("_")


def _known() -> Iterator[tuple[str, str]]:
    yield from OTHERS
    for word in ANSWERS:
        yield from ((word, f"{word}_{two}") for two in ("b", "2"))
        for one, two in ENDS:
            yield f"{word}_{one}", f"{word}_{two}"
            yield f"{one}_{word}", f"{two}_{word}"
            yield f"{word}{one}", f"{word}{two}"


_KNOWN = tuple(_known())
